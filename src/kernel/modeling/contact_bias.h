#ifndef NSDS_SRC_CONTACT_BIAS_H
#define NSDS_SRC_CONTACT_BIAS_H

#include <nsds/model.h>

/* Computes d^2y/dt^2 at dV/dt = 0, from rate_fn. */
nsds_status nsds_contact_relation_bias(void *self, const nsds_arguments *in, double *bias);

#endif
