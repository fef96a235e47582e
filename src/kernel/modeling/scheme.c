/*
 * Schemes as values. The functions that make schemes and add options store their arguments. The
 * table of schemes lists the parameters and options of each scheme, and the check compares both.
 */
#include "kernel/modeling/scheme.h"

#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/label.h"

#include <stdio.h>

enum {
  every_scheme = NSDS_OPTION_STEP_RATIO,
  averaged = every_scheme | NSDS_OPTION_INPUT_AT_THETA | NSDS_OPTION_F_AT_THETA
};

/* Parameters and options of a scheme. */
typedef struct scheme_row {
  const char *name;
  int order;
  bool theta, gamma;
  unsigned options;
} scheme_row;

static const scheme_row scheme_table[] = {
    [NSDS_SCHEME_UNSAID] = {"no scheme", 0, false, false, 0},
    [NSDS_EULER_MOREAU] = {"nsds_euler_moreau()", 1, true, false, averaged},
    [NSDS_THETA_GAMMA] = {"nsds_theta_gamma()", 1, true, true,
                          averaged | NSDS_OPTION_INITIAL_LAMBDA},
    [NSDS_FULL_THETA_GAMMA] = {"nsds_full_theta_gamma()", 1, true, true,
                               every_scheme | NSDS_OPTION_F_AT_THETA},
    [NSDS_ZERO_ORDER_HOLD] = {"nsds_zero_order_hold()", 1, false, false, every_scheme},
    [NSDS_MOREAU_JEAN] = {"nsds_moreau_jean()", 2, true, true,
                          every_scheme | NSDS_OPTION_GAMMA_MASS | NSDS_OPTION_PREDICT_ONCE},
    [NSDS_SCHATZMAN_PAOLI] = {"nsds_schatzman_paoli()", 2, true, false, 0},
    [NSDS_D1_MINUS] = {"nsds_d1_minus()", 2, false, false, 0},
    [NSDS_RATTLE] = {"nsds_rattle()", 2, false, false, 0}};

enum { scheme_count = sizeof scheme_table / sizeof *scheme_table };

static const struct {
  nsds_scheme_option bit;
  const char *name;
} option_table[] = {{NSDS_OPTION_GAMMA_MASS, "nsds_with_gamma_mass()"},
                    {NSDS_OPTION_STEP_RATIO, "nsds_with_step_ratio()"},
                    {NSDS_OPTION_INPUT_AT_THETA, "nsds_with_input_at_theta()"},
                    {NSDS_OPTION_F_AT_THETA, "nsds_with_f_at_theta()"},
                    {NSDS_OPTION_INITIAL_LAMBDA, "nsds_with_initial_lambda()"},
                    {NSDS_OPTION_PREDICT_ONCE, "nsds_with_predict_once()"}};

enum {
  option_count = sizeof option_table / sizeof *option_table,
  every_option = 1 << option_count
};

/* ---- making them ----------------------------------------------------------------------------- */

nsds_discretisation nsds_euler_moreau(double theta) {
  return (nsds_discretisation){.kind = NSDS_EULER_MOREAU, .theta = theta};
}

nsds_discretisation nsds_theta_gamma(double theta, double gamma) {
  return (nsds_discretisation){.kind = NSDS_THETA_GAMMA, .theta = theta, .gamma = gamma};
}

nsds_discretisation nsds_full_theta_gamma(double theta, double gamma) {
  return (nsds_discretisation){.kind = NSDS_FULL_THETA_GAMMA, .theta = theta, .gamma = gamma};
}

nsds_discretisation nsds_zero_order_hold(void) {
  return (nsds_discretisation){.kind = NSDS_ZERO_ORDER_HOLD};
}

nsds_discretisation nsds_moreau_jean(double theta, double gamma) {
  return (nsds_discretisation){.kind = NSDS_MOREAU_JEAN, .theta = theta, .gamma = gamma};
}

nsds_discretisation nsds_schatzman_paoli(double theta) {
  return (nsds_discretisation){.kind = NSDS_SCHATZMAN_PAOLI, .theta = theta};
}

nsds_discretisation nsds_d1_minus(void) { return (nsds_discretisation){.kind = NSDS_D1_MINUS}; }

nsds_discretisation nsds_rattle(void) { return (nsds_discretisation){.kind = NSDS_RATTLE}; }

static nsds_discretisation scheme_with(nsds_discretisation scheme, nsds_scheme_option option) {
  scheme.options |= (unsigned)option;
  return scheme;
}

nsds_discretisation nsds_with_gamma_mass(nsds_discretisation scheme, double gamma_mass) {
  scheme.gamma_mass = gamma_mass;
  return scheme_with(scheme, NSDS_OPTION_GAMMA_MASS);
}

nsds_discretisation nsds_with_predict_once(nsds_discretisation scheme) {
  return scheme_with(scheme, NSDS_OPTION_PREDICT_ONCE);
}

nsds_discretisation nsds_with_input_at_theta(nsds_discretisation scheme) {
  return scheme_with(scheme, NSDS_OPTION_INPUT_AT_THETA);
}

nsds_discretisation nsds_with_f_at_theta(nsds_discretisation scheme) {
  return scheme_with(scheme, NSDS_OPTION_F_AT_THETA);
}

nsds_discretisation nsds_with_initial_lambda(nsds_discretisation scheme) {
  return scheme_with(scheme, NSDS_OPTION_INITIAL_LAMBDA);
}

nsds_discretisation nsds_with_step_ratio(nsds_discretisation scheme, int step_ratio) {
  scheme.step_ratio = step_ratio;
  return scheme_with(scheme, NSDS_OPTION_STEP_RATIO);
}

/* ---- checking them --------------------------------------------------------------------------- */

const char *nsds_scheme_name(nsds_scheme_kind kind) {
  return (unsigned)kind < scheme_count ? scheme_table[kind].name : "an unknown scheme";
}

/* Lists the schemes of this order (0: any order) that have all these options. */
static const char *list_schemes(int order, unsigned options, char text[256]) {
  size_t length = 0;
  text[0] = '\0';
  for (int k = 1; k < scheme_count && length < 255; ++k)
    if ((order == 0 || scheme_table[k].order == order) &&
        (scheme_table[k].options & options) == options)
      length += (size_t)snprintf(text + length, 256 - length, "%s%s", length ? ", " : "",
                                 scheme_table[k].name);
  return text;
}

bool nsds_scheme_is_unsaid(const nsds_discretisation *s) {
  for (int k = 0; k < NSDS_RESERVED; ++k)
    if (s->reserved[k] != 0) return false;
  return s->kind == NSDS_SCHEME_UNSAID && s->options == 0 && s->theta == 0.0 && s->gamma == 0.0 &&
         s->gamma_mass == 0.0 && s->step_ratio == 0;
}

/* Checks that the scheme has option k and that the call takes the option. */
static nsds_status check_option(nsds_context *context, const char *call, const char *field, int k,
                                unsigned offered, const nsds_discretisation *s) {
  unsigned bit = (unsigned)option_table[k].bit;
  char valid[256];
  if (!(s->options & bit)) return NSDS_OK;
  if (!(scheme_table[s->kind].options & bit))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: %s is %s, which does not have %s; valid are %s", call, field,
                     scheme_table[s->kind].name, option_table[k].name, list_schemes(0, bit, valid));
  if (offered & bit) return NSDS_OK;
  return bit == NSDS_OPTION_STEP_RATIO
             ? nsds_fail(context, NSDS_ERROR_ARGUMENT,
                         "%s: %s has %s, which is for one system; give it to nsds_ds_discretise()",
                         call, field, option_table[k].name)
             : nsds_fail(context, NSDS_ERROR_ARGUMENT,
                         "%s: %s has %s, which is for all systems of a simulation; give it to "
                         "nsds_time_stepping()",
                         call, field, option_table[k].name);
}

static nsds_status check_values(nsds_context *context, const char *call, const char *field,
                                const nsds_discretisation *s) {
  const scheme_row *row = &scheme_table[s->kind];
  char name[nsds_label_size + 32];
  snprintf(name, sizeof name, "theta of %s", field);
  if (row->theta && !nsds_check_range(context, call, name, s->theta, 0.0, 1.0))
    return NSDS_ERROR_VALUE;
  snprintf(name, sizeof name, "gamma of %s", field);
  if (row->gamma && !nsds_check_range(context, call, name, s->gamma, 0.0, 1.0))
    return NSDS_ERROR_VALUE;
  snprintf(name, sizeof name, "gamma_mass of %s", field);
  if ((s->options & NSDS_OPTION_GAMMA_MASS) &&
      !nsds_check_range(context, call, name, s->gamma_mass, 0.0, 1.0))
    return NSDS_ERROR_VALUE;
  snprintf(name, sizeof name, "step_ratio of %s", field);
  return (s->options & NSDS_OPTION_STEP_RATIO) &&
                 !nsds_check_range(context, call, name, s->step_ratio, 1, 1e6)
             ? NSDS_ERROR_VALUE
             : NSDS_OK;
}

nsds_status nsds_scheme_check(nsds_context *context, const char *call, const char *field, int order,
                              unsigned offered, const nsds_discretisation *s) {
  char valid[256], part[256];
  snprintf(part, sizeof part, "%s.", field);
  nsds_status status = nsds_check_reserved(context, call, part, NSDS_TAIL(s));
  if (status) return status;
  if (s->kind == NSDS_SCHEME_UNSAID)
    return nsds_scheme_is_unsaid(s)
               ? NSDS_OK
               : nsds_fail(context, NSDS_ERROR_ARGUMENT,
                           "%s: %s has parameters or options but no scheme; valid are %s", call,
                           field, list_schemes(order, 0, valid));
  if ((unsigned)s->kind >= scheme_count)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s has the kind %d; valid are %s", call,
                     field, (int)s->kind, list_schemes(order, 0, valid));
  if (scheme_table[s->kind].order != order)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: %s is %s, a scheme for systems of order %d; valid are %s", call, field,
                     scheme_table[s->kind].name, scheme_table[s->kind].order,
                     list_schemes(order, 0, valid));
  if (s->options >= every_option)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: %s has options %#x, which this library does not know; valid are those of "
                     "nsds_scheme_option",
                     call, field, s->options);
  for (int k = 0; !status && k < option_count; ++k)
    status = check_option(context, call, field, k, offered, s);
  return status ? status : check_values(context, call, field, s);
}
