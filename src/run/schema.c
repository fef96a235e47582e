/*
 * The table of model files, see schema.h. Keys stand in the order in which the reference and the expansion
 * print them. A default is written as a file would write it, so that an expansion with all defaults reads
 * back as the same model.
 */
#include "run/schema.h"

#include <string.h>

#define END                                                                                        \
  { .name = NULL }
#define NUMBER(n, u, r, f, h)                                                                      \
  { .name = n, .kind = NSDS_SCHEMA_NUMBER, .unit = u, .range = r, .fallback = f, .help = h }
#define INTEGER(n, r, f, h)                                                                        \
  { .name = n, .kind = NSDS_SCHEMA_INTEGER, .range = r, .fallback = f, .help = h }
#define TRUTH(n, f, h)                                                                             \
  { .name = n, .kind = NSDS_SCHEMA_TRUTH, .fallback = f, .help = h }
#define TEXT(n, f, h)                                                                              \
  { .name = n, .kind = NSDS_SCHEMA_TEXT, .fallback = f, .help = h }
#define CHOICE(n, w, f, h)                                                                         \
  { .name = n, .kind = NSDS_SCHEMA_WORD, .words = w, .fallback = f, .help = h }
#define NAME(n, f, h)                                                                              \
  { .name = n, .kind = NSDS_SCHEMA_NAME, .fallback = f, .help = h }
#define NAMES(n, f, h)                                                                             \
  { .name = n, .kind = NSDS_SCHEMA_NAMES, .fallback = f, .help = h }
#define VECTOR(n, s, u, f, h)                                                                      \
  { .name = n, .kind = NSDS_SCHEMA_VECTOR, .size = s, .unit = u, .fallback = f, .help = h }
#define MATRIX(n, s, u, f, h)                                                                      \
  { .name = n, .kind = NSDS_SCHEMA_MATRIX, .size = s, .unit = u, .fallback = f, .help = h }
#define FUNCTION(n, s, u, w, p, f, h)                                                              \
  {                                                                                                \
    .name = n, .kind = NSDS_SCHEMA_FUNCTION, .size = s, .unit = u, .uses = w, .plugin = p,         \
    .fallback = f, .help = h                                                                       \
  }
#define EXPRESSION(n, u, f, h)                                                                     \
  { .name = n, .kind = NSDS_SCHEMA_EXPRESSION, .unit = u, .fallback = f, .help = h }
#define OTHER(n, k, f, h)                                                                          \
  { .name = n, .kind = k, .fallback = f, .help = h }
#define OBJECT(n, k, m, f, h)                                                                      \
  { .name = n, .kind = k, .family = m, .fallback = f, .help = h }
#define ONE(object)                                                                                \
  (const nsds_schema_object *const[]) { &object, NULL }

/* ---- schemes --------------------------------------------------------------------------------- */

#define STEP_RATIO                                                                                 \
  INTEGER("step_ratio", "[1, 1000000]", "1",                                                       \
          "Parts of a step for this system alone; for the key scheme of a system.")
#define INPUT_AT_THETA                                                                             \
  TRUTH("input_at_theta", "false",                                                                 \
        "Takes the input g at x_{k+theta}, to compare with other programs.")
#define F_AT_THETA                                                                                 \
  TRUTH("f_at_theta", "false", "Takes f at x_{k+theta}, to compare with other programs.")

static const nsds_schema_object euler_moreau = {
    "euler_moreau",
    "Euler-Moreau: the law holds at the end of the step. For all first-order systems.",
    (const nsds_schema_key[]){
        NUMBER("theta", "1", "[0, 1]", "0.5", "Weight of the end of the step in f."),
        INPUT_AT_THETA, F_AT_THETA, STEP_RATIO, END}};
static const nsds_schema_object theta_gamma = {
    "theta_gamma",
    "Theta-gamma: the input is averaged over the step. Order 2 where lambda is smooth.",
    (const nsds_schema_key[]){
        NUMBER("theta", "1", "[0, 1]", "0.5", "Weight of the end of the step in f."),
        NUMBER("gamma", "1", "[0, 1]", "0.5", "Weight of the end of the step in r."),
        INPUT_AT_THETA, F_AT_THETA,
        TRUTH("initial_lambda", "false", "Solves for lambda at the start."), STEP_RATIO, END}};
static const nsds_schema_object full_theta_gamma = {
    "full_theta_gamma",
    "Full theta-gamma: the law holds within the step. Keeps energy at 1/2 and 1/2.",
    (const nsds_schema_key[]){
        NUMBER("theta", "1", "[0, 1]", "0.5", "Weight of the end of the step in f."),
        NUMBER("gamma", "1", "[0, 1]", "0.5", "Place of the law in the step."), F_AT_THETA,
        STEP_RATIO, END}};
static const nsds_schema_object zero_order_hold = {
    "zero_order_hold",
    "Zero-order hold: exact for linear systems under inputs that are held over a step.",
    (const nsds_schema_key[]){STEP_RATIO, END}};
static const nsds_schema_object moreau_jean = {
    "moreau_jean", "Moreau-Jean: laws act on velocities. For all second-order systems.",
    (const nsds_schema_key[]){
        NUMBER("theta", "1", "[0, 1]", "0.5",
               "Weight of the end of the step; 1/2 keeps energy, 1 damps it."),
        NUMBER("gamma", "1", "[0, 1]", "1", "Place in the step at which gradients are taken."),
        NUMBER("gamma_mass", "1", "[0, 1]", "auto",
               "Place at which the mass is taken; auto: gamma."),
        TRUTH("predict_once", "false", "Predicts positions once in a step."), STEP_RATIO, END}};
static const nsds_schema_object schatzman_paoli = {
    "schatzman_paoli", "Schatzman-Paoli: laws act on positions. For linear structures with stops.",
    (const nsds_schema_key[]){
        NUMBER("theta", "1", "[0, 1]", "0.5", "Weight of the ends of a step in the force of K."),
        END}};
static const nsds_schema_object d1_minus = {
    "d1_minus", "D1-minus: order 2 in smooth motion and lasting contact.",
    (const nsds_schema_key[]){END}};

static const nsds_schema_family schemes = {
    "scheme", "How a step discretises systems.",
    (const nsds_schema_object *const[]){&moreau_jean, &schatzman_paoli, &d1_minus, &euler_moreau,
                                        &theta_gamma, &full_theta_gamma, &zero_order_hold, NULL}};

/* ---- shapes ---------------------------------------------------------------------------------- */

#define PLACE                                                                                      \
  VECTOR("position", "3 (plane: 2)", "m", "zero",                                                  \
         "Place of the shape's origin in the body or the world."),                                 \
      VECTOR("quaternion", "4", "1", "zero",                                                       \
             "Attitude (w, x, y, z) there; zero: axes of the body."),                              \
      NUMBER("angle", "rad", NULL, "0", "Attitude there, in the plane.")
#define SURFACE                                                                                    \
  INTEGER("material", ">= 0", "0", "Place in the materials of the contact set, from 0."),          \
      INTEGER("group", NULL, "0", "Shapes of one group do not meet each other; 0: no group.")

static const nsds_schema_object sphere = {
    "sphere", "A sphere, in the plane a disc.",
    (const nsds_schema_key[]){NUMBER("radius", "m", "> 0", NULL, "Radius."), PLACE, SURFACE, END}};
static const nsds_schema_object capsule = {
    "capsule", "A segment on the first axis with a radius around it.",
    (const nsds_schema_key[]){NUMBER("radius", "m", "> 0", NULL, "Radius."),
                              NUMBER("half", "m", "> 0", NULL, "Half of the segment's length."),
                              PLACE, SURFACE, END}};
static const nsds_schema_object box = {
    "box", "A box, in the plane a rectangle.",
    (const nsds_schema_key[]){
        VECTOR("half", "3 (plane: 2)", "m", NULL, "Half lengths along the axes."),
        NUMBER("radius", "m", ">= 0", "0", "Radius around the box."), PLACE, SURFACE, END}};
static const nsds_schema_object hull = {
    "hull", "The convex hull of points, in the plane a polygon.",
    (const nsds_schema_key[]){
        MATRIX("vertices", "n x 3 (plane: n x 2)", "m", NULL, "Points, one a row."),
        NUMBER("radius", "m", ">= 0", "0", "Radius around the hull."), PLACE, SURFACE, END}};
static const nsds_schema_object half_space = {
    "half_space", "All that lies behind a plane. Scenery alone.",
    (const nsds_schema_key[]){
        VECTOR("normal", "3 (plane: 2)", "1", NULL, "Normal of length 1, towards the bodies."),
        NUMBER("offset", "m", NULL, "0", "The plane is {x : n.x = offset}."), SURFACE, END}};
static const nsds_schema_object triangles = {
    "triangles",
    "Triangles, in the plane segments, that stop bodies in front of them. Scenery alone.",
    (const nsds_schema_key[]){
        MATRIX("vertices", "n x 3 (plane: n x 2)", "m", NULL, "Points, one a row."),
        MATRIX("faces", "m x 3 (plane: m x 2)", NULL, NULL,
               "Places of points in vertices from 0, a face a row."),
        NUMBER("radius", "m", ">= 0", "0", "Radius around the faces."), PLACE, SURFACE, END}};

static const nsds_schema_family shapes = {
    "shape", "A shape of a body or of the scenery.",
    (const nsds_schema_object *const[]){&sphere, &capsule, &box, &hull, &half_space, &triangles,
                                        NULL}};

/* ---- systems --------------------------------------------------------------------------------- */

#define REPEAT                                                                                     \
  INTEGER("repeat", "[1, 100000]", "auto",                                                         \
          "Makes so many of them, with the names name[0], name[1], ...; expressions may use the "  \
          "index i.")
#define OWN_SCHEME                                                                                 \
  OBJECT("scheme", NSDS_SCHEMA_OBJECT, &schemes, "auto",                                           \
         "A scheme of its own in time stepping; auto: that of the simulation.")
#define PARAMETERS                                                                                 \
  OTHER("z", NSDS_SCHEMA_VALUES, "zero",                                                           \
        "Parameters that samplers and events may change: names with numbers, or a list (z1, z2, "  \
        "...).")
#define WHERE                                                                                      \
  OTHER("where", NSDS_SCHEMA_VALUES, "zero",                                                       \
        "Names for expressions that several functions use; each may use those above.")
#define PRESCRIBED                                                                                 \
  VECTOR("prescribed", "any", NULL, "zero",                                                        \
         "Degrees of freedom, from 1, whose velocities are given by prescribed_velocity."),        \
      FUNCTION("prescribed_velocity", "as prescribed", "m/s, rad/s", "tz", NSDS_KIND_PRESCRIBED,   \
               "zero", "Velocities of the prescribed degrees of freedom.")

static const nsds_schema_object first_order_linear = {
    "first_order_linear",
    "M dx/dt = A x + b + r. For circuits, controllers and other linear systems.",
    (const nsds_schema_key[]){
        INTEGER("n", ">= 1", "auto", "Size of x; auto: that of x0, b, A or M."),
        VECTOR("x0", "n", NULL, "zero", "Initial state."),
        FUNCTION("mass", "n x n", NULL, "t", NSDS_KIND_MASS, "identity", "M; may be singular."),
        FUNCTION("A", "n x n", NULL, "tz", NSDS_KIND_A, "zero", "A(t, z)."),
        FUNCTION("b", "n", NULL, "tz", NSDS_KIND_B_VECTOR, "zero", "b(t, z)."), WHERE, PARAMETERS,
        OWN_SCHEME, REPEAT, END}};
static const nsds_schema_object first_order = {
    "first_order", "M dx/dt = f(t, x, z) + r. For nonlinear first-order systems.",
    (const nsds_schema_key[]){
        INTEGER("n", ">= 1", "auto", "Size of x; auto: that of x0 or f."),
        VECTOR("x0", "n", NULL, "zero", "Initial state."),
        FUNCTION("mass", "n x n", NULL, "t", NSDS_KIND_MASS, "identity", "M; may be singular."),
        FUNCTION("f", "n", NULL, "txz", NSDS_KIND_F, "zero", "f(t, x, z)."),
        FUNCTION("jac_f_x", "n x n", NULL, "txz", NSDS_KIND_JAC_F_X, "auto",
                 "df/dx; auto: by central differences, zero where f does not use x."),
        WHERE, PARAMETERS, OWN_SCHEME, REPEAT, END}};
static const nsds_schema_object lagrangian_linear = {
    "lagrangian_linear", "M dv/dt + C v + K q = F_ext(t, z) + p. For linear mechanical systems.",
    (const nsds_schema_key[]){
        INTEGER("ndof", ">= 1", "auto", "Degrees of freedom; auto: from q0, mass or fext."),
        VECTOR("q0", "ndof", "m, rad", "zero", "Initial coordinates."),
        VECTOR("v0", "ndof", "m/s, rad/s", "zero", "Initial velocities."),
        MATRIX("mass", "ndof x ndof", "kg", NULL, "M, symmetric positive definite."),
        MATRIX("damping", "ndof x ndof", "N s/m", "zero", "C."),
        MATRIX("stiffness", "ndof x ndof", "N/m", "zero", "K."),
        FUNCTION("fext", "ndof", "N", "tz", NSDS_KIND_FEXT, "zero", "F_ext(t, z)."), PRESCRIBED,
        WHERE, PARAMETERS, OWN_SCHEME, REPEAT, END}};
static const nsds_schema_object lagrangian = {
    "lagrangian", "M(q, z) dv/dt + NNL + F_int = F_ext + p. For nonlinear mechanical systems.",
    (const nsds_schema_key[]){
        INTEGER("ndof", ">= 1", "auto", "Degrees of freedom; auto: from q0, mass or fext."),
        VECTOR("q0", "ndof", "m, rad", "zero", "Initial coordinates."),
        VECTOR("v0", "ndof", "m/s, rad/s", "zero", "Initial velocities."),
        FUNCTION("mass", "ndof x ndof", "kg", "qz", NSDS_KIND_MASS, NULL,
                 "M(q, z), symmetric positive definite."),
        FUNCTION("nnl", "ndof", "N", "qvz", NSDS_KIND_NNL, "zero",
                 "Inertial forces NNL(q, v, z), on the left."),
        FUNCTION("jac_nnl_q", "ndof x ndof", "N/m", "qvz", NSDS_KIND_JAC_NNL_Q, "auto",
                 "dNNL/dq; auto: by central differences, zero where NNL does not use q."),
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
static const nsds_schema_object rigid_body = {
    "rigid_body",
    "A rigid body in space: q = center and quaternion (w, x, y, z), v = velocity and angular "
    "velocity.",
    (const nsds_schema_key[]){
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
        FUNCTION(
            "jac_force_q", "3 x 7", "N/m", "tqvz", NSDS_KIND_NONE, "auto",
            "Its derivative; auto: by central differences, zero where the force does not use q."),
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
        OBJECT("shapes", NSDS_SCHEMA_LIST, &shapes, "zero",
               "Shapes of the body, for contact sets and for density."),
        PRESCRIBED,
        WHERE,
        PARAMETERS,
        OWN_SCHEME,
        REPEAT,
        END}};
static const nsds_schema_object rigid_body_2d = {
    "rigid_body_2d", "A rigid body in the plane: q = (x, y, angle), v = dq/dt.",
    (const nsds_schema_key[]){
        NUMBER("mass", "kg", "> 0", "auto", "Mass; auto: from shapes and density."),
        NUMBER("inertia", "kg m^2", "> 0", "auto",
               "Moment of inertia about the center; auto: from shapes and density."),
        NUMBER("density", "kg/m^2", "> 0", "auto",
               "Density of the shapes, in place of mass and inertia."),
        VECTOR("q0", "3", "m, rad", "zero", "Initial coordinates."),
        VECTOR("v0", "3", "m/s, rad/s", "zero", "Initial velocities."),
        VECTOR("gravity", "2", "m/s^2", "zero", "Acceleration of gravity."),
        FUNCTION("force", "3", "N, N m", "tz", NSDS_KIND_FEXT, "zero", "Force and moment."),
        OBJECT("shapes", NSDS_SCHEMA_LIST, &shapes, "zero",
               "Shapes of the body, for contact sets and for density."),
        PRESCRIBED, WHERE, PARAMETERS, OWN_SCHEME, REPEAT, END}};

static const nsds_schema_family systems = {
    "system", "A dynamical system: it has a state.",
    (const nsds_schema_object *const[]){&first_order_linear, &first_order, &lagrangian_linear,
                                        &lagrangian, &rigid_body, &rigid_body_2d, NULL}};

/* ---- laws ------------------------------------------------------------------------------------ */

#define RESTITUTION(n) NUMBER(n, "1", "[0, 1]", "0", "Coefficient of restitution.")
#define FRICTION                                                                                   \
  INTEGER("dimension", "[2, 3]", "3", "2: rows N and T; 3: rows N, T1 and T2."),                   \
      NUMBER("mu", "1", ">= 0", "0", "Coefficient of friction."),                                  \
      NUMBER("e_n", "1", "[0, 1]", "0", "Coefficient of normal restitution.")
#define TANGENTIAL NUMBER("e_t", "1", "[-1, 1]", "0", "Coefficient of tangential restitution.")
#define SLIP                                                                                       \
  VECTOR("slip", "1 or 2", "m/s", "zero",                                                          \
         "Added to the tangential velocities: minus the velocity of a belt.")
#define BOUNDS                                                                                     \
  VECTOR("lower", "m", NULL, NULL, "Lower bounds of lambda; -inf is allowed."),                    \
      VECTOR("upper", "m", NULL, NULL, "Upper bounds of lambda; inf is allowed.")

static const nsds_schema_object newton_impact = {"newton_impact",
                                                 "Unilateral contact with Newton's impact law.",
                                                 (const nsds_schema_key[]){RESTITUTION("e"), END}};
static const nsds_schema_object poisson_impact = {
    "poisson_impact",
    "Unilateral contact with Poisson's impact law. Event-driven simulation alone.",
    (const nsds_schema_key[]){RESTITUTION("e"), END}};
static const nsds_schema_object distributing_impact = {
    "distributing_impact",
    "Unilateral contact with the impact law of Liu, Zhao and Brogliato. Event-driven alone.",
    (const nsds_schema_key[]){
        RESTITUTION("restitution"),
        NUMBER("stiffness", "1", "> 0", NULL, "Stiffness; ratios between contacts count."),
        NUMBER("exponent", "1", "[1, 10]", "1", "Exponent of the force; 1.5 for spheres."),
        TRUTH("bi_stiffness", "false", "The loss lies in a stiffer release."), END}};
static const nsds_schema_object newton_impact_friction = {
    "newton_impact_friction", "Unilateral contact with Newton's impact law and Coulomb friction.",
    (const nsds_schema_key[]){FRICTION, TANGENTIAL, SLIP, END}};
static const nsds_schema_object fremond_impact_friction = {
    "fremond_impact_friction", "Unilateral contact with Fremond's impact law and Coulomb friction.",
    (const nsds_schema_key[]){FRICTION, SLIP, END}};
static const nsds_schema_object newton_impact_rolling = {
    "newton_impact_rolling", "Unilateral contact with friction and rolling friction.",
    (const nsds_schema_key[]){
        FRICTION, NUMBER("mu_rolling", "m", ">= 0", "0", "Coefficient of rolling friction."),
        TANGENTIAL, SLIP, END}};
static const nsds_schema_object complementarity = {
    "complementarity",
    "0 <= y perpendicular to lambda >= 0: an ideal diode, a contact without rebound.",
    (const nsds_schema_key[]){END}};
static const nsds_schema_object equality = {"equality",
                                            "y = 0, or dy/dt = 0 of rigid second-order relations.",
                                            (const nsds_schema_key[]){END}};
static const nsds_schema_object relay = {
    "relay", "lambda between bounds: at the lower one where y > 0, at the upper one where y < 0.",
    (const nsds_schema_key[]){BOUNDS, END}};
static const nsds_schema_object saturation = {
    "saturation", "lambda = -slope y, cut off at bounds.",
    (const nsds_schema_key[]){
        BOUNDS, NUMBER("slope", NULL, "> 0", NULL, "Slope, common to all rows."), END}};
static const nsds_schema_object normal_cone = {
    "normal_cone", "-y in the normal cone to the polyhedron {l : H l >= K} at lambda.",
    (const nsds_schema_key[]){MATRIX("H", "facets x m", NULL, NULL, "One row a half space."),
                              VECTOR("K", "facets", NULL, NULL, "Right-hand side."), END}};
static const nsds_schema_object plugin_law = {
    "plugin", "A law of a plugin.",
    (const nsds_schema_key[]){
        TEXT("file", NULL, "Path of the shared object, relative to the model file."),
        TEXT("law", NULL, "Name of the law in the plugin."),
        VECTOR("z", "any", NULL, "zero", "Parameters of the law."), END}};

static const nsds_schema_family laws = {
    "law", "A nonsmooth law between y and lambda.",
    (const nsds_schema_object *const[]){&newton_impact, &poisson_impact, &distributing_impact,
                                        &newton_impact_friction, &fremond_impact_friction,
                                        &newton_impact_rolling, &complementarity, &equality, &relay,
                                        &saturation, &normal_cone, &plugin_law, NULL}};

/* ---- relations ------------------------------------------------------------------------------- */

static const nsds_schema_object lagrangian_linear_relation = {
    "lagrangian_linear", "y = H Q + F Z + b, P = H^T lambda. Between second-order systems.",
    (const nsds_schema_key[]){
        MATRIX("H", "ny x nq", "1", NULL,
               "One row an entry of y; columns are the coordinates of the systems in turn."),
        VECTOR("b", "ny", "m", "zero", "Constant part of y."),
        MATRIX("F", "ny x nz", NULL, "zero", "Part of the parameters."),
        MATRIX("D", "ny x ny", "1/kg", "zero", "Regularisation: dy/dt = H V + D P."),
        TRUTH("D_in_y", "false", "D belongs to y too."),
        MATRIX("compliance", "ny x ny", "m/N", "zero", "A spring in series with the contact."),
        PARAMETERS, END}};
static const nsds_schema_object lagrangian_relation = {
    "lagrangian", "y = h(t, Q, lambda, Z), P = (dh/dQ)^T lambda. Between second-order systems.",
    (const nsds_schema_key[]){
        FUNCTION("output", "ny", "m", "tqlz", NSDS_KIND_OUTPUT, NULL, "h."),
        FUNCTION("jac_output_q", "ny x nq", NULL, "tqlz", NSDS_KIND_JAC_OUTPUT_Q, "auto",
                 "dh/dQ; auto: by central differences."),
        FUNCTION("jac_output_t", "ny", NULL, "tqlz", NSDS_KIND_JAC_OUTPUT_T, "auto",
                 "dh/dt; auto: by differences, zero where h does not use t."),
        FUNCTION("jac_output_lambda", "ny x ny", NULL, "tqlz", NSDS_KIND_JAC_OUTPUT_LAMBDA, "auto",
                 "dh/dlambda; auto likewise."),
        TRUTH("rate_form", "false", "lambda enters dy/dt itself."),
        FUNCTION("bias", "ny", "m/s^2", "tqvz", NSDS_KIND_BIAS, "auto",
                 "d^2y/dt^2 at dV/dt = 0, for event-driven simulation; auto: by differences."),
        INTEGER("ny", ">= 1", "auto",
                "Size of y; auto: from output. Required where output is a plugin's."),
        WHERE, PARAMETERS, END}};
static const nsds_schema_object first_order_linear_relation = {
    "first_order_linear",
    "y = C X + D lambda + F Z + e, r = B lambda. Between first-order systems.",
    (const nsds_schema_key[]){
        FUNCTION("C", "ny x nx", NULL, "tz", NSDS_KIND_C, NULL, "C(t, Z)."),
        FUNCTION("B", "nx x ny", NULL, "tz", NSDS_KIND_B, NULL, "B(t, Z)."),
        FUNCTION("D", "ny x ny", NULL, "tz", NSDS_KIND_D, "zero", "D(t, Z)."),
        FUNCTION("e", "ny", NULL, "tz", NSDS_KIND_E, "zero", "e(t, Z)."),
        FUNCTION("F", "ny x nz", NULL, "tz", NSDS_KIND_F_MATRIX, "zero", "F(t, Z)."),
        INTEGER("ny", ">= 1", "auto", "Size of y; auto: from C. Required where C is a plugin's."),
        WHERE, PARAMETERS, END}};
static const nsds_schema_object first_order_relation = {
    "first_order", "y = h(t, X, lambda, Z), r = g(t, X, lambda, Z). Between first-order systems.",
    (const nsds_schema_key[]){
        FUNCTION("output", "ny", NULL, "txlz", NSDS_KIND_OUTPUT, NULL, "h."),
        FUNCTION("jac_output_x", "ny x nx", NULL, "txlz", NSDS_KIND_JAC_OUTPUT_X, "auto",
                 "dh/dX; auto: by central differences."),
        FUNCTION("jac_output_lambda", "ny x ny", NULL, "txlz", NSDS_KIND_JAC_OUTPUT_LAMBDA, "auto",
                 "dh/dlambda; auto: by differences, zero where h does not use lambda."),
        FUNCTION("input", "nx", NULL, "txlz", NSDS_KIND_INPUT, NULL, "g."),
        FUNCTION("jac_input_lambda", "nx x ny", NULL, "txlz", NSDS_KIND_JAC_INPUT_LAMBDA, "auto",
                 "dg/dlambda; auto: by central differences."),
        FUNCTION("jac_input_x", "nx x nx", NULL, "txlz", NSDS_KIND_JAC_INPUT_X, "auto",
                 "dg/dX; auto: by differences, zero where g does not use X."),
        INTEGER("ny", ">= 1", "auto",
                "Size of y; auto: from output. Required where output is a plugin's."),
        WHERE, PARAMETERS, END}};
static const nsds_schema_object mixed_linear_relation = {
    "mixed_linear",
    "y = C X + H Q + E V + D lambda + e(t, Z), r = B lambda, F = L lambda. Between both orders.",
    (const nsds_schema_key[]){
        MATRIX("C", "ny x nx", NULL, "zero", "Part of X."),
        MATRIX("H", "ny x nq", NULL, "zero", "Part of Q."),
        MATRIX("E", "ny x nv", NULL, "zero", "Part of V."),
        MATRIX("D", "ny x ny", NULL, "zero", "Part of lambda."),
        FUNCTION("e", "ny", NULL, "tz", NSDS_KIND_E, "zero", "e(t, Z)."),
        MATRIX("B", "nx x ny", NULL, "zero", "Input of first-order systems."),
        MATRIX("L", "nv x ny", NULL, "zero", "Forces on second-order systems."),
        INTEGER("ny", ">= 1", NULL, "Size of y."), WHERE, PARAMETERS, END}};
static const nsds_schema_object mixed_relation = {
    "mixed", "y = h(t, X, Q, V, lambda, Z), (r, F) = g(...). Between systems of both orders.",
    (const nsds_schema_key[]){
        FUNCTION("output", "ny", NULL, "txqvlz", NSDS_KIND_OUTPUT, NULL, "h."),
        FUNCTION("jac_output_x", "ny x nx", NULL, "txqvlz", NSDS_KIND_JAC_OUTPUT_X, "auto",
                 "dh/dX; auto: by differences, zero where h does not use x."),
        FUNCTION("jac_output_q", "ny x nq", NULL, "txqvlz", NSDS_KIND_JAC_OUTPUT_Q, "auto",
                 "dh/dQ; auto likewise."),
        FUNCTION("jac_output_v", "ny x nv", NULL, "txqvlz", NSDS_KIND_NONE, "auto",
                 "dh/dV; auto likewise."),
        FUNCTION("jac_output_lambda", "ny x ny", NULL, "txqvlz", NSDS_KIND_JAC_OUTPUT_LAMBDA,
                 "auto", "dh/dlambda; auto likewise."),
        FUNCTION("input", "nx + nv", NULL, "txqvlz", NSDS_KIND_INPUT, NULL, "g: first r, then F."),
        FUNCTION("jac_input_lambda", "(nx + nv) x ny", NULL, "txqvlz", NSDS_KIND_JAC_INPUT_LAMBDA,
                 "auto", "dg/dlambda; auto: by differences."),
        FUNCTION("jac_input_x", "(nx + nv) x nx", NULL, "txqvlz", NSDS_KIND_JAC_INPUT_X, "auto",
                 "dg/dX; auto: by differences, left out where g does not use x."),
        FUNCTION("jac_input_q", "(nx + nv) x nq", NULL, "txqvlz", NSDS_KIND_NONE, "auto",
                 "dg/dQ; auto likewise."),
        FUNCTION("jac_input_v", "(nx + nv) x nv", NULL, "txqvlz", NSDS_KIND_NONE, "auto",
                 "dg/dV; auto likewise."),
        INTEGER("ny", ">= 1", "auto",
                "Size of y; auto: from output. Required where output is a plugin's."),
        WHERE, PARAMETERS, END}};

#define DIMENSION                                                                                  \
  INTEGER("dimension", "[2, 3]", "auto",                                                           \
          "3: bodies in space; 2: in the plane; auto: as the bodies.")
#define ROWS                                                                                       \
  INTEGER("rows", "[1, 5]", "auto",                                                                \
          "Rows of y: normal, tangents, rolling; auto: 3, in the plane 2.")

static const nsds_schema_object sphere_plane = {
    "sphere_plane", "A sphere of a body against a plane, in the plane a disc against a line.",
    (const nsds_schema_key[]){
        NUMBER("radius", "m", ">= 0", "0", "Radius; 0: a corner."),
        VECTOR("center", "3 (plane: 2)", "m", "zero", "Center of the sphere in the body."),
        VECTOR("normal", "3 (plane: 2)", "1", NULL, "Normal of length 1, towards the body."),
        NUMBER("offset", "m", NULL, "0", "The plane is {x : n.x = offset}."), DIMENSION, ROWS,
        END}};
static const nsds_schema_object sphere_sphere = {
    "sphere_sphere", "Spheres of two bodies, in the plane discs.",
    (const nsds_schema_key[]){
        VECTOR("radius", "2", "m", NULL, "Radii."),
        VECTOR("center1", "3 (plane: 2)", "m", "zero", "Center of the first sphere in its body."),
        VECTOR("center2", "3 (plane: 2)", "m", "zero", "Center of the second sphere in its body."),
        DIMENSION, ROWS, END}};
#define POINT VECTOR("point", "3 (plane: 2)", "m", "zero", "Point of the joint, in the world.")
#define YIELD NUMBER("D", NULL, ">= 0", "0", "Lets the joint yield with the velocity D P.")
#define AXIS                                                                                       \
  VECTOR("axis", "3 (plane: 2)", "1", "zero",                                                      \
         "Axis, in the world; a hinge in the plane needs none.")
#define POINTED                                                                                    \
  VECTOR("point", "3 (plane: 2)", "m", "zero", "Point on the first body, in the world."),          \
      VECTOR("other", "3 (plane: 2)", "m", "zero",                                                 \
             "Point on the second body or the world, in the world."),                              \
      NUMBER("length", "m", ">= 0", "0", "Length; 0: the present distance.")
static const nsds_schema_object ball_joint = {"ball", "A ball and socket joint.",
                                              (const nsds_schema_key[]){POINT, YIELD, END}};
static const nsds_schema_object hinge_joint = {"hinge", "A hinge.",
                                               (const nsds_schema_key[]){POINT, AXIS, YIELD, END}};
static const nsds_schema_object prismatic_joint = {
    "prismatic", "A slide along an axis.", (const nsds_schema_key[]){POINT, AXIS, YIELD, END}};
static const nsds_schema_object cylindrical_joint = {
    "cylindrical", "A joint that turns about an axis and slides along it.",
    (const nsds_schema_key[]){POINT, AXIS, YIELD, END}};
static const nsds_schema_object fixed_joint = {"fixed", "A joint without relative motion.",
                                               (const nsds_schema_key[]){POINT, YIELD, END}};
static const nsds_schema_object distance_joint = {"distance", "A rod between two points.",
                                                  (const nsds_schema_key[]){POINTED, YIELD, END}};
static const nsds_schema_object rope_joint = {
    "rope", "A rope between two points. Give it a law of unilateral contact.",
    (const nsds_schema_key[]){POINTED, YIELD, END}};
static const nsds_schema_object gear_joint = {
    "gear", "Two gears that mesh; the third system, if there is one, carries their hinges.",
    (const nsds_schema_key[]){
        AXIS, VECTOR("other_axis", "3", "1", "zero", "Axis of the second gear; zero: as axis."),
        VECTOR("teeth", "2", NULL, NULL, "Numbers of teeth."),
        TRUTH("reversed", "false", "The gears turn alike, as with inner teeth."), END}};
static const nsds_schema_object joint_coordinate = {
    "joint_coordinate", "Angle or displacement of a joint, for stops, friction and drives.",
    (const nsds_schema_key[]){
        CHOICE("coordinate", "angle displacement", NULL, "Which coordinate."), POINT, AXIS,
        TRUTH("reversed", "false", "The sign of the coordinate is -1."),
        NUMBER("offset", "rad, m", NULL, "0", "Added to the coordinate."), YIELD, END}};
static const nsds_schema_object spring_relation = {
    "spring", "A spring with a damper between two points of bodies, or a body and the world.",
    (const nsds_schema_key[]){
        VECTOR("point", "3 (plane: 2)", "m", "zero", "Point on the first body, in the world."),
        VECTOR("other", "3 (plane: 2)", "m", "zero",
               "Point on the second body or the world, in the world."),
        NUMBER("stiffness", "N/m", ">= 0", "0", "Stiffness."),
        NUMBER("damping", "N s/m", ">= 0", "0", "Damping."),
        NUMBER("length", "m", NULL, "auto", "Length without force; auto: the present length."),
        END}};
static const nsds_schema_object coordinate_spring = {
    "coordinate_spring", "A spring with a damper between coordinates of systems.",
    (const nsds_schema_key[]){
        VECTOR("coordinates", "1 or 2", NULL, NULL, "Coordinate of each system, from 1."),
        NUMBER("stiffness", "N/m", ">= 0", "0", "Stiffness."),
        NUMBER("damping", "N s/m", ">= 0", "0", "Damping."),
        NUMBER("length", "m", NULL, "auto", "Length without force; auto: the present length."),
        END}};

static const nsds_schema_family relations = {
    "relation", "A relation: it maps states of systems to y.",
    (const nsds_schema_object *const[]){&lagrangian_linear_relation,
                                        &lagrangian_relation,
                                        &first_order_linear_relation,
                                        &first_order_relation,
                                        &mixed_linear_relation,
                                        &mixed_relation,
                                        &sphere_plane,
                                        &sphere_sphere,
                                        &ball_joint,
                                        &hinge_joint,
                                        &prismatic_joint,
                                        &cylindrical_joint,
                                        &fixed_joint,
                                        &distance_joint,
                                        &rope_joint,
                                        &gear_joint,
                                        &joint_coordinate,
                                        &spring_relation,
                                        &coordinate_spring,
                                        NULL}};

static const nsds_schema_object interaction = {
    NULL, "One relation and one law over systems.",
    (const nsds_schema_key[]){
        NAMES("systems", NULL,
              "The systems, in the order of the relation; first-order systems first."),
        OBJECT("relation", NSDS_SCHEMA_REFERENCE, &relations, NULL,
               "The relation, or the name of one under relations."),
        OBJECT(
            "law", NSDS_SCHEMA_REFERENCE, &laws, "auto",
            "The law, or the name of one under laws; auto: equality, of joints and springs alone."),
        REPEAT, END}};
static const nsds_schema_family interactions = {"interaction", "An edge of the graph.",
                                                ONE(interaction)};

/* ---- contact sets ---------------------------------------------------------------------------- */

static const nsds_schema_object material = {
    NULL, "Coefficients of a surface.",
    (const nsds_schema_key[]){
        NUMBER("mu", "1", ">= 0", "0", "Coefficient of friction."),
        NUMBER("mu_rolling", "m", ">= 0", "0", "Coefficient of rolling friction."),
        NUMBER("e_n", "1", "[0, 1]", "0", "Coefficient of normal restitution."),
        NUMBER("e_t", "1", "[-1, 1]", "0", "Coefficient of tangential restitution."), END}};
static const nsds_schema_family materials = {"material", "A surface.", ONE(material)};
static const nsds_schema_object plane = {
    NULL, "A plane that spheres stay above.",
    (const nsds_schema_key[]){
        VECTOR("normal", "3", "1", NULL, "Normal of length 1, towards the spheres."),
        NUMBER("offset", "m", NULL, "0", "The plane is {x : n.x = offset}."), END}};
static const nsds_schema_family planes = {"plane", "A plane.", ONE(plane)};

static const nsds_schema_object shapes_set = {
    "shapes", "Contacts of the shapes of bodies, with each other and with scenery.",
    (const nsds_schema_key[]){
        INTEGER("dimension", "[2, 3]", "3", "3: bodies in space; 2: in the plane."),
        OBJECT("law", NSDS_SCHEMA_REFERENCE, &laws, "auto",
               "Law of every contact; auto: by materials."),
        OBJECT("materials", NSDS_SCHEMA_LIST, &materials, "zero", "Materials, without a law."),
        CHOICE("mix", "geometric min max mean", "geometric",
               "How the coefficients of two materials become those of a contact."),
        TRUTH("rolling", "false", "Materials have rolling friction."),
        OBJECT("scenery", NSDS_SCHEMA_LIST, &shapes, "zero", "Shapes that stand still."),
        NAMES("bodies", "all", "Bodies whose shapes take part; all: every body that has shapes."),
        NUMBER("reach", "m", "> 0", "auto",
               "Contacts with a gap up to this are found; auto: a tenth of the largest shape."),
        INTEGER("max_contacts", ">= 1", "auto", "A step with more fails; auto: 256 a shape."),
        END}};
static const nsds_schema_object spheres_set = {
    "spheres", "Spheres around the centers of rigid bodies, against planes and each other.",
    (const nsds_schema_key[]){
        OBJECT("law", NSDS_SCHEMA_REFERENCE, &laws, NULL, "Law of every contact: 1, 3 or 5 rows."),
        NAMES("bodies", NULL, "The rigid bodies."),
        VECTOR("radius", "1 or one a body", "m", NULL, "Radius of all, or of each."),
        OBJECT("planes", NSDS_SCHEMA_LIST, &planes, "zero", "Planes."),
        TRUTH("planes_only", "false", "Spheres do not meet each other."),
        NUMBER("reach", "m", "> 0", "auto",
               "Contacts with a gap up to this are found; auto: a tenth of the largest radius."),
        INTEGER("max_contacts", ">= 1", "auto",
                "A step with more fails; auto: 16 a sphere and one a plane and sphere."),
        END}};
static const nsds_schema_object balls_set = {
    "balls", "Balls of one radius around the first coordinates of systems, without friction.",
    (const nsds_schema_key[]){
        OBJECT("law", NSDS_SCHEMA_REFERENCE, &laws, NULL, "Law of every contact: one row."),
        NAMES("bodies", NULL, "Second-order systems."),
        INTEGER("dimension", "[2, 3]", "3", "Coordinates of a center."),
        NUMBER("radius", "m", "> 0", NULL, "Radius."),
        VECTOR("normal", "3 (plane: 2)", "1", "zero",
               "Normal of a half space; zero: there is none."),
        NUMBER("offset", "m", NULL, "0", "The half space is {x : n.x <= offset}."),
        TRUTH("pairs", "false", "Balls meet each other."),
        NUMBER("reach", "m", "> 0", "auto",
               "Contacts with a gap up to this are found; auto: the radius."),
        END}};
static const nsds_schema_family contact_sets = {
    "contact set", "Contacts that are found anew as bodies move.",
    (const nsds_schema_object *const[]){&shapes_set, &spheres_set, &balls_set, NULL}};

/* ---- simulation ------------------------------------------------------------------------------ */

static const nsds_schema_object activation = {
    NULL, "The test by which a step takes contacts for closed.",
    (const nsds_schema_key[]){
        NUMBER("gamma_prediction", "1", ">= 0", "0.5", "How far a step looks ahead."),
        NUMBER("tolerance", "1", "[0, 1]", "1e-12", "Tolerance of a gap, relative to its terms."),
        END}};
static const nsds_schema_family activations = {"activation", "A test.", ONE(activation)};
static const nsds_schema_object newton = {
    NULL, "Newton's method in a step.",
    (const nsds_schema_key[]){
        NUMBER("residual", "N s", "> 0", "auto", "Limit of the residual; auto: relative, 1e-10."),
        NUMBER("increment", "1", "> 0", "auto",
               "Limit of the increment as a fraction; auto: 1e-8."),
        INTEGER("max_iterations", ">= 1", "auto", "Most iterations; auto: 50."),
        TRUTH("accept", "false", "Accepts a step that has not converged, with a warning."), END}};
static const nsds_schema_family newtons = {"newton", "Options.", ONE(newton)};
static const nsds_schema_object projection = {
    NULL, "Leads positions back to their constraints.",
    (const nsds_schema_key[]){
        CHOICE("kind", "none direct combined", "none", "When positions are led back."),
        CHOICE("metric", "mass coordinates", "mass", "What the displacement is measured in."),
        NUMBER("tolerance", "m, rad", "> 0", "auto", "Tolerance of y; auto: 1e-10."),
        INTEGER("max_iterations", ">= 1", "auto", "Most iterations; auto: 20."),
        NUMBER("activation", "m, rad", "> 0", "auto",
               "Gaps up to this count as closed; auto: 1000 tolerances."),
        END}};
static const nsds_schema_family projections = {"projection", "Options.", ONE(projection)};

#define SOLVER                                                                                     \
  TEXT("solver", "auto", "Name of a solver; nsds solvers lists them."),                            \
      TEXT("solver_plugin", "none",                                                                \
           "Path of a plugin that has the solver, relative to the model file."),                   \
      OTHER("solver_options", NSDS_SCHEMA_VALUES, "zero",                                          \
            "Options of the solver: names with numbers."),                                         \
      NUMBER("tolerance", "1", "> 0", "1e-10", "Certified residual of a solved problem.")

static const nsds_schema_object time_stepping = {
    "time_stepping", "Equal steps, each of which may have any number of impacts and switches.",
    (const nsds_schema_key[]){
        NUMBER("t0", "s", NULL, "0", "Start."), NUMBER("t1", "s", NULL, NULL, "End."),
        NUMBER("h", "s", "> 0", NULL, "Step."),
        OBJECT("first_order", NSDS_SCHEMA_OBJECT, &schemes, "{type: euler_moreau, theta: 0.5}",
               "Scheme of first-order systems."),
        OBJECT("second_order", NSDS_SCHEMA_OBJECT, &schemes,
               "{type: moreau_jean, theta: 0.5, gamma: 1}", "Scheme of second-order systems."),
        OBJECT("activation", NSDS_SCHEMA_OBJECT, &activations, "auto",
               "Test of contacts; auto: gamma_prediction 0.5, tolerance 1e-12."),
        TRUTH("contacts_at_start", "false",
              "Contacts of sets are taken where bodies are at the start of a step."),
        TRUTH("update_prediction", "false",
              "Repeats the activation test in every iteration of Newton's method."),
        OBJECT("newton", NSDS_SCHEMA_OBJECT, &newtons, "auto", "Newton's method in a step."),
        INTEGER("max_halvings", "[0, 30]", "auto",
                "How often a failed step is halved; auto: 10 where Newton's method fails."),
        INTEGER("overlap_sweeps", "[0, 1000]", "8",
                "Sweeps that lead bodies out of overlap; 0: none."),
        OBJECT("projection", NSDS_SCHEMA_OBJECT, &projections, "auto",
               "Projection on constraints; auto: none."),
        SOLVER,
        TRUTH("accept_unsolved", "false", "Takes answers of the solver that are not certified."),
        END}};
static const nsds_schema_object event_driven = {
    "event_driven", "Smooth motion between events that are located exactly.",
    (const nsds_schema_key[]){
        NUMBER("t0", "s", NULL, "0", "Start."), NUMBER("t1", "s", NULL, NULL, "End."),
        NUMBER("output_period", "s", "> 0", "auto",
               "Distance of rows of output between events; auto: none."),
        CHOICE("integrator", "auto dormand_prince esdirk arkode cvode", "auto",
               "Integrator of the smooth motion."),
        NUMBER("relative_tolerance", "1", "> 0", "1e-9",
               "Limit of the error of a step of integration."),
        NUMBER("absolute_tolerance", NULL, "> 0", "1e-11", "The same, in units of the state."),
        NUMBER("largest_step", "s", "> 0", "auto", "Largest step of integration; auto: no limit."),
        NUMBER("root_tolerance", "1", "> 0", "auto",
               "Tolerance of the time of an event; auto: rounding."),
        INTEGER("root_panels", ">= 1", "1", "Parts in which a step is searched for events."),
        NUMBER("accumulation", "1", "[0, 1]", "1e-8",
               "Ratio of flights at which a series of impacts is taken to its limit; 0: never."),
        INTEGER("max_events", ">= 1", "100000", "Most events within output_period."),
        NUMBER("window", "s", "> 0", "auto",
               "Window of time stepping where events crowd; auto: none."),
        INTEGER("window_steps", ">= 1", "100", "Steps of a window."),
        INTEGER("max_steps", ">= 1", "1000000", "Most steps of integration between events."),
        SOLVER, END}};
static const nsds_schema_family simulations = {
    "simulation", "How the model is advanced in time.",
    (const nsds_schema_object *const[]){&time_stepping, &event_driven, NULL}};

/* ---- samplers, events, outputs --------------------------------------------------------------- */

#define SAMPLING                                                                                   \
  NUMBER("period", "s", "> 0", NULL, "Sampling period."),                                          \
      NUMBER("phase", "s", ">= 0", "0", "First sample, after t0.")
static const nsds_schema_object set_sampler = {
    "set", "Sets parameters of systems and relations at each sample.",
    (const nsds_schema_key[]){SAMPLING,
                              OTHER("set", NSDS_SCHEMA_SETTINGS, NULL,
                                    "Parameters, as system.name, with expressions in quantities."),
                              END}};
static const nsds_schema_object pid_sampler = {
    "pid", "A controller: kp e + ki times the integral of e + kd de/dt of e = setpoint - measured.",
    (const nsds_schema_key[]){
        SAMPLING, EXPRESSION("setpoint", NULL, NULL, "Wanted value."),
        EXPRESSION("measured", NULL, NULL, "Value that is controlled."),
        NUMBER("kp", NULL, NULL, "0", "Proportional gain."),
        NUMBER("ki", NULL, NULL, "0", "Integral gain, per second."),
        NUMBER("kd", NULL, NULL, "0", "Derivative gain, seconds."),
        NUMBER("lower", NULL, NULL, "-inf", "Least output; the integral stops there."),
        NUMBER("upper", NULL, NULL, "inf", "Largest output; the integral stops there."),
        TEXT("output", NULL, "Parameter that gets the output, as system.name."), END}};
static const nsds_schema_object pwm_sampler = {
    "pwm",
    "Pulse width modulation: a parameter is high for the fraction `duty` of each period, then low.",
    (const nsds_schema_key[]){
        SAMPLING, EXPRESSION("duty", "1", NULL, "Fraction of the period, cut off to [0, 1]."),
        NUMBER("high", NULL, NULL, "1", "Value while the pulse lasts."),
        NUMBER("low", NULL, NULL, "0", "Value afterwards."),
        TEXT("output", NULL, "Parameter that gets the value, as system.name."), END}};
static const nsds_schema_family samplers = {
    "sampler", "A sampled controller.",
    (const nsds_schema_object *const[]){&set_sampler, &pid_sampler, &pwm_sampler, NULL}};
static const nsds_schema_object event = {
    NULL, "A change of parameters at a given time.",
    (const nsds_schema_key[]){NUMBER("time", "s", NULL, NULL, "When."),
                              OTHER("set", NSDS_SCHEMA_SETTINGS, "zero",
                                    "Parameters, as system.name, with expressions in quantities."),
                              END}};
static const nsds_schema_family events = {"event", "A change.", ONE(event)};
static const nsds_schema_object outputs = {
    NULL, "The table that a run writes.",
    (const nsds_schema_key[]){OTHER("columns", NSDS_SCHEMA_COLUMNS, "auto",
                                    "Columns of the table behind t; auto: all states."),
                              INTEGER("every", ">= 1", "1", "Steps, or events, from row to row."),
                              END}};
static const nsds_schema_family outputs_family = {"outputs", "The table that a run writes.",
                                                  ONE(outputs)};
static const nsds_schema_object measure = {
    NULL, "One number of a run.",
    (const nsds_schema_key[]){
        CHOICE("kind", "mean rms max min peak_to_peak integral period final", NULL,
               "What is measured."),
        EXPRESSION("of", NULL, NULL, "Quantity, or an expression in quantities."),
        NUMBER("from", "s", NULL, "auto", "Start of the measurement; auto: that of the run."),
        NUMBER("to", "s", NULL, "auto", "End of the measurement; auto: that of the run."),
        NUMBER("level", NULL, NULL, "0", "For a period: the value whose rising passages count."),
        END}};
static const nsds_schema_family measures = {"measure", "One number of a run.", ONE(measure)};

/* ---- the file -------------------------------------------------------------------------------- */

static const nsds_schema_object file = {
    NULL, "A model file.",
    (const nsds_schema_key[]){
        INTEGER("nsds", "[1, 1]", NULL, "Version of the format: 1."),
        TEXT("name", "", "Name of the model."),
        OTHER("parameters", NSDS_SCHEMA_VALUES, "zero",
              "Names with numbers, or expressions in the parameters above."),
        OBJECT("systems", NSDS_SCHEMA_OBJECTS, &systems, NULL, "Systems by name."),
        OBJECT("relations", NSDS_SCHEMA_OBJECTS, &relations, "zero",
               "Relations by name, which interactions share."),
        OBJECT("laws", NSDS_SCHEMA_OBJECTS, &laws, "zero",
               "Laws by name, which interactions share."),
        OBJECT("interactions", NSDS_SCHEMA_OBJECTS, &interactions, "zero", "Interactions by name."),
        OBJECT("contacts", NSDS_SCHEMA_OBJECTS, &contact_sets, "zero", "Contact sets by name."),
        OBJECT("simulation", NSDS_SCHEMA_OBJECT, &simulations, NULL, "How the model is advanced."),
        OBJECT("samplers", NSDS_SCHEMA_OBJECTS, &samplers, "zero", "Sampled controllers by name."),
        OBJECT("events", NSDS_SCHEMA_LIST, &events, "zero", "Changes at given times."),
        OBJECT("outputs", NSDS_SCHEMA_OBJECT, &outputs_family, "auto",
               "The table that a run writes."),
        OBJECT("measures", NSDS_SCHEMA_OBJECTS, &measures, "zero", "Numbers that sum a run up."),
        END}};
const nsds_schema_family nsds_schema_file = {"file", "A model file.", ONE(file)};

const nsds_schema_object *nsds_schema_member(const nsds_schema_family *family, const char *type) {
  for (const nsds_schema_object *const *m = family->member; *m; ++m)
    if ((*m)->type ? type && strcmp((*m)->type, type) == 0 : !type) return *m;
  return NULL;
}

const nsds_schema_key *nsds_schema_find(const nsds_schema_object *object, const char *name) {
  for (const nsds_schema_key *k = object->key; k->name; ++k)
    if (strcmp(k->name, name) == 0) return k;
  return NULL;
}
