/*
 * Results as they come: FILE.part has a line with the key, then for each result a line "NUMBER
 * LENGTH CHECKSUM" and the text. What stands behind the last whole result is cut off. When all are
 * there they are written in order to FILE.new, which becomes FILE.
 */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"

#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct store {
  const sweep *s;
  char part[4096], whole[4096]; /* FILE.part, FILE.new */
  FILE *out;
  char **text; /* of each result; NULL: missing */
  char *buffer;
  int done;
} store;

static int complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return -1;
}

/* FNV-1a. */
static uint64_t checksum(const char *text, long length) {
  uint64_t sum = 14695981039346656037u;
  for (long k = 0; k < length; ++k) sum = (sum ^ (unsigned char)text[k]) * 1099511628211u;
  return sum;
}

static int keep(store *st, int index, const char *text, long length) {
  char *copy = malloc((size_t)length + 1);
  if (!copy) return complain("out of memory");
  memcpy(copy, text, (size_t)length);
  copy[length] = '\0';
  if (!st->text[index]) ++st->done;
  free(st->text[index]);
  st->text[index] = copy;
  return 0;
}

/* ---- FILE.part ---- */

/* Reads the results of a file whose key has been read; where the last whole one ends. */
static long read_results(store *st) {
  long end = ftell(st->out), length;
  int index;
  uint64_t sum;
  char line[80];
  while (fgets(line, sizeof line, st->out)) {
    if (sscanf(line, "%d %ld %" SCNx64, &index, &length, &sum) != 3) break;
    if (index < 0 || index >= st->s->count || length < 0 || length > sweep_longest) break;
    if (fread(st->buffer, 1, (size_t)length, st->out) != (size_t)length) break;
    if (checksum(st->buffer, length) != sum) break;
    if (keep(st, index, st->buffer, length)) return -1;
    end = ftell(st->out);
  }
  return end;
}

/* One sweep at a time: the lock ends with the process. */
static int lock(const store *st) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(fileno(st->out), F_SETLK, &whole) == 0) return 0;
  return complain("%s: in use by another sweep", st->part);
}

static int open_part(store *st) {
  int file = open(st->part, O_RDWR | O_CREAT, 0666);
  st->out = file < 0 ? NULL : fdopen(file, "r+");
  if (!st->out) return complain("%s: %s", st->part, strerror(errno));
  if (lock(st)) return -1;
  size_t length = strlen(st->s->key);
  bool new_file = !fgets(st->buffer, sweep_longest, st->out) || !strchr(st->buffer, '\n');
  if (!new_file && (strncmp(st->buffer, st->s->key, length) != 0 || st->buffer[length] != '\n'))
    return complain("%s holds another sweep, %.*s; finish it or remove the file", st->part,
                    (int)strcspn(st->buffer, "\n"), st->buffer);
  long end = new_file ? 0 : read_results(st);
  if (end < 0) return -1;
  if (ftruncate(fileno(st->out), end) || fseek(st->out, end, SEEK_SET))
    return complain("%s: %s", st->part, strerror(errno));
  if (new_file) fprintf(st->out, "%s\n", st->s->key);
  return fflush(st->out) ? complain("%s: %s", st->part, strerror(errno)) : 0;
}

static int add(store *st, int index, const char *text, long length) {
  fprintf(st->out, "%d %ld %016" PRIx64 "\n", index, length, checksum(text, length));
  fwrite(text, 1, (size_t)length, st->out);
  if (fflush(st->out)) return complain("%s: %s", st->part, strerror(errno));
  if (keep(st, index, text, length)) return -1;
  progress(st->s->name, (double)st->done / st->s->count);
  return 0;
}

/* ---- the file ---- */

static int finish(store *st) {
  FILE *out = fopen(st->whole, "w");
  if (!out) return complain("%s: %s", st->whole, strerror(errno));
  fprintf(out, "%s\n", st->s->head);
  for (int k = 0; k < st->s->count; ++k) fputs(st->text[k], out);
  bool written = !ferror(out);
  if (fclose(out) != 0 || !written || rename(st->whole, st->s->file) != 0)
    return complain("%s: %s", st->s->file, strerror(errno));
  remove(st->part);
  return 0;
}

/* ---- who computes what ---- */

static int next_missing(const store *st, int *next) {
  while (*next < st->s->count && st->text[*next]) ++*next;
  return *next < st->s->count ? (*next)++ : -1;
}

static int alone(store *st) {
  int next = 0, index;
  while ((index = next_missing(st, &next)) >= 0) {
    long length = st->s->compute(index, st->buffer, st->s->user);
    if (length < 0 || add(st, index, st->buffer, length)) return -1;
  }
  return 0;
}

static int together(store *st, const sweep_workers *w) {
  int next = 0, busy = 0, worker, index;
  long length;
  for (worker = 0; worker < w->count; ++worker) {
    index = next_missing(st, &next);
    if (index >= 0) ++busy;
    if (w->ask(w->self, worker, index)) return -1;
  }
  while (busy > 0) {
    if (w->answer(w->self, &worker, &index, st->buffer, &length)) return -1;
    if (length < 0 || index < 0 || index >= st->s->count)
      return complain("result %d could not be computed", index);
    if (add(st, index, st->buffer, length)) return -1;
    index = next_missing(st, &next);
    if (index < 0) --busy;
    if (w->ask(w->self, worker, index)) return -1;
  }
  return 0;
}

int sweep_manage(const sweep *s, const sweep_workers *workers) {
  store st = {.s = s};
  snprintf(st.part, sizeof st.part, "%s.part", s->file);
  snprintf(st.whole, sizeof st.whole, "%s.new", s->file);
  st.text = calloc((size_t)s->count, sizeof *st.text);
  st.buffer = malloc(sweep_longest);
  int failed = !st.text || !st.buffer ? complain("out of memory") : open_part(&st);
  progress(s->name, 0.0);
  if (!failed) failed = workers && workers->count > 0 ? together(&st, workers) : alone(&st);
  if (!failed) failed = finish(&st);
  if (st.out) fclose(st.out);
  for (int k = 0; st.text && k < s->count; ++k) free(st.text[k]);
  free(st.text);
  free(st.buffer);
  return failed ? 1 : 0;
}
