/*
 * Rows of event-driven simulation. Each row of an interaction has a variable s and a law -s in
 * N_[lower, upper](lambda), where lambda is a force. The degree of a row counts the
 * differentiations of s until lambda appears,
 *
 *   2   gap of second-order systems                      s = y,      d^2 s/dt^2 = H a + bias
 *   1   slip speed (relay), first order without D        s = dy/dt or y,  ds/dt = H a + bias
 *       relay on a gap without compliance               s = y,      ds/dt = H v
 *   0   first order or compliance, with D                s = y = c + C x + D lambda
 *       saturation between second-order systems          s = dy/dt + D lambda
 *
 * where a = a_free + M^-1 (H^T or B) lambda are the rates of all unknowns. The mode of a row is its
 * place on its law. Closed rows are kept at s = 0, so the motion obeys an ordinary differential
 * equation until a row leaves its mode. An open row leaves its mode when s passes zero, a closed
 * row when lambda passes a bound. Tangent rows of Coulomb's law follow their normal row. In a
 * closed contact tangents stick, s_T = 0, or slide, lambda_T = -mu lambda_N s_T / |s_T|. Rows of
 * rolling friction are tangents too, with a stick and slide of their own.
 */
#ifndef NSDS_SRC_EVENT_ROWS_H
#define NSDS_SRC_EVENT_ROWS_H

#include "numerics/ode/ode.h"
#include "kernel/assembly/contact_operator.h"
#include "numerics/refine.h"

#include <nsds/event_driven.h>

typedef enum nsds_mode {
  NSDS_MODE_LOWER,     /* lambda = lower, s > 0: an open contact */
  NSDS_MODE_UPPER,     /* lambda = upper, s < 0 */
  NSDS_MODE_CLOSED,    /* s = 0, by lambda of this row; see also nsds_row_keeps_zero() */
  NSDS_MODE_IDLE,      /* other rows keep s = 0; tangents of an open contact */
  NSDS_MODE_SLIDING,   /* tangent: lambda follows from lambda of the normal row */
  NSDS_MODE_BEGINNING, /* first tangent: slip begins, slip_onset.c finds its direction */
  NSDS_MODE_ENDING     /* first tangent: slip is so small that it keeps its direction */
} nsds_mode;

/* The way in which lambda of a closed row is determined. */
typedef enum nsds_way {
  NSDS_WAY_OWN,           /* with the other closed rows */
  NSDS_WAY_SPARE,         /* other rows keep the contact closed; it carries nothing */
  NSDS_WAY_HELD,          /* other rows keep it closed; lambda is constant */
  NSDS_WAY_SHARED,        /* dependent rows share lambda */
  NSDS_WAY_DIFFERENTIATED /* degree 0: lambda follows from weighted ds/dt */
} nsds_way;

/* Findings at this event about s. */
typedef enum nsds_row_place {
  NSDS_PLACE_AWAY,
  NSDS_PLACE_ZERO,  /* s is zero up to rounding, or a root was located */
  NSDS_PLACE_MOVING /* degree 2: s is zero, ds/dt is not */
} nsds_row_place;

/* Findings at this event about lambda of a closed row. */
typedef enum nsds_bound {
  NSDS_BOUND_NONE,
  NSDS_BOUND_LOWER, /* lambda has come to its lower bound */
  NSDS_BOUND_UPPER  /* to its upper bound; contact: to a pole, see jamming_impact.c */
} nsds_bound;

/* Findings at this event about accelerations. */
typedef enum nsds_jam {
  NSDS_JAM_NONE,
  NSDS_JAM_JAMS,  /* accelerations of the part have no solution */
  NSDS_JAM_LEAVES /* free motion a short time ahead opens the row */
} nsds_jam;

typedef struct nsds_row_mark {
  nsds_row_place place;
  nsds_bound bound;
  nsds_jam jam;
  double before;   /* lambda before modes were in question */
  bool gate_due;   /* the margin of a switch has come to zero */
  bool gate_moved; /* the switch has moved */
} nsds_row_mark;

/* Slip of a tangent row. */
typedef struct nsds_row_slipping {
  /* The first row of slip or of rolling has these. largest: slip since it began. length: slip that
   * decides what the mode tells. Once slip is larger, a sliding row may stop, and one whose slip
   * begins has a direction. Below it slip that ends may stop. 0: it may stop at once. DBL_MAX: slip
   * has begun at this event. */
  double largest, length;
  double limit;              /* slip at which the onset ends, by the last evaluation */
  double direction, heading; /* component of the direction of slip: now; at the start */
} nsds_row_slipping;

/* Series of impacts. */
typedef struct nsds_row_flights {
  double impulse; /* impulse of this event */
  double before;  /* |ds/dt| before this event */
  /* last: elapsed time of the last impact; flight: flight before it; longest: of the series. */
  double last, flight, longest;
  double speed; /* after the last impact */
  /* Sizes of the terms of ds/dt, impulses among them, at this event and after the last impact. The
   * rounding errors of these terms become gaps while the row flies. way: largest size times
   * flight of the series. */
  double terms, size, way;
  bool ends; /* the series ends at this event */
  bool vain; /* the gap has come to zero at this event, though it grows */
} nsds_row_flights;

/* Values of a row in the report of this event. */
typedef struct nsds_row_report {
  bool closed_before;
  double ydot_before, limit_time; /* as in nsds_event_row */
} nsds_row_report;

typedef struct nsds_row {
  int contact, i, y;           /* contact of the plan, row of the contact; row of the model */
  const nsds_contact_set *set; /* set of a found contact, with its key; NULL: interaction */
  uint64_t key;
  int degree;
  double lower, upper; /* bounds of lambda */
  int tangents;        /* normal row with friction: number of tangent rows behind it */
  int normal;          /* tangent row: distance to its normal row; 0: no tangent */
  int lead;            /* tangent row: distance to the first row of its slip, or of its rolling */
  int span;            /* first row of slip or of rolling: number of its rows; else 0 */
  double norm;         /* sum |H| if constant, else infinite */
  double mu, given;    /* first row of slip or of rolling: its mu; given slip of a tangent row */
  nsds_mode mode;
  nsds_row_mark mark;
  nsds_way way;
  double lambda_origin; /* shared lambda: origin of the least squares */
  /* Degree 2: the gap that a closed row keeps. 0, or the gap at the start if that is larger than
   * any drift: an equality away from zero, a contact in overlap. An open row comes back to a gap
   * < 0 until it has left the overlap. */
  double held;
  double last_lambda; /* curved contacts: at the last event */
  double point;       /* lambda at which a curved contact was linearised; else 0 */
  double lambda;      /* now */
  double floor;       /* rounding error of lambda */
  /* Start of the root functions: s, if a row at zero was left open. For a closed row whose lambda
   * is its bound up to rounding: a value beyond the bound. */
  double base;
  double bias; /* bias of the first differential with lambda; degree 0: s at lambda = 0 */
  double slip; /* degree 0: s with the present lambda */
  /* Largest sum |H v| at this event, to which ds/dt is compared (degree 2), or slip (first row of
   * slip or of rolling). */
  double speed_terms;
  double gate_start; /* a switch: the start of its function, see event_switches.c */
  nsds_row_slipping slipping;
  nsds_row_flights flights;
  nsds_row_report report;
} nsds_row;

/* Rows in parts that share no system. lambda in one part does not depend on another part. */
typedef struct nsds_row_list {
  int n, *row;        /* part by part, in order within each part */
  int nparts, *start; /* nparts + 1: start of each part */
  size_t row_capacity, start_capacity;
} nsds_row_list;

/* A of the rows of a part, factored. */
typedef struct nsds_part_factor {
  nsds_factor *factor;
  bool shared;    /* rows share lambda: orthogonal factors */
  double *shares; /* n x n, scales of the rows, 3 n */
  double column;  /* if > 0: scale of all columns, replaces scales of rows */
  int rank, *order;
  size_t shares_capacity, order_capacity;
} nsds_part_factor;

/* A problem with its z, for programs that read it. */
typedef struct nsds_kept_problem {
  bool there;
  nsds_problem problem; /* made of the copies below */
  double *A, *b, *z, *bounds;
  nsds_block *block;
  nsds_event_level level;
  nsds_event_place *place; /* of each row, in the list of all problems */
} nsds_kept_problem;

/* All problems of the last event, for programs that ask for them. */
typedef struct nsds_kept_list {
  nsds_kept_problem *item;
  int places, most; /* number of items; rows for which they have memory */
  int count;        /* problems so far, perhaps more than there are places */
  nsds_store store;
} nsds_kept_list;

/* The last problems in forces and in impulses, solved or not, with their memory. */
typedef struct nsds_event_problem {
  nsds_kept_problem motion, impact;
  nsds_kept_list all;
  bool impacts;         /* the last one of both is that in impulses */
  int most;             /* rows for which there is memory */
  bool dependent;       /* rows depend on each other */
  bool rests;           /* z is not the least of the solutions */
  bool inside;          /* z is inside all bounds that it can avoid */
  double residual;      /* of the last problem, at rounding */
  double *before;       /* 2 n: z and w found, while other solutions are tried */
  double *error;        /* n: of b */
  bool *spare;          /* n: rows without a part in the least solution */
  unsigned char *place; /* n: where z of rows lies, for opening.c */
  nsds_store store;
  nsds_refiner refiner;
} nsds_event_problem;
/* A contact in space whose slip or rolling begins. */
typedef struct nsds_onset {
  int row;                   /* first row of slip or of rolling */
  double angle, first, turn; /* angle: of the direction; first: of u0; turn: rate of first */
  double slip, pull;         /* s.u; mu N G */
  double rate[2];            /* F(u) */
  double before[2], here[2]; /* F at the start of a solution; F of the first solution */
} nsds_onset;

/* The versions for which rows were listed. */
typedef struct nsds_rows_listed {
  nsds_versions of; /* of the plan */
  bool feeds;       /* some rows have a D that may change their degree */
  bool varies;      /* H or its gain changes with the state, for some row */
  bool soft;        /* lambda may enter s of some rows, or some system has a singular M */
  bool curved;      /* some contacts are curved, see soft_rows.h, or some systems bend */
  bool bends;       /* some system with a singular M is nonlinear */
  bool damped;      /* some contacts have a D of impulses, see soft_rows.h */
  bool driven;      /* some velocities are prescribed */
  bool friction;    /* some rows are tangents */
  size_t capacity;
} nsds_rows_listed;

/* Rows of another list, from which the next list takes over. */
typedef struct nsds_rows_aside {
  nsds_row *row;
  int n;            /* < 0: no rows */
  nsds_versions of; /* versions of rows of a saved state; none: other rows */
  size_t capacity;
} nsds_rows_aside;

typedef struct nsds_rows_search {
  bool sets;     /* there are contact sets */
  double *start; /* coordinates at the last search */
  double t;      /* time of the last search */
  size_t capacity;
} nsds_rows_search;

/* Facts that hold until the modes change. */
typedef struct nsds_rows_facts {
  bool loaded;   /* lambda may differ from zero somewhere */
  bool shared;   /* some parts of the closed rows share lambda */
  bool constant; /* the matrix does not change between events */
} nsds_rows_facts;

/* The closed gaps that are returned to zero. */
typedef enum nsds_gap_return {
  NSDS_RETURN_DRIFT, /* gaps with drift of the integration */
  NSDS_RETURN_ALL    /* all gaps, whatever their size */
} nsds_gap_return;

/* The present event. */
typedef struct nsds_rows_here {
  bool higher;           /* a row at rest is of relative degree 2 or more */
  bool denied;           /* states beside a singular M have no modes that the laws allow */
  bool stops;            /* some slip has come to zero at this event */
  bool again;            /* not the first event at this instant */
  bool stuck;            /* one of several at this instant: rows on the edge leave together */
  double ahead_fraction; /* of the usual time ahead at which modes of degree 0 are sought */
  nsds_gap_return
      returns; /* of nsds_settle(): ALL from a start after a window to the first return */
} nsds_rows_here;

typedef struct nsds_rows_scales {
  double time;        /* [s] time scale for differences of relations */
  double from, until; /* bounds of these times: scheduled events around */
  double drift;       /* allowed relative drift of closed rows */
  double absolute;    /* absolute tolerance of the integration */
  double instant;     /* [s] error of the time of the event; 0 at a start */
  double elapsed;     /* [s] time of the event; -infinity if states were set from outside */
} nsds_rows_scales;

/* Largest sizes of the states of systems so far. */
typedef struct nsds_rows_sizes {
  double *size;   /* by system: largest |q| or |x|, then of rates, then of |v| */
  int n;          /* number of systems */
  double largest; /* largest |q| or |x| at this event */
  size_t capacity;
  uint64_t rearranged; /* nsds_systems::rearranged for this order of systems */
  bool single;         /* system k has coordinate k and velocity k alone */
} nsds_rows_sizes;

typedef struct nsds_rows_memory {
  double *work, *map; /* work: of relations; map: T(q) */
  double *vector;     /* by v: scratch within one function */
  double *jam_way;    /* by v: forces at a pole, see jamming_impact.c */
  size_t rate_capacity, work_capacity, map_capacity, vector_capacity, jam_way_capacity;
} nsds_rows_memory;

/* The state from which the trial state goes ahead, see trial_ahead.c. */
typedef struct nsds_rows_ahead {
  double *q, *v, *dq; /* one array */
  size_t capacity;
} nsds_rows_ahead;

/* Memory for finding parts. link: two numbers by system; sorted: by row. */
typedef struct nsds_rows_split_memory {
  int *link, *sorted;
  size_t link_capacity, sorted_capacity;
} nsds_rows_split_memory;

/* Bodies whose slip may stop at this event, see nsds_friction_note_stops(). */
typedef struct nsds_friction_stops {
  int *link, *any; /* by system: bodies that closed contacts tie; one of them may stop */
  size_t capacity;
} nsds_friction_stops;

/* Factors of the closed rows, by part. */
typedef struct nsds_rows_parts {
  const nsds_row_list *factored; /* of which `factor` has A of all parts; NULL: of none */
  nsds_part_factor *factor;
  int n;
  size_t capacity;
} nsds_rows_parts;

/* Memory for the linear or complementarity problem of one part after the other. */
typedef struct nsds_rows_system {
  double *A;       /* n x n, twice */
  double *numbers; /* b to w of all rows in question */
  nsds_block *block;
  double *bounds;
  size_t A_capacity, numbers_capacity, block_capacity, bounds_capacity;
} nsds_rows_system;

/* A part of a list, and the unknowns of its problem. nsds_part_of() gives it. */
typedef struct nsds_row_part {
  const nsds_row_list *list;
  nsds_part_factor *own; /* NULL: none is reserved yet */
  int n, *chosen;        /* the rows */
  double *b, *terms;     /* |terms of b| */
  double *z, *w;
} nsds_row_part;

/* The group of a contact, see row_groups.h. */
typedef struct nsds_contact_group {
  int group;    /* -1: none, no lambda enters s */
  int row;      /* first row of the contact */
  int place;    /* of this row in the group */
  size_t moved; /* start of N B of the contact */
} nsds_contact_group;

typedef struct nsds_row_group {
  int first, n;           /* its members */
  int contact;            /* first contact */
  bool several;           /* D is here, not in the entry of the contact */
  size_t weights, matrix; /* starts of its weights and its D */
} nsds_row_group;

typedef struct nsds_rows_groups {
  nsds_contact_group *of; /* by contacts */
  nsds_row_group *group;
  int n;
  int *member;    /* rows, group by group */
  int *link;      /* 2 nslot: joins systems */
  double *D;      /* of groups of several contacts */
  double *moved;  /* N B by contacts */
  double *answer; /* by contacts: what lambda adds to states a short time ahead */
  bool algebraic; /* some system has a singular M */
  size_t of_capacity, group_capacity, member_capacity, link_capacity, D_capacity, moved_capacity,
      answer_capacity;
} nsds_rows_groups;

/* Weights of rows of degree 0: n x n for each group. scratch: n x n, n. */
typedef struct nsds_rows_weights {
  double *weight, *scratch;
  size_t capacity, scratch_capacity;
} nsds_rows_weights;

/* The watched functions as rows of a matrix. */
typedef struct nsds_rows_affine {
  double *constant, *value;
  int *start, *column;
  bool known;   /* the integrator watches the functions of `form` */
  bool whole;   /* all of them are rows of the matrix */
  int *form;    /* nrow: mode of each row and what is watched of it */
  double *base; /* nrow: bases of these functions */
  size_t constant_capacity, value_capacity, start_capacity, column_capacity, form_capacity,
      base_capacity;
} nsds_rows_affine;

/* Slip that begins. */
typedef struct nsds_rows_onsets {
  bool any;          /* some contact has an onset */
  nsds_onset *onset; /* n onsets of the part */
  int n;
  bool newton; /* by Newton's method */
  double *step;
  size_t capacity, step_capacity;
} nsds_rows_onsets;

typedef struct nsds_rows_impacts {
  bool grouped;                           /* some laws are not Newton's: impacts go by groups */
  struct nsds_distribution *distribution; /* NULL if no law distributes */
} nsds_rows_impacts;

typedef struct nsds_event_rows {
  nsds_plan *plan;
  nsds_contact_operator op; /* H, Y and D of the contacts */
  nsds_scheme *scheme;      /* scheme of the driver, at the time of the trial state */
  int nrow;
  nsds_row *row;
  double *rate;               /* nv: dv/dt or dx/dt with all lambda */
  nsds_row_list list, closed; /* list: rows in question; closed: closed rows */
  nsds_rows_facts facts;
  bool idle;    /* the trial state has neither forces nor impulses, by its last outputs */
  bool uniform; /* rates and lambda are known, and constant until the next event */
  double slack; /* drift of closed rows at the start of the integration */
  /* The accepted state is the end of a window of time stepping: gaps of any size are returned. */
  bool after_window;
  nsds_rows_here here;
  nsds_rows_listed listed;
  nsds_rows_aside aside;
  nsds_rows_search search;
  nsds_rows_scales scales;
  nsds_rows_sizes sizes;
  nsds_rows_split_memory split;
  nsds_friction_stops stops;
  nsds_rows_parts parts;
  nsds_rows_system system;
  nsds_rows_weights weights;
  nsds_rows_groups groups;
  nsds_rows_affine affine;
  nsds_rows_onsets onsets;
  nsds_rows_impacts impacts;
  nsds_rows_ahead ahead;
  nsds_rows_memory memory;
  nsds_solver *solver, *impact_solver; /* of problems in forces and in impulses, perhaps the same */
  nsds_event_problem problem;
} nsds_event_rows;

struct nsds_archive;
/* Returns true if the rows need not be listed anew. */
static inline bool nsds_event_rows_stand(const nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  unsigned missed =
      nsds_versions_missed(&s->listed.of, &plan->seen.of, NSDS_NEW_GRAPH | NSDS_NEW_SEARCH);
  return !missed && s->rate && !s->listed.feeds && !s->search.sets && !s->after_window;
}
static inline bool nsds_event_functions_watch_drift(const nsds_event_rows *s) {
  return s->facts.shared && !s->facts.constant;
}
/* Returns dy/dt for degree 2, s for degree 1 of second order, zero for first order. */
static inline double nsds_row_speed(const nsds_event_rows *s, const nsds_row *row) {
  return s->plan->trial.ydot[row->y];
}
/* Returns true if the contact may have rows of degree 0: lambda enters s. */
static inline bool nsds_contact_is_soft(const nsds_contact *contact) {
  return nsds_acts_on_states(contact->kind) || contact->is.compliant ||
         contact->law->ops->compliance;
}
static inline bool nsds_contact_is_curved(const nsds_contact *contact) {
  bool curved =
      !contact->is.linear && (nsds_acts_on_states(contact->kind) || contact->is.compliant);
  return curved && !(contact->interaction && contact->interaction->relation->straight);
}
static inline bool nsds_contact_is_damped(const nsds_contact *contact) {
  return nsds_has_gap(contact->kind) && contact->interaction &&
         contact->interaction->relation->ops->feedthrough;
}
/* Returns true for a row of degree 1 whose s is a gap: a relay that acts by the place. lambda shows
 * in d^2s/dt^2 only. */
static inline bool nsds_row_is_placed(const nsds_event_rows *s, const nsds_row *row) {
  return row->degree == 1 && row->normal == 0 && s->plan->contact[row->contact].is.compliant;
}
/* Returns true for a row whose s is dy/dt. */
static inline bool nsds_row_is_slip(const nsds_event_rows *s, const nsds_row *row) {
  return row->degree == 1 && nsds_has_gap(s->plan->contact[row->contact].kind) &&
         !nsds_row_is_placed(s, row);
}
/* Returns true if lambda cannot change, as in a switch that is off. */
static inline bool nsds_row_fixed(const nsds_row *row) { return row->lower == row->upper; }
/* Returns true if the row, or others in its place, keep s = 0. */
static inline bool nsds_row_keeps_zero(const nsds_row *row) {
  return row->mode == NSDS_MODE_CLOSED || (row->mode == NSDS_MODE_IDLE && row->normal == 0);
}

/* Returns true if the closed rows are factored for the present modes. */
static inline bool nsds_rows_closed_factored(const nsds_event_rows *s) {
  return s->parts.factored == &s->closed;
}
/* Returns true if A of the part is factored, and is the same in all states. */
static inline bool nsds_part_stays(const nsds_event_rows *s, const nsds_row_part *part) {
  return s->parts.factored == part->list && s->facts.constant;
}
/* Forgets the factors, which may be of another state. */
static inline void nsds_rows_forget_factors(nsds_event_rows *s) { s->parts.factored = NULL; }
/* Returns the factor of the part, to be made anew. Factors of another list go. */
static inline nsds_factor *nsds_part_new_factor(nsds_event_rows *s, const nsds_row_part *part) {
  if (s->parts.factored != part->list) nsds_rows_forget_factors(s);
  return part->own->factor;
}
/* Notes whether the integrator watches the functions of the rows in their present form. */
static inline void nsds_rows_know_functions(nsds_event_rows *s, bool known) {
  s->affine.known = known;
}
/* Begins a step, which has met no row at rest of relative degree 2 or more yet. */
static inline void nsds_rows_begin_step(nsds_event_rows *s) { s->here.higher = false; }

/* Returns true for an open contact that has not left its overlap yet. */
static inline bool nsds_row_overlaps(const nsds_row *row) {
  return row->mode == NSDS_MODE_LOWER && row->degree == 2 && row->held < 0.0;
}
static inline bool nsds_row_slides(const nsds_row *row) {
  return row->mode == NSDS_MODE_SLIDING || row->mode == NSDS_MODE_BEGINNING ||
         row->mode == NSDS_MODE_ENDING;
}
/* Returns true if the law has tangents behind its normal row. */
static inline bool nsds_law_has_tangents(const nsds_law *law) {
  return law->set == NSDS_SET_COULOMB || law->set == NSDS_SET_ROLLING;
}
/* Returns true if slip or rolling of a contact slides. */
static inline bool nsds_row_any_slides(const nsds_row *normal) {
  bool any = false;
  for (const nsds_row *t = normal + 1, *end = t + normal->tangents; t < end; ++t)
    any = any || (t->span > 0 && nsds_row_slides(t));
  return any;
}
/* Returns the coefficient of friction of a tangent. */
static inline double nsds_row_friction(const nsds_row *tangent) {
  return tangent[-tangent->lead].mu;
}
static inline bool nsds_row_at_zero(const nsds_row *row) {
  return row->mark.place != NSDS_PLACE_AWAY;
}
static inline bool nsds_row_moves(const nsds_row *row) {
  return row->mark.place == NSDS_PLACE_MOVING;
}

/* Empties a list, with its factors. */
static inline void nsds_rows_clear(nsds_event_rows *s, nsds_row_list *list) {
  list->n = list->nparts = 0;
  if (s->parts.factored == list) nsds_rows_forget_factors(s);
}

static const double nsds_rounding = 0x1p-46; /* 64 eps, relative to terms of gaps and velocities */
static const double nsds_drifted = 1e-6;     /* of terms: the program has set larger gaps */

/* Returns the largest drift of closed rows between two events, relative to their terms. */
static inline double nsds_rows_most_drift(const nsds_event_rows *s) {
  double most = 10.0 * s->scales.drift;
  return most > nsds_drifted ? most : nsds_drifted;
}

/* Part of the slip at which an onset ends. A larger slip has a direction. */
static const double nsds_slipping = 1e-3;

static const double nsds_dependent = 1e-10; /* of entries of A: a smaller rest is rounding */

static inline bool nsds_row_bilateral(const nsds_row *row) {
  return row->lower == -INFINITY && row->upper == INFINITY;
}

#endif
