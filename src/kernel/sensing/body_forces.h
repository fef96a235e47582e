#ifndef NSDS_SRC_BODY_FORCES_H
#define NSDS_SRC_BODY_FORCES_H

#include "kernel/modeling/body.h"

#include <nsds/contact.h>

/* A force and a moment in the world. */
typedef struct nsds_wrench {
  double force[3], moment[3]; /* the moment about the center of the body */
} nsds_wrench;

/* Computes what an interaction exerts on one of its bodies, with nsds_lambda(). */
nsds_status nsds_body_load_of(nsds_interaction *ia, const nsds_ds *body, nsds_wrench *load);
/* Fails as a contact has no place. */
nsds_status nsds_fail_contact_place(nsds_context *context, const char *call);
/* Sums the contacts of a body; set NULL: of all sets and interactions. `call` is for messages. */
nsds_status nsds_body_contact_load(const nsds_ds *body, const nsds_contact_set *set,
                                   const char *call, nsds_wrench *sum);
/* Computes dv/dt of a body, nv numbers, under all that acts on it. */
nsds_status nsds_body_acceleration(const nsds_ds *body, const char *call, double *a);

#endif
