/*
 * Scenes of linkages against their closed forms: a four-bar linkage by closure of its loop, a chain
 * hung at both ends by the polygon that balances.
 */
#include "support.h"

#include "linkages.h"

/* Two turns: the largest distances of coupler point and hinges from where they should be, and the
 * largest difference of the moment from that of the energy over a step. */
typedef struct course {
  double point, hinges, moment;
} course;

static course turn(double h, nsds_projection_kind projection) {
  static four_bar_scene scene;
  nsds_model *m = nsds_model_create(NULL);
  scene_four_bar(m, &scene);
  double t1 = 4.0 * 3.14159265358979323846 / scene.rate;
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = t1, .h = h, .projection = {.kind = projection, .tolerance = 1e-12}});
  assert_sound(m);
  course c = {0};
  for (double last = 0.0; nsds_step(s) == NSDS_OK; last = nsds_time(s)) {
    double t = nsds_time(s), step = t - last;
    const four_bar_state is = scene_four_bar_state(&scene), exact = scene_four_bar_exact(&scene, t);
    const four_bar_state before = scene_four_bar_exact(&scene, last);
    double moment = nsds_prescribed_force(scene.body[four_bar_crank])[2];
    for (int i = 0; i < 2; ++i) {
      c.point = worse(c.point, fabs(is.point[i] - exact.point[i]));
      for (int k = 0; k < 4; ++k) c.hinges = worse(c.hinges, fabs(nsds_y(scene.hinge[k])[i]));
    }
    if (step > 0.5 * h) /* the last one is what is left of the turn */
      c.moment =
          worse(c.moment, fabs(moment - (exact.energy - before.energy) / (step * scene.rate)));
  }
  assert_sound(m);
  nsds_model_destroy(m);
  return c;
}

static void a_four_bar_linkage(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; ++kind) {
    nsds_projection_kind projection = kind ? NSDS_PROJECTION_DIRECT : NSDS_PROJECTION_NONE;
    course coarse = turn(4e-4, projection), fine = turn(2e-4, projection);
    print_message("             %s: point %.1e m (order %.2f), hinges %.1e m, moment %.1e N m "
                  "(order %.2f)\n",
                  kind ? "projected" : "as it is ", fine.point, order_of(coarse.point, fine.point),
                  fine.hinges, fine.moment, order_of(coarse.moment, fine.moment));
    assert_near(order_of(coarse.moment, fine.moment), 1.0, 0.1); /* H at the end of the step */
    assert_between(fine.moment, 0.0, 0.01);                      /* of 1.8 N m */
    if (kind) {
      assert_between(fine.hinges, 0.0, 1e-12);
      assert_between(fine.point, 0.0, 2e-11);
    } else {
      assert_between(fine.hinges, 1e-10, 1e-6);
      assert_near(order_of(coarse.point, fine.point), 2.0, 0.1);
    }
  }
}

/* From two straight halves to rest, where every joint has the force of the polygon. */
static void a_chain_between_two_hooks(void **state) {
  (void)state;
  static hanging_scene chain;
  static double exact[chain_most + 1][2];
  static const struct {
    int links;
    double span;
  } trial[] = {{2, 1.0}, {12, 0.4}, {12, 1.9}, {24, 1.2}};
  for (size_t n = 0; n < sizeof trial / sizeof *trial; ++n) {
    nsds_model *m = nsds_model_create(NULL);
    scene_hanging_chain(m, &chain, trial[n].links, trial[n].span);
    run(m,
        &(nsds_time_stepping_def){
            .t1 = 20.0,
            .h = 4e-3,
            .projection = {.kind = NSDS_PROJECTION_DIRECT, .tolerance = 1e-12}},
        0);
    double H = scene_hanging_exact(&chain, exact), weight = chain.mass * 9.81, force = 0.0,
           place = 0.0;
    for (int k = 0; k <= chain.links; ++k) {
      double side = k < chain.links ? 1.0 : -1.0, x[3];
      const double *F = nsds_lambda(chain.joint[k]);
      const double polygon[] = {-side * H, 0.0, side * (0.5 * chain.links - k) * weight};
      scene_hanging_joint(&chain, k, x);
      for (int i = 0; i < 3; ++i) {
        force = worse(force, fabs(F[i] - polygon[i]));
        place = worse(place, fabs(x[i] - (i == 1 ? 0.0 : exact[k][i / 2])));
      }
    }
    print_message("             %d links over %g m: H = %.6f N, forces off by %.1e N, joints by "
                  "%.1e m\n",
                  chain.links, chain.span, H, force, place);
    assert_between(force, 0.0, 1e-8 * (H + chain.links * weight));
    assert_between(place, 0.0, 1e-8);
    nsds_model_destroy(m);
  }
}

/* Steps had no solution, as rows that follow from the others contradict them at the iterate. Joints
 * that say everything once make the same steps. */
static void a_ring_of_parallel_hinges(void **state) {
  (void)state;
  const double tolerance[] = {1e-4, 1e-7, 1e-4, 1e-5}; /* rows that are left out differ */
  double first[7];
  for (int projected = 0; projected < 4; ++projected) { /* 2, 3: in joint coordinates */
    double q[2][7];
    for (int once = 0; once < 2; ++once) {
      nsds_model *m = nsds_model_create(NULL);
      ring_scene ring;
      scene_ring_of_bars(m, &ring, once);
      nsds_projection_kind kind = projected & 1 ? NSDS_PROJECTION_DIRECT : NSDS_PROJECTION_NONE;
      nsds_coordinates coordinates =
          projected & 2 ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL;
      run(m,
          &(nsds_time_stepping_def){
              .t1 = 10.0,
              .h = 5e-3,
              .projection = {.kind = kind, .tolerance = projected & 2 ? 1e-12 : 1e-10},
              .coordinates = coordinates},
          0);
      memcpy(q[once], nsds_q(ring.bar[0]), sizeof q[once]);
      for (int k = 0; projected & 1 && k < ring_bars; ++k)
        for (int i = 0; i < nsds_interaction_size(ring.joint[k]); ++i)
          assert_near(nsds_y(ring.joint[k])[i], 0.0, projected & 2 ? 1e-12 : 1e-10);
      nsds_model_destroy(m);
    }
    if (projected == 0) memcpy(first, q[0], sizeof first);
    for (int i = 0; i < 7; ++i) {
      assert_near(q[0][i], q[1][i], tolerance[projected]);
      assert_near(q[0][i], first[i], 2e-4);
    }
  }
}

/* Before and after the first step without a solution; the same steps have the same bits. */
static void a_ring_from_a_saved_state(void **state) {
  (void)state;
  for (int first = 0; first <= 20; first += 20) {
    nsds_model *m = nsds_model_create(NULL);
    ring_scene ring;
    scene_ring_of_bars(m, &ring, false);
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
    for (int k = 0; k < first; ++k) assert_ok(m, nsds_step(s));
    assert_ok(m, nsds_simulation_save(s));
    double q[3][7];
    for (int trial = 0; trial < 3; ++trial) {
      for (int k = 0; k < 20; ++k) assert_ok(m, nsds_step(s));
      memcpy(q[trial], nsds_q(ring.bar[0]), sizeof q[trial]);
      assert_memory_equal(q[trial], q[0], sizeof q[0]);
      assert_ok(m, nsds_simulation_restore(s));
    }
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_four_bar_linkage), cmocka_unit_test(a_chain_between_two_hooks),
      cmocka_unit_test(a_ring_of_parallel_hinges), cmocka_unit_test(a_ring_from_a_saved_state)};
  return cmocka_run_group_tests_name("kernel.linkages", tests, NULL, NULL);
}
