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
#ifndef NSDS_SRC_SMOOTH_H
#define NSDS_SRC_SMOOTH_H

#include "ode.h"
#include "one_step.h"
#include "refine.h"

typedef enum nsds_mode {
  NSDS_MODE_LOWER,  /* lambda = lower, s > 0: an open contact */
  NSDS_MODE_UPPER,  /* lambda = upper, s < 0 */
  NSDS_MODE_CLOSED, /* s = 0 */
  NSDS_MODE_IDLE,   /* s = 0 because of other rows; tangents of an open contact */
  NSDS_MODE_SLIDING /* tangent: lambda follows from that of its normal row */
} nsds_mode;

typedef struct nsds_row {
  int contact, i, y;           /* contact of the plan and row of it; row of the model */
  const nsds_contact_set *set; /* that has found it, and its key there; NULL: of an interaction */
  uint64_t key;
  int degree;
  double lower, upper; /* bounds of lambda */
  nsds_mode mode;
  bool held;           /* closed because of others: lambda stays as it is */
  bool spare;          /* likewise, a contact that carries nothing */
  bool sharing;        /* closed, with others that depend on each other and share lambda */
  bool differentiated; /* degree 0: lambda follows from ds/dt, that of others weighted with it */
  size_t weights;      /* degree 0: where those of the rows of its contact begin */
  bool at_zero;        /* s is zero, up to rounding or by what was located */
  bool at_lower;       /* lambda of a closed row has come to its lower bound, */
  bool at_upper;       /* or to its upper one; of a contact, to a pole: jamming_impact.c */
  bool moving;         /* degree 2: at zero, but ds/dt is not */
  bool ends;           /* degree 2: its flights have come to their limit at this event */
  bool jams;           /* at zero, where the accelerations of its part have no solution, */
  bool leaves;         /* and, as free motion shows a short time ahead, opens */
  double base;         /* what the root functions start from: s where a row at zero was left open;
                          beyond the bound where lambda of a closed one cannot be told from it */
  double floor;        /* what rounding makes of lambda */
  double lambda;       /* now */
  double rest;         /* sharing: what the least squares are counted from */
  double bias;         /* of the first differential with lambda in it; degree 0: c + C x */
  double slip;         /* degree 0: s with lambda as it is */
  int tangents;        /* of a normal row with friction: tangent rows that follow it */
  int normal;          /* of a tangent row: so many before it is its normal row; 0: it is none */
  double norm;         /* sum |H| where it stays, else infinite */
  double mu, given;    /* of a normal row; given slip velocity of a tangent row */
  bool begins;         /* first tangent: slip has begun, its direction is that of slip_onset.c, */
  double limit;        /* up to this slip, by the last evaluation */
  double direction, heading; /* component of the direction of slip; when the integration began */
  double scale;              /* degree 2: sum |H v| of the event, what ds/dt is measured against */
  double impulse;            /* of the event under way, */
  double before;             /* and |ds/dt| before it */
  double last, flight,
      longest;  /* impacts: elapsed time of the last, flight before, longest of a series */
  double speed; /* after the last one */
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

typedef struct nsds_smooth {
  nsds_plan *plan;
  nsds_one_step carrier; /* H, Y and D of the contacts; is never solved */
  uint64_t topology;     /* for which the rows were listed */
  uint64_t detections;   /* likewise */
  int nrow;
  nsds_row *row;
  size_t row_capacity;
  nsds_row *aside; /* naside rows of another list, whose memory is to be taken over; < 0: none */
  int naside;
  uint64_t aside_topology; /* the rows of a saved state belong to this graph; 0: all others */
  size_t aside_capacity;
  bool follows;   /* there are contact sets, */
  double *start;  /* and searches of theirs were made at these coordinates, */
  double start_t; /* at this time */
  size_t start_capacity;
  bool driven;        /* some velocities are prescribed */
  bool loaded;        /* lambda may differ from zero somewhere */
  bool idle;          /* it did not when forces were looked at last, nor were there impulses */
  double time_scale;  /* [s] of differences of relations */
  double from, until; /* the times that they may look at: from one scheduled event to the next */
  double drift;       /* of closed rows that integration is allowed, relative */
  double
      doubt; /* what gaps that are zero were off by when an event was met, at most, of their terms */
  double *rate;       /* nv: dv/dt or dx/dt with all lambda */
  double *work, *map; /* of relations; of T(q) */
  double *size;       /* largest |q| or |x| met, by system; likewise of the rates; of |v| */
  int nsize;          /* for so many systems */
  double largest;     /* of the first of them, at this event */
  size_t rate_capacity, work_capacity, map_capacity, size_capacity;
  nsds_row_list list, closed; /* the rows in question; those that are closed */
  int *link, *sorted;         /* of finding parts: by systems twice, by rows */
  size_t link_capacity, sorted_capacity;
  nsds_part_factor *part; /* by parts */
  int npart;
  size_t part_capacity;
  /* a linear or complementarity problem in the rows of a part, the present one */
  nsds_part_factor *own;
  int n, *chosen;                /* the rows */
  double *A, *b, *terms, *z, *w; /* n x n, twice; b, |terms of b|, unknowns */
  double *numbers;               /* b to w of all rows in question */
  size_t A_capacity, numbers_capacity;
  nsds_block *block;
  size_t block_capacity;
  double *bounds;
  size_t bounds_capacity;
  double *weight, *scratch; /* of rows of degree 0: m x m of each contact; one m x m */
  size_t weight_capacity, scratch_capacity;
  /* of the closed rows: */
  bool shared;     /* some parts share lambda */
  double slack;    /* of their drift when the integration began */
  bool factored;   /* for the present modes, and the matrix does not change between events */
  bool constant;   /* so it is */
  bool friction;   /* some rows are tangents */
  bool higher;     /* a row at rest is of relative degree 2 or more */
  bool stops;      /* slip has come to zero somewhere at this event */
  bool again;      /* not the first event at this instant, */
  bool stuck;      /* but one of several: rows on the edge leave together */
  bool return_all; /* closed gaps are returned to zero however far they are off */
  bool uniform;    /* rates and lambda are found, and stay so until the next event */
  /* the watched functions as rows of a matrix */
  double *g_constant, *g_value;
  int *g_start, *g_column;
  size_t g_constant_capacity, g_value_capacity, g_start_capacity, g_column_capacity;
  nsds_scheme *instant; /* the driver's, whose time is that of the trial state */
  bool begins;          /* slip begins somewhere, */
  nsds_onset *onset;    /* here */
  int nonset;
  bool onset_newton; /* by Newton's method */
  double *onset_step, *onset_state;
  size_t onset_capacity, onset_step_capacity, onset_state_capacity;
  double *jam_state; /* where the trial state came from; dq/dt */
  size_t jam_state_capacity;
  bool grouped; /* some laws of impact are not Newton's: impacts go by groups */
  struct nsds_distribution *distribution; /* NULL where no law distributes */
  nsds_solver *solver;
  nsds_event_problem problem;
} nsds_smooth;

/* event_rows.c */
nsds_status nsds_smooth_create(nsds_plan *plan, nsds_smooth *s);
void nsds_smooth_destroy(nsds_smooth *s);
/* Rows anew where interactions came or went; modes of all have to be found then. Where contacts have
 * been found anew and no more, rows remember what they were. */
nsds_status nsds_smooth_renew(nsds_smooth *s);
/* row_carryover.c: room for rows, then rows, whose memory the next list is to take over; does so. */
struct nsds_archive;
nsds_status nsds_rows_reserve_aside(nsds_smooth *s, int n);
void nsds_rows_put_aside(nsds_smooth *s, const nsds_row *row, int n);
void nsds_rows_take_back(nsds_smooth *s);
/* event_rows_archive.c: rows, which READ puts aside for the next list; what an integration goes on with
 * between events, for the rows as they are listed. */
void nsds_smooth_archive_rows(nsds_smooth *s, struct nsds_archive *a);
void nsds_smooth_archive_motion(nsds_smooth *s, struct nsds_archive *a);
/* Rows whose lambda in the model's state is between its bounds count as at zero: after a window. */
void nsds_smooth_mark_loaded(nsds_smooth *s);
/* dx of x = (q, v) at the trial state and its time; lambda of all rows. */
nsds_status nsds_smooth_rates(nsds_smooth *s, double *dx);
/* s of the open rows at the trial state, and distances of lambda to the bounds of the closed ones:
 * two functions a row, positive inside the mode; 1 where a row has one or none. The one behind
 * these is positive while joints that share lambda have not drifted apart; with contact sets another
 * one is while no contacts can be near that have not been found. */
nsds_status nsds_smooth_functions(nsds_smooth *s, double *g);
static inline int nsds_smooth_function_count(const nsds_smooth *s) {
  return 2 * s->nrow + 1 + s->follows;
}
static inline bool nsds_smooth_watches_drift(const nsds_smooth *s) {
  return s->shared && !s->constant;
}
/* Which of the two functions of a row end its mode. */
void nsds_smooth_watched(const nsds_smooth *s, const nsds_row *row, bool watched[2]);
/* These as rows of a matrix over (q, v), where all are affine. */
bool nsds_smooth_affine_functions(nsds_smooth *s, nsds_ode_rows *rows);
nsds_status nsds_smooth_reserve_functions(nsds_smooth *s);
/* Whether rates and lambda stay what they are while the modes do. */
bool nsds_smooth_uniform(const nsds_smooth *s);
/* y and dy/dt of the trial state. */
nsds_status nsds_smooth_outputs(nsds_smooth *s);
/* Notes how large coordinates and velocities are; and rates. */
void nsds_smooth_note_sizes(nsds_smooth *s, const double *q, const double *v);
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
/* Whether s = 0 is kept. */
static inline bool nsds_row_closed(const nsds_row *row) {
  return row->mode == NSDS_MODE_CLOSED || (row->mode == NSDS_MODE_IDLE && row->normal == 0);
}
/* s of a row at the trial state, whose outputs hold. */
double nsds_row_value(const nsds_smooth *s, const nsds_row *row);

/* What does not depend on lambda at the trial state: rates, linearisations, directions of slip. */
nsds_status nsds_smooth_free_rates(nsds_smooth *s);
/* Then, with rates that are the free ones, lambda of the closed rows, and what it adds to them. */
nsds_status nsds_smooth_close(nsds_smooth *s);
nsds_status nsds_smooth_coordinate_rates(const nsds_smooth *s, double *dq);

/* slip_onset.c: room for so many contacts with friction in space; directions of those whose slip begins,
 * with lambda of the closed rows and all rates. */
nsds_status nsds_onset_reserve(nsds_smooth *s, int contacts);
nsds_status nsds_onset_follow(nsds_smooth *s);

/* prescribed_rates.c: prescribed velocities of the trial state, and their rates. */
nsds_status nsds_driven_rates(nsds_smooth *s);

/* event_parts.c: cuts a list into its parts; and those into smaller ones where `tied` says of two rows of
 * a part, the present one, that they do not act on each other, by numbers in it. */
nsds_status nsds_rows_split(nsds_smooth *s, nsds_row_list *list);
nsds_status nsds_rows_refine(nsds_smooth *s, nsds_row_list *list,
                             bool (*tied)(const nsds_smooth *s, int i, int j));
/* Part p of a list is the present one. */
void nsds_part_enter(nsds_smooth *s, const nsds_row_list *list, int p);
/* Memory for parts of this many rows. */
nsds_status nsds_parts_reserve(nsds_smooth *s, const nsds_row_list *list);
void nsds_parts_release(nsds_smooth *s);

static inline void nsds_rows_clear(nsds_row_list *list) { list->n = list->nparts = 0; }

/* event_rows_matrix.c: A and b of the chosen rows, lambda of the others being what it is. With `impact`
 * the unknowns are impulses and b is zero. */
nsds_status nsds_smooth_matrix(nsds_smooth *s, bool impact);
/* Linearisation of contacts that are not constant, at the trial state. */
nsds_status nsds_smooth_linearise(nsds_smooth *s);
/* v += M^-1 (H^T or B) of row r times x; with what its sliding tangents add. */
void nsds_smooth_push(const nsds_smooth *s, const nsds_row *row, double x, double *v);
void nsds_smooth_load(const nsds_smooth *s, const nsds_row *row, double x, double *v);
/* H_r M^-1 (H^T or B)_q, with what the sliding tangents of q add. */
double nsds_smooth_product(const nsds_smooth *s, const nsds_row *r, const nsds_row *q);
/* The same without that. */
double nsds_smooth_bare_product(const nsds_smooth *s, const nsds_row *r, const nsds_row *q);
/* First order: dy/dt of a row at lambda as it is, with the rates as they are, and the sum of the
 * sizes of its terms. */
void nsds_smooth_rate_part(const nsds_smooth *s, const nsds_row *row, double *b, double *terms);
/* Factors A of the chosen rows; and z with it: where rows share lambda, scaled to a diagonal of
 * about 1, the least norm, directions in which A is below `least` being left out. */
nsds_status nsds_smooth_factor(nsds_smooth *s, double least);
void nsds_smooth_solve(const nsds_smooth *s);
/* Room for lists of all rows; for problems of all those of interactions. Contacts found, most of
 * which are open, get theirs as they close. */
nsds_status nsds_smooth_reserve(nsds_smooth *s);
nsds_status nsds_smooth_reserve_parts(nsds_smooth *s);

/* degree_zero_rows.c: how far ahead of the present state the closed rows show, where D does not say which
 * they are; 0: it does. The problem of the chosen rows, A and b, so far ahead. */
double nsds_smooth_time_ahead(const nsds_smooth *s);
void nsds_smooth_look_ahead(nsds_smooth *s, double time);
/* The sum of the sizes of the terms of s, and how far s of a row that is zero because of others may
 * be from it. */
double nsds_smooth_terms(const nsds_smooth *s, const nsds_row *row);
/* Of degree 0: how large lambda is where it counts. */
double nsds_lambda_size(const nsds_smooth *s, const nsds_row *row);
double nsds_held_tolerance(const nsds_smooth *s, const nsds_row *row);
/* The closed rows of degree 0 among the chosen ones that depend on each other, and their weights. */
nsds_status nsds_smooth_differentiate(nsds_smooth *s, bool *any);

/* friction_modes.c: of a normal row at the trial state, whose outputs hold: whether its tangents
 * are at zero, their modes from lambda, the distance to the end of their mode. */
/* A tangent that sticks does so while its speed is up to the part `held` of its terms; INFINITY:
 * whatever it is. */
void nsds_friction_touch(nsds_smooth *s, nsds_row *normal, double held);
/* `shared`: others may take over from tangents that come to their bound. */
void nsds_friction_judge(nsds_row *normal, const double *w, double zero, bool again, bool shared);
double nsds_friction_distance(const nsds_smooth *s, const nsds_row *normal);
/* The integration begins with sliding tangents: their heading, the slip at which they stop, and
 * that from which on they can (`longest` of the first; 0: at once). */
void nsds_friction_begin(const nsds_smooth *s, nsds_row *normal);
/* Slip that has begun goes on so below its end, unless it has another direction now. */
void nsds_friction_go_on(const nsds_smooth *s, nsds_row *normal);
/* It begins with sticking ones: these may be at their bound, as well as it is known. */
void nsds_friction_hold(const nsds_smooth *s, nsds_row *normal);
/* Directions of all that slide; lambda of sliding tangents. */
nsds_status nsds_friction_update(nsds_smooth *s);
void nsds_friction_follow(nsds_smooth *s);

/* rows_at_zero.c, impact.c, impact_distribution.c, gap_projection.c, event_modes.c */
/* What is at zero at the trial state, besides what has been marked so. With `outside` the program
 * may have moved what was closed. */
void nsds_modes_touch(nsds_smooth *s, bool outside);
/* What gaps that should be zero are off by: others are known no better. */
void nsds_modes_doubt(nsds_smooth *s);
/* After an impact, whether rows of degree 1 are still at zero. */
void nsds_modes_touch_speeds(nsds_smooth *s);
/* Impacts of the rows at zero; *any: there was one. Velocities of the trial state. */
nsds_status nsds_modes_impact(nsds_smooth *s, nsds_solver_info *info, bool *any);
/* Its steps: the rows that take impulses, in parts that share a law where laws differ and in which one
 * asks for it; dy/dt- and what the law remembers of it (first order: y); velocities by the impulses of
 * the present part; which of the rows at zero move apart: where the law wants zero, what is left is
 * rounding. */
typedef bool nsds_row_test(const nsds_smooth *s, const nsds_row *row);
nsds_status nsds_impact_choose(nsds_smooth *s, nsds_row_test *asks);
double nsds_impact_before(const nsds_smooth *s, const nsds_row *row, bool inelastic);
void nsds_impact_push(nsds_smooth *s, double residual);
void nsds_impact_part(nsds_smooth *s);
/* jamming_impact.c: an impulse without collision, over the parts of the rows that jam; whether velocities have
 * changed; whether rows open or stick instead, so that modes are to be found once more. Marks closed rows
 * at the trial state whose force friction makes grow without bound as at their upper bound: they jam;
 * *any: there are such. Room for it. */
nsds_status nsds_modes_find_poles(nsds_smooth *s, bool *any);
nsds_status nsds_modes_jam(nsds_smooth *s, nsds_solver_info *info, bool *moved, bool *left);
nsds_status nsds_jam_reserve(nsds_smooth *s);
/* The impulses z of the chosen rows by the distributing law, with A and b = dy/dt-, and what it
 * leaves open of velocities, relative. */
nsds_status nsds_distribute(nsds_smooth *s, bool inelastic, double *residual);
/* Room for the impacts of laws that are not Newton's. */
nsds_status nsds_distribution_reserve(nsds_smooth *s);
void nsds_distribution_destroy(nsds_smooth *s);
/* Gaps below this are rounding. */
double nsds_modes_resolution(const nsds_smooth *s, const nsds_row *row);
/* Modes of all rows at the trial state, lambda and rates. *undecided counts rows that are on the
 * edge. NSDS_ERROR_SOLVER: rows jam; with no failure recorded where it is by poles alone. */
nsds_status nsds_modes_find(nsds_smooth *s, nsds_solver_info *info, int *undecided);
/* The event is over: its marks go. */
void nsds_modes_leave(nsds_smooth *s);
/* event_problem.c: solves A z + b with the sets of the chosen rows, to rounding where they are not too
 * many; room for the largest part; frees it. */
nsds_status nsds_event_solve(nsds_smooth *s, bool impact, nsds_solver_info *info);
/* The same with the solver's tolerance at rounding, where it can; impulses z that have been found, of a
 * problem that is nearly this one. */
nsds_status nsds_event_solve_closely(nsds_smooth *s, bool impact, nsds_solver_info *info);
void nsds_event_correct(nsds_smooth *s);
nsds_status nsds_event_problem_reserve(nsds_smooth *s, int most);
void nsds_event_problem_destroy(nsds_smooth *s);
/* sum |H| of a row times the largest values there have been. */
typedef enum nsds_size_of {
  NSDS_SIZE_OF_PLACES,
  NSDS_SIZE_OF_RATES,
  NSDS_SIZE_OF_SPEEDS
} nsds_size_of;
double nsds_modes_size(const nsds_smooth *s, const nsds_row *row, nsds_size_of what);
/* What rounding of dy/dt and of y is measured against. */
double nsds_modes_terms(const nsds_smooth *s, const nsds_row *row);
double nsds_modes_gap_terms(const nsds_smooth *s, const nsds_row *row);
/* What drift of dy/dt is measured against: its terms or, near rest, the speed that the accelerations
 * reach over a way as long as the gap's terms. */
double nsds_modes_speed_scale(const nsds_smooth *s, const nsds_row *row);
/* Whether gaps of closed rows, or their velocities, have left zero by more than this fraction of
 * their terms; and back, by the least change of q and v in the metric of M. */
bool nsds_modes_drift(const nsds_smooth *s, double tolerance);
/* The sum of squares of what they have, and of what that does to velocities where rows depend on each
 * other, by that drift which integration is allowed. */
double nsds_modes_drifted(nsds_smooth *s);
/* `ended`: series of impacts were taken to their limit; what that takes counts as impulses. */
nsds_status nsds_modes_project(nsds_smooth *s, bool ended);

static const double nsds_rounding = 0x1p-46; /* 64 eps, of terms of gaps and velocities */
static const double nsds_drifted = 1e-6;     /* of sizes: more is where the program has put it */

static const double nsds_slipping =
    1e-3; /* of the slip at which an onset ends: it has a direction */

static const double nsds_dependent = 1e-10; /* of entries of A: what is left of them is rounding */

static inline bool nsds_row_bilateral(const nsds_row *row) {
  return row->lower == -INFINITY && row->upper == INFINITY;
}

#endif
