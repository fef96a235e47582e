#ifndef NSDS_SRC_EVENT_FUNCTIONS_H
#define NSDS_SRC_EVENT_FUNCTIONS_H

#include "kernel/events/event_rows.h"

/* Root functions by what they end. A function is positive before, and 1 if not used. */
typedef enum nsds_function_kind {
  NSDS_FUNCTION_ZERO,  /* an open row: its value comes to zero; a sliding one: its slip */
  NSDS_FUNCTION_FREE,  /* an open contact has left its overlap */
  NSDS_FUNCTION_LOWER, /* a closed row: lambda at its lower bound; a sticking one: on the cone */
  NSDS_FUNCTION_UPPER, /* a closed row: lambda at its upper bound, or a pole, see jamming_impact.c */
  NSDS_FUNCTION_HELD,  /* a row that others keep at zero leaves zero, to either side */
  NSDS_FUNCTION_LENGTH, /* a sliding row: its direction is known, or its slip is as long as it may */
  NSDS_FUNCTION_DRIFT,  /* joints that share lambda have drifted apart */
  NSDS_FUNCTION_SEARCH, /* contacts that are not found yet may be near */
  NSDS_FUNCTION_SWITCH
} nsds_function_kind;

/* Functions by number: two of each row, drift, the search if there are contact sets, switches. */
static inline int nsds_function_of_drift(const nsds_event_rows *s) { return 2 * s->nrow; }
static inline int nsds_function_of_switch(const nsds_event_rows *s, int gate) {
  return nsds_function_of_drift(s) + 1 + s->search.sets + gate;
}
static inline int nsds_function_count(const nsds_event_rows *s) {
  return nsds_function_of_switch(s, s->plan->count.gated);
}
/* Returns what function k ends in the present modes. *of: the row or the switch. */
static inline nsds_function_kind nsds_function_kind_of(const nsds_event_rows *s, int k, int *of) {
  int drift = nsds_function_of_drift(s), gate = nsds_function_of_switch(s, 0);
  *of = k < drift ? k / 2 : k - gate;
  if (k >= gate) return NSDS_FUNCTION_SWITCH;
  if (k >= drift) return k == drift ? NSDS_FUNCTION_DRIFT : NSDS_FUNCTION_SEARCH;
  const nsds_row *row = &s->row[*of];
  bool second = k % 2 != 0;
  if (row->mode == NSDS_MODE_CLOSED) return second ? NSDS_FUNCTION_UPPER : NSDS_FUNCTION_LOWER;
  if (row->mode == NSDS_MODE_IDLE) return NSDS_FUNCTION_HELD;
  if (!second) return NSDS_FUNCTION_ZERO;
  return nsds_row_slides(row) ? NSDS_FUNCTION_LENGTH : NSDS_FUNCTION_FREE;
}

/* Computes the root functions at the trial state. */
nsds_status nsds_event_functions(nsds_event_rows *s, double *g);
/* Tells which of the two functions of a row end its mode. */
void nsds_event_functions_watched(const nsds_event_rows *s, const nsds_row *row, bool watched[2]);
/* Returns true if the integrator watches the functions of the present rows already: no mode has
 * changed since. Constants of the matrix are renewed where a base has changed. */
bool nsds_event_functions_stand(nsds_event_rows *s);
/* Writes the functions as rows of a matrix over (q, v), unless they stand. Returns false if a
 * function is not affine. */
bool nsds_event_functions_affine(nsds_event_rows *s, nsds_ode_rows *rows);
nsds_status nsds_event_functions_reserve(nsds_event_rows *s);
/* Returns true if rates and lambda are constant until a mode changes. */
bool nsds_event_functions_uniform(const nsds_event_rows *s);

#endif
