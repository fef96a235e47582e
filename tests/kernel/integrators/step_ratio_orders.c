/*
 * Orders of convergence where one system takes parts of each step: a fast system beside a slow one,
 * tied by a law, against event-driven simulation; written as a table (markdown) to the file given
 * as argument, from which docs/orders.md is made.
 */
#include "support.h"

#include <stdio.h>

static const double end = 1.0;

/* ---- scenes: what is fast has frequencies of 200 to 400 rad/s -------------------------------- */

static int tide(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * cos(6.0 * in->t);
  return 0;
}

/* A state that decays in 20 ms and turns at 300 rad/s, and a slow one; between them a resistor,
 * y = 0, or a diode. */
static nsds_ds *filter(nsds_model *model, bool diode) {
  static const double A[] = {-50.0, 300.0, -300.0, -50.0}, slow[] = {-1.0};
  nsds_ds *ds[] = {
      nsds_first_order_linear(
          model, &(nsds_first_order_linear_def){.n = 2, .x0 = (double[]){0.5, 0.0}, .A = A}),
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){
                                         .n = 1, .x0 = (double[]){0.5}, .A = slow, .b_fn = tide})};
  nsds_connect(
      model,
      nsds_first_order_linear_relation(
          model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                         .nx = 3,
                                                         .C = (double[]){1.0, 0.0, -1.0},
                                                         .D = (double[]){0.5},
                                                         .B = (double[]){20.0, 0.0, -1.0}}),
      diode ? nsds_complementarity(model) : nsds_equality(model), 2, ds);
  return ds[0];
}

static nsds_ds *resistor(nsds_model *model) { return filter(model, false); }
static nsds_ds *diode(nsds_model *model) { return filter(model, true); }

/* A plate of 1 kg on a soft spring, which bears 0.1 kg on a stiff one: 14 and 330 rad/s. */
static nsds_ds *plate(nsds_model *model) {
  static const double M[] = {1.0, 0.0, 0.0, 0.1}, k = 1e4, c = 0.5;
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .q0 = (double[]){0.0, 0.002},
                                           .mass = M,
                                           .damping = (double[]){2.0 + c, -c, -c, c},
                                           .stiffness = (double[]){200.0 + k, -k, -k, k}});
}

static int hard_spring(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double d = in->q[1] - in->q[0], v = in->v[1] - in->v[0], F = 5e3 * d + 1e9 * d * d * d + 0.5 * v;
  out[0] = 200.0 * in->q[0] + 2.0 * in->v[0] - F;
  out[1] = F;
  return 0;
}

static nsds_ds *hard_plate(nsds_model *model) {
  static const double M[] = {1.0, 0.0, 0.0, 0.1};
  return nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 2,
                                                       .q0 = (double[]){0.0, 0.002},
                                                       .mass = M,
                                                       .fint.fn = hard_spring,
                                                       .fint.jac_q_fn = nsds_differences,
                                                       .fint.jac_v_fn = nsds_differences});
}

/* The plate under a slow mass that is driven, on it with or without a rod. */
static nsds_ds *under_mass(nsds_model *model, nsds_ds *plate, bool rod) {
  nsds_ds *mass = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                           .q0 = (double[]){rod ? 0.0 : 0.05},
                                           .mass = (double[]){2.0},
                                           .fext_fn = rod ? tide : NULL,
                                           .fext = rod ? NULL : (double[]){-19.62}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 3, .H = (double[]){1.0, -1.0, 0.0}});
  nsds_connect(model, gap, rod ? nsds_equality(model) : nsds_newton_impact(model, 0.0), 2,
               (nsds_ds *[]){mass, plate});
  return plate;
}

static nsds_ds *rod(nsds_model *model) { return under_mass(model, plate(model), true); }
static nsds_ds *impact(nsds_model *model) { return under_mass(model, plate(model), false); }
static nsds_ds *hard_rod(nsds_model *model) { return under_mass(model, hard_plate(model), true); }
typedef struct scene {
  const char *name;
  nsds_ds *(*make)(nsds_model *model); /* returns the fast system */
  double order;
  int runs; /* with steps near each other, of which the mean is taken: where in a step an impact
               lies is chance */
} scene;

static const scene scenes[] = {{"resistor, θ = γ = 1/2", resistor, 2.0, 1},
                               {"diode, θ = γ = 1/2", diode, 2.0, 1},
                               {"rod", rod, 2.0, 1},
                               {"rod, hard spring", hard_rod, 2.0, 1},
                               {"impacts, e = 0", impact, 1.0, 12}};
enum { nscene = sizeof scenes / sizeof *scenes, points = 50, halvings = 4, coarsest = 8 };

static double place(const nsds_ds *ds) { return nsds_nq(ds) ? nsds_q(ds)[1] : nsds_x(ds)[1]; }

static void reference(const scene *s, double *x) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = s->make(model);
  nsds_simulation *sim =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = end,
                                                        .output_period = end / points,
                                                        .relative_tolerance = 1e-11,
                                                        .absolute_tolerance = 1e-13});
  int k = 0;
  while (k < points && nsds_step(sim) == NSDS_OK) /* steps end at events too */
    if (fabs(nsds_time(sim) - (k + 1) * end / points) < 1e-12) x[k++] = place(ds);
  assert_sound(model);
  assert_int_equal(k, points);
  nsds_model_destroy(model);
}

/* Mean distance at the points, as a part of the largest value; `each` steps from point to point. */
static double error_of(const scene *s, int each, int ratio, const double *exact) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = s->make(model);
  nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_nq(ds) ? nsds_moreau_jean(0.5, 1.0)
                                                          : nsds_theta_gamma(0.5, 0.5),
                                              ratio));
  nsds_simulation *sim = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){
          .t1 = end,
          .h = end / points / each,
          .first_order = nsds_with_initial_lambda(nsds_theta_gamma(0.5, nsds_nq(ds) ? 1.0 : 0.5)),
          .second_order = nsds_moreau_jean(0.5, nsds_nq(ds) ? 1.0 : 0.5)});
  double sum = 0.0, size = 0.0;
  for (int k = 0; k < points; ++k) {
    for (int i = 0; i < each; ++i) assert_ok(model, nsds_step(sim));
    sum += fabs(place(ds) - exact[k]);
    size = worse(size, fabs(exact[k]));
  }
  nsds_model_destroy(model);
  return sum / points / size;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const int ratios[] = {1, 4, 16};
enum { nratio = sizeof ratios / sizeof *ratios };
static double first[nscene][nratio], last[nscene][nratio], order[nscene][nratio];

/* Mean error at n halvings; the order is the slope of log error over all of them. */
static void measure_one(int k, int r, const double *exact) {
  double sum = 0.0, weighted = 0.0, squares = 0.0;
  for (int n = 0; n <= halvings; ++n) {
    double error = 0.0, at = n - 0.5 * halvings;
    for (int i = 0; i < scenes[k].runs; ++i)
      error += error_of(&scenes[k], (coarsest << n) + i, ratios[r], exact) / scenes[k].runs;
    if (n == 0) first[k][r] = error;
    last[k][r] = error;
    sum += error;
    weighted -= at * log(error) / log(2.0);
    squares += at * at;
  }
  assert_true(isfinite(sum));
  order[k][r] = weighted / squares;
}

static void measure(void **state) {
  (void)state;
  for (int k = 0; k < nscene; ++k) {
    double exact[points];
    reference(&scenes[k], exact);
    for (int r = 0; r < nratio; ++r) {
      measure_one(k, r, exact);
      print_message("             %-24s m = %2d: order %.2f, error %.1e to %.1e\n", scenes[k].name,
                    ratios[r], order[k][r], first[k][r], last[k][r]);
    }
  }
}

/* The order of the scheme stays; where nothing strikes, parts bring the error down at once. */
static void what_the_table_shows(void **state) {
  (void)state;
  for (int k = 0; k < nscene; ++k) {
    bool strikes = scenes[k].order == 1.0;
    for (int r = 1; r < nratio; ++r) {
      assert_between(order[k][r], scenes[k].order - 0.25, scenes[k].order + 0.25);
      assert_true(last[k][r] < (strikes ? 1.1 : 0.2) * last[k][0]);
    }
  }
}

static void write_table(FILE *out) {
  fprintf(out, "| | m = 1 | m = 4 | m = 16 |\n|---|---|---|---|\n");
  for (int k = 0; k < nscene; ++k) {
    fprintf(out, "| %s |", scenes[k].name);
    for (int r = 0; r < nratio; ++r)
      fprintf(out, " %.2f (%.1e, %.1e) |", order[k][r], first[k][r], last[k][r]);
    fprintf(out, "\n");
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(measure),
                                     cmocka_unit_test(what_the_table_shows)};
  int failed = cmocka_run_group_tests_name("kernel.step_ratio_orders", tests, NULL, NULL);
  FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
  if (out) write_table(out);
  return failed || (argc > 1 && !out) || (out && fclose(out) != 0);
}
