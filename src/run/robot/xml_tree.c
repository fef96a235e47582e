/*
 * An XML file as a tree, see xml_tree.h. libexpat gives events; a stack of parents makes the tree. A
 * document type is refused, so that there are no entities but those of XML itself, and nothing
 * outside of the file is read.
 */
#include "run/robot/xml_tree.h"

#include "base/text/format.h"
#include "base/text/printf.h"
#include "base/text/words.h"

#include <nsds/config.h>

#include <stdarg.h>
#include <string.h>

void nsds_xml_free(nsds_xml *root) {
  while (root) {
    nsds_xml *next = root->made_before;
    nsds_free(root);
    root = next;
  }
}

const char *nsds_xml_get(nsds_xml *element, const char *name) {
  for (int k = 0; element && k < element->nattribute; ++k)
    if (strcmp(element->attribute[k].name, name) == 0) {
      element->attribute[k].used = true;
      return element->attribute[k].value;
    }
  return NULL;
}

nsds_xml *nsds_xml_child(nsds_xml *element, const char *name, nsds_xml *before) {
  nsds_xml *child = before ? before->next : element ? element->first : NULL;
  while (child && name && strcmp(child->name, name) != 0) child = child->next;
  if (child && name) child->used = true;
  return child;
}

void nsds_xml_use(nsds_xml *element) { element->used = true; }

/* The element after `at` in the order of the file, within `root`; NULL at the end. */
static nsds_xml *next_in_tree(const nsds_xml *root, nsds_xml *at) {
  if (at->first) return at->first;
  while (at != root && !at->next) at = at->parent;
  return at == root ? NULL : at->next;
}

void nsds_xml_use_all(nsds_xml *element) {
  for (nsds_xml *at = element; at; at = next_in_tree(element, at)) {
    at->used = true;
    for (int k = 0; k < at->nattribute; ++k) at->attribute[k].used = true;
  }
}

#if NSDS_HAVE_EXPAT

#include <expat.h>

typedef struct xml_reader {
  nsds_context *context;
  XML_Parser parser;
  const char *file;
  nsds_xml *root, *open, *last; /* the root; the innermost open element; the one made last */
  int depth, count;
  bool failed;
  nsds_xml_error *error;
} xml_reader;

NSDS_PRINTF(2, 3)
static void xml_refuse(xml_reader *r, const char *format, ...) {
  va_list list;
  if (r->failed) return;
  r->failed = true;
  r->error->line = (int)XML_GetCurrentLineNumber(r->parser);
  r->error->column = (int)XML_GetCurrentColumnNumber(r->parser) + 1;
  va_start(list, format);
  nsds_format_message(r->error->text, sizeof r->error->text, format, list);
  va_end(list);
  XML_StopParser(r->parser, XML_FALSE);
}

/* Writes a text to *at, which moves behind the text; returns the copy. */
static const char *xml_put_text(char **at, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = memcpy(*at, text, size);
  *at += size;
  return copy;
}

/* An element with its attributes and all their text in one piece of memory. */
static nsds_xml *make_element(xml_reader *r, const char *name, const char **pair, int count) {
  size_t size = strlen(name) + 1;
  for (int k = 0; k < 2 * count; ++k) size += strlen(pair[k]) + 1;
  size_t table = (size_t)count * sizeof(nsds_xml_attribute);
  nsds_xml *e = nsds_alloc(r->context, "an XML file", 1, sizeof *e + table + size);
  if (!e) return NULL;
  e->attribute = (nsds_xml_attribute *)(e + 1);
  char *text = (char *)(e->attribute + count);
  e->name = xml_put_text(&text, name);
  for (int k = 0; k < count; ++k) {
    e->attribute[k].name = xml_put_text(&text, pair[2 * k]);
    e->attribute[k].value = xml_put_text(&text, pair[2 * k + 1]);
  }
  e->nattribute = count;
  e->file = r->file;
  e->line = (int)XML_GetCurrentLineNumber(r->parser);
  e->column = (int)XML_GetCurrentColumnNumber(r->parser) + 1;
  return e;
}

/* The root stays at the end of the chain, so that the last element leads to all. */
static void XMLCALL begin_element(void *user, const XML_Char *name, const XML_Char **pair) {
  xml_reader *r = user;
  int count = 0;
  if (r->failed) return;
  while (pair[2 * count]) ++count;
  if (r->depth >= nsds_xml_most_depth) {
    xml_refuse(r, "elements are nested deeper than %d", nsds_xml_most_depth);
  } else if (r->count >= nsds_xml_most_elements) {
    xml_refuse(r, "the file has more than %d elements", nsds_xml_most_elements);
  } else if (count > nsds_xml_most_attributes) {
    xml_refuse(r, "an element has %d attributes; the most are %d", count, nsds_xml_most_attributes);
  } else {
    nsds_xml *e = make_element(r, name, pair, count);
    if (!e) {
      xml_refuse(r, "out of memory");
      r->error->line = 0;
      return;
    }
    e->parent = r->open;
    e->made_before = r->last;
    r->last = e;
    if (!r->root) r->root = e;
    if (e->parent && e->parent->last) e->parent->last->next = e;
    else if (e->parent) e->parent->first = e;
    if (e->parent) e->parent->last = e;
    r->open = e;
    ++r->depth;
    ++r->count;
  }
}

static void XMLCALL end_element(void *user, const XML_Char *name) {
  xml_reader *r = user;
  (void)name;
  if (r->failed) return;
  r->open = r->open->parent;
  --r->depth;
}

static void XMLCALL refuse_document_type(void *user, const XML_Char *name, const XML_Char *system,
                                         const XML_Char *public, int internal) {
  (void)name, (void)system, (void)public, (void)internal;
  xml_refuse(user, "a document type (<!DOCTYPE ...>) stands here; remove it: files with entities "
                   "are not read");
}

/* The root leads to all elements. */
static nsds_xml *root_of_all(xml_reader *r) {
  nsds_xml **link = &r->last;
  if (r->failed || !r->root) {
    nsds_xml_free(r->last);
    return NULL;
  }
  while (*link != r->root) link = &(*link)->made_before;
  *link = NULL;
  r->root->made_before = r->last == r->root ? NULL : r->last;
  return r->root;
}

static nsds_xml *parse_xml(nsds_context *context, const char *file, const char *text, size_t size,
                           nsds_xml_error *error) {
  xml_reader r = {.context = context, .file = file, .error = error};
  *error = (nsds_xml_error){.line = 1, .column = 1};
  r.parser = XML_ParserCreate("UTF-8");
  if (!r.parser) {
    *error = (nsds_xml_error){.text = "out of memory"};
    return NULL;
  }
  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, begin_element, end_element);
  XML_SetStartDoctypeDeclHandler(r.parser, refuse_document_type);
  if (size > nsds_xml_most_bytes)
    xml_refuse(&r, "the file has %zu bytes; the most are %d", size, nsds_xml_most_bytes);
  else if (XML_Parse(r.parser, text, (int)size, 1) != XML_STATUS_OK)
    xml_refuse(&r, "this is not XML: %s", XML_ErrorString(XML_GetErrorCode(r.parser)));
  XML_ParserFree(r.parser);
  return root_of_all(&r);
}

#endif

nsds_xml *nsds_xml_read(nsds_context *context, const char *file, const char *text, size_t size,
                        nsds_xml_error *error) {
#if NSDS_HAVE_EXPAT
  return parse_xml(context, file, text, size, error);
#else
  (void)context, (void)file, (void)text, (void)size;
  *error =
      (nsds_xml_error){.line = 1, .column = 1, .text = "this library was built without libexpat"};
  return NULL;
#endif
}

bool nsds_xml_is_there(void) { return NSDS_HAVE_EXPAT; }
