/* Couplings of inductors that belong together. */
#ifndef NSDS_RUN_COUPLINGS_H
#define NSDS_RUN_COUPLINGS_H

#include "run/circuit/elements.h"

/* Refuses couplings that no coils can have: some currents would have a negative energy. */
nsds_status nsds_couplings_check(const nsds_elements *elements);

#endif
