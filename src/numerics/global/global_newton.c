/*
 * Nonsmooth Newton on the global form. The reactions r determine velocities and multipliers by
 * elimination; the law of each block is an equation phi_a(r_a, u_a) = 0 with derivatives A and B
 * (set_map.h; Alart & Curnier 1991) within a proximal point iteration with centre c (Rockafellar
 * 1976). The step solves one sparse system, in which W does not appear:
 *
 *     M dv  - H dr  - G dl              = 0
 *     G^T dv          + delta dl        = 0
 *     B H^T dv + (A + e B D) dr         = -phi(r, H^T v + w + e D (r - c)),    D = diag(d)
 *
 * Full steps; e falls where they succeed. Where they do not, a burst of alternating directions
 * (global_admm.c) sorts the contacts out.
 */
#include "blockwise.h"
#include "global_solver.h"
#include "set_map.h"

enum {
  patience = 8,     /* steps for one proximal problem */
  first_burst = 25, /* alternating directions before the first steps */
  most_burst = 800,
  default_iterations = 2000, /* steps of either kind */
};

static const double enough = 0.1; /* merit of a proximal problem over the one it began with */
static const double least_weight = 1e-10;
static const double most_weight = 1e-2;
static const double weight_of_residual = 0.1;
static const double weight_factor = 10.0;
static const double equality_delta = 1e-9; /* beside d */

typedef struct newton {
  nsds_global_run *run;
  nsds_global_newton *kept;
  const nsds_block *block; /* rows that stand alone are blocks of their own */
  const int *row;
  int nblock, nv, n, p;
  double e;
  double *d;                /* n: size of the diagonal of W, alike in coupled rows */
  double *rho, *r, *centre; /* n each */
  double *u, *phi, *trial;  /* n each */
  double *scale;            /* nv + p + n: of the unknowns */
  double *step;             /* nv + p + n */
} newton;

/* ---- pattern: columns of v, of the multipliers, of r ---- */

static int total(const newton *t) { return t->nv + t->p + t->n; }

static nsds_status reserve(newton *t) {
  nsds_global_newton *k = t->kept;
  nsds_context *context = t->run->solver->context;
  const nsds_global_problem *q = t->run->problem;
  size_t nv = (size_t)t->nv, n = (size_t)t->n, rows = (size_t)total(t);
  size_t nh = n > 0 ? (size_t)q->H.p[n] : 0, squares = 0, joined = 0;
  for (int a = 0; a < t->nblock; ++a) {
    size_t m = (size_t)t->block[a].size;
    squares += m * m;
    joined += m * (size_t)(q->H.p[t->row[a + 1]] - q->H.p[t->row[a]]);
  }
  size_t ng = t->p > 0 ? (size_t)q->G.p[t->p] : 0;
  size_t mass = q->M.storage == NSDS_CSC ? (nv > 0 ? (size_t)q->M.p[nv] : 0) : nv * nv;
  size_t count = mass + 2 * ng + (size_t)t->p + nh + joined + squares + 1;
  nsds_status status;
  if (!k->factor && !(k->factor = nsds_factor_create(context))) return NSDS_ERROR_MEMORY;
  if ((status = NSDS_ENSURE(context, k->p, k->p_capacity, rows + 1)) ||
      (status = NSDS_ENSURE(context, k->i, k->i_capacity, count)) ||
      (status = NSDS_ENSURE(context, k->x, k->x_capacity, count)) ||
      (status = NSDS_ENSURE(context, k->place, k->place_capacity, rows + 1)) ||
      (status = NSDS_ENSURE(context, k->first, k->first_capacity, nv + n + 2)) ||
      (status = NSDS_ENSURE(context, k->entry, k->entry_capacity, nh + 1)) ||
      (status = NSDS_ENSURE(context, k->entry_x, k->entry_x_capacity, nh + 1)) ||
      (status = NSDS_ENSURE(context, k->begin, k->begin_capacity, n + 1)) ||
      (status = NSDS_ENSURE(context, k->AB, k->AB_capacity, 2 * squares + 1)))
    return status;
  return NSDS_ENSURE(context, k->arrays, k->arrays_capacity, 7 * n + 2 * rows + 1);
}

/* H by velocities: entries first[k] .. first[k+1]-1 of velocity k, local rows increasing. */
static void transpose(newton *t) {
  nsds_global_newton *k = t->kept;
  const nsds_sparse *H = &t->run->problem->H;
  memset(k->first, 0, ((size_t)t->nv + 1) * sizeof *k->first);
  for (int j = 0; j < t->n; ++j)
    for (int e = H->p[j]; e < H->p[j + 1]; ++e) ++k->first[H->i[e] + 1];
  for (int i = 0; i < t->nv; ++i) k->first[i + 1] += k->first[i];
  for (int j = 0; j < t->n; ++j)
    for (int e = H->p[j]; e < H->p[j + 1]; ++e) {
      int at = k->first[H->i[e]]++;
      k->entry[at] = j;
      k->entry_x[at] = H->x[e];
    }
  for (int i = t->nv; i > 0; --i) k->first[i] = k->first[i - 1];
  if (t->nv > 0) k->first[0] = 0;
}

static void put(newton *t, int *count, int row, int column, double x) {
  t->kept->i[*count] = row;
  t->kept->x[(*count)++] = x * t->scale[column];
}

/* Rows of M and G^T are scaled as the unknowns v and the multipliers are. */
static void put_scaled(newton *t, int *count, int row, int column, double x) {
  put(t, count, row, column, x * t->scale[row]);
}

/* All rows of the blocks that velocity j meets, values to come. */
static void put_blocks(newton *t, int *count, int j) {
  const nsds_global_newton *k = t->kept;
  t->kept->place[j] = *count;
  for (int e = k->first[j], last = -1; e < k->first[j + 1]; ++e) {
    int a = k->block_of[k->entry[e]];
    if (a == last) continue;
    last = a;
    for (int i = t->row[a]; i < t->row[a + 1]; ++i) put(t, count, t->nv + t->p + i, j, 0.0);
  }
}

static void put_mass(newton *t, int *count, int j) {
  const nsds_matrix *M = &t->run->problem->M;
  if (M->storage == NSDS_CSC)
    for (int e = M->p[j]; e < M->p[j + 1]; ++e) put_scaled(t, count, M->i[e], j, M->x[e]);
  else
    for (int i = 0; i < M->n; ++i) {
      double x = M->x[(size_t)i + (size_t)j * (size_t)M->n];
      if (x != 0.0 || i == j) put_scaled(t, count, i, j, x);
    }
}

/* Pattern, and the values that stay. G by velocities stands in the lists of the saddle point matrix
 * already: the rows behind M. */
static void assemble(newton *t) {
  nsds_global_newton *k = t->kept;
  const nsds_global_problem *q = t->run->problem;
  const nsds_saddle *saddle = &t->run->solver->reduction.elimination.saddle;
  int count = 0, last = t->nv + t->p;
  for (int j = 0; j < t->nv; ++j) {
    k->p[j] = count;
    put_mass(t, &count, j);
    for (int e = saddle->p[j]; e < saddle->p[j + 1]; ++e)
      if (saddle->i[e] >= t->nv) { /* scaled already */
        k->i[count] = saddle->i[e];
        k->x[count++] = saddle->x[e];
      }
    put_blocks(t, &count, j);
  }
  for (int j = 0; j < t->p; ++j) {
    k->p[t->nv + j] = count;
    for (int e = q->G.p[j]; e < q->G.p[j + 1]; ++e)
      put_scaled(t, &count, q->G.i[e], t->nv + j, -q->G.x[e]);
    k->i[count] = t->nv + j;
    k->x[count++] = equality_delta;
  }
  for (int j = 0; j < t->n; ++j) {
    int a = k->block_of[j];
    k->p[last + j] = count;
    for (int e = q->H.p[j]; e < q->H.p[j + 1]; ++e)
      put_scaled(t, &count, q->H.i[e], last + j, -q->H.x[e]);
    k->place[last + j] = count;
    for (int i = t->row[a]; i < t->row[a + 1]; ++i) put(t, &count, last + i, last + j, 0.0);
  }
  k->p[last + t->n] = count;
  k->pattern = nsds_saddle_pattern(total(t), k->p, k->i);
}

/* ---- open ---- */

/* d, the scale of the unknowns, rho. */
static void find_scale(newton *t) {
  const nsds_global_problem *q = t->run->problem;
  const nsds_saddle *saddle = &t->run->solver->reduction.elimination.saddle;
  memcpy(t->scale, saddle->scale, (size_t)(t->nv + t->p) * sizeof *t->scale);
  for (int a = 0; a < t->nblock; ++a) {
    double sum = 0.0;
    for (int j = t->row[a]; j < t->row[a + 1]; ++j)
      for (int e = q->H.p[j]; e < q->H.p[j + 1]; ++e)
        sum += q->H.x[e] * saddle->scale[q->H.i[e]] * saddle->scale[q->H.i[e]] * q->H.x[e];
    double d = sum > 0.0 ? sum / t->block[a].size : 1.0;
    for (int j = t->row[a]; j < t->row[a + 1]; ++j) {
      t->d[j] = d;
      t->rho[j] = 1.0 / d;
      t->scale[t->nv + t->p + j] = 1.0 / sqrt(d);
    }
  }
}

static nsds_status open(newton *t) {
  nsds_global_newton *k = t->kept;
  nsds_global_solver *s = t->run->solver;
  size_t n = (size_t)t->n, rows = (size_t)total(t);
  s->reduced = 0; /* the blocks are cut into the place of the reduced problem's */
  nsds_status status = nsds_reduction_cut(&s->reduction, s->context, t->run->problem);
  t->block = s->reduction.block;
  t->row = s->reduction.row;
  t->nblock = s->reduction.problem.nblock;
  if (!status) status = reserve(t);
  if (status) return status;
  double **part[] = {&t->d, &t->rho, &t->r, &t->centre, &t->u, &t->phi, &t->trial};
  for (size_t l = 0; l < sizeof part / sizeof *part; ++l) *part[l] = k->arrays + l * n;
  t->scale = k->arrays + 7 * n;
  t->step = t->scale + rows;
  k->block_of = k->first + t->nv + 1;
  for (int a = 0, begin = 0; a < t->nblock; begin += 2 * t->block[a].size * t->block[a].size, ++a) {
    k->begin[a] = begin;
    for (int j = t->row[a]; j < t->row[a + 1]; ++j) k->block_of[j] = a;
  }
  find_scale(t);
  transpose(t);
  assemble(t);
  return NSDS_OK;
}

/* ---- one step ---- */

/* |phi|^2 in the metric at r, with the derivatives. */
static double evaluate(newton *t) {
  const nsds_global_problem *q = t->run->problem;
  nsds_global_velocities(t->run, t->r);
  const double *v = t->run->solver->x;
  double merit = 0.0;
  for (int j = 0; j < t->n; ++j) {
    t->u[j] = q->w[j] + t->e * t->d[j] * (t->r[j] - t->centre[j]);
    for (int e = q->H.p[j]; e < q->H.p[j + 1]; ++e) t->u[j] += q->H.x[e] * v[q->H.i[e]];
  }
  for (int a = 0; a < t->nblock; ++a) {
    int row = t->row[a], m = t->block[a].size;
    double *A = t->kept->AB + t->kept->begin[a];
    nsds_set_map(NSDS_MAP_ALART_CURNIER, &t->block[a], t->rho + row, t->r + row, t->u + row,
                 t->phi + row, A, A + m * m);
  }
  for (int j = 0; j < t->n; ++j) merit += t->phi[j] * t->phi[j] * t->d[j];
  return merit;
}

/* The values A + e B D and B H^T, rows scaled by sqrt(d). */
static void fill(newton *t) {
  nsds_global_newton *k = t->kept;
  for (int a = 0; a < t->nblock; ++a) {
    int m = t->block[a].size, row = t->row[a];
    const double *A = k->AB + k->begin[a], *B = A + m * m;
    for (int j = 0; j < m; ++j) {
      double *x = k->x + k->place[t->nv + t->p + row + j];
      for (int i = 0; i < m; ++i) x[i] = A[i + j * m] + t->e * t->d[row] * B[i + j * m];
    }
  }
  for (int j = 0; j < t->nv; ++j) {
    double *x = k->x + k->place[j];
    for (int e = k->first[j]; e < k->first[j + 1];) {
      int a = k->block_of[k->entry[e]], m = t->block[a].size, row = t->row[a];
      const double *B = k->AB + k->begin[a] + m * m;
      double weight = t->scale[j] * sqrt(t->d[row]);
      for (int i = 0; i < m; ++i) x[i] = 0.0;
      for (; e < k->first[j + 1] && k->block_of[k->entry[e]] == a; ++e)
        for (int i = 0; i < m; ++i) x[i] += weight * k->entry_x[e] * B[i + (k->entry[e] - row) * m];
      x += m;
    }
  }
}

static nsds_status move(newton *t) {
  nsds_global_newton *k = t->kept;
  int last = t->nv + t->p;
  fill(t);
  ++t->run->info->factorizations;
  nsds_status status = nsds_factor_csc(k->factor, total(t), k->p, k->i, k->x, k->pattern);
  if (status) return status;
  memset(t->step, 0, (size_t)last * sizeof *t->step);
  for (int j = 0; j < t->n; ++j) t->step[last + j] = -t->phi[j] * sqrt(t->d[j]);
  nsds_factor_solve(k->factor, 1, t->step);
  for (int j = 0; j < t->n; ++j) t->r[j] += t->scale[last + j] * t->step[last + j];
  return NSDS_OK;
}

/* ---- Newton steps as far as they help ---- */

/* Certifies the iterate, put into the sets; true when the solve is over. */
static bool over(newton *t, int limit) {
  nsds_global_run *run = t->run;
  nsds_problem law = {.n = t->n, .nblock = t->nblock, .block = t->block};
  nsds_project(&law, t->r, t->trial);
  nsds_global_offer(run, t->trial);
  ++run->info->iterations;
  if (run->best <= run->tolerance || run->info->iterations >= limit) return true;
  if (!nsds_solver_interrupted(run->solver->base, run->info->iterations, run->best)) return false;
  run->info->outcome = NSDS_INTERRUPTED;
  return true;
}

typedef enum step_result { STEP_DONE, STEP_FAILED, STEP_OVER } step_result;

static step_result solve_proximal(newton *t, int limit, int *steps, nsds_status *status) {
  memcpy(t->centre, t->r, (size_t)t->n * sizeof *t->r);
  double first = evaluate(t);
  for (int k = 1; k <= patience; ++k) {
    *status = move(t);
    if (*status && *status != NSDS_ERROR_SINGULAR) return STEP_OVER;
    if (*status) {
      *status = NSDS_OK;
      return STEP_FAILED;
    }
    if (over(t, limit)) return STEP_OVER;
    *steps = k;
    double merit = evaluate(t);
    if (merit <= enough * enough * first) return STEP_DONE;
    if (!isfinite(merit)) return STEP_FAILED;
  }
  return STEP_FAILED;
}

/* From the best point; true when the solve is over. */
static bool sharpen(newton *t, int limit, nsds_status *status) {
  nsds_global_run *run = t->run;
  int steps = 0;
  memcpy(t->r, run->r, (size_t)t->n * sizeof *t->r);
  t->e = fmin(fmax(weight_of_residual * run->best, least_weight), most_weight);
  for (;;) {
    step_result result = solve_proximal(t, limit, &steps, status);
    if (result != STEP_DONE) return result == STEP_OVER;
    if (steps <= 3) t->e = fmax(t->e / weight_factor, least_weight);
  }
}

nsds_status nsds_global_newton_solve(nsds_global_run *run) {
  const nsds_global_problem *problem = run->problem;
  nsds_global_solver *s = run->solver;
  newton t = {.run = run, .kept = &s->newton, .nv = problem->nv, .n = problem->n, .p = problem->p};
  int limit = nsds_iteration_limit(s->base, default_iterations);
  nsds_status status = open(&t);
  run->info->iterations = 0;
  run->info->outcome = NSDS_NOT_CONVERGED;
  for (int burst = first_burst; !status; burst = burst < most_burst ? 2 * burst : burst) {
    int left = limit - run->info->iterations;
    if (left <= 0) break;
    status = nsds_global_admm_burst(run, burst < left ? burst : left);
    bool done = run->best <= run->tolerance || run->info->outcome == NSDS_INTERRUPTED ||
                run->info->iterations >= limit;
    if (status || done || sharpen(&t, limit, &status)) break;
  }
  nsds_outcome outcome = run->best <= run->tolerance ? NSDS_SOLVED : run->info->outcome;
  nsds_global_path(run->info, "nonsmooth_newton", NULL, outcome);
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}

void nsds_global_newton_release(nsds_global_newton *kept, nsds_context *context) {
  nsds_factor_destroy(kept->factor);
  void *memory[] = {kept->p,     kept->i,       kept->x,  kept->place, kept->first,
                    kept->entry, kept->entry_x, kept->AB, kept->begin, kept->arrays};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) nsds_release(context, memory[k]);
}
