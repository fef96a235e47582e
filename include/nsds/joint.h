/**
 * @file joint.h
 * @brief Joints of rigid bodies, with each other and with the world.
 *
 * Bodies are those of nsds_rigid_body(), or in the plane of nsds_rigid_body_2d(), where the third
 * entries of points and axes do not count. A joint is a relation; with nsds_equality() it holds the
 * bodies together, by velocities. It is given by a point and an axis of the world in the
 * configuration that the bodies have when it is made; what is kept is fixed to each body.
 */
#ifndef NSDS_JOINT_H
#define NSDS_JOINT_H

#include <nsds/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What a joint keeps. With A_1 and A_2 the point in each body, d = A_1 - A_2, and (a, b, c) the
 * axis with two across it, fixed to each body (to the world in place of a second body):
 *
 *     kind        rows  y
 *     BALL        3     d
 *     HINGE       5     d;  a_1.b_2, a_1.c_2
 *     PRISMATIC   5     b_2.d, c_2.d;  a_1.b_2, b_1.c_2, c_1.a_2
 *     CYLINDRICAL 4     b_2.d, c_2.d;  a_1.b_2, a_1.c_2
 *     FIXED       6     d;  a_1.b_2, b_1.c_2, c_1.a_2
 *     DISTANCE    1     |d| - length
 *     ROPE        1     length - |d|
 *     GEAR        1     the angle by which two gears that mesh are off, see ::nsds_joint_def
 *
 * The rate of d that H V gives is the one which the second body sees, d' - w_2 x d: where a joint
 * has drifted open its force still acts on both bodies at one point, A_1, so that it takes no
 * angular momentum, and joints that say the same twice do so in every configuration.
 *
 * In the plane a BALL is a HINGE about the plane's normal, 2 rows; PRISMATIC has 2 and needs an axis,
 * FIXED has 3; CYLINDRICAL is not there.
 *
 * ROPE is for laws of unilateral contact: nsds_newton_impact() keeps y >= 0.
 */
typedef enum nsds_joint_kind {
  NSDS_JOINT_BALL = 1,    /**< ball and socket, knee */
  NSDS_JOINT_HINGE,       /**< pivot: turns about the axis */
  NSDS_JOINT_PRISMATIC,   /**< slides along the axis */
  NSDS_JOINT_CYLINDRICAL, /**< turns about the axis and slides along it */
  NSDS_JOINT_FIXED,       /**< no relative motion */
  NSDS_JOINT_DISTANCE,    /**< rod: the distance of two points */
  NSDS_JOINT_ROPE,        /**< rope: the distance of two points is no longer than its length */
  NSDS_JOINT_GEAR         /**< teeth of two gears that mesh */
} nsds_joint_kind;

/**
 * A joint in the present configuration of its bodies.
 *
 * With D > 0 it holds dy/dt + D P = 0 in place of dy/dt = 0: it yields with the velocity D P, P the
 * impulse of the step, which a projection takes back. Joints that say the same twice then share
 * their forces in one way alone, and may do so where they contradict each other by the little that
 * positions drift within a step: loops of hinges that move through space. 1e-4 to 1e-2 of the
 * inverse of the masses serves. For time stepping.
 *
 * A GEAR ties the angles t_k of two gears, ds[0] about `axis` and ds[1] about `other_axis`, that
 * they have turned since it was made against the carrier ds[2], which bears their hinges:
 *
 *     y = (z_1 t_1 + s z_2 t_2) / z_1 = 0,   z the numbers of teeth, s = 1, -1 where reversed
 *
 * Gears with outer teeth on parallel axes of one direction turn against each other, s = 1; with a
 * ring that has inner teeth they turn alike, reversed. Of z_1 t_1 + s z_2 t_2 whole turns are taken
 * off, so that angles in (-pi, pi] serve for any number of turns: the ratio has to be one of whole
 * numbers. Either ds[1] or ds[2] may be NULL, the world: a ring that stands still, axes that do. It
 * is connected with its bodies in their order, without those that are NULL.
 */
typedef struct nsds_joint_def {
  const char *name;     /**< for messages; copied; may be NULL */
  nsds_joint_kind kind; /**< required */
  nsds_ds *ds[3];       /**< the bodies; ds[1] NULL: the world; ds[2] for GEAR alone */
  double point[3];      /**< A_1 in the world; A_2 is the same except for DISTANCE and ROPE [m] */
  double other[3];      /**< DISTANCE, ROPE: A_2, of the second body or the world [m] */
  double axis[3];       /**< a, of any length; BALL, FIXED, DISTANCE and ROPE need none */
  double other_axis[3]; /**< GEAR: that of ds[1]; zero means `axis` */
  int teeth[2];         /**< GEAR: z_1 and z_2, > 0 */
  double length;        /**< DISTANCE, ROPE: [m]; 0 means that of the present configuration */
  bool reversed;        /**< GEAR: s is -1, else 1 */
  double D;             /**< >= 0 [1/kg; of rows of angles 1/(kg m^2)]: not for GEAR, see above */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_joint_def;

/**
 * Creates the relation of a joint, to be connected with its bodies in the same order:
 *
 *     nsds_connect(model, nsds_joint(model, &def), nsds_equality(model), def.ds[1] ? 2 : 1, def.ds)
 *
 * Errors: no body, the same body twice, a system that is not a rigid body, no axis where
 * one is needed, two points at one place, values that are not finite, D < 0 or with gears, gears
 * without teeth.
 */
NSDS_API nsds_relation *nsds_joint(nsds_model *model, const nsds_joint_def *def);

/** Coordinates of the free motion of two bodies. */
typedef enum nsds_joint_coordinate_kind {
  NSDS_COORDINATE_ANGLE = 1, /**< angle about the axis, of a hinge or cylindrical joint */
  NSDS_COORDINATE_DISPLACEMENT =
      2 /**< displacement along the axis, of a prismatic or cylindrical one */
} nsds_joint_coordinate_kind;

/** A coordinate of the free motion of two bodies, or of a body and the world. */
typedef struct nsds_joint_coordinate_def {
  const char *name;                /**< for messages; copied; may be NULL */
  nsds_joint_coordinate_kind kind; /**< required */
  nsds_ds *ds[2];                  /**< the bodies; ds[1] NULL: the world */
  double point[3];                 /**< a point of the axis, in the world [m] */
  double axis[3];                  /**< a, of any length; for an angle in the plane not read */
  bool reversed;                   /**< the sign of the coordinate is -1, else 1 */
  double offset;                   /**< added to the coordinate [rad, m] */
  double D;                        /**< >= 0 [1/(kg m^2), 1/kg]: as of ::nsds_joint_def */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_joint_coordinate_def;

/**
 * Creates the relation of one coordinate of bodies that a joint connects, for stops, dry friction and
 * drives of the joint:
 *
 *     angle          y = sign angle + offset     the angle is in (-pi, pi]
 *     displacement   y = sign a_2.d + offset
 *
 * Both are measured from the configuration of creation, of the first body against the second. Connect
 * the relation with the same bodies as the joint. nsds_newton_impact() is a stop at -offset, or at
 * offset where reversed; nsds_relay() is dry friction of a given moment [N m] or force [N].
 *
 * Errors: as nsds_joint().
 */
NSDS_API nsds_relation *nsds_joint_coordinate(nsds_model *model,
                                              const nsds_joint_coordinate_def *def);

/** Motion along the free axis of a joint; what the joint does not leave free is 0. */
typedef struct nsds_joint_motion {
  double angle;            /**< about the axis [rad], in (-pi, pi] */
  double angular_velocity; /**< [rad/s] */
  double displacement;     /**< along the axis [m] */
  double velocity;         /**< [m/s] */
} nsds_joint_motion;

/** Reads the free motion of a hinge, prismatic or cylindrical joint, or of a coordinate of
 *  nsds_joint_coordinate() (without sign and offset). NSDS_ERROR_ARGUMENT: another interaction. */
NSDS_API nsds_status nsds_joint_read(const nsds_interaction *joint, nsds_joint_motion *motion);

#ifdef __cplusplus
}
#endif
#endif
