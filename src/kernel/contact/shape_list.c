/*
 * Pieces of a set of shapes and their places. Pieces of bodies and of the scenery are listed when
 * shapes have come or gone, each with a ball in a grid. Before a search the cores go to the places of
 * their bodies. The balls of a body that moves far in a step hold its way too.
 */
#include "kernel/contact/shape_list.h"

#include "kernel/contact/core.h"
#include "kernel/contact/flush.h"
#include "kernel/contact/grid.h"
#include "kernel/contact/places.h"
#include "kernel/contact/shape_follow.h"
#include "kernel/modeling/body.h"

/* ---- lists ----------------------------------------------------------------------------------- */

static int body_of(nsds_shape_set *s, nsds_ds *ds) {
  if (!ds) return -1;
  int *at = &s->bodies.of[ds->index];
  if (*at < 0) {
    s->bodies.pose[s->bodies.n].ds = ds;
    s->bodies.pose[s->bodies.n].around = 0.0;
    s->bodies.pose[s->bodies.n].piece = -1;
    s->bodies.pose[s->bodies.n].pieces = 0;
    *at = s->bodies.n++;
  }
  return *at;
}

static void list_solid(nsds_shape_set *s, const nsds_solid *solid, double *most) {
  int body = body_of(s, solid->shape.ds);
  bool led = !solid->shape.ds || solid->shape.ds->prescribed.n == solid->shape.ds->nv;
  nsds_crowd *crowd = body >= 0 ? &s->moving : &s->still;
  if (solid->shape.kind == NSDS_HALF_SPACE) s->plane[s->nplane++] = solid;
  for (int k = 0; k < solid->count; ++k) {
    nsds_core *core = &solid->core[k];
    nsds_grid_item *item = &crowd->grid.item[crowd->count];
    item->radius = core->around;
    memcpy(item->x, core->at, sizeof item->x);
    crowd->piece[crowd->count++] =
        (nsds_piece){.core = core, .solid = solid, .sub = k, .body = body, .led = led};
    s->thin = fmin(s->thin, core->thin);
    if (body < 0) continue;
    nsds_piece *piece = &crowd->piece[crowd->count - 1];
    piece->next = s->bodies.pose[body].piece;
    s->bodies.pose[body].piece = crowd->count - 1;
    ++s->bodies.pose[body].pieces;
    *most = fmax(*most, core->around);
    s->bodies.pose[body].around =
        fmax(s->bodies.pose[body].around, nsds_length(core->centre) + core->around);
  }
}

/* Chooses the levels of the grid from the radii. */
static void open_crowd(nsds_crowd *crowd, double reach) {
  crowd->grid.count = crowd->count;
  nsds_grid_open(&crowd->grid, reach);
}

/* Lists pieces, planes and bodies again after shapes have come or gone. */
static void list_all(nsds_shape_set *s) {
  double most = 0.0;
  ++s->listing;
  s->moving.count = s->still.count = s->nplane = s->bodies.n = 0;
  s->thin = INFINITY;
  s->rushes = false;
  for (size_t k = 0; k < s->bodies.capacity; ++k) s->bodies.of[k] = -1;
  for (int k = 0; k < s->solids.n; ++k) list_solid(s, s->solids.item[k], &most);
  s->reach = s->given.reach > 0.0 ? s->given.reach : 0.1 * most;
  s->collision.reach = s->reach;
  double usual = 256.0 * (s->moving.count + 16.0), most_rows = 1e9 / s->rows;
  s->max_contacts = s->given.contacts > 0 ? s->given.contacts : (int)fmin(usual, most_rows);
  open_crowd(&s->moving, s->reach);
  open_crowd(&s->still, s->reach);
  nsds_grid_fill(&s->still.grid);
  nsds_shapes_mark_flush(s);
  s->stale = false;
}

nsds_status nsds_shapes_list(nsds_shape_set *s) {
  nsds_status status = NSDS_OK;
  if (s->stale) list_all(s);
  for (int k = 0; !status && k < s->bodies.n; ++k)
    status =
        nsds_check_places(s->model, s->label, 1, &s->bodies.pose[k].ds, s->bodies.pose[k].ds->nq);
  return status;
}

/* ---- places ---------------------------------------------------------------------------------- */

static void read_pose(const nsds_shape_set *s, const double *q, double *x, double *R) {
  bool space = s->dimension == 3;
  const double turn[] = {cos(0.5 * q[2]), 0.0, 0.0, sin(0.5 * q[2])};
  for (int i = 0; i < 3; ++i) x[i] = i < s->dimension ? q[i] : 0.0;
  nsds_rotation_matrix(space ? q + 3 : turn, R);
}

/* Puts a ball of the grid around the way of a core. */
static void put_ball(const nsds_shape_set *s, const nsds_piece *p, nsds_grid_item *item) {
  const nsds_pose *body = &s->bodies.pose[p->body];
  memcpy(item->x, p->core->at, sizeof item->x);
  item->radius = p->core->around;
  if (!s->rushes) return;
  double from[3], way[3];
  nsds_turn(body->R0, p->core->centre, from);
  for (int i = 0; i < 3; ++i) {
    way[i] = 0.5 * (p->core->at[i] - from[i] - body->x0[i]);
    item->x[i] -= way[i];
  }
  item->radius += nsds_length(way);
}

void nsds_shapes_put_places(nsds_shape_set *s, const nsds_contacts *contacts) {
  double most = 0.0;
  for (int k = 0; k < s->bodies.n; ++k) {
    nsds_pose *body = &s->bodies.pose[k];
    const double *q = nsds_q(body->ds), *q0 = contacts->start;
    read_pose(s, q, body->x, body->R);
    if (!q0) continue;
    body->way = nsds_shapes_travel(s, body->ds, q0 + body->ds->q_offset, q);
    read_pose(s, q0 + body->ds->q_offset, body->x0, body->R0);
    most = fmax(most, body->way);
  }
  bool before = s->rushes;
  s->rushes = contacts->start && most > 0.5 * nsds_small_way * fmin(s->reach, s->thin);
  for (int k = 0; k < s->moving.count; ++k) {
    const nsds_piece *p = &s->moving.piece[k];
    nsds_core_place(p->core, s->bodies.pose[p->body].x, s->bodies.pose[p->body].R);
    put_ball(s, p, &s->moving.grid.item[k]);
  }
  if (before || s->rushes) open_crowd(&s->moving, s->reach);
}

nsds_status nsds_shapes_take_places(nsds_shape_set *s) {
  nsds_status status = nsds_shapes_list(s);
  for (int k = 0; !status && k < s->bodies.n; ++k) {
    nsds_pose *body = &s->bodies.pose[k];
    read_pose(s, nsds_q(body->ds), body->x, body->R);
  }
  for (int k = 0; !status && k < s->moving.count; ++k) {
    const nsds_piece *p = &s->moving.piece[k];
    nsds_core_place(p->core, s->bodies.pose[p->body].x, s->bodies.pose[p->body].R);
  }
  return status;
}
