/*
 * The context: statuses as text, the first and the last message, what the log handler is told, what a
 * hook may not do, and when a context is destroyed.
 */
#include "base/context.h"
#include "cmocka_setup.h"
#include "meter.h"

#include <stdio.h>

/* What the log handler was told, one line for each message. */
typedef struct heard {
  char text[1024];
  int count;
  nsds_context *context; /* whose functions the handler calls, NULL: none */
  nsds_status within;    /* of the call in the handler */
} heard;

static void hear(nsds_log_level level, const char *message, void *user) {
  heard *h = user;
  size_t used = strlen(h->text);
  snprintf(h->text + used, sizeof h->text - used, "%d %s\n", (int)level, message);
  ++h->count;
  if (!h->context) return;
  h->within = nsds_context_set_threads(h->context, 2);
  nsds_error_clear(h->context);
  nsds_context_destroy(h->context);
  assert_null(nsds_alloc(h->context, "word", 1, 1));
  assert_null(nsds_alloc_for(h->context, "box", "word", 1, 1));
}

static nsds_context *listen(heard *h, nsds_log_level level) {
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = hear, .log_user = h, .log_level = level});
  assert_non_null(context);
  return context;
}

static void statuses_have_texts(void **unused) {
  (void)unused;
#define NSDS_X(name, value, text) assert_string_equal(nsds_status_text(value), text);
  NSDS_STATUS_LIST(NSDS_X)
#undef NSDS_X
  assert_string_equal(nsds_status_text((nsds_status)-18), "unknown status");
  assert_string_equal(nsds_status_text((nsds_status)4), "unknown status");
  assert_string_equal(nsds_version(), NSDS_VERSION);
}

static void *never(size_t size, void *user) {
  (void)size;
  (void)user;
  return NULL;
}

static void forget(void *memory, void *user) {
  (void)memory;
  (void)user;
}

static void hooks_come_in_pairs(void **unused) {
  (void)unused;
  assert_null(nsds_context_create(&(nsds_context_def){.alloc = never}));
  assert_string_equal(nsds_error_message(NULL), "nsds_context_create: release is NULL; give both "
                                                "alloc and release, or none");
  assert_null(nsds_context_create(&(nsds_context_def){.release = forget}));
  assert_string_equal(nsds_last_message(NULL),
                      "nsds_context_create: alloc is NULL; give both alloc "
                      "and release, or none");
  assert_null(nsds_context_create(&(nsds_context_def){.alloc = never, .release = forget}));
  assert_string_equal(nsds_error_message(NULL), "nsds_context_create: out of memory");
  nsds_error_clear(NULL);
  assert_string_equal(nsds_error_message(NULL), "");
  assert_int_equal(nsds_error(NULL), NSDS_OK);
}

static void the_first_error_stays(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  assert_int_equal(nsds_error(context), NSDS_OK);
  assert_string_equal(nsds_error_message(context), "");
  assert_status(nsds_fail(context, NSDS_ERROR_SIZE, "size is %d", 3), NSDS_ERROR_SIZE);
  assert_status(nsds_fail(context, NSDS_ERROR_VALUE, "value is %g", 0.5), NSDS_ERROR_VALUE);
  assert_int_equal(nsds_error(context), NSDS_ERROR_SIZE);
  assert_string_equal(nsds_error_message(context), "size is 3");
  assert_string_equal(nsds_last_message(context), "value is 0.5");
  assert_int_equal(nsds_failures(context), 2);

  /* an argument that is NULL because of an earlier failure is no failure of its own */
  assert_status(nsds_fail_null(context, "call", "x"), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_failures(context), 2);
  nsds_error_clear(context);
  assert_int_equal(nsds_error(context), NSDS_OK);
  assert_status(nsds_fail_null(context, "call", "x"), NSDS_ERROR_ARGUMENT);
  assert_string_equal(nsds_error_message(context), "call: x is NULL");
  assert_status(nsds_fail_null(NULL, "other", "y"), NSDS_ERROR_ARGUMENT);
  assert_string_equal(nsds_error_message(NULL), "other: y is NULL");
  nsds_context_destroy(context);
}

static void messages_that_are_too_long_are_cut(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  char word[3000];
  memset(word, 'a', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  nsds_fail(context, NSDS_ERROR_VALUE, "%s", word);
  assert_int_equal(strlen(nsds_error_message(context)), 1023);
  nsds_context_destroy(context);
}

static void the_log_tells_repetitions_once(void **unused) {
  (void)unused;
  heard h = {.text = ""};
  nsds_context *context = listen(&h, 0);
  for (int k = 0; k < 3; ++k) nsds_log(context, NSDS_LOG_WARNING, "wet");
  assert_string_equal(h.text, "2 wet\n");
  nsds_fail(context, NSDS_ERROR_VALUE, "dry");
  assert_string_equal(h.text, "2 wet\n1 (the last message was repeated 2 times)\n1 dry\n");
  nsds_log(context, NSDS_LOG_WARNING, "wet");
  assert_int_equal(h.count, 4);
  nsds_context_destroy(context);
}

static void the_log_is_as_talkative_as_asked(void **unused) {
  (void)unused;
  heard h = {.text = ""};
  nsds_context *context = listen(&h, 0); /* warnings by default */
  nsds_log(context, NSDS_LOG_INFO, "small");
  assert_int_equal(h.count, 0);
  assert_string_equal(nsds_last_message(context), "");
  nsds_log(context, NSDS_LOG_WARNING, "large");
  assert_int_equal(h.count, 1);
  assert_string_equal(nsds_last_message(context), "large");
  nsds_context_destroy(context);
  context = listen(&h, NSDS_LOG_INFO);
  nsds_log(context, NSDS_LOG_INFO, "small");
  assert_string_equal(h.text, "2 large\n3 small\n");
  nsds_context_destroy(context);
  context = listen(&h, NSDS_LOG_ERROR);
  nsds_log(context, NSDS_LOG_WARNING, "large");
  assert_int_equal(h.count, 2);
  nsds_context_destroy(context);
  nsds_log(NULL, NSDS_LOG_WARNING, "nobody hears this");
}

/* The handler's calls fail, clear nothing and destroy nothing. */
static void a_handler_finds_the_context_closed(void **unused) {
  (void)unused;
  heard h = {.text = ""};
  nsds_context *context = listen(&h, 0);
  h.context = context;
  nsds_fail(context, NSDS_ERROR_SIZE, "size");
  assert_string_equal(h.text, "1 size\n");
  assert_int_equal(h.within, NSDS_ERROR_STATE);
  assert_int_equal(nsds_error(context), NSDS_ERROR_SIZE);
  assert_string_equal(nsds_last_message(context),
                      "an allocation: called from the log handler of its context; only errors and "
                      "messages may be asked for there");
  assert_int_equal(nsds_context_threads(context), 1);
  h.context = NULL;
  nsds_context_destroy(context);
}

static void threads_have_limits(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  assert_int_equal(nsds_context_threads(context), 1);
  assert_status(nsds_context_set_threads(context, 256), NSDS_OK);
  assert_status(nsds_context_set_threads(context, 257), NSDS_ERROR_VALUE);
  assert_string_equal(nsds_error_message(context),
                      "nsds_context_set_threads: threads is 257; valid is 1..256");
  assert_status(nsds_context_set_threads(context, 0), NSDS_ERROR_VALUE);
  assert_int_equal(nsds_context_threads(context), 256);
  assert_int_equal(nsds_context_threads(NULL), 1);
  assert_status(nsds_context_set_threads(NULL, 2), NSDS_ERROR_ARGUMENT);
  nsds_context_destroy(context);
}

static void a_context_with_objects_stays(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  void *piece = nsds_alloc(context, "piece", 1, 1);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 2);
  assert_int_equal(nsds_error(context), NSDS_ERROR_STATE);
  nsds_release(context, piece);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
  nsds_context_destroy(NULL);
}

/* Something of a higher room, which counts when it is destroyed. */
typedef struct guest {
  nsds_attachment attachment; /* not the first member of every room's objects */
  int *order, number;
} guest;

static void leave(nsds_context *context, void *object) {
  guest *g = object;
  *g->order = 10 * *g->order + g->number;
  nsds_release(context, g);
}

static void attachments_leave_in_order(void **unused) {
  (void)unused;
  meter m = {0};
  int order = 0;
  nsds_context *context = metered_context(&m);
  assert_null(nsds_attachments(context));
  for (int k = 1; k <= 3; ++k) {
    guest *g = NSDS_NEW(context, guest);
    *g = (guest){{.kind = &order, .object = g, .destroy = leave}, &order, k};
    nsds_attach(context, &g->attachment);
  }
  assert_ptr_equal(nsds_attachments(context)->kind, &order);
  nsds_context_destroy(context);
  assert_int_equal(order, 123);
  assert_int_equal(m.live, 0);
}

static void handlers_are_exchanged(void **unused) {
  (void)unused;
  heard first = {.text = ""}, second = {.text = ""};
  nsds_context *context = listen(&first, 0);
  nsds_log_fn log = hear;
  void *user = &second;
  nsds_log(context, NSDS_LOG_WARNING, "wet");
  assert_status(nsds_context_swap_log(context, &log, &user), NSDS_OK);
  assert_ptr_equal(user, &first);
  nsds_log(context, NSDS_LOG_WARNING, "wet");
  assert_status(nsds_context_swap_log(context, &log, &user), NSDS_OK);
  assert_ptr_equal(user, &second);
  nsds_log(context, NSDS_LOG_WARNING, "dry");
  assert_string_equal(first.text, "2 wet\n2 dry\n");
  assert_string_equal(second.text, "2 wet\n");
  assert_status(nsds_context_swap_log(context, NULL, &user), NSDS_ERROR_ARGUMENT);
  assert_string_equal(nsds_error_message(context), "nsds_context_swap_log: log is NULL");
  nsds_error_clear(context);
  assert_status(nsds_context_swap_log(context, &log, NULL), NSDS_ERROR_ARGUMENT);
  assert_string_equal(nsds_error_message(context), "nsds_context_swap_log: user is NULL");
  nsds_context_destroy(context);
}

static void memory_is_counted_and_limited(void **unused) {
  (void)unused;
  heard what = {.text = ""};
  nsds_context *context = listen(&what, 0);
  assert_int_equal(nsds_context_bytes(context), 0);
  unsigned char *first = nsds_alloc(context, "a table", 1000, 1);
  assert_non_null(first);
  for (int k = 0; k < 1000; ++k) assert_int_equal(first[k], 0);
  size_t with_first = nsds_context_bytes(context);
  assert_in_range(with_first, 1000, 1032);
  nsds_memory_limit limit = {.bytes = with_first + 500};
  assert_status(nsds_context_swap_limit(context, &limit), NSDS_OK);
  assert_int_equal(limit.bytes, 0);
  void *small = nsds_alloc(context, NULL, 400, 1);
  assert_non_null(small);
  assert_null(nsds_alloc(context, "a second table", 100, 1));
  assert_status(nsds_error(context), NSDS_ERROR_MEMORY);
  assert_non_null(strstr(nsds_error_message(context),
                         "a second table: 100 elements of 1 bytes; the limit of the"));
  nsds_error_clear(context);
  nsds_free(small);
  void *again = nsds_alloc(context, "a second table", 100, 1);
  assert_non_null(again);
  limit = (nsds_memory_limit){0};
  assert_status(nsds_context_swap_limit(context, &limit), NSDS_OK);
  assert_true(limit.reached && limit.bytes == with_first + 500);
  assert_null(nsds_alloc(context, "too much", SIZE_MAX / 2, 3));
  assert_null(nsds_alloc(context, "too much", SIZE_MAX - 8, 1));
  assert_null(nsds_alloc(NULL, "no context", 1, 1));
  nsds_error_clear(context);
  nsds_context_destroy(context);
  assert_status(nsds_error(context), NSDS_ERROR_STATE); /* two pieces are left */
  nsds_free(first);
  nsds_free(again);
  nsds_free(NULL);
  assert_int_equal(nsds_context_bytes(context), 0);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statuses_have_texts),
      cmocka_unit_test(hooks_come_in_pairs),
      cmocka_unit_test(the_first_error_stays),
      cmocka_unit_test(messages_that_are_too_long_are_cut),
      cmocka_unit_test(the_log_tells_repetitions_once),
      cmocka_unit_test(the_log_is_as_talkative_as_asked),
      cmocka_unit_test(a_handler_finds_the_context_closed),
      cmocka_unit_test(handlers_are_exchanged),
      cmocka_unit_test(threads_have_limits),
      cmocka_unit_test(memory_is_counted_and_limited),
      cmocka_unit_test(a_context_with_objects_stays),
      cmocka_unit_test(attachments_leave_in_order),
  };
  return cmocka_run_group_tests_name("base.context", tests, NULL, NULL);
}
