/*
 * Contact sets of spheres: motions beside the same contacts as interactions, closed forms of
 * rolling and of impacts, balances of momentum and energy, pairs against all pairs looked at one by
 * one.
 */
#include "found.h"

static const double g = 9.81;

static nsds_ds *sphere(nsds_model *model, double mass, double inertia, const double *x,
                       const double *v, double gravity) {
  const double J[9] = {[0] = inertia, [4] = inertia, [8] = inertia};
  return nsds_rigid_body(model,
                         &(nsds_rigid_body_def){.mass = mass,
                                                .inertia = J,
                                                .q0 = (double[]){x[0], x[1], x[2], 1, 0, 0, 0},
                                                .v0 = v,
                                                .gravity = {0, 0, -gravity}});
}

static nsds_law *friction(nsds_model *model, int rows, double mu, double e) {
  switch (rows) {
  case 1: return nsds_newton_impact(model, e);
  case 3:
    return nsds_newton_impact_friction(model,
                                       &(nsds_newton_impact_friction_def){.mu = mu, .e_n = e});
  default:
    return nsds_newton_impact_rolling(
        model, &(nsds_newton_impact_rolling_def){.mu = mu, .mu_rolling = 0.02, .e_n = e});
  }
}

/* ---- beside interactions ---- */

/* Two spheres that spin about any axis bounce, slide and roll on an inclined plane and meet: a set,
 * and interactions of the relations, H at the start of the step in both (gamma = 0, whose zero
 * would be the default). */
static void as_interactions(void **state) {
  (void)state;
  const double radius[] = {0.2, 0.3}, n[] = {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0};
  for (int rows = 1; rows <= 5; rows += 2) {
    nsds_model *m[2];
    nsds_ds *ds[2][2];
    nsds_simulation *s[2];
    nsds_contact_set *set = NULL;
    nsds_interaction *ia[3] = {NULL};
    for (int k = 0; k < 2; ++k) {
      m[k] = nsds_model_create(NULL);
      ds[k][0] = sphere(m[k], 1.0, 0.016, (double[]){0.0, 0.0, 0.3},
                        (double[]){1.0, 0.2, -0.5, 3.0, -2.0, 5.0}, g);
      ds[k][1] = sphere(m[k], 2.0, 0.072, (double[]){0.7, 0.1, 0.2},
                        (double[]){-1.0, 0.0, 0.3, -4.0, 1.0, 2.0}, g);
      nsds_law *law = friction(m[k], rows, 0.3, 0.4);
      if (k == 0)
        set = nsds_spheres(m[0],
                           &(nsds_spheres_def){.law = law,
                                               .count = 2,
                                               .ds = ds[0],
                                               .radii = radius,
                                               .nplane = 1,
                                               .plane = &(nsds_plane){{n[0], n[1], n[2]}, -0.1}});
      for (int i = 0; k == 1 && i < 2; ++i)
        ia[i] =
            nsds_connect(m[1],
                         nsds_sphere_plane_relation(
                             m[1], &(nsds_sphere_plane_relation_def){.rows = rows,
                                                                     .radius = radius[i],
                                                                     .normal = {n[0], n[1], n[2]},
                                                                     .offset = -0.1}),
                         law, 1, &ds[1][i]);
      if (k == 1)
        ia[2] = nsds_connect(
            m[1],
            nsds_sphere_sphere_relation(
                m[1], &(nsds_sphere_sphere_relation_def){.rows = rows, .radius = {0.2, 0.3}}),
            law, 2, ds[1]);
      s[k] = nsds_time_stepping(
          m[k], &(nsds_time_stepping_def){.t1 = 1.0,
                                          .h = 1e-3,
                                          .second_order = nsds_moreau_jean(0.5, 1e-300),
                                          .overlap_sweeps = NSDS_OVERLAP_STAYS});
      assert_sound(m[k]);
    }
    int met = 0, rolled = 0;
    while (nsds_step(s[0]) == NSDS_OK) {
      assert_ok(m[1], nsds_step(s[1]));
      for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 7; ++k) assert_near(nsds_q(ds[0][i])[k], nsds_q(ds[1][i])[k], 1e-9);
        for (int k = 0; k < 6; ++k) assert_near(nsds_v(ds[0][i])[k], nsds_v(ds[1][i])[k], 1e-8);
      }
      nsds_contact_info info;
      const uint64_t key[] = {UINT64_C(1) << 63, UINT64_C(1) << 63 | 1, UINT64_C(1) << 32};
      for (int k = 0; k < 3; ++k) {
        if (!found_get(set, key[k], &info)) continue;
        for (int i = 0; i < rows; ++i) assert_near(info.impulse[i], nsds_impulse(ia[k])[i], 1e-8);
        met += k == 2 && info.active;
        rolled += k < 2 && info.active && info.impulse[0] > 0.0;
      }
    }
    assert_sound(m[0]);
    assert_true(met > 0);
    assert_true(rolled > 100);
    for (int k = 0; k < 2; ++k) nsds_model_destroy(m[k]);
  }
}

/* ---- closed forms ---- */

/* Sliding at v_0 without spin it rolls from t = 2 v_0 / (7 mu g) on, with 5/7 v_0. */
static void sliding_then_rolling(void **state) {
  (void)state;
  const double v0 = 2.0, mu = 0.2, radius = 0.5, h = 1e-3, when = 2.0 * v0 / (7.0 * mu * g);
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds =
      sphere(m, 1.0, 0.1, (double[]){0, 0, radius}, (double[]){0.6 * v0, 0.8 * v0, 0, 0, 0, 0}, g);
  nsds_spheres(m, &(nsds_spheres_def){.law = friction(m, 3, mu, 0.0),
                                      .count = 1,
                                      .ds = &ds,
                                      .radius = radius,
                                      .nplane = 1,
                                      .plane = &(nsds_plane){{0, 0, 1}, 0}});
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.0 * when, .h = h});
  assert_sound(m);
  while (nsds_step(s) == NSDS_OK) {
    double t = nsds_time(s), v = hypot(nsds_v(ds)[0], nsds_v(ds)[1]), W[3];
    nsds_to_world(nsds_q(ds), nsds_v(ds) + 3, W);
    if (t < when) {
      assert_near(v, v0 - mu * g * t, 1e-9);
      assert_near(hypot(W[0], W[1]), 2.5 * mu * g * t / radius, 1e-9);
    } else if (t > when + h) {
      assert_near(v, 5.0 / 7.0 * v0, 1e-9);
      assert_near(W[0] * radius, -0.8 * v, 1e-9);
      assert_near(W[1] * radius, 0.6 * v, 1e-9);
    }
    assert_near(nsds_q(ds)[2], radius, 1e-12);
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* An oblique impact of spheres that touch: P_N = (1 + e) m_N u_N, P_T = m_T u_T where that is below
 * mu P_N, with 1 / m_N = sum 1 / m_i, 1 / m_T = sum 1 / m_i + r_i^2 / J_i. */
static void oblique_impacts(void **state) {
  (void)state;
  for (int kind = 0; kind < 12; ++kind) {
    bool equal = kind % 2 == 0, smooth = kind % 3 == 0, slides = kind % 3 == 2;
    double e = kind / 12.0, mu = smooth ? 0.0 : slides ? 0.05 : 5.0;
    const double mass[] = {1.0, equal ? 1.0 : 3.0}, r[] = {0.2, equal ? 0.2 : 0.5};
    const double n[] = {2.0 / 3.0, -2.0 / 3.0, 1.0 / 3.0}, t[] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
    double J[2], speed = 1.5, slip = 0.8, rate_n = 0.0, rate_t = 0.0, distance = r[0] + r[1];
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[2];
    for (int i = 0; i < 2; ++i) {
      double x[3], v[6] = {0.0};
      for (int k = 0; k < 3; ++k) {
        x[k] = i == 0 ? distance * n[k] : 0.0;
        v[k] = (i == 0 ? -0.5 : 0.5) * speed * n[k] + (i == 0 ? 0.5 : -0.5) * slip * t[k];
      }
      J[i] = 0.4 * mass[i] * r[i] * r[i];
      rate_n += 1.0 / mass[i];
      rate_t += 1.0 / mass[i] + r[i] * r[i] / J[i];
      ds[i] = sphere(m, mass[i], J[i], x, v, 0.0);
    }
    nsds_spheres(
        m, &(nsds_spheres_def){.law = friction(m, 3, mu, e), .count = 2, .ds = ds, .radii = r});
    run(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}, 1);
    double normal = (1.0 + e) * speed / rate_n, tangent = fmin(slip / rate_t, mu * normal);
    assert_true(smooth || slides == (slip / rate_t > mu * normal));
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 3; ++k) {
        double sign = i == 0 ? 1.0 : -1.0, P = normal * n[k] - tangent * t[k];
        double before = sign * (0.5 * slip * t[k] - 0.5 * speed * n[k]);
        assert_near(nsds_v(ds[i])[k], before + sign * P / mass[i], 1e-12);
        int a = (k + 1) % 3, b = (k + 2) % 3; /* -r n x (-tangent t), for both the same */
        double turn = r[i] / J[i] * tangent * (n[a] * t[b] - n[b] * t[a]);
        assert_near(nsds_v(ds[i])[3 + k], turn, 1e-11);
      }
    nsds_model_destroy(m);
  }
}

/* ---- balances ---- */

static double energy_of(nsds_ds *const *ds, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += nsds_kinetic_energy(ds[i]);
  return sum;
}

/* A cloud that collapses, each sphere of another size: in every step impulses of pairs balance,
 * also their moments about the origin where contacts are taken, and no energy comes. */
static void a_cloud_keeps_momentum(void **state) {
  (void)state;
  enum { n = 40 };
  uint64_t seed = 5;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[n];
  double radius[n], x[n][3], before[n][7];
  for (int i = 0; i < n; ++i) {
    radius[i] = random_in(&seed, 0.08, 0.25);
    double r3 = radius[i] * radius[i] * radius[i], mass = 1e2 * r3, v[6];
    int c[] = {i % 4, i / 4 % 4, i / 16};
    for (int k = 0; k < 3; ++k) {
      x[i][k] = 0.52 * (c[k] - 1.5);
      v[k] = -2.0 * x[i][k] + random_in(&seed, -0.2, 0.2);
      v[3 + k] = random_in(&seed, -4.0, 4.0);
    }
    ds[i] = sphere(m, mass, 0.4 * mass * radius[i] * radius[i], x[i], v, 0.0);
  }
  nsds_contact_set *set = nsds_spheres(
      m,
      &(nsds_spheres_def){.law = friction(m, 3, 0.4, 0.0), .count = n, .ds = ds, .radii = radius});
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 0.6, .h = 2e-3, .contacts_at_start = true});
  assert_sound(m);
  double energy = energy_of(ds, n), first = energy, impulse = 0.0;
  for (bool more = true; more;) {
    for (int i = 0; i < n; ++i) memcpy(before[i], nsds_q(ds[i]), sizeof before[i]);
    nsds_status status = nsds_step(s);
    more = status == NSDS_OK;
    if (!more) break;
    double P[3] = {0.0}, L[3] = {0.0}, now = energy_of(ds, n);
    for (int i = 0; i < n; ++i) {
      const double *p = nsds_p(ds[i]), *q = before[i];
      double turn[3];
      nsds_to_world(q, p + 3, turn);
      for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        P[k] += p[k];
        L[k] += q[a] * p[b] - q[b] * p[a] + turn[k];
        impulse += fabs(p[k]);
      }
    }
    for (int k = 0; k < 3; ++k) {
      assert_near(P[k], 0.0, 1e-13);
      assert_near(L[k], 0.0, 1e-13);
    }
    assert_true(now <= energy * (1.0 + 1e-9));
    energy = now;
  }
  assert_sound(m);
  assert_true(nsds_contact_set_count(set) > n / 2);
  assert_true(impulse > 1.0);
  assert_true(energy < 0.8 * first);
  nsds_model_destroy(m);
}

/* ---- the grid ---- */

/* Spheres in a cube, their radii up to 2^spread times the least: those found are all in reach,
 * at the start of the step or, with others that strike, at its end. */
static void check_pairs(int n, double centre, double width, double spread, double reach,
                        uint64_t seed, bool at_start) {
  enum { most = 80 };
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[most];
  double start[most][3], radius[most], largest = 0.0;
  for (int i = 0; i < n; ++i) {
    radius[i] = 0.05 * exp2(random_in(&seed, 0.0, spread));
    largest = fmax(largest, radius[i]);
    double v[6] = {0.0};
    for (int k = 0; k < 3; ++k) {
      start[i][k] = centre + random_in(&seed, -0.5, 0.5) * width;
      v[k] = random_in(&seed, -1.0, 1.0);
    }
    ds[i] = sphere(m, 1.0, 1.0, start[i], v, 0.0);
  }
  nsds_contact_set *set = nsds_spheres(m, &(nsds_spheres_def){.law = nsds_newton_impact(m, 0.0),
                                                              .count = n,
                                                              .ds = ds,
                                                              .radii = radius,
                                                              .reach = reach,
                                                              .max_contacts = n * n});
  if (reach == 0.0) reach = 0.1 * largest;
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.02, .contacts_at_start = at_start});
  assert_sound(m);
  for (int step = 0; step < 2; ++step) {
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k)
        start[i][k] = nsds_q(ds[i])[k] + (at_start ? 0.0 : 0.02) * nsds_v(ds[i])[k];
    assert_ok(m, nsds_step(s));
    int expected = 0;
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        double square = 0.0;
        for (int k = 0; k < 3; ++k)
          square += (start[i][k] - start[j][k]) * (start[i][k] - start[j][k]);
        bool near = sqrt(square) - radius[i] - radius[j] <= reach;
        nsds_contact_info info;
        expected += near;
        bool there = found_get(set, (uint64_t)i | (uint64_t)j << 32, &info);
        if ((near && !there) || (at_start && there && !near))
          fail_msg("pair %d, %d with gap %g, reach %g", i, j, sqrt(square) - radius[i] - radius[j],
                   reach);
      }
    if (at_start) assert_int_equal(nsds_contact_set_count(set), expected);
  }
  nsds_model_destroy(m);
}

static void pairs_are_all_pairs(void **state) {
  (void)state;
  for (uint64_t k = 2; k < 10; ++k) {
    uint64_t seed = k / 2;
    bool at_start = k % 2 == 0;
    check_pairs(60, 0.0, 0.8, 0.0, 0.0, seed, at_start);      /* of one size, cells of both signs */
    check_pairs(80, -1e4, 3.0, 5.0, 0.0, seed, at_start);     /* sizes of 1 to 32 */
    check_pairs(60, 0.0, 20.0, 9.0, 0.02, seed, at_start);    /* of 1 to 512, narrow */
    check_pairs(60, 1e6, 1e3, 14.0, 3.0, seed, at_start);     /* reach beyond the small ones */
    check_pairs(24, -0.025, 0.005, 1.0, 0.0, seed, at_start); /* all in one cell */
    check_pairs(60, 0.0, 1e5, 2.0, 0.0, seed, at_start);      /* hardly any */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_interactions),     cmocka_unit_test(sliding_then_rolling),
      cmocka_unit_test(oblique_impacts),     cmocka_unit_test(a_cloud_keeps_momentum),
      cmocka_unit_test(pairs_are_all_pairs),
  };
  return cmocka_run_group_tests_name("kernel.spheres", tests, NULL, NULL);
}
