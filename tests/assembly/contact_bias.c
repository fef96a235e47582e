/*
 * d^2y/dt^2 of contacts of bodies at constant velocities, against differences of H V along the
 * motion: spheres against planes and each other, with all their rows, in space and in the plane,
 * with tangents that are chosen and ones that are given.
 */
#include "kernel/modeling/handle.h"
#include "rates.h"

#include "kernel/modeling/contact_relation.h"
#include "kernel/modeling/graph.h"

/* The contact of spheres, with a tangent of its own. */
typedef struct guided {
  nsds_contact_data *inner;
} guided;

/* A direction that moves with the first body. */
static void given_tangent(const nsds_arguments *in, double *g, double *g_rate) {
  for (int k = 0; k < 3; ++k) {
    g[k] = in->q[k] + (k == 0) - 3.0 * (k == 1);
    g_rate[k] = in->v[k];
  }
}

static int touch(const nsds_arguments *in, nsds_body_contact *at, void *user) {
  const guided *w = user;
  double rate[3];
  int code = w->inner->def.contact_fn(in, at, w->inner->def.user);
  given_tangent(in, at->tangent, rate);
  return code;
}

static int touch_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  const guided *w = user;
  double g[3];
  int code = w->inner->def.rate_fn(in, rate, w->inner->def.user);
  given_tangent(in, g, rate->tangent);
  return code;
}

/* Against a plane, or each other; with the tangent given, a relation around that one. */
static nsds_relation *make(nsds_model *m, int bodies, bool flat, int rows, guided *w) {
  nsds_relation *spheres =
      bodies == 1
          ? nsds_sphere_plane_relation(m,
                                       &(nsds_sphere_plane_relation_def){.dimension = flat ? 2 : 3,
                                                                         .rows = rows,
                                                                         .radius = 0.3,
                                                                         .center = {0.2, -0.1, 0.4},
                                                                         .normal = {0.6, 0.8, 0.0},
                                                                         .offset = -0.7})
          : nsds_sphere_sphere_relation(m, &(nsds_sphere_sphere_relation_def){
                                               .dimension = flat ? 2 : 3,
                                               .rows = rows,
                                               .radius = {0.3, 0.5},
                                               .center = {{0.2, -0.1, 0.4}, {-0.3, 0.2, 0.1}}});
  spheres = nsds_relation_find(spheres, "test");
  assert_non_null(spheres);
  if (!w) return spheres;
  w->inner = spheres->self;
  return nsds_relation_find(
      nsds_contact_relation(m, &(nsds_contact_relation_def){.dimension = flat ? 2 : 3,
                                                            .rows = rows,
                                                            .pair = bodies == 2,
                                                            .contact_fn = touch,
                                                            .rate_fn = touch_rate,
                                                            .user = w}),
      "test");
}

static void bias_is_the_second_rate(void **state) {
  (void)state;
  uint64_t seed = 3;
  static const int all_rows[2][3] = {{1, 3, 5}, {1, 2, 3}};
  for (int k = 0; k < 480; ++k) {
    bool flat = k % 2, given = k / 2 % 2;
    int bodies = 1 + k / 4 % 2, rows = all_rows[flat][k / 8 % 3];
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[2] = {NULL, NULL};
    guided w;
    for (int b = 0; b < bodies; ++b) ds[b] = nsds_ds_find(random_body(m, flat, &seed), "test");
    nsds_relation *relation = make(m, bodies, flat, rows, given ? &w : NULL);
    assert_non_null(relation);
    char what[80];
    snprintf(what, sizeof what, "%d bodies%s, %d rows%s", bodies, flat ? " in the plane" : "", rows,
             given ? ", tangent given" : "");
    check_second_rate(relation, ds, bodies, what);
    nsds_model_destroy(m);
  }
}

static int somewhere(const nsds_arguments *in, nsds_body_contact *at, void *user) {
  (void)in;
  (void)user;
  at->normal[0] = 1.0;
  return 0;
}

static int no_number(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  (void)in;
  (void)user;
  rate->normal[1] = NAN;
  return 0;
}

static int fails(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  (void)in;
  (void)rate;
  (void)user;
  return 7;
}

/* Without rates there is no bias; a rate that is not finite, or a failure, is named. */
static void rates_that_are_not_there(void **state) {
  (void)state;
  static const nsds_body_contact_fn rate[] = {NULL, no_number, fails};
  static const char *const word[] = {NULL, "d^2y/dt^2 is", "rate_fn returned 7"};
  uint64_t seed = 3;
  for (int k = 0; k < 3; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = random_body(m, true, &seed);
    nsds_relation *relation = nsds_relation_find(
        nsds_contact_relation(m, &(nsds_contact_relation_def){.dimension = 2,
                                                              .rows = 3,
                                                              .contact_fn = somewhere,
                                                              .rate_fn = rate[k]}),
        "test");
    assert_non_null(relation);
    if (k == 0) assert_null(relation->ops->bias);
    double bias[3];
    nsds_arguments in = {.q = nsds_q(ds), .v = nsds_v(ds), .nq = 3, .nv = 3};
    if (k > 0) {
      assert_int_equal(relation->ops->bias(relation->self, &in, bias), NSDS_ERROR_CALLBACK);
      assert_non_null(strstr(nsds_error_message(nsds_model_context(m)), word[k]));
    }
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bias_is_the_second_rate),
                                     cmocka_unit_test(rates_that_are_not_there)};
  return cmocka_run_group_tests_name("assembly.contact_bias", tests, NULL, NULL);
}
