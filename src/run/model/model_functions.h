/*
 * Functions of a model file: expressions in the arguments of an object, and functions of plugins.
 */
#ifndef NSDS_SRC_MODEL_FUNCTIONS_H
#define NSDS_SRC_MODEL_FUNCTIONS_H

#include "run/model/model_values.h"

/* Letters of names that a function uses. */
typedef enum nsds_uses {
  NSDS_USES_T = 1,
  NSDS_USES_Q = 2,
  NSDS_USES_V = 4,
  NSDS_USES_X = 8,
  NSDS_USES_Z = 16,
  NSDS_USES_LAMBDA = 32
} nsds_uses;

/* Sizes of the object's arguments. */
typedef struct nsds_arguments_shape {
  int nq, nv, nx, nlambda;
  nsds_file_z own; /* own parameters, at the end of z */
  int nsystem;     /* of a relation: its systems, whose parameters come first */
  const nsds_named *const *system;
} nsds_arguments_shape;

/* A function of a definition. */
typedef struct nsds_function {
  bool given;             /* the file has it */
  const double *constant; /* it uses parameters alone: its values, column by column */
  const nsds_csc *sparse; /* the same, if the file writes entries */
  nsds_operator fn;       /* else the function, of this object's nsds_functions */
  unsigned uses;          /* ::nsds_uses; all for a function of a plugin */
} nsds_function;

/* The functions of an object, with the names of its key `where`; NULL with a message. */
nsds_functions *nsds_functions_create(const nsds_entry *entry, const nsds_arguments_shape *shape);
/* Reads a function of rows x cols by its key; false with a message. */
bool nsds_functions_take(nsds_functions *functions, const char *key, int rows, int cols,
                         nsds_function *function);
/* The same of a definition that has no place for a constant. */
bool nsds_functions_call(nsds_functions *functions, const char *key, int rows, int cols,
                         nsds_function *function);
/* Makes a Jacobian: given, or by differences if `of` uses one of `letters`, else `absent`. */
bool nsds_functions_jacobian(nsds_functions *functions, const char *key, int rows, int cols,
                             const nsds_function *of, unsigned letters, nsds_operator absent,
                             nsds_operator *jacobian);
/* The numbers that words in sizes of rows stand for; n: any other word. */
typedef struct nsds_sizes {
  int n, ny, nx, nq, nv, nz;
} nsds_sizes;

/* Returns the columns of a size such as "ny x nq". */
int nsds_size_columns(const char *size, const nsds_sizes *sizes);
/* Fills functions, vectors and matrices of a definition by the rows of its type. *uses: ::nsds_uses of
 * its functions, without Jacobians. false with a message. */
bool nsds_functions_define(nsds_functions *functions, const nsds_sizes *sizes, void *def,
                           unsigned *uses);
/* Frees the expressions of all functions of the file. */
void nsds_functions_free(nsds_model_file *file);

#endif
