/*
 * Seeds in processes of their own, a few at a time. A process that dies has found something: its log
 * and the record of its calls are kept, and the seeds behind go on in another process.
 */
#include "driver.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 20, JOBS = 64, KINDS = 256, KEPT_OF_A_KIND = 3, SILENCE = 900 };

/* One at a time runs in a job; what it has done is in memory that outlives it. */
typedef struct job {
  pid_t process;
  uint64_t seed, end; /* the one at work; behind the last */
  bool leaked;        /* seeds one by one, to see which it is */
  long seeds;
  record calls;
  tally tallies[function_count];
} job;

typedef struct kind_of_finding {
  char signature[SIGNATURE];
  int count;
} kind_of_finding;

static job *jobs;
static double began;
static kind_of_finding found[KINDS];
static int found_count, findings;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *log_path(const campaign *c, const job *j) {
  static char path[512];
  snprintf(path, sizeof path, "%s/api_job_%d.log", c->out ? c->out : ".", (int)(j - jobs));
  return path;
}

static bool enough(const campaign *c) {
  long seeds = 0;
  for (int k = 0; k < c->jobs; ++k) seeds += jobs[k].seeds;
  return (c->calls > 0 && seeds * (long)c->length >= c->calls) ||
         (c->seconds > 0.0 && now() - began >= c->seconds);
}

/* In the process of a job. */
static void work(const campaign *c, job *j) {
  int log = open(log_path(c, j), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (log < 0 || dup2(log, STDERR_FILENO) < 0) _exit(3);
  process_prepare();
  tallies = j->tallies;
  for (; j->seed < j->end && !enough(c); ++j->seed) {
    alarm(SILENCE);
    choices_from_seed(&j->calls, j->seed);
    run_chosen(c->length);
    ++j->seeds;
  }
  exit(0);
}

static void start(const campaign *c, job *j) {
  fflush(stdout);
  pid_t process = fork();
  if (process == 0) work(c, j);
  j->process = process;
}

static kind_of_finding *kind_of(const char *signature) {
  for (int i = 0; i < found_count; ++i) {
    if (strcmp(found[i].signature, signature) == 0) return &found[i];
  }
  kind_of_finding *k = &found[found_count < KINDS ? found_count++ : KINDS - 1];
  memcpy(k->signature, signature, SIGNATURE);
  return k;
}

static void store(const campaign *c, const job *j, const char *log) {
  char path[512];
  snprintf(path, sizeof path, "%s/api_%llu.txt", c->out, (unsigned long long)j->seed);
  FILE *file = fopen(path, "w");
  if (!file) return;
  fprintf(file, "%s\n", j->calls.text);
  fclose(file);
  memcpy(strrchr(path, '.'), ".log", 5);
  file = fopen(path, "w");
  if (!file) return;
  fputs(log, file);
  fclose(file);
}

static void note(const campaign *c, job *j, int status) {
  char signature[SIGNATURE], *log = file_content(log_path(c, j));
  finding_signature(log ? log : "", status, signature);
  bool leak = strstr(signature, "leaked") != NULL;
  if (leak && !j->leaked) { /* one of the seeds of this process */
    j->leaked = true;
    j->seed = j->end - BATCH;
  } else {
    kind_of_finding *k = kind_of(signature);
    ++findings;
    if (leak) --j->seed;
    if (++k->count <= KEPT_OF_A_KIND) {
      printf("seed %llu: %s\n", (unsigned long long)j->seed, signature);
      if (c->out) store(c, j, log ? log : "");
    }
    ++j->seed;
  }
  free(log);
}

static void summarise(const campaign *c, double seconds) {
  long seeds = 0, functions = 0, good = 0, failed = 0;
  for (int k = 0; k < c->jobs; ++k) seeds += jobs[k].seeds;
  for (int f = 0; f < function_count; ++f) {
    tally sum = {0};
    for (int k = 0; k < c->jobs; ++k) {
      sum.good += jobs[k].tallies[f].good;
      sum.failed += jobs[k].tallies[f].failed;
    }
    good += sum.good;
    failed += sum.failed;
    functions += sum.good + sum.failed > 0;
    if (c->functions) printf("%10ld %10ld  %s\n", sum.good, sum.failed, function_names[f]);
  }
  long total = seeds * (long)c->length;
  printf("%ld calls of %ld seeds in %.0f s, %.0f a second and job; %ld of functions that "
         "succeeded, %ld "
         "that failed, of %ld of %d functions; %d findings of %d kinds\n",
         total, seeds, seconds, (double)total / seconds / c->jobs, good, failed, functions,
         function_count, findings, found_count);
  for (int i = 0; i < found_count; ++i) printf("%6d  %s\n", found[i].count, found[i].signature);
}

static int never_called(const campaign *c) {
  int missing = 0;
  for (int f = 0; f < function_count; ++f) {
    long sum = 0;
    for (int k = 0; k < c->jobs; ++k) sum += jobs[k].tallies[f].good + jobs[k].tallies[f].failed;
    if (sum == 0) printf("%s() is never called\n", function_names[f]), ++missing;
  }
  return missing;
}

static job *job_of(const campaign *c, pid_t process) {
  for (int k = 0; k < c->jobs; ++k) {
    if (jobs[k].process == process) return &jobs[k];
  }
  return NULL;
}

/* The next seeds for a job that is through with its own; no more than are wanted. */
static void next_batch(job *j, uint64_t *next) {
  if (j->seed < j->end && j->leaked) {
    if (j->process) j->end = j->seed + 1;
    return;
  }
  if (j->seed < j->end) return;
  j->leaked = false;
  j->seed = *next;
  j->end = *next += BATCH;
}

int campaign_run(const campaign *c) {
  if (c->jobs > JOBS) return fprintf(stderr, "at most %d jobs\n", JOBS), 1;
  jobs = mmap(NULL, (size_t)c->jobs * sizeof *jobs, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (jobs == MAP_FAILED) return perror("mmap"), 1;
  began = now();
  uint64_t next = c->seed;
  int running = 0;
  for (int k = 0; k < c->jobs; ++k, ++running) {
    next_batch(&jobs[k], &next);
    start(c, &jobs[k]);
  }
  while (running > 0) {
    int status;
    job *j = job_of(c, wait(&status));
    if (!j) continue;
    if (status) note(c, j, status);
    --running;
    if (enough(c)) continue;
    next_batch(j, &next);
    start(c, j);
    ++running;
  }
  for (int k = 0; k < c->jobs; ++k) unlink(log_path(c, &jobs[k]));
  summarise(c, now() - began);
  return findings + (c->functions ? never_called(c) : 0);
}
