/*
 * Functions that a step calls try every call of the library. docs/calls.md says what each does from
 * there: it works, or is refused with a message that names it; and the step and all later ones have
 * the bits of an undisturbed run. The calls are those of the headers, none is left out.
 */
#include "inside.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static char *document, *headers; /* docs/calls.md; all headers, one after the other */

static char *append(char *text, const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail_msg("%s cannot be read", path);
  size_t used = text ? strlen(text) : 0, got;
  char piece[4096];
  while ((got = fread(piece, 1, sizeof piece, file)) > 0) {
    text = realloc(text, used + got + 1);
    assert_non_null(text);
    memcpy(text + used, piece, got);
    text[used += got] = '\0';
  }
  fclose(file);
  return text;
}

static int read_all(void **state) {
  (void)state;
  static const char *const names[] = {"adaptive",   "base",          "contact",     "event_driven",
                                      "extend",     "extend_solver", "first_order", "global",
                                      "io",         "joint",         "lagrangian",  "law",
                                      "mixed",      "model",         "plugin",      "problem",
                                      "rigid_body", "shapes",        "simulation",  "solver"};
  document = append(NULL, NSDS_TEST_SOURCE "/docs/calls.md");
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    char path[1024];
    snprintf(path, sizeof path, NSDS_TEST_SOURCE "/include/nsds/%s.h", names[k]);
    headers = append(headers, path);
  }
  return 0;
}

static int forget(void **state) {
  (void)state;
  free(document);
  free(headers);
  remove("inside_step.dat");
  remove("inside_step.nsds");
  return 0;
}

/* What the document says of a call: 'y', 'n', or '-' where it cannot be made from there. */
static char answer(const char *name, place from) {
  char word[96], group[96];
  snprintf(word, sizeof word, "`%.63s()`", name);
  const char *list = strstr(document, "| group |"), *end = strstr(document, "In words");
  assert_true(list && end);
  const char *at = strstr(list, word);
  if (!at || at > end) fail_msg("docs/calls.md does not list %s()", name);
  const char *again = strstr(at + 1, word);
  if (again && again < end) fail_msg("docs/calls.md lists %s() twice", name);
  while (at[-1] != '\n') --at;
  snprintf(group, sizeof group, "\n%.*s", (int)strcspn(at + 2, "|") + 3, at);
  at = strstr(document, group);
  assert_true(at && at < list);
  ++at;
  for (int k = 0; k <= (int)from; ++k) at += 1 + strcspn(at + 1, "|");
  return at[2];
}

static const call *find_call(const char *name) {
  const call *tables[] = {model_calls, numerics_calls};
  for (int k = 0; k < 2; ++k)
    for (const call *c = tables[k]; c->name; ++c)
      if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

/* A function that is added to a header needs a row in the document and a call here. */
static void every_public_function_has_a_row(void **state) {
  (void)state;
  int count = 0;
  for (const char *at = headers; (at = strstr(at, "\nNSDS_API ")); ++count) {
    const char *open = strchr(at, '('), *name = open;
    while (isalnum((unsigned char)name[-1]) || name[-1] == '_') --name;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(open - name), name);
    if (!find_call(word)) fail_msg("%s() is not called from inside", word);
    for (place from = 0; from < place_count; ++from)
      assert_non_null(strchr("yn-", answer(word, from)));
    at = open;
  }
  print_message("             %d public functions\n", count);
  assert_true(count > 150);
}

/* ---- the walk ---- */

enum { steps = 6 };

/* Steps with a call tried from a place; bits of the run. */
static uint64_t walk(const call *c, place from, bool expected) {
  uint64_t hash = 0;
  scene s = {.call = c, .place = from, .expected = expected};
  scene_build(&s);
  int active = 0;
  for (int n = 0; n < steps; ++n) {
    nsds_error_clear(s.context);
    nsds_status status = nsds_step(s.simulation);
    if (status)
      fail_msg("%s from place %d: step %d gave %d: %s", c ? c->name : "", from, n, status,
               nsds_error_message(s.context));
    active += nsds_simulation_info(s.simulation)->active;
    const call *kept = s.call;
    s.call = NULL;
    hash = state_hash(s.model, hash);
    s.call = kept;
  }
  assert_true(active > 2 * steps || (c && from == EVENTS));
  if (c && s.tried == 0) fail_msg("%s was not tried from place %d", c->name, from);
  scene_destroy(&s);
  return hash;
}

static void walk_from(place from) {
  uint64_t undisturbed = walk(NULL, from, true);
  const call *tables[] = {model_calls, numerics_calls};
  int allowed = 0, refused = 0;
  for (int k = 0; k < 2; ++k)
    for (const call *c = tables[k]; c->name; ++c) {
      char says = answer(c->name, from);
      if (says == '-') continue;
      bool changes = from == EVENTS && answer(c->name, CHECK_SOLVER) == 'n'; /* as it may */
      uint64_t hash = walk(c, from, says == 'y');
      if (hash != undisturbed && !(changes && says == 'y'))
        fail_msg("%s from place %d: other bits", c->name, from);
      *(says == 'y' ? &allowed : &refused) += 1;
    }
  print_message("             %d calls work, %d are refused\n", allowed, refused);
}

#define WALK(name, from)                                                                           \
  static void name(void **state) {                                                                 \
    (void)state;                                                                                   \
    walk_from(from);                                                                               \
  }

WALK(from_operators, OPERATORS)
WALK(from_laws, LAWS)
WALK(from_integrators, INTEGRATORS)
WALK(from_geometries, GEOMETRIES)
WALK(from_solvers, SOLVERS)
WALK(from_check_solver, CHECK_SOLVER)
WALK(from_events, EVENTS)
WALK(from_hooks, HOOKS)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_public_function_has_a_row),
      cmocka_unit_test(from_operators),
      cmocka_unit_test(from_laws),
      cmocka_unit_test(from_integrators),
      cmocka_unit_test(from_geometries),
      cmocka_unit_test(from_solvers),
      cmocka_unit_test(from_check_solver),
      cmocka_unit_test(from_events),
      cmocka_unit_test(from_hooks),
  };
  return cmocka_run_group_tests_name("kernel.inside_step", tests, read_all, forget);
}
