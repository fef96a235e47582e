/* A circuit as a model: a system, and an interaction for each diode and switch. */
#ifndef NSDS_RUN_CIRCUIT_MODEL_H
#define NSDS_RUN_CIRCUIT_MODEL_H

#include "run/circuit/modes.h"

#include "run/job/keeper.h"

#include <nsds/adaptive.h>

/* A function that hears of each step, also if the program steps the simulation itself. */
typedef struct nsds_step_watch {
  nsds_status (*step)(void *user);
  void (*keep)(void *user, nsds_keeper *keeper); /* numbers of its own that saved states hold */
  int nkept;                                     /* at most so many */
  void *user;
} nsds_step_watch;

typedef struct nsds_circuit_model {
  nsds_context *context;
  const nsds_equations *equations;
  const nsds_modes *modes; /* which elements have one, in the order of the interactions */
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction **interaction; /* of modes, in their order, then of junctions */
  nsds_interaction **switched;    /* of switches */
  int *mode_of;                   /* of a switch: its mode; -1: it holds a potential at rest */
  bool *on;                       /* of switches: on at the start */
  bool resting;                   /* potentials are held */
  int unseen;        /* switches whose controls are not known yet: the start has no potentials */
  double *off_lower; /* of switches: the least current while off */
  int nswitch;
  struct nsds_junction_relation *junction; /* of the equations' junctions, in their order */
  int nx, *x_of, *lambda_of;               /* by unknown: place in x, or in lambda; -1 */
  int *voltage_of;                         /* by state: place in x of a capacitor's voltage; -1 */
  int *mass_p, *mass_i, *A_p, *A_i;
  double *mass, *A, *size; /* size: see nsds_adaptive_def */
  nsds_simulation *simulation;
  nsds_step_watch watch;
} nsds_circuit_model;

/* Makes the model with these potentials of nodes and states. */
nsds_status nsds_circuit_model_make(nsds_circuit_model *m, nsds_context *context,
                                    const nsds_modes *modes, const double *z, const double *state,
                                    const nsds_step_watch *watch);
void nsds_circuit_model_free(nsds_circuit_model *m);

/* Makes the simulation. */
nsds_status nsds_circuit_model_start(nsds_circuit_model *m, double largest, double settling,
                                     bool locate);

/* Finds the operating point, with sources as they are at t. Potentials with a start value are held there. */
nsds_status nsds_circuit_model_rest(nsds_circuit_model *m, double t);
/* Takes these potentials and states instead. */
nsds_status nsds_circuit_model_set(nsds_circuit_model *m, const double *z, const double *state);
/* Writes all unknowns and states as they are before the first step. */
void nsds_circuit_model_start_values(const nsds_circuit_model *m, double *z, double *state);

/* Place of a state in x. */
int nsds_circuit_model_state(const nsds_circuit_model *m, int state);
/* Writes all unknowns. */
void nsds_circuit_model_unknowns(const nsds_circuit_model *m, const nsds_adaptive_stage *stage,
                                 double *z, double *w, double *state, double *rate);

#endif
