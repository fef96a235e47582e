/*
 * Contacts of a disc with what looks at it, seen along n. On the plane of the disc the rim is an
 * exact circle. With a face they are the corners of the common area:
 *
 *     corners of the face on the disc,
 *     points where its sides cross the rim,
 *     points of the rim over the face, the first of them the one farthest along n.
 *
 * Two discs have points of either rim over the other disc, and the points where the rims cross. Each
 * contact is a pair of points, one on each surface, that lie on a line along n.
 */
#include "kernel/contact/disc_clip.h"

#include "kernel/contact/clip.h"
#include "kernel/modeling/body.h"

/* Names of points where a side, or the other rim, comes over the disc and leaves it. */
enum { rim_enters = nsds_rim_points, rim_leaves };

/* A face that leans so much from n hides behind its own edges. */
static const double least_steep = 1e-3;

static const double rim_cos[nsds_rim_points] = {
    1,  0.70710678118654752440,  0, -0.70710678118654752440,
    -1, -0.70710678118654752440, 0, 0.70710678118654752440};

static double rim_sin(int k) { return rim_cos[(k + 6) % nsds_rim_points]; }

static void disc_point(const nsds_disc *disc, double x, double y, double *p) {
  for (int i = 0; i < 3; ++i) p[i] = disc->centre[i] + x * disc->e[0][i] + y * disc->e[1][i];
}

void nsds_rim_point(const nsds_disc *disc, int k, double *x) {
  disc_point(disc, disc->r * rim_cos[k], disc->r * rim_sin(k), x);
}

/* Computes the foot of x on the plane of the disc, along n, and its place there. */
static void onto_disc(const nsds_disc *disc, const double *n, const double *x, double *foot,
                      double *place) {
  double way[3];
  for (int i = 0; i < 3; ++i) way[i] = x[i] - disc->centre[i];
  double s = nsds_dot(disc->axis, way) / nsds_dot(disc->axis, n);
  for (int i = 0; i < 3; ++i) {
    foot[i] = x[i] - s * n[i];
    way[i] = foot[i] - disc->centre[i];
  }
  place[0] = nsds_dot(disc->e[0], way);
  place[1] = nsds_dot(disc->e[1], way);
}

static double square_of(const double *p) { return p[0] * p[0] + p[1] * p[1]; }

/* ---- a disc and a face ----------------------------------------------------------------------- */

typedef struct disc_look {
  nsds_collision *c;
  const nsds_disc *disc;
  const nsds_core *other;
  const double *n;
  bool first;  /* the disc is a's */
  double wide; /* square of the radius with slack */
} disc_look;

/* Adds a contact of a point on the disc and one of the other core. */
static void disc_add(const disc_look *l, const double *on_disc, const double *on_other,
                     const int *rim, const int *own) {
  if (l->first) nsds_add_spot(l->c, l->n, on_disc, on_other, rim, own);
  else nsds_add_spot(l->c, l->n, on_other, on_disc, own, rim);
}

/* Adds the contacts where the way from vertex u at p to vertex v at q, places on the disc's plane,
 * crosses the rim. */
static void disc_cut(const disc_look *l, int u, int v, const double *p, const double *q) {
  const double d[2] = {q[0] - p[0], q[1] - p[1]}, r = l->disc->r;
  double a = square_of(d), b = p[0] * d[0] + p[1] * d[1], c = square_of(p) - r * r;
  double square = b * b - a * c;
  if (!(a > 0.0) || !(square > 0.0)) return;
  double far = b > 0.0 ? -b - sqrt(square) : -b + sqrt(square), t[2] = {far / a, c / far};
  if (t[0] > t[1]) far = t[0], t[0] = t[1], t[1] = far;
  const bool inside[2] = {square_of(p) <= l->wide, square_of(q) <= l->wide};
  const double *x = l->other->wv + 3 * u, *y = l->other->wv + 3 * v;
  for (int k = 0; k < 2; ++k) {
    double at[3], foot[3], place[2];
    if (inside[k] || !(t[k] > 0.0 && t[k] < 1.0)) continue;
    for (int i = 0; i < 3; ++i) at[i] = x[i] + t[k] * (y[i] - x[i]);
    onto_disc(l->disc, l->n, at, foot, place);
    const int name = k == 0 ? rim_enters : rim_leaves;
    disc_add(l, foot, at, (const int[]){name, name}, (const int[]){u, v});
  }
}

/* Adds the points of the rim over the face; `over` is how far they are inside its sides. */
static void disc_rim(const disc_look *l, int face, const double *over) {
  const double *m = l->other->wn + 3 * face;
  const double *corner = l->other->wv + 3 * l->other->loop[l->other->first[face]];
  double steep = nsds_dot(m, l->n);
  if (fabs(steep) < least_steep) return;
  for (int k = 0; k < nsds_rim_points; ++k) {
    double x[3], y[3], way[3];
    if (!(over[k] >= -l->c->slack)) continue;
    nsds_rim_point(l->disc, k, x);
    for (int i = 0; i < 3; ++i) way[i] = x[i] - corner[i];
    double s = nsds_dot(m, way) / steep;
    for (int i = 0; i < 3; ++i) y[i] = x[i] - s * l->n[i];
    disc_add(l, x, y, (const int[]){k, k}, (const int[]){-1, -1});
  }
}

/* Takes the least of the distances of rim points from a side, on its inner side if turn > 0. */
static void rim_over(double r, double turn, const double *p, const double *q, double *over) {
  double d[2] = {q[0] - p[0], q[1] - p[1]}, length = sqrt(square_of(d));
  if (!(length > 0.0)) return;
  double x = turn * d[0] / length, y = turn * d[1] / length, level = x * p[1] - y * p[0];
  for (int k = 0; k < nsds_rim_points; ++k) {
    double in = r * (x * rim_sin(k) - y * rim_cos[k]) - level;
    if (in < over[k]) over[k] = in;
  }
}

void nsds_disc_clip(nsds_collision *c, const nsds_disc *disc, const nsds_core *other, int face,
                    const int line[2], bool first, const double *n) {
  const int *loop = face < 0 ? line : other->loop + other->first[face];
  int count = face < 0 ? 1 + (line[0] != line[1]) : other->first[face + 1] - other->first[face];
  double r = disc->r + c->slack, foot[3], next[3], p[2], q[2], over[nsds_rim_points];
  disc_look l = {.c = c, .disc = disc, .other = other, .n = n, .first = first, .wide = r * r};
  for (int k = 0; k < nsds_rim_points; ++k) over[k] = INFINITY;
  bool turned = face >= 0 && nsds_dot(other->wn + 3 * face, n) * nsds_dot(disc->axis, n) < 0.0;
  onto_disc(disc, n, other->wv + 3 * loop[0], foot, p);
  for (int k = 0; k < count; ++k) {
    int u = loop[k], v = loop[(k + 1) % count];
    onto_disc(disc, n, other->wv + 3 * v, next, q);
    if (square_of(p) <= l.wide)
      disc_add(&l, foot, other->wv + 3 * u, (const int[]){-1, -1}, (const int[]){u, u});
    if (count > 2 || k + 1 < count) disc_cut(&l, u, v, p, q);
    if (count > 2) rim_over(disc->r, turned ? -1.0 : 1.0, p, q, over);
    memcpy(foot, next, sizeof foot);
    memcpy(p, q, sizeof p);
  }
  if (count > 2) disc_rim(&l, face, over);
}

/* ---- two discs ------------------------------------------------------------------------------- */

/* Adds a contact of a point x of disc `own` and its foot on the other disc. */
static void discs_add(const disc_look *l, const double *x, const double *foot, int name,
                      int other) {
  disc_add(l, foot, x, (const int[]){other, other}, (const int[]){name, name});
}

/* Adds the rim points of a disc that lie over the other one, l->disc. */
static void discs_rim(const disc_look *l, const nsds_disc *own) {
  for (int k = 0; k < nsds_rim_points; ++k) {
    double x[3], foot[3], place[2];
    nsds_rim_point(own, k, x);
    onto_disc(l->disc, l->n, x, foot, place);
    if (square_of(place) <= l->wide) discs_add(l, x, foot, k, -1);
  }
}

/* Adds a point where the rims cross, by Newton's method over the angle t on the rim of `own`. Points of
 * this rim are m + (cos t) u + (sin t) v on the plane of l->disc. */
static void discs_cross(const disc_look *l, const nsds_disc *own, const double *m, const double *u,
                        const double *v, double t, int name) {
  double r = l->disc->r, f = INFINITY, x[3], foot[3], place[2];
  for (int step = 0; step < 6 && fabs(f) > 1e-15 * r * r; ++step) {
    double c = cos(t), s = sin(t), slope = 0.0;
    f = -r * r;
    for (int i = 0; i < 2; ++i) {
      double p = m[i] + c * u[i] + s * v[i];
      f += p * p;
      slope += 2.0 * p * (c * v[i] - s * u[i]);
    }
    t -= f / slope;
  }
  if (!(fabs(f) <= 2.0 * r * l->c->slack)) return;
  disc_point(own, own->r * cos(t), own->r * sin(t), x);
  onto_disc(l->disc, l->n, x, foot, place);
  discs_add(l, x, foot, name, name);
}

void nsds_discs_meet(nsds_collision *c, const nsds_disc *a, const nsds_disc *b, const double *n) {
  double ra = a->r + c->slack, rb = b->r + c->slack, foot[3], m[2], end[2], x[3];
  double u[2] = {0.0}, v[2] = {0.0};
  const disc_look on_a = {.c = c, .disc = a, .n = n, .first = true, .wide = ra * ra},
                  on_b = {.c = c, .disc = b, .n = n, .first = false, .wide = rb * rb};
  discs_rim(&on_a, b);
  discs_rim(&on_b, a);
  onto_disc(a, n, b->centre, foot, m);
  for (int k = 0; k < 2; ++k) {
    disc_point(b, k == 0 ? b->r : 0.0, k == 1 ? b->r : 0.0, x);
    onto_disc(a, n, x, foot, end);
    for (int i = 0; i < 2; ++i) (k == 0 ? u : v)[i] = end[i] - m[i];
  }
  /* two circles tell about where the ellipse crosses the rim */
  double apart = sqrt(square_of(m));
  double part = (a->r * a->r - apart * apart - b->r * b->r) / (2.0 * apart * b->r);
  if (!(fabs(part) < 1.0)) return;
  double det = u[0] * v[1] - u[1] * v[0];
  for (int side = -1; side <= 1; side += 2) {
    double across = side * sqrt(1.0 - part * part);
    double p[2] = {part * m[0] - across * m[1], part * m[1] + across * m[0]};
    double t = atan2((u[0] * p[1] - u[1] * p[0]) / det, (p[0] * v[1] - p[1] * v[0]) / det);
    discs_cross(&on_a, b, m, u, v, t, side < 0 ? rim_enters : rim_leaves);
  }
}
