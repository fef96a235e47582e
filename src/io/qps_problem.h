#ifndef NSDS_SRC_QPS_PROBLEM_H
#define NSDS_SRC_QPS_PROBLEM_H

#include "io/problem_file.h"
#include "io/qps_names.h"

/* A row of the constraints. */
typedef struct nsds_qps_row {
  char kind; /* N, E, L, G */
  bool ranged;
  double rhs, range;
} nsds_qps_row;

typedef struct nsds_qps_column {
  double cost, lower, upper; /* infinite: no bound */
  bool has_lower;            /* the file states it */
} nsds_qps_column;

typedef struct nsds_qps_entry {
  int row, column;
  double x;
  bool given; /* the file has it in this order; else it is the mirror image */
} nsds_qps_entry;

typedef struct nsds_qps_entries {
  nsds_qps_entry *entry;
  size_t room, count;
} nsds_qps_entries;

/* min or max c x + 1/2 x.H x over rows and bounds, as a QPS file states it. */
typedef struct nsds_qps {
  nsds_context *context;
  nsds_qps_names row_names, column_names;
  nsds_qps_row *row;
  nsds_qps_column *column;
  size_t rows, columns; /* room */
  nsds_qps_entries A, H;
  int objective; /* the first row of kind N; -1: none */
  bool most;     /* max */
} nsds_qps;

static const double nsds_qps_no_bound = 1e20; /* this and more stands for an infinite bound */

/* Appends the multipliers' rows to the programme and makes the problem of both. */
nsds_status nsds_qps_problem(nsds_text *text, const nsds_qps *p, nsds_problem_file *file);

#endif
