/*
 * Tables of the command: rows that are kept, facts about a table, CSV and HDF5.
 */
#ifndef NSDS_TOOLS_TABLE_H
#define NSDS_TOOLS_TABLE_H

#include <nsds/run.h>
#include <nsds/table.h>

#include <stdio.h>

/* The rows of a job, kept for a picture or an HDF5 file. */
typedef struct kept_table {
  int columns;
  size_t rows, room;
  double *value; /* rows x columns */
} kept_table;

/* Keeps the row of now; false when memory is out. */
bool table_keep(kept_table *table, const nsds_job *job);

enum { most_facts = 8, longest_fact = 4096 };

/* Facts about a table: the version of nsds, the file that was run, its settings and so on. */
typedef struct table_facts {
  int count;
  nsds_table_note note[most_facts];
  char text[most_facts][longest_fact];
} table_facts;

/* Adds a fact; its text is copied as one line, and cut if it is too long. */
void facts_add(table_facts *facts, const char *name, const char *text);
/* Starts the facts of a file's run: version and name of the file. */
void facts_start(table_facts *facts, const char *file);
/* Adds the settings, if there are any. */
void facts_add_settings(table_facts *facts, int count, const nsds_job_setting *settings);
/* Writes the facts as the first line of a table in CSV. */
void facts_write(FILE *out, const table_facts *facts);

/* Writes a number as short as it can be read back. */
void write_number(FILE *out, double value);
/* Writes a word of CSV, in quotes where it needs them (RFC 4180). */
void csv_word(FILE *out, const char *word);

/* A table in CSV that grows. Whatever happens, it ends with a whole row. */
typedef struct table_stream table_stream;
/* Begins a table with its head: in a file, which replaces an old one when it is closed, or on standard output (path
 * NULL). NULL after a failure; the message is in the context. */
table_stream *table_open(nsds_context *context, const char *path, const nsds_job *job,
                         const table_facts *facts);
/* Adds the row of now. */
nsds_status table_put(table_stream *table, const nsds_job *job);
/* Ends the table: what was put is in the file. */
nsds_status table_close(table_stream *table);
/* Gives the table up; an old one stays. */
void table_drop(table_stream *table);

/* Tells by its name if a table is written as HDF5. */
bool table_is_hdf5(const char *path);
/* Writes the kept rows, none at first, as HDF5; the message of a failure is in the context. */
nsds_status table_save(const kept_table *table, const nsds_job *job, const table_facts *facts,
                       nsds_context *context, const char *path);

#endif
