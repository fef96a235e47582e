/*
 * Writes down every message that a test meets: preloaded, it stands before vsnprintf() and snprintf(),
 * by which the library makes its messages, and vfprintf(), by which the command nsds prints its own. Each format
 * is appended to the file NSDS_MESSAGES with up to 1024 different texts a process.
 * script/messages --run compares them with the messages in the sources.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_bytes = 4096, places = 1 << 16, most_texts = 1024 };

static _Atomic(uint64_t) seen[places];
static atomic_int texts[places]; /* of a format */

/* FNV-1a */
static uint64_t hash_of(const char *line) {
  uint64_t hash = 14695981039346656037u;
  for (; *line; ++line) hash = (hash ^ (unsigned char)*line) * 1099511628211u;
  return hash | 1;
}

/* True the first time; also where the table is full. */
static int is_new(uint64_t hash) {
  for (unsigned k = 0; k < 64; ++k) {
    uint64_t none = 0;
    _Atomic(uint64_t) *place = &seen[(hash + k) % places];
    if (atomic_compare_exchange_strong(place, &none, hash)) return 1;
    if (none == hash) return 0;
  }
  return 1;
}

/* A line "format TAB text" of a single write, in which lines and tabs are spaces. */
static void note(const char *format, const char *text) {
  char line[most_bytes];
  const char *path = getenv("NSDS_MESSAGES");
  size_t first = strlen(format), second = strlen(text);
  atomic_int *count = &texts[hash_of(format) % places];
  if (!path || first + second + 2 > sizeof line || *count >= most_texts) return;
  memcpy(line, format, first);
  line[first] = ' ';
  memcpy(line + first + 1, text, second);
  line[first + second + 1] = '\0';
  if (!is_new(hash_of(line))) return;
  ++*count;
  for (char *c = line; *c; ++c)
    if (*c == '\n' || *c == '\t') *c = ' ';
  line[first] = '\t';
  line[first + second + 1] = '\n';
  int file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0666);
  if (file < 0) return;
  ssize_t written = write(file, line, first + second + 2);
  (void)written;
  close(file);
}

typedef int print_to_text(char *text, size_t size, const char *format, va_list arguments);
typedef int print_to_file(FILE *file, const char *format, va_list arguments);

int vsnprintf(char *text, size_t size, const char *format, va_list arguments) {
  static print_to_text *next;
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "vsnprintf");
  int length = next(text, size, format, arguments);
  if (length > 0 && size > 0) note(format, text);
  return length;
}

int snprintf(char *text, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, size, format, arguments);
  va_end(arguments);
  return length;
}

int vfprintf(FILE *file, const char *format, va_list arguments) {
  static print_to_file *next;
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "vfprintf");
  if (file == stderr) {
    char text[1024];
    va_list again;
    va_copy(again, arguments);
    vsnprintf(text, sizeof text, format, again);
    va_end(again);
  }
  return next(file, format, arguments);
}
