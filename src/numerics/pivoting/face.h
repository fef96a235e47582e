/*
 * The face of a singular basis (basis.h): the points
 *
 *     z_B + V t,    V spanning the kernel of M_BB,
 *
 * that keep z within its bounds and w of the right signs, G t >= g. Its point of least |t| is found
 * as a projection (polyhedron.h), which also shows where the face is empty.
 */
#ifndef NSDS_SRC_FACE_H
#define NSDS_SRC_FACE_H

#include "basis.h"

#include <nsds/solver.h>

typedef struct nsds_face {
  int most;     /* inequalities there is room for */
  double *G;    /* most x unknowns, column-major */
  double *g;    /* most; -inf where there is none */
  double *more; /* most: how far each may be widened */
  double *t;    /* unknowns */
  double *work;
  int *facet;
} nsds_face;

/* Memory for bases of n rows with up to `bounds` finite bounds. */
nsds_status nsds_face_reserve(nsds_face *face, nsds_store *store, int n, int bounds);

/*
 * After nsds_basis_solve() of a singular and consistent basis: moves z to the point of the face.
 * NSDS_SOLVED; NSDS_NO_SOLUTION where the face is empty; NSDS_NOT_CONVERGED where it remains open,
 * and z as it was.
 */
nsds_outcome nsds_face_find(nsds_face *face, nsds_basis *basis);

#endif
