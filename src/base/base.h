/*
 * Internals of the base room: memory through the context's hooks, the sticky first error, and
 * growing arrays. Every failure in the library is recorded by nsds_fail(), so that a message has
 * one shape and one place.
 */
#ifndef NSDS_SRC_BASE_H
#define NSDS_SRC_BASE_H

#include <nsds/base.h>

#include <math.h>
#include <stdarg.h>
#include <string.h>

#if defined(__GNUC__)
#define NSDS_PRINTF(a, b) __attribute__((format(printf, a, b)))
#define NSDS_LIKELY(x) __builtin_expect(!!(x), 1)
#define NSDS_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NSDS_NOINLINE __attribute__((noinline)) /* keeps a rare path out of a short one */
#define NSDS_INLINE static inline __attribute__((always_inline)) /* so that constants reach it */
/* Four doubles side by side, at any address. */
typedef double nsds_four __attribute__((vector_size(32), aligned(8), may_alias));
#else
#define NSDS_PRINTF(a, b)
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

/* DBL_EPSILON to the powers 1/3 and 1/5, for steps of differences. They are numbers because compilers
 * compute pow() of a constant in different ways: clang makes exp2() of it. */
#define NSDS_EPSILON_TO_THIRD 0x1.965fea53d6e41p-18
#define NSDS_EPSILON_TO_FIFTH 0x1.8406003b2ae5ap-11

/* Of a clock that nobody sets. */
double nsds_seconds(void);

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

/* What has become too small grows by a half, and by a quarter where that is much. */
static inline size_t nsds_grown(size_t capacity) {
  enum { many = 4096 };
  return capacity + capacity / (capacity < many ? 2 : 4) + 4;
}

/* Grows *array (of elements of `size` bytes) to at least `count` elements, keeping the first
 * `*capacity`, zeroing the rest. On failure the array is unchanged. */
#define nsds_grow(context, array, capacity, count, size)                                           \
  nsds_grow_array(context, #array, array, capacity, count, size)
nsds_status nsds_grow_array(nsds_context *context, const char *what, void *array, size_t *capacity,
                            size_t count, size_t size);

/* The same for what is written anew: the old array is given back first, so that the two are never
 * there together. On failure there is none. */
#define nsds_renew(context, array, capacity, count, size)                                          \
  nsds_renew_array(context, #array, array, capacity, count, size)
nsds_status nsds_renew_array(nsds_context *context, const char *what, void *array, size_t *capacity,
                             size_t count, size_t size);

/*
 * What every call may look at of a context: the hook that is being called, NULL where none is. A
 * hook, the log handler or the allocator, is called from anywhere, with anything half done, so that
 * the objects of its context are closed to it.
 */
typedef struct nsds_context_head {
  const char *hook;
} nsds_context_head;

static inline const char *nsds_hook(const nsds_context *context) {
  return ((const nsds_context_head *)(const void *)context)->hook;
}

/* Memory that outlives the context: release(memory, user) gives it back. NULL: there is none, and
 * nothing is recorded. */
typedef struct nsds_apart_memory {
  void (*release)(void *memory, void *user);
  void *user;
} nsds_apart_memory;
void *nsds_alloc_apart(nsds_context *context, size_t size, nsds_apart_memory *of);

/* Fails with NSDS_ERROR_STATE within a hook of the context. */
nsds_status nsds_fail_hook(nsds_context *context, const char *call);
static inline nsds_status nsds_check_hook(nsds_context *context, const char *call) {
  return NSDS_LIKELY(!nsds_hook(context)) ? NSDS_OK : nsds_fail_hook(context, call);
}

/* Rows of a dense matrix, whose entries are counted in an int. */
enum { nsds_largest_square = 46340 };

/* The larger of two into *most; NaN changes nothing. */
static inline void nsds_raise(double *most, double value) {
  if (value > *most) *most = value;
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

/* Failure of a call that received NULL for `argument`: quiet when the context already holds an
 * error, because the NULL is then its consequence. Always NSDS_ERROR_ARGUMENT. */
nsds_status nsds_fail_null(nsds_context *context, const char *call, const char *argument);

void nsds_log(nsds_context *context, nsds_log_level level, const char *format, ...)
    NSDS_PRINTF(3, 4);

/*
 * Something of a higher room that lives as long as the context; `kind` is the address of something
 * of that room. It lies within `object`, one piece of memory, which `destroy` frees with the
 * context.
 */
typedef struct nsds_attachment {
  const void *kind;
  void *object;
  void (*destroy)(nsds_context *context, void *object);
  struct nsds_attachment *next;
} nsds_attachment;

/* Appends it to those of the context, which are walked from the first by `next`. */
void nsds_attach(nsds_context *context, nsds_attachment *attachment);
const nsds_attachment *nsds_attachments(const nsds_context *context);

/* Copies and zeros of a few doubles, one by one: what the C library stores with wide or masked
 * moves is not at once there for a narrow load. */
enum { nsds_few_doubles = 16 };

static inline void nsds_copy_doubles(double *to, const double *from, size_t n) {
  if (n > nsds_few_doubles) {
    memcpy(to, from, n * sizeof *to);
    return;
  }
  for (size_t k = 0; k < n; ++k) ((volatile double *)to)[k] = from[k];
}

static inline void nsds_zero_doubles(double *x, size_t n) {
  if (n > nsds_few_doubles) {
    memset(x, 0, n * sizeof *x);
    return;
  }
  for (size_t k = 0; k < n; ++k) ((volatile double *)x)[k] = 0.0;
}

/* What follows, of many entries. */
double nsds_zero_if_many_finite(const double *x, int n);

/* 0 where all entries of x[0..n) are finite, NaN otherwise: x - x is either. */
static inline double nsds_zero_if_finite(const double *x, int n) {
  double sum = 0.0;
  if (n <= nsds_few_doubles)
    for (int i = 0; i < n; ++i) { /* read one by one, as they were written just now */
      double value = ((const volatile double *)x)[i];
      sum += value - value;
    }
  else sum = nsds_zero_if_many_finite(x, n);
  return sum;
}

/* The same for x[0..n) and y[0..n). */
static inline double nsds_zero_if_pairs_finite(const double *x, const double *y, int n) {
  double sum = 0.0;
  if (n <= nsds_few_doubles)
    for (int i = 0; i < n; ++i) {
      double a = ((const volatile double *)x)[i], b = ((const volatile double *)y)[i];
      sum += (a - a) + (b - b);
    }
  else sum = nsds_zero_if_many_finite(x, n) + nsds_zero_if_many_finite(y, n);
  return sum;
}

/* Index of the first non-finite entry of x[0..n), -1 if all are finite. */
static inline int nsds_first_nonfinite(const double *x, int n) {
  if (NSDS_LIKELY(nsds_zero_if_finite(x, n) == 0.0)) return -1;
  for (int i = 0; i < n; ++i)
    if (!isfinite(x[i])) return i;
  return -1;
}

/* Zeros in the place of what is not finite. */
static inline void nsds_make_finite(double *x, int n) {
  if (nsds_first_nonfinite(x, n) < 0) return;
  for (int i = 0; i < n; ++i)
    if (!isfinite(x[i])) x[i] = 0.0;
}

/* A definition field: its value, or the default where it was left at (positive) zero. */
static inline double nsds_or_default(double value, double default_value) {
  return value == 0.0 && !signbit(value) ? default_value : value;
}

#endif
