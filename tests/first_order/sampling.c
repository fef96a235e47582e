/*
 * Samplers: when they are called, what they see and set, and how they fail.
 */
#include "support.h"

#include <stdio.h>

enum { most_calls = 64 };

/* What a sampler noted, and what it is to do. */
typedef struct notebook {
  nsds_ds *ds;
  int calls;
  double t[most_calls], x[most_calls];
  int refuse_at, code; /* the call (from 1) that returns `code` instead of sampling */
  char *order;         /* samplers sharing a notebook of letters */
  char letter;
} notebook;

/* Notes t and x, and sets z = (-x): dx/dt = z is proportional control held between samples. */
static int sample(nsds_simulation *simulation, void *user) {
  notebook *n = user;
  if (n->refuse_at > 0 && n->calls + 1 == n->refuse_at) return n->code;
  if (n->order) strncat(n->order, &n->letter, 1);
  n->t[n->calls] = nsds_time(simulation);
  n->x[n->calls] = nsds_x(n->ds)[0];
  ++n->calls;
  double u = -nsds_x(n->ds)[0];
  return nsds_ds_set_z(n->ds, 1, &u) < 0 ? -1 : 0;
}

static int hold(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->z[0];
  return 0;
}

typedef struct plant {
  nsds_model *model;
  nsds_ds *ds;
  nsds_simulation *simulation;
} plant;

static plant build(double h) {
  plant p = {.model = nsds_model_create(NULL)};
  p.ds = nsds_first_order_linear(
      p.model, &(nsds_first_order_linear_def){
                   .name = "plant", .n = 1, .x0 = (double[]){1.0}, .b_fn = hold, .nz = 1});
  p.simulation = nsds_time_stepping(
      p.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .first_order = nsds_zero_order_hold()});
  assert_sound(p.model);
  return p;
}

static nsds_status attach(const plant *p, notebook *n, const char *name, double period,
                          double phase) {
  n->ds = p->ds;
  return nsds_simulation_sample(
      p->simulation,
      &(nsds_sampler_def){
          .name = name, .period = period, .phase = phase, .sample = sample, .user = n});
}

/* dx/dt = -x(last sample): x(k T) = (1 - T)^k exactly, with the first sample at t = 0. */
static void held_control(void **state) {
  (void)state;
  plant p = build(0.01);
  notebook n = {0};
  assert_ok(p.model, attach(&p, &n, "controller", 0.1, 0.0));
  assert_int_equal(n.calls, 1); /* due now, taken now */
  assert_status(p.model, nsds_run(p.simulation), NSDS_END);
  assert_int_equal(n.calls, 11);
  for (int k = 0; k <= 10; ++k) {
    assert_near(n.t[k], 0.1 * k, 1e-14);
    assert_near(n.x[k], pow(0.9, k), 1e-14);
  }
  assert_near(nsds_x(p.ds)[0], pow(0.9, 10), 1e-14);
  nsds_model_destroy(p.model);
}

/* The first sample waits for the phase; nothing acts before. */
static void phase(void **state) {
  (void)state;
  plant p = build(0.01);
  notebook n = {0};
  assert_ok(p.model, attach(&p, &n, "late", 0.2, 0.05));
  assert_int_equal(n.calls, 0);
  assert_status(p.model, nsds_run(p.simulation), NSDS_END);
  assert_int_equal(n.calls, 5);
  for (int k = 0; k < 5; ++k) assert_near(n.t[k], 0.05 + 0.2 * k, 1e-14);
  assert_near(n.x[0], 1.0, 0.0);
  nsds_model_destroy(p.model);
}

/* Two samplers due at once are called in the order in which they were attached, after the step that
 * reaches the time and before the next. */
static void order_of_sampling(void **state) {
  (void)state;
  plant p = build(0.05);
  char letters[64] = "";
  notebook a = {.order = letters, .letter = 'a'}, b = {.order = letters, .letter = 'b'};
  assert_ok(p.model, attach(&p, &a, "a", 0.2, 0.0));
  assert_ok(p.model, attach(&p, &b, "b", 0.1, 0.0));
  for (int k = 0; k < 9; ++k) {
    int before = a.calls + b.calls;
    assert_ok(p.model, nsds_step(p.simulation));
    int due = (k + 1) % 4 == 0 ? 2 : (k + 1) % 2 == 0;
    assert_int_equal(a.calls + b.calls - before, due);
  }
  assert_string_equal(letters, "ab"
                               "b"
                               "ab"
                               "b"
                               "ab");
  nsds_model_destroy(p.model);
}

/* A sampler that joins later takes no old samples. */
static void joining_later(void **state) {
  (void)state;
  plant p = build(0.05);
  notebook n = {0};
  for (int k = 0; k < 5; ++k) assert_ok(p.model, nsds_step(p.simulation)); /* t = 0.25 */
  assert_ok(p.model, attach(&p, &n, "late", 0.1, 0.0));
  assert_int_equal(n.calls, 0);
  assert_ok(p.model, nsds_step(p.simulation));
  assert_int_equal(n.calls, 1);
  assert_near(n.t[0], 0.3, 1e-15);
  nsds_model_destroy(p.model);
}

/* Over many steps no sample is lost or doubled, whatever rounding does to k h. */
static void no_sample_is_lost(void **state) {
  (void)state;
  const double steps[] = {0.1, 1.0 / 3.0, 0.7e-3, 1e-5 / 3.0};
  for (int s = 0; s < 4; ++s) {
    double h = steps[s];
    plant p = build(h);
    notebook n = {0};
    assert_ok(p.model, nsds_simulation_set_end(p.simulation, 6000.0 * h));
    assert_ok(p.model, attach(&p, &n, "sampler", 100.0 * h, 0.0));
    assert_status(p.model, nsds_run(p.simulation), NSDS_END);
    assert_int_equal(n.calls, 61);
    for (int k = 0; k <= 60; ++k) assert_near(n.t[k], 100.0 * k * h, 1e-12 * k * h + 1e-300);
    nsds_model_destroy(p.model);
  }
}

/* ---- failures ---- */

static void wrong_definitions(void **state) {
  (void)state;
  plant p = build(0.01);
  nsds_context *context = nsds_model_context(p.model);
  const struct {
    double period, phase;
    const char *words[2];
  } wrong[] = {
      {0.0, 0.0, {"period is 0", "positive"}},     {-0.1, 0.0, {"period is -0.1", NULL}},
      {NAN, 0.0, {"period is nan", NULL}},         {INFINITY, 0.0, {"period is inf", NULL}},
      {0.1, -0.1, {"phase -0.1", NULL}},           {0.1, NAN, {"phase nan", NULL}},
      {1e-9, 0.0, {"period of 1e-09", "h = 0.01"}}};
  notebook n = {0};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    assert_status(p.model, attach(&p, &n, "wrong", wrong[k].period, wrong[k].phase),
                  NSDS_ERROR_VALUE);
    assert_words(nsds_error_message(context), wrong[k].words, 2);
    nsds_error_clear(context);
  }
  assert_int_equal(nsds_simulation_sample(p.simulation, NULL), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_int_equal(nsds_simulation_sample(p.simulation, &(nsds_sampler_def){.period = 0.1}),
                   NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_int_equal(nsds_simulation_sample(NULL, &(nsds_sampler_def){.period = 0.1}),
                   NSDS_ERROR_ARGUMENT);
  assert_status(p.model, nsds_run(p.simulation), NSDS_END); /* none of them is attached */
  assert_int_equal(n.calls, 0);
  nsds_model_destroy(p.model);
}

/* A sampler that fails names itself and the time; the step stays, and the sample is taken again
 * before the next one, so that the run ends as if nothing had happened. */
static void failing_sampler(void **state) {
  (void)state;
  const struct {
    int code;
    nsds_status status;
  } failure[] = {{7, NSDS_ERROR_CALLBACK}, {-2, NSDS_ERROR_ABORTED}};
  for (int k = 0; k < 2; ++k) {
    plant p = build(0.01);
    notebook n = {.refuse_at = 4, .code = failure[k].code};
    assert_ok(p.model, attach(&p, &n, "controller", 0.1, 0.0));
    nsds_status status;
    while ((status = nsds_step(p.simulation)) == NSDS_OK) {
    }
    assert_status(p.model, status, failure[k].status);
    assert_near(nsds_time(p.simulation), 0.3, 1e-15);
    assert_int_equal(nsds_step_count(p.simulation), 30); /* the step is done */
    char code[16];
    snprintf(code, sizeof code, "returned %d", failure[k].code);
    assert_words(nsds_error_message(nsds_model_context(p.model)),
                 ((const char *[]){"'controller'", code, "t = 0.29999"}), 3);
    nsds_error_clear(nsds_model_context(p.model));
    assert_status(p.model, nsds_step(p.simulation), failure[k].status); /* still refuses */
    assert_int_equal(nsds_step_count(p.simulation), 30);
    nsds_error_clear(nsds_model_context(p.model));
    n.refuse_at = 0;
    assert_status(p.model, nsds_run(p.simulation), NSDS_END);
    assert_int_equal(n.calls, 11);
    assert_near(nsds_x(p.ds)[0], pow(0.9, 10), 1e-14);
    nsds_model_destroy(p.model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(held_control),      cmocka_unit_test(phase),
      cmocka_unit_test(order_of_sampling), cmocka_unit_test(joining_later),
      cmocka_unit_test(no_sample_is_lost), cmocka_unit_test(wrong_definitions),
      cmocka_unit_test(failing_sampler),
  };
  return cmocka_run_group_tests_name("first_order.sampling", tests, NULL, NULL);
}
