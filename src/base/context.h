#ifndef NSDS_SRC_CONTEXT_H
#define NSDS_SRC_CONTEXT_H

#include "base/parallel.h"

/* nsds_alloc() for memory that a caller asked for: the message names the object and its field. */
void *nsds_alloc_for(nsds_context *context, const char *object, const char *field, size_t count,
                     size_t size);
/* nsds_free() */
static inline void nsds_release(nsds_context *context, void *memory) {
  (void)context;
  nsds_free(memory);
}
/* Copies count * size bytes; NULL source gives NULL without an error. */
#define nsds_copy(context, source, count, size)                                                    \
  nsds_copy_array(context, #source, source, count, size)
void *nsds_copy_array(nsds_context *context, const char *what, const void *source, size_t count,
                      size_t size);
void *nsds_copy_for(nsds_context *context, const char *object, const char *field,
                    const void *source, size_t count, size_t size);
/* Grows *array (of elements of `size` bytes) to at least `count` elements. Keeps the first
 * `*capacity` elements and zeroes the rest. On failure the array is unchanged. */
#define nsds_grow(context, array, capacity, count, size)                                           \
  (NSDS_LIKELY((size_t)(count) <= *(capacity))                                                     \
       ? NSDS_OK                                                                                   \
       : nsds_grow_array(context, #array, array, capacity, count, size))
nsds_status nsds_grow_array(nsds_context *context, const char *what, void *array, size_t *capacity,
                            size_t count, size_t size);
/* Does the same for an array that is written anew. The old array is released first, so that both
 * never exist together. On failure there is no array. */
#define nsds_renew(context, array, capacity, count, size)                                          \
  nsds_renew_array(context, #array, array, capacity, count, size)
nsds_status nsds_renew_array(nsds_context *context, const char *what, void *array, size_t *capacity,
                             size_t count, size_t size);
/* How to give back memory that outlives the context: release(memory, user). */
typedef struct nsds_apart_memory {
  void (*release)(void *memory, void *user);
  void *user;
} nsds_apart_memory;
/* Returns memory that outlives the context, and how to give it back in `of`. NULL, with nothing
 * recorded, if memory is out. */
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
/* Gives a failure without a message a message, and stops builds without NDEBUG: each failure should
 * say its reason where it begins. */
nsds_status nsds_fail_silent(nsds_context *context, const char *call, nsds_status status);
/* The last word of a call of the program: each status < 0 leaves with a message. */
static inline nsds_status nsds_answer(nsds_context *context, const char *call, nsds_status status) {
  if (NSDS_LIKELY(status >= 0 || nsds_error(context))) return status;
  return nsds_fail_silent(context, call, status);
}
/* Records and logs no failures until it is called again with what it returned. */
bool nsds_hush(nsds_context *context, bool hushed);
/* Returns the number of recorded failures, which tells if a user function has given a reason. */
unsigned long nsds_failures(const nsds_context *context);
/* Names the object that has run out of memory, if such a failure was recorded after `failures`. */
void nsds_name_shortage(nsds_context *context, unsigned long failures, const char *kind,
                        const char *name);
/* Fails for reserved words of a definition, or of a `part` of it, that are not zero; see
 * NSDS_TAIL(). */
nsds_status nsds_fail_reserved(nsds_context *context, const char *call, const char *part,
                               const uint64_t *word);
static inline nsds_status nsds_check_reserved(nsds_context *context, const char *call,
                                              const char *part, const uint64_t *word, int count) {
  uint64_t any = 0;
  for (int k = 0; k < count; ++k) any |= word[k];
  return NSDS_LIKELY(!any) ? NSDS_OK : nsds_fail_reserved(context, call, part, word);
}
#define NSDS_TAIL(s) (s)->reserved, (int)(sizeof(s)->reserved / sizeof *(s)->reserved)
/* Fails because a call received NULL for `argument`. Quiet if the context already holds an error,
 * because the NULL is then its consequence. Returns NSDS_ERROR_ARGUMENT. */
nsds_status nsds_fail_null(nsds_context *context, const char *call, const char *argument);
void nsds_log(nsds_context *context, nsds_log_level level, const char *format, ...)
    NSDS_PRINTF(3, 4);
/* Appends an attachment to the list of the context. */
void nsds_attach(nsds_context *context, nsds_attachment *attachment);
/* Returns the first attachment; `next` leads to the others. */
const nsds_attachment *nsds_attachments(const nsds_context *context);
/* Returns the team of the context. The timing in the team is not part of the state of the
 * context. */
nsds_team *nsds_context_team(const nsds_context *context);
/* Calls nsds_renew() after an inline test: mostly there is nothing to do. */
#define NSDS_ENSURE_NEW(context, array, capacity, count)                                           \
  (NSDS_LIKELY((size_t)(count) <= (capacity))                                                      \
       ? NSDS_OK                                                                                   \
       : nsds_renew((context), &(array), &(capacity), (size_t)(count), sizeof *(array)))

#endif
