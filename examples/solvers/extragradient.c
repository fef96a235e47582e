/*
 * A solver of one's own that only multiplies by M: extragradient projections (Korpelevich: Matecon
 * 12, 1976; Khobotov: USSR Comput. Math. Math. Phys. 27, 1987), with F(z) = M z + q,
 *
 *     y = P(z - rho F(z)),     z+ = P(z - rho F(y)),
 *
 * P the projection on the set. The step rho is shortened until rho |F(z) - F(y)| < 0.9 |z - y|, and
 * tried longer where that holds easily. The method converges for every positive semidefinite M,
 * also without symmetry, slowly where M is badly conditioned.
 *
 * The program solves a zero-sum game by it, a problem whose M is skew, and compares with "auto".
 */
#include "solve_by.h"

#include <nsds/extend_solver.h>
#include <nsds/nsds.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the solver ---- */

typedef struct extragradient {
  size_t capacity;
  double *memory, *F, *y, *G, *next, *work; /* F(z), trial point, F there, next point */
} extragradient;

static nsds_status create(void *user, nsds_context *context, void **self) {
  (void)user, (void)context;
  *self = calloc(1, sizeof(extragradient));
  return *self ? NSDS_OK : NSDS_ERROR_MEMORY;
}

static void destroy(void *self) {
  extragradient *s = self;
  free(s->memory);
  free(s);
}

/* Called before every solve: memory grows, or nothing happens. */
static nsds_status reserve(void *self, const nsds_problem *problem) {
  extragradient *s = self;
  size_t n = (size_t)problem->n, count = 4 * n + nsds_problem_work(problem);
  if (count > s->capacity) {
    double *larger = realloc(s->memory, count * sizeof *larger);
    if (!larger) return NSDS_ERROR_MEMORY;
    s->memory = larger;
    s->capacity = count;
  }
  s->F = s->memory;
  s->y = s->F + n;
  s->G = s->y + n;
  s->next = s->G + n;
  s->work = s->next + n;
  return NSDS_OK;
}

/* to = P(z - rho F); equality rows have no bounds. */
static void step(const nsds_problem *p, const double *z, double rho, const double *F, double *to) {
  for (int a = 0, i = 0; a < p->nblock; ++a)
    for (int end = i + p->block[a].size; i < end; ++i) {
      to[i] = z[i] - rho * F[i];
      if (p->block[a].set == NSDS_SET_NONNEGATIVE) to[i] = fmax(to[i], 0.0);
    }
}

static double distance(int n, const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

static nsds_status solve(void *self, nsds_solver_task *task, double *z) {
  extragradient *s = self;
  const nsds_problem *p = task->problem;
  const int usual_limit = 20000, look_every = 20;
  int limit = task->max_iterations > 0 ? task->max_iterations : usual_limit;
  double rho = task->option[0];
  step(p, z, 0.0, z, z);
  for (int k = 1; k <= limit; ++k) {
    nsds_problem_multiply(p, z, s->F, s->work);
    for (double ratio = INFINITY; ratio > 0.9;) {
      step(p, z, rho, s->F, s->y);
      nsds_problem_multiply(p, s->y, s->G, s->work);
      double moved = distance(p->n, z, s->y);
      ratio = moved > 0.0 ? rho * distance(p->n, s->F, s->G) / moved : 0.0;
      if (ratio > 0.9) rho *= 2.0 / 3.0;
      else step(p, z, rho, s->G, s->next);
      if (ratio < 0.3) rho *= 1.5; /* for the next iteration */
    }
    memcpy(z, s->next, (size_t)p->n * sizeof *z);
    task->iterations = k;
    nsds_certificate found = {.residual = NAN};
    if (k % look_every == 0) nsds_certify(p, z, s->work, &found);
    if (found.residual <= task->tolerance || nsds_solver_stop(task, k, found.residual)) break;
  }
  return NSDS_OK; /* the certificate says whether it is solved */
}

static const nsds_option options[] = {{"step", "1", "first rho", 1.0, 1e-12, 1e12}, {0}};

static const nsds_solver_ops ops = {
    .name = "extragradient",
    .summary = "Extragradient projections; monotone problems of which only products are known.",
    .reference =
        "Korpelevich: Matecon 12 (1976); Khobotov: USSR Comput. Math. Math. Phys. 27 (1987)",
    .sets = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE,
    .storages = NSDS_DENSE | NSDS_CSC | NSDS_BLOCK_ROWS | NSDS_FACTORED,
    .option = options,
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve};

/* ---- the program ---- */

/* Rock, scissors, paper with stakes 1, 2 and 3: x >= 0 and y >= 0 with sums 1, and the value v of
 * the game for either player as a multiplier. Rows x, y, v, u. */
enum { moves = 3, n = 2 * moves + 2 };

static void make_game(double *M, double *q) {
  static const double pay[moves][moves] = {{0.0, 1.0, -3.0}, {-1.0, 0.0, 2.0}, {3.0, -2.0, 0.0}};
  memset(M, 0, n * n * sizeof *M);
  memset(q, 0, n * sizeof *q);
  for (int i = 0; i < moves; ++i) {
    for (int j = 0; j < moves; ++j) {
      M[i + n * (moves + j)] = -pay[i][j];
      M[moves + j + n * i] = pay[i][j];
    }
    for (int side = 0; side < 2; ++side) {
      int row = side * moves + i, sum = 2 * moves + side;
      M[row + n * sum] = -1.0;
      M[sum + n * row] = 1.0;
    }
  }
  q[n - 2] = q[n - 1] = -1.0;
}

int main(void) {
  double M[n * n], q[n], z[2][n] = {{0.0}}, w[n];
  const nsds_block rows[] = {{.set = NSDS_SET_NONNEGATIVE, .size = 2 * moves},
                             {.set = NSDS_SET_EQUALITY, .size = 2}};
  const nsds_problem game = {
      .n = n, .nblock = 2, .block = rows, .M = {.storage = NSDS_DENSE, .n = n, .x = M}, .q = q};
  static const char *const name[] = {"extragradient", "auto"};
  make_game(M, q);
  nsds_context *context = nsds_context_create(NULL);
  nsds_status status = nsds_solver_register(context, &ops);
  for (int k = 0; k < 2 && !status; ++k) {
    nsds_solver_info info;
    status = solve_by(context, name[k], &game, z[k], w, &info);
    printf("%-14s %s after %d, residual %.0e: play rock %.4f, scissors %.4f, paper %.4f\n", name[k],
           nsds_outcome_text(info.outcome), info.iterations, info.residual, z[k][0], z[k][1],
           z[k][2]);
  }
  if (nsds_error(context)) fprintf(stderr, "%s\n", nsds_error_message(context));
  nsds_context_destroy(context);
  return status || distance(n, z[0], z[1]) > 1e-6 ? EXIT_FAILURE : EXIT_SUCCESS;
}
