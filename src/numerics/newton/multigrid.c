/*
 * Large sparse problems with bounds and symmetric positive definite M. The solution minimizes f(z)
 * = 1/2 z^T M z + q^T z within the bounds. A step, on the pattern of More & Toraldo (SIAM J. Optim.
 * 1, 1991):
 *
 * 1. projected sweeps of Gauss and Seidel, which never raise f; 2. F, the rows within their bounds
 * and those whose w leads off theirs; M_FF d = -w_F by conjugate
 *    gradients with a multigrid cycle of M_FF (aggregation.h);
 * 3. z+ = P(z + lambda d), lambda halved from 1 on until f falls.
 *
 * F is nearly right at the first step. Unless the start is near, the problem is first solved with
 * P^T M P in place of M. P belongs to the first level of aggregation (aggregation.h). The same goes
 * on down to a few rows. A level begins at the point of the level below, so that its set is wrong
 * only in some rows at the border.
 */
#include "numerics/method_list.h"

#include "base/base.h"
#include "numerics/linear/aggregation.h"
#include "numerics/linear/forms.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/bounds.h"
#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"
#include "numerics/watch.h"

enum {
  default_limit = 200,
  coarse_steps = 8, /* at most on each level but the first */
  sweeps = 2,       /* of each step, forwards and backwards */
  bottom_sweeps = 50,
  most_gradients = 200, /* of one system */
  halvings = 6,
};

static const double near_start = 1e-2; /* residual of a start that is good enough */
static const double part = 1e-2;       /* systems are solved to this part of their error, */
static const double coarse_least = 1e-6,
                    fine_least = 0.05; /* finally to this part of the tolerance */

static const double stalled = 0.5; /* of the residual before, if F stays */

/* The problem of a level. */
typedef struct bounded {
  nsds_level_matrix M;
  double *q, *lower, *upper, *z, *w, *s;
} bounded;

typedef struct multigrid_state {
  nsds_hierarchy whole, face;
  bounded level[nsds_most_levels];
  unsigned char *in; /* n: row is in F, the F of `face` */
  int faces;         /* rows of the level of `face`; 0: none */
  int *row, *place;  /* rows of F in M, and of M in F */
  int *p, *i;        /* M_FF */
  double *x;
  double *r, *c, *d, *Md; /* n each: of the conjugate gradients */
  double *step, *Mstep;
  nsds_level_matrix MF;
  nsds_solver *solver;
} multigrid_state;

static bool multigrid_late(const multigrid_state *t) {
  return nsds_solver_time_left(t->solver) <= 0.0;
}

/* ---- a level ---- */

static void multigrid_sweep(const bounded *b, bool forwards) {
  int n = b->M.n;
  for (int k = 0; k < n; ++k) {
    int i = forwards ? k : n - 1 - k;
    double w = b->q[i], d = 1.0;
    for (int e = b->M.p[i]; e < b->M.p[i + 1]; ++e) {
      w += b->M.x[e] * b->z[b->M.i[e]];
      if (b->M.i[e] == i) d = b->M.x[e];
    }
    b->z[i] = nsds_clip(b->z[i] - w / d, b->lower[i], b->upper[i]);
  }
}

/* Computes y = M x. */
static void multigrid_product(const nsds_level_matrix *M, const double *x, double *y) {
  for (int i = 0; i < M->n; ++i) {
    double sum = 0.0;
    for (int k = M->p[i]; k < M->p[i + 1]; ++k) sum += M->x[k] * x[M->i[k]];
    y[i] = sum;
  }
}

/* Computes w and s, the size of its terms. */
static void find_w(const bounded *b) {
  for (int i = 0; i < b->M.n; ++i) {
    double w = b->q[i], s = fabs(w);
    for (int k = b->M.p[i]; k < b->M.p[i + 1]; ++k) {
      double term = b->M.x[k] * b->z[b->M.i[k]];
      w += term;
      s += fabs(term);
    }
    b->w[i] = w;
    b->s[i] = s;
  }
}

/* ---- the system of F ---- */

/* Puts F into `in`; returns true if `face` belongs to this F. */
static bool find_face(multigrid_state *t, const bounded *b, double least) {
  bool same = t->faces == b->M.n;
  for (int i = 0; i < b->M.n; ++i) {
    double z = b->z[i], w = b->w[i], noise = least * b->s[i];
    bool in = z > b->lower[i] ? z < b->upper[i] || w > noise : z < b->upper[i] && w < -noise;
    same = same && t->in[i] == in;
    t->in[i] = in;
  }
  return same;
}

static nsds_status make_face(multigrid_state *t, const bounded *b) {
  int n = 0, entries = 0;
  for (int i = 0; i < b->M.n; ++i) {
    t->place[i] = t->in[i] ? n : -1;
    if (t->in[i]) t->row[n++] = i;
  }
  t->p[0] = 0;
  for (int a = 0; a < n; ++a) {
    int i = t->row[a];
    for (int k = b->M.p[i]; k < b->M.p[i + 1]; ++k) {
      int j = t->place[b->M.i[k]];
      if (j < 0) continue;
      t->i[entries] = j;
      t->x[entries++] = b->M.x[k];
    }
    t->p[a + 1] = entries;
  }
  t->MF = (nsds_level_matrix){n, t->p, t->i, t->x};
  t->faces = 0;
  nsds_status status = n ? nsds_hierarchy_build(&t->face, &t->solver->store, &t->MF) : NSDS_OK;
  if (!status) t->faces = b->M.n;
  return status;
}

/* Returns the largest |r| over s. */
static double error_of_gradients(const multigrid_state *t, const bounded *b) {
  double most = 0.0;
  for (int a = 0; a < t->MF.n; ++a) {
    double e = fabs(t->r[a]), s = b->s[t->row[a]];
    if (!(e <= most * s)) most = e / s;
  }
  return most;
}

/* Computes the step on F, zero elsewhere. Returns false if M_FF is not positive definite. */
static bool multigrid_gradients(multigrid_state *t, const bounded *b, double part_of_error,
                                double least) {
  int n = t->MF.n;
  double *x = t->Mstep, rho = 0.0; /* the step by rows of F; Mstep is free until it is known */
  for (int a = 0; a < n; ++a) {
    t->r[a] = -b->w[t->row[a]];
    x[a] = t->d[a] = 0.0;
  }
  double enough = fmax(part_of_error * error_of_gradients(t, b), least);
  bool definite = true;
  for (int k = 0; definite && k < most_gradients && error_of_gradients(t, b) > enough; ++k) {
    if (multigrid_late(t)) break;
    nsds_hierarchy_cycle(&t->face, t->r, t->c);
    double next = nsds_inner_product(n, t->r, t->c), beta = rho > 0.0 ? next / rho : 0.0;
    rho = next;
    for (int a = 0; a < n; ++a) t->d[a] = t->c[a] + beta * t->d[a];
    multigrid_product(&t->MF, t->d, t->Md);
    double curvature = nsds_inner_product(n, t->d, t->Md);
    definite = rho > 0.0 && curvature > 0.0;
    double alpha = definite ? rho / curvature : 0.0;
    for (int a = 0; a < n; ++a) {
      x[a] += alpha * t->d[a];
      t->r[a] -= alpha * t->Md[a];
    }
  }
  nsds_zero_doubles(t->step, (size_t)b->M.n);
  for (int a = 0; a < n; ++a) t->step[t->row[a]] = x[a];
  return definite;
}

/* Sets z = P(z + lambda step) with the largest lambda = 1, 1/2, .. that lowers f. */
static void multigrid_advance(multigrid_state *t, bounded *b) {
  int n = b->M.n;
  double lambda = 1.0;
  for (int k = 0; k <= halvings; ++k, lambda *= 0.5) {
    for (int i = 0; i < n; ++i)
      t->r[i] = nsds_clip(b->z[i] + lambda * t->step[i], b->lower[i], b->upper[i]) - b->z[i];
    multigrid_product(&b->M, t->r, t->Mstep);
    double change = nsds_inner_product(n, b->w, t->r) + 0.5 * nsds_inner_product(n, t->r, t->Mstep);
    if (!(change < 0.0)) continue;
    for (int i = 0; i < n; ++i)
      b->z[i] = nsds_clip(b->z[i] + lambda * t->step[i], b->lower[i], b->upper[i]);
    return;
  }
}

/* Makes one step; *settled: F has not changed. */
static nsds_status multigrid_step(multigrid_state *t, bounded *b, double least, bool *settled,
                                  bool *definite) {
  for (int k = 0; k < sweeps; ++k) multigrid_sweep(b, k % 2 == 0);
  find_w(b);
  *settled = find_face(t, b, least);
  if (multigrid_late(t)) return NSDS_OK;
  nsds_status status = *settled ? NSDS_OK : make_face(t, b);
  if (status || t->MF.n == 0) return status;
  *definite = multigrid_gradients(t, b, *settled ? 0.0 : part, least);
  multigrid_advance(t, b);
  return NSDS_OK;
}

/* ---- the levels ---- */

/* Sets the bounds of an aggregate: the mean over its rows that have a bound. */
static void coarse_bound(const nsds_aggregate_level *l, const double *fine, double none,
                         double *sum, int *count) {
  int n = l[1].A.n;
  for (int c = 0; c < n; ++c) {
    sum[c] = 0.0;
    count[c] = 0;
  }
  for (int i = 0; i < l->A.n; ++i) {
    int c = l->of[i];
    if (c < 0 || !isfinite(fine[i])) continue;
    sum[c] += fine[i] * l[1].near[c] / l->near[i];
    ++count[c];
  }
  for (int c = 0; c < n; ++c) sum[c] = count[c] ? sum[c] / count[c] : none;
}

static nsds_status hold_coarse(multigrid_state *t, nsds_store *store, int k) {
  bounded *b = &t->level[k + 1];
  int n = t->whole.level[k + 1].A.n;
  const nsds_cut cut[] = {NSDS_CUT(b->q, n), NSDS_CUT(b->lower, n), NSDS_CUT(b->upper, n),
                          NSDS_CUT(b->z, n), NSDS_CUT(b->w, n),     NSDS_CUT(b->s, n)};
  return NSDS_HOLD(store, cut);
}

/* Makes the problem of level k + 1 from that of level k. */
static nsds_status make_coarse_problem(multigrid_state *t, int k) {
  const nsds_aggregate_level *l = &t->whole.level[k];
  bounded *fine = &t->level[k], *b = fine + 1;
  int n = l[1].A.n;
  nsds_status status = hold_coarse(t, &t->solver->store, k);
  if (status) return status;
  b->M = l[1].A;
  nsds_hierarchy_restrict(&t->whole, k, fine->q, b->q);
  coarse_bound(l, fine->lower, -INFINITY, b->lower, t->row);
  coarse_bound(l, fine->upper, INFINITY, b->upper, t->row);
  for (int c = 0; c < n; ++c) b->upper[c] = fmax(b->upper[c], b->lower[c]);
  return NSDS_OK;
}

static nsds_status solve_coarse(multigrid_state *t, int k) {
  bounded *b = &t->level[k];
  bool settled = false, definite = true;
  nsds_status status = NSDS_OK;
  for (int s = 0; s < coarse_steps && !status && !settled && definite && !multigrid_late(t); ++s)
    status = multigrid_step(t, b, coarse_least, &settled, &definite);
  return status;
}

/* Computes z of level k from the next level: at a bound if its aggregate is, else P z. */
static void multigrid_prolong(multigrid_state *t, int k) {
  const nsds_aggregate_level *l = &t->whole.level[k];
  bounded *b = &t->level[k], *next = b + 1;
  nsds_hierarchy_prolong(&t->whole, k, next->z, b->z);
  for (int i = 0; i < b->M.n; ++i) {
    int c = l->of[i];
    bool low = c >= 0 && next->z[c] <= next->lower[c] && isfinite(b->lower[i]);
    bool high = c >= 0 && next->z[c] >= next->upper[c] && isfinite(b->upper[i]);
    if (low || high) b->z[i] = low ? b->lower[i] : b->upper[i];
    b->z[i] = nsds_clip(b->z[i], b->lower[i], b->upper[i]);
  }
}

/* Solves the levels from the last one up, and sets the point of the first. */
static nsds_status climb(multigrid_state *t) {
  int last = 0;
  nsds_status status = nsds_hierarchy_build(&t->whole, &t->solver->store, &t->level[0].M);
  for (; !status && last + 1 < t->whole.levels; ++last) status = make_coarse_problem(t, last);
  if (status || last == 0) return status;
  bounded *b = &t->level[last];
  for (int i = 0; i < b->M.n; ++i) b->z[i] = nsds_clip(0.0, b->lower[i], b->upper[i]);
  for (int k = 0; k < bottom_sweeps; ++k) multigrid_sweep(b, k % 2 == 0);
  for (int k = last - 1; !status && k >= 0 && !multigrid_late(t); --k) {
    multigrid_prolong(t, k);
    if (k > 0) status = solve_coarse(t, k);
  }
  return status;
}

/* ---- the method ---- */

/* Returns true if M is symmetric up to rounding, which `known` skips, with positive diagonal.
 * `next` has n entries. */
static bool multigrid_takes(const nsds_csc_form *M, bool known, int *next) {
  static const double rounding = 1e-14;
  for (int j = 0; j < M->n; ++j) {
    if (!(M->x[M->diagonal[j]] > 0.0)) return false;
    next[j] = M->p[j];
  }
  for (int j = 0; j < M->n && !known; ++j)
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
      int i = M->i[k], other = next[i]++;
      if (other >= M->p[i + 1] || M->i[other] != j) return false;
      double size = sqrt(M->x[M->diagonal[i]] * M->x[M->diagonal[j]]);
      if (!(fabs(M->x[k] - M->x[other]) <= rounding * size)) return false;
    }
  return true;
}

static void multigrid_open(multigrid_state *t, nsds_solver *solver, const nsds_problem *problem) {
  const nsds_csc_form *M = &solver->toolbox->csc;
  bounded *b = &t->level[0];
  b->M = (nsds_level_matrix){M->n, M->p, M->i, M->x};
  nsds_row_bounds(problem, b->lower, b->upper);
  memcpy(b->q, problem->q, (size_t)problem->n * sizeof *b->q);
  t->solver = solver;
  t->faces = 0;
}

static nsds_status multigrid_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                                   nsds_solver_info *info) {
  multigrid_state *t = solver->state;
  const nsds_csc_form *M;
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_limit, 1, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  nsds_status status = nsds_form_csc(solver, problem, &M);
  if (status) return status;
  if (!multigrid_takes(M, problem->M.symmetric, t->row)) {
    info->outcome = NSDS_REFUSED;
    return NSDS_OK;
  }
  multigrid_open(t, solver, problem);
  bounded *b = &t->level[0];
  memcpy(b->z, z, (size_t)problem->n * sizeof *z);
  if (watch.best > near_start) status = climb(t);
  double least = fine_least * solver->value[OPTION_TOLERANCE];
  bool settled, definite = true;
  for (int k = 1; !status; ++k) {
    double before = watch.latest;
    status = multigrid_step(t, b, least, &settled, &definite);
    watch.step_end = INFINITY; /* steps look at the clock themselves */
    if (status || nsds_watch_step(&watch, k, b->z)) break;
    if (!definite || (settled && watch.latest > stalled * before)) break;
  }
  return status;
}

/* Returns true if matrices, levels and vectors may take their memory, beside a form of M. */
static bool may_build(nsds_allowance *a) {
  static const double forms = 6.0;
  if (!(a->bytes > 0.0) || (1.0 + forms) * a->formed <= a->bytes) return true;
  return !nsds_allowance_refuse(a, false);
}

static nsds_status multigrid_reserve(nsds_solver *solver, const nsds_problem *problem) {
  multigrid_state *t = solver->state;
  bounded *b = &t->level[0];
  const nsds_csc_form *M;
  nsds_status status = nsds_form_csc(solver, problem, &M);
  if (status) return status;
  int n = problem->n, entries = M->p[n];
  const nsds_cut cut[] = {NSDS_CUT(b->q, n),     NSDS_CUT(b->lower, n),   NSDS_CUT(b->upper, n),
                          NSDS_CUT(b->z, n),     NSDS_CUT(b->w, n),       NSDS_CUT(b->s, n),
                          NSDS_CUT(t->in, n),    NSDS_CUT(t->row, n),     NSDS_CUT(t->place, n),
                          NSDS_CUT(t->p, n + 1), NSDS_CUT(t->i, entries), NSDS_CUT(t->x, entries),
                          NSDS_CUT(t->r, n),     NSDS_CUT(t->c, n),       NSDS_CUT(t->d, n),
                          NSDS_CUT(t->Md, n),    NSDS_CUT(t->step, n),    NSDS_CUT(t->Mstep, n)};
  status = NSDS_HOLD(&solver->store, cut);
  if (!status) status = nsds_watch_reserve(solver, problem, 0);
  if (status || !multigrid_takes(M, problem->M.symmetric, t->row)) return status;
  if (!may_build(solver->store.allowance)) return NSDS_ERROR_SINGULAR; /* as for factors */
  status = nsds_hierarchy_reserve(&t->whole, &solver->store, n);
  return status ? status : nsds_hierarchy_reserve(&t->face, &solver->store, n);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of steps on the problem itself; 0: 200"), {0}};

const nsds_method nsds_method_multigrid = {
    .row = {.name = "multigrid",
            .summary = "Projected sweeps and gradients on the free rows, with a multigrid cycle by "
                       "aggregation; large sparse symmetric positive definite M.",
            .reference =
                "More, Toraldo: SIAM J. Optim. 1 (1991); Vanek, Mandel, Brezina: Computing "
                "56 (1996)",
            .sets = nsds_bound_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(multigrid_state),
    .reserve = multigrid_reserve,
    .solve = multigrid_solve,
};
