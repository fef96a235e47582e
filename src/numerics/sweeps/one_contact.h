/*
 * One frictional contact by itself: z in the cone ||z_T|| <= mu z_N and w = M z + q with
 * 0 <= w_N, z_N w_N = 0, w_T = 0 or z_T = -mu z_N w_T / ||w_T||. The local problem of block
 * methods.
 */
#ifndef NSDS_SRC_ONE_CONTACT_H
#define NSDS_SRC_ONE_CONTACT_H

#include "base/base.h"

typedef enum nsds_contact_state {
  NSDS_CONTACT_OPEN,
  NSDS_CONTACT_STICK,
  NSDS_CONTACT_SLIDE,
  NSDS_CONTACT_UNSOLVED /* none of them: M is not positive definite, or numbers are not finite */
} nsds_contact_state;

/* M and what is prepared from it, 2 or 3 rows. */
typedef struct nsds_contact_matrix {
  double M[9];  /* m x m, column-major */
  double lu[9]; /* factors of M with its rows in the order `row`, pivots as their inverses */
  unsigned char row[3];
  bool regular; /* the factors are usable */
} nsds_contact_matrix;

void nsds_contact_prepare(nsds_contact_matrix *c, int m);

/* Solves M x = -q with 1, 2 or 3 rows, in registers from end to end. */
static inline void nsds_contact_stick(const nsds_contact_matrix *c, int m, const double *q,
                                      double *x) {
  const double *a = c->lu;
  if (m == 3) {
    double x0 = -q[c->row[0]], x1 = -q[c->row[1]] - a[1] * x0, x2 = -q[c->row[2]] - a[2] * x0;
    x2 = (x2 - a[5] * x1) * a[8];
    x1 = (x1 - a[7] * x2) * a[4];
    x[0] = (x0 - a[3] * x1 - a[6] * x2) * a[0];
    x[1] = x1;
    x[2] = x2;
  } else if (m == 2) {
    double x0 = -q[c->row[0]], x1 = (-q[c->row[1]] - a[1] * x0) * a[3];
    x[0] = (x0 - a[2] * x1) * a[0];
    x[1] = x1;
  } else if (m == 1) {
    x[0] = -q[0] * a[0];
  }
}

/* Solves the contact exactly. z holds the start on entry; among several solutions, its sliding
 * direction is preferred. On NSDS_CONTACT_UNSOLVED z is unchanged. */
nsds_contact_state nsds_one_contact_2d(const nsds_contact_matrix *c, double mu, const double *q,
                                       double *z);
nsds_contact_state nsds_one_contact_3d(const nsds_contact_matrix *c, double mu, const double *q,
                                       double *z);

#endif
