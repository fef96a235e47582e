#include "interpose.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

/* glibc's entry points behind the names that are replaced here */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void *memalign(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **memory, size_t alignment, size_t size);
void free(void *memory);

interposed interpose;

static bool refused(void) {
  if (!interpose.armed) return false;
  long call = ++interpose.calls, first = interpose.fail_at;
  if (first == 0 || call < first || (call > first && !interpose.fail_on)) {
    ++interpose.live;
    return false;
  }
  interpose.failed = true;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) { return refused() ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return refused() ? NULL : __libc_calloc(count, size); }

void *realloc(void *memory, size_t size) {
  if (refused()) return NULL;
  if (interpose.armed && memory) --interpose.live; /* it was counted when it was made */
  return __libc_realloc(memory, size);
}

void free(void *memory) {
  if (interpose.armed && memory) --interpose.live;
  __libc_free(memory);
}

void *memalign(size_t alignment, size_t size) {
  return refused() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *m = memalign(alignment, size);
  if (m) *memory = m;
  return m ? 0 : ENOMEM;
}
