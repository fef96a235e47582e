/*
 * Words of a text in memory, see text.h.
 */
#define _XOPEN_SOURCE 700 /* O_CLOEXEC */
#include "io/text.h"

#include "base/context.h"
#include "base/text/format.h"
#include "base/text/number.h"
#include "base/text/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the file ---- */

enum { first_piece = 1 << 16 };
static const size_t size_limit = (size_t)1 << 31;

/* A file that is being loaded. */
typedef struct loading {
  nsds_context *context;
  const char *path;
  nsds_look_at_head *look;
  void *user;
  size_t whole; /* bytes of the file; SIZE_MAX: not known, as for a pipe */
  bool text;
} loading;

static nsds_status refuse_nul(const loading *l, const char *data, size_t before, size_t got) {
  const char *nul = memchr(data + before, '\0', got);
  if (!nul) return NSDS_OK;
  return nsds_fail(l->context, NSDS_ERROR_FORMAT,
                   "%s: not a text: byte %zu is NUL; known are text (LCP, MLCP, relay, friction) "
                   "and HDF5 (FCLIB)",
                   l->path, (size_t)(nul - data));
}

/* Looks at the first piece before any other is read. */
static nsds_status look_at_piece(void *user, const char *bytes, size_t before, size_t got) {
  loading *l = user;
  if (before == 0) {
    if (got < first_piece) l->whole = got;
    nsds_status status = l->look(l->context, l->path, bytes, got, l->whole, &l->text, l->user);
    if (status) return status;
  }
  if (l->text && refuse_nul(l, bytes, before, got)) return NSDS_ERROR_FORMAT;
  return l->whole > size_limit && l->whole < SIZE_MAX ? NSDS_ERROR_LIMIT : NSDS_OK;
}

nsds_status nsds_load(nsds_context *context, const char *path, nsds_look_at_head *look, void *user,
                      char **memory, size_t *size) {
  struct stat found;
  loading l = {context, path, look, user, SIZE_MAX, false};
  *memory = NULL;
  *size = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return nsds_fail(context, NSDS_ERROR_IO, "%s: cannot be opened: %s", path, strerror(errno));
  if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0)
    l.whole = (size_t)found.st_size;
  const nsds_file_reading how = {
      .first = first_piece, .most = size_limit, .look = look_at_piece, .user = &l};
  nsds_status status = nsds_file_read_all(context, file, &how, memory, size);
  if (status == NSDS_ERROR_IO)
    nsds_fail(context, NSDS_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
  if (status == NSDS_ERROR_LIMIT)
    status = nsds_fail(context, NSDS_ERROR_IO, "%s: larger than %zu bytes", path, size_limit);
  close(file);
  return status;
}

nsds_text nsds_text_start(nsds_context *context, const char *name, const char *data, size_t size) {
  static const char byte_order_mark[3] = {'\xef', '\xbb', '\xbf'};
  bool marked = size >= 3 && memcmp(data, byte_order_mark, 3) == 0;
  const char *first = data + (marked ? 3 : 0);
  return (nsds_text){.context = context,
                     .name = name,
                     .begin = first,
                     .end = data + size,
                     .at = first,
                     .line = 1,
                     .line_start = first};
}

/* ---- words ---- */

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool begins_comment(const char *at, const char *end) {
  return at < end && (memchr("#%!", *at, 3) || (*at == '/' && end - at > 1 && at[1] == '/'));
}

static void skip_spaces(nsds_text *text) {
  const char *comment;
  size_t size;
  for (;;) {
    if (begins_comment(text->at, text->end)) {
      nsds_text_rest_of_line(text, &comment, &size);
    } else if (text->at < text->end && is_space(*text->at)) {
      if (*text->at++ != '\n') continue;
      ++text->line;
      text->line_start = text->at;
    } else {
      return;
    }
  }
}

/* Returns the size of the next word, 0 at the end; moves to its first character. */
static size_t next_word(nsds_text *text) {
  skip_spaces(text);
  const char *end = text->at;
  while (end < text->end && !is_space(*end)) ++end;
  return (size_t)(end - text->at);
}

void nsds_text_rest_of_line(nsds_text *text, const char **start, size_t *size) {
  *start = text->at;
  const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at));
  *size = (size_t)((end ? end : text->end) - text->at);
  text->at += *size + (end != NULL);
  if (!end) return;
  ++text->line;
  text->line_start = text->at;
}

void nsds_text_line(nsds_text *text, const char **start, size_t *size) {
  const char *first;
  do {
    nsds_text_rest_of_line(text, start, size);
    for (first = *start; first < *start + *size && is_space(*first);) ++first;
  } while (begins_comment(first, *start + *size));
}

/* ---- failures ---- */

/* Writes the next word between quotes, shortened and printable. */
static void describe_next(nsds_text *text, char *found, size_t capacity) {
  size_t size = next_word(text), shown = size < 24 ? size : 24;
  if (size == 0) {
    snprintf(found, capacity, "the end of the file");
    return;
  }
  char word[25] = "";
  for (size_t k = 0; k < shown; ++k)
    word[k] = text->at[k] >= 0x20 && text->at[k] < 0x7f ? text->at[k] : '?';
  snprintf(found, capacity, "\"%s%s\"", word, shown < size ? "..." : "");
}

static long text_column(const nsds_text *text) { return (long)(text->at - text->line_start) + 1; }

nsds_status nsds_text_expected(nsds_text *text, const char *format, ...) {
  if (text->status) return text->status;
  char what[224], found[32];
  va_list arguments;
  va_start(arguments, format);
  nsds_format_message(what, sizeof what, format, arguments);
  va_end(arguments);
  describe_next(text, found, sizeof found);
  text->status = NSDS_ERROR_FORMAT;
  text->failed_at = text->at;
  snprintf(text->message, sizeof text->message, "line %ld, column %ld: expected %s, found %s",
           text->line, text_column(text), what, found);
  return text->status;
}

nsds_status nsds_text_report(const nsds_text *text, const char *note) {
  if (text->status != NSDS_ERROR_FORMAT) return text->status; /* out of memory: recorded already */
  return nsds_fail(text->context, text->status, "%s: %s%s", text->name, text->message, note);
}

/* ---- numbers ---- */

static nsds_status expected_int(nsds_text *text, const char *what, int min, int max) {
  if (min > max) return nsds_text_expected(text, "something other than %s, as there is none", what);
  if (min == max) return nsds_text_expected(text, "%s, which must be %d", what, min);
  return nsds_text_expected(text, "%s, an integer from %d to %d", what, min, max);
}

nsds_status nsds_text_int(nsds_text *text, const char *what, int min, int max, int *value) {
  if (text->status) return text->status;
  size_t size = next_word(text);
  if (!nsds_parse_int(text->at, size, value) || *value < min || *value > max)
    return expected_int(text, what, min, max);
  text->at += size;
  return NSDS_OK;
}

nsds_status nsds_text_ints(nsds_text *text, const char *what, int count, int min, int max,
                           int *value) {
  for (int k = 0; k < count && !text->status; ++k) {
    size_t size = next_word(text);
    if (nsds_parse_int(text->at, size, &value[k]) && value[k] >= min && value[k] <= max) {
      text->at += size;
      continue;
    }
    char entry[64];
    snprintf(entry, sizeof entry, "%s[%d]", what, k);
    return expected_int(text, entry, min, max);
  }
  return text->status;
}

nsds_status nsds_text_reals(nsds_text *text, const char *what, size_t count, double *value) {
  for (size_t k = 0; k < count && !text->status; ++k) {
    size_t size = next_word(text);
    if (nsds_parse_real(text->at, size, &value[k]) && isfinite(value[k])) {
      text->at += size;
      continue;
    }
    if (count == 1) return nsds_text_expected(text, "%s, a finite number", what);
    return nsds_text_expected(text, "finite number %zu of the %zu of %s", k + 1, count, what);
  }
  return text->status;
}

nsds_status nsds_text_bounds(nsds_text *text, const char *what, size_t count, double infinite,
                             double *value) {
  for (size_t k = 0; k < count && !text->status; ++k) {
    size_t size = next_word(text);
    if (!nsds_parse_real(text->at, size, &value[k]) ||
        (!isfinite(value[k]) && value[k] != infinite))
      return nsds_text_expected(text, "number %zu of the %zu %s, finite or %s", k + 1, count, what,
                                infinite > 0.0 ? "inf" : "-inf");
    text->at += size;
  }
  return text->status;
}

nsds_status nsds_text_end(nsds_text *text, const char *what) {
  if (text->status || next_word(text) == 0) return text->status;
  return nsds_text_expected(text, "the end of the file behind %s", what);
}

nsds_status nsds_text_word(nsds_text *text, const char *word) {
  if (text->status) return text->status;
  size_t size = next_word(text);
  if (size != strlen(word) || memcmp(text->at, word, size) != 0)
    return nsds_text_expected(text, "\"%s\"", word);
  text->at += size;
  return NSDS_OK;
}

nsds_status nsds_text_next(nsds_text *text, const char *others, const char *word) {
  if (nsds_text_take(text, word)) return NSDS_OK;
  return nsds_text_expected(text, "%s or %s", others, word);
}

nsds_status nsds_text_room(nsds_text *text, const char *what, size_t count) {
  if (text->status) return text->status;
  size_t rest = (size_t)(text->end - text->at); /* a word and the space before it: two characters */
  if (count <= (rest + 1) / 2) return NSDS_OK;
  text->status = NSDS_ERROR_FORMAT;
  text->failed_at = text->at;
  snprintf(text->message, sizeof text->message,
           "line %ld, column %ld: expected %s, %zu numbers, but the file ends %zu characters later",
           text->line, text_column(text), what, count, rest);
  return text->status;
}

/* ---- words ahead ---- */

bool nsds_text_take(nsds_text *text, const char *word) {
  if (text->status) return false;
  size_t size = next_word(text), length = strlen(word);
  if (size != length || memcmp(text->at, word, size) != 0) return false;
  text->at += size;
  return true;
}

bool nsds_text_at(const nsds_text *text, const char *word) {
  nsds_text ahead = *text;
  return nsds_text_take(&ahead, word);
}

static bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

size_t nsds_text_numbers_ahead(const nsds_text *text) {
  nsds_text ahead = *text;
  size_t count = 0, size;
  while ((size = next_word(&ahead)) > 0 && !is_letter(*ahead.at) && *ahead.at != '"') {
    ahead.at += size;
    ++count;
  }
  return count;
}

size_t nsds_text_words_ahead(const nsds_text *text, const char *word) {
  nsds_text ahead = *text;
  size_t count = 0, size, length = word ? strlen(word) : 0;
  for (; (size = next_word(&ahead)) > 0; ahead.at += size)
    count += !word || (size == length && memcmp(ahead.at, word, size) == 0);
  return count;
}

nsds_status nsds_text_table(nsds_text *text, const char *what, int nrow, int ncolumn, double *x) {
  for (int i = 0; i < nrow; ++i)
    for (int j = 0; j < ncolumn; ++j) {
      size_t size = next_word(text);
      double *entry = &x[(size_t)i + (size_t)j * (size_t)nrow];
      if (text->status) return text->status;
      if (!nsds_parse_real(text->at, size, entry) || !isfinite(*entry))
        return nsds_text_expected(text, "%s(%d,%d), a finite number", what, i, j);
      text->at += size;
    }
  return text->status;
}

/* ---- names ---- */

bool nsds_text_at_name(const nsds_text *text) {
  nsds_text ahead = *text;
  return !text->status && next_word(&ahead) > 0 && *ahead.at == '"';
}

size_t nsds_text_name_room(const nsds_text *text) {
  nsds_text ahead = *text;
  const char *unused;
  size_t size;
  next_word(&ahead);
  nsds_text_rest_of_line(&ahead, &unused, &size);
  return size + 1;
}

static int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

/* Returns one byte after a backslash, 0 if there is none; moves behind it. */
static char escaped(const char **at, const char *end) {
  if (*at < end && (**at == '"' || **at == '\\')) return *(*at)++;
  int high = end - *at > 1 ? hexadecimal((*at)[0]) : -1;
  int low = high < 0 ? -1 : hexadecimal((*at)[1]);
  *at += low < 0 ? 0 : 2;
  return low < 0 ? '\0' : (char)(16 * high + low);
}

nsds_status nsds_text_name(nsds_text *text, char *name, size_t *size) {
  if (!nsds_text_at_name(text)) return nsds_text_expected(text, "a name in double quotes");
  next_word(text);
  const char *at = text->at + 1;
  for (*size = 0; at < text->end && *at != '"' && *at != '\n' && *at != '\0';) {
    char c = *at++;
    if (c == '\\') c = escaped(&at, text->end);
    if (c == '\0') {
      text->at = at - 1;
      return nsds_text_expected(text,
                                "a quote, a backslash or two hexadecimal digits, not 00, behind "
                                "the backslash in a name");
    }
    name[(*size)++] = c;
  }
  name[*size] = '\0';
  if (at == text->end || *at != '"')
    return nsds_text_expected(text, "a name that ends with a double quote in its line");
  text->at = at + 1;
  return NSDS_OK;
}
