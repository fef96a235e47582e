#ifndef NSDS_SRC_ZERO_ORDER_HOLD_H
#define NSDS_SRC_ZERO_ORDER_HOLD_H

#include <nsds/extend.h>

extern const nsds_integrator nsds_zero_order_hold_integrator;

#endif
