/*
 * Expressions by muParser, see expression.h. The scanner looks through the text first, word by word. It finds unknown
 * names with their place. It also keeps out assignments, lists and texts, which muParser would take.
 */
#include "run/expression.h"

extern "C" {
#include "run/name_list.h"
}

#include <cstdio>
#include <cstring>

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

struct nsds_expression {
  mu::Parser parser;
};

namespace {

typedef double (*one_argument)(double);
typedef double (*two_arguments)(double, double);

double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }
double absolute(double x) { return std::fabs(x); }
double smaller(double a, double b) { return a < b ? a : b; }
double larger(double a, double b) { return a > b ? a : b; }

struct one_entry {
  const char *name;
  one_argument function;
};
struct two_entry {
  const char *name;
  two_arguments function;
};

const one_entry functions_of_one[] = {
    {"sin", std::sin},     {"cos", std::cos},     {"tan", std::tan},     {"asin", std::asin},
    {"acos", std::acos},   {"atan", std::atan},   {"sinh", std::sinh},   {"cosh", std::cosh},
    {"tanh", std::tanh},   {"asinh", std::asinh}, {"acosh", std::acosh}, {"atanh", std::atanh},
    {"exp", std::exp},     {"log", std::log},     {"log2", std::log2},   {"log10", std::log10},
    {"sqrt", std::sqrt},   {"cbrt", std::cbrt},   {"abs", absolute},     {"sign", sign_of},
    {"floor", std::floor}, {"ceil", std::ceil},   {"round", std::round},
};
const two_entry functions_of_two[] = {
    {"atan2", std::atan2}, {"hypot", std::hypot}, {"mod", std::fmod},
    {"pow", std::pow},     {"min", smaller},      {"max", larger},
};

const char characters[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.[]";
const double pi = 3.14159265358979323846;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return c && std::strchr(characters, c) != nullptr; }

/* Gives a parser the function of this name; false where there is none. */
bool define_function(mu::Parser &parser, const std::string &name) {
  for (const one_entry &f : functions_of_one)
    if (name == f.name) {
      parser.DefineFun(name, f.function, false);
      return true;
    }
  for (const two_entry &f : functions_of_two)
    if (name == f.name) {
      parser.DefineFun(name, f.function, false);
      return true;
    }
  return false;
}

/* Text after a number. */
const char *skip_number(const char *at) {
  while (is_digit(*at)) ++at;
  if (*at == '.') ++at;
  while (is_digit(*at)) ++at;
  if (*at != 'e' && *at != 'E') return at;
  const char *exponent = at + 1;
  if (*exponent == '+' || *exponent == '-') ++exponent;
  if (!is_digit(*exponent)) return at;
  while (is_digit(*exponent)) ++exponent;
  return exponent;
}

struct scanner {
  const char *text;
  const nsds_expression_names *names;
  nsds_expression_error *error;
  mu::Parser *parser;

  bool refuse_expression(const char *at, const char *format, const char *word = "",
                         const char *more = "", const char *most = "") {
    error->at = (int)(at - text);
    std::snprintf(error->text, sizeof error->text, format, word, more, most);
    return false;
  }

  /* A name that is none of "a, b1 to b3, c". */
  bool refuse_name(const char *at, const std::string &name) {
    std::string valid = names && names->valid ? names->valid(names->user) : "numbers";
    nsds_name_list list;
    nsds_name_list_begin(&list, name.c_str());
    for (size_t from = 0, to; from < valid.size(); from = to + 2) {
      to = std::min(valid.find(", ", from), valid.size());
      nsds_name_list_add(&list, valid.substr(from, to - from).c_str());
    }
    return refuse_expression(at, "the name \"%.60s\" is not known here%s; valid are %s", name.c_str(),
                             list.did_you_mean, valid.c_str());
  }

  bool take_name(const char *&at) {
    const char *start = at;
    while (in_name(*at)) ++at;
    std::string name(start, at);
    const char *next = at;
    while (*next == ' ' || *next == '\t') ++next;
    if (define_function(*parser, name))
      return *next == '(' ||
             refuse_expression(start, "the function %s is called as %s(...)", name.c_str(), name.c_str());
    if (*next == '(')
      return refuse_expression(start, "there is no function \"%.60s\"; there are %s", name.c_str(),
                    nsds_expression_functions());
    if (name == "pi") {
      parser->DefineConst(name, pi);
      return true;
    }
    const double *value = names && names->find ? names->find(names->user, name.c_str()) : nullptr;
    if (!value) return refuse_name(start, name);
    parser->DefineVar(name, const_cast<double *>(value));
    return true;
  }

  /* An operator, a bracket, a comma between arguments. */
  bool take_sign(const char *&at, int &depth) {
    const char *start = at;
    char c = *at++;
    if (c == '(') ++depth;
    if (c == ')' && --depth < 0) return refuse_expression(start, "the bracket \")\" has no partner");
    if (c == ',' && depth == 0)
      return refuse_expression(start, "an expression has one value; a list of values is written [a, b]");
    if (c == '=' && *at != '=')
      return refuse_expression(start, "an expression cannot assign; equality is asked for by \"==\"");
    if ((c == '=' || c == '!' || c == '<' || c == '>') && *at == '=') ++at;
    else if (c == '!') return refuse_expression(start, "\"!\" is not an operator; unequal is \"!=\"");
    if (c == '&' || c == '|') {
      if (*at != c) return refuse_expression(start, "logical operators are \"&&\" and \"||\"");
      ++at;
    }
    return true;
  }

  bool scan() {
    int depth = 0;
    const char *at = text;
    while (*at) {
      if (*at == ' ' || *at == '\t' || *at == '\n') ++at;
      else if (is_digit(*at) || (*at == '.' && is_digit(at[1]))) {
        at = skip_number(at);
        if (in_name(*at)) return refuse_expression(at, "a number ends here; an operator is missing");
      } else if (begins_name(*at)) {
        if (!take_name(at)) return false;
      } else if (std::strchr("+-*/^()<>=!&|?:,", *at)) {
        if (!take_sign(at, depth)) return false;
      } else {
        char word[2] = {*at, '\0'};
        return refuse_expression(at, "the character \"%s\" has no meaning in an expression", word);
      }
    }
    return depth == 0 || refuse_expression(at, "the bracket \"(\" has no partner");
  }
};

void prepare(mu::Parser &parser) {
  parser.ClearFun();
  parser.ClearConst();
  parser.EnableOptimizer(false);
  parser.DefineNameChars(characters);
}

} // namespace

extern "C" {

nsds_expression *nsds_expression_create(const char *text, const nsds_expression_names *names,
                                        nsds_expression_error *error) {
  nsds_expression *e = nullptr;
  *error = nsds_expression_error();
  try {
    if (std::strlen(text) > nsds_expression_most) {
      std::snprintf(error->text, sizeof error->text, "an expression has at most %d characters",
                    nsds_expression_most);
      return nullptr;
    }
    e = new nsds_expression;
    prepare(e->parser);
    scanner s = {text, names, error, &e->parser};
    if (s.scan()) {
      e->parser.SetExpr(text);
      e->parser.Eval();
      if (e->parser.GetNumResults() == 1) return e;
      std::snprintf(error->text, sizeof error->text, "an expression has one value");
    }
  } catch (const mu::Parser::exception_type &problem) {
    error->at = (size_t)problem.GetPos() < std::strlen(text) ? (int)problem.GetPos() : 0;
    std::snprintf(error->text, sizeof error->text, "this is not an expression: %s",
                  problem.GetMsg().c_str());
  } catch (const std::exception &problem) {
    std::snprintf(error->text, sizeof error->text, "%s", problem.what());
  }
  delete e;
  return nullptr;
}

double nsds_expression_value(nsds_expression *expression) {
  try {
    return expression->parser.Eval();
  } catch (...) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

void nsds_expression_destroy(nsds_expression *expression) { delete expression; }

const char *nsds_expression_functions(void) {
  return "sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, asinh, acosh, atanh, exp, log, "
         "log2, "
         "log10, sqrt, cbrt, pow, abs, sign, floor, ceil, round, mod, hypot, min, max";
}
}
