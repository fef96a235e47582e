/*
 * max_halvings: a step that fails is made in 2, 4, ... pieces. Its result is that of a run with the
 * smaller steps, its impulses are the sums over the pieces; where the pieces do not help either,
 * nothing has changed. All step sizes are powers of two, so that times agree to the last bit. Steps
 * in which Newton's method fails are halved without being asked to.
 */
#include "support.h"

/* F_ext(t) of a ball; refuses any step longer than `longest` that ends after `from`, counted from
 * the last point in time it accepted. */
typedef struct picky {
  double accepted, longest, from;
  bool always; /* refuse whatever lies after `from` */
  int refused;
} picky;

static int weight(const nsds_arguments *in, double *out, void *user) {
  picky *p = user;
  bool late = in->t > p->from;
  if (late && (p->always || in->t - p->accepted > p->longest * (1.0 + 1e-12))) {
    ++p->refused;
    return 1;
  }
  p->accepted = in->t;
  out[0] = -9.81 * (1.0 + 0.1 * sin(8.0 * in->t));
  return 0;
}

typedef struct world {
  nsds_model *model;
  nsds_ds *ball, *held;
  nsds_interaction *floor;
  nsds_simulation *simulation;
} world;

static int held_velocity(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = sin(in->t);
  return 0;
}

static const double h = 0.015625; /* 1/64 */

static world build(picky *p, double e, int max_halvings) {
  world w = {.model = nsds_model_create(NULL)};
  w.ball = nsds_lagrangian_linear(w.model, &(nsds_lagrangian_linear_def){.name = "ball",
                                                                         .ndof = 1,
                                                                         .q0 = (double[]){0.5},
                                                                         .mass = (double[]){1.0},
                                                                         .fext_fn = weight,
                                                                         .user = p});
  w.held = nsds_lagrangian_linear(w.model,
                                  &(nsds_lagrangian_linear_def){.name = "held",
                                                                .ndof = 1,
                                                                .mass = (double[]){2.0},
                                                                .prescribed.n = 1,
                                                                .prescribed.index = (int[]){0},
                                                                .prescribed.fn = held_velocity});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      w.model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  w.floor = nsds_connect(w.model, gap, nsds_newton_impact(w.model, e), 1, &w.ball);
  w.simulation = nsds_time_stepping(
      w.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .max_halvings = max_halvings});
  assert_sound(w.model);
  return w;
}

static void check_same(const world *a, const world *b) {
  assert_memory_equal(nsds_q(a->ball), nsds_q(b->ball), sizeof(double));
  assert_memory_equal(nsds_v(a->ball), nsds_v(b->ball), sizeof(double));
  assert_memory_equal(nsds_q(a->held), nsds_q(b->held), sizeof(double));
  assert_memory_equal(nsds_y(a->floor), nsds_y(b->floor), sizeof(double));
  assert_memory_equal(nsds_ydot(a->floor), nsds_ydot(b->floor), sizeof(double));
  assert_near(nsds_time(a->simulation), nsds_time(b->simulation), 0.0);
}

/* Every step after t = 0.1 has to be cut 2^level times. */
static void pieces_are_smaller_steps(void **state) {
  (void)state;
  for (int level = 0; level <= 3; ++level)
    for (int e = 0; e <= 1; ++e) {
      picky p = {.longest = ldexp(h, -level), .from = 6.0 * h}, easy = {.from = 1e9};
      world a = build(&p, 0.5 * e, 3), b = build(&easy, 0.5 * e, 0);
      int pieces = 1 << level;
      bool impact = false;
      for (int s = 0; s < 60; ++s) {
        bool cut = s >= 6;
        if (s == 6) assert_ok(b.model, nsds_simulation_set_h(b.simulation, ldexp(h, -level)));
        assert_ok(a.model, nsds_step(a.simulation));
        double P = 0.0, ball_p = 0.0, reaction = 0.0;
        bool active = false;
        for (int k = 0; k < (cut ? pieces : 1); ++k) {
          assert_ok(b.model, nsds_step(b.simulation));
          P += nsds_impulse(b.floor)[0];
          ball_p += nsds_p(b.ball)[0];
          reaction = nsds_prescribed_force(b.held)[0];
          active = active || nsds_is_active(b.floor);
        }
        check_same(&a, &b);
        assert_near(nsds_impulse(a.floor)[0], P, 0.0);
        assert_near(nsds_p(a.ball)[0], ball_p, 0.0);
        assert_near(nsds_prescribed_force(a.held)[0], reaction, 0.0);
        impact = impact || P > 1.0;
        const nsds_step_info *info = nsds_simulation_info(a.simulation);
        assert_int_equal(info->substeps, cut ? pieces : 1);
        assert_near(info->h, h, 0.0);
        assert_int_equal(nsds_step_count(a.simulation), s + 1);
        /* a contact took part in the step when it took part in one of its pieces */
        assert_int_equal(nsds_is_active(a.floor), active);
      }
      assert_true(impact);
      assert_int_equal(p.refused > 0, level > 0);
      assert_sound(a.model); /* failures that were overcome leave no error */
      nsds_model_destroy(a.model);
      nsds_model_destroy(b.model);
    }
}

/* The function refuses once: one step is cut, the next ones are whole again. */
static void refused_once(void **state) {
  (void)state;
  picky p = {.longest = h, .from = 1e9};
  world w = build(&p, 0.5, 1);
  for (int s = 0; s < 20; ++s) {
    p.from = s == 7 ? 0.0 : 1e9;
    p.longest = 0.5 * h;
    assert_ok(w.model, nsds_step(w.simulation));
    assert_int_equal(nsds_simulation_info(w.simulation)->substeps, s == 7 ? 2 : 1);
    assert_near(nsds_time(w.simulation), h * (s + 1), 0.0);
  }
  assert_int_equal(p.refused, 1);
  nsds_model_destroy(w.model);
}

/*
 * The second half of a step fails at every level. The first half, which was made, contains the
 * impact: state, impulses and activity must all be back.
 */
static void halving_in_vain(void **state) {
  (void)state;
  picky easy = {.from = 1e9}, p = {.longest = h, .from = 1e9};
  world b = build(&easy, 0.5, 0);
  int before_impact = 0;
  while (!nsds_is_active(b.floor)) {
    assert_ok(b.model, nsds_step(b.simulation));
    ++before_impact;
  }
  nsds_model_destroy(b.model);
  --before_impact;
  for (int halvings = 0; halvings <= 3; ++halvings)
    for (int part = 1; part < 8; ++part) {
      p = (picky){.longest = h, .from = 1e9};
      easy = (picky){.from = 1e9};
      world w = build(&p, 0.5, halvings), twin = build(&easy, 0.5, halvings);
      for (int s = 0; s < before_impact; ++s) {
        assert_ok(w.model, nsds_step(w.simulation));
        assert_ok(twin.model, nsds_step(twin.simulation));
      }
      snapshot before = snapshot_take(w.model);
      double t = nsds_time(w.simulation), accepted = p.accepted;
      p.from = t + part * h / 8.0;
      p.always = true;
      for (int again = 0; again < 2; ++again) {
        assert_status(w.model, nsds_step(w.simulation), NSDS_ERROR_CALLBACK);
        snapshot_check(&before, w.model, "a step that could not be made in pieces");
        assert_near(nsds_time(w.simulation), t, 0.0);
        assert_int_equal(nsds_step_count(w.simulation), before_impact);
      }
      const char *words[] = {"ball", "fext_fn", "returned 1"};
      assert_words(nsds_error_message(nsds_model_context(w.model)), words, 3);
      nsds_error_clear(nsds_model_context(w.model));
      /* once the cause is gone, the run is the undisturbed one */
      p.always = false, p.from = 1e9, p.accepted = accepted;
      for (int s = 0; s < 10; ++s) {
        assert_ok(w.model, nsds_step(w.simulation));
        assert_ok(twin.model, nsds_step(twin.simulation));
        check_same(&w, &twin);
        assert_int_equal(nsds_is_active(w.floor), nsds_is_active(twin.floor));
      }
      snapshot_free(&before);
      nsds_model_destroy(w.model);
      nsds_model_destroy(twin.model);
    }
}

static int aborts(const nsds_arguments *in, double *out, void *user) {
  (void)out;
  ++*(int *)user;
  return in->t > 0.1 ? -1 : 0;
}

/* An abort is not retried. */
static void aborts_are_final(void **state) {
  (void)state;
  int calls = 0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .mass = (double[]){1.0}, .fext_fn = aborts, .user = &calls});
  nsds_simulation *simulation =
      run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.0625, .max_halvings = 5}, 1);
  int before = calls;
  assert_status(model, nsds_step(simulation), NSDS_ERROR_ABORTED);
  assert_int_equal(calls, before + 1);
  nsds_model_destroy(model);
}

/* ---- by default ---- */

enum { links = 8 };
static const double link_length = 0.05, ball_mass = 1.0, link_mass = 1e-3;

/* A ball on a chain of light links, folded as a zigzag under its anchor: it falls until the chain
 * is taut, and then their inertia is nothing beside the impulses that turn them. */
static nsds_simulation *chain(nsds_model *model, nsds_ds **ball, int max_halvings) {
  const double inertia = link_mass * link_length * link_length / 12.0, turning = 1e-4 * ball_mass;
  nsds_law *held = nsds_equality(model);
  nsds_ds *before = NULL;
  for (int k = 0; k <= links; ++k) {
    bool last = k == links;
    double end = k % 2 ? link_length : 0.0, z = -1e-3 * k, J = last ? turning : inertia;
    nsds_ds *body = nsds_rigid_body(
        model, &(nsds_rigid_body_def){.mass = last ? ball_mass : link_mass,
                                      .inertia = (double[]){J, 0, 0, 0, J, 0, 0, 0, J},
                                      .q0 = (double[]){last ? end : 0.5 * link_length,
                                                       last ? 0.01 : 0.0, z, 1, 0, 0, 0},
                                      .gravity = {0.0, 0.0, -9.81}});
    nsds_relation *joint = nsds_joint(
        model,
        &(nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {body, before}, .point = {end, 0.0, z}});
    nsds_connect(model, joint, held, before ? 2 : 1, (nsds_ds *[]){body, before});
    *ball = before = body;
  }
  return nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 0.6, .h = 1e-3, .max_halvings = max_halvings});
}

static double energy_of(const nsds_ds *ball) {
  const double *v = nsds_v(ball);
  return ball_mass * (0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 9.81 * nsds_q(ball)[2]);
}

static void newton_failures_are_halved(void **state) {
  (void)state;
  nsds_ds *ball[3];
  nsds_model *model[3];
  nsds_simulation *simulation[3];
  for (int k = 0; k < 3; ++k) {
    static const int halvings[] = {0, 10, -1};
    model[k] = nsds_model_create(NULL);
    simulation[k] = chain(model[k], &ball[k], halvings[k]);
    assert_sound(model[k]);
  }
  double reach = links * link_length + 0.02, start = energy_of(ball[0]);
  int cut = 0;
  bool failed = false;
  for (nsds_status status; (status = nsds_step(simulation[0])) != NSDS_END;) {
    assert_ok(model[0], status);
    assert_ok(model[1], nsds_step(simulation[1]));
    const double *q = nsds_q(ball[0]);
    assert_memory_equal(q, nsds_q(ball[1]), 7 * sizeof *q);
    assert_between(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), 0.0, reach);
    assert_between(energy_of(ball[0]), -1e9, start + 1e-3);
    bool pieces = nsds_simulation_info(simulation[0])->substeps > 1;
    cut += pieces;
    if (failed) continue;
    snapshot before = snapshot_take(model[2]);
    status = nsds_step(simulation[2]);
    assert_int_equal(status, pieces ? NSDS_ERROR_NEWTON : NSDS_OK);
    if (pieces) snapshot_check(&before, model[2], "a step that is not halved");
    snapshot_free(&before);
    failed = pieces;
  }
  assert_between(cut, 1, 300);
  assert_true(failed);
  for (int k = 0; k < 3; ++k) nsds_model_destroy(model[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_are_smaller_steps),
      cmocka_unit_test(refused_once),
      cmocka_unit_test(halving_in_vain),
      cmocka_unit_test(aborts_are_final),
      cmocka_unit_test(newton_failures_are_halved),
  };
  return cmocka_run_group_tests_name("kernel.halving", tests, NULL, NULL);
}
