#ifndef NSDS_SRC_GRAPH_H
#define NSDS_SRC_GRAPH_H

#include "kernel/modeling/modeling.h"

/* Takes a range of m rows of the state. */
nsds_status nsds_take_rows(nsds_model *model, int m, int *first);
/* Gives a range of m rows back. */
void nsds_give_rows(nsds_model *model, int first, int m);
/* Grows a range of m rows (0: none yet) to `wanted` rows and keeps its values. */
nsds_status nsds_grow_rows(nsds_model *model, int *first, int m, int wanted);

#endif
