/*
 * Fields of definitions that make no sense, one at a time: a call refuses them with a status and a
 * message, or takes them; the model beside goes on with finite numbers. (What each call says is in
 * kernel.bad_input and first_order.bad_input.)
 */
#include "support.h"

#include <nsds/contact.h>
#include <nsds/shapes.h>

#include <limits.h>
#include <stdio.h>

typedef enum kind { REAL, COUNT, REALS, INDICES, POINTER } kind;

typedef struct field {
  const char *name;
  size_t at;
  kind kind;
} field;

typedef struct object {
  const char *call;
  const void *def; /* one that is right */
  size_t size;
  const void *(*make)(nsds_model *model, const void *def);
  field field[24]; /* ends without a name */
} object;

/* ---- right ones ---- */

static int zeros(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)out, (void)user;
  return 0;
}

static int ones(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static const double one[1] = {1.0}, two[2] = {1.0, 1.0}, identity[4] = {1, 0, 0, 1};
static const double inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, pose[7] = {0, 0, 0, 1, 0, 0, 0};
static const double six[6] = {0};
static const int first[1] = {0};
static nsds_law *law_of_bench;
static nsds_ds *body_of_bench[2];

#define MAKER(object, call, T)                                                                     \
  static const void *make_##call(nsds_model *model, const void *def) {                             \
    return nsds_##call(model, (const T *)def);                                                     \
  }
MAKER(nsds_ds, lagrangian, nsds_lagrangian_def)
MAKER(nsds_ds, lagrangian_linear, nsds_lagrangian_linear_def)
MAKER(nsds_ds, rigid_body, nsds_rigid_body_def)
MAKER(nsds_ds, rigid_body_2d, nsds_rigid_body_2d_def)
MAKER(nsds_ds, first_order, nsds_first_order_def)
MAKER(nsds_ds, first_order_linear, nsds_first_order_linear_def)
MAKER(nsds_relation, lagrangian_linear_relation, nsds_lagrangian_linear_relation_def)
MAKER(nsds_relation, lagrangian_relation, nsds_lagrangian_relation_def)
MAKER(nsds_relation, first_order_linear_relation, nsds_first_order_linear_relation_def)
MAKER(nsds_relation, first_order_relation, nsds_first_order_relation_def)
MAKER(nsds_relation, mixed_linear_relation, nsds_mixed_linear_relation_def)
MAKER(nsds_relation, sphere_plane_relation, nsds_sphere_plane_relation_def)
MAKER(nsds_relation, sphere_sphere_relation, nsds_sphere_sphere_relation_def)
MAKER(nsds_law, newton_impact_friction, nsds_newton_impact_friction_def)
MAKER(nsds_law, fremond_impact_friction, nsds_fremond_impact_friction_def)
MAKER(nsds_law, newton_impact_rolling, nsds_newton_impact_rolling_def)
MAKER(nsds_law, distributing_impact, nsds_distributing_impact_def)

static const void *make_joint(nsds_model *model, const void *def) {
  nsds_joint_def joint = *(const nsds_joint_def *)def;
  joint.ds[0] = body_of_bench[0];
  return nsds_joint(model, &joint);
}
static const void *make_joint_coordinate(nsds_model *model, const void *def) {
  nsds_joint_coordinate_def joint = *(const nsds_joint_coordinate_def *)def;
  joint.ds[0] = body_of_bench[0];
  return nsds_joint_coordinate(model, &joint);
}

static const void *make_spheres(nsds_model *model, const void *def) {
  nsds_spheres_def spheres = *(const nsds_spheres_def *)def;
  if (!spheres.law) spheres.law = law_of_bench;
  spheres.ds = body_of_bench;
  return nsds_spheres(model, &spheres);
}

static const void *make_shape(nsds_model *model, const void *def) {
  nsds_shape_def shape = *(const nsds_shape_def *)def;
  if (shape.kind != NSDS_HALF_SPACE) shape.ds = body_of_bench[0];
  return nsds_shapes(model, &(nsds_shapes_def){.law = law_of_bench, .nshape = 1, .shape = &shape});
}

/* Its simulation, which goes again. */
static const void *make_stepping(nsds_model *model, const void *def) {
  nsds_simulation *s = nsds_time_stepping(model, def);
  nsds_simulation_destroy(s);
  return s ? (const void *)one : NULL;
}

static const void *make_events(nsds_model *model, const void *def) {
  nsds_simulation *s = nsds_event_driven(model, def);
  nsds_simulation_destroy(s);
  return s ? (const void *)one : NULL;
}

#define F(T, name, kind)                                                                           \
  { #name, offsetof(T, name), kind }
#define OF(name, T, ...)                                                                           \
  .call = "nsds_" #name, .def = &(const T){__VA_ARGS__}, .size = sizeof(T), .make = make_##name,   \
  .field =
#define LAGRANGE(T)                                                                                \
  {                                                                                                \
    F(T, ny, COUNT), F(T, nq, COUNT), F(T, output_fn, POINTER), F(T, jac_output_q_fn, POINTER),    \
        F(T, jac_output_t_fn, POINTER), F(T, jac_output_lambda_fn, POINTER), F(T, nz, COUNT),      \
        F(T, z, REALS), F(T, ndata, COUNT)                                                         \
  }
#define FRICTION(T) F(T, dimension, COUNT), F(T, mu, REAL), F(T, e_n, REAL)
#define TS nsds_time_stepping_def
#define ED nsds_event_driven_def
#define LA nsds_lagrangian_def
#define LL nsds_lagrangian_linear_def
#define RB nsds_rigid_body_def
#define R2 nsds_rigid_body_2d_def
#define FO nsds_first_order_def
#define FL nsds_first_order_linear_def
#define LR nsds_lagrangian_linear_relation_def
#define LIN nsds_first_order_linear_relation_def
#define NL nsds_first_order_relation_def
#define ML nsds_mixed_linear_relation_def
#define SP nsds_sphere_plane_relation_def
#define SS nsds_sphere_sphere_relation_def
#define J nsds_joint_def
#define JC nsds_joint_coordinate_def
#define SH nsds_shape_def
#define BALLS nsds_spheres_def

static const object objects[] = {
    {OF(lagrangian, LA, .ndof = 1, .mass = one, .q0 = one, .v0 = one, .fext = one, .fint.fn = zeros,
        .fint.jac_q_fn = nsds_zero, .fint.jac_v_fn = nsds_zero, .prescribed.n = 1,
        .prescribed.index = first, .prescribed.fn = zeros, .nz = 1,
        .z = one){F(LA, ndof, COUNT), F(LA, mass, REALS), F(LA, q0, REALS), F(LA, v0, REALS),
                  F(LA, fext, REALS), F(LA, fint.fn, POINTER), F(LA, fint.jac_q_fn, POINTER),
                  F(LA, fint.jac_v_fn, POINTER), F(LA, prescribed.n, COUNT),
                  F(LA, prescribed, INDICES), F(LA, prescribed.fn, POINTER), F(LA, nz, COUNT),
                  F(LA, z, REALS), F(LA, control.n, COUNT), F(LA, ndata, COUNT)}},
    {OF(lagrangian_linear, LL, .ndof = 2, .mass = identity, .damping = identity,
        .stiffness = identity, .q0 = two, .v0 = two, .fext = two, .prescribed.n = 1,
        .prescribed.index = first, .prescribed.fn = zeros, .nz = 1, .z = one){
        F(LL, ndof, COUNT), F(LL, mass, REALS), F(LL, damping, REALS), F(LL, stiffness, REALS),
        F(LL, q0, REALS), F(LL, v0, REALS), F(LL, fext, REALS), F(LL, prescribed.n, COUNT),
        F(LL, prescribed, INDICES), F(LL, prescribed.fn, POINTER), F(LL, nz, COUNT),
        F(LL, z, REALS), F(LL, ndata, COUNT)}},
    {OF(rigid_body, RB, .mass = 1.0, .inertia = inertia, .q0 = pose, .v0 = six, .force.fn = zeros,
        .force.jac_q_fn = nsds_zero, .force.jac_v_fn = nsds_zero, .prescribed.n = 1,
        .prescribed.index = first, .prescribed.fn = zeros, .nz = 1, .z = one){
        F(RB, mass, REAL), F(RB, inertia, REALS), F(RB, q0, REALS), F(RB, v0, REALS),
        F(RB, gravity, REAL), F(RB, force.fn, POINTER), F(RB, force.jac_q_fn, POINTER),
        F(RB, force.jac_v_fn, POINTER), F(RB, prescribed.n, COUNT), F(RB, prescribed, INDICES),
        F(RB, prescribed.fn, POINTER), F(RB, nz, COUNT), F(RB, z, REALS)}},
    {OF(rigid_body_2d, R2, .mass = 1.0, .inertia = 1.0, .q0 = six, .v0 = six, .prescribed.n = 1,
        .prescribed.index = first, .prescribed.fn = zeros, .nz = 1,
        .z = one){F(R2, mass, REAL), F(R2, inertia, REAL), F(R2, q0, REALS), F(R2, v0, REALS),
                  F(R2, gravity, REAL), F(R2, prescribed.n, COUNT), F(R2, prescribed, INDICES),
                  F(R2, prescribed.fn, POINTER), F(R2, nz, COUNT), F(R2, z, REALS)}},
    {OF(first_order, FO, .n = 1, .x0 = one, .mass = one, .f_fn = zeros, .jac_f_x_fn = nsds_zero,
        .control.n = 1, .control.map = one, .control.fn = zeros, .control.jac_x_fn = nsds_zero,
        .nz = 1,
        .z = one){F(FO, n, COUNT), F(FO, x0, REALS), F(FO, mass, REALS), F(FO, f_fn, POINTER),
                  F(FO, jac_f_x_fn, POINTER), F(FO, control.n, COUNT), F(FO, control.map, REALS),
                  F(FO, control.fn, POINTER), F(FO, control.jac_x_fn, POINTER), F(FO, nz, COUNT),
                  F(FO, z, REALS), F(FO, ndata, COUNT)}},
    {OF(first_order_linear, FL, .n = 1, .x0 = one, .mass = one, .A = one, .b = one, .control.n = 1,
        .control.map = one, .control.fn = zeros, .nz = 1, .z = one){
        F(FL, n, COUNT), F(FL, x0, REALS), F(FL, mass, REALS), F(FL, A, REALS), F(FL, b, REALS),
        F(FL, control.n, COUNT), F(FL, control.map, REALS), F(FL, control.fn, POINTER),
        F(FL, nz, COUNT), F(FL, z, REALS), F(FL, ndata, COUNT)}},
    {OF(lagrangian_linear_relation, LR, .ny = 1, .nq = 1, .nZ = 1, .H = one, .D = one, .F = one,
        .b = one, .nz = 1, .z = one){F(LR, ny, COUNT), F(LR, nq, COUNT), F(LR, nZ, COUNT),
                                     F(LR, H, REALS), F(LR, D, REALS), F(LR, F, REALS),
                                     F(LR, b, REALS), F(LR, compliance, REALS), F(LR, nz, COUNT),
                                     F(LR, z, REALS)}},
    {OF(lagrangian_relation, nsds_lagrangian_relation_def, .ny = 1, .nq = 1, .output_fn = zeros,
        .jac_output_q_fn = ones, .nz = 1, .z = one) LAGRANGE(nsds_lagrangian_relation_def)},
    {OF(lagrangian_relation, nsds_lagrangian_relation_def, .ny = 1, .nq = 1, .output_fn = zeros,
        .jac_output_q_fn = ones, .jac_output_t_fn = zeros, .nz = 1, .z = one)
         LAGRANGE(nsds_lagrangian_relation_def)},
    {OF(lagrangian_relation, nsds_lagrangian_relation_def, .ny = 1, .nq = 1, .output_fn = zeros,
        .jac_output_q_fn = ones, .jac_output_lambda_fn = ones, .nz = 1, .z = one)
         LAGRANGE(nsds_lagrangian_relation_def)},
    {OF(first_order_linear_relation, LIN, .ny = 1, .nx = 1, .nZ = 1, .C = one, .D = one, .B = one,
        .F = one, .e = one, .nz = 1,
        .z = one){F(LIN, ny, COUNT), F(LIN, nx, COUNT), F(LIN, nZ, COUNT), F(LIN, C, REALS),
                  F(LIN, D, REALS), F(LIN, B, REALS), F(LIN, F, REALS), F(LIN, e, REALS),
                  F(LIN, nz, COUNT), F(LIN, z, REALS), F(LIN, ndata, COUNT)}},
    {OF(first_order_relation, NL, .ny = 1, .nx = 1, .output_fn = zeros, .jac_output_x_fn = ones,
        .input_fn = zeros, .jac_input_lambda_fn = ones, .nz = 1,
        .z = one){F(NL, ny, COUNT), F(NL, nx, COUNT), F(NL, output_fn, POINTER),
                  F(NL, jac_output_x_fn, POINTER), F(NL, input_fn, POINTER),
                  F(NL, jac_input_lambda_fn, POINTER), F(NL, nz, COUNT), F(NL, z, REALS),
                  F(NL, ndata, COUNT)}},
    {OF(mixed_linear_relation, ML, .ny = 1, .nx = 1, .nq = 1, .C = one, .H = one, .E = one,
        .D = one, .e = one, .B = one, .L = one, .nz = 1, .z = one){
        F(ML, ny, COUNT), F(ML, nx, COUNT), F(ML, nq, COUNT), F(ML, nv, COUNT), F(ML, C, REALS),
        F(ML, H, REALS), F(ML, E, REALS), F(ML, D, REALS), F(ML, e, REALS), F(ML, B, REALS),
        F(ML, L, REALS), F(ML, nz, COUNT), F(ML, z, REALS)}},
    {OF(sphere_plane_relation, SP, .radius = 1.0,
        .normal = {0, 0, 1}){F(SP, dimension, COUNT), F(SP, rows, COUNT), F(SP, radius, REAL),
                             F(SP, center, REAL), F(SP, normal, REAL), F(SP, offset, REAL)}},
    {OF(sphere_sphere_relation, SS, .radius = {1, 1}){F(SS, dimension, COUNT), F(SS, rows, COUNT),
                                                      F(SS, radius, REAL), F(SS, center, REAL)}},
    {OF(newton_impact_friction, nsds_newton_impact_friction_def, .mu = 0.3){
        FRICTION(nsds_newton_impact_friction_def), F(nsds_newton_impact_friction_def, e_t, REAL),
        F(nsds_newton_impact_friction_def, slip, REAL)}},
    {OF(fremond_impact_friction, nsds_fremond_impact_friction_def,
        .mu = 0.3){FRICTION(nsds_fremond_impact_friction_def),
                   F(nsds_fremond_impact_friction_def, slip, REAL)}},
    {OF(newton_impact_rolling, nsds_newton_impact_rolling_def, .mu = 0.3,
        .mu_rolling = 0.1){FRICTION(nsds_newton_impact_rolling_def),
                           F(nsds_newton_impact_rolling_def, mu_rolling, REAL),
                           F(nsds_newton_impact_rolling_def, e_t, REAL),
                           F(nsds_newton_impact_rolling_def, slip, REAL)}},
    {OF(distributing_impact, nsds_distributing_impact_def, .restitution = 0.5,
        .stiffness = 1.0){F(nsds_distributing_impact_def, restitution, REAL),
                          F(nsds_distributing_impact_def, stiffness, REAL),
                          F(nsds_distributing_impact_def, exponent, REAL)}},
    {OF(joint_coordinate, JC, .kind = NSDS_COORDINATE_ANGLE,
        .axis = {0, 0, 1}){F(JC, kind, COUNT), F(JC, point, REAL), F(JC, axis, REAL),
                           F(JC, offset, REAL), F(JC, D, REAL)}},
    {OF(joint, J, .kind = NSDS_JOINT_ROPE, .other = {1, 0, 0},
        .length = 2.0){F(J, kind, COUNT), F(J, point, REAL), F(J, other, REAL), F(J, length, REAL),
                       F(J, D, REAL)}},
    {OF(spheres, BALLS, .count = 2, .radius = 0.1){F(BALLS, count, COUNT), F(BALLS, radius, REAL),
                                                   F(BALLS, nplane, COUNT), F(BALLS, reach, REAL),
                                                   F(BALLS, max_contacts, COUNT)}},
    {OF(shape, SH, .kind = NSDS_BOX, .half = {1, 1, 1}){
        F(SH, kind, COUNT), F(SH, position, REAL), F(SH, quaternion, REAL), F(SH, radius, REAL),
        F(SH, half, REAL), F(SH, material, COUNT), F(SH, group, COUNT)}},
    {OF(shape, SH, .kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}){
        F(SH, kind, COUNT), F(SH, plane, REAL), F(SH, plane.offset, REAL)}},
    {OF(stepping, TS, .t1 = 1.0, .h = 0.01){F(TS, t0, REAL),
                                            F(TS, t1, REAL),
                                            F(TS, h, REAL),
                                            F(TS, first_order.theta, REAL),
                                            F(TS, first_order.gamma, REAL),
                                            F(TS, second_order.theta, REAL),
                                            F(TS, second_order.gamma, REAL),
                                            F(TS, second_order.gamma_mass, REAL),
                                            F(TS, first_order.kind, COUNT),
                                            F(TS, second_order.kind, COUNT),
                                            F(TS, first_order.step_ratio, COUNT),
                                            F(TS, activation.gamma_prediction, REAL),
                                            F(TS, activation.tolerance, REAL),
                                            F(TS, newton.residual, REAL),
                                            F(TS, newton.increment, REAL),
                                            F(TS, newton.max_iterations, COUNT),
                                            F(TS, overlap_sweeps, COUNT),
                                            F(TS, max_halvings, COUNT),
                                            F(TS, projection.activation, REAL),
                                            F(TS, projection.kind, COUNT),
                                            F(TS, projection.tolerance, REAL),
                                            F(TS, projection.max_iterations, COUNT),
                                            F(TS, tolerance, REAL)}},
    {OF(events, ED, .t1 = 1.0, .output_period = 0.1){
        F(ED, t0, REAL), F(ED, t1, REAL), F(ED, output_period, REAL),
        F(ED, relative_tolerance, REAL), F(ED, absolute_tolerance, REAL), F(ED, largest_step, REAL),
        F(ED, root_tolerance, REAL), F(ED, root_panels, COUNT), F(ED, accumulation, REAL),
        F(ED, max_events, COUNT), F(ED, window, REAL), F(ED, window_steps, COUNT),
        F(ED, tolerance, REAL)}},
};

/* ---- what makes no sense ---- */

static const double bad_reals[] = {NAN, INFINITY, -INFINITY, -1.0, 1e308, -1e308, 1e-310};
static const int bad_counts[] = {-1, INT_MIN, 0, -1000000};
static const int bad_indices[] = {-1, INT_MAX, INT_MIN, 1000000};

/* Puts value number k into the field; false past the last. */
static bool spoil_field(char *def, const field *f, int k) {
  static double entries[9];
  static int indices[4];
  if (f->kind == REAL) {
    if (k < 7) memcpy(def + f->at, &bad_reals[k], sizeof(double));
    return k < 7;
  }
  if (f->kind == COUNT) {
    if (k < 4) memcpy(def + f->at, &bad_counts[k], sizeof(int));
    return k < 4;
  }
  const void *pointer = NULL;
  if (k > 0 && f->kind == REALS) {
    for (int i = 0; i < 9; ++i) entries[i] = i == (k > 7) ? bad_reals[(k - 1) % 7] : 0.0;
    pointer = entries;
  }
  if (k > 0 && f->kind == INDICES) {
    for (int i = 0; i < 4; ++i) indices[i] = bad_indices[(k - 1) % 4];
    pointer = indices;
  }
  memcpy(def + f->at, &pointer, sizeof pointer);
  return k == 0 || (f->kind == REALS && k < 8) || (f->kind == INDICES && k < 5);
}

static struct { long cases, refused, silent, unsound; } sum;

static void check_case(const object *o, const field *f, int k) {
  char def[1024];
  assert_true(o->size <= sizeof def);
  memcpy(def, o->def, o->size);
  if (!spoil_field(def, f, k)) return;
  meter m = {0};
  nsds_context *context = meter_context(&m);
  nsds_model *model = nsds_model_create(context);
  for (int i = 0; i < 2; ++i)
    body_of_bench[i] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){
                   .mass = 1.0, .inertia = inertia, .q0 = (double[]){3.0 * i, 0, 0, 1, 0, 0, 0}});
  law_of_bench = nsds_newton_impact(model, 0.5);
  assert_sound(model);
  const void *made = o->make(model, def);
  ++sum.cases;
  bool says = nsds_error(context) < 0 && nsds_error_message(context)[0] != '\0';
  sum.refused += !made;
  if (made ? says : !says) {
    ++sum.silent;
    print_error("%s, %s, value %d: %s\n", o->call, f->name, k,
                made ? "taken with an error" : "no message");
  }
  nsds_error_clear(context);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
  for (int i = 0; s && i < 2 && nsds_step(s) == NSDS_OK; ++i)
    for (int b = 0; b < 2; ++b)
      for (int j = 0; j < 7; ++j)
        if (!isfinite(nsds_q(body_of_bench[b])[j])) ++sum.unsound;
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  if (m.live != 0) ++sum.unsound;
}

static void fields_that_make_no_sense(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof objects / sizeof *objects; ++i)
    for (const field *f = objects[i].field; f < objects[i].field + 20 && f->name; ++f)
      for (int k = 0; k < 9; ++k) check_case(&objects[i], f, k);
  printf("bad input: %ld cases, %ld refused, %ld without a message, %ld unsound\n", sum.cases,
         sum.refused, sum.silent, sum.unsound);
  assert_true(sum.cases >= 1000 && sum.refused > sum.cases / 2);
  assert_int_equal(sum.silent + sum.unsound, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields_that_make_no_sense)};
  return cmocka_run_group_tests_name("reliability.bad_input", tests, NULL, NULL);
}
