/*
 * The simulation of a netlist: samplers, snapshots, saved states, steps by the program, pages. With a number as argument
 * the program draws so many circuits and times of undo instead.
 */
#include "run_test.h"

static const char *const netlists[] = {
    /* a diode, a capacitor; a switch that time moves; a switch with hysteresis; a junction; a start value; equal steps */
    "Rectifier\nV1 in 0 SIN(0 10 50)\nD1 in out DX\nR1 out 0 100\nC1 out 0 100u\n.model DX "
    "D(ideal=1 vf=0.6)\n"
    ".tran 0.5m 60m\n.print v(out) i(V1) p(R1)\n.measure tran m mean v(out) from=10m\n"
    ".measure tran r rms i(C1)\n.measure tran q integ i(V1)\n",
    "Chopper\nV1 in 0 24\nS1 in a SWI PULSE(0 1 0 0 0 5u 10u)\nD1 0 a DX\nL1 a out 100u\nC1 out 0 "
    "10u\nR1 out 0 5\n"
    ".model SWI SW(ideal=1 vt=0.5)\n.model DX D(ideal=1)\n.tran 2u 200u uic\n.print v(out) i(L1)\n"
    ".measure tran m mean v(out)\n.measure tran h max i(L1)\n",
    "Hysteresis\nV1 in 0 10\nR1 in a 1k\nC1 a 0 1u ic=0\nS1 a b a 0 SWI\nR2 b 0 100\n.model SWI "
    "SW(ideal=1 vt=3 vh=1)\n"
    ".tran 20u 5m uic\n.print v(a)\n.measure tran m mean v(a)\n.measure tran p period v(a) "
    "level=3\n",
    "Junction\nV1 in 0 SIN(0 5 1k)\nD1 in a DJ\nR1 a 0 1k\nC1 a 0 0.1u\n.model DJ "
    "D(is=1e-12)\n.tran 20u 3m\n"
    ".print v(a)\n.measure tran m mean v(a)\n",
    "Start\nV1 in 0 SIN(1 1 1k)\nR1 in a 1k\nC1 a 0 1u\n.ic v(a)=3\n.tran 0.1m 5m\n.print v(a)\n"
    ".measure tran m mean v(a)\n",
    "Equal\nV1 in 0 SIN(0 10 50)\nD1 in out DX\nR1 out 0 100\nC1 out 0 100u\n.model DX "
    "D(ideal=1)\n.options tol=0\n"
    ".tran 0.5m 40m\n.print v(out)\n.measure tran m mean v(out)\n",
    /* 100 cells, whose sparse factors keep an order of pivots */
    "Ladder\n.subckt cell a b\nR1 a c 1\nL1 c b 100u\nC1 b 0 100n\nR2 b 0 1k\n.ends\n"
    ".subckt ten a k\nX1 a b cell\nX2 b c cell\nX3 c d cell\nX4 d e cell\nX5 e f cell\nX6 f g "
    "cell\nX7 g h cell\nX8 h i cell\nX9 i j cell\nX10 j k cell\n.ends\nV1 in 0 10\n"
    "S1 in n0 SWI PULSE(0 1 0 0 0 40u 100u)\nD1 0 n0 DX\nX1 n0 n1 ten\nX2 n1 n2 ten\nX3 n2 n3 ten\n"
    "X4 n3 n4 ten\nX5 n4 n5 ten\nX6 n5 n6 ten\nX7 n6 n7 ten\nX8 n7 n8 ten\nX9 n8 n9 ten\nX10 n9 "
    "n10 ten\nD2 n10 out DX\nR1 out 0 100\n.model SWI SW(ideal=1 vt=0.5)\n.model DX D(ideal=1)\n"
    ".tran 4u 2m uic\n.print v(n0) v(n5) v(out)\n.measure tran m mean "
    "v(n5)\n",
    /* regression, snapshots_of_junctions: pivots came from the iterations before */
    "Bridges\n.subckt br in p r=1 l=10u\nR1 in a {r}\nL1 a b {l}\nD1 b p DJ\nD2 0 b DJ\nD3 n b DJ\n"
    "R2 p 0 {100*r}\nC2 p 0 1u\nR3 n 0 {50*r}\nC3 n 0 2u\n.ends\n.subckt five in p r=1\n"
    "X1 in p br r={r}\nX2 in c br r={1.1*r} l=11u\nX3 in d br r={1.2*r} l=12u\nX4 in e br "
    "r={1.3*r}\n"
    "X5 in f br r={1.4*r} l=14u\nR1 p c 1k\nR2 c d 1k\nR3 d e 1k\nR4 e f 1k\n.ends\n"
    "V1 in 0 SIN(0 20 1k)\nX1 in p five\nX2 in q five r=1.5\nX3 in u five r=2\nX4 in w five r=2.5\n"
    "R1 p q 1k\nR2 q u 1k\nR3 u w 1k\n.model DJ D(is=1e-15)\n.tran 20u 5m uic\n.print v(p) v(q) "
    "v(w)\n"
    ".measure tran m mean v(p)\n"};
enum { nnetlists = sizeof netlists / sizeof *netlists, most_numbers = 600 };

static nsds_job *netlist_job(nsds_context *context, const char *text) {
  nsds_job *job = nsds_job_create(
      context,
      &(nsds_job_def){.file = "test.cir", .text = text, .kind = NSDS_JOB_CIRCUIT, .balance = true});
  if (!job) fail_msg("%s", nsds_error_message(context));
  return job;
}

/* All that a job shows now. */
static int numbers_of(const nsds_job *job, double *x) {
  int n = 0, columns = nsds_job_column_count(job);
  memcpy(x, nsds_job_row(job), (size_t)columns * sizeof *x);
  n = columns;
  for (int k = 0; k < nsds_job_measure_count(job); ++k) x[n++] = nsds_job_measure(job, k);
  nsds_balance_sum sum;
  assert_int_equal(nsds_job_balance_sum(job, &sum), NSDS_OK);
  x[n++] = sum.given, x[n++] = sum.dissipated, x[n++] = sum.stored, x[n++] = sum.lost;
  x[n++] = sum.charge_passed, x[n++] = sum.end;
  for (int k = 0; k < nsds_job_balance_count(job); ++k) {
    nsds_balance_entry entry;
    assert_int_equal(nsds_job_balance(job, k, &entry), NSDS_OK);
    x[n++] = entry.given + entry.dissipated + entry.stored + entry.lost;
  }
  assert_true(n <= most_numbers);
  return n;
}

static void same_numbers(const char *what, int netlist, const nsds_job *job, const double *right) {
  double x[most_numbers];
  int n = numbers_of(job, x);
  for (int k = 0; k < n; ++k)
    if (memcmp(&x[k], &right[k], sizeof *x) != 0 && !(isnan(x[k]) && isnan(right[k])))
      fail_msg("%s, netlist %d: number %d is %.17g, not %.17g", what, netlist, k, x[k], right[k]);
}

static void go_on(nsds_context *context, nsds_job *job, int rows) {
  nsds_status status = NSDS_OK;
  for (int k = 0; status == NSDS_OK && k < rows; ++k) status = nsds_job_step(job);
  if (status && status != NSDS_END) fail_msg("%s", nsds_error_message(context));
}

/* A row, undo, the same row; a snapshot in another job of the same netlist: all numbers to the bit. */
static void check_return(int netlist, int before, int rows) {
  double middle[most_numbers], end[most_numbers];
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = netlist_job(context, netlists[netlist]);
  nsds_simulation *sim = nsds_job_simulation(job);
  assert_non_null(sim);
  go_on(context, job, before);
  numbers_of(job, middle);
  assert_int_equal(nsds_simulation_save(sim), NSDS_OK);
  nsds_snapshot *snapshot = nsds_snapshot_take(sim);
  assert_non_null(snapshot);
  go_on(context, job, rows);
  numbers_of(job, end);
  for (int turn = 0; turn < 2; ++turn) {
    assert_int_equal(nsds_simulation_restore(sim), NSDS_OK);
    same_numbers("undo", netlist, job, middle);
    go_on(context, job, rows);
    same_numbers("after undo", netlist, job, end);
  }
  nsds_job *other = netlist_job(context, netlists[netlist]);
  if (nsds_snapshot_restore(nsds_job_simulation(other), snapshot))
    fail_msg("%s", nsds_error_message(context));
  same_numbers("snapshot", netlist, other, middle);
  go_on(context, other, rows);
  same_numbers("after a snapshot", netlist, other, end);
  nsds_job_destroy(other);
  nsds_snapshot_destroy(snapshot);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

static void draw_returns(int count) {
  uint64_t seed = 7;
  for (int k = 0; k < count; ++k) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    check_return(k % nnetlists, (int)(seed >> 33) % 40, 1 + (int)(seed >> 50) % 40);
  }
}

static void undo_and_snapshots(void **state) {
  (void)state;
  draw_returns(4 * nnetlists);
}

/* The program steps the simulation itself: measures and balance are those of the job's own steps. */
static void steps_by_the_program(void **state) {
  (void)state;
  for (int netlist = 0; netlist < nnetlists; ++netlist) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *right = netlist_job(context, netlists[netlist]),
             *job = netlist_job(context, netlists[netlist]);
    job_to_the_end(context, right);
    assert_int_equal(nsds_run(nsds_job_simulation(job)), NSDS_END);
    for (int k = 0; k < nsds_job_measure_count(job); ++k) {
      double a = nsds_job_measure(job, k), b = nsds_job_measure(right, k);
      assert_true(a == b || (isnan(a) && isnan(b)));
    }
    nsds_balance_sum a, b;
    assert_int_equal(nsds_job_balance_sum(job, &a), NSDS_OK);
    assert_int_equal(nsds_job_balance_sum(right, &b), NSDS_OK);
    assert_true(a.given == b.given && a.lost == b.lost && a.end == b.end);
    nsds_status status = NSDS_OK;
    while (status == NSDS_OK) status = nsds_job_step(job);
    assert_int_equal(status, NSDS_END);
    nsds_job_destroy(right);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

static int count_sample(nsds_simulation *simulation, void *user) {
  (void)simulation;
  ++*(int *)user;
  return 0;
}

/* A sampler is called at its times; values stay those of the run without it, within the tolerance. */
static void samplers(void **state) {
  (void)state;
  for (int netlist = 0; netlist < nnetlists; ++netlist) {
    int samples = 0;
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *right = netlist_job(context, netlists[netlist]),
             *job = netlist_job(context, netlists[netlist]);
    double end = nsds_job_end(job), period = end / 7.3;
    assert_int_equal(
        nsds_simulation_sample(nsds_job_simulation(job), &(nsds_sampler_def){.period = period,
                                                                             .phase = period,
                                                                             .sample = count_sample,
                                                                             .user = &samples}),
        NSDS_OK);
    job_to_the_end(context, right);
    job_to_the_end(context, job);
    assert_int_equal(samples, 7);
    double a = nsds_job_measure(job, 0), b = nsds_job_measure(right, 0);
    if (fabs(a - b) > 1e-3 * fabs(b)) fail_msg("netlist %d: %g, not %g", netlist, a, b);
    nsds_job_destroy(right);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) {
    draw_returns(atoi(argv[1]));
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(undo_and_snapshots),
                                     cmocka_unit_test(steps_by_the_program),
                                     cmocka_unit_test(samplers)};
  return cmocka_run_group_tests_name("run.netlist_simulation", tests, NULL, NULL);
}
