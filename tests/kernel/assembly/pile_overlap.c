/*
 * Overlap of contact sets: a pile at rest, whose energy never grows on the way there, and what
 * leading out of overlap changes in scenes with closed forms. The table of docs/bodies.md is what
 * this program prints.
 */
#include "support.h"

static const double g = 9.81, r = 0.5, inertia = 0.1, step_size = 5e-3;

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { edge = 3 };
#else
enum { edge = 6 }; /* spheres along an edge of the lattice they are dropped as */
#endif
enum { most = 216, looks = 20 };

typedef struct scene {
  nsds_model *model;
  nsds_simulation *simulation;
  int n;
  nsds_ds *ds[most];
  double width; /* of the box around the spheres; 0: there is a floor alone */
} scene;

static void add_sphere(scene *s, double x, double y, double z, double vx) {
  static const double J[9] = {[0] = inertia, [4] = inertia, [8] = inertia};
  s->ds[s->n++] = nsds_rigid_body(
      s->model, &(nsds_rigid_body_def){.mass = 1.0,
                                       .inertia = J,
                                       .q0 = (double[]){x, y, z, 1.0, 0.0, 0.0, 0.0},
                                       .v0 = (double[]){vx, 0.0, 0.0, 0.0, 0.0, 0.0},
                                       .gravity = {0.0, 0.0, -g}});
}

static nsds_verdict as_it_is(nsds_simulation *s, const nsds_solver_info *info, void *user) {
  (void)s, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* The spheres meet by Newton's law with friction; with `sweeps` as many as that in every step. */
static void start(scene *s, double e, double mu, const nsds_time_stepping_def *def, int sweeps) {
  const nsds_plane box[] = {{{0, 0, 1}, 0},
                            {{1, 0, 0}, 0},
                            {{-1, 0, 0}, -s->width},
                            {{0, 1, 0}, 0},
                            {{0, -1, 0}, -s->width}};
  nsds_spheres(s->model, &(nsds_spheres_def){
                             .law = nsds_newton_impact_friction(
                                 s->model, &(nsds_newton_impact_friction_def){.e_n = e, .mu = mu}),
                             .count = s->n,
                             .ds = s->ds,
                             .radius = r,
                             .nplane = s->width > 0.0 ? 5 : 1,
                             .plane = box});
  s->simulation = nsds_time_stepping(s->model, def);
  assert_sound(s->model);
  if (sweeps == 0) return;
  assert_ok(s->model, nsds_simulation_set_solver(s->simulation, "nsgs", 0.0));
  assert_ok(s->model,
            nsds_solver_set(nsds_simulation_solver(s->simulation), "max_iterations", sweeps));
}

/* The deepest, in radii. */
static double overlap_of(const scene *s) {
  double worst = 0.0;
  for (int i = 0; i < s->n; ++i) {
    const double *a = nsds_q(s->ds[i]);
    for (int k = 0; k < 3; ++k) {
      if (k == 2 || s->width > 0.0) worst = fmax(worst, r - a[k]);
      if (k < 2 && s->width > 0.0) worst = fmax(worst, a[k] + r - s->width);
    }
    for (int j = 0; j < i; ++j) {
      const double *b = nsds_q(s->ds[j]);
      double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
      worst = fmax(worst, 2.0 * r - sqrt(x * x + y * y + z * z));
    }
  }
  return worst / r;
}

static double energy_of(const scene *s) {
  double sum = 0.0;
  for (int k = 0; k < s->n; ++k) {
    const double *v = nsds_v(s->ds[k]);
    sum += g * nsds_q(s->ds[k])[2];
    for (int i = 0; i < 3; ++i) sum += 0.5 * v[i] * v[i] + 0.5 * inertia * v[3 + i] * v[3 + i];
  }
  return sum;
}

/* ---- piles ----------------------------------------------------------------------------------- */

/* A loose lattice, each sphere a little off its place, above the floor of a box. */
static scene drop_pile(int m, double theta, int overlap_sweeps) {
  scene s = {.model = nsds_model_create(NULL), .width = 1.25 * m};
  uint64_t seed = 5;
  for (int k = 0; k < m * m * m; ++k) {
    double x[3];
    for (int i = 0; i < 3; ++i) {
      int c = i == 0 ? k % m : i == 1 ? k / m % m : k / m / m;
      x[i] = 1.25 * (c + 0.5) + random_in(&seed, -0.1, 0.1);
    }
    add_sphere(&s, x[0], x[1], x[2], 0.0);
  }
  start(&s, 0.0, 0.5,
        &(nsds_time_stepping_def){.t1 = 1e3,
                                  .h = step_size,
                                  .second_order = nsds_moreau_jean(theta, 1.0),
                                  .tolerance = 1e-4,
                                  .overlap_sweeps = overlap_sweeps,
                                  .check_solver = as_it_is},
        100);
  return s;
}

/* Work of all contacts at the mean of the velocities before and after the step: what the energy
 * changes by with theta = 1/2 where nothing is moved. `taken`: of the bodies that contacts slow. */
static double work_of(const scene *s, double (*before)[6], double *taken) {
  double sum = 0.0;
  *taken = 0.0;
  for (int k = 0; k < s->n; ++k) {
    double work = 0.0;
    for (int i = 0; i < 6; ++i)
      work += 0.5 * nsds_p(s->ds[k])[i] * (before[k][i] + nsds_v(s->ds[k])[i]);
    *taken -= fmin(work, 0.0);
    sum += work;
  }
  return sum;
}

/* What the steps up to rest have added to the energy at most, where nothing may be added. */
static void check_step(const scene *s, double theta, double before, double (*v)[6], double size) {
  double change = energy_of(s) - before, lifted = nsds_simulation_info(s->simulation)->lifted;
  if (theta == 1.0) assert_true(change <= 1e-12 * size); /* the scheme never adds any either */
  if (theta != 0.5) return;
  double taken, work = work_of(s, v, &taken);
  assert_near(change, work + lifted, 1e-12 * size);
  assert_true(lifted <= taken + 1e-12 * size); /* by each island for itself */
}

static void at_rest(double theta) {
  scene s = drop_pile(edge, theta, 0);
  double energy = energy_of(&s), size = energy, worst = 0.0, raised = 0.0, end = 0.8 * edge;
  static double v[most][6];
  while (nsds_time(s.simulation) < end) {
    for (int k = 0; k < s.n; ++k) memcpy(v[k], nsds_v(s.ds[k]), sizeof v[k]);
    assert_ok(s.model, nsds_step(s.simulation));
    check_step(&s, theta, energy, v, size);
    energy = energy_of(&s);
    raised += nsds_simulation_info(s.simulation)->lifted;
    if (nsds_time(s.simulation) > end - looks * step_size) worst = fmax(worst, overlap_of(&s));
  }
  print_message(
      "             theta = %g, %d spheres: overlap %.2g radii; energy from %.6g to %.6g J, "
      "of which correcting has taken %.3g\n",
      theta, s.n, worst, size, energy, raised);
  assert_true(worst <= 0.005);
  assert_true(raised > 0.0);
  nsds_model_destroy(s.model);
}

static void pile_overlap(void **state) {
  (void)state;
  at_rest(0.5);
  at_rest(1.0);
}

/* ---- beside no correction --------------------------------------------------------------------- */

static void row(const char *what, const double *x) {
  print_message("             | %s | %.2g | %.2g |\n", what, x[0], x[1]);
}

/* A ball that bounces with e from a height: the largest error against the closed form between its
 * impacts, up to the third. */
static double bounce(double h, double e, int overlap_sweeps) {
  const double drop = 1.0;
  scene s = {.model = nsds_model_create(NULL)};
  add_sphere(&s, 0.0, 0.0, r + drop, 0.0);
  start(&s, e, 0.0, &(nsds_time_stepping_def){.t1 = 1e3, .h = h, .overlap_sweeps = overlap_sweeps},
        0);
  double hit = sqrt(2.0 * drop / g), speed = g * hit, until = hit, error = 0.0;
  for (int flight = 0; flight < 3; ++flight) {
    while (nsds_time(s.simulation) < until) {
      assert_ok(s.model, nsds_step(s.simulation));
      double t = nsds_time(s.simulation) - hit;
      double exact =
          flight == 0 ? drop - 0.5 * g * (t + hit) * (t + hit) : speed * t - 0.5 * g * t * t;
      if (nsds_time(s.simulation) < until)
        error = fmax(error, fabs(nsds_q(s.ds[0])[2] - r - exact));
    }
    hit = until;
    speed *= e;
    until += 2.0 * speed / g;
  }
  nsds_model_destroy(s.model);
  return error;
}

/* A ball thrown along the floor slides, then rolls with 5/7 of its speed: error of the place. */
static double roll(int overlap_sweeps) {
  const double v0 = 3.0, mu = 0.3, end = 2.0, ratio = inertia / (r * r);
  scene s = {.model = nsds_model_create(NULL)};
  add_sphere(&s, 0.0, 0.0, r, v0);
  start(&s, 0.0, mu,
        &(nsds_time_stepping_def){.t1 = end, .h = 1e-3, .overlap_sweeps = overlap_sweeps}, 0);
  while (nsds_step(s.simulation) == NSDS_OK) continue;
  assert_sound(s.model);
  double slides = v0 * ratio / (mu * g * (1.0 + ratio));
  double exact = v0 * slides - 0.5 * mu * g * slides * slides + v0 / (1.0 + ratio) * (end - slides);
  double error = fabs(nsds_q(s.ds[0])[0] - exact);
  nsds_model_destroy(s.model);
  return error;
}

/* A box that is thrown onto a floor from a little above slides to rest: error of the way. */
static double slide(int overlap_sweeps) {
  const double v0 = 2.0, mu = 0.2, half = 0.1, J[9] = {[0] = 0.01, [4] = 0.01, [8] = 0.01};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *box = nsds_rigid_body(
      m, &(nsds_rigid_body_def){.mass = 1.0,
                                .inertia = J,
                                .q0 = (double[]){0.0, 0.0, half, 1.0, 0.0, 0.0, 0.0},
                                .v0 = (double[]){v0, 0.0, 0.0, 0.0, 0.0, 0.0},
                                .gravity = {0.0, 0.0, -g}});
  const nsds_shape_def shape[] = {{.kind = NSDS_BOX, .ds = box, .half = {0.3, 0.2, half}},
                                  {.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}}};
  nsds_law *law = nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = mu});
  nsds_shapes(m, &(nsds_shapes_def){.law = law, .nshape = 2, .shape = shape});
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-3, .overlap_sweeps = overlap_sweeps});
  while (nsds_step(s) == NSDS_OK) continue;
  assert_sound(m);
  double error = fabs(nsds_q(box)[0] - 0.5 * v0 * v0 / (mu * g));
  nsds_model_destroy(m);
  return error;
}

/* A column of spheres, each dropped from a gap above the next: error of the height at rest by the
 * radius. */
static double stack(int overlap_sweeps) {
  enum { high = 10 };
  scene s = {.model = nsds_model_create(NULL)};
  for (int k = 0; k < high; ++k) add_sphere(&s, 0.0, 0.0, r + (2.0 * r + 0.2) * k + 0.2, 0.0);
  start(&s, 0.0, 0.5,
        &(nsds_time_stepping_def){.t1 = 3.0, .h = step_size, .overlap_sweeps = overlap_sweeps}, 0);
  while (nsds_step(s.simulation) == NSDS_OK) continue;
  assert_sound(s.model);
  double error = (r + 2.0 * r * (high - 1) - nsds_q(s.ds[high - 1])[2]) / r;
  assert_true(fabs(nsds_v(s.ds[high - 1])[2]) < 1e-9);
  nsds_model_destroy(s.model);
  return error;
}

static double pile(int overlap_sweeps) {
  scene s = drop_pile(3, 0.5, overlap_sweeps);
  double worst = 0.0;
  while (nsds_time(s.simulation) < 3.0) assert_ok(s.model, nsds_step(s.simulation));
  worst = overlap_of(&s);
  nsds_model_destroy(s.model);
  return worst;
}

static void beside_none(void **state) {
  (void)state;
  double fine[2], bouncing[2], half[2], rolling[2], sliding[2], stacked[2], piled[2];
  for (int k = 0; k < 2; ++k) {
    int sweeps = k == 0 ? -1 : 0;
    bouncing[k] = bounce(step_size, 0.5, sweeps);
    fine[k] = bounce(0.1 * step_size, 0.5, sweeps);
    half[k] = bounce(step_size, 1.0, sweeps);
    rolling[k] = roll(sweeps);
    sliding[k] = slide(sweeps);
    stacked[k] = stack(sweeps);
    piled[k] = pile(sweeps);
  }
  row("bouncing, e = 0.5, h = 5 ms: error of the height [m]", bouncing);
  row("the same, h = 0.5 ms", fine);
  row("bouncing, e = 1, h = 5 ms", half);
  row("a ball that slides, then rolls, h = 1 ms: error of the place [m]", rolling);
  row("a box that slides to rest, h = 1 ms: error of the way [m]", sliding);
  row("column of ten spheres, dropped, h = 5 ms: too low by [radii]", stacked);
  row("pile of 27 spheres at rest, h = 5 ms: overlap [radii]", piled);
  assert_true(bouncing[1] <= 1.01 * bouncing[0]);
  assert_true(fine[1] <= 1.01 * fine[0]);
  assert_true(fine[1] < 0.2 * bouncing[1]);
  assert_near(half[1], half[0], 1e-12);
  assert_near(rolling[1], rolling[0], 1e-9);
  assert_near(sliding[1], sliding[0], 1e-9);
  assert_true(stacked[1] < 1e-3 * stacked[0]);
  assert_true(piled[0] > 0.01);
  assert_true(piled[1] <= 0.005);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pile_overlap), cmocka_unit_test(beside_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
