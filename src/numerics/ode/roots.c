/*
 * The roots of the watched functions along a step, see ode.h.
 *
 * A panel is the step or a part of it. Samples of g at the quarters of the panel give a quartic in
 * Bernstein form. If all coefficients are on the function's side, there is no root. If they change
 * sign once, there is one root. Otherwise the panel is cut where the quartic turns, and g is
 * evaluated there. Between two cuts the quartic is monotone, so that the signs at the ends tell
 * all.
 *
 * For a g that is not affine the quartic is a model. A panel is halved until g agrees with the
 * quartic in two more places. If g at a turn is closer to zero than to the quartic, the extremum of
 * g is searched for (locate.c).
 *
 * A sign counts beyond the band of g, its rounding. The band is 4 eps times the change of g if each
 * entry of x changed by about itself, plus 2 ulp of t times the slope. One more call of g, with
 * entries changed by 1e-8, measures the change. So an excursion within the band, a touch, is no
 * root. At the end of a panel a function within its band takes the sign of its slope. A root at
 * t_stop therefore counts, although the later motion is unknown. If the slope is rounding too, the
 * next panel decides.
 */
#include "numerics/ode/roots.h"

#include "base/base.h"
#include "numerics/ode/locate.h"
#include "numerics/ode/ode_functions.h"
#include "numerics/ode/ode_internal.h"
#include "numerics/ode/parabola.h"
#include "numerics/ode/quartic.h"

/* Part of the size of g on the panel. A larger g is not tested for being zero up to rounding. */
static const double close_to_zero = 1e-4;

static int roots_sign_of(double x) { return (x > 0.0) - (x < 0.0); }

static nsds_root_direction direction_of(int side) {
  return side > 0 ? NSDS_ROOT_RISING : NSDS_ROOT_FALLING;
}

static double roots_largest(const double value[5]) {
  double most = 0.0;
  for (int k = 0; k < 5; ++k) nsds_raise(&most, fabs(value[k]));
  return most;
}

/* One function on the panel. */
typedef struct look {
  nsds_ode *ode;
  nsds_watched *watched;
  int i;
  double b[5];  /* the quartic */
  double scale; /* size of the quartic */
  double band, noise;
} look;

typedef struct point {
  double t, g;
} point;

void nsds_roots_start(nsds_ode *ode, double t) {
  for (int i = 0; i < ode->problem.roots; ++i) {
    nsds_watched_renew(&ode->search.watched[i]);
    ode->search.watched[i].count = 0;
  }
  ode->search.nfound = 0;
  ode->search.from = ode->search.to = t;
  nsds_search_set_sampled(&ode->search, false);
}

static void quartic(const nsds_ode *ode, int i, double b[5]) {
  double value[5];
  for (int j = 0; j < 5; ++j) value[j] = ode->search.sample[i + (ptrdiff_t)j * ode->problem.roots];
  nsds_quartic_through(value, b);
}

/* ---- crossings of a panel ---- */

/* Adds a crossing from `last`, on the old side, to `p`. If the sign of g does not change between
 * them, the crossing is at one of the two. */
static void add_crossing(look *l, point last, point p, int side) {
  nsds_crossing *c = &l->watched->crossing[l->watched->count++];
  *c = (nsds_crossing){
      .before = last.t, .t = p.t, .g_before = last.g, .g = p.g, .direction = direction_of(side)};
  bool at_last = roots_sign_of(last.g) != -side, at_p = roots_sign_of(p.g) == -side;
  if (at_last) c->t = last.t, c->g = last.g;
  else if (at_p) c->before = p.t, c->g_before = p.g;
  nsds_crossing_settle(c, at_last || at_p);
}

/* Adds a crossing from `last`, within the band but counted on its side, to `p` beyond the band. The
 * crossing is located at the end of the band. */
static void add_late_crossing(look *l, point last, point p, int side) {
  double shift = -side * l->band;
  last.g += shift;
  p.g += shift;
  add_crossing(l, last, p, side);
  l->watched->crossing[l->watched->count - 1].shift = shift;
}

static int beyond(double g, double band) { return g > band ? 1 : g < -band ? -1 : 0; }

/* Evaluates g at a turn. If the quartic cannot be trusted so close to zero, the extremum of g
 * replaces the turn. */
static int at_turn(look *l, int side, double low, double high, double u, point *p) {
  nsds_ode *ode = l->ode;
  p->t = ode->search.from + u * (ode->search.to - ode->search.from);
  int result = nsds_ode_g_one(ode, l->i, p->t, &p->g);
  if (result) return result;
  double model = nsds_quartic_value(l->b, u), error = fabs(p->g - model);
  bool near = side * model <= 0.0 || fabs(p->g) <= 2.0 * error;
  if (side == 0 || !near || side * p->g < -l->band || error <= 64.0 * DBL_EPSILON * l->scale)
    return 0;
  return nsds_root_least(ode, l->i, side, l->band, low, high, &p->t, &p->g);
}

/* Returns the sign at the entry of the panel. For a fresh function that is zero, *slope is the sign
 * of the slope. */
static int first_sign(const look *l, double g, int *slope) {
  const nsds_watched *watched = l->watched;
  *slope = 0;
  if (!watched->fresh) return beyond(g, l->band) == watched->side_first ? watched->side_first : 0;
  bool found = l->ode->search.from == l->ode->search.t_found;
  int sign = beyond(g, found ? nsds_larger(l->band, watched->zero) : l->band);
  double change = l->b[1] - l->b[0];
  if (sign == 0 && fabs(change) > l->noise) *slope = roots_sign_of(change);
  return sign;
}

/* Returns the sign at the end of the panel. A function within its band takes the sign of its slope,
 * if it was beyond the band before (`seen`). */
static int last_sign(const look *l, double g, bool seen) {
  int sign = beyond(g, l->band);
  double change = l->b[4] - l->b[3];
  return sign != 0 || !seen || fabs(change) <= l->noise ? sign : roots_sign_of(change);
}

/* Writes the end of piece k of the panel to p: a turn of the quartic, or the end of the panel. */
static int piece_end(look *l, const double *turn, int k, int pieces, int side, point *p) {
  nsds_ode *ode = l->ode;
  double length = ode->search.to - ode->search.from, low = ode->search.from + turn[k - 1] * length;
  *p = (point){ode->search.to, l->b[4]};
  if (k == pieces) return 0;
  double high = k + 1 == pieces ? ode->search.to : ode->search.from + turn[k + 1] * length;
  return at_turn(l, side, low, high, turn[k], p);
}

/* Finds all changes of side on the panel, in order. A function that is zero at the entry and moves
 * has crossed there once it is seen on the side it moves to. */
static int roots_walk(look *l) {
  nsds_watched *watched = l->watched;
  const point first = {l->ode->search.from, l->b[0]};
  point last = first, p;
  int slope, sign = first_sign(l, first.g, &slope);
  int side = watched->side_first ? watched->side_first : sign;
  bool hover = watched->fresh && sign == 0 && watched->known != 0;
  if (hover) side = watched->known, slope = 0;
  if (watched->fresh && sign != 0 && sign == -watched->known) add_crossing(l, first, first, sign);
  double turn[5] = {0.0};
  bool seen = sign != 0, cut = sign == 0 || nsds_quartic_variations(l->b) > 1;
  int pieces = 1 + (cut ? nsds_quartic_turns(l->b, turn + 1) : 0);
  for (int k = 1; k <= pieces; ++k) {
    int result = piece_end(l, turn, k, pieces, side, &p);
    if (result) return result;
    sign = k < pieces ? beyond(p.g, l->band) : last_sign(l, p.g, seen);
    if (sign == 0 && hover && roots_sign_of(p.g) == side) hover = false, last = p;
    if (sign == 0 && slope != 0 && roots_sign_of(p.g) == slope) side = slope, last = p;
    if (sign == 0) continue;
    seen = true;
    if (side != 0 && sign != side) (hover ? add_late_crossing : add_crossing)(l, last, p, sign);
    hover = false;
    if (side == 0 && slope != 0) add_crossing(l, first, first, sign); /* also if back in its band */
    side = sign;
    slope = 0;
    last = p;
  }
  watched->side = side;
  return 0;
}

/* Returns true if the quartic stays on the function's side and is not close to zero at the end of
 * the panel. The entry is tested too if the function is fresh. */
static bool roots_stays(const look *l) {
  const nsds_watched *watched = l->watched;
  bool fresh = watched->fresh, found = fresh && l->ode->search.from == l->ode->search.t_found;
  int side = fresh ? roots_sign_of(l->b[0]) : watched->side_first;
  if (fresh && side != 0 && side == -watched->known) return false;
  for (int k = 0; k < 5; ++k)
    if (!(side * l->b[k] > 0.0)) return false;
  double close = close_to_zero * roots_largest(l->b);
  if (fabs(l->b[4]) < close || (fresh && fabs(l->b[0]) < close)) return false;
  if (found && fabs(l->b[0]) <= watched->zero) return false;
  l->watched->side = side;
  return true;
}

static int roots_look_at(nsds_ode *ode, int i) {
  nsds_watched *watched = &ode->search.watched[i];
  look l = {.ode = ode, .watched = watched, .i = i};
  quartic(ode, i, l.b);
  int result = 0;
  if (!roots_stays(&l)) {
    result = nsds_roots_band(ode, i, &l.band);
    if (result) return result;
    double steepest = 0.0;
    for (int k = 0; k < 5; ++k) {
      nsds_raise(&l.scale, fabs(l.b[k]));
      if (k > 0) nsds_raise(&steepest, 4.0 * fabs(l.b[k] - l.b[k - 1]));
    }
    double ulp = nsds_ode_ulp(nsds_larger(fabs(ode->search.from), fabs(ode->search.to)));
    l.noise = 4.0 * l.band + 16.0 * DBL_EPSILON * l.scale;
    l.band += 2.0 * ulp * (steepest / (ode->search.to - ode->search.from));
    result = roots_walk(&l);
  }
  nsds_watched_leave(watched, watched->side);
  return result;
}

/* Returns true if g agrees with the quartics at this place, within a hundredth of their sizes or
 * within the bands. */
static bool agree(const nsds_ode *ode, double place, bool by_bands) {
  static const double part = 0.01;
  for (int j = 0; j < ode->search.nactive; ++j) {
    double b[5];
    int i = ode->search.active[j];
    quartic(ode, i, b);
    double error = fabs(ode->search.g[i] - nsds_quartic_value(b, place));
    if (!(error <= part * roots_largest(b) || (by_bands && error <= 2.0 * ode->search.band[i])))
      return false;
  }
  return true;
}

/* Compares g with the quartics in two places between the samples. */
static int trust(nsds_ode *ode, bool *good) {
  static const double place[2] = {0.1, 0.62};
  *good = true;
  for (int k = 0; k < 2 && *good; ++k) {
    double t = ode->search.from + place[k] * (ode->search.to - ode->search.from), band;
    int result = nsds_ode_g_at(ode, t, ode->search.g);
    if (result) return result;
    *good = agree(ode, place[k], ode->search.banded);
    if (*good || ode->search.banded) continue;
    result = nsds_roots_band(ode, ode->search.active[0], &band);
    if (!result) result = nsds_ode_g_at(ode, t, ode->search.g); /* find_bands() has overwritten g */
    if (result) return result;
    *good = agree(ode, place[k], true);
  }
  return 0;
}

/* Samples g at the quarters of the panel, and halves the panel until the quartics can be trusted.
 * The number of halvings is limited, since g may jump. */
static int sample(nsds_ode *ode, double from, double to, bool kept) {
  size_t m = (size_t)ode->problem.roots;
  double shortest = (ode->t1 - ode->t0) / ode->options.root_panels * 0x1p-5;
  for (bool good = false; !good; kept = true) {
    ode->search.from = from;
    ode->search.to = to;
    for (int j = kept; j < 5; ++j) {
      double t = j == 4 ? to : from + 0.25 * j * (to - from);
      int result = nsds_ode_g_at(ode, t, ode->search.sample + (size_t)j * m);
      if (result) return result;
    }
    int result = ode->affine ? 0 : trust(ode, &good);
    if (result) return result;
    double middle = from + 0.5 * (to - from);
    good = good || ode->affine || to - from <= shortest || !(middle > from && middle < to);
    if (!good) to = middle;
  }
  return 0;
}

int nsds_roots_panel(nsds_ode *ode, double from, double to) {
  size_t m = (size_t)ode->problem.roots;
  bool kept = ode->search.sampled && ode->search.to == from;
  if (kept) memcpy(ode->search.sample, ode->search.sample + 4 * m, m * sizeof *ode->search.sample);
  ode->search.from = from;
  ode->search.to = to;
  nsds_search_set_sampled(&ode->search, false);
  nsds_search_set_banded(&ode->search, false);
  for (int k = 0; k < ode->search.nactive; ++k) { /* assume no crossing until the search is done */
    nsds_watched *watched = &ode->search.watched[ode->search.active[k]];
    watched->entered_fresh = watched->fresh;
    watched->side_first = watched->fresh ? 0 : watched->side;
    watched->count = 0;
  }
  int sampled = nsds_parabola_look(ode, from, to) ? 0 : sample(ode, from, to, kept);
  if (sampled) return sampled;
  nsds_search_set_sampled(&ode->search, true);
  for (int k = 0; k < ode->search.nopen; ++k) {
    int result = roots_look_at(ode, ode->search.open[k]);
    if (result) return result;
  }
  return 0;
}

int nsds_roots_late(nsds_ode *ode) {
  bool late = false;
  for (int k = 0; k < ode->search.nactive; ++k)
    late = late || ode->search.watched[ode->search.active[k]].fresh;
  if (!late) return 0;
  double to = ode->search.to;
  nsds_roots_retreat(ode);
  return nsds_roots_panel(ode, ode->at, to);
}

void nsds_roots_retreat(nsds_ode *ode) {
  nsds_roots_pass(ode, ode->at);
  nsds_search_set_ahead(&ode->search, false);
  for (int i = 0; i < ode->problem.roots; ++i) {
    nsds_watched *watched = &ode->search.watched[i];
    watched->side = watched->side_first;
    bool moved = ode->at > ode->search.from || (watched->count > 0 && watched->crossing[0].passed);
    watched->fresh = watched->fresh || (watched->entered_fresh && !moved);
    for (int k = 0; k < watched->count && watched->crossing[k].passed; ++k)
      watched->side = watched->crossing[k].direction == NSDS_ROOT_RISING ? 1 : -1;
    watched->count = 0;
  }
  ode->search.from = ode->search.to = ode->at;
  nsds_search_set_sampled(&ode->search, false);
}

/* ---- roots in order ---- */

/* Locates a crossing, unless it is later than t by more than the tolerance. */
static int roots_locate(nsds_ode *ode, int i, double t, nsds_crossing *c) {
  double b[5], length = ode->search.to - ode->search.from;
  double later = t < INFINITY ? t + 2.0 * nsds_root_tolerance(ode, t) : INFINITY;
  if (c->before >= later) return 0;
  if (later < c->t) {
    int result = nsds_root_shrink(ode, i, c, later);
    if (result || c->before >= later) return result;
  }
  quartic(ode, i, b);
  double u = nsds_quartic_root(b, (c->before - ode->search.from) / length,
                               (c->t - ode->search.from) / length);
  return nsds_root_locate(ode, i, c, ode->search.from + u * length,
                          nsds_quartic_slope(b, u) / length);
}

/* Finds the first crossing of function i that is a root and may lie before t; NULL: none in this
 * panel. The crossing is located, or later than t. */
static int candidate(nsds_ode *ode, int i, double t, nsds_crossing **found) {
  nsds_watched *watched = &ode->search.watched[i];
  *found = NULL;
  for (int k = 0; k < watched->count; ++k) {
    nsds_crossing *c = &watched->crossing[k];
    if (c->passed || !(c->direction & watched->watch)) continue;
    int result = c->located ? 0 : roots_locate(ode, i, t, c);
    if (result) return result;
    c->passed = c->t < ode->at; /* unwatched when the motion passed it */
    if (c->passed) continue;
    *found = c;
    return 0;
  }
  return 0;
}

int nsds_roots_next(nsds_ode *ode, double *t) {
  *t = INFINITY;
  for (int k = 0; k < ode->search.nactive; ++k) {
    nsds_crossing *c;
    if (ode->search.watched[ode->search.active[k]].count == 0) continue;
    int result = candidate(ode, ode->search.active[k], *t, &c);
    if (result) return result;
    if (c) *t = nsds_smaller(*t, c->t);
  }
  return 0;
}

/* Returns the size of g that counts as zero if the motion starts anew at the root: the rest of g
 * there, but no jump. */
static double left_over(const nsds_ode *ode, int i, const nsds_crossing *c) {
  double b[5], part = nsds_root_tolerance(ode, c->t) / (ode->search.to - ode->search.from);
  quartic(ode, i, b);
  return fmin(2.0 * (fabs(c->g_before) + fabs(c->g)), 64.0 * part * roots_largest(b));
}

double nsds_roots_take(nsds_ode *ode, double t) {
  double limit = t + nsds_root_tolerance(ode, t);
  nsds_crossing *c = NULL;
  ode->search.t_found = t;
  for (int k = 0; k < ode->search.nactive; ++k) { /* located or later: g is not called */
    int i = ode->search.active[k];
    ode->search.watched[i].zero = 0.0;
    if (ode->search.watched[i].count == 0) continue;
    if (!candidate(ode, i, t, &c) && c && c->before <= limit)
      nsds_raise(&ode->search.t_found, c->t);
  }
  for (int k = 0; k < ode->search.nactive; ++k) {
    int i = ode->search.active[k];
    if (ode->search.watched[i].count == 0) continue;
    if (candidate(ode, i, t, &c) || !c || c->t > ode->search.t_found) continue;
    ode->search.found[ode->search.nfound++] = (nsds_ode_root){i, c->direction};
    ode->search.watched[i].zero = left_over(ode, i, c);
    c->passed = true;
  }
  nsds_roots_pass(ode, ode->search.t_found);
  return ode->search.t_found;
}

void nsds_roots_pass(nsds_ode *ode, double t) {
  for (int i = 0; i < ode->problem.roots; ++i)
    for (int k = 0; k < ode->search.watched[i].count; ++k) {
      nsds_crossing *c = &ode->search.watched[i].crossing[k];
      if (c->t <= t && !(c->direction & ode->search.watched[i].watch)) c->passed = true;
    }
}
