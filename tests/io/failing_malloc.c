/*
 * Preloaded into the command nsds: the allocation number NSDS_TEST_FAIL_AT that the command or libnsds
 * asks for fails, and standard error says so. A file or folder that is opened counts as one. Allocations
 * of other libraries do not count.
 */
#define _GNU_SOURCE /* dladdr(), RTLD_NEXT */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's entry points behind the names that are replaced here */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static long calls;
static bool ended;

static void end(void) { ended = true; }

static bool from_nsds(const void *caller) {
  Dl_info info;
  if (dladdr(caller, &info) == 0) return false;
  const char *name = strrchr(info.dli_fname, '/');
  name = name ? name + 1 : info.dli_fname;
  return strcmp(name, "nsds") == 0 || strncmp(name, "libnsds.", 8) == 0;
}

static bool refused(const void *caller) {
  static const char said[] = "an allocation has failed\n";
  if (ended || !from_nsds(caller)) return false;
  if (calls == 0) atexit(end); /* what the compiler's runtime does behind main() is not ours */
  const char *number = getenv("NSDS_TEST_FAIL_AT");
  if (++calls != (number ? atol(number) : 0)) return false;
  if (write(STDERR_FILENO, said, sizeof said - 1) < 0) return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) {
  return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  return refused(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

FILE *fopen(const char *path, const char *mode) {
  FILE *(*open)(const char *, const char *);
  *(void **)&open = dlsym(RTLD_NEXT, "fopen");
  return refused(__builtin_return_address(0)) ? NULL : open(path, mode);
}

DIR *opendir(const char *path) {
  DIR *(*open)(const char *);
  *(void **)&open = dlsym(RTLD_NEXT, "opendir");
  return refused(__builtin_return_address(0)) ? NULL : open(path);
}
