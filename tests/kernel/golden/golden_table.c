/*
 * The table of golden scenes, a text:
 *
 *     machine HASH              see golden_machine()
 *     NAME STEPS MOTION VALUES  two hashes of a scene
 *     # NAME: REASON            why its motion was renewed
 *
 * Motion must not change; values may. So renewing a scene refuses another motion unless a reason is
 * given, and then keeps the reason. A line whose scene is gone is dropped the same way.
 */
#include "golden.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { most_lines = 512, longest = 240 };

typedef struct line {
  char text[longest]; /* a comment, as it stands; else "" */
  char name[64];
  long steps;
  golden_bits bits;
  bool seen;
} line;

typedef struct table {
  uint64_t machine;
  int count;
  line line[most_lines];
} table;

static bool parse(const char *text, table *t) {
  line l = {.seen = false};
  if (sscanf(text, "machine %" SCNx64, &t->machine) == 1) return true;
  if (text[0] == '#') snprintf(l.text, sizeof l.text, "%s", text);
  else if (sscanf(text, "%63s %ld %" SCNx64 " %" SCNx64, l.name, &l.steps, &l.bits.motion,
                  &l.bits.values) != 4)
    return false;
  if (t->count == most_lines) return false;
  t->line[t->count++] = l;
  return true;
}

static bool read_table(const char *path, table *t) {
  char text[longest];
  FILE *file = fopen(path, "r");
  t->count = 0;
  t->machine = 0;
  bool fine = file != NULL;
  if (!file) perror(path);
  while (fine && fgets(text, sizeof text, file)) {
    text[strcspn(text, "\n")] = '\0';
    fine = parse(text, t);
    if (!fine) fprintf(stderr, "%s: not a line of the table: %s\n", path, text);
  }
  if (file) fclose(file);
  return fine;
}

static bool write_table(const char *path, const table *t) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    return false;
  }
  fprintf(file, "machine %016" PRIx64 "\n", t->machine);
  for (int k = 0; k < t->count; ++k) {
    const line *l = &t->line[k];
    if (l->text[0]) fprintf(file, "%s\n", l->text);
    else
      fprintf(file, "%-26s %5ld %016" PRIx64 " %016" PRIx64 "\n", l->name, l->steps, l->bits.motion,
              l->bits.values);
  }
  return fclose(file) == 0;
}

static line *find_line(table *t, const char *name) {
  for (int k = 0; k < t->count; ++k)
    if (strcmp(t->line[k].name, name) == 0) return &t->line[k];
  return NULL;
}

static bool named(const char *name, int count, char **names) {
  for (int k = 0; k < count; ++k)
    if (strcmp(names[k], name) == 0) return true;
  return count == 0;
}

/* What differs from the line; NULL: nothing. */
static const char *differs(const line *expected, const golden *scene, golden_bits bits) {
  if (!expected) return "not in the table";
  if (expected->steps != scene->steps) return "another number of steps than in the table";
  if (expected->bits.motion != bits.motion) return "another motion than in the table";
  if (expected->bits.values != bits.values)
    return "other values than in the table, the same motion";
  return NULL;
}

/* Lines of scenes that are no more. */
static int count_unseen(const table *t, int count, char **names) {
  int gone = 0;
  for (int k = 0; k < t->count; ++k) {
    const line *l = &t->line[k];
    if (l->text[0] || l->seen || !named(l->name, count, names)) continue;
    printf("%s: in the table, but there is no such scene\n", l->name);
    ++gone;
  }
  return gone;
}

int golden_check(const char *path, int count, char **names) {
  static table t;
  int wrong = 0, same = 0, left = 0;
  const golden *scene;
  if (!read_table(path, &t)) return 2;
  bool here = t.machine == golden_machine();
  for (int k = 0; (scene = golden_at(k)) != NULL; ++k) {
    golden_bits bits;
    if (!named(scene->name, count, names)) continue;
    line *expected = find_line(&t, scene->name);
    if (expected) expected->seen = true;
    bool fine = golden_run(scene, WHOLE, NULL, &bits); /* which tells */
    bool other_machine = fine && scene->machine && !here && expected;
    const char *what = fine && !other_machine ? differs(expected, scene, bits) : NULL;
    if (what) printf("%s: %s\n", scene->name, what);
    if (other_machine) ++left;
    else if (fine && !what) ++same;
    else ++wrong;
  }
  wrong += count_unseen(&t, count, names);
  if (left)
    printf(
        "%d scenes not compared: libm or BLAS round in another way here than where the table was "
        "written\n",
        left);
  printf("%d scenes as stored, %d not\n", same, wrong);
  return wrong || same == 0;
}

/* Puts the scene's new bits into the table; false, with a message, where that is refused. */
static bool renew(table *t, const golden *scene, const char *reason) {
  golden_bits bits;
  line *l = find_line(t, scene->name);
  if (!golden_run(scene, WHOLE, NULL, &bits)) return false;
  if (l && (l->bits.motion != bits.motion || l->steps != scene->steps)) {
    if (!reason) {
      printf("%s: its motion is another one, and stays in the table; --motion REASON renews it\n",
             scene->name);
      return false;
    }
    if (t->count == most_lines) return false;
    snprintf(t->line[t->count++].text, longest, "# %s: %s", scene->name, reason);
  }
  if (!l && t->count == most_lines) return false;
  if (!l) l = &t->line[t->count++];
  *l = (line){.steps = scene->steps, .bits = bits, .seen = true};
  snprintf(l->name, sizeof l->name, "%s", scene->name);
  return true;
}

/* Takes the line of a scene that is gone out; false where that is refused. */
static bool drop(table *t, const char *name, const char *reason) {
  line *l = find_line(t, name);
  for (int k = 0; golden_at(k); ++k)
    if (strcmp(golden_at(k)->name, name) == 0) return true;
  if (!l || !reason) {
    printf("%s: there is no such scene%s\n", name, l ? "; --motion REASON drops its line" : "");
    return false;
  }
  snprintf(l->text, sizeof l->text, "# %s: %s", name, reason);
  l->name[0] = '\0';
  return true;
}

int golden_renew(const char *path, const char *reason, int count, char **names) {
  static table t;
  int renewed = 0, refused = 0;
  const golden *scene;
  FILE *old = fopen(path, "r"); /* without one the table is new */
  if (old) fclose(old);
  if (old && !read_table(path, &t)) return 2;
  if (!old || (reason && count == 0)) t.machine = golden_machine();
  bool here = t.machine == golden_machine();
  for (int k = 0; (scene = golden_at(k)) != NULL; ++k) {
    if (!named(scene->name, count, names)) continue;
    bool elsewhere = scene->machine && !here;
    if (elsewhere)
      printf(
          "%s: depends on libm or BLAS, which round in another way here than where the table was "
          "written\n",
          scene->name);
    if (!elsewhere && renew(&t, scene, reason)) ++renewed;
    else ++refused;
  }
  for (int k = 0; k < count; ++k) refused += !drop(&t, names[k], reason);
  if (refused) {
    printf("%d scenes not renewed: the table stays as it is\n", refused);
    return 1;
  }
  printf("%d scenes renewed\n", renewed);
  return write_table(path, &t) ? 0 : 2;
}
