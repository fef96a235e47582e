/*
 * Drawn mechanisms, event-driven beside time stepping, each put into a class by a test (classes.c).
 *
 *   mechanisms [--count N] [--seed S] [--limit SECONDS] [--verbose]
 *   mechanisms --show SEED | --follow SEED | --rows SEED     to look at one
 *   mechanisms --endure EVENTS [--seed S]                    one of them, over so many events
 *
 * Prints a line for each mechanism that is not of the class "agree" and a table of counts; fails when
 * one is left without a class. Each mechanism is a process of its own: one that crashes, or takes
 * longer than the limit, has found something.
 */
#include "mechanisms.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[] = {"agree", "forces not unique", "no solution", "sensitive",
                                    "unclassed"};

static unsigned longest = 120; /* s of the processor: others may use it too */

static void lost(verdict *out, int status) {
  memset(out, 0, sizeof *out);
  out->outcome = UNCLASSED;
  int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU) snprintf(out->message, sizeof out->message, "longer than %u s", longest);
  else snprintf(out->message, sizeof out->message, "a crash, signal %d", signal);
}

static void apart_from_here(uint64_t seed, verdict *out) {
  int ends[2], status = 0;
  if (pipe(ends) != 0) exit(2);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    struct rlimit most = {.rlim_cur = longest, .rlim_max = longest + 1};
    setrlimit(RLIMIT_CPU, &most);
    classify(seed, out);
    _exit(write(ends[1], out, sizeof *out) == (ssize_t)sizeof *out ? 0 : 3);
  }
  close(ends[1]);
  ssize_t got = child > 0 ? read(ends[0], out, sizeof *out) : 0;
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) < 0) exit(2);
  if (got != (ssize_t)sizeof *out) lost(out, status);
}

static void tell(uint64_t seed, const verdict *v) {
  printf("%llu: %s: %s; %ld events, difference %.3g, bound %.3g", (unsigned long long)seed, v->kind,
         names[v->outcome], v->events, v->difference, v->bound);
  if (v->sensitivity > 0.0) printf(", sensitivity %.3g", v->sensitivity);
  if (v->pieces) printf(", in pieces");
  if (v->message[0]) printf("; %s", v->message);
  printf("\n");
  fflush(stdout);
}

/* ---- counts, by the world and the class ---- */

typedef struct count {
  char kind[48];
  long of[OUTCOMES];
} count;

static count counts[64];
static int kinds;

static void enter(const char *kind, outcome o) {
  int k = 0;
  while (k < kinds && strcmp(counts[k].kind, kind) != 0) ++k;
  if (k == 64) return;
  if (k == kinds) snprintf(counts[kinds++].kind, sizeof counts[k].kind, "%s", kind);
  ++counts[k].of[o];
}

static int by_kind(const void *a, const void *b) {
  return strcmp(((const count *)a)->kind, ((const count *)b)->kind);
}

static void table(long events) {
  count all = {.kind = "all"};
  qsort(counts, (size_t)kinds, sizeof *counts, by_kind);
  printf("\n| mechanisms | agree | forces not unique | no solution | sensitive | unclassed "
         "|\n|---|---|---|---|---|---|\n");
  for (int k = 0; k <= kinds; ++k) {
    const count *c = k < kinds ? &counts[k] : &all;
    printf("| %s |", c->kind);
    for (int o = 0; o < OUTCOMES; ++o) {
      printf(" %ld |", c->of[o]);
      if (k < kinds) all.of[o] += c->of[o];
    }
    printf("\n");
  }
  printf("\n%ld events\n", events);
}

static void look_at(uint64_t seed, const char *how) {
  static mechanism m;
  draw(&m, seed);
  describe(&m);
  if (strcmp(how, "--show") != 0) follow(&m, strcmp(how, "--rows") == 0);
}

/* Returns 0 if the driver gets through so many events. */
static int outlast(uint64_t seed, long events) {
  static mechanism m;
  static motion out;
  draw(&m, seed);
  endure(&m, events, &out);
  printf(
      "%llu: %s: %ld events in %ld steps up to t = %.9g; gaps %.2g, joints %.2g, energy %.2g%s%s\n",
      (unsigned long long)seed, m.shape, out.events, out.steps, out.end, out.gap, out.joint,
      out.energy, out.good ? "" : "; ", out.message);
  return !(out.good && out.events >= events);
}

int main(int argc, char **argv) {
  uint64_t seed = 1, number = 30;
  long outlasted = 0;
  bool verbose = false;
  long events = 0, left = 0;
  for (int i = 1; i < argc; ++i) {
    bool more = i + 1 < argc;
    if (strcmp(argv[i], "--count") == 0 && more) number = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--seed") == 0 && more) seed = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--limit") == 0 && more)
      longest = (unsigned)strtoul(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--endure") == 0 && more) outlasted = strtol(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--verbose") == 0) verbose = true;
    else if (more && (strcmp(argv[i], "--show") == 0 || strcmp(argv[i], "--follow") == 0 ||
                      strcmp(argv[i], "--rows") == 0)) {
      look_at(strtoull(argv[i + 1], NULL, 10), argv[i]);
      return 0;
    } else {
      fprintf(stderr, "mechanisms: unknown word '%s', or a value is missing\n", argv[i]);
      return 2;
    }
  }
  if (outlasted > 0) return outlast(seed, outlasted);
  for (uint64_t k = seed; k < seed + number; ++k) {
    verdict v = {0};
    apart_from_here(k, &v);
    if (verbose || v.outcome != AGREE) tell(k, &v);
    enter(v.kind[0] ? v.kind : "lost", v.outcome);
    events += v.events;
    left += v.outcome == UNCLASSED;
  }
  table(events);
  return left > 0;
}
