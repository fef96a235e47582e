#ifndef NSDS_SRC_D1_MINUS_H
#define NSDS_SRC_D1_MINUS_H

#include <nsds/extend.h>

extern const nsds_integrator nsds_d1_minus_integrator;

#endif
