/* Schemes that a definition or a system is given; the functions that make them are in nsds/scheme.h. */
#ifndef NSDS_SRC_SCHEME_H
#define NSDS_SRC_SCHEME_H

#include "kernel/modeling/modeling.h"

/* The function that makes a scheme of this kind, with its parentheses. */
const char *nsds_scheme_name(nsds_scheme_kind kind);
bool nsds_scheme_is_unsaid(const nsds_discretisation *scheme);
/* A scheme for systems of this order, or none. `field` names it in messages. Options are those of the scheme
 * that `offered` has as well. */
nsds_status nsds_scheme_check(nsds_context *context, const char *call, const char *field, int order,
                              unsigned offered, const nsds_discretisation *scheme);

#endif
