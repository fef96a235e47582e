/* Netlists: the reader's entry. */
#ifndef NSDS_RUN_CIRCUIT_H
#define NSDS_RUN_CIRCUIT_H

#include "run/job/job_parts.h"

/* Reads a netlist and makes the run ready; on failure the context has the message. */
nsds_status nsds_circuit_read(nsds_job *job, const nsds_job_def *def, const char *text,
                              size_t size);

#endif
