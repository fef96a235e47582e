/*
 * Contacts in which lambda enters s without a differentiation:
 *
 *     compliant     s = y = h(q,lambda)             lambda = -D^-1 (h - D lambda) while closed
 *     saturation    s = dy/dt + lambda / slope
 *     states        s = y = h(t,x,q,v,lambda),      r = g(t,x,q,v,lambda)
 *
 * The linearisation at the point lambda^a is
 *
 *     s = offset + H u + D lambda,   r = g^a + B (lambda - lambda^a)
 *
 * A contact that is not affine in lambda is linearised again at the lambda found, by Newton's method. The iterations
 * start at lambda of the last event, so that rates depend on the state alone.
 *
 * Damped contacts have dy/dt = H v + D P with the impulse P. Between events P is zero. At an impact D softens the law:
 * velocities after the impact may still approach, and the impact is repeated. Time stepping does the same in its next
 * steps, which take no time in the limit of short steps.
 */
#include "kernel/events/soft_rows.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/contact.h"
#include "kernel/assembly/entry.h"
#include "kernel/assembly/index_one.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/row_values.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/local.h"

#include <float.h>

/* ---- degrees --------------------------------------------------------------------------------- */

static bool row_has_entries(const nsds_entry *entry, int m, int i) {
  for (int j = 0; entry->D && j < m; ++j)
    if (entry->D[i + (ptrdiff_t)j * m] != 0.0) return true;
  return false;
}

/* Returns true if lambda enters s of a row. */
static bool is_fed_through(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_row_group *group = nsds_group_of(s, row);
  const double *D = group ? nsds_group_matrix(s, group) : NULL;
  for (int j = 0; D && j < group->n; ++j)
    if (D[nsds_group_place(s, row) + (ptrdiff_t)j * group->n] != 0.0) return true;
  return false;
}

int nsds_soft_degree(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  int i = row->i;
  if (is_fed_through(s, row)) return 0;
  bool tangent = nsds_law_has_tangents(contact->law) && i % contact->size > 0;
  bool gap = nsds_has_gap(contact->kind) && contact->law->level != NSDS_LEVEL_FORCE && !tangent;
  return gap ? 2 : 1;
}

static bool has_finite_bounds(const nsds_contact *contact, int i) {
  nsds_block block = nsds_law_block(contact->law);
  int k = i % contact->size;
  return block.set == NSDS_SET_BOX && isfinite(block.lower[k]) && isfinite(block.upper[k]);
}

nsds_status nsds_soft_check(const nsds_event_rows *s, int c) {
  const nsds_contact *contact = &s->plan->contact[c];
  const nsds_entry *entry = &s->op.entry[c];
  const char *why = NULL;
  char label[nsds_label_size];
  int i = 0;
  for (; contact->is.compliant && !why && i < contact->m; ++i) {
    bool soft = row_has_entries(entry, contact->m, i);
    bool tangent = nsds_law_has_tangents(contact->law) && i % contact->size > 0;
    if (soft && tangent) why = "compliance of a tangent: lambda has a rate of its own";
    if (!soft && contact->law->level == NSDS_LEVEL_FORCE && !tangent &&
        !has_finite_bounds(contact, i))
      why = "no compliance, and its law does not bound the force: velocities jump where the gap is "
            "0, by a law of impact such as nsds_newton_impact()";
  }
  return !why ? NSDS_OK
              : nsds_fail(s->plan->context, NSDS_ERROR_UNSUPPORTED,
                          "event-driven: row %d of %s (law %s) has %s; valid is time stepping",
                          i - 1, nsds_contact_label(contact, label), nsds_law_called(contact->law),
                          why);
}

/* ---- linearisation --------------------------------------------------------------------------- */

/* Gives lambda of the points to the trial state. A contact that is affine in lambda has its points at zero, which gives
 * the same rounding errors in each evaluation. */
static void give_points(const nsds_event_rows *s, const nsds_contact *contact,
                        const nsds_row *row) {
  nsds_state *at = &s->plan->trial;
  for (int i = 0; i < contact->m; ++i) {
    at->force[contact->y0 + i] = row[i].point;
    if (nsds_acts_on_states(contact->kind)) at->impulse[contact->y0 + i] = row[i].point;
  }
}

/* Linearises h(q,lambda), or dy/dt beside a compliance of the law. */
static nsds_status linearise_gap(nsds_event_rows *s, const nsds_row *row) {
  nsds_plan *plan = s->plan;
  nsds_contact *contact = &plan->contact[row->contact];
  nsds_entry *entry = &s->op.entry[row->contact];
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation *relation = ia->relation;
  int m = contact->m;
  nsds_status status = NSDS_OK;
  nsds_zero_doubles(entry->D, (size_t)m * (size_t)m);
  if (!contact->is.affine) {
    nsds_arguments in = nsds_gather(ia, &plan->trial, plan->trial.force, 1.0, s->memory.work);
    status = nsds_gradient(ia, &in, entry->H, nsds_behind_gathered(ia, s->memory.work));
    if (!status && contact->is.compliant) {
      status = relation->ops->jacobian_lambda(relation->self, &in, entry->D);
      if (!status) status = relation->ops->output(relation->self, &in, entry->offset);
      for (int j = 0; !status && j < m; ++j)
        for (int i = 0; i < m; ++i) entry->offset[i] -= entry->D[i + j * m] * row[j].point;
    } else if (!status) {
      status = contact->ops->output(plan, contact);
      nsds_copy_doubles(entry->offset, plan->trial.ydot + contact->y0, (size_t)m);
    }
  }
  return status ? status : nsds_entry_add_law(contact, entry, 1.0);
}

nsds_status nsds_soft_linearise(nsds_event_rows *s, const nsds_row *row) {
  nsds_plan *plan = s->plan;
  nsds_contact *contact = &plan->contact[row->contact];
  if (nsds_has_gap(contact->kind)) {
    if (contact->is.compliant) give_points(s, contact, row);
    return linearise_gap(s, row);
  }
  if (contact->is.affine) return NSDS_OK;
  give_points(s, contact, row);
  nsds_status status = contact->ops->evaluate(plan, contact);
  return status ? status : contact->ops->linearise(plan, contact, &s->op.entry[row->contact]);
}

double nsds_soft_rest(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  bool gap = nsds_has_gap(contact->kind);
  double sum = contact->is.affine ? gap ? 0.0 : contact->shift[row->i] : entry->offset[row->i];
  for (int e = 0; (!gap || contact->is.affine) && e < contact->nds; ++e)
    for (int k = 0; k < entry->edge[e].size; ++k)
      sum += entry->edge[e].H[row->i + (ptrdiff_t)k * contact->m] *
             s->plan->trial.v[entry->edge[e].column + k];
  return sum;
}

double nsds_soft_places(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  bool gap = nsds_has_gap(contact->kind);
  if (gap && contact->is.compliant) return nsds_soft_terms(s, row);
  double sum = contact->is.affine && !gap ? fabs(contact->shift[row->i]) : 0.0;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &entry->edge[e];
    const double *x = s->plan->trial.v + edge->column;
    for (int k = 0; k < edge->size; ++k)
      sum += fabs(edge->H[row->i + (ptrdiff_t)k * contact->m] * x[k]);
  }
  return sum;
}

double nsds_soft_terms(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  const double *size = s->sizes.size;
  bool gap = nsds_has_gap(contact->kind), places = !gap || contact->is.compliant;
  double sum = !contact->is.affine ? fabs(entry->offset[row->i])
               : gap               ? 0.0
                                   : fabs(contact->shift[row->i]);
  for (int e = 0; e < contact->nds; ++e) {
    int slot = contact->reach[e].slot;
    bool by_place =
        places && (contact->is.compliant || nsds_is_first_order(s->plan->slot[slot].ds));
    double largest = by_place ? size[slot] : size[NSDS_SIZE_OF_SPEEDS * s->plan->nslot + slot];
    for (int k = 0; k < entry->edge[e].size; ++k)
      sum += fabs(entry->edge[e].H[row->i + (ptrdiff_t)k * contact->m]) * largest;
  }
  return sum;
}

/* Adds what an input moves at once to the state of a system with a singular M. */
static void move_algebra(nsds_plan *plan, const nsds_slot *slot, const double *r) {
  nsds_index_one *own = slot->index_one;
  double *x = plan->trial.v + slot->v0;
  nsds_copy_doubles(own->ahead, r, (size_t)slot->nv);
  nsds_index_one_move(own, 1, own->ahead);
  for (int k = 0; k < slot->nv; ++k) {
    own->rest[k] += own->ahead[k];
    x[k] += own->ahead[k];
  }
}

void nsds_soft_inputs(const nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end;
       row += plan->contact[row->contact].m) {
    const nsds_contact *contact = &plan->contact[row->contact];
    if (!nsds_contact_is_curved(contact) || !nsds_acts_on_states(contact->kind)) continue;
    int first = 0, n = contact->interaction->relation->nv;
    for (int e = 0; e < contact->nds; first += contact->reach[e++].size) {
      const nsds_slot *slot = &plan->slot[contact->reach[e].slot];
      double *r = slot->scratch;
      for (int k = 0; k < slot->nv; ++k) {
        r[k] = contact->first->g[first + k];
        for (int j = 0; j < contact->m; ++j)
          r[k] -= contact->first->B[first + k + (ptrdiff_t)j * n] * row[j].point;
      }
      if (slot->index_one) move_algebra(plan, slot, r);
      slot->osi->apply(&slot->on, 1, r);
      for (int k = 0; k < slot->nv; ++k) plan->v_free[slot->v0 + k] += r[k];
    }
  }
}

/* ---- Newton's iterations --------------------------------------------------------------------- */

static bool is_curved(const nsds_event_rows *s, const nsds_row *row) {
  return row->degree < 2 && nsds_contact_is_curved(&s->plan->contact[row->contact]);
}

/* Takes x in v as the point of each nonlinear system with a singular M. */
static void begin_points(const nsds_event_rows *s, const double *v) {
  for (int k = 0; k < s->plan->nslot; ++k) {
    const nsds_slot *slot = &s->plan->slot[k];
    if (slot->index_one && slot->index_one->bends)
      nsds_copy_doubles(slot->index_one->point, v + slot->v0, (size_t)slot->nv);
  }
}

nsds_status nsds_soft_take_points(const nsds_event_rows *s, const double *v) {
  nsds_status status = NSDS_OK;
  begin_points(s, v);
  for (int k = 0; !status && k < s->plan->nslot; ++k) {
    nsds_slot *slot = &s->plan->slot[k];
    if (slot->index_one && slot->index_one->bends)
      status = nsds_index_one_bend(slot, s->plan->trial.t);
  }
  return status;
}

/* Moves these points to x with the present lambda. Raises *largest to the largest change. */
static nsds_status move_points(nsds_event_rows *s, double *largest) {
  double *all = s->plan->trial.v;
  for (int k = 0; k < s->plan->nslot; ++k)
    if (s->plan->slot[k].index_one)
      nsds_copy_doubles(s->plan->slot[k].index_one->kept, all + s->plan->slot[k].v0,
                        (size_t)s->plan->slot[k].nv);
  nsds_status status = nsds_groups_show(s);
  for (int k = 0; k < s->plan->nslot; ++k) {
    const nsds_slot *slot = &s->plan->slot[k];
    double *x = all + slot->v0;
    if (!slot->index_one) continue;
    double *point = slot->index_one->point, size = s->sizes.size[k] + DBL_MIN;
    for (int j = 0; slot->index_one->bends && j < slot->nv; ++j) {
      double change = fabs(x[j] - point[j]) / nsds_larger(fabs(x[j]), size);
      nsds_raise(largest, isfinite(change) ? change : INFINITY);
      point[j] = x[j];
    }
    nsds_copy_doubles(x, slot->index_one->kept, (size_t)slot->nv);
  }
  return status;
}

void nsds_soft_begin(nsds_event_rows *s) {
  if (s->listed.bends) begin_points(s, s->plan->trial.v);
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (is_curved(s, row)) row->point = row->mode == NSDS_MODE_IDLE ? 0.0 : row->last_lambda;
}

/* Bounds the step of a contact from its points to lambda, where the relation asks for it, and moves
 * the points. Returns true if it has bounded the step. */
static bool move_within_limit(const nsds_event_rows *s, nsds_row *row) {
  const nsds_relation *relation = s->plan->contact[row->contact].interaction->relation;
  int m = s->plan->contact[row->contact].m;
  double *from = s->memory.work, *to = from + m;
  for (int i = 0; i < m; ++i) {
    from[i] = row[i].point;
    to[i] = row[i].lambda;
  }
  bool changed = relation->ops->limit && relation->ops->limit(relation->self, from, to);
  for (int i = 0; i < m; ++i)
    if (is_curved(s, &row[i])) row[i].point = to[i];
  return changed;
}

/* Returns the change of lambda beside the terms of its row. A voltage near zero keeps the rounding errors
 * of the potentials around it. */
static double change_among_terms(const nsds_event_rows *s, const nsds_row *row, double change) {
  const nsds_row_group *group = nsds_group_of(s, row);
  double largest = 0.0, terms = nsds_soft_terms(s, row) + DBL_MIN;
  if (row->degree > 0 || !group) return INFINITY;
  for (int j = 0; j < group->n; ++j)
    nsds_raise(&largest, fabs(nsds_rows_through(s, row, nsds_group_row(s, group, j))));
  return largest * change / terms;
}

/* Returns true if only rounding errors of the terms of the rows are left: they neither grow nor fall. */
static bool is_noise(double change, double before) {
  static const double most = 1e-12;
  return change <= most && change >= 0.5 * before && change <= 2.0 * before;
}

/* Changes end as rounding of lambda, or are small and no longer fall, or are rounding of the terms. */
bool nsds_soft_move(nsds_event_rows *s, nsds_soft_change *change) {
  static const double rounding = 1e-14, enough = 1e-9;
  nsds_soft_change before = *change;
  *change = (nsds_soft_change){0.0, 0.0};
  if (NSDS_UNLIKELY(s->listed.bends) && move_points(s, &change->own)) change->own = INFINITY;
  change->among_terms = change->own;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (!is_curved(s, row)) continue;
    double size = nsds_larger(fabs(row->lambda), fabs(row->point)) + DBL_MIN;
    double way = fabs(row->lambda - row->point);
    nsds_raise(&change->own, way / size);
    if (way > rounding * size) nsds_raise(&change->among_terms, change_among_terms(s, row, way));
  }
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (row->i == 0 && nsds_contact_is_curved(&s->plan->contact[row->contact]) &&
        move_within_limit(s, row))
      change->own = change->among_terms = INFINITY;
  return change->own <= rounding || (change->own <= enough && change->own >= 0.5 * before.own) ||
         is_noise(change->among_terms, before.among_terms);
}

void nsds_soft_keep(nsds_event_rows *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (is_curved(s, row)) row->last_lambda = row->mode == NSDS_MODE_IDLE ? 0.0 : row->lambda;
}

nsds_status nsds_soft_fail(const nsds_event_rows *s) {
  return nsds_fail(
      s->plan->context, NSDS_ERROR_NEWTON,
      "event-driven: lambda of nonlinear relations, or unknowns of nonlinear systems with a "
      "singular M, were not found at t = %.17g; check their Jacobians by "
      "nsds_check_jacobians()",
      s->plan->trial.t);
}

/* ---- D of impulses --------------------------------------------------------------------------- */

nsds_status nsds_damped_linearise(const nsds_event_rows *s, int c, const nsds_arguments *in) {
  const nsds_contact *contact = &s->plan->contact[c];
  if (!nsds_contact_is_damped(contact) || nsds_contact_is_soft(contact)) return NSDS_OK;
  const nsds_relation *relation = contact->interaction->relation;
  return relation->ops->feedthrough(relation->self, in, s->op.entry[c].D);
}

void nsds_damped_add(const nsds_event_rows *s, const nsds_row_part *part) {
  int n = part->n;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const nsds_row *r = &s->row[part->chosen[i]], *q = &s->row[part->chosen[j]];
      const nsds_contact *contact = &s->plan->contact[r->contact];
      bool own = r->contact == q->contact && nsds_contact_is_damped(contact) &&
                 !nsds_contact_is_soft(contact);
      if (own)
        s->system.A[i + (ptrdiff_t)j * n] +=
            s->op.entry[r->contact].D[r->i + (ptrdiff_t)q->i * contact->m];
    }
}

void nsds_damped_clear(const nsds_event_rows *s) {
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (nsds_contact_is_damped(&s->plan->contact[row->contact]))
      s->plan->trial.impulse[row->y] = 0.0;
}

nsds_status nsds_damped_show(const nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  nsds_status status = NSDS_OK;
  for (int c = 0; !status && c < plan->ncontact; ++c)
    if (nsds_contact_is_damped(&plan->contact[c]))
      status = plan->contact[c].ops->output(plan, &plan->contact[c]);
  return status;
}
