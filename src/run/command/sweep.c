/*
 * Sweeps: the points of a sweep are a function of its definition and their number alone, so any
 * process can run any point.
 *
 *     grid     point = sum of index_k * stride_k, the last axis fastest; equal steps that are
 *              decimals give decimals
 *     random   value = from + (to - from) u(seed, axis, point), u by SplitMix64: no state
 *     Latin    value = from + (to - from) (rank_k(point) + u) / samples, rank_k a shuffle of
 *              0 .. samples - 1
 *
 * Source of SplitMix64: G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators
 * (2014).
 */
#include "run/job/guard_call.h"
#include "run/job/job_parts.h"
#include "base/text/number.h"
#include "base/text/suffix.h"
#include "base/text/words.h"

#include <nsds/extend.h>
#include <nsds/table.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_axes = 16, longest_value = 64 };

typedef struct sweep_axis {
  char *name, **list; /* list NULL: from, to */
  long count;
  double from, to;
  double first, step, unit; /* unit > 0: the values are (first + k step) / unit, whole numbers */
  bool ratios;
  long *rank; /* Latin: of each point */
} sweep_axis;

struct nsds_sweep {
  nsds_context *context;
  char *file, *folders;
  int naxes, nsettings, nmeasures;
  sweep_axis axis[most_axes];
  nsds_job_setting *settings;
  char **measure;
  nsds_sampling sampling;
  uint64_t seed, key;
  long count;
  nsds_stop_fn stop; /* of the context */
  void *stop_user;
  bool refuse_plugins, untrusted;
  bool last_row; /* its columns are the measures of a robot */
  nsds_job_limits limits;
};

/* ---- numbers without state ---- */

static uint64_t split_mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/* Uniform in [0, 1). */
static double sweep_uniform(uint64_t seed, int axis, long point) {
  uint64_t x = split_mix(split_mix(seed + (uint64_t)axis * 0x632BE59BD9B4E019U) + (uint64_t)point);
  return (double)(x >> 11) * 0x1p-53;
}

static void hash_text(uint64_t *key, const char *text, size_t size) { /* FNV-1a */
  for (size_t k = 0; k < size; ++k) *key = (*key ^ (unsigned char)text[k]) * 0x100000001B3U;
}

static void hash_word(uint64_t *key, const char *word) { hash_text(key, word, strlen(word) + 1); }

/* ---- axes ---- */

static nsds_status bad_axis(nsds_context *context, const char *text, const char *why) {
  return nsds_report(context, NSDS_ERROR_VALUE,
                     "axis \"%s\": %s; valid are NAME=FROM:TO:COUNT, "
                     "NAME=FROM:TO:COUNT:log and NAME=A,B,C",
                     text, why);
}

static nsds_status take_list(nsds_context *context, sweep_axis *axis, const char *at) {
  axis->count = 1;
  for (const char *c = at; *c; ++c) axis->count += *c == ',';
  NSDS_MAKE(context, axis->list, axis->count);
  if (!axis->list) return NSDS_ERROR_MEMORY;
  for (long k = 0; k < axis->count; ++k) {
    size_t size = strcspn(at, ",");
    axis->list[k] = nsds_copy_part(context, at, size);
    if (!axis->list[k]) return NSDS_ERROR_MEMORY;
    at += size + (at[size] == ',');
  }
  return NSDS_OK;
}

/* The next part of "FROM:TO:COUNT:log"; false at the end. */
static bool next_part(const char **at, char part[longest_value]) {
  if (!*at) return false;
  size_t size = strcspn(*at, ":");
  snprintf(part, longest_value, "%.*s", size < longest_value ? (int)size : 0, *at); /* else none */
  nsds_to_small(part);
  *at = (*at)[size] == ':' ? *at + size + 1 : NULL;
  return true;
}

/*
 * Equal steps that are decimals: the least power of ten that makes both ends and the step whole.
 * Quotients of whole numbers below 2^53 by powers of ten up to 10^22 are the doubles nearest to the
 * decimals.
 */
static void find_decimals(sweep_axis *axis) {
  const double most = 9007199254740992.0; /* 2^53 */
  double unit = 1.0, steps = (double)(axis->count - 1);
  axis->unit = 0.0;
  for (int digits = 0; axis->count > 1 && !axis->ratios && digits <= 22; ++digits, unit *= 10.0) {
    double first = round(axis->from * unit), last = round(axis->to * unit);
    if (fabs(first) >= most || fabs(last) >= most) return;
    if (first / unit != axis->from || last / unit != axis->to) continue;
    if (fmod(last - first, steps) != 0.0 || fabs(last - first) >= most) continue;
    axis->first = first;
    axis->step = (last - first) / steps;
    axis->unit = unit;
    return;
  }
}

static nsds_status take_range(nsds_context *context, sweep_axis *axis, const char *text,
                              const char *at, nsds_sampling sampling) {
  char part[longest_value];
  int count;
  if (!next_part(&at, part) || !nsds_number_of(part, &axis->from))
    return bad_axis(context, text, "FROM is not a number");
  if (!next_part(&at, part) || !nsds_number_of(part, &axis->to))
    return bad_axis(context, text, "TO is not a number");
  if (next_part(&at, part)) {
    if (!nsds_parse_int(part, strlen(part), &count) || count < 1 || count > 100000000)
      return bad_axis(context, text, "COUNT must be 1 to 10^8");
    axis->count = count;
  } else if (sampling == NSDS_SAMPLING_GRID) {
    return bad_axis(context, text, "COUNT is missing");
  }
  if (next_part(&at, part)) {
    axis->ratios = strcmp(part, "log") == 0;
    if (!axis->ratios || at) return bad_axis(context, text, "the end is not \"log\"");
    if (!(axis->from * axis->to > 0.0))
      return bad_axis(context, text, "equal ratios need FROM and TO of one sign, not zero");
  }
  if (sampling == NSDS_SAMPLING_GRID) find_decimals(axis);
  return NSDS_OK;
}

static nsds_status take_axis(nsds_context *context, sweep_axis *axis, const char *text,
                             nsds_sampling sampling) {
  const char *equals = text ? strchr(text, '=') : NULL;
  if (!equals || equals == text || !equals[1])
    return bad_axis(context, text ? text : "", "there is no NAME=");
  axis->name = nsds_copy_part(context, text, (size_t)(equals - text));
  if (!axis->name) return NSDS_ERROR_MEMORY;
  if (strchr(equals, ':')) return take_range(context, axis, text, equals + 1, sampling);
  if (sampling != NSDS_SAMPLING_GRID)
    return bad_axis(context, text, "random and Latin sampling need FROM:TO");
  return take_list(context, axis, equals + 1);
}

/* Shuffles 0 .. count - 1 from the last place down (Fisher and Yates). */
static nsds_status shuffle_axis(nsds_sweep *s, int k) {
  long *rank = nsds_alloc(s->context, "a sweep", (size_t)s->count, sizeof *rank);
  if (!rank) return NSDS_ERROR_MEMORY;
  s->axis[k].rank = rank;
  for (long i = 0; i < s->count; ++i) rank[i] = i;
  for (long i = s->count - 1; i > 0; --i) {
    long j = (long)(sweep_uniform(~s->seed, k, i) * (double)(i + 1)), held = rank[i];
    rank[i] = rank[j];
    rank[j] = held;
  }
  return NSDS_OK;
}

static nsds_status count_points(nsds_sweep *s, const nsds_sweep_def *def) {
  s->count = def->samples;
  if (s->sampling != NSDS_SAMPLING_GRID && (def->samples < 1 || def->samples > 100000000))
    return nsds_report(s->context, NSDS_ERROR_VALUE, "samples is %ld; valid are 1 to 10^8",
                       def->samples);
  if (s->sampling == NSDS_SAMPLING_GRID) s->count = 1;
  for (int k = 0; k < s->naxes && s->sampling == NSDS_SAMPLING_GRID; ++k) {
    if (s->axis[k].count > 100000000 / s->count)
      return nsds_report(s->context, NSDS_ERROR_VALUE,
                         "the grid has more than 10^8 points; valid are at most 10^8");
    s->count *= s->axis[k].count;
  }
  nsds_status status = NSDS_OK;
  for (int k = 0; k < s->naxes && s->sampling == NSDS_SAMPLING_LATIN && !status; ++k)
    status = shuffle_axis(s, k);
  return status;
}

/* ---- points ---- */

static long sweep_index(const nsds_sweep *s, long point, int k) {
  for (int j = s->naxes - 1; j > k; --j) point /= s->axis[j].count;
  return point % s->axis[k].count;
}

static double sweep_part(const nsds_sweep *s, long point, int k) {
  const sweep_axis *axis = &s->axis[k];
  if (s->sampling == NSDS_SAMPLING_GRID)
    return axis->count > 1 ? (double)sweep_index(s, point, k) / (double)(axis->count - 1) : 0.0;
  double u = sweep_uniform(s->seed, k, point);
  if (s->sampling == NSDS_SAMPLING_RANDOM) return u;
  return ((double)axis->rank[point] + u) / (double)s->count;
}

static bool is_of_sweep(const nsds_sweep *s, long point, int k) {
  return s && point >= 0 && point < s->count && k >= 0 && k < s->naxes;
}

double nsds_sweep_number(const nsds_sweep *s, long point, int k) {
  if (!is_of_sweep(s, point, k)) return NAN;
  const sweep_axis *axis = &s->axis[k];
  if (axis->list) {
    char text[longest_value];
    double value;
    snprintf(text, sizeof text, "%s", axis->list[sweep_index(s, point, k)]);
    nsds_to_small(text);
    return nsds_number_of(text, &value) ? value : NAN;
  }
  if (axis->unit > 0.0)
    return (axis->first + axis->step * (double)sweep_index(s, point, k)) / axis->unit;
  double part = sweep_part(s, point, k);
  if (part >= 1.0) return axis->to;
  return axis->ratios ? axis->from * pow(axis->to / axis->from, part)
                      : axis->from + (axis->to - axis->from) * part;
}

int nsds_sweep_value(const nsds_sweep *s, long point, int k, char *text, size_t size) {
  if (!is_of_sweep(s, point, k)) return -1;
  const sweep_axis *axis = &s->axis[k];
  if (axis->list) return snprintf(text, size, "%s", axis->list[sweep_index(s, point, k)]);
  return nsds_number_text(nsds_sweep_number(s, point, k), text, size);
}

/* A job of a point; NULL with the message in the context. */
static nsds_job *sweep_job(const nsds_sweep *s, nsds_context *context, long point) {
  int count = s->nsettings + s->naxes;
  nsds_job_setting *settings = nsds_alloc(context, "a sweep", (size_t)count, sizeof *settings);
  char(*value)[longest_value] = nsds_alloc(context, "a sweep", (size_t)s->naxes, sizeof *value);
  nsds_job *job = NULL;
  if (settings && value) {
    for (int k = 0; k < s->nsettings; ++k) settings[k] = s->settings[k];
    for (int k = 0; k < s->naxes; ++k) {
      nsds_sweep_value(s, point, k, value[k], sizeof value[k]);
      settings[s->nsettings + k] = (nsds_job_setting){.name = s->axis[k].name, .value = value[k]};
    }
    job = nsds_job_create(context, &(nsds_job_def){.file = s->file,
                                                   .nsettings = count,
                                                   .settings = settings,
                                                   .refuse_plugins = s->refuse_plugins,
                                                   .untrusted = s->untrusted,
                                                   .limits = s->limits,
                                                   .folders = s->folders});
  }
  nsds_free(settings);
  nsds_free(value);
  return job;
}

nsds_status nsds_sweep_run(const nsds_sweep *s, long point, double *measures, char *message,
                           size_t message_size) {
  if (message && message_size > 0) message[0] = '\0';
  const char *call = "nsds_sweep_run";
  if (!s || !measures) return nsds_refuse_null(NULL, call, s ? "measures" : "sweep");
  if (point < 0 || point >= s->count) /* several threads may call: no context */
    return nsds_report(NULL, NSDS_ERROR_ARGUMENT, "%s: point is %ld; valid are 0 to %ld", call,
                       point, s->count - 1);
  for (int k = 0; k < s->nmeasures; ++k) measures[k] = NAN;
  nsds_context *context = nsds_context_create(NULL);
  if (!context) return NSDS_ERROR_MEMORY;
  nsds_status status = NSDS_OK;
  nsds_stop_fn stop = s->stop;
  void *stop_user = s->stop_user;
  nsds_context_swap_stop(context, &stop, &stop_user);
  nsds_job *job = sweep_job(s, context, point);
  while (job && status == NSDS_OK) status = nsds_job_step(job);
  if (!job) status = nsds_context_stops(context) ? NSDS_STOPPED : nsds_error(context);
  if (status == NSDS_END) {
    status = NSDS_OK;
    for (int k = 0; k < s->nmeasures; ++k)
      measures[k] = s->last_row ? nsds_job_row(job)[k + 1] : nsds_job_measure(job, k);
  }
  if (status && message) snprintf(message, message_size, "%s", nsds_error_message(context));
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return status;
}

/* ---- making ---- */

/* Points run in contexts of their own. The same function stops them. */
static void take_stop(nsds_sweep *s) {
  nsds_stop_fn stop = NULL;
  void *user = NULL;
  nsds_context_swap_stop(s->context, &stop, &user);
  s->stop = stop;
  s->stop_user = user;
  nsds_context_swap_stop(s->context, &stop, &user);
}

static nsds_status copy_settings(nsds_sweep *s, const nsds_sweep_def *def) {
  NSDS_MAKE(s->context, s->settings, (size_t)def->nsettings + 1);
  if (!s->settings) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < def->nsettings; ++k, ++s->nsettings) {
    const nsds_job_setting *given = &def->settings[k];
    char *name = nsds_copy_word(s->context, given->name ? given->name : "");
    char *value = nsds_copy_word(s->context, given->value ? given->value : "");
    s->settings[k] = (nsds_job_setting){.name = name, .value = value};
    if (!name || !value) return NSDS_ERROR_MEMORY;
  }
  return NSDS_OK;
}

/* The job of a point whose values are valid; NULL with the message of the first point. */
static nsds_job *sweep_valid_job(nsds_sweep *s) {
  enum { most_tries = 1000 };
  nsds_job *job = sweep_job(s, s->context, 0);
  long tries = s->count < most_tries ? s->count : most_tries;
  for (long k = 1; !job && k < tries; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    if (!context) break;
    /* the last point comes second: values often turn invalid at one end */
    long point = k == 1 ? s->count - 1 : (long)((double)(k - 1) * (double)s->count / (double)tries);
    nsds_job *other = sweep_job(s, context, point);
    nsds_job_destroy(other);
    nsds_context_destroy(context);
    if (!other) continue;
    nsds_error_clear(s->context);
    job = sweep_job(s, s->context, point);
  }
  return job;
}

static nsds_status learn_measures(nsds_sweep *s, bool *circuit) {
  nsds_job *job = sweep_valid_job(s);
  if (!job) return nsds_error(s->context);
  nsds_status status = NSDS_OK;
  int count = nsds_job_measure_count(job);
  s->last_row = count == 0 && job->robot;
  if (s->last_row) count = nsds_job_column_count(job) - 1;
  *circuit = job->circuit;
  if (count == 0)
    status = nsds_report(s->context, NSDS_ERROR_ARGUMENT,
                         "%s declares no measures, so a sweep would have nothing "
                         "to write; add .measure lines or measures:",
                         s->file);
  else if (!(NSDS_MAKE(s->context, s->measure, count))) status = NSDS_ERROR_MEMORY;
  for (int k = 0; k < count && !status; ++k, ++s->nmeasures)
    if (!(s->measure[k] = nsds_copy_word(s->context, s->last_row ? nsds_job_column_name(job, k + 1)
                                                                 : nsds_job_measure_name(job, k))))
      status = NSDS_ERROR_MEMORY;
  nsds_job_destroy(job);
  return status;
}

/* Names of circuits have no case. */
static bool same_name(bool circuit, const char *a, const char *b) {
  return circuit ? nsds_same_word(a, b) : strcmp(a, b) == 0;
}

/* Refuses an axis whose parameter has another value, or whose column another meaning. */
static nsds_status check_axis(const nsds_sweep *s, const nsds_sweep_def *def, int k, bool circuit) {
  const char *name = s->axis[k].name, *text = def->axes[k];
  for (int j = 0; j < k; ++j)
    if (same_name(circuit, s->axis[j].name, name))
      return nsds_report(s->context, NSDS_ERROR_ARGUMENT,
                         "axis \"%.200s\" and axis \"%.200s\" have the same parameter; give one",
                         def->axes[j], text);
  for (int j = 0; j < s->nsettings; ++j)
    if (same_name(circuit, s->settings[j].name, name))
      return nsds_report(s->context, NSDS_ERROR_ARGUMENT,
                         "setting \"%.100s=%.100s\" and axis \"%.200s\" have the same parameter; "
                         "give one",
                         s->settings[j].name, s->settings[j].value, text);
  for (int j = 0; j < s->nmeasures; ++j)
    if (same_name(circuit, s->measure[j], name))
      return nsds_report(s->context, NSDS_ERROR_ARGUMENT,
                         "%s: the measure %s has the name of axis \"%.200s\", so that two columns "
                         "would have one name; rename the measure",
                         s->file, s->measure[j], text);
  return NSDS_OK;
}

/* Refuses names that mean two things in one sweep. The last column of a table is "error". */
static nsds_status check_names(const nsds_sweep *s, const nsds_sweep_def *def, bool circuit) {
  nsds_status status = NSDS_OK;
  for (int k = 0; k < s->naxes && !status; ++k) status = check_axis(s, def, k, circuit);
  for (int k = 0; k < s->naxes && !status; ++k)
    if (same_name(circuit, s->axis[k].name, "error"))
      status = nsds_report(s->context, NSDS_ERROR_ARGUMENT,
                           "axis \"%.200s\" has the name of the column \"error\", which tells why "
                           "a point failed; rename the parameter",
                           def->axes[k]);
  for (int k = 0; k < s->nmeasures && !status; ++k)
    if (same_name(circuit, s->measure[k], "error"))
      status = nsds_report(s->context, NSDS_ERROR_ARGUMENT,
                           "%s: the measure %s has the name of the column \"error\", which tells "
                           "why a point failed; rename the measure",
                           s->file, s->measure[k]);
  return status;
}

static nsds_status make_key(nsds_sweep *s, const nsds_sweep_def *def) {
  size_t size;
  char reason[200], *text;
  nsds_sources sources;
  nsds_status status = nsds_sources_open(
      &sources, s->context, &(nsds_job_def){.file = s->file, .untrusted = s->untrusted}, false);
  if (status) return status;
  status = nsds_source_read(&sources, s->file, &text, &size, reason);
  nsds_sources_close(&sources);
  if (status) return nsds_report(s->context, status, "%s: cannot be read: %s", s->file, reason);
  char numbers[96];
  snprintf(numbers, sizeof numbers, "%d %ld %llu", (int)s->sampling, s->count,
           (unsigned long long)s->seed);
  s->key = 0xCBF29CE484222325U;
  hash_word(&s->key, nsds_version());
  hash_text(&s->key, text, size);
  hash_word(&s->key, numbers);
  for (int k = 0; k < s->naxes; ++k) hash_word(&s->key, def->axes[k]);
  for (int k = 0; k < s->nsettings; ++k) {
    hash_word(&s->key, s->settings[k].name);
    hash_word(&s->key, s->settings[k].value);
  }
  nsds_free(text);
  return NSDS_OK;
}

static nsds_status check_sweep(nsds_context *context, const nsds_sweep_def *def) {
  const char *call = "nsds_sweep_create";
  if (!context || !def) return nsds_refuse_null(context, call, context ? "def" : "context");
  if (nsds_refuse_reserved(context, call, def->reserved, sizeof def->reserved))
    return NSDS_ERROR_ARGUMENT;
  if (!def->file) return nsds_refuse_null(context, call, "file");
  if (def->naxes < 1 || def->naxes > most_axes || !def->axes)
    return nsds_report(context, NSDS_ERROR_VALUE, "%s: naxes is %d; valid are 1 to %d, with axes",
                       call, def->naxes, (int)most_axes);
  if (def->nsettings < 0 || (def->nsettings > 0 && !def->settings))
    return nsds_report(context, NSDS_ERROR_ARGUMENT, "%s: nsettings is %d, and settings is NULL",
                       call, def->nsettings);
  if ((int)def->sampling < 0 || def->sampling > NSDS_SAMPLING_LATIN)
    return nsds_report(context, NSDS_ERROR_ARGUMENT, "%s: sampling is %d; valid are 0 to 2", call,
                       (int)def->sampling);
  return NSDS_OK;
}

nsds_sweep *nsds_sweep_create(nsds_context *context, const nsds_sweep_def *def) {
  if (check_sweep(context, def)) return NULL;
  nsds_sweep *s = nsds_alloc(context, "a sweep", 1, sizeof *s);
  if (!s) return NULL;
  s->context = context;
  take_stop(s);
  s->sampling = def->sampling;
  s->seed = def->seed;
  s->refuse_plugins = def->refuse_plugins;
  s->untrusted = def->untrusted;
  s->limits = def->limits;
  s->file = nsds_copy_word(s->context, def->file);
  s->folders = nsds_copy_word(s->context, def->folders ? def->folders : "");
  nsds_status status = s->file && s->folders ? NSDS_OK : NSDS_ERROR_MEMORY;
  for (; s->naxes < def->naxes && !status; ++s->naxes)
    status = take_axis(context, &s->axis[s->naxes], def->axes[s->naxes], s->sampling);
  if (!status) status = count_points(s, def);
  if (!status) status = copy_settings(s, def);
  if (!status) status = make_key(s, def);
  bool circuit = false;
  if (!status) status = learn_measures(s, &circuit);
  if (!status) status = check_names(s, def, circuit);
  if (!status) return s;
  nsds_sweep_destroy(s);
  return NULL;
}

void nsds_sweep_destroy(nsds_sweep *s) {
  if (!s) return;
  for (int k = 0; k < most_axes; ++k) {
    sweep_axis *axis = &s->axis[k];
    for (long j = 0; axis->list && j < axis->count; ++j) nsds_free(axis->list[j]);
    nsds_free(axis->list);
    nsds_free(axis->rank);
    nsds_free(axis->name);
  }
  for (int k = 0; s->settings && k <= s->nsettings; ++k) {
    nsds_free((char *)(uintptr_t)s->settings[k].name);
    nsds_free((char *)(uintptr_t)s->settings[k].value);
  }
  for (int k = 0; k < s->nmeasures; ++k) nsds_free(s->measure[k]);
  nsds_free(s->measure);
  nsds_free(s->settings);
  nsds_free(s->file);
  nsds_free(s->folders);
  nsds_free(s);
}

long nsds_sweep_count(const nsds_sweep *s) { return s ? s->count : 0; }
int nsds_sweep_axis_count(const nsds_sweep *s) { return s ? s->naxes : 0; }
const char *nsds_sweep_axis_name(const nsds_sweep *s, int k) {
  return s && k >= 0 && k < s->naxes ? s->axis[k].name : NULL;
}
int nsds_sweep_measure_count(const nsds_sweep *s) { return s ? s->nmeasures : 0; }
const char *nsds_sweep_measure_name(const nsds_sweep *s, int k) {
  return s && k >= 0 && k < s->nmeasures ? s->measure[k] : NULL;
}
uint64_t nsds_sweep_key(const nsds_sweep *s) { return s ? s->key : 0; }
