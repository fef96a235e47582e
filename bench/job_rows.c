/* The rows of a netlist or model file, SIZE its path: a step is a row of its table. Our side alone. */
#include "job.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)steps, (void)variant;
  job *self = job_open(size);
  if (!self || job_read(self)) return self;
  job_close(self);
  return NULL;
}

static int run(void *self, long steps) {
  const job *j = (const job *)self;
  for (long k = 0; k < steps; ++k) {
    nsds_status status = nsds_job_step(j->job);
    if (status == NSDS_OK) continue;
    fprintf(stderr, "%s\n", status < 0 ? nsds_error_message(j->context) : nsds_status_text(status));
    return 0;
  }
  return 1;
}

static void report(void *self) {
  const job *j = (const job *)self;
  for (int k = 0; k < nsds_job_column_count(j->job); ++k) bench_value(nsds_job_row(j->job)[k]);
}

int main(int argc, char **argv) {
  const bench_case c = {build, run, report, job_close};
  return bench_main(argc, argv, &c);
}
