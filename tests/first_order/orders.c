/*
 * Orders of convergence of the first-order schemes, measured on problems with closed forms and
 * written as a table (markdown) to the file given as argument, from which docs/orders.md is made.
 *
 * The error of a run is the largest deviation of x from the closed form over all grid points, and
 * of three runs with steps near each other, since it matters where within a step a corner falls.
 * The order is the slope of log(error) over log(h), by least squares over seven halvings.
 */
#include "support.h"
#include "static_schemes.h"

#include <stdio.h>

/* ---- problems ---- */

enum { nscheme = 8, exact = -1, refused = -2 };

typedef struct problem {
  const char *name, *text;
  int n;
  double end;
  void (*build)(nsds_model *model, nsds_ds **ds);
  void (*solution)(double t, double *x);
  double slack;          /* of the orders */
  int expected[nscheme]; /* orders, `exact` or `refused` */
} problem;

/* x = (cos 2t, sin t), with b chosen so that it solves the equations. */
static void smooth_exact(double t, double *x) {
  x[0] = cos(2.0 * t);
  x[1] = sin(t);
}

static void smooth_rate(double t, double *rate) {
  rate[0] = -2.0 * sin(2.0 * t);
  rate[1] = cos(t);
}

static const double smooth_A[] = {-0.5, -1.0, 2.0, -0.3};

/* b = dx/dt - A x - r */
static void smooth_b(double t, const double *r, double *b) {
  double x[2];
  smooth_exact(t, x);
  smooth_rate(t, b);
  for (int i = 0; i < 2; ++i)
    b[i] -= smooth_A[i] * x[0] + smooth_A[i + 2] * x[1] + (r ? r[i] : 0.0);
}

static int smooth_b_fn(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  smooth_b(in->t, NULL, out);
  return 0;
}

static void smooth_linear(nsds_model *model, nsds_ds **ds) {
  *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 2, .x0 = (double[]){1.0, 0.0}, .A = smooth_A, .b_fn = smooth_b_fn});
}

/* dx/dt = A x + b, both constant. */
static const double turn = 3.0, decay = 0.4;

static void constant_exact(double t, double *x) {
  x[0] = 1.0 + exp(-decay * t) * cos(turn * t);
  x[1] = -0.5 + exp(-decay * t) * sin(turn * t);
}

static void constant_linear(nsds_model *model, nsds_ds **ds) {
  const double A[] = {-decay, turn, -turn, -decay};
  const double b[] = {-(A[0] * 1.0 - A[2] * 0.5), -(A[1] * 1.0 - A[3] * 0.5)};
  *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 2, .x0 = (double[]){2.0, -0.5}, .A = A, .b = b});
}

/* f = A x - x^3 + ..., with the same solution; an input r through a general relation:
 * y = lambda + x_1 x_2 = 0, r = (lambda, lambda x_1 / 2). */
static void curved_r(double t, double *r) {
  double x[2];
  smooth_exact(t, x);
  double lambda = -x[0] * x[1];
  r[0] = lambda;
  r[1] = 0.5 * lambda * x[0];
}

static int curved_f(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double r[2], x[2], b[2];
  smooth_exact(in->t, x);
  curved_r(in->t, r);
  smooth_b(in->t, r, b);
  for (int i = 0; i < 2; ++i)
    out[i] = smooth_A[i] * in->x[0] + smooth_A[i + 2] * in->x[1] + b[i] + x[i] * x[i] * x[i] -
             in->x[i] * in->x[i] * in->x[i];
  return 0;
}

static int curved_f_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 4; ++k) out[k] = smooth_A[k];
  for (int i = 0; i < 2; ++i) out[3 * i] -= 3.0 * in->x[i] * in->x[i];
  return 0;
}

static int curved_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0] + in->x[0] * in->x[1];
  return 0;
}

static int curved_h_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[1];
  out[1] = in->x[0];
  return 0;
}

static int curved_h_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int curved_g(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0];
  out[1] = 0.5 * in->lambda[0] * in->x[0];
  return 0;
}

static int curved_g_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0;
  out[1] = 0.5 * in->x[0];
  return 0;
}

static int curved_g_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1] = 0.5 * in->lambda[0];
  return 0;
}

static void smooth_nonlinear(nsds_model *model, nsds_ds **ds) {
  *ds = nsds_first_order(
      model, &(nsds_first_order_def){
                 .n = 2, .x0 = (double[]){1.0, 0.0}, .f_fn = curved_f, .jac_f_x_fn = curved_f_x});
  nsds_relation *relation = nsds_first_order_relation(
      model, &(nsds_first_order_relation_def){.ny = 1,
                                              .nx = 2,
                                              .output_fn = curved_h,
                                              .jac_output_x_fn = curved_h_x,
                                              .jac_output_lambda_fn = curved_h_lambda,
                                              .input_fn = curved_g,
                                              .jac_input_lambda_fn = curved_g_lambda,
                                              .jac_input_x_fn = curved_g_x});
  nsds_connect(model, relation, nsds_equality(model), 1, ds);
}

/* dx/dt = -x + 1 + lambda, 0 = lambda - x - (cos t - 1), whose solution is x = sin t + c with
 * lambda(0) = c; schemes that average r take lambda(0) for zero. */
static void input_exact(double t, double *x) { x[0] = sin(t); }
static void input_exact_from_1(double t, double *x) { x[0] = sin(t) + 1.0; }

static int input_e(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 - cos(in->t);
  return 0;
}

static void input_from(nsds_model *model, nsds_ds **ds, double c) {
  *ds = nsds_first_order_linear(model,
                                &(nsds_first_order_linear_def){
                                    .n = 1, .x0 = &c, .A = (double[]){-1.0}, .b = (double[]){1.0}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 1,
                                                     .C = (double[]){-1.0},
                                                     .D = (double[]){1.0},
                                                     .B = (double[]){1.0},
                                                     .e_fn = input_e});
  nsds_connect(model, relation, nsds_equality(model), 1, ds);
}

static void input_from_0(nsds_model *model, nsds_ds **ds) { input_from(model, ds, 0.0); }

static void input_from_1(nsds_model *model, nsds_ds **ds) { input_from(model, ds, 1.0); }

/* The root of a function that changes sign once in [a, b]. */
static double root(double (*f)(double), double a, double b) {
  bool rising = f(b) > 0.0;
  for (int k = 0; k < 200; ++k) {
    double middle = 0.5 * (a + b);
    if ((f(middle) > 0.0) == rising) b = middle;
    else a = middle;
  }
  return 0.5 * (a + b);
}

/*
 * A rectifier: dx/dt = -x + lambda, 0 <= lambda + x - 2 sin t perp lambda >= 0. While the diode
 * leads, dx/dt = 2 sin t - 2 x; lambda is continuous (relative degree 0).
 */
static double conducting(double t) { return (4.0 * sin(t) - 2.0 * cos(t)) / 5.0; }
static double before_diode(double t) { return 2.0 * sin(t) - 0.5 * exp(-t); }
static double start_of_diode;
static double leading(double t) {
  double c = 2.0 * sin(start_of_diode) - conducting(start_of_diode);
  return conducting(t) + c * exp(-2.0 * (t - start_of_diode));
}
static double diode_current(double t) { return 2.0 * sin(t) - leading(t); }

static void rectifier_exact(double t, double *x) {
  static double end_of_diode;
  if (end_of_diode == 0.0) {
    start_of_diode = root(before_diode, 0.0, 1.0);
    end_of_diode = root(diode_current, start_of_diode + 0.5, 3.0);
  }
  if (t <= start_of_diode) x[0] = 0.5 * exp(-t);
  else if (t <= end_of_diode) x[0] = leading(t);
  else x[0] = leading(end_of_diode) * exp(end_of_diode - t);
}

static int rectifier_e(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -2.0 * sin(in->t);
  return 0;
}

static void rectifier(nsds_model *model, nsds_ds **ds) {
  *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){0.5}, .A = (double[]){-1.0}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 1,
                                                     .C = (double[]){1.0},
                                                     .D = (double[]){1.0},
                                                     .B = (double[]){1.0},
                                                     .e_fn = rectifier_e});
  nsds_connect(model, relation, nsds_complementarity(model), 1, ds);
}

/*
 * An obstacle: dx/dt = -x + 2 cos t + lambda, 0 <= x perp lambda >= 0 (relative degree 1). x
 * arrives at 3 pi/4 and leaves at 3 pi/2; lambda jumps at the arrival.
 */
static const double pi = 3.14159265358979323846;

static void obstacle_exact(double t, double *x) {
  double leave = 1.5 * pi;
  x[0] = t < 0.75 * pi ? cos(t) + sin(t) : t < leave ? 0.0 : cos(t) + sin(t) + exp(leave - t);
}

static int obstacle_b(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * cos(in->t);
  return 0;
}

static void obstacle(nsds_model *model, nsds_ds **ds) {
  *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 1, .x0 = (double[]){1.0}, .A = (double[]){-1.0}, .b_fn = obstacle_b});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 1, .C = (double[]){1.0}, .B = (double[]){1.0}});
  nsds_connect(model, relation, nsds_complementarity(model), 1, ds);
}

/* A relay: dx/dt = -2 sign(x) + sin t from x = 1; x arrives at zero and slides there. */
static double approach(double t) { return 2.0 - 2.0 * t - cos(t); }

static void relay_exact(double t, double *x) {
  static double arrival;
  if (arrival == 0.0) arrival = root(approach, 0.0, 2.0);
  x[0] = t < arrival ? approach(t) : 0.0;
}

static int relay_b(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = sin(in->t);
  return 0;
}

static void relay(nsds_model *model, nsds_ds **ds) {
  *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){1.0}, .b_fn = relay_b});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 1, .C = (double[]){1.0}, .B = (double[]){2.0}});
  nsds_connect(model, relation, nsds_relay(model, 1, (double[]){-1.0}, (double[]){1.0}), 1, ds);
}

/* ---- schemes ---- */

typedef struct scheme {
  const char *name;
  nsds_scheme_kind scheme;
  double theta, gamma;
  bool input_at_theta, f_at_theta;
} scheme;

static const scheme schemes[nscheme] = {
    {"Euler–Moreau, θ = 1", NSDS_EULER_MOREAU, 1.0, 1.0, false, false},
    {"Euler–Moreau, θ = 1/2", NSDS_EULER_MOREAU, 0.5, 1.0, false, false},
    {"θ–γ, θ = γ = 1/2", NSDS_THETA_GAMMA, 0.5, 0.5, false, false},
    {"full θ–γ, θ = γ = 1/2", NSDS_FULL_THETA_GAMMA, 0.5, 0.5, false, false},
    {"zero-order hold", NSDS_ZERO_ORDER_HOLD, 0.0, 0.0, false, false},
    {"(8.4), θ = γ = 1/2", NSDS_THETA_GAMMA, 0.5, 0.5, true, false},
    {"(8.5), θ = γ = 1/2", NSDS_THETA_GAMMA, 0.5, 0.5, false, true},
    {"(8.6), θ = γ = 1/2", NSDS_FULL_THETA_GAMMA, 0.5, 0.5, false, true}};

enum { nproblem = 8, levels = 8 };

static const double coarsest = 0.05;

static const problem problems[nproblem] = {
    {"constant",
     "ẋ = A x + b, a spiral",
     2,
     4.0,
     constant_linear,
     constant_exact,
     0.05,
     {1, 2, 2, 2, exact, 2, 2, 2}},
    {"forced",
     "ẋ = A x + b(t), b smooth",
     2,
     4.0,
     smooth_linear,
     smooth_exact,
     0.05,
     {1, 2, 2, 2, 1, 2, 1, 1}},
    {"input",
     "ẋ = −x + 1 + λ, 0 = λ − x + 1 − cos t, x(0) = 0, so that λ(0) = 0",
     1,
     4.0,
     input_from_0,
     input_exact,
     0.05,
     {1, 1, 2, 2, 1, 2, 2, 2}},
    {"input from 1",
     "the same from x(0) = 1, so that λ(0) = 1",
     1,
     4.0,
     input_from_1,
     input_exact_from_1,
     0.05,
     {1, 1, 1, 2, 1, 1, 1, 2}},
    {"nonlinear",
     "f = A x − x³ + b(t), 0 = λ + x₁ x₂, r = (λ, λ x₁/2)",
     2,
     4.0,
     smooth_nonlinear,
     smooth_exact,
     0.05,
     {1, 1, 2, 2, refused, 1, 1, 1}},
    {"rectifier",
     "ẋ = −x + λ, 0 ≤ λ + x − 2 sin t ⊥ λ ≥ 0: λ has corners",
     1,
     6.0,
     rectifier,
     rectifier_exact,
     0.2,
     {1, 1, 2, 2, 1, 2, 2, 2}},
    {"obstacle",
     "ẋ = −x + 2 cos t + λ, 0 ≤ x ⊥ λ ≥ 0: λ jumps",
     1,
     6.0,
     obstacle,
     obstacle_exact,
     0.25,
     {1, 2, 2, 1, 1, 2, 1, 1}},
    {"relay",
     "ẋ = sin t + 2 λ, λ ∈ −sign x: λ jumps where x arrives at zero and slides",
     1,
     2.0,
     relay,
     relay_exact,
     0.1,
     {1, 2, 1, 1, 1, 1, 1, 1}}};

typedef struct measurement {
  double order, error; /* at the finest step */
} measurement;

static measurement measured[nproblem][nscheme];

static nsds_discretisation discretisation(const scheme *s) {
  nsds_discretisation made = scheme_of(s->scheme, s->theta, s->gamma);
  if (s->input_at_theta) made = nsds_with_input_at_theta(made);
  return s->f_at_theta ? nsds_with_f_at_theta(made) : made;
}

static double error_of(const problem *p, const scheme *s, double h) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds;
  p->build(model, &ds);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = p->end,
                                       .h = h,
                                       .first_order = discretisation(s),
                                       .newton = {.residual = 1e-13, .increment = 1e-12}});
  assert_sound(model);
  double error = 0.0, x[2];
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    p->solution(nsds_time(simulation), x);
    for (int i = 0; i < p->n; ++i) error = worse(error, fabs(nsds_x(ds)[i] - x[i]));
  }
  assert_status(model, status, NSDS_END);
  nsds_model_destroy(model);
  return error;
}

static double error_near(const problem *p, const scheme *s, double h) {
  double error = 0.0;
  for (int k = 0; k < 3; ++k) error = worse(error, error_of(p, s, h * (1.0 - 0.07 * k)));
  return error;
}

/* Of log(error) over log(h), h being halved from one to the next. */
static double slope(const double *error) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (int k = 0; k < levels; ++k) {
    double x = -k * log(2.0), y = log(error[k]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (levels * sxy - sx * sy) / (levels * sxx - sx * sx);
}

/* The solutions written down above satisfy what the library is given: the finest error of the best
 * scheme shows it, being far below that of any mistake in them. */
static void check(void **state) {
  const problem *p = *state;
  measurement *row = measured[p - problems];
  double best = INFINITY;
  for (int s = 0; s < nscheme; ++s) {
    if (p->expected[s] == refused) continue;
    double e[levels], largest = 0.0;
    for (int k = 0; k < levels; ++k) {
      e[k] = error_near(p, &schemes[s], ldexp(coarsest, -k));
      largest = worse(largest, e[k]);
    }
    row[s] = (measurement){slope(e), e[levels - 1]};
    best = fmin(best, e[levels - 1]);
    print_message("             %-14s %-24s order %5.2f, errors %.1e ... %.1e\n", p->name,
                  schemes[s].name, row[s].order, e[0], e[levels - 1]);
    if (p->expected[s] == exact) {
      row[s].error = largest;
      assert_between(largest, 0.0, 1e-12); /* rounding, of up to 12000 steps */
    } else assert_between(row[s].order, p->expected[s] - p->slack, p->expected[s] + p->slack);
  }
  assert_between(best, 0.0, 2e-7);
}

/* ---- the tables of docs/orders.md ---- */

static void write_table(FILE *out) {
  fprintf(out, "|");
  for (int s = 0; s < nscheme; ++s) fprintf(out, " | %s", schemes[s].name);
  fprintf(out, " |\n|---|");
  for (int s = 0; s < nscheme; ++s) fprintf(out, "---|");
  for (int p = 0; p < nproblem; ++p) {
    fprintf(out, "\n| %s", problems[p].name);
    for (int s = 0; s < nscheme; ++s)
      if (problems[p].expected[s] == refused) fprintf(out, " | refused");
      else if (problems[p].expected[s] == exact)
        fprintf(out, " | exact (%.0e)", measured[p][s].error);
      else fprintf(out, " | %.2f (%.1e)", measured[p][s].order, measured[p][s].error);
    fprintf(out, " |");
  }
  fprintf(out, "\n\n| problem | |\n|---|---|\n");
  for (int p = 0; p < nproblem; ++p)
    fprintf(out, "| %s | %s |\n", problems[p].name, problems[p].text);
}

int main(int argc, char **argv) {
  static struct CMUnitTest tests[nproblem];
  for (int p = 0; p < nproblem; ++p)
    tests[p] = (struct CMUnitTest){.name = problems[p].name,
                                   .test_func = check,
                                   .initial_state = (void *)(uintptr_t)&problems[p]};
  int failed = _cmocka_run_group_tests("first_order.orders", tests, nproblem, NULL, NULL);
  FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
  if (out) write_table(out);
  return failed || (argc > 1 && !out) || (out && fclose(out) != 0);
}
