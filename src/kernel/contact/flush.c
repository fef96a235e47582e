/*
 * Makes pieces of scenery that lie flush act as one surface. Let x lie on a piece and on its
 * neighbor, and let n lead out of the piece. The neighbor hides the contact under two conditions:
 *
 * - The neighbor reaches further along n than x, so that n is not a normal of both together.
 * - A face of the neighbor at x looks at the touching core and has all of the piece behind it or
 *   flush.
 *
 * The same holds beside x, at a side of the piece's face over which n leans.
 *
 * The contacts of the piece are then those along the normal of its own face there, possibly none. A
 * piece that stands out of its neighbor's face is a step, and a piece that does not touch leaves a
 * gap: bodies feel both. Pieces of one body are neighbors too.
 */
#include "kernel/contact/flush.h"

#include "kernel/contact/clip.h"
#include "kernel/contact/grid.h"
#include "kernel/modeling/body.h"

/* Fraction of the smaller ball: a smaller step is flush. */
static const double flush_part = 1e-6;

static const double nearly_level =
    0.05; /* a body may lie on several of its pieces at such a slope */

/* A contact seen from one of its pieces. */
typedef struct outlook {
  nsds_shape_set *s;
  const nsds_piece *piece;
  double n[3], x[3], eye[3]; /* out of the piece; on its core; a point of the touching core */
  double slack;
  bool hidden;
  double m[3];  /* normal of the hiding face */
  double slope; /* at which the neighbor rises along n from x */
} outlook;

static double level_of(const nsds_core *core, int f) {
  return nsds_dot(core->wn + 3 * f, core->wv + 3 * core->loop[core->first[f]]);
}

/* Returns the largest coordinate of a core along n. */
static double flush_rise(const nsds_core *core, const double *n) {
  double most = -INFINITY;
  for (int k = 0; k < 3 * core->nv; k += 3) most = fmax(most, nsds_dot(n, core->wv + k));
  return most;
}

/* Returns true if the foot of x is on the face of a flat core. */
static bool over_face(const outlook *o, const nsds_core *flat) {
  for (int k = 0; k < flat->first[1]; ++k) {
    double m[3];
    const double *corner;
    nsds_side(flat, 0, k, flat->wn, m, &corner);
    if (nsds_dot(m, o->x) - nsds_dot(m, corner) > o->slack) return false;
  }
  return true;
}

/* Returns true if a core holds x and a face near x looks at the touching core and covers the
 * piece. */
static bool flush_covers(outlook *o, const nsds_core *core) {
  bool covered = false;
  for (int f = 0; f < core->nf; ++f) {
    const double *n = core->wn + 3 * f;
    double level = level_of(core, f), above = nsds_dot(n, o->x) - level;
    if (above > o->slack) return false;
    if (covered || above < -o->s->reach || nsds_dot(n, o->eye) <= level) continue;
    covered = flush_rise(o->piece->core, n) <= level + o->slack;
    memcpy(o->m, n, sizeof o->m);
  }
  return covered && (!core->flat || over_face(o, core));
}

static bool like(const outlook *o, const nsds_piece *other) {
  const nsds_core *a = o->piece->core, *b = other->core;
  return other != o->piece && b->nf > 0 && fabs(a->radius - b->radius) <= o->slack;
}

static bool has_in_box(const nsds_core *core, const double *x, double slack) {
  for (int i = 0; i < 3; ++i)
    if (x[i] < core->lo[i] - slack || x[i] > core->hi[i] + slack) return false;
  return true;
}

static void flush_look_at(outlook *o, const nsds_piece *other) {
  const nsds_core *core = other->core;
  if (o->hidden || !like(o, other) || !has_in_box(core, o->x, o->slack + o->s->reach)) return;
  double rise = flush_rise(core, o->n) - nsds_dot(o->n, o->x);
  o->hidden = rise > 0.01 * o->slack && flush_covers(o, core);
  if (o->hidden) o->slope = rise / core->around;
}

static nsds_status look_at_still(void *user, int i, int j) {
  outlook *o = user;
  (void)i;
  flush_look_at(o, &o->s->still.piece[j]);
  return NSDS_OK;
}

/* Checks if a half space hides the contact: it hides contacts inside. */
static void look_at_plane(outlook *o, const nsds_plane *plane) {
  const double *n = plane->normal, along = nsds_dot(n, o->n);
  if (o->hidden || 1.0 - along <= 1e-12 || nsds_dot(n, o->eye) <= plane->offset) return;
  double radius = o->piece->core->radius;
  memcpy(o->m, n, sizeof o->m);
  o->hidden = nsds_dot(n, o->x) + radius <= plane->offset + o->slack &&
              flush_rise(o->piece->core, n) + radius <= plane->offset + o->slack;
}

static bool is_hidden(outlook *o, bool early) {
  nsds_shape_set *s = o->s;
  const nsds_piece *piece = o->piece;
  o->hidden = false;
  if (piece->body < 0) {
    for (int k = 0; k < s->nplane; ++k) look_at_plane(o, &s->plane[k]->shape.plane);
    if (!o->hidden) nsds_grid_near(&s->still.grid, o->x, o->slack, 0, look_at_still, o);
    return o->hidden;
  }
  for (int k = s->bodies.pose[piece->body].piece; !early && k >= 0; k = s->moving.piece[k].next)
    flush_look_at(o, &s->moving.piece[k]);
  return o->hidden;
}

/* Sets a point of the touching core; for a flat core, a point behind it. */
static void set_eye(outlook *o, const nsds_core *core) {
  memcpy(o->eye, core->at, sizeof o->eye);
  for (int i = 0; core->flat && i < 3; ++i) o->eye[i] -= core->around * core->wn[i];
}

/* Computes the point of side k of a face that is nearest to x. */
static void nearest_on_side(const nsds_core *core, int f, int k, const double *x, double *at) {
  const int *loop = core->loop + core->first[f];
  int count = core->first[f + 1] - core->first[f];
  const double *p = core->wv + 3 * loop[k], *q = core->wv + 3 * loop[(k + 1) % count];
  double along[3], way[3];
  for (int i = 0; i < 3; ++i) {
    along[i] = count == 2 ? 0.0 : q[i] - p[i];
    way[i] = x[i] - p[i];
  }
  double square = nsds_dot(along, along);
  double part = square > 0.0 ? fmax(0.0, fmin(1.0, nsds_dot(way, along) / square)) : 0.0;
  for (int i = 0; i < 3; ++i) at[i] = p[i] + part * along[i];
}

/* Returns true if x is on a side of the face most along n over which n leans, and a neighbor continues
 * the face there. */
static bool leans_hidden(outlook *o, bool early) {
  const nsds_core *core = o->piece->core;
  const double x[3] = {o->x[0], o->x[1], o->x[2]};
  int face = 0;
  for (int f = 1; f < core->nf; ++f)
    if (nsds_dot(o->n, core->wn + 3 * f) > nsds_dot(o->n, core->wn + 3 * face)) face = f;
  const double *up = core->wn + 3 * face;
  int sides = core->first[face + 1] - core->first[face];
  if (nsds_dot(o->n, up) < 0.5) return false;
  for (int k = 0; k < sides; ++k) {
    double m[3];
    const double *corner;
    nsds_side(core, face, k, up, m, &corner);
    bool on_side = nsds_dot(m, x) - nsds_dot(m, corner) >= -o->slack;
    if (!on_side || nsds_dot(m, o->n) <= 1e-12) continue;
    nearest_on_side(core, face, k, x, o->x);
    if (is_hidden(o, early)) return true;
  }
  return false;
}

/* Returns true if the piece's side of a contact is hidden. `sign` turns the normal out of the
 * piece. */
static bool side_hidden(outlook *o, const nsds_spot *spot, double sign, bool early) {
  const nsds_core *core = o->piece->core;
  double back = sign * (0.5 * spot->gap + core->radius), off = 0.0;
  for (int i = 0; i < 3; ++i) {
    o->n[i] = sign * spot->normal[i];
    o->x[i] = spot->point[i] - back * spot->normal[i];
  }
  for (int i = 0; core->flat && i < 3; ++i) off = fmax(off, fabs(o->n[i] - core->wn[i]));
  if (core->flat && off <= 1e-12) return false; /* its own normal */
  const double x[3] = {o->x[0], o->x[1], o->x[2]};
  bool hidden = is_hidden(o, early) || leans_hidden(o, early);
  memcpy(o->x, x, sizeof x);
  return hidden;
}

/* Returns true if n leads into a face of a core at a right angle. */
static bool meets_face(const nsds_core *core, const double *n) {
  for (int f = 0; f < core->nf; ++f)
    if (nsds_dot(n, core->wn + 3 * f) < -1.0 + 1e-12) return true;
  return false;
}

/* Returns the face of the piece that is flush with the hiding face; -1: none. */
static int flush_face(const outlook *o, const nsds_core *core) {
  for (int f = 0; f < core->nf; ++f)
    if (nsds_dot(o->m, core->wn + 3 * f) > 1.0 - 1e-9) return f;
  return -1;
}

static double flush_least_gap(const nsds_spot *spot, int count) {
  double least = INFINITY;
  for (int k = 0; k < count; ++k) least = fmin(least, spot[k].gap);
  return least;
}

/* Takes the contacts of the piece's face, or of none if face < 0. Keeps those in sight instead if the
 * nearest of them is nearer. */
static void take_face(nsds_collision *c, const nsds_piece *piece, int face, const nsds_spot *sight,
                      int count, double slack) {
  c->count = 0;
  if (face >= 0) nsds_collide_face(c, piece->core, face);
  nsds_reduce(c);
  if (!(flush_least_gap(sight, count) < flush_least_gap(c->spot, c->count) - slack)) return;
  memcpy(c->spot, sight, (size_t)count * sizeof *sight);
  c->count = count;
}

/* Replaces hidden contacts of a piece by those of its own face. All contacts farthest out along n
 * must be hidden, or some by a face nearly along their normals. */
static void flush_straighten(nsds_shape_set *s, const nsds_piece *piece, const nsds_piece *other,
                             double sign, bool early) {
  nsds_collision *c = &s->collision;
  outlook o = {
      .s = s, .piece = piece, .slack = flush_part * fmin(piece->core->around, other->core->around)};
  double m[3] = {0.0};
  int hidden = 0, outer = 0, outer_hidden = 0;
  bool along = true, level = true;
  nsds_spot sight[nsds_manifold_most];
  int seen = 0;
  set_eye(&o, other->core);
  for (int k = 0; k < c->count; ++k) {
    bool hides = side_hidden(&o, &c->spot[k], sign, early);
    bool out = flush_rise(piece->core, o.n) <= nsds_dot(o.n, o.x) + o.slack;
    outer += out;
    if (!hides && out) sight[seen++] = c->spot[k];
    if (!hides) continue;
    memcpy(m, o.m, sizeof m);
    along = along && nsds_dot(m, o.n) > 0.5;
    level = level && o.slope < nearly_level;
    outer_hidden += out;
    ++hidden;
  }
  bool all = outer > 0 && outer == outer_hidden;
  if (hidden == 0 || !(all || along)) return;
  if (sign < 0.0 && (along || level) && meets_face(other->core, o.n))
    return; /* the other surface counts */
  memcpy(o.m, m, sizeof m);
  int face = flush_face(&o, piece->core);
  if (face < 0 && !all) return;
  take_face(c, piece, face, sight, seen, o.slack);
}

void nsds_shapes_straighten(nsds_shape_set *s, const nsds_piece *p, const nsds_piece *q,
                            bool early) {
  if (q->core && q->flush) flush_straighten(s, q, p, 1.0, early);
  if (q->core && p->flush) flush_straighten(s, p, q, -1.0, early);
}

bool nsds_shapes_hide(nsds_shape_set *s, const nsds_piece *piece, const nsds_piece *other,
                      const double *n, const double *x) {
  outlook o = {
      .s = s, .piece = piece, .slack = flush_part * fmin(piece->core->around, other->core->around)};
  set_eye(&o, other->core);
  memcpy(o.n, n, sizeof o.n);
  memcpy(o.x, x, sizeof o.x);
  return is_hidden(&o, false);
}

static bool hides_side(nsds_shape_set *s, const nsds_piece *piece, const nsds_piece *other,
                       const nsds_spot *spot, double sign) {
  outlook o = {
      .s = s, .piece = piece, .slack = flush_part * fmin(piece->core->around, other->core->around)};
  set_eye(&o, other->core);
  return side_hidden(&o, spot, sign, false);
}

bool nsds_shapes_hide_spot(nsds_shape_set *s, const nsds_piece *p, const nsds_piece *q,
                           const nsds_spot *spot) {
  return (q->flush && hides_side(s, q, p, spot, 1.0)) ||
         (p->flush && hides_side(s, p, q, spot, -1.0));
}

/* ---- who has neighbors ---------------------------------------------------------------------- */

static bool boxes_touch(const nsds_core *a, const nsds_core *b) {
  double slack = flush_part * fmin(a->around, b->around);
  for (int i = 0; i < 3; ++i)
    if (a->lo[i] > b->hi[i] + slack || b->lo[i] > a->hi[i] + slack) return false;
  return true;
}

static nsds_status mark_still(void *user, int i, int j) {
  nsds_piece *piece = ((nsds_shape_set *)user)->still.piece, *a = &piece[i], *b = &piece[j];
  if (i != j && b->core->nf > 0 && boxes_touch(a->core, b->core)) a->flush = true;
  return NSDS_OK;
}

/* Returns true if a side has no neighbor among the triangles of its mesh. */
static bool has_open_side(const nsds_core *flat) {
  bool open = false;
  for (int k = 0; k < flat->first[1]; ++k) open = open || flat->lean[k] >= 2.0;
  return open;
}

void nsds_shapes_mark_flush(nsds_shape_set *s) {
  for (int k = 0; k < s->still.count; ++k) {
    nsds_piece *piece = &s->still.piece[k];
    const nsds_core *core = piece->core;
    piece->flush = core->flat && has_open_side(core);
    if (core->nf == 0 || core->flat) continue;
    for (int p = 0; p < s->nplane; ++p) {
      const nsds_plane *plane = &s->plane[p]->shape.plane;
      double above = flush_rise(core, plane->normal) + core->radius - plane->offset;
      piece->flush = piece->flush || above <= flush_part * core->around;
    }
    if (!piece->flush) nsds_grid_near(&s->still.grid, core->at, core->around, k, mark_still, s);
  }
  for (int k = 0; k < s->moving.count; ++k) {
    nsds_piece *piece = &s->moving.piece[k];
    piece->flush = piece->core->nf > 0 && s->bodies.pose[piece->body].pieces > 1;
  }
}
