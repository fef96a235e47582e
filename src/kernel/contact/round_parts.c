/*
 * Cylinders and cones before each other, before boxes, hulls without a radius, capsules and triangles,
 * by parts of their surfaces. Each pair of parts has a gap that is smooth along the motion. Let h be the
 * support functions of two parts. Their normal n is a maximum of
 *
 *     s(n) = -h_a(-n) - h_b(n)     on the unit sphere, where
 *
 *     face          n is the normal
 *     line, side    n.u = k: normal to an edge, or at the angle of the side of a cone
 *     point, rim    n is any direction
 *
 * Two conditions n.u = k have a closed form; one is solved over an angle, none over the sphere, by
 * Newton's method from a hint. A point, a rim or an edge before a face or a side touches as long as no
 * other face or side of that core is farther in front of it: every point of a body must be outside the
 * other one. Two edges, or rims, touch as long as n lies between the normals beside both.
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
/* The sine below which lines are parallel, and the sine by which normals may leave those beside an
 * edge: there an overlap of edges comes after that of other parts. */
static const double parallel = 1e-5, lean = 0.05;

enum { marks = nsds_rim_points };

static double parts_size(const nsds_core *a, const nsds_core *b) {
  return fmin(a->around, b->around);
}

static bool is_disc(const nsds_core *core, int disc) { return core->round->size[1 + disc] > 0.0; }

static bool has_discs(const nsds_core *core) {
  return core->round && core->round->kind == NSDS_ROUND_DISCS;
}

static bool is_capsule(const nsds_core *core) { return !core->round && core->nf == 0; }

/* ---- parts ----------------------------------------------------------------------------------- */

int nsds_parts_count(const nsds_core *core) {
  if (core->round) return has_discs(core) ? 7 + 2 * marks : 0;
  if (core->nf > 0 && core->radius > 0.0 && !core->flat) return 0;
  return core->nv == 1 ? 0 : core->nv + core->ne + core->nf;
}

nsds_part nsds_parts_get(const nsds_core *core, int k) {
  if (core->round) {
    if (k < 2 + 2 * marks) return (nsds_part){NSDS_PART_POINT, k};
    k -= 2 + 2 * marks;
    if (k == 4) return (nsds_part){NSDS_PART_SIDE, 0};
    return (nsds_part){k < 2 ? NSDS_PART_FACE : NSDS_PART_RIM, k % 2};
  }
  if (k < core->nv) return (nsds_part){NSDS_PART_POINT, k};
  k -= core->nv;
  if (k < core->ne) return (nsds_part){NSDS_PART_LINE, k};
  return (nsds_part){NSDS_PART_FACE, k - core->ne};
}

bool nsds_part_is_mark(const nsds_core *core, nsds_part p) {
  return core->round && p.kind == NSDS_PART_POINT && p.index >= 2;
}

/* Returns false for parts that a core with this form does not have. */
static bool part_exists(const nsds_core *core, nsds_part p) {
  if (!core->round) return p.kind != NSDS_PART_LINE || core->edge[2 * p.index] != core->edge[2 * p.index + 1];
  if (p.kind == NSDS_PART_SIDE) return true;
  if (nsds_part_is_mark(core, p)) return is_disc(core, (p.index - 2) / marks);
  return is_disc(core, p.index) == (p.kind != NSDS_PART_POINT);
}

/* Returns true if points, rims and edges touch a part by its surface, and not by an edge. */
static bool is_surface(const nsds_core *core, nsds_part p) {
  return p.kind == NSDS_PART_FACE || p.kind == NSDS_PART_SIDE ||
         (p.kind == NSDS_PART_LINE && is_capsule(core));
}

bool nsds_parts_may_touch(const nsds_core *a, nsds_part p, const nsds_core *b, nsds_part q) {
  if (!part_exists(a, p) || !part_exists(b, q)) return false;
  if (nsds_part_is_mark(a, p)) return q.kind == NSDS_PART_FACE;
  if (nsds_part_is_mark(b, q)) return p.kind == NSDS_PART_FACE;
  if (p.kind == NSDS_PART_FACE) return q.kind == NSDS_PART_POINT || q.kind == NSDS_PART_RIM;
  if (q.kind == NSDS_PART_FACE) return p.kind == NSDS_PART_POINT || p.kind == NSDS_PART_RIM;
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
static void part_ends(const nsds_core *core, nsds_part p, const double *d, double *ends) {
  double out[3], x[6];
  if (!core->round) {
    int from = p.kind == NSDS_PART_LINE ? core->edge[2 * p.index]
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
  if (p.kind == NSDS_PART_RIM) {
    nsds_round_side(core, d, x, out);
    memcpy(ends, x + 3 * p.index, 3 * sizeof *ends);
  } else if (nsds_part_is_mark(core, p)) {
    int k = p.index - 2;
    nsds_disc_mark(core->round, core->round->axes, core->wv, k / marks, k % marks, ends);
  } else disc_centre(core, p.index, ends);
  memcpy(ends + 3, ends, 3 * sizeof *ends);
}

void nsds_part_face(const nsds_core *core, int face, double *normal, double *offset) {
  const double *n = core->round ? core->round->own : core->n + 3 * face;
  const double *x = core->v + (core->round ? 0 : 3 * core->loop[core->first[face]]);
  for (int i = 0; i < 3; ++i) normal[i] = core->round && face == 0 ? -n[i] : n[i];
  *offset = nsds_dot(normal, x) + (core->round ? core->round->size[0] : 0.0);
}

/* Computes the outward normal of a face. */
static void face_normal(const nsds_core *core, int face, double *n) {
  for (int i = 0; i < 3; ++i)
    n[i] = !core->round ? core->wn[3 * face + i]
           : face == 1  ? core->round->axes[i]
                        : -core->round->axes[i];
}

/* Returns how far x is before a face, or before the side. */
static double before_face(const nsds_core *core, int face, const double *x) {
  double n[3], p[3], off = 0.0;
  face_normal(core, face, n);
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
  nsds_part part[2];
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
static double part_bend(const nsds_core *core, nsds_part p, const double *d, const double *m) {
  double ends[6], out[3], t[3];
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

/* Finds n on two circles: that of the larger separation. */
static bool cross_circles(const parts *t, double *n) {
  const double *u = t->u[0], *v = t->u[1];
  double d = nsds_dot(u, v), m[3], w[3], best = -INFINITY;
  nsds_cross(u, v, m);
  double det = nsds_dot(m, m);
  if (!(det > parallel * parallel)) return false;
  double x = (t->k[0] - d * t->k[1]) / det, y = (t->k[1] - d * t->k[0]) / det;
  double rest = (1.0 - (x * x + y * y + 2.0 * x * y * d)) / det;
  if (rest < 0.0) return false;
  for (int sign = -1; sign <= 1; sign += 2) {
    double one[3];
    for (int i = 0; i < 3; ++i) one[i] = x * u[i] + y * v[i] + sign * sqrt(rest) * m[i];
    double s = parts_way(t, one, w);
    if (s > best) best = s, memcpy(n, one, sizeof one);
  }
  return true;
}

enum { newton_steps = 30 };
/* The error after a step is about its square. */
static const double newton_small = 1e-9, longest = 0.3;

/* Finds n on one circle, from n. */
static bool climb_circle(const parts *t, double *n) {
  const double *u = t->u[0], k = t->k[0], r = sqrt(1.0 - k * k);
  double p[3], q[3], w[3], step = 1.0;
  for (int round = 0; round < newton_steps && fabs(step) > newton_small; ++round) {
    double along = nsds_dot(u, n);
    for (int i = 0; i < 3; ++i) p[i] = n[i] - along * u[i];
    if (!parts_unit(p)) return false;
    nsds_cross(u, p, q);
    for (int i = 0; i < 3; ++i) n[i] = k * u[i] + r * p[i];
    parts_way(t, n, w);
    double slope = r * nsds_dot(q, w), bend = r * nsds_dot(p, w) + r * r * parts_bend(t, n, q);
    step = bend > 0.0 ? slope / bend : slope > 0.0 ? longest : -longest;
    step = fmax(-longest, fmin(longest, step));
    for (int i = 0; i < 3; ++i) n[i] = k * u[i] + r * (cos(step) * p[i] + sin(step) * q[i]);
  }
  return fabs(step) <= newton_small;
}

/* Finds n on the sphere, from n. */
static bool climb_sphere(const parts *t, double *n) {
  double length = 1.0;
  for (int round = 0; round < newton_steps && length > newton_small; ++round) {
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
    length = sqrt(x * x + y * y);
    if (!isfinite(length)) return false;
    double part = length > longest ? longest / length : 1.0;
    for (int i = 0; i < 3; ++i) n[i] += part * (x * p[i] + y * q[i]);
    if (!parts_unit(n)) return false;
  }
  return length <= newton_small;
}

/* Adds the circle of normals of a line or side. `sign` leads from directions out of the core to n. */
static bool add_circle(parts *t, int which, double sign) {
  const nsds_core *core = t->core[which];
  nsds_part p = t->part[which];
  double *u = t->u[t->ncircle];
  if (p.kind != NSDS_PART_LINE && p.kind != NSDS_PART_SIDE) return true;
  bool line = p.kind == NSDS_PART_LINE;
  const int *edge = line ? core->edge + 2 * p.index : NULL;
  for (int i = 0; i < 3; ++i)
    u[i] = line ? core->wv[3 * edge[1] + i] - core->wv[3 * edge[0] + i]
                : sign * core->round->axes[i];
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

static bool find_normal(parts *t, const double *hint, double *n) {
  for (int k = 0; k < 2; ++k) {
    if (t->part[k].kind != NSDS_PART_FACE) continue;
    face_normal(t->core[k], t->part[k].index, n);
    for (int i = 0; i < 3; ++i) n[i] = k == 0 ? -n[i] : n[i];
    return true;
  }
  if (!add_circle(t, 0, -1.0) || !add_circle(t, 1, 1.0)) return false;
  memcpy(n, hint, 3 * sizeof *n);
  if (t->ncircle == 2) return cross_circles(t, n);
  hint_of_point(t, n);
  return t->ncircle == 1 ? climb_circle(t, n) : climb_sphere(t, n);
}

/* ---- room ------------------------------------------------------------------------------------ */

static double in_triangle(const nsds_core *core, const double *x) {
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

/* Returns how far a face or the side is the foremost one for x, or for the foot of a ball around x. */
static double surface_room(const nsds_core *core, nsds_part p, const double *x, const double *d,
                           double radius) {
  bool side = p.kind == NSDS_PART_SIDE;
  double most = -INFINITY, own = side ? before_side(core, x) : before_face(core, p.index, x), y[3];
  int faces = core->round ? 2 : core->nf;
  if (core->flat) return in_triangle(core, x);
  for (int i = 0; i < 3; ++i) y[i] = x[i] - (radius > 0.0 ? own * d[i] : 0.0);
  for (int f = 0; f < faces; ++f)
    if (side || f != p.index) most = fmax(most, before_face(core, f, y));
  if (core->round && !side) most = fmax(most, before_side(core, y));
  return radius > 0.0 ? -most : own - most;
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

/* Returns the room of a part of `core` that touches at x, with d out of the core. */
static double part_room(const nsds_core *core, nsds_part p, const nsds_core *other, nsds_part q,
                        const double *x, const double *d, double flat) {
  bool surface = is_surface(other, q), mark = nsds_part_is_mark(core, p);
  double size = parts_size(core, other);
  double room = INFINITY, along = core->round ? nsds_dot(core->round->axes, d) : 0.0;
  if (is_surface(core, p))
    return p.kind == NSDS_PART_LINE ? in_line(core, p.index, x)
                                    : surface_room(core, p, x, d, other->radius);
  if (p.kind == NSDS_PART_LINE) room = in_line(core, p.index, x);
  if (q.kind == NSDS_PART_FACE && (p.kind == NSDS_PART_RIM || mark)) {
    double across[3], leans;
    nsds_cross(core->round->axes, d, across);
    leans = nsds_length(across) / (mark ? flat : nsds_disc_flat) - 1.0;
    room = fmin(room, (mark ? -4.0 : 4.0) * begins * size * leans);
  }
  if (surface) return room;
  if (p.kind == NSDS_PART_LINE) room = fmin(room, (in_wedge(core, p.index, d) + lean) * size);
  if (p.kind == NSDS_PART_RIM) {
    double over = along - nsds_round_lean(core->round);
    room = fmin(room, ((p.index ? over : -over) + lean) * size);
  }
  return room;
}

/* Triangles stop bodies on their front, and not by edges that a neighbour continues. */
static bool is_behind(const nsds_core *flat, nsds_part p, const double *d) {
  if (!flat->flat || p.kind == NSDS_PART_FACE) return false;
  return nsds_dot(d, flat->wn) < 1e-6 || nsds_leans_over(flat, d, 1.0);
}

/* Computes the direction of an edge or rim where it is farthest along d. */
static void part_tangent(const nsds_core *core, nsds_part p, const double *d, double *t) {
  double ends[6], out[3];
  if (p.kind == NSDS_PART_LINE) {
    const int *edge = core->edge + 2 * p.index;
    for (int i = 0; i < 3; ++i) t[i] = core->wv[3 * edge[1] + i] - core->wv[3 * edge[0] + i];
  } else {
    nsds_round_side(core, d, ends, out);
    nsds_cross(core->round->axes, out, t);
  }
}

/* Edges and rims must cross: those that are parallel touch by surfaces beside them. */
static double crossing_room(const parts *t, const double *n) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  double u[3], v[3], m[3];
  for (int k = 0; k < 2; ++k) {
    bool edge = t->part[k].kind == NSDS_PART_LINE || t->part[k].kind == NSDS_PART_RIM;
    if (!edge || is_surface(t->core[k], t->part[k])) return INFINITY;
  }
  part_tangent(t->core[0], t->part[0], back, u);
  part_tangent(t->core[1], t->part[1], n, v);
  nsds_cross(u, v, m);
  double sine = nsds_length(m) / (nsds_length(u) * nsds_length(v));
  return (sine - parallel) * parts_size(t->core[0], t->core[1]);
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* Returns the largest d.x of a part. */
static double part_reach(const nsds_core *core, nsds_part p, const double *d) {
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
  for (int i = 0; i < 3; ++i) x[i] = a[i] + t * u[i];
  return isfinite(t);
}

static bool is_definite(nsds_part p) {
  return p.kind == NSDS_PART_POINT || p.kind == NSDS_PART_RIM;
}

bool nsds_parts_meet(const nsds_core *a, const nsds_core *b, const nsds_part_pair *pair,
                     nsds_spot *touch, double *room) {
  parts t = {.core = {a, b}, .part = {pair->part[0], pair->part[1]}};
  double *n = touch->normal, w[3], ea[6], eb[6], xa[3], xb[3];
  *room = -INFINITY;
  if (!find_normal(&t, pair->hint, n)) return false;
  const double back[3] = {-n[0], -n[1], -n[2]};
  double s = parts_way(&t, n, w);
  part_ends(a, t.part[0], back, ea);
  part_ends(b, t.part[1], n, eb);
  if (is_definite(t.part[0])) memcpy(xa, ea, sizeof xa);
  else if (is_definite(t.part[1]))
    for (int i = 0; i < 3; ++i) xa[i] = eb[i] + s * n[i];
  else if (!lines_meet(ea, eb, n, xa)) return false;
  touch->gap = s - a->radius - b->radius;
  for (int i = 0; i < 3; ++i) {
    xb[i] = xa[i] - s * n[i];
    touch->point[i] = xa[i] - (a->radius + 0.5 * touch->gap) * n[i];
  }
  if (is_behind(a, t.part[0], back) || is_behind(b, t.part[1], n)) return false;
  /* a surface asks for the point of the other part */
  bool on_a = is_surface(a, t.part[0]), on_b = is_surface(b, t.part[1]);
  *room = fmin(part_room(a, t.part[0], b, t.part[1], on_a && !on_b ? xb : xa, back, pair->flat),
               part_room(b, t.part[1], a, t.part[0], on_b && !on_a ? xa : xb, n, pair->flat));
  *room = fmin(*room, crossing_room(&t, n));
  touch->feature = UINT64_C(12) << 52;
  for (int k = 0; k < 2; ++k) {
    uint64_t part = (uint64_t)t.part[k].kind << 20 | (uint64_t)t.part[k].index;
    touch->feature |= part << (k == 0 ? 26 : 0);
  }
  return true;
}

bool nsds_parts_touch(const nsds_core *a, const nsds_core *b, double room) {
  return room >= -begins * parts_size(a, b);
}

double nsds_parts_margin(const nsds_core *a, const nsds_core *b, double room, bool touch) {
  return touch ? room + 2.0 * begins * parts_size(a, b) : -room;
}
