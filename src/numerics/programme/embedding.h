/*
 * The homogeneous embedding of a convex quadratic programme (Andersen & Ye: Math. Program. 84, 1999;
 * Goulart & Chen, arXiv:2405.12762, 2024). With slacks s = e (z - b tau) >= 0 and multipliers l >= 0
 * of the bounds b, e = 1 for lower and -1 for upper ones,
 *
 *     M z + q tau = sum of e l,     s l = 0,     tau kappa = 0,
 *     kappa = -z.M z / tau - q.z + sum of e b l.
 *
 * These equations always have a solution with tau + kappa > 0. If tau > 0, z / tau solves the programme. If kappa >
 * 0, z is a ray that proves that there is no solution, primal or dual. The central path of the
 * embedding is followed by Mehrotra's predictor and corrector, from a start that need not be
 * feasible. The matrix of each step is M with a diagonal; the column of tau costs one more solve.
 */
#ifndef NSDS_SRC_EMBEDDING_H
#define NSDS_SRC_EMBEDDING_H

#include "numerics/programme/programme_rows.h"
#include "numerics/programme/programme_system.h"
#include "numerics/store.h"

enum { NSDS_LOWER, NSDS_UPPER, nsds_sides };

typedef struct nsds_embedding {
  const nsds_programme_rows *rows;
  nsds_programme_system system;            /* of a step */
  double *z, *Hz;                          /* n; H z with the symmetric part of M */
  double *s[nsds_sides], *l[nsds_sides];   /* n each; 0 and 0 without this bound */
  double *ds[nsds_sides], *dl[nsds_sides]; /* the last step */
  double *rs[nsds_sides];                  /* e (z - b tau) - s */
  double *rw;                              /* M z + q tau - sum of e l */
  double *dz, *by_tau;                     /* the step; its part by tau, from the bounds `near` */
  double *near; /* n: of the two bounds, the one with more weight; or 0 */
  double tau, kappa, dtau, dkappa, rg, mu;
  int count; /* bounds */
} nsds_embedding;

nsds_status nsds_embedding_reserve(nsds_embedding *t, nsds_store *store, int n, size_t entries);

/* Sets the start. */
nsds_status nsds_embedding_start(nsds_embedding *t, const nsds_programme_rows *rows,
                                 uint64_t pattern);

/* Makes a step; *length is that of the step, 0 if there is none. */
nsds_status nsds_embedding_step(nsds_embedding *t, double *length);

/* Returns the largest residual of the equations relative to the programme's data, of z / tau. */
double nsds_embedding_error(const nsds_embedding *t);

/* Factors M + proximal I without the rows and columns that have a place: those of the identity
 * instead. */
nsds_status nsds_embedding_hold(nsds_embedding *t, const signed char *place, double proximal);

#endif
