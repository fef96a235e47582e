/*
 * Searches for a proof that there is no solution, as certify_proof.c checks it: y along the rays of
 * the sets with
 *
 *     M^T y = g,     q.y + h(g) < 0
 *
 * Rays are sums of given rays with weights >= 0. The g are such sums of vectors on which h is
 * linear. For round sets these vectors lie along the axes: some proofs are missed, but none is
 * wrong. Over a polyhedron H z >= K rays are y with H y - slack = 0, slack >= 0, and g = -H^T u
 * with h(g) = -K.u, u >= 0.
 *
 * The remaining problem is nonnegative least squares, M^T y - g = 0 and q.y + h(g) = -1 (Lawson &
 * Hanson, Solving Least Squares Problems, 1974, ch. 23). If all rows stand alone, M is first brought
 * to a form that does not depend on the units of rows and columns (canonical.h). Otherwise M gets ones on its diagonal. If the check refuses what the least squares find, they
 * try again with less weight on the load.
 */
#include "numerics/proof.h"

#include "base/base.h"
#include "numerics/certify/certify.h"
#include "numerics/feasible.h"
#include "numerics/linear/canonical.h"
#include "numerics/linear/forms.h"
#include "numerics/linear/orthogonal.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/bounds.h"
#include "numerics/store.h"

/* ---- columns ---- */

typedef struct draft {
  nsds_proof *p;
  const nsds_problem *problem;
  const double *M; /* dense */
  int columns, m;  /* m = n + 1 + facets */
  int facet;       /* first facet of the block among all facets */
} draft;

static double *proof_column_of(const draft *d, int c) { return d->p->A + (ptrdiff_t)c * d->m; }

/* Adds the ray x e_i + other e_also; `also` -1: x e_i. */
static void add_ray(draft *d, int i, double x, int also, double other) {
  const double *unit = d->p->unit, *column = d->p->column, *q = d->problem->q;
  int n = d->problem->n, c = d->columns++;
  double *A = proof_column_of(d, c), value[2] = {unit[i] * x, unit[i] * other};
  const int row[2] = {i, also};
  nsds_zero_doubles(A, (size_t)d->m);
  for (int k = 0; k < 2; ++k) {
    d->p->row[2 * c + k] = row[k];
    d->p->value[2 * c + k] = value[k];
    if (row[k] < 0) continue;
    A[n] += value[k] * q[row[k]];
    for (int j = 0; j < n; ++j) A[j] += value[k] * column[j] * d->M[row[k] + (ptrdiff_t)j * n];
  }
}

/* Adds the vector g = x e_i + other e_also, with h = `cost`. */
static void add_held(draft *d, int i, double x, int also, double other, double cost) {
  const double *column = d->p->column;
  if (column[i] == 0.0) return;
  int c = d->columns++;
  double *A = proof_column_of(d, c);
  nsds_zero_doubles(A, (size_t)d->m);
  d->p->row[2 * c] = d->p->row[2 * c + 1] = -1;
  A[i] = -x;
  if (also >= 0) A[also] = -other * column[also] / column[i];
  A[d->problem->n] = cost / column[i];
}

static void draft_row(draft *d, int i, double lower, double upper) {
  bool down = lower == -INFINITY, up = upper == INFINITY;
  if (up) add_ray(d, i, 1.0, -1, 0.0);
  else add_held(d, i, 1.0, -1, 0.0, upper);
  if (down) add_ray(d, i, -1.0, -1, 0.0);
  else add_held(d, i, -1.0, -1, 0.0, -lower);
}

static void draft_cone(draft *d, const nsds_block *block, int first) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  add_ray(d, first, 1.0, -1, 0.0);
  add_held(d, first, -1.0, -1, 0.0, 0.0);
  for (int k = 1; k < m; ++k)
    for (int sign = -1; sign <= 1; sign += 2) {
      double mu = k < m - rolling ? block->mu : block->mu_rolling;
      if (block->set == NSDS_SET_CONE) add_ray(d, first, 1.0, first + k, sign * mu);
      add_held(d, first, -mu, first + k, sign, 0.0);
    }
}

/* Adds rays with either sign in each row, held back by the facets; then the vectors that the facets
 * hold. */
static void draft_polyhedron(draft *d, const nsds_block *block, int first) {
  const double *unit = d->p->unit + first, *column = d->p->column + first;
  int below = d->problem->n + 1 + d->facet;
  for (int i = 0; i < block->size; ++i)
    for (int sign = -1; sign <= 1; sign += 2) {
      add_ray(d, first + i, sign, -1, 0.0);
      double *A = proof_column_of(d, d->columns - 1);
      for (int k = 0; k < block->nfacet; ++k)
        A[below + k] = sign * unit[i] * block->H[k + i * block->nfacet];
    }
  for (int k = 0; k < block->nfacet; ++k)
    for (int held = 0; held < 2; ++held) {
      int c = d->columns++;
      double *A = proof_column_of(d, c);
      d->p->row[2 * c] = d->p->row[2 * c + 1] = -1;
      nsds_zero_doubles(A, (size_t)d->m);
      if (!held) A[below + k] = -1.0;
      for (int i = 0; held && i < block->size; ++i)
        A[first + i] = column[i] * block->H[k + i * block->nfacet];
      if (held && block->K) A[d->problem->n] = -block->K[k];
    }
  d->facet += block->nfacet;
}

static void draft_block(draft *d, const nsds_block *block, int first) {
  if (block->set == NSDS_SET_POLYHEDRON) draft_polyhedron(d, block, first);
  for (int i = 0; i < block->size; ++i) {
    if ((unsigned)block->set & nsds_bound_sets)
      draft_row(d, first + i, nsds_lower(block, i), nsds_upper(block, i));
    if (block->set == NSDS_SET_DISC) draft_row(d, first + i, -block->radius, block->radius);
  }
  bool cone = block->set == NSDS_SET_CONE || block->set == NSDS_SET_COULOMB ||
              block->set == NSDS_SET_ROLLING;
  if (cone && block->size > 0) draft_cone(d, block, first);
}

static int facets_of(const nsds_problem *problem) {
  int facets = 0;
  for (const nsds_block *b = problem->block; b < problem->block + problem->nblock; ++b)
    if (b->set == NSDS_SET_POLYHEDRON) facets += b->nfacet;
  return facets;
}

static nsds_status hold_proof(nsds_proof *p, nsds_solver *solver, const nsds_problem *problem,
                              size_t facets) {
  size_t m = (size_t)problem->n + 1 + facets, columns = 4 * m;
  const nsds_cut cut[] = {NSDS_CUT(p->y, m),
                          NSDS_CUT(p->A, m * columns),
                          NSDS_CUT(p->weight, columns),
                          NSDS_CUT(p->row, 2 * columns),
                          NSDS_CUT(p->value, 2 * columns),
                          NSDS_CUT(p->unit, m),
                          NSDS_CUT(p->column, m),
                          NSDS_CUT(p->seen, 2 * m),
                          NSDS_CUT(p->active, m),
                          NSDS_CUT(p->Q, m * m),
                          NSDS_CUT(p->R, m * m),
                          NSDS_CUT(p->next, m),
                          NSDS_CUT(p->rest, m),
                          NSDS_CUT(p->feasible, nsds_feasible_work * m),
                          NSDS_CUT(p->work, nsds_problem_work(problem) + m)};
  nsds_status status = NSDS_HOLD(&solver->store, cut);
  return status ? status : nsds_form_reserve_dense(solver, problem);
}

nsds_status nsds_proof_reserve(nsds_proof *p, nsds_solver *solver, const nsds_problem *problem) {
  if (NSDS_LIKELY(nsds_proof_covers(p, problem))) return NSDS_OK;
  nsds_status status = hold_proof(p, solver, problem, (size_t)facets_of(problem));
  if (!status) p->rows = problem->n, p->storage = problem->M.storage;
  return status;
}

static bool rows_are_alone(const nsds_problem *problem) {
  for (int a = 0; a < problem->nblock; ++a)
    if (!((unsigned)problem->block[a].set & nsds_bound_sets)) return false;
  return true;
}

static bool column_is_empty(const draft *d, int j) {
  int n = d->problem->n;
  for (int i = 0; i < n; ++i)
    if (d->M[i + (ptrdiff_t)j * n] != 0.0) return false;
  return true;
}

/* If rows stand alone, an empty column has no unit, and gets 0: no bound of its z helps a proof. */
static void find_row_units(const draft *d) {
  int n = d->problem->n;
  nsds_proof *p = d->p;
  nsds_columns_view M = {.n = n, .a = d->M};
  if (rows_are_alone(d->problem)) {
    nsds_canonical_scales(&M, d->problem->q, p->unit, p->column, p->next, p->seen);
    for (int j = 0; j < n; ++j)
      if (column_is_empty(d, j)) p->column[j] = 0.0;
    return;
  }
  for (int i = 0; i < n; ++i) {
    double m = fabs(d->M[i + (ptrdiff_t)i * n]);
    p->column[i] = p->unit[i] = m > 0.0 ? 1.0 / sqrt(m) : 1.0;
  }
}

/* Writes all columns. Entries of the load are at most `load`: the smaller, the more M^T y - g counts
 * beside it. */
static void write_columns(draft *d, double load) {
  int n = d->problem->n;
  double most = 0.0;
  d->columns = d->facet = 0;
  find_row_units(d);
  for (int a = 0, row = 0; a < d->problem->nblock; row += d->problem->block[a++].size)
    draft_block(d, &d->problem->block[a], row);
  for (int c = 0; c < d->columns; ++c) nsds_raise(&most, fabs(proof_column_of(d, c)[n]));
  for (int c = 0; c < d->columns && most > 0.0; ++c) proof_column_of(d, c)[n] *= load / most;
}

/* ---- nonnegative least squares ---- */

static const double dependent = 1e-22; /* squared: a smaller rest of a column is rounding */
static const double solved = 1e-13;    /* allowed rest of the load */
static const double nearly = 1e-2;     /* allowed rest if no column takes more; the check decides */

static double length(const draft *d, const double *x) {
  return sqrt(nsds_inner_product(d->m, x, x));
}

/* Adds an active column to the factors; false if it depends on the others. */
static bool enter_column(const draft *d, int c) {
  nsds_proof *p = d->p;
  int m = d->m, k = p->count;
  double *q = p->Q + (ptrdiff_t)k * m, size;
  nsds_copy_doubles(q, proof_column_of(d, c), (size_t)m);
  size = nsds_inner_product(m, q, q);
  double square = nsds_orthogonalise(m, k, p->Q, q, p->R + (ptrdiff_t)k * m);
  if (k == m || !(square > dependent * size)) return false;
  p->R[k + (ptrdiff_t)k * m] = sqrt(square);
  for (int i = 0; i < m; ++i) q[i] /= sqrt(square);
  p->active[p->count++] = c;
  return true;
}

/* Writes the least squares weights of the active columns to `next`, and their rest to `rest`. */
static void fit(const draft *d) {
  nsds_proof *p = d->p;
  int m = d->m, n = d->problem->n;
  for (int i = 0; i < m; ++i) p->rest[i] = i == n ? -1.0 : 0.0;
  for (int k = 0; k < p->count; ++k) {
    const double *q = p->Q + (ptrdiff_t)k * m;
    p->next[k] = nsds_inner_product(m, q, p->rest);
    for (int i = 0; i < m; ++i) p->rest[i] -= p->next[k] * q[i];
  }
  for (int k = p->count - 1; k >= 0; --k) {
    p->next[k] /= p->R[k + (ptrdiff_t)k * m];
    for (int i = 0; i < k; ++i) p->next[i] -= p->R[i + (ptrdiff_t)k * m] * p->next[k];
  }
}

/* Goes towards `next` as far as the weights stay nonnegative, and drops weights that vanish; true
 * at the end. */
static bool proof_advance(const draft *d) {
  nsds_proof *p = d->p;
  double step = 1.0;
  int stop = -1, kept = p->count;
  for (int k = 0; k < p->count; ++k) {
    double x = p->weight[p->active[k]];
    if (p->next[k] > 0.0 || x > step * (x - p->next[k])) continue;
    step = x / (x - p->next[k]);
    stop = k;
  }
  for (int k = 0; k < p->count; ++k) {
    double *x = &p->weight[p->active[k]];
    *x += step * (p->next[k] - *x);
  }
  if (stop < 0) return true;
  p->weight[p->active[stop]] = 0.0;
  int first = 0; /* columns before the first that vanishes keep their factors */
  while (p->weight[p->active[first]] > 0.0) ++first;
  p->count = first;
  for (int k = first; k < kept; ++k) {
    int c = p->active[k];
    if (!(p->weight[c] > 0.0) || !enter_column(d, c)) p->weight[c] = 0.0;
  }
  return false;
}

/* Returns the inactive column that would take most of the rest; -1: none. A column that depends on
 * active ones has a negative weight until they change. */
static int best_column(const draft *d) {
  double most = 1e-14;
  int best = -1;
  for (int c = 0; c < d->columns; ++c) {
    const double *a = proof_column_of(d, c);
    double along = nsds_inner_product(d->m, a, d->p->rest);
    if (d->p->weight[c] != 0.0 || !(along > 0.0)) continue;
    along /= sqrt(nsds_inner_product(d->m, a, a));
    if (along > most) most = along, best = c;
  }
  return best;
}

static bool meet_load(const draft *d) {
  nsds_proof *p = d->p;
  p->count = 0;
  nsds_zero_doubles(p->weight, (size_t)d->columns);
  fit(d);
  for (int pass = 0; pass < 3 * d->columns; ++pass) {
    int c = best_column(d);
    if (c < 0) return length(d, p->rest) <= nearly;
    if (!enter_column(d, c)) {
      p->weight[c] = -1.0;
      continue;
    }
    for (int k = 0; k < d->columns; ++k) p->weight[k] = fmax(p->weight[k], 0.0);
    do fit(d);
    while (!proof_advance(d));
    if (length(d, p->rest) <= solved) return true;
  }
  return false;
}

/* Sums y from the rays, without weights that are rounding. */
static void sum_rays(const draft *d) {
  static const double noise = 1e-12;
  nsds_proof *p = d->p;
  double most = 0.0;
  nsds_zero_doubles(p->y, (size_t)d->problem->n);
  for (int c = 0; c < d->columns; ++c) nsds_raise(&most, p->weight[c]);
  for (int c = 0; c < d->columns; ++c)
    for (int k = 2 * c; k < 2 * c + 2; ++k)
      if (p->row[k] >= 0 && p->weight[c] > noise * most)
        p->y[p->row[k]] += p->value[k] * p->weight[c];
}

/* Returns x with a mantissa of so many bits. */
static double with_bits(double x, int bits) {
  int exponent;
  double part = frexp(x, &exponent);
  return ldexp(rint(ldexp(part, bits)), exponent - bits);
}

/* Chooses y of the farthest reach among y and multiples of it with few bits: M^T y may vanish exactly
 * for these. `best` has n entries. */
static double find_farthest(const nsds_problem *problem, double *y, double *best, double *work) {
  enum { most_tries = 8 };
  static const int bits[] = {10, 20, 34};
  size_t n = (size_t)problem->n;
  double *tried = work + nsds_problem_work(problem), reach = nsds_certify_reach(problem, y, work);
  nsds_copy_doubles(best, y, n);
  for (size_t k = 0, tries = 0; k < n && tries < most_tries; ++k) {
    if (y[k] == 0.0) continue;
    ++tries;
    for (int b = 0; b < 3; ++b) {
      for (size_t i = 0; i < n; ++i) tried[i] = with_bits(y[i] / fabs(y[k]), bits[b]);
      double now = nsds_certify_reach(problem, tried, work);
      if (!(now > reach)) continue;
      reach = now;
      nsds_copy_doubles(best, tried, n);
    }
  }
  nsds_copy_doubles(y, best, n);
  return reach;
}

nsds_status nsds_proof_look(nsds_proof *p, nsds_solver *solver, const nsds_problem *problem,
                            const double *near, bool *found) {
  static const double loads[] = {1.0, 0x1p-10,
                                 0x1p-20}; /* vectors that M^T nearly maps to 0 mislead */
  int n = problem->n, facets = facets_of(problem);
  *found = false;
  if (n > nsds_most_proof_rows || facets > nsds_most_proof_rows) return NSDS_OK;
  draft d = {.p = p, .problem = problem, .m = n + 1 + facets};
  nsds_status status = hold_proof(p, solver, problem, (size_t)facets);
  if (!status) status = nsds_form_dense(solver, problem, &d.M);
  if (status || (near && nsds_feasible_near(problem, d.M, near, p->feasible))) return status;
  for (size_t k = 0; k < sizeof loads / sizeof *loads && !*found; ++k) {
    write_columns(&d, loads[k]);
    if (!meet_load(&d)) return NSDS_OK;
    sum_rays(&d);
    *found = find_farthest(problem, p->y, p->next, p->work) >= nsds_least_reach;
  }
  return NSDS_OK;
}
