/*
 * Quantities of a running model by name: ball.q[0], floor.lambda[0], t. Expressions of outputs,
 * measures and samplers use them.
 */
#ifndef NSDS_SRC_MODEL_QUANTITIES_H
#define NSDS_SRC_MODEL_QUANTITIES_H

#include "run/model/model_values.h"

/* A quantity, or an expression in quantities. */
typedef struct nsds_observed nsds_observed;

nsds_quantities *nsds_quantities_create(nsds_model_file *file);
/* Compiles the text of a node; NULL with a message. The unit is "" if it is not known. */
nsds_observed *nsds_quantities_observe(nsds_quantities *quantities, const nsds_yaml *node);
const char *nsds_observed_unit(const nsds_observed *observed);
/* Returns true if a force, a parameter or the like takes part. These stay over an interval of time
 * and jump between intervals. */
bool nsds_observed_is_held(const nsds_observed *observed);
/* Reads all quantities that are used from the model. */
void nsds_quantities_refresh(nsds_quantities *quantities);
/* Forgets the last refresh. */
void nsds_quantities_return(nsds_quantities *quantities);

/*
 * The interval between the last two refreshes. States differ between its begin and its end. Forces
 * and numbers of the report, of the whole interval, are those of the last refresh, and parameters
 * are those of the refresh before. Behind the interval parameters have changed, as after a refresh.
 */
typedef enum nsds_interval_end {
  NSDS_INTERVAL_BEGIN,
  NSDS_INTERVAL_END,
  NSDS_BEHIND_INTERVAL
} nsds_interval_end;
void nsds_quantities_show(nsds_quantities *quantities, nsds_interval_end end);
/* The value as shown. */
double nsds_observed_value(const nsds_observed *observed);

/* A parameter z of a system or relation that may be set during a run. */
typedef struct nsds_settable {
  nsds_ds *ds;
  nsds_relation *relation;
  int nz, k;
} nsds_settable;

/* Finds "system.name" or "relation.name"; false with a message at the node. */
bool nsds_settable_find(nsds_model_file *file, const nsds_yaml *node, const char *name,
                        nsds_settable *to);
nsds_status nsds_settable_set(nsds_model_file *file, const nsds_settable *settable, double value);

/* Goes through the names of the default columns, of files that ask for none: all states. Begin with
 * zeros. */
typedef struct nsds_default_column {
  int object, part, k;
} nsds_default_column;
/* The next name; NULL after the last. */
const char *nsds_quantities_default(nsds_model_file *file, nsds_default_column *at);

#endif
