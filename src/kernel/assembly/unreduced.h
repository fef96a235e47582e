#ifndef NSDS_SRC_UNREDUCED_H
#define NSDS_SRC_UNREDUCED_H

#include "kernel/assembly/one_step.h"

extern const nsds_formulation nsds_unreduced;
/* Y += alpha C u and p += B lambda by nonzero columns. */
void nsds_unreduced_add(const nsds_one_step *o, const nsds_contact *contact, double alpha,
                        const double *v, double *y);
void nsds_unreduced_inputs(const nsds_one_step *o, const nsds_contact *contact,
                           const double *lambda, double *p);

#endif
