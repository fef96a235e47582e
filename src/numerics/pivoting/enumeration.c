/*
 * Enumeration of the complementary bases (Cottle, Pang & Stone 1992, 1.3; Murty 1988, 1.3). Each
 * row has z at its lower bound, at its upper bound, or w = 0; every basis is one linear system, see
 * basis.h. The bases are counted through in a mixed radix system, beginning with the basis that the
 * start shows. The certifier judges points near a solution.
 *
 * For a singular basis, the least point of its face is tried, if there is any. If every basis fails
 * clearly, the verdict is "no solution". If M is monotone, this verdict needs a proof too.
 *
 * Up to three rows are first tried in closed form, see direct.h. If that finds no solution, the
 * enumeration above shows whether there is one.
 */
#include "numerics/method_list.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "numerics/linear/forms.h"
#include "numerics/linear/monotone.h"
#include "numerics/pivoting/basis.h"
#include "numerics/pivoting/direct.h"
#include "numerics/sets/bounds.h"
#include "numerics/solver_run.h"
#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"
#include "numerics/watch.h"

#include <limits.h>

enum { OPTION_MOST_BASES = OPTION_FIRST_OWN };

typedef struct enumeration_state {
  nsds_basis basis;
  int *digit;    /* n: steps of each row from its first state */
  double *point; /* n */
  double *known; /* degenerate solutions visited so far */
  int nknown;
  double *monotone; /* n (n + 1): work */
} enumeration_state;

/* The search: for the first solution, or for all. */
typedef struct visitor {
  nsds_solver *solver;
  const nsds_problem *problem;
  double *z;        /* best point so far; NULL: all solutions are wanted */
  nsds_watch watch; /* counts the bases; `best` is the residual of z */
  nsds_solution_fn visit;
  void *user;
  nsds_enumeration *report;
  bool open; /* some basis neither solves nor clearly fails */
  nsds_status status;
} visitor;

/* A basis with a larger violation, in units of the rounding scale of its rows, fails clearly. */
static const double near = 1e-6;

/* Effect of rounding on the solution of a system, over its condition. */
static const double noise = 1e-14;

/* Points closer than this, in the same units or relative to their entries, count as one. */
static const double same = 1e-9;

/* Counts the complementary bases, and the finite bounds of rows that may move. */
static double count_bases(const nsds_problem *problem, int *bounds) {
  double bases = 1.0;
  *bounds = 0;
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    bool box = block->set == NSDS_SET_BOX;
    if (!box && block->set != NSDS_SET_NONNEGATIVE) continue;
    for (int k = 0; k < block->size; ++k) {
      int finite = box ? isfinite(block->lower[k]) + isfinite(block->upper[k]) : 1;
      if (box && block->lower[k] == block->upper[k]) continue;
      bases *= 1.0 + finite;
      *bounds += finite;
    }
  }
  return bases;
}

static bool too_large(const nsds_solver *solver, const nsds_problem *problem) {
  int bounds;
  return problem->n > nsds_dense_limit || (solver->toolbox->sets & ~(unsigned)nsds_bound_sets) ||
         !(count_bases(problem, &bounds) <= solver->value[OPTION_MOST_BASES]);
}

static bool enumeration_advance(nsds_basis *basis, int *digit) {
  for (int i = 0; i < basis->n; ++i) {
    basis->state[i] = (unsigned char)nsds_basis_next(basis, i);
    if (++digit[i] < nsds_basis_choices(basis, i)) return true;
    digit[i] = 0;
  }
  return false;
}

/* Returns true unless the point fails clearly, by more than the condition explains. Violations that
 * overflow do not count. */
static bool comes_near(const nsds_basis *basis, double rcond) {
  double most = fmax(near, noise / rcond);
  for (int i = 0; i < basis->n; ++i) {
    double violation = nsds_basis_violation(basis, i);
    if (violation > most && violation < INFINITY) return false;
  }
  return true;
}

/* ---- solutions ---- */

/* Returns true if another basis may lead to the same point. */
static bool degenerate(const nsds_basis *basis) {
  for (int i = 0; i < basis->n; ++i) {
    double s, w = nsds_basis_w(basis, i, &s), d = basis->d[i];
    double gap = fmin(basis->z[i] - basis->lower[i], basis->upper[i] - basis->z[i]);
    if (basis->lower[i] == basis->upper[i]) continue;
    if (basis->state[i] == NSDS_ROW_UNKNOWN ? d * gap <= same * s : fabs(w) <= same * s)
      return true;
  }
  return false;
}

static bool same_point(const nsds_basis *basis, const double *z, const double *other) {
  for (int i = 0; i < basis->n; ++i) {
    double s, far = fabs(z[i] - other[i]);
    nsds_basis_w(basis, i, &s);
    if (basis->d[i] * (far / basis->own.column[i]) > same * s && far > same * fabs(z[i]))
      return false;
  }
  return true;
}

/* Returns true if the point was visited before. Remembers points that may come again. */
static bool visited(visitor *v, const double *z) {
  enumeration_state *s = v->solver->state;
  size_t n = (size_t)s->basis.n;
  if (!degenerate(&s->basis)) return false;
  for (int k = 0; k < s->nknown; ++k)
    if (same_point(&s->basis, z, s->known + (size_t)k * n)) return true;
  v->status = NSDS_HOLD_ONE(&v->solver->store, s->known, ((size_t)s->nknown + 1) * n);
  if (!v->status) memcpy(s->known + (size_t)s->nknown++ * n, z, n * sizeof *z);
  return false;
}

/* Counts a solution; true ends the enumeration. */
static bool enumeration_take(visitor *v, const double *z) {
  if (!v->z && visited(v, z)) return v->status != NSDS_OK;
  if (v->status) return true;
  ++v->report->solutions;
  v->report->outcome = NSDS_SOLVED;
  if (v->z) return true;
  if (!v->visit || !v->visit(z, v->solver->toolbox->certify_work, v->user)) return false;
  v->report->outcome = NSDS_INTERRUPTED;
  return true;
}

/* Judges the point of the basis, with and without entries that are rounding; true if it solves. */
static bool enumeration_look(visitor *v) {
  enumeration_state *s = v->solver->state;
  double residual, *work = v->solver->toolbox->certify_work;
  nsds_basis_point(&s->basis, s->point);
  do {
    residual = nsds_solver_residual(v->solver, v->problem, s->point, NULL);
    if (!v->z || !(residual < v->watch.best)) continue;
    memcpy(v->z, s->point, (size_t)s->basis.n * sizeof *v->z);
    v->watch.best = residual;
  } while (residual > v->solver->value[OPTION_TOLERANCE] &&
           nsds_remove_noise(v->problem, work, s->point, s->point));
  return residual <= v->solver->value[OPTION_TOLERANCE];
}

static bool try_basis(visitor *v) {
  nsds_basis *basis = &((enumeration_state *)v->solver->state)->basis;
  double rcond;
  ++v->report->tried;
  nsds_status status = nsds_basis_solve(basis, &rcond);
  bool singular = status == NSDS_ERROR_SINGULAR;
  v->status = singular ? NSDS_OK : status;
  if (v->status) return true;
  bool any = rcond > 0.0 && (!basis->settled || comes_near(basis, rcond));
  bool solves = any && enumeration_look(v);
  if (singular && basis->settled && !solves) {
    nsds_outcome found = nsds_basis_face(basis);
    v->report->singular += found != NSDS_NO_SOLUTION;
    any = found != NSDS_NO_SOLUTION;
    solves = found == NSDS_SOLVED && comes_near(basis, 1.0) && enumeration_look(v);
  }
  v->open = v->open || ((any || !basis->settled) && !solves);
  return solves && enumeration_take(v, ((enumeration_state *)v->solver->state)->point);
}

static void enumeration_run(visitor *v) {
  enumeration_state *s = v->solver->state;
  nsds_enumeration *report = v->report;
  nsds_watch_count(&v->watch, v->solver, INT_MAX);
  bool tried = v->z && report->tried > 0; /* in closed form */
  v->watch.best = tried ? nsds_solver_residual(v->solver, v->problem, v->z, NULL) : INFINITY;
  memset(s->digit, 0, (size_t)s->basis.n * sizeof *s->digit);
  for (bool more = true; more; more = more && enumeration_advance(&s->basis, s->digit)) {
    nsds_outcome outcome = nsds_watch_allows(&v->watch, report->tried);
    if (outcome == NSDS_INTERRUPTED) {
      report->outcome = outcome;
      return;
    }
    more = outcome == NSDS_SOLVED;
    v->open = v->open || !more;
    if (more && try_basis(v)) return;
  }
  report->outcome = report->solutions > 0 ? NSDS_SOLVED
                    : v->open             ? NSDS_NOT_CONVERGED
                                          : NSDS_NO_SOLUTION;
}

/* Tries all bases, beginning with the one that z shows. */
static nsds_status enumeration_start(visitor *v, const double *z) {
  enumeration_state *s = v->solver->state;
  const double *M;
  nsds_status status = nsds_form_dense(v->solver, v->problem, &M);
  if (status) return status;
  nsds_basis_start(&s->basis, v->problem, M, z);
  enumeration_run(v);
  return v->status;
}

/* Tries up to three rows in closed form; *solved says whether that solves. */
static nsds_status solve_directly(nsds_solver *solver, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info, bool *solved) {
  const double *M;
  nsds_status status = nsds_form_dense(solver, problem, &M);
  if (status) return status;
  int limit = nsds_iteration_limit(solver, INT_MAX);
  double error = NSDS_UNLIKELY(solver->toolbox->by_scale)
                     ? nsds_direct_in_units(problem, M, limit, z, &info->iterations)
                     : nsds_direct_try(problem, M, limit, z, &info->iterations);
  *solved = error <= solver->value[OPTION_TOLERANCE];
  return NSDS_OK;
}

/* Lets "no solution" stand without a proof, unless M is monotone. An unsolvable problem then has a
 * proof. Without one, rounding may have refuted a basis. */
static void enumeration_decide(nsds_solver *solver, const nsds_problem *problem) {
  enumeration_state *s = solver->state;
  const double *M;
  if (nsds_form_dense(solver, problem, &M)) return;
  if (nsds_seems_monotone(problem->n, M, s->monotone)) return;
  solver->toolbox->decided = solver->method->row.name;
}

static nsds_status enumeration_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                                     nsds_solver_info *info) {
  bool solved = problem->n == 0;
  nsds_status status = NSDS_OK;
  if (!solved && problem->n <= nsds_direct_rows)
    status = solve_directly(solver, problem, z, info, &solved);
  if (status || solved) return status;
  nsds_enumeration report = {.outcome = NSDS_REFUSED, .tried = info->iterations};
  visitor v = {.solver = solver, .problem = problem, .z = z, .report = &report};
  if (!too_large(solver, problem)) v.status = enumeration_start(&v, z);
  nsds_make_finite(z, problem->n);
  info->outcome = report.outcome;
  bool none = report.outcome == NSDS_NO_SOLUTION;
  if (none && solver->toolbox->by_scale) enumeration_decide(solver, problem);
  info->factorizations = report.tried - info->iterations;
  info->iterations = report.tried;
  return v.status;
}

static nsds_status enumerate(visitor *v) {
  enumeration_state *s = v->solver->state;
  nsds_solver_open(v->solver, v->problem);
  int bounds;
  v->report->bases = count_bases(v->problem, &bounds);
  if (too_large(v->solver, v->problem)) return NSDS_ERROR_SOLVER;
  nsds_status status = nsds_solver_prepare(v->solver, v->problem);
  if (status) return status;
  memset(s->point, 0, (size_t)v->problem->n * sizeof *s->point);
  s->nknown = 0;
  status = enumeration_start(v, s->point);
  if (status) return status;
  return v->report->outcome == NSDS_SOLVED ? NSDS_OK : NSDS_ERROR_SOLVER;
}

nsds_status nsds_enumerate(nsds_solver *solver, const nsds_problem *problem, nsds_solution_fn visit,
                           void *user, nsds_enumeration *report) {
  nsds_enumeration unwanted;
  if (!report) report = &unwanted;
  *report = (nsds_enumeration){.outcome = NSDS_REFUSED};
  if (!solver) return nsds_fail_null(NULL, "nsds_enumerate", "solver");
  if (!problem) return nsds_fail_null(solver->context, "nsds_enumerate", "problem");
  if (solver->method != &nsds_method_enumeration)
    return nsds_fail(solver->context, NSDS_ERROR_ARGUMENT,
                     "nsds_enumerate: solver is \"%s\"; it must be created as \"enumeration\"",
                     solver->method->row.name);
  nsds_status status = nsds_solver_check_idle(solver, "nsds_enumerate");
  if (status) return status;
  visitor v = {
      .solver = solver, .problem = problem, .visit = visit, .user = user, .report = report};
  nsds_toolbox_enter(solver->toolbox);
  status = enumerate(&v);
  nsds_toolbox_leave(solver->toolbox);
  return status;
}

/* ---- the row ---- */

static nsds_status enumeration_reserve(nsds_solver *solver, const nsds_problem *problem) {
  enumeration_state *s = solver->state;
  int bounds, n = problem->n;
  if (too_large(solver, problem)) return NSDS_OK;
  count_bases(problem, &bounds);
  if (n <= nsds_direct_rows) { /* all such problems at once */
    n = nsds_direct_rows;
    bounds = 2 * n;
  }
  const nsds_cut cut[] = {NSDS_CUT(s->digit, n), NSDS_CUT(s->point, n),
                          NSDS_CUT(s->monotone, n * (n + 1))};
  nsds_status status = NSDS_HOLD(&solver->store, cut);
  if (!status) status = nsds_basis_reserve(&s->basis, &solver->store, n, bounds);
  return status ? status : nsds_form_reserve_dense(solver, problem);
}

static const nsds_option options[] = {NSDS_COMMON_OPTIONS(0.0, "most bases tried; 0: all"),
                                      {"most_bases", "integer",
                                       "a problem with more complementary bases is refused",
                                       1048576.0, 1.0, 1e9},
                                      {0}};

const nsds_method nsds_method_enumeration = {
    .row = {.name = "enumeration",
            .summary = "Tries all complementary bases, singular ones with their face; up to three "
                       "rows in closed form. For small hard problems, and those without solution.",
            .reference = "Cottle, Pang, Stone: The Linear Complementarity Problem (1992), 1.3",
            .sets = nsds_bound_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(enumeration_state),
    .reserve = enumeration_reserve,
    .solve = enumeration_solve,
};
