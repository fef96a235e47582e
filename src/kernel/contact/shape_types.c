/*
 * Kinds of shapes in the catalogue: the fields of nsds_shape_def that each kind reads. Points and
 * faces have rows, but the reader of model files turns them itself.
 */
#include "kernel/contact/shape_types.h"

#include "base/text/field_rows.h"

#define DEF nsds_shape_def
#define PLACE                                                                                      \
  VECTOR_OF(DEF, position, "3 (plane: 2)", "m", "zero",                                            \
            "Place of the shape's origin in the body or the world."),                              \
      VECTOR_OF(DEF, quaternion, "4", "1", "zero",                                                 \
                "Attitude (w, x, y, z) there; zero: axes of the body."),                           \
      NUMBER_OF(DEF, angle, "rad", NULL, "0", "Attitude there, in the plane.")
#define SURFACE                                                                                    \
  INTEGER_OF(DEF, material, ">= 0", "0", "Place in the materials of the contact set, from 0."),    \
      INTEGER_OF(DEF, group, NULL, "0",                                                            \
                 "Shapes of one group do not meet each other; 0: no group."),                      \
      VECTOR_OF(DEF, color, "3", "1", "zero",                                                      \
                "Red, green and blue in [0, 1] for pages; zero: by the body."),                    \
      TRUTH_OF(DEF, hidden, "false", "Pages do not draw the shape."),                              \
      TRUTH("drawn_only", "false", "The shape is drawn and meets no other.")
#define RADIUS(text) NUMBER_OF(DEF, radius, "m", "> 0", NULL, text)
#define AROUND(text) NUMBER_OF(DEF, radius, "m", ">= 0", "0", text)
#define HALF(text) NUMBER_AS("half", DEF, half[0], "m", "> 0", NULL, text)
#define VERTICES MATRIX("vertices", "n x 3 (plane: n x 2)", "m", NULL, "Points, one a row.")
#define FACES                                                                                      \
  MATRIX("faces", "m x 3 (plane: m x 2)", NULL, NULL,                                              \
         "Places of points in vertices from 0, a face a row.")
#define OF_SHAPE(which)                                                                            \
  .call = "nsds_shapes", DEFINITION(DEF), .kind_at = offsetof(DEF, kind), .kind = which

const nsds_type nsds_shape_sphere = {
    .type = "sphere",
    .help = "A sphere, in the plane a disc.",
    .field = (const nsds_field[]){RADIUS("Radius."), PLACE, SURFACE, END},
    OF_SHAPE(NSDS_SPHERE)};
const nsds_type nsds_shape_capsule = {
    .type = "capsule",
    .help = "A segment on the first axis with a radius around it.",
    .field = (const nsds_field[]){RADIUS("Radius."), HALF("Half of the segment's length."), PLACE,
                                  SURFACE, END},
    OF_SHAPE(NSDS_CAPSULE)};
const nsds_type nsds_shape_box = {
    .type = "box",
    .help = "A box, in the plane a rectangle.",
    .field = (const nsds_field[]){VECTOR_OF(DEF, half, "3 (plane: 2)", "m", NULL,
                                            "Half lengths along the axes."),
                                  AROUND("Radius around the box."), PLACE, SURFACE, END},
    OF_SHAPE(NSDS_BOX)};
const nsds_type nsds_shape_hull = {
    .type = "hull",
    .help = "The convex hull of points, in the plane a polygon.",
    .field = (const nsds_field[]){VERTICES, AROUND("Radius around the hull."), PLACE, SURFACE, END},
    OF_SHAPE(NSDS_HULL)};
const nsds_type nsds_shape_half_space = {
    .type = "half_space",
    .help = "All that lies behind a plane. Scenery alone.",
    .field = (const nsds_field[]){VECTOR_AS("normal", DEF, plane.normal, "3 (plane: 2)", "1", NULL,
                                            "Normal of length 1, towards the bodies."),
                                  NUMBER_AS("offset", DEF, plane.offset, "m", NULL, "0",
                                            "The plane is {x : n.x = offset}."),
                                  SURFACE, END},
    OF_SHAPE(NSDS_HALF_SPACE)};
const nsds_type nsds_shape_triangles = {
    .type = "triangles",
    .help = "Triangles, in the plane segments, that stop bodies in front of them. Bodies have them "
            "drawn_only.",
    .field = (const nsds_field[]){VERTICES, FACES, AROUND("Radius around the faces."), PLACE,
                                  SURFACE, END},
    OF_SHAPE(NSDS_TRIANGLES)};
const nsds_type nsds_shape_cylinder = {
    .type = "cylinder",
    .help = "A cylinder around the first axis, in space.",
    .field =
        (const nsds_field[]){RADIUS("Radius."), HALF("Half of its length."), PLACE, SURFACE, END},
    OF_SHAPE(NSDS_CYLINDER)};
const nsds_type nsds_shape_cone = {
    .type = "cone",
    .help = "A cone around the first axis, or what is left of it without its top, in space.",
    .field =
        (const nsds_field[]){
            NUMBER_OF(DEF, radius, "m", ">= 0", NULL, "Radius at the negative end."),
            NUMBER_OF(DEF, top_radius, "m", ">= 0", "0", "Radius at the positive end."),
            HALF("Half of its length; the origin is in the middle."), PLACE, SURFACE, END},
    OF_SHAPE(NSDS_CONE)};
const nsds_type nsds_shape_ellipsoid = {
    .type = "ellipsoid",
    .help = "An ellipsoid, in space.",
    .field = (const nsds_field[]){VECTOR_OF(DEF, half, "3", "m", NULL, "Half axes."), PLACE,
                                  SURFACE, END},
    OF_SHAPE(NSDS_ELLIPSOID)};
const nsds_type nsds_shape_height_field = {
    .type = "height_field",
    .help = "Ground over a grid, that stops bodies from above. Bodies have it drawn_only.",
    .field =
        (const nsds_field[]){
            VECTOR_OF(DEF, half, "2 (plane: 1)", "m", NULL,
                      "Half lengths along the axes of the grid."),
            MATRIX(
                "heights", "n x m (plane: 1 x m)", "m", NULL,
                "Heights. Columns follow each other along the first axis, rows along the second."),
            AROUND("Radius around the ground."), PLACE, SURFACE, END},
    OF_SHAPE(NSDS_HEIGHT_FIELD)};
const nsds_type nsds_shape_mesh = {
    .type = "mesh",
    .help = "A solid of convex parts.",
    .field =
        (const nsds_field[]){
            VERTICES, FACES,
            VECTOR(
                "parts", "m", NULL, "auto",
                "Part of each face, from 0; auto: faces that share vertices are a part, cut if not "
                "convex."),
            AROUND("Radius around the parts."), PLACE, SURFACE, END},
    OF_SHAPE(NSDS_MESH)};
