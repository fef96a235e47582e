/*
 * Reads a file in pieces: the first as large as asked for, then the rest of a file of known size.
 * If the size is not known, as of a pipe, each piece is as large as all before it. A pipe may give
 * fewer bytes than are asked for, so that a piece ends when it is full or the file ends. One byte
 * more than the rest or the limit is asked for, to see if there are more.
 */
#define _POSIX_C_SOURCE 200809L /* read() */
#include "base/text/read_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads until `room` bytes are there or the file ends. */
static nsds_status read_piece(int file, char *to, size_t room, size_t *got) {
  *got = 0;
  while (*got < room) {
    ssize_t more = read(file, to + *got, room - *got);
    if (more > 0) *got += (size_t)more;
    else if (more == 0) break;
    else if (errno != EINTR) return NSDS_ERROR_IO;
  }
  return NSDS_OK;
}

/* Makes room for `more` bytes and a zero behind those that are there. */
static nsds_status read_file_room(nsds_context *context, char **bytes, size_t size, size_t more) {
  char *room = nsds_alloc(context, "a file", size + more + 1, 1);
  if (!room) return NSDS_ERROR_MEMORY;
  if (size) memcpy(room, *bytes, size);
  nsds_free(*bytes);
  *bytes = room;
  return NSDS_OK;
}

/* Returns the size of a regular file, else 0. */
static size_t known_size(int file) {
  struct stat found;
  bool known = fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0;
  return known ? (size_t)found.st_size : 0;
}

nsds_status nsds_file_read_all(nsds_context *context, int file, const nsds_file_reading *how,
                               char **bytes, size_t *size) {
  *bytes = NULL;
  *size = 0;
  size_t whole = known_size(file);
  for (;;) {
    size_t got, left = how->most - *size, more = *size ? *size : how->first;
    if (*size && whole > *size) more = whole - *size + 1;
    if (more > left) more = left + 1;
    nsds_status status = read_file_room(context, bytes, *size, more);
    if (!status) status = read_piece(file, *bytes + *size, more, &got);
    if (status) return status;
    (*bytes)[*size + got] = '\0';
    if (how->look) status = how->look(how->user, *bytes, *size, got);
    if (status) return status;
    if (got > left) return NSDS_ERROR_LIMIT;
    *size += got;
    if (got < more) return NSDS_OK;
  }
}
