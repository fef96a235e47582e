/* Contact sets, and types of a user's own, that cannot be right. */
#include "bad_input.h"

static const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

/* ---- shapes ---- */

/* A set of a ball on `solid`, for calls on it; it goes again. */
typedef nsds_status with_set(bench *b, nsds_contact_set *set);

static nsds_status in_a_set(bench *b, with_set *commit) {
  nsds_shape_def ball = {
      .kind = NSDS_SPHERE, .ds = b->solid, .radius = 0.1, .position = {1e6, 0.0, 0.0}};
  nsds_contact_set *set = nsds_shapes(
      b->model, &(nsds_shapes_def){.name = "set", .law = b->impact, .nshape = 1, .shape = &ball});
  nsds_status status = commit(b, set);
  nsds_contact_set_destroy(set);
  return status;
}

static nsds_status remove_nothing(bench *b, nsds_contact_set *set) {
  (void)b;
  return nsds_shapes_remove_body(set, NULL);
}

static nsds_status remove_what_has_none(bench *b, nsds_contact_set *set) {
  return nsds_shapes_remove_body(set, b->spare);
}

static nsds_status exclude_nothing(bench *b, nsds_contact_set *set) {
  return nsds_shapes_exclude(set, NULL, b->solid);
}

static nsds_status contact_to_nowhere(bench *b, nsds_contact_set *set) {
  nsds_contact_iterator at = nsds_set_contacts(set);
  return nsds_next_contact(&at, NULL) ? NSDS_OK : nsds_error(nsds_model_context(b->model));
}

static nsds_status info_to_nowhere(bench *b, nsds_contact_set *set) {
  (void)b;
  return nsds_contact_set_get(set, 0, NULL);
}

#define SHAPES(dimension_, law_, ...)                                                              \
  made(b, nsds_shapes(b->model, &(nsds_shapes_def){.dimension = dimension_,                        \
                                                   .law = law_,                                    \
                                                   .nshape = 1,                                    \
                                                   .shape = &(nsds_shape_def){__VA_ARGS__}}))

static nsds_law *friction(bench *b) {
  return nsds_newton_impact_friction(b->model, &(nsds_newton_impact_friction_def){.dimension = 2});
}

static nsds_status rolling(bench *b) { /* five rows, in the plane */
  nsds_law *law = nsds_newton_impact_rolling(
      b->model, &(nsds_newton_impact_rolling_def){.mu = 0.1, .mu_rolling = 0.1});
  return SHAPES(2, law, .kind = NSDS_SPHERE, .ds = b->flat, .radius = 1.0);
}

static nsds_status tangents_of_the_plane(bench *b) { /* two rows, in space */
  return SHAPES(3, friction(b), .kind = NSDS_SPHERE, .ds = b->solid, .radius = 1.0);
}

/* ---- vtables ---- */

static nsds_status fill(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  out[0] = 1.0;
  return NSDS_OK;
}

#define RELATION_OF(label, operations, ...)                                                        \
  made(b,                                                                                          \
       nsds_custom_relation(                                                                       \
           b->model, &(nsds_custom_relation_def){                                                  \
                         .ops = &(nsds_relation_ops){.type = label, .output = fill, operations},   \
                         .ny = 1,                                                                  \
                         .nq = 1,                                                                  \
                         __VA_ARGS__}))
#define AND ,

static nsds_status first_order_with_sparse_rates(bench *b) {
  static const nsds_first_order_ops ops = {.type = "rated", .rhs = fill};
  return made(b, nsds_custom_first_order(
                     b->model, &(nsds_custom_first_order_def){
                                   .ops = &ops, .n = 1, .rate_jacobian = {.present = true}}));
}

static int f(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

/* ---- a system of first order ---- */

static nsds_status energy_of_first_order(bench *b) {
  nsds_model *model = nsds_model_create(b->context);
  nsds_ds *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .A = one});
  double energy = nsds_kinetic_energy(ds);
  nsds_model_destroy(model);
  return isnan(energy) ? nsds_error(b->context) : NSDS_OK;
}

static nsds_status parameters_from_nowhere(bench *b) {
  nsds_model *model = nsds_model_create(b->context);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                           .mass = one,
                                           .fext_fn = f,
                                           .ndata = 1,
                                           .data = &(nsds_operator_data){.function = f, .nz = 1}});
  nsds_status status = nsds_ds_set_operator_z(ds, f, 1, NULL);
  nsds_model_destroy(model);
  return status;
}

static nsds_status triplet(int row, int col) {
  int p[3], i[1];
  double x[1];
  nsds_csc out;
  return nsds_triplets_to_csc(2, 2, 1, &(nsds_triplet){row, col, 1.0}, p, i, x, &out);
}

#define LINEAR(...)                                                                                \
  made(b, nsds_lagrangian_linear(b->model, &(nsds_lagrangian_linear_def){.ndof = 1, __VA_ARGS__}))
#define CSC                                                                                        \
  (nsds_csc) { .nrow = 1, .ncol = 1, .p = (int[]){0, 1}, .i = (int[]){0}, .x = one }

/* clang-format off */
#define ORPHANS(X)                                                                                 \
  X(log_of_nothing, ARGUMENT, W("nsds_context_swap_log: context is NULL"),                         \
    nsds_context_swap_log(NULL, NULL, NULL))                                                       \
  X(threads_of_nothing, ARGUMENT, W("nsds_context_set_threads: context is NULL"),                  \
    nsds_context_set_threads(NULL, 2))                                                             \
  X(discretise_nothing, ARGUMENT, W("nsds_ds_discretise: ds is NULL"), nsds_ds_discretise(NULL, (nsds_discretisation){0})) \
  X(operator_z_of_nothing, ARGUMENT, W("nsds_ds_set_operator_z: ds is NULL"),                      \
    nsds_ds_set_operator_z(NULL, f, 1, one))                                                       \
  X(operator_z_of_no_relation, ARGUMENT, W("nsds_relation_set_operator_z: relation is NULL"),      \
    nsds_relation_set_operator_z(NULL, f, 1, one))                                                 \
  X(force_of_nothing, ARGUMENT, W("nsds_set_lambda: interaction is NULL"), nsds_set_lambda(NULL, one)) \
  X(turns_of_nothing, ARGUMENT, W("nsds_joint_set_turns: joint is NULL"), nsds_joint_set_turns(NULL, 0.0)) \
  X(meet_in_nothing, ARGUMENT, W("nsds_event_meet: simulation is NULL"), nsds_event_meet(NULL))    \
  X(contacts_of_nothing, ARGUMENT, W("nsds_contacts_add: contacts is NULL"),                       \
    nsds_contacts_add(NULL, &(nsds_contact_point){0}))                                             \
  X(triplet_below, SIZE, W("triplet[0] is at (2, 0)", "2 x 2"), triplet(2, 0))                     \
  X(triplet_beside, SIZE, W("triplet[0] is at (0, -1)", "2 x 2"), triplet(0, -1))

#define SETS(X)                                                                                    \
  X(threads_none, VALUE, W("threads is 0", "1..256"), nsds_context_set_threads(b->context, 0))     \
  X(threads_many, VALUE, W("threads is 257"), nsds_context_set_threads(b->context, 257))           \
  X(shapes_remove_null, ARGUMENT, W("nsds_shapes_remove_body: ds is NULL"),                        \
    in_a_set(b, remove_nothing))                                                                   \
  X(shapes_remove_shapeless, ARGUMENT, W("nsds_shapes_remove_body", "has no shape of", "spare"),   \
    in_a_set(b, remove_what_has_none))                                                             \
  X(shapes_exclude_null, ARGUMENT, W("nsds_shapes_exclude: first is NULL"),                        \
    in_a_set(b, exclude_nothing))                                                                  \
  X(next_contact_null, ARGUMENT, W("nsds_next_contact: contact is NULL"),                          \
    in_a_set(b, contact_to_nowhere))                                                               \
  X(set_get_null, ARGUMENT, W("nsds_contact_set_get: info is NULL"), in_a_set(b, info_to_nowhere)) \
  X(shapes_rows_of_space, ARGUMENT, W("the law has 5 rows", "in the plane"), rolling(b))           \
  X(shapes_rows_of_plane, ARGUMENT, W("the law has 2 rows", "3 (with tangents)"),                  \
    tangents_of_the_plane(b))                                                                      \
  X(shape_of_space_in_plane, ARGUMENT, W("solid", "not a rigid body of this model in the plane"),  \
    SHAPES(2, b->impact, .kind = NSDS_SPHERE, .ds = b->solid, .radius = 1.0))                      \
  X(triangles_without_faces, ARGUMENT, W("face is NULL"),                                          \
    SHAPES(3, b->impact, .kind = NSDS_TRIANGLES, .nvertex = 3, .vertex = one, .nface = 1))         \
  X(set_force_null, ARGUMENT, W("nsds_set_lambda: lambda is NULL"), nsds_set_lambda(b->floor, NULL))  \
  X(turns_of_a_floor, ARGUMENT, W("nsds_joint_set_turns", "has no angle in space"), nsds_joint_set_turns(b->floor, 7.0)) \
  X(energy_without_velocities, ARGUMENT, W("nsds_kinetic_energy", "first order"),                  \
    energy_of_first_order(b))                                                                      \
  X(two_masses, ARGUMENT, W("both mass and mass_sparse"),                                          \
    LINEAR(.mass = one, .mass_sparse = &CSC))                                                      \
  X(two_dampings, ARGUMENT, W("both damping and damping_sparse"),                                  \
    LINEAR(.mass = one, .damping = one, .damping_sparse = &CSC))                                   \
  X(two_stiffnesses, ARGUMENT, W("both stiffness and stiffness_sparse"),                           \
    LINEAR(.mass = one, .stiffness = one, .stiffness_sparse = &CSC))                               \
  X(prescribed_but_none, ARGUMENT, W("prescribed", "but prescribed.n is 0"),                        \
    LINEAR(.mass = one, .prescribed.fn = f))                                                       \
  X(prescribed_of_nonlinear, ARGUMENT, W("nsds_lagrangian", "but prescribed.n is 0"),               \
    made(b, nsds_lagrangian(b->model,                                                              \
                            &(nsds_lagrangian_def){.ndof = 1, .mass = one, .prescribed.fn = f})))  \
  X(prescribed_of_body, ARGUMENT, W("nsds_rigid_body", "but prescribed.n is 0"),                    \
    made(b, nsds_rigid_body(b->model, &(nsds_rigid_body_def){                                      \
        .mass = 1.0, .inertia = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, .prescribed.fn = f})))      \
  X(operator_z_from_nowhere, ARGUMENT, W("nsds_ds_set_operator_z: z is NULL"),                     \
    parameters_from_nowhere(b))                                                                    \
  X(mixed_half, ARGUMENT, W("half", "mixed relations need"),                                       \
    RELATION_OF("half", .jacobian_q = fill, .mixed = true, .nx = 1))                               \
  X(mixed_affine, ARGUMENT, W("stiff", "mixed excludes affine"),                                   \
    RELATION_OF("stiff", .jacobian_q = fill AND .jacobian_v = fill AND .input = fill AND           \
                .input_lambda = fill AND .jacobian_x = fill, .mixed = true, .nx = 1, .affine = true)) \
  X(input_q_alone, ARGUMENT, W("bent", "input_q and input_v"),                                     \
    RELATION_OF("bent", .jacobian_q = fill AND .input_q = fill, .nv = 1))                          \
  X(two_gradients, ARGUMENT, W("twice", "gradient_v excludes jacobian_q"),                         \
    RELATION_OF("twice", .jacobian_q = fill AND .gradient_v = fill, .nv = 1))                      \
  X(feedthrough_twice, ARGUMENT, W("fed", "jacobian_lambda excludes affine and feedthrough"),      \
    RELATION_OF("fed", .jacobian_q = fill AND .jacobian_lambda = fill AND .feedthrough = fill,     \
                .nv = 1))                                                                          \
  X(impulsive_affine, ARGUMENT, W("struck", "impulsive excludes affine"),                          \
    RELATION_OF("struck", .jacobian_q = fill, .impulsive = true, .affine = true))                  \
  X(bias_of_affine, ARGUMENT, W("biased", "bias excludes affine"),                                 \
    RELATION_OF("biased", .jacobian_q = fill AND .bias = fill, .affine = true))                    \
  X(rates_without_operation, ARGUMENT, W("rated", "rate_jacobian needs its operation"),            \
    first_order_with_sparse_rates(b))                                                              \
  X(mixed_without_x, ARGUMENT, W("jac_output_x_fn is given, but nx is 0"),                              \
    made(b, nsds_mixed_relation(b->model, &(nsds_mixed_relation_def){                              \
        .ny = 1, .nq = 1, .nv = 1, .output_fn = f, .jac_output_x_fn = f, .jac_output_q_fn = f, .jac_output_v_fn = f,   \
        .input_fn = f, .jac_input_lambda_fn = f})))                                                        \
  X(gear_of_nothing, ARGUMENT, W("ds[0] is NULL", "first gear"),                                   \
    made(b, nsds_joint(b->model, &(nsds_joint_def){.kind = NSDS_JOINT_GEAR, .teeth = {1, 1},       \
                                                   .ds = {NULL, b->solid}})))
/* clang-format on */

ORPHANS(FUNCTION)
SETS(FUNCTION)

const misuse misuses_of_sets[] = {ORPHANS(ORPHAN) SETS(OWNED){0}};
