/*
 * Lemke's method with lexicographic pivoting (Lemke 1965; Cottle, Pang & Stone 1992, 4.4 and 4.9),
 * and the method of Cao & Ferris for affine variational inequalities (Math. Oper. Res. 21, 1996).
 *
 * Both follow the path of y = A x + b + d x_0 from large x_0 to x_0 = 0 (pivot_path.c) in the
 * complementarity form of the problem (lcp_form.h). Lemke covers all rows. In coordinates that
 * start at a vertex of C, where the facets A meet, Cao and Ferris cover the rows of A alone: the
 * path is that of
 *
 *     0 in M z + q - x_0 e + N_C(z),    -e = H_A^T 1 in the interior of -N_C(vertex),
 *
 * and a ray needs a direction in the recession cone of C: with C bounded there is none, whatever M.
 *
 * Independent parts of the problem are solved one by one (parts.h).
 */
#include "parts.h"
#include "path.h"

typedef struct lemke_state {
  nsds_parts parts;
  nsds_path path;
} lemke_state;

/* Pivots by default: the usual number is about that of the rows, of hard problems some times that.
 */
enum { fixed_pivots = 1000, pivots_per_row = 20 };

/* Whether the entries of M come from a dense matrix. */
static bool as_dense(const nsds_problem *problem) {
  return problem->M.storage == NSDS_DENSE || problem->n <= nsds_small_rows;
}

/* For problems that may turn out to be one part. */
static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  lemke_state *s = solver->state;
  size_t n = (size_t)problem->n;
  nsds_status status = nsds_solver_scratch(solver, 2 * n);
  if (status || nsds_lcp_size(problem) < 0 || !as_dense(problem)) return status;
  if ((status = nsds_form_reserve_dense(solver, problem)) ||
      (status = nsds_parts_reserve(&solver->store, &s->parts, problem, n * n)))
    return status;
  return nsds_path_reserve(&s->path, solver, problem);
}

/* One part without a solution leaves none to the problem; otherwise a ray says most. */
static nsds_outcome worse(nsds_outcome a, nsds_outcome b) {
  static const nsds_outcome order[] = {NSDS_INTERRUPTED, NSDS_NO_SOLUTION, NSDS_RAY};
  for (size_t k = 0; k < sizeof order / sizeof *order; ++k)
    if (a == order[k] || b == order[k]) return order[k];
  return a > b ? a : b;
}

/* Parts that cannot be solved keep their start. */
static nsds_status solve_parts(nsds_solver *solver, const nsds_problem *problem,
                               const nsds_matrix *M, double *z, nsds_solver_info *info) {
  lemke_state *s = solver->state;
  double *found = solver->toolbox->scratch;
  bool from_vertex = solver->method == &nsds_method_cao_ferris;
  int limit = nsds_iteration_limit(solver, fixed_pivots + pivots_per_row * nsds_lcp_size(problem));
  nsds_outcome outcome = NSDS_SOLVED;
  for (int k = 0; k < s->parts.count && info->outcome != NSDS_INTERRUPTED; ++k) {
    const nsds_problem *part = nsds_parts_take(&s->parts, problem, k, M);
    bool dense = problem->M.storage == NSDS_DENSE || part->n <= nsds_small_rows;
    nsds_status status =
        nsds_path_solve(&s->path, solver, part, from_vertex, dense, limit, found, info);
    if (status) return status;
    for (int i = 0; info->outcome == NSDS_SOLVED && i < part->n; ++i)
      z[s->parts.global[i]] = found[i];
    outcome = worse(outcome, info->outcome);
  }
  info->outcome = outcome;
  return NSDS_OK;
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  lemke_state *s = solver->state;
  nsds_matrix M;
  if (problem->n == 0) return NSDS_OK;
  for (int i = 0; i < problem->n; ++i)
    if (!isfinite(z[i])) z[i] = 0.0;
  if (nsds_lcp_size(problem) < 0) {
    info->outcome = NSDS_REFUSED;
    return NSDS_OK;
  }
  nsds_status status = nsds_form_view(solver, problem, as_dense(problem), &M);
  if (!status) status = nsds_parts_find(&solver->store, &s->parts, problem, &M);
  return status ? status : solve_parts(solver, problem, &M, z, info);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of pivots; 0: 1000 + 20 n"), {0}};

const nsds_method nsds_method_lemke = {
    .row = {.name = "lemke",
            .summary =
                "Lemke's complementary pivoting, with LU factors of the basis, dense or sparse; "
                "polyhedra and plane friction in complementarity form (round cones are refused). "
                "Ends on a ray when copositive-plus M has no solution.",
            .reference =
                "Lemke: Management Science 11 (1965); Cottle, Pang, Stone (1992), 4.4, 4.9",
            .sets = nsds_lcp_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(lemke_state),
    .reserve = reserve,
    .solve = solve,
};

const nsds_method nsds_method_cao_ferris = {
    .row = {.name = "cao_ferris",
            .summary = "Pivoting for affine variational inequalities over polyhedra, from a vertex "
                       "(round cones and discs are refused). Always solves over bounded sets; ends "
                       "on a ray when M, copositive-plus on the recession cone, has no solution.",
            .reference = "Cao, Ferris: Math. Oper. Res. 21 (1996)",
            .sets = nsds_polyhedral_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(lemke_state),
    .reserve = reserve,
    .solve = solve,
};
