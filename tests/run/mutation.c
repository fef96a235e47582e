/*
 * Good files changed at random, always in the same way: fuzz_model_file.c or fuzz_netlist.c judges the results.
 *
 *   mutation FOLDER ENDING ROUNDS      files of FOLDER with this ending, .yaml or .cir
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { capacity = 1 << 13, most_files = 100 };

static uint64_t state = 2026;

static size_t draw(size_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return below ? (size_t)(state >> 33) % below : 0;
}

static char *file[most_files];
static int nfile;

static void read_folder(const char *folder, const char *ending) {
  DIR *d = opendir(folder);
  for (struct dirent *entry; d && (entry = readdir(d)) && nfile < most_files;) {
    char path[1024];
    size_t length = strlen(entry->d_name);
    size_t tail = strlen(ending);
    if (length < tail || strcmp(entry->d_name + length - tail, ending) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, capacity + 1);
    size_t got = f ? fread(text, 1, capacity, f) : 0;
    if (f) fclose(f);
    bool large = strstr(text, "repeat: 1000") != NULL;
    if (got > 0 && got < capacity && !large) file[nfile++] = text;
    else free(text);
  }
  if (d) closedir(d);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char *const words[] = {"-1",
                                    "0",
                                    "1",
                                    "2",
                                    "7",
                                    "1e400",
                                    "1e-300",
                                    "nan",
                                    "inf",
                                    "-inf",
                                    "x1",
                                    "q1",
                                    "q2",
                                    "v1",
                                    "z1",
                                    "lambda1",
                                    "t",
                                    "i",
                                    "pi",
                                    "sin(t)",
                                    "auto",
                                    "zero",
                                    "all",
                                    "true",
                                    "[",
                                    "]",
                                    "{",
                                    "}",
                                    ": ",
                                    ", ",
                                    "- ",
                                    "\n",
                                    "\n  ",
                                    "\"",
                                    "*a",
                                    "&a ",
                                    "!x ",
                                    "? ",
                                    "(",
                                    ")",
                                    "^",
                                    "/",
                                    "==",
                                    "&&",
                                    "type",
                                    "mass",
                                    "systems",
                                    "repeat: 3",
                                    "where: {a: t}",
                                    "{diagonal: [1]}",
                                    "{entries: [[1, 1, 1]]}",
                                    "[1, 2]",
                                    "[[1, 2], [3, 4]]",
                                    "ball",
                                    "equality",
                                    "relay",
                                    "# ",
                                    "\t",
                                    "\xc3\xa4",
                                    "%",
                                    "2147483648",
                                    "0.5*",
                                    "1k",
                                    "10uF",
                                    "4.7MEG",
                                    "{fs}",
                                    "{1/0}",
                                    "\n+ ",
                                    "\nR1 a b 1",
                                    "\nX1 a b sub",
                                    "\n.subckt sub a b",
                                    "\n.ends",
                                    "\n.param a=b b=a",
                                    "\n.model D D(ideal=1)",
                                    "\n.include x",
                                    "PULSE(",
                                    "uic",
                                    "v(",
                                    "ideal=1"};

static void replace(char *text, size_t *size, size_t at, size_t count, const char *by,
                    size_t by_size) {
  if (*size - count + by_size > capacity) return;
  memmove(text + at + by_size, text + at + count, *size - at - count);
  memcpy(text + at, by, by_size);
  *size += by_size - count;
}

/* The word or number at or behind a place. */
static void find_word(const char *text, size_t size, size_t *at, size_t *count) {
  while (*at < size && strchr(" \n,[]{}:", text[*at])) ++*at;
  for (*count = 0; *at + *count < size && !strchr(" \n,[]{}:", text[*at + *count]);) ++*count;
}

static void change(char *text, size_t *size) {
  size_t at = draw(*size + 1), count = draw(12);
  if (count > *size - at) count = *size - at;
  const char *word = words[draw(sizeof words / sizeof *words)];
  char copy[40];
  switch (draw(6)) {
  case 0: replace(text, size, at, count, "", 0); break;
  case 1: replace(text, size, at, 0, word, strlen(word)); break;
  case 2: /* a word of another place */
    find_word(text, *size, &at, &count);
    if (count > sizeof copy) count = sizeof copy;
    memcpy(copy, text + at, count);
    {
      size_t to = draw(*size + 1), old;
      find_word(text, *size, &to, &old);
      replace(text, size, to, old, copy, count);
    }
    break;
  case 3:
    if (at < *size) text[at] = (char)(1 + draw(255));
    break;
  default: find_word(text, *size, &at, &count); replace(text, size, at, count, word, strlen(word));
  }
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  read_folder(argv[1], argv[2]);
  qsort(file, (size_t)nfile, sizeof *file, by_text);
  if (nfile < 1) return 1;
  char *text = malloc(capacity + 1);
  for (int round = 0; round < atoi(argv[3]); ++round) {
    const char *from = file[draw((size_t)nfile)];
    size_t size = strlen(from);
    memcpy(text, from, size);
    for (size_t k = 1 + draw(3); k > 0; --k) change(text, &size);
    LLVMFuzzerTestOneInput((const uint8_t *)text, size);
  }
  for (int k = 0; k < nfile; ++k) free(file[k]);
  free(text);
  return 0;
}
