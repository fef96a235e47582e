/*
 * Projected Gauss-Seidel with relaxation (Cryer 1971; Cottle, Pang & Stone 1992, 5.2): row by row
 *
 *     z_i <- P_C(z_i - omega w_i / M_ii),   P_C the projection on the row's set,
 *
 * converging for symmetric positive definite M with 0 < omega < 2. Dense and CSC storage keep
 * w = M z + q up to date by columns; the factored operator keeps v = Y z (Moreau 1999; Jourdan,
 * Alart & Jean 1998) and never forms M. Rows without a positive diagonal (nonzero on equality rows)
 * stay at z_i = 0: the certificate tells whether that was right. The residual is certified every
 * few sweeps; the point with the least one is returned.
 */
#include "matrix.h"
#include "solver_internal.h"

enum { OPTION_RELAXATION = OPTION_FIRST_OWN };

enum { first_check = 5, default_sweeps = 10000 };

typedef struct sweep {
  const nsds_problem *problem;
  double omega;
  double *z, *d; /* n each: iterate, diagonal */
  double *w;     /* n: M z + q; assembled storages */
  double *v;     /* ncolumn: Y z; factored storage */
} sweep;

/* The new z_i given w_i; its old value where the row cannot be updated. */
static double updated(const sweep *s, nsds_set set, int i, double w) {
  double d = s->d[i];
  if (set == NSDS_SET_EQUALITY) return d != 0.0 ? s->z[i] - s->omega * w / d : s->z[i];
  if (!(d > 0.0)) return s->z[i];
  double z = s->z[i] - s->omega * w / d;
  return z > 0.0 ? z : 0.0;
}

/* ---- assembled storages ---- */

static void add_column(const nsds_matrix *M, int j, double change, double *w) {
  if (M->storage == NSDS_DENSE) {
    const double *m = M->x + (size_t)j * (size_t)M->n;
    for (int i = 0; i < M->n; ++i) w[i] += m[i] * change;
  } else {
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) w[M->i[k]] += M->x[k] * change;
  }
}

static void sweep_assembled(sweep *s) {
  const nsds_problem *problem = s->problem;
  for (int a = 0, i = 0; a < problem->nblock; ++a)
    for (int end = i + problem->block[a].size; i < end; ++i) {
      double z = updated(s, problem->block[a].set, i, s->w[i]), change = z - s->z[i];
      if (change == 0.0) continue;
      s->z[i] = z;
      add_column(&problem->M, i, change, s->w);
    }
}

/* ---- factored storage ---- */

static double factored_row(const sweep *s, int a, int r) {
  const nsds_factored *f = s->problem->M.factored;
  int first = f->row[a], m = f->row[a + 1] - first;
  double w = s->problem->q[first + r];
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
    const nsds_edge *e = &f->edge[k];
    for (int c = 0; c < e->size; ++c) w += e->H[r + c * m] * s->v[e->column + c];
  }
  for (int c = 0; f->D && f->D[a] && c < m; ++c) w += f->D[a][r + c * m] * s->z[first + c];
  return w;
}

static void sweep_factored(sweep *s) {
  const nsds_problem *problem = s->problem;
  const nsds_factored *f = problem->M.factored;
  int block = 0, block_end = problem->nblock > 0 ? problem->block[0].size : 0;
  for (int a = 0; a < f->nrow_block; ++a)
    for (int i = f->row[a]; i < f->row[a + 1]; ++i) {
      while (i >= block_end) block_end += problem->block[++block].size;
      int r = i - f->row[a];
      double z = updated(s, problem->block[block].set, i, factored_row(s, a, r));
      double change = z - s->z[i];
      if (change == 0.0) continue;
      s->z[i] = z;
      for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
        nsds_edge_add(f, &f->edge[k], f->row[a + 1] - f->row[a], r, 1, &change,
                      s->v + f->edge[k].column);
    }
}

/* ---- the iteration ---- */

/* Recomputes what the sweeps keep up to date, which also ends the drift of rounding. */
static void refresh(sweep *s, double *work) {
  if (s->problem->M.storage == NSDS_FACTORED)
    nsds_find_velocities(s->problem->M.factored, s->z, s->v);
  else nsds_problem_multiply(s->problem, s->z, s->w, work);
}

static void find_diagonal(const nsds_matrix *M, double *d) {
  const nsds_factored *f = M->storage == NSDS_FACTORED ? M->factored : NULL;
  for (int j = 0; !f && j < M->n; ++j) d[j] = nsds_matrix_entry(M, j, j);
  for (int a = 0; f && a < f->nrow_block; ++a)
    for (int r = 0; r < f->row[a + 1] - f->row[a]; ++r)
      d[f->row[a] + r] = nsds_own_entry(f, a, r, r);
}

static void start(sweep *s, double *z, double *work) {
  const nsds_problem *problem = s->problem;
  find_diagonal(&problem->M, s->d);
  for (int a = 0, i = 0; a < problem->nblock; ++a)
    for (int end = i + problem->block[a].size; i < end; ++i) {
      bool equality = problem->block[a].set == NSDS_SET_EQUALITY;
      bool fixed = equality ? s->d[i] == 0.0 : !(s->d[i] > 0.0);
      if (fixed || !isfinite(z[i]) || (!equality && z[i] < 0.0)) z[i] = 0.0;
      s->z[i] = z[i];
    }
  refresh(s, work);
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  size_t n = (size_t)problem->n;
  nsds_toolbox *toolbox = solver->toolbox;
  double *scratch = toolbox->scratch;
  sweep s = {problem,         solver->value[OPTION_RELAXATION],
             scratch,         scratch + n,
             scratch + 2 * n, scratch + 2 * n};
  int limit = nsds_iteration_limit(solver, default_sweeps), check = first_check;
  start(&s, z, toolbox->certify_work);
  double best = nsds_solver_residual(solver, problem, z, NULL);
  info->outcome = NSDS_NOT_CONVERGED;
  for (int k = 1; k <= limit && best > solver->value[OPTION_TOLERANCE]; ++k) {
    if (problem->M.storage == NSDS_FACTORED) sweep_factored(&s);
    else sweep_assembled(&s);
    info->iterations = k;
    if (k == check || k == limit) {
      check = k + first_check + k / 4;
      double residual = nsds_solver_residual(solver, problem, s.z, NULL);
      if (isinf(residual)) break; /* overflow: diverged */
      if (residual < best) {
        best = residual;
        memcpy(z, s.z, n * sizeof *z);
      }
      refresh(&s, toolbox->certify_work);
    }
    if (nsds_solver_interrupted(solver, k, best)) {
      info->outcome = NSDS_INTERRUPTED;
      return NSDS_OK;
    }
  }
  if (best <= solver->value[OPTION_TOLERANCE]) info->outcome = NSDS_SOLVED;
  return NSDS_OK;
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  size_t n = (size_t)problem->n, kept = n;
  if (problem->M.storage == NSDS_FACTORED) kept = (size_t)problem->M.factored->ncolumn;
  return nsds_solver_scratch(solver, 2 * n + kept);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of sweeps; 0: 10000"),
    {"relaxation", "1", "omega: 1 Gauss-Seidel, above over-relaxation", 1.0, 1e-6, 1.999999},
    {0}};

const nsds_method nsds_method_pgs = {
    .row = {.name = "pgs",
            .summary = "Projected Gauss-Seidel sweeps; matrix-free on the factored operator.",
            .reference = "Cryer: SIAM J. Control 9 (1971); Cottle, Pang, Stone (1992), 5.2",
            .sets = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE,
            .storages = NSDS_DENSE | NSDS_CSC | NSDS_FACTORED,
            .option = options},
    .reserve = reserve,
    .solve = solve,
};
