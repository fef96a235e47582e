/*
 * Alternating directions for any form of a problem. The form gives the law, and a way to solve with
 * M + B.
 */
#ifndef NSDS_SRC_ADMM_H
#define NSDS_SRC_ADMM_H

#include "numerics/solver_internal.h"
#include "numerics/watch.h"

/* The first options of every method with alternating directions. */
#define NSDS_ADMM_OPTIONS                                                                          \
  {"penalty", "1", "first rho in units of the diagonal of M; adapted from there", 1.0, 1e-8, 1e8}, \
      {"relaxation", "1", "1: plain; above: over-relaxation", 1.0, 0.1, 1.9}, {                    \
    "accelerate", "integer", "1: extrapolation with restart; 0: none", 1.0, 0.0, 1.0               \
  }

/* M + B of the last factorisation. */
typedef struct nsds_admm_factors {
  double *B; /* m */
  int m;
  uint64_t stamp; /* of M; 0: no factors */
  double rho;
} nsds_admm_factors;

enum { nsds_admm_arrays = 10 }; /* of m numbers each, beside B */

typedef struct nsds_admm {
  /* given, with r and kept->B filled or to be filled: */
  nsds_solver_info *info;
  const nsds_problem *law; /* n rows, their blocks and q; M is not read */
  int m;                   /* unknowns: the n rows, then free rows of equalities */
  uint64_t stamp;          /* of M */
  nsds_admm_factors *kept;
  nsds_status (*factor)(void *form, const double *B); /* of M + B */
  void (*solve)(void *form, double *x);               /* x = (M + B)^-1 (x - q) */
  void *form;
  double rho, relaxation;
  bool accelerate, shifts;

  double *r;            /* m: metric, set by the caller */
  double *x, *y, *u;    /* m each */
  double *y0, *u0;      /* of the step before */
  double *yh, *uh;      /* extrapolated */
  double *s, *v;        /* shift; w + s = -B u */
  double momentum;      /* Nesterov's a */
  double size;          /* |u - uh|^2 + |y - yh|^2 of the step before */
  double primal, dual;  /* residuals */
  int step, adaptation; /* steps made; the one that may change rho next */
} nsds_admm;

/* Cuts `memory` of nsds_admm_arrays m numbers; the caller fills r next. The options are those of
 * the solver, or their defaults if it has none. */
void nsds_admm_open(nsds_admm *t, double *memory, const nsds_solver *solver);

/* Starts from the point z with w = M z + q, m each; neither is t->x. Returns NSDS_ERROR_SINGULAR if
 * no penalty helps. */
nsds_status nsds_admm_start(nsds_admm *t, const double *z, const double *w);

/* Makes one step; t->y is the iterate, in the sets. */
nsds_status nsds_admm_step(nsds_admm *t);

#endif
