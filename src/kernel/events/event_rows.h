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
 * to a bound, passes zero. Rows of Coulomb's law follow their normal row: of a closed contact they
 * stick, s_T = 0, or slide, lambda_T = -mu lambda_N s_T / |s_T|.
 */
#ifndef NSDS_SRC_EVENT_ROWS_H
#define NSDS_SRC_EVENT_ROWS_H

#include "numerics/ode/ode.h"
#include "kernel/assembly/contact_operator.h"
#include "numerics/refine.h"

typedef enum nsds_mode {
  NSDS_MODE_LOWER,    /* lambda = lower, s > 0: an open contact */
  NSDS_MODE_UPPER,    /* lambda = upper, s < 0 */
  NSDS_MODE_CLOSED,   /* s = 0 */
  NSDS_MODE_IDLE,     /* s = 0 because of other rows; tangents of an open contact */
  NSDS_MODE_SLIDING,  /* tangent: lambda follows from that of its normal row */
  NSDS_MODE_BEGINNING /* first tangent: slip has begun, its direction is that of slip_onset.c */
} nsds_mode;

/* How lambda of a closed row is determined. */
typedef enum nsds_way {
  NSDS_WAY_OWN,           /* with the other closed rows */
  NSDS_WAY_SPARE,         /* closed because of others: a contact that carries nothing */
  NSDS_WAY_HELD,          /* likewise: lambda stays as it is */
  NSDS_WAY_SHARED,        /* with others that depend on each other and share lambda */
  NSDS_WAY_DIFFERENTIATED /* degree 0: lambda follows from ds/dt, that of others weighted with it */
} nsds_way;

/* What was found at this event: of s, */
typedef enum nsds_row_place {
  NSDS_PLACE_AWAY,
  NSDS_PLACE_ZERO,  /* s is zero, up to rounding or by what was located */
  NSDS_PLACE_MOVING /* degree 2: so it is, but ds/dt is not */
} nsds_row_place;

/* of lambda of a closed row, */
typedef enum nsds_bound {
  NSDS_BOUND_NONE,
  NSDS_BOUND_LOWER, /* it has come to its lower bound, */
  NSDS_BOUND_UPPER  /* or to its upper one; of a contact, to a pole: jamming_impact.c */
} nsds_bound;

/* of accelerations. */
typedef enum nsds_jam {
  NSDS_JAM_NONE,
  NSDS_JAM_JAMS,  /* those of its part have no solution, */
  NSDS_JAM_LEAVES /* and, as free motion shows a short time ahead, it opens */
} nsds_jam;

typedef struct nsds_row_mark {
  nsds_row_place place;
  nsds_bound bound;
  nsds_jam jam;
} nsds_row_mark;

/* Of a tangent row. */
typedef struct nsds_row_slipping {
  double limit;              /* slip up to which it begins, by the last evaluation */
  double direction, heading; /* component of the direction of slip; when the integration began */
} nsds_row_slipping;

/* Series of impacts. */
typedef struct nsds_row_flights {
  double impulse; /* of the event under way, */
  double before;  /* and |ds/dt| before it */
  double last, flight,
      longest; /* elapsed time of the last, flight before, longest of a series; first tangent: the slip from which
                   on it may stop */
  double speed; /* after the last one */
  bool ends;    /* they have come to their limit at this event */
} nsds_row_flights;

typedef struct nsds_row {
  int contact, i, y;           /* contact of the plan and row of it; row of the model */
  const nsds_contact_set *set; /* that has found it, and its key there; NULL: of an interaction */
  uint64_t key;
  int degree;
  double lower, upper; /* bounds of lambda */
  int tangents;        /* of a normal row with friction: tangent rows that follow it */
  int normal;          /* of a tangent row: so many before it is its normal row; 0: it is none */
  double norm;         /* sum |H| where it stays, else infinite */
  double mu, given;    /* of a normal row; given slip velocity of a tangent row */
  nsds_mode mode;
  nsds_row_mark mark;
  nsds_way way;
  double rest;    /* sharing: what the least squares are counted from */
  size_t weights; /* degree 0: where those of the rows of its contact begin */
  double lambda;  /* now */
  double floor;   /* what rounding makes of lambda */
  double base;    /* what the root functions start from: s where a row at zero was left open;
                    beyond the bound where lambda of a closed one cannot be told from it */
  double bias;    /* of the first differential with lambda in it; degree 0: c + C x */
  double slip;    /* degree 0: s with lambda as it is */
  double scale;   /* degree 2: sum |H v| of the event, what ds/dt is measured against */
  nsds_row_slipping slipping;
  nsds_row_flights flights;
} nsds_row;

/* Rows by parts that share no system: nothing in one says anything of lambda in another. */
typedef struct nsds_row_list {
  int n, *row;        /* part by part, in their order within each */
  int nparts, *start; /* nparts + 1: where parts begin */
  size_t row_capacity, start_capacity;
} nsds_row_list;

/* A of the rows of a part, factored. */
typedef struct nsds_part_factor {
  nsds_factor *factor;
  bool shared;    /* rows share lambda: then orthogonal factors, */
  double *shares; /* n x n, scales of the rows, 3 n; the rank, and the order of the columns */
  double column;  /* of all columns in place of the scales of the rows, where > 0 */
  int rank, *order;
  size_t shares_capacity, order_capacity;
} nsds_part_factor;

/* The problem that was solved last, or not, with memory for it. */
typedef struct nsds_event_problem {
  bool there;
  nsds_problem last; /* of copies: */
  double *A, *b, *z, *bounds;
  nsds_block *block;
  bool dependent;  /* its rows depend on each other, */
  bool rests;      /* and z is not the least of its solutions, */
  bool inside;     /* but z is inside the bounds that it need not be at, */
  double residual; /* of the last one, at rounding */
  double *before;  /* 2 n: z and w found, while others are tried */
  double *error;   /* n: of b */
  bool *spare;     /* n: and these take no part in the least of its solutions */
  nsds_store store;
  nsds_refiner refiner;
} nsds_event_problem;
/* A contact in space whose slip begins. */
typedef struct nsds_onset {
  int row;                   /* normal row */
  double angle, first, turn; /* of the direction; of u0, and its rate */
  double slip, pull;         /* s.u; mu N G */
  double rate[2];            /* F(u); */
  double before[2], here[2]; /* when a solution began; behind the first of them */
} nsds_onset;

/* What the rows were listed for. */
typedef struct nsds_rows_listed {
  nsds_versions of; /* of the plan */
  bool feeds;       /* some rows of first order have D, by which their degree may change */
  size_t capacity;
} nsds_rows_listed;

/* Rows of another list, whose memory is to be taken over. */
typedef struct nsds_rows_aside {
  nsds_row *row;
  int n;            /* < 0: there are none */
  nsds_versions of; /* of a saved state: what its rows belong to; none: all others */
  size_t capacity;
} nsds_rows_aside;

typedef struct nsds_rows_search {
  bool follows;  /* there are contact sets, */
  double *start; /* and searches of theirs were made at these coordinates, */
  double t;      /* at this time */
  size_t capacity;
} nsds_rows_search;

/* What holds until the modes change. */
typedef struct nsds_rows_facts {
  bool driven;   /* some velocities are prescribed */
  bool loaded;   /* lambda may differ from zero somewhere */
  bool idle;     /* it did not when forces were looked at last, nor were there impulses */
  bool friction; /* some rows are tangents */
  bool shared;   /* some parts of the closed rows share lambda */
  bool
      factored; /* the closed rows, for the present modes, and the matrix does not change between events */
  bool constant; /* so it is */
  bool uniform;  /* rates and lambda are found, and stay so until the next event */
  double slack;  /* of the drift of closed rows when the integration began */
} nsds_rows_facts;

/* Which closed gaps are returned to zero. */
typedef enum nsds_gap_return {
  NSDS_RETURN_DRIFT, /* those that integration has let drift */
  NSDS_RETURN_ALL    /* all, however far they are off */
} nsds_gap_return;

/* The event under way. */
typedef struct nsds_rows_here {
  bool higher; /* a row at rest is of relative degree 2 or more */
  bool stops;  /* slip has come to zero somewhere at this event */
  bool again;  /* not the first event at this instant, */
  bool stuck;  /* but one of several: rows on the edge leave together */
  nsds_gap_return returns;
} nsds_rows_here;

typedef struct nsds_rows_scales {
  double time;        /* [s] of differences of relations */
  double from, until; /* the times that they may look at: from one scheduled event to the next */
  double drift;       /* of closed rows that integration is allowed, relative */
  double
      doubt; /* gaps that are zero were off by this when an event was met, at most, of their terms */
} nsds_rows_scales;

/* How large the states of systems have been. */
typedef struct nsds_rows_sizes {
  double *size;   /* largest |q| or |x| met, by system; likewise of the rates; of |v| */
  int n;          /* for so many systems */
  double largest; /* of the first of them, at this event */
  size_t capacity;
  uint64_t rearranged; /* nsds_systems::rearranged, for which systems are in these places */
} nsds_rows_sizes;

typedef struct nsds_rows_memory {
  double *work, *map; /* of relations; of T(q) */
  double *jam_state;  /* where the trial state came from; dq/dt */
  size_t rate_capacity, work_capacity, map_capacity, jam_state_capacity;
} nsds_rows_memory;

/* Of finding parts: by systems twice, by rows. */
typedef struct nsds_rows_split_memory {
  int *link, *sorted;
  size_t link_capacity, sorted_capacity;
} nsds_rows_split_memory;

/* Factors of the closed rows, by parts; those of the present part. */
typedef struct nsds_rows_parts {
  nsds_part_factor *factor, *own;
  int n;
  size_t capacity;
} nsds_rows_parts;

/* A linear or complementarity problem in the rows of a part, the present one. */
typedef struct nsds_rows_system {
  int n, *chosen;                /* the rows */
  double *A, *b, *terms, *z, *w; /* n x n, twice; b, |terms of b|, unknowns */
  double *numbers;               /* b to w of all rows in question */
  nsds_block *block;
  double *bounds;
  size_t A_capacity, numbers_capacity, block_capacity, bounds_capacity;
} nsds_rows_system;

/* Of rows of degree 0: m x m of each contact; one m x m. */
typedef struct nsds_rows_weights {
  double *weight, *scratch;
  size_t capacity, scratch_capacity;
} nsds_rows_weights;

/* The watched functions as rows of a matrix. */
typedef struct nsds_rows_affine {
  double *constant, *value;
  int *start, *column;
  size_t constant_capacity, value_capacity, start_capacity, column_capacity;
} nsds_rows_affine;

/* Slip that begins. */
typedef struct nsds_rows_onsets {
  bool any;          /* somewhere, */
  nsds_onset *onset; /* here */
  int n;
  bool newton; /* by Newton's method */
  double *step, *state;
  size_t capacity, step_capacity, state_capacity;
} nsds_rows_onsets;

typedef struct nsds_rows_impacts {
  bool grouped; /* some laws of impact are not Newton's: impacts go by groups */
  struct nsds_distribution *distribution; /* NULL where no law distributes */
} nsds_rows_impacts;

typedef struct nsds_event_rows {
  nsds_plan *plan;
  nsds_contact_operator op; /* H, Y and D of the contacts */
  nsds_scheme *instant;     /* the driver's, whose time is that of the trial state */
  int nrow;
  nsds_row *row;
  double *rate;               /* nv: dv/dt or dx/dt with all lambda */
  nsds_row_list list, closed; /* the rows in question; those that are closed */
  nsds_rows_facts facts;
  nsds_rows_here here;
  nsds_rows_listed listed;
  nsds_rows_aside aside;
  nsds_rows_search search;
  nsds_rows_scales scales;
  nsds_rows_sizes sizes;
  nsds_rows_split_memory split;
  nsds_rows_parts parts;
  nsds_rows_system system;
  nsds_rows_weights weights;
  nsds_rows_affine affine;
  nsds_rows_onsets onsets;
  nsds_rows_impacts impacts;
  nsds_rows_memory memory;
  nsds_solver *solver;
  nsds_event_problem problem;
} nsds_event_rows;

void nsds_event_rows_create(nsds_plan *plan, nsds_event_rows *s);
void nsds_event_rows_destroy(nsds_event_rows *s);
/* Rows anew where interactions came or went; modes of all have to be found then. Where contacts have
 * been found anew and no more, rows remember what they were. */
nsds_status nsds_event_rows_renew(nsds_event_rows *s);
/* Room for rows, then rows, whose memory the next list is to take over; does so. */
struct nsds_archive;
/* Whether they need none of that. */
static inline bool nsds_event_rows_stand(const nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  unsigned missed =
      nsds_versions_missed(&s->listed.of, &plan->seen.of, NSDS_NEW_GRAPH | NSDS_NEW_SEARCH);
  return !missed && s->rate && !s->listed.feeds && !s->search.follows &&
         s->here.returns == NSDS_RETURN_DRIFT;
}
static inline int nsds_event_function_count(const nsds_event_rows *s) {
  return 2 * s->nrow + 1 + s->search.follows;
}
static inline bool nsds_event_functions_watch_drift(const nsds_event_rows *s) {
  return s->facts.shared && !s->facts.constant;
}
/* Degree 2: dy/dt, degree 1 of second order: s. Degree 0 and first order: zero. */
static inline double nsds_row_speed(const nsds_event_rows *s, const nsds_row *row) {
  return s->plan->trial.ydot[row->y];
}
/* Whether s = 0 is kept. */
static inline bool nsds_row_closed(const nsds_row *row) {
  return row->mode == NSDS_MODE_CLOSED || (row->mode == NSDS_MODE_IDLE && row->normal == 0);
}

/* Rates and lambda stay what they are until the next event, or may not. */
static inline void nsds_rows_set_uniform(nsds_event_rows *s, bool uniform) {
  s->facts.uniform = uniform;
}
/* The trial state has no forces and impulses, or may have some. */
static inline void nsds_rows_set_idle(nsds_event_rows *s, bool idle) { s->facts.idle = idle; }
static inline void nsds_rows_forget_factors(nsds_event_rows *s) { s->facts.factored = false; }
/* A step begins that may come to a row at rest of relative degree 2 or more. */
static inline void nsds_rows_begin_step(nsds_event_rows *s) { s->here.higher = false; }

static inline bool nsds_row_slides(const nsds_row *row) {
  return row->mode == NSDS_MODE_SLIDING || row->mode == NSDS_MODE_BEGINNING;
}
static inline bool nsds_row_at_zero(const nsds_row *row) {
  return row->mark.place != NSDS_PLACE_AWAY;
}
static inline bool nsds_row_moves(const nsds_row *row) {
  return row->mark.place == NSDS_PLACE_MOVING;
}

static inline void nsds_rows_clear(nsds_row_list *list) { list->n = list->nparts = 0; }

static const double nsds_rounding = 0x1p-46; /* 64 eps, of terms of gaps and velocities */
static const double nsds_drifted = 1e-6;     /* of sizes: more is where the program has put it */

static const double nsds_slipping =
    1e-3; /* of the slip at which an onset ends: it has a direction */

static const double nsds_dependent = 1e-10; /* of entries of A: what is left of them is rounding */

static inline bool nsds_row_bilateral(const nsds_row *row) {
  return row->lower == -INFINITY && row->upper == INFINITY;
}

/* Room for lists of all rows; for problems of all those of interactions. Contacts found, most of
 * which are open, get theirs as they close. */
nsds_status nsds_event_rows_reserve(nsds_event_rows *s);
/* Room for the coordinates of searches, where there are contact sets. */
nsds_status nsds_rows_reserve_search(nsds_event_rows *s);
nsds_status nsds_event_rows_reserve_parts(nsds_event_rows *s);

#endif
