/*
 * Shapes of a model file, see model_shapes.h. The rows of the type fill the definition of
 * the library. Points of polytopes and triangles come as tables, faces as
 * numbers of points from 0.
 */
#include "run/model/model_shapes.h"

#include "run/model/model_define.h"

#include <math.h>

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
  if (!nsds_entry_matrix(entry, "heights", dimension == 2 ? 1 : -1, -1, false, &m)) return;
  shape->height = m.dense;
  shape->ny = m.rows;
  shape->nx = m.cols;
}

static bool has_key(const nsds_entry *entry, const char *key) {
  return nsds_schema_find(entry->schema, key) != NULL;
}

bool nsds_shape_read(const nsds_entry *entry, int dimension, nsds_shape_def *shape) {
  *shape = (nsds_shape_def){0};
  nsds_entry_define(entry, dimension, shape);
  if (has_key(entry, "vertices")) shape->vertex = points(entry, dimension, &shape->nvertex);
  if (has_key(entry, "faces") && shape->vertex)
    shape->face = faces(entry, dimension, shape->nvertex, &shape->nface);
  if (has_key(entry, "parts") && shape->face) shape->part = parts(entry, shape->nface);
  if (has_key(entry, "heights")) read_heights(entry, dimension, shape);
  return !nsds_file_failed(entry->file);
}
