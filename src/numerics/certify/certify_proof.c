/*
 * Checks proofs that there is no solution, from the problem alone. Let y lie in the cone of the
 * rays of C, without tangential part on Coulomb blocks, whose shift is normal. Then y.w >= 0 for
 * every z of C and every w that the law allows. With g = M^T y
 *
 *     y.w = q.y + sum over blocks of g.z <= q.y + sum of h(g),    h(g) = sup of g.z over C,
 *
 * so there is no solution if the right side is negative. On cones h is 0 or infinite. If g is zero
 * up to rounding, h grows with the reactions instead: the proof then excludes reactions up to a
 * reach. The sums here go over columns; in certify_sums.c they go over rows.
 */
#include "base/finite.h"
#include "numerics/certify/certify.h"
#include "numerics/certify/certify_answer.h"
#include "numerics/certify/certify_scale.h"
#include "numerics/certify/certify_sets.h"
#include "numerics/certify/certify_units.h"
#include "numerics/certify/twice.h"
#include "numerics/sets/bounds.h"
#include "numerics/sets/polyhedron.h"

/* A smaller g, relative to its terms, is rounding of the data: M^T y would vanish for nearby M. */
static const double rounding = 0x1p-46;

/* ---- g = M^T y in twice the precision, and the sizes of its terms ---- */

typedef struct transposed {
  double *g, *low, *size;
} transposed;

static void add_twice(transposed t, int j, nsds_twice term) {
  nsds_twice sum = nsds_twice_add((nsds_twice){t.g[j], t.low[j]}, term);
  t.g[j] = sum.high;
  t.low[j] = sum.low;
  t.size[j] += fabs(term.high);
}

static void add_term(transposed t, int j, double x, double y) {
  if (x != 0.0 && y != 0.0) add_twice(t, j, nsds_twice_of_product(x, y));
}

static void transpose_dense(const nsds_matrix *M, const double *y, transposed t) {
  const double *x = M->x;
  for (int j = 0; j < M->n; ++j, x += M->n)
    for (int i = 0; i < M->n; ++i) add_term(t, j, x[i], y[i]);
}

static void transpose_csc(const nsds_matrix *M, const double *y, transposed t) {
  for (int j = 0; j < M->n; ++j)
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) add_term(t, j, M->x[k], y[M->i[k]]);
}

static void transpose_block_rows(const nsds_block_rows *B, const double *y, transposed t) {
  for (int a = 0; a < B->nrow_block; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int row = B->row[a], m = B->row[a + 1] - row, b = B->column[k];
      for (int j = B->row[b]; j < B->row[b + 1]; ++j)
        for (int i = 0; i < m; ++i)
          add_term(t, j, B->x[B->start[k] + i + m * (j - B->row[b])], y[row + i]);
    }
}

/* Adds D^T y, and H^T y to v; `sizes`: magnitudes of all factors. */
static void gather_transposed(const nsds_factored *f, const double *y, bool sizes, transposed t,
                              transposed v) {
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    for (int at = 0; !sizes && f->D && f->D[a] && at < m * m; ++at)
      add_term(t, row + at / m, f->D[a][at], y[row + at % m]);
    for (const nsds_edge *e = f->edge + f->first_edge[a]; e < f->edge + f->first_edge[a + 1]; ++e)
      for (int at = 0; at < m * e->size; ++at) {
        int c = e->column + at / m;
        double h = e->H[at], yi = y[row + at % m];
        if (sizes) v.g[c] += fabs(h * yi);
        else if (h != 0.0 && yi != 0.0) {
          nsds_twice sum =
              nsds_twice_add((nsds_twice){v.g[c], v.low[c]}, nsds_twice_of_product(h, yi));
          v.g[c] = sum.high;
          v.low[c] = sum.low;
        }
      }
  }
}

/* Adds Y^T v to g, or |Y|^T v to the sizes. */
static void spread_transposed(const nsds_factored *f, bool sizes, transposed t, transposed v) {
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    for (const nsds_edge *e = f->edge + f->first_edge[a]; e < f->edge + f->first_edge[a + 1]; ++e)
      for (int at = 0; at < m * e->size; ++at) {
        int j = row + at % m, c = e->column + at / m;
        double x = e->Y ? e->Y[at / m + (at % m) * e->size] : e->H[at];
        nsds_twice term = nsds_twice_scale((nsds_twice){v.g[c], v.low[c]}, x);
        if (!e->Y) term = nsds_twice_scale(term, f->gain[c]);
        if (sizes) t.size[j] += fabs(term.high);
        else {
          nsds_twice sum = nsds_twice_add((nsds_twice){t.g[j], t.low[j]}, term);
          t.g[j] = sum.high;
          t.low[j] = sum.low;
        }
      }
  }
}

/* Computes g = Y^T H^T y + D^T y, in two passes: sizes, then values. */
static void transpose_factored(const nsds_factored *f, const double *y, transposed t, double *v) {
  transposed columns = {v, v + f->ncolumn, NULL};
  for (int pass = 0; pass < 2; ++pass) {
    memset(v, 0, 2 * (size_t)f->ncolumn * sizeof *v);
    gather_transposed(f, y, pass == 0, t, columns);
    spread_transposed(f, pass == 0, t, columns);
  }
}

static void multiply_transposed(const nsds_matrix *M, const double *y, transposed t,
                                double *scratch) {
  memset(t.g, 0, (size_t)M->n * sizeof *t.g);
  memset(t.low, 0, (size_t)M->n * sizeof *t.low);
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

/* The right side of the inequality: q.y + h(g), of which `grows` is multiplied by the largest
 * reaction, and `terms` is the sum of magnitudes. */
typedef struct balance {
  nsds_twice sum;
  double grows, terms;
} balance;

static void add_finite(balance *b, double x) {
  b->sum = nsds_twice_add(b->sum, (nsds_twice){x, 0.0});
  b->terms += fabs(x);
}

/* Adds the largest g z of a row with two bounds; |g| is known up to `doubt`, z up to `unit` times
 * the reach. False: g z is unbounded, and g is no rounding beside its terms, of this size. */
static bool add_row(balance *b, double lower, double upper, double g, double doubt, double unit,
                    double size) {
  if (g > 0.0 && upper < INFINITY) add_finite(b, g * upper);
  else if (g < 0.0 && lower > -INFINITY) add_finite(b, g * lower);
  else if (fabs(g) <= rounding * size) b->grows += fabs(g) * unit;
  else return false;
  bool bounded = lower > -INFINITY && upper < INFINITY;
  if (bounded) add_finite(b, doubt * fmax(fabs(lower), fabs(upper)));
  else b->grows += doubt * unit;
  return true;
}

/* Adds h(g) of a block. False: it is infinite beyond rounding. */
static bool add_block(balance *b, const nsds_block *block, transposed t, int row,
                      const double *unit) {
  static const double bits = 0x1p-96; /* of sums in twice the precision */
  int m = block->size, last = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  double *g = t.g + row, doubt = 0.0, rate, h;
  for (int i = 0; i < m; ++i) doubt = nsds_certify_norm(doubt, bits * t.size[row + i]);
  switch (block->set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE:
  case NSDS_SET_BOX:
    for (int i = 0; i < m; ++i) {
      double own = bits * t.size[row + i];
      if (block->set == NSDS_SET_NONNEGATIVE && g[i] + own <= 0.0) continue;
      if (!add_row(b, nsds_lower(block, i), nsds_upper(block, i), g[i], own, unit[row + i],
                   t.size[row + i]))
        return false;
    }
    return true;
  case NSDS_SET_DISC: add_finite(b, block->radius * (length_of(m, g) + doubt)); return true;
  case NSDS_SET_POLYHEDRON:
    for (int i = 0; i < m; ++i) {
      double most = rounding * t.size[row + i];
      b->grows += (fabs(g[i]) <= most ? fabs(g[i]) : 0.0) * unit[row + i] + doubt * unit[row + i];
      if (fabs(g[i]) <= most) g[i] = 0.0;
    }
    h = support_of_polyhedron(block, g);
    if (!isfinite(h)) return false;
    add_finite(b, h);
    return true;
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING:
    rate = g[0] + block->mu * length_of(m - 1 - last, g + 1) +
           (last > 0 ? block->mu_rolling * length_of(last, g + m - last) : 0.0) +
           (1.0 + block->mu + block->mu_rolling) * doubt;
    if (rate > rounding * t.size[row] + block->mu * rounding * length_of(m - 1, t.size + row + 1))
      return false;
    b->grows += fmax(rate, 0.0) * unit[row];
    return true;
  }
  return false;
}

/* ---- the proof ---- */

/* Writes the reaction that answers the data of each row: s_i / d_i. */
static void proof_find_units(const nsds_problem *problem, double *work, double *unit) {
  size_t n = (size_t)problem->n;
  double *own = work + 2 * n, *scale = work + 3 * n, *d = work + 4 * n, load = 0.0;
  nsds_certify_diagonal(problem, work);
  nsds_find_scale(problem, own, scale, work + 4 * n);
  for (size_t i = 0; i < n; ++i)
    d[i] = own[i] > 0.0 ? own[i] : nsds_unit_without_diagonal(&problem->M, (int)i);
  nsds_complete_by_columns(problem, NULL, own, scale, d);
  for (size_t i = 0; i < n; ++i) nsds_raise(&load, scale[i] / sqrt(d[i]));
  for (size_t i = 0; i < n; ++i) unit[i] = scale[i] > 0.0 ? scale[i] / d[i] : load / sqrt(d[i]);
}

double nsds_certify_reach(const nsds_problem *problem, const double *y, double *work) {
  static const double clear = 1e-14; /* part of its terms that a margin must exceed */
  size_t n = (size_t)problem->n;
  double *unit = work;
  transposed t = {work + n, work + 2 * n, work + 3 * n};
  balance b = {{0.0, 0.0}, 0.0, 0.0};
  if (problem->n == 0 || nsds_first_nonfinite(y, problem->n) >= 0) return 0.0;
  proof_find_units(problem, work, unit);
  multiply_transposed(&problem->M, y, t, work + 7 * n);
  for (size_t i = 0; i < n; ++i) {
    double known = problem->q_error ? problem->q_error[i] : 0.0;
    if (!isfinite(t.size[i])) return 0.0;
    b.sum = nsds_twice_add(b.sum, nsds_twice_of_product(problem->q[i], y[i]));
    b.terms += fabs(problem->q[i] * y[i]);
    add_finite(&b, known * fabs(y[i]));
  }
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *block = &problem->block[a];
    if (!along_rays(block, y + row) || !add_block(&b, block, t, row, unit)) return 0.0;
  }
  double margin = -b.sum.high - clear * b.terms;
  if (!(margin > 0.0)) return 0.0;
  return b.grows > 0.0 ? margin / b.grows : INFINITY;
}

bool nsds_certify_no_solution(const nsds_problem *problem, const double *y, double *work) {
  return nsds_certify_reach(problem, y, work) >= nsds_least_reach;
}
