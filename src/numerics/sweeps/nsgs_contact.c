/* One contact in space, solved by the chosen kind of local problem, over- or underrelaxed. */
#include "numerics/sweeps/nsgs_contact.h"

#include "base/base.h"
#include "numerics/sets/sets.h"
#include "numerics/sweeps/local_solver.h"
#include "numerics/sweeps/sweeps.h"

/* Solves without the closed form, or after it has failed. */
NSDS_NOINLINE void nsds_pack_solve(const double *M, double mu, nsds_local_kind kind,
                                   const double *q, double *x) {
  nsds_block block = {.set = NSDS_SET_COULOMB, .size = 3, .mu = mu};
  nsds_local local;
  nsds_local_prepare(&local, &block, M);
  nsds_local_solve(&local, kind, q, x);
}

NSDS_NOINLINE void nsds_pack_relax(double mu, double omega, const double *z, double *x) {
  nsds_block block = {.set = NSDS_SET_COULOMB, .size = 3, .mu = mu};
  for (int i = 0; i < 3; ++i) x[i] = z[i] + omega * (x[i] - z[i]);
  if (!nsds_in_cone(mu, x)) nsds_set_project(&block, x, x);
}
