/* Growing arrays, copies of words, comparisons without capitals. */
#include "run/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

nsds_status nsds_room(void *array, int *capacity, int count, size_t size) {
  if (count <= *capacity) return NSDS_OK;
  int more = *capacity > 0 ? 2 * *capacity : 8;
  if (more < count) more = count;
  void *old, *room;
  memcpy(&old, array, sizeof old);
  room = realloc(old, (size_t)more * size);
  if (!room) return NSDS_ERROR_MEMORY;
  memcpy(array, &room, sizeof room);
  *capacity = more;
  return NSDS_OK;
}

char *nsds_copy_part(const char *begin, size_t size) {
  char *copy = malloc(size + 1);
  if (!copy) return NULL;
  memcpy(copy, begin, size);
  copy[size] = '\0';
  return copy;
}

char *nsds_copy_word(const char *word) { return nsds_copy_part(word, strlen(word)); }

char *nsds_make_word(const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int size = vsnprintf(NULL, 0, format, list);
  char *word = size < 0 ? NULL : malloc((size_t)size + 1);
  if (word) vsnprintf(word, (size_t)size + 1, format, again);
  va_end(again);
  va_end(list);
  return word;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

bool nsds_same_word(const char *a, const char *b) {
  for (; *a && *b; ++a, ++b)
    if (lower((unsigned char)*a) != lower((unsigned char)*b)) return false;
  return *a == *b;
}

bool nsds_ends_with(const char *word, const char *end) {
  size_t size = strlen(word), tail = strlen(end);
  return size >= tail && nsds_same_word(word + size - tail, end);
}
