/*
 * Numbers in a file, for those who describe what they keep once: the same walk over an object
 * writes it, compares it with what a file has, and reads it from there. A file is
 *
 *     "nsds " and a kind, padded with zeros to 16 bytes
 *     version, length of what follows and its checksum (FNV-1a), 8 bytes each
 *     words of 8 bytes: integers, and doubles by their bits
 *
 * all of them with the lowest byte first. The first failure stays, and what comes after it does
 * nothing, so that a walk looks at `status` once, at its end.
 */
#ifndef NSDS_SRC_ARCHIVE_H
#define NSDS_SRC_ARCHIVE_H

#include "base/base.h"

typedef enum nsds_archive_mode {
  NSDS_ARCHIVE_WRITE, /* appends */
  NSDS_ARCHIVE_CHECK, /* compares structure and changes nothing */
  NSDS_ARCHIVE_READ   /* takes the values, after a walk that has compared */
} nsds_archive_mode;

typedef struct nsds_archive {
  nsds_context *context;
  const char *call, *path; /* for messages */
  nsds_archive_mode mode;
  nsds_status status;
  unsigned char *data;
  size_t size, capacity, at;
  size_t first; /* where the words begin: behind the head of a file */
} nsds_archive;

enum { nsds_archive_text_size = 128 };

/* Numbers, and a text, that come back in CHECK too: the walk may turn on them. */
void nsds_archive_word(nsds_archive *a, uint64_t *x);
void nsds_archive_number(nsds_archive *a, double *x);
void nsds_archive_text(nsds_archive *a, char text[nsds_archive_text_size]);

/* What CHECK leaves as it is. Integers stay within bounds; `object` and `what` name them. */
void nsds_archive_doubles(nsds_archive *a, double *x, size_t n);
/* Finite ones; one that is finite and not less than `least`. */
void nsds_archive_finite(nsds_archive *a, const char *object, const char *what, double *x,
                         size_t n);
void nsds_archive_at_least(nsds_archive *a, const char *object, const char *what, double *x,
                           double least);
/* A finite time, or -INFINITY: there was none. */
void nsds_archive_past(nsds_archive *a, const char *object, const char *what, double *x);
void nsds_archive_int(nsds_archive *a, const char *object, const char *what, int *x, int least,
                      int most);
void nsds_archive_bool(nsds_archive *a, bool *x);
/* A local integer, by which what follows is read: CHECK reads it too. */
void nsds_archive_size(nsds_archive *a, const char *object, const char *what, int *x, int least,
                       int most);

/* What has to be as in the file: a number of things, a text. */
void nsds_archive_same(nsds_archive *a, const char *object, const char *what, uint64_t mine);
void nsds_archive_same_text(nsds_archive *a, const char *object, const char *what,
                            const char *mine);

/* Numbers of their own, which CHECK passes and READ takes as they are. */
void nsds_archive_part(nsds_archive *a, const char *object, nsds_archive *part);

/* Words that are left to be read. */
static inline size_t nsds_archive_left(const nsds_archive *a) { return (a->size - a->at) / 8; }

/* What is written becomes a file: begins behind its head, fills this, is stored in place of an old
 * one (new_file.h). */
nsds_status nsds_archive_begin_file(nsds_archive *a);
void nsds_archive_seal(nsds_archive *a, const char *kind, uint64_t version);
nsds_status nsds_archive_store(const nsds_archive *a);
/* Reads a whole file; what has been read, or borrowed, is of this kind and version, for CHECK. */
nsds_status nsds_archive_load(nsds_archive *a);
nsds_status nsds_archive_open(nsds_archive *a, const char *kind, uint64_t version);
/* From the beginning for READ. */
void nsds_archive_begin_read(nsds_archive *a);
/* In memory: empty, keeping what it has for what comes; then from its beginning, for CHECK. */
void nsds_archive_begin_write(nsds_archive *a, nsds_context *context, const char *call,
                              const char *path);
void nsds_archive_begin_check(nsds_archive *a);
void nsds_archive_release(nsds_archive *a);

#endif
