/*
 * What every benchmark program is made of, on either side (C11 and C++): build a model, time the
 * stepping loop alone, print the final state.
 *
 *   PROGRAM SIZE STEPS [VARIANT]
 *
 * prints "seconds S", the median time of one loop of STEPS steps, and then "state X" for every
 * number of the final state, in an order both sides share. script/bench reads this.
 *
 * A short loop is repeated on fresh models until it has run for bench_min_seconds altogether. With BENCH_COUNT=FROM in
 * the environment there is one loop of FROM + STEPS steps instead, and callgrind counts the instructions of the last
 * STEPS of them (script/instructions).
 */
#ifndef NSDS_BENCH_H
#define NSDS_BENCH_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define BENCH_COUNTS 1
#endif
#endif

enum { bench_max_repetitions = 1001 };

static const double bench_min_seconds = 0.2;

/* A case, as one side computes it. The functions return 0 (or NULL) on failure and say why on
 * stderr. */
typedef struct bench_case {
  /* Makes a model; size is a number or, for cases read from a file, its path; variant is "" if
   * none was given. Not timed. */
  void *(*build)(const char *size, long steps, const char *variant);
  int (*run)(void *self, long steps); /* advances by so many steps. Timed. */
  void (*report)(void *self);         /* calls bench_value() for the final state */
  void (*destroy)(void *self);
} bench_case;

static inline double bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void bench_value(double x) { printf("state %.17g\n", x); }

static inline int bench_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Between the two callgrind counts, if the program runs under it with --instr-atstart=no. */
static inline void bench_count_begin(void) {
#ifdef BENCH_COUNTS
  CALLGRIND_START_INSTRUMENTATION;
#endif
}

static inline void bench_count_end(void) {
#ifdef BENCH_COUNTS
  CALLGRIND_STOP_INSTRUMENTATION;
#endif
}

/* Number of steps before those that are counted; -1: nothing is counted. */
static inline long bench_count_from(void) {
  const char *from = getenv("BENCH_COUNT");
  return from ? atol(from) : -1;
}

static inline int bench_count(const bench_case *c, const char *size, long from, long steps,
                              const char *variant) {
  void *self = c->build(size, from + steps, variant);
  if (!self) return 1;
  int fine = from == 0 || c->run(self, from);
  bench_count_begin();
  fine = fine && c->run(self, steps);
  bench_count_end();
  c->destroy(self);
  return fine ? 0 : 1;
}

static inline int bench_main(int argc, char **argv, const bench_case *c) {
  static double seconds[bench_max_repetitions];
  long steps = argc > 2 ? atol(argv[2]) : 0;
  if (argc < 3 || argc > 4 || steps < 1) {
    fprintf(stderr, "usage: %s SIZE STEPS [VARIANT]\n", argv[0]);
    return 2;
  }
  if (bench_count_from() >= 0)
    return bench_count(c, argv[1], bench_count_from(), steps, argc > 3 ? argv[3] : "");
  double sum = 0.0;
  int count = 0;
  while (count == 0 || (sum < bench_min_seconds && count < bench_max_repetitions)) {
    void *self = c->build(argv[1], steps, argc > 3 ? argv[3] : "");
    if (!self) return 1;
    double start = bench_now();
    int fine = c->run(self, steps);
    seconds[count] = bench_now() - start;
    sum += seconds[count++];
    if (fine && count == 1) c->report(self);
    c->destroy(self);
    if (!fine) return 1;
  }
  qsort(seconds, (size_t)count, sizeof *seconds, bench_compare);
  printf("seconds %.9g\n", 0.5 * (seconds[(count - 1) / 2] + seconds[count / 2]));
  return 0;
}

#endif
