#include <nsds/nsds.h>
#include <stdio.h>

static void solve(nsds_context *context, nsds_solver *solver, const nsds_problem *problem) {
  double z[3] = {0}, w[3]; /* z: where to start, then the answer */
  nsds_solver_info info;
  if (nsds_problem_check(context, problem) != NSDS_OK) {
    fprintf(stderr, "%s\n", nsds_error_message(context));
    return;
  }
  nsds_status status = nsds_solve(solver, problem, z, w, &info);
  printf("%s: %s, residual %.0e\n", info.solver, nsds_outcome_text(info.outcome), info.residual);
  for (int i = 0; status == NSDS_OK && i < problem->n; ++i) printf("  %8.4f %8.4f\n", z[i], w[i]);
}

int main(void) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, NULL); /* "auto"; or a name of the table */
  nsds_solver_set(solver, "tolerance", 1e-12);

  /* w = M z + q, w >= 0, z >= 0, w.z = 0; M column by column */
  nsds_problem lcp = {
      .n = 2,
      .nblock = 1,
      .block = &(nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 2},
      .M = {.storage = NSDS_DENSE, .n = 2, .x = (double[]){2.0, 1.0, 1.0, 2.0}, .symmetric = true},
      .q = (double[]){-5.0, -6.0}};
  solve(context, solver, &lcp);

  /* a body of 2 kg thrown on a floor: impulse z and velocity w, normal first, friction 0.3 */
  nsds_problem contact = {
      .n = 3,
      .nblock = 1,
      .block = &(nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.3},
      .M = {.storage = NSDS_DENSE,
            .n = 3,
            .x = (double[]){0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5},
            .symmetric = true},
      .q = (double[]){-1.0, 0.8, 0.0}};
  solve(context, solver, &contact);

  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return 0;
}
