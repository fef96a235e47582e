#ifndef NSDS_SRC_LABEL_H
#define NSDS_SRC_LABEL_H

#include "kernel/modeling/modeling.h"

/* "system 'ball' (#0, lagrangian_linear)" into a buffer of nsds_label_size; returns the buffer. */
const char *nsds_ds_label(const nsds_ds *ds, char *buffer);
/* The same of a system of this type and name (NULL: none) that is to be made next. */
const char *nsds_next_ds_label(const nsds_model *model, const char *type, const char *name,
                               char *buffer);
/* The same of a relation. */
const char *nsds_relation_label(const nsds_relation *relation, char *buffer);
/* The same of an interaction. */
const char *nsds_interaction_label(const nsds_interaction *ia, char *buffer);
/* The name of a law, or that of its type. */
const char *nsds_law_called(const nsds_law *law);
/* "model 'silo'", or "the model". */
const char *nsds_model_label(const nsds_model *model, char *buffer);

#endif
