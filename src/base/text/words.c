/* Growing arrays, copies of words, comparisons without capitals. */
#include "base/text/words.h"

#include <string.h>

nsds_status nsds_room(nsds_context *context, void *array, int *capacity, int count, size_t size) {
  if (count <= *capacity) return NSDS_OK;
  int more = *capacity > 0 ? 2 * *capacity : 8;
  if (more < count) more = count;
  void *old, *room;
  memcpy(&old, array, sizeof old);
  room = nsds_alloc(context, "a list of a file", (size_t)more, size);
  if (!room) return NSDS_ERROR_MEMORY;
  if (old) memcpy(room, old, (size_t)*capacity * size);
  nsds_free(old);
  memcpy(array, &room, sizeof room);
  *capacity = more;
  return NSDS_OK;
}

char *nsds_copy_part(nsds_context *context, const char *begin, size_t size) {
  char *copy = nsds_alloc(context, "a text", size + 1, 1);
  if (!copy) return NULL;
  memcpy(copy, begin, size);
  return copy;
}

char *nsds_copy_word(nsds_context *context, const char *word) {
  return nsds_copy_part(context, word, strlen(word));
}

/* Makes more room until the word ends in front of it. */
static char *make_long_word(nsds_context *context, const char *format, va_list list) {
  for (size_t size = 1024;; size *= 4) {
    va_list again;
    char *word = nsds_alloc(context, "a text", size, 1);
    if (!word) return NULL;
    va_copy(again, list);
    nsds_format_message(word, size, format, again);
    va_end(again);
    if (strlen(word) + 1 < size) return word;
    nsds_free(word);
  }
}

char *nsds_make_word(nsds_context *context, const char *format, ...) {
  char most[128]; /* nearly all words fit, and are printed once */
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  nsds_format_message(most, sizeof most, format, list);
  size_t size = strlen(most);
  char *word = size + 1 < sizeof most ? nsds_copy_part(context, most, size)
                                      : make_long_word(context, format, again);
  va_end(again);
  va_end(list);
  return word;
}

/* Returns the bytes of the character that begins with `first`, as UTF-8 has them. */
static size_t character_bytes(char first) {
  unsigned char c = (unsigned char)first;
  return c < 0xC2 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 1;
}

int nsds_characters(const char *text, size_t size) {
  int count = 0;
  for (size_t at = 0, bytes; at < size; at += bytes, ++count) {
    size_t wanted = character_bytes(text[at]);
    for (bytes = 1; bytes < wanted && at + bytes < size; ++bytes)
      if (((unsigned char)text[at + bytes] & 0xC0) != 0x80) break;
    if (bytes < wanted) bytes = 1;
  }
  return count;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

void nsds_to_small(char *word) {
  for (; *word; ++word)
    if (*word >= 'A' && *word <= 'Z') *word = (char)(*word - 'A' + 'a');
}

bool nsds_same_word(const char *a, const char *b) {
  for (; *a && *b; ++a, ++b)
    if (lower((unsigned char)*a) != lower((unsigned char)*b)) return false;
  return *a == *b;
}

bool nsds_ends_with(const char *word, const char *end) {
  size_t size = strlen(word), tail = strlen(end);
  return size >= tail && nsds_same_word(word + size - tail, end);
}
