/*
 * Misuses of rigid bodies, of their contacts and joints.
 */
#include "bad_input.h"

static const double sphere[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static int f(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)out, (void)user;
  return 0;
}

static int touch(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  (void)in, (void)contact, (void)user;
  return 0;
}

static nsds_status joint(bench *b, nsds_joint_def def) {
  if (!def.ds[0]) def.ds[0] = b->solid;
  return made(b, nsds_joint(b->model, &def));
}

static nsds_status coordinate(bench *b, nsds_joint_coordinate_def def) {
  if (!def.ds[0]) def.ds[0] = b->solid;
  return made(b, nsds_joint_coordinate(b->model, &def));
}

#define CONTACT(...)                                                                               \
  made(b, nsds_contact_relation(b->model, &(nsds_contact_relation_def){__VA_ARGS__}))
#define PLANE(...)                                                                                 \
  made(b, nsds_sphere_plane_relation(b->model, &(nsds_sphere_plane_relation_def){__VA_ARGS__}))
#define SPHERES(...)                                                                               \
  made(b, nsds_sphere_sphere_relation(b->model, &(nsds_sphere_sphere_relation_def){__VA_ARGS__}))
#define BODY(...)                                                                                  \
  made(b, nsds_rigid_body(b->model, &(nsds_rigid_body_def){.name = "probe", __VA_ARGS__}))
#define SOUND .mass = 1.0, .inertia = sphere
#define ROUND(...) BODY(SOUND, __VA_ARGS__)
#define FLAT(...)                                                                                  \
  made(b, nsds_rigid_body_2d(b->model, &(nsds_rigid_body_2d_def){.name = "probe", __VA_ARGS__}))
#define INERTIA(...) BODY(.mass = 1.0, .inertia = (double[9]){__VA_ARGS__})
#define ATTITUDE(...) ROUND(.q0 = (double[7]){0, 0, 0, __VA_ARGS__})

#define SET(...) made(b, nsds_spheres(b->model, &(nsds_spheres_def){__VA_ARGS__}))
#define ONE .law = b->impact, .count = 1, .ds = &b->solid
#define FLOOR                                                                                      \
  .nplane = 1, .plane = &(nsds_plane) { {0, 0, 1}, 0 }

/* clang-format off */
#define BODIES(X)                                                                                  \
  X(def_null_body, ARGUMENT, W("nsds_rigid_body", "def is NULL"),                                  \
    made(b, nsds_rigid_body(b->model, NULL)))                                                      \
  X(def_null_flat_body, ARGUMENT, W("nsds_rigid_body_2d", "def is NULL"),                          \
    made(b, nsds_rigid_body_2d(b->model, NULL)))                                                   \
  X(no_inertia, ARGUMENT, W("probe", "inertia is NULL"), BODY(.mass = 1.0))                        \
  X(no_body_mass, VALUE, W("probe", "mass is 0", "[1e-150, 1e+150]"), BODY(.inertia = sphere))                  \
  X(body_mass_inf, VALUE, W("probe", "mass is inf"), BODY(.mass = INFINITY, .inertia = sphere))    \
  X(body_mass_1e308, VALUE, W("nsds_rigid_body", "probe", "mass is 1e+308", "[1e-150, 1e+150]"),   \
    BODY(.mass = 1e308, .inertia = sphere))                                                        \
  X(body_mass_denormal, VALUE, W("probe", "mass is 4.94066e-324"),                                 \
    BODY(.mass = 4.94066e-324, .inertia = sphere))                                                 \
  X(inertia_1e308, VALUE, W("probe", "inertia[1,1] is 1e+308", "[1e-150, 1e+150]"),                \
    INERTIA(1, 0, 0, 0, 1e308, 0, 0, 0, 1))                                                        \
  X(inertia_denormal, VALUE, W("probe", "inertia[0,0] is 1e-310"),                                 \
    INERTIA(1e-310, 0, 0, 0, 1e-310, 0, 0, 0, 1e-310))                                             \
  X(flat_mass_1e308, VALUE, W("nsds_rigid_body_2d", "probe", "mass is 1e+308"),                    \
    FLAT(.mass = 1e308, .inertia = 1.0))                                                           \
  X(flat_inertia_denormal, VALUE, W("nsds_rigid_body_2d", "inertia is 1e-310"),                    \
    FLAT(.mass = 1.0, .inertia = 1e-310))                                                          \
  X(inertia_zero, SINGULAR, W("probe", "inertia", "not positive definite"),                        \
    INERTIA(0, 0, 0, 0, 0, 0, 0, 0, 0))                                                            \
  X(inertia_of_a_rod, SINGULAR, W("probe", "inertia", "not positive definite"),                    \
    INERTIA(1, 0, 0, 0, 1, 0, 0, 0, 0))                                                            \
  X(inertia_indefinite, SINGULAR, W("inertia", "not positive definite"),                           \
    INERTIA(1, 2, 0, 2, 1, 0, 0, 0, 1))                                                            \
  X(inertia_third_minor, SINGULAR, W("inertia", "not positive definite"),                          \
    INERTIA(1, 0.9, 0.9, 0.9, 1, 0.1, 0.9, 0.1, 1))                                                \
  X(inertia_singular, SINGULAR, W("inertia", "not positive definite"),                             \
    INERTIA(2, -1, -1, -1, 2, -1, -1, -1, 2))                                                      \
  X(inertia_unsymmetric, VALUE, W("inertia[1,0] is 0.1", "inertia[0,1] is 0", "symmetric"),        \
    INERTIA(1, 0.1, 0, 0, 1, 0, 0, 0, 1))                                                          \
  X(inertia_nan, VALUE, W("inertia[4]", "finite"), INERTIA(1, 0, 0, 0, NAN, 0, 0, 0, 1))           \
  X(quaternion_zero, VALUE, W("probe", "quaternion", "norm 0"), ATTITUDE(0, 0, 0, 0))              \
  X(quaternion_long, VALUE, W("quaternion", "norm 1.00001", "1e-6"), ATTITUDE(1.00001, 0, 0, 0))   \
  X(quaternion_nan, VALUE, W("q0[4]", "finite"), ATTITUDE(1, NAN, 0, 0))                           \
  X(twist_inf, VALUE, W("v0[5] is inf"), ROUND(.v0 = (double[6]){0, 0, 0, 0, 0, INFINITY}))        \
  X(weight_nan, VALUE, W("gravity[2]"), ROUND(.gravity = {0, 0, NAN}))                             \
  X(force_without_jacobians, ARGUMENT, W("probe", "force.fn", "force.jac_q_fn", "nsds_zero"),      \
    ROUND(.force.fn = f, .force.jac_v_fn = f))                                                     \
  X(moment_without_jacobians, ARGUMENT, W("probe", "moment.fn", "moment.jac_v_fn"),                \
    ROUND(.moment.fn = f, .moment.jac_q_fn = f))                                                   \
  X(jacobian_without_force, ARGUMENT, W("force.fn", "is NULL", "Jacobian"),                        \
    ROUND(.force.jac_q_fn = f))                                                                    \
  X(frame_of_a_force, ARGUMENT, W("probe", "force.in_world", "unless in_body"),                    \
    ROUND(.force.in_world = true))                                                                 \
  X(frame_without_moment, ARGUMENT, W("moment.fn", "is NULL", "frame"),                            \
    ROUND(.moment.in_world = true))                                                                \
  X(body_prescribed_without_function, ARGUMENT, W("prescribed.fn is NULL"),                        \
    ROUND(.prescribed.n = 1, .prescribed.index = (int[]){0}))                                             \
  X(body_prescribed_out_of_range, SIZE, W("prescribed.index[0] is 6"),                                   \
    ROUND(.prescribed.n = 1, .prescribed.index = (int[]){6}, .prescribed.fn = f))                         \
  X(flat_body_without_mass, VALUE, W("nsds_rigid_body_2d", "probe", "mass is 0"),                  \
    FLAT(.inertia = 1.0))                                                                          \
  X(flat_body_without_inertia, VALUE, W("probe", "inertia is -1"),                                 \
    FLAT(.mass = 1.0, .inertia = -1.0))                                                            \
  X(flat_body_weight_inf, VALUE, W("gravity[1] is inf"),                                           \
    FLAT(.mass = 1.0, .inertia = 1.0, .gravity = {0, INFINITY}))                                   \
  X(flat_body_nan, VALUE, W("q0[2]", "finite"),                                                    \
    FLAT(.mass = 1.0, .inertia = 1.0, .q0 = (double[3]){0, 0, NAN}))                               \
  X(def_null_contact, ARGUMENT, W("nsds_contact_relation", "def is NULL"),                         \
    made(b, nsds_contact_relation(b->model, NULL)))                                                \
  X(contact_without_function, ARGUMENT, W("nsds_contact_relation", "contact_fn is NULL"),          \
    CONTACT(.rows = 1))                                                                            \
  X(contact_dimension, SIZE, W("nsds_contact_relation", "dimension is 4", "2 and 3"),              \
    CONTACT(.dimension = 4, .contact_fn = touch))                                                  \
  X(contact_rows, SIZE, W("rows is 2", "1 (normal), 3"), CONTACT(.rows = 2, .contact_fn = touch))  \
  X(contact_rows_in_the_plane, SIZE, W("rows is 5", "in the plane"),                               \
    CONTACT(.dimension = 2, .rows = 5, .contact_fn = touch))                                       \
  X(plane_without_normal, VALUE, W("nsds_sphere_plane_relation", "normal", "length 0"),            \
    PLANE(.radius = 1.0))                                                                          \
  X(plane_normal_long, VALUE, W("normal", "length 2"), PLANE(.normal = {0, 0, 2}))                 \
  X(plane_normal_out_of_plane, VALUE, W("normal", "length 0"),                                     \
    PLANE(.dimension = 2, .normal = {0, 0, 1}))                                                    \
  X(plane_radius, VALUE, W("radius is -1"), PLANE(.radius = -1.0, .normal = {1}))                  \
  X(plane_center, VALUE, W("center[1]"), PLANE(.center = {0, NAN}, .normal = {1}))                 \
  X(plane_offset, VALUE, W("offset is inf", "finite"), PLANE(.offset = INFINITY, .normal = {1}))          \
  X(plane_rows, SIZE, W("nsds_sphere_plane_relation", "rows is 4"),                                \
    PLANE(.rows = 4, .normal = {1}))                                                               \
  X(spheres_radius, VALUE, W("nsds_sphere_sphere_relation", "radius[1] is nan"),                   \
    SPHERES(.radius = {1, NAN}))                                                                   \
  X(spheres_dimension, SIZE, W("dimension is -1"), SPHERES(.dimension = -1))                       \
  X(def_null_joint, ARGUMENT, W("nsds_joint", "def is NULL"),                                      \
    made(b, nsds_joint(b->model, NULL)))                                                           \
  X(joint_without_kind, VALUE, W("nsds_joint", "kind is 0", "nsds_joint_kind"),                    \
    joint(b, (nsds_joint_def){.name = "probe"}))                                                   \
  X(joint_of_unknown_kind, VALUE, W("kind is 11"), joint(b, (nsds_joint_def){.kind = 11}))         \
  X(joint_with_a_third_body, ARGUMENT, W("ds[2]", "solid", "GEAR"),                                \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {b->solid, NULL, b->solid}}))         \
  X(gear_without_teeth, VALUE, W("nsds_joint", "teeth[1] is 0"),                                   \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_GEAR, .axis = {1}, .teeth = {20}}))               \
  X(gears_of_plane_and_space, ARGUMENT, W("both in the plane"),                                    \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_GEAR, .ds = {b->solid, b->flat}, .axis = {1},     \
                              .teeth = {20, 30}}))                                                 \
  X(gear_alone, ARGUMENT, W("ds[1] and ds[2] are NULL"),                                           \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_GEAR, .axis = {1}, .teeth = {20, 30}}))           \
  X(gear_with_itself, ARGUMENT, W("ds[0] and ds[1] are one body"),                                 \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_GEAR, .ds = {b->solid, b->solid}, .axis = {1},    \
                              .teeth = {20, 30}}))                                                 \
  X(gear_without_axis, VALUE, W("axis", "length 0"),                                               \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_GEAR, .ds = {b->solid, b->flat},            \
                              .teeth = {20, 30}}))                                                 \
  X(joint_without_body, ARGUMENT, W("nsds_joint", "ds[0] is NULL"),                                \
    made(b, nsds_joint(b->model, &(nsds_joint_def){.kind = NSDS_JOINT_BALL})))                     \
  X(joint_of_a_ball_of_one_coordinate, ARGUMENT, W("ds[0]", "ball", "not a rigid body"),           \
    made(b, nsds_joint(b->model,                                                                   \
        &(nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {b->ball}})))                             \
  X(joint_with_itself, ARGUMENT, W("ds[1]", "solid", "is ds[0] too"),                                      \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {b->solid, b->solid}}))              \
  X(joint_in_another_model, ARGUMENT, W("ds[0]", "another model"),                                 \
    made(b, nsds_joint(b->model,                                                                   \
        &(nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {b->other_ball}})))                       \
  X(hinge_without_axis, VALUE, W("nsds_joint", "axis", "length 0", "direction"),                   \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_HINGE}))                                          \
  X(slide_without_axis, VALUE, W("axis", "length 0"),                                              \
    coordinate(b, (nsds_joint_coordinate_def){.kind = NSDS_COORDINATE_DISPLACEMENT}))              \
  X(coordinate_unknown, VALUE, W("nsds_joint_coordinate", "kind is 9"),                            \
    coordinate(b, (nsds_joint_coordinate_def){.kind = (nsds_joint_coordinate_kind)9}))             \
  X(coordinate_offset_nan, VALUE, W("nsds_joint_coordinate", "offset"),                            \
    coordinate(b, (nsds_joint_coordinate_def){.kind = NSDS_COORDINATE_ANGLE, .axis = {1, 0, 0},    \
        .offset = NAN}))                                                                           \
  X(coordinate_as_joint, VALUE, W("nsds_joint", "kind is 11"),                                     \
    joint(b, (nsds_joint_def){.kind = (nsds_joint_kind)11, .axis = {1, 0, 0}}))                    \
  X(hinge_axis_nan, VALUE, W("axis[1]", "finite"),                                                 \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_HINGE, .axis = {0, NAN}}))                        \
  X(hinge_axis_overflows, VALUE, W("axis", "length inf"),                                          \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_HINGE, .axis = {1e300}}))                         \
  X(joint_that_pushes, VALUE, W("nsds_joint", "D is -1"),                                          \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_BALL, .D = -1.0}))                                \
  X(joint_point_inf, VALUE, W("point[2] is inf"),                                                  \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_FIXED, .point = {0, 0, INFINITY}}))               \
  X(rod_without_length, VALUE, W("length is 0", "0 apart"),                                        \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_DISTANCE, .point = {1}, .other = {1}}))           \
  X(rod_of_given_length_at_one_place, VALUE, W("length is 2", "0 apart"),                          \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_DISTANCE, .length = 2.0}))                        \
  X(rope_of_negative_length, VALUE, W("length is -1"),                                             \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_ROPE, .length = -1.0, .other = {1}}))             \
  X(cylindrical_in_the_plane, UNSUPPORTED, W("nsds_joint", "this kind", "plane"),                \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_CYLINDRICAL, .ds = {b->flat}, .axis = {1}}))                  \
  X(slide_across_the_plane, VALUE, W("axis", "length 0"),                                          \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_PRISMATIC, .ds = {b->flat}, .axis = {0, 0, 1}}))              \
  X(joint_of_plane_and_space, ARGUMENT, W("ds[1]", "both", "in the plane"),                               \
    joint(b, (nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {b->solid, b->flat}}))             \
  X(spheres_def_null, ARGUMENT, W("nsds_spheres", "def is NULL"),                                  \
    made(b, nsds_spheres(b->model, NULL)))                                                         \
  X(spheres_without_law, ARGUMENT, W("nsds_spheres", "law is NULL"),                               \
    SET(.count = 1, .ds = &b->solid, .radius = 1.0, FLOOR))                                        \
  X(spheres_without_bodies, ARGUMENT, W("ds is NULL"),                                             \
    SET(.law = b->impact, .count = 1, .radius = 1.0, FLOOR))                                       \
  X(spheres_none, SIZE, W("count is 0", ">= 1"),                                                   \
    SET(.law = b->impact, .ds = &b->solid, .radius = 1.0, FLOOR))                                  \
  X(sphere_without_radius, VALUE, W("nsds_spheres", "radius is 0"), SET(ONE, FLOOR))               \
  X(sphere_radius_nan, VALUE, W("radii[0] is nan"), SET(ONE, FLOOR, .radii = (double[]){NAN}))     \
  X(sphere_radius_negative, VALUE, W("radii[1] is -1"),                                            \
    SET(.law = b->impact, .count = 2, .ds = (nsds_ds *[]){b->solid, b->flat},                      \
        .radii = (double[]){1.0, -1.0}))                                                           \
  X(spheres_on_a_plane_body, ARGUMENT, W("ds[0]", "flat", "not a rigid body", "7 coordinates"),    \
    SET(.law = b->impact, .count = 1, .ds = &b->flat, .radius = 1.0, FLOOR))                       \
  X(spheres_of_another_model, ARGUMENT, W("ds[0]", "not a rigid body of this model"),              \
    SET(.law = b->impact, .count = 1, .ds = &b->other_ball, .radius = 1.0, FLOOR))                 \
  X(spheres_null_entry, ARGUMENT, W("an entry of ds"),                                             \
    SET(.law = b->impact, .count = 1, .ds = (nsds_ds *[]){NULL}, .radius = 1.0, FLOOR))            \
  X(sphere_twice, ARGUMENT, W("ds[1]", "solid", "twice"),                                          \
    SET(.law = b->impact, .count = 2, .ds = (nsds_ds *[]){b->solid, b->solid}, .radius = 1.0))     \
  X(spheres_law_of_two_rows, ARGUMENT, W("law", "1 (normal), 3"),                                  \
    SET(.law = nsds_newton_impact_friction(b->model,                                               \
            &(nsds_newton_impact_friction_def){.dimension = 2}),                                   \
        .count = 1, .ds = &b->solid, .radius = 1.0, FLOOR))                                        \
  X(sphere_alone, ARGUMENT, W("nothing can touch"), SET(ONE, .radius = 1.0))                       \
  X(spheres_plane_null, ARGUMENT, W("plane is NULL"), SET(ONE, .radius = 1.0, .nplane = 1))        \
  X(spheres_normal_zero, VALUE, W("plane[0].normal", "length 0"),                                  \
    SET(ONE, .radius = 1.0, .nplane = 1, .plane = &(nsds_plane){{0, 0, 0}, 0}))                    \
  X(spheres_normal_nan, VALUE, W("plane[0].normal", "nan"),                                        \
    SET(ONE, .radius = 1.0, .nplane = 1, .plane = &(nsds_plane){{0, NAN, 1}, 0}))                  \
  X(spheres_offset_inf, VALUE, W("plane[0].offset is inf"),                                        \
    SET(ONE, .radius = 1.0, .nplane = 1, .plane = &(nsds_plane){{0, 0, 1}, INFINITY}))             \
  X(spheres_reach_negative, VALUE, W("reach is -1"), SET(ONE, FLOOR, .radius = 1.0, .reach = -1))  \
  X(spheres_max_contacts_negative, SIZE, W("max_contacts is -1"),                                  \
    SET(ONE, FLOOR, .radius = 1.0, .max_contacts = -1))                                            \
  X(contact_of_other_systems, SIZE, W("probe", "7 coordinates", "ball"),                           \
    made(b, nsds_connect(b->model,                                                                 \
        nsds_sphere_plane_relation(b->model, &(nsds_sphere_plane_relation_def){                    \
            .name = "probe", .rows = 1, .normal = {1}}), b->impact, 1, &b->ball)))                 \
  X(tangents_and_a_law_of_one_row, SIZE, W("nsds_newton_impact", "size 1", "probe", ".rows = 1"),  \
    made(b, nsds_connect(b->model,                                                                 \
        nsds_sphere_plane_relation(b->model, &(nsds_sphere_plane_relation_def){                    \
            .name = "probe", .normal = {1}}), b->impact, 1, &b->solid)))
/* clang-format on */

BODIES(FUNCTION)

const misuse misuses_of_bodies[] = {BODIES(OWNED){0}};
