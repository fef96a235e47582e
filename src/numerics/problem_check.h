/*
 * The parts of nsds_problem_check() that the global problem has too.
 */
#ifndef NSDS_SRC_PROBLEM_CHECK_H
#define NSDS_SRC_PROBLEM_CHECK_H

#include "base.h"

#include <nsds/problem.h>

/* The sets, and that their sizes sum to n. */
nsds_status nsds_check_blocks(nsds_context *context, int nblock, const nsds_block *blocks, int n);

/* Storage and entries of M; M->n is taken as it is. */
nsds_status nsds_check_matrix(nsds_context *context, const nsds_matrix *M);

#endif
