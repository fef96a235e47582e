/* Growing arrays of bytes, whose capacity doubles. */
#include "run/scene/bytes.h"

#include "base/text/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void nsds_bytes_put(nsds_bytes *b, const void *data, size_t size) {
  if (b->failed || size == 0) return;
  if (b->count + size > b->capacity) {
    size_t more = 2 * b->capacity > b->count + size ? 2 * b->capacity : b->count + size + 256;
    unsigned char *room = nsds_alloc(b->context, "a page", more, 1);
    b->failed = !room;
    if (!room) return;
    if (b->count) memcpy(room, b->item, b->count);
    nsds_free(b->item);
    b->item = room;
    b->capacity = more;
  }
  memcpy(b->item + b->count, data, size);
  b->count += size;
}

void nsds_bytes_print(nsds_bytes *b, const char *format, ...) {
  char text[400];
  va_list list;
  va_start(list, format);
  int size = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (size < 0 || size >= (int)sizeof text) b->failed = true;
  else nsds_bytes_put(b, text, (size_t)size);
}

void nsds_bytes_string(nsds_bytes *b, const char *text) {
  char *plain = nsds_copy_word(b->context, text);
  if (!plain) {
    b->failed = true;
    return;
  }
  nsds_bytes_put(b, "\"", 1);
  for (const char *at = nsds_plain_text(plain); *at; ++at) {
    if (*at == '"' || *at == '\\') nsds_bytes_put(b, "\\", 1);
    nsds_bytes_put(b, at, 1);
  }
  nsds_bytes_put(b, "\"", 1);
  nsds_free(plain);
}

/* Adds a number of JSON; null if the number is not finite. */
static void bytes_number(nsds_bytes *b, double x) {
  char text[40];
  if (!isfinite(x)) {
    nsds_bytes_put(b, "null", 4);
    return;
  }
  nsds_print(text, sizeof text, "%.9g", x);
  nsds_bytes_put(b, text, strlen(text));
}

void nsds_bytes_list(nsds_bytes *b, const char *name, const double *x, int count) {
  nsds_bytes_print(b, "\"%s\":[", name);
  for (int k = 0; k < count; ++k) {
    if (k > 0) nsds_bytes_put(b, ",", 1);
    bytes_number(b, x[k]);
  }
  nsds_bytes_put(b, "],", 2);
}

void nsds_bytes_whole(nsds_bytes *b, int64_t value) {
  uint64_t rest = value < 0 ? 2 * (uint64_t)(-(value + 1)) + 1 : 2 * (uint64_t)value;
  unsigned char text[10];
  size_t size = 0;
  do {
    text[size] = (unsigned char)(rest & 127);
    rest >>= 7;
    if (rest) text[size] |= 128;
    ++size;
  } while (rest);
  nsds_bytes_put(b, text, size);
}

static void lowest_first(nsds_bytes *b, uint64_t bits, int size) {
  unsigned char text[8];
  for (int k = 0; k < size; ++k) text[k] = (unsigned char)(bits >> (8 * k) & 255);
  nsds_bytes_put(b, text, (size_t)size);
}

void nsds_bytes_single(nsds_bytes *b, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  lowest_first(b, bits, 4);
}

void nsds_bytes_double(nsds_bytes *b, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  lowest_first(b, bits, 8);
}

void nsds_bytes_free(nsds_bytes *b) {
  nsds_free(b->item);
  *b = (nsds_bytes){.context = b->context};
}
