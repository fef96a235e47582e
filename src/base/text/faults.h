/* The faults of files that one reading finds, at most one at each place. */
#ifndef NSDS_SRC_FAULTS_H
#define NSDS_SRC_FAULTS_H

#include <nsds/base.h>

enum { nsds_most_faults = 20 };

typedef struct nsds_fault {
  int file;         /* number of the file */
  int line, column; /* from 1; line 0: of no place */
  nsds_status status;
  char *text; /* NULL if the message is reported already, or memory is out */
} nsds_fault;

typedef struct nsds_faults {
  int count;
  nsds_fault item[nsds_most_faults];
} nsds_faults;

/* Tells if the place of a fault has one already. */
bool nsds_faults_have(const nsds_faults *faults, const nsds_fault *fault);

/* Keeps a fault, whose text is copied, unless its place has one. Faults beyond the most are
 * forgotten. Returns NSDS_ERROR_MEMORY if the text cannot be copied; its fault stays without. */
nsds_status nsds_faults_keep(nsds_context *context, nsds_faults *faults, const nsds_fault *fault);

/* Forgets all faults. */
void nsds_faults_clear(nsds_faults *faults);

#endif
