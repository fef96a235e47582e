/* The laws of all blocks as equations, see equations.h. */
#include "equations.h"
#include "blockwise.h"

nsds_status nsds_equations_reserve(nsds_equations *s, nsds_solver *solver,
                                   const nsds_problem *problem) {
  nsds_status status = nsds_sweeps_open(&s->sweeps, solver, problem, NSDS_SWEEP_UNITS, 0.0);
  if (!status) status = NSDS_HOLD_ONE(&solver->store, s->first, s->sweeps.nunit);
  if (status) return status;
  s->problem = problem;
  s->count = 0;
  for (int a = 0; a < s->sweeps.nunit; ++a) {
    size_t m = (size_t)s->sweeps.unit[a].block.size;
    s->first[a] = (int)s->count;
    s->count += m * m;
  }
  const nsds_cut cut[] = {NSDS_CUT(s->A, s->count), NSDS_CUT(s->B, s->count)};
  return NSDS_HOLD(&solver->store, cut);
}

void nsds_equations_scale(nsds_equations *s, double factor) {
  int n = s->problem->n;
  nsds_metric(s->problem, s->rho, s->w);
  for (int i = 0; i < n; ++i) s->root[i] = sqrt(s->rho[i]);
  for (int a = 0; s->map == NSDS_MAP_ALART_CURNIER && a < s->sweeps.nunit; ++a) {
    const nsds_unit *unit = &s->sweeps.unit[a];
    if (unit->block.set & nsds_shifted_sets)
      nsds_set_map_scale(&unit->block, unit->local.M, s->rho + unit->row);
  }
  for (int i = 0; i < n; ++i) s->rho[i] *= factor;
}

void nsds_equations_weigh(nsds_equations *s, double e) {
  s->e = e;
  for (int i = 0; i < s->problem->n; ++i) s->weight[i] = e / (s->root[i] * s->root[i]);
}

double nsds_equations_at(nsds_equations *s, const double *z, const double *Mz, bool derivatives) {
  double merit = 0.0;
  int n = s->problem->n;
  for (int i = 0; i < n; ++i) s->w[i] = Mz[i] + s->weight[i] * (z[i] - s->centre[i]);
  for (int a = 0; a < s->sweeps.nunit; ++a) {
    const nsds_unit *unit = &s->sweeps.unit[a];
    int row = unit->row, k = s->first[a];
    nsds_set_map(s->map, &unit->block, s->rho + row, z + row, s->w + row, s->phi + row,
                 derivatives ? s->A + k : NULL, derivatives ? s->B + k : NULL);
  }
  for (int i = 0; i < n; ++i) {
    double phi = s->phi[i] / s->root[i];
    merit += phi * phi;
  }
  return merit;
}

void nsds_equations_sweep(const nsds_equations *s, int count, double *z, double *y) {
  nsds_project(s->problem, z, z);
  nsds_sweeps_refresh(&s->sweeps, z, y);
  for (int k = 0; k < count; ++k)
    for (int a = 0; a < s->sweeps.nunit; ++a)
      nsds_unit_update(&s->sweeps, a, NSDS_LOCAL_EXACT, 1.0, z, y);
}
