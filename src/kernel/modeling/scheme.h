/* Checks schemes of definitions and systems; the functions that make schemes are in
 * nsds/scheme.h. */
#ifndef NSDS_SRC_SCHEME_H
#define NSDS_SRC_SCHEME_H

#include "kernel/modeling/modeling.h"

#include <nsds/catalogue.h>

extern const nsds_type *const nsds_scheme_types[];

/* Returns the name of the function that makes a scheme of this kind, with parentheses. */
const char *nsds_scheme_name(nsds_scheme_kind kind);
bool nsds_scheme_is_unsaid(const nsds_discretisation *scheme);
/* Checks a scheme for systems of this order, or no scheme. `field` names the scheme in messages.
 * Allowed options are those of the scheme that `offered` also contains. */
nsds_status nsds_scheme_check(nsds_context *context, const char *call, const char *field, int order,
                              unsigned offered, const nsds_discretisation *scheme);

#endif
