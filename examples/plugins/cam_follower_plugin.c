/*
 * Plugin of the cam follower in the moving frame q = u - c(t): the inertial force
 *   F_ext(t, z) = -(mu c'' + zeta c' + kappa c),   z = (mu, zeta, kappa, rpm).
 */
#include "cam_profile.h"

#include <nsds/plugin.h>

static int inertial_force(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  if (in->nz != 4) return -1;
  cam_state cam = cam_profile(in->t, in->z[3]);
  out[0] = -(in->z[0] * cam.ddc + in->z[1] * cam.dc + in->z[2] * cam.c);
  return 0;
}

NSDS_PLUGIN({"inertial_force", NSDS_KIND_FEXT, inertial_force})
