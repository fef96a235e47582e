/* Problems with polyhedral sets as mixed linear complementarity problems, see lcp_form.h. */
#include "numerics/pivoting/lcp_form.h"

#include "numerics/linear/matrix.h"
#include "numerics/pivoting/product_form.h"
#include "numerics/sets/bounds.h"
#include "numerics/sets/polyhedron.h"
#include "numerics/store.h"

#include <float.h>

/* A vanishing sum over the rows of a block is at most this part of the size of its terms. */
static const double rounding = 64 * DBL_EPSILON;

/* ---- size ---- */

/* The largest size of the form of a block. */
typedef struct room {
  int rows, terms, entries; /* terms of C; R has no more */
} room;

/* Returns true if a tangential or rolling part has one row, or mu = 0. */
static bool lcp_form_is_plane(int rows, double mu) { return rows == 1 || mu == 0.0; }

/* Returns true if the set of the block is a polyhedron, or friction in the plane. */
static bool has_form(const nsds_block *block) {
  int m = block->size, parts = (m - 1) / 2;
  switch (block->set) {
  case NSDS_SET_DISC: return lcp_form_is_plane(m, block->radius);
  case NSDS_SET_CONE: return m == 1 || lcp_form_is_plane(m - 1, block->mu);
  case NSDS_SET_COULOMB: return lcp_form_is_plane(m - 1, block->mu);
  case NSDS_SET_ROLLING:
    return lcp_form_is_plane(parts, block->mu) && lcp_form_is_plane(parts, block->mu_rolling);
  default: return true;
  }
}

static bool lcp_form_is_bounded(const nsds_block *block, int k) {
  return isfinite(block->lower[k]) && isfinite(block->upper[k]);
}

/* Computes the room of a block; false if there is no form. */
static bool room_of(const nsds_block *block, room *r) {
  int m = block->size;
  switch (block->set) {
  case NSDS_SET_BOX:
    *r = (room){m, m, 0};
    for (int k = 0; k < m; ++k) {
      if (block->lower[k] == block->upper[k]) --r->rows;
      else if (lcp_form_is_bounded(block, k)) ++r->rows, r->entries += 2;
    }
    break;
  case NSDS_SET_POLYHEDRON: *r = (room){m + block->nfacet, m * m, 2 * m * block->nfacet}; break;
  case NSDS_SET_DISC: *r = (room){2, 1, 2}; break;
  case NSDS_SET_CONE: *r = (room){2, 4, 0}; break;
  case NSDS_SET_COULOMB: *r = (room){3, 3, 3}; break;
  case NSDS_SET_ROLLING: *r = (room){5, 5, 6}; break;
  default: *r = (room){m, m, 0};
  }
  return has_form(block);
}

static bool room_of_problem(const nsds_problem *problem, room *sum) {
  *sum = (room){0};
  for (int a = 0; a < problem->nblock; ++a) {
    room r;
    if (problem->block[a].size == 0) continue;
    if (!room_of(&problem->block[a], &r)) return false;
    sum->rows += r.rows;
    sum->terms += r.terms;
    sum->entries += r.entries;
  }
  return true;
}

int nsds_lcp_size(const nsds_problem *problem) {
  room r;
  return room_of_problem(problem, &r) ? r.rows : -1;
}

/* ---- rows ---- */

static nsds_lcp_row *lcp_form_add_row(nsds_lcp_form *form) {
  nsds_lcp_row *row = &form->row[form->n++];
  *row = (nsds_lcp_row){.at_bound = -1, .at_zero = -1};
  return row;
}

static void add_both_terms(nsds_lcp_form *form, int i, double a) {
  if (a == 0.0) return;
  nsds_add_entry(&form->C, i, form->n - 1, a);
  nsds_add_entry(&form->R, form->n - 1, i, a);
}

static void add_skew_entries(nsds_lcp_form *form, int row, int column, double value) {
  if (value == 0.0) return;
  nsds_add_entry(&form->E, row, column, value);
  nsds_add_entry(&form->E, column, row, -value);
}

/* ---- sets ---- */

static void add_bounded(nsds_lcp_form *form, int i, double lower, double upper) {
  bool below = isfinite(lower), above = isfinite(upper);
  double start = below && above ? nsds_clip(0.0, lower, upper)
                 : below        ? lower
                 : above        ? upper
                                : 0.0;
  form->z0[i] = start;
  if (lower == upper) return;
  int first = form->n;
  nsds_lcp_row *row = lcp_form_add_row(form);
  row->free = !below && !above;
  add_both_terms(form, i, above && !below ? -1.0 : 1.0);
  if (!below || !above) return;
  row->shift = start - lower;
  if (row->shift > 0.0) row->at_zero = i;
  row->zero_bound = lower;
  row = lcp_form_add_row(form);
  row->slack = true;
  row->e = upper - start;
  row->at_bound = i;
  row->bound = upper;
  add_skew_entries(form, first, first + 1, 1.0);
}

static void add_bounded_rows(nsds_lcp_form *form, const nsds_block *block, int i) {
  bool box = block->set == NSDS_SET_BOX;
  double lower = block->set == NSDS_SET_EQUALITY ? -INFINITY : 0.0;
  for (int k = 0; k < block->size; ++k)
    add_bounded(form, i + k, box ? block->lower[k] : lower, box ? block->upper[k] : INFINITY);
}

/* Adds the cone |z_T| <= mu z_N, without shift. */
static void lcp_form_add_cone(nsds_lcp_form *form, double mu, int i) {
  for (int side = 1; side >= -1; side -= 2) {
    lcp_form_add_row(form);
    add_both_terms(form, i, 0.5 / mu);
    add_both_terms(form, i + 1, 0.5 * side);
  }
}

/* Adds the rows of z_T. */
static void add_friction_part(nsds_lcp_form *form, int normal, double mu, int i) {
  int first = form->n;
  if (mu == 0.0) return;
  nsds_lcp_row *row = lcp_form_add_row(form);
  row->normal = normal;
  row->mu = mu;
  add_both_terms(form, i, 1.0);
  lcp_form_add_row(form)->slack = true;
  nsds_add_entry(&form->E, first, first + 1, 1.0);
  nsds_add_entry(&form->E, first + 1, normal, 2.0 * mu);
  nsds_add_entry(&form->E, first + 1, first, -1.0);
}

static void lcp_form_add_friction(nsds_lcp_form *form, const nsds_block *block, int i) {
  int normal = form->n, parts = block->set == NSDS_SET_ROLLING ? (block->size - 1) / 2 : 0;
  lcp_form_add_row(form);
  add_both_terms(form, i, 1.0);
  if (block->mu > 0.0) nsds_add_entry(&form->C, i + 1, normal, -block->mu);
  if (parts && block->mu_rolling > 0.0)
    nsds_add_entry(&form->C, i + 1 + parts, normal, -block->mu_rolling);
  add_friction_part(form, normal, block->mu, i + 1);
  if (parts) add_friction_part(form, normal, block->mu_rolling, i + 1 + parts);
}

static bool in_basis(const nsds_vertex *v, int facet) {
  for (int k = 0; k < v->rank; ++k)
    if (v->facet[k] == facet) return true;
  return false;
}

/* Returns h.x - k; *size is the size of its terms. */
static double slack_at(int m, const double *h, double k, const double *x, double *size) {
  double sum = -k;
  *size = fabs(k);
  for (int j = 0; j < m; ++j) {
    sum += h[j] * x[j];
    *size += fabs(h[j] * x[j]);
  }
  return sum;
}

/* Adds a facet outside the basis: its slack at the vertex, at least 0, and its row of F. */
static void lcp_form_add_facet(nsds_lcp_form *form, const nsds_vertex *v, int m, const double *h,
                               double k, int first) {
  nsds_lcp_row *row = lcp_form_add_row(form);
  int here = form->n - 1;
  double size, slack = slack_at(m, h, k, v->point, &size);
  row->slack = true;
  row->e = slack > rounding * size ? slack : 0.0;
  for (int c = 0; c < v->rank; ++c) {
    double value = slack_at(m, h, 0.0, v->direction + c * m, &size);
    if (fabs(value) > rounding * size) add_skew_entries(form, here, first + c, value);
  }
}

static bool add_polyhedron(nsds_lcp_form *form, const nsds_block *block, int i) {
  nsds_vertex v;
  int m = block->size, first = form->n;
  double h[NSDS_COUPLED_ROWS], k;
  bool found = nsds_vertex_find(block, &v);
  form->empty = v.empty;
  if (!found) return false;
  memcpy(form->z0 + i, v.point, (size_t)m * sizeof *v.point);
  for (int c = 0; c < m; ++c) {
    lcp_form_add_row(form)->free = c >= v.rank;
    for (int j = 0; j < m; ++j) add_both_terms(form, i + j, v.direction[j + c * m]);
  }
  for (int f = 0; f < block->nfacet; ++f)
    if (!in_basis(&v, f) && nsds_facet_normal(block, f, h, &k))
      lcp_form_add_facet(form, &v, m, h, k, first);
  return true;
}

static bool lcp_form_add_block(nsds_lcp_form *form, const nsds_block *block, int i) {
  switch (block->set) {
  case NSDS_SET_POLYHEDRON: return add_polyhedron(form, block, i);
  case NSDS_SET_DISC:
    if (block->radius > 0.0) add_bounded(form, i, -block->radius, block->radius);
    return true;
  case NSDS_SET_CONE:
    if (block->size == 2 && block->mu > 0.0) lcp_form_add_cone(form, block->mu, i);
    else add_bounded(form, i, 0.0, INFINITY);
    return true;
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: lcp_form_add_friction(form, block, i); return true;
  default: add_bounded_rows(form, block, i); return true;
  }
}

nsds_status nsds_lcp_reserve(nsds_store *store, nsds_lcp_form *form, const nsds_problem *problem) {
  room r;
  if (!room_of_problem(problem, &r)) return NSDS_OK;
  size_t nz = (size_t)problem->n, rows = (size_t)r.rows;
  const nsds_cut cut[] = {NSDS_CUT(form->row, rows),
                          NSDS_CUT(form->z0, nz),
                          NSDS_CUT(form->w, nz),
                          NSDS_CUT(form->C.entry, r.terms),
                          NSDS_CUT(form->R.entry, r.terms),
                          NSDS_CUT(form->E.entry, r.entries),
                          NSDS_CUT(form->by_R.first, nz + 1),
                          NSDS_CUT(form->by_R.i, r.terms),
                          NSDS_CUT(form->by_R.a, r.terms),
                          NSDS_CUT(form->by_E.first, rows + 1),
                          NSDS_CUT(form->by_E.i, r.entries),
                          NSDS_CUT(form->by_E.a, r.entries),
                          NSDS_CUT(form->sums, nz + rows),
                          NSDS_CUT(form->mark, nz + rows),
                          NSDS_CUT(form->met, nz + rows)};
  return NSDS_HOLD(store, cut);
}

nsds_status nsds_lcp_build(nsds_store *store, nsds_lcp_form *form, const nsds_problem *problem) {
  nsds_status status = nsds_lcp_reserve(store, form, problem);
  if (status) return status;
  form->n = form->C.count = form->R.count = form->E.count = 0;
  form->nz = problem->n;
  form->empty = false;
  memset(form->z0, 0, (size_t)form->nz * sizeof *form->z0);
  bool found = true;
  for (int a = 0, i = 0; found && a < problem->nblock; i += problem->block[a++].size)
    if (problem->block[a].size > 0) found = lcp_form_add_block(form, &problem->block[a], i);
  if (!found) form->n = -1;
  return NSDS_OK;
}

/* ---- the form at work ---- */

void nsds_lcp_vector(const nsds_lcp_form *form, const nsds_problem *problem, double *b) {
  nsds_problem_multiply(problem, form->z0, form->w, NULL);
  for (int r = 0; r < form->n; ++r) b[r] = form->row[r].e;
  for (const nsds_sparse_entry *e = form->R.entry, *end = e + form->R.count; e < end; ++e)
    b[e->row] += e->value * form->w[e->column];
}

void nsds_lcp_recover(const nsds_lcp_form *form, const double *x, const unsigned char *basic,
                      double *z) {
  memcpy(z, form->z0, (size_t)form->nz * sizeof *z);
  for (const nsds_sparse_entry *e = form->C.entry, *end = e + form->C.count; e < end; ++e)
    z[e->row] += e->value * x[e->column];
  for (int k = 0; k < form->n; ++k) {
    const nsds_lcp_row *row = &form->row[k];
    if (row->at_bound >= 0 && basic[k]) z[row->at_bound] = row->bound;
    if (row->at_zero >= 0 && !basic[k]) z[row->at_zero] = row->zero_bound;
  }
}

/*
 * ---- A = R M C + E ----
 *
 * Computed column by column: M times a column of C, then the columns of R that meet the result.
 */

/* A sum of sparse vectors: values by index, and the indices met. */
typedef struct gather {
  double *value;
  int *mark, *met; /* mark[i] == stamp: i has been met */
  int count, stamp;
} gather;

static void lcp_form_add(gather *g, int i, double a) {
  if (g->mark[i] != g->stamp) {
    g->mark[i] = g->stamp;
    g->met[g->count++] = i;
    g->value[i] = 0.0;
  }
  g->value[i] += a;
}

static void lcp_form_clear(gather *g) {
  g->count = 0;
  ++g->stamp;
}

static void lcp_form_add_column(const nsds_lcp_form *f, int i, double a, gather *row) {
  const nsds_sparse_columns *R = &f->by_R;
  for (int e = R->first[i]; e < R->first[i + 1]; ++e) lcp_form_add(row, R->i[e], R->a[e] * a);
}

/* Writes column k of A, whose terms of C begin at *next, to `row`. If column k of C has several
 * entries, `m` holds M times it. */
static void make_column(const nsds_lcp_form *f, const nsds_matrix *M, int k, int *next, gather *m,
                        gather *row) {
  const nsds_sparse_entry *c = f->C.entry + *next, *end = c;
  while (end < f->C.entry + f->C.count && end->column == k) ++end;
  bool one = end == c + 1;
  *next += (int)(end - c);
  lcp_form_clear(m);
  lcp_form_clear(row);
  for (; c < end; ++c)
    for (int s = M->p[c->row]; s < M->p[c->row + 1]; ++s)
      if (one) lcp_form_add_column(f, M->i[s], M->x[s] * c->value, row);
      else lcp_form_add(m, M->i[s], M->x[s] * c->value);
  for (int j = 0; j < m->count; ++j) lcp_form_add_column(f, m->met[j], m->value[m->met[j]], row);
  for (int e = f->by_E.first[k]; e < f->by_E.first[k + 1]; ++e)
    lcp_form_add(row, f->by_E.i[e], f->by_E.a[e]);
}

/* Writes minus the sum, of n entries, with increasing indices; returns the number of entries. */
static int write(gather *g, int n, int *i, double *a) {
  enum { full = 8 }; /* with more than one index in 8 met, scanning all is cheaper than a sort */
  bool few = full * g->count < n;
  int count = 0;
  if (few) nsds_sort_indices(g->count, g->met);
  for (int k = 0; k < (few ? g->count : n); ++k) {
    int at = few ? g->met[k] : k;
    if (g->mark[at] != g->stamp || g->value[at] == 0.0) continue;
    i[count] = at;
    a[count++] = -g->value[at];
  }
  return count;
}

nsds_status nsds_lcp_columns(nsds_store *store, const nsds_lcp_form *form,
                             const nsds_problem *problem, nsds_sparse_columns *columns) {
  int nz = form->nz, next = 0;
  gather m = {.value = form->sums, .mark = form->mark, .met = form->met};
  gather row = {.value = form->sums + nz, .mark = form->mark + nz, .met = form->met + nz};
  memset(form->mark, 0, (size_t)(nz + form->n) * sizeof *form->mark);
  nsds_to_columns(&form->R, nz, form->by_R.first, form->by_R.i, form->by_R.a);
  nsds_to_columns(&form->E, form->n, form->by_E.first, form->by_E.i, form->by_E.a);
  for (int k = 0; k < form->n; ++k) {
    make_column(form, &problem->M, k, &next, &m, &row);
    nsds_status status = nsds_sparse_columns_open(store, columns, row.count);
    if (status) return status;
    int *end = &columns->first[columns->count];
    *end += write(&row, form->n, columns->i + *end, columns->a + *end);
  }
  return NSDS_OK;
}
