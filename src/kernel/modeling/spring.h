/* Springs, as other sources see them. */
#ifndef NSDS_SRC_SPRING_H
#define NSDS_SRC_SPRING_H

#include "kernel/modeling/joint_data.h"

/* Returns the distance joint of a spring between points; NULL: another interaction. */
const nsds_joint_data *nsds_spring_points(const nsds_interaction *ia);
/* Returns true for a spring between coordinates, with their indices in q; the second may be -1. */
bool nsds_spring_coordinates(const nsds_interaction *ia, int *at);

#endif
