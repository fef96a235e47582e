/* The only law has no name. */
#include <nsds/plugin.h>

static nsds_status make(nsds_context *context, int nz, const double *z, nsds_custom_law_def *def) {
  (void)context, (void)nz, (void)z, (void)def;
  return NSDS_OK;
}

static const nsds_plugin_law_entry laws[] = {{NULL, 0, make}};

NSDS_PLUGIN_TABLE(.nlaw = 1, .law = laws)
