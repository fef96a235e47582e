/*
 * Misuses of rigid bodies.
 */
#include "bad_input.h"

static const double sphere[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static int f(const nsds_in *in, double *out, void *user) {
  (void)in, (void)out, (void)user;
  return 0;
}

#define BODY(...)                                                                                  \
  made(b, nsds_rigid_body(b->model, &(nsds_rigid_body_def){.name = "probe", __VA_ARGS__}))
#define SOUND .mass = 1.0, .inertia = sphere
#define ROUND(...) BODY(SOUND, __VA_ARGS__)
#define FLAT(...)                                                                                  \
  made(b, nsds_rigid_body_2d(b->model, &(nsds_rigid_body_2d_def){.name = "probe", __VA_ARGS__}))
#define INERTIA(...) BODY(.mass = 1.0, .inertia = (double[9]){__VA_ARGS__})
#define ATTITUDE(...) ROUND(.q0 = (double[7]){0, 0, 0, __VA_ARGS__})

/* clang-format off */
#define BODIES(X)                                                                                  \
  X(def_null_body, ARGUMENT, W("nsds_rigid_body", "def is NULL"),                                  \
    made(b, nsds_rigid_body(b->model, NULL)))                                                      \
  X(def_null_flat_body, ARGUMENT, W("nsds_rigid_body_2d", "def is NULL"),                          \
    made(b, nsds_rigid_body_2d(b->model, NULL)))                                                   \
  X(no_inertia, ARGUMENT, W("probe", "inertia is NULL"), BODY(.mass = 1.0))                        \
  X(no_body_mass, VALUE, W("probe", "mass is 0", "> 0"), BODY(.inertia = sphere))                  \
  X(body_mass_inf, VALUE, W("probe", "mass is inf"), BODY(.mass = INFINITY, .inertia = sphere))    \
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
  X(force_without_jacobians, ARGUMENT, W("probe", "force_fn", "jac_force_q_fn", "nsds_zero"),      \
    ROUND(.force_fn = f, .jac_force_v_fn = f))                                                     \
  X(moment_without_jacobians, ARGUMENT, W("probe", "moment_fn", "jac_moment_v_fn"),                \
    ROUND(.moment_fn = f, .jac_moment_q_fn = f))                                                   \
  X(jacobian_without_force, ARGUMENT, W("force_fn", "is NULL", "Jacobian"),                        \
    ROUND(.jac_force_q_fn = f))                                                                    \
  X(frame_without_moment, ARGUMENT, W("moment_fn", "is NULL", "frame"),                            \
    ROUND(.moment_in_world = true))                                                                \
  X(body_prescribed_without_function, ARGUMENT, W("prescribed_fn is NULL"),                        \
    ROUND(.nprescribed = 1, .prescribed = (int[]){0}))                                             \
  X(body_prescribed_out_of_range, SIZE, W("prescribed[0] is 6"),                                   \
    ROUND(.nprescribed = 1, .prescribed = (int[]){6}, .prescribed_fn = f))                         \
  X(flat_body_without_mass, VALUE, W("nsds_rigid_body_2d", "probe", "mass is 0"),                  \
    FLAT(.inertia = 1.0))                                                                          \
  X(flat_body_without_inertia, VALUE, W("probe", "inertia is -1"),                                 \
    FLAT(.mass = 1.0, .inertia = -1.0))                                                            \
  X(flat_body_weight_inf, VALUE, W("gravity[1] is inf"),                                           \
    FLAT(.mass = 1.0, .inertia = 1.0, .gravity = {0, INFINITY}))                                   \
  X(flat_body_nan, VALUE, W("q0[2]", "finite"),                                                    \
    FLAT(.mass = 1.0, .inertia = 1.0, .q0 = (double[3]){0, 0, NAN}))
/* clang-format on */

BODIES(FUNCTION)

const misuse misuses_of_bodies[] = {BODIES(OWNED){0}};
