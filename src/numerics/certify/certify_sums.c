/*
 * The certifier's sums over the rows of M, in every storage; shares nothing with
 * nsds_problem_multiply().
 */
#include "certify_sums.h"

static void sum_dense(int n, const double *restrict m, const double *restrict z, double *restrict w,
                      double *restrict s, double *restrict d) {
  for (int j = 0; j < n; ++j, m += n) {
    double zj = z[j];
    for (int i = 0; i < n; ++i) {
      double term = m[i] * zj;
      w[i] += term;
      s[i] += fabs(term);
    }
    d[j] = fabs(m[j]);
  }
}

/* Column j stands for row j: sums in registers instead of scattered updates. */
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

/* Block row a of three rows, most blocks three columns wide: sums in registers. */
static void sum_three_rows(const nsds_block_rows *B, int a, const double *z, double *w, double *s,
                           double *d) {
  double w0 = w[0], w1 = w[1], w2 = w[2], s0 = s[0], s1 = s[1], s2 = s[2];
  d[0] = d[1] = d[2] = 0.0;
  for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
    int b = B->column[k];
    const double *x = B->x + B->start[k];
    for (int i = 0; b == a && i < 3; ++i) d[i] = fabs(x[4 * i]);
    for (int j = B->row[b]; j < B->row[b + 1]; ++j, x += 3) {
      double t0 = x[0] * z[j], t1 = x[1] * z[j], t2 = x[2] * z[j];
      w0 += t0;
      w1 += t1;
      w2 += t2;
      s0 += fabs(t0);
      s1 += fabs(t1);
      s2 += fabs(t2);
    }
  }
  w[0] = w0, w[1] = w1, w[2] = w2;
  s[0] = s0, s[1] = s1, s[2] = s2;
}

static void sum_rows(const nsds_block_rows *B, int a, const double *z, double *restrict w,
                     double *restrict s, double *restrict d) {
  int m = B->row[a + 1] - B->row[a];
  for (int i = 0; i < m; ++i) d[i] = 0.0;
  for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
    const double *restrict x = B->x + B->start[k];
    int b = B->column[k];
    for (int i = 0; b == a && i < m; ++i) d[i] = fabs(x[i + i * m]);
    for (int j = B->row[b]; j < B->row[b + 1]; ++j, x += m)
      for (int i = 0; i < m; ++i) {
        double term = x[i] * z[j];
        w[i] += term;
        s[i] += fabs(term);
      }
  }
}

static NSDS_NOINLINE void sum_block_rows(const nsds_block_rows *B, const double *z, nsds_sums t) {
  for (int a = 0; a < B->nrow_block; ++a) {
    int first = B->row[a], m = B->row[a + 1] - first;
    (m == 3 ? sum_three_rows : sum_rows)(B, a, z, t.w + first, t.s + first, t.d + first);
  }
}

/* v = Y z and |Y| |z| of one column, side by side. */
typedef struct column_sum {
  double v, size;
} column_sum;

static inline void add_term(column_sum *sum, double term) {
  sum->v += term;
  sum->size += fabs(term);
}

/* The share of a block of one row in the column sums. */
static void gather_row(const nsds_factored *f, int a, double z, column_sum *sum) {
  for (const nsds_edge *e = f->edge + f->first_edge[a], *end = f->edge + f->first_edge[a + 1];
       e < end; ++e)
    for (int c = 0; c < e->size; ++c) add_term(sum + e->column + c, e->Y[c] * z);
}

/* The edge's share of the column sums. */
static void gather(const nsds_edge *e, int m, const double *z, column_sum *sum) {
  sum += e->column;
  for (int j = 0; j < m; ++j)
    for (int c = 0; c < e->size; ++c) {
      double term = e->Y[c + j * e->size] * z[j];
      sum[c].v += term;
      sum[c].size += fabs(term);
    }
}

/* The same of three rows, each sum read and written once. */
static void gather_three(const nsds_edge *e, const double *z, column_sum *sum) {
  const double *Y0 = e->Y, *Y1 = Y0 + e->size, *Y2 = Y1 + e->size;
  double z0 = z[0], z1 = z[1], z2 = z[2];
  sum += e->column;
  for (int c = 0; c < e->size; ++c) {
    double t0 = Y0[c] * z0, t1 = Y1[c] * z1, t2 = Y2[c] * z2;
    sum[c].v = sum[c].v + t0 + t1 + t2;
    sum[c].size = sum[c].size + fabs(t0) + fabs(t1) + fabs(t2);
  }
}

/* H v, |H| |Y| |z| and the diagonal of H Y + D of a block of one row. */
static void spread_row(const nsds_factored *f, int a, double z, const column_sum *sum,
                       nsds_sums t) {
  int row = f->row[a];
  double w = t.w[row], s = t.s[row], d = 0.0;
  if (f->D && f->D[a]) {
    d = f->D[a][0];
    w += d * z;
    s += fabs(d * z);
  }
  for (const nsds_edge *e = f->edge + f->first_edge[a], *end = f->edge + f->first_edge[a + 1];
       e < end; ++e) {
    const column_sum *group = sum + e->column;
    const double *H = e->H, *Y = e->Y;
    for (int c = 0; c < e->size; ++c) {
      w += H[c] * group[c].v;
      s += fabs(H[c]) * group[c].size;
      d += H[c] * Y[c];
    }
  }
  t.w[row] = w;
  t.s[row] = s;
  t.d[row] = fabs(d);
}

/* The same for one edge of a block of m rows. */
static void spread(const nsds_edge *e, int m, const column_sum *sum, nsds_sums t) {
  sum += e->column;
  for (int c = 0; c < e->size; ++c)
    for (int i = 0; i < m; ++i) {
      double h = e->H[i + c * m];
      t.w[i] += h * sum[c].v;
      t.s[i] += fabs(h) * sum[c].size;
      t.d[i] += h * e->Y[c + i * e->size];
    }
}

/* The same of three rows, sums in registers. */
static void spread_three(const nsds_edge *e, const column_sum *sum, nsds_sums t) {
  double w0 = t.w[0], w1 = t.w[1], w2 = t.w[2], s0 = t.s[0], s1 = t.s[1], s2 = t.s[2];
  double d0 = t.d[0], d1 = t.d[1], d2 = t.d[2];
  const double *H = e->H, *Y0 = e->Y, *Y1 = Y0 + e->size, *Y2 = Y1 + e->size;
  sum += e->column;
  for (int c = 0; c < e->size; ++c, H += 3) {
    double v = sum[c].v, size = sum[c].size;
    w0 += H[0] * v;
    w1 += H[1] * v;
    w2 += H[2] * v;
    s0 += fabs(H[0]) * size;
    s1 += fabs(H[1]) * size;
    s2 += fabs(H[2]) * size;
    d0 += H[0] * Y0[c];
    d1 += H[1] * Y1[c];
    d2 += H[2] * Y2[c];
  }
  t.w[0] = w0, t.w[1] = w1, t.w[2] = w2;
  t.s[0] = s0, t.s[1] = s1, t.s[2] = s2;
  t.d[0] = d0, t.d[1] = d1, t.d[2] = d2;
}

static void add_diagonal_block(int m, const double *D, const double *z, nsds_sums t) {
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) {
      double term = D[i + j * m] * z[j];
      t.w[i] += term;
      t.s[i] += fabs(term);
    }
    t.d[j] += D[j + j * m];
  }
}

static void spread_block(const nsds_factored *f, int a, const double *z, const column_sum *sum,
                         nsds_sums t) {
  int row = f->row[a], m = f->row[a + 1] - row;
  nsds_sums block = {t.w + row, t.s + row, t.d + row};
  for (int i = 0; i < m; ++i) block.d[i] = 0.0;
  if (f->D && f->D[a]) add_diagonal_block(m, f->D[a], z + row, block);
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
    if (m == 3) spread_three(&f->edge[k], sum, block);
    else spread(&f->edge[k], m, sum, block);
  for (int i = 0; i < m; ++i) block.d[i] = fabs(block.d[i]);
}

static NSDS_NOINLINE void sum_factored(const nsds_factored *f, const double *z, nsds_sums t,
                                       double *work) {
  column_sum *sum = (column_sum *)work;
  /* Only the columns met are cleared: a model may have many more than take part. */
  for (const nsds_edge *e = f->edge, *end = e + f->first_edge[f->nrow_block]; e < end; ++e)
    for (int c = 0; c < e->size; ++c) sum[e->column + c] = (column_sum){0.0, 0.0};
  for (int a = 0; a < f->nrow_block; ++a) {
    int m = f->row[a + 1] - f->row[a];
    if (m == 1) gather_row(f, a, z[f->row[a]], sum);
    else
      for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
        if (m == 3) gather_three(&f->edge[k], z + f->row[a], sum);
        else gather(&f->edge[k], m, z + f->row[a], sum);
  }
  for (int a = 0; a < f->nrow_block; ++a)
    if (f->row[a + 1] - f->row[a] == 1) spread_row(f, a, z[f->row[a]], sum, t);
    else spread_block(f, a, z, sum, t);
}

static void start(int n, const double *restrict q, double *restrict w, double *restrict s) {
  for (int i = 0; i < n; ++i) {
    w[i] = q[i];
    s[i] = fabs(q[i]);
  }
}

void nsds_compute_sums(const nsds_problem *problem, const double *z, nsds_sums t, double *scratch) {
  const nsds_matrix *M = &problem->M;
  start(problem->n, problem->q, t.w, t.s);
  switch (M->storage) {
  case NSDS_DENSE: sum_dense(M->n, M->x, z, t.w, t.s, t.d); break;
  case NSDS_CSC: (M->symmetric ? sum_symmetric_csc : sum_csc)(M, z, t); break;
  case NSDS_FACTORED: sum_factored(M->factored, z, t, scratch); break;
  case NSDS_BLOCK_ROWS: sum_block_rows(M->blocks, z, t); break;
  }
}
