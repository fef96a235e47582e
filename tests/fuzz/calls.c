/* The table of calls, and how a run is made of them. New calls go to the end of the table. */
#include "calls.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum {
  LONGEST_CALL = 10, /* s */
  LONGEST_RUN = 600, /* of many steps and events, each of which may take tens of ms here */
  MOST_DEPTH = 2,
  NAME = 40
};

const call calls[] = {
#define X(name, weight, needs) {#name, weight, call_##name, needs},
    CALLS(X)
#undef X
};
const unsigned call_count = sizeof calls / sizeof *calls;

/* ---- one call ---- */

static void watch(int seconds) {
  struct itimerval timer = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, NULL);
}

static scene *choose_scene(void) { return &fuzz.scenes[chance(92) ? 0 : pick(MODELS)]; }

static void clear_errors(void) {
  for (int k = 0; k < MODELS; ++k) DO(nsds_error_clear, fuzz.scenes[k].context);
  nsds_error_clear(NULL);
}

static bool possible(const call *c, const scene *s) {
  if (c->needs < 0) return true;
  for (int i = 0; i < SLOTS; ++i) {
    if (s->things[c->needs][i].object) return true;
  }
  return false;
}

void run_call(const call *c, const char *numbers) {
  line_begin(c->name, numbers);
  disarm();
  scene *s = choose_scene();
  if (possible(c, s)) {
    if (!chance(10)) clear_errors();
    fuzz.changed = fuzz.rewound = false;
    check_before();
    watch(c->make == call_run ? LONGEST_RUN : LONGEST_CALL);
    arm();
    nsds_status status = c->make(s);
    disarm();
    watch(0);
    check_after(c, status);
    release_brief();
  }
  line_end();
}

void run_inside(void) {
  if (fuzz.depth >= MOST_DEPTH) return;
  ++fuzz.depth;
  fuzz.changed = true;
  scene *s = choose_scene();
  const call *c = &calls[pick(call_count)];
  if (possible(c, s)) c->make(s);
  --fuzz.depth;
}

/* ---- all of them ---- */

static const call *choose_any(void) {
  unsigned total = 0;
  for (unsigned i = 0; i < call_count; ++i) total += calls[i].weight;
  unsigned at = pick_call(total);
  const call *c = calls;
  while (at >= c->weight) at -= c++->weight;
  return c;
}

static const call *named(const char *text, size_t length) {
  for (unsigned i = 0; i < call_count; ++i) {
    if (strlen(calls[i].name) == length && memcmp(calls[i].name, text, length) == 0) {
      return &calls[i];
    }
  }
  return NULL;
}

/* Systems and a simulation that go with the flavour of the run. */
static const call *choose_fitting(unsigned k) {
  static const char *const fit[flavour_count][5] = {
      [ANYTHING] = {"lagrangian", "rigid_body", "first_order", "lagrangian_linear",
                    "time_stepping"},
      [BODIES_IN_STEPS] = {"lagrangian", "rigid_body", "rigid_body_2d", "rigid_body",
                           "time_stepping"},
      [BODIES_BY_EVENTS] = {"lagrangian_linear", "rigid_body", "rigid_body_2d", "lagrangian",
                            "event_driven"},
      [CIRCUITS] = {"first_order_linear", "first_order", "first_order_linear", "first_order_system",
                    "time_stepping"},
      [BOTH_ORDERS] = {"first_order_linear", "lagrangian_linear", "first_order", "second_order",
                       "time_stepping"}};
  const char *name = fit[run_flavour()][k];
  if (run_flavour() == CIRCUITS && k == 4 && pick_call(2)) name = "adaptive";
  return named(name, strlen(name));
}

enum { MAKERS = 8 }; /* of systems, at the head of the table */

static const call *choose_call(void) {
  const call *c = choose_any();
  if (run_flavour() == ANYTHING || pick_call(20) == 0) return c;
  if (c < calls + MAKERS) return choose_fitting(pick_call(4));
  bool simulation =
      c->make == call_time_stepping || c->make == call_event_driven || c->make == call_adaptive;
  return simulation ? choose_fitting(4) : c;
}

/* In the beginning there is a model to simulate. */
static const call *choose_start(unsigned k) {
  if (k < 4) return choose_fitting(pick_call(4));
  return k < 8 ? named("connect", 7) : choose_fitting(4);
}

void run_chosen(unsigned most) {
  world_create();
  enum { START = 9 };
  for (unsigned k = 0; k < most && choices_left(); ++k) {
    const call *c = k < START ? choose_start(k) : choose_call();
    for (int i = 0; i < START && !possible(c, &fuzz.scenes[0]); ++i) c = choose_call();
    run_call(c, NULL);
  }
  check_usable();
  world_destroy();
}

bool run_text(const char *text) {
  bool known = true;
  world_create();
  char *copy = malloc(strlen(text) + 1), *rest = NULL;
  strcpy(copy, text);
  for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    if (line[0] == '#') continue;
    size_t length = strcspn(line, " ");
    const call *c = named(line, length);
    if (c) run_call(c, line + length);
    known = known && c;
  }
  free(copy);
  check_usable();
  world_destroy();
  return known;
}
