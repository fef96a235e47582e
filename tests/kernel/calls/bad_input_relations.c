/* Relations and laws that cannot be right, and things that cannot be connected. */
#include "bad_input.h"

static const double one[2] = {1.0, 0.0}, nan_1[1] = {NAN}, inf_1[1] = {INFINITY};
static const double nan_4[4] = {1.0, 0.0, NAN, 1.0};

static int f(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static nsds_status nothing(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in, (void)out;
  return NSDS_OK;
}

static void equality(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_EQUALITY;
}

static const nsds_relation_ops no_output = {.type = "halfway", .jacobian_q = nothing};
static const nsds_relation_ops rushed = {
    .type = "rushed", .output = nothing, .jacobian_q = nothing, .jacobian_t = nothing};
static void nothing_set(void *self, nsds_block *block) { (void)self, (void)block; }

static const nsds_law_ops setless = {.type = "setless", .block = nothing_set};
static const nsds_law_ops no_ops = {.type = "halfway"};
static const nsds_law_ops three_rows = {.type = "three rows", .block = equality};

static nsds_status connect(bench *b, nsds_relation *relation, nsds_law *law, int n, nsds_ds *d0,
                           nsds_ds *d1) {
  return made(b, nsds_connect(b->model, relation, law, n, (nsds_ds *[]){d0, d1}));
}

static nsds_relation *two_gap(bench *b) {
  return nsds_lagrangian_linear_relation(
      b->model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = one});
}

static nsds_law *relay_of_two(bench *b) {
  return nsds_relay(b->model, 2, (double[]){-1.0, -1.0}, (double[]){1.0, 1.0});
}

static nsds_relation *five_rows(bench *b) {
  return nsds_lagrangian_linear_relation(
      b->model, &(nsds_lagrangian_linear_relation_def){
                    .name = "five", .ny = 5, .nq = 1, .H = (double[]){1.0, 1.0, 1.0, 1.0, 1.0}});
}

static nsds_law *law_of_three(bench *b) {
  return nsds_custom_law(b->model, &(nsds_custom_law_def){.ops = &three_rows, .size = 3});
}

/* A failed constructor's NULL may be passed on: the first error stays. */
static nsds_status chain(bench *b) {
  nsds_ds *ds = nsds_lagrangian_linear(b->model, &(nsds_lagrangian_linear_def){.ndof = 1});
  nsds_relation *relation = nsds_lagrangian_linear_relation(b->model, NULL);
  nsds_interaction *contact = nsds_connect(b->model, relation, NULL, 1, &ds);
  return made(b, contact);
}

#define RELATION(...)                                                                              \
  made(b, nsds_lagrangian_linear_relation(b->model,                                                \
                                          &(nsds_lagrangian_linear_relation_def){__VA_ARGS__}))
#define CURVED(...)                                                                                \
  made(b, nsds_lagrangian_relation(b->model, &(nsds_lagrangian_relation_def){__VA_ARGS__}))

/* clang-format off */
#define RELATIONS(X)                                                                      \
  X(relation_too_large, SIZE, W("H is 70000 x 70000", "46340 rows"),                               \
    RELATION(.ny = 70000, .nq = 70000, .H = one))                                                  \
  X(first_order_relation_too_large, SIZE, W("probe", "C is 50000 x 50000", "46340 rows"),          \
    made(b, nsds_first_order_linear_relation(b->model,                                                         \
                                 &(nsds_first_order_linear_relation_def){                                      \
                                     .name = "probe", .ny = 50000, .nx = 50000, .C = one,          \
                                     .B = one})))                                                  \
  X(facets_too_many, SIZE, W("H is 50000 x 50000", "46340 rows"),                                  \
    made(b, nsds_normal_cone(b->model, 50000, 50000, one, one)))                                   \
  X(def_null_relation, ARGUMENT, W("nsds_lagrangian_linear_relation", "def is NULL"),              \
    made(b, nsds_lagrangian_linear_relation(b->model, NULL)))                                      \
  X(def_null_curved, ARGUMENT, W("nsds_lagrangian_relation", "def is NULL"),                             \
    made(b, nsds_lagrangian_relation(b->model, NULL)))                                \
  X(ny_zero, SIZE, W("ny is 0"), RELATION(.nq = 1, .H = one))                                      \
  X(nq_zero, SIZE, W("nq is 0"), RELATION(.ny = 1, .H = one))                                      \
  X(h_null, ARGUMENT, W("H is NULL"), RELATION(.ny = 1, .nq = 1))                                  \
  X(h_nan, VALUE, W("H[2] is nan"), RELATION(.ny = 2, .nq = 2, .H = nan_4))                        \
  X(b_inf, VALUE, W("b[0] is inf"), RELATION(.ny = 1, .nq = 1, .H = one, .b = inf_1))              \
  X(d_nan, VALUE, W("D[0] is nan"), RELATION(.ny = 1, .nq = 1, .H = one, .D = nan_1))              \
  X(f_without_columns, ARGUMENT, W("F", "nZ"), RELATION(.ny = 1, .nq = 1, .H = one, .F = one))     \
  X(columns_without_f, ARGUMENT, W("F", "nZ"), RELATION(.ny = 1, .nq = 1, .H = one, .nZ = 1))      \
  X(own_z_negative, SIZE, W("nz is -1"), RELATION(.ny = 1, .nq = 1, .H = one, .nz = -1))   \
  X(own_z_nan, VALUE, W("z[0] is nan"),                                                            \
    RELATION(.ny = 1, .nq = 1, .H = one, .nz = 1, .z = nan_1))                                 \
  X(output_fn_null, ARGUMENT, W("nsds_lagrangian_relation", "output_fn is NULL"),                  \
    CURVED(.ny = 1, .nq = 1, .jac_output_q_fn = f))                                                \
  X(jac_output_q_null, ARGUMENT, W("jac_output_q_fn is NULL"),                                     \
    CURVED(.ny = 1, .nq = 1, .output_fn = f))                                                      \
  X(rate_form_without_lambda, ARGUMENT, W("rate_form", "jac_output_lambda_fn"),                    \
    CURVED(.ny = 1, .nq = 1, .output_fn = f, .jac_output_q_fn = f, .rate_form = true))             \
  X(compliant_with_bias, ARGUMENT, W("bias_fn", "jac_output_lambda_fn"),                           \
    CURVED(.ny = 1, .nq = 1, .output_fn = f, .jac_output_q_fn = f, .jac_output_lambda_fn = f,      \
        .bias_fn = f))                                                                             \
  X(own_relation_incomplete, ARGUMENT, W("halfway", "output", "required"),                         \
    made(b, nsds_custom_relation(b->model, &(nsds_custom_relation_def){.ops = &no_output, .ny = 1,        \
        .nq = 1})))                                                                                \
  X(own_relation_contradictory, ARGUMENT, W("rushed", "jacobian_t", "affine"),                     \
    made(b, nsds_custom_relation(b->model, &(nsds_custom_relation_def){.ops = &rushed, .ny = 1, .nq = 1,  \
        .affine = true})))                                                                         \
  X(own_law_incomplete, ARGUMENT, W("halfway", "block", "required"),                               \
    made(b, nsds_custom_law(b->model, &(nsds_custom_law_def){.ops = &no_ops})))                           \
  X(own_law_negative_size, SIZE, W("three rows", "size is -1"),                                    \
    made(b, nsds_custom_law(b->model, &(nsds_custom_law_def){.ops = &three_rows, .size = -1})))           \
  X(own_law_without_set, VALUE, W("setless", "set 0", "nsds_set_kind"),                                 \
    connect(b, b->gap, nsds_custom_law(b->model, &(nsds_custom_law_def){.ops = &setless}), 1, b->ball,     \
            NULL))                                                                                 \
  X(own_law_gaps_beyond_size, SIZE, W("three rows", "ngap is 4", "3 rows"),                        \
    made(b, nsds_custom_law(b->model, &(nsds_custom_law_def){.ops = &three_rows, .size = 3, .ngap = 4}))) \
  X(own_law_gaps_of_one_row, SIZE, W("three rows", "ngap is 2", "1 rows"),                         \
    made(b, nsds_custom_law(b->model, &(nsds_custom_law_def){.ops = &three_rows, .ngap = 2})))            \
  X(own_law_gaps_negative, SIZE, W("three rows", "ngap is -1"),                                    \
    made(b,                                                                                        \
         nsds_custom_law(b->model, &(nsds_custom_law_def){.ops = &three_rows, .size = 3, .ngap = -1})))   \
  X(own_law_level_beyond, VALUE, W("three rows", "level is 3", "nsds_level"),                      \
    made(b,                                                                                        \
         nsds_custom_law(b->model, &(nsds_custom_law_def){.ops = &three_rows, .level = (nsds_level)3})))  \
  X(own_law_level_negative, VALUE, W("three rows", "level is -1", "nsds_level"),                   \
    made(b,                                                                                        \
         nsds_custom_law(b->model, &(nsds_custom_law_def){.ops = &three_rows, .level = (nsds_level)-1}))) \
  X(restitution_negative, VALUE, W("nsds_newton_impact", "e is -0.1", "[0, 1]"),                   \
    made(b, nsds_newton_impact(b->model, -0.1)))                                                   \
  X(restitution_above_one, VALUE, W("e is 1.1", "[0, 1]"),                                         \
    made(b, nsds_newton_impact(b->model, 1.1)))                                                    \
  X(restitution_nan, VALUE, W("e is nan", "[0, 1]"), made(b, nsds_newton_impact(b->model, NAN)))   \
  X(connect_no_relation, ARGUMENT, W("nsds_connect", "relation is NULL"),                          \
    connect(b, NULL, b->impact, 1, b->ball, NULL))                                                 \
  X(connect_no_law, ARGUMENT, W("nsds_connect", "law is NULL"),                                    \
    connect(b, b->gap, NULL, 1, b->ball, NULL))                                                    \
  X(connect_no_list, ARGUMENT, W("nsds_connect", "ds is NULL"),                                    \
    made(b, nsds_connect(b->model, b->gap, b->impact, 1, NULL)))                                   \
  X(connect_no_system, ARGUMENT, W("nsds_connect", "ds"),                                          \
    connect(b, b->gap, b->impact, 1, NULL, NULL))                                                  \
  X(connect_none, SIZE, W("nds is 0"), connect(b, b->gap, b->impact, 0, b->ball, NULL))            \
  X(connect_twice, ARGUMENT, W("ds[0] and ds[1]", "ball"),                                         \
    connect(b, two_gap(b), b->impact, 2, b->ball, b->ball))                                        \
  X(connect_wrong_q, SIZE, W("gap", "1 coordinates", "spare", "2"),                                \
    connect(b, b->gap, b->impact, 1, b->spare, NULL))                                              \
  X(connect_wrong_z, SIZE, W("shifted gap", "1 parameters", "have 3"),                             \
    connect(b, b->needs_z, b->impact, 1, b->ball, NULL))                                           \
  X(connect_foreign_relation, ARGUMENT, W("relation belongs to another model"),                    \
    connect(b, b->other_gap, b->impact, 1, b->ball, NULL))                                         \
  X(connect_foreign_law, ARGUMENT, W("law belongs to another model"),                              \
    connect(b, b->gap, b->other_law, 1, b->ball, NULL))                                            \
  X(connect_foreign_system, ARGUMENT, W("ds[0]", "ball", "another model"),                         \
    connect(b, b->gap, b->impact, 1, b->other_ball, NULL))                                         \
  X(connect_law_size, SIZE, W("three rows", "size 3", "gap", "ny = 1"),                            \
    connect(b, b->gap, law_of_three(b), 1, b->ball, NULL))                                         \
  X(connect_law_does_not_divide, SIZE, W("three rows", "size 3", "five", "ny = 5"),                \
    connect(b, five_rows(b), law_of_three(b), 1, b->ball, NULL))                                   \
  X(connect_relay_does_not_divide, SIZE, W("nsds_relay", "size 2", "five", "ny = 5"),              \
    connect(b, five_rows(b), relay_of_two(b), 1, b->ball, NULL))                                   \
  X(first_error_sticks, ARGUMENT, W("nsds_lagrangian_linear:", "mass and mass_sparse"), chain(b))

/* clang-format on */

RELATIONS(FUNCTION)

const misuse misuses_of_relations[] = {RELATIONS(OWNED){0}};
