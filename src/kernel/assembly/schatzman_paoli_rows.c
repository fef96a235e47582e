/*
 * Formulations for affine relations between second-order systems and laws of one row, reduced to
 * impulses:
 *
 *   weighted  the unknown is the mean velocity s = (q_{k+1} - q_k) / h,
 *             w = [y_{k+1} + e y_{k-1}] / h,  y_{k+1} / h = H s + y_k / h,
 *             y_{k-1} / h = y_k / h - H s'
 *   held      w = H u
 *   struck    w = H u + e H u_free
 *
 * 0 <= w perpendicular to P >= 0, or w = 0 for equalities. The law adds e y_{k-1} / h or e H u_free
 * like its memory of dy/dt. The mean velocity of the step before, s' = 2 v_k - s_free, follows from
 * the state. The problem of weighted positions has all contacts, because an impulse may close any
 * of them.
 */
#include "kernel/assembly/schatzman_paoli_rows.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/reduced.h"
#include "kernel/assembly/reduced_rows.h"
#include "kernel/assembly/terms.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "numerics/linear/product.h"

#include <float.h>
#include <stdio.h>

static const double rounding = 1e-10; /* of a gap's terms, in the program's gaps */

static nsds_status schatzman_paoli_rows_refuse(const nsds_one_step *o, const char *name,
                                               const char *why) {
  return nsds_fail(o->op.plan->context, NSDS_ERROR_UNSUPPORTED, "%s: %s: %s", o->form->scheme, name,
                   why);
}

static nsds_status schatzman_paoli_rows_admit(const nsds_one_step *o, const nsds_contact *contact) {
  char label[nsds_label_size], relation[nsds_label_size], name[3 * nsds_label_size];
  const nsds_interaction *ia = contact->interaction;
  nsds_set_kind set = contact->law->set;
  snprintf(name, sizeof name, "%s (%s, law %s)", nsds_interaction_label(ia, label),
           nsds_relation_label(ia->relation, relation), nsds_law_called(ia->law));
  if (nsds_acts_on_states(ia->relation->kind))
    return schatzman_paoli_rows_refuse(o, name,
                                       "it ties systems of first order; valid is Moreau-Jean");
  if (ia->law->size > 1)
    return schatzman_paoli_rows_refuse(
        o, name,
        "a copy of its law has more than one row; valid are laws of one row, and Moreau-Jean");
  if (set != NSDS_SET_NONNEGATIVE && set != NSDS_SET_EQUALITY)
    return schatzman_paoli_rows_refuse(
        o, name,
        "its law is about more than a gap; valid are nsds_newton_impact(), "
        "nsds_complementarity() and nsds_equality()");
  if (!contact->is.affine || !nsds_relation_is_rigid(ia->relation) || ia->law->ops->compliance)
    return schatzman_paoli_rows_refuse(
        o, name,
        "its relation is not affine, or has a part in lambda; valid is "
        "nsds_lagrangian_linear_relation()");
  return NSDS_OK;
}

static nsds_status schatzman_paoli_rows_prepare(nsds_one_step *o) {
  const nsds_model *model = o->op.plan->model;
  char label[nsds_label_size];
  if (model->set.count > 0)
    return schatzman_paoli_rows_refuse(o, nsds_contact_set_label(model->set.item[0], label),
                                       "contact sets are not affine; valid is Moreau-Jean");
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    if (nsds_is_first_order(ds) || ds->own.integrator)
      return schatzman_paoli_rows_refuse(
          o, nsds_ds_label(ds, label),
          nsds_is_first_order(ds) ? "it is of first order; valid is Moreau-Jean"
                                  : "it has an integrator of its own; valid is Moreau-Jean");
  }
  return nsds_reduced_prepare(o);
}

/* Writes H u_free of the active rows of contact a to q. z starts from the last impulses. */
static void schatzman_paoli_rows_start_rows(nsds_one_step *o, int a) {
  const nsds_plan *plan = o->op.plan;
  const nsds_contact *contact = &plan->contact[o->set.active[a]];
  const unsigned char *on = o->op.entry[o->set.active[a]].more->on;
  int rows = o->reduced.row[a + 1] - o->reduced.row[a];
  double *q = o->q + o->reduced.row[a], *z = o->z + o->reduced.row[a];
  for (int i = 0; i < contact->m; ++i)
    if (!on || on[i]) *z++ = plan->trial.impulse[contact->y0 + i];
  nsds_zero_doubles(q, (size_t)rows);
  for (int e = o->reduced.first_edge[a]; e < o->reduced.first_edge[a + 1]; ++e)
    nsds_add_product(rows, o->reduced.edge[e].size, o->reduced.edge[e].H, rows,
                     plan->v_free + o->reduced.edge[e].column, q);
}

static void weigh_positions(nsds_one_step *o) {
  const nsds_state *now = &o->op.plan->model->state;
  double rate = 1.0 / o->op.plan->scheme->h;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &o->op.plan->contact[o->set.active[a]];
    double *q = o->q + o->reduced.row[a];
    schatzman_paoli_rows_start_rows(o, a);
    for (int i = 0; i < contact->m; ++i) {
      double free = q[i], y = rate * now->y[contact->y0 + i];
      double before = y - (2.0 * now->ydot[contact->y0 + i] - free);
      q[i] = free + y;
      if (contact->restitution) contact->restitution(contact->law_self, &before, q + i);
    }
  }
}

/* Returns true if the program has placed the systems there or has connected them there. */
static bool placed(const nsds_model *model, const nsds_interaction *ia) {
  bool put = nsds_is_newer(ia->connected, model->accepted);
  for (int k = 0; (model->moved || model->accepted == 0) && k < ia->nds; ++k)
    put = put || nsds_is_newer(ia->ds[k]->changed, model->accepted);
  return put;
}

/* Refuses gaps below zero that were not crossed in this step, except for rounding and h times the
 * speed that forces give in a step. The way back would take one step, at the speed y / h, which
 * would remain. */
static nsds_status check_gaps(const nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  const nsds_state *now = &plan->model->state;
  double h = plan->scheme->h;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    const nsds_interaction *ia = contact->interaction;
    if (contact->law->set != NSDS_SET_NONNEGATIVE || !placed(plan->model, ia)) continue;
    for (int i = 0; i < contact->m; ++i) {
      double y = now->y[contact->y0 + i], rate = now->ydot[contact->y0 + i], free = 0.0;
      for (int e = o->reduced.first_edge[a], end = o->reduced.first_edge[a + 1]; e < end; ++e)
        for (int k = 0; k < o->reduced.edge[e].size; ++k)
          free += o->reduced.edge[e].H[i + k * contact->m] *
                  plan->v_free[o->reduced.edge[e].column + k];
      double slack = rounding * nsds_terms_of_gap_at(plan, contact, contact->H, now, i) +
                     DBL_EPSILON + 2.0 * h * fabs(free - rate),
             before = y - h * (2.0 * rate - free);
      if (y >= -slack || before >= -slack) continue;
      char label[nsds_label_size];
      return nsds_fail(
          plan->context, NSDS_ERROR_VALUE,
          "Schatzman-Paoli: %s: its gap y[%d] is %g at t = %.17g, where its systems have "
          "been put; the scheme would throw them out in one step, at %g; valid are gaps "
          ">= 0, or Moreau-Jean, which leaves gaps as they are",
          nsds_interaction_label(ia, label), i, y, plan->scheme->t, -y / h);
    }
  }
  return NSDS_OK;
}

static void schatzman_paoli_rows_hold(nsds_one_step *o) {
  for (int a = 0; a < o->set.nactive; ++a) schatzman_paoli_rows_start_rows(o, a);
}

static void schatzman_paoli_rows_strike(nsds_one_step *o) {
  schatzman_paoli_rows_hold(o);
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &o->op.plan->contact[o->set.active[a]];
    for (int r = o->reduced.row[a]; contact->restitution && r < o->reduced.row[a + 1]; ++r) {
      double before = o->q[r];
      contact->restitution(contact->law_self, &before, o->q + r);
    }
  }
}

#define NSDS_AFFINE_ROWS                                                                           \
  .admit = schatzman_paoli_rows_admit, .prepare = schatzman_paoli_rows_prepare,                    \
  .assemble = nsds_reduced_assemble, .form_matrix = nsds_reduced_form_matrix,                      \
  .apply = nsds_reduced_apply

const nsds_formulation nsds_weighted = {.name = "weighted positions",
                                        .scheme = "Schatzman-Paoli",
                                        .all = true,
                                        .constant_term = weigh_positions,
                                        .check = check_gaps,
                                        NSDS_AFFINE_ROWS};
const nsds_formulation nsds_held = {.name = "held",
                                    .scheme = "D1-minus",
                                    .constant_term = schatzman_paoli_rows_hold,
                                    NSDS_AFFINE_ROWS};
const nsds_formulation nsds_struck = {.name = "struck",
                                      .scheme = "D1-minus",
                                      .constant_term = schatzman_paoli_rows_strike,
                                      NSDS_AFFINE_ROWS};
