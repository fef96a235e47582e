/*
 * Drives, springs, friction, stops and armature of joints, and couplers.
 */
#ifndef NSDS_SRC_MODEL_ACTIONS_H
#define NSDS_SRC_MODEL_ACTIONS_H

#include "run/model/model_values.h"

enum { NSDS_DRIVE_SETTINGS = 3 };

/* Returns the names of a drive's parameters. */
const char *const *nsds_drive_names(void);
/* Makes all that the key `acts` of an interaction says, if there is one. `relation` is the joint of
 * the bodies. */
bool nsds_actions_make(const nsds_entry *entry, const char *name, int index,
                       const nsds_entry *relation, int dimension, int nds, nsds_ds *const *ds);
/* Makes an interaction of the type coupler. NULL: a message says why. */
nsds_interaction *nsds_coupler_read(const nsds_entry *entry, const char *name, int nds,
                                    const nsds_named *const *system);

#endif
