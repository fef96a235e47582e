/*
 * Fewer calls that find the same: pieces of a text are left out, halves first, then ever smaller ones
 * (A. Zeller, R. Hildebrandt, IEEE Trans. Softw. Eng. 28 (2002)); then numbers of the calls that are
 * left become 0. Each trial is a process of its own.
 */
#include "driver.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES = 4096, TRIAL_SECONDS = 60 };

/* ---- signatures ---- */

/* Without digits, which are addresses, values and sizes. */
static void copy_without_digits(const char *from, char signature[SIGNATURE]) {
  int length = 0;
  for (; *from && *from != '\n' && length < SIGNATURE - 1; ++from) {
    if (!isdigit((unsigned char)*from)) signature[length++] = *from;
  }
  signature[length] = '\0';
}

void finding_signature(const char *log, int status, char signature[SIGNATURE]) {
  static const char *const marks[] = {"finding: ", "SUMMARY: ", "runtime error: "};
  signature[0] = '\0';
  if (status == 0) return;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i) {
    const char *mark = strstr(log, marks[i]);
    if (!mark) continue;
    copy_without_digits(mark, signature);
    return;
  }
  snprintf(signature, SIGNATURE, WIFSIGNALED(status) ? "signal %d" : "exit status %d",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

void text_signature(const char *text, char signature[SIGNATURE]) {
  FILE *log = tmpfile();
  if (!log) exit(2);
  fflush(stdout);
  pid_t process = fork();
  if (process == 0) {
    static record own;
    dup2(fileno(log), STDERR_FILENO);
    process_prepare();
    alarm(TRIAL_SECONDS);
    choices_from_text(&own);
    exit(run_text(text) ? 0 : 4);
  }
  int status;
  waitpid(process, &status, 0);
  rewind(log);
  static char content[1 << 16];
  content[fread(content, 1, sizeof content - 1, log)] = '\0';
  fclose(log);
  finding_signature(content, status, signature);
}

/* ---- reduction ---- */

typedef struct trial {
  char *line[LINES];
  int count;
  char wanted[SIGNATURE];
} trial;

static bool finds(const trial *t) {
  size_t size = 1;
  for (int i = 0; i < t->count; ++i) size += strlen(t->line[i]) + 1;
  char *text = malloc(size), *end = text;
  *end = '\0';
  for (int i = 0; i < t->count; ++i) end += sprintf(end, "%s\n", t->line[i]);
  char signature[SIGNATURE];
  text_signature(text, signature);
  free(text);
  return strcmp(signature, t->wanted) == 0;
}

static bool leave_out(trial *t, int first, int count) {
  trial less = *t;
  memmove(less.line + first, less.line + first + count,
          (size_t)(t->count - first - count) * sizeof *less.line);
  less.count -= count;
  if (!finds(&less)) return false;
  *t = less;
  return true;
}

static void drop_lines(trial *t) {
  for (int piece = (t->count + 1) / 2; piece > 0; piece = piece > 1 ? (piece + 1) / 2 : 0) {
    for (int first = 0; first < t->count;) {
      int count = piece < t->count - first ? piece : t->count - first;
      if (!leave_out(t, first, count)) first += count;
    }
  }
}

/* Drops the number at `at`, or puts 0 there. */
static bool simplify(trial *t, int line, char *at, bool cut) {
  char saved[RECORD_SIZE / 64];
  if (strlen(at) >= sizeof saved) return false;
  strcpy(saved, at);
  size_t length = strcspn(at, " ");
  if (cut) {
    at[-1] = '\0';
  } else {
    if (at[0] == '0') return false;
    at[0] = '0';
    memmove(at + 1, at + length, strlen(at + length) + 1);
  }
  if (finds(t)) return true;
  if (cut) at[-1] = ' ';
  strcpy(at, saved);
  (void)line;
  return false;
}

static void drop_numbers(trial *t) {
  for (int i = 0; i < t->count; ++i) {
    char *last;
    while ((last = strrchr(t->line[i], ' ')) && simplify(t, i, last + 1, true)) continue;
    char *at = t->line[i];
    while ((at = strchr(at, ' '))) simplify(t, i, ++at, false);
  }
}

char *text_reduced(const char *text) {
  static trial t;
  char *copy = strdup(text), *rest = NULL;
  t.count = 0;
  text_signature(text, t.wanted);
  if (!t.wanted[0]) return free(copy), NULL;
  for (char *line = strtok_r(copy, "\n", &rest); line && t.count < LINES;
       line = strtok_r(NULL, "\n", &rest)) {
    if (line[0] != '#') t.line[t.count++] = line;
  }
  drop_lines(&t);
  drop_lines(&t);
  drop_numbers(&t);
  char *reduced = malloc(strlen(text) + SIGNATURE + 8), *end = reduced;
  end += sprintf(end, "# %s\n", t.wanted);
  for (int i = 0; i < t.count; ++i) end += sprintf(end, "%s\n", t.line[i]);
  free(copy);
  return reduced;
}
