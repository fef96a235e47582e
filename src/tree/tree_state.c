/*
 * Joint coordinates of the state of a model, and back. The coordinates of hinges, slides and
 * cylindrical joints are those of nsds_joint_read(), with their turns. With the frames 1 and 2 of the
 * joint's first and second body
 *
 *     UNIVERSAL  R_2^T R_1 = Rot_b(second) Rot_a(first)
 *     PLANAR     d in frame 2, R_2^T R_1 = Rot_a(angle)
 *     BALL       the attitude of the body in the frame of the joint in its parent
 *
 * Velocities u solve S^T S u = S^T w for the velocity w relative to the parent.
 */
#include "tree/tree_state.h"

#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/modeling.h"
#include "tree/tree_move.h"
#include "tree/tree_solve.h"

/* ---- coordinates ----------------------------------------------------------------------------- */

/* Returns entry (i, j) of R_2^T R_1. */
static double relative_entry(const nsds_joint_pose *pose, int i, int j) {
  return nsds_dot(pose->axes[1] + 3 * i, pose->axes[0] + 3 * j);
}

static void ball_coordinates(const nsds_tree *tree, int k, const nsds_ds *ds, const nsds_ds *parent,
                             const double *state, double *q) {
  const nsds_tree_link *link = &tree->link[tree->last[k]];
  double R[9], world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, joint[9], own[9];
  nsds_rotation_matrix(state + ds->q_offset + 3, R);
  if (parent) nsds_rotation_matrix(state + parent->q_offset + 3, world);
  for (int j = 0; j < 3; ++j) nsds_turn(world, link->frame + 3 * j, joint + 3 * j);
  for (int j = 0; j < 3; ++j) nsds_turn_back(joint, R + 3 * j, own + 3 * j);
  nsds_tree_quaternion(own, q);
}

/* Computes the coordinates of body k from those of its system and its parent's in `state`, with angles
 * in (-pi, pi]. */
static void place_coordinates(const nsds_tree *tree, int k, const nsds_ds *ds,
                              const nsds_ds *parent, const nsds_interaction *ia,
                              const double *state, double *q) {
  double Q[2 * nsds_body_nq];
  nsds_joint_pose pose;
  if (!ia) {
    memcpy(q, state + ds->q_offset, 7 * sizeof *q);
    return;
  }
  if (tree->body[k].kind == NSDS_JOINT_BALL) {
    ball_coordinates(tree, k, ds, parent, state, q);
    return;
  }
  for (int b = 0; b < ia->nds; ++b) memcpy(Q + 7 * b, state + ia->ds[b]->q_offset, 7 * sizeof *Q);
  nsds_joint_pose_at(ia->relation->joint, Q, &pose);
  switch (tree->body[k].kind) {
  case NSDS_JOINT_UNIVERSAL:
    q[0] = atan2(-relative_entry(&pose, 1, 2), relative_entry(&pose, 1, 1));
    q[1] = atan2(-relative_entry(&pose, 2, 0), relative_entry(&pose, 0, 0));
    break;
  case NSDS_JOINT_PLANAR:
    for (int i = 0; i < 2; ++i) q[i] = nsds_dot(pose.axes[1] + 3 * (1 + i), pose.d);
    q[2] = atan2(relative_entry(&pose, 2, 1), relative_entry(&pose, 1, 1));
    break;
  case NSDS_JOINT_HINGE:
  case NSDS_JOINT_CYLINDRICAL:
    q[0] = atan2(relative_entry(&pose, 2, 1), relative_entry(&pose, 1, 1));
    if (tree->body[k].nq > 1) q[1] = nsds_dot(pose.axes[1], pose.d);
    else q[0] += ia->relation->joint->shown;
    break;
  case NSDS_JOINT_PRISMATIC:
    q[0] = nsds_dot(pose.axes[1], pose.d) + ia->relation->joint->shown;
    break;
  default: break; /* fixed */
  }
}

/* Computes the same with the turns of hinges and cylindrical joints. */
static nsds_status body_coordinates(const nsds_tree *tree, const char *call, int k,
                                    const nsds_ds *ds, const nsds_ds *parent, double *q) {
  const nsds_tree_body *body = &tree->body[k];
  const nsds_interaction *ia = body->joint ? nsds_interaction_find(body->joint, call) : NULL;
  nsds_joint_motion motion;
  place_coordinates(tree, k, ds, parent, ia, ds->model->state.q, q);
  if (body->kind != NSDS_JOINT_HINGE && body->kind != NSDS_JOINT_CYLINDRICAL) return NSDS_OK;
  nsds_status status = nsds_joint_read(body->joint, &motion);
  if (!status) q[0] = motion.angle;
  return status;
}

/* ---- velocities ------------------------------------------------------------------------------ */

/* Computes the velocity of a system about an origin. */
static void system_velocity(const double *origin, const nsds_ds *ds, const double *Q,
                            const double *V, double *v) {
  const double *q = Q + ds->q_offset, *own = V + ds->v_offset;
  double R[9], arm[3], moved[3];
  nsds_rotation_matrix(q + 3, R);
  nsds_turn(R, own + 3, v);
  for (int k = 0; k < 3; ++k) arm[k] = origin[k] - q[k];
  nsds_cross(v, arm, moved);
  for (int k = 0; k < 3; ++k) v[3 + k] = own[k] + moved[k];
}

/* Moves a velocity from the robot's origin to the center of a body. */
static void at_center(const nsds_tree *tree, int body, const double *v, double *to) {
  const nsds_tree_motion *at = &tree->at[tree->last[body]];
  double arm[3], moved[3];
  for (int k = 0; k < 3; ++k) arm[k] = at->x[k] - at->origin[k];
  nsds_cross(v, arm, moved);
  for (int k = 0; k < 3; ++k) {
    to[k] = v[k];
    to[3 + k] = v[3 + k] + moved[k];
  }
}

/* Writes the velocity vector k of a body, of all links of its joint. */
static void joint_direction(const nsds_tree *tree, int body, int k, double *S) {
  int i = tree->last[body], own = tree->body[body].u + k;
  while (own < tree->link[i].u || own >= tree->link[i].u + nsds_tree_freedom(&tree->link[i]))
    i = tree->link[i].parent;
  at_center(tree, body, tree->at[i].S[own - tree->link[i].u], S);
}

/* The velocity vectors of a joint are independent, so that S^T S is regular. */
static void body_velocities(const nsds_tree *tree, int k, const double *w, double *u) {
  int n = tree->body[k].nu;
  double D[9], S[3][6], relative[6];
  at_center(tree, k, w, relative);
  for (int j = 0; j < n; ++j) {
    joint_direction(tree, k, j, S[j]);
    u[j] = nsds_tree_dot(S[j], relative);
    for (int i = 0; i <= j; ++i) D[i + 3 * j] = D[j + 3 * i] = nsds_tree_dot(S[i], S[j]);
  }
  if (nsds_tree_factor(n, D)) nsds_tree_solve(n, D, u);
}

/* Finds the systems of body k and its parent. */
static nsds_status tree_systems(const nsds_tree *tree, const char *call, int k, nsds_ds **ds,
                                nsds_ds **parent) {
  int above = tree->body[k].parent;
  *ds = nsds_ds_find(tree->body[k].ds, call);
  *parent = above >= 0 ? nsds_ds_find(tree->body[above].ds, call) : NULL;
  bool whole = *ds && (above < 0 || *parent) &&
               (!tree->body[k].joint || nsds_interaction_find(tree->body[k].joint, call));
  return whole ? NSDS_OK : NSDS_ERROR_ARGUMENT;
}

/* Computes u of body k from the state of its system and its parent's. */
static void own_velocities(const nsds_tree *tree, int k, const nsds_ds *ds, const nsds_ds *parent,
                           const double *Q, const double *V, double *u) {
  double w[6], moving[6];
  if (!tree->body[k].joint) {
    memcpy(u, V + ds->v_offset, 6 * sizeof *u);
    return;
  }
  const double *origin = tree->at[tree->last[k]].origin;
  system_velocity(origin, ds, Q, V, w);
  if (parent) system_velocity(origin, parent, Q, V, moving);
  for (int j = 0; parent && j < 6; ++j) w[j] -= moving[j];
  body_velocities(tree, k, w, u);
}

static nsds_status tree_velocities(nsds_tree *tree, const char *call, double *u) {
  for (int k = 0; k < tree->nbody; ++k) {
    nsds_ds *ds, *parent;
    nsds_status status = tree_systems(tree, call, k, &ds, &parent);
    if (status) return status;
    const nsds_state *at = &ds->model->state;
    own_velocities(tree, k, ds, parent, at->q, at->v, u + tree->body[k].u);
  }
  return NSDS_OK;
}

void nsds_tree_read(nsds_tree *tree, nsds_ds *const *ds, nsds_interaction *const *joint,
                    const double *Q, const double *V, double *q, double *u) {
  for (int k = 0; k < tree->nbody; ++k) {
    const nsds_ds *parent = tree->body[k].parent >= 0 ? ds[tree->body[k].parent] : NULL;
    place_coordinates(tree, k, ds[k], parent, joint[k], Q, q + tree->body[k].q);
  }
  nsds_tree_move(tree, q, NULL);
  for (int k = 0; k < tree->nbody; ++k) {
    const nsds_ds *parent = tree->body[k].parent >= 0 ? ds[tree->body[k].parent] : NULL;
    own_velocities(tree, k, ds[k], parent, Q, V, u + tree->body[k].u);
  }
}

static nsds_status read_state(nsds_tree *tree, const char *call, double *q, double *u) {
  for (int k = 0; k < tree->nbody; ++k) {
    nsds_ds *ds, *parent;
    nsds_status status = tree_systems(tree, call, k, &ds, &parent);
    if (!status) status = body_coordinates(tree, call, k, ds, parent, q + tree->body[k].q);
    if (status) return status;
  }
  if (!u) return NSDS_OK;
  nsds_tree_move(tree, q, NULL);
  return tree_velocities(tree, call, u);
}

nsds_status nsds_tree_get_state(nsds_tree *tree, double *q, double *u) {
  const char *call = "nsds_tree_get_state";
  if (!tree || !q) return nsds_fail_null(tree ? tree->context : NULL, call, tree ? "q" : "tree");
  return read_state(tree, call, q, u);
}

/* ---- setting --------------------------------------------------------------------------------- */

/* Returns the change of the angle of an interaction that counts turns, when q changes. */
static double angle_change(const nsds_tree *tree, const nsds_interaction *ia,
                           const double *change) {
  for (int k = 0; k < tree->nbody; ++k) {
    const nsds_tree_body *body = &tree->body[k];
    if (body->kind != NSDS_JOINT_HINGE && body->kind != NSDS_JOINT_CYLINDRICAL) continue;
    const nsds_interaction *joint = nsds_interaction_find(body->joint, "nsds_tree_set_state");
    if (!joint || joint->ds[0] != ia->ds[0] || joint->nds != ia->nds) continue;
    if (joint->nds > 1 && joint->ds[1] != ia->ds[1]) continue;
    double along = nsds_dot(joint->relation->joint->axes[0], ia->relation->joint->axes[0]);
    if (fabs(along) > 1.0 - 1e-9) return along > 0.0 ? change[body->q] : -change[body->q];
  }
  return 0.0;
}

static nsds_status set_rotor(const nsds_tree *tree, int k, const double *change, const double *u) {
  const nsds_tree_rotor *rotor = &tree->rotor[k];
  const nsds_tree_link *link = &tree->link[rotor->link];
  const double *now = nsds_q(rotor->ds);
  if (!now) return NSDS_ERROR_ARGUMENT;
  double q = *now + rotor->ratio * change[link->q], v = u ? rotor->ratio * u[link->u] : 0.0;
  return nsds_set_state(rotor->ds, &q, &v);
}

nsds_status nsds_tree_set_state(nsds_tree *tree, const double *q, const double *u) {
  const char *call = "nsds_tree_set_state";
  if (!tree || !q) return nsds_fail_null(tree ? tree->context : NULL, call, tree ? "q" : "tree");
  nsds_status status = nsds_tree_check(tree, call, q, u);
  double *change = tree->work, *place = change + tree->nq, *twist = place + 7 * tree->nbody;
  if (!status) status = read_state(tree, call, change, NULL);
  if (!status) status = nsds_tree_forward(tree, q, u, place, twist);
  if (status) return status;
  nsds_ds *first = nsds_ds_find(tree->body[0].ds, call);
  nsds_model *model = first->model;
  status = nsds_check_idle(model, call);
  for (int k = 0; k < tree->nq; ++k) change[k] = q[k] - change[k];
  for (size_t k = 0; !status && k < model->turning.count; ++k) {
    const nsds_interaction *ia = model->turning.item[k];
    double *angle = &model->state.y[ia->y_offset + ia->m];
    *angle += angle_change(tree, ia, change);
  }
  for (int k = 0; !status && k < tree->nrotor; ++k) status = set_rotor(tree, k, change, u);
  for (int k = 0; !status && k < tree->nbody; ++k)
    status = nsds_set_state(tree->body[k].ds, place + 7 * k, twist + 6 * k);
  return status;
}
