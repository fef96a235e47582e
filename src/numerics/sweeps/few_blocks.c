/* Blocks that do not meet, see few_blocks.h. */
#include "few_blocks.h"
#include "local.h"

#include <string.h>

static bool meets_others(const double *M, int n, int row, int size) {
  for (int j = row; j < row + size; ++j)
    for (int i = 0; i < n; ++i) {
      bool other = i < row || i >= row + size;
      if (other && M[i + j * n] != 0.0) return true;
    }
  return false;
}

bool nsds_few_apart(const nsds_problem *problem, double *M) {
  if (problem->n > nsds_few_rows) return false;
  nsds_problem_to_dense(problem, M);
  for (int a = 0, row = 0; problem->nblock > 1 && a < problem->nblock;
       row += problem->block[a++].size)
    if (meets_others(M, problem->n, row, problem->block[a].size)) return false;
  return true;
}

void nsds_few_solve(const nsds_problem *problem, const double *M, double *z) {
  double own[nsds_few_rows * nsds_few_rows];
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    nsds_local local;
    int size = problem->block[a].size;
    if (size == 0) continue;
    for (int j = 0; j < size; ++j)
      memcpy(own + j * size, M + row + (row + j) * problem->n, (size_t)size * sizeof *own);
    nsds_local_prepare(&local, &problem->block[a], own);
    nsds_local_solve(&local, NSDS_LOCAL_EXACT, problem->q + row, z + row);
  }
}
