#ifndef NSDS_SRC_LOCAL_MIXED_H
#define NSDS_SRC_LOCAL_MIXED_H

#include "kernel/assembly/plan.h"

extern const nsds_contact_ops nsds_contact_mixed;

#endif
