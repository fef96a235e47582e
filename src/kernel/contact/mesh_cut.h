#ifndef NSDS_SRC_MESH_CUT_H
#define NSDS_SRC_MESH_CUT_H

#include "base/base.h"

#include <nsds/base.h>

/* Convex cells by their corners: cell k has the points first[k] .. first[k + 1] - 1. The caller
 * releases both arrays. */
typedef struct nsds_cells {
  int n;
  int *first;
  double *point; /* 3 each */
} nsds_cells;

/* Cuts the inside of a closed mesh of triangles, 9 numbers each, into convex cells. `most`: of cells;
 * *many: there would be more. */
nsds_status nsds_mesh_cut(nsds_context *context, int nface, const double *triangle, int most,
                          nsds_cells *cells, bool *many);

#endif
