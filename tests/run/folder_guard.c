/* The program has calls of these names itself, so that those of the libraries come here first. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "folder_guard.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static bool watching;
static char allowed[4096], told[5000];

void folder_guard_begin(const char *folder) {
  snprintf(allowed, sizeof allowed, "%s", folder);
  told[0] = '\0';
  watching = true;
}

const char *folder_guard_end(void) {
  watching = false;
  return told;
}

static void tell(const char *call, const char *path) {
  if (!told[0]) snprintf(told, sizeof told, "%s of %.4000s", call, path ? path : "NULL");
}

/* The place that a name leads to, after all links. */
static void look(const char *call, const char *path) {
  watching = false;
  char *real = realpath(path, NULL);
  size_t size = strlen(allowed);
  if (real && (strncmp(real, allowed, size) != 0 || (real[size] != '/' && size > 1)))
    tell(call, real);
  free(real);
  watching = true;
}

/* The next call of a name; ISO C has no cast from an object to a function. */
static void next_call(const char *name, void *to, size_t size) {
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(to, &found, size);
}

int open(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  if (!next) next_call("open", &next, sizeof next);
  if (watching && ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC))))
    tell("open to write", path);
  else if (watching) look("open", path);
  return next(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
  static FILE *(*next)(const char *, const char *);
  if (!next) next_call("fopen", &next, sizeof next);
  if (watching && mode[0] != 'r') tell("fopen to write", path);
  else if (watching) look("fopen", path);
  return next(path, mode);
}

void *dlopen(const char *path, int flags) {
  static void *(*next)(const char *, int);
  if (!next) next_call("dlopen", &next, sizeof next);
  if (watching) tell("dlopen", path);
  return next(path, flags);
}

int system(const char *command) {
  static int (*next)(const char *);
  if (!next) next_call("system", &next, sizeof next);
  if (watching) tell("system", command);
  return next(command);
}

FILE *popen(const char *command, const char *mode) {
  static FILE *(*next)(const char *, const char *);
  if (!next) next_call("popen", &next, sizeof next);
  if (watching) tell("popen", command);
  return next(command, mode);
}

int unlink(const char *path) {
  static int (*next)(const char *);
  if (!next) next_call("unlink", &next, sizeof next);
  if (watching) tell("unlink", path);
  return next(path);
}

int rename(const char *from, const char *to) {
  static int (*next)(const char *, const char *);
  if (!next) next_call("rename", &next, sizeof next);
  if (watching) tell("rename", from);
  return next(from, to);
}
