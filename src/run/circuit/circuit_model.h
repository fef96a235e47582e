/* A circuit in a model: a system, and an interaction for each diode and switch. */
#ifndef NSDS_RUN_CIRCUIT_MODEL_H
#define NSDS_RUN_CIRCUIT_MODEL_H

#include "run/circuit/circuit_parts.h"

nsds_status nsds_circuit_model_make(nsds_circuit_model *m, const nsds_circuit_start *start,
                                    const nsds_circuit_owner *owner);
/* Frees the model too, unless it is of others. */
void nsds_circuit_model_free(nsds_circuit_model *m);

/* Makes the simulation. */
nsds_status nsds_circuit_model_start(nsds_circuit_model *m, double largest, double settling,
                                     bool locate);

/* Finds the operating point, with sources as they are at t. Potentials with a start value are held
 * there. */
nsds_status nsds_circuit_model_rest(nsds_circuit_model *m, double t);
/* Returns to these states, and to switches as they begin. */
nsds_status nsds_circuit_model_set(nsds_circuit_model *m, const double *state);
/* Writes all unknowns and states as they are between steps. False: an object was removed from the
 * model. */
bool nsds_circuit_model_start_values(const nsds_circuit_model *m, double *z, double *state);

/* Place of a state in x. */
int nsds_circuit_model_state(const nsds_circuit_model *m, int state);
/* Writes all unknowns. */
void nsds_circuit_model_unknowns(const nsds_circuit_model *m, const nsds_adaptive_stage *stage,
                                 double *z, double *w, double *state, double *rate);

#endif
