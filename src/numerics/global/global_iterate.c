/* The best iterate of a global problem so far: velocities of given reactions, certified and kept.
 */
#include "numerics/global/global_iterate.h"

#include "numerics/global/saddle.h"

void nsds_global_path(nsds_global_run *run, const char *method, const char *inner) {
  nsds_solver_info *info = run->info;
  bool failed = run->watch.best > run->watch.tolerance;
  size_t used = strlen(info->path);
  snprintf(info->path + used, sizeof info->path - used, "%s%s%s%s%s%s", used ? " > " : "", method,
           inner ? "/" : "", inner ? inner : "", failed ? ": " : "",
           failed ? nsds_outcome_text(info->outcome) : "");
}

double nsds_global_velocities(nsds_global_run *run, const double *r) {
  const nsds_global_problem *problem = run->problem;
  const nsds_csc *H = &problem->H;
  double *x = run->state->x;
  memcpy(x, problem->f, (size_t)problem->nv * sizeof *x);
  for (int j = 0; j < problem->n; ++j)
    for (int k = H->p[j]; k < H->p[j + 1]; ++k) x[H->i[k]] += H->x[k] * r[j];
  for (int j = 0; j < problem->p; ++j) x[problem->nv + j] = problem->b[j];
  return nsds_eliminate(&run->state->reduction.elimination, x);
}

void nsds_global_copy(double *to, const double *from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

double nsds_global_keep(nsds_global_run *run, const double *r) {
  nsds_global_state *s = run->state;
  int nv = run->problem->nv;
  nsds_global_certificate certificate;
  nsds_global_certify(run->problem, s->x, r, s->x + nv, s->work, &certificate);
  if (certificate.residual < run->watch.best) {
    run->watch.best = certificate.residual;
    run->info->worst_block = certificate.worst_block;
    nsds_global_copy(run->v, s->x, nv);
    nsds_global_copy(run->r, r, run->problem->n);
    nsds_global_copy(run->lambda, s->x + nv, run->problem->p);
  }
  return certificate.residual;
}

double nsds_global_offer(void *run, const double *r) {
  nsds_global_velocities(run, r);
  return nsds_global_keep(run, r);
}
