/*
 * Proximal point iteration (Rockafellar 1976) with Newton's method on the equations of the laws,
 *
 *     phi(z, M z + q + e R^-1 (z - c)) = 0,   c <- z,
 *
 * for hyperstatic friction problems. Reactions of these lie far from any start, along self-stresses
 * that M does not see. Only small e makes progress there, and Newton's method then fails now and
 * then. A problem is solved to a tenth of its residual, block by block relative to the terms of the
 * block. (A norm over all blocks would see the heaviest bodies alone.) A problem that fails is
 * given up, and z returns to c, the last problem solved. A failure mostly comes from a few contacts
 * that cycle between their states. A larger e of their own holds these contacts, while all others
 * go on with a small e. If they are many, e rises. So no progress is lost, and e finds a size at
 * which a few steps suffice. If no e serves, sweeps of block Gauss-Seidel sort the contacts out.
 * Success depends on the start: without progress for long, the method begins again elsewhere.
 *
 * If M is given in factors with few velocities, the steps are computed in velocities
 * (newton_system.h). If all blocks are contacts with friction, the method begins at the end of a
 * path that leads far out along self-stresses (continuation.h). If Newton's method still cannot
 * lower e after some problems, solutions are followed a short way as e falls.
 */
#include "numerics/newton/proximal_newton.h"

#include "numerics/newton/central_path.h"
#include "numerics/newton/continuation.h"
#include "numerics/newton/equations.h"
#include "numerics/newton/solution_path.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/set_map.h"
#include "numerics/sets/sets.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"

enum {
  most = NSDS_COUPLED_ROWS,
  most_steps = 10000,
  patience = 16, /* steps for one problem */
  sweeps = 20,
  problems = 50,  /* between two paths of solutions */
  way = 600,      /* factorisations along a path */
  stalled = 1500, /* steps without progress */
};

static const double enough = 0.1; /* residual of a problem relative to its start */
static const double rounding = 1e-15;
static const double near = 1e-6; /* residual that central paths lead to */
static const double same = 1e-6; /* part of a residual that makes it another one */
static const double least_weight = 1e-10;
static const double most_weight = 1.0;
static const double lighter = 0.5; /* factor of e after a problem of few steps, */
static const double heavier = 1.5; /* after many steps, */
static const double refused = 4.0; /* and after a failure */
enum { few_steps = 3, many_steps = 6 };
static const double few = 0.02;       /* of all units: this part may be held alone, */
static const double often = 0.5;      /* unsolved after this part of the steps of the worst */
static const double hold = 16.0;      /* factor of a held weight, */
static const double most_hold = 1e8;  /* up to this one, */
static const double release_by = 0.5; /* and after a solved problem */
static const double gets_on = 0.9;    /* of the best residual */

/* ---- one proximal problem ---- */

/* Returns |p - P(p - R (w + shift))| of a unit over the size of its terms, squared. w is
 * regularised. */
static double relative_square(const nsds_equations *law, const nsds_unit *unit, const double *w0,
                              const double *terms) {
  const double *root = law->at.root + unit->row, *weight = law->at.weight + unit->row;
  int m = unit->block.size, row = unit->row;
  double w[most] = {0.0}, x[most], sum = 0.0, size = 0.0;
  for (int i = 0; i < m; ++i)
    w[i] = w0[row + i] + weight[i] * (law->p[row + i] - law->centre[row + i]);
  nsds_set_shift(&unit->block, w, w);
  for (int i = 0; i < m; ++i) x[i] = law->p[row + i] - root[i] * root[i] * w[i];
  nsds_set_project(&unit->block, x, x);
  for (int i = 0; i < m; ++i) {
    double e = (law->p[row + i] - x[i]) / root[i], s = terms[row + i] * root[i];
    sum += e * e;
    size += s * s;
  }
  return sum > 0.0 ? sum / size : 0.0;
}

/* Returns the largest over all units, at z put into the sets. */
static double proximal_newton_residual(nsds_proximal_newton *t) {
  nsds_equations *law = &t->law;
  const nsds_solver *solver = law->watch.solver;
  const double *work = solver->toolbox->certify_work;
  double largest = 0.0;
  nsds_project(law->problem, law->z, law->p);
  nsds_solver_residual(solver, law->problem, law->p, NULL);
  for (int a = 0; a < law->sweeps.nunit; ++a) {
    double square = relative_square(law, &law->sweeps.unit[a], work, work + law->n);
    if (!(square <= t->target)) ++t->missed[a];
    if (!(square <= largest)) largest = square;
  }
  return sqrt(largest);
}

/* Returns true if the last residual has occurred before: Newton's method cycles through pieces. */
static bool comes_back(const double *residuals, int count) {
  double last = residuals[count - 1];
  for (int k = 0; k < count - 1; ++k)
    if (fabs(residuals[k] - last) <= same * last) return true;
  return false;
}

/* Sets the weights of the next problem. */
static void proximal_newton_weigh(nsds_proximal_newton *t) {
  const nsds_sweeps *s = &t->law.sweeps;
  nsds_equations_weigh(&t->law, t->law.e);
  for (int a = 0; a < s->nunit; ++a)
    for (int i = s->unit[a].row; i < s->unit[a].row + s->unit[a].block.size; ++i)
      t->law.at.weight[i] *= t->held[a];
}

/* Makes Newton's steps from c; *steps is their number. A point that runs away ends only its
 * problem. */
static nsds_progress solve_problem(nsds_proximal_newton *t, int *steps, nsds_status *status) {
  nsds_equations *law = &t->law;
  memcpy(law->centre, law->z, (size_t)law->n * sizeof *law->z);
  proximal_newton_weigh(t);
  t->target = INFINITY;
  double first = proximal_newton_residual(t), now[patience];
  t->target = enough * enough * first * first;
  memset(t->missed, 0, (size_t)law->sweeps.nunit * sizeof *t->missed);
  nsds_equations_multiply(law, law->z, law->Mz);
  for (*steps = 1; *steps <= patience; ++*steps) {
    nsds_equations_at(law, law->z, law->Mz, true);
    *status = nsds_equations_factor(law);
    if (*status && *status != NSDS_ERROR_SINGULAR) return NSDS_OVER;
    if (*status) { /* a step all the same, so that limits are met */
      *status = NSDS_OK;
      return nsds_equations_offer(law, law->p, true) == NSDS_OVER ? NSDS_OVER : NSDS_GIVEN_UP;
    }
    nsds_equations_solve(law, law->d);
    for (int i = 0; i < law->n; ++i) law->z[i] += law->d[i];
    double last = now[*steps - 1] = proximal_newton_residual(t);
    if (nsds_equations_offer(law, law->p, true) == NSDS_OVER) return NSDS_OVER;
    if (last <= fmax(enough * first, rounding)) return NSDS_GOES_ON;
    if (!isfinite(last) || comes_back(now, *steps)) break;
    nsds_equations_multiply(law, law->z, law->Mz);
  }
  return NSDS_GIVEN_UP;
}

/* ---- between two problems ---- */

/* Holds the units by which the last problem failed. Returns false if they are too many or held
 * enough. */
static bool hold_few(nsds_proximal_newton *t) {
  const int *missed = t->missed;
  int nunit = t->law.sweeps.nunit, worst = 0, count = 0;
  bool held = false;
  for (int a = 0; a < nunit; ++a)
    if (missed[a] > worst) worst = missed[a];
  for (int a = 0; a < nunit; ++a) count += missed[a] >= often * worst;
  if (count > few * nunit) return false;
  for (int a = 0; a < nunit; ++a) {
    double *now = &t->held[a];
    if (missed[a] < often * worst || *now >= most_hold) continue;
    *now *= hold;
    held = true;
  }
  return held;
}

/* Lowers held weights by a factor, at least to e / R; 0: to e / R. */
static void release_all(nsds_proximal_newton *t, double factor) {
  double *held = t->held;
  for (int a = 0; a < t->law.sweeps.nunit; ++a) held[a] = fmax(held[a] * factor, 1.0);
}

/* Goes on from the best point of the central path, if there is one. This point has the self-stress
 * that a z of a smaller residual lacks. A z with a residual as small as paths reach stays. The
 * watch keeps the better of both. */
static nsds_status follow_central_path(nsds_proximal_newton *t, bool *over) {
  nsds_equations *law = &t->law;
  nsds_watch *watch = &law->watch;
  size_t bytes = (size_t)law->n * sizeof *law->z;
  double given = watch->best;
  memcpy(law->p, watch->z, bytes);
  watch->best = INFINITY;
  nsds_status status = nsds_central_path_follow(&t->room, law, over);
  bool better = watch->best < given, goes_on = better || (given > near && !isinf(watch->best));
  memcpy(law->z, goes_on ? watch->z : law->p, bytes);
  if (better) return status;
  watch->best = given;
  memcpy(watch->z, law->p, bytes);
  return status;
}

/* Follows solutions for this c from a larger e on. The path ends at the next c and e. */
static nsds_status follow_solutions(nsds_proximal_newton *t, bool *over) {
  nsds_equations *law = &t->law;
  double e = law->e = fmin(law->e * refused, most_weight);
  release_all(t, 0.0);
  memcpy(law->z, law->centre, (size_t)law->n * sizeof *law->z);
  nsds_status status = nsds_solution_path_follow(&t->room, law, way, law->z, over);
  law->e = e;
  return status;
}

/* Begins at z after some sweeps, with the first e. */
static void proximal_newton_begin(nsds_proximal_newton *t, int count) {
  t->law.e = t->law.watch.solver->value[nsds_newton_weight];
  release_all(t, 0.0);
  nsds_equations_sweep(&t->law, count);
}

/* Chooses the next c and e. */
static void proximal_newton_go_on(nsds_proximal_newton *t, bool solved, int steps) {
  nsds_equations *law = &t->law;
  memcpy(law->z, solved ? law->p : law->centre, (size_t)law->n * sizeof *law->z);
  if (solved) release_all(t, release_by);
  else if (!hold_few(t)) law->e *= refused;
  if (solved && steps <= few_steps) law->e = fmax(law->e * lighter, least_weight);
  else if (solved && steps > many_steps) law->e *= heavier;
  if (law->e > most_weight) proximal_newton_begin(t, sweeps);
}

/* Begins at the best point and at z = 0 in turn, after more sweeps each time. */
static void begin_anew(nsds_proximal_newton *t, int beginning) {
  nsds_equations *law = &t->law;
  size_t bytes = (size_t)law->n * sizeof *law->z;
  bool from_best = beginning % 2 == 1;
  if (from_best) memcpy(law->z, law->watch.z, bytes);
  else memset(law->z, 0, bytes);
  proximal_newton_begin(t, sweeps * (beginning / 2 + !from_best));
}

/* ---- operations of the method ---- */

static nsds_status proximal_newton_iterate(nsds_proximal_newton *t) {
  const nsds_watch *watch = &t->law.watch;
  double reached = watch->best;
  int steps, since = watch->info->iterations, beginnings = 0;
  nsds_status status;
  proximal_newton_begin(t, sweeps);
  for (int count = 1;; ++count) {
    nsds_progress progress = solve_problem(t, &steps, &status);
    bool over = progress == NSDS_OVER;
    if (over) return status;
    if (watch->best < gets_on * reached) {
      reached = watch->best;
      since = watch->info->iterations;
    }
    if (watch->info->iterations > since + stalled) {
      begin_anew(t, ++beginnings);
      since = watch->info->iterations;
      count = 0;
    } else if (progress == NSDS_GIVEN_UP && count >= problems && t->frictional) {
      status = follow_solutions(t, &over);
      if (status || over) return status;
      count = 0;
    } else proximal_newton_go_on(t, progress == NSDS_GOES_ON, steps);
  }
}

nsds_status nsds_proximal_newton_solve(nsds_proximal_newton *t, nsds_solver *solver, double *z,
                                       nsds_solver_info *info) {
  nsds_status status = NSDS_OK;
  bool over = false;
  if (!nsds_equations_start(&t->law, solver, z, most_steps, info)) return NSDS_OK;
  nsds_equations_scale(&t->law, NSDS_MAP_ALART_CURNIER, 1.0);
  if (t->follows) status = follow_central_path(t, &over);
  return status || over ? status : proximal_newton_iterate(t);
}

nsds_status nsds_proximal_newton_reserve(nsds_proximal_newton *t, nsds_solver *solver,
                                         const nsds_problem *problem) {
  const nsds_sweeps *s = &t->law.sweeps;
  nsds_status status = nsds_equations_reserve(&t->law, solver, problem, true);
  if (status) return status;
  t->frictional = nsds_paths_serve(s);
  t->follows = t->law.by_velocities && t->frictional && solver->value[nsds_newton_path] > 0.0;
  size_t units = (size_t)s->nunit, contacts = t->frictional ? units : 0;
  size_t rows = t->frictional ? nsds_path_arrays * (size_t)problem->n : 0;
  const nsds_cut cut[] = {NSDS_CUT(t->held, units), NSDS_CUT(t->missed, units),
                          NSDS_CUT(t->room.state, contacts), NSDS_CUT(t->room.pair, 2 * contacts),
                          NSDS_CUT(t->room.memory, rows)};
  return NSDS_HOLD(&solver->store, cut);
}
