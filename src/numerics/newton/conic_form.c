/* The sets of the blocks as slices of Lorentz cones, see conic_form.h. */
#include "numerics/newton/conic_form.h"

#include "numerics/linear/block_system.h"
#include "numerics/store.h"

enum { most = NSDS_COUPLED_ROWS };

/* ---- making ---- */

static void conic_form_add_cone(nsds_conic_form *form, nsds_slack_cone cone) {
  cone.slack = form->nslack;
  form->nslack += cone.size;
  form->cone[form->ncone++] = cone;
}

static void conic_form_fix(nsds_conic_form *form, int first, int count) {
  for (int i = first; i < first + count; ++i) form->fixed[form->nfixed++] = i;
}

static void conic_form_add_bound(nsds_conic_form *form, int row, double factor, double bound,
                                 double room) {
  conic_form_add_cone(form, (nsds_slack_cone){.size = 1,
                                              .head = row,
                                              .row = row,
                                              .tail = row + 1,
                                              .factor = factor,
                                              .bound = factor * bound,
                                              .room = room});
}

static void add_box(nsds_conic_form *form, const nsds_block *block, int row) {
  for (int i = 0; i < block->size; ++i) {
    double lower = block->lower[i], upper = block->upper[i], room = 0.5 * (upper - lower);
    if (lower == upper) {
      conic_form_fix(form, row + i, 1);
      continue;
    }
    if (isfinite(lower)) conic_form_add_bound(form, row + i, 1.0, lower, room);
    if (isfinite(upper)) conic_form_add_bound(form, row + i, -1.0, upper, room);
  }
}

/* Adds ||z_tail|| <= mu z_N for `count` rows. Returns false if only zero satisfies it. */
static bool conic_form_add_friction(nsds_conic_form *form, bool shifted, double mu, int row,
                                    int tail, int count) {
  if (count == 0) return false;
  if (!(mu > 0.0)) {
    conic_form_fix(form, tail, count);
    return false;
  }
  conic_form_add_cone(form, (nsds_slack_cone){.size = 1 + count,
                                              .head = row,
                                              .row = row,
                                              .tail = tail,
                                              .factor = mu,
                                              .room = INFINITY,
                                              .shifted = shifted});
  return true;
}

static void conic_form_add_contact(nsds_conic_form *form, const nsds_block *block, int row) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  bool shifted = block->set != NSDS_SET_CONE;
  bool slides = conic_form_add_friction(form, shifted, block->mu, row, row + 1, m - 1 - rolling);
  bool rolls =
      conic_form_add_friction(form, shifted, block->mu_rolling, row, row + m - rolling, rolling);
  if (!slides && !rolls) conic_form_add_bound(form, row, 1.0, 0.0, INFINITY);
}

static void add_disc(nsds_conic_form *form, const nsds_block *block, int row) {
  if (!(block->radius > 0.0)) {
    conic_form_fix(form, row, block->size);
    return;
  }
  conic_form_add_cone(form, (nsds_slack_cone){.size = 1 + block->size,
                                              .head = -1,
                                              .row = row,
                                              .tail = row,
                                              .bound = -block->radius,
                                              .room = 0.5 * block->radius});
}

/* A row of H without entries tells nothing about z. */
static void add_facets(nsds_conic_form *form, const nsds_block *block, int row) {
  for (int k = 0; k < block->nfacet; ++k) {
    nsds_slack_cone cone = {.size = 1,
                            .head = -1,
                            .tail = row,
                            .bound = block->K[k],
                            .room = INFINITY,
                            .row = row,
                            .facet = block->H + k,
                            .stride = block->nfacet,
                            .rows = block->size};
    if (nsds_conic_normal(&cone) > 0.0) conic_form_add_cone(form, cone);
  }
}

static void conic_form_add_block(nsds_conic_form *form, const nsds_block *block, int row) {
  if (block->size == 0) return;
  switch (block->set) {
  case NSDS_SET_EQUALITY: break;
  case NSDS_SET_NONNEGATIVE:
    for (int i = 0; i < block->size; ++i) conic_form_add_bound(form, row + i, 1.0, 0.0, INFINITY);
    break;
  case NSDS_SET_BOX: add_box(form, block, row); break;
  case NSDS_SET_DISC: add_disc(form, block, row); break;
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: conic_form_add_contact(form, block, row); break;
  case NSDS_SET_POLYHEDRON: add_facets(form, block, row); break;
  }
}

nsds_status nsds_conic_form_make(nsds_conic_form *form, nsds_store *store,
                                 const nsds_problem *problem) {
  size_t count = 2 * (size_t)problem->n; /* two bounds for each row, else at most two cones */
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].set == NSDS_SET_POLYHEDRON) count += (size_t)problem->block[a].nfacet;
  const nsds_cut cut[] = {NSDS_CUT(form->cone, count), NSDS_CUT(form->fixed, problem->n)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (status) return status;
  form->ncone = form->nslack = form->nfixed = 0;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    conic_form_add_block(form, &problem->block[a], row);
  return NSDS_OK;
}

/* ---- G and its transpose ---- */

void nsds_conic_multiply(const nsds_slack_cone *c, const double *z, double *s) {
  double first = c->head < 0 ? 0.0 : c->factor * z[c->head];
  for (int j = 0; c->facet && j < c->rows; ++j) first += c->facet[j * c->stride] * z[c->row + j];
  s[0] = first;
  for (int i = 1; i < c->size; ++i) s[i] = z[c->tail + i - 1];
}

static void add_head(const nsds_slack_cone *c, double value, double *w) {
  if (c->head >= 0) w[c->head] += c->factor * value;
  for (int j = 0; c->facet && j < c->rows; ++j) w[c->row + j] += c->facet[j * c->stride] * value;
}

void nsds_conic_subtract(const nsds_slack_cone *c, const double *l, double length, double *w) {
  add_head(c, length - l[0], w);
  for (int i = 1; i < c->size; ++i) w[c->tail + i - 1] -= l[i];
}

/* Computes e, the derivative of the length of the tail of l, which the shift subtracts. */
static void shift_derivative(const nsds_slack_cone *c, bool shift, const double *l, double *e) {
  double sum = 0.0;
  for (int i = 1; i < c->size; ++i) sum += l[i] * l[i];
  double factor = c->shifted && shift && sum > 0.0 ? 1.0 / sqrt(sum) : 0.0;
  for (int i = 1; i < c->size; ++i) e[i] = factor * l[i];
}

void nsds_conic_add_derivative(const nsds_slack_cone *c, bool shift, const double *l,
                               const double *x, double *w) {
  double e[most + 1], first = x[0];
  shift_derivative(c, shift, l, e);
  for (int i = 1; i < c->size; ++i) {
    first -= e[i] * x[i];
    w[c->tail + i - 1] += x[i];
  }
  add_head(c, first, w);
}

double nsds_conic_normal(const nsds_slack_cone *c) {
  double sum = 0.0;
  for (int j = 0; c->facet && j < c->rows; ++j)
    sum += c->facet[j * c->stride] * c->facet[j * c->stride];
  return c->facet ? sqrt(sum) : 1.0;
}

/* ---- the linear system ---- */

static void conic_form_add_facet(const nsds_slack_cone *c, double weight,
                                 nsds_block_system *system) {
  for (int j = 0; j < c->rows; ++j)
    for (int i = 0; i < c->rows; ++i)
      *nsds_block_system_at(system, c->row + i, c->row + j) +=
          weight * c->facet[i * c->stride] * c->facet[j * c->stride];
}

void nsds_conic_add_system(const nsds_slack_cone *c, bool shift, const double *l, const double *P,
                           nsds_block_system *system) {
  double e[most + 1];
  int k = c->size;
  if (c->facet) {
    conic_form_add_facet(c, P[0], system);
    return;
  }
  shift_derivative(c, shift, l, e);
  for (int j = c->head < 0; j < k; ++j) {
    int column = j == 0 ? c->head : c->tail + j - 1;
    double weight = j == 0 ? c->factor : 1.0, first = P[j * k];
    for (int i = 1; i < k; ++i) {
      first -= e[i] * P[i + j * k];
      *nsds_block_system_at(system, c->tail + i - 1, column) += weight * P[i + j * k];
    }
    if (c->head >= 0) *nsds_block_system_at(system, c->head, column) += weight * c->factor * first;
  }
}
