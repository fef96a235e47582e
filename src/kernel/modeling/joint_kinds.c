/*
 * Rows of joints by kinds: along axes, across them, and of turns. Other rows come from
 * functions of their own, such as the distance of two points. The fields of kinds are in joint.c.
 */
#include "kernel/modeling/joint_kinds.h"

static const nsds_joint_rows_of in_space[] = {
    [NSDS_JOINT_BALL] = {.along = 3},
    [NSDS_JOINT_HINGE] = {.along = 3, .turns = 2},
    [NSDS_JOINT_PRISMATIC] = {.across = 2, .turns = 3, .first = 1},
    [NSDS_JOINT_CYLINDRICAL] = {.across = 2, .turns = 2, .first = 1},
    [NSDS_JOINT_FIXED] = {.along = 3, .turns = 3},
    [NSDS_JOINT_DISTANCE] = {.other = 1},
    [NSDS_JOINT_ROPE] = {.other = 1},
    [nsds_joint_angle_row] = {.other = 1},
    [nsds_joint_displacement_row] = {.other = 1},
    [nsds_joint_swing_row] = {.other = 1},
    [nsds_joint_twist_row] = {.other = 1},
    [nsds_joint_first_row] = {.other = 1},
    [nsds_joint_second_row] = {.other = 1},
    [NSDS_JOINT_GEAR] = {.other = 1},
    [NSDS_JOINT_UNIVERSAL] = {.along = 3, .turns = 1},
    [NSDS_JOINT_PLANAR] = {.across = 1, .turns = 2},
};
static const nsds_joint_rows_of in_plane[] = {
    [NSDS_JOINT_BALL] = {.along = 2},
    [NSDS_JOINT_HINGE] = {.along = 2},
    [NSDS_JOINT_PRISMATIC] = {.across = 1, .turns = 1, .first = 1},
    [NSDS_JOINT_CYLINDRICAL] = {.along = 0}, /* no rows */
    [NSDS_JOINT_FIXED] = {.along = 2, .turns = 1},
    [NSDS_JOINT_DISTANCE] = {.other = 1},
    [NSDS_JOINT_ROPE] = {.other = 1},
    [nsds_joint_angle_row] = {.other = 1},
    [nsds_joint_displacement_row] = {.other = 1},
    [NSDS_JOINT_GEAR] = {.other = 1},
    [nsds_joint_second_row] = {.along = 0}, /* the last kind; those left out have no rows */
};

const nsds_joint_rows_of *nsds_joint_rows_at(nsds_joint_kind kind, bool plane) {
  return plane ? &in_plane[kind] : &in_space[kind];
}

int nsds_joint_rows(nsds_joint_kind kind, bool plane) {
  int count = (int)(sizeof in_space / sizeof *in_space);
  if ((int)kind < 1 || (int)kind >= count) return 0;
  const nsds_joint_rows_of *rows = nsds_joint_rows_at(kind, plane);
  return rows->along + rows->across + rows->turns + rows->other;
}

bool nsds_joint_is_kind(nsds_joint_kind kind) {
  return (int)kind >= 1 && (int)kind < nsds_joint_angle_row;
}

bool nsds_joint_turns(nsds_joint_kind kind) {
  return kind == NSDS_JOINT_HINGE || kind == NSDS_JOINT_CYLINDRICAL ||
         (int)kind == nsds_joint_angle_row || nsds_joint_crosses(kind);
}

bool nsds_joint_crosses(nsds_joint_kind kind) {
  return (int)kind == nsds_joint_first_row || (int)kind == nsds_joint_second_row;
}

const nsds_joint_angle_terms *nsds_joint_angle_terms_at(nsds_joint_kind kind) {
  static const nsds_joint_angle_terms about_axis = {1.0, {1, 2}, {1, 1}},
                                      first = {-1.0, {2, 1}, {1, 1}},
                                      second = {-1.0, {0, 2}, {0, 0}};
  return (int)kind == nsds_joint_first_row    ? &first
         : (int)kind == nsds_joint_second_row ? &second
                                              : &about_axis;
}

bool nsds_joint_slides(nsds_joint_kind kind) {
  return kind == NSDS_JOINT_PRISMATIC || kind == NSDS_JOINT_CYLINDRICAL ||
         (int)kind == nsds_joint_displacement_row;
}

bool nsds_joint_is_angle(nsds_joint_kind kind) {
  return (int)kind == nsds_joint_angle_row || nsds_joint_tilts(kind) || nsds_joint_crosses(kind);
}

bool nsds_joint_tilts(nsds_joint_kind kind) {
  return (int)kind == nsds_joint_swing_row || (int)kind == nsds_joint_twist_row;
}

bool nsds_joint_has_axis(nsds_joint_kind kind) {
  const nsds_joint_rows_of *rows = &in_space[kind];
  bool frame = rows->across > 0 || (rows->turns > 0 && rows->turns < 3);
  return frame || nsds_joint_turns(kind) || nsds_joint_slides(kind) || nsds_joint_tilts(kind);
}
