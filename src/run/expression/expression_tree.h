/*
 * Trees of expressions. All expressions of one owner share a store of nodes. Equal parts exist
 * once. A node comes after its inputs, so that walks through the store need no recursion.
 */
#ifndef NSDS_RUN_EXPRESSION_TREE_H
#define NSDS_RUN_EXPRESSION_TREE_H

#include "run/expression/expression_math.h"

#include <nsds/base.h>

/* A node of the store, or a number. */
typedef struct nsds_term {
  int node; /* -1: the number */
  double number;
} nsds_term;

typedef struct nsds_node {
  nsds_operation operation;
  const double *variable; /* of NSDS_OP_VARIABLE: the place of its value */
  nsds_term in[3];
} nsds_node;

/* A store; begin with the context alone. A store takes no memory as long as all terms are
 * numbers. */
typedef struct nsds_expressions {
  nsds_context *context;
  int count, capacity;
  nsds_node *node;
  int nslot, *slot; /* nodes by their hash, from 1; 0: empty */
  bool no_memory;   /* terms made since then mean nothing */
} nsds_expressions;

void nsds_expressions_free(nsds_expressions *all);

nsds_term nsds_term_number(double value);
/* The term of a variable, whose place outlives the store. */
nsds_term nsds_term_variable(nsds_expressions *all, const double *variable);
/* Makes the term of an operation. If the inputs are numbers, the term is a number; a choice by a
 * number is made at once. */
nsds_term nsds_term_make(nsds_expressions *all, nsds_operation operation, nsds_term a, nsds_term b,
                         nsds_term c);
bool nsds_term_is(nsds_term term, double number);

#endif
