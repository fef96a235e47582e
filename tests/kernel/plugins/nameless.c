/* The second entry has no name. */
#include <nsds/plugin.h>

static int push(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

NSDS_PLUGIN({"push", NSDS_KIND_FEXT, push}, {NULL, NSDS_KIND_FEXT, push})
