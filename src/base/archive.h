/*
 * Numbers in a file. You describe an object once: the same walk over the object writes it, compares
 * it with a file, and reads it from there. A file is
 *
 *     "nsds " and a kind, padded with zeros to 16 bytes
 *     version, length and checksum (FNV-1a) of the words, 8 bytes each
 *     words of 8 bytes: integers, and doubles by their bits
 *
 * all with the lowest byte first. The first failure stays, and later calls do nothing, so that a
 * walk reads `status` once, at its end.
 */
#ifndef NSDS_SRC_ARCHIVE_H
#define NSDS_SRC_ARCHIVE_H

#include "base/base.h"

typedef enum nsds_archive_mode {
  NSDS_ARCHIVE_WRITE, /* appends */
  NSDS_ARCHIVE_CHECK, /* compares structure and changes nothing */
  NSDS_ARCHIVE_READ   /* takes the values, after a walk with CHECK */
} nsds_archive_mode;

typedef struct nsds_archive {
  nsds_context *context;
  const char *call, *path; /* for messages */
  nsds_archive_mode mode;
  nsds_status status;
  unsigned char *data;
  size_t size, capacity, at;
  size_t first; /* start of the words: after the head of a file */
} nsds_archive;

enum { nsds_archive_text_size = 128 };

/* Numbers and a text. CHECK reads them too, because the walk may depend on them. */
void nsds_archive_word(nsds_archive *a, uint64_t *x);
void nsds_archive_number(nsds_archive *a, double *x);
void nsds_archive_text(nsds_archive *a, char text[nsds_archive_text_size]);

/* Values that CHECK does not read. Integers stay within bounds; `object` and `what` name the
 * value. */
void nsds_archive_doubles(nsds_archive *a, double *x, size_t n);
/* Finite doubles. */
void nsds_archive_finite(nsds_archive *a, const char *object, const char *what, double *x,
                         size_t n);
/* A finite double that is not less than `least`. */
void nsds_archive_at_least(nsds_archive *a, const char *object, const char *what, double *x,
                           double least);
/* A finite time, or -INFINITY for no time. */
void nsds_archive_past(nsds_archive *a, const char *object, const char *what, double *x);
void nsds_archive_int(nsds_archive *a, const char *object, const char *what, int *x, int least,
                      int most);
void nsds_archive_bool(nsds_archive *a, bool *x);
/* A local integer, by which the following values are read: CHECK reads it too. */
void nsds_archive_size(nsds_archive *a, const char *object, const char *what, int *x, int least,
                       int most);

/* A number of things, or a text, that must be equal in the file. */
void nsds_archive_same(nsds_archive *a, const char *object, const char *what, uint64_t mine);
void nsds_archive_same_text(nsds_archive *a, const char *object, const char *what,
                            const char *mine);

/* A nested archive: CHECK passes over it, READ takes it as it is. */
void nsds_archive_part(nsds_archive *a, const char *object, nsds_archive *part);

/* Returns the number of words left to read. */
static inline size_t nsds_archive_left(const nsds_archive *a) { return (a->size - a->at) / 8; }

/* Begins a file: the words go after its head. */
nsds_status nsds_archive_begin_file(nsds_archive *a);
/* Fills the head. */
void nsds_archive_seal(nsds_archive *a, const char *kind, uint64_t version);
/* Stores the file in place of an old one (new_file.h). */
nsds_status nsds_archive_store(const nsds_archive *a);
/* Reads a whole file. */
nsds_status nsds_archive_load(nsds_archive *a);
/* Checks kind and version of a file that was read or borrowed, and begins CHECK. */
nsds_status nsds_archive_open(nsds_archive *a, const char *kind, uint64_t version);
/* Begins READ at the first word. */
void nsds_archive_begin_read(nsds_archive *a);
/* Begins to write in memory; keeps the memory of earlier words. */
void nsds_archive_begin_write(nsds_archive *a, nsds_context *context, const char *call,
                              const char *path);
/* Begins CHECK of the words in memory. */
void nsds_archive_begin_check(nsds_archive *a);
void nsds_archive_release(nsds_archive *a);

#endif
