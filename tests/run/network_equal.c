/*
 * A netlist in a model is the netlist of a job. Beside a tank at rest, nsds_adaptive() ends with the voltages and currents
 * of the run of the netlist: every netlist of docs, examples and bench, and drawn circuits. Beside a ball that bounces,
 * nsds_time_stepping() comes near them.
 *
 *     run_network_equal [COUNT | FILE...]      draws COUNT circuits, or takes these netlists
 */
#include "drawn_circuit.h"
#include "run_test.h"

#include <nsds/nsds.h>

#include <dirent.h>

/* relative, from 1 V and 1 A on; rounding may let the error choose other steps, so that the tolerance counts then */
static const double equal = 1e-9, drawn_equal = 1e-3, near = 3e-2;

/* A netlist, and what it says about steps. */
typedef struct netlist {
  const char *name, *text;
  bool rest;            /* no uic */
  double end, step;     /* .tran */
  bool holds_potential; /* .ic without uic, which a model does not hold */
  bool by_laws;         /* more than 40 diodes and switches: events are not located */
  double allowed;       /* difference of adaptive steps */
} netlist;

static void read_file(const char *path, char *text, size_t size) {
  FILE *file = fopen(path, "r");
  if (!file) fail_msg("%s cannot be opened", path);
  text[fread(text, 1, size - 1, file)] = '\0';
  fclose(file);
}

/* Looks for uic in the line of .tran. */
static netlist netlist_of(const char *name, const char *text) {
  netlist n = {.name = name, .text = text, .rest = true, .allowed = equal};
  const char *tran = strstr(text, "\n.tran");
  if (!tran) tran = strstr(text, "\n.TRAN");
  if (tran) {
    const char *line_end = strchr(tran + 1, '\n'), *uic = strstr(tran, "uic");
    n.rest = !uic || (line_end && uic > line_end);
  }
  n.holds_potential = n.rest && strstr(text, "\n.ic");
  return n;
}

/* ---- in a model ---- */

typedef struct run {
  nsds_context *context;
  nsds_model *model;
  nsds_network *circuit;
  nsds_simulation *simulation;
} run;

static run begin_run(void) {
  run r = {.context = nsds_context_create(NULL)};
  r.model = nsds_model_create(r.context);
  return r;
}

static void add_circuit(run *r, const netlist *n) {
  r->circuit = nsds_circuit(
      r->model, &(nsds_circuit_def){.file = n->name, .text = n->text, .at_rest = n->rest});
  if (!r->circuit) fail_msg("%s: %s\n%s", n->name, nsds_error_message(r->context), n->text);
}

static void end_run(const run *r, const netlist *n) {
  if (!r->simulation || nsds_run(r->simulation) < 0)
    fail_msg("%s: %s\n%s", n->name, nsds_error_message(r->context), n->text);
}

static void end(const run *r) {
  nsds_model_destroy(r->model);
  nsds_context_destroy(r->context);
}

/* Adaptive steps as long as the netlist asks for, beside a tank. */
static run beside_a_tank(const netlist *n, double t1) {
  run r = begin_run();
  nsds_ds *tank = nsds_first_order_linear(
      r.model, &(nsds_first_order_linear_def){.name = "tank", .n = 1, .A = (double[]){-1.0}});
  add_circuit(&r, n);
  r.simulation = nsds_adaptive(r.model, &(nsds_adaptive_def){.t1 = t1,
                                                             .largest_step = t1,
                                                             .by_laws = n->by_laws,
                                                             .solver = "semismooth_newton"});
  end_run(&r, n);
  assert_close("the tank", nsds_x(tank)[0], 0.0, 0.0);
  return r;
}

/* Steps of equal length until t1, beside a ball. */
static run beside_a_ball(const netlist *n, double t1, double h) {
  run r = begin_run();
  nsds_ds *ball = nsds_lagrangian_linear(
      r.model,
      &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}, .fext = (double[]){-9.81}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      r.model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(r.model, gap, nsds_newton_impact(r.model, 0.5), 1, &ball);
  add_circuit(&r, n);
  r.simulation = nsds_time_stepping(r.model, &(nsds_time_stepping_def){.t1 = t1, .h = h});
  end_run(&r, n);
  assert_close("the ball", nsds_q(ball)[0], 0.0, 1e-12);
  return r;
}

/* ---- comparison ---- */

static double relative(double here, double there) {
  return fabs(here - there) / fmax(fabs(there), 1.0);
}

/* Voltages and currents of a job. */
static const char *read_column(const nsds_job *job, int k) {
  const char *name = nsds_job_column_name(job, k);
  return name[0] == 'p' ? NULL : name;
}

static nsds_job *job_with(nsds_context *context, const netlist *n) {
  return nsds_job_create(
      context, &(nsds_job_def){.file = n->name, .text = n->text, .kind = NSDS_JOB_CIRCUIT});
}

static bool has_no_rest(const nsds_job *job) {
  for (int k = 0; k < nsds_job_warning_count(job); ++k)
    if (strstr(nsds_job_warning(job, k), "there is no operating point")) return true;
  return false;
}

static void compare_adaptive(const netlist *n, const nsds_job *job) {
  run r = beside_a_tank(n, n->end);
  for (int k = 1; k < nsds_job_column_count(job); ++k) {
    const char *name = read_column(job, k);
    if (!name) continue;
    double here = nsds_network_read(r.circuit, name), there = nsds_job_row(job)[k];
    if (!(relative(here, there) <= n->allowed))
      fail_msg("%s: %s is %.15g in a model, %.15g in a run\n%s", n->name, name, here, there,
               n->text);
  }
  end(&r);
}

/* A thousand steps of a hundredth of TSTEP; fewer of large circuits, whose steps cost more. */
static void compare_time_stepping(const netlist *n, const nsds_job *names) {
  double h = n->step / 100.0, t1 = fmin(n->end, (n->by_laws ? 20.0 : 1000.0) * h);
  run exact = beside_a_tank(n, t1), r = beside_a_ball(n, t1, h);
  for (int k = 1; k < nsds_job_column_count(names); ++k) {
    const char *name = read_column(names, k);
    if (!name) continue;
    double here = nsds_network_read(r.circuit, name),
           there = nsds_network_read(exact.circuit, name);
    if (!(relative(here, there) <= near))
      fail_msg("%s: %s is %.9g by time stepping, %.9g by adaptive steps\n%s", n->name, name, here,
               there, n->text);
  }
  end(&r);
  end(&exact);
}

/* Returns false for a netlist that nsds run refuses, or that holds potentials at its start. */
static bool compare(netlist *n, bool steps_too) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = job_with(context, n);
  bool ran = false;
  if (job && !n->holds_potential) {
    double start = nsds_job_row(job)[0];
    nsds_status status = nsds_job_step(job);
    n->step = nsds_job_row(job)[0] - start;
    while (status == NSDS_OK) status = nsds_job_step(job);
    n->end = nsds_job_end(job);
    n->by_laws = nsds_interaction_count(nsds_job_model(job)) > 40;
    if (has_no_rest(job)) n->rest = false;
    ran = status == NSDS_END;
  }
  if (ran) compare_adaptive(n, job);
  if (ran && steps_too) compare_time_stepping(n, job);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return ran;
}

/* ---- tests ---- */

static bool compare_file(const char *path) {
  static char text[1 << 20];
  read_file(path, text, sizeof text);
  netlist n = netlist_of(path, text);
  return compare(&n, true);
}

static int compare_folder(const char *folder) {
  int count = 0;
  DIR *all = opendir(folder);
  if (!all) return 0;
  for (struct dirent *entry; (entry = readdir(all));) {
    char path[1000];
    const char *dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".cir") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    count += compare_file(path);
  }
  closedir(all);
  return count;
}

static void every_netlist(void **state) {
  (void)state;
  assert_true(compare_folder(NSDS_TEST_SOURCE "/examples/circuits") >= 10);
  assert_true(compare_folder(NSDS_TEST_SOURCE "/bench/circuits") >= 7);
  assert_true(compare_folder(NSDS_TEST_SOURCE "/docs") >= 2);
}

static void compare_drawn(int count) {
  int ran = 0;
  for (int k = 1; k <= count; ++k) {
    static drawing d;
    draw_netlist(&d, (uint64_t)k);
    netlist n = netlist_of("drawn.cir", d.text);
    n.allowed = drawn_equal;
    ran += compare(&n, true);
  }
  assert_true(ran >= count * 9 / 10);
}

static void drawn_circuits(void **state) {
  (void)state;
  compare_drawn(100);
}

int main(int argc, char **argv) {
  if (argc > 1 && atoi(argv[1]) > 0) compare_drawn(atoi(argv[1]));
  for (int k = 1; k < argc && atoi(argv[1]) == 0; ++k)
    printf("%s: %s\n", argv[k], compare_file(argv[k]) ? "equal" : "is not run");
  if (argc > 1) return 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_netlist),
                                     cmocka_unit_test(drawn_circuits)};
  return cmocka_run_group_tests_name("run.network_equal", tests, NULL, NULL);
}
