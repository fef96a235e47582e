#ifndef NSDS_SRC_LOCAL_SECOND_H
#define NSDS_SRC_LOCAL_SECOND_H

#include "kernel/assembly/plan.h"

extern const nsds_contact_ops nsds_contact_second;
/* Writes the input matrix of a relation whose forces are r = H^T lambda. */
void nsds_load_transpose(const nsds_plan *plan, const nsds_contact *contact,
                         const nsds_entry *entry, int k, double *Y);

#endif
