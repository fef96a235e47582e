/* The laws of all blocks as equations, see equations.h. */
#include "numerics/newton/equations.h"

#include "numerics/newton/newton_system.h"
#include "numerics/newton/velocity_system.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/set_map.h"
#include "numerics/store.h"
#include "numerics/sweeps/local_solver.h"
#include "numerics/sweeps/sweeps.h"
#include "numerics/sweeps/nsgs_open.h"
#include "numerics/sweeps/nsgs_operator.h"
#include "numerics/watch.h"

static nsds_status reserve_system(nsds_equations *s, nsds_solver *solver, size_t count) {
  const nsds_sweeps *sweeps = &s->sweeps;
  if (s->by_velocities)
    return nsds_velocity_system_reserve(&s->velocities, &solver->store, sweeps, count);
  return nsds_newton_system_reserve(&s->rows, solver, sweeps);
}

nsds_status nsds_equations_reserve(nsds_equations *s, nsds_solver *solver,
                                   const nsds_problem *problem, bool may_use_velocities) {
  const nsds_sweeps *sweeps = &s->sweeps;
  nsds_linearised *at = &s->at;
  size_t count = 0, n = (size_t)problem->n;
  nsds_status status = nsds_sweeps_open(&s->sweeps, solver, problem, NSDS_SWEEP_UNITS, 0.0);
  if (!status) status = NSDS_HOLD_ONE(&solver->store, at->first, sweeps->nunit);
  if (status) return status;
  for (int a = 0; a < sweeps->nunit; ++a) {
    size_t m = (size_t)sweeps->unit[a].block.size;
    at->first[a] = (int)count;
    count += m * m;
  }
  const nsds_cut cut[] = {NSDS_CUT(at->A, count),    NSDS_CUT(s->z, n),     NSDS_CUT(s->Mz, n),
                          NSDS_CUT(s->d, n),         NSDS_CUT(s->p, n),     NSDS_CUT(at->B, count),
                          NSDS_CUT(at->phi, n),      NSDS_CUT(at->root, n), NSDS_CUT(at->weight, n),
                          NSDS_CUT(s->centre, n),    NSDS_CUT(s->rho, n),   NSDS_CUT(s->w, n),
                          NSDS_CUT(s->y, sweeps->ny)};
  s->problem = problem;
  s->n = problem->n;
  s->by_velocities =
      may_use_velocities && sweeps->factored && 2 * nsds_velocity_count(sweeps) <= problem->n;
  status = NSDS_HOLD(&solver->store, cut);
  if (!status) status = reserve_system(s, solver, count);
  return status ? status : nsds_watch_reserve(solver, problem, 0);
}

bool nsds_equations_start(nsds_equations *s, nsds_solver *solver, double *z, int iterations,
                          nsds_solver_info *info) {
  s->watch = nsds_watch_start(solver, s->problem, z, iterations, 1, info);
  if (nsds_watch_done(&s->watch)) return false;
  memcpy(s->z, z, (size_t)s->n * sizeof *z);
  return true;
}

void nsds_equations_scale(nsds_equations *s, nsds_map map, double factor) {
  int n = s->n;
  s->map = map;
  nsds_metric(s->problem, s->rho, s->w);
  for (int i = 0; i < n; ++i) s->at.root[i] = sqrt(s->rho[i]);
  for (int a = 0; map == NSDS_MAP_ALART_CURNIER && a < s->sweeps.nunit; ++a) {
    const nsds_unit *unit = &s->sweeps.unit[a];
    if (unit->block.set & nsds_shifted_sets)
      nsds_set_map_scale(&unit->block, unit->local.M, s->rho + unit->row);
  }
  for (int i = 0; i < n; ++i) s->rho[i] *= factor;
}

void nsds_equations_weigh(nsds_equations *s, double e) {
  const double *root = s->at.root;
  s->e = e;
  for (int i = 0; i < s->n; ++i) s->at.weight[i] = e / (root[i] * root[i]);
}

void nsds_equations_multiply(const nsds_equations *s, const double *z, double *Mz) {
  nsds_problem_multiply(s->problem, z, Mz, s->watch.solver->toolbox->certify_work);
}

double nsds_equations_at(nsds_equations *s, const double *z, const double *Mz, bool derivatives) {
  nsds_linearised *at = &s->at;
  double merit = 0.0;
  int n = s->n;
  for (int i = 0; i < n; ++i) s->w[i] = Mz[i] + at->weight[i] * (z[i] - s->centre[i]);
  for (int a = 0; a < s->sweeps.nunit; ++a) {
    const nsds_unit *unit = &s->sweeps.unit[a];
    int row = unit->row, k = at->first[a];
    nsds_set_map(s->map, &unit->block, s->rho + row, z + row, s->w + row, at->phi + row,
                 derivatives ? at->A + k : NULL, derivatives ? at->B + k : NULL);
  }
  for (int i = 0; i < n; ++i) {
    double phi = at->phi[i] / at->root[i];
    merit += phi * phi;
  }
  return merit;
}

nsds_status nsds_equations_factor(nsds_equations *s) {
  ++s->watch.info->factorizations;
  return s->by_velocities ? nsds_velocity_system_factor(&s->velocities, &s->at)
                          : nsds_newton_system_factor(&s->rows, &s->at);
}

void nsds_equations_solve(nsds_equations *s, double *d) {
  if (s->by_velocities) nsds_velocity_system_solve(&s->velocities, &s->at, d);
  else nsds_newton_system_solve(&s->rows, &s->at, d);
}

void nsds_equations_sweep(const nsds_equations *s, int count) {
  nsds_project(s->problem, s->z, s->z);
  nsds_sweeps_refresh(&s->sweeps, s->z, s->y);
  for (int k = 0; k < count; ++k)
    for (int a = 0; a < s->sweeps.nunit; ++a)
      nsds_unit_update(&s->sweeps, a, NSDS_LOCAL_EXACT, 1.0, s->z, s->y);
}

nsds_progress nsds_equations_offer(nsds_equations *s, const double *z, bool promising) {
  nsds_watch *watch = &s->watch;
  int k = watch->info->iterations + 1;
  watch->next = promising ? k : k + 1;
  if (!nsds_watch_step(watch, k, z)) return NSDS_GOES_ON;
  bool over = watch->info->outcome != NSDS_NOT_CONVERGED || k >= watch->limit;
  return over ? NSDS_OVER : NSDS_GIVEN_UP;
}
