#ifndef NSDS_SRC_UNREDUCED_H
#define NSDS_SRC_UNREDUCED_H

#include "kernel/assembly/problems.h"

extern const nsds_formulation nsds_unreduced;

#endif
