/* Parts of a job that readers of all formats fill. */
#include "run/job/job_parts.h"

#include "base/text/words.h"

#include <nsds/extend.h>

nsds_status nsds_job_warn(nsds_job *job, const char *text) {
  if (nsds_columns_find(&job->warnings, text) >= 0) return NSDS_OK;
  int k = nsds_columns_add(job->context, &job->warnings, text, "");
  if (k < 0) return NSDS_ERROR_MEMORY;
  nsds_plain_text(job->warnings.item[k].name);
  return NSDS_OK;
}

nsds_status nsds_job_make_row(nsds_job *job) {
  NSDS_MAKE(job->context, job->row, (size_t)job->columns.count + 1);
  return job->row ? NSDS_OK : NSDS_ERROR_MEMORY;
}

void nsds_job_clear(nsds_job *job) {
  nsds_sources_close(&job->sources);
  nsds_columns_free(&job->columns);
  nsds_columns_free(&job->warnings);
  nsds_measures_free(&job->measures);
  nsds_free(job->title);
  nsds_free(job->row);
}
