/*
 * Every law on every relation under every scheme: what cannot work together is refused when the
 * interaction or the simulation is made, by a message that names law, relation or system; all else
 * steps.
 */
#include "support.h"
#include "static_schemes.h"

#include <stdio.h>

enum { most = 5 };

/* ---- laws ------------------------------------------------------------------------------------ */

static const double low[most] = {-1.0, -1.0, -1.0, -1.0, -1.0},
                    high[most] = {1.0, 1.0, 1.0, 1.0, 1.0};

static nsds_law *newton(nsds_model *m) { return nsds_newton_impact(m, 0.5); }
static nsds_law *poisson(nsds_model *m) { return nsds_poisson_impact(m, 0.5); }
static nsds_law *distributing(nsds_model *m) {
  return nsds_distributing_impact(
      m, &(nsds_distributing_impact_def){.restitution = 0.5, .stiffness = 1.0});
}
static nsds_law *friction(nsds_model *m) {
  return nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.3});
}
static nsds_law *friction_2d(nsds_model *m) {
  return nsds_newton_impact_friction(m,
                                     &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.3});
}
static nsds_law *fremond(nsds_model *m) {
  return nsds_fremond_impact_friction(m, &(nsds_fremond_impact_friction_def){.mu = 0.3});
}
static nsds_law *rolling(nsds_model *m) {
  return nsds_newton_impact_rolling(
      m, &(nsds_newton_impact_rolling_def){.mu = 0.3, .mu_rolling = 0.01});
}
static nsds_law *complementarity(nsds_model *m) { return nsds_complementarity(m); }
static nsds_law *equality(nsds_model *m) { return nsds_equality(m); }
static nsds_law *relay(nsds_model *m) { return nsds_relay(m, 1, low, high); }
static nsds_law *saturation(nsds_model *m) { return nsds_saturation(m, 1, low, high, 10.0); }
static nsds_law *cone(nsds_model *m) {
  return nsds_normal_cone(m, 2, 3, (double[]){1.0, 0.0, -1.0, 0.0, 1.0, -1.0},
                          (double[]){-1.0, -1.0, -1.0});
}

typedef struct law {
  const char *name;
  nsds_law *(*make)(nsds_model *model);
  int size;
} law;

static const law laws[] = {{"nsds_newton_impact", newton, 1},
                           {"nsds_poisson_impact", poisson, 1},
                           {"nsds_distributing_impact", distributing, 1},
                           {"nsds_newton_impact_friction", friction, 3},
                           {"nsds_newton_impact_friction", friction_2d, 2},
                           {"nsds_fremond_impact_friction", fremond, 3},
                           {"nsds_newton_impact_rolling", rolling, 5},
                           {"nsds_complementarity", complementarity, 1},
                           {"nsds_equality", equality, 1},
                           {"nsds_relay", relay, 1},
                           {"nsds_saturation", saturation, 1},
                           {"nsds_normal_cone", cone, 2}};

/* ---- relations of so many rows, over systems of six velocities, or six states -----------------
 */

enum { n = 6 };
static double matrix[n * most], diagonal[most * most], identity[n * n];

static void fill(int ny) {
  memset(matrix, 0, sizeof matrix);
  memset(diagonal, 0, sizeof diagonal);
  memset(identity, 0, sizeof identity);
  for (int i = 0; i < ny; ++i) {
    matrix[i + i * ny] = 1.0;
    diagonal[i + i * ny] = 0.1;
  }
  for (int i = 0; i < n; ++i) identity[i + i * n] = 1.0;
}

static int rows_asked;

static int first_rows(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  for (int i = 0; i < rows_asked; ++i) y[i] = in->nq > 0 ? in->q[i] : in->x[i];
  return 0;
}

static int soft_rows(const nsds_arguments *in, double *y, void *user) {
  first_rows(in, y, user);
  for (int i = 0; i < rows_asked; ++i) y[i] += 0.1 * in->lambda[i];
  return 0;
}

static int moving_rows(const nsds_arguments *in, double *y, void *user) {
  first_rows(in, y, user);
  y[0] -= 0.01 * sin(in->t);
  return 0;
}

static int moving_rate(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -0.01 * cos(in->t);
  return 0;
}

static int inputs(const nsds_arguments *in, double *g, void *user) {
  (void)user;
  int at = in->nq > 0 && in->nx > 0 ? 1 : 0;
  for (int i = 0; i < rows_asked; ++i) g[at + i] = in->lambda[i];
  return 0;
}

static nsds_relation *linear(nsds_model *m, int ny) {
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.name = "r", .ny = ny, .nq = n, .H = matrix});
}
static nsds_relation *linear_d(nsds_model *m, int ny) {
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){
             .name = "r", .ny = ny, .nq = n, .H = matrix, .D = diagonal});
}
static nsds_relation *linear_compliance(nsds_model *m, int ny) {
  return nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){
             .name = "r", .ny = ny, .nq = n, .H = matrix, .compliance = diagonal});
}
static nsds_relation *scleronomous(nsds_model *m, int ny) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){.name = "r",
                                         .ny = ny,
                                         .nq = n,
                                         .output_fn = first_rows,
                                         .jac_output_q_fn = nsds_differences});
}
static nsds_relation *rheonomous(nsds_model *m, int ny) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){.name = "r",
                                         .ny = ny,
                                         .nq = n,
                                         .output_fn = moving_rows,
                                         .jac_output_q_fn = nsds_differences,
                                         .jac_output_t_fn = moving_rate});
}
static nsds_relation *compliant(nsds_model *m, int ny) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){.name = "r",
                                         .ny = ny,
                                         .nq = n,
                                         .output_fn = soft_rows,
                                         .jac_output_q_fn = nsds_differences,
                                         .jac_output_lambda_fn = nsds_differences});
}
static nsds_relation *rate_form(nsds_model *m, int ny) {
  return nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){.name = "r",
                                         .ny = ny,
                                         .nq = n,
                                         .output_fn = soft_rows,
                                         .jac_output_q_fn = nsds_differences,
                                         .jac_output_lambda_fn = nsds_differences,
                                         .rate_form = true});
}
static nsds_relation *sphere(nsds_model *m, int ny) {
  if (ny == 2) return NULL;
  return nsds_sphere_plane_relation(
      m, &(nsds_sphere_plane_relation_def){
             .name = "r", .rows = ny, .radius = 0.1, .normal = {0.0, 0.0, 1.0}});
}
static nsds_relation *first_linear(nsds_model *m, int ny) {
  return nsds_first_order_linear_relation(
      m, &(nsds_first_order_linear_relation_def){
             .name = "r", .ny = ny, .nx = n, .C = matrix, .D = diagonal, .B = identity});
}
static nsds_relation *first_nonlinear(nsds_model *m, int ny) {
  return nsds_first_order_relation(
      m, &(nsds_first_order_relation_def){.name = "r",
                                          .ny = ny,
                                          .nx = n,
                                          .output_fn = soft_rows,
                                          .jac_output_x_fn = nsds_differences,
                                          .jac_output_lambda_fn = nsds_differences,
                                          .input_fn = inputs,
                                          .jac_input_x_fn = nsds_zero,
                                          .jac_input_lambda_fn = nsds_differences});
}
static nsds_relation *mixed_linear(nsds_model *m, int ny) {
  return nsds_mixed_linear_relation(
      m, &(nsds_mixed_linear_relation_def){
             .name = "r", .ny = ny, .nx = 1, .nq = n, .E = matrix, .D = diagonal, .L = identity});
}
static nsds_relation *mixed_nonlinear(nsds_model *m, int ny) {
  return nsds_mixed_relation(m, &(nsds_mixed_relation_def){.name = "r",
                                                           .ny = ny,
                                                           .nx = 1,
                                                           .nq = n,
                                                           .output_fn = soft_rows,
                                                           .jac_output_x_fn = nsds_zero,
                                                           .jac_output_q_fn = nsds_differences,
                                                           .jac_output_v_fn = nsds_zero,
                                                           .jac_output_lambda_fn = nsds_differences,
                                                           .input_fn = inputs,
                                                           .jac_input_lambda_fn = nsds_differences,
                                                           .jac_input_v_fn = nsds_zero});
}

typedef enum kind { COORDINATES, BODY, STATES, BOTH } kind;

typedef struct relation {
  const char *name;
  nsds_relation *(*make)(nsds_model *model, int ny);
  kind over;
} relation;

static const relation relations[] = {{"linear", linear, COORDINATES},
                                     {"linear with D", linear_d, COORDINATES},
                                     {"linear with compliance", linear_compliance, COORDINATES},
                                     {"scleronomous", scleronomous, COORDINATES},
                                     {"rheonomous", rheonomous, COORDINATES},
                                     {"compliant", compliant, COORDINATES},
                                     {"in rate form", rate_form, COORDINATES},
                                     {"sphere on a plane", sphere, BODY},
                                     {"first order, linear", first_linear, STATES},
                                     {"first order, nonlinear", first_nonlinear, STATES},
                                     {"mixed, linear", mixed_linear, BOTH},
                                     {"mixed, nonlinear", mixed_nonlinear, BOTH}};

/* ---- schemes --------------------------------------------------------------------------------- */

typedef struct scheme {
  const char *name; /* a word of its refusals */
  nsds_time_stepping_def def;
  int ratio;
  bool events;
} scheme;

static const scheme schemes[] = {
    {.name = "Moreau-Jean"},
    {.name = "theta",
     .def = {.first_order = EULER_MOREAU(1.0), .second_order = MOREAU_JEAN(1.0, 1.0)}},
    {.name = "theta",
     .def = {.first_order = EULER_MOREAU(0.0), .second_order = MOREAU_JEAN(0.0, 1.0)}},
    {.name = "theta-gamma",
     .def = {.first_order = THETA_GAMMA(0.5, 0.5), .second_order = MOREAU_JEAN(0.5, 0.5)}},
    {.name = "full theta-gamma",
     .def = {.first_order = FULL_THETA_GAMMA(0.5, 0.5), .second_order = MOREAU_JEAN(0.5, 0.5)}},
    {.name = "zero_order_hold", .def.first_order = ZERO_ORDER_HOLD},
    {.name = "input at theta",
     .def.first_order = EULER_MOREAU_WITH(0.5, NSDS_OPTION_INPUT_AT_THETA)},
    {.name = "Schatzman-Paoli", .def.second_order = SCHATZMAN_PAOLI(0.5)},
    {.name = "D1-minus", .def.second_order = D1_MINUS},
    {.name = "RATTLE", .def.second_order = RATTLE},
    {.name = "projection", .def.projection.kind = NSDS_PROJECTION_DIRECT},
    {.name = "projection", .def.projection.kind = NSDS_PROJECTION_COMBINED},
    {.name = "step ratio", .ratio = 3},
    {.name = "event-driven", .events = true}};

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* ---- all of them ----------------------------------------------------------------------------- */

static int systems(nsds_model *m, kind over, int ratio, nsds_ds **ds) {
  int count = 0;
  double at[n];
  for (int i = 0; i < n; ++i) at[i] = 0.05;
  if (over == BOTH)
    ds[count++] = nsds_first_order_linear(
        m, &(nsds_first_order_linear_def){.name = "x", .n = 1, .A = (double[]){-1.0}});
  if (over == STATES)
    ds[count++] =
        nsds_first_order_linear(m, &(nsds_first_order_linear_def){.name = "x", .n = n, .x0 = at});
  else if (over == BODY)
    ds[count++] =
        nsds_rigid_body(m, &(nsds_rigid_body_def){.name = "x",
                                                  .mass = 1.0,
                                                  .inertia = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
                                                  .q0 = (double[]){0, 0, 0.1, 1, 0, 0, 0},
                                                  .gravity = {0.0, 0.0, -9.81}});
  else
    ds[count++] = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){.name = "x",
                                         .ndof = n,
                                         .q0 = at,
                                         .mass = identity,
                                         .fext = (double[]){-1, 0.1, 0, 0, 0, 0}});
  for (int k = 0; ratio > 0 && k < count; ++k)
    nsds_ds_discretise(ds[k], nsds_with_step_ratio(nsds_nv(ds[k]) ? nsds_moreau_jean(0.5, 1.0)
                                                                  : nsds_euler_moreau(0.5),
                                                   ratio));
  return count;
}

typedef enum verdict {
  STEPS,
  REFUSED_CONNECTION,
  REFUSED_SIMULATION,
  FAILED_LATER,
  NOT_MADE
} verdict;

static verdict judge(const law *l, const relation *r, const scheme *c, char *message, size_t size) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(m);
  nsds_ds *ds[2];
  fill(l->size);
  rows_asked = l->size;
  int count = systems(m, r->over, c->ratio, ds);
  nsds_relation *made = r->make(m, l->size);
  nsds_law *of = l->make(m);
  verdict v = NOT_MADE;
  if (made && of && nsds_error(context) == NSDS_OK) {
    v = REFUSED_CONNECTION;
    if (nsds_connect(m, made, of, count, ds)) {
      nsds_time_stepping_def def = c->def;
      def.t1 = 1.0;
      def.h = 0.01;
      nsds_simulation *s =
          c->events
              ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.01})
              : nsds_time_stepping(m, &def);
      v = s ? STEPS : REFUSED_SIMULATION;
      for (int k = 0; s && v == STEPS && k < 20; ++k)
        if (nsds_step(s) < 0) v = FAILED_LATER;
    }
  }
  snprintf(message, size, "%s", nsds_error_message(context));
  nsds_model_destroy(m);
  return v;
}

static bool has(const char *message, const char *word) { return strstr(message, word) != NULL; }

static void check(const law *l, const relation *r, const scheme *c, verdict v,
                  const char *message) {
  bool named = v == REFUSED_CONNECTION
                   ? has(message, l->name) && has(message, "relation 'r'")
                   : (has(message, "interaction #0") || has(message, "system 'x'")) &&
                         (has(message, c->name) || has(message, "time stepping"));
  if (v == STEPS || ((v == REFUSED_CONNECTION || v == REFUSED_SIMULATION) && named)) return;
  if (v == NOT_MADE && r->over == BODY && l->size == 2) return; /* in space there are 1, 3 or 5 */
  fail_msg("%s of %d rows, %s, %s: %s: %s", l->name, l->size, r->name, c->name,
           v == FAILED_LATER ? "failed in a step"
           : v == NOT_MADE   ? "was not made"
                             : "does not name what it refuses",
           message);
}

static void every_pair(void **state) {
  (void)state;
  int counts[NOT_MADE + 1] = {0};
  for (int l = 0; l < COUNT(laws); ++l)
    for (int r = 0; r < COUNT(relations); ++r)
      for (int c = 0; c < COUNT(schemes); ++c) {
        char message[512];
        verdict v = judge(&laws[l], &relations[r], &schemes[c], message, sizeof message);
        ++counts[v];
        check(&laws[l], &relations[r], &schemes[c], v, message);
      }
  print_message("             %d step, %d are refused by nsds_connect(), %d by the simulation\n",
                counts[STEPS], counts[REFUSED_CONNECTION], counts[REFUSED_SIMULATION]);
  assert_true(counts[STEPS] > 900 && counts[REFUSED_CONNECTION] > 300 &&
              counts[REFUSED_SIMULATION] > 400);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair)};
  return cmocka_run_group_tests_name("kernel.pairs", tests, NULL, NULL);
}
