#ifndef NSDS_SRC_GRAPH_H
#define NSDS_SRC_GRAPH_H

#include "kernel/modeling/modeling.h"

/* Ranges of rows of the state */
nsds_status nsds_take_rows(nsds_model *model, int m, int *first);
void nsds_give_rows(nsds_model *model, int first, int m);
/* A range of m rows, 0 where there is none yet, becomes one of `wanted` and keeps its values. */
nsds_status nsds_grow_rows(nsds_model *model, int *first, int m, int wanted);

#endif
