#ifndef NSDS_SRC_LABEL_H
#define NSDS_SRC_LABEL_H

#include "kernel/modeling/modeling.h"

/* Writes "system 'ball' (#0, lagrangian_linear)" to a buffer of nsds_label_size and returns the
 * buffer. */
const char *nsds_ds_label(const nsds_ds *ds, char *buffer);
/* Writes the label of the next system of this type and name (NULL: none). */
const char *nsds_next_ds_label(const nsds_model *model, const char *type, const char *name,
                               char *buffer);
const char *nsds_relation_label(const nsds_relation *relation, char *buffer);
const char *nsds_interaction_label(const nsds_interaction *ia, char *buffer);
/* Returns the name of a law, or of its type. */
const char *nsds_law_called(const nsds_law *law);
/* Writes "model 'silo'", or "the model". */
const char *nsds_model_label(const nsds_model *model, char *buffer);

#endif
