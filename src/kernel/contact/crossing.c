/*
 * Finds edges of two cores that cross, and so may touch at their nearest points.
 *
 *   polytopes without a radius   The normal d_1 x d_2 must lead out of both cores: it lies between
 *                                the normals of the two faces beside each edge. Beyond this wedge,
 *                                by up to `lean`, the gap is still followed. There it cannot become
 *                                negative before a vertex lies inside the other core.
 *   cores with a radius          The surfaces around the edges may touch wherever the edges cross.
 *
 * Edges cross if their nearest points lie inside both. At an end of an edge the vertex touches in
 * its own right (features.c). Edges that begin to cross are found before the vertex leaves its face.
 */
#include "kernel/contact/crossing.h"

#include <math.h>

/* The sine by which normals may leave the wedge. The sine below which edges are parallel. The room
 * at which crossings begin, relative to the size of the cores: below twice that of features. */
static const double lean = 0.05, parallel = 1e-6, begins = 5e-11;

static double smaller_size(const nsds_core *const core[2]) {
  return fmin(core[0]->around, core[1]->around);
}

static bool is_sharp(const nsds_core *const core[2]) {
  return core[0]->radius + core[1]->radius == 0.0;
}

static void faces_beside(const nsds_core *core, int edge, int face[2]) {
  int a = core->edge[2 * edge], b = core->edge[2 * edge + 1], n = 0;
  face[0] = face[1] = -1;
  for (int f = 0; f < core->nf && n < 2; ++f) {
    int count = core->first[f + 1] - core->first[f];
    const int *loop = core->loop + core->first[f];
    for (int k = 0; k < count && n < 2; ++k) {
      int p = loop[k], q = loop[(k + 1) % count];
      if ((p == a && q == b) || (p == b && q == a)) face[n++] = f;
    }
  }
}

void nsds_edge_pair_faces(const nsds_core *const core[2], nsds_edge_pair *pair) {
  for (int k = 0; k < 2; ++k) faces_beside(core[k], pair->edge[k], pair->face[k]);
}

/* An edge in the world: its first end, unit direction and length. */
typedef struct line {
  double a[3], d[3], length;
} line;

double nsds_edge_pair_line(const nsds_core *core, int edge, const double *x, const double *R,
                           double *a, double *d) {
  double b[3];
  nsds_turn(R, core->v + 3 * core->edge[2 * edge], a);
  nsds_turn(R, core->v + 3 * core->edge[2 * edge + 1], b);
  for (int k = 0; k < 3; ++k) {
    d[k] = b[k] - a[k];
    a[k] += x[k];
  }
  double length = nsds_length(d);
  for (int k = 0; k < 3; ++k) d[k] /= length;
  return length;
}

static line line_of(const nsds_core *core, int edge, const double *x, const double *R) {
  line l;
  l.length = nsds_edge_pair_line(core, edge, x, R, l.a, l.d);
  return l;
}

/* The wedge of an edge: the normals of its faces in the world, turned so that they lead towards the
 * first core. */
typedef struct wedge {
  double n[2][3];
} wedge;

static wedge wedge_of(const nsds_core *core, const int face[2], const double *R, double sign) {
  wedge w = {{{0.0}}};
  for (int k = 0; k < 2; ++k) {
    nsds_turn(R, core->n + 3 * face[k], w.n[k]);
    for (int i = 0; i < 3; ++i) w.n[k][i] *= sign;
  }
  return w;
}

/* Returns the sine of the angle by which n lies inside the wedge; negative: outside. All vectors are
 * normal to the edge. */
static double inside_wedge(const wedge *w, const double *n) {
  double open[3], one[3], other[3];
  nsds_cross(w->n[0], w->n[1], open);
  nsds_cross(w->n[0], n, one);
  nsds_cross(n, w->n[1], other);
  double width = nsds_length(open);
  return fmin(nsds_dot(one, open), nsds_dot(other, open)) / width;
}

double nsds_edge_pair_room(const nsds_core *const core[2], const nsds_edge_pair *pair,
                           const nsds_core_places *at, double *side, nsds_crossing *c) {
  line l[2];
  wedge w[2];
  double out[3] = {0.0}, size = smaller_size(core);
  bool sharp = is_sharp(core);
  for (int k = 0; k < 2; ++k) l[k] = line_of(core[k], pair->edge[k], at->x[k], at->R[k]);
  for (int k = 0; sharp && k < 2; ++k) {
    w[k] = wedge_of(core[k], pair->face[k], at->R[k], k == 0 ? -1.0 : 1.0);
    for (int i = 0; i < 3; ++i) out[i] += w[k].n[0][i] + w[k].n[1][i];
  }
  nsds_cross(l[0].d, l[1].d, c->normal);
  c->sine = nsds_length(c->normal);
  *side = 1.0;
  c->distance = INFINITY;
  if (!(c->sine > parallel)) return (c->sine - parallel) * size;
  nsds_crossing_find(l[0].a, l[0].d, l[1].a, l[1].d, 1.0, c);
  if (sharp ? nsds_dot(c->normal, out) < 0.0 : c->distance < 0.0) {
    *side = -1.0;
    c->distance = -c->distance;
    for (int i = 0; i < 3; ++i) c->normal[i] = -c->normal[i];
  }
  double room = (c->sine - parallel) * size;
  for (int k = 0; k < 2; ++k) {
    room = fmin(room, fmin(c->along[k], l[k].length - c->along[k]));
    if (!sharp) continue;
    double sum[3];
    for (int i = 0; i < 3; ++i) sum[i] = w[k].n[0][i] + w[k].n[1][i];
    if (nsds_dot(sum, c->normal) < 0.0) return fmin(room, -size);
    room = fmin(room, (inside_wedge(&w[k], c->normal) + lean) * size);
  }
  return room;
}

double nsds_edge_pair_distance(const nsds_core *const core[2], const nsds_edge_pair *pair,
                               const nsds_core_places *at) {
  line p = line_of(core[0], pair->edge[0], at->x[0], at->R[0]);
  line q = line_of(core[1], pair->edge[1], at->x[1], at->R[1]);
  double r[3], apart[3], b = nsds_dot(p.d, q.d), square = 1.0 - b * b;
  for (int k = 0; k < 3; ++k) r[k] = q.a[k] - p.a[k];
  double along = nsds_dot(r, p.d), back = nsds_dot(r, q.d);
  double s = square > parallel * parallel ? (along - b * back) / square : 0.0;
  s = fmin(fmax(s, 0.0), p.length);
  double t = fmin(fmax(b * s - back, 0.0), q.length);
  s = fmin(fmax(b * t + along, 0.0), p.length);
  for (int k = 0; k < 3; ++k) apart[k] = p.a[k] + s * p.d[k] - q.a[k] - t * q.d[k];
  return nsds_length(apart) - core[0]->radius - core[1]->radius;
}

bool nsds_edges_cross(const nsds_core *const core[2], double room) {
  return room >= begins * smaller_size(core);
}

double nsds_edge_pair_margin(const nsds_core *const core[2], double room, bool cross) {
  double way = begins * smaller_size(core);
  return cross ? room : 2.0 * way - room;
}

void nsds_edge_pair_follow(const nsds_core *const core[2], const nsds_edge_pair *pair, double side,
                           bool fixed, nsds_crossing_pair *out) {
  *out = (nsds_crossing_pair){.fixed = fixed, .side = side};
  const double still[3] = {0.0}, same[9] = {[0] = 1.0, [4] = 1.0, [8] = 1.0};
  for (int k = 0; k < 2; ++k) {
    nsds_edge_pair_line(core[k], pair->edge[k], still, same, out->place[k], out->direction[k]);
    out->radius[k] = core[k]->radius;
  }
}
