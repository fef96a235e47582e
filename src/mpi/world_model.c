/*
 * The model of one process: scenery, then the bodies that are here, by increasing identifiers. So any
 * two bodies stand in the same order on all processes, and their contacts come out with the same bits.
 */
#include "mpi/world.h"

#include <math.h>
#include <nsds/extend.h>
#include <nsds/rigid_body.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t most_shapes = UINT64_C(1) << 31; /* of a kind */
static const double endless = 1e9; /* steps; the halo is made anew long before */

/* ---- kinds ---- */

static double norm(const double *x) { return hypot(hypot(x[0], x[1]), x[2]); }

/* Radius of a ball about the origin of a shape. */
static double shape_around(const nsds_shape_def *s) {
  double around = 0.0;
  switch (s->kind) {
  case NSDS_CAPSULE: return s->half[0] + s->radius;
  case NSDS_BOX: return norm(s->half) + s->radius;
  case NSDS_HULL:
    for (int k = 0; k < s->nvertex; ++k) around = fmax(around, norm(s->vertex + 3 * (ptrdiff_t)k));
    return around + s->radius;
  case NSDS_CYLINDER: return hypot(s->half[0], s->radius);
  case NSDS_CONE: return hypot(s->half[0], fmax(s->radius, s->top_radius));
  case NSDS_ELLIPSOID: return fmax(fmax(s->half[0], s->half[1]), s->half[2]);
  default: return s->radius;
  }
}

double nsds_world_around(const nsds_mpi_kind *kind) {
  double around = 0.0;
  for (int k = 0; k < kind->nshape; ++k)
    around = fmax(around, norm(kind->shape[k].position) + shape_around(&kind->shape[k]));
  return around;
}

static bool is_single(nsds_shape_kind kind) {
  return kind == NSDS_SPHERE || kind == NSDS_CAPSULE || kind == NSDS_BOX || kind == NSDS_HULL ||
         kind == NSDS_CYLINDER || kind == NSDS_CONE || kind == NSDS_ELLIPSOID;
}

static nsds_status check_world_kind(nsds_context *context, int k, const nsds_mpi_kind *kind) {
  if (kind->nshape < 1 || !kind->shape)
    return nsds_report(context, NSDS_ERROR_ARGUMENT,
                       "nsds_mpi_world_create: kind[%d] has %d shapes%s; give at least one", k,
                       kind->nshape, kind->shape ? "" : " and no array");
  for (int s = 0; s < kind->nshape; ++s) {
    const nsds_shape_def *shape = &kind->shape[s];
    if (!is_single(shape->kind))
      return nsds_report(
          context, NSDS_ERROR_UNSUPPORTED,
          "nsds_mpi_world_create: kind[%d].shape[%d] is of kind %d; valid are spheres, "
          "capsules, boxes, hulls, cylinders, cones and ellipsoids",
          k, s, (int)shape->kind);
    if (shape->ds || (shape->kind == NSDS_HULL && !shape->vertex))
      return nsds_report(context, NSDS_ERROR_ARGUMENT,
                         "nsds_mpi_world_create: kind[%d].shape[%d].%s", k, s,
                         shape->ds ? "ds is set; give NULL" : "vertex is NULL");
  }
  return NSDS_OK;
}

static nsds_status copy_kind(nsds_context *context, int k, const nsds_mpi_kind *from,
                             nsds_mpi_kind *to) {
  nsds_status status = check_world_kind(context, k, from);
  if (status) return status;
  nsds_shape_def *shape =
      nsds_alloc(context, "shapes of a kind", (size_t)from->nshape, sizeof *shape);
  if (!shape) return NSDS_ERROR_MEMORY;
  memcpy(shape, from->shape, (size_t)from->nshape * sizeof *shape);
  *to = *from;
  to->shape = shape;
  for (int s = 0; s < to->nshape; ++s) shape[s].vertex = NULL;
  for (int s = 0; s < to->nshape; ++s) {
    if (shape[s].kind != NSDS_HULL || shape[s].nvertex < 1) continue;
    size_t numbers = 3 * (size_t)shape[s].nvertex;
    double *vertex = nsds_alloc(context, "vertices of a kind", numbers, sizeof *vertex);
    if (!vertex) return NSDS_ERROR_MEMORY;
    memcpy(vertex, from->shape[s].vertex, numbers * sizeof *vertex);
    shape[s].vertex = vertex;
  }
  return NSDS_OK;
}

nsds_status nsds_world_copy_kinds(nsds_mpi_world *w, const nsds_mpi_world_def *def) {
  nsds_context *context = w->mpi->context;
  nsds_mpi_kind *kind = nsds_alloc(context, "kinds", (size_t)def->nkind, sizeof *kind);
  nsds_material *material =
      nsds_alloc(context, "materials", (size_t)def->nmaterial, sizeof *material);
  w->def.kind = kind;
  w->def.material = material;
  if (!kind || !material) return NSDS_ERROR_MEMORY;
  memcpy(material, def->material, (size_t)def->nmaterial * sizeof *material);
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < def->nkind; ++k)
    status = copy_kind(context, k, &def->kind[k], &kind[k]);
  return status;
}

void nsds_world_free_kinds(nsds_mpi_world *w) {
  for (int k = 0; w->def.kind && k < w->def.nkind; ++k) {
    const nsds_shape_def *shape = w->def.kind[k].shape;
    for (int s = 0; shape && s < w->def.kind[k].nshape; ++s)
      nsds_free((void *)(uintptr_t)shape[s].vertex);
    nsds_free((void *)(uintptr_t)shape);
  }
  nsds_free((void *)(uintptr_t)w->def.kind);
  nsds_free((void *)(uintptr_t)w->def.material);
}

/* ---- bodies ---- */

/* Adds a shape of a kind, s times as large. */
static nsds_status add_shape_of_kind(nsds_here *here, nsds_ds *ds, const nsds_shape_def *of,
                                     uint64_t name, double s, double *scratch) {
  nsds_shape_def shape = *of;
  shape.ds = ds;
  shape.radius *= s, shape.top_radius *= s;
  for (int k = 0; k < 3; ++k) shape.half[k] *= s, shape.position[k] *= s;
  for (int k = 0; shape.kind == NSDS_HULL && k < 3 * shape.nvertex; ++k)
    scratch[k] = s * of->vertex[k];
  if (shape.kind == NSDS_HULL) shape.vertex = scratch;
  int number = nsds_shapes_add(here->set, &shape);
  return number >= 0 ? nsds_shapes_name(here->set, number, name) : NSDS_ERROR_ARGUMENT;
}

static nsds_status add_member(nsds_mpi_world *w, nsds_here *here, int k, double *scratch) {
  const nsds_mpi_body *body = &here->member[k].body;
  const nsds_mpi_kind *kind = &w->def.kind[body->kind];
  double inertia[9], s = body->size;
  for (int i = 0; i < 9; ++i) inertia[i] = kind->inertia[i] * s * s * s * s * s;
  nsds_rigid_body_def def = {.mass = kind->mass * s * s * s,
                             .inertia = inertia,
                             .q0 = body->q,
                             .v0 = body->v,
                             .explicit_gyroscopic = true};
  memcpy(def.gravity, w->def.gravity, sizeof def.gravity);
  nsds_ds *ds = nsds_rigid_body(here->model, &def);
  nsds_status status = ds ? NSDS_OK : nsds_error(w->mpi->context);
  here->ds[here->nscenery + k] = ds;
  for (int i = 0; !status && i < kind->nshape; ++i)
    status = add_shape_of_kind(here, ds, &kind->shape[i],
                               (uint64_t)body->id * most_shapes + (uint64_t)i + 1, s, scratch);
  return status;
}

static nsds_status add_members(nsds_mpi_world *w, nsds_here *here) {
  int most = 1;
  for (int k = 0; k < w->def.nkind; ++k)
    for (int i = 0; i < w->def.kind[k].nshape; ++i)
      if (w->def.kind[k].shape[i].nvertex > most) most = w->def.kind[k].shape[i].nvertex;
  double *scratch = nsds_mpi_numbers(w->mpi, 3 * (size_t)most);
  nsds_status status = scratch ? NSDS_OK : NSDS_ERROR_MEMORY;
  for (int k = 0; !status && k < here->nmember; ++k) status = add_member(w, here, k, scratch);
  nsds_free(scratch);
  return status;
}

/* ---- scenery ---- */

static nsds_status add_scenery(nsds_mpi_world *w, nsds_here *here, const nsds_here *before) {
  nsds_context *context = w->mpi->context;
  if (w->def.scenery) {
    nsds_status status = w->def.scenery(here->model, here->set, w->def.user);
    if (!status) status = nsds_error(context);
    if (status > 0) status = NSDS_ERROR_CALLBACK;
    if (status) return status;
  }
  here->nscenery = nsds_ds_count(here->model);
  here->scenery_shapes = nsds_shapes_count(here->set);
  here->ds = nsds_alloc(context, "systems", (size_t)(here->nscenery + here->nmember) + 1,
                        sizeof *here->ds);
  if (!here->ds) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < here->nscenery; ++k) here->ds[k] = nsds_ds_at(here->model, k);
  if (!before) return NSDS_OK;
  if (before->nscenery != here->nscenery || before->scenery_shapes != here->scenery_shapes)
    return nsds_report(context, NSDS_ERROR_VALUE,
                       "nsds_mpi_world_step: scenery has made %d bodies and %d shapes, and %d and "
                       "%d before; valid is a function that makes the same in each call",
                       here->nscenery, here->scenery_shapes, before->nscenery,
                       before->scenery_shapes);
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < here->nscenery; ++k)
    status = nsds_set_state(here->ds[k], nsds_q(before->ds[k]), nsds_v(before->ds[k]));
  return status;
}

/* ---- contacts ---- */

/* Takes contacts of own bodies, ordered by bodies, then by shapes. */
static bool choose_contact(const nsds_contact_point *point, uint64_t *order, void *user) {
  const nsds_here *here = user;
  int first = nsds_ds_index(point->ds[0]) - here->nscenery;
  int second = point->ds[1] ? nsds_ds_index(point->ds[1]) - here->nscenery : -1;
  const int *shape = point->place->shape;
  bool turned = first < 0; /* moving scenery comes first */
  int a = turned ? second : first, b = turned ? first : second;
  bool own = nsds_is_own(here, a) || (b >= 0 && nsds_is_own(here, b));
  uint64_t other = b >= 0 ? (uint64_t)(here->scenery_shapes + b) : (uint64_t)shape[turned ? 0 : 1];
  order[0] = (uint64_t)a << 32 | other;
  order[1] = (uint64_t)shape[0] << 32 | (uint64_t)shape[1];
  return own;
}

/* ---- the model ---- */

nsds_status nsds_world_build(nsds_mpi_world *w, nsds_here *here, const nsds_here *before) {
  nsds_context *context = w->mpi->context;
  nsds_status status = NSDS_OK;
  here->model = nsds_model_create(context);
  if (here->model)
    here->set = nsds_shapes(here->model, &(nsds_shapes_def){.nmaterial = w->def.nmaterial,
                                                            .material = w->def.material,
                                                            .mix = w->def.mix,
                                                            .reach = w->reach});
  if (!here->set) return nsds_error(context) ? nsds_error(context) : NSDS_ERROR_MEMORY;
  status = add_scenery(w, here, before);
  if (!status) status = add_members(w, here);
  if (!status) status = nsds_contact_set_choose(here->set, choose_contact, here);
  if (status || here->nscenery + here->nmember == 0) return status;
  double t1 = w->t + endless * w->def.h;
  here->simulation = nsds_time_stepping(
      here->model, &(nsds_time_stepping_def){
                       .t0 = w->t, .t1 = t1, .h = w->def.h, .overlap_sweeps = NSDS_OVERLAP_STAYS});
  return here->simulation ? NSDS_OK : nsds_error(context);
}

void nsds_here_destroy(nsds_here *here) {
  if (!here) return;
  nsds_simulation_destroy(here->simulation);
  nsds_model_destroy(here->model);
  for (int k = 0; here->neighbor && k < here->nneighbor; ++k) {
    nsds_neighbor *n = &here->neighbor[k];
    nsds_free(n->send), nsds_free(n->receive), nsds_free(n->out), nsds_free(n->in);
  }
  nsds_free(here->member), nsds_free(here->neighbor), nsds_free(here->request);
  nsds_free(here->own), nsds_free(here->ds);
  nsds_free(here);
}
