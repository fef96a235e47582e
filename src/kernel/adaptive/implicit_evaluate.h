/* Evaluates the equations of implicit stages. */
#ifndef NSDS_SRC_IMPLICIT_EVALUATE_H
#define NSDS_SRC_IMPLICIT_EVALUATE_H

#include "kernel/adaptive/implicit_rows.h"

/* Computes the n rows at z into F, not scaled, and the varying values if `slopes`. NSDS_AGAIN: a Jacobian has an entry
 * that the pattern has not; update the rows and begin again. */
nsds_status nsds_implicit_evaluate(nsds_implicit_rows *rows, double a, double t,
                                   const double *before, const double *z, bool slopes, double *F);
/* Computes w of the rows of laws at z, and at the coordinates of the last nsds_implicit_place(). */
nsds_status nsds_implicit_laws(nsds_implicit_rows *rows, double t, const double *z, double *w);
/* Computes the inputs r of all systems at z. */
nsds_status nsds_implicit_inputs(nsds_implicit_rows *rows, double t, const double *z,
                                 double *input);
/* Lets relations bound an iteration of Newton's method to lambda. Returns whether any did. */
bool nsds_implicit_limit(const nsds_implicit_rows *rows, const double *from, double *lambda);
/* Writes the matrix for a with the last varying values, scaled. */
void nsds_implicit_matrix(const nsds_implicit_rows *rows, double a, double *x);
/* e = M d */
void nsds_implicit_mass(const nsds_implicit_rows *rows, const double *d, double *e);

/* Returns true if a relation has rows that are evaluated in each iteration. */
static inline bool nsds_implicit_varies(const nsds_implicit_rows *rows) {
  return rows->plan->count.varying > 0 || rows->motion.nq > 0;
}

/* Returns the scale of a row of systems. */
static inline double nsds_implicit_scale(const nsds_implicit_rows *rows, int row, double a) {
  return row < rows->nx && rows->largest[row] > a ? a / rows->largest[row] : 1.0;
}

#endif
