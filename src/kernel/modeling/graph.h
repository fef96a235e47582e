#ifndef NSDS_SRC_GRAPH_H
#define NSDS_SRC_GRAPH_H

#include "kernel/modeling/modeling.h"

nsds_status nsds_take_rows(nsds_model *model, int m, int *first);
void nsds_give_rows(nsds_model *model, int first, int m);
/* Grows a range of m rows (0: none yet) to `wanted` rows and keeps its values. */
nsds_status nsds_grow_rows(nsds_model *model, int *first, int m, int wanted);

#endif
