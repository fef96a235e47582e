/*
 * The search of a set of shapes: cores by their bodies into the world, pairs from a grid of the
 * balls around them (grid.c) whose boxes meet, contacts of each (collide.c), columns those of
 * contact relations. A piece's planes and partners come one after the other, so that contacts that
 * share a body stand close in the problem.
 */
#include "shape_set.h"

#include "contact_relation.h"
#include "places.h"

typedef struct search {
  nsds_shape_set *s;
  nsds_contacts *contacts;
} search;

/* ---- what there is --------------------------------------------------------------------------- */

static int body_of(nsds_shape_set *s, nsds_ds *ds) {
  if (!ds) return -1;
  int *at = &s->body_of[ds->index];
  if (*at < 0) {
    s->body[s->nbody].ds = ds;
    s->body[s->nbody].around = 0.0;
    *at = s->nbody++;
  }
  return *at;
}

static void list_solid(nsds_shape_set *s, const nsds_solid *solid, double *most) {
  int body = body_of(s, solid->ds);
  bool led = !solid->ds || solid->ds->nprescribed == solid->ds->nv;
  nsds_crowd *crowd = body >= 0 ? &s->moving : &s->still;
  if (solid->kind == NSDS_HALF_SPACE) s->plane[s->nplane++] = solid;
  for (int k = 0; k < solid->count; ++k) {
    nsds_core *core = &solid->core[k];
    nsds_grid_item *item = &crowd->grid.item[crowd->count];
    item->radius = core->around;
    memcpy(item->x, core->at, sizeof item->x);
    crowd->piece[crowd->count++] =
        (nsds_piece){.core = core, .solid = solid, .sub = k, .body = body, .led = led};
    if (body < 0) continue;
    *most = fmax(*most, core->around);
    s->body[body].around = fmax(s->body[body].around, nsds_length(core->centre) + core->around);
  }
}

static void open_crowd(nsds_crowd *crowd, double reach) {
  crowd->grid.count = crowd->count;
  nsds_grid_open(&crowd->grid, reach);
}

/* Pieces, planes and bodies anew: shapes have come or gone. */
static void list_all(nsds_shape_set *s) {
  double most = 0.0;
  s->moving.count = s->still.count = s->nplane = s->nbody = 0;
  for (size_t k = 0; k < s->body_capacity; ++k) s->body_of[k] = -1;
  for (int k = 0; k < s->nsolid; ++k) list_solid(s, s->solid[k], &most);
  s->reach = s->reach_given > 0.0 ? s->reach_given : 0.1 * most;
  s->collision.reach = s->reach;
  double usual = 256.0 * (s->moving.count + 16.0), most_rows = 1e9 / s->rows;
  s->max_contacts = s->contacts_given > 0 ? s->contacts_given : (int)fmin(usual, most_rows);
  open_crowd(&s->moving, s->reach);
  open_crowd(&s->still, s->reach);
  nsds_grid_fill(&s->still.grid);
  s->stale = false;
}

/* Bodies and what is on them into the world. */
static void place_all(nsds_shape_set *s) {
  for (int k = 0; k < s->nbody; ++k) {
    nsds_pose *body = &s->body[k];
    const double *q = nsds_q(body->ds);
    bool space = s->dimension == 3;
    const double turn[] = {cos(0.5 * q[2]), 0.0, 0.0, sin(0.5 * q[2])};
    for (int i = 0; i < 3; ++i) body->x[i] = i < s->dimension ? q[i] : 0.0;
    nsds_rotation_matrix(space ? q + 3 : turn, body->R);
  }
  for (int k = 0; k < s->moving.count; ++k) {
    const nsds_piece *p = &s->moving.piece[k];
    nsds_core_place(p->core, s->body[p->body].x, s->body[p->body].R);
    memcpy(s->moving.grid.item[k].x, p->core->at, sizeof p->core->at);
  }
}

/* ---- contacts -------------------------------------------------------------------------------- */

static uint64_t stir(uint64_t x) { /* the finaliser of splitmix64 */
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static void put_columns(const nsds_shape_set *s, const nsds_pose *body, const double *point,
                        const double *frame, double sign, double *H) {
  double r[3];
  for (int i = 0; i < 3; ++i) r[i] = point[i] - body->x[i];
  if (s->dimension == 3) nsds_contact_columns(body->R, r, frame, s->rows, sign, H);
  else nsds_contact_columns_plane(r, frame, s->rows, sign, H);
}

static nsds_status note(nsds_shape_set *s, uint64_t key, const nsds_shape_contact *contact) {
  nsds_status status = nsds_grow(s->model->context, &s->found, &s->found_capacity,
                                 (size_t)s->nfound + 1, sizeof *s->found);
  if (!status) s->found[s->nfound++] = (nsds_shape_found){.contact = *contact, .key = key};
  return status;
}

/* One contact; the first has a body. */
static nsds_status hand_over(search *d, const nsds_piece *first, const nsds_piece *second,
                             const nsds_spot *touch, uint64_t pair) {
  nsds_shape_set *s = d->s;
  double frame[9], H[5 * 12], y[5] = {touch->gap};
  if (s->nfound == s->max_contacts)
    return nsds_fail(s->model->context, NSDS_ERROR_VALUE,
                     "%s: more than max_contacts = %d contacts of %d shapes at t = %.17g; shapes "
                     "that lie in each other have many",
                     s->label, s->max_contacts, s->nsolid, s->model->state.t);
  memcpy(frame, touch->normal, sizeof touch->normal);
  if (s->dimension == 3) nsds_choose_tangents(frame, frame + 3, frame + 6);
  else frame[3] = frame[1], frame[4] = -frame[0], frame[5] = 0.0;
  nsds_shape_contact found = {.shape = {first->solid->id, second->solid->id}, .gap = touch->gap};
  memcpy(found.point, touch->point, sizeof found.point);
  memcpy(found.normal, frame, sizeof found.normal);
  uint64_t key = stir(pair ^ touch->feature);
  nsds_status status = note(s, key, &found);
  if (status) return status;
  int nv = s->dimension == 3 ? nsds_body_nv : 3;
  put_columns(s, &s->body[first->body], touch->point, frame, 1.0, H);
  if (second->body >= 0)
    put_columns(s, &s->body[second->body], touch->point, frame, -1.0, H + nv * s->rows);
  return nsds_contacts_add(d->contacts,
                           &(nsds_contact_point){.key = key,
                                                 .ds = {first->solid->ds, second->solid->ds},
                                                 .y = y,
                                                 .H = H,
                                                 .law = nsds_law_between(s, first->solid->material,
                                                                         second->solid->material)});
}

static nsds_status hand_over_all(search *d, const nsds_piece *p, const nsds_piece *q) {
  const nsds_collision *c = &d->s->collision;
  uint64_t pair = stir((uint64_t)p->solid->id << 32 | (uint32_t)q->solid->id);
  nsds_status status = NSDS_OK;
  if (p->sub || q->sub) pair = stir(pair ^ ((uint64_t)p->sub << 32 | (uint32_t)q->sub));
  for (int k = 0; !status && k < c->count; ++k) status = hand_over(d, p, q, &c->spot[k], pair);
  return status;
}

/* Whether shapes have been told not to meet. */
static bool kept_apart(const nsds_shape_set *s, const nsds_solid *a, const nsds_solid *b) {
  if (a->group && a->group == b->group) return true;
  return s->nexcluded > 0 && nsds_shapes_excluded(s, a->ds, b->ds);
}

/* Every vertex that is near, not those of the lowest face alone: the body may turn. */
static nsds_status follow_plane(search *d, const nsds_piece *p, const nsds_piece *plane) {
  nsds_shape_set *s = d->s;
  nsds_collision *c = &s->collision;
  const nsds_plane *at = &plane->solid->plane;
  nsds_status status = NSDS_OK;
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
      status = nsds_shapes_note(s, &(nsds_shape_followed){.key = s->found[s->nfound - 1].key,
                                                          .core = {p->core},
                                                          .plane = plane->solid,
                                                          .vertex = v});
  }
  return status;
}

/* Contacts found of a pair of balls. */
static nsds_status follow_balls(search *d, const nsds_piece *p, const nsds_piece *q) {
  nsds_shape_set *s = d->s;
  if (p->core->nv > 1 || q->core->nv > 1)
    return nsds_fail(s->model->context, NSDS_ERROR_UNSUPPORTED,
                     "event-driven: %s: shapes %d and %d come within reach (%g) of each other at "
                     "t = %.17g; valid are balls and discs among each other, all shapes with half "
                     "spaces, and time stepping for others",
                     s->label, p->solid->id, q->solid->id, s->reach, s->model->state.t);
  s->least = fmin(s->least, p->core->radius + q->core->radius);
  return nsds_shapes_note(s, &(nsds_shape_followed){.key = s->found[s->nfound - 1].key,
                                                    .core = {p->core, q->core},
                                                    .body = q->body >= 0});
}

static nsds_status meet_plane(search *d, const nsds_piece *p, const nsds_solid *plane) {
  const nsds_piece behind = {.solid = plane, .body = -1};
  const double *n = plane->plane.normal;
  nsds_collision *c = &d->s->collision;
  if (nsds_dot(n, p->core->at) - plane->plane.offset > p->core->around + c->reach) return NSDS_OK;
  if (p->led || kept_apart(d->s, p->solid, plane)) return NSDS_OK;
  if (d->contacts->follows) return follow_plane(d, p, &behind);
  nsds_collide_plane(c, p->core, n, plane->plane.offset);
  return hand_over_all(d, p, &behind);
}

static nsds_status fail_without_normal(const nsds_shape_set *s, const nsds_piece *p,
                                       const nsds_piece *q) {
  const double *x = p->core->at;
  return nsds_fail(
      s->model->context, NSDS_ERROR_VALUE,
      "%s: shapes %d and %d have their centres or axes in each other, at (%g, %g, %g), "
      "at t = %.17g; there is no normal between them",
      s->label, p->solid->id, q->solid->id, x[0], x[1], x[2], s->model->state.t);
}

static bool boxes_meet(const nsds_core *a, const nsds_core *b, double reach) {
  return a->lo[0] - b->hi[0] <= reach && b->lo[0] - a->hi[0] <= reach &&
         a->lo[1] - b->hi[1] <= reach && b->lo[1] - a->hi[1] <= reach &&
         a->lo[2] - b->hi[2] <= reach && b->lo[2] - a->hi[2] <= reach;
}

static nsds_status meet(search *d, const nsds_piece *p, const nsds_piece *q) {
  nsds_shape_set *s = d->s;
  if (p->body == q->body || (p->led && q->led)) return NSDS_OK;
  if (!boxes_meet(p->core, q->core, s->reach)) return NSDS_OK;
  if (kept_apart(s, p->solid, q->solid)) return NSDS_OK;
  nsds_collide(&s->collision, p->core, q->core);
  if (s->collision.count < 0) return fail_without_normal(s, p, q);
  nsds_status status = hand_over_all(d, p, q);
  bool follows = d->contacts->follows && s->collision.count > 0;
  return !status && follows ? follow_balls(d, p, q) : status;
}

static nsds_status meet_moving(void *user, int one, int other) {
  search *d = user;
  const nsds_piece *piece = d->s->moving.piece;
  return one < other ? meet(d, &piece[one], &piece[other]) : meet(d, &piece[other], &piece[one]);
}

static nsds_status meet_still(void *user, int i, int j) {
  search *d = user;
  return meet(d, &d->s->moving.piece[i], &d->s->still.piece[j]);
}

nsds_status nsds_shapes_find(void *self, double t, nsds_contacts *contacts) {
  nsds_shape_set *s = self;
  search d = {.s = s, .contacts = contacts};
  nsds_status status = NSDS_OK;
  (void)t;
  s->nfound = s->nfollowed = 0;
  s->least = INFINITY;
  if (s->stale) list_all(s);
  for (int k = 0; !status && k < s->nbody; ++k)
    status = nsds_check_places(s->model, s->label, 1, &s->body[k].ds, s->body[k].ds->nq);
  if (status) return status;
  place_all(s);
  nsds_grid_fill(&s->moving.grid);
  for (int i = 0; !status && i < s->moving.count; ++i) {
    const nsds_core *core = s->moving.piece[i].core;
    for (int k = 0; !status && k < s->nplane; ++k)
      status = meet_plane(&d, &s->moving.piece[i], s->plane[k]);
    if (!status) status = nsds_grid_near(&s->still.grid, core->at, core->around, i, meet_still, &d);
    if (!status) status = nsds_grid_partners(&s->moving.grid, i, meet_moving, &d);
  }
  if (contacts->follows) nsds_shapes_sort(s);
  return status;
}
