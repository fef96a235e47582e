#ifndef NSDS_SRC_START_CONTACTS_H
#define NSDS_SRC_START_CONTACTS_H

#include "kernel/assembly/contact_operator.h"

/* Warns of contacts that are mistakes of most models, before the first step of a model. `closes`: the
 * scheme closes wrong gaps. */
nsds_status nsds_start_contacts_warn(nsds_plan *plan, const nsds_contact_operator *op, bool closes);

#endif
