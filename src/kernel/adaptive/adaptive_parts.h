/* Models that the adaptive driver takes. */
#ifndef NSDS_SRC_ADAPTIVE_PARTS_H
#define NSDS_SRC_ADAPTIVE_PARTS_H

#include "kernel/modeling/model.h"

/* Refuses models with parts that the driver does not treat. */
nsds_status nsds_adaptive_check_parts(const nsds_model *model);

#endif
