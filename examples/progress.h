/* Progress bar on stderr for runs of more than two seconds, where stderr is a terminal. */
#ifndef NSDS_EXAMPLE_PROGRESS_H
#define NSDS_EXAMPLE_PROGRESS_H

/* Call with the fraction done, in [0, 1], as often as liked; 1 ends the line. */
void progress(const char *title, double fraction);

#endif
