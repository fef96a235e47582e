/*
 * Mass, center and moments of inertia of shapes. Moments of each shape about its own center of
 * volume (volume_moments.c) are put together two by two,
 *
 *   C = C1 + C2 + m1 m2 / (m1 + m2) d d^T,   d = x2 - x1,
 *
 * and J = tr(C) I - C. A mesh is closed if its triangles pass each edge as often in one direction
 * as in the other. The solids that its triangles span with a point then add up to its inside.
 */
#include "base/context.h"
#include "kernel/contact/shape_make.h"
#include "kernel/contact/triangle_mesh.h"
#include "kernel/contact/volume_moments.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/check.h"

#include <nsds/mass.h>

#include <stdio.h>

static const char call[] = "nsds_mass_properties";

/* Mass, center, and second moments about the center. */
typedef struct heap {
  double volume, mass, x[3], c[9];
} heap;

static void heap_add(heap *h, const heap *part) {
  double mass = h->mass + part->mass, share = part->mass / mass, d[3];
  for (int i = 0; i < 3; ++i) d[i] = part->x[i] - h->x[i];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      h->c[i + 3 * j] += part->c[i + 3 * j] + h->mass * share * d[i] * d[j];
  for (int i = 0; i < 3; ++i) h->x[i] += share * d[i];
  h->volume += part->volume;
  h->mass = mass;
}

/* ---- one shape ------------------------------------------------------------------------------- */

static nsds_status mass_refuse(nsds_model *model, int k, nsds_status status, const char *text) {
  return nsds_fail(model->context, status, "%s: shape[%d]: %s", call, k, text);
}

/* Tells if a mesh is closed. Edges of triangles, in the plane ends of segments, join vertices;
 * vertices at one place count as one. */
static nsds_status mesh_closes(nsds_context *context, const nsds_shape_def *def, int dimension,
                               bool *closed) {
  size_t count = (size_t)def->nface * (size_t)dimension;
  int *one = NSDS_NEW_ARRAY(context, int, def->nvertex);
  nsds_half_edge *edge = NSDS_NEW_ARRAY(context, nsds_half_edge, count);
  nsds_status status =
      one && edge ? nsds_weld_vertices(context, def, dimension, one) : NSDS_ERROR_MEMORY;
  for (size_t e = 0; !status && e < count; ++e) {
    const int *face = def->face + e / (size_t)dimension * (size_t)dimension;
    int k = (int)(e % (size_t)dimension), a = one[face[k]], b = one[face[(k + 1) % dimension]];
    if (dimension == 2) b = a;
    edge[e] = (nsds_half_edge){
        .low = a < b ? a : b, .high = a < b ? b : a, .turned = dimension == 2 ? k == 1 : a > b};
  }
  if (!status) nsds_half_edges_sort(edge, count);
  *closed = true;
  for (size_t first = 0, end = 0; !status && first < count; first = end) {
    int balance = 0;
    for (; end < count && edge[end].low == edge[first].low && edge[end].high == edge[first].high;
         ++end)
      balance += edge[end].turned ? -1 : 1;
    *closed = *closed && balance == 0;
  }
  nsds_release(context, one);
  nsds_release(context, edge);
  return status;
}

static nsds_status check_volume(nsds_model *model, const nsds_shape_def *def, int dimension,
                                int k) {
  bool closed = true;
  if (def->kind == NSDS_HALF_SPACE)
    return mass_refuse(model, k, NSDS_ERROR_ARGUMENT,
                       "a half space has no volume; valid are all other kinds");
  if (def->kind == NSDS_HEIGHT_FIELD)
    return mass_refuse(model, k, NSDS_ERROR_ARGUMENT,
                       "a height field has no volume; valid are all other kinds");
  if (def->kind == NSDS_MESH && def->radius > 0.0)
    return mass_refuse(model, k, NSDS_ERROR_ARGUMENT,
                       "a mesh has a radius; valid is 0 for the volume of its parts");
  if (def->kind != NSDS_TRIANGLES) return NSDS_OK;
  if (def->radius > 0.0)
    return mass_refuse(model, k, NSDS_ERROR_ARGUMENT,
                       "triangles have a radius; valid is 0 for the volume inside of them");
  nsds_status status = mesh_closes(model->context, def, dimension, &closed);
  if (status || closed) return status;
  return mass_refuse(model, k, NSDS_ERROR_ARGUMENT,
                     "its triangles are not closed; valid are meshes in which each edge belongs to "
                     "as many triangles in one direction as in the other");
}

/* Computes the mean center of all cores. */
static void middle_of(const nsds_solid *solid, double *x) {
  for (int i = 0; i < 3; ++i) x[i] = 0.0;
  for (int k = 0; k < solid->count; ++k)
    for (int i = 0; i < 3; ++i) x[i] += solid->core[k].centre[i] / solid->count;
}

/* Computes the moments of a shape with density 1. */
static nsds_status sum_solid(nsds_model *model, const nsds_solid *solid, int k, heap *part) {
  double origin[3], size = 0.0;
  nsds_moments m = {.v = 0.0};
  nsds_status status = NSDS_OK;
  int dimension = solid->shape.dimension;
  middle_of(solid, origin);
  for (int i = 0; !status && i < solid->count; ++i) {
    double way[3];
    status = nsds_core_moments(model->context, &solid->core[i], dimension, origin, &m);
    for (int j = 0; j < 3; ++j) way[j] = solid->core[i].centre[j] - origin[j];
    size = fmax(size, nsds_length(way) + solid->core[i].around);
  }
  if (status) return status;
  /* what is left of a mesh without inside is rounding; other shapes have all of theirs */
  double rounding = solid->shape.kind == NSDS_TRIANGLES ? 1e-12 * pow(size, dimension) : 0.0;
  if (!(m.v > rounding) || !isfinite(m.v))
    return mass_refuse(model, k, NSDS_ERROR_VALUE,
                       m.v < 0.0 ? "its fronts are inside; valid are triangles that are seen "
                                   "counterclockwise from outside, in the plane segments with the "
                                   "inside on their right"
                                 : "it has no volume, or one that is no number; valid are positive "
                                   "ones");
  *part = (heap){.volume = m.v, .mass = m.v};
  for (int i = 0; i < 3; ++i) part->x[i] = origin[i] + m.s[i] / m.v;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      part->c[i + 3 * j] = 0.5 * (m.c[i + 3 * j] + m.c[j + 3 * i]) - m.s[i] * m.s[j] / m.v;
  return NSDS_OK;
}

static nsds_status add_shape(nsds_model *model, const nsds_mass_def *def, int k, heap *all) {
  enum { most_materials = 256 };
  const nsds_shape_set set = {.model = model,
                              .dimension = def->dimension == 0 ? 3 : def->dimension,
                              .nmaterial = most_materials};
  nsds_shape_def shape = def->shape[k];
  char field[32];
  heap part = {.mass = 0.0};
  shape.ds = NULL;
  snprintf(field, sizeof field, "shape[%d].", k);
  nsds_solid *solid = nsds_solid_create(&set, call, field, &shape);
  if (!solid) return nsds_error(model->context) ? nsds_error(model->context) : NSDS_ERROR_MEMORY;
  nsds_status status = check_volume(model, &shape, set.dimension, k);
  if (!status) status = sum_solid(model, solid, k, &part);
  nsds_solid_release(model->context, solid);
  if (status) return status;
  double density = def->densities ? def->densities[k] : def->density > 0.0 ? def->density : 1.0;
  part.mass *= density;
  for (int i = 0; i < 9; ++i) part.c[i] *= density;
  heap_add(all, &part);
  return NSDS_OK;
}

/* ---- public ---------------------------------------------------------------------------------- */

static nsds_status mass_check(nsds_model *model, const nsds_mass_def *d) {
  nsds_context *context = model->context;
  int given = (d->density != 0.0) + (d->mass != 0.0) + (d->densities != NULL);
  if (d->dimension != 0 && d->dimension != 2 && d->dimension != 3)
    return nsds_fail(context, NSDS_ERROR_SIZE, "%s: dimension is %d; valid are 2 and 3", call,
                     d->dimension);
  if (!nsds_check_count(context, call, "nshape", d->nshape, 1)) return NSDS_ERROR_SIZE;
  if (!d->shape) return nsds_fail_null(context, call, "shape");
  if (given != 1)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: %s of density, densities and mass; valid is one of them", call,
                     given == 0 ? "none" : "several");
  bool fine = (d->density == 0.0 ||
               nsds_check_range(context, call, "density", d->density, 1e-100, 1e100)) &&
              (d->mass == 0.0 || nsds_check_range(context, call, "mass", d->mass, 1e-100, 1e100));
  for (int k = 0; fine && d->densities && k < d->nshape; ++k) {
    char field[32];
    snprintf(field, sizeof field, "densities[%d]", k);
    fine = nsds_check_range(context, call, field, d->densities[k], 1e-100, 1e100);
  }
  return fine ? NSDS_OK : NSDS_ERROR_VALUE;
}

static void mass_report(const nsds_mass_def *def, const heap *all, nsds_mass *mass) {
  double factor = def->mass > 0.0 ? def->mass / all->mass : 1.0;
  const double *c = all->c;
  bool plane = def->dimension == 2;
  mass->volume = all->volume;
  mass->mass = factor * all->mass;
  memcpy(mass->center, all->x, sizeof mass->center);
  for (int i = 0; i < 9 && !plane; ++i) /* sums of positive numbers: a needle loses no digits */
    mass->inertia[i] = factor * (i % 4 == 0 ? c[(i + 4) % 12] + c[(i + 8) % 12] : -c[i]);
  if (plane) mass->inertia[8] = factor * (c[0] + c[4]);
}

/* Checks that volume and moments are positive numbers; shapes of 1e-100 m have none. */
static nsds_status mass_check_result(nsds_model *model, const nsds_mass_def *def, nsds_mass *mass) {
  bool fine = mass->mass > 0.0 && isfinite(mass->mass);
  for (int i = def->dimension == 2 ? 8 : 0; i < 9; i += 4)
    fine = fine && mass->inertia[i] > 0.0 && isfinite(mass->inertia[i]);
  if (fine) return NSDS_OK;
  nsds_status status = nsds_fail(
      model->context, NSDS_ERROR_VALUE,
      "%s: the shapes give the mass %g and the inertia %g; valid are shapes whose mass and "
      "moments of inertia are positive finite numbers",
      call, mass->mass, mass->inertia[8]);
  *mass = (nsds_mass){.volume = 0.0};
  return status;
}

nsds_status nsds_mass_properties(nsds_model *model, const nsds_mass_def *def, nsds_mass *mass) {
  heap all = {.mass = 0.0};
  if (mass) *mass = (nsds_mass){.volume = 0.0};
  if (!model || !def || !mass)
    return nsds_fail_null(nsds_model_context(model), call,
                          !model ? "model"
                          : !def ? "def"
                                 : "mass");
  nsds_status status = nsds_check_hook(model->context, call);
  if (!status) status = nsds_check_reserved(model->context, call, "", NSDS_TAIL(def));
  if (!status) status = mass_check(model, def);
  for (int k = 0; !status && k < def->nshape; ++k) status = add_shape(model, def, k, &all);
  if (status) return status;
  mass_report(def, &all, mass);
  return mass_check_result(model, def, mass);
}

void nsds_center_shapes(int nshape, nsds_shape_def *shape, const double center[3]) {
  for (int k = 0; shape && center && k < nshape; ++k)
    for (int i = 0; i < 3; ++i) shape[k].position[i] -= center[i];
}
