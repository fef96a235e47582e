/*
 * Contacts of rigid bodies: rows against the velocities of points by differences along the motion,
 * momentum kept between two bodies, tangents that are asked for, what a contact function may get
 * wrong.
 */
#include "support.h"

static const double skew[9] = {0.3, 0.05, -0.02, 0.05, 0.5, 0.1, -0.02, 0.1, 0.4};

static nsds_ds *in_space(nsds_model *m, const double *q, const double *v) {
  return nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.5, .inertia = skew, .q0 = q, .v0 = v});
}

static nsds_ds *in_plane(nsds_model *m, const double *q, const double *v) {
  return nsds_rigid_body_2d(
      m, &(nsds_rigid_body_2d_def){.mass = 1.5, .inertia = 0.2, .q0 = q, .v0 = v});
}

/* ---- an ellipsoid on the floor, as a contact function ---- */

/* {x : sum (x_k / a_k)^2 <= 1} in the body; its lowest point is -D^2 m / |D m|, m the normal there.
 */
static const double axes[3] = {0.5, 0.3, 0.2};

static int ellipsoid(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  const double up[3] = {0.0, 0.0, 1.0};
  double m[3], lowest[3], length = 0.0;
  nsds_to_body(in->q, up, m);
  for (int k = 0; k < 3; ++k) length += axes[k] * m[k] * axes[k] * m[k];
  length = sqrt(length);
  for (int k = 0; k < 3; ++k) lowest[k] = -axes[k] * axes[k] * m[k] / length;
  nsds_to_world(in->q, lowest, contact->point);
  for (int k = 0; k < 3; ++k) contact->point[k] += in->q[k];
  contact->gap = contact->point[2];
  contact->normal[2] = 1.0;
  if (user) memcpy(contact->tangent, user, sizeof contact->tangent);
  return 0;
}

/* ---- rows ---- */

typedef struct setting {
  const char *name;
  nsds_relation *(*create)(nsds_model *model, int rows);
  int dimension, bodies;
} setting;

static nsds_relation *corner(nsds_model *m, int rows) {
  return nsds_sphere_plane_relation(
      m, &(nsds_sphere_plane_relation_def){
             .rows = rows, .center = {0.3, -0.2, 0.1}, .normal = {0.6, 0.0, 0.8}, .offset = 0.2});
}

static nsds_relation *ball(nsds_model *m, int rows) {
  return nsds_sphere_plane_relation(
      m, &(nsds_sphere_plane_relation_def){
             .rows = rows, .radius = 0.25, .center = {0.1, 0.2, 0.0}, .normal = {0, -1, 0}});
}

static nsds_relation *two_balls(nsds_model *m, int rows) {
  return nsds_sphere_sphere_relation(
      m, &(nsds_sphere_sphere_relation_def){
             .rows = rows, .radius = {0.2, 0.3}, .center = {{0.1, 0.0, -0.2}, {-0.3, 0.1, 0.0}}});
}

static nsds_relation *general(nsds_model *m, int rows) {
  return nsds_contact_relation(m,
                               &(nsds_contact_relation_def){.rows = rows, .contact_fn = ellipsoid});
}

static nsds_relation *flat_corner(nsds_model *m, int rows) {
  return nsds_sphere_plane_relation(m, &(nsds_sphere_plane_relation_def){.dimension = 2,
                                                                         .rows = rows > 3   ? 3
                                                                                 : rows > 1 ? 2
                                                                                            : 1,
                                                                         .radius = 0.1,
                                                                         .center = {0.3, -0.2},
                                                                         .normal = {0.6, 0.8}});
}

static nsds_relation *flat_pair(nsds_model *m, int rows) {
  return nsds_sphere_sphere_relation(
      m, &(nsds_sphere_sphere_relation_def){.dimension = 2,
                                            .rows = rows > 3   ? 3
                                                    : rows > 1 ? 2
                                                               : 1,
                                            .radius = {0.2, 0.3},
                                            .center = {{0.1, 0.2}, {-0.3, 0.1}}});
}

static const setting settings[] = {{"corner", corner, 3, 1},
                                   {"ball", ball, 3, 1},
                                   {"two balls", two_balls, 3, 2},
                                   {"ellipsoid", general, 3, 1},
                                   {"corner in the plane", flat_corner, 2, 1},
                                   {"discs", flat_pair, 2, 2}};

static void random_state(uint64_t *seed, int dimension, double *q, double *v) {
  double length = 0.0;
  for (int k = 0; k < 7; ++k) q[k] = random_in(seed, -1.0, 1.0);
  for (int k = 0; k < 6; ++k) v[k] = random_in(seed, -1.0, 1.0);
  for (int k = 3; k < 7; ++k) length += q[k] * q[k];
  for (int k = 3; dimension == 3 && k < 7; ++k) q[k] /= sqrt(length);
}

/* Angular velocity in the world. */
static void spin(int dimension, const double *q, const double *v, double *w) {
  w[0] = w[1] = 0.0;
  if (dimension == 2) w[2] = v[2];
  else nsds_to_world(q, v + 3, w);
}

/* Velocity of the point P of a body. */
static void velocity(int dimension, const double *q, const double *v, const double *P, double *u) {
  double w[3], r[3] = {P[0] - q[0], P[1] - q[1], dimension == 3 ? P[2] - q[2] : 0.0};
  spin(dimension, q, v, w);
  u[0] = v[0] + w[1] * r[2] - w[2] * r[1];
  u[1] = v[1] + w[2] * r[0] - w[0] * r[2];
  u[2] = dimension == 3 ? v[2] + w[0] * r[1] - w[1] * r[0] : 0.0;
}

typedef struct touching {
  const setting *of;
  nsds_model *model;
  nsds_ds *ds[2];
  nsds_interaction *ia;
  double q[2][7], v[2][6];
  int rows;
} touching;

static touching touch(const setting *of, uint64_t *seed, int rows) {
  touching t = {.of = of, .model = nsds_model_create(NULL)};
  for (int k = 0; k < of->bodies; ++k) {
    random_state(seed, of->dimension, t.q[k], t.v[k]);
    t.ds[k] = (of->dimension == 3 ? in_space : in_plane)(t.model, t.q[k], t.v[k]);
  }
  t.ia = nsds_connect(t.model, of->create(t.model, rows), nsds_equality(t.model), of->bodies, t.ds);
  assert_non_null(nsds_time_stepping(t.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}));
  t.rows = nsds_interaction_size(t.ia);
  return t;
}

/* The state moved along v for a time. */
static void move(const touching *t, double time) {
  for (int k = 0; k < t->of->bodies; ++k) {
    double step[6], moved[7];
    nsds_ds_operators ops = nsds_ds_describe(t->ds[k]);
    nsds_arguments at = nsds_ds_point(t->ds[k], 0.0, t->q[k], t->v[k]);
    for (int i = 0; i < nsds_nv(t->ds[k]); ++i) step[i] = time * t->v[k][i];
    if (t->of->dimension == 3) ops.second->advance(ops.self, &at, step, moved);
    else
      for (int i = 0; i < 3; ++i) moved[i] = t->q[k][i] + step[i];
    assert_ok(t->model, nsds_set_state(t->ds[k], moved, t->v[k]));
  }
}

/* dy/dt of the gap by differences; the other rows have no y. */
static void check_gap(const touching *t) {
  double u = nsds_ydot(t->ia)[0], y[2];
  for (int side = 0; side < 2; ++side) {
    move(t, side ? 1e-5 : -1e-5);
    y[side] = nsds_y(t->ia)[0];
    for (int i = 1; i < t->rows; ++i) assert_near(nsds_y(t->ia)[i], 0.0, 0.0);
  }
  assert_near(u, (y[1] - y[0]) / 2e-5, 1e-8);
  move(t, 0.0);
}

/* Directions of the rows: what the first body's velocities show. direction[i] is e_i's share. */
static void read_frame(const touching *t, double direction[3][5]) {
  int n = t->of->dimension, space = t->rows > 1 ? n : 1;
  if (t->of->bodies == 2) assert_ok(t->model, nsds_set_state(t->ds[1], NULL, (double[6]){0.0}));
  for (int j = 0; j < n; ++j) {
    double v[6] = {j == 0, j == 1, j == 2 && n == 3};
    assert_ok(t->model, nsds_set_state(t->ds[0], NULL, v));
    memcpy(direction[j], nsds_ydot(t->ia), (size_t)t->rows * sizeof(double));
  }
  for (int a = 0; a < space; ++a) /* orthonormal */
    for (int b = 0; b < space; ++b) {
      double dot = 0.0;
      for (int j = 0; j < n; ++j) dot += direction[j][a] * direction[j][b];
      assert_near(dot, a == b, 1e-14);
    }
}

/* P by the moments M_a = r x d_a that turning the first body shows: r = 1/2 sum d_a x M_a. */
static void read_point(const touching *t, double direction[3][5], double *P) {
  double M[3][3];
  for (int j = 0; j < 3; ++j) {
    double body[3], world[3] = {j == 0, j == 1, j == 2};
    nsds_to_body(t->q[0], world, body);
    double v[6] = {0, 0, 0, body[0], body[1], body[2]};
    assert_ok(t->model, nsds_set_state(t->ds[0], NULL, v));
    for (int a = 0; a < 3; ++a) M[a][j] = nsds_ydot(t->ia)[a];
  }
  for (int j = 0; j < 3; ++j) {
    int i = (j + 1) % 3, k = (j + 2) % 3;
    P[j] = t->q[0][j];
    for (int a = 0; a < 3; ++a)
      P[j] += 0.5 * (direction[i][a] * M[a][k] - direction[k][a] * M[a][i]);
  }
}

/* All rows in space are relative velocities of the points of the bodies at P. */
static void check_point(const touching *t, const double *u, double direction[3][5]) {
  double P[3], relative[3] = {0.0}, turning[3] = {0.0};
  read_point(t, direction, P);
  for (int b = 0; b < t->of->bodies; ++b) {
    double ub[3], w[3], sign = b ? -1.0 : 1.0;
    velocity(3, t->q[b], t->v[b], P, ub);
    spin(3, t->q[b], t->v[b], w);
    for (int k = 0; k < 3; ++k) relative[k] += sign * ub[k];
    for (int k = 0; k < 3; ++k) turning[k] += sign * w[k];
  }
  for (int a = 0; a < 3; ++a) {
    double slides = 0.0, rolls = 0.0;
    for (int k = 0; k < 3; ++k) slides += direction[k][a] * relative[k];
    for (int k = 0; k < 3; ++k) rolls += direction[k][a] * turning[k];
    assert_near(u[a], slides, 1e-13);
    if (t->rows == 5 && a > 0) assert_near(u[2 + a], rolls, 1e-13);
  }
}

static void check_rows(const setting *of, uint64_t *seed, int rows) {
  touching t = touch(of, seed, rows);
  double u[5], direction[3][5];
  memcpy(u, nsds_ydot(t.ia), (size_t)t.rows * sizeof *u);
  check_gap(&t);
  read_frame(&t, direction);
  if (of->dimension == 3 && t.rows >= 3) check_point(&t, u, direction);
  if (of->dimension == 2 && t.rows == 3)
    assert_near(u[2], t.v[0][2] - (of->bodies == 2 ? t.v[1][2] : 0.0), 1e-15);
  nsds_model_destroy(t.model);
}

static void rows_are_velocities_of_points(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (size_t k = 0; k < sizeof settings / sizeof *settings; ++k)
    for (int rows = 1; rows <= 5; rows += 2)
      for (int i = 0; i < 20; ++i) check_rows(&settings[k], &seed, rows);
}

/* The second row in the plane: t . u with t = (n_y, -n_x). */
static void tangent_in_the_plane(void **state) {
  (void)state;
  uint64_t seed = 4;
  for (int i = 0; i < 20; ++i) {
    nsds_model *m = nsds_model_create(NULL);
    double q[7], v[6], u[3];
    random_state(&seed, 2, q, v);
    nsds_ds *ds = in_plane(m, q, v);
    nsds_interaction *ia = nsds_connect(m, flat_corner(m, 2), nsds_equality(m), 1, &ds);
    assert_non_null(nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}));
    double c = cos(q[2]), s = sin(q[2]);
    const double P[3] = {q[0] + c * 0.3 + s * 0.2 - 0.1 * 0.6,
                         q[1] + s * 0.3 - c * 0.2 - 0.1 * 0.8};
    velocity(2, q, v, P, u);
    assert_near(nsds_y(ia)[0], 0.6 * P[0] + 0.8 * P[1], 1e-14);
    assert_near(nsds_ydot(ia)[0], 0.6 * u[0] + 0.8 * u[1], 1e-14);
    assert_near(nsds_ydot(ia)[1], 0.8 * u[0] - 0.6 * u[1], 1e-14);
    nsds_model_destroy(m);
  }
}

/* ---- momentum ---- */

static void momenta(nsds_ds *const *ds, double q[2][7], double *p) {
  for (int k = 0; k < 6; ++k) p[k] = 0.0;
  for (int b = 0; b < 2; ++b) {
    const double *v = nsds_v(ds[b]), *x = q[b];
    double J[3], L[3];
    for (int i = 0; i < 3; ++i) J[i] = skew[i] * v[3] + skew[i + 3] * v[4] + skew[i + 6] * v[5];
    nsds_to_world(x, J, L);
    for (int i = 0; i < 3; ++i) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      p[i] += 1.5 * v[i];
      p[3 + i] += L[i] + 1.5 * (x[j] * v[k] - x[k] * v[j]);
    }
  }
}

/* Two bodies meet off their centres, with friction: linear and angular momentum of both stay, with
 * H at the start of the step and no gyroscopic term in it (explicit, h small). Energy does not
 * grow. */
static void two_bodies_keep_their_momentum(void **state) {
  (void)state;
  uint64_t seed = 6;
  int met = 0;
  for (int i = 0; i < 50; ++i) {
    nsds_model *m = nsds_model_create(NULL);
    double q[2][7], v[2][6], before[6], after[6];
    nsds_ds *ds[2];
    for (int k = 0; k < 2; ++k) {
      random_state(&seed, 3, q[k], v[k]);
      for (int j = 0; j < 3; ++j) q[k][j] *= 0.2;
      ds[k] = nsds_rigid_body(
          m,
          &(nsds_rigid_body_def){
              .mass = 1.5, .inertia = skew, .q0 = q[k], .v0 = v[k], .explicit_gyroscopic = true});
    }
    nsds_law *law = nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.4});
    nsds_interaction *ia = nsds_connect(m, two_balls(m, 3), law, 2, ds);
    nsds_simulation *s = nsds_time_stepping(
        m,
        &(nsds_time_stepping_def){
            .t1 = 1.0, .h = 1e-12, .second_order = nsds_moreau_jean(0.5, 0.0), .tolerance = 1e-12});
    assert_sound(m);
    momenta(ds, q, before);
    double energy = nsds_kinetic_energy(ds[0]) + nsds_kinetic_energy(ds[1]);
    assert_ok(m, nsds_step(s));
    momenta(ds, q, after);
    for (int k = 0; k < 6; ++k) assert_near(after[k], before[k], 1e-11);
    double gained = nsds_kinetic_energy(ds[0]) + nsds_kinetic_energy(ds[1]) - energy;
    assert_between(gained, -INFINITY, 1e-10);
    met += nsds_impulse(ia)[0] > 1e-3;
    nsds_model_destroy(m);
  }
  assert_true(met > 10);
}

/* A moving surface: the given tangent is the direction of the slip, whatever the chosen one is. */
static void slip_along_a_given_tangent(void **state) {
  (void)state;
  double belt[3] = {3.0, 4.0, 7.0}; /* made one across the normal */
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(
      m, &(nsds_rigid_body_def){.mass = 1.0,
                                .inertia = (double[]){1e6, 0, 0, 0, 1e6, 0, 0, 0, 1e6},
                                .q0 = (double[]){0, 0, 0.2, 1, 0, 0, 0},
                                .gravity = {0, 0, -10.0}});
  nsds_relation *relation =
      nsds_contact_relation(m, &(nsds_contact_relation_def){.contact_fn = ellipsoid, .user = belt});
  nsds_law *law =
      nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.5, .slip = {-2.0}});
  nsds_connect(m, relation, law, 1, &ds);
  run(m, &(nsds_time_stepping_def){.t1 = 0.2, .h = 1e-2, .tolerance = 1e-12}, 0);
  assert_near(nsds_v(ds)[0], 0.6 * 0.5 * 10.0 * 0.2, 1e-6); /* the body hardly turns */
  assert_near(nsds_v(ds)[1], 0.8 * 0.5 * 10.0 * 0.2, 1e-6);
  nsds_model_destroy(m);
}

/* ---- what a function may get wrong ---- */

static int fault;

static int faulty(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  int code = ellipsoid(in, contact, user);
  if (fault == 1) code = 1;
  if (fault == 2) contact->normal[2] = 0.0;
  if (fault == 3) contact->normal[2] = 1.01;
  if (fault == 4) contact->gap = NAN;
  if (fault == 5) contact->point[1] = INFINITY;
  if (fault == 6) contact->tangent[2] = 5.0;
  if (fault == 7) code = -3;
  if (fault == 8) contact->normal[0] = NAN;
  return code;
}

static void faults_of_contact_functions(void **state) {
  (void)state;
  static const struct {
    nsds_status status;
    const char *words[3];
  } expected[] = {{NSDS_OK, {NULL}},
                  {NSDS_ERROR_CALLBACK, {"'shell'", "returned 1"}},
                  {NSDS_ERROR_CALLBACK, {"'shell'", "normal", "length 0"}},
                  {NSDS_ERROR_CALLBACK, {"'shell'", "normal", "length 1.01"}},
                  {NSDS_ERROR_CALLBACK, {"'shell'", "gap = nan", "finite"}},
                  {NSDS_ERROR_CALLBACK, {"'shell'", "point = inf"}},
                  {NSDS_ERROR_CALLBACK, {"'shell'", "tangent", "along the normal"}},
                  {NSDS_ERROR_ABORTED, {"'shell'", "returned -3"}},
                  {NSDS_ERROR_CALLBACK, {"'shell'", "normal", "nan"}}};
  for (int k = 0; k < 9; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = in_space(m, (double[]){0, 0, 0.2, 1, 0, 0, 0}, (double[]){0, 0, -1, 1, 1, 0});
    nsds_relation *relation = nsds_contact_relation(
        m, &(nsds_contact_relation_def){.name = "shell", .contact_fn = faulty});
    nsds_law *law = nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.4});
    nsds_connect(m, relation, law, 1, &ds);
    fault = 0;
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
    assert_ok(m, nsds_step(s));
    snapshot before = snapshot_take(m);
    fault = k;
    nsds_status status = nsds_step(s);
    assert_int_equal(status, expected[k].status);
    assert_words(nsds_error_message(nsds_model_context(m)), expected[k].words, 3);
    if (k > 0) snapshot_check(&before, m, "a contact function's fault");
    fault = 0;
    nsds_error_clear(nsds_model_context(m));
    assert_ok(m, nsds_step(s)); /* goes on */
    snapshot_free(&before);
    nsds_model_destroy(m);
  }
}

static void centres_at_one_point(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2] = {in_space(m, NULL, NULL), in_space(m, NULL, NULL)};
  nsds_relation *relation =
      nsds_sphere_sphere_relation(m, &(nsds_sphere_sphere_relation_def){.radius = {0.1, 0.1}});
  nsds_connect(m, relation,
               nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.4}), 2,
               ds);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  nsds_status status = s ? nsds_step(s) : nsds_error(nsds_model_context(m));
  assert_int_equal(status, NSDS_ERROR_CALLBACK);
  assert_words(nsds_error_message(nsds_model_context(m)),
               ((const char *[]){"normal", "centres at one point"}), 2);
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_velocities_of_points),
      cmocka_unit_test(tangent_in_the_plane),
      cmocka_unit_test(two_bodies_keep_their_momentum),
      cmocka_unit_test(slip_along_a_given_tangent),
      cmocka_unit_test(faults_of_contact_functions),
      cmocka_unit_test(centres_at_one_point),
  };
  return cmocka_run_group_tests_name("kernel.body_contacts", tests, NULL, NULL);
}
