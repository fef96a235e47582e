/*
 * Schemes for tables of static storage, where C calls no functions: what those of nsds/scheme.h return. The test
 * kernel.schemes compares them.
 */
#ifndef NSDS_TEST_KERNEL_STATIC_SCHEMES_H
#define NSDS_TEST_KERNEL_STATIC_SCHEMES_H

#include <nsds/simulation.h>

#define EULER_MOREAU(at)                                                                           \
  { .kind = NSDS_EULER_MOREAU, .theta = (at) }
#define EULER_MOREAU_WITH(at, option)                                                              \
  { .kind = NSDS_EULER_MOREAU, .options = (option), .theta = (at) }
#define THETA_GAMMA(at, place)                                                                     \
  { .kind = NSDS_THETA_GAMMA, .theta = (at), .gamma = (place) }
#define THETA_GAMMA_WITH(at, place, option)                                                        \
  { .kind = NSDS_THETA_GAMMA, .options = (option), .theta = (at), .gamma = (place) }
#define FULL_THETA_GAMMA(at, place)                                                                \
  { .kind = NSDS_FULL_THETA_GAMMA, .theta = (at), .gamma = (place) }
#define FULL_THETA_GAMMA_WITH(at, place, option)                                                   \
  { .kind = NSDS_FULL_THETA_GAMMA, .options = (option), .theta = (at), .gamma = (place) }
#define ZERO_ORDER_HOLD                                                                            \
  { .kind = NSDS_ZERO_ORDER_HOLD }
#define MOREAU_JEAN(at, place)                                                                     \
  { .kind = NSDS_MOREAU_JEAN, .theta = (at), .gamma = (place) }
#define MOREAU_JEAN_WITH(at, place, option)                                                        \
  { .kind = NSDS_MOREAU_JEAN, .options = (option), .theta = (at), .gamma = (place) }
#define SCHATZMAN_PAOLI(at)                                                                        \
  { .kind = NSDS_SCHATZMAN_PAOLI, .theta = (at) }
#define D1_MINUS                                                                                   \
  { .kind = NSDS_D1_MINUS }
#define RATTLE                                                                                     \
  { .kind = NSDS_RATTLE }
#define ACTIVATION(ahead, least)                                                                   \
  { .given = true, .gamma_prediction = (ahead), .tolerance = (least) }

/* The scheme of a kind, with the parameters that it has. */
static inline nsds_discretisation scheme_of(nsds_scheme_kind kind, double theta, double gamma) {
  switch (kind) {
  case NSDS_EULER_MOREAU: return nsds_euler_moreau(theta);
  case NSDS_THETA_GAMMA: return nsds_theta_gamma(theta, gamma);
  case NSDS_FULL_THETA_GAMMA: return nsds_full_theta_gamma(theta, gamma);
  case NSDS_ZERO_ORDER_HOLD: return nsds_zero_order_hold();
  case NSDS_SCHATZMAN_PAOLI: return nsds_schatzman_paoli(theta);
  case NSDS_D1_MINUS: return nsds_d1_minus();
  case NSDS_RATTLE: return nsds_rattle();
  default: return nsds_moreau_jean(theta, gamma);
  }
}

#endif
