/*
 * Internals of the base room: memory through the context's hooks, the sticky first error, and
 * growing arrays. nsds_fail() records every failure in the library, so that messages have one shape
 * and one place.
 */
#ifndef NSDS_SRC_BASE_H
#define NSDS_SRC_BASE_H

#include "base/copy.h"
#include "base/text/printf.h"

#include <nsds/base.h>

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <stdio.h>

#if defined(__GNUC__)
#define NSDS_LIKELY(x) __builtin_expect(!!(x), 1)
#define NSDS_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NSDS_NOINLINE __attribute__((noinline)) /* keeps a rare path out of a short one */
#define NSDS_INLINE static inline __attribute__((always_inline)) /* lets constants reach it */
/* Four doubles side by side, at any address. */
typedef double nsds_four __attribute__((vector_size(32), aligned(8), may_alias));
#else
#define NSDS_LIKELY(x) (x)
#define NSDS_UNLIKELY(x) (x)
#define NSDS_NOINLINE
#define NSDS_INLINE static inline
#endif

/* A function compiled twice, for processors with wide vectors and for all others. Products and sums
 * are not fused, so both give the same bits. */
#if defined(NSDS_CLONES) /* the build's: -DNSDS_CLONES= where calls are counted */
#elif defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) &&     \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define NSDS_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define NSDS_CLONES
#endif

/* DBL_EPSILON to the powers 1/3 and 1/5, for steps of differences. Numbers stand here because
 * compilers compute pow() of a constant in different ways: clang makes exp2() of it. */
#define NSDS_EPSILON_TO_THIRD 0x1.965fea53d6e41p-18
#define NSDS_EPSILON_TO_FIFTH 0x1.8406003b2ae5ap-11

/* Grows a capacity by a half, or by less if it is large: a pile needs its memory for contacts. */
static inline size_t nsds_grown(size_t capacity) {
  enum { many = 4096, very_many = 65536 };
  return capacity + capacity / (capacity < many ? 2 : capacity < very_many ? 8 : 64) + 4;
}

/*
 * The part of a context that every call may read: the hook that is being called, NULL if none is. A
 * hook is the log handler or the allocator. Hooks are called from anywhere, with work half done, so
 * that they must not use objects of their context.
 */
typedef struct nsds_context_head {
  const char *hook;
  nsds_status error; /* the first since nsds_error_clear() */
  nsds_stop_fn stop;
  void *stop_user;
} nsds_context_head;

/* nsds_context_stops() for code that asks often. */
static inline bool nsds_stops(const nsds_context *context) {
  const nsds_context_head *head = (const void *)context;
  return NSDS_UNLIKELY(head->stop != NULL) && head->stop(head->stop_user);
}

static inline const char *nsds_hook(const nsds_context *context) {
  return ((const nsds_context_head *)(const void *)context)->hook;
}

/* Returns true if no error is recorded. */
static inline bool nsds_is_clean(const nsds_context *context) {
  return ((const nsds_context_head *)(const void *)context)->error == NSDS_OK;
}

/* Rows of a dense matrix, whose entries are counted in an int. */
enum { nsds_largest_square = 46340 };

/* Sets *most to the larger of two; NaN changes nothing. */
static inline void nsds_raise(double *most, double value) {
  if (value > *most) *most = value;
}
/* fmax() and fmin() without a call, for numbers that are not NaN. */
static inline double nsds_larger(double a, double b) { return a > b ? a : b; }
static inline double nsds_smaller(double a, double b) { return a < b ? a : b; }

/*
 * An object of a higher room that lives as long as the context. `kind` is an address in that room
 * that tells the kind of object. The attachment lies within `object`, one piece of memory, which
 * `destroy` frees with the context.
 */
typedef struct nsds_attachment {
  const void *kind;
  void *object;
  void (*destroy)(nsds_context *context, void *object);
  struct nsds_attachment *next;
} nsds_attachment;

/* Returns the value of a definition field, or the default if the field is zero. */
static inline double nsds_or_default(double value, double default_value) {
  return value == 0.0 ? default_value : value;
}

#endif
