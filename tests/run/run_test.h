/* What tests of jobs share. */
#ifndef NSDS_TESTS_RUN_TEST_H
#define NSDS_TESTS_RUN_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <nsds/run.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A job of a netlist; fails the test where there is none. */
static inline nsds_job *job_of(nsds_context *context, const char *text) {
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "test.cir", .text = text, .kind = NSDS_JOB_CIRCUIT});
  if (!job) fail_msg("%s", nsds_error_message(context));
  return job;
}

static inline void job_to_the_end(nsds_context *context, nsds_job *job) {
  nsds_status status;
  while ((status = nsds_job_step(job)) == NSDS_OK) {
  }
  if (status < 0) fail_msg("%s", nsds_error_message(context));
}

static inline double measure_of(const nsds_job *job, const char *name) {
  for (int k = 0; k < nsds_job_measure_count(job); ++k)
    if (strcmp(nsds_job_measure_name(job, k), name) == 0) return nsds_job_measure(job, k);
  fail_msg("there is no measure %s", name);
  return NAN;
}

static inline void assert_close(const char *what, double found, double expected, double tolerance) {
  if (!(fabs(found - expected) <= tolerance))
    fail_msg("%s is %.9g; expected %.9g within %g", what, found, expected, tolerance);
}

#endif
