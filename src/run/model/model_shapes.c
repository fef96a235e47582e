/*
 * Shapes of a model file, see model_shapes.h. The type chooses the kind, and the keys of the type
 * fill the definition of the library. Points of polytopes and triangles come as tables, faces as
 * numbers of points from 0.
 */
#include "run/model/model_shapes.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  nsds_shape_kind kind;
} kinds[] = {{"sphere", NSDS_SPHERE},
             {"capsule", NSDS_CAPSULE},
             {"box", NSDS_BOX},
             {"hull", NSDS_HULL},
             {"half_space", NSDS_HALF_SPACE},
             {"triangles", NSDS_TRIANGLES},
             {"cylinder", NSDS_CYLINDER},
             {"cone", NSDS_CONE},
             {"ellipsoid", NSDS_ELLIPSOID},
             {"height_field", NSDS_HEIGHT_FIELD},
             {"mesh", NSDS_MESH}};

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

/* Numbers of the parts of faces; NULL: not given. */
static const int *parts(const nsds_entry *entry, int nface) {
  double *given = nsds_file_memory(entry->file, (size_t)nface, sizeof *given);
  int *part = nsds_file_memory(entry->file, (size_t)nface, sizeof *part);
  if (!given || !part || !nsds_entry_has(entry, "parts")) return NULL;
  nsds_entry_fill(entry, "parts", given, nface, nface);
  for (int k = 0; k < nface; ++k) {
    if (given[k] != floor(given[k]) || given[k] < 0.0 || given[k] >= nface)
      return nsds_file_fail(entry->file, nsds_entry_place(entry, "parts"),
                            "a face has the part %.15g; valid are 0 to %d", given[k], nface - 1);
    part[k] = (int)given[k];
  }
  return part;
}

static void read_heights(const nsds_entry *entry, int dimension, nsds_shape_def *shape) {
  nsds_file_matrix m;
  nsds_entry_fill(entry, "half", shape->half, dimension - 1, dimension - 1);
  if (!nsds_entry_matrix(entry, "heights", dimension == 2 ? 1 : -1, -1, false, &m)) return;
  shape->height = m.dense;
  shape->ny = m.rows;
  shape->nx = m.cols;
}

static void read_place(const nsds_entry *entry, int dimension, nsds_shape_def *shape) {
  nsds_entry_fill(entry, "position", shape->position, dimension, dimension);
  nsds_entry_fill(entry, "quaternion", shape->quaternion, 4, 4);
  shape->angle = nsds_entry_number(entry, "angle");
}

bool nsds_shape_read(const nsds_entry *entry, int dimension, nsds_shape_def *shape) {
  *shape = (nsds_shape_def){0};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
    if (strcmp(entry->schema->type, kinds[k].name) == 0) shape->kind = kinds[k].kind;
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
  bool faced = shape->kind == NSDS_TRIANGLES || shape->kind == NSDS_MESH;
  if (faced || shape->kind == NSDS_HULL) shape->vertex = points(entry, dimension, &shape->nvertex);
  if (faced && shape->vertex) shape->face = faces(entry, dimension, shape->nvertex, &shape->nface);
  if (shape->kind == NSDS_MESH && shape->face) shape->part = parts(entry, shape->nface);
  if (shape->kind == NSDS_HEIGHT_FIELD) read_heights(entry, dimension, shape);
  if (shape->kind == NSDS_HALF_SPACE) {
    nsds_entry_fill(entry, "normal", shape->plane.normal, dimension, dimension);
    shape->plane.offset = nsds_entry_number(entry, "offset");
  }
  return !nsds_file_failed(entry->file);
}
