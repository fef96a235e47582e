#ifndef NSDS_SRC_RELATION_H
#define NSDS_SRC_RELATION_H

#include "kernel/modeling/modeling.h"

/* Does the work of nsds_custom_relation(); `guarded` puts `self` of a user's type behind a
 * guard. */
nsds_relation *nsds_make_relation(nsds_model *model, const nsds_custom_relation_def *def,
                                  bool guarded);

#endif
