/*
 * Complementary pivoting for polyhedral sets and friction in the plane. Three methods are used: of
 * Lemke (Management Science 11, 1965; Cottle, Pang & Stone 1992, 4.4 and 4.9), of Cao & Ferris for
 * affine variational inequalities (Math. Oper. Res. 21, 1996), and of Lemke & Howson for bimatrix
 * games (SIAM J. Appl. Math. 12, 1964).
 *
 * All follow the path of y = A x + b + d x_0 to x_0 = 0 (pivot_path.c) in the complementarity form
 * of the problem (lcp_form.h). The methods differ in d. In coordinates that start at a vertex of C,
 * where the facets F meet, d covers the rows of F alone. This is the path of
 *
 *     0 in M z + q - x_0 e + N_C(z),    -e = H_F^T 1 in the interior of -N_C(vertex).
 *
 * A ray needs a direction in the recession cone of C. With C bounded there is none, for any M. With
 * friction d covers all rows. In a game d leaves one row unmet along the path, and no ray exists.
 *
 * Independent parts of the problem are solved one by one. After a ray, other d may be tried.
 */
#include "numerics/method_list.h"

#include "base/finite.h"
#include "base/union_find.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/forms.h"
#include "numerics/linear/matrix.h"
#include "numerics/pivoting/lcp_form.h"
#include "numerics/pivoting/pivot_basis.h"
#include "numerics/pivoting/pivot_path.h"
#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"

/*
 * ---- parts ----
 *
 * The independent parts of a problem are the connected components of its blocks; an entry of M
 * joins two blocks. Parts are solved one by one, so that work and memory follow the largest part,
 * and rounding stays within a part.
 */

typedef struct parts {
  int count;
  int *first;           /* count + 1: blocks member[first[k]] .. member[first[k+1]-1] are part k */
  int *member;          /* nblock */
  int *row;             /* nblock + 1: first row of each block of the problem */
  nsds_problem problem; /* the part taken last, with the arrays below */
  nsds_block *block;    /* nblock */
  int *global, *local;  /* n: from rows of the part to rows of the problem, and back */
  double *q;            /* n */
  double *M;            /* CSC form */
  int *p, *i;
  int *parent;         /* nblock: work */
  unsigned char *side; /* n: work */
} parts;

static nsds_status reserve_parts(nsds_store *store, parts *p, const nsds_problem *problem,
                                 size_t entries) {
  size_t n = (size_t)problem->n, blocks = (size_t)problem->nblock;
  const nsds_cut cut[] = {
      NSDS_CUT(p->first, blocks + 1), NSDS_CUT(p->member, blocks), NSDS_CUT(p->row, blocks + 1),
      NSDS_CUT(p->parent, blocks),    NSDS_CUT(p->block, blocks),  NSDS_CUT(p->global, n),
      NSDS_CUT(p->local, n),          NSDS_CUT(p->p, n + 1),       NSDS_CUT(p->q, n),
      NSDS_CUT(p->i, entries),        NSDS_CUT(p->M, entries),     NSDS_CUT(p->side, n)};
  return NSDS_HOLD(store, cut);
}

/* Joins the blocks that share an entry of M. */
static void join_all(const nsds_problem *problem, const nsds_matrix *M, int *parent,
                     const int *block_of) {
  int left = problem->nblock;
  for (int a = 0; a < problem->nblock; ++a) parent[a] = a;
  for (int j = 0; j < problem->n && left > 1; ++j) {
    nsds_column c = nsds_matrix_column(M, j);
    for (int k = 0; k < c.count; ++k)
      left -= c.x[k] != 0.0 && nsds_unite(parent, block_of[nsds_column_row(c, k)], block_of[j]);
  }
}

/* Finds the parts; M is the matrix of the problem, dense or CSC. */
static nsds_status find_parts(nsds_store *store, parts *p, const nsds_problem *problem,
                              const nsds_matrix *M) {
  size_t n = (size_t)problem->n;
  nsds_status status =
      reserve_parts(store, p, problem, M->storage == NSDS_DENSE ? n * n : (size_t)M->p[n]);
  if (status) return status;
  int *block_of = p->global;
  p->row[0] = 0;
  for (int a = 0; a < problem->nblock; ++a) {
    p->row[a + 1] = p->row[a] + problem->block[a].size;
    for (int i = p->row[a]; i < p->row[a + 1]; ++i) block_of[i] = a;
  }
  join_all(problem, M, p->parent, block_of);
  p->count = nsds_components(problem->nblock, p->parent, p->first, p->member);
  return NSDS_OK;
}

static void take_rows(parts *p, const nsds_problem *problem, int k) {
  int m = 0, nblock = p->first[k + 1] - p->first[k];
  for (int t = 0; t < nblock; ++t) {
    int a = p->member[p->first[k] + t];
    p->block[t] = problem->block[a];
    for (int i = p->row[a]; i < p->row[a + 1]; ++i) {
      p->q[m] = problem->q[i];
      p->local[i] = m;
      p->global[m++] = i;
    }
  }
  p->problem = (nsds_problem){.n = m, .nblock = nblock, .block = p->block, .q = p->q};
}

/* Takes the rows of the part from a dense column, all nonzeros from a sparse one. */
static int take_column(parts *p, nsds_column c, int count) {
  int terms = c.i ? c.count : p->problem.n;
  for (int t = 0; t < terms; ++t) {
    double x = c.x[c.i ? t : p->global[t]];
    if (x == 0.0) continue;
    p->i[count] = c.i ? p->local[c.i[t]] : t;
    p->M[count++] = x;
  }
  return count;
}

/* Returns part k as a problem of its own, in CSC storage. */
static const nsds_problem *lemke_take_part(parts *p, const nsds_problem *problem, int k,
                                           const nsds_matrix *M) {
  take_rows(p, problem, k);
  int m = p->problem.n;
  p->p[0] = 0;
  for (int j = 0; j < m; ++j)
    p->p[j + 1] = take_column(p, nsds_matrix_column(M, p->global[j]), p->p[j]);
  p->problem.M = (nsds_matrix){.storage = NSDS_CSC,
                               .n = m,
                               .p = p->p,
                               .i = p->i,
                               .x = p->M,
                               .symmetric = problem->M.symmetric};
  return &p->problem;
}

/* ---- the methods ---- */

enum { OPTION_RESTARTS = OPTION_FIRST_OWN };

typedef struct lemke_state {
  parts parts;
  nsds_path path;
} lemke_state;

/* Returns true if the entries of M come from a dense matrix. */
static bool lemke_as_dense(const nsds_problem *problem) {
  return problem->M.storage == NSDS_DENSE || problem->n <= nsds_small_rows;
}

/* Reserves memory as if the problem were one part. */
static nsds_status lemke_reserve(nsds_solver *solver, const nsds_problem *problem) {
  lemke_state *s = solver->state;
  size_t n = (size_t)problem->n;
  nsds_status status = nsds_solver_scratch(solver, 2 * n);
  if (status || nsds_lcp_size(problem) < 0 || !lemke_as_dense(problem)) return status;
  if ((status = nsds_form_reserve_dense(solver, problem)) ||
      (status = reserve_parts(&solver->store, &s->parts, problem, n * n)))
    return status;
  return nsds_path_reserve(&s->path, solver, problem);
}

/* Returns the outcome of two parts. A part without solution decides; then a ray says most. */
static nsds_outcome worse(nsds_outcome a, nsds_outcome b) {
  static const nsds_outcome order[] = {NSDS_INTERRUPTED, NSDS_NO_SOLUTION, NSDS_RAY};
  for (size_t k = 0; k < sizeof order / sizeof *order; ++k)
    if (a == order[k] || b == order[k]) return order[k];
  return a > b ? a : b;
}

/* Returns true for a bimatrix game: M = [0, A; B, 0] in some order of the rows with A, B > 0, and q
 * < 0. The column of row 0 tells the sides. */
static bool is_game(const nsds_problem *part, unsigned char *side) {
  const nsds_matrix *M = &part->M;
  int n = part->n, others = M->p[1];
  for (int a = 0; a < part->nblock; ++a)
    if (part->block[a].set != NSDS_SET_NONNEGATIVE) return false;
  memset(side, 0, (size_t)n);
  for (int k = 0; k < others; ++k) side[M->i[k]] = 1;
  for (int j = 0; j < n; ++j) {
    if (!(part->q[j] < 0.0) || M->p[j + 1] - M->p[j] != (side[j] ? n - others : others))
      return false;
    for (int k = M->p[j]; k < M->p[j + 1]; ++k)
      if (!(M->x[k] > 0.0) || side[M->i[k]] == side[j]) return false;
  }
  return n > 1;
}

static double lemke_entry_of(const nsds_matrix *M, int i, int j) {
  for (int k = M->p[j]; k < M->p[j + 1]; ++k)
    if (M->i[k] == i) return M->x[k];
  return 0.0;
}

/* Returns true if a diagonal entry or two rows show that M is not monotone. Then a ray proves
 * nothing. Numbers that are not finite show nothing. */
static bool shows_no_monotony(const nsds_problem *part) {
  const nsds_matrix *M = &part->M;
  if (nsds_first_nonfinite(M->x, M->p[M->n]) >= 0 || nsds_first_nonfinite(part->q, M->n) >= 0)
    return false;
  for (int j = 0; j < M->n; ++j) {
    double d = lemke_entry_of(M, j, j);
    if (d < 0.0) return true;
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
      int i = M->i[k];
      double mean = 0.5 * (M->x[k] + lemke_entry_of(M, j, i));
      if (i != j && mean * mean > (1.0 + 1e-9) * d * lemke_entry_of(M, i, i)) return true;
    }
  }
  return false;
}

/* Solves part by part. Unsolved parts keep their start. */
static nsds_status solve_parts(nsds_solver *solver, const nsds_problem *problem,
                               const nsds_matrix *M, double *z, nsds_solver_info *info) {
  lemke_state *s = solver->state;
  double *found = solver->toolbox->scratch;
  bool friction = (solver->toolbox->sets & (NSDS_SET_COULOMB | NSDS_SET_ROLLING)) != 0;
  int most = (int)solver->value[OPTION_RESTARTS];
  nsds_outcome outcome = NSDS_SOLVED;
  for (int k = 0; k < s->parts.count && info->outcome != NSDS_INTERRUPTED; ++k) {
    const nsds_problem *part = lemke_take_part(&s->parts, problem, k, M);
    bool dense = problem->M.storage == NSDS_DENSE || part->n <= nsds_small_rows;
    int restarts = most > 0 && shows_no_monotony(part) ? most : 0;
    nsds_path_start start = friction                       ? NSDS_PATH_ALL_ROWS
                            : is_game(part, s->parts.side) ? NSDS_PATH_GAME
                                                           : NSDS_PATH_VERTEX;
    nsds_status status =
        nsds_path_solve(&s->path, solver, part, start, restarts, dense, found, info);
    if (status) return status;
    for (int i = 0; info->outcome == NSDS_SOLVED && i < part->n; ++i)
      z[s->parts.global[i]] = found[i];
    outcome = worse(outcome, info->outcome);
  }
  info->outcome = outcome;
  return NSDS_OK;
}

static nsds_status lemke_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                               nsds_solver_info *info) {
  lemke_state *s = solver->state;
  nsds_matrix M;
  if (problem->n == 0) return NSDS_OK;
  nsds_make_finite(z, problem->n);
  if (nsds_lcp_size(problem) < 0) {
    info->outcome = NSDS_REFUSED;
    return NSDS_OK;
  }
  nsds_status status = nsds_form_view(solver, problem, lemke_as_dense(problem), &M);
  if (!status) status = find_parts(&solver->store, &s->parts, problem, &M);
  return status ? status : solve_parts(solver, problem, &M, z, info);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of pivots; 0: 1000 + 20 n on each path"),
    {"restarts", "integer",
     "paths tried with other covering vectors after a ray, where M is seen not to be monotone", 0.0,
     0.0, 1e6},
    {0}};

const nsds_method nsds_method_lemke = {
    .row = {.name = "lemke",
            .summary =
                "Complementary pivoting from a vertex of the sets, with dense or sparse LU "
                "factors; polyhedra, plane friction and bimatrix games (round cones are "
                "refused). Always solves over bounded sets; ends on a ray if M is copositive-"
                "plus and no solution exists.",
            .reference = "Lemke: Management Science 11 (1965); Lemke, Howson: SIAM J. Appl. Math. "
                         "12 (1964); Cottle, Pang, Stone (1992), 4.4, 4.9; Cao, Ferris: Math. "
                         "Oper. Res. 21 (1996)",
            .sets = nsds_lcp_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(lemke_state),
    .reserve = lemke_reserve,
    .solve = lemke_solve,
};
