/*
 * The tables of operators and functions. The column `kinds` says where netlists and model files
 * differ:
 *
 *   sign or name        model files   netlists
 *   ^                   power         power, as in .param of ngspice
 *   **                  none          power
 *   !                   none          logical not (expression.c)
 *   log                 natural       natural, as in .param of ngspice
 *   ln, sgn, int, pwr   none          log, sign, truncation, pow
 *   log2 cbrt asinh acosh atanh sign round mod hypot: model files only
 *
 * A square is a product, which is rounded once. Minimum and maximum compare as C does: with a NaN
 * the second number is the result.
 */
#include "run/expression/expression_math.h"

#include <math.h>
#include <string.h>

enum { BOTH = NSDS_TEXT_MODEL_FILE | NSDS_TEXT_NETLIST };

static double math_sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }
static double math_min(double a, double b) { return a < b ? a : b; }
static double math_max(double a, double b) { return a > b ? a : b; }
static double math_power(double a, double b) { return b == 2.0 ? a * a : pow(a, b); }

static double (*const of_one[NSDS_OP_CHOICE + 1])(double) = {
    [NSDS_OP_SIN] = sin,     [NSDS_OP_COS] = cos,        [NSDS_OP_TAN] = tan,
    [NSDS_OP_ASIN] = asin,   [NSDS_OP_ACOS] = acos,      [NSDS_OP_ATAN] = atan,
    [NSDS_OP_SINH] = sinh,   [NSDS_OP_COSH] = cosh,      [NSDS_OP_TANH] = tanh,
    [NSDS_OP_ASINH] = asinh, [NSDS_OP_ACOSH] = acosh,    [NSDS_OP_ATANH] = atanh,
    [NSDS_OP_EXP] = exp,     [NSDS_OP_LOG] = log,        [NSDS_OP_LOG2] = log2,
    [NSDS_OP_LOG10] = log10, [NSDS_OP_SQRT] = sqrt,      [NSDS_OP_CBRT] = cbrt,
    [NSDS_OP_ABS] = fabs,    [NSDS_OP_SIGN] = math_sign, [NSDS_OP_FLOOR] = floor,
    [NSDS_OP_CEIL] = ceil,   [NSDS_OP_ROUND] = round,    [NSDS_OP_TRUNC] = trunc};

static double (*const of_two[NSDS_OP_CHOICE + 1])(double, double) = {
    [NSDS_OP_POWER] = math_power, [NSDS_OP_ATAN2] = atan2,  [NSDS_OP_HYPOT] = hypot,
    [NSDS_OP_MOD] = fmod,         [NSDS_OP_MIN] = math_min, [NSDS_OP_MAX] = math_max};

static const struct {
  const char *name;
  unsigned kinds;
  nsds_operation operation;
} functions[] = {{"sin", BOTH, NSDS_OP_SIN},
                 {"cos", BOTH, NSDS_OP_COS},
                 {"tan", BOTH, NSDS_OP_TAN},
                 {"asin", BOTH, NSDS_OP_ASIN},
                 {"acos", BOTH, NSDS_OP_ACOS},
                 {"atan", BOTH, NSDS_OP_ATAN},
                 {"atan2", BOTH, NSDS_OP_ATAN2},
                 {"sinh", BOTH, NSDS_OP_SINH},
                 {"cosh", BOTH, NSDS_OP_COSH},
                 {"tanh", BOTH, NSDS_OP_TANH},
                 {"asinh", NSDS_TEXT_MODEL_FILE, NSDS_OP_ASINH},
                 {"acosh", NSDS_TEXT_MODEL_FILE, NSDS_OP_ACOSH},
                 {"atanh", NSDS_TEXT_MODEL_FILE, NSDS_OP_ATANH},
                 {"exp", BOTH, NSDS_OP_EXP},
                 {"log", BOTH, NSDS_OP_LOG},
                 {"ln", NSDS_TEXT_NETLIST, NSDS_OP_LOG},
                 {"log2", NSDS_TEXT_MODEL_FILE, NSDS_OP_LOG2},
                 {"log10", BOTH, NSDS_OP_LOG10},
                 {"sqrt", BOTH, NSDS_OP_SQRT},
                 {"cbrt", NSDS_TEXT_MODEL_FILE, NSDS_OP_CBRT},
                 {"pow", BOTH, NSDS_OP_POWER},
                 {"pwr", NSDS_TEXT_NETLIST, NSDS_OP_POWER},
                 {"abs", BOTH, NSDS_OP_ABS},
                 {"sign", NSDS_TEXT_MODEL_FILE, NSDS_OP_SIGN},
                 {"sgn", NSDS_TEXT_NETLIST, NSDS_OP_SIGN},
                 {"floor", BOTH, NSDS_OP_FLOOR},
                 {"ceil", BOTH, NSDS_OP_CEIL},
                 {"round", NSDS_TEXT_MODEL_FILE, NSDS_OP_ROUND},
                 {"int", NSDS_TEXT_NETLIST, NSDS_OP_TRUNC},
                 {"mod", NSDS_TEXT_MODEL_FILE, NSDS_OP_MOD},
                 {"hypot", NSDS_TEXT_MODEL_FILE, NSDS_OP_HYPOT},
                 {"min", BOTH, NSDS_OP_MIN},
                 {"max", BOTH, NSDS_OP_MAX}};

enum { nfunctions = sizeof functions / sizeof *functions };

/* A sign stands before those that begin alike. */
static const nsds_operator_sign operators[] = {
    {"||", BOTH, 1, NSDS_OP_OR},
    {"&&", BOTH, 2, NSDS_OP_AND},
    {"<=", BOTH, 3, NSDS_OP_LESS_EQUAL},
    {">=", BOTH, 3, NSDS_OP_GREATER_EQUAL},
    {"==", BOTH, 3, NSDS_OP_EQUAL},
    {"!=", BOTH, 3, NSDS_OP_UNEQUAL},
    {"<", BOTH, 3, NSDS_OP_LESS},
    {">", BOTH, 3, NSDS_OP_GREATER},
    {"+", BOTH, 4, NSDS_OP_SUM},
    {"-", BOTH, 4, NSDS_OP_DIFFERENCE},
    {"**", NSDS_TEXT_NETLIST, nsds_power_rank, NSDS_OP_POWER},
    {"*", BOTH, 5, NSDS_OP_PRODUCT},
    {"/", BOTH, 5, NSDS_OP_QUOTIENT},
    {"^", BOTH, nsds_power_rank, NSDS_OP_POWER}};

int nsds_operation_inputs(nsds_operation operation) {
  return operation == NSDS_OP_VARIABLE ? 0
         : operation < NSDS_OP_SUM     ? 1
         : operation < NSDS_OP_CHOICE  ? 2
                                       : 3;
}

double (*nsds_operation_one(nsds_operation operation))(double) { return of_one[operation]; }
double (*nsds_operation_two(nsds_operation operation))(double, double) { return of_two[operation]; }

double nsds_operate(nsds_operation operation, const double in[3]) {
  double a = in[0], b = in[1];
  switch (operation) {
  case NSDS_OP_NEGATIVE: return -a;
  case NSDS_OP_NOT: return a == 0.0;
  case NSDS_OP_SUM: return a + b;
  case NSDS_OP_DIFFERENCE: return a - b;
  case NSDS_OP_PRODUCT: return a * b;
  case NSDS_OP_QUOTIENT: return a / b;
  case NSDS_OP_SLOPE_QUOTIENT: return a == 0.0 ? 0.0 : a / b;
  case NSDS_OP_LESS: return a < b;
  case NSDS_OP_LESS_EQUAL: return a <= b;
  case NSDS_OP_GREATER: return a > b;
  case NSDS_OP_GREATER_EQUAL: return a >= b;
  case NSDS_OP_EQUAL: return a == b;
  case NSDS_OP_UNEQUAL: return a != b;
  case NSDS_OP_AND: return a != 0.0 && b != 0.0;
  case NSDS_OP_OR: return a != 0.0 || b != 0.0;
  case NSDS_OP_CHOICE: return a != 0.0 ? b : in[2];
  default: return of_one[operation] ? of_one[operation](a) : of_two[operation](a, b);
  }
}

bool nsds_function_find(nsds_text_kind kind, const char *name, nsds_operation *operation) {
  for (int k = 0; k < nfunctions; ++k)
    if (*functions[k].name == *name && functions[k].kinds & (unsigned)kind &&
        strcmp(functions[k].name, name) == 0) {
      *operation = functions[k].operation;
      return true;
    }
  return false;
}

const char *nsds_function_name(nsds_text_kind kind, int k) {
  for (int i = 0; i < nfunctions; ++i)
    if (functions[i].kinds & (unsigned)kind && k-- == 0) return functions[i].name;
  return NULL;
}

const nsds_operator_sign *nsds_operator_find(const char *text) {
  for (size_t k = 0; k < sizeof operators / sizeof *operators; ++k)
    if (*text == *operators[k].sign &&
        strncmp(text, operators[k].sign, strlen(operators[k].sign)) == 0)
      return &operators[k];
  return NULL;
}
