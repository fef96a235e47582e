#ifndef NSDS_SRC_MOREAU_JEAN_H
#define NSDS_SRC_MOREAU_JEAN_H

#include <nsds/extend.h>

extern const nsds_integrator nsds_moreau_jean_integrator;

#endif
