/*
 * Robots in XML: the reader of jobs in URDF and MJCF.
 */
#ifndef NSDS_RUN_ROBOT_FILE_H
#define NSDS_RUN_ROBOT_FILE_H

#include "run/job/job_parts.h"

/* Makes the job of a robot's file; a failure has its message in the context. */
nsds_status nsds_robot_file_read(nsds_job *job, const nsds_job_def *def, const char *text,
                                 size_t size);

#endif
