/*
 * Drawn sweeps. The text of a value reads back as its number; a grid has each combination once, with
 * exact ends; Latin samples lie one in each part of an axis; a point of a sweep is the job with these
 * settings; the key tells definitions apart.
 *
 *     run_drawn_sweeps [COUNT [SEED]]       draws COUNT sweeps, 300 unless said
 */
#include "drawn_text.h"
#include "run_test.h"

static long draws = 300;
static uint64_t first_seed = 1;
static const char path[] = "drawn_sweep.cir";

typedef struct drawn_axis {
  char text[120], name[16];
  double from, to;
  int count;
  bool ratios;
} drawn_axis;

static double draw_number(draw_state *d, char text[40]) {
  static const int powers[] = {-6, -3, -1, 0, 1, 3};
  int digits = 1 + draw(d, draw(d, 2) ? 9 : 99999);
  snprintf(text, 40, "%de%d", digits, powers[draw(d, 6)]);
  return strtod(text, NULL);
}

static void draw_axis(draw_state *d, int k, nsds_sampling sampling, drawn_axis *axis) {
  char from[40], to[40], name[16];
  snprintf(name, sizeof name, "p%d", k);
  memcpy(axis->name, name, sizeof name);
  axis->from = draw_number(d, from);
  axis->to = draw_number(d, to);
  axis->count = 1 + draw(d, 6);
  axis->ratios = draw(d, 4) == 0;
  if (sampling == NSDS_SAMPLING_GRID || axis->ratios)
    snprintf(axis->text, sizeof axis->text, "%s=%s:%s:%d%s", name, from, to, axis->count,
             axis->ratios ? ":log" : "");
  else snprintf(axis->text, sizeof axis->text, "%s=%s:%s", name, from, to);
}

/* The value of a point in parts of its axis, 0 to 1. */
static double part_of(const drawn_axis *axis, double x) {
  if (axis->from == axis->to) return 0.5;
  return axis->ratios ? log(x / axis->from) / log(axis->to / axis->from)
                      : (x - axis->from) / (axis->to - axis->from);
}

static void check_grid(const nsds_sweep *sweep, const drawn_axis *axes, int naxes) {
  long count = nsds_sweep_count(sweep), stride = 1;
  for (int k = naxes - 1; k >= 0; stride *= axes[k--].count)
    for (long point = 0; point < count; ++point) {
      int index = (int)(point / stride % axes[k].count);
      double x = nsds_sweep_number(sweep, point, k);
      if (index == 0 && x != axes[k].from) fail_msg("%s begins with %.17g", axes[k].text, x);
      if (index > 0 && index == axes[k].count - 1 && x != axes[k].to)
        fail_msg("%s ends with %.17g", axes[k].text, x);
      if (axes[k].from == axes[k].to || axes[k].count == 1) continue;
      double wanted = (double)index / (axes[k].count - 1);
      if (fabs(part_of(&axes[k], x) - wanted) > 1e-9)
        fail_msg("%s, index %d: %.17g", axes[k].text, index, x);
    }
  assert_true(stride == count);
}

static void check_samples(const nsds_sweep *sweep, const drawn_axis *axes, int naxes, bool latin) {
  long count = nsds_sweep_count(sweep);
  for (int k = 0; k < naxes; ++k) {
    int seen[64] = {0};
    for (long point = 0; point < count; ++point) {
      double part = part_of(&axes[k], nsds_sweep_number(sweep, point, k));
      if (!(part >= -1e-9 && part <= 1.0 + 1e-9)) fail_msg("%s: part %g", axes[k].text, part);
      int at = (int)floor(part * (double)count);
      if (at >= 0 && at < count) ++seen[at];
    }
    if (!latin || axes[k].from == axes[k].to || axes[k].ratios) continue;
    double span = fabs(axes[k].to - axes[k].from);
    if (span < 1e-9 * fabs(axes[k].from)) continue; /* rounding may leave its part */
    for (long at = 0; at < count; ++at)
      if (seen[at] != 1)
        fail_msg("%s: %d samples in part %ld of %ld", axes[k].text, seen[at], at, count);
  }
}

/* The text of a value is the number, and a point is the job with these settings. */
static void check_point(const nsds_sweep *sweep, const drawn_axis *axes, int naxes, long point) {
  char value[4][64];
  nsds_job_setting settings[4];
  for (int k = 0; k < naxes; ++k) {
    nsds_sweep_value(sweep, point, k, value[k], sizeof value[k]);
    double x = nsds_sweep_number(sweep, point, k);
    if (strtod(value[k], NULL) != x) fail_msg("%s: %s is not %.17g", axes[k].text, value[k], x);
    settings[k] = (nsds_job_setting){.name = axes[k].name, .value = value[k]};
  }
  double swept = NAN;
  char message[300];
  nsds_context *context = nsds_context_create(NULL);
  nsds_status status = nsds_sweep_run(sweep, point, &swept, message, sizeof message);
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = path, .nsettings = naxes, .settings = settings});
  assert_true((status == NSDS_OK) == (job != NULL));
  if (job) {
    job_to_the_end(context, job);
    assert_true(nsds_job_measure(job, 0) == swept);
  }
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

static void write_netlist(void) {
  FILE *file = fopen(path, "w");
  fputs("a divider\n.param p0=1 p1=2 p2=3\nV1 1 0 {p0}\nR1 1 2 {p1}\nR2 2 0 {p2}\n.tran 1u 3u\n"
        ".measure tran m max v(2)\n",
        file);
  fclose(file);
}

static void one_sweep(uint64_t seed) {
  draw_state d = {seed};
  drawn_axis axes[3];
  const char *texts[3];
  nsds_sampling sampling = (nsds_sampling)draw(&d, 3);
  int naxes = 1 + draw(&d, 3);
  for (int k = 0; k < naxes; ++k) {
    draw_axis(&d, k, sampling, &axes[k]);
    texts[k] = axes[k].text;
  }
  nsds_sweep_def def = {.file = path,
                        .naxes = naxes,
                        .axes = texts,
                        .sampling = sampling,
                        .seed = seed,
                        .samples = 1 + draw(&d, 40)};
  nsds_context *context = nsds_context_create(NULL);
  nsds_sweep *sweep = nsds_sweep_create(context, &def);
  if (!sweep) fail_msg("seed %llu: %s", (unsigned long long)seed, nsds_error_message(context));
  if (sampling == NSDS_SAMPLING_GRID) check_grid(sweep, axes, naxes);
  else check_samples(sweep, axes, naxes, sampling == NSDS_SAMPLING_LATIN);
  check_point(sweep, axes, naxes, draw(&d, (int)nsds_sweep_count(sweep)));
  nsds_sweep *again = nsds_sweep_create(context, &def);
  assert_true(nsds_sweep_key(sweep) == nsds_sweep_key(again));
  nsds_sweep_destroy(again);
  ++def.seed;
  again = nsds_sweep_create(context, &def);
  assert_true(nsds_sweep_key(sweep) != nsds_sweep_key(again));
  nsds_sweep_destroy(again);
  nsds_sweep_destroy(sweep);
  if (nsds_context_bytes(context) > 0) fail_msg("memory is left");
  nsds_context_destroy(context);
}

static void sweeps_are_what_they_say(void **state) {
  (void)state;
  write_netlist();
  for (long k = 0; k < draws; ++k) one_sweep(first_seed + (uint64_t)k * 7919);
  remove(path);
}

int main(int count, char **word) {
  if (count > 1) draws = strtol(word[1], NULL, 10);
  if (count > 2) first_seed = strtoull(word[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(sweeps_are_what_they_say)};
  int failed = cmocka_run_group_tests_name("run.drawn_sweeps", tests, NULL, NULL);
  printf("drawn sweeps: %ld\n", draws);
  return failed;
}
