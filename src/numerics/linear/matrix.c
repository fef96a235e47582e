/*
 * The matrix of the problem: w = M z + q in every storage, and the explicit forms, dense and CSC.
 * The factored operator is M_ab = sum_s H_as Y_bs + D_ab.
 */
#include "numerics/linear/matrix.h"

#include "base/union_find.h"
#include "numerics/linear/edge.h"
#include "numerics/linear/product.h"

#include <stdlib.h>

static int compare_indices(const void *a, const void *b) {
  int i = *(const int *)a, j = *(const int *)b;
  return (i > j) - (i < j);
}

void nsds_sort_indices(int count, int *i) {
  if (count > 1) qsort(i, (size_t)count, sizeof *i, compare_indices);
}

void nsds_to_columns(const nsds_entries *from, int ncolumn, int *p, int *i, double *x) {
  memset(p, 0, ((size_t)ncolumn + 1) * sizeof *p);
  for (int e = 0; e < from->count; ++e) ++p[from->entry[e].column];
  for (int j = 0, next = 0; j <= ncolumn; ++j) {
    int count = p[j];
    p[j] = next;
    next += count;
  }
  for (int e = 0; e < from->count; ++e) {
    int at = p[from->entry[e].column]++;
    i[at] = from->entry[e].row;
    x[at] = from->entry[e].value;
  }
  memmove(p + 1, p, (size_t)ncolumn * sizeof *p);
  p[0] = 0;
}

int nsds_components(int n, int *of, int *start, int *member) {
  int count = 0;
  for (int k = 0; k < n; ++k) of[k] = nsds_root(of, k);
  memset(start, 0, ((size_t)n + 1) * sizeof *start);
  for (int k = 0; k < n; ++k) { /* a root comes before its members */
    of[k] = of[k] == k ? count++ : of[of[k]];
    ++start[of[k] + 1];
  }
  for (int c = 0; c < count; ++c) start[c + 1] += start[c];
  for (int k = 0; k < n; ++k) member[start[of[k]]++] = k;
  memmove(start + 1, start, (size_t)count * sizeof *start);
  start[0] = 0;
  return count;
}

static int matrix_rows_of(const nsds_factored *f, int a) { return f->row[a + 1] - f->row[a]; }

/* ---- product ---- */

size_t nsds_problem_work(const nsds_problem *problem) {
  size_t size = 7 * (size_t)problem->n; /* certifier: w, s, d, then errors by rounding */
  if (problem->M.storage == NSDS_FACTORED) size += 2 * (size_t)problem->M.factored->ncolumn;
  return size;
}

/* Takes four columns at once where it can, so that w is read and written less often. */
static NSDS_CLONES void multiply_dense(int n, const double *restrict x, const double *restrict z,
                                       double *restrict w) {
  for (int j = 0; j < n;) {
    const double *restrict a = x + (size_t)j * (size_t)n;
    if (j + 4 <= n && z[j] != 0.0 && z[j + 1] != 0.0 && z[j + 2] != 0.0 && z[j + 3] != 0.0) {
      const double *restrict b = a + n, *restrict c = b + n, *restrict d = c + n;
      for (int i = 0; i < n; ++i)
        w[i] = (((w[i] + a[i] * z[j]) + b[i] * z[j + 1]) + c[i] * z[j + 2]) + d[i] * z[j + 3];
      j += 4;
      continue;
    }
    for (int i = 0; z[j] != 0.0 && i < n; ++i) w[i] += a[i] * z[j];
    ++j;
  }
}

static void multiply_csc(const nsds_matrix *M, const double *restrict z, double *restrict w) {
  for (int j = 0; j < M->n; ++j) {
    if (z[j] == 0.0) continue;
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) w[M->i[k]] += M->x[k] * z[j];
  }
}

static void multiply_block_rows(const nsds_block_rows *B, const double *z, double *w) {
  for (int a = 0; a < B->nrow_block; ++a) {
    int m = B->row[a + 1] - B->row[a];
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int b = B->column[k];
      nsds_add_product(m, B->row[b + 1] - B->row[b], B->x + B->start[k], m, z + B->row[b],
                       w + B->row[a]);
    }
  }
}

void nsds_find_velocities(const nsds_factored *f, const double *z, double *v) {
  for (int k = f->first_edge[0]; k < f->first_edge[f->nrow_block]; ++k)
    memset(v + f->edge[k].column, 0, (size_t)f->edge[k].size * sizeof *v);
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &f->edge[k];
      nsds_edge_add(f, e, matrix_rows_of(f, a), 0, matrix_rows_of(f, a), z + f->row[a],
                    v + e->column);
    }
}

static void multiply_factored(const nsds_factored *f, const double *z, double *w, double *v) {
  nsds_find_velocities(f, z, v);
  for (int a = 0; a < f->nrow_block; ++a) {
    int m = matrix_rows_of(f, a);
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &f->edge[k];
      nsds_add_product(m, e->size, e->H, m, v + e->column, w + f->row[a]);
    }
    if (f->D && f->D[a]) nsds_add_product(m, m, f->D[a], m, z + f->row[a], w + f->row[a]);
  }
}

void nsds_problem_multiply(const nsds_problem *problem, const double *z, double *w, double *work) {
  if (problem->n == 0) return;
  memcpy(w, problem->q, (size_t)problem->n * sizeof *w);
  switch (problem->M.storage) {
  case NSDS_DENSE: multiply_dense(problem->n, problem->M.x, z, w); break;
  case NSDS_CSC: multiply_csc(&problem->M, z, w); break;
  case NSDS_FACTORED: multiply_factored(problem->M.factored, z, w, work); break;
  case NSDS_BLOCK_ROWS: multiply_block_rows(problem->M.blocks, z, w); break;
  }
}

/* ---- explicit forms ---- */

enum { most_spans = 4 }; /* of a block row; edges beyond are taken as a whole */

/* Adds the columns of block column b over block row a; `span` holds the spans of its edges. */
static void matrix_add_block(const nsds_factored *f, int a, const nsds_edge_part *span, int b,
                             ptrdiff_t n, double *x) {
  int mb = matrix_rows_of(f, b), first = f->first_edge[a];
  for (int kb = f->first_edge[b]; kb < f->first_edge[b + 1]; ++kb)
    for (int ka = first; ka < f->first_edge[a + 1]; ++ka) {
      const nsds_edge *edge = &f->edge[ka];
      if (edge->column != f->edge[kb].column) continue;
      nsds_edge_part own = ka - first < most_spans ? span[ka - first] : nsds_whole_edge(edge);
      for (int j = 0; j < mb; ++j)
        nsds_add_pair(f, edge, matrix_rows_of(f, a), own, &f->edge[kb], mb, j, x + j * n);
    }
}

static void factored_to_dense(const nsds_factored *f, ptrdiff_t n, double *dense) {
  for (int a = 0; a < f->nrow_block; ++a) {
    nsds_edge_part span[most_spans];
    int first = f->first_edge[a], count = f->first_edge[a + 1] - first, m = matrix_rows_of(f, a);
    double *row = dense + f->row[a];
    for (int k = 0; k < count && k < most_spans; ++k)
      span[k] = nsds_edge_span(&f->edge[first + k], m);
    for (int b = 0; b < f->nrow_block; ++b) matrix_add_block(f, a, span, b, n, row + f->row[b] * n);
    for (int j = 0; f->D && f->D[a] && j < m; ++j)
      for (int i = 0; i < m; ++i) row[i + (f->row[a] + j) * n] += f->D[a][i + j * m];
  }
}

static void block_rows_to_dense(const nsds_block_rows *B, size_t n, double *dense) {
  for (int a = 0; a < B->nrow_block; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      size_t m = (size_t)(B->row[a + 1] - B->row[a]);
      const double *x = B->x + B->start[k];
      for (int j = B->row[B->column[k]]; j < B->row[B->column[k] + 1]; ++j, x += m)
        memcpy(dense + (size_t)B->row[a] + (size_t)j * n, x, m * sizeof *x);
    }
}

void nsds_scatter(int n, const int *p, const int *i, const double *x, double *dense) {
  size_t rows = (size_t)n;
  if (n == 0) return;
  memset(dense, 0, rows * rows * sizeof *dense);
  for (size_t j = 0; j < rows; ++j)
    for (int k = p[j]; k < p[j + 1]; ++k) dense[(size_t)i[k] + j * rows] = x[k];
}

void nsds_problem_to_dense(const nsds_problem *problem, double *dense) {
  const nsds_matrix *M = &problem->M;
  size_t n = (size_t)problem->n;
  if (n == 0) return;
  if (M->storage == NSDS_DENSE) {
    memcpy(dense, M->x, n * n * sizeof *dense);
    return;
  }
  if (M->storage == NSDS_CSC) {
    nsds_scatter(M->n, M->p, M->i, M->x, dense);
    return;
  }
  memset(dense, 0, n * n * sizeof *dense);
  if (M->storage == NSDS_FACTORED) factored_to_dense(M->factored, problem->n, dense);
  else block_rows_to_dense(M->blocks, n, dense);
}

/* Leaves out the zeros of a dense matrix, but keeps all diagonal entries. */
static void columns_to_csc(const nsds_matrix *M, int *p, int *i, double *x) {
  int count = 0;
  for (int j = 0; j < M->n; ++j) {
    nsds_column c = nsds_matrix_column(M, j);
    bool diagonal = false;
    p[j] = count;
    for (int k = 0; k < c.count || !diagonal; ++k) {
      int row = k < c.count ? nsds_column_row(c, k) : M->n;
      bool missing = !diagonal && row > j;
      diagonal = diagonal || row >= j;
      if (missing) {
        if (i) i[count] = j, x[count] = 0.0;
        ++count;
      }
      if (k >= c.count || (!c.i && c.x[k] == 0.0 && row != j)) continue;
      if (i) i[count] = row, x[count] = c.x[k];
      ++count;
    }
  }
  p[M->n] = count;
}

/* Does one pass over block row a: counts in `next`, or writes entries if `i` is given. */
static void row_to_csc(const nsds_block_rows *B, int a, int *next, int *i, double *x) {
  int first = B->row[a], m = B->row[a + 1] - first;
  bool diagonal = false;
  for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
    int b = B->column[k];
    const double *value = B->x + B->start[k];
    diagonal = diagonal || b == a;
    for (int j = B->row[b]; j < B->row[b + 1]; ++j, next[j - 1] += m)
      for (int r = 0; i && r < m; ++r) {
        i[next[j] + r] = first + r;
        x[next[j] + r] = *value++;
      }
  }
  for (int r = first; !diagonal && r < first + m; ++r, ++next[r - 1])
    if (i) {
      i[next[r]] = r;
      x[next[r]] = 0.0;
    }
}

/* Appends block rows to every column in order, so that row indices increase. */
static void block_rows_to_csc(const nsds_block_rows *B, int n, int *p, int *i, double *x,
                              int *next) {
  for (int j = 0; j < n; ++j) next[j] = i ? p[j] : 0;
  for (int a = 0; a < B->nrow_block; ++a) row_to_csc(B, a, next, i, x);
  if (i) return;
  p[0] = 0;
  for (int j = 0; j < n; ++j) p[j + 1] = p[j] + next[j];
}

typedef struct graph {
  const nsds_factored *f;
  int *head;  /* ncolumn + 1: first edge of the group starting at this column, -1 if none */
  int *next;  /* nedge: next edge of the same group */
  int *owner; /* nedge: block row */
  nsds_edge_part *span; /* nedge */
  int *met;             /* nrow_block: block rows met, increasing */
  int *place;           /* nrow_block: offset of the block row within the column, -1 if not met */
} graph;

static size_t graph_work(const nsds_factored *f) {
  return (size_t)f->ncolumn + 1 + 4 * (size_t)f->first_edge[f->nrow_block] +
         2 * (size_t)f->nrow_block;
}

static graph make_graph(const nsds_factored *f, int *work) {
  int nedge = f->first_edge[f->nrow_block];
  graph g = {.f = f, .head = work};
  g.next = g.head + f->ncolumn + 1;
  g.owner = g.next + nedge;
  g.span = (nsds_edge_part *)(void *)(g.owner + nedge); /* two int each */
  g.met = g.owner + 3 * (size_t)nedge;
  g.place = g.met + f->nrow_block;
  for (int c = 0; c <= f->ncolumn; ++c) g.head[c] = -1;
  for (int a = f->nrow_block - 1; a >= 0; --a) {
    g.place[a] = -1;
    for (int k = f->first_edge[a + 1] - 1; k >= f->first_edge[a]; --k) {
      g.owner[k] = a;
      g.span[k] = nsds_edge_span(&f->edge[k], matrix_rows_of(f, a));
      g.next[k] = g.head[f->edge[k].column];
      g.head[f->edge[k].column] = k;
    }
  }
  return g;
}

static int matrix_meet(graph *g, int nmet, int a) {
  if (g->place[a] >= 0) return nmet;
  g->place[a] = 0;
  int k = nmet;
  for (; k > 0 && g->met[k - 1] > a; --k) g->met[k] = g->met[k - 1];
  g->met[k] = a;
  return nmet + 1;
}

/* Finds the block rows that share a column group with b, and returns their number; `length` is the
 * number of their rows. */
static int matrix_neighbours(graph *g, int b, int *length) {
  const nsds_factored *f = g->f;
  int nmet = matrix_meet(g, 0, b);
  for (int kb = f->first_edge[b]; kb < f->first_edge[b + 1]; ++kb)
    for (int k = g->head[f->edge[kb].column]; k >= 0; k = g->next[k])
      nmet = matrix_meet(g, nmet, g->owner[k]);
  *length = 0;
  for (int k = 0; k < nmet; ++k) {
    g->place[g->met[k]] = *length;
    *length += matrix_rows_of(f, g->met[k]);
  }
  return nmet;
}

/* Sums column j of block column b over the rows met; `x` must be zero on entry. */
static void sum_column(const graph *g, int b, int j, double *x) {
  const nsds_factored *f = g->f;
  int mb = matrix_rows_of(f, b);
  for (int kb = f->first_edge[b]; kb < f->first_edge[b + 1]; ++kb)
    for (int k = g->head[f->edge[kb].column]; k >= 0; k = g->next[k]) {
      int a = g->owner[k];
      nsds_add_pair(f, &f->edge[k], matrix_rows_of(f, a), g->span[k], &f->edge[kb], mb, j,
                    x + g->place[a]);
    }
  if (!f->D || !f->D[b]) return;
  for (int r = 0; r < mb; ++r) x[g->place[b] + r] += f->D[b][r + j * mb];
}

static void fill_column(const graph *g, int nmet, int b, int j, int *i, double *x) {
  const nsds_factored *f = g->f;
  for (int k = 0, count = 0; k < nmet; ++k)
    for (int r = f->row[g->met[k]]; r < f->row[g->met[k] + 1]; ++r, ++count) {
      i[count] = r;
      x[count] = 0.0;
    }
  sum_column(g, b, j, x);
}

static void factored_to_csc(const nsds_factored *f, int *p, int *i, double *x, int *work) {
  graph g = make_graph(f, work);
  int count = 0;
  for (int b = 0; b < f->nrow_block; ++b) {
    int length, nmet = matrix_neighbours(&g, b, &length);
    for (int j = 0; j < matrix_rows_of(f, b); ++j, count += length) {
      p[f->row[b] + j] = count;
      if (i) fill_column(&g, nmet, b, j, i + count, x + count);
    }
    for (int k = 0; k < nmet; ++k) g.place[g.met[k]] = -1;
  }
  p[f->row[f->nrow_block]] = count;
}

size_t nsds_problem_csc_work(const nsds_problem *problem) {
  if (problem->M.storage == NSDS_BLOCK_ROWS) return (size_t)problem->n;
  return problem->M.storage == NSDS_FACTORED ? graph_work(problem->M.factored) : 0;
}

void nsds_problem_to_csc(const nsds_problem *problem, int *p, int *i, double *x, int *work) {
  switch (problem->M.storage) {
  case NSDS_DENSE:
  case NSDS_CSC: columns_to_csc(&problem->M, p, i, x); break;
  case NSDS_FACTORED: factored_to_csc(problem->M.factored, p, i, x, work); break;
  case NSDS_BLOCK_ROWS: block_rows_to_csc(problem->M.blocks, problem->n, p, i, x, work); break;
  }
}

double nsds_matrix_entries_per_row(const nsds_matrix *M) {
  double n = M->n, sum = 0.0, edges = 0.0;
  switch (M->storage) {
  case NSDS_DENSE: return n;
  case NSDS_CSC: return M->p[M->n] / n;
  case NSDS_BLOCK_ROWS:
    for (int a = 0; a < M->blocks->nrow_block; ++a)
      for (int k = M->blocks->first[a]; k < M->blocks->first[a + 1]; ++k) {
        const int *row = M->blocks->row, b = M->blocks->column[k];
        sum += (double)(row[a + 1] - row[a]) * (row[b + 1] - row[b]);
      }
    return sum / n;
  case NSDS_FACTORED:
    for (int a = 0; a < M->factored->nrow_block; ++a)
      for (int k = M->factored->first_edge[a]; k < M->factored->first_edge[a + 1]; ++k) {
        double rows = M->factored->row[a + 1] - M->factored->row[a];
        edges += rows;
        sum += rows * M->factored->edge[k].size;
      }
    return edges / n * (sum / M->factored->ncolumn);
  }
  return n;
}

bool nsds_matrix_by_signs(const nsds_matrix *M) {
  int opposite = 0;
  if (M->storage != NSDS_CSC || M->symmetric) return false;
  for (int j = 0; j < M->n; ++j) {
    int k = M->p[j];
    while (k < M->p[j + 1] && (M->i[k] == j || M->x[k] == 0.0)) ++k;
    if (k == M->p[j + 1]) continue;
    double other = nsds_matrix_entry(M, j, M->i[k]);
    if (fabs(other) != fabs(M->x[k])) return false;
    opposite += other != M->x[k];
  }
  return opposite > 0;
}
