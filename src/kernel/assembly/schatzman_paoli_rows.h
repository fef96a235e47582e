#ifndef NSDS_SRC_SCHATZMAN_PAOLI_ROWS_H
#define NSDS_SRC_SCHATZMAN_PAOLI_ROWS_H

#include "kernel/assembly/one_step.h"

extern const nsds_formulation nsds_weighted;
extern const nsds_formulation nsds_held;
extern const nsds_formulation nsds_struck;

#endif
