/*
 * The check of a one-step nonsmooth problem: every message names the field, its value and what
 * would be valid.
 */
#include "problem_check.h"
#include "polyhedron.h"

#include <limits.h>
#include <stdio.h>

/* ---- the sets ---- */

static nsds_status check_finite(nsds_context *context, const char *field, const double *x, int n) {
  int bad = nsds_first_nonfinite(x, n);
  if (bad < 0) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: %s[%d] is %g; it must be finite",
                   field, bad, x[bad]);
}

/* The block that is checked, and what messages call it: see nsds_check_block(). */
typedef struct subject {
  nsds_context *context;
  const char *object;
  int a;
} subject;

/* A failure with the block's name in front. */
static nsds_status refuse(const subject *s, nsds_status status, const char *format, ...)
    NSDS_PRINTF(3, 4);

static nsds_status refuse(const subject *s, nsds_status status, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (s->object) return nsds_fail(s->context, status, "%s%s", s->object, text);
  return nsds_fail(s->context, status, "nsds_problem: block[%d]%s", s->a, text);
}

static nsds_status check_coefficient(const subject *s, const char *field, double x) {
  if (isfinite(x) && x >= 0.0) return NSDS_OK;
  return refuse(s, NSDS_ERROR_VALUE, ".%s is %g; it must be finite and not negative", field, x);
}

static nsds_status check_size(const subject *s, const nsds_block *block, bool valid,
                              const char *sizes) {
  if (valid) return NSDS_OK;
  return refuse(s, NSDS_ERROR_SIZE, ".size is %d; with this set it must be %s", block->size, sizes);
}

static nsds_status check_box(const subject *s, const nsds_block *block) {
  if (block->size > 0 && (!block->lower || !block->upper))
    return refuse(s, NSDS_ERROR_ARGUMENT, ".%s is NULL", block->lower ? "upper" : "lower");
  for (int i = 0; i < block->size; ++i) {
    double l = block->lower[i], u = block->upper[i];
    if (l <= u && l < INFINITY && u > -INFINITY) continue;
    return refuse(s, NSDS_ERROR_VALUE,
                  " has lower[%d] = %g and upper[%d] = %g; valid is lower <= upper, neither a "
                  "number that leaves no finite value",
                  i, l, i, u);
  }
  return NSDS_OK;
}

static nsds_status check_entries(const subject *s, const char *field, const double *x, int n) {
  int bad = nsds_first_nonfinite(x, n);
  if (bad < 0) return NSDS_OK;
  return refuse(s, NSDS_ERROR_VALUE, ".%s[%d] is %g; it must be finite", field, bad, x[bad]);
}

static nsds_status check_polyhedron(const subject *s, const nsds_block *block) {
  double x[NSDS_COUPLED_ROWS] = {0.0};
  int most = block->size > 0 ? INT_MAX / block->size : INT_MAX;
  if (block->nfacet < 0 || block->nfacet > most)
    return refuse(s, NSDS_ERROR_SIZE, ".nfacet is %d; valid is 0 to %d", block->nfacet, most);
  if (block->nfacet > 0 && (!block->H || !block->K))
    return refuse(s, NSDS_ERROR_ARGUMENT, ".%s is NULL", block->H ? "K" : "H");
  nsds_status status = check_entries(s, "H", block->H, block->nfacet * block->size);
  if (!status) status = check_entries(s, "K", block->K, block->nfacet);
  if (status || nsds_polyhedron_project(block, NULL, x, x, NULL)) return status;
  return refuse(s, NSDS_ERROR_VALUE, " has no point: no z satisfies its H z >= K");
}

static nsds_status check_set(const subject *s, const nsds_block *block) {
  int m = block->size;
  nsds_status status = NSDS_OK;
  switch (block->set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE: return NSDS_OK;
  case NSDS_SET_BOX: return check_box(s, block);
  case NSDS_SET_DISC:
    status = check_size(s, block, m >= 1 && m <= NSDS_COUPLED_ROWS, "1 to 32");
    return status ? status : check_coefficient(s, "radius", block->radius);
  case NSDS_SET_CONE:
    status = check_size(s, block, m >= 1 && m <= NSDS_COUPLED_ROWS, "1 to 32");
    return status ? status : check_coefficient(s, "mu", block->mu);
  case NSDS_SET_COULOMB:
    status = check_size(s, block, m == 2 || m == 3, "2 or 3");
    return status ? status : check_coefficient(s, "mu", block->mu);
  case NSDS_SET_ROLLING:
    status = check_size(s, block, m == 3 || m == 5, "3 or 5");
    if (!status) status = check_coefficient(s, "mu", block->mu);
    return status ? status : check_coefficient(s, "mu_rolling", block->mu_rolling);
  case NSDS_SET_POLYHEDRON:
    status = check_size(s, block, m <= NSDS_COUPLED_ROWS, "at most 32");
    return status ? status : check_polyhedron(s, block);
  }
  return refuse(s, NSDS_ERROR_UNSUPPORTED, ".set is %d; it must be one of the values of nsds_set",
                (int)block->set);
}

nsds_status nsds_check_block(nsds_context *context, const char *object, int a,
                             const nsds_block *block) {
  return check_set(&(subject){context, object, a}, block);
}

/* Sizes first: what a block points to is as long as its size says. */
nsds_status nsds_check_blocks(nsds_context *context, int nblock, const nsds_block *blocks, int n) {
  long long rows = 0;
  if (nblock > 0 && !blocks)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: block is NULL");
  for (int a = 0; a < nblock; ++a) {
    if (blocks[a].size < 0)
      return nsds_fail(context, NSDS_ERROR_SIZE,
                       "nsds_problem: block[%d].size is %d; it must not be negative", a,
                       blocks[a].size);
    rows += blocks[a].size;
  }
  if (rows != n)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: the block sizes sum to %lld, but n is %d", rows, n);
  nsds_status status = NSDS_OK;
  for (int a = 0; !status && a < nblock; ++a)
    status = nsds_check_block(context, NULL, a, &blocks[a]);
  return status;
}

/* ---- the whole ---- */

nsds_status nsds_problem_check(nsds_context *context, const nsds_problem *problem) {
  if (!problem) return nsds_fail_null(context, "nsds_problem_check", "problem");
  if (problem->n < 0 || problem->nblock < 0)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: n is %d and nblock is %d; neither may be negative", problem->n,
                     problem->nblock);
  if (problem->n > 0 && !problem->q)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: q is NULL");
  nsds_status status = nsds_check_blocks(context, problem->nblock, problem->block, problem->n);
  if (status) return status;
  if (problem->M.n != problem->n)
    return nsds_fail(context, NSDS_ERROR_SIZE, "nsds_problem: M.n is %d, but n is %d", problem->M.n,
                     problem->n);
  status = nsds_check_matrix(context, &problem->M);
  if (!status) status = check_finite(context, "q", problem->q, problem->n);
  if (status || !problem->q_error) return status;
  for (int i = 0; i < problem->n; ++i)
    if (!(problem->q_error[i] >= 0.0) || !isfinite(problem->q_error[i]))
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "nsds_problem: q_error[%d] is %g; it must be finite and not negative", i,
                       problem->q_error[i]);
  return NSDS_OK;
}
