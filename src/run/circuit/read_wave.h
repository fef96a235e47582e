/* Reads the waveform of a source. */
#ifndef NSDS_RUN_READ_WAVE_H
#define NSDS_RUN_READ_WAVE_H

#include "run/circuit/instance.h"

/* Tells if the next word begins a waveform that is no number. */
bool nsds_wave_begins(const nsds_cursor *c);

/* Reads "DC 5", "5", "SIN(...)", "PULSE(...)" or "PWL(...)", and adds the wave; "AC ..." is not
 * used. */
nsds_status nsds_wave_read(nsds_cursor *c, int *number);

#endif
