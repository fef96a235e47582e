/*
 * Finds the direction in which two cores overlap least, by libccd: expanding polytopes. The caller
 * measures the overlap along this direction.
 */
#include "kernel/contact/overlap_libccd.h"

#include "kernel/modeling/body.h"

#include <nsds/config.h>

#if NSDS_HAVE_CCD
#include <ccd/ccd.h>

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *farthest) {
  const nsds_core *core = object;
  const double *d = direction->v, *best = core->wv;
  double most = nsds_dot(d, best);
  for (int k = 1; k < core->nv; ++k) {
    double x = nsds_dot(d, core->wv + 3 * k);
    if (!(x > most)) continue;
    most = x;
    best = core->wv + 3 * k;
  }
  ccdVec3Set(farthest, best[0], best[1], best[2]);
}
#endif

bool nsds_ccd_axis(const nsds_core *a, const nsds_core *b, double *n) {
#if NSDS_HAVE_CCD
  ccd_t ccd;
  ccd_real_t depth;
  ccd_vec3_t direction, place;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = support;
  ccd.max_iterations = 1000;
  ccd.epa_tolerance = 1e-10 * fmin(a->around, b->around);
  if (ccdGJKPenetration(a, b, &ccd, &depth, &direction, &place)) return false;
  double length = nsds_length(direction.v);
  for (int k = 0; k < 3; ++k) n[k] = -direction.v[k] / length; /* libccd gives the way of b */
  return length > 0.0 && isfinite(length);
#else
  (void)a, (void)b, (void)n;
  return false;
#endif
}
