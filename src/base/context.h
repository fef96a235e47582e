#ifndef NSDS_SRC_CONTEXT_H
#define NSDS_SRC_CONTEXT_H

#include "base/parallel.h"

/* Zeroed memory of count * size bytes, 16-byte aligned; NULL (error recorded) when out of memory
 * or when the product overflows. A count of 0 still returns memory. `what` is named by the message:
 * the last member of an expression as "&s->block". */
void *nsds_alloc(nsds_context *context, const char *what, size_t count, size_t size);
/* The same for what a caller asked for: the message names the object and its field. */
void *nsds_alloc_for(nsds_context *context, const char *object, const char *field, size_t count,
                     size_t size);
void nsds_release(nsds_context *context, void *memory);
/* Copies count * size bytes; NULL source gives NULL without an error. */
#define nsds_copy(context, source, count, size)                                                    \
  nsds_copy_array(context, #source, source, count, size)
void *nsds_copy_array(nsds_context *context, const char *what, const void *source, size_t count,
                      size_t size);
void *nsds_copy_for(nsds_context *context, const char *object, const char *field,
                    const void *source, size_t count, size_t size);
/* Grows *array (of elements of `size` bytes) to at least `count` elements, keeping the first
 * `*capacity`, zeroing the rest. On failure the array is unchanged. */
#define nsds_grow(context, array, capacity, count, size)                                           \
  (NSDS_LIKELY((size_t)(count) <= *(capacity))                                                     \
       ? NSDS_OK                                                                                   \
       : nsds_grow_array(context, #array, array, capacity, count, size))
nsds_status nsds_grow_array(nsds_context *context, const char *what, void *array, size_t *capacity,
                            size_t count, size_t size);
/* The same for what is written anew: the old array is given back first, so that the two are never
 * there together. On failure there is none. */
#define nsds_renew(context, array, capacity, count, size)                                          \
  nsds_renew_array(context, #array, array, capacity, count, size)
nsds_status nsds_renew_array(nsds_context *context, const char *what, void *array, size_t *capacity,
                             size_t count, size_t size);
/* Memory that outlives the context: release(memory, user) gives it back. NULL: there is none, and
 * nothing is recorded. */
typedef struct nsds_apart_memory {
  void (*release)(void *memory, void *user);
  void *user;
} nsds_apart_memory;
/* Memory that outlives the context; `of` says how it is given back. NULL, with nothing recorded, where there is none. */
void *nsds_alloc_apart(nsds_context *context, size_t size, nsds_apart_memory *of);
/* Fails with NSDS_ERROR_STATE within a hook of the context. */
nsds_status nsds_fail_hook(nsds_context *context, const char *call);
static inline nsds_status nsds_check_hook(nsds_context *context, const char *call) {
  return NSDS_LIKELY(!nsds_hook(context)) ? NSDS_OK : nsds_fail_hook(context, call);
}
#define NSDS_NEW(context, type) ((type *)nsds_alloc((context), #type, 1, sizeof(type)))
#define NSDS_NEW_ARRAY(context, type, count)                                                       \
  ((type *)nsds_alloc((context), #type "[]", (size_t)(count), sizeof(type)))
/* Records a failure and returns its status. context may be NULL (kept per thread). */
nsds_status nsds_fail(nsds_context *context, nsds_status status, const char *format, ...)
    NSDS_PRINTF(3, 4);
/* How many failures the context has recorded: tells whether a user function has said why. */
unsigned long nsds_failures(const nsds_context *context);
/* Names the object that has run out of memory, where such a failure has been recorded since. */
void nsds_name_shortage(nsds_context *context, unsigned long failures, const char *kind,
                        const char *name);
/* Fails for the words of a definition, or of a `part` of it, that must be zero: NSDS_TAIL() of either. */
nsds_status nsds_fail_reserved(nsds_context *context, const char *call, const char *part,
                               const uint64_t *word);
static inline nsds_status nsds_check_reserved(nsds_context *context, const char *call,
                                              const char *part, const uint64_t *word, int count) {
  uint64_t any = 0;
  for (int k = 0; k < count; ++k) any |= word[k];
  return NSDS_LIKELY(!any) ? NSDS_OK : nsds_fail_reserved(context, call, part, word);
}
#define NSDS_TAIL(s) (s)->reserved, (int)(sizeof(s)->reserved / sizeof *(s)->reserved)
/* Failure of a call that received NULL for `argument`: quiet when the context already holds an
 * error, because the NULL is then its consequence. Always NSDS_ERROR_ARGUMENT. */
nsds_status nsds_fail_null(nsds_context *context, const char *call, const char *argument);
void nsds_log(nsds_context *context, nsds_log_level level, const char *format, ...)
    NSDS_PRINTF(3, 4);
/* Appends it to those of the context, which are walked from the first by `next`. */
void nsds_attach(nsds_context *context, nsds_attachment *attachment);
const nsds_attachment *nsds_attachments(const nsds_context *context);
/* Of the context; what it says of time is no part of its state. */
nsds_team *nsds_context_team(const nsds_context *context);
/* nsds_renew() behind an inline test: nothing to do is the common case. */
#define NSDS_ENSURE_NEW(context, array, capacity, count)                                           \
  (NSDS_LIKELY((size_t)(count) <= (capacity))                                                      \
       ? NSDS_OK                                                                                   \
       : nsds_renew((context), &(array), &(capacity), (size_t)(count), sizeof *(array)))

#endif
