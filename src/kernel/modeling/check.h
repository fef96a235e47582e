#ifndef NSDS_SRC_CHECK_H
#define NSDS_SRC_CHECK_H

#include "kernel/modeling/modeling.h"

/* Returns the call that makes an object: the call's own name for bundled types. */
const char *nsds_maker(const char *type, const char *call);
/* The checks of fields in definitions return true if the field is valid. Otherwise each records a
 * message "<call>: <field> ...". */
bool nsds_check_finite(nsds_context *context, const char *call, const char *field, const double *x,
                       int n);
bool nsds_check_range(nsds_context *context, const char *call, const char *field, double value,
                      double low, double high);
bool nsds_check_count(nsds_context *context, const char *call, const char *field, int value,
                      int low);
/* Checks parameters: a count >= 0, and as many finite values or NULL; no values for count 0. */
bool nsds_check_parameters(nsds_context *context, const char *call, const char *count_field,
                           int count, const double *z);
/* Checks a definition with its table of operations. NSDS_TYPED() gives the arguments from `def` on.
 * The `count` words of the definition, and those of the table, must be zero. */
bool nsds_check_type(const nsds_model *model, const char *call, const void *def, const void *ops,
                     const char *type, const uint64_t *def_words, int count,
                     const uint64_t *ops_words, int ops_count);
bool nsds_check_dense(nsds_context *context, const char *object, const char *field, int rows,
                      int cols);
/* Checks size and entries of a dense matrix, or NULL. */
bool nsds_check_entries(nsds_context *context, const char *object, const char *field,
                        const double *x, int rows, int cols);
/* Checks shape, indices and values of a sparse n x n matrix, or NULL. */
bool nsds_check_sparse(nsds_context *context, const char *call, const char *field,
                       const nsds_csc *a, int n);

#endif
