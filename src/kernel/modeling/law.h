#ifndef NSDS_SRC_LAW_H
#define NSDS_SRC_LAW_H

#include "kernel/modeling/modeling.h"

/* Does what nsds_law_create() does; `guarded` puts `self` of a user's type behind a guard. */
nsds_law *nsds_make_law(nsds_model *model, const nsds_law_def *def, bool guarded);
/* The block that a law gives of itself; what it is of is kept. */
bool nsds_check_law(nsds_context *context, const char *call, nsds_law *law);
/* Whether what the law adds to its rows depends on the velocity before the step. */
nsds_status nsds_law_remembers(nsds_law *law, bool *remembers);
/* In a step. What a law may not say is recorded as a failure, in law_faults too, and the block is
 * one without values: that of a law that was checked, if it says now that it is of another size or
 * set, memory for which there is none, or has values that its set does not have. */
nsds_block nsds_law_block(const nsds_law *law);
/* Operations of users' types in a step; `self` is the law. */
bool nsds_guarded_active(void *self, const double *y, const double *ydot, double tau, double slack);
void nsds_guarded_restitution(void *self, const double *ydot, double *q);
/* Adds the law's compliance to its part of D. */
nsds_status nsds_law_compliance(const nsds_law *law, double *D, int ld);

#endif
