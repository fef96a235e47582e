/*
 * The sparse matrix A = R M C + E and the vector b of a complementarity form, column by column: M
 * times a column of C, then the rows of R that meet what came out.
 */
#include "lcp_form.h"
#include "solver_internal.h"

#include <stdlib.h>

/* A sum of sparse vectors: values by index, and the indices met. */
typedef struct gather {
  double *value;
  int *mark, *met; /* mark[i] == stamp: i is among those met */
  int count, stamp;
} gather;

static void add(gather *g, int i, double a) {
  if (g->mark[i] != g->stamp) {
    g->mark[i] = g->stamp;
    g->met[g->count++] = i;
    g->value[i] = 0.0;
  }
  g->value[i] += a;
}

static void clear(gather *g) {
  g->count = 0;
  ++g->stamp;
}

/* Rows of R, and entries of E, by the row of w and by the column: lists ended by -1. */
static void link_all(int count, const int *key, int *head, int *next) {
  for (int t = count - 1; t >= 0; --t) {
    next[t] = head[key[t]];
    head[key[t]] = t;
  }
}

typedef struct lists {
  int *term_head, *term_next; /* nz; terms of R */
  int *term_row;              /* terms of R */
  int *entry_head, *entry_next, *entry_column;
} lists;

static void make_lists(const nsds_lcp_form *form, lists *l) {
  for (int i = 0; i < form->nz; ++i) l->term_head[i] = -1;
  for (int k = 0; k < form->n; ++k) l->entry_head[k] = -1;
  for (int r = 0; r < form->n; ++r)
    for (int t = form->w.first[r]; t < form->w.first[r + 1]; ++t) l->term_row[t] = r;
  for (int e = 0; e < form->nentry; ++e) l->entry_column[e] = form->entry[e].column;
  link_all(form->w.first[form->n], form->w.i, l->term_head, l->term_next);
  link_all(form->nentry, l->entry_column, l->entry_head, l->entry_next);
}

/* Column k of A into `row`, by way of `m` = M times column k of C. */
static void make_column(const nsds_lcp_form *form, const nsds_matrix *M, const lists *l, int k,
                        gather *m, gather *row) {
  clear(m);
  clear(row);
  for (int t = form->z.first[k]; t < form->z.first[k + 1]; ++t)
    for (int s = M->p[form->z.i[t]]; s < M->p[form->z.i[t] + 1]; ++s)
      add(m, M->i[s], M->x[s] * form->z.a[t]);
  for (int j = 0; j < m->count; ++j)
    for (int t = l->term_head[m->met[j]]; t >= 0; t = l->term_next[t])
      add(row, l->term_row[t], form->w.a[t] * m->value[m->met[j]]);
  for (int e = l->entry_head[k]; e >= 0; e = l->entry_next[e])
    add(row, form->entry[e].row, form->entry[e].value);
}

static int compare(const void *a, const void *b) {
  int i = *(const int *)a, j = *(const int *)b;
  return (i > j) - (i < j);
}

/* The indices met, increasing; of n. */
static void sort(gather *g, int n) {
  enum { full = 8 }; /* one index in so many is met: passing all of them costs less than a sort */
  if (full * g->count < n) {
    qsort(g->met, (size_t)g->count, sizeof *g->met, compare);
    return;
  }
  g->count = 0;
  for (int i = 0; i < n; ++i)
    if (g->mark[i] == g->stamp) g->met[g->count++] = i;
}

nsds_status nsds_lcp_columns(nsds_context *context, nsds_lcp_form *form,
                             const nsds_problem *problem, nsds_sparse_columns *columns) {
  size_t n = (size_t)form->n, nz = (size_t)form->nz, terms = (size_t)form->w.first[form->n];
  size_t entries = (size_t)form->nentry;
  nsds_status status;
  int *w = form->work;
  lists l = {.term_head = w, .term_next = w + nz, .term_row = w + nz + terms};
  l.entry_head = l.term_row + terms;
  l.entry_next = l.entry_head + n;
  l.entry_column = l.entry_next + entries;
  w = l.entry_column + entries;
  memset(w, 0, 2 * (n + nz) * sizeof *w);
  gather m = {.value = form->sums, .mark = w, .met = w + nz};
  gather row = {.value = form->sums + nz, .mark = w + 2 * nz, .met = w + 2 * nz + n};
  make_lists(form, &l);
  for (int k = 0; k < form->n; ++k) {
    make_column(form, &problem->M, &l, k, &m, &row);
    sort(&row, form->n);
    if ((status = nsds_sparse_columns_open(context, columns, row.count))) return status;
    for (int j = 0; j < row.count; ++j) {
      if (row.value[row.met[j]] == 0.0) continue;
      nsds_sparse_columns_add(columns, row.met[j], -row.value[row.met[j]]);
    }
  }
  return NSDS_OK;
}

void nsds_lcp_vector(const nsds_lcp_form *form, const nsds_problem *problem, double *b) {
  double *w = form->z0 + form->nz;
  nsds_problem_multiply(problem, form->z0, w, NULL);
  for (int r = 0; r < form->n; ++r) {
    b[r] = form->row[r].e;
    for (int t = form->w.first[r]; t < form->w.first[r + 1]; ++t)
      b[r] += form->w.a[t] * w[form->w.i[t]];
  }
}
