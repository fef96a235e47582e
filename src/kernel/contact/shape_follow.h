#ifndef NSDS_SRC_SHAPE_FOLLOW_H
#define NSDS_SRC_SHAPE_FOLLOW_H

#include "kernel/contact/shape_set.h"

nsds_status nsds_shapes_note(nsds_shape_set *set, const nsds_shape_followed *one);
/* Sorts the contacts, once all are noted. The other functions are operations of the geometry. */
void nsds_shapes_sort(nsds_shape_set *set);
nsds_status nsds_shapes_output(void *self, uint64_t key, const nsds_arguments *in, double *y);
nsds_status nsds_shapes_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                 const double *found, double *H);
void nsds_shapes_place(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                       nsds_contact_place *place);
nsds_status nsds_shapes_bias(void *self, uint64_t key, const nsds_arguments *in,
                             const double *found, double *bias);
double nsds_shapes_reach(void *self);
double nsds_shapes_travel(void *self, const nsds_ds *ds, const double *q0, const double *q);

#endif
