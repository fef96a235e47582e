/*
 * Expressions in named numbers, by muParser. The optimiser of muParser is off, so an expression is
 * evaluated as it is written. The bits are those of the same formula in C.
 *
 * An expression has one value. Assignments, lists, texts and unknown names are refused, with their place.
 */
#ifndef NSDS_SRC_EXPRESSION_H
#define NSDS_SRC_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { nsds_expression_most = 4000 }; /* characters */

typedef struct nsds_expression nsds_expression;

/* Names that an expression may use. `find` gives where the value of a name is, or NULL. `valid` lists the
 * names for messages. */
typedef struct nsds_expression_names {
  const double *(*find)(void *user, const char *name);
  const char *(*valid)(void *user);
  void *user;
} nsds_expression_names;

/* The fault of an expression, and its character, from 0. */
typedef struct nsds_expression_error {
  int at;
  char text[600];
} nsds_expression_error;

/* Compiles an expression; NULL with *error. The values that `find` names outlive it. */
nsds_expression *nsds_expression_create(const char *text, const nsds_expression_names *names,
                                        nsds_expression_error *error);
/* The value now; not finite where the expression has none. */
double nsds_expression_value(nsds_expression *expression);
/* Frees it; NULL is allowed. */
void nsds_expression_destroy(nsds_expression *expression);
/* Names of all functions, separated by commas. */
const char *nsds_expression_functions(void);

#ifdef __cplusplus
}
#endif
#endif
