/*
 * What has to hold after every call: all that the models show is finite; nothing has changed where the
 * call has failed, bit by bit; no clock has run backwards; contexts are still usable.
 */
#include "calls.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USABLE_EVERY = 16, FLOOR_STEPS = 4 };

void finding(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("finding: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

/* ---- what is shown ---- */

/* Values with what they are, to compare and to name. */
typedef struct shown {
  double *value;
  const char **what;
  size_t count, capacity;
} shown;

static shown before, after;

static void show(shown *to, const char *what, const double *values, int n) {
  if (!values || n < 1) return;
  if (to->count + (size_t)n > to->capacity) {
    to->capacity = 2 * (to->count + (size_t)n);
    to->value = realloc(to->value, to->capacity * sizeof *to->value);
    to->what = realloc(to->what, to->capacity * sizeof *to->what);
  }
  for (int i = 0; i < n; ++i) {
    to->what[to->count] = what;
    to->value[to->count++] = values[i];
  }
}

static void show_system(shown *to, const nsds_ds *ds) {
  int nq = nsds_nq(ds), nv = nsds_nv(ds), nx = nsds_nx(ds);
  show(to, "q", nsds_q(ds), nq);
  show(to, "v", nsds_v(ds), nv);
  show(to, "p", nsds_p(ds), nv);
  show(to, "prescribed force", nsds_prescribed_force(ds), nv);
  show(to, "x", nsds_x(ds), nx);
  show(to, "r", nsds_r(ds), nx);
}

/* y and dy/dt may have to be evaluated, and be NaN where that fails, as the context then knows. */
static void show_outputs(shown *to, const nsds_interaction *ia, nsds_context *context) {
  int n = nsds_interaction_size(ia);
  bool error_before = nsds_error(context) != NSDS_OK;
  const double *y = nsds_y(ia), *ydot = nsds_ydot(ia);
  if (error_before || nsds_error(context)) return;
  show(to, "y", y, n);
  show(to, "ydot", ydot, n);
}

static void show_interaction(shown *to, const nsds_interaction *ia) {
  int n = nsds_interaction_size(ia);
  double active = nsds_is_active(ia);
  show(to, "impulse", nsds_impulse(ia), nsds_impulse(ia) ? n : 0);
  show(to, "lambda", nsds_lambda(ia), n);
  show(to, "active", &active, 1);
}

static void show_set(shown *to, const nsds_contact_set *set) {
  int count = nsds_contact_set_count(set);
  show(to, "contacts", &(double){count}, 1);
  for (int k = 0; k < count; ++k) {
    nsds_contact_info info;
    if (nsds_contact_set_get(set, k, &info)) finding("contact %d of %d is not there", k, count);
    show(to, "gap of a contact", info.y, 1);
    show(to, "velocity of a contact", info.ydot, 1);
    show(to, "impulse of a contact", info.impulse, 1);
    show(to, "force of a contact", info.force, 1);
    show(to, "activity of a contact", &(double){info.active}, 1);
  }
}

static void show_scene(shown *to, const scene *s, bool outputs) {
  for (int i = 0; i < nsds_ds_count(s->model); ++i) show_system(to, nsds_ds_at(s->model, i));
  for (int i = 0; i < nsds_interaction_count(s->model); ++i) {
    const nsds_interaction *ia = nsds_interaction_at(s->model, i);
    show_interaction(to, ia);
    if (outputs) show_outputs(to, ia, s->context);
  }
  for (int i = 0; i < SLOTS; ++i) {
    if (s->things[SETS][i].object) show_set(to, s->things[SETS][i].object);
  }
}

static void show_all(shown *to, bool outputs) {
  to->count = 0;
  for (int k = 0; k < MODELS; ++k) show_scene(to, &fuzz.scenes[k], outputs);
}

/* ---- clocks ---- */

typedef struct reading {
  const nsds_simulation *simulation;
  double time;
  long steps;
} reading;

static reading clocks[MODELS * SLOTS];

static reading read_clock(int k) {
  const nsds_simulation *simulation = fuzz.scenes[k / SLOTS].things[SIMULATIONS][k % SLOTS].object;
  if (!simulation) return (reading){0};
  return (reading){simulation, nsds_time(simulation), nsds_step_count(simulation)};
}

static void check_clock(const call *c, nsds_status status, int k) {
  reading now = read_clock(k), then = clocks[k];
  if (!now.simulation) return;
  if (!isfinite(now.time)) finding("%s: the time is %g", c->name, now.time);
  if (now.simulation != then.simulation || fuzz.rewound) return;
  if (now.time < then.time)
    finding("%s: the time goes from %.17g to %.17g", c->name, then.time, now.time);
  if (now.steps < then.steps)
    finding("%s: steps go from %ld to %ld", c->name, then.steps, now.steps);
  if (status < 0 && !fuzz.changed && (now.time != then.time || now.steps != then.steps)) {
    finding("%s failed with %d, the time goes from %.17g to %.17g", c->name, (int)status, then.time,
            now.time);
  }
}

/* ---- before and after a call ---- */

static bool outputs_shown;

void check_before(void) {
  outputs_shown = !chance(30);
  show_all(&before, outputs_shown);
  for (int k = 0; k < MODELS * SLOTS; ++k) clocks[k] = read_clock(k);
}

static void check_finite(const call *c, nsds_status status) {
  for (size_t i = 0; i < after.count; ++i) {
    if (isfinite(after.value[i])) continue;
    finding("%s, status %d: %s is %g", c->name, (int)status, after.what[i], after.value[i]);
  }
}

static bool same_bits(size_t i) {
  return memcmp(&before.value[i], &after.value[i], sizeof(double)) == 0;
}

/* y that could be evaluated before and not after is no change. */
static void check_same(const call *c, nsds_status status) {
  if (before.count != after.count) {
    if (outputs_shown) return;
    finding("%s failed with %d and changed how much is shown", c->name, (int)status);
  }
  for (size_t i = 0; i < after.count; ++i) {
    if (same_bits(i)) continue;
    finding("%s failed with %d and changed %s from %.17g to %.17g", c->name, (int)status,
            after.what[i], before.value[i], after.value[i]);
  }
}

void check_after(const call *c, nsds_status status) {
  static unsigned count;
  show_all(&after, outputs_shown);
  check_finite(c, status);
  if ((status < 0 || status == NSDS_STOPPED) && !fuzz.changed) check_same(c, status);
  for (int k = 0; k < MODELS * SLOTS; ++k) check_clock(c, status, k);
  if (++count % USABLE_EVERY == 0) check_usable();
}

/* ---- a ball that falls on the floor ---- */

static double fall(nsds_context *context) {
  nsds_error_clear(context);
  nsds_model *model = nsds_model_create(context);
  nsds_lagrangian_linear_def ball = {.ndof = 1,
                                     .q0 = (double[]){0.01},
                                     .v0 = (double[]){-1.0},
                                     .mass = (double[]){2.0},
                                     .fext = (double[]){-19.62}};
  nsds_ds *ds = nsds_lagrangian_linear(model, &ball);
  nsds_lagrangian_linear_relation_def gap = {.ny = 1, .nq = 1, .H = (double[]){1.0}};
  nsds_connect(model, nsds_lagrangian_linear_relation(model, &gap), nsds_newton_impact(model, 0.5),
               1, &ds);
  nsds_time_stepping_def def = {.t1 = 1.0, .h = 0.005};
  nsds_simulation *simulation = nsds_time_stepping(model, &def);
  nsds_status status = NSDS_OK;
  for (int i = 0; i < FLOOR_STEPS && !status; ++i) status = nsds_step(simulation);
  if (status) finding("the context is not usable: %s", nsds_error_message(context));
  double sum = nsds_q(ds)[0] + nsds_v(ds)[0];
  nsds_model_destroy(model);
  return sum;
}

void check_usable(void) {
  static double expected;
  if (expected == 0.0) {
    nsds_context *context = nsds_context_create(NULL);
    expected = fall(context);
    nsds_context_destroy(context);
  }
  double sum = fall(fuzz.context);
  if (sum != expected) finding("a ball falls to %.17g in place of %.17g", sum, expected);
}
