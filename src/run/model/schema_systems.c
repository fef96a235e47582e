/* Systems of model files, their shapes, and the schemes that step them. See schema.h. */
#include "run/model/schema_systems.h"

#include "run/model/schema_rows.h"

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
static const nsds_schema_object rattle = {
    "rattle",
    "Nonsmooth RATTLE: order 2 with contact, friction and joints; gaps and energy do not drift.",
    (const nsds_schema_key[]){END}};

const nsds_schema_family nsds_schema_schemes = {
    "scheme", "How a step discretises systems.",
    (const nsds_schema_object *const[]){&moreau_jean, &schatzman_paoli, &d1_minus, &rattle,
                                        &euler_moreau, &theta_gamma, &full_theta_gamma,
                                        &zero_order_hold, NULL}};

/* ---- shapes ---------------------------------------------------------------------------------- */

#define PLACE                                                                                      \
  VECTOR("position", "3 (plane: 2)", "m", "zero",                                                  \
         "Place of the shape's origin in the body or the world."),                                 \
      VECTOR("quaternion", "4", "1", "zero",                                                       \
             "Attitude (w, x, y, z) there; zero: axes of the body."),                              \
      NUMBER("angle", "rad", NULL, "0", "Attitude there, in the plane.")
#define SURFACE                                                                                    \
  INTEGER("material", ">= 0", "0", "Place in the materials of the contact set, from 0."),          \
      INTEGER("group", NULL, "0", "Shapes of one group do not meet each other; 0: no group."),     \
      TRUTH("drawn_only", "false", "The shape of a body is drawn and meets no other.")

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

static const nsds_schema_object cylinder = {
    "cylinder", "A cylinder around the first axis, in space.",
    (const nsds_schema_key[]){NUMBER("radius", "m", "> 0", NULL, "Radius."),
                              NUMBER("half", "m", "> 0", NULL, "Half of its length."), PLACE,
                              SURFACE, END}};
static const nsds_schema_object cone = {
    "cone", "A cone around the first axis, or what is left of it without its top, in space.",
    (const nsds_schema_key[]){
        NUMBER("radius", "m", ">= 0", NULL, "Radius at the negative end."),
        NUMBER("top_radius", "m", ">= 0", "0", "Radius at the positive end."),
        NUMBER("half", "m", "> 0", NULL, "Half of its length; the origin is in the middle."), PLACE,
        SURFACE, END}};
static const nsds_schema_object ellipsoid = {
    "ellipsoid", "An ellipsoid, in space.",
    (const nsds_schema_key[]){VECTOR("half", "3", "m", NULL, "Half axes."), PLACE, SURFACE, END}};

static const nsds_schema_object height_field = {
    "height_field", "Ground over a grid, that stops bodies from above. Scenery alone.",
    (const nsds_schema_key[]){
        VECTOR("half", "2 (plane: 1)", "m", NULL, "Half lengths along the axes of the grid."),
        MATRIX("heights", "n x m (plane: 1 x m)", "m", NULL,
               "Heights. Columns follow each other along the first axis, rows along the second."),
        NUMBER("radius", "m", ">= 0", "0", "Radius around the ground."), PLACE, SURFACE, END}};
static const nsds_schema_object mesh = {
    "mesh", "A solid of convex parts.",
    (const nsds_schema_key[]){
        MATRIX("vertices", "n x 3 (plane: n x 2)", "m", NULL, "Points, one a row."),
        MATRIX("faces", "m x 3 (plane: m x 2)", NULL, NULL,
               "Places of points in vertices from 0, a face a row."),
        VECTOR("parts", "m", NULL, "auto",
               "Part of each face, from 0; auto: faces that share vertices are a part, cut if not "
               "convex."),
        NUMBER("radius", "m", ">= 0", "0", "Radius around the parts."), PLACE, SURFACE, END}};

const nsds_schema_family nsds_schema_shapes = {
    "shape", "A shape of a body or of the scenery.",
    (const nsds_schema_object *const[]){&sphere, &capsule, &box, &hull, &half_space, &triangles,
                                        &cylinder, &cone, &ellipsoid, &height_field, &mesh, NULL}};

/* ---- systems --------------------------------------------------------------------------------- */

#define OWN_SCHEME                                                                                 \
  OBJECT("scheme", NSDS_SCHEMA_OBJECT, &nsds_schema_schemes, "auto",                               \
         "A scheme of its own in time stepping; auto: that of the simulation.")
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
                 "df/dx; auto: exact, or by differences of a plugin, zero where f does not use x."),
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
        OBJECT("shapes", NSDS_SCHEMA_LIST, &nsds_schema_shapes, "zero",
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
        OBJECT("shapes", NSDS_SCHEMA_LIST, &nsds_schema_shapes, "zero",
               "Shapes of the body, for contact sets and for density."),
        PRESCRIBED, WHERE, PARAMETERS, OWN_SCHEME, REPEAT, END}};

const nsds_schema_family nsds_schema_systems = {
    "system", "A dynamical system: it has a state.",
    (const nsds_schema_object *const[]){&first_order_linear, &first_order, &lagrangian_linear,
                                        &lagrangian, &rigid_body, &rigid_body_2d, NULL}};
