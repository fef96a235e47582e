/*
 * The scale of each row, in units of w: the size of the velocities, voltages or forces that the
 * data of the row stand for. docs/theory.md derives the rules.
 */
#ifndef NSDS_SRC_CERTIFY_SCALE_H
#define NSDS_SRC_CERTIFY_SCALE_H

#include <nsds/problem.h>

/* Writes the scale of each row; 0: the data give none. `d` is the diagonal as the certifier shares
 * it among rows of a block. `work` has 3 n entries, and ncolumn more in the factored storage. */
void nsds_find_scale(const nsds_problem *problem, const double *d, double *scale, double *work);

/* Returns the number of rows from row i on that share one scale. */
int nsds_scale_group(const nsds_block *block, int i);

#endif
