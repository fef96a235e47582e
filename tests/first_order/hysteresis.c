/*
 * Relays with hysteresis by time stepping: between two thresholds both states obey the law, and the present one stays.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

enum { rooms = 3 };

/* A room, dT/dt = -a (T - outside) + sum of powers while heaters are on. Heater k is on below low[k] and off above
 * high[k]: s = T - low - (high - low) lambda. */
typedef struct house {
  double a, outside, T, power[rooms], low[rooms], high[rooms];
  int heaters;
} house;

static house draw_house(uint64_t *seed, int heaters) {
  house d = {
      .a = random_in(seed, 0.05, 0.2), .outside = random_in(seed, -5.0, 5.0), .heaters = heaters};
  for (int k = 0; k < heaters; ++k) {
    d.low[k] = random_in(seed, 18.0, 19.0);
    d.high[k] = d.low[k] + random_in(seed, 0.5, 3.0);
    d.power[k] = d.a * random_in(seed, 20.0, 30.0);
  }
  d.T = random_in(seed, 23.0, 25.0); /* all heaters are off */
  return d;
}

/* The temperature at the end by exponentials, from switch to switch; the number of switches. */
static double exact(const house *d, double end, int *switches) {
  bool on[rooms] = {false};
  double T = d->T, t = 0.0;
  for (*switches = 0; t < end; ++*switches) {
    double target = d->outside, next = end - t;
    int which = -1;
    for (int k = 0; k < d->heaters; ++k) target += on[k] ? d->power[k] / d->a : 0.0;
    for (int k = 0; k < d->heaters; ++k) {
      double at = on[k] ? d->high[k] : d->low[k], ratio = (T - target) / (at - target);
      double after = ratio > 1.0 ? log(ratio) / d->a : INFINITY;
      if ((on[k] ? target > at : target < at) && after < next) {
        next = after;
        which = k;
      }
    }
    T = which < 0   ? target + (T - target) * exp(-d->a * next)
        : on[which] ? d->high[which]
                    : d->low[which];
    t += next;
    if (which < 0) break;
    on[which] = !on[which];
  }
  return T;
}

/* Balls that fall onto each other and come to rest: contacts that a set finds. */
static void drop_balls(nsds_model *model) {
  enum { balls = 12 };
  const double M[] = {1.0, 0.0, 0.0, 1.0}, weight[] = {0.0, -9.81}, up[] = {0.0, 1.0};
  nsds_ds *ball[balls];
  for (int k = 0; k < balls; ++k) {
    const double q0[] = {0.25 * (k % 3), 0.2 + 0.25 * (k / 3)};
    ball[k] = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = M, .q0 = q0, .fext = weight});
  }
  nsds_balls(model, &(nsds_balls_def){.law = nsds_newton_impact(model, 0.2),
                                      .count = balls,
                                      .ds = ball,
                                      .dimension = 2,
                                      .radius = 0.1,
                                      .normal = up,
                                      .pairs = true});
}

static bool with_balls;

/* Steps of length h; `mixed` adds a mass beside the room. */
static double stepped(const house *d, double end, double h, bool mixed, int *switches) {
  nsds_model *model = nsds_model_create(NULL);
  double zero[rooms] = {0.0}, one[rooms] = {1.0, 1.0, 1.0}, C[rooms], D[rooms * rooms] = {0.0},
         e[rooms], B[rooms];
  int m = d->heaters;
  nsds_ds *ds[2] = {nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 1, .x0 = &d->T, .A = (double[]){-d->a}, .b = (double[]){d->a * d->outside}})};
  for (int k = 0; k < m; ++k) {
    C[k] = 1.0;
    D[k * (m + 1)] = -(d->high[k] - d->low[k]);
    e[k] = -d->low[k];
    B[k] = d->power[k];
  }
  nsds_relation *r = nsds_first_order_linear_relation(
      model,
      &(nsds_first_order_linear_relation_def){.ny = m, .nx = 1, .C = C, .D = D, .e = e, .B = B});
  if (mixed) {
    ds[1] = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one});
    r = nsds_mixed_linear_relation(model,
                                   &(nsds_mixed_linear_relation_def){
                                       .ny = m, .nx = 1, .nq = 1, .C = C, .D = D, .e = e, .B = B});
  }
  nsds_interaction *ia = nsds_connect(model, r, nsds_relay(model, m, zero, one), 1 + mixed, ds);
  if (with_balls) drop_balls(model);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = end, .h = h});
  assert_sound(model);
  double last[rooms] = {0.0};
  *switches = 0;
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK)
    for (int k = 0; k < m; ++k) {
      double now = nsds_lambda(ia)[k];
      assert_true(now == 0.0 || now == 1.0);
      *switches += now != last[k];
      last[k] = now;
    }
  assert_int_equal(status, NSDS_END);
  double T = nsds_x(ds[0])[0];
  nsds_model_destroy(model);
  return T;
}

static void thermostats(bool mixed, int heaters, uint64_t seed) {
  const double end = 30.0, h = 1e-3;
  double worst = 0.0;
  int all = 0;
  for (int k = 0; k < 12; ++k) {
    house d = draw_house(&seed, heaters);
    int expected, found;
    double T = exact(&d, end, &expected), near = fabs(stepped(&d, end, h, mixed, &found) - T);
    double fastest = d.a * (d.T - d.outside);
    for (int i = 0; i < heaters; ++i) fastest += d.power[i];
    assert_true(abs(found - expected) <= 1);          /* the last one may be at the end */
    assert_true(near < (expected + 1) * h * fastest); /* each switch comes up to a step late */
    worst = fmax(worst, near);
    all += expected;
  }
  printf("%d switches, temperatures end %.2g apart\n", all, worst);
  assert_true(all > 50);
}

static void one_keeps_its_state(void **state) {
  (void)state;
  thermostats(false, 1, 3);
}

static void several_keep_their_states(void **state) {
  (void)state;
  thermostats(false, rooms, 4);
}

static void beside_bodies(void **state) {
  (void)state;
  thermostats(true, 2, 5);
}

/* Rows of found contacts once were written past the arrays of relays that keep their state. */
static void beside_found_contacts(void **state) {
  (void)state;
  with_balls = true;
  thermostats(false, 1, 6);
  with_balls = false;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_keeps_its_state), cmocka_unit_test(several_keep_their_states),
      cmocka_unit_test(beside_bodies), cmocka_unit_test(beside_found_contacts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
