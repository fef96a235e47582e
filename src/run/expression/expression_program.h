/*
 * Programs that evaluate terms. All operands are places that are known before: variables of the
 * owner, numbers and results of earlier instructions. A program takes no memory when it runs.
 */
#ifndef NSDS_RUN_EXPRESSION_PROGRAM_H
#define NSDS_RUN_EXPRESSION_PROGRAM_H

#include "run/expression/expression_tree.h"

typedef struct nsds_program nsds_program;

/* Zeroed memory that outlives the program; NULL when memory is out. */
typedef struct nsds_program_memory {
  void *(*take)(void *owner, size_t count, size_t size);
  void *owner;
} nsds_program_memory;

/* Makes the program of n terms; the store may go then. NULL if memory is out. */
nsds_program *nsds_program_create(const nsds_expressions *all, const nsds_term *term, int n,
                                  const nsds_program_memory *memory);
/* Evaluates all terms with the values that the variables have now. */
void nsds_program_run(const nsds_program *program);
/* The k-th value of the last run. */
double nsds_program_value(const nsds_program *program, int k);

#endif
