/*
 * The API fuzzer without libFuzzer:
 *
 *     fuzz_api run [--calls N] [--seconds S] [--seed S] [--jobs J] [--out FOLDER] [--functions]
 *     fuzz_api replay FILE...    texts of findings; fails where one is found again
 *     fuzz_api reduce FILE       writes a text with fewer calls that finds the same
 *     fuzz_api text SEED         the calls of a seed
 *     fuzz_api bytes FILE        the calls of a file of libFuzzer
 */
#include "driver.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LENGTH = 250 };

static record own;

static void hang(int number) {
  (void)number;
  static const char text[] = "finding: a call takes too long\n";
  ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  (void)written;
  abort();
}

void process_prepare(void) { signal(SIGPROF, hang); }

char *file_content(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  size_t capacity = RECORD_SIZE, length;
  char *text = malloc(capacity + 1);
  length = fread(text, 1, capacity, file);
  text[length] = '\0';
  fclose(file);
  return text;
}

static int replay(int count, char **paths) {
  int found = 0;
  for (int i = 0; i < count; ++i) {
    char signature[SIGNATURE], *text = file_content(paths[i]);
    if (!text) return fprintf(stderr, "'%s' cannot be read\n", paths[i]), 2;
    text_signature(text, signature);
    if (signature[0]) printf("%s: %s\n", paths[i], signature), ++found;
    free(text);
  }
  printf("%d texts, %d findings\n", count, found);
  return found != 0;
}

static int reduce(const char *path) {
  char *text = file_content(path);
  if (!text) return fprintf(stderr, "'%s' cannot be read\n", path), 2;
  char *reduced = text_reduced(text);
  if (reduced) fputs(reduced, stdout);
  if (!reduced) fputs("it finds nothing\n", stderr);
  free(reduced);
  free(text);
  return reduced ? 0 : 1;
}

static int bytes(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return fprintf(stderr, "'%s' cannot be read\n", path), 2;
  static uint8_t data[1 << 16];
  size_t length = fread(data, 1, sizeof data, file);
  fclose(file);
  choices_from_bytes(&own, data, length);
  run_chosen(LENGTH);
  puts(own.text);
  return 0;
}

static int usage(void) {
  fputs("usage: fuzz_api run [--calls N] [--seconds S] [--seed S] [--jobs J] [--out FOLDER] "
        "[--functions] | replay FILE... | reduce FILE | text SEED | bytes FILE\n",
        stderr);
  return 2;
}

static int run(int count, char **options) {
  campaign c = {.seed = 1, .length = LENGTH, .jobs = 1};
  for (int i = 0; i < count; ++i) {
    if (strcmp(options[i], "--functions") == 0) {
      c.functions = true;
      continue;
    }
    if (i + 1 == count) return usage();
    const char *name = options[i], *value = options[++i];
    if (strcmp(name, "--calls") == 0) c.calls = atol(value);
    else if (strcmp(name, "--seconds") == 0) c.seconds = atof(value);
    else if (strcmp(name, "--seed") == 0) c.seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--jobs") == 0) c.jobs = atoi(value);
    else if (strcmp(name, "--out") == 0) c.out = value;
    else return usage();
  }
  if (c.jobs < 1 || (c.calls <= 0 && c.seconds <= 0.0)) return usage();
  return campaign_run(&c) != 0;
}

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  process_prepare();
  if (count < 3) return usage();
  const char *what = arguments[1];
  if (strcmp(what, "run") == 0) return run(count - 2, arguments + 2);
  if (strcmp(what, "replay") == 0) return replay(count - 2, arguments + 2);
  if (strcmp(what, "reduce") == 0) return reduce(arguments[2]);
  if (strcmp(what, "bytes") == 0) return bytes(arguments[2]);
  if (strcmp(what, "text") != 0) return usage();
  choices_from_seed(&own, strtoull(arguments[2], NULL, 10));
  run_chosen(LENGTH);
  return fputs(own.text, stdout) < 0;
}
