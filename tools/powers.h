/*
 * The table of nsds run --balance.
 */
#ifndef NSDS_TOOLS_POWERS_H
#define NSDS_TOOLS_POWERS_H

#include "command.h"

#include <nsds/run.h>

/* Prints the mean powers of the elements of a circuit, and their sums. */
void print_balance(const nsds_job *job, FILE *out);

#endif
