/*
 * Looks at the contacts at the start of a run, and warns of two things that are mistakes in most models:
 *
 *   depth    A contact overlaps deeply: y < -1e-3 s, s the sum of the terms of y.
 *   joint    A contact set has found a contact, closed or nearly, of two bodies that a joint holds
 *            together. Where the contact lies in the joint, the velocities of both are the same: the
 *            forces have no bound, and steps fail.
 */
#include "kernel/assembly/start_contacts.h"

#include "base/context.h"
#include "kernel/assembly/displacement.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/terms.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"

static const double deep = 1e-3; /* of the terms of y */

/* Writes dy/dv of a contact at the present state to *H. */
static nsds_status gradient_at_start(nsds_plan *plan, const nsds_contact_operator *op, int c,
                                     const double **H) {
  const nsds_contact *contact = &plan->contact[c];
  const nsds_interaction *ia = contact->interaction;
  const nsds_state *now = &plan->model->state;
  *H = contact->is.affine || !ia ? contact->H : op->entry[c].H;
  if (contact->is.affine || !ia) return NSDS_OK;
  return nsds_gradient_at(ia, now, now->force, op->entry[c].H, plan->memory.work);
}

/* Writes the least y of a contact, and what part of its terms it is. Without overlap, contacts of
 * interactions are far away. */
static nsds_status look_at_gaps(nsds_plan *plan, const nsds_contact_operator *op, int c,
                                double *part, double *y) {
  const nsds_contact *contact = &plan->contact[c];
  const double *H, *all = plan->model->state.y + contact->y0;
  int row = 0;
  for (int i = 0; i < contact->m; i += contact->size)
    if (all[i] < all[row]) row = i;
  *y = all[row];
  *part = INFINITY;
  if (*y >= 0.0 && contact->interaction) return NSDS_OK;
  nsds_status status = gradient_at_start(plan, op, c, &H);
  if (status) return status;
  double terms = nsds_terms_of_gap_at(plan, contact, H, &plan->model->state, row);
  *part = terms > 0.0 ? *y / terms : 0.0;
  return NSDS_OK;
}

/* Returns the joint that holds both bodies of a contact together; NULL: none. */
static const nsds_interaction *joint_between(const nsds_plan *plan, const nsds_contact *contact) {
  int s = contact->reach[0].slot, t = contact->reach[1].slot;
  for (int c = 0; c < plan->ninteraction; ++c) {
    const nsds_contact *other = &plan->contact[c];
    if (other->nds != 2 || (other->active && !other->is.built_in) ||
        !nsds_joint_has_points(other->interaction))
      continue;
    int u = other->reach[0].slot, v = other->reach[1].slot;
    if ((u == s && v == t) || (u == t && v == s)) return other->interaction;
  }
  return NULL;
}

static void warn_of_joint(const nsds_plan *plan, const nsds_contact *contact,
                          const nsds_interaction *joint) {
  char first[nsds_label_size], second[nsds_label_size], label[nsds_label_size];
  nsds_log(plan->context, NSDS_LOG_WARNING,
           "%s and %s touch at the start, and %s holds them together: the contact works against "
           "the joint; put their shapes into one group, or exclude the pair "
           "(nsds_shapes_exclude())",
           nsds_ds_label(plan->slot[contact->reach[0].slot].ds, first),
           nsds_ds_label(plan->slot[contact->reach[1].slot].ds, second),
           nsds_interaction_label(joint, label));
}

static void warn_of_depth(const nsds_plan *plan, const nsds_contact *contact, double y, int more,
                          bool closes) {
  char label[nsds_label_size], first[nsds_label_size], second[nsds_label_size] = "",
                                                       others[64] = "";
  if (more > 0) snprintf(others, sizeof others, " (and %d more)", more);
  if (contact->nds > 1) nsds_ds_label(plan->slot[contact->reach[1].slot].ds, second);
  nsds_log(plan->context, NSDS_LOG_WARNING,
           "%s of %s%s%s overlaps by %g at the start%s: %s; start with y >= 0",
           nsds_contact_label(contact, label),
           nsds_ds_label(plan->slot[contact->reach[0].slot].ds, first), second[0] ? " and " : "",
           second, -y, others,
           closes ? "the first step moves its systems apart"
                  : "laws act on velocities and do not close a wrong gap");
}

nsds_status nsds_start_contacts_warn(nsds_plan *plan, const nsds_contact_operator *op,
                                     bool closes) {
  const nsds_contact *worst = NULL, *held = NULL;
  const nsds_interaction *joint = NULL;
  double least = 0.0;
  int count = 0;
  plan->search.start_seen = true;
  if (plan->model->accepted != 0) return NSDS_OK;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    double part, y;
    if (!contact->active || !nsds_displacement_unilateral(contact)) continue;
    nsds_status status = look_at_gaps(plan, op, c, &part, &y);
    if (status) return status;
    if (!held && contact->found.set && contact->nds == 2 && part <= deep) {
      joint = joint_between(plan, contact);
      held = joint ? contact : NULL;
    }
    if (!(part < -deep)) continue;
    ++count;
    if (y < least) least = y, worst = contact;
  }
  if (held) warn_of_joint(plan, held, joint);
  else if (worst) warn_of_depth(plan, worst, least, count - 1, closes);
  return NSDS_OK;
}
