/* Schemes of time stepping, good and bad ones. */
#include "choices.h"
#include "fuzz.h"

/* A scheme that a function returns. */
#define SCHEME(f, ...) (noted_call(F_##f), f(__VA_ARGS__))

static double share(void) { return chance(10) ? 0.0 : real(0.5, 1.0); }

static nsds_discretisation choose_kind(int order) {
  double theta = share(), gamma = share();
  switch ((order == 1 ? 0 : 4) + (int)pick(order == 1 ? 4 : 7)) {
  case 0: return SCHEME(nsds_euler_moreau, theta);
  case 1: return SCHEME(nsds_theta_gamma, theta, gamma);
  case 2: return SCHEME(nsds_full_theta_gamma, theta, gamma);
  case 3: noted_call(F_nsds_zero_order_hold); return nsds_zero_order_hold();
  case 4: return SCHEME(nsds_schatzman_paoli, theta);
  case 5: noted_call(F_nsds_d1_minus); return nsds_d1_minus();
  case 6: noted_call(F_nsds_rattle); return nsds_rattle();
  default: return SCHEME(nsds_moreau_jean, theta, gamma);
  }
}

nsds_discretisation choose_scheme(int order, bool for_one) {
  nsds_discretisation scheme = choose_kind(odd(2) ? 3 - order : order);
  if (odd(2)) scheme.kind = (nsds_scheme_kind)number(0);
  bool mechanics = scheme.kind == NSDS_MOREAU_JEAN, wrong = odd(2);
  if ((mechanics || wrong) && chance(15))
    scheme = SCHEME(nsds_with_gamma_mass, scheme, real(0.1, 1.0));
  if ((mechanics && !for_one && chance(15)) || wrong)
    scheme = SCHEME(nsds_with_predict_once, scheme);
  bool averaged = scheme.kind == NSDS_EULER_MOREAU || scheme.kind == NSDS_THETA_GAMMA;
  if ((averaged && !for_one && chance(10)) || odd(1))
    scheme = SCHEME(nsds_with_input_at_theta, scheme);
  if ((averaged && !for_one && chance(10)) || odd(1)) scheme = SCHEME(nsds_with_f_at_theta, scheme);
  if ((scheme.kind == NSDS_THETA_GAMMA && !for_one && chance(30)) || odd(1))
    scheme = SCHEME(nsds_with_initial_lambda, scheme);
  if ((for_one && chance(40)) || odd(1))
    scheme = SCHEME(nsds_with_step_ratio, scheme,
                    odd(5) ? (number(0) < 10000 ? number(2) % 1000 : 1) : 1 + (int)pick(8));
  return scheme;
}
