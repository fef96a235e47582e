#include "callers.h"

#include <execinfo.h>
#include <stdlib.h>

/* ---- the fault ---- */

static story *told;
static bool armed, within; /* within: a call that the misdeed itself has made */

static void callers_begin(story *s) {
  told = s;
  armed = true;
}

static void callers_end(void) { armed = false; }

/* ---- places of calls ---- */

static caller_place places[callers_most_places];
static int places_count;
static bool notes_places;
static uint64_t places_random;

void callers_note_places(uint64_t seed) {
  notes_places = true;
  places_count = 0;
  places_random = seed | 1;
}

const caller_place *callers_places(int *count) {
  notes_places = false;
  *count = places_count;
  return places;
}

static void note_place(long call) {
  enum { depth = 16 };
  void *frame[depth];
  int frames = backtrace(frame, depth), k = 0;
  uint64_t chain = 14695981039346656037u;
  for (int i = 0; i < frames; ++i) chain = (chain ^ (uint64_t)(uintptr_t)frame[i]) * 1099511628211u;
  while (k < places_count && places[k].chain != chain) ++k;
  if (k == callers_most_places) return;
  if (k == places_count) places[places_count++] = (caller_place){.chain = chain};
  places_random = places_random * 6364136223846793005u + 1442695040888963407u;
  if ((places_random >> 33) % (uint64_t)++places[k].count == 0) places[k].call = call;
}

/* Whether this call is the one. */
static bool hits(void) {
  if (!armed || within) return false;
  long call = ++told->hits_before, first = told->fault.at;
  if (notes_places && call <= callers_most_noted) note_place(call);
  if (first == 0 || call < first || call >= first + (told->fault.times > 1 ? told->fault.times : 1))
    return false;
  told->hit = true;
  ++told->strikes;
  return true;
}

static const double wrong_value[misdeeds] = {[WRITES_NAN] = NAN,
                                             [WRITES_INF] = INFINITY,
                                             [WRITES_MINUS_INF] = -INFINITY,
                                             [WRITES_1E308] = 1e308,
                                             [WRITES_MINUS_1E200] = -1e200};

/* Calls of which none is allowed in a step; each is told by its number. */
static void change_model(long number) {
  nsds_model *model = told->model;
  nsds_simulation *simulation = told->simulation;
  int count = nsds_ds_count(model), interactions = nsds_interaction_count(model);
  nsds_ds *ds = nsds_ds_at(model, count > 0 ? (int)(number % count) : 0);
  const double values[64] = {0.25};
  switch (number % 10) {
  case 0:
    if (nsds_nv(ds) <= 64) nsds_set_state(ds, NULL, values);
    break;
  case 1:
    if (nsds_nx(ds) <= 64) nsds_set_x(ds, values);
    break;
  case 2: nsds_simulation_set_h(simulation, 1e-3); break;
  case 3: nsds_newton_impact(model, 0.5); break;
  case 4:
    if (!told->in_event)
      nsds_disconnect(nsds_interaction_at(model, interactions ? (int)(number % interactions) : 0));
    break;
  case 5:
    nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .A = values});
    break;
  case 6: nsds_step(simulation); break;
  case 7: nsds_simulation_save(simulation); break;
  case 8: nsds_simulation_destroy(simulation); break;
  default: nsds_model_destroy(model); break;
  }
}

/* Does the misdeed that is not about a returned value. */
static void misbehave(double *out, int n, bool event) {
  story *s = told;
  s->in_event = event;
  s->changed = event || s->building || s->reading || s->fault.how != CHANGES_MODEL;
  within = true;
  if (s->fault.how == CHANGES_MODEL) change_model(s->fault.at);
  else if (s->fault.how >= WRITES_NAN && n > 0) out[s->fault.at % n] = wrong_value[s->fault.how];
  within = false;
}

static int misdeed_returned(int returned, const int positive[2]) {
  if (told->fault.how == RETURNS_POSITIVE) return positive[told->fault.at % 2];
  return told->fault.how == RETURNS_NEGATIVE ? (int)NSDS_ERROR_VALUE : returned;
}

int callers_operator(int returned, double *out, int n) {
  static const int positive[2] = {1, 1};
  if (!hits()) return returned;
  misbehave(out, n, false);
  return misdeed_returned(returned, positive);
}

nsds_status callers_status(nsds_status returned, double *out, int n) {
  static const int positive[2] = {NSDS_STOPPED, 77};
  if (!hits()) return returned;
  misbehave(out, n, false);
  return (nsds_status)misdeed_returned(returned, positive);
}

bool callers_event(int *returned) {
  static const int positive[2] = {1, 1};
  if (!hits()) return false;
  misbehave(NULL, 0, true);
  *returned = misdeed_returned(0, positive);
  return *returned != 0;
}

void callers_value(double *out, int n) {
  if (hits()) misbehave(out, n, false);
}

/* ---- copies ---- */

static void *kept[4096];
static int kept_count;

void *callers_keep(const void *data, size_t size) {
  if (kept_count == (int)(sizeof kept / sizeof *kept)) abort();
  void *copy = malloc(size);
  if (!copy) abort();
  memcpy(copy, data, size);
  return kept[kept_count++] = copy;
}

static void callers_forget(void) {
  while (kept_count > 0) free(kept[--kept_count]);
}

const story_callers callers = {callers_begin, callers_end, callers_forget};
