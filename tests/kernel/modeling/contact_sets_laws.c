/*
 * Contact sets under laws of all kinds: as interactions under the same law, and friction.
 */
#include "found.h"

static const double g = 9.81;

static nsds_ds *body(nsds_model *model, double mass, double q, double v) {
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .q0 = &q, .v0 = &v, .mass = &mass, .fext = (double[]){-g * mass}});
}

static nsds_law *impact(nsds_model *m) { return nsds_newton_impact(m, 0.4); }
static nsds_law *bounded(nsds_model *m) {
  return nsds_relay(m, 1, (double[]){0.0}, (double[]){12.0});
}
static nsds_law *soft(nsds_model *m) {
  return nsds_saturation(m, 1, (double[]){-1.0}, (double[]){15.0}, 30.0);
}

static int mass(const nsds_arguments *in, double *M, void *user) {
  (void)user;
  M[0] = 1.0 + 0.3 * sin(in->q[0]);
  return 0;
}

/* Under each law the same as an interaction; also when h changes, and with a system whose mass is
 * not constant. */
static void laws_as_of_interactions(void **state) {
  (void)state;
  nsds_law *(*const laws[])(nsds_model *) = {impact, bounded, soft, nsds_equality,
                                             nsds_complementarity};
  for (size_t l = 0; l < sizeof laws / sizeof *laws; ++l) {
    nsds_model *model[2];
    nsds_ds *ds[2][2];
    nsds_simulation *s[2];
    nsds_interaction *contact[2];
    found f;
    for (int k = 0; k < 2; ++k) {
      model[k] = nsds_model_create(NULL);
      ds[k][0] = body(model[k], 1.0, 0.01, -0.5);
      ds[k][1] = nsds_lagrangian(
          model[k], &(nsds_lagrangian_def){
                        .ndof = 1, .q0 = (double[]){0.2}, .v0 = (double[]){-0.5}, .mass_fn = mass});
      nsds_law *law = laws[l](model[k]);
      if (k == 0) found_create(&f, model[k], NULL, law, 1);
      for (int j = 0; j < 2; ++j) {
        const double shift = j ? -0.15 : 0.0;
        if (k == 0) found_add(&f, ds[k][j], NULL, (double[]){1.0}, shift);
        else
          contact[j] = nsds_connect(model[k],
                                    nsds_lagrangian_linear_relation(
                                        model[k],
                                        &(nsds_lagrangian_linear_relation_def){
                                            .ny = 1, .nq = 1, .H = (double[]){1.0}, .b = &shift}),
                                    law, 1, &ds[k][j]);
      }
      s[k] = nsds_time_stepping(
          model[k], &(nsds_time_stepping_def){.t1 = 10.0,
                                              .h = 1e-3,
                                              .second_order = nsds_moreau_jean(0.6, 1.0),
                                              .overlap_sweeps = NSDS_OVERLAP_STAYS});
      assert_sound(model[k]);
    }
    double total = 0.0;
    for (int step = 0; step < 600; ++step) {
      for (int k = 0; k < 2 && step % 200 == 150; ++k)
        assert_ok(model[k], nsds_simulation_set_h(s[k], step < 200 ? 5e-4 : 2e-3));
      for (int k = 0; k < 2; ++k) assert_ok(model[k], nsds_step(s[k]));
      for (int j = 0; j < 2; ++j) {
        nsds_contact_info info;
        assert_true(found_get(f.set, (uint64_t)j, &info));
        assert_near(*nsds_v(ds[0][j]), *nsds_v(ds[1][j]), 1e-10);
        assert_near(*nsds_q(ds[0][j]), *nsds_q(ds[1][j]), 1e-10);
        assert_near(*info.impulse, *nsds_impulse(contact[j]), 1e-10);
        assert_near(*info.force, *nsds_lambda(contact[j]), 1e-7);
        total += fabs(*info.impulse);
      }
    }
    assert_true(total > 0.1);
    for (int k = 0; k < 2; ++k) nsds_model_destroy(model[k]);
  }
}

static const double mu = 0.3;

static void coulomb_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_COULOMB;
  block->mu = mu;
}

static bool gap_closed(void *self, const double *y, const double *ydot, double tau, double slack) {
  (void)self;
  return y[0] + tau * ydot[0] <= slack;
}

static const nsds_law_ops coulomb = {
    .type = "coulomb", .block = coulomb_block, .active = gap_closed};

/* A block on rough ground slides v^2 / (2 mu g) and stays there. The last step of sliding, of which
 * it moves through `part`, is taken whole. */
static void sliding_to_rest(void **state) {
  (void)state;
  const double kg = 2.0, v0 = 1.0, slid = v0 / (mu * g), H[] = {0.0, 1.0, 1.0, 0.0};
  for (int halvings = 0; halvings < 4; ++halvings) {
    const double h = ldexp(0.01, -halvings), part = slid / h - floor(slid / h);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){.ndof = 2,
                                         .q0 = (double[]){0.3, -0x1p-20},
                                         .v0 = (double[]){v0, 0.0},
                                         .mass = (double[]){kg, 0.0, 0.0, kg},
                                         .fext = (double[]){0.0, -kg * g}});
    found f;
    found_create(&f, m, NULL,
                 nsds_custom_law(m, &(nsds_custom_law_def){.ops = &coulomb, .size = 2, .ngap = 1}),
                 2);
    found_add(&f, ds, NULL, H, 0.0)->shift[1] = NAN; /* has no gap and is not read */
    nsds_simulation *s =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .tolerance = 1e-13});
    assert_sound(m);
    nsds_status status;
    while ((status = nsds_step(s)) == NSDS_OK) {
      nsds_contact_info info;
      double t = nsds_time(s);
      assert_true(found_get(f.set, 0, &info));
      assert_near(info.force[0], kg * g, 1e-8);
      assert_near(info.ydot[1], nsds_v(ds)[0], 1e-15);
      if (t < slid) assert_near(info.force[1], -mu * kg * g, 1e-8);
      if (t > slid + h) assert_near(info.force[1], 0.0, 1e-8);
    }
    assert_status(m, status, NSDS_END);
    double distance = v0 * slid / 2.0 + 0.5 * mu * g * h * h * part * (1.0 - part);
    assert_near(nsds_q(ds)[0] - 0.3, distance, 1e-9);
    nsds_model_destroy(m);
  }
}

/* Three masses fall onto the ground, each contact with a restitution of its own, which changes
 * while they are in the air: v(+) = -e v(-). Laws of another set, size or model are refused, and
 * nothing is lost. */
static void laws_of_single_contacts(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL), *other = nsds_model_create(NULL);
  nsds_law *law[4];
  for (int k = 0; k < 4; ++k) law[k] = nsds_newton_impact(m, 0.25 * k);
  found f;
  found_create(&f, m, NULL, law[3], 1);
  nsds_ds *ds[3];
  for (int k = 0; k < 3; ++k) {
    ds[k] = body(m, 1.0 + k, 0.01, -0.5);
    found_add(&f, ds[k], NULL, (double[]){1.0}, -0.01)->law = k < 2 ? law[k] : NULL;
  }
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-6});
  assert_ok(m, nsds_step(s));
  const double first[] = {0.0, 0.25, 0.75}, then[] = {0.5, 0.0, 0.25};
  for (int k = 0; k < 3; ++k) assert_near(nsds_v(ds[k])[0], 0.5 * first[k], 1e-9);
  for (int k = 0; k < 3; ++k) {
    nsds_set_state(ds[k], (double[]){0.01}, (double[]){-0.5});
    f.item[k].law = law[(k + 2) % 3];
  }
  assert_ok(m, nsds_step(s));
  for (int k = 0; k < 3; ++k) assert_near(nsds_v(ds[k])[0], 0.5 * then[k], 1e-9);
  nsds_law *const wrong[] = {
      nsds_equality(m), nsds_newton_impact(other, 0.0),
      nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.1})};
  for (int k = 0; k < 3; ++k) {
    double t = nsds_time(s), v = nsds_v(ds[0])[0];
    f.item[0].law = wrong[k];
    assert_status(m, nsds_step(s), NSDS_ERROR_ARGUMENT);
    assert_words(nsds_error_message(nsds_model_context(m)),
                 (const char *[]){"valid are laws of the same model"}, 1);
    nsds_error_clear(nsds_model_context(m));
    assert_near(nsds_time(s), t, 0.0);
    assert_near(nsds_v(ds[0])[0], v, 0.0);
  }
  f.item[0].law = NULL;
  assert_ok(m, nsds_step(s));
  nsds_model_destroy(m);
  nsds_model_destroy(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_of_single_contacts),
      cmocka_unit_test(laws_as_of_interactions),
      cmocka_unit_test(sliding_to_rest),
  };
  return cmocka_run_group_tests_name("kernel.contact_sets_laws", tests, NULL, NULL);
}
