/* A section in use: the whole netlist or one instance of a subcircuit, with the meanings of its
 * names. */
#ifndef NSDS_RUN_INSTANCE_H
#define NSDS_RUN_INSTANCE_H

#include "run/circuit/elements.h"
#include "run/circuit/scope.h"

typedef struct nsds_instance {
  nsds_elements *elements;
  nsds_scope *scope;
  const char *prefix; /* of names: "" or "x1." */
  const int *port;    /* nodes of the section's ports */
  int level;
} nsds_instance;

/* A card that is being read, word by word. */
typedef struct nsds_cursor {
  const nsds_instance *instance;
  const nsds_card *card;
  int at;
} nsds_cursor;

/* Node of token `at`, number, name with the prefix; each goes on to the next token. */
nsds_status nsds_cursor_node(nsds_cursor *c, int *node);
nsds_status nsds_cursor_value(nsds_cursor *c, const char *what, double *value);

/* Reads a value that must be > 0, or >= 0 with `with_zero`. */
nsds_status nsds_cursor_positive(nsds_cursor *c, const char *what, bool with_zero, double *value);

/* The element that the next word names. */
nsds_status nsds_cursor_element(nsds_cursor *c, int *element);

/* Takes a sign or word if it comes next. */
bool nsds_cursor_takes(nsds_cursor *c, const char *text);

/* Takes "name =" if it comes next. */
bool nsds_cursor_takes_name(nsds_cursor *c, const char *name);
bool nsds_cursor_ended(const nsds_cursor *c);
nsds_place nsds_cursor_place(const nsds_cursor *c);

/* The next token as text, "the end of the card" behind the last. */
const char *nsds_cursor_text(const nsds_cursor *c);

/* Fails if words are left. */
nsds_status nsds_cursor_end(const nsds_cursor *c);

/* A name with the prefix, to be freed; NULL when memory is out. */
char *nsds_instance_name(const nsds_instance *instance, const char *name);
const nsds_netlist *nsds_cursor_netlist(const nsds_cursor *c);

#endif
