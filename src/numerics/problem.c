/*
 * The one-step nonsmooth problem: its check, w = M z + q in the three storages, and the explicit
 * forms of the factored operator M_ab = sum_s H_as Y_bs + D_ab.
 */
#include "base.h"

#include <nsds/problem.h>

static int block_rows(const nsds_factored *f, int a) { return f->row[a + 1] - f->row[a]; }

/* ---- check ---- */

static nsds_status check_finite(nsds_context *context, const char *field, const double *x, int n) {
  int bad = nsds_first_nonfinite(x, n);
  if (bad < 0) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: %s[%d] is %g; it must be finite",
                   field, bad, x[bad]);
}

static nsds_status check_blocks(nsds_context *context, const nsds_problem *problem) {
  long rows = 0;
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    if (block->set != NSDS_SET_EQUALITY && block->set != NSDS_SET_NONNEGATIVE)
      return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                       "nsds_problem: block[%d].set is %d; supported are %d (equality) and %d "
                       "(nonnegative)",
                       a, (int)block->set, (int)NSDS_SET_EQUALITY, (int)NSDS_SET_NONNEGATIVE);
    if (block->size < 0)
      return nsds_fail(context, NSDS_ERROR_SIZE,
                       "nsds_problem: block[%d].size is %d; it must not be negative", a,
                       block->size);
    rows += block->size;
  }
  if (rows != problem->n)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: the block sizes sum to %ld, but n is %d", rows, problem->n);
  return NSDS_OK;
}

static nsds_status check_dense(nsds_context *context, const nsds_matrix *M) {
  for (int j = 0; j < M->n; ++j) {
    const double *column = M->x + (size_t)j * (size_t)M->n;
    int bad = nsds_first_nonfinite(column, M->n);
    if (bad >= 0)
      return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: M(%d,%d) is %g; it must be finite",
                       bad, j, column[bad]);
  }
  return NSDS_OK;
}

static nsds_status check_csc(nsds_context *context, const nsds_matrix *M) {
  if (M->p[0] != 0)
    return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: M.p[0] is %d; it must be 0",
                     M->p[0]);
  for (int j = 0; j < M->n; ++j) {
    if (M->p[j + 1] < M->p[j])
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "nsds_problem: M.p[%d] is %d, smaller than M.p[%d], which is %d", j + 1,
                       M->p[j + 1], j, M->p[j]);
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
      int least = k > M->p[j] ? M->i[k - 1] + 1 : 0;
      if (M->i[k] < least || M->i[k] >= M->n)
        return nsds_fail(context, NSDS_ERROR_VALUE,
                         "nsds_problem: M.i[%d] is %d in column %d; valid here is %d..%d "
                         "(increasing within a column)",
                         k, M->i[k], j, least, M->n - 1);
    }
  }
  return check_finite(context, "M.x", M->x, M->p[M->n]);
}

static nsds_status check_edge(nsds_context *context, const nsds_factored *f, int a, int k) {
  const nsds_edge *edge = &f->edge[k];
  if (edge->size < 0 || edge->column < 0 || edge->column > f->ncolumn - edge->size)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.factored.edge[%d] spans columns %d..%d; there are %d", k,
                     edge->column, edge->column + edge->size - 1, f->ncolumn);
  if (!edge->H || !edge->Y)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: M.factored.edge[%d].%s is NULL",
                     k, edge->H ? "Y" : "H");
  int count = block_rows(f, a) * edge->size;
  int bad = nsds_first_nonfinite(edge->H, count);
  const double *x = bad >= 0 ? edge->H : edge->Y;
  if (bad < 0) bad = nsds_first_nonfinite(edge->Y, count);
  if (bad < 0) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_VALUE,
                   "nsds_problem: M.factored.edge[%d].%s[%d] is %g; it must be finite", k,
                   x == edge->H ? "H" : "Y", bad, x[bad]);
}

static nsds_status check_factored(nsds_context *context, const nsds_matrix *M) {
  const nsds_factored *f = M->factored;
  if (!f->row || !f->first_edge || (!f->edge && f->first_edge[f->nrow_block] > 0))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: M.factored.%s is NULL",
                     !f->row          ? "row"
                     : !f->first_edge ? "first_edge"
                                      : "edge");
  if (f->nrow_block < 0 || f->row[0] != 0 || f->row[f->nrow_block] != M->n)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.factored.row spans %d rows, but n is %d",
                     f->nrow_block < 0 ? 0 : f->row[f->nrow_block] - f->row[0], M->n);
  for (int a = 0; a < f->nrow_block; ++a) {
    if (f->row[a + 1] < f->row[a] || f->first_edge[a + 1] < f->first_edge[a])
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "nsds_problem: M.factored.row or first_edge decreases after block row %d",
                       a);
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      nsds_status status = check_edge(context, f, a, k);
      if (status) return status;
    }
    if (f->D && f->D[a]) {
      int m = block_rows(f, a);
      nsds_status status = check_finite(context, "M.factored.D", f->D[a], m * m);
      if (status) return status;
    }
  }
  return NSDS_OK;
}

static nsds_status check_matrix(nsds_context *context, const nsds_matrix *M) {
  const char *missing = NULL;
  switch (M->storage) {
  case NSDS_DENSE:
    if (!M->x && M->n > 0) missing = "x";
    break;
  case NSDS_CSC:
    missing = !M->p ? "p" : M->p[M->n] > 0 && (!M->i || !M->x) ? "i or x" : NULL;
    break;
  case NSDS_FACTORED:
    if (!M->factored) missing = "factored";
    break;
  default:
    return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: M.storage is %d; no such storage",
                     (int)M->storage);
  }
  if (missing)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: M.%s is NULL", missing);
  switch (M->storage) {
  case NSDS_DENSE: return check_dense(context, M);
  case NSDS_CSC: return check_csc(context, M);
  default: return check_factored(context, M);
  }
}

nsds_status nsds_problem_check(nsds_context *context, const nsds_problem *problem) {
  if (!problem) return nsds_fail_null(context, "nsds_problem_check", "problem");
  if (problem->n < 0 || problem->nblock < 0)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: n is %d and nblock is %d; neither may be negative", problem->n,
                     problem->nblock);
  if (problem->nblock > 0 && !problem->block)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: block is NULL");
  if (problem->n > 0 && !problem->q)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: q is NULL");
  nsds_status status = check_blocks(context, problem);
  if (status) return status;
  if (problem->M.n != problem->n)
    return nsds_fail(context, NSDS_ERROR_SIZE, "nsds_problem: M.n is %d, but n is %d", problem->M.n,
                     problem->n);
  status = check_matrix(context, &problem->M);
  return status ? status : check_finite(context, "q", problem->q, problem->n);
}

/* ---- product ---- */

size_t nsds_problem_work(const nsds_problem *problem) {
  size_t size = 3 * (size_t)problem->n;
  if (problem->M.storage == NSDS_FACTORED) size += 2 * (size_t)problem->M.factored->ncolumn;
  return size;
}

static void multiply_dense(const nsds_matrix *M, const double *restrict z, double *restrict w) {
  for (int j = 0; j < M->n; ++j) {
    if (z[j] == 0.0) continue;
    const double *restrict column = M->x + (size_t)j * (size_t)M->n;
    for (int i = 0; i < M->n; ++i) w[i] += column[i] * z[j];
  }
}

static void multiply_csc(const nsds_matrix *M, const double *restrict z, double *restrict w) {
  for (int j = 0; j < M->n; ++j) {
    if (z[j] == 0.0) continue;
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) w[M->i[k]] += M->x[k] * z[j];
  }
}

/* y += A x, A rows x columns, column-major. */
static void add_product(int rows, int columns, const double *A, const double *x, double *y) {
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) y[i] += A[i + j * rows] * x[j];
}

static void multiply_factored(const nsds_factored *f, const double *z, double *w, double *v) {
  for (int k = f->first_edge[0]; k < f->first_edge[f->nrow_block]; ++k)
    memset(v + f->edge[k].column, 0, (size_t)f->edge[k].size * sizeof *v);
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &f->edge[k];
      add_product(e->size, block_rows(f, a), e->Y, z + f->row[a], v + e->column);
    }
  for (int a = 0; a < f->nrow_block; ++a) {
    int m = block_rows(f, a);
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &f->edge[k];
      add_product(m, e->size, e->H, v + e->column, w + f->row[a]);
    }
    if (f->D && f->D[a]) add_product(m, m, f->D[a], z + f->row[a], w + f->row[a]);
  }
}

void nsds_problem_multiply(const nsds_problem *problem, const double *z, double *w, double *work) {
  if (problem->n == 0) return;
  memcpy(w, problem->q, (size_t)problem->n * sizeof *w);
  switch (problem->M.storage) {
  case NSDS_DENSE: multiply_dense(&problem->M, z, w); break;
  case NSDS_CSC: multiply_csc(&problem->M, z, w); break;
  case NSDS_FACTORED: multiply_factored(problem->M.factored, z, w, work); break;
  }
}

/* ---- explicit forms ---- */

/* Adds column `j` of the block H_as Y_bs, j counted within block b; y points to rows of block a. */
static void add_column(const nsds_edge *ea, const nsds_edge *eb, int rows, int j, double *y) {
  add_product(rows, ea->size, ea->H, eb->Y + (size_t)j * (size_t)eb->size, y);
}

static void factored_to_dense(const nsds_factored *f, int n, double *dense) {
  for (int b = 0; b < f->nrow_block; ++b) {
    int mb = block_rows(f, b);
    for (int a = 0; a < f->nrow_block; ++a)
      for (int kb = f->first_edge[b]; kb < f->first_edge[b + 1]; ++kb)
        for (int ka = f->first_edge[a]; ka < f->first_edge[a + 1]; ++ka) {
          if (f->edge[ka].column != f->edge[kb].column) continue;
          for (int j = 0; j < mb; ++j)
            add_column(&f->edge[ka], &f->edge[kb], block_rows(f, a), j,
                       dense + f->row[a] + (size_t)(f->row[b] + j) * (size_t)n);
        }
    if (!f->D || !f->D[b]) continue;
    for (int j = 0; j < mb; ++j)
      for (int i = 0; i < mb; ++i)
        dense[f->row[b] + i + (size_t)(f->row[b] + j) * (size_t)n] += f->D[b][i + j * mb];
  }
}

void nsds_problem_to_dense(const nsds_problem *problem, double *dense) {
  const nsds_matrix *M = &problem->M;
  size_t n = (size_t)problem->n;
  if (n == 0) return;
  if (M->storage == NSDS_DENSE) {
    memcpy(dense, M->x, n * n * sizeof *dense);
    return;
  }
  memset(dense, 0, n * n * sizeof *dense);
  if (M->storage == NSDS_FACTORED) {
    factored_to_dense(M->factored, problem->n, dense);
    return;
  }
  for (size_t j = 0; j < n; ++j)
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) dense[(size_t)M->i[k] + j * n] = M->x[k];
}

static void dense_to_csc(const nsds_matrix *M, int *p, int *i, double *x) {
  int count = 0;
  for (int j = 0; j < M->n; ++j) {
    const double *column = M->x + (size_t)j * (size_t)M->n;
    p[j] = count;
    for (int r = 0; r < M->n; ++r) {
      if (column[r] == 0.0 && r != j) continue;
      if (i) {
        i[count] = r;
        x[count] = column[r];
      }
      ++count;
    }
  }
  p[M->n] = count;
}

/* A copy with the missing diagonal entries put in. */
static void csc_to_csc(const nsds_matrix *M, int *p, int *i, double *x) {
  int count = 0;
  for (int j = 0; j < M->n; ++j) {
    int k = M->p[j], end = M->p[j + 1], inserted = 0;
    p[j] = count;
    for (; k < end && M->i[k] < j; ++k) ++count;
    inserted = k == end || M->i[k] != j;
    if (i) {
      int upper = count - p[j];
      memcpy(i + p[j], M->i + M->p[j], (size_t)upper * sizeof *i);
      memcpy(x + p[j], M->x + M->p[j], (size_t)upper * sizeof *x);
      if (inserted) {
        i[count] = j;
        x[count] = 0.0;
      }
      if (end > k) {
        memcpy(i + count + inserted, M->i + k, (size_t)(end - k) * sizeof *i);
        memcpy(x + count + inserted, M->x + k, (size_t)(end - k) * sizeof *x);
      }
    }
    count += inserted + end - k;
  }
  p[M->n] = count;
}

/* The edges of each column group as linked lists, and the block rows met by one block column. */
typedef struct graph {
  const nsds_factored *f;
  int *head;  /* ncolumn + 1: first edge of the group starting at this column, -1 if none */
  int *next;  /* nedge: next edge of the same group */
  int *owner; /* nedge: block row */
  int *met;   /* nrow_block: block rows met, increasing */
  int *place; /* nrow_block: offset of the block row within the column, -1 if not met */
} graph;

static graph graph_create(const nsds_factored *f, int *work) {
  int nedge = f->first_edge[f->nrow_block];
  graph g = {.f = f, .head = work};
  g.next = g.head + f->ncolumn + 1;
  g.owner = g.next + nedge;
  g.met = g.owner + nedge;
  g.place = g.met + f->nrow_block;
  for (int c = 0; c <= f->ncolumn; ++c) g.head[c] = -1;
  for (int a = f->nrow_block - 1; a >= 0; --a) {
    g.place[a] = -1;
    for (int k = f->first_edge[a + 1] - 1; k >= f->first_edge[a]; --k) {
      g.owner[k] = a;
      g.next[k] = g.head[f->edge[k].column];
      g.head[f->edge[k].column] = k;
    }
  }
  return g;
}

static int meet(graph *g, int nmet, int a) {
  if (g->place[a] >= 0) return nmet;
  g->place[a] = 0;
  int k = nmet;
  for (; k > 0 && g->met[k - 1] > a; --k) g->met[k] = g->met[k - 1];
  g->met[k] = a;
  return nmet + 1;
}

/* Block rows that share a column group with b, in increasing order, and their places. */
static int neighbours(graph *g, int b, int *length) {
  const nsds_factored *f = g->f;
  int nmet = meet(g, 0, b);
  for (int kb = f->first_edge[b]; kb < f->first_edge[b + 1]; ++kb)
    for (int k = g->head[f->edge[kb].column]; k >= 0; k = g->next[k])
      nmet = meet(g, nmet, g->owner[k]);
  *length = 0;
  for (int k = 0; k < nmet; ++k) {
    g->place[g->met[k]] = *length;
    *length += block_rows(f, g->met[k]);
  }
  return nmet;
}

static void fill_column(const graph *g, int nmet, int b, int j, int *i, double *x) {
  const nsds_factored *f = g->f;
  for (int k = 0, count = 0; k < nmet; ++k)
    for (int r = f->row[g->met[k]]; r < f->row[g->met[k] + 1]; ++r, ++count) {
      i[count] = r;
      x[count] = 0.0;
    }
  for (int kb = f->first_edge[b]; kb < f->first_edge[b + 1]; ++kb)
    for (int k = g->head[f->edge[kb].column]; k >= 0; k = g->next[k]) {
      int a = g->owner[k];
      add_column(&f->edge[k], &f->edge[kb], block_rows(f, a), j, x + g->place[a]);
    }
  if (!f->D || !f->D[b]) return;
  int mb = block_rows(f, b);
  for (int r = 0; r < mb; ++r) x[g->place[b] + r] += f->D[b][r + j * mb];
}

static void factored_to_csc(const nsds_factored *f, int *p, int *i, double *x, int *work) {
  graph g = graph_create(f, work);
  int count = 0;
  for (int b = 0; b < f->nrow_block; ++b) {
    int length, nmet = neighbours(&g, b, &length);
    for (int j = 0; j < block_rows(f, b); ++j, count += length) {
      p[f->row[b] + j] = count;
      if (i) fill_column(&g, nmet, b, j, i + count, x + count);
    }
    for (int k = 0; k < nmet; ++k) g.place[g.met[k]] = -1;
  }
  p[f->row[f->nrow_block]] = count;
}

size_t nsds_problem_csc_work(const nsds_problem *problem) {
  if (problem->M.storage != NSDS_FACTORED) return 0;
  const nsds_factored *f = problem->M.factored;
  return (size_t)f->ncolumn + 1 + 2 * (size_t)f->first_edge[f->nrow_block] +
         2 * (size_t)f->nrow_block;
}

void nsds_problem_to_csc(const nsds_problem *problem, int *p, int *i, double *x, int *work) {
  switch (problem->M.storage) {
  case NSDS_DENSE: dense_to_csc(&problem->M, p, i, x); break;
  case NSDS_CSC: csc_to_csc(&problem->M, p, i, x); break;
  case NSDS_FACTORED: factored_to_csc(problem->M.factored, p, i, x, work); break;
  }
}
