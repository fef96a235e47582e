/* First-order systems with modes: diodes and relays against closed forms and integration by parts.
 */
#include "circuits.h"
#include "support.h"
#include "switching.h"

static nsds_simulation *start(nsds_model *model, double t1) {
  nsds_simulation *s = nsds_event_driven(
      model,
      &(nsds_event_driven_def){.t1 = t1, .relative_tolerance = 1e-11, .absolute_tolerance = 1e-13});
  assert_sound(model);
  return s;
}

/* dx/dt = -2 sign(x): zero at |x| / 2, where lambda is zero. */
static void arrives_and_stays(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  relay_scene scene = scene_relay_simple(model, 1.0, -0.6);
  nsds_simulation *s = start(model, 1.0);
  assert_ok(model, nsds_step(s));
  assert_near(nsds_time(s), 0.3, 1e-13);
  assert_ok(model, nsds_step(s));
  assert_near(nsds_time(s), 0.5, 1e-13);
  assert_int_equal(nsds_run(s), NSDS_END);
  for (int i = 0; i < 2; ++i) {
    assert_near(nsds_x(scene.system)[i], 0.0, 1e-14);
    assert_near(nsds_lambda(scene.relay)[i], 0.0, 1e-14);
  }
  nsds_model_destroy(model);
}

/* |x_1| + |x_2| falls at the rate 2, so that zero is reached at (|x_1| + |x_2|) / 2 after
 * infinitely many turns. */
static void filippov(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  relay_scene scene = scene_filippov(model, 1.0, 0.5);
  nsds_simulation *s = start(model, 2.0);
  double last = 0.0;
  while (nsds_step(s) == NSDS_OK)
    if (nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH) last = nsds_time(s);
  assert_near(nsds_time(s), 2.0, 0.0);
  assert_near(last, 0.75, 1e-12);
  for (int i = 0; i < 2; ++i) assert_near(nsds_x(scene.system)[i], 0.0, 1e-13);
  nsds_model_destroy(model);
}

/* Blocked diode: an oscillator; conducting: R in parallel. The energy lost is that in R. */
static void diode(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double L = 1e-2, C = 1e-6, R = 1e3, w0 = 1.0 / sqrt(L * C), a = 0.5 / (R * C);
  circuit_scene scene = scene_rlcd(model, L, C, R, -10.0, 0.0);
  nsds_simulation *s = start(model, 5e-3);
  double quarter = 0.5 * acos(-1.0) / w0;
  assert_ok(model, nsds_step(s)); /* v = -10 cos(w0 t), i = -10 sqrt(C/L) sin(w0 t) */
  assert_near(nsds_time(s), quarter, 1e-9 * quarter);
  double i0 = -10.0 * sqrt(C / L), w = sqrt(w0 * w0 - a * a);
  assert_near(nsds_x(scene.circuit)[1], i0, 1e-9 * fabs(i0));
  assert_ok(model, nsds_step(s)); /* v = -i0 / (C w) exp(-a t) sin(w t) with v' + 2 a v = -i / C */
  double t = nsds_time(s) - quarter;
  assert_near(w * t, acos(-1.0), 1e-8);
  nsds_model_destroy(model);
}

/* Agrees with time stepping, which is off by what v and i change by in a step at each switch. */
static void bridge(void **state) {
  (void)state;
  double x[2][2];
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    circuit_scene scene = scene_diode_bridge(model, 1e-2, 1e-6, 1e3, 10.0);
    nsds_simulation *s =
        k == 0 ? start(model, 2e-3)
               : nsds_time_stepping(
                     model, &(nsds_time_stepping_def){
                                .t1 = 2e-3, .h = 1e-7, .first_order = nsds_euler_moreau(0.5)});
    assert_sound(model);
    assert_int_equal(nsds_run(s), NSDS_END);
    for (int i = 0; i < 2; ++i) x[k][i] = nsds_x(scene.circuit)[i];
    nsds_model_destroy(model);
  }
  assert_near(x[0][0], x[1][0], 1e-7 * 1e5); /* h i / C */
  assert_near(x[0][1], x[1][1], 1e-7 * 1e3); /* h v / L */
}

/* Along y = x_1 = 0 lambda is that of the equivalent control, and y stays at zero. */
static void sliding(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  relay_scene scene = scene_relay_oscillator(model);
  nsds_simulation *s = nsds_event_driven(
      model,
      &(nsds_event_driven_def){.t1 = 20.0, .output_period = 1e-2, .relative_tolerance = 1e-10});
  assert_sound(model);
  int slid = 0, entered = 0;
  while (nsds_step(s) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(s);
    double lambda = nsds_lambda(scene.relay)[0], *x = NULL, state_now[3];
    (void)x;
    memcpy(state_now, nsds_x(scene.system), sizeof state_now);
    assert_between(lambda, -1.0 - 1e-12, 1.0 + 1e-12);
    if (event->kind & NSDS_EVENT_NONSMOOTH) entered += event->row[0].closed_after;
    if (event->kind & NSDS_EVENT_NONSMOOTH || fabs(lambda) > 0.999) continue;
    ++slid;
    assert_near(state_now[0], 0.0, 1e-9);
    assert_near(lambda, -state_now[1], 1e-9); /* 0 = dx_1/dt = 1.35 x_1 + x_2 + lambda */
  }
  assert_true(slid > 50);
  assert_true(entered > 3);
  nsds_model_destroy(model);
}

/* x jumps at the start to where a law of complementarity can hold: y = x >= 0. */
static void inadmissible_start(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double x0 = -2.0, one = 1.0, minus = -1.0;
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .x0 = &x0, .A = &minus, .b = &minus});
  nsds_relation *r = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &one, .B = &one});
  nsds_interaction *ia = nsds_connect(model, r, nsds_complementarity(model), 1, &ds);
  nsds_simulation *s = start(model, 1.0);
  assert_ok(model, nsds_step(s));
  assert_int_equal(nsds_simulation_event(s)->kind, NSDS_EVENT_NONSMOOTH | NSDS_EVENT_IMPACT);
  assert_near(nsds_simulation_event(s)->row[0].impulse, 2.0, 1e-14);
  assert_near(nsds_x(ds)[0], 0.0, 1e-15);
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_lambda(ia)[0], 1.0, 1e-12); /* 0 = -x - 1 + lambda */
  nsds_model_destroy(model);
}

static int source(const nsds_arguments *in, double *e, void *user) {
  (void)user;
  e[0] = -12.0 * sin(377.0 * in->t);
  return 0;
}

/* A diode with a resistor, y = R i + v - u(t): y is that of the present i, on the grid and at
 * events. */
static void y_has_the_present_lambda(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double C = 330e-6, R = 2.0, load = 150.0, one = 1.0, A = -1.0 / (load * C), B = 1.0 / C;
  nsds_ds *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .A = &A});
  nsds_relation *r = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 1, .C = &one, .D = &R, .B = &B, .e_fn = source});
  nsds_interaction *ia = nsds_connect(model, r, nsds_complementarity(model), 1, &ds);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.03, .output_period = 1e-3});
  assert_sound(model);
  int stops = 0;
  while (nsds_step(s) == NSDS_OK) {
    double y = R * nsds_lambda(ia)[0] + nsds_x(ds)[0] - 12.0 * sin(377.0 * nsds_time(s));
    assert_near(nsds_y(ia)[0], y, 1e-12);
    ++stops;
  }
  assert_true(stops > 30); /* those of the grid, and where the diode opens and closes */
  nsds_model_destroy(model);
}

/* y = C x + lambda with C x = 0 but for rounding, whichever sign that has: nothing happens on the way. */
static void rounding_is_no_event(void **state) {
  (void)state;
  for (int p = 1; p <= 9; ++p)
    for (int q = 1; q <= 9; ++q)
      for (int relay = 0; relay < 2; ++relay) {
        nsds_model *model = nsds_model_create(NULL);
        nsds_ds *ds = nsds_first_order_linear(
            model, &(nsds_first_order_linear_def){
                       .n = 2, .A = NSDS_ROWS(2, 2, -1, 0, 0, -1), .x0 = (double[]){p, q}});
        nsds_relation *r = nsds_first_order_linear_relation(
            model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                           .nx = 2,
                                                           .C = (double[]){0.1 * q, -0.1 * p},
                                                           .D = (double[]){1.0},
                                                           .B = (double[]){0.0, 0.0},
                                                           .e = relay ? (double[]){1.0} : NULL});
        nsds_law *law = relay ? nsds_relay(model, 1, (double[]){-1}, (double[]){1})
                              : nsds_complementarity(model);
        nsds_interaction *ia = nsds_connect(model, r, law, 1, &ds);
        nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.1});
        assert_sound(model);
        assert_ok(model, nsds_step(s));
        assert_near(nsds_time(s), 0.1, 0.0);
        assert_near(nsds_lambda(ia)[0], relay ? -1.0 : 0.0, 1e-14);
        nsds_model_destroy(model);
      }
}

/* ---- a polyhedron ---------------------------------------------------------------------------- */

enum { facets = 4 };

typedef struct polygon {
  double H[2 * facets], K[facets], A[4], x[2], w[2], f[2];
} polygon;

static polygon draw_polygon(uint64_t *seed) {
  polygon p;
  for (int j = 0; j < facets; ++j) { /* around zero */
    double way = 2.0 * acos(-1.0) * (j + random_in(seed, -0.3, 0.3)) / facets;
    p.H[j] = cos(way), p.H[j + facets] = sin(way);
    p.K[j] = -random_in(seed, 0.5, 2.0);
  }
  for (int k = 0; k < 4; ++k) p.A[k] = random_in(seed, -0.5, 0.5);
  for (int k = 0; k < 2; ++k) {
    p.x[k] = random_in(seed, -1.0, 1.0);
    p.w[k] = random_in(seed, 1.0, 4.0);
    p.f[k] = random_in(seed, 1.0, 3.0);
  }
  return p;
}

static int push_polygon(const nsds_arguments *in, double *b, void *user) {
  const polygon *p = user;
  for (int k = 0; k < 2; ++k) b[k] = p->f[k] * sin(p->w[k] * in->t + k);
  return 0;
}

/* dx/dt = A x + b + lambda, -x in N_P(lambda): by events with rows for the facets, or in steps of h with the law. */
static void move_in_polygon(polygon *p, double h, double *x, int *events) {
  enum { rows = 2 + facets };
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 2, .x0 = p->x, .A = p->A, .b_fn = push_polygon, .user = p});
  double C[2 * rows] = {0.0}, B[2 * rows] = {0.0}, D[rows * rows] = {0.0}, e[rows] = {0.0};
  double lower[rows], upper[rows], one[4] = {1.0, 0.0, 0.0, 1.0};
  for (int i = 0; i < rows; ++i) lower[i] = i < 2 ? -INFINITY : 0.0, upper[i] = INFINITY;
  for (int i = 0; i < 2; ++i) {
    C[i + rows * i] = B[i + 2 * i] = 1.0;
    for (int j = 0; j < facets; ++j) {
      D[i + rows * (2 + j)] = -p->H[j + facets * i];
      D[2 + j + rows * i] = p->H[j + facets * i];
      e[2 + j] = -p->K[j];
    }
  }
  nsds_relation *r = nsds_first_order_linear_relation(
      model, h > 0.0 ? &(nsds_first_order_linear_relation_def){.ny = 2, .nx = 2, .C = one, .B = one}
                     : &(nsds_first_order_linear_relation_def){
                           .ny = rows, .nx = 2, .C = C, .B = B, .D = D, .e = e});
  nsds_law *law = h > 0.0 ? nsds_normal_cone(model, 2, facets, p->H, p->K)
                          : nsds_relay(model, rows, lower, upper);
  nsds_connect(model, r, law, 1, &ds);
  nsds_simulation *s = h > 0.0
                           ? nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 5.0, .h = h})
                           : nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 5.0});
  assert_sound(model);
  if (nsds_run(s) != NSDS_END) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  if (h == 0.0) *events = (int)nsds_simulation_event(s)->nonsmooth;
  for (int k = 0; k < 2; ++k) x[k] = nsds_x(ds)[k];
  nsds_model_destroy(model);
}

static void facets_of_a_polygon(void **state) {
  (void)state;
  uint64_t seed = 17;
  int events = 0;
  for (int k = 0; k < 12; ++k) {
    polygon p = draw_polygon(&seed);
    double exact[2], coarse[2], fine[2];
    int own;
    move_in_polygon(&p, 0.0, exact, &own);
    move_in_polygon(&p, 1e-3, coarse, NULL);
    move_in_polygon(&p, 6.25e-5, fine, NULL);
    double far = hypot(coarse[0] - exact[0], coarse[1] - exact[1]);
    double near = hypot(fine[0] - exact[0], fine[1] - exact[1]);
    if (!(near < 1e-3 && near < 0.3 * far + 1e-7))
      fail_msg("draw %d: %g, then %g apart", k, far, near);
    events += own;
  }
  assert_true(events > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arrives_and_stays),
                                     cmocka_unit_test(filippov),
                                     cmocka_unit_test(diode),
                                     cmocka_unit_test(bridge),
                                     cmocka_unit_test(sliding),
                                     cmocka_unit_test(inadmissible_start),
                                     cmocka_unit_test(y_has_the_present_lambda),
                                     cmocka_unit_test(rounding_is_no_event),
                                     cmocka_unit_test(facets_of_a_polygon)};
  return cmocka_run_group_tests_name("event_driven.first_order_events", tests, NULL, NULL);
}
