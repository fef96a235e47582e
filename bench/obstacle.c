/*
 * A membrane over a ball, EDGE x EDGE nodes, from zero by `auto` to 1e-8:
 *
 *   obstacle EDGE
 *
 * prints the seconds of the processor, the steps and the residual.
 */
#include "drawn.h"

#include <time.h>

int main(int argc, char **argv) {
  int edge = argc > 1 ? atoi(argv[1]) : 129;
  drawn d;
  drawn_obstacle(&d, edge);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  double *z = drawn_numbers(&d, (size_t)d.problem.n), *w = drawn_numbers(&d, (size_t)d.problem.n);
  nsds_solver_info info;
  nsds_solver_set(solver, "tolerance", 1e-8);
  clock_t begin = clock();
  nsds_status status = nsds_solve(solver, &d.problem, z, w, &info);
  printf("seconds %.4f\nsteps %d\nresidual %.1e\n", (double)(clock() - begin) / CLOCKS_PER_SEC,
         info.iterations, info.residual);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  drawn_free(&d);
  return status != NSDS_OK;
}
