#include <nsds/nsds.h>
#include <stdio.h>

/* Two balls of 1 kg in the plane, tied to each other by a rod, fall on a floor: v = (vx, vy) of
 * each. One contact with friction under the first ball: rows normal, tangential. */
int main(void) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "global");
  nsds_global_problem problem = {
      .nv = 4,
      .n = 2,
      .p = 1,
      .nblock = 1,
      .block = &(nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.5},
      .M = {.storage = NSDS_DENSE,
            .n = 4,
            .x = (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
      .H = {4, 2, (int[]){0, 1, 2}, (int[]){1, 0}, (double[]){1, 1}},
      .G = {4, 1, (int[]){0, 2}, (int[]){1, 3}, (double[]){-1, 1}}, /* vy of both are equal */
      .f = (double[]){2, -1, 0, -1},
      .w = (double[]){0, 0},
      .b = (double[]){0}};
  double v[4], r[2] = {0}, u[2], lambda[1] = {0};
  nsds_solver_info info;
  if (nsds_global_check(context, &problem) != NSDS_OK)
    fprintf(stderr, "%s\n", nsds_error_message(context));
  else if (nsds_global_solve(solver, &problem, v, r, u, lambda, &info) == NSDS_OK)
    printf("%s: v = %.2f %.2f, %.2f %.2f; r = %.2f %.2f; rod %.2f\n", info.path, v[0], v[1], v[2],
           v[3], r[0], r[1], lambda[0]);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return 0;
}
