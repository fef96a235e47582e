/*
 * Reading with limits, see sources.h. While a job works, its own stop function stands in front of
 * that of the context. The function asks the earlier one, then looks at the clock.
 */
#define _XOPEN_SOURCE 700 /* realpath(), clock_gettime(), O_CLOEXEC */
#include "run/job/sources.h"

#include "base/text/read_file.h"
#include "base/text/words.h"

#include <nsds/extend.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const size_t longest_file = (size_t)1 << 26; /* bytes */

static double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The real path of the folder of a file; the working folder for a text. NULL when there is none. */
static char *real_folder(nsds_context *context, const char *file) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  char *named = slash ? nsds_copy_part(context, file, (size_t)(slash - file) + 1)
                      : nsds_copy_word(context, ".");
  char *real = named ? realpath(named, NULL) : NULL;
  char *folder = real ? nsds_make_word(context, "%s%s", real, real[1] ? "/" : "") : NULL;
  nsds_free(named);
  free(real);
  return folder;
}

static void fill_in_limits(nsds_job_limits *limits, bool untrusted) {
  if (!limits->files) limits->files = untrusted ? 100 : 10000;
  if (!limits->bytes) limits->bytes = untrusted ? longest_file : (size_t)1 << 30;
  if (!limits->memory && untrusted) limits->memory = (size_t)1 << 30;
  if (limits->seconds == 0.0 && untrusted) limits->seconds = 60.0;
  if (!limits->numbers && untrusted) limits->numbers = 100000000;
}

static nsds_status sources_fill(nsds_sources *sources, nsds_context *context,
                                const nsds_job_def *def, bool check) {
  *sources = (nsds_sources){.context = context,
                            .untrusted = def->untrusted,
                            .check = check,
                            .plugins = !def->untrusted && !def->refuse_plugins,
                            .limits = def->limits};
  fill_in_limits(&sources->limits, def->untrusted);
  sources->name = nsds_copy_word(context, def->file ? def->file : "text");
  sources->search = nsds_copy_word(context, def->folders ? def->folders : "");
  if (!sources->name || !sources->search) return NSDS_ERROR_MEMORY;
  if (!def->untrusted) return NSDS_OK;
  sources->folder = real_folder(context, def->file);
  if (sources->folder) return NSDS_OK;
  if (errno == ENOMEM || nsds_error(context) == NSDS_ERROR_MEMORY)
    return nsds_report(context, NSDS_ERROR_MEMORY, "%s: out of memory", sources->name);
  return nsds_report(context, NSDS_ERROR_IO, "%s: its folder cannot be read: %s", sources->name,
                     strerror(errno));
}

nsds_status nsds_sources_open(nsds_sources *sources, nsds_context *context, const nsds_job_def *def,
                              bool check) {
  nsds_status status = sources_fill(sources, context, def, check);
  if (status) nsds_sources_close(sources);
  return status;
}

void nsds_sources_close(nsds_sources *sources) {
  nsds_free(sources->folder);
  nsds_free(sources->search);
  nsds_free(sources->name);
  *sources = (nsds_sources){0};
}

/* ---- files ---- */

const char *nsds_source_search(const nsds_sources *sources, int k, int *size) {
  const char *at = sources->search;
  for (; at && *at; at += *at == ':') {
    *size = (int)strcspn(at, ":");
    if (*size > 0 && k-- == 0) return at;
    at += *size;
  }
  return NULL;
}

/* Tells if a real path lies in one of the search folders. */
static bool is_in_search(const nsds_sources *sources, const char *real) {
  const char *at;
  int size;
  bool inside = false;
  for (int k = 0; !inside && (at = nsds_source_search(sources, k, &size)) != NULL; ++k) {
    char *named = nsds_copy_part(sources->context, at, (size_t)size);
    char *folder = named ? realpath(named, NULL) : NULL;
    size_t length = folder ? strlen(folder) : 0;
    inside = length > 1 && strncmp(real, folder, length) == 0 && real[length] == '/';
    nsds_free(named);
    free(folder);
  }
  return inside;
}

bool nsds_source_is_inside(const nsds_sources *sources, const char *path) {
  if (!sources->untrusted) return true;
  char *real = realpath(path, NULL);
  bool inside = real && (strncmp(real, sources->folder, strlen(sources->folder)) == 0 ||
                         is_in_search(sources, real));
  bool missing = !real && errno == ENOENT; /* told when it is opened */
  free(real);
  return inside || missing;
}

/* A regular file; the first file may also be a pipe, unless it comes from strangers. */
static bool is_readable_kind(const nsds_sources *sources, mode_t mode) {
  return S_ISREG(mode) || (sources->files == 0 && !sources->untrusted && !S_ISDIR(mode));
}

static const char *kind_of_source(mode_t mode) {
  return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : "no regular file";
}

/* Opens a file that may be read; -1: `reason` says why it may not. */
static int open_source(nsds_sources *sources, const char *path, char reason[200]) {
  struct stat found;
  bool first = sources->files == 0 && !sources->untrusted;
  int file = open(path, O_RDONLY | O_CLOEXEC | (first ? 0 : O_NONBLOCK));
  if (file < 0 || fstat(file, &found) != 0) {
    snprintf(reason, 200, "%s", strerror(errno));
  } else if (!is_readable_kind(sources, found.st_mode)) {
    snprintf(reason, 200, "it is %s; valid is a regular file", kind_of_source(found.st_mode));
  } else {
    return file;
  }
  if (file >= 0) close(file);
  return -1;
}

nsds_status nsds_source_read(nsds_sources *sources, const char *path, char **text, size_t *size,
                             char reason[200]) {
  const nsds_job_limits *limits = &sources->limits;
  size_t left = limits->bytes - sources->bytes, most = left < longest_file ? left : longest_file;
  *text = NULL;
  errno = 0;
  if (!nsds_source_is_inside(sources, path)) {
    if (errno == ENOMEM) {
      snprintf(reason, 200, "out of memory");
      return NSDS_ERROR_MEMORY;
    }
    snprintf(reason, 200, "it is outside of the folder of a file that is not trusted");
    return NSDS_ERROR_IO;
  }
  if (sources->files >= limits->files) {
    snprintf(reason, 200, "more than %d files would be read", limits->files);
    return NSDS_ERROR_LIMIT;
  }
  int file = open_source(sources, path, reason);
  if (file < 0) return NSDS_ERROR_IO;
  nsds_status status = nsds_file_read_all(
      sources->context, file, &(nsds_file_reading){.first = 4096, .most = most}, text, size);
  if (status == NSDS_ERROR_IO) snprintf(reason, 200, "%s", strerror(errno));
  close(file);
  if (!status) {
    ++sources->files;
    sources->bytes += *size;
    return NSDS_OK;
  }
  nsds_free(*text);
  *text = NULL;
  if (status == NSDS_ERROR_MEMORY) snprintf(reason, 200, "out of memory");
  if (status == NSDS_ERROR_LIMIT)
    snprintf(reason, 200, "it has more than %zu bytes%s", most,
             most < left ? "" : ", with the files read before");
  return status;
}

/* ---- time ---- */

static bool is_late(const nsds_sources *s) {
  return s->limits.seconds > 0.0 && s->spent + clock_now() - s->since > s->limits.seconds;
}

static bool stops_job(void *user) {
  const nsds_sources *s = user;
  return (s->earlier && s->earlier(s->earlier_user)) || is_late(s);
}

static void enter_time(nsds_sources *s) {
  s->since = clock_now();
  s->earlier = stops_job;
  s->earlier_user = s;
  nsds_context_swap_stop(s->context, &s->earlier, &s->earlier_user);
}

/* Returns true if the time is over. */
static bool leave_time(nsds_sources *s) {
  bool asked = s->earlier && s->earlier(s->earlier_user), late = is_late(s);
  s->spent += clock_now() - s->since;
  nsds_context_swap_stop(s->context, &s->earlier, &s->earlier_user);
  s->since = 0.0;
  return late && !asked;
}

/* ---- memory ---- */

static void enter_memory(nsds_sources *s) {
  size_t now = nsds_context_bytes(s->context);
  s->others = now > s->held ? now - s->held : 0;
  nsds_memory_limit limit = {.bytes = s->others + s->limits.memory};
  if (limit.bytes < s->others) limit.bytes = SIZE_MAX;
  s->earlier_limit = limit;
  nsds_context_swap_limit(s->context, &s->earlier_limit);
  if (!s->earlier_limit.bytes || s->earlier_limit.bytes > limit.bytes) return;
  limit = s->earlier_limit;
  nsds_context_swap_limit(s->context, &limit);
}

/* Returns true if a piece of memory was refused since enter_memory(). */
static bool leave_memory(nsds_sources *s) {
  size_t now = nsds_context_bytes(s->context);
  s->held = now > s->others ? now - s->others : 0;
  nsds_context_swap_limit(s->context, &s->earlier_limit);
  return s->earlier_limit.reached;
}

void nsds_sources_enter(nsds_sources *s) {
  if (s->limits.seconds > 0.0) enter_time(s);
  if (s->limits.memory > 0) enter_memory(s);
}

nsds_status nsds_sources_leave(nsds_sources *s, nsds_status status) {
  bool full = s->limits.memory > 0 && leave_memory(s) && status == NSDS_ERROR_MEMORY;
  bool late = s->limits.seconds > 0.0 && leave_time(s) && status != NSDS_OK && status != NSDS_END;
  if (!full && !late) return status;
  nsds_error_clear(s->context);
  if (full)
    return nsds_report(s->context, NSDS_ERROR_LIMIT,
                       "%s: ended because it needs more than %zu bytes of memory, which is the "
                       "limit for files of its kind",
                       s->name, s->limits.memory);
  return nsds_report(s->context, NSDS_ERROR_LIMIT,
                     "%s: ended after %g s, which is the limit for files of its kind", s->name,
                     s->limits.seconds);
}
