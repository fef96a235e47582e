/* Writes names of objects for messages: "system 'ball' (#0, lagrangian_linear)". */
#include "kernel/modeling/label.h"

#include "kernel/modeling/modeling.h"

const char *nsds_ds_label(const nsds_ds *ds, char *buffer) {
  if (ds->tag.name[0]) snprintf(buffer, nsds_label_size, "system '%s'", ds->tag.name);
  else snprintf(buffer, nsds_label_size, "system #%d (%s)", ds->index, ds->type.name);
  return buffer;
}

const char *nsds_next_ds_label(const nsds_model *model, const char *type, const char *name,
                               char *buffer) {
  if (name) snprintf(buffer, nsds_label_size, "system '%.*s'", nsds_name_size - 1, name);
  else snprintf(buffer, nsds_label_size, "system #%d (%s)", (int)model->ds.count, type);
  return buffer;
}

const char *nsds_relation_label(const nsds_relation *relation, char *buffer) {
  if (relation->tag.name[0]) snprintf(buffer, nsds_label_size, "relation '%s'", relation->tag.name);
  else snprintf(buffer, nsds_label_size, "relation #%d (%s)", relation->index, relation->ops->type);
  return buffer;
}

const char *nsds_interaction_label(const nsds_interaction *ia, char *buffer) {
  if (ia->tag.name[0]) snprintf(buffer, nsds_label_size, "interaction '%s'", ia->tag.name);
  else snprintf(buffer, nsds_label_size, "interaction #%d", ia->index);
  return buffer;
}

const char *nsds_law_called(const nsds_law *law) {
  return law->tag.name[0] ? law->tag.name : law->ops->type;
}

const char *nsds_model_label(const nsds_model *model, char *buffer) {
  if (model->tag.name[0]) snprintf(buffer, nsds_label_size, "model '%s'", model->tag.name);
  else snprintf(buffer, nsds_label_size, "the model");
  return buffer;
}
