/*
 * Plugins: shared objects that export one typed table of named functions, laws and solvers (see
 * nsds/plugin.h).
 */
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/law.h"
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

static bool check_table_part(nsds_context *context, const char *path, const char *what, int count,
                             const void *entries) {
  if (count >= 0 && (count == 0 || entries)) return true;
  nsds_fail(context, NSDS_ERROR_PLUGIN, "nsds_plugin_open: the table of %s promises %d %s%s", path,
            count, what, entries ? "" : " and has none");
  return false;
}

/* Checks names and functions of entries. Solvers are checked at registration. */
static bool check_entries(nsds_context *context, const char *path,
                          const nsds_plugin_table_type *table) {
  const char *what = NULL;
  int k = 0;
  for (int i = 0; !what && i < table->count; ++i)
    if (!table->entry[i].name || !table->entry[i].function) what = "entry", k = i;
  for (int i = 0; !what && i < table->nlaw; ++i)
    if (!table->law[i].name || !table->law[i].make) what = "law", k = i;
  for (int i = 0; !what && i < table->nsolver; ++i)
    if (!table->solver[i] || !table->solver[i]->name) what = "solver", k = i;
  if (!what) return true;
  nsds_fail(context, NSDS_ERROR_PLUGIN,
            "nsds_plugin_open: %s %d of %s has no name or no function; it must have both", what, k,
            path);
  return false;
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
  return check_table_part(context, path, "entries", table->count, table->entry) &&
         check_table_part(context, path, "laws", table->nlaw, table->law) &&
         check_table_part(context, path, "solvers", table->nsolver, table->solver) &&
         check_entries(context, path, table);
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
    const char *why = dlerror(); /* may or may not begin with the path */
    size_t size = strlen(path);
    if (why && strncmp(why, path, size) == 0 && strncmp(why + size, ": ", 2) == 0) why += size + 2;
    nsds_fail(context, NSDS_ERROR_PLUGIN, "nsds_plugin_open: %s: cannot be loaded: %s%s", path,
              why ? why : "",
              strchr(path, '/') ? ""
                                : "; a name without '/' is not looked for in the working "
                                  "directory: write ./ before it");
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

/* ---- laws and solvers ------------------------------------------------------------------------ */

/* Reports an unknown name, with the known names. */
static void fail_name(nsds_plugin *plugin, const char *call, const char *what, const char *name,
                      const char *names) {
  nsds_fail(plugin->model->context, NSDS_ERROR_PLUGIN, "%s: %s has no %s '%s'; it has: %s", call,
            plugin->path, what, name, names[0] ? names : "none");
}

static size_t append_name(char *text, size_t size, size_t used, const char *name) {
  if (used + 1 >= size) return used;
  int wrote = snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
  return wrote > 0 ? used + (size_t)wrote : used;
}

static const nsds_plugin_law_entry *find_law(nsds_plugin *plugin, const char *name) {
  const nsds_plugin_table_type *table = plugin->table;
  char names[256] = "";
  size_t used = 0;
  for (int k = 0; k < table->nlaw; ++k) {
    if (strcmp(table->law[k].name, name) == 0) return &table->law[k];
    used = append_name(names, sizeof names, used, table->law[k].name);
  }
  fail_name(plugin, "nsds_plugin_law", "law", name, names);
  return NULL;
}

nsds_law *nsds_plugin_law(nsds_plugin *plugin, const char *name, int nz, const double *z) {
  const char *call = "nsds_plugin_law";
  if (!plugin) return NULL;
  nsds_model *model = plugin->model;
  nsds_context *context = model->context;
  if (!name) {
    nsds_fail_null(context, call, "name");
    return NULL;
  }
  const nsds_plugin_law_entry *entry = nsds_check_idle(model, call) ? NULL : find_law(plugin, name);
  if (!entry) return NULL;
  if (nz != entry->nz || (nz > 0 && !z)) {
    nsds_fail(context, NSDS_ERROR_SIZE, "%s: law '%s' of %s takes nz = %d parameters; given are %d",
              call, name, plugin->path, entry->nz, z ? nz : 0);
    return NULL;
  }
  if (!nsds_check_finite(context, call, "z", z, nz)) return NULL;
  nsds_custom_law_def def = {.ops = NULL};
  unsigned long failures = nsds_failures(context);
  model->busy = NSDS_BUSY_CALL;
  nsds_status status = entry->make(context, nz, z, &def);
  model->busy = 0;
  if (!status && def.ops) return nsds_custom_law(model, &def);
  if (!status || nsds_failures(context) == failures)
    nsds_fail(context, NSDS_ERROR_PLUGIN,
              "%s: `make` of law '%s' of %s returned %d%s; it must return 0 and write a definition",
              call, name, plugin->path, (int)status, status ? "" : " without operations");
  return NULL;
}

static const nsds_solver_ops *find_solver(nsds_plugin *plugin, const char *name) {
  const nsds_plugin_table_type *table = plugin->table;
  char names[256] = "";
  size_t used = 0;
  for (int k = 0; k < table->nsolver; ++k) {
    if (strcmp(table->solver[k]->name, name) == 0) return table->solver[k];
    used = append_name(names, sizeof names, used, table->solver[k]->name);
  }
  fail_name(plugin, "nsds_plugin_solver", "solver", name, names);
  return NULL;
}

nsds_status nsds_plugin_solver(nsds_plugin *plugin, const char *name) {
  const char *call = "nsds_plugin_solver";
  if (!plugin) return nsds_fail_null(NULL, call, "plugin");
  nsds_context *context = plugin->model->context;
  if (!name) return nsds_fail_null(context, call, "name");
  const nsds_solver_ops *ops = find_solver(plugin, name);
  if (!ops) return NSDS_ERROR_PLUGIN;
  const nsds_solver_row *row;
  for (int k = 0; (row = nsds_solver_registered(context, k)); ++k)
    if (row->name == ops->name) return NSDS_OK;
  nsds_status status = nsds_solver_register(context, ops);
  if (!status) plugin->stays = true;
  return status;
}

const nsds_type nsds_law_plugin = {
    .type = "plugin",
    .help = "A law of a plugin.",
    .field = (const nsds_field[]){TEXT("file", NULL,
                                       "Path of the shared object, relative to the model file."),
                                  TEXT("law", NULL, "Name of the law in the plugin."),
                                  VECTOR("z", "any", NULL, "zero", "Parameters of the law."), END},
    .call = "nsds_plugin_law"};
