/* Promises laws and has none. */
#include <nsds/plugin.h>

NSDS_PLUGIN_TABLE(.nlaw = 3)
