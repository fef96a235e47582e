/*
 * Bodies at rest that can stay at rest do so, and do not creep.
 *
 * A problem of friction may have several solutions. In a pile of logs, for example, impulses can hold all
 * logs, but without them the logs roll apart, which also solves the step. A solver that starts from zero
 * finds one or the other. If a model at rest begins to move, two problems are solved with the friction
 * cones alone, without the shift of Coulomb's law. Both are convex:
 *
 *   rest     M z + q of the step. If its velocities w are zero, z solves the step too, since the shift is
 *            zero with them.
 *   apart    M z - n, where each contact parts at a speed along its normal n. There is a solution only if
 *            no impulses in the cones cancel on every body. Otherwise bodies could be jammed without a
 *            load: a brick between two walls would hang there by friction (theorem of the alternative).
 *
 * If both are solved, the step takes z of rest.
 *
 * The tolerance of a solver leaves speeds, which add up from step to step until gaps open. So speeds of
 * bearing contacts at rest are taken away by conjugate gradients: M dz = -w in their rows. The next step
 * begins with these impulses and has nothing to do. Problems of at most nsds_least_rows rows are exact
 * already (least_reactions.c).
 */
#include "kernel/assembly/rest.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/reduced.h"
#include "numerics/sets/blockwise.h"

#include <math.h>

enum { most_rows = 3072 }; /* models with more keep the motion that was found */
enum { most_gradients = 300, vectors = 6 };
static const double still = 1e-6;     /* speeds beside those that the forces of a step give */
static const double rounding = 1e-15; /* the same, where speeds are rounding */
static const double exact = 1e-8;     /* solvers with a larger tolerance may creep */
static const double spare = 0x1p-6; /* part of the friction, so that impulses may change a little */

/* Returns how many numbers the search needs. */
static size_t rest_room(const nsds_one_step *o) {
  const nsds_state_size *size = &o->op.plan->model->size;
  return vectors * size->ny + 2 * size->nv;
}

nsds_status nsds_one_step_reserve_rest(nsds_one_step *o) {
  if (o->op.displaces || o->op.plan->model->size.ny > most_rows) return NSDS_OK;
  return nsds_grow(o->op.plan->context, &o->rest.x, &o->rest.capacity, rest_room(o),
                   sizeof *o->rest.x);
}

static double rest_largest(const double *x, int n) {
  double most = 0.0;
  for (int i = 0; i < n; ++i) nsds_raise(&most, fabs(x[i]));
  return most;
}

/* Returns true if no system moves, compared with what forces do to it in a step. */
static bool was_at_rest(const nsds_plan *plan) {
  double speed = 0.0, change = 0.0;
  for (size_t k = 0; k < plan->model->size.nv; ++k) {
    double v = plan->model->state.v[k];
    nsds_raise(&speed, fabs(v));
    nsds_raise(&change, fabs(plan->v_free[k] - v));
  }
  return speed <= still * change;
}

static bool serves(const nsds_one_step *o) {
  const unsigned sets = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_COULOMB;
  int rubbing = 0;
  if (o->form->assemble != nsds_reduced_assemble || o->rest.capacity < rest_room(o)) return false;
  for (int b = 0; b < o->problem.nblock; ++b) {
    if (!((unsigned)o->problem.block[b].set & sets)) return false;
    rubbing += o->problem.block[b].set == NSDS_SET_COULOMB;
  }
  return rubbing > 1;
}

/* ---- rest ------------------------------------------------------------------------------------- */

/* Puts cones of a part of the friction in the place of Coulomb's law, whose friction goes to mu. */
static void set_cones(nsds_one_step *o, double part, double *mu) {
  for (int b = 0; b < o->problem.nblock; ++b) {
    nsds_block *block = &o->reduced.block[b];
    if (block->set != NSDS_SET_COULOMB) continue;
    mu[b] = block->mu;
    block->mu *= part;
    block->set = NSDS_SET_CONE;
  }
}

static void set_coulomb(nsds_one_step *o, const double *mu) {
  for (int b = 0; b < o->problem.nblock; ++b) {
    nsds_block *block = &o->reduced.block[b];
    if (block->set != NSDS_SET_CONE) continue;
    block->mu = mu[b];
    block->set = NSDS_SET_COULOMB;
  }
}

/* Solves a problem with the present sets from zero. */
static nsds_status solve_from_zero(const nsds_one_step *o, const double *q, double *z, double *w) {
  nsds_problem p = o->problem;
  nsds_solver_info info;
  p.q = q;
  nsds_zero_doubles(z, (size_t)p.n);
  return nsds_solve(o->solver, &p, z, w, &info);
}

/* Writes q of contacts that part at a speed. */
static void set_apart(const nsds_one_step *o, double speed, double *q) {
  nsds_zero_doubles(q, (size_t)o->problem.n);
  for (int b = 0, i = 0; b < o->problem.nblock; i += o->problem.block[b++].size) {
    const nsds_block *block = &o->problem.block[b];
    int gaps = block->set == NSDS_SET_EQUALITY ? 0 : block->set == NSDS_SET_CONE ? 1 : block->size;
    for (int k = 0; k < gaps; ++k) q[i + k] = -speed;
  }
}

/* Solves both convex problems with a part of the friction. Returns true if z holds the bodies at rest,
 * and nothing can jam. */
static bool hold(nsds_one_step *o, double part, double *z) {
  int n = o->problem.n;
  double speed = rest_largest(o->q, n), *w = z + n, *q = w + n, *mu = q + 2 * n;
  set_cones(o, part, mu);
  bool rests = !solve_from_zero(o, o->q, z, w) && rest_largest(w, n) <= still * speed;
  if (rests) {
    set_apart(o, speed, q);
    rests = !solve_from_zero(o, q, w, q + n);
  }
  set_coulomb(o, mu);
  return rests;
}

/* Does so, if possible with friction to spare. */
static bool rest_find(nsds_one_step *o, double *z) {
  return hold(o, 1.0 - spare, z) || hold(o, 1.0, z);
}

/* ---- creep ------------------------------------------------------------------------------------ */

/* Sets x to zero in the rows of contacts that bear nothing. */
static void keep_bearing(const nsds_one_step *o, double *x) {
  double least = still * rest_largest(o->z, o->problem.n);
  for (int b = 0, i = 0; b < o->problem.nblock; i += o->problem.block[b++].size) {
    const nsds_block *block = &o->problem.block[b];
    if (block->set == NSDS_SET_EQUALITY || o->z[i] > least) continue;
    nsds_zero_doubles(x + i, (size_t)block->size);
  }
}

static double creep_square(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

/* Adds dz with M dz = r in bearing rows to z. Returns the largest number that is left of r. */
static double take_away(const nsds_one_step *o, double *r, double small, double *z) {
  int n = o->problem.n;
  double *p = r + n, *Mp = p + n, *zero = Mp + n, *work = zero + 2 * n;
  nsds_problem homogeneous = o->problem;
  homogeneous.q = zero;
  nsds_zero_doubles(zero, (size_t)n);
  nsds_copy_doubles(p, r, (size_t)n);
  double square = creep_square(r, n);
  for (int k = 0; k < most_gradients && rest_largest(r, n) > small; ++k) {
    double curved = 0.0, before = square;
    nsds_problem_multiply(&homogeneous, p, Mp, work);
    keep_bearing(o, Mp);
    for (int i = 0; i < n; ++i) curved += p[i] * Mp[i];
    if (!(curved > 0.0)) break;
    for (int i = 0; i < n; ++i) {
      z[i] += square / curved * p[i];
      r[i] -= square / curved * Mp[i];
    }
    square = creep_square(r, n);
    for (int i = 0; i < n; ++i) p[i] = r[i] + square / before * p[i];
  }
  return rest_largest(r, n);
}

static bool rest_moves(const nsds_one_step *o, nsds_status status) {
  return status || rest_largest(o->w, o->problem.n) > still * rest_largest(o->q, o->problem.n);
}

/* Tries to take creep away. Returns true if none is left. */
static bool stop_creep(nsds_one_step *o, nsds_status *status, nsds_solver_info *info) {
  size_t n = (size_t)o->problem.n;
  double *r = o->rest.x, *z = r + 4 * n, small = rounding * rest_largest(o->q, (int)n);
  for (int turn = 0; turn < 2; ++turn) {
    for (size_t i = 0; i < n; ++i) r[i] = -o->w[i];
    keep_bearing(o, r);
    double creep = rest_largest(r, (int)n);
    if (creep <= 64.0 * small) return true;
    nsds_copy_doubles(z, o->z, n);
    if (turn > 0 || !(take_away(o, r, small, z) <= 0.1 * creep)) return false;
    nsds_project(&o->problem, z, o->z);
    *status = nsds_one_step_solve(o, info);
    if (*status) return false;
  }
  return false;
}

nsds_status nsds_rest_look_for(nsds_one_step *o, nsds_status status, nsds_solver_info *info) {
  size_t n = (size_t)o->problem.n;
  if (o->rest.pattern != o->reduced.pattern) {
    o->rest.pattern = o->reduced.pattern;
    o->rest.serves = serves(o);
  }
  if (!o->rest.serves || !was_at_rest(o->op.plan)) return status;
  bool holds = !o->form->whole; /* problems about gaps take creep away themselves */
  bool slow = holds || n <= nsds_least_rows || nsds_solver_get(o->solver, "tolerance") > exact;
  bool worked = info->iterations > 0; /* otherwise the search would find what it found before */
  bool rests = !rest_moves(o, status);
  bool stands = rests && (slow || stop_creep(o, &status, info) || !worked);
  if (stands || !rest_find(o, o->rest.x)) return status;
  nsds_copy_doubles(o->z, o->rest.x, n);
  status = nsds_one_step_solve(o, info);
  if (!rest_moves(o, status) && !slow) stop_creep(o, &status, info);
  return status;
}
