/* Reading a netlist or model file, SIZE its path: a step makes a job of it and frees the job. Our side alone. */
#include "job.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)steps, (void)variant;
  return job_open(size);
}

static int run(void *self, long steps) {
  for (long k = 0; k < steps; ++k)
    if (!job_read((job *)self)) return 0;
  return 1;
}

static void report(void *self) { bench_value(nsds_job_column_count(((job *)self)->job)); }

int main(int argc, char **argv) {
  const bench_case c = {build, run, report, job_close};
  return bench_main(argc, argv, &c);
}
