#ifndef NSDS_SRC_CONTACT_FRAME_H
#define NSDS_SRC_CONTACT_FRAME_H

#include "kernel/modeling/contact_data.h"

#include <nsds/contact.h>

/* Finds the contact at in->q and checks it. */
nsds_status nsds_contact_find(const nsds_contact_data *s, const nsds_arguments *in,
                              nsds_body_contact *at);
/* Computes the frame n, t1, t2 in rows of three. The first tangent stays near the given one. */
nsds_status nsds_contact_frame(const nsds_contact_data *s, const nsds_arguments *in,
                               const nsds_body_contact *at, double *frame);
/* Returns true if a place has a finite point, a normal of length 1, and a tangent at right angles
 * or none. */
bool nsds_is_contact_place(const nsds_contact_place *at);
/* Chooses tangents that turn with n, continuous except at n[2] = -0.99. n, t1, t2 is
 * right-handed. */
void nsds_choose_tangents(const double *n, double *t1, double *t2);

#endif
