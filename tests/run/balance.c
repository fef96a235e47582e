/*
 * The balance of circuits: closed forms, every netlist of the tree, and drawn circuits. What all elements take adds up
 * to zero, and so does the charge at every node, whatever the circuit does. With a number as argument the program
 * draws so many circuits instead.
 */
#include "drawn_circuit.h"
#include "run_test.h"

#include <dirent.h>

static const double rounding = 1e-9; /* of what has passed */

static nsds_job *balanced(nsds_context *context, const nsds_job_def *def) {
  nsds_job_def with = *def;
  with.balance = true;
  return nsds_job_create(context, &with);
}

static nsds_job *balanced_text(nsds_context *context, const char *text) {
  nsds_job *job = balanced(
      context, &(nsds_job_def){.file = "test.cir", .text = text, .kind = NSDS_JOB_CIRCUIT});
  if (!job) fail_msg("%s\n%s", nsds_error_message(context), text);
  return job;
}

static nsds_balance_sum sum_of(const nsds_job *job) {
  nsds_balance_sum sum;
  assert_int_equal(nsds_job_balance_sum(job, &sum), NSDS_OK);
  return sum;
}

static nsds_balance_entry entry_of(const nsds_job *job, const char *name) {
  nsds_balance_entry entry = {0};
  for (int k = 0; k < nsds_job_balance_count(job); ++k) {
    assert_int_equal(nsds_job_balance(job, k, &entry), NSDS_OK);
    if (strcmp(entry.name, name) == 0) return entry;
  }
  fail_msg("there is no element %s", name);
  return entry;
}

/* Compares the sums with zero, and with each other. */
static void check_sums(const char *what, const nsds_job *job) {
  nsds_balance_sum s = sum_of(job);
  double passed = s.passed, entries[4] = {0.0};
  for (int k = 0; k < nsds_job_balance_count(job); ++k) {
    nsds_balance_entry e;
    assert_int_equal(nsds_job_balance(job, k, &e), NSDS_OK);
    entries[0] += e.given, entries[1] += e.dissipated, entries[2] += e.stored, entries[3] += e.lost;
  }
  assert_close(what, entries[0], s.given, 1e-14 * passed);
  assert_close(what, entries[1] + entries[2] + entries[3], s.dissipated + s.stored + s.lost,
               1e-12 * passed);
  assert_close(what, s.given - s.dissipated - s.stored - s.lost, s.left, 1e-12 * passed);
  if (!(fabs(s.left) <= rounding * passed))
    fail_msg("%s: %g J are left over of %g J", what, s.left, passed);
  if (!(s.charge_left <= rounding * s.charge_passed))
    fail_msg("%s: %g C stay at a node of %g C", what, s.charge_left, s.charge_passed);
}

/* ---- closed forms ---- */

/* A source charges C over R: it gives C V^2, half of which the resistor takes, however large it is. */
static void half_of_the_charge_is_lost(void **state) {
  (void)state;
  const double V = 5.0, C = 1e-6;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = balanced_text(context, "Charge\nV1 in 0 PWL(0 0 1u 0 1.000001u 5)\nR1 in a 1k\n"
                                         "C1 a 0 1u\n.tran 0.1m 30m\n.options tol=1e-6\n");
  job_to_the_end(context, job);
  check_sums("charge", job);
  assert_close("given", entry_of(job, "v1").given, C * V * V, 1e-4 * C * V * V);
  assert_close("heat", entry_of(job, "r1").dissipated, 0.5 * C * V * V, 1e-4 * C * V * V);
  assert_close("stored", entry_of(job, "c1").stored, 0.5 * C * V * V, 1e-9 * C * V * V);
  assert_close("lost", entry_of(job, "c1").lost, 0.0, 1e-4 * C * V * V);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* A switch joins two capacitors: half of the energy is lost in the jump, and the switch has it. */
static void a_jump_has_its_loss_in_the_switch(void **state) {
  (void)state;
  const double energy = 0.5 * 1e-6 * 10.0 * 10.0;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = balanced_text(context, "Join\nC1 a 0 1u ic=10\nC2 b 0 1u ic=0\n"
                                         "S1 a b SWI PULSE(0 1 1m)\nR1 a 0 1G\nR2 b 0 1G\n"
                                         ".model SWI SW(ideal=1 vt=0.5)\n.tran 0.1m 3m uic\n");
  job_to_the_end(context, job);
  check_sums("join", job);
  assert_close("switch", entry_of(job, "s1").dissipated, 0.5 * energy, 1e-4 * energy);
  assert_close("C1", entry_of(job, "c1").stored, -0.75 * energy, 1e-4 * energy);
  assert_close("C2", entry_of(job, "c2").stored, 0.25 * energy, 1e-4 * energy);
  assert_close("lost", sum_of(job).lost, 0.0, 1e-4 * energy);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* Coupled coils, a transformer, a transistor with its diode, and a diode with breakdown. */
static void elements_of_two_parts(void **state) {
  (void)state;
  static const char *const text[] = {
      "Coils\nV1 in 0 SIN(0 10 1k)\nR1 in a 1\nL1 a 0 1m\nL2 b 0 4m\nL3 c 0 1m\nK1 L1 L2 0.9\n"
      "K2 L2 L3 -0.3\nK3 L1 L3 -0.2\nR2 b 0 10\nR3 c 0 3\n.tran 10u 5m\n",
      "Transformer\nV1 in 0 SIN(0 10 1k)\nR1 in a 1\nX1 a 0 b c ideal_t\nR2 b c 5\nR3 c 0 7\n"
      ".subckt ideal_t p q r s\nT1 p q r s 3\n.ends\n.tran 10u 5m\n",
      "Transistor\nV1 in 0 24\nS1 in a T PULSE(0 1 0 0 0 5u 10u)\nD1 0 a DX\nL1 a out 100u\n"
      "C1 out 0 10u\nR1 out 0 5\n.model T TRANSISTOR(vt=0.5 vf=0.7)\n"
      ".model DX D(ideal=1 vf=0.5)\n.tran 10u 1m\n",
      "Breakdown\nV1 in 0 SIN(0 10 1k)\nR1 in a 100\nD1 0 a DZ\n.model DZ D(ideal=1 bv=4)\n"
      ".tran 10u 5m\n"};
  for (size_t k = 0; k < sizeof text / sizeof *text; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = balanced(
        context, &(nsds_job_def){.file = "test.cir", .text = text[k], .kind = NSDS_JOB_CIRCUIT});
    if (!job) fail_msg("%s", nsds_error_message(context));
    job_to_the_end(context, job);
    check_sums(text[k], job);
    assert_true(sum_of(job).passed > 0.0);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* Three coils exist if 1 + 2 a b c - a^2 - b^2 - c^2 >= 0; others would give energy without end. */
static void couplings_of_three_coils(void **state) {
  (void)state;
  int refused = 0, drawn = 500;
  begin_drawing(1);
  for (int k = 0; k < drawn; ++k) {
    double a = uniform(-1, 1), b = uniform(-1, 1), c = uniform(-1, 1);
    double determinant = 1.0 + 2.0 * a * b * c - a * a - b * b - c * c;
    static drawing d;
    d.size = 0;
    put(&d,
        "Coils\nV1 a 0 SIN(0 1 1k)\nL1 a 0 1m\nL2 b 0 2m\nL3 c 0 3u\nR2 b 0 1\nR3 c 0 1\n"
        "K1 L1 L2 %.12g\nK2 L2 L3 %.12g\nK3 L3 L1 %.12g\n.tran 1u 1u\n",
        a, b, c);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = nsds_job_create(
        context, &(nsds_job_def){.file = "t.cir", .text = d.text, .kind = NSDS_JOB_CIRCUIT});
    if (fabs(determinant) > 1e-6 && !job != (determinant < 0.0))
      fail_msg("%g %g %g: %s", a, b, c, nsds_error_message(context));
    if (!job) assert_non_null(strstr(nsds_error_message(context), "t.cir:10:1: the couplings of"));
    refused += !job;
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
  assert_true(refused > drawn / 10 && refused < drawn * 9 / 10);
  /* both signs of full coupling, and the sum of two couplings of one pair */
  static const char *const text[] = {"K1 L1 L2 1\n", "K1 L1 L2 -1\n", "K1 L1 L2 .6\nK2 L2 L1 .6\n"};
  for (int k = 0; k < 3; ++k) {
    static drawing d;
    d.size = 0;
    put(&d, "T\nV1 a 0 SIN(0 1 1k)\nR1 a p 1\nL1 p 0 1m\nL2 b 0 2m\nR2 b 0 1\n%s.tran 1u 1u\n",
        text[k]);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = nsds_job_create(
        context, &(nsds_job_def){.file = "t.cir", .text = d.text, .kind = NSDS_JOB_CIRCUIT});
    assert_true(!job == (k == 2));
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* ---- every netlist ---- */

static bool is_netlist(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && strcmp(dot, ".cir") == 0;
}

/* Runs the netlists of a folder that can be run. Returns their number. */
static int run_folder(const char *folder) {
  int count = 0;
  DIR *all = opendir(folder);
  if (!all) return 0;
  for (struct dirent *entry; (entry = readdir(all));) {
    char path[1000];
    if (!is_netlist(entry->d_name)) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = balanced(context, &(nsds_job_def){.file = path, .limits = {.seconds = 20.0}});
    nsds_status status = job ? NSDS_OK : NSDS_ERROR_FORMAT;
    while (status == NSDS_OK) status = nsds_job_step(job);
    if (status == NSDS_END) {
      check_sums(path, job);
      ++count;
    }
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
  closedir(all);
  return count;
}

static void every_netlist_balances(void **state) {
  (void)state;
  assert_true(run_folder(NSDS_TEST_SOURCE "/examples/circuits") >= 10);
  assert_true(run_folder(NSDS_TEST_SOURCE "/bench/circuits") >= 7);
  assert_true(run_folder(NSDS_TEST_SOURCE "/docs") >= 2);
}

/* ---- drawn circuits ---- */

static void drawn_circuits_balance(int count) {
  int ran = 0;
  for (int k = 0; k < count; ++k) {
    static drawing d;
    draw_netlist(&d, (uint64_t)k + 1);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = balanced(
        context, &(nsds_job_def){.file = "test.cir", .text = d.text, .kind = NSDS_JOB_CIRCUIT});
    nsds_status status = job ? NSDS_OK : NSDS_ERROR_FORMAT;
    while (status == NSDS_OK) status = nsds_job_step(job);
    if (status != NSDS_END) fail_msg("circuit %d: %s\n%s", k, nsds_error_message(context), d.text);
    check_sums(d.text, job);
    ran += sum_of(job).passed > 0.0;
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
  assert_true(ran >= count * 9 / 10);
}

static void drawn_circuits(void **state) {
  (void)state;
  drawn_circuits_balance(300);
}

/* Runs a netlist with a line more; the energies of its elements. */
static int energies_of(const char *text, const char *line, double *energy, double *passed) {
  static char whole[7000];
  const char *second = strchr(text, '\n') + 1;
  snprintf(whole, sizeof whole, "%.*s%s%s", (int)(second - text), text, line, second);
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = balanced_text(context, whole);
  job_to_the_end(context, job);
  int count = nsds_job_balance_count(job);
  assert_true(count < 100);
  *passed = sum_of(job).passed;
  for (int k = 0; k < count; ++k) {
    nsds_balance_entry e;
    assert_int_equal(nsds_job_balance(job, k, &e), NSDS_OK);
    energy[k] = e.dissipated + e.stored - e.given;
  }
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return count;
}

/* By default settings every energy is that of a fine run, to a thousandth of what has passed. */
static void fine_runs_agree(int count) {
  const double allowed = 1e-3;
  for (int k = 0; k < count; ++k) {
    static drawing d;
    double coarse[100], fine[100], passed, unused;
    draw_netlist(&d, (uint64_t)k + 1);
    int n = energies_of(d.text, ".options tol=1e-8\n", fine, &passed);
    energies_of(d.text, "", coarse, &unused);
    for (int j = 0; j < n; ++j)
      if (!(fabs(coarse[j] - fine[j]) <= allowed * passed))
        fail_msg("circuit %d, element %d: %g J, fine %g J, of %g J\n%s", k, j, coarse[j], fine[j],
                 passed, d.text);
  }
}

static void energies_by_default(void **state) {
  (void)state;
  fine_runs_agree(50);
}

/* ---- wrong use ---- */

static void wrong_use(void **state) {
  (void)state;
  static const char text[] = "T\nV1 a 0 1\nR1 a 0 1\n.tran 1m 2m\n";
  nsds_balance_entry entry;
  nsds_balance_sum sum;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *without = job_of(context, text), *with = balanced_text(context, text);
  assert_int_equal(nsds_job_balance_count(NULL), 0);
  assert_int_equal(nsds_job_balance_count(without), 0);
  assert_int_equal(nsds_job_balance(without, 0, &entry), NSDS_ERROR_ARGUMENT);
  assert_non_null(strstr(nsds_error_message(context), "balance of nsds_job_def"));
  assert_int_equal(nsds_job_balance(NULL, 0, &entry), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_job_balance_sum(NULL, &sum), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_job_balance_sum(without, &sum), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_job_balance_sum(with, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_job_balance(with, 0, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_job_balance(with, -1, &entry), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_job_balance(with, 2, &entry), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_job_balance_count(with), 2);
  assert_string_equal(entry_of(with, "r1").kind, "resistor");
  nsds_error_clear(context);
  nsds_job_destroy(without);
  nsds_job_destroy(with);
  assert_null(balanced(context, &(nsds_job_def){.text = "nsds: 1\n", .kind = NSDS_JOB_MODEL_FILE}));
  if (!strstr(nsds_error_message(context), "valid are netlists"))
    fail_msg("%s", nsds_error_message(context));
  nsds_context_destroy(context);
}

int main(int argc, char **argv) {
  if (argc > 1) { /* a campaign */
    drawn_circuits_balance(atoi(argv[1]));
    fine_runs_agree(atoi(argv[1]));
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(half_of_the_charge_is_lost),
                                     cmocka_unit_test(a_jump_has_its_loss_in_the_switch),
                                     cmocka_unit_test(elements_of_two_parts),
                                     cmocka_unit_test(couplings_of_three_coils),
                                     cmocka_unit_test(every_netlist_balances),
                                     cmocka_unit_test(drawn_circuits),
                                     cmocka_unit_test(energies_by_default),
                                     cmocka_unit_test(wrong_use)};
  return cmocka_run_group_tests_name("run.balance", tests, NULL, NULL);
}
