/*
 * A file that replaces an old one when it is complete, and otherwise leaves the old one alone. The
 * new file is written beside the old one as path.new, reaches the disk, and is renamed. The old
 * file must be a regular file or missing: devices, pipes and folders are refused. A symbolic link
 * is followed and stays. A link that leads nowhere is refused.
 */
#ifndef NSDS_SRC_NEW_FILE_H
#define NSDS_SRC_NEW_FILE_H

#include "base/base.h"

#include <stdio.h>

typedef struct nsds_new_file {
  nsds_context *context;
  const char *call, *path; /* for messages; call NULL: none */
  char *target, *beside;
  unsigned mode;           /* permissions of the old file; 0: no old file */
  bool anywhere, in_place; /* devices and pipes may be written; this is one */
  bool in_haste; /* does not wait until the file is on the disk; may be set once it is open */
  FILE *file;
} nsds_new_file;

/* Opens the new file. After NSDS_ERROR_IO or NSDS_ERROR_MEMORY there is nothing to close. */
nsds_status nsds_new_file_open(nsds_new_file *f, nsds_context *context, const char *call,
                               const char *path);
/* The same, but devices, pipes and sockets are written as they are. */
nsds_status nsds_new_file_open_anywhere(nsds_new_file *f, nsds_context *context, const char *call,
                                        const char *path);
/* Closes the file. If `complete` and all is written, it replaces the old file, else it is
 * removed. */
nsds_status nsds_new_file_close(nsds_new_file *f, bool complete);

#endif
