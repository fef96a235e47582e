/*
 * Bounds on a sparse symmetric positive definite matrix over processes: multigrid.c, distributed.
 * A step from z:
 *
 * 1. projected sweeps of Gauss and Seidel in each process. Rows of others stay as they were, and the
 *    sums of their |a_ij| are added to the diagonal, so that no sweep raises
 *    f = 1/2 z^T M z + q^T z;
 * 2. F, the rows within their bounds and those whose w leads off theirs; M_FF d = -w_F by PETSc's
 *    conjugate gradients with algebraic multigrid (GAMG);
 * 3. z+ = P(z + lambda d), lambda halved from 1 on until f falls.
 *
 * Unless the start is near, levels by aggregation (coarse.h) give a point whose set is wrong only in
 * some rows at the border. PETSc reads options of the inner systems with the prefix nsds_.
 */
#include "mpi/mpi_bounds.h"

#include "mpi/coarse.h"

#include <limits.h>
#include <math.h>
#include <nsds/extend.h>
#include <petscksp.h>
#include <string.h>

enum {
  most_levels = 24,
  coarse_steps = 8,
  sweeps = 2,
  bottom_sweeps = 50,
  coarsest_rows = 64,
  most_gradients = 200,
  halvings = 6
};

static const double strongest = 0.08, near_start = 1e-2, part = 1e-2, coarse_least = 1e-6,
                    fine_least = 0.05;
static const double stalled = 0.5; /* of the residual before, if F stays */

typedef struct bounds {
  nsds_mpi *mpi;
  nsds_mpi_level level[most_levels];
  int levels, held; /* with all they need; begun */
  unsigned char *in;
  KSP system; /* of the F in `in`, on level `system_of` */
  IS rows;
  Mat face;
  Vec r, d;
  int system_of;
  bool refused;
} bounds;

static double clip(double x, double lower, double upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

static double value_at(const nsds_mpi_level *l, const double *x, int j) {
  return j < l->n ? x[j] : l->rows.other[j - l->n];
}

/* ---- a level ---- */

static void sweep_level(nsds_mpi_level *l, bool forwards) {
  nsds_whole_fill(&l->rows, l->z);
  for (int k = 0; k < l->n; ++k) {
    int i = forwards ? k : l->n - 1 - k;
    double w = l->q[i];
    for (int e = l->p[i]; e < l->p[i + 1]; ++e) w += l->x[e] * value_at(l, l->z, l->i[e]);
    l->z[i] = clip(l->z[i] - w / (l->diagonal[i] + l->outer[i]), l->lower[i], l->upper[i]);
  }
}

/* Computes w and s, the size of its terms; returns the largest |natural map| over s. */
static double find_terms(nsds_mpi_level *l) {
  double worst = 0.0;
  nsds_whole_fill(&l->rows, l->z);
  for (int i = 0; i < l->n; ++i) {
    double w = l->q[i], s = fabs(w), d = l->diagonal[i];
    for (int e = l->p[i]; e < l->p[i + 1]; ++e) {
      double term = l->x[e] * value_at(l, l->z, l->i[e]);
      w += term;
      s += fabs(term);
    }
    l->w[i] = w;
    l->s[i] = s;
    double map = fabs(fmax(fmin(w, d * (l->z[i] - l->lower[i])), d * (l->z[i] - l->upper[i])));
    if (!(map <= worst * s)) worst = map / s;
  }
  nsds_mpi_most(l->rows.mpi, 1, &worst);
  return worst;
}

/* ---- the system of F ---- */

static void close_system(bounds *t) {
  if (t->system) KSPDestroy(&t->system);
  if (t->face) MatDestroy(&t->face);
  if (t->rows) ISDestroy(&t->rows);
  if (t->r) VecDestroy(&t->r);
  if (t->d) VecDestroy(&t->d);
  t->system_of = -1;
}

/* Puts F into `in`; returns true if the system at hand is that of F. *any: F has rows. */
static bool find_rows(bounds *t, int k, double least, bool *any) {
  const nsds_mpi_level *l = &t->level[k];
  double x[2] = {t->system_of != k, 0.0};
  for (int i = 0; i < l->n; ++i) {
    double z = l->z[i], w = l->w[i], noise = least * l->s[i];
    bool in = z > l->lower[i] ? z < l->upper[i] || w > noise : z < l->upper[i] && w < -noise;
    if (t->in[i] != in) x[0] = 1.0;
    if (in) x[1] = 1.0;
    t->in[i] = in;
  }
  nsds_mpi_most(t->mpi, 2, x);
  *any = x[1] > 0.0;
  return x[0] == 0.0;
}

static PetscErrorCode open_system(bounds *t, int k) {
  const nsds_mpi_level *l = &t->level[k];
  PetscInt *row, count = 0;
  PC pc;
  close_system(t);
  PetscErrorCode e = PetscMalloc1((size_t)l->n, &row);
  for (int i = 0; !e && i < l->n; ++i)
    if (t->in[i]) row[count++] = l->rows.first_row + i;
  if (!e) e = ISCreateGeneral(t->mpi->comm, count, row, PETSC_OWN_POINTER, &t->rows);
  if (!e) e = MatCreateSubMatrix(l->A, t->rows, t->rows, MAT_INITIAL_MATRIX, &t->face);
  if (!e) e = MatSetOption(t->face, MAT_SPD, PETSC_TRUE);
  if (!e) e = MatCreateVecs(t->face, &t->d, &t->r);
  if (!e) e = KSPCreate(t->mpi->comm, &t->system);
  if (!e) e = KSPSetOptionsPrefix(t->system, "nsds_");
  if (!e) e = KSPSetType(t->system, KSPCG);
  if (!e) e = KSPGetPC(t->system, &pc);
  if (!e) e = PCSetType(pc, PCGAMG);
  if (!e) e = KSPSetOperators(t->system, t->face, t->face);
  if (!e) e = KSPSetFromOptions(t->system);
  if (!e) t->system_of = k;
  return e;
}

/* Solves M_FF d = -w_F to a part of |w_F| and puts d into `step`, zero elsewhere. */
static PetscErrorCode solve_system(bounds *t, nsds_mpi_level *l, double accuracy) {
  PetscScalar *r;
  const PetscScalar *d;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  int a = 0;
  PetscErrorCode e = VecGetArray(t->r, &r);
  for (int i = 0; !e && i < l->n; ++i)
    if (t->in[i]) r[a++] = -l->w[i];
  if (!e) e = VecRestoreArray(t->r, &r);
  if (!e) e = KSPSetTolerances(t->system, accuracy, 1e-300, 1e10, most_gradients);
  if (!e) e = KSPSolve(t->system, t->r, t->d);
  if (!e) e = KSPGetConvergedReason(t->system, &reason);
  t->refused = reason == KSP_DIVERGED_INDEFINITE_MAT || reason == KSP_DIVERGED_INDEFINITE_PC ||
               reason == KSP_DIVERGED_NANORINF;
  if (!e) e = VecGetArrayRead(t->d, &d);
  a = 0;
  for (int i = 0; !e && i < l->n; ++i) {
    l->step[i] = t->in[i] ? d[a++] : 0.0;
    if (t->refused) l->step[i] = 0.0;
  }
  return e ? e : VecRestoreArrayRead(t->d, &d);
}

/* Sets z = P(z + lambda step) with the largest lambda = 1, 1/2, .. that lowers f. */
static void advance_level(bounds *t, nsds_mpi_level *l) {
  double lambda = 1.0, *move = l->s; /* s is found again before it is read */
  for (int k = 0; k <= halvings; ++k, lambda *= 0.5) {
    double change = 0.0;
    for (int i = 0; i < l->n; ++i)
      move[i] = clip(l->z[i] + lambda * l->step[i], l->lower[i], l->upper[i]) - l->z[i];
    nsds_whole_fill(&l->rows, move);
    for (int i = 0; i < l->n; ++i) {
      double product = 0.0;
      for (int e = l->p[i]; e < l->p[i + 1]; ++e) product += l->x[e] * value_at(l, move, l->i[e]);
      change += move[i] * (l->w[i] + 0.5 * product);
    }
    nsds_mpi_total(t->mpi, 1, &change);
    if (!(change < 0.0)) continue;
    for (int i = 0; i < l->n; ++i)
      l->z[i] = clip(l->z[i] + lambda * l->step[i], l->lower[i], l->upper[i]);
    return;
  }
}

/* Makes one step on level k; *settled: F has not changed. */
static nsds_status step_level(bounds *t, int k, double least, bool *settled) {
  nsds_mpi_level *l = &t->level[k];
  bool any;
  for (int s = 0; s < sweeps; ++s) sweep_level(l, s % 2 == 0);
  double worst = find_terms(l);
  *settled = find_rows(t, k, least, &any);
  if (!any) return NSDS_OK;
  PetscErrorCode e = *settled ? 0 : open_system(t, k);
  double accuracy = *settled ? fmin(part, 0.3 * least / fmax(worst, least)) : part;
  if (!e) e = solve_system(t, l, accuracy);
  nsds_status status = nsds_mpi_agree(t->mpi, nsds_mpi_petsc(t->mpi, e, "a Newton step"));
  if (!status) advance_level(t, l);
  return status;
}

/* ---- levels ---- */

/* Computes xc = P^T x. */
static PetscErrorCode restrict_to(const nsds_mpi_level *l, const nsds_mpi_level *next,
                                  const double *x, double *xc) {
  Vec from, to;
  PetscErrorCode e = VecCreateMPIWithArray(l->rows.mpi->comm, 1, l->n, PETSC_DETERMINE, x, &from);
  if (!e) e = VecCreateMPIWithArray(l->rows.mpi->comm, 1, next->n, PETSC_DETERMINE, xc, &to);
  if (!e) e = MatMultTranspose(l->P, from, to);
  if (!e) e = VecDestroy(&from);
  return e ? e : VecDestroy(&to);
}

/* Computes x = P xc. */
static PetscErrorCode prolong_from(const nsds_mpi_level *l, const nsds_mpi_level *next,
                                   const double *xc, double *x) {
  Vec from, to;
  PetscErrorCode e =
      VecCreateMPIWithArray(l->rows.mpi->comm, 1, next->n, PETSC_DETERMINE, xc, &from);
  if (!e) e = VecCreateMPIWithArray(l->rows.mpi->comm, 1, l->n, PETSC_DETERMINE, x, &to);
  if (!e) e = MatMult(l->P, from, to);
  if (!e) e = VecDestroy(&from);
  return e ? e : VecDestroy(&to);
}

/* Sets the bounds of an aggregate: the mean over its rows that have a bound, in units of `near`. */
static void set_coarse_bound(const nsds_mpi_level *l, const nsds_mpi_level *next,
                             const double *fine, double none, double *sum, double *count) {
  for (int c = 0; c < next->n; ++c) sum[c] = count[c] = 0.0;
  for (int i = 0; i < l->n; ++i) {
    int c = l->of[i];
    if (c < 0 || !isfinite(fine[i])) continue;
    sum[c] += fine[i] / l->near[i];
    count[c] += 1.0;
  }
  for (int c = 0; c < next->n; ++c) sum[c] = count[c] > 0.0 ? sum[c] / count[c] : none;
}

/* At a bound if its aggregate is, else P z. */
static PetscErrorCode prolong_point(nsds_mpi_level *l, const nsds_mpi_level *next) {
  PetscErrorCode e = prolong_from(l, next, next->z, l->z);
  for (int i = 0; !e && i < l->n; ++i) {
    int c = l->of[i];
    bool low = c >= 0 && next->z[c] <= next->lower[c] && isfinite(l->lower[i]);
    bool high = c >= 0 && next->z[c] >= next->upper[c] && isfinite(l->upper[i]);
    if (low || high) l->z[i] = low ? l->lower[i] : l->upper[i];
    l->z[i] = clip(l->z[i], l->lower[i], l->upper[i]);
  }
  return e;
}

/* Makes the levels below the first. */
static nsds_status make_levels(bounds *t) {
  double strength = strongest;
  bool made = true;
  for (int k = 0; made && k + 1 < most_levels && t->level[k].all > coarsest_rows; ++k) {
    nsds_mpi_level *l = &t->level[k], *next = l + 1;
    t->held = k + 2;
    nsds_status status = nsds_mpi_coarsen(l, next, strength, &made);
    strength *= 0.5;
    if (status || !made) return status;
    PetscErrorCode e = restrict_to(l, next, l->q, next->q);
    status = nsds_mpi_agree(t->mpi, nsds_mpi_petsc(t->mpi, e, "a level"));
    if (status) return status;
    set_coarse_bound(l, next, l->lower, -INFINITY, next->lower, next->s);
    set_coarse_bound(l, next, l->upper, INFINITY, next->upper, next->s);
    for (int c = 0; c < next->n; ++c) next->upper[c] = fmax(next->upper[c], next->lower[c]);
    t->levels = k + 2;
  }
  return NSDS_OK;
}

/* Solves the levels from the last one up, and sets the point of the first. */
static nsds_status climb_levels(bounds *t) {
  nsds_status status = make_levels(t);
  int last = t->levels - 1;
  if (status || last == 0) return status;
  nsds_mpi_level *l = &t->level[last];
  for (int i = 0; i < l->n; ++i) l->z[i] = clip(0.0, l->lower[i], l->upper[i]);
  for (int s = 0; s < bottom_sweeps; ++s) sweep_level(l, s % 2 == 0);
  for (int k = last - 1; !status && k >= 0; --k) {
    bool settled = false;
    PetscErrorCode e = prolong_point(&t->level[k], &t->level[k + 1]);
    status = nsds_mpi_agree(t->mpi, nsds_mpi_petsc(t->mpi, e, "a level"));
    for (int s = 0; k > 0 && !status && s < coarse_steps && !settled && !t->refused; ++s)
      status = step_level(t, k, coarse_least, &settled);
  }
  return status;
}

/* ---- the method ---- */

static void set_bounds(const nsds_problem *p, double *lower, double *upper) {
  for (int a = 0, row = 0; a < p->nblock; ++a)
    for (int i = 0; i < p->block[a].size; ++i, ++row) {
      const nsds_block *b = &p->block[a];
      bool box = b->set == NSDS_SET_BOX, nonnegative = b->set == NSDS_SET_NONNEGATIVE;
      lower[row] = box ? b->lower[i] : nonnegative ? 0.0 : -INFINITY;
      upper[row] = box ? b->upper[i] : INFINITY;
    }
}

/* Makes the first level from the problem; its arrays stay those of the problem. */
static nsds_status open_first(bounds *t, nsds_whole *whole, const double *z) {
  const nsds_problem *p = &whole->problem;
  nsds_mpi_level *l = &t->level[0];
  int entries = p->n > 0 ? p->M.p[p->n] : 0;
  static const int nothing[1] = {0};
  *l = (nsds_mpi_level){.rows = *whole,
                        .n = p->n,
                        .all = (int)whole->halo.rows,
                        .i = whole->i,
                        .p = p->n > 0 ? p->M.p : nothing,
                        .x = p->M.x};
  t->mpi = whole->mpi;
  t->levels = t->held = 1;
  t->system_of = -1;
  t->in = nsds_alloc(t->mpi->context, "free rows", (size_t)p->n, 1);
  PetscInt *column = nsds_alloc(t->mpi->context, "columns", (size_t)entries + 1, sizeof *column);
  nsds_status status = nsds_mpi_agree(t->mpi, t->in && column ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status) status = nsds_mpi_level_hold(l, t->mpi);
  if (!status) {
    PetscInt *number = column;
    memcpy(l->q, p->q, (size_t)p->n * sizeof *l->q);
    set_bounds(p, l->lower, l->upper);
    for (int i = 0; i < l->n; ++i)
      l->z[i] = clip(isfinite(z[i]) ? z[i] : 0.0, l->lower[i], l->upper[i]);
    double *place = l->w; /* numbers of rows, exact in doubles */
    for (int i = 0; i < l->n; ++i) place[i] = whole->first_row + i;
    nsds_whole_fill(&l->rows, place);
    for (int k = 0; k < entries; ++k) number[k] = (PetscInt)value_at(l, place, l->i[k]);
    PetscErrorCode e = MatCreateMPIAIJWithArrays(t->mpi->comm, l->n, l->n, PETSC_DETERMINE,
                                                 PETSC_DETERMINE, l->p, number, l->x, &l->A);
    status = nsds_mpi_agree(t->mpi, nsds_mpi_petsc(t->mpi, e, "a matrix"));
  }
  nsds_free(column);
  if (!status) nsds_mpi_level_look(l);
  return status;
}

static void close_bounds(bounds *t) {
  close_system(t);
  for (int k = 0; k < t->held; ++k) nsds_mpi_level_free(&t->level[k]);
  nsds_free(t->in);
  nsds_free(t);
}

/* Steps on the problem until the certificate holds, or nothing is gained. */
static nsds_status iterate_bounds(bounds *t, nsds_whole *whole, double tolerance, int limit,
                                  double *z, double *work, nsds_mpi_info *info) {
  nsds_mpi_level *l = &t->level[0];
  nsds_certificate c = {0};
  double best = INFINITY, latest = find_terms(l);
  nsds_status status = NSDS_OK;
  if (latest > near_start) status = climb_levels(t);
  info->outcome = NSDS_NOT_CONVERGED;
  for (int k = 0; !status; ++k) {
    double before = latest;
    bool settled = false;
    if (k > 0) status = step_level(t, 0, fine_least * tolerance, &settled);
    if (status) break;
    info->iterations = k;
    latest = find_terms(l);
    if (!(latest >= best)) {
      best = latest;
      memcpy(z, l->z, (size_t)l->n * sizeof *z);
    }
    if (latest <= tolerance) {
      nsds_certify(&whole->problem, z, work, &c);
      bool meets = c.violation <= nsds_violation_limit(&whole->problem, tolerance);
      if (c.residual <= tolerance && meets) info->outcome = NSDS_SOLVED;
    }
    bool gains = !settled || latest <= stalled * before;
    if (info->outcome == NSDS_SOLVED || k == limit || !gains || t->refused) break;
  }
  return status;
}

nsds_status nsds_mpi_solve_bounds(nsds_whole *whole, double tolerance, int limit, double *z,
                                  double *work, nsds_mpi_info *info) {
  bounds *t = nsds_alloc(whole->mpi->context, "levels", 1, sizeof *t);
  nsds_status status = nsds_mpi_agree(whole->mpi, t ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status) status = open_first(t, whole, z);
  if (!status) status = iterate_bounds(t, whole, tolerance, limit, z, work, info);
  if (t) close_bounds(t);
  return status;
}
