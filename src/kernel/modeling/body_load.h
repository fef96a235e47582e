/* A force through the centre of a rigid body, and a moment on it, that stay until they are set again. */
#ifndef NSDS_SRC_BODY_LOAD_H
#define NSDS_SRC_BODY_LOAD_H

#include "kernel/modeling/modeling.h"

#include <nsds/rigid_body.h>

typedef struct nsds_body_load {
  double force[3], moment[3]; /* in the plane of two and one entry */
  nsds_frame frame;
  bool acts;  /* is not zero, */
  bool turns; /* and turns with respect to the components of F */
} nsds_body_load;

/* What follows from new numbers; returns whether the load turns and did not, or the other way. */
bool nsds_body_load_settle(nsds_body_load *load, bool plane);

#endif
