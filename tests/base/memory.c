/*
 * Memory of a context: zeroed and counted, with messages that name what was wanted; arrays that grow;
 * pieces of arenas and places with handles.
 */
#include "base/arena.h"
#include "base/context.h"
#include "cmocka_setup.h"
#include "meter.h"

#include <stdio.h>

static bool all_zero(const void *memory, size_t size) {
  const unsigned char *byte = memory;
  for (size_t k = 0; k < size; ++k)
    if (byte[k]) return false;
  return true;
}

static void shortage_is_named(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  struct {
    struct {
      int *row;
    } inner;
  } outer = {{NULL}};
  size_t capacity = 0;
  m.fail_at = m.count + 1;
  assert_int_equal(nsds_grow(context, &outer.inner.row, &capacity, 3, sizeof(int)),
                   NSDS_ERROR_MEMORY);
  assert_string_equal(nsds_error_message(context), "out of memory for row: 4 elements of 4 bytes");
  assert_null(outer.inner.row);
  assert_int_equal(capacity, 0);
  assert_null(nsds_alloc(context, "(&(s)->many)", SIZE_MAX / 4, 8)); /* the product overflows */
  assert_non_null(
      strstr(nsds_last_message(context), "out of memory for many: 4611686018427387903 "));
  m.fail_at = m.count + 1;
  assert_null(nsds_alloc_for(context, "ball", "mass", 2, 8));
  assert_string_equal(nsds_last_message(context),
                      "ball: out of memory for mass: 2 elements of 8 bytes");
  m.fail_at = m.count + 1;
  assert_null(nsds_copy_for(context, "ball", "mass", &capacity, 1, 8));
  m.fail_at = m.count + 1;
  assert_null(nsds_copy(context, &capacity, 1, 8));
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* The message of the shortage gets the name of an object, others stay as they are. */
static void shortage_gets_its_object(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  unsigned long before = nsds_failures(context);
  nsds_name_shortage(context, before, "solver", "newton"); /* nothing has failed */
  assert_string_equal(nsds_last_message(context), "");
  nsds_fail(context, NSDS_ERROR_VALUE, "too large");
  nsds_name_shortage(context, before, "solver", "newton"); /* something else has */
  assert_string_equal(nsds_last_message(context), "too large");
  nsds_fail(context, NSDS_ERROR_MEMORY, "no room");
  nsds_name_shortage(context, before, "solver", "newton");
  assert_string_equal(nsds_last_message(context), "solver newton: no room");
  assert_string_equal(nsds_error_message(context), "too large");
  nsds_error_clear(context);
  nsds_fail(context, NSDS_ERROR_MEMORY, "no room");
  nsds_name_shortage(context, before, "solver", "newton");
  assert_string_equal(nsds_error_message(context), "solver newton: no room");
  nsds_context_destroy(context);
}

static void copies(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  const double x[3] = {1.0, -2.0, 0.5};
  const double *nothing = NULL;
  double *copy = nsds_copy(context, x, 3, sizeof *x);
  double *named = nsds_copy_for(context, "ball", "mass", x, 3, sizeof *x);
  assert_memory_equal(copy, x, sizeof x);
  assert_memory_equal(named, x, sizeof x);
  assert_null(nsds_copy(context, nothing, 3, sizeof *x));
  assert_null(nsds_copy_for(context, "ball", "mass", NULL, 3, sizeof *x));
  assert_int_equal(nsds_error(context), NSDS_OK); /* nothing to copy is no failure */
  void *empty = nsds_copy(context, x, 0, sizeof *x),
       *none = nsds_copy_for(context, "a", "b", x, 0, 8);
  assert_non_null(empty);
  assert_non_null(none);
  for (void **each = (void *[]){copy, named, empty, none, NULL}; *each; ++each)
    nsds_release(context, *each);
  nsds_release(context, NULL);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

static void arrays_grow(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  int *array = NULL;
  size_t capacity = 0;
  assert_status(nsds_grow(context, &array, &capacity, 100, sizeof *array), NSDS_OK);
  assert_int_equal(capacity, 100);
  assert_true(all_zero(array, 100 * sizeof *array));
  for (int k = 0; k < 100; ++k) array[k] = k * k;
  assert_status(nsds_grow(context, &array, &capacity, 100, sizeof *array), NSDS_OK); /* enough */
  assert_status(nsds_grow(context, &array, &capacity, 101, sizeof *array), NSDS_OK);
  assert_int_equal(capacity, 154); /* by a half */
  for (int k = 0; k < 100; ++k) assert_int_equal(array[k], k * k);
  assert_true(all_zero(array + 100, 54 * sizeof *array));
  m.fail_at = m.count + 1;
  assert_status(nsds_grow(context, &array, &capacity, 155, sizeof *array), NSDS_ERROR_MEMORY);
  assert_int_equal(capacity, 154);
  assert_int_equal(array[99], 99 * 99);

  /* renewed: the old numbers are gone, and the old array before the new one comes */
  long live = m.live;
  assert_status(nsds_renew(context, &array, &capacity, 154, sizeof *array), NSDS_OK);
  assert_int_equal(array[99], 99 * 99);
  assert_status(nsds_renew(context, &array, &capacity, 155, sizeof *array), NSDS_OK);
  assert_int_equal(m.live, live);
  assert_int_equal(capacity, 235);
  assert_true(all_zero(array, 235 * sizeof *array));
  assert_status(nsds_renew(context, &array, &capacity, 5000, sizeof *array), NSDS_OK);
  assert_int_equal(capacity, 5000);
  assert_status(nsds_renew(context, &array, &capacity, 5001, sizeof *array), NSDS_OK);
  assert_int_equal(capacity, 5000 + 5000 / 8 + 4); /* by an eighth where it is much */
  m.fail_at = m.count + 1;
  assert_status(nsds_renew(context, &array, &capacity, 7000, sizeof *array), NSDS_ERROR_MEMORY);
  assert_null(array);
  assert_int_equal(capacity, 0);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

enum { several = 700 };

/* Pieces of several sizes do not overlap, are zero, and come again once they were given back. */
static void pieces_of_an_arena(void **unused) {
  (void)unused;
  static const size_t sizes[] = {0, 1, 16, 17, 200, 5000, 2000000};
  meter m = {0};
  nsds_context *context = metered_context(&m);
  nsds_arena arena = {0};
  unsigned char *piece[several];
  for (int k = 0; k < several; ++k) {
    size_t size = sizes[k % 100 == 99 ? 6 : k % 6];
    piece[k] = nsds_arena_take(context, &arena, nsds_arena_lines(size));
    assert_non_null(piece[k]);
    assert_int_equal((uintptr_t)piece[k] % 16, 0);
    assert_true(all_zero(piece[k], size));
    memset(piece[k], k % 251 + 1, size);
  }
  for (int k = 0; k < several; ++k) {
    size_t size = sizes[k % 100 == 99 ? 6 : k % 6];
    for (size_t i = 0; i < size; ++i) assert_true(piece[k][i] == k % 251 + 1);
    nsds_arena_give(&arena, piece[k], nsds_arena_lines(size));
  }
  nsds_arena_give(&arena, NULL, 1);
  long count = m.count;
  for (int k = several; k-- > 0;) {
    size_t size = sizes[k % 100 == 99 ? 6 : k % 6];
    unsigned char *again = nsds_arena_take(context, &arena, nsds_arena_lines(size));
    if (size > 17)
      assert_ptr_equal(again, piece[k]); /* the last one given is the first one taken */
    assert_true(all_zero(again, size));
  }
  assert_int_equal(m.count, count);
  nsds_arena_destroy(context, &arena);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* Many pieces that are announced lie in one chunk of their size; there are no pieces of all lines. */
static void many_pieces(void **unused) {
  (void)unused;
  enum { many = 100000, lines = 3 };
  meter m = {0};
  nsds_context *context = metered_context(&m);
  nsds_arena arena = {0};
  assert_non_null(nsds_arena_take(context, &arena, lines));
  assert_status(nsds_arena_reserve(context, &arena, 2, lines), NSDS_OK); /* few need nothing */
  assert_status(nsds_arena_reserve(context, &arena, many, lines), NSDS_OK);
  long count = m.count;
  for (int k = 0; k < many; ++k) assert_non_null(nsds_arena_take(context, &arena, lines));
  assert_int_equal(m.count, count);
  assert_int_equal(nsds_arena_lines(0), 0);
  assert_int_equal(nsds_arena_lines(17), 2);
  assert_int_equal(nsds_arena_lines(SIZE_MAX), UINT_MAX);
  assert_null(nsds_arena_take(context, &arena, UINT_MAX));
  assert_int_equal(nsds_error(context), NSDS_ERROR_MEMORY);
  nsds_arena_destroy(context, &arena);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* With each allocation failing in turn the arena stays as it was, and gives the piece later. */
static void an_arena_without_memory(void **unused) {
  (void)unused;
  long failures = 0;
  for (long k = 1;; ++k) {
    meter m = {.fail_at = k + 1};
    nsds_context *context = metered_context(&m);
    nsds_arena arena = {0};
    bool failed = false;
    for (size_t size = 16; size < 20000; size += size / 2) {
      void *piece = nsds_arena_take(context, &arena, nsds_arena_lines(size));
      if (!piece) {
        failed = true;
        assert_int_equal(nsds_error(context), NSDS_ERROR_MEMORY);
        piece = nsds_arena_take(context, &arena, nsds_arena_lines(size));
      }
      assert_non_null(piece);
      assert_true(all_zero(piece, size));
      memset(piece, 1, size);
    }
    nsds_arena_destroy(context, &arena);
    nsds_context_destroy(context);
    assert_int_equal(m.live, 0);
    if (!failed) break;
    ++failures;
  }
  assert_true(failures > 5);
}

typedef struct thing {
  nsds_place place;
  double value[5];
} thing;

/* Handles of what is there are alive, those of what was given back never, until a place has been given
 * back as often as there are generations. */
static void places_and_handles(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  nsds_places places = {0};
  void *handle[several];
  for (int k = 0; k < several; ++k) {
    thing *t = nsds_place_take(context, &places, sizeof *t);
    assert_true(all_zero(t->value, sizeof t->value));
    t->value[4] = k;
    handle[k] = nsds_place_handle(t);
  }
  for (int k = 0; k < several; ++k) {
    assert_true(nsds_handle_alive(handle[k]));
    assert_true(((thing *)nsds_handle_place(handle[k]))->value[4] == k);
    if (k % 2) nsds_place_give(&places, nsds_handle_place(handle[k]));
  }
  for (int k = 0; k < several; ++k) assert_int_equal(nsds_handle_alive(handle[k]), k % 2 == 0);
  for (int k = several; k < 2 * several; ++k) {
    thing *t = nsds_place_take(context, &places, sizeof *t);
    assert_true(all_zero(t->value, sizeof t->value));
    for (int i = 0; i < several; ++i) assert_ptr_not_equal(nsds_place_handle(t), handle[i]);
  }
  assert_null(nsds_place_handle(NULL));
  assert_false(nsds_handle_alive(NULL));
  nsds_places_destroy(context, &places);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* One place is taken and given back again and again: its handles are all different. */
static void a_handle_comes_back_after_all_others(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_places places = {0};
  void *first = NULL;
  for (int k = 0; k < 64; ++k) nsds_place_take(context, &places, sizeof(thing)); /* a full chunk */
  for (int k = 0; k <= nsds_generations; ++k) {
    thing *t = nsds_place_take(context, &places, sizeof *t);
    if (k == 0)
      for (int i = 1; i < 64; ++i) nsds_place_take(context, &places, sizeof *t);
    if (k == 0) first = nsds_place_handle(t);
    else assert_int_equal(nsds_place_handle(t) == first, k == nsds_generations);
    nsds_place_give(&places, t);
    assert_false(nsds_handle_alive(first));
  }
  nsds_places_destroy(context, &places);
  nsds_context_destroy(context);
}

static void places_without_memory(void **unused) {
  (void)unused;
  long failures = 0;
  for (long k = 1;; ++k) {
    meter m = {.fail_at = k + 1};
    nsds_context *context = metered_context(&m);
    nsds_places places = {0};
    bool failed = false;
    for (int i = 0; i < 200; ++i) {
      thing *t = nsds_place_take(context, &places, sizeof *t);
      if (!t) {
        failed = true;
        assert_int_equal(nsds_error(context), NSDS_ERROR_MEMORY);
        t = nsds_place_take(context, &places, sizeof *t);
      }
      assert_true(nsds_handle_alive(nsds_place_handle(t)));
      if (i % 3 == 0) nsds_place_give(&places, t);
    }
    nsds_places_destroy(context, &places);
    nsds_context_destroy(context);
    assert_int_equal(m.live, 0);
    if (!failed) break;
    ++failures;
  }
  assert_true(failures > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shortage_is_named),
      cmocka_unit_test(shortage_gets_its_object),
      cmocka_unit_test(copies),
      cmocka_unit_test(arrays_grow),
      cmocka_unit_test(pieces_of_an_arena),
      cmocka_unit_test(many_pieces),
      cmocka_unit_test(an_arena_without_memory),
      cmocka_unit_test(places_and_handles),
      cmocka_unit_test(a_handle_comes_back_after_all_others),
      cmocka_unit_test(places_without_memory),
  };
  return cmocka_run_group_tests_name("base.memory", tests, NULL, NULL);
}
