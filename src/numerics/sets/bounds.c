/* Bounds of the rows, see bounds.h. */
#include "bounds.h"

void nsds_row_bounds(const nsds_problem *problem, double *lower, double *upper) {
  for (int a = 0, i = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    if (block->set == NSDS_SET_BOX) {
      for (int k = 0; k < block->size; ++k, ++i) {
        lower[i] = block->lower[k];
        upper[i] = block->upper[k];
      }
      continue;
    }
    double least = block->set == NSDS_SET_EQUALITY ? -INFINITY : 0.0;
    for (int end = i + block->size; i < end; ++i) {
      lower[i] = least;
      upper[i] = INFINITY;
    }
  }
}
