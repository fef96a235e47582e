/*
 * The certifier: residual of an answer z, computed from the problem alone. It shares no code with
 * the solvers nor with nsds_problem_multiply(), so that a mistake in either shows.
 *
 * Componentwise backward error of w_i (Oettli & Prager 1964; Higham, Accuracy and Stability, 7.1)
 * combined with the natural map min(w, d z) (Cottle, Pang & Stone 1992, 1.5), d_i = |M_ii| bringing
 * z to the unit of w.
 */
#include "certify.h"

/* w = M z + q, s = |M| |z| + |q|, d = |diagonal of M|. */
typedef struct sums {
  double *w, *s, *d;
} sums;

static void sum_dense(const nsds_matrix *M, const double *z, sums t) {
  double *restrict w = t.w, *restrict s = t.s;
  int n = M->n;
  for (int j = 0; j < n; ++j) {
    const double *restrict m = M->x + (size_t)j * (size_t)n;
    double zj = z[j];
    for (int i = 0; i < n; ++i) {
      double term = m[i] * zj;
      w[i] += term;
      s[i] += fabs(term);
    }
    t.d[j] = fabs(m[j]);
  }
}

/* Column j stands for row j: sums in registers instead of scattered updates. */
static void sum_symmetric_csc(const nsds_matrix *M, const double *restrict z, sums t) {
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

static void sum_csc(const nsds_matrix *M, const double *restrict z, sums t) {
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

/* v = Y z and |Y| |z| of one column, side by side. */
typedef struct column_sum {
  double v, size;
} column_sum;

/* The edge's share of the column sums. */
static void gather(const nsds_edge *e, int m, const double *z, column_sum *sum) {
  sum += e->column;
  if (NSDS_LIKELY(m == 1)) {
    for (int c = 0; c < e->size; ++c) {
      double term = e->Y[c] * z[0];
      sum[c].v += term;
      sum[c].size += fabs(term);
    }
    return;
  }
  for (int j = 0; j < m; ++j)
    for (int c = 0; c < e->size; ++c) {
      double term = e->Y[c + j * e->size] * z[j];
      sum[c].v += term;
      sum[c].size += fabs(term);
    }
}

/* The edges' shares of H v, of |H| |Y| |z| and of the diagonal of H Y, for a block of one row. */
static void spread_row(const nsds_edge *e, const nsds_edge *end, const column_sum *sum, double *w,
                       double *s, double *d) {
  double row_w = *w, row_s = *s, row_d = *d;
  for (; e < end; ++e) {
    const column_sum *group = sum + e->column;
    for (int c = 0; c < e->size; ++c) {
      double h = e->H[c];
      row_w += h * group[c].v;
      row_s += fabs(h) * group[c].size;
      row_d += h * e->Y[c];
    }
  }
  *w = row_w;
  *s = row_s;
  *d = row_d;
}

/* The same for one edge of a block of m rows. */
static void spread(const nsds_edge *e, int m, const column_sum *sum, sums t) {
  sum += e->column;
  for (int c = 0; c < e->size; ++c)
    for (int i = 0; i < m; ++i) {
      double h = e->H[i + c * m];
      t.w[i] += h * sum[c].v;
      t.s[i] += fabs(h) * sum[c].size;
      t.d[i] += h * e->Y[c + i * e->size];
    }
}

static void add_diagonal_block(int m, const double *D, const double *z, sums t) {
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) {
      double term = D[i + j * m] * z[j];
      t.w[i] += term;
      t.s[i] += fabs(term);
    }
    t.d[j] += D[j + j * m];
  }
}

static void sum_factored(const nsds_factored *f, const double *z, sums t, double *work) {
  column_sum *sum = (column_sum *)work;
  const nsds_edge *edge = f->edge;
  /* Only the columns met are cleared: a model may have many more than take part. */
  for (int k = f->first_edge[0]; k < f->first_edge[f->nrow_block]; ++k)
    for (int c = 0; c < edge[k].size; ++c) sum[edge[k].column + c] = (column_sum){0.0, 0.0};
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
      gather(&edge[k], f->row[a + 1] - f->row[a], z + f->row[a], sum);
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    sums block = {t.w + row, t.s + row, t.d + row};
    for (int i = 0; i < m; ++i) block.d[i] = 0.0;
    if (f->D && f->D[a]) add_diagonal_block(m, f->D[a], z + row, block);
    if (m == 1)
      spread_row(edge + f->first_edge[a], edge + f->first_edge[a + 1], sum, block.w, block.s,
                 block.d);
    else
      for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) spread(&edge[k], m, sum, block);
    for (int i = 0; i < m; ++i) block.d[i] = fabs(block.d[i]);
  }
}

/* Entry (i, j) of the diagonal block that holds row i. */
static double factored_entry(const nsds_factored *f, int a, int i, int j) {
  int m = f->row[a + 1] - f->row[a];
  double entry = f->D && f->D[a] ? f->D[a][i + j * m] : 0.0;
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int c = 0; c < e->size; ++c) entry += e->H[i + c * m] * e->Y[c + j * e->size];
  }
  return entry;
}

/* d_i of a row whose diagonal vanishes: its largest entry, or 1 for a zero row. */
static double row_maximum(const nsds_matrix *M, int row) {
  double most = 0.0;
  switch (M->storage) {
  case NSDS_DENSE:
    for (int j = 0; j < M->n; ++j) most = fmax(most, fabs(M->x[row + (size_t)j * (size_t)M->n]));
    break;
  case NSDS_CSC:
    for (int k = 0; k < M->p[M->n]; ++k)
      if (M->i[k] == row) most = fmax(most, fabs(M->x[k]));
    break;
  case NSDS_FACTORED: {
    const nsds_factored *f = M->factored;
    int a = 0;
    while (row >= f->row[a + 1]) ++a;
    for (int j = 0; j < f->row[a + 1] - f->row[a]; ++j)
      most = fmax(most, fabs(factored_entry(f, a, row - f->row[a], j)));
  }
  }
  return most > 0.0 ? most : 1.0;
}

static void compute_sums(const nsds_problem *problem, const double *z, sums t) {
  const nsds_matrix *M = &problem->M;
  for (int i = 0; i < problem->n; ++i) {
    t.w[i] = problem->q[i];
    t.s[i] = fabs(problem->q[i]);
  }
  switch (M->storage) {
  case NSDS_DENSE: sum_dense(M, z, t); break;
  case NSDS_CSC: (M->symmetric ? sum_symmetric_csc : sum_csc)(M, z, t); break;
  case NSDS_FACTORED: sum_factored(M->factored, z, t, t.d + problem->n); break;
  }
}

/* One row, dense, in registers: a body on the ground, the most frequent problem of all. */
static double residual_of_one(const nsds_problem *problem, double z, double *w) {
  double m = problem->M.x[0], q = problem->q[0], term = m * z, e = q + term;
  *w = e;
  if (problem->block[0].set == NSDS_SET_NONNEGATIVE) {
    double dz = m != 0.0 ? fabs(m) * z : z;
    e = (e < dz ? e : dz) + 0.0 * (e + dz);
  }
  e = fabs(e);
  if (e == 0.0) return 0.0;
  e /= fabs(q) + fabs(term);
  return isnan(e) ? INFINITY : e;
}

/* The largest e_i / s_i so far and its row. */
typedef struct worst_row {
  double ratio;
  int row;
} worst_row;

/* Kept out of the loops: few rows beat the worst before them. NaN does. */
static void beat(worst_row *worst, double e, double s, int row) {
  if (isnan(worst->ratio)) return;
  worst->ratio = e / s;
  worst->row = row;
}

static void check_equalities(sums t, int row, int end, worst_row *worst) {
  for (; row < end; ++row) {
    double e = fabs(t.w[row]);
    if (!(e <= worst->ratio * t.s[row])) beat(worst, e, t.s[row], row);
  }
}

static void check_nonnegatives(const nsds_problem *problem, const double *z, sums t, int row,
                               int end, worst_row *worst) {
  worst_row so_far = *worst;
  for (; row < end; ++row) {
    double d = t.d[row], w = t.w[row];
    if (NSDS_UNLIKELY(d == 0.0) && z[row] != 0.0) d = row_maximum(&problem->M, row);
    double dz = d * z[row], least = w < dz ? w : dz;
    double e = fabs(least) + 0.0 * (w + dz); /* NaN in either spreads */
    if (!(e <= so_far.ratio * t.s[row])) beat(&so_far, e, t.s[row], row);
  }
  *worst = so_far;
}

static int block_of_row(const nsds_problem *problem, int row) {
  int a = 0;
  for (int end = problem->block[0].size; row >= end; end += problem->block[a].size) ++a;
  return a;
}

double nsds_certified_residual(const nsds_problem *problem, const double *z, double *work,
                               int *worst_block) {
  int n = problem->n;
  *worst_block = n > 0 ? 0 : -1;
  if (n == 1 && problem->nblock == 1 && problem->M.storage == NSDS_DENSE)
    return residual_of_one(problem, z[0], work);
  sums t = {work, work + n, work + 2 * (size_t)n};
  compute_sums(problem, z, t);
  worst_row worst = {0.0, 0};
  const nsds_block *block = problem->block;
  for (int a = 0, row = 0; a < problem->nblock;) { /* runs of blocks with the same set */
    nsds_set set = block[a].set;
    int end = row;
    for (; a < problem->nblock && block[a].set == set; ++a) end += block[a].size;
    if (set == NSDS_SET_EQUALITY) check_equalities(t, row, end, &worst);
    else if (set == NSDS_SET_NONNEGATIVE) check_nonnegatives(problem, z, t, row, end, &worst);
    else if (end > row) /* a set not known here is never certified */ worst = (worst_row){NAN, row};
    row = end;
  }
  if (worst.ratio == 0.0) return 0.0;
  *worst_block = block_of_row(problem, worst.row);
  return isfinite(worst.ratio) ? worst.ratio : INFINITY;
}

/* Euclidean norm built entry by entry, free of overflow: scale * sqrt(sum). */
typedef struct norm {
  double scale, sum;
} norm;

static void add_to_norm(norm *t, double x) {
  x = fabs(x);
  if (x == 0.0) return;
  if (x > t->scale) {
    double ratio = t->scale / x;
    t->sum = 1.0 + t->sum * ratio * ratio;
    t->scale = x;
  } else {
    double ratio = x / t->scale;
    t->sum += ratio * ratio;
  }
}

static double standard_residual(const nsds_problem *problem, const double *z, const double *w) {
  norm error = {0.0, 0.0}, size = {0.0, 0.0};
  for (int a = 0, row = 0; a < problem->nblock; ++a)
    for (int end = row + problem->block[a].size; row < end; ++row) {
      double e = w[row];
      if (problem->block[a].set == NSDS_SET_NONNEGATIVE) {
        double moved = z[row] - w[row];
        e = moved > 0.0 ? z[row] - moved : z[row];
      }
      add_to_norm(&error, e);
      add_to_norm(&size, problem->q[row]);
    }
  double top = error.scale * sqrt(error.sum), bottom = size.scale * sqrt(size.sum);
  return bottom > 0.0 ? top / bottom : top;
}

void nsds_certify(const nsds_problem *problem, const double *z, double *work,
                  nsds_certificate *certificate) {
  certificate->residual = nsds_certified_residual(problem, z, work, &certificate->worst_block);
  certificate->standard = standard_residual(problem, z, work);
}
