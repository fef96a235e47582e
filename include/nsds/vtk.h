/**
 * @file vtk.h
 * @brief Time series of a model in VTK files, for ParaView, VisIt and PyVista.
 *
 * A series is a list FILE.pvd and, for each time, three files beside it:
 *
 *     FILE_bodies_K.vtp     shapes of all contact sets at their places, with the velocity of each
 *                           point; bodies without shapes as points
 *     FILE_contacts_K.vtp   contacts as points, with force, impulse, normal and gap
 *     FILE_joints_K.vtp     joints as lines between their two points
 *
 * Cells of bodies have the arrays `body` (index of the system, -1 for scenery), `shape`, `set` and
 * `material`. Points of contacts have `force` [N] and `impulse` [N s], both on the first body.
 * Points also have `normal`, `gap` [m], `active`, and the indices of the bodies `first` and
 * `second` (-1: scenery). Forces are those of the last step. Lagrangian systems that are not bodies
 * are points at their first three coordinates; first-order systems have no place and are left out.
 *
 * Numbers are stored as binary data after the XML text (appended raw data, single precision). The
 * list is complete after each call, so you can look at a series while the simulation runs:
 *
 *     nsds_vtk *series = nsds_vtk_create(context, &(nsds_vtk_def){.path = "out/pile"});
 *     while (nsds_step(sim) == NSDS_OK)
 *       if (nsds_step_count(sim) % 40 == 0) nsds_write_vtk(series, model, nsds_time(sim));
 *     nsds_vtk_destroy(series);
 */
#ifndef NSDS_VTK_H
#define NSDS_VTK_H

#include <nsds/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A time series in VTK files. */
typedef struct nsds_vtk nsds_vtk;

/** Definition of a series. */
typedef struct nsds_vtk_def {
  const char *path; /**< name of the list, with or without ".pvd"; its folder must exist; copied */
  int sphere_level; /**< how fine spheres and capsules are: 12, 42, 162 or 642 points for 1, 2, 3 or
                         4. 0 means 3; with more than 1000 round shapes 2; with more than 10000
                         round shapes 1 */
  int nshape;       /**< shapes that are drawn, and that are in no contact set */
  const nsds_shape_def *shape; /**< nshape of them, for example of nsds_job_shapes(); copied. In
                                    the files `set` is -1, and `shape` is the place here */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_vtk_def;

/**
 * Creates a series and writes an empty list; an existing list is replaced. Returns NULL on error:
 * NSDS_ERROR_ARGUMENT without path, NSDS_ERROR_VALUE for sphere_level out of range or a path with
 * one of < > & " or a control character, NSDS_ERROR_IO,
 * NSDS_ERROR_MEMORY. For a shape, as nsds_shapes_add(). Destroy the series before its context.
 */
NSDS_API nsds_vtk *nsds_vtk_create(nsds_context *context, const nsds_vtk_def *def);

/**
 * Writes the model as it is now, and adds the files to the list with the time t [s], which must
 * be finite. Call this between steps.
 *
 * NSDS_ERROR_ARGUMENT: a shape of the definition belongs to a body of another model, or one that is
 * gone. NSDS_ERROR_STATE: called from a function of a step. NSDS_ERROR_IO: the system's reason is in the
 * message, the list stays as it was, and you may try again.
 */
NSDS_API nsds_status nsds_write_vtk(nsds_vtk *series, nsds_model *model, double t);

/** Frees a series; its files stay. NULL is allowed. */
NSDS_API void nsds_vtk_destroy(nsds_vtk *series);

#ifdef __cplusplus
}
#endif
#endif
