/*
 * Reading with limits, see sources.h. While a job works, its own stop function stands in front of that of the context.
 * The function asks the earlier one, then looks at the clock.
 */
#define _XOPEN_SOURCE 700 /* realpath(), clock_gettime(), O_CLOEXEC */
#include "run/sources.h"

#include "run/words.h"

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
static char *real_folder(const char *file) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  char *named = slash ? nsds_copy_part(file, (size_t)(slash - file) + 1) : nsds_copy_word(".");
  char *real = named ? realpath(named, NULL) : NULL;
  char *folder = real ? nsds_make_word("%s%s", real, real[1] ? "/" : "") : NULL;
  free(named);
  free(real);
  return folder;
}

static void fill_in_limits(nsds_job_limits *limits, bool untrusted) {
  if (!limits->files) limits->files = untrusted ? 100 : 10000;
  if (!limits->bytes) limits->bytes = untrusted ? longest_file : (size_t)1 << 30;
  if (limits->seconds == 0.0 && untrusted) limits->seconds = 60.0;
  if (!limits->numbers && untrusted) limits->numbers = 100000000;
}

nsds_status nsds_sources_open(nsds_sources *sources, nsds_context *context, const nsds_job_def *def,
                              bool check) {
  *sources = (nsds_sources){.context = context,
                            .untrusted = def->untrusted,
                            .check = check,
                            .plugins = !def->untrusted && !def->refuse_plugins,
                            .limits = def->limits};
  fill_in_limits(&sources->limits, def->untrusted);
  sources->name = nsds_copy_word(def->file ? def->file : "text");
  if (!sources->name) return nsds_report(context, NSDS_ERROR_MEMORY, "job: out of memory");
  if (!def->untrusted) return NSDS_OK;
  sources->folder = real_folder(def->file);
  if (sources->folder) return NSDS_OK;
  return nsds_report(context, NSDS_ERROR_IO, "%s: its folder cannot be read: %s", sources->name,
                     strerror(errno));
}

void nsds_sources_close(nsds_sources *sources) {
  free(sources->folder);
  free(sources->name);
  *sources = (nsds_sources){0};
}

/* ---- files ---- */

bool nsds_source_is_inside(const nsds_sources *sources, const char *path) {
  if (!sources->untrusted) return true;
  char *real = realpath(path, NULL);
  bool inside = real && strncmp(real, sources->folder, strlen(sources->folder)) == 0;
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

/* Reads what is left of a file, up to `most` bytes. */
static nsds_status read_bytes(int file, size_t most, char **text, size_t *size) {
  size_t room = 4096, used = 0;
  *text = malloc(room + 1);
  for (ssize_t got = 1; *text && got != 0;) {
    if (used > most) return NSDS_ERROR_LIMIT;
    if (used == room) {
      char *more = realloc(*text, 2 * room + 1);
      if (!more) return NSDS_ERROR_MEMORY;
      *text = more;
      room *= 2;
    }
    got = read(file, *text + used, room - used);
    if (got > 0) used += (size_t)got;
    if (got < 0 && errno != EINTR) return NSDS_ERROR_IO;
  }
  if (!*text) return NSDS_ERROR_MEMORY;
  (*text)[used] = '\0';
  *size = used;
  return NSDS_OK;
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
  if (!nsds_source_is_inside(sources, path)) {
    snprintf(reason, 200, "it is outside of the folder of a file that is not trusted");
    return NSDS_ERROR_IO;
  }
  if (sources->files >= limits->files) {
    snprintf(reason, 200, "more than %d files would be read", limits->files);
    return NSDS_ERROR_LIMIT;
  }
  int file = open_source(sources, path, reason);
  if (file < 0) return NSDS_ERROR_IO;
  nsds_status status = read_bytes(file, most, text, size);
  if (status == NSDS_ERROR_IO) snprintf(reason, 200, "%s", strerror(errno));
  close(file);
  if (!status) {
    ++sources->files;
    sources->bytes += *size;
    return NSDS_OK;
  }
  free(*text);
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

void nsds_sources_enter(nsds_sources *s) {
  if (s->limits.seconds <= 0.0) return;
  s->since = clock_now();
  s->earlier = stops_job;
  s->earlier_user = s;
  nsds_context_swap_stop(s->context, &s->earlier, &s->earlier_user);
}

nsds_status nsds_sources_leave(nsds_sources *s, nsds_status status) {
  if (s->limits.seconds <= 0.0) return status;
  bool asked = s->earlier && s->earlier(s->earlier_user), late = is_late(s);
  s->spent += clock_now() - s->since;
  nsds_context_swap_stop(s->context, &s->earlier, &s->earlier_user);
  s->since = 0.0;
  if (asked || !late || status == NSDS_OK || status == NSDS_END) return status;
  nsds_error_clear(s->context);
  return nsds_report(s->context, NSDS_ERROR_LIMIT,
                     "%s: ended after %g s, which is the limit for files of its kind", s->name,
                     s->limits.seconds);
}
