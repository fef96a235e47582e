/* A force through the center of a rigid body and a moment on it, constant until set again. */
#ifndef NSDS_SRC_BODY_LOAD_H
#define NSDS_SRC_BODY_LOAD_H

#include "kernel/modeling/modeling.h"

#include <nsds/rigid_body.h>

typedef struct nsds_body_load {
  double force[3], moment[3]; /* in the plane: two entries and one entry */
  nsds_frame frame;
  bool acts;  /* is not zero */
  bool turns; /* turns with respect to the components of F */
} nsds_body_load;

/* Updates `acts` and `turns` after a change. Returns true if `turns` has changed. */
bool nsds_body_load_settle(nsds_body_load *load, bool plane);

#endif
