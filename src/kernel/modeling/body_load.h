/* A force through the centre of a rigid body, and a moment on it, that stay until they are set again. */
#ifndef NSDS_SRC_BODY_LOAD_H
#define NSDS_SRC_BODY_LOAD_H

#include "kernel/modeling/modeling.h"

#include <nsds/rigid_body.h>

typedef struct nsds_body_load {
  double force[3], moment[3]; /* in the plane of two and one entry */
  nsds_frame frame;
} nsds_body_load;

static inline bool nsds_any_nonzero(const double *a, int n) {
  for (int k = 0; k < n; ++k)
    if (a[k] != 0.0) return true;
  return false;
}

static inline bool nsds_body_load_acts(const nsds_body_load *load) {
  return nsds_any_nonzero(load->force, 3) || nsds_any_nonzero(load->moment, 3);
}

#endif
