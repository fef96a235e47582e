#ifndef NSDS_SRC_CONTACT_FRAME_H
#define NSDS_SRC_CONTACT_FRAME_H

#include "kernel/modeling/contact_relation.h"

#include <nsds/contact.h>

/* The contact at in->q, checked. */
nsds_status nsds_contact_find(const nsds_contact_data *s, const nsds_arguments *in,
                              nsds_body_contact *at);
/* The frame n, t1, t2 in rows of three; the first tangent near the one that was given. */
nsds_status nsds_contact_frame(const nsds_contact_data *s, const nsds_arguments *in,
                               const nsds_body_contact *at, double *frame);
/* Whether a place has a finite point, a normal of length 1, and no tangent or one across it. */
bool nsds_is_contact_place(const nsds_contact_place *at);
/* Tangents that turn with n, continuous but for n[2] = -0.99; n, t1, t2 is right-handed. */
void nsds_choose_tangents(const double *n, double *t1, double *t2);

#endif
