/*
 * Shared by the methods behind nsds_solve(): the table row with its operations, the instance, and
 * the toolbox of an instance (explicit forms of M, scratch, interruption). "auto" lends its toolbox
 * to the methods it tries, so that forms and scratch exist once.
 */
#ifndef NSDS_SRC_SOLVER_INTERNAL_H
#define NSDS_SRC_SOLVER_INTERNAL_H

#include "numerics/certify/certify_answer.h"
#include "numerics/linear/factor.h"
#include "numerics/store.h"

#include <nsds/solver.h>

enum {
  nsds_dense_limit = 2000, /* rows up to which a dense form is built from another storage */
  nsds_option_count = 12,  /* most options of a method */
  nsds_all_sets = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX | NSDS_SET_DISC |
                  NSDS_SET_CONE | NSDS_SET_COULOMB | NSDS_SET_ROLLING | NSDS_SET_POLYHEDRON,
  nsds_all_storages = NSDS_DENSE | NSDS_CSC | NSDS_FACTORED | NSDS_BLOCK_ROWS
};

/* The first options of every method; its own options follow. */
enum {
  OPTION_TOLERANCE,
  OPTION_TIME_LIMIT,
  OPTION_MEMORY_LIMIT,
  OPTION_MAX_ITERATIONS,
  OPTION_FIRST_OWN
};

/* clang-format off */
#define NSDS_COMMON_OPTIONS(default_iterations, iterations_help)                                   \
  {"tolerance", "1", "largest scale-free residual of a solved problem", 1e-10, 0.0, 1.0},          \
  {"time_limit", "s", "limit of one solve; 0: none", 0.0, 0.0, 1e9},                               \
  {"memory_limit", "MB",                                                                           \
   "what a sparse form of M and factors may take; 0: of fallbacks of auto ten times the problem, " \
   "and at least 500, otherwise no limit", 0.0, 0.0, 1e9},                                         \
  {"max_iterations", "integer", iterations_help, default_iterations, 0.0, 1e9}
/* clang-format on */

/* For the row of a method that takes every problem. */
#define NSDS_ANY_PROBLEM .sets = nsds_all_sets, .storages = nsds_all_storages

/*
 * A method: its public row and its operations.
 *
 * create   fills the zeroed state of a new instance; its status is that of the creation.
 *          NULL: nothing to fill.
 *
 * reserve  keeps arrays and scratch for problems of this shape; called right before every solve, so
 *          it must return at once if nothing grows. Required, except for global methods.
 *
 * solve    z holds the start on entry and the best iterate on return, always finite; fills
 *          outcome, iterations and factorizations of info, which are zero on entry. A status other
 *          than NSDS_OK is a failure of the call (memory), not of the method. Required, except for
 *          global methods.
 *
 * release  frees what the state holds outside its store, also if create failed.
 *          NULL: nothing to free.
 *
 * archive  archives the memory of the last solve that the next one needs or uses. NULL: the start
 *          is all.
 */
struct nsds_archive;
typedef struct nsds_method {
  nsds_solver_row row;
  int variant;       /* tells methods apart that share these operations */
  size_t state_size; /* bytes of zeroed state kept between solves */
  nsds_status (*create)(nsds_solver *solver);
  nsds_status (*reserve)(nsds_solver *solver, const nsds_problem *problem);
  nsds_status (*solve)(nsds_solver *solver, const nsds_problem *problem, double *z,
                       nsds_solver_info *info);
  void (*release)(nsds_solver *solver);
  void (*archive)(nsds_solver *solver, struct nsds_archive *archive);
} nsds_method;

/* An explicit form of M, built from another storage and kept while the stamp stays the same. */
typedef struct nsds_dense_form {
  double *x; /* n x n */
  int n;
  uint64_t stamp; /* stamp of the values; 0: none */
} nsds_dense_form;

typedef struct nsds_csc_form {
  int *p, *i;
  double *x;
  int *diagonal;               /* n: place of the diagonal entry of each column */
  int *next_p, *next_i, *work; /* a new structure, to compare with the kept one */
  int n;
  uint64_t stamp;
  uint64_t pattern; /* changes with the structure; never 0 once built */
  uint64_t given;   /* the problem's own number of that structure; 0: none */
} nsds_csc_form;

typedef struct nsds_block_form {
  nsds_block_rows rows; /* of the arrays below */
  int *row, *first, *column, *start;
  double *x;
  int *block_of; /* n: work, block row of a row */
  int *mark;     /* nrow_block: work, last block column that met it */
  int *next;     /* nrow_block: work, next block of each row */
  uint64_t stamp;
} nsds_block_form;

/* Memory of pair.c. */
struct nsds_twice;
typedef struct nsds_pair {
  struct nsds_twice *A, *step;       /* n x (n + 1) equations, rows together; the step */
  double *unit;                      /* n: scales of columns */
  double *z, *low, *best, *best_low; /* n: pair at work, best pair */
  double *bound;                     /* n: where z ends in this step; NAN: w = 0 */
  int *order;                        /* n: columns in order of their pivots */
} nsds_pair;

typedef enum nsds_decision { NSDS_UNJUDGED, NSDS_FAILS, NSDS_PASSES } nsds_decision;

typedef struct nsds_toolbox {
  nsds_store store; /* holds the forms and the pair */
  nsds_pair pair;
  struct nsds_proof *search; /* of solver.c, or NULL */
  /* Verdicts compare with the scale of the data; in steps of simulations, and in problems within
   * problems, with the size of the terms. */
  bool by_scale;
  double *scale; /* n: scale of the problem, once it is known, at the end of certify_work */
  double limit;  /* largest violation of a solved problem */
  bool inferred; /* it is more than the tolerance */
  bool near;     /* see nsds_solver_expect_near() */
  bool fresh;    /* factors of solves before are forgotten at the next solve */
  nsds_violation violation; /* of the point certified last, if `measured` */
  bool measured;
  const char *decided; /* the method that needs no y for "no solution": every basis was tried, or a
                          set is empty; or NULL */
  const double *low;   /* low part of the answer of the last solve, or NULL */
  nsds_dense_form dense;
  nsds_csc_form csc;
  nsds_block_form blocks;
  double *certify_work; /* nsds_problem_work() entries, and n for the scale where verdicts compare
                           with it; the first n hold w after certifying */
  size_t certify_capacity;
  double *scratch; /* for the method at work */
  size_t scratch_capacity;
  unsigned sets; /* nsds_set_kind bits of the nonempty blocks of the problem being solved */
  /* certify_work and info hold the results of nsds_certified_residual() for the returned z */
  bool certified;
  nsds_decision verdict; /* on it, in info too */
  const double *proof;   /* proof that the problem has no solution, or NULL */
  nsds_allowance allowance;
  bool stopped; /* interrupted since the user's call began */
  nsds_progress_fn progress;
  void *progress_user;
  uint64_t stamps_issued; /* number of stamps from nsds_private_stamp() */
  bool busy;              /* a call is at work; user functions must not disturb it */
} nsds_toolbox;

struct nsds_solver {
  nsds_context *context;
  const nsds_method *method;
  nsds_toolbox *toolbox;
  bool owns_toolbox;
  bool lent;     /* its owner destroys it */
  bool by_terms; /* verdicts compare with the terms, see the toolbox */
  bool paced;    /* it may end early if it advances too slowly */
  bool slice;    /* other methods follow: a point that it left unfinished is not refined */
  void *state;
  nsds_store store;   /* holds what the state points to */
  nsds_solver *inner; /* only if the row says so */
  double value[nsds_option_count];
};

/* Says whether the solves that follow start near their solutions: then Newton's method is tried first. Factors of
 * solves before are forgotten, so that no answer depends on them. */
static inline void nsds_solver_expect_near(nsds_solver *solver, bool near) {
  solver->toolbox->near = near;
  solver->toolbox->fresh = near;
}

/* Returns the room for `count` entries of a form of M, at most `most`. A few dense rows get all of
 * `most`, since the next problem may fill other entries. */
static inline size_t nsds_form_room(const nsds_problem *problem, size_t count, size_t most) {
  bool few = problem->M.storage == NSDS_DENSE && problem->n <= nsds_own_rows;
  return few ? most : count;
}

/* Returns max_iterations, or `automatic` if the option is 0. */
static inline int nsds_iteration_limit(const nsds_solver *solver, int automatic) {
  double limit = solver->value[OPTION_MAX_ITERATIONS];
  return limit > 0.0 ? (int)limit : automatic;
}

static inline void nsds_toolbox_enter(nsds_toolbox *toolbox) { toolbox->busy = true; }
static inline void nsds_toolbox_leave(nsds_toolbox *toolbox) { toolbox->busy = false; }
static inline void nsds_toolbox_vouch(nsds_toolbox *toolbox, bool certified) {
  toolbox->certified = certified;
  if (!certified) toolbox->verdict = NSDS_UNJUDGED;
}
static inline void nsds_toolbox_measure(nsds_toolbox *toolbox, bool measured) {
  toolbox->measured = measured;
}

#endif
