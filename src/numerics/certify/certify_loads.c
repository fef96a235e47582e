/*
 * Loads by connected components of M, see certify_loads.h. Rows and column groups form a forest of
 * disjoint sets, with path halving (Tarjan & van Leeuwen: J. ACM 31, 1984). Components are found
 * only if some block has terms beyond its own load.
 */
#include "numerics/certify/certify_loads.h"

#include "base/base.h"
#include "base/parallel.h"
#include "numerics/certify/certify_halo.h"
#include "numerics/certify/certify_sets.h"
#include "numerics/certify/certify_units.h"

#include <stdlib.h>

/* ---- blocks by parts ---- */

typedef struct counting {
  const nsds_problem *problem;
  int *rows; /* number of rows in each part */
} counting;

static void count_part(void *self, int part, int parts) {
  const counting *t = self;
  int begin = nsds_part_begin(t->problem->nblock, part, parts);
  int end = nsds_part_begin(t->problem->nblock, part + 1, parts), rows = 0;
  for (int a = begin; a < end; ++a) rows += t->problem->block[a].size;
  t->rows[part] = rows;
}

int nsds_cut_blocks(const nsds_context *context, const nsds_problem *problem, int *first_row) {
  enum { few = 512 }; /* blocks that are not worth sharing */
  int parts = nsds_parts(problem->nblock, few), row = 0;
  counting t = {.problem = problem, .rows = first_row};
  first_row[0] = 0;
  if (parts == 1) return 1;
  nsds_share_out(context, parts, count_part, &t);
  for (int part = 0; part < parts; ++part) {
    int rows = first_row[part];
    first_row[part] = row;
    row += rows;
  }
  return parts;
}

/* ---- one block ---- */

static bool may_run_off(const nsds_block *block, int i) {
  switch (block->set) {
  case NSDS_SET_BOX: return !(isfinite(block->lower[i]) && isfinite(block->upper[i]));
  case NSDS_SET_DISC: return false;
  case NSDS_SET_POLYHEDRON: return i > 0 || !nsds_certify_bounded(block);
  default: return true;
  }
}

static bool rows_alone(const nsds_block *block) {
  return block->set == NSDS_SET_EQUALITY || block->set == NSDS_SET_NONNEGATIVE ||
         block->set == NSDS_SET_BOX;
}

/* Squares, divided by the diagonal. */
typedef struct sizes {
  double terms, load;
} sizes;

/* The measured problem; by parts of the blocks the largest terms and loads, and whether terms
 * exceed a block's load. */
typedef struct extent {
  const nsds_problem *problem;
  const double *z, *s, *d;
  bool coupled;
  double limit; /* squared */
  int first_row[nsds_most_parts];
  double terms[nsds_most_parts], load[nsds_most_parts];
  bool beyond[nsds_most_parts];
} extent;

/* Adds a row of a block; `weight` is the unit of w / z there, `free` that the row may run off. */
static inline void measure_row(const extent *t, const nsds_block *block, int row, double weight,
                               bool free, sizes *size) {
  double q = t->problem->q[row];
  nsds_raise(&size->load, q * (q / weight));
  if (!free) nsds_raise(&size->load, t->z[row] * (t->z[row] * weight));
  else if (!t->coupled || !rows_alone(block))
    nsds_raise(&size->terms, t->s[row] * (t->s[row] / weight));
}

/* Measures a run of rows, each alone and free to run off. */
static inline void measure_run(extent *t, int part, int row, int end) {
  const double *q = t->problem->q, *s = t->s, *d = t->d;
  double terms = t->terms[part], load = t->load[part], limit = t->limit;
  bool coupled = t->coupled, beyond = t->beyond[part];
  for (; row < end; ++row) {
    double weight = d[row] > 0.0 ? d[row] : 1.0, own = q[row] * (q[row] / weight);
    nsds_raise(&load, own);
    if (coupled) continue;
    double size = s[row] * (s[row] / weight);
    nsds_raise(&terms, size);
    beyond |= size > limit * own;
  }
  t->terms[part] = terms;
  t->load[part] = load;
  t->beyond[part] = beyond;
}

/* Measures a block of other sets; returns the row after it. */
static int measure_block(extent *t, int part, const nsds_block *block, int row) {
  bool free = true, alone = rows_alone(block);
  sizes size = {0.0, 0.0};
  for (int i = 0; i < block->size; ++i, ++row) {
    if (i == 0 || block->set == NSDS_SET_BOX) free = may_run_off(block, i);
    if (alone) size = (sizes){0.0, 0.0};
    measure_row(t, block, row, t->d[row] > 0.0 ? t->d[row] : 1.0, free, &size);
    if (!alone && i < block->size - 1) continue;
    nsds_raise(&t->terms[part], size.terms);
    nsds_raise(&t->load[part], size.load);
    t->beyond[part] = t->beyond[part] || size.terms > t->limit * size.load;
  }
  return row;
}

static void certify_loads_measure_part(void *self, int part, int parts) {
  extent *t = self;
  const nsds_block *block = t->problem->block + nsds_part_begin(t->problem->nblock, part, parts);
  const nsds_block *last = t->problem->block + nsds_part_begin(t->problem->nblock, part + 1, parts);
  int row = t->first_row[part];
  t->terms[part] = t->load[part] = 0.0;
  t->beyond[part] = false;
  while (block < last) {
    int end = row;
    while (block < last && (block->set == NSDS_SET_NONNEGATIVE || block->set == NSDS_SET_EQUALITY))
      end += block++->size;
    if (end > row) measure_run(t, part, row, end);
    row = block < last ? measure_block(t, part, block++, end) : end;
  }
}

/* ---- connected components ---- */

/* Parents of rows, and of column groups, which are numbered after the rows. The work's doubles hold
 * the indices. */
typedef struct forest {
  int n, trees;
  bool whole; /* false: parts of components, which are found faster */
  double *row, *column;
} forest;

static double *parent(const forest *f, int k) {
  return k < f->n ? &f->row[k] : &f->column[k - f->n];
}

static int certify_loads_root(const forest *f, int k) {
  for (int up; (up = (int)*parent(f, k)) != k; k = up) *parent(f, k) = *parent(f, up);
  return k;
}

/* Joins two trees. The smaller root remains; rows come before column groups, so that a root is a
 * row. */
static void tie(forest *f, int a, int b) {
  a = certify_loads_root(f, a);
  b = certify_loads_root(f, b);
  if (a == b) return;
  *parent(f, a < b ? b : a) = a < b ? a : b;
  --f->trees;
}

static void tie_dense(forest *f, const double *x) {
  for (int j = 0; j < f->n && f->trees > 1; ++j, x += f->n)
    for (int i = 0; i < f->n; ++i)
      if (f->row[i] != f->row[j] && x[i] != 0.0) tie(f, i, j);
}

static void tie_csc(forest *f, const nsds_matrix *M) {
  for (int j = 0; j < f->n && f->trees > 1; ++j)
    for (int k = M->p[j]; k < M->p[j + 1]; ++k)
      if (f->row[M->i[k]] != f->row[j] && M->x[k] != 0.0) tie(f, M->i[k], j);
}

static void tie_block_rows(forest *f, const nsds_block_rows *B) {
  for (int a = 0; a < B->nrow_block && f->trees > 1; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int m = B->row[a + 1] - B->row[a], b = B->column[k], n = B->row[b + 1] - B->row[b];
      const double *x = B->x + B->start[k], *row = f->row + B->row[a];
      for (int j = B->row[b]; j < B->row[b] + n; ++j, x += m)
        for (int i = 0; i < m; ++i)
          if (row[i] != f->row[j] && x[i] != 0.0) tie(f, B->row[a] + i, j);
    }
}

/* Returns the effect of an impulse in row i, of m, on column c of an edge. */
static double moves(const nsds_factored *f, const nsds_edge *e, int m, int i, int c) {
  return e->Y ? e->Y[c + i * e->size] : f->gain[e->column + c] * e->H[i + c * m];
}

/* Adds the columns that impulses move. Impulses do not move bodies with prescribed velocities. */
static void find_columns(forest *f, const nsds_factored *M) {
  for (const nsds_edge *e = M->edge, *end = e + M->first_edge[M->nrow_block]; e < end; ++e)
    for (int c = 0; c < e->size; ++c) f->column[e->column + c] = -1.0;
  for (int a = 0; a < M->nrow_block; ++a)
    for (int k = M->first_edge[a], m = M->row[a + 1] - M->row[a]; k < M->first_edge[a + 1]; ++k)
      for (int c = 0; c < M->edge[k].size; ++c) {
        const nsds_edge *e = &M->edge[k];
        int column = e->column + c, i = 0;
        if (f->column[column] >= 0.0) continue;
        if (!e->Y) i = M->gain[column] != 0.0 ? 0 : m;
        while (e->Y && i < m && moves(M, e, m, i, c) == 0.0) ++i;
        if (i == m) continue;
        f->column[column] = f->n + column;
        ++f->trees;
      }
}

/* Returns the first nonzero entry of H, in an edge of m rows, whose row also moves its column; m *
 * size if there is none. */
static int first_entry(const nsds_factored *M, const nsds_edge *e, int m) {
  int at = 0, all = m * e->size;
  while (at < all && (e->H[at] == 0.0 || moves(M, e, m, at % m, at / m) == 0.0)) ++at;
  return at;
}

/* Ties one row of each edge to one column. The trees are parts of components, found in a third of
 * the time. */
static void tie_some_of_factored(forest *f, const nsds_factored *M) {
  for (int pass = 0; pass < 2; ++pass)
    for (int a = 0; a < M->nrow_block; ++a) {
      int row = M->row[a], m = M->row[a + 1] - row;
      for (int k = M->first_edge[a]; k < M->first_edge[a + 1]; ++k) {
        const nsds_edge *e = &M->edge[k];
        int at = first_entry(M, e, m);
        if (at == m * e->size) continue;
        int column = e->column + at / m;
        if (pass == 0) f->column[column] = f->n + column;
        else tie(f, row + at % m, f->n + column);
      }
    }
}

static void tie_factored(forest *f, const nsds_factored *M) {
  if (!f->whole) {
    tie_some_of_factored(f, M);
    return;
  }
  find_columns(f, M);
  for (int a = 0; a < M->nrow_block; ++a) {
    int row = M->row[a], m = M->row[a + 1] - row;
    for (int at = 0; M->D && M->D[a] && at < m * m; ++at)
      if (M->D[a][at] != 0.0) tie(f, row + at % m, row + at / m);
    for (int k = M->first_edge[a]; k < M->first_edge[a + 1]; ++k)
      for (int c = 0; c < M->edge[k].size; ++c) {
        const nsds_edge *e = &M->edge[k];
        const double *column = &f->column[e->column + c], *H = e->H + c * m;
        for (int i = 0; i < m && *column >= 0.0; ++i)
          if (*column != f->row[row + i] && (H[i] != 0.0 || (e->Y && moves(M, e, m, i, c) != 0.0)))
            tie(f, row + i, f->n + e->column + c);
      }
  }
}

static void grow_forest(forest *f, const nsds_problem *problem) {
  const nsds_matrix *M = &problem->M;
  f->trees = f->n;
  for (int i = 0; i < f->n; ++i) f->row[i] = i;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    for (int i = 1; !rows_alone(&problem->block[a]) && i < problem->block[a].size; ++i)
      tie(f, row, row + i);
  switch (M->storage) {
  case NSDS_DENSE: tie_dense(f, M->x); break;
  case NSDS_CSC: tie_csc(f, M); break;
  case NSDS_BLOCK_ROWS: tie_block_rows(f, M->blocks); break;
  case NSDS_FACTORED: tie_factored(f, M->factored); break;
  }
  for (int i = 0; i < f->n; ++i) f->row[i] = certify_loads_root(f, i);
}

/* ---- loads ---- */

/* Writes the terms and the load of each component to its root. */
static void measure_components(const extent *t, const forest *f, double *terms, double *load) {
  const nsds_problem *problem = t->problem;
  for (int i = 0; i < f->n; ++i) terms[i] = load[i] = 0.0;
  for (int a = 0, row = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    bool free = true;
    for (int i = 0; i < block->size; ++i, ++row) {
      int at = (int)f->row[row];
      sizes size = {terms[at], load[at]};
      if (i == 0 || block->set == NSDS_SET_BOX) free = may_run_off(block, i);
      double d = t->d[row];
      measure_row(t, block, row, d > 0.0 ? d : nsds_unit_without_diagonal(&problem->M, row), free,
                  &size);
      terms[at] = size.terms;
      load[at] = size.load;
    }
  }
}

/* Gives each component the largest load of its parts on other processes. Loads go from columns to
 * components and back until none rises. `v` has ncolumn entries. */
static void share_loads(const nsds_problem *problem, const forest *f, double *load, double *v) {
  const nsds_halo *halo = problem->halo;
  int ncolumn = problem->M.storage == NSDS_FACTORED ? problem->M.factored->ncolumn : 0;
  for (bool rises = true; rises;) {
    rises = false;
    for (int c = 0; c < ncolumn; ++c) {
      int root = f->column[c] < 0.0 ? f->n : certify_loads_root(f, f->n + c);
      v[c] = root < f->n ? load[root] : 0.0;
    }
    halo->raise(halo->self, v);
    for (int c = 0; c < ncolumn; ++c) {
      int root = v[c] > 0.0 && f->column[c] >= 0.0 ? certify_loads_root(f, f->n + c) : f->n;
      if (root >= f->n || !(v[c] > load[root])) continue;
      load[root] = v[c];
      rises = true;
    }
    rises = nsds_any_part(problem, rises);
  }
}

/* Least load of a component as a part of the whole load, squared, since q may be a difference. If
 * all terms are smaller, no component need be found. */
static const double least_part = 1e-12, least_part_root = 1e-6;

static nsds_loads by_components(const extent *t, double *work, double load_of_all, bool whole) {
  size_t n = (size_t)t->problem->n;
  double *load = work + 4 * n, *terms = work + 6 * n, most = 0.0; /* the slack lies at work + 5 n */
  forest f = {.n = t->problem->n, .whole = whole, .row = work + 3 * n, .column = work + 7 * n};
  grow_forest(&f, t->problem);
  measure_components(t, &f, terms, load);
  if (t->problem->halo)
    share_loads(t->problem, &f, load, work + 7 * n + t->problem->M.factored->ncolumn);
  for (size_t i = 0; i < n; ++i) {
    if (load[i] > 0.0) nsds_raise(&load[i], least_part * load_of_all);
    if (load[i] > 0.0) nsds_raise(&most, terms[i] / load[i]);
    else if (!whole && terms[i] > 0.0) most = INFINITY; /* its load may lie in another part */
  }
  nsds_most_of_parts(t->problem, 1, &most);
  for (size_t i = 0; i < n; ++i) terms[i] = sqrt(load[(size_t)f.row[i]]);
  return (nsds_loads){.of = most > t->limit ? terms : NULL, .ratio = sqrt(most)};
}

/* Compares the largest terms with the largest q, in the units least favourable. */
bool nsds_certify_may_exceed(const nsds_problem *problem, const double *work, double limit) {
  const double *q = problem->q, *s = work + problem->n, *d = s + problem->n;
  double terms = 0.0, load = 0.0, least = INFINITY, most = 0.0;
  for (int i = 0, n = problem->n; i < n; ++i) {
    double size = fabs(q[i]);
    load = size > load ? size : load;
    terms = s[i] > terms ? s[i] : terms;
    most = d[i] > most ? d[i] : most;
    least = d[i] < least ? d[i] : least;
  }
  return !(least > 0.0 && terms * sqrt(most / least) <= limit * (least_part_root * load));
}

nsds_loads nsds_certify_loads(const nsds_context *context, const nsds_problem *problem,
                              const double *z, double *work, bool coupled, double limit) {
  size_t n = (size_t)problem->n;
  extent t; /* large; every field is written before it is read */
  t.problem = problem;
  t.z = z;
  t.s = work + n;
  t.d = t.s + n;
  t.coupled = coupled;
  t.limit = limit * limit;
  int parts = nsds_cut_blocks(context, problem, t.first_row);
  nsds_share_out(context, parts, certify_loads_measure_part, &t);
  double terms = 0.0, load = 0.0;
  bool beyond = false;
  for (int part = 0; part < parts; ++part) {
    nsds_raise(&terms, t.terms[part]);
    nsds_raise(&load, t.load[part]);
    beyond = beyond || t.beyond[part];
  }
  if (NSDS_UNLIKELY(problem->halo)) {
    double x[3] = {terms, load, beyond};
    nsds_most_of_parts(problem, 3, x);
    terms = x[0], load = x[1], beyond = x[2] > 0.0;
  }
  beyond = beyond && terms > t.limit * least_part * load;
  nsds_loads loads = {0};
  if (beyond && !problem->halo &&
      problem->M.storage == NSDS_FACTORED) { /* if parts are within their loads, the whole is too */
    loads = by_components(&t, work, load, false);
    beyond = loads.of != NULL;
  }
  if (beyond) loads = by_components(&t, work, load, true);
  loads.terms = sqrt(terms);
  loads.load = sqrt(load);
  return loads;
}
