/*
 * Our side of the friction benchmark (fc3d.h), and the judge of both sides' answers.
 *
 *   fc3d FILE [SOLVER]       solves; without it that of BENCH_SOLVER, or "auto"
 *   fc3d FILE sweeps N       N plain sweeps of the solver "nsgs"
 *   fc3d FILE check          the error of the answer on standard input, lines "state X"
 *   fc3d FILE write OUT      the problem as text
 *   fc3d solvers             names of the solvers that take friction in 3D
 */
#include "fc3d.h"

#include <nsds/nsds.h>

/* Read once, with a copy of M in columns for products of our own. */
typedef struct fc3d_ours {
  fc3d_side side; /* first: the functions get a pointer to it */
  nsds_context *context;
  nsds_problem_file *file;
  const nsds_problem *problem;
  const char *name;
  nsds_solver *solver;
  int *p, *i;
  double *x, *mu, *w;
} fc3d_ours;

static int start(fc3d_side *side) {
  (void)side;
  return 1;
}

static void finish(fc3d_side *side) {
  fc3d_ours *self = (fc3d_ours *)side;
  nsds_solver_destroy(self->solver);
  self->solver = NULL;
}

static int make_solver(fc3d_ours *self, double tolerance) {
  self->solver = nsds_solver_create(self->context, self->name);
  if (!self->solver || nsds_solver_set(self->solver, "tolerance", tolerance)) return 0;
  if (!self->side.sweeps) return 1;
  return !nsds_solver_set(self->solver, "max_iterations", (double)self->side.sweeps) &&
         !nsds_solver_set(self->solver, "acceleration", 0.0) &&
         !nsds_solver_set(self->solver, "momentum", 0.0);
}

static int solve(fc3d_side *side, double tolerance, double *r) {
  fc3d_ours *self = (fc3d_ours *)side;
  nsds_solver_info info = {0};
  if (!make_solver(self, tolerance)) {
    fprintf(stderr, "%s\n", nsds_error_message(self->context));
    return 0;
  }
  nsds_status status = nsds_solve(self->solver, self->problem, r, self->w, &info);
  if (status && status != NSDS_ERROR_SOLVER) {
    fprintf(stderr, "%s\n", nsds_error_message(self->context));
    return 0;
  }
  if (info.outcome == NSDS_REFUSED) {
    fprintf(stderr, "%s does not take this problem\n", self->name);
    return 0;
  }
  side->iterations = info.iterations;
  side->converged = status == NSDS_OK;
  snprintf(side->method, sizeof side->method, "%s", info.path[0] ? info.path : info.solver);
  return 1;
}

static void multiply(fc3d_side *side, const double *r, double *u) {
  const fc3d_ours *self = (const fc3d_ours *)side;
  int n = self->problem->n;
  memcpy(u, side->q, (size_t)n * sizeof *u);
  for (int j = 0; j < n; ++j)
    for (int k = self->p[j]; k < self->p[j + 1]; ++k) u[self->i[k]] += self->x[k] * r[j];
}

static void unload(fc3d_ours *self) {
  free(self->p);
  free(self->i);
  free(self->x);
  free(self->mu);
  free(self->w);
  nsds_problem_file_destroy(self->file);
  nsds_context_destroy(self->context);
}

/* M in columns, and the coefficients of friction side by side. */
static int copy_problem(fc3d_ours *self) {
  const nsds_problem *problem = self->problem;
  size_t n = (size_t)problem->n;
  int *work = malloc((nsds_problem_csc_work(problem) + 1) * sizeof *work);
  self->p = malloc((n + 1) * sizeof *self->p);
  self->mu = malloc((n + 1) * sizeof *self->mu);
  self->w = malloc((n + 1) * sizeof *self->w);
  if (work && self->p && self->mu && self->w) {
    nsds_problem_to_csc(problem, self->p, NULL, NULL, work);
    self->i = malloc(((size_t)self->p[n] + 1) * sizeof *self->i);
    self->x = malloc(((size_t)self->p[n] + 1) * sizeof *self->x);
  }
  int fine = self->i && self->x;
  if (fine) nsds_problem_to_csc(problem, self->p, self->i, self->x, work);
  if (!fine) fprintf(stderr, "out of memory\n");
  free(work);
  for (int c = 0; fine && c < problem->nblock; ++c) self->mu[c] = problem->block[c].mu;
  return fine;
}

static int load(fc3d_ours *self, const char *path) {
  self->context = nsds_context_create(NULL);
  self->file = self->context ? nsds_problem_read(self->context, path, NSDS_FORMAT_AUTO) : NULL;
  self->problem = nsds_problem_file_problem(self->file);
  if (!self->problem || nsds_problem_check(self->context, self->problem)) {
    fprintf(stderr, "%s\n", self->context ? nsds_error_message(self->context) : "out of memory");
    return 0;
  }
  if (strcmp(nsds_problem_file_kind(self->file), "fc3d") != 0 ||
      self->problem->n != 3 * self->problem->nblock) {
    fprintf(stderr, "%s holds no problem of contacts in 3D alone\n", path);
    return 0;
  }
  if (!copy_problem(self)) return 0;
  self->side.contacts = self->problem->nblock;
  self->side.mu = self->mu;
  self->side.q = self->problem->q;
  return 1;
}

/* Error of the numbers on standard input. */
static int check(fc3d_ours *self) {
  int n = self->problem->n, count = 0;
  double *r = calloc(2 * (size_t)n + 1, sizeof *r), value;
  char line[256];
  while (r && fgets(line, sizeof line, stdin))
    if (sscanf(line, "state %lf", &value) == 1 && count++ < n) r[count - 1] = value;
  int fine = r && count == n;
  if (fine) {
    multiply(&self->side, r, r + n);
    double error = fc3d_error(self->side.contacts, self->mu, self->side.q, r, r + n);
    printf("error %.3g\n", error);
    fine = fc3d_accurate(error);
  } else {
    fprintf(stderr, "%d numbers instead of %d\n", count, n);
  }
  free(r);
  return fine ? 0 : 1;
}

static int write_text(const fc3d_ours *self, const char *path) {
  if (!nsds_problem_write(self->context, self->problem, NULL, path, NSDS_FORMAT_FRICTION)) return 0;
  fprintf(stderr, "%s\n", nsds_error_message(self->context));
  return 1;
}

static int run(fc3d_ours *self, int count, char **word) {
  if (count == 1 && strcmp(word[0], "check") == 0) return check(self);
  if (count == 2 && strcmp(word[0], "write") == 0) return write_text(self, word[1]);
  if (count == 2 && strcmp(word[0], "sweeps") == 0) self->side.sweeps = atol(word[1]);
  const char *usual = getenv("BENCH_SOLVER");
  self->name = self->side.sweeps ? "nsgs" : count == 1 ? word[0] : usual ? usual : "auto";
  return fc3d_main(&self->side);
}

static void list_solvers(void) {
  const nsds_solver_row *row;
  for (int k = 0; (row = nsds_solver_table(k)) != NULL && !row->global; ++k)
    if (row->sets & NSDS_SET_COULOMB) printf("%s\n", row->name);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "solvers") == 0) {
    list_solvers();
    return 0;
  }
  if (argc < 2 || argc > 4) {
    fprintf(stderr, "usage: %s FILE [SOLVER | sweeps N | check | write OUT], or %s solvers\n",
            argv[0], argv[0]);
    return 2;
  }
  fc3d_ours self = {
      .side = {.tries = 7, .start = start, .solve = solve, .finish = finish, .multiply = multiply}};
  int status = load(&self, argv[1]) ? run(&self, argc - 2, argv + 2) : 1;
  unload(&self);
  return status;
}
