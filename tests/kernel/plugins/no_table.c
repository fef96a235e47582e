/* A shared object that is no plugin. */
#include <nsds/plugin.h>

NSDS_PLUGIN_EXPORT int unrelated(void);
int unrelated(void) { return 1; }
