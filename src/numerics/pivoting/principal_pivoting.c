/*
 * Principal pivoting on complementary bases (basis.h): rows that violate their law change their
 * state, z at a bound against w = 0, until none does.
 *
 * Rule 1, the least index (Murty, Opsearch 11 (1974); with bounds Judice & Pires, J. Optim. Theory
 * Appl. 74 (1992)): the violating row of least index changes. Finite for
 * P-matrices, though perhaps only after 2^n - 1 pivots.
 * Rule 0, blocks (Bard's rule; Judice & Pires, Comput. Oper. Res. 21 (1994)): all violating rows
 * change at once, as long as their number has reached a new minimum within the last ten pivots;
 * otherwise rule 1 until it does. Finite for P-matrices as well, and mostly a few pivots.
 *
 * Equality rows have w = 0 from the start. Other matrices may make rule 1 cycle, which is found out
 * by comparing each basis with one kept from before, renewed at powers of two (Brent, BIT 20
 * (1980)). Each basis is factored anew, so that no rounding gathers.
 */
#include "basis.h"
#include "solver_internal.h"
#include "watch.h"

#include <float.h>

enum { OPTION_LEAST_INDEX = OPTION_FIRST_OWN, patience = 10 };

typedef struct pivoting_state {
  nsds_basis basis;
  unsigned char *wanted; /* n: states that the rows ask for */
  unsigned char *kept;   /* n: an earlier basis */
  size_t wanted_capacity, kept_capacity;
} pivoting_state;

/* Where the rules stand. */
typedef struct rules {
  bool blocks;
  int fewest; /* violating rows */
  int left;   /* block pivots until that has to fall */
  int single; /* single pivots since then */
  int renew;  /* of them at which the kept basis is renewed */
} rules;

/* The rows that violate their law beyond rounding; *first the first of them. */
static int count_violations(pivoting_state *s, int *first) {
  int count = 0, n = s->basis.n;
  double rounding = 16.0 * n * DBL_EPSILON;
  for (int i = n; i-- > 0;) {
    nsds_row_state wanted;
    bool violated = nsds_basis_violation(&s->basis, i, &wanted) > rounding;
    s->wanted[i] = violated ? (unsigned char)wanted : s->basis.state[i];
    count += violated;
    if (violated) *first = i;
  }
  return count;
}

/* The kept basis has come back. */
static bool cycles(pivoting_state *s, rules *r) {
  size_t n = (size_t)s->basis.n;
  if (r->single > 0 && memcmp(s->kept, s->basis.state, n) == 0) return true;
  if (r->single++ == r->renew) {
    memcpy(s->kept, s->basis.state, n);
    r->renew = 2 * r->renew + 1;
  }
  return false;
}

/* Changes states; false when the pivots cycle. */
static bool pivot(pivoting_state *s, rules *r, int count, int first) {
  if (r->blocks && count < r->fewest) *r = (rules){true, count, patience, 0, 0};
  if (r->left > 0) {
    --r->left;
    memcpy(s->basis.state, s->wanted, (size_t)s->basis.n);
    return true;
  }
  if (cycles(s, r)) return false;
  s->basis.state[first] = s->wanted[first];
  return true;
}

static nsds_status run(nsds_solver *solver, nsds_watch *watch) {
  pivoting_state *s = solver->state;
  bool blocks = solver->value[OPTION_LEAST_INDEX] == 0.0;
  rules r = {blocks, s->basis.n + 1, 0, 0, 0};
  double *point = solver->toolbox->scratch;
  for (int k = 1;; ++k) {
    int first = 0;
    nsds_status status = nsds_basis_solve(&s->basis);
    if (status && status != NSDS_ERROR_SINGULAR) return status;
    ++watch->info->factorizations;
    int count = count_violations(s, &first);
    if (count == 0) watch->next = k; /* certify */
    nsds_basis_point(&s->basis, point);
    if (nsds_watch_step(watch, k, point) || count == 0 || !pivot(s, &r, count, first))
      return NSDS_OK;
  }
}

static bool too_large(const nsds_problem *problem) { return problem->n > nsds_dense_limit; }

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  pivoting_state *s = solver->state;
  const double *M;
  if (problem->n == 0) return NSDS_OK;
  if (too_large(problem)) {
    info->outcome = NSDS_REFUSED;
    return NSDS_OK;
  }
  nsds_status status = nsds_form_dense(solver, problem, &M);
  if (status) return status;
  nsds_watch watch = nsds_watch_start(solver, problem, z, 10000 + 100 * problem->n, 0, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  nsds_basis_start(&s->basis, problem, M, z);
  return run(solver, &watch);
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  pivoting_state *s = solver->state;
  nsds_context *context = solver->context;
  size_t n = (size_t)problem->n;
  nsds_status status;
  if (too_large(problem)) return NSDS_OK;
  if ((status = nsds_basis_reserve(&s->basis, context, problem->n)) ||
      (status = NSDS_ENSURE(context, s->wanted, s->wanted_capacity, n + 1)) ||
      (status = NSDS_ENSURE(context, s->kept, s->kept_capacity, n + 1)) ||
      (status = nsds_form_reserve_dense(solver, problem)))
    return status;
  return nsds_watch_reserve(solver, problem, n);
}

static void release(nsds_solver *solver) {
  pivoting_state *s = solver->state;
  nsds_basis_release(&s->basis, solver->context);
  nsds_release(solver->context, s->wanted);
  nsds_release(solver->context, s->kept);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of pivots; 0: 10000 + 100 n"),
    {"least_index", "1",
     "1: always Murty's least-index rule; 0: blocks of pivots as far as they "
     "serve",
     0.0, 0.0, 1.0},
    {0}};

const nsds_method nsds_method_principal_pivoting = {
    .row = {.name = "principal_pivoting",
            .summary = "Principal pivots, one by one with the least index or in blocks, from the "
                       "basis of the start; for P-matrices, with boxes and equality rows.",
            .reference = "Murty: Opsearch 11 (1974); Judice, Pires: Comput. Oper. Res. "
                         "21 (1994)",
            .sets = nsds_bound_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(pivoting_state),
    .reserve = reserve,
    .solve = solve,
    .release = release,
};
