/*
 * Height fields as triangles. The points (x_i, y_j, z_ij) are the vertices. Each cell of the grid
 * has two triangles, cut from (i, j) to (i + 1, j + 1), with their fronts up. In the plane a
 * segment joins each point to the next one.
 */
#include "kernel/contact/height_field.h"

#include "base/context.h"

static double grid_place(int k, int count, double half) {
  return (2.0 * k / (count - 1.0) - 1.0) * half;
}

static void put_heights(const nsds_shape_def *def, int dimension, int ny, double *x) {
  for (int i = 0; i < def->nx; ++i)
    for (int j = 0; j < ny; ++j, x += dimension) {
      x[0] = grid_place(i, def->nx, def->half[0]);
      if (dimension == 3) x[1] = grid_place(j, ny, def->half[1]);
      x[dimension - 1] = def->height[j + ny * i];
    }
}

static void put_cells(int nx, int ny, int *face) {
  for (int i = 0; i + 1 < nx; ++i)
    for (int j = 0; j + 1 < ny; ++j, face += 6) {
      int here = j + ny * i, right = here + ny;
      const int two[] = {here, right, right + 1, here, right + 1, here + 1};
      memcpy(face, two, sizeof two);
    }
}

nsds_status nsds_height_field_faces(nsds_context *context, const nsds_shape_def *def, int dimension,
                                    nsds_shape_def *faces, double **vertex, int **face) {
  int ny = dimension == 3 ? def->ny : 1, across = dimension == 3 ? 2 * (ny - 1) : 1;
  *faces = *def;
  faces->nvertex = def->nx * ny;
  faces->nface = (def->nx - 1) * across;
  *vertex = NSDS_NEW_ARRAY(context, double, (size_t)faces->nvertex *(size_t)dimension);
  *face = NSDS_NEW_ARRAY(context, int, (size_t)faces->nface *(size_t)dimension);
  if (!*vertex || !*face) return NSDS_ERROR_MEMORY;
  put_heights(def, dimension, ny, *vertex);
  if (dimension == 3) put_cells(def->nx, ny, *face);
  for (int k = 0; dimension == 2 && k < faces->nface; ++k)
    (*face)[2 * k] = k, (*face)[2 * k + 1] = k + 1;
  faces->vertex = *vertex;
  faces->face = *face;
  return NSDS_OK;
}
