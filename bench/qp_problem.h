/*
 * A programme of qp.h as the problem w = M z + q, z in C: M = [H -A'; A 0], x in its bounds, multipliers
 * free or nonnegative.
 */
#ifndef NSDS_BENCH_QP_PROBLEM_H
#define NSDS_BENCH_QP_PROBLEM_H

#include "qp.h"

#include <nsds/nsds.h>

/* With what it borrows; bounds are the programme's. */
typedef struct qp_problem {
  nsds_problem problem;
  int *start, *row;
  double *value, *q;
  nsds_block *block;
} qp_problem;

/* M by columns; rows increasing, as those of H come before those of A. */
static inline void qp_fill(const qp *p, int *start, int *row, double *value) {
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

static inline void qp_problem_make(qp_problem *t, const qp *p) {
  int n = p->n + p->m, entries = p->H.count + 2 * p->A.count;
  *t = (qp_problem){.start = (int *)qp_memory((size_t)n + 1, sizeof(int)),
                    .row = (int *)qp_memory((size_t)entries, sizeof(int)),
                    .value = qp_numbers(entries),
                    .q = qp_numbers(n),
                    .block = (nsds_block *)qp_memory((size_t)n, sizeof(nsds_block))};
  qp_fill(p, t->start, t->row, t->value);
  for (int j = 0; j < p->n; ++j) {
    bool held = isfinite(p->lower[j]) || isfinite(p->upper[j]);
    bool positive = p->lower[j] == 0.0 && !isfinite(p->upper[j]);
    t->block[j] = (nsds_block){.set = positive ? NSDS_SET_NONNEGATIVE
                                      : held   ? NSDS_SET_BOX
                                               : NSDS_SET_EQUALITY,
                               .size = 1,
                               .lower = p->lower + j,
                               .upper = p->upper + j};
    t->q[j] = p->c[j];
  }
  for (int i = 0; i < p->m; ++i) {
    nsds_set_kind set = p->equal[i] ? NSDS_SET_EQUALITY : NSDS_SET_NONNEGATIVE;
    t->block[p->n + i] = (nsds_block){.set = set, .size = 1};
    t->q[p->n + i] = -p->b[i];
  }
  t->problem =
      (nsds_problem){.n = n,
                     .nblock = n,
                     .block = t->block,
                     .M = {.storage = NSDS_CSC, .n = n, .p = t->start, .i = t->row, .x = t->value},
                     .q = t->q};
}

static inline void qp_problem_free(qp_problem *t) {
  free(t->start);
  free(t->row);
  free(t->value);
  free(t->q);
  free(t->block);
}

#endif
