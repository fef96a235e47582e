/*
 * Schemes as values. The functions that make schemes and add options store their arguments. The
 * rows of a scheme list its parameters and options. The check compares both.
 */
#include "kernel/modeling/scheme.h"

#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/label.h"

#include <stdio.h>

/* ---- catalogue ------------------------------------------------------------------------------- */

#define DEF nsds_discretisation
#define SCHEME(function, which)                                                                    \
  .call = function, DEFINITION(DEF), .kind_at = offsetof(DEF, kind), .kind = which
#define WEIGHT(m, text) NUMBER_OF(DEF, m, "1", "[0, 1]", "0.5", text)
#define OPTION(bit) .option = bit, .count = offsetof(DEF, options)
#define CHOSEN(n, bit, text)                                                                       \
  {                                                                                                \
    .name = n, MEMBER(DEF, options), .kind = NSDS_FIELD_TRUTH, .fallback = "false", .help = text,  \
    OPTION(bit)                                                                                    \
  }
#define STEP_RATIO                                                                                 \
  {                                                                                                \
    .name = "step_ratio", MEMBER(DEF, step_ratio), .kind = NSDS_FIELD_INTEGER,                     \
    .range = "[1, 1000000]", .fallback = "1", OPTION(NSDS_OPTION_STEP_RATIO),                      \
    .help = "Parts of a step for this system alone; for the key scheme of a system."               \
  }
#define INPUT_AT_THETA                                                                             \
  CHOSEN("input_at_theta", NSDS_OPTION_INPUT_AT_THETA,                                             \
         "Takes the input g at x_{k+theta}, to compare with other programs.")
#define F_AT_THETA                                                                                 \
  CHOSEN("f_at_theta", NSDS_OPTION_F_AT_THETA,                                                     \
         "Takes f at x_{k+theta}, to compare with other programs.")

static const nsds_type euler_moreau = {
    .type = "euler_moreau",
    .help = "Euler-Moreau: the law holds at the end of the step. For all first-order systems.",
    .field = (const nsds_field[]){WEIGHT(theta, "Weight of the end of the step in f."),
                                  INPUT_AT_THETA, F_AT_THETA, STEP_RATIO, END},
    SCHEME("nsds_euler_moreau", NSDS_EULER_MOREAU)};
static const nsds_type theta_gamma = {
    .type = "theta_gamma",
    .help = "Theta-gamma: the input is averaged over the step. Order 2 where lambda is smooth.",
    .field =
        (const nsds_field[]){
            WEIGHT(theta, "Weight of the end of the step in f."),
            WEIGHT(gamma, "Weight of the end of the step in r."), INPUT_AT_THETA, F_AT_THETA,
            CHOSEN("initial_lambda", NSDS_OPTION_INITIAL_LAMBDA, "Solves for lambda at the start."),
            STEP_RATIO, END},
    SCHEME("nsds_theta_gamma", NSDS_THETA_GAMMA)};
static const nsds_type full_theta_gamma = {
    .type = "full_theta_gamma",
    .help = "Full theta-gamma: the law holds within the step. Keeps energy at 1/2 and 1/2.",
    .field = (const nsds_field[]){WEIGHT(theta, "Weight of the end of the step in f."),
                                  WEIGHT(gamma, "Place of the law in the step."), F_AT_THETA,
                                  STEP_RATIO, END},
    SCHEME("nsds_full_theta_gamma", NSDS_FULL_THETA_GAMMA)};
static const nsds_type zero_order_hold = {
    .type = "zero_order_hold",
    .help = "Zero-order hold: exact for linear systems under inputs that are held over a step.",
    .field = (const nsds_field[]){STEP_RATIO, END},
    SCHEME("nsds_zero_order_hold", NSDS_ZERO_ORDER_HOLD)};
static const nsds_type moreau_jean = {
    .type = "moreau_jean",
    .help = "Moreau-Jean: laws act on velocities. For all second-order systems.",
    .field =
        (const nsds_field[]){
            WEIGHT(theta, "Weight of the end of the step; 1/2 keeps energy, 1 damps it."),
            NUMBER_OF(DEF, gamma, "1", "[0, 1]", "1",
                      "Place in the step at which gradients are taken."),
            {.name = "gamma_mass",
             MEMBER(DEF, gamma_mass),
             .kind = NSDS_FIELD_NUMBER,
             .unit = "1",
             .range = "[0, 1]",
             .fallback = "auto",
             OPTION(NSDS_OPTION_GAMMA_MASS),
             .help = "Place at which the mass is taken; auto: gamma."},
            CHOSEN("predict_once", NSDS_OPTION_PREDICT_ONCE, "Predicts positions once in a step."),
            STEP_RATIO,
            END},
    SCHEME("nsds_moreau_jean", NSDS_MOREAU_JEAN)};
static const nsds_type schatzman_paoli = {
    .type = "schatzman_paoli",
    .help = "Schatzman-Paoli: laws act on positions. For linear structures with stops.",
    .field =
        (const nsds_field[]){WEIGHT(theta, "Weight of the ends of a step in the force of K."), END},
    SCHEME("nsds_schatzman_paoli", NSDS_SCHATZMAN_PAOLI)};
static const nsds_type d1_minus = {.type = "d1_minus",
                                   .help =
                                       "D1-minus: order 2 in smooth motion and lasting contact.",
                                   .field = (const nsds_field[]){END},
                                   SCHEME("nsds_d1_minus", NSDS_D1_MINUS)};
static const nsds_type rattle = {
    .type = "rattle",
    .help = "Nonsmooth RATTLE: order 2 with contact, friction and joints; gaps and energy do not "
            "drift.",
    .field = (const nsds_field[]){END},
    SCHEME("nsds_rattle", NSDS_RATTLE)};

const nsds_type *const nsds_scheme_types[] = {&moreau_jean,      &schatzman_paoli, &d1_minus,
                                              &rattle,           &euler_moreau,    &theta_gamma,
                                              &full_theta_gamma, &zero_order_hold, NULL};

/* Schemes by their kinds. */
typedef struct scheme_row {
  const char *name;
  int order;
  const nsds_type *type;
} scheme_row;

static const scheme_row scheme_table[] = {
    [NSDS_SCHEME_UNSAID] = {"no scheme", 0, NULL},
    [NSDS_EULER_MOREAU] = {"nsds_euler_moreau()", 1, &euler_moreau},
    [NSDS_THETA_GAMMA] = {"nsds_theta_gamma()", 1, &theta_gamma},
    [NSDS_FULL_THETA_GAMMA] = {"nsds_full_theta_gamma()", 1, &full_theta_gamma},
    [NSDS_ZERO_ORDER_HOLD] = {"nsds_zero_order_hold()", 1, &zero_order_hold},
    [NSDS_MOREAU_JEAN] = {"nsds_moreau_jean()", 2, &moreau_jean},
    [NSDS_SCHATZMAN_PAOLI] = {"nsds_schatzman_paoli()", 2, &schatzman_paoli},
    [NSDS_D1_MINUS] = {"nsds_d1_minus()", 2, &d1_minus},
    [NSDS_RATTLE] = {"nsds_rattle()", 2, &rattle}};

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

/* Returns the options of a scheme, in bits. */
static unsigned options_of(int kind) {
  unsigned options = 0;
  const nsds_type *type = scheme_table[kind].type;
  for (const nsds_field *f = type ? type->field : NULL; f && f->name; ++f) options |= f->option;
  return options;
}

/* Lists the schemes of this order (0: any order) that have all these options. */
static const char *list_schemes(int order, unsigned options, char text[256]) {
  size_t length = 0;
  text[0] = '\0';
  for (int k = 1; k < scheme_count && length < 255; ++k)
    if ((order == 0 || scheme_table[k].order == order) && (options_of(k) & options) == options)
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
  if (!(options_of((int)s->kind) & bit))
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
  if (status) return status;
  const nsds_field *fields = scheme_table[s->kind].type->field;
  return nsds_definition_check_values(context, call, field, fields, s) ? NSDS_OK : NSDS_ERROR_VALUE;
}
