/* Files that are no netlists and no model files, but something that people have beside them. */
#ifndef NSDS_RUN_OTHER_KIND_H
#define NSDS_RUN_OTHER_KIND_H

#include <stddef.h>

/* What a file is, "a URDF file (a robot)", told by its first bytes and by its name (NULL: none); NULL: it may be a netlist or
 * a model file. `advice` receives what to do with it, or "". */
const char *nsds_other_kind(const char *name, const char *text, size_t size, const char **advice);

#endif
