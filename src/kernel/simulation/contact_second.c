/*
 * Interactions between second-order systems. On a rigid relation the local velocity of the step is
 *   dy/dt = H(Q*) V + dh/dt(Q*, t_{i+1}) + D P,
 * on a compliant one with a law of restitution D = h_l / dt^2 and the offset carries
 * -h_l lambda_i / dt (lambda = P / dt is the force, dt the step), and with any other law the gap at the end of the step
 * itself is linearised and divided by theta dt, so that the matrix stays symmetric:
 *   y_{i+1} / (theta dt) = H V + [y^k / (theta dt) - H V^k - h_l P^k / (theta dt^2)]
 *                          + h_l / (theta dt^2) P
 */
#include "simulation.h"

nsds_in nsds_contact_gather(const nsds_simulation *sim, const nsds_contact *contact, double t,
                            const double *q, const double *v, const double *lambda, double scale) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation *relation = ia->relation;
  bool second = relation->order == 2;
  int n = relation->nq;
  double *Q = sim->plan.gather, *V = Q + n, *Z = V + n;
  nsds_in in = {.t = t, .q = Q, .v = V, .z = Z, .nq = second ? n : 0, .nv = second ? n : 0,
                .nz = ia->nz, .nlambda = ia->m, .x = V, .nx = second ? 0 : n};
  for (int k = 0; k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    for (int j = 0; j < ds->nq; ++j) *Q++ = q[ds->q_offset + j];
    for (int j = 0; j < ds->nv; ++j) *V++ = v[ds->v_offset + j];
    for (int j = 0; j < ds->nz; ++j) *Z++ = ds->z[j];
  }
  for (int j = 0; j < relation->nz_own; ++j) *Z++ = relation->z[j];
  if (ia->nz == 0) *Z++ = NAN; /* what a function reading an absent z meets */
  in.lambda = Z;
  for (int j = 0; j < ia->m; ++j) Z[j] = scale * lambda[contact->y0 + j];
  return in;
}

/* a += alpha H v, from the unknowns of all systems. */
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
  nsds_in in = nsds_contact_gather(sim, contact, sim->t_next, plan->q, plan->v, plan->impulse,
                                   1.0 / h);
  nsds_status status = relation->ops->jacobian_lambda(relation->self, &in, contact->D);
  if (contact->level0) {
    scale /= sim->def.theta;
    if (!status) status = relation->ops->output(relation->self, &in, contact->offset);
    for (int i = 0; i < m; ++i) contact->offset[i] *= position;
    add_h(sim, contact, -1.0, plan->v, contact->offset);
  } else {
    for (int i = 0; i < m; ++i) contact->offset[i] = contact->shift[i];
  }
  for (int j = 0; j < m; ++j) {
    double known = contact->level0 ? scale * plan->impulse[contact->y0 + j]
                                   : sim->model->force[contact->y0 + j] / h;
    for (int i = 0; i < m; ++i) contact->offset[i] -= contact->D[i + j * m] * known;
  }
  const nsds_law *law = contact->interaction->law;
  if (law->ops->compliance) law->ops->compliance(law->self, m, contact->D);
  for (int k = 0; k < m * m; ++k) contact->D[k] *= scale;
  return status;
}

/* H, dh/dt and the compliance at Q*. */
static nsds_status linearise(nsds_simulation *sim, nsds_contact *contact) {
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_time_stepping_def *def = &sim->def;
  const nsds_model *model = sim->model;
  const nsds_plan *plan = &sim->plan;
  double h = sim->h_now;
  nsds_in in = nsds_contact_gather(sim, contact, sim->t_next, plan->q, plan->v, plan->impulse,
                                   1.0 / h);
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

/* D P where D belongs to dy/dt: the relation's, which stands behind the sum with the law's. */
static void add_feedthrough(const nsds_contact *contact, const double *impulse, double *ydot) {
  const nsds_interaction *ia = contact->interaction;
  if (!ia->relation->ops->feedthrough) return;
  int m = contact->m;
  const double *D = contact->D + (ia->law->ops->compliance ? m * m : 0);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) ydot[i] += D[i + j * m] * impulse[contact->y0 + j];
}

/* y = c + H q, dy/dt = H v. Its edges are its own systems: an affine relation is in no cluster. */
static void affine_output(const nsds_plan *plan, const nsds_contact *contact, const double *q,
                          const double *v, double *y, double *ydot) {
  int first = contact->first_edge, end = first + contact->nedge, m = contact->m;
  if (m == 1) {
    double gap = *contact->shift, speed = 0.0;
    for (int e = first; e < end; ++e) {
      const nsds_edge *edge = &plan->edge[e];
      const double *H = edge->H, *qe = q + plan->edge_q[e], *ve = v + edge->column;
      for (int k = 0; k < edge->size; ++k) {
        gap += H[k] * qe[k];
        speed += H[k] * ve[k];
      }
    }
    *y = gap;
    *ydot = speed;
    return;
  }
  for (int i = 0; i < m; ++i) {
    y[i] = contact->shift[i];
    ydot[i] = 0.0;
  }
  for (int e = first; e < end; ++e) {
    const nsds_edge *edge = &plan->edge[e];
    const double *H = edge->H, *qe = q + plan->edge_q[e], *ve = v + edge->column;
    for (int k = 0; k < edge->size; ++k)
      for (int i = 0; i < m; ++i) {
        y[i] += *H * qe[k];
        ydot[i] += *H++ * ve[k];
      }
  }
}

/* Overwrites H of a relation that is not affine with that of this state. */
static nsds_status output(nsds_simulation *sim, nsds_contact *contact, bool trial) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation *relation = ia->relation;
  const nsds_plan *plan = &sim->plan;
  const nsds_model *model = sim->model;
  const double *q = trial ? plan->q : model->q, *v = trial ? plan->v : model->v;
  const double *impulse = trial ? plan->impulse : model->impulse;
  double *y = (trial ? plan->y : model->y) + contact->y0;
  double *ydot = (trial ? plan->ydot : model->ydot) + contact->y0;
  if (contact->affine) {
    affine_output(plan, contact, q, v, y, ydot);
    if (contact->D) add_feedthrough(contact, impulse, ydot);
    return NSDS_OK;
  }
  for (int i = 0; i < contact->m; ++i) ydot[i] = 0.0;
  nsds_in in = nsds_contact_gather(sim, contact, trial ? sim->t_next : sim->t, q, v,
                                   trial ? plan->force : model->force, 1.0);
  nsds_status status = relation->ops->output(relation->self, &in, y);
  if (!status) status = relation->ops->jacobian_q(relation->self, &in, contact->H);
  if (!status && relation->ops->jacobian_t)
    status = relation->ops->jacobian_t(relation->self, &in, ydot);
  if (status) return status;
  add_feedthrough(contact, impulse, ydot);
  add_h(sim, contact, 1.0, v, ydot);
  return NSDS_OK;
}

/* H and the constant part of an affine relation: y at Q = 0, and the Jacobian anywhere; D of any. */
static nsds_status refresh(nsds_simulation *sim, nsds_contact *contact) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation *relation = ia->relation;
  const nsds_model *model = sim->model;
  nsds_in in =
      nsds_contact_gather(sim, contact, sim->t, model->q, model->v, model->impulse, 0.0);
  for (int k = 0; k < 2 * relation->nq; ++k) sim->plan.gather[k] = 0.0;
  nsds_status status = NSDS_OK;
  if (contact->affine) status = relation->ops->output(relation->self, &in, contact->shift);
  if (!status && contact->affine)
    status = relation->ops->jacobian_q(relation->self, &in, contact->H);
  for (int k = 0; contact->D && k < contact->m * contact->m; ++k) contact->D[k] = 0.0;
  if (!status && relation->ops->feedthrough)
    status = relation->ops->feedthrough(relation->self, &in, contact->D);
  if (!status && ia->law->ops->compliance) {
    size_t count = (size_t)contact->m * (size_t)contact->m;
    if (relation->ops->feedthrough) memcpy(contact->D + count, contact->D, count * sizeof(double));
    ia->law->ops->compliance(ia->law->self, contact->m, contact->D);
  }
  return status;
}

static void load_input(const nsds_simulation *sim, const nsds_contact *contact, int k, double *Y) {
  const nsds_edge *edge = &sim->plan.edge[contact->first_edge + k];
  int m = contact->m, n = edge->size;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i)
      Y[i + (size_t)j * (size_t)n] = edge->H[j + (size_t)i * (size_t)m];
}

const nsds_contact_ops nsds_contact_second = {
    .refresh = refresh, .linearise = linearise, .output = output, .load_input = load_input};
