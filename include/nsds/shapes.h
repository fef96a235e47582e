/**
 * @file shapes.h
 * @brief Contacts of bodies of any shape: a contact set of spheres, capsules, boxes, convex hulls,
 *        half spaces and triangles, in space and in the plane.
 *
 * A body has any number of shapes, each at a place in it; shapes of no body are scenery. Every
 * shape is a convex core and a radius around it: a point, a segment, or a polytope. Between two
 * shapes there are up to four contacts, with one normal n towards the first body,
 *
 *     y = n.(a - b) - r_a - r_b,   P halfway between the surfaces at a and b,
 *
 * a and b being points of the cores:
 *
 * | pair | contacts | y |
 * |---|---|---|
 * | sphere with sphere, capsule, box, hull, triangle | 1, closest points | the distance |
 * | capsule with capsule | closest points, ends beside the other's axis | distances (a) |
 * | anything with a half space | its vertices (b) | their distances from the plane |
 * | two polytopes, or one and a capsule | faces that face each other, clipped | distances (c) |
 * | the same, edge on edge or corner on corner | 1, closest points (d) | the distance |
 *
 * - (a) Each contact has its own normal.
 * - (b) For polytopes: the vertices of the face that looks towards the half space.
 * - (c) Distances of the vertices of the clipped face from the face whose plane separates most.
 * - (d) Two tilted faces may lie across each other, with one of them within 0.1 rad of
 *   perpendicular to the normal. The contacts are then those of the common area, seen along the
 *   normal, with distances along it.
 *
 * A negative y means overlap. The direction n is then that of least overlap, and the first y of a
 * pair is the distance that separates the shapes along n. The least y of a pair that is apart is
 * its distance. If a face meets a face, the other contacts have their distances along the same
 * normal. Contacts are found up to y = reach. A key names the two shapes and the vertices and
 * edges of the contact, and stays the same while these touch.
 *
 * H has the rows of nsds_contact_relation(): normal, tangents, rolling.
 *
 * Event-driven simulation follows every shape before a half space, by each near vertex and with P
 * on the shape. Spheres are followed among each other too. If other shapes come within reach of
 * each other, the step fails with NSDS_ERROR_UNSUPPORTED and names them.
 *
 * Shapes of one body, or of scenery, that lie flush act as one surface. If a neighbor continues a
 * face to a millionth of the smaller shape, other bodies do not feel the edges between them. An
 * edge that stands out more is a step; faces that do not touch leave a gap.
 *
 * A body with all velocities prescribed is scenery that moves. Such bodies do not meet scenery or
 * each other, since no impulse could keep them apart.
 */
#ifndef NSDS_SHAPES_H
#define NSDS_SHAPES_H

#include <nsds/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kind of a shape. In the plane the third coordinate of vectors is not read. */
typedef enum nsds_shape_kind {
  NSDS_SPHERE = 1,     /**< radius; in the plane a disc */
  NSDS_CAPSULE = 2,    /**< radius, around the segment from -half[0] to half[0] on the first axis */
  NSDS_BOX = 3,        /**< half: half lengths along the axes; in the plane a rectangle */
  NSDS_HULL = 4,       /**< vertex: the convex hull of points; in the plane a polygon */
  NSDS_HALF_SPACE = 5, /**< plane: what lies behind it; scenery only, its position is not read */
  NSDS_TRIANGLES = 6   /**< vertex, face: triangles, which stop bodies in front of them, where they
                            are seen counterclockwise; in the plane segments, with bodies on the left
                            of the way from the first point to the second; vertices at one place
                            are one; scenery only */
} nsds_shape_kind;

/** A shape and where it is. Arrays are copied. */
typedef struct nsds_shape_def {
  nsds_shape_kind kind; /**< required */
  nsds_ds *ds;          /**< the body: of nsds_rigid_body(), in the plane of nsds_rigid_body_2d();
                             NULL: scenery */
  double position[3];   /**< of its origin in the body, or the world [m] */
  double quaternion[4]; /**< its attitude there; zeros: axes of the body. In space */
  double angle;         /**< the same in the plane [rad] */
  double radius;        /**< [m]; spheres and capsules: > 0; boxes, hulls and triangles: >= 0, they
                             grow by it and get round edges */
  double half[3];       /**< [m]; boxes: > 0, capsules: half[0] > 0 */
  nsds_plane plane;     /**< half spaces: in the world */
  int nvertex;          /**< hulls: 4 .. 4096, in the plane from 3 on; triangles: >= 1 */
  const double *vertex; /**< 3 x nvertex (in the plane 2 x nvertex) coordinates [m] */
  int nface;            /**< triangles: their number >= 1 */
  const int *face;      /**< 3 x nface (in the plane 2 x nface) indices of vertices */
  int material;         /**< index into nsds_shapes_def::material */
  int group;            /**< shapes of one group do not meet each other; 0: of none */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_shape_def;

/** Material of a surface. */
typedef struct nsds_material {
  double mu;         /**< coefficient of friction >= 0 */
  double mu_rolling; /**< coefficient of rolling friction >= 0 [m] */
  double e_n;        /**< coefficient of normal restitution in [0, 1] */
  double e_t;        /**< coefficient of tangential restitution in [-1, 1] */
} nsds_material;

/** How the coefficients of two materials become those of their contact, one by one. */
typedef enum nsds_mix {
  NSDS_MIX_GEOMETRIC = 0, /**< square root of the product; of e_t with the sign of both, 0 where
                               the signs differ */
  NSDS_MIX_MIN = 1,       /**< the smaller one */
  NSDS_MIX_MAX = 2,       /**< the larger one */
  NSDS_MIX_MEAN = 3       /**< half of the sum */
} nsds_mix;

/** Changes the coefficients of contacts between two materials; `pair` comes with the set's mix.
 * The library calls this function when the set is made, once for every pair (a, b) of the table
 * with a at or behind b. */
typedef void (*nsds_mix_fn)(const nsds_material *a, const nsds_material *b, nsds_material *pair,
                            void *user);

/** How the least overlap of polytopes that cut into each other is found. */
typedef enum nsds_overlap_method {
  NSDS_OVERLAP_AUTO = 0, /**< libccd for pairs with more than 1000 axes, if it is built in */
  NSDS_OVERLAP_AXES = 1, /**< over all axes that can separate: normals of faces, and products of
                              edges, whose number is that of one's edges times the other's */
  NSDS_OVERLAP_CCD = 2   /**< libccd, where a normal of a face does not separate; it takes memory of
             its own while it works, and may overstate deep overlaps (docs/bodies.md) */
} nsds_overlap_method;

/** A contact set of shapes. */
typedef struct nsds_shapes_def {
  const char *name; /**< for messages; copied; may be NULL */
  int dimension;    /**< 3, or 2: bodies in the plane; 0 means 3 */
  /** Law of every contact: 1, 3 or 5 rows, in the plane 1, 2 or 3. NULL: by materials. */
  nsds_law *law;
  int nmaterial;                 /**< without law: number of materials, 1 .. 256 */
  const nsds_material *material; /**< nmaterial; copied */
  nsds_mix mix;                  /**< how coefficients mix */
  nsds_mix_fn mix_fn;            /**< changes the mixed coefficients; may be NULL */
  void *user;                    /**< passed to mix_fn */
  bool rolling;                  /**< with materials: rolling friction too; else Coulomb's law */
  int nshape;                    /**< number of shapes to begin with; nsds_shapes_add() adds more */
  const nsds_shape_def *shape;   /**< nshape shapes; they get the numbers 0, 1, ... */
  double reach;     /**< contacts with a gap up to this are found [m]; 0: a tenth of the largest
                         radius of a ball around a shape on a body. A body faster than
                         reach / h overlaps before its contact is found */
  int max_contacts; /**< a step in which more are found fails; 0: 256 per shape
                           on a body */
  nsds_overlap_method overlap; /**< ::NSDS_OVERLAP_CCD is NSDS_ERROR_UNSUPPORTED where libccd is not
                                    built in (NSDS_WITH_CCD) */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_shapes_def;

/**
 * Creates the contact set of shapes. The time of a search is proportional to the number of shapes
 * and the contacts per shape, for any sizes. Each triangle counts as a shape. NSDS_ERROR_VALUE in
 * a step means more than max_contacts, or no normal: two spheres have the same center, or axes of
 * capsules cross. The model stays as it was.
 *
 * Errors: those of nsds_shapes_add(); neither law nor materials; materials out of range; a law
 * with a wrong number of rows.
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
 * number.
 *
 * Errors:
 *
 * - a body of another kind or model, or a material that is not in the table;
 * - sizes that are not positive;
 * - a hull with all points in one plane (in the plane on one line) to within 1e-9 of its size;
 * - a hull whose faces do not close, which nearly flat points may cause;
 * - a normal whose length differs from 1 by more than 1e-6;
 * - triangles without area or with indices out of range.
 */
NSDS_API int nsds_shapes_add(nsds_contact_set *set, const nsds_shape_def *shape);

/** Removes a shape, between steps. Contacts of the shape are not found again; those of the last
 * step stay readable until the next. */
NSDS_API nsds_status nsds_shapes_remove(nsds_contact_set *set, int shape);

/**
 * Removes all shapes of a body, which then meets nothing of this set. To remove the body too, call
 * nsds_ds_destroy() afterwards. In a loop over systems go from nsds_ds_count() - 1 down to 0,
 * since the last system takes the place of one that is removed.
 */
NSDS_API nsds_status nsds_shapes_remove_body(nsds_contact_set *set, const nsds_ds *ds);

/**
 * Lets the shapes of two bodies pass through each other from the next step on. `second` NULL
 * means the scenery. Use this for bodies that overlap at a joint. The rule holds for shapes that
 * come later too, and a second call does nothing. For each pair of near shapes, a search takes a
 * time proportional to the logarithm of the number of such pairs.
 *
 * NSDS_ERROR_ARGUMENT: one body twice, a body of another model.
 */
NSDS_API nsds_status nsds_shapes_exclude(nsds_contact_set *set, const nsds_ds *first,
                                         const nsds_ds *second);

/** Lets the bodies meet again, from the next step on; errors as nsds_shapes_exclude(). */
NSDS_API nsds_status nsds_shapes_include(nsds_contact_set *set, const nsds_ds *first,
                                         const nsds_ds *second);

/**
 * A shape at its present place, for programs that draw it. Spheres of nsds_spheres() and
 * nsds_balls() are shapes too, numbered in the order of `ds`; planes and half spaces come behind
 * them. Third coordinates are zero in the plane, where angles and quaternions say the same.
 */
struct nsds_shape_info {
  int number;                 /**< of the shape; never used for another shape of the set */
  int dimension;              /**< 3 or 2 */
  nsds_shape_kind kind;       /**< kind of the shape */
  nsds_ds *ds;                /**< the body; NULL: scenery */
  double radius;              /**< of spheres and capsules, or around other shapes [m] */
  double half[3];             /**< of boxes, and of capsules the first [m] */
  nsds_plane plane;           /**< of half spaces, in the world */
  int material;               /**< as in its definition */
  int group;                  /**< as in its definition */
  double position[3];         /**< of its origin in the body, or the world [m] */
  double quaternion[4];       /**< its attitude there, of length 1 */
  double angle;               /**< the same in the plane [rad] */
  double world_position[3];   /**< of its origin in the world, now [m] */
  double world_quaternion[4]; /**< its attitude in the world, now */
  double world_angle;         /**< the same in the plane [rad] */
  /**
   * @name Polytopes and triangles
   *
   * Boxes, hulls without inner points, and triangles, in the axes of the shape. Face f has the
   * vertices face[first[f]] to face[first[f + 1] - 1], counterclockwise as seen from outside, or
   * from the front of a triangle. In the plane, faces are edges of two vertices, with the inside
   * of boxes and hulls on their left. The arrays are lent until the shape is removed.
   * @{
   */
  int nvertex;          /**< number of vertices; 0: of round shapes */
  const double *vertex; /**< 3 x nvertex coordinates [m], in the plane too */
  int nface;            /**< number of faces */
  const int *first;     /**< nface + 1 places in face */
  const int *face;      /**< indices of vertices */
  /** @} */
};

/** Number of shapes of a set of nsds_shapes(), nsds_spheres() or nsds_balls(), or of a geometry of
 *  your own that tells its shapes; else 0. */
NSDS_API int nsds_shapes_count(const nsds_contact_set *set);

/** Shape k of nsds_shapes_count(), by increasing number, which is k until shapes are removed.
 *  NSDS_ERROR_ARGUMENT: out of range. */
NSDS_API nsds_status nsds_shapes_at(const nsds_contact_set *set, int k, nsds_shape_info *shape);

/** The shape with this number, such as one of nsds_contact_info::shape. NSDS_ERROR_ARGUMENT: it was
 *  removed or never there. */
NSDS_API nsds_status nsds_shapes_get(const nsds_contact_set *set, int number,
                                     nsds_shape_info *shape);

/** Numbers of the shapes of a body, NULL: of scenery. Writes at most `capacity` of them and returns
 *  how many there are. */
NSDS_API int nsds_shapes_of_body(const nsds_contact_set *set, const nsds_ds *ds, int capacity,
                                 int *number);

#ifdef __cplusplus
}
#endif
#endif
