/*
 * An answer from elsewhere, read from a file. The file has numbers between spaces, line breaks and
 * commas, with comments from "#" to the end of a line. Or it has JSON with arrays of numbers, such
 * as nsds solve --solutions writes; only the names of the arrays are searched for.
 */
#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct answer_text {
  const char *path, *at; /* at: ends with NUL */
} answer_text;

/* Moves to the next word. */
static void skip_between(answer_text *text) {
  for (;;) {
    text->at += strspn(text->at, " \t\r\n,");
    if (*text->at != '#') return;
    text->at += strcspn(text->at, "\n");
  }
}

/* Takes numbers up to the first word that is none: the end or "]" in a good file. Returns how many
 * there are, and keeps at most `count`. */
static size_t take_numbers(answer_text *text, size_t count, double *x) {
  size_t found = 0;
  for (;; ++found) {
    char *end;
    skip_between(text);
    double value = strtod(text->at, &end);
    if (end == text->at || !isfinite(value)) return found;
    if (found < count) x[found] = value;
    text->at = end;
  }
}

static bool complain_of_count(const answer_text *text, const char *what, size_t found,
                              size_t count) {
  int size = (int)strcspn(text->at, " \t\r\n,");
  if (*text->at && *text->at != ']')
    complain("nsds certify: %s: expected number %zu of the %zu of %s, found \"%.*s\"", text->path,
             found + 1, count, what, size < 24 ? size : 24, text->at);
  else
    complain("nsds certify: %s: %zu numbers; expected are the %zu of %s", text->path, found, count,
             what);
  return false;
}

/* Finds "name", a colon, a bracket and the numbers; arrays without numbers may be missing. */
static bool take_member(answer_text *text, const char *begin, const named_room *part) {
  char key[40];
  snprintf(key, sizeof key, "\"%s\"", part->name);
  for (const char *at = strstr(begin, key); at; at = strstr(at + 1, key)) {
    text->at = at + strlen(key);
    skip_between(text);
    if (*text->at != ':') continue;
    ++text->at;
    skip_between(text);
    if (*text->at != '[') continue;
    ++text->at;
    size_t found = take_numbers(text, part->count, part->x);
    return (found == part->count && *text->at == ']') ||
           complain_of_count(text, part->name, found, part->count);
  }
  if (part->count == 0) return true;
  complain("nsds certify: %s: there is no array \"%s\"; it needs %zu numbers", text->path,
           part->name, part->count);
  return false;
}

/* Takes all numbers in one row. */
static bool take_row(answer_text *text, const char *what, const named_room *part, int count) {
  size_t all = 0;
  for (int k = 0; k < count; ++k) all += part[k].count;
  double *x = calloc(all + 1, sizeof *x), *next = x;
  if (!x) {
    complain("nsds: out of memory");
    return false;
  }
  size_t found = take_numbers(text, all, x);
  bool good = (found == all && !*text->at) || complain_of_count(text, what, found, all);
  for (int k = 0; k < count && good; next += part[k++].count)
    if (part[k].count > 0) memcpy(part[k].x, next, part[k].count * sizeof *x);
  free(x);
  return good;
}

bool read_answer(const char *path, const char *what, const named_room *part, int count) {
  size_t size;
  char *bytes = read_bytes(path, &size), *text = bytes ? realloc(bytes, size + 1) : NULL;
  if (!text) {
    complain("nsds certify: %s: cannot be read: %s", path, strerror(bytes ? ENOMEM : errno));
    free(bytes);
    return false;
  }
  text[size] = '\0';
  answer_text at = {.path = path, .at = text};
  skip_between(&at);
  bool good = true;
  if (*at.at == '{')
    for (int k = 0; k < count && good; ++k) good = take_member(&at, text, &part[k]);
  else good = take_row(&at, what, part, count);
  free(text);
  return good;
}
