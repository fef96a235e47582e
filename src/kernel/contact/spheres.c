/*
 * Spheres around the centers of rigid bodies, against planes and each other. Normal and point
 * belong to closest points; frames and columns are those of contact relations (contact_relation.c).
 * Pairs come from a grid (grid.c). A sphere's planes and partners come one after the other, so that
 * contacts that share a body stand close in the problem. The search finds keys; all else follows
 * from the keys.
 */
#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
#include "base/parallel.h"
#include "kernel/contact/grid.h"
#include "kernel/contact/places.h"
#include "kernel/contact/search_parts.h"
#include "kernel/contact/shape_types.h"
#include "kernel/contact/shown_shape.h"
#include "kernel/contact/spheres_check.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/contact_bias.h"
#include "kernel/modeling/contact_frame.h"
#include "kernel/modeling/contact_relation.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/sphere_relation.h"

#include <stdio.h>

static const char call[] = "nsds_spheres";

typedef struct spheres {
  nsds_model *model;
  char label[nsds_label_size];
  nsds_law *law;
  int nplane, rows, max_contacts;
  bool pairs;
  double reach, least; /* `least`: smallest radius */
  nsds_ds **ds;
  int *place; /* numbers in the model */
  nsds_plane *plane;
  nsds_grid grid;
  double (*turn)[9];   /* R of each body */
  bool moves;          /* some sphere moves in the step */
  bool rushes;         /* some sphere moves so far that contacts may change sides */
  double *radius;      /* radii; while `rushes`, the grid has balls around ways */
  const double *start; /* in a search: q of the model's state, if q is ahead of it */
  double ahead;        /* by this time */
  nsds_harvest found;
} spheres;

/* Ways up to small_way of the reach or the smaller radius leave every contact on its side. Ways
 * below least_way of this radius do not count. A pair that closes by more than `steep` of its way
 * strikes. */
static const double small_way = 0.5, least_way = 1e-3, steep = 0.1;

/* A search under way. */
typedef struct search {
  spheres *s;
  double farthest[nsds_most_parts];
  struct {
    bool there;
    int i, j;
  } at_one_point[nsds_most_parts]; /* first pair of centers at one point, by parts */
} search;

typedef struct part_search {
  search *d;
  int part;
} part_search;

/* ---- keys ------------------------------------------------------------------------------------ */

static uint64_t key_of_pair(int i, int j) { return (uint64_t)i | (uint64_t)j << 32; }
static uint64_t key_of_plane(int i, int p) { return key_of_pair(i, p) | UINT64_C(1) << 63; }
static bool spheres_is_plane(uint64_t key) { return key >> 63; }
static int first_of(uint64_t key) { return (int)(key & UINT32_MAX); }
static int second_of(uint64_t key) { return (int)(key >> 32 & INT32_MAX); }
/* Returns the number of the other shape: spheres come first, then planes. */
static int other_shape(const spheres *s, uint64_t key) {
  return second_of(key) + (spheres_is_plane(key) ? s->grid.count : 0);
}

/* ---- search ---------------------------------------------------------------------------------- */

static const double *q_of(const spheres *s, int i) {
  return s->model->state.q + s->ds[i]->q_offset;
}

static const double *start_of(const spheres *s, int i) { return s->start + s->ds[i]->q_offset; }

static const double *centre(const spheres *s, int i) {
  return NSDS_UNLIKELY(s->rushes) ? q_of(s, i) : s->grid.item[i].x;
}

static double radius_of(const spheres *s, int i) {
  return NSDS_UNLIKELY(s->rushes) ? s->radius[i] : s->grid.item[i].radius;
}

static double gap_of_plane(const spheres *s, int i, const nsds_plane *plane) {
  return nsds_dot(plane->normal, centre(s, i)) - plane->offset - radius_of(s, i);
}

/* Computes a - b and returns its square. */
static double apart(const double *a, const double *b, double *way) {
  for (int k = 0; k < 3; ++k) way[k] = a[k] - b[k];
  return nsds_dot(way, way);
}

/* Returns true if two spheres strike each other: at the end of the step they would overlap or would
 * have passed. The contact is then that of the start. */
static bool spheres_met_early(const spheres *s, int i, int j) {
  if (NSDS_LIKELY(!s->moves)) return false;
  const double *a = start_of(s, i), *b = start_of(s, j), *a1 = q_of(s, i), *b1 = q_of(s, j);
  double r = radius_of(s, i), t = radius_of(s, j), n[3], way[3], limit = r + t + s->reach;
  double distance = apart(a, b, n), closing = 0.0, least = fmin(r, t);
  if (!(distance <= limit * limit)) return false;
  for (int k = 0; k < 3; ++k) way[k] = a1[k] - a[k] - b1[k] + b[k];
  double length = nsds_length(way);
  if (length <= least_way * least) return false;
  if (distance < 1e-280) return true; /* there is no normal */
  closing = -nsds_dot(n, way) / sqrt(distance);
  return closing > fmin(small_way * fmin(s->reach, least), steep * length);
}

static nsds_status meet_sphere(void *user, int one, int other) {
  const part_search *d = user;
  spheres *s = d->d->s;
  int i = one < other ? one : other, j = one < other ? other : one;
  static const double deep = 1e-6;
  double way[3], limit = radius_of(s, i) + radius_of(s, j) + s->reach;
  bool early = spheres_met_early(s, i, j);
  double square =
      early ? apart(start_of(s, i), start_of(s, j), way) : apart(centre(s, i), centre(s, j), way);
  if (!(square <= limit * limit)) return NSDS_OK;
  if (square < deep * limit * limit && s->start) /* perhaps both come from one point */
    square = fmin(square, apart(start_of(s, i), start_of(s, j), way));
  if (square < 1e-280) { /* its root has no digits */
    d->d->at_one_point[d->part].there = true;
    d->d->at_one_point[d->part].i = i;
    d->d->at_one_point[d->part].j = j;
    return NSDS_ERROR_VALUE;
  }
  nsds_harvest_add(&s->found, d->part, key_of_pair(i, j));
  return s->found.found[d->part] > (size_t)s->max_contacts ? NSDS_ERROR_VALUE : NSDS_OK;
}

static void search_part(void *self, int part, int parts) {
  search *d = self;
  spheres *s = d->s;
  part_search one = {.d = d, .part = part};
  int end = nsds_part_begin(s->grid.count, part + 1, parts);
  nsds_status status = NSDS_OK;
  for (int i = nsds_part_begin(s->grid.count, part, parts); !status && i < end; ++i) {
    for (int p = 0; p < s->nplane; ++p)
      if (gap_of_plane(s, i, &s->plane[p]) <= s->reach)
        nsds_harvest_add(&s->found, part, key_of_plane(i, p));
    if (s->pairs) status = nsds_grid_partners(&s->grid, i, meet_sphere, &one);
  }
}

static void spheres_place_part(void *self, int part, int parts) {
  search *d = self;
  spheres *s = d->s;
  int end = nsds_part_begin(s->grid.count, part + 1, parts);
  double farthest = 0.0, way[3];
  for (int i = nsds_part_begin(s->grid.count, part, parts); i < end; ++i) {
    const double *q = q_of(s, i);
    memcpy(s->grid.item[i].x, q, sizeof s->grid.item[i].x);
    nsds_rotation_matrix(q + 3, s->turn[i]);
    if (s->start) farthest = fmax(farthest, apart(q, start_of(s, i), way));
  }
  d->farthest[part] = sqrt(farthest);
}

/* Puts balls around ways, in a step with long ways. */
static void pass_part(void *self, int part, int parts) {
  spheres *s = self;
  int end = nsds_part_begin(s->grid.count, part + 1, parts);
  for (int i = nsds_part_begin(s->grid.count, part, parts); i < end; ++i) {
    nsds_grid_item *item = &s->grid.item[i];
    double way[3];
    item->radius = s->radius[i] + 0.5 * sqrt(apart(q_of(s, i), start_of(s, i), way));
    for (int k = 0; k < 3; ++k) item->x[k] -= 0.5 * way[k];
  }
}

static void spheres_place_all(search *d, int parts) {
  spheres *s = d->s;
  nsds_context *context = s->model->context;
  double farthest = 0.0;
  bool before = s->rushes;
  nsds_share_out(context, parts, spheres_place_part, d);
  for (int p = 0; p < parts; ++p) farthest = fmax(farthest, d->farthest[p]);
  s->moves = s->pairs && farthest > 0.5 * least_way * s->least;
  s->rushes = s->pairs && farthest > 0.5 * small_way * fmin(s->reach, s->least);
  for (int i = 0; before && i < s->grid.count; ++i) s->grid.item[i].radius = s->radius[i];
  if (s->rushes) nsds_share_out(context, parts, pass_part, s);
  if (before || s->rushes) nsds_grid_open(&s->grid, s->reach);
  if (s->pairs) nsds_grid_fill(&s->grid);
}

static nsds_status fail_at_one_point(const spheres *s, int i, int j) {
  char one[nsds_label_size], other[nsds_label_size];
  const double *x = centre(s, i);
  return nsds_fail(s->model->context, NSDS_ERROR_VALUE,
                   "%s: ds[%d] (%s) and ds[%d] (%s) have their centres at one point, (%g, %g, %g), "
                   "at t = %.17g; there is no normal between them",
                   s->label, i, nsds_ds_label(s->ds[i], one), j, nsds_ds_label(s->ds[j], other),
                   x[0], x[1], x[2], s->model->state.t);
}

static nsds_status fail_with_many(const spheres *s) {
  return nsds_fail(s->model->context, NSDS_ERROR_VALUE,
                   "%s: more than max_contacts = %d contacts of %d spheres at t = %.17g; spheres "
                   "that lie in each other have many",
                   s->label, s->max_contacts, s->grid.count, s->model->state.t);
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* The contact of two bodies, or of one with the world (j < 0). */
typedef struct touch {
  int i, j;
  bool early;                     /* as at the start of the step */
  double gap, frame[9], point[3]; /* n, t1, t2 */
} touch;

static void touch_plane(const spheres *s, uint64_t key, touch *at) {
  const nsds_plane *plane = &s->plane[second_of(key)];
  *at = (touch){.i = first_of(key), .j = -1};
  const double *x = centre(s, at->i), radius = radius_of(s, at->i);
  at->gap = gap_of_plane(s, at->i, plane);
  for (int k = 0; k < 3; ++k) {
    at->frame[k] = plane->normal[k];
    at->point[k] = x[k] - radius * plane->normal[k];
  }
}

static void touch_sphere(const spheres *s, uint64_t key, touch *at) {
  *at = (touch){.i = first_of(key), .j = second_of(key)};
  at->early = spheres_met_early(s, at->i, at->j);
  const double *a = at->early ? start_of(s, at->i) : centre(s, at->i);
  const double *b = at->early ? start_of(s, at->j) : centre(s, at->j);
  double way[3], distance = sqrt(apart(a, b, way)), radius = radius_of(s, at->j);
  at->gap = distance - radius_of(s, at->i) - radius;
  for (int k = 0; k < 3; ++k) {
    at->frame[k] = way[k] / distance;
    at->point[k] = b[k] + (radius + 0.5 * at->gap) * at->frame[k];
  }
}

static void spheres_columns(const spheres *s, int i, const touch *at, double sign, double *H) {
  const double *x = at->early ? start_of(s, i) : centre(s, i);
  double r[3], before[9];
  for (int k = 0; k < 3; ++k) r[k] = at->point[k] - x[k];
  if (at->early) nsds_rotation_matrix(x + 3, before);
  nsds_contact_columns(at->early ? before : s->turn[i], r, at->frame, s->rows, sign, H);
}

/* Returns the change of the gap in the step, at the rate of its start. */
static double spheres_gap_way(const spheres *s, const touch *at) {
  const double *a = s->model->state.v + s->ds[at->i]->v_offset;
  const double *b = s->model->state.v + s->ds[at->j]->v_offset;
  return s->ahead * (nsds_dot(at->frame, a) - nsds_dot(at->frame, b));
}

static void spheres_get(const void *self, int k, nsds_contact_point *point, int place[2], double *y,
                        double *H, nsds_contact_place *where) {
  const spheres *s = self;
  touch at;
  if (spheres_is_plane(point->key)) touch_plane(s, point->key, &at);
  else touch_sphere(s, point->key, &at);
  (void)k;
  nsds_choose_tangents(at.frame, at.frame + 3, at.frame + 6);
  y[0] = at.early ? at.gap + spheres_gap_way(s, &at) : at.gap;
  point->ds[0] = s->ds[at.i];
  point->ds[1] = at.j >= 0 ? s->ds[at.j] : NULL;
  place[0] = s->place[at.i];
  place[1] = at.j >= 0 ? s->place[at.j] : -1;
  *where = (nsds_contact_place){.dimension = 3, .shape = {at.i, other_shape(s, point->key)}};
  memcpy(where->point, at.point, sizeof at.point);
  memcpy(where->normal, at.frame, sizeof where->normal);
  spheres_columns(s, at.i, &at, 1.0, H);
  if (at.j >= 0) spheres_columns(s, at.j, &at, -1.0, H + nsds_body_nv * s->rows);
}

static nsds_status spheres_find(void *self, double t, nsds_contacts *contacts) {
  enum { few = 64 }; /* spheres per part, at least */
  spheres *s = self;
  nsds_context *context = s->model->context;
  search d = {.s = s};
  int parts = nsds_parts(s->grid.count, few);
  (void)t;
  nsds_status status = nsds_check_places(s->model, s->label, s->grid.count, s->ds, nsds_body_nq);
  if (status) return status;
  s->start = contacts->start;
  contacts->turns = true;
  s->ahead = contacts->ahead;
  spheres_place_all(&d, parts);
  status = nsds_harvest_run(&s->found, context, parts, s->max_contacts, search_part, &d);
  if (status) return status;
  if (s->found.count > s->max_contacts) return fail_with_many(s);
  for (int p = 0; p < parts; ++p)
    if (d.at_one_point[p].there)
      return fail_at_one_point(s, d.at_one_point[p].i, d.at_one_point[p].j);
  return nsds_contacts_add_all(contacts, &(nsds_batch){.count = s->found.count,
                                                       .key = s->found.item,
                                                       .columns = 2 * nsds_body_nv,
                                                       .foreign = s->law->guarded,
                                                       .self = s,
                                                       .get = spheres_get});
}

/* ---- contacts along the motion --------------------------------------------------------------- */

static void spheres_follow(const spheres *s, uint64_t key, const double *found,
                           nsds_followed_pair *f) {
  bool plane = spheres_is_plane(key);
  *f = (nsds_followed_pair){.spheres = {.dimension = 3, .radius = {radius_of(s, first_of(key))}}};
  if (plane) {
    memcpy(f->spheres.normal, s->plane[second_of(key)].normal, sizeof f->spheres.normal);
    f->spheres.offset = s->plane[second_of(key)].offset;
  } else {
    f->spheres.radius[1] = radius_of(s, second_of(key));
  }
  nsds_follow_pair(f, s->model->context, s->label, s->rows,
                   plane ? NSDS_MEETS_PLANE : NSDS_MEETS_BODY, found);
}

static nsds_status spheres_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  nsds_followed_pair f;
  double all[5];
  spheres_follow(self, key, NULL, &f);
  nsds_status status = nsds_contact_relation_output(&f.data, in, all);
  *y = all[0];
  return status;
}

static nsds_status spheres_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                    const double *found, double *H) {
  nsds_followed_pair f;
  spheres_follow(self, key, found, &f);
  return nsds_contact_relation_gradient(&f.data, in, H);
}

static nsds_status spheres_bias(void *self, uint64_t key, const nsds_arguments *in,
                                const double *found, double *value) {
  nsds_followed_pair f;
  spheres_follow(self, key, found, &f);
  return nsds_contact_relation_bias(&f.data, in, value);
}

static void spheres_show_place(void *self, uint64_t key, const nsds_arguments *in,
                               const double *found, nsds_contact_place *place) {
  nsds_followed_pair f;
  spheres_follow(self, key, found, &f);
  nsds_contact_relation_place(&f.data, in, place);
}

/* Returns the way of bodies during which normals turn by less than a right angle. */
static double spheres_reach(void *self) {
  const spheres *s = self;
  return fmin(s->reach, s->least);
}

static double spheres_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  (void)self; /* bodies that are not spheres only cause a search now and then */
  if (nsds_ds_of(ds)->nq != nsds_body_nq)
    return 0.0; /* perhaps fewer coordinates than are read here */
  const double way[3] = {q[0] - q0[0], q[1] - q0[1], q[2] - q0[2]};
  return nsds_length(way);
}

static void spheres_find_places(void *self, const nsds_ds *gone) {
  spheres *s = self;
  (void)gone;
  for (int k = 0; k < s->grid.count; ++k) s->place[k] = s->ds[k]->index;
}

static int spheres_count_shapes(void *self) {
  const spheres *s = self;
  return s->grid.count + s->nplane;
}

static void spheres_show_shape(void *self, int k, nsds_shape_info *shape) {
  const spheres *s = self;
  if (k < s->grid.count) {
    nsds_show_ball(k, 3, s->ds[k], s->radius[k], shape);
  } else nsds_show_half_space(k, 3, &s->plane[k - s->grid.count], shape);
}

static void spheres_destroy(void *self) {
  spheres *s = self;
  nsds_context *context = s->model->context;
  nsds_grid_release(&s->grid, context);
  nsds_harvest_release(&s->found, context);
  nsds_release(context, s->turn);
  nsds_release(context, s->radius);
  nsds_release(context, s->place);
  nsds_release(context, s->ds);
  nsds_release(context, s->plane);
  nsds_release(context, s);
}

static const nsds_geometry_ops ops = {.type = call,
                                      .find = spheres_find,
                                      .output = spheres_output,
                                      .gradient_v = spheres_gradient,
                                      .bias = spheres_bias,
                                      .reach = spheres_reach,
                                      .travel = spheres_travel,
                                      .place = spheres_show_place,
                                      .shape_count = spheres_count_shapes,
                                      .shape = spheres_show_shape,
                                      .forget = spheres_find_places,
                                      .destroy = spheres_destroy};

/* ---- creation -------------------------------------------------------------------------------- */

static void take_numbers(spheres *s, const nsds_spheres_def *d) {
  double most = 0.0;
  s->least = INFINITY;
  for (int i = 0; i < d->count; ++i) {
    s->grid.item[i].radius = s->radius[i] = d->radii ? d->radii[i] : d->radius;
    most = fmax(most, s->grid.item[i].radius);
    s->least = fmin(s->least, s->grid.item[i].radius);
  }
  s->reach = d->reach > 0.0 ? d->reach : 0.1 * most;
  nsds_grid_open(&s->grid, s->reach);
  for (int p = 0; p < d->nplane; ++p) {
    double length = nsds_length(s->plane[p].normal); /* may be off by 1e-6 */
    for (int k = 0; k < 3; ++k) s->plane[p].normal[k] /= length;
  }
  double usual = (double)d->count * (16.0 + d->nplane), most_rows = 1e9 / d->law->size;
  s->max_contacts = d->max_contacts > 0 ? d->max_contacts : (int)fmin(usual, most_rows);
}

static nsds_status spheres_furnish(spheres *s, const nsds_spheres_def *d) {
  nsds_context *context = s->model->context;
  s->law = d->law;
  s->rows = d->law->size;
  s->nplane = d->nplane;
  s->pairs = !d->planes_only && d->count > 1;
  s->ds = nsds_copy(context, d->ds, (size_t)d->count, sizeof(nsds_ds *));
  if (d->nplane > 0) s->plane = nsds_copy(context, d->plane, (size_t)d->nplane, sizeof *d->plane);
  s->turn = nsds_alloc(context, "rotations of spheres", (size_t)d->count, sizeof *s->turn);
  s->radius = NSDS_NEW_ARRAY(context, double, d->count);
  s->place = NSDS_NEW_ARRAY(context, int, d->count);
  for (int k = 0; s->ds && k < d->count; ++k) s->ds[k] = nsds_ds_of(s->ds[k]);
  nsds_status status = nsds_grid_create(&s->grid, context, d->count);
  if (status || !s->ds || !s->turn || !s->radius || !s->place || (d->nplane > 0 && !s->plane))
    return NSDS_ERROR_MEMORY;
  take_numbers(s, d);
  spheres_find_places(s, NULL);
  return NSDS_OK;
}

MAKER(nsds_spheres, nsds_spheres_def)

#define DEF nsds_spheres_def
const nsds_type nsds_spheres_type = {
    .type = "spheres",
    .help = "Spheres around the centers of rigid bodies, against planes and each other.",
    .field =
        (const nsds_field[]){
            OBJECT("law", NSDS_FIELD_REFERENCE, "law", NULL,
                   "Law of every contact: 1, 3 or 5 rows."),
            NAMES("bodies", NULL, "The rigid bodies."),
            VECTOR("radius", "1 or one a body", "m", NULL, "Radius of all, or of each."),
            OBJECT("planes", NSDS_FIELD_LIST, "plane", "zero", "Planes."),
            TRUTH_OF(DEF, planes_only, "false", "Spheres do not meet each other."),
            NUMBER_OF(
                DEF, reach, "m", "> 0", "auto",
                "Contacts with a gap up to this are found; auto: a tenth of the largest radius."),
            INTEGER_OF(DEF, max_contacts, ">= 1", "auto",
                       "A step with more fails; auto: 16 a sphere and one a plane and sphere."),
            END},
    .call = call,
    DEFINITION(DEF),
    NAMED(DEF),
    .make = make_nsds_spheres};

nsds_contact_set *nsds_spheres(nsds_model *model, const nsds_spheres_def *given) {
  nsds_spheres_def own;
  const nsds_spheres_def *def = &own;
  if (!nsds_definition_take(model, &nsds_spheres_type, given, &own) ||
      nsds_check_idle(model, call) || !nsds_check_spheres(model, def))
    return NULL;
  spheres *s = NSDS_NEW(model->context, spheres);
  if (!s) return NULL;
  s->model = model;
  if (def->name)
    snprintf(s->label, sizeof s->label, "contact set '%.*s'", nsds_name_size - 1, def->name);
  else snprintf(s->label, sizeof s->label, "contact set #%zu (%s)", model->set.count, call);
  if (spheres_furnish(s, def)) {
    spheres_destroy(s);
    return NULL;
  }
  nsds_contact_set *set = nsds_custom_contact_set(
      model,
      &(nsds_custom_contact_set_def){.name = def->name, .ops = &ops, .self = s, .law = def->law});
  if (set) ((nsds_contact_set *)nsds_handle_place(set))->label = s->label;
  return set;
}
