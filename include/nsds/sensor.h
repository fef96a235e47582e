/**
 * @file sensor.h
 * @brief Sensors: accelerations, forces, turning rates and distances that a program reads by name.
 *
 *     nsds_sensor *imu = nsds_sensor_create(model, &(nsds_sensor_def){
 *         .name = "imu", .kind = NSDS_SENSOR_IMU, .ds = trunk, .point = {0.1, 0.0, 0.05}});
 *     double value[6];
 *     nsds_step(simulation);
 *     nsds_sensor_read(imu, value);
 *
 * A sensor has a frame, which is fixed to a rigid body: a point and axes. A sensor has no state and
 * takes no part in steps. You read a sensor between steps or in a sampler, and all but RANGE also between
 * the stages of a step. In model files `imu.value[0]` is
 * a quantity.
 *
 * Accelerations follow from the forces at the present state:
 *
 *     M dv/dt = F + sum of H^T lambda
 *
 * The sum has all joints, contacts and drives of the body, with nsds_lambda() of each. In time
 * stepping these are the mean forces of the last step, so dv/dt differs from the change of v in this step
 * by O(h). In event-driven simulation dv/dt is that of the present time. Impacts there are no
 * forces. Before the first step there are no forces of joints and contacts.
 */
#ifndef NSDS_SENSOR_H
#define NSDS_SENSOR_H

#include <nsds/contact.h>
#include <nsds/joint.h>
#include <nsds/rigid_body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A sensor. The model owns it. */
typedef struct nsds_sensor nsds_sensor;

/** The quantities that a sensor reads. Vectors have three entries, also in the
 *  plane. */
typedef enum nsds_sensor_kind {
  NSDS_SENSOR_PLACE = 1,        /**< 7: the point in the world [m], the quaternion of the axes */
  NSDS_SENSOR_MOTION = 2,       /**< 6: velocity of the point [m/s], angular velocity [rad/s] */
  NSDS_SENSOR_ACCELERATION = 3, /**< 6: acceleration of the point [m/s^2], angular acceleration
                                     [rad/s^2] */
  NSDS_SENSOR_IMU = 4,   /**< 6: acceleration of the point less gravity [m/s^2], angular velocity
                            [rad/s], both along the sensor's own axes */
  NSDS_SENSOR_JOINT = 5, /**< 3: a coordinate of a joint as nsds_joint_read() has it, its rate and
                              its acceleration [rad, m; rad/s, m/s; rad/s^2, m/s^2] */
  NSDS_SENSOR_JOINT_FORCE = 6,   /**< 6: force [N] and moment about the point [N m] on the body, of
                                      the joint with its drives, springs, stops and friction */
  NSDS_SENSOR_CONTACT_FORCE = 7, /**< 6: force [N] and moment about the point [N m] of all contacts
                                      on the body */
  NSDS_SENSOR_RANGE = 8, /**< 1: distance along a ray to the first shape of a set [m]; -1: none */
  NSDS_SENSOR_TOUCH = 9, /**< 1: sum of the normal forces of contacts in a zone [N] */
  NSDS_SENSOR_CENTER =
      10 /**< 6: center of mass of several bodies [m] and its velocity [m/s], in the world */
} nsds_sensor_kind;

/**
 * The zone of a TOUCH sensor: a solid at the sensor's frame, with the measures of the shape of the
 * same name (nsds/shapes.h). A half line leads from the point of each contact out of the body, along
 * the normal. The contact counts if the half line meets the solid. So contacts within the solid
 * count, and those behind which the solid stands.
 */
typedef enum nsds_zone {
  NSDS_ZONE_ALL = 0,      /**< all contacts of the body; other zones reach a millionth farther */
  NSDS_ZONE_SPHERE = 1,   /**< radius */
  NSDS_ZONE_CAPSULE = 2,  /**< radius, around the segment from -half[0] to half[0] on the first
                                axis */
  NSDS_ZONE_CYLINDER = 3, /**< radius around the first axis, from -half[0] to half[0] */
  NSDS_ZONE_BOX = 4,      /**< half: half lengths */
  NSDS_ZONE_ELLIPSOID = 5 /**< half: half axes */
} nsds_zone;

/** A sensor. Zero in a field means the default. */
typedef struct nsds_sensor_def {
  const char *name;      /**< for nsds_sensor_find() and messages; copied; may be NULL */
  nsds_sensor_kind kind; /**< required */
  nsds_ds *ds;           /**< the rigid body of the frame; JOINT: not read. JOINT_FORCE: one of the
                                joint's bodies, on which the force acts; NULL: the first one, about
                                the joint's point. RANGE: NULL is the world. CENTER: not read */
  nsds_interaction *joint; /**< JOINT: a hinge, prismatic or cylindrical joint, or a coordinate or
                                drive. JOINT_FORCE: any joint but gears */
  nsds_contact_set *set;   /**< RANGE: of nsds_shapes(), required. CONTACT_FORCE, TOUCH: contacts of
                                this set alone; NULL: all contacts */
  double point[3];         /**< of the frame, from the center of the body, in its axes [m] */
  double quaternion[4];    /**< attitude of the sensor's axes in the body, of any length; zero: the
                                body's axes */
  nsds_frame axes; /**< of vectors: NSDS_FRAME_WORLD, or NSDS_FRAME_BODY for the sensor's own */
  nsds_joint_coordinate_kind coordinate; /**< JOINT: ANGLE or DISPLACEMENT; 0: the only one */
  double axis[3]; /**< RANGE: the direction, in the sensor's axes, of any length; zero: the third
                       axis */
  double most;    /**< RANGE: how far the ray reaches, >= 0 [m]; 0: without end */
  nsds_zone zone; /**< TOUCH: where contacts count */
  double radius;  /**< TOUCH: of the zone, > 0 where the zone has one [m] */
  double half[3]; /**< TOUCH: half lengths of the zone, > 0 where the zone has them [m] */
  int count;      /**< CENTER: number of bodies >= 1 */
  nsds_ds *const *bodies; /**< CENTER: count rigid bodies; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_sensor_def;

/**
 * Makes a sensor. A ray passes through the shapes of the sensor's own body. A normal force of a
 * contact that pulls does not count in TOUCH.
 *
 * @return the sensor; NULL after an error
 *
 * Errors:
 * - NSDS_ERROR_ARGUMENT: an object that the kind needs is NULL, gone or of another model;
 * - NSDS_ERROR_ARGUMENT: a body that is no rigid body, a joint without the coordinate, a set that
 *   takes no rays, a name that another sensor has;
 * - NSDS_ERROR_VALUE: numbers that are not finite or out of range;
 * - NSDS_ERROR_STATE: a step is under way.
 */
NSDS_API nsds_sensor *nsds_sensor_create(nsds_model *model, const nsds_sensor_def *def);
/** Frees a sensor before the model does; NULL is allowed. Within a step nothing is freed, and
 *  NSDS_ERROR_STATE is recorded. */
NSDS_API void nsds_sensor_destroy(nsds_sensor *sensor);
/** Number of sensors of a model. */
NSDS_API int nsds_sensor_count(const nsds_model *model);
/** Sensor k, in the order of creation; NULL out of range. */
NSDS_API nsds_sensor *nsds_sensor_at(const nsds_model *model, int k);
/** Name of a sensor, or "". */
NSDS_API const char *nsds_sensor_name(const nsds_sensor *sensor);
/** The sensor of this name; NULL: there is none. */
NSDS_API nsds_sensor *nsds_sensor_find(const nsds_model *model, const char *name);
/** Number of values; 0 for NULL. */
NSDS_API int nsds_sensor_size(const nsds_sensor *sensor);
/** Unit of value k: "m/s". "" for NULL and out of range. */
NSDS_API const char *nsds_sensor_unit(const nsds_sensor *sensor, int k);
/**
 * Reads a sensor at the present state.
 *
 * @param sensor the sensor
 * @param value  receives nsds_sensor_size() values
 *
 * Errors, which leave the values as they were:
 * - NSDS_ERROR_ARGUMENT: NULL; the body, joint or set is gone;
 * - NSDS_ERROR_UNSUPPORTED: forces of a contact set of your own that tells no places;
 * - NSDS_ERROR_STATE: a function of the model is under way; RANGE: a step is under way;
 * - errors of your functions, and of nsds_shapes_cast().
 */
NSDS_API nsds_status nsds_sensor_read(nsds_sensor *sensor, double *value);

#ifdef __cplusplus
}
#endif
#endif
