/*
 * Scales of rows, see certify_scale.h.
 *
 * Rows that share a unit in one block share the largest of their |q_i|, or of the scales that the
 * problem gives. A row whose data are zero takes what the data of others bring to it,
 *
 *     s_i = max_j |M_ij| / M_jj  s_j     over M_jj > 0,
 *
 * again and again: s_j / M_jj is the reaction that answers the data of row j alone. A cycle of rows
 * multiplies by |M_ij M_ji| / (M_ii M_jj), at most 1 in semidefinite M, so the passes end. If z -> S z
 * and w -> T w with positive diagonals S and T, then s -> T s.
 *
 * Data count as zero if they are rounding, 2^-30, beside the largest q_j sqrt(M_ii / M_jj); this is
 * the least scale of such rows. So does q_i up to q_error_i. If q is zero or rounding on a bounded
 * set, the bounds are the data: M_ii times a bound is in the unit of w. A scale that the problem
 * gives is taken as it is.
 */
#include "numerics/certify/certify_scale.h"

#include "base/base.h"

/* Data below this part of the load are rounding. */
static const double negligible = 0x1p-30;
static const double enough = 1.0 + 1e-6; /* smaller rises are none */
enum { most_passes = 1000 };

int nsds_scale_group(const nsds_block *block, int i) {
  int m = block->size, first = (m + 1) / 2;
  switch (block->set) {
  case NSDS_SET_DISC:
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB: return m - i;
  case NSDS_SET_ROLLING: return i < first ? first - i : m - i;
  default: return 1;
  }
}

/* ---- data of a row ---- */

static double nearer(double bound, double least) {
  bound = fabs(bound);
  return bound > 0.0 && bound < least ? bound : least;
}

/* Returns the least distance of a bound of row i from zero, in units of z; 0: there is none. */
static double bound_of(const nsds_block *b, int i) {
  double least = INFINITY;
  if (b->set == NSDS_SET_BOX) least = nearer(b->lower[i], nearer(b->upper[i], least));
  if (b->set == NSDS_SET_DISC) least = nearer(b->radius, least);
  for (int f = 0; b->set == NSDS_SET_POLYHEDRON && b->K && f < b->nfacet; ++f) {
    double h = b->H[f + (ptrdiff_t)i * b->nfacet];
    if (h != 0.0) least = nearer(b->K[f] / h, least);
  }
  return least < INFINITY ? least : 0.0;
}

static double data_of(const nsds_problem *p, const nsds_block *block, int first, int i,
                      const double *d) {
  int row = first + i;
  double given = p->scale ? p->scale[row] : fabs(p->q[row]);
  if (p->scale && given > 0.0) return given;
  given = fabs(p->q[row]);
  if (p->q_error && given <= p->q_error[row]) given = 0.0;
  double bounds = d[row] * bound_of(block, i);
  return given > negligible * bounds ? given : bounds;
}

/* Gives each group the largest value of its rows. */
static void share_largest(const nsds_problem *p, double *value) {
  for (int a = 0, row = 0; a < p->nblock; row += p->block[a++].size)
    for (int i = 0, count; i < p->block[a].size; i += count) {
      double most = 0.0;
      count = nsds_scale_group(&p->block[a], i);
      for (int k = 0; k < count; ++k) nsds_raise(&most, value[row + i + k]);
      for (int k = 0; k < count; ++k) value[row + i + k] = most;
    }
}

/* ---- what others bring ---- */

static inline void bring_term(double *to, int i, double x, double rate) {
  nsds_raise(&to[i], fabs(x) * rate);
}

/* Writes s_j / d_j. Rows that share a scale share their largest d, so that a cycle of rows still
 * multiplies by at most 1. */
static void scale_find_rates(const nsds_problem *p, const double *s, const double *d,
                             double *rate) {
  for (int a = 0, row = 0; a < p->nblock; row += p->block[a++].size)
    for (int i = row, end; i < row + p->block[a].size; i = end) {
      double most = 0.0;
      end = i + nsds_scale_group(&p->block[a], i - row);
      for (int k = i; k < end; ++k) nsds_raise(&most, d[k]);
      for (int k = i; k < end; ++k) rate[k] = most > 0.0 && s[k] < 0.0 ? -s[k] / most : 0.0;
    }
}

static void bring_block_rows(const nsds_block_rows *B, const double *rate, double *to) {
  for (int a = 0; a < B->nrow_block; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int m = B->row[a + 1] - B->row[a], b = B->column[k], count = B->row[b + 1] - B->row[b];
      const double *x = B->x + B->start[k], *r = rate + B->row[b];
      for (int j = 0; j < count; ++j, x += m)
        for (int i = 0; r[j] > 0.0 && i < m; ++i) bring_term(to, B->row[a] + i, x[i], r[j]);
    }
}

static void bring_factored(const nsds_factored *f, const double *rate, double *to, double *v) {
  for (int c = 0; c < f->ncolumn; ++c) v[c] = 0.0;
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    for (const nsds_edge *e = f->edge + f->first_edge[a]; e < f->edge + f->first_edge[a + 1]; ++e)
      for (int at = 0; at < m * e->size; ++at) {
        int i = at % m, c = at / m;
        double y = e->Y ? e->Y[c + i * e->size] : f->gain[e->column + c] * e->H[at];
        bring_term(v, e->column + c, y, rate[row + i]);
      }
  }
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    for (int at = 0; f->D && f->D[a] && at < m * m; ++at)
      bring_term(to, row + at % m, f->D[a][at], rate[row + at / m]);
    for (const nsds_edge *e = f->edge + f->first_edge[a]; e < f->edge + f->first_edge[a + 1]; ++e)
      for (int at = 0; at < m * e->size; ++at)
        bring_term(to, row + at % m, e->H[at], v[e->column + at / m]);
  }
}

/* Writes the largest |M_ij| s_j / d_j of each group of rows, over the rows j that rose last. `to` has
 * 3 n entries, and ncolumn more in the factored storage; the second n stay. */
static void bring_all(const nsds_problem *p, const double *s, const double *d, double *to) {
  const nsds_matrix *M = &p->M;
  int n = p->n;
  double *rate = to + 2 * (ptrdiff_t)n;
  scale_find_rates(p, s, d, rate);
  for (int i = 0; i < n; ++i) to[i] = 0.0;
  if (M->storage == NSDS_FACTORED) {
    bring_factored(M->factored, rate, to, to + 3 * (ptrdiff_t)n);
  } else if (M->storage == NSDS_BLOCK_ROWS) {
    bring_block_rows(M->blocks, rate, to);
  } else {
    for (int j = 0; j < n; ++j) {
      bool dense = M->storage == NSDS_DENSE;
      int end = dense ? n : M->p[j + 1];
      for (int k = dense ? 0 : M->p[j]; rate[j] > 0.0 && k < end; ++k)
        bring_term(to, dense ? k : M->i[k], M->x[dense ? k + (ptrdiff_t)j * n : k], rate[j]);
    }
  }
  share_largest(p, to);
}

/* Raises rows to what others bring, but not above `most`. Rows that rise get a negative sign.
 * Returns false if nothing rises any more. */
static bool take_brought(const nsds_problem *p, const double *brought, const double *most,
                         double *s) {
  bool raised = false;
  for (int i = 0; i < p->n; ++i) {
    double old = fabs(s[i]), now = fmin(brought[i], most[i]);
    bool rises = now > old * enough && !(p->scale && p->scale[i] > 0.0);
    s[i] = rises ? -now : old;
    raised = raised || rises;
  }
  return raised;
}

/* Raises rows to what others bring. */
static void raise_by_passes(const nsds_problem *problem, const double *d, double *scale,
                            double *work) {
  const double *most = work + problem->n;
  bool raised = true;
  for (int i = 0; i < problem->n; ++i) scale[i] = -scale[i];
  for (int pass = 0; raised && pass < most_passes; ++pass) {
    bring_all(problem, scale, d, work);
    raised = take_brought(problem, work, most, scale);
  }
  for (int i = 0; i < problem->n; ++i) scale[i] = fabs(scale[i]);
}

static void write_data(const nsds_problem *problem, const double *d, double *scale) {
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    for (int i = 0; i < problem->block[a].size; ++i)
      scale[row + i] = data_of(problem, &problem->block[a], row, i, d);
  share_largest(problem, scale);
}

/* Writes the most that others may bring to each row, and raises data that are rounding beside it. */
static void find_most(const nsds_problem *problem, const double *d, double *scale, double *most) {
  double load = 0.0;
  for (int i = 0; i < problem->n; ++i)
    if (d[i] > 0.0) nsds_raise(&load, scale[i] / sqrt(d[i]));
  for (int i = 0; i < problem->n; ++i) most[i] = load * sqrt(d[i]);
  share_largest(problem, most);
  for (int i = 0; i < problem->n; ++i) {
    bool given = problem->scale && problem->scale[i] > 0.0;
    if (!given) nsds_raise(&scale[i], negligible * most[i]);
    if (most[i] == 0.0) most[i] = INFINITY;
  }
}

void nsds_find_load(const nsds_problem *problem, const double *d, const double *scale,
                    double *load) {
  double most = 0.0, largest = 0.0;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    for (int i = 0; i < problem->block[a].size; ++i) {
      double di = d[row + i], size = fmax(scale[row + i], di * bound_of(&problem->block[a], i));
      nsds_raise(&largest, size);
      if (di > 0.0) nsds_raise(&most, size / sqrt(di));
    }
  for (int i = 0; i < problem->n; ++i)
    load[i] = problem->scale ? scale[i] : fmin(most * sqrt(d[i]), largest);
}

void nsds_find_scale(const nsds_problem *problem, const double *d, double *scale, double *work) {
  write_data(problem, d, scale);
  find_most(problem, d, scale, work + problem->n);
  raise_by_passes(problem, d, scale, work);
}

void nsds_scale_share(const nsds_problem *problem, const double *scale, double *terms) {
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    for (int i = 0, count; i < problem->block[a].size; i += count) {
      double most = 0.0;
      count = nsds_scale_group(&problem->block[a], i);
      for (int k = row + i; k < row + i + count; ++k) nsds_raise(&most, terms[k]);
      for (int k = row + i; k < row + i + count; ++k)
        if (!(scale[k] > 0.0)) terms[k] = most;
    }
}
