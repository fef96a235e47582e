/*
 * One-step nonsmooth problems over a plan:
 *
 *   w_a = sum_s H_as u_s + D_a z_a + offset_a + memory of the law,   u = u_free + Y z
 *
 * Each instance has an index set of its own, and borrows its solver. A formulation sets the unknowns of the problem
 * that the solver gets.
 */
#ifndef NSDS_SRC_PROBLEMS_H
#define NSDS_SRC_PROBLEMS_H

#include "numerics/solver_internal.h"
#include "kernel/assembly/operators.h"
#include "numerics/refine.h"

/* Problems of at most this many rows are handed over as dense matrices. */
enum { nsds_dense_rows = nsds_own_rows };
enum { nsds_least_rows = 64 }; /* rows of problems with redundant reactions of least squares */

/* Two edges to one system. The term H Y of the first and the second belongs to block (row, column)
 * of M. */
typedef struct nsds_meeting {
  int h, y, row, column, rows, columns;
} nsds_meeting;

typedef struct nsds_formulation {
  const char *name;
  const char *scheme; /* the only scheme that uses it; NULL: chosen by the model */
  bool all;           /* every contact is always in the problem */
  bool whole;   /* w and z are velocities and impulses of a whole step, and u = u_free + Y z */
  double share; /* of the step in which its impulses act; 0: all of it */
  /* Fails for a new contact that the formulation cannot treat. NULL: treats any. */
  nsds_status (*admit)(const nsds_one_step *o, const nsds_contact *contact);
  /* Reserves workspace, when numbers of the plan are new. */
  nsds_status (*prepare)(nsds_one_step *o);
  /* Builds the structure, when the index set is new. NULL: every contact is always in it. */
  nsds_status (*assemble)(nsds_one_step *o);
  /* Computes M, when its stamp is new. NULL: prepare() has formed M. */
  void (*form_matrix)(nsds_one_step *o);
  /* Computes q and the start of z from plan->v_free and the last impulses. */
  void (*constant_term)(nsds_one_step *o);
  /* Fails if no step can start from this state. The free motion is known. NULL: never fails. */
  nsds_status (*check)(const nsds_one_step *o);
  /* Computes u and impulses of the trial state from the solution. */
  void (*apply)(nsds_one_step *o);
} nsds_formulation;

/* Row i of a contact of the plan. */
typedef struct nsds_row_of {
  int contact, i;
} nsds_row_of;

/* Equalities left out of a problem because others imply them, see dependent.c. */
typedef struct nsds_dependent_rows {
  bool sought;      /* search in each step, since a problem has shown some */
  nsds_versions of; /* of the plan at the last find; 0: none found */
  int n;
  nsds_row_of *row;        /* n: the rows in question */
  unsigned char *left_out; /* by rows of the model */
  double *A;               /* n x n, n */
  size_t left_out_capacity, row_capacity, A_capacity;
} nsds_dependent_rows;

/* Fraction of a gap's terms that may be rounding, summed over steps. This is the default tolerance
 * of activation. */
static const double nsds_activation_rounding = 1e-12;

/* The contacts that take part, and changes of that set. */
typedef struct nsds_index_set {
  const unsigned char *given; /* argument of the last nsds_one_step_select() */
  double tolerance;           /* of activation, relative to the terms of y */
  double slack;               /* gaps up to this count as closed; the driver's projection */
  int nactive, rows;          /* contacts with active copies, and their active rows */
  int *active;                /* plan indices of the active contacts */
  int *candidate;             /* the active contacts being selected */
  bool changed;               /* since the last accepted step */
  bool idle;                  /* p and impulse of the trial state are zero */
  bool any_partial;           /* some contact has rows in use and others not */
  uint64_t built;             /* nsds_plan::structure of its rows and blocks; 0: to be built anew */
  size_t active_capacity, candidate_capacity;
} nsds_index_set;

/* The structure and the numbers of the reduced formulation, see reduced.c. */
typedef struct nsds_reduced_parts {
  nsds_factored factored;
  nsds_block *block;
  int *row, *first_edge, *first_block;
  uint64_t *placed; /* id of the entry whose structure stands at each place; 0: none */
  int nplaced;
  nsds_edge *edge;
  const double **D;
  double *dense;                /* M of problems of up to nsds_dense_rows rows */
  struct nsds_meeting *meeting; /* nmeeting: pairs of edges summed in `dense` */
  int nmeeting;
  uint64_t pattern; /* raised when the structure of M changes */
  size_t block_capacity, row_capacity, first_edge_capacity, first_block_capacity, placed_capacity,
      edge_capacity, D_capacity, dense_capacity, meeting_capacity;
} nsds_reduced_parts;

/* The reactions of least squares, see least_reactions.c. */
typedef struct nsds_least_parts {
  nsds_refiner refiner;
  double *dense;  /* M of problems in factors */
  uint64_t stamp; /* of the matrix in `dense`; 0: of none */
  double *z;      /* last choice, then the impulses from which the solver starts */
  size_t dense_capacity, z_capacity;
} nsds_least_parts;

/* The search for rest, see rest.c. */
typedef struct nsds_rest_parts {
  double *x; /* its vectors */
  size_t capacity;
  uint64_t pattern; /* of the problem that was looked at last */
  bool serves;      /* it has several contacts with friction, and else joints and gaps alone */
} nsds_rest_parts;

/* Relays that keep their state, see kept_states.c. */
typedef struct nsds_kept_parts {
  double *bounds; /* lower, then upper ones; NULL: no relay of the model may keep its state */
  nsds_block *block;
  size_t bounds_capacity, block_capacity;
} nsds_kept_parts;

/* The unreduced formulation, see unreduced.c. */
typedef struct nsds_unreduced_parts {
  int *local, *global; /* nonzero columns of relations: within X, and among all unknowns */
  size_t local_capacity, global_capacity;
  int *p, *i, *next_in_column;
  double *x, *vector;
  nsds_block *block;
  uint64_t refreshed; /* nsds_plan::refreshed of its numbers */
} nsds_unreduced_parts;

/* A problem over an operator. */
struct nsds_one_step {
  nsds_contact_operator op; /* first */
  nsds_one_step *next;      /* next problem of the plan */
  const nsds_formulation *form;
  /* writes the blocks of contact c, returns their number; NULL: those of its law */
  int (*blocks)(const struct nsds_one_step *o, int c, nsds_block *block);
  nsds_solver *solver;  /* borrowed */
  nsds_problem problem; /* as handed to the solver */
  double *q, *z, *w;    /* of the problem */
  double *rows_q;       /* q, z, w */
  size_t rows_capacity;
  bool reserved; /* the solver has workspace for all contacts */
  bool formed;   /* index set and numbers are of one step: the problem can be lent */
  nsds_index_set set;
  nsds_reduced_parts reduced;
  nsds_unreduced_parts unreduced;
  nsds_dependent_rows dependent;
  nsds_least_parts least;
  nsds_rest_parts rest;
  nsds_kept_parts kept;
};

static inline bool nsds_one_step_leaves_out(const nsds_one_step *o) {
  return !nsds_versions_missed(&o->dependent.of, &o->op.plan->seen.of, NSDS_NEW_GRAPH);
}

/* Returns true if the index set was built for the contacts that the plan has now. */
static inline bool nsds_one_step_stands(const nsds_one_step *o) {
  return o->set.built == o->op.plan->structure;
}

/* Notes that the active contacts differ from the last accepted step. */
static inline void nsds_index_set_change(nsds_index_set *set) { set->changed = true; }
/* Notes that index set and numbers are not of one step. */
static inline void nsds_one_step_unform(nsds_one_step *o) { o->formed = false; }

#endif
