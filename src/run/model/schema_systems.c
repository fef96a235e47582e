/* Systems of model files. See schema.h. */
#include "run/model/schema_systems.h"

#include "base/text/field_rows.h"

#include <nsds/plugin.h>

/* ---- systems --------------------------------------------------------------------------------- */

#define OWN_SCHEME                                                                                 \
  OBJECT("scheme", NSDS_FIELD_OBJECT, "scheme", "auto",                                            \
         "A scheme of its own in time stepping; auto: that of the simulation.")
#define PRESCRIBED                                                                                 \
  VECTOR("prescribed", "any", NULL, "zero",                                                        \
         "Degrees of freedom, from 1, whose velocities are given by prescribed_velocity."),        \
      FUNCTION("prescribed_velocity", "as prescribed", "m/s, rad/s", "tz", NSDS_KIND_PRESCRIBED,   \
               "zero", "Velocities of the prescribed degrees of freedom.")

static const nsds_type first_order_linear = {
    .type = "first_order_linear",
    .help = "M dx/dt = A x + b + r. For circuits, controllers and other linear systems.",
    .field = (const nsds_field[]){
        INTEGER("n", ">= 1", "auto", "Size of x; auto: that of x0, b, A or M."),
        VECTOR("x0", "n", NULL, "zero", "Initial state."),
        FUNCTION("mass", "n x n", NULL, "t", NSDS_KIND_MASS, "identity", "M; may be singular."),
        FUNCTION("A", "n x n", NULL, "tz", NSDS_KIND_A, "zero", "A(t, z)."),
        FUNCTION("b", "n", NULL, "tz", NSDS_KIND_B_VECTOR, "zero", "b(t, z)."), WHERE, PARAMETERS,
        OWN_SCHEME, REPEAT, END}};
static const nsds_type first_order = {
    .type = "first_order",
    .help = "M dx/dt = f(t, x, z) + r. For nonlinear first-order systems.",
    .field = (const nsds_field[]){
        INTEGER("n", ">= 1", "auto", "Size of x; auto: that of x0 or f."),
        VECTOR("x0", "n", NULL, "zero", "Initial state."),
        FUNCTION("mass", "n x n", NULL, "t", NSDS_KIND_MASS, "identity", "M; may be singular."),
        FUNCTION("f", "n", NULL, "txz", NSDS_KIND_F, "zero", "f(t, x, z)."),
        FUNCTION("jac_f_x", "n x n", NULL, "txz", NSDS_KIND_JAC_F_X, "auto",
                 "df/dx; auto: exact, or by differences of a plugin, zero where f does not use x."),
        WHERE, PARAMETERS, OWN_SCHEME, REPEAT, END}};
static const nsds_type lagrangian_linear = {
    .type = "lagrangian_linear",
    .help = "M dv/dt + C v + K q = F_ext(t, z) + p. For linear mechanical systems.",
    .field = (const nsds_field[]){
        INTEGER("ndof", ">= 1", "auto", "Degrees of freedom; auto: from q0, mass or fext."),
        VECTOR("q0", "ndof", "m, rad", "zero", "Initial coordinates."),
        VECTOR("v0", "ndof", "m/s, rad/s", "zero", "Initial velocities."),
        MATRIX("mass", "ndof x ndof", "kg", NULL, "M, symmetric positive definite."),
        MATRIX("damping", "ndof x ndof", "N s/m", "zero", "C."),
        MATRIX("stiffness", "ndof x ndof", "N/m", "zero", "K."),
        FUNCTION("fext", "ndof", "N", "tz", NSDS_KIND_FEXT, "zero", "F_ext(t, z)."), PRESCRIBED,
        WHERE, PARAMETERS, OWN_SCHEME, REPEAT, END}};
static const nsds_type lagrangian = {
    .type = "lagrangian",
    .help = "M(q, z) dv/dt + NNL + F_int = F_ext + p. For nonlinear mechanical systems.",
    .field = (const nsds_field[]){
        INTEGER("ndof", ">= 1", "auto", "Degrees of freedom; auto: from q0, mass or fext."),
        VECTOR("q0", "ndof", "m, rad", "zero", "Initial coordinates."),
        VECTOR("v0", "ndof", "m/s, rad/s", "zero", "Initial velocities."),
        FUNCTION("mass", "ndof x ndof", "kg", "qz", NSDS_KIND_MASS, NULL,
                 "M(q, z), symmetric positive definite."),
        FUNCTION("nnl", "ndof", "N", "qvz", NSDS_KIND_NNL, "zero",
                 "Inertial forces NNL(q, v, z), on the left."),
        FUNCTION(
            "jac_nnl_q", "ndof x ndof", "N/m", "qvz", NSDS_KIND_JAC_NNL_Q, "auto",
            "dNNL/dq; auto: exact, or by differences of a plugin, zero where NNL does not use q."),
        FUNCTION("jac_nnl_v", "ndof x ndof", "N s/m", "qvz", NSDS_KIND_JAC_NNL_V, "auto",
                 "dNNL/dv; auto likewise."),
        FUNCTION("fint", "ndof", "N", "tqvz", NSDS_KIND_FINT, "zero",
                 "Internal forces F_int(t, q, v, z), on the left."),
        FUNCTION("jac_fint_q", "ndof x ndof", "N/m", "tqvz", NSDS_KIND_JAC_FINT_Q, "auto",
                 "dF_int/dq; auto likewise."),
        FUNCTION("jac_fint_v", "ndof x ndof", "N s/m", "tqvz", NSDS_KIND_JAC_FINT_V, "auto",
                 "dF_int/dv; auto likewise."),
        FUNCTION("fext", "ndof", "N", "tz", NSDS_KIND_FEXT, "zero",
                 "External forces F_ext(t, z), on the right."),
        PRESCRIBED, WHERE, PARAMETERS, OWN_SCHEME, REPEAT, END}};
static const nsds_type rigid_body = {
    .type = "rigid_body",
    .help =
        "A rigid body in space: q = center and quaternion (w, x, y, z), v = velocity and angular "
        "velocity.",
    .field = (const nsds_field[]){
        NUMBER("mass", "kg", "> 0", "auto", "Mass; auto: from shapes and density."),
        MATRIX("inertia", "3 x 3", "kg m^2", "auto",
               "Moments of inertia about the center; auto: from shapes and density."),
        NUMBER("density", "kg/m^3", "> 0", "auto",
               "Density of the shapes, in place of mass and inertia."),
        VECTOR("q0", "7", "m, 1", "zero",
               "Initial coordinates; zero: at the origin, axes of the world."),
        VECTOR("v0", "6", "m/s, rad/s", "zero", "Initial velocities."),
        VECTOR("gravity", "3", "m/s^2", "zero", "Acceleration of gravity."),
        FUNCTION("force", "3", "N", "tqvz", NSDS_KIND_NONE, "zero", "Force through the center."),
        FUNCTION("jac_force_q", "3 x 7", "N/m", "tqvz", NSDS_KIND_NONE, "auto",
                 "Its derivative; auto: exact, or by differences of a plugin, zero where the force "
                 "does not use q."),
        FUNCTION("jac_force_v", "3 x 6", "N s/m", "tqvz", NSDS_KIND_NONE, "auto",
                 "Its derivative; auto likewise."),
        TRUTH("force_in_body", "false", "The force has components along the axes of the body."),
        FUNCTION("moment", "3", "N m", "tqvz", NSDS_KIND_NONE, "zero",
                 "Moment about the center, along the axes of the body."),
        FUNCTION("jac_moment_q", "3 x 7", "N", "tqvz", NSDS_KIND_NONE, "auto",
                 "Its derivative; auto likewise."),
        FUNCTION("jac_moment_v", "3 x 6", "N s", "tqvz", NSDS_KIND_NONE, "auto",
                 "Its derivative; auto likewise."),
        TRUTH("moment_in_world", "false", "The moment has components along the axes of the world."),
        TRUTH("explicit_gyroscopic", "false",
              "Gyroscopic terms, forces and moments are taken at the start of a step."),
        OBJECT("shapes", NSDS_FIELD_LIST, "shape", "zero",
               "Shapes of the body, for contact sets and for density."),
        PRESCRIBED,
        WHERE,
        PARAMETERS,
        OWN_SCHEME,
        REPEAT,
        END}};
static const nsds_type rigid_body_2d = {
    .type = "rigid_body_2d",
    .help = "A rigid body in the plane: q = (x, y, angle), v = dq/dt.",
    .field = (const nsds_field[]){
        NUMBER("mass", "kg", "> 0", "auto", "Mass; auto: from shapes and density."),
        NUMBER("inertia", "kg m^2", "> 0", "auto",
               "Moment of inertia about the center; auto: from shapes and density."),
        NUMBER("density", "kg/m^2", "> 0", "auto",
               "Density of the shapes, in place of mass and inertia."),
        VECTOR("q0", "3", "m, rad", "zero", "Initial coordinates."),
        VECTOR("v0", "3", "m/s, rad/s", "zero", "Initial velocities."),
        VECTOR("gravity", "2", "m/s^2", "zero", "Acceleration of gravity."),
        FUNCTION("force", "3", "N, N m", "tz", NSDS_KIND_FEXT, "zero", "Force and moment."),
        OBJECT("shapes", NSDS_FIELD_LIST, "shape", "zero",
               "Shapes of the body, for contact sets and for density."),
        PRESCRIBED, WHERE, PARAMETERS, OWN_SCHEME, REPEAT, END}};

const nsds_family nsds_schema_systems = {
    "system", "A dynamical system: it has a state.",
    (const nsds_type *const[]){&first_order_linear, &first_order, &lagrangian_linear, &lagrangian,
                               &rigid_body, &rigid_body_2d, NULL}};
