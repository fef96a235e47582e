/**
 * @file spring.h
 * @brief Springs and dampers between points of bodies, or coordinates of systems.
 *
 * A spring is a relation, like a joint. Connect the spring with nsds_equality():
 *
 *     nsds_relation *strut = nsds_spring(model, &def);
 *     nsds_connect(model, strut, nsds_equality(model), def.ds[1] ? 2 : 1, def.ds);
 *
 * In event-driven simulation the spring acts at each instant, and has no step.
 */
#ifndef NSDS_SPRING_H
#define NSDS_SPRING_H

#include <nsds/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Choice of L, the length at which a spring has no force. */
typedef enum nsds_rest {
  NSDS_REST_PRESENT = 0, /**< the present length, when you make the relation */
  NSDS_REST_LENGTH = 1   /**< nsds_spring_def::length, which may be 0 */
} nsds_rest;

/**
 * A spring with a damper beside it
 *
 *     pull = k (l - L) + d dl/dt
 *
 * along the line between two points of bodies, where l is their distance, or between two
 * coordinates, where l = q_a - q_b. The pull acts on both ends and adds no momentum. If the points
 * meet, there is no direction between them and no force.
 *
 * Steps take l and dl/dt at t_{k+theta}. Order 2 needs theta = 1/2, which also keeps the energy of
 * springs between coordinates exactly. With theta = 1 the scheme damps motion that h does not
 * resolve. nsds_rattle() takes l at both ends of the step, with order 2.
 */
typedef struct nsds_spring_def {
  const char *name;  /**< for messages; copied; may be NULL */
  nsds_ds *ds[2];    /**< the systems; ds[1] NULL: the world */
  double point[3];   /**< the end at ds[0], in the world, now [m] */
  double other[3];   /**< the end at ds[1], in the world, now [m] */
  bool coordinates;  /**< true: between coordinates whose rates are velocities; false: points */
  int coordinate[2]; /**< indices in q of ds[0] and ds[1]; without ds[1] l is q_a */
  double stiffness;  /**< k >= 0 [N/m]; 0: only a damper */
  double damping;    /**< d >= 0 [N s/m]; 0: only a spring */
  nsds_rest rest;    /**< choice of L */
  double length;     /**< L with NSDS_REST_LENGTH, between points >= 0 [m] */
  uint64_t reserved[NSDS_RESERVED]; /**< zeros */
} nsds_spring_def;

/**
 * Creates a spring between two bodies in space or two in the plane, or a body and the world, or
 * coordinates of second-order systems. Errors:
 * - a first-order system, or a system of another model;
 * - a system that is not a body, if `coordinates` is false;
 * - numbers out of range, or neither stiffness nor damping.
 */
NSDS_API nsds_relation *nsds_spring(nsds_model *model, const nsds_spring_def *def);

/** A spring at the present state. */
typedef struct nsds_spring_motion {
  double length; /**< l [m] */
  double rate;   /**< dl/dt [m/s] */
  double pull;   /**< force that draws the ends together [N]; < 0: the spring pushes */
  double energy; /**< k (l - L)^2 / 2 [J] */
} nsds_spring_motion;

/** Reads a spring: an interaction whose relation is of nsds_spring(). */
NSDS_API nsds_status nsds_spring_read(const nsds_interaction *interaction,
                                      nsds_spring_motion *motion);

#ifdef __cplusplus
}
#endif
#endif
