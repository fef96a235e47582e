/*
 * Relations along the plan. On a rigid relation the local velocity of the step is
 *   dy/dt = H(Q*) V + dh/dt(Q*, t_{i+1}) + D P,
 * on a compliant one with a law of restitution D = h_l / dt^2 and the shift carries -h_l P_i / dt^2
 * (lambda = P / dt is the force, dt the step), and with any other law the gap at the end of the step
 * itself is linearised and divided by theta dt, so that the matrix stays symmetric:
 *   y_{i+1} / (theta dt) = H V + [y^k / (theta dt) - H V^k - h_l P^k / (theta dt^2)]
 *                          + h_l / (theta dt^2) P
 */
#include "simulation.h"

/* Q (coordinates), V, Z and lambda = impulse / h of an interaction, concatenated. */
static nsds_in gather(const nsds_simulation *sim, const nsds_contact *contact, double t,
                      const double *q, const double *v, const double *impulse, double h) {
  const nsds_interaction *ia = contact->interaction;
  int nq = ia->relation->nq;
  double *Q = sim->plan.gather, *V = Q + nq, *Z = V + nq;
  nsds_in in = {.t = t, .q = Q, .v = V, .z = Z, .nq = nq, .nv = nq, .nz = ia->nz,
                .nlambda = ia->m};
  for (int k = 0; k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    for (int j = 0; j < ds->nv; ++j) *Q++ = q[ds->q_offset + j];
    for (int j = 0; j < ds->nv; ++j) *V++ = v[ds->v_offset + j];
    for (int j = 0; j < ds->nz; ++j) *Z++ = ds->z[j];
  }
  for (int j = 0; j < ia->relation->nz_own; ++j) *Z++ = ia->relation->z[j];
  if (ia->nz == 0) *Z++ = NAN; /* what a function reading an absent z meets */
  in.lambda = Z;
  for (int j = 0; j < ia->m; ++j) Z[j] = impulse[contact->y0 + j] / h;
  return in;
}

/* a += alpha H v over the edges of a contact, from velocities (or coordinates) of all systems. */
static void add_h(const nsds_simulation *sim, const nsds_contact *contact, double alpha,
                  const double *v, double *a) {
  const nsds_edge *edge = sim->plan.edge + contact->first_edge;
  for (int e = 0; e < contact->interaction->nds; ++e, ++edge) {
    const double *H = edge->H;
    for (int k = 0; k < edge->size; ++k) {
      double s = alpha * v[edge->column + k];
      for (int i = 0; i < contact->m; ++i) a[i] += *H++ * s;
    }
  }
}

static nsds_status linearise_compliance(nsds_simulation *sim, nsds_contact *contact) {
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_plan *plan = &sim->plan;
  int m = contact->m;
  double h = sim->h_now, scale = 1.0 / (h * h), position = 1.0 / (sim->def.theta * h);
  const double *impulse =
      (contact->compliant ? plan->impulse : sim->model->impulse) + contact->y0;
  nsds_in in = gather(sim, contact, sim->t_next, plan->q, plan->v, plan->impulse, h);
  nsds_status status = relation->ops->jacobian_lambda(relation->self, &in, contact->D);
  if (contact->compliant) {
    scale /= sim->def.theta;
    if (!status) status = relation->ops->output(relation->self, &in, contact->offset);
    for (int i = 0; i < m; ++i) contact->offset[i] *= position;
    add_h(sim, contact, -1.0, plan->v, contact->offset);
  } else {
    for (int i = 0; i < m; ++i) contact->offset[i] = contact->shift[i];
  }
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) {
      contact->D[i + j * m] *= scale;
      contact->offset[i] -= contact->D[i + j * m] * impulse[j];
    }
  return status;
}

/* H, dh/dt and the compliance of a relation that is not affine, at the Newton iterate. */
nsds_status nsds_contact_linearise(nsds_simulation *sim, nsds_contact *contact) {
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_time_stepping_def *def = &sim->def;
  const nsds_model *model = sim->model;
  const nsds_plan *plan = &sim->plan;
  double h = sim->h_now;
  nsds_in in = gather(sim, contact, sim->t_next, plan->q, plan->v, plan->impulse, h);
  double *Q = sim->plan.gather;
  for (int k = 0; k < contact->interaction->nds; ++k) {
    const nsds_ds *ds = contact->interaction->ds[k];
    for (int j = 0; j < ds->nv; ++j) {
      double vi = model->v[ds->v_offset + j], vk = plan->v[ds->v_offset + j];
      double mean = def->predict_once ? vi : (1.0 - def->theta) * vi + def->theta * vk;
      *Q++ = model->q[ds->q_offset + j] + h * def->gamma * mean;
    }
  }
  nsds_status status = relation->ops->jacobian_q(relation->self, &in, contact->H);
  for (int i = 0; i < contact->m; ++i) contact->shift[i] = 0.0;
  if (!status && relation->ops->jacobian_t)
    status = relation->ops->jacobian_t(relation->self, &in, contact->shift);
  if (!status && relation->ops->jacobian_lambda) status = linearise_compliance(sim, contact);
  return status;
}

/* y and dy/dt at a state; overwrites H of a relation that is not affine with that of this state. */
nsds_status nsds_contact_output(nsds_simulation *sim, nsds_contact *contact, double t,
                                const double *q, const double *v, const double *impulse, double h,
                                double *y, double *ydot) {
  const nsds_relation *relation = contact->interaction->relation;
  int m = contact->m;
  y += contact->y0;
  ydot += contact->y0;
  for (int i = 0; i < m; ++i) ydot[i] = 0.0;
  if (contact->affine) {
    for (int i = 0; i < m; ++i) y[i] = contact->shift[i];
    add_h(sim, contact, 1.0, q, y);
  } else {
    nsds_in in = gather(sim, contact, t, q, v, impulse, h);
    nsds_status status = relation->ops->output(relation->self, &in, y);
    if (!status) status = relation->ops->jacobian_q(relation->self, &in, contact->H);
    if (!status && relation->ops->jacobian_t)
      status = relation->ops->jacobian_t(relation->self, &in, ydot);
    if (status) return status;
  }
  for (int j = 0; relation->ops->feedthrough && j < m; ++j)
    for (int i = 0; i < m; ++i) ydot[i] += contact->D[i + j * m] * impulse[contact->y0 + j];
  add_h(sim, contact, 1.0, v, ydot);
  return NSDS_OK;
}
