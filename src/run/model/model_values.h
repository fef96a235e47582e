/*
 * Vectors and matrices of a model file, and parameters z.
 */
#ifndef NSDS_SRC_MODEL_VALUES_H
#define NSDS_SRC_MODEL_VALUES_H

#include "run/model/model_reader.h"

/* A constant matrix: dense or sparse; neither if the file leaves it at its default. */
typedef struct nsds_file_matrix {
  int rows, cols;
  const double *dense;    /* column by column */
  const nsds_csc *sparse; /* of the form {entries: ...} if it is asked for */
} nsds_file_matrix;

/* Reads a vector of n numbers, any number if n is -1; count gets it. NULL: default, or a
 * failure. */
double *nsds_entry_vector(const nsds_entry *entry, const char *key, int n, int *count);
/* A vector of at most `room` numbers into an array; how many there were, 0 of a default. */
int nsds_entry_fill(const nsds_entry *entry, const char *key, double *to, int least, int room);
/* A matrix; rows or cols -1: any number. false with a message. */
bool nsds_entry_matrix(const nsds_entry *entry, const char *key, int rows, int cols, bool sparse,
                       nsds_file_matrix *matrix);
/* Returns rows or columns that the file writes out; -1 if it does not tell. */
int nsds_entry_rows(const nsds_entry *entry, const char *key);
int nsds_entry_cols(const nsds_entry *entry, const char *key);

/* Parameters z: names with numbers, or a list. */
typedef struct nsds_file_z {
  int n;
  const double *value;
  const char *const *name; /* NULL: z[0], z[1], ... */
} nsds_file_z;
nsds_file_z nsds_entry_z(const nsds_entry *entry, const char *key);

#endif
