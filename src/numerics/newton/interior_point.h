/*
 * What the parts of the interior point method share, see interior_point.c: the steps along the
 * central path and Newton's method from its end.
 */
#ifndef NSDS_SRC_INTERIOR_POINT_H
#define NSDS_SRC_INTERIOR_POINT_H

#include "cone_algebra.h"
#include "conic_form.h"

typedef struct nsds_interior {
  nsds_solver *solver;
  const nsds_problem *problem;
  nsds_solver_info *info;
  nsds_block_system *system;
  const nsds_conic_form *form;
  int n, p;                    /* rows of z, of s */
  bool frozen;                 /* De Saxce's shift, which is in the linear system otherwise */
  bool symmetric;              /* the blocks of the linear system on the path */
  double *r;                   /* n: metric of blockwise.h */
  double *z, *dz;              /* n */
  double *residual;            /* n: M z + q - L(l) */
  double *feasible, *polished; /* n: points of C: of the path, the end of Newton's method */
  double *work;                /* n */
  double *s, *l;               /* p: slacks and multipliers */
  double *gap;                 /* p: G z - g - s */
  double *v, *ab;              /* p: scaled point and scaling, see cone_algebra.h */
  double *t, *ds, *dl;         /* p: scaled right-hand side and steps */
  double *eta;                 /* of each cone: scaling */
  double *length;              /* of each cone: of the tail of l that the shift takes off */
  nsds_cone_pair *pair;        /* of each cone */
  double mu;                   /* height: mean of s.l over the cones */
  double cold;                 /* energy of the start from zero, see interior_point.c */
  int short_steps;             /* one after the other */
} nsds_interior;

/* What a step needs of z, s and l: lengths (frozen: only where `renew`), residual, gap, height. */
void nsds_interior_measure(nsds_interior *t, bool renew);

/* Predictor and corrector. `stuck`: no step could be made, or what came of it is not finite. */
nsds_status nsds_interior_step(nsds_interior *t, bool *stuck);

/* Factors what is in the system, `symmetric` as in block_system.h; where it is singular, with a
 * proximal term. */
nsds_status nsds_interior_factor(nsds_interior *t, bool symmetric);

/* Newton's method on the laws from z; its end is in t->polished, in C, *residual its certified one.
 */
nsds_status nsds_interior_polish(nsds_interior *t, double *residual);

#endif
