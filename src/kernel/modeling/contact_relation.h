/*
 * Shared parts of the relations of contacts between bodies, see contact_relation.c.
 */
#ifndef NSDS_SRC_CONTACT_RELATION_H
#define NSDS_SRC_CONTACT_RELATION_H

#include "kernel/modeling/body.h"

#include <nsds/contact.h>
#include <nsds/rigid_body.h>

typedef struct nsds_contact_data {
  nsds_caller caller;
  nsds_contact_relation_def def; /* its name is not used */
  void *owned;
} nsds_contact_data;

/* Spheres around points of one body before a plane, of two bodies, or of one body before a fixed
 * sphere: see sphere_relation.c. */
typedef struct nsds_sphere_pair {
  int dimension;
  bool fixed; /* the second sphere is fixed: its center is a point of the world */
  double center[2][3], radius[2], normal[3], offset;
  double tangent[3]; /* direction near the first tangent; 0: chosen from the normal */
} nsds_sphere_pair;

/* Such a contact followed by a set. `data` is for the operations of contact relations. */
typedef struct nsds_followed_pair {
  nsds_contact_data data;
  nsds_sphere_pair spheres;
} nsds_followed_pair;

typedef enum nsds_sphere_meets {
  NSDS_MEETS_PLANE,
  NSDS_MEETS_BODY,  /* one sphere of another body */
  NSDS_MEETS_FIXED, /* one fixed sphere */
} nsds_sphere_meets;

/* Creates a relation of the type of `ops`. Releases `owned` with the relation, or if the call
 * fails. */
nsds_relation *nsds_make_contact_relation(nsds_model *model, const nsds_relation_ops *ops,
                                          const nsds_contact_relation_def *def, void *owned,
                                          double terms);

/* Writes the columns of a body in space, times sign: rows x 6 for rows 1, 3 or 5. The vector r
 * leads from the body's centre to the contact, and R is the body's rotation. frame is n, t1, t2 one
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
