/*
 * Every function that a program hands to the library is called through here: the linker diverts the
 * calls that take functions (--wrap), and what they are given is replaced by functions that call the
 * program's and then misbehave where the fault of the story says so. So any scene serves, whoever
 * wrote it.
 */
#ifndef NSDS_TEST_RELIABILITY_CALLERS_H
#define NSDS_TEST_RELIABILITY_CALLERS_H

#include "story.h"

/* A copy that lives until the end of the story. */
void *callers_keep(const void *data, size_t size);

/* What the program's function has returned, and written: n entries of `out`. Returns what the library
 * gets to see. A status is NSDS_STOPPED or a number that is none, where it is to be > 0. */
int callers_operator(int returned, double *out, int n);
nsds_status callers_status(nsds_status returned, double *out, int n);
/* Before a function that is called between steps, where changes are allowed: true where it fails in
 * place of being called, as it is called again later. */
bool callers_event(int *returned);
/* Of functions that return nothing. */
void callers_value(double *out, int n);

extern const story_callers callers;

/* Notes where calls of functions come from: a call chain, and one of its calls drawn evenly. */
typedef struct caller_place {
  uint64_t chain;
  long count, call;
} caller_place;

enum { callers_most_places = 4096, callers_most_noted = 20000 };

/* Begins to note the places of the next story, or ends it and returns them. */
void callers_note_places(uint64_t seed);
const caller_place *callers_places(int *count);

#endif
