/* The seeded driver of the fuzzer: processes that run it, and what they found. */
#ifndef NSDS_TEST_FUZZ_DRIVER_H
#define NSDS_TEST_FUZZ_DRIVER_H

#include "fuzz.h"

enum { SIGNATURE = 256 };

/* A text that two findings of one kind have in common: made of the log of a process that ended with
 * `status`, as waitpid() tells; "" where nothing was found. */
void finding_signature(const char *log, int status, char signature[SIGNATURE]);

/* Runs a text in a process of its own. */
void text_signature(const char *text, char signature[SIGNATURE]);

/* A text with as few calls and numbers as give the same signature; the caller frees it. */
char *text_reduced(const char *text);

/* A file's content, or NULL; the caller frees it. */
char *file_content(const char *path);

/* Handlers that a process of the fuzzer needs. */
void process_prepare(void);

typedef struct campaign {
  long calls;      /* at least; 0: no bound */
  double seconds;  /* at most; 0: no bound */
  uint64_t seed;   /* the first */
  unsigned length; /* calls of a seed */
  int jobs;
  const char *out; /* folder for findings; NULL: they are told alone */
  bool functions;  /* tells how often each was called, and fails where one never was */
} campaign;

/* Number of findings. */
int campaign_run(const campaign *c);

#endif
