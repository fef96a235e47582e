/*
 * Convex quadratic programmes (qp.h) by `auto`, or by the method in NSDS_METHOD: M = [H -A'; A 0] with x in its
 * bounds and multipliers free or nonnegative.
 *
 *   qp FAMILY FIRST LAST LEAST MOST TOLERANCE
 *
 * prints a line for each seed: family, seed, variables, rows of A, seconds of the processor, steps, the error by
 * the yardstick of qp.h and the method.
 */
#include "qp.h"

#include <nsds/nsds.h>
#include <time.h>

/* M by columns; rows increasing, as those of H come before those of A. */
static void fill(const qp *p, int *start, int *row, double *value) {
  int count = 0, h = 0, a = 0, *next = (int *)qp_memory((size_t)p->m + 1, sizeof *next);
  for (int j = 0; j < p->n; ++j) {
    start[j] = count;
    for (; h < p->H.count && p->H.entry[h].j == j; ++h) {
      row[count] = p->H.entry[h].i;
      value[count++] = p->H.entry[h].x;
    }
    for (; a < p->A.count && p->A.entry[a].j == j; ++a) {
      row[count] = p->n + p->A.entry[a].i;
      value[count++] = p->A.entry[a].x;
      ++next[p->A.entry[a].i + 1];
    }
  }
  for (int i = 0; i < p->m; ++i) next[i + 1] += next[i];
  for (int i = 0; i <= p->m; ++i) start[p->n + i] = count + next[i];
  for (a = 0; a < p->A.count; ++a) {
    int k = count + next[p->A.entry[a].i]++;
    row[k] = p->A.entry[a].j;
    value[k] = -p->A.entry[a].x;
  }
  free(next);
}

static void solve(const qp *p, double tolerance, qp_answer *answer) {
  static char name[256];
  size_t n = (size_t)p->n, m = (size_t)p->m, entries = (size_t)(p->H.count + 2 * p->A.count);
  int *start = (int *)qp_memory(n + m + 1, sizeof *start);
  int *row = (int *)qp_memory(entries, sizeof *row);
  double *value = (double *)qp_memory(entries, sizeof *value);
  double *q = (double *)qp_memory(n + m, sizeof *q), *z = (double *)qp_memory(n + m, sizeof *z);
  double *w = (double *)qp_memory(n + m, sizeof *w);
  nsds_block *block = (nsds_block *)qp_memory(n + m, sizeof *block);
  nsds_context *context = nsds_context_create(NULL);
  fill(p, start, row, value);
  for (int j = 0; j < p->n; ++j) {
    bool held = isfinite(p->lower[j]) || isfinite(p->upper[j]);
    bool positive = p->lower[j] == 0.0 && !isfinite(p->upper[j]);
    block[j] = (nsds_block){.set = positive ? NSDS_SET_NONNEGATIVE
                                   : held   ? NSDS_SET_BOX
                                            : NSDS_SET_EQUALITY,
                            .size = 1,
                            .lower = p->lower + j,
                            .upper = p->upper + j};
    q[j] = p->c[j];
  }
  for (int i = 0; i < p->m; ++i) {
    block[n + i] =
        (nsds_block){.set = p->equal[i] ? NSDS_SET_EQUALITY : NSDS_SET_NONNEGATIVE, .size = 1};
    q[n + i] = -p->b[i];
  }
  nsds_problem problem = {
      .n = p->n + p->m,
      .nblock = p->n + p->m,
      .block = block,
      .M = {.storage = NSDS_CSC, .n = p->n + p->m, .p = start, .i = row, .x = value},
      .q = q};
  answer->seconds = INFINITY;
  for (int run = 0; run < 3; ++run) {
    nsds_solver_info info = {0};
    nsds_solver *solver = nsds_solver_create(context, getenv("NSDS_METHOD"));
    nsds_solver_set(solver, "tolerance", tolerance);
    nsds_solver_set(solver, "time_limit", 30.0);
    memset(z, 0, (n + m) * sizeof *z);
    clock_t begin = clock();
    (void)nsds_solve(solver, &problem, z, w, &info); /* the yardstick judges */
    answer->seconds = fmin(answer->seconds, (double)(clock() - begin) / CLOCKS_PER_SEC);
    answer->steps = info.iterations;
    snprintf(name, sizeof name, "%s(%d)", info.path[0] ? info.path : info.solver,
             info.factorizations);
    for (char *c = name; *c; ++c)
      if (*c == ' ') *c = '_';
    nsds_solver_destroy(solver);
    if (answer->seconds > 1.0) break;
  }
  answer->by = name;
  memcpy(answer->x, z, n * sizeof *z);
  memcpy(answer->y, z + n, m * sizeof *z);
  nsds_context_destroy(context);
  free(start);
  free(row);
  free(value);
  free(q);
  free(z);
  free(w);
  free(block);
}

int main(int argc, char **argv) { return qp_main(argc, argv, solve); }
