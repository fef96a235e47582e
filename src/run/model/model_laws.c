/*
 * Laws of a model file, see model_laws.h. Laws of the key `laws` are made first, and found by their
 * names; others are made for their interactions. The catalogue has the types. Only a law of a plugin is
 * made here, as it opens a file.
 */
#include "run/model/model_laws.h"

#include "run/model/model_define.h"

static nsds_law *make_plugin_law(const nsds_entry *e) {
  int nz;
  const nsds_yaml *place = nsds_entry_place(e, "file");
  const double *z = nsds_entry_vector(e, "z", -1, &nz);
  if (nsds_file_failed(e->file) || !nsds_file_may_open(e->file, place)) return NULL;
  const char *path = nsds_file_path(e->file, nsds_entry_text(e, "file"));
  nsds_plugin *plugin = path ? nsds_plugin_open(e->file->model, path) : NULL;
  return nsds_plugin_law(plugin, nsds_entry_text(e, "law"), nz, z);
}

static nsds_law *make_law_of_file(const nsds_entry *entry) {
  nsds_law *law = entry->schema->make ? nsds_entry_make(entry) : make_plugin_law(entry);
  return nsds_file_call_failed(entry->file, entry->node) ? NULL : law;
}

static bool make_named_law(const nsds_entry *entry, const char *name) {
  nsds_law *law = make_law_of_file(entry);
  if (!law) return false;
  nsds_law_set_name(law, name);
  return nsds_file_add(entry->file, &(nsds_named){.kind = NSDS_NAMED_LAW,
                                                  .name = name,
                                                  .schema = entry->schema,
                                                  .node = entry->node,
                                                  .law = law}) != NULL;
}

bool nsds_laws_make(const nsds_entry *root) {
  const nsds_yaml *map = nsds_entry_node(root, "laws");
  for (int k = 0; map && k < map->count; ++k) {
    const char *name = map->key[k]->text;
    if (nsds_file_is_doubtful(root->file, name)) continue;
    nsds_entry entry = nsds_entry_at(root, "laws", k);
    if (!make_named_law(&entry, name) && !nsds_file_go_on_without(root->file, name)) return false;
  }
  return true;
}

nsds_law *nsds_law_read(const nsds_entry *entry, const char *key) {
  const nsds_yaml *node = nsds_entry_node(entry, key);
  if (node->kind == NSDS_YAML_SCALAR) {
    nsds_named *named = nsds_file_find(entry->file, node, NSDS_NAMED_LAW);
    return named ? named->law : NULL;
  }
  nsds_entry e = nsds_entry_object(entry, key);
  return make_law_of_file(&e);
}
