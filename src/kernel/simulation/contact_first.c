/*
 * Interactions between first-order systems: y = h(t,X,lambda), r = g(t,X,lambda), with the law on y
 * itself at t_s and X_s = sigma X_{k+1} + (1 - sigma) X_k (sigma = 1 except in the full theta-gamma
 * scheme). Linearised at the Newton iterate (X^a, lambda^a), C = h_X, D = h_l, B = g_l, K = g_X:
 *
 *   y = h^a + sigma C (X - X^a) + D (lambda - lambda^a)
 *   r = g^a + sigma K (X - X^a) + B (lambda - lambda^a)
 *
 * With rho the weight of r in the systems' schemes and W^ = W - h rho sigma K,
 *   W^ (X_free - X^a) = -R_free(X^a) + h rho (g^a - B lambda^a),    X = X_free + h rho W^^-1 B
 * lambda y = [h^a - D lambda^a - sigma C X^a] + sigma C X + D lambda.
 */
#include "small.h"
#include "unreduced.h"

/* The point (t_s, X_s, lambda) of the trial state. */
static nsds_in iterate(const nsds_simulation *sim, const nsds_contact *contact) {
  const nsds_plan *plan = &sim->plan;
  double sigma = sim->sigma;
  nsds_in in = nsds_contact_gather(sim, contact, sim->t + sigma * (sim->t_next - sim->t), plan->q,
                                   plan->v, plan->impulse, 1.0);
  if (sigma == 1.0) {
    in.t = sim->t_next;
    return in;
  }
  double *X = sim->plan.gather + contact->interaction->relation->nq;
  for (int k = 0; k < contact->interaction->nds; ++k) {
    const nsds_ds *ds = contact->interaction->ds[k];
    for (int j = 0; j < ds->nv; ++j, ++X)
      *X = sigma * *X + (1.0 - sigma) * sim->model->v[ds->v_offset + j];
  }
  return in;
}

static void scale_h(const nsds_simulation *sim, nsds_contact *contact) {
  int count = contact->m * contact->interaction->relation->nq;
  for (int k = 0; k < count; ++k) contact->H[k] = sim->sigma * contact->C[k];
}

/* C, D (without the law's compliance), B and K. */
static nsds_status coefficients(nsds_contact *contact, const nsds_in *in) {
  const nsds_relation *relation = contact->interaction->relation;
  nsds_status status = relation->ops->jacobian_q(relation->self, in, contact->C);
  if (!status) status = relation->ops->input_lambda(relation->self, in, contact->B);
  for (int k = 0; contact->D && k < contact->m * contact->m; ++k) contact->D[k] = 0.0;
  if (!status && relation->ops->jacobian_lambda)
    status = relation->ops->jacobian_lambda(relation->self, in, contact->D);
  if (!status && relation->ops->input_x)
    status = relation->ops->input_x(relation->self, in, contact->K);
  return status;
}

static nsds_status refresh(nsds_simulation *sim, nsds_contact *contact) {
  if (!contact->affine) return NSDS_OK;
  const nsds_law *law = contact->interaction->law;
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_model *model = sim->model;
  nsds_in in = nsds_contact_gather(sim, contact, sim->t, model->q, model->v, model->impulse, 0.0);
  for (int k = 0; k < 2 * relation->nq; ++k) sim->plan.gather[k] = 0.0;
  nsds_status status = relation->ops->output(relation->self, &in, contact->shift);
  if (!status) status = coefficients(contact, &in);
  if (status) return status;
  if (law->ops->compliance) law->ops->compliance(law->self, contact->m, contact->D);
  scale_h(sim, contact);
  return NSDS_OK;
}

/* h and g at the iterate. */
static nsds_status evaluate(nsds_simulation *sim, nsds_contact *contact) {
  const nsds_relation *relation = contact->interaction->relation;
  nsds_in in = iterate(sim, contact);
  nsds_status status = relation->ops->output(relation->self, &in, contact->h);
  if (!status) status = relation->ops->input(relation->self, &in, contact->g);
  return status;
}

/* g^a - B lambda^a - K X^a */
static void linearise_input(nsds_contact *contact, const nsds_in *in, const double *lambda) {
  int nx = contact->interaction->relation->nq, m = contact->m;
  for (int i = 0; i < nx; ++i) {
    double sum = contact->g[i];
    for (int j = 0; j < m; ++j) sum -= contact->B[i + (size_t)j * (size_t)nx] * lambda[j];
    for (int j = 0; contact->K && j < nx; ++j)
      sum -= contact->K[i + (size_t)j * (size_t)nx] * in->x[j];
    contact->g_offset[i] = sum;
  }
}

double nsds_first_order_input_residual(const nsds_simulation *sim, const nsds_contact *contact,
                                       double *scale) {
  int nx = contact->interaction->relation->nq, m = contact->m;
  nsds_in in = iterate(sim, contact);
  double largest = 0.0;
  *scale = 0.0;
  for (int i = 0; i < nx; ++i) {
    double r = contact->g_offset[i], size = fabs(r);
    for (int j = 0; j < m + (contact->K ? nx : 0); ++j) {
      double term = j < m ? contact->B[i + (size_t)j * (size_t)nx] * in.lambda[j]
                          : contact->K[i + (size_t)(j - m) * (size_t)nx] * in.x[j - m];
      r += term;
      size += fabs(term);
    }
    largest = fmax(largest, fabs(contact->g[i] - r));
    *scale = fmax(*scale, size);
  }
  return largest;
}

/* Coefficients at the iterate, the constant part of y, and what g^a - B lambda^a adds to the
 * right-hand sides in u_free. */
static nsds_status linearise(nsds_simulation *sim, nsds_contact *contact) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_plan *plan = &sim->plan;
  int m = contact->m, nx = ia->relation->nq;
  nsds_in in = iterate(sim, contact);
  nsds_status status = coefficients(contact, &in);
  if (status) return status;
  const double *lambda = plan->impulse + contact->y0;
  memcpy(contact->offset, contact->h, (size_t)m * sizeof *contact->h);
  for (int j = 0; contact->D && j < m; ++j)
    for (int i = 0; i < m; ++i) contact->offset[i] -= contact->D[i + j * m] * lambda[j];
  if (ia->law->ops->compliance) {
    memcpy(contact->D + (size_t)m * (size_t)m, contact->D,
           (size_t)m * (size_t)m * sizeof *contact->D);
    ia->law->ops->compliance(ia->law->self, m, contact->D);
  }
  scale_h(sim, contact);
  if (contact->g_offset) linearise_input(contact, &in, lambda);
  int column = 0;
  for (int e = 0; e < ia->nds; ++e) {
    const nsds_ds *ds = ia->ds[e];
    for (int k = 0; k < ds->nv; ++k, ++column) {
      double x = plan->v[ds->v_offset + k];
      for (int i = 0; i < m; ++i)
        contact->offset[i] -= contact->H[i + (size_t)column * (size_t)m] * x;
      double input = contact->g[column];
      for (int j = 0; j < m; ++j) input -= contact->B[column + (size_t)j * (size_t)nx] * lambda[j];
      /* systems with an affine scheme have linear relations only, for which this vanishes */
      if (!contact->linear) plan->v_free[ds->v_offset + k] += sim->h_now * sim->rho * input;
    }
  }
  return NSDS_OK;
}

/* y = c + C X + D lambda with the coefficients kept from refresh(). */
static void affine_output(const nsds_simulation *sim, const nsds_contact *contact, const double *v,
                          const double *lambda, double *y) {
  const nsds_interaction *ia = contact->interaction;
  const double *C = contact->C, *D = contact->D;
  int m = contact->m;
  for (int i = 0; i < m; ++i) y[i] = contact->shift[i];
  if (sim->plan.unreduced) nsds_unreduced_add(sim, contact, 1.0, v, y);
  for (int e = 0; !sim->plan.unreduced && e < ia->nds; ++e) {
    nsds_add_product(m, ia->ds[e]->nv, C, m, v + ia->ds[e]->v_offset, y);
    C += (size_t)m * (size_t)ia->ds[e]->nv;
  }
  if (D) nsds_add_product(m, m, D, m, lambda, y);
}

static nsds_status output(nsds_simulation *sim, nsds_contact *contact, bool trial) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation *relation = ia->relation;
  const nsds_plan *plan = &sim->plan;
  const nsds_model *model = sim->model;
  const double *lambda = trial ? plan->impulse : model->impulse;
  double *y = (trial ? plan->y : model->y) + contact->y0;
  double *ydot = (trial ? plan->ydot : model->ydot) + contact->y0;
  for (int i = 0; i < contact->m; ++i) ydot[i] = 0.0;
  if (contact->affine && !ia->law->ops->compliance) { /* otherwise D holds the law's part too */
    affine_output(sim, contact, trial ? plan->v : model->v, lambda + contact->y0, y);
    return NSDS_OK;
  }
  nsds_in in =
      nsds_contact_gather(sim, contact, trial ? sim->t_next : sim->t, trial ? plan->q : model->q,
                          trial ? plan->v : model->v, lambda, 1.0);
  return relation->ops->output(relation->self, &in, y);
}

void nsds_first_order_inputs(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  for (int s = 0; s < plan->nslot; ++s)
    for (int k = 0; plan->slot[s].ds->order == 1 && k < plan->slot[s].nv; ++k)
      plan->p[plan->slot[s].v0 + k] = 0.0;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const nsds_interaction *ia = contact->interaction;
    if (ia->relation->order != 1) continue;
    int row = 0, nx = ia->relation->nq;
    const double *lambda = plan->impulse + contact->y0;
    if (plan->unreduced) {
      nsds_unreduced_inputs(sim, contact, lambda, plan->p);
      continue;
    }
    for (int e = 0; e < ia->nds; row += ia->ds[e++]->nv) {
      double *r = &plan->p[ia->ds[e]->v_offset];
      if (contact->linear)
        nsds_add_product(ia->ds[e]->nv, contact->m, contact->B + row, nx, lambda, r);
      else
        for (int k = 0; k < ia->ds[e]->nv; ++k) r[k] += contact->g[row + k];
    }
  }
}

static void load_input(const nsds_simulation *sim, const nsds_contact *contact, int k, double *Y) {
  const nsds_interaction *ia = contact->interaction;
  int nx = ia->relation->nq, n = ia->ds[k]->nv, first = 0;
  for (int e = 0; e < k; ++e) first += ia->ds[e]->nv;
  /* the zero-order hold has its own integral of the input */
  bool held = sim->plan.slot[ia->ds[k]->index].osi == &nsds_zero_order_hold;
  double weight = held ? 1.0 : sim->h_now * sim->rho;
  for (int j = 0; j < contact->m; ++j)
    for (int i = 0; i < n; ++i)
      Y[i + (size_t)j * (size_t)n] = weight * contact->B[first + i + (size_t)j * (size_t)nx];
}

const nsds_contact_ops nsds_contact_first = {.refresh = refresh,
                                             .evaluate = evaluate,
                                             .linearise = linearise,
                                             .output = output,
                                             .load_input = load_input};
