/*
 * A sweep: many results, each a text that depends on its number alone. They are made by one
 * process, by several, or under MPI, and written to one file in the order of their numbers: the
 * same bytes in each case. Until all are there they are kept in FILE.part as they come, each with a
 * checksum; a sweep that was killed goes on from there.
 */
#ifndef NSDS_EXAMPLE_SWEEP_H
#define NSDS_EXAMPLE_SWEEP_H

#include <stddef.h>

enum { sweep_longest = 1 << 18 }; /* of a result, in bytes */

typedef struct sweep {
  const char *file;
  const char *head; /* first line of the file */
  const char *key;  /* one line that says what is computed; FILE.part of another one is refused */
  const char *name; /* on the progress bar */
  int count;        /* of results */
  /* Writes a result to text, which holds sweep_longest bytes; its length, or -1 after a message. */
  long (*compute)(int index, char *text, void *user);
  void *user;
} sweep;

/* Who computes, other than this process. The functions return 0, or -1 after a message. */
typedef struct sweep_workers {
  int count;
  int (*ask)(void *self, int worker, int index); /* index < 0: there is nothing more to do */
  /* Waits for a result of any of them. */
  int (*answer)(void *self, int *worker, int *index, char *text, long *length);
  void *self;
} sweep_workers;

/* Computes what is missing and writes the file; workers may be NULL. Returns an exit status. */
int sweep_manage(const sweep *s, const sweep_workers *workers);

/* By so many processes; 1: this one alone; 0: one for each core. */
int sweep_processes(const sweep *s, int processes);

/* By the ranks of MPI_COMM_WORLD, of which the first leads; with one rank this process alone. */
int sweep_mpi(const sweep *s);

#endif
