/* The only entry has no function. */
#include <nsds/plugin.h>

NSDS_PLUGIN({"push", NSDS_KIND_FEXT, NULL})
