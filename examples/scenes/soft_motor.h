/* A motor whose carriage strikes a soft stop: relations of lambda in events. */
#ifndef NSDS_SCENES_SOFT_MOTOR_H
#define NSDS_SCENES_SOFT_MOTOR_H

#include <nsds/nsds.h>

/*
 * A winding drives a carriage of 1 kg, L di/dt = U sin(w t) - R i - K v, F = K i with K = 1 + q^2, through a rectifier.
 * The carriage strikes a stop that hardens, q + a lambda + b lambda^3 >= 0, and pulls a second mass by a spring with a
 * damper. Dry friction and a saturated damper hold the second mass, which falls on a hard floor.
 */
typedef struct soft_motor_scene {
  nsds_ds *winding, *carriage, *load;
  nsds_interaction *coupling, *stop, *spring, *friction, *damper, *floor, *rectifier;
} soft_motor_scene;

soft_motor_scene scene_soft_motor(nsds_model *model);

#endif
