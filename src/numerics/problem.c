/*
 * The check of a one-step nonsmooth problem: every message names the field, its value and what
 * would be valid.
 */
#include "problem_check.h"
#include "polyhedron.h"

#include <limits.h>

/* ---- the sets ---- */

static nsds_status check_coefficient(const nsds_subject *s, const char *field, double x) {
  if (isfinite(x) && x >= 0.0) return NSDS_OK;
  return nsds_refuse(s, NSDS_ERROR_VALUE, ".%s is %g; it must be finite and not negative", field,
                     x);
}

static nsds_status check_size(const nsds_subject *s, const nsds_block *block, bool valid,
                              const char *sizes) {
  if (valid) return NSDS_OK;
  return nsds_refuse(s, NSDS_ERROR_SIZE, ".size is %d; with this set it must be %s", block->size,
                     sizes);
}

static nsds_status check_box(const nsds_subject *s, const nsds_block *block) {
  if (block->size > 0 && (!block->lower || !block->upper))
    return nsds_refuse(s, NSDS_ERROR_ARGUMENT, ".%s is NULL", block->lower ? "upper" : "lower");
  for (int i = 0; i < block->size; ++i) {
    double l = block->lower[i], u = block->upper[i];
    if (l <= u && l < INFINITY && u > -INFINITY) continue;
    return nsds_refuse(s, NSDS_ERROR_VALUE,
                       " has lower[%d] = %g and upper[%d] = %g; valid is lower <= upper, neither a "
                       "number that leaves no finite value",
                       i, l, i, u);
  }
  return NSDS_OK;
}

static nsds_status check_polyhedron(const nsds_subject *s, const nsds_block *block) {
  double x[NSDS_COUPLED_ROWS] = {0.0};
  int most = block->size > 0 ? INT_MAX / block->size : INT_MAX;
  if (block->nfacet < 0 || block->nfacet > most)
    return nsds_refuse(s, NSDS_ERROR_SIZE, ".nfacet is %d; valid is 0 to %d", block->nfacet, most);
  nsds_status status = nsds_check_numbers(s, ".H", block->H, block->nfacet * block->size);
  if (!status) status = nsds_check_numbers(s, ".K", block->K, block->nfacet);
  if (status || nsds_polyhedron_project(block, NULL, x, x, NULL)) return status;
  return nsds_refuse(s, NSDS_ERROR_VALUE, " has no point: no z satisfies its H z >= K");
}

nsds_status nsds_check_block(const nsds_subject *s, const nsds_block *block) {
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
  return nsds_refuse(s, NSDS_ERROR_UNSUPPORTED,
                     ".set is %d; it must be one of the values of nsds_set", (int)block->set);
}

/* Sizes first: what a block points to is as long as its size says. */
nsds_status nsds_check_blocks(const nsds_subject *s, int nblock, const nsds_block *blocks, int n) {
  long long rows = 0;
  if (nblock > 0 && !blocks) return nsds_refuse(s, NSDS_ERROR_ARGUMENT, "block is NULL");
  for (int a = 0; a < nblock; ++a) {
    if (blocks[a].size < 0)
      return nsds_refuse(s, NSDS_ERROR_SIZE, "block[%d].size is %d; it must not be negative", a,
                         blocks[a].size);
    rows += blocks[a].size;
  }
  if (rows != n)
    return nsds_refuse(s, NSDS_ERROR_SIZE, "the block sizes sum to %lld, but n is %d", rows, n);
  nsds_status status = NSDS_OK;
  nsds_subject one = {s->context, s->of, true, 0};
  for (int a = 0; !status && a < nblock; one.block = ++a)
    status = nsds_check_block(&one, &blocks[a]);
  return status;
}

/* ---- the whole ---- */

nsds_status nsds_problem_check(nsds_context *context, const nsds_problem *problem) {
  const nsds_subject s = {.context = context, .of = "nsds_problem: "};
  if (!problem) return nsds_fail_null(context, "nsds_problem_check", "problem");
  int n = problem->n;
  const double *error = problem->q_error;
  if (n < 0 || problem->nblock < 0)
    return nsds_refuse(&s, NSDS_ERROR_SIZE, "n is %d and nblock is %d; neither may be negative", n,
                       problem->nblock);
  nsds_status status = nsds_check_blocks(&s, problem->nblock, problem->block, n);
  if (status) return status;
  if (problem->M.n != n)
    return nsds_refuse(&s, NSDS_ERROR_SIZE, "M.n is %d, but n is %d", problem->M.n, n);
  status = nsds_check_matrix(&s, &problem->M);
  if (!status) status = nsds_check_numbers(&s, "q", problem->q, n);
  for (int i = 0; !status && error && i < n; ++i)
    if (!(error[i] >= 0.0) || !isfinite(error[i]))
      status = nsds_refuse(&s, NSDS_ERROR_VALUE,
                           "q_error[%d] is %g; it must be finite and not negative", i, error[i]);
  return status;
}
