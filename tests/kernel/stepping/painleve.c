/*
 * Painleve's rod: a rod slides on its lower end, leaning so that friction presses the end into the
 * ground. With s, c sine and cosine of its angle and J = m l^2 / 3 the normal acceleration of the
 * end is that of a smooth motion plus N (1 + 3 c (c - mu s)) / m: where the bracket is negative,
 * the classical equations have no smooth solution or two. In time stepping with e = 0 every step
 * has an impulse, and one that obeys the law: certified, in the cone, with no energy from nowhere.
 */
#include "support.h"

static const double g = 9.81, kg = 1.0, l = 0.5, h = 1e-3;

typedef struct rod {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *end;
  nsds_simulation *simulation;
} rod;

/* Leaning by `angle` from the ground, its lower end at the left, sliding to the right with v. */
static rod lean(double angle, double mu, double v) {
  rod r = {.model = nsds_model_create(NULL)};
  const double q[3] = {0.0, l * sin(angle) - 1e-9, angle}, twist[3] = {v, 0.0, 0.0};
  r.ds = nsds_rigid_body_2d(
      r.model,
      &(nsds_rigid_body_2d_def){
          .mass = kg, .inertia = kg * l * l / 3.0, .q0 = q, .v0 = twist, .gravity = {0.0, -g}});
  nsds_relation *relation = nsds_sphere_plane_relation(
      r.model,
      &(nsds_sphere_plane_relation_def){.dimension = 2, .center = {-l, 0}, .normal = {0, 1}});
  nsds_law *law = nsds_newton_impact_friction(
      r.model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = mu});
  r.end = nsds_connect(r.model, relation, law, 1, &r.ds);
  r.simulation = nsds_time_stepping(r.model, &(nsds_time_stepping_def){.t1 = 0.2, .h = h});
  assert_sound(r.model);
  return r;
}

static double energy(const rod *r) {
  return nsds_kinetic_energy(r->ds) + kg * g * nsds_q(r->ds)[1];
}

/* Follows the rod until it is flat; returns the largest impulse. Energy may grow by h g P_N / 2 in
 * a step, what the weight of the step does between the velocities of the law and of the start. */
static double follow(rod *r, double mu) {
  double before = energy(r), largest = 0.0;
  nsds_status status = NSDS_OK;
  while (fabs(sin(nsds_q(r->ds)[2])) > 0.1 && (status = nsds_step(r->simulation)) == NSDS_OK) {
    const double *P = nsds_impulse(r->end), *u = nsds_ydot(r->end);
    double now = energy(r);
    assert_between(P[0], -1e-9, INFINITY);
    assert_between(fabs(P[1]), 0.0, mu * P[0] + 1e-8);
    if (P[0] > 1e-6) assert_between(P[1] * u[1], -INFINITY, 1e-6); /* friction brakes */
    assert_between(nsds_y(r->end)[0], -1e-3, INFINITY);
    assert_between(now - before, -INFINITY, 0.5 * h * g * P[0] + 1e-7);
    before = now;
    largest = fmax(largest, P[0]);
  }
  if (status != NSDS_END) assert_ok(r->model, status);
  return largest;
}

static void rods_lean_in_every_way(void **state) {
  (void)state;
  int paradoxical = 0, jammed = 0;
  for (double mu = 0.5; mu < 4.0; mu += 0.5)
    for (double angle = 0.3; angle < 1.5; angle += 0.1)
      for (double v = -3.0; v <= 3.0; v += 1.5) {
        /* the end at the left slides to the left: friction turns it down */
        double bracket = 1.0 + 3.0 * cos(angle) * (cos(angle) - mu * sin(angle) * (v < 0.0));
        rod r = lean(angle, mu, v);
        double largest = follow(&r, mu);
        paradoxical += bracket < 0.0;
        jammed += bracket < 0.0 && largest > 100.0 * kg * g * h; /* an impact without collision */
        nsds_model_destroy(r.model);
      }
  print_message("             %d of the starts are paradoxical, %d jam\n", paradoxical, jammed);
  assert_true(paradoxical > 20 && jammed > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rods_lean_in_every_way)};
  return cmocka_run_group_tests_name("kernel.painleve", tests, NULL, NULL);
}
