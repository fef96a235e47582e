/*
 * Contacts of round cores. round_axis.c finds the direction n. Along n a core turns one of these to the
 * other core:
 *
 *     face    a disc of which n leans less than 0.1 rad (disc_clip.c)
 *     line    of the side of discs, if normals there lean less than 0.1 rad from n
 *     point   else; of ellipsoids always
 *
 * Other faces are clipped like those of polytopes. Two lines have the ends of their common part as
 * contacts, or the point where they cross. Gaps are distances along n.
 */
#include "kernel/contact/round_meet.h"

#include "kernel/contact/clip.h"
#include "kernel/contact/disc_clip.h"
#include "kernel/contact/round.h"
#include "kernel/contact/round_axis.h"
#include "kernel/contact/round_witness.h"
#include "kernel/modeling/body.h"

enum { rim_points = nsds_rim_points };

static const double level_face = 0.995, level_line = 0.1; /* cos, sin of 0.1 rad */
static const int rim_first[] = {0, rim_points}, rim_loop[] = {0, 1, 2, 3, 4, 5, 6, 7};
static const int rim_edge[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 0};
static const int line_edge[] = {0, 1}, line_first[] = {0};

/* The part of a core that is turned to the other one. */
typedef struct round_view {
  nsds_core made;        /* of a round core: its face, line or point, with x as vertices */
  const nsds_core *core; /* this, or the polytope itself */
  int face, line[2];     /* a flat face, -1: none; else vertices of a line, one twice: a point */
  double level;          /* of the face: cosine between its normal and the way out */
  double x[3 * rim_points], n[3];
  nsds_disc disc; /* the face of a round core */
} round_view;

static void view_disc(const nsds_core *core, const double *d, double side, round_view *v) {
  const nsds_round *round = core->round;
  nsds_disc *disc = &v->disc;
  double ends[6];
  nsds_round_side(core, d, ends, disc->e[0]);
  if (1.0 - v->level < 1e-18) memcpy(disc->e[0], round->axes + 3, sizeof disc->e[0]);
  for (int i = 0; i < 3; ++i) {
    disc->axis[i] = v->n[i] = side * round->axes[i];
    disc->centre[i] = core->wv[i] + round->size[0] * disc->axis[i];
  }
  disc->r = round->size[side > 0.0 ? 2 : 1];
  nsds_cross(disc->axis, disc->e[0], disc->e[1]);
  for (int k = 0; k < rim_points; ++k) nsds_rim_point(disc, k, v->x + 3 * k);
  v->face = 0;
  v->made.nv = v->made.ne = rim_points;
  v->made.nf = 1;
  v->made.first = rim_first;
  v->made.loop = rim_loop;
  v->made.edge = rim_edge;
}

/* Views a round core along d, of length 1. */
static void view_round(const nsds_core *core, const double *d, round_view *v) {
  const nsds_round *round = core->round;
  double along = nsds_dot(round->axes, d), out[3];
  v->made = *core;
  v->made.round = NULL;
  v->made.wv = v->x;
  v->made.wn = v->n;
  v->core = &v->made;
  if (round->kind == NSDS_ROUND_DISCS) {
    double side = along < 0.0 ? -1.0 : 1.0, lean = nsds_round_lean(round);
    v->level = fabs(along);
    if (v->level >= level_face && round->size[side > 0.0 ? 2 : 1] > 0.0) {
      view_disc(core, d, side, v);
      return;
    }
    if (fabs(along - lean) < level_line) {
      nsds_round_side(core, d, v->x, out);
      v->made.nv = 2;
      v->made.ne = 1;
      v->made.first = line_first;
      v->made.edge = line_edge;
      v->line[1] = 1;
      return;
    }
  }
  nsds_core_support(core, d, v->x);
}

/* Views a polytope, segment or point. */
static void view_polytope(const nsds_core *core, const double *d, round_view *v) {
  const double n[3] = {-d[0], -d[1], -d[2]};
  double most = -INFINITY, least = level_line;
  v->core = core;
  for (int f = 0; f < core->nf; ++f) {
    double level = nsds_dot(d, core->wn + 3 * f);
    if (level >= level_face && level > v->level) v->face = f, v->level = level;
  }
  for (int k = 0; k < core->nv; ++k) {
    double t = nsds_dot(d, core->wv + 3 * k);
    if (t > most) most = t, v->line[0] = v->line[1] = k;
  }
  for (int e = 0; v->face < 0 && e < core->ne; ++e) {
    const int *edge = core->edge + 2 * e, from = v->line[0];
    if (edge[0] == edge[1] || (edge[0] != from && edge[1] != from)) continue;
    int to = edge[edge[0] == from];
    double way[3];
    for (int i = 0; i < 3; ++i) way[i] = core->wv[3 * to + i] - core->wv[3 * from + i];
    double rise = nsds_dot(n, way) / nsds_length(way);
    if (rise < least) least = rise, v->line[1] = to;
  }
}

static void view(const nsds_core *core, const double *d, round_view *v) {
  *v = (round_view){.face = -1, .level = 0.0};
  if (core->round) view_round(core, d, v);
  else view_polytope(core, d, v);
}

/* ---- contacts -------------------------------------------------------------------------------- */

static const double *line_end(const round_view *v, int k) { return v->core->wv + 3 * v->line[k]; }

/* Adds a contact at parts s and t of two lines. */
static void add_of_lines(nsds_collision *c, const round_view *a, const round_view *b,
                         const double *n, double s, double t) {
  double xa[3], xb[3];
  int va[2] = {a->line[s >= 1.0], a->line[s > 0.0]}, vb[2] = {b->line[t >= 1.0], b->line[t > 0.0]};
  for (int i = 0; i < 3; ++i) {
    xa[i] = line_end(a, 0)[i] + s * (line_end(a, 1)[i] - line_end(a, 0)[i]);
    xb[i] = line_end(b, 0)[i] + t * (line_end(b, 1)[i] - line_end(b, 0)[i]);
  }
  nsds_add_spot(c, n, xa, xb, va, vb);
}

/* Ends are vertices: rounding must not change which features touch, by which contacts are found again. */
static double line_part(double x) {
  static const double end = 1e-9;
  return x > end ? (x < 1.0 - end ? x : 1.0) : 0.0;
}

/* Finds the contacts of two lines, or of a line and a point, or of two points. Lines that are less
 * than 0.1 rad from parallel touch in two points. */
static void meet_lines(nsds_collision *c, const round_view *a, const round_view *b,
                       const double *n) {
  double u[3], v[3], r[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = line_end(a, 1)[i] - line_end(a, 0)[i];
    v[i] = line_end(b, 1)[i] - line_end(b, 0)[i];
    r[i] = line_end(a, 0)[i] - line_end(b, 0)[i];
  }
  double un = nsds_dot(u, n), vn = nsds_dot(v, n), rn = nsds_dot(r, n);
  for (int i = 0; i < 3; ++i) /* as seen along n */
    u[i] -= un * n[i], v[i] -= vn * n[i], r[i] -= rn * n[i];
  double uu = nsds_dot(u, u), vv = nsds_dot(v, v), uv = nsds_dot(u, v), ur = nsds_dot(u, r),
         vr = nsds_dot(v, r), det = uu * vv - uv * uv;
  if (uu == 0.0 || vv == 0.0) {
    double s = uu > 0.0 ? line_part(-ur / uu) : 0.0, t = vv > 0.0 ? line_part(vr / vv) : 0.0;
    add_of_lines(c, a, b, n, s, t);
    return;
  }
  if (det > level_line * level_line * uu * vv) {
    double s = line_part((uv * vr - vv * ur) / det), t = line_part((uv * s + vr) / vv);
    add_of_lines(c, a, b, n, line_part((uv * t - ur) / uu), t);
    return;
  }
  double p = -ur / uu, q = (uv - ur) / uu; /* the ends of b on a */
  double lo = line_part(fmin(p, q)), hi = line_part(fmax(p, q));
  add_of_lines(c, a, b, n, lo, line_part((uv * lo + vr) / vv));
  if (hi > lo) add_of_lines(c, a, b, n, hi, line_part((uv * hi + vr) / vv));
}

/* ---- nearest points -------------------------------------------------------------------------- */

/* Points of both cores, s apart along n, and how far they are off the cores. */
typedef struct round_points {
  double a[3], b[3], off;
} round_points;

/* Takes the points at xa and s away from it if they are less off the cores. */
static void take_points(const nsds_collision *c, const double *n, double s, const double *xa,
                        round_points *best) {
  double xb[3];
  for (int i = 0; i < 3; ++i) xb[i] = xa[i] - s * n[i];
  double off = fmax(nsds_core_outside(c->a, xa), nsds_core_outside(c->b, xb));
  if (!(off < best->off)) return;
  best->off = off;
  memcpy(best->a, xa, sizeof best->a);
  memcpy(best->b, xb, sizeof best->b);
}

/* Computes line k of those on which a core lies farthest along d, as ends p and q: the line of the side
 * of discs, or edge k. Returns false if this is no such line. */
static bool far_line(const nsds_core *core, const double *d, int k, double *p, double *q) {
  static const double level = 1e-6; /* of the size */
  double x[3], ends[6], out[3];
  bool discs = core->round && core->round->kind == NSDS_ROUND_DISCS;
  if (core->round && !discs) return false;
  if (discs) nsds_round_side(core, d, ends, out);
  memcpy(p, discs ? ends : core->wv + 3 * core->edge[2 * k], 3 * sizeof *p);
  memcpy(q, discs ? ends + 3 : core->wv + 3 * core->edge[2 * k + 1], 3 * sizeof *q);
  nsds_core_support(core, d, x);
  double least = nsds_dot(d, x) - level * core->around;
  return nsds_dot(d, p) >= least && nsds_dot(d, q) >= least;
}

/* Tries the points where lines of both cores cross, as seen along n. */
static void take_crossings(const nsds_collision *c, const double *n, double s, round_points *best) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  double a[2][3], b[2][3], u[3], v[3], r[3], uv[3], rv[3], xa[3];
  int na = c->a->round ? 1 : c->a->ne, nb = c->b->round ? 1 : c->b->ne;
  for (int j = 0; j < na; ++j) {
    if (!far_line(c->a, back, j, a[0], a[1])) continue;
    for (int k = 0; k < nb; ++k) {
      if (!far_line(c->b, n, k, b[0], b[1])) continue;
      for (int i = 0; i < 3; ++i) {
        u[i] = a[1][i] - a[0][i];
        v[i] = b[1][i] - b[0][i];
        r[i] = b[0][i] - a[0][i];
      }
      nsds_cross(u, v, uv);
      nsds_cross(r, v, rv);
      double t = line_part(nsds_dot(n, rv) / nsds_dot(n, uv));
      for (int i = 0; i < 3; ++i) xa[i] = a[0][i] + t * u[i];
      take_points(c, n, s, xa, best);
    }
  }
}

/* Computes the nearest points of two cores whose separation s along n is exact. If the witness is off,
 * lines of both cores cross. */
static void nearest_points(const nsds_collision *c, const double *n, double s, round_points *best) {
  double xa[3], xb[3];
  *best = (round_points){.off = INFINITY};
  nsds_round_witness(c, n, s, xa, xb);
  take_points(c, n, s, xa, best);
  take_crossings(c, n, s, best);
}

/* ---- manifolds ------------------------------------------------------------------------------- */

/* Adds the contact of the points that are nearest. */
static void meet_nearest(nsds_collision *c, const double *n, double least) {
  const int none[] = {-1, -1};
  round_points best;
  nearest_points(c, n, least, &best);
  nsds_add_spot(c, n, best.a, best.b, none, none);
}

/* Gives the nearest contact the gap of the exact direction; adds it if none comes near this gap. */
static void exact_gap(nsds_collision *c, const double *n, double least) {
  double gap = least - c->a->radius - c->b->radius, found = INFINITY;
  int at = 0;
  for (int k = 0; k < c->count; ++k)
    if (c->spot[k].gap < found) found = c->spot[k].gap, at = k;
  if (found <= gap + c->slack) c->spot[at].gap = gap;
  else {
    meet_nearest(c, n, least);
    nsds_reduce(c);
  }
}

/* Keeps the deeper of contacts at one place. */
static void drop_doubles(nsds_collision *c) {
  int kept = 0;
  for (int k = 0; k < c->count; ++k) {
    const nsds_spot *spot = &c->spot[k];
    int j = 0;
    for (; j < kept; ++j) {
      double d[3];
      for (int i = 0; i < 3; ++i) d[i] = spot->point[i] - c->spot[j].point[i];
      if (nsds_dot(d, d) <= c->slack * c->slack) break;
    }
    if (j == kept) c->spot[kept++] = *spot;
    else if (spot->gap < c->spot[j].gap) c->spot[j] = *spot;
  }
  c->count = kept;
}

/* Finds the contacts on a face of view v, which is a's if `first`; along n. */
static void meet_face(nsds_collision *c, const round_view *v, const round_view *w, bool first,
                      const double *n) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  int below = nsds_face_below(w->core, first ? back : n);
  bool disc = v->core == &v->made, other_disc = w->face >= 0 && w->core == &w->made;
  if (disc && other_disc)
    nsds_discs_meet(c, first ? &v->disc : &w->disc, first ? &w->disc : &v->disc, n);
  else if (disc) nsds_disc_clip(c, &v->disc, w->core, below, w->line, first, n);
  else if (other_disc) nsds_disc_clip(c, &w->disc, v->core, v->face, v->line, !first, n);
  else nsds_clip_between(c, v->core, v->face, below, first ? back : n);
}

/* `least` is the gap of the exact direction, without radii; -INFINITY: there need be no contact. */
static void meet_views(nsds_collision *c, const double *n, double least) {
  const nsds_core *ca = c->a, *cb = c->b;
  const double back[3] = {-n[0], -n[1], -n[2]};
  round_view a, b;
  view(ca, back, &a);
  view(cb, n, &b);
  c->a = a.core; /* clipping takes the views as cores */
  c->b = b.core;
  bool first = a.face >= 0 && (b.face < 0 || a.level >= b.level);
  if (first) meet_face(c, &a, &b, true, n);
  else if (b.face >= 0) meet_face(c, &b, &a, false, n);
  else meet_lines(c, &a, &b, n);
  c->a = ca;
  c->b = cb;
  nsds_reduce(c);
  if (least > -INFINITY) exact_gap(c, n, least);
  drop_doubles(c);
}

void nsds_round_clip(nsds_collision *c, const nsds_core *ref, int face) {
  const nsds_core *ca = c->a, *cb = c->b, *other = ref == ca ? cb : ca;
  const double *n = ref->wn + 3 * face, back[3] = {-n[0], -n[1], -n[2]};
  round_view v;
  view(other, back, &v);
  if (v.face >= 0) {
    nsds_disc_clip(c, &v.disc, ref, face, NULL, ref == cb, ref == ca ? back : n);
    return;
  }
  if (ref == ca) c->b = v.core;
  else c->a = v.core;
  nsds_clip_between(c, ref, face, v.face, n);
  c->a = ca;
  c->b = cb;
}

/* A flat core stops bodies in front of it. Turns a normal that leads to its back, or leans over a side
 * that a neighbor continues, into that of the face. Returns false if the other core is behind. */
static bool face_front(nsds_collision *c, double *n, double *least) {
  const nsds_core *flat = c->a->flat ? c->a : c->b, *other = c->a->flat ? c->b : c->a;
  double sign = flat == c->a ? -1.0 : 1.0, x[3], level = nsds_dot(flat->wn, flat->wv);
  nsds_core_support(other, flat->wn, x);
  if (level - nsds_dot(flat->wn, x) > flat->radius + other->radius) return false;
  if (sign * nsds_dot(n, flat->wn) >= -1e-6 && !nsds_leans_over(flat, n, sign)) return true;
  for (int i = 0; i < 3; ++i) n[i] = sign * flat->wn[i];
  *least = -INFINITY;
  return true;
}

static void round_meet_find(nsds_collision *c) {
  double n[3], s;
  if (!nsds_round_axis(c, c->reach + c->a->radius + c->b->radius, n, &s)) return;
  if ((c->a->flat || c->b->flat) && !face_front(c, n, &s)) return;
  meet_views(c, n, s);
}

void nsds_round_meet(nsds_collision *c) {
  const nsds_core *a = c->a, *b = c->b;
  if (!nsds_cores_turned(a, b)) {
    round_meet_find(c);
    return;
  }
  c->a = b;
  c->b = a;
  round_meet_find(c);
  c->a = a;
  c->b = b;
  for (int k = 0; k < c->count; ++k) nsds_turn_spot(&c->spot[k]);
}

/* ---- two shapes ------------------------------------------------------------------------------ */

void nsds_round_nearest(nsds_collision *c) {
  round_points best;
  nsds_spot least = c->spot[0];
  double ra = c->a->radius, rb = c->b->radius, xa[3];
  for (int k = 1; k < c->count; ++k)
    if (c->spot[k].gap < least.gap) least = c->spot[k];
  const double *n = least.normal, s = least.gap + ra + rb;
  nearest_points(c, n, s, &best);
  for (int k = 0; k < c->count; ++k) {
    if (c->spot[k].gap > least.gap + c->slack) continue;
    for (int i = 0; i < 3; ++i) xa[i] = c->spot[k].point[i] + (0.5 * least.gap + ra) * n[i];
    take_points(c, n, s, xa, &best);
  }
  c->count = 0;
  nsds_add_spot(c, n, best.a, best.b, (const int[]){-1, -1}, (const int[]){-1, -1});
  c->spot[0].gap = least.gap;
}

/* ---- planes ---------------------------------------------------------------------------------- */

void nsds_round_plane(nsds_collision *c, const nsds_core *a, const double *n, double offset) {
  const double down[3] = {-n[0], -n[1], -n[2]};
  round_view v;
  view(a, down, &v);
  c->a = v.core;
  c->b = NULL;
  c->slack = 1e-8 * a->around;
  c->count = 0;
  for (int k = 0; k < v.core->nv; ++k) {
    const double *x = v.core->wv + 3 * k, s = nsds_dot(n, x) - offset;
    double foot[3];
    for (int i = 0; i < 3; ++i) foot[i] = x[i] - s * n[i];
    nsds_add_spot(c, n, x, foot, (const int[]){k, k}, (const int[]){-1, -1});
  }
  c->a = a;
  nsds_reduce(c);
}
