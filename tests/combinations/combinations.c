/*
 * Runs drawn combinations by events and by time stepping with steps h, h/4, h/16, and compares where the systems are at
 * the end. The difference must fall with the step, or be small; if it does not, steps count that leave bodies in overlap.
 * The correction of overlap feels no friction, and moves bodies that others squeeze. Each combination is one of
 *
 *     right       both motions agree
 *     refused     event-driven simulation does not take it, and says so
 *     not unique  the motions part, and forces beside friction were not unique at an event
 *     no solution both runs end with an error, at an impact that is shown to have no solution (no_solution.c)
 *     unsolved    both runs end with an error
 *     reference   time stepping fails
 *     differs     the motions do not come together
 *     failed      the run by events ends with an error
 *
 *     combinations [--count N] [--seed S] [--verbose]
 */
#include "combinations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_numbers = 200, few = 4, refinements = 8 };

double drawn(drawing *d, double low, double high) {
  d->seed = d->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * ((double)(d->seed >> 11) / 9007199254740992.0);
}

int drawn_count(drawing *d, int low, int high) {
  int k = low + (int)drawn(d, 0.0, (double)(high - low + 1));
  return k > high ? high : k;
}

bool drawn_flag(drawing *d, double chance) { return drawn(d, 0.0, 1.0) < chance; }

void add_word(drawing *d, const char *word) {
  size_t used = strlen(d->words);
  snprintf(d->words + used, sizeof d->words - used, "%s%s", used > 0 ? ", " : "", word);
}

static void draw(drawing *d, int seed, bool events) {
  *d = (drawing){.model = nsds_model_create(NULL), .seed = (uint64_t)seed, .events = events};
  for (int k = 0; k < 5; ++k) drawn(d, 0.0, 1.0);
  double kind = drawn(d, 0.0, 1.0);
  if (kind < 0.5) draw_masses(d);
  else draw_bodies(d, kind < 0.75);
}

typedef struct outcome {
  nsds_status status;
  bool many; /* forces beside friction were not unique */
  bool none; /* the last problem has no solution */
  int n;
  double x[most_numbers];
  char message[600];
} outcome;

static void note(outcome *o, double x) {
  if (o->n < most_numbers) o->x[o->n++] = x;
}

/* ---- forces that are not unique -------------------------------------------------------------- */

enum { most_rows = 40 };

/* Returns true if the matrix, with ones on its diagonal, has less than full rank. */
static bool is_deficient(int n, double *A) {
  for (int k = 0; k < n; ++k) {
    int pi = k, pj = k;
    for (int j = k; j < n; ++j)
      for (int i = k; i < n; ++i)
        if (fabs(A[i + j * n]) > fabs(A[pi + pj * n])) pi = i, pj = j;
    if (fabs(A[pi + pj * n]) < 1e-6) return true;
    for (int j = 0; j < n; ++j) {
      double x = A[pi + j * n];
      A[pi + j * n] = A[k + j * n];
      A[k + j * n] = x;
    }
    for (int i = 0; i < n; ++i) {
      double x = A[i + pj * n];
      A[i + pj * n] = A[i + k * n];
      A[i + k * n] = x;
    }
    for (int i = k + 1; i < n; ++i)
      for (int j = n - 1; j >= k; --j) A[i + j * n] -= A[i + k * n] / A[k + k * n] * A[k + j * n];
  }
  return false;
}

static bool has_many_forces(const nsds_problem *p) {
  static double A[most_rows * most_rows];
  bool friction = false;
  int n = p->n;
  for (int k = 0; k < p->nblock; ++k)
    friction = friction || p->block[k].set == NSDS_SET_COULOMB ||
               p->block[k].set == NSDS_SET_ROLLING || p->block[k].set == NSDS_SET_BOX;
  if (!friction || n > most_rows || p->M.storage != NSDS_DENSE) return false;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      A[i + j * n] = p->M.x[i + j * n] / sqrt(fabs(p->M.x[i * (n + 1)] * p->M.x[j * (n + 1)]));
  return is_deficient(n, A);
}

/* Tells if the last problem of a failed event has no solution. */
static bool last_has_none(const nsds_simulation *s) {
  nsds_event_problem_info info;
  int count = nsds_event_problem_count(s);
  return count > 0 && nsds_event_problem_at(s, count - 1, &info) == NSDS_OK &&
         has_no_solution(info.problem);
}

static nsds_status run_by_events(nsds_simulation *s, outcome *o) {
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) {
    status = nsds_step(s);
    for (int k = 0; status >= 0 && k < nsds_event_problem_count(s); ++k) {
      nsds_event_problem_info info;
      if (nsds_event_problem_at(s, k, &info) == NSDS_OK)
        o->many = o->many || has_many_forces(info.problem);
    }
  }
  o->none = status == NSDS_ERROR_SOLVER && last_has_none(s);
  return status;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Runs the combination; h = 0: by events. `sweeps`: nsds_time_stepping_def::overlap_sweeps. Potentials of circuits jump,
 * so they are left out. */
static void run(int seed, double h, int sweeps, outcome *o, drawing *d) {
  draw(d, seed, h == 0.0);
  *o = (outcome){.status = nsds_error(nsds_model_context(d->model))};
  nsds_simulation *s =
      h > 0.0
          ? nsds_time_stepping(
                d->model, &(nsds_time_stepping_def){.t1 = d->end, .h = h, .overlap_sweeps = sweeps})
          : nsds_event_driven(d->model, &(nsds_event_driven_def){
                                            .t1 = d->end, .problems = 20, .max_events = 5000});
  o->status = !s        ? nsds_error(nsds_model_context(d->model))
              : h > 0.0 ? nsds_run(s)
                        : run_by_events(s, o);
  if (o->status < 0)
    snprintf(o->message, sizeof o->message, "t = %.4g: %s", s ? nsds_time(s) : 0.0,
             nsds_error_message(nsds_model_context(d->model)));
  for (int k = 0; k < nsds_ds_count(d->model); ++k) {
    nsds_ds *ds = nsds_ds_at(d->model, k);
    for (int i = 0; i < nsds_nq(ds); ++i) note(o, nsds_q(ds)[i]);
    if (nsds_nx(ds) == 1) note(o, nsds_x(ds)[0]);
  }
  nsds_model_destroy(d->model);
}

static double distance(const outcome *a, const outcome *b) {
  double worst = 0.0;
  for (int k = 0; k < a->n; ++k) worst = fmax(worst, fabs(a->x[k] - b->x[k]));
  return worst;
}

/* Returns the distance to what ever shorter steps h would lead to. Each is a quarter of the one before, and errors
 * are proportional to h. */
static double distance_to_limit(const outcome *a, const outcome *before, const outcome *last) {
  double worst = 0.0;
  for (int k = 0; k < a->n; ++k)
    worst = fmax(worst, fabs((4.0 * last->x[k] - before->x[k]) / 3.0 - a->x[k]));
  return worst;
}

static void show(const outcome *exact, const outcome *other, double h) {
  printf("  h %.3g: %.3g apart:", h, distance(exact, other));
  for (int k = 0; k < exact->n; ++k) printf(" %.6g (%.6g)", exact->x[k], other->x[k]);
  printf("\n");
}

typedef enum verdict {
  RIGHT,
  REFUSED,
  NOT_UNIQUE,
  NO_SOLUTION,
  UNSOLVED,
  REFERENCE,
  DIFFERS,
  FAILED,
  VERDICTS
} verdict;

static const char *const verdict_names[] = {"right",    "refused",   "not unique", "no solution",
                                            "unsolved", "reference", "differs",    "failed"};

static bool agree(const double *apart, int k) {
  return apart[k] < 1e-5 || (apart[k] < 2e-3 && k > 0 && apart[k] < 0.7 * apart[k - 1]);
}

/* Returns false if shorter steps have not brought the motions closer. */
static bool is_worth_it(const double *apart, int k) {
  return k < 5 || apart[k - 1] < 0.9 * apart[k - 3];
}

/* Compares with time stepping at shorter and shorter steps. */
static verdict compare(int seed, int levels, int sweeps, bool verbose, const outcome *exact,
                       char *why, size_t size) {
  static outcome other, before;
  double apart[refinements] = {0.0};
  bool failed = exact->status < 0;
  int k = 0;
  for (; k < levels && is_worth_it(apart, k); ++k) {
    drawing again;
    before = other;
    run(seed, 1e-3 * pow(0.25, k), sweeps, &other, &again);
    if (other.status < 0) {
      if (!failed) snprintf(why, size, "%s", other.message);
      return !failed ? REFERENCE : exact->none ? NO_SOLUTION : UNSOLVED;
    }
    if (failed) return FAILED;
    apart[k] = distance(exact, &other);
    if (verbose) show(exact, &other, 1e-3 * pow(0.25, k));
    if (agree(apart, k)) {
      snprintf(why, size, "%.2g apart", apart[k]);
      return RIGHT;
    }
  }
  double limit = distance_to_limit(exact, &before, &other);
  snprintf(why, size, "%.2g, %.2g, ..., %.2g, %.2g apart, limit %.2g", apart[0], apart[1],
           apart[k - 2], apart[k - 1], limit);
  if (limit < 2e-3 && limit < 0.2 * apart[k - 1]) return RIGHT;
  return exact->many ? NOT_UNIQUE : DIFFERS;
}

static verdict judge(int seed, bool verbose, drawing *d, char *why, size_t size) {
  static outcome exact;
  run(seed, 0.0, 0, &exact, d);
  snprintf(why, size, "%s", exact.message);
  if (exact.status == NSDS_ERROR_UNSUPPORTED) return REFUSED;
  verdict v = compare(seed, few, 0, verbose, &exact, why, size);
  if (v != NOT_UNIQUE && v != DIFFERS) return v;
  char other[300];
  v = compare(seed, refinements, NSDS_OVERLAP_STAYS, verbose, &exact, other, sizeof other);
  if (v != RIGHT) return compare(seed, refinements, 0, verbose, &exact, why, size);
  snprintf(why, size, "%s, in overlap", other);
  return v;
}

int main(int argc, char **argv) {
  int count = 20, seed = 1, number[VERDICTS] = {0};
  bool verbose = false;
  for (int k = 1; k < argc; ++k) {
    if (!strcmp(argv[k], "--count") && k + 1 < argc) count = atoi(argv[++k]);
    else if (!strcmp(argv[k], "--seed") && k + 1 < argc) seed = atoi(argv[++k]);
    else if (!strcmp(argv[k], "--verbose")) verbose = true;
    else {
      fprintf(stderr, "combinations: '%s'; known are --count N, --seed S, --verbose\n", argv[k]);
      return 2;
    }
  }
  for (int k = seed; k < seed + count; ++k) {
    drawing d;
    char why[600];
    verdict v = judge(k, verbose, &d, why, sizeof why);
    ++number[v];
    printf("%d: %s: %s; %s\n", k, verdict_names[v], d.words, why);
    fflush(stdout);
  }
  for (int v = 0; v < VERDICTS; ++v)
    printf("%s%d %s", v > 0 ? ", " : "", number[v], verdict_names[v]);
  printf("\n");
  return number[UNSOLVED] + number[DIFFERS] + number[FAILED] > 0;
}
