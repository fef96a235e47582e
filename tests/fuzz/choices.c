/* See choices.h. The generator is xorshift64*, S. Vigna, ACM Trans. Math. Softw. 42 (2016). */
#include "choices.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 65535, LEVELS = 4 };

static const double odd_reals[] = {
    NAN,   INFINITY, -INFINITY, 1e308, -1e308, 1e300, 1e-300, 1e-320, 0.0,          -0.0,
    1e150, -1e150,   1e16,      -1.0,  1e-16,  -1e-9, 1.0e-7, 1e9,    2147483648.0, 4.9e-324};
enum { ODD_REALS = sizeof odd_reals / sizeof *odd_reals };

static const int odd_numbers[] = {-1, 0, INT_MIN, INT_MAX, 1, 2, 3, 5, 33, -2, 65536, 64};
enum { ODD_NUMBERS = sizeof odd_numbers / sizeof *odd_numbers };

static struct {
  record *to;
  enum { SEED, BYTES, TEXT } source;
  uint64_t state;
  unsigned level; /* of oddity: 0 none, LEVELS - 1 as much as there is */
  flavour flavour;
  const uint8_t *byte, *byte_end;
  const char *numbers;
} from;

static uint64_t generated(void) {
  from.state ^= from.state >> 12;
  from.state ^= from.state << 25;
  from.state ^= from.state >> 27;
  return from.state * 2685821657736338717u;
}

static unsigned fresh(unsigned n) {
  if (from.source == SEED) return (unsigned)((generated() >> 32) * n >> 32);
  unsigned value = 0;
  for (unsigned room = 1; room < n && from.byte < from.byte_end; room <<= 8) {
    value = value << 8 | *from.byte++;
  }
  return value % n;
}

static unsigned written(unsigned n) {
  char *end;
  unsigned long value = strtoul(from.numbers, &end, 10);
  from.numbers = end;
  return (unsigned)(value % n);
}

static void put(const char *text, size_t length) {
  if (from.to->length + length >= RECORD_SIZE) return;
  memcpy(from.to->text + from.to->length, text, length);
  from.to->length += length;
  from.to->text[from.to->length] = '\0';
}

static unsigned noted(unsigned value) {
  char digits[12], *first = digits + sizeof digits;
  unsigned rest = value;
  do {
    *--first = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  *--first = ' ';
  put(first, (size_t)(digits + sizeof digits - first));
  return value;
}

static void start(record *to) {
  memset(&from, 0, sizeof from);
  from.to = to;
  to->length = 0;
  to->text[0] = '\0';
}

void choices_from_seed(record *to, uint64_t seed) {
  start(to);
  from.source = SEED;
  from.state = (seed + 1) * 0x9E3779B97F4A7C15u;
  for (int i = 0; i < 4; ++i) generated();
  from.level = (unsigned)(seed % LEVELS);
  from.flavour = (flavour)fresh(flavour_count);
}

void choices_from_bytes(record *to, const uint8_t *data, size_t size) {
  start(to);
  from.source = BYTES;
  from.byte = data;
  from.byte_end = data + size;
  from.level = fresh(LEVELS);
  from.flavour = (flavour)fresh(flavour_count);
}

void choices_from_text(record *to) {
  start(to);
  from.source = TEXT;
}

bool choices_left(void) { return from.source != BYTES || from.byte < from.byte_end; }

void line_begin(const char *name, const char *numbers) {
  from.numbers = numbers ? numbers : "";
  put(name, strlen(name));
}

void line_end(void) { put("\n", 1); }

unsigned pick_call(unsigned n) { return fresh(n); }

unsigned pick(unsigned n) { return noted(from.source == TEXT ? written(n) : fresh(n)); }

flavour run_flavour(void) { return from.flavour; }

unsigned pick_of(unsigned n, unsigned bits) {
  enum { TRIES = 20 };
  if (from.source == TEXT) return noted(written(n));
  unsigned value = fresh(n);
  if (from.flavour == ANYTHING || fresh(100) < 4) return noted(value);
  for (int i = 0; i < TRIES && !(bits >> value & 1); ++i) value = fresh(n);
  return noted(value);
}

/* Its outcome is what is written. */
static bool happens(unsigned per_1000) {
  return noted(from.source == TEXT ? written(2) : fresh(1000) < per_1000);
}

bool chance(unsigned percent) { return happens(10 * percent); }

static unsigned scaled(unsigned percent) {
  static const unsigned tenths[LEVELS] = {0, 2, 5, 10};
  return percent * tenths[from.level];
}

bool odd(unsigned percent) { return happens(scaled(percent)); }

double odd_real(void) { return odd_reals[pick(ODD_REALS)]; }

double even(double low, double high) { return low + (high - low) * pick(STEPS + 1) / STEPS; }

double real(double low, double high) {
  if (from.source == TEXT) {
    unsigned value = noted(written(STEPS + 1 + ODD_REALS));
    return value > STEPS ? odd_reals[value - STEPS - 1] : low + (high - low) * value / STEPS;
  }
  if (fresh(1000) >= scaled(3)) return even(low, high);
  unsigned which = fresh(ODD_REALS);
  noted(STEPS + 1 + which);
  return odd_reals[which];
}

int number(int good) {
  if (!odd(3)) return good;
  unsigned which = pick(ODD_NUMBERS + 1);
  return which < ODD_NUMBERS ? odd_numbers[which] : good + 1;
}
