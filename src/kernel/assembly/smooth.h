/*
 * Smooth dynamics between events, row by row. Every row of an interaction has a variable s and the
 * law -s in N_[lower, upper](lambda), lambda a force, and a degree: how often s has to be
 * differentiated until lambda appears,
 *
 *   2   gap of second-order systems                      s = y,      d^2 s/dt^2 = H a + bias
 *   1   slip speed (relay), first order without D        s = dy/dt or y,  ds/dt = H a + bias
 *   0   first order with D                               s = y = c + C x + D lambda
 *
 * a being the rates of all unknowns, a = a_free + M^-1 (H^T or B) lambda. A mode says where on its
 * law a row is; with closed rows kept at s = 0 the motion is that of an ordinary differential
 * equation until a row leaves its mode: s of an open row, or the distance of lambda of a closed one
 * to a bound, passes zero.
 */
#ifndef NSDS_SRC_SMOOTH_H
#define NSDS_SRC_SMOOTH_H

#include "one_step.h"

typedef enum nsds_mode {
  NSDS_MODE_LOWER,  /* lambda = lower, s > 0: an open contact */
  NSDS_MODE_UPPER,  /* lambda = upper, s < 0 */
  NSDS_MODE_CLOSED, /* s = 0 */
  NSDS_MODE_IDLE    /* s = 0 because of other rows; lambda = 0 */
} nsds_mode;

typedef struct nsds_row {
  int contact, i, y; /* contact of the plan and row of it; row of the model */
  int degree;
  double lower, upper; /* bounds of lambda */
  nsds_mode mode;
  bool at_zero;   /* s is zero, up to rounding or by what was located */
  bool at_lower;  /* lambda of a closed row has come to its lower bound, */
  bool at_upper;  /* or to its upper one */
  bool moving;    /* degree 2: at zero, but ds/dt is not */
  double base;    /* s where a row at zero was left open: what its root function starts from */
  double lambda;  /* now */
  double bias;    /* of the first differential with lambda in it; degree 0: c + C x */
  double slip;    /* degree 0: s with lambda as it is */
  double scale;   /* degree 2: sum |H v| of the event, what ds/dt is measured against */
  double impulse; /* of the event under way, */
  double before;  /* and |ds/dt| before it */
  double last, flight, longest; /* impacts: time of the last, flight before, longest of a series */
  double speed;                 /* after the last one */
} nsds_row;

typedef struct nsds_smooth {
  nsds_plan *plan;
  nsds_one_step carrier; /* H, Y and D of the contacts; is never solved */
  uint64_t topology, structure;
  int nrow;
  nsds_row *row;
  size_t row_capacity;
  bool loaded;        /* lambda may differ from zero somewhere */
  bool idle;          /* it did not when forces were looked at last, nor were there impulses */
  double time_scale;  /* [s] of differences of relations */
  double *rate;       /* nv: dv/dt or dx/dt with all lambda */
  double *work, *map; /* of relations; of T(q) */
  double *size;       /* largest |q| or |x| met, by system; and of the rates, behind them */
  size_t rate_capacity, work_capacity, map_capacity, size_capacity;
  /* a linear or complementarity problem in some of the rows */
  int n, *chosen, *place; /* the rows; places among them */
  size_t chosen_capacity;
  double *A, *b, *terms, *z, *w; /* n x n; b, |terms of b|, unknowns */
  size_t A_capacity, b_capacity;
  nsds_block *block;
  size_t block_capacity;
  double *bounds;
  size_t bounds_capacity;
  /* of the closed rows: */
  nsds_factor *factor;
  int nclosed, *closed;
  size_t closed_capacity;
  bool factored; /* for the present modes, and the matrix does not change between events */
  bool constant; /* so it is */
  nsds_solver *solver;
} nsds_smooth;

/* smooth.c */
nsds_status nsds_smooth_create(nsds_plan *plan, nsds_smooth *s);
void nsds_smooth_destroy(nsds_smooth *s);
/* Rows anew where interactions came or went; modes of all have to be found then. */
nsds_status nsds_smooth_renew(nsds_smooth *s, bool *anew);
/* dx of x = (q, v) at the trial state and its time; lambda of all rows. */
nsds_status nsds_smooth_rates(nsds_smooth *s, double *dx);
/* s of the open rows at the trial state, and distances of lambda to the bounds of the closed ones:
 * two functions a row, positive inside the mode; 1 where a row has one or none. */
nsds_status nsds_smooth_functions(nsds_smooth *s, double *g);
/* y and dy/dt of the trial state. */
nsds_status nsds_smooth_outputs(nsds_smooth *s);
/* Notes how large the rates are. */
void nsds_smooth_note_rates(nsds_smooth *s);
/* lambda of the rows into force, and H^T lambda or B lambda into p, of the trial state; impulses
 * at an event alone. */
void nsds_smooth_forces(nsds_smooth *s, bool event);
/* Degree 2: dy/dt, degree 1 of second order: s. Degree 0 and first order: zero. */
static inline double nsds_row_speed(const nsds_smooth *s, const nsds_row *row) {
  return s->plan->trial.ydot[row->y];
}
/* Degree 2: d^2y/dt^2 with the rates as they are. */
double nsds_smooth_acceleration(const nsds_smooth *s, const nsds_row *row);
/* s of a row at the trial state, whose outputs hold. */
double nsds_row_value(const nsds_smooth *s, const nsds_row *row);

/* smooth_matrix.c: A and b of the chosen rows, lambda of the others being what it is. With `impact`
 * the unknowns are impulses and b is zero. */
nsds_status nsds_smooth_matrix(nsds_smooth *s, bool impact);
/* Linearisation of contacts that are not constant, at the trial state. */
nsds_status nsds_smooth_linearise(nsds_smooth *s);
/* v += M^-1 (H^T or B) of row r times x. */
void nsds_smooth_push(const nsds_smooth *s, const nsds_row *row, double x, double *v);
/* Room for problems of all rows. */
nsds_status nsds_smooth_reserve(nsds_smooth *s);

/* modes.c */
/* What is at zero at the trial state, besides what has been marked so. With `outside` the program
 * may have moved what was closed. */
void nsds_modes_touch(nsds_smooth *s, bool outside);
/* Impacts of the rows at zero; *any: there was one. Velocities of the trial state. */
nsds_status nsds_modes_impact(nsds_smooth *s, nsds_solver_info *info, bool *any);
/* Gaps below this are rounding. */
double nsds_modes_resolution(const nsds_smooth *s, const nsds_row *row);
/* Modes of all rows at the trial state, lambda and rates. *undecided counts rows that are on the
 * edge. */
nsds_status nsds_modes_find(nsds_smooth *s, nsds_solver_info *info, int *undecided);
/* The event is over: its marks go. */
void nsds_modes_leave(nsds_smooth *s);
/* Whether gaps of closed rows, or their velocities, have left zero by more than this fraction of
 * their terms; and back, by the least change of q and v in the metric of M. */
bool nsds_modes_drift(const nsds_smooth *s, double tolerance);
nsds_status nsds_modes_project(nsds_smooth *s);
/* The closed rows that determine each other; the others are idle. */
nsds_status nsds_modes_settle(nsds_smooth *s);

#endif
