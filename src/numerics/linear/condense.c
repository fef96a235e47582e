/* Values and solves, see condense.h. Block elimination without pivoting between nodes: Golub & Van
 * Loan, Matrix Computations, 3.2.10 and 4.2. */
#include "numerics/linear/condense.h"

#include "base/base.h"
#include "numerics/linear/condense_structure.h"
#include "numerics/linear/edge.h"
#include "numerics/linear/product.h"

/* Bounds of a pivot over its entry of M's diagonal. The ratio is the squared sine of the angle
 * between its row and those before, in the energy norm. Below the least, joints count as dependent
 * in time stepping too (dependent.c). */
static const double least_pivot = 1e-6, most_pivot = 1e4;

/* Least part of a row that must remain in S. */
static const double least_left = 1e-10;

/* ---- products ---- */

/* Blocks of matrices stored by columns, which are `ld` apart. */
typedef struct block_at {
  const double *x;
  int ld;
} block_at;

/* Adds A B to C, A of m x n and B of n x p. The rows of C are in registers: four at a time, then
 * the rest of m. */
NSDS_INLINE void add_rows_of_product(int m, int n, int p, block_at A, block_at B, double *C,
                                     int ld) {
#if defined(__GNUC__)
  enum { lanes = 4 };
  int wide = m >= lanes ? lanes : 0;
  for (int j = 0; j < p; ++j, B.x += B.ld, C += ld) {
    const double *a = A.x;
    double rest[3];
    nsds_four four = {0.0};
    if (wide) four = *(const nsds_four *)(const void *)C;
    for (int i = wide; i < m; ++i) rest[i - wide] = C[i];
    for (int k = 0; k < n; ++k, a += A.ld) {
      if (wide) four += *(const nsds_four *)(const void *)a * B.x[k];
      for (int i = wide; i < m; ++i) rest[i - wide] += a[i] * B.x[k];
    }
    if (wide) *(nsds_four *)(void *)C = four;
    for (int i = wide; i < m; ++i) C[i] = rest[i - wide];
  }
#else
  for (int j = 0; j < p; ++j, B.x += B.ld, C += ld) nsds_add_product(m, n, A.x, A.ld, B.x, C);
#endif
}

/* Calls a loop of its own for each row count of contacts and joints. */
NSDS_INLINE void add_block_product(int m, int n, int p, block_at A, block_at B, double *C, int ld) {
  switch (m) {
  case 1: add_rows_of_product(1, n, p, A, B, C, ld); return;
  case 2: add_rows_of_product(2, n, p, A, B, C, ld); return;
  case 3: add_rows_of_product(3, n, p, A, B, C, ld); return;
  case 5: add_rows_of_product(5, n, p, A, B, C, ld); return;
  case 6: add_rows_of_product(6, n, p, A, B, C, ld); return;
  default:
    for (int j = 0; j < p; ++j, B.x += B.ld, C += ld) nsds_add_product(m, n, A.x, A.ld, B.x, C);
  }
}

/* ---- places ---- */

static int find_later(const nsds_condenser *e, int k, int l) {
  enum { few = 8 };
  int first = e->start[k], last = e->start[k + 1];
  while (last - first > few) {
    int middle = (first + last) / 2;
    if (e->later[middle] < l) first = middle + 1;
    else last = middle;
  }
  while (first < last && e->later[first] < l) ++first;
  return first < e->start[k + 1] && e->later[first] == l ? first : -1;
}

double *nsds_condense_block(const nsds_condenser *e, int a, int b, int *ld) {
  int k = a < b ? a : b, l = a < b ? b : a, m = e->size[k];
  if (k >= e->nout) {
    *ld = e->rest.part_rows[e->rest.part[a]];
    if (e->rest.part[a] != e->rest.part[b]) return NULL;
    return e->rest.S + e->rest.part_start[e->rest.part[a]] + e->rest.place[a] +
           (ptrdiff_t)e->rest.place[b] * *ld;
  }
  double *panel = e->value + e->panel[k];
  *ld = m;
  if (k == l) return panel;
  int t = find_later(e, k, l);
  if (t < 0) return NULL;
  panel += m * m;
  if (a == k) return panel + (ptrdiff_t)e->offset[t] * m;
  *ld = e->width[k];
  return panel + (ptrdiff_t)m * *ld + e->offset[t];
}

/* ---- M ---- */

static void condense_add_entry(nsds_condenser *e, int i, int j, double x) {
  int a = e->node_of[i], b = e->node_of[j], ld;
  double *block = nsds_condense_block(e, a, b, &ld);
  if (block) block[i - e->row[a] + (ptrdiff_t)(j - e->row[b]) * ld] += x;
}

/* Adds rows of node x times columns of node y: of H_k Y_l, or of D. */
NSDS_INLINE void add_of_edges(nsds_condenser *e, const nsds_factored *f, int a, int k, int x, int b,
                              int l, int y) {
  int ld, rows = e->size[x], columns = e->size[y];
  int ma = f->row[a + 1] - f->row[a], mb = f->row[b + 1] - f->row[b];
  int i = e->row[x] - f->row[a], j = e->row[y] - f->row[b];
  double *block = nsds_condense_block(e, x, y, &ld);
  const nsds_edge *h = k < 0 ? NULL : &f->edge[k], *v = k < 0 ? NULL : &f->edge[l];
  if (!block) return;
  if (h && v->Y) {
    add_block_product(rows, h->size, columns, (block_at){h->H + i, ma},
                      (block_at){v->Y + (ptrdiff_t)j * v->size, v->size}, block, ld);
    return;
  }
  for (int c = 0; c < columns; ++c, block += ld) {
    for (int r = 0; !h && r < rows; ++r) block[r] += f->D[a][i + r + (ptrdiff_t)(j + c) * ma];
    for (int g = 0; h && g < h->size; ++g) {
      double factor = nsds_edge_y(f, v, mb, g, j + c);
      for (int r = 0; r < rows; ++r) block[r] += h->H[i + r + (ptrdiff_t)g * ma] * factor;
    }
  }
}

static NSDS_CLONES void add_meeting(nsds_condenser *e, const nsds_factored *f, int a, int k, int b,
                                    int l) {
  for (int x = e->work.first_node[a]; x < e->work.first_node[a + 1]; ++x)
    for (int y = e->work.first_node[b]; y < e->work.first_node[b + 1]; ++y)
      add_of_edges(e, f, a, k, e->work.final[x], b, l, e->work.final[y]);
}

static void read_matrix(nsds_condenser *e, const nsds_matrix *M) {
  memset(e->value, 0, e->nvalue * sizeof *e->value);
  memset(e->rest.S, 0, e->rest.nS * sizeof *e->rest.S);
  if (M->storage == NSDS_FACTORED) nsds_condense_meet(e, M->factored, add_meeting);
  else nsds_condense_each(e, M, condense_add_entry);
  for (int a = 0; a < e->nnode; ++a) {
    int ld;
    const double *block = nsds_condense_block(e, a, a, &ld);
    for (int i = 0; i < e->size[a]; ++i) e->diagonal[e->row[a] + i] = block[i + (ptrdiff_t)i * ld];
  }
}

/* ---- rows that say nothing ---- */

static bool all_zero(int n, const double *x, int stride) {
  for (int i = 0; i < n; ++i)
    if (x[(ptrdiff_t)i * stride] != 0.0) return false;
  return true;
}

/* Returns true if row and column i of eliminated node k are zero, in node k and the nodes after
 * it. */
static bool is_empty_row(const nsds_condenser *e, int k, int i) {
  int m = e->size[k], w = e->width[k];
  const double *D = e->value + e->panel[k], *X = D + m * m, *L = X + (ptrdiff_t)m * w;
  return all_zero(m, D + i, m) && all_zero(m, D + i * m, 1) && all_zero(w, X + i, m) &&
         all_zero(w, L + (ptrdiff_t)i * w, 1);
}

/* Returns true if they are zero in the nodes before it. */
static bool is_empty_before(const nsds_condenser *e, int l, int i) {
  for (int k = 0; k < l; ++k) {
    int m = e->size[k], w = e->width[k], t = find_later(e, k, l);
    const double *X = e->value + e->panel[k] + m * m, *L = X + (ptrdiff_t)m * w;
    if (t < 0) continue;
    int at = e->offset[t] + i;
    if (!all_zero(m, X + (ptrdiff_t)at * m, 1) || !all_zero(m, L + at, w)) return false;
  }
  return true;
}

/* Gives equalities that are zero in M a one on the diagonal, so that they carry nothing. */
static void silence_empty_rows(nsds_condenser *e) {
  e->nsilent = 0;
  for (int k = 0; k < e->nout; ++k)
    for (int i = 0; i < e->size[k]; ++i) {
      int row = e->row[k] + i;
      bool empty = e->diagonal[row] == 0.0 && is_empty_row(e, k, i) && is_empty_before(e, k, i);
      e->silent[row] = empty;
      e->nsilent += empty;
      if (empty)
        e->diagonal[row] = e->value[e->panel[k] + (size_t)i * (size_t)(e->size[k] + 1)] = 1.0;
    }
}

/* ---- factors ---- */

/* Writes L U to D; L has ones on its diagonal, U its reciprocals. */
NSDS_INLINE bool factor_rows(int m, double *D, const double *diagonal) {
  for (int k = 0; k < m; ++k) {
    double pivot = D[k + k * m];
    if (!(pivot > least_pivot * diagonal[k]) || !(pivot < most_pivot * diagonal[k])) return false;
    double inverse = D[k + k * m] = 1.0 / pivot;
    for (int i = k + 1; i < m; ++i) D[i + k * m] *= inverse;
    for (int j = k + 1; j < m; ++j) {
      double factor = D[k + j * m];
      for (int i = k + 1; i < m; ++i) D[i + j * m] -= D[i + k * m] * factor;
    }
  }
  return true;
}

static bool factor_node(int m, double *D, const double *diagonal) {
  return m == 5 ? factor_rows(5, D, diagonal) : factor_rows(m, D, diagonal);
}

/* Solves for p columns of x, m apart; up to six rows are in registers. */
NSDS_INLINE void solve_columns(int m, int p, const double *D, double *x) {
  for (int j = 0; j < p; ++j, x += m) {
    double few[6], *v = m <= 6 ? few : x;
    for (int i = 0; v == few && i < m; ++i) few[i] = x[i];
    for (int k = 0; k < m; ++k)
      for (int i = k + 1; i < m; ++i) v[i] -= D[i + k * m] * v[k];
    for (int k = m - 1; k >= 0; --k) {
      v[k] *= D[k + k * m];
      for (int i = 0; i < k; ++i) v[i] -= D[i + k * m] * v[k];
    }
    for (int i = 0; v == few && i < m; ++i) x[i] = few[i];
  }
}

static void solve_node(int m, int p, const double *D, double *x) {
  switch (m) {
  case 1: solve_columns(1, p, D, x); return;
  case 2: solve_columns(2, p, D, x); return;
  case 3: solve_columns(3, p, D, x); return;
  case 5: solve_columns(5, p, D, x); return;
  case 6: solve_columns(6, p, D, x); return;
  default: solve_columns(m, p, D, x);
  }
}

static void solve_node_transposed(int m, const double *D, double *x) {
  for (int k = 0; k < m; ++k) {
    for (int i = 0; i < k; ++i) x[k] -= D[i + k * m] * x[i];
    x[k] *= D[k + k * m];
  }
  for (int k = m - 1; k >= 0; --k)
    for (int i = k + 1; i < m; ++i) x[k] -= D[i + k * m] * x[i];
}

/* Subtracts M_ik D^-1 M_kj from M_ij for all nodes i, j that k meets. */
static NSDS_CLONES void update_later(nsds_condenser *e, int k) {
  int m = e->size[k], w = e->width[k], ld;
  const double *X = e->value + e->panel[k] + m * m, *L = X + (ptrdiff_t)m * w;
  for (int t = e->start[k]; t < e->start[k + 1]; ++t)
    for (int s = e->start[k]; s < e->start[k + 1]; ++s) {
      int i = e->later[s], j = e->later[t];
      double *block = nsds_condense_block(e, i, j, &ld);
      add_block_product(e->size[i], m, e->size[j], (block_at){L + e->offset[s], w},
                        (block_at){X + (ptrdiff_t)e->offset[t] * m, m}, block, ld);
    }
}

static bool eliminate_node(nsds_condenser *e, int k) {
  int m = e->size[k], w = e->width[k];
  double *D = e->value + e->panel[k], *X = D + m * m;
  if (!factor_node(m, D, e->diagonal + e->row[k])) return false;
  for (ptrdiff_t i = 0; i < (ptrdiff_t)m * w; ++i) X[i] = -X[i];
  solve_node(m, w, D, X);
  update_later(e, k);
  return true;
}

/* Returns true if enough is left of the rows of S. A row that equalities decide is only
 * rounding. */
static bool rows_are_left(const nsds_condenser *e) {
  for (int a = e->nout, ld; a < e->nnode; ++a) {
    const double *block = nsds_condense_block(e, a, a, &ld);
    for (int i = 0; i < e->size[a]; ++i) {
      double was = e->diagonal[e->row[a] + i];
      if (was > 0.0 && !(block[i + (ptrdiff_t)i * ld] > least_left * was)) return false;
    }
  }
  return true;
}

bool nsds_condense_factor(nsds_condenser *e, const nsds_problem *problem) {
  if (e->stamp != 0 && e->stamp == problem->M.stamp) return e->sound;
  read_matrix(e, &problem->M);
  silence_empty_rows(e);
  e->stamp = problem->M.stamp;
  e->sound = true;
  for (int k = 0; e->sound && k < e->nout; ++k) e->sound = eliminate_node(e, k);
  e->sound = e->sound && rows_are_left(e);
  return e->sound;
}

/* ---- solves ---- */

void nsds_condense_reduce(const nsds_condenser *e, double *r) {
  for (int i = 0; e->nsilent > 0 && i < e->n; ++i)
    if (e->silent[i]) r[i] = 0.0;
  for (int k = 0; k < e->nout; ++k) {
    int m = e->size[k], w = e->width[k];
    const double *D = e->value + e->panel[k], *L = D + m * m + (ptrdiff_t)m * w;
    double *own = r + e->row[k];
    for (int i = 0; i < m; ++i) own[i] = -own[i];
    solve_node(m, 1, D, own);
    for (int t = e->start[k]; t < e->start[k + 1]; ++t)
      nsds_add_product(e->size[e->later[t]], m, L + e->offset[t], w, own, r + e->row[e->later[t]]);
  }
}

void nsds_condense_recover(const nsds_condenser *e, const double *r, double *z) {
  for (int k = e->nout - 1; k >= 0; --k) {
    int m = e->size[k];
    const double *X = e->value + e->panel[k] + m * m;
    double *own = z + e->row[k];
    memcpy(own, r + e->row[k], (size_t)m * sizeof *own);
    for (int t = e->start[k]; t < e->start[k + 1]; ++t)
      nsds_add_product(m, e->size[e->later[t]], X + (ptrdiff_t)e->offset[t] * m, m,
                       z + e->row[e->later[t]], own);
  }
}

void nsds_condense_recover_proof(const nsds_condenser *e, double *y) {
  for (int k = e->nout - 1; k >= 0; --k) {
    int m = e->size[k], w = e->width[k];
    const double *D = e->value + e->panel[k], *L = D + m * m + (ptrdiff_t)m * w;
    double *own = y + e->row[k];
    for (int i = 0; i < m; ++i) {
      own[i] = 0.0;
      for (int t = e->start[k]; t < e->start[k + 1]; ++t)
        for (int c = 0; c < e->size[e->later[t]]; ++c)
          own[i] -= L[e->offset[t] + c + (ptrdiff_t)i * w] * y[e->row[e->later[t]] + c];
    }
    solve_node_transposed(m, D, own);
  }
}
