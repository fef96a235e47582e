/*
 * A contact set of shapes, with its solids (shape_make.c) and laws (material.c).
 */
#ifndef NSDS_SRC_SHAPE_SET_H
#define NSDS_SRC_SHAPE_SET_H

#include "kernel/contact/collide.h"
#include "kernel/contact/crossing.h"
#include "kernel/contact/features.h"
#include "kernel/contact/round_parts.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/contact/grid.h"
#include "kernel/contact/shape_tree.h"

#include <nsds/shapes.h>

typedef struct nsds_solid {
  nsds_shape_info shape; /* as programs read it, without its place in the world */
  int count; /* cores: half spaces have none, triangles one each, meshes one for each part,
                     others one */
  nsds_core *core;
  double *store;  /* vertices, normals, directions of the cores */
  int *index;     /* faces and edges of a hull, faces of triangles and meshes */
  int *topology;  /* faces and edges of the parts of a mesh */
  double *vertex; /* vertices of `shape` */
  uint64_t asked; /* the last question that listed it */
  uint64_t name;  /* of the program; 0: none */
} nsds_solid;

/* A core in the broad phase. */
typedef struct nsds_piece {
  nsds_core *core;
  const nsds_solid *solid;
  int sub, body; /* number among the solid's cores; number of the body, -1: scenery */
  bool led;      /* immovable: scenery, or all velocities are prescribed */
  bool flush;    /* pieces of the same body, or of scenery, may touch it */
  int next;      /* another piece of the same body, -1: none */
} nsds_piece;

/* Pieces of bodies, or fixed pieces of scenery. */
typedef struct nsds_crowd {
  nsds_piece *piece;
  nsds_grid grid;       /* items as pieces */
  nsds_shape_tree tree; /* of questions */
  int count;
  size_t wanted, capacity; /* cores of all its solids; room for cores */
} nsds_crowd;

typedef struct nsds_pose {
  nsds_ds *ds;
  double x[3], R[9];   /* the place of contacts */
  double x0[3], R0[9]; /* at the start of a step, if contacts are taken at its end */
  double way;          /* largest way of its points since then */
  double around;       /* radius around its center that holds its cores */
  int piece, pieces;   /* last piece listed, and number of pieces */
} nsds_pose;

/* A vertex of a core with its radius, before a half space or a feature of another core; or an edge
 * of each of two cores. */
typedef struct nsds_shape_followed {
  uint64_t key; /* 0: no contact, only watched until it becomes one */
  const nsds_core *core[2];
  const nsds_ds *ds[2];    /* their bodies; NULL: scenery */
  const nsds_solid *plane; /* or NULL: the feature or the edges */
  int owner;               /* the core of the feature, 0 or 1 */
  nsds_feature feature;
  int vertex;          /* of the other core */
  int mark;            /* 0, or 1 + the number of a point on the rims of a round core */
  nsds_core *round[2]; /* cores of which one is round; else NULL */
  bool by_parts;       /* these touch by two parts: */
  nsds_part_pair parts;
  bool crosses; /* two edges, which have the fields below */
  nsds_edge_pair edges;
  double side;    /* of their normal */
  double deepest; /* least distance at which they touch: cores that are apart may have edges that
                     pass each other deep behind */
} nsds_shape_followed;

/* The results of the last search. */
typedef struct nsds_shape_search {
  int nfound;
  uint64_t key;                  /* of the last contact */
  nsds_shape_followed *followed; /* by increasing key */
  size_t followed_capacity;
  int nfollowed;
} nsds_shape_search;

/* Sizes in the definition; 0: to be chosen. */
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
  int *of; /* numbers of bodies by systems of the model */
  size_t capacity;
} nsds_shape_bodies;

typedef struct nsds_shape_set {
  nsds_model *model;
  char label[nsds_label_size];
  int dimension, rows, max_contacts;
  double reach;
  nsds_shapes_given given;
  nsds_law *law; /* one for all, else pair_law */
  int nmaterial;
  nsds_law **pair_law;
  nsds_solids solids;
  nsds_excluded excluded;
  bool stale;         /* shapes have come or gone: the fields below are listed anew */
  uint64_t listing;   /* number of times that they were */
  uint64_t questions; /* that list shapes, so far */
  nsds_crowd moving, still;
  int nplane;
  const nsds_solid **plane;
  nsds_shape_bodies bodies;
  nsds_collision collision;
  nsds_shape_search last;
  double least; /* least sum of radii of balls that meet */
  double thin;  /* least of all cores */
  bool rushes;  /* some body moves so far in the step that contacts may change sides */
} nsds_shape_set;

static inline nsds_law *nsds_law_between(const nsds_shape_set *set, int a, int b) {
  return set->pair_law ? set->pair_law[a * set->nmaterial + b] : set->law;
}

static inline void nsds_shape_set_go_stale(nsds_shape_set *s) { s->stale = true; }

#endif
