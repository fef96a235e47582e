/*
 * Drawn mechanisms: what a seed draws, the models made of it, their motion by both drivers, and the
 * class of the comparison. draw.c, build.c, geometry.c, motion.c, unique.c, no_solution.c, classes.c; mechanisms.c
 * is the program.
 */
#ifndef NSDS_TEST_MECHANISMS_H
#define NSDS_TEST_MECHANISMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsds/nsds.h>

enum {
  MOST_BODIES = 4,
  MOST_LINKS = 40,
  MOST_Q = 28,      /* coordinates of all bodies */
  MOST_V = 24,      /* velocities */
  MOST_ROWS = 160,  /* of all links */
  SAMPLES = 64,     /* times at which motions are compared */
  MOST_EVENTS = 20, /* after which a mechanism ends */
};

/* ---- what is drawn ---- */

typedef enum world {
  PLANE, /* rigid bodies in the plane */
  SPACE, /* rigid bodies in space */
  CHAIN, /* a Lagrangian system: pendulums hanging on each other, q their angles */
  RAILS  /* linear Lagrangian systems of one degree of freedom each */
} world;

typedef enum law_kind { EQUALITY, RELAY, NEWTON, COMPLEMENTARITY, FRICTION, FREMOND } law_kind;

typedef struct law {
  law_kind kind;
  double force; /* of a relay */
  double mu, e, e_t, slip;
} law;

typedef enum link_kind {
  JOINT,   /* nsds_joint() */
  GROUND,  /* a sphere of body a, or a corner, on the plane */
  SPHERES, /* spheres of a and b */
  FACE,    /* a corner of a on a face of b */
  TIE,     /* rows over coordinates: CHAIN and RAILS */
  TIP      /* the end of pendulum a against the plane: CHAIN */
} link_kind;

/* An interaction. b is -1 where the second body is the world. */
typedef struct connection {
  link_kind kind;
  law law;
  int a, b;
  nsds_joint_kind joint;
  double point[3], axis[3], length, offset;
  bool reversed;
  double radius[2], center[2][3];
  double normal[3], plane; /* plane {x : n.x = plane}; of a FACE in the body b */
  double H[2][MOST_BODIES], shift;
  bool closed; /* at the start */
  bool found;  /* a contact of the set, not an interaction */
} connection;

typedef struct drive {
  unsigned dofs; /* bits of the velocities that are prescribed */
  double mean, amplitude, frequency;
} drive;

typedef struct body {
  double mass, inertia[3], size;
  double q[7], v[6];
  double stiffness, damping; /* a spring to where the body is at the start */
  double load[2], load_frequency;
  double weight; /* along a rail */
  drive drive;
} body;

typedef struct mechanism {
  uint64_t seed, state; /* of the generator */
  world world;
  int bodies, links;
  body body[MOST_BODIES];
  connection link[MOST_LINKS];
  double gravity[3];
  double t1;
  bool at_rest;
  bool set; /* links that are found belong to a contact set */
  law set_law;
  const char *shape; /* how the bodies hang together */
} mechanism;

double uniform(mechanism *m, double low, double high);
int below(mechanism *m, int n);
bool chance(mechanism *m, double probability);

void draw(mechanism *m, uint64_t seed);
/* Links of the bodies, by what they are: draw_bodies.c. */
void draw_jointed(mechanism *m);
void draw_loose(mechanism *m);
/* and of Lagrangian systems: draw_lagrangian.c. */
void draw_chain(mechanism *m);
void draw_rails(mechanism *m);
law draw_contact_law(mechanism *m);
connection *add_link(mechanism *m, link_kind kind, int a, int b);
/* The same mechanism with masses, forces and velocities off by about eps, each in its own way. */
mechanism perturbed(const mechanism *m, double eps, uint64_t seed);

/* ---- models ---- */

/* Bodies and interactions of the model in the order of the mechanism. */
typedef struct built {
  nsds_model *model;
  int systems, ndof[MOST_BODIES], nq;
  nsds_ds *ds[MOST_BODIES];
  nsds_interaction *link[MOST_LINKS]; /* NULL: found by the set */
  nsds_contact_set *set;
} built;

/* with_set: contacts that are found come from a contact set, else they are interactions too. The
 * mechanism stays where it is as long as the model. */
built build(const mechanism *m, bool with_set);
/* Without a set, and with a simulation that is never advanced: for rows_at(). */
built build_twin(const mechanism *m);
void where(const built *b, double *q, double *v);

/* ---- geometry ---- */

void body_to_world(const mechanism *m, int k, const double local[3], double out[3]);
double gap_of(const mechanism *m, const connection *c);
int rows_of(const mechanism *m, const connection *c);

/* The rows of all links at a state: y, dy/dt, H, and the mass matrix factored. */
typedef struct rows {
  int n, nv;
  int first[MOST_LINKS], size[MOST_LINKS];
  double y[MOST_ROWS], ydot[MOST_ROWS], H[MOST_ROWS][MOST_V];
  double Y[MOST_ROWS]
          [MOST_V];         /* H in an orthonormal basis of the metric M^-1: H M^-1 H^T = Y Y^T */
  double L[MOST_V][MOST_V]; /* M = L L^T */
} rows;

/* twin: without a set. Prescribed velocities count as infinite mass. */
bool rows_at(const mechanism *m, built *twin, const double *q, const double *v, rows *out);
/* Velocities that drives, joints and closed contacts allow, the nearest in the metric of M. False: joints
 * and drives leave no freedom to one of the contacts. */
bool start_velocities(mechanism *m);

/* ---- motion ---- */

typedef struct instant {
  double t, q[MOST_Q], v[MOST_V], force[MOST_ROWS]; /* forces by rows of the links */
  bool impact;                                      /* forces are impulses */
} instant;

enum { MOST_INSTANTS = SAMPLES + 4 * MOST_EVENTS };

typedef struct motion {
  bool good;
  char message[240];
  double q[SAMPLES + 1][MOST_Q];
  int nq;
  long events, steps;
  double end; /* the time reached by endure() */
  int instants;
  instant instant[MOST_INSTANTS]; /* event-driven */
  double gap, joint, energy;      /* the worst of gaps, of joints, of energy gained by an impact */
} motion;

/* Ends the mechanism between two events where it would have too many. */
bool find_end(mechanism *m, motion *out);
void event_driven(const mechanism *m, motion *out);
/* Goes on, beyond t1, until there were so many events or nothing moves any more. */
void endure(const mechanism *m, long events, motion *out);
void time_stepping(const mechanism *m, int steps, motion *out);

/* A state on the way. */
typedef struct state {
  double q[MOST_Q], v[MOST_V];
} state;

/* Event-driven states at t1 k / parts, 0 <= k <= parts. */
bool states_of(const mechanism *m, int parts, state *out);
/* Steps of time stepping from a state at t0 to q at t1. */
bool stretch(const mechanism *m, const state *from, double t0, double t1, int steps, double *q);
/* The largest difference at the times of comparison; `when` is the first above `threshold`. */
double apart(const motion *a, const motion *b, double threshold, int *when);

/* ---- classes ---- */

/* Whether time stepping begun anew from event-driven states agrees with the next of these: pieces.c. */
bool pieces_agree(const mechanism *m, double *worst, double *when);

/* What is told of a limit by approximations with steps h, h/4, h/16, ...: limit.c. */
typedef struct limit {
  int levels;
  double spread[3]; /* of the last two differences, the last first */
  double bound;     /* of the distance to the limit; infinite where it is not seen to converge */
} limit;

void limit_add(limit *l, double difference, double least);

typedef enum outcome { AGREE, NOT_UNIQUE, NO_SOLUTION, SENSITIVE, UNCLASSED, OUTCOMES } outcome;

typedef struct verdict {
  outcome outcome;
  double difference, bound; /* of the drivers at the finest step */
  double sensitivity;       /* the least of the differences that perturbations make */
  bool pieces;              /* compared in pieces */
  long events;
  char kind[48], message[240];
} verdict;

/* Whether forces are not unique at one of the instants between two times, and accelerations with
 * them: see unique.c. */
bool forces_decide(const mechanism *m, const motion *events, double from, double to);
/* Whether the event-driven run ends with an impact, at t, for which the laws have no solution: no_solution.c. */
bool impact_has_no_solution(const mechanism *m, double *t);
void classify(uint64_t seed, verdict *out);
void describe(const mechanism *m);
void follow(mechanism *m, bool all_rows);

#endif
