/*
 * Operations of expressions: operators and functions, their names, and how each one is evaluated.
 */
#ifndef NSDS_RUN_EXPRESSION_MATH_H
#define NSDS_RUN_EXPRESSION_MATH_H

#include <stdbool.h>
#include <stddef.h>

/* Kinds of text that have expressions. */
typedef enum nsds_text_kind { NSDS_TEXT_MODEL_FILE = 1, NSDS_TEXT_NETLIST = 2 } nsds_text_kind;

typedef enum nsds_operation {
  NSDS_OP_VARIABLE,
  /* of one number */
  NSDS_OP_NEGATIVE,
  NSDS_OP_NOT,
  NSDS_OP_SIN,
  NSDS_OP_COS,
  NSDS_OP_TAN,
  NSDS_OP_ASIN,
  NSDS_OP_ACOS,
  NSDS_OP_ATAN,
  NSDS_OP_SINH,
  NSDS_OP_COSH,
  NSDS_OP_TANH,
  NSDS_OP_ASINH,
  NSDS_OP_ACOSH,
  NSDS_OP_ATANH,
  NSDS_OP_EXP,
  NSDS_OP_LOG,
  NSDS_OP_LOG2,
  NSDS_OP_LOG10,
  NSDS_OP_SQRT,
  NSDS_OP_CBRT,
  NSDS_OP_ABS,
  NSDS_OP_SIGN,
  NSDS_OP_FLOOR,
  NSDS_OP_CEIL,
  NSDS_OP_ROUND,
  NSDS_OP_TRUNC,
  /* of two */
  NSDS_OP_SUM,
  NSDS_OP_DIFFERENCE,
  NSDS_OP_PRODUCT,
  NSDS_OP_QUOTIENT,
  NSDS_OP_SLOPE_QUOTIENT, /* 0 if the dividend is 0, else the quotient; of derivatives */
  NSDS_OP_LESS,
  NSDS_OP_LESS_EQUAL,
  NSDS_OP_GREATER,
  NSDS_OP_GREATER_EQUAL,
  NSDS_OP_EQUAL,
  NSDS_OP_UNEQUAL,
  NSDS_OP_AND,
  NSDS_OP_OR,
  NSDS_OP_POWER,
  NSDS_OP_ATAN2,
  NSDS_OP_HYPOT,
  NSDS_OP_MOD,
  NSDS_OP_MIN,
  NSDS_OP_MAX,
  /* of three: the second if the first is not 0, else the third */
  NSDS_OP_CHOICE
} nsds_operation;

/* How many numbers an operation takes. */
int nsds_operation_inputs(nsds_operation operation);
/* The C function of a function of one or two numbers; NULL for all other operations. */
double (*nsds_operation_one(nsds_operation operation))(double);
double (*nsds_operation_two(nsds_operation operation))(double, double);
/* The value of an operation. */
double nsds_operate(nsds_operation operation, const double in[3]);

/* Finds the function of a name; false if texts of this kind have none. */
bool nsds_function_find(nsds_text_kind kind, const char *name, nsds_operation *operation);
/* The k-th function of such texts, from 0; NULL behind the last. */
const char *nsds_function_name(nsds_text_kind kind, int k);

/* An operator between two numbers. A higher rank binds more tightly. */
typedef struct nsds_operator_sign {
  const char *sign;
  unsigned kinds; /* ::nsds_text_kind */
  int rank;
  nsds_operation operation;
} nsds_operator_sign;

enum { nsds_least_rank = 1, nsds_power_rank = 6 };

/* Returns the operator that a text begins with, of any kind; NULL if there is none. */
const nsds_operator_sign *nsds_operator_find(const char *text);

#endif
