/*
 * Forces on a body at the model's state, and its acceleration:
 *
 *     interactions of second order   H^T lambda
 *     mixed                          g(t, X, Q, V, lambda)
 *     contacts of sets               force and moment at their place in the world
 *     prescribed velocities          the force that holds them
 *
 * and M dv/dt = F + their sum. lambda is the force of the last step, or of the present time of
 * event-driven simulation.
 */
#include "kernel/sensing/body_forces.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/system_field.h"

/* Returns where the velocities of a body begin among those of an interaction; -1: it has no part. */
static int velocities_in(const nsds_interaction *ia, const nsds_ds *body) {
  for (int k = 0, at = 0; k < ia->nds; at += ia->ds[k++]->nv)
    if (ia->ds[k] == body) return at;
  return -1;
}

/* Adds the generalized force of an interaction on a body whose velocities begin at `first`. */
static nsds_status add_interaction_force(nsds_interaction *ia, const nsds_ds *body, int first,
                                         double *r) {
  nsds_model *model = ia->model;
  const nsds_relation *relation = ia->relation;
  double *work = model->scratch;
  const double *lambda = model->state.force + ia->y_offset;
  nsds_arguments in = nsds_gather(ia, &model->state, model->state.force, 1.0, work);
  double *G = nsds_behind_gathered(ia, work);
  unsigned busy = model->busy;
  model->busy |= NSDS_BUSY_CALL;
  nsds_status status;
  if (nsds_acts_on_states(relation->kind)) {
    nsds_zero_doubles(G, (size_t)ia->nv);
    status = relation->ops->input(relation->self, &in, G);
    for (int i = 0; !status && i < body->nv; ++i) r[i] += G[first + i];
  } else {
    status = nsds_gradient(ia, &in, G, G + (size_t)ia->m * (size_t)ia->nv);
    for (int i = 0; !status && i < body->nv; ++i)
      for (int j = 0; j < ia->m; ++j) r[i] += G[j + (ptrdiff_t)(first + i) * ia->m] * lambda[j];
  }
  model->busy = busy;
  return status;
}

/* Converts generalized forces of a body in space or in the plane. */
static void load_in_world(const nsds_ds *body, const double *r, nsds_wrench *load) {
  *load = (nsds_wrench){{r[0], r[1]}, {0.0, 0.0, r[2]}};
  if (!nsds_turns_in_space(body)) return;
  double R[9];
  nsds_rotation_matrix(body->model->state.q + body->q_offset + 3, R);
  load->force[2] = r[2];
  nsds_turn(R, r + 3, load->moment);
}

static void add_from_world(const nsds_ds *body, const nsds_wrench *load, double *r) {
  r[0] += load->force[0];
  r[1] += load->force[1];
  if (!nsds_turns_in_space(body)) {
    r[2] += load->moment[2];
    return;
  }
  double R[9], moment[3];
  nsds_rotation_matrix(body->model->state.q + body->q_offset + 3, R);
  nsds_turn_back(R, load->moment, moment);
  r[2] += load->force[2];
  for (int i = 0; i < 3; ++i) r[3 + i] += moment[i];
}

nsds_status nsds_body_load_of(nsds_interaction *ia, const nsds_ds *body, nsds_wrench *load) {
  double r[nsds_body_nv] = {0.0};
  nsds_status status = add_interaction_force(ia, body, velocities_in(ia, body), r);
  load_in_world(body, r, load);
  return status;
}

/* ---- contacts ------------------------------------------------------------------------------------ */

nsds_status nsds_fail_contact_place(nsds_context *context, const char *call) {
  return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                   "%s: a contact of the body has no place; valid are contact sets whose geometry "
                   "tells places",
                   call);
}

static nsds_status add_contact(const nsds_ds *body, const nsds_contact_info *c, const char *call,
                               nsds_wrench *sum) {
  if (!c->located) {
    bool acts = false;
    for (int i = 0; i < c->rows; ++i) acts = acts || c->force[i] != 0.0;
    return acts ? nsds_fail_contact_place(body->model->context, call) : NSDS_OK;
  }
  double sign = nsds_ds_of(c->ds[0]) == body ? 1.0 : -1.0, R[9], arm[3], moment[3];
  const double *q = body->model->state.q + body->q_offset;
  nsds_joint_place(!nsds_turns_in_space(body), q, R, arm); /* the center */
  for (int i = 0; i < 3; ++i) arm[i] = c->point[i] - arm[i];
  nsds_cross(arm, c->world_force, moment);
  for (int i = 0; i < 3; ++i) {
    sum->force[i] += sign * c->world_force[i];
    sum->moment[i] += sign * (moment[i] + c->world_moment[i]);
  }
  return NSDS_OK;
}

/* Adds contacts of sets; `own`: of interactions too. */
static nsds_status add_contacts(const nsds_ds *body, const nsds_contact_set *set, bool own,
                                const char *call, nsds_wrench *sum) {
  nsds_contact_iterator contacts = nsds_body_contacts(nsds_ds_handle(body));
  nsds_status status = NSDS_OK;
  for (nsds_contact_info c; !status && nsds_next_contact(&contacts, &c);) {
    if (c.interaction && !own) break; /* interactions come last */
    if (!set || c.set == set) status = add_contact(body, &c, call, sum);
  }
  return status;
}

nsds_status nsds_body_contact_load(const nsds_ds *body, const nsds_contact_set *set,
                                   const char *call, nsds_wrench *sum) {
  *sum = (nsds_wrench){{0.0}, {0.0}};
  return add_contacts(body, set, true, call, sum);
}

/* ---- the acceleration ---------------------------------------------------------------------------- */

nsds_status nsds_body_acceleration(const nsds_ds *body, const char *call, double *a) {
  const nsds_model *model = body->model;
  double r[nsds_body_nv] = {0.0}, rates[nsds_body_nq + nsds_body_nv];
  nsds_wrench contacts = {{0.0}, {0.0}};
  nsds_status status = add_contacts(body, NULL, false, call, &contacts);
  add_from_world(body, &contacts, r);
  for (int k = 0; k < body->prescribed.n; ++k) {
    int i = body->prescribed.index[k];
    r[i] += model->state.reaction[body->v_offset + i];
  }
  for (size_t k = 0; !status && k < model->interaction.count; ++k) {
    nsds_interaction *ia = model->interaction.item[k];
    int first = velocities_in(ia, body);
    if (first >= 0) status = add_interaction_force(ia, body, first, r);
  }
  if (!status) status = nsds_ds_rates_under(body, r, rates);
  for (int i = 0; !status && i < body->nv; ++i) a[i] = rates[body->nq + i];
  return status;
}
