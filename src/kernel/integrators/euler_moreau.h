#ifndef NSDS_SRC_EULER_MOREAU_H
#define NSDS_SRC_EULER_MOREAU_H

#include <nsds/extend.h>

extern const nsds_integrator nsds_euler_moreau_integrator;

#endif
