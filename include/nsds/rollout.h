/**
 * @file rollout.h
 * @brief Rollouts: a simulation from a given state under given controls, arrays in, arrays out.
 *
 * One call makes one rollout. For many at once, give each thread its own context, model and
 * simulation, and begin each rollout from a snapshot. The bits are then those of a run alone.
 */
#ifndef NSDS_ROLLOUT_H
#define NSDS_ROLLOUT_H

#include <nsds/joint.h>
#include <nsds/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The settings of a drive, see nsds_joint_drive_set(). */
typedef enum nsds_drive_setting {
  NSDS_DRIVE_TARGET = 0, /**< target of the coordinate */
  NSDS_DRIVE_RATE = 1,   /**< target of the rate */
  NSDS_DRIVE_FORCE = 2   /**< added force */
} nsds_drive_setting;

/** One control: a setting of a drive. */
typedef struct nsds_rollout_control {
  nsds_interaction *drive;    /**< of nsds_joint_drive() or nsds_joint_act() */
  nsds_drive_setting setting; /**< which of its settings */
} nsds_rollout_control;

/** A rollout. A state is a row of nsds_rollout_size() numbers: system after system, in the order of
 *  nsds_ds_at(), its q and v, or x. */
typedef struct nsds_rollout_def {
  const nsds_snapshot *start;          /**< restored first; NULL: the present state */
  const double *state;                 /**< set then, one row; NULL: none */
  int steps;                           /**< calls of nsds_step(), >= 0 */
  int ncontrol;                        /**< number of controls; 0: drives keep their settings */
  const nsds_rollout_control *control; /**< the controls */
  const double *controls; /**< ncontrol values before each step, step after step; NULL if there
                               are no controls */
  double *states;         /**< receives the state after each step, row after row; NULL: unwanted */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_rollout_def;

/** Returns the numbers in a state of a model; 0 for NULL. */
NSDS_API int nsds_rollout_size(const nsds_model *model);
/** Writes the present state of a model, nsds_rollout_size() numbers. */
NSDS_API nsds_status nsds_rollout_state(const nsds_model *model, double *state);

/**
 * Makes a rollout: restores the snapshot, sets the state, and then sets the controls and makes a
 * step, again and again. Coordinates of rotors are part of the state: give states that
 * nsds_rollout_state() or nsds_tree_set_state() have made.
 *
 * @param simulation the simulation; a step may not be under way
 * @param def        the rollout
 * @param done       receives the number of steps made; may be NULL
 * @return NSDS_OK: all steps were made; NSDS_END: the end of the simulation came before;
 *         NSDS_STOPPED: a function asked to stop; or the error of a step
 *
 * Errors besides: a control that is no drive, values that are not finite, steps < 0, a snapshot of
 * another model.
 */
NSDS_API nsds_status nsds_rollout(nsds_simulation *simulation, const nsds_rollout_def *def,
                                  int *done);

#ifdef __cplusplus
}
#endif
#endif
