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
 * Independent parts of the problem are solved one by one (parts.h), with a dense tableau or, where
 * M is sparse and the part large, with sparse factors of the basis (sparse_path.c).
 */
#include "parts.h"
#include "pivot_path.h"
#include "sparse_path.h"

typedef struct lemke_state {
  nsds_parts parts;
  nsds_pivot_path path;
  nsds_sparse_path sparse;
} lemke_state;

enum { tableau_rows = 256 }; /* of a part of a sparse matrix, up to which a tableau costs less */

/* Whether M is taken as a dense matrix, and all parts are; otherwise those of few rows. */
static bool as_dense(const nsds_problem *problem) {
  return problem->M.storage == NSDS_DENSE || nsds_lcp_size(problem) <= tableau_rows;
}

/* For problems that may turn out to be one part. */
static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  lemke_state *s = solver->state;
  nsds_context *context = solver->context;
  int n = nsds_lcp_size(problem);
  nsds_status status = nsds_solver_scratch(solver, 2 * (size_t)problem->n);
  if (status || n < 0) return status;
  if ((status = nsds_lcp_reserve(context, &s->path.form, problem)) ||
      (status = nsds_parts_reserve(context, &s->parts, problem, 0)) || !as_dense(problem) ||
      (status = nsds_form_reserve_dense(solver, problem)) || n > nsds_dense_limit ||
      (status = nsds_parts_reserve(context, &s->parts, problem, problem->n)) ||
      (n <= tableau_rows && (status = nsds_sparse_path_reserve(context, &s->sparse, problem, n))))
    return status;
  return nsds_pivot_path_reserve(context, &s->path, n);
}

static int rows_of_part(const nsds_parts *parts, const nsds_problem *problem, int k) {
  int rows = 0;
  for (int t = parts->first[k]; t < parts->first[k + 1]; ++t)
    rows += nsds_lcp_block_size(&problem->block[parts->member[t]]);
  return rows;
}

/* Memory for a dense part; its form may have twice as many rows as M, or as nsds_dense_limit. */
static nsds_status reserve_dense(nsds_solver *solver, const nsds_problem *problem, int n, int rows,
                                 bool *too_large) {
  lemke_state *s = solver->state;
  *too_large = rows / 2 > (n > nsds_dense_limit ? n : nsds_dense_limit);
  if (*too_large) return NSDS_OK;
  nsds_status status = nsds_parts_reserve(solver->context, &s->parts, problem, n);
  return status ? status : nsds_pivot_path_reserve(solver->context, &s->path, rows);
}

/* The parts, and memory for the largest dense one. */
static nsds_status find_parts(nsds_solver *solver, const nsds_problem *problem, const double *dense,
                              const nsds_csc_form *csc, bool *too_large) {
  lemke_state *s = solver->state;
  nsds_parts *parts = &s->parts;
  int rows = 0;
  nsds_status status = nsds_parts_find(solver->context, parts, problem, dense, csc);
  if (status) return status;
  for (int k = 0; k < parts->count; ++k) {
    int size = rows_of_part(parts, problem, k);
    if (size > rows && (dense || size <= tableau_rows)) rows = size;
  }
  int n = parts->most_rows;
  if (dense && parts->count == 1) n = 0;
  if (csc && n > tableau_rows) n = tableau_rows;
  return reserve_dense(solver, problem, n, rows, too_large);
}

/* A large part of a sparse matrix; where that fails and it is not too large, with a tableau. */
static nsds_status solve_sparse_part(nsds_solver *solver, const nsds_problem *problem, int k,
                                     const nsds_csc_form *csc, int limit, double *z,
                                     nsds_solver_info *info) {
  lemke_state *s = solver->state;
  bool from_vertex = solver->method == &nsds_method_cao_ferris, too_large;
  nsds_status status = nsds_parts_take_sparse(solver->context, &s->parts, problem, k, NULL, csc);
  if (status) return status;
  int n = s->parts.problem.n, rows = rows_of_part(&s->parts, problem, k);
  status =
      nsds_sparse_path_solve(solver, &s->sparse, &s->parts.problem, from_vertex, limit, z, info);
  bool done = info->outcome != NSDS_NOT_CONVERGED || info->iterations >= limit;
  if (status || done || n > nsds_dense_limit) return status;
  status = reserve_dense(solver, problem, n, rows, &too_large);
  if (status || too_large) return status;
  return nsds_pivot_path_solve(solver, &s->path, nsds_parts_take(&s->parts, problem, k, NULL, csc),
                               from_vertex, limit, z, info);
}

/* A part with a tableau. Where that fails, rounding gathered in it may be why: sparse factors, made
 * anew every now and then, have the last word if they find a solution. */
static nsds_status solve_dense_part(nsds_solver *solver, const nsds_problem *problem, int k,
                                    const double *dense, const nsds_csc_form *csc, int limit,
                                    double *z, nsds_solver_info *info) {
  lemke_state *s = solver->state;
  bool from_vertex = solver->method == &nsds_method_cao_ferris;
  nsds_status status =
      nsds_pivot_path_solve(solver, &s->path, nsds_parts_take(&s->parts, problem, k, dense, csc),
                            from_vertex, limit, z, info);
  nsds_outcome first = info->outcome;
  bool doubtful = first == NSDS_RAY || first == NSDS_NOT_CONVERGED;
  if (status || !doubtful || info->iterations >= limit) return status;
  if ((status = nsds_parts_take_sparse(solver->context, &s->parts, problem, k, dense, csc)) ||
      (status = nsds_sparse_path_solve(solver, &s->sparse, &s->parts.problem, from_vertex, limit, z,
                                       info)))
    return status;
  if (info->outcome != NSDS_SOLVED && info->outcome != NSDS_INTERRUPTED) info->outcome = first;
  return NSDS_OK;
}

static nsds_status solve_part(nsds_solver *solver, const nsds_problem *problem, int k,
                              const double *dense, const nsds_csc_form *csc, int limit, double *z,
                              nsds_solver_info *info) {
  lemke_state *s = solver->state;
  if (csc && rows_of_part(&s->parts, problem, k) > tableau_rows)
    return solve_sparse_part(solver, problem, k, csc, limit, z, info);
  return solve_dense_part(solver, problem, k, dense, csc, limit, z, info);
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
                               const double *dense, const nsds_csc_form *csc, double *z,
                               nsds_solver_info *info) {
  lemke_state *s = solver->state;
  double *found = solver->toolbox->scratch;
  int limit = nsds_iteration_limit(solver, 1000 + 20 * nsds_lcp_size(problem));
  nsds_outcome outcome = NSDS_SOLVED;
  for (int k = 0; k < s->parts.count && info->outcome != NSDS_INTERRUPTED; ++k) {
    nsds_status status = solve_part(solver, problem, k, dense, csc, limit, found, info);
    if (status) return status;
    for (int i = 0; info->outcome == NSDS_SOLVED && i < s->parts.problem.n; ++i)
      z[s->parts.global[i]] = found[i];
    outcome = worse(outcome, info->outcome);
  }
  info->outcome = outcome;
  return NSDS_OK;
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  const double *dense = NULL;
  const nsds_csc_form *csc = NULL;
  bool refused = nsds_lcp_size(problem) < 0;
  nsds_status status = NSDS_OK;
  if (problem->n == 0) return NSDS_OK;
  for (int i = 0; i < problem->n; ++i)
    if (!isfinite(z[i])) z[i] = 0.0;
  if (!refused) {
    status = as_dense(problem) ? nsds_form_dense(solver, problem, &dense)
                               : nsds_form_csc(solver, problem, &csc);
    if (!status) status = find_parts(solver, problem, dense, csc, &refused);
  }
  if (status) return status;
  if (!refused) return solve_parts(solver, problem, dense, csc, z, info);
  info->outcome = NSDS_REFUSED;
  return NSDS_OK;
}

static void release(nsds_solver *solver) {
  lemke_state *s = solver->state;
  nsds_parts_release(solver->context, &s->parts);
  nsds_pivot_path_release(solver->context, &s->path);
  nsds_sparse_path_release(solver->context, &s->sparse);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of pivots; 0: 1000 + 20 n"), {0}};

const nsds_method nsds_method_lemke = {
    .row = {.name = "lemke",
            .summary =
                "Lemke's complementary pivoting, lexicographic, on a dense tableau or, for large "
                "sparse parts, with sparse LU factors; polyhedra and plane friction in "
                "complementarity form (round cones are refused). Ends on a ray when "
                "copositive-plus M has no solution.",
            .reference =
                "Lemke: Management Science 11 (1965); Cottle, Pang, Stone (1992), 4.4, 4.9",
            .sets = nsds_lcp_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(lemke_state),
    .reserve = reserve,
    .solve = solve,
    .release = release,
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
    .release = release,
};
