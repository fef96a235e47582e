#ifndef NSDS_SRC_SNAPSHOT_H
#define NSDS_SRC_SNAPSHOT_H

#include "kernel/simulation/simulation.h"

/* Archives the data of the driver and of its solver. */
void nsds_simulation_archive(nsds_simulation *sim, nsds_archive *a);
/* Continues from a restored state; see nsds_driver::resume. */
void nsds_simulation_resume(nsds_simulation *sim, bool same);
/* Saves the data of driver and solver too, by the walk of snapshots. Memory is used again. */
nsds_status nsds_saved_take_own(nsds_simulation *sim, nsds_saved *saved);
/* Checks these data, and reserves memory for them. */
nsds_status nsds_saved_check_own(nsds_simulation *sim, nsds_saved *saved);
/* Restores these data, after nsds_saved_restore(); see nsds_driver::resume. */
void nsds_saved_restore_own(nsds_simulation *sim, nsds_saved *saved, bool same);
/* Writes the simulation to the image of a file. */
nsds_status nsds_snapshot_write(nsds_simulation *sim, nsds_archive *archive);
/* Reads the simulation from an image, wholly or not at all. */
nsds_status nsds_snapshot_read(nsds_simulation *sim, nsds_archive *archive);
/* Checks that the image is a snapshot. */
nsds_status nsds_snapshot_look(nsds_archive *archive);

#endif
