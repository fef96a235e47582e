/*
 * The parts of nsds_problem_check() that are shared with the global problem and with laws.
 */
#ifndef NSDS_SRC_PROBLEM_CHECK_H
#define NSDS_SRC_PROBLEM_CHECK_H

#include "base/base.h"

#include <nsds/problem.h>

/* The context for messages, and how messages begin: "of", or "ofblock[a]" for one of many
 * blocks. */
typedef struct nsds_subject {
  nsds_context *context;
  const char *of;
  bool numbered;
  int block;
} nsds_subject;

#endif
