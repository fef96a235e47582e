#ifndef NSDS_SRC_MODEL_H
#define NSDS_SRC_MODEL_H

#include "kernel/modeling/modeling.h"

#endif
