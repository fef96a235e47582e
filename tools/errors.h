/*
 * The errors of a file that is read: the first one is the context's message, the others reach the log alone.
 */
#ifndef NSDS_TOOLS_ERRORS_H
#define NSDS_TOOLS_ERRORS_H

#include <nsds/base.h>

typedef struct error_list {
  const nsds_context *context;
  bool all; /* prints them as they come */
  int count;
} error_list;

/* Prints the error of the context behind the name of the command. */
void tell_error(const char *command, const nsds_context *context);

/* A context whose errors are counted in the list, and whose work a signal ends; NULL, with a message. */
nsds_context *errors_context(error_list *list);

#endif
