/* Growing arrays of bytes: texts, and whole numbers of few bytes. */
#ifndef NSDS_RUN_BYTES_H
#define NSDS_RUN_BYTES_H

#include "base/text/format.h"

#include <nsds/base.h>

/* Empty with a context alone. A failure stays; nothing is added after it. */
typedef struct nsds_bytes {
  nsds_context *context;
  unsigned char *item;
  size_t count, capacity;
  bool failed; /* memory is out */
} nsds_bytes;

void nsds_bytes_put(nsds_bytes *bytes, const void *data, size_t size);
/* Adds a text as printf() makes it, of at most 399 bytes. */
void nsds_bytes_print(nsds_bytes *bytes, const char *format, ...) NSDS_PRINTF(2, 3);
/* Adds a name as a string of JSON, with its quotes and without control characters. */
void nsds_bytes_string(nsds_bytes *bytes, const char *text);
/* Adds "name":[x, ...] and a comma. */
void nsds_bytes_list(nsds_bytes *bytes, const char *name, const double *x, int count);
/* Adds a whole number: 0, -1, 1, -2, ... become 0, 1, 2, 3, .... Seven bits go into a byte, the
 * lowest first. The high bit says that another byte comes. */
void nsds_bytes_whole(nsds_bytes *bytes, int64_t value);
/* Adds numbers as 4 or 8 bytes of IEEE 754, the lowest byte first. */
void nsds_bytes_single(nsds_bytes *bytes, float value);
void nsds_bytes_double(nsds_bytes *bytes, double value);
void nsds_bytes_free(nsds_bytes *bytes);

#endif
