#ifndef NSDS_SRC_RELATION_H
#define NSDS_SRC_RELATION_H

#include "kernel/modeling/modeling.h"

/* Does the work of nsds_custom_relation(); `guarded` puts `self` of a user's type behind a
 * guard. */
nsds_relation *nsds_make_relation(nsds_model *model, const nsds_custom_relation_def *def,
                                  bool guarded);

/* Marks a mixed relation y = lambda + h(q,v), g = L(q) lambda as a spring or, `ahead`, a drive: see
 * nsds_relation::midway, ahead and straight. */
void nsds_relation_be_spring(nsds_relation *own, bool ahead);

#endif
