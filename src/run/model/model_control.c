/*
 * Samplers and events of a model file, see model_control.h. All settings of one call are evaluated
 * with the state of that time, and then made.
 */
#include "run/model/model_control.h"

#include <math.h>
#include <string.h>

/* Parameters with the expressions that they are set to. */
typedef struct settings {
  nsds_model_file *file;
  nsds_quantities *quantities;
  int count;
  nsds_settable *target;
  nsds_observed **value;
  double *next;
} settings;

static bool take_settings(const nsds_entry *e, const char *key, settings *s) {
  nsds_model_file *file = e->file;
  const nsds_yaml *map = nsds_entry_node(e, key);
  s->file = file;
  s->count = map ? map->count : 0;
  s->quantities = nsds_quantities_create(file);
  s->target = nsds_file_memory(file, (size_t)s->count, sizeof *s->target);
  s->value = nsds_file_memory(file, (size_t)s->count, sizeof(nsds_observed *));
  s->next = nsds_file_memory(file, (size_t)s->count, sizeof *s->next);
  if (!s->quantities || !s->target || !s->value || !s->next) return false;
  for (int k = 0; k < s->count; ++k) {
    if (!nsds_settable_find(file, map->key[k], map->key[k]->text, &s->target[k])) return false;
    if (!(s->value[k] = nsds_quantities_observe(s->quantities, map->item[k]))) return false;
  }
  return true;
}

static int make_settings(const settings *s) {
  nsds_quantities_refresh(s->quantities);
  for (int k = 0; k < s->count; ++k) s->next[k] = nsds_observed_value(s->value[k]);
  for (int k = 0; k < s->count; ++k)
    if (nsds_settable_set(s->file, &s->target[k], s->next[k])) return -1;
  return 0;
}

/* ---- set ---- */

static int sample_set(nsds_simulation *simulation, void *user) {
  (void)simulation;
  return make_settings(user);
}

static void *make_set(const nsds_entry *e) {
  settings *s = nsds_file_memory(e->file, 1, sizeof *s);
  return s && take_settings(e, "set", s) ? s : NULL;
}

/* ---- PID ---- */

typedef struct pid {
  nsds_model_file *file;
  nsds_quantities *quantities;
  nsds_observed *setpoint, *measured;
  nsds_settable output;
  double kp, ki, kd, lower, upper, period;
  double integral, error;
  bool begun;
} pid;

static int sample_pid(nsds_simulation *simulation, void *user) {
  (void)simulation;
  pid *c = user;
  nsds_quantities_refresh(c->quantities);
  double e = nsds_observed_value(c->setpoint) - nsds_observed_value(c->measured);
  double rate = c->begun ? (e - c->error) / c->period : 0.0;
  double integral = c->integral + c->ki * c->period * e;
  double u = c->kp * e + integral + c->kd * rate;
  c->error = e;
  c->begun = true;
  if (u > c->upper) u = c->upper;
  else if (u < c->lower) u = c->lower;
  else c->integral = integral;
  return nsds_settable_set(c->file, &c->output, u) ? -1 : 0;
}

static void *make_pid(const nsds_entry *e) {
  pid *c = nsds_file_memory(e->file, 1, sizeof *c);
  if (!c || !(c->quantities = nsds_quantities_create(e->file))) return NULL;
  c->file = e->file;
  c->kp = nsds_entry_number(e, "kp");
  c->ki = nsds_entry_number(e, "ki");
  c->kd = nsds_entry_number(e, "kd");
  c->lower = nsds_entry_number(e, "lower");
  c->upper = nsds_entry_number(e, "upper");
  c->period = nsds_entry_number(e, "period");
  if (!(c->lower < c->upper))
    return nsds_file_fail(e->file, nsds_entry_place(e, "upper"),
                          "upper is %.15g; it has to be above lower, %.15g", c->upper, c->lower);
  c->setpoint = nsds_quantities_observe(c->quantities, nsds_entry_place(e, "setpoint"));
  c->measured =
      c->setpoint ? nsds_quantities_observe(c->quantities, nsds_entry_place(e, "measured")) : NULL;
  return c->measured && nsds_settable_find(e->file, nsds_entry_place(e, "output"),
                                           nsds_entry_text(e, "output"), &c->output)
             ? c
             : NULL;
}

/* ---- PWM ---- */

typedef struct pwm {
  nsds_model_file *file;
  nsds_quantities *quantities;
  nsds_observed *duty;
  nsds_settable output;
  double high, low, period;
} pwm;

static int end_pulse(nsds_simulation *simulation, void *user) {
  (void)simulation;
  const pwm *c = user;
  return nsds_settable_set(c->file, &c->output, c->low) ? -1 : 0;
}

static int sample_pwm(nsds_simulation *simulation, void *user) {
  pwm *c = user;
  nsds_quantities_refresh(c->quantities);
  double duty = nsds_observed_value(c->duty);
  if (nsds_settable_set(c->file, &c->output, duty > 0.0 ? c->high : c->low)) return -1;
  if (!(duty > 0.0 && duty < 1.0)) return 0;
  nsds_event_def end = {.name = "end of a pulse",
                        .time = nsds_time(simulation) + duty * c->period,
                        .call = end_pulse,
                        .user = c};
  return nsds_simulation_at(simulation, &end) ? -1 : 0;
}

static void *make_pwm(const nsds_entry *e) {
  pwm *c = nsds_file_memory(e->file, 1, sizeof *c);
  if (!c || !(c->quantities = nsds_quantities_create(e->file))) return NULL;
  c->file = e->file;
  c->high = nsds_entry_number(e, "high");
  c->low = nsds_entry_number(e, "low");
  c->period = nsds_entry_number(e, "period");
  c->duty = nsds_quantities_observe(c->quantities, nsds_entry_place(e, "duty"));
  return c->duty && nsds_settable_find(e->file, nsds_entry_place(e, "output"),
                                       nsds_entry_text(e, "output"), &c->output)
             ? c
             : NULL;
}

/* ---- all ---- */

static bool add_sampler(const nsds_entry *e, const char *name) {
  nsds_sampler_def def = {.name = name,
                          .period = nsds_entry_number(e, "period"),
                          .phase = nsds_entry_number(e, "phase")};
  if (nsds_file_failed(e->file)) return false;
  if (strcmp(e->schema->type, "set") == 0) {
    def.sample = sample_set;
    def.user = make_set(e);
  } else if (strcmp(e->schema->type, "pid") == 0) {
    def.sample = sample_pid;
    def.user = make_pid(e);
  } else {
    def.sample = sample_pwm;
    def.user = make_pwm(e);
  }
  if (!def.user || nsds_file_failed(e->file)) return false;
  if (!nsds_file_is_sound(e->file)) return true; /* there is no simulation */
  nsds_simulation_sample(e->file->simulation, &def);
  return !nsds_file_call_failed(e->file, e->node);
}

static bool add_timed_change(const nsds_entry *e) {
  settings *s = nsds_file_memory(e->file, 1, sizeof *s);
  if (!s || !take_settings(e, "set", s)) return false;
  nsds_event_def def = {.name = "event", .time = nsds_entry_number(e, "time"), .user = s};
  if (s->count > 0) def.call = sample_set;
  if (nsds_file_failed(e->file)) return false;
  if (!nsds_file_is_sound(e->file)) return true;
  nsds_simulation_at(e->file->simulation, &def);
  return !nsds_file_call_failed(e->file, e->node);
}

bool nsds_control_make(const nsds_entry *root) {
  const nsds_yaml *samplers = nsds_entry_node(root, "samplers");
  nsds_model_file *file = root->file;
  for (int k = 0; samplers && k < samplers->count; ++k) {
    const char *name = samplers->key[k]->text;
    if (nsds_file_is_doubtful(file, name)) continue;
    nsds_entry e = nsds_entry_at(root, "samplers", k);
    if (!add_sampler(&e, name) && !nsds_file_go_on(file)) return false;
  }
  bool doubtful = nsds_file_is_doubtful(file, "events");
  for (int k = 0; !doubtful && k < nsds_entry_count(root, "events"); ++k) {
    nsds_entry e = nsds_entry_at(root, "events", k);
    if (!add_timed_change(&e) && !nsds_file_go_on(file)) return false;
  }
  return true;
}
