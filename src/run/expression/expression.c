/*
 * Operators by their ranks:
 *
 *   choice  = binary [ ? choice : choice ]
 *   binary  = signed { operator signed }        by ranks in expression_math.c, from left to right
 *   signed  = { + | - | ! } power               so -2^2 is -4
 *   power   = atom [ ^ signed ]                 so 2^3^2 is 2^9, and 2^-1 is 0.5
 *   atom    = number | name | function ( choice { , choice } ) | ( choice )
 *
 * A name begins with a letter or _, and goes on with letters, digits and _ . [ ]. A number is
 * decimal; in netlists it may have a suffix and a unit. Netlists also have ** for ^, and ! for
 * "not". Text behind the expression is an error. The first fault in the text is reported. The depth
 * is bounded, so that a text of many brackets does not exhaust the stack.
 */
#include "run/expression/expression.h"

#include "base/text/name_list.h"
#include "base/text/number.h"
#include "base/text/suffix.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { most_depth = 1000, bracket_depth = 5, longest_name = 120, most_arguments = 2 };

typedef struct expression_reader {
  nsds_expressions *all;
  const nsds_expression_names *names;
  nsds_expression_error *error;
  const char *text, *at;
  int depth, brackets; /* open ones */
} expression_reader;

static const nsds_term nothing = {-1, 0.0};

static nsds_term read_choice(expression_reader *r);

/* ---- faults ---- */

static bool expression_failed(const expression_reader *r) {
  return r->error->fault != NSDS_EXPRESSION_FINE;
}

/* Keeps the first fault. */
static nsds_term refuse_expression(expression_reader *r, const char *at, const char *format, ...)
    NSDS_PRINTF(3, 4);
static nsds_term refuse_expression(expression_reader *r, const char *at, const char *format, ...) {
  va_list list;
  if (expression_failed(r)) return nothing;
  r->error->fault = NSDS_EXPRESSION_WRONG;
  r->error->at = (int)(at - r->text);
  va_start(list, format);
  nsds_format_message(r->error->text, sizeof r->error->text, format, list);
  va_end(list);
  return nothing;
}

static nsds_term refuse_function(expression_reader *r, const char *at, const char *name) {
  nsds_name_list list;
  nsds_name_list_begin(&list, name);
  list.most = 100;
  for (int k = 0; nsds_function_name(r->names->kind, k); ++k)
    nsds_name_list_add(&list, nsds_function_name(r->names->kind, k));
  return refuse_expression(r, at, "there is no function \"%.60s\"%s; there are %s", name,
                           list.did_you_mean, list.names);
}

/* Adds "a, b1 to b3, c" word by word. */
static void list_valid_names(nsds_name_list *list, const char *valid) {
  while (*valid) {
    char word[160];
    const char *end = strstr(valid, ", ");
    size_t size = end ? (size_t)(end - valid) : strlen(valid);
    snprintf(word, sizeof word, "%.*s", (int)size, valid);
    nsds_name_list_add(list, word);
    valid = end ? end + 2 : valid + size;
  }
}

static nsds_term refuse_unknown_name(expression_reader *r, const char *at, const char *name) {
  nsds_name_list list;
  if (expression_failed(r)) return nothing;
  const char *valid = r->names->valid ? r->names->valid(r->names->user, name) : "";
  nsds_name_list_begin(&list, name);
  list_valid_names(&list, valid);
  refuse_expression(r, at, "the name \"%.60s\" is not known here%s; valid are %s", name,
                    list.did_you_mean, valid);
  r->error->fault = NSDS_EXPRESSION_NO_NAME;
  snprintf(r->error->name, sizeof r->error->name, "%s", name);
  return nothing;
}

/* ---- words ---- */

static bool expression_digit(char c) { return c >= '0' && c <= '9'; }
static bool begins_expression_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool in_expression_name(char c) {
  return begins_expression_name(c) || expression_digit(c) || (c && strchr(".[]", c));
}
static bool begins_expression_number(const char *at) {
  return expression_digit(*at) || (*at == '.' && expression_digit(at[1]));
}

static void expression_skip(expression_reader *r) {
  while (*r->at && strchr(" \t\r\n", *r->at)) ++r->at;
}

/* Takes a character if it comes next. */
static bool expression_takes(expression_reader *r, char c) {
  expression_skip(r);
  if (*r->at != c) return false;
  ++r->at;
  return true;
}

/* Bytes of a letter in UTF-8. */
static int letter_size(char first) {
  unsigned char c = (unsigned char)first;
  return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

/* Refuses signs that are wrong wherever they stand; false: this one may be right. */
static bool refuse_sign(expression_reader *r) {
  const char *at = r->at;
  bool netlist = r->names->kind == NSDS_TEXT_NETLIST;
  if (*at == '=' && at[1] != '=')
    refuse_expression(r, at, "an expression cannot assign; equality is asked for by \"==\"");
  else if (*at == '!' && at[1] != '=' && !netlist)
    refuse_expression(r, at, "\"!\" is not an operator; unequal is \"!=\"");
  else if ((*at == '&' || *at == '|') && at[1] != *at)
    refuse_expression(r, at, "logical operators are \"&&\" and \"||\"");
  else if (*at == '*' && at[1] == '*' && !netlist)
    refuse_expression(r, at, "\"**\" is not an operator; the power is \"^\"");
  else if (*at && !in_expression_name(*at) && !strchr("+-*/^()<>=!&|?:, \t\r\n", *at))
    refuse_expression(r, at, "the character \"%.*s\" has no meaning in an expression",
                      letter_size(*at), at);
  return expression_failed(r);
}

/* Refuses the text behind an expression. */
static nsds_term refuse_rest(expression_reader *r) {
  expression_skip(r);
  if (refuse_sign(r)) return nothing;
  if (*r->at == ',' && r->at > r->text && isdigit((unsigned char)r->at[-1]) &&
      isdigit((unsigned char)r->at[1]))
    return refuse_expression(r, r->at,
                             "an expression has one value: a number has a decimal point, not a "
                             "comma; a list of values is written [a, b]");
  if (*r->at == ',' && r->brackets == 0)
    return refuse_expression(r, r->at,
                             "an expression has one value; a list of values is written [a, b]");
  if (*r->at == ',')
    return refuse_expression(r, r->at, "a comma separates arguments of a function alone");
  if (*r->at == ')') return refuse_expression(r, r->at, "the bracket \")\" has no partner");
  if (*r->at == ':') return refuse_expression(r, r->at, "the \":\" has no \"?\" in front of it");
  return refuse_expression(r, r->at, "the expression should end here; an operator is missing");
}

/* Takes the bracket that ends the part from `open` on. */
static bool close_bracket(expression_reader *r, const char *open) {
  if (expression_failed(r)) return false;
  if (!expression_takes(r, ')')) {
    if (!*r->at) refuse_expression(r, open, "the bracket \"(\" has no partner");
    else refuse_rest(r);
  }
  --r->brackets;
  return !expression_failed(r);
}

/* ---- atoms ---- */

static nsds_term read_plain_number(expression_reader *r) {
  double value = 0.0;
  bool netlist = r->names->kind == NSDS_TEXT_NETLIST;
  const char *begin = r->at;
  int size = netlist ? nsds_number_begin(begin, &value) : nsds_decimal_begin(begin, &value);
  if (netlist && r->names->number) r->names->number(r->names->user, begin, size);
  r->at += size;
  if (in_expression_name(*r->at))
    return refuse_expression(r, r->at, "a number ends here; an operator is missing");
  if (!isfinite(value)) return refuse_expression(r, begin, "the number %.40s is too large", begin);
  return nsds_term_number(value);
}

static nsds_term read_arguments(expression_reader *r, nsds_operation operation, const char *name,
                                const char *begin) {
  const char *open = r->at - 1;
  nsds_term in[most_arguments] = {nothing, nothing};
  int count = 0, wanted = nsds_operation_inputs(operation);
  ++r->brackets;
  expression_skip(r);
  if (*r->at != ')') {
    do {
      nsds_term x = read_choice(r);
      if (count < most_arguments) in[count] = x;
      ++count;
    } while (!expression_failed(r) && expression_takes(r, ','));
  }
  if (!close_bracket(r, open)) return nothing;
  if (count != wanted)
    return refuse_expression(r, begin, "the function %.20s takes %s, not %d", name,
                             wanted == 1 ? "one argument" : "two arguments", count);
  return nsds_term_make(r->all, operation, in[0], in[1], nothing);
}

static nsds_term read_name(expression_reader *r) {
  char name[longest_name + 1];
  const char *begin = r->at;
  while (in_expression_name(*r->at)) ++r->at;
  size_t size = (size_t)(r->at - begin);
  if (size > longest_name)
    return refuse_expression(r, begin, "a name has at most %d characters", (int)longest_name);
  memcpy(name, begin, size);
  name[size] = '\0';
  nsds_term term = nothing;
  nsds_operation operation;
  bool function = nsds_function_find(r->names->kind, name, &operation);
  if (expression_takes(r, '('))
    return function ? read_arguments(r, operation, name, begin) : refuse_function(r, begin, name);
  if (r->names->find && r->names->find(r->names->user, name, &term)) return term;
  if (strcmp(name, "pi") == 0) return nsds_term_number(3.14159265358979323846);
  if (function)
    return refuse_expression(r, begin, "the function %s is called as %s(...)", name, name);
  return refuse_unknown_name(r, begin, name);
}

static nsds_term refuse_atom(expression_reader *r) {
  if (refuse_sign(r)) return nothing;
  if (!*r->at)
    return refuse_expression(r, r->at,
                             "the expression ends too early; a number or a name is missing");
  if (*r->at == ')' && r->brackets == 0)
    return refuse_expression(r, r->at, "the bracket \")\" has no partner");
  return refuse_expression(r, r->at, "a number, a name or a bracket should be here, not \"%c\"",
                           *r->at);
}

static nsds_term read_atom(expression_reader *r) {
  const char *open = r->at;
  if (expression_takes(r, '(')) {
    ++r->brackets;
    nsds_term x = read_choice(r);
    return close_bracket(r, open) ? x : nothing;
  }
  if (begins_expression_number(r->at)) return read_plain_number(r);
  if (begins_expression_name(*r->at)) return read_name(r);
  return refuse_atom(r);
}

/* ---- operators ---- */

/* The operator that comes next. */
static const nsds_operator_sign *peek_operator(expression_reader *r) {
  expression_skip(r);
  const nsds_operator_sign *o = nsds_operator_find(r->at);
  return o && o->kinds & (unsigned)r->names->kind ? o : NULL;
}

static bool expression_enter(expression_reader *r, int depth) {
  r->depth += depth;
  if (r->depth > most_depth)
    refuse_expression(r, r->at, "brackets, signs and choices are nested too deeply");
  return !expression_failed(r);
}

static nsds_term read_signed(expression_reader *r) {
  nsds_term x;
  expression_skip(r);
  if (!expression_enter(r, bracket_depth)) return nothing;
  bool not = r->names->kind == NSDS_TEXT_NETLIST && *r->at == '!' && r->at[1] != '=';
  if (expression_takes(r, '-'))
    x = nsds_term_make(r->all, NSDS_OP_NEGATIVE, read_signed(r), nothing, nothing);
  else if (expression_takes(r, '+')) x = read_signed(r);
  else if (not ) {
    ++r->at;
    x = nsds_term_make(r->all, NSDS_OP_NOT, read_signed(r), nothing, nothing);
  } else {
    x = read_atom(r);
    const nsds_operator_sign *o = expression_failed(r) ? NULL : peek_operator(r);
    if (o && o->rank == nsds_power_rank) {
      r->at += strlen(o->sign);
      x = nsds_term_make(r->all, o->operation, x, read_signed(r), nothing);
    }
  }
  r->depth -= bracket_depth;
  return x;
}

/* Operators of this rank and above. */
static nsds_term read_binary(expression_reader *r, int rank) {
  nsds_term x = read_signed(r);
  for (;;) {
    const nsds_operator_sign *o = expression_failed(r) ? NULL : peek_operator(r);
    if (!o || o->rank < rank) return x;
    r->at += strlen(o->sign);
    x = nsds_term_make(r->all, o->operation, x, read_binary(r, o->rank + 1), nothing);
  }
}

static nsds_term read_choice(expression_reader *r) {
  if (!expression_enter(r, 1)) return nothing;
  nsds_term x = read_binary(r, nsds_least_rank);
  if (!expression_failed(r) && expression_takes(r, '?')) {
    nsds_term yes = read_choice(r);
    if (!expression_failed(r) && !expression_takes(r, ':') && !refuse_sign(r))
      refuse_expression(r, r->at, "a \":\" is missing behind \"?\"");
    nsds_term no = expression_failed(r) ? nothing : read_choice(r);
    x = expression_failed(r) ? nothing : nsds_term_make(r->all, NSDS_OP_CHOICE, x, yes, no);
  }
  if (!expression_failed(r)) refuse_sign(r);
  --r->depth;
  return x;
}

bool nsds_expression_read(nsds_expressions *all, const char *text,
                          const nsds_expression_names *names, nsds_term *term,
                          nsds_expression_error *error) {
  expression_reader r = {all, names, error, text, text, 0, 0};
  error->fault = NSDS_EXPRESSION_FINE;
  error->at = 0;
  error->text[0] = error->name[0] = '\0';
  if (names->kind == NSDS_TEXT_MODEL_FILE && strlen(text) > nsds_expression_most)
    refuse_expression(&r, text, "an expression has at most %d characters", nsds_expression_most);
  else *term = read_choice(&r);
  expression_skip(&r);
  if (!expression_failed(&r) && *r.at) refuse_rest(&r);
  if (!expression_failed(&r) && all->no_memory) error->fault = NSDS_EXPRESSION_NO_MEMORY;
  return !expression_failed(&r);
}
