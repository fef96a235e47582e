/*
 * Kinds of joints, each in two tables: the rows that a joint has, and its fields. Rows of other
 * kinds than these come from functions of their own, such as the distance of two points.
 */
#include "kernel/modeling/joint_kinds.h"

#include "kernel/modeling/joint_fields.h"

/* ---- rows ------------------------------------------------------------------------------------ */

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
    [nsds_joint_twist_row] = {.along = 0}, /* the last kind; those left out have no rows */
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
         (int)kind == nsds_joint_angle_row;
}

bool nsds_joint_slides(nsds_joint_kind kind) {
  return kind == NSDS_JOINT_PRISMATIC || kind == NSDS_JOINT_CYLINDRICAL ||
         (int)kind == nsds_joint_displacement_row;
}

bool nsds_joint_is_angle(nsds_joint_kind kind) {
  return (int)kind == nsds_joint_angle_row || nsds_joint_tilts(kind);
}

bool nsds_joint_tilts(nsds_joint_kind kind) {
  return (int)kind == nsds_joint_swing_row || (int)kind == nsds_joint_twist_row;
}

bool nsds_joint_has_axis(nsds_joint_kind kind) {
  const nsds_joint_rows_of *rows = &in_space[kind];
  bool frame = rows->across > 0 || (rows->turns > 0 && rows->turns < 3);
  return frame || nsds_joint_turns(kind) || nsds_joint_slides(kind) || nsds_joint_tilts(kind);
}

/* ---- catalogue ------------------------------------------------------------------------------- */

MAKER(nsds_joint, nsds_joint_def)

#define DEF nsds_joint_def
#define POINT                                                                                      \
  VECTOR_OF(DEF, point, "3 (plane: 2)", "m", "zero", "Point of the joint, in the world.")
#define AXIS                                                                                       \
  VECTOR_OF(DEF, axis, "3 (plane: 2)", "1", "zero",                                                \
            "Axis, in the world; a hinge in the plane needs none.")
#define YIELD YIELD_FIELD(DEF)
#define POINTED                                                                                    \
  VECTOR_OF(DEF, point, "3 (plane: 2)", "m", "zero", "Point on the first body, in the world."),    \
      VECTOR_OF(DEF, other, "3 (plane: 2)", "m", "zero",                                           \
                "Point on the second body or the world, in the world."),                           \
      NUMBER_OF(DEF, length, "m", ">= 0", "0", "Length; 0: the present distance.")
#define OF_JOINT(which, bodies, with_law)                                                          \
  .call = "nsds_joint", DEFINITION(DEF), NAMED(DEF), .systems_at = offsetof(DEF, ds),              \
  .most_systems = bodies, .kind_at = offsetof(DEF, kind), .kind = which, .own = true,              \
  .equality = with_law, .make = make_nsds_joint

/* All fields, whatever the kind. */
const nsds_field nsds_joint_fields[] = {
    POINTED, AXIS, VECTOR_OF(DEF, other_axis, "3", "1", "zero", "Second axis."), YIELD, END};

const nsds_type nsds_relation_ball = {.type = "ball",
                                      .help = "A ball and socket joint.",
                                      .field = (const nsds_field[]){POINT, YIELD, END},
                                      OF_JOINT(NSDS_JOINT_BALL, 2, true)};
const nsds_type nsds_relation_hinge = {.type = "hinge",
                                       .help = "A hinge.",
                                       .field = (const nsds_field[]){POINT, AXIS, YIELD, END},
                                       OF_JOINT(NSDS_JOINT_HINGE, 2, true)};
const nsds_type nsds_relation_prismatic = {.type = "prismatic",
                                           .help = "A slide along an axis.",
                                           .field = (const nsds_field[]){POINT, AXIS, YIELD, END},
                                           OF_JOINT(NSDS_JOINT_PRISMATIC, 2, true)};
const nsds_type nsds_relation_cylindrical = {
    .type = "cylindrical",
    .help = "A joint that turns about an axis and slides along it.",
    .field = (const nsds_field[]){POINT, AXIS, YIELD, END},
    OF_JOINT(NSDS_JOINT_CYLINDRICAL, 2, true)};
const nsds_type nsds_relation_fixed = {.type = "fixed",
                                       .help = "A joint without relative motion.",
                                       .field = (const nsds_field[]){POINT, YIELD, END},
                                       OF_JOINT(NSDS_JOINT_FIXED, 2, true)};
const nsds_type nsds_relation_distance = {.type = "distance",
                                          .help = "A rod between two points.",
                                          .field = (const nsds_field[]){POINTED, YIELD, END},
                                          OF_JOINT(NSDS_JOINT_DISTANCE, 2, true)};
const nsds_type nsds_relation_rope = {
    .type = "rope",
    .help = "A rope between two points. Give it a law of unilateral contact.",
    .field = (const nsds_field[]){POINTED, YIELD, END},
    OF_JOINT(NSDS_JOINT_ROPE, 2, false)};
const nsds_type nsds_relation_gear = {
    .type = "gear",
    .help = "Two gears that mesh; the third system, if there is one, carries their hinges.",
    .field =
        (const nsds_field[]){
            AXIS,
            VECTOR_OF(DEF, other_axis, "3", "1", "zero", "Axis of the second gear; zero: as axis."),
            WHOLES_AS("teeth", DEF, teeth, 0, "2", ">= 1", NULL, "Numbers of teeth."),
            TRUTH_OF(DEF, reversed, "false", "The gears turn alike, as with inner teeth."), END},
    OF_JOINT(NSDS_JOINT_GEAR, 3, true)};
const nsds_type nsds_relation_universal = {
    .type = "universal",
    .help = "A cross between two shafts.",
    .field =
        (const nsds_field[]){POINT,
                             VECTOR_OF(DEF, axis, "3", "1", NULL,
                                       "Axis of the cross on the first body, in the world."),
                             VECTOR_OF(DEF, other_axis, "3", "1", NULL,
                                       "Axis on the second body or the world, across the first."),
                             YIELD, END},
    OF_JOINT(NSDS_JOINT_UNIVERSAL, 2, true)};
const nsds_type nsds_relation_planar = {
    .type = "planar",
    .help = "A joint that slides in a plane and turns about its normal, the axis.",
    .field =
        (const nsds_field[]){POINT, VECTOR_OF(DEF, axis, "3", "1", NULL, "Normal of the plane."),
                             YIELD, END},
    OF_JOINT(NSDS_JOINT_PLANAR, 2, true)};
#undef DEF
