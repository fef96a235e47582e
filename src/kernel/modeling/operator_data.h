#ifndef NSDS_SRC_OPERATOR_DATA_H
#define NSDS_SRC_OPERATOR_DATA_H

#include "kernel/modeling/modeling.h"

/* Returns the caller of a relation about to be made, with the label for messages. */
nsds_caller nsds_relation_caller(const nsds_model *model, const char *type, const char *name);
/* Copies the data of single functions of a definition. Invalid data give a message and false. */
bool nsds_caller_take(nsds_caller *caller, int ndata, const nsds_operator_data *data,
                      const nsds_operator *functions, int count);
void nsds_caller_release(nsds_caller *caller);
/* Gives the object the caller of its functions, and returns the object. */
nsds_ds *nsds_ds_called_by(nsds_ds *ds, nsds_caller *caller);
nsds_relation *nsds_relation_called_by(nsds_relation *relation, nsds_caller *caller);

#endif
