/* The names that there are, for a message about a name that is not among them. */
#ifndef NSDS_RUN_NAME_LIST_H
#define NSDS_RUN_NAME_LIST_H

#include <stddef.h>

enum { nsds_most_listed = 20 }; /* names of a user's objects in a message */

typedef struct nsds_name_list {
  const char *asked; /* the name that is not there */
  int most, count;
  size_t off;             /* letters by which the nearest name differs */
  char did_you_mean[110]; /* ", did you mean "name"?"; "": none is near */
  char names[500];        /* "a, b, c"; "none" */
} nsds_name_list;

/* Begins a list of at most nsds_most_listed names; set `most` to list more. */
void nsds_name_list_begin(nsds_name_list *list, const char *asked);
void nsds_name_list_add(nsds_name_list *list, const char *name);

/* Returns the number of the name nearest to another one, -1 if none is near. */
int nsds_name_nearest(const char *asked, int count, const char *const *names);

/* Appends a word to "a, b", or "..." if there is no room. */
void nsds_list_word(char *text, size_t size, const char *word);

#endif
