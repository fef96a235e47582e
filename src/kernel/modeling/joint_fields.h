/* Rows of the catalogue that joints, coordinates and drives share. */
#ifndef NSDS_SRC_JOINT_FIELDS_H
#define NSDS_SRC_JOINT_FIELDS_H

#include "base/text/field_rows.h"

/* A coordinate at the place P of the definition D: empty, or a member with its dot. */
#define COORDINATE_FIELDS(D, P)                                                                    \
  CHOICE_AS("coordinate", D, P kind, "angle displacement swing twist first second",                \
            NSDS_COORDINATE_ANGLE, NULL, "Which coordinate."),                                     \
      VECTOR_AS("point", D, P point, "3 (plane: 2)", "m", "zero",                                  \
                "Point of the joint, in the world."),                                              \
      VECTOR_AS("axis", D, P axis, "3 (plane: 2)", "1", "zero",                                    \
                "Axis, in the world; a hinge in the plane needs none."),                           \
      VECTOR_AS("other_axis", D, P other_axis, "3", "1", "zero",                                   \
                "Coordinates first and second: the other axis of a universal joint."),             \
      TRUTH_AS("reversed", D, P reversed, "false", "The sign of the coordinate is -1."),           \
      NUMBER_AS("offset", D, P offset, "rad, m", NULL, "0", "Added to the coordinate.")
#define YIELD_FIELD(T)                                                                             \
  NUMBER_OF(T, D, NULL, "[0, 1e100]", "0", "Lets the joint yield with the velocity D P.")
/* A drive, whose stiffness and damping are the members k and d of the definition D. */
#define DRIVE_FIELDS(D, k, d)                                                                      \
  NUMBER_AS("stiffness", D, k, "N m/rad, N/m", "[0, 1e100]", "0", "Stiffness."),                   \
      NUMBER_AS("damping", D, d, "N m s/rad, N s/m", "[0, 1e100]", "0", "Damping."),               \
      NUMBER_OF(D, target, "rad, m", NULL, "0", "Target; samplers may set it."),                   \
      NUMBER_OF(D, rate, "rad/s, m/s", NULL, "0", "Target of the rate; samplers may set it."),     \
      NUMBER_OF(D, force, "N m, N", NULL, "0", "Force added to both; samplers may set it."),       \
      TRUTH_OF(D, integrated, "false", "The target moves with the rate."),                         \
      NUMBER_OF(D, target_lower, "rad, m", NULL, "0",                                              \
                "Integrated: least target; both bounds 0: none."),                                 \
      NUMBER_OF(D, target_upper, "rad, m", NULL, "0", "Integrated: largest target.")

extern const nsds_field nsds_joint_fields[]; /* of all kinds of joints */

#endif
