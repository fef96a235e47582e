/* Definitions of systems that cannot be right. */
#include "bad_input.h"

#include <limits.h>

static const double one[4] = {1.0, 0.0, 0.0, 1.0}, nan_1[1] = {NAN}, inf_1[1] = {INFINITY};
static const double nan_4[4] = {1.0, 0.0, NAN, 1.0}, rank_1[4] = {1.0, 2.0, 2.0, 4.0};
static const double lopsided[4] = {2.0, 0.5, 0.25, 2.0}, negative[4] = {1.0, 0.0, 0.0, -1.0};
static const double saddle[4] = {1.0, 2.0, 2.0, 1.0}, zero_4[4] = {0.0, 0.0, 0.0, 0.0};
static const int p_2[3] = {0, 1, 2}, i_2[2] = {0, 1}, i_far[2] = {0, 5}, p_back[3] = {0, 2, 1};
static const int p_full[3] = {0, 2, 4}, i_full[4] = {0, 1, 0, 1}, i_down[4] = {1, 0, 0, 1};

/* Unit diagonal and positive 2 x 2 minors, but the eigenvalue -0.8 at (1, 1, 1). */
static const double indefinite_3[9] = {1.0, -0.9, -0.9, -0.9, 1.0, -0.9, -0.9, -0.9, 1.0};
static const double singular_3[9] = {1.0, -0.5, -0.5, -0.5, 1.0, -0.5, -0.5, -0.5, 1.0};
static const int p_3[4] = {0, 3, 6, 9}, i_3[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};

static int f(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int singular(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, rank_1, sizeof rank_1);
  return 0;
}

static int not_a_number(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = NAN;
  return 0;
}

static nsds_status no_mass(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in, (void)out;
  return NSDS_OK;
}

static const nsds_second_order_ops no_force = {.type = "halfway", .mass = no_mass};
static nsds_status nothing(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in, (void)out;
  return NSDS_OK;
}
static const nsds_second_order_ops patterned = {
    .type = "patterned", .mass = nothing, .force = nothing};

static nsds_csc csc(int n, const int *p, const int *i, const double *x) {
  return (nsds_csc){.nrow = n, .ncol = n, .p = p, .i = i, .x = x};
}

static int indefinite(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, indefinite_3, sizeof indefinite_3);
  return 0;
}

static nsds_status sparse_3(bench *b, const double *x) {
  nsds_csc mass = csc(3, p_3, i_3, x);
  return made(
      b, nsds_lagrangian_linear(b->model, &(nsds_lagrangian_linear_def){
                                              .name = "probe", .ndof = 3, .mass_sparse = &mass}));
}

/* A sparse M of a system of two degrees of freedom. */
static nsds_status sparse(bench *b, nsds_csc mass) {
  return made(b, nsds_lagrangian_linear(
                     b->model, &(nsds_lagrangian_linear_def){.ndof = 2, .mass_sparse = &mass}));
}

#define LINEAR(...)                                                                                \
  made(b, nsds_lagrangian_linear(b->model,                                                         \
                                 &(nsds_lagrangian_linear_def){.name = "probe", __VA_ARGS__}))
#define NONLINEAR(...)                                                                             \
  made(b, nsds_lagrangian(b->model, &(nsds_lagrangian_def){.name = "probe", __VA_ARGS__}))

/* clang-format off */
#define SYSTEMS(X)                                                                                 \
  X(def_null_linear, ARGUMENT, W("nsds_lagrangian_linear", "def is NULL"),                         \
    made(b, nsds_lagrangian_linear(b->model, NULL)))                                               \
  X(def_null_nonlinear, ARGUMENT, W("nsds_lagrangian", "def is NULL"),                             \
    made(b, nsds_lagrangian(b->model, NULL)))                                                      \
  X(ndof_zero, SIZE, W("ndof is 0", ">= 1"), LINEAR(.mass = one))                                  \
  X(ndof_negative, SIZE, W("ndof is -3", ">= 1"), NONLINEAR(.ndof = -3, .mass = one))              \
  X(mass_1e308, VALUE, W("nsds_lagrangian", "mass[0,0] is 1e+308", "[1e-150, 1e+150]"),            \
    NONLINEAR(.ndof = 1, .mass = (double[]){1e308}))                                               \
  X(mass_denormal_linear, VALUE, W("nsds_lagrangian_linear", "mass[0,0] is 1e-310"),               \
    LINEAR(.ndof = 1, .mass = (double[]){1e-310}))                                                 \
  X(no_mass_linear, ARGUMENT, W("mass and mass_sparse are NULL"), LINEAR(.ndof = 1))               \
  X(no_mass_nonlinear, ARGUMENT, W("probe", "mass and mass_fn are NULL"), NONLINEAR(.ndof = 1))    \
  X(mass_twice, ARGUMENT, W("probe", "both mass and mass_fn"),                                     \
    NONLINEAR(.ndof = 1, .mass = one, .mass_fn = f))                                               \
  X(mass_nan, VALUE, W("mass[2] is nan", "finite"), LINEAR(.ndof = 2, .mass = nan_4))              \
  X(mass_nan_nonlinear, VALUE, W("mass[2] is nan", "finite"),                                      \
    NONLINEAR(.ndof = 2, .mass = nan_4))                                                           \
  X(mass_singular, SINGULAR, W("probe", "singular"), LINEAR(.ndof = 2, .mass = rank_1))            \
  X(mass_fn_singular, SINGULAR, W("probe", "singular"),                                            \
    NONLINEAR(.ndof = 2, .mass_fn = singular))                                                     \
  X(mass_fn_nan, CALLBACK, W("probe", "mass_fn", "nan", "entry 0"),                                \
    NONLINEAR(.ndof = 2, .mass_fn = not_a_number))                                                 \
  X(mass_zero, SINGULAR, W("probe", "mass[0,0] is 0"), LINEAR(.ndof = 2, .mass = zero_4))          \
  X(mass_negative, SINGULAR, W("probe", "mass[1,1] is -1", "positive definite"),                   \
    LINEAR(.ndof = 2, .mass = negative))                                                           \
  X(mass_asymmetric, VALUE, W("probe", "mass[1,0] is 0.5", "mass[0,1] is 0.25", "symmetric"),      \
    LINEAR(.ndof = 2, .mass = lopsided))                                                           \
  X(mass_indefinite, SINGULAR, W("probe", "positive definite"),                                    \
    LINEAR(.ndof = 2, .mass = saddle))                                                             \
  X(mass_indefinite_sparse, SINGULAR, W("system", "positive definite"),                            \
    sparse(b, csc(2, p_full, i_full, saddle)))                                                     \
  X(mass_indefinite_of_three, SINGULAR, W("probe", "indefinite", "positive definite"),             \
    LINEAR(.ndof = 3, .mass = indefinite_3))                                                       \
  X(mass_indefinite_of_three_nonlinear, SINGULAR, W("probe", "indefinite", "positive definite"),   \
    NONLINEAR(.ndof = 3, .mass = indefinite_3))                                                    \
  X(mass_fn_indefinite_of_three, SINGULAR, W("probe", "indefinite", "positive definite"),          \
    NONLINEAR(.ndof = 3, .mass_fn = indefinite))                                                   \
  X(mass_indefinite_of_three_sparse, SINGULAR, W("probe", "indefinite", "positive definite"),      \
    sparse_3(b, indefinite_3))                                                                     \
  X(mass_singular_of_three, SINGULAR, W("probe", "singular", "positive definite"),                 \
    LINEAR(.ndof = 3, .mass = singular_3))                                                         \
  X(mass_singular_of_three_sparse, SINGULAR, W("probe", "singular", "positive definite"),          \
    sparse_3(b, singular_3))                                                                       \
  X(sparse_wrong_size, SIZE, W("mass_sparse is 3 x 3", "ndof is 2"),                               \
    sparse(b, csc(3, p_2, i_2, one)))                                                              \
  X(sparse_row_outside, SIZE, W("mass_sparse.i[1] is 5", "[0, 1]"),                                \
    sparse(b, csc(2, p_2, i_far, one)))                                                            \
  X(sparse_rows_decrease, SIZE, W("mass_sparse.i[1] is 0", "increase"),                            \
    sparse(b, csc(2, p_full, i_down, one)))                                                        \
  X(sparse_starts_decrease, SIZE, W("mass_sparse.p[2] is 1", "p[1] = 2"),                          \
    sparse(b, csc(2, p_back, i_full, one)))                                                        \
  X(sparse_no_starts, ARGUMENT, W("mass_sparse.p is NULL"), sparse(b, csc(2, NULL, i_2, one)))     \
  X(sparse_no_values, ARGUMENT, W("mass_sparse", "NULL"), sparse(b, csc(2, p_2, i_2, NULL)))       \
  X(sparse_nan, VALUE, W("mass_sparse[2] is nan"), sparse(b, csc(2, p_full, i_full, nan_4)))       \
  X(sparse_asymmetric, VALUE, W("symmetric", "0.5", "0.25"),                                       \
    sparse(b, csc(2, p_full, i_full, lopsided)))                                                   \
  X(sparse_singular, SINGULAR, W("singular"), sparse(b, csc(2, p_full, i_full, rank_1)))           \
  X(mass_too_large, SIZE, W("probe", "mass is 46341 x 46341", "46340 rows", "sparse"),             \
    LINEAR(.ndof = 46341, .mass = one))                                                            \
  X(mass_too_large_nonlinear, SIZE, W("probe", "mass is 50000 x 50000", "46340 rows"),             \
    NONLINEAR(.ndof = 50000, .mass = one))                                                         \
  X(mass_fn_too_large, SIZE, W("probe", "mass is 2147483647 x", "46340 rows"),                     \
    NONLINEAR(.ndof = INT_MAX, .mass_fn = f))                                                      \
  X(damping_too_large, SIZE, W("probe", "damping is 46341 x 46341", "46340 rows"),                 \
    LINEAR(.ndof = 46341, .damping = one))                                                         \
  X(first_order_too_large, SIZE, W("probe", "A is 70000 x 70000", "46340 rows"),                   \
    made(b, nsds_first_order_linear(                                                               \
                b->model, &(nsds_first_order_linear_def){.name = "probe", .n = 70000, .A = one}))) \
  X(first_order_without_matrices_too_large, SIZE,                                                  \
    W("probe", "iteration matrix is 70000 x 70000", "46340 rows"),                                 \
    made(b, nsds_first_order_linear(                                                               \
                b->model, &(nsds_first_order_linear_def){.name = "probe", .n = 70000})))           \
  X(damping_nan, VALUE, W("damping[2] is nan"), LINEAR(.ndof = 2, .mass = one, .damping = nan_4))  \
  X(stiffness_nan, VALUE, W("stiffness[2] is nan"),                                                \
    LINEAR(.ndof = 2, .mass = one, .stiffness = nan_4))                                            \
  X(fext_inf, VALUE, W("fext[0] is inf"), LINEAR(.ndof = 1, .mass = one, .fext = inf_1))           \
  X(fext_twice, ARGUMENT, W("both fext and fext_fn"),                                              \
    LINEAR(.ndof = 1, .mass = one, .fext = one, .fext_fn = f))                                     \
  X(fext_twice_nonlinear, ARGUMENT, W("probe", "both fext and fext_fn"),                           \
    NONLINEAR(.ndof = 1, .mass = one, .fext = one, .fext_fn = f))                                  \
  X(q0_nan, VALUE, W("q0[0] is nan"), LINEAR(.ndof = 1, .mass = one, .q0 = nan_1))                 \
  X(v0_inf, VALUE, W("v0[0] is inf"), NONLINEAR(.ndof = 1, .mass = one, .v0 = inf_1))              \
  X(z_nan, VALUE, W("z[0] is nan"), LINEAR(.ndof = 1, .mass = one, .nz = 1, .z = nan_1))           \
  X(nz_negative, SIZE, W("nz is -1"), LINEAR(.ndof = 1, .mass = one, .nz = -1))                    \
  X(fint_without_jacobian, ARGUMENT, W("probe", "fint.fn", "fint.jac_v_fn", "nsds_differences"),   \
    NONLINEAR(.ndof = 1, .mass = one, .fint.fn = f, .fint.jac_q_fn = f))                           \
  X(nnl_without_jacobian, ARGUMENT, W("probe", "nnl.fn", "nnl.jac_q_fn", "nsds_zero"),             \
    NONLINEAR(.ndof = 1, .mass = one, .nnl.fn = f, .nnl.jac_v_fn = f))                             \
  X(jacobian_without_fint, ARGUMENT, W("probe", "without fint.fn"),                                \
    NONLINEAR(.ndof = 1, .mass = one, .fint.jac_q_fn = f))                                         \
  X(jacobian_without_nnl, ARGUMENT, W("probe", "without nnl.fn"),                                  \
    NONLINEAR(.ndof = 1, .mass = one, .nnl.jac_v_fn = f))                                          \
  X(control_without_map, ARGUMENT, W("probe", "control.map_fn"),                                   \
    NONLINEAR(.ndof = 1, .mass = one, .control.n = 1, .control.fn = f))                             \
  X(control_without_jacobian, ARGUMENT, W("probe", "control.fn", "control.jac_v_fn"),              \
    NONLINEAR(.ndof = 1, .mass = one, .control.n = 1, .control.map = one, .control.fn = f,          \
              .control.jac_q_fn = f))                                                              \
  X(two_control_maps, ARGUMENT, W("probe", "both control.map and control.map_fn"),                 \
    NONLINEAR(.ndof = 1, .mass = one, .control.n = 1, .control.map = one, .control.map_fn = f,      \
              .control.fn = f))                                                                    \
  X(slope_of_constant_map, ARGUMENT, W("probe", "without control.fn"),                           \
    NONLINEAR(.ndof = 1, .mass = one, .control.n = 1, .control.map = one, .control.fn = f,          \
              .control.jac_q_fn = f, .control.jac_v_fn = f, .control.jac_map_q_fn = f))            \
  X(control_without_size, ARGUMENT, W("probe", "control.n is 0"),                                   \
    NONLINEAR(.ndof = 1, .mass = one, .control.fn = f))                                            \
  X(ncontrol_negative, SIZE, W("control.n is -2"),                                                  \
    NONLINEAR(.ndof = 1, .mass = one, .control.n = -2))                                             \
  X(prescribed_null, ARGUMENT, W("prescribed.index is NULL"),                                            \
    LINEAR(.ndof = 2, .mass = one, .prescribed.n = 1, .prescribed.fn = f))                          \
  X(prescribed_count, SIZE, W("prescribed.n is -1"),                                                \
    LINEAR(.ndof = 2, .mass = one, .prescribed.n = -1))                                             \
  X(prescribed_outside, SIZE, W("prescribed.index[0] is 2", "[0, 1]"),                                   \
    LINEAR(.ndof = 2, .mass = one, .prescribed.n = 1, .prescribed.index = (int[]){2},                     \
        .prescribed.fn = f))                                                                       \
  X(prescribed_below, SIZE, W("prescribed.index[0] is -1", "[0, 1]"),                                    \
    NONLINEAR(.ndof = 2, .mass = one, .prescribed.n = 1, .prescribed.index = (int[]){-1},                 \
        .prescribed.fn = f))                                                                       \
  X(prescribed_decreasing, SIZE, W("prescribed.index[1] is 0", "increasing"),                            \
    LINEAR(.ndof = 2, .mass = one, .prescribed.n = 2, .prescribed.index = (int[]){1, 0},                  \
        .prescribed.fn = f))                                                                       \
  X(prescribed_twice, SIZE, W("prescribed.index[1] is 1", "increasing"),                                 \
    LINEAR(.ndof = 2, .mass = one, .prescribed.n = 2, .prescribed.index = (int[]){1, 1},                  \
        .prescribed.fn = f))                                                                       \
  X(prescribed_without_function, ARGUMENT, W("probe", "velocities are prescribed", "NULL"),              \
    NONLINEAR(.ndof = 2, .mass = one, .prescribed.n = 1, .prescribed.index = (int[]){1}))                 \
  X(own_system_without_ops, ARGUMENT, W("nsds_custom_second_order", "ops is NULL"),                       \
    made(b, nsds_custom_second_order(b->model, &(nsds_custom_second_order_def){.ndof = 1})))                     \
  X(own_system_incomplete, ARGUMENT, W("halfway", "force", "required"),                            \
    made(b, nsds_custom_second_order(b->model, &(nsds_custom_second_order_def){.ndof = 1, .ops = &no_force})))  \
  X(own_system_pattern, SIZE, W("patterned", "mass", "[0, 0]"),                                    \
    made(b, nsds_custom_second_order(                                                                     \
                b->model, &(nsds_custom_second_order_def){                                                \
                              .ndof = 1,                                                           \
                              .ops = &patterned,                                                   \
                              .mass = {.p = (const int[]){0, 1}, .i = (const int[]){5}}})))

/* clang-format on */

SYSTEMS(FUNCTION)

const misuse misuses_of_systems[] = {SYSTEMS(OWNED){0}};
