/*
 * Computes the local variables of an interaction at a state:
 *
 *   second order   y = h(Q,t,lambda,Z),   dy/dt = H V + dh/dt + D P,   H = dh/dQ T(Q) or as given
 *   first order    y = h(t,X,lambda,Z)
 *   mixed          y = h(t,X,Q,V,lambda,Z)
 *
 * Q, V, X concatenate over the systems. Z has the parameters of the systems, the relation and the
 * interaction.
 */
#include "kernel/modeling/local.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/turns.h"

size_t nsds_local_work(const nsds_interaction *ia) {
  size_t m = (size_t)ia->m, nq = (size_t)ia->relation->nq, nv = (size_t)ia->nv, map = 0;
  bool inputs = ia->relation->kind == NSDS_RELATION_MIXED && nsds_input_depends(ia->relation->ops);
  size_t rows = inputs && nv > m ? nv : m;
  for (int k = 0; k < ia->nds; ++k) {
    size_t count = (size_t)ia->ds[k]->nq * (size_t)ia->ds[k]->nv;
    if (nsds_is_second_order(ia->ds[k]) && ia->ds[k]->ops->velocity_map && count > map) map = count;
  }
  return nq + nv + (size_t)ia->nZ + 1 + 3 * m + rows * (nq + nv + m) + map;
}

nsds_arguments nsds_gather(const nsds_interaction *ia, const nsds_state *at, const double *lambda,
                           double scale, double *work) {
  const nsds_relation *relation = ia->relation;
  bool second = nsds_reads_positions(relation->kind); /* has Q */
  int nx = second ? relation->nx : ia->nv;
  double *Q = work, *V = second ? Q + relation->nq : Q, *Z = V + ia->nv;
  nsds_arguments in = {.t = at->t,
                       .q = Q,
                       .v = second ? V + nx : V,
                       .z = Z,
                       .nq = second ? relation->nq : 0,
                       .nv = second ? ia->nv - nx : 0,
                       .nz = ia->nZ,
                       .nlambda = ia->m,
                       .x = V,
                       .nx = nx};
  for (int k = 0; k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    const double *q = at->q + ds->q_offset, *v = at->v + ds->v_offset;
    for (int j = 0; j < ds->nq; ++j) *Q++ = q[j];
    for (int j = 0; j < ds->nv; ++j) *V++ = v[j];
    for (int j = 0; j < ds->parameters.n; ++j) *Z++ = ds->parameters.z[j];
  }
  for (int j = 0; j < relation->nz; ++j) *Z++ = relation->z[j];
  for (int j = 0; j < ia->nz; ++j) *Z++ = ia->z[j];
  if (ia->nZ == 0) *Z++ = NAN; /* for functions that read an absent z */
  in.lambda = Z;
  for (int j = 0; j < ia->m; ++j) Z[j] = lambda ? scale * lambda[ia->y_offset + j] : 0.0;
  return in;
}

nsds_status nsds_through_map(const nsds_ds *ds, int m, const nsds_arguments *in, const double *Jq,
                             double *H, double *T) {
  nsds_status status = ds->ops->velocity_map(ds->self, in, T);
  for (int j = 0; !status && j < ds->nv; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0.0;
      for (int k = 0; k < ds->nq; ++k) sum += Jq[i + k * m] * T[k + j * ds->nq];
      H[i + j * m] = sum;
    }
  return status;
}

static bool maps_velocities(const nsds_interaction *ia) {
  for (int k = 0; k < ia->nds; ++k)
    if (ia->ds[k]->ops->velocity_map) return true;
  return false;
}

nsds_status nsds_gradient(const nsds_interaction *ia, const nsds_arguments *in, double *H,
                          double *work) {
  const nsds_relation *relation = ia->relation;
  if (relation->ops->gradient_v) return relation->ops->gradient_v(relation->self, in, H);
  if (!maps_velocities(ia)) return relation->ops->jacobian_q(relation->self, in, H);
  nsds_status status = relation->ops->jacobian_q(relation->self, in, work);
  const double *Jq = work, *q = in->q, *v = in->v;
  for (int k = 0; !status && k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    if (ds->ops->velocity_map) {
      nsds_arguments own = nsds_ds_in(ds, in->t, q, v);
      status =
          nsds_through_map(ds, ia->m, &own, Jq, H, work + (size_t)ia->m * (size_t)relation->nq);
    } else {
      memcpy(H, Jq, (size_t)ia->m * (size_t)ds->nv * sizeof *H);
    }
    Jq += (size_t)ia->m * (size_t)ds->nq;
    H += (size_t)ia->m * (size_t)ds->nv;
    q += ds->nq;
    v += ds->nv;
  }
  return status;
}

/* Adds D P to dy/dt if D belongs to dy/dt. */
static nsds_status add_feedthrough(const nsds_interaction *ia, const nsds_arguments *in,
                                   const double *impulse, double *ydot, double *D) {
  const nsds_relation *relation = ia->relation;
  if (!relation->ops->feedthrough) return NSDS_OK;
  nsds_status status = relation->ops->feedthrough(relation->self, in, D);
  for (int j = 0; !status && j < ia->m; ++j)
    for (int i = 0; i < ia->m; ++i) ydot[i] += D[i + j * ia->m] * impulse[ia->y_offset + j];
  return status;
}

nsds_status nsds_local_output(const nsds_interaction *ia, const nsds_state *at, double *y,
                              double *ydot, double *work) {
  const nsds_relation *relation = ia->relation;
  int m = ia->m;
  nsds_arguments in = nsds_gather(ia, at, relation->impulsive ? at->impulse : at->force, 1.0, work);
  nsds_status status = nsds_relation_output(ia, at, &in, y);
  for (int i = 0; i < m; ++i) ydot[i] = 0.0;
  if (status || nsds_acts_on_states(relation->kind)) return status;
  double *H = work + relation->nq + ia->nv + ia->nZ + 1 + m;
  status = nsds_gradient(ia, &in, H, H + (size_t)m * (size_t)ia->nv);
  if (!status && relation->ops->jacobian_t)
    status = relation->ops->jacobian_t(relation->self, &in, ydot);
  for (int j = 0; !status && j < ia->nv; ++j)
    for (int i = 0; i < m; ++i) ydot[i] += H[i + j * m] * in.v[j];
  if (!status) status = add_feedthrough(ia, &in, at->impulse, ydot, H);
  return status;
}

nsds_status nsds_local_show(nsds_interaction *ia, double *work) {
  nsds_model *model = ia->model;
  double *y = work, *ydot = y + ia->m; /* the model keeps its own if a function fails */
  char label[nsds_label_size];
  nsds_status status = nsds_local_output(ia, &model->state, y, ydot, ydot + ia->m);
  if (status) return status;
  bool of_y = nsds_first_nonfinite(y, ia->m) >= 0;
  if (NSDS_UNLIKELY(of_y || nsds_first_nonfinite(ydot, ia->m) >= 0)) {
    nsds_interaction_label(ia, label);
    return nsds_fail(model->context, NSDS_ERROR_VALUE,
                     "%s: %s is not finite at t = %.17g (overflow); entries must be finite", label,
                     of_y ? "y" : "dy/dt", model->state.t);
  }
  nsds_copy_doubles(model->state.y + ia->y_offset, y, (size_t)ia->m);
  nsds_copy_doubles(model->state.ydot + ia->y_offset, ydot, (size_t)ia->m);
  ia->shown = model->now.change;
  return NSDS_OK;
}

/* ---- the second derivative ------------------------------------------------------------------- */

size_t nsds_bias_work(const nsds_interaction *ia) {
  size_t nv = 0;
  for (int k = 0; k < ia->nds; ++k) nv = (size_t)ia->ds[k]->nv > nv ? (size_t)ia->ds[k]->nv : nv;
  return nsds_local_work(ia) + (size_t)ia->relation->nq + 2 * (size_t)ia->m + nv;
}

/* Moves time and coordinates of the interaction's systems by `step` at constant velocities. `start`
 * has the coordinates before. */
static nsds_status coast(const nsds_interaction *ia, nsds_state *at, double t, double step,
                         const double *start, double *way) {
  at->t = t + step;
  for (int k = 0; k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    if (nsds_is_first_order(ds)) continue;
    double *q = at->q + ds->q_offset;
    const double *v = at->v + ds->v_offset;
    for (int j = 0; j < ds->nv; ++j) way[j] = step * v[j];
    nsds_status status = nsds_ds_move(ds, t, start, v, way, q);
    if (status) return status;
    start += ds->nq;
  }
  return NSDS_OK;
}

static void keep_coordinates(const nsds_interaction *ia, const nsds_state *at, double *to) {
  for (int k = 0; k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    for (int j = 0; j < ds->nq; ++j) *to++ = at->q[ds->q_offset + j];
  }
}

/* Computes the fourth-order difference of dy/dt (first order: y) along the motion. */
nsds_status nsds_bias_difference(const nsds_interaction *ia, nsds_state *at, double step, int side,
                                 double *bias, double *work) {
  static const double shift[2][5] = {{1.0, -1.0, 2.0, -2.0}, {0.0, 1.0, 2.0, 3.0, 4.0}};
  static const double weight[2][5] = {{8.0, -8.0, -1.0, 1.0}, {-25.0, 48.0, -36.0, 16.0, -3.0}};
  const int one_sided = side != 0, count = one_sided ? 5 : 4;
  if (side < 0) step = -step;
  double *start = work + nsds_local_work(ia), *y = start + ia->relation->nq, *ydot = y + ia->m;
  double *way = ydot + ia->m, t = at->t;
  const double *value = nsds_has_gap(ia->relation->kind) ? ydot : y;
  nsds_status status = NSDS_OK;
  keep_coordinates(ia, at, start);
  for (int i = 0; i < ia->m; ++i) bias[i] = 0.0;
  for (int s = 0; !status && s < count; ++s) {
    status = coast(ia, at, t, shift[one_sided][s] * step, start, way);
    if (!status) status = nsds_local_output(ia, at, y, ydot, work);
    for (int i = 0; !status && i < ia->m; ++i)
      bias[i] += weight[one_sided][s] * value[i] / (12.0 * step);
  }
  at->t = t;
  for (int k = 0; k < ia->nds; ++k) {
    if (nsds_is_first_order(ia->ds[k])) continue;
    memcpy(at->q + ia->ds[k]->q_offset, start, (size_t)ia->ds[k]->nq * sizeof *start);
    start += ia->ds[k]->nq;
  }
  return status;
}

nsds_status nsds_bias(const nsds_interaction *ia, nsds_state *at, double step, int side,
                      double *bias, double *work) {
  const nsds_relation *relation = ia->relation;
  for (int i = 0; i < ia->m; ++i) bias[i] = 0.0;
  if (relation->affine && relation->kind == NSDS_RELATION_FIRST_ORDER) return NSDS_OK;
  if (!relation->ops->bias) return nsds_bias_difference(ia, at, step, side, bias, work);
  nsds_arguments in = nsds_gather(ia, at, at->force, 1.0, work);
  return relation->ops->bias(relation->self, &in, bias);
}
