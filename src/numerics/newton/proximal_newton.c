/*
 * Proximal point iteration (Rockafellar 1976) with Newton's method on the equations of the laws,
 *
 *     phi(z, M z + q + e R^-1 (z - c)) = 0,   c <- z,
 *
 * for hyperstatic friction problems, whose reactions lie far from any start: along self-stresses,
 * which M does not see, only small e gets on, and there Newton's method fails now and then. A
 * problem is solved to a tenth of its residual, block by block relative to the terms of the block
 * (a norm over all would see the heaviest bodies alone), or it is given up: back to c, the last
 * problem solved. Mostly it is a few contacts that go round between their states: these are held by
 * a larger e of their own, so that all others go on with a small one; where they are many, e rises.
 * So nothing that was gained is lost, and e finds the size with which some steps do. Where no e
 * serves, sweeps of block Gauss-Seidel sort the contacts out. Whether it gets through depends on
 * where it begins: where it has not got on for long, it begins anew, elsewhere.
 *
 * Where M is given in factors with few velocities, steps are found in these (velocity_system.h),
 * and where all blocks are contacts with friction, it begins at the end of a path that leads far
 * out along self-stresses (central_path.h). Where Newton's method still does not get e down after
 * some problems, solutions are followed as e falls (solution_path.h), a short way.
 */
#include "blockwise.h"
#include "central_path.h"
#include "equations.h"
#include "newton_system.h"
#include "sets.h"
#include "solution_path.h"
#include "velocity_system.h"
#include "watch.h"

enum { OPTION_WEIGHT = OPTION_FIRST_OWN, OPTION_PATH };

enum {
  most = NSDS_COUPLED_ROWS,
  arrays = 10,
  default_iterations = 10000,
  patience = 16, /* steps for one problem */
  sweeps = 20,
  problems = 50,  /* from one path of solutions to the next */
  way = 600,      /* factorisations along one */
  stalled = 1500, /* steps in which it has not got on */
};

static const double enough = 0.1; /* residual of a problem over the one it began with */
static const double rounding = 1e-15;
static const double near = 1e-6; /* residual that central paths lead to */
static const double same = 1e-6; /* part of a residual that tells it from another one */
static const double least_weight = 1e-10;
static const double most_weight = 1.0;
static const double lighter = 0.5; /* e after a problem of few steps, */
static const double heavier = 1.5; /* of many, */
static const double refused = 4.0; /* and one given up */
enum { few_steps = 3, many_steps = 6 };
static const double few = 0.02;       /* units, of all, that may be held alone, */
static const double often = 0.5;      /* unsolved after that part of the steps of the worst */
static const double hold = 16.0;      /* by which their weights rise, */
static const double most_hold = 1e8;  /* at most so far, */
static const double release_by = 0.5; /* and fall after a problem that was solved */
static const double gets_on = 0.9;    /* of the best residual */

typedef struct proximal_newton_state {
  nsds_equations equations;
  nsds_newton_system system;
  nsds_velocity_system velocities;
  nsds_central_path path;
  nsds_solution_path solutions;
  double *held; /* nunit each */
  int *missed;
  bool by_velocities;
  bool frictional; /* all blocks are contacts that paths are made for */
  bool follows;    /* the central path */
} proximal_newton_state;

typedef struct proximal_newton {
  proximal_newton_state *state;
  nsds_equations *law;
  nsds_solver *solver;
  const nsds_problem *problem;
  nsds_solver_info *info;
  int n;
  double *z, *Mz, *d; /* n each: iterate, M z + q, step */
  double *p;          /* n: z put into the sets */
  double *y;          /* of the sweeps */
  double *held;       /* of each unit, factors of e */
  int *missed;        /* after how many steps its residual was above the target, */
  double target;      /* squared */
} proximal_newton;

static void multiply(proximal_newton *t) {
  nsds_problem_multiply(t->problem, t->z, t->Mz, t->solver->toolbox->certify_work);
}

/* ---- one proximal problem ---- */

/* |p - P(p - R (w + shift))| of a unit over the size of its terms, squared; w regularised. */
static double relative_square(const proximal_newton *t, const nsds_unit *unit, const double *w0,
                              const double *terms) {
  const nsds_equations *law = t->law;
  int m = unit->block.size, row = unit->row;
  double w[most] = {0.0}, x[most], sum = 0.0, size = 0.0;
  for (int i = 0; i < m; ++i)
    w[i] = w0[row + i] + law->weight[row + i] * (t->p[row + i] - law->centre[row + i]);
  nsds_set_shift(&unit->block, w, w);
  for (int i = 0; i < m; ++i) x[i] = t->p[row + i] - law->root[row + i] * law->root[row + i] * w[i];
  nsds_set_project(&unit->block, x, x);
  for (int i = 0; i < m; ++i) {
    double e = (t->p[row + i] - x[i]) / law->root[row + i];
    double s = terms[row + i] * law->root[row + i];
    sum += e * e;
    size += s * s;
  }
  return sum > 0.0 ? sum / size : 0.0;
}

/* The largest over all units, at z put into the sets. */
static double residual(proximal_newton *t) {
  const nsds_sweeps *s = &t->law->sweeps;
  const double *work = t->solver->toolbox->certify_work;
  double largest = 0.0;
  nsds_project(t->problem, t->z, t->p);
  nsds_solver_residual(t->solver, t->problem, t->p, NULL);
  for (int a = 0; a < s->nunit; ++a) {
    double square = relative_square(t, &s->unit[a], work, work + t->n);
    if (!(square <= t->target)) ++t->missed[a];
    if (!(square <= largest)) largest = square;
  }
  return sqrt(largest);
}

static nsds_status direction(proximal_newton *t) {
  proximal_newton_state *s = t->state;
  const nsds_equations *law = t->law;
  const nsds_linearised at = {law->A, law->B, law->first, law->phi, law->root, law->weight};
  nsds_status status = s->by_velocities ? nsds_velocity_system_factor(&s->velocities, &at)
                                        : nsds_newton_system_factor(&s->system, &at);
  ++t->info->factorizations;
  if (status) return status;
  if (s->by_velocities) nsds_velocity_system_solve(&s->velocities, &at, t->d);
  else nsds_newton_system_solve(&s->system, &at, t->d);
  return NSDS_OK;
}

typedef enum proximal_result { PROXIMAL_SOLVED, PROXIMAL_REFUSED, PROXIMAL_OVER } proximal_result;

/* True where the solve is over; a point that has run away is only the end of its problem. */
static bool look(proximal_newton *t, nsds_watch *watch) {
  int k = t->info->iterations + 1;
  watch->next = k;
  if (!nsds_watch_step(watch, k, t->p)) return false;
  return t->info->outcome != NSDS_NOT_CONVERGED || k >= watch->limit;
}

/* True where the last residual has been there before: Newton's method is in a cycle of pieces. */
static bool comes_back(const double *residuals, int count) {
  double last = residuals[count - 1];
  for (int k = 0; k < count - 1; ++k)
    if (fabs(residuals[k] - last) <= same * last) return true;
  return false;
}

/* The weights of the next problem. */
static void weigh(proximal_newton *t) {
  const nsds_sweeps *s = &t->law->sweeps;
  nsds_equations_weigh(t->law, t->law->e);
  for (int a = 0; a < s->nunit; ++a)
    for (int i = s->unit[a].row; i < s->unit[a].row + s->unit[a].block.size; ++i)
      t->law->weight[i] *= t->held[a];
}

/* Newton's steps from c; how many in *steps. */
static proximal_result solve_proximal(proximal_newton *t, nsds_watch *watch, int *steps,
                                      nsds_status *status) {
  memcpy(t->law->centre, t->z, (size_t)t->n * sizeof *t->z);
  weigh(t);
  t->target = INFINITY;
  double first = residual(t), now[patience];
  t->target = enough * enough * first * first;
  memset(t->missed, 0, (size_t)t->law->sweeps.nunit * sizeof *t->missed);
  multiply(t);
  for (*steps = 1; *steps <= patience; ++*steps) {
    nsds_equations_at(t->law, t->z, t->Mz, true);
    *status = direction(t);
    if (*status && *status != NSDS_ERROR_SINGULAR) return PROXIMAL_OVER;
    if (*status) { /* a step all the same, so that limits are met */
      *status = NSDS_OK;
      return look(t, watch) ? PROXIMAL_OVER : PROXIMAL_REFUSED;
    }
    for (int i = 0; i < t->n; ++i) t->z[i] += t->d[i];
    double last = now[*steps - 1] = residual(t);
    if (look(t, watch)) return PROXIMAL_OVER;
    if (last <= fmax(enough * first, rounding)) return PROXIMAL_SOLVED;
    if (!isfinite(last) || comes_back(now, *steps)) break;
    multiply(t);
  }
  return PROXIMAL_REFUSED;
}

/* ---- between two problems ---- */

/* Holds those by which the last problem failed; false where they are too many or held enough. */
static bool hold_few(proximal_newton *t) {
  int nunit = t->law->sweeps.nunit, worst = 0, count = 0;
  bool held = false;
  for (int a = 0; a < nunit; ++a)
    if (t->missed[a] > worst) worst = t->missed[a];
  for (int a = 0; a < nunit; ++a) count += t->missed[a] >= often * worst;
  if (count > few * nunit) return false;
  for (int a = 0; a < nunit; ++a) {
    if (t->missed[a] < often * worst || t->held[a] >= most_hold) continue;
    t->held[a] *= hold;
    held = true;
  }
  return held;
}

/* Weights that are held fall by a factor; 0: to e / R. */
static void release_all(proximal_newton *t, double factor) {
  for (int a = 0; a < t->law->sweeps.nunit; ++a) t->held[a] = fmax(t->held[a] * factor, 1.0);
}

/* From the best point of the central path on, if there is one: it has the self-stress that a z of a
 * smaller residual lacks, unless that is one as paths lead to. The better of both stays in z. */
static nsds_status follow_central_path(proximal_newton *t, nsds_watch *watch, double *z,
                                       bool *over) {
  proximal_newton_state *s = t->state;
  size_t bytes = (size_t)t->n * sizeof *z;
  double given = watch->best;
  memcpy(t->p, z, bytes);
  watch->best = INFINITY;
  nsds_status status = nsds_central_path_follow(&s->path, t->law, &s->velocities, watch, over);
  bool better = watch->best < given, goes_on = better || (given > near && !isinf(watch->best));
  memcpy(t->z, goes_on ? z : t->p, bytes);
  if (better) return status;
  watch->best = given;
  memcpy(z, t->p, bytes);
  return status;
}

/* Solutions for this c from an e on that serves; the next c and e are where that ends. */
static nsds_status follow_solutions(proximal_newton *t, nsds_watch *watch, bool *over) {
  proximal_newton_state *s = t->state;
  release_all(t, 0.0);
  double e = fmin(t->law->e * refused, most_weight);
  t->law->e = e;
  memcpy(t->z, t->law->centre, (size_t)t->n * sizeof *t->z);
  nsds_velocity_system *velocities = s->by_velocities ? &s->velocities : NULL;
  nsds_status status = nsds_solution_path_follow(&s->solutions, t->law, velocities, &s->system,
                                                 watch, way, t->z, over);
  t->law->e = e;
  return status;
}

/* From z after some sweeps, with the first e. */
static void begin(proximal_newton *t, int count) {
  t->law->e = t->solver->value[OPTION_WEIGHT];
  release_all(t, 0.0);
  nsds_equations_sweep(t->law, count, t->z, t->y);
}

/* The next c and e. */
static void go_on(proximal_newton *t, bool solved, int steps) {
  nsds_equations *law = t->law;
  memcpy(t->z, solved ? t->p : law->centre, (size_t)t->n * sizeof *t->z);
  if (solved) release_all(t, release_by);
  else if (!hold_few(t)) law->e *= refused;
  if (solved && steps <= few_steps) law->e = fmax(law->e * lighter, least_weight);
  else if (solved && steps > many_steps) law->e *= heavier;
  if (law->e > most_weight) begin(t, sweeps);
}

/* From the best point and from z = 0 in turn, after more sweeps each time. */
static void begin_anew(proximal_newton *t, int beginning, const double *best) {
  bool from_best = beginning % 2 == 1;
  if (from_best) memcpy(t->z, best, (size_t)t->n * sizeof *t->z);
  else memset(t->z, 0, (size_t)t->n * sizeof *t->z);
  begin(t, sweeps * (beginning / 2 + !from_best));
}

/* ---- operations of the method ---- */

static proximal_newton open(nsds_solver *solver, const nsds_problem *problem,
                            nsds_solver_info *info) {
  proximal_newton_state *state = solver->state;
  nsds_equations *law = &state->equations;
  proximal_newton t = {.state = state,
                       .law = law,
                       .solver = solver,
                       .problem = problem,
                       .info = info,
                       .n = problem->n,
                       .held = state->held,
                       .missed = state->missed};
  double **const part[arrays] = {&t.z,    &t.Mz,     &t.d,      &t.p,       &law->centre,
                                 &law->w, &law->phi, &law->rho, &law->root, &law->weight};
  t.y = NSDS_SHARE(solver->toolbox->scratch, t.n, part);
  law->map = NSDS_MAP_ALART_CURNIER;
  return t;
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 1, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  proximal_newton t = open(solver, problem, info);
  nsds_status status = NSDS_OK;
  int steps, beginnings = 0;
  bool over = false;
  nsds_equations_scale(t.law, 1.0);
  memcpy(t.z, z, (size_t)t.n * sizeof *z);
  if (t.state->follows) status = follow_central_path(&t, &watch, z, &over);
  if (status || over) return status;
  begin(&t, sweeps);
  double reached = watch.best;
  int since = info->iterations;
  for (int count = 1;; ++count) {
    proximal_result result = solve_proximal(&t, &watch, &steps, &status);
    if (result == PROXIMAL_OVER) return status;
    if (watch.best < gets_on * reached) {
      reached = watch.best;
      since = info->iterations;
    }
    if (info->iterations > since + stalled) {
      begin_anew(&t, ++beginnings, z);
      since = info->iterations;
      count = 0;
    } else if (result == PROXIMAL_REFUSED && count >= problems && t.state->frictional) {
      status = follow_solutions(&t, &watch, &over);
      if (status || over) return status;
      count = 0;
    } else go_on(&t, result == PROXIMAL_SOLVED, steps);
  }
}

/* Steps in velocities where these are few; M in blocks is not formed then. */
static nsds_status reserve_system(nsds_solver *solver, const nsds_problem *problem) {
  proximal_newton_state *s = solver->state;
  const nsds_equations *law = &s->equations;
  s->by_velocities = law->sweeps.factored && 2 * nsds_velocity_count(&law->sweeps) <= problem->n;
  s->frictional = nsds_central_path_serves(&law->sweeps);
  s->follows = s->by_velocities && s->frictional && solver->value[OPTION_PATH] > 0.0;
  if (s->frictional) {
    nsds_status status = nsds_solution_path_reserve(&s->solutions, solver, &law->sweeps);
    if (status) return status;
  }
  if (s->follows) {
    nsds_status status = nsds_central_path_reserve(&s->path, &solver->store, &law->sweeps);
    if (status) return status;
  }
  if (s->by_velocities)
    return nsds_velocity_system_reserve(&s->velocities, &solver->store, &law->sweeps, law->count);
  return nsds_newton_system_reserve(&s->system, solver, problem, law->sweeps.nunit,
                                    law->sweeps.cut);
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  proximal_newton_state *s = solver->state;
  nsds_status status = nsds_equations_reserve(&s->equations, solver, problem);
  if (!status) status = reserve_system(solver, problem);
  const nsds_cut cut[] = {NSDS_CUT(s->held, s->equations.sweeps.nunit),
                          NSDS_CUT(s->missed, s->equations.sweeps.nunit)};
  if (!status) status = NSDS_HOLD(&solver->store, cut);
  if (status) return status;
  return nsds_watch_reserve(solver, problem,
                            arrays * (size_t)problem->n + (size_t)s->equations.sweeps.ny);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of Newton steps; 0: 10000"),
    {"weight", "1", "first e, also after sweeps", 0.1, 1e-10, 1.0},
    {"path", "integer", "1: begins with the central path where it serves; 0: with sweeps", 1.0, 0.0,
     1.0},
    {0}};

const nsds_method nsds_method_proximal_newton = {
    .row = {.name = "proximal_newton",
            .summary = "Proximal point iteration by Newton's method that goes back where a problem "
                       "is not solved, in velocities where these are few; hyperstatic friction.",
            .reference = "Rockafellar: SIAM J. Control Optim. 14 (1976); Alart, Curnier: Comput. "
                         "Methods Appl. Mech. Engrg. 92 (1991)",
            .sets = nsds_all_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(proximal_newton_state),
    .reserve = reserve,
    .solve = solve,
};
