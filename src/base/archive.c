/* Numbers in a file, see archive.h. */
#include "base/archive.h"

#include "base/context.h"
#include "base/new_file.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>

enum { word = 8, kind_size = 16, head_size = kind_size + 3 * word };

/* ---- words ----------------------------------------------------------------------------------- */

static void archive_put(unsigned char *to, uint64_t x) {
  for (int k = 0; k < word; ++k) to[k] = (unsigned char)(x >> 8 * k);
}

static uint64_t archive_get(const unsigned char *from) {
  uint64_t x = 0;
  for (int k = 0; k < word; ++k) x |= (uint64_t)from[k] << 8 * k;
  return x;
}

static uint64_t checksum(const unsigned char *data, size_t size) {
  uint64_t sum = UINT64_C(14695981039346656037);
  for (size_t k = 0; k < size; ++k) sum = (sum ^ data[k]) * UINT64_C(1099511628211);
  return sum;
}

/* Returns the place of the next `count` words; NULL if memory is out or the file ends. */
static unsigned char *next(nsds_archive *a, size_t count) {
  if (a->status) return NULL;
  if (a->mode == NSDS_ARCHIVE_WRITE) {
    a->status = nsds_grow(a->context, &a->data, &a->capacity, a->size + word * count, 1);
    if (!a->status) a->size += word * count;
  } else if (count > nsds_archive_left(a)) {
    a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT, "%s: %s: it ends before all has been read",
                          a->call, a->path);
  }
  if (a->status) return NULL;
  a->at += word * count;
  return a->data + a->at - word * count;
}

void nsds_archive_word(nsds_archive *a, uint64_t *x) {
  unsigned char *here = next(a, 1);
  if (!here) return;
  if (a->mode == NSDS_ARCHIVE_WRITE) archive_put(here, *x);
  else *x = archive_get(here);
}

void nsds_archive_number(nsds_archive *a, double *x) {
  uint64_t bits;
  memcpy(&bits, x, sizeof bits);
  nsds_archive_word(a, &bits);
  memcpy(x, &bits, sizeof bits);
}

void nsds_archive_text(nsds_archive *a, char text[nsds_archive_text_size]) {
  unsigned char *here = next(a, nsds_archive_text_size / word);
  if (!here) return;
  if (a->mode == NSDS_ARCHIVE_WRITE) memcpy(here, text, nsds_archive_text_size);
  else memcpy(text, here, nsds_archive_text_size);
  text[nsds_archive_text_size - 1] = '\0';
}

void nsds_archive_size(nsds_archive *a, const char *object, const char *what, int *x, int least,
                       int most) {
  uint64_t value = (uint64_t)(int64_t)*x;
  nsds_archive_word(a, &value);
  if (a->status) return;
  int64_t number = (int64_t)value;
  if (number < least || number > most)
    a->status =
        nsds_fail(a->context, NSDS_ERROR_FORMAT, "%s: %s: %s: %s is %lld; valid is %d to %d",
                  a->call, a->path, object, what, (long long)number, least, most);
  else *x = (int)number;
}

void nsds_archive_int(nsds_archive *a, const char *object, const char *what, int *x, int least,
                      int most) {
  int value = *x;
  nsds_archive_size(a, object, what, &value, least, most);
  if (a->mode == NSDS_ARCHIVE_READ) *x = value;
}

void nsds_archive_bool(nsds_archive *a, bool *x) {
  int value = *x;
  nsds_archive_int(a, "a state", "yes or no", &value, 0, 1);
  if (!a->status && a->mode == NSDS_ARCHIVE_READ) *x = value;
}

void nsds_archive_doubles(nsds_archive *a, double *x, size_t n) {
  unsigned char *here = n > 0 ? next(a, n) : NULL;
  if (!here || a->mode == NSDS_ARCHIVE_CHECK) return;
  for (size_t k = 0; k < n; ++k, here += word) {
    uint64_t bits;
    memcpy(&bits, &x[k], sizeof bits);
    if (a->mode == NSDS_ARCHIVE_WRITE) archive_put(here, bits);
    else bits = archive_get(here);
    memcpy(&x[k], &bits, sizeof bits);
  }
}

void nsds_archive_at_least(nsds_archive *a, const char *object, const char *what, double *x,
                           double least) {
  double value = *x;
  nsds_archive_number(a, &value);
  if (a->status) return;
  if (!isfinite(value) || value < least)
    a->status =
        nsds_fail(a->context, NSDS_ERROR_FORMAT, "%s: %s: %s: %s is %g; valid are finite numbers%s",
                  a->call, a->path, object, what, value, least == 0.0 ? " >= 0" : "");
  else if (a->mode == NSDS_ARCHIVE_READ) *x = value;
}

void nsds_archive_finite(nsds_archive *a, const char *object, const char *what, double *x,
                         size_t n) {
  for (size_t k = 0; k < n && !a->status; ++k)
    nsds_archive_at_least(a, object, what, &x[k], -DBL_MAX);
}

void nsds_archive_past(nsds_archive *a, const char *object, const char *what, double *x) {
  double time = *x;
  nsds_archive_number(a, &time);
  if (a->status) return;
  if (isnan(time) || time == INFINITY)
    a->status =
        nsds_fail(a->context, NSDS_ERROR_FORMAT, "%s: %s: %s: %s is %g; it has to be a time",
                  a->call, a->path, object, what, time);
  else if (a->mode == NSDS_ARCHIVE_READ) *x = time;
}

void nsds_archive_part(nsds_archive *a, const char *object, nsds_archive *part) {
  uint64_t words = part->size / word;
  part->context = a->context;
  nsds_archive_word(a, &words);
  if (a->status) return;
  if (a->mode != NSDS_ARCHIVE_WRITE && words > nsds_archive_left(a)) {
    a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT, "%s: %s: %s has %llu words", a->call,
                          a->path, object, (unsigned long long)words);
    return;
  }
  unsigned char *here = words > 0 ? next(a, (size_t)words) : NULL;
  size_t size = (size_t)words * word;
  if (a->mode != NSDS_ARCHIVE_WRITE && !a->status)
    a->status = nsds_grow(a->context, &part->data, &part->capacity, size, 1);
  if (a->status) return;
  if (a->mode == NSDS_ARCHIVE_READ) part->size = size;
  if (here && a->mode == NSDS_ARCHIVE_WRITE) memcpy(here, part->data, size);
  if (here && a->mode == NSDS_ARCHIVE_READ) memcpy(part->data, here, size);
}

/* ---- equality with the file ------------------------------------------------------------------ */

void nsds_archive_same(nsds_archive *a, const char *object, const char *what, uint64_t mine) {
  uint64_t given = mine;
  nsds_archive_word(a, &given);
  if (!a->status && given != mine)
    a->status = nsds_fail(a->context, NSDS_ERROR_ARGUMENT,
                          "%s: %s: %s: %s: %llu in the file, %llu here", a->call, a->path, object,
                          what, (unsigned long long)given, (unsigned long long)mine);
}

void nsds_archive_same_text(nsds_archive *a, const char *object, const char *what,
                            const char *mine) {
  char given[nsds_archive_text_size] = "";
  size_t length = strlen(mine);
  memcpy(given, mine, length < sizeof given ? length : sizeof given - 1);
  nsds_archive_text(a, given);
  for (char *c = given; a->mode != NSDS_ARCHIVE_WRITE && *c; ++c)
    if ((unsigned char)*c < ' ') *c = '?'; /* for the message */
  if (!a->status && strncmp(given, mine, sizeof given - 1) != 0)
    a->status =
        nsds_fail(a->context, NSDS_ERROR_ARGUMENT, "%s: %s: %s: %s: '%s' in the file, '%s' here",
                  a->call, a->path, object, what, given, mine);
}

/* ---- files ----------------------------------------------------------------------------------- */

static nsds_status fail_io(const nsds_archive *a, const char *path, const char *what) {
  return nsds_fail(a->context, NSDS_ERROR_IO, "%s: %s: %s: %s", a->call, path, what,
                   strerror(errno));
}

static void fill_head(const unsigned char *words, size_t size, const char *kind, uint64_t version,
                      unsigned char head[head_size]) {
  memset(head, 0, head_size);
  snprintf((char *)head, kind_size, "nsds %s", kind);
  archive_put(head + kind_size, version);
  archive_put(head + kind_size + word, size);
  archive_put(head + kind_size + 2 * word, checksum(words, size));
}

nsds_status nsds_archive_begin_file(nsds_archive *a) {
  a->mode = NSDS_ARCHIVE_WRITE;
  a->status = nsds_grow(a->context, &a->data, &a->capacity, (size_t)head_size, 1);
  a->size = a->at = a->first = head_size;
  return a->status;
}

void nsds_archive_seal(nsds_archive *a, const char *kind, uint64_t version) {
  if (!a->status) fill_head(a->data + head_size, a->size - head_size, kind, version, a->data);
}

nsds_status nsds_archive_store(const nsds_archive *a) {
  nsds_new_file f;
  if (a->status) return a->status;
  nsds_status status = nsds_new_file_open(&f, a->context, a->call, a->path);
  if (status) return status;
  fwrite(a->data, 1, a->size, f.file);
  return nsds_new_file_close(&f, true);
}

static nsds_status archive_read_all(nsds_archive *a, FILE *file) {
  enum { first_piece = 1 << 16 };
  for (;;) {
    size_t wanted = a->size + (a->size < first_piece ? first_piece : a->size / 2);
    nsds_status status = nsds_grow(a->context, &a->data, &a->capacity, wanted, 1);
    if (status) return status;
    a->size += fread(a->data + a->size, 1, a->capacity - a->size, file);
    if (ferror(file)) return fail_io(a, a->path, "cannot be read");
    if (a->size < a->capacity) return NSDS_OK;
  }
}

nsds_status nsds_archive_open(nsds_archive *a, const char *kind, uint64_t version) {
  unsigned char wanted[head_size];
  const char *wrong = NULL;
  bool whole = a->size >= head_size;
  uint64_t given = whole ? archive_get(a->data + kind_size) : 0;
  if (whole) fill_head(a->data + head_size, a->size - head_size, kind, version, wanted);
  if (!whole || memcmp(a->data, wanted, kind_size) != 0) wrong = "is none";
  else if (given != version) wrong = "was written by another version of the library";
  else if (memcmp(a->data, wanted, head_size) != 0) wrong = "is damaged, or not all there";
  a->first = head_size;
  nsds_archive_begin_check(a);
  a->status = NSDS_OK;
  if (wrong)
    a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT, "%s: %s: the %s %s", a->call, a->path,
                          kind, wrong);
  return a->status;
}

nsds_status nsds_archive_load(nsds_archive *a) {
  FILE *file = fopen(a->path, "rb");
  if (!file) return a->status = fail_io(a, a->path, "cannot be opened");
  a->status = archive_read_all(a, file);
  fclose(file);
  return a->status;
}

void nsds_archive_begin_write(nsds_archive *a, nsds_context *context, const char *call,
                              const char *path) {
  a->context = context;
  a->call = call;
  a->path = path;
  a->mode = NSDS_ARCHIVE_WRITE;
  a->status = NSDS_OK;
  a->size = a->at = a->first = 0;
}

void nsds_archive_begin_check(nsds_archive *a) {
  a->mode = NSDS_ARCHIVE_CHECK;
  a->at = a->first;
}

void nsds_archive_begin_read(nsds_archive *a) {
  a->mode = NSDS_ARCHIVE_READ;
  a->at = a->first;
}

void nsds_archive_release(nsds_archive *a) {
  nsds_release(a->context, a->data);
  a->data = NULL;
}
