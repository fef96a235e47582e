/* The default solver, see auto.c. */
#ifndef NSDS_SRC_AUTO_H
#define NSDS_SRC_AUTO_H

#include "numerics/auto_lists.h"

/* Makes an instance of "auto" use `rules`, which must outlive it. */
void nsds_auto_set_rules(nsds_solver *solver, const nsds_auto_rules *rules);

#endif
