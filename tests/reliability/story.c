#include "story.h"

#include "interpose.h"

#include <stdio.h>
#include <stdlib.h>

const char *const misdeed_name[misdeeds] = {
    "returns > 0", "returns < 0", "NaN", "Inf", "-Inf", "1e308", "-1e200", "changes the model"};
const char *const finding_name[findings] = {"leaks",      "lost states", "states not finite",
                                            "other bits", "stuck",       "without a message"};

void story_find(story *s, finding what, const char *format, ...) {
  if (s->found[what]++ > 0 || s->text[0]) return;
  int used = snprintf(s->text, sizeof s->text, "%s: ", finding_name[what]);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(s->text + used, sizeof s->text - (size_t)used, format, arguments);
  va_end(arguments);
}

const story_callers *callers_of_stories;

#ifndef NSDS_TEST_INTERPOSE
interposed interpose; /* stays as it is */
#endif

/* ---- the fault is armed within calls alone ---- */

static void arm_fault(story *s) {
  if (s->quiet) return;
  long left = s->fault.at - s->hits_before;
  if (s->fault.where == PLACE_CONTEXT) {
    s->meter_before = s->m.calls;
    s->m.fail_at = left > 0 ? s->m.calls + left : 0;
    s->m.fail_on = s->fault.for_good;
  }
  if (s->fault.where == PLACE_MALLOC) {
    s->meter_before = interpose.calls;
    interpose.fail_at = left > 0 ? interpose.calls + left : 0;
    interpose.fail_on = s->fault.for_good;
  }
  if (s->fault.where == PLACE_CALLBACK) callers_of_stories->begin(s);
}

static void disarm_fault(story *s) {
  if (s->quiet) return;
  if (s->fault.where == PLACE_CONTEXT) {
    s->hits_before += s->m.calls - s->meter_before;
    s->hit = s->hit || s->m.failed;
    s->m.fail_at = 0;
  }
  if (s->fault.where == PLACE_MALLOC) {
    s->hits_before += interpose.calls - s->meter_before;
    s->hit = s->hit || interpose.failed;
    interpose.fail_at = 0;
  }
  if (s->fault.where == PLACE_CALLBACK) callers_of_stories->end();
}

/* ---- one call ---- */

static void forget_before(story *s) {
  if (s->before.x) snapshot_free(&s->before);
}

void story_start(story *s, bool reads) {
  s->pending = !s->over;
  s->reading = reads;
  s->tries = 0;
}

bool story_call(story *s) {
  if (!s->pending) return false;
  forget_before(s);
  if (s->model && !s->reading && !s->quiet) {
    s->before = snapshot_take(s->model);
    s->steps_before = nsds_step_count(s->simulation);
    s->time_before = nsds_time(s->simulation);
  }
  ++s->tries;
  s->in_event = false;
  s->hit_before = s->hit;
  s->strikes_before = s->strikes;
  arm_fault(s);
  return true;
}

static bool same_doubles(const double *a, const double *b, size_t n) {
  return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

/* Nothing shown has changed by a call that failed, but for a step whose sample or event failed
 * behind it. */
static void check_unchanged(story *s) {
  if (!s->model || s->reading) return;
  if (s->scenario->eventful && nsds_step_count(s->simulation) > s->steps_before) return;
  snapshot now = snapshot_take(s->model);
  bool same = now.count == s->before.count && same_doubles(now.x, s->before.x, now.count);
  size_t k = 0;
  while (now.count == s->before.count && k < now.count &&
         same_doubles(&now.x[k], &s->before.x[k], 1))
    ++k;
  double t = nsds_time(s->simulation);
  if (!s->in_event && !same)
    story_find(s, FINDING_LOST_STATE, "entry %zu of %zu (%zu before): %.17g and %.17g before", k,
               now.count, s->before.count, k < now.count ? now.x[k] : 0.0,
               k < s->before.count ? s->before.x[k] : 0.0);
  if (!same_doubles(&t, &s->time_before, 1) || nsds_step_count(s->simulation) != s->steps_before)
    story_find(s, FINDING_LOST_STATE, "time %.17g, step %ld; before %.17g, %ld", t,
               nsds_step_count(s->simulation), s->time_before, s->steps_before);
  snapshot_free(&now);
}

static void check_finite(story *s) {
  if (!s->model) return;
  snapshot now = snapshot_take(s->model);
  for (size_t k = 0; k < now.count; ++k)
    if (!isfinite(now.x[k])) {
      story_find(s, FINDING_NOT_FINITE, "entry %zu of %zu is %g at t = %g", k, now.count, now.x[k],
                 nsds_time(s->simulation));
      break;
    }
  snapshot_free(&now);
}

/* The status fits the fault. Where malloc() itself fails it may be that of the program, or of a file or
 * plugin that could not be opened. */
static bool expected_failure(const story *s, nsds_status status, const char *message) {
  if (s->fault.where == PLACE_CALLBACK) return status < 0 || status == NSDS_STOPPED;
  if (status == NSDS_ERROR_MEMORY) return true;
  if (s->scenario->eventful && status == NSDS_ERROR_ABORTED) return true;
  return s->fault.where == PLACE_MALLOC &&
         (s->building || status == NSDS_ERROR_PLUGIN || strstr(message, "Cannot allocate memory"));
}

void story_returned(story *s, nsds_status status) {
  disarm_fault(s);
  bool hit_now = (s->hit && !s->hit_before) || s->strikes > s->strikes_before,
       failed = status < 0 || status == NSDS_STOPPED;
  char message[200];
  const char *told = !s->context          ? ""
                     : s->by_last_message ? nsds_last_message(s->context)
                                          : nsds_error_message(s->context);
  snprintf(message, sizeof message, "%s", told ? told : "");
  if (hit_now && s->context) nsds_error_clear(s->context);
  s->status = status;
  s->pending = false;
  if (!failed) {
    s->polluted = s->polluted || (hit_now && s->changed);
    if (s->hit || !s->fault.where) check_finite(s);
    if (s->hit && s->context && nsds_error(s->context)) nsds_error_clear(s->context);
  } else {
    if (s->hit) check_unchanged(s);
    int most = s->fault.times > 1 ? s->fault.times : 1;
    bool again = hit_now && s->tries <= most && !s->fault.for_good;
    if (s->context && status < 0 && !message[0])
      story_find(s, FINDING_SILENT, "status %d without a message", status);
    if (!hit_now && !s->polluted && !(s->hit && s->fault.for_good))
      story_find(s, FINDING_STUCK, "status %d without a fault: %s", status, message);
    if (hit_now && !expected_failure(s, status, message))
      story_find(s, FINDING_STUCK, "status %d: %s", status, message);
    s->pending = again;
    s->over = !again;
  }
  forget_before(s);
}

nsds_status story_made(const story *s, const void *object) {
  if (object) return NSDS_OK;
  nsds_status status = s->context ? nsds_error(s->context) : NSDS_ERROR_MEMORY;
  return status ? status : NSDS_ERROR_INTERNAL;
}

/* ---- models ---- */

void story_context(story *s) {
  STORY(s, (s->context = meter_context(&s->m)) ? NSDS_OK : NSDS_ERROR_MEMORY);
}

static nsds_status build_anew(story *s, story_build_fn build) {
  nsds_model_destroy(s->model);
  s->simulation = NULL;
  s->model = nsds_model_create(s->context);
  if (s->model) build(s);
  return nsds_error(s->context);
}

void story_build(story *s, story_build_fn build) {
  story_context(s);
  s->building = true;
  STORY_READ(s, build_anew(s, build));
  s->building = false;
}

/* ---- marks ---- */

static void set_mark(story *s, long k, uint64_t hash) {
  if (k < 0 || k >= story_most_marks) return;
  s->mark[k] = hash ? hash : 1;
  if (k >= s->marks) s->marks = (int)k + 1;
}

void story_mark(story *s, uint64_t hash) {
  if (!s->over) set_mark(s, s->marks, hash);
}

void story_mark_state(story *s) {
  if (!s->over && s->simulation)
    set_mark(s, nsds_step_count(s->simulation), state_hash(s->model, 0));
}

void story_mark_doubles(story *s, const double *x, int n) {
  uint64_t hash = 14695981039346656037u;
  for (size_t b = 0; b < (size_t)n * sizeof *x; ++b)
    hash = (hash ^ ((const unsigned char *)x)[b]) * 1099511628211u;
  story_mark(s, hash);
}

void story_steps(story *s, long count) {
  s->status = NSDS_OK;
  /* a function that asks a constructor to stop leaves no simulation, and no error either */
  while (!s->over && s->simulation && s->status != NSDS_END &&
         nsds_step_count(s->simulation) < count) {
    STORY(s, nsds_step(s->simulation));
    if (!s->quiet) story_mark_state(s);
  }
}

static void compare_marks(story *s, const story *undisturbed) {
  if (s->over || s->polluted) return;
  bool more =
      s->scenario->eventful && s->marks > undisturbed->marks; /* one step was made twice over */
  if (s->marks != undisturbed->marks && !more)
    story_find(s, FINDING_OTHER_BITS, "%d marks in place of %d", s->marks, undisturbed->marks);
  for (int k = 0; k < s->marks && k < undisturbed->marks; ++k)
    if (s->mark[k] && undisturbed->mark[k] && s->mark[k] != undisturbed->mark[k]) {
      story_find(s, FINDING_OTHER_BITS, "from mark %d of %d on", k, undisturbed->marks);
      return;
    }
}

/* ---- the whole ---- */

void story_tell(story *s, const scenario *what, fault with, const story *undisturbed) {
  *s = (story){.scenario = what, .fault = with};
  if (with.where == PLACE_MALLOC) {
    interpose = (interposed){0};
    arm();
  }
  what->tell(s);
  forget_before(s);
  nsds_model_destroy(s->model);
  nsds_context_destroy(s->context);
  if (callers_of_stories) callers_of_stories->forget();
  if (with.where == PLACE_MALLOC) {
    disarm();
    if (interpose.live != 0 && undisturbed)
      story_find(s, FINDING_LEAK, "%ld allocations are left", interpose.live);
  }
  if (s->m.live != 0 || s->m.bytes != 0)
    story_find(s, FINDING_LEAK, "%ld allocations of the context are left", s->m.live);
  if (undisturbed) compare_marks(s, undisturbed);
}
