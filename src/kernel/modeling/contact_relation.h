/*
 * What relations of contacts between bodies share: see contact_relation.c.
 */
#ifndef NSDS_SRC_CONTACT_RELATION_H
#define NSDS_SRC_CONTACT_RELATION_H

#include "body.h"

#include <nsds/rigid_body.h>

/* The relation, of the type of `ops`; `owned` is released with it, also where the call fails. */
nsds_relation *nsds_make_contact_relation(nsds_model *model, const nsds_relation_ops *ops,
                                          const nsds_contact_relation_def *def, void *owned);

nsds_status nsds_contact_relation_output(void *self, const nsds_in *in, double *y);
nsds_status nsds_contact_relation_gradient(void *self, const nsds_in *in, double *H);
void nsds_contact_relation_destroy(void *self);

#define NSDS_CONTACT_RELATION_OPS                                                                  \
  .output = nsds_contact_relation_output, .gradient_v = nsds_contact_relation_gradient,            \
  .destroy = nsds_contact_relation_destroy

#endif
