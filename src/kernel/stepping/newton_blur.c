/*
 * Functions whose inner terms cancel. Near x = 0 the values of exp(x) - 1 are multiples of 1e-16, and
 * nobody outside of the function knows of its terms of size 1. Newton's method then cannot come
 * nearer to the solution than such a grain, and its increments stay as large for ever.
 *
 * So the function f is asked about a way d. The way begins at the point u where f was linearised.
 * d is the last increment, with factors between 1/2 and 1 and with signs. Otherwise terms of J d
 * would cancel. The deviation of f from its Jacobian J along d is
 *
 *   e(s) = |f(u + s d) - f(u) - s J d| / s
 *
 * If e(1/8) and e(1/64) are more than four times e(s), e(16 s) and e(256 s) of a large s, d lies within
 * the grain, and what is left of the equation is rounding. In a smooth function e grows like s. With a
 * wrong Jacobian e is the same for all s, and a kink between d and s d makes e(s) large. No scale of u
 * enters, so that models in any units are treated alike: s d goes on until it is large beside u.
 */
#include "kernel/stepping/newton_blur.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"

#include <math.h>

/* Part of the memory of the plan. Each array has nv + ny entries. */
enum { at_iterate, way, at_start, at_point, along, doubt, streak, marks };

static double *probe_array(const nsds_plan *plan, int k) {
  const nsds_state_size *size = &plan->model->size;
  return plan->memory.probe + (size_t)k * (size->nv + size->ny);
}

/* A function, and the unknowns that it depends on. */
typedef struct nsds_probe {
  nsds_plan *plan;
  nsds_slot *slot; /* its force, or */
  nsds_contact *contact;
  const nsds_entry *entry;
  int nds;
  int n;       /* number of values */
  bool lambda; /* lambda is among the unknowns */
} nsds_probe;

static nsds_slot *slot_of(const nsds_probe *p, int e) {
  return p->slot ? p->slot : &p->plan->slot[p->contact->reach[e].slot];
}

/* Writes the values of the function at the trial state to `value`. */
static nsds_status probe_evaluate(const nsds_probe *p, double *value) {
  nsds_plan *plan = p->plan;
  if (p->slot) {
    nsds_status status = p->slot->osi->evaluate(&p->slot->on);
    nsds_copy_doubles(value, p->slot->on.force_end, (size_t)p->n);
    return status;
  }
  nsds_contact *contact = p->contact;
  if (!contact->first)
    return nsds_local_output(contact->interaction, &plan->trial, value,
                             probe_array(plan, doubt) + plan->model->size.nv, plan->memory.work);
  nsds_status status = contact->ops->evaluate(plan, contact);
  nsds_copy_doubles(value, contact->first->h, (size_t)contact->m);
  nsds_copy_doubles(value + contact->m, contact->first->g, (size_t)(p->n - contact->m));
  return status;
}

/* Goes to u + s d, or with s infinite back to the iterate, and evaluates. */
static nsds_status probe_at(const nsds_probe *p, double s, double *value) {
  nsds_plan *plan = p->plan;
  const double *iterate = probe_array(plan, at_iterate), *d = probe_array(plan, way);
  nsds_status status = NSDS_OK;
  for (int e = 0; !status && e < p->nds; ++e) {
    nsds_slot *slot = slot_of(p, e);
    for (int k = slot->v0; k < slot->v0 + slot->nv; ++k, ++iterate, ++d)
      plan->trial.v[k] = isinf(s) ? *iterate : plan->v_last[k] + s * *d;
    if (slot->osi->advance) status = slot->osi->advance(&slot->on);
  }
  for (int i = 0; p->lambda && i < p->contact->m; ++i, ++iterate, ++d)
    plan->trial.impulse[p->contact->y0 + i] =
        isinf(s) ? *iterate : p->contact->first->lambda[i] + s * *d;
  return status ? status : probe_evaluate(p, value);
}

/* Adds J d of one entry to row i. */
static void add_slope(const nsds_plan *plan, int i, double product) {
  probe_array(plan, along)[i] += product;
}

static void add_matrix(const nsds_plan *plan, const nsds_matrix_shape *shape, int n,
                       const double *values, double alpha, const double *d) {
  for (int j = 0; values && j < n; ++j) {
    nsds_shape_column column = nsds_shape_column_at(shape->p, shape->i, n, j);
    for (int e = column.first; e < column.last; ++e)
      add_slope(plan, nsds_shape_column_row(&column, e), alpha * values[e] * d[j]);
  }
}

/* Computes J d of the force of a system. */
static void slopes_of_system(const nsds_plan *plan, const nsds_slot *slot, const double *d) {
  const nsds_ds *ds = slot->ds;
  const nsds_scheme *scheme = slot->on.scheme;
  if (nsds_is_first_order(ds)) {
    add_matrix(plan, &ds->stiffness, slot->nv, slot->K, scheme->f_at_theta ? scheme->theta : 1.0,
               d);
    add_matrix(plan, &ds->damping, slot->nv, slot->C, 1.0 / scheme->h, d);
  } else {
    add_matrix(plan, &ds->damping, slot->nv, slot->C, -1.0, d);
    add_matrix(plan, &ds->stiffness, slot->nv, slot->K, -scheme->h * scheme->theta, d);
  }
}

/* Computes J d of a relation. d belongs to the states, then to lambda. */
static void slopes_of_relation(const nsds_probe *p, const double *d) {
  const nsds_plan *plan = p->plan;
  const nsds_contact *contact = p->contact;
  const nsds_first_terms *first = contact->first;
  int m = contact->m, nx = p->n - m;
  const double *H = p->entry->H, *law_D = p->entry->more->law_D;
  for (int e = 0, j = 0; e < p->nds; ++e) {
    int s = contact->reach[e].slot;
    double reach = first ? 1.0 : plan->slot[s].on.scheme->theta * plan->scheme->h;
    double kappa = first ? nsds_input_share(plan, contact, s) : 0.0;
    for (int k = 0; k < contact->reach[e].size; ++k, ++j) {
      for (int i = 0; i < m; ++i) add_slope(plan, i, reach * *H++ * d[j]);
      for (int i = 0; first && first->K && i < nx; ++i)
        add_slope(plan, m + i, first->K[i + (ptrdiff_t)j * nx] * kappa * d[j]);
    }
  }
  for (int j = 0; p->lambda && j < m; ++j) {
    double change = d[nx + j];
    for (int i = 0; p->entry->D && i < m; ++i)
      add_slope(plan, i, (p->entry->D[i + j * m] - (law_D ? law_D[i + j * m] : 0.0)) * change);
    for (int i = 0; i < nx; ++i) add_slope(plan, m + i, first->B[i + (ptrdiff_t)j * nx] * change);
  }
}

/* Returns the factor of entry k of the increment. */
static double turned(int k) {
  const double golden = 0.6180339887498949;
  double part = golden * (k + 1);
  part -= floor(part);
  return part < 0.5 ? part - 1.0 : part;
}

/* Keeps the iterate, and computes d and J d. */
static void probe_begin(const nsds_probe *p) {
  nsds_plan *plan = p->plan;
  double *iterate = probe_array(plan, at_iterate), *d = probe_array(plan, way);
  int at = 0;
  for (int e = 0; e < p->nds; ++e) {
    const nsds_slot *slot = slot_of(p, e);
    for (int k = slot->v0; k < slot->v0 + slot->nv; ++k, ++at) {
      iterate[at] = plan->trial.v[k];
      d[at] = turned(at) * (iterate[at] - plan->v_last[k]);
    }
  }
  for (int i = 0; p->lambda && i < p->contact->m; ++i, ++at) {
    iterate[at] = plan->trial.impulse[p->contact->y0 + i];
    d[at] = turned(at) * (iterate[at] - p->contact->first->lambda[i]);
  }
  nsds_zero_doubles(probe_array(plan, along), (size_t)p->n);
  if (p->slot) slopes_of_system(plan, p->slot, d);
  else slopes_of_relation(p, d);
}

/* Returns e(s) of row i. */
static double probe_off(const nsds_plan *plan, double s, int i) {
  double change = probe_array(plan, at_point)[i] - probe_array(plan, at_start)[i];
  return fabs(change / s - probe_array(plan, along)[i]);
}

/* Writes the lesser e of two short ways to `doubt`. Returns the number of rows where e is not 0. */
static int probe_short_ways(const nsds_probe *p) {
  const nsds_plan *plan = p->plan;
  double *least = probe_array(plan, doubt);
  int left = 0;
  for (int i = 0; i < p->n; ++i) least[i] = INFINITY;
  for (int k = 0; k < 2; ++k) {
    double s = k == 0 ? 0x1p-3 : 0x1p-6;
    if (probe_at(p, s, probe_array(plan, at_point))) return 0;
    for (int i = 0; i < p->n; ++i) least[i] = nsds_smaller(least[i], probe_off(plan, s, i));
  }
  for (int i = 0; i < p->n; ++i) left += least[i] > 0.0;
  return left;
}

/* Returns the mark of value i, or NULL if the unknown is prescribed or the row has none. */
static double *mark_of(const nsds_probe *p, int i) {
  double *all = probe_array(p->plan, marks);
  if (p->slot) return all + p->slot->v0 + i;
  const nsds_contact *contact = p->contact;
  if (i < contact->m) return all + p->plan->model->size.nv + (size_t)(contact->y0 + i);
  i -= contact->m;
  int e = 0;
  while (i >= contact->reach[e].size) i -= contact->reach[e++].size;
  return all + contact->reach[e].column + i;
}

/* Returns the largest part s of the increment that is worth a try. */
static double probe_end(const nsds_probe *p) {
  const nsds_plan *plan = p->plan;
  const double far = 0x1p24, *iterate = probe_array(plan, at_iterate);
  double u = 0.0, q = 0.0, d = 0.0, lambda = 0.0, change = 0.0;
  for (int e = 0; e < p->nds; ++e) {
    const nsds_slot *slot = slot_of(p, e);
    for (int k = slot->v0; k < slot->v0 + slot->nv; ++k, ++iterate) {
      nsds_raise(&u, fabs(*iterate));
      nsds_raise(&d, fabs(*iterate - plan->v_last[k]));
    }
    for (int k = 0; k < slot->on.nq; ++k) nsds_raise(&q, fabs(plan->trial.q[slot->q0 + k]));
  }
  for (int i = 0; p->lambda && i < p->contact->m; ++i, ++iterate) {
    nsds_raise(&lambda, fabs(*iterate));
    nsds_raise(&change, fabs(*iterate - p->contact->first->lambda[i]));
  }
  double s = d > 0.0 ? fmax(u, q / plan->scheme->h) / d : 0.0;
  return far * fmax(s, change > 0.0 ? lambda / change : 0.0);
}

/* Counts in `streak` how often in turn a row follows the Jacobian. The third time it is marked.
 * Returns true if the row is decided. */
static bool probe_count(const nsds_probe *p, double s, double end, int i) {
  const nsds_plan *plan = p->plan;
  double least = probe_array(plan, doubt)[i], *count = &probe_array(plan, streak)[i];
  double off = probe_off(plan, s, i);
  *count = off < 0.25 * least ? *count + 1.0 : 0.0;
  if (*count == 3.0) *mark_of(p, i) = 1.0;
  bool moved = probe_array(plan, at_point)[i] != probe_array(plan, at_start)[i];
  return *count == 3.0 || (moved && s > 0x1p-12 * end && off > 0.5 * least);
}

/* Marks the rows in doubt that follow the Jacobian over long ways. */
static void probe_long_ways(const nsds_probe *p, int left) {
  const nsds_plan *plan = p->plan;
  double *least = probe_array(plan, doubt), end = probe_end(p);
  nsds_zero_doubles(probe_array(plan, streak), (size_t)p->n);
  for (double s = 0x1p12; s <= end && left > 0; s *= 16.0) {
    if (probe_at(p, s, probe_array(plan, at_point))) return;
    for (int i = 0; i < p->n; ++i)
      if (least[i] > 0.0 && probe_count(p, s, end, i)) least[i] = 0.0, --left;
  }
}

/* Functions that fail on the way only end the way: no message of theirs is heard. */
static void probe_run(const nsds_probe *p) {
  nsds_plan *plan = p->plan;
  bool heard = nsds_hush(plan->context, true);
  probe_begin(p);
  if (!probe_at(p, 0.0, probe_array(plan, at_start))) probe_long_ways(p, probe_short_ways(p));
  probe_at(p, INFINITY, probe_array(plan, at_point));
  nsds_hush(plan->context, heard);
}

void nsds_blur_of_system(nsds_plan *plan, nsds_slot *slot) {
  if (slot->on.affine || slot->parts.integrator) return;
  probe_run(&(nsds_probe){.plan = plan, .slot = slot, .nds = 1, .n = slot->nv});
}

void nsds_blur_of_relation(nsds_plan *plan, nsds_contact *contact, const nsds_entry *entry) {
  const nsds_first_terms *first = contact->first;
  if (contact->is.affine || !contact->interaction || (first && !first->lambda)) return;
  probe_run(&(nsds_probe){.plan = plan,
                          .contact = contact,
                          .entry = entry,
                          .nds = contact->nds,
                          .n = contact->m + (first ? contact->nv : 0),
                          .lambda = first != NULL});
}

void nsds_blur_begin(nsds_plan *plan) {
  const nsds_state_size *size = &plan->model->size;
  plan->blurred = probe_array(plan, marks);
  nsds_zero_doubles(plan->blurred, size->nv + size->ny);
}

void nsds_blur_end(nsds_plan *plan) { plan->blurred = NULL; }
