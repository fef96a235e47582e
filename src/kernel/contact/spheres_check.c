/*
 * Checks the parts of a set of spheres: bodies, radii, planes, law.
 */
#include "kernel/contact/spheres_check.h"

#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

#include <stdio.h>

static const char call[] = "nsds_spheres";

static bool spheres_check_bodies(nsds_model *model, const nsds_spheres_def *d) {
  nsds_context *context = model->context;
  char label[nsds_label_size];
  for (int k = 0; k < d->count; ++k) {
    if (!d->ds[k]) {
      nsds_fail_null(context, call, "an entry of ds");
      return false;
    }
    const nsds_ds *ds = nsds_ds_find(d->ds[k], call);
    if (!ds) return false;
    if (ds->model == model && nsds_is_second_order(ds) && ds->nq == nsds_body_nq &&
        ds->nv == nsds_body_nv)
      continue;
    nsds_fail(context, NSDS_ERROR_ARGUMENT,
              "%s: ds[%d] (%s) is not a rigid body of this model, with 7 coordinates and 6 "
              "velocities",
              call, k, nsds_ds_label(ds, label));
    return false;
  }
  return true;
}

static bool check_once(nsds_model *model, const nsds_spheres_def *d) {
  char label[nsds_label_size];
  bool *seen = NSDS_NEW_ARRAY(model->context, bool, nsds_ds_count(model)), fine = seen != NULL;
  for (int k = 0; fine && k < d->count; ++k) {
    const nsds_ds *ds = nsds_ds_of(d->ds[k]);
    fine = !seen[ds->index];
    seen[ds->index] = true;
    if (!fine)
      nsds_fail(model->context, NSDS_ERROR_ARGUMENT, "%s: ds[%d] (%s) comes twice; give each once",
                call, k, nsds_ds_label(ds, label));
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

bool nsds_check_spheres(nsds_model *model, const nsds_spheres_def *d) {
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
      !check_planes(context, d) || !spheres_check_bodies(model, d) || !check_once(model, d))
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
