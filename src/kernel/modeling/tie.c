/* Joints, springs and other interactions as programs draw them. Joints and springs know their points and axes. */
#include <nsds/tie.h>

#include "base/context.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_coupler.h"
#include "kernel/modeling/joint_create.h"
#include "kernel/modeling/joint_kinds.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/spring.h"

/* Points of a joint, or of the distance joint in a spring, and its axis. */
static void tie_place(const nsds_interaction *ia, const nsds_joint_data *s, nsds_tie *tie) {
  double q[2 * nsds_body_nq], R[9], x[3];
  for (int body = 0; body < ia->nds; ++body)
    memcpy(q + body * s->nq, ia->model->state.q + ia->ds[body]->q_offset,
           (size_t)s->nq * sizeof *q);
  nsds_joint_pose pose;
  nsds_joint_pose_at(s, q, &pose);
  nsds_joint_place(s->plane, q, R, x);
  bool second = (int)s->kind == nsds_joint_second_row; /* about its other axis */
  tie->located = true;
  tie->directed = nsds_joint_has_axis(s->kind);
  for (int i = 0; i < 3; ++i) {
    tie->point[0][i] = x[i] + pose.arm[0][i];
    tie->point[1][i] = tie->point[0][i] - pose.d[i];
    if (tie->directed) tie->axis[i] = second ? pose.axes[1][3 + i] : pose.axes[0][i];
  }
}

static void tie_joint(const nsds_interaction *ia, const nsds_joint_data *s, nsds_tie *tie) {
  if (nsds_joint_is_angle(s->kind)) tie->kind = NSDS_TIE_ANGLE;
  else if ((int)s->kind == nsds_joint_displacement_row) tie->kind = NSDS_TIE_DISPLACEMENT;
  else {
    tie->kind = NSDS_TIE_JOINT;
    tie->joint = s->kind;
  }
  tie_place(ia, s, tie);
}

/* A gap y of a coordinate is open as long as y >= 0. */
static void tie_stop(const nsds_interaction *ia, nsds_tie *tie) {
  bool coordinate = tie->kind == NSDS_TIE_ANGLE || tie->kind == NSDS_TIE_DISPLACEMENT;
  const double *y = coordinate && ia->law->ops->active ? nsds_y(ia) : NULL;
  if (!y) return;
  tie->stops = true;
  tie->way = -ia->relation->joint->sign * y[0];
}

nsds_status nsds_tie_read(const nsds_interaction *interaction, nsds_tie *tie) {
  const char *call = "nsds_tie_read";
  if (!interaction || !tie) return nsds_fail_null(NULL, call, interaction ? "tie" : "interaction");
  const nsds_interaction *ia = nsds_interaction_find(interaction, call);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  *tie = (nsds_tie){.coordinate = {-1, -1}};
  const nsds_joint_data *strut = nsds_spring_points(ia);
  if (strut) {
    tie->kind = NSDS_TIE_SPRING;
    tie_place(ia, strut, tie);
  } else if (nsds_spring_coordinates(ia, tie->coordinate)) {
    tie->kind = NSDS_TIE_COORDINATES;
  } else if (nsds_joint_has_points(ia)) {
    tie_joint(ia, ia->relation->joint, tie);
    tie_stop(ia, tie);
  } else if (nsds_joint_is_gear(ia)) {
    tie->kind = NSDS_TIE_JOINT;
    tie->joint = NSDS_JOINT_GEAR;
  }
  return NSDS_OK;
}
