/* A table of another ABI. */
#include <nsds/plugin.h>

static int push(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static const nsds_plugin_entry entries[] = {{"push", NSDS_KIND_FEXT, push}};
NSDS_PLUGIN_EXPORT const nsds_plugin_table_type nsds_plugin_table;
const nsds_plugin_table_type nsds_plugin_table = {
    .abi = NSDS_PLUGIN_ABI + 41, .count = 1, .entry = entries};
