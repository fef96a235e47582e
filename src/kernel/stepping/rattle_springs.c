/*
 * Springs, dampers and drives in a step of nonsmooth RATTLE. A spring is a force F = H^T lambda, with
 * lambda = -y in the set of its law. So a drive has a largest force, and a soft stop only pushes.
 *
 *   first half    h/2 F(t_k, q_k, v)           second half    h/2 F(t_{k+1}, q_{k+1}, v)
 *
 * Both halves take the velocity v of the middle, like the forces of systems. So the order is two and
 * the energy of springs does not drift, but h omega < 2 must hold. Dampers take v of the last iterate.
 * The iterations converge if h d / 2 is less than the mass at the damper.
 */
#include "kernel/stepping/rattle_springs.h"

#include "base/base.h"
#include "kernel/assembly/contact.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"

bool nsds_rattle_is_spring(const nsds_contact *contact) {
  return contact->interaction && contact->interaction->relation->midway;
}

void nsds_rattle_begin_springs(nsds_plan *plan, const nsds_second_half *half) {
  bool any = plan->count.mixed > 0;
  for (int s = 0; s < plan->nslot; ++s)
    plan->slot[s].pull = any ? half->pull + plan->slot[s].v0 : NULL;
  if (any) nsds_zero_doubles(half->pull, plan->model->size.nv);
}

bool nsds_rattle_gives_force(const nsds_law *law) {
  const unsigned sets = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX;
  return ((unsigned)law->set & sets) != 0 && law->size == 1 && !law->ops->compliance;
}

/* Returns lambda in the set of the law that solves y(lambda) = y + lambda. */
static double in_set(const nsds_law *law, double y) {
  nsds_block block = nsds_law_block(law);
  if (block.set == NSDS_SET_NONNEGATIVE) return fmax(0.0, -y);
  if (block.set == NSDS_SET_BOX) return fmax(block.lower[0], fmin(block.upper[0], -y));
  return -y;
}

/* Adds h/2 F of a spring at a state to p, and returns the force in *lambda. */
static nsds_status add_pull(const nsds_plan *plan, const nsds_interaction *ia, const nsds_state *at,
                            double *lambda, double *p) {
  const nsds_relation *relation = ia->relation;
  double *work = plan->memory.work, y = 0.0;
  nsds_arguments in = nsds_gather(ia, at, NULL, 0.0, work);
  double *given = work + (in.lambda - work), *F = given + 1;
  nsds_status status = relation->ops->output(relation->self, &in, &y);
  *lambda = *given = in_set(ia->law, y);
  if (!status) status = relation->ops->input(relation->self, &in, F);
  for (int k = 0; !status && k < ia->nds; F += ia->ds[k++]->nv)
    for (int j = 0; j < ia->ds[k]->nv; ++j)
      p[ia->ds[k]->v_offset + j] += 0.5 * plan->scheme->h * F[j];
  return status;
}

nsds_status nsds_rattle_pull_first(const nsds_plan *plan, const nsds_second_half *half,
                                   bool *stands) {
  nsds_state at = plan->model->state;
  nsds_status status = NSDS_OK;
  if (plan->count.mixed == 0) return NSDS_OK;
  at.v = plan->trial.v;
  nsds_zero_doubles(half->pull, plan->model->size.nv);
  for (int c = 0; !status && c < plan->ninteraction; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    double before = half->spring[contact->y0];
    if (!nsds_rattle_is_spring(contact)) continue;
    status = add_pull(plan, contact->interaction, &at, &half->spring[contact->y0], half->pull);
    *stands = *stands && fabs(half->spring[contact->y0] - before) <= 0x1p-45 * fabs(before);
  }
  return status;
}

nsds_status nsds_rattle_pull_second(const nsds_plan *plan, const nsds_second_half *half,
                                    double *p) {
  size_t nv = plan->model->size.nv;
  nsds_status status = NSDS_OK;
  double *pull = half->pull + nv;
  if (plan->count.mixed == 0) return NSDS_OK;
  nsds_zero_doubles(pull, nv);
  for (int c = 0; !status && c < plan->ninteraction; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    double lambda;
    if (!nsds_rattle_is_spring(contact)) continue;
    status = add_pull(plan, contact->interaction, &plan->trial, &lambda, pull);
    half->spring[contact->y0] = 0.5 * (half->spring[contact->y0] + lambda);
  }
  for (size_t k = 0; k < nv; ++k) {
    p[k] += pull[k];
    half->pull[k] += pull[k];
  }
  return status;
}

void nsds_rattle_end_springs(const nsds_plan *plan, const nsds_second_half *half) {
  const nsds_state *trial = &plan->trial;
  if (plan->count.mixed == 0) return;
  for (size_t k = 0; k < plan->model->size.nv; ++k) trial->p[k] += half->pull[k];
  for (int c = 0; c < plan->ninteraction; ++c) {
    int at = plan->contact[c].y0;
    if (nsds_rattle_is_spring(&plan->contact[c]))
      trial->impulse[at] = trial->force[at] = half->spring[at];
  }
}
