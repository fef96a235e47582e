#ifndef NSDS_SRC_JOINT_BIAS_H
#define NSDS_SRC_JOINT_BIAS_H

#include <nsds/model.h>

/* Computes d^2y/dt^2 at dV/dt = 0. */
nsds_status nsds_joint_bias(void *self, const nsds_arguments *in, double *bias);

#endif
