/*
 * Interactions between second-order systems. The local velocity of the step on a rigid relation is
 *   dy/dt = H(Q*) V + dh/dt(Q*, t_{i+1}) + D P.
 *
 * On a compliant relation with a law at velocity level, D = h_l / dt^2 and the offset carries -h_l
 * lambda_i / dt. Here lambda = P / dt is the force and dt the step.
 *
 * On a compliant relation with any other law, the gap at the end of the step is linearized.
 * Division by theta dt keeps the matrix symmetric. The law's rows behind its gaps stay at dy/dt:
 *
 *   y_{i+1} / (theta dt) = H V + [y^k / (theta dt) - H V^k - h_l P^k / (theta dt^2)]
 *                          + h_l / (theta dt^2) P
 */
#include "kernel/assembly/local_second.h"

#include "base/base.h"
#include "kernel/assembly/entry.h"
#include "kernel/assembly/plan.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "numerics/linear/product.h"

/* Adds alpha H u to a, with H of the entry. */
static void add_h(const nsds_contact *contact, const nsds_entry *entry, double alpha,
                  const double *v, double *a) {
  const double *H = entry->H;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = 0; k < r->size; ++k) {
      double s = alpha * v[r->column + k];
      for (int i = 0; i < contact->m; ++i) a[i] += *H++ * s;
    }
}

/* Returns true if the law's row i is about y, false if about dy/dt. Rows without compliance are
 * rigid, and stay at the level of the law. D is dh/dlambda, in any scale of its rows. */
static bool is_gap(const nsds_contact *contact, const double *D, int i) {
  const nsds_law *law = contact->interaction->law;
  if (!contact->is.level0 || i % law->size >= law->ngap) return false;
  bool soft = law->level != NSDS_LEVEL_VELOCITY;
  for (int j = 0; j < contact->m && !soft; ++j) soft = D[i + j * contact->m] != 0.0;
  return soft;
}

static nsds_status linearise_compliance(nsds_plan *plan, nsds_contact *contact, nsds_entry *entry) {
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_state *trial = &plan->trial;
  int m = contact->m;
  double theta = plan->slot[contact->reach[0].slot].on.scheme->theta; /* of all its systems */
  double h = plan->scheme->h, scale = 1.0 / (h * h), position = 1.0 / (theta * h);
  double gap_scale = scale / theta;
  nsds_arguments in =
      nsds_gather(contact->interaction, trial, trial->impulse, 1.0 / h, plan->memory.work);
  nsds_status status = relation->ops->jacobian_lambda(relation->self, &in, entry->D);
  if (contact->is.level0) {
    if (!status) status = relation->ops->output(relation->self, &in, entry->offset);
    for (int i = 0; i < m; ++i) entry->offset[i] *= position;
    add_h(contact, entry, -1.0, trial->v, entry->offset);
  }
  for (int i = 0; i < m; ++i) {
    bool gap = is_gap(contact, entry->D, i);
    if (!gap) entry->offset[i] = contact->shift[i];
    for (int j = 0; j < m; ++j) {
      double known = gap ? gap_scale * trial->impulse[contact->y0 + j]
                         : plan->model->state.force[contact->y0 + j] / h;
      entry->offset[i] -= entry->D[i + j * m] * known;
    }
  }
  /* the law ties y, dy/dt (each + compliance lambda, lambda = P / h) or P itself */
  for (int k = 0; k < m * m; ++k)
    if (!is_gap(contact, entry->D, k % m)) entry->D[k] *= contact->is.scaled ? 1.0 / h : scale;
  if (!status) status = nsds_entry_add_law(contact, entry, 1.0);
  for (int k = 0; k < m * m; ++k)
    if (contact->is.scaled) entry->D[k] *= is_gap(contact, entry->D, k % m) ? gap_scale : 1.0 / h;
  return status;
}

nsds_status nsds_local_predict(const nsds_plan *plan, const nsds_slot *slot, double *Q) {
  const nsds_state *now = &plan->model->state;
  const nsds_ds *ds = slot->ds;
  const nsds_scheme *scheme = slot->on.scheme;
  double *step = slot->scratch;
  for (int j = 0; j < ds->nv; ++j) {
    double vi = now->v[ds->v_offset + j], vk = plan->trial.v[ds->v_offset + j];
    double mean = scheme->predict_once ? vi : (1.0 - scheme->theta) * vi + scheme->theta * vk;
    step[j] = scheme->h * scheme->gamma * mean;
  }
  return nsds_ds_move(ds, scheme->t, now->q + ds->q_offset, now->v + ds->v_offset, step, Q);
}

static nsds_status predict_systems(const nsds_plan *plan, const nsds_interaction *ia, double *Q) {
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < ia->nds; ++k) {
    status = nsds_local_predict(plan, &plan->slot[ia->ds[k]->index], Q);
    Q += ia->ds[k]->nq;
  }
  return status;
}

/* Evaluates H, dh/dt, D and the compliance at Q*. */
static nsds_status local_second_linearise(nsds_plan *plan, nsds_contact *contact,
                                          nsds_entry *entry) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation *relation = ia->relation;
  double h = plan->scheme->h;
  double scale = relation->impulsive ? 1.0 : h > 0.0 ? 1.0 / h : 0.0;
  nsds_arguments in = nsds_gather(ia, &plan->trial, plan->trial.impulse, scale, plan->memory.work);
  nsds_status status = NSDS_OK; /* the bodies of a tree move together, to the iterate */
  if (!contact->is.lifted) status = predict_systems(plan, ia, plan->memory.work);
  if (!status)
    status = nsds_gradient(ia, &in, entry->H, nsds_behind_gathered(ia, plan->memory.work));
  double *ht = relation->ops->jacobian_lambda ? contact->shift : entry->offset;
  for (int i = 0; i < contact->m; ++i) ht[i] = 0.0;
  if (!status && relation->ops->jacobian_t)
    status = relation->ops->jacobian_t(relation->self, &in, ht);
  if (!status && relation->ops->jacobian_lambda)
    status = linearise_compliance(plan, contact, entry);
  if (status || !relation->ops->feedthrough) return status;
  status = relation->ops->feedthrough(relation->self, &in, entry->D);
  return status ? status
                : nsds_entry_add_law(contact, entry, nsds_law_weight(contact, plan->scheme));
}

/* Computes y = c + H q and dy/dt = H v + D P of an affine relation with one row. H is the same in
 * velocities and coordinates. Returns 0 if both are finite, else NaN. */
static inline double output_of_one(const nsds_state *at, const nsds_contact *contact) {
  double gap = *contact->shift, speed = 0.0;
  const double *H = contact->H;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r) {
    const double *q = at->q + r->q, *v = at->v + r->column;
    if (r->size == 1) {
      gap += *H * *q;
      speed += *H++ * *v;
      continue;
    }
    for (int k = 0; k < r->size; ++k, ++H) {
      gap += *H * q[k];
      speed += *H * v[k];
    }
  }
  if (contact->D) speed += *contact->D * at->impulse[contact->y0];
  at->y[contact->y0] = gap;
  at->ydot[contact->y0] = speed;
  return (gap - gap) + (speed - speed);
}

double nsds_plain_outputs(const nsds_state *at, const nsds_contact *contact, int count) {
  double zero = 0.0;
  for (const nsds_contact *end = contact + count; contact < end; ++contact)
    zero += output_of_one(at, contact);
  return zero;
}

/* Computes the same for any number of rows. */
static void local_second_affine_output(const nsds_state *at, const nsds_contact *contact) {
  int m = contact->m;
  double *y = at->y + contact->y0, *ydot = at->ydot + contact->y0;
  const double *H = contact->H;
  for (int i = 0; i < m; ++i) {
    y[i] = contact->shift[i];
    ydot[i] = 0.0;
  }
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r) {
    const double *q = at->q + r->q, *v = at->v + r->column;
    for (int k = 0; k < r->size; ++k)
      for (int i = 0; i < m; ++i) {
        y[i] += *H * q[k];
        ydot[i] += *H++ * v[k];
      }
  }
  if (contact->D) nsds_add_product(m, m, contact->D, m, at->impulse + contact->y0, ydot);
}

static NSDS_NOINLINE nsds_status output_of_any(nsds_plan *plan, const nsds_contact *contact) {
  const nsds_state *at = &plan->trial;
  if (!contact->is.affine)
    return nsds_local_output(contact->interaction, at, at->y + contact->y0, at->ydot + contact->y0,
                             plan->memory.work);
  local_second_affine_output(at, contact);
  return NSDS_OK;
}

static nsds_status local_second_output(nsds_plan *plan, nsds_contact *contact) {
  if (!contact->is.affine || contact->m > 1) return output_of_any(plan, contact);
  output_of_one(&plan->trial, contact);
  return NSDS_OK;
}

/* Finds the rows with compliance, of a law that could also treat rigid ones. */
static nsds_status find_soft_rows(nsds_plan *plan, const nsds_contact *contact) {
  nsds_spring_law *law = nsds_contact_spring_law(contact);
  if (!law) return NSDS_OK;
  const nsds_relation *relation = contact->interaction->relation;
  const nsds_state *now = &plan->model->state;
  nsds_arguments in = nsds_gather(contact->interaction, now, now->force, 1.0, plan->memory.work);
  nsds_status status = relation->ops->jacobian_lambda(relation->self, &in, law->D);
  for (int i = 0; !status && i < contact->m; ++i) {
    law->soft[i] = 0;
    for (int j = 0; j < contact->m; ++j)
      if (law->D[i + j * contact->m] != 0.0) law->soft[i] = 1;
  }
  return status;
}

/* Evaluates H and c of an affine relation: y at Q = 0, and the Jacobian at any point. Evaluates D
 * of any relation. */
static nsds_status local_second_refresh(nsds_plan *plan, nsds_contact *contact) {
  if (NSDS_UNLIKELY(contact->is.compliant)) return find_soft_rows(plan, contact);
  const nsds_relation *relation = contact->interaction->relation;
  nsds_arguments in =
      nsds_gather(contact->interaction, &plan->model->state, NULL, 0.0, plan->memory.work);
  for (int k = 0; k < relation->nq + contact->interaction->nv; ++k) plan->memory.work[k] = 0.0;
  nsds_status status = NSDS_OK;
  if (contact->is.affine) status = relation->ops->output(relation->self, &in, contact->shift);
  if (!status && contact->is.affine)
    status = relation->ops->jacobian_q(relation->self, &in, contact->H);
  for (int k = 0; contact->D && k < contact->m * contact->m; ++k) contact->D[k] = 0.0;
  if (!status && contact->D) status = relation->ops->feedthrough(relation->self, &in, contact->D);
  return status;
}

void nsds_load_transpose(const nsds_plan *plan, const nsds_contact *contact,
                         const nsds_entry *entry, int k, double *Y) {
  nsds_edge edge = nsds_entry_edge(contact, entry, k);
  int m = contact->m, n = edge.size;
  (void)plan;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) Y[i + (ptrdiff_t)j * n] = edge.H[j + (ptrdiff_t)i * m];
}

const nsds_contact_ops nsds_contact_second = {.refresh = local_second_refresh,
                                              .linearise = local_second_linearise,
                                              .output = local_second_output,
                                              .load_input = nsds_load_transpose};
