/*
 * Contacts of cylinders and cones before all shapes, and of all shapes before triangles. Parts of their
 * surfaces touch each other. Each pair of parts has a gap that is smooth along the motion. Let h be
 * the support functions of two parts. The normal n is a maximum of
 *
 *     s(n) = -h_a(-n) - h_b(n)     on the unit sphere, where
 *
 *     face                     n is the normal
 *     line, side               n.u = k: normal to an edge, or at the angle of the side of a cone
 *     point, rim, ellipsoid    n is any direction
 *
 * Two conditions n.u = k have a closed form. Newton's method from a hint solves a single one over an
 * angle, and none over the sphere. Every point of a body must be outside the other one. So a point, a
 * rim or an edge touches the face or side that lies farthest behind it. Each touches as long as n lies
 * between the normals of the surfaces beside it, or little beyond. There an overlap comes after that of
 * another part. At an edge of a triangle, a neighbour bounds n too.
 *
 * Two edges or rims are curves that cross; Newton's method over both parameters finds where. Such curves
 * touch as long as n lies between the normals beside both. A rim before a side is searched over its angle.
 *
 * A disc that lies flat has no lowest point. Eight points of its rim touch in its place.
 */
#include "kernel/contact/round_parts.h"

#include "kernel/contact/clip.h"
#include "kernel/contact/disc_clip.h"
#include "kernel/contact/round.h"
#include "kernel/modeling/body.h"

const double nsds_disc_flat = 1e-6, nsds_disc_falls = 0.02;

/* Room at which parts begin to touch, relative to the size of the smaller core. */
static const double begins = 1e-10;
/* The sine below which lines are parallel. */
static const double parallel = 1e-5;
const double nsds_parts_lean = 0.05;

enum { marks = nsds_rim_points };

static double parts_size(const nsds_core *a, const nsds_core *b) {
  return fmin(a->around, b->around);
}

static bool is_disc(const nsds_core *core, int disc) { return core->round->size[1 + disc] > 0.0; }

static bool has_discs(const nsds_core *core) {
  return core->round && core->round->kind == NSDS_ROUND_DISCS;
}

static bool is_capsule(const nsds_core *core) { return !core->round && core->nf == 0; }

/* In the plane a face is a line between two vertices, and the core has no other lines. */
static bool is_plane(const nsds_core *core) { return core->nf > 0 && core->first[1] == 2; }

/* ---- parts ----------------------------------------------------------------------------------- */

int nsds_parts_count(const nsds_core *core) {
  if (core->round) return has_discs(core) ? 7 + 2 * marks : 1;
  if (core->nv == 1) return 0;
  return core->nv + (is_plane(core) ? 0 : core->ne) + core->nf;
}

nsds_core_part nsds_parts_get(const nsds_core *core, int k) {
  if (core->round && !has_discs(core)) return (nsds_core_part){NSDS_PART_WHOLE, 0};
  if (core->round) {
    if (k < 2 + 2 * marks) return (nsds_core_part){NSDS_PART_POINT, k};
    k -= 2 + 2 * marks;
    if (k == 4) return (nsds_core_part){NSDS_PART_SIDE, 0};
    return (nsds_core_part){k < 2 ? NSDS_PART_FACE : NSDS_PART_RIM, k % 2};
  }
  if (k < core->nv) return (nsds_core_part){NSDS_PART_POINT, k};
  k -= core->nv;
  if (is_plane(core)) return (nsds_core_part){NSDS_PART_FACE, k};
  if (k < core->ne) return (nsds_core_part){NSDS_PART_LINE, k};
  return (nsds_core_part){NSDS_PART_FACE, k - core->ne};
}

bool nsds_part_is_mark(const nsds_core *core, nsds_core_part p) {
  return core->round && p.kind == NSDS_PART_POINT && p.index >= 2;
}

/* Returns false for parts that a core with this form does not have. */
static bool part_exists(const nsds_core *core, nsds_core_part p) {
  if (!core->round)
    return p.kind != NSDS_PART_LINE || core->edge[2 * p.index] != core->edge[2 * p.index + 1];
  if (p.kind == NSDS_PART_SIDE || p.kind == NSDS_PART_WHOLE) return true;
  if (nsds_part_is_mark(core, p)) return is_disc(core, (p.index - 2) / marks);
  return is_disc(core, p.index) == (p.kind != NSDS_PART_POINT);
}

/* Returns true if points, rims and edges touch a part by its surface, and not by an edge. */
static bool is_surface(const nsds_core *core, nsds_core_part p) {
  return p.kind == NSDS_PART_FACE || p.kind == NSDS_PART_SIDE ||
         (p.kind == NSDS_PART_LINE && is_capsule(core));
}

/* Returns true if the part touches by a point of its own along any direction. */
static bool parts_has_point(nsds_core_part p) {
  return p.kind == NSDS_PART_POINT || p.kind == NSDS_PART_RIM || p.kind == NSDS_PART_WHOLE;
}

bool nsds_parts_may_touch(const nsds_core *a, nsds_core_part p, const nsds_core *b,
                          nsds_core_part q) {
  if (!part_exists(a, p) || !part_exists(b, q)) return false;
  if (nsds_part_is_mark(a, p)) return q.kind == NSDS_PART_FACE;
  if (nsds_part_is_mark(b, q)) return p.kind == NSDS_PART_FACE;
  if (p.kind == NSDS_PART_FACE) return parts_has_point(q);
  if (q.kind == NSDS_PART_FACE) return parts_has_point(p);
  if (p.kind == NSDS_PART_WHOLE || q.kind == NSDS_PART_WHOLE) return true;
  if (is_surface(a, p) || is_surface(b, q)) return true;
  if (p.kind == NSDS_PART_POINT || q.kind == NSDS_PART_POINT) return a->radius + b->radius > 0.0;
  return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

void nsds_disc_mark(const nsds_round *round, const double *axes, const double *centre, int disc,
                    int k, double *x) {
  nsds_disc d = {.r = round->size[1 + disc]};
  for (int i = 0; i < 3; ++i) {
    d.centre[i] = centre[i] + (disc ? round->size[0] : -round->size[0]) * axes[i];
    d.e[0][i] = axes[3 + i];
    d.e[1][i] = axes[6 + i];
  }
  nsds_rim_point(&d, k, x);
}

static void disc_centre(const nsds_core *core, int disc, double *x) {
  const nsds_round *round = core->round;
  for (int i = 0; i < 3; ++i)
    x[i] = core->wv[i] + (disc ? round->size[0] : -round->size[0]) * round->axes[i];
}

/* Computes the points of a part that are farthest along d: its ends, for a line or a side. */
static void part_ends(const nsds_core *core, nsds_core_part p, const double *d, double *ends) {
  double out[3], x[6];
  if (!core->round) {
    int from = p.kind == NSDS_PART_LINE   ? core->edge[2 * p.index]
               : p.kind == NSDS_PART_FACE ? core->loop[core->first[p.index]]
                                          : p.index;
    int to = p.kind == NSDS_PART_LINE ? core->edge[2 * p.index + 1] : from;
    memcpy(ends, core->wv + 3 * from, 3 * sizeof *ends);
    memcpy(ends + 3, core->wv + 3 * to, 3 * sizeof *ends);
    return;
  }
  if (p.kind == NSDS_PART_SIDE) {
    nsds_round_side(core, d, ends, out);
    return;
  }
  if (p.kind == NSDS_PART_WHOLE) nsds_core_support(core, d, ends);
  else if (p.kind == NSDS_PART_RIM) {
    nsds_round_side(core, d, x, out);
    memcpy(ends, x + 3 * p.index, 3 * sizeof *ends);
  } else if (nsds_part_is_mark(core, p)) {
    int k = p.index - 2;
    nsds_disc_mark(core->round, core->round->axes, core->wv, k / marks, k % marks, ends);
  } else disc_centre(core, p.index, ends);
  for (int k = 0; k < 3; ++k) ends[3 + k] = ends[k];
}

void nsds_part_face(const nsds_core *core, int face, double *normal, double *offset) {
  const double *n = core->round ? core->round->own : core->n + 3 * face;
  const double *x = core->v + (core->round ? 0 : 3 * core->loop[core->first[face]]);
  for (int i = 0; i < 3; ++i) normal[i] = core->round && face == 0 ? -n[i] : n[i];
  *offset = nsds_dot(normal, x) + (core->round ? core->round->size[0] : 0.0);
}

/* Computes the outward normal of a face. */
static void part_face_normal(const nsds_core *core, int face, double *n) {
  for (int i = 0; i < 3; ++i)
    n[i] = !core->round ? core->wn[3 * face + i]
           : face == 1  ? core->round->axes[i]
                        : -core->round->axes[i];
}

/* Returns how far x is before a face, or before the side. */
static double before_face(const nsds_core *core, int face, const double *x) {
  double n[3], p[3], off = 0.0;
  part_face_normal(core, face, n);
  if (core->round) disc_centre(core, face, p);
  else memcpy(p, core->wv + 3 * core->loop[core->first[face]], sizeof p);
  for (int i = 0; i < 3; ++i) off += n[i] * (x[i] - p[i]);
  return off;
}

static double before_side(const nsds_core *core, const double *x) {
  const double *s = core->round->size, *axis = core->round->axes;
  double way[3], fall = s[1] - s[2], height = 2.0 * s[0];
  for (int i = 0; i < 3; ++i) way[i] = x[i] - core->wv[i];
  double along = nsds_dot(axis, way), w = sqrt(fmax(0.0, nsds_dot(way, way) - along * along));
  double wide = s[1] - fall * (along + s[0]) / height;
  return (w - wide) * height / sqrt(height * height + fall * fall);
}

/* ---- normals --------------------------------------------------------------------------------- */

typedef struct parts {
  const nsds_core *core[2];
  nsds_core_part part[2];
  int ncircle;
  double u[2][3], k[2]; /* n.u = k */
} parts;

/* Computes the way between the supports of both parts along n, and returns s. */
static double parts_way(const parts *t, const double *n, double *w) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  double a[6], b[6];
  part_ends(t->core[0], t->part[0], back, a);
  part_ends(t->core[1], t->part[1], n, b);
  for (int i = 0; i < 3; ++i) w[i] = 0.5 * (a[i] + a[3 + i] - b[i] - b[3 + i]);
  return nsds_dot(n, w);
}

/* Returns the second derivative of h along a direction m normal to d. */
static double part_bend(const nsds_core *core, nsds_core_part p, const double *d, const double *m) {
  double ends[6], out[3], t[3], H[9] = {0.0};
  if (p.kind == NSDS_PART_WHOLE) {
    nsds_core_bend(core, d, 1.0, H);
    nsds_turn(H, m, t);
    return nsds_dot(m, t);
  }
  if (p.kind != NSDS_PART_RIM && p.kind != NSDS_PART_SIDE) return 0.0;
  nsds_round_side(core, d, ends, out);
  nsds_cross(core->round->axes, out, t);
  double along = nsds_dot(core->round->axes, d), w = sqrt(fmax(1e-30, 1.0 - along * along));
  double r = p.kind == NSDS_PART_RIM ? core->round->size[1 + p.index]
                                     : 0.5 * (core->round->size[1] + core->round->size[2]);
  return r / w * nsds_dot(t, m) * nsds_dot(t, m);
}

static double parts_bend(const parts *t, const double *n, const double *m) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  return part_bend(t->core[0], t->part[0], back, m) + part_bend(t->core[1], t->part[1], n, m);
}

static bool parts_unit(double *a) {
  double length = nsds_length(a);
  for (int i = 0; i < 3; ++i) a[i] /= length;
  return length > 0.0 && isfinite(length);
}

/* Finds n on two circles: that of the larger separation. *room < 0: they do not cross. */
static bool cross_circles(const parts *t, double *n, double *room) {
  const double *u = t->u[0], *v = t->u[1];
  double d = nsds_dot(u, v), m[3], w[3], best = -INFINITY;
  nsds_cross(u, v, m);
  double det = nsds_dot(m, m);
  if (!(det > parallel * parallel)) return false;
  double x = (t->k[0] - d * t->k[1]) / det, y = (t->k[1] - d * t->k[0]) / det;
  double rest = (1.0 - (x * x + y * y + 2.0 * x * y * d)) / det;
  *room = fmin(*room, rest * det * parts_size(t->core[0], t->core[1]));
  if (rest < 0.0) return true;
  for (int sign = -1; sign <= 1; sign += 2) {
    double one[3];
    for (int i = 0; i < 3; ++i) one[i] = x * u[i] + y * v[i] + sign * sqrt(rest) * m[i];
    double s = parts_way(t, one, w);
    if (s > best) best = s, memcpy(n, one, sizeof one);
  }
  return true;
}

enum { newton_steps = 50 };
/* The error after a step is about its square. A rim that begins to lie flat bends without limit, so that
 * steps are short anywhere. So the slope, relative to the size, must end too. */
static const double newton_small = 1e-9, longest = 0.3, level = 1e-8;

static bool has_climbed(const parts *t, double step, double slope) {
  return fabs(step) <= newton_small && fabs(slope) <= level * parts_size(t->core[0], t->core[1]);
}

/* Finds n on one circle, from n: uphill, by Newton's method between the last angles on both sides. */
static bool climb_circle(const parts *t, double *n) {
  const double *u = t->u[0], k = t->k[0], r = sqrt(1.0 - k * k);
  double p[3], q[3], w[3], step = 1.0, slope = 0.0, at = 0.0, low = -INFINITY, high = INFINITY;
  for (int round = 0; round < newton_steps && !has_climbed(t, step, slope); ++round) {
    double along = nsds_dot(u, n);
    for (int i = 0; i < 3; ++i) p[i] = n[i] - along * u[i];
    if (!parts_unit(p)) return false;
    nsds_cross(u, p, q);
    for (int i = 0; i < 3; ++i) n[i] = k * u[i] + r * p[i];
    parts_way(t, n, w);
    slope = r * nsds_dot(q, w);
    if (slope > 0.0) low = at;
    else high = at;
    double bend = r * nsds_dot(p, w) + r * r * parts_bend(t, n, q);
    step = bend > 0.0 ? slope / bend : slope > 0.0 ? longest : -longest;
    step = fmax(-longest, fmin(longest, step));
    bool between = at + step > low && at + step < high;
    if (!between && fabs(step) > newton_small) step = 0.5 * (low + high) - at;
    at += step;
    for (int i = 0; i < 3; ++i) n[i] = k * u[i] + r * (cos(step) * p[i] + sin(step) * q[i]);
  }
  return has_climbed(t, step, slope);
}

/* Finds n on the sphere, from n. */
static bool climb_sphere(const parts *t, double *n) {
  double length = 1.0, slope = 0.0;
  for (int round = 0; round < newton_steps && !has_climbed(t, length, slope); ++round) {
    double p[3] = {0.0}, q[3], sum[3], w[3];
    int k = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    p[fabs(n[2]) < fabs(n[k]) ? 2 : k] = 1.0;
    nsds_cross(n, p, q);
    if (!parts_unit(q)) return false;
    nsds_cross(q, n, p);
    for (int i = 0; i < 3; ++i) sum[i] = p[i] + q[i];
    double s = parts_way(t, n, w), pp = parts_bend(t, n, p), qq = parts_bend(t, n, q);
    double pq = 0.5 * (parts_bend(t, n, sum) - pp - qq), gp = nsds_dot(p, w), gq = nsds_dot(q, w);
    pp += s, qq += s;
    double det = pp * qq - pq * pq, x = (qq * gp - pq * gq) / det, y = (pp * gq - pq * gp) / det;
    if (!(det > 0.0) || !(pp > 0.0)) x = gp, y = gq;
    slope = sqrt(gp * gp + gq * gq);
    length = sqrt(x * x + y * y);
    if (!isfinite(length)) return false;
    double part = length > longest ? longest / length : 1.0;
    for (int i = 0; i < 3; ++i) n[i] += part * (x * p[i] + y * q[i]);
    if (!parts_unit(n)) return false;
  }
  return has_climbed(t, length, slope);
}

/* ---- edges and rims that cross --------------------------------------------------------------- */

static bool is_curve(const nsds_core *core, nsds_core_part p) {
  return p.kind == NSDS_PART_RIM || (p.kind == NSDS_PART_LINE && !is_capsule(core));
}

static bool are_curves(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair) {
  return is_curve(a, pair->part[0]) && is_curve(b, pair->part[1]);
}

/* Returns which part is a rim before the side of the other core; -1: neither. */
static int rim_before_side(const nsds_part_pair *pair) {
  for (int k = 0; k < 2; ++k)
    if (pair->part[k].kind == NSDS_PART_RIM && pair->part[1 - k].kind == NSDS_PART_SIDE) return k;
  return -1;
}

bool nsds_parts_pass_side(const nsds_part_pair *pair) { return rim_before_side(pair) >= 0; }

bool nsds_parts_lie_across(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair) {
  const nsds_core_part *part = pair->part;
  return (part[0].kind == NSDS_PART_RIM && part[1].kind == NSDS_PART_LINE && is_capsule(b)) ||
         (part[1].kind == NSDS_PART_RIM && part[0].kind == NSDS_PART_LINE && is_capsule(a));
}

bool nsds_parts_meet_twice(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair) {
  return are_curves(a, b, pair) || rim_before_side(pair) >= 0 || nsds_parts_lie_across(a, b, pair);
}

/* An edge or a rim by a parameter: a length or an angle. */
typedef struct curve {
  double at, place[3], e[2][3], r; /* r = 0: along e[0] */
  double x[3], dx[3], ddx[3];
} curve;

static void curve_take(curve *c, double at) {
  double co = c->r * cos(at), si = c->r * sin(at);
  bool line = c->r == 0.0;
  c->at = at;
  for (int i = 0; i < 3; ++i) {
    double u = c->e[0][i], v = c->e[1][i];
    c->x[i] = c->place[i] + (line ? at * u : co * u + si * v);
    c->dx[i] = line ? u : co * v - si * u;
    c->ddx[i] = line ? 0.0 : -co * u - si * v;
  }
}

/* Begins where a point is nearest, more or less. */
static bool curve_begin(curve *c, const nsds_core *core, nsds_core_part p, const double *point) {
  double way[3];
  *c = (curve){.r = p.kind == NSDS_PART_RIM ? core->round->size[1 + p.index] : 0.0};
  if (p.kind == NSDS_PART_RIM) {
    disc_centre(core, p.index, c->place);
    memcpy(c->e, core->round->axes + 3, sizeof c->e);
  } else {
    const double *from = core->wv + 3 * core->edge[2 * p.index],
                 *to = core->wv + 3 * core->edge[2 * p.index + 1];
    memcpy(c->place, from, sizeof c->place);
    for (int i = 0; i < 3; ++i) c->e[0][i] = to[i] - from[i];
    if (!parts_unit(c->e[0])) return false;
  }
  for (int i = 0; i < 3; ++i) way[i] = point[i] - c->place[i];
  double along = nsds_dot(c->e[0], way);
  curve_take(c, c->r == 0.0 ? along : atan2(nsds_dot(c->e[1], way), along));
  return true;
}

void nsds_parts_crossings(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair,
                          double x[2][3]) {
  int rim = pair->part[0].kind == NSDS_PART_RIM ? 0 : 1;
  const nsds_core *disc = rim == 0 ? a : b, *line = rim == 0 ? b : a;
  double r = disc->round->size[1 + pair->part[rim].index], centre[3], p[2] = {0.0}, u[2] = {0.0};
  disc_centre(disc, pair->part[rim].index, centre);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i) {
      double e = disc->round->axes[3 + 3 * k + i];
      p[k] += e * (line->wv[i] - centre[i]);
      u[k] += e * (line->wv[3 + i] - line->wv[i]);
    }
  double uu = fmax(u[0] * u[0] + u[1] * u[1], 1e-300), pu = (p[0] * u[0] + p[1] * u[1]) / uu;
  double half = sqrt(fmax(0.0, pu * pu - (p[0] * p[0] + p[1] * p[1] - r * r) / uu));
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i)
      x[k][i] = line->wv[i] + (k == 0 ? half - pu : -half - pu) * (line->wv[3 + i] - line->wv[i]);
}

/* Finds where two curves come nearest, by Newton's method; there n is normal to both. */
static bool cross_curves(const nsds_core *const core[2], const nsds_part_pair *pair, curve *a,
                         curve *b, double *n, double *room) {
  double step = 1.0, size = parts_size(core[0], core[1]), d[3];
  if (!curve_begin(a, core[0], pair->part[0], pair->point) ||
      !curve_begin(b, core[1], pair->part[1], pair->point))
    return false;
  double ka = a->r > 0.0 ? 1.0 : size, kb = b->r > 0.0 ? 1.0 : size; /* of one parameter */
  for (int round = 0; round < newton_steps && step > newton_small; ++round) {
    for (int i = 0; i < 3; ++i) d[i] = a->x[i] - b->x[i];
    double f = -nsds_dot(d, a->dx), g = nsds_dot(d, b->dx), ab = -nsds_dot(a->dx, b->dx);
    double aa = nsds_dot(a->dx, a->dx), bb = nsds_dot(b->dx, b->dx);
    double bend_a = aa + nsds_dot(d, a->ddx), bend_b = bb - nsds_dot(d, b->ddx);
    if (bend_a > 0.0 && bend_a * bend_b - ab * ab > 0.0) aa = bend_a, bb = bend_b;
    double det = aa * bb - ab * ab, x = (bb * f - ab * g) / det, y = (aa * g - ab * f) / det;
    step = fmax(fabs(x) / ka, fabs(y) / kb);
    if (!isfinite(step)) return false;
    double part = step > longest ? longest / step : 1.0;
    curve_take(a, a->at + part * x);
    curve_take(b, b->at + part * y);
  }
  nsds_cross(a->dx, b->dx, n);
  double sine = nsds_length(n) / (nsds_length(a->dx) * nsds_length(b->dx));
  *room = (sine - parallel) * size;
  if (step > newton_small || !parts_unit(n)) return false;
  return true;
}

/* Finds the point of a rim that is deepest before the side of another core, by Newton's method. Writes the
 * normal of the side there to d, and to *turned the way in which the rim passes the side. Writes a sine to
 * *bent: how much more the rim bends than the side. At 0 the deepest point meets a highest one; both end. */
static bool pass_side(const nsds_core *side, curve *rim, double *d, bool *turned, double *bent) {
  const double *axis = side->round->axes;
  double slant = nsds_round_lean(side->round), upright = sqrt(1.0 - slant * slant), step = 1.0;
  for (int round = 0; round < newton_steps; ++round) {
    double way[3], out[3], t[3];
    for (int i = 0; i < 3; ++i) way[i] = rim->x[i] - side->wv[i];
    double along = nsds_dot(axis, way);
    for (int i = 0; i < 3; ++i) out[i] = way[i] - along * axis[i];
    double w = nsds_length(out);
    if (!parts_unit(out)) return false;
    nsds_cross(axis, out, t);
    for (int i = 0; i < 3; ++i) d[i] = upright * out[i] + slant * axis[i];
    double around = nsds_dot(t, rim->dx), slope = nsds_dot(d, rim->dx);
    double bend = nsds_dot(d, rim->ddx) + upright * around * around / w;
    *turned = around < 0.0;
    *bent = bend / rim->r;
    if (fabs(step) <= newton_small) return true; /* d too is that of the last step */
    step = bend > 0.0 ? -slope / bend : slope > 0.0 ? -longest : longest;
    step = fmax(-longest, fmin(longest, step));
    curve_take(rim, rim->at + step);
  }
  return false;
}

/* ---- normals by parts ------------------------------------------------------------------------ */

/* Adds the circle of normals of a line or side. `sign` leads from directions out of the core to n. */
static bool add_circle(parts *t, int which, double sign) {
  const nsds_core *core = t->core[which];
  nsds_core_part p = t->part[which];
  double *u = t->u[t->ncircle];
  if (p.kind != NSDS_PART_LINE && p.kind != NSDS_PART_SIDE) return true;
  bool line = p.kind == NSDS_PART_LINE;
  const int *edge = line ? core->edge + 2 * p.index : NULL;
  for (int i = 0; i < 3; ++i)
    u[i] =
        line ? core->wv[3 * edge[1] + i] - core->wv[3 * edge[0] + i] : sign * core->round->axes[i];
  t->k[t->ncircle++] = line ? 0.0 : nsds_round_lean(core->round);
  return parts_unit(u);
}

/* A point has its own hint: straight out of the axis. */
static void hint_of_point(const parts *t, double *n) {
  for (int k = 0; k < 2; ++k) {
    double x[6];
    if (t->part[k].kind != NSDS_PART_SIDE || t->part[1 - k].kind != NSDS_PART_POINT) continue;
    part_ends(t->core[1 - k], t->part[1 - k], n, x);
    for (int i = 0; i < 3; ++i) n[i] = (k == 1 ? 1.0 : -1.0) * (x[i] - t->core[k]->wv[i]);
  }
}

static bool is_lone(const parts *t, int k) {
  return t->part[k].kind == NSDS_PART_POINT || t->part[k].kind == NSDS_PART_RIM;
}

/* Finds n from a point to a point, or to the nearest point of a rim. The disc is nearer to points over
 * it than its rim is: *room is how far the point is beside it. */
static bool point_to_point(const parts *t, double *n, double *room) {
  double x[2][6], way[3], m[3] = {0.0};
  for (int k = 0; k < 2; ++k) part_ends(t->core[k], t->part[k], m, x[k]);
  for (int k = 0; k < 2; ++k) {
    if (t->part[k].kind != NSDS_PART_RIM) continue;
    const nsds_core *core = t->core[k];
    double r = core->round->size[1 + t->part[k].index], along = 0.0;
    disc_centre(core, t->part[k].index, x[k]);
    for (int i = 0; i < 3; ++i) way[i] = x[1 - k][i] - x[k][i];
    along = nsds_dot(core->round->axes, way);
    for (int i = 0; i < 3; ++i) m[i] = way[i] - along * core->round->axes[i];
    *room = fmin(*room, nsds_length(m) - r);
    if (!parts_unit(m)) return false;
    for (int i = 0; i < 3; ++i) x[k][i] += r * m[i];
  }
  for (int i = 0; i < 3; ++i) n[i] = x[0][i] - x[1][i];
  return parts_unit(n);
}

/* Finds n; *room falls to that of the conditions for n. */
static bool find_normal(parts *t, const double *hint, double *n, double *room) {
  for (int k = 0; k < 2; ++k) {
    if (t->part[k].kind != NSDS_PART_FACE) continue;
    part_face_normal(t->core[k], t->part[k].index, n);
    for (int i = 0; i < 3; ++i) n[i] = k == 0 ? -n[i] : n[i];
    return true;
  }
  bool rims = t->part[0].kind == NSDS_PART_RIM && t->part[1].kind == NSDS_PART_RIM;
  if (is_lone(t, 0) && is_lone(t, 1) && !rims) return point_to_point(t, n, room);
  if (!add_circle(t, 0, -1.0) || !add_circle(t, 1, 1.0)) return false;
  memcpy(n, hint, 3 * sizeof *n);
  if (t->ncircle == 2) return cross_circles(t, n, room);
  hint_of_point(t, n);
  return t->ncircle == 1 ? climb_circle(t, n) : climb_sphere(t, n);
}

/* ---- room ------------------------------------------------------------------------------------ */

static double in_sides(const nsds_core *core, const double *x) {
  double least = INFINITY;
  for (int k = 0; k < core->first[1]; ++k) {
    double m[3], off = 0.0;
    const double *p;
    nsds_side(core, 0, k, core->wn, m, &p);
    for (int i = 0; i < 3; ++i) off -= m[i] * (x[i] - p[i]);
    least = fmin(least, off);
  }
  return least;
}

/* Returns how far a point x, `own` before a face or the side along d, is from the others. Outside, the
 * foot must be behind all others; inside, no other one may be farther in front of x. */
static double surface_room(const nsds_core *core, nsds_core_part p, const double *x,
                           const double *d, double own) {
  bool side = p.kind == NSDS_PART_SIDE;
  double most = -INFINITY, y[3];
  int faces = core->round ? 2 : core->nf;
  if (core->flat || (is_plane(core) && core->nf == 2)) return in_sides(core, x);
  for (int i = 0; i < 3; ++i) y[i] = x[i] - fmax(own, 0.0) * d[i];
  for (int f = 0; f < faces; ++f)
    if (side || f != p.index) most = fmax(most, before_face(core, f, y));
  if (core->round && !side) most = fmax(most, before_side(core, y));
  return fmin(own, 0.0) - most;
}

static double in_line(const nsds_core *core, int edge, const double *x) {
  const double *p = core->wv + 3 * core->edge[2 * edge],
               *q = core->wv + 3 * core->edge[2 * edge + 1];
  double u[3], way[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = q[i] - p[i];
    way[i] = x[i] - p[i];
  }
  double length = nsds_length(u), along = nsds_dot(u, way) / length;
  return fmin(along, length - along);
}

/* Returns the sine of the angle by which d, normal to an edge, lies between the normals of its faces. */
static double in_wedge(const nsds_core *core, int edge, const double *d) {
  int a = core->edge[2 * edge], b = core->edge[2 * edge + 1];
  double least = 1.0, u[3], m[3];
  for (int i = 0; i < 3; ++i) u[i] = core->wv[3 * b + i] - core->wv[3 * a + i];
  for (int f = 0; f < core->nf; ++f)
    for (int k = core->first[f]; k < core->first[f + 1]; ++k) {
      int p = core->loop[k], q = core->loop[k + 1 < core->first[f + 1] ? k + 1 : core->first[f]];
      if ((p != a || q != b) && (p != b || q != a)) continue;
      nsds_cross(u, core->wn + 3 * f, m); /* out of the face, if the loop leads from a to b */
      least = fmin(least, (p == a ? 1.0 : -1.0) * nsds_dot(m, d) / nsds_length(m));
    }
  return least;
}

double nsds_in_cone(const nsds_core *core, int vertex, const double *d) {
  double least = 1.0, u[3];
  for (int e = 0; e < core->ne; ++e) {
    const int *edge = core->edge + 2 * e;
    if (edge[0] != vertex && edge[1] != vertex) continue;
    int other = edge[0] == vertex ? edge[1] : edge[0];
    for (int i = 0; i < 3; ++i) u[i] = core->wv[3 * vertex + i] - core->wv[3 * other + i];
    least = fmin(least, nsds_dot(u, d) / nsds_length(u));
  }
  return least;
}

/* Returns true if vertex or edge p of a triangle lies on its side k, in the plane a vertex. */
static bool is_on_side(const nsds_core *flat, nsds_core_part p, int k) {
  if (is_plane(flat)) return p.index == flat->loop[k];
  int from = flat->loop[k], to = flat->loop[(k + 1) % flat->first[1]];
  if (p.kind == NSDS_PART_POINT) return p.index == from || p.index == to;
  int a = flat->edge[2 * p.index], b = flat->edge[2 * p.index + 1];
  return (a == from && b == to) || (a == to && b == from);
}

/* Edges and vertices of triangles stop a body along d in front of them only, and not over a side
 * where a neighbour continues the surface. Returns the sine of the angle by which d may turn. */
static double front_room(const nsds_core *flat, nsds_core_part p, const double *d) {
  double least = nsds_dot(d, flat->wn) - 1e-6, m[3];
  const double *x;
  for (int k = 0; k < flat->first[1]; ++k) {
    if (flat->lean[k] >= 2.0 || !is_on_side(flat, p, k)) continue;
    nsds_side(flat, 0, k, flat->wn, m, &x);
    least = fmin(least, flat->lean[k] + 1e-9 - nsds_dot(d, m));
  }
  return least;
}

/* Returns the sine of the angle by which d, normal to a rim or at a tip, lies beyond the side. */
static double beyond_side(const nsds_core *core, nsds_core_part p, const double *x,
                          const double *d) {
  double over = nsds_dot(core->round->axes, d) - nsds_round_lean(core->round), out = 0.0, centre[3];
  if (p.index == 0) over = -over;
  if (p.kind == NSDS_PART_POINT) return over;
  disc_centre(core, p.index, centre);
  for (int i = 0; i < 3; ++i) out += d[i] * (x[i] - centre[i]) / core->round->size[1 + p.index];
  return fmin(over, out);
}

/* Returns how far d lies between the normals of the surfaces beside a part, a sine. */
static double normals_room(const nsds_core *core, nsds_core_part p, const double *x,
                           const double *d) {
  bool round = core->round != NULL;
  if (p.kind == NSDS_PART_WHOLE || nsds_part_is_mark(core, p)) return INFINITY;
  if (round) return beyond_side(core, p, x, d);
  return p.kind == NSDS_PART_LINE ? in_wedge(core, p.index, d) : nsds_in_cone(core, p.index, d);
}

/* Returns the sine by which d may leave the normals beside a part. An edge with a radius, and its end,
 * are one smooth surface: only one of both touches. */
static double lean_of(const nsds_core *core, nsds_core_part p, const nsds_core *other,
                      nsds_core_part q) {
  bool smooth = core->radius + other->radius > 0.0 || q.kind == NSDS_PART_WHOLE;
  bool lies = q.kind == NSDS_PART_FACE || (p.kind == NSDS_PART_LINE && q.kind == NSDS_PART_SIDE);
  return smooth && !lies && p.kind != NSDS_PART_RIM ? 0.0 : nsds_parts_lean;
}

/* Returns the room of a part of `core` that touches at x, with d out of the core. */
static double part_room(const nsds_core *core, nsds_core_part p, const nsds_core *other,
                        nsds_core_part q, const double *x, const double *d, double own,
                        double flat) {
  bool mark = nsds_part_is_mark(core, p);
  double size = parts_size(core, other);
  if (is_surface(core, p))
    return p.kind == NSDS_PART_LINE ? in_line(core, p.index, x) : surface_room(core, p, x, d, own);
  double room = (normals_room(core, p, x, d) + lean_of(core, p, other, q)) * size;
  if (core->flat) room = fmin(room, front_room(core, p, d) * size);
  if (p.kind == NSDS_PART_LINE) room = fmin(room, in_line(core, p.index, x));
  if (q.kind == NSDS_PART_FACE && (p.kind == NSDS_PART_RIM || mark)) {
    double across[3], leans;
    nsds_cross(core->round->axes, d, across);
    leans = nsds_length(across) / (mark ? flat : nsds_disc_flat) - 1.0;
    room = fmin(room, (mark ? -4.0 : 4.0) * begins * size * leans);
  }
  return room;
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* Returns the largest d.x of a part. */
static double part_reach(const nsds_core *core, nsds_core_part p, const double *d) {
  double ends[6], most = -INFINITY;
  if (!core->round && p.kind == NSDS_PART_FACE) {
    for (int k = core->first[p.index]; k < core->first[p.index + 1]; ++k)
      most = fmax(most, nsds_dot(d, core->wv + 3 * core->loop[k]));
    return most;
  }
  part_ends(core, p, d, ends);
  most = fmax(nsds_dot(d, ends), nsds_dot(d, ends + 3));
  if (core->round && p.kind == NSDS_PART_FACE) {
    double across[3];
    nsds_cross(core->round->axes, d, across);
    most += core->round->size[1 + p.index] * nsds_length(across);
  }
  return most;
}

bool nsds_parts_run(const nsds_part_pair *pair) {
  bool lines = true, rim = false;
  for (int k = 0; k < 2; ++k) {
    nsds_part_kind kind = pair->part[k].kind;
    lines = lines && (kind == NSDS_PART_LINE || kind == NSDS_PART_SIDE);
    rim = rim || kind == NSDS_PART_RIM;
  }
  return lines || rim;
}

bool nsds_parts_near(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair,
                     double reach) {
  const double *n = pair->hint, back[3] = {-n[0], -n[1], -n[2]};
  double s = -part_reach(a, pair->part[0], back) - part_reach(b, pair->part[1], n);
  return s - a->radius - b->radius <= reach;
}

/* Computes where two lines come nearest, as seen along n, on the first of them. */
static bool lines_meet(const double *a, const double *b, const double *n, double *x) {
  double u[3], v[3], r[3], uv[3], rv[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = a[3 + i] - a[i];
    v[i] = b[3 + i] - b[i];
    r[i] = b[i] - a[i];
  }
  nsds_cross(u, v, uv);
  nsds_cross(r, v, rv);
  double det = nsds_dot(n, uv), t = nsds_dot(n, rv) / det;
  for (int i = 0; i < 3; ++i) x[i] = a[i] + (isfinite(t) ? t : 0.5) * u[i];
  return isfinite(t);
}

/* The points of two parts, s apart along n. */
typedef struct part_points {
  double n[3], s, xa[3], xb[3];
  bool turned; /* of two curves: how they cross */
} part_points;

static bool meet_curves(const nsds_core *const core[2], const nsds_part_pair *pair, part_points *at,
                        double *room) {
  curve a, b;
  memcpy(at->n, pair->hint, sizeof at->n);
  bool found = cross_curves(core, pair, &a, &b, at->n, room);
  if (!found) return false;
  at->turned = nsds_dot(at->n, pair->hint) < 0.0;
  at->s = 0.0;
  for (int i = 0; i < 3; ++i) {
    if (at->turned) at->n[i] = -at->n[i];
    at->s += at->n[i] * (a.x[i] - b.x[i]);
    at->xa[i] = a.x[i];
    at->xb[i] = b.x[i];
  }
  return true;
}

/* A capsule that lies on a disc crosses its rim. Along the normal of the disc the rim has no point of its own, so
 * that curves serve, unless the capsule runs along the rim. */
static bool meet_across(const nsds_core *const core[2], const nsds_part_pair *pair, part_points *at,
                        double *room) {
  bool found =
      meet_curves(core, pair, at, room) && *room > nsds_parts_lean * parts_size(core[0], core[1]);
  *room = INFINITY;
  at->turned = found && at->turned;
  return found;
}

static bool meet_side(const nsds_core *const core[2], const nsds_part_pair *pair, int rim,
                      part_points *at, double *room) {
  const nsds_core *side = core[1 - rim];
  double sign = rim == 0 ? 1.0 : -1.0, d[3], ends[6], out[3], bent = 0.0;
  curve c;
  if (!curve_begin(&c, core[rim], pair->part[rim], pair->point) ||
      !pass_side(side, &c, d, &at->turned, &bent))
    return false;
  *room = (bent - parallel) * parts_size(core[0], core[1]);
  nsds_round_side(side, d, ends, out);
  at->s = 0.0;
  for (int i = 0; i < 3; ++i) {
    at->n[i] = sign * d[i];
    at->s += d[i] * (c.x[i] - 0.5 * (ends[i] + ends[3 + i]));
  }
  for (int i = 0; i < 3; ++i) {
    double foot = c.x[i] - at->s * d[i];
    at->xa[i] = rim == 0 ? c.x[i] : foot;
    at->xb[i] = rim == 0 ? foot : c.x[i];
  }
  return true;
}

/* Finds the points by the normal; along the hint if there is none. */
static bool meet_by_normal(parts *t, const nsds_part_pair *pair, part_points *at, double *room) {
  double w[3], ea[6], eb[6];
  bool found = find_normal(t, pair->hint, at->n, room);
  if (!found) memcpy(at->n, pair->hint, sizeof at->n);
  const double back[3] = {-at->n[0], -at->n[1], -at->n[2]};
  at->s = parts_way(t, at->n, w);
  part_ends(t->core[0], t->part[0], back, ea);
  part_ends(t->core[1], t->part[1], at->n, eb);
  if (parts_has_point(t->part[0])) memcpy(at->xa, ea, sizeof at->xa);
  else if (parts_has_point(t->part[1]))
    for (int i = 0; i < 3; ++i) at->xa[i] = eb[i] + at->s * at->n[i];
  else found = lines_meet(ea, eb, at->n, at->xa) && found;
  for (int i = 0; i < 3; ++i) at->xb[i] = at->xa[i] - at->s * at->n[i];
  return found;
}

static void write_spot(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair,
                       const part_points *at, nsds_spot *touch) {
  touch->gap = at->s - a->radius - b->radius;
  touch->feature = UINT64_C(12) << 52 | (uint64_t)at->turned << 51;
  for (int i = 0; i < 3; ++i) {
    touch->normal[i] = at->n[i];
    touch->point[i] = at->xa[i] - (a->radius + 0.5 * touch->gap) * at->n[i];
  }
  for (int k = 0; k < 2; ++k) {
    uint64_t part = (uint64_t)pair->part[k].kind << 20 | (uint64_t)pair->part[k].index;
    touch->feature |= part << (k == 0 ? 26 : 0);
  }
}

bool nsds_parts_meet(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair,
                     nsds_spot *touch, double *room) {
  const nsds_core_part p = pair->part[0], q = pair->part[1];
  parts t = {.core = {a, b}, .part = {p, q}};
  part_points at = {.turned = false};
  *room = INFINITY;
  int rim = rim_before_side(pair);
  bool curves = are_curves(a, b, pair), across = nsds_parts_lie_across(a, b, pair);
  bool found = rim >= 0 ? meet_side(t.core, pair, rim, &at, room)
               : across ? meet_across(t.core, pair, &at, room)
                        : curves && meet_curves(t.core, pair, &at, room);
  if (!found) found = meet_by_normal(&t, pair, &at, room) && rim < 0 && !curves;
  write_spot(a, b, pair, &at, touch);
  const double *n = at.n, back[3] = {-n[0], -n[1], -n[2]};
  if (!found) {
    *room = -INFINITY;
    return false;
  }
  /* a surface asks for the point of the other part */
  bool on_a = is_surface(a, p), on_b = is_surface(b, q);
  const double *x = on_a && !on_b ? at.xb : at.xa, *y = on_b && !on_a ? at.xa : at.xb;
  double own = on_a && on_b ? 0.0 : at.s;
  *room = fmin(*room, part_room(a, p, b, q, x, back, own, pair->flat));
  *room = fmin(*room, part_room(b, q, a, p, y, n, own, pair->flat));
  return true;
}

bool nsds_parts_touch(const nsds_core *a, const nsds_core *b, double room) {
  return room >= -begins * parts_size(a, b);
}

double nsds_parts_margin(const nsds_core *a, const nsds_core *b, double room, bool touch) {
  return touch ? room + 2.0 * begins * parts_size(a, b) : -room;
}
