/**
 * @file base.h
 * @brief Status codes, the context (allocator, log, sticky first error) and export macros.
 *
 * Conventions of the whole library:
 * - Constructors return the object or NULL; every other call returns an ::nsds_status.
 * - A status is < 0 for a failure, 0 for success, > 0 for something to know.
 * - The first failure sticks to the context together with a message that names the object, the
 *   argument, its value and what would be valid. Calls that receive NULL because an earlier
 *   constructor failed fail quietly and leave that first message in place.
 * - The library never prints, exits or aborts.
 */
#ifndef NSDS_BASE_H
#define NSDS_BASE_H

#include <nsds/config.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Marks what the library exports. */
#if defined(_WIN32)
#define NSDS_API
#elif defined(__GNUC__)
#define NSDS_API __attribute__((visibility("default")))
#else
#define NSDS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** X-macro list of all statuses: name, value, text. The enum and the texts come from it. */
#define NSDS_STATUS_LIST(X)                                                                        \
  X(NSDS_ERROR_INTEGRATION, -16, "the smooth motion between events could not be integrated")       \
  X(NSDS_ERROR_ABORTED, -15, "a user function asked to abort the step")                            \
  X(NSDS_ERROR_INTERNAL, -14, "internal error of the library")                                     \
  X(NSDS_ERROR_IO, -13, "a file could not be read or written")                                     \
  X(NSDS_ERROR_FORMAT, -12, "malformed data")                                                      \
  X(NSDS_ERROR_UNSUPPORTED, -11, "not supported")                                                  \
  X(NSDS_ERROR_STATE, -10, "call not possible in the present state")                               \
  X(NSDS_ERROR_NEWTON, -9, "Newton iteration did not converge")                                    \
  X(NSDS_ERROR_SOLVER, -8, "the nonsmooth problem was not solved")                                 \
  X(NSDS_ERROR_PLUGIN, -7, "plugin could not be used")                                             \
  X(NSDS_ERROR_CALLBACK, -6, "a user function failed")                                             \
  X(NSDS_ERROR_SINGULAR, -5, "singular matrix")                                                    \
  X(NSDS_ERROR_VALUE, -4, "value out of range or not finite")                                      \
  X(NSDS_ERROR_SIZE, -3, "sizes do not fit")                                                       \
  X(NSDS_ERROR_ARGUMENT, -2, "invalid argument")                                                   \
  X(NSDS_ERROR_MEMORY, -1, "out of memory")                                                        \
  X(NSDS_OK, 0, "success")                                                                         \
  X(NSDS_END, 1, "the end of the simulated interval is reached")                                   \
  X(NSDS_STOPPED, 2, "stopped on request of a user function")                                      \
  X(NSDS_AGAIN, 3, "another iteration is needed")

/** Outcome of an API call: < 0 failed, 0 fine, > 0 something to know. */
typedef enum nsds_status {
#define NSDS_X(name, value, text) name = value, /**< see ::NSDS_STATUS_LIST */
  NSDS_STATUS_LIST(NSDS_X)
#undef NSDS_X
} nsds_status;

/** Text of a status; never NULL. */
NSDS_API const char *nsds_status_text(nsds_status status);

/** Library version as "major.minor.patch", of the library linked at run time. */
NSDS_API const char *nsds_version(void);

/**
 * Words at the end of each definition and table of operations that you fill: room for fields of later
 * versions. Leave them zero, as initialisers do; calls refuse other values. So a program that was
 * compiled with newer headers learns when it sets a field that the library does not know.
 */
enum {
  NSDS_RESERVED = 4 /**< words of each */
};

/** Severity of a log message. */
typedef enum nsds_log_level {
  NSDS_LOG_ERROR = 1,   /**< a call failed */
  NSDS_LOG_WARNING = 2, /**< a call succeeded, but its caller should look */
  NSDS_LOG_INFO = 3     /**< what was chosen and why */
} nsds_log_level;

/**
 * Receives log messages. A message equal to the previous one is counted instead of repeated;
 * the count is delivered with the next different message. Within the handler, as within the
 * allocator's hooks, you may read objects of the context and ask for errors and messages, but not
 * change anything. Messages recorded meanwhile are not delivered.
 */
typedef void (*nsds_log_fn)(nsds_log_level level, const char *message, void *user);

/** Allocator hooks and log handler; zero fields mean malloc, free and silence. */
typedef struct nsds_context_def {
  void *(*alloc)(size_t size, void *user); /**< returns NULL when out of memory; 16-byte aligned */
  void (*release)(void *memory, void *user); /**< counterpart of alloc; both or none are given */
  void *alloc_user;                          /**< passed to both hooks */
  nsds_log_fn log;                           /**< log handler, or NULL for silence */
  void *log_user;                            /**< passed to the log handler */
  nsds_log_level log_level;                  /**< most talkative level delivered; default warning */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_context_def;

/** Allocator, log handler and first error of a set of objects. Not shared between threads. */
typedef struct nsds_context nsds_context;

/** Creates a context; def may be NULL. Returns NULL when memory is out or a hook is missing. */
NSDS_API nsds_context *nsds_context_create(const nsds_context_def *def);

/**
 * Frees a context; NULL is allowed. Every object created in it has been destroyed before: where one
 * is still there, nothing is freed and NSDS_ERROR_STATE is recorded.
 */
NSDS_API void nsds_context_destroy(nsds_context *context);

/**
 * Lets solvers and models of the context share their work among `threads` threads, 1 to 256. The default
 * is 1: no thread but the caller's. Results have the same bits for any number.
 *
 * The solver "nsgs" shares its sweeps, which go by colours (option `order`), its accelerations and its
 * certificates, also as a part of "auto". Time stepping shares the search for contacts of
 * nsds_spheres(), the setup of the problem and the motion of bodies. User functions are called in the
 * caller's thread alone; systems and contacts that have any are its work.
 *
 * The caller's thread does everything for a while when sharing loses time: processors are busy, or there
 * is little to do. The same holds for a library without OpenMP (NSDS_WITH_OPENMP). Threads that
 * cannot be had are a matter of OpenMP, which may end the program.
 *
 * @param context a context
 * @param threads how many, the caller's included
 * @return NSDS_OK; NSDS_ERROR_VALUE out of range; NSDS_ERROR_STATE within a hook
 */
NSDS_API nsds_status nsds_context_set_threads(nsds_context *context, int threads);

/**
 * How many threads share work.
 *
 * @param context a context, or NULL
 * @return the number set; 1 for NULL
 */
NSDS_API int nsds_context_threads(const nsds_context *context);

/** Status of the first failure since creation or the last nsds_error_clear(); NSDS_OK if none. */
NSDS_API nsds_status nsds_error(const nsds_context *context);

/**
 * Message of the first failure, "" if none. With NULL: the last message of a call in this thread
 * that had no object from which a context could be reached (for example nsds_step(NULL)).
 * The pointer stays valid until the next failing call.
 */
NSDS_API const char *nsds_error_message(const nsds_context *context);

/** Message of the latest failure or warning, "" if none; NULL as in nsds_error_message(). */
NSDS_API const char *nsds_last_message(const nsds_context *context);

/** Forgets the sticky first error; does nothing within the log handler or the allocator. */
NSDS_API void nsds_error_clear(nsds_context *context);

#ifdef __cplusplus
}
#endif
#endif
