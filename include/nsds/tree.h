/**
 * @file tree.h
 * @brief Kinematic trees: joint coordinates of the bodies of a model, and their equations of motion.
 *
 * A tree is made once from the bodies and joints of a model. The functions map arrays to arrays and
 * leave the model alone, except nsds_tree_set_state():
 *
 *     nsds_tree *tree = nsds_tree_create(model);
 *     nsds_tree_get_state(tree, q, u);
 *     nsds_tree_inverse(tree, q, u, a, tau);
 *     nsds_tree_destroy(tree);
 *
 * A body that a joint connects with the tree has the coordinates of this joint. If no joint connects
 * a part with the world, the first body of this part is free, with the coordinates and velocities
 * of nsds_rigid_body(). The arrays q and u go from joint to joint:
 *
 *     joint         q                                     u
 *     none (free)   place of the center, quaternion: 7    velocity; angular velocity in the body: 6
 *     HINGE         angle: 1                              its rate
 *     PRISMATIC     displacement: 1                       its rate
 *     CYLINDRICAL   angle, displacement: 2                their rates
 *     UNIVERSAL     angles about axis and other_axis: 2   their rates
 *     PLANAR        two displacements across the axis,
 *                   angle about the axis: 3               their rates
 *     BALL          quaternion: 4                         angular velocity: 3
 *     FIXED         none                                  none
 *
 * Angles and displacements are those of nsds_joint_read(): of ds[0] relative to ds[1], zero where
 * the joint was made. A UNIVERSAL joint has first the angle of ds[0] about `axis`, then that of the
 * cross about `other_axis`. A BALL joint has the attitude of the body relative to the parent, without
 * turn where the joint was made. The angular velocity is relative to the parent, in the frame of the
 * body. A quaternion need not have the length 1, but not 0.
 *
 * Only bodies in space and joints with nsds_equality() enter the tree. Other equalities of its
 * bodies, among them joints that close a loop, are left out; nsds_tree_left() tells them. Drives,
 * stops, friction, springs and contacts are no part of a tree. Armatures of nsds_joint_act() are: M has
 * their inertia on its diagonal. The coordinate of an armature must have the bodies of a joint of the
 * tree, in the same order.
 *
 * The functions use memory of the tree and allocate nothing: use a tree in one thread at a time.
 *
 * Source: R. Featherstone, Rigid Body Dynamics Algorithms (2008).
 */
#ifndef NSDS_TREE_H
#define NSDS_TREE_H

#include <nsds/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A kinematic tree. */
typedef struct nsds_tree nsds_tree;

/**
 * Makes the tree of all bodies of nsds_rigid_body() of a model, in their present number. The tree
 * copies masses, gravity and joints; make a new tree after a change. Destroy the tree before the
 * model.
 *
 * Errors: no body in space; a step is under way.
 */
NSDS_API nsds_tree *nsds_tree_create(nsds_model *model);
/** Frees a tree; NULL is allowed. */
NSDS_API void nsds_tree_destroy(nsds_tree *tree);

/** A body of a tree. Parents come before their children. */
typedef struct nsds_tree_body {
  nsds_ds *ds;             /**< the body */
  int parent;              /**< its parent's number; -1: the world */
  nsds_interaction *joint; /**< the joint with the parent; NULL: free */
  nsds_joint_kind kind;    /**< kind of the joint; 0: free */
  int q;                   /**< place of its first coordinate in q */
  int nq;                  /**< number of its coordinates */
  int u;                   /**< place of its first velocity in u */
  int nu;                  /**< number of its velocities */
} nsds_tree_body;

/** Number of bodies; 0 for NULL. */
NSDS_API int nsds_tree_size(const nsds_tree *tree);
/** Number of coordinates in q. */
NSDS_API int nsds_tree_nq(const nsds_tree *tree);
/** Number of velocities in u. */
NSDS_API int nsds_tree_nu(const nsds_tree *tree);
/** Reads body k. NSDS_ERROR_VALUE: there is none. */
NSDS_API nsds_status nsds_tree_at(const nsds_tree *tree, int k, nsds_tree_body *body);
/** Equality k that the tree leaves out, such as a joint that closes a loop; NULL: there are no more.
 */
NSDS_API nsds_interaction *nsds_tree_left(const nsds_tree *tree, int k);

/**
 * Computes q and u of the present state of the model. u may be NULL. Joints that have drifted open
 * give coordinates near those of their bodies. NSDS_ERROR_ARGUMENT: a body is gone.
 */
NSDS_API nsds_status nsds_tree_get_state(nsds_tree *tree, double *q, double *u);
/**
 * Places the bodies of the model, like nsds_set_state() of each. Turns of hinges and cylindrical
 * joints become those of q; angles of universal and planar joints are read in (-pi, pi]. u NULL:
 * velocities are zero.
 *
 * Errors: as for nsds_tree_get_state(), a step is under way, values that are not finite.
 */
NSDS_API nsds_status nsds_tree_set_state(nsds_tree *tree, const double *q, const double *u);

/**
 * Forward kinematics: coordinates and velocities of all bodies, as nsds_q() and nsds_v() have them.
 *
 * @param tree  the tree
 * @param q     coordinates
 * @param u     velocities; NULL means zero
 * @param place 7 numbers for each body
 * @param twist 6 numbers for each body; may be NULL
 *
 * Errors, also of the functions below: NULL; NSDS_ERROR_VALUE, numbers or results that are not
 * finite, and quaternions of length 0.
 */
NSDS_API nsds_status nsds_tree_forward(nsds_tree *tree, const double *q, const double *u,
                                       double *place, double *twist);
/** Mass matrix M(q), nu x nu, by composite inertias. T = u' M u / 2. */
NSDS_API nsds_status nsds_tree_mass(nsds_tree *tree, const double *q, double *M);
/** Bias forces b(q, u), nu: M du/dt + b = tau. b has the gravity of the bodies. */
NSDS_API nsds_status nsds_tree_bias(nsds_tree *tree, const double *q, const double *u, double *b);
/** Inverse dynamics: tau = M du/dt + b, nu, by Newton and Euler's recursion in O(n). `a` is du/dt. */
NSDS_API nsds_status nsds_tree_inverse(nsds_tree *tree, const double *q, const double *u,
                                       const double *a, double *tau);
/**
 * Forward dynamics: du/dt = M^-1 (tau - b), nu, by articulated bodies in O(n). tau NULL means zero.
 * NSDS_ERROR_SINGULAR: a velocity moves almost no mass, beside the others of its joint.
 */
NSDS_API nsds_status nsds_tree_dynamics(nsds_tree *tree, const double *q, const double *u,
                                        const double *tau, double *a);
/**
 * Jacobian of a point fixed to a body, 6 x nu, column-major. J u has the velocity of the point, then
 * the angular velocity of the body, both in the world.
 *
 * @param tree  the tree
 * @param q     coordinates
 * @param body  number of the body
 * @param point in the body, from its center [m]; NULL: the center
 * @param J     6 x nu
 */
NSDS_API nsds_status nsds_tree_jacobian(nsds_tree *tree, const double *q, int body,
                                        const double *point, double *J);

/** Sums over the bodies of a tree. */
typedef struct nsds_tree_sums {
  double mass;        /**< of all bodies [kg] */
  double center[3];   /**< center of mass [m] */
  double velocity[3]; /**< of the center of mass [m/s] */
  double linear[3];   /**< momentum [N s] */
  double angular[3];  /**< angular momentum about the center of mass [N m s] */
  double kinetic;     /**< kinetic energy, with armatures [J] */
  double potential;   /**< in the bodies' gravity, 0 at the origin [J] */
} nsds_tree_sums;

/** Computes center of mass, momentum and energy. u NULL means zero. */
NSDS_API nsds_status nsds_tree_sum(nsds_tree *tree, const double *q, const double *u,
                                   nsds_tree_sums *sums);

#ifdef __cplusplus
}
#endif
#endif
