/*
 * The source of all choices of the fuzzer. A choice is a small number. It comes from a generator, from
 * bytes or from the text of an earlier run; whatever its source, it is written to a record. The record
 * has one line per call: its name, then its numbers. A line needs no other line to be read, so that
 * lines can be dropped.
 */
#ifndef NSDS_TEST_FUZZ_CHOICES_H
#define NSDS_TEST_FUZZ_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECORD_SIZE = 1 << 19 };

/* What has been chosen so far; the driver keeps it where it outlives a crash. */
typedef struct record {
  size_t length;
  char text[RECORD_SIZE];
} record;

/* Where choices come from next; each of them empties the record. */
void choices_from_seed(record *to, uint64_t seed);
void choices_from_bytes(record *to, const uint8_t *data, size_t size);
void choices_from_text(record *to);

/* Whether bytes are left; always true for other sources. */
bool choices_left(void);

/* A line of the record: `numbers` is its text in a run from text, else NULL. */
void line_begin(const char *name, const char *numbers);
void line_end(void);

/* A number from 0 to n - 1, n >= 1; 0 where a text has no more. */
unsigned pick(unsigned n);
/* One that is not part of a line: the call itself. */
unsigned pick_call(unsigned n);
/* The same, where only numbers whose bits are set come up in a run that goes by its flavour. */
unsigned pick_of(unsigned n, unsigned bits);
/* What a run is about, so that its objects fit each other; most runs have one. */
typedef enum flavour {
  ANYTHING,
  BODIES_IN_STEPS,
  BODIES_BY_EVENTS,
  CIRCUITS,
  BOTH_ORDERS,
  flavour_count
} flavour;
flavour run_flavour(void);
/* True in so many of a hundred cases. */
bool chance(unsigned percent);
/* The same for what no program should do: how often depends on the run. */
bool odd(unsigned percent);
/* In [low, high], or now and then something odd. */
double real(double low, double high);
/* In [low, high] always. */
double even(double low, double high);
/* The number that fits, or now and then one that does not. */
int number(int good);
/* A value that is hardly a good one: not finite, huge, tiny, negative. */
double odd_real(void);

#endif
