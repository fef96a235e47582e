#ifndef NSDS_SRC_ROUND_PARTS_H
#define NSDS_SRC_ROUND_PARTS_H

#include "kernel/contact/collision.h"

typedef enum nsds_part_kind {
  NSDS_PART_POINT, /* a vertex; of discs: the centre of disc 0 or 1, then points of their rims */
  NSDS_PART_LINE,  /* an edge */
  NSDS_PART_FACE,  /* a face; disc 0 or 1 */
  NSDS_PART_RIM,   /* of disc 0 or 1 */
  NSDS_PART_SIDE,  /* between two discs */
  NSDS_PART_WHOLE  /* the surface of an ellipsoid */
} nsds_part_kind;

/* A part of the surface of a core. */
typedef struct nsds_core_part {
  nsds_part_kind kind;
  int index;
} nsds_core_part;

/* A part of each of two cores. */
typedef struct nsds_part_pair {
  nsds_core_part part[2];
  double hint[3];  /* a direction near the normal */
  double point[3]; /* near the contact, for parts that may meet at two points */
  double flat;     /* points of rims touch faces from which the disc leans less (sine) */
} nsds_part_pair;

/* Returns the number of parts of a core; 0: it has none that can be followed. */
int nsds_parts_count(const nsds_core *core);
nsds_core_part nsds_parts_get(const nsds_core *core, int k);
/* Returns true if two parts may touch, whatever the places of their cores. */
bool nsds_parts_may_touch(const nsds_core *a, nsds_core_part p, const nsds_core *b,
                          nsds_core_part q);
/* Returns false if two parts are farther apart than `reach`, as seen along the hint. */
bool nsds_parts_near(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair,
                     double reach);
/* Returns true for a rim and the line of a capsule, which may lie on the disc. */
bool nsds_parts_lie_across(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair);
/* Computes where such a line crosses its rim, as seen along the axis of the disc. */
void nsds_parts_crossings(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair,
                          double x[2][3]);
/* Returns true for edges, rims, and a rim before a side or a capsule, which may meet at two points. */
bool nsds_parts_meet_twice(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair);
/* Returns true for a rim before the side of the other core. */
bool nsds_parts_pass_side(const nsds_part_pair *pair);
/* Returns true for rims and for two lines: where they touch may move much faster than they do. */
bool nsds_parts_run(const nsds_part_pair *pair);
/* Returns true for a point of a rim. */
bool nsds_part_is_mark(const nsds_core *core, nsds_core_part p);
/* Finds the contact of two parts. *room is a length: how far they are from where they cease to touch;
 * negative if they do not. Returns false if they have no contact; then *touch is one along the hint. */
bool nsds_parts_meet(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair,
                     nsds_spot *touch, double *room);
/* Returns true if parts with this room touch. */
bool nsds_parts_touch(const nsds_core *a, const nsds_core *b, double room);
/* Returns how far room may change before parts begin or cease to touch, a length. */
double nsds_parts_margin(const nsds_core *a, const nsds_core *b, double room, bool touch);

/* Discs that lean from a face by less (sine) touch it with points of their rims. The first is for
 * motions. The second is for steps, in which a disc may fall flat. */
extern const double nsds_disc_flat, nsds_disc_falls;
/* The sine by which normals may leave those beside an edge or a vertex: there an overlap comes after that of
 * other parts. */
extern const double nsds_parts_lean;
/* Returns the sine of the angle by which d lies between the normals of the faces at a vertex. */
double nsds_in_cone(const nsds_core *core, int vertex, const double *d);
/* Computes the normal of a face and its offset, in the body. */
void nsds_part_face(const nsds_core *core, int face, double *normal, double *offset);
/* Computes point k of the rim of disc 0 or 1 of a round core, in axes with three columns each. */
void nsds_disc_mark(const nsds_round *round, const double *axes, const double *centre, int disc,
                    int k, double *x);

#endif
