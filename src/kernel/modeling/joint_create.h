#ifndef NSDS_SRC_JOINT_CREATE_H
#define NSDS_SRC_JOINT_CREATE_H

#include "kernel/modeling/joint_data.h"

/* Checks a definition of a kind that ties at most two bodies, for `call`. */
bool nsds_joint_check(nsds_model *model, const char *call, const nsds_joint_def *d);
/* Returns the size of the lengths in the rows of a joint: lever arms, points of the world, offsets,
 * or an angle. */
double nsds_joint_terms(const nsds_joint_data *s);
/* Fills the data of a joint from a valid definition. */
void nsds_joint_fill(nsds_joint_data *s, const nsds_joint_def *d);
/* Refuses a missing argument, and a joint during a step, because its creation reads states. */
bool nsds_joint_may_be_made(nsds_model *model, const void *def, const char *call);
/* Changes the sign of a coordinate. */
void nsds_joint_reverse(nsds_joint_coordinate_def *c);
/* Checks a coordinate for `call`, and makes the definition of its row. `prefix` stands before its fields in messages. */
bool nsds_joint_of_coordinate(nsds_model *model, const char *call, const char *prefix,
                              const nsds_joint_coordinate_def *def, nsds_joint_def *joint);
/* Finds the bodies behind the handles of a definition. Returns false, with an error, if one is
 * gone. */
bool nsds_joint_bodies(nsds_ds *const *given, int count, const char *call, nsds_ds **found);
/* Notes the data of a joint on its relation, which counts turns if they turn in space. `of_angle`
 * computes y from the angle with its turns; NULL: y does not depend on turns. */
void nsds_joint_take(nsds_relation *own, const nsds_joint_data *s,
                     nsds_status (*of_angle)(void *, const nsds_arguments *, double, double *));
/* Checks the bounds of the target of a drive, for the call `name`. */
bool nsds_joint_check_target(nsds_context *context, const char *name, bool integrated, double lower,
                             double upper);
/* Tells if an interaction is a joint with points: every joint but a gear, and a drive. */
bool nsds_joint_has_points(const nsds_interaction *ia);
/* Tells which motions of an interaction nsds_joint_read() reads. */
bool nsds_joint_has_angle(const nsds_interaction *ia);
bool nsds_joint_has_displacement(const nsds_interaction *ia);
/* Writes the points A_1 and A_2 of such a joint in the world. */
void nsds_joint_points_of(const nsds_interaction *ia, double *first, double *second);

#endif
