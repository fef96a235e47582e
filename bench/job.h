/* A file with its job, for job_rows.c and job_read.c. */
#ifndef NSDS_BENCH_JOB_H
#define NSDS_BENCH_JOB_H

#include "bench.h"

#include <nsds/nsds.h>
#include <nsds/run.h>

typedef struct job {
  const char *path;
  nsds_context *context;
  nsds_job *job;
} job;

static inline job *job_open(const char *path) {
  job *self = (job *)malloc(sizeof *self);
  nsds_context *context = self ? nsds_context_create(NULL) : NULL;
  if (context) {
    *self = (job){.path = path, .context = context};
    return self;
  }
  fprintf(stderr, "out of memory\n");
  free(self);
  return NULL;
}

/* Reads the file, in the place of an earlier reading; 0 on failure. */
static inline int job_read(job *self) {
  nsds_job_destroy(self->job);
  self->job = nsds_job_create(self->context, &(nsds_job_def){.file = self->path});
  if (!self->job) fprintf(stderr, "%s\n", nsds_error_message(self->context));
  return self->job != NULL;
}

static inline void job_close(void *self) {
  job *j = (job *)self;
  nsds_job_destroy(j->job);
  nsds_context_destroy(j->context);
  free(j);
}

#endif
