#include <nsds/nsds.h>
#include <stdio.h>

/* Two beads above a floor on springs that harden, a third between them: heights z, the floor's
 * forces w. */
static int floor_force(const double *z, double *w, void *user) {
  const double *weight = user;
  for (int i = 0; i < 2; ++i) {
    double stretch = 1.0 - z[i];
    double spring = 20.0 * stretch + 30.0 * stretch * stretch * stretch;
    w[i] = weight[i] - spring + 10.0 * (z[i] - z[1 - i]);
  }
  return 0;
}

int main(void) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  double weight[2] = {15.0, 70.0}, z[2] = {1.0, 1.0}, w[2];
  nsds_nonlinear_problem beads = {.n = 2,
                                  .nblock = 1,
                                  .block = &(nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 2},
                                  .F = floor_force,
                                  .user = weight};
  nsds_solver_info info;
  if (nsds_nonlinear_solve(solver, &beads, 0, z, w, &info) == NSDS_OK)
    printf("%d linear problems: heights %.4f m, %.4f m; the floor carries %.4f N\n",
           info.iterations, z[0], z[1], w[1]);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return 0;
}
