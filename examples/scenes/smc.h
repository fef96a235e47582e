/*
 * Sampled sliding-mode control of a plant with an unknown disturbance, shared by examples and
 * tests:
 *
 *     dx_1/dt = s(t),   dx_2/dt = -s(t) + 2 u,   s(t) = sin(50 t),   |u| <= 1
 *
 * The controller sees x_2 every `period` seconds and holds u in between; it is to keep x_2 at zero.
 * The plant is integrated with finer steps by zero-order hold.
 */
#ifndef NSDS_SCENES_SMC_H
#define NSDS_SCENES_SMC_H

#include <nsds/nsds.h>

typedef struct smc_scene smc_scene;

/* A control: u for the sampled x_2; a status < 0 fails the sample. */
typedef nsds_status (*smc_control)(smc_scene *scene, double x2, double *u);

/* u = -sign(x_2): chatters with an amplitude of the order of the period. */
nsds_status smc_explicit_control(smc_scene *scene, double x2, double *u);

/*
 * The relay as the controller expects it to act over the period to come: u from
 *     x_2 + 2 period u = sigma,   u in -sign(sigma).
 * It is one step of a model of its own, dsigma/dt = 2 u with a relay between sigma and u.
 * Source: V. Acary, B. Brogliato: Implicit Euler numerical scheme and chattering-free
 * implementation of sliding mode systems. Systems and Control Letters 59 (2010).
 */
nsds_status smc_implicit_control(smc_scene *scene, double x2, double *u);

struct smc_scene {
  nsds_ds *plant; /* x = (x_1, x_2), z = (u) */
  nsds_simulation *simulation;
  smc_control control;
  nsds_model *controller; /* of the implicit control */
  nsds_ds *sigma;
  nsds_interaction *relay;
  nsds_simulation *prediction;
};

/* Fills the scene, which must stay where it is while the simulation runs; x(0) = (1, -1). */
void scene_smc(nsds_model *model, smc_scene *scene, double h, double t1, double period,
               smc_control control);
/* Frees the controller; the model is freed by its owner. */
void smc_free(smc_scene *scene);

#endif
