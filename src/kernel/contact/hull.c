/*
 * Convex hulls by gift wrapping. A plane with all points on one side turns about an edge of the
 * hull until it meets the next point. The points in the plane make a face, their hull within the
 * plane, and the plane turns about the edges of that face next. Points within 1e-9 of the size of
 * all are in one plane. In 2D a line turns about a point.
 *
 * Sources: D. Chand, S. Kapur, An algorithm for convex polytopes, J. ACM 17 (1970); R. Jarvis, On
 * the identification of the convex hull of a finite set of points in the plane, Inf. Process. Lett.
 * 2 (1973).
 */
#include "kernel/contact/hull.h"

#include "base/context.h"
#include "kernel/modeling/body.h"

typedef struct wrapping {
  nsds_context *context;
  int n;
  const double *x; /* 3 n */
  double tolerance;
  int nf, nloop, *first, *loop; /* faces so far; room for 2 n faces with 6 n edges */
  int *face, *twin;             /* face of directed edge loop[e] -> next; its other side, or -1 */
  double *normal;               /* 3 per face */
  int *near, *used;             /* points in one plane; numbers of vertices */
  double *work;                 /* 2 n: places of the points in that plane */
} wrapping;

static const char in_plane[] = "its points lie in one plane, or too nearly so: no solid";
static const char open[] = "its faces do not close: points lie too nearly in one plane";

static void from_to(const wrapping *w, int a, int b, double *d) {
  for (int i = 0; i < 3; ++i) d[i] = w->x[3 * b + i] - w->x[3 * a + i];
}

/* ---- in a plane ------------------------------------------------------------------------------ */

/* Returns the next vertex counterclockwise from p on the hull of m places, the farthest on its
 * line. */
static int turn_line(const double *place, int m, int p, double tolerance) {
  int best = -1;
  double bx = 0.0, by = 0.0, length = 0.0;
  for (int k = 0; k < m; ++k) {
    double dx = place[2 * k] - place[2 * p], dy = place[2 * k + 1] - place[2 * p + 1];
    double far = hypot(dx, dy);
    if (k == p || far <= tolerance) continue;
    double side = best < 0 ? 0.0 : (bx * dy - by * dx) / length;
    if (best >= 0 && side > -tolerance && (side > tolerance || far <= length)) continue;
    best = k, bx = dx, by = dy, length = far;
  }
  return best;
}

/* Writes the hull of m places, counterclockwise, as points[place] to loop. Returns the number of
 * vertices; 0: the places lie on a line, -1: the hull does not close. */
static int wrap_in_plane(const double *place, int m, const int *points, double tolerance,
                         int *loop) {
  int start = 0, count = 0;
  for (int k = 1; k < m; ++k)
    if (place[2 * k] < place[2 * start] ||
        (place[2 * k] == place[2 * start] && place[2 * k + 1] < place[2 * start + 1]))
      start = k;
  int at = start;
  do {
    if (count == m) return -1;
    loop[count++] = points[at];
    at = turn_line(place, m, at, tolerance);
    if (at < 0) return 0;
    double dx = place[2 * at] - place[2 * start], dy = place[2 * at + 1] - place[2 * start + 1];
    if (hypot(dx, dy) <= tolerance) at = start; /* the same point given twice */
  } while (at != start);
  return count < 3 ? 0 : count;
}

/* ---- in space -------------------------------------------------------------------------------- */

/* Turns the plane with normal n through a about its direction u. Writes the new normal and returns
 * the point that the plane meets; -1: all points are on the line. */
static int turn_plane(const wrapping *w, int a, const double *u, const double *n, double *turned) {
  double out[3], p = 0.0, q = 0.0, length = 0.0;
  int best = -1;
  nsds_cross(u, n, out);
  for (int k = 0; k < w->n; ++k) {
    double r[3];
    from_to(w, a, k, r);
    double pk = nsds_dot(r, out), qk = fmax(-nsds_dot(r, n), 0.0), far = hypot(pk, qk);
    if (far <= w->tolerance) continue;
    double below = best < 0 ? 0.0 : (p * qk - q * pk) / length;
    bool opposite = p * pk + q * qk < 0.0; /* half a turn apart: the one ahead comes first */
    if (best >= 0 && below > -w->tolerance &&
        (below > w->tolerance || (opposite ? pk < 0.0 : far <= length)))
      continue;
    best = k, p = pk, q = qk, length = far;
  }
  for (int i = 0; best >= 0 && i < 3; ++i) turned[i] = (p * n[i] + q * out[i]) / length;
  return best;
}

/* Adds the face in the plane with normal n through a. Returns its number of edges; <= 0:
 * failure. */
static int add_face(wrapping *w, int a, const double *n) {
  double u[3], v[3], r[3];
  int m = 0, count;
  int axis = fabs(n[0]) < 0.6 ? 0 : fabs(n[1]) < 0.6 ? 1 : 2;
  for (int i = 0; i < 3; ++i) u[i] = (i == axis) - n[axis] * n[i];
  double length = nsds_length(u);
  for (int i = 0; i < 3; ++i) u[i] /= length;
  nsds_cross(n, u, v);
  for (int k = 0; k < w->n; ++k) {
    from_to(w, a, k, r);
    if (fabs(nsds_dot(r, n)) > w->tolerance) continue;
    w->near[m] = k;
    w->work[2 * m] = nsds_dot(r, u);
    w->work[2 * m + 1] = nsds_dot(r, v);
    ++m;
  }
  if (w->nf == 2 * w->n || w->nloop + m > 6 * w->n) return -1;
  count = wrap_in_plane(w->work, m, w->near, w->tolerance, w->loop + w->nloop);
  for (int e = w->nloop; e < w->nloop + count; ++e) {
    w->face[e] = w->nf;
    w->twin[e] = -1;
  }
  if (count <= 0) return count;
  memcpy(w->normal + 3 * w->nf, n, 3 * sizeof *n);
  w->nloop += count;
  w->first[++w->nf] = w->nloop;
  return count;
}

static int end_of(const wrapping *w, int e) {
  int f = w->face[e];
  return w->loop[e + 1 < w->first[f + 1] ? e + 1 : w->first[f]];
}

/* Pairs the edges of the last face with those of others. */
static void pair_edges(wrapping *w) {
  int last = w->first[w->nf - 1];
  for (int e = last; e < w->nloop; ++e)
    for (int o = 0; o < last; ++o)
      if (w->twin[o] < 0 && w->loop[o] == end_of(w, e) && w->loop[e] == end_of(w, o)) {
        w->twin[o] = e;
        w->twin[e] = o;
        break;
      }
}

static bool first_face(wrapping *w) {
  const double u[3] = {0.0, 1.0, 0.0}, n[3] = {-1.0, 0.0, 0.0};
  double along[3], one[3], two[3];
  int a = 0;
  for (int k = 1; k < w->n; ++k)
    for (int i = 0; i < 3; ++i) {
      if (w->x[3 * k + i] > w->x[3 * a + i]) break;
      if (w->x[3 * k + i] == w->x[3 * a + i]) continue;
      a = k;
      break;
    }
  int b = turn_plane(w, a, u, n, one);
  if (b < 0) return false;
  from_to(w, a, b, along);
  double length = nsds_length(along);
  for (int i = 0; i < 3; ++i) along[i] /= length;
  return turn_plane(w, a, along, one, two) >= 0 && add_face(w, a, two) > 0;
}

static const char *wrap(wrapping *w) {
  double n[3], u[3], r[3];
  bool solid = false;
  if (!first_face(w)) return in_plane;
  for (int k = 0; k < w->n; ++k) {
    from_to(w, w->loop[0], k, r);
    solid = solid || fabs(nsds_dot(r, w->normal)) > w->tolerance;
  }
  if (!solid) return in_plane;
  for (int e = 0; e < w->nloop; ++e) {
    if (w->twin[e] >= 0) continue;
    int a = w->loop[e], b = end_of(w, e);
    from_to(w, a, b, u);
    double length = nsds_length(u);
    for (int i = 0; i < 3; ++i) u[i] /= length;
    if (turn_plane(w, a, u, w->normal + 3 * w->face[e], n) < 0 || add_face(w, a, n) <= 0)
      return open;
    pair_edges(w);
    if (w->twin[e] < 0) return open;
  }
  return NULL;
}

/* ---- the core -------------------------------------------------------------------------------- */

static const char *wrap_polygon(wrapping *w) {
  for (int k = 0; k < w->n; ++k) {
    w->near[k] = k;
    w->work[2 * k] = w->x[3 * k];
    w->work[2 * k + 1] = w->x[3 * k + 1];
  }
  int count = wrap_in_plane(w->work, w->n, w->near, w->tolerance, w->used);
  if (count <= 0) return "its points lie on one line, or too nearly so: no area";
  for (int k = 0; k < count; ++k) {
    w->loop[2 * k] = w->used[k];
    w->loop[2 * k + 1] = w->used[(k + 1) % count];
    w->face[2 * k] = w->face[2 * k + 1] = k;
    w->first[k + 1] = 2 * k + 2;
  }
  w->nf = count;
  w->nloop = 2 * count;
  return NULL;
}

/* Numbers the used vertices and writes loops and edges of the core to one array. */
static nsds_status hull_deliver(wrapping *w, int dimension, nsds_core *core, double **vertex,
                                int **index) {
  int nv = 0, ne = 0, nedge = dimension == 3 ? w->nloop / 2 : w->nf;
  for (int k = 0; k < w->n; ++k) w->used[k] = -1;
  for (int e = 0; e < w->nloop; ++e) w->used[w->loop[e]] = 0;
  for (int k = 0; k < w->n; ++k)
    if (w->used[k] == 0) w->used[k] = nv++;
  *vertex = NSDS_NEW_ARRAY(w->context, double, 3 * nv);
  *index = NSDS_NEW_ARRAY(w->context, int, w->nf + 1 + w->nloop + 2 * nedge);
  if (!*vertex || !*index) return NSDS_ERROR_MEMORY;
  int *loop = *index + w->nf + 1, *edge = loop + w->nloop;
  for (int k = 0; k < w->n; ++k)
    if (w->used[k] >= 0) memcpy(*vertex + 3 * w->used[k], w->x + 3 * k, 3 * sizeof(double));
  memcpy(*index, w->first, (size_t)(w->nf + 1) * sizeof(int));
  for (int e = 0; e < w->nloop; ++e) loop[e] = w->used[w->loop[e]];
  for (int e = 0; e < w->nloop; e += dimension == 3 ? 1 : 2) {
    int a = w->loop[e], b = dimension == 3 ? end_of(w, e) : w->loop[e + 1];
    if (dimension == 3 && w->used[a] > w->used[b]) continue; /* its other side comes too */
    edge[2 * ne] = w->used[a];
    edge[2 * ne++ + 1] = w->used[b];
  }
  core->nv = nv;
  core->nf = w->nf;
  core->ne = ne;
  core->nd = dimension == 3 ? ne : 1;
  core->first = *index;
  core->loop = loop;
  core->edge = edge;
  return NSDS_OK;
}

nsds_status nsds_hull(nsds_context *context, int dimension, int n, const double *points,
                      nsds_core *core, double **vertex, int **index, const char **why) {
  wrapping w = {.context = context, .n = n, .x = points};
  double size = 0.0;
  for (int k = 0; k < 3 * n; ++k) size = fmax(size, fabs(points[k] - points[k % 3]));
  w.tolerance = 1e-9 * size;
  int *ints = NSDS_NEW_ARRAY(context, int, 22 * (size_t)n + 1);
  double *doubles = NSDS_NEW_ARRAY(context, double, 8 * (size_t)n);
  nsds_status status = ints && doubles ? NSDS_OK : NSDS_ERROR_MEMORY;
  *why = NULL;
  if (!status) {
    w.first = ints;
    w.loop = w.first + 2 * n + 1;
    w.face = w.loop + 6 * n;
    w.twin = w.face + 6 * n;
    w.near = w.twin + 6 * n;
    w.used = w.near + n;
    w.normal = doubles;
    w.work = w.normal + 6 * n;
    *why = dimension == 3 ? wrap(&w) : wrap_polygon(&w);
    if (!*why) status = hull_deliver(&w, dimension, core, vertex, index);
  }
  nsds_release(context, ints);
  nsds_release(context, doubles);
  return status;
}
