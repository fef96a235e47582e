/*
 * Limits of reading. Files of strangers may read regular files of their own folder alone, and every
 * job has limits: numbers of files and bytes, seconds of work.
 */
#ifndef NSDS_RUN_SOURCES_H
#define NSDS_RUN_SOURCES_H

#include <nsds/run.h>

typedef struct nsds_sources {
  nsds_context *context;
  bool untrusted, plugins; /* plugins may be loaded */
  bool check;              /* files that may not be read are left out, with a warning */
  int left_out;            /* things that a check has not looked at */
  char *name;              /* of the file, for messages */
  char *folder; /* real path of the file's folder, with '/' at its end; of untrusted files */
  char *search; /* folders with ':' between them, "" without */
  nsds_job_limits limits; /* defaults are filled in */
  int files;
  size_t bytes;
  double spent;         /* seconds of work before `since` */
  double since;         /* when the present call began; 0: no call */
  nsds_stop_fn earlier; /* stop function of the context while `since` is set */
  void *earlier_user;
  size_t held;                     /* bytes of the job when the last call ended */
  size_t others;                   /* bytes of the rest of the context, during a call */
  nsds_memory_limit earlier_limit; /* of the context, during a call */
} nsds_sources;

/* Starts from a definition, for a run or for a check; the file itself is not read. On failure the
 * context has the message. */
nsds_status nsds_sources_open(nsds_sources *sources, nsds_context *context, const nsds_job_def *def,
                              bool check);
void nsds_sources_close(nsds_sources *sources);

/* Reads a file as text with a zero behind it, to be freed. On failure `reason` has the words, and
 * the context none. */
nsds_status nsds_source_read(nsds_sources *sources, const char *path, char **text, size_t *size,
                             char reason[200]);
/* Tells if the file may be read at all: it is in the folder. */
bool nsds_source_is_inside(const nsds_sources *sources, const char *path);

/* Search folder k, from 0: its text, which is not ended by a zero, and its size; NULL behind the last. */
const char *nsds_source_search(const nsds_sources *sources, int k, int *size);

/* Work between these two calls counts as time, and memory that is taken as the job's. If a limit
 * ends the work, leave() returns NSDS_ERROR_LIMIT with a message in place of the given status.
 * Calls do not nest. */
void nsds_sources_enter(nsds_sources *sources);
nsds_status nsds_sources_leave(nsds_sources *sources, nsds_status status);

#endif
