#ifndef NSDS_SRC_FCLIB_VECTORS_H
#define NSDS_SRC_FCLIB_VECTORS_H

#include "io/fclib.h"

/* Reads the vectors `first` (m entries) and `second` (p entries) of a group, one after the
 * other. */
nsds_status nsds_fclib_read_joined(nsds_h5 *h5, const char *group, const char *first, int m,
                                   const char *second, int p, double *joined);
nsds_status nsds_fclib_open_group(nsds_h5 *h5, const char *name, nsds_fclib_group *group);
/* Reads coefficients into the first `contacts` blocks. */
nsds_status nsds_fclib_read_contacts(nsds_h5 *h5, const nsds_fclib_group *group,
                                     nsds_problem_file *file, int contacts);
/* Writes the coefficients of the contacts among the blocks into the vectors of a group. */
nsds_status nsds_fclib_put_contacts(nsds_h5 *h5, const char *vectors, const nsds_problem *problem);
/* Reads /solution and /guesses with r, u (m entries), l (p) and, for nv > 0, v. */
nsds_status nsds_fclib_read_points(nsds_h5 *h5, nsds_problem_file *file, int nv, int m, int p);
/* Writes these groups. Entry k of r and l is entry row[k] of z, or entry k if row is NULL. `x` has
 * room for m + p numbers. */
nsds_status nsds_fclib_put_points(nsds_h5 *h5, const nsds_notes *notes, int nv, int m, int p,
                                  const int *row, double *x);

#endif
