/*
 * Moreau-Jean theta-scheme for one second-order system over [t_i, t_{i+1}], h = t_{i+1} - t_i:
 *
 *   R(v) = M(q*)(v - v_i) - h theta F(t_{i+1},q,v) - h (1-theta) F_i - p,
 *   q = q_i + h theta v + h (1-theta) v_i,   q* = q_i + h gamma [(1-theta) v_i + theta v]
 *   W = M(q*) + h theta C + h^2 theta^2 K
 *   Newton:  v_free = v^k - W^-1 R_free(v^k)
 *   affine:  v_free = v_i + W^-1 [-(h C + h^2 theta K) v_i - h K q_i + h theta F_{i+1}
 *                                 + h (1-theta) F_i]
 *
 * Prescribed degrees of freedom take v_free = V(t_{i+1}) and drop out of W; the others see them
 * through M, C and K.
 * Source: Jean (1999); Acary and Brogliato (2008), sec. 10.1.
 */
#include "simulation.h"

static void form_w(const nsds_simulation *sim, nsds_slot *slot) {
  double c = sim->h_now * sim->def.theta;
  nsds_slot_form_w(slot, c, c * c);
}

static nsds_status tangents(nsds_slot *slot, const nsds_in *in, bool constant_ones) {
  nsds_ds *ds = slot->ds;
  nsds_status status = NSDS_OK;
  if (slot->C && ds->damping.constant == constant_ones)
    status = ds->ops->damping(ds->self, in, slot->C);
  if (!status && slot->K && ds->stiffness.constant == constant_ones)
    status = ds->ops->stiffness(ds->self, in, slot->K);
  return status;
}

static nsds_status refresh(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  const nsds_model *model = sim->model;
  nsds_in in = nsds_ds_in(ds, sim->t, model->q + slot->q0, model->v + slot->v0);
  nsds_status status = NSDS_OK;
  if (ds->mass.constant) status = ds->ops->mass(ds->self, &in, slot->M);
  if (!status) status = tangents(slot, &in, true);
  if (!status) status = ds->ops->force(ds->self, &in, slot->force);
  if (!status && slot->fixed_w) {
    form_w(sim, slot);
    status = nsds_slot_factor_w(sim, slot);
  }
  if (!status && slot->drift) {
    for (int k = 0; k < slot->nv; ++k) slot->increment[k] = sim->h_now * slot->force[k];
    nsds_slot_solve_w(slot, 1, slot->increment);
  }
  return status;
}

/* The jumps V(t_{i+1}) - v are known, so W times them goes to the right. */
static nsds_status move_prescribed(nsds_simulation *sim, nsds_slot *slot, const double *v,
                                   double *rhs) {
  nsds_ds *ds = slot->ds;
  if (ds->nprescribed == 0) return NSDS_OK;
  nsds_in in = nsds_ds_in(ds, sim->t_next, sim->model->q + slot->q0, v);
  double *jump = slot->scratch, c = sim->h_now * sim->def.theta;
  nsds_status status = ds->ops->prescribed(ds->self, &in, sim->plan.gather);
  if (status) return status;
  for (int k = 0; k < slot->nv; ++k) jump[k] = 0.0;
  for (int s = 0; s < ds->nprescribed; ++s)
    jump[ds->prescribed[s]] = sim->plan.gather[s] - v[ds->prescribed[s]];
  nsds_shape_multiply(&ds->mass, slot->nv, slot->M, -1.0, jump, rhs);
  nsds_shape_multiply(&ds->damping, slot->nv, slot->C, -c, jump, rhs);
  nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, -c * c, jump, rhs);
  for (int s = 0; s < ds->nprescribed; ++s) rhs[ds->prescribed[s]] = jump[ds->prescribed[s]];
  return NSDS_OK;
}

static nsds_status free_affine(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  const double *v = sim->model->v + slot->v0, *q = sim->model->q + slot->q0;
  double *out = sim->plan.v_free + slot->v0;
  int n = slot->nv;
  if (slot->drift) {
    for (int k = 0; k < n; ++k) out[k] = v[k] + slot->increment[k];
    return NSDS_OK;
  }
  double h = sim->h_now, theta = sim->def.theta;
  const double *end = slot->force;
  if (!ds->force_constant) {
    nsds_in in = nsds_ds_in(ds, sim->t_next, q, v);
    nsds_status status = ds->ops->force(ds->self, &in, slot->force_end);
    if (status) return status;
    end = slot->force_end;
  }
  if (n == 1 && !slot->factor && ds->nprescribed == 0) {
    double rhs = h * theta * *end + h * (1.0 - theta) * *slot->force;
    if (slot->C) rhs -= h * *slot->C * *v;
    if (slot->K) rhs -= h * *slot->K * (*q + h * theta * *v);
    *out = rhs / slot->w + *v;
    return NSDS_OK;
  }
  for (int k = 0; k < n; ++k) out[k] = h * theta * end[k] + h * (1.0 - theta) * slot->force[k];
  nsds_shape_multiply(&ds->damping, n, slot->C, -h, v, out);
  for (int k = 0; slot->K && k < n; ++k) slot->scratch[k] = q[k] + h * theta * v[k];
  nsds_shape_multiply(&ds->stiffness, n, slot->K, -h, slot->scratch, out);
  nsds_status status = move_prescribed(sim, slot, v, out);
  if (status) return status;
  nsds_slot_solve_w(slot, 1, out);
  for (int k = 0; k < n; ++k) out[k] += v[k];
  return NSDS_OK;
}

/* M(q*), F and R_free at the iterate (plan.q, plan.v). */
static nsds_status evaluate(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  int n = slot->nv;
  double h = sim->h_now, theta = sim->def.theta, gamma = sim->def.gamma;
  const double *vi = sim->model->v + slot->v0, *qi = sim->model->q + slot->q0;
  const double *v = sim->plan.v + slot->v0, *q = sim->plan.q + slot->q0;
  nsds_status status = NSDS_OK;
  if (!ds->mass.constant) {
    for (int k = 0; k < n; ++k) {
      double mean = sim->def.predict_once ? vi[k] : (1.0 - theta) * vi[k] + theta * v[k];
      slot->scratch[k] = qi[k] + h * gamma * mean;
    }
    nsds_in at = nsds_ds_in(ds, sim->t_next, slot->scratch, v);
    status = ds->ops->mass(ds->self, &at, slot->M);
  }
  nsds_in in = nsds_ds_in(ds, sim->t_next, q, v);
  if (!status) status = ds->ops->force(ds->self, &in, slot->force_end);
  if (status) return status;
  for (int k = 0; k < n; ++k) slot->scratch[k] = v[k] - vi[k];
  for (int k = 0; k < n; ++k)
    slot->residual[k] = -h * theta * slot->force_end[k] - h * (1.0 - theta) * slot->force[k];
  nsds_shape_multiply(&ds->mass, n, slot->M, 1.0, slot->scratch, slot->residual);
  return NSDS_OK;
}

static nsds_status tangent(nsds_simulation *sim, nsds_slot *slot) {
  nsds_in in =
      nsds_ds_in(slot->ds, sim->t_next, sim->plan.q + slot->q0, sim->plan.v + slot->v0);
  nsds_status status = tangents(slot, &in, false);
  if (!status && !slot->fixed_w) form_w(sim, slot);
  return status;
}

static nsds_status prescribe(nsds_simulation *sim, nsds_slot *slot) {
  return move_prescribed(sim, slot, sim->plan.v + slot->v0, sim->plan.v_free + slot->v0);
}

static void apply(const nsds_slot *slot, int nrhs, double *b) {
  const nsds_ds *ds = slot->ds;
  for (int s = 0; s < ds->nprescribed; ++s)
    for (int j = 0; j < nrhs; ++j) b[ds->prescribed[s] + (size_t)j * (size_t)slot->nv] = 0.0;
  nsds_slot_solve_w(slot, nrhs, b);
}

static void advance(nsds_simulation *sim, const nsds_slot *slot) {
  double a = sim->h_now * sim->def.theta, b = sim->h_now * (1.0 - sim->def.theta);
  const double *vi = sim->model->v + slot->v0, *qi = sim->model->q + slot->q0;
  const double *v = sim->plan.v + slot->v0;
  double *q = sim->plan.q + slot->q0;
  for (int k = 0; k < slot->nv; ++k) q[k] = qi[k] + a * v[k] + b * vi[k];
}

/* What prescribed velocities cost: M (v_{i+1} - v_i) - h theta F_{i+1} - h (1-theta) F_i - p. */
static nsds_status finish(nsds_simulation *sim, nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  if (ds->nprescribed == 0) return NSDS_OK;
  int n = slot->nv;
  double h = sim->h_now, theta = sim->def.theta;
  const double *vi = sim->model->v + slot->v0, *qi = sim->model->q + slot->q0;
  const double *v = sim->plan.v + slot->v0, *q = sim->plan.q + slot->q0;
  const double *p = sim->plan.p + slot->v0;
  double *out = sim->plan.reaction + slot->v0, *mean = slot->scratch;
  if (slot->affine) {
    const double *end = ds->force_constant ? slot->force : slot->force_end;
    for (int k = 0; k < n; ++k)
      out[k] = -h * theta * end[k] - h * (1.0 - theta) * slot->force[k] - p[k];
    for (int k = 0; k < n; ++k) mean[k] = v[k] - vi[k];
    nsds_shape_multiply(&ds->mass, n, slot->M, 1.0, mean, out);
    for (int k = 0; k < n; ++k) mean[k] = theta * v[k] + (1.0 - theta) * vi[k];
    nsds_shape_multiply(&ds->damping, n, slot->C, h, mean, out);
    for (int k = 0; k < n; ++k) mean[k] = theta * q[k] + (1.0 - theta) * qi[k];
    nsds_shape_multiply(&ds->stiffness, n, slot->K, h, mean, out);
  } else {
    for (int k = 0; k < n; ++k) out[k] = slot->residual[k] - p[k];
  }
  for (int k = 0, s = 0; k < n; ++k)
    if (s < ds->nprescribed && ds->prescribed[s] == k)
      ++s;
    else
      out[k] = 0.0;
  return NSDS_OK;
}

const nsds_integrator nsds_moreau_jean = {.name = "Moreau-Jean",
                                          .refresh = refresh,
                                          .free_affine = free_affine,
                                          .evaluate = evaluate,
                                          .tangent = tangent,
                                          .prescribe = prescribe,
                                          .apply = apply,
                                          .advance = advance,
                                          .finish = finish};
