/*
 * Shapes of a model file, see model_shapes.h. The type chooses the kind, and the keys of the type
 * fill the definition of the library. Points of polytopes and triangles come as tables, faces as
 * numbers of points from 0.
 */
#include "run/model/model_shapes.h"

#include <math.h>
#include <string.h>

static const nsds_shape_kind kinds[] = {NSDS_SPHERE,   NSDS_CAPSULE,    NSDS_BOX,
                                        NSDS_HULL,     NSDS_HALF_SPACE, NSDS_TRIANGLES,
                                        NSDS_CYLINDER, NSDS_CONE,       NSDS_ELLIPSOID};
static const char *const kind_names[] = {"sphere",    "capsule",  "box",  "hull",     "half_space",
                                         "triangles", "cylinder", "cone", "ellipsoid"};

/* Coordinates of points, one after the other, of a matrix with a point in each row. */
static const double *points(const nsds_entry *entry, int dimension, int *count) {
  nsds_file_matrix m;
  if (!nsds_entry_matrix(entry, "vertices", -1, dimension, false, &m)) return NULL;
  double *x = nsds_file_memory(entry->file, (size_t)m.rows * (size_t)dimension, sizeof *x);
  for (int k = 0; x && k < m.rows; ++k)
    for (int i = 0; i < dimension; ++i) x[k * dimension + i] = m.dense[k + i * m.rows];
  *count = m.rows;
  return x;
}

static const int *faces(const nsds_entry *entry, int dimension, int nvertex, int *count) {
  nsds_file_matrix m;
  if (!nsds_entry_matrix(entry, "faces", -1, dimension, false, &m)) return NULL;
  int *face = nsds_file_memory(entry->file, (size_t)m.rows * (size_t)dimension, sizeof *face);
  for (int k = 0; face && k < m.rows * dimension; ++k) {
    double at = m.dense[k / dimension + (k % dimension) * m.rows];
    if (at != floor(at) || at < 0.0 || at >= nvertex)
      return nsds_file_fail(entry->file, nsds_entry_place(entry, "faces"),
                            "a face has the point %.15g; valid are 0 to %d", at, nvertex - 1);
    face[k] = (int)at;
  }
  *count = m.rows;
  return face;
}

static void read_place(const nsds_entry *entry, int dimension, nsds_shape_def *shape) {
  nsds_entry_fill(entry, "position", shape->position, dimension, dimension);
  nsds_entry_fill(entry, "quaternion", shape->quaternion, 4, 4);
  shape->angle = nsds_entry_number(entry, "angle");
}

bool nsds_shape_read(const nsds_entry *entry, int dimension, nsds_shape_def *shape) {
  *shape = (nsds_shape_def){0};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
    if (strcmp(entry->schema->type, kind_names[k]) == 0) shape->kind = kinds[k];
  shape->material = nsds_entry_integer(entry, "material");
  shape->group = nsds_entry_integer(entry, "group");
  if (shape->kind != NSDS_HALF_SPACE) {
    read_place(entry, dimension, shape);
    if (shape->kind != NSDS_ELLIPSOID) shape->radius = nsds_entry_number(entry, "radius");
  }
  bool long_one = shape->kind == NSDS_CYLINDER || shape->kind == NSDS_CONE;
  if (long_one || shape->kind == NSDS_CAPSULE) shape->half[0] = nsds_entry_number(entry, "half");
  if (shape->kind == NSDS_CONE) shape->top_radius = nsds_entry_number(entry, "top_radius");
  if (shape->kind == NSDS_ELLIPSOID) nsds_entry_fill(entry, "half", shape->half, 3, 3);
  if (shape->kind == NSDS_BOX) nsds_entry_fill(entry, "half", shape->half, dimension, dimension);
  if (shape->kind == NSDS_HULL || shape->kind == NSDS_TRIANGLES)
    shape->vertex = points(entry, dimension, &shape->nvertex);
  if (shape->kind == NSDS_TRIANGLES && shape->vertex)
    shape->face = faces(entry, dimension, shape->nvertex, &shape->nface);
  if (shape->kind == NSDS_HALF_SPACE) {
    nsds_entry_fill(entry, "normal", shape->plane.normal, dimension, dimension);
    shape->plane.offset = nsds_entry_number(entry, "offset");
  }
  return !nsds_file_failed(entry->file);
}
