/*
 * Meshes of a model for pictures: points with velocities, and cells of points, lines and polygons.
 * See vtk_mesh.c.
 */
#ifndef NSDS_SRC_VTK_MESH_H
#define NSDS_SRC_VTK_MESH_H

#include "io/vtk_loose.h"

typedef enum nsds_vtk_cell {
  NSDS_VTK_VERTS,
  NSDS_VTK_LINES,
  NSDS_VTK_POLYS,
  NSDS_VTK_CELLS
} nsds_vtk_cell;

/* Numbers of a cell, besides its points. */
typedef enum nsds_vtk_label {
  NSDS_VTK_BODY,
  NSDS_VTK_SHAPE,
  NSDS_VTK_SET,
  NSDS_VTK_MATERIAL,
  NSDS_VTK_LABELS
} nsds_vtk_label;

typedef struct nsds_vtk_cells {
  int32_t *corner, *end, *label[NSDS_VTK_LABELS]; /* points of all cells; end of each cell */
  size_t ncorner, corner_capacity, count, end_capacity, label_capacity[NSDS_VTK_LABELS];
} nsds_vtk_cells;

typedef struct nsds_vtk_mesh {
  nsds_context *context;
  float *point, *velocity; /* 3 npoint */
  size_t npoint, point_capacity, velocity_capacity;
  nsds_vtk_cells cells[NSDS_VTK_CELLS];
  nsds_status status; /* the first failure; nothing is added after it */
} nsds_vtk_mesh;

/* Makes the mesh of all bodies as they are now; `level`: as sphere_level of nsds_vtk_def. */
nsds_status nsds_vtk_mesh_fill(nsds_vtk_mesh *mesh, nsds_model *model, const nsds_vtk_loose *loose,
                               int level);
void nsds_vtk_mesh_clear(nsds_vtk_mesh *mesh);
/* Adds a point that is a cell. */
nsds_status nsds_vtk_mesh_vertex(nsds_vtk_mesh *mesh, const double *x, const double *v);
/* Adds a line, with `number` as its first label. */
nsds_status nsds_vtk_mesh_line(nsds_vtk_mesh *mesh, const double *from, const double *to,
                               int number);
void nsds_vtk_mesh_release(nsds_vtk_mesh *mesh);

#endif
