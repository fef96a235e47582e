/*
 * Rows that are active by themselves, against closed forms and integrations of a few lines: a row
 * in the air that must not rebound with its neighbour, rows coupled by D of which some are open,
 * and a block that slides on two contact points with friction.
 */
#include "support.h"

static const double g = 9.81;

/* ---- a row one metre away ---- */

static nsds_law *half(nsds_model *m) { return nsds_newton_impact(m, 0.5); }

/* Two points over the ground, the first held down on it; row 1 meets it at t = 1. */
static void the_row_one_metre_away(void **state) {
  (void)state;
  const double h = 0.015625; /* 1/64: times and gaps are exact */
  for (int law = 0; law < 2; ++law) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){.ndof = 2,
                                         .q0 = (double[]){0.0, 1.0},
                                         .v0 = (double[]){0.0, -1.0},
                                         .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                         .fext = (double[]){-g, 0.0}});
    nsds_relation *gap = nsds_lagrangian_linear_relation(
        m, &(nsds_lagrangian_linear_relation_def){
               .ny = 2, .nq = 2, .H = (double[]){1.0, 0.0, 0.0, 1.0}});
    nsds_interaction *contact =
        nsds_connect(m, gap, law == 0 ? half(m) : nsds_complementarity(m), 1, &ds);
    nsds_simulation *simulation =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.0, .h = h});
    assert_sound(m);
    double rebound = law == 0 ? 0.5 : 0.0;
    for (int k = 1; k <= 128; ++k) {
      /* y + h/2 dy/dt <= 0 for the first time at the start of step 65: y = 0 */
      bool before = k <= 64, impact = k == 65;
      double y = nsds_y(contact)[1];
      assert_ok(m, nsds_step(simulation));
      assert_near(nsds_impulse(contact)[0], g * h, 1e-15);
      assert_near(nsds_v(ds)[0], 0.0, 1e-15);
      assert_near(nsds_impulse(contact)[1], impact ? 1.0 + rebound : 0.0, 1e-15);
      if (y > 0.0) assert_near(nsds_impulse(contact)[1], 0.0, 0.0);
      assert_near(nsds_v(ds)[1], before ? -1.0 : rebound, 1e-15);
      assert_near(nsds_lambda(contact)[0], g, 1e-12);
      assert_true(nsds_is_active(contact));
      bool alone = before || (k > 66 && rebound > 0.0); /* just below the ground after step 65 */
      assert_int_equal(nsds_simulation_info(simulation)->rows, alone ? 1 : 2);
    }
    nsds_model_destroy(m);
  }
}

/* Forty balls over the ground, more than a problem in a dense matrix has: each for itself. */
static void forty_rows(void **state) {
  (void)state;
  enum { balls = 40 };
  const double h = 2e-3, e = 0.6;
  double mass[balls * balls] = {0}, H[balls * balls] = {0}, q[balls], v[balls] = {0}, f[balls];
  for (int i = 0; i < balls; ++i) {
    mass[i + balls * i] = 1.0 + 0.1 * i;
    H[i + balls * i] = 1.0;
    q[i] = 0.02 * ((7 * i) % balls);
    f[i] = -g * mass[i + balls * i];
  }
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = balls, .q0 = q, .mass = mass, .fext = f});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = balls, .nq = balls, .H = H});
  nsds_interaction *contact = nsds_connect(m, gap, nsds_newton_impact(m, e), 1, &ds);
  nsds_simulation *simulation =
      nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 10.0, .h = h, .tolerance = 1e-13});
  assert_sound(m);
  int fewest = balls, largest = 0;
  for (int s = 0; s < 1500; ++s) {
    assert_ok(m, nsds_step(simulation));
    int active = 0;
    for (int i = 0; i < balls; ++i) {
      bool on = q[i] + 0.5 * h * v[i] <= 0.0;
      double next = v[i] - g * h;
      if (on) next = fmax(next, -e * v[i]);
      double P = mass[i + balls * i] * (next - v[i] + g * h);
      q[i] += 0.5 * h * (v[i] + next);
      v[i] = next;
      active += on;
      assert_near(nsds_impulse(contact)[i], P, 1e-11);
      if (!on) assert_near(nsds_impulse(contact)[i], 0.0, 0.0);
      assert_near(nsds_q(ds)[i], q[i], 1e-11);
      assert_near(nsds_v(ds)[i], v[i], 1e-11);
      q[i] = nsds_q(ds)[i]; /* where the next gap is so small that rounding decides */
      v[i] = nsds_v(ds)[i];
    }
    assert_int_equal(nsds_simulation_info(simulation)->rows, active);
    if (active > largest) largest = active;
    if (active < fewest) fewest = active;
  }
  assert_true(fewest <= 1 && largest > 32);
  nsds_model_destroy(m);
}

/* ---- rows coupled by D ---- */

enum { rows = 4 };

/* x := A^-1 x by elimination. */
static void eliminate(int n, double *A, double *x) {
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      double f = A[i + n * k] / A[k + n * k];
      for (int j = k; j < n; ++j) A[i + n * j] -= f * A[k + n * j];
      x[i] -= f * x[k];
    }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x[i] -= A[i + n * j] * x[j];
    x[i] /= A[i + n * i];
  }
}

/* 0 <= M z + q, z >= 0 complementary on the rows in `on`, z = 0 on the others: tries all subsets.
 */
static void complementary(const double *M, const double *q, int on, double *z) {
  for (int set = 0; set < 1 << rows; ++set) {
    if (set & ~on) continue;
    int index[rows], n = 0;
    double A[rows * rows], x[rows];
    for (int i = 0; i < rows; ++i)
      if (set >> i & 1) index[n++] = i;
    for (int i = 0; i < n; ++i) x[i] = -q[index[i]];
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) A[i + n * j] = M[index[i] + rows * index[j]];
    eliminate(n, A, x);
    bool fits = true;
    for (int i = 0; i < rows; ++i) z[i] = 0.0;
    for (int i = 0; i < n; ++i) {
      z[index[i]] = x[i];
      fits = fits && x[i] >= 0.0;
    }
    for (int i = 0; i < rows; ++i) {
      double w = q[i];
      for (int j = 0; j < rows; ++j) w += M[i + rows * j] * z[j];
      if (on >> i & 1 && !(set >> i & 1)) fits = fits && w >= 0.0;
    }
    if (fits) return;
  }
  fail_msg("no subset of the rows solves the problem");
}

static const double Hc[rows * rows] = {1.0, -0.3, 0.0, 0.2, 0.1, 1.0, -0.2, 0.0,
                                       0.0, 0.3,  1.0, 0.1, 0.2, 0.0, 0.1,  1.0};
static const double Dc[rows * rows] = {0.4,  0.1, 0.05, 0.0, 0.1, 0.5, 0.0, 0.1,
                                       0.05, 0.0, 0.3,  0.1, 0.0, 0.1, 0.1, 0.6};

/* Masses of 1 + i kg under gravity and four rows; dy/dt = H v + D P with all rows coupled. */
static void rows_coupled_by_d(void **state) {
  (void)state;
  const double h = 2e-3, e = 0.4;
  for (int with_d = 0; with_d < 2; ++with_d) {
    double mass[rows * rows] = {0}, q[rows], v[rows] = {0}, u[rows] = {0}, f[rows], M[rows * rows];
    for (int i = 0; i < rows; ++i) {
      mass[i + rows * i] = 1.0 + i;
      q[i] = 0.1 + 0.07 * i;
      f[i] = -g * (1.0 + i);
    }
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < rows; ++i) {
        M[i + rows * j] = with_d ? Dc[i + rows * j] : 0.0;
        for (int k = 0; k < rows; ++k)
          M[i + rows * j] += Hc[i + rows * k] * Hc[j + rows * k] / (1.0 + k);
      }
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){.ndof = rows, .q0 = q, .mass = mass, .fext = f});
    nsds_relation *gap = nsds_lagrangian_linear_relation(
        m, &(nsds_lagrangian_linear_relation_def){
               .ny = rows, .nq = rows, .H = Hc, .D = with_d ? Dc : NULL});
    nsds_interaction *contact = nsds_connect(m, gap, nsds_newton_impact(m, e), 1, &ds);
    nsds_simulation *simulation =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 10.0, .h = h, .tolerance = 1e-14});
    assert_sound(m);
    int seen[1 << rows] = {0}, kinds = 0;
    for (int s = 0; s < 600; ++s) {
      double w[rows], P[rows];
      int on = 0;
      for (int i = 0; i < rows; ++i) {
        double y = 0.0;
        w[i] = e * u[i];
        for (int k = 0; k < rows; ++k) {
          y += Hc[i + rows * k] * q[k];
          w[i] += Hc[i + rows * k] * (v[k] - g * h);
        }
        on |= (y + 0.5 * h * u[i] <= 0.0) << i;
      }
      complementary(M, w, on, P);
      for (int k = 0; k < rows; ++k) {
        double next = v[k] - g * h;
        for (int i = 0; i < rows; ++i) next += Hc[i + rows * k] * P[i] / (1.0 + k);
        q[k] += 0.5 * h * (v[k] + next);
        v[k] = next;
      }
      for (int i = 0; i < rows; ++i) {
        u[i] = 0.0;
        for (int k = 0; k < rows; ++k)
          u[i] += Hc[i + rows * k] * v[k] + (with_d ? Dc[i + rows * k] * P[k] : 0.0);
      }
      assert_ok(m, nsds_step(simulation));
      for (int i = 0; i < rows; ++i) {
        assert_near(nsds_impulse(contact)[i], P[i], 1e-11);
        if (!(on >> i & 1)) assert_near(nsds_impulse(contact)[i], 0.0, 0.0);
        assert_near(nsds_q(ds)[i], q[i], 1e-11);
        assert_near(nsds_v(ds)[i], v[i], 1e-11);
        assert_near(nsds_ydot(contact)[i], u[i], 1e-11);
      }
      ++seen[on];
    }
    for (int k = 0; k < 1 << rows; ++k) kinds += seen[k] > 0;
    print_message("             %d of %d sets of active rows\n", kinds, 1 << rows);
    assert_true(kinds >= 6);
    nsds_model_destroy(m);
  }
}

/* ---- a block on two contact points with friction ---- */

static const double mu = 0.3;

static void coulomb_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_COULOMB;
  block->mu = mu;
}

static bool closed(void *self, const double *y, const double *ydot, double tau, double slack) {
  (void)self;
  return y[0] + tau * ydot[0] <= slack;
}

static const nsds_law_ops coulomb = {.type = "coulomb", .block = coulomb_block, .active = closed};

/* x, z and a small rotation phi of a block whose contact points lie at +-a, c below its centre:
 * rows (normal, tangential) of both points. */
typedef struct block {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *contact[2];
  nsds_simulation *simulation;
} block;

static const double half_length = 0.5, height = 0.2, mass = 2.0, inertia = 0.3;

static block build(bool apart, double h, double phi, double v0, double tolerance) {
  block s = {.model = nsds_model_create(NULL)};
  s.ds = nsds_lagrangian_linear(
      s.model, &(nsds_lagrangian_linear_def){
                   .ndof = 3,
                   .q0 = (double[]){0.0, height + half_length * fabs(phi), phi},
                   .v0 = (double[]){v0, 0.0, 0.0},
                   .mass = (double[]){mass, 0.0, 0.0, 0.0, mass, 0.0, 0.0, 0.0, inertia},
                   .fext = (double[]){0.0, -mass * g, 0.0}});
  nsds_law *law =
      nsds_custom_law(s.model, &(nsds_custom_law_def){.ops = &coulomb, .size = 2, .ngap = 1});
  const double a = half_length, c = height;
  if (apart) {
    for (int k = 0; k < 2; ++k)
      s.contact[k] = nsds_connect(
          s.model,
          nsds_lagrangian_linear_relation(
              s.model, &(nsds_lagrangian_linear_relation_def){.ny = 2,
                                                              .nq = 3,
                                                              .H = (double[]){0.0, 1.0, 1.0, 0.0,
                                                                              k == 0 ? -a : a, c},
                                                              .b = (double[]){-c, 0.0}}),
          law, 1, &s.ds);
  } else {
    const double H[12] = {0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, -a, c, a, c};
    s.contact[0] =
        nsds_connect(s.model,
                     nsds_lagrangian_linear_relation(
                         s.model,
                         &(nsds_lagrangian_linear_relation_def){
                             .ny = 4, .nq = 3, .H = H, .b = (double[]){-c, 0.0, -c, 0.0}}),
                     law, 1, &s.ds);
  }
  s.simulation = nsds_time_stepping(
      s.model,
      &(nsds_time_stepping_def){
          .t1 = 10.0, .h = h, .tolerance = 1e-12, .activation = nsds_activation(0.5, tolerance)});
  assert_sound(s.model);
  return s;
}

/* It comes to rest after v^2 / (2 mu g); the last step, of which it slides through the part s h
 * only, is too long by mu g h^2 s (1 - s) / 2. Gaps of some 1e-17, rounding of their terms, are
 * closed. */
static void sliding_distance(void **state) {
  (void)state;
  const double v0 = 1.0, distance = v0 * v0 / (2.0 * mu * g);
  for (int halvings = 0; halvings < 6; ++halvings) {
    double h = ldexp(0.01, -halvings), t = 0.0, slid = v0 / (mu * g);
    block s = build(false, h, 0.0, v0, 1e-12);
    while (nsds_v(s.ds)[0] > 1e-9) {
      assert_ok(s.model, nsds_step(s.simulation));
      t += h;
      const double *P = nsds_impulse(s.contact[0]);
      assert_near(P[0] + P[2], mass * g * h, 1e-9 * h);
      /* friction through the contacts loads the front one: moments about the centre */
      if (t < slid) {
        assert_near(P[1], -mu * P[0], 1e-9 * h);
        assert_near(P[3], -mu * P[2], 1e-9 * h);
        assert_near(half_length * (P[2] - P[0]), height * mu * mass * g * h, 1e-9 * h);
      }
      assert_between(t, 0.0, slid + h * (1.0 + 1e-9));
    }
    double part = slid / h - floor(slid / h);
    assert_near(nsds_q(s.ds)[0], distance + 0.5 * mu * g * h * h * part * (1.0 - part), 1e-10);
    nsds_model_destroy(s.model);
  }
}

/* Dropped with one point in the air, it tips over the other one, hits, slides and stops. */
static void two_points_as_two_interactions(void **state) {
  (void)state;
  for (int tilt = -1; tilt <= 1; ++tilt) {
    block one = build(false, 1e-3, 0.1 * tilt, 1.5, 1e-12),
          two = build(true, 1e-3, 0.1 * tilt, 1.5, 1e-12);
    int alone = 0, both = 0;
    for (int k = 0; k < 1500; ++k) {
      double y[2] = {nsds_y(one.contact[0])[0], nsds_y(one.contact[0])[2]};
      double speed[2] = {nsds_ydot(one.contact[0])[0], nsds_ydot(one.contact[0])[2]};
      assert_ok(one.model, nsds_step(one.simulation));
      assert_ok(two.model, nsds_step(two.simulation));
      for (int i = 0; i < 3; ++i) {
        assert_near(nsds_q(one.ds)[i], nsds_q(two.ds)[i], 1e-12);
        assert_near(nsds_v(one.ds)[i], nsds_v(two.ds)[i], 1e-12);
      }
      const double *P = nsds_impulse(one.contact[0]);
      int active = 0;
      for (int c = 0; c < 2; ++c) {
        bool on = y[c] + 0.5e-3 * speed[c] <= 1e-12;
        active += on;
        if (!on) {
          assert_near(P[2 * c], 0.0, 0.0);
          assert_near(P[2 * c + 1], 0.0, 0.0);
        }
        assert_int_equal(nsds_is_active(two.contact[c]), on);
        for (int i = 0; i < 2; ++i)
          assert_near(P[2 * c + i], nsds_impulse(two.contact[c])[i], 1e-12);
      }
      assert_int_equal(nsds_is_active(one.contact[0]), active > 0);
      assert_int_equal(nsds_simulation_info(one.simulation)->rows, 2 * active);
      alone += active == 1;
      both += active == 2;
    }
    if (tilt != 0) assert_true(alone > 50);
    assert_true(both > 500);
    assert_near(nsds_v(one.ds)[0], 0.0, 1e-9);
    nsds_model_destroy(one.model);
    nsds_model_destroy(two.model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_row_one_metre_away),
      cmocka_unit_test(forty_rows),
      cmocka_unit_test(rows_coupled_by_d),
      cmocka_unit_test(sliding_distance),
      cmocka_unit_test(two_points_as_two_interactions),
  };
  return cmocka_run_group_tests_name("kernel.rows", tests, NULL, NULL);
}
