/*
 * Plugins: shared objects that export one typed table of named functions (see nsds/plugin.h).
 */
#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/list.h"

#include <dlfcn.h>
#include <stdio.h>

const char *nsds_kind_text(nsds_kind kind) {
  switch (kind) {
  case NSDS_KIND_NONE: break;
#define NSDS_X(name, text)                                                                         \
  case name: return text;
    NSDS_KIND_LIST(NSDS_X)
#undef NSDS_X
  }
  return "unknown kind";
}

static bool check_table(nsds_context *context, const char *path,
                        const nsds_plugin_table_type *table) {
  if (table->abi != NSDS_PLUGIN_ABI) {
    nsds_fail(context, NSDS_ERROR_PLUGIN,
              "nsds_plugin_open: %s was built for plugin ABI %d; this library has ABI %d: "
              "compile the plugin anew",
              path, table->abi, NSDS_PLUGIN_ABI);
    return false;
  }
  if (table->count < 0 || (table->count > 0 && !table->entry)) {
    nsds_fail(context, NSDS_ERROR_PLUGIN, "nsds_plugin_open: the table of %s promises %d entries%s",
              path, table->count, table->entry ? "" : " and has none");
    return false;
  }
  for (int k = 0; k < table->count; ++k) {
    const nsds_plugin_entry *e = &table->entry[k];
    if (e->name && e->function) continue;
    nsds_fail(context, NSDS_ERROR_PLUGIN,
              "nsds_plugin_open: entry %d of %s has no name or no function; it must have both", k,
              path);
    return false;
  }
  return true;
}

nsds_plugin *nsds_plugin_open(nsds_model *model, const char *path) {
  if (!model || !path) {
    nsds_fail_null(nsds_model_context(model), "nsds_plugin_open", model ? "path" : "model");
    return NULL;
  }
  if (nsds_check_idle(model, "nsds_plugin_open")) return NULL;
  nsds_context *context = model->context;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror(); /* names the path, or not */
    nsds_fail(context, NSDS_ERROR_PLUGIN, "nsds_plugin_open: %s: cannot be loaded: %s", path,
              why ? why : "");
    return NULL;
  }
  const nsds_plugin_table_type *table = dlsym(handle, NSDS_PLUGIN_SYMBOL);
  if (!table) {
    nsds_fail(context, NSDS_ERROR_PLUGIN,
              "nsds_plugin_open: %s exports no table '%s'; write one with NSDS_PLUGIN", path,
              NSDS_PLUGIN_SYMBOL);
    dlclose(handle);
    return NULL;
  }
  nsds_plugin *plugin = NULL;
  if (check_table(context, path, table)) plugin = NSDS_NEW(context, nsds_plugin);
  if (plugin) plugin->path = nsds_copy(context, path, strlen(path) + 1, 1);
  if (!plugin || !plugin->path || nsds_list_push(context, &model->plugin, plugin)) {
    if (plugin) nsds_release(context, plugin->path);
    nsds_release(context, plugin);
    dlclose(handle);
    return NULL;
  }
  plugin->model = model;
  plugin->handle = handle;
  plugin->table = table;
  return plugin;
}

static void list_names(const nsds_plugin_table_type *table, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k < table->count && used + 1 < size; ++k) {
    int wrote = snprintf(text + used, size - used, "%s%s (%s)", k > 0 ? ", " : "",
                         table->entry[k].name, nsds_kind_text(table->entry[k].kind));
    if (wrote > 0) used += (size_t)wrote;
  }
}

nsds_operator nsds_plugin_get(nsds_plugin *plugin, const char *name, nsds_kind kind) {
  if (!plugin || !name) {
    if (plugin) nsds_fail_null(plugin->model->context, "nsds_plugin_get", "name");
    return NULL;
  }
  nsds_context *context = plugin->model->context;
  const nsds_plugin_table_type *table = plugin->table;
  for (int k = 0; k < table->count; ++k) {
    if (strcmp(table->entry[k].name, name) != 0) continue;
    if (table->entry[k].kind == kind) return table->entry[k].function;
    nsds_fail(context, NSDS_ERROR_PLUGIN, "nsds_plugin_get: '%s' of %s is of kind %s, not %s", name,
              plugin->path, nsds_kind_text(table->entry[k].kind), nsds_kind_text(kind));
    return NULL;
  }
  char names[256];
  list_names(table, names, sizeof names);
  nsds_fail(context, NSDS_ERROR_PLUGIN, "nsds_plugin_get: %s has no '%s'; it has: %s", plugin->path,
            name, names);
  return NULL;
}
