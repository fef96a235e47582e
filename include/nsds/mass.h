/**
 * @file mass.h
 * @brief Mass, center of mass and moments of inertia of bodies made of shapes.
 *
 * Describe the shapes of a body, and get the mass data for nsds_rigid_body():
 *
 *     nsds_shape_def shape[2] = { ... };                       in a frame of your own
 *     nsds_mass mass;
 *     nsds_mass_properties(model, &(nsds_mass_def){
 *         .nshape = 2, .shape = shape, .density = 7800.0}, &mass);
 *     nsds_center_shapes(2, shape, mass.center);               now the center is the origin
 *     shape[0].ds = shape[1].ds = nsds_rigid_body(model, &(nsds_rigid_body_def){
 *         .mass = mass.mass, .inertia = mass.inertia});
 *
 * The coordinates q of the body are those of its center of mass. If your frame has its origin at X
 * and the attitude R, q = (X + R center, R).
 */
#ifndef NSDS_MASS_H
#define NSDS_MASS_H

#include <nsds/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Shapes and their weight. Give one of density, densities and mass. */
typedef struct nsds_mass_def {
  int dimension; /**< 3, or 2 for shapes in the plane; 0 means 3 */
  int nshape;    /**< number of shapes >= 1 */
  const nsds_shape_def
      *shape;     /**< nshape shapes in one frame; `ds`, `material` and `group` are not read. If
                       shapes overlap, the common volume counts twice */
  double density; /**< density of all shapes > 0 [kg/m^3], in the plane [kg/m^2] */
  const double *densities; /**< density of each shape, nshape values > 0 */
  double mass;             /**< mass of all shapes together > 0 [kg], spread evenly over the
                                volume */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_mass_def;

/** Mass, center and moments of inertia from nsds_mass_properties(). */
typedef struct nsds_mass {
  double volume;     /**< sum over the shapes [m^3], in the plane the area [m^2] */
  double mass;       /**< m [kg] */
  double center[3];  /**< center of mass, in the frame of the shapes [m] */
  double inertia[9]; /**< J about the center, along the axes of the frame of the shapes, 3 x 3 [kg
                          m^2]. In the plane the last entry, inertia[8], is J, and the other entries
                          are zero */
} nsds_mass;

/**
 * Integrates over the shapes
 *
 *     m = int rho dV,   center = 1/m int rho x dV,   d = x - center
 *     J = int rho (|d|^2 I - d d^T) dV
 *
 * exactly except for rounding. Shapes are spheres, capsules, boxes and hulls, each with the
 * radius around it, cylinders, cones and ellipsoids. The inside of a closed mesh of NSDS_TRIANGLES is a
 * shape too, and a NSDS_MESH is the sum of its parts, which must not overlap. The divergence theorem turns integrals over polyhedra into sums over their faces.
 *
 * The model lends its context for messages and does not change.
 *
 * On an error *mass is zero. Errors:
 * - shapes that nsds_shapes_add() refuses;
 * - NSDS_ERROR_ARGUMENT: half spaces and height fields, which have no volume; triangles that are
 *   not closed; a radius of triangles or meshes;
 * - NSDS_ERROR_ARGUMENT: none or several of density, densities and mass;
 * - NSDS_ERROR_VALUE: values that are not positive, meshes that have no volume, or whose triangles
 *   have their fronts inside.
 *
 * Source for bodies with a radius around them: J. Steiner (1840), see R. Schneider, Convex Bodies:
 * The Brunn-Minkowski Theory (2014), 4.1.
 */
NSDS_API nsds_status nsds_mass_properties(nsds_model *model, const nsds_mass_def *def,
                                          nsds_mass *mass);

/** Moves shapes by -center: the point `center` of their frame becomes the origin. Planes of half
 *  spaces stay. */
NSDS_API void nsds_center_shapes(int nshape, nsds_shape_def *shape, const double center[3]);

#ifdef __cplusplus
}
#endif
#endif
