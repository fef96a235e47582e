/*
 * One-step nonsmooth problems over a plan:
 *   w_a = sum_s H_as u_s + D_a z_a + offset_a + memory of the law,   u = u_free + Y z
 * An instance has its own index set, gain and solver; a formulation says which unknowns the problem
 * handed to the solver has.
 */
#ifndef NSDS_SRC_ONE_STEP_H
#define NSDS_SRC_ONE_STEP_H

#include "numerics/solver_internal.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/plan.h"
#include "numerics/refine.h"

/* Problems of up to so many rows are handed over as dense matrices. */
enum { nsds_dense_rows = nsds_own_rows };
enum {
  nsds_least_rows = 48
}; /* of problems whose redundant reactions are those of least squares */

/* Two edges to one system: block (row, column) of M has the term H Y of the first and the second.
 */
typedef struct nsds_meeting {
  int h, y, row, column, rows, columns;
} nsds_meeting;

typedef struct nsds_formulation {
  const char *name;
  const char *scheme; /* whose it is, whatever the model; NULL: chosen by the model */
  bool all;           /* every contact is in the problem, always */
  /* Whether it can treat a contact that is new; fails where not. NULL: any. */
  nsds_status (*admit)(const nsds_one_step *o, const nsds_contact *contact);
  /* Workspace, when numbers of the plan are new. */
  nsds_status (*prepare)(nsds_one_step *o);
  /* Structure, when the index set is new. NULL: it has all contacts always. */
  nsds_status (*assemble)(nsds_one_step *o);
  /* M, when its stamp is new. NULL: prepare() has formed it. */
  void (*form_matrix)(nsds_one_step *o);
  /* q and the start of z from plan->v_free and the last impulses. */
  void (*constant_term)(nsds_one_step *o);
  /* Whether a step can start from this state, once the free motion is known. NULL: from any. */
  nsds_status (*check)(const nsds_one_step *o);
  /* u and impulses of the trial state from the solution. */
  void (*apply)(nsds_one_step *o);
} nsds_formulation;

/* Row i of a contact of the plan. */
typedef struct nsds_row_of {
  int contact, i;
} nsds_row_of;

/* Which equalities are left out of a problem since they follow from others: dependent.c. */
typedef struct nsds_dependent_rows {
  bool sought;      /* in each step: once a problem has shown that there are any */
  nsds_versions of; /* of the plan, when they were found last; none: there were none */
  int n;
  nsds_row_of *row;        /* n: those in question */
  unsigned char *left_out; /* by rows of the model */
  double *A;               /* n x n, n */
  size_t left_out_capacity, row_capacity, A_capacity;
} nsds_dependent_rows;

/* Fraction of a gap's terms that may be rounding, gathered over steps: the default tolerance of
 * activation. */
static const double nsds_activation_rounding = 1e-12;

/* Which contacts take part, and whether that has changed. */
typedef struct nsds_index_set {
  const unsigned char *given; /* at the first row of each copy: what is active; NULL: laws say */
  double tolerance;           /* of activation, relative to the terms of y */
  double slack;               /* and in its unit */
  int nactive, rows;          /* contacts with active copies, and their active rows */
  int *active;                /* plan indices of the active contacts */
  int *candidate;             /* the same, being determined */
  bool changed;               /* since the last accepted step */
  bool rebuild;               /* contacts came or went, or bounds changed */
  bool idle;                  /* the trial state's p and impulse are zero: nothing was active */
  bool any_partial;           /* a contact with active and inactive copies */
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
  double *dense;                /* M of problems of up to nsds_dense_rows rows, */
  struct nsds_meeting *meeting; /* and the pairs of edges that it sums over */
  int nmeeting;
  uint64_t pattern; /* raised when the structure of M changes */
  size_t block_capacity, row_capacity, first_edge_capacity, first_block_capacity, placed_capacity,
      edge_capacity, D_capacity, dense_capacity, meeting_capacity;
} nsds_reduced_parts;

/* The solution of least squares, see least_reactions.c. */
typedef struct nsds_least_parts {
  nsds_refiner refiner;
  double *dense; /* M of problems in factors */
  double *z;     /* what was chosen last */
  size_t dense_capacity, z_capacity;
} nsds_least_parts;

/* The unreduced formulation, see unreduced.c. */
typedef struct nsds_unreduced_parts {
  int *local, *global; /* nonzero columns of relations: within X, and among all unknowns */
  size_t local_capacity, global_capacity;
  int *p, *i, *next_in_column;
  double *x, *vector;
  nsds_block *block;
} nsds_unreduced_parts;

/* A problem over an operator. */
struct nsds_one_step {
  nsds_contact_operator op; /* first; its own */
  nsds_one_step *next;      /* of the plan's problems */
  const nsds_formulation *form;
  /* the blocks of contact c and their number; NULL: those of its law */
  int (*blocks)(const struct nsds_one_step *o, int c, nsds_block *block);
  nsds_solver *solver;  /* borrowed */
  nsds_problem problem; /* as handed to the solver */
  double *q, *z, *w;    /* of the problem */
  double *rows_q;       /* q, z, w */
  size_t rows_capacity;
  bool reserved; /* the solver has workspace for all contacts */
  bool formed;   /* index set and numbers belong to each other: the problem can be lent */
  nsds_index_set set;
  nsds_reduced_parts reduced;
  nsds_unreduced_parts unreduced;
  nsds_dependent_rows dependent;
  nsds_least_parts least;
};

/* A problem over the plan; gains of its own (M^-1) where asked for. */
nsds_status nsds_one_step_create(nsds_plan *plan, bool own_gain, nsds_one_step *o);
void nsds_one_step_destroy(nsds_one_step *o);
/* Room for so many contacts and all rows of the model. */
nsds_status nsds_one_step_resize(nsds_one_step *o, size_t contacts);
/* The index set from y and dy/dt of the accepted state; tau is the look-ahead time. */
nsds_status nsds_one_step_select(nsds_one_step *o, double tau);
/* Adds the copies that the velocities of the iterate close; says whether there were any. */
nsds_status nsds_one_step_widen(nsds_one_step *o, double tau, bool *grown);
/* H, D and offset of the active contacts that are not affine, at the iterate. */
nsds_status nsds_one_step_linearise(nsds_one_step *o);
static inline bool nsds_one_step_leaves_out(const nsds_one_step *o) {
  return !nsds_versions_missed(&o->dependent.of, &o->op.plan->seen.of, NSDS_NEW_GRAPH);
}
/* Y of the active contacts that are not fixed, M, and q at the present free unknowns. */
void nsds_one_step_form_rows(nsds_one_step *o);

/* Fails where a law has added what is not finite. */
static inline nsds_status nsds_one_step_form(nsds_one_step *o) {
  const nsds_model *model = o->op.plan->model;
  unsigned long faults = model->law_fault.count;
  if (o->problem.n > 0) nsds_one_step_form_rows(o);
  o->formed = model->law_fault.count == faults;
  return NSDS_LIKELY(o->formed) ? NSDS_OK : model->law_fault.last;
}

nsds_status nsds_one_step_solve(nsds_one_step *o, nsds_solver_info *info);
/* u = u_free + Y z, p and impulses of the trial state. */
void nsds_one_step_apply(nsds_one_step *o);
/* The contact of a block of the problem, -1 where it is of the systems. */
int nsds_one_step_contact(const nsds_one_step *o, int block);

/* The rows of contact c that follow from others say nothing: H = 0. */
void nsds_one_step_silence(const nsds_one_step *o, int c);

/* Contacts or bounds are others: the structure is made anew, or stands. */
static inline void nsds_index_set_rebuild(nsds_index_set *set) { set->rebuild = true; }
static inline void nsds_index_set_stand(nsds_index_set *set) { set->rebuild = false; }
/* Other contacts take part than in the last accepted step. */
static inline void nsds_index_set_change(nsds_index_set *set) { set->changed = true; }
/* p and impulse of the trial state may have entries. */
static inline void nsds_index_set_fill(nsds_index_set *set) { set->idle = false; }
/* The solver needs workspace; index set and numbers are not those of one step. */
static inline void nsds_one_step_unreserve(nsds_one_step *o) { o->reserved = false; }
static inline void nsds_one_step_unform(nsds_one_step *o) { o->formed = false; }

#endif
