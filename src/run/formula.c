/*
 * Recursive descent, evaluated at once:
 *
 *   choice  = or [ ? choice : choice ]        or = and { || and }       and = compare { && compare }
 *   compare = sum [ (< <= > >= == !=) sum ]   sum = product { (+ -) product }
 *   product = sign { (* /) sign }             sign = { + - ! } power    power = atom [ (** ^) sign ]
 *   atom    = number | name | name ( choice { , choice } ) | ( choice )
 *
 * The depth is bounded, so that a file of ten thousand brackets does not exhaust the stack.
 */
#include "run/formula.h"

#include "run/spice_number.h"

#include <math.h>
#include <string.h>

enum { most_depth = 60, most_arguments = 2, longest_name = 63 };

typedef struct formula {
  const char *text, *at;
  const char *error; /* the first */
  int depth;
  const nsds_formula_names *names;
} formula;

const char nsds_no_such_parameter[] = "there is no such parameter";
const char nsds_no_such_function[] = "there is no such function";

static double formula_choice(formula *f);

static void formula_fail(formula *f, const char *why) {
  if (!f->error) f->error = why;
}

static void formula_skip(formula *f) {
  while (*f->at == ' ' || *f->at == '\t' || *f->at == '\r') ++f->at;
}

/* Takes a sign if it comes next. */
static bool formula_takes(formula *f, const char *sign) {
  formula_skip(f);
  size_t size = strlen(sign);
  if (strncmp(f->at, sign, size) != 0) return false;
  f->at += size;
  return true;
}

static double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }

typedef struct formula_function {
  const char *name;
  double (*one)(double);
  double (*two)(double, double);
} formula_function;

static const formula_function functions[] = {
    {"sqrt", sqrt, NULL},   {"exp", exp, NULL},   {"ln", log, NULL},      {"log", log, NULL},
    {"log10", log10, NULL}, {"sin", sin, NULL},   {"cos", cos, NULL},     {"tan", tan, NULL},
    {"asin", asin, NULL},   {"acos", acos, NULL}, {"atan", atan, NULL},   {"sinh", sinh, NULL},
    {"cosh", cosh, NULL},   {"tanh", tanh, NULL}, {"abs", fabs, NULL},    {"floor", floor, NULL},
    {"ceil", ceil, NULL},   {"int", trunc, NULL}, {"sgn", sign_of, NULL}, {"atan2", NULL, atan2},
    {"min", NULL, fmin},    {"max", NULL, fmax},  {"pow", NULL, pow},     {"pwr", NULL, pow}};

static double formula_call(formula *f, const char *name, const char *begin) {
  double x[most_arguments] = {0.0, 0.0};
  int count = 0;
  do {
    double value = formula_choice(f);
    if (count < most_arguments) x[count] = value;
    ++count;
  } while (!f->error && formula_takes(f, ","));
  if (!f->error && !formula_takes(f, ")")) formula_fail(f, "a ) is missing");
  if (f->error) return 0.0;
  for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k) {
    if (strcmp(name, functions[k].name) != 0) continue;
    if (count != (functions[k].one ? 1 : 2)) {
      f->at = begin;
      formula_fail(f, functions[k].one ? "this function takes one argument"
                                       : "this function takes two arguments");
      return 0.0;
    }
    return functions[k].one ? functions[k].one(x[0]) : functions[k].two(x[0], x[1]);
  }
  f->at = begin;
  formula_fail(f, nsds_no_such_function);
  return 0.0;
}

size_t nsds_formula_name_size(const char *text) {
  return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.");
}

const char *nsds_formula_function(int k) {
  return (size_t)k < sizeof functions / sizeof *functions ? functions[k].name : NULL;
}

static double formula_named(formula *f) {
  char name[longest_name + 1];
  const char *begin = f->at;
  size_t size = nsds_formula_name_size(begin);
  if (size > longest_name) {
    formula_fail(f, "a name is too long");
    return 0.0;
  }
  memcpy(name, begin, size);
  name[size] = '\0';
  f->at += size;
  if (formula_takes(f, "(")) return formula_call(f, name, begin);
  double value = 0.0;
  if (f->names->value(f->names->user, name, &value)) return value;
  if (strcmp(name, "pi") == 0) return 3.14159265358979323846;
  f->at = begin;
  formula_fail(f, nsds_no_such_parameter);
  return 0.0;
}

static double formula_atom(formula *f) {
  double value = 0.0;
  formula_skip(f);
  if (formula_takes(f, "(")) {
    value = formula_choice(f);
    if (!f->error && !formula_takes(f, ")")) formula_fail(f, "a ) is missing");
    return value;
  }
  if ((*f->at >= '0' && *f->at <= '9') || *f->at == '.') {
    int size = nsds_number_begin(f->at, &value);
    if (!size) formula_fail(f, "this is no number");
    else if (f->names->number) f->names->number(f->names->user, f->at, size);
    f->at += size;
    return value;
  }
  if ((*f->at >= 'a' && *f->at <= 'z') || *f->at == '_') return formula_named(f);
  formula_fail(f, *f->at ? "a number, a name or a bracket should be here"
                         : "the formula ends too early");
  return 0.0;
}

static double formula_sign(formula *f);

static double formula_power(formula *f) {
  double x = formula_atom(f);
  if (!f->error && (formula_takes(f, "**") || formula_takes(f, "^")))
    return pow(x, formula_sign(f));
  return x;
}

static double formula_sign(formula *f) {
  double x = 0.0;
  if (++f->depth > most_depth) formula_fail(f, "brackets are nested too deeply");
  else if (formula_takes(f, "-")) x = -formula_sign(f);
  else if (formula_takes(f, "+")) x = formula_sign(f);
  else if (*f->at == '!' && f->at[1] != '=') ++f->at, x = formula_sign(f) == 0.0;
  else x = formula_power(f);
  --f->depth;
  return x;
}

static double formula_product(formula *f) {
  double x = formula_sign(f);
  while (!f->error) {
    if (formula_takes(f, "*")) x *= formula_sign(f);
    else if (formula_takes(f, "/")) x /= formula_sign(f);
    else break;
  }
  return x;
}

static double formula_sum(formula *f) {
  double x = formula_product(f);
  while (!f->error) {
    if (formula_takes(f, "+")) x += formula_product(f);
    else if (formula_takes(f, "-")) x -= formula_product(f);
    else break;
  }
  return x;
}

static double formula_compare(formula *f) {
  double x = formula_sum(f);
  if (f->error) return x;
  if (formula_takes(f, "<=")) return x <= formula_sum(f);
  if (formula_takes(f, ">=")) return x >= formula_sum(f);
  if (formula_takes(f, "==")) return x == formula_sum(f);
  if (formula_takes(f, "!=")) return x != formula_sum(f);
  if (formula_takes(f, "<")) return x < formula_sum(f);
  if (formula_takes(f, ">")) return x > formula_sum(f);
  return x;
}

static double formula_and(formula *f) {
  double x = formula_compare(f);
  while (!f->error && formula_takes(f, "&&")) {
    double y = formula_compare(f);
    x = x != 0.0 && y != 0.0;
  }
  return x;
}

static double formula_choice(formula *f) {
  double x = 0.0;
  if (++f->depth > most_depth) {
    formula_fail(f, "brackets are nested too deeply");
    return 0.0;
  }
  x = formula_and(f);
  while (!f->error && formula_takes(f, "||")) {
    double y = formula_and(f);
    x = x != 0.0 || y != 0.0;
  }
  if (!f->error && formula_takes(f, "?")) {
    double yes = formula_choice(f);
    if (!f->error && !formula_takes(f, ":")) formula_fail(f, "a : is missing behind ?");
    double no = f->error ? 0.0 : formula_choice(f);
    x = x != 0.0 ? yes : no;
  }
  --f->depth;
  return x;
}

const char *nsds_formula_value(const char *text, const nsds_formula_names *names, double *value,
                               size_t *at) {
  formula f = {.text = text, .at = text, .names = names};
  *value = formula_choice(&f);
  formula_skip(&f);
  if (!f.error && *f.at) f.error = "the formula should end here";
  *at = (size_t)(f.at - text);
  if (!f.error && !isfinite(*value)) {
    *at = 0;
    f.error = "the value is not finite";
  }
  return f.error;
}
