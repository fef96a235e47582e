/* The built-in integrators, one file each. Those of systems of one order are alternatives. */
#ifndef NSDS_SRC_INTEGRATORS_H
#define NSDS_SRC_INTEGRATORS_H

#include <nsds/extend.h>

/* That of one system at a point, into u_free; M is factored there. */
struct nsds_slot;

#endif
