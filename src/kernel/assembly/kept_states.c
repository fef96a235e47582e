/*
 * Relays with hysteresis keep their state. If D of a row between bounds is negative, both bounds
 * obey the law between two thresholds, and a solver takes either.
 *
 *   pin      rows that begin at a bound stay there, and the others are solved for
 *   release  pinned rows whose w has the wrong sign are free again; the problem is solved anew
 *
 * If the rows still pinned obey their law, the result solves the whole problem. Without pinned rows
 * the solver decides. Event-driven simulation keeps the modes of such rows in the same way.
 */
#include "kernel/assembly/kept_states.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/unreduced.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/modeling.h"

static const double nearly = 1e-9; /* of the width of a box: z this near to a bound is at it */

static bool may_keep(const nsds_model *model) {
  bool any = false;
  for (size_t k = 0; k < model->interaction.count; ++k) {
    const nsds_interaction *ia = model->interaction.item[k];
    const nsds_relation_ops *ops = ia->relation->ops;
    any = any || (ia->law->set == NSDS_SET_BOX &&
                  (ops->feedthrough != NULL || ops->jacobian_lambda != NULL));
  }
  return any;
}

static nsds_status reserve_kept_rows(nsds_one_step *o, size_t rows, size_t blocks) {
  nsds_context *context = o->op.plan->context;
  nsds_status status = nsds_grow(context, &o->kept.bounds, &o->kept.bounds_capacity, 2 * rows,
                                 sizeof *o->kept.bounds);
  return status ? status
                : nsds_grow(context, &o->kept.block, &o->kept.block_capacity, blocks + 1,
                            sizeof *o->kept.block);
}

nsds_status nsds_kept_states_reserve(nsds_one_step *o) {
  size_t ny = o->op.plan->model->size.ny;
  if (o->op.displaces || !may_keep(o->op.plan->model)) return NSDS_OK;
  return reserve_kept_rows(o, ny, ny);
}

/* Returns the number of unknowns before the rows. */
static int unknowns_before(const nsds_one_step *o) {
  return o->form == &nsds_unreduced ? (int)o->op.plan->model->size.nv : 0;
}

/* Returns D of row i of the problem, a row of active contact a; 0: there is none. */
static double own_feedthrough(const nsds_one_step *o, int a, int first, int i) {
  const nsds_contact *contact = &o->op.plan->contact[o->set.active[a]];
  const double *D = o->op.entry[o->set.active[a]].D;
  bool direct = nsds_acts_on_states(contact->kind); /* z is lambda, and all rows take part */
  return direct && D ? D[(i - first) * (contact->m + 1)] : 0.0;
}

/* Pins row k of the block, which has its own bounds here, if z is at one of them. */
static bool pin_row(const nsds_block *block, int k, double z, double *lower, double *upper) {
  double width = block->upper[k] - block->lower[k];
  if (!(width > 0.0) || !isfinite(width)) return false;
  if (z <= block->lower[k] + nearly * width) *upper = *lower;
  else if (z >= block->upper[k] - nearly * width) *lower = *upper;
  return *lower == *upper;
}

/* Copies the blocks and pins rows. Returns the number of pinned rows. */
static int pin_rows(nsds_one_step *o) {
  int nv = unknowns_before(o), pinned = 0, a = 0;
  double *lower = o->kept.bounds, *upper = lower + (o->problem.n - nv);
  for (int b = 0, i = 0; b < o->problem.nblock; i += o->problem.block[b++].size) {
    nsds_block *own = &o->kept.block[b];
    *own = o->problem.block[b];
    if (own->set != NSDS_SET_BOX) continue;
    while (a + 1 < o->set.nactive && i >= nsds_one_step_first_row(o, a + 1)) ++a;
    own->lower = lower + i - nv;
    own->upper = upper + i - nv;
    for (int k = 0; k < own->size; ++k) {
      double *least = lower + i - nv + k, *most = upper + i - nv + k;
      *least = o->problem.block[b].lower[k];
      *most = o->problem.block[b].upper[k];
      if (own_feedthrough(o, a, nsds_one_step_first_row(o, a), i + k) < 0.0)
        pinned += pin_row(&o->problem.block[b], k, o->z[i + k], least, most);
    }
  }
  return pinned;
}

/* Frees the pinned rows whose law w breaks. Returns their number. */
static int release_rows(nsds_one_step *o) {
  int nv = unknowns_before(o), released = 0;
  double *lower = o->kept.bounds, *upper = lower + (o->problem.n - nv);
  for (int b = 0, i = 0; b < o->problem.nblock; i += o->problem.block[b++].size) {
    const nsds_block *given = &o->problem.block[b], *own = &o->kept.block[b];
    for (int k = 0; given->set == NSDS_SET_BOX && k < given->size; ++k) {
      if (own->lower[k] != own->upper[k] || given->lower[k] == given->upper[k]) continue;
      bool low = own->lower[k] == given->lower[k];
      if (low ? o->w[i + k] >= 0.0 : o->w[i + k] <= 0.0) continue;
      lower[i - nv + k] = given->lower[k];
      upper[i - nv + k] = given->upper[k];
      ++released;
    }
  }
  return released;
}

static nsds_status solve_pinned(nsds_one_step *o, nsds_solver_info *info) {
  const nsds_block *given = o->problem.block;
  o->problem.block = o->kept.block;
  nsds_status status = nsds_one_step_solve(o, info);
  o->problem.block = given;
  return status;
}

nsds_status nsds_one_step_solve_kept(nsds_one_step *o, nsds_solver_info *info) {
  /* found contacts have rows beside those of interactions */
  nsds_status status =
      reserve_kept_rows(o, (size_t)(o->problem.n - unknowns_before(o)), (size_t)o->problem.nblock);
  if (status) return status;
  int pinned = pin_rows(o);
  while (pinned > 0) {
    status = solve_pinned(o, info);
    if (status == NSDS_ERROR_SOLVER) break;
    int released = status ? 0 : release_rows(o);
    if (released == 0) return status;
    pinned -= released;
  }
  return nsds_one_step_solve(o, info);
}
