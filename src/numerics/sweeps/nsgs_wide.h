#ifndef NSDS_SRC_NSGS_WIDE_H
#define NSDS_SRC_NSGS_WIDE_H

#include "numerics/sweeps/sweeps.h"

#if defined(__GNUC__)
/* Fills a lane of a quad from block row b and M. */
void nsds_wide_fill(const nsds_sweeps *s, int b, nsds_quad *quad, int lane, const double *M);
/* Copies the first lane to the lanes that are not taken. */
void nsds_wide_repeat(nsds_quad *quad);
/* Computes M from the factors of a lane. */
void nsds_wide_matrix(const nsds_quad *quad, int lane, double *M);
/* Computes the factors of a lane from M. */
void nsds_wide_factorise(nsds_quad *quad, int lane, const double *M);
/* Updates the items `begin` to `end` - 1 of the order; `scale` has the same order. Returns the
 * largest scaled change squared. */
double nsds_wide_update(const nsds_sweeps *s, int begin, int end, nsds_local_kind kind,
                        double omega, const double *scale, double *z, double *y);
/* Adds Y times a change of pack k to y. */
void nsds_wide_change(const nsds_sweeps *s, int k, const double *change, double *y);
#else /* without the compiler's vectors nothing is packed */
#define nsds_wide_fill(s, b, quad, lane, M) ((void)(lane))
#define nsds_wide_repeat(quad) ((void)(quad))
#define nsds_wide_matrix(quad, lane, M) ((void)(lane))
#define nsds_wide_factorise(quad, lane, M) ((void)(lane))
#define nsds_wide_update(s, begin, end, kind, omega, scale, z, y) 0.0
#define nsds_wide_change(s, k, change, y) ((void)(k))
#endif

#endif
