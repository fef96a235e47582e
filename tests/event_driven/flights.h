/*
 * Motions in closed form, for drawn event-driven models. A strand is a motion of one to three coordinates z that
 * nothing else disturbs. A model has several strands, in systems of their own or mixed in one system.
 */
#ifndef NSDS_TEST_EVENT_FLIGHTS_H
#define NSDS_TEST_EVENT_FLIGHTS_H

#include "support.h"

#include <stdbool.h>

typedef enum strand_kind {
  STRAND_BALL,       /* bounces on a floor */
  STRAND_RELAY,      /* bounces, with dry friction along the way: a relay switches at the top */
  STRAND_OVERLAP,    /* starts inside the floor: stays, or leaves and comes back */
  STRAND_MOVING,     /* bounces on a floor that moves up and down */
  STRAND_PLANE,      /* a point with Coulomb friction in the plane */
  STRAND_SPACE,      /* in space */
  STRAND_COLUMN,     /* masses on each other that land together */
  STRAND_FEET,       /* a beam that lands flat on two to four feet */
  STRAND_HELD,       /* held away from zero by an equality */
  STRAND_LED,        /* led by an equality that depends on time */
  STRAND_PAIR,       /* two masses that meet in free fall */
  STRAND_SWITCH,     /* first order, with a relay */
  STRAND_BOUNDED,    /* first order, with a lower bound */
  STRAND_SPHERE,     /* a sphere of a contact set */
  STRAND_HELD_SPHERE /* a rigid body that an equality holds */
} strand_kind;
enum { strand_kinds = STRAND_HELD_SPHERE + 1, strand_most = 3 };

/* All lengths and speeds are multiples of `scale`. */
typedef struct strand {
  strand_kind kind;
  int n; /* coordinates */
  double scale;
  double mass[strand_most], z[strand_most], v[strand_most], load[strand_most]; /* at the start */
  double g, e, mu, floor; /* acceleration downwards */
  double up, down;        /* relay: deceleration on the way up and down */
  double a, w, phase;     /* moving floor or leading equality: a sin(w t + phase) */
  double gain;            /* factor of the rows */
  double radius, push;    /* sphere; first order: effect of the relay */
  int feet;
  double foot[4];
} strand;

/* Writes coordinates and velocities at time t. */
void strand_at(const strand *s, double t, double z[strand_most], double v[strand_most]);

enum { most_strands = 6, most_coordinates = most_strands * strand_most, most_rows = 40 };

/* ---- a model ---- */

/* A system: q = R z. */
typedef struct group {
  int n, strand[most_coordinates], index[most_coordinates];
  double R[most_coordinates][most_coordinates];
  nsds_ds *ds;
} group;

/* A row of a moving floor. */
typedef struct moving {
  const strand *s;
  int n;
  double H[most_coordinates], b;
} moving;

typedef struct scene {
  uint64_t random;
  nsds_model *model;
  int nstrand, ngroup, nmoving, ncontact;
  strand strand[most_strands];
  group group[most_coordinates];
  int at[most_strands][strand_most]
        [2]; /* group and index of each coordinate; -1: a body of its own */
  nsds_ds *body[most_strands];
  moving moving[most_strands];
  struct {
    nsds_interaction *ia;
    const strand *s;
  } contact[most_rows];
  double e, mu; /* of the contact set */
  /* Implicit steps: moving rows have a bias, as errors of differences make such steps short. */
  bool implicit;
  /* No feet by "cvode": while they rest, its steps at order 1 drift by more than dependent contacts
   * allow, and each return begins the integration anew, up to a million times. */
} scene;

static inline double in(scene *c, double low, double high) {
  return random_in(&c->random, low, high);
}
static inline bool one_of(scene *c, int n) { return in(c, 0.0, n) < 1.0; }

void scene_draw_strand(scene *c, strand *s);
/* Makes systems and interactions of the strands. */
void scene_build(scene *c);

#endif
