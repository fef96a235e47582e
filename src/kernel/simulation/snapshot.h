#ifndef NSDS_SRC_SNAPSHOT_H
#define NSDS_SRC_SNAPSHOT_H

#include "kernel/simulation/simulation.h"

/* Archives the data of the driver and of its solver. */
void nsds_simulation_archive(nsds_simulation *sim, nsds_archive *a);
/* Continues from a restored state; see nsds_driver::resume. */
void nsds_simulation_resume(nsds_simulation *sim, bool same);
/* Writes the simulation to the image of a file. */
nsds_status nsds_snapshot_write(nsds_simulation *sim, nsds_archive *archive);
/* Reads the simulation from an image, wholly or not at all. */
nsds_status nsds_snapshot_read(nsds_simulation *sim, nsds_archive *archive);
/* Checks that the image is a snapshot. */
nsds_status nsds_snapshot_look(nsds_archive *archive);

#endif
