/*
 * Checks proofs that there is no solution, from the problem alone. Let y lie in the cone of the
 * rays of C, without tangential part on Coulomb blocks, whose shift is normal. Then y.w >= 0 for
 * every z of C and every w that the law allows. With g = M^T y
 *
 *     y.w = q.y + sum over blocks of g.z <= q.y + sum of h(g),    h(g) = sup of g.z over C,
 *
 * so there is no solution if the right side is negative. On cones h is 0 or infinite. The sums here
 * go over columns; in certify_sums.c they go over rows.
 */
#include "base/finite.h"
#include "numerics/certify/certify_sets.h"
#include "numerics/sets/polyhedron.h"

/* A smaller g, relative to its terms, is rounding of the check itself. */
static const double rounding = 0x1p-46;

/* ---- g = M^T y, and the sizes of its terms ---- */

typedef struct transposed {
  double *g, *size;
} transposed;

static void add_term(transposed t, int j, double term) {
  t.g[j] += term;
  t.size[j] += fabs(term);
}

static void transpose_dense(const nsds_matrix *M, const double *y, transposed t) {
  const double *x = M->x;
  for (int j = 0; j < M->n; ++j, x += M->n)
    for (int i = 0; i < M->n; ++i) add_term(t, j, x[i] * y[i]);
}

static void transpose_csc(const nsds_matrix *M, const double *y, transposed t) {
  for (int j = 0; j < M->n; ++j)
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) add_term(t, j, M->x[k] * y[M->i[k]]);
}

static void transpose_block_rows(const nsds_block_rows *B, const double *y, transposed t) {
  for (int a = 0; a < B->nrow_block; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int row = B->row[a], m = B->row[a + 1] - row, b = B->column[k];
      for (int j = B->row[b]; j < B->row[b + 1]; ++j)
        for (int i = 0; i < m; ++i)
          add_term(t, j, B->x[B->start[k] + i + m * (j - B->row[b])] * y[row + i]);
    }
}

/* Computes g = Y^T H^T y + D^T y; v receives H^T y and the sizes of its terms. */
static void transpose_factored(const nsds_factored *f, const double *y, transposed t, double *v) {
  double *size = v + f->ncolumn;
  memset(v, 0, 2 * (size_t)f->ncolumn * sizeof *v);
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    for (int at = 0; f->D && f->D[a] && at < m * m; ++at)
      add_term(t, row + at / m, f->D[a][at] * y[row + at % m]);
    for (const nsds_edge *e = f->edge + f->first_edge[a]; e < f->edge + f->first_edge[a + 1]; ++e)
      for (int at = 0; at < m * e->size; ++at) {
        double term = e->H[at] * y[row + at % m];
        v[e->column + at / m] += term;
        size[e->column + at / m] += fabs(term);
      }
  }
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    for (const nsds_edge *e = f->edge + f->first_edge[a]; e < f->edge + f->first_edge[a + 1]; ++e)
      for (int at = 0; at < m * e->size; ++at) {
        int j = row + at % m, c = e->column + at / m;
        double x = e->Y ? e->Y[at / m + (at % m) * e->size] : f->gain[c] * e->H[at];
        t.g[j] += x * v[c];
        t.size[j] += fabs(x) * size[c];
      }
  }
}

static void multiply_transposed(const nsds_matrix *M, const double *y, transposed t,
                                double *scratch) {
  memset(t.g, 0, (size_t)M->n * sizeof *t.g);
  memset(t.size, 0, (size_t)M->n * sizeof *t.size);
  switch (M->storage) {
  case NSDS_DENSE: transpose_dense(M, y, t); break;
  case NSDS_CSC: transpose_csc(M, y, t); break;
  case NSDS_BLOCK_ROWS: transpose_block_rows(M->blocks, y, t); break;
  case NSDS_FACTORED: transpose_factored(M->factored, y, t, scratch); break;
  }
}

/* ---- one block ---- */

static double length_of(int n, const double *x) {
  double norm = 0.0;
  for (int i = 0; i < n; ++i) norm = nsds_certify_norm(norm, x[i]);
  return norm;
}

/* Returns true if y lies in the cone of the rays of C; on blocks with a shift, along the normal. */
static bool along_rays(const nsds_block *b, const double *y) {
  double p[NSDS_COUPLED_ROWS], off = 0.0;
  nsds_block rays = *b;
  switch (b->set) {
  case NSDS_SET_EQUALITY: return true;
  case NSDS_SET_NONNEGATIVE:
    for (int i = 0; i < b->size; ++i)
      if (y[i] < 0.0) return false;
    return true;
  case NSDS_SET_BOX:
    for (int i = 0; i < b->size; ++i)
      if ((y[i] > 0.0 && b->upper[i] < INFINITY) || (y[i] < 0.0 && b->lower[i] > -INFINITY))
        return false;
    return true;
  case NSDS_SET_DISC: return length_of(b->size, y) == 0.0;
  case NSDS_SET_CONE: return length_of(b->size - 1, y + 1) <= b->mu * y[0];
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: return y[0] >= 0.0 && length_of(b->size - 1, y + 1) == 0.0;
  case NSDS_SET_POLYHEDRON:
    rays.K = NULL;
    if (!nsds_polyhedron_project(&rays, NULL, y, p, NULL)) return false;
    for (int i = 0; i < b->size; ++i) off = nsds_certify_norm(off, y[i] - p[i]);
    return off <= rounding * length_of(b->size, y);
  }
  return false;
}

/* Returns the largest g x of a row with two bounds. */
static double row_support(double lower, double upper, double g) {
  return g == 0.0 ? 0.0 : g > 0.0 ? g * upper : g * lower;
}

/* Returns -K.u for u >= 0 with g = -H^T u up to rounding, so that g.z <= -K.u if H z >= K. The
 * multipliers u come from projecting p + far g, if the projection is p again. Infinite if there are
 * none. */
static double support_of_polyhedron(const nsds_block *b, const double *g) {
  enum { tries = 40 };
  double size = length_of(b->size, g), far = 1.0, p[NSDS_COUPLED_ROWS] = {0.0};
  if (size == 0.0) return 0.0;
  for (int k = 0; k < tries; ++k, far *= 4.0) {
    nsds_facets on;
    double x[NSDS_COUPLED_ROWS], rest[NSDS_COUPLED_ROWS], sum = 0.0;
    for (int i = 0; i < b->size; ++i) x[i] = p[i] + far / size * g[i];
    if (!nsds_polyhedron_project(b, NULL, x, p, &on)) return INFINITY;
    memcpy(rest, g, (size_t)b->size * sizeof *rest);
    for (int f = 0; f < on.count; ++f) {
      double u = fmax(on.multiplier[f], 0.0) * (size / far);
      for (int i = 0; i < b->size; ++i) rest[i] += u * b->H[on.facet[f] + i * b->nfacet];
      sum -= b->K ? u * b->K[on.facet[f]] : 0.0;
    }
    if (length_of(b->size, rest) <= rounding * size) return sum;
  }
  return INFINITY;
}

/* Returns h(g) of a block. */
static double support_of_block(const nsds_block *b, const double *g) {
  double sum = 0.0, rolling;
  int m = b->size, last = b->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  switch (b->set) {
  case NSDS_SET_NONNEGATIVE:
    for (int i = 0; i < m; ++i) sum += row_support(0.0, INFINITY, g[i]);
    return sum;
  case NSDS_SET_BOX:
    for (int i = 0; i < m; ++i) sum += row_support(b->lower[i], b->upper[i], g[i]);
    return sum;
  case NSDS_SET_DISC: return b->radius * length_of(m, g);
  case NSDS_SET_POLYHEDRON: return support_of_polyhedron(b, g);
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING:
    rolling = last > 0 ? b->mu_rolling * length_of(last, g + m - last) : 0.0;
    return g[0] + b->mu * length_of(m - 1 - last, g + 1) + rolling > 0.0 ? INFINITY : 0.0;
  default: return length_of(m, g) > 0.0 ? INFINITY : 0.0;
  }
}

/* ---- the proof ---- */

bool nsds_certify_no_solution(const nsds_problem *problem, const double *y, double *work) {
  size_t n = (size_t)problem->n;
  transposed t = {work, work + n};
  double sum = 0.0, terms = 0.0;
  if (nsds_first_nonfinite(y, problem->n) >= 0) return false;
  multiply_transposed(&problem->M, y, t, work + 2 * n);
  for (size_t i = 0; i < n; ++i) {
    double known = problem->q_error ? problem->q_error[i] : 0.0;
    sum += problem->q[i] * y[i] + known * fabs(y[i]);
    terms += fabs(problem->q[i] * y[i]);
    if (!isfinite(t.size[i])) return false;
    if (fabs(t.g[i]) <= rounding * t.size[i]) t.g[i] = 0.0;
  }
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *block = &problem->block[a];
    if (!along_rays(block, y + row)) return false;
    double h = support_of_block(block, t.g + row);
    sum += h;
    terms += fabs(h);
  }
  return sum < -1e-9 * terms;
}
