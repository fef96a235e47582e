/*
 * Contact against closed forms: a bouncing ball (times of impact, heights between impacts), a ball
 * on a contact that is a spring (parabolas and half periods of an oscillator), the collision of two
 * bodies. Instants of impact are seen with an error of at most a step, so the scheme has order 1
 * there; how an instant falls between two grid points is a matter of chance, hence the worst case
 * over many initial heights is what converges regularly.
 */
#include "scenes.h"
#include "support.h"

static const double g = 9.81;

/* ---- bouncing ball ---- */

enum { impacts = 3 };

typedef struct bounces {
  double time[impacts]; /* of each impact */
  double apex[impacts]; /* greatest height after it */
} bounces;

static bounces exact_bounces(double height, double e) {
  bounces b;
  double speed = sqrt(2.0 * g * height), t = speed / g;
  for (int k = 0; k < impacts; ++k) {
    b.time[k] = t;
    speed *= e;
    b.apex[k] = 0.5 * speed * speed / g;
    t += 2.0 * speed / g;
  }
  return b;
}

/* An impact lies in the middle of the step that carries an impulse. */
static bounces simulated_bounces(double height, double e, double h) {
  nsds_model *model = nsds_model_create(NULL);
  ball_scene scene = scene_bouncing_ball(model, 1.3, 0.0, height, e);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = h});
  assert_sound(model);
  bounces b = {0};
  int count = 0;
  while (count <= impacts) {
    assert_ok(model, nsds_step(simulation));
    double q = nsds_q(scene.ball)[0];
    if (nsds_impulse(scene.floor)[0] > 0.0) {
      if (count < impacts) b.time[count] = nsds_time(simulation) - 0.5 * h;
      ++count;
    } else if (count > 0 && count <= impacts && q > b.apex[count - 1]) {
      b.apex[count - 1] = q;
    }
  }
  nsds_model_destroy(model);
  return b;
}

static void bouncing_ball(void **state) {
  (void)state;
  enum { levels = 5, heights = 40 };
  const double e = 0.7, h0 = 0.008;
  double time[levels] = {0}, apex[levels] = {0};
  for (int level = 0; level < levels; ++level)
    for (int j = 0; j < heights; ++j) {
      double height = 1.0 + 0.01 * j, h = ldexp(h0, -level);
      bounces x = exact_bounces(height, e), s = simulated_bounces(height, e, h);
      for (int k = 0; k < impacts; ++k) {
        time[level] = worse(fabs(s.time[k] - x.time[k]), time[level]);
        apex[level] = worse(fabs(s.apex[k] - x.apex[k]), apex[level]);
      }
      /* the activation test y + (h/2) dy/dt <= 0 sees the first impact within a step */
      assert_near(s.time[0], x.time[0], h);
    }
  double time_order = log2(time[0] / time[levels - 1]) / (levels - 1);
  double apex_order = log2(apex[0] / apex[levels - 1]) / (levels - 1);
  print_message("             impact times: worst error %.1e ... %.1e, order %.3f; apex heights: "
                "%.1e ... %.1e, order %.3f\n",
                time[0], time[levels - 1], time_order, apex[0], apex[levels - 1], apex_order);
  assert_between(time_order, 0.9, 1.1);
  assert_between(apex_order, 0.9, 1.1);
  assert_between(time[levels - 1], 0.0, 4.0 * ldexp(h0, 1 - levels));
}

/* ---- a contact that is a spring of stiffness 1 / D: 0 <= y = q - c + D lambda, lambda >= 0 ----
 */

static const double mass = 1.3, c = 0.1, D = 1e-3, drop = 1.0;

static int spring_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] - c + D * in->lambda[0];
  return 0;
}

static int spring_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int spring_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = D;
  return 0;
}

/*
 * Period of a bounce: fall over drop - c, then x = q - c obeys m x'' = -m g - x / D with x = 0 and
 * x' = -s until x = 0 again, then a rise with speed s.
 */
static void exact_spring(double t, double *q, double *v) {
  double s = sqrt(2.0 * g * (drop - c)), fall = s / g;
  double w = sqrt(1.0 / (mass * D)), rest = -g / (w * w);
  double alpha = atan2(s / w, -rest); /* x = rest + A cos(w t + alpha), A = hypot(rest, s / w) */
  double contact = 2.0 * (3.14159265358979323846 - alpha) / w;
  t = fmod(t + fall, 2.0 * fall + contact); /* from the instant the ball leaves the spring */
  if (t < 2.0 * fall) {
    *q = c + s * t - 0.5 * g * t * t;
    *v = s - g * t;
    return;
  }
  t -= 2.0 * fall;
  double A = hypot(rest, s / w);
  *q = c + rest + A * cos(w * t + alpha);
  *v = -A * w * sin(w * t + alpha);
}

static double spring_error(double t1, double h, double *deepest) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){
          .name = "ball", .ndof = 1, .q0 = &drop, .mass = &mass, .fext = (double[]){-mass * g}});
  nsds_relation *gap = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.name = "spring",
                                             .ny = 1,
                                             .nq = 1,
                                             .output_fn = spring_h,
                                             .jac_output_q_fn = spring_q,
                                             .jac_output_lambda_fn = spring_lambda});
  nsds_interaction *contact = nsds_connect(model, gap, nsds_complementarity(model), 1, &ball);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = t1, .h = h});
  assert_sound(model);
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double x = nsds_q(ball)[0] - c, force = nsds_impulse(contact)[0] / h;
    /* the law holds at the end of every step: a spring that only pushes */
    assert_near(force, x < 0.0 ? -x / D : 0.0, 1e-9 * mass * g / D);
    assert_near(nsds_y(contact)[0], x < 0.0 ? 0.0 : x, 1e-12);
    if (x < *deepest) *deepest = x;
  }
  assert_status(model, status, NSDS_END);
  double q, v;
  exact_spring(t1, &q, &v);
  double error = hypot(nsds_q(ball)[0] - q, (nsds_v(ball)[0] - v) * sqrt(mass * D));
  nsds_model_destroy(model);
  return error;
}

static void ball_on_a_spring(void **state) {
  (void)state;
  double s = sqrt(2.0 * g * (drop - c)), q, v;
  exact_spring(0.0, &q, &v); /* the closed form starts at the top, at rest */
  assert_near(q, drop, 1e-12);
  assert_near(v, 0.0, 1e-12);
  exact_spring(s / g - 1e-9, &q, &v);
  assert_near(q, c, 1e-7);
  assert_near(v, -s, 1e-7);
  exact_spring(s / g + 1e-9, &q, &v); /* and is continuous where the ball meets the spring */
  assert_near(q, c, 1e-7);
  assert_near(v, -s, 1e-5);
  const double t1[] = {0.46, 1.1}; /* in the first contact, and after it */
  for (int k = 0; k < 2; ++k) {
    enum { levels = 6 };
    double e[levels], deepest = 0.0;
    for (int level = 0; level < levels; ++level)
      e[level] = spring_error(t1[k], ldexp(2e-4, -level), &deepest);
    double order = log2(e[0] / e[levels - 1]) / (levels - 1);
    print_message("             ball on a spring at t = %.2f: error %.1e ... %.1e, order %.3f\n",
                  t1[k], e[0], e[levels - 1], order);
    assert_between(order, 0.9, 2.5);
    assert_between(deepest, -1.05 * (g * mass * D + s * sqrt(mass * D)), -0.5 * g * mass * D);
  }
}

/* ---- two bodies: momentum and relative velocity give both velocities after the impact ---- */

static void collision_of_two(void **state) {
  (void)state;
  const double m1 = 2.0, m2 = 0.5, v1 = 3.0, v2 = -1.0;
  for (double e = 0.0; e <= 1.0; e += 0.25) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds[2];
    ds[0] = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1, .v0 = &v1, .mass = &m1});
    ds[1] = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = (double[]){0.4}, .v0 = &v2, .mass = &m2});
    nsds_relation *gap = nsds_lagrangian_linear_relation(
        model,
        &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
    nsds_interaction *contact = nsds_connect(model, gap, nsds_newton_impact(model, e), 2, ds);
    run(model, &(nsds_time_stepping_def){.t1 = 0.2, .h = 1e-3}, 0);
    double center = (m1 * v1 + m2 * v2) / (m1 + m2);
    double impulse = (1.0 + e) * (v1 - v2) * m1 * m2 / (m1 + m2);
    assert_near(nsds_v(ds[0])[0], center - e * (v1 - v2) * m2 / (m1 + m2), 1e-14);
    assert_near(nsds_v(ds[1])[0], center + e * (v1 - v2) * m1 / (m1 + m2), 1e-14);
    assert_near(m1 * (v1 - nsds_v(ds[0])[0]), impulse, 1e-13);
    assert_false(nsds_is_active(contact) && e > 0.0);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bouncing_ball),
      cmocka_unit_test(ball_on_a_spring),
      cmocka_unit_test(collision_of_two),
  };
  return cmocka_run_group_tests_name("kernel.closed_forms_contact", tests, NULL, NULL);
}
