/* Parts of a job that readers of all formats fill. */
#include "run/job_parts.h"

#include <stdlib.h>

nsds_status nsds_job_warn(nsds_job *job, const char *text) {
  if (nsds_columns_find(&job->warnings, text) >= 0) return NSDS_OK;
  return nsds_columns_add(&job->warnings, text, "") < 0 ? NSDS_ERROR_MEMORY : NSDS_OK;
}

nsds_status nsds_job_make_row(nsds_job *job) {
  job->row = calloc((size_t)job->columns.count + 1, sizeof *job->row);
  return job->row ? NSDS_OK : NSDS_ERROR_MEMORY;
}

void nsds_job_clear(nsds_job *job) {
  nsds_columns_free(&job->columns);
  nsds_columns_free(&job->warnings);
  nsds_measures_free(&job->measures);
  free(job->title);
  free(job->row);
}
