/* Consistency of mass matrices; see mass_check.c. A dense matrix is given with p = i = NULL. */
#ifndef NSDS_SRC_MASS_CHECK_H
#define NSDS_SRC_MASS_CHECK_H

#include "modeling.h"

nsds_status nsds_check_mass(nsds_context *context, const char *label, const nsds_csc *mass);

#endif
