/* A table that promises three entries and has none. */
#include <nsds/plugin.h>

NSDS_PLUGIN_EXPORT const nsds_plugin_table_type nsds_plugin_table;
const nsds_plugin_table_type nsds_plugin_table = {.abi = NSDS_PLUGIN_ABI, .count = 3};
