#ifndef NSDS_SRC_STAGE_INTEGRATOR_H
#define NSDS_SRC_STAGE_INTEGRATOR_H

#include <nsds/extend.h>

/* First-order and second-order systems of the adaptive driver. */
extern const nsds_integrator nsds_stage_integrator, nsds_second_stage_integrator;

#endif
