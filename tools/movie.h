/*
 * Movies of pages, by a browser without a window and ffmpeg.
 */
#ifndef NSDS_TOOLS_MOVIE_H
#define NSDS_TOOLS_MOVIE_H

#include <stdbool.h>

/* A movie to be made of a page. */
typedef struct movie {
  const char *path; /* its ending tells ffmpeg the format; NULL: none */
  double speed;     /* seconds of the run in one second; 0: the page chooses, at most 20 s in all */
  char folder[64];  /* for the page and the frames */
  char page[80];    /* in the folder */
} movie;

/* Makes the folder, and the name of the page that has to be written. Returns false, with a message, on failure. */
bool movie_begin(movie *film);

/* Draws the frames of the page and writes the movie. Returns false, with a message, on failure. */
bool movie_write(const movie *film);

/* Removes the folder. */
void movie_end(movie *film);

#endif
