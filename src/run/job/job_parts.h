/* A job from inside: parts that the reader of a format fills in. */
#ifndef NSDS_RUN_JOB_PARTS_H
#define NSDS_RUN_JOB_PARTS_H

#include "base/text/faults.h"
#include "run/job/job_columns.h"
#include "run/job/measure.h"
#include "run/job/sources.h"

#include <nsds/run.h>
#include <nsds/shapes.h>

/* Operations of a format. A reader makes `self`, columns, measures and the first row. */
typedef struct nsds_job_ops {
  /* On to the next row: NSDS_OK, NSDS_END at the end, or a failure with its message in the
   * context. */
  nsds_status (*step)(nsds_job *job);
  /* Time of the last row. */
  double (*end)(const nsds_job *job);
  /* Frees self, model and simulation. */
  void (*destroy)(nsds_job *job);
} nsds_job_ops;

struct nsds_job {
  nsds_context *context;
  nsds_sources sources;
  int64_t rows; /* that steps have given */
  bool ended;   /* what the end shows has been told */
  const nsds_job_ops *ops;
  void *self;
  bool circuit;                /* a netlist */
  bool robot;                  /* in URDF or MJCF, which have no measures */
  nsds_model *model;           /* lent */
  nsds_simulation *simulation; /* lent */
  int nshape;                  /* shapes of bodies that no contact set has */
  const nsds_shape_def *shape;
  char *title;
  nsds_columns columns, warnings; /* a warning is a column's name */
  nsds_measures measures;
  struct nsds_balance *balance; /* of circuits that keep one */
  double *row;                  /* as long as columns */
  nsds_faults faults;           /* of a netlist, each reported when it is found */
};

/* Copies a warning unless it is there already. */
nsds_status nsds_job_warn(nsds_job *job, const char *text);

/* Frees the parts of a job, but not those of its format. */
void nsds_job_clear(nsds_job *job);

/* Makes the row, when all columns are there. */
nsds_status nsds_job_make_row(nsds_job *job);

#endif
