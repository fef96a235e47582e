/* Relations and interactions of model files. See schema.h. */
#include "run/model/schema_relations.h"

#include "base/text/field_rows.h"

#include <nsds/plugin.h>

/* ---- relations ------------------------------------------------------------------------------- */

static const nsds_type lagrangian_linear_relation = {
    .type = "lagrangian_linear",
    .help = "y = H Q + F Z + b, P = H^T lambda. Between second-order systems.",
    .field = (const nsds_field[]){
        MATRIX("H", "ny x nq", "1", NULL,
               "One row an entry of y; columns are the coordinates of the systems in turn."),
        VECTOR("b", "ny", "m", "zero", "Constant part of y."),
        MATRIX("F", "ny x nz", NULL, "zero", "Part of the parameters."),
        MATRIX("D", "ny x ny", "1/kg", "zero", "Regularisation: dy/dt = H V + D P."),
        TRUTH("D_in_y", "false", "D belongs to y too."),
        MATRIX("compliance", "ny x ny", "m/N", "zero", "A spring in series with the contact."),
        PARAMETERS, END}};
static const nsds_type lagrangian_relation = {
    .type = "lagrangian",
    .help = "y = h(t, Q, lambda, Z), P = (dh/dQ)^T lambda. Between second-order systems.",
    .field = (const nsds_field[]){
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
static const nsds_type first_order_linear_relation = {
    .type = "first_order_linear",
    .help = "y = C X + D lambda + F Z + e, r = B lambda. Between first-order systems.",
    .field = (const nsds_field[]){
        FUNCTION("C", "ny x nx", NULL, "tz", NSDS_KIND_C, NULL, "C(t, Z)."),
        FUNCTION("B", "nx x ny", NULL, "tz", NSDS_KIND_B, NULL, "B(t, Z)."),
        FUNCTION("D", "ny x ny", NULL, "tz", NSDS_KIND_D, "zero", "D(t, Z)."),
        FUNCTION("e", "ny", NULL, "tz", NSDS_KIND_E, "zero", "e(t, Z)."),
        FUNCTION("F", "ny x nz", NULL, "tz", NSDS_KIND_F_MATRIX, "zero", "F(t, Z)."),
        INTEGER("ny", ">= 1", "auto", "Size of y; auto: from C. Required where C is a plugin's."),
        WHERE, PARAMETERS, END}};
static const nsds_type first_order_relation = {
    .type = "first_order",
    .help = "y = h(t, X, lambda, Z), r = g(t, X, lambda, Z). Between first-order systems.",
    .field = (const nsds_field[]){
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
static const nsds_type mixed_linear_relation = {
    .type = "mixed_linear",
    .help = "y = C X + H Q + E V + D lambda + e(t, Z), r = B lambda, F = L lambda. Between both "
            "orders.",
    .field = (const nsds_field[]){
        MATRIX("C", "ny x nx", NULL, "zero", "Part of X."),
        MATRIX("H", "ny x nq", NULL, "zero", "Part of Q."),
        MATRIX("E", "ny x nv", NULL, "zero", "Part of V."),
        MATRIX("D", "ny x ny", NULL, "zero", "Part of lambda."),
        FUNCTION("e", "ny", NULL, "tz", NSDS_KIND_E, "zero", "e(t, Z)."),
        MATRIX("B", "nx x ny", NULL, "zero", "Input of first-order systems."),
        MATRIX("L", "nv x ny", NULL, "zero", "Forces on second-order systems."),
        INTEGER("ny", ">= 1", "auto", "Size of y; auto: from C, H or E."), WHERE, PARAMETERS, END}};
static const nsds_type mixed_relation = {
    .type = "mixed",
    .help = "y = h(t, X, Q, V, lambda, Z), (r, F) = g(...). Between systems of both orders.",
    .field = (const nsds_field[]){
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

static const nsds_type sphere_plane = {
    .type = "sphere_plane",
    .help = "A sphere of a body against a plane, in the plane a disc against a line.",
    .field = (const nsds_field[]){
        NUMBER("radius", "m", ">= 0", "0", "Radius; 0: a corner."),
        VECTOR("center", "3 (plane: 2)", "m", "zero", "Center of the sphere in the body."),
        VECTOR("normal", "3 (plane: 2)", "1", NULL, "Normal of length 1, towards the body."),
        NUMBER("offset", "m", NULL, "0", "The plane is {x : n.x = offset}."), DIMENSION, ROWS,
        END}};
static const nsds_type sphere_sphere = {
    .type = "sphere_sphere",
    .help = "Spheres of two bodies, in the plane discs.",
    .field = (const nsds_field[]){
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
static const nsds_type ball_joint = {.type = "ball",
                                     .help = "A ball and socket joint.",
                                     .field = (const nsds_field[]){POINT, YIELD, END}};
static const nsds_type hinge_joint = {
    .type = "hinge", .help = "A hinge.", .field = (const nsds_field[]){POINT, AXIS, YIELD, END}};
static const nsds_type prismatic_joint = {.type = "prismatic",
                                          .help = "A slide along an axis.",
                                          .field = (const nsds_field[]){POINT, AXIS, YIELD, END}};
static const nsds_type cylindrical_joint = {
    .type = "cylindrical",
    .help = "A joint that turns about an axis and slides along it.",
    .field = (const nsds_field[]){POINT, AXIS, YIELD, END}};
static const nsds_type fixed_joint = {.type = "fixed",
                                      .help = "A joint without relative motion.",
                                      .field = (const nsds_field[]){POINT, YIELD, END}};
static const nsds_type distance_joint = {.type = "distance",
                                         .help = "A rod between two points.",
                                         .field = (const nsds_field[]){POINTED, YIELD, END}};
static const nsds_type rope_joint = {
    .type = "rope",
    .help = "A rope between two points. Give it a law of unilateral contact.",
    .field = (const nsds_field[]){POINTED, YIELD, END}};
static const nsds_type gear_joint = {
    .type = "gear",
    .help = "Two gears that mesh; the third system, if there is one, carries their hinges.",
    .field = (const nsds_field[]){
        AXIS, VECTOR("other_axis", "3", "1", "zero", "Axis of the second gear; zero: as axis."),
        VECTOR("teeth", "2", NULL, NULL, "Numbers of teeth."),
        TRUTH("reversed", "false", "The gears turn alike, as with inner teeth."), END}};
static const nsds_type joint_coordinate = {
    .type = "joint_coordinate",
    .help = "A coordinate of a joint, for stops and dry friction.",
    .field = (const nsds_field[]){
        CHOICE("coordinate", "angle displacement swing twist", NULL, "Which coordinate."), POINT,
        AXIS, TRUTH("reversed", "false", "The sign of the coordinate is -1."),
        NUMBER("offset", "rad, m", NULL, "0", "Added to the coordinate."), YIELD, END}};
static const nsds_type universal_joint = {
    .type = "universal",
    .help = "A cross between two shafts.",
    .field = (const nsds_field[]){
        POINT, VECTOR("axis", "3", "1", NULL, "Axis of the cross on the first body, in the world."),
        VECTOR("other_axis", "3", "1", NULL,
               "Axis on the second body or the world, across the first."),
        YIELD, END}};
static const nsds_type planar_joint = {
    .type = "planar",
    .help = "A joint that slides in a plane and turns about its normal, the axis.",
    .field = (const nsds_field[]){POINT, VECTOR("axis", "3", "1", NULL, "Normal of the plane."),
                                  YIELD, END}};
#define DRIVEN                                                                                     \
  NUMBER("stiffness", "N m/rad, N/m", ">= 0", "0", "Stiffness."),                                  \
      NUMBER("damping", "N m s/rad, N s/m", ">= 0", "0", "Damping."),                              \
      NUMBER("target", "rad, m", NULL, "0", "Target; samplers may set it."),                       \
      NUMBER("rate", "rad/s, m/s", NULL, "0", "Target of the rate; samplers may set it."),         \
      NUMBER("force", "N m, N", NULL, "0", "Force added to both; samplers may set it.")
static const nsds_type joint_drive = {
    .type = "joint_drive",
    .help = "A spring, a damper and a drive of a joint. A relay limits its force.",
    .field = (const nsds_field[]){
        CHOICE("coordinate", "angle displacement swing twist", NULL, "Which coordinate."), POINT,
        AXIS, TRUTH("reversed", "false", "The sign of the coordinate is -1."),
        NUMBER("offset", "rad, m", NULL, "0", "Added to the coordinate."), DRIVEN,
        TRUTH("passive", "false", "Taken in the middle of a step: a spring that keeps energy."),
        END}};
static const nsds_type coupler_term = {
    .type = NULL,
    .help = "A coordinate of a coupler.",
    .field = (const nsds_field[]){
        CHOICE("coordinate", "angle displacement of_system", NULL, "Which coordinate."),
        VECTOR("of", "1 or 2", NULL, NULL, "Places of its systems in the key systems, from 1."),
        NUMBER("weight", NULL, NULL, NULL, "Weight in the sum, not 0."), POINT, AXIS,
        TRUTH("reversed", "false", "The sign of the coordinate is -1."),
        NUMBER("offset", "rad, m", NULL, "0", "Added to the coordinate."),
        INTEGER("index", "[1, 1000000]", "1", "of_system: number of the coordinate."), END}};
const nsds_family nsds_schema_coupler_terms = {"term", "A coordinate of a coupler.",
                                               ONE(coupler_term)};
static const nsds_type coupler = {
    .type = "coupler",
    .help = "Couples coordinates of joints: the sum of weights and coordinates is 0.",
    .field =
        (const nsds_field[]){OBJECT("terms", NSDS_FIELD_LIST, "term", NULL, "Coordinates, 1 to 8."),
                             NUMBER("offset", "rad, m", NULL, "0", "Added to the sum."), END}};
static const nsds_type spring_relation = {
    .type = "spring",
    .help = "A spring with a damper between two points of bodies, or a body and the world.",
    .field = (const nsds_field[]){
        VECTOR("point", "3 (plane: 2)", "m", "zero", "Point on the first body, in the world."),
        VECTOR("other", "3 (plane: 2)", "m", "zero",
               "Point on the second body or the world, in the world."),
        NUMBER("stiffness", "N/m", ">= 0", "0", "Stiffness."),
        NUMBER("damping", "N s/m", ">= 0", "0", "Damping."),
        NUMBER("length", "m", NULL, "auto", "Length without force; auto: the present length."),
        END}};
static const nsds_type coordinate_spring = {
    .type = "coordinate_spring",
    .help = "A spring with a damper between coordinates of systems.",
    .field = (const nsds_field[]){
        VECTOR("coordinates", "1 or 2", NULL, NULL, "Coordinate of each system, from 1."),
        NUMBER("stiffness", "N/m", ">= 0", "0", "Stiffness."),
        NUMBER("damping", "N s/m", ">= 0", "0", "Damping."),
        NUMBER("length", "m", NULL, "auto", "Length without force; auto: the present length."),
        END}};

const nsds_family nsds_schema_relations = {"relation",
                                           "A relation: it maps states of systems to y.",
                                           (const nsds_type *const[]){&lagrangian_linear_relation,
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

static const nsds_type action_drive = {
    .type = NULL,
    .help = "A drive of a joint.",
    .field = (const nsds_field[]){
        DRIVEN, NUMBER("most", "N m, N", ">= 0", "0", "Largest force; 0: no limit."), END}};
const nsds_family nsds_schema_action_drives = {"drive", "A drive of a joint.", ONE(action_drive)};
static const nsds_type action = {
    .type = NULL,
    .help = "Parts that act on a coordinate of a joint.",
    .field = (const nsds_field[]){
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
        OBJECT("drive", NSDS_FIELD_OBJECT, "drive", "none", "A drive."), END}};
const nsds_family nsds_schema_actions = {"action", "Parts that act on a joint.", ONE(action)};

static const nsds_type interaction = {
    .type = NULL,
    .help = "One relation and one law over systems.",
    .field = (const nsds_field[]){
        NAMES("systems", NULL,
              "The systems, in the order of the relation; first-order systems first."),
        OBJECT("relation", NSDS_FIELD_REFERENCE, "relation", NULL,
               "The relation, or the name of one under relations."),
        OBJECT(
            "law", NSDS_FIELD_REFERENCE, "law", "auto",
            "The law, or the name of one under laws; auto: equality, of joints and springs alone."),
        OBJECT("acts", NSDS_FIELD_OBJECT, "action", "none",
               "Drive, spring, friction, armature and stops of a joint."),
        REPEAT, END}};
const nsds_family nsds_schema_interactions = {"interaction", "An edge of the graph.",
                                              ONE(interaction)};
