/*
 * A job: finds the reader of a file by its kind, and asks the format's operations for row after
 * row. Without a kind the ending of the file's name decides. If the ending is unknown, the text
 * decides: a model file begins like YAML and has a colon in its first line.
 */
#include "run/job/job_parts.h"

#include "run/job/guard_call.h"
#include "run/circuit/circuit.h"
#include "run/model/model_file.h"
#include "run/robot/robot_file.h"
#include "run/command/other_kind.h"
#include "base/text/words.h"

#include <nsds/extend.h>

#include <math.h>
#include <string.h>

static nsds_job_kind kind_of_name(const char *name) {
  static const char *const circuit[] = {".cir", ".net", ".sp", ".spice", ".ckt"};
  for (size_t k = 0; name && k < sizeof circuit / sizeof *circuit; ++k)
    if (nsds_ends_with(name, circuit[k])) return NSDS_JOB_CIRCUIT;
  if (name && (nsds_ends_with(name, ".yaml") || nsds_ends_with(name, ".yml")))
    return NSDS_JOB_MODEL_FILE;
  static const char *const robot[] = {".urdf", ".xml", ".mjcf"};
  for (size_t k = 0; name && k < sizeof robot / sizeof *robot; ++k)
    if (nsds_ends_with(name, robot[k])) return NSDS_JOB_ROBOT;
  return NSDS_JOB_BY_NAME;
}

/* Model files begin with "name:" in a line that is no comment, or "---"; netlists end with
 * ".end". */
static nsds_job_kind kind_of_text(const char *text) {
  while (*text == '#' || *text == '\n' || *text == '\r')
    text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != 0);
  size_t line = strcspn(text, "\n");
  if (strncmp(text, "---", 3) == 0 || strncmp(text, "%YAML", 5) == 0) return NSDS_JOB_MODEL_FILE;
  size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
  return word > 0 && word < line && text[word] == ':' ? NSDS_JOB_MODEL_FILE : NSDS_JOB_CIRCUIT;
}

static nsds_status check_def(nsds_context *context, const char *call, const nsds_job_def *def) {
  if (!context || !def) return nsds_refuse_null(context, call, context ? "def" : "context");
  if (nsds_refuse_reserved(context, call, def->reserved, sizeof def->reserved))
    return NSDS_ERROR_ARGUMENT;
  if (!def->file && !def->text)
    return nsds_report(context, NSDS_ERROR_ARGUMENT, "%s: give a file or a text", call);
  if (def->kind < NSDS_JOB_BY_NAME || def->kind > NSDS_JOB_ROBOT)
    return nsds_report(context, NSDS_ERROR_ARGUMENT, "%s: kind is %d, must be of nsds_job_kind",
                       call, (int)def->kind);
  if (def->nsettings < 0 || (def->nsettings > 0 && !def->settings))
    return nsds_report(context, NSDS_ERROR_ARGUMENT,
                       "%s: nsettings is %d, settings must have as many", call, def->nsettings);
  for (int k = 0; k < def->nsettings; ++k)
    if (!def->settings[k].name || !def->settings[k].value)
      return nsds_report(context, NSDS_ERROR_ARGUMENT, "%s: settings[%d] has no name or no value",
                         call, k);
  return NSDS_OK;
}

static const char valid_files[] =
    "netlists (.cir .net .sp .spice .ckt), model files (.yaml .yml) and robots (.urdf .xml .mjcf)";

/* Refuses a file of another kind by the name of its kind, unless the caller knows better. */
static nsds_status refuse_other_kinds(nsds_job *job, const nsds_job_def *def, const char *text,
                                      size_t size) {
  if (def->kind) return NSDS_OK;
  const char *advice, *other = nsds_other_kind(def->file, text, size, &advice);
  if (other)
    return nsds_report(job->context, NSDS_ERROR_FORMAT, "%s: it is %s; valid are %s%s%s",
                       job->sources.name, other, valid_files, advice[0] ? "; " : "", advice);
  if (text[strspn(text, " \t\r\n")] || size > strlen(text)) return NSDS_OK;
  return nsds_report(job->context, NSDS_ERROR_FORMAT, "%s: the file is empty; valid are %s",
                     job->sources.name, valid_files);
}

/* Reads the text by the reader of its kind. */
static nsds_status read_job(nsds_job *job, const nsds_job_def *def, const char *text, size_t size) {
  nsds_job_kind kind = def->kind ? def->kind : kind_of_name(def->file);
  if (!kind) kind = kind_of_text(text);
  if (def->world && kind != NSDS_JOB_MODEL_FILE)
    return nsds_report(
        job->context, NSDS_ERROR_UNSUPPORTED,
        "%s: it is a %s, which runs in one process alone; valid are model files, or one process",
        job->sources.name, kind == NSDS_JOB_ROBOT ? "robot" : "netlist");
  if (kind == NSDS_JOB_CIRCUIT) return nsds_circuit_read(job, def, text, size);
  if (def->balance)
    return nsds_report(job->context, NSDS_ERROR_ARGUMENT,
                       "%s: it is a %s, which has no balance; valid are netlists",
                       job->sources.name, kind == NSDS_JOB_ROBOT ? "robot" : "model file");
  job->robot = kind == NSDS_JOB_ROBOT;
  if (job->robot) return nsds_robot_file_read(job, def, text, size);
  return nsds_model_file_read(job, def, text, size);
}

static nsds_status open_job(nsds_job *job, const nsds_job_def *def) {
  char reason[200], *text = NULL;
  size_t size = 0;
  if (def->text) {
    size = strlen(def->text);
    nsds_status other = refuse_other_kinds(job, def, def->text, size);
    return other ? other : read_job(job, def, def->text, size);
  }
  nsds_status status = nsds_source_read(&job->sources, def->file, &text, &size, reason);
  if (status) return nsds_report(job->context, status, "%s: cannot be read: %s", def->file, reason);
  status = refuse_other_kinds(job, def, text, size);
  if (!status)
    status = strlen(text) != size ? nsds_report(job->context, NSDS_ERROR_FORMAT,
                                                "%s: has a zero byte, so it is no text", def->file)
                                  : read_job(job, def, text, size);
  nsds_free(text);
  return status;
}

/* Warns of measures that look beyond the run. A measure that looks at no time of the run is NaN. */
static nsds_status warn_of_measures(nsds_job *job) {
  double begin = job->row ? job->row[0] : NAN, end = job->ops->end(job);
  char text[300];
  for (int k = 0; k < job->measures.count; ++k) {
    const nsds_measure *m = &job->measures.item[k];
    bool outside = m->from > end || m->to < begin;
    if (!outside && !(m->to > end + 1e-9 * fabs(end) && isfinite(m->to))) continue;
    if (outside)
      nsds_print(text, sizeof text,
                 "measure %.80s looks from t = %g to %g, outside of the run from %g to %g: it has "
                 "no value",
                 m->name, m->from, m->to, begin, end);
    else
      nsds_print(text, sizeof text,
                 "measure %.80s looks to t = %g, and the run ends at %g: it counts up to there",
                 m->name, m->to, end);
    if (nsds_job_warn(job, text)) return NSDS_ERROR_MEMORY;
  }
  return NSDS_OK;
}

/* Warns at the end of periods that have seen fewer than two passages. */
static nsds_status warn_of_periods(nsds_job *job) {
  char text[300];
  for (int k = 0; k < job->measures.count; ++k) {
    const nsds_measure *m = &job->measures.item[k];
    if (m->kind != NSDS_MEASURE_PERIOD || !m->begun || m->passes > 1) continue;
    nsds_print(text, sizeof text,
               "measure %.80s: its value %s the level %g, so it has no period; valid are two "
               "passages or more",
               m->name, m->passes == 1 ? "rises only once through" : "never rises through",
               m->level);
    if (nsds_job_warn(job, text)) return NSDS_ERROR_MEMORY;
  }
  return NSDS_OK;
}

/* Titles, columns and measures are shown by programs of any kind. */
static void make_plain(nsds_job *job) {
  nsds_plain_text(job->title);
  for (int k = 0; k < job->columns.count; ++k) {
    nsds_plain_text(job->columns.item[k].name);
    nsds_plain_text(job->columns.item[k].unit);
  }
  for (int k = 0; k < job->measures.count; ++k) nsds_plain_text(job->measures.item[k].name);
}

/* Reads within the limits. A stop that is no limit is that of the context. */
static nsds_status open_within_limits(nsds_job *job, const nsds_job_def *def, bool check) {
  nsds_status status = nsds_sources_open(&job->sources, job->context, def, check);
  if (status) return status;
  nsds_sources_enter(&job->sources);
  status = open_job(job, def);
  if (!status && job->ops && job->self) status = warn_of_measures(job);
  if (status && nsds_context_stops(job->context)) status = NSDS_STOPPED;
  status = nsds_sources_leave(&job->sources, status);
  if (status != NSDS_STOPPED) return status;
  nsds_error_clear(job->context);
  return nsds_report(job->context, NSDS_ERROR_ABORTED, "%s: the reading was stopped",
                     job->sources.name);
}

/* A job that may be incomplete; NULL when memory is out. */
static nsds_job *begin_job(nsds_context *context) {
  nsds_job *job = nsds_alloc(context, "a job", 1, sizeof *job);
  if (job) job->context = context;
  return job;
}

nsds_job *nsds_job_create(nsds_context *context, const nsds_job_def *def) {
  if (check_def(context, "nsds_job_create", def)) return NULL;
  nsds_job *job = begin_job(context);
  if (!job) return NULL;
  nsds_status status = open_within_limits(job, def, false);
  if (!status) {
    make_plain(job);
    return job;
  }
  if (!nsds_error(context))
    nsds_report(context, status, "nsds_job_create: %s", nsds_status_text(status));
  nsds_job_destroy(job);
  return NULL;
}

nsds_status nsds_job_check(nsds_context *context, const nsds_job_def *def, nsds_write_fn write,
                           void *user) {
  const char *call = "nsds_job_check";
  if (check_def(context, call, def)) return NSDS_ERROR_ARGUMENT;
  if (!write) return nsds_refuse_null(context, call, "write");
  nsds_job *job = begin_job(context);
  if (!job) return NSDS_ERROR_MEMORY;
  nsds_job_def strange = *def;
  strange.untrusted = true;
  nsds_status status = open_within_limits(job, &strange, true);
  for (int k = 0; k < job->warnings.count; ++k) write(job->warnings.item[k].name, user);
  nsds_job_destroy(job);
  return status < 0 ? status : NSDS_OK;
}

void nsds_job_destroy(nsds_job *job) {
  if (!job) return;
  if (job->ops) job->ops->destroy(job);
  nsds_job_clear(job);
  nsds_free(job);
}

nsds_model *nsds_job_model(const nsds_job *job) { return job ? job->model : NULL; }
const nsds_shape_def *nsds_job_shapes(const nsds_job *job, int *count) {
  if (count) *count = job ? job->nshape : 0;
  return job && job->nshape > 0 ? job->shape : NULL;
}
nsds_simulation *nsds_job_simulation(const nsds_job *job) { return job ? job->simulation : NULL; }
const char *nsds_job_title(const nsds_job *job) { return job && job->title ? job->title : ""; }

int nsds_job_warning_count(const nsds_job *job) { return job ? job->warnings.count : 0; }
const char *nsds_job_warning(const nsds_job *job, int k) {
  return job && k >= 0 && k < job->warnings.count ? job->warnings.item[k].name : NULL;
}

double nsds_job_end(const nsds_job *job) { return job && job->ops ? job->ops->end(job) : NAN; }

int nsds_job_column_count(const nsds_job *job) { return job ? job->columns.count : 0; }
const char *nsds_job_column_name(const nsds_job *job, int k) {
  return job && k >= 0 && k < job->columns.count ? job->columns.item[k].name : NULL;
}
const char *nsds_job_column_unit(const nsds_job *job, int k) {
  return job && k >= 0 && k < job->columns.count ? job->columns.item[k].unit : NULL;
}

const double *nsds_job_row(const nsds_job *job) { return job ? job->row : NULL; }

nsds_status nsds_job_step(nsds_job *job) {
  if (!job) return nsds_refuse_null(NULL, "nsds_job_step", "job");
  nsds_sources *s = &job->sources;
  if (s->limits.numbers > 0 && job->rows >= s->limits.numbers / job->columns.count)
    return nsds_report(job->context, NSDS_ERROR_LIMIT,
                       "%s: ended after %lld rows of %d columns, which is the limit for files of "
                       "its kind",
                       s->name, (long long)job->rows, job->columns.count);
  nsds_sources_enter(s);
  nsds_status status = nsds_sources_leave(s, job->ops->step(job));
  job->rows += status == NSDS_OK;
  if (status != NSDS_END || job->ended) return status;
  job->ended = true;
  return warn_of_periods(job) ? NSDS_ERROR_MEMORY : NSDS_END;
}

int nsds_job_measure_count(const nsds_job *job) { return job ? job->measures.count : 0; }
const char *nsds_job_measure_name(const nsds_job *job, int k) {
  return job && k >= 0 && k < job->measures.count ? job->measures.item[k].name : NULL;
}
double nsds_job_measure(const nsds_job *job, int k) {
  return job && k >= 0 && k < job->measures.count ? nsds_measure_value(&job->measures.item[k])
                                                  : NAN;
}
