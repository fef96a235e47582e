/*
 * The example of a slider-crank with play: hinges hold, the block stays in its guide, energy does
 * not grow, the pin is where that of the ideal mechanism is, up to the play.
 */
#include "support.h"

#include "bodies.h"

typedef struct course {
  double hinges, overlap, rise, off;
  int impacts;
} course;

static course follow(nsds_projection_kind kind, double h) {
  nsds_model *m = nsds_model_create(NULL);
  slider_crank_scene scene = scene_slider_crank(m);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 0.1, .h = h, .projection = {.kind = kind}});
  assert_sound(m);
  course c = {0};
  double last = scene_slider_crank_energy(&scene);
  bool open[4] = {true, true, true, true};
  while (nsds_step(s) == NSDS_OK) {
    double energy = scene_slider_crank_energy(&scene);
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 2; ++i) c.hinges = worse(c.hinges, fabs(nsds_y(scene.hinge[k])[i]));
    for (int k = 0; k < 4; ++k) {
      bool closed = nsds_impulse(scene.corner[k])[0] > 0.0;
      c.overlap = worse(c.overlap, -nsds_y(scene.corner[k])[0]);
      c.impacts += closed && open[k];
      open[k] = !closed;
    }
    c.rise = worse(c.rise, energy - last);
    last = energy;
    /* where the pin would be without play */
    double a = nsds_q(scene.body[0])[2], l = scene.length[0], r = scene.length[1];
    double pin = nsds_q(scene.body[2])[0] - 0.01 * cos(nsds_q(scene.body[2])[2]);
    c.off = worse(c.off, fabs(pin - l * cos(a) - sqrt(r * r - l * l * sin(a) * sin(a))));
  }
  assert_sound(m);
  nsds_model_destroy(m);
  return c;
}

static void the_mechanism_holds(void **state) {
  (void)state;
  for (int kind = 0; kind <= 2; ++kind) {
    course c = follow((nsds_projection_kind)kind, 1e-5);
    print_message(
        "             hinges %.1e m, overlap %.1e m, energy rises by %.1e J, %d impacts\n",
        c.hinges, c.overlap, c.rise, c.impacts);
    assert_between(c.impacts, 20, 400);
    assert_between(c.rise, -1.0, 1e-5);  /* of some 7 J */
    assert_between(c.off, 1e-5, 0.7e-3); /* the play times the slope of the rod, l / r = 1/2 */
    if (kind == NSDS_PROJECTION_NONE) {
      assert_true(c.hinges > 1e-9);
      continue;
    }
    assert_between(c.hinges, 0.0, 1e-10);
    assert_between(c.overlap, 0.0, kind == NSDS_PROJECTION_COMBINED ? 1e-10 : 20.0 * 1e-5);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_mechanism_holds)};
  return cmocka_run_group_tests_name("kernel.slider_crank", tests, NULL, NULL);
}
