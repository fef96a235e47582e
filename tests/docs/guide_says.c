/*
 * Makes each mistake of the tables in docs/mistakes.md, and looks the outcome up in the documents given.
 *
 *   guide_says DOCUMENT...
 *
 * Each outcome is a sentence with the library's message or figures. All must be in the documents, line
 * breaks aside.
 */
#include <nsds/nsds.h>

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char guide[1 << 17]; /* the documents, white space collapsed */
static int missing, said;

static void read_document(const char *path) {
  FILE *in = fopen(path, "r");
  size_t n = strlen(guide);
  for (int c; in && n + 1 < sizeof guide && (c = fgetc(in)) != EOF;)
    if (!isspace(c) || (n > 0 && guide[n - 1] != ' ')) guide[n++] = isspace(c) ? ' ' : (char)c;
  if (in) fclose(in);
}

/* The document says this. */
static void says(const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  ++said;
  if (strstr(guide, text)) return;
  ++missing;
  printf("not in the documents: %s\n", text);
}

/* The document quotes the message of the model, which is given up. */
static void quotes(nsds_model *model) {
  says("%s", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
}

static nsds_simulation *stepping(nsds_model *model, nsds_time_stepping_def def) {
  return nsds_time_stepping(model, &def);
}

static const double one[] = {1.0}, zero[] = {0.0};

/* ---- pictures that look wrong ------------------------------------------------------------------
 */

/* A ball of 1 kg, q its height, v = v0, over the floor y = sign q. */
static nsds_interaction *ball(nsds_model *model, double q0, double v0, double e, double sign) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .q0 = &q0, .v0 = &v0, .mass = one, .fext = (double[]){-9.81}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &sign});
  return nsds_connect(model, gap, nsds_newton_impact(model, e), 1, &ds);
}

static void balls(void) {
  nsds_model *model = nsds_model_create(NULL);
  ball(model, 1.0, 0.0, 0.5, -1.0);
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}));
  says("after 1 s it is at %.2f m", nsds_q(nsds_ds_at(model, 0))[0]);
  nsds_model_destroy(model);

  model = nsds_model_create(NULL);
  nsds_interaction *contact = ball(model, -0.2, 0.0, 0.0, 1.0);
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}));
  says("stays at y = %.2f m and carries %.2f N", nsds_y(contact)[0], nsds_lambda(contact)[0]);
  says("`nsds_impulse()` is %.5f there", nsds_impulse(contact)[0]);
  nsds_model_destroy(model);

  model = nsds_model_create(NULL);
  contact = ball(model, 1.0, 0.0, 0.0, 1.0);
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2}));
  says("rests at y = %.4f m", nsds_y(contact)[0]);
  nsds_model_destroy(model);

  double peak[2];
  for (int k = 0; k < 2; ++k) {
    model = nsds_model_create(NULL);
    contact = ball(model, 1.0, 0.0, 0.0, 1.0);
    nsds_simulation *s = stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = k ? 1e-4 : 1e-3});
    for (peak[k] = 0.0; nsds_step(s) == NSDS_OK;) peak[k] = fmax(peak[k], nsds_lambda(contact)[0]);
    nsds_model_destroy(model);
  }
  says("%.0f N with h = 1e-3, %.0f N with h = 1e-4", peak[0], peak[1]);
}

/* Largest |q| of q'' = -100 q from q = 1 in the last second of 10. */
static double swing(double theta) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .q0 = one, .mass = one, .stiffness = (double[]){100.0}});
  nsds_simulation *s =
      stepping(model, (nsds_time_stepping_def){
                          .t1 = 10.0, .h = 1e-2, .second_order = nsds_moreau_jean(theta, 1.0)});
  double top = 0.0;
  while (nsds_step(s) == NSDS_OK)
    if (nsds_time(s) > 9.0) top = fmax(top, fabs(nsds_q(ds)[0]));
  nsds_model_destroy(model);
  return top;
}

/* x' = -1e4 (x - 1) from 0: x after four steps of 0.01. */
static double stiff(double theta) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .A = (double[]){-1e4}, .b = (double[]){1e4}});
  nsds_run(stepping(model, (nsds_time_stepping_def){
                               .t1 = 0.04, .h = 1e-2, .first_order = nsds_euler_moreau(theta)}));
  double x = nsds_x(ds)[0];
  nsds_model_destroy(model);
  return x;
}

/* A point that flies at a slab of 0.1 m, y = |q| - 0.05; q after 0.2 s. */
static int slab(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = fabs(in->q[0]) - 0.05;
  return 0;
}

static double flight(double h) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = one, .v0 = (double[]){-10.0}, .mass = one});
  nsds_relation *gap = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 1, .output_fn = slab, .jac_output_q_fn = nsds_differences});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.0), 1, &ds);
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 0.2, .h = h}));
  double q = nsds_q(ds)[0];
  nsds_model_destroy(model);
  return q;
}

/* F_int = g q, or with a sign that is given. */
static int gravity(const nsds_arguments *in, double *out, void *user) {
  double sign = user ? *(const double *)user : 1.0;
  out[0] = sign * 9.81 * in->q[0];
  return 0;
}

/* F_int with the sign of a force: a mass that gravity should draw to q = 0 from 1; q after 1 s. */
static double drawn(double sign) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                              .q0 = one,
                                                              .mass = one,
                                                              .fint.fn = gravity,
                                                              .fint.jac_q_fn = nsds_differences,
                                                              .fint.jac_v_fn = nsds_zero,
                                                              .user = &sign});
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}));
  double q = nsds_q(ds)[0];
  nsds_model_destroy(model);
  return q;
}

/* x'' = -4 x from x = 1, v = 0; largest x' in 10 s, A as it is given. */
static double fastest(const double *A) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 2, .x0 = (double[]){1.0, 0.0}, .A = A});
  nsds_simulation *s = stepping(model, (nsds_time_stepping_def){.t1 = 10.0, .h = 1e-3});
  double top = 0.0;
  while (nsds_step(s) == NSDS_OK) top = fmax(top, fabs(nsds_x(ds)[1]));
  nsds_model_destroy(model);
  return top;
}

static void schemes(void) {
  says("%.3f of the amplitude is left after 10 s with θ = 1, %.3f with θ = 1/2", swing(1.0),
       swing(0.5));
  says("with θ = 1/2 x is %.2f after four steps, with θ = 1 %.2f", stiff(0.5), stiff(1.0));
  says("q is %.2f m with h = 0.02 and %.2f m with h = 0.002", flight(0.02), flight(0.002));
  says("q(1) is %.1f m instead of %.1f m", drawn(-1.0), drawn(1.0));
  says("the largest speed is %.2f instead of %.2f", fastest((const double[]){0.0, 1.0, -4.0, 0.0}),
       fastest(NSDS_ROWS(2, 2, 0.0, 1.0, -4.0, 0.0)));
}

/* A bead on a smooth parabola z = q^2 / 2: M = 1 + q^2, M v' + q v^2 + g q = 0. */
static int mass(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + in->q[0] * in->q[0];
  return 0;
}
static int inertia(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] * in->v[0] * in->v[0];
  return 0;
}

static double parabola_change(double gamma_mass) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                              .q0 = one,
                                                              .mass_fn = mass,
                                                              .nnl.fn = inertia,
                                                              .nnl.jac_q_fn = nsds_differences,
                                                              .nnl.jac_v_fn = nsds_differences,
                                                              .fint.fn = gravity,
                                                              .fint.jac_q_fn = nsds_differences,
                                                              .fint.jac_v_fn = nsds_zero});
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 20.0,
                                                    .h = 5e-3,
                                                    .second_order = nsds_with_gamma_mass(
                                                        nsds_moreau_jean(0.5, 1.0), gamma_mass)}));
  double q = nsds_q(ds)[0], change = nsds_kinetic_energy(ds) + 0.5 * 9.81 * (q * q - 1.0);
  nsds_model_destroy(model);
  return change / (0.5 * 9.81);
}

/* A pendulum as a mass on a rod of 1 m, |y| after 20 s. */
static int rod(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = hypot(in->q[0], in->q[1]) - 1.0;
  return 0;
}

static double rod_drift(double gamma, nsds_projection_kind kind) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .q0 = (double[]){1.0, 0.0},
                                           .mass = NSDS_ROWS(2, 2, 1.0, 0.0, 0.0, 1.0),
                                           .fext = (double[]){0.0, -9.81}});
  nsds_relation *r = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 2, .output_fn = rod, .jac_output_q_fn = nsds_differences});
  nsds_interaction *ia = nsds_connect(model, r, nsds_equality(model), 1, &ds);
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 20.0,
                                                    .h = 5e-3,
                                                    .second_order = nsds_moreau_jean(0.5, gamma),
                                                    .projection = {.kind = kind}}));
  double y = fabs(nsds_y(ia)[0]);
  nsds_model_destroy(model);
  return y;
}

static void positions(void) {
  says("%+.0f %% in 20 s with the default, %.2f %% with `nsds_with_gamma_mass()`",
       100.0 * parabola_change(1.0), 100.0 * fabs(parabola_change(0.5)));
  says("%.0e m after 20 s; with γ = 1/2 %.0e m; with `NSDS_PROJECTION_DIRECT` below 1e-10 m",
       rod_drift(1.0, NSDS_PROJECTION_NONE), rod_drift(0.5, NSDS_PROJECTION_NONE));
  if (rod_drift(1.0, NSDS_PROJECTION_DIRECT) > 1e-10) says("the projection has not converged");
}

/* Height after 1 s of a box of 0.4 m that falls from 1 m onto one piece of scenery. */
static double box_on(nsds_shape_def scenery) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *box = nsds_rigid_body_2d(
      model,
      &(nsds_rigid_body_2d_def){
          .mass = 1.0, .inertia = 0.1, .q0 = (double[]){0.0, 1.0, 0.0}, .gravity = {0.0, -9.81}});
  nsds_shapes(model,
              &(nsds_shapes_def){.dimension = 2,
                                 .nmaterial = 1,
                                 .material = &(nsds_material){.mu = 0.5},
                                 .nshape = 2,
                                 .shape = (nsds_shape_def[]){
                                     {.kind = NSDS_BOX, .ds = box, .half = {0.2, 0.2}}, scenery}});
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}));
  double height = nsds_q(box)[1];
  nsds_model_destroy(model);
  return height;
}

static double on_half_space(double normal) {
  return box_on((nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = {.normal = {0.0, normal}}});
}

/* Period of small swings of a rod of 1 m and 1 kg about its end, with this inertia in its definition. */
static double period(double inertia_given) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body_2d(
      model, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                       .inertia = inertia_given,
                                       .q0 = (double[]){0.5 * sin(0.05), -0.5 * cos(0.05), 0.05},
                                       .gravity = {0.0, -9.81}});
  nsds_joint_def pivot = {.kind = NSDS_JOINT_BALL, .ds = {ds}};
  nsds_connect(model, nsds_joint(model, &pivot), nsds_equality(model), 1, &ds);
  nsds_simulation *s = stepping(model, (nsds_time_stepping_def){.t1 = 20.0, .h = 1e-3});
  double first = 0.0, last = 0.0, angle = 0.05;
  int count = -1; /* of periods between two passages upwards */
  while (nsds_step(s) == NSDS_OK) {
    double before = angle;
    angle = nsds_q(ds)[2];
    if (before >= 0.0 || angle < 0.0) continue;
    last = nsds_time(s);
    if (++count == 0) first = last;
  }
  nsds_model_destroy(model);
  return (last - first) / count;
}

static void bodies(void) {
  says("after 1 s it is at y = %.2f m instead of %.2f m", on_half_space(-1.0), on_half_space(1.0));
  says("its period is %.2f s instead of %.2f s", period(1.0 / 3.0), period(1.0 / 12.0));
}

/* L di/dt = 1 V - (1 Ohm) i: i after 20 ms, the source given as b. */
static double current(double b) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 1, .mass = (double[]){1e-3}, .A = (double[]){-1.0}, .b = &b});
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 0.02, .h = 1e-5}));
  double i = nsds_x(ds)[0];
  nsds_model_destroy(model);
  return i;
}

/* Steps of a ball that bounces for 1 s, event-driven. */
static long rows_of_events(double output_period) {
  nsds_model *model = nsds_model_create(NULL);
  ball(model, 1.0, 0.0, 0.5, 1.0);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = output_period});
  long rows = 0;
  while (nsds_step(s) == NSDS_OK) ++rows;
  nsds_model_destroy(model);
  return rows;
}

static void currents_and_rows(void) {
  says("it settles at %.2f A instead of %.2f A", current(1.0 / 1e-3), current(1.0));
  says("%ld of a bouncing ball in 1 s, with `.output_period = 1e-3` %ld", rows_of_events(0.0),
       rows_of_events(1e-3));
}

/* x' = 1/2 - 2 sign(x), x from 1, by a relay or as a right-hand side. */
static nsds_ds *pulled(nsds_model *model, double b) {
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .x0 = one, .b = (double[]){0.5}});
  nsds_relation *r = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = one, .B = &b});
  nsds_connect(model, r, nsds_relay(model, 1, (double[]){-2.0}, (double[]){2.0}), 1, &ds);
  return ds;
}
static int switched(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.5 - 2.0 * ((in->x[0] > 0.0) - (in->x[0] < 0.0));
  return 0;
}

static void relays(void) {
  double x[2];
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = pulled(model, k ? -1.0 : 1.0);
    nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 2.0, .h = 1e-2}));
    x[k] = nsds_x(ds)[0];
    nsds_model_destroy(model);
  }
  says("x(2) is %.1f instead of %.1f", x[1], fabs(x[0]));

  nsds_model *model = nsds_model_create(NULL);
  nsds_first_order(
      model, &(nsds_first_order_def){
                 .name = "switch", .n = 1, .x0 = one, .f_fn = switched, .jac_f_x_fn = nsds_zero});
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 2.0, .h = 1e-2}));
  quotes(model);
}

/* x' = -x + 1 + lambda, 0 = lambda - x; lambda(0) = 1, then x = t + 1. */
static void start_of_lambda(void) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){.n = 1, .x0 = one, .b = (double[]){-1.0}});
    nsds_relation *r = nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){
                   .ny = 1, .nx = 1, .C = one, .B = one, .e = (double[]){-1.0}});
    nsds_interaction *ia = nsds_connect(model, r, nsds_equality(model), 1, &ds);
    nsds_discretisation scheme = nsds_theta_gamma(0.5, 0.5);
    if (k == 1) scheme = nsds_with_initial_lambda(scheme);
    nsds_simulation *s =
        stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2, .first_order = scheme});
    double low = 9.0, high = -9.0;
    while (nsds_step(s) == NSDS_OK) {
      low = fmin(low, nsds_lambda(ia)[0]);
      high = fmax(high, nsds_lambda(ia)[0]);
    }
    error[k] = high - low;
    if (k == 0) says("λ jumps between %.0f and %.0f", low + 0.0, high);
    nsds_model_destroy(model);
  }
  if (error[1] > 1e-6) says("nsds_with_initial_lambda() leaves %g", error[1]);
}

/* ---- messages
 * ------------------------------------------------------------------------------------ */

static int pole(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 / (0.5 - in->t);
  return 0;
}

static nsds_ds *integrators(nsds_model *model, int n, nsds_law *law) {
  double A[16] = {0.0}, B[4] = {0.0}, C[4] = {1.0}, x0[4] = {1.0};
  for (int i = 0; i + 1 < n; ++i) A[i + (i + 1) * n] = 1.0;
  B[n - 1] = 1.0;
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.name = "chain", .n = n, .x0 = x0, .A = A});
  nsds_relation *r = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = n, .C = C, .B = B});
  nsds_connect(model, r, law, 1, &ds);
  return ds;
}

static void definitions(void) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one, .z = one});
  quotes(model);

  model = nsds_model_create(NULL);
  nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = NSDS_ROWS(2, 2, 1.0, 0.0, 0.0, 0.0)});
  quotes(model);

  model = nsds_model_create(NULL);
  nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1, .mass = one, .fint.fn = gravity});
  quotes(model);

  model = nsds_model_create(NULL);
  nsds_newton_impact(model, 1.5);
  quotes(model);

  model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.name = "ball", .ndof = 1, .mass = one});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .name = "gap", .ny = 1, .nq = 2, .H = NSDS_ROWS(1, 2, 1.0, -1.0)});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &ds);
  quotes(model);

  model = nsds_model_create(NULL);
  ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.name = "ball", .ndof = 1, .mass = one});
  gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.name = "gap", .ny = 1, .nq = 1, .H = one});
  nsds_connect(model, gap,
               nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.3}), 1,
               &ds);
  quotes(model);

  model = nsds_model_create(NULL);
  ds = nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = 1.0, .inertia = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}});
  gap = nsds_sphere_plane_relation(model, &(nsds_sphere_plane_relation_def){.normal = {0, 0, 1}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &ds);
  quotes(model);

  model = nsds_model_create(NULL);
  integrators(model, 1, nsds_newton_impact(model, 0.5));
  quotes(model);
}

static void simulations(void) {
  nsds_model *model = nsds_model_create(NULL);
  integrators(model, 3, nsds_complementarity(model));
  stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
  quotes(model);

  model = nsds_model_create(NULL); /* a switch that is closed on a source: 0 = e */
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.name = "circuit", .n = 1});
  nsds_relation *r = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 1, .C = zero, .B = one, .e = (double[]){-1.0}});
  nsds_connect(model, r, nsds_complementarity(model), 1, &ds);
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2}));
  quotes(model);

  model = nsds_model_create(NULL);
  nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.name = "circuit",
                                            .n = 2,
                                            .mass = NSDS_ROWS(2, 2, 1.0, 0.0, 0.0, 0.0),
                                            .A = NSDS_ROWS(2, 2, -1.0, 0.0, 0.0, 0.0)});
  nsds_run(stepping(model, (nsds_time_stepping_def){
                               .t1 = 1.0, .h = 1e-2, .first_order = nsds_euler_moreau(1.0)}));
  quotes(model);

  model = nsds_model_create(NULL);
  nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.name = "circuit",
                                            .n = 2,
                                            .x0 = (double[]){1.0, 0.0},
                                            .mass = NSDS_ROWS(2, 2, 1.0, 0.0, 0.0, 0.0),
                                            .A = NSDS_ROWS(2, 2, -1.0, 0.0, 1.0, -1.0)});
  stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
  quotes(model);

  model = nsds_model_create(NULL);
  nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
                                    .name = "ball", .ndof = 1, .mass = one, .fext_fn = pole});
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 0.25}));
  quotes(model);

  model = nsds_model_create(NULL);
  ball(model, 1.0, 0.0, 0.5, 1.0);
  nsds_ds *ball = nsds_ds_at(model, 0);
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = one});
  nsds_connect(model, gap, nsds_poisson_impact(model, 0.5), 1, &ball);
  stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
  quotes(model);

  model = nsds_model_create(NULL);
  ball = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.name = "ball", .ndof = 1, .mass = one});
  gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = one, .compliance = one});
  nsds_connect(model, gap, nsds_complementarity(model), 1, &ball);
  nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  quotes(model);

  model = nsds_model_create(NULL);
  ball = nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "bead",
                                                       .ndof = 1,
                                                       .q0 = one,
                                                       .mass = one,
                                                       .fint.fn = gravity,
                                                       .fint.jac_q_fn = nsds_zero,
                                                       .fint.jac_v_fn = nsds_zero});
  nsds_check_jacobians(model, 0.0, 0.0, NULL);
  says("%s", nsds_last_message(nsds_model_context(model)));
  nsds_model_destroy(model);
}

/* The guide's oscillator with the relay's force by a mixed relation, and by events. */
static void another_class(void) {
  const double m = 1.0, k = 4.0, force = 2.0, slope = 1.0;
  nsds_model *model = nsds_model_create(NULL);
  /* clang-format off */
#define SHOWN(...) __VA_ARGS__ says("%s", #__VA_ARGS__)
  SHOWN(nsds_ds *mass = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
            .ndof = 1, .q0 = (double[]){2.0}, .mass = &m, .stiffness = &k});
        nsds_relation *sensor = nsds_mixed_linear_relation(model, &(nsds_mixed_linear_relation_def){
            .ny = 1, .nq = 1, .H = &slope, .E = (double[]){1.0}, .L = (double[]){1.0}});
        nsds_law *relay = nsds_relay(model, 1, (double[]){-force}, (double[]){force});
        nsds_interaction *control = nsds_connect(model, sensor, relay, 1, &mass););
  /* clang-format on */
  nsds_run(stepping(model, (nsds_time_stepping_def){.t1 = 8.0, .h = 1e-3}));
  says("x(8) = %.5f m", nsds_q(mass)[0]);
  if (fabs(nsds_y(control)[0]) > 1e-9) says("the mixed relation does not slide");
  nsds_model_destroy(model);
}

static void warnings(void) {
  nsds_model *model = nsds_model_create(NULL);
  integrators(model, 2, nsds_complementarity(model));
  stepping(model, (nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
  says("%s", nsds_last_message(nsds_model_context(model)));
  nsds_model_destroy(model);
}

int main(int argc, char **argv) {
  for (int k = 1; k < argc; ++k) read_document(argv[k]);
  balls();
  schemes();
  positions();
  bodies();
  currents_and_rows();
  relays();
  start_of_lambda();
  definitions();
  simulations();
  another_class();
  warnings();
  if (nsds_step(NULL) >= 0 || nsds_x(NULL)) says("calls with NULL do not fail quietly");
  printf("%d sentences looked up, %d missing\n", said, missing);
  return missing != 0 || said < 30;
}
