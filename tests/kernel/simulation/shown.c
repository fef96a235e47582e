/*
 * All that is shown after a step that succeeds is finite: reactions, p, impulses and forces that
 * overflow while states do not refuse the step, in every scheme, in pieces and event-driven, and
 * leave the model as it was. An empty model has nothing to show.
 */
#include "support.h"

typedef enum scheme_kind {
  by_moreau_jean,
  by_schatzman_paoli,
  by_d1_minus,
  by_rattle,
  in_pieces,
  by_events,
  scheme_kinds
} scheme_kind;

static nsds_simulation *simulate(nsds_model *m, scheme_kind kind, double h) {
  nsds_time_stepping_def def = {.t1 = 100.0 * h, .h = h};
  if (kind == by_events)
    return nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 100.0 * h, .output_period = h});
  if (kind == in_pieces) def.max_halvings = 3;
  else if (kind == by_schatzman_paoli) def.second_order = nsds_schatzman_paoli(0.5);
  else if (kind == by_d1_minus) def.second_order = nsds_d1_minus();
  else if (kind == by_rattle) def.second_order = nsds_rattle();
  return nsds_time_stepping(m, &def);
}

static bool all_finite(const double *x, int n) {
  for (int k = 0; x && k < n; ++k)
    if (!isfinite(x[k])) return false;
  return true;
}

/* What a model shows. */
static bool shows_finite(nsds_ds *ds, const nsds_interaction *ia) {
  int n = 2, m = ia ? nsds_interaction_size(ia) : 0;
  return all_finite(nsds_q(ds), n) && all_finite(nsds_v(ds), n) && all_finite(nsds_p(ds), n) &&
         all_finite(nsds_prescribed_force(ds), n) &&
         (!ia || (all_finite(nsds_y(ia), m) && all_finite(nsds_ydot(ia), m) &&
                  (!nsds_impulse(ia) || all_finite(nsds_impulse(ia), m)) &&
                  all_finite(nsds_lambda(ia), m)));
}

/* Steps that succeed show what is finite; one that fails leaves what was there. Returns whether one
 * has been refused. */
static bool refused(nsds_model *m, nsds_simulation *s, nsds_ds *ds, const nsds_interaction *ia) {
  for (int k = 0; s && k < 5; ++k) {
    snapshot before = snapshot_take(m);
    nsds_status status = nsds_step(s);
    if (status < 0) snapshot_check(&before, m, "a step that overflowed");
    snapshot_free(&before);
    if (status < 0) return true;
    assert_true(shows_finite(ds, ia));
  }
  return false;
}

static int slowly(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  (void)user;
  out[0] = 0.3;
  return 0;
}

/* A velocity of 1e308 is prescribed to be 0.3 at once: the momentum is more than numbers hold. */
static void infinite_reaction(void **state) {
  (void)state;
  for (scheme_kind kind = 0; kind < scheme_kinds; ++kind) {
    nsds_model *m = nsds_model_create(NULL);
    const double M[4] = {3, 0.1, 0.1, 2}, v[2] = {1e308, 0};
    nsds_ds *ds =
        nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 2,
                                                                .mass = M,
                                                                .v0 = v,
                                                                .prescribed.n = 1,
                                                                .prescribed.index = (int[]){0},
                                                                .prescribed.fn = slowly});
    nsds_simulation *s = simulate(m, kind, 0.01);
    bool no = refused(m, s, ds, NULL);
    if (kind == by_moreau_jean) {
      assert_true(no);
      const char *const words[] = {"prescribed force[0]", "system #0", "not finite"};
      assert_words(nsds_error_message(nsds_model_context(m)), words, 3);
    }
    nsds_model_destroy(m);
  }
}

/* An impulse of 3e307 within 1e-4 s: the force is more than numbers hold. */
static void infinite_force(void **state) {
  (void)state;
  int refusals = 0;
  for (scheme_kind kind = 0; kind < scheme_kinds; ++kind)
    for (int rows = 1; rows <= 2; ++rows) {
      nsds_model *m = nsds_model_create(NULL);
      const double M[4] = {1e150, 0, 0, 1e150}, v[2] = {-3e157, -3e157}, H[4] = {1, 0, 0, 1};
      nsds_ds *ds =
          nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = M, .v0 = v});
      const double H1[2] = {1, 0};
      nsds_relation *gap = nsds_lagrangian_linear_relation(
          m, &(nsds_lagrangian_linear_relation_def){.ny = rows, .nq = 2, .H = rows == 1 ? H1 : H});
      nsds_interaction *ia = nsds_connect(m, gap, nsds_newton_impact(m, 0.0), 1, &ds);
      nsds_simulation *s = simulate(m, kind, 1e-4);
      assert_sound(m);
      refusals += refused(m, s, ds, ia);
      nsds_model_destroy(m);
    }
  assert_true(refusals >= 2);
}

static int give_up(const nsds_arguments *in, double *out, void *user) {
  (void)out;
  (void)user;
  return in->t > 0.5;
}

/* Nothing to sum over the pieces of a step, in which nothing is. */
static void empty_models(void **state) {
  (void)state;
  for (scheme_kind kind = 0; kind < scheme_kinds; ++kind) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_simulation *s = simulate(m, kind, 0.01);
    assert_sound(m);
    for (int k = 0; k < 10; ++k) assert_ok(m, nsds_step(s));
    nsds_model_destroy(m);
  }
}

/* Nor where it has only a set of contacts, whose search fails. */
static nsds_status fail_to_find(void *self, double t, nsds_contacts *contacts) {
  nsds_arguments in = {.t = t};
  (void)contacts;
  return give_up(&in, NULL, self) ? NSDS_ERROR_CALLBACK : NSDS_OK;
}

static void empty_model_in_pieces(void **state) {
  (void)state;
  static const nsds_geometry_ops ops = {.type = "nothing", .find = fail_to_find};
  nsds_model *m = nsds_model_create(NULL);
  nsds_custom_contact_set(
      m, &(nsds_custom_contact_set_def){.ops = &ops, .law = nsds_newton_impact(m, 0.0)});
  nsds_simulation *s = simulate(m, in_pieces, 0.25);
  for (int k = 0; k < 2; ++k) assert_ok(m, nsds_step(s));
  assert_true(nsds_step(s) < 0); /* contacts are looked for at its end */
  assert_near(nsds_time(s), 0.5, 0.0);
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(infinite_reaction),
      cmocka_unit_test(infinite_force),
      cmocka_unit_test(empty_models),
      cmocka_unit_test(empty_model_in_pieces),
  };
  return cmocka_run_group_tests_name("kernel.shown", tests, NULL, NULL);
}
