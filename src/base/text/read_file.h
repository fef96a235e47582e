/* Whole files as bytes in memory. */
#ifndef NSDS_SRC_READ_FILE_H
#define NSDS_SRC_READ_FILE_H

#include <nsds/base.h>

/* Looks at `got` bytes that came behind `before` others. Returns a failure to end the reading. */
typedef nsds_status nsds_look_fn(void *user, const char *bytes, size_t before, size_t got);

typedef struct nsds_file_reading {
  size_t first;       /* bytes of the first piece; `look` sees it before others are read */
  size_t most;        /* bytes that a file may have; beyond: NSDS_ERROR_LIMIT */
  nsds_look_fn *look; /* is given each piece; the last one is empty or not full. NULL: none */
  void *user;
} nsds_file_reading;

/*
 * Reads an open file up to its end. *bytes become memory of nsds_alloc() with a zero behind them,
 * also after a failure. Returns NSDS_ERROR_IO with errno, NSDS_ERROR_MEMORY with its message,
 * NSDS_ERROR_LIMIT, or the failure of `look`.
 */
nsds_status nsds_file_read_all(nsds_context *context, int file, const nsds_file_reading *how,
                               char **bytes, size_t *size);

#endif
