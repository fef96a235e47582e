/*
 * A model with every kind of function, which try a call of the library from inside a step; and the
 * calls there are.
 */
#ifndef NSDS_TEST_KERNEL_INSIDE_H
#define NSDS_TEST_KERNEL_INSIDE_H

#include "support.h"

/* Columns of the table in docs/calls.md, in their order. */
typedef enum place {
  OPERATORS,
  LAWS,
  INTEGRATORS,
  GEOMETRIES,
  SOLVERS,
  CHECK_SOLVER,
  EVENTS,
  HOOKS,
  place_count
} place;

typedef struct scene scene;

/* A call of the library with valid arguments: its status, or the error that it left. */
typedef struct call {
  const char *name;
  nsds_status (*make)(scene *s);
} call;

extern const call model_calls[], numerics_calls[]; /* ended by a NULL name */

struct scene {
  nsds_context *context;
  nsds_output *output;
  nsds_model *model;
  nsds_ds *body, *plate, *ball, *tank, *top, *spare;
  nsds_relation *relation, *unused;
  nsds_law *law;
  nsds_interaction *ia[2], *valve, *hinge, *touch, *drive;
  nsds_tree *tree;
  nsds_sensor *sensor;
  nsds_contact_set *set, *shapes;
  nsds_plugin *plugin, *laws;
  nsds_simulation *simulation, *other;
  nsds_contacts *contacts;   /* lent to the geometry */
  nsds_solver_task *task;    /* lent to the solver */
  nsds_solver *tool, *basis; /* of the program's own: one with an inner method, and enumeration */
  nsds_solver *global;
  nsds_problem_file *file;
  nsds_snapshot *snapshot;
  nsds_vtk *series;
  const call *call; /* what functions try; NULL: nothing */
  place place;      /* from where */
  bool expected;    /* to work */
  long tried;
};

/* The answer of a call that returns no status. */
nsds_status left(const scene *s);
nsds_status made(const scene *s, const void *object);

/* Makes the call where it is to be made from here. */
void meddle(scene *s, place from);

void scene_build(scene *s);
void scene_destroy(scene *s);

#endif
