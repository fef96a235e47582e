/* Modes of diodes and switches, and the bounds that follow from them. */
#ifndef NSDS_RUN_MODES_H
#define NSDS_RUN_MODES_H

#include "run/circuit/circuit_equations.h"

typedef struct nsds_modes {
  const nsds_equations *equations;
  int count;      /* elements with modes: D and S */
  int *element;   /* these */
  bool *conducts; /* current not at its bound */
  bool *closed;   /* S: closed, or fired */
  bool *saved_conducts, *saved_closed;
  double *lower, *upper; /* of all unknowns */
  int moved;             /* the element that its control moved last; -1: none */
} nsds_modes;

nsds_status nsds_modes_make(nsds_modes *modes, const nsds_equations *equations);
void nsds_modes_free(nsds_modes *modes);

/* Bounds: with `frozen`, those that conduct stay so and the others carry nothing; else by the laws. */
void nsds_modes_bounds(nsds_modes *modes, bool frozen);

/* Takes from a solution of the laws which ones conduct; a thyristor without gate that does not is no longer fired. */
void nsds_modes_take(nsds_modes *modes, const double *z);

/* How far mode k is from its end, >= 0 as long as it lasts, in A or V: from a frozen solution. */
double nsds_modes_margin(const nsds_modes *modes, int k, const double *z, const double *w);

/* How far a switch is from being moved by what controls it; INFINITY for what nothing controls. */
double nsds_modes_control_margin(const nsds_modes *modes, int k, const double *z);

/* The value of a switch's drive between t and the next corner: moves it. Returns whether anything has moved. */
bool nsds_modes_drive(nsds_modes *modes, double inside);

/* Moves the switches whose controls have passed their thresholds by more than a tolerance; whether there are any. */
bool nsds_modes_move(nsds_modes *modes, const double *z, double tolerance);

/* Sets whether mode k conducts, for callers that solve without nsds_modes_take(). */
void nsds_modes_set(nsds_modes *modes, int k, bool conducts);

void nsds_modes_save(nsds_modes *modes);
void nsds_modes_restore(nsds_modes *modes);

#endif
