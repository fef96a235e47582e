/*
 * Loose shapes, see vtk_loose.h. A model of their own has them as scenery, at the places that they have in their
 * bodies. So a set of each dimension checks them and makes their faces.
 */
#include "io/vtk_loose.h"

#include "kernel/modeling/body.h"
#include "kernel/modeling/handle.h"

#include <nsds/law.h>
#include <nsds/rigid_body.h>

#include <math.h>

static const char call[] = "nsds_vtk_create";

static bool is_in_plane(const nsds_ds *handle) {
  return handle && nsds_turns_in_plane(nsds_ds_of(handle));
}

static nsds_status check_loose_body(nsds_context *context, const nsds_ds *handle, int k) {
  const nsds_ds *ds = handle ? nsds_ds_find(handle, call) : NULL;
  if (handle && !ds) return NSDS_ERROR_ARGUMENT;
  if (!ds || nsds_turns_in_plane(ds) || nsds_turns_in_space(ds)) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                   "%s: shape[%d] is of a system that is no body; valid are bodies of "
                   "nsds_rigid_body() and nsds_rigid_body_2d(), and NULL",
                   call, k);
}

/* Adds the shapes of a dimension to a set. */
static nsds_status take_dimension(nsds_vtk_loose *loose, int dimension,
                                  const nsds_shape_def *shape) {
  nsds_contact_set *set =
      nsds_shapes(loose->home, &(nsds_shapes_def){.dimension = dimension,
                                                  .law = nsds_newton_impact(loose->home, 0.0)});
  if (!set) return nsds_error(nsds_model_context(loose->home));
  for (int k = 0; k < loose->count; ++k) {
    nsds_shape_def own = shape[k];
    if (loose->part[k].plane != (dimension == 2)) continue;
    own.ds = NULL;
    own.material = own.group = 0;
    loose->part[k].number = nsds_shapes_add(set, &own);
    if (loose->part[k].number < 0) return nsds_error(nsds_model_context(loose->home));
  }
  return NSDS_OK;
}

nsds_status nsds_vtk_loose_take(nsds_vtk_loose *loose, nsds_context *context, int count,
                                const nsds_shape_def *shape) {
  nsds_status status = NSDS_OK;
  if (count < 0 || (count > 0 && !shape))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: nshape is %d; shape must have as many",
                     call, count);
  if (count == 0) return NSDS_OK;
  loose->part = nsds_alloc(context, "shapes of a series", (size_t)count, sizeof *loose->part);
  loose->home = nsds_model_create(context);
  if (!loose->part || !loose->home) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < count && !status; ++k) {
    status = check_loose_body(context, shape[k].ds, k);
    if (!status) loose->part[k].ds = shape[k].ds;
    if (!status) loose->part[k].plane = is_in_plane(shape[k].ds);
  }
  loose->count = count;
  for (int dimension = 2; dimension <= 3 && !status; ++dimension)
    status = take_dimension(loose, dimension, shape);
  return status;
}

/* Moves a shape with its body. */
static void move_shape(const nsds_ds *body, nsds_shape_info *s) {
  const double *q = body->model->state.q + body->q_offset;
  double own[3], turned[4], R[9];
  for (int i = 0; i < 3; ++i) own[i] = s->world_position[i];
  if (s->dimension == 2) {
    const double c = cos(q[2]), n = sin(q[2]);
    s->world_position[0] = q[0] + c * own[0] - n * own[1];
    s->world_position[1] = q[1] + n * own[0] + c * own[1];
    s->world_angle += q[2];
    return;
  }
  nsds_rotation_matrix(q + 3, R);
  nsds_turn(R, own, s->world_position);
  for (int i = 0; i < 3; ++i) s->world_position[i] += q[i];
  nsds_quaternion_product(q + 3, s->world_quaternion, turned);
  for (int i = 0; i < 4; ++i) s->world_quaternion[i] = turned[i];
}

nsds_status nsds_vtk_loose_at(const nsds_vtk_loose *loose, const nsds_model *model, int k,
                              nsds_shape_info *info) {
  const struct nsds_vtk_loose_part *part = &loose->part[k];
  const nsds_ds *body = part->ds ? nsds_ds_find(part->ds, "nsds_write_vtk") : NULL;
  if (part->ds && !body) return NSDS_ERROR_ARGUMENT;
  if (body && body->model != model)
    return nsds_fail(model->context, NSDS_ERROR_ARGUMENT,
                     "nsds_write_vtk: shape[%d] of the series is of a body of another model; valid "
                     "is the model of these bodies",
                     k);
  nsds_status status = nsds_shapes_at(nsds_model_contact_set_at(loose->home, part->plane ? 0 : 1),
                                      part->number, info);
  if (status) return status;
  info->ds = part->ds;
  info->number = k;
  if (body) move_shape(body, info);
  return NSDS_OK;
}

void nsds_vtk_loose_release(nsds_vtk_loose *loose) {
  nsds_model_destroy(loose->home);
  nsds_free(loose->part);
}
