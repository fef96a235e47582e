/*
 * Cones, cylinders and ellipsoids that fall on a half space under nonsmooth RATTLE, without friction.
 * When a rim comes to lie flat, its lowest point runs around it within a step. Energy must not grow, and
 * nothing may sink in.
 */
#include "support.h"

static const double g = 9.81;

static nsds_shape_def drawn_shape(uint64_t *draw) {
  static const nsds_shape_kind kinds[] = {NSDS_CYLINDER, NSDS_CONE, NSDS_ELLIPSOID};
  nsds_shape_def shape = {.kind = kinds[(int)random_in(draw, 0.0, 2.999)]};
  for (int k = 0; k < 3; ++k) shape.half[k] = random_in(draw, 0.15, 0.5);
  shape.radius = shape.kind == NSDS_ELLIPSOID ? 0.0 : random_in(draw, 0.15, 0.5);
  if (shape.kind == NSDS_CONE) shape.top_radius = random_in(draw, 0.0, 0.4);
  return shape;
}

/* Returns the largest rise of energy in a step, relative to the energy at the start. */
static double largest_rise(long seed) {
  uint64_t draw = (uint64_t)seed;
  nsds_model *model = nsds_model_create(NULL);
  nsds_shape_def shape[2] = {drawn_shape(&draw),
                             {.kind = NSDS_HALF_SPACE, .plane.normal = {0.0, 0.0, 1.0}}};
  double J[9] = {0.0}, q0[7] = {0.0, 0.0, random_in(&draw, 0.9, 1.3)}, v0[6], size = 0.0;
  double mass = random_in(&draw, 0.5, 3.0), e = random_in(&draw, -0.5, 0.9);
  J[0] = J[4] = random_in(&draw, 0.04, 0.2);
  J[8] = random_in(&draw, 0.2, 1.9) * J[0];
  for (int k = 3; k < 7; ++k) q0[k] = random_in(&draw, -1.0, 1.0);
  for (int k = 3; k < 7; ++k) size += q0[k] * q0[k];
  for (int k = 3; k < 7; ++k) q0[k] /= sqrt(size);
  for (int k = 0; k < 6; ++k) v0[k] = random_in(&draw, -2.0, 2.0);
  nsds_ds *ds = nsds_rigid_body(
      model, &(nsds_rigid_body_def){
                 .mass = mass, .inertia = J, .q0 = q0, .v0 = v0, .gravity = {0.0, 0.0, -g}});
  shape[0].ds = ds;
  nsds_contact_set *set = nsds_shapes(
      model, &(nsds_shapes_def){
                 .law = nsds_newton_impact(model, fmax(e, 0.0)), .nshape = 2, .shape = shape});
  assert_sound(model);
  nsds_simulation *sim = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 2.5, .h = 2e-3, .second_order = nsds_rattle()});
  double rise = 0.0, first = 0.0, last = INFINITY;
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) {
    const double *v = nsds_v(ds);
    double energy = mass * g * nsds_q(ds)[2];
    for (int k = 0; k < 3; ++k)
      energy += 0.5 * (mass * v[k] * v[k] + J[4 * k] * v[3 + k] * v[3 + k]);
    if (isinf(last)) first = energy;
    rise = fmax(rise, (energy - last) / first);
    last = energy;
    nsds_shape_gap gap;
    if (nsds_time(sim) > 0.0 && nsds_shapes_gap(set, 0, 1, &gap) == NSDS_OK)
      assert_true(gap.distance > -1e-8);
    status = nsds_step(sim);
  }
  assert_status(model, status, NSDS_END);
  nsds_model_destroy(model);
  return rise;
}

/* A cone that came to its rim took 8,700 J from nowhere in one step. */
static void rims_that_fall_flat_bring_no_energy(void **state) {
  (void)state;
  for (long seed = 1; seed <= 150; ++seed) {
    double rise = largest_rise(seed);
    if (!(rise < 0.05)) fail_msg("seed %ld: energy grows by %g of itself in a step", seed, rise);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rims_that_fall_flat_bring_no_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
