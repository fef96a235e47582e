/*
 * The Schatzman-Paoli scheme: order on smooth motion, its two-step recursion with q_{k-1} kept by
 * the test itself, bounces against closed forms and Moreau-Jean, how far gaps go below zero,
 * equalities, sparse matrices, and states from which the scheme cannot start.
 */
#include "scenes.h"
#include "support.h"

static const double g = 9.81;

static nsds_time_stepping_def with(double h, double t1) {
  return (nsds_time_stepping_def){
      .t1 = t1, .h = h, .second_order = nsds_schatzman_paoli(0.5), .tolerance = 1e-12};
}

/* ---- smooth motion: m q'' + c q' + k q = f(t) with q = sin 3t + t^2 -------------------------- */

static const double m = 2.0, c = 0.7, k = 5.0;

static double place(double t) { return sin(3.0 * t) + t * t; }
static double speed(double t) { return 3.0 * cos(3.0 * t) + 2.0 * t; }

static int push(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  f[0] = m * (2.0 - 9.0 * sin(3.0 * in->t)) + c * speed(in->t) + k * place(in->t);
  return 0;
}

static nsds_ds *pushed(nsds_model *model) {
  return nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                     .v0 = (double[]){3.0},
                                                                     .mass = &m,
                                                                     .damping = &c,
                                                                     .stiffness = &k,
                                                                     .fext_fn = push});
}

/* Largest error of q and of v over [0, 2]; `change`: h alternates between h and h / 2. */
static void smooth_error(double theta, double h, bool change, double *q, double *v) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = pushed(model);
  nsds_time_stepping_def def = with(h, 2.0);
  def.second_order = nsds_schatzman_paoli(theta);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  assert_sound(model);
  *q = *v = 0.0;
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK) {
    *q = worse(*q, fabs(nsds_q(ds)[0] - place(nsds_time(s))));
    *v = worse(*v, fabs(nsds_v(ds)[0] - speed(nsds_time(s))));
    long n = nsds_step_count(s);
    if (change && n % 10 == 0)
      assert_ok(model, nsds_simulation_set_h(s, n % 20 == 0 ? h : 0.5 * h));
  }
  assert_int_equal(status, NSDS_END);
  nsds_model_destroy(model);
}

static void smooth_order(void **state) {
  (void)state;
  const double theta[] = {0.0, 0.5, 1.0};
  for (int n = 0; n < 6; ++n) {
    double coarse[2], fine[2];
    smooth_error(theta[n % 3], 0.01, n > 2, &coarse[0], &coarse[1]);
    smooth_error(theta[n % 3], 0.005, n > 2, &fine[0], &fine[1]);
    print_message("             theta %.1f%s: order of q %.3f (%.1e), of v %.3f (%.1e)\n",
                  theta[n % 3], n > 2 ? ", h changing" : "", order_of(coarse[0], fine[0]), fine[0],
                  order_of(coarse[1], fine[1]), fine[1]);
    for (int i = 0; i < 2; ++i) assert_between(order_of(coarse[i], fine[i]), 1.95, 2.05);
  }
}

/* ---- the recursion ----------------------------------------------------------------------------
 */

/* One mass over a floor, with and without damping and stiffness, and q_{k-1} kept. */
static void recursion(double theta, double damping, double stiffness, double e) {
  const double h = 0.01, v0 = -0.3, weight = -m * g;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                           .q0 = (double[]){1.0},
                                           .v0 = &v0,
                                           .mass = &m,
                                           .damping = damping > 0.0 ? &damping : NULL,
                                           .stiffness = stiffness > 0.0 ? &stiffness : NULL,
                                           .fext = &weight});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (const double[]){1.0}});
  nsds_interaction *floor = nsds_connect(model, gap, nsds_newton_impact(model, e), 1, &ds);
  nsds_time_stepping_def def = with(h, 3.0);
  def.second_order = nsds_schatzman_paoli(theta);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  assert_sound(model);
  double W = m + 0.5 * h * damping + 0.5 * h * h * theta * stiffness, now = 1.0;
  double a = h * (weight - damping * v0 - stiffness * now) / (W - 0.5 * h * damping);
  double last = now - h * (v0 - 0.5 * a);
  for (int step = 0; step < 300; ++step) {
    double right = weight + m * (2.0 * now - last) / (h * h) + damping * last / (2.0 * h) -
                   stiffness * ((1.0 - theta) * now + 0.5 * theta * last);
    double free = right * h * h / W, next = fmax(free, -e * last);
    assert_ok(model, nsds_step(s));
    assert_near(nsds_q(ds)[0], next, 2e-10);
    assert_near(nsds_impulse(floor)[0], W * (next - free) / h, 2e-8);
    assert_true(next + e * last >= -1e-12);
    last = now;
    now = next;
  }
  nsds_model_destroy(model);
}

static void two_step_recursion(void **state) {
  (void)state;
  const double theta[] = {0.0, 0.5, 1.0}, e[] = {0.0, 0.5, 0.9, 1.0};
  for (int n = 0; n < 12; ++n) {
    recursion(theta[n % 3], 0.0, 0.0, e[n / 3]);
    recursion(theta[n % 3], 0.4, 0.0, e[n / 3]);
    recursion(theta[n % 3], 0.0, 30.0, e[n / 3]);
    recursion(theta[n % 3], 0.4, 30.0, e[n / 3]);
  }
}

/* ---- bounces ----------------------------------------------------------------------------------
 */

/* Height of a ball dropped from `height` at t, its first flights by the closed form. */
static double bounce(double height, double e, double t) {
  double v = sqrt(2.0 * g * height), flight = v / g;
  if (t < flight) return height - 0.5 * g * t * t;
  t -= flight;
  for (int n = 0; n < 1000; ++n, t -= flight) {
    v *= e;
    flight = 2.0 * v / g;
    if (t < flight) return v * t - 0.5 * g * t * t;
  }
  return 0.0;
}

/* Mean error over 2 s of the height; the largest penetration; by how much a top was above the one
 * before: speeds are turned round at heights that differ by up to h |v|. */
typedef struct bounces {
  double error, deepest, gain, speed;
} bounces;

static bounces drop(nsds_discretisation scheme, double h, double e) {
  nsds_model *model = nsds_model_create(NULL);
  ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, 1.0, e);
  nsds_time_stepping_def def = with(h, 2.0);
  def.second_order = scheme;
  nsds_simulation *s = nsds_time_stepping(model, &def);
  bounces b = {.error = 0.0};
  double highest = 1.0, rising = 0.0;
  while (nsds_step(s) == NSDS_OK) {
    double q = nsds_q(scene.ball)[0], v = nsds_v(scene.ball)[0];
    b.error += h * fabs(q - bounce(1.0, e, nsds_time(s))) / 2.0;
    b.deepest = fmax(b.deepest, -q);
    b.speed = fmax(b.speed, fabs(v));
    rising = v > 0.0 ? fmax(rising, q) : rising;
    if (v < 0.0 && rising > 0.0) { /* past the top: not above that of the flight before */
      b.gain = fmax(b.gain, rising - highest);
      highest = rising;
      rising = 0.0;
    }
  }
  assert_sound(model);
  nsds_model_destroy(model);
  return b;
}

static void bouncing_ball(void **state) {
  (void)state;
  const double e[] = {0.0, 0.5, 0.8, 1.0};
  for (int n = 0; n < 4; ++n) {
    double sum[2] = {0.0};
    bounces b = {.error = 0.0};
    for (int i = 0; i < 8; ++i) /* where in a step the impact falls is a matter of chance */
      for (int fine = 0; fine < 2; ++fine) {
        b = drop(nsds_schatzman_paoli(0.5), (fine ? 1e-3 : 4e-3) * (1.0 - 0.03 * i), e[n]);
        sum[fine] += b.error / 8.0;
        assert_true(b.deepest <= 2.0 * e[n] / (1.0 + e[n]) * 4e-3 * b.speed + 1e-12);
        assert_true(b.gain <= (e[n] == 1.0 ? 4e-3 * b.speed : 1e-12));
      }
    bounces moreau = drop(nsds_moreau_jean(0.5, 1.0), 1e-3, e[n]);
    print_message("             e = %.1f: error %.1e at h = 4 ms, %.1e at 1 ms (Moreau-Jean %.1e), "
                  "deepest %.1e, tops gain %.1e\n",
                  e[n], sum[0], sum[1], moreau.error, b.deepest, b.gain);
    assert_true(sum[1] < 4.0 * moreau.error);
    if (e[n] == 0.0) assert_true(b.deepest <= 1e-13 && sum[0] < 1e-13); /* free fall is exact */
    else assert_between(order_of(sum[0], sum[1]) / 2.0, 0.7, 1.5);
  }
}

/* A row of equal masses: no momentum and no energy is made, and any contact may close another. */
static void row_of_masses(void **state) {
  (void)state;
  enum { n = 5 };
  nsds_model *model = nsds_model_create(NULL);
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}, .b = (double[]){-1.0}});
  nsds_law *law = nsds_newton_impact(model, 0.6);
  nsds_ds *ball[n];
  nsds_interaction *contact[n];
  for (int j = 0; j < n; ++j)
    ball[j] = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                             .q0 = (double[]){1.0003 * j + (j > 0 ? 0.1 : 0.0)},
                                             .v0 = (double[]){j == 0 ? 2.0 : 0.0},
                                             .mass = (double[]){1.0 + 0.2 * j}});
  for (int j = 0; j + 1 < n; ++j) contact[j] = nsds_connect(model, gap, law, 2, &ball[j]);
  nsds_time_stepping_def def = with(1e-3, 1.0);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  double y[n][2] = {{0.0}};
  for (long step = 0; nsds_step(s) == NSDS_OK; ++step) {
    double momentum = 0.0;
    for (int j = 0; j < n; ++j) momentum += (1.0 + 0.2 * j) * nsds_v(ball[j])[0];
    assert_near(momentum, 2.0, 1e-9);
    for (int j = 0; j + 1 < n; ++j) {
      double now = nsds_y(contact[j])[0];
      if (step > 1) assert_true(now + 0.6 * y[j][0] >= -1e-10);
      y[j][0] = y[j][1];
      y[j][1] = now;
    }
  }
  double energy = 0.0;
  for (int j = 0; j < n; ++j) energy += 0.5 * (1.0 + 0.2 * j) * pow(nsds_v(ball[j])[0], 2.0);
  assert_sound(model);
  assert_true(energy < 2.0 && energy > 0.5);
  assert_true(nsds_v(ball[n - 1])[0] > 0.1);
  nsds_model_destroy(model);
}

/* y = 0 holds at positions: of two masses on springs tied by a rod, from a start off by 1 mm. */
static void equality(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int j = 0; j < 2; ++j)
    ds[j] = nsds_lagrangian_linear(model,
                                   &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                 .q0 = (double[]){j * 1.001},
                                                                 .mass = (double[]){1.0 + j},
                                                                 .stiffness = (double[]){3.0 + j},
                                                                 .damping = (double[]){0.1}});
  nsds_relation *rod = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}, .b = (double[]){-1.0}});
  nsds_interaction *ia = nsds_connect(model, rod, nsds_equality(model), 2, ds);
  nsds_time_stepping_def def = with(1e-2, 5.0);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  while (nsds_step(s) == NSDS_OK) assert_near(nsds_y(ia)[0], 0.0, 1e-12);
  assert_sound(model);
  nsds_model_destroy(model);
}

/* ---- sparse matrices ---------------------------------------------------------------------------
 */

enum { bar_n = 40 };

typedef struct band {
  double dense[bar_n * bar_n], x[3 * bar_n];
  int p[bar_n + 1], i[3 * bar_n];
  nsds_csc csc;
} band;

static void make_band(band *b, double diagonal, double off) {
  int count = 0;
  memset(b->dense, 0, sizeof b->dense);
  for (int j = 0; j < bar_n; ++j) {
    b->p[j] = count;
    for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < bar_n; ++i) {
      b->i[count] = i;
      b->x[count++] = b->dense[i + j * bar_n] = i == j ? diagonal : off;
    }
  }
  b->p[bar_n] = count;
  b->csc = (nsds_csc){.nrow = bar_n, .ncol = bar_n, .p = b->p, .i = b->i, .x = b->x};
}

/* A bar that strikes a wall, with M, C and K dense or sparse; its end at 1 s. */
static void strike(bool sparse, double *q) {
  static band M, C, K;
  make_band(&M, 4.0, 1.0);
  make_band(&C, 2.0, -1.0);
  make_band(&K, 2000.0, -1000.0);
  double v0[bar_n], H[bar_n] = {1.0}, b = 0.05;
  for (int j = 0; j < bar_n; ++j) v0[j] = -1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = bar_n,
                                           .v0 = v0,
                                           .mass = sparse ? NULL : M.dense,
                                           .damping = sparse ? NULL : C.dense,
                                           .stiffness = sparse ? NULL : K.dense,
                                           .mass_sparse = sparse ? &M.csc : NULL,
                                           .damping_sparse = sparse ? &C.csc : NULL,
                                           .stiffness_sparse = sparse ? &K.csc : NULL});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = bar_n, .H = H, .b = &b});
  nsds_interaction *wall = nsds_connect(model, gap, nsds_newton_impact(model, 0.0), 1, &ds);
  nsds_time_stepping_def def = with(1e-3, 1.0);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  bool struck = false;
  while (nsds_step(s) == NSDS_OK) struck = struck || nsds_impulse(wall)[0] > 0.0;
  assert_sound(model);
  assert_true(struck);
  memcpy(q, nsds_q(ds), bar_n * sizeof *q);
  nsds_model_destroy(model);
}

static void sparse_as_dense(void **state) {
  (void)state;
  double dense[bar_n], sparse[bar_n];
  strike(false, dense);
  strike(true, sparse);
  for (int j = 0; j < bar_n; ++j) assert_near(sparse[j], dense[j], 1e-10);
}

/* ---- states from which the scheme would throw bodies out of each other ------------------------ */

static nsds_ds *body_at(nsds_model *model, double q, double v, double b, double e) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .name = "body", .ndof = 1, .q0 = &q, .v0 = &v, .mass = (double[]){1.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .H = (const double[]){1.0}, .b = &b});
  nsds_connect(model, gap, e < 0.0 ? nsds_complementarity(model) : nsds_newton_impact(model, e), 1,
               &ds);
  return ds;
}

static void assert_thrown(nsds_model *model, nsds_simulation *s, nsds_ds *ds, double q) {
  double t = nsds_time(s), v = nsds_v(ds)[0];
  assert_int_equal(nsds_step(s), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"Schatzman-Paoli", "interaction #0", "y[0]", "valid are"}), 4);
  nsds_error_clear(nsds_model_context(model));
  assert_int_equal(nsds_step(s), NSDS_ERROR_VALUE); /* and again */
  nsds_error_clear(nsds_model_context(model));
  assert_near(nsds_time(s), t, 0.0);
  assert_near(nsds_q(ds)[0], q, 0.0);
  assert_near(nsds_v(ds)[0], v, 0.0);
}

static void starts_inside(void **state) {
  (void)state;
  const double restitution[] = {0.5, 0.0, 1.0, -1.0}, depth[] = {0.1, 1e-3, 1e-6};
  for (int n = 0; n < 4; ++n)
    for (int d = 0; d < 3; ++d) {
      nsds_model *model = nsds_model_create(NULL);
      nsds_ds *ds = body_at(model, -depth[d], 0.0, 0.0, restitution[n]);
      nsds_time_stepping_def def = with(1e-3, 10.0);
      nsds_simulation *s = nsds_time_stepping(model, &def);
      assert_sound(model);
      assert_thrown(model, s, ds, -depth[d]);
      assert_ok(model, nsds_set_state(ds, (double[]){0.0}, NULL));
      for (int step = 0; step < 10; ++step) assert_ok(model, nsds_step(s));
      assert_near(nsds_v(ds)[0], 0.0, 1e-14);
      assert_ok(model, nsds_set_state(ds, (double[]){-depth[d]}, NULL)); /* in the middle */
      assert_thrown(model, s, ds, -depth[d]);
      assert_ok(model, nsds_set_state(ds, (double[]){0.2}, (double[]){-1.0}));
      for (int step = 0; step < 500; ++step) assert_ok(model, nsds_step(s));
      assert_near(nsds_v(ds)[0], fmax(restitution[n], 0.0), 1e-9);
      nsds_model_destroy(model);
    }
}

/* An interaction that comes while others move. */
static void connected_inside(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = body_at(model, 1.0, 0.0, 0.0, 0.5);
  nsds_time_stepping_def def = with(1e-3, 10.0);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  assert_ok(model, nsds_step(s));
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .H = (const double[]){1.0}, .b = (const double[]){-1.1}});
  nsds_interaction *late = nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &ds);
  assert_int_equal(nsds_step(s), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(nsds_model_context(model)), ((const char *[]){"interaction #1"}),
               1);
  nsds_error_clear(nsds_model_context(model));
  assert_ok(model, nsds_disconnect(late));
  assert_ok(model, nsds_step(s));
  assert_near(nsds_q(ds)[0], 1.0, 0.0);
  nsds_model_destroy(model);
}

/* Rounding of a gap passes, and leaves next to no speed; so does what is on its way through. */
static void starts_at_zero_but_for_rounding(void **state) {
  (void)state;
  const double q[] = {-1e-17, 3.0 * 0.1, 1e6 + 0.1, -0.05}, v[] = {0.0, 0.0, 0.0, -100.0};
  const double b[] = {0.0, -0.1 * 3.0 - 5e-17, -1e6 - 0.1 - 1e-9, 0.0};
  for (int n = 0; n < 4; ++n) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = body_at(model, q[n], v[n], b[n], 0.5);
    nsds_time_stepping_def def = with(1e-3, 10.0);
    nsds_simulation *s = nsds_time_stepping(model, &def);
    for (int step = 0; step < 20; ++step) assert_ok(model, nsds_step(s));
    assert_near(nsds_v(ds)[0], -0.5 * v[n], 1e-5);
    nsds_model_destroy(model);
  }
}

/* Gaps that the scheme itself has below zero, amid an impact, are its own: a body beside it is put
 * somewhere in every step, states are saved and restored, another simulation goes on. */
static void amid_an_impact(void **state) {
  (void)state;
  double end[3], least = 0.0;
  for (int n = 0; n < 3; ++n) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = body_at(model, 0.0537, -1.0, 0.0, 0.8),
            *other = body_at(model, 1.0, 0.0, 0.0, 0.5);
    nsds_time_stepping_def def = with(1e-3, 10.0);
    nsds_simulation *s = nsds_time_stepping(model, &def);
    for (int step = 0; step < 100; ++step) {
      assert_ok(model, nsds_step(s));
      least = fmin(least, nsds_q(ds)[0]);
      if (n == 1) assert_ok(model, nsds_set_state(other, (double[]){2.0}, (double[]){0.0}));
      if (n == 1) assert_ok(model, nsds_simulation_save(s));
      if (n == 1) assert_ok(model, nsds_simulation_restore(s));
      if (n != 2) continue;
      def.t0 = nsds_time(s);
      nsds_simulation_destroy(s);
      s = nsds_time_stepping(model, &def);
    }
    end[n] = nsds_q(ds)[0];
    nsds_model_destroy(model);
  }
  assert_true(least < -1e-4);
  assert_near(end[1], end[0], 1e-15);
  assert_near(end[2], end[0], 1e-13);
}

/* A floor that parameters raise lifts what lies on it, at its speed. */
static void a_floor_that_rises(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}, .fext = (double[]){-g}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1,
                                                    .nq = 1,
                                                    .nZ = 1,
                                                    .nz = 1,
                                                    .H = (const double[]){1.0},
                                                    .F = (const double[]){-1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.0), 1, &ds);
  nsds_time_stepping_def def = with(1e-3, 10.0);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  for (int step = 1; step <= 100; ++step) {
    assert_ok(model, nsds_step(s));
    assert_ok(model, nsds_relation_set_z(gap, 1, (double[]){1e-3 * step}));
  }
  assert_ok(model, nsds_step(s));
  assert_near(nsds_q(ds)[0], 0.1, 1e-12);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smooth_order),
      cmocka_unit_test(two_step_recursion),
      cmocka_unit_test(bouncing_ball),
      cmocka_unit_test(row_of_masses),
      cmocka_unit_test(equality),
      cmocka_unit_test(sparse_as_dense),
      cmocka_unit_test(starts_inside),
      cmocka_unit_test(connected_inside),
      cmocka_unit_test(starts_at_zero_but_for_rounding),
      cmocka_unit_test(amid_an_impact),
      cmocka_unit_test(a_floor_that_rises),
  };
  return cmocka_run_group_tests_name("kernel.schatzman_paoli", tests, NULL, NULL);
}
