/*
 * Ctrl-C and SIGTERM. The first one ends the command in order: what is finished is kept. The second one ends it at once.
 */
#ifndef NSDS_TOOLS_STOP_H
#define NSDS_TOOLS_STOP_H

#include <nsds/base.h>

/* Watches for the signals from now on. */
void stop_watch(void);
/* Tells if a signal has come. */
bool stop_asked(void);
/* The exit code after a signal: 130 or 143. */
int stop_code(void);
/* Work of the context ends after a signal. */
void stop_context(nsds_context *context);

#endif
