/* Growing arrays, copies of words, comparisons without capitals. */
#include "run/words.h"

#include <errno.h>
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

static char *read_all_of(FILE *file, size_t most, size_t *size, const char **reason) {
  size_t room = 65536, used = 0;
  char *text = malloc(room + 1);
  while (text) {
    used += fread(text + used, 1, room - used, file);
    if (used < room) break;
    if (used > most) break;
    char *more = realloc(text, 2 * room + 1);
    if (!more) {
      free(text);
      text = NULL;
      break;
    }
    text = more;
    room *= 2;
  }
  *reason = !text          ? "memory is out"
            : ferror(file) ? strerror(errno)
            : used > most  ? "the file is too long"
                           : NULL;
  if (*reason) {
    free(text);
    return NULL;
  }
  text[used] = '\0';
  *size = used;
  return text;
}

char *nsds_read_file(const char *path, size_t most, size_t *size, const char **reason) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    *reason = strerror(errno);
    return NULL;
  }
  char *text = read_all_of(file, most, size, reason);
  fclose(file);
  return text;
}
