/*
 * The scale of each row, in units of w: the size of the velocities, voltages or forces that its data
 * stand for. docs/theory.md derives the rules.
 */
#ifndef NSDS_SRC_CERTIFY_SCALE_H
#define NSDS_SRC_CERTIFY_SCALE_H

#include <nsds/problem.h>

/* Writes the scale of each row; 0: the data give none. `d` is the diagonal as the certifier shares
 * it among rows of a block. `work` has 3 n entries, and ncolumn more in the factored storage. */
void nsds_find_scale(const nsds_problem *problem, const double *d, double *scale, double *work);

/* The same in steps. The first one takes the data of each row alone. Passes `first` to last - 1 then
 * raise the scale; they return true after the last one that is needed. Until then no entry is larger
 * in size than the scale, and may be negative. `work` must stay in between. */
enum { nsds_scale_passes = 1000 };
void nsds_start_scale(const nsds_problem *problem, const double *d, double *scale, double *work);
bool nsds_raise_scale(const nsds_problem *problem, const double *d, int first, int last,
                      double *scale, double *work);

/* Writes what the load of the whole problem is in the unit of each row: the largest s_j sqrt(d_i / d_j),
 * and no more than the largest s_j. Bounded sets count with their bounds times d_j. If the problem
 * gives a scale, this is the load. */
void nsds_find_load(const nsds_problem *problem, const double *d, const double *scale,
                    double *load);

/* Gives rows without a scale the largest of the terms in their group. */
void nsds_scale_share(const nsds_problem *problem, const double *scale, double *terms);

enum { nsds_friction_sets = NSDS_SET_DISC | NSDS_SET_CONE | NSDS_SET_COULOMB | NSDS_SET_ROLLING };

/* Returns true for many rows of friction without a given scale: q may be what is left of velocities that
 * have cancelled. `sets` are those of the blocks. */
bool nsds_scale_is_inferred(const nsds_problem *problem, unsigned sets);

/* Returns the number of rows from row i on that share one scale. */
int nsds_scale_group(const nsds_block *block, int i);

#endif
