/*
 * The search of a set of shapes. Bodies take their cores into the world (shape_list.c). A grid of balls
 * around the cores (grid.c) gives pairs whose boxes meet. Then follow the contacts of each pair (collide.c),
 * with the columns of contact relations. A piece's planes and partners come one after the other, so
 * that contacts that share a body stand close in the problem.
 */
#include "kernel/contact/shape_find.h"

#include "base/context.h"
#include "kernel/contact/clip.h"
#include "kernel/contact/collide.h"
#include "kernel/contact/core.h"
#include "kernel/contact/disc_clip.h"
#include "kernel/contact/exclude.h"
#include "kernel/contact/flush.h"
#include "kernel/contact/grid.h"
#include "kernel/contact/round.h"
#include "kernel/contact/round_pair.h"
#include "kernel/contact/shape_follow.h"
#include "kernel/contact/shape_list.h"
#include "kernel/contact/shape_set.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/contact_frame.h"
#include "kernel/modeling/contact_relation.h"
#include "kernel/modeling/label.h"

#include <stdio.h>

enum { shape_label_size = nsds_label_size + 32 };

typedef struct search {
  nsds_shape_set *s;
  nsds_contacts *contacts;
  bool early; /* the pair is placed at the start of the step */
} search;

/* After a way of least_way of the thinner core an overlap is looked at again. A contact that closes by
 * more than `steep` of its way strikes. */
static const double least_way = 1e-3, steep = 0.1;

/* ---- contacts -------------------------------------------------------------------------------- */

static uint64_t shape_find_stir(uint64_t x) { /* the finaliser of splitmix64 */
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static void shape_find_put_columns(const search *d, const nsds_pose *body, const double *point,
                                   const double *frame, double sign, double *H) {
  const nsds_shape_set *s = d->s;
  const double *x = d->early ? body->x0 : body->x;
  double r[3];
  for (int i = 0; i < 3; ++i) r[i] = point[i] - x[i];
  if (s->dimension == 3)
    nsds_contact_columns(d->early ? body->R0 : body->R, r, frame, s->rows, sign, H);
  else nsds_contact_columns_plane(r, frame, s->rows, sign, H);
}

/* Returns the change of a contact's gap in the step, by the first row of H. */
static double shape_find_gap_way(const search *d, const nsds_piece *first, const nsds_piece *second,
                                 const double *H) {
  const nsds_shape_set *s = d->s;
  const nsds_ds *ds[] = {first->solid->shape.ds, second->solid->shape.ds};
  int nv = s->dimension == 3 ? nsds_body_nv : 3;
  double speed = 0.0;
  for (int e = 0; e < 2 && ds[e]; ++e)
    for (int k = 0; k < nv; ++k)
      speed += H[(e * nv + k) * s->rows] * s->model->state.v[ds[e]->v_offset + k];
  return d->contacts->ahead * speed;
}

/* Hands over one contact, whose first piece has a body. */
static nsds_status shape_find_hand_over(search *d, const nsds_piece *first,
                                        const nsds_piece *second, const nsds_spot *touch,
                                        uint64_t pair) {
  nsds_shape_set *s = d->s;
  double frame[9], H[5 * 12], y[5] = {touch->gap};
  if (s->last.nfound == s->max_contacts)
    return nsds_fail(s->model->context, NSDS_ERROR_VALUE,
                     "%s: more than max_contacts = %d contacts of %d shapes at t = %.17g; shapes "
                     "that lie in each other have many",
                     s->label, s->max_contacts, s->solids.n, s->model->state.t);
  memcpy(frame, touch->normal, sizeof touch->normal);
  if (s->dimension == 3) nsds_choose_tangents(frame, frame + 3, frame + 6);
  else frame[3] = frame[1], frame[4] = -frame[0], frame[5] = 0.0;
  nsds_contact_place place = {.dimension = s->dimension,
                              .shape = {first->solid->shape.number, second->solid->shape.number}};
  memcpy(place.point, touch->point, sizeof place.point);
  memcpy(place.normal, frame, sizeof place.normal);
  uint64_t key = shape_find_stir(pair ^ touch->feature);
  s->last.key = key;
  ++s->last.nfound;
  int nv = s->dimension == 3 ? nsds_body_nv : 3;
  shape_find_put_columns(d, &s->bodies.pose[first->body], touch->point, frame, 1.0, H);
  if (second->body >= 0)
    shape_find_put_columns(d, &s->bodies.pose[second->body], touch->point, frame, -1.0,
                           H + nv * s->rows);
  if (d->early) y[0] += shape_find_gap_way(d, first, second, H);
  return nsds_contacts_add(
      d->contacts, &(nsds_contact_point){.key = key,
                                         .place = &place,
                                         .ds = {first->solid->shape.ds, second->solid->shape.ds},
                                         .y = y,
                                         .H = H,
                                         .law = nsds_law_between(s, first->solid->shape.material,
                                                                 second->solid->shape.material)});
}

/* Returns the name of a shape, or its number behind all names. */
static uint64_t name_of_solid(const nsds_solid *s) {
  return s->name ? s->name : UINT64_C(1) << 63 | (uint64_t)s->shape.number;
}

/* Returns the part of keys that two shapes give. */
static uint64_t key_of_solids(const nsds_solid *a, const nsds_solid *b) {
  if (NSDS_UNLIKELY(a->name || b->name))
    return shape_find_stir(shape_find_stir(name_of_solid(a)) + name_of_solid(b));
  return shape_find_stir((uint64_t)a->shape.number << 32 | (uint32_t)b->shape.number);
}

static nsds_status hand_over_all(search *d, const nsds_piece *p, const nsds_piece *q) {
  const nsds_collision *c = &d->s->collision;
  uint64_t pair = key_of_solids(p->solid, q->solid);
  nsds_status status = NSDS_OK;
  if (p->sub || q->sub) pair = shape_find_stir(pair ^ ((uint64_t)p->sub << 32 | (uint32_t)q->sub));
  for (int k = 0; !status && k < c->count; ++k)
    status = shape_find_hand_over(d, p, q, &c->spot[k], pair);
  return status;
}

static bool kept_apart(const nsds_shape_set *s, const nsds_solid *a, const nsds_solid *b) {
  if (a->shape.group && a->shape.group == b->shape.group) return true;
  return s->excluded.n > 0 && nsds_shapes_excluded(s, a->shape.ds, b->shape.ds);
}

/* Writes "2 of system 'ball' (#0, rigid_body)". */
static const char *shape_label(const nsds_solid *solid, char *buffer) {
  char label[nsds_label_size];
  const nsds_ds *ds = solid->shape.ds;
  snprintf(buffer, shape_label_size, "%d of %s", solid->shape.number,
           ds ? nsds_ds_label(ds, label) : "the scenery");
  return buffer;
}

static nsds_status fail_missed(const nsds_shape_set *s, const nsds_piece *p, const nsds_piece *q,
                               double deepest) {
  char one[shape_label_size], other[shape_label_size];
  return nsds_fail(
      s->model->context, NSDS_ERROR_UNSUPPORTED,
      "%s: shapes %s and %s overlap by %g at t = %.17g, where no parts of their surfaces touch, "
      "and event-driven simulation and RATTLE cannot follow them; valid are shapes that overlap "
      "less, and time stepping with Moreau-Jean",
      s->label, shape_label(p->solid, one), shape_label(q->solid, other), -deepest,
      s->model->state.t);
}

static nsds_status fail_flat(const nsds_shape_set *s, const nsds_piece *p, const nsds_piece *q) {
  char one[shape_label_size], other[shape_label_size];
  return nsds_fail(
      s->model->context, NSDS_ERROR_UNSUPPORTED,
      "%s: a disc of shapes %s and %s lies flat across an edge of the other one at t = %.17g, and "
      "event-driven simulation and RATTLE cannot follow it; valid are discs that lie on faces "
      "which hold all of them, discs that lean, and time stepping with Moreau-Jean",
      s->label, shape_label(p->solid, one), shape_label(q->solid, other), s->model->state.t);
}

/* Hands over a contact that is followed, and notes it. */
static nsds_status follow_one(search *d, const nsds_piece *p, const nsds_piece *q,
                              const nsds_spot *touch, nsds_shape_followed *one) {
  nsds_shape_set *s = d->s;
  s->collision.count = 1;
  s->collision.spot[0] = *touch;
  nsds_status status = hand_over_all(d, p, q);
  one->key = s->last.key;
  return status ? status : nsds_shapes_note(s, one);
}

static double flat_of(const search *d) {
  return d->contacts->to_end ? nsds_disc_falls : nsds_disc_flat;
}

/* Hands over the lowest point of an ellipsoid or a disc, and points of the rim of a disc that lies flat. */
static nsds_status follow_lowest(search *d, const nsds_piece *p, const nsds_piece *plane,
                                 int which) {
  nsds_shape_set *s = d->s;
  nsds_shape_followed one = {
      .core = {p->core}, .ds = {p->solid->shape.ds}, .plane = plane->solid, .vertex = which};
  nsds_spot touch;
  double leans;
  nsds_status status = NSDS_OK;
  bool near = nsds_shapes_before_plane(s, &one, &touch, &leans);
  if (near && leans > nsds_disc_flat) status = follow_one(d, p, plane, &touch, &one);
  if (!near || p->core->round->kind != NSDS_ROUND_DISCS || leans > flat_of(d)) return status;
  for (one.mark = 1; !status && one.mark <= nsds_rim_points; ++one.mark)
    if (nsds_shapes_before_plane(s, &one, &touch, &leans))
      status = follow_one(d, p, plane, &touch, &one);
  return status;
}

/* Hands over the lowest points of an ellipsoid, or of both discs. */
static nsds_status follow_round(search *d, const nsds_piece *p, const nsds_piece *plane) {
  int count = p->core->round->kind == NSDS_ROUND_DISCS ? 2 : 1;
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < count; ++k) status = follow_lowest(d, p, plane, k);
  return status;
}

/* Hands over every near vertex, beyond the lowest face, because the body may turn. */
static nsds_status follow_plane(search *d, const nsds_piece *p, const nsds_piece *plane) {
  nsds_shape_set *s = d->s;
  nsds_collision *c = &s->collision;
  const nsds_plane *at = &plane->solid->shape.plane;
  nsds_status status = NSDS_OK;
  if (p->core->round) return follow_round(d, p, plane);
  c->a = p->core;
  c->b = NULL;
  for (int v = 0; !status && v < p->core->nv; ++v) {
    const double *x = p->core->wv + 3 * v, above = nsds_dot(at->normal, x) - at->offset;
    double foot[3];
    for (int i = 0; i < 3; ++i) foot[i] = x[i] - above * at->normal[i];
    c->count = 0;
    nsds_add_spot(c, at->normal, x, foot, (const int[]){v, v}, (const int[]){-1, -1});
    if (c->count == 0) continue;
    status = hand_over_all(d, p, plane);
    if (!status)
      status = nsds_shapes_note(
          s, &(nsds_shape_followed){
                 .key = s->last.key, .core = {p->core}, .plane = plane->solid, .vertex = v});
  }
  return status;
}

static nsds_status fail_without_normal(const nsds_shape_set *s, const nsds_piece *p,
                                       const nsds_piece *q) {
  const double *x = p->core->at;
  char one[shape_label_size], other[shape_label_size];
  return nsds_fail(
      s->model->context, NSDS_ERROR_VALUE,
      "%s: shapes %s and %s have their centres or axes in each other, at (%g, %g, %g), "
      "at t = %.17g; there is no normal between them",
      s->label, shape_label(p->solid, one), shape_label(q->solid, other), x[0], x[1], x[2],
      s->model->state.t);
}

static bool boxes_meet(const nsds_core *a, const nsds_core *b, double reach) {
  return a->lo[0] - b->hi[0] <= reach && b->lo[0] - a->hi[0] <= reach &&
         a->lo[1] - b->hi[1] <= reach && b->lo[1] - a->hi[1] <= reach &&
         a->lo[2] - b->hi[2] <= reach && b->lo[2] - a->hi[2] <= reach;
}

static double way_of(const nsds_shape_set *s, const nsds_piece *p) {
  return p->body >= 0 ? s->bodies.pose[p->body].way : 0.0;
}

/* Puts a body's core at its place at the start of the step, or back. */
static void put_core(const nsds_shape_set *s, const nsds_piece *p, bool early) {
  if (p->body < 0) return;
  const nsds_pose *body = &s->bodies.pose[p->body];
  nsds_core_place(p->core, early ? body->x0 : body->x, early ? body->R0 : body->R);
}

/* Returns true if a contact of the start closes by more than `limit` within the step. Also true if
 * it closes on another side than the one seen at the end. */
static bool closes_fast(const search *d, const nsds_piece *p, const nsds_piece *q, double limit,
                        const double *seen) {
  const nsds_shape_set *s = d->s;
  int nv = s->dimension == 3 ? nsds_body_nv : 3;
  double H[5 * 12], frame[9] = {0.0};
  for (int k = 0; k < s->collision.count; ++k) {
    const nsds_spot *touch = &s->collision.spot[k];
    memcpy(frame, touch->normal, sizeof touch->normal);
    shape_find_put_columns(d, &s->bodies.pose[p->body], touch->point, frame, 1.0, H);
    if (q->body >= 0)
      shape_find_put_columns(d, &s->bodies.pose[q->body], touch->point, frame, -1.0,
                             H + nv * s->rows);
    double way = shape_find_gap_way(d, p, q, H);
    bool turned = seen && nsds_dot(seen, touch->normal) < 0.9;
    if (way < -limit || (turned && way < 0.0 && touch->gap + way < 0.0)) return true;
  }
  return false;
}

/* Finds the contacts of a pair in its present place. */
static nsds_status shape_find_look(search *d, const nsds_piece *p, const nsds_piece *q) {
  nsds_shape_set *s = d->s;
  s->collision.count = 0;
  if (!boxes_meet(p->core, q->core, s->reach)) return NSDS_OK;
  nsds_collide(&s->collision, p->core, q->core);
  if (s->collision.count < 0 && !d->early) return fail_without_normal(s, p, q);
  nsds_shapes_straighten(s, p, q, d->early);
  return NSDS_OK;
}

/* Returns true if the contacts at the end of the step suffice for a pair. */
static bool end_suffices(const search *d, double way, double limit, double thin) {
  const nsds_collision *c = &d->s->collision;
  double deepest = 0.0;
  for (int k = 0; k < c->count; ++k) deepest = fmin(deepest, c->spot[k].gap);
  return !d->contacts->start || way <= least_way * thin || (way <= limit && deepest == 0.0);
}

/* Finds the contacts of two pieces that strike each other: at the end of the step they would
 * overlap or would have passed. The contacts are those of the start, extrapolated. */
static nsds_status shape_find_met_early(search *d, const nsds_piece *p, const nsds_piece *q,
                                        bool *met) {
  nsds_shape_set *s = d->s;
  nsds_collision *c = &s->collision;
  double thin = fmin(p->core->thin, q->core->thin);
  double limit = nsds_small_way * fmin(s->reach, thin), way = way_of(s, p) + way_of(s, q);
  *met = false;
  if (end_suffices(d, way, limit, thin)) return NSDS_OK;
  nsds_spot kept[nsds_manifold_most];
  int count = c->count;
  memcpy(kept, c->spot, (size_t)count * sizeof *kept);
  d->early = true;
  put_core(s, p, true);
  put_core(s, q, true);
  nsds_status status = shape_find_look(d, p, q);
  *met = closes_fast(d, p, q, fmin(limit, steep * way), count > 0 ? kept[0].normal : NULL);
  if (*met) status = hand_over_all(d, p, q);
  d->early = false;
  put_core(s, p, false);
  put_core(s, q, false);
  memcpy(c->spot, kept, (size_t)count * sizeof *kept);
  c->count = count;
  return status;
}

/* Returns true if a core has deeper points than its vertex, as seen from the face before it, or a neighbour
 * has. A step that takes the vertex around a corner must not strike this face. */
static bool passes_corner(nsds_shape_set *s, const nsds_piece *p, const nsds_piece *q,
                          const nsds_shape_followed *one, const nsds_spot *touch) {
  const double *n = touch->normal, back[3] = {-n[0], -n[1], -n[2]};
  const nsds_core *core = one->core[1 - one->owner];
  double lies = nsds_in_cone(core, one->vertex, one->owner == 0 ? n : back);
  return one->feature.foremost &&
         (lies < -nsds_parts_lean || nsds_shapes_hide_spot(s, p, q, touch));
}

/* Hands over a vertex of one core before a feature of the other one, if it is near. */
static nsds_status follow_vertex(search *d, const nsds_piece *p, const nsds_piece *q, int owner,
                                 int vertex, bool foremost) {
  nsds_shape_set *s = d->s;
  nsds_shape_followed one = {.core = {p->core, q->core},
                             .ds = {p->solid->shape.ds, q->solid->shape.ds},
                             .owner = owner,
                             .vertex = vertex};
  nsds_spot touch;
  if (!nsds_shapes_before_feature(s, &one, (const nsds_piece *const[]){p, q}, foremost, &touch))
    return NSDS_OK;
  if (touch.feature == 0) return nsds_shapes_note(s, &one);
  if (d->contacts->to_end && passes_corner(s, p, q, &one, &touch)) return NSDS_OK;
  if (one.feature.kind != NSDS_FEATURE_FACE)
    s->least = fmin(s->least, p->core->radius + q->core->radius);
  return follow_one(d, p, q, &touch, &one);
}

static bool is_ball(const nsds_core *core) { return core->nv == 1 && !core->round; }

/* Returns true if two cores are followed by parts of their surfaces: round ones, triangles and segments. A
 * sharp vertex has no foremost face before the latter. */
static bool go_by_parts(const nsds_core *a, const nsds_core *b) {
  return a->round || b->round || ((a->flat || b->flat) && !is_ball(a) && !is_ball(b));
}

/* Hands over the nearest points of two cores, one of them round. */
static nsds_status follow_rounds(search *d, const nsds_piece *p, const nsds_piece *q) {
  nsds_shape_set *s = d->s;
  nsds_spot touch;
  nsds_round_pair_find(p->core, q->core, &touch);
  if (touch.gap > s->reach) return NSDS_OK;
  s->least = fmin(s->least, fmin(p->core->thin, q->core->thin));
  nsds_shape_followed one = {.core = {p->core, q->core},
                             .ds = {p->solid->shape.ds, q->solid->shape.ds},
                             .round = {p->core, q->core}};
  return follow_one(d, p, q, &touch, &one);
}

/* Parts whose gaps differ less, relative to the size of the smaller core, are at one place. */
static const double at_one_place = 1e-6;
/* Points of a disc that lies flat are beside a face from this part of that length on. */
static const double beside_face = 0.01;
enum { most_places = 16 };

/* The search among the parts of a pair. */
typedef struct part_search {
  nsds_shape_followed one;
  double deepest, nearest; /* the gap of the pair, and the least of the contacts found */
  double slack;
  double start[nsds_manifold_most][3]; /* points of contacts, from which curves begin */
  int nstart;
  uint64_t before;             /* the last contact of two curves */
  nsds_spot spot[most_places]; /* contacts of rims before sides */
  int nspot;
  /* points of a disc that lies flat touch; others are beside the face, where its rim crosses edges */
  bool flat, across, crosses;
} part_search;

/* Returns true if a rim is handed over at the same place. Flush ends of two parallel cylinders have one
 * contact, of either rim before the other side. */
static bool is_double(part_search *f, const nsds_spot *touch) {
  static const double same = 1e-3; /* of the slack */
  for (int k = 0; k < f->nspot; ++k) {
    const nsds_spot *other = &f->spot[k];
    double way = fabs(touch->gap - other->gap), turn = 0.0;
    for (int i = 0; i < 3; ++i) {
      way = fmax(way, fabs(touch->point[i] - other->point[i]));
      turn = fmax(turn, fabs(touch->normal[i] - other->normal[i]));
    }
    if (way <= same * f->slack && turn <= same * at_one_place) return true;
  }
  if (f->nspot < most_places) f->spot[f->nspot++] = *touch;
  return false;
}

/* Hands over the contact of two parts that touch, and notes those that may come to touch. */
static nsds_status follow_two_parts(search *d, const nsds_piece *p, const nsds_piece *q,
                                    part_search *f) {
  const nsds_shape_set *s = d->s;
  nsds_part_pair *parts = &f->one.parts;
  bool across = nsds_parts_lie_across(p->core, q->core, parts);
  nsds_spot touch;
  double room;
  if (!nsds_parts_may_touch(p->core, parts->part[0], q->core, parts->part[1]) ||
      !nsds_parts_near(p->core, q->core, parts, s->reach))
    return NSDS_OK;
  if (!nsds_parts_meet(p->core, q->core, parts, &touch, &room)) /* it may on the way */
    return nsds_parts_meet_twice(p->core, q->core, parts) && !across
               ? NSDS_OK
               : nsds_shapes_note(d->s, &f->one);
  if (touch.gap > s->reach) return NSDS_OK;
  if (touch.feature == f->before) return NSDS_OK;
  f->before = touch.feature;
  bool mark =
      nsds_part_is_mark(p->core, parts->part[0]) || nsds_part_is_mark(q->core, parts->part[1]);
  bool touches = nsds_parts_touch(p->core, q->core, room);
  /* no true contact is deeper than the overlap: these are behind each other */
  if (touches && touch.gap < fmin(f->deepest, 0.0) - f->slack) return NSDS_OK;
  if (mark && fabs(touch.gap) <= f->slack) {
    f->flat = f->flat || touches;
    bool beside = room < -beside_face * f->slack && !p->core->flat && !q->core->flat;
    f->across = f->across || beside;
  }
  bool far = room < -s->reach && !nsds_parts_run(parts);
  nsds_shape_followed one = f->one; /* it is found again from here */
  memcpy(one.parts.hint, touch.normal, sizeof one.parts.hint);
  memcpy(one.parts.point, touch.point, sizeof one.parts.point);
  if (!touches) return far ? NSDS_OK : nsds_shapes_note(d->s, &one);
  if ((nsds_parts_pass_side(parts) || across) && is_double(f, &touch)) return NSDS_OK;
  f->nearest = fmin(f->nearest, touch.gap);
  if (nsds_shapes_hide_spot(d->s, p, q, &touch)) return NSDS_OK; /* the neighbour has it */
  f->crosses = f->crosses || nsds_parts_meet_twice(p->core, q->core, parts);
  return follow_one(d, p, q, &touch, &one);
}

/* Hands over the contacts of two parts, from places where they may be. */
static nsds_status follow_from_starts(search *d, const nsds_piece *p, const nsds_piece *q,
                                      part_search *f) {
  nsds_part_pair *parts = &f->one.parts;
  bool twice = nsds_parts_meet_twice(p->core, q->core, parts);
  bool across = nsds_parts_lie_across(p->core, q->core, parts);
  int count = across ? 2 : twice ? f->nstart : 1;
  double crossing[2][3];
  nsds_status status = NSDS_OK;
  if (across) nsds_parts_crossings(p->core, q->core, parts, crossing);
  for (int k = 0; !status && k < count; ++k) {
    memcpy(parts->point, across ? crossing[k] : f->start[k], sizeof parts->point);
    status = follow_two_parts(d, p, q, f);
  }
  return status;
}

/* Near a triangle whose neighbour has the contact, parts begin to touch on the way. Sets the hint to the
 * normal of the triangle. Returns false if nothing has to be watched. */
static bool is_watched(const search *d, const nsds_piece *p, const nsds_piece *q, double *hint) {
  const nsds_core *flat = p->core->flat ? p->core : q->core;
  bool near = flat->flat && boxes_meet(p->core, q->core, d->s->reach);
  for (int i = 0; near && i < 3; ++i) hint[i] = flat == q->core ? flat->wn[i] : -flat->wn[i];
  return near && !d->contacts->to_end;
}

/* Hands over the contacts of two cores by parts of their surfaces. */
static nsds_status follow_parts(search *d, const nsds_piece *p, const nsds_piece *q) {
  nsds_shape_set *s = d->s;
  part_search f = {.one = {.core = {p->core, q->core},
                           .ds = {p->solid->shape.ds, q->solid->shape.ds},
                           .round = {p->core, q->core},
                           .by_parts = true,
                           .parts.flat = flat_of(d)},
                   .deepest = INFINITY,
                   .nearest = INFINITY,
                   .slack = at_one_place * fmin(p->core->around, q->core->around)};
  int np = nsds_parts_count(p->core), nq = nsds_parts_count(q->core);
  nsds_status status = shape_find_look(d, p, q);
  for (int k = 0; k < s->collision.count; ++k) {
    const nsds_spot *spot = &s->collision.spot[k];
    memcpy(f.start[f.nstart++], spot->point, sizeof spot->point);
    if (!(spot->gap < f.deepest)) continue;
    f.deepest = spot->gap;
    memcpy(f.one.parts.hint, spot->normal, sizeof spot->normal);
  }
  bool none = s->collision.count == 0 && !is_watched(d, p, q, f.one.parts.hint);
  if (status || none) return status;
  for (int i = 0; i < np; ++i)
    for (int j = 0; !status && j < nq; ++j) {
      f.one.parts.part[0] = nsds_parts_get(p->core, i);
      f.one.parts.part[1] = nsds_parts_get(q->core, j);
      status = follow_from_starts(d, p, q, &f);
    }
  s->least = fmin(s->least, fmin(p->core->thin, q->core->thin));
  if (status) return status;
  if (f.flat && f.across && !f.crosses) return fail_flat(s, p, q);
  bool flat = p->core->flat || q->core->flat; /* parts of triangles that neighbours continue */
  bool missed = !flat && f.deepest < -f.slack && f.nearest > f.deepest + f.slack;
  return missed ? fail_missed(s, p, q, f.deepest) : NSDS_OK;
}

static nsds_status follow_balls(search *d, const nsds_piece *p, const nsds_piece *q) {
  nsds_shape_set *s = d->s;
  nsds_status status = shape_find_look(d, p, q);
  if (!status) status = hand_over_all(d, p, q);
  if (status || s->collision.count == 0) return status;
  s->least = fmin(s->least, p->core->radius + q->core->radius);
  return nsds_shapes_note(s, &(nsds_shape_followed){.key = s->last.key,
                                                    .core = {p->core, q->core},
                                                    .ds = {p->solid->shape.ds, q->solid->shape.ds},
                                                    .owner = 1});
}

/* Edges touch down to the deepest overlap of their cores, and this part of the size or overlap
 * below. */
static const double edges_behind = 1e-7;

/* Hands over two edges that cross, and notes near edges that do not. */
static nsds_status follow_edges(search *d, const nsds_piece *p, const nsds_piece *q, int edge,
                                int other, double deepest) {
  nsds_shape_set *s = d->s;
  nsds_shape_followed one = {.core = {p->core, q->core},
                             .ds = {p->solid->shape.ds, q->solid->shape.ds},
                             .crosses = true,
                             .edges = {.edge = {edge, other}},
                             .deepest = deepest};
  nsds_spot touch;
  if (!nsds_shapes_near_edges(s, &one, &touch)) return NSDS_OK;
  if (touch.feature == 0) return nsds_shapes_note(s, &one);
  return follow_one(d, p, q, &touch, &one);
}

static nsds_status follow_all_edges(search *d, const nsds_piece *p, const nsds_piece *q) {
  nsds_shape_set *s = d->s;
  double deepest = 0.0, size = fmin(p->core->around, q->core->around);
  nsds_status status = shape_find_look(d, p, q);
  for (int k = 0; !status && k < s->collision.count; ++k)
    deepest = fmin(deepest, s->collision.spot[k].gap);
  deepest = (1.0 + edges_behind) * deepest - edges_behind * size;
  for (int e = 0; e < p->core->ne; ++e)
    for (int f = 0; !status && f < q->core->ne; ++f) status = follow_edges(d, p, q, e, f, deepest);
  return status;
}

/* Hands over the contacts of a pair that can be followed. Each vertex with a radius touches its
 * nearest feature of the other core, each sharp vertex the foremost face. In space, edges touch
 * edges. */
static nsds_status follow_pair(search *d, const nsds_piece *p, const nsds_piece *q) {
  nsds_shape_set *s = d->s;
  const nsds_core *a = p->core, *b = q->core;
  bool sharp = a->radius + b->radius == 0.0, space = s->dimension == 3;
  nsds_status status = NSDS_OK;
  if (is_ball(a) && is_ball(b)) return follow_balls(d, p, q);
  if (nsds_round_pair_is_single(a, b)) return follow_rounds(d, p, q);
  if (go_by_parts(a, b)) return follow_parts(d, p, q);
  for (int v = 0; !is_ball(b) && !status && v < a->nv; ++v)
    status = follow_vertex(d, p, q, 1, v, sharp);
  for (int v = 0; !is_ball(a) && !status && v < b->nv; ++v)
    status = follow_vertex(d, p, q, 0, v, sharp);
  return status || !space || a->nv == 1 || b->nv == 1 ? status : follow_all_edges(d, p, q);
}

static nsds_status meet_plane(search *d, const nsds_piece *p, const nsds_solid *plane) {
  const nsds_piece behind = {.solid = plane, .body = -1};
  const double *n = plane->shape.plane.normal;
  nsds_collision *c = &d->s->collision;
  if (nsds_dot(n, p->core->at) - plane->shape.plane.offset > p->core->around + c->reach)
    return NSDS_OK;
  if (p->led || kept_apart(d->s, p->solid, plane)) return NSDS_OK;
  if (d->contacts->follows) return follow_plane(d, p, &behind);
  nsds_collide_plane(c, p->core, n, plane->shape.plane.offset);
  return hand_over_all(d, p, &behind);
}

static nsds_status shape_find_meet(search *d, const nsds_piece *p, const nsds_piece *q) {
  nsds_shape_set *s = d->s;
  bool met = false, near = boxes_meet(p->core, q->core, s->reach);
  if (p->body == q->body || (p->led && q->led)) return NSDS_OK;
  if ((!near && !s->rushes) || kept_apart(s, p->solid, q->solid)) return NSDS_OK;
  if (d->contacts->follows) return near ? follow_pair(d, p, q) : NSDS_OK;
  nsds_status status = shape_find_look(d, p, q);
  if (!status) status = shape_find_met_early(d, p, q, &met);
  return status || met ? status : hand_over_all(d, p, q);
}

static nsds_status meet_moving(void *user, int one, int other) {
  search *d = user;
  const nsds_piece *piece = d->s->moving.piece;
  return one < other ? shape_find_meet(d, &piece[one], &piece[other])
                     : shape_find_meet(d, &piece[other], &piece[one]);
}

static nsds_status meet_still(void *user, int i, int j) {
  search *d = user;
  return shape_find_meet(d, &d->s->moving.piece[i], &d->s->still.piece[j]);
}

nsds_status nsds_shapes_find(void *self, double t, nsds_contacts *contacts) {
  nsds_shape_set *s = self;
  search d = {.s = s, .contacts = contacts};
  nsds_status status = NSDS_OK;
  (void)t;
  s->last.nfound = s->last.nfollowed = 0;
  contacts->turns = true;
  s->least = INFINITY;
  status = nsds_shapes_list(s);
  if (status) return status;
  nsds_shapes_put_places(s, contacts);
  nsds_grid_fill(&s->moving.grid);
  for (int i = 0; !status && i < s->moving.count; ++i) {
    const nsds_grid_item *item = &s->moving.grid.item[i];
    for (int k = 0; !status && k < s->nplane; ++k)
      status = meet_plane(&d, &s->moving.piece[i], s->plane[k]);
    if (!status) status = nsds_grid_near(&s->still.grid, item->x, item->radius, i, meet_still, &d);
    if (!status) status = nsds_grid_partners(&s->moving.grid, i, meet_moving, &d);
  }
  if (contacts->follows) nsds_shapes_sort(s);
  return status;
}
