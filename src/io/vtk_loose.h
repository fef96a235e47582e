/*
 * Shapes of a series that are in no contact set.
 */
#ifndef NSDS_SRC_VTK_LOOSE_H
#define NSDS_SRC_VTK_LOOSE_H

#include "base/context.h"

#include <nsds/shapes.h>

typedef struct nsds_vtk_loose {
  nsds_model *home; /* has the shapes as scenery */
  int count;
  struct nsds_vtk_loose_part {
    nsds_ds *ds; /* the body; NULL: the world */
    int number;  /* in the set of its dimension */
    bool plane;
  } * part;
} nsds_vtk_loose;

/* Copies the shapes. */
nsds_status nsds_vtk_loose_take(nsds_vtk_loose *loose, nsds_context *context, int count,
                                const nsds_shape_def *shape);
/* Shape k where its body is now; the body must belong to the model. */
nsds_status nsds_vtk_loose_at(const nsds_vtk_loose *loose, const nsds_model *model, int k,
                              nsds_shape_info *info);
void nsds_vtk_loose_release(nsds_vtk_loose *loose);

#endif
