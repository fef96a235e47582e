/*
 * Drawn models of one to three masses and up to one winding, tied by what lambda enters without a differentiation:
 * springs, soft and hardening contacts, friction on soft contacts, saturated dampers, contacts and joints with D, mixed
 * relations, nonlinear resistors. Rigid contacts, relays, diodes, prescribed coordinates stand beside them.
 *
 * Each runs event-driven, and by time stepping with three steps h. The largest difference of places and currents must
 * fall with h as an error of order 1 does, or be small.
 *
 *   event_soft_drawn [COUNT [FIRST]]     default 40 from seed 1
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t seed = 1;

static double uniform(double low, double high) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static int below(int n) { return (int)uniform(0.0, n) % n; }

static bool chance(double part) { return uniform(0.0, 1.0) < part; }

enum { most = 4, outputs = 20 };
static const double end_time = 0.8;
/* Several steps of the shortest h times several m/s: the error of the time of an impact. */
static const double most_small = 1e-4;

typedef struct hard {
  double a, b;
} hard;

typedef struct scene {
  nsds_model *model;
  int n;
  nsds_ds *mass[most], *winding;
  hard hard[4 * most]; /* data of functions, as many as are made */
  int nhard;
  double omega, amplitude;
  char text[512];
} scene;

static void note(scene *s, const char *word) {
  size_t length = strlen(s->text);
  snprintf(s->text + length, sizeof s->text - length, " %s", word);
}

/* ---- functions ------------------------------------------------------------------------------- */

static int hard_gap(const nsds_arguments *in, double *y, void *user) {
  const hard *s = user;
  double l = in->lambda[0];
  y[0] = (in->nq > 1 ? in->q[1] - in->q[0] : in->q[0]) + s->a * l + s->b * l * l * l;
  return 0;
}

static int hard_q(const nsds_arguments *in, double *H, void *user) {
  (void)user;
  if (in->nq > 1) H[0] = -1.0, H[1] = 1.0;
  else H[0] = 1.0;
  return 0;
}

static int hard_lambda(const nsds_arguments *in, double *D, void *user) {
  const hard *s = user;
  D[0] = s->a + 3.0 * s->b * in->lambda[0] * in->lambda[0];
  return 0;
}

/* A resistor x = a lambda + b lambda^3, whose current lambda leaves the winding. */
static int resistor(const nsds_arguments *in, double *y, void *user) {
  const hard *s = user;
  double l = in->lambda[0];
  y[0] = in->x[0] - s->a * l - s->b * l * l * l;
  return 0;
}

static int resistor_x(const nsds_arguments *in, double *C, void *user) {
  (void)in, (void)user;
  C[0] = 1.0;
  return 0;
}

static int resistor_lambda(const nsds_arguments *in, double *D, void *user) {
  const hard *s = user;
  D[0] = -s->a - 3.0 * s->b * in->lambda[0] * in->lambda[0];
  return 0;
}

static int leak(const nsds_arguments *in, double *r, void *user) {
  (void)user;
  r[0] = -in->lambda[0] - 0.1 * in->lambda[0] * in->lambda[0] * in->lambda[0];
  return 0;
}

static int leak_lambda(const nsds_arguments *in, double *B, void *user) {
  (void)user;
  B[0] = -1.0 - 0.3 * in->lambda[0] * in->lambda[0];
  return 0;
}

static int supply(const nsds_arguments *in, double *b, void *user) {
  const scene *s = user;
  b[0] = s->amplitude * sin(s->omega * in->t);
  return 0;
}

static int swing(const nsds_arguments *in, double *v, void *user) {
  const scene *s = user;
  v[0] = 0.5 * cos(s->omega * in->t);
  return 0;
}

/* Torque K i and voltage K w with K = 1 + q^2: a motor whose coupling depends on its angle. */
static int bent_h(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->x[0] - in->lambda[0];
  y[1] = in->v[0] - in->lambda[1];
  return 0;
}

static int bent_x(const nsds_arguments *in, double *C, void *user) {
  (void)in, (void)user;
  C[0] = 1.0;
  return 0;
}

static int bent_v(const nsds_arguments *in, double *E, void *user) {
  (void)in, (void)user;
  E[1] = 1.0;
  return 0;
}

static int bent_lambda(const nsds_arguments *in, double *D, void *user) {
  (void)in, (void)user;
  D[0] = D[3] = -1.0;
  return 0;
}

static double bent(const nsds_arguments *in) { return 1.0 + in->q[0] * in->q[0]; }

static int bent_g(const nsds_arguments *in, double *g, void *user) {
  (void)user;
  g[0] = -bent(in) * in->lambda[1];
  g[1] = bent(in) * in->lambda[0];
  return 0;
}

static int bent_g_lambda(const nsds_arguments *in, double *B, void *user) {
  (void)user;
  B[1] = bent(in);
  B[2] = -bent(in);
  return 0;
}

static int bent_g_q(const nsds_arguments *in, double *J, void *user) {
  (void)user;
  J[0] = -2.0 * in->q[0] * in->lambda[1];
  J[1] = 2.0 * in->q[0] * in->lambda[0];
  return 0;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static hard *draw_hard(scene *s) {
  hard *of = &s->hard[s->nhard++];
  *of = (hard){.a = 1.0 / uniform(300.0, 3000.0), .b = chance(0.5) ? 1e-7 : 1e-9};
  return of;
}

static nsds_relation *linear(scene *s, int n, const double *H, double b, const double *D,
                             bool soft) {
  return nsds_lagrangian_linear_relation(
      s->model,
      &(nsds_lagrangian_linear_relation_def){
          .ny = 1, .nq = n, .H = H, .b = &b, .D = soft ? NULL : D, .compliance = soft ? D : NULL});
}

static nsds_law *soft_law(const scene *s) {
  return chance(0.5) ? nsds_complementarity(s->model) : nsds_newton_impact(s->model, 0.0);
}

/* A contact of the coordinates in H. */
static void draw_contact(scene *s, int n, nsds_ds **ds, const double *H, double e) {
  double D = 1.0 / uniform(300.0, 3000.0), damper = 0.1 * chance(0.5);
  int kind = below(4);
  if (kind == 0) {
    note(s, "rigid");
    nsds_connect(s->model, linear(s, n, H, 0.0, NULL, false), nsds_newton_impact(s->model, e), n,
                 ds);
  } else if (kind == 1) {
    note(s, "soft");
    nsds_connect(s->model, linear(s, n, H, 0.0, &D, true), soft_law(s), n, ds);
  } else if (kind == 2) {
    note(s, "damped");
    nsds_connect(s->model, linear(s, n, H, 0.0, damper > 0.0 ? &damper : NULL, false),
                 nsds_newton_impact(s->model, e), n, ds);
  } else {
    note(s, "hardening");
    nsds_relation *r = nsds_lagrangian_relation(
        s->model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                  .nq = n,
                                                  .output_fn = hard_gap,
                                                  .jac_output_q_fn = hard_q,
                                                  .jac_output_lambda_fn = hard_lambda,
                                                  .user = draw_hard(s)});
    nsds_connect(s->model, r, soft_law(s), n, ds);
  }
}

static void draw_spring(scene *s, nsds_ds *a, nsds_ds *b) {
  nsds_spring_def def = {.ds = {a, b},
                         .coordinates = true,
                         .stiffness = uniform(5.0, 200.0),
                         .damping = chance(0.5) ? uniform(0.1, 2.0) : 0.0};
  note(s, "spring");
  nsds_connect(s->model, nsds_spring(s->model, &def), nsds_equality(s->model), b ? 2 : 1, def.ds);
}

/* Between neighbours. */
static void draw_tie(scene *s, nsds_ds *a, nsds_ds *b, double e) {
  static const double between[2] = {-1.0, 1.0};
  nsds_ds *ds[2] = {a, b};
  double D = 0.05, top = uniform(0.5, 5.0), low = -top;
  int kind = below(5);
  if (kind == 0) draw_spring(s, a, b);
  if (kind == 1) draw_contact(s, 2, ds, between, e);
  if (kind == 2) {
    note(s, "joint");
    nsds_connect(s->model, linear(s, 2, between, -0.3, chance(0.5) ? &D : NULL, false),
                 nsds_equality(s->model), 2, ds);
  }
  if (kind == 3) {
    note(s, "saturation");
    nsds_connect(s->model, linear(s, 2, between, 0.0, NULL, false),
                 nsds_saturation(s->model, 1, &low, &top, uniform(1.0, 20.0)), 2, ds);
  }
  if (kind == 4) {
    D = 1.0 / uniform(50.0, 500.0);
    note(s, "soft joint");
    nsds_connect(s->model, linear(s, 2, between, -0.3, &D, true), nsds_equality(s->model), 2, ds);
  }
}

static void draw_drag(scene *s, nsds_ds *ds) {
  const double one = 1.0;
  double top = uniform(0.3, 4.0), low = -top;
  bool relay = chance(0.5);
  note(s, relay ? "relay" : "saturation");
  nsds_connect(s->model, linear(s, 1, &one, 0.0, NULL, false),
               relay ? nsds_relay(s->model, 1, &low, &top)
                     : nsds_saturation(s->model, 1, &low, &top, uniform(1.0, 20.0)),
               1, &ds);
}

static void draw_circuit(scene *s, nsds_ds *rotor) {
  double L = uniform(0.05, 0.5), R = uniform(0.5, 3.0);
  s->winding = nsds_first_order_linear(
      s->model, &(nsds_first_order_linear_def){
                    .n = 1, .mass = &L, .A = (double[]){-R}, .b_fn = supply, .user = s});
  nsds_ds *ds[2] = {s->winding, rotor};
  double K = uniform(0.3, 2.0);
  if (chance(0.4)) {
    note(s, "bent motor");
    nsds_relation *r = nsds_mixed_relation(
        s->model, &(nsds_mixed_relation_def){.ny = 2,
                                             .nx = 1,
                                             .nq = 1,
                                             .output_fn = bent_h,
                                             .jac_output_x_fn = bent_x,
                                             .jac_output_q_fn = nsds_zero,
                                             .jac_output_v_fn = bent_v,
                                             .jac_output_lambda_fn = bent_lambda,
                                             .input_fn = bent_g,
                                             .jac_input_lambda_fn = bent_g_lambda,
                                             .jac_input_q_fn = chance(0.5) ? bent_g_q : NULL});
    nsds_connect(s->model, r, nsds_equality(s->model), 2, ds);
  } else {
    note(s, "motor");
    nsds_relation *r = nsds_mixed_linear_relation(
        s->model, &(nsds_mixed_linear_relation_def){.ny = 2,
                                                    .nx = 1,
                                                    .nq = 1,
                                                    .C = (double[]){1.0, 0.0},
                                                    .E = (double[]){0.0, 1.0},
                                                    .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                                    .B = (double[]){0.0, -K},
                                                    .L = (double[]){K, 0.0}});
    nsds_connect(s->model, r, nsds_equality(s->model), 2, ds);
  }
  const double one = 1.0;
  if (chance(0.4)) {
    note(s, "diode");
    double D = 0.1 * chance(0.5);
    nsds_relation *diode = nsds_first_order_linear_relation(
        s->model, &(nsds_first_order_linear_relation_def){
                      .ny = 1, .nx = 1, .C = &one, .B = &one, .D = D > 0.0 ? &D : NULL});
    nsds_connect(s->model, diode, nsds_complementarity(s->model), 1, &s->winding);
  }
  if (chance(0.3)) {
    note(s, "resistor");
    hard *of = &s->hard[s->nhard++];
    *of = (hard){.a = uniform(0.5, 2.0), .b = uniform(0.0, 0.5)};
    nsds_relation *r = nsds_first_order_relation(
        s->model, &(nsds_first_order_relation_def){.ny = 1,
                                                   .nx = 1,
                                                   .output_fn = resistor,
                                                   .jac_output_x_fn = resistor_x,
                                                   .jac_output_lambda_fn = resistor_lambda,
                                                   .input_fn = leak,
                                                   .jac_input_lambda_fn = leak_lambda,
                                                   .user = of});
    nsds_connect(s->model, r, nsds_equality(s->model), 1, &s->winding);
  }
}

/* A block that slides on a soft floor. */
static void draw_block(scene *s) {
  double m = uniform(0.5, 2.0), k = uniform(200.0, 2000.0), mu = uniform(0.1, 0.6);
  double q0[2] = {0.0, uniform(-0.01, 0.1)}, v0[2] = {uniform(-2.0, 2.0), uniform(-1.0, 0.5)};
  const double S[4] = {1.0 / k, 0.0, 0.0, 0.0};
  note(s, "block");
  nsds_ds *ds = s->mass[s->n++] = nsds_lagrangian_linear(
      s->model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                              .mass = NSDS_ROWS(2, 2, m, 0, 0, m),
                                              .q0 = q0,
                                              .v0 = v0,
                                              .fext = (double[]){0.0, -9.81 * m}});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      s->model, &(nsds_lagrangian_linear_relation_def){
                    .ny = 2, .nq = 2, .H = NSDS_ROWS(2, 2, 0, 1, 1, 0), .compliance = S});
  nsds_connect(s->model, r,
               nsds_newton_impact_friction(
                   s->model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = mu}),
               1, &ds);
}

/* Draws the same model for the same number. */
static void draw(scene *s, uint64_t number) {
  seed = number * UINT64_C(0x9E3779B97F4A7C15);
  for (int k = 0; k < 4; ++k) uniform(0.0, 1.0);
  *s = (scene){.model = nsds_model_create(NULL)};
  s->omega = uniform(3.0, 25.0);
  s->amplitude = uniform(2.0, 12.0);
  int n = 1 + below(3);
  double e = chance(0.5) ? uniform(0.2, 0.8) : 0.0, place = 0.0;
  bool driven = n > 1 && chance(0.25), falls = chance(0.5);
  for (int k = 0; k < n; ++k) {
    double m = uniform(0.5, 3.0), v = uniform(-2.0, 1.0), f = falls ? -9.81 * m : 0.0;
    bool prescribed = driven && k == n - 1;
    place += k == 0 ? uniform(0.02, 0.3) : 0.3;
    s->mass[s->n++] = nsds_lagrangian_linear(
        s->model,
        &(nsds_lagrangian_linear_def){.ndof = 1,
                                      .mass = &m,
                                      .q0 = &place,
                                      .v0 = &v,
                                      .fext = &f,
                                      .prescribed = {.n = prescribed,
                                                     .index = prescribed ? (int[]){0} : NULL,
                                                     .fn = prescribed ? swing : NULL},
                                      .user = s});
  }
  if (driven) note(s, "driven");
  const double one = 1.0;
  int free = driven ? n - 1 : n;
  if (chance(0.7)) draw_contact(s, 1, &s->mass[0], &one, e);
  for (int k = 1; k < n; ++k)
    if (k < free || chance(0.5)) draw_tie(s, s->mass[k - 1], s->mass[k], e);
    else draw_spring(s, s->mass[k - 1], s->mass[k]);
  if (chance(0.4)) draw_spring(s, s->mass[below(free)], NULL);
  if (chance(0.4)) draw_drag(s, s->mass[below(free)]);
  if (chance(0.5)) draw_circuit(s, s->mass[below(free)]);
  if (chance(0.3)) draw_block(s);
}

/* ---- runs ------------------------------------------------------------------------------------ */

enum { values = 2 * most + 1 };

static void read_values(const scene *s, double *x) {
  int at = 0;
  for (int k = 0; k < s->n; ++k)
    for (int j = 0; j < nsds_nq(s->mass[k]); ++j) x[at++] = nsds_q(s->mass[k])[j];
  if (s->winding) x[at++] = 0.1 * nsds_x(s->winding)[0];
  while (at < values) x[at++] = 0.0;
}

/* Runs to the outputs. Returns false with a message if a step fails. h = 0: event-driven. */
static bool run_model(uint64_t number, double h, double (*x)[values], char text[512],
                      char why[256]) {
  scene s;
  bool fine = true;
  draw(&s, number);
  snprintf(text, 512, "%s", s.text);
  nsds_simulation *sim =
      h > 0.0
          ? nsds_time_stepping(s.model, &(nsds_time_stepping_def){.t1 = end_time, .h = h})
          : nsds_event_driven(s.model, &(nsds_event_driven_def){
                                           .t1 = end_time, .output_period = end_time / outputs});
  for (int n = 1; sim && fine && n <= outputs; ++n) {
    double t = end_time * n / outputs;
    while (fine && nsds_time(sim) < t - 1e-9) fine = nsds_step(sim) == NSDS_OK;
    if (nsds_time(sim) >= t - 1e-9) fine = true;
    read_values(&s, x[n - 1]);
  }
  fine = fine && sim && nsds_error(nsds_model_context(s.model)) == NSDS_OK;
  snprintf(why, 256, "%s", fine ? "" : nsds_error_message(nsds_model_context(s.model)));
  nsds_model_destroy(s.model);
  return fine;
}

static double difference(double (*a)[values], double (*b)[values]) {
  double worst = 0.0;
  for (int n = 0; n < outputs; ++n)
    for (int k = 0; k < values; ++k) worst = fmax(worst, fabs(a[n][k] - b[n][k]));
  return worst;
}

/* Returns true if the two agree. */
static bool agrees(uint64_t number, bool tells) {
  static double exact[outputs][values], steps[outputs][values];
  static const double h[3] = {4e-4, 1e-4, 2.5e-5};
  char text[512], why[256];
  double error[3] = {0.0};
  if (!run_model(number, 0.0, exact, text, why)) {
    printf("seed %llu:%s: %s\n", (unsigned long long)number, text, why);
    return false;
  }
  for (int k = 0; k < 3; ++k) {
    if (!run_model(number, h[k], steps, text, why)) {
      printf("seed %llu, time stepping:%s: %s\n", (unsigned long long)number, text, why);
      return false;
    }
    error[k] = difference(exact, steps);
    if (error[k] < 1e-6) break;
  }
  bool small = error[2] < most_small || error[2] < 0.15 * error[0] || error[2] < 0.35 * error[1];
  for (int n = 0; tells && n < outputs; ++n) {
    printf("%.3f:", end_time * (n + 1) / outputs);
    for (int k = 0; k < values; ++k) printf(" %.6f/%.6f", exact[n][k], steps[n][k]);
    printf("\n");
  }
  if (!small || tells)
    printf("seed %llu:%s: %.2e %.2e %.2e\n", (unsigned long long)number, text, error[0], error[1],
           error[2]);
  return small;
}

int main(int argc, char **argv) {
  long count = argc > 1 ? strtol(argv[1], NULL, 10) : 40, first = 1, wrong = 0;
  if (argc > 2) first = strtol(argv[2], NULL, 10);
  for (long k = first; k < first + count; ++k) wrong += !agrees((uint64_t)k, count == 1);
  printf("%ld models, %ld without agreement\n", count, wrong);
  return wrong > 0;
}
