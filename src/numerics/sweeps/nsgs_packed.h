#ifndef NSDS_SRC_NSGS_PACKED_H
#define NSDS_SRC_NSGS_PACKED_H

#include "numerics/sweeps/nsgs.h"

#if defined(__GNUC__)
/* Whether block row b of the factored operator, a contact of this block, can be packed. */
bool nsds_pack_fits(const nsds_factored *f, const nsds_block *block, int b);
/* Memory for s->npack packs, whether one factor is enough, and the factors of the pack of row b.
 * `largest`: ncolumn entries of scratch. */
nsds_status nsds_pack_open(nsds_sweeps *s, nsds_store *store, double *largest);
void nsds_pack_fill(const nsds_sweeps *s, int b, nsds_pack *pack);
/* One update of a pack, over- or underrelaxed by omega; returns the square of its change. */
double nsds_pack_update(const nsds_sweeps *s, int k, nsds_local_kind kind, double omega, double *z,
                        double *y);
void nsds_pack_change(const nsds_sweeps *s, int k, const double *change, double *y);
#else /* without the compiler's vectors nothing is packed */
#define nsds_pack_fits(f, block, b) false
#define nsds_pack_open(s, store, largest) NSDS_OK
#define nsds_pack_fill(s, b, pack) ((void)(pack))
#define nsds_pack_update(s, k, kind, omega, z, y) 0.0
#define nsds_pack_change(s, k, change, y) ((void)(k))
#endif

#endif
