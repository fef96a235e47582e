/*
 * Refuses combinations that cannot work together, when a simulation is made or an interaction joins
 * it. The checks cover systems with their integrators, and relations and laws with the schemes of
 * their systems.
 */
#include "kernel/assembly/plan_check.h"

#include "base/context.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/relative_degree.h"
#include "kernel/modeling/scheme.h"
#include "numerics/solver_run.h"

#include <stdio.h>

/* Refuses an integrator without Newton's operations. */
static nsds_status refuse_nonlinear(const nsds_plan *plan, const nsds_slot *slot,
                                    const nsds_integrator *osi) {
  char label[nsds_label_size];
  return nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
                   "%s, or a relation it is in, is not linear: integrator '%s' has no evaluate, "
                   "tangent and solve",
                   nsds_ds_label(slot->ds, label), osi->name);
}

static nsds_status refuse_rates(const nsds_plan *plan, const nsds_slot *slot,
                                const nsds_integrator *osi) {
  char label[nsds_label_size];
  return nsds_fail(
      plan->context, NSDS_ERROR_UNSUPPORTED,
      "%s: its right-hand side depends on dx/dt, which integrator '%s' does not treat; "
      "valid are the theta-gamma schemes of time stepping",
      nsds_ds_label(slot->ds, label), osi->name);
}

/* Checks for a scheme that only all systems of an order can have. gamma of full theta-gamma is the
 * time of relations. */
static nsds_status check_scheme(const nsds_plan *plan, const nsds_ds *ds) {
  const nsds_discretisation *own = &ds->own.scheme;
  nsds_scheme_kind all = plan->schemes.kind[ds->order];
  bool common = own->kind == NSDS_FULL_THETA_GAMMA || own->kind == NSDS_SCHATZMAN_PAOLI ||
                own->kind == NSDS_D1_MINUS || own->kind == NSDS_RATTLE;
  bool held = all == NSDS_SCHATZMAN_PAOLI || all == NSDS_D1_MINUS || all == NSDS_RATTLE ||
              (all == NSDS_FULL_THETA_GAMMA && own->kind != NSDS_ZERO_ORDER_HOLD);
  char label[nsds_label_size];
  if (own->kind == NSDS_SCHEME_UNSAID || all == NSDS_SCHEME_UNSAID) return NSDS_OK;
  if (own->kind != all && (common || held))
    return nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
                     "%s has %s of its own, and the simulation %s, which all systems of order %d "
                     "share; valid is %s for both",
                     nsds_ds_label(ds, label), nsds_scheme_name(own->kind), nsds_scheme_name(all),
                     (int)ds->order, nsds_scheme_name(common ? own->kind : all));
  if (own->kind != NSDS_FULL_THETA_GAMMA || own->gamma == plan->schemes.first->relation_weight)
    return NSDS_OK;
  return nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
                   "%s has a gamma of its own (%g), but that of nsds_full_theta_gamma() is the "
                   "time at which relations hold; valid is the gamma of the simulation (%g)",
                   nsds_ds_label(ds, label), own->gamma, plan->schemes.first->relation_weight);
}

nsds_status nsds_plan_check_slot(const nsds_plan *plan, nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  const nsds_integrator *osi = slot->parts.integrator ? slot->parts.integrator : slot->osi;
  bool affine = slot->parts.integrator ? slot->parts.affine : slot->on.affine;
  nsds_status status = check_scheme(plan, ds);
  if (!status && slot->osi->check) status = slot->osi->check(&slot->on);
  if (status) return status;
  if (nsds_is_first_order(ds) && ds->damping.present && !osi->rates)
    return refuse_rates(plan, slot, osi);
  return affine || osi->evaluate ? NSDS_OK : refuse_nonlinear(plan, slot, osi);
}

/* Returns true if the law keeps a row's lambda between finite bounds. */
static bool bounded(const nsds_law *law, int row) {
  nsds_block block = nsds_law_block(law);
  int i = row % law->size;
  return block.set == NSDS_SET_DISC ||
         (block.set == NSDS_SET_BOX && isfinite(block.lower[i]) && isfinite(block.upper[i]));
}

/* Refuses or warns if lambda reaches y only through two or more integrations. Degrees from 3 on
 * have no consistent theta-gamma discretization; degree 2 has impulses in lambda. If the law bounds
 * lambda, y and its derivatives just arrive later. */
static nsds_status check_degree(const nsds_plan *plan, const nsds_interaction *ia) {
  double work = (double)ia->m * ia->m * ia->relation->nv;
  if (nsds_reads_positions(ia->relation->kind) || work > 1e7 || !nsds_degree_is_defined(ia))
    return NSDS_OK;
  char label[nsds_label_size];
  nsds_relation_label(ia->relation, label);
  for (int row = 0; row < ia->m; ++row) {
    int degree = nsds_search_degree(ia, row, ia->relation->nv, 1e-12, true);
    if (degree < 0) return NSDS_ERROR_MEMORY;
    if (degree > 1 && bounded(ia->law, row)) continue;
    if (degree > 2 && degree <= ia->relation->nv)
      return nsds_fail(
          plan->context, NSDS_ERROR_UNSUPPORTED,
          "interaction #%d (%s): row %d has relative degree %d; the first-order schemes "
          "treat degrees 0 and 1, and 2 with impulses",
          ia->index, label, row, degree);
    if (degree == 2 && degree <= ia->relation->nv)
      nsds_log(
          plan->context, NSDS_LOG_WARNING,
          "interaction #%d (%s): row %d has relative degree 2: lambda grows like 1/h where the "
          "motion has corners",
          ia->index, label, row);
  }
  return NSDS_OK;
}

/* Refuses parts of steps in rows that compute the end of a step from the velocities at both
 * ends. */
static nsds_status refuse_parts(const nsds_plan *plan, const nsds_interaction *ia,
                                const nsds_ds *ds) {
  char label[nsds_label_size], system[nsds_label_size];
  return nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
                   "%s is %s, and %s has a step ratio of its own (%d), whose coordinates do not "
                   "follow from its velocities at both ends of a step; valid is 1",
                   nsds_interaction_label(ia, label),
                   ia->relation->kind == NSDS_RELATION_MIXED ? "mixed" : "compliant",
                   nsds_ds_label(ds, system), ds->own.step_ratio);
}

nsds_status nsds_plan_check_law(const nsds_plan *plan, const nsds_law *law, const char *owner) {
  if (!law->impact.rule || !(plan->scheme->h > 0.0)) return NSDS_OK;
  return nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
                   "time stepping: law %s of %s is about single impacts, which event-driven "
                   "simulation has; valid is nsds_newton_impact()",
                   nsds_law_called(law), owner);
}

static nsds_status parameters_missing(const nsds_plan *plan, const nsds_interaction *ia) {
  char label[nsds_label_size], relation[nsds_label_size];
  return nsds_fail(plan->context, NSDS_ERROR_SIZE,
                   "%s: %s takes %d parameters Z, the systems and the relation have %d; give the "
                   "interaction the other %d by nsds_interaction_set_z()",
                   nsds_interaction_label(ia, label), nsds_relation_label(ia->relation, relation),
                   ia->nZ, ia->nZ - ia->nz, ia->nz);
}

nsds_status nsds_plan_check_interaction(const nsds_plan *plan, const nsds_interaction *ia) {
  bool gap = ia->relation->ops->jacobian_lambda && nsds_law_is_about_gap(ia->law);
  char label[nsds_label_size];
  if (ia->nz > 0 && isnan(ia->z[0])) return parameters_missing(plan, ia);
  double theta = plan->slot[ia->ds[0]->index].on.scheme->theta;
  for (int k = 0; nsds_has_gap(ia->relation->kind) && gap && k < ia->nds; ++k)
    if (plan->slot[ia->ds[k]->index].on.scheme->theta != theta || theta == 0.0)
      return nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
                       "%s is compliant, which needs theta > 0, the same for all its systems",
                       nsds_interaction_label(ia, label));
  for (int k = 0; (gap || ia->relation->kind == NSDS_RELATION_MIXED) && k < ia->nds; ++k)
    if (nsds_is_second_order(ia->ds[k]) && plan->slot[ia->ds[k]->index].parts.integrator)
      return refuse_parts(plan, ia, ia->ds[k]);
  nsds_status status = nsds_plan_check_law(plan, ia->law, nsds_interaction_label(ia, label));
  return status ? status : check_degree(plan, ia);
}

/* ---- the solver ------------------------------------------------------------------------------ */

/* Lists the built-in solvers that take this set, as many names as fit. */
static const char *list_solvers(nsds_set_kind set, char text[256]) {
  size_t length = 0;
  text[0] = '\0';
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global && length < 255; ++k) {
    const nsds_solver_row *row = nsds_solver_table(k);
    if (row->sets & (unsigned)set)
      length +=
          (size_t)snprintf(text + length, 256 - length, "%s%s", length ? ", " : "", row->name);
  }
  return text;
}

nsds_status nsds_plan_check_solver(const nsds_plan *plan, const nsds_solver *solver) {
  const nsds_solver_row *row = nsds_solver_get_row(solver);
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    nsds_set_kind set = contact->law->set;
    char label[nsds_label_size], names[256];
    if (row->sets & (unsigned)set) continue;
    return nsds_fail(plan->context, NSDS_ERROR_UNSUPPORTED,
                     "solver '%s' does not take the law %s of %s; valid are %s", row->name,
                     nsds_law_called(contact->law), nsds_contact_label(contact, label),
                     list_solvers(set, names));
  }
  return NSDS_OK;
}
