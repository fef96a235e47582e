/* The records of a sweep on disk: see sweep_records.c. */
#ifndef NSDS_TOOLS_SWEEP_H
#define NSDS_TOOLS_SWEEP_H

#include <nsds/run.h>

#include <stdio.h>

/* This process runs the points with point % count == index. */
typedef struct shard {
  int index, count;
} shard;

typedef struct records {
  char path[4096];
  FILE *file;
  char *head;  /* first line of the table */
  char **line; /* of each point; NULL: not there */
  uint64_t key;
  long count, done;
  bool complete; /* all points of the shard are there */
} records;

/* Opens the records of a shard for more, and reads those that are there. False, with a message, where they belong to
 * another sweep or cannot be written. */
bool records_open(records *r, const char *table, shard part, uint64_t key, long count,
                  const char *head);
/* Adds the line of a point; the table keeps a copy. False, with a message. */
bool records_add(records *r, long point, const char *line);
/* Notes that the shard is complete. False, with a message. */
bool records_finish(records *r);
void records_close(records *r);

/* Tells if the records of a shard are complete and have this key. */
bool records_are_complete(const char *table, shard part, uint64_t key);

/* Writes the table from the complete records of all shards and removes them; an exit code. */
int records_join(const char *table, int shards);

/* The number of shards that left records beside a table; 0: none. */
int records_shards(const char *table);

#endif
