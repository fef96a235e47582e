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

size_t nsds_shape_count(const nsds_shape *shape, int n) {
  return shape->p ? (size_t)shape->p[n] : (size_t)n * (size_t)n;
}

void nsds_shape_multiply(const nsds_shape *shape, int n, const double *values, double alpha,
                         const double *x, double *a) {
  if (!values) return;
  for (int j = 0; j < n; ++j) {
    double s = alpha * x[j];
    if (shape->p)
      for (int k = shape->p[j]; k < shape->p[j + 1]; ++k) a[shape->i[k]] += s * values[k];
    else
      for (int i = 0; i < n; ++i) a[i] += s * values[i + (size_t)j * (size_t)n];
  }
}

static void add_to_w(const nsds_slot *slot, const nsds_shape *shape, const double *values,
                     double alpha, const int **to_w) {
  size_t count = values ? nsds_shape_count(shape, slot->nv) : 0;
  for (size_t k = 0; k < count; ++k) slot->W[slot->p ? (size_t)*(*to_w)++ : k] += alpha * values[k];
}

/* Rows and columns of prescribed degrees of freedom become those of the identity. */
static void mask_prescribed(const nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv, count = slot->p ? slot->p[n] : n;
  for (int s = 0; s < ds->nprescribed; ++s) {
    int d = ds->prescribed[s];
    if (slot->p) {
      for (int j = 0; j < n; ++j)
        for (int k = slot->p[j]; k < slot->p[j + 1]; ++k)
          if (slot->i[k] == d || j == d) slot->W[k] = slot->i[k] == j ? 1.0 : 0.0;
    } else {
      for (int k = 0; k < count; ++k) slot->W[d + k * n] = slot->W[k + d * n] = 0.0;
      slot->W[d + d * n] = 1.0;
    }
  }
}

static nsds_status factor_w(nsds_simulation *sim, nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  double c = sim->h_now * sim->def.theta;
  size_t count = slot->p ? (size_t)slot->p[slot->nv] : (size_t)slot->nv * (size_t)slot->nv;
  for (size_t k = 0; k < count; ++k) slot->W[k] = 0.0;
  const int *to_w = slot->to_w;
  add_to_w(slot, &ds->mass, slot->M, 1.0, &to_w);
  add_to_w(slot, &ds->damping, slot->C, c, &to_w);
  add_to_w(slot, &ds->stiffness, slot->K, c * c, &to_w);
  mask_prescribed(slot);
  nsds_status status = NSDS_OK;
  double rcond = 0.0;
  if (!slot->factor) {
    slot->w = slot->W[0];
    if (slot->w == 0.0 || !isfinite(slot->w)) status = NSDS_ERROR_SINGULAR;
  } else {
    status = slot->p ? nsds_factor_csc(slot->factor, slot->nv, slot->p, slot->i, slot->W, 1)
                     : nsds_factor_dense(slot->factor, slot->nv, slot->W);
    rcond = nsds_factor_rcond(slot->factor);
  }
  if (status == NSDS_ERROR_SINGULAR) {
    char label[nsds_label_size];
    return nsds_fail(sim->context, status,
                     "%s: W = M + h theta C + h^2 theta^2 K is singular at t = %.17g, h = %g "
                     "(reciprocal condition %g)",
                     nsds_ds_label(ds, label), sim->t, sim->h_now, rcond);
  }
  return status;
}

static inline void solve_w(const nsds_slot *slot, int nrhs, double *b) {
  if (!slot->factor)
    for (int k = 0; k < nrhs; ++k) b[k] /= slot->w;
  else
    nsds_factor_solve(slot->factor, nrhs, b);
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

/* Constant operators, and the force at t_i. Called when topology, parameters or h changed. */
nsds_status nsds_mj_refresh(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  const nsds_model *model = sim->model;
  nsds_in in = nsds_ds_in(ds, sim->t, model->q + slot->v0, model->v + slot->v0);
  nsds_status status = NSDS_OK;
  if (ds->mass.constant) status = ds->ops->mass(ds->self, &in, slot->M);
  if (!status) status = tangents(slot, &in, true);
  if (!status) status = ds->ops->force(ds->self, &in, slot->force);
  if (!status && slot->fixed_w) status = factor_w(sim, slot);
  if (!status && slot->drift) {
    for (int k = 0; k < slot->nv; ++k) slot->increment[k] = sim->h_now * slot->force[k];
    solve_w(slot, 1, slot->increment);
  }
  return status;
}

/* Moves the prescribed part of the right-hand side: v_p is known, so W_fp (V - v_p) goes to the
 * right. `increment` holds the right-hand side of W dv = increment on entry. */
static nsds_status solve_increment(nsds_simulation *sim, nsds_slot *slot, const double *v,
                                   double *increment) {
  nsds_ds *ds = slot->ds;
  if (ds->nprescribed == 0) {
    solve_w(slot, 1, increment);
    return NSDS_OK;
  }
  nsds_in in = nsds_ds_in(ds, sim->t_next, sim->model->q + slot->v0, v);
  double *jump = slot->scratch, c = sim->h_now * sim->def.theta;
  nsds_status status = ds->ops->prescribed(ds->self, &in, sim->plan.gather);
  if (status) return status;
  for (int k = 0; k < slot->nv; ++k) jump[k] = 0.0;
  for (int s = 0; s < ds->nprescribed; ++s)
    jump[ds->prescribed[s]] = sim->plan.gather[s] - v[ds->prescribed[s]];
  nsds_shape_multiply(&ds->mass, slot->nv, slot->M, -1.0, jump, increment);
  nsds_shape_multiply(&ds->damping, slot->nv, slot->C, -c, jump, increment);
  nsds_shape_multiply(&ds->stiffness, slot->nv, slot->K, -c * c, jump, increment);
  for (int s = 0; s < ds->nprescribed; ++s) {
    int d = ds->prescribed[s];
    increment[d] = jump[d];
  }
  solve_w(slot, 1, increment);
  return NSDS_OK;
}

nsds_status nsds_mj_free_affine(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  const double *v = sim->model->v + slot->v0, *q = sim->model->q + slot->v0;
  double *out = sim->plan.v_free + slot->v0;
  int n = slot->nv;
  if (slot->drift) {
    for (int k = 0; k < n; ++k) out[k] = v[k] + slot->increment[k];
    return NSDS_OK;
  }
  double h = sim->h_now, theta = sim->def.theta;
  if (!ds->force_constant) {
    nsds_in in = nsds_ds_in(ds, sim->t_next, q, v);
    nsds_status status = ds->ops->force(ds->self, &in, slot->force_end);
    if (status) return status;
  } else {
    memcpy(slot->force_end, slot->force, (size_t)n * sizeof *out);
  }
  for (int k = 0; k < n; ++k)
    out[k] = h * theta * slot->force_end[k] + h * (1.0 - theta) * slot->force[k];
  nsds_shape_multiply(&ds->damping, n, slot->C, -h, v, out);
  nsds_shape_multiply(&ds->stiffness, n, slot->K, -h * h * theta, v, out);
  nsds_shape_multiply(&ds->stiffness, n, slot->K, -h, q, out);
  nsds_status status = solve_increment(sim, slot, v, out);
  for (int k = 0; k < n; ++k) out[k] += v[k];
  return status;
}

/* M(q*), F and R_free at the iterate (plan.q, plan.v). */
nsds_status nsds_mj_evaluate(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  int n = slot->nv;
  double h = sim->h_now, theta = sim->def.theta, gamma = sim->def.gamma;
  const double *vi = sim->model->v + slot->v0, *qi = sim->model->q + slot->v0;
  const double *v = sim->plan.v + slot->v0, *q = sim->plan.q + slot->v0;
  nsds_status status = NSDS_OK;
  if (!ds->mass.constant) {
    for (int k = 0; k < n; ++k)
      slot->scratch[k] =
          qi[k] + h * gamma * (sim->def.predict_once ? vi[k]
                                                     : (1.0 - theta) * vi[k] + theta * v[k]);
    nsds_in at = nsds_ds_in(ds, sim->t_next, slot->scratch, v);
    status = ds->ops->mass(ds->self, &at, slot->M);
  }
  nsds_in in = nsds_ds_in(ds, sim->t_next, q, v);
  if (!status) status = ds->ops->force(ds->self, &in, slot->force_end);
  if (status) return status;
  for (int k = 0; k < n; ++k) slot->scratch[k] = v[k] - vi[k];
  for (int k = 0; k < n; ++k)
    slot->residual[k] =
        -h * theta * slot->force_end[k] - h * (1.0 - theta) * slot->force[k];
  nsds_shape_multiply(&ds->mass, n, slot->M, 1.0, slot->scratch, slot->residual);
  return NSDS_OK;
}

nsds_status nsds_mj_free_newton(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  const double *v = sim->plan.v + slot->v0, *q = sim->plan.q + slot->v0;
  double *out = sim->plan.v_free + slot->v0;
  nsds_in in = nsds_ds_in(ds, sim->t_next, q, v);
  nsds_status status = tangents(slot, &in, false);
  if (!status && !slot->fixed_w) status = factor_w(sim, slot);
  if (status) return status;
  for (int k = 0; k < slot->nv; ++k) out[k] = -slot->residual[k];
  status = solve_increment(sim, slot, v, out);
  for (int k = 0; k < slot->nv; ++k) out[k] += v[k];
  return status;
}

/* Y = W^-1 H^T with prescribed rows zero. H is m x nv, Y nv x m, both column-major. */
void nsds_mj_edge(const nsds_slot *slot, int m, const double *H, double *Y) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < n; ++k) Y[k + (size_t)j * (size_t)n] = H[j + (size_t)k * (size_t)m];
  for (int s = 0; s < ds->nprescribed; ++s)
    for (int j = 0; j < m; ++j) Y[ds->prescribed[s] + (size_t)j * (size_t)n] = 0.0;
  solve_w(slot, m, Y);
}

/* What prescribed velocities cost: M (v_{i+1} - v_i) - h theta F_{i+1} - h (1-theta) F_i - p. */
void nsds_mj_reaction(const nsds_simulation *sim, const nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv;
  double h = sim->h_now, theta = sim->def.theta;
  const double *vi = sim->model->v + slot->v0, *qi = sim->model->q + slot->v0;
  const double *v = sim->plan.v + slot->v0, *q = sim->plan.q + slot->v0;
  double *out = sim->plan.reaction + slot->v0, *mean = slot->scratch;
  if (slot->affine) {
    const double *end = slot->drift ? slot->force : slot->force_end;
    for (int k = 0; k < n; ++k)
      out[k] = -h * theta * end[k] - h * (1.0 - theta) * slot->force[k] - sim->plan.p[slot->v0 + k];
    for (int k = 0; k < n; ++k) mean[k] = v[k] - vi[k];
    nsds_shape_multiply(&ds->mass, n, slot->M, 1.0, mean, out);
    for (int k = 0; k < n; ++k) mean[k] = theta * v[k] + (1.0 - theta) * vi[k];
    nsds_shape_multiply(&ds->damping, n, slot->C, h, mean, out);
    for (int k = 0; k < n; ++k) mean[k] = theta * q[k] + (1.0 - theta) * qi[k];
    nsds_shape_multiply(&ds->stiffness, n, slot->K, h, mean, out);
  } else {
    for (int k = 0; k < n; ++k) out[k] = slot->residual[k] - sim->plan.p[slot->v0 + k];
  }
  for (int k = 0, s = 0; k < n; ++k)
    if (s < ds->nprescribed && ds->prescribed[s] == k)
      ++s;
    else
      out[k] = 0.0;
}
