/*
 * Computes displacements that lead gaps back, see displacement.h. The problem is an instance of the
 * one-step problem with gains of its own, whose q is y and whose solution moves q.
 */
#include "kernel/assembly/displacement.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/assembly/reduced.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/terms.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "numerics/linear/product.h"
#include "numerics/solver_run.h"

#include <float.h>

static nsds_displacement *displacement_of(nsds_one_step *o) {
  return (nsds_displacement *)(void *)o;
}

/* ---- gaps of laws ---------------------------------------------------------------------------- */

/* Returns the set of the multipliers of a law's gaps; 0: the law keeps no gaps. A relay with finite
 * bounds is a friction. */
static int set_of(const nsds_contact *contact) {
  const nsds_block block = nsds_law_block(contact->law);
  bool upper = block.set == NSDS_SET_BOX, lower = upper;
  for (int i = 0; i < block.size && block.set == NSDS_SET_BOX; ++i) {
    upper = upper && block.upper[i] == INFINITY;
    lower = lower && block.lower[i] == -INFINITY;
  }
  switch (block.set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE: return (int)block.set;
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: return NSDS_SET_NONNEGATIVE;
  case NSDS_SET_BOX: return !upper ? 0 : lower ? NSDS_SET_EQUALITY : NSDS_SET_NONNEGATIVE;
  default: return 0;
  }
}

bool nsds_displacement_keeps(const nsds_contact *contact) {
  bool constrains = nsds_contact_is_rigid(contact);
  if (contact->interaction) constrains = constrains || contact->interaction->relation->yields;
  return constrains && !contact->law->ops->compliance && set_of(contact) != 0;
}

bool nsds_displacement_unilateral(const nsds_contact *contact) {
  return nsds_displacement_keeps(contact) && set_of(contact) == NSDS_SET_NONNEGATIVE;
}

/* Returns true if the gaps of a copy are equalities of the problem. */
static bool is_equality(const nsds_displacement *d, const nsds_contact *contact, int copy) {
  int at = contact->y0 + copy * contact->size;
  return d->pulls || set_of(contact) != NSDS_SET_NONNEGATIVE ||
         ((size_t)at < d->marks && d->active[at] == NSDS_GAP_PULLED);
}

static int displacement_blocks(const nsds_one_step *o, int c, nsds_block *block) {
  const nsds_contact *contact = &o->op.plan->contact[c];
  const nsds_displacement *d = (const nsds_displacement *)(const void *)o;
  const unsigned char *on = o->op.entry[c].more->on;
  int count = 0;
  for (int k = 0; k < contact->ncopy; ++k) {
    nsds_set_kind set = is_equality(d, contact, k) ? NSDS_SET_EQUALITY : NSDS_SET_NONNEGATIVE;
    if (on && !on[k]) continue;
    if (count == 0 || block[count - 1].set != set) block[count++] = (nsds_block){.set = set};
    block[count - 1].size += contact->law->ngap;
  }
  return count;
}

/* ---- the formulation ------------------------------------------------------------------------- */

/* Returns true for a row over a tree whose gap the joints of the tree keep at zero. */
static bool is_implied(const nsds_one_step *o, const nsds_contact *contact, int i) {
  const nsds_displacement *d = (const nsds_displacement *)(const void *)o;
  return d->implied && contact->is.lifted && d->implied[contact->y0 + i];
}

/* Sets q = y of the rows in use and z = 0. */
static void displacement_constant_term(nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    const unsigned char *on = o->op.entry[o->set.active[a]].more->on;
    const double *y = plan->trial.y + contact->y0;
    int r = o->reduced.row[a];
    for (int k = 0; k < contact->ncopy; ++k)
      for (int i = 0; (!on || on[k]) && i < contact->law->ngap; ++i, ++r) {
        o->q[r] = is_implied(o, contact, k * contact->size + i) ? 0.0 : y[k * contact->size + i];
        o->z[r] = 0.0;
      }
  }
}

/* Computes step = Y z. */
static void displacement_apply(nsds_one_step *o) {
  double *step = displacement_of(o)->step;
  nsds_zero_doubles(step, o->op.plan->model->size.nv);
  for (int a = 0; a < o->set.nactive; ++a) {
    const double *z = o->z + o->reduced.row[a];
    const nsds_edge *edge = o->reduced.edge + o->reduced.first_edge[a],
                    *end = o->reduced.edge + o->reduced.first_edge[a + 1];
    for (; edge < end; ++edge)
      nsds_add_product(edge->size, o->reduced.row[a + 1] - o->reduced.row[a], edge->Y, edge->size,
                       z, step + edge->column);
  }
}

void nsds_displacement_create(nsds_plan *plan, bool coordinates, bool pulls, nsds_displacement *d) {
  nsds_one_step_create(plan, true, &d->problem);
  d->pulls = pulls;
  d->form = (nsds_formulation){.name = "displacement",
                               .prepare = nsds_reduced_prepare,
                               .assemble = nsds_reduced_assemble,
                               .form_matrix = nsds_reduced_form_matrix,
                               .constant_term = displacement_constant_term,
                               .apply = displacement_apply};
  d->problem.form = &d->form;
  d->problem.op.displaces = true;
  d->problem.blocks = displacement_blocks;
  d->problem.op.coordinates = coordinates;
}

nsds_status nsds_displacement_solvers(nsds_displacement *d) {
  nsds_context *context = d->problem.op.plan->context;
  if (!d->problem.solver) d->problem.solver = nsds_solver_create(context, "auto");
  if (!d->nearest) d->nearest = nsds_solver_create(context, "admm");
  if (!d->problem.solver || !d->nearest) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_solver_judge_by_terms(d->problem.solver);
  if (!status) status = nsds_solver_judge_by_terms(d->nearest);
  if (!status) status = nsds_solver_set(d->problem.solver, "tolerance", 1e-8);
  if (!status) status = nsds_solver_set(d->nearest, "tolerance", 1e-8);
  return status ? status : nsds_solver_set(d->nearest, "max_iterations", 500);
}

void nsds_displacement_destroy(nsds_displacement *d) {
  nsds_plan *plan = d->problem.op.plan;
  if (!plan) return;
  nsds_solver_free(d->problem.solver);
  nsds_solver_free(d->nearest);
  nsds_one_step_destroy(&d->problem);
  nsds_release(plan->context, d->active);
  nsds_release(plan->context, d->way);
  nsds_release(plan->context, d->before);
}

nsds_status nsds_displacement_reserve(nsds_displacement *d) {
  nsds_context *context = d->problem.op.plan->context;
  nsds_state_size size = d->problem.op.plan->model->size;
  nsds_status status =
      nsds_grow(context, &d->active, &d->active_capacity, size.ny, sizeof *d->active);
  if (!status) status = nsds_grow(context, &d->way, &d->way_capacity, 2 * size.nv, sizeof *d->way);
  if (!status)
    status = nsds_grow(context, &d->before, &d->before_capacity, size.nq, sizeof *d->before);
  if (status) return status;
  d->count = size.nv;
  d->rearranged = d->problem.op.plan->model->systems.rearranged;
  d->step = d->way + size.nv;
  return NSDS_OK;
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* Builds the blocks anew, though the contacts may be the same. */
static void renew_blocks(nsds_one_step *o) {
  for (int a = 0; a < o->reduced.nplaced; ++a) o->reduced.placed[a] = 0;
  o->set.built = 0;
}

nsds_status nsds_displacement_choose(nsds_displacement *d, const nsds_one_step *velocity,
                                     const unsigned char *held) {
  const nsds_plan *plan = velocity->op.plan;
  bool pulled = false;
  if (plan->model->size.ny > 0) memset(d->active, 0, plan->model->size.ny);
  for (int a = 0; a < velocity->set.nactive; ++a) {
    int c = velocity->set.active[a];
    const nsds_contact *contact = &plan->contact[c];
    const unsigned char *on = velocity->op.entry[c].more->on;
    if (!nsds_displacement_keeps(contact)) continue;
    for (int k = 0; k < contact->ncopy; ++k) {
      int at = contact->y0 + k * contact->size;
      bool pulls = held && held[at] == NSDS_GAP_PULLED && plan->trial.impulse[at] > 0.0;
      d->active[at] = on && !on[k] ? NSDS_GAP_LEFT : pulls ? NSDS_GAP_PULLED : NSDS_GAP_KEPT;
      pulled = pulled || pulls;
    }
  }
  bool implies = plan->tree && nsds_one_step_leaves_out(velocity);
  d->implied = implies ? velocity->dependent.left_out : NULL;
  if (pulled || d->marks > 0) renew_blocks(&d->problem);
  d->marks = pulled ? plan->model->size.ny : 0;
  nsds_zero_doubles(d->way, plan->model->size.nv);
  return nsds_one_step_select(&d->problem, 0.0, d->active);
}

void nsds_displacement_follow(const nsds_plan *plan, const double *way,
                              const nsds_contact *contact) {
  double *y = plan->trial.y + contact->y0;
  const double *H = contact->H;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = r->column; k < r->column + r->size; ++k, H += contact->m)
      for (int i = 0; i < contact->law->ngap; ++i) y[i] += H[i] * way[k];
}

/* Raises *violation to the largest one of the gaps of a contact in use. Violations above the
 * tolerance that are rounding of the terms of their gap do not count: no displacement mends them. */
static void raise_violation(const nsds_displacement *d, int a, double tolerance,
                            double *violation) {
  const nsds_one_step *o = &d->problem;
  const nsds_plan *plan = o->op.plan;
  const nsds_contact *contact = &plan->contact[o->set.active[a]];
  const nsds_entry *entry = &o->op.entry[o->set.active[a]];
  const unsigned char *on = entry->more->on;
  for (int r = o->reduced.row[a], k = 0; k < contact->ncopy; ++k)
    for (int i = 0; (!on || on[k]) && i < contact->law->ngap; ++i, ++r) {
      double off = is_equality(d, contact, k) ? fabs(o->q[r]) : -o->q[r];
      if (off <= *violation) continue;
      double terms =
          off > tolerance ? nsds_terms_of_gap(plan, contact, entry->H, k * contact->size + i) : 0.0;
      if (!(off <= 8.0 * DBL_EPSILON * terms)) *violation = off; /* also if it is not a number */
    }
}

nsds_status nsds_displacement_measure(nsds_displacement *d, double tolerance, double *violation) {
  nsds_one_step *o = &d->problem;
  nsds_plan *plan = o->op.plan;
  *violation = 0.0;
  for (int a = 0; a < o->set.nactive; ++a) {
    nsds_contact *contact = &plan->contact[o->set.active[a]];
    nsds_status status = contact->ops->output(plan, contact);
    if (status) return status;
    if (contact->found.set) nsds_displacement_follow(plan, d->way, contact);
  }
  displacement_constant_term(o);
  for (int a = 0; a < o->set.nactive; ++a) raise_violation(d, a, tolerance, violation);
  return NSDS_OK;
}

/* Factors G of every system at the trial state. Constant gains are factored once. */
static nsds_status factor_gains(nsds_displacement *d) {
  nsds_one_step *o = &d->problem;
  const nsds_plan *plan = o->op.plan;
  bool kept = !nsds_versions_missed(&d->seen, &plan->seen.of, NSDS_NEW_GRAPH | NSDS_NEW_VALUES);
  d->seen.graph = 0;
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    const nsds_ds *ds = slot->ds;
    bool curved = o->op.coordinates && nsds_is_second_order(ds) && ds->ops->velocity_map;
    bool stays = o->op.coordinates ? !curved : !slot->M || ds->mass.constant;
    if (nsds_is_first_order(ds) || slot->is.jointed || (kept && stays)) continue;
    char label[nsds_label_size];
    if (curved && ds->mass.p && !slot->pattern.diagonal)
      return nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
                       "%s has a sparse mass and a velocity map: its coordinates have no metric "
                       "here; valid is a projection in that of the mass",
                       nsds_ds_label(ds, label));
    nsds_status status =
        nsds_gain_factor(slot, plan->trial.q + slot->q0, plan->trial.v + slot->v0, &o->op.gain[s]);
    if (status) return status;
  }
  d->seen = plan->seen.of;
  return NSDS_OK;
}

/* Computes H and Y of the active contacts at the trial state, and M. */
static nsds_status displacement_linearise(nsds_displacement *d) {
  nsds_one_step *o = &d->problem;
  nsds_plan *plan = o->op.plan;
  nsds_status status = factor_gains(d);
  if (!status && plan->tree) status = nsds_plan_tree_factor_mass(plan);
  for (int a = 0; !status && a < o->set.nactive; ++a) {
    int c = o->set.active[a];
    const nsds_interaction *ia = plan->contact[c].interaction;
    if (!plan->contact[c].is.affine) {
      status = nsds_gradient_at(ia, &plan->trial, plan->trial.force, o->op.entry[c].H,
                                plan->memory.work);
      for (int i = 0; d->implied && i < ia->m; ++i)
        for (int k = 0; is_implied(o, &plan->contact[c], i) && k < ia->nv; ++k)
          o->op.entry[c].H[i + (ptrdiff_t)k * ia->m] = 0.0;
    }
    if (!status) nsds_contact_operator_form_y(&o->op, c);
  }
  nsds_contact_operator_restamp(&o->op);
  if (!status) o->form->form_matrix(o);
  return status;
}

nsds_status nsds_displacement_move(nsds_displacement *d) {
  nsds_one_step *o = &d->problem;
  nsds_plan *plan = o->op.plan;
  nsds_solver_info info;
  nsds_copy_doubles(d->before, plan->trial.q, plan->model->size.nq);
  nsds_status status = displacement_linearise(d);
  if (!status) status = nsds_one_step_solve(o, &info);
  if (status == NSDS_ERROR_SOLVER) status = nsds_solve(d->nearest, &o->problem, o->z, o->w, &info);
  if (status && status != NSDS_ERROR_SOLVER) return status;
  displacement_apply(o);
  if (plan->tree) nsds_plan_tree_displace(plan, d->step);
  for (size_t k = 0; k < plan->model->size.nv; ++k) d->way[k] += d->step[k];
  return nsds_slots_move(plan, d->step);
}

void nsds_displacement_undo(nsds_displacement *d) {
  nsds_plan *plan = d->problem.op.plan;
  nsds_copy_doubles(plan->trial.q, d->before, plan->model->size.nq);
  if (plan->tree) nsds_plan_tree_come_back(plan);
  for (size_t k = 0; k < plan->model->size.nv; ++k) d->way[k] -= d->step[k];
}
