/*
 * A run without end: three bodies are shaken in a pen for a very long time, a rope between two of them is
 * connected and removed again. Contacts come and go all the time. Memory stays flat, every time is
 * exactly t0 + k h, attitudes stay unit quaternions to rounding, and all is finite.
 *
 *     kernel_endurance            as many steps as a test can afford
 *     kernel_endurance --all      10^7 steps
 *
 * The solver allocates when more contacts meet than ever before, which becomes rare. The long run
 * allocates nothing in its second half. The short one may still meet new numbers of contacts, for
 * which the correction of overlap takes some kilobytes; a leak of two bytes per step would show.
 */
#include "support.h"
#include "interpose.h"

#include <float.h>
#include <stdio.h>

enum { bodies = 3, walls = 5, rope_steps = 37 };

static const double h = 1e-3, radius = 0.1, gravity = 9.81;
static long steps = test_long;
static bool all;

/* Shakes a body along three directions whose periods have no common multiple. */
static int shake(const nsds_arguments *in, double *f, void *user) {
  const double mass = *(const double *)user;
  f[0] = mass * 6.0 * sin(7.0 * in->t);
  f[1] = mass * 5.0 * sin(11.3 * in->t);
  f[2] = mass * (20.0 * sin(17.9 * in->t) - gravity);
  return 0;
}

typedef struct pen {
  nsds_model *model;
  nsds_simulation *simulation;
  nsds_ds *body[bodies];
  nsds_contact_set *set;
  nsds_law *tight;
  nsds_relation *rope;
  nsds_interaction *tied; /* NULL: the rope is away */
} pen;

static pen pen_build(nsds_context *context) {
  static double mass[bodies] = {0.5, 0.7, 1.1};
  const nsds_plane wall[walls] = {{{0, 0, 1}, 0.0},
                                  {{1, 0, 0}, -0.3},
                                  {{-1, 0, 0}, -0.3},
                                  {{0, 1, 0}, -0.3},
                                  {{0, -1, 0}, -0.3}};
  pen p = {.model = nsds_model_create(context)};
  for (int k = 0; k < bodies; ++k) {
    double J[9] = {[0] = 1e-3 * (k + 1), [4] = 1.2e-3 * (k + 1), [8] = 1.5e-3 * (k + 1)};
    p.body[k] = nsds_rigid_body(
        p.model, &(nsds_rigid_body_def){.mass = mass[k],
                                        .inertia = J,
                                        .q0 = (double[]){0.21 * (k - 1), 0.05 * k, 0.3, 1, 0, 0, 0},
                                        .v0 = (double[]){0, 0, 0, 1.0 + k, -2.0, 3.0},
                                        .force.fn = shake,
                                        .force.jac_q_fn = nsds_zero,
                                        .force.jac_v_fn = nsds_zero,
                                        .user = &mass[k]});
  }
  nsds_law *friction = nsds_newton_impact_friction(
      p.model, &(nsds_newton_impact_friction_def){.mu = 0.4, .e_n = 0.3});
  p.set = nsds_spheres(p.model, &(nsds_spheres_def){.law = friction,
                                                    .count = bodies,
                                                    .ds = p.body,
                                                    .radius = radius,
                                                    .nplane = walls,
                                                    .plane = wall,
                                                    .reach = 0.05});
  p.tight = nsds_newton_impact(p.model, 0.2);
  p.rope = nsds_joint(p.model, &(nsds_joint_def){.kind = NSDS_JOINT_ROPE,
                                                 .ds = {p.body[0], p.body[1]},
                                                 .point = {-0.21, 0.0, 0.35},
                                                 .other = {0.0, 0.05, 0.35},
                                                 .length = 0.3});
  p.simulation =
      nsds_time_stepping(p.model, &(nsds_time_stepping_def){.t0 = 2.0, .t1 = 1e9, .h = h});
  assert_sound(p.model);
  return p;
}

static void pen_change(pen *p) {
  if (p->tied) {
    assert_ok(p->model, nsds_disconnect(p->tied));
    p->tied = NULL;
  } else {
    p->tied = nsds_connect(p->model, p->rope, p->tight, 2, p->body);
    assert_sound(p->model);
  }
}

/* The largest | |p| - 1 | of all bodies; NaN where a state is not finite. */
static double pen_off_unit(const pen *p) {
  double off = 0.0;
  for (int k = 0; k < bodies; ++k) {
    const double *q = nsds_q(p->body[k]), *v = nsds_v(p->body[k]);
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += v[i] * 0.0;
    sum += (q[0] + q[1] + q[2]) * 0.0;
    for (int i = 3; i < 7; ++i) sum += q[i] * q[i];
    off = worse(off, fabs(sqrt(sum) - 1.0));
  }
  return off;
}

static void a_run_without_end(void **state) {
  (void)state;
  meter m = {0};
  nsds_context *context = meter_context(&m);
  pen p = pen_build(context);
  long changes = 0, most = 0, warm = steps / 2, calls = 0;
  int count = -1;
  double off = 0.0;
  size_t bytes = 0;
  arm();
  for (long k = 0; k < steps; ++k) {
    if (k == warm) {
      bytes = m.bytes;
      calls = disarm();
      arm();
    }
    if (k % rope_steps == 0) pen_change(&p);
    assert_ok(p.model, nsds_step(p.simulation));
    if (nsds_time(p.simulation) != 2.0 + (double)(k + 1) * h) fail_msg("time after %ld steps", k);
    off = worse(off, pen_off_unit(&p));
    int now = nsds_contact_set_count(p.set);
    changes += now != count;
    most = now > most ? now : most;
    count = now;
  }
  long later = disarm();
  printf("endurance: %ld steps, contacts changed in %ld, at most %ld; memory %zu bytes half way, "
         "%zu at the "
         "end, %ld and %ld calls of malloc; largest | |p| - 1 | %.2g\n",
         steps, changes, most, bytes, m.bytes, calls, later, off);
  assert_true(changes > steps / 100);
  assert_true(off <= 4.0 * DBL_EPSILON);
  if (all) {
    assert_int_equal(m.bytes, bytes);
    assert_int_equal(later, 0);
  } else {
    const long once = 32768; /* a new largest number of contacts doubles an array */
    assert_true(m.bytes < bytes + (size_t)(steps > once ? steps : once));
  }
  nsds_model_destroy(p.model);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

int main(int argc, char **argv) {
  all = argc > 1 && strcmp(argv[1], "--all") == 0;
  if (all) steps = 10000000;
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_without_end)};
  return cmocka_run_group_tests_name("kernel.endurance", tests, NULL, NULL);
}
