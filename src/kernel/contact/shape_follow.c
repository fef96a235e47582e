/*
 * Follows contacts of shapes along the motion, for event-driven simulation. A vertex of a core with
 * its radius is a sphere on its body. Before a half space, and before a vertex of another core, it
 * is followed as a relation of spheres. Before a face or an edge of another core it is followed as a
 * relation of features. Two edges are followed as a relation of crossings, round cores by their
 * nearest points. A sorted list finds the contacts by key.
 *
 * The features of a pair change on the way. The contacts then are searched again: the margin, which
 * event-driven simulation watches, falls through zero where another feature is due. Near edges that
 * do not cross are in the list too, without a key: the margin tells when they begin to cross.
 */
#include "kernel/contact/shape_follow.h"

#include "base/context.h"
#include "kernel/modeling/contact_bias.h"
#include "kernel/modeling/contact_relation.h"
#include "kernel/modeling/feature_relation.h"
#include "kernel/contact/clip.h"
#include "kernel/contact/flush.h"
#include "kernel/contact/round.h"
#include "kernel/contact/round_pair.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_pose.h"
#include "kernel/modeling/round_relation.h"
#include "kernel/modeling/sphere_relation.h"

#include <stdlib.h>

nsds_status nsds_shapes_note(nsds_shape_set *s, const nsds_shape_followed *one) {
  nsds_status status = nsds_grow(s->model->context, &s->last.followed, &s->last.followed_capacity,
                                 (size_t)s->last.nfollowed + 1, sizeof *s->last.followed);
  if (!status) s->last.followed[s->last.nfollowed++] = *one;
  return status;
}

static int by_key(const void *one, const void *other) {
  const nsds_shape_followed *a = one, *b = other;
  return (a->key > b->key) - (a->key < b->key);
}

void nsds_shapes_sort(nsds_shape_set *s) {
  if (s->last.nfollowed > 1)
    qsort(s->last.followed, (size_t)s->last.nfollowed, sizeof *s->last.followed, by_key);
}

/* The relation of a contact: spheres with their data, a feature, a crossing, or round cores. */
typedef struct followed {
  nsds_followed_pair pair; /* its data serve all */
  nsds_feature_pair feature;
  nsds_crossing_pair crossing;
  nsds_round_plane round;
  nsds_round_pair rounds;
} followed;

/* Writes a round core, or one disc of it, as a relation follows it. */
static void round_of(const nsds_shape_followed *one, nsds_round_plane *out) {
  const nsds_core *core = one->core[0];
  const nsds_round *round = core->round;
  const nsds_plane *plane = &one->plane->shape.plane;
  *out = (nsds_round_plane){.offset = plane->offset};
  memcpy(out->axes, round->own, sizeof out->axes);
  memcpy(out->half, round->size, sizeof out->half);
  memcpy(out->center, core->v, sizeof out->center);
  memcpy(out->normal, plane->normal, sizeof out->normal);
  if (round->kind == NSDS_ROUND_ELLIPSOID) return;
  double along = one->vertex ? round->size[0] : -round->size[0];
  for (int i = 0; i < 3; ++i) out->center[i] += along * round->own[i];
  out->half[0] = 0.0;
  out->half[1] = out->half[2] = round->size[1 + one->vertex];
}

/* Writes the rim of a disc before a face of the other core. Returns false for other parts. */
static bool rim_of(const nsds_shape_followed *one, nsds_round_plane *out) {
  const nsds_core_part *part = one->parts.part;
  int rim = part[0].kind == NSDS_PART_RIM ? 0 : 1;
  if (part[rim].kind != NSDS_PART_RIM || part[1 - rim].kind != NSDS_PART_FACE) return false;
  const nsds_core *core = one->round[rim], *other = one->round[1 - rim];
  int disc = part[rim].index, face = part[1 - rim].index;
  double along = disc ? core->round->size[0] : -core->round->size[0],
         r = core->round->size[1 + disc];
  *out = (nsds_round_plane){.half = {0.0, r, r}, .second = rim == 1, .pair = one->ds[1] != NULL};
  memcpy(out->axes, core->round->own, sizeof out->axes);
  nsds_part_face(other, face, out->normal, &out->offset);
  out->offset += other->radius;
  for (int i = 0; i < 3; ++i) out->center[i] = core->v[i] + along * core->round->own[i];
  return true;
}

/* Computes a point of the rim in the body. */
static void rim_mark_of(const nsds_shape_followed *one, double *center) {
  const nsds_core *core = one->core[0];
  nsds_disc_mark(core->round, core->round->own, core->v, one->vertex, one->mark - 1, center);
}

/* Returns how far a round core is from lying flat; a tip never does. */
static double steepness(const nsds_round_plane *round, const double *R) {
  double arm[3], most = fmax(round->half[0], fmax(round->half[1], round->half[2]));
  return most > 0.0 ? nsds_round_lowest(round, R, arm) / most : INFINITY;
}

bool nsds_shapes_before_plane(const nsds_shape_set *s, const nsds_shape_followed *one,
                              nsds_spot *touch, double *steep) {
  nsds_round_plane round;
  double R[9], x[3], arm[3], center[3];
  round_of(one, &round);
  nsds_joint_place(false, s->model->state.q + one->ds[0]->q_offset, R, x);
  nsds_round_lowest(&round, R, arm);
  if (one->mark > 0) {
    rim_mark_of(one, center);
    nsds_turn(R, center, arm);
  }
  for (int k = 0; k < 3; ++k) touch->point[k] = x[k] + arm[k];
  memcpy(touch->normal, round.normal, sizeof touch->normal);
  touch->gap = nsds_dot(round.normal, touch->point) - round.offset;
  touch->feature = UINT64_C(14) << 48 | (uint64_t)one->mark << 1 | (uint64_t)one->vertex;
  *steep = steepness(&round, R);
  return touch->gap <= s->reach;
}

/* Returns the vertex of a core that touches. */
static int vertex_in(const nsds_shape_followed *one, int which) {
  return one->plane || which != one->owner ? one->vertex : one->feature.index;
}

static void shape_follow_feature(const nsds_shape_set *s, const nsds_shape_followed *one,
                                 const double *found, followed *f) {
  const nsds_core *owner = one->core[one->owner], *other = one->core[1 - one->owner];
  nsds_feature_pair *pair = &f->feature;
  *pair = (nsds_feature_pair){.dimension = s->dimension,
                              .owner = one->owner,
                              .fixed = !one->ds[1],
                              .edge = one->feature.kind == NSDS_FEATURE_EDGE,
                              .radius = {other->radius, owner->radius}};
  memcpy(pair->center, other->v + 3 * one->vertex, sizeof pair->center);
  nsds_feature_place(owner, &one->feature, pair->place, pair->direction);
  nsds_follow_feature(pair, &f->pair.data, s->model->context, s->label, s->rows, found);
}

static nsds_status shape_follow_follow(const nsds_shape_set *s, uint64_t key, const double *found,
                                       followed *f) {
  const nsds_shape_followed wanted = {.key = key};
  const nsds_shape_followed *one = NULL;
  if (s->last.nfollowed > 0)
    one = bsearch(&wanted, s->last.followed, (size_t)s->last.nfollowed, sizeof *s->last.followed,
                  by_key);
  if (!one)
    return nsds_fail(s->model->context, NSDS_ERROR_STATE, "%s: no contact with key %llu was found",
                     s->label, (unsigned long long)key);
  if (one->plane && one->core[0]->round && one->mark == 0) {
    round_of(one, &f->round);
    nsds_follow_round(&f->round, &f->pair.data, s->model->context, s->label, s->rows, found);
    return NSDS_OK;
  }
  if (one->by_parts && rim_of(one, &f->round)) {
    nsds_follow_round(&f->round, &f->pair.data, s->model->context, s->label, s->rows, found);
    return NSDS_OK;
  }
  if (one->round[0]) {
    f->rounds = (nsds_round_pair){.dimension = s->dimension,
                                  .core = {one->round[0], one->round[1]},
                                  .parts = one->by_parts ? &one->parts : NULL,
                                  .fixed = !one->ds[1]};
    nsds_follow_round_pair(&f->rounds, &f->pair.data, s->model->context, s->label, s->rows, found);
    return NSDS_OK;
  }
  if (one->crosses) {
    nsds_edge_pair_follow(one->core, &one->edges, one->side, !one->ds[1], &f->crossing);
    nsds_follow_crossing(&f->crossing, &f->pair.data, s->model->context, s->label, s->rows, found);
    return NSDS_OK;
  }
  if (!one->plane && one->feature.kind != NSDS_FEATURE_VERTEX) {
    shape_follow_feature(s, one, found, f);
    return NSDS_OK;
  }
  f->pair = (nsds_followed_pair){.spheres = {.dimension = s->dimension}};
  nsds_sphere_pair *pair = &f->pair.spheres;
  if (one->mark > 0) rim_mark_of(one, pair->center[0]);
  else memcpy(pair->center[0], one->core[0]->v + 3 * vertex_in(one, 0), sizeof pair->center[0]);
  pair->radius[0] = one->core[0]->radius;
  if (one->plane) {
    memcpy(pair->normal, one->plane->shape.plane.normal, sizeof pair->normal);
    pair->offset = one->plane->shape.plane.offset;
  } else {
    memcpy(pair->center[1], one->core[1]->v + 3 * vertex_in(one, 1), sizeof pair->center[1]);
    pair->radius[1] = one->core[1]->radius;
  }
  nsds_follow_pair(&f->pair, s->model->context, s->label, s->rows,
                   one->plane   ? NSDS_MEETS_PLANE
                   : one->ds[1] ? NSDS_MEETS_BODY
                                : NSDS_MEETS_FIXED,
                   found);
  return NSDS_OK;
}

nsds_status nsds_shapes_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  followed f;
  double all[5];
  nsds_status status = shape_follow_follow(self, key, NULL, &f);
  if (!status) status = nsds_contact_relation_output(&f.pair.data, in, all);
  if (!status) *y = all[0];
  return status;
}

nsds_status nsds_shapes_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                 const double *found, double *H) {
  followed f;
  nsds_status status = shape_follow_follow(self, key, found, &f);
  return status ? status : nsds_contact_relation_gradient(&f.pair.data, in, H);
}

nsds_status nsds_shapes_bias(void *self, uint64_t key, const nsds_arguments *in,
                             const double *found, double *bias) {
  followed f;
  nsds_status status = shape_follow_follow(self, key, found, &f);
  return status ? status : nsds_contact_relation_bias(&f.pair.data, in, bias);
}

void nsds_shapes_place(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                       nsds_contact_place *place) {
  followed f;
  if (shape_follow_follow(self, key, found, &f)) return;
  nsds_contact_relation_place(&f.pair.data, in, place);
}

/* ---- features ------------------------------------------------------------------------------------ */

/* Takes a point of the world into a body with coordinates q; NULL: scenery. */
static void into_body(const nsds_shape_set *s, const double *q, const double *X, double *c) {
  double R[9], x[3], arm[3];
  nsds_joint_place(s->dimension == 2, q, R, x);
  for (int k = 0; k < 3; ++k) arm[k] = X[k] - x[k];
  nsds_turn_back(R, arm, c);
}

/* Takes a point of a body into the world. */
static void into_world(const nsds_shape_set *s, const double *q, const double *c, double *X) {
  double R[9], x[3];
  nsds_joint_place(s->dimension == 2, q, R, x);
  nsds_turn(R, c, X);
  for (int k = 0; k < 3; ++k) X[k] += x[k];
}

static const double *coordinates_of(const nsds_ds *ds, const double *q) {
  return ds ? q + ds->q_offset : NULL;
}

/* Computes the place of the touching vertex in the body of the owner. */
static void vertex_before_owner(const nsds_shape_set *s, const nsds_shape_followed *one,
                                const double *q, double *c) {
  int other = 1 - one->owner;
  double X[3];
  into_world(s, coordinates_of(one->ds[other], q), one->core[other]->v + 3 * one->vertex, X);
  into_body(s, coordinates_of(one->ds[one->owner], q), X, c);
}

/* Computes the way from the centre of the owner to that of the other core, in the owner's body. */
static void way_between(const nsds_shape_set *s, const nsds_shape_followed *one, const double *q,
                        double *towards) {
  const nsds_core *owner = one->core[one->owner], *other = one->core[1 - one->owner];
  double X[3];
  into_world(s, coordinates_of(one->ds[1 - one->owner], q), other->centre, X);
  into_body(s, coordinates_of(one->ds[one->owner], q), X, towards);
  for (int k = 0; k < 3; ++k) towards[k] -= owner->centre[k];
}

/* A vertex at a corner of another piece; one of both has neighbours. */
typedef struct corner {
  nsds_shape_set *s;
  const nsds_piece *piece, *other; /* of the corner, of the vertex */
  int vertex;
  const double *X; /* its place in the world */
} corner;

/* A core that reaches behind the face from its vertex does not lie on the face. */
static bool bears_nothing(void *user, int face) {
  const corner *at = user;
  const double *n = at->piece->core->wn + 3 * face, back[3] = {-n[0], -n[1], -n[2]};
  static const double level = 1e-7;
  if (nsds_in_cone(at->other->core, at->vertex, back) < -level) return true;
  return (at->piece->flush && nsds_shapes_hide(at->s, at->piece, at->other, n, at->X)) ||
         (at->other->flush && nsds_shapes_hide(at->s, at->other, at->piece, back, at->X));
}

/* Returns true if two features have the same ends. */
static bool coincide(const nsds_core *a, const nsds_feature *f, const nsds_core *b,
                     const nsds_feature *g) {
  double ends[2][2][3];
  if (f->kind != g->kind || f->kind == NSDS_FEATURE_FACE) return false;
  nsds_feature_ends(a, f, ends[0]);
  nsds_feature_ends(b, g, ends[1]);
  bool same = true, turned = true;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i) {
      same = same && ends[0][k][i] == ends[1][k][i];
      turned = turned && ends[0][k][i] == ends[1][1 - k][i];
    }
  return same || turned;
}

/* Returns true if the feature of a flat core touches the vertex. Then n is a normal of the surface
 * there, and no other flat core has handed over the same feature. */
static bool touches_flat(const nsds_shape_set *s, const nsds_shape_followed *one, const double *n) {
  const nsds_core *flat = one->core[one->owner];
  if (one->feature.kind == NSDS_FEATURE_FACE) return true;
  if (nsds_dot(n, flat->wn) < 0.0 || nsds_leans_over(flat, n, 1.0)) return false;
  for (int k = 0; k < s->last.nfollowed; ++k) {
    const nsds_shape_followed *other = &s->last.followed[k];
    bool alike = other->key != 0 && !other->plane && !other->crosses &&
                 other->owner == one->owner && other->vertex == one->vertex &&
                 other->core[1 - one->owner] == one->core[1 - one->owner];
    if (alike && coincide(flat, &one->feature, other->core[one->owner], &other->feature))
      return false;
  }
  return true;
}

bool nsds_shapes_before_feature(nsds_shape_set *s, nsds_shape_followed *one,
                                const nsds_piece *const piece[2], bool foremost, nsds_spot *touch) {
  const double *q = s->model->state.q, *place = coordinates_of(one->ds[one->owner], q);
  const nsds_core *owner = one->core[one->owner], *other = one->core[1 - one->owner];
  double c[3], towards[3], n[3], R[9], x[3], X[3];
  vertex_before_owner(s, one, q, c);
  into_world(s, place, c, X);
  way_between(s, one, q, towards);
  corner at = {s, piece[one->owner], piece[1 - one->owner], one->vertex, X};
  one->feature = foremost ? nsds_foremost_face(owner, c, towards, bears_nothing, &at)
                          : nsds_nearest_feature(owner, s->dimension, c);
  double distance = nsds_feature_distance(owner, &one->feature, c, n);
  touch->gap = distance - owner->radius - other->radius;
  touch->feature = 0;
  if (touch->gap > s->reach) return false;
  bool twice = one->owner == 0 && one->feature.kind == NSDS_FEATURE_VERTEX && other->nv > 1;
  if (one->feature.idle || twice || (owner->flat && !touches_flat(s, one, n))) return true;
  nsds_joint_place(s->dimension == 2, place, R, x);
  nsds_turn(R, n, touch->normal);
  for (int k = 0; k < 3; ++k) {
    touch->point[k] = X[k] - (other->radius + 0.5 * touch->gap) * touch->normal[k];
    if (one->owner == 0) touch->normal[k] = -touch->normal[k];
  }
  touch->feature = (uint64_t)(4 * one->owner + (int)one->feature.kind + 1) << 48 |
                   (uint64_t)one->vertex << 24 | (uint64_t)one->feature.index;
  return true;
}

/* ---- edges --------------------------------------------------------------------------------------- */

static void places_of(const nsds_shape_set *s, const nsds_shape_followed *one, const double *q,
                      nsds_core_places *at) {
  for (int k = 0; k < 2; ++k)
    nsds_joint_place(s->dimension == 2, coordinates_of(one->ds[k], q), at->R[k], at->x[k]);
}

static double edges_room(const nsds_shape_followed *one, const nsds_core_places *at, double *side,
                         nsds_crossing *c) {
  double room = nsds_edge_pair_room(one->core, &one->edges, at, side, c);
  return fmin(room, c->distance - one->deepest);
}

bool nsds_shapes_near_edges(const nsds_shape_set *s, nsds_shape_followed *one, nsds_spot *touch) {
  nsds_core_places at = {{{0.0}}, {{0.0}}};
  nsds_crossing c;
  places_of(s, one, s->model->state.q, &at);
  touch->feature = 0;
  if (nsds_edge_pair_distance(one->core, &one->edges, &at) > s->reach) return false;
  nsds_edge_pair_faces(one->core, &one->edges);
  double room = edges_room(one, &at, &one->side, &c);
  if (!nsds_edges_cross(one->core, room)) return true;
  double X[3], a[3], d[3];
  nsds_edge_pair_line(one->core[0], one->edges.edge[0], at.x[0], at.R[0], a, d);
  for (int k = 0; k < 3; ++k) X[k] = a[k] + c.along[0] * d[k];
  touch->gap = c.distance - one->core[0]->radius - one->core[1]->radius;
  memcpy(touch->normal, c.normal, sizeof touch->normal);
  for (int k = 0; k < 3; ++k)
    touch->point[k] = X[k] - (one->core[0]->radius + 0.5 * touch->gap) * c.normal[k];
  touch->feature =
      UINT64_C(15) << 48 | (uint64_t)one->edges.edge[0] << 24 | (uint64_t)one->edges.edge[1];
  return true;
}

static double vertex_margin_of(const nsds_shape_set *s, const nsds_shape_followed *one,
                               const double *q) {
  const nsds_core *owner = one->core[one->owner];
  double c[3];
  vertex_before_owner(s, one, q, c);
  return nsds_feature_margin(owner, s->dimension, &one->feature, c);
}

/* A disc that comes to lie flat touches by points of its rim, until it leans again. */
static double round_margin(const nsds_shape_set *s, const nsds_shape_followed *one,
                           const double *q) {
  nsds_round_plane round;
  double R[9], x[3];
  round_of(one, &round);
  nsds_joint_place(false, coordinates_of(one->ds[0], q), R, x);
  double leans = steepness(&round, R) / nsds_disc_flat;
  return (one->mark > 0 ? 1.5 - leans : leans - 0.5) * nsds_disc_flat * s->reach;
}

static double parts_margin(const nsds_shape_set *s, const nsds_shape_followed *one,
                           const double *q) {
  const nsds_round_pair pair = {
      .dimension = s->dimension, .core = {one->round[0], one->round[1]}, .fixed = !one->ds[1]};
  nsds_spot touch;
  double room;
  nsds_round_pair_place(&pair, coordinates_of(one->ds[0], q), coordinates_of(one->ds[1], q));
  if (!nsds_parts_meet(one->round[0], one->round[1], &one->parts, &touch, &room)) room = -s->reach;
  return nsds_parts_margin(one->round[0], one->round[1], room, one->key != 0);
}

double nsds_shapes_margin(void *self, const double *q) {
  const nsds_shape_set *s = self;
  double least = INFINITY, side;
  nsds_core_places at = {{{0.0}}, {{0.0}}};
  nsds_crossing c;
  for (int k = 0; k < s->last.nfollowed; ++k) {
    const nsds_shape_followed *one = &s->last.followed[k];
    if (one->plane && one->core[0]->round) least = fmin(least, round_margin(s, one, q));
    if (one->by_parts) least = fmin(least, parts_margin(s, one, q));
    if (one->plane || one->round[0] || (!one->crosses && one->core[one->owner]->nv == 1)) continue;
    if (one->crosses) {
      places_of(s, one, q, &at);
      double room = edges_room(one, &at, &side, &c);
      least = fmin(least, nsds_edge_pair_margin(one->core, room, one->key != 0));
    } else {
      least = fmin(least, vertex_margin_of(s, one, q));
    }
  }
  return least / s->reach;
}

/* Returns the way of bodies during which normals turn by less than a right angle. Without bodies
 * nothing ever comes near. */
double nsds_shapes_reach(void *self) {
  const nsds_shape_set *s = self;
  return s->bodies.n == 0 ? INFINITY : fmin(s->reach, s->least);
}

/* Returns |dx| + 2 |sin (angle / 2)| times the distance of the farthest point, or more: a
 * difference of unit quaternions is not shorter than the sine. */
double nsds_shapes_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  const nsds_shape_set *s = self;
  size_t at = (size_t)nsds_ds_of(ds)->index;
  int body = at < s->bodies.capacity ? s->bodies.of[at] : -1;
  if (body < 0) return 0.0;
  int places = s->dimension, turns = places == 3 ? 4 : 1;
  double way = 0.0, turn = 0.0;
  for (int k = 0; k < places; ++k) way += (q[k] - q0[k]) * (q[k] - q0[k]);
  for (int k = places; k < places + turns; ++k) turn += (q[k] - q0[k]) * (q[k] - q0[k]);
  return sqrt(way) + (places == 3 ? 2.0 : 1.0) * s->bodies.pose[body].around * sqrt(turn);
}
