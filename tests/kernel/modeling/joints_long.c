/*
 * What is put on joints, over 1e5 steps with projection: ropes, gears, stops, dry friction; of one
 * body in the world under its weight, and of two in flight. Nothing is violated by more than the
 * tolerance, angle and displacement go on by their rates, and friction stays within its bound. The
 * joints alone are in projection.c.
 */
#include "any_joint.h"
#include "projection.h"

enum { steps = test_long };

static const double tolerance = 1e-11, h = 1e-3, bound = 0.02; /* of friction [N m, N] */

typedef struct joined {
  nsds_model *m;
  nsds_ds *ds[3];
  nsds_interaction *ia[6]; /* joints, then what is put on the first */
  int count;
  bool unilateral[6];
  int friction; /* the interaction of friction; 0: none */
} joined;

static nsds_interaction *add(joined *j, any_joint_def def, nsds_law *law, bool unilateral) {
  int n = 1;
  while (n < 3 && def.ds[n]) ++n;
  j->unilateral[j->count] = unilateral;
  return j->ia[j->count++] = nsds_connect(j->m, any_joint(j->m, &def), law, n, def.ds);
}

/* ---- what is built ---- */

static any_joint_def frame(const joined *j, nsds_joint_kind kind) {
  return (any_joint_def){
      .kind = kind, .ds = {j->ds[0], j->ds[1]}, .point = {0.1, 0.05, 0.1}, .axis = {0.6, 0.0, 0.8}};
}

static void rope(joined *j) {
  any_joint_def def = frame(j, NSDS_JOINT_ROPE);
  def.other[0] = def.other[2] = 0.4;
  def.length = 0.6;
  add(j, def, nsds_newton_impact(j->m, 0.3), true);
}

/* The gears on hinges with the world, or with a carrier in flight. */
static void gear(joined *j) {
  nsds_ds *carrier = j->ds[1];
  any_joint_def def = frame(j, NSDS_JOINT_HINGE);
  j->ds[2] = body(j->m, false, (const double[]){0.5, 0.4, 0}, (const double[6]){0, 0, 0, 1}, 0.0);
  add(j, def, nsds_equality(j->m), false);
  def.ds[0] = j->ds[2];
  def.point[1] = 0.4;
  add(j, def, nsds_equality(j->m), false);
  def.kind = NSDS_JOINT_GEAR;
  def.ds[0] = j->ds[0];
  def.ds[1] = j->ds[2];
  def.ds[2] = carrier;
  def.teeth[0] = 34;
  def.teeth[1] = 21;
  add(j, def, nsds_equality(j->m), false);
}

static void free_joint(joined *j, bool slides) {
  add(j, frame(j, slides ? NSDS_JOINT_PRISMATIC : NSDS_JOINT_HINGE), nsds_equality(j->m), false);
}

static void stops(joined *j, bool slides) {
  free_joint(j, slides);
  any_joint_def def = frame(j, slides ? ANY_SLIDE : ANY_ANGLE);
  def.offset = 0.3;
  add(j, def, nsds_newton_impact(j->m, 0.9), true);
  def.reversed = true;
  add(j, def, nsds_newton_impact(j->m, 0.9), true);
}

static void friction(joined *j, bool slides) {
  free_joint(j, slides);
  j->friction = j->count;
  add(j, frame(j, slides ? ANY_SLIDE : ANY_ANGLE),
      nsds_relay(j->m, 1, &(double){-bound}, &(double){bound}), false);
}

static void hinge_stops(joined *j) { stops(j, false); }
static void slider_stops(joined *j) { stops(j, true); }
static void hinge_friction(joined *j) { friction(j, false); }
static void slider_friction(joined *j) { friction(j, true); }

/* ---- what is seen ---- */

typedef struct seen {
  double violation, rates;
  long impacts;
} seen;

/* What is violated, and the contacts that have closed; whether an impulse acts on one. */
static bool look(const joined *j, bool *closed, seen *found) {
  bool impact = false;
  for (int k = 0; k < j->count; ++k)
    for (int i = 0; i < nsds_interaction_size(j->ia[k]); ++i) {
      double y = nsds_y(j->ia[k])[i], F = nsds_lambda(j->ia[k])[i];
      if (k > 0 && k == j->friction) {
        assert_between(fabs(F), 0.0, bound * (1.0 + 1e-9));
        continue;
      }
      found->violation = worse(found->violation, j->unilateral[k] ? -y : fabs(y));
      if (!j->unilateral[k]) continue;
      impact |= F > 0.0;
      found->impacts += F > 0.0 && !closed[k];
      closed[k] = F > 0.0;
    }
  return impact;
}

/* How far angle and displacement are from what the mean of their rates makes of them. */
static double by_rates(const nsds_joint_motion *a, const nsds_joint_motion *b) {
  double turned = b->angle - a->angle - 0.5 * h * (b->angular_velocity + a->angular_velocity);
  double moved = b->displacement - a->displacement - 0.5 * h * (b->velocity + a->velocity);
  return worse(fabs(remainder(turned, 2.0 * 3.14159265358979323846)), fabs(moved));
}

static seen long_run(void (*build)(joined *), bool pair) {
  joined j = {.m = nsds_model_create(NULL)};
  const double v[2][6] = {{0.1, 0.4, -0.2, 1.0, 2.0, -0.7}, {-0.3, 0.2, 0.5, -2.0, 0.4, 1.1}};
  double weight = pair || build == hinge_friction || build == slider_friction ? 0.0 : g;
  for (int k = 0; k <= pair; ++k)
    j.ds[k] = body(j.m, false, (const double[]){0.3 + 0.5 * k, 0.1 * k, -0.2}, v[k], weight);
  build(&j);
  nsds_simulation *s = nsds_time_stepping(
      j.m, &(nsds_time_stepping_def){
               .t1 = steps * h,
               .h = h,
               .projection = {.kind = NSDS_PROJECTION_COMBINED, .tolerance = tolerance}});
  assert_sound(j.m);
  seen found = {0};
  nsds_joint_motion before = {0}, motion;
  bool reads = build != rope, closed[6] = {0};
  assert_ok(j.m, nsds_step(s)); /* velocities become those that the joints allow */
  if (reads) assert_ok(j.m, nsds_joint_read(j.ia[0], &before));
  while (nsds_step(s) == NSDS_OK) {
    assert_true(nsds_simulation_info(s)->projection.converged);
    bool impact = look(&j, closed, &found);
    if (!reads) continue;
    assert_ok(j.m, nsds_joint_read(j.ia[0], &motion));
    if (!impact) found.rates = worse(found.rates, by_rates(&before, &motion));
    before = motion;
  }
  assert_sound(j.m);
  assert_int_equal(nsds_step_count(s), steps);
  nsds_model_destroy(j.m);
  return found;
}

static void over_long_times(void **state) {
  (void)state;
  static const struct {
    const char *name;
    void (*build)(joined *);
    bool impacts;
  } what[] = {{"rope", rope, true},
              {"gear", gear, false},
              {"hinge with stops", hinge_stops, true},
              {"slider with stops", slider_stops, true},
              {"hinge with friction", hinge_friction, false},
              {"slider with friction", slider_friction, false}};
  for (size_t k = 0; k < sizeof what / sizeof *what; ++k)
    for (int pair = 0; pair < 2; ++pair) {
      seen found = long_run(what[k].build, pair);
      print_message("             %-20s %s %.1e, %ld impacts, rates to %.1e in a step\n",
                    what[k].name, pair ? "two bodies" : "the world ", found.violation,
                    found.impacts, found.rates);
      assert_between(found.violation, 0.0, tolerance);
      assert_true(!what[k].impacts || found.impacts > 0);
      assert_between(found.rates, 0.0, 1e-5);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(over_long_times)};
  return cmocka_run_group_tests_name("kernel.joints_long", tests, NULL, NULL);
}
