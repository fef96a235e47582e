/*
 * A contact set of shapes: what it is made of (shape_make.c), and its laws (material.c).
 */
#ifndef NSDS_SRC_SHAPE_SET_H
#define NSDS_SRC_SHAPE_SET_H

#include "kernel/contact/collide.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/contact/grid.h"

#include <nsds/shapes.h>

typedef struct nsds_solid {
  nsds_shape_info shape; /* as programs read it, but for its place in the world */
  int count; /* cores: none of half spaces, one of others, as many as there are triangles */
  nsds_core *core;
  double *store;  /* of their vertices, normals, directions */
  int *index;     /* faces and edges of a hull, faces of triangles */
  double *vertex; /* those of `shape` */
} nsds_solid;

/* A core in the broad phase. */
typedef struct nsds_piece {
  nsds_core *core;
  const nsds_solid *solid;
  int sub, body; /* of the solid's cores; of the set's bodies, -1: scenery */
  bool led;      /* no impulse moves it: scenery, or all velocities are prescribed */
  bool flush;    /* others of the same body, or of scenery, may touch it */
  int next;      /* another one of the same body, -1: none */
} nsds_piece;

/* Pieces of bodies, or those of scenery, which stay where they are. */
typedef struct nsds_crowd {
  nsds_piece *piece;
  nsds_grid grid; /* items as pieces */
  int count;
  size_t wanted, capacity; /* cores of all solids of the kind; room for them */
} nsds_crowd;

typedef struct nsds_pose {
  nsds_ds *ds;
  double x[3], R[9];   /* where contacts are taken */
  double x0[3], R0[9]; /* at the start of a step whose contacts are taken at its end, where */
  double way;          /* no point of it has moved farther than this meanwhile */
  double around;       /* its centre, what is on it */
  int piece, pieces;   /* the last one listed, and their number */
} nsds_pose;

/* A vertex of a core with what is around it, before a half space or another such. */
typedef struct nsds_shape_followed {
  uint64_t key;
  const nsds_core *core[2];
  const nsds_solid *plane; /* or the second core, of a body or not */
  int vertex;
  bool body;
} nsds_shape_followed;

/* What the last search has found. */
typedef struct nsds_shape_search {
  int nfound;
  uint64_t key;                  /* of the last one */
  nsds_shape_followed *followed; /* by increasing key */
  size_t followed_capacity;
  int nfollowed;
} nsds_shape_search;

/* Sizes as the definition has them; 0: to be found. */
typedef struct nsds_shapes_given {
  int contacts;
  double reach;
} nsds_shapes_given;

typedef struct nsds_solids {
  nsds_solid **item; /* by increasing id */
  int n, next_id;
  size_t capacity;
} nsds_solids;

/* Pairs of bodies that do not meet, see exclude.c. */
typedef struct nsds_excluded {
  uint64_t *pair;
  size_t n, capacity;
} nsds_excluded;

typedef struct nsds_shape_bodies {
  int n;
  nsds_pose *pose;
  int *of; /* by systems of the model */
  size_t capacity;
} nsds_shape_bodies;

typedef struct nsds_shape_set {
  nsds_model *model;
  char label[nsds_label_size];
  int dimension, rows, max_contacts;
  double reach;
  nsds_shapes_given given;
  nsds_law *law; /* one for all, or those of pairs of materials */
  int nmaterial;
  nsds_law **pair_law;
  nsds_solids solids;
  nsds_excluded excluded;
  bool stale; /* shapes have come or gone: what follows is listed anew */
  nsds_crowd moving, still;
  int nplane;
  const nsds_solid **plane;
  nsds_shape_bodies bodies;
  nsds_collision collision;
  nsds_shape_search last;
  double least; /* radius of those that meet each other */
  double thin;  /* of all cores the least */
  bool rushes;  /* some body moves so far in the step that contacts may change sides */
} nsds_shape_set;

static inline nsds_law *nsds_law_between(const nsds_shape_set *set, int a, int b) {
  return set->pair_law ? set->pair_law[a * set->nmaterial + b] : set->law;
}

/* Shapes have come or gone. */
static inline void nsds_shape_set_go_stale(nsds_shape_set *s) { s->stale = true; }

#endif
