/*
 * Drawn models that run until they have settled: what a seed draws, and what must be left at the end. scenes_*.c
 * build the part that settles, beside.c another part that has nothing to do with the first, settle.c runs both.
 */
#ifndef SETTLE_H
#define SETTLE_H

#include <nsds/nsds.h>

#include <stdbool.h>
#include <stdint.h>

enum { most_expected = 24 };

/* A value that must be left at the end. */
typedef struct expected {
  const char *what;
  const nsds_ds *ds;
  enum part { PLACE, VELOCITY, STATE } part;
  int at;
  double right, tolerance;
} expected;

typedef struct world {
  uint64_t random;
  nsds_model *m;
  double M, L, T; /* units of mass, length and time */
  double away[3]; /* where the model stands */
  double gravity; /* acceleration, in the units; 0: none */
  double damping; /* part of the critical one */
  double t1;      /* time to settle */
  double least_h; /* the longest step that the motion allows; 0: no matter */
  bool cut;       /* a system of first order has a scheme of its own */
  double speed;   /* the largest at the start */
  double reach;   /* the largest coordinate */
  int n;
  expected right[most_expected];
  double momentum[3]; /* of the bodies below, if there are any */
  int nbody;
  nsds_ds *body[4];
  double mass[4];
} world;

/* A number in [0, 1), in [low, high), and 10 to the power of one in [low, high). */
double drawn(world *w);
double between(world *w, double low, double high);
double power(world *w, double low, double high);
int one_of(world *w, int n);

/* Expects entry `at` of q, v or x of a system at the end. */
void expect(world *w, const nsds_ds *ds, enum part part, int at, double right);

typedef struct scene {
  const char *name;
  void (*build)(world *w);
} scene;

extern const scene scenes_of_masses[], scenes_of_bodies[]; /* a name of NULL ends them */

/* Adds a part that is fast, large, heavy or light, and has nothing to do with the rest. h: the step. */
const char *put_beside(world *w, double h);

#endif
