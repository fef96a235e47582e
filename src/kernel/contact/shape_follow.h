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
/* Chooses the feature of the owner before the noted vertex. Returns true if its gap is within reach.
 * Writes the contact; touch->feature is 0 if the feature only has to be watched. */
bool nsds_shapes_before_feature(nsds_shape_set *s, nsds_shape_followed *one,
                                const nsds_piece *const piece[2], bool foremost, nsds_spot *touch);
/* Finds the lowest point, or the noted point, of a round core before its half space. Returns true if its
 * gap is within reach. *steep: how far a disc leans (sine); a tip has INFINITY. */
bool nsds_shapes_before_plane(const nsds_shape_set *s, const nsds_shape_followed *one,
                              nsds_spot *touch, double *steep);
/* Returns true if two noted edges are near. If they cross, writes the contact; else
 * touch->feature = 0. */
bool nsds_shapes_near_edges(const nsds_shape_set *s, nsds_shape_followed *one, nsds_spot *touch);
/* Returns a number that is positive until the contacts found may touch other features. `q` has the
 * coordinates of all systems. */
double nsds_shapes_margin(void *self, const double *q);
double nsds_shapes_reach(void *self);
double nsds_shapes_travel(void *self, const nsds_ds *ds, const double *q0, const double *q);

#endif
