#ifndef NSDS_SRC_OPERATOR_DATA_H
#define NSDS_SRC_OPERATOR_DATA_H

#include "kernel/modeling/modeling.h"

/* The caller of a relation that is about to be made, as messages name it. */
nsds_caller nsds_relation_caller(const nsds_model *model, const char *type, const char *name);
/* Copies what single functions of a definition have of their own; false, with a message, where it
 * is not valid. */
bool nsds_caller_take(nsds_caller *caller, int ndata, const nsds_operator_data *data,
                      const nsds_operator *functions, int count);
void nsds_caller_release(nsds_caller *caller);
/* Has the object know how its functions are called; they return it. */
nsds_ds *nsds_ds_called_by(nsds_ds *ds, nsds_caller *caller);
nsds_relation *nsds_relation_called_by(nsds_relation *relation, nsds_caller *caller);

#endif
