/*
 * The angular velocity W of a body in space is in the body's axes. Contacts of sets are found once in a
 * step, at the attitude R*. Joints are linearized in each pass, at R_k. With R_k other than R* a body
 * that can only turn about a joint seems to move along the line from there to a contact, by |R_k - R*| |W|.
 * The gain along this line is of the order |R_k - R*|^2, so that impulses of the order 1 / h hold
 * the body in place. Hence
 *
 *   n . (v + R* W x r) = n . v + a . W,   a = R*^T (r x n),   becomes   n . v + (R_k^T R* a) . W,
 *
 * with r and n in the world, wherever a body has joints.
 */
#include "kernel/assembly/turned_rows.h"

#include "base/context.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/lifting.h"
#include "kernel/assembly/local_second.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/modeling.h"

/* The attitude at which rows of found contacts on a body are formed. */
struct nsds_attitude {
  double p[4];       /* its quaternion */
  double turn[9];    /* R_k^T R* of this pass */
  bool seen, turned; /* in this pass */
};

static bool may_turn(const nsds_plan *plan) {
  return (plan->count.turning > 0 || plan->tree) && plan->model->set.count > 0 &&
         !plan->search.follows;
}

static void find_turning_bodies(nsds_plan *plan) {
  for (int s = 0; s < plan->nslot; ++s) plan->seat[s].turns = false;
  for (int c = 0; c < plan->ninteraction; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    for (int e = 0; contact->is.turning && e < contact->nds; ++e) {
      int s = contact->reach[e].slot;
      if (nsds_turns_in_space(plan->slot[s].ds)) plan->seat[s].turns = true;
    }
  }
}

nsds_status nsds_turned_rows_reserve(nsds_plan *plan) {
  if (!may_turn(plan)) return NSDS_OK;
  if (plan->seen.attitudes != plan->seen.of.graph) find_turning_bodies(plan);
  plan->seen.attitudes = plan->seen.of.graph;
  return nsds_grow(plan->context, &plan->attitude, &plan->memory.attitude_capacity,
                   (size_t)plan->nslot, sizeof *plan->attitude);
}

/* Tells if rows of found contacts follow the attitude of a body. */
static bool body_turns(const nsds_plan *plan, int s) {
  return plan->seat[s].turns || plan->seat[s].jointed;
}

void nsds_turned_rows_begin(nsds_plan *plan) {
  if (!may_turn(plan)) return;
  for (int s = 0; s < plan->nslot; ++s)
    if (body_turns(plan, s))
      nsds_copy_doubles(plan->attitude[s].p, plan->model->state.q + plan->slot[s].q0 + 3, 4);
}

/* Finds the attitude of this pass. The bodies of a tree keep that of the tree's matrices. */
static nsds_status turn_body(nsds_plan *plan, int s) {
  nsds_slot *slot = &plan->slot[s];
  nsds_attitude *a = &plan->attitude[s];
  double q[nsds_body_nq], R[9], *now = q, from[9];
  if (slot->is.jointed && plan->tree->kept) return NSDS_OK;
  if (slot->is.jointed) now = plan->trial.q + slot->q0;
  nsds_status status = slot->is.jointed ? NSDS_OK : nsds_local_predict(plan, slot, q);
  bool same = true;
  for (int k = 0; k < 4; ++k) same = same && a->p[k] == now[3 + k];
  if (status || same) return status;
  nsds_rotation_matrix(a->p, from);
  nsds_rotation_matrix(now + 3, R);
  for (int j = 0; j < 3; ++j)
    nsds_turn_back(R, from + 3 * (ptrdiff_t)j, a->turn + 3 * (ptrdiff_t)j);
  nsds_copy_doubles(a->p, now + 3, 4);
  a->turned = true;
  return NSDS_OK;
}

/* Finds the attitudes of all bodies that sets have found. */
static nsds_status turn_bodies(nsds_plan *plan) {
  nsds_status status = NSDS_OK;
  for (int s = 0; s < plan->nslot; ++s) plan->attitude[s].seen = plan->attitude[s].turned = false;
  for (int c = plan->ninteraction; c < plan->ncontact; ++c)
    for (int e = 0; !status && e < plan->contact[c].nds; ++e) {
      int s = plan->contact[c].reach[e].slot;
      if (!body_turns(plan, s) || plan->attitude[s].seen) continue;
      plan->attitude[s].seen = true;
      status = turn_body(plan, s);
    }
  return status;
}

/* Turns H of a found contact. Returns true if it has changed. */
static bool turn_contact(const nsds_plan *plan, const nsds_contact *contact) {
  bool turned = false;
  int m = contact->m;
  double *H = contact->H;
  for (int e = 0; e < contact->nds; ++e) {
    int s = contact->reach[e].slot;
    double *angular = H + 3 * (ptrdiff_t)m;
    H += (ptrdiff_t)m * contact->reach[e].size;
    if (!body_turns(plan, s) || !plan->attitude[s].turned) continue;
    for (int i = 0; i < m; ++i) {
      double a[3] = {angular[i], angular[i + m], angular[i + 2 * m]}, b[3];
      nsds_turn(plan->attitude[s].turn, a, b);
      for (int k = 0; k < 3; ++k) angular[i + (ptrdiff_t)k * m] = b[k];
    }
    turned = true;
  }
  return turned;
}

nsds_status nsds_turned_rows_follow(nsds_plan *plan) {
  bool fixed = false;
  if (!may_turn(plan) || plan->ncontact == plan->ninteraction) return NSDS_OK;
  nsds_status status = turn_bodies(plan);
  if (status) return status;
  for (int c = plan->ninteraction; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    if (!turn_contact(plan, contact) || !contact->is.fixed) continue;
    for (nsds_contact_operator *op = plan->operator; op; op = op->next)
      if (!op->own_gain && op->entry[c].Y) nsds_contact_operator_form_y(op, c);
    fixed = true;
  }
  for (nsds_contact_operator *op = plan->operator; fixed && op; op = op->next)
    if (!op->own_gain) nsds_contact_operator_restamp(op);
  return NSDS_OK;
}
