#ifndef NSDS_SRC_TIMELINE_H
#define NSDS_SRC_TIMELINE_H

#include "kernel/simulation/simulation.h"

#endif
