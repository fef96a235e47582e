/* Switches that time or the state moves; steps allocate nothing; what is refused. */
#include "support.h"

#include <stdio.h>
#include <string.h>

/*
 * A source of 10 V charges C = 1 F through R = 1 Ohm while the switch is on; C discharges through 2 Ohm always. The
 * switch is on for 1 of 2 s: exponentials with time constants 2/3 s and 2 s. lambda is the current of the switch.
 */
typedef struct charger {
  bool by_voltage; /* on below 2 V, off above 4 V, in place of a clock */
  double times[100];
  int count;
} charger;

static double clock_margin(const nsds_adaptive_view *at, int k, bool on, void *user) {
  const charger *c = user;
  assert_int_equal(k, 0);
  if (c->by_voltage) return on ? 4.0 - at->x[0] : at->x[0] - 2.0;
  return (fmod(at->t, 2.0) < 1.0) == on ? INFINITY : -1.0;
}

static double next_second(double t, void *user) {
  (void)user;
  return floor(t) + 1.0;
}

static nsds_simulation *charge(nsds_model *model, charger *c, nsds_ds **ds, double largest) {
  const double A = -0.5, C = 1.0, B = 1.0, D = 1.0, e = -10.0;
  *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .A = &A});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 1, .C = &C, .B = &B, .D = &D, .e = &e});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_equality(model), 1, ds);
  return nsds_adaptive(model,
                       &(nsds_adaptive_def){.t1 = 10.0,
                                            .largest_step = largest,
                                            .tolerance = 1e-7,
                                            .next_corner = c->by_voltage ? NULL : next_second,
                                            .nswitch = 1,
                                            .switched = &ia,
                                            .margin = clock_margin,
                                            .user = c});
}

static void by_time(void **state) {
  (void)state;
  charger c = {0};
  nsds_ds *ds;
  nsds_model *model = nsds_model_create(NULL);
  nsds_simulation *sim = charge(model, &c, &ds, 0.1);
  assert_sound(model);
  double worst = 0.0;
  while (nsds_step(sim) == NSDS_OK) {
    double t = nsds_time(sim), x = 0.0, at = 0.0;
    for (; at + 1.0 < t; at += 1.0)
      x = fmod(at, 2.0) < 1.0 ? 20.0 / 3.0 + (x - 20.0 / 3.0) * exp(-1.5) : x * exp(-0.5);
    x = fmod(at, 2.0) < 1.0 ? 20.0 / 3.0 + (x - 20.0 / 3.0) * exp(-1.5 * (t - at))
                            : x * exp(-0.5 * (t - at));
    worst = worse(worst, fabs(nsds_x(ds)[0] - x));
  }
  assert_sound(model);
  assert_near(worst, 0.0, 7e-5); /* errors of 1e-7 times 7 V in each of a hundred steps */
  nsds_model_destroy(model);
}

/* The times of switching follow from the exponentials between 2 and 4 V. */
static void by_voltage(void **state) {
  (void)state;
  charger c = {.by_voltage = true};
  nsds_ds *ds;
  nsds_model *model = nsds_model_create(NULL);
  nsds_simulation *sim = charge(model, &c, &ds, 0.1);
  assert_sound(model);
  const double end = 20.0 / 3.0, first = log(end / (end - 4.0)) / 1.5;
  const double down = 2.0 * log(2.0), up = log((end - 2.0) / (end - 4.0)) / 1.5;
  long seen = 0;
  double worst = 0.0;
  while (nsds_step(sim) == NSDS_OK) {
    const nsds_adaptive_info *info = nsds_simulation_adaptive(sim);
    if (info->events == seen) continue;
    double right = first + (double)((seen + 1) / 2) * down + (double)(seen / 2) * up;
    seen = info->events;
    worst = worse(worst, fabs(info->event - right));
    assert_int_equal(info->moved, 0);
  }
  assert_sound(model);
  assert_int_equal(seen, 2 * (long)((10.0 - first) / (up + down)) + 1 +
                             (fmod(10.0 - first, up + down) > down));
  printf("switch by voltage: %ld events, worst %.3g s\n", seen, worst);
  assert_near(worst, 0.0, 1e-4);
  assert_true(nsds_adaptive_is_on(sim, 0) == (seen % 2 == 0));
  assert_false(nsds_adaptive_is_on(sim, 1));
  nsds_model_destroy(model);
}

static void nothing_is_allocated(void **state) {
  (void)state;
  for (int by_voltage = 0; by_voltage < 2; ++by_voltage) {
    meter m = {0};
    nsds_context *context = meter_context(&m);
    charger c = {.by_voltage = by_voltage};
    nsds_ds *ds;
    nsds_model *model = nsds_model_create(context);
    nsds_simulation *sim = charge(model, &c, &ds, 0.02);
    assert_sound(model);
    for (int k = 0; k < 150; ++k) assert_ok(model, nsds_step(sim));
    long calls = m.calls;
    for (int k = 0; k < 300; ++k) assert_ok(model, nsds_step(sim));
    assert_int_equal(m.calls, calls);
    nsds_model_destroy(model);
    nsds_context_destroy(context);
    assert_int_equal(m.live, 0);
  }
}

/*
 * A relation whose coefficients jump: dx/dt = lambda with D lambda = u(t), which is 1, D = 1, up to 1/3 s, and then -2
 * with D = 4. Without a time the relation returns NaN.
 */
typedef struct jumping {
  double at;
} jumping;

static bool has_jumped(const jumping *j, double t) { return t > (isnan(j->at) ? 1.0 : j->at); }

static nsds_status jumping_output(void *self, const nsds_arguments *in, double *y) {
  y[0] = has_jumped(self, in->t) ? 4.0 * in->lambda[0] + 2.0 : in->lambda[0] - 1.0;
  return NSDS_OK;
}

static nsds_status jumping_c(void *self, const nsds_arguments *in, double *C) {
  (void)self, (void)in;
  C[0] = 0.0;
  return NSDS_OK;
}

static nsds_status jumping_d(void *self, const nsds_arguments *in, double *D) {
  D[0] = has_jumped(self, in->t) ? 4.0 : 1.0;
  return NSDS_OK;
}

static nsds_status jumping_input(void *self, const nsds_arguments *in, double *r) {
  (void)self;
  r[0] = in->lambda[0];
  return NSDS_OK;
}

static nsds_status jumping_b(void *self, const nsds_arguments *in, double *B) {
  (void)self, (void)in;
  B[0] = 1.0;
  return NSDS_OK;
}

static double jumping_corner(void *self, double t) {
  const jumping *j = self;
  return t < j->at ? j->at : isnan(j->at) ? NAN : HUGE_VAL;
}

static const nsds_relation_ops jumping_ops = {.type = "jumping",
                                              .output = jumping_output,
                                              .jacobian_q = jumping_c,
                                              .jacobian_lambda = jumping_d,
                                              .input = jumping_input,
                                              .input_lambda = jumping_b,
                                              .next_corner = jumping_corner};

static void by_relation(void **state) {
  (void)state;
  for (int known = 1; known >= 0; --known) {
    jumping j = {known ? 1.0 / 3.0 : NAN};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1});
    nsds_relation *relation = nsds_custom_relation(
        model, &(nsds_custom_relation_def){
                   .ops = &jumping_ops, .self = &j, .ny = 1, .nq = 1, .linear = true});
    nsds_connect(model, relation, nsds_equality(model), 1, &ds);
    nsds_simulation *sim = nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0});
    assert_sound(model);
    nsds_status status = nsds_run(sim);
    if (known) {
      assert_true(fabs(nsds_x(ds)[0]) < 1e-12); /* 1/3 - 2/4 2/3 */
    } else {
      const char *const words[] = {"next_corner of the relation of", "valid are later times"};
      assert_int_equal(status, NSDS_ERROR_CALLBACK);
      assert_words(nsds_error_message(nsds_model_context(model)), words, 2);
    }
    nsds_model_destroy(model);
  }
}

static void refused(void **state) {
  (void)state;
  const double M = 1.0, y0 = 1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .mass = &M, .q0 = &y0, .prescribed = {1, (int[]){0}, nsds_zero}});
  assert_null(nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0}));
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_UNSUPPORTED);
  const char *const words[] = {"adaptive simulation", "prescribed velocities"};
  assert_words(nsds_error_message(nsds_model_context(model)), words, 2);
  nsds_error_clear(nsds_model_context(model));
  assert_null(nsds_adaptive(model, &(nsds_adaptive_def){.t0 = 1.0, .t1 = 1.0}));
  nsds_error_clear(nsds_model_context(model));
  assert_null(nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0, .nswitch = 1}));
  nsds_error_clear(nsds_model_context(model));
  assert_null(nsds_simulation_adaptive(NULL));
  nsds_model_destroy(model);
}

/* ---- switches that relations make ---- */

/* The charger's switch as a relation: y = x + lambda - 10, on below 2 V, off above 4 V. */
static nsds_status made_output(void *self, const nsds_arguments *in, double *y) {
  (void)self;
  y[0] = in->x[0] + in->lambda[0] - 10.0;
  return NSDS_OK;
}

static nsds_status made_one(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  out[0] = 1.0;
  return NSDS_OK;
}

static nsds_status made_input(void *self, const nsds_arguments *in, double *r) {
  (void)self;
  r[0] = in->lambda[0];
  return NSDS_OK;
}

static double made_margin(void *self, const nsds_arguments *in, bool on) {
  (void)self;
  return on ? 4.0 - in->x[0] : in->x[0] - 2.0;
}

static long seen_steps;
static nsds_status made_look(void *self, const nsds_arguments *in) {
  (void)self, (void)in;
  ++seen_steps;
  return NSDS_OK;
}

static const nsds_relation_ops made_ops = {.type = "made switch",
                                           .output = made_output,
                                           .jacobian_q = made_one,
                                           .jacobian_lambda = made_one,
                                           .input = made_input,
                                           .input_lambda = made_one,
                                           .margin = made_margin,
                                           .look = made_look};

static nsds_interaction *made_switch(nsds_model *model, nsds_ds **ds) {
  const double A = -0.5;
  *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .A = &A});
  nsds_relation *relation = nsds_custom_relation(
      model, &(nsds_custom_relation_def){.ops = &made_ops, .ny = 1, .nq = 1, .affine = true});
  return nsds_connect(model, relation, nsds_equality(model), 1, ds);
}

/* A switch of a relation is that of a definition, to the bit; undo returns to it. */
static void made_by_relations(void **state) {
  (void)state;
  charger c = {.by_voltage = true};
  nsds_ds *ds[2];
  nsds_model *model[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
  nsds_simulation *sim[2] = {charge(model[0], &c, &ds[0], 0.1), NULL};
  nsds_interaction *ia = made_switch(model[1], &ds[1]);
  sim[1] = nsds_adaptive(model[1],
                         &(nsds_adaptive_def){.t1 = 10.0, .largest_step = 0.1, .tolerance = 1e-7});
  assert_sound(model[1]);
  seen_steps = 0;
  long steps = 0, turns = 0;
  while (nsds_step(sim[0]) == NSDS_OK) {
    bool before = nsds_is_on(ia), saves = steps % 7 == 3;
    if (saves) assert_ok(model[1], nsds_simulation_save(sim[1]));
    assert_ok(model[1], nsds_step(sim[1]));
    if (saves) {
      assert_ok(model[1], nsds_simulation_restore(sim[1]));
      assert_int_equal(nsds_is_on(ia), before);
      assert_ok(model[1], nsds_step(sim[1]));
    }
    turns += nsds_is_on(ia) != before;
    assert_near(nsds_time(sim[1]), nsds_time(sim[0]), 0.0);
    assert_near(nsds_x(ds[1])[0], nsds_x(ds[0])[0], 0.0);
    assert_int_equal(nsds_is_on(ia), nsds_adaptive_is_on(sim[0], 0));
    ++steps;
  }
  assert_true(turns >= 4);
  assert_true(seen_steps >= steps);
  assert_ok(model[1], nsds_set_on(ia, !nsds_is_on(ia)));
  for (int k = 0; k < 2; ++k) nsds_model_destroy(model[k]);
}

/* Time stepping comes nearer with h, and moves a switch within a step of the time of its voltage. */
static void made_in_time_stepping(void **state) {
  (void)state;
  const double end = 20.0 / 3.0, first = log(end / (end - 4.0)) / 1.5;
  for (int k = 0; k < 3; ++k) {
    double h = 1e-2 / (double)(1 << (2 * k)), turned = 0.0;
    nsds_ds *ds;
    nsds_model *model = nsds_model_create(NULL);
    nsds_interaction *ia = made_switch(model, &ds);
    nsds_simulation *sim = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 2.0, .h = h});
    assert_sound(model);
    bool been_on = false;
    while (nsds_step(sim) == NSDS_OK) {
      been_on = been_on || nsds_is_on(ia);
      if (been_on && !nsds_is_on(ia) && turned == 0.0) turned = nsds_time(sim);
      assert_true(nsds_is_on(ia) || nsds_lambda(ia)[0] == 0.0);
    }
    assert_sound(model);
    assert_near(turned, first, 4.0 * h);
    nsds_model_destroy(model);
  }
}

/* Event-driven simulation moves a switch at the times of its margin, with its own look at each step. */
static void made_in_events(void **state) {
  (void)state;
  const double end = 20.0 / 3.0, first = log(end / (end - 4.0)) / 1.5, falls = 2.0 * log(2.0),
               rises = log((end - 2.0) / (end - 4.0)) / 1.5;
  nsds_ds *ds;
  nsds_model *model = nsds_model_create(NULL);
  nsds_interaction *ia = made_switch(model, &ds);
  nsds_simulation *sim = nsds_event_driven(
      model, &(nsds_event_driven_def){
                 .t1 = 10.0, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-14});
  assert_sound(model);
  double due = first;
  long turns = 0, steps = 0;
  seen_steps = 0;
  while (nsds_step(sim) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(sim);
    ++steps;
    if (!(event->kind & NSDS_EVENT_NONSMOOTH)) continue;
    bool on = ++turns % 2 == 0;
    assert_near(event->t, due, 1e-11);
    assert_near(nsds_x(ds)[0], on ? 2.0 : 4.0, 1e-11);
    assert_int_equal(nsds_is_on(ia), on);
    assert_near(nsds_lambda(ia)[0], on ? 8.0 : 0.0, 1e-10);
    due += on ? rises : falls;
  }
  assert_sound(model);
  assert_true(turns >= 8);
  assert_int_equal(seen_steps, steps);
  nsds_model_destroy(model);
}

static void made_refusals(void **state) {
  (void)state;
  nsds_ds *ds;
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  nsds_interaction *ia = made_switch(model, &ds);
  assert_null(nsds_custom_relation(
      model, &(nsds_custom_relation_def){.ops = &made_ops, .ny = 2, .nq = 1, .affine = true}));
  assert_non_null(strstr(nsds_error_message(context), "valid is ny = 1"));
  nsds_error_clear(context);
  assert_null(nsds_custom_relation(
      model, &(nsds_custom_relation_def){
                 .ops = &made_ops, .ny = 1, .nq = 1, .affine = true, .off_lower = 1.0}));
  assert_non_null(strstr(nsds_error_message(context), "off_lower must be at most off_upper"));
  nsds_error_clear(context);
  assert_null(nsds_adaptive(
      model,
      &(nsds_adaptive_def){.t1 = 1.0, .nswitch = 1, .switched = &ia, .margin = clock_margin}));
  assert_non_null(strstr(nsds_error_message(context), "a switch by its relation"));
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_time),
                                     cmocka_unit_test(by_voltage),
                                     cmocka_unit_test(by_relation),
                                     cmocka_unit_test(made_by_relations),
                                     cmocka_unit_test(made_in_time_stepping),
                                     cmocka_unit_test(made_in_events),
                                     cmocka_unit_test(made_refusals),
                                     cmocka_unit_test(nothing_is_allocated),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
