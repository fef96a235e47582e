/* One function of every kind, named after it; each writes t plus the number of its kind. */
#include <nsds/plugin.h>

#define NSDS_X(kind, text)                                                                         \
  static int of_##kind(const nsds_arguments *in, double *out, void *user) {                        \
    (void)user;                                                                                    \
    out[0] = in->t + kind;                                                                         \
    return 0;                                                                                      \
  }
NSDS_KIND_LIST(NSDS_X)
#undef NSDS_X

#define NSDS_X(kind, text) {text, kind, of_##kind},
NSDS_PLUGIN(NSDS_KIND_LIST(NSDS_X){"t", NSDS_KIND_FEXT, of_NSDS_KIND_FEXT})
#undef NSDS_X
