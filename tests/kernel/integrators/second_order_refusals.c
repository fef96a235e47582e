/*
 * What Schatzman-Paoli and D1-minus have no equations for is refused by name, at the start and when
 * it comes later.
 */
#include "scenes.h"
#include "support.h"
#include "static_schemes.h"

static nsds_time_stepping_def with(nsds_scheme_kind scheme, double h, double t1) {
  return (nsds_time_stepping_def){
      .t1 = t1, .h = h, .second_order = scheme_of(scheme, 0.5, 1.0), .tolerance = 1e-12};
}

/* ---- what is refused ----------------------------------------------------------------------------
 */

static int some(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->t;
  return 0;
}

static int square(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] * in->q[0];
  return 0;
}

static int twice(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * in->q[0];
  return 0;
}

typedef enum fault {
  fault_first_order,
  fault_nonlinear,
  fault_prescribed,
  fault_integrator,
  fault_relation,
  fault_damper,
  fault_friction,
  fault_projection,
  fault_scheme,
  fault_set,
  fault_count
} fault;

static void spoil(nsds_model *model, fault what, nsds_time_stepping_def *def) {
  static const double one[] = {1.0, 0.0, 0.0, 1.0};
  static const double ball[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, 1.0, 0.5);
  nsds_law *law = nsds_newton_impact(model, 0.5);
  nsds_lagrangian_linear_relation_def gap = {.ny = 1, .nq = 1, .H = one};
  if (what == fault_first_order)
    nsds_first_order_linear(model,
                            &(nsds_first_order_linear_def){.name = "tank", .n = 1, .A = one});
  if (what == fault_nonlinear)
    nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "swing", .ndof = 1, .mass = one});
  if (what == fault_prescribed)
    nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "table",
                                                                .ndof = 1,
                                                                .mass = one,
                                                                .prescribed.n = 1,
                                                                .prescribed.index = (int[]){0},
                                                                .prescribed.fn = some});
  if (what == fault_integrator)
    nsds_ds_set_integrator(scene.ball, nsds_integrator_named("Moreau-Jean"));
  if (what == fault_relation)
    nsds_connect(model,
                 nsds_lagrangian_relation(
                     model,
                     &(nsds_lagrangian_relation_def){
                         .ny = 1, .nq = 1, .output_fn = square, .jac_output_q_fn = twice}),
                 law, 1, &scene.ball);
  gap.D = what == fault_damper ? one : NULL;
  if (gap.D) nsds_connect(model, nsds_lagrangian_linear_relation(model, &gap), law, 1, &scene.ball);
  gap.ny = gap.nq = 2;
  nsds_ds *plane =
      what == fault_friction
          ? nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = one})
          : NULL;
  if (plane)
    nsds_connect(model, nsds_lagrangian_linear_relation(model, &gap),
                 nsds_newton_impact_friction(
                     model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.3}),
                 1, &plane);
  nsds_ds *body[2];
  for (int j = 0; what == fault_set && j < 2; ++j)
    body[j] = nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0, .inertia = ball});
  if (what == fault_set)
    nsds_spheres(model, &(nsds_spheres_def){
                            .name = "heap", .law = law, .count = 2, .ds = body, .radius = 1.0});
  if (what == fault_projection) def->projection.kind = NSDS_PROJECTION_DIRECT;
  if (what == fault_scheme) def->second_order.kind = (nsds_scheme_kind)17;
}

static void refusals(void **state) {
  static const char *const words[fault_count][2] = {{"tank", "first order"},
                                                    {"swing", "not linear"},
                                                    {"table", "prescribed"},
                                                    {"ball", "integrator of its own"},
                                                    {"#1", "not affine"},
                                                    {"#1", "part in lambda"},
                                                    {"#1", "more than one row"},
                                                    {"projection", "nsds_moreau_jean()"},
                                                    {"second_order has the kind 17", NULL},
                                                    {"heap", "contact sets"}};
  const nsds_scheme_kind scheme = *(const nsds_scheme_kind *)*state;
  for (int f = 0; f < fault_count; ++f) {
    if (f == fault_set && scheme == NSDS_SCHATZMAN_PAOLI) continue; /* its bodies are not linear */
    if (f == fault_nonlinear && scheme == NSDS_D1_MINUS) continue;  /* it has forces and no more */
    nsds_model *model = nsds_model_create(NULL);
    nsds_time_stepping_def def = with(scheme, 1e-3, 1.0);
    spoil(model, (fault)f, &def);
    assert_sound(model);
    assert_null(nsds_time_stepping(model, &def));
    const char *message = nsds_error_message(nsds_model_context(model));
    if (f != fault_scheme)
      assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_UNSUPPORTED);
    assert_words(message, words[f], 2);
    nsds_model_destroy(model);
  }
}

/* What is connected to a simulation under way is refused at the next step, which changes nothing,
 * and taken away again lets it go on. */
static void refused_under_way(void **state) {
  const nsds_scheme_kind scheme = *(const nsds_scheme_kind *)*state;
  nsds_model *model = nsds_model_create(NULL);
  ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, 1.0, 0.5);
  nsds_time_stepping_def def = with(scheme, 1e-3, 1.0);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  assert_ok(model, nsds_step(s));
  nsds_relation *parabola = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 1, .output_fn = square, .jac_output_q_fn = twice});
  nsds_interaction *ia =
      nsds_connect(model, parabola, nsds_newton_impact(model, 0.5), 1, &scene.ball);
  double q = nsds_q(scene.ball)[0];
  assert_status(model, nsds_step(s), NSDS_ERROR_UNSUPPORTED);
  assert_near(nsds_q(scene.ball)[0], q, 0.0);
  nsds_error_clear(nsds_model_context(model));
  nsds_disconnect(ia);
  assert_ok(model, nsds_step(s));
  assert_true(nsds_q(scene.ball)[0] < q);
  nsds_model_destroy(model);
}

#define NSDS_OF(scheme, test)                                                                      \
  { #test " of " #scheme, test, NULL, NULL, (void *)(uintptr_t)&scheme }

static const nsds_scheme_kind positions = NSDS_SCHATZMAN_PAOLI, half = NSDS_D1_MINUS;

int main(void) {
  const struct CMUnitTest tests[] = {
      NSDS_OF(positions, refusals),
      NSDS_OF(half, refusals),
      NSDS_OF(positions, refused_under_way),
      NSDS_OF(half, refused_under_way),
  };
  return cmocka_run_group_tests_name("kernel.second_order_refusals", tests, NULL, NULL);
}
