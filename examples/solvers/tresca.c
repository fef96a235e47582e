/*
 * A solver of one's own around another one: friction with the thresholds held (Haslinger: Math.
 * Methods Appl. Sci. 5, 1983). With mu z_N held, the problem of friction is a convex one,
 *
 *     normal rows       z_N >= 0
 *     tangential rows   |z_T| <= r = mu z_N of the solution before,
 *
 * which any method solves that takes discs; its solution gives new thresholds r. For small mu that
 * contracts; for larger mu it may go round.
 *
 * The program solves a box on four feet that lands, slides and turns, beside "auto".
 * Problems of friction may have several solutions: both are certified, and need not be one. The inner problems are solved by "nsgs".
 */
#include "solve_by.h"

#include <nsds/extend_solver.h>
#include <nsds/nsds.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the solver ---- */

typedef struct tresca {
  nsds_context *context;
  nsds_solver *inner;
  size_t contacts, numbers;
  nsds_block *block; /* two for each contact: normal, tangential */
  double *w, *work;
} tresca;

static void destroy(void *self) {
  tresca *s = self;
  nsds_solver_destroy(s->inner);
  free(s->block);
  free(s->w);
  free(s);
}

static nsds_status create(void *user, nsds_context *context, void **self) {
  (void)user;
  tresca *s = calloc(1, sizeof *s);
  if (!s) return NSDS_ERROR_MEMORY;
  s->context = context;
  s->inner = nsds_solver_create(context, "nsgs");
  if (!s->inner) {
    destroy(s);
    return NSDS_ERROR_MEMORY;
  }
  *self = s;
  return NSDS_OK;
}

/* Called before every solve: memory grows, or nothing happens. */
static nsds_status reserve(void *self, const nsds_problem *problem) {
  tresca *s = self;
  size_t contacts = (size_t)problem->nblock, n = (size_t)problem->n;
  size_t numbers = n + nsds_problem_work(problem);
  if (contacts > s->contacts) {
    nsds_block *larger = realloc(s->block, 2 * contacts * sizeof *larger);
    if (!larger) return NSDS_ERROR_MEMORY;
    s->block = larger;
    s->contacts = contacts;
  }
  if (numbers > s->numbers) {
    double *larger = realloc(s->w, numbers * sizeof *larger);
    if (!larger) return NSDS_ERROR_MEMORY;
    s->w = larger;
    s->numbers = numbers;
  }
  s->work = s->w + n;
  return NSDS_OK;
}

/* The problem with the thresholds of z. */
static nsds_problem hold_thresholds(const tresca *s, const nsds_problem *p, const double *z) {
  nsds_problem held = *p;
  held.block = s->block;
  held.nblock = 2 * p->nblock;
  for (int a = 0, i = 0; a < p->nblock; i += p->block[a++].size) {
    s->block[2 * a] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 1};
    s->block[2 * a + 1] = (nsds_block){.set = NSDS_SET_DISC,
                                       .size = p->block[a].size - 1,
                                       .radius = p->block[a].mu * fmax(z[i], 0.0)};
  }
  return held;
}

/* Shortens z_T to the threshold of its own z_N, so that z is in the cones. */
static void put_into_cones(const nsds_problem *p, double *z) {
  for (int a = 0, i = 0; a < p->nblock; i += p->block[a++].size) {
    double size = 0.0, most = p->block[a].mu * z[i];
    for (int j = i + 1; j < i + p->block[a].size; ++j) size = hypot(size, z[j]);
    for (int j = i + 1; size > most && j < i + p->block[a].size; ++j) z[j] *= most / size;
  }
}

static nsds_status solve(void *self, nsds_solver_task *task, double *z) {
  tresca *s = self;
  const nsds_problem *p = task->problem;
  const int usual_limit = 200;
  int limit = task->max_iterations > 0 ? task->max_iterations : usual_limit;
  nsds_certificate found = {.residual = INFINITY};
  nsds_solver_set(s->inner, "tolerance", 0.1 * task->tolerance);
  for (int k = 1; k <= limit && found.residual > task->tolerance; ++k) {
    nsds_problem held = hold_thresholds(s, p, z);
    nsds_status status = nsds_solve(s->inner, &held, z, s->w, NULL);
    if (status && status != NSDS_ERROR_SOLVER) return status;
    put_into_cones(p, z);
    nsds_certify(p, z, s->work, &found);
    task->iterations = k;
    if (nsds_solver_stop(task, k, found.residual)) break;
  }
  return NSDS_OK; /* the certificate says whether it is solved */
}

static const nsds_solver_ops ops = {
    .name = "tresca",
    .summary = "Friction thresholds held, the convex problems by nsgs; for moderate friction.",
    .reference = "Haslinger: Math. Methods Appl. Sci. 5 (1983)",
    .sets = NSDS_SET_COULOMB,
    .storages = NSDS_DENSE | NSDS_CSC | NSDS_FACTORED,
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve};

/* ---- the program ---- */

enum { feet = 4, n = 3 * feet, motions = 6 };

/* M = H H^T / m and q = H v of a box of 1 kg and 1 kg m^2 about each axis on four feet around its
 * centre, 0.5 m below it. */
static void make_box(const double *v, double *M, double *q) {
  static const double foot[feet][2] = {{0.5, 0.5}, {0.5, -0.5}, {-0.5, 0.5}, {-0.5, -0.5}};
  double H[n][motions] = {{0.0}};
  for (int k = 0; k < feet; ++k) {
    double x = foot[k][0], y = foot[k][1], z = -0.5;
    double row[3][motions] = {
        {0.0, 0.0, 1.0, y, -x, 0.0}, {1.0, 0.0, 0.0, 0.0, z, -y}, {0.0, 1.0, 0.0, -z, 0.0, x}};
    memcpy(H[3 * k], row, sizeof row);
  }
  for (int i = 0; i < n; ++i) {
    q[i] = 0.0;
    for (int c = 0; c < motions; ++c) q[i] += H[i][c] * v[c];
    for (int j = 0; j < n; ++j) {
      M[i + n * j] = 0.0;
      for (int c = 0; c < motions; ++c) M[i + n * j] += H[i][c] * H[j][c];
    }
  }
}

int main(void) {
  static const double v[motions] = {0.3, 0.1, -1.0, 0.0, 0.0, 0.05}; /* it falls, slides, turns */
  double M[n * n], q[n], z[2][n] = {{0.0}}, w[2][n];
  nsds_block contact[feet];
  for (int k = 0; k < feet; ++k)
    contact[k] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.2};
  const nsds_problem box = {.n = n,
                            .nblock = feet,
                            .block = contact,
                            .M = {.storage = NSDS_DENSE, .n = n, .x = M},
                            .q = q};
  static const char *const name[] = {"tresca", "auto"};
  make_box(v, M, q);
  nsds_context *context = nsds_context_create(NULL);
  nsds_status status = nsds_solver_register(context, &ops);
  for (int k = 0; k < 2 && !status; ++k) {
    nsds_solver_info info;
    status = solve_by(context, name[k], &box, z[k], w[k], &info);
    printf("%-7s %s after %d, residual %.0e: the first foot slides with %.5f, %.5f m/s\n", name[k],
           nsds_outcome_text(info.outcome), info.iterations, info.residual, w[k][1], w[k][2]);
  }
  if (nsds_error(context)) fprintf(stderr, "%s\n", nsds_error_message(context));
  nsds_context_destroy(context);
  return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
