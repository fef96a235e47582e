/*
 * The data of relations of contacts between bodies.
 */
#ifndef NSDS_SRC_CONTACT_DATA_H
#define NSDS_SRC_CONTACT_DATA_H

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

#endif
