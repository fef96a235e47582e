/*
 * A job: finds the reader of a file by its kind, and asks the format's operations for row after row. Without a kind
 * the ending of the file's name decides. If the ending is unknown, the text decides: a model file begins like YAML
 * and has a colon in its first line.
 */
#include "run/job_parts.h"

#include "run/circuit.h"
#include "run/model_file.h"
#include "run/words.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t longest_file = (size_t)1 << 26; /* bytes */

static nsds_job_kind kind_of_name(const char *name) {
  static const char *const circuit[] = {".cir", ".net", ".sp", ".spice", ".ckt"};
  for (size_t k = 0; name && k < sizeof circuit / sizeof *circuit; ++k)
    if (nsds_ends_with(name, circuit[k])) return NSDS_JOB_CIRCUIT;
  if (name && (nsds_ends_with(name, ".yaml") || nsds_ends_with(name, ".yml")))
    return NSDS_JOB_MODEL_FILE;
  return NSDS_JOB_BY_NAME;
}

/* Model files begin with "name:" in a line that is no comment, or "---"; netlists end with ".end". */
static nsds_job_kind kind_of_text(const char *text) {
  while (*text == '#' || *text == '\n' || *text == '\r')
    text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != 0);
  size_t line = strcspn(text, "\n");
  if (strncmp(text, "---", 3) == 0 || strncmp(text, "%YAML", 5) == 0) return NSDS_JOB_MODEL_FILE;
  size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
  return word > 0 && word < line && text[word] == ':' ? NSDS_JOB_MODEL_FILE : NSDS_JOB_CIRCUIT;
}

static nsds_status check_def(nsds_context *context, const nsds_job_def *def) {
  if (!def) return nsds_report(context, NSDS_ERROR_ARGUMENT, "nsds_job_create: def is NULL");
  for (int k = 0; k < NSDS_RESERVED; ++k)
    if (def->reserved[k])
      return nsds_report(
          context, NSDS_ERROR_ARGUMENT,
          "nsds_job_create: reserved[%d] is not zero; set all of the structure to zero", k);
  if (!def->file && !def->text)
    return nsds_report(context, NSDS_ERROR_ARGUMENT, "nsds_job_create: give a file or a text");
  if (def->kind < NSDS_JOB_BY_NAME || def->kind > NSDS_JOB_MODEL_FILE)
    return nsds_report(context, NSDS_ERROR_ARGUMENT,
                       "nsds_job_create: kind is %d, must be of nsds_job_kind", (int)def->kind);
  if (def->nsettings < 0 || (def->nsettings > 0 && !def->settings))
    return nsds_report(context, NSDS_ERROR_ARGUMENT,
                       "nsds_job_create: nsettings is %d, settings must have as many",
                       def->nsettings);
  for (int k = 0; k < def->nsettings; ++k)
    if (!def->settings[k].name || !def->settings[k].value)
      return nsds_report(context, NSDS_ERROR_ARGUMENT,
                         "nsds_job_create: settings[%d] has no name or no value", k);
  return NSDS_OK;
}

/* Reads the text by the reader of its kind. */
static nsds_status read_job(nsds_job *job, const nsds_job_def *def, const char *text, size_t size) {
  nsds_job_kind kind = def->kind ? def->kind : kind_of_name(def->file);
  if (!kind) kind = kind_of_text(text);
  if (kind == NSDS_JOB_CIRCUIT) return nsds_circuit_read(job, def, text, size);
  return nsds_model_file_read(job, def, text, size);
}

static nsds_status open_job(nsds_job *job, const nsds_job_def *def) {
  if (def->text) return read_job(job, def, def->text, strlen(def->text));
  size_t size = 0;
  const char *reason = NULL;
  char *text = nsds_read_file(def->file, longest_file, &size, &reason);
  if (!text)
    return nsds_report(job->context, NSDS_ERROR_IO, "%s: cannot be read: %s", def->file, reason);
  nsds_status status = strlen(text) != size
                           ? nsds_report(job->context, NSDS_ERROR_FORMAT,
                                         "%s: has a zero byte, so it is no text", def->file)
                           : read_job(job, def, text, size);
  free(text);
  return status;
}

nsds_job *nsds_job_create(nsds_context *context, const nsds_job_def *def) {
  if (!context || check_def(context, def)) return NULL;
  nsds_job *job = calloc(1, sizeof *job);
  if (!job) {
    nsds_report(context, NSDS_ERROR_MEMORY, "nsds_job_create: out of memory");
    return NULL;
  }
  job->context = context;
  nsds_status status = open_job(job, def);
  if (!status) return job;
  if (!nsds_error(context))
    nsds_report(context, status, "nsds_job_create: %s", nsds_status_text(status));
  nsds_job_destroy(job);
  return NULL;
}

void nsds_job_destroy(nsds_job *job) {
  if (!job) return;
  if (job->ops) job->ops->destroy(job);
  nsds_job_clear(job);
  free(job);
}

nsds_model *nsds_job_model(const nsds_job *job) { return job ? job->model : NULL; }
nsds_simulation *nsds_job_simulation(const nsds_job *job) { return job ? job->simulation : NULL; }
const char *nsds_job_title(const nsds_job *job) { return job && job->title ? job->title : ""; }

int nsds_job_warning_count(const nsds_job *job) { return job ? job->warnings.count : 0; }
const char *nsds_job_warning(const nsds_job *job, int k) {
  return job && k >= 0 && k < job->warnings.count ? job->warnings.item[k].name : NULL;
}

int nsds_job_column_count(const nsds_job *job) { return job ? job->columns.count : 0; }
const char *nsds_job_column_name(const nsds_job *job, int k) {
  return job && k >= 0 && k < job->columns.count ? job->columns.item[k].name : NULL;
}
const char *nsds_job_column_unit(const nsds_job *job, int k) {
  return job && k >= 0 && k < job->columns.count ? job->columns.item[k].unit : NULL;
}

const double *nsds_job_row(const nsds_job *job) { return job ? job->row : NULL; }

nsds_status nsds_job_step(nsds_job *job) { return job ? job->ops->step(job) : NSDS_ERROR_ARGUMENT; }

int nsds_job_measure_count(const nsds_job *job) { return job ? job->measures.count : 0; }
const char *nsds_job_measure_name(const nsds_job *job, int k) {
  return job && k >= 0 && k < job->measures.count ? job->measures.item[k].name : NULL;
}
double nsds_job_measure(const nsds_job *job, int k) {
  return job && k >= 0 && k < job->measures.count ? nsds_measure_value(&job->measures.item[k])
                                                  : NAN;
}
