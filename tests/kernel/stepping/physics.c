/*
 * What physics asks of every trajectory: energy does not grow, momentum is kept, a stack at rest
 * stays at rest.
 */
#include "scenes.h"
#include "support.h"

static const double g = 9.81;

/* Beads of given masses on a line, neighbours in contact, no floor, no weight unless given. */
enum { most = 10 };
typedef struct line {
  nsds_model *model;
  int n;
  double m[most];
  nsds_ds *bead[most];
  nsds_interaction *contact[most]; /* [i]: beads i-1 and i; [0]: floor, where there is one */
} line;

static void add_bead(line *l, double m, double q, double v, double weight) {
  l->m[l->n] = m;
  l->bead[l->n++] = nsds_lagrangian_linear(
      l->model, &(nsds_lagrangian_linear_def){
                    .ndof = 1, .q0 = &q, .v0 = &v, .mass = &m, .fext = (double[]){-m * weight}});
}

static void connect_line(line *l, bool floor, nsds_law *law) {
  nsds_relation *one = nsds_lagrangian_linear_relation(
      l->model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_relation *two = nsds_lagrangian_linear_relation(
      l->model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
  if (floor) l->contact[0] = nsds_connect(l->model, one, law, 1, &l->bead[0]);
  for (int i = 1; i < l->n; ++i)
    l->contact[i] = nsds_connect(l->model, two, law, 2, &l->bead[i - 1]);
  assert_sound(l->model);
}

static double kinetic(const line *l) {
  double sum = 0.0;
  for (int i = 0; i < l->n; ++i) sum += nsds_kinetic_energy(l->bead[i]);
  return sum;
}

static double potential(const line *l, double weight) {
  double sum = 0.0;
  for (int i = 0; i < l->n; ++i) sum += l->m[i] * weight * nsds_q(l->bead[i])[0];
  return sum;
}

static double momentum(const line *l) {
  double sum = 0.0;
  for (int i = 0; i < l->n; ++i) sum += l->m[i] * nsds_v(l->bead[i])[0];
  return sum;
}

/* A line of beads with random masses, gaps and velocities. */
static line random_line(uint64_t *seed, double weight, double speed) {
  line l = {.model = nsds_model_create(NULL)};
  int n = 2 + (int)random_in(seed, 0.0, most - 1.0);
  double q = random_in(seed, 0.1, 0.5);
  for (int i = 0; i < n; ++i) {
    add_bead(&l, random_in(seed, 0.2, 3.0), q, random_in(seed, -speed, speed), weight);
    q += random_in(seed, 0.01, 0.3);
  }
  return l;
}

/*
 * Without forces, Moreau's rule with one e for all contacts gives kinetic energy away in each step:
 * Delta T = (1 - e)/2 P.u <= 0, and P.u = -P.HM^-1H^T P / (1 + e). With e = 1 it is kept.
 */
static void collisions(double e) {
  uint64_t seed = 7;
  double dissipated = 0.0;
  for (int run_number = 0; run_number < 30; ++run_number) {
    line l = random_line(&seed, 0.0, 2.0);
    connect_line(&l, run_number % 2, nsds_newton_impact(l.model, e));
    nsds_simulation *simulation = nsds_time_stepping(
        l.model, &(nsds_time_stepping_def){
                     .t1 = 2.0,
                     .h = 2e-3,
                     .second_order = nsds_moreau_jean(run_number % 3 == 0 ? 1.0 : 0.5, 1.0)});
    assert_sound(l.model);
    double energy = kinetic(&l), start = energy, impulse = momentum(&l);
    nsds_status status;
    while ((status = nsds_step(simulation)) == NSDS_OK) {
      double now = kinetic(&l);
      if (e == 1.0) assert_near(now, start, 1e-12 * start);
      else assert_between(now, 0.0, energy + 1e-14 * start);
      dissipated += energy - now;
      energy = now;
      if (l.contact[0]) impulse += nsds_impulse(l.contact[0])[0];
      assert_near(momentum(&l), impulse, 1e-12); /* contacts between beads cancel out */
    }
    assert_status(l.model, status, NSDS_END);
    nsds_model_destroy(l.model);
  }
  if (e < 1.0) assert_true(dissipated > 1.0); /* they do collide */
}

static void collisions_give_energy_away(void **state) {
  (void)state;
  collisions(0.0);
  collisions(0.3);
  collisions(0.9);
}

static void elastic_collisions_keep_energy(void **state) {
  (void)state;
  collisions(1.0);
}

/*
 * Under weight a body that sank in and climbs with 0 < u < g h / (1 + e) is caught by the
 * activation test and turned round, which adds at most (1 - e)/2 P u <= m (g h)^2 / 8 per contact
 * and step (P u is largest at u = g h / (2 (1 + e))). Energy may not grow by more than that.
 */
static void random_falls(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int run_number = 0; run_number < 30; ++run_number) {
    double e = random_in(&seed, 0.0, 1.0), h = 1e-3;
    line l = random_line(&seed, g, 1.0);
    connect_line(&l, true, nsds_newton_impact(l.model, e));
    nsds_simulation *simulation =
        nsds_time_stepping(l.model, &(nsds_time_stepping_def){.t1 = 1.5, .h = h});
    assert_sound(l.model);
    double energy = kinetic(&l) + potential(&l, g), start = energy, mass = 0.0;
    for (int i = 0; i < l.n; ++i) mass += l.m[i];
    double allowed = mass * g * g * h * h / 8.0;
    nsds_status status;
    while ((status = nsds_step(simulation)) == NSDS_OK) {
      double now = kinetic(&l) + potential(&l, g);
      assert_between(now, -HUGE_VAL, energy + allowed);
      energy = now;
    }
    assert_status(l.model, status, NSDS_END);
    assert_true(energy < start || e == 1.0);
    nsds_model_destroy(l.model);
  }
}

/* theta = 1/2 keeps the energy of free flight, of oscillators and of elastic bounces; theta = 1
 * takes some in each step. */
static void energy_of_the_scheme(void **state) {
  (void)state;
  const double thetas[] = {0.5, 1.0};
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, 1.0, 1.0);
    const double K[4] = {30.0, -10.0, -10.0, 20.0}, M[4] = {2.0, 0.5, 0.5, 1.0};
    nsds_ds *springs = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){
                   .ndof = 2, .q0 = (double[]){0.3, -0.1}, .mass = M, .stiffness = K});
    nsds_simulation *simulation = nsds_time_stepping(
        model, &(nsds_time_stepping_def){
                   .t1 = 5.0, .h = 1e-3, .second_order = nsds_moreau_jean(thetas[k], 1.0)});
    assert_sound(model);
    const double *q = nsds_q(springs), *ball = nsds_q(scene.ball);
    double last[2] = {g, 0.5 * (30.0 * 0.09 + 20.0 * 0.01 + 20.0 * 0.03)};
    while (nsds_step(simulation) == NSDS_OK) {
      double now[2] = {
          nsds_kinetic_energy(scene.ball) + g * ball[0],
          nsds_kinetic_energy(springs) +
              0.5 * (K[0] * q[0] * q[0] + 2.0 * K[1] * q[0] * q[1] + K[3] * q[1] * q[1])};
      for (int i = 0; i < 2; ++i) {
        if (thetas[k] == 0.5) assert_near(now[i], last[i], 1e-13);
        else assert_true(now[i] < last[i] || nsds_impulse(scene.floor)[0] > 0.0);
        if (thetas[k] == 1.0) last[i] = now[i];
      }
      if (thetas[k] == 0.5) {
        assert_near(now[0], g, 1e-10);
        last[0] = now[0], last[1] = now[1];
      }
    }
    assert_sound(model);
    nsds_model_destroy(model);
  }
}

/* Equal beads with gaps: the first hits, the last leaves with the same speed. */
static void cradle(void **state) {
  (void)state;
  line l = {.model = nsds_model_create(NULL)};
  for (int i = 0; i < 5; ++i) add_bead(&l, 0.25, 0.1 * i, i == 0 ? 2.0 : 0.0, 0.0);
  connect_line(&l, false, nsds_newton_impact(l.model, 1.0));
  run(l.model, &(nsds_time_stepping_def){.t1 = 0.5, .h = 1e-3}, 0);
  for (int i = 0; i < 5; ++i) assert_near(nsds_v(l.bead[i])[0], i == 4 ? 2.0 : 0.0, 1e-14);
  nsds_model_destroy(l.model);
}

/*
 * The impulse below bead i carries the weight of all from i on. Stacks that came to rest have sunk
 * in a little; one that just touches may be lifted by the last bit of a velocity and then falls for
 * a step, so only its mean impulse is that exact.
 */
static void stack(int n, double e, double sunk) {
  const double h = 1e-2, end = 1.0;
  line l = {.model = nsds_model_create(NULL)};
  for (int i = 0; i < n; ++i) add_bead(&l, 0.5 + 0.25 * (i % 3), -sunk * (i + 1), 0.0, g);
  connect_line(&l, true, nsds_newton_impact(l.model, e));
  nsds_simulation *simulation =
      nsds_time_stepping(l.model, &(nsds_time_stepping_def){.t1 = end, .h = h});
  assert_sound(l.model);
  double total[most] = {0}, above[most + 1] = {0};
  for (int i = n - 1; i >= 0; --i) above[i] = above[i + 1] + l.m[i];
  while (nsds_step(simulation) == NSDS_OK)
    for (int i = 0; i < n; ++i) {
      double P = nsds_impulse(l.contact[i])[0];
      total[i] += P;
      assert_near(nsds_q(l.bead[i])[0], -sunk * (i + 1), sunk > 0.0 ? 1e-14 : 4.0 * n * g * h * h);
      if (sunk == 0.0) continue;
      assert_near(P, above[i] * g * h, 1e-13 * above[i] * g);
      assert_near(nsds_v(l.bead[i])[0], 0.0, 1e-13);
      assert_near(nsds_p(l.bead[i])[0], l.m[i] * g * h, 1e-13);
    }
  assert_sound(l.model);
  for (int i = 0; i < n; ++i)
    assert_near(total[i], above[i] * g * end, sunk > 0.0 ? 1e-11 : 3.0 * above[i] * g * h);
  nsds_model_destroy(l.model);
}

static void resting_stack(void **state) {
  (void)state;
  for (int n = 1; n <= most; ++n)
    for (int k = 0; k < 2; ++k) {
      stack(n, 0.5 * k, 1e-6);
      stack(n, 0.5 * k, 0.0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(collisions_give_energy_away),
      cmocka_unit_test(elastic_collisions_keep_energy),
      cmocka_unit_test(random_falls),
      cmocka_unit_test(energy_of_the_scheme),
      cmocka_unit_test(cradle),
      cmocka_unit_test(resting_stack),
  };
  return cmocka_run_group_tests_name("kernel.physics", tests, NULL, NULL);
}
