/* Elimination of equalities before the methods, see presolve.h. */
#include "numerics/presolve.h"

#include "base/archive.h"
#include "base/base.h"
#include "base/finite.h"
#include "numerics/certify/certify.h"
#include "numerics/judge.h"
#include "numerics/linear/condense.h"
#include "numerics/linear/condense_structure.h"
#include "numerics/linear/factor.h"
#include "numerics/newton/few_newton.h"
#include "numerics/method_list.h"
#include "numerics/sets/bounds.h"
#include "numerics/solver_run.h"
#include "numerics/solver_archive.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"

static const double stricter = 1e-2; /* factor of the parts' tolerance if the whole fails */

/* ---- parts ---- */

/* Reserves room for all parts and lists their rows. */
static nsds_status list_rows_of_parts(nsds_presolve *p, const nsds_problem *problem) {
  nsds_condenser *e = &p->e;
  size_t n = (size_t)problem->n + 1;
  const nsds_cut cut[] = {NSDS_CUT(p->rows, n),     NSDS_CUT(p->first, n),
                          NSDS_CUT(p->block_of, n), NSDS_CUT(p->begin, problem->nblock + 1),
                          NSDS_CUT(p->block, n),    NSDS_CUT(p->r, n),
                          NSDS_CUT(p->rest, n),     NSDS_CUT(p->q, n),
                          NSDS_CUT(p->z, n),        NSDS_CUT(p->y, n)};
  nsds_status status = NSDS_HOLD(&e->store, cut);
  if (status) return status;
  p->first[0] = 0;
  for (int part = 0; part < e->rest.npart; ++part)
    p->first[part + 1] = p->first[part] + e->rest.part_rows[part];
  for (int a = 0, row = 0; a < problem->nblock; ++a) {
    p->begin[a] = row;
    for (int i = 0; i < problem->block[a].size; ++i) p->block_of[row++] = a;
  }
  for (int a = e->nout; a < e->nnode; ++a)
    for (int i = 0; i < e->size[a]; ++i)
      p->rows[p->first[e->rest.part[a]] + e->rest.place[a] + i] = e->row[a] + i;
  return NSDS_OK;
}

/* Returns the block of a part whose rows begin at `row`. */
static nsds_block block_from(const nsds_problem *problem, const nsds_presolve *p, int row) {
  const nsds_block *whole = &problem->block[p->block_of[row]];
  nsds_block block = *whole;
  if ((unsigned)whole->set & nsds_bound_sets)
    block = nsds_row_of_block(whole, row - p->begin[p->block_of[row]]);
  return block;
}

static nsds_problem problem_of_part(nsds_presolve *p, const nsds_problem *problem, int part) {
  const nsds_condenser *e = &p->e;
  const int *rows = p->rows + p->first[part];
  int n = e->rest.part_rows[part], count = 0;
  for (int k = 0; k < n; ++k) {
    bool goes_on =
        k > 0 && rows[k] == rows[k - 1] + 1 && p->block_of[rows[k]] == p->block_of[rows[k - 1]];
    if (!goes_on) p->block[count++] = block_from(problem, p, rows[k]);
    else if ((unsigned)p->block[count - 1].set & nsds_bound_sets) ++p->block[count - 1].size;
  }
  return (nsds_problem){.n = n,
                        .nblock = count,
                        .block = p->block,
                        .M = {.storage = NSDS_DENSE,
                              .n = n,
                              .x = e->rest.S + e->rest.part_start[part],
                              .symmetric = problem->M.symmetric},
                        .q = p->q};
}

/* ---- life ---- */

static nsds_status open_inner(nsds_presolve *p, nsds_solver *solver) {
  if (p->inner) return NSDS_OK;
  p->e.store.context = solver->context;
  p->inner = nsds_solver_new(solver->context, solver->method, solver->toolbox);
  if (!p->inner) return NSDS_ERROR_MEMORY;
  p->inner->value[nsds_presolve_option] = 0.0;
  return NSDS_OK;
}

static void close_inner(nsds_presolve *p) {
  nsds_solver_free(p->inner);
  p->inner = NULL;
}

void nsds_presolve_release(nsds_presolve *p) {
  close_inner(p);
  nsds_store_release(&p->e.store);
}

void nsds_presolve_archive(nsds_presolve *p, nsds_solver *solver, nsds_archive *a) {
  bool there = p->inner != NULL;
  nsds_archive_bool(a, &there);
  if (!a->status && there) a->status = open_inner(p, solver);
  if (!a->status && there) nsds_solver_archive(p->inner, a);
  if (!a->status && !there && a->mode == NSDS_ARCHIVE_READ) close_inner(p);
}

/* Prepares structure and rows of parts, within the limit of memory. */
static nsds_status prepare_parts(nsds_presolve *p, nsds_solver *solver,
                                 const nsds_problem *problem) {
  nsds_status status = open_inner(p, solver);
  if (status) return status;
  p->inner->value[OPTION_MEMORY_LIMIT] = solver->value[OPTION_MEMORY_LIMIT];
  p->e.most_bytes = 1e6 * solver->value[OPTION_MEMORY_LIMIT];
  status = nsds_condense_prepare(&p->e, problem);
  if (!status && p->e.apt) status = list_rows_of_parts(p, problem);
  return status;
}

/* Assumes that each row meets all others of its part, since S is not known yet. */
static void suppose_full_parts(nsds_condenser *e) {
  for (size_t k = 0; k < e->rest.nS; ++k) e->rest.S[k] = 1.0;
  e->stamp = 0;
}

nsds_status nsds_presolve_reserve(nsds_presolve *p, nsds_solver *solver,
                                  const nsds_problem *problem) {
  unsigned sets = solver->toolbox->sets;
  nsds_status status = prepare_parts(p, solver, problem);
  if (status || !p->e.apt) return status;
  suppose_full_parts(&p->e);
  for (int part = 0; !status && part < p->e.rest.npart; ++part) {
    nsds_problem reduced = problem_of_part(p, problem, part);
    status = nsds_solver_prepare(p->inner, &reduced);
  }
  solver->toolbox->sets = sets;
  return status;
}

/* ---- solving ---- */

/* Adds the verdict of a part: factorizations add up, the rest comes from the part with most
 * iterations. */
static void add_verdict(nsds_solver_info *info, const nsds_solver_info *part, bool first) {
  int tried = info->tried, factorizations = info->factorizations;
  if (first || part->iterations >= info->iterations) *info = *part;
  if (first) return;
  info->tried = tried > part->tried ? tried : part->tried;
  info->factorizations = factorizations + part->factorizations;
}

static bool is_solved_by(const nsds_presolve *p, const nsds_problem *reduced, const double *z,
                         double *residual) {
  *residual = nsds_solver_residual(p->inner, reduced, z, NULL);
  return *residual <= p->inner->value[OPTION_TOLERANCE];
}

/* Solves a few rows from their start, mostly the impulses of the last step. Newton's method
 * improves the start to rounding. If its result is not certified the start may be; false if neither
 * is. */
static bool solve_from_start(nsds_presolve *p, const nsds_problem *reduced, double *z,
                             nsds_solver_info *info) {
  double tried[nsds_own_rows], residual;
  if (reduced->n > nsds_own_rows) return false;
  memcpy(tried, z, (size_t)reduced->n * sizeof *z);
  int steps = nsds_few_newton(reduced, tried);
  if (steps >= 0 && is_solved_by(p, reduced, tried, &residual))
    memcpy(z, tried, (size_t)reduced->n * sizeof *z);
  else if (is_solved_by(p, reduced, z, &residual)) steps = 0;
  else return false;
  *info = (nsds_solver_info){.solver = nsds_method_nonsmooth_newton.row.name,
                             .iterations = steps,
                             .residual = residual,
                             .tried = 1,
                             .factorizations = steps,
                             .worst_row = -1};
  return true;
}

/* Solves the parts in turn, until one fails or the solve is interrupted. */
static nsds_status presolve_parts(nsds_presolve *p, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info, int *failed) {
  const nsds_condenser *e = &p->e;
  *failed = -1;
  for (int part = 0; part < e->rest.npart; ++part) {
    if (part > 0 && nsds_solver_interrupted(p->inner, part, NAN)) {
      info->outcome = NSDS_INTERRUPTED;
      *failed = part;
      return NSDS_OK;
    }
    const int *rows = p->rows + p->first[part];
    nsds_problem reduced = problem_of_part(p, problem, part);
    nsds_solver_info verdict;
    nsds_status status = NSDS_OK;
    nsds_info_open_scale(&verdict); /* no part is judged by it */
    reduced.M.stamp = nsds_private_stamp(p->inner->toolbox);
    for (int k = 0; k < reduced.n; ++k) p->q[k] = p->r[rows[k]], p->z[k] = z[rows[k]];
    if (!solve_from_start(p, &reduced, p->z, &verdict))
      status = nsds_solver_run_inner(p->inner, &reduced, p->z, &verdict);
    if (status) return status;
    for (int k = 0; k < reduced.n; ++k) z[rows[k]] = p->z[k];
    add_verdict(info, &verdict, part == 0);
    if (verdict.outcome == NSDS_SOLVED) continue;
    *info = verdict;
    *failed = part;
    return NSDS_OK;
  }
  return NSDS_OK;
}

/* Writes the errors of the equalities to `rest`; returns the largest one relative to its terms. */
static double error_of_equalities(nsds_presolve *p, const double *work) {
  const nsds_condenser *e = &p->e;
  const double *w = work, *s = work + e->n;
  double most = 0.0;
  for (int i = 0; i < e->n; ++i) p->rest[i] = 0.0;
  for (int k = 0; k < e->nout; ++k)
    for (int i = e->row[k]; i < e->row[k] + e->size[k]; ++i) {
      p->rest[i] = w[i];
      if (w[i] != 0.0) nsds_raise(&most, fabs(w[i]) / s[i]);
    }
  return most;
}

/* Does one step of refinement: z of the equalities changes by -M_EE^-1 w_E. */
static void refine_equalities(nsds_presolve *p, double *z) {
  const nsds_condenser *e = &p->e;
  double *change = p->y;
  nsds_condense_reduce(e, p->rest);
  for (int i = 0; i < e->n; ++i) change[i] = 0.0;
  nsds_condense_recover(e, p->rest, change);
  for (int k = 0; k < e->nout; ++k)
    for (int i = e->row[k]; i < e->row[k] + e->size[k]; ++i) z[i] += change[i];
}

/* Computes z of the equalities, to rounding, and the residual of the whole problem. */
static void recover_whole(nsds_presolve *p, nsds_solver *solver, const nsds_problem *problem,
                          double *z, nsds_solver_info *info) {
  nsds_condense_recover(&p->e, p->r, z);
  info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
  if (!(error_of_equalities(p, solver->toolbox->certify_work) > nsds_certified_rounding)) return;
  refine_equalities(p, z);
  info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
}

/* Extends the proof for a part; false if it does not hold for the whole problem. */
static bool extend_proof(nsds_presolve *p, nsds_solver *solver, const nsds_problem *problem,
                         int part) {
  const double *proof = solver->toolbox->proof;
  solver->toolbox->proof = NULL;
  if (!proof) return false;
  for (int i = 0; i < problem->n; ++i) p->y[i] = 0.0;
  for (int k = 0; k < p->e.rest.part_rows[part]; ++k) p->y[p->rows[p->first[part] + k]] = proof[k];
  nsds_condense_recover_proof(&p->e, p->y);
  if (!nsds_certify_no_solution(problem, p->y, solver->toolbox->certify_work)) return false;
  solver->toolbox->proof = p->y;
  return true;
}

/* Concludes for the whole problem from the parts; false if the answer is not good enough. */
static bool presolve_conclude(nsds_presolve *p, nsds_solver *solver, const nsds_problem *problem,
                              double *z, int failed, nsds_solver_info *info) {
  if (failed >= 0 && info->outcome != NSDS_INTERRUPTED) {
    bool proved = info->outcome == NSDS_NO_SOLUTION && extend_proof(p, solver, problem, failed);
    if (proved) nsds_condense_recover(&p->e, p->r, z);
    nsds_toolbox_vouch(solver->toolbox, false);
    return proved && nsds_first_nonfinite(z, problem->n) < 0;
  }
  recover_whole(p, solver, problem, z, info);
  nsds_toolbox_vouch(solver->toolbox, true);
  bool solved = failed < 0 && info->residual <= solver->value[OPTION_TOLERANCE];
  return solved || (failed >= 0 && nsds_first_nonfinite(z, problem->n) < 0);
}

/* Returns true if the elimination is still to be done and would end after the time limit. */
static bool takes_too_long(const nsds_condenser *e, const nsds_solver *solver, uint64_t stamp) {
  static const double a_second = 1e9; /* operations */
  bool known = e->stamp != 0 && e->stamp == stamp;
  return !known && e->operations > a_second * nsds_solver_time_left(solver);
}

nsds_status nsds_presolve_solve(nsds_presolve *p, nsds_solver *solver, const nsds_problem *problem,
                                double *z, nsds_solver_info *info, bool *done) {
  *done = false;
  nsds_status status = prepare_parts(p, solver, problem);
  if (status || !p->e.apt || takes_too_long(&p->e, solver, problem->M.stamp)) return status;
  if (!nsds_condense_factor(&p->e, problem)) return NSDS_OK;
  memcpy(p->r, problem->q, (size_t)problem->n * sizeof *p->r);
  nsds_condense_reduce(&p->e, p->r);
  for (int pass = 0; !*done && pass < 2; ++pass) {
    int failed;
    double tolerance = solver->value[OPTION_TOLERANCE];
    p->inner->value[OPTION_TOLERANCE] = pass == 0 ? tolerance : stricter * tolerance;
    p->inner->value[OPTION_MAX_ITERATIONS] = solver->value[OPTION_MAX_ITERATIONS];
    nsds_solver_info verdict = {.solver = "presolve", .iterations = 1, .tried = 1};
    status = presolve_parts(p, problem, z, &verdict, &failed);
    if (status) return status;
    *done = presolve_conclude(p, solver, problem, z, failed, &verdict);
    if (*done) *info = verdict;
    if (failed >= 0) break;
  }
  return NSDS_OK;
}
