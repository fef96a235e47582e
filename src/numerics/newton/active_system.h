/*
 * The linear systems of an active set A for problems with equality, nonnegative and box rows:
 *
 *     M_AA z_A = -q_A - M_AI b_I,   z_I = b_I,   w = M z + q,
 *
 * b holds the bounds of the other rows I, and M may have a diagonal P added. A dense system has
 * only rows of A. A sparse system has the pattern of M, with the rows and columns of I replaced by
 * those of the identity. One symbolic analysis then serves every set. The factors are kept between
 * solves while the set and the stamp of M stay the same.
 */
#ifndef NSDS_SRC_ACTIVE_SYSTEM_H
#define NSDS_SRC_ACTIVE_SYSTEM_H

#include "numerics/linear/factor_state.h"
#include "numerics/newton/chain.h"
#include "numerics/linear/factor.h"
#include "numerics/solver_internal.h"

/* The last factorisation. */
typedef struct nsds_kept_active {
  unsigned char *set; /* n: its A, */
  int n, size;        /* number of rows, 0: none, and of rows in A; */
  double weight;      /* of its P, */
  uint64_t stamp;     /* of its M; 0: not reusable */
  uint64_t sum;       /* checksum of that M, */
  double *copy;       /* or that M itself, n x n, if it is dense and small */
  bool summed;        /* `sum` is known */
  bool unfactored;    /* the set has come from an archive, without factors */
} nsds_kept_active;

/* The set of an archive, for the next solve. */
typedef struct nsds_archived_active {
  unsigned char *set; /* n, */
  int n;              /* of so many rows; 0: none */
  double weight;      /* its P, */
  uint64_t sum;       /* and its M */
} nsds_archived_active;

typedef struct nsds_active_system {
  nsds_factor *factor;
  unsigned char *active; /* n: row in A */
  unsigned char *up;     /* n: a row outside A is at its upper bound */
  double *lower, *upper; /* n each: bounds */
  int *index;            /* n: rows of A in order, dense systems */
  int room;              /* rows that there is memory for */
  int nonnegative;       /* first rows whose bounds are known to be 0 and infinity */
  nsds_kept_active kept;
  nsds_archived_active archived;
  nsds_matrix M;            /* dense or CSC, reserved for the problem */
  const nsds_csc_form *csc; /* the CSC form; NULL: dense */
  nsds_chain chain;
  /* of one solve */
  nsds_solver *solver;
  const nsds_problem *problem;
  nsds_solver_info *info;
  const double *q; /* of the problem, or q - P z_k in the proximal iteration */
  double weight;   /* P_ii = weight d_i; 0: no P */
  bool has_d;
  bool chain_tried;
  bool boxes;                     /* some bound may be other than 0 */
  double *z, *w, *scale, *d;      /* n each: trial point, M z + q, rounding scale, |diagonal| */
  double *q_shifted, *z_previous; /* n each: proximal iteration */
  double *system;                 /* dense: n x n; CSC: values on the pattern */
} nsds_active_system;

/* Computes w = (M + P) z + q. */
void nsds_active_multiply(const nsds_active_system *t, const double *z, double *w);

/* Computes scale = |M| |z| + |q|, the size of the terms of w. */
void nsds_active_scale(const nsds_active_system *t, const double *z, double *scale);

/* Fills d, with the maximum of the column if the diagonal vanishes. A warm start that needs no
 * exchange does not need d. */
void nsds_active_need_diagonal(nsds_active_system *t);

/* Returns a checksum of M. */
uint64_t nsds_active_checksum(const nsds_active_system *t);
/* Returns the checksum of the matrix of the kept set. */
uint64_t nsds_active_kept_sum(nsds_active_system *t);
/* Notes this checksum. */
static inline void nsds_active_keep_sum(nsds_active_system *t, uint64_t sum) {
  t->kept.sum = sum;
  t->kept.summed = true;
}

/* Factors the system of the set in `active`, or keeps the factors. NSDS_ERROR_SINGULAR as in
 * factor.h. */
nsds_status nsds_active_factor(nsds_active_system *t);

/* Computes z of the set. Overwrites w if there are boxes. */
void nsds_active_solve(nsds_active_system *t);

/* Forgets the diagonal, of another M, and the factors of the kept set. */
static inline void nsds_active_forget_diagonal(nsds_active_system *t) { t->has_d = false; }
static inline void nsds_active_forget_factors(nsds_active_system *t) { t->kept.unfactored = true; }

#endif
