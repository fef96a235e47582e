/*
 * The public calls for distributed problems: check, open the whole, solve or judge, report.
 */
#include "mpi/mpi_bounds.h"
#include "mpi/friction.h"
#include "mpi/kept.h"
#include "mpi/whole.h"

#include <math.h>
#include <nsds/extend.h>
#include <string.h>

enum { default_sweeps = 10000, default_steps = 200, default_gather = 30000, default_after = 300 };
static const double default_tolerance = 1e-8;

static nsds_status check_arguments(nsds_mpi *mpi, const nsds_mpi_part *part, const double *z,
                                   const void *other, const char *name, const char *call) {
  int n = part && part->problem ? part->problem->n : 0;
  const char *missing = n > 0 && !z ? "z" : n > 0 && !other ? name : NULL;
  if (!missing) return NSDS_OK;
  return nsds_report(mpi->context, NSDS_ERROR_ARGUMENT, "%s: %s is NULL", call, missing);
}

static nsds_status mpi_check_options(nsds_mpi *mpi, const nsds_mpi_options *o) {
  for (int k = 0; k < NSDS_RESERVED; ++k)
    if (o->reserved[k])
      return nsds_report(mpi->context, NSDS_ERROR_ARGUMENT,
                         "nsds_mpi_solve: options.reserved[%d] is not zero; the library is older "
                         "than the headers of the program",
                         k);
  if (!(o->tolerance >= 0.0 && o->tolerance < 1.0))
    return nsds_report(mpi->context, NSDS_ERROR_VALUE,
                       "nsds_mpi_solve: options.tolerance is %g; it must be at least 0 and below 1",
                       o->tolerance);
  if (o->max_iterations < 0)
    return nsds_report(mpi->context, NSDS_ERROR_VALUE,
                       "nsds_mpi_solve: options.max_iterations is %d; it must not be negative",
                       o->max_iterations);
  if (o->gather < NSDS_MPI_NEVER)
    return nsds_report(mpi->context, NSDS_ERROR_VALUE,
                       "nsds_mpi_solve: options.gather is %d; give a number of rows, 0 or "
                       "NSDS_MPI_NEVER",
                       o->gather);
  if (o->gather_after < 0)
    return nsds_report(mpi->context, NSDS_ERROR_VALUE,
                       "nsds_mpi_solve: options.gather_after is %d; it must not be negative",
                       o->gather_after);
  return NSDS_OK;
}

/* Checks that all processes give the same options. */
static nsds_status check_same(nsds_mpi *mpi, const nsds_mpi_options *o) {
  enum { fields = 5 };
  double x[2 * fields] = {o->tolerance, o->max_iterations, o->reproducible, o->gather,
                          o->gather_after};
  for (int k = 0; k < fields; ++k) x[fields + k] = -x[k];
  nsds_mpi_most(mpi, 2 * fields, x);
  static const char *const field[] = {"tolerance", "max_iterations", "reproducible", "gather",
                                      "gather_after"};
  for (int k = 0; k < fields; ++k)
    if (x[k] != -x[fields + k])
      return nsds_report(mpi->context, NSDS_ERROR_ARGUMENT,
                         "nsds_mpi_solve: options.%s is %g on one process and %g on another; give "
                         "the same",
                         field[k], -x[fields + k], x[k]);
  return NSDS_OK;
}

/* Solves the open whole; z and the certificate are those of the best point. */
static nsds_status solve_whole(nsds_whole *whole, const nsds_mpi_part *part, const nsds_kept *kept,
                               const nsds_mpi_options *o, double *z, double *w,
                               nsds_mpi_info *info) {
  nsds_mpi *mpi = whole->mpi;
  const nsds_problem *p = &whole->problem;
  double tolerance = o->tolerance > 0.0 ? o->tolerance : default_tolerance;
  int limit = o->max_iterations;
  double *work = nsds_mpi_numbers(mpi, nsds_problem_work(p));
  nsds_certificate c;
  nsds_status status = nsds_mpi_agree(mpi, work ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status && p->M.storage == NSDS_CSC)
    status = nsds_mpi_solve_bounds(whole, tolerance, limit ? limit : default_steps, z, work, info);
  else if (!status)
    status = nsds_mpi_solve_friction(whole, part, kept, tolerance, limit ? limit : default_sweeps,
                                     o->gather ? o->gather : default_gather,
                                     o->gather_after ? o->gather_after : default_after,
                                     o->reproducible, z, work, info);
  if (!status && work) {
    nsds_certify(p, z, work, &c);
    if (p->n > 0) memcpy(w, work, (size_t)p->n * sizeof *w);
    info->residual = c.residual;
    info->violation = c.violation;
  }
  nsds_free(work);
  return status;
}

/* Writes what the call has sent. */
static void count_call(const nsds_mpi *mpi, const nsds_mpi *before, nsds_mpi_info *info) {
  info->exchanges = mpi->exchanges - before->exchanges;
  info->messages = mpi->messages - before->messages;
  info->bytes = mpi->bytes - before->bytes;
  info->reductions = mpi->reductions - before->reductions;
}

nsds_status nsds_mpi_solve(nsds_mpi *mpi, const nsds_mpi_part *part,
                           const nsds_mpi_options *options, double *z, double *w,
                           nsds_mpi_info *info) {
  static const nsds_mpi_options defaults = {0};
  static const char call[] = "nsds_mpi_solve";
  nsds_mpi_info unwanted;
  nsds_whole whole = {0};
  if (!mpi) return nsds_report(NULL, NSDS_ERROR_ARGUMENT, "%s: mpi is NULL", call);
  if (!options) options = &defaults;
  if (!info) info = &unwanted;
  nsds_mpi before = *mpi;
  *info = (nsds_mpi_info){.outcome = NSDS_NOT_CONVERGED};
  nsds_status status = check_arguments(mpi, part, z, w, "w", call);
  if (!status) status = mpi_check_options(mpi, options);
  status = nsds_mpi_agree(mpi, status);
  if (!status) status = nsds_mpi_agree(mpi, check_same(mpi, options));
  if (!status) status = nsds_whole_check(mpi, part, call);
  const nsds_kept *kept = status ? NULL : nsds_kept_find(mpi, part);
  if (!status) status = nsds_whole_open(&whole, mpi, part, kept ? &kept->whole : NULL, call);
  if (!status) status = solve_whole(&whole, part, kept, options, z, w, info);
  nsds_whole_close(&whole);
  count_call(mpi, &before, info);
  if (status) return status;
  return info->outcome == NSDS_SOLVED ? NSDS_OK : NSDS_ERROR_SOLVER;
}

nsds_status nsds_mpi_certify(nsds_mpi *mpi, const nsds_mpi_part *part, const double *z, double *w,
                             nsds_certificate *certificate) {
  static const char call[] = "nsds_mpi_certify";
  nsds_whole whole = {0};
  double *work = NULL;
  if (!mpi) return nsds_report(NULL, NSDS_ERROR_ARGUMENT, "%s: mpi is NULL", call);
  nsds_status status =
      nsds_mpi_agree(mpi, check_arguments(mpi, part, z, certificate, "certificate", call));
  if (!status) status = nsds_whole_check(mpi, part, call);
  if (!status) status = nsds_whole_open(&whole, mpi, part, NULL, call);
  if (!status) {
    work = nsds_mpi_numbers(mpi, nsds_problem_work(&whole.problem));
    status = nsds_mpi_agree(mpi, work ? NSDS_OK : NSDS_ERROR_MEMORY);
  }
  nsds_certificate unwanted;
  if (!status && work) {
    nsds_certify(&whole.problem, z, work, certificate ? certificate : &unwanted);
    if (w && whole.problem.n > 0) memcpy(w, work, (size_t)whole.problem.n * sizeof *w);
  }
  nsds_free(work);
  nsds_whole_close(&whole);
  return status;
}
