/*
 * A line on the terminal that shows how far a command is, and a warning of a long one. Nothing is drawn where standard
 * error is no terminal.
 */
#ifndef NSDS_TOOLS_PROGRESS_H
#define NSDS_TOOLS_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
  const char *command;
  double from, to; /* what is counted: time of the run, points, files */
  bool simulates;  /* it is time of a run: the line shows the speed beside real time */
  double began, drawn;
  bool told; /* that it takes long */
} progress;

/* Begins to show. */
progress progress_begin(const char *command, double from, double to, bool simulates);
/* Shows that the command is at `at`. */
void progress_at(progress *shown, double at);
/* Tells if somebody looks: standard error is a terminal. */
bool progress_is_shown(void);
/* Takes the line away, so that others can write; the next progress_at() draws it again. */
void progress_clear(void);
/* A number of seconds in words, such as "3 min" or "2 days". */
void progress_words(double seconds, char text[32]);

#endif
