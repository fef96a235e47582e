/**
 * @file shapes.h
 * @brief Contacts of bodies of any shape: a contact set of spheres, capsules, boxes, convex hulls,
 *        cylinders, cones, ellipsoids, meshes, half spaces, triangles and height fields, in space
 *        and in the plane.
 *
 * A body has any number of shapes, each at its place in the body. Shapes without a body are
 * scenery. A shape has a convex core with a radius around it. The core is a point, a segment, a
 * polytope, or round. Round cores are ellipsoids, and two discs on one axis with all between them.
 * Triangles and height fields have a core for each triangle, and meshes for each part. Two cores
 * have up to four contacts, with one normal n towards the first body,
 *
 *     y = n.(a - b) - r_a - r_b,   P halfway between the surfaces at a and b,
 *
 * where a and b are points of the cores:
 *
 * | pair | contacts | y |
 * |---|---|---|
 * | sphere with sphere, capsule, box, hull, triangle | 1, closest points | the distance |
 * | capsule with capsule | closest points, ends beside the axis of the other | distances (a) |
 * | anything with a half space | its vertices (b) | their distances from the plane |
 * | two polytopes, or one and a capsule | faces that face each other, clipped | distances (c) |
 * | the same, edge on edge or corner on corner | 1, closest points (d) | the distance |
 * | a round core with another core or a half space | of the parts that face each other (e) | distances |
 *
 * - (a) Each contact has its own normal.
 * - (b) For polytopes: the vertices of the face that looks towards the half space.
 * - (c) Distances of the vertices of the clipped face from the face whose plane separates most.
 * - (d) Two tilted faces may lie across each other. If one of the faces is within 0.1 rad of
 *   perpendicular to the normal, the contacts are those of the common area, seen along the normal.
 *   Distances are measured along the normal.
 * - (e) A disc within 0.1 rad of perpendicular to the normal counts as a face. The contacts of a disc
 *   and a face or another disc are corners of the common area. These are corners of the face, points
 *   where a side or the other rim crosses the rim, and eight points of the rim. The lowest point of the
 *   rim is one of the eight. The side of discs has a line that faces the normal, and an ellipsoid a
 *   point. So a cylinder rolls on two contacts, the ends of its line, and loses no speed. The normal is
 *   that of the exact surfaces.
 *
 * A negative y means overlap. n is then the direction of least overlap. Let y be that of the first
 * contact: moving the shapes apart by |y| along n separates them. If the shapes are apart, the
 * least y of the pair is their distance. If a face meets a face, the other contacts have their
 * distances along the same normal. The search finds contacts up to y = reach. A key names the two
 * shapes and the vertices and edges of the contact, and stays the same while these touch.
 *
 * H has the rows of nsds_contact_relation(): normal, tangents, rolling.
 *
 * Event-driven simulation and nsds_rattle() treat all shapes in front of all others, by parts:
 * - in front of a half space, with P on the shape: polytopes touch by each near vertex, ellipsoids
 *   by their lowest point. Cylinders and cones touch by the lowest point of each disc. A disc that
 *   lies flat, to a millionth of its radius, touches by eight points of its rim;
 * - spheres, capsules, boxes and hulls among each other, with and without a radius: vertices touch
 *   vertices, edges and faces; edges that cross touch each other. An event ends the integration
 *   where another face, edge or vertex comes next (::NSDS_EVENT_SEARCH);
 * - ellipsoids, and spheres before round shapes, by the nearest points;
 * - cylinders and cones: faces, sides, rims, edges and vertices touch each other. A cylinder lies on a
 *   box by the lowest points of its rims. A plank lies on a log by its edges. Crossed cylinders touch
 *   by their sides. If a disc lies flat across an edge, its rim touches where the edge crosses it;
 * - triangles and height fields, in the plane segments: their faces, and the edges and vertices that
 *   neighbours do not continue.
 *
 * Shapes of one body, or of scenery, that lie flush act as one surface. Other bodies do not feel
 * the edges between two such shapes if one face continues the other to a millionth of the smaller
 * shape. An edge that stands out more acts as a ledge. Faces that do not touch leave a gap.
 *
 * A body with all velocities prescribed is scenery that moves. Such bodies do not meet scenery or
 * each other, because no impulse could keep them apart.
 */
#ifndef NSDS_SHAPES_H
#define NSDS_SHAPES_H

#include <nsds/contact.h>

/** The kinds of shapes in the catalogue (nsds/catalogue.h), in its order: X(NAME) for each. */
#define NSDS_SHAPE_TYPES(X)                                                                        \
  X(sphere)                                                                                        \
  X(capsule)                                                                                       \
  X(box)                                                                                           \
  X(hull)                                                                                          \
  X(half_space)                                                                                    \
  X(triangles)                                                                                     \
  X(cylinder)                                                                                      \
  X(cone)                                                                                          \
  X(ellipsoid)                                                                                     \
  X(height_field)                                                                                  \
  X(mesh)

#ifdef __cplusplus
extern "C" {
#endif

/** Kind of a shape. In the plane the third coordinate of vectors is not read. */
typedef enum nsds_shape_kind {
  NSDS_SPHERE = 1,     /**< radius; in the plane a disc */
  NSDS_CAPSULE = 2,    /**< radius, around the segment from -half[0] to half[0] on the first axis */
  NSDS_BOX = 3,        /**< half: half lengths along the axes; in the plane a rectangle */
  NSDS_HULL = 4,       /**< vertex: the convex hull of points; in the plane a polygon */
  NSDS_HALF_SPACE = 5, /**< plane: the half space behind a plane; scenery only, its position is not
                            read */
  NSDS_TRIANGLES = 6,  /**< vertex, face: triangles, which stop bodies on their front, the side from
                            which the vertices are counterclockwise. In the plane: segments, which
                            stop bodies on their left, seen from the first point to the second.
                            Vertices at one place count as one. Scenery only */
  NSDS_CYLINDER = 7,   /**< radius around the first axis, from -half[0] to half[0]; in space only */
  NSDS_CONE = 8,       /**< radius around the first axis at -half[0], top_radius at half[0]; in
                            space only */
  NSDS_ELLIPSOID = 9,  /**< half: half axes; in space only */
  NSDS_HEIGHT_FIELD =
      10, /**< height, half: ground of triangles over a grid, in the plane of segments.
                               Point (i, j), 0 <= i < nx, 0 <= j < ny, has the coordinates
                               (2 i / (nx - 1) - 1) half[0], (2 j / (ny - 1) - 1) half[1] and
                               height[j + ny i]; in the plane the second one is the height. Stops
                               bodies from above. Scenery only */
  NSDS_MESH =
      11 /**< vertex, face: a solid of convex parts, with faces as those of triangles. Each part
                      is the convex hull of the vertices of its faces, see `part` */
} nsds_shape_kind;

/** A shape and where it is. Arrays are copied. */
typedef struct nsds_shape_def {
  nsds_shape_kind kind; /**< required */
  nsds_ds *ds;          /**< the body: of nsds_rigid_body(), in the plane of nsds_rigid_body_2d();
                             NULL: scenery */
  double position[3];   /**< place of its origin in the body, or in the world [m] */
  double quaternion
      [4];      /**< in space: attitude in the body, or in the world; all zeros mean no rotation */
  double angle; /**< in the plane: its angle [rad] */
  double
      radius; /**< [m]; spheres, capsules and cylinders: > 0; boxes, hulls, triangles, height fields
                             and meshes: >= 0, their surface moves out by the radius and gets round
                             edges; cones: >= 0, but not with top_radius 0; ellipsoids: not read */
  double top_radius; /**< cones: the other radius >= 0 [m] */
  double half[3]; /**< [m]; boxes, ellipsoids: > 0; capsules, cylinders, cones: half[0] > 0; height
                             fields: half[0], half[1] > 0, in the plane half[0] > 0 */
  nsds_plane plane;     /**< half spaces: in the world */
  int nvertex;          /**< hulls: 4 .. 4096, in the plane from 3 on; triangles, meshes: >= 1 */
  const double *vertex; /**< 3 x nvertex (in the plane 2 x nvertex) coordinates [m] */
  int nface;            /**< triangles, meshes: their number of faces >= 1 */
  const int *face;      /**< 3 x nface (in the plane 2 x nface) indices of vertices */
  int material;         /**< index into nsds_shapes_def::material */
  int group;            /**< shapes of one group do not meet each other; 0: no group */
  int nx;               /**< height fields: number of points along the first axis, 2 .. 10000 */
  int ny; /**< height fields: number of points along the second axis, 2 .. 10000; in the
                             plane 0 or 1 */
  const double *height; /**< height fields: ny x nx heights, by columns [m] */
  const int *part;      /**< meshes: nface numbers 0, 1, ... of the part to which each face belongs.
                             NULL: faces that share vertices, by their indices, are a part. In space
                             a closed part that is not convex is cut into convex ones then, up to
                             5000 faces and 1000 cells. Fronts of faces are outside; a cavity is
                             refused */
  double color[3];      /**< of pages: red, green, blue in [0, 1]; zeros: by the body */
  bool hidden;          /**< true: pages do not draw the shape */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED - 3];
} nsds_shape_def;

/** Material of a surface. */
typedef struct nsds_material {
  double mu;         /**< coefficient of friction >= 0 */
  double mu_rolling; /**< coefficient of rolling friction >= 0 [m] */
  double e_n;        /**< coefficient of normal restitution in [0, 1] */
  double e_t;        /**< coefficient of tangential restitution in [-1, 1] */
} nsds_material;

/** How two materials give each coefficient of their contact. */
typedef enum nsds_mix {
  NSDS_MIX_GEOMETRIC = 0, /**< square root of the product. For e_t the root gets the common sign of
                               the two values; the result is 0 if their signs differ */
  NSDS_MIX_MIN = 1,       /**< the smaller one */
  NSDS_MIX_MAX = 2,       /**< the larger one */
  NSDS_MIX_MEAN = 3       /**< half of the sum */
} nsds_mix;

/** Changes the coefficients of contacts between two materials; `pair` comes with the set's mix.
 *  When the set is made, the library calls this function once for every pair of materials, also for
 *  a material paired with itself. `a` does not come after `b` in the table. */
typedef void (*nsds_mix_fn)(const nsds_material *a, const nsds_material *b, nsds_material *pair,
                            void *user);

/** How the library finds the least overlap of polytopes that cut into each other. */
typedef enum nsds_overlap_method {
  NSDS_OVERLAP_AUTO = 0, /**< libccd for pairs with more than 1000 axes, if it is built in */
  NSDS_OVERLAP_AXES = 1, /**< tests all axes that can separate: normals of faces, and cross products
                              of an edge of one polytope with an edge of the other */
  NSDS_OVERLAP_CCD = 2   /**< libccd, if no normal of a face separates. libccd allocates memory
                              during the search, and may overstate deep overlaps (docs/bodies.md) */
} nsds_overlap_method;

/** A contact set of shapes. */
typedef struct nsds_shapes_def {
  const char *name; /**< for messages; copied; may be NULL */
  int dimension;    /**< 3, or 2: bodies in the plane; 0 means 3 */
  /** Law of every contact: 1, 3 or 5 rows, in the plane 1, 2 or 3. NULL: the materials give the
   *  law. */
  nsds_law *law;
  int nmaterial;                 /**< without law: number of materials, 1 .. 256 */
  const nsds_material *material; /**< nmaterial; copied */
  nsds_mix mix;                  /**< how coefficients mix */
  nsds_mix_fn mix_fn;            /**< changes the mixed coefficients; may be NULL */
  void *user;                    /**< passed to mix_fn */
  bool rolling;                  /**< with materials: rolling friction too; else Coulomb's law */
  int nshape;                    /**< number of shapes to begin with; nsds_shapes_add() adds more */
  const nsds_shape_def *shape;   /**< nshape shapes; they get the numbers 0, 1, ... */
  double reach;     /**< the search finds contacts with gaps up to this [m]; 0: a tenth of the
                         radius of the largest ball around a shape on a body. A body faster than
                         reach / h overlaps before its contact is found */
  int max_contacts; /**< largest number of contacts. If the search finds more, the step fails. 0:
                         256 per shape on a body */
  nsds_overlap_method overlap; /**< ::NSDS_OVERLAP_CCD is NSDS_ERROR_UNSUPPORTED if libccd is not
                                    built in (NSDS_WITH_CCD) */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_shapes_def;

/**
 * Creates the contact set of shapes. The time of a search is proportional to the number of shapes
 * and to the contacts per shape, whatever the sizes. Each triangle counts as a shape. A step fails
 * with NSDS_ERROR_VALUE if there are more than max_contacts, or if a contact has no normal. This
 * happens if two spheres have the same center, or if axes of capsules cross. The model stays as it
 * was.
 *
 * Errors: those of nsds_shapes_add(); neither law nor materials; materials out of range; a law with
 * a wrong number of rows.
 *
 * Sources: separating axes, S. Gottschalk, Separating axis theorem, UNC TR 96-024 (1996); clipping
 * of faces, I. Sutherland, G. Hodgman, Reentrant polygon clipping, Comm. ACM 17 (1974); libccd, D.
 * Fiser (expanding polytopes).
 */
NSDS_API nsds_contact_set *nsds_shapes(nsds_model *model, const nsds_shapes_def *def);

/**
 * Adds a shape to a set of nsds_shapes(), between steps.
 *
 * @returns the number of the shape, or -1 on error. No other shape of the set ever gets this
 *         number.
 *
 * Errors:
 *
 * - a body of another kind or model, or a material that is not in the table;
 * - sizes that are not positive;
 * - a hull with all points in one plane (in the plane on one line) to within 1e-9 of its size;
 * - a hull whose faces do not close, which happens if points are nearly flat;
 * - a normal whose length differs from 1 by more than 1e-6;
 * - triangles without area or with indices out of range;
 * - a mesh with a part that has no volume, or that is not convex to within 1e-5 of its size and
 *   cannot be cut.
 */
NSDS_API int nsds_shapes_add(nsds_contact_set *set, const nsds_shape_def *shape);

/** Removes a shape, between steps. Later searches find no contacts of the shape. Contacts of the
 *  last step stay readable until the next step. */
NSDS_API nsds_status nsds_shapes_remove(nsds_contact_set *set, int shape);

/**
 * Removes all shapes of a body from this set. To remove the body too, call nsds_ds_destroy()
 * afterwards. In a loop over systems go from nsds_ds_count() - 1 down to 0, because the last system
 * takes the place of a removed system.
 */
NSDS_API nsds_status nsds_shapes_remove_body(nsds_contact_set *set, const nsds_ds *ds);

/**
 * Lets the shapes of two bodies pass through each other from the next step on. If `second` is NULL,
 * the shapes of the first body pass through scenery. Use this for bodies that overlap at a joint.
 * The rule also holds for shapes that you add later. A second call does nothing. For each pair of
 * near shapes, a search takes a time proportional to the logarithm of the number of excluded pairs.
 *
 * NSDS_ERROR_ARGUMENT: one body twice, a body of another model.
 */
NSDS_API nsds_status nsds_shapes_exclude(nsds_contact_set *set, const nsds_ds *first,
                                         const nsds_ds *second);

/** Lets the bodies meet again, from the next step on; errors as for nsds_shapes_exclude(). */
NSDS_API nsds_status nsds_shapes_include(nsds_contact_set *set, const nsds_ds *first,
                                         const nsds_ds *second);

/**
 * A shape at its present place, for programs that draw it. Spheres of nsds_spheres() and
 * nsds_balls() are shapes too, numbered in the order of `ds`; planes and half spaces have the
 * numbers after the spheres. In the plane third coordinates are zero, and angles and quaternions
 * give the same attitude.
 */
struct nsds_shape_info {
  int number;                 /**< number of the shape; no other shape of the set ever gets it */
  int dimension;              /**< 3 or 2 */
  nsds_shape_kind kind;       /**< kind of the shape */
  nsds_ds *ds;                /**< the body; NULL: scenery */
  double radius;              /**< as in its definition [m]; of an ellipsoid 0 */
  double top_radius;          /**< as in its definition [m] */
  double half[3];             /**< as in its definition [m]; 0 where its kind has none */
  nsds_plane plane;           /**< plane of half spaces, in the world */
  int material;               /**< as in its definition */
  int group;                  /**< as in its definition */
  double position[3];         /**< place of its origin in the body, or in the world [m] */
  double quaternion[4];       /**< its attitude in the body, or in the world, of length 1 */
  double angle;               /**< in the plane: its angle [rad] */
  double world_position[3];   /**< present position of its origin in the world [m] */
  double world_quaternion[4]; /**< its present attitude in the world */
  double world_angle;         /**< in the plane: its angle [rad] */
  /**
   * @name Polytopes, triangles, height fields, meshes and round shapes
   *
   * Boxes, hulls without inner points, triangles, meshes, and height fields as triangles, in the axes
   * of the shape. Cylinders, cones and
   * ellipsoids have a mesh to draw them, with vertices on the surface. Face f has the
   * vertices face[first[f]] to face[first[f + 1] - 1], counterclockwise as seen from outside, or
   * from the front of a triangle. In the plane, faces are edges with two vertices; the inside of
   * boxes and hulls is on the left of an edge. The arrays are lent until the shape is removed.
   * @{
   */
  int nvertex;          /**< number of vertices; 0: sphere, capsule or half space */
  const double *vertex; /**< 3 x nvertex coordinates [m], in the plane too */
  int nface;            /**< number of faces */
  const int *first;     /**< nface + 1 places in face */
  const int *face;      /**< indices of vertices */
  /** @} */
  double color[3]; /**< as in its definition */
  bool hidden;     /**< as in its definition */
};

/**
 * Gives a shape a name in keys of contacts, between steps. Keys are made of the numbers of both shapes
 * otherwise. A contact then has another key in a set where its shapes have other numbers.
 * @param set   made by nsds_shapes()
 * @param shape number of a shape
 * @param name  > 0, its own among the names of the set, < 2^63
 * @return NSDS_OK; NSDS_ERROR_VALUE: the name is out of range; NSDS_ERROR_ARGUMENT: no such shape
 */
NSDS_API nsds_status nsds_shapes_name(nsds_contact_set *set, int shape, uint64_t name);

/** Number of shapes of a set of nsds_shapes(), nsds_spheres() or nsds_balls(), or of your own
 *  geometry if it tells its shapes; else 0. */
NSDS_API int nsds_shapes_count(const nsds_contact_set *set);

/** Shape k, 0 <= k < nsds_shapes_count(), in the order of increasing numbers. The number is k until
 *  shapes are removed. NSDS_ERROR_ARGUMENT: out of range. */
NSDS_API nsds_status nsds_shapes_at(const nsds_contact_set *set, int k, nsds_shape_info *shape);

/** The shape with this number, such as one of nsds_contact_info::shape. NSDS_ERROR_ARGUMENT: no
 *  shape of the set has this number now. */
NSDS_API nsds_status nsds_shapes_get(const nsds_contact_set *set, int number,
                                     nsds_shape_info *shape);

/** Numbers of the shapes of a body, or of the scenery if ds is NULL. Writes at most `capacity`
 *  numbers and returns how many shapes there are. */
NSDS_API int nsds_shapes_of_body(const nsds_contact_set *set, const nsds_ds *ds, int capacity,
                                 int *number);

/**
 * @name Questions about places
 *
 * What does a ray hit, what is near a point, how far are two shapes apart? The answers are those of
 * the present places of all bodies, also before the first step. Triangles, which stop bodies and rays on
 * their front, have two sides for points and distances. Ask between steps or from a
 * sampler; other times are NSDS_ERROR_STATE. The sets are those of nsds_shapes(); others are
 * NSDS_ERROR_ARGUMENT. Groups and excluded pairs do not matter.
 *
 * The first question after shapes have come takes some memory, later ones take none. A question
 * takes all shapes to their places, so that many rays in one call are cheaper than as many calls.
 *
 *     nsds_ray ray = {.origin = {0, 0, 1}, .direction = {1, 0, 0}, .length = 5, .ignore = robot};
 *     nsds_shape_hit hit;
 *     nsds_shapes_cast(set, 1, &ray, &hit);
 *     if (hit.shape >= 0) slow_down(hit.distance);
 * @{
 */
/** A ray. In the plane third coordinates are not read. */
typedef struct nsds_ray {
  double origin[3];      /**< where it starts, in the world [m] */
  double direction[3];   /**< of any length but zero */
  double length;         /**< how far it reaches [m]; 0: without end */
  const nsds_ds *ignore; /**< a body whose shapes the ray passes; NULL: none */
} nsds_ray;

/** A point of the surface of a shape. */
typedef struct nsds_shape_hit {
  int shape;   /**< number of the shape; -1: there is none, and nothing else is said */
  nsds_ds *ds; /**< its body; NULL: scenery */
  double
      distance; /**< from the origin of the ray, or of the point asked about [m]; < 0 in a shape */
  double point[3];  /**< in the world [m] */
  double normal[3]; /**< of the surface, out of the shape, of length 1 */
} nsds_shape_hit;

/**
 * Finds the first shape that each ray hits. A ray that starts in a shape hits it at distance 0, and
 * the normal leads against the ray. Triangles have their front alone. If shapes are at equal
 * distances, the smaller number counts. The time of a ray is proportional to the logarithm of the number of
 * shapes.
 * @param set  of nsds_shapes()
 * @param nray number of rays, >= 0
 * @param ray  nray rays
 * @param hit  receives nray hits
 * @return NSDS_OK; NSDS_ERROR_VALUE: a direction is zero, or a number not finite or negative;
 *         NSDS_ERROR_ARGUMENT, NSDS_ERROR_STATE, NSDS_ERROR_MEMORY
 */
NSDS_API nsds_status nsds_shapes_cast(nsds_contact_set *set, int nray, const nsds_ray *ray,
                                      nsds_shape_hit *hit);

/**
 * Finds the shape nearest to a point.
 * @param set    of nsds_shapes()
 * @param point  in the world [m]
 * @param within farther shapes are not looked at [m]; 0: all shapes
 * @param ignore a body that does not count; NULL: none
 * @param hit    receives the point of the surface that is nearest. Inside a shape the distance is
 *               negative: the least way out. Inside a mesh of several parts it is the way out of one
 *               part, which may end in another one
 * @return as nsds_shapes_cast()
 */
NSDS_API nsds_status nsds_shapes_nearest(nsds_contact_set *set, const double point[3],
                                         double within, const nsds_ds *ignore, nsds_shape_hit *hit);

/**
 * Lists the shapes that a ball overlaps, by increasing numbers.
 * @param set      of nsds_shapes()
 * @param center   of the ball, in the world [m]
 * @param radius   of the ball, >= 0 [m]
 * @param ignore   a body that does not count; NULL: none
 * @param capacity room in `shape`
 * @param shape    receives at most `capacity` numbers of shapes
 * @return the number of shapes, which may be larger than `capacity`; -1 on error, as
 *         nsds_shapes_cast()
 */
NSDS_API int nsds_shapes_in_ball(nsds_contact_set *set, const double center[3], double radius,
                                 const nsds_ds *ignore, int capacity, int *shape);

/** How far two shapes are apart. */
typedef struct nsds_shape_gap {
  double distance;    /**< [m]; < 0: overlap, along the direction of least overlap. A shape that
                           cuts a triangle has the overlap of a step, which leads to the front if it
                           can */
  double point[2][3]; /**< closest points of the first and the second shape, in the world [m] */
  double normal[3];   /**< from the second shape to the first, of length 1 */
} nsds_shape_gap;

/**
 * Computes the distance of two shapes, by their numbers.
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT: no such shape, one shape twice, or two half spaces;
 *         NSDS_ERROR_VALUE: there is no normal, since centers or axes lie in each other;
 *         NSDS_ERROR_STATE, NSDS_ERROR_MEMORY
 */
NSDS_API nsds_status nsds_shapes_gap(nsds_contact_set *set, int first, int second,
                                     nsds_shape_gap *gap);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
