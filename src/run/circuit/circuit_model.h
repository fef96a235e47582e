/* A circuit as a model: a system, and an interaction for each diode and switch. */
#ifndef NSDS_RUN_CIRCUIT_MODEL_H
#define NSDS_RUN_CIRCUIT_MODEL_H

#include "run/circuit/modes.h"

#include <nsds/adaptive.h>

typedef struct nsds_circuit_model {
  nsds_context *context;
  const nsds_equations *equations;
  const nsds_modes *modes; /* which elements have one, in the order of the interactions */
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction **interaction; /* of modes, in their order, then of junctions */
  nsds_interaction **switched;    /* of switches */
  int *mode_of;                   /* of a switch: its mode */
  double *off_lower;              /* of switches: the least current while off */
  int nswitch;
  struct nsds_junction_relation *junction; /* of the equations' junctions, in their order */
  int nx, *x_of, *lambda_of;               /* by unknown: place in x, or in lambda; -1 */
  int *voltage_of;                         /* by state: place in x of a capacitor's voltage; -1 */
  int *mass_p, *mass_i, *A_p, *A_i;
  double *mass, *A, *size; /* size: see nsds_adaptive_def */
  nsds_simulation *simulation;
} nsds_circuit_model;

/* Makes the model at the solution z with these states. NSDS_ERROR_UNSUPPORTED, without a message: an element has no model. */
nsds_status nsds_circuit_model_make(nsds_circuit_model *m, nsds_context *context,
                                    const nsds_modes *modes, const double *z, const double *state);
void nsds_circuit_model_free(nsds_circuit_model *m);

/* Makes the simulation. */
nsds_status nsds_circuit_model_start(nsds_circuit_model *m, double largest, double settling,
                                     bool locate);

/* Writes all unknowns. */
void nsds_circuit_model_unknowns(const nsds_circuit_model *m, const nsds_adaptive_stage *stage,
                                 double *z, double *w, double *state, double *rate);

#endif
