/*
 * Compares a file with the schema, see schema_check.h. Every key has to be known, and every
 * required key to be there. Every value has to be of the kind that its key asks for. Numbers and
 * names are looked at later, when the model is made.
 */
#include "run/model/schema_check.h"

#include <stdio.h>
#include <string.h>

static bool check_value(nsds_model_file *file, const nsds_field *key, const nsds_yaml *node);

static const char *schema_what_is(const nsds_yaml *node) {
  if (node->kind == NSDS_YAML_MAP) return "a map";
  return node->kind == NSDS_YAML_LIST ? "a list" : "a scalar";
}

static bool schema_expected(nsds_model_file *file, const nsds_field *key, const nsds_yaml *node,
                            const char *valid) {
  return nsds_file_fail(file, node, "%s is %s; valid is %s", key->name, schema_what_is(node),
                        valid) != NULL;
}

static bool is_scalar(const nsds_yaml *node) {
  return node->kind == NSDS_YAML_SCALAR && (node->quoted || node->text[0]);
}

static void unknown_key(nsds_model_file *file, const nsds_family *family, const nsds_type *object,
                        const nsds_yaml *key) {
  nsds_name_list list;
  nsds_name_list_begin(&list, key->text);
  list.most = 1000; /* keys, until the text is full */
  if (object->type) nsds_name_list_add(&list, "type");
  for (const nsds_field *k = object->field; k->name; ++k) nsds_name_list_add(&list, k->name);
  const char *article = strchr("aeiou", family->name[0]) ? "an" : "a";
  nsds_file_fail(file, key, "%s %s%s%s has no key \"%.40s\"%s%s; valid are %s", article,
                 family->name, object->type ? " of type " : "", object->type ? object->type : "",
                 key->text, list.did_you_mean, nsds_comma_hint(key), list.names);
}

/* The member of the family that a map asks for by its type; NULL with a message. */
static const nsds_type *find_member(nsds_model_file *file, const nsds_family *family,
                                    const nsds_yaml *node) {
  nsds_name_list list;
  if (!family->member[0]->type) return family->member[0];
  const nsds_yaml *type = nsds_yaml_find(node, "type");
  const nsds_type *member = type && is_scalar(type) ? nsds_schema_member(family, type->text) : NULL;
  if (member) return member;
  nsds_name_list_begin(&list, type && is_scalar(type) ? type->text : "");
  list.most = 1000;
  for (const nsds_type *const *m = family->member; *m; ++m) nsds_name_list_add(&list, (*m)->type);
  if (!type)
    return nsds_file_fail(file, node, "a %s needs the key type; valid are %s", family->name,
                          list.names);
  if (!is_scalar(type))
    return nsds_file_fail(file, type, "type is %s; valid are %s", schema_what_is(type), list.names);
  return nsds_file_fail(file, type, "there is no %s of type \"%.40s\"%s; valid are %s",
                        family->name, type->text, list.did_you_mean, list.names);
}

/* Keys of an object; each fault is a part. *unknown: there is a key that the object does not
 * have. */
static bool check_keys(nsds_model_file *file, const nsds_family *family, const nsds_type *object,
                       const nsds_yaml *node, bool *unknown) {
  bool fine = true, is_root = node == file->root;
  for (int k = 0; k < node->count; ++k) {
    const char *name = node->key[k]->text;
    if (object->type && strcmp(name, "type") == 0) continue;
    const nsds_field *key = nsds_schema_find(object, name);
    if (key && check_value(file, key, node->item[k])) continue;
    fine = false;
    if (!key) {
      unknown_key(file, family, object, node->key[k]);
      *unknown = true;
    }
    bool whole = key && (key->kind == NSDS_FIELD_OBJECT || key->kind == NSDS_FIELD_LIST);
    if (is_root && !whole && !(key && key->kind == NSDS_FIELD_OBJECTS)) file->faults.root = true;
    bool more = is_root && whole ? nsds_file_go_on_without(file, name) : nsds_file_go_on(file);
    if (!more) break;
  }
  return fine;
}

/* A key that is missing may be the one that is misspelt, so that it is not asked for then. */
static bool check_required(nsds_model_file *file, const nsds_family *family,
                           const nsds_type *object, const nsds_yaml *node) {
  for (const nsds_field *k = object->field; k->name; ++k)
    if (!k->fallback && !nsds_yaml_find(node, k->name)) {
      if (node == file->root) file->faults.root = true;
      return nsds_file_fail(file, node, "the %s%s%s needs the key %s: %s", family->name,
                            object->type ? " of type " : "", object->type ? object->type : "",
                            k->name, k->help) != NULL;
    }
  return true;
}

bool nsds_schema_check(nsds_model_file *file, const nsds_family *family, const nsds_yaml *node) {
  bool unknown = false;
  if (node->kind != NSDS_YAML_MAP && node == file->root) file->faults.root = true;
  if (node->kind != NSDS_YAML_MAP)
    return nsds_file_fail(file, node, "a %s is a map of keys, not %s", family->name,
                          schema_what_is(node)) != NULL;
  const nsds_type *object = find_member(file, family, node);
  if (!object) return false;
  bool fine = check_keys(file, family, object, node, &unknown);
  return (unknown || check_required(file, family, object, node)) && fine;
}

/* ---- values ---- */

static bool check_word(nsds_model_file *file, const nsds_field *key, const nsds_yaml *node) {
  nsds_name_list list;
  bool word = is_scalar(node);
  nsds_name_list_begin(&list, word ? node->text : "");
  for (const char *at = key->words; *at;) {
    char one[40];
    snprintf(one, sizeof one, "%.*s", (int)strcspn(at, " "), at);
    if (word && strcmp(one, node->text) == 0) return true;
    nsds_name_list_add(&list, one);
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  return nsds_file_fail(file, node, "%s is %s%.40s%s%s; valid are %s", key->name, word ? "\"" : "",
                        word ? node->text : schema_what_is(node), word ? "\"" : "",
                        list.did_you_mean, list.names) != NULL;
}

static bool check_scalars(nsds_model_file *file, const nsds_field *key, const nsds_yaml *list,
                          const char *valid) {
  for (int k = 0; k < list->count; ++k)
    if (!is_scalar(list->item[k])) return schema_expected(file, key, list->item[k], valid);
  return true;
}

/* A map of one of these forms: {file: path}, {diagonal: list}, {entries: list}, {plugin: path,
 * function: name}. */
static bool check_form(nsds_model_file *file, const nsds_field *key, const nsds_yaml *map) {
  const nsds_yaml *path = nsds_yaml_find(map, "file"), *plugin = nsds_yaml_find(map, "plugin"),
                  *function = nsds_yaml_find(map, "function"),
                  *diagonal = nsds_yaml_find(map, "diagonal"),
                  *entries = nsds_yaml_find(map, "entries");
  bool matrix = key->kind == NSDS_FIELD_MATRIX || (key->size && strstr(key->size, " x "));
  if (map->count == 1 && path && is_scalar(path)) return true;
  if (matrix && map->count == 1 && diagonal && diagonal->kind == NSDS_YAML_LIST)
    return check_scalars(file, key, diagonal, "a list of numbers");
  if (matrix && map->count == 1 && entries && entries->kind == NSDS_YAML_LIST) {
    for (int k = 0; k < entries->count; ++k)
      if (entries->item[k]->kind != NSDS_YAML_LIST || entries->item[k]->count != 3)
        return schema_expected(file, key, entries->item[k], "an entry [row, column, value]");
    return true;
  }
  if (key->kind == NSDS_FIELD_FUNCTION && key->plugin != NSDS_KIND_NONE && map->count == 2 &&
      plugin && function && is_scalar(plugin) && is_scalar(function))
    return true;
  const nsds_yaml *place = map->count ? map->key[0] : map;
  return nsds_file_fail(file, place, "%s: this map is none of the valid forms: {file: path}%s%s",
                        key->name,
                        matrix ? ", {diagonal: [...]}, {entries: [[row, column, value], ...]}" : "",
                        key->kind == NSDS_FIELD_FUNCTION && key->plugin != NSDS_KIND_NONE
                            ? ", {plugin: path, function: name}"
                            : "") != NULL;
}

static bool check_array(nsds_model_file *file, const nsds_field *key, const nsds_yaml *node) {
  bool matrix = key->kind == NSDS_FIELD_MATRIX ||
                (key->kind == NSDS_FIELD_FUNCTION && key->size && strstr(key->size, " x "));
  if (node->kind == NSDS_YAML_MAP) return check_form(file, key, node);
  if (node->kind == NSDS_YAML_SCALAR)
    return is_scalar(node) || schema_expected(file, key, node, "a number or a list");
  for (int k = 0; k < node->count; ++k) {
    const nsds_yaml *row = node->item[k];
    if (matrix && row->kind == NSDS_YAML_LIST) {
      if (!check_scalars(file, key, row, "a list of numbers as a row")) return false;
      if (row->count != node->item[0]->count)
        return nsds_file_fail(file, row, "%s: this row has %d entries, the first row has %d",
                              key->name, row->count, node->item[0]->count) != NULL;
    } else if (!is_scalar(row))
      return schema_expected(file, key, row, matrix ? "a list of rows" : "a list of numbers");
    if (row->kind != node->item[0]->kind)
      return nsds_file_fail(file, row, "%s mixes rows and numbers; valid is a list of rows",
                            key->name) != NULL;
  }
  return true;
}

static bool check_map(nsds_model_file *file, const nsds_field *key, const nsds_yaml *node,
                      bool names) {
  bool fine = true;
  for (int k = 0; k < node->count && (fine || nsds_file_go_on(file)); ++k) {
    const nsds_yaml *item = node->item[k];
    bool name = !names || nsds_is_name(node->key[k]->text);
    if (name && is_scalar(item)) continue;
    fine = false;
    if (!name)
      nsds_file_fail(file, node->key[k],
                     "%s: \"%.60s\" is not a name; valid are letters, digits and _, 39 at most, no "
                     "digit first",
                     key->name, node->key[k]->text);
    else
      nsds_file_fail(file, item, "%s is %s; valid is a number or an expression", node->key[k]->text,
                     item->text && !item->text[0] ? "empty" : schema_what_is(item));
  }
  return fine;
}

static bool check_column(nsds_model_file *file, const nsds_field *key, const nsds_yaml *node) {
  if (node->kind == NSDS_YAML_SCALAR)
    return is_scalar(node) || schema_expected(file, key, node, "a quantity");
  if (node->kind == NSDS_YAML_LIST)
    return schema_expected(file, key, node, "a quantity, or a map of name, value and unit");
  for (int k = 0; k < node->count; ++k) {
    const char *name = node->key[k]->text;
    if (strcmp(name, "name") != 0 && strcmp(name, "value") != 0 && strcmp(name, "unit") != 0)
      return nsds_file_fail(file, node->key[k],
                            "a column has no key \"%.40s\"; valid are name, value, unit",
                            name) != NULL;
    if (!is_scalar(node->item[k])) return schema_expected(file, key, node->item[k], "a text");
  }
  if (nsds_yaml_find(node, "value")) return true;
  return nsds_file_fail(file, node, "a column needs the key value: a quantity or an expression") !=
         NULL;
}

static bool check_column_list(nsds_model_file *file, const nsds_field *key, const nsds_yaml *list) {
  bool fine = true;
  for (int k = 0; k < list->count && (fine || nsds_file_go_on(file)); ++k)
    fine = check_column(file, key, list->item[k]) && fine;
  return fine;
}

static bool check_objects(nsds_model_file *file, const nsds_field *key, const nsds_yaml *node) {
  bool fine = true;
  if (node->kind != NSDS_YAML_MAP) {
    file->faults.root = true;
    return schema_expected(file, key, node, "a map of names to objects");
  }
  for (int k = 0; k < node->count; ++k) {
    const char *name = node->key[k]->text;
    if (!nsds_is_name(name))
      nsds_file_fail(file, node->key[k],
                     "\"%.60s\" is not a name; valid are letters, digits and _, 39 at most, no "
                     "digit first",
                     name);
    else if (nsds_schema_check(file, nsds_schema_family(key->family), node->item[k])) continue;
    fine = false;
    if (!nsds_file_go_on_without(file, name)) break;
  }
  return fine;
}

static bool check_list(nsds_model_file *file, const nsds_field *key, const nsds_yaml *node) {
  bool fine = true;
  if (node->kind != NSDS_YAML_LIST) return schema_expected(file, key, node, "a list of maps");
  for (int k = 0; k < node->count && (fine || nsds_file_go_on(file)); ++k)
    fine = nsds_schema_check(file, nsds_schema_family(key->family), node->item[k]) && fine;
  return fine;
}

static bool says_default(const nsds_field *key, const nsds_yaml *node) {
  return key->fallback && node->kind == NSDS_YAML_SCALAR && !node->quoted &&
         strcmp(node->text, key->fallback) == 0;
}

static bool check_value(nsds_model_file *file, const nsds_field *key, const nsds_yaml *node) {
  if (node->kind == NSDS_YAML_SCALAR && !node->text[0] && !node->quoted)
    return nsds_file_fail(file, node, "%s has no value: %s", key->name, key->help) != NULL;
  if (says_default(key, node)) return true;
  switch (key->kind) {
  case NSDS_FIELD_NUMBER:
  case NSDS_FIELD_INTEGER: return is_scalar(node) || schema_expected(file, key, node, "a number");
  case NSDS_FIELD_TRUTH:
    return (is_scalar(node) &&
            (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0)) ||
           nsds_file_fail(file, node, "%s is %s%.40s; valid are true and false", key->name,
                          is_scalar(node) ? "" : schema_what_is(node),
                          is_scalar(node) ? node->text : "") != NULL;
  case NSDS_FIELD_TEXT:
    return node->kind == NSDS_YAML_SCALAR || schema_expected(file, key, node, "a text");
  case NSDS_FIELD_EXPRESSION:
    return is_scalar(node) || schema_expected(file, key, node, "an expression");
  case NSDS_FIELD_NAME: return is_scalar(node) || schema_expected(file, key, node, "a name");
  case NSDS_FIELD_WORD: return check_word(file, key, node);
  case NSDS_FIELD_NAMES:
    if (node->kind == NSDS_YAML_LIST && node->count)
      return check_scalars(file, key, node, "a list of names");
    return is_scalar(node) || schema_expected(file, key, node, "a name or a list of names");
  case NSDS_FIELD_VECTOR:
  case NSDS_FIELD_MATRIX:
  case NSDS_FIELD_FUNCTION: return check_array(file, key, node);
  case NSDS_FIELD_VALUES:
    if (node->kind == NSDS_YAML_LIST) return check_scalars(file, key, node, "a list of numbers");
    return node->kind == NSDS_YAML_MAP
               ? check_map(file, key, node, true)
               : schema_expected(file, key, node, "a map of names to numbers");
  case NSDS_FIELD_SETTINGS:
    return node->kind == NSDS_YAML_MAP
               ? check_map(file, key, node, false)
               : schema_expected(file, key, node, "a map of parameters to expressions");
  case NSDS_FIELD_COLUMNS:
    if (node->kind != NSDS_YAML_LIST) return schema_expected(file, key, node, "a list of columns");
    return check_column_list(file, key, node);
  case NSDS_FIELD_REFERENCE:
    if (is_scalar(node)) return true;
    return nsds_schema_check(file, nsds_schema_family(key->family), node);
  case NSDS_FIELD_OBJECT: return nsds_schema_check(file, nsds_schema_family(key->family), node);
  case NSDS_FIELD_OBJECTS: return check_objects(file, key, node);
  default: return check_list(file, key, node);
  }
}
