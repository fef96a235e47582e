/*
 * Alternating directions on the global form (Boyd et al. 2011; for friction Acary, Bremond & Huber
 * 2018). With E = [H G], c = (w, b), reactions y = (r, lambda), R^m the set of the equality rows, a
 * positive diagonal P, and z the copy of E^T v + c + s that keeps the law:
 *
 *     M v = f + E (y + P (z - E^T v - c - s))
 *     y+  = P_C(y - P x),   x = relaxation (E^T v + c + s) + (1 - relaxation) z
 *     z+  = x + P^-1 (y+ - y)
 *
 * The first line is the saddle point system of saddle.h with Delta = P^-1. De Saxce's shift s
 * depends on the tangential part of z alone and is renewed in every step. P = rho / d with d the
 * size of the diagonal of W, alike in the rows of a coupled block, and a large fixed one in the
 * equality rows; rho follows the ratio of the residuals |y+ - y| and P |z+ - z|, at distances that
 * double.
 */
#include "blockwise.h"
#include "global_solver.h"

enum { OPTION_PENALTY = OPTION_FIRST_OWN, OPTION_RELAXATION };

enum { arrays = 6, default_iterations = 10000, first_adaptation = 10, first_look = 5 };

static const double equality_delta = 1e-7;
static const double adapt_beyond = 3.0; /* ratio of the residuals that asks for another rho */
static const double adapt_most = 100.0; /* change of rho at once */

typedef struct admm {
  nsds_global_run *run;
  nsds_global_admm *kept;
  nsds_problem law; /* blocks alone, for nsds_project() */
  int nv, n, m;
  double rho, relaxation;
  double *d;    /* m: of the saddle, shared in coupled blocks */
  double *P;    /* m */
  double *y;    /* m: r, lambda */
  double *z;    /* m */
  double *c;    /* m: w + s, b */
  double *x;    /* nv + m: v and what the system gives for -y */
  double *next; /* m */
  double primal, dual;
  int adaptation; /* step that may change rho next */
} admm;

/* ---- the metric and the factors ---- */

/* d of W's diagonal; one value, the mean, to the rows of a block that couples them. */
static void find_d(admm *t) {
  const nsds_saddle *saddle = &t->kept->saddle;
  for (int j = 0; j < t->m; ++j) t->d[j] = nsds_saddle_d(saddle, j);
  for (int a = 0, row = 0; a < t->law.nblock; row += t->law.block[a++].size) {
    const nsds_block *block = &t->law.block[a];
    double sum = 0.0;
    if (block->size == 0 || (block->set & nsds_separable_sets)) continue;
    for (int i = row; i < row + block->size; ++i) sum += t->d[i];
    for (int i = row; i < row + block->size; ++i) t->d[i] = sum / block->size;
  }
}

static nsds_status factor(admm *t) {
  nsds_global_admm *kept = t->kept;
  double *delta = t->next;
  for (int j = 0; j < t->m; ++j) {
    t->P[j] = j < t->n ? t->rho / t->d[j] : 1.0 / (equality_delta * t->d[j]);
    delta[j] = 1.0 / (t->P[j] * nsds_saddle_d(&kept->saddle, j));
  }
  if (kept->ready && kept->rho == t->rho) return NSDS_OK;
  kept->ready = false;
  ++t->run->info->factorizations;
  nsds_status status = nsds_saddle_factor(&kept->saddle, delta, 0.0);
  kept->rho = t->rho;
  kept->ready = !status;
  return status;
}

static nsds_status open(admm *t) {
  nsds_global_run *run = t->run;
  const nsds_global_problem *problem = run->problem;
  nsds_context *context = run->solver->context;
  nsds_global_admm *kept = t->kept;
  size_t nv = (size_t)problem->nv, m = (size_t)t->m;
  nsds_status status =
      NSDS_ENSURE(context, kept->arrays, kept->arrays_capacity, nv + (arrays + 1) * m + 1);
  bool again = kept->ready;
  if (!status && !again)
    status = nsds_saddle_load(&kept->saddle, context, &problem->M, &problem->H, &problem->G);
  if (status) return status;
  double *memory = kept->arrays;
  double **part[arrays] = {&t->d, &t->P, &t->y, &t->z, &t->c, &t->next};
  for (int k = 0; k < arrays; ++k) *part[k] = memory + (size_t)k * m;
  t->x = memory + arrays * m;
  if (again) t->rho = kept->rho;
  find_d(t);
  return factor(t);
}

/* ---- one step ---- */

static void find_shift(admm *t) {
  const nsds_global_problem *problem = t->run->problem;
  for (int j = 0; j < problem->p; ++j) t->c[t->n + j] = problem->b[j];
  nsds_shift(&t->law, t->z, t->c); /* z + s(z), z_T being u_T */
  for (int j = 0; j < t->n; ++j) t->c[j] += problem->w[j] - t->z[j];
}

static void find_v(admm *t) {
  const nsds_global_problem *problem = t->run->problem;
  if (t->nv > 0) memcpy(t->x, problem->f, (size_t)t->nv * sizeof *t->x);
  for (int j = 0; j < t->m; ++j) t->x[t->nv + j] = t->y[j] / t->P[j] + t->z[j] - t->c[j];
  nsds_saddle_solve(&t->kept->saddle, t->x);
}

/* The system gives -(y + P (z - E^T v - c)), hence E^T v + c. */
static void find_y(admm *t) {
  double dual = 0.0, primal = 0.0, ysize = 0.0, zsize = 0.0;
  for (int j = 0; j < t->m; ++j) {
    double velocity = t->z[j] + (t->y[j] + t->x[t->nv + j]) / t->P[j];
    double relaxation = j < t->n ? t->relaxation : 1.0;
    double x = relaxation * velocity + (1.0 - relaxation) * t->z[j];
    t->next[j] = t->y[j] - t->P[j] * x;
    t->x[t->nv + j] = x;
  }
  nsds_project(&t->law, t->next, t->next);
  for (int j = 0; j < t->m; ++j) {
    double z = t->x[t->nv + j] + (t->next[j] - t->y[j]) / t->P[j];
    if (j < t->n) {
      double p = t->next[j] - t->y[j], q = t->P[j] * (z - t->z[j]);
      primal += p * p / t->P[j];
      dual += q * q / t->P[j];
      ysize += t->next[j] * t->next[j] / t->P[j];
      zsize += z * z * t->P[j];
    }
    t->z[j] = z;
    t->y[j] = t->next[j];
  }
  t->primal = sqrt(primal / fmax(zsize, ysize));
  t->dual = sqrt(dual / fmax(ysize, zsize));
}

/* Another rho where one residual is far ahead of the other. */
static nsds_status adapt(admm *t, int k) {
  if (k != t->adaptation) return NSDS_OK;
  t->adaptation *= 2;
  double ratio = sqrt(t->primal / t->dual);
  if (!(ratio > adapt_beyond || ratio < 1.0 / adapt_beyond)) return NSDS_OK;
  t->rho *= fmin(fmax(ratio, 1.0 / adapt_most), adapt_most);
  return factor(t);
}

/* ---- the method ---- */

static void start(admm *t) {
  const nsds_global_solver *s = t->run->solver;
  nsds_global_offer(t->run, s->trial_r);
  for (int j = 0; j < t->m; ++j) {
    t->y[j] = j < t->n ? s->trial_r[j] : s->x[t->nv + j - t->n];
    t->z[j] = j < t->n ? s->work[j] : 0.0;
  }
  nsds_shift(&t->law, t->z, t->z);
}

static bool finished(admm *t, int k, int limit, int *look) {
  nsds_global_run *run = t->run;
  ++run->info->iterations;
  if (k >= *look || k >= limit) {
    nsds_global_offer(run, t->y);
    *look = k + first_look + k / 10;
  }
  if (run->best <= run->tolerance || k >= limit) return true;
  if (!nsds_solver_interrupted(run->solver->base, run->info->iterations, run->best)) return false;
  run->info->outcome = NSDS_INTERRUPTED;
  return true;
}

nsds_status nsds_global_admm_burst(nsds_global_run *run, int steps) {
  const nsds_global_problem *problem = run->problem;
  nsds_global_solver *s = run->solver;
  bool own = !s->method->reduces; /* then the options are here */
  admm t = {.run = run,
            .kept = &s->admm,
            .law = {.n = problem->n, .nblock = problem->nblock, .block = problem->block},
            .nv = problem->nv,
            .n = problem->n,
            .m = problem->n + problem->p,
            .rho = own ? s->base->value[OPTION_PENALTY] : 1.0,
            .relaxation = own ? s->base->value[OPTION_RELAXATION] : 1.5,
            .adaptation = first_adaptation};
  int look = first_look;
  nsds_status status = open(&t);
  if (!status) start(&t);
  for (int k = 1; !status; ++k) {
    find_shift(&t);
    find_v(&t);
    find_y(&t);
    if (finished(&t, k, steps, &look)) break;
    status = adapt(&t, k);
  }
  if (!status && t.n > 0) memcpy(s->trial_r, t.y, (size_t)t.n * sizeof *t.y);
  return status;
}

nsds_status nsds_global_admm_solve(nsds_global_run *run) {
  run->info->iterations = 0;
  run->info->outcome = NSDS_NOT_CONVERGED;
  nsds_status status =
      nsds_global_admm_burst(run, nsds_iteration_limit(run->solver->base, default_iterations));
  nsds_outcome outcome = run->best <= run->tolerance ? NSDS_SOLVED : run->info->outcome;
  nsds_global_path(run->info, "admm", NULL, outcome);
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}

void nsds_global_admm_release(nsds_global_admm *kept, nsds_context *context) {
  nsds_saddle_release(&kept->saddle);
  nsds_release(context, kept->arrays);
}
