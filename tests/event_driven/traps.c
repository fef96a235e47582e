/* Cases in which locating events goes wrong easily, one test each. */
#include "scenes.h"
#include "support.h"

/* A mass under a constant force over the floor y = q - floor. */
typedef struct drop {
  nsds_model *model;
  nsds_ds *mass;
  nsds_interaction *floor;
  nsds_simulation *s;
} drop;

static drop make(double q0, double v0, double force, double e, double t1, double h) {
  drop d = {.model = nsds_model_create(NULL)};
  double one = 1.0;
  d.mass = nsds_lagrangian_linear(
      d.model,
      &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .q0 = &q0, .v0 = &v0, .fext = &force});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      d.model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one});
  d.floor = nsds_connect(d.model, r, nsds_newton_impact(d.model, e), 1, &d.mass);
  d.s = nsds_event_driven(d.model, &(nsds_event_driven_def){.t1 = t1, .output_period = h});
  assert_sound(d.model);
  return d;
}

static unsigned kind(const nsds_simulation *s) { return nsds_simulation_event(s)->kind; }

static const unsigned impact = NSDS_EVENT_NONSMOOTH | NSDS_EVENT_IMPACT;

/* The program sets q to where a reset by its own arithmetic has left it. */
static void reset_leaves_the_gap_negative(void **state) {
  (void)state;
  drop d = make(1.0, 0.0, -10.0, 0.5, 2.0, 0.0);
  assert_ok(d.model, nsds_step(d.s));
  assert_ok(d.model, nsds_set_state(d.mass, (double[]){-3e-14}, (double[]){0.25}));
  assert_ok(d.model, nsds_step(d.s)); /* 0.05 s later, and not at once */
  assert_near(nsds_time(d.s), sqrt(0.2) + 0.05, 1e-12);
  assert_near(nsds_v(d.mass)[0], 0.125, 1e-12);
  assert_int_equal(nsds_run(d.s), NSDS_END);
  assert_near(nsds_y(d.floor)[0], 0.0, 1e-13);
  nsds_model_destroy(d.model);
}

/* Falls from 1.25 at g = 10: 0.5 s, which is on the grid. */
static void root_at_a_grid_time(void **state) {
  (void)state;
  drop d = make(1.25, 0.0, -10.0, 0.5, 1.0, 0.125);
  int events = 0, grid = 0;
  while (nsds_step(d.s) == NSDS_OK) {
    events += (kind(d.s) & NSDS_EVENT_NONSMOOTH) != 0;
    grid += (kind(d.s) & NSDS_EVENT_GRID) != 0;
  }
  assert_int_equal(events, 2); /* the next one is at t1 = 1 */
  assert_int_equal(grid, 8);
  assert_near(nsds_v(d.mass)[0], 1.25, 1e-13);
  nsds_model_destroy(d.model);
}

static void event_at_the_end(void **state) {
  (void)state;
  drop d = make(1.25, 0.0, -10.0, 0.0, 0.5, 0.0);
  assert_ok(d.model, nsds_step(d.s));
  assert_int_equal(nsds_step(d.s), NSDS_END);
  assert_near(nsds_time(d.s), 0.5, 0.0);
  assert_near(nsds_q(d.mass)[0], 0.0, 1e-15);
  nsds_model_destroy(d.model);
}

/* Two balls that arrive together are one event, of two rows. */
static void two_roots_at_one_time(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  ball_scene a = scene_bouncing_ball(model, 1.0, 0.0, 1.0, 0.5);
  ball_scene b = scene_bouncing_ball(model, 3.0, 0.0, 1.0, 0.9);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_sound(model);
  assert_ok(model, nsds_step(s));
  assert_int_equal(nsds_simulation_event(s)->count, 2);
  assert_near(nsds_v(a.ball)[0] / nsds_v(b.ball)[0], 5.0 / 9.0, 1e-14);
  nsds_model_destroy(model);
}

/* A throw whose top is at the ceiling: touched with speed zero, or passed below or above. The gap
 * of a touch is known up to rounding; what it comes to must be one of the two, without penetration.
 */
static void grazing(void **state) {
  (void)state;
  for (int k = -3; k <= 3; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    double one = 1.0, minus = -1.0, weight = -10.0, v0 = 5.0, top = 1.25 * (1.0 - k * 1e-10);
    nsds_ds *mass = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .v0 = &v0, .fext = &weight});
    nsds_relation *r = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &minus, .b = &top});
    nsds_interaction *ceiling = nsds_connect(model, r, nsds_newton_impact(model, 0.5), 1, &mass);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
    assert_sound(model);
    assert_ok(model, nsds_step(s));
    if (k > 0) assert_near(nsds_time(s), 0.5 - sqrt(2.0 * 1.25 * k * 1e-10 / 10.0), 1e-10);
    if (k < 0) assert_near(nsds_time(s), 1.0, 0.0);
    assert_true(nsds_y(ceiling)[0] > -1e-15);
    while (nsds_step(s) == NSDS_OK) assert_true(nsds_y(ceiling)[0] > -1e-15);
    assert_near(nsds_time(s), 1.0, 0.0);
    nsds_model_destroy(model);
  }
}

static int late_push(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  f[0] = in->t < 100.0 ? 1.0 : -1.0;
  return 0;
}

/* Nothing happens for long, and steps have grown. */
static void crossing_after_a_long_rest(void **state) {
  (void)state;
  drop d = make(1e-3, 0.0, 0.0, 0.5, 1000.0, 0.0);
  assert_ok(d.model, nsds_step(d.s));
  assert_near(nsds_time(d.s), 1000.0, 0.0);
  assert_ok(d.model, nsds_simulation_set_end(d.s, 1001.0));
  assert_ok(d.model, nsds_set_state(d.mass, (double[]){1e-3}, (double[]){-1.0}));
  assert_ok(d.model, nsds_step(d.s));
  assert_near(nsds_time(d.s), 1000.001, 1e-12);
  assert_int_equal(kind(d.s), impact);
  nsds_model_destroy(d.model);
  nsds_model *model = nsds_model_create(NULL);
  double one = 1.0;
  nsds_ds *mass = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .fext_fn = late_push});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .H = &(double){-1.0}, .b = &(double){5000.0}});
  nsds_connect(model, r, nsds_newton_impact(model, 0.0), 1, &mass);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 200.0, .output_period = 10.0});
  assert_sound(model);
  while (!(kind(s) & NSDS_EVENT_NONSMOOTH)) assert_ok(model, nsds_step(s));
  assert_near(nsds_time(s), 100.0, 1e-6); /* q = t^2 / 2 */
  nsds_model_destroy(model);
}

static int dip(const nsds_arguments *in, double *y, void *user) {
  double t = in->t - 0.7318;
  y[0] = in->q[0] + t * t - *(const double *)user;
  return 0;
}

static int dip_q(const nsds_arguments *in, double *H, void *user) {
  (void)in, (void)user;
  H[0] = 1.0;
  return 0;
}

static int dip_t(const nsds_arguments *in, double *ht, void *user) {
  (void)user;
  ht[0] = 2.0 * (in->t - 0.7318);
  return 0;
}

/* The gap t^2 - d is negative for 2 sqrt(d), far less than a step of a mass at rest. */
static void fast_double_crossing(void **state) {
  (void)state;
  for (double depth = 1e-4; depth > 1e-13; depth *= 1e-2) {
    nsds_model *model = nsds_model_create(NULL);
    double one = 1.0;
    nsds_ds *mass =
        nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one});
    nsds_relation *r =
        nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                                        .nq = 1,
                                                                        .output_fn = dip,
                                                                        .jac_output_q_fn = dip_q,
                                                                        .jac_output_t_fn = dip_t,
                                                                        .user = &depth});
    nsds_connect(model, r, nsds_newton_impact(model, 1.0), 1, &mass);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 10.0});
    assert_sound(model);
    assert_ok(model, nsds_step(s));
    assert_int_equal(kind(s), impact);
    assert_near(nsds_time(s), 0.7318 - sqrt(depth), 1e-15 / sqrt(depth));
    nsds_model_destroy(model);
  }
}

/* Lengths of 1e-300. */
static void denormal_sizes(void **state) {
  (void)state;
  drop d = make(1e-300, 0.0, -1e-300, 0.5, 10.0, 0.0);
  assert_ok(d.model, nsds_step(d.s));
  assert_near(nsds_time(d.s), sqrt(2.0), 1e-12);
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) status = nsds_step(d.s);
  assert_int_equal(status, NSDS_END);
  assert_true(fabs(nsds_q(d.mass)[0]) < 1e-312);
  nsds_model_destroy(d.model);
}

/* In contact at the start: approaching is an impact there, with zero it rests, leaving it leaves.
 */
static void start_in_contact(void **state) {
  (void)state;
  drop d = make(0.0, -1.0, -10.0, 0.5, 1.0, 0.0);
  assert_ok(d.model, nsds_step(d.s));
  assert_near(nsds_time(d.s), 0.0, 0.0);
  assert_int_equal(kind(d.s), impact);
  assert_near(nsds_v(d.mass)[0], 0.5, 0.0);
  assert_ok(d.model, nsds_step(d.s));
  assert_near(nsds_time(d.s), 0.1, 1e-14);
  nsds_model_destroy(d.model);
  d = make(0.0, 0.0, -10.0, 0.5, 1.0, 0.0);
  assert_ok(d.model, nsds_step(d.s));
  assert_int_equal(kind(d.s), NSDS_EVENT_END);
  assert_near(nsds_lambda(d.floor)[0], 10.0, 1e-14);
  assert_near(nsds_q(d.mass)[0], 0.0, 0.0);
  nsds_model_destroy(d.model);
  d = make(0.0, 1.0, -10.0, 0.5, 1.0, 0.0);
  assert_ok(d.model, nsds_step(d.s));
  assert_int_equal(kind(d.s), impact);
  assert_near(nsds_time(d.s), 0.2, 1e-14);
  nsds_model_destroy(d.model);
}

/* A saved state is returned to with the same bits, closed contacts and series of impacts included.
 */
static void save_and_restore(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  static bead_scene scene;
  scene_bead_column(model, &scene, 4, 0.1, 1.0, 0.25, 0.4);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 3.0});
  assert_sound(model);
  for (int k = 0; k < 60; ++k) assert_ok(model, nsds_step(s));
  assert_ok(model, nsds_simulation_save(s));
  double q[2][4], t[2];
  for (int run = 0; run < 2; ++run) {
    if (run) assert_ok(model, nsds_simulation_restore(s));
    for (int k = 0; k < 15; ++k) assert_ok(model, nsds_step(s));
    for (int i = 0; i < 4; ++i) q[run][i] = nsds_q(scene.bead[i])[0];
    t[run] = nsds_time(s);
  }
  assert_memory_equal(q[0], q[1], sizeof q[0]);
  assert_memory_equal(&t[0], &t[1], sizeof t[0]);
  nsds_model_destroy(model);
}

/* Both halves of an event, and the way back from the first. */
static void event_in_halves(void **state) {
  (void)state;
  drop d = make(1.25, 0.0, -10.0, 0.5, 2.0, 0.0), whole = make(1.25, 0.0, -10.0, 0.5, 2.0, 0.0);
  for (int k = 0; nsds_event_ahead(d.s); ++k) {
    double q = nsds_q(d.mass)[0], v = nsds_v(d.mass)[0], t = nsds_time(d.s);
    assert_ok(d.model, nsds_event_meet(d.s));
    assert_true(k > 0 || (fabs(nsds_v(d.mass)[0] + 5.0) < 1e-13 && nsds_y(d.floor)[0] < 1e-15));
    assert_int_equal(nsds_step(d.s), NSDS_ERROR_STATE);
    assert_int_equal(nsds_event_meet(d.s), NSDS_ERROR_STATE);
    nsds_error_clear(nsds_model_context(d.model));
    if (k == 1) {
      assert_ok(d.model, nsds_step_reject(d.s));
      assert_near(nsds_q(d.mass)[0], q, 0.0);
      assert_near(nsds_v(d.mass)[0], v, 0.0);
      assert_near(nsds_time(d.s), t, 0.0);
      assert_ok(d.model, nsds_event_meet(d.s));
    }
    assert_ok(d.model, nsds_event_process(d.s));
    assert_ok(whole.model, nsds_step(whole.s));
    assert_near(nsds_time(d.s), nsds_time(whole.s), 4e-15);
    assert_near(nsds_v(d.mass)[0], nsds_v(whole.mass)[0], 1e-13);
  }
  assert_int_equal(nsds_event_meet(d.s), NSDS_END);
  assert_int_equal(nsds_event_process(d.s), NSDS_ERROR_STATE);
  nsds_model_destroy(d.model);
  nsds_model_destroy(whole.model);
}

static int nothing(nsds_simulation *s, void *user) {
  (void)s, (void)user;
  return 0;
}

/* Times of the events before, here and ahead: a grid of 0.2, an event of the user's at 0.45, the
 * impact at 0.5, which is not known before, the end at 0.7. */
static void events_before_and_ahead(void **state) {
  (void)state;
  const double t[] = {0.2, 0.4, 0.45, 0.5, 0.6, 0.7}, next[] = {0.2, 0.4, 0.45, 0.6, 0.6, 0.7};
  drop d = make(1.25, 0.0, -10.0, 0.5, 0.7, 0.2);
  assert_ok(d.model, nsds_simulation_at(d.s, &(nsds_event_def){.time = 0.45, .call = nothing}));
  for (int k = 0; k < 6; ++k) {
    assert_near(nsds_event_next(d.s), next[k], 1e-15);
    assert_ok(d.model, nsds_step(d.s));
    const nsds_event_info *event = nsds_simulation_event(d.s);
    assert_near(event->t, t[k], 1e-15);
    assert_true(k > 0 ? fabs(event->previous - t[k - 1]) < 1e-15 : isnan(event->previous));
  }
  assert_true(isnan(nsds_event_next(d.s)));
  nsds_model_destroy(d.model);
}

/* After an impact a contact at rest opens, and rounding may have left it a speed towards the other
 * body: it leaves once, at q = 0 too, where positions have no scale. */
static void opening_with_a_speed_of_rounding(void **state) {
  (void)state;
  static const double v[2] = {2.25, -1.8}, m[2] = {0.19, 12.6}, k[2] = {0.63, 15.1};
  for (int e = 1; e < 50; ++e) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_law *law = nsds_poisson_impact(model, 0.02 * e);
    nsds_ds *mass[2];
    for (int i = 0; i < 2; ++i) {
      mass[i] =
          nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                      .mass = &m[i],
                                                                      .stiffness = &k[i],
                                                                      .damping = (double[]){0.14},
                                                                      .v0 = &v[i]});
      nsds_relation *gap = nsds_lagrangian_linear_relation(
          model, &(nsds_lagrangian_linear_relation_def){
                     .ny = 1, .nq = 1 + i, .H = i ? (double[]){-1.0, 1.0} : (double[]){1.0}});
      nsds_connect(model, gap, law, 1 + i, mass);
    }
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.1});
    assert_sound(model);
    int events = 0;
    while (nsds_step(s) == NSDS_OK && events < 100) ++events;
    assert_true(events < 100);
    assert_near(nsds_time(s), 0.1, 0.0);
    nsds_model_destroy(model);
  }
}

static int note_time(nsds_simulation *s, void *user) {
  double **next = user;
  *(*next)++ = nsds_time(s);
  return 0;
}

/* A run without an end, as it were: times are told apart all the same. */
static void events_early_in_a_long_run(void **state) {
  (void)state;
  static const double times[] = {1.0001, 1.002, 1.01};
  drop d = make(1.0, 0.0, 0.0, 0.5, 1e9, 0.0);
  double called[8] = {0.0}, *next = called;
  for (int k = 0; k < 3; ++k)
    assert_ok(d.model,
              nsds_simulation_at(
                  d.s, &(nsds_event_def){.time = times[k], .call = note_time, .user = &next}));
  for (int k = 0; k < 3; ++k) assert_ok(d.model, nsds_step(d.s));
  for (int k = 0; k < 3; ++k) assert_near(called[k], times[k], 0.0);
  nsds_model_destroy(d.model);
}

/* ---- corners of profiles --------------------------------------------------------------------- */

static bool is_on(double t, const void *behind) {
  return *(const bool *)behind ? t > 1.0 : t >= 1.0;
}

static int height(const nsds_arguments *in, double *y, void *user) {
  y[0] = in->q[0] - (is_on(in->t, user) ? in->t - 1.0 : 0.0);
  return 0;
}

static int height_q(const nsds_arguments *in, double *H, void *user) {
  (void)in, (void)user;
  H[0] = 1.0;
  return 0;
}

static int height_t(const nsds_arguments *in, double *rate, void *user) {
  rate[0] = is_on(in->t, user) ? -1.0 : 0.0;
  return 0;
}

/* A table moves up at 1 m/s from t = 1 on, where a user event says so and no more: what rests on it
 * leaves at 1 + e. d^2y/dt^2 comes from differences, which stay on their side. */
static void corner_under_a_body_at_rest(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    bool behind = k % 2;
    double one = 1.0, force = -10.0;
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .fext = &force});
    nsds_relation *r =
        nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                                        .nq = 1,
                                                                        .output_fn = height,
                                                                        .jac_output_q_fn = height_q,
                                                                        .jac_output_t_fn = height_t,
                                                                        .user = &behind});
    nsds_connect(model, r, nsds_newton_impact(model, 0.5), 1, &ds);
    nsds_simulation *s = nsds_event_driven(
        model, &(nsds_event_driven_def){.t1 = 1.05, .output_period = k < 2 ? 0.0 : 0.1});
    assert_sound(model);
    nsds_simulation_at(s, &(nsds_event_def){.time = 1.0, .call = nothing});
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_q(ds)[0], 0.0625, 1e-12);
    assert_near(nsds_v(ds)[0], 1.0, 1e-12);
    nsds_model_destroy(model);
  }
}

static int jump(const nsds_arguments *in, double *force, void *user) {
  force[0] = is_on(in->t, user) ? 10.0 : -10.0;
  return 0;
}

/* In flight, without a look across the corner: few steps, and no error. */
static void corner_of_a_force_in_flight(void **state) {
  (void)state;
  for (int k = 0; k < 2; ++k) {
    bool behind = k;
    double one = 1.0;
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .fext_fn = jump, .user = &behind});
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.0});
    assert_sound(model);
    nsds_simulation_at(s, &(nsds_event_def){.time = 1.0, .call = nothing});
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_q(ds)[0], -10.0, 1e-12);
    assert_near(nsds_v(ds)[0], 0.0, 1e-12);
    assert_true(nsds_simulation_event(s)->steps < 30);
    nsds_model_destroy(model);
  }
}

static int count_call(nsds_simulation *s, void *user) {
  (void)s;
  ++*(int *)user;
  return 0;
}

/* The end is put off far beyond what it was: samples there are not lost. */
static void an_end_put_off_far(void **state) {
  (void)state;
  drop d = make(1.0, 0.0, 0.0, 0.5, 1.0, 0.0);
  int calls = 0;
  assert_ok(d.model,
            nsds_simulation_sample(
                d.s, &(nsds_sampler_def){.period = 1.0, .sample = count_call, .user = &calls}));
  assert_ok(d.model, nsds_simulation_set_end(d.s, 5000.0));
  assert_int_equal(nsds_run(d.s), NSDS_END);
  assert_near(nsds_time(d.s), 5000.0, 0.0);
  assert_int_equal(calls, 5001);
  nsds_model_destroy(d.model);
}

/* And after going back to a state from before that. */
static void back_before_an_end_put_off(void **state) {
  (void)state;
  drop d = make(1.0, 0.0, 0.0, 0.5, 1.0, 0.0);
  int calls = 0;
  assert_ok(d.model,
            nsds_simulation_sample(
                d.s, &(nsds_sampler_def){.period = 1.0, .sample = count_call, .user = &calls}));
  assert_ok(d.model, nsds_simulation_save(d.s));
  assert_ok(d.model, nsds_simulation_set_end(d.s, 5000.0));
  assert_ok(d.model, nsds_simulation_restore(d.s));
  assert_int_equal(nsds_run(d.s), NSDS_END);
  assert_int_equal(calls, 5001);
  nsds_model_destroy(d.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reset_leaves_the_gap_negative),
                                     cmocka_unit_test(root_at_a_grid_time),
                                     cmocka_unit_test(event_at_the_end),
                                     cmocka_unit_test(two_roots_at_one_time),
                                     cmocka_unit_test(grazing),
                                     cmocka_unit_test(crossing_after_a_long_rest),
                                     cmocka_unit_test(fast_double_crossing),
                                     cmocka_unit_test(denormal_sizes),
                                     cmocka_unit_test(start_in_contact),
                                     cmocka_unit_test(save_and_restore),
                                     cmocka_unit_test(event_in_halves),
                                     cmocka_unit_test(events_before_and_ahead),
                                     cmocka_unit_test(opening_with_a_speed_of_rounding),
                                     cmocka_unit_test(events_early_in_a_long_run),
                                     cmocka_unit_test(an_end_put_off_far),
                                     cmocka_unit_test(back_before_an_end_put_off),
                                     cmocka_unit_test(corner_under_a_body_at_rest),
                                     cmocka_unit_test(corner_of_a_force_in_flight)};
  return cmocka_run_group_tests_name("event_driven.traps", tests, NULL, NULL);
}
