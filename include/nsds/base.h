/**
 * @file base.h
 * @brief Status codes, the context (allocator, log, sticky first error) and export macros.
 *
 * Conventions of the whole library:
 * - Constructors return the object or NULL; every other call returns an ::nsds_status.
 * - A status is < 0 for a failure, 0 for success, > 0 for information.
 * - The context keeps the first failure with a message: the object, the argument, its value and
 *   valid values. If a constructor fails, later calls receive its NULL. Such calls fail without a
 *   message of their own, so the first message stays.
 * - The library never prints, exits or aborts.
 */
#ifndef NSDS_BASE_H
#define NSDS_BASE_H

#include <nsds/config.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Marks functions that the library exports. */
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

/** X-macro list of all statuses: name, value, text. The list makes the enum and the texts. */
#define NSDS_STATUS_LIST(X)                                                                        \
  X(NSDS_ERROR_LIMIT, -17, "a limit of the program that reads a file was reached")                 \
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

/** Outcome of an API call: < 0 failure, 0 success, > 0 information. */
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
 * Number of reserved words at the end of each definition and table of operations that you fill.
 * These words are room for fields of later versions. Leave them zero, as initializers do; calls
 * refuse other values. So if a program with newer headers sets a field that the library does not
 * know, the call fails.
 */
enum {
  NSDS_RESERVED = 4 /**< number of words */
};

/** Severity of a log message. */
typedef enum nsds_log_level {
  NSDS_LOG_ERROR = 1,   /**< a call failed */
  NSDS_LOG_WARNING = 2, /**< a call succeeded, but you should look */
  NSDS_LOG_INFO = 3     /**< choices of the library, with reasons */
} nsds_log_level;

/**
 * Receives log messages. A message equal to the previous message is counted, not repeated. The
 * count is reported with the next message that differs. In the handler and in the hooks of the
 * allocator you may read objects of the context, errors and messages, but change nothing.
 * Messages recorded meanwhile are not delivered.
 */
typedef void (*nsds_log_fn)(nsds_log_level level, const char *message, void *user);

/** Allocator hooks and log handler; zero fields mean malloc, free and silence. */
typedef struct nsds_context_def {
  void *(*alloc)(size_t size, void *user); /**< returns NULL when out of memory; 16-byte aligned */
  void (*release)(void *memory, void *user); /**< counterpart of alloc; give both or none */
  void *alloc_user;                          /**< passed to both hooks */
  nsds_log_fn log;                           /**< log handler, or NULL for silence */
  void *log_user;                            /**< passed to the log handler */
  nsds_log_level log_level;                  /**< least severe level that is delivered; default
                                                  warning */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_context_def;

/** Allocator, log handler and first error of a set of objects. Not shared between threads. */
typedef struct nsds_context nsds_context;

/** Creates a context; def may be NULL. Returns NULL when memory is out or a hook is missing. */
NSDS_API nsds_context *nsds_context_create(const nsds_context_def *def);

/**
 * Frees a context; NULL is allowed. First destroy every object created in the context. Otherwise
 * nothing is freed, and NSDS_ERROR_STATE is recorded.
 */
NSDS_API void nsds_context_destroy(nsds_context *context);

/**
 * Exchanges the log handler of a context. Use this to collect the messages of a part of your
 * program. Call the function before and after the part, with the same two variables.
 *
 * @param context a context
 * @param log     a handler, or NULL for silence; receives the earlier handler
 * @param user    passed to the handler; receives the earlier pointer
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT if an argument is NULL; NSDS_ERROR_STATE within a hook
 */
NSDS_API nsds_status nsds_context_swap_log(nsds_context *context, nsds_log_fn *log, void **user);

/**
 * Lets solvers and models of the context share their work among `threads` threads, 1 to 256. The
 * default is 1, the calling thread alone. Results have the same bits for any number.
 *
 * Among the threads, the solver "nsgs" shares its sweeps, which go by colors (option `order`), its
 * accelerations and its certificates. "auto" does the same while it uses "nsgs". Time stepping
 * shares the search for contacts of nsds_spheres(), the setup of the problem and the motion of
 * bodies. Only the calling thread calls user functions and handles systems and contacts that have
 * user functions.
 *
 * If sharing loses time, because processors are busy or there is little to do, the calling thread
 * does all work for a while. Without OpenMP (NSDS_WITH_OPENMP) the calling thread does all work. If
 * OpenMP cannot start a thread, OpenMP may end the program.
 *
 * @param context a context
 * @param threads number of threads, with the calling thread
 * @return NSDS_OK; NSDS_ERROR_VALUE out of range; NSDS_ERROR_STATE within a hook
 */
NSDS_API nsds_status nsds_context_set_threads(nsds_context *context, int threads);

/**
 * Number of threads that share work.
 *
 * @param context a context, or NULL
 * @return the number set; 1 for NULL
 */
NSDS_API int nsds_context_threads(const nsds_context *context);

/**
 * Makes a text fit to be shown, in place. Use it for texts that come from a file or from a user and go to a terminal,
 * a page or another program. Control characters, line breaks and marks that turn the direction of text become blanks,
 * one for each byte. A byte that belongs to no character of UTF-8 becomes '?'. The length stays.
 *
 * Messages and names of the library, and titles, columns and measures of jobs are plain texts already.
 *
 * @param text ends with NUL; NULL is allowed
 * @return text
 */
NSDS_API char *nsds_plain_text(char *text);

/** Asks if the work of a context is to end. Return true to end it. */
typedef bool (*nsds_stop_fn)(void *user);

/**
 * Exchanges the function that ends the work of a context, for example after Ctrl-C or at a time limit. The library asks
 * it between steps, within steps at every event and every iteration of a solver, and while files are read. The calling
 * thread asks. The function must be quick, and must not use objects of the context.
 *
 * Once the function returns true, nsds_step() and nsds_run() return NSDS_STOPPED. The model is as after the last
 * complete step, and the next call goes on. nsds_solve() ends with the outcome NSDS_INTERRUPTED.
 *
 * @param context a context
 * @param stop    a function, or NULL for none; receives the earlier one
 * @param user    passed to the function; receives the earlier pointer
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT if an argument is NULL; NSDS_ERROR_STATE within a hook
 */
NSDS_API nsds_status nsds_context_swap_stop(nsds_context *context, nsds_stop_fn *stop, void **user);

/** How much memory a context may have. Zero: no limit. */
typedef struct nsds_memory_limit {
  size_t bytes; /**< of all pieces from nsds_alloc() together; 0: no limit */
  bool reached; /**< out: a piece was refused since the limit was set; in: false */
} nsds_memory_limit;

/**
 * Exchanges the limit of the memory of a context. A call that needs more fails with NSDS_ERROR_MEMORY, and the model is
 * as before the call. Memory that other libraries take for themselves (sparse factors, libyaml, HDF5) does not count.
 *
 * @param context a context
 * @param limit   the new limit; receives the earlier one, and whether that was reached
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT if an argument is NULL; NSDS_ERROR_STATE within a hook
 */
NSDS_API nsds_status nsds_context_swap_limit(nsds_context *context, nsds_memory_limit *limit);

/** Bytes that the objects of a context have now; 0 for NULL. */
NSDS_API size_t nsds_context_bytes(const nsds_context *context);

/**
 * Memory for objects of your own, from the allocator of the context. The context counts each piece as an object.
 * @param context a context
 * @param what    what the memory is for, for the message; NULL: "memory"
 * @param count   number of elements; 0 is taken as 1
 * @param size    bytes of an element
 * @return zeroed memory, aligned to 16 bytes, which you give back with nsds_free(). NULL if memory is out, the limit of
 *         nsds_context_swap_limit() is reached or `context` is NULL; the message names `what`
 */
NSDS_API void *nsds_alloc(nsds_context *context, const char *what, size_t count, size_t size);

/** Gives back memory of nsds_alloc() to its context, which must still be there; NULL is allowed. */
NSDS_API void nsds_free(void *memory);

/** Asks the function of nsds_context_swap_stop(), for readers and long functions of your own. false without one. */
NSDS_API bool nsds_context_stops(const nsds_context *context);

/** Status of the first failure since creation or the last nsds_error_clear(); NSDS_OK if none. */
NSDS_API nsds_status nsds_error(const nsds_context *context);

/**
 * Message of the first failure, "" if none. With NULL: the last message of a call in this thread
 * without an object that leads to a context (for example nsds_step(NULL)). The pointer stays valid
 * until the next failing call.
 */
NSDS_API const char *nsds_error_message(const nsds_context *context);

/** Message of the latest failure or warning, "" if none; NULL as in nsds_error_message(). */
NSDS_API const char *nsds_last_message(const nsds_context *context);

/** Forgets the first error; does nothing within the log handler or the allocator. */
NSDS_API void nsds_error_clear(nsds_context *context);

#ifdef __cplusplus
}
#endif
#endif
