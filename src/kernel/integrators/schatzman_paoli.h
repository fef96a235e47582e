#ifndef NSDS_SRC_SCHATZMAN_PAOLI_H
#define NSDS_SRC_SCHATZMAN_PAOLI_H

#include <nsds/extend.h>

extern const nsds_integrator nsds_schatzman_paoli_integrator;

#endif
