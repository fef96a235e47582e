/*
 * Questions about the places of shapes: rays, nearest points, distances. A tree of boxes, built anew
 * when shapes have come or gone, leads to the cores in question. The tree of the bodies follows them
 * with its boxes; after many moves, and for many rays, it is built anew.
 */
#include "base/context.h"
#include "kernel/contact/clip.h"
#include "kernel/contact/collide.h"
#include "kernel/contact/ray.h"
#include "kernel/contact/round_meet.h"
#include "kernel/contact/shape_list.h"
#include "kernel/contact/shape_tree.h"
#include "kernel/contact/shapes.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/modeling.h"

static const double endless = 1e150; /* its square is a number */

/* ---- the trees ------------------------------------------------------------------------------- */

static nsds_status follow_crowd(nsds_shape_set *s, nsds_crowd *crowd, bool moves, int questions) {
  enum { many = 64 };
  nsds_shape_tree *tree = &crowd->tree;
  bool old = tree->of != s->listing || (moves && (questions >= many || tree->moved >= many));
  if (!old) {
    if (moves) nsds_shape_tree_refit(tree, crowd->piece);
    return NSDS_OK;
  }
  tree->of = 0;
  nsds_status status = nsds_shape_tree_build(tree, s->model->context, crowd->piece, crowd->count);
  if (!status) tree->of = s->listing;
  return status;
}

/* Takes shapes and trees to the present places. */
static nsds_status get_ready(nsds_shape_set *s, int questions) {
  nsds_status status = nsds_shapes_take_places(s);
  if (!status) status = follow_crowd(s, &s->moving, true, questions);
  return status ? status : follow_crowd(s, &s->still, false, questions);
}

/* Returns the set for a question; NULL with the error recorded. */
static nsds_shape_set *ask(nsds_contact_set *handle, const char *call, const nsds_ds **ignore,
                           nsds_status *status) {
  nsds_shape_set *s = nsds_shape_set_of(handle, call, status);
  if (!s || !*ignore) return s;
  *ignore = nsds_ds_find(*ignore, call);
  if (*ignore) return s;
  *status = NSDS_ERROR_ARGUMENT;
  return NULL;
}

static void no_hit(nsds_shape_hit *hit) {
  *hit = (nsds_shape_hit){.shape = -1, .distance = INFINITY};
}

static bool is_ahead(const nsds_shape_hit *hit, double distance, int shape) {
  return distance < hit->distance || (distance == hit->distance && shape < hit->shape);
}

static void note_hit(nsds_shape_hit *hit, const nsds_solid *solid, double distance,
                     const double *normal) {
  hit->shape = solid->shape.number;
  hit->ds = solid->shape.ds ? nsds_ds_handle(solid->shape.ds) : NULL;
  hit->distance = distance;
  memcpy(hit->normal, normal, sizeof hit->normal);
}

/* Returns the place of a shape in the list, by its number; -1: there is none. */
static int shape_place(const nsds_shape_set *s, int number) {
  for (int low = 0, high = s->solids.n; low < high;) {
    int k = low + (high - low) / 2, here = s->solids.item[k]->shape.number;
    if (here == number) return k;
    if (here < number) low = k + 1;
    else high = k;
  }
  return -1;
}

/* ---- rays ------------------------------------------------------------------------------------ */

typedef struct cast {
  nsds_line line;
  double inverse[3]; /* of the way; INFINITY where it has no part */
  const nsds_ds *ignore;
  nsds_shape_hit *hit;
} cast;

/* Returns the way to where the ray enters a box; INFINITY if it misses, or is beyond the hit. */
static double way_to_box(const cast *c, const nsds_tree_node *node) {
  double enters = 0.0, leaves = c->hit->distance;
  for (int i = 0; i < 3; ++i) {
    double lo = node->lo[i] - c->line.from[i], hi = node->hi[i] - c->line.from[i];
    if (c->line.way[i] == 0.0) {
      if (lo > 0.0 || hi < 0.0) return INFINITY;
      continue;
    }
    lo *= c->inverse[i];
    hi *= c->inverse[i];
    enters = fmax(enters, fmin(lo, hi));
    leaves = fmin(leaves, fmax(lo, hi));
  }
  const double rounding = 1e-12; /* of a box that touches the ray */
  return enters <= leaves + rounding * (enters + c->line.slack) ? enters : INFINITY;
}

static void cast_piece(cast *c, const nsds_piece *p) {
  double normal[3];
  if (c->ignore && p->solid->shape.ds == c->ignore) return;
  c->line.slack = 1e-12 * p->core->around;
  double t = nsds_ray_core(&c->line, p->core, normal);
  if (t < INFINITY && is_ahead(c->hit, t, p->solid->shape.number))
    note_hit(c->hit, p->solid, t, normal);
}

static void cast_crowd(cast *c, const nsds_crowd *crowd) {
  const nsds_shape_tree *tree = &crowd->tree;
  int stack[nsds_tree_depth], depth = 0;
  if (tree->nnode > 0) stack[depth++] = 0;
  while (depth > 0) {
    int at = stack[--depth];
    const nsds_tree_node *node = &tree->node[at];
    if (!(way_to_box(c, node) < INFINITY)) continue;
    for (int k = 0; k < node->count; ++k) cast_piece(c, &crowd->piece[tree->item[node->first + k]]);
    if (node->count > 0) continue;
    bool first = way_to_box(c, &tree->node[at + 1]) <= way_to_box(c, &tree->node[node->first]);
    stack[depth++] = first ? node->first : at + 1;
    stack[depth++] = first ? at + 1 : node->first;
  }
}

/* The ray as a line; false with the error recorded. */
static bool begin_cast(const nsds_shape_set *s, const char *call, const nsds_ray *ray, int k,
                       cast *c) {
  double square = 0.0;
  *c = (cast){.ignore = NULL};
  for (int i = 0; i < s->dimension; ++i) {
    c->line.from[i] = ray->origin[i];
    c->line.way[i] = ray->direction[i];
    square = fmax(square, fabs(ray->direction[i]));
    if (isfinite(ray->origin[i]) && isfinite(ray->direction[i])) continue;
    bool starts = isfinite(ray->origin[i]);
    nsds_fail(s->model->context, NSDS_ERROR_VALUE,
              "%s: %s[%d] of ray %d is %g; valid are finite numbers", call,
              starts ? "direction" : "origin", i, k, starts ? ray->direction[i] : ray->origin[i]);
    return false;
  }
  if (!(square > 0.0) || !(ray->length >= 0.0)) {
    bool stays = !(square > 0.0);
    nsds_fail(s->model->context, NSDS_ERROR_VALUE,
              "%s: %s of ray %d is %g; valid are directions other than zero, and lengths >= 0",
              call, stays ? "direction" : "length", k, stays ? square : ray->length);
    return false;
  }
  for (int i = 0; i < 3; ++i) c->line.way[i] /= square;
  double length = nsds_length(c->line.way);
  for (int i = 0; i < 3; ++i) {
    c->line.way[i] /= length;
    c->inverse[i] = 1.0 / c->line.way[i];
  }
  return true;
}

static void cast_planes(cast *c, const nsds_shape_set *s) {
  for (int k = 0; k < s->nplane; ++k) {
    const nsds_shape_info *shape = &s->plane[k]->shape;
    double normal[3];
    double t = nsds_ray_half_space(&c->line, shape->plane.normal, shape->plane.offset, normal);
    if (t < INFINITY && is_ahead(c->hit, t, shape->number))
      note_hit(c->hit, s->plane[k], t, normal);
  }
}

static nsds_status cast_one(nsds_shape_set *s, const char *call, const nsds_ray *ray, int k,
                            nsds_shape_hit *hit) {
  cast c;
  const nsds_ds *ignore = ray->ignore ? nsds_ds_find(ray->ignore, call) : NULL;
  if (ray->ignore && !ignore) return NSDS_ERROR_ARGUMENT;
  if (!begin_cast(s, call, ray, k, &c)) return NSDS_ERROR_VALUE;
  double length = ray->length > 0.0 ? ray->length : INFINITY;
  c.ignore = ignore;
  c.hit = hit;
  no_hit(hit);
  hit->distance = length; /* boxes beyond are left out */
  hit->shape = INT_MAX;
  cast_planes(&c, s);
  cast_crowd(&c, &s->still);
  cast_crowd(&c, &s->moving);
  if (hit->shape == INT_MAX) no_hit(hit);
  else
    for (int i = 0; i < 3; ++i) hit->point[i] = c.line.from[i] + hit->distance * c.line.way[i];
  return NSDS_OK;
}

nsds_status nsds_shapes_cast(nsds_contact_set *set, int nray, const nsds_ray *ray,
                             nsds_shape_hit *hit) {
  const char *call = "nsds_shapes_cast";
  const nsds_ds *none = NULL;
  nsds_status status;
  nsds_shape_set *s = ask(set, call, &none, &status);
  if (!s) return status;
  if (!nsds_check_count(s->model->context, call, "nray", nray, 0)) return NSDS_ERROR_SIZE;
  if (nray > 0 && (!ray || !hit))
    return nsds_fail_null(s->model->context, call, ray ? "hit" : "ray");
  status = get_ready(s, nray);
  for (int k = 0; !status && k < nray; ++k) status = cast_one(s, call, &ray[k], k, &hit[k]);
  return status;
}

/* ---- triangles from both sides --------------------------------------------------------------- */

typedef struct both_sides {
  nsds_core core;
  double n[6];
} both_sides;

/* Flat cores have only a front in steps. */
static const nsds_core *seen_from_both(const nsds_core *core, both_sides *both) {
  if (!core->flat) return core;
  nsds_core_both_sides(core, &both->core, both->n);
  return &both->core;
}

/* ---- points ---------------------------------------------------------------------------------- */

typedef struct point_search {
  nsds_core core; /* the point */
  double point[3];
  nsds_collision collision;
  const nsds_ds *ignore;
  nsds_shape_hit hit; /* the nearest so far */
  double within;
  /* of nsds_shapes_in_ball(), which lists: */
  nsds_shape_set *lists;
  int count, capacity, *shape;
} point_search;

/* Distance of the point from the surface of a core, with the normal. */
static double point_distance(point_search *p, const nsds_core *core, double *normal) {
  nsds_collision *c = &p->collision;
  both_sides both;
  c->reach = endless;
  c->exact = true;
  p->core.around = core->around;
  nsds_collide(c, &p->core, seen_from_both(core, &both));
  if (c->count < 0) { /* in the center: every way out is as long */
    for (int i = 0; i < 3; ++i) normal[i] = i == 1;
    return -core->radius;
  }
  double least = INFINITY;
  for (int k = 0; k < c->count; ++k) {
    if (!(c->spot[k].gap < least)) continue;
    least = c->spot[k].gap;
    memcpy(normal, c->spot[k].normal, 3 * sizeof *normal);
  }
  return least;
}

/* Adds the number of a shape to the list, in order and once. */
static void list_shape(point_search *p, const nsds_solid *found) {
  int number = found->shape.number, k = 0;
  int at = p->count < p->capacity ? p->count : p->capacity;
  nsds_solid *solid = p->lists->solids.item[shape_place(p->lists, number)];
  if (solid->asked == p->lists->questions) return;
  solid->asked = p->lists->questions;
  ++p->count;
  while (k < at && p->shape[k] < number) ++k;
  for (int j = at < p->capacity ? at : p->capacity - 1; j > k; --j) p->shape[j] = p->shape[j - 1];
  if (k < p->capacity) p->shape[k] = number;
}

static void take_distance(point_search *p, const nsds_solid *solid, double distance,
                          const double *normal) {
  if (distance > p->within) return;
  if (p->lists) list_shape(p, solid);
  else if (is_ahead(&p->hit, distance, solid->shape.number))
    note_hit(&p->hit, solid, distance, normal);
}

/* Square of the distance of the point from a box. */
static double square_to_box(const point_search *p, const nsds_tree_node *node) {
  double square = 0.0;
  for (int i = 0; i < 3; ++i) {
    double off = fmax(fmax(node->lo[i] - p->point[i], p->point[i] - node->hi[i]), 0.0);
    square += off * off;
  }
  return square;
}

static void near_crowd(point_search *p, const nsds_crowd *crowd) {
  const nsds_shape_tree *tree = &crowd->tree;
  int stack[nsds_tree_depth], depth = 0;
  if (tree->nnode > 0) stack[depth++] = 0;
  while (depth > 0) {
    int at = stack[--depth];
    const nsds_tree_node *node = &tree->node[at];
    double most = fmax(fmin(p->within, p->hit.distance), 0.0) * (1.0 + 1e-12);
    if (square_to_box(p, node) > most * most) continue;
    for (int k = 0; k < node->count; ++k) {
      const nsds_piece *piece = &crowd->piece[tree->item[node->first + k]];
      double normal[3];
      if (p->ignore && piece->solid->shape.ds == p->ignore) continue;
      double distance = point_distance(p, piece->core, normal);
      if (distance < INFINITY) take_distance(p, piece->solid, distance, normal);
    }
    if (node->count > 0) continue;
    bool first =
        square_to_box(p, &tree->node[at + 1]) <= square_to_box(p, &tree->node[node->first]);
    stack[depth++] = first ? node->first : at + 1;
    stack[depth++] = first ? at + 1 : node->first;
  }
}

static nsds_status search_point(nsds_shape_set *s, const char *call, const char *what,
                                const double *point, const char *size, double within,
                                point_search *p) {
  nsds_context *context = s->model->context;
  if (!point) return nsds_fail_null(context, call, what);
  if (!(within >= 0.0))
    return nsds_fail(context, NSDS_ERROR_VALUE, "%s: %s is %g; valid are numbers >= 0", call, size,
                     within);
  nsds_core_point(&p->core);
  for (int i = 0; i < s->dimension; ++i) {
    p->point[i] = point[i];
    if (!isfinite(point[i]))
      return nsds_fail(context, NSDS_ERROR_VALUE, "%s: %s[%d] is %g; valid are finite numbers",
                       call, what, i, point[i]);
  }
  p->core.v = p->core.wv = p->point;
  p->collision = s->collision;
  p->within = fmin(within, endless);
  no_hit(&p->hit);
  nsds_status status = get_ready(s, 1);
  if (status) return status;
  for (int k = 0; k < s->nplane; ++k) {
    const nsds_plane *plane = &s->plane[k]->shape.plane;
    take_distance(p, s->plane[k], nsds_dot(plane->normal, p->point) - plane->offset, plane->normal);
  }
  near_crowd(p, &s->still);
  near_crowd(p, &s->moving);
  return NSDS_OK;
}

nsds_status nsds_shapes_nearest(nsds_contact_set *set, const double point[3], double within,
                                const nsds_ds *ignore, nsds_shape_hit *hit) {
  const char *call = "nsds_shapes_nearest";
  nsds_status status;
  nsds_shape_set *s = ask(set, call, &ignore, &status);
  if (!s) return status;
  if (!hit) return nsds_fail_null(s->model->context, call, "hit");
  point_search p = {.ignore = ignore};
  status = search_point(s, call, "point", point, "within", within == 0.0 ? endless : within, &p);
  if (status) return status;
  *hit = p.hit;
  for (int i = 0; hit->shape >= 0 && i < 3; ++i)
    hit->point[i] = p.point[i] - hit->distance * hit->normal[i];
  return NSDS_OK;
}

int nsds_shapes_in_ball(nsds_contact_set *set, const double center[3], double radius,
                        const nsds_ds *ignore, int capacity, int *shape) {
  const char *call = "nsds_shapes_in_ball";
  nsds_status status;
  nsds_shape_set *s = ask(set, call, &ignore, &status);
  if (!s) return -1;
  if (!nsds_check_count(s->model->context, call, "capacity", capacity, 0)) return -1;
  if (capacity > 0 && !shape) {
    nsds_fail_null(s->model->context, call, "shape");
    return -1;
  }
  point_search p = {.ignore = ignore, .lists = s, .capacity = capacity, .shape = shape};
  ++s->questions;
  status = search_point(s, call, "center", center, "radius", radius, &p);
  return status ? -1 : p.count;
}

/* ---- two shapes ------------------------------------------------------------------------------ */

static const nsds_solid *solid_of(const nsds_shape_set *s, const char *call, int number) {
  int place = shape_place(s, number);
  if (place >= 0) return s->solids.item[place];
  nsds_fail(s->model->context, NSDS_ERROR_ARGUMENT,
            "%s: %s has no shape %d; it was removed or never there", call, s->label, number);
  return NULL;
}

/* Takes the deepest contact of a pair if it is deeper than those before. */
static void take_gap(const nsds_collision *c, double sign, nsds_shape_gap *gap) {
  for (int k = 0; k < c->count; ++k) {
    const nsds_spot *spot = &c->spot[k];
    if (!(spot->gap < gap->distance)) continue;
    gap->distance = spot->gap;
    for (int i = 0; i < 3; ++i) {
      gap->normal[i] = sign * spot->normal[i];
      gap->point[0][i] = spot->point[i] + 0.5 * sign * spot->gap * spot->normal[i];
      gap->point[1][i] = spot->point[i] - 0.5 * sign * spot->gap * spot->normal[i];
    }
  }
}

static double smallest_gap(const nsds_collision *c) {
  double least = INFINITY;
  for (int k = 0; k < c->count; ++k) least = fmin(least, c->spot[k].gap);
  return least;
}

/* Measures two cores, in their order. Triangles have two sides for what is apart from them. An overlap
 * leads to their front, as in steps, if it has a way there. Returns false if there is no normal. */
static bool measure_cores(nsds_collision *c, const nsds_core *first, const nsds_core *second,
                          nsds_shape_gap *gap) {
  both_sides at_a, at_b;
  bool turned = nsds_cores_turned(first, second);
  const nsds_core *a = turned ? second : first, *b = turned ? first : second;
  const nsds_core *both_a = seen_from_both(a, &at_a), *both_b = seen_from_both(b, &at_b);
  nsds_collide(c, both_a, both_b);
  bool flat = a->flat || b->flat;
  if (c->count >= 0 && flat && !(smallest_gap(c) > 0.0)) {
    nsds_collide(c, a, b);
    if (c->count <= 0 || smallest_gap(c) > 0.0) nsds_collide(c, both_a, both_b);
  }
  if (c->count < 0) return false;
  if (c->count > 0 && (a->round || b->round)) nsds_round_nearest(c);
  if (turned)
    for (int k = 0; k < c->count; ++k) nsds_turn_spot(&c->spot[k]);
  take_gap(c, 1.0, gap);
  return true;
}

/* Exchanges the shapes of a gap. */
static void turn_over(nsds_shape_gap *gap) {
  for (int i = 0; i < 3; ++i) {
    double point = gap->point[0][i];
    gap->point[0][i] = gap->point[1][i];
    gap->point[1][i] = point;
    gap->normal[i] = -gap->normal[i];
  }
}

/* Returns false if a pair of cores has no normal. */
static bool measure_gap(nsds_shape_set *s, const nsds_solid *a, const nsds_solid *b,
                        nsds_shape_gap *gap) {
  nsds_collision c = s->collision;
  c.reach = endless;
  c.exact = true;
  double sign = a->shape.kind == NSDS_HALF_SPACE ? -1.0 : 1.0;
  const nsds_solid *plane = sign < 0.0 ? a : b, *other = sign < 0.0 ? b : a;
  if (plane->shape.kind == NSDS_HALF_SPACE) {
    for (int k = 0; k < other->count; ++k) {
      c.count = 0;
      nsds_collide_plane(&c, &other->core[k], plane->shape.plane.normal, plane->shape.plane.offset);
      take_gap(&c, sign, gap);
    }
    return true;
  }
  for (int i = 0; i < a->count; ++i)
    for (int j = 0; j < b->count; ++j)
      if (!measure_cores(&c, &a->core[i], &b->core[j], gap)) return false;
  return true;
}

nsds_status nsds_shapes_gap(nsds_contact_set *set, int first, int second, nsds_shape_gap *gap) {
  const char *call = "nsds_shapes_gap";
  const nsds_ds *none = NULL;
  nsds_status status;
  nsds_shape_set *s = ask(set, call, &none, &status);
  if (!s) return status;
  nsds_context *context = s->model->context;
  if (!gap) return nsds_fail_null(context, call, "gap");
  const nsds_solid *a = solid_of(s, call, first), *b = a ? solid_of(s, call, second) : NULL;
  if (!a || !b) return NSDS_ERROR_ARGUMENT;
  if (a == b || (a->shape.kind == NSDS_HALF_SPACE && b->shape.kind == NSDS_HALF_SPACE))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: shapes %d and %d are %s; valid are two shapes that are not both half "
                     "spaces",
                     call, first, second, a == b ? "one shape" : "half spaces");
  status = nsds_shapes_take_places(s);
  if (status) return status;
  *gap = (nsds_shape_gap){.distance = INFINITY};
  bool turned = second < first; /* the order changes no digit */
  if (measure_gap(s, turned ? b : a, turned ? a : b, gap)) {
    if (turned) turn_over(gap);
    return NSDS_OK;
  }
  *gap = (nsds_shape_gap){.distance = NAN};
  return nsds_fail(context, NSDS_ERROR_VALUE,
                   "%s: shapes %d and %d have their centres or axes in each other; there is no "
                   "normal between them",
                   call, first, second);
}
