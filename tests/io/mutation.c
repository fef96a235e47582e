/*
 * Good texts changed at random, always in the same way: fuzz_text.c judges what becomes of them.
 */
#include "support.h"
#include "texts.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { rounds = 60000, capacity = 4096 };

static uint64_t state = 2024;

static size_t draw(size_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return below ? (size_t)(state >> 33) % below : 0;
}

/* Replaces count characters at a place by a text. */
static void replace(char *text, size_t *size, size_t at, size_t count, const char *by,
                    size_t by_size) {
  if (*size - count + by_size > capacity) return;
  memmove(text + at + by_size, text + at + count, *size - at - count);
  memcpy(text + at, by, by_size);
  *size += by_size - count;
}

static const char *const words[] = {
    "-1",         "0",     "1",     "2",        "3",         "4",          "7",
    "nan",        "inf",   "1e400", "99999999", "100000000", "2147483647", "-2147483648",
    "4294967296", "1.5",   "x",     ":",        "col",       "triplet:",   "\n",
    "\xff",       "0x",    "e",     "1000",     "\"",        "\\",         "end",
    "#",          "block", "edge",  "H",        "K",         "gain",       "polyhedron",
    "box",        "cut",   "guess", "dense",    "sparse",    "factored"};

/* The word at or behind a place. */
static void find_word(const char *text, size_t size, size_t *at, size_t *count) {
  while (*at < size && strchr(" \n", text[*at])) ++*at;
  for (*count = 0; *at + *count < size && !strchr(" \n", text[*at + *count]);) ++*count;
}

static void mutate(char *text, size_t *size) {
  size_t at = draw(*size + 1), count = draw(8);
  if (count > *size - at) count = *size - at;
  char copy[8];
  switch (draw(6)) {
  case 0: replace(text, size, at, count, "", 0); break;
  case 1:
    memcpy(copy, text + at, count);
    replace(text, size, draw(*size + 1), 0, copy, count);
    break;
  case 2:
    if (at < *size) text[at] = (char)(1 + draw(255));
    break;
  case 3:
    if (draw(8) == 0) *size = at;
    break;
  default: {
    const char *word = words[draw(COUNT(words))];
    find_word(text, *size, &at, &count);
    replace(text, size, at, count, word, strlen(word));
  }
  }
}

static void test_mutations(void **unused) {
  (void)unused;
  for (int round = 0; round < rounds; ++round) {
    char text[capacity];
    const char *seed = good_texts[draw(COUNT(good_texts))];
    size_t size = strlen(seed);
    memcpy(text, seed, size);
    for (size_t changes = 1 + draw(4); changes > 0; --changes) mutate(text, &size);
    uint8_t *exact = malloc(size + (size == 0));
    assert_non_null(exact);
    memcpy(exact, text, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutations)};
  return cmocka_run_group_tests_name("io.mutation", tests, NULL, NULL);
}
