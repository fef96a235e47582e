/*
 * What the library computes with many small objects equals the scheme written out by hand for the
 * whole model at once: nonlinear systems under default options, several relations on one system,
 * relations over three systems, coupled interactions with gamma < 1, inputs that depend on states
 * (dg/dX over several systems), every kind of relation with every law.
 */
#include "network.h"

#include <stdio.h>

static const double allowed = 1e-11; /* rounding, over 40 steps; lambda is divided by h */

#define REL(kind_, law_, ny_, ...)                                                                 \
  {                                                                                                \
    .kind = net_##kind_, .law = net_##law_, .ny = ny_,                                             \
    .nds = (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), .ds = {                              \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }

static void compare(const char *what, const net_plan *plan, const nsds_time_stepping_def *def) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    network net;
    net_build(&net, plan, seed);
    net_compare(&net, what, def, 40, allowed);
    net_free(&net);
  }
}

/* The three schemes with several parameters. */
static void under_all_schemes(const char *what, const net_plan *plan) {
  const nsds_time_stepping_def def[] = {
      {.t1 = 10.0, .h = 0.05},
      {.t1 = 10.0, .h = 0.05, .first_order = nsds_euler_moreau(1.0)},
      {.t1 = 10.0, .h = 0.05, .first_order = nsds_theta_gamma(0.5, 0.7)},
      {.t1 = 10.0, .h = 0.05, .first_order = nsds_theta_gamma(0.8, 0.5)},
      {.t1 = 10.0, .h = 0.05, .first_order = nsds_full_theta_gamma(0.5, 0.5)},
      {.t1 = 10.0, .h = 0.05, .first_order = nsds_full_theta_gamma(0.7, 0.8)}};
  for (size_t k = 0; k < sizeof def / sizeof *def; ++k) {
    char text[80];
    snprintf(text, sizeof text, "%s %s %.1f %.1f", what,
             def[k].first_order.kind == NSDS_THETA_GAMMA        ? "TG"
             : def[k].first_order.kind == NSDS_FULL_THETA_GAMMA ? "full"
                                                                : "EM",
             def[k].first_order.theta, def[k].first_order.gamma);
    compare(text, plan, &def[k]);
  }
}

static void nonlinear_system_linear_relation(void **state) {
  (void)state;
  const net_plan plan = {.nsystem = 1,
                         .n = {3},
                         .system = {net_general},
                         .nrelation = 1,
                         .relation = {REL(linear, complementarity, 2, 0)}};
  under_all_schemes("nonlinear, linear", &plan);
}

static void coupled_interactions(void **state) {
  (void)state;
  const net_plan plan = {.nsystem = 3,
                         .n = {2, 3, 1},
                         .mass = {0, 1, 0},
                         .nrelation = 3,
                         .relation = {REL(linear, complementarity, 2, 0, 1),
                                      REL(linear, complementarity, 1, 1, 2),
                                      REL(linear, complementarity, 2, 2, 0)}};
  under_all_schemes("coupled", &plan);
}

static void two_relations_on_one_nonlinear_system(void **state) {
  (void)state;
  const net_plan plan = {
      .nsystem = 1,
      .n = {4},
      .mass = {2},
      .system = {net_general},
      .nrelation = 2,
      .relation = {REL(type2, complementarity, 2, 0), REL(type1, complementarity, 1, 0)}};
  under_all_schemes("two on one", &plan);
}

static void relation_over_three_systems(void **state) {
  (void)state;
  const net_plan plan = {
      .nsystem = 3,
      .n = {1, 2, 2},
      .mass = {0, 0, 1},
      .system = {net_general, net_linear, net_varying},
      .nrelation = 2,
      .relation = {REL(type2, complementarity, 3, 2, 0, 1), REL(linear, complementarity, 1, 1)}};
  under_all_schemes("three", &plan);
}

/* dg/dX couples the dynamics of systems directly; scalar systems, systems with and without a
 * constant iteration matrix, and an interaction without dg/dX that touches a cluster from outside.
 */
static void clusters(void **state) {
  (void)state;
  const net_plan plans[] = {
      {.nsystem = 1,
       .n = {3},
       .system = {net_general},
       .nrelation = 1,
       .relation = {REL(general, complementarity, 2, 0)}},
      {.nsystem = 2,
       .n = {1, 1},
       .nrelation = 1,
       .relation = {REL(general, complementarity, 1, 0, 1)}},
      {.nsystem = 4,
       .n = {1, 2, 3, 2},
       .mass = {0, 1, 2, 0},
       .system = {net_linear, net_general, net_varying, net_linear},
       .nrelation = 3,
       .relation = {REL(general, complementarity, 2, 2, 0), REL(general, complementarity, 1, 0, 1),
                    REL(linear, complementarity, 2, 1, 3)}},
      {.nsystem = 4, /* two clusters */
       .n = {2, 1, 2, 1},
       .nrelation = 3,
       .relation = {REL(general, complementarity, 1, 0, 2), REL(general, complementarity, 1, 3, 1),
                    REL(type2, complementarity, 2, 3, 0)}}};
  for (size_t k = 0; k < sizeof plans / sizeof *plans; ++k) {
    char what[24];
    snprintf(what, sizeof what, "cluster %zu", k);
    under_all_schemes(what, &plans[k]);
  }
}

/* Coefficients that are functions of time, alone: one pass per step. */
static void varying_coefficients(void **state) {
  (void)state;
  const net_plan plan = {
      .nsystem = 2,
      .n = {2, 3},
      .mass = {2, 1},
      .system = {net_varying, net_varying},
      .nrelation = 2,
      .relation = {REL(varying, complementarity, 2, 0, 1), REL(varying, complementarity, 1, 1)}};
  under_all_schemes("varying", &plan);
}

static void equalities(void **state) {
  (void)state;
  const net_plan plan = {.nsystem = 2,
                         .n = {3, 2},
                         .system = {net_general, net_linear},
                         .nrelation = 3,
                         .relation = {REL(linear, equality, 1, 0, 1), REL(type2, equality, 1, 0),
                                      REL(general, complementarity, 2, 1)}};
  under_all_schemes("equalities", &plan);
}

static void relays(void **state) {
  (void)state;
  const net_plan plans[] = {
      {.nsystem = 2, /* linear */
       .n = {2, 2},
       .nrelation = 2,
       .relation = {REL(linear, relay, 2, 0, 1), REL(linear, relay, 1, 1)}},
      {.nsystem = 1, /* a nonlinear relation with a relay on a nonlinear system */
       .n = {3},
       .system = {net_general},
       .nrelation = 1,
       .relation = {REL(general, relay, 2, 0)}},
      {.nsystem = 3, /* relays among other laws */
       .n = {2, 1, 2},
       .mass = {1, 0, 2},
       .system = {net_general, net_linear, net_varying},
       .nrelation = 4,
       .relation = {REL(type1, relay, 1, 0, 1), REL(type2, complementarity, 2, 1, 2),
                    REL(linear, equality, 1, 0), REL(varying, relay, 1, 2)}}};
  for (size_t k = 0; k < sizeof plans / sizeof *plans; ++k) {
    char what[24];
    snprintf(what, sizeof what, "relays %zu", k);
    under_all_schemes(what, &plans[k]);
  }
}

static void saturations(void **state) {
  (void)state;
  const net_plan linear = {
      .nsystem = 2,
      .n = {2, 2},
      .nrelation = 2,
      .relation = {REL(linear, saturation, 2, 0, 1), REL(varying, saturation, 1, 1)}};
  const net_plan nonlinear = {
      .nsystem = 2,
      .n = {2, 2},
      .system = {net_general, net_linear},
      .nrelation = 2,
      .relation = {REL(general, saturation, 2, 0, 1), REL(type1, saturation, 1, 1)}};
  under_all_schemes("saturations", &linear);
  under_all_schemes("saturations, nonlinear", &nonlinear);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nonlinear_system_linear_relation),
      cmocka_unit_test(coupled_interactions),
      cmocka_unit_test(two_relations_on_one_nonlinear_system),
      cmocka_unit_test(relation_over_three_systems),
      cmocka_unit_test(clusters),
      cmocka_unit_test(varying_coefficients),
      cmocka_unit_test(equalities),
      cmocka_unit_test(relays),
      cmocka_unit_test(saturations),
  };
  return cmocka_run_group_tests_name("first_order.equivalence", tests, NULL, NULL);
}
