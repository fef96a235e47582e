/*
 * Creates joints from points and axes of the world in the present configuration, and reads them.
 */
#include "kernel/modeling/joint_create.h"

#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/joint_fields.h"
#include "kernel/modeling/joint_kinds.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/relation.h"
#include "kernel/modeling/turns.h"

#include <stdio.h>

static bool measures_distance(nsds_joint_kind kind) {
  return kind == NSDS_JOINT_DISTANCE || kind == NSDS_JOINT_ROPE;
}

/* Returns true if the kind needs an axis. In the plane bodies turn about its normal. */
static bool needs_axis(nsds_joint_kind kind, bool plane) {
  return plane ? nsds_joint_slides(kind) : nsds_joint_has_axis(kind);
}

/* Returns true if the kind needs two axes across each other. */
static bool has_cross(nsds_joint_kind kind) {
  return kind == NSDS_JOINT_UNIVERSAL || nsds_joint_crosses(kind);
}

static bool in_plane(const nsds_ds *ds) { return ds->nq == 3; }

/* ---- checks ---------------------------------------------------------------------------------- */

static bool joint_create_check_bodies(nsds_model *model, const char *call,
                                      const nsds_joint_def *d) {
  nsds_context *context = model->context;
  char label[nsds_label_size];
  if (!d->ds[0]) {
    nsds_fail_null(context, call, "ds[0]");
    return false;
  }
  for (int k = 0; k < 2 && d->ds[k]; ++k) {
    const nsds_ds *ds = d->ds[k];
    const char *wrong = NULL;
    if (ds->model != model) wrong = "belongs to another model";
    else if (!nsds_is_second_order(ds) ||
             !((ds->nq == nsds_body_nq && ds->nv == nsds_body_nv) || (ds->nq == 3 && ds->nv == 3)))
      wrong = "is not a rigid body; valid are bodies with 7 coordinates and 6 velocities, or with "
              "3 in the plane";
    else if (k == 1 && ds == d->ds[0])
      wrong = "is ds[0] too; a joint needs two bodies, or a body and the world (ds[1] NULL)";
    else if (k == 1 && ds->nq != d->ds[0]->nq)
      wrong = "and ds[0] are not both bodies in space, or both in the plane";
    if (!wrong) continue;
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: ds[%d] (%s) %s", call, k, nsds_ds_label(ds, label),
              wrong);
    return false;
  }
  return true;
}

static bool check_cross(nsds_context *context, const char *call, const nsds_joint_def *d) {
  double both = nsds_length(d->axis) * nsds_length(d->other_axis);
  if (both > 0.0 && fabs(nsds_dot(d->axis, d->other_axis)) <= 1e-9 * both) return true;
  nsds_fail(
      context, NSDS_ERROR_VALUE,
      "%s: other_axis is (%g, %g, %g); a universal joint and its coordinates need a direction "
      "across axis",
      call, d->other_axis[0], d->other_axis[1], d->other_axis[2]);
  return false;
}

static bool check_geometry(nsds_context *context, const char *call, const nsds_joint_def *d) {
  bool plane = in_plane(d->ds[0]);
  double length = plane ? hypot(d->axis[0], d->axis[1]) : nsds_length(d->axis);
  if (needs_axis(d->kind, plane) && !(length > 0.0 && isfinite(length))) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: axis is (%g, %g, %g), of length %g; it must have a direction", call, d->axis[0],
              d->axis[1], d->axis[2], length);
    return false;
  }
  if (d->start != 0.0 && d->kind != NSDS_JOINT_HINGE && d->kind != NSDS_JOINT_PRISMATIC) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: start is %g; valid is 0, except for hinges and prismatic joints", call,
              d->start);
    return false;
  }
  if (has_cross(d->kind)) return check_cross(context, call, d);
  if (!measures_distance(d->kind)) return true;
  double between[3];
  for (int k = 0; k < 3; ++k) between[k] = plane && k == 2 ? 0.0 : d->point[k] - d->other[k];
  if (d->length < 0.0 || (d->length == 0.0 && nsds_length(between) == 0.0) ||
      (d->kind == NSDS_JOINT_DISTANCE && nsds_length(between) == 0.0)) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: length is %g and the points are %g apart; two points at one place have no "
              "distance to keep, and a length is > 0",
              call, d->length, nsds_length(between));
    return false;
  }
  return true;
}

bool nsds_joint_check(nsds_model *model, const char *call, const nsds_joint_def *d) {
  nsds_context *context = model->context;
  if (!joint_create_check_bodies(model, call, d)) return false;
  if (d->ds[2]) {
    char label[nsds_label_size];
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: ds[2] is %s; only a GEAR has a carrier", call,
              nsds_ds_label(d->ds[2], label));
    return false;
  }
  if (in_plane(d->ds[0]) && nsds_joint_rows(d->kind, true) == 0) {
    nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
              "%s: this kind does not exist in the plane; valid are ball, hinge, prismatic, fixed, "
              "distance, rope, gear, angle and displacement",
              call);
    return false;
  }
  nsds_joint_def own = *d;
  return nsds_definition_check(context, call, "", nsds_joint_fields, &own) &&
         check_geometry(context, call, d);
}

bool nsds_joint_may_be_made(nsds_model *model, const void *def, const char *call) {
  if (model && def) return !nsds_check_idle(model, call);
  nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
  return false;
}

bool nsds_joint_bodies(nsds_ds *const *given, int count, const char *call, nsds_ds **found) {
  for (int k = 0; k < count; ++k) {
    found[k] = nsds_ds_find(given[k], call);
    if (given[k] && !found[k]) return false;
  }
  return true;
}

void nsds_joint_reverse(nsds_joint_coordinate_def *c) {
  c->reversed = !c->reversed;
  c->offset = -c->offset;
}

bool nsds_joint_of_coordinate(nsds_model *model, const char *call, const char *prefix,
                              const nsds_joint_coordinate_def *def, nsds_joint_def *joint) {
  nsds_context *context = model->context;
  if (nsds_check_reserved(context, call, "", NSDS_TAIL(def))) return false;
  nsds_joint_coordinate_def own = *def;
  if (!nsds_definition_check(context, call, prefix, nsds_relation_joint_coordinate.field, &own))
    return false;
  int kind = nsds_joint_angle_row + (int)def->kind - NSDS_COORDINATE_ANGLE;
  *joint = (nsds_joint_def){
      .name = def->name, .kind = (nsds_joint_kind)kind, .reversed = def->reversed, .D = def->D};
  if (nsds_joint_tilts(joint->kind) && def->D != 0.0) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: D is %g; it must be 0 for a swing or twist", call,
              def->D);
    return false;
  }
  if (!nsds_joint_bodies(def->ds, 2, call, joint->ds)) return false;
  memcpy(joint->point, def->point, sizeof joint->point);
  memcpy(joint->axis, def->axis, sizeof joint->axis);
  memcpy(joint->other_axis, def->other_axis, sizeof joint->other_axis);
  return nsds_joint_check(model, call, joint);
}

/* ---- creation -------------------------------------------------------------------------------- */

/* Makes a, b, c: the axis, or a world axis if none is needed, and two directions across. b is
 * `across` if this is given. */
static void make_axes(const double *axis, const double *across_given, double *axes) {
  double length = nsds_length(axis);
  for (int k = 0; k < 3; ++k) axes[k] = length > 0.0 ? axis[k] / length : k == 0;
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (fabs(axes[k]) < fabs(axes[least])) least = k;
  double across[3];
  if (across_given) memcpy(across, across_given, sizeof across);
  else nsds_cross(axes, (const double[]){least == 0, least == 1, least == 2}, across);
  length = nsds_length(across);
  for (int k = 0; k < 3; ++k) axes[3 + k] = across[k] / length;
  nsds_cross(axes, axes + 3, axes + 6);
}

/* Makes the axes in the plane: normal, x, y; or a in the plane, b across, and the normal. */
static void make_plane_axes(bool turns, const double *axis, double *axes) {
  double length = hypot(axis[0], axis[1]);
  double a[2] = {length > 0.0 ? axis[0] / length : 1.0, length > 0.0 ? axis[1] / length : 0.0};
  const double turning[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  const double sliding[9] = {a[0], a[1], 0, -a[1], a[0], 0, 0, 0, 1};
  memcpy(axes, turns ? turning : sliding, 9 * sizeof *axes);
}

/* Fixes the point and the axes of the world to the body in its present place. NULL: the world. */
static void joint_create_fix(const nsds_ds *ds, bool plane, const double *point, const double *axes,
                             double *fixed_point, double *fixed_axes) {
  double R[9], x[3], arm[3];
  nsds_joint_place(plane, ds ? ds->model->state.q + ds->q_offset : NULL, R, x);
  for (int k = 0; k < 3; ++k) arm[k] = plane && k == 2 ? 0.0 : point[k] - x[k];
  nsds_turn_back(R, arm, fixed_point);
  for (int j = 0; j < 3; ++j) nsds_turn_back(R, axes + 3 * j, fixed_axes + 3 * j);
}

void nsds_joint_fill(nsds_joint_data *s, const nsds_joint_def *d) {
  static const double none[3] = {0.0, 0.0, 0.0};
  double axes[9], between[3];
  s->kind = d->kind;
  s->plane = in_plane(d->ds[0]);
  s->pair = d->ds[1] != NULL;
  s->nq = d->ds[0]->nq;
  s->nv = d->ds[0]->nv;
  s->rows = nsds_joint_rows(d->kind, s->plane);
  s->sign = d->reversed ? -1.0 : 1.0;
  s->D = d->D;
  s->shown = d->start;
  const double *axis = needs_axis(d->kind, s->plane) ? d->axis : none;
  if (s->plane) make_plane_axes(nsds_joint_turns(d->kind), axis, axes);
  else make_axes(axis, has_cross(d->kind) ? d->other_axis : NULL, axes);
  const double *other = measures_distance(d->kind) ? d->other : d->point;
  joint_create_fix(d->ds[0], s->plane, d->point, axes, s->point[0], s->axes[0]);
  joint_create_fix(d->ds[1], s->plane, other, axes, s->point[1], s->axes[1]);
  for (int k = 0; k < 3; ++k) between[k] = s->plane && k == 2 ? 0.0 : d->point[k] - d->other[k];
  s->length = d->length > 0.0 ? d->length : nsds_length(between);
  for (int k = 0; s->plane && k < (s->pair ? 2 : 1); ++k)
    s->start += (k ? -1.0 : 1.0) * d->ds[k]->model->state.q[d->ds[k]->q_offset + 2];
}

void nsds_joint_take(nsds_relation *own, const nsds_joint_data *s,
                     nsds_status (*of_angle)(void *, const nsds_arguments *, double, double *)) {
  own->joint = s;
  own->turns = nsds_joint_turns(s->kind) && !s->plane;
  if (own->turns) own->of_angle = of_angle;
}

double nsds_joint_terms(const nsds_joint_data *s) {
  static const double half_turn = 4.0; /* at least */
  double sum = fabs(s->offset);
  if (nsds_joint_is_angle(s->kind)) return sum + half_turn;
  for (int k = 0; k < 3; ++k) sum += fabs(s->point[0][k]) + fabs(s->point[1][k]);
  return sum + (measures_distance(s->kind) ? s->length : 0.0);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Computes the velocity of A_1 minus that of the point of body 2 there, and w_1 - w_2. */
static void joint_create_relative(const nsds_interaction *ia, const nsds_joint_pose *pose,
                                  double *u, double *w) {
  const nsds_joint_data *s = ia->relation->joint;
  for (int k = 0; k < 3; ++k) u[k] = w[k] = 0.0;
  for (int body = 0; body < ia->nds; ++body) {
    const double *v = ia->model->state.v + ia->ds[body]->v_offset;
    double velocity[3], turning[3], arm[3], moved[3], sign = body ? -1.0 : 1.0;
    nsds_joint_twist(s->plane, v, pose->R[body], velocity, turning);
    for (int k = 0; k < 3; ++k) arm[k] = pose->arm[body][k] + (body ? pose->d[k] : 0.0);
    nsds_cross(turning, arm, moved);
    for (int k = 0; k < 3; ++k) {
      u[k] += sign * (velocity[k] + moved[k]);
      w[k] += sign * turning[k];
    }
  }
}

/* Copies the coordinates of the bodies of a joint, one after the other. */
static void joint_create_coordinates(const nsds_interaction *ia, double *q) {
  const nsds_joint_data *s = ia->relation->joint;
  for (int body = 0; body < ia->nds; ++body)
    memcpy(q + body * s->nq, ia->model->state.q + ia->ds[body]->q_offset,
           (size_t)s->nq * sizeof *q);
}

bool nsds_joint_has_points(const nsds_interaction *ia) { return ia->relation->joint != NULL; }

bool nsds_joint_has_angle(const nsds_interaction *ia) {
  const nsds_joint_data *s = ia->relation->joint;
  return s && (nsds_joint_turns(s->kind) || nsds_joint_tilts(s->kind));
}

bool nsds_joint_has_displacement(const nsds_interaction *ia) {
  return ia->relation->joint && nsds_joint_slides(ia->relation->joint->kind);
}

void nsds_joint_points_of(const nsds_interaction *ia, double *first, double *second) {
  const nsds_joint_data *s = ia->relation->joint;
  double q[2 * nsds_body_nq], R[9], x[3];
  joint_create_coordinates(ia, q);
  nsds_joint_pose pose;
  nsds_joint_pose_at(s, q, &pose);
  nsds_joint_place(s->plane, q, R, x);
  for (int i = 0; i < 3; ++i) {
    first[i] = x[i] + pose.arm[0][i];
    second[i] = first[i] - pose.d[i];
  }
}

nsds_status nsds_joint_points(const nsds_interaction *joint, double first[3], double second[3]) {
  const char *call = "nsds_joint_points";
  if (!joint || !first || !second)
    return nsds_fail_null(NULL, call, !joint ? "joint" : first ? "second" : "first");
  const nsds_interaction *ia = nsds_interaction_find(joint, call);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  char label[nsds_label_size];
  if (!nsds_joint_has_points(ia))
    return nsds_fail(
        ia->model->context, NSDS_ERROR_ARGUMENT,
        "%s: %s is not a joint with points; valid are joints of nsds_joint() but gears, "
        "coordinates of nsds_joint_coordinate(), and drives",
        call, nsds_interaction_label(ia, label));
  nsds_joint_points_of(ia, first, second);
  return NSDS_OK;
}

nsds_status nsds_joint_read(const nsds_interaction *joint, nsds_joint_motion *motion) {
  const char *read = "nsds_joint_read";
  if (!joint || !motion) return nsds_fail_null(NULL, read, joint ? "motion" : "joint");
  const nsds_interaction *ia = nsds_interaction_find(joint, read);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  char label[nsds_label_size];
  const nsds_joint_data *s = ia->relation->joint;
  if (!nsds_joint_has_angle(ia) && !nsds_joint_has_displacement(ia))
    return nsds_fail(ia->model->context, NSDS_ERROR_ARGUMENT,
                     "%s: %s is not a joint with a free axis; valid are hinge, prismatic, "
                     "cylindrical joints, coordinates and drives",
                     read, nsds_interaction_label(ia, label));
  double q[2 * nsds_body_nq], u[3], w[3], m[3];
  joint_create_coordinates(ia, q);
  nsds_joint_pose pose;
  nsds_joint_pose_at(s, q, &pose);
  joint_create_relative(ia, &pose, u, w);
  *motion = (nsds_joint_motion){0};
  if (nsds_joint_turns(s->kind)) {
    double angle = nsds_joint_angle(s->kind, &pose, m);
    motion->angle = s->plane ? nsds_joint_plane_angle(s, q, angle) : nsds_turns_angle(ia, angle);
    if (s->kind == NSDS_JOINT_HINGE) motion->angle += s->shown;
    motion->angular_velocity = nsds_dot(w, m);
  }
  if (nsds_joint_tilts(s->kind)) {
    motion->angle = nsds_joint_angle(s->kind, &pose, m);
    motion->angular_velocity = nsds_dot(w, m);
  }
  if (nsds_joint_slides(s->kind)) {
    motion->displacement = nsds_dot(pose.axes[1], pose.d) + s->shown;
    motion->velocity = nsds_dot(pose.axes[1], u);
  }
  return NSDS_OK;
}
