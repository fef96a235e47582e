/*
 * A drawn folder: one or two good files, changed line by line, word by word and byte by byte so that most of the structure
 * stays. Names of files in them lead to each other, to pipes, links, devices, folders, a shared object, and out of the
 * folder.
 */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE /* mknod() of devices, DT_DIR */
#include "folder_draw.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

enum { most_text = 1 << 22, most_sources = 200 };

static uint64_t drawn;

size_t folder_draw_below(size_t bound) {
  drawn = drawn * 6364136223846793005u + 1442695040888963407u;
  return bound ? (size_t)(drawn >> 33) % bound : 0;
}

static bool one_in(size_t count) { return folder_draw_below(count) == 0; }

#define PICK(list) ((list)[folder_draw_below(sizeof(list) / sizeof *(list))])

/* ---- sources ---- */

static char *read_whole(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = f ? calloc(1, 1 << 16) : NULL;
  if (text && fread(text, 1, (1 << 16) - 1, f) == 0) text[0] = '\0';
  if (f) fclose(f);
  return text;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

int folder_source_read(folder_source *source, const char *folder, const char *ending) {
  struct dirent **entry;
  int count = scandir(folder, &entry, NULL, by_name);
  if (!source->text) {
    source->text = calloc(most_sources, sizeof *source->text);
    source->name = calloc(most_sources, sizeof *source->name);
  }
  for (int k = 0; k < count; ++k) {
    const char *name = entry[k]->d_name, *tail = strrchr(name, '.');
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (tail && strcmp(tail, ending) == 0 && source->count < most_sources) {
      source->text[source->count] = read_whole(path);
      source->name[source->count++] = strdup(name);
    }
    free(entry[k]);
  }
  if (count >= 0) free(entry);
  return source->count;
}

void folder_source_free(folder_source *source) {
  for (int k = 0; k < source->count; ++k) {
    free(source->text[k]);
    free(source->name[k]);
  }
  free(source->text);
  free(source->name);
  *source = (folder_source){0};
}

/* ---- texts ---- */

typedef struct text {
  size_t size;
  char *at; /* most_text bytes and a zero */
} text;

static void replace(text *t, size_t at, size_t count, const char *by, size_t size) {
  if (at > t->size || count > t->size - at || t->size - count + size > most_text) return;
  memmove(t->at + at + size, t->at + at + count, t->size - at - count + 1);
  memcpy(t->at + at, by, size);
  t->size += size - count;
}

static void put(text *t, const char *words) { replace(t, t->size, 0, words, strlen(words)); }

/* The line, with its end, that a drawn place is in. */
static void find_line(const text *t, size_t *begin, size_t *size) {
  size_t at = folder_draw_below(t->size + 1);
  *begin = at;
  while (*begin > 0 && t->at[*begin - 1] != '\n') --*begin;
  *size = 0;
  while (*begin + *size < t->size && t->at[*begin + (*size)++] != '\n') {
  }
}

static const char word_ends[] = " \n,[]{}()=:";

static void find_word(const text *t, size_t *begin, size_t *size) {
  size_t at = folder_draw_below(t->size + 1);
  while (at < t->size && strchr(word_ends, t->at[at])) ++at;
  while (at > 0 && !strchr(word_ends, t->at[at - 1])) --at;
  *begin = at;
  for (*size = 0; at + *size < t->size && !strchr(word_ends, t->at[at + *size]);) ++*size;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void find_number(const text *t, size_t *begin, size_t *size) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    find_word(t, begin, size);
    if (*size > 0 && (is_digit(t->at[*begin]) || t->at[*begin] == '-')) return;
  }
}

/* ---- what stands in place of words ---- */

static const char *const numbers[] = {
    "0",        "-1",         "1e308",       "1e-308",      "1e400",
    "-1e300",   "nan",        "inf",         "-inf",        "1e9",
    "1e-12",    "2147483647", "2147483648",  "-2147483649", "4294967296",
    "1e18",     "0.1",        "3",           "100000",      "1e5",
    "1e6",      "1e7",        "99999999999", "1e-9",        "12345678901234567890123456789",
    "0x10",     "1k",         "1meg",        "07",          "1/0",
    "sqrt(-1)", "t",          "1e3",         "1000"};

static const char *const paths[] = {"main.yaml",
                                    "main.cir",
                                    "data.txt",
                                    "part.inc",
                                    "other.inc",
                                    "deep/part.inc",
                                    "deep/data.txt",
                                    "pipe",
                                    "link_out.txt",
                                    "link_in.txt",
                                    "link_loop",
                                    "link_zero",
                                    "link_folder/secret.txt",
                                    "link_gone",
                                    "device",
                                    "socket",
                                    "deep",
                                    ".",
                                    "..",
                                    "../secret.txt",
                                    "../../secret.txt",
                                    "deep/../../secret.txt",
                                    "/dev/zero",
                                    "/dev/stdin",
                                    "/dev/tty",
                                    "/proc/self/mem",
                                    "/proc/self/fd/0",
                                    "/etc/passwd",
                                    "huge.txt",
                                    "bytes.bin",
                                    "empty.txt",
                                    "tells.so",
                                    "./tells.so",
                                    "deep/tells.so",
                                    "link_tells.so",
                                    "../tells.so",
                                    "data.txt/",
                                    "\"\"",
                                    "//data.txt",
                                    "~",
                                    "-",
                                    "|touch PWNED",
                                    "$(touch PWNED)",
                                    "locked.txt",
                                    "\"a\\nb\"",
                                    "file:///etc/passwd",
                                    "libm.so.6"};

static const char *const yaml_pieces[] = {"[1, 2]",
                                          "[[1, 2], [3, 4]]",
                                          "{diagonal: [1, 2]}",
                                          "{entries: [[1, 1, 1]]}",
                                          "*a",
                                          "&a x",
                                          "!!binary AAAA",
                                          "!x y",
                                          "~",
                                          "\"\\0\"",
                                          "\"\\u202e\"",
                                          "{a: 1, a: 2}",
                                          "all",
                                          "auto",
                                          "true",
                                          "repeat: 3",
                                          "sin(t)",
                                          "q1",
                                          "x1",
                                          "[]",
                                          "{}",
                                          "? a",
                                          "|\n  text",
                                          "{grid: [1000, 1000]}",
                                          "<<: *a",
                                          "{where: {a: t}}",
                                          "ball"};

static const char *const spice_pieces[] = {"{1/0}",
                                           "{fs}",
                                           "'a'",
                                           "v(out)",
                                           "uic",
                                           "PULSE(0 1 0 0 0 1u 2u)",
                                           "PWL(0 0 1 1)",
                                           "SIN(0 1 1k)",
                                           "k1 l1 l2 -1",
                                           "D(ideal=1)",
                                           "ic=1",
                                           "n=1e9",
                                           "$",
                                           ";",
                                           "(",
                                           ")",
                                           "=",
                                           "PULSE(0 1 0 1e-15 1e-15 1e-15 3e-15)",
                                           "SIN(0 1 1e15)"};

static void put_path(text *t, size_t at, size_t count) {
  char words[6000];
  const char *path = PICK(paths);
  if (one_in(60)) {
    memset(words, 'x', 5000);
    words[5000] = '\0';
    path = words;
  }
  replace(t, at, count, path, strlen(path));
}

/* Brackets in brackets. */
static void put_deep(text *t, size_t at, size_t count, bool yaml) {
  static const char *const pairs[][2] = {{"[", "]"},  {"{a: ", "}"}, {"(", ")"},
                                         {"-(", ")"}, {"sin(", ")"}, {"{", "}"}};
  const char *const *pair = pairs[yaml ? folder_draw_below(6) : 2 + folder_draw_below(4)];
  size_t depth = one_in(4) ? folder_draw_below(100000) : folder_draw_below(300);
  size_t open = strlen(pair[0]), room = depth * (open + 1) + count + 1, used = 0;
  char *words = malloc(room);
  for (size_t k = 0; k < depth; ++k, used += open) memcpy(words + used, pair[0], open);
  memcpy(words + used, t->at + at, count);
  used += count;
  for (size_t k = 0; k < depth; ++k) words[used++] = pair[1][0];
  replace(t, at, count, words, used);
  free(words);
}

static void put_long(text *t, size_t at) {
  static const char *const parts[] = {"1 ",   "a", "1,", "- 1\n", "+",  "&",      "*", "\t",
                                      "\xff", "[", "# ", "\n",    "1+", "a: 1\n", "\""};
  const char *part = PICK(parts);
  size_t size = strlen(part), count = 1 + folder_draw_below(one_in(5) ? 1 << 20 : 3000);
  char *words = malloc(size * count);
  for (size_t k = 0; k < count; ++k) memcpy(words + k * size, part, size);
  replace(t, at, 0, words, size * count);
  free(words);
}

/* ---- changes ---- */

static void swap_lines(text *t) {
  size_t a, b, na, nb;
  find_line(t, &a, &na);
  find_line(t, &b, &nb);
  if (a == b || !na || !nb) return;
  char *copy = malloc(na);
  memcpy(copy, t->at + a, na);
  replace(t, a, na, "", 0);
  if (b > a) b -= na;
  replace(t, b, 0, copy, na);
  free(copy);
}

static void repeat_line(text *t) {
  size_t at, size, count = one_in(10) ? folder_draw_below(20000) : 1 + folder_draw_below(3);
  find_line(t, &at, &size);
  char *copy = malloc(size + 1);
  memcpy(copy, t->at + at, size);
  for (; count > 0; --count) replace(t, at, 0, copy, size);
  free(copy);
}

static void take_line_of(text *t, const char *other) {
  text from = {strlen(other), (char *)(uintptr_t)other};
  size_t at, size, begin, unused;
  find_line(&from, &at, &size);
  find_line(t, &begin, &unused);
  replace(t, begin, one_in(2) ? unused : 0, other + at, size);
}

static void change_word(text *t, const char *other, bool yaml) {
  size_t at, size, from, count;
  find_word(t, &at, &size);
  text source = {strlen(other), (char *)(uintptr_t)other};
  const char *piece = yaml ? PICK(yaml_pieces) : PICK(spice_pieces);
  switch (folder_draw_below(4)) {
  case 0: replace(t, at, size, piece, strlen(piece)); break;
  case 1: put_path(t, at, size); break;
  case 2:
    find_word(&source, &from, &count);
    replace(t, at, size, other + from, count);
    break;
  default: replace(t, at, size, "", 0);
  }
}

static void change_number(text *t) {
  size_t at, size;
  find_number(t, &at, &size);
  const char *number = PICK(numbers);
  replace(t, at, size, number, strlen(number));
}

static void change_indent(text *t) {
  size_t at, size;
  find_line(t, &at, &size);
  if (one_in(2)) replace(t, at, 0, "    ", 1 + folder_draw_below(4));
  else if (size > 2 && t->at[at] == ' ') replace(t, at, 1, "", 0);
}

static void change(text *t, const char *other, bool yaml) {
  size_t at = folder_draw_below(t->size + 1), size;
  char byte;
  switch (folder_draw_below(16)) {
  case 0:
  case 1: swap_lines(t); break;
  case 2: repeat_line(t); break;
  case 3: take_line_of(t, other); break;
  case 4:
    find_line(t, &at, &size);
    replace(t, at, size, "", 0);
    break;
  case 5:
  case 6:
  case 7: change_number(t); break;
  case 8:
  case 9:
  case 10: change_word(t, other, yaml); break;
  case 11: change_indent(t); break;
  case 12:
    byte = (char)folder_draw_below(256);
    if (at < t->size) t->at[at] = byte;
    break;
  case 13:
    find_word(t, &at, &size);
    if (one_in(4)) put_deep(t, at, size, yaml);
    break;
  case 14:
    if (one_in(10)) put_long(t, at);
    break;
  default: replace(t, at, folder_draw_below(12) % (t->size - at + 1), "", 0);
  }
}

/* ---- small inputs of great effect ---- */

/* Each part stands several times in the next. */
static void put_tower(text *t, bool yaml) {
  char line[200];
  size_t levels = 2 + folder_draw_below(14), times = 1 + folder_draw_below(10);
  put(t, yaml ? "parameters: {l0: &l0 [1, 1]" : ".subckt s0 a b\nr1 a b 1\n.ends\n");
  for (size_t k = 1; k < levels; ++k) {
    snprintf(line, sizeof line, yaml ? ", l%zu: &l%zu [" : ".subckt s%zu a b\n", k, k);
    put(t, line);
    for (size_t j = 0; j < times; ++j) {
      snprintf(line, sizeof line, yaml ? "*l%zu, " : "x%zu a b s%zu\n", yaml ? k - 1 : j, k - 1);
      put(t, line);
    }
    put(t, yaml ? "1]" : ".ends\n");
  }
  snprintf(line, sizeof line, yaml ? "}\n" : "xtop in out s%zu\n", levels - 1);
  put(t, line);
}

static void put_chain(text *t, bool yaml) {
  char line[200];
  size_t count = folder_draw_below(one_in(5) ? 20000 : 200);
  put(t, yaml ? "parameters:\n  c0: 1\n" : ".param c0=1\n");
  for (size_t k = 1; k < count; ++k) {
    snprintf(line, sizeof line, yaml ? "  c%zu: c%zu + 1\n" : ".param c%zu={c%zu+1}\n", k,
             k - one_in(2000) * k / 2 - 1);
    put(t, line);
  }
}

static void put_include(text *t, bool yaml) {
  put(t, yaml ? "z: {file: " : ".include ");
  put_path(t, t->size, 0);
  put(t, yaml ? "}\n" : "\n");
}

/* Model files with places for names of files. */
static const char reading[] =
    "nsds: 1\nname: reads\nsystems:\n  a: {type: lagrangian_linear, q0: {file: data.txt}, mass: 1, "
    "fext: -9.81}\n"
    "  b: {type: lagrangian_linear, q0: [1, 2], mass: {file: deep/data.txt}, fext: {plugin: "
    "tells.so, function: f}}\n"
    "interactions:\n  floor: {systems: a, relation: {type: lagrangian_linear, H: 1}, law: {type: "
    "newton_impact, e: 0.5}}\n"
    "  mine: {systems: b, relation: {type: lagrangian_linear, H: [[1, 0]]}, law: {type: plugin, "
    "plugin: tells.so, law: l}}\n"
    "simulation: {type: time_stepping, t1: 0.1, h: 0.01, solver: mine, solver_plugin: tells.so}\n";
static const char including[] =
    "Reads\n.include part.inc\nV1 in 0 1\n.include deep/part.inc\nR1 in out 1k\nC1 out 0 1u\n"
    ".tran 1u 100u\n.print v(out)\n.end\n";

static void draw_text(const folder_source *source, text *t, bool *yaml) {
  size_t which = folder_draw_below((size_t)source->count + 8);
  const char *other = source->text[folder_draw_below((size_t)source->count)];
  const char *from = which < (size_t)source->count ? source->text[which]
                     : which % 2                   ? reading
                                                   : including;
  *yaml = which < (size_t)source->count ? strstr(source->name[which], ".yaml") != NULL : which % 2;
  t->size = 0;
  put(t, from);
  if (one_in(30)) put_tower(t, *yaml);
  if (one_in(30)) put_chain(t, *yaml);
  for (size_t k = one_in(6) ? 0 : 1 + folder_draw_below(one_in(2) ? 2 : 5); k > 0; --k)
    change(t, other, *yaml);
  for (size_t k = one_in(10) ? 1 + folder_draw_below(3) : 0; k > 0; --k) put_include(t, *yaml);
  if (one_in(300)) put_long(t, folder_draw_below(t->size));
}

/* ---- the folder ---- */

static void write_bytes(const char *path, const char *bytes, size_t size) {
  FILE *f = fopen(path, "wb");
  if (!f) return;
  fwrite(bytes, 1, size, f);
  fclose(f);
}

static void make_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int s = socket(AF_UNIX, SOCK_STREAM, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  if (s >= 0) {
    if (bind(s, (const struct sockaddr *)&address, sizeof address) != 0) unlink(path);
    close(s);
  }
}

/* A file of holes: it has a great length and needs no room. */
static void make_huge(const char *path) {
  int f = open(path, O_WRONLY | O_CREAT, 0600);
  if (f < 0) return;
  if (ftruncate(f, (off_t)1 << (24 + folder_draw_below(16))) != 0) unlink(path);
  close(f);
}

static bool ok(int result) { return result == 0; }

static void make_special(const folder_source *source) {
  bool good = true;
  if (one_in(2)) good = ok(mkfifo("pipe", 0600)) && good;
  if (one_in(2)) good = ok(symlink("../secret.txt", "link_out.txt")) && good;
  if (one_in(2)) good = ok(symlink("data.txt", "link_in.txt")) && good;
  if (one_in(4)) good = ok(symlink("link_loop", "link_loop")) && good;
  if (one_in(4)) good = ok(symlink("/dev/zero", "link_zero")) && good;
  if (one_in(4)) good = ok(symlink("..", "link_folder")) && good;
  if (one_in(4)) good = ok(symlink("nowhere/at/all", "link_gone")) && good;
  if (one_in(4))
    good = ok(mknod("device", S_IFCHR | 0600, makedev(1, 5))) && good; /* superusers may */
  if (one_in(8)) make_socket("socket");
  if (one_in(8)) make_huge("huge.txt");
  if (one_in(4)) write_bytes("bytes.bin", "\x00\x01\xff\xfe 1 2 3\n\x1b[31m", 16);
  if (one_in(4)) write_bytes("empty.txt", "", 0);
  if (one_in(8)) write_bytes("locked.txt", "1\n", 2), good = ok(chmod("locked.txt", 0)) && good;
  good = ok(symlink("tells.so", "link_tells.so")) && good;
  good = ok(link(source->plugin, "tells.so")) && ok(link(source->plugin, "deep/tells.so")) && good;
  (void)good; /* what cannot be made is not there */
}

static void write_data(const char *path, text *t) {
  char line[100];
  t->size = 0;
  for (size_t k = one_in(20) ? folder_draw_below(100000) : 1 + folder_draw_below(9); k > 0; --k) {
    snprintf(line, sizeof line, "%s%s", one_in(9) ? PICK(numbers) : "1",
             one_in(3)   ? "\n"
             : one_in(2) ? " "
                         : ", ");
    put(t, line);
  }
  write_bytes(path, t->at, t->size);
}

static void write_part(const folder_source *source, const char *path, text *t) {
  bool yaml;
  t->size = 0;
  if (one_in(3)) draw_text(source, t, &yaml);
  else put(t, "* part\nR9 in 0 1k\n");
  for (size_t k = one_in(4) ? folder_draw_below(12) : 0; k > 0; --k) {
    put(t, ".include ");
    put_path(t, t->size, 0);
    put(t, "\n");
  }
  write_bytes(path, t->at, t->size);
}

void folder_draw(const folder_source *source, uint64_t number, char main[256]) {
  static text t;
  bool yaml;
  if (!t.at) t.at = calloc(1, most_text + 1);
  drawn = number * 0x9E3779B97F4A7C15u + 1;
  for (int k = 0; k < 4; ++k) folder_draw_below(2);
  if (mkdir("deep", 0700) != 0) return;
  make_special(source);
  write_data("data.txt", &t);
  write_data("deep/data.txt", &t);
  write_part(source, "part.inc", &t);
  write_part(source, "other.inc", &t);
  write_part(source, "deep/part.inc", &t);
  draw_text(source, &t, &yaml);
  snprintf(main, 256, "%s", yaml ? "main.yaml" : "main.cir");
  write_bytes(main, t.at, t.size);
  if (!one_in(40)) return;
  const char *path = PICK(paths); /* the file itself is something else */
  if (path[0] != '"') snprintf(main, 256, "%s", path);
}

void folder_empty(const char *folder) {
  char path[4400];
  DIR *d = opendir(folder);
  for (struct dirent *entry; d && (entry = readdir(d));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_type == DT_DIR) {
      folder_empty(path);
      rmdir(path);
    } else {
      unlink(path);
    }
  }
  if (d) closedir(d);
}
