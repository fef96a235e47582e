/*
 * Interactions in which lambda acts on states: y = h(t,X,lambda), r = g(t,X,lambda). The law is on
 * y itself at t_s and X_s = sigma X_{k+1} + (1 - sigma) X_k (sigma = 1 except in the full
 * theta-gamma scheme). Linearised at the Newton iterate (X^a, lambda^a), C = h_X, D = h_l, B = g_l,
 * K = g_X:
 *
 *   y = h^a + sigma C (X - X^a) + D (lambda - lambda^a)
 *   r = g^a + kappa K (X - X^a) + B (lambda - lambda^a)
 *
 * kappa is sigma, or theta if g is taken at x_{k+theta}, (8.4). With rho the weight of r in the
 * systems' schemes and W^ = W - h rho kappa K,
 *
 *   W^ (X_free - X^a) = -R_free(X^a) + h rho (g^a - B lambda^a)
 *   X = X_free + h rho W^^-1 B lambda
 *   y = [h^a - D lambda^a - sigma C X^a] + sigma C X + D lambda
 *
 * Mixed interactions have (X, V) in place of X; local_mixed.c adds the rest.
 */
#include "kernel/assembly/local_first.h"

#include "base/base.h"
#include "kernel/assembly/entry.h"
#include "kernel/assembly/local_mixed.h"
#include "kernel/assembly/plan.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/turns.h"
#include "numerics/linear/product.h"

static bool is_mixed(const nsds_contact *contact) { return contact->kind == NSDS_RELATION_MIXED; }

/* Gathers the point (t_s, X_s, lambda) of the trial state. */
static nsds_status local_first_iterate(nsds_plan *plan, const nsds_contact *contact,
                                       nsds_arguments *in) {
  const nsds_scheme *scheme = plan->scheme;
  const nsds_interaction *ia = contact->interaction;
  double sigma = nsds_relation_share(plan, ia->relation), *work = plan->memory.work;
  *in = nsds_gather(ia, &plan->trial, plan->trial.impulse, 1.0, work);
  in->t = sigma == 1.0 ? scheme->t_next : scheme->t + sigma * (scheme->t_next - scheme->t);
  if (sigma == 1.0)
    return ia->relation->ahead && scheme->theta != 1.0 ? nsds_mixed_place(plan, ia, work) : NSDS_OK;
  double *u = work + (is_mixed(contact) ? ia->relation->nq : 0);
  for (int k = 0; k < ia->nds; ++k)
    for (int j = ia->ds[k]->v_offset; j < ia->ds[k]->v_offset + ia->ds[k]->nv; ++j, ++u)
      *u = sigma * *u + (1.0 - sigma) * plan->model->state.v[j];
  return is_mixed(contact) ? nsds_mixed_place(plan, ia, work) : NSDS_OK;
}

void nsds_input_state(const nsds_plan *plan, const nsds_contact *contact, double *u) {
  const nsds_interaction *ia = contact->interaction;
  for (int k = 0; k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    double kappa = nsds_input_share(plan, contact, ds->index);
    for (int j = ds->v_offset; j < ds->v_offset + ds->nv; ++j)
      *u++ = kappa == 1.0 ? plan->trial.v[j]
                          : kappa * plan->trial.v[j] + (1.0 - kappa) * plan->model->state.v[j];
  }
}

/* Changes the point of h in `in` to the point of g, which may be (t_{k+1}, X_{k+theta}, lambda). */
static void input_point(nsds_plan *plan, const nsds_contact *contact, nsds_arguments *in) {
  if (!NSDS_UNLIKELY(plan->scheme->input_at_theta) || is_mixed(contact)) return;
  nsds_input_state(plan, contact, plan->memory.work);
  in->t = plan->scheme->t_next;
}

static nsds_status outputs(nsds_plan *plan, nsds_contact *contact, const nsds_arguments *in,
                           double *D) {
  const nsds_relation *relation = contact->interaction->relation;
  nsds_status status = is_mixed(contact)
                           ? nsds_mixed_outputs(plan, contact, in, plan->scheme->h)
                           : relation->ops->jacobian_q(relation->self, in, contact->first->C);
  for (int k = 0; D && k < contact->m * contact->m; ++k) D[k] = 0.0;
  if (!status && relation->ops->jacobian_lambda)
    status = relation->ops->jacobian_lambda(relation->self, in, D);
  return status;
}

static nsds_status local_first_inputs(nsds_plan *plan, nsds_contact *contact,
                                      const nsds_arguments *in) {
  const nsds_relation *relation = contact->interaction->relation;
  nsds_status status = relation->ops->input_lambda(relation->self, in, contact->first->B);
  if (status || !contact->first->K) return status;
  return is_mixed(contact) ? nsds_mixed_inputs(plan, contact, in, plan->scheme->h)
                           : relation->ops->input_x(relation->self, in, contact->first->K);
}

static nsds_status local_first_refresh(nsds_plan *plan, nsds_contact *contact) {
  if (!contact->is.affine) return NSDS_OK;
  const nsds_relation *relation = contact->interaction->relation;
  nsds_arguments in =
      nsds_gather(contact->interaction, &plan->model->state, NULL, 0.0, plan->memory.work);
  for (int k = 0; k < relation->nv; ++k) plan->memory.work[k] = 0.0;
  nsds_status status = relation->ops->output(relation->self, &in, contact->shift);
  if (!status) status = local_first_inputs(plan, contact, &in);
  return status ? status : outputs(plan, contact, &in, contact->D);
}

/* Evaluates h and g at the iterate. */
static nsds_status local_first_evaluate(nsds_plan *plan, nsds_contact *contact) {
  const nsds_relation *relation = contact->interaction->relation;
  nsds_arguments in;
  nsds_status status = local_first_iterate(plan, contact, &in);
  if (!status)
    status = nsds_relation_output(contact->interaction, &plan->trial, &in, contact->first->h);
  input_point(plan, contact, &in);
  if (!status) status = relation->ops->input(relation->self, &in, contact->first->g);
  return status;
}

/* Computes g^a - B lambda^a - K u^a. */
static void linearise_input(const nsds_plan *plan, nsds_contact *contact, const double *lambda) {
  int nx = contact->interaction->relation->nv, m = contact->m;
  double *u = plan->memory.work;
  nsds_input_state(plan, contact, u);
  for (int i = 0; i < nx; ++i) {
    double sum = contact->first->g[i];
    for (int j = 0; j < m; ++j) sum -= contact->first->B[i + (ptrdiff_t)j * nx] * lambda[j];
    for (int j = 0; contact->first->K && j < nx; ++j)
      sum -= contact->first->K[i + (ptrdiff_t)j * nx] * u[j];
    contact->first->g_offset[i] = sum;
  }
}

/* Computes H and offset of the linearized rows from C, D and h. */
static nsds_status first_order_rows(nsds_plan *plan, nsds_contact *contact, nsds_entry *entry) {
  const nsds_interaction *ia = contact->interaction;
  int m = contact->m, nx = ia->relation->nv;
  const double *lambda = plan->trial.impulse + contact->y0;
  memcpy(entry->offset, contact->first->h, (size_t)m * sizeof *contact->first->h);
  if (contact->first->lambda) nsds_copy_doubles(contact->first->lambda, lambda, (size_t)m);
  for (int j = 0; entry->D && j < m; ++j)
    for (int i = 0; i < m; ++i) entry->offset[i] -= entry->D[i + j * m] * lambda[j];
  nsds_status status = nsds_entry_add_law(contact, entry, 1.0);
  if (status) return status;
  double sigma = nsds_relation_share(plan, ia->relation);
  for (int k = 0; k < m * nx; ++k) entry->H[k] = sigma * contact->first->C[k];
  if (contact->first->g_offset) linearise_input(plan, contact, lambda);
  int column = 0;
  for (int e = 0; e < ia->nds; ++e) {
    const nsds_ds *ds = ia->ds[e];
    for (int k = 0; k < ds->nv; ++k, ++column) {
      double x = plan->trial.v[ds->v_offset + k];
      for (int i = 0; i < m; ++i) entry->offset[i] -= entry->H[i + (ptrdiff_t)column * m] * x;
    }
  }
  return NSDS_OK;
}

/* Adds g - B lambda of a contact. */
static void load_free(nsds_plan *plan, const nsds_contact *contact) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_first_terms *first = contact->first;
  const double *lambda = plan->trial.impulse + contact->y0;
  int nx = ia->relation->nv, column = 0;
  for (int e = 0; e < ia->nds; ++e)
    for (int k = 0; k < ia->ds[e]->nv; ++k, ++column) {
      double input = first->g[column];
      for (int j = 0; j < contact->m; ++j)
        input -= first->B[column + (ptrdiff_t)j * nx] * lambda[j];
      plan->v_free[ia->ds[e]->v_offset + k] += nsds_input_scale(plan, ia->ds[e]->index) * input;
    }
}

void nsds_first_order_load_free(const nsds_one_step *o) {
  nsds_plan *plan = o->op.plan;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    /* zero for linear relations, the only ones of systems with an affine scheme */
    if (nsds_acts_on_states(contact->kind) && !contact->is.linear) load_free(plan, contact);
  }
}

/* Linearises at the iterate and computes the rows from the coefficients. */
static nsds_status local_first_linearise(nsds_plan *plan, nsds_contact *contact,
                                         nsds_entry *entry) {
  nsds_arguments in;
  nsds_status status = local_first_iterate(plan, contact, &in);
  if (!status) status = outputs(plan, contact, &in, entry->D);
  input_point(plan, contact, &in);
  if (!status) status = local_first_inputs(plan, contact, &in);
  return status ? status : first_order_rows(plan, contact, entry);
}

/* Computes y = c + C X + D lambda with the coefficients from local_first_refresh(). */
static void local_first_affine_output(const nsds_plan *plan, const nsds_contact *contact,
                                      double *y) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_one_step *u = plan->unreduced;
  const double *C = contact->first->C, *D = contact->D, *v = plan->trial.v;
  int m = contact->m;
  for (int i = 0; i < m; ++i) y[i] = contact->shift[i];
  if (u) nsds_first_order_add_rows(u, contact, 1.0, v, y);
  for (int e = 0; !u && e < ia->nds; ++e) {
    nsds_add_product(m, ia->ds[e]->nv, C, m, v + ia->ds[e]->v_offset, y);
    C += (size_t)m * (size_t)ia->ds[e]->nv;
  }
  if (D) nsds_add_product(m, m, D, m, plan->trial.impulse + contact->y0, y);
}

static nsds_status local_first_output(nsds_plan *plan, nsds_contact *contact) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_state *at = &plan->trial;
  double *y = at->y + contact->y0, *ydot = at->ydot + contact->y0;
  if (!contact->is.affine || ia->law->ops->compliance)
    return nsds_local_output(ia, at, y, ydot, plan->memory.work);
  for (int i = 0; i < contact->m; ++i) ydot[i] = 0.0;
  local_first_affine_output(plan, contact, y);
  return NSDS_OK;
}

void nsds_first_order_inputs(nsds_plan *plan) {
  const nsds_one_step *u = plan->unreduced;
  double *p = plan->trial.p;
  for (int s = 0; s < plan->nslot; ++s)
    for (int k = 0; nsds_is_first_order(plan->slot[s].ds) && k < plan->slot[s].nv; ++k)
      p[plan->slot[s].v0 + k] = 0.0;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    if (!nsds_acts_on_states(contact->kind)) continue;
    const nsds_interaction *ia = contact->interaction;
    int row = 0, nx = ia->relation->nv;
    const double *lambda = plan->trial.impulse + contact->y0;
    if (u) {
      nsds_first_order_add_inputs(u, contact, lambda, p);
      continue;
    }
    for (int e = 0; e < ia->nds && nsds_is_first_order(ia->ds[e]); row += ia->ds[e++]->nv) {
      double *r = &p[ia->ds[e]->v_offset];
      if (contact->is.linear)
        nsds_add_product(ia->ds[e]->nv, contact->m, contact->first->B + row, nx, lambda, r);
      else
        for (int k = 0; k < ia->ds[e]->nv; ++k) r[k] += contact->first->g[row + k];
    }
  }
}

static void local_first_load_input(const nsds_plan *plan, const nsds_contact *contact,
                                   const nsds_entry *entry, int k, double *Y) {
  const nsds_interaction *ia = contact->interaction;
  int nx = ia->relation->nv, n = ia->ds[k]->nv, first = 0;
  (void)entry;
  for (int e = 0; e < k; ++e) first += ia->ds[e]->nv;
  /* rates at an instant have no step */
  double weight = plan->at_instant ? 1.0 : nsds_input_scale(plan, contact->reach[k].slot);
  for (int j = 0; j < contact->m; ++j)
    for (int i = 0; i < n; ++i)
      Y[i + (ptrdiff_t)j * n] = weight * contact->first->B[first + i + (ptrdiff_t)j * nx];
}

const nsds_contact_ops nsds_contact_first = {.refresh = local_first_refresh,
                                             .evaluate = local_first_evaluate,
                                             .linearise = local_first_linearise,
                                             .output = local_first_output,
                                             .load_input = local_first_load_input};

void nsds_first_order_add_rows(const nsds_one_step *u, const nsds_contact *contact, double alpha,
                               const double *v, double *y) {
  for (int e = contact->first->first_column;
       e < contact->first->first_column + contact->first->ncolumn; ++e) {
    const double *C = contact->first->C + (size_t)u->unreduced.local[e] * (size_t)contact->m;
    double x = alpha * v[u->unreduced.global[e]];
    for (int i = 0; i < contact->m; ++i) y[i] += C[i] * x;
  }
}

void nsds_first_order_add_inputs(const nsds_one_step *u, const nsds_contact *contact,
                                 const double *lambda, double *p) {
  int nx = contact->interaction->relation->nv;
  for (int e = contact->first->first_column;
       e < contact->first->first_column + contact->first->ncolumn; ++e)
    for (int j = 0; j < contact->m; ++j)
      p[u->unreduced.global[e]] +=
          contact->first->B[u->unreduced.local[e] + (ptrdiff_t)j * nx] * lambda[j];
}
