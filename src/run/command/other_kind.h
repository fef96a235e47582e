/* Files that are no netlists and no model files, but something that people have beside them. */
#ifndef NSDS_RUN_OTHER_KIND_H
#define NSDS_RUN_OTHER_KIND_H

#include <stddef.h>

/* Tells the kind of a file by its first bytes and its name, such as "a URDF file (a robot)". NULL:
 * it may be a netlist or a model file. The name may be NULL. `advice` receives a remedy, or "". */
const char *nsds_other_kind(const char *name, const char *text, size_t size, const char **advice);

#endif
