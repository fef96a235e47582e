/*
 * Planes in the catalogue, and checks of the parts of a set of spheres: bodies, radii, planes, law.
 */
#include "kernel/contact/spheres_check.h"

#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/contact/shape_types.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

#include <stdio.h>

static const char call[] = "nsds_spheres";

const nsds_type nsds_plane_type = {
    .help = "A plane that spheres stay above.",
    .field =
        (const nsds_field[]){
            VECTOR_OF(nsds_plane, normal, "3", "1", NULL,
                      "Normal of length 1, towards the spheres."),
            NUMBER_OF(nsds_plane, offset, "m", NULL, "0", "The plane is {x : n.x = offset}."), END},
    .call = call,
    .bytes = sizeof(nsds_plane)};

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

static bool spheres_check_plane(nsds_context *context, nsds_plane plane, int k) {
  char prefix[48];
  const double *n = plane.normal;
  double length = nsds_length(n);
  snprintf(prefix, sizeof prefix, "plane[%d].", k);
  if (fabs(length - 1.0) <= 1e-6)
    return nsds_definition_check(context, call, prefix, nsds_plane_type.field, &plane);
  nsds_fail(context, NSDS_ERROR_VALUE,
            "%s: %snormal is (%g, %g, %g), of length %g; it must be of length 1", call, prefix,
            n[0], n[1], n[2], length);
  return false;
}

static bool check_planes(nsds_context *context, const nsds_spheres_def *d) {
  if (d->nplane > 0 && !d->plane) {
    nsds_fail_null(context, call, "plane");
    return false;
  }
  for (int k = 0; k < d->nplane; ++k)
    if (!spheres_check_plane(context, d->plane[k], k)) return false;
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
