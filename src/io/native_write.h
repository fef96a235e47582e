#ifndef NSDS_SRC_NATIVE_WRITE_H
#define NSDS_SRC_NATIVE_WRITE_H

#include <nsds/io.h>

nsds_status nsds_write_native(nsds_context *context, const nsds_problem *problem,
                              const nsds_notes *notes, const char *path);
nsds_status nsds_write_native_global(nsds_context *context, const nsds_global_problem *problem,
                                     const nsds_notes *notes, const char *path);

#endif
