/*
 * The context: allocator hooks, log with repeat suppression, sticky first error, attachments.
 * A failure that has no context to go to (a call on NULL) is kept per thread, like errno.
 */
#include "base/context.h"

#include "base/base.h"
#include "base/text/format.h"
#include "base/parallel.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { message_size = 1024 };

struct nsds_context {
  nsds_context_head head; /* first */
  int threads;
  nsds_team own_team, *team; /* the second points to the first */
  nsds_context_def def;
  char first[message_size];
  char last[message_size];
  char logged[message_size];
  long repeats;
  unsigned long failures;
  bool hushed;                  /* no failure is recorded or logged */
  nsds_status last_status;      /* of the last of them */
  nsds_attachment *attachments; /* in order of attachment */
  size_t pieces, attached;      /* not yet released; attachments among them */
  size_t bytes;                 /* of the pieces */
  nsds_memory_limit limit;
};

static _Thread_local char orphan[message_size];

const char *nsds_status_text(nsds_status status) {
  switch (status) {
#define NSDS_X(name, value, text)                                                                  \
  case name: return text;
    NSDS_STATUS_LIST(NSDS_X)
#undef NSDS_X
  }
  return "unknown status";
}

const char *nsds_version(void) { return NSDS_VERSION; }

static void *default_alloc(size_t size, void *user) {
  (void)user;
  return malloc(size);
}

static void default_release(void *memory, void *user) {
  (void)user;
  free(memory);
}

nsds_context *nsds_context_create(const nsds_context_def *def) {
  nsds_context_def d = {0};
  if (def) d = *def;
  if (nsds_check_reserved(NULL, "nsds_context_create", "", NSDS_TAIL(&d))) return NULL;
  if (!d.alloc != !d.release) {
    nsds_fail(NULL, NSDS_ERROR_ARGUMENT,
              "nsds_context_create: %s is NULL; give both alloc and release, or none",
              d.alloc ? "release" : "alloc");
    return NULL;
  }
  if (!d.alloc) {
    d.alloc = default_alloc;
    d.release = default_release;
  }
  if (!d.log_level) d.log_level = NSDS_LOG_WARNING;
  nsds_context *context = d.alloc(sizeof *context, d.alloc_user);
  if (!context) {
    nsds_fail(NULL, NSDS_ERROR_MEMORY, "nsds_context_create: out of memory");
    return NULL;
  }
  memset(context, 0, sizeof *context);
  context->def = d;
  context->threads = 1;
  context->team = &context->own_team;
  return context;
}

/* Objects hold pieces of memory: if only attachments are left, there is no object. */
static nsds_status check_empty(nsds_context *context) {
  const char *call = "nsds_context_destroy";
  if (nsds_check_hook(context, call)) return NSDS_ERROR_STATE;
  if (context->pieces == context->attached) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_STATE,
                   "%s: objects made in the context are still there; nothing is destroyed: destroy "
                   "models, solvers and problem files first",
                   call);
}

void nsds_context_destroy(nsds_context *context) {
  if (!context || check_empty(context)) return;
  nsds_context_def d = context->def;
  for (nsds_attachment *a = context->attachments, *next; a; a = next) {
    next = a->next; /* lies within the object */
    a->destroy(context, a->object);
  }
  d.release(context, d.alloc_user);
}

nsds_status nsds_context_swap_log(nsds_context *context, nsds_log_fn *log, void **user) {
  const char *call = "nsds_context_swap_log";
  if (!context) return nsds_fail_null(NULL, call, "context");
  if (!log || !user) return nsds_fail_null(context, call, log ? "user" : "log");
  if (nsds_check_hook(context, call)) return NSDS_ERROR_STATE;
  nsds_log_fn old = context->def.log;
  void *old_user = context->def.log_user;
  context->def.log = *log;
  context->def.log_user = *user;
  context->logged[0] = '\0'; /* the new handler has not seen it */
  context->repeats = 0;
  *log = old;
  *user = old_user;
  return NSDS_OK;
}

nsds_status nsds_context_swap_stop(nsds_context *context, nsds_stop_fn *stop, void **user) {
  const char *call = "nsds_context_swap_stop";
  if (!context) return nsds_fail_null(NULL, call, "context");
  if (!stop || !user) return nsds_fail_null(context, call, stop ? "user" : "stop");
  if (nsds_check_hook(context, call)) return NSDS_ERROR_STATE;
  nsds_stop_fn earlier = context->head.stop;
  void *earlier_user = context->head.stop_user;
  context->head.stop = *stop;
  context->head.stop_user = *user;
  *stop = earlier;
  *user = earlier_user;
  return NSDS_OK;
}

nsds_status nsds_context_swap_limit(nsds_context *context, nsds_memory_limit *limit) {
  const char *call = "nsds_context_swap_limit";
  if (!context) return nsds_fail_null(NULL, call, "context");
  if (!limit) return nsds_fail_null(context, call, "limit");
  if (nsds_check_hook(context, call)) return NSDS_ERROR_STATE;
  nsds_memory_limit earlier = context->limit;
  context->limit = *limit;
  *limit = earlier;
  return NSDS_OK;
}

size_t nsds_context_bytes(const nsds_context *context) { return context ? context->bytes : 0; }

bool nsds_context_stops(const nsds_context *context) { return context && nsds_stops(context); }

nsds_status nsds_context_set_threads(nsds_context *context, int threads) {
  const char *call = "nsds_context_set_threads";
  if (!context) return nsds_fail_null(NULL, call, "context");
  if (nsds_check_hook(context, call)) return NSDS_ERROR_STATE;
  if (threads < 1 || threads > nsds_most_threads)
    return nsds_fail(context, NSDS_ERROR_VALUE, "%s: threads is %d; valid is 1..%d", call, threads,
                     nsds_most_threads);
  context->threads = threads;
  context->own_team = (nsds_team){0};
  return NSDS_OK;
}

nsds_team *nsds_context_team(const nsds_context *context) { return context->team; }

int nsds_context_threads(const nsds_context *context) { return context ? context->threads : 1; }

void nsds_attach(nsds_context *context, nsds_attachment *attachment) {
  nsds_attachment **end = &context->attachments;
  while (*end) end = &(*end)->next;
  attachment->next = NULL;
  *end = attachment;
  ++context->attached;
}

const nsds_attachment *nsds_attachments(const nsds_context *context) {
  return context->attachments;
}

nsds_status nsds_error(const nsds_context *context) {
  return context ? context->head.error : NSDS_OK;
}

const char *nsds_error_message(const nsds_context *context) {
  return context ? context->first : orphan;
}

const char *nsds_last_message(const nsds_context *context) {
  return context ? context->last : orphan;
}

void nsds_error_clear(nsds_context *context) {
  if (!context) {
    orphan[0] = '\0';
    return;
  }
  if (nsds_hook(context)) return; /* the failed call still used it */
  context->head.error = NSDS_OK;
  context->first[0] = '\0';
}

static void call_log(nsds_context *context, nsds_log_level level, const char *message) {
  context->head.hook = "log handler";
  context->def.log(level, message, context->def.log_user);
  context->head.hook = NULL;
}

/* A message is a plain text: it may quote a file. */
static void make_message(char message[message_size], const char *format, va_list arguments) {
  memset(message, 0, message_size);
  nsds_format_message(message, message_size, format, arguments);
  nsds_plain_text(message);
}

static void context_deliver(nsds_context *context, nsds_log_level level, const char *message) {
  if (!context->def.log || level > context->def.log_level || nsds_hook(context)) return;
  if (strcmp(message, context->logged) == 0) {
    ++context->repeats;
    return;
  }
  if (context->repeats > 0) {
    char note[64];
    snprintf(note, sizeof note, "(the last message was repeated %ld times)", context->repeats);
    call_log(context, level, note);
  }
  context->repeats = 0;
  memcpy(context->logged, message, message_size);
  call_log(context, level, message);
}

nsds_status nsds_fail(nsds_context *context, nsds_status status, const char *format, ...) {
  char message[message_size];
  va_list arguments;
  if (context && context->hushed) return status;
  va_start(arguments, format);
  make_message(message, format, arguments);
  va_end(arguments);
  if (!context) {
    memcpy(orphan, message, message_size);
    return status;
  }
  ++context->failures;
  context->last_status = status;
  memcpy(context->last, message, message_size);
  if (context->head.error == NSDS_OK) {
    context->head.error = status;
    memcpy(context->first, message, message_size);
  }
  context_deliver(context, NSDS_LOG_ERROR, message);
  return status;
}

nsds_status nsds_fail_silent(nsds_context *context, const char *call, nsds_status status) {
  assert(!"a status < 0 without a message");
  nsds_status told = status < 0 ? status : NSDS_ERROR_INTERNAL;
  return nsds_fail(context, told, "%s: failed with status %d and no known reason", call,
                   (int)status);
}

bool nsds_hush(nsds_context *context, bool hushed) {
  bool before = context->hushed;
  context->hushed = hushed;
  return before;
}

unsigned long nsds_failures(const nsds_context *context) { return context->failures; }

void nsds_name_shortage(nsds_context *context, unsigned long failures, const char *kind,
                        const char *name) {
  if (context->failures == failures || context->last_status != NSDS_ERROR_MEMORY) return;
  bool first = strcmp(context->first, context->last) == 0;
  char message[message_size];
  memcpy(message, context->last, message_size);
  snprintf(context->last, message_size, "%s %.64s: %.900s", kind, name, message);
  if (first) memcpy(context->first, context->last, message_size);
}

nsds_status nsds_fail_reserved(nsds_context *context, const char *call, const char *part,
                               const uint64_t *word) {
  int k = 0;
  while (word[k] == 0) ++k;
  return nsds_fail(
      context, NSDS_ERROR_ARGUMENT,
      "%s: %sreserved[%d] is not zero; set all of the structure to zero before you fill it, "
      "or use the library that your headers belong to",
      call, part, k);
}

nsds_status nsds_fail_null(nsds_context *context, const char *call, const char *argument) {
  if (context && context->head.error != NSDS_OK) return NSDS_ERROR_ARGUMENT;
  return nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s is NULL", call, argument);
}

void nsds_log(nsds_context *context, nsds_log_level level, const char *format, ...) {
  if (!context) return;
  char message[message_size];
  va_list arguments;
  va_start(arguments, format);
  make_message(message, format, arguments);
  va_end(arguments);
  if (level <= NSDS_LOG_WARNING) memcpy(context->last, message, message_size);
  context_deliver(context, level, message);
}

nsds_status nsds_fail_hook(nsds_context *context, const char *call) {
  return nsds_fail(context, NSDS_ERROR_STATE,
                   "%s: called from the %s of its context; only errors and messages may be asked "
                   "for there",
                   call, nsds_hook(context));
}

/* Returns zeroed memory; NULL, without a record, if memory is out. */
static void *ask_allocator(nsds_context *context, size_t size) {
  bool own = context->def.alloc == default_alloc; /* large pieces are not touched */
  context->head.hook = "allocator";
  void *memory = own ? calloc(1, size) : context->def.alloc(size, context->def.alloc_user);
  context->head.hook = NULL;
  return memory && !own ? memset(memory, 0, size) : memory;
}

/* Stands before each piece, so that a piece alone says where it belongs and how large it is. */
typedef struct piece_head {
  nsds_context *context;
  size_t size; /* with the head */
} piece_head;
_Static_assert(sizeof(piece_head) % 16 == 0 || sizeof(void *) < 8, "pieces are aligned to 16");

/* Does the same for a piece that is counted. */
static void *obtain(nsds_context *context, size_t count, size_t size) {
  enum { most_head = 32 };
  if (count == 0) count = 1;
  if (size > 0 && count > ((size_t)PTRDIFF_MAX - most_head) / size)
    return NULL; /* no object is larger */
  size_t whole = count * size + sizeof(piece_head);
  size_t most = context->limit.bytes;
  if (most && (whole > most || context->bytes > most - whole)) {
    context->limit.reached = true;
    return NULL;
  }
  piece_head *piece = ask_allocator(context, whole);
  if (!piece) return NULL;
  *piece = (piece_head){.context = context, .size = whole};
  ++context->pieces;
  context->bytes += whole;
  return piece + 1;
}

/* Returns the start of a field's name in the expression of its address, and the length of the
 * name. */
static const char *field_of(const char *expression, int *length) {
  const char *at = expression;
  for (const char *c = expression; *c; ++c)
    if (*c == '&' || *c == '(' || *c == '.' || *c == '>') at = c + 1;
  *length = (int)strcspn(at, ")");
  return at;
}

void *nsds_alloc_apart(nsds_context *context, size_t size, nsds_apart_memory *of) {
  if (nsds_check_hook(context, "an allocation")) return NULL;
  void *memory = ask_allocator(context, size);
  *of = (nsds_apart_memory){.release = context->def.release, .user = context->def.alloc_user};
  return memory;
}

/* Returns the end of a message of missing memory, which names the limit if that was reached. */
static const char *limit_text(const nsds_context *context, char text[80]) {
  text[0] = '\0';
  if (context->limit.reached)
    snprintf(text, 80, "; the limit of the context is %zu bytes", context->limit.bytes);
  return text;
}

void *nsds_alloc(nsds_context *context, const char *what, size_t count, size_t size) {
  if (!context || nsds_check_hook(context, "an allocation")) return NULL;
  void *memory = obtain(context, count, size);
  if (!memory) {
    int length;
    char limit[80];
    const char *field = field_of(what ? what : "memory", &length);
    nsds_fail(context, NSDS_ERROR_MEMORY, "out of memory for %.*s: %zu elements of %zu bytes%s",
              length, field, count, size, limit_text(context, limit));
  }
  return memory;
}

void *nsds_alloc_for(nsds_context *context, const char *object, const char *field, size_t count,
                     size_t size) {
  if (nsds_check_hook(context, "an allocation")) return NULL;
  void *memory = obtain(context, count, size);
  char limit[80];
  if (!memory)
    nsds_fail(context, NSDS_ERROR_MEMORY, "%s: out of memory for %s: %zu elements of %zu bytes%s",
              object, field, count, size, limit_text(context, limit));
  return memory;
}

void nsds_free(void *memory) {
  if (!memory) return;
  piece_head *piece = (piece_head *)memory - 1;
  nsds_context *context = piece->context;
  const char *within = nsds_hook(context);
  context->bytes -= piece->size;
  --context->pieces;
  context->head.hook = "allocator";
  context->def.release(piece, context->def.alloc_user);
  context->head.hook = within;
}

void *nsds_copy_array(nsds_context *context, const char *what, const void *source, size_t count,
                      size_t size) {
  if (!source) return NULL;
  void *memory = nsds_alloc(context, what, count, size);
  if (memory && count * size > 0) memcpy(memory, source, count * size);
  return memory;
}

void *nsds_copy_for(nsds_context *context, const char *object, const char *field,
                    const void *source, size_t count, size_t size) {
  if (!source) return NULL;
  void *memory = nsds_alloc_for(context, object, field, count, size);
  if (memory && count * size > 0) memcpy(memory, source, count * size);
  return memory;
}

nsds_status nsds_grow_array(nsds_context *context, const char *what, void *array, size_t *capacity,
                            size_t count, size_t size) {
  if (count <= *capacity) return NSDS_OK;
  size_t wanted = nsds_grown(*capacity);
  if (wanted < count) wanted = count;
  void *old;
  memcpy(&old, array, sizeof old);
  void *grown = nsds_alloc(context, what, wanted, size);
  if (!grown) return NSDS_ERROR_MEMORY;
  if (old && *capacity > 0) memcpy(grown, old, *capacity * size);
  nsds_release(context, old);
  memcpy(array, &grown, sizeof grown);
  *capacity = wanted;
  return NSDS_OK;
}

nsds_status nsds_renew_array(nsds_context *context, const char *what, void *array, size_t *capacity,
                             size_t count, size_t size) {
  if (count <= *capacity) return NSDS_OK;
  size_t wanted = nsds_grown(*capacity);
  void *old, *none = NULL;
  memcpy(&old, array, sizeof old);
  nsds_release(context, old);
  memcpy(array, &none, sizeof none);
  *capacity = 0;
  return nsds_grow_array(context, what, array, capacity, wanted > count ? wanted : count, size);
}
