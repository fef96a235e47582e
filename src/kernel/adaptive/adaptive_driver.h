/* State of the adaptive driver. adaptive_step.c takes the steps. */
#ifndef NSDS_SRC_ADAPTIVE_DRIVER_H
#define NSDS_SRC_ADAPTIVE_DRIVER_H

#include "kernel/adaptive/implicit_solve.h"
#include "kernel/assembly/displacement.h"
#include "kernel/assembly/one_step.h"
#include "kernel/simulation/simulation.h"

#include <nsds/adaptive.h>
#include <nsds/catalogue.h>

#include <float.h>

extern const nsds_type nsds_adaptive_type;

/* The solution at one time: z = (x, lambda), w of rows of laws, dx/dt. x of second-order systems is v. */
typedef struct nsds_adaptive_instant {
  double t;
  double weight; /* share of the last step that this solution stands for */
  double *z, *w, *rate;
  double *q, *gap; /* with second-order systems: coordinates; y of rows about dy/dt (ny) */
} nsds_adaptive_instant;

/* Second-order systems and their contacts; unused without them. */
typedef struct nsds_adaptive_bodies {
  nsds_one_step impact;             /* jumps of velocities */
  nsds_formulation form;            /* of these */
  nsds_displacement drift;          /* leads gaps back to zero */
  unsigned char *closed, *at_start; /* ny: gaps that bear lambda; before the call */
  double *way;                      /* nx: displacement before the second stage */
  double *reach, *start_reach;      /* nx: largest coordinate of each system so far, at its first
                                       place; before the call */
  double farthest;                  /* the largest of these */
  double *impulse;                  /* ny: of the call */
} nsds_adaptive_bodies;

/* The mode that had ended at the end of the last try. */
typedef struct nsds_ended_mode {
  int row; /* -1: none */
  double t, margin;
} nsds_ended_mode;

typedef struct nsds_adaptive_switches {
  int count, given;                /* all; of the definition, which come first */
  nsds_interaction **handle, **of; /* of the definition; of all */
  double *lower, *upper;           /* bounds while off */
  unsigned char *on, *start_on;    /* now; before the call */
} nsds_adaptive_switches;

enum { nsds_adaptive_levels = 30 }; /* most halvings of the longest step */

/* How the run goes on. */
typedef struct nsds_adaptive_course {
  int level;    /* steps are at most largest_step / 2^level */
  bool settled; /* false: the next step settles */
  int short_of; /* steps in a row that were shortened to the end of a mode and hardly came nearer */
  double reach; /* how far the end of a mode was thought to be when it was last looked for [s] */
  double watched; /* time when progress was last looked at [s] */
  long looked;    /* steps that settled, or fell short of the end of a mode */
  nsds_ended_mode tried;
  int ended; /* row whose mode ended last, or was looked for; ny + k: switch k; -1: none */
  nsds_adaptive_info info;
} nsds_adaptive_course;

/* Times that functions of time may be asked for: within one piece between two corners. */
typedef struct nsds_adaptive_piece {
  double from, to;
} nsds_adaptive_piece;

/* Lengths as given, before systems bound them. */
typedef struct nsds_adaptive_given {
  double step, settling; /* settling 0: by the longest step */
  int nsize;             /* number of def.size */
} nsds_adaptive_given;

/* Failures of functions before a call. */
typedef struct nsds_adaptive_watched {
  unsigned long failures; /* of the context, but for those that a shorter step has mended */
  bool clean;             /* the context has no error */
} nsds_adaptive_watched;

typedef struct nsds_adaptive_driver {
  nsds_simulation base; /* first */
  nsds_adaptive_def def;
  nsds_scheme scheme; /* of the plan: one instant, its h never changes */
  nsds_implicit_solve stage;
  nsds_adaptive_instant now, middle, trial,
      start;                        /* accepted; of the step tried; before the call */
  unsigned char *mode, *start_mode; /* ny of each */
  double *before, *error;           /* nx: start of a stage; work of the error */
  double *guess;                    /* n: start of Newton's method */
  double *scale, *size;             /* nx: largest |M x| so far, and least size, of each row */
  double *bounds;                   /* 2 ny: largest |lambda|, then |w|, of each row */
  double *start_scale;              /* nx + 2 ny: both before the call */
  nsds_adaptive_given given;        /* of the definition */
  double *kept;                     /* def.nkept: numbers of the program */
  double *memory;                   /* of all arrays of doubles */
  size_t memory_capacity, mode_capacity;
  nsds_adaptive_switches switches;
  nsds_adaptive_bodies bodies;
  nsds_adaptive_course course, course_at_start;
  nsds_adaptive_piece piece;
  nsds_adaptive_watched watched;
  nsds_versions seen; /* the model's, at the end of the last step */
} nsds_adaptive_driver;

/* Returns true if the model has second-order systems. */
static inline bool nsds_adaptive_moves(const nsds_adaptive_driver *d) {
  return d->stage.rows.motion.nq > 0;
}

/* Returns true if lambda is held at zero because the gap of the row is open. */
static inline bool nsds_gap_is_open(const nsds_adaptive_driver *d, int row) {
  return nsds_adaptive_moves(d) && d->stage.rows.motion.kind[row] == NSDS_ROW_OF_GAP &&
         !d->bodies.closed[row];
}

/* Returns the time to which the closing of a gap is located: rounding of t, or of y at this rate. */
static inline double nsds_near_gap(const nsds_adaptive_driver *d, double rate) {
  double near = fmax(1e-9 * d->def.settling, 8.0 * DBL_EPSILON * fabs(d->now.t));
  return fmin(fmax(near, 8.0 * DBL_EPSILON * d->bodies.farthest / fabs(rate)), d->def.settling);
}

static inline nsds_adaptive_driver *nsds_adaptive_of(nsds_simulation *sim) {
  return (nsds_adaptive_driver *)(void *)sim;
}

#endif
