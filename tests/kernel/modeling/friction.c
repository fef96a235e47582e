/*
 * Newton's impact law with Coulomb friction in the plane and in space: a block on an incline, a
 * belt, impacts against the law's own conditions and the energy they may not create, blocks tied by
 * equality laws, every solver that takes the set.
 */
#include "support.h"

static const double g = 9.81;

static nsds_law *friction(nsds_model *m, int dimension, double mu) {
  return nsds_newton_impact_friction(
      m, &(nsds_newton_impact_friction_def){.dimension = dimension, .mu = mu});
}

/* A relation y = H q, n coordinates. Behind the gap y means nothing: it is given a large value. */
static nsds_relation *frame(nsds_model *m, int ny, int n, const double *H) {
  const double b[3] = {-0x1p-20, 1e9, -1e9};
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = ny, .nq = n, .H = H, .b = b});
}

static nsds_ds *block(nsds_model *m, int n, double mass, const double *force, const double *v0) {
  double M[9] = {0.0};
  for (int k = 0; k < n; ++k) M[k + n * k] = mass;
  return nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = n, .v0 = v0, .mass = M, .fext = force});
}

/* ---- a block on an incline ---- */

/* The frame of an incline of the given slope: normal and the direction uphill in the plane (x, z);
 * in space the uphill direction has an azimuth, and the tangents are turned by 0.4 rad. */
static void incline(int n, double slope, double *H, double *uphill) {
  double azimuth = n == 3 ? 0.7 : 0.0, turned = n == 3 ? 0.4 : 0.0;
  double e[3] = {cos(azimuth), sin(azimuth), 0.0}, across[3] = {-e[1], e[0], 0.0};
  double normal[3] = {-sin(slope) * e[0], -sin(slope) * e[1], cos(slope)};
  double up[3] = {cos(slope) * e[0], cos(slope) * e[1], sin(slope)};
  for (int k = 0, c = 0; k < 3; ++k) {
    if (n == 2 && k == 1) continue;
    H[n * c] = normal[k];
    H[1 + n * c] = cos(turned) * up[k] + sin(turned) * across[k];
    if (n == 3) H[2 + n * c] = -sin(turned) * up[k] + cos(turned) * across[k];
    uphill[c++] = up[k];
  }
}

/* Velocity uphill after every step; forces are checked on the way. */
static void slide(int n, double slope, double mu, double v0, int steps, double *v) {
  const double kg = 2.0, h = 1e-2;
  double H[9], uphill[3], force[3] = {0.0}, start[3];
  incline(n, slope, H, uphill);
  force[n - 1] = -kg * g;
  for (int k = 0; k < n; ++k) start[k] = v0 * uphill[k];
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = block(m, n, kg, force, start);
  nsds_interaction *contact = nsds_connect(m, frame(m, n, n, H), friction(m, n, mu), 1, &ds);
  nsds_simulation *s =
      nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 10.0, .h = h, .tolerance = 1e-13});
  assert_sound(m);
  for (int k = 0; k < steps; ++k) {
    assert_ok(m, nsds_step(s));
    v[k] = 0.0;
    for (int i = 0; i < n; ++i) v[k] += uphill[i] * nsds_v(ds)[i];
    const double *F = nsds_lambda(contact);
    assert_near(F[0], kg * g * cos(slope), 1e-8);
    assert_between(hypot(F[1], n == 3 ? F[2] : 0.0), 0.0, mu * F[0] * (1.0 + 1e-9));
  }
  nsds_model_destroy(m);
}

static void block_on_an_incline(void **state) {
  (void)state;
  enum { steps = 100 };
  const double h = 1e-2;
  double plane[steps], space[steps];
  for (double mu = 0.1; mu < 1.0; mu += 0.2)
    for (double slope = 0.05; slope < 1.0; slope += 0.1) {
      bool sticks = tan(slope) < mu;
      double a = sticks ? 0.0 : -g * (sin(slope) - mu * cos(slope));
      slide(2, slope, mu, 0.0, steps, plane);
      slide(3, slope, mu, 0.0, steps, space);
      for (int k = 0; k < steps; ++k) {
        assert_near(plane[k], a * h * (k + 1), 1e-10);
        assert_near(space[k], plane[k], 1e-10);
      }
    }
}

/* Pushed uphill it is braked by both, turns or stays. */
static void block_pushed_uphill(void **state) {
  (void)state;
  enum { steps = 100 };
  const double h = 1e-2, mu = 0.3, v0 = 2.0;
  double v[steps];
  for (int n = 2; n <= 3; ++n)
    for (double slope = 0.2; slope < 0.5; slope += 0.25) {
      slide(n, slope, mu, v0, steps, v);
      double up = g * (sin(slope) + mu * cos(slope)),
             down = fmax(0.0, g * (sin(slope) - mu * cos(slope)));
      for (int k = 0; k < steps; ++k) {
        double t = h * (k + 1), turn = v0 / up;
        double exact = t < turn ? v0 - up * t : -down * (t - turn);
        bool at_turn = fabs(t - turn) < h;
        assert_near(v[k], exact, at_turn ? up * h : t < turn ? 1e-10 : (up - down) * h);
        if (t > turn + h && down == 0.0) assert_near(v[k], 0.0, 1e-12);
      }
    }
}

/* ---- belts ---- */

/* On a belt of velocity V the block gains mu g until it moves along; in space the belt runs across
 * the tangents. */
static void belt(void **state) {
  (void)state;
  const double mu = 0.2, kg = 3.0, h = 1e-2, speed = 1.0;
  for (int n = 2; n <= 3; ++n) {
    const double along[2] = {n == 3 ? 0.6 : 1.0, n == 3 ? 0.8 : 0.0};
    const double force[3] = {n == 3 ? 0.0 : 0.0, n == 3 ? 0.0 : -kg * g, n == 3 ? -kg * g : 0.0};
    const double plane[4] = {0, 1, 1, 0}, space[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = block(m, n, kg, force, NULL);
    nsds_law *law = nsds_newton_impact_friction(
        m, &(nsds_newton_impact_friction_def){
               .dimension = n, .mu = mu, .slip = {-speed * along[0], -speed * along[1]}});
    nsds_interaction *contact =
        nsds_connect(m, frame(m, n, n, n == 2 ? plane : space), law, 1, &ds);
    nsds_simulation *s =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .tolerance = 1e-13});
    assert_sound(m);
    while (nsds_step(s) == NSDS_OK) {
      double v = fmin(mu * g * nsds_time(s), speed);
      for (int k = 0; k < n - 1; ++k) assert_near(nsds_v(ds)[k], v * along[k], 1e-10);
      if (v < speed) assert_near(nsds_lambda(contact)[1], mu * kg * g * along[0], 1e-8);
      else if (mu * g * (nsds_time(s) - h) > speed) assert_near(nsds_lambda(contact)[1], 0.0, 1e-8);
    }
    assert_sound(m);
    nsds_model_destroy(m);
  }
}

/* ---- impacts ---- */

enum { dof = 6, most_contacts = 2 };

typedef struct impact {
  double M[dof * dof], v[dof], H[most_contacts][3 * dof];
  int contacts;
  double mu, e_n, e_t;
} impact;

/* What the law says of one contact after the step: u before and after, P. */
static void check_law(const impact *c, const double *before, const double *after, const double *P) {
  double w_n = after[0] + c->e_n * before[0];
  double w[2] = {after[1] + c->e_t * before[1], after[2] + c->e_t * before[2]};
  double slip = hypot(w[0], w[1]), thrust = hypot(P[1], P[2]);
  assert_between(w_n, -1e-9, INFINITY);
  assert_between(P[0], -1e-9, INFINITY);
  assert_near(P[0] * w_n, 0.0, 1e-8);
  assert_between(thrust, 0.0, c->mu * P[0] + 1e-8);
  if (slip < 1e-6) return;
  for (int k = 0; k < 2; ++k) assert_near(P[1 + k] * slip, -c->mu * P[0] * w[k], 1e-7);
}

/* One step without forces; returns the kinetic energy gained. */
static double collide(const impact *c) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = dof, .v0 = c->v, .mass = c->M});
  nsds_law *law = nsds_newton_impact_friction(
      m, &(nsds_newton_impact_friction_def){.mu = c->mu, .e_n = c->e_n, .e_t = c->e_t});
  nsds_interaction *ia[most_contacts];
  for (int k = 0; k < c->contacts; ++k)
    ia[k] = nsds_connect(m, frame(m, 3, dof, c->H[k]), law, 1, &ds);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 1.0, .h = 1e-3, .tolerance = 1e-12, .activation = nsds_activation(1.0, 1e-12)});
  assert_sound(m);
  double energy = nsds_kinetic_energy(ds), before[most_contacts][3];
  for (int k = 0; k < c->contacts; ++k) memcpy(before[k], nsds_ydot(ia[k]), sizeof before[k]);
  assert_ok(m, nsds_step(s));
  for (int k = 0; k < c->contacts; ++k)
    if (nsds_is_active(ia[k])) check_law(c, before[k], nsds_ydot(ia[k]), nsds_impulse(ia[k]));
  energy = nsds_kinetic_energy(ds) - energy;
  nsds_model_destroy(m);
  return energy;
}

static void random_body(uint64_t *seed, impact *c) {
  double A[dof * dof];
  for (int k = 0; k < dof * dof; ++k) A[k] = random_in(seed, -1.0, 1.0);
  for (int i = 0; i < dof; ++i)
    for (int j = 0; j < dof; ++j) {
      c->M[i + dof * j] = i == j ? 0.5 : 0.0;
      for (int k = 0; k < dof; ++k) c->M[i + dof * j] += A[i + dof * k] * A[j + dof * k];
    }
  for (int k = 0; k < dof; ++k) c->v[k] = random_in(seed, -1.0, 1.0);
  for (int a = 0; a < most_contacts; ++a)
    for (int k = 0; k < 3 * dof; ++k) c->H[a][k] = random_in(seed, -1.0, 1.0);
}

/* Mass and frames at random, off the centre in every way: with w = u(+) + e u(-) in all rows the
 * gain is [P.w - (1 - e)/2 P.W P] / (1 + e) and P.w <= 0: no energy comes in. With e_t = 0 < e_n it
 * does in some. */
static void impacts_give_energy_away(void **state) {
  (void)state;
  uint64_t seed = 5;
  double lost = 0.0;
  int created = 0;
  for (int k = 0; k < 600; ++k) {
    impact c = {.contacts = 1 + k % 2, .mu = random_in(&seed, 0.0, 1.5)};
    random_body(&seed, &c);
    if (k >= 200) c.e_n = random_in(&seed, 0.0, 1.0);
    if (k < 400) c.e_t = c.e_n;
    double gained = collide(&c);
    if (k < 400) assert_between(gained, -INFINITY, 1e-9);
    else created += gained > 1e-3;
    lost -= gained;
  }
  assert_true(lost > 10.0);
  assert_true(created > 5);
}

/* Through the centre, where the rows do not meet, any e_n up to 1 is harmless; the law's conditions
 * hold with both restitutions, whatever the body. */
static void impacts_with_rebound(void **state) {
  (void)state;
  uint64_t seed = 8;
  for (int k = 0; k < 200; ++k) {
    impact c = {.contacts = 1, .mu = random_in(&seed, 0.0, 1.0), .e_n = random_in(&seed, 0.0, 1.0)};
    bool central = k % 2;
    random_body(&seed, &c);
    if (!central) c.e_t = random_in(&seed, -0.5, 0.5);
    for (int i = 0; central && i < dof * dof; ++i) c.M[i] = i % (dof + 1) ? 0.0 : 2.0;
    for (int i = 0; central && i < 3 * dof; ++i) c.H[0][i] = i % 4 || i > 8 ? 0.0 : 1.0;
    double gained = collide(&c);
    if (central) assert_between(gained, -INFINITY, 1e-9);
  }
}

/* A disc of inertia I = m r^2 / 2 thrown with backspin: sticking with e_t = 1 turns the velocity of
 * the point round (a rubber ball), and energy is kept. */
static void rubber_ball(void **state) {
  (void)state;
  const double kg = 2.0, r = 0.1, M[9] = {kg, 0, 0, 0, kg, 0, 0, 0, 0.5 * kg * r * r};
  const double v0[3] = {1.0, -2.0, 30.0}, H[6] = {0, 1, 1, 0, 0, r};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 3, .v0 = v0, .mass = M});
  nsds_law *law = nsds_newton_impact_friction(
      m, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 10.0, .e_n = 1.0, .e_t = 1.0});
  nsds_interaction *ia = nsds_connect(m, frame(m, 2, 3, H), law, 1, &ds);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  assert_sound(m);
  double energy = nsds_kinetic_energy(ds);
  assert_ok(m, nsds_step(s));
  assert_near(nsds_ydot(ia)[0], 2.0, 1e-9);
  assert_near(nsds_ydot(ia)[1], -(1.0 + 30.0 * r), 1e-9);
  assert_near(nsds_kinetic_energy(ds), energy, 1e-8);
  nsds_model_destroy(m);
}

/* ---- friction beside other laws ---- */

/* Two blocks on an incline, tied by a bar along it, and a ball that bounces on the second: with
 * friction mu_1 and mu_2 they move as one, a = g (mu cos - sin), mu m = mu_1 m_1 + mu_2 m_2, and
 * the bar carries what the first lacks. */
static void tied_blocks(void **state) {
  (void)state;
  const double slope = 0.5, kg[2] = {1.0, 3.0}, mu[2] = {0.1, 0.45}, h = 1e-2;
  double H[4], uphill[2], bar[4];
  incline(2, slope, H, uphill);
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) {
    ds[k] = block(m, 2, kg[k], (const double[]){0.0, -kg[k] * g}, NULL);
    nsds_connect(m, frame(m, 2, 2, H), friction(m, 2, mu[k]), 1, &ds[k]);
    for (int i = 0; i < 2; ++i) bar[2 * k + i] = k ? -uphill[i] : uphill[i];
  }
  nsds_relation *relation = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 4, .H = bar});
  nsds_interaction *tie = nsds_connect(m, relation, nsds_equality(m), 2, ds);
  nsds_ds *ball = block(m, 1, 1.0, (const double[]){-g}, NULL);
  nsds_connect(m, frame(m, 1, 1, (const double[]){1.0}), nsds_newton_impact(m, 0.5), 1, &ball);
  nsds_simulation *s =
      nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .tolerance = 1e-13});
  assert_sound(m);
  double mean = (mu[0] * kg[0] + mu[1] * kg[1]) / (kg[0] + kg[1]);
  double a = g * (mean * cos(slope) - sin(slope));
  double carried = kg[0] * (a - g * (mu[0] * cos(slope) - sin(slope)));
  assert_true(a < 0.0);
  while (nsds_step(s) == NSDS_OK) {
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < 2; ++i) assert_near(nsds_v(ds[k])[i], a * nsds_time(s) * uphill[i], 1e-9);
    assert_near(nsds_lambda(tie)[0], carried, 1e-7);
    assert_near(nsds_v(ball)[0], 0.0, 1e-9);
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* ---- every solver ---- */

enum { slid_steps = 60 };

static bool crossing(const nsds_solver_row *row, double *out) {
  const double h = 5e-3, H[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
  const double tie[6] = {1, 0.5, 0.2, -1, -0.5, -0.2};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) {
    double kg = 1.0 + k;
    ds[k] = block(m, 3, kg, (const double[]){0.5, 0.2 * k, -kg * g},
                  (const double[]){0.4 - 0.6 * k, 0.3, -0.5});
    nsds_connect(m, frame(m, 3, 3, H), friction(m, 3, 0.2 + 0.2 * k), 1, &ds[k]);
  }
  nsds_relation *bar = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 6, .H = tie, .D = (double[]){0.05}});
  nsds_connect(m, bar, nsds_newton_impact(m, 0.0), 2, ds);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .solver = row->name, .tolerance = 1e-11});
  assert_sound(m);
  nsds_solver_set(nsds_simulation_solver(s), "max_iterations", 1e6);
  nsds_status status = NSDS_OK;
  for (int k = 0; k < slid_steps && !status; ++k) {
    status = nsds_step(s);
    for (int i = 0; i < 6; ++i) *out++ = nsds_v(ds[i / 3])[i % 3];
  }
  const nsds_step_info *info = nsds_simulation_info(s);
  bool refused = status == NSDS_ERROR_SOLVER && info->solver.outcome == NSDS_REFUSED;
  if (!refused) assert_ok(m, status);
  nsds_model_destroy(m);
  return !refused;
}

static void every_solver_gives_one_motion(void **state) {
  (void)state;
  double first[6 * slid_steps], x[6 * slid_steps];
  int ran = 0;
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k) {
    const nsds_solver_row *row = nsds_solver_table(k);
    unsigned wanted = NSDS_SET_COULOMB | NSDS_SET_NONNEGATIVE;
    if (wanted & ~row->sets || !(row->storages & NSDS_FACTORED)) continue;
    if (!crossing(row, ran ? x : first)) continue;
    double apart = 0.0;
    for (int i = 0; ran && i < 6 * slid_steps; ++i) apart = worse(apart, fabs(x[i] - first[i]));
    print_message("             %-22s %.1e\n", row->name, apart);
    assert_between(apart, 0.0, 1e-7);
    ++ran;
  }
  assert_true(ran >= 4);
}

/* ---- refusals ---- */

static void definitions_out_of_range(void **state) {
  (void)state;
  static const struct {
    nsds_newton_impact_friction_def def;
    nsds_status status;
    const char *words[2];
  } wrong[] = {
      {{.dimension = 4}, NSDS_ERROR_SIZE, {"dimension is 4", "2 and 3"}},
      {{.dimension = -1}, NSDS_ERROR_SIZE, {"dimension is -1", "2 and 3"}},
      {{.mu = -0.1}, NSDS_ERROR_VALUE, {"mu is -0.1", ">= 0"}},
      {{.mu = INFINITY}, NSDS_ERROR_VALUE, {"mu is inf", "finite"}},
      {{.mu = NAN}, NSDS_ERROR_VALUE, {"mu is", "finite"}},
      {{.e_n = 1.5}, NSDS_ERROR_VALUE, {"e_n is 1.5", "[0, 1]"}},
      {{.e_t = -2.0}, NSDS_ERROR_VALUE, {"e_t is -2", "[-1, 1]"}},
      {{.slip = {0.0, NAN}}, NSDS_ERROR_VALUE, {"slip[1]", "finite"}},
      {{.dimension = 2, .slip = {0.0, 1.0}}, NSDS_ERROR_VALUE, {"slip[1] is 1", "one tangent"}},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    assert_null(nsds_newton_impact_friction(m, &wrong[k].def));
    assert_int_equal(nsds_error(nsds_model_context(m)), wrong[k].status);
    assert_words(nsds_error_message(nsds_model_context(m)), wrong[k].words, 2);
    nsds_model_destroy(m);
  }
  nsds_model *m = nsds_model_create(NULL);
  assert_null(nsds_newton_impact_rolling(
      m, &(nsds_newton_impact_rolling_def){.mu = 0.1, .mu_rolling = -1.0}));
  assert_words(nsds_error_message(nsds_model_context(m)), ((const char *[]){"mu_rolling is -1"}),
               1);
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_on_an_incline),
      cmocka_unit_test(block_pushed_uphill),
      cmocka_unit_test(belt),
      cmocka_unit_test(impacts_give_energy_away),
      cmocka_unit_test(impacts_with_rebound),
      cmocka_unit_test(rubber_ball),
      cmocka_unit_test(tied_blocks),
      cmocka_unit_test(every_solver_gives_one_motion),
      cmocka_unit_test(definitions_out_of_range),
  };
  return cmocka_run_group_tests_name("kernel.friction", tests, NULL, NULL);
}
