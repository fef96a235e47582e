/**
 * @file joint.h
 * @brief Joints of rigid bodies, with each other and with the world.
 *
 * Make the bodies by nsds_rigid_body(), or in the plane by nsds_rigid_body_2d(). In the plane the
 * third entries of points and axes do not count. A joint is a relation; with nsds_equality() the
 * joint holds the bodies together, by velocities. Give a point and an axis in the world, for the
 * configuration in which you make the joint. The joint fixes point and axis to each body.
 */
#ifndef NSDS_JOINT_H
#define NSDS_JOINT_H

#include <nsds/model.h>

/** The types of joints in the catalogue (nsds/catalogue.h), in its order and that of
 *  ::nsds_joint_kind: X(NAME) for each. */
#define NSDS_JOINT_TYPES(X)                                                                        \
  X(ball)                                                                                          \
  X(hinge)                                                                                         \
  X(prismatic)                                                                                     \
  X(cylindrical)                                                                                   \
  X(fixed)                                                                                         \
  X(distance)                                                                                      \
  X(rope)                                                                                          \
  X(gear)                                                                                          \
  X(universal)                                                                                     \
  X(planar)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The constraints of a joint. A_1 and A_2 are the point in each body, d = A_1 - A_2. The frame (a,
 * b, c) has the axis a and two directions across it. A_k and frame k are fixed to body k. The world
 * may be the second body.
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
 *     UNIVERSAL   4     d;  a_1.b_2, where a is `axis` and b is `other_axis`
 *     PLANAR      3     a_2.d;  a_1.b_2, a_1.c_2
 *
 * H V gives the rate of d as the second body sees it, d' - w_2 x d. So the force acts on both
 * bodies at one point, A_1, even if the joint has drifted open. The joint then takes no angular
 * momentum, and redundant joints stay redundant in every configuration.
 *
 * In the plane BALL is the same as HINGE and has 2 rows. PRISMATIC has 2 rows and needs an axis.
 * FIXED has 3 rows. CYLINDRICAL, UNIVERSAL and PLANAR do not exist. A free joint is no joint. A
 * screw is a CYLINDRICAL joint with a coupler, see nsds_joint_couple().
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
  NSDS_JOINT_ROPE,        /**< rope: the distance of two points is at most the length */
  NSDS_JOINT_GEAR,        /**< teeth of two gears that mesh */
  NSDS_JOINT_UNIVERSAL,   /**< a cross: turns about an axis of each body, as of Cardan shafts */
  NSDS_JOINT_PLANAR       /**< slides in a plane and turns about its normal, the axis */
} nsds_joint_kind;

/**
 * A joint in the present configuration of its bodies.
 *
 * With D > 0 the joint holds dy/dt + D P = 0 in place of dy/dt = 0, where P is the impulse of the
 * step. The joint then yields with the velocity D P; a projection reverses this motion. Take D as
 * 1e-4 to 1e-2 of the inverse of the masses. D > 0 is for time stepping.
 *
 * D > 0 makes the forces of redundant joints unique. Because of the small drift within a step,
 * redundant joints may even contradict each other, as in loops of hinges that move through space.
 *
 * A GEAR ties the angles t_k of two gears, ds[0] about `axis` and ds[1] about `other_axis`. The
 * carrier ds[2] bears the hinges of both gears. The angles are measured relative to the carrier and
 * are zero when you make the joint:
 *
 *     y = (z_1 t_1 + s z_2 t_2) / z_1 = 0,   z the numbers of teeth, s = 1, -1 where reversed
 *
 * Give parallel axes the same direction. Gears with outer teeth turn in opposite directions: s = 1.
 * A ring with inner teeth and its gear turn in the same direction: set `reversed`.
 *
 * Whole turns are subtracted from z_1 t_1 + s z_2 t_2, since numbers of teeth are whole. So the
 * angles of gears need no count of turns. Either ds[1] or ds[2] may be NULL, which means
 * the world: a fixed ring, or fixed axes. Connect the joint with its bodies in the order of ds,
 * without NULL.
 */
typedef struct nsds_joint_def {
  const char *name;     /**< for messages; copied; may be NULL */
  nsds_joint_kind kind; /**< required */
  nsds_ds *ds[3];       /**< the bodies; ds[1] NULL: the world; ds[2] for GEAR only */
  double point[3];      /**< A_1 in the world; A_2 is the same except for DISTANCE and ROPE [m] */
  double other[3];      /**< DISTANCE, ROPE: A_2, fixed to the second body or the world [m] */
  double axis[3];       /**< a, of any length; BALL, FIXED, DISTANCE and ROPE need none */
  double other_axis[3]; /**< GEAR: axis of ds[1]; zero means `axis`. UNIVERSAL: the axis fixed to
                             ds[1] or the world, across `axis`, which is fixed to ds[0] */
  int teeth[2];         /**< GEAR: z_1 and z_2, > 0 */
  double length;        /**< DISTANCE, ROPE: [m]; 0 means the present distance */
  double start;         /**< HINGE, PRISMATIC: the coordinate in the present place [rad, m]. From it
                             nsds_joint_read(), sensors and trees count on. */
  bool reversed;        /**< GEAR: s is -1, else 1 */
  double D;             /**< >= 0 [1/kg; for rows of angles 1/(kg m^2)]: not for GEAR, see above */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_joint_def;

/**
 * Creates the relation of a joint. Connect the joint with its bodies in the same order:
 *
 *     nsds_connect(model, nsds_joint(model, &def), nsds_equality(model), def.ds[1] ? 2 : 1, def.ds)
 *
 * Errors:
 * - no body, the same body twice, a system that is not a rigid body;
 * - a missing axis, two points at one place, values that are not finite;
 * - D < 0, D with gears, gears without teeth.
 */
NSDS_API nsds_relation *nsds_joint(nsds_model *model, const nsds_joint_def *def);

/** Coordinates of the free motion of two bodies. */
typedef enum nsds_joint_coordinate_kind {
  NSDS_COORDINATE_ANGLE = 1, /**< angle about the axis, of a hinge or cylindrical joint */
  NSDS_COORDINATE_DISPLACEMENT =
      2, /**< displacement along the axis, of a prismatic or cylindrical joint */
  NSDS_COORDINATE_SWING = 3,  /**< angle in [0, pi] between the axis on both bodies: for cones */
  NSDS_COORDINATE_TWIST = 4,  /**< angle in (-pi, pi] about the axis, beside the swing, of a ball */
  NSDS_COORDINATE_FIRST = 5,  /**< angle of a universal joint about `axis`, fixed to ds[0] */
  NSDS_COORDINATE_SECOND = 6, /**< angle of a universal joint about `other_axis`, fixed to ds[1] */
  NSDS_COORDINATE_OF_SYSTEM =
      7 /**< a coordinate of a system that is no body, for nsds_joint_couple() only */
} nsds_joint_coordinate_kind;

/** A coordinate of the free motion of two bodies, or of a body and the world. */
typedef struct nsds_joint_coordinate_def {
  const char *name;                /**< for messages; copied; may be NULL */
  nsds_joint_coordinate_kind kind; /**< required */
  nsds_ds *ds[2];                  /**< the bodies; ds[1] NULL: the world */
  double point[3];                 /**< a point of the axis, in the world [m] */
  double axis[3];                  /**< a, of any length; not read for an angle in the plane */
  bool reversed;                   /**< the sign of the coordinate is -1, else 1 */
  double offset;                   /**< added to the coordinate [rad, m] */
  double D;                        /**< >= 0 [1/(kg m^2), 1/kg]: as in ::nsds_joint_def */
  double other_axis[3];            /**< FIRST, SECOND: as of the universal joint, across `axis` */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED - 3];
} nsds_joint_coordinate_def;

/**
 * Creates the relation of one coordinate of bodies that a joint connects, for stops, dry friction
 * and drives of the joint:
 *
 *     angle          y = sign angle + offset     the angle counts turns, see nsds_joint_read()
 *     displacement   y = sign a_2.d + offset
 *     swing          y = sign angle(a_1, a_2) + offset
 *     twist          y = sign twist + offset     any rotation is the twist about the axis, and then
 *                                                a swing about a direction across
 *     first          y = sign angle + offset     of the first body and the cross, about a_1
 *     second         y = sign angle + offset     of the cross and the second body, about b_2
 *
 * First and second are the angles of a universal joint with the cross (a_1, b_2). Give them the two
 * axes of the joint. Both count turns.
 *
 * Swing and twist are for ball joints in space. A swing has no direction at 0, and no force there. A
 * twist has no value at a swing of pi. A cone of half angle alpha is a stop: swing, reversed, with
 * the offset alpha.
 *
 * Angle and displacement are those of the first body relative to the second. Both are zero in the
 * configuration in which you make the relation. Connect the relation with the same bodies as the
 * joint. nsds_newton_impact() is a stop at -offset, or at offset if reversed. The stop may be any
 * number of turns away. nsds_relay() is dry
 * friction of a given moment [N m] or force [N].
 *
 * Errors: as for nsds_joint().
 */
NSDS_API nsds_relation *nsds_joint_coordinate(nsds_model *model,
                                              const nsds_joint_coordinate_def *def);

/** A spring, a damper and a drive of one coordinate of a joint. */
typedef struct nsds_joint_drive_def {
  nsds_joint_coordinate_def coordinate; /**< c; its name is that of the drive, its D is 0 */
  double stiffness;                     /**< k >= 0 [N m/rad, N/m] */
  double damping;                       /**< d >= 0 [N m s/rad, N s/m] */
  double target;                        /**< of c [rad, m] */
  double rate;                          /**< target of dc/dt [rad/s, m/s] */
  double force;                         /**< added to the force of spring and damper [N m, N] */
  bool passive;        /**< true: taken in the middle of a step, like nsds_spring(): keeps energy */
  bool integrated;     /**< true: the target moves with `rate`, see nsds_joint_drive() */
  double target_lower; /**< integrated: least target; both bounds 0: none [rad, m] */
  double target_upper; /**< integrated: largest target, > target_lower [rad, m] */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_joint_drive_def;

/**
 * Creates the relation of a drive. The drive acts on the coordinate c of a joint with the force or
 * moment
 *
 *     lambda = -k (c - target) - d (dc/dt - rate) + force
 *
 * which is positive where it increases c. With k = d = 0 the drive is a given force, with k = 0 a
 * drive of velocities. Connect the relation with the bodies of the joint, with nsds_equality(), or
 * with nsds_relay() and the bounds -f and f if f is the largest force. With the bounds 0 and
 * INFINITY the row is a soft stop at `target`.
 *
 *     nsds_connect(model, nsds_joint_drive(model, &def), nsds_relay(model, 1, &least, &most), 2, ds)
 *
 * Under nsds_moreau_jean() stiffness and damping are in the matrix of the step, so a drive of any
 * stiffness is stable at any step. Steps take c and dc/dt at the end of the step, reached with the
 * velocity at the end. The order is 1, and motion that h does not resolve is damped. At rest the
 * force is exact. `passive` is for springs: order 2 with theta = 1/2, and undamped springs keep their
 * energy; stiff springs ring. Under nsds_rattle() a drive is a force of order 2, stable for
 * h omega < 2.
 *
 * An `integrated` drive holds a position that you steer by its rate, as position servos do that
 * integrate a velocity. The target of now is target + (integral of rate over time), kept within
 * the bounds of the target. There the rate counts as 0. Set the rate as often as you like: the
 * target goes on from where it is. nsds_joint_drive_read() returns the target of now.
 *
 * In event-driven simulation the drive acts at each instant. In plane and space c counts turns, see
 * nsds_joint_read(). nsds_joint_drive_read() reads a drive. Parameters z of the relation are target,
 * rate and force.
 *
 * Errors: as for nsds_joint_coordinate(); numbers out of range, coordinate.D not 0.
 *
 * Source: J. Tan, K. Liu, G. Turk, Stable proportional-derivative controllers, IEEE Computer
 * Graphics and Applications 31 (2011).
 */
NSDS_API nsds_relation *nsds_joint_drive(nsds_model *model, const nsds_joint_drive_def *def);

/**
 * Sets target, rate and force of a drive, between steps, for example once in each step of a
 * controller. The three numbers hold until the next call.
 *
 * The target of an integrated drive goes on from where it is if you give the target of the last call
 * or definition. Another target is where it is now. Like all parameters, snapshots have it and
 * nsds_simulation_restore() leaves it as it is.
 *
 * Errors:
 * - NSDS_ERROR_ARGUMENT: an interaction whose relation is not of nsds_joint_drive();
 * - NSDS_ERROR_VALUE: a number that is not finite;
 * - NSDS_ERROR_STATE: a step is under way.
 */
NSDS_API nsds_status nsds_joint_drive_set(nsds_interaction *drive, double target, double rate,
                                          double force);

/** A drive at the present state. */
typedef struct nsds_joint_drive_motion {
  double coordinate;  /**< c, with sign and offset [rad, m] */
  double rate;        /**< dc/dt [rad/s, m/s] */
  double target;      /**< of c [rad, m] */
  double target_rate; /**< of dc/dt [rad/s, m/s] */
  double given;       /**< force added to spring and damper [N m, N] */
  double force;       /**< lambda: of the last step, or at the last event [N m, N] */
} nsds_joint_drive_motion;

/** Reads a drive. NSDS_ERROR_ARGUMENT: an interaction whose relation is not of
 *  nsds_joint_drive(). */
NSDS_API nsds_status nsds_joint_drive_read(const nsds_interaction *drive,
                                           nsds_joint_drive_motion *motion);

/** One coordinate of a coupler. */
typedef struct nsds_joint_term {
  nsds_joint_coordinate_def coordinate; /**< c; of a system: kind and ds[0] alone */
  int index;     /**< NSDS_COORDINATE_OF_SYSTEM: c = q[index] of ds[0], whose velocities are rates
                    of its coordinates */
  double weight; /**< w, not 0 */
} nsds_joint_term;

/** A linear equation between coordinates of joints. */
typedef struct nsds_joint_couple_def {
  const char *name;            /**< of the relation and the interaction; copied; may be NULL */
  int nterm;                   /**< number of terms, 1 .. 8 */
  const nsds_joint_term *term; /**< the terms */
  double offset;               /**< b [rad, m] */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_joint_couple_def;

/**
 * Couples coordinates of joints, and connects the systems of all terms by an equality:
 *
 *     y = w_1 c_1 + w_2 c_2 + ... + b = 0
 *
 *     screw          turns and slides: c_1 = angle, c_2 = displacement, w = lead / (2 pi), -1
 *     rack, pinion   c_1 = angle of the pinion, c_2 = displacement of the rack, w = radius, -1
 *     differential   angles of two wheels and the cage, w = 1, 1, -2
 *     mimic          c_1 = ratio c_2 + offset: w = 1, -ratio, b = -offset
 *
 * The equality holds the rate of y; a projection also holds y = 0. Make the coupler in a
 * configuration with y = 0. lambda is the force on c_i divided by w_i.
 *
 * In the plane angles count turns. In space whole turns are taken out of y, which is small. Weights
 * of angles in space must thus be in the ratio of whole numbers up to 10,000. Couplers work in both
 * drivers.
 *
 * @return the interaction; NULL after an error
 *
 * Errors:
 * - as for nsds_joint_coordinate();
 * - no terms, more than 8, a weight of 0, D not 0, weights of angles in no ratio of whole numbers;
 * - a system that is no second-order system or has other velocities than rates, an index out of
 *   range.
 */
NSDS_API nsds_interaction *nsds_joint_couple(nsds_model *model, const nsds_joint_couple_def *def);

/** Drive, spring, friction, armature and stops of one coordinate c of a joint. Zero means absent. */
typedef struct nsds_joint_act_def {
  nsds_joint_coordinate_def coordinate; /**< c; its name begins the names of all parts; D is 0 */
  double stiffness;                     /**< of a spring, >= 0 [N m/rad, N/m] */
  double damping;                       /**< of a damper, >= 0 [N m s/rad, N s/m] */
  double rest;                          /**< c at which the spring has no force [rad, m] */
  double friction;                      /**< dry friction >= 0 [N m, N] */
  double armature;    /**< inertia of a rotor that turns with c, >= 0 [kg m^2, kg] */
  double lower;       /**< least c; no stops if lower and upper are 0; -INFINITY: none [rad, m] */
  double upper;       /**< largest c, > lower; INFINITY: none [rad, m] */
  double restitution; /**< of rigid stops, in [0, 1] */
  double stop_stiffness;  /**< of soft stops, >= 0; 0: rigid stops [N m/rad, N/m] */
  bool driven;            /**< true: there is a drive, see nsds_joint_drive() */
  bool integrated;        /**< the target of the drive moves with its rate */
  double drive_stiffness; /**< >= 0 */
  double drive_damping;   /**< >= 0 */
  double target;          /**< of the drive, of c [rad, m] */
  double rate;            /**< of the drive, of dc/dt [rad/s, m/s] */
  double force;           /**< added to the force of the drive [N m, N] */
  double most;            /**< largest magnitude of the drive's force, >= 0; 0: no limit [N m, N] */
  double target_lower;    /**< of an integrated drive: least target; both bounds 0: none [rad, m] */
  double target_upper;    /**< of an integrated drive: largest target [rad, m] */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_joint_act_def;

/** The parts that nsds_joint_act() has made; NULL: absent. The model owns them. */
typedef struct nsds_joint_actions {
  nsds_interaction *spring;   /**< ".spring", of nsds_joint_drive() */
  nsds_interaction *drive;    /**< ".drive", of nsds_joint_drive() */
  nsds_interaction *friction; /**< ".friction", a relay */
  nsds_interaction *lower;    /**< ".lower": y = c - lower */
  nsds_interaction *upper;    /**< ".upper": y = upper - c */
  nsds_ds *rotor;             /**< ".rotor", a system with q = c */
  nsds_interaction *armature; /**< ".armature", of nsds_joint_couple() */
} nsds_joint_actions;

/**
 * Makes all that acts on a coordinate of a joint: spring, damper, drive, dry friction, armature and
 * stops. Each part is an ordinary interaction between the bodies of the joint, which you may read
 * and remove alone. A part has the name of the coordinate with ".drive" and so on, or none. The call is
 * short for nsds_joint_drive(), nsds_joint_coordinate(), nsds_joint_couple() and nsds_connect().
 *
 *     nsds_joint_actions elbow;
 *     nsds_joint_act(model, &(nsds_joint_act_def){
 *         .coordinate = {.kind = NSDS_COORDINATE_ANGLE, .ds = {fore, upper}, .axis = {0, 1, 0}},
 *         .driven = true, .drive_stiffness = 1e4, .drive_damping = 100.0, .most = 80.0,
 *         .friction = 0.2, .armature = 0.01, .lower = -2.0, .upper = 2.0}, &elbow);
 *     nsds_joint_drive_set(elbow.drive, 1.2, 0.0, 0.0);
 *
 * A swing has no lower stop at 0. Spring and damper are `passive` drives. A soft stop is a drive
 * that only pushes. A rotor is a system of one coordinate, which is c and counts turns; its kinetic
 * energy is that of the armature. After nsds_set_state() of a body, set its rotor to c and dc/dt too.
 * Otherwise the coupler shares the momentum of both in the next step. All parts work in both
 * drivers.
 *
 * @param model the model
 * @param def   what acts
 * @param made  the parts; may be NULL
 *
 * Errors: as for nsds_joint_coordinate(), numbers out of range, lower not below upper. After an
 * error the model is as before.
 */
NSDS_API nsds_status nsds_joint_act(nsds_model *model, const nsds_joint_act_def *def,
                                    nsds_joint_actions *made);

/** Motion along the free axis of a joint; motions that the joint prevents are 0. */
typedef struct nsds_joint_motion {
  double angle;            /**< about the axis [rad], with all turns */
  double angular_velocity; /**< [rad/s] */
  double displacement;     /**< along the axis [m] */
  double velocity;         /**< [m/s] */
} nsds_joint_motion;

/**
 * Reads the free motion of a hinge, prismatic or cylindrical joint, or of a coordinate of
 * nsds_joint_coordinate() (without sign and offset).
 *
 * The angle is zero in the configuration in which you make the joint. From there the angle follows
 * the motion through any number of turns, without jumps:
 *
 * - In the plane the angle is that of the bodies' coordinates q[2]: the first minus the second,
 *   less this difference when you made the joint.
 * - In space the count starts at nsds_connect(), with the angle in (-pi, pi]. After each step the
 *   angle is the one nearest to the angle that the rates before and after the step predict. A step
 *   may thus turn the joint by more than half a turn. The limit: the prediction must be right
 *   within half a turn.
 * - If you set q by nsds_set_state(), the angle in space becomes the nearest one to the last. Call
 *   nsds_joint_set_turns() if you mean another turn.
 * - Saved states and snapshots have the angle. A step that fails or is rejected leaves it as it was.
 *
 * NSDS_ERROR_ARGUMENT: another interaction.
 */
NSDS_API nsds_status nsds_joint_read(const nsds_interaction *joint, nsds_joint_motion *motion);

/**
 * Chooses the whole turns of a joint in space: the angle becomes the one nearest to `near` [rad].
 * Bodies do not move. y of an angle of nsds_joint_coordinate() changes by the same turns. Each
 * interaction has its own count: choose the turns of a hinge and of its stops alike. In the plane
 * set q[2] of the bodies by nsds_set_state() instead.
 *
 * Errors:
 * - NSDS_ERROR_ARGUMENT: no hinge, cylindrical joint or angle in space;
 * - NSDS_ERROR_VALUE: `near` is not finite;
 * - NSDS_ERROR_STATE: a step is under way.
 */
NSDS_API nsds_status nsds_joint_set_turns(nsds_interaction *joint, double near);

/** Reads the points A_1 and A_2 of a joint in the world [m]. Both are the same point, except for
 *  DISTANCE, ROPE and free axes. NSDS_ERROR_ARGUMENT: a gear, or an interaction that is not a
 *  joint. */
NSDS_API nsds_status nsds_joint_points(const nsds_interaction *joint, double first[3],
                                       double second[3]);

#ifdef __cplusplus
}
#endif
#endif
