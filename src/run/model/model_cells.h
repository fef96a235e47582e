/*
 * Arrays of a model file: tables of cells.
 */
#ifndef NSDS_SRC_MODEL_CELLS_H
#define NSDS_SRC_MODEL_CELLS_H

#include "run/model/model_reader.h"

/* An array of the file: nodes, or numbers of a data file. */
typedef struct nsds_cell_table {
  int rows, cols;
  const nsds_yaml **node; /* row by row; NULL: zero */
  const double *number;   /* of a data file, row by row */
} nsds_cell_table;

/* Reads an array of rows x cols, -1 being any number; false with a message that names the key. */
bool nsds_take_cells(nsds_model_file *file, const nsds_yaml *node, const char *key, int rows,
                     int cols, nsds_cell_table *t);
/* The numbers of cells that are constant, column by column; NULL with a message. */
double *nsds_constant_cells(nsds_model_file *file, const nsds_cell_table *t);
/* Compressed columns of the cells that the file writes; NULL when memory is out. */
const nsds_csc *nsds_sparse_cells(nsds_model_file *file, const nsds_cell_table *t,
                                  const double *values);

#endif
