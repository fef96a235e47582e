/*
 * The schema as text, see schema_print.h. All three walk through the table in its order.
 */
#include "run/model/schema_print.h"

#include "base/text/format.h"

#include <nsds/quantity.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put(const nsds_printer *to, const char *text) { to->write(text, to->user); }

NSDS_PRINTF(2, 3)
static void put_formatted(const nsds_printer *to, const char *format, ...) {
  char text[700];
  va_list list;
  va_start(list, format);
  nsds_format_message(text, sizeof text, format, list);
  va_end(list);
  put(to, text);
}

static void put_spaces(const nsds_printer *to, int count) {
  for (int k = 0; k < count; ++k) put(to, " ");
}

/* ---- expansion ------------------------------------------------------------------------------- */

/* Tells if a plain scalar reads back as itself, also within [ ] and { }. */
static bool is_plain(const char *text) {
  const char *safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-*/()^ <=";
  size_t size = strlen(text);
  if (size == 0 || strspn(text, safe) != size || text[size - 1] == ' ' || text[0] == ' ')
    return false;
  if (strchr("*<=", text[0])) return false;
  return !(text[0] == '-' && (text[1] == ' ' || text[1] == '\0' || text[1] == '-'));
}

/* Size of a character of UTF-8 that YAML takes only by its number: controls, breaks of lines, marks. 0: another
 * character. */
static int special_size(const char *text, unsigned *number) {
  const unsigned char *u = (const unsigned char *)text;
  *number = u[0];
  if (u[0] < 0x20 || u[0] == 0x7f) return 1;
  if (u[0] == 0xc2 && u[1] >= 0x80 && u[1] <= 0x9f) return *number = u[1], 2;
  if ((u[0] & 0xf0) != 0xe0 || !u[1] || !u[2]) return 0;
  *number = (u[0] & 0xfu) << 12 | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu);
  bool special = *number == 0x2028 || *number == 0x2029 || *number == 0xfeff || *number >= 0xfffe;
  return special ? 3 : 0;
}

static void put_scalar(const nsds_printer *to, const char *text) {
  char one[2] = {0};
  unsigned number;
  if (is_plain(text)) {
    put(to, text);
    return;
  }
  put(to, "\"");
  for (; *text; ++text) {
    int size = special_size(text, &number);
    one[0] = *text;
    if (*text == '\n') put(to, "\\n");
    else if (*text == '\t') put(to, "\\t");
    else if (*text == '\r') put(to, "\\r");
    else if (size > 0) {
      put_formatted(to, "\\u%04X", number);
      text += size - 1;
    } else if (*text == '"' || *text == '\\') put_formatted(to, "\\%c", *text);
    else put(to, one);
  }
  put(to, "\"");
}

/* A value as it stands in the file, in one line. */
static void put_value(const nsds_printer *to, const nsds_yaml *node) {
  if (node->kind == NSDS_YAML_SCALAR) {
    put_scalar(to, node->text);
    return;
  }
  put(to, node->kind == NSDS_YAML_LIST ? "[" : "{");
  for (int k = 0; k < node->count; ++k) {
    if (k) put(to, ", ");
    if (node->kind == NSDS_YAML_MAP) {
      put_scalar(to, node->key[k]->text);
      put(to, ": ");
    }
    put_value(to, node->item[k]);
  }
  put(to, node->kind == NSDS_YAML_LIST ? "]" : "}");
}

static void put_object(const nsds_printer *to, const nsds_family *family, const nsds_yaml *node,
                       int indent, bool first_in_line);

static void put_objects(const nsds_printer *to, const nsds_field *key, const nsds_yaml *node,
                        int indent) {
  bool list = key->kind == NSDS_FIELD_LIST;
  if (node->count == 0) put(to, list ? " []" : " {}");
  put(to, "\n");
  for (int k = 0; k < node->count; ++k) {
    put_spaces(to, indent + 2);
    if (list) put(to, "- ");
    else put_formatted(to, "%s:\n", node->key[k]->text);
    put_object(to, nsds_schema_family(key->family), node->item[k], indent + 4, list);
  }
}

static bool is_object(const nsds_field *key, const nsds_yaml *node) {
  return node->kind == NSDS_YAML_MAP &&
         (key->kind == NSDS_FIELD_OBJECT || key->kind == NSDS_FIELD_REFERENCE);
}

static bool has_keys(const nsds_family *family, const nsds_yaml *node) {
  const nsds_yaml *type = nsds_yaml_find(node, "type");
  const nsds_type *object = nsds_schema_member(family, type ? type->text : NULL);
  return object && (object->type || object->field->name);
}

static void put_key(const nsds_printer *to, const nsds_field *key, const nsds_yaml *node,
                    int indent) {
  put_formatted(to, "%s:", key->name);
  if (!node) {
    bool text = key->kind == NSDS_FIELD_TEXT && !key->fallback[0];
    put_formatted(to, " %s\n", text ? "\"\"" : key->fallback);
  } else if (is_object(key, node) && has_keys(nsds_schema_family(key->family), node)) {
    put(to, "\n");
    put_object(to, nsds_schema_family(key->family), node, indent + 2, false);
  } else if ((key->kind == NSDS_FIELD_OBJECTS && node->kind == NSDS_YAML_MAP) ||
             (key->kind == NSDS_FIELD_LIST && node->kind == NSDS_YAML_LIST)) {
    put_objects(to, key, node, indent);
  } else {
    put(to, " ");
    put_value(to, node);
    put(to, "\n");
  }
}

static void put_object(const nsds_printer *to, const nsds_family *family, const nsds_yaml *node,
                       int indent, bool first_in_line) {
  const nsds_yaml *type = nsds_yaml_find(node, "type");
  const nsds_type *object = nsds_schema_member(family, type ? type->text : NULL);
  if (object->type) {
    if (!first_in_line) put_spaces(to, indent);
    put_formatted(to, "type: %s\n", object->type);
    first_in_line = false;
  }
  for (const nsds_field *key = object->field; key->name; ++key) {
    if (!first_in_line) put_spaces(to, indent);
    put_key(to, key, nsds_yaml_find(node, key->name), indent);
    first_in_line = false;
  }
}

static void put_parameters(const nsds_printer *to, const nsds_expansion *e) {
  const nsds_yaml *map = nsds_yaml_find(e->root, "parameters");
  put(to, "parameters:");
  if (!map || map->kind != NSDS_YAML_MAP || map->count == 0) {
    put(to, " zero\n");
    return;
  }
  put(to, "\n");
  for (int k = 0; k < map->count; ++k) {
    const char *other = e->setting ? e->setting(e->user, map->key[k]->text) : NULL;
    put_formatted(to, "  %s: ", map->key[k]->text);
    put_scalar(to, other ? other : map->item[k]->text);
    put(to, "\n");
  }
}

void nsds_schema_print_expansion(const nsds_printer *to, const nsds_expansion *e) {
  for (const nsds_field *key = nsds_schema_file.member[0]->field; key->name; ++key)
    if (strcmp(key->name, "parameters") == 0) put_parameters(to, e);
    else put_key(to, key, nsds_yaml_find(e->root, key->name), 0);
}

/* ---- a tree as it is ------------------------------------------------------------------------- */

/* Characters of a node in one line, or a number above 90. */
static size_t width_of(const nsds_yaml *node) {
  size_t width = 2;
  if (node->kind == NSDS_YAML_SCALAR) return strlen(node->text);
  for (int k = 0; k < node->count && width <= 90; ++k)
    width += 2 + width_of(node->item[k]) +
             (node->kind == NSDS_YAML_MAP ? 2 + strlen(node->key[k]->text) : 0);
  return width;
}

/* Tells if a node takes a line for each item: long maps, and lists of maps. */
static bool is_block(const nsds_yaml *node, int indent) {
  if (node->kind == NSDS_YAML_SCALAR || node->count == 0) return false;
  if (node->kind == NSDS_YAML_LIST && node->item[0]->kind != NSDS_YAML_MAP) return false;
  return indent == 0 || width_of(node) > 90;
}

static void put_tree(const nsds_printer *to, const nsds_yaml *node, int indent, bool in_list) {
  for (int k = 0; k < node->count; ++k) {
    const nsds_yaml *item = node->item[k];
    bool map = node->kind == NSDS_YAML_MAP, block = is_block(item, indent + 2);
    if (k || !in_list) put_spaces(to, indent);
    if (map) put_scalar(to, node->key[k]->text);
    put(to, map ? ":" : "-");
    put(to, block && map ? "\n" : " ");
    if (block) put_tree(to, item, indent + 2, !map);
    else put_value(to, item);
    if (!block) put(to, "\n");
  }
}

void nsds_schema_print_tree(const nsds_printer *to, const nsds_yaml *root) {
  put_tree(to, root, 0, false);
}

/* ---- families -------------------------------------------------------------------------------- */

enum { most_families = 40 };

/* All families that keys of a family lead to, each once, in the order of the table. */
static int collect(const nsds_family *family, const nsds_family **found, int count) {
  for (int k = 0; k < count; ++k)
    if (found[k] == family) return count;
  if (count == most_families) return count;
  found[count++] = family;
  for (const nsds_type *const *m = family->member; *m; ++m)
    for (const nsds_field *key = (*m)->field; key->name; ++key)
      if (key->family) count = collect(nsds_schema_family(key->family), found, count);
  return count;
}

/* ---- JSON schema ----------------------------------------------------------------------------- */

static void put_quoted(const nsds_printer *to, const char *text) {
  put(to, "\"");
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\') put(to, "\\");
    char one[2] = {*text, '\0'};
    put(to, one);
  }
  put(to, "\"");
}

static void put_reference(const nsds_printer *to, const char *family) {
  put(to, "{\"$ref\": \"#/$defs/");
  for (const char *c = family; *c; ++c) {
    char one[2] = {*c == ' ' ? '_' : *c, '\0'};
    put(to, one);
  }
  put(to, "\"}");
}

static void put_words(const nsds_printer *to, const char *words) {
  put(to, "\"enum\": [");
  for (const char *w = words; *w;) {
    int size = (int)strcspn(w, " ");
    put_formatted(to, "%s\"%.*s\"", w == words ? "" : ", ", size, w);
    w += size;
    w += strspn(w, " ");
  }
  put(to, "]");
}

/* The types of JSON for a kind. */
static void put_kind(const nsds_printer *to, const nsds_field *key) {
  switch (key->kind) {
  case NSDS_FIELD_TRUTH: put(to, "\"type\": \"boolean\""); break;
  case NSDS_FIELD_TEXT:
  case NSDS_FIELD_NAME: put(to, "\"type\": \"string\""); break;
  case NSDS_FIELD_NUMBER:
  case NSDS_FIELD_INTEGER:
  case NSDS_FIELD_EXPRESSION: put(to, "\"type\": [\"number\", \"string\"]"); break;
  case NSDS_FIELD_WORD: put_words(to, key->words); break;
  case NSDS_FIELD_NAMES:
    put(to, "\"type\": [\"string\", \"array\"], \"items\": {\"type\": \"string\"}");
    break;
  case NSDS_FIELD_VECTOR:
  case NSDS_FIELD_MATRIX:
  case NSDS_FIELD_FUNCTION:
    put(to, "\"type\": [\"number\", \"string\", \"array\", \"object\"]");
    break;
  case NSDS_FIELD_VALUES: put(to, "\"type\": [\"object\", \"array\", \"string\"]"); break;
  case NSDS_FIELD_SETTINGS: put(to, "\"type\": [\"object\", \"string\"]"); break;
  case NSDS_FIELD_COLUMNS: put(to, "\"type\": [\"array\", \"string\"]"); break;
  case NSDS_FIELD_OBJECT:
  case NSDS_FIELD_REFERENCE:
    put(to, "\"anyOf\": [{\"type\": \"string\"}, ");
    put_reference(to, key->family);
    put(to, "]");
    break;
  case NSDS_FIELD_OBJECTS:
    put(to, "\"type\": [\"object\", \"string\"], \"additionalProperties\": ");
    put_reference(to, key->family);
    break;
  default:
    put(to, "\"type\": [\"array\", \"string\"], \"items\": ");
    put_reference(to, key->family);
  }
}

static void put_json_object(const nsds_printer *to, const nsds_type *object) {
  put(to, "{\"type\": \"object\", \"description\": ");
  put_quoted(to, object->help);
  put(to, ", \"additionalProperties\": false, \"properties\": {");
  if (object->type) put_formatted(to, "\"type\": {\"const\": \"%s\"}", object->type);
  for (const nsds_field *key = object->field; key->name; ++key) {
    put_formatted(to, "%s\n      \"%s\": {", key != object->field || object->type ? "," : "",
                  key->name);
    put_kind(to, key);
    put(to, ", \"description\": ");
    put_quoted(to, key->help);
    put(to, "}");
  }
  put(to, "}, \"required\": [");
  const char *comma = "";
  if (object->type) put(to, "\"type\""), comma = ", ";
  for (const nsds_field *key = object->field; key->name; ++key)
    if (!key->fallback) {
      put_formatted(to, "%s\"%s\"", comma, key->name);
      comma = ", ";
    }
  put(to, "]}");
}

static void put_json_family(const nsds_printer *to, const nsds_family *family) {
  put(to, "{\"oneOf\": [");
  for (const nsds_type *const *m = family->member; *m; ++m) {
    put(to, m == family->member ? "\n    " : ",\n    ");
    put_json_object(to, *m);
  }
  put(to, "]}");
}

void nsds_schema_print_json(const nsds_printer *to) {
  const nsds_family *all[most_families];
  int count = collect(&nsds_schema_file, all, 0);
  put(to, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": "
          "\"nsds model file\",\n  \"$ref\": \"#/$defs/file\",\n  \"$defs\": {");
  for (int k = 0; k < count; ++k) {
    put(to, k ? ",\n  \"" : "\n  \"");
    for (const char *c = all[k]->name; *c; ++c) put_formatted(to, "%c", *c == ' ' ? '_' : *c);
    put(to, "\": ");
    put_json_family(to, all[k]);
  }
  put(to, "\n  }\n}\n");
}

/* ---- reference ------------------------------------------------------------------------------- */

static const char *kind_word(const nsds_field *key) {
  switch (key->kind) {
  case NSDS_FIELD_NUMBER: return "number";
  case NSDS_FIELD_INTEGER: return "whole number";
  case NSDS_FIELD_TRUTH: return "true or false";
  case NSDS_FIELD_TEXT: return "text";
  case NSDS_FIELD_WORD: return "";
  case NSDS_FIELD_NAME: return "name";
  case NSDS_FIELD_NAMES: return "names";
  case NSDS_FIELD_VECTOR: return "vector";
  case NSDS_FIELD_MATRIX: return "matrix";
  case NSDS_FIELD_FUNCTION: return "function";
  case NSDS_FIELD_EXPRESSION: return "quantity";
  case NSDS_FIELD_VALUES: return "names with values";
  case NSDS_FIELD_SETTINGS: return "parameters with quantities";
  case NSDS_FIELD_COLUMNS: return "list of columns";
  case NSDS_FIELD_OBJECTS: return "names with objects";
  case NSDS_FIELD_LIST: return "list of objects";
  case NSDS_FIELD_REFERENCE: return "name or object";
  default: return "object";
  }
}

/* Names that a function may use, in words. */
static void put_uses(const nsds_printer *to, const char *uses) {
  const char *comma = " of ";
  for (; *uses; ++uses) {
    put_formatted(to, "%s%c", comma, *uses);
    if (*uses == 'l') put(to, "ambda");
    comma = ", ";
  }
}

static void put_row(const nsds_printer *to, const nsds_field *key) {
  put_formatted(to, "| `%s` | %s", key->name, kind_word(key));
  if (key->words) {
    for (const char *w = key->words; *w; w += strcspn(w, " "), w += strspn(w, " "))
      put_formatted(to, "%s`%.*s`", w == key->words ? "" : ", ", (int)strcspn(w, " "), w);
  }
  if (key->uses) put_uses(to, key->uses);
  if (key->family)
    put_formatted(to, ": [%s](#%s)", key->family,
                  strcmp(key->family, "contact set") == 0 ? "contact-set" : key->family);
  if (key->size) put_formatted(to, ", %s", key->size);
  if (key->range) put_formatted(to, ", %s%s", strchr("[(", key->range[0]) ? "in " : "", key->range);
  const char *fallback = !key->fallback ? "required" : key->fallback[0] ? key->fallback : "empty";
  put_formatted(to, " | %s | %s%s%s | %s |\n", key->unit ? key->unit : "", key->fallback ? "`" : "",
                fallback, key->fallback ? "`" : "", key->help);
}

/* All quantities of the library, which expressions of a run may use. */
static void put_quantities(const nsds_printer *to) {
  static const char *const owner[] = {"the run", "a system", "an interaction", "a contact set",
                                      "a sensor"};
  put(to, "### quantity\n\nA value of the running model.\n\n"
          "| quantity | of | entries | unit | meaning |\n|---|---|---|---|---|\n");
  for (const nsds_quantity *q = nsds_quantity_table(); q->name; ++q)
    put_formatted(to, "| `%s%s` | %s | %s | %s | %s |\n", q->name, q->size ? "[0]" : "",
                  owner[q->owner], q->size ? q->size : "", q->unit ? q->unit : "", q->help);
  put(to, "\n");
}

void nsds_schema_print_reference(const nsds_printer *to) {
  const nsds_family *all[most_families];
  int count = collect(&nsds_schema_file, all, 0);
  for (int k = 0; k < count; ++k) {
    put_formatted(to, "### %s\n\n%s\n", all[k]->name, all[k]->help);
    for (const nsds_type *const *m = all[k]->member; *m; ++m) {
      if ((*m)->type) put_formatted(to, "\n`type: %s`. %s\n", (*m)->type, (*m)->help);
      if (!(*m)->field->name) continue;
      put(to, "\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
      for (const nsds_field *key = (*m)->field; key->name; ++key) put_row(to, key);
    }
    put(to, "\n");
  }
  put_quantities(to);
}
