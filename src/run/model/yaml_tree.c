/*
 * A YAML file as a tree, see yaml_tree.h. libyaml's parser gives events; this file makes nodes of
 * them by recursive descent. An alias leads to the node of its anchor, so a tree may share nodes.
 * There are no circles, because an anchor is known when its node is complete.
 */
#include "run/model/yaml_tree.h"

#include "base/text/names.h"
#include "base/text/words.h"

#include <nsds/config.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const nsds_yaml *nsds_yaml_find(const nsds_yaml *map, const char *key) {
  for (int k = 0; map && map->kind == NSDS_YAML_MAP && k < map->count; ++k)
    if (strcmp(map->key[k]->text, key) == 0) return map->item[k];
  return NULL;
}

void nsds_yaml_free(nsds_yaml *root) {
  while (root) {
    nsds_yaml *next = root->made_before;
    nsds_free(root->item);
    nsds_free(root->key);
    nsds_free(root);
    root = next;
  }
}

nsds_yaml *nsds_yaml_hand_over(nsds_yaml *last, nsds_yaml *root) {
  nsds_yaml **link = &last;
  while (root && *link != root) link = &(*link)->made_before;
  if (root) {
    *link = root->made_before;
    root->made_before = last;
    return root;
  }
  nsds_yaml_free(last);
  return NULL;
}

#if NSDS_HAVE_YAML

#include <yaml.h>

typedef struct yaml_reader {
  nsds_context *context;
  yaml_parser_t parser;
  yaml_event_t event; /* the present one */
  bool has_event;
  int depth;
  nsds_names anchors;
  int node_room;
  nsds_yaml **node; /* of each anchor; a later anchor of the name replaces an earlier one */
  nsds_yaml *last;  /* the node made last; it leads to all others */
  const char *text;
  nsds_yaml_error *error;
} yaml_reader;

static nsds_yaml *read_node(yaml_reader *r);

NSDS_PRINTF(3, 4)
static void *yaml_refuse(yaml_reader *r, yaml_mark_t at, const char *format, ...) {
  va_list list;
  va_start(list, format);
  r->error->line = (int)at.line + 1;
  r->error->column = (int)at.column + 1;
  nsds_format_message(r->error->text, sizeof r->error->text, format, list);
  va_end(list);
  return NULL;
}

static void *yaml_no_memory(yaml_reader *r) {
  *r->error = (nsds_yaml_error){.text = "out of memory"};
  return NULL;
}

/* The remedy of two frequent mistakes: a tab before the text of a line, and a bracket behind a name.
 * YAML takes the bracket for a list. Lines and columns count from 0. */
static const char *yaml_remedy(const char *text, yaml_mark_t at) {
  for (size_t k = 0; k < at.line && *text; ++k)
    text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != 0);
  if (memchr(text, '\t', strspn(text, " \t")))
    return "; the line begins with a tab, indent with blanks";
  bool bracket = at.column > 0 && at.column < strcspn(text, "\n") && text[at.column] == '[';
  return bracket && !strchr(" \t,[{:", text[at.column - 1])
             ? "; write a quantity with brackets in quotes here, as in [\"ball.q[0]\"]"
             : "";
}

static bool next_event(yaml_reader *r) {
  if (r->has_event) yaml_event_delete(&r->event);
  r->has_event = yaml_parser_parse(&r->parser, &r->event);
  if (r->has_event) return true;
  if (r->parser.error == YAML_MEMORY_ERROR) yaml_no_memory(r);
  else if (r->parser.error == YAML_READER_ERROR)
    yaml_refuse(r, r->parser.mark, "a byte that is not UTF-8 text (at byte %zu of the file)",
                r->parser.problem_offset);
  else
    yaml_refuse(r, r->parser.problem_mark, "this is not YAML: %s%s%s%s",
                r->parser.context ? r->parser.context : "", r->parser.context ? ", " : "",
                r->parser.problem ? r->parser.problem : "the parser gave up",
                yaml_remedy(r->text, r->parser.problem_mark));
  return false;
}

/* ---- nodes ---- */

/* A node with room for a text behind it. */
static nsds_yaml *make_node(yaml_reader *r, nsds_yaml_kind kind, size_t room) {
  nsds_yaml *node = nsds_alloc(r->context, "a model file", 1, sizeof *node + room);
  if (!node) return yaml_no_memory(r);
  node->kind = kind;
  node->line = (int)r->event.start_mark.line + 1;
  node->column = (int)r->event.start_mark.column + 1;
  node->nodes = node->height = 1;
  node->made_before = r->last;
  r->last = node;
  return node;
}

static nsds_yaml *read_scalar(yaml_reader *r) {
  const char *text = (const char *)r->event.data.scalar.value;
  size_t size = r->event.data.scalar.length;
  if (r->event.data.scalar.tag)
    return yaml_refuse(r, r->event.start_mark, "there are no tags in this format: remove \"%.40s\"",
                       (const char *)r->event.data.scalar.tag);
  if (memchr(text, '\0', size))
    return yaml_refuse(r, r->event.start_mark, "a text must not contain the character NUL");
  nsds_yaml *node = make_node(r, NSDS_YAML_SCALAR, size + 1);
  if (!node) return NULL;
  node->quoted = r->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  node->text = (char *)(node + 1);
  memcpy(node->text, text, size);
  return node;
}

static bool reserve_item(yaml_reader *r, nsds_yaml *node) {
  int count = node->count + 1;
  bool map = node->kind == NSDS_YAML_MAP;
  if (!nsds_room(r->context, &node->item, &node->room, count, sizeof *node->item) &&
      (!map || !nsds_room(r->context, &node->key, &node->key_room, count, sizeof *node->key)))
    return true;
  yaml_no_memory(r);
  return false;
}

static bool add_item(yaml_reader *r, nsds_yaml *node, nsds_yaml *key, nsds_yaml *item) {
  if (!item || !reserve_item(r, node)) return false;
  if (key) node->key[node->count] = key;
  node->item[node->count++] = item;
  node->nodes += item->nodes;
  if (item->height >= node->height) node->height = item->height + 1;
  if (node->height > nsds_yaml_most_depth) {
    yaml_refuse(r, r->event.start_mark, "lists and maps are nested deeper than %d",
                nsds_yaml_most_depth);
    return false;
  }
  if (key && node->count > nsds_yaml_most_keys) {
    yaml_refuse(r, r->event.start_mark, "a map has more than %d keys", nsds_yaml_most_keys);
    return false;
  }
  if (node->nodes <= nsds_yaml_most_nodes) return true;
  yaml_refuse(r, r->event.start_mark, "the file has more than %d values%s", nsds_yaml_most_nodes,
              r->anchors.count ? ", with aliases written out" : "");
  return false;
}

static nsds_yaml *read_list(yaml_reader *r) {
  if (r->event.data.sequence_start.tag)
    return yaml_refuse(r, r->event.start_mark, "there are no tags in this format");
  nsds_yaml *node = make_node(r, NSDS_YAML_LIST, 0);
  while (node) {
    if (!next_event(r)) return NULL;
    if (r->event.type == YAML_SEQUENCE_END_EVENT) return node;
    if (!add_item(r, node, NULL, read_node(r))) return NULL;
  }
  return NULL;
}

static nsds_yaml *read_key(yaml_reader *r, const nsds_yaml *map) {
  if (r->event.type != YAML_SCALAR_EVENT)
    return yaml_refuse(r, r->event.start_mark, "a key has to be a word");
  nsds_yaml *key = read_scalar(r);
  const nsds_yaml *other = key ? nsds_yaml_find(map, key->text) : NULL;
  for (int k = 0; other && k < map->count; ++k)
    if (map->item[k] == other && strcmp(map->key[k]->text, key->text) == 0) other = map->key[k];
  if (other)
    return yaml_refuse(r, r->event.start_mark,
                       "the key \"%.60s\" stands here for the second time, after line %d",
                       key->text, other->line);
  return key;
}

static nsds_yaml *read_map(yaml_reader *r) {
  if (r->event.data.mapping_start.tag)
    return yaml_refuse(r, r->event.start_mark, "there are no tags in this format");
  nsds_yaml *node = make_node(r, NSDS_YAML_MAP, 0);
  while (node) {
    if (!next_event(r)) return NULL;
    if (r->event.type == YAML_MAPPING_END_EVENT) return node;
    nsds_yaml *key = read_key(r, node);
    if (!key || !next_event(r)) return NULL;
    if (!add_item(r, node, key, read_node(r))) return NULL;
  }
  return NULL;
}

/* ---- anchors ---- */

static nsds_yaml *follow_alias(yaml_reader *r) {
  const char *name = (const char *)r->event.data.alias.anchor;
  int k = nsds_names_find(&r->anchors, name);
  if (k >= 0) return r->node[k];
  return yaml_refuse(r, r->event.start_mark,
                     "the alias \"*%.60s\" has no anchor \"&%.60s\" before it", name, name);
}

static bool keep_anchor(yaml_reader *r, const char *name, nsds_yaml *node) {
  enum { most = 10000 };
  int k = nsds_names_add(r->context, &r->anchors, name);
  if (k >= most) {
    yaml_refuse(r, r->event.start_mark, "the file has more than %d anchors", most);
    return false;
  }
  if (k < 0 ||
      nsds_room(r->context, &r->node, &r->node_room, r->anchors.count, sizeof(nsds_yaml *))) {
    yaml_no_memory(r);
    return false;
  }
  r->node[k] = node;
  return true;
}

static const char *anchor_of(const yaml_event_t *event) {
  if (event->type == YAML_SCALAR_EVENT) return (const char *)event->data.scalar.anchor;
  if (event->type == YAML_SEQUENCE_START_EVENT)
    return (const char *)event->data.sequence_start.anchor;
  if (event->type == YAML_MAPPING_START_EVENT)
    return (const char *)event->data.mapping_start.anchor;
  return NULL;
}

/* The node that begins with the present event; the present event is its last one afterwards. */
static nsds_yaml *read_node(yaml_reader *r) {
  if (r->event.type == YAML_ALIAS_EVENT) return follow_alias(r);
  if (r->depth == nsds_yaml_most_depth)
    return yaml_refuse(r, r->event.start_mark, "lists and maps are nested deeper than %d",
                       nsds_yaml_most_depth);
  const char *name = anchor_of(&r->event);
  char *anchor = name ? nsds_copy_part(r->context, name, strlen(name)) : NULL;
  if (name && !anchor) return yaml_no_memory(r);
  ++r->depth;
  nsds_yaml *node = r->event.type == YAML_SEQUENCE_START_EVENT  ? read_list(r)
                    : r->event.type == YAML_MAPPING_START_EVENT ? read_map(r)
                                                                : read_scalar(r);
  --r->depth;
  bool kept = node && (!anchor || keep_anchor(r, anchor, node));
  nsds_free(anchor);
  return kept ? node : NULL;
}

/* Events of the stream and the document around the root. */
static nsds_yaml *read_document(yaml_reader *r) {
  if (!next_event(r) || !next_event(r)) return NULL;
  if (r->event.type == YAML_STREAM_END_EVENT)
    return yaml_refuse(r, r->event.start_mark, "the file is empty");
  if (!next_event(r)) return NULL;
  nsds_yaml *root = read_node(r);
  if (!root || !next_event(r) || !next_event(r)) return NULL;
  if (r->event.type != YAML_STREAM_END_EVENT)
    return yaml_refuse(r, r->event.start_mark, "a second document begins here; a file has one");
  return root;
}

static nsds_yaml *parse_text(nsds_context *context, const char *text, size_t size,
                             nsds_yaml_error *error) {
  yaml_reader r = {.context = context, .text = text, .error = error};
  *error = (nsds_yaml_error){.line = 1, .column = 1};
  if (size > nsds_yaml_most_bytes)
    return yaml_refuse(&r, (yaml_mark_t){0}, "the file has %zu bytes; the most are %d", size,
                       nsds_yaml_most_bytes);
  if (!yaml_parser_initialize(&r.parser)) return yaml_no_memory(&r);
  yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, size);
  yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
  nsds_yaml *root = read_document(&r);
  root = nsds_yaml_hand_over(r.last, root);
  if (r.has_event) yaml_event_delete(&r.event);
  yaml_parser_delete(&r.parser);
  nsds_names_free(&r.anchors);
  nsds_free(r.node);
  return root;
}

#endif

nsds_yaml *nsds_yaml_read(nsds_context *context, const char *text, size_t size,
                          nsds_yaml_error *error) {
#if NSDS_HAVE_YAML
  return parse_text(context, text, size, error);
#else
  (void)context, (void)text, (void)size;
  *error =
      (nsds_yaml_error){.line = 1, .column = 1, .text = "this library was built without libyaml"};
  return NULL;
#endif
}

bool nsds_yaml_is_there(void) { return NSDS_HAVE_YAML; }
