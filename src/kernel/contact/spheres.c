/*
 * Spheres around the centres of rigid bodies, against planes and each other: n and P of closest
 * points, frames and columns those of contact relations (contact_relation.c), pairs from a grid
 * (grid.c). A sphere's planes and partners come one after the other, so that contacts that share a
 * body stand close in the problem. Keys are what is searched for; all else follows from them.
 */
#include "contact_relation.h"
#include "contact_set.h"
#include "grid.h"
#include "harvest.h"
#include "places.h"

#include <stdio.h>

static const char call[] = "nsds_spheres";

typedef struct spheres {
  nsds_model *model;
  char label[nsds_label_size];
  nsds_law *law;
  int nplane, rows, max_contacts;
  bool pairs;
  double reach, least; /* radius */
  nsds_ds **ds;
  int *place; /* of each in the model */
  nsds_plane *plane;
  nsds_grid grid;
  double (*turn)[9]; /* R of each body */
  nsds_harvest found;
} spheres;

/* A search under way. */
typedef struct search {
  spheres *s;
  struct {
    bool there;
    int i, j;
  } at_one_point[nsds_most_parts]; /* centres, first in their part */
} search;

typedef struct part_search {
  search *d;
  int part;
} part_search;

/* ---- keys ------------------------------------------------------------------------------------ */

static uint64_t key_of_pair(int i, int j) { return (uint64_t)i | (uint64_t)j << 32; }
static uint64_t key_of_plane(int i, int p) { return key_of_pair(i, p) | UINT64_C(1) << 63; }
static bool is_plane(uint64_t key) { return key >> 63; }
static int first_of(uint64_t key) { return (int)(key & UINT32_MAX); }
static int second_of(uint64_t key) { return (int)(key >> 32 & INT32_MAX); }

/* ---- search ---------------------------------------------------------------------------------- */

static double gap_of_plane(const spheres *s, int i, const nsds_plane *plane) {
  const nsds_grid_item *item = &s->grid.item[i];
  return nsds_dot(plane->normal, item->x) - plane->offset - item->radius;
}

/* x_i - x_j, and its square. */
static double apart(const nsds_grid_item *a, const nsds_grid_item *b, double *way) {
  for (int k = 0; k < 3; ++k) way[k] = a->x[k] - b->x[k];
  return nsds_dot(way, way);
}

static nsds_status meet_sphere(void *user, int one, int other) {
  const part_search *d = user;
  spheres *s = d->d->s;
  int i = one < other ? one : other, j = one < other ? other : one;
  const nsds_grid_item *a = &s->grid.item[i], *b = &s->grid.item[j];
  double way[3], limit = a->radius + b->radius + s->reach, square = apart(a, b, way);
  if (!(square <= limit * limit)) return NSDS_OK;
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

static void place_part(void *self, int part, int parts) {
  spheres *s = self;
  int end = nsds_part_begin(s->grid.count, part + 1, parts);
  for (int i = nsds_part_begin(s->grid.count, part, parts); i < end; ++i) {
    const double *q = nsds_q(s->ds[i]);
    memcpy(s->grid.item[i].x, q, sizeof s->grid.item[i].x);
    nsds_rotation_matrix(q + 3, s->turn[i]);
  }
}

static nsds_status fail_at_one_point(const spheres *s, int i, int j) {
  char one[nsds_label_size], other[nsds_label_size];
  const double *x = s->grid.item[i].x;
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

/* Where two bodies touch, or one (j < 0) the world. */
typedef struct touch {
  int i, j;
  double gap, frame[9], point[3]; /* n, t1, t2 */
} touch;

static void touch_plane(const spheres *s, uint64_t key, touch *at) {
  const nsds_plane *plane = &s->plane[second_of(key)];
  *at = (touch){.i = first_of(key), .j = -1};
  const nsds_grid_item *item = &s->grid.item[at->i];
  at->gap = gap_of_plane(s, at->i, plane);
  for (int k = 0; k < 3; ++k) {
    at->frame[k] = plane->normal[k];
    at->point[k] = item->x[k] - item->radius * plane->normal[k];
  }
}

static void touch_sphere(const spheres *s, uint64_t key, touch *at) {
  *at = (touch){.i = first_of(key), .j = second_of(key)};
  const nsds_grid_item *a = &s->grid.item[at->i], *b = &s->grid.item[at->j];
  double way[3], distance = sqrt(apart(a, b, way));
  at->gap = distance - a->radius - b->radius;
  for (int k = 0; k < 3; ++k) {
    at->frame[k] = way[k] / distance;
    at->point[k] = b->x[k] + (b->radius + 0.5 * at->gap) * at->frame[k];
  }
}

static void columns(const spheres *s, int i, const touch *at, double sign, double *H) {
  const double *x = s->grid.item[i].x;
  double r[3];
  for (int k = 0; k < 3; ++k) r[k] = at->point[k] - x[k];
  nsds_contact_columns(s->turn[i], r, at->frame, s->rows, sign, H);
}

static void get(const void *self, int k, nsds_contact_point *point, int place[2], double *y,
                double *H) {
  const spheres *s = self;
  touch at;
  if (is_plane(point->key)) touch_plane(s, point->key, &at);
  else touch_sphere(s, point->key, &at);
  (void)k;
  nsds_choose_tangents(at.frame, at.frame + 3, at.frame + 6);
  y[0] = at.gap;
  point->ds[0] = s->ds[at.i];
  point->ds[1] = at.j >= 0 ? s->ds[at.j] : NULL;
  place[0] = s->place[at.i];
  place[1] = at.j >= 0 ? s->place[at.j] : -1;
  columns(s, at.i, &at, 1.0, H);
  if (at.j >= 0) columns(s, at.j, &at, -1.0, H + nsds_body_nv * s->rows);
}

static nsds_status find(void *self, double t, nsds_contacts *contacts) {
  enum { few = 64 }; /* spheres that are not worth being shared */
  spheres *s = self;
  nsds_context *context = s->model->context;
  search d = {.s = s};
  int parts = nsds_parts(s->grid.count, few);
  (void)t;
  nsds_status status = nsds_check_places(s->model, s->label, s->grid.count, s->ds, nsds_body_nq);
  if (status) return status;
  nsds_share_out(context, parts, place_part, s);
  if (s->pairs) nsds_grid_fill(&s->grid);
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
                                                       .get = get});
}

/* ---- contacts along the motion --------------------------------------------------------------- */

/* The contact as a relation. */
static void follow(const spheres *s, uint64_t key, const double *found, nsds_followed_pair *f) {
  bool plane = is_plane(key);
  *f = (nsds_followed_pair){
      .spheres = {.dimension = 3, .radius = {s->grid.item[first_of(key)].radius}}};
  if (plane) {
    memcpy(f->spheres.normal, s->plane[second_of(key)].normal, sizeof f->spheres.normal);
    f->spheres.offset = s->plane[second_of(key)].offset;
  } else {
    f->spheres.radius[1] = s->grid.item[second_of(key)].radius;
  }
  nsds_follow_pair(f, s->model->context, s->label, s->rows,
                   plane ? NSDS_MEETS_PLANE : NSDS_MEETS_BODY, found);
}

static nsds_status output(void *self, uint64_t key, const nsds_in *in, double *y) {
  nsds_followed_pair f;
  double all[5];
  follow(self, key, NULL, &f);
  nsds_status status = nsds_contact_relation_output(&f.data, in, all);
  *y = all[0];
  return status;
}

static nsds_status gradient(void *self, uint64_t key, const nsds_in *in, const double *found,
                            double *H) {
  nsds_followed_pair f;
  follow(self, key, found, &f);
  return nsds_contact_relation_gradient(&f.data, in, H);
}

static nsds_status bias(void *self, uint64_t key, const nsds_in *in, const double *found,
                        double *value) {
  nsds_followed_pair f;
  follow(self, key, found, &f);
  return nsds_contact_relation_bias(&f.data, in, value);
}

/* Normals turn by less than a right angle while bodies move by this. */
static double reach(void *self) {
  const spheres *s = self;
  return fmin(s->reach, s->least);
}

static double travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  (void)self; /* bodies that are no spheres cost a search now and then, and no more */
  if (ds->nq != nsds_body_nq) return 0.0; /* fewer coordinates than are read here, perhaps */
  const double way[3] = {q[0] - q0[0], q[1] - q0[1], q[2] - q0[2]};
  return nsds_length(way);
}

static void destroy(void *self) {
  spheres *s = self;
  nsds_context *context = s->model->context;
  nsds_grid_release(&s->grid, context);
  nsds_harvest_release(&s->found, context);
  nsds_release(context, s->turn);
  nsds_release(context, s->place);
  nsds_release(context, s->ds);
  nsds_release(context, s->plane);
  nsds_release(context, s);
}

static const nsds_geometry_ops ops = {.type = call,
                                      .find = find,
                                      .output = output,
                                      .gradient_v = gradient,
                                      .bias = bias,
                                      .reach = reach,
                                      .travel = travel,
                                      .destroy = destroy};

/* ---- creation -------------------------------------------------------------------------------- */

static bool check_bodies(nsds_model *model, const nsds_spheres_def *d) {
  nsds_context *context = model->context;
  char label[nsds_label_size];
  for (int k = 0; k < d->count; ++k) {
    if (!d->ds[k]) {
      nsds_fail_null(context, call, "an entry of ds");
      return false;
    }
    const nsds_ds *ds = d->ds[k];
    if (ds->model == model && ds->order == 2 && ds->nq == nsds_body_nq && ds->nv == nsds_body_nv)
      continue;
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: ds[%d] (%s) is not a rigid body of this model, with 7 coordinates and 6 "
              "velocities",
              call, k, nsds_ds_label(ds, label));
    return false;
  }
  return true;
}

/* Bodies come once; `seen` is zeroed, one for each system of the model. */
static bool check_once(nsds_model *model, const nsds_spheres_def *d) {
  char label[nsds_label_size];
  bool *seen = NSDS_NEW_ARRAY(model->context, bool, nsds_ds_count(model)), fine = seen != NULL;
  for (int k = 0; fine && k < d->count; ++k) {
    fine = !seen[d->ds[k]->index];
    seen[d->ds[k]->index] = true;
    if (!fine)
      nsds_fail(model->context, NSDS_ERROR_ARGUMENT, "%s: ds[%d] (%s) comes twice; give each once",
                call, k, nsds_ds_label(d->ds[k], label));
  }
  nsds_release(model->context, seen);
  return fine;
}

static bool check_radii(nsds_context *context, const nsds_spheres_def *d) {
  char name[32] = "radius";
  if (!d->radii) return nsds_check_range(context, call, name, d->radius, 1e-100, 1e100);
  for (int k = 0; k < d->count; ++k) {
    snprintf(name, sizeof name, "radii[%d]", k);
    if (!nsds_check_range(context, call, name, d->radii[k], 1e-100, 1e100)) return false;
  }
  return true;
}

static bool check_planes(nsds_context *context, const nsds_spheres_def *d) {
  char name[48];
  if (d->nplane > 0 && !d->plane) {
    nsds_fail_null(context, call, "plane");
    return false;
  }
  for (int k = 0; k < d->nplane; ++k) {
    const nsds_plane *plane = &d->plane[k];
    const double *n = plane->normal;
    double length = nsds_length(n);
    if (!(fabs(length - 1.0) <= 1e-6)) {
      nsds_fail(context, NSDS_ERROR_VALUE,
                "%s: plane[%d].normal is (%g, %g, %g), of length %g; it must be of length 1", call,
                k, n[0], n[1], n[2], length);
      return false;
    }
    snprintf(name, sizeof name, "plane[%d].offset", k);
    if (!nsds_check_range(context, call, name, plane->offset, -1e300, 1e300)) return false;
  }
  return true;
}

static bool check(nsds_model *model, const nsds_spheres_def *d) {
  nsds_context *context = model->context;
  if (!d->law || !d->ds) {
    nsds_fail_null(context, call, d->law ? "ds" : "law");
    return false;
  }
  if (!nsds_check_count(context, call, "count", d->count, 1) ||
      !nsds_check_range(context, call, "count", d->count, 1, nsds_ds_count(model)) ||
      !nsds_check_count(context, call, "nplane", d->nplane, 0) ||
      !nsds_check_count(context, call, "max_contacts", d->max_contacts, 0) ||
      !nsds_check_range(context, call, "reach", d->reach, 0.0, 1e100) || !check_radii(context, d) ||
      !check_planes(context, d) || !check_bodies(model, d) || !check_once(model, d))
    return false;
  const char *text = NULL;
  int rows = d->law->size;
  if (rows != 1 && rows != 3 && rows != 5)
    text = "the law must be of 1 (normal), 3 (with tangents) or 5 rows (with rolling)";
  else if (d->nplane == 0 && (d->planes_only || d->count == 1))
    text = "neither planes nor two spheres that meet: nothing can touch; give one of them";
  if (text) nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, text);
  return !text;
}

static void take_numbers(spheres *s, const nsds_spheres_def *d) {
  double most = 0.0;
  s->least = INFINITY;
  for (int i = 0; i < d->count; ++i) {
    s->grid.item[i].radius = d->radii ? d->radii[i] : d->radius;
    most = fmax(most, s->grid.item[i].radius);
    s->least = fmin(s->least, s->grid.item[i].radius);
  }
  s->reach = d->reach > 0.0 ? d->reach : 0.1 * most;
  nsds_grid_open(&s->grid, s->reach);
  for (int p = 0; p < d->nplane; ++p) {
    double length = nsds_length(s->plane[p].normal); /* not off by 1e-6 */
    for (int k = 0; k < 3; ++k) s->plane[p].normal[k] /= length;
  }
  double usual = (double)d->count * (16.0 + d->nplane), most_rows = 1e9 / d->law->size;
  s->max_contacts = d->max_contacts > 0 ? d->max_contacts : (int)fmin(usual, most_rows);
}

static nsds_status furnish(spheres *s, const nsds_spheres_def *d) {
  nsds_context *context = s->model->context;
  s->law = d->law;
  s->rows = d->law->size;
  s->nplane = d->nplane;
  s->pairs = !d->planes_only && d->count > 1;
  s->ds = nsds_copy(context, d->ds, (size_t)d->count, sizeof(nsds_ds *));
  if (d->nplane > 0) s->plane = nsds_copy(context, d->plane, (size_t)d->nplane, sizeof *d->plane);
  s->turn = nsds_alloc(context, "rotations of spheres", (size_t)d->count, sizeof *s->turn);
  s->place = NSDS_NEW_ARRAY(context, int, d->count);
  for (int k = 0; s->place && k < d->count; ++k) s->place[k] = d->ds[k]->index;
  nsds_status status = nsds_grid_create(&s->grid, context, d->count);
  if (status || !s->ds || !s->turn || !s->place || (d->nplane > 0 && !s->plane))
    return NSDS_ERROR_MEMORY;
  take_numbers(s, d);
  return NSDS_OK;
}

nsds_contact_set *nsds_spheres(nsds_model *model, const nsds_spheres_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), call, model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_idle(model, call) || !check(model, def)) return NULL;
  spheres *s = NSDS_NEW(model->context, spheres);
  if (!s) return NULL;
  s->model = model;
  if (def->name)
    snprintf(s->label, sizeof s->label, "contact set '%.*s'", nsds_name_size - 1, def->name);
  else snprintf(s->label, sizeof s->label, "contact set #%zu (%s)", model->set.count, call);
  if (furnish(s, def)) {
    destroy(s);
    return NULL;
  }
  return nsds_contact_set_create(
      model, &(nsds_contact_set_def){.name = def->name, .ops = &ops, .self = s, .law = def->law});
}
