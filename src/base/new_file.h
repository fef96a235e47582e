/*
 * A file that takes the place of an old one when it is complete, and leaves the old one alone when it
 * is not. It is written beside it, as path.part, reaches the disk, and is renamed. The old one has to
 * be a regular file, or none: devices, pipes and folders are refused. A symbolic link is followed,
 * and stays; one that leads nowhere is refused.
 */
#ifndef NSDS_SRC_NEW_FILE_H
#define NSDS_SRC_NEW_FILE_H

#include "base/base.h"

#include <stdio.h>

typedef struct nsds_new_file {
  nsds_context *context;
  const char *call, *path; /* for messages; call NULL: without */
  char *target, *beside;
  unsigned mode; /* permissions of the old one; 0: there is none */
  FILE *file;
} nsds_new_file;

/* NSDS_ERROR_IO, NSDS_ERROR_MEMORY; then there is nothing to close. */
nsds_status nsds_new_file_open(nsds_new_file *f, nsds_context *context, const char *call,
                               const char *path);
/* `complete`: the new one takes its place, where all has been written; else it is gone. */
nsds_status nsds_new_file_close(nsds_new_file *f, bool complete);

#endif
