#ifndef NSDS_SRC_REDUCED_ROWS_H
#define NSDS_SRC_REDUCED_ROWS_H

#include "kernel/assembly/problems.h"

void nsds_reduced_constant_term(nsds_one_step *o);
void nsds_reduced_apply(nsds_one_step *o);
/* Writes the scale of each row (nsds_problem::scale): the sum of the terms of q, before they cancel. */
void nsds_reduced_scale(const nsds_one_step *o, double *scale);

#endif
