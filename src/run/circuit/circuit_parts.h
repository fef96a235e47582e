/*
 * A circuit in a model: its system, its interactions, and where each unknown of the circuit is.
 */
#ifndef NSDS_SRC_CIRCUIT_PARTS_H
#define NSDS_SRC_CIRCUIT_PARTS_H

#include "run/circuit/modes.h"

#include "run/job/keeper.h"

#include <nsds/adaptive.h>

/* Functions of the owner of a circuit; NULL: not called. */
typedef struct nsds_circuit_owner {
  nsds_status (*step)(void *user); /* after a step of nsds_circuit_model_start() */
  /* In a model of others: at the end of a step of any simulation. lambda: of modes. */
  nsds_status (*look)(void *user, double t, const double *x, const double *lambda);
  void (*release)(void *user); /* in a model of others: nothing in it needs the circuit any more */
  void (*keep)(void *user, nsds_keeper *keeper); /* numbers of its own that saved states hold */
  int nkept;                                     /* at most so many */
  void *user;
} nsds_circuit_owner;

/* How a circuit begins. */
typedef struct nsds_circuit_start {
  nsds_context *context;
  nsds_model *model; /* NULL: a model of its own */
  const nsds_modes *modes;
  const double *z, *state;
  bool solved; /* z is a solution; else only states count */
} nsds_circuit_start;

/* By columns. */
typedef struct nsds_circuit_matrix {
  int *p, *i;
  double *x;
} nsds_circuit_matrix;

typedef struct nsds_circuit_model {
  nsds_context *context;
  const nsds_equations *equations;
  const nsds_modes *modes; /* which elements have one, in the order of the interactions */
  nsds_model *model;
  bool in_model; /* of others */
  int users;     /* objects of the model that need the circuit, and who makes it */
  nsds_ds *ds;
  nsds_interaction **interaction; /* of modes, in their order, then of junctions */
  int nrow;
  struct nsds_circuit_row *row; /* of modes, of potentials that are held, of ties */
  int nswitch, *mode_of;        /* of a switch of the model: its mode; -1: it holds a potential */
  bool resting;                 /* potentials are held */
  double *lambda;               /* of modes, at the end of the last step, in a model of others */
  struct nsds_junction_relation *junction; /* of the equations' junctions, in their order */
  int nx, *x_of, *lambda_of;               /* by unknown: place in x, or in lambda; -1 */
  int *voltage_of;                         /* by state: place in x of a capacitor's voltage; -1 */
  bool *tied;                              /* by unknown: a potential with a tie */
  nsds_circuit_matrix mass, A;
  double *size, largest; /* by x: scales, once known; the longest step, 0: none */
  nsds_simulation *simulation;
  nsds_circuit_owner owner;
} nsds_circuit_model;

/* Ends the need of an object, or of the maker, for the circuit. */
static inline void nsds_circuit_model_drop(void *model) {
  nsds_circuit_model *m = model;
  if (--m->users == 0 && m->owner.release) m->owner.release(m->owner.user);
}

#endif
