#ifndef NSDS_SRC_CHECK_H
#define NSDS_SRC_CHECK_H

#include "kernel/modeling/modeling.h"

/* The call that makes an object: bundled types have the name of theirs. */
const char *nsds_maker(const char *type, const char *call);
/* Fields of definitions; each records a message "<call>: <field> ..." and returns false.
 */
bool nsds_check_finite(nsds_context *context, const char *call, const char *field, const double *x,
                       int n);
bool nsds_check_range(nsds_context *context, const char *call, const char *field, double value,
                      double low, double high);
bool nsds_check_count(nsds_context *context, const char *call, const char *field, int value,
                      int low);
/* Parameters: a count >= 0 and as many finite values, or NULL; none where the count is 0. */
bool nsds_check_parameters(nsds_context *context, const char *call, const char *count_field,
                           int count, const double *z);
/* The rest are the words of both that must be zero: NSDS_TYPED(). */
bool nsds_check_type(const nsds_model *model, const char *call, const void *def, const void *ops,
                     const char *type, const uint64_t *def_words, const uint64_t *ops_words);
bool nsds_check_dense(nsds_context *context, const char *object, const char *field, int rows,
                      int cols);
/* Size and entries of a dense matrix; NULL is fine. */
bool nsds_check_entries(nsds_context *context, const char *object, const char *field,
                        const double *x, int rows, int cols);
/* Shape, indices and values of a sparse n x n matrix; NULL is fine. */
bool nsds_check_sparse(nsds_context *context, const char *call, const char *field,
                       const nsds_csc *a, int n);

#endif
