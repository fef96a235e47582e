/*
 * Cores: constant topologies, normals of faces and directions of edges, and the step's transform of
 * all of them from the body to the world.
 */
#include "kernel/contact/core.h"

#include "kernel/contact/round.h"
#include "kernel/modeling/body.h"

static const int no_face[] = {0};
static const int rectangle_first[] = {0, 2, 4, 6, 8};
static const int point_edge[] = {0, 0};
static const int segment_edge[] = {0, 1}, segment_loop[] = {0, 1, 1, 0};
/* Vertex k of a box has half length +1 on axis i if bit i of k is set. */
static const int box_first[] = {0, 4, 8, 12, 16, 20, 24};
static const int box_loop[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                               2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const int box_edge[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3,
                               4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7};
static const int rectangle_loop[] = {0, 1, 1, 3, 3, 2, 2, 0};
static const int triangle_first[] = {0, 3};
static const int triangle_loop[] = {0, 1, 2};
static const int triangle_edge[] = {0, 1, 1, 2, 2, 0};
static const int side_first[] = {0, 2};
static const int sides_first[] = {0, 3, 6}, sides_loop[] = {0, 1, 2, 0, 2, 1};

void nsds_core_point(nsds_core *core) {
  core->nv = core->ne = 1;
  core->first = no_face;
  core->edge = point_edge;
}

void nsds_core_segment(nsds_core *core, int dimension) {
  core->nv = 2;
  core->ne = core->nd = 1;
  core->nf = dimension == 3 ? 0 : 2; /* two sides in the plane */
  core->first = dimension == 3 ? no_face : rectangle_first;
  core->loop = segment_loop;
  core->edge = segment_edge;
}

void nsds_core_box(nsds_core *core, int dimension) {
  bool space = dimension == 3;
  core->nv = space ? 8 : 4;
  core->nf = space ? 6 : 4;
  core->ne = space ? 12 : 4;
  core->nd = space ? 3 : 1;
  core->first = space ? box_first : rectangle_first;
  core->loop = space ? box_loop : rectangle_loop;
  core->edge = space ? box_edge : rectangle_loop;
}

void nsds_core_flat(nsds_core *core, int dimension) {
  bool space = dimension == 3;
  core->nv = space ? 3 : 2;
  core->nf = 1;
  core->ne = core->nd = space ? 3 : 1;
  core->first = space ? triangle_first : side_first;
  core->loop = triangle_loop;
  core->edge = space ? triangle_edge : segment_edge;
  core->flat = true;
}

void nsds_core_both_sides(const nsds_core *flat, nsds_core *both, double *n) {
  bool space = flat->first[1] == 3;
  *both = *flat;
  both->flat = false;
  both->nf = 2;
  both->first = space ? sides_first : rectangle_first;
  both->loop = space ? sides_loop : segment_loop;
  both->n = both->wn = n;
  for (int i = 0; i < 3; ++i) {
    n[i] = flat->wn[i];
    n[3 + i] = -flat->wn[i];
  }
}

size_t nsds_core_doubles(const nsds_core *core, bool scenery) {
  size_t once = 3 * (size_t)(core->nv + core->nf + core->nd);
  return scenery ? once : 2 * once;
}

void nsds_core_lay(nsds_core *core, double *store, bool scenery) {
  size_t once = 3 * (size_t)(core->nv + core->nf + core->nd);
  core->v = store;
  core->n = core->v + (size_t)3 * (size_t)core->nv;
  core->d = core->n + (size_t)3 * (size_t)core->nf;
  core->wv = core->v + (scenery ? 0 : once);
  core->wn = core->n + (scenery ? 0 : once);
  core->wd = core->d + (scenery ? 0 : once);
}

void nsds_core_box_vertices(nsds_core *core, const double *half, int dimension) {
  for (int k = 0; k < core->nv; ++k)
    for (int i = 0; i < 3; ++i)
      core->v[3 * k + i] = i >= dimension ? 0.0 : (k >> i & 1) ? half[i] : -half[i];
}

static bool normalise(double *a) {
  double length = nsds_length(a);
  for (int k = 0; k < 3; ++k) a[k] /= length;
  return length > 0.0 && isfinite(length);
}

/* Computes Newell's normal of a loop. In the plane the way from the first to the second vertex is
 * turned by -90 degrees, so that loops have the inside on their left. Flat cores turn the other way
 * and have bodies on their left. */
static bool core_normal_of(const nsds_core *core, int f, int dimension, double *n) {
  const int *loop = core->loop + core->first[f];
  int count = core->first[f + 1] - core->first[f];
  n[0] = n[1] = n[2] = 0.0;
  if (dimension == 2) {
    const double *a = core->v + 3 * loop[0], *b = core->v + 3 * loop[1];
    double sign = core->flat ? -1.0 : 1.0;
    n[0] = sign * (b[1] - a[1]);
    n[1] = -sign * (b[0] - a[0]);
    return normalise(n);
  }
  const double *o = core->v + 3 * loop[0];
  for (int k = 1; k + 1 < count; ++k) {
    double a[3], b[3], c[3];
    for (int i = 0; i < 3; ++i) {
      a[i] = core->v[3 * loop[k] + i] - o[i];
      b[i] = core->v[3 * loop[k + 1] + i] - o[i];
    }
    nsds_cross(a, b, c);
    for (int i = 0; i < 3; ++i) n[i] += c[i];
  }
  return normalise(n);
}

/* Lists directions of edges, parallel ones once. */
static void list_directions(nsds_core *core) {
  int count = 0;
  for (int e = 0; e < core->ne && core->nd > 0; ++e) {
    double *d = core->d + 3 * count, c[3];
    for (int i = 0; i < 3; ++i)
      d[i] = core->v[3 * core->edge[2 * e + 1] + i] - core->v[3 * core->edge[2 * e] + i];
    bool fresh = normalise(d);
    for (int k = 0; fresh && k < count; ++k) {
      nsds_cross(d, core->d + 3 * k, c);
      fresh = nsds_dot(c, c) > 1e-24;
    }
    if (fresh && ++count == core->nd) break;
  }
  core->nd = count;
}

bool nsds_core_normals(nsds_core *core, int dimension) {
  bool fine = true;
  if (dimension == 2 && core->nf > 0) { /* a prism */
    core->d[0] = core->d[1] = 0.0;
    core->d[2] = core->nd = 1;
  } else list_directions(core);
  for (int f = 0; f < core->nf; ++f)
    fine = core_normal_of(core, f, dimension, core->n + 3 * f) && fine;
  return fine;
}

static double least_width(const nsds_core *core) {
  double width = core->flat ? INFINITY : 0.0;
  for (int f = 0; !core->flat && f < core->nf; ++f) {
    const double *n = core->n + 3 * f;
    double level = nsds_dot(n, core->v + 3 * core->loop[core->first[f]]), deep = 0.0;
    for (int k = 0; k < core->nv; ++k) deep = fmax(deep, level - nsds_dot(n, core->v + 3 * k));
    width = f == 0 ? deep : fmin(width, deep);
  }
  return width;
}

void nsds_core_bound(nsds_core *core) {
  double lo[3], hi[3], most = 0.0;
  if (core->round) {
    nsds_round_bound(core);
    return;
  }
  core->thin = 0.5 * least_width(core) + core->radius;
  for (int i = 0; i < 3; ++i) {
    lo[i] = hi[i] = core->v[i];
    for (int k = 1; k < core->nv; ++k) {
      lo[i] = fmin(lo[i], core->v[3 * k + i]);
      hi[i] = fmax(hi[i], core->v[3 * k + i]);
    }
    core->centre[i] = 0.5 * lo[i] + 0.5 * hi[i];
  }
  for (int k = 0; k < core->nv; ++k) {
    double away[3];
    for (int i = 0; i < 3; ++i) away[i] = core->v[3 * k + i] - core->centre[i];
    most = fmax(most, nsds_length(away));
  }
  core->around = most + core->radius;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Returns 1, 0 or -1: a is greater, equal or less, at the first number in which they differ. */
static int order_of(int n, const double *a, const double *b) {
  for (int k = 0; k < n; ++k)
    if (a[k] != b[k]) return a[k] > b[k] ? 1 : -1;
  return 0;
}

bool nsds_cores_turned(const nsds_core *a, const nsds_core *b) {
  const nsds_round *p = a->round, *q = b->round;
  const double one[] = {!p, a->nv, a->nf, a->radius}, other[] = {!q, b->nv, b->nf, b->radius};
  int order = order_of(4, one, other);
  if (order == 0 && p && p->kind != q->kind) order = p->kind > q->kind ? 1 : -1;
  if (order == 0 && p) order = order_of(3, p->size, q->size);
  if (order == 0) order = order_of(3 * a->nv, a->wv, b->wv);
  if (order == 0 && p) order = order_of(9, p->axes, q->axes);
  return order > 0;
}

/* ---- in a step ------------------------------------------------------------------------------- */

void nsds_core_place(nsds_core *core, const double *x, const double *R) {
  for (int k = 0; k < 3 * core->nv; k += 3) {
    nsds_turn(R, core->v + k, core->wv + k);
    for (int i = 0; i < 3; ++i) core->wv[k + i] += x[i];
  }
  for (int k = 0; k < 3 * core->nf; k += 3) nsds_turn(R, core->n + k, core->wn + k);
  for (int k = 0; k < 3 * core->nd; k += 3) nsds_turn(R, core->d + k, core->wd + k);
  nsds_turn(R, core->centre, core->at);
  for (int i = 0; i < 3; ++i) core->at[i] += x[i];
  if (core->round) nsds_round_place(core, R);
  nsds_core_box_around(core);
}

void nsds_core_box_around(nsds_core *core) {
  if (core->round) {
    nsds_round_box(core);
    return;
  }
  for (int i = 0; i < 3; ++i) {
    double lo = core->wv[i], hi = lo;
    for (int k = 3 + i; k < 3 * core->nv; k += 3) {
      lo = core->wv[k] < lo ? core->wv[k] : lo;
      hi = core->wv[k] > hi ? core->wv[k] : hi;
    }
    core->lo[i] = lo - core->radius;
    core->hi[i] = hi + core->radius;
  }
}
