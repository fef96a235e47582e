/*
 * The certifier's sums over the rows of M, in every storage. No code is shared with
 * nsds_problem_multiply().
 */
#include "numerics/certify/certify_sums.h"

#include "base/base.h"
#include "base/parallel.h"

#include <stdint.h>

/* Adds one column to w and s. */
static inline void sum_dense_column(int n, const double *restrict m, double z, double *restrict w,
                                    double *restrict s) {
  for (int i = 0; i < n; ++i) {
    double term = m[i] * z;
    w[i] += term;
    s[i] += fabs(term);
  }
}

/* Takes four columns at once, so that w and s are read and written less often. Each row is summed in
 * the order of the columns all the same. */
static NSDS_CLONES void sum_dense(int n, const double *restrict m, const double *restrict z,
                                  double *restrict w, double *restrict s, double *restrict d) {
  const double *restrict M = m;
  int j = 0;
  for (; j + 4 <= n; j += 4, m += 4 * (size_t)n) {
    const double *restrict b = m + n, *restrict c = b + n, *restrict e = c + n;
    for (int i = 0; i < n; ++i) {
      double t0 = m[i] * z[j], t1 = b[i] * z[j + 1], t2 = c[i] * z[j + 2], t3 = e[i] * z[j + 3];
      w[i] = (((w[i] + t0) + t1) + t2) + t3;
      s[i] = (((s[i] + fabs(t0)) + fabs(t1)) + fabs(t2)) + fabs(t3);
    }
  }
  for (; j < n; ++j, m += n) sum_dense_column(n, m, z[j], w, s);
  for (j = 0; j < n; ++j, M += n) d[j] = fabs(M[j]);
}

/* Reads column j as row j: sums in registers instead of scattered updates. */
static NSDS_NOINLINE void sum_symmetric_csc(const nsds_matrix *M, const double *restrict z,
                                            nsds_sums t) {
  const int *restrict p = M->p, *restrict i = M->i;
  const double *restrict x = M->x;
  for (int j = 0; j < M->n; ++j) {
    double w = t.w[j], s = t.s[j], d = 0.0;
    for (int k = p[j], end = p[j + 1]; k < end; ++k) {
      double term = x[k] * z[i[k]];
      w += term;
      s += fabs(term);
      if (i[k] == j) d = x[k];
    }
    t.w[j] = w;
    t.s[j] = s;
    t.d[j] = fabs(d);
  }
}

/* Does the same for a part of the rows: z of other parts comes from the halo. */
static NSDS_NOINLINE void sum_distributed_csc(const nsds_problem *problem, const double *z,
                                              nsds_sums t) {
  const nsds_matrix *M = &problem->M;
  const double *other = problem->halo->fill(problem->halo->self, z);
  double *sum = t.w, *size = t.s, *diagonal = t.d;
  for (int j = 0; j < M->n; ++j) {
    double d = 0.0;
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
      int i = M->i[k];
      double term = M->x[k] * (i < M->n ? z[i] : other[i - M->n]);
      sum[j] += term;
      size[j] += fabs(term);
      if (i == j) d = M->x[k];
    }
    diagonal[j] = fabs(d);
  }
}

static NSDS_NOINLINE void sum_csc(const nsds_matrix *M, const double *restrict z, nsds_sums t) {
  double *restrict w = t.w, *restrict s = t.s, *restrict d = t.d;
  const int *restrict p = M->p, *restrict i = M->i;
  const double *restrict x = M->x;
  for (int j = 0; j < M->n; ++j) d[j] = 0.0;
  for (int j = 0; j < M->n; ++j) {
    double zj = z[j];
    for (int k = p[j], end = p[j + 1]; k < end; ++k) {
      double term = x[k] * zj;
      w[i[k]] += term;
      s[i[k]] += fabs(term);
      if (i[k] == j) d[j] = fabs(x[k]);
    }
  }
}

/*
 * Blocks of one or three rows, the most frequent, are taken as a whole, others row by row. The
 * number of rows is a constant in each call below, so that the sums stay in registers.
 */
enum { most_lane = 3 }; /* rows of a contact in space */

#define IN_LANES(m, lane, ...)                                                                     \
  if ((m) == 1) lane(1, 0, 1, __VA_ARGS__);                                                        \
  else if ((m) == most_lane) lane(most_lane, 0, most_lane, __VA_ARGS__);                           \
  else                                                                                             \
    for (int first = 0; first < (m); ++first) lane(1, first, (m), __VA_ARGS__);

typedef struct lane_sums {
  double w[most_lane], s[most_lane], d[most_lane];
} lane_sums;

NSDS_INLINE lane_sums lane_open(int rows, nsds_sums t, int row) {
  lane_sums l;
  for (int i = 0; i < rows; ++i) {
    l.w[i] = t.w[row + i];
    l.s[i] = t.s[row + i];
    l.d[i] = 0.0;
  }
  return l;
}

NSDS_INLINE void lane_close(int rows, const lane_sums *l, nsds_sums t, int row) {
  for (int i = 0; i < rows; ++i) {
    t.w[row + i] = l->w[i];
    t.s[row + i] = l->s[i];
    t.d[row + i] = fabs(l->d[i]);
  }
}

/* Adds columns 0 .. n - 1 of x, leading dimension m, from row `first` on; also the diagonal of a
 * diagonal block. */
NSDS_INLINE void lane_add(int rows, int first, int m, int n, const double *x, const double *z,
                          bool diagonal, lane_sums *l) {
  for (int i = 0; i < rows && diagonal; ++i) l->d[i] += x[first + i + (first + i) * m];
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < rows; ++i) {
      double term = x[first + i + j * m] * z[j];
      l->w[i] += term;
      l->s[i] += fabs(term);
    }
}

static inline void sum_lane(int rows, int first, int m, const nsds_block_rows *B, int a,
                            const double *z, nsds_sums t) {
  int row = B->row[a];
  lane_sums l = lane_open(rows, t, row + first);
  for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
    int b = B->column[k], column = B->row[b];
    lane_add(rows, first, m, B->row[b + 1] - column, B->x + B->start[k], z + column, b == a, &l);
  }
  lane_close(rows, &l, t, row + first);
}

static NSDS_NOINLINE void sum_block_rows(const nsds_block_rows *B, const double *z, nsds_sums t) {
  for (int a = 0; a < B->nrow_block; ++a) IN_LANES(B->row[a + 1] - B->row[a], sum_lane, B, a, z, t)
}

/* Columns from..to - 1 of the operator, the part of one thread. */
typedef struct columns {
  int from, to;
} columns;

static inline bool holds(columns part, const nsds_edge *e) {
  return e->column >= part.from && e->column < part.to;
}

/* Adds Y z to v and |Y| |z| to size, for rows of a block and the n columns of an edge. */
NSDS_INLINE void gather_edge(int rows, int n, const double *Y, const double *z, double *restrict v,
                             double *restrict size) {
  for (int c = 0; c < n; ++c) {
    double sum = v[c], sum_size = size[c];
    for (int j = 0; j < rows; ++j) {
      double term = Y[c + j * n] * z[j];
      sum += term;
      sum_size += fabs(term);
    }
    v[c] = sum;
    size[c] = sum_size;
  }
}

/* Does the same with Y = diag(gain) H^T, for rows of a block of m rows. */
NSDS_INLINE void gather_scaled(int rows, int m, int n, const double *H, const double *gain,
                               const double *z, double *restrict v, double *restrict size) {
  for (int c = 0; c < n; ++c, H += m) {
    double sum = v[c], sum_size = size[c];
    for (int j = 0; j < rows; ++j) {
      double term = gain[c] * H[j] * z[j];
      sum += term;
      sum_size += fabs(term);
    }
    v[c] = sum;
    size[c] = sum_size;
  }
}

/* Adds a block's rows to the sums of these columns. */
NSDS_INLINE void gather_lane(int rows, int first, int m, const nsds_factored *f, int a,
                             columns part, const double *z, double *v, double *size) {
  z += f->row[a] + first;
  for (const nsds_edge *e = f->edge + f->first_edge[a], *end = f->edge + f->first_edge[a + 1];
       e < end; ++e) {
    if (!holds(part, e)) continue;
    if (e->Y)
      gather_edge(rows, e->size, e->Y + first * e->size, z, v + e->column, size + e->column);
    else
      gather_scaled(rows, m, e->size, e->H + first, f->gain + e->column, z, v + e->column,
                    size + e->column);
  }
}

/* Adds the diagonal of H Y, or of H diag(gain) H^T without Y, for rows of a block of m rows and an
 * edge of n columns. */
NSDS_INLINE void add_diagonal(int rows, int m, int n, const double *H, const double *Y,
                              const double *gain, lane_sums *l) {
  for (int c = 0; Y && c < n; ++c, H += m)
    for (int i = 0; i < rows; ++i) l->d[i] += H[i] * Y[c + i * n];
  for (int c = 0; !Y && c < n; ++c, H += m)
    for (int i = 0; i < rows; ++i) l->d[i] += H[i] * gain[c] * H[i];
}

/* Adds H v to w and |H| size to s. */
NSDS_INLINE void spread_edge(int rows, int m, int n, const double *H, const double *v,
                             const double *size, lane_sums *l) {
  for (int c = 0; c < n; ++c, H += m)
    for (int i = 0; i < rows; ++i) {
      l->w[i] += H[i] * v[c];
      l->s[i] += fabs(H[i]) * size[c];
    }
}

#if defined(__GNUC__)
typedef long long four_bits __attribute__((vector_size(32), aligned(8)));

#endif

/* Does add_diagonal() and spread_edge() for three rows. The fourth lane, of the next column, is not
 * used. */
NSDS_INLINE void spread_three(int n, const double *H, const double *Y, const double *gain,
                              const double *v, const double *size, lane_sums *l) {
#if defined(__GNUC__)
  const four_bits no_sign = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
  nsds_four w = {l->w[0], l->w[1], l->w[2]}, s = {l->s[0], l->s[1], l->s[2]};
  nsds_four d = {l->d[0], l->d[1], l->d[2]};
  for (int c = 0; c < n; ++c, H += 3) {
    nsds_four column = c < n - 1 ? *(const nsds_four *)H : (nsds_four){H[0], H[1], H[2]};
    w += column * v[c];
    s += (nsds_four)((four_bits)column & no_sign) * size[c];
    if (Y) d += column * (nsds_four){Y[c], Y[c + n], Y[c + 2 * n]};
    else d += column * gain[c] * column;
  }
  for (int i = 0; i < 3; ++i) {
    l->w[i] = w[i];
    l->s[i] = s[i];
    l->d[i] = d[i];
  }
#else
  add_diagonal(3, 3, n, H, Y, gain, l);
  spread_edge(3, 3, n, H, v, size, l);
#endif
}

/* Does the same for one row. */
NSDS_INLINE void spread_one(int m, int n, const double *H, const double *Y, const double *gain,
                            const double *v, const double *size, lane_sums *l) {
  double w = l->w[0], s = l->s[0], d = l->d[0];
  for (int c = 0; c < n; ++c, H += m) {
    double h = H[0];
    w += h * v[c];
    s += fabs(h) * size[c];
    d += Y ? h * Y[c] : h * gain[c] * h;
  }
  l->w[0] = w;
  l->s[0] = s;
  l->d[0] = d;
}

/* Adds H v, |H| |Y| |z| and the diagonal of H Y + D. */
NSDS_INLINE void spread_lane(int rows, int first, int m, const nsds_factored *f, int a,
                             const double *z, const double *v, const double *size, nsds_sums t) {
  int row = f->row[a];
  lane_sums l = lane_open(rows, t, row + first);
  if (f->D && f->D[a]) lane_add(rows, first, m, m, f->D[a], z + row, true, &l);
  for (const nsds_edge *e = f->edge + f->first_edge[a], *end = f->edge + f->first_edge[a + 1];
       e < end; ++e) {
    const double *H = e->H + first, *Y = e->Y ? e->Y + first * e->size : NULL;
    const double *gain = e->Y ? NULL : f->gain + e->column;
    if (rows == 3) {
      spread_three(e->size, H, Y, gain, v + e->column, size + e->column, &l);
      continue;
    }
    if (rows == 1) {
      spread_one(m, e->size, H, Y, gain, v + e->column, size + e->column, &l);
      continue;
    }
    add_diagonal(rows, m, e->size, H, Y, gain, &l);
    spread_edge(rows, m, e->size, H, v + e->column, size + e->column, &l);
  }
  lane_close(rows, &l, t, row + first);
}

typedef struct factored_sums {
  const nsds_factored *f;
  const double *z;
  nsds_sums sums;
  double *v, *size; /* Y z and |Y| |z| */
} factored_sums;

/* Visits all edges, so that each sum adds its terms in order. */
static NSDS_CLONES void certify_sums_gather(void *self, int k, int parts) {
  const factored_sums *t = self;
  const nsds_factored *f = t->f;
  columns part = {nsds_part_begin(f->ncolumn, k, parts), nsds_part_begin(f->ncolumn, k + 1, parts)};
  /* Only the columns met are cleared: a model may have many more. */
  for (const nsds_edge *e = f->edge, *end = e + f->first_edge[f->nrow_block]; e < end; ++e)
    for (int c = 0; holds(part, e) && c < e->size; ++c)
      t->v[e->column + c] = t->size[e->column + c] = 0.0;
  for (int a = 0; a < f->nrow_block; ++a)
    IN_LANES(f->row[a + 1] - f->row[a], gather_lane, f, a, part, t->z, t->v, t->size)
}

static NSDS_CLONES void certify_sums_spread(void *self, int k, int parts) {
  const factored_sums *t = self;
  const nsds_factored *f = t->f;
  int begin = nsds_part_begin(f->nrow_block, k, parts);
  int end = nsds_part_begin(f->nrow_block, k + 1, parts);
  for (int a = begin; a < end; ++a)
    IN_LANES(f->row[a + 1] - f->row[a], spread_lane, f, a, t->z, t->v, t->size, t->sums)
}

static NSDS_NOINLINE void sum_factored(const nsds_context *context, const nsds_problem *problem,
                                       const double *z, nsds_sums t, double *work) {
  enum { few = 256 }; /* block rows that are not worth sharing */
  const nsds_factored *f = problem->M.factored;
  const nsds_halo *halo = problem->halo;
  factored_sums s = {.f = f, .z = z, .sums = t, .v = work, .size = work + f->ncolumn};
  int parts = nsds_parts(f->nrow_block, few), threads = nsds_context_threads(context);
  nsds_share_out(context, parts < threads ? parts : threads, certify_sums_gather, &s);
  if (NSDS_UNLIKELY(halo)) {
    halo->sum(halo->self, s.v, NULL);
    halo->sum(halo->self, s.size, NULL);
  }
  nsds_share_out(context, parts, certify_sums_spread, &s);
}

static void certify_sums_start(int n, const double *restrict q, double *restrict w,
                               double *restrict s) {
  for (int i = 0; i < n; ++i) {
    w[i] = q[i];
    s[i] = fabs(q[i]);
  }
}

void nsds_compute_sums(const nsds_context *context, const nsds_problem *problem, const double *z,
                       nsds_sums t, double *scratch) {
  const nsds_matrix *M = &problem->M;
  certify_sums_start(problem->n, problem->q, t.w, t.s);
  switch (M->storage) {
  case NSDS_DENSE: sum_dense(M->n, M->x, z, t.w, t.s, t.d); break;
  case NSDS_CSC:
    if (NSDS_UNLIKELY(problem->halo)) sum_distributed_csc(problem, z, t);
    else (M->symmetric ? sum_symmetric_csc : sum_csc)(M, z, t);
    break;
  case NSDS_FACTORED: sum_factored(context, problem, z, t, scratch); break;
  case NSDS_BLOCK_ROWS: sum_block_rows(M->blocks, z, t); break;
  }
}
