/*
 * The face of a singular basis (basis.h): the points
 *
 *     z_B + V t,    V spanning the kernel of M_BB,
 *
 * that keep z within its bounds and w of the right signs, G t >= g. Its point of least |t| has
 *
 *     t = G^T y,    0 <= G G^T y - g  orthogonal to  y >= 0,
 *
 * a linear complementarity problem with positive semidefinite matrix, which Lemke's method solves,
 * or ends on a ray where the face is empty (Cottle, Pang & Stone 1992, 1.2, 4.4).
 */
#ifndef NSDS_SRC_FACE_H
#define NSDS_SRC_FACE_H

#include "basis.h"
#include "solver_internal.h"

typedef struct nsds_face {
  nsds_solver *lemke;
  double *memory;
  int most, rows; /* bounds reserved for, unknowns */
} nsds_face;

/* Memory for bases of n rows with up to `bounds` finite bounds. */
nsds_status nsds_face_reserve(nsds_face *face, nsds_store *store, int n, int bounds);
void nsds_face_release(nsds_face *face);

/*
 * After nsds_basis_solve() of a singular and consistent basis: moves z to the point of the face.
 * *found: SOLVED; NO_SOLUTION where the face is empty; NOT_CONVERGED where it remains open, and z
 * as it was.
 */
nsds_status nsds_face_find(nsds_face *face, nsds_basis *basis, nsds_outcome *found);

#endif
