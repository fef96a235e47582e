/*
 * The grammar of expressions in model files and netlists, see expression.c. A text is read into a
 * term: a number, or a node of a tree that can be differentiated (expression_tree.h) and run
 * (expression_program.h).
 *
 * An expression is evaluated as it is written. The bits are those of the same formula in C.
 */
#ifndef NSDS_SRC_EXPRESSION_H
#define NSDS_SRC_EXPRESSION_H

#include "run/expression/expression_tree.h"

enum { nsds_expression_most = 4000 }; /* characters in a model file */

/* Names that an expression may use. */
typedef struct nsds_expression_names {
  nsds_text_kind kind;
  /* Finds the term of a name; false if there is none. */
  bool (*find)(void *user, const char *name, nsds_term *term);
  /* Lists names that are valid in place of another one, as "a, b1 to b3, c"; NULL: messages list
   * none. */
  const char *(*valid)(void *user, const char *name);
  /* Told of each number of a netlist, with the letters behind it; NULL: nobody asks. */
  void (*number)(void *user, const char *text, int size);
  void *user;
} nsds_expression_names;

typedef enum nsds_expression_fault {
  NSDS_EXPRESSION_FINE,
  NSDS_EXPRESSION_WRONG,
  NSDS_EXPRESSION_NO_NAME, /* the name at the place is not known */
  NSDS_EXPRESSION_NO_MEMORY
} nsds_expression_fault;

/* The fault of an expression, and its character, from 0. */
typedef struct nsds_expression_error {
  nsds_expression_fault fault;
  int at;
  char name[124]; /* that is not known */
  char text[700];
} nsds_expression_error;

/* Reads an expression into the store; false with *error. */
bool nsds_expression_read(nsds_expressions *all, const char *text,
                          const nsds_expression_names *names, nsds_term *term,
                          nsds_expression_error *error);

#endif
