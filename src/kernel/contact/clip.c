/*
 * Contacts of a face with the face of the other core that looks at it. The other face is clipped at
 * the sides of this face, and each remaining corner is a contact. A corner knows its vertices, or
 * the two edges that meet there. These are the same for either choice of the clipped face.
 *
 * Source: I. Sutherland, G. Hodgman, Reentrant polygon clipping, Comm. ACM 17 (1974).
 */
#include "kernel/contact/clip.h"

#include "kernel/contact/collision.h"
#include "kernel/modeling/body.h"

/* Faces that lean less from the separating direction count as flat on it. */
static const double nearly_flat = 0.995; /* cos 0.1 */
static const double equally_far = 1e-6;  /* of the ball around: vertices of one side */

void nsds_side(const nsds_core *core, int face, int k, const double *n, double *m,
               const double **x) {
  const int *loop = core->loop + core->first[face];
  int count = core->first[face + 1] - core->first[face];
  const double *p = core->wv + 3 * loop[k], *q = core->wv + 3 * loop[(k + 1) % count];
  double along[3];
  *x = p;
  for (int i = 0; i < 3; ++i) along[i] = count == 2 ? p[i] - q[i] : q[i] - p[i];
  double rise = nsds_dot(along, n);
  if (count == 2) /* in the plane a side is a vertex */
    for (int i = 0; i < 3; ++i) m[i] = along[i] - rise * n[i];
  else nsds_cross(along, n, m);
  double length = nsds_length(m);
  for (int i = 0; i < 3; ++i) m[i] /= length;
}

/* Marks the vertices of a flat core that are farthest along the normal; returns their number. */
static int clip_farthest(const nsds_core *flat, const double *normal, double sign, bool out[3]) {
  double along[3], most = -INFINITY;
  int count = 0, sides = flat->first[1];
  for (int k = 0; k < sides; ++k) {
    along[k] = sign * nsds_dot(normal, flat->wv + 3 * flat->loop[k]);
    most = fmax(most, along[k]);
  }
  for (int k = 0; k < sides; ++k) {
    out[k] = along[k] >= most - equally_far * flat->around;
    count += out[k];
  }
  return count;
}

/* Only sides on which the farthest points lie count: at an obtuse corner a normal of one side leans over
 * the other one too. */
bool nsds_leans_over(const nsds_core *flat, const double *normal, double sign) {
  int sides = flat->first[1];
  bool out[3] = {false};
  int count = clip_farthest(flat, normal, sign, out);
  for (int k = 0; k < sides; ++k) {
    double m[3];
    const double *x;
    int ends = out[k] + (sides > 2 && out[(k + 1) % sides]);
    if (flat->lean[k] >= 2.0 || ends < (count > 1 && sides > 2 ? 2 : 1)) continue;
    nsds_side(flat, 0, k, flat->wn, m, &x);
    if (sign * nsds_dot(normal, m) > flat->lean[k] + 1e-9) return true;
  }
  return false;
}

static int deepest(const nsds_core *core, const double *n) {
  int vertex = 0;
  double low = INFINITY;
  for (int k = 0; k < core->nv; ++k) {
    double x = nsds_dot(n, core->wv + 3 * k);
    if (x < low) low = x, vertex = k;
  }
  return vertex;
}

/* Returns the other end of the edge of v that rises least along n. */
static int levellest(const nsds_core *core, const double *n, int v) {
  int best = v;
  double low = INFINITY;
  for (int k = 0; k < core->ne; ++k) {
    const int *e = core->edge + 2 * k;
    if (e[0] != v && e[1] != v) continue;
    double d[3];
    int to = e[e[0] == v];
    for (int i = 0; i < 3; ++i) d[i] = core->wv[3 * to + i] - core->wv[3 * v + i];
    double rise = nsds_dot(n, d) / nsds_length(d);
    if (rise < low) low = rise, best = to;
  }
  return best;
}

static bool clip_has(const nsds_core *core, int f, int v) {
  for (int k = core->first[f]; k < core->first[f + 1]; ++k)
    if (core->loop[k] == v) return true;
  return false;
}

/* Returns the face on an edge that points most against n. For a vertex (u = v) the edge is its most
 * level one. */
static int face_against(const nsds_core *core, const double *n, int u, int v) {
  int best = -1;
  double most = INFINITY;
  if (u == v && core->nf > 0) v = levellest(core, n, u);
  for (int f = 0; f < core->nf; ++f) {
    double against = nsds_dot(n, core->wn + 3 * f);
    if (against < most && clip_has(core, f, u) && clip_has(core, f, v)) most = against, best = f;
  }
  return best;
}

/* Lists the corners of a face; all vertices of a point or a segment (f < 0). */
static int corners_of(const nsds_core *core, int f, nsds_corner *corner) {
  static const int both[] = {0, 1};
  const int *loop = f < 0 ? both : core->loop + core->first[f];
  int count = f < 0 ? core->nv : core->first[f + 1] - core->first[f];
  for (int k = 0; k < count; ++k) {
    corner[k] = (nsds_corner){
        .own = {loop[k], loop[k]}, .other = {-1, -1}, .next = {loop[k], loop[(k + 1) % count]}};
    memcpy(corner[k].x, core->wv + 3 * loop[k], sizeof corner[k].x);
  }
  return count;
}

/* Returns the corner where the way from p to q crosses a side of the face with vertices `loop`. */
static nsds_corner cut(const nsds_corner *p, const nsds_corner *q, double t, int side,
                       const int *loop, int sides) {
  nsds_corner at = {.next = {p->next[0], p->next[1]}};
  for (int i = 0; i < 3; ++i) at.x[i] = p->x[i] + t * (q->x[i] - p->x[i]);
  if (p->next[0] >= 0) {
    memcpy(at.own, p->next, sizeof at.own);
    at.other[0] = loop[side];
    at.other[1] = loop[sides == 2 ? side : (side + 1) % sides];
  } else { /* along an earlier cut: at the vertex between two sides */
    int before = p->next[1];
    at.own[0] = at.own[1] = -1;
    at.other[0] = at.other[1] = loop[(before + 1) % sides == side ? side : before];
  }
  return at;
}

/* Clips a polygon, or an open way of two corners, at one side. Returns the number of corners
 * left. */
static int clip_side(const nsds_collision *c, const nsds_core *ref, int face, int side,
                     const double *n, const nsds_corner *from, int count, nsds_corner *to) {
  const int *loop = ref->loop + ref->first[face];
  int sides = ref->first[face + 1] - ref->first[face], kept = 0;
  int ways = count > 2 ? count : count - 1;
  double m[3];
  const double *x;
  nsds_side(ref, face, side, n, m, &x);
  double level = nsds_dot(m, x) + c->slack;
  for (int k = 0; k < count; ++k) {
    const nsds_corner *p = &from[k], *q = &from[(k + 1) % count];
    double dp = nsds_dot(m, p->x) - level, dq = nsds_dot(m, q->x) - level;
    if (dp <= 0.0 && kept < c->room) to[kept++] = *p;
    if (k >= ways || (dp <= 0.0) == (dq <= 0.0) || kept == c->room) continue;
    to[kept] = cut(p, q, dp / (dp - dq), side, loop, sides);
    if (dp <= 0.0) to[kept].next[0] = -1, to[kept].next[1] = side;
    ++kept;
  }
  return kept;
}

static int clip_clip(const nsds_collision *c, const nsds_core *ref, int face, const double *n,
                     int count) {
  int sides = ref->first[face + 1] - ref->first[face];
  for (int side = 0; side < sides && count > 0; ++side)
    count = clip_side(c, ref, face, side, n, c->corner[side % 2], count, c->corner[(side + 1) % 2]);
  if (sides % 2) memcpy(c->corner[0], c->corner[1], (size_t)count * sizeof *c->corner[0]);
  return count;
}

double nsds_clip_between(nsds_collision *c, const nsds_core *ref, int face, int across,
                         const double *n) {
  const double *out = ref->wn + 3 * face, *o = ref->wv + 3 * ref->loop[ref->first[face]];
  bool first = ref == c->a;
  double low = INFINITY, level = nsds_dot(out, o), steep = nsds_dot(out, n);
  int count = clip_clip(c, ref, face, n, corners_of(first ? c->b : c->a, across, c->corner[0]));
  for (int k = 0; k < count; ++k) {
    const nsds_corner *p = &c->corner[0][k];
    double s = (nsds_dot(out, p->x) - level) / steep, foot[3], normal[3];
    low = fmin(low, s);
    for (int i = 0; i < 3; ++i) {
      foot[i] = p->x[i] - s * n[i];
      normal[i] = first ? -n[i] : n[i];
    }
    if (first) nsds_add_spot(c, normal, foot, p->x, p->other, p->own);
    else nsds_add_spot(c, normal, p->x, foot, p->own, p->other);
  }
  return low;
}

int nsds_face_below(const nsds_core *core, const double *n) {
  int low = deepest(core, n);
  return face_against(core, n, low, low);
}

double nsds_clip_face(nsds_collision *c, const nsds_core *ref, int face) {
  const nsds_core *other = ref == c->a ? c->b : c->a;
  const double *n = ref->wn + 3 * face;
  return nsds_clip_between(c, ref, face, nsds_face_below(other, n), n);
}

void nsds_add_deepest(nsds_collision *c, const nsds_core *ref, int face) {
  bool first = ref == c->a;
  const nsds_core *other = first ? c->b : c->a;
  const double *n = ref->wn + 3 * face, *o = ref->wv + 3 * ref->loop[ref->first[face]];
  const int none[] = {-1, -1}, low = deepest(other, n), own[] = {low, low};
  const double *x = other->wv + 3 * low, s = nsds_dot(n, x) - nsds_dot(n, o);
  double foot[3], normal[3];
  for (int i = 0; i < 3; ++i) {
    foot[i] = x[i] - s * n[i];
    normal[i] = first ? -n[i] : n[i];
  }
  if (first) nsds_add_spot(c, normal, foot, x, none, own);
  else nsds_add_spot(c, normal, x, foot, own, none);
}

double nsds_clip_along(nsds_collision *c, const double *n, const int *va, const int *vb) {
  const double back[] = {-n[0], -n[1], -n[2]};
  int fa = face_against(c->a, n, va[0], va[1]), fb = face_against(c->b, back, vb[0], vb[1]);
  double flat_a = fa < 0 ? 0.0 : -nsds_dot(n, c->a->wn + 3 * fa);
  double flat_b = fb < 0 ? 0.0 : nsds_dot(n, c->b->wn + 3 * fb);
  if (fmax(flat_a, flat_b) < nearly_flat) return INFINITY;
  return flat_a >= flat_b ? nsds_clip_between(c, c->a, fa, fb, back)
                          : nsds_clip_between(c, c->b, fb, fa, n);
}

/* ---- the core before a plane ----------------------------------------------------------------- */

void nsds_clip_plane(nsds_collision *c, const nsds_core *a, const double *n, double offset) {
  c->a = a;
  c->b = NULL;
  c->slack = 1e-8 * a->around;
  c->count = 0;
  int count = corners_of(a, nsds_face_below(a, n), c->corner[0]);
  for (int k = 0; k < count; ++k) {
    const nsds_corner *p = &c->corner[0][k];
    double foot[3], s = nsds_dot(n, p->x) - offset;
    for (int i = 0; i < 3; ++i) foot[i] = p->x[i] - s * n[i];
    nsds_add_spot(c, n, p->x, foot, p->own, p->other);
  }
  nsds_reduce(c);
}

/* ---- four of many ---------------------------------------------------------------------------- */

static void away(const nsds_spot *from, const nsds_spot *to, double *d) {
  for (int i = 0; i < 3; ++i) d[i] = to->point[i] - from->point[i];
}

/* Returns twice the area of p, q, x about n. */
static double area(const nsds_spot *p, const nsds_spot *q, const nsds_spot *x) {
  double d[3], e[3], n[3];
  away(p, q, d);
  away(p, x, e);
  nsds_cross(d, e, n);
  return nsds_dot(n, p->normal);
}

/* Returns the measure by which x extends the chosen contacts. */
static double sticks_out(const nsds_spot *t, const int *chosen, int count, const nsds_spot *x) {
  const nsds_spot *p = &t[chosen[0]], *q = &t[chosen[1]], *r = &t[chosen[2]];
  double d[3];
  if (count == 0) return -x->gap;
  away(p, x, d);
  if (count == 1) return nsds_length(d);
  if (count == 2) return fabs(area(p, q, x));
  double turn = area(p, q, r) < 0.0 ? -1.0 : 1.0;
  return -fmin(turn * area(p, q, x), fmin(turn * area(q, r, x), turn * area(r, p, x)));
}

/* Sorts contacts by their vertices, so that the order does not depend on the clipped face. */
static void clip_sort(nsds_collision *c) {
  for (int k = 1; k < c->count; ++k)
    for (int j = k; j > 0 && c->spot[j].feature < c->spot[j - 1].feature; --j) {
      nsds_spot swap = c->spot[j];
      c->spot[j] = c->spot[j - 1];
      c->spot[j - 1] = swap;
    }
}

static void clip_choose(nsds_collision *c) {
  int chosen[nsds_manifold_most] = {0}, count = 0;
  nsds_spot kept[nsds_manifold_most];
  for (; count < nsds_manifold_most; ++count) {
    double slack = count < 2 ? c->slack : c->slack * c->a->around, best = -INFINITY;
    for (int k = 0; k < c->count; ++k) {
      double value = sticks_out(c->spot, chosen, count, &c->spot[k]);
      if (value <= best + slack) continue; /* the first of equal ones wins */
      best = value;
      chosen[count] = k;
    }
    if (count == 3 && !(best > slack)) break;
  }
  for (int k = 0; k < count; ++k) kept[k] = c->spot[chosen[k]];
  memcpy(c->spot, kept, (size_t)count * sizeof *kept);
  c->count = count;
}

void nsds_reduce(nsds_collision *c) {
  if (c->count > nsds_manifold_most) {
    clip_sort(c);
    clip_choose(c);
  }
  clip_sort(c);
}

enum { name_bits = 30 };

static uint64_t name_of_vertices(const int *v) {
  uint64_t low = (uint64_t)(v[0] < v[1] ? v[0] : v[1]) & 0x7fff;
  return low << 15 | ((uint64_t)(v[0] < v[1] ? v[1] : v[0]) & 0x7fff);
}

void nsds_add_spot(nsds_collision *c, const double *n, const double *xa, const double *xb,
                   const int *va, const int *vb) {
  double ra = c->a->radius, rb = c->b ? c->b->radius : 0.0, apart[3];
  for (int i = 0; i < 3; ++i) apart[i] = xa[i] - xb[i];
  double gap = nsds_dot(n, apart) - ra - rb;
  if (!(gap <= c->reach) || c->count == c->room) return;
  nsds_spot *touch = &c->spot[c->count++];
  touch->gap = gap;
  touch->feature = name_of_vertices(va) << name_bits | name_of_vertices(vb);
  for (int i = 0; i < 3; ++i) {
    touch->normal[i] = n[i];
    touch->point[i] = 0.5 * (xa[i] + xb[i] + (rb - ra) * n[i]);
  }
}

void nsds_turn_spot(nsds_spot *touch) {
  uint64_t second = touch->feature & ((UINT64_C(1) << name_bits) - 1);
  touch->feature = second << name_bits | touch->feature >> name_bits;
  for (int i = 0; i < 3; ++i) touch->normal[i] = -touch->normal[i];
}
