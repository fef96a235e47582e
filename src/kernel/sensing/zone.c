/*
 * Half lines p + t d, t >= 0, and zones. A zone is convex: the line is in it for an interval of t. For a
 * capsule this is the hull of the intervals of its cylinder and of both balls. Other zones are common parts
 * of slabs and of round bodies |p + t d| <= 1.
 */
#include "kernel/sensing/zone.h"

#include "base/context.h"

#include <math.h>

/* The part of a line that is in a solid; from > to: none. */
typedef struct part {
  double from, to;
} part;

static const part whole = {-INFINITY, INFINITY}, none = {INFINITY, -INFINITY};

/* A foot and the zone under it have the same edges, where rounding puts contacts on either side: zones are
 * larger by this part. */
static const double edge = 1.0 + 1e-6;

static part common(part a, part b) { return (part){fmax(a.from, b.from), fmin(a.to, b.to)}; }

/* -half <= p + t d <= half */
static part in_slab(double p, double d, double half) {
  half *= edge;
  if (d == 0.0) return fabs(p) <= half ? whole : none;
  double a = (-half - p) / d, b = (half - p) / d;
  return (part){fmin(a, b), fmax(a, b)};
}

/* The coordinates of number `first` and above, each divided by its half axis, have a length up to 1. */
static part in_round(const double *p, const double *d, const double *half, int first) {
  double dd = 0.0, pd = 0.0, pp = 0.0;
  for (int i = first; i < 3; ++i) {
    dd += d[i] / half[i] * (d[i] / half[i]);
    pd += p[i] / half[i] * (d[i] / half[i]);
    pp += p[i] / half[i] * (p[i] / half[i]);
  }
  if (!(dd > 0.0)) return pp <= edge * edge ? whole : none;
  double nearest = -pd / dd, room = edge * edge - pp + pd * pd / dd;
  if (!(room >= 0.0)) return none;
  double chord = sqrt(room / dd);
  return (part){nearest - chord, nearest + chord};
}

static part in_capsule(const nsds_sensor_def *z, const double *p, const double *d,
                       const double *round) {
  part found = common(in_slab(p[0], d[0], z->half[0]), in_round(p, d, round, 1));
  for (int end = -1; end <= 1; end += 2) {
    const double moved[3] = {p[0] - end * z->half[0], p[1], p[2]};
    part ball = in_round(moved, d, round, 0);
    if (found.from > found.to) found = ball;
    else if (ball.from <= ball.to)
      found = (part){fmin(found.from, ball.from), fmax(found.to, ball.to)};
  }
  return found;
}

static part in_zone(const nsds_sensor_def *z, const double *p, const double *d) {
  const double round[3] = {z->radius, z->radius, z->radius};
  part found = whole;
  switch (z->zone) {
  case NSDS_ZONE_ALL: return whole;
  case NSDS_ZONE_SPHERE: return in_round(p, d, round, 0);
  case NSDS_ZONE_ELLIPSOID: return in_round(p, d, z->half, 0);
  case NSDS_ZONE_CYLINDER: return common(in_slab(p[0], d[0], z->half[0]), in_round(p, d, round, 1));
  case NSDS_ZONE_CAPSULE: return in_capsule(z, p, d, round);
  case NSDS_ZONE_BOX:
    for (int i = 0; i < 3; ++i) found = common(found, in_slab(p[i], d[i], z->half[i]));
  }
  return found;
}

bool nsds_zone_meets(const nsds_sensor_def *def, const double *from, const double *way) {
  part found = in_zone(def, from, way);
  return found.from <= found.to && found.to >= 0.0;
}

bool nsds_zone_check(nsds_context *context, const char *call, const nsds_sensor_def *def) {
  bool box = def->zone == NSDS_ZONE_BOX || def->zone == NSDS_ZONE_ELLIPSOID;
  bool round = def->zone != NSDS_ZONE_ALL && !box;
  int lengths = box ? 3 : round && def->zone != NSDS_ZONE_SPHERE ? 1 : 0;
  if (round && !(def->radius > 0.0)) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: radius is %g; valid are finite values > 0 for this zone", call, def->radius);
    return false;
  }
  for (int i = 0; i < lengths; ++i) {
    if (def->half[i] > 0.0) continue;
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: half[%d] is %g; valid are finite values > 0 for this zone", call, i,
              def->half[i]);
    return false;
  }
  return true;
}
