/*
 * Values of rows at the trial state: s, y and dy/dt, forces, and the sizes that scale rounding
 * errors. For some rows, the linear relation between lambda and the first differentials of s:
 *
 *   d s = b + A lambda,   A = H M^-1 H^T (first order: C M^-1 B),   degree 0: s = b + D lambda
 *                         (differentiated: T ds/dt, T D = 0; D: row_groups.c)
 *
 * At an impact the relation is between impulses and changes of dy/dt.
 */
#include "kernel/events/row_values.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/assembly/tree_rates.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/soft_rows.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/orthogonal.h"

double nsds_row_value(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_state *at = &s->plan->trial;
  if (row->degree == 0) return row->slip;
  return nsds_row_is_slip(s, row) ? at->ydot[row->y] + row->given : at->y[row->y];
}

double nsds_row_drift(const nsds_event_rows *s, const nsds_row *row) {
  return s->plan->trial.y[row->y] - row->held;
}

/* Raises most[k] to |x[k]|. */
static void raise_each(double *most, const double *x, int n) {
  for (int k = 0; k < n; ++k) {
    double size = fabs(x[k]);
    most[k] = size > most[k] ? size : most[k];
  }
}

void nsds_rows_note_sizes(nsds_event_rows *s, const double *q, const double *v) {
  const nsds_plan *plan = s->plan;
  if (s->sizes.single) {
    raise_each(s->sizes.size, q, plan->nslot);
    raise_each(s->sizes.size + 2 * plan->nslot, v, plan->nslot);
    return;
  }
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    bool first = nsds_is_first_order(slot->ds);
    const double *x = first ? v + slot->v0 : q + slot->q0;
    double *largest = &s->sizes.size[k], *fastest = &s->sizes.size[2 * plan->nslot + k];
    if (slot->nv == 1 && (first || slot->on.nq == 1)) {
      nsds_raise(largest, fabs(*x));
      nsds_raise(fastest, fabs(v[slot->v0]));
      continue;
    }
    for (int j = 0, n = first ? slot->nv : slot->on.nq; j < n; ++j) nsds_raise(largest, fabs(x[j]));
    for (int j = 0; j < slot->nv; ++j) nsds_raise(fastest, fabs(v[slot->v0 + j]));
  }
}

void nsds_rows_note_rates(nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  double *size = s->sizes.size + plan->nslot;
  if (s->sizes.single) {
    raise_each(size, s->rate, plan->nslot);
    return;
  }
  for (int k = 0; k < plan->nslot; ++k)
    for (int j = 0; j < plan->slot[k].nv; ++j)
      nsds_raise(&size[k], fabs(s->rate[plan->slot[k].v0 + j]));
}

NSDS_NOINLINE nsds_status nsds_rows_show(const nsds_event_rows *s) {
  nsds_state *at = &s->plan->trial;
  for (const nsds_row *row = s->row, *end = row + s->nrow; s->listed.soft && row < end; ++row) {
    const nsds_contact *contact = &s->plan->contact[row->contact];
    bool states = nsds_acts_on_states(contact->kind);
    if (states) at->impulse[row->y] = row->lambda;
    if (states || contact->is.compliant) at->force[row->y] = row->lambda;
  }
  return s->groups.algebraic ? nsds_groups_show(s) : NSDS_OK;
}

nsds_status nsds_rows_outputs(nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  nsds_status status = NSDS_OK;
  if (NSDS_UNLIKELY(s->listed.soft) && (status = nsds_rows_show(s))) return status;
  nsds_rows_note_sizes(s, plan->trial.q, plan->trial.v);
  nsds_contact *contact = plan->contact, *end = contact + plan->ncontact;
  for (; !status && contact < end; ++contact) status = contact->ops->output(plan, contact);
  return status;
}

nsds_status nsds_rows_outputs_hit(nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  nsds_status status = NSDS_OK;
  int *hit = s->split.link; /* by system */
  nsds_rows_note_sizes(s, plan->trial.q, plan->trial.v);
  memset(hit, 0, (size_t)plan->nslot * sizeof *hit);
  for (int k = 0; k < s->list.n; ++k) {
    const nsds_contact *contact = &plan->contact[s->row[s->list.row[k]].contact];
    for (int e = 0; e < contact->nds; ++e) hit[nsds_plan_leader(plan, contact->reach[e].slot)] = 1;
  }
  nsds_contact *contact = plan->contact, *end = contact + plan->ncontact;
  for (; !status && contact < end; ++contact) {
    int any = 0;
    for (int e = 0; e < contact->nds; ++e)
      any |= hit[nsds_plan_leader(plan, contact->reach[e].slot)];
    if (any) status = contact->ops->output(plan, contact);
  }
  return status;
}

/* Returns true if edge e of a contact, whose lambda acts on states, leads to a second-order system: lambda is a force
 * there, and p has impulses. */
static bool entry_is_force(const nsds_event_rows *s, const nsds_contact *contact, int e) {
  return nsds_is_second_order(s->plan->slot[contact->reach[e].slot].ds);
}

void nsds_rows_forces(nsds_event_rows *s, bool event) {
  nsds_state *at = &s->plan->trial;
  nsds_zero_doubles(at->p, s->plan->model->size.nv);
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (!event) row->flights.impulse = 0.0;
    const nsds_contact *contact = &s->plan->contact[row->contact];
    bool states = row->degree < 2 && nsds_acts_on_states(contact->kind);
    double p = states ? row->lambda : row->flights.impulse;
    at->force[row->y] = row->lambda;
    at->impulse[row->y] = p;
    if (p == 0.0) continue;
    const nsds_entry *entry = &s->op.entry[row->contact];
    int m = contact->m, nx = contact->nv;
    for (int e = 0, first = 0; e < contact->nds; first += entry->edge[e++].size)
      for (int k = 0; !(states && entry_is_force(s, contact, e)) && k < entry->edge[e].size; ++k)
        at->p[entry->edge[e].column + k] +=
            p * (states ? contact->first->B[first + k + (ptrdiff_t)row->i * nx]
                        : entry->edge[e].H[row->i + (ptrdiff_t)k * m]);
  }
}

double nsds_row_size(const nsds_event_rows *s, const nsds_row *row, nsds_size_of what) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const double *size = s->sizes.size + (int)what * s->plan->nslot;
  const nsds_edge *edge = s->op.entry[row->contact].edge;
  const nsds_reach *reach = contact->reach;
  double sum = 0.0;
  for (const nsds_reach *end = reach + contact->nds; reach < end; ++reach, ++edge) {
    const double *H = edge->H + row->i;
    for (int k = edge->size; k > 0; --k, H += contact->m) sum += fabs(*H) * size[reach->slot];
  }
  return sum;
}

double nsds_row_norm(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  double sum = 0.0;
  for (int e = 0; e < contact->nds; ++e)
    for (int k = 0; k < entry->edge[e].size; ++k)
      sum += fabs(entry->edge[e].H[row->i + (ptrdiff_t)k * contact->m]);
  return sum;
}

double nsds_row_speed_terms(const nsds_event_rows *s, const nsds_row *row) {
  return nsds_row_size(s, row, NSDS_SIZE_OF_SPEEDS);
}

double nsds_row_gap_terms(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  double known = contact->is.affine ? fabs(contact->shift[row->i]) : 0.0;
  return known + nsds_row_size(s, row, NSDS_SIZE_OF_PLACES);
}

double nsds_row_value_terms(const nsds_event_rows *s, const nsds_row *row) {
  nsds_relation_kind kind = s->plan->contact[row->contact].kind;
  bool soft = kind == NSDS_RELATION_MIXED || (row->degree == 0 && nsds_has_gap(kind));
  return soft ? nsds_soft_terms(s, row) : nsds_row_gap_terms(s, row);
}

double nsds_row_way_terms(const nsds_event_rows *s, const nsds_row *row) {
  const double part = 0.25; /* speeds after impacts are closer than gaps: 16 eps */
  double flight = s->scales.elapsed - row->flights.last;
  return isfinite(flight) ? part * fmax(flight * row->flights.size, row->flights.way) : 0.0;
}

double nsds_row_resolution(const nsds_event_rows *s, const nsds_row *row) {
  return nsds_rounding * (nsds_row_gap_terms(s, row) + nsds_row_way_terms(s, row));
}

/* ---- the matrix of the rows ---------------------------------------------------------------------- */

void nsds_rows_push(const nsds_event_rows *s, const nsds_row *row, double x, double *v) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  if (NSDS_UNLIKELY(contact->is.lifted)) {
    nsds_tree_rates_push(s->plan, contact, entry, row->i, x, false, v);
    return;
  }
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &entry->edge[e];
    const double *Y = edge->Y + (size_t)row->i * (size_t)edge->size;
    for (int k = 0; k < edge->size; ++k) v[edge->column + k] += Y[k] * x;
  }
}

void nsds_rows_load(const nsds_event_rows *s, const nsds_row *row, double x, double *v) {
  nsds_rows_push(s, row, x, v);
  for (const nsds_row *t = row + 1, *end = t + row->tangents; t < end; ++t)
    if (nsds_row_slides(t))
      nsds_rows_push(s, t, -nsds_row_friction(t) * t->slipping.direction * x, v);
}

/* Returns the sum of H_r Y_q over common systems. */
double nsds_rows_bare_product(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q) {
  const nsds_contact *cr = &s->plan->contact[r->contact], *cq = &s->plan->contact[q->contact];
  const nsds_entry *er = &s->op.entry[r->contact], *eq = &s->op.entry[q->contact];
  double sum = 0.0;
  if (NSDS_UNLIKELY(cr->is.lifted || cq->is.lifted))
    return nsds_tree_rates_product(s->plan, cr, er, r->i, cq, eq, q->i, false);
  for (int a = 0; a < cr->nds; ++a)
    for (int b = 0; b < cq->nds; ++b) {
      const nsds_edge *h = &er->edge[a], *y = &eq->edge[b];
      if (h->column != y->column) continue;
      const double *Y = y->Y + (size_t)q->i * (size_t)y->size;
      for (int k = 0; k < h->size; ++k) sum += h->H[r->i + (ptrdiff_t)k * cr->m] * Y[k];
    }
  return sum;
}

double nsds_rows_product(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q) {
  double sum = nsds_rows_bare_product(s, r, q);
  for (const nsds_row *t = q + 1, *end = t + q->tangents; t < end; ++t)
    if (nsds_row_slides(t))
      sum -= nsds_row_friction(t) * t->slipping.direction * nsds_rows_bare_product(s, r, t);
  return sum;
}

/* Computes H_r a + bias, or y for degree 0, and the sum of the sizes of its terms. */
static void row_values_constant_part(const nsds_event_rows *s, const nsds_row *row, double *b,
                                     double *terms) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  *b = row->bias;
  *terms = fabs(row->bias);
  if (NSDS_UNLIKELY(nsds_row_is_placed(s, row))) {
    *b = nsds_row_speed(s, row);
    *terms = nsds_row_speed_terms(s, row);
    return;
  }
  if (row->degree == 0) {
    const nsds_row_group *group = nsds_group_of(s, row);
    *terms = fmax(*terms, nsds_soft_places(s, row));
    for (int j = 0; j < group->n; ++j) {
      const nsds_row *other = nsds_group_row(s, group, j);
      bool open = other->mode != NSDS_MODE_CLOSED && other->lambda != 0.0;
      double term = open ? nsds_rows_through(s, row, other) * other->lambda : 0.0;
      *b += term;
      *terms += fabs(term);
    }
    return;
  }
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &entry->edge[e];
    for (int k = 0; k < edge->size; ++k) {
      double term = edge->H[row->i + (ptrdiff_t)k * contact->m] * s->rate[edge->column + k];
      *b += term;
      *terms += fabs(term);
    }
  }
}

void nsds_rows_rate_part(const nsds_event_rows *s, const nsds_row *row, double *b, double *terms) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  *b = *terms = 0.0;
  for (int e = 0; e < contact->nds; ++e)
    for (int k = 0; k < entry->edge[e].size; ++k) {
      double term =
          entry->edge[e].H[row->i + (ptrdiff_t)k * contact->m] * s->rate[entry->edge[e].column + k];
      *b += term;
      *terms += fabs(term);
    }
}

/* Returns the product of a differentiated row: the weighted sum over its group. */
static double weighted_product(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q) {
  const nsds_row_group *group = nsds_group_of(s, r);
  const double *weight = s->weights.weight + group->weights + nsds_group_place(s, r);
  double sum = 0.0;
  for (int j = 0; j < group->n; ++j, weight += group->n)
    if (*weight != 0.0) sum += *weight * nsds_rows_product(s, nsds_group_row(s, group, j), q);
  return sum;
}

static void weighted_part(const nsds_event_rows *s, const nsds_row *r, double *b, double *terms) {
  const nsds_row_group *group = nsds_group_of(s, r);
  const double *weight = s->weights.weight + group->weights + nsds_group_place(s, r);
  *b = *terms = 0.0;
  for (int j = 0; j < group->n; ++j, weight += group->n) {
    double term, size;
    if (*weight == 0.0) continue;
    nsds_rows_rate_part(s, nsds_group_row(s, group, j), &term, &size);
    *b += *weight * term;
    *terms += fabs(*weight) * size;
  }
}

static double row_values_entry_of(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q) {
  if (r->degree > 0) return nsds_row_is_placed(s, r) ? 0.0 : nsds_rows_product(s, r, q);
  return r->way == NSDS_WAY_DIFFERENTIATED ? weighted_product(s, r, q) : nsds_rows_through(s, r, q);
}

double nsds_row_acceleration(const nsds_event_rows *s, const nsds_row *row) {
  double b, size;
  row_values_constant_part(s, row, &b, &size);
  return b;
}

/* Gives rows that joints of the tree hold already a gain of their own, that of bodies without joints: their
 * lambda is then zero. Over the tree the gain of such a row is rounding, about 1e-18 of that size. */
static void set_implied(nsds_event_rows *s, const nsds_row_part *part) {
  static const double implied = 1e-14;
  int n = part->n;
  double *A = s->system.A;
  for (int k = 0; k < n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    const nsds_contact *contact = &s->plan->contact[row->contact];
    if (!contact->is.lifted || row->degree == 0 || nsds_row_is_placed(s, row)) continue;
    const nsds_entry *entry = &s->op.entry[row->contact];
    double size = nsds_plan_tree_row_size(s->plan, contact, entry, row->i);
    if (fabs(A[k + (ptrdiff_t)k * n]) > implied * size) continue;
    for (int i = 0; i < n; ++i) A[i + (ptrdiff_t)k * n] = A[k + (ptrdiff_t)i * n] = 0.0;
    A[k + (ptrdiff_t)k * n] = size;
  }
}

nsds_status nsds_rows_matrix(nsds_event_rows *s, const nsds_row_part *part, bool impact) {
  int n = part->n;
  bool keep = nsds_part_stays(s, part) && !impact;
  nsds_status status = nsds_grow(s->plan->context, &s->system.A, &s->system.A_capacity,
                                 2 * (size_t)n * (size_t)n, sizeof *s->system.A);
  if (status) return status;
  for (int j = 0; j < n && !keep; ++j)
    for (int i = 0; i < n; ++i) {
      const nsds_row *r = &s->row[part->chosen[i]], *q = &s->row[part->chosen[j]];
      s->system.A[i + (ptrdiff_t)j * n] =
          impact ? nsds_rows_bare_product(s, r, q) : row_values_entry_of(s, r, q);
    }
  if (NSDS_UNLIKELY(s->plan->tree != NULL)) set_implied(s, part);
  for (int i = 0; i < n && !impact; ++i) {
    const nsds_row *row = &s->row[part->chosen[i]];
    if (row->way == NSDS_WAY_DIFFERENTIATED) weighted_part(s, row, &part->b[i], &part->terms[i]);
    else row_values_constant_part(s, row, &part->b[i], &part->terms[i]);
  }
  return NSDS_OK;
}

/* Drift separates dependent rows by less than this. The allowed drift turns rows by 10 times the
 * relative tolerance, 1e-8 by default. */
static const double loosely = 1e-8;

static bool is_contact(const nsds_row *row) { return row->degree == 2 && !nsds_row_bilateral(row); }

/* Returns the unit in which a row shares its lambda, see refine.c: a length for moments of rolling
 * friction while slip sticks. */
static double unit_of_share(const nsds_row *row) {
  const nsds_row *lead = row - row->lead, *slip = row - row->normal + 1;
  if (row->normal == 0 || lead == slip || slip->mode != NSDS_MODE_CLOSED) return 1.0;
  double length = lead->mu / slip->mu;
  return length > 0.0 && isfinite(length) ? length : 1.0;
}

/* Contacts share the least sum of squares of forces. Joints alone share the least sum of squares of
 * forces in units of the rows. */
static nsds_status row_values_factor(nsds_event_rows *s, const nsds_row_part *part, double least) {
  nsds_part_factor *own = part->own;
  nsds_factor *factor = nsds_part_new_factor(s, part);
  size_t n = (size_t)part->n;
  double *C = own->shares, *scale = C + n * n;
  bool rests = false;
  own->shared = false;
  for (int k = 0; k < part->n; ++k) {
    own->shared = own->shared || s->row[part->chosen[k]].way == NSDS_WAY_SHARED;
    rests = rests || s->row[part->chosen[k]].lambda_origin != 0.0;
  }
  if (rests) least = fmax(least, loosely); /* lambda_origin determines forces in these directions */
  if (!own->shared) return nsds_factor_dense(factor, part->n, s->system.A);
  own->column = 0.0;
  for (size_t k = 0; k < n; ++k) {
    scale[k] = nsds_inverse_power(s->system.A[k + k * n], 2);
    if (is_contact(&s->row[part->chosen[k]])) nsds_raise(&own->column, scale[k]);
  }
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) {
      double column =
          own->column > 0.0 ? own->column * unit_of_share(&s->row[part->chosen[j]]) : scale[j];
      C[i + j * n] = scale[i] * s->system.A[i + j * n] * column;
      if (!isfinite(C[i + j * n])) return NSDS_ERROR_SINGULAR;
    }
  own->rank = nsds_orthogonal_factor(part->n, C, least, own->order, scale + n);
  return NSDS_OK;
}

nsds_status nsds_rows_factor(nsds_event_rows *s, const nsds_row_part *part, double least) {
  nsds_status status = row_values_factor(s, part, least);
  if (NSDS_LIKELY(status != NSDS_ERROR_SINGULAR)) return status;
  return nsds_fail(s->plan->context, status,
                   "event-driven: lambda of the %d closed rows is not determined at t = %.17g: "
                   "d s/d lambda is singular (relative degree, or constraints that depend on each "
                   "other in this position only)",
                   part->n, s->plan->trial.t);
}

void nsds_rows_solve(const nsds_event_rows *s, const nsds_row_part *part) {
  const nsds_part_factor *own = part->own;
  size_t n = (size_t)part->n;
  double *scale = own->shares + n * n;
  if (!own->shared) {
    nsds_factor_solve(own->factor, 1, part->z);
    return;
  }
  for (size_t k = 0; k < n; ++k) part->z[k] *= scale[k];
  nsds_orthogonal_solve(part->n, own->shares, own->rank, own->order, scale + n, part->z);
  for (size_t k = 0; k < n; ++k)
    part->z[k] *=
        own->column > 0.0 ? own->column * unit_of_share(&s->row[part->chosen[k]]) : scale[k];
}
