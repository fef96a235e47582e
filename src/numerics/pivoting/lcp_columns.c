/*
 * The sparse matrix A = R M C + E of a complementarity form, column by column: M times a column of
 * C, then the columns of R that meet what came out.
 */
#include "lcp_form.h"
#include "matrix.h"

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

/* Those of column j become sorted[first[j]] .. sorted[first[j+1]-1], in the order they had. */
static void sort_by_column(const nsds_lcp_entries *from, int ncolumn, int *first,
                           nsds_lcp_entry *sorted) {
  memset(first, 0, ((size_t)ncolumn + 2) * sizeof *first);
  for (int e = 0; e < from->count; ++e) ++first[from->entry[e].column + 2];
  for (int j = 0; j < ncolumn; ++j) first[j + 2] += first[j + 1];
  for (int e = 0; e < from->count; ++e) sorted[first[from->entry[e].column + 1]++] = from->entry[e];
}

/* row += column i of R times a. */
static void add_column(const nsds_lcp_form *f, int i, double a, gather *row) {
  for (int e = f->first_R[i]; e < f->first_R[i + 1]; ++e)
    add(row, f->by_R[e].row, f->by_R[e].value * a);
}

/* Column k of A into `row`, by way of `m` = M times column k of C where that has several entries;
 * it begins with entry *next. */
static void make_column(const nsds_lcp_form *f, const nsds_matrix *M, int k, int *next, gather *m,
                        gather *row) {
  const nsds_lcp_entry *c = f->C.entry + *next, *end = c;
  while (end < f->C.entry + f->C.count && end->column == k) ++end;
  bool one = end == c + 1;
  *next += (int)(end - c);
  clear(m);
  clear(row);
  for (; c < end; ++c)
    for (int s = M->p[c->row]; s < M->p[c->row + 1]; ++s)
      if (one) add_column(f, M->i[s], M->x[s] * c->value, row);
      else add(m, M->i[s], M->x[s] * c->value);
  for (int j = 0; j < m->count; ++j) add_column(f, m->met[j], m->value[m->met[j]], row);
  for (int e = f->first_E[k]; e < f->first_E[k + 1]; ++e)
    add(row, f->by_E[e].row, f->by_E[e].value);
}

/* Writes minus the sum, of n entries, with increasing indices; returns how many there are. */
static int write(gather *g, int n, int *i, double *a) {
  enum { full = 8 }; /* one index in so many is met: passing all of them costs less than a sort */
  bool few = full * g->count < n;
  int count = 0;
  if (few) nsds_sort_indices(g->count, g->met);
  for (int k = 0; k < (few ? g->count : n); ++k) {
    int at = few ? g->met[k] : k;
    if (g->mark[at] != g->stamp || g->value[at] == 0.0) continue;
    i[count] = at;
    a[count++] = -g->value[at];
  }
  return count;
}

nsds_status nsds_lcp_columns(nsds_store *store, const nsds_lcp_form *form,
                             const nsds_problem *problem, nsds_sparse_columns *columns) {
  int nz = form->nz, next = 0;
  gather m = {.value = form->sums, .mark = form->mark, .met = form->met};
  gather row = {.value = form->sums + nz, .mark = form->mark + nz, .met = form->met + nz};
  memset(form->mark, 0, (size_t)(nz + form->n) * sizeof *form->mark);
  sort_by_column(&form->R, nz, form->first_R, form->by_R);
  sort_by_column(&form->E, form->n, form->first_E, form->by_E);
  for (int k = 0; k < form->n; ++k) {
    make_column(form, &problem->M, k, &next, &m, &row);
    nsds_status status = nsds_sparse_columns_open(store, columns, row.count);
    if (status) return status;
    int *end = &columns->first[columns->count];
    *end += write(&row, form->n, columns->i + *end, columns->a + *end);
  }
  return NSDS_OK;
}
