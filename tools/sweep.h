/* The records of a sweep on disk, see sweep_records.c, and the table made of them. */
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
  char *facts; /* about the sweep: names and texts, with tabs between them */
  char *head;  /* names of the columns */
  char **line; /* of each point; NULL: missing */
  uint64_t key;
  long count, done;
  bool complete; /* all points of the shard are there */
} records;

/* Opens the records of a shard to add more, and reads the present ones. Returns false, with a
 * message, if they belong to another sweep or cannot be written. */
bool records_open(records *r, const char *table, shard part, uint64_t key, long count,
                  const char *facts, const char *head);
/* Adds the line of a point; the table keeps a copy. Returns false, with a message, on failure. */
bool records_add(records *r, long point, const char *line);
/* Notes that the shard is complete. Returns false, with a message, on failure. */
bool records_finish(records *r);
void records_close(records *r);

/* Returns true if the records of a shard are complete and have this key. */
bool records_are_complete(const char *table, shard part, uint64_t key);

/* Writes the table from the complete records of all shards and removes them. Returns an exit
 * code. */
int records_join(const char *table, int shards);

/* Writes the table of records that have all points, as CSV or HDF5 by its name. Returns false, with a
 * message, on failure. */
bool sweep_table_write(const records *all, const char *table);

/* Returns the number of shards that left records beside a table; 0: none. */
int records_shards(const char *table);

#endif
