/*
 * The parts of nsds_problem_check() that others have too: the global problem, and laws.
 */
#ifndef NSDS_SRC_PROBLEM_CHECK_H
#define NSDS_SRC_PROBLEM_CHECK_H

#include "base/base.h"

#include <nsds/problem.h>

/* Who is told, and how messages begin: "of", or where it is one of many blocks "ofblock[a]". */
typedef struct nsds_subject {
  nsds_context *context;
  const char *of;
  bool numbered;
  int block;
} nsds_subject;

#endif
