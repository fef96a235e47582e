#ifndef NSDS_SRC_FCLIB_WRITE_H
#define NSDS_SRC_FCLIB_WRITE_H

#include <nsds/io.h>

nsds_status nsds_write_fclib(nsds_context *context, const nsds_problem *problem,
                             const nsds_notes *notes, const char *path);

#endif
