/*
 * Arches and dominoes of the examples. An arch stands where forces exist that balance: by symmetry
 * the crown passes on a horizontal force H at a height y_0, and the joint at an angle beta takes,
 * with V the weight above and M = y_0 H + sum W x,
 *
 *     N = H sin(beta) + V cos(beta),   S = H cos(beta) - V sin(beta),   at the radius M / N
 *
 * |S| <= mu N within the joint. Source of the argument: J. Heyman, The stone skeleton, Int. J.
 * Solids Struct. 2 (1966).
 */
#include "support.h"

#include "blocks.h"

enum { wedges = 12, cells = 600 };

static blocks arch;

static nsds_simulation *build_arch(double mu, double thickness, double h) {
  const nsds_material material[] = {{.mu = 1.0}, {.mu = mu}};
  blocks_open(&arch, nsds_model_create(NULL), 2, material);
  blocks_arch(&arch, wedges, thickness, 0.0, 1);
  return nsds_time_stepping(arch.model,
                            &(nsds_time_stepping_def){.t1 = 1e9, .h = h, .tolerance = 1e-9});
}

/* The least coefficient of friction with which forces H, y_0 balance; INFINITY where they leave a
 * joint. */
static double friction_for(double H, double y0, double thickness) {
  double most = 0.0, V = 0.0, M = y0 * H;
  for (int j = wedges / 2 - 1; j >= 0; --j) { /* joints from the crown to the ground */
    const block *b = &arch.block[wedges - 1 - j];
    double beta = 3.14159265358979323846 * j / wedges;
    V += b->mass;
    M += b->mass * nsds_q(b->ds)[0];
    double N = H * sin(beta) + V * cos(beta), S = H * cos(beta) - V * sin(beta);
    if (!(fabs(M / N - 1.0) <= 0.5 * thickness)) return INFINITY;
    most = fmax(most, fabs(S) / N);
  }
  return most;
}

/* The least over all H and y_0, on a grid that is narrowed around the best. */
static double least_friction(double thickness) {
  double weight = wedges * arch.block[0].mass, best = INFINITY;
  double H0 = 0.0, H1 = weight, y0 = 1.0 - 0.5 * thickness, y1 = 1.0 + 0.5 * thickness;
  for (int round = 0; round < 3; ++round) {
    double H_best = 0.5 * (H0 + H1), y_best = 0.5 * (y0 + y1), dH = (H1 - H0) / cells;
    double dy = (y1 - y0) / cells;
    for (int i = 0; i <= cells; ++i)
      for (int k = 0; k <= cells; ++k) {
        double H = H0 + i * dH, y = y0 + k * dy, mu = friction_for(H, y, thickness);
        if (mu < best) best = mu, H_best = H, y_best = y;
      }
    H0 = H_best - 5.0 * dH, H1 = H_best + 5.0 * dH;
    y0 = y_best - 5.0 * dy, y1 = y_best + 5.0 * dy;
  }
  return best;
}

/* How far the crown has come down after half a second. */
static double sinks(double mu, double thickness) {
  nsds_simulation *s = build_arch(mu, thickness, 2e-3);
  assert_sound(arch.model);
  const nsds_ds *crown = arch.block[wedges / 2].ds;
  double start = nsds_q(crown)[2];
  for (int k = 0; k < 250; ++k) assert_ok(arch.model, nsds_step(s));
  double sunk = start - nsds_q(crown)[2];
  nsds_model_destroy(arch.model);
  return sunk;
}

/* Thick enough, an arch stands by friction down to the bound and slides apart below. */
static void an_arch_stands_by_friction(void **state) {
  (void)state;
  build_arch(1.0, 0.3, 1e-3);
  double bound = least_friction(0.3);
  nsds_model_destroy(arch.model);
  print_message("             an arch of %d wedges, thickness 0.3, stands from mu = %.4f on\n",
                (int)wedges, bound);
  assert_between(bound, 0.2, 0.5);
  assert_near(sinks(1.03 * bound, 0.3), 0.0, 1e-5);
  assert_between(sinks(0.97 * bound, 0.3), 1e-3, INFINITY);
}

/* With all the friction there is, it stands down to the least thickness, that of a half circle
 * being 0.1075 of the mean radius with joints everywhere, and opens at hinges below. */
static void an_arch_stands_by_thickness(void **state) {
  (void)state;
  double low = 0.02, high = 0.3;
  while (high - low > 1e-4) {
    double middle = 0.5 * (low + high);
    build_arch(1.0, middle, 1e-3);
    if (isfinite(least_friction(middle))) high = middle;
    else low = middle;
    nsds_model_destroy(arch.model);
  }
  print_message("             with friction 1 from a thickness of %.4f on\n", high);
  assert_between(high, 0.08, 0.1075);
  assert_near(sinks(1.0, 1.03 * high), 0.0, 1e-5);
  assert_between(sinks(1.0, 0.97 * high), 1e-3, INFINITY);
}

/* Dominoes fall one after the other, all of them; they get no energy but that of the push. */
static void dominoes_fall(void **state) {
  (void)state;
  enum { count = 8 };
  static blocks b;
  blocks_open(&b, nsds_model_create(NULL), 1, &(nsds_material){.mu = 0.2});
  blocks_dominoes(&b, count, 0.02, 6.0);
  nsds_simulation *s = nsds_time_stepping(
      b.model, &(nsds_time_stepping_def){.t1 = 0.6, .h = 5e-4, .tolerance = 1e-7});
  assert_sound(b.model);
  double fell[count] = {0.0}, start = 0.0, deepest = 0.0;
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK) {
    double energy = 0.0;
    for (int k = 0; k < count; ++k) {
      double up[3];
      nsds_to_world(nsds_q(b.block[k].ds), (const double[]){0, 0, 1}, up);
      if (fell[k] == 0.0 && up[2] < 0.9) fell[k] = nsds_time(s);
      energy +=
          nsds_kinetic_energy(b.block[k].ds) + 9.81 * b.block[k].mass * nsds_q(b.block[k].ds)[2];
    }
    if (start == 0.0) start = energy;
    assert_true(energy <= start * (1.0 + 1e-4));
    for (int k = 0; k < nsds_contact_set_count(b.contacts); ++k) {
      nsds_contact_info info;
      assert_ok(b.model, nsds_contact_set_get(b.contacts, k, &info));
      deepest = fmin(deepest, info.y[0]);
    }
  }
  assert_int_equal(status, NSDS_END);
  for (int k = 0; k < count; ++k) assert_true(fell[k] > (k > 0 ? fell[k - 1] : 0.0));
  assert_between(deepest, -5e-4, 0.0);
  nsds_model_destroy(b.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_arch_stands_by_friction),
      cmocka_unit_test(an_arch_stands_by_thickness),
      cmocka_unit_test(dominoes_fall),
  };
  return cmocka_run_group_tests_name("kernel.shapes_blocks", tests, NULL, NULL);
}
