/*
 * Shared parts of the relations of contacts between bodies, see contact_relation.c.
 */
#ifndef NSDS_SRC_CONTACT_RELATION_H
#define NSDS_SRC_CONTACT_RELATION_H

#include "kernel/modeling/contact_data.h"

/* Creates a relation of the type of `ops`. Releases `owned` with the relation, or if the call
 * fails. */
nsds_relation *nsds_make_contact_relation(nsds_model *model, const nsds_relation_ops *ops,
                                          const nsds_contact_relation_def *def, void *owned,
                                          double terms);

/* Makes the data of a contact that a set follows. In space `tangent` becomes the first tangent of the
 * contact as it was found, its normal and tangents by rows; 0 if there is none. */
void nsds_contact_data_follow(nsds_contact_data *data, nsds_context *context, const char *label,
                              const nsds_contact_relation_def *def, const double *found,
                              double tangent[3]);

/* Writes the columns of a body in space, times sign: rows x 6 for rows 1, 3 or 5. The vector r
 * leads from the body's center to the contact, and R is the body's rotation. frame is n, t1, t2 one
 * after the other. */
void nsds_contact_columns(const double *R, const double *r, const double *frame, int rows,
                          double sign, double *H);

/* Writes the columns in the plane, rows x 3 for rows 1, 2 or 3. frame is n, t, three entries
 * each. */
void nsds_contact_columns_plane(const double *r, const double *frame, int rows, double sign,
                                double *H);

nsds_status nsds_contact_relation_output(void *self, const nsds_arguments *in, double *y);
nsds_status nsds_contact_relation_gradient(void *self, const nsds_arguments *in, double *H);
/* Finds the place of the contact. *place stays zero if the contact has no normal. */
nsds_status nsds_contact_relation_place(const nsds_contact_data *s, const nsds_arguments *in,
                                        nsds_contact_place *place);
void nsds_contact_relation_destroy(void *self);

#define NSDS_CONTACT_RELATION_OPS                                                                  \
  .output = nsds_contact_relation_output, .gradient_v = nsds_contact_relation_gradient,            \
  .destroy = nsds_contact_relation_destroy

#endif
