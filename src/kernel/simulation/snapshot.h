#ifndef NSDS_SRC_SNAPSHOT_H
#define NSDS_SRC_SNAPSHOT_H

#include "kernel/simulation/simulation.h"

/* The driver's own, and what its solver remembers; all of a state is in place. */
void nsds_simulation_archive(nsds_simulation *sim, nsds_archive *a);
void nsds_simulation_resume(nsds_simulation *sim, bool same);
/* The simulation as the image of a file; from one, whole or not at all; whether it is one. */
nsds_status nsds_snapshot_write(nsds_simulation *sim, nsds_archive *archive);
nsds_status nsds_snapshot_read(nsds_simulation *sim, nsds_archive *archive);
nsds_status nsds_snapshot_look(nsds_archive *archive);

#endif
