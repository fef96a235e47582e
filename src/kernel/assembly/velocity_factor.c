/*
 * Computes the factor R of B P = Q R, B^T B = M_AA, see velocity_error.c. B has a few rows of each
 * system: the Cholesky factor, with pivoting, of the system's contribution H_s Y_s. Q R is modified
 * Gram-Schmidt with column pivoting (Bjorck, Numerical Methods for Least Squares Problems, SIAM
 * 1996, 2.4.2 and 2.7.3) in columns of unit length.
 */
#include "kernel/assembly/velocity_factor.h"

#include "kernel/assembly/velocity_error.h"
#include "numerics/linear/edge.h"

#include <float.h>

/* Columns with a smaller rest depend on others. The limit is a mass ratio of its inverse square. */
static const double dependent = 1e-11;

/* ---- the factor B ---------------------------------------------------------------------------- */

/* Adds a row of B for each pivot of the m x m matrix G of the rows `mine`, at most `most` rows. G
 * is symmetric up to rounding. The Cholesky factor takes the largest pivot first. */
static void append(nsds_velocity_work *t, int m, double *G, int most) {
  double limit = 0.0;
  for (int i = 0; i < m; ++i) limit = fmax(limit, G[i + (ptrdiff_t)i * m]);
  limit *= (m + most) * DBL_EPSILON;
  for (int k = 0; k < most && k < m; ++k) {
    int best = 0;
    for (int i = 1; i < m; ++i)
      if (G[i + (ptrdiff_t)i * m] > G[best + (ptrdiff_t)best * m]) best = i;
    double pivot = G[best + (ptrdiff_t)best * m];
    if (!(pivot > limit)) return;
    double *row = t->B + (size_t)t->rows++ * (size_t)t->n, root = sqrt(pivot);
    for (int i = 0; i < t->n; ++i) row[i] = 0.0;
    for (int i = 0; i < m; ++i) row[t->mine[i]] = G[i + (ptrdiff_t)best * m] / root;
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) G[i + (ptrdiff_t)j * m] -= row[t->mine[i]] * row[t->mine[j]];
    G[best + (ptrdiff_t)best * m] = 0.0;
  }
}

/* Lists the rows in A that meet the column group of `head` and returns their number. */
static int rows_of_system(nsds_velocity_work *t, int head) {
  const nsds_factored *f = &t->o->reduced.factored;
  int m = 0;
  for (int e = head; e >= 0; e = t->next[e])
    for (int i = f->row[t->block[e]]; i < f->row[t->block[e] + 1]; ++i) {
      int at = t->place[i];
      if (at < 0 || t->local[at] >= 0) continue;
      t->mine[m] = at;
      t->local[at] = m++;
    }
  return m;
}

static void forget_rows(nsds_velocity_work *t, int m) {
  for (int i = 0; i < m; ++i) t->local[t->mine[i]] = -1;
}

int nsds_velocity_rows(nsds_velocity_work *t) {
  const nsds_factored *f = &t->o->reduced.factored;
  int count = 0;
  for (int i = 0; i < t->n; ++i) t->local[i] = -1;
  for (int k = 0; k < f->ncolumn; ++k) {
    int m = t->head[k] >= 0 ? rows_of_system(t, t->head[k]) : 0;
    forget_rows(t, m);
    if (m > 0) count += m < f->edge[t->head[k]].size ? m : f->edge[t->head[k]].size;
  }
  return count + (f->D ? t->n : 0);
}

/* Adds the symmetric part of H Y^T, of two edges of one system, to G. */
static void add_pair(const nsds_velocity_work *t, int eh, int ey, int m, double *G) {
  const nsds_factored *f = &t->o->reduced.factored;
  const nsds_edge *h = &f->edge[eh], *y = &f->edge[ey];
  int a = t->block[eh], b = t->block[ey];
  int ma = f->row[a + 1] - f->row[a], mb = f->row[b + 1] - f->row[b];
  for (int j = f->row[b]; j < f->row[b + 1]; ++j)
    for (int i = f->row[a]; i < f->row[a + 1]; ++i) {
      if (t->place[i] < 0 || t->place[j] < 0) continue;
      const double *H = h->H + (i - f->row[a]);
      double sum = 0.0;
      for (int k = 0; k < h->size; ++k)
        sum += H[(size_t)k * (size_t)ma] * nsds_edge_y(f, y, mb, k, j - f->row[b]);
      int r = t->local[t->place[i]], c = t->local[t->place[j]];
      G[r + (ptrdiff_t)c * m] += 0.5 * sum;
      G[c + (ptrdiff_t)r * m] += 0.5 * sum;
    }
}

static void append_system(nsds_velocity_work *t, int head) {
  int m = rows_of_system(t, head);
  memset(t->R, 0, (size_t)m * (size_t)m * sizeof *t->R);
  for (int e = head; e >= 0; e = t->next[e])
    for (int y = head; y >= 0; y = t->next[y]) add_pair(t, e, y, m, t->R);
  append(t, m, t->R, t->o->reduced.factored.edge[head].size);
  forget_rows(t, m);
}

/* Adds the diagonal block that a law or a relation gives a contact. */
static void append_compliance(nsds_velocity_work *t, int a) {
  const nsds_factored *f = &t->o->reduced.factored;
  const double *D = f->D ? f->D[a] : NULL;
  int first = f->row[a], size = f->row[a + 1] - first, m = 0;
  for (int i = 0; D && i < size; ++i)
    if (t->place[first + i] >= 0) t->mine[m++] = t->place[first + i];
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) {
      int r = t->row[t->mine[i]] - first, c = t->row[t->mine[j]] - first;
      t->R[i + j * m] = 0.5 * (D[r + c * size] + D[c + r * size]);
    }
  append(t, m, t->R, m);
}

void nsds_velocity_factor(nsds_velocity_work *t) {
  const nsds_factored *f = &t->o->reduced.factored;
  t->rows = 0;
  for (int k = 0; k < f->ncolumn; ++k)
    if (t->head[k] >= 0) append_system(t, t->head[k]);
  for (int a = 0; a < f->nrow_block; ++a) append_compliance(t, a);
}

/* ---- Q R ------------------------------------------------------------------------------------- */

/* Sums the squares of column j of B, for all j, into `sum`. */
static void column_squares(nsds_velocity_work *t, double *sum) {
  memset(sum, 0, (size_t)t->n * sizeof *sum);
  for (int k = 0; k < t->rows; ++k)
    for (int j = 0; j < t->n; ++j)
      sum[j] += nsds_velocity_row(t->B, t, k)[j] * nsds_velocity_row(t->B, t, k)[j];
}

/* Scales the columns to unit length. Columns of rows that move nothing stay zero. */
static void scale_columns(nsds_velocity_work *t, double *length) {
  column_squares(t, length);
  for (int j = 0; j < t->n; ++j) t->scale[j] = length[j] > 0.0 ? 1.0 / sqrt(length[j]) : 0.0;
  for (int k = 0; k < t->rows; ++k)
    for (int j = 0; j < t->n; ++j) nsds_velocity_row(t->B, t, k)[j] *= t->scale[j];
}

static void swap(double *a, int j, int k) {
  double x = a[j];
  a[j] = a[k];
  a[k] = x;
}

static void velocity_factor_swap_columns(nsds_velocity_work *t, int steps, int j, int k) {
  int row = t->row[j];
  t->row[j] = t->row[k];
  t->row[k] = row;
  swap(t->scale, j, k);
  for (int i = 0; i < t->rows; ++i) swap(nsds_velocity_row(t->B, t, i), j, k);
  for (int i = 0; i < steps; ++i) swap(nsds_velocity_row(t->R, t, i), j, k);
}

/* Computes row k of R and removes column k's direction from the later columns. */
static void velocity_factor_eliminate(nsds_velocity_work *t, int k, double length) {
  double *r = nsds_velocity_row(t->R, t, k);
  memset(r, 0, (size_t)t->n * sizeof *r);
  for (int i = 0; i < t->rows; ++i) {
    double *b = nsds_velocity_row(t->B, t, i);
    b[k] /= length;
    for (int j = k + 1; j < t->n; ++j) r[j] += b[k] * b[j];
  }
  for (int i = 0; i < t->rows; ++i) {
    double *b = nsds_velocity_row(t->B, t, i);
    for (int j = k + 1; j < t->n; ++j) b[j] -= b[k] * r[j];
  }
  r[k] = length;
}

int nsds_velocity_orthogonalise(nsds_velocity_work *t, double *length) {
  scale_columns(t, length);
  int k = 0;
  for (; k < t->n && k < t->rows; ++k) {
    column_squares(t, length);
    int best = k;
    for (int j = k + 1; j < t->n; ++j)
      if (length[j] > length[best]) best = j;
    double most = sqrt(length[best]);
    if (!(most > dependent)) break;
    if (best != k) velocity_factor_swap_columns(t, k, best, k);
    velocity_factor_eliminate(t, k, most);
  }
  return k;
}
