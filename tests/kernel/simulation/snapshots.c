/*
 * Runs that go on from a file: events, samplers, parameters, contact sets and modes come back, with
 * the same bits (kernel.resumed does it with all golden scenes); another model is refused by name, a
 * damaged file too, and what fails changes nothing.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static const char file[] = "snapshots.nsds";

/* ---- runs ---- */

typedef struct run_of {
  nsds_model *model;
  nsds_simulation *simulation;
  int controls, kicks;
} run_of;

static void finish(run_of *r) { nsds_model_destroy(r->model); }

/* n steps; a fingerprint of all states and times. */
static uint64_t advance(run_of *r, int n) {
  uint64_t hash = 0;
  for (int k = 0; k < n; ++k) {
    assert_ok(r->model, nsds_step(r->simulation));
    double t = nsds_time(r->simulation);
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    hash = state_hash(r->model, hash) ^ bits;
  }
  return hash;
}

/* Both halves of a run, the second one from a file, by a run made anew. */
static void go_on(void (*make)(run_of *r), int first, int second) {
  run_of one = {0}, other = {0};
  make(&one);
  advance(&one, first);
  assert_ok(one.model, nsds_snapshot_save(one.simulation, file));
  snapshot at = snapshot_take(one.model);
  long steps = nsds_step_count(one.simulation);
  double t = nsds_time(one.simulation);
  one.controls = one.kicks = 0;
  uint64_t hash = advance(&one, second);
  make(&other);
  assert_ok(other.model, nsds_snapshot_load(other.simulation, file));
  snapshot_check(&at, other.model, "loaded");
  assert_int_equal(nsds_step_count(other.simulation), steps);
  assert_true(nsds_time(other.simulation) == t);
  other.controls = other.kicks = 0;
  assert_true(advance(&other, second) == hash);
  assert_int_equal(other.controls, one.controls);
  assert_int_equal(other.kicks, one.kicks);
  snapshot_free(&at);
  finish(&one);
  finish(&other);
  remove(file);
}

/* ---- a ball on a floor, controlled and kicked ---- */

static int control(nsds_simulation *s, void *user) {
  run_of *r = user;
  const nsds_ds *ball = nsds_ds_at(r->model, 0);
  (void)s;
  ++r->controls;
  return nsds_ds_set_z(nsds_ds_at(r->model, 0), 1, (double[]){-2.0 * nsds_v(ball)[0]});
}

static int kick(nsds_simulation *s, void *user) {
  run_of *r = user;
  (void)s;
  ++r->kicks;
  return nsds_set_state(nsds_ds_at(r->model, 0), NULL, (double[]){3.0});
}

static int push(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -9.81 + in->z[0];
  return 0;
}

static void add_ball(nsds_model *model) {
  nsds_ds *ball =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                  .q0 = (double[]){1.0},
                                                                  .mass = (double[]){1.0},
                                                                  .fext_fn = push,
                                                                  .nz = 1,
                                                                  .z = (double[]){0.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.7), 1, &ball);
}

static void schedule(run_of *r) {
  assert_ok(r->model, nsds_simulation_sample(r->simulation, &(nsds_sampler_def){.name = "control",
                                                                                .period = 0.013,
                                                                                .sample = control,
                                                                                .user = r}));
  for (int k = 1; k <= 3; ++k)
    assert_ok(r->model,
              nsds_simulation_at(
                  r->simulation,
                  &(nsds_event_def){.name = "kick", .time = 0.11 * k, .call = kick, .user = r}));
}

static void controlled_ball(run_of *r) {
  r->model = nsds_model_create(NULL);
  add_ball(r->model);
  r->simulation = nsds_time_stepping(r->model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.005});
  assert_sound(r->model);
  schedule(r);
}

static void controlled_ball_events(run_of *r) {
  r->model = nsds_model_create(NULL);
  add_ball(r->model);
  r->simulation =
      nsds_event_driven(r->model, &(nsds_event_driven_def){.t1 = 10.0, .output_period = 0.02});
  assert_sound(r->model);
  schedule(r);
}

static void samplers_events_and_parameters_come_back(void **state) {
  (void)state;
  go_on(controlled_ball, 40, 60); /* in the middle of two kicks, between two controls */
  go_on(controlled_ball, 1, 30);
  go_on(controlled_ball_events, 25, 60);
}

/* ---- modes of event-driven simulation ---- */

/* A block on a belt that sticks and slips, beside a ball that bounces and comes to rest. */
static void block_and_ball(run_of *r) {
  r->model = nsds_model_create(NULL);
  nsds_ds *block = nsds_lagrangian_linear(
      r->model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                              .q0 = (double[]){0.0, 0.0},
                                              .mass = (double[]){1, 0, 0, 1},
                                              .stiffness = (double[]){1, 0, 0, 0},
                                              .fext = (double[]){0.0, -9.81}});
  nsds_relation *foot = nsds_lagrangian_linear_relation(
      r->model,
      &(nsds_lagrangian_linear_relation_def){.ny = 2, .nq = 2, .H = (double[]){0, 1, 1, 0}});
  nsds_law *friction = nsds_newton_impact_friction(
      r->model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.2, .slip = {0.5}});
  nsds_connect(r->model, foot, friction, 1, &block);
  nsds_ds *ball = nsds_lagrangian_linear(
      r->model,
      &(nsds_lagrangian_linear_def){
          .ndof = 1, .q0 = (double[]){0.2}, .mass = (double[]){1.0}, .fext = (double[]){-9.81}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      r->model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(r->model, gap, nsds_newton_impact(r->model, 0.5), 1, &ball);
  r->simulation =
      nsds_event_driven(r->model, &(nsds_event_driven_def){.t1 = 30.0, .output_period = 0.1});
  assert_sound(r->model);
}

static void modes_come_back(void **state) {
  (void)state;
  for (int first = 0; first < 60; first += 7) go_on(block_and_ball, first, 40);
}

/* ---- contacts that are found ---- */

static nsds_ds *sphere(nsds_model *model, const double *x, const double *v) {
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = 1.0,
                                    .inertia = (double[]){0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1},
                                    .q0 = (double[]){x[0], x[1], x[2], 1, 0, 0, 0},
                                    .v0 = v,
                                    .gravity = {0, 0, -9.81}});
}

static void lay_on_floor(nsds_model *model, int count, nsds_ds **ds, double mu, double e) {
  nsds_law *law =
      nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = mu, .e_n = e});
  nsds_spheres(model, &(nsds_spheres_def){.name = "spheres",
                                          .law = law,
                                          .count = count,
                                          .ds = ds,
                                          .radius = 0.5,
                                          .nplane = 1,
                                          .plane = &(nsds_plane){{0, 0, 1}, 0}});
}

static void pile(run_of *r) {
  enum { count = 27 };
  nsds_ds *ds[count];
  r->model = nsds_model_create(NULL);
  for (int k = 0; k < count; ++k)
    ds[k] = sphere(r->model,
                   (double[]){1.02 * (k % 3) + 1e-3 * k, 1.03 * (k / 3 % 3), 0.6 + 1.1 * (k / 9)},
                   NULL);
  lay_on_floor(r->model, count, ds, 0.4, 0.0);
  r->simulation = nsds_time_stepping(
      r->model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.005, .tolerance = 1e-6});
  assert_sound(r->model);
}

/* Some of these are at rest when others meet. */
static void falling_spheres(run_of *r) {
  enum { count = 5 };
  nsds_ds *ds[count];
  r->model = nsds_model_create(NULL);
  for (int k = 0; k < count; ++k)
    ds[k] = sphere(r->model, (double[]){1.1 * k, 0.0, 0.5 + 0.1 * k},
                   (double[]){-0.3 * k, 0, 0, 0, 0.1, 0});
  lay_on_floor(r->model, count, ds, 0.3, 0.4);
  r->simulation =
      nsds_event_driven(r->model, &(nsds_event_driven_def){.t1 = 2.0, .output_period = 0.01});
  assert_sound(r->model);
}

static void contacts_of_sets_come_back(void **state) {
  (void)state;
  go_on(falling_spheres, 30, 30);
  go_on(pile, 30, 30);
  go_on(pile, 80, 20);
}

/* ---- refusals ---- */

static void refused(run_of *r, const char *path, nsds_status expected, const char *one,
                    const char *other) {
  snapshot before = snapshot_take(r->model);
  double t = nsds_time(r->simulation);
  nsds_context *context = nsds_model_context(r->model);
  assert_int_equal(nsds_snapshot_load(r->simulation, path), expected);
  const char *const words[] = {"nsds_snapshot_load", path, one, other};
  assert_words(nsds_error_message(context), words, 4);
  nsds_error_clear(context);
  snapshot_check(&before, r->model, one);
  assert_true(nsds_time(r->simulation) == t);
  snapshot_free(&before);
}

static void other_models_are_named(void **state) {
  (void)state;
  run_of one = {0}, other = {0};
  controlled_ball(&one);
  advance(&one, 40);
  assert_ok(one.model, nsds_snapshot_save(one.simulation, file));

  block_and_ball(&other);
  refused(&other, file, NSDS_ERROR_ARGUMENT, "driver: 'time-stepping simulation' in the file",
          "event-driven");
  finish(&other);

  pile(&other);
  refused(&other, file, NSDS_ERROR_ARGUMENT, "systems: 1 in the file, 27 here", NULL);
  finish(&other);

  other.model = nsds_model_create(NULL);
  add_ball(other.model);
  other.simulation =
      nsds_time_stepping(other.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.005});
  refused(&other, file, NSDS_ERROR_ARGUMENT, "sampler 'control'", "add it to the simulation");
  finish(&other);

  other.model = nsds_model_create(NULL);
  add_ball(other.model);
  other.simulation =
      nsds_time_stepping(other.model, &(nsds_time_stepping_def){.t0 = 0.5, .t1 = 1.0, .h = 0.005});
  refused(&other, file, NSDS_ERROR_ARGUMENT, "t0 is 0 in the file, 0.5 here", NULL);
  finish(&other);

  controlled_ball(&other);
  assert_ok(other.model,
            nsds_simulation_sample(other.simulation, &(nsds_sampler_def){.name = "another",
                                                                         .period = 0.1,
                                                                         .phase = 0.1,
                                                                         .sample = control,
                                                                         .user = &other}));
  refused(&other, file, NSDS_ERROR_ARGUMENT, "sampler 'another'", "not in the file");
  finish(&other);

  controlled_ball(&other);
  nsds_ds *ball = nsds_ds_at(other.model, 0);
  nsds_relation *ceiling = nsds_lagrangian_linear_relation(
      other.model, &(nsds_lagrangian_linear_relation_def){
                       .ny = 1, .nq = 1, .H = (double[]){-1.0}, .b = (double[]){9.0}});
  nsds_interaction *more =
      nsds_connect(other.model, ceiling, nsds_newton_impact(other.model, 0.0), 1, &ball);
  refused(&other, file, NSDS_ERROR_ARGUMENT, "relations: 1 in the file, 2 here", NULL);
  assert_ok(other.model, nsds_disconnect(more));
  assert_ok(other.model, nsds_relation_destroy(ceiling));
  assert_ok(other.model, nsds_snapshot_load(other.simulation, file)); /* after all that */
  finish(&other);
  finish(&one);
  remove(file);
}

static void paths_that_lead_nowhere(void **state) {
  (void)state;
  run_of r = {0};
  controlled_ball(&r);
  refused(&r, "no/such/file", NSDS_ERROR_IO, "cannot be opened", NULL);
  nsds_context *context = nsds_model_context(r.model);
  assert_int_equal(nsds_snapshot_save(r.simulation, "no/such/file"), NSDS_ERROR_IO);
  nsds_error_clear(context);
  assert_int_equal(nsds_snapshot_save(r.simulation, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_snapshot_load(r.simulation, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_snapshot_save(NULL, file), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_snapshot_load(NULL, file), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  finish(&r);
}

/* ---- damaged files ---- */

static unsigned char *read_file(size_t *size) {
  FILE *f = fopen(file, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  unsigned char *data = malloc(*size);
  assert_non_null(data);
  assert_int_equal(fread(data, 1, *size, f), *size);
  fclose(f);
  return data;
}

static void write_file(const unsigned char *data, size_t size) {
  FILE *f = fopen(file, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(data, 1, size, f), size);
  assert_int_equal(fclose(f), 0);
}

static void damage_is_seen(void **state) {
  (void)state;
  run_of r = {0};
  size_t size;
  controlled_ball(&r);
  advance(&r, 40);
  assert_ok(r.model, nsds_snapshot_save(r.simulation, file));
  unsigned char *data = read_file(&size);
  for (size_t k = 0; k < size; k += k < 64 ? 1 : 37) {
    data[k] ^= 0x10;
    write_file(data, size);
    refused(&r, file, NSDS_ERROR_FORMAT, "the snapshot", NULL);
    data[k] ^= 0x10;
    write_file(data, k);
    refused(&r, file, NSDS_ERROR_FORMAT, "the snapshot", NULL);
  }
  write_file(data, size);
  assert_ok(r.model, nsds_snapshot_load(r.simulation, file));
  free(data);
  finish(&r);
  remove(file);
}

/* What the file says of itself, made to fit again: FNV-1a of all behind the head. */
static void seal(unsigned char *data, size_t size) {
  enum { head = 40 };
  uint64_t sum = UINT64_C(14695981039346656037), length = size - head;
  for (size_t k = head; k < size; ++k) sum = (sum ^ data[k]) * UINT64_C(1099511628211);
  for (int k = 0; k < 8; ++k) {
    data[24 + k] = (unsigned char)(length >> 8 * k);
    data[32 + k] = (unsigned char)(sum >> 8 * k);
  }
}

/* A file that may be forged, by a run made anew: loaded, or refused without a change; and the run
 * goes on. */
static void load_anew(void (*make)(run_of *r), int steps) {
  run_of r = {0};
  make(&r);
  advance(&r, steps);
  snapshot before = snapshot_take(r.model);
  nsds_status status = nsds_snapshot_load(r.simulation, file);
  if (status) snapshot_check(&before, r.model, nsds_error_message(nsds_model_context(r.model)));
  nsds_error_clear(nsds_model_context(r.model));
  snapshot_free(&before);
  if (status) advance(&r, 1);
  else nsds_step(r.simulation);
  finish(&r);
}

/* Each word in turn, in files whose checksum is right: loaded or refused, and the run goes on. */
static void forged_words(void (*make)(run_of *r), int steps) {
  static const uint64_t forged[] = {0, 1, 7, UINT64_MAX, UINT64_C(1) << 62, UINT64_C(0x7ff8) << 48};
  run_of r = {0};
  size_t size;
  make(&r);
  advance(&r, steps);
  assert_ok(r.model, nsds_snapshot_save(r.simulation, file));
  unsigned char *data = read_file(&size), *copy = malloc(size);
  assert_non_null(copy);
  for (size_t k = 40; k + 8 <= size; k += 8)
    for (size_t f = 0; f < sizeof forged / sizeof *forged; ++f) {
      if ((k / 8 + f) % 3 != 0 || (size > 20000 && k / 8 % 31 != f)) continue;
      memcpy(copy, data, size);
      for (int b = 0; b < 8; ++b) copy[k + (size_t)b] = (unsigned char)(forged[f] >> 8 * b);
      seal(copy, size);
      write_file(copy, size);
      nsds_status status = nsds_snapshot_load(r.simulation, file);
      if (!status) nsds_step(r.simulation);
      nsds_error_clear(nsds_model_context(r.model));
      load_anew(make, (int)(k / 8 % 3));
    }
  finish(&r);
  write_file(data, size);
  make(&r);
  assert_ok(r.model, nsds_snapshot_load(r.simulation, file));
  advance(&r, 3);
  free(data);
  free(copy);
  finish(&r);
  remove(file);
}

static void forged_files_are_survived(void **state) {
  (void)state;
  forged_words(controlled_ball, 40);
  forged_words(block_and_ball, 20);
  forged_words(pile, 60);
  forged_words(falling_spheres, 35);
}

/* ---- memory ---- */

/* Neither call leaves anything behind where memory is short. */
static void without_memory(void **state) {
  (void)state;
  for (int loads = 0; loads < 2; ++loads) {
    bool failed = true;
    for (long k = 1; failed; ++k) {
      meter m = {0};
      nsds_context *context = meter_context(&m);
      nsds_model *model = nsds_model_create(context);
      add_ball(model);
      nsds_simulation *s =
          nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.005});
      for (int n = 0; n < 20; ++n) assert_ok(model, nsds_step(s));
      if (loads) assert_ok(model, nsds_snapshot_save(s, file));
      snapshot before = snapshot_take(model);
      m.fail_at = m.calls + k;
      nsds_status status = loads ? nsds_snapshot_load(s, file) : nsds_snapshot_save(s, file);
      failed = m.failed;
      m.fail_at = 0;
      assert_int_equal(status, failed ? NSDS_ERROR_MEMORY : NSDS_OK);
      snapshot_check(&before, model, "without memory");
      nsds_error_clear(context);
      assert_ok(model, nsds_step(s));
      snapshot_free(&before);
      nsds_model_destroy(model);
      nsds_context_destroy(context);
      assert_int_equal(m.live, 0);
      assert_true(failed ? k < 20 : k > 2);
    }
  }
  remove(file);
}

static int nothing(nsds_simulation *s, void *user) {
  (void)s, (void)user;
  return 0;
}

/* 10^5 events: they are found again, and taken out, in a time in proportion to their number. */
static void many_events(void **state) {
  (void)state;
  enum { count = 100000 };
  run_of r[2] = {{0}};
  for (int k = 0; k < 2; ++k) {
    controlled_ball(&r[k]);
    for (int n = 0; n < count; ++n)
      assert_ok(r[k].model,
                nsds_simulation_at(r[k].simulation,
                                   &(nsds_event_def){.time = 1e-3 * (n % 200), .call = nothing}));
  }
  advance(&r[0], 20);
  assert_ok(r[0].model, nsds_snapshot_save(r[0].simulation, file));
  assert_ok(r[1].model, nsds_snapshot_load(r[1].simulation, file));
  r[0].controls = r[1].controls = 0;
  assert_true(advance(&r[0], 20) == advance(&r[1], 20));
  assert_int_equal(r[0].controls, r[1].controls);
  for (int k = 0; k < 2; ++k) finish(&r[k]);
  remove(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(samplers_events_and_parameters_come_back),
                                     cmocka_unit_test(modes_come_back),
                                     cmocka_unit_test(contacts_of_sets_come_back),
                                     cmocka_unit_test(other_models_are_named),
                                     cmocka_unit_test(paths_that_lead_nowhere),
                                     cmocka_unit_test(damage_is_seen),
                                     cmocka_unit_test(forged_files_are_survived),
                                     cmocka_unit_test(without_memory),
                                     cmocka_unit_test(many_events)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
