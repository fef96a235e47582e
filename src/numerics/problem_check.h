/*
 * The parts of nsds_problem_check() that others have too: the global problem, and laws.
 */
#ifndef NSDS_SRC_PROBLEM_CHECK_H
#define NSDS_SRC_PROBLEM_CHECK_H

#include "base.h"

#include <nsds/problem.h>

/* Set, size and parameters of a block; messages begin with `object`, or with "nsds_problem:
 * block[a]" where it is NULL. */
nsds_status nsds_check_block(nsds_context *context, const char *object, int a,
                             const nsds_block *block);

/* The sets, and that their sizes sum to n. */
nsds_status nsds_check_blocks(nsds_context *context, int nblock, const nsds_block *blocks, int n);

/* Storage and entries of M; M->n is taken as it is. */
nsds_status nsds_check_matrix(nsds_context *context, const nsds_matrix *M);

/* starts[0 .. count]: from 0 on, not decreasing; else `status`, and a message of object and name.
 */
nsds_status nsds_check_starts(nsds_context *context, nsds_status status, const char *object,
                              const char *name, const int *starts, int count);

#endif
