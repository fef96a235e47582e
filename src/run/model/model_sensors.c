/*
 * Sensors of a model file, see model_sensors.h. The names of body, joint and contact set become the
 * objects of the definition; the catalogue has all other keys.
 */
#include "run/model/model_sensors.h"

#include "run/model/model_define.h"

/* Finds the object that a key names. NULL: the key is not there, or with a message. */
static const nsds_named *find_named(const nsds_entry *e, const char *key, unsigned kind) {
  if (!nsds_schema_find(e->schema, key) || !nsds_entry_has(e, key)) return NULL;
  return nsds_file_find(e->file, nsds_entry_node(e, key), kind);
}

/* The bodies of a list of names; false with a message. */
static bool find_all(const nsds_entry *e, nsds_sensor_def *def) {
  if (!nsds_schema_find(e->schema, "bodies")) return true;
  def->count = nsds_entry_names(e, "bodies");
  nsds_ds **ds = nsds_file_memory(e->file, (size_t)def->count, sizeof(nsds_ds *));
  for (int k = 0; ds && k < def->count; ++k) {
    const nsds_named *body =
        nsds_file_find(e->file, nsds_entry_name(e, "bodies", k), NSDS_NAMED_SYSTEM);
    if (!body) return false;
    ds[k] = body->ds;
  }
  def->bodies = ds;
  return ds != NULL;
}

static nsds_sensor *make_sensor(const nsds_entry *e, const char *name) {
  nsds_sensor_def def = {.name = name};
  const nsds_named *body = find_named(e, "body", NSDS_NAMED_SYSTEM);
  const nsds_named *joint = find_named(e, "joint", NSDS_NAMED_INTERACTION);
  const nsds_named *set = find_named(e, "contacts", NSDS_NAMED_SET);
  if (nsds_file_failed(e->file) || !nsds_entry_define(e, 3, &def) || !find_all(e, &def))
    return NULL;
  if (body) def.ds = body->ds;
  if (joint) def.joint = joint->interaction;
  if (set) def.set = set->set;
  if (def.kind == NSDS_SENSOR_JOINT && !nsds_entry_has(e, "coordinate"))
    def.coordinate = (nsds_joint_coordinate_kind)0;
  return nsds_file_failed(e->file) ? NULL : e->schema->make(e->file->model, &def);
}

static bool add_sensor(const nsds_entry *e, const char *name) {
  nsds_sensor *sensor = make_sensor(e, name);
  if (nsds_file_call_failed(e->file, e->node) || !sensor) return false;
  return nsds_file_add(e->file, &(nsds_named){.kind = NSDS_NAMED_SENSOR,
                                              .name = name,
                                              .schema = e->schema,
                                              .node = e->node,
                                              .sensor = sensor}) != NULL;
}

bool nsds_sensors_make(const nsds_entry *root) {
  nsds_model_file *file = root->file;
  for (int k = 0; k < nsds_entry_count(root, "sensors"); ++k) {
    const char *name = nsds_entry_node(root, "sensors")->key[k]->text;
    if (nsds_file_is_doubtful(file, name)) continue;
    nsds_entry e = nsds_entry_at(root, "sensors", k);
    if (!add_sensor(&e, name) && !nsds_file_go_on_without(file, name)) return false;
  }
  return true;
}
