#ifndef NSDS_SRC_NSGS_PACKED_H
#define NSDS_SRC_NSGS_PACKED_H

#include "numerics/sweeps/sweeps.h"

#if defined(__GNUC__)
/* Returns true if block row b of the factored operator, a contact of this block, can be packed. */
bool nsds_pack_fits(const nsds_factored *f, const nsds_block *block, int b);
/* Gets memory for s->npack packs, and finds out if one factor is enough. `largest`: ncolumn entries
 * of scratch. */
nsds_status nsds_pack_open(nsds_sweeps *s, nsds_store *store, double *largest);
/* Fills a pack from block row b. */
void nsds_pack_fill(const nsds_sweeps *s, int b, nsds_pack *pack);
/* Updates a pack, over- or underrelaxed by omega; returns the square of the change. */
double nsds_pack_update(const nsds_sweeps *s, int k, nsds_local_kind kind, double omega, double *z,
                        double *y);
/* Adds Y times a change of pack k to y. */
void nsds_pack_change(const nsds_sweeps *s, int k, const double *change, double *y);
#else /* without the compiler's vectors nothing is packed */
#define nsds_pack_fits(f, block, b) false
#define nsds_pack_open(s, store, largest) NSDS_OK
#define nsds_pack_fill(s, b, pack) ((void)(pack))
#define nsds_pack_update(s, k, kind, omega, z, y) 0.0
#define nsds_pack_change(s, k, change, y) ((void)(k))
#endif

#endif
