/*
 * Reads and evaluates expressions, a line each, for expressions.py:
 *
 *   =NAME VALUE   sets a variable
 *   m TEXT        an expression of a model file: its value by a program in variables, and by numbers alone
 *   n TEXT        the same of a netlist
 *   dNAME TEXT    the derivative of an expression of a model file
 *   aNAME TEXT    the same again and again while the first, second, ... allocation fails: how many these are, or "! K"
 *                 where the K-th failed and was not reported
 *
 * Answers are values in hexadecimal, or "! PLACE MESSAGE" where the text is refused.
 */
#include "run/expression/expression.h"
#include "run/expression/expression_program.h"
#include "run/expression/expression_slopes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_variables = 64, longest_line = 20000 };

static long calls, fails_at;

static void *test_alloc(size_t size, void *user) {
  (void)user;
  return ++calls == fails_at ? NULL : malloc(size);
}

static void test_release(void *memory, void *user) {
  (void)user;
  free(memory);
}

typedef struct test_variables {
  int count;
  char name[most_variables][64];
  double value[most_variables];
  bool as_numbers; /* names give numbers, so that all is computed while the text is read */
  nsds_expressions all;
} test_variables;

static int variable_index(const test_variables *v, const char *name) {
  int k = 0;
  while (k < v->count && strcmp(v->name[k], name) != 0) ++k;
  return k;
}

static bool find(void *user, const char *name, nsds_term *term) {
  test_variables *v = user;
  int k = variable_index(v, name);
  if (k == v->count) return false;
  *term = v->as_numbers ? nsds_term_number(v->value[k]) : nsds_term_variable(&v->all, &v->value[k]);
  return true;
}

static nsds_context *the_context;

static void *take(void *owner, size_t count, size_t size) {
  void **last = owner; /* a list of blocks */
  void **block = nsds_alloc(the_context, "a block", 1, 16 + count * size);
  if (!block) return NULL;
  *block = *last;
  *last = block;
  return (char *)block + 16;
}

/* The value of a term; false if memory is out. */
static bool take_value(test_variables *v, nsds_term term, double *value) {
  void *blocks = NULL;
  bool fine = true;
  *value = term.number;
  if (term.node >= 0) {
    nsds_program *p = nsds_program_create(&v->all, &term, 1, &(nsds_program_memory){take, &blocks});
    fine = p != NULL;
    if (p) nsds_program_run(p);
    if (p) *value = nsds_program_value(p, 0);
  }
  while (blocks) {
    void *before = *(void **)blocks;
    nsds_free(blocks);
    blocks = before;
  }
  return fine;
}

static double value_of(test_variables *v, nsds_term term) {
  double value;
  return take_value(v, term, &value) ? value : NAN;
}

static bool read_text(test_variables *v, nsds_text_kind kind, const char *text, nsds_term *term) {
  nsds_expression_error error;
  const nsds_expression_names names = {.kind = kind, .find = find, .user = v};
  nsds_expressions_free(&v->all);
  if (nsds_expression_read(&v->all, text, &names, term, &error)) return true;
  printf("! %d %s\n", error.at, error.text);
  return false;
}

static void answer_value(test_variables *v, nsds_text_kind kind, const char *text) {
  nsds_term term;
  v->as_numbers = false;
  if (!read_text(v, kind, text, &term)) return;
  double value = value_of(v, term);
  v->as_numbers = true;
  if (read_text(v, kind, text, &term)) printf("%a %a\n", value, term.number);
}

static void answer_slope(test_variables *v, char *line) {
  char *text = strchr(line, ' ');
  nsds_term term, slope;
  *text++ = '\0';
  v->as_numbers = false;
  if (!read_text(v, NSDS_TEXT_MODEL_FILE, text, &term)) return;
  const double *by = &v->value[variable_index(v, line)];
  if (nsds_term_slopes(&v->all, &term, 1, by, 1000000, &slope)) puts("! 0 too long");
  else printf("%a\n", value_of(v, slope));
}

/* One way from a text to the value of its derivative; false if memory is out. */
static bool try_slope(test_variables *v, const char *text, const double *by) {
  nsds_expression_error error;
  const nsds_expression_names names = {.kind = NSDS_TEXT_MODEL_FILE, .find = find, .user = v};
  nsds_term term, slope;
  double value;
  nsds_expressions_free(&v->all);
  if (!nsds_expression_read(&v->all, text, &names, &term, &error)) return false;
  return !nsds_term_slopes(&v->all, &term, 1, by, 1000000, &slope) && take_value(v, slope, &value);
}

static void answer_failures(test_variables *v, char *line) {
  char *text = strchr(line, ' ');
  *text++ = '\0';
  const double *by = &v->value[variable_index(v, line)];
  bool fine = false;
  v->as_numbers = false;
  for (fails_at = 1; !fine; ++fails_at) {
    calls = 0;
    fine = try_slope(v, text, by);
    if (fine != (calls < fails_at)) break;
  }
  printf(fine ? "%ld\n" : "! %ld\n", fails_at - 1);
  fails_at = 0;
}

static void set_variable(test_variables *v, char *line) {
  char *value = strchr(line, ' ');
  *value++ = '\0';
  int k = variable_index(v, line);
  if (k == most_variables) exit(2);
  if (k == v->count) snprintf(v->name[v->count++], sizeof v->name[0], "%.63s", line);
  v->value[k] = strtod(value, NULL);
}

int main(void) {
  static char line[longest_line];
  static test_variables v;
  the_context =
      nsds_context_create(&(nsds_context_def){.alloc = test_alloc, .release = test_release});
  v.all.context = the_context;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '=') set_variable(&v, line + 1);
    else if (line[0] == 'm') answer_value(&v, NSDS_TEXT_MODEL_FILE, line + 2);
    else if (line[0] == 'n') answer_value(&v, NSDS_TEXT_NETLIST, line + 2);
    else if (line[0] == 'd') answer_slope(&v, line + 1);
    else if (line[0] == 'a') answer_failures(&v, line + 1);
  }
  nsds_expressions_free(&v.all);
  nsds_context_destroy(the_context);
  return nsds_error(NULL) != NSDS_OK;
}
