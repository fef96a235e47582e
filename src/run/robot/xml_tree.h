/*
 * An XML file as a tree of elements. Each knows its file, line and column. Elements and attributes
 * remember if somebody has read them: the rest is what an importer did not understand.
 */
#ifndef NSDS_RUN_XML_TREE_H
#define NSDS_RUN_XML_TREE_H

#include <nsds/base.h>

/* Larger files are refused: bytes of a file, depth, elements of a file, attributes of one. */
enum {
  nsds_xml_most_bytes = 1 << 24,
  nsds_xml_most_depth = 100,
  nsds_xml_most_elements = 200000,
  nsds_xml_most_attributes = 64
};

typedef struct nsds_xml_attribute {
  const char *name, *value;
  bool used;
} nsds_xml_attribute;

typedef struct nsds_xml nsds_xml;
struct nsds_xml {
  const char *name;
  const char *file; /* path, for messages; lives as long as the reader's */
  int line, column; /* from 1 */
  bool used;
  int nattribute;
  nsds_xml_attribute *attribute;
  nsds_xml *parent, *first, *last, *next; /* children are a chain */
  nsds_xml *made_before;
};

/* The fault of a text, and its place; line 0: memory is out. */
typedef struct nsds_xml_error {
  int line, column;
  char text[300];
} nsds_xml_error;

/* Reads a text; NULL with *error if it cannot be read. `file` is lent to the tree. */
nsds_xml *nsds_xml_read(nsds_context *context, const char *file, const char *text, size_t size,
                        nsds_xml_error *error);
/* Frees the tree; NULL is allowed. */
void nsds_xml_free(nsds_xml *root);
/* Returns the value of an attribute, which is used now; NULL if there is none. */
const char *nsds_xml_get(nsds_xml *element, const char *name);
/* Returns the first child of a name, or the next one after `before`; it is used now. A name of NULL
 * stands for any name and uses nothing. NULL: there is none. */
nsds_xml *nsds_xml_child(nsds_xml *element, const char *name, nsds_xml *before);
/* Marks an element as used. */
void nsds_xml_use(nsds_xml *element);
/* Marks an element with all that is in it as used. */
void nsds_xml_use_all(nsds_xml *element);
/* Tells if this library reads XML at all. */
bool nsds_xml_is_there(void);

#endif
