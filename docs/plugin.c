#include <nsds/plugin.h>

#include <math.h>

/* F_ext(t, z) = z[0] sin(z[1] t): amplitude [N] and angular frequency [rad/s] are parameters. */
static int shake(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  if (in->nz != 2) return -1; /* not made for this system: give up the step */
  out[0] = in->z[0] * sin(in->z[1] * in->t);
  return 0;
}

NSDS_PLUGIN({"shake", NSDS_KIND_FEXT, shake})
