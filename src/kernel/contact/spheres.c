/*
 * Spheres around the centres of rigid bodies, against planes and each other: n and P of closest
 * points, frames and columns those of contact relations (contact_relation.c), pairs from a grid
 * (grid.c). A sphere's planes and partners come one after the other, so that contacts that share a
 * body stand close in the problem.
 */
#include "contact_relation.h"
#include "grid.h"

#include <nsds/contact.h>

#include <stdio.h>

static const char call[] = "nsds_spheres";

typedef struct spheres {
  nsds_model *model;
  char label[nsds_label_size];
  int nplane, rows, max_contacts;
  bool pairs;
  double reach;
  nsds_ds **ds;
  nsds_plane *plane;
  nsds_grid grid;
} spheres;

/* A detection under way. */
typedef struct search {
  const spheres *s;
  nsds_contacts *contacts;
  int found;
} search;

/* Where two bodies touch, or one (j < 0) the world. */
typedef struct touch {
  int i, j;
  uint64_t key;
  double gap, normal[3], point[3];
} touch;

static void columns(const search *d, int i, const touch *at, const double *frame, double sign,
                    double *H) {
  const double *q = nsds_q(d->s->ds[i]);
  double R[9], r[3];
  for (int k = 0; k < 3; ++k) r[k] = at->point[k] - q[k];
  nsds_rotation_matrix(q + 3, R);
  nsds_contact_columns(R, r, frame, d->s->rows, sign, H);
}

static nsds_status hand_over(search *d, const touch *at) {
  const spheres *s = d->s;
  double frame[9], H[5 * 12], y[5] = {at->gap};
  if (d->found == s->max_contacts)
    return nsds_fail(s->model->context, NSDS_ERROR_VALUE,
                     "%s: more than max_contacts = %d contacts of %d spheres at t = %.17g; spheres "
                     "that lie in each other have many",
                     s->label, s->max_contacts, s->grid.count, s->model->state.t);
  ++d->found;
  memcpy(frame, at->normal, sizeof at->normal);
  nsds_choose_tangents(frame, frame + 3, frame + 6);
  columns(d, at->i, at, frame, 1.0, H);
  if (at->j >= 0) columns(d, at->j, at, frame, -1.0, H + 6 * s->rows);
  return nsds_contacts_add(
      d->contacts,
      &(nsds_contact_point){
          .key = at->key, .ds = {s->ds[at->i], at->j >= 0 ? s->ds[at->j] : NULL}, .y = y, .H = H});
}

static nsds_status meet_plane(search *d, int i, int p) {
  const nsds_plane *plane = &d->s->plane[p];
  const nsds_grid_item *item = &d->s->grid.item[i];
  touch at = {.i = i, .j = -1, .key = (uint64_t)i | (uint64_t)p << 32 | UINT64_C(1) << 63};
  at.gap = nsds_dot(plane->normal, item->x) - plane->offset - item->radius;
  if (!(at.gap <= d->s->reach)) return NSDS_OK;
  for (int k = 0; k < 3; ++k) {
    at.normal[k] = plane->normal[k];
    at.point[k] = item->x[k] - item->radius * plane->normal[k];
  }
  return hand_over(d, &at);
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

static nsds_status meet_sphere(void *user, int one, int other) {
  search *d = user;
  const spheres *s = d->s;
  touch at = {.i = one < other ? one : other, .j = one < other ? other : one};
  const nsds_grid_item *a = &s->grid.item[at.i], *b = &s->grid.item[at.j];
  double apart[3], limit = a->radius + b->radius + s->reach;
  for (int k = 0; k < 3; ++k) apart[k] = a->x[k] - b->x[k];
  double square = nsds_dot(apart, apart);
  if (!(square <= limit * limit)) return NSDS_OK;
  if (square < 1e-280) return fail_at_one_point(s, at.i, at.j); /* its root has no digits */
  double distance = sqrt(square);
  at.key = (uint64_t)at.i | (uint64_t)at.j << 32;
  at.gap = distance - a->radius - b->radius;
  for (int k = 0; k < 3; ++k) {
    at.normal[k] = apart[k] / distance;
    at.point[k] = b->x[k] + (b->radius + 0.5 * at.gap) * at.normal[k];
  }
  return hand_over(d, &at);
}

static nsds_status find(void *self, double t, nsds_contacts *contacts) {
  spheres *s = self;
  search d = {.s = s, .contacts = contacts};
  nsds_status status = NSDS_OK;
  (void)t;
  for (int i = 0; i < s->grid.count; ++i)
    memcpy(s->grid.item[i].x, nsds_q(s->ds[i]), sizeof s->grid.item[i].x);
  if (s->pairs) nsds_grid_fill(&s->grid);
  for (int i = 0; !status && i < s->grid.count; ++i) {
    for (int p = 0; !status && p < s->nplane; ++p) status = meet_plane(&d, i, p);
    if (!status && s->pairs) status = nsds_grid_partners(&s->grid, i, meet_sphere, &d);
  }
  return status;
}

static void destroy(void *self) {
  spheres *s = self;
  nsds_context *context = s->model->context;
  nsds_grid_release(&s->grid, context);
  nsds_release(context, s->ds);
  nsds_release(context, s->plane);
  nsds_release(context, s);
}

static const nsds_geometry_ops ops = {.type = call, .find = find, .destroy = destroy};

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
    text = "neither planes nor two spheres that meet: nothing can touch";
  if (text) nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, text);
  return !text;
}

static void take_numbers(spheres *s, const nsds_spheres_def *d) {
  double most = 0.0;
  for (int i = 0; i < d->count; ++i) {
    s->grid.item[i].radius = d->radii ? d->radii[i] : d->radius;
    most = fmax(most, s->grid.item[i].radius);
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
  s->rows = d->law->size;
  s->nplane = d->nplane;
  s->pairs = !d->planes_only && d->count > 1;
  s->ds = nsds_copy(context, d->ds, (size_t)d->count, sizeof(nsds_ds *));
  if (d->nplane > 0) s->plane = nsds_copy(context, d->plane, (size_t)d->nplane, sizeof *d->plane);
  nsds_status status = nsds_grid_create(&s->grid, context, d->count);
  if (status || !s->ds || (d->nplane > 0 && !s->plane)) return NSDS_ERROR_MEMORY;
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
