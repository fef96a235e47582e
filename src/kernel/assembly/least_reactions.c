/*
 * Chooses redundant reactions of a step. If rows of a small problem depend on each other, many
 * impulses solve it, and these may differ in their effect on a sliding body. The solution of least
 * squares does not depend on the order of contacts and keeps the symmetry of a model. Larger
 * problems, such as piles, keep the solution nearest to the step before.
 */
#include "kernel/assembly/least_reactions.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/problems.h"
#include "numerics/refine_even.h"

nsds_status nsds_one_step_reserve_least(nsds_one_step *o) {
  size_t ny = o->op.plan->model->size.ny;
  size_t rows = ny < nsds_least_rows ? ny : nsds_least_rows;
  if (rows < 2 || o->op.displaces) return NSDS_OK;
  nsds_status status = nsds_grow(o->op.plan->context, &o->least.dense, &o->least.dense_capacity,
                                 rows * rows, sizeof *o->least.dense);
  if (!status)
    status = nsds_grow(o->op.plan->context, &o->least.z, &o->least.z_capacity, 2 * nsds_least_rows,
                       sizeof *o->least.z);
  o->least.stamp = 0;
  return status ? status : nsds_refiner_reserve(&o->least.refiner, o->op.plan->context, (int)rows);
}

/* Returns true if at least two laws are not equalities. dependent.c handles joints alone. */
static bool may_be_redundant(const nsds_one_step *o) {
  int pushing = 0;
  if (!o->form->whole || o->problem.n > nsds_least_rows) return false;
  for (int a = 0; a < o->problem.nblock && pushing < 2; ++a)
    pushing += o->problem.block[a].set != NSDS_SET_EQUALITY;
  return pushing > 1;
}

static bool has_friction(const nsds_problem *p) {
  bool any = false;
  for (int a = 0; a < p->nblock; ++a)
    any = any || p->block[a].set == NSDS_SET_COULOMB || p->block[a].set == NSDS_SET_ROLLING;
  return any;
}

/* Returns true if the solver came back with the impulses of the step before, and these solve the problem
 * to rounding. The errors that its tolerance allows would add up: a body at rest would come to lean on
 * some of its feet. The answer follows from the state alone, as a run that goes on from a snapshot has
 * nothing else. */
static bool is_chosen(const nsds_one_step *o, const nsds_solver_info *info) {
  return (!has_friction(&o->problem) || info->residual <= 2e-15) &&
         memcmp(o->least.z + nsds_least_rows, o->z, (size_t)o->problem.n * sizeof *o->z) == 0;
}

void nsds_least_reactions_find(nsds_one_step *o, nsds_solver_info *info) {
  nsds_problem dense = o->problem;
  if (!may_be_redundant(o) || is_chosen(o, info)) return;
  if (dense.M.storage != NSDS_DENSE) {
    const nsds_matrix *M = &o->problem.M;
    if (M->stamp == 0 || o->least.stamp != M->stamp)
      nsds_problem_to_dense(&o->problem, o->least.dense);
    o->least.stamp = M->stamp;
    dense.M = (nsds_matrix){.storage = NSDS_DENSE,
                            .n = dense.n,
                            .x = o->least.dense,
                            .stamp = M->stamp,
                            .pattern = M->pattern};
  }
  size_t n = (size_t)dense.n;
  if (nsds_refine_evenly(&o->least.refiner, &dense, o->least.z + nsds_least_rows, o->z, o->w, NULL))
    info->residual = nsds_refiner_certify(&o->least.refiner, &dense, o->z, o->w);
  nsds_copy_doubles(o->least.z, o->z, n);
}
