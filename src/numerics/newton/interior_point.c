/*
 * Primal-dual interior point method: Mehrotra's predictor and corrector (SIAM J. Optim. 2, 1992) in
 * Nesterov and Todd's scaling (Math. Oper. Res. 22, 1997), from infeasible starts. With the slacks
 * s = G z - g and multipliers l of conic_form.h, both inside their cones, the center at height mu:
 *
 *     M z + q - L(l) = 0,   G z - g - s = 0,   s o l = mu e,
 *
 * L(l) is G^T l minus De Saxce's shift. With W l = W^-1 s = v, the scaled steps W^-1 ds and W dl,
 * whose sum is t = v^-1 o (sigma mu e - W^-1 ds_a o W dl_a) - v (ds_a, dl_a those of the
 * predictor), leave
 *
 *     (M + L' W^-2 G) dz = -(M z + q - L(l)) + L' W^-1 (t - W^-1 (G z - g - s)),
 *
 * M and a block for each set. L' holds the derivative of the shift. Alternatively the shift is
 * frozen, which leaves a convex problem, and renewed when that problem is solved (Acary, Cadoux,
 * Lemarechal & Malick: Z. angew. Math. Mech. 91, 2011). There is one step length for all, because M
 * couples z and l. Each time the height has fallen enough, Newton's method is tried from there.
 * Newton's method gives the digits that the scaling loses near the boundary. If steps lead nowhere,
 * the slacks and multipliers start again from z.
 */
#include "numerics/method_list.h"

#include "numerics/linear/block_system.h"
#include "numerics/linear/factor.h"
#include "numerics/newton/conic_form.h"
#include "numerics/programme/programme.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/bounds.h"
#include "numerics/sets/cone_algebra.h"
#include "numerics/sets/set_map.h"
#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"
#include "numerics/watch.h"

enum { OPTION_SHIFT = OPTION_FIRST_OWN };

enum {
  default_iterations = 100, /* a few dozen are usual */
  programme_iterations = 60,
  closer_iterations = 200,
  frozen_iterations = 1000, /* as many for each of a few shifts */
  most_short_steps = 3,     /* in succession, before a new start */
  most_newton_steps = 3,    /* quadratic: more find no more */
  most = NSDS_COUPLED_ROWS,
  most_rows = most + 1 /* of a cone */
};

static const double least_energy = 1e-6;  /* of a warm start relative to a cold one */
static const double polish_again = 1e-2;  /* fall of the height between two attempts */
static const double renew_again = 1e-8;   /* fall of the height that renews a frozen shift */
static const double least_height = 1e-60; /* relative to the first: the end of the path */

/* Data kept between solves, and data of one solve. */
typedef struct interior {
  nsds_solver *solver;
  const nsds_problem *problem;
  nsds_solver_info *info;
  nsds_block_system system;
  nsds_conic_form form;
  int n, p;                    /* rows of z, of s */
  bool frozen;                 /* De Saxce's shift is frozen, else in the linear system */
  bool symmetric;              /* the blocks of the linear system on the path, */
  bool diagonal;               /* and at its end */
  double *r;                   /* n: metric of blockwise.h */
  double *z, *dz;              /* n */
  double *residual;            /* n: M z + q - L(l) */
  double *feasible, *polished; /* n: points of C: of the path, the end of Newton's method */
  double *work;                /* n */
  double *s, *l;               /* p: slacks and multipliers */
  double *gap;                 /* p: G z - g - s */
  double *v, *ab;              /* p: scaled point and scaling, see cone_algebra.h */
  double *t, *ds, *dl;         /* p: scaled right-hand side and steps */
  double *eta;                 /* of each cone: scaling */
  double *length;              /* of each cone: of the tail of l that the shift subtracts */
  nsds_cone_pair *pair;        /* of each cone */
  double mu;                   /* height: mean of s.l over the cones */
  double cold;                 /* energy of the start from zero */
  int short_steps;             /* in succession */
} interior;

/* The state of the method. Programmes have a path of their own; if that fails, this one follows. */
typedef struct interior_state {
  interior path;
  nsds_programme programme;
  bool is_programme;
} interior_state;

/* ---- the iterate ---- */

/* Computes lengths (frozen: only with `renew`), residual, gap, height. */
static void interior_point_measure(interior *t, bool renew) {
  double sum = 0.0;
  nsds_problem_multiply(t->problem, t->z, t->residual, t->solver->toolbox->certify_work);
  for (int k = 0; k < t->form.ncone; ++k) {
    const nsds_slack_cone *c = &t->form.cone[k];
    const double *l = t->l + c->slack;
    double *gap = t->gap + c->slack;
    if (!t->frozen || renew)
      t->length[k] = c->shifted ? sqrt(nsds_inner_product(c->size - 1, l + 1, l + 1)) : 0.0;
    nsds_conic_subtract(c, l, t->length[k], t->residual);
    nsds_conic_multiply(c, t->z, gap);
    gap[0] -= c->bound;
    for (int i = 0; i < c->size; ++i) gap[i] -= t->s[c->slack + i];
    sum += t->pair[k].product;
  }
  t->mu = t->form.ncone > 0 ? sum / t->form.ncone : 0.0;
}

static bool interior_point_scale(interior *t) {
  for (int k = 0; k < t->form.ncone; ++k) {
    const nsds_slack_cone *c = &t->form.cone[k];
    int i = c->slack;
    if (!nsds_cone_scaling(c->size, t->s + i, t->l + i, &t->pair[k], &t->eta[k], t->ab + i,
                           t->v + i))
      return false;
  }
  return true;
}

/* Returns the largest z^2 / r. */
static double interior_point_energy(const interior *t, const double *z) {
  double largest = 0.0;
  for (int i = 0; i < t->n; ++i) largest = fmax(largest, z[i] * z[i] / t->r[i]);
  return largest;
}

/* ---- the linear system ---- */

static const double pinned = 1e20; /* weight of rows that cannot move: beyond all digits */
static const double added[] = {1e-11, 1e-9}; /* proximal terms of singular systems, in turn */

/* Factors the system, `symmetric` as in block_system.h. A singular system gets a proximal term. */
static nsds_status interior_point_factor_system(interior *t, bool symmetric) {
  ++t->info->factorizations;
  nsds_status status = nsds_block_system_factor(&t->system, symmetric);
  for (size_t k = 0; k < sizeof added / sizeof *added; ++k) {
    if (status != NSDS_ERROR_SINGULAR) return status;
    for (int i = 0; i < t->n; ++i) *nsds_block_system_at(&t->system, i, i) += added[k] / t->r[i];
    ++t->info->factorizations;
    status = nsds_block_system_factor(&t->system, symmetric);
  }
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status; /* as good as possible */
}

static nsds_status interior_point_factor(interior *t) {
  double P[most_rows * most_rows];
  nsds_block_system_start(&t->system, t->solver, t->problem);
  for (int k = 0; k < t->form.ncone; ++k) {
    const nsds_slack_cone *c = &t->form.cone[k];
    nsds_cone_inverse_square(c->size, t->eta[k], t->ab + c->slack, P);
    nsds_conic_add_system(c, !t->frozen, t->l + c->slack, P, &t->system);
  }
  for (int k = 0, i; k < t->form.nfixed; ++k) {
    i = t->form.fixed[k];
    *nsds_block_system_at(&t->system, i, i) += pinned / t->r[i];
  }
  return interior_point_factor_system(t, t->symmetric);
}

/* Finds dz and the scaled steps for the right-hand side t; residual and gap are to fall by
 * `share`. */
static void find_steps(interior *t, double share) {
  double x[most_rows];
  for (int i = 0; i < t->n; ++i) t->dz[i] = -share * t->residual[i];
  for (int k = 0; k < t->form.ncone; ++k) {
    const nsds_slack_cone *c = &t->form.cone[k];
    const double *ab = t->ab + c->slack;
    nsds_cone_unscale(c->size, t->eta[k], ab, t->gap + c->slack, x);
    for (int i = 0; i < c->size; ++i) x[i] = t->t[c->slack + i] - share * x[i];
    nsds_cone_unscale(c->size, t->eta[k], ab, x, x);
    nsds_conic_add_derivative(c, !t->frozen, t->l + c->slack, x, t->dz);
  }
  nsds_block_system_solve(&t->system, t->dz);
  for (int k = 0; k < t->form.nfixed; ++k) t->dz[t->form.fixed[k]] = 0.0;
  for (int k = 0; k < t->form.ncone; ++k) {
    const nsds_slack_cone *c = &t->form.cone[k];
    double *ds = t->ds + c->slack, *dl = t->dl + c->slack;
    nsds_conic_multiply(c, t->dz, ds);
    for (int i = 0; i < c->size; ++i) ds[i] += share * t->gap[c->slack + i];
    nsds_cone_unscale(c->size, t->eta[k], t->ab + c->slack, ds, ds);
    for (int i = 0; i < c->size; ++i) dl[i] = t->t[c->slack + i] - ds[i];
  }
}

/* Computes t for the height sigma mu, with the second order of the last steps if `correct`. */
static void interior_point_aim(interior *t, double sigma, bool correct) {
  for (int k = 0; k < t->form.ncone; ++k) {
    const nsds_slack_cone *c = &t->form.cone[k];
    double x[most_rows] = {0.0}, *target = t->t + c->slack;
    if (correct) nsds_cone_product(c->size, t->ds + c->slack, t->dl + c->slack, x);
    for (int i = 0; i < c->size; ++i) x[i] = (i == 0 ? sigma * t->mu : 0.0) - x[i];
    nsds_cone_divide(c->size, t->v + c->slack, x, target);
    for (int i = 0; i < c->size; ++i) target[i] -= t->v[c->slack + i];
  }
}

/* ---- the step ---- */

static const double short_step = 0.5; /* below it, a step without second order is made instead: */
static const double middle = 0.5;     /* with this sigma, */
static const double most_lag = 10.0;  /* or 1 if the energy of the residual is so far above mu */
static const double must_fall = 0.9;  /* of the height in such a step */
static const double no_step = 0.05;   /* below it, a step leads nowhere */
static const double off_boundary = 1e-2; /* part of the step to the boundary that is not made; */
static const double off_of_left = 0.1;   /* this part of the rest of the predictor, */
static const double least_off = 1e-4;    /* if that nearly reaches the end */

static double interior_point_to_boundary(const interior *t) {
  double length = INFINITY;
  for (int k = 0; k < t->form.ncone; ++k) {
    const nsds_slack_cone *c = &t->form.cone[k];
    length = fmin(length, nsds_cone_step(c->size, t->v + c->slack, t->ds + c->slack));
    length = fmin(length, nsds_cone_step(c->size, t->v + c->slack, t->dl + c->slack));
  }
  return length;
}

/* Moves s and l of one cone. */
static void move_cone(interior *t, int k, double length) {
  const nsds_slack_cone *c = &t->form.cone[k];
  double x[most_rows], y[most_rows];
  for (int i = 0; i < c->size; ++i) {
    x[i] = t->v[c->slack + i] + length * t->ds[c->slack + i];
    y[i] = t->v[c->slack + i] + length * t->dl[c->slack + i];
  }
  t->pair[k] =
      nsds_cone_place(c->size, t->eta[k], t->ab + c->slack, x, y, t->s + c->slack, t->l + c->slack);
}

/* Returns the height after a step of this length. */
static double height_after(const interior *t, double length) {
  double sum = 0.0;
  for (int i = 0; i < t->p; ++i)
    sum += (t->v[i] + length * t->ds[i]) * (t->v[i] + length * t->dl[i]);
  return sum / t->form.ncone;
}

/* Chooses the corrector's steps, or the steps without second order if the others are short or lead
 * up. Returns their length. `left` is the part of the step that the predictor could not make. */
static double choose_steps(interior *t, double left) {
  double sigma = left * left * left,
         keep = 1.0 - fmax(fmin(off_boundary, off_of_left * left), least_off);
  interior_point_aim(t, sigma, true);
  find_steps(t, 1.0 - sigma);
  double length = fmin(keep * interior_point_to_boundary(t), 1.0);
  if (t->p == 0 || (length >= short_step && height_after(t, length) <= must_fall * t->mu))
    return length;
  for (int i = 0; i < t->n; ++i) t->work[i] = t->r[i] * t->residual[i];
  bool behind = interior_point_energy(t, t->work) > most_lag * t->mu;
  interior_point_aim(t, behind ? 1.0 : middle, false);
  find_steps(t, behind ? 1.0 : 1.0 - middle);
  return fmin(keep * interior_point_to_boundary(t), 1.0);
}

/* Makes predictor and corrector. `stuck`: no step was possible, or the result is not finite. */
static nsds_status interior_point_step(interior *t, bool *stuck) {
  *stuck = !interior_point_scale(t);
  nsds_status status = *stuck ? NSDS_OK : interior_point_factor(t);
  if (status || *stuck) return status;
  interior_point_aim(t, 0.0, false);
  find_steps(t, 1.0);
  double length = choose_steps(t, 1.0 - fmin(interior_point_to_boundary(t), 1.0));
  for (int i = 0; i < t->n; ++i) *stuck = *stuck || !isfinite(t->dz[i]);
  if (*stuck) return NSDS_OK;
  for (int i = 0; i < t->n; ++i) t->z[i] += length * t->dz[i];
  for (int k = 0; k < t->form.ncone; ++k) move_cone(t, k, length);
  interior_point_measure(t, false);
  t->short_steps = length < no_step ? t->short_steps + 1 : 0;
  *stuck = !isfinite(t->mu);
  return NSDS_OK;
}

/*
 * ---- from the end of the path to the solution ----
 *
 * The equations of set_map.h, phi(z, w) = 0, with the derivative A + B M give the step
 *
 *     (M + B'^-1 A) dz = -B'^-1 phi,   B' = B + regular R A,
 *
 * M and a block for each set again. If a row of B vanishes, z does not depend on w, and a large
 * entry holds z. Convergence is quadratic if the path has told which contacts stick, slide and are
 * open.
 */
static const double regular = 1e-8; /* the root of rounding: B' keeps half of the digits of B */
static const double runaway = 1e4;  /* largest growth of z^2: more is a direction M does not see */
/*
 * Proximal term of a second attempt after the first ran away. With a singular M, solutions lie side
 * by side. Quotients of rounding move z among them, and these differ from machine to machine.
 */
static const double anchor = 1e-7;
static const double quadratic = 0.1; /* fall of the residual in a step before another is made */

/* Adds the block and right-hand side of `m` rows that belong together. */
static void add_map(interior *t, const nsds_block *block, int row, const double *w) {
  double A[most * most], B[most * most];
  int pivot[most], m = block->size;
  double *phi = t->dz + row;
  nsds_set_map(NSDS_MAP_ALART_CURNIER, block, t->r + row, t->polished + row, w + row, phi, A, B);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) B[i + j * m] += regular * t->r[row + i] * A[i + j * m];
  if (!nsds_small_lu(m, B, pivot)) return;
  nsds_small_lu_solve(m, B, pivot, phi);
  for (int j = 0; j < m; ++j) {
    nsds_small_lu_solve(m, B, pivot, A + j * m);
    for (int i = 0; i < m; ++i) *nsds_block_system_at(&t->system, row + i, row + j) += A[i + j * m];
  }
}

static void add_maps(interior *t, const double *w) {
  for (int a = 0, row = 0; a < t->problem->nblock; row += t->problem->block[a++].size) {
    const nsds_block *block = &t->problem->block[a];
    bool alone = (block->set & nsds_separable_sets) != 0;
    for (int i = 0; i < block->size; i += alone ? 1 : block->size) {
      nsds_block one = alone ? nsds_row_of_block(block, i) : *block;
      add_map(t, &one, row + i, w);
    }
  }
}

/* Sets z = p in rows that the projection p of x holds: on a bound, in an apex. */
static void interior_point_hold(const nsds_block *block, int row, const double *x, const double *p,
                                double *z) {
  bool separable = (block->set & nsds_separable_sets) != 0, zero = true;
  for (int i = row; i < row + block->size; ++i) zero = zero && p[i] == 0.0;
  for (int i = row; i < row + block->size; ++i)
    if (separable ? p[i] != x[i] : zero) z[i] = p[i];
}

/* Makes Newton's step from `polished`, with a proximal term in the metric. Held rows get their
 * exact z, since the large entries are not exact. */
static nsds_status newton(interior *t, double proximal) {
  double *x = t->work, *p = t->feasible;
  nsds_problem_multiply(t->problem, t->polished, x, t->solver->toolbox->certify_work);
  nsds_block_system_start(&t->system, t->solver, t->problem);
  add_maps(t, x);
  for (int i = 0; proximal > 0.0 && i < t->n; ++i)
    *nsds_block_system_at(&t->system, i, i) += proximal / t->r[i];
  nsds_status status = interior_point_factor_system(t, t->diagonal);
  if (status) return status;
  nsds_block_system_solve(&t->system, t->dz);
  nsds_shift(t->problem, x, x);
  for (int i = 0; i < t->n; ++i) x[i] = t->polished[i] - t->r[i] * x[i];
  nsds_project(t->problem, x, p);
  for (int i = 0; i < t->n; ++i) t->polished[i] -= t->dz[i];
  for (int a = 0, row = 0; a < t->problem->nblock; row += t->problem->block[a++].size)
    interior_point_hold(&t->problem->block[a], row, x, p, t->polished);
  nsds_project(t->problem, t->polished, t->polished);
  return NSDS_OK;
}

/* Makes Newton's steps from z; *residual is infinite if they run away. */
static nsds_status approach(interior *t, double proximal, double *residual) {
  double before = INFINITY, tolerance = t->solver->value[OPTION_TOLERANCE];
  nsds_project(t->problem, t->z, t->polished);
  if (t->diagonal && t->system.by_signs) /* a step of the path costs no more, and gains as much */
    before = nsds_solver_residual(t->solver, t->problem, t->polished, NULL) / quadratic;
  for (int k = 0; k < most_newton_steps; ++k) {
    nsds_status status = newton(t, proximal);
    if (status) return status;
    *residual = nsds_solver_residual(t->solver, t->problem, t->polished, NULL);
    if (*residual <= tolerance || !(*residual <= quadratic * before)) break;
    before = *residual;
  }
  if (!(interior_point_energy(t, t->polished) <=
        runaway * fmax(interior_point_energy(t, t->z), t->cold)))
    *residual = INFINITY;
  return NSDS_OK;
}

/* Polishes z; the end is in t->polished, in C, its certified residual in *residual. */
static nsds_status interior_point_polish(interior *t, double *residual) {
  nsds_status status = approach(t, 0.0, residual);
  bool shifted = t->diagonal && t->system.by_signs; /* the factors have a proximal term */
  return status || *residual < INFINITY || shifted ? status : approach(t, anchor, residual);
}

/* ---- the start ---- */

/* Returns the energy of the natural map at z: how far z is from solving. */
static double interior_point_distance(const interior *t, const double *w) {
  double *x = t->work;
  nsds_shift(t->problem, w, x);
  nsds_project_step(t->problem, 1.0, t->r, t->z, x, x);
  for (int i = 0; i < t->n; ++i) x[i] = t->z[i] - x[i];
  return interior_point_energy(t, x);
}

/* Moves x inside the cone by at least `least`. */
static void lift(int k, double least, double *x) {
  double now = nsds_cone_least(k, x);
  if (now < least) x[0] += least - now;
}

/* Starts s and l of cone k from z and w, inside by an amount from the energy. */
static void start_cone(interior *t, int k, double level, const double *w) {
  const nsds_slack_cone *c = &t->form.cone[k];
  double *s = t->s + c->slack, *l = t->l + c->slack;
  double unit = sqrt(level * t->r[c->row]), height = nsds_conic_normal(c);
  nsds_conic_multiply(c, t->z, s);
  s[0] -= c->bound;
  for (int i = 1; i < c->size; ++i) l[i] = w[c->tail + i - 1];
  double tail = sqrt(nsds_inner_product(c->size - 1, l + 1, l + 1));
  double head = c->head >= 0 ? w[c->head] / c->factor : 0.0;
  l[0] = c->shifted ? tail + fmax(head, 0.0) : fmax(tail, head);
  lift(c->size, fmin(unit * height, c->room), s);
  lift(c->size, unit / t->r[c->row] / height, l);
  t->pair[k] = (nsds_cone_pair){.root_s = nsds_cone_root(c->size, s),
                                .root_l = nsds_cone_root(c->size, l),
                                .product = nsds_inner_product(c->size, s, l)};
}

/* Starts from z, in C, or from the point next to zero if that is nearer to solving. */
static void interior_point_start(interior *t, const double *z) {
  double *w = t->residual, *work = t->solver->toolbox->certify_work;
  size_t bytes = (size_t)t->n * sizeof *z;
  for (int i = 0; i < t->n; ++i) t->z[i] = 0.0;
  nsds_project(t->problem, t->z, t->z);
  nsds_problem_multiply(t->problem, t->z, w, work);
  double cold = interior_point_distance(t, w), level;
  memcpy(t->dz, t->z, bytes);
  memcpy(t->z, z, bytes);
  nsds_problem_multiply(t->problem, t->z, w, work);
  level = interior_point_distance(t, w);
  if (!(level <= cold)) {
    memcpy(t->z, t->dz, bytes);
    nsds_problem_multiply(t->problem, t->z, w, work);
  }
  level = fmax(fmin(level, cold), least_energy * cold);
  t->cold = cold;
  if (!(level > 0.0 && isfinite(level))) level = 1.0;
  for (int k = 0; k < t->form.ncone; ++k) start_cone(t, k, level, w);
  t->short_steps = 0;
  interior_point_measure(t, true);
}

/* ---- operations of the method ---- */

static interior *interior_point_open(nsds_solver *solver, const nsds_problem *problem,
                                     nsds_solver_info *info) {
  interior *t = solver->state;
  bool shifted = false;
  t->solver = solver;
  t->problem = problem;
  t->info = info;
  for (int k = 0; k < t->form.ncone; ++k) shifted = shifted || t->form.cone[k].shifted;
  t->frozen = shifted && solver->value[OPTION_SHIFT] == 0.0;
  t->symmetric = !shifted || t->frozen;
  t->diagonal = !(solver->toolbox->sets & ~(unsigned)nsds_bound_sets);
  return t;
}

/* Follows the path from z, and steps after those that the watch has counted. */
static nsds_status interior_point_follow(interior *t, nsds_watch *watch, double *z) {
  nsds_solver *solver = t->solver;
  const nsds_problem *problem = t->problem;
  nsds_metric(problem, t->r, t->work);
  interior_point_start(t, z);
  double first = t->mu, at_start = t->mu, at_polish = t->cold;
  bool stuck = false, again = false, solved = false;
  for (int k = watch->info->iterations + 1;; ++k) {
    bool known = solved, newton = stuck || again || known || t->mu <= polish_again * at_polish;
    double residual = INFINITY;
    nsds_status status =
        newton ? interior_point_polish(t, &residual) : interior_point_step(t, &stuck);
    if (status) return status;
    if (newton) at_polish = t->mu;
    nsds_project(problem, t->z, t->feasible);
    solved = !newton && k < watch->limit &&
             nsds_solver_residual(solver, problem, t->feasible, NULL) <= watch->tolerance;
    if (solved) continue; /* with the digits that Newton's method adds */
    bool better = residual < watch->best && (!known || residual <= watch->tolerance);
    if (nsds_watch_step(watch, k, better ? t->polished : t->feasible)) break;
    if (newton && stuck) break;
    stuck = stuck || !(t->mu > least_height * first);
    if (newton && again) {
      interior_point_start(t, t->feasible);
      at_polish = at_start = t->mu;
    }
    again = /* a frozen shift is used up, or the steps got nowhere */
        t->short_steps == most_short_steps || (t->frozen && t->mu <= renew_again * at_start);
  }
  return NSDS_OK;
}

/* Allows so many steps more, but no more than the user. */
static void interior_point_allow(nsds_watch *watch, int more) {
  nsds_watch_allow(watch, nsds_iteration_limit(watch->solver, watch->info->iterations + more), 1);
}

/* Solves a programme: by its own path, by that of all problems, then by its own with all means. */
static nsds_status interior_point_solve_programme(interior_state *state, nsds_watch *watch,
                                                  double *z) {
  bool done;
  interior_point_allow(watch, programme_iterations);
  nsds_status status = nsds_programme_solve(&state->programme, watch, false, &done);
  if (status || done) return status;
  interior_point_allow(watch, default_iterations);
  if (watch->info->iterations < watch->limit)
    status = interior_point_follow(&state->path, watch, z);
  if (status || watch->info->outcome != NSDS_NOT_CONVERGED) return status;
  interior_point_allow(watch, closer_iterations);
  if (watch->info->iterations >= watch->limit) return NSDS_OK;
  return nsds_programme_solve(&state->programme, watch, true, &done);
}

static nsds_status interior_point_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                                        nsds_solver_info *info) {
  interior_state *state = solver->state;
  interior *t = interior_point_open(solver, problem, info);
  int limit = t->frozen ? frozen_iterations : default_iterations;
  nsds_watch watch = nsds_watch_start(solver, problem, z, limit, 1, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  if (state->is_programme) return interior_point_solve_programme(state, &watch, z);
  return interior_point_follow(t, &watch, z);
}

static nsds_status interior_point_reserve(nsds_solver *solver, const nsds_problem *problem) {
  interior_state *state = solver->state;
  interior *t = &state->path;
  nsds_status status = nsds_block_system_reserve(&t->system, solver, problem, nsds_conic_coupled);
  if (!status) status = nsds_conic_form_make(&t->form, &solver->store, problem);
  if (status) return status;
  int n = t->n = problem->n, p = t->p = t->form.nslack, ncone = t->form.ncone;
  const nsds_cut cut[] = {
      NSDS_CUT(t->r, n),        NSDS_CUT(t->z, n),          NSDS_CUT(t->dz, n),
      NSDS_CUT(t->residual, n), NSDS_CUT(t->feasible, n),   NSDS_CUT(t->polished, n),
      NSDS_CUT(t->work, n),     NSDS_CUT(t->s, p),          NSDS_CUT(t->l, p),
      NSDS_CUT(t->gap, p),      NSDS_CUT(t->v, p),          NSDS_CUT(t->ab, p),
      NSDS_CUT(t->t, p),        NSDS_CUT(t->ds, p),         NSDS_CUT(t->dl, p),
      NSDS_CUT(t->eta, ncone),  NSDS_CUT(t->length, ncone), NSDS_CUT(t->pair, ncone)};
  status = NSDS_HOLD(&solver->store, cut);
  if (!status)
    status = nsds_programme_reserve(&state->programme, solver, problem, &state->is_programme);
  return status ? status : nsds_watch_reserve(solver, problem, 0);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0,
                        "largest number of steps; 0: 100, of programs 360, with a frozen shift "
                        "1000"),
    {"shift", "integer",
     "1: De Saxce's shift in the linear system; 0: frozen, as an outer fixed point", 1.0, 0.0, 1.0},
    {0}};

const nsds_method nsds_method_interior_point = {
    .row = {.name = "interior_point",
            .summary = "Follows the central path, a factorisation a step and few steps whatever "
                       "the size; monotone problems, singular M, friction.",
            .reference = "Nesterov, Todd: Math. Oper. Res. 22 (1997); Mehrotra: SIAM J. Optim. 2 "
                         "(1992); Acary, Cadoux, Lemarechal, Malick: Z. angew. Math. Mech. "
                         "91 (2011)",
            NSDS_ANY_PROBLEM,
            .option = options},
    .state_size = sizeof(interior_state),
    .reserve = interior_point_reserve,
    .solve = interior_point_solve,
};
