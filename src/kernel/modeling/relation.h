#ifndef NSDS_SRC_RELATION_H
#define NSDS_SRC_RELATION_H

#include "kernel/modeling/definition.h"
#include "kernel/modeling/modeling.h"

#include <nsds/joint.h>

/* The types of the catalogue stand in the sources of their constructors. */
#define NSDS_DECLARE_RELATION(name) extern const nsds_type nsds_relation_##name;
#define NSDS_RELATION_TYPES(X)                                                                     \
  X(lagrangian_linear)                                                                             \
  X(lagrangian)                                                                                    \
  X(first_order_linear)                                                                            \
  X(first_order)                                                                                   \
  X(mixed_linear)                                                                                  \
  X(mixed)                                                                                         \
  X(sphere_plane)                                                                                  \
  X(sphere_sphere)                                                                                 \
  NSDS_JOINT_TYPES(X)                                                                              \
  X(joint_coordinate)                                                                              \
  X(joint_drive)                                                                                   \
  X(coupler)                                                                                       \
  X(spring)                                                                                        \
  X(coordinate_spring)
NSDS_RELATION_TYPES(NSDS_DECLARE_RELATION)
#undef NSDS_DECLARE_RELATION
/* Parts of couplers, and of nsds_joint_act(): */
extern const nsds_type nsds_joint_term_type, nsds_action_type, nsds_action_drive_type;

/* Does the work of nsds_custom_relation(); `guarded` puts `self` of a user's type behind a
 * guard. */
nsds_relation *nsds_make_relation(nsds_model *model, const nsds_custom_relation_def *def,
                                  bool guarded);

/* Marks a mixed relation y = lambda + h(q,v), g = L(q) lambda as a spring or, `ahead`, a drive: see
 * nsds_relation::midway, ahead and straight. */
void nsds_relation_be_spring(nsds_relation *own, bool ahead);

#endif
