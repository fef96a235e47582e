/*
 * Fremond's law: a rod of which Newton's law makes energy, impacts of many contacts that lose what
 * the law says, contacts that last.
 */
#include "support.h"

/* ---- a rod ----------------------------------------------------------------------------------- */

/* A slender rod of 1 kg and 2 m, inclined by 45 degrees, meets the floor with its lower end at
 * (0.5, -1) m/s. With w = 1/m + 3 / 2m along both axes and 3 / 2m across, e_n = 0.9 and mu = 0.5
 * the end sticks in Newton's law with P = (1, 0.4) and in Fremond's with P = W^-1 (1.9, -1). */
static double hit(bool fremond, bool events, double *P) {
  nsds_model *m = nsds_model_create(NULL);
  const double half = sqrt(0.5), q[3] = {half, half, 0.25 * 3.14159265358979323846};
  nsds_ds *ds = nsds_rigid_body_2d(
      m, &(nsds_rigid_body_2d_def){
             .mass = 1.0, .inertia = 1.0 / 3.0, .q0 = q, .v0 = (const double[3]){0.5, -1.0}});
  nsds_relation *corner = nsds_sphere_plane_relation(
      m, &(nsds_sphere_plane_relation_def){
             .dimension = 2, .rows = 2, .center = {-1.0, 0.0}, .normal = {0.0, 1.0}});
  nsds_law *law =
      fremond ? nsds_fremond_impact_friction(
                    m, &(nsds_fremond_impact_friction_def){.dimension = 2, .mu = 0.5, .e_n = 0.9})
              : nsds_newton_impact_friction(
                    m, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.5, .e_n = 0.9});
  nsds_interaction *ia = nsds_connect(m, corner, law, 1, &ds);
  double before = nsds_kinetic_energy(ds);
  nsds_simulation *s =
      events ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1e-3})
             : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1e-6, .h = 1e-6});
  assert_sound(m);
  assert_status(m, nsds_run(s), NSDS_END);
  P[0] = nsds_impulse(ia)[0];
  P[1] = nsds_impulse(ia)[1];
  double gain = nsds_kinetic_energy(ds) - before;
  nsds_model_destroy(m);
  return gain;
}

static void a_rod_of_which_newton_makes_energy(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events) {
    double P[2], newton = hit(false, events, P), fremond;
    if (!events) assert_near(P[0], 1.0, 1e-6);
    if (!events) assert_near(fabs(P[1]), 0.4, 1e-6);
    assert_near(newton, 0.05, 1e-5);
    fremond = hit(true, events, P);
    print_message("             Newton %+.3f J, Fremond %+.3f J\n", newton, fremond);
    /* sticks: s(+) = -s(-), all power is that of the normal, (1 - e) P_N u_N(-) / 2 */
    const double normal = (2.5 * 1.9 - 1.5 * 1.0) / 4.0;
    assert_near(fremond, -0.05 * normal, 1e-5);
    if (!events) assert_near(P[0], normal, 1e-5);
  }
}

/* ---- many contacts --------------------------------------------------------------------------- */

enum { bodies = 2, corners = 2 };

static double kinetic(nsds_ds *const *ds) {
  double sum = 0.0;
  for (int k = 0; k < bodies; ++k) sum += nsds_kinetic_energy(ds[k]);
  return sum;
}

/* Bodies that fall on inclined planes with several corners at once, all of which approach: the
 * energy of one impact by the energy before, and what the law says of it. */
static double collide(uint64_t *seed, bool fremond, double *said) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[bodies];
  nsds_interaction *ia[bodies * corners];
  double e[bodies * corners], mu[bodies * corners], u[bodies * corners][3];
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};
  int count = 0;
  for (int k = 0; k < bodies; ++k) {
    double v[6];
    for (int i = 0; i < 6; ++i) v[i] = random_in(seed, -0.8, 0.8) - 1.8 * (i == 2);
    const double q[7] = {3.0 * k, 0, 0, 1};
    ds[k] =
        nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0 + k, .inertia = J, .q0 = q, .v0 = v});
  }
  for (int k = 0; k < bodies; ++k)
    for (int i = 0; i < corners; ++i) {
      double n[3], c[3], length, offset = 0.0;
      for (int j = 0; j < 3; ++j) n[j] = random_in(seed, -0.2, 0.2) + (j == 2);
      for (int j = 0; j < 3; ++j) c[j] = random_in(seed, -0.5, 0.5);
      length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      for (int j = 0; j < 3; ++j) n[j] /= length;
      for (int j = 0; j < 3; ++j) offset += n[j] * (nsds_q(ds[k])[j] + c[j]);
      nsds_relation *wall = nsds_sphere_plane_relation(
          m, &(nsds_sphere_plane_relation_def){
                 .center = {c[0], c[1], c[2]}, .normal = {n[0], n[1], n[2]}, .offset = offset});
      e[count] = 1.0 - random_in(seed, 0.0, 0.2);
      mu[count] = random_in(seed, 0.0, 1.0);
      nsds_law *law =
          fremond ? nsds_fremond_impact_friction(
                        m, &(nsds_fremond_impact_friction_def){.mu = mu[count], .e_n = e[count]})
                  : nsds_newton_impact_friction(
                        m, &(nsds_newton_impact_friction_def){.mu = mu[count], .e_n = e[count]});
      ia[count] = nsds_connect(m, wall, law, 1, &ds[k]);
      ++count;
    }
  double before = kinetic(ds);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-9});
  assert_sound(m);
  for (int k = 0; k < count; ++k) {
    memcpy(u[k], nsds_ydot(ia[k]), sizeof u[k]);
    assert_true(u[k][0] < 0.0);
  }
  assert_ok(m, nsds_step(s));
  *said = 0.0;
  for (int k = 0; k < count; ++k) {
    const double *P = nsds_impulse(ia[k]), *after = nsds_ydot(ia[k]);
    double sliding = 0.0;
    for (int i = 1; i < 3; ++i) sliding = hypot(sliding, 0.5 * (u[k][i] + after[i]));
    *said += 0.5 * (1.0 - e[k]) * P[0] * u[k][0] - mu[k] * P[0] * sliding;
  }
  double gain = kinetic(ds) - before;
  if (fremond) assert_near(gain, *said, 1e-7 * before); /* what is lost is what the law says */
  nsds_model_destroy(m);
  return gain / before;
}

static void impacts_never_make_energy(void **state) {
  (void)state;
  double most[2] = {-1.0, -1.0};
  int made = 0;
  for (int law = 0; law < 2; ++law) {
    uint64_t seed = 4;
    for (int k = 0; k < 300; ++k) {
      double said, gain = collide(&seed, law, &said);
      most[law] = fmax(most[law], gain);
      made += law == 0 && gain > 1e-9;
      if (law == 1) assert_true(gain <= 0.0 && said <= 0.0);
    }
  }
  print_message("             Newton made energy in %d of 300, %.1f%% at most; Fremond %.1f%%\n",
                made, 100.0 * most[0], 100.0 * most[1]);
  assert_true(made > 0);
}

/* ---- contacts that last ---------------------------------------------------------------------- */

/* A block slides on the ground, or lies on a belt that takes it along: Coulomb's law as it is, and
 * no ringing when the slip has ended. */
static void a_contact_that_lasts(void **state) {
  (void)state;
  const double mu = 0.3, g = 9.81, v0 = 2.0, h = 1e-3;
  for (int belt = 0; belt < 2; ++belt)
    for (int events = 0; events < 2; ++events) {
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *ds =
          nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 2.0,
                                                          .inertia = 1e6,
                                                          .v0 = (const double[3]){belt ? 0.0 : v0},
                                                          .gravity = {0.0, -g}});
      nsds_relation *ground = nsds_sphere_plane_relation(
          m, &(nsds_sphere_plane_relation_def){.dimension = 2, .rows = 2, .normal = {0, 1}});
      nsds_law *law = nsds_fremond_impact_friction(
          m, &(nsds_fremond_impact_friction_def){
                 .dimension = 2, .mu = mu, .e_n = 0.5, .slip = {belt ? -v0 : 0.0}});
      nsds_connect(m, ground, law, 1, &ds);
      const double t1 = 1.0, stops = v0 / (mu * g);
      nsds_simulation *s =
          events ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = t1, .output_period = h})
                 : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = t1, .h = h});
      assert_sound(m);
      while (nsds_step(s) == NSDS_OK) {
        double t = fmin(nsds_time(s), stops), v = belt ? mu * g * t : v0 - mu * g * t;
        double allowed = nsds_time(s) > stops + h ? 1e-9 : mu * g * h;
        assert_near(nsds_v(ds)[0], v, events ? 1e-7 : allowed);
      }
      assert_sound(m);
      nsds_model_destroy(m);
    }
}

static void refused(void **state) {
  (void)state;
  const struct {
    nsds_fremond_impact_friction_def def;
    const char *word;
  } bad[] = {{{.mu = -0.1}, "mu is -0.1"},
             {{.e_n = 1.5}, "e_n is 1.5"},
             {{.dimension = 4}, "dimension is 4"},
             {{.dimension = 2, .slip = {0.0, 1.0}}, "slip[1] is 1"},
             {{.slip = {NAN}}, "slip[0]"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    assert_null(nsds_fremond_impact_friction(m, &bad[k].def));
    assert_words(nsds_error_message(nsds_model_context(m)), &bad[k].word, 1);
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_of_which_newton_makes_energy),
      cmocka_unit_test(impacts_never_make_energy),
      cmocka_unit_test(a_contact_that_lasts),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests_name("kernel.fremond", tests, NULL, NULL);
}
