/**
 * @file tie.h
 * @brief Joints, springs and other interactions as programs draw them: what they tie, and where.
 */
#ifndef NSDS_TIE_H
#define NSDS_TIE_H

#include <nsds/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The call that made the relation of an interaction. */
typedef enum nsds_tie_kind {
  NSDS_TIE_OTHER = 0,    /**< any other relation */
  NSDS_TIE_JOINT,        /**< nsds_joint() */
  NSDS_TIE_ANGLE,        /**< nsds_joint_coordinate() or nsds_joint_drive() of an angle: a stop,
                              friction or a drive */
  NSDS_TIE_DISPLACEMENT, /**< the same of a displacement */
  NSDS_TIE_SPRING,       /**< nsds_spring() between points */
  NSDS_TIE_COORDINATES   /**< nsds_spring() between coordinates */
} nsds_tie_kind;

/** An interaction at the present state. Vectors are of the world; in the plane the normal of the
 *  plane is the third axis. */
typedef struct nsds_tie {
  nsds_tie_kind kind;    /**< see ::nsds_tie_kind */
  nsds_joint_kind joint; /**< with NSDS_TIE_JOINT: its kind; else 0 */
  bool located;          /**< point is known: all joints but gears, and springs between points */
  double point[2][3];    /**< the point on the first system, and on the second or the world [m] */
  bool directed;         /**< axis is known: joints with an axis, their coordinates and drives */
  double axis[3];        /**< of length 1, fixed to the first system */
  int coordinate[2];     /**< with NSDS_TIE_COORDINATES: indices in q; the second is -1 without a
                              second system. Else -1 */
  bool stops;            /**< a rigid stop of an angle or a displacement */
  double
      way; /**< with `stops`: how far the first system turns about the axis, or moves along it, until it
                    reaches the stop; the sign is the direction [rad, m] */
} nsds_tie;

/**
 * Tells what an interaction ties together.
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT: NULL, or the interaction is gone
 */
NSDS_API nsds_status nsds_tie_read(const nsds_interaction *interaction, nsds_tie *tie);

#ifdef __cplusplus
}
#endif
#endif
