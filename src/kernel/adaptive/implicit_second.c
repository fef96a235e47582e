/*
 * Second-order systems in implicit stages, see implicit_rows.h. The unknown of a stage is v; q follows from it. Slopes
 * leave out the derivatives of M(q) and H(q), which are of the order of a beside the others.
 */
#include "kernel/adaptive/implicit_second.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/local_mixed.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/turns.h"

/* ---- arrays ---------------------------------------------------------------------------------- */

static void find_kinds(nsds_implicit_rows *r) {
  for (int c = 0; c < r->plan->ncontact; ++c) {
    const nsds_contact *contact = &r->plan->contact[c];
    bool rigid = nsds_has_gap(contact->kind) && !contact->is.compliant;
    bool gap = contact->law->set == NSDS_SET_NONNEGATIVE;
    for (int i = 0; i < contact->m; ++i)
      r->motion.kind[contact->y0 + i] = !rigid ? NSDS_ROW_OF_Y
                                        : gap  ? NSDS_ROW_OF_GAP
                                               : NSDS_ROW_OF_RATE;
  }
}

nsds_status nsds_implicit_second_reserve(nsds_implicit_rows *r) {
  nsds_context *context = r->plan->context;
  nsds_implicit_motion *motion = &r->motion;
  size_t work = 1;
  motion->nq = (int)r->plan->model->size.nq;
  if (motion->nq == 0) return NSDS_OK;
  for (int c = 0; c < r->plan->ncontact; ++c) {
    const nsds_contact *contact = &r->plan->contact[c];
    size_t m = (size_t)contact->m,
           count = nsds_local_work(contact->interaction) + m * ((size_t)contact->nv + m + 1);
    if (count > work) work = count;
  }
  motion->q = NSDS_NEW_ARRAY(context, double, motion->nq);
  motion->gap = NSDS_NEW_ARRAY(context, double, r->ny + 1);
  motion->kind = NSDS_NEW_ARRAY(context, unsigned char, r->ny + 1);
  motion->work = NSDS_NEW_ARRAY(context, double, work);
  motion->step = NSDS_NEW_ARRAY(context, double, r->nx + 1);
  if (!motion->q || !motion->gap || !motion->kind || !motion->work || !motion->step)
    return NSDS_ERROR_MEMORY;
  find_kinds(r);
  return NSDS_OK;
}

/* ---- systems --------------------------------------------------------------------------------- */

nsds_status nsds_implicit_place(nsds_implicit_rows *r, double a, double t, const double *z) {
  const nsds_implicit_motion *motion = &r->motion;
  for (int s = 0; s < r->plan->nslot; ++s) {
    const nsds_slot *slot = &r->plan->slot[s];
    const nsds_ds *ds = slot->ds;
    if (nsds_is_first_order(ds)) continue;
    const double *from = motion->from + slot->q0, *v = z + slot->v0;
    double *q = motion->q + slot->q0, *step = motion->step;
    for (int k = 0; k < slot->nv; ++k)
      step[k] = a * v[k] + (motion->way ? motion->way[slot->v0 + k] : 0.0);
    nsds_status status = nsds_ds_move(ds, t, from, v, step, q);
    if (status) return status;
  }
  return NSDS_OK;
}

/* Writes weight times the values of a matrix behind *slopes. */
static void write_matrix(const nsds_slot *slot, const nsds_matrix_shape *shape,
                         const double *values, double weight, double **slopes) {
  size_t count = values ? nsds_value_count(shape->p, slot->nv) : 0;
  for (size_t k = 0; k < count; ++k) *(*slopes)++ = weight * values[k];
}

static nsds_status evaluate_matrices(const nsds_slot *slot, const nsds_arguments *in, bool slopes) {
  const nsds_ds *ds = slot->ds;
  nsds_status status = NSDS_OK;
  if (slot->M && !ds->mass.constant) status = ds->ops->mass(ds->self, in, slot->M);
  if (!status && slopes && slot->C && !ds->damping.constant)
    status = ds->ops->damping(ds->self, in, slot->C);
  if (!status && slopes && slot->K && !ds->stiffness.constant)
    status = ds->ops->stiffness(ds->self, in, slot->K);
  return status;
}

nsds_status nsds_implicit_second_slot(nsds_implicit_rows *r, nsds_slot *slot, double a, double t,
                                      const double *before, const double *z, double **slopes,
                                      double *F) {
  const nsds_ds *ds = slot->ds;
  const double *v = z + slot->v0, *q = r->motion.q + slot->q0;
  double inverse = 1.0 / a, *force = r->work, *rate = r->motion.step, *to = F + slot->v0;
  nsds_arguments in = nsds_ds_in(ds, t, q, v);
  nsds_status status = evaluate_matrices(slot, &in, *slopes != NULL);
  if (!status) status = ds->ops->force(ds->self, &in, force);
  if (status) return status;
  for (int k = 0; k < slot->nv; ++k) {
    rate[k] = (v[k] - before[slot->v0 + k]) * inverse;
    to[k] = -force[k];
  }
  nsds_mass_multiply(slot, 1.0, rate, to);
  if (ds->affine) {
    nsds_shape_multiply(&ds->damping, slot->nv, slot->C, 1.0, v, to);
    nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, 1.0, q, to);
  }
  if (!*slopes) return NSDS_OK;
  if (slot->M) write_matrix(slot, &ds->mass, slot->M, inverse, slopes);
  else
    for (int k = 0; k < slot->nv; ++k) *(*slopes)++ = inverse;
  write_matrix(slot, &ds->damping, slot->C, 1.0, slopes);
  write_matrix(slot, &ds->stiffness, slot->K, a, slopes);
  return NSDS_OK;
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* y of an affine contact. */
static void affine_gap(const nsds_implicit_rows *r, const nsds_contact *contact, double *y) {
  const double *H = contact->H;
  for (int i = 0; i < contact->m; ++i) y[i] = contact->shift[i];
  for (const nsds_reach *at = contact->reach, *end = at + contact->nds; at < end; ++at)
    for (int k = 0; k < at->size; ++k)
      for (int i = 0; i < contact->m; ++i) y[i] += *H++ * r->motion.q[at->q + k];
}

nsds_status nsds_implicit_second_rates(nsds_implicit_rows *r, const nsds_contact *contact, double t,
                                       const double *z, double *ht, const double **H) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation *relation = ia->relation;
  double *own = r->motion.work, *rest = own + (ptrdiff_t)contact->m * contact->nv;
  const nsds_state at = {.t = t, .q = r->motion.q, .v = (double *)(uintptr_t)z};
  nsds_arguments in = nsds_gather(ia, &at, z + r->nx, 1.0, r->plan->memory.work);
  for (int i = 0; i < contact->m; ++i) ht[i] = 0.0;
  *H = own;
  nsds_status status = nsds_relation_output(ia, &at, &in, r->motion.gap + contact->y0);
  if (!status) status = nsds_gradient(ia, &in, own, rest);
  if (status || !relation->ops->jacobian_t) return status;
  return relation->ops->jacobian_t(relation->self, &in, ht);
}

nsds_status nsds_implicit_second_rows(nsds_implicit_rows *r, const nsds_contact *contact, double t,
                                      const double *z, double *w, const double **H) {
  nsds_implicit_motion *motion = &r->motion;
  int m = contact->m;
  double *y = motion->gap + contact->y0;
  *H = contact->H;
  if (contact->is.affine) {
    affine_gap(r, contact, y);
    for (int i = 0; i < m; ++i) w[i] = 0.0;
  } else {
    nsds_status status = nsds_implicit_second_rates(r, contact, t, z, w, H);
    if (status) return status;
  }
  const double *h = *H;
  for (const nsds_reach *reach = contact->reach, *end = reach + contact->nds; reach < end; ++reach)
    for (int k = 0; k < reach->size; ++k)
      for (int i = 0; i < m; ++i) w[i] += *h++ * z[reach->column + k];
  for (int i = 0; i < m; ++i) w[i] = motion->kind[contact->y0 + i] == NSDS_ROW_OF_Y ? y[i] : w[i];
  return NSDS_OK;
}

/* Writes dh/dlambda of a compliant contact behind *slopes. */
static nsds_status write_compliance(nsds_implicit_rows *r, const nsds_contact *contact, double t,
                                    const double *z, double **slopes) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_state at = {.t = t, .q = r->motion.q, .v = (double *)(uintptr_t)z};
  nsds_arguments in = nsds_gather(ia, &at, z + r->nx, 1.0, r->plan->memory.work);
  nsds_zero_doubles(*slopes, (size_t)contact->m * (size_t)contact->m);
  nsds_status status = ia->relation->ops->jacobian_lambda(ia->relation->self, &in, *slopes);
  *slopes += (ptrdiff_t)contact->m * contact->m;
  return status;
}

nsds_status nsds_implicit_second_contact(nsds_implicit_rows *r, const nsds_contact *contact,
                                         double a, double t, const double *z, double **slopes,
                                         double *F) {
  int m = contact->m, row = r->nx + contact->y0;
  const double *H, *lambda = z + row;
  double *w = r->work;
  nsds_status status = nsds_implicit_second_rows(r, contact, t, z, w, &H);
  if (status) return status;
  for (int i = 0; i < m; ++i) F[row + i] += w[i];
  for (const nsds_reach *reach = contact->reach, *end = reach + contact->nds; reach < end; ++reach)
    for (int k = 0; k < reach->size; ++k)
      for (int i = 0; i < m; ++i, ++H) {
        F[reach->column + k] -= *H * lambda[i];
        if (!*slopes || (contact->is.affine && *H == 0.0)) continue;
        bool rate = r->motion.kind[contact->y0 + i] != NSDS_ROW_OF_Y;
        *(*slopes)++ = (rate ? 1.0 : a) * *H;
        *(*slopes)++ = -*H;
      }
  return *slopes && contact->is.compliant ? write_compliance(r, contact, t, z, slopes) : NSDS_OK;
}

nsds_status nsds_implicit_jacobians(const nsds_implicit_rows *r, nsds_contact *contact,
                                    const nsds_arguments *in, double a) {
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_first_terms *first = contact->first;
  bool mixed = contact->kind == NSDS_RELATION_MIXED;
  nsds_status status = mixed ? nsds_mixed_outputs(r->plan, contact, in, a)
                             : relation->ops->jacobian_q(relation->self, in, first->C);
  if (!status) status = relation->ops->input_lambda(relation->self, in, first->B);
  if (status || !first->K) return status;
  return mixed ? nsds_mixed_inputs(r->plan, contact, in, a)
               : relation->ops->input_x(relation->self, in, first->K);
}
