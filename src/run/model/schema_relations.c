/* Laws, relations and interactions of model files. See schema.h. */
#include "run/model/schema_relations.h"

#include "run/model/schema_rows.h"

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

const nsds_schema_family nsds_schema_laws = {
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
                 "dh/dQ; auto: exact, or by differences of a plugin."),
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
                 "dh/dX; auto: exact, or by differences of a plugin."),
        FUNCTION("jac_output_lambda", "ny x ny", NULL, "txlz", NSDS_KIND_JAC_OUTPUT_LAMBDA, "auto",
                 "dh/dlambda; auto: by differences, zero where h does not use lambda."),
        FUNCTION("input", "nx", NULL, "txlz", NSDS_KIND_INPUT, NULL, "g."),
        FUNCTION("jac_input_lambda", "nx x ny", NULL, "txlz", NSDS_KIND_JAC_INPUT_LAMBDA, "auto",
                 "dg/dlambda; auto: exact, or by differences of a plugin."),
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
        INTEGER("ny", ">= 1", "auto", "Size of y; auto: from C, H or E."), WHERE, PARAMETERS, END}};
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
    "joint_coordinate", "A coordinate of a joint, for stops and dry friction.",
    (const nsds_schema_key[]){
        CHOICE("coordinate", "angle displacement swing twist", NULL, "Which coordinate."), POINT,
        AXIS, TRUTH("reversed", "false", "The sign of the coordinate is -1."),
        NUMBER("offset", "rad, m", NULL, "0", "Added to the coordinate."), YIELD, END}};
static const nsds_schema_object universal_joint = {
    "universal", "A cross between two shafts.",
    (const nsds_schema_key[]){
        POINT, VECTOR("axis", "3", "1", NULL, "Axis of the cross on the first body, in the world."),
        VECTOR("other_axis", "3", "1", NULL,
               "Axis on the second body or the world, across the first."),
        YIELD, END}};
static const nsds_schema_object planar_joint = {
    "planar", "A joint that slides in a plane and turns about its normal, the axis.",
    (const nsds_schema_key[]){POINT, VECTOR("axis", "3", "1", NULL, "Normal of the plane."), YIELD,
                              END}};
#define DRIVEN                                                                                     \
  NUMBER("stiffness", "N m/rad, N/m", ">= 0", "0", "Stiffness."),                                  \
      NUMBER("damping", "N m s/rad, N s/m", ">= 0", "0", "Damping."),                              \
      NUMBER("target", "rad, m", NULL, "0", "Target; samplers may set it."),                       \
      NUMBER("rate", "rad/s, m/s", NULL, "0", "Target of the rate; samplers may set it."),         \
      NUMBER("force", "N m, N", NULL, "0", "Force added to both; samplers may set it.")
static const nsds_schema_object joint_drive = {
    "joint_drive", "A spring, a damper and a drive of a joint. A relay limits its force.",
    (const nsds_schema_key[]){
        CHOICE("coordinate", "angle displacement swing twist", NULL, "Which coordinate."), POINT,
        AXIS, TRUTH("reversed", "false", "The sign of the coordinate is -1."),
        NUMBER("offset", "rad, m", NULL, "0", "Added to the coordinate."), DRIVEN,
        TRUTH("passive", "false", "Taken in the middle of a step: a spring that keeps energy."),
        END}};
static const nsds_schema_object coupler_term = {
    NULL, "A coordinate of a coupler.",
    (const nsds_schema_key[]){
        CHOICE("coordinate", "angle displacement of_system", NULL, "Which coordinate."),
        VECTOR("of", "1 or 2", NULL, NULL, "Places of its systems in the key systems, from 1."),
        NUMBER("weight", NULL, NULL, NULL, "Weight in the sum, not 0."), POINT, AXIS,
        TRUTH("reversed", "false", "The sign of the coordinate is -1."),
        NUMBER("offset", "rad, m", NULL, "0", "Added to the coordinate."),
        INTEGER("index", "[1, 1000000]", "1", "of_system: number of the coordinate."), END}};
static const nsds_schema_family coupler_terms = {"term", "A coordinate of a coupler.",
                                                 ONE(coupler_term)};
static const nsds_schema_object coupler = {
    "coupler", "Couples coordinates of joints: the sum of weights and coordinates is 0.",
    (const nsds_schema_key[]){
        OBJECT("terms", NSDS_SCHEMA_LIST, &coupler_terms, NULL, "Coordinates, 1 to 8."),
        NUMBER("offset", "rad, m", NULL, "0", "Added to the sum."), END}};
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

const nsds_schema_family nsds_schema_relations = {
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
                                        &universal_joint,
                                        &planar_joint,
                                        &joint_coordinate,
                                        &joint_drive,
                                        &coupler,
                                        &spring_relation,
                                        &coordinate_spring,
                                        NULL}};

static const nsds_schema_object action_drive = {
    NULL, "A drive of a joint.",
    (const nsds_schema_key[]){
        DRIVEN, NUMBER("most", "N m, N", ">= 0", "0", "Largest force; 0: no limit."), END}};
static const nsds_schema_family action_drives = {"drive", "A drive of a joint.", ONE(action_drive)};
static const nsds_schema_object action = {
    NULL, "Parts that act on a coordinate of a joint.",
    (const nsds_schema_key[]){
        CHOICE("coordinate", "angle displacement swing twist", "auto",
               "Which coordinate; auto: the only one of a hinge or slide."),
        VECTOR("axis", "3", "1", "zero", "Axis, where the joint has none: swing and twist."),
        TRUTH("reversed", "false", "The sign of the coordinate is -1."),
        NUMBER("offset", "rad, m", NULL, "0", "Added to the coordinate."),
        NUMBER("stiffness", "N m/rad, N/m", ">= 0", "0", "Stiffness of a spring."),
        NUMBER("damping", "N m s/rad, N s/m", ">= 0", "0", "Damping."),
        NUMBER("rest", "rad, m", NULL, "0", "Coordinate at which the spring has no force."),
        NUMBER("friction", "N m, N", ">= 0", "0", "Dry friction."),
        NUMBER("armature", "kg m^2, kg", ">= 0", "0", "Inertia of a rotor."),
        NUMBER("lower", "rad, m", NULL, "-inf", "Lower stop."),
        NUMBER("upper", "rad, m", NULL, "inf", "Upper stop."),
        NUMBER("restitution", "1", "[0, 1]", "0", "Coefficient of restitution of the stops."),
        NUMBER("stop_stiffness", "N m/rad, N/m", ">= 0", "0", "Of soft stops; 0: rigid stops."),
        OBJECT("drive", NSDS_SCHEMA_OBJECT, &action_drives, "none", "A drive."), END}};
static const nsds_schema_family actions = {"action", "Parts that act on a joint.", ONE(action)};

static const nsds_schema_object interaction = {
    NULL, "One relation and one law over systems.",
    (const nsds_schema_key[]){
        NAMES("systems", NULL,
              "The systems, in the order of the relation; first-order systems first."),
        OBJECT("relation", NSDS_SCHEMA_REFERENCE, &nsds_schema_relations, NULL,
               "The relation, or the name of one under relations."),
        OBJECT(
            "law", NSDS_SCHEMA_REFERENCE, &nsds_schema_laws, "auto",
            "The law, or the name of one under laws; auto: equality, of joints and springs alone."),
        OBJECT("acts", NSDS_SCHEMA_OBJECT, &actions, "none",
               "Drive, spring, friction, armature and stops of a joint."),
        REPEAT, END}};
const nsds_schema_family nsds_schema_interactions = {"interaction", "An edge of the graph.",
                                                     ONE(interaction)};
