/*
 * Netlists with parameters, and those that are refused on the way, leave no memory behind: malloc() is
 * counted. The first reading is not: libraries keep what they make once.
 */
#include "../kernel/interpose.h"
#include "run_test.h"

static const char *const netlists[] = {
    "parameters\n.param r=100 c={1e-6*r}\n.param half={r/2}\nV1 1 0 5\nR1 1 2 {half}\nC1 2 0 {c}\n"
    ".tran 1m 10m\n.end\n",
    "a subcircuit\n.param r=10\n.subckt part a b k=2\n.param s={k*r}\nR1 a b {s}\n.ends\n"
    "V1 1 0 5\nX1 1 2 part k=3\nX2 2 0 part\n.tran 1m 10m\n.end\n",
    "a function\n.func twice(x)={2*x}\n.param r={twice(5)}\nV1 1 0 5\nR1 1 0 {r}\n.tran 1m 10m\n",
    "refused\n.param r={q}\nV1 1 0 5\nR1 1 0 {r}\n.tran 1m 10m\n.end\n",
    "refused late\n.param r=1 s={r+1}\nV1 1 0 5\nR1 1 0 {s}\nR2 1 0 {t}\n.tran 1m 10m\n.end\n"};

static void read_all(void) {
  for (size_t k = 0; k < sizeof netlists / sizeof *netlists; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = nsds_job_create(
        context,
        &(nsds_job_def){.file = "test.cir", .text = netlists[k], .kind = NSDS_JOB_CIRCUIT});
    for (int i = 0; job && i < 5; ++i) nsds_job_step(job);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

static void netlists_leave_no_memory(void **unused) {
  (void)unused;
  read_all();
  interpose = (interposed){0};
  arm();
  read_all();
  long calls = disarm();
  print_message("             %ld allocations\n", calls);
  assert_true(calls > 100);
  assert_int_equal(interpose.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(netlists_leave_no_memory)};
  return cmocka_run_group_tests_name("run.leaks", tests, NULL, NULL);
}
