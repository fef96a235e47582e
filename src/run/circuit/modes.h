/* Elements with modes, diodes and switches, and which of them conduct. */
#ifndef NSDS_RUN_MODES_H
#define NSDS_RUN_MODES_H

#include "run/circuit/circuit_equations.h"

typedef struct nsds_modes {
  const nsds_equations *equations;
  int count;      /* elements with modes: D and S */
  int *element;   /* these */
  bool *conducts; /* current not at its bound */
  int moved;      /* the element that its control moved last; -1: none */
} nsds_modes;

nsds_status nsds_modes_make(nsds_modes *modes, const nsds_equations *equations);
void nsds_modes_free(nsds_modes *modes);

/* Sets whether mode k conducts. */
void nsds_modes_set(nsds_modes *modes, int k, bool conducts);

#endif
