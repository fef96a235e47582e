/*
 * The distance to a limit. Of d_k, the difference of the motions with steps h_{k-1} and h_k = h_{k-1} / 4, let
 *
 *     D_k = max(d_k, d_{k-1} / 4, d_{k-2} / 16)
 *
 * be what order one makes of the last three: it matters where within a step an event falls, so that one
 * difference alone may be small by chance. With r = D_k / D_{k-1}, at least 1/4, three times
 *
 *     D_k (r + r^2 + ...) = D_k r / (1 - r)
 *
 * bounds the distance, where r is at most 0.6.
 */
#include "mechanisms.h"

#include <math.h>

void limit_add(limit *l, double difference, double least) {
  double before = fmax(l->spread[0], fmax(l->spread[1] / 4.0, l->spread[2] / 16.0));
  l->spread[2] = l->spread[1];
  l->spread[1] = l->spread[0];
  l->spread[0] = difference;
  double now = fmax(l->spread[0], fmax(l->spread[1] / 4.0, l->spread[2] / 16.0));
  double r = fmax(now / before, 0.25);
  l->bound = HUGE_VAL;
  if (++l->levels < 2) return;
  if (now <= least) l->bound = least;
  else if (r <= 0.6) l->bound = least + 3.0 * now * r / (1.0 - r);
}
