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
 *
 * In many contacts with friction q is what is left of velocities that have cancelled. There the scale
 * is at least the largest velocity in a contact, as far as M_ii allows.
 */
#include "numerics/certify/certify_scale.h"

#include "base/base.h"
#include "numerics/certify/certify_halo.h"

/* Data below this part of the load are rounding. */
static const double negligible = 0x1p-30;
static const double enough = 1.0 + 1e-6; /* smaller rises are none */

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

/* The scale s at work. Rows of one group share the largest d, so that a cycle of rows still multiplies
 * by at most 1; `over_d` is its inverse, or 0. */
typedef struct scale_work {
  const nsds_problem *problem;
  double *s, *brought, *most, *over_d;
} scale_work;

static void find_inverses(const nsds_problem *p, const double *d, double *over_d) {
  for (int a = 0, row = 0; a < p->nblock; row += p->block[a++].size)
    for (int i = row, end; i < row + p->block[a].size; i = end) {
      double most = 0.0;
      end = i + nsds_scale_group(&p->block[a], i - row);
      for (int k = i; k < end; ++k) nsds_raise(&most, d[k]);
      for (int k = i; k < end; ++k) over_d[k] = most > 0.0 ? 1.0 / most : 0.0;
    }
}

/* ---- factored M: all rows at once ---- */

static inline void bring_term(double *to, int i, double x, double rate) {
  nsds_raise(&to[i], fabs(x) * rate);
}

/* Writes what all rows bring; v has ncolumn entries. */
static void bring_factored(const scale_work *t, double *v) {
  const nsds_factored *f = t->problem->M.factored;
  const nsds_halo *halo = t->problem->halo;
  const double *s = t->s, *over_d = t->over_d;
  double *to = t->brought;
  for (int c = 0; c < f->ncolumn; ++c) v[c] = 0.0;
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    for (const nsds_edge *e = f->edge + f->first_edge[a]; e < f->edge + f->first_edge[a + 1]; ++e)
      for (int at = 0; at < m * e->size; ++at) {
        int i = at % m, c = at / m;
        double y = e->Y ? e->Y[c + i * e->size] : f->gain[e->column + c] * e->H[at];
        bring_term(v, e->column + c, y, s[row + i] * over_d[row + i]);
      }
  }
  if (halo) halo->raise(halo->self, v);
  for (int a = 0; a < f->nrow_block; ++a) {
    int row = f->row[a], m = f->row[a + 1] - row;
    for (int at = 0; f->D && f->D[a] && at < m * m; ++at)
      bring_term(to, row + at % m, f->D[a][at], s[row + at / m] * over_d[row + at / m]);
    for (const nsds_edge *e = f->edge + f->first_edge[a]; e < f->edge + f->first_edge[a + 1]; ++e)
      for (int at = 0; at < m * e->size; ++at)
        bring_term(to, row + at % m, e->H[at], v[e->column + at / m]);
  }
}

/* Raises a row to what others bring, but not above `most`. */
static inline bool take_brought(const scale_work *t, int i, double brought) {
  if (!(brought > t->s[i] * enough)) return false;
  brought = fmin(brought, t->most[i]);
  if (!(brought > t->s[i] * enough)) return false;
  t->s[i] = brought;
  return true;
}

/* Each of these passes returns false if nothing rises any more. */
static bool pass_over_factored(const scale_work *t) {
  int n = t->problem->n;
  bool raised = false;
  for (int i = 0; i < n; ++i) t->brought[i] = 0.0;
  bring_factored(t, t->over_d + n);
  for (int i = 0; i < n; ++i) raised |= take_brought(t, i, t->brought[i]);
  return raised;
}

/* ---- rows of blocks, one after the other ---- */

/* Raises brought[0 .. m) by |x| rate, for a column of one block. */
static inline void bring_rows(int m, const double *x, double rate, double *brought) {
  for (int i = 0; i < m; ++i) {
    double term = fabs(x[i]) * rate;
    brought[i] = term > brought[i] ? term : brought[i];
  }
}

/* Writes what the blocks of row block a bring. */
static void bring_row_block(const scale_work *t, int a) {
  const nsds_block_rows *B = t->problem->M.blocks;
  int row = B->row[a], m = B->row[a + 1] - row;
  double *brought = t->brought + row, few[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < m; ++i) brought[i] = 0.0;
  for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
    const double *x = B->x + B->start[k];
    for (int j = B->row[B->column[k]]; j < B->row[B->column[k] + 1]; ++j, x += m) {
      double rate = t->s[j] * t->over_d[j];
      if (m == 3) bring_rows(3, x, rate, few); /* the most frequent size */
      else bring_rows(m, x, rate, brought);
    }
  }
  for (int i = 0; m == 3 && i < 3; ++i) brought[i] = few[i];
}

static bool pass_over_block_rows(const scale_work *t, bool back) {
  const nsds_block_rows *B = t->problem->M.blocks;
  bool raised = false;
  for (int step = 0; step < B->nrow_block; ++step) {
    int a = back ? B->nrow_block - 1 - step : step;
    bring_row_block(t, a);
    for (int i = B->row[a]; i < B->row[a + 1]; ++i) raised |= take_brought(t, i, t->brought[i]);
  }
  return raised;
}

/* ---- columns, one after the other ---- */

/* Rows that rise get a negative sign, until they have been brought to the others. */
static inline void raise_row(const scale_work *t, int i, double x) {
  double least = fabs(t->s[i]) * enough;
  if (!(x > least)) return;
  x = fmin(x, t->most[i]);
  if (x > least) t->s[i] = -x;
}

/* Brings s_j / d_j of a column to all rows. */
static void bring_column(const scale_work *t, int j, double rate) {
  const nsds_matrix *M = &t->problem->M;
  bool dense = M->storage == NSDS_DENSE;
  const double *x = dense ? M->x + (ptrdiff_t)j * M->n : M->x;
  for (int k = 0; dense && k < M->n; ++k) raise_row(t, k, fabs(x[k]) * rate);
  for (int k = dense ? 0 : M->p[j]; !dense && k < M->p[j + 1]; ++k)
    raise_row(t, M->i[k], fabs(x[k]) * rate);
}

/* Brings what rose in one block to the other rows. */
static bool bring_block(const scale_work *t, const nsds_block *block, int row) {
  bool brought = false;
  for (int i = row, end; i < row + block->size; i = end) {
    double largest = 0.0;
    bool rose = false;
    end = i + nsds_scale_group(block, i - row);
    for (int k = i; k < end; ++k) {
      rose = rose || t->s[k] < 0.0;
      nsds_raise(&largest, fabs(t->s[k]));
    }
    for (int k = i; k < end; ++k) t->s[k] = largest;
    for (int k = i; rose && k < end; ++k)
      if (t->over_d[k] > 0.0) bring_column(t, k, largest * t->over_d[k]);
    brought = brought || rose;
  }
  return brought;
}

static bool pass_over_columns(const scale_work *t, bool back) {
  const nsds_problem *p = t->problem;
  bool brought = false;
  int row = back ? p->n : 0;
  for (int k = 0; k < p->nblock; ++k) {
    const nsds_block *block = &p->block[back ? p->nblock - 1 - k : k];
    if (back) row -= block->size;
    if (bring_block(t, block, row)) brought = true;
    if (!back) row += block->size;
  }
  return brought;
}

/* ---- rows of a distributed matrix, all at once ---- */

static bool pass_over_distributed_rows(const scale_work *t) {
  const nsds_problem *p = t->problem;
  const nsds_matrix *M = &p->M;
  double *rate = t->brought;
  bool raised = false;
  for (int i = 0; i < p->n; ++i) rate[i] = t->s[i] * t->over_d[i];
  const double *other = p->halo->fill(p->halo->self, rate);
  for (int j = 0; j < p->n; ++j) {
    double most = 0.0;
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
      int i = M->i[k];
      nsds_raise(&most, fabs(M->x[k]) * (i < p->n ? rate[i] : other[i - p->n]));
    }
    raised |= take_brought(t, j, most);
  }
  return raised;
}

/* Passes go to and fro, since what rises follows chains of contacts. */
static bool pass_over_all(const scale_work *t, bool back) {
  nsds_storage storage = t->problem->M.storage;
  bool raised;
  if (storage == NSDS_FACTORED) raised = pass_over_factored(t);
  else if (t->problem->halo) raised = pass_over_distributed_rows(t);
  else if (storage != NSDS_BLOCK_ROWS) return pass_over_columns(t, back);
  else raised = pass_over_block_rows(t, back);
  share_largest(t->problem, t->s);
  return nsds_any_part(t->problem, raised);
}

bool nsds_raise_scale(const nsds_problem *problem, const double *d, int first, int last,
                      double *scale, double *work) {
  size_t n = (size_t)problem->n;
  scale_work t = {problem, scale, work, work + n, work + 2 * n};
  bool columns = problem->M.storage == NSDS_DENSE || problem->M.storage == NSDS_CSC;
  bool signs = columns && !problem->halo, raised = true;
  if (first == 0) find_inverses(problem, d, t.over_d);
  for (size_t i = 0; first == 0 && signs && i < n; ++i) scale[i] = -scale[i];
  for (int pass = first; raised && pass < last; ++pass) raised = pass_over_all(&t, pass % 2 == 1);
  if (raised && last < nsds_scale_passes) return false;
  for (size_t i = 0; i < n; ++i) scale[i] = fabs(scale[i]);
  share_largest(problem, scale);
  return true;
}

/* ---- the scale ---- */

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
  nsds_most_of_parts(problem, 1, &load);
  for (int i = 0; i < problem->n; ++i) most[i] = load * sqrt(d[i]);
  share_largest(problem, most);
  for (int i = 0; i < problem->n; ++i) {
    bool given = problem->scale && problem->scale[i] > 0.0;
    if (!given) nsds_raise(&scale[i], negligible * most[i]);
    most[i] = given ? 0.0 : most[i] > 0.0 ? most[i] : INFINITY;
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
  nsds_most_of_parts(problem, 1, &most);
  nsds_most_of_parts(problem, 1, &largest);
  for (int i = 0; i < problem->n; ++i)
    load[i] = problem->scale ? scale[i] : fmin(most * sqrt(d[i]), largest);
}

bool nsds_scale_is_inferred(const nsds_problem *problem, unsigned sets) {
  enum { few = 64 };
  return nsds_rows_of_whole(problem) > few && !problem->scale &&
         (sets & (unsigned)nsds_friction_sets) != 0;
}

/* Returns the number of rows of a friction block that are velocities of one unit: not those of rolling. */
static int velocity_rows(const nsds_block *b) {
  return ((unsigned)b->set & (unsigned)nsds_friction_sets) ? nsds_scale_group(b, 0) : 0;
}

/* Raises the scale of contacts to the largest velocity in a contact, but not above `most`. */
static void raise_to_velocity(const nsds_problem *problem, const double *most, double *scale) {
  double largest = 0.0;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    for (int i = row; i < row + velocity_rows(&problem->block[a]); ++i)
      nsds_raise(&largest, scale[i]);
  nsds_most_of_parts(problem, 1, &largest);
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    for (int i = row; i < row + velocity_rows(&problem->block[a]); ++i)
      nsds_raise(&scale[i], most[i] < largest ? most[i] : largest);
}

void nsds_start_scale(const nsds_problem *problem, const double *d, double *scale, double *work) {
  double *most = work + problem->n;
  unsigned sets = 0;
  for (int a = 0; a < problem->nblock; ++a) sets |= (unsigned)problem->block[a].set;
  if (problem->halo) sets = problem->halo->sets;
  write_data(problem, d, scale);
  find_most(problem, d, scale, most);
  if (nsds_scale_is_inferred(problem, sets)) raise_to_velocity(problem, most, scale);
}

void nsds_find_scale(const nsds_problem *problem, const double *d, double *scale, double *work) {
  nsds_start_scale(problem, d, scale, work);
  nsds_raise_scale(problem, d, 0, nsds_scale_passes, scale, work);
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
