/*
 * Pictures of tables, by gnuplot.
 */
#ifndef NSDS_TOOLS_PLOT_H
#define NSDS_TOOLS_PLOT_H

#include <nsds/run.h>

/* The rows of a job, kept for a picture. */
typedef struct plot_table {
  int columns;
  size_t rows, room;
  double *value; /* rows x columns */
} plot_table;

/* Keeps the row of now; false when memory is out. */
bool plot_keep(plot_table *table, const nsds_job *job);

/* Draws a file .png, .svg or .pdf: a panel for each unit; false, with a message, where that cannot be. */
bool plot_draw(const plot_table *table, const nsds_job *job, const char *path);

#endif
