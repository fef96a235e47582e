/*
 * Additions to local_first.c for interactions between systems of both orders. u is (X, V), and
 * coordinates follow velocities. With the sigma of that file and theta of each system s
 *
 *   Q_s = q_k (+) sigma h [theta v + (1-theta) v_k],   dy/du = (h_X, h_V + h theta h_Q T)
 *
 * Relations that look ahead (nsds_relation::ahead) have sigma = theta = 1 in both. Likewise dg/du. lambda acts over the step. The input matrix is h L on velocities and (h rho)
 * B on states.
 */
#include "kernel/assembly/local_mixed.h"

#include "base/base.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"

nsds_status nsds_mixed_place(const nsds_plan *plan, const nsds_interaction *ia, double *Q) {
  const nsds_state *now = &plan->model->state, *end = &plan->trial;
  double sigma = nsds_relation_share(plan, ia->relation);
  for (int k = 0; k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    const nsds_slot *slot = &plan->slot[ds->index];
    const double *q = now->q + ds->q_offset, *v = now->v + ds->v_offset;
    double theta = ia->relation->ahead ? 1.0 : slot->on.scheme->theta;
    double reach = sigma * plan->scheme->h;
    double *step = slot->scratch;
    if (nsds_is_first_order(ds)) continue;
    for (int j = 0; j < ds->nv; ++j)
      step[j] = reach * (theta * end->v[ds->v_offset + j] + (1.0 - theta) * v[j]);
    nsds_status status = nsds_ds_move(ds, plan->scheme->t, q, v, step, Q);
    if (status) return status;
    Q += ds->nq;
  }
  return NSDS_OK;
}

typedef nsds_status (*matrix_of)(void *self, const nsds_arguments *in, double *matrix);

/* Adds h theta J_Q T to C_V, system by system. J_Q has `rows` rows. Writes the row sums of |J_Q Q|
 * to `places`, unless NULL. */
static nsds_status add_coordinates(nsds_plan *plan, const nsds_contact *contact,
                                   const nsds_arguments *in, double h, matrix_of jacobian_q,
                                   int rows, double *C, double *places) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation *relation = ia->relation;
  size_t m = (size_t)rows;
  double *Jq = nsds_behind_gathered(ia, plan->memory.work);
  double *moved = Jq + m * (size_t)relation->nq, *T = moved + m * (size_t)ia->nv;
  const double *q = in->q, *v = in->v;
  nsds_status status = jacobian_q(relation->self, in, Jq);
  if (status) return status;
  for (int i = 0; places && i < rows; ++i) {
    places[i] = 0.0;
    for (int j = 0; j < relation->nq; ++j) places[i] += fabs(Jq[i + (ptrdiff_t)j * rows] * q[j]);
  }
  for (int k = 0; !status && k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    if (nsds_is_first_order(ds)) continue;
    double theta = relation->ahead ? 1.0 : plan->slot[ds->index].on.scheme->theta;
    double reach = h * theta;
    nsds_arguments own = nsds_ds_in(ds, in->t, q, v);
    const double *J = ds->ops->velocity_map ? moved : Jq;
    if (ds->ops->velocity_map) status = nsds_through_map(ds, rows, &own, Jq, moved, T);
    for (size_t i = 0; !status && i < m * (size_t)ds->nv; ++i) C[i] += reach * J[i];
    C += m * (size_t)ds->nv;
    Jq += m * (size_t)ds->nq;
    q += ds->nq;
    v += ds->nv;
  }
  return status;
}

nsds_status nsds_mixed_outputs(nsds_plan *plan, nsds_contact *contact, const nsds_arguments *in,
                               double h) {
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_relation_ops *ops = relation->ops;
  double *C = contact->first->C + (size_t)contact->m * (size_t)relation->nx;
  nsds_status status = NSDS_OK;
  if (relation->nx > 0) status = ops->jacobian_x(relation->self, in, contact->first->C);
  if (!status) status = ops->jacobian_v(relation->self, in, C);
  if (!status)
    status = add_coordinates(plan, contact, in, h, ops->jacobian_q, contact->m, C,
                             contact->first->places);
  return status;
}

nsds_status nsds_mixed_inputs(nsds_plan *plan, nsds_contact *contact, const nsds_arguments *in,
                              double h) {
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_relation_ops *ops = relation->ops;
  int n = relation->nv;
  double *Kv = contact->first->K + (size_t)n * (size_t)relation->nx;
  nsds_zero_doubles(contact->first->K, (size_t)n * (size_t)n);
  nsds_status status = NSDS_OK;
  if (ops->input_x && relation->nx > 0)
    status = ops->input_x(relation->self, in, contact->first->K);
  if (!status && ops->input_v) status = ops->input_v(relation->self, in, Kv);
  if (!status && ops->input_q)
    status =
        add_coordinates(plan, contact, in, h, ops->input_q, n, Kv, contact->first->input_places);
  return status;
}
