/*
 * Laws of a model file, see model_laws.h. Laws of the key `laws` are made first, and found by their
 * names; others are made for their interactions. A function for each type calls the constructor of
 * the library with the numbers of its keys.
 */
#include "run/model/model_laws.h"

#include <math.h>
#include <string.h>

static nsds_law *make_newton(const nsds_entry *e) {
  return nsds_newton_impact(e->file->model, nsds_entry_number(e, "e"));
}

static nsds_law *make_poisson(const nsds_entry *e) {
  return nsds_poisson_impact(e->file->model, nsds_entry_number(e, "e"));
}

static nsds_law *make_distributing(const nsds_entry *e) {
  return nsds_distributing_impact(
      e->file->model,
      &(nsds_distributing_impact_def){.restitution = nsds_entry_number(e, "restitution"),
                                      .stiffness = nsds_entry_number(e, "stiffness"),
                                      .exponent = nsds_entry_number(e, "exponent"),
                                      .bi_stiffness = nsds_entry_truth(e, "bi_stiffness")});
}

static nsds_law *make_newton_friction(const nsds_entry *e) {
  nsds_newton_impact_friction_def def = {.dimension = nsds_entry_integer(e, "dimension"),
                                         .mu = nsds_entry_number(e, "mu"),
                                         .e_n = nsds_entry_number(e, "e_n"),
                                         .e_t = nsds_entry_number(e, "e_t")};
  nsds_entry_fill(e, "slip", def.slip, 1, 2);
  return nsds_file_failed(e->file) ? NULL : nsds_newton_impact_friction(e->file->model, &def);
}

static nsds_law *make_fremond_friction(const nsds_entry *e) {
  nsds_fremond_impact_friction_def def = {.dimension = nsds_entry_integer(e, "dimension"),
                                          .mu = nsds_entry_number(e, "mu"),
                                          .e_n = nsds_entry_number(e, "e_n")};
  nsds_entry_fill(e, "slip", def.slip, 1, 2);
  return nsds_file_failed(e->file) ? NULL : nsds_fremond_impact_friction(e->file->model, &def);
}

static nsds_law *make_rolling(const nsds_entry *e) {
  nsds_newton_impact_rolling_def def = {.dimension = nsds_entry_integer(e, "dimension"),
                                        .mu = nsds_entry_number(e, "mu"),
                                        .mu_rolling = nsds_entry_number(e, "mu_rolling"),
                                        .e_n = nsds_entry_number(e, "e_n"),
                                        .e_t = nsds_entry_number(e, "e_t")};
  nsds_entry_fill(e, "slip", def.slip, 1, 2);
  return nsds_file_failed(e->file) ? NULL : nsds_newton_impact_rolling(e->file->model, &def);
}

static nsds_law *make_complementarity(const nsds_entry *e) {
  return nsds_complementarity(e->file->model);
}

static nsds_law *make_equality(const nsds_entry *e) { return nsds_equality(e->file->model); }

/* Bounds of a relay or a saturation; the size of the law, 0 with a message. */
static int read_bounds(const nsds_entry *e, const double **lower, const double **upper) {
  int size, same;
  *lower = nsds_entry_vector(e, "lower", -1, &size);
  *upper = nsds_entry_vector(e, "upper", -1, &same);
  if (nsds_file_failed(e->file)) return 0;
  if (size == 0 || size != same)
    nsds_file_fail(e->file, nsds_entry_place(e, "upper"),
                   "upper has %d entries and lower has %d; they need as many, at least 1", same,
                   size);
  return nsds_file_failed(e->file) ? 0 : size;
}

static nsds_law *make_relay(const nsds_entry *e) {
  const double *lower, *upper;
  int size = read_bounds(e, &lower, &upper);
  return size ? nsds_relay(e->file->model, size, lower, upper) : NULL;
}

static nsds_law *make_saturation(const nsds_entry *e) {
  const double *lower, *upper;
  int size = read_bounds(e, &lower, &upper);
  double slope = nsds_entry_number(e, "slope");
  return size && !nsds_file_failed(e->file)
             ? nsds_saturation(e->file->model, size, lower, upper, slope)
             : NULL;
}

static nsds_law *make_normal_cone(const nsds_entry *e) {
  nsds_file_matrix H;
  if (!nsds_entry_matrix(e, "H", -1, -1, false, &H)) return NULL;
  const double *K = nsds_entry_vector(e, "K", H.rows, NULL);
  return K && H.dense ? nsds_normal_cone(e->file->model, H.cols, H.rows, H.dense, K) : NULL;
}

static nsds_law *make_plugin_law(const nsds_entry *e) {
  int nz;
  const nsds_yaml *place = nsds_entry_place(e, "file");
  const double *z = nsds_entry_vector(e, "z", -1, &nz);
  if (nsds_file_failed(e->file) || !nsds_file_may_open(e->file, place)) return NULL;
  const char *path = nsds_file_path(e->file, nsds_entry_text(e, "file"));
  nsds_plugin *plugin = path ? nsds_plugin_open(e->file->model, path) : NULL;
  return nsds_plugin_law(plugin, nsds_entry_text(e, "law"), nz, z);
}

typedef struct law_type {
  const char *type;
  nsds_law *(*make)(const nsds_entry *entry);
} law_type;

static const law_type types[] = {{"newton_impact", make_newton},
                                 {"poisson_impact", make_poisson},
                                 {"distributing_impact", make_distributing},
                                 {"newton_impact_friction", make_newton_friction},
                                 {"fremond_impact_friction", make_fremond_friction},
                                 {"newton_impact_rolling", make_rolling},
                                 {"complementarity", make_complementarity},
                                 {"equality", make_equality},
                                 {"relay", make_relay},
                                 {"saturation", make_saturation},
                                 {"normal_cone", make_normal_cone},
                                 {"plugin", make_plugin_law}};

static nsds_law *make_law_of_file(const nsds_entry *entry) {
  nsds_law *law = NULL;
  for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
    if (strcmp(types[k].type, entry->schema->type) == 0) law = types[k].make(entry);
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
