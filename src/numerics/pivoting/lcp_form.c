/* Problems with polyhedral sets as mixed linear complementarity problems, see lcp_form.h. */
#include "lcp_form.h"
#include "solver_internal.h"
#include "vertex.h"

#include <float.h>

/* What is left of a sum over the rows of a block that vanishes, over the size of its terms. */
static const double rounding = 64 * DBL_EPSILON;

/* ---- size ---- */

/* What the form of a block takes at most. */
typedef struct room {
  int rows, terms, entries; /* terms of C; those of R are no more */
} room;

/* Whether a tangential or rolling part is no rounder than a line. */
static bool is_plane(int rows, double mu) { return rows == 1 || mu == 0.0; }

/* Whether the set of the block is a polyhedron, or friction in the plane. */
static bool has_form(const nsds_block *block) {
  int m = block->size, parts = (m - 1) / 2;
  switch (block->set) {
  case NSDS_SET_DISC: return is_plane(m, block->radius);
  case NSDS_SET_CONE: return m == 1 || is_plane(m - 1, block->mu);
  case NSDS_SET_COULOMB: return is_plane(m - 1, block->mu);
  case NSDS_SET_ROLLING: return is_plane(parts, block->mu) && is_plane(parts, block->mu_rolling);
  default: return true;
  }
}

static bool is_bounded(const nsds_block *block, int k) {
  return isfinite(block->lower[k]) && isfinite(block->upper[k]);
}

/* False when there is no form. */
static bool room_of(const nsds_block *block, room *r) {
  int m = block->size;
  switch (block->set) {
  case NSDS_SET_BOX:
    *r = (room){m, m, 0};
    for (int k = 0; k < m; ++k) {
      if (block->lower[k] == block->upper[k]) --r->rows;
      else if (is_bounded(block, k)) ++r->rows, r->entries += 2;
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

int nsds_lcp_block_size(const nsds_block *block) {
  room r;
  return block->size == 0 ? 0 : room_of(block, &r) ? r.rows : -1;
}

int nsds_lcp_size(const nsds_problem *problem) {
  room r;
  return room_of_problem(problem, &r) ? r.rows : -1;
}

/* ---- rows ---- */

static nsds_lcp_row *add_row(nsds_lcp_form *form) {
  nsds_lcp_row *row = &form->row[form->n++];
  *row = (nsds_lcp_row){.at_bound = -1};
  form->z.first[form->n] = form->z.first[form->n - 1];
  form->w.first[form->n] = form->w.first[form->n - 1];
  return row;
}

/* To the last row. */
static void add_term(nsds_lcp_form *form, nsds_lcp_terms *terms, int i, double a) {
  int k = terms->first[form->n]++;
  terms->i[k] = i;
  terms->a[k] = a;
}

static void add_both_terms(nsds_lcp_form *form, int i, double a) {
  if (a == 0.0) return;
  add_term(form, &form->z, i, a);
  add_term(form, &form->w, i, a);
}

static void add_entry(nsds_lcp_form *form, int row, int column, double value) {
  form->entry[form->nentry++] = (nsds_lcp_entry){row, column, value};
}

static void add_skew_entries(nsds_lcp_form *form, int row, int column, double value) {
  if (value == 0.0) return;
  add_entry(form, row, column, value);
  add_entry(form, column, row, -value);
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
  nsds_lcp_row *row = add_row(form);
  row->free = !below && !above;
  add_both_terms(form, i, above && !below ? -1.0 : 1.0);
  if (!below || !above) return;
  row->shift = start - lower;
  row->zero_bound = lower;
  row = add_row(form);
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

/* |z_T| <= mu z_N without shift. */
static void add_cone(nsds_lcp_form *form, double mu, int i) {
  for (int side = 1; side >= -1; side -= 2) {
    add_row(form);
    add_both_terms(form, i, 0.5 / mu);
    add_both_terms(form, i + 1, 0.5 * side);
  }
}

/* The rows of z_T, and z_T's part of z_N's variable, which is the last of the row `normal` still
 * open; see add_friction. */
static void add_friction_part(nsds_lcp_form *form, int normal, double mu, int i) {
  int first = form->n;
  if (mu == 0.0) return;
  nsds_lcp_row *row = add_row(form);
  row->normal = normal;
  row->mu = mu;
  add_both_terms(form, i, 1.0);
  add_row(form)->slack = true;
  add_entry(form, first, first + 1, 1.0);
  add_entry(form, first + 1, normal, 2.0 * mu);
  add_entry(form, first + 1, first, -1.0);
}

static void add_friction(nsds_lcp_form *form, const nsds_block *block, int i) {
  int normal = form->n, parts = block->set == NSDS_SET_ROLLING ? (block->size - 1) / 2 : 0;
  add_row(form);
  add_both_terms(form, i, 1.0);
  if (block->mu > 0.0) add_term(form, &form->z, i + 1, -block->mu);
  if (parts && block->mu_rolling > 0.0) add_term(form, &form->z, i + 1 + parts, -block->mu_rolling);
  add_friction_part(form, normal, block->mu, i + 1);
  if (parts) add_friction_part(form, normal, block->mu_rolling, i + 1 + parts);
}

static bool in_basis(const nsds_vertex *v, int facet) {
  for (int k = 0; k < v->rank; ++k)
    if (v->facet[k] == facet) return true;
  return false;
}

/* h.x - k, and the size of its terms. */
static double slack_at(int m, const double *h, double k, const double *x, double *size) {
  double sum = -k;
  *size = fabs(k);
  for (int j = 0; j < m; ++j) {
    sum += h[j] * x[j];
    *size += fabs(h[j] * x[j]);
  }
  return sum;
}

/* A facet outside the basis: its slack at the vertex, not below 0, and its row of F. */
static void add_facet(nsds_lcp_form *form, const nsds_vertex *v, int m, const double *h, double k,
                      int first) {
  nsds_lcp_row *row = add_row(form);
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
  if (!nsds_vertex_find(block, &v)) return false;
  memcpy(form->z0 + i, v.point, (size_t)m * sizeof *v.point);
  for (int c = 0; c < m; ++c) {
    add_row(form)->free = c >= v.rank;
    for (int j = 0; j < m; ++j) add_both_terms(form, i + j, v.direction[j + c * m]);
  }
  for (int f = 0; f < block->nfacet; ++f)
    if (!in_basis(&v, f) && nsds_facet_normal(block, f, h, &k)) add_facet(form, &v, m, h, k, first);
  return true;
}

static bool add_block(nsds_lcp_form *form, const nsds_block *block, int i) {
  switch (block->set) {
  case NSDS_SET_POLYHEDRON: return add_polyhedron(form, block, i);
  case NSDS_SET_DISC:
    if (block->radius > 0.0) add_bounded(form, i, -block->radius, block->radius);
    return true;
  case NSDS_SET_CONE:
    if (block->size == 2 && block->mu > 0.0) add_cone(form, block->mu, i);
    else add_bounded(form, i, 0.0, INFINITY);
    return true;
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: add_friction(form, block, i); return true;
  default: add_bounded_rows(form, block, i); return true;
  }
}

static nsds_status ensure_terms(nsds_context *context, nsds_lcp_terms *terms, room r) {
  nsds_status status;
  if ((status = NSDS_ENSURE(context, terms->first, terms->first_capacity, r.rows + 1)) ||
      (status = NSDS_ENSURE(context, terms->i, terms->i_capacity, r.terms)))
    return status;
  return NSDS_ENSURE(context, terms->a, terms->a_capacity, r.terms);
}

nsds_status nsds_lcp_reserve(nsds_context *context, nsds_lcp_form *form,
                             const nsds_problem *problem) {
  room r;
  nsds_status status;
  if (!room_of_problem(problem, &r)) return NSDS_OK;
  if ((status = NSDS_ENSURE(context, form->row, form->row_capacity, r.rows)) ||
      (status = NSDS_ENSURE(context, form->z0, form->z0_capacity, 2 * (size_t)problem->n + 1)) ||
      (status = NSDS_ENSURE(context, form->entry, form->entry_capacity, r.entries)) ||
      (status = ensure_terms(context, &form->z, r)) ||
      (status = ensure_terms(context, &form->w, r)))
    return status;
  size_t rows = (size_t)r.rows + (size_t)problem->n, rest = (size_t)r.terms + (size_t)r.entries;
  status = NSDS_ENSURE(context, form->work, form->work_capacity, 3 * rows + 2 * rest + 1);
  return status ? status : NSDS_ENSURE(context, form->sums, form->sums_capacity, rows + 1);
}

nsds_status nsds_lcp_build(nsds_context *context, nsds_lcp_form *form,
                           const nsds_problem *problem) {
  nsds_status status = nsds_lcp_reserve(context, form, problem);
  if (status) return status;
  form->n = form->nentry = 0;
  form->z.first[0] = form->w.first[0] = 0;
  form->nz = problem->n;
  memset(form->z0, 0, (size_t)form->nz * sizeof *form->z0);
  bool found = true;
  for (int a = 0, i = 0; found && a < problem->nblock; i += problem->block[a++].size)
    if (problem->block[a].size > 0) found = add_block(form, &problem->block[a], i);
  if (!found) form->n = -1;
  return NSDS_OK;
}

void nsds_lcp_release(nsds_context *context, nsds_lcp_form *form) {
  void *memory[] = {form->row, form->entry,   form->z0,  form->z.first, form->z.i, form->z.a,
                    form->w.i, form->w.first, form->w.a, form->work,    form->sums};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) nsds_release(context, memory[k]);
}

/* ---- the form at work ---- */

void nsds_lcp_recover(const nsds_lcp_form *form, const double *x, const unsigned char *basic,
                      double *z) {
  memcpy(z, form->z0, (size_t)form->nz * sizeof *z);
  for (int k = 0; k < form->n; ++k)
    for (int t = form->z.first[k]; t < form->z.first[k + 1]; ++t)
      z[form->z.i[t]] += form->z.a[t] * x[k];
  for (int k = 0; k < form->n; ++k) {
    const nsds_lcp_row *row = &form->row[k];
    if (row->at_bound >= 0 && basic[k]) z[row->at_bound] = row->bound;
    if (row->shift > 0.0 && !basic[k]) z[form->z.i[form->z.first[k]]] = row->zero_bound;
  }
}
