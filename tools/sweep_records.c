/*
 * Records of a sweep: TABLE.part, or TABLE.part-K-of-N of shard K.
 *
 *     nsds sweep records 2 KEY POINTS
 *     facts about the sweep: name <tab> text <tab> name ...
 *     the names of the columns
 *     POINT <tab> CHECKSUM <tab> LINE       as points come
 *     complete                              when all points of the shard are there
 *
 * A killed process leaves at worst a line without its end or with a wrong checksum. The next
 * process cuts this line off. The table is made of complete records, in the order of the points,
 * and takes its place by a rename. The table does not show how the points were shared, or how often
 * the sweep was interrupted.
 */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"

#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t checksum(const char *text) { /* FNV-1a */
  uint32_t sum = 0x811C9DC5U;
  for (; *text; ++text) sum = (sum ^ (unsigned char)*text) * 0x01000193U;
  return sum;
}

static void records_path(char path[4096], const char *table, shard part) {
  if (part.count == 1) snprintf(path, 4096, "%s.part", table);
  else snprintf(path, 4096, "%s.part-%d-of-%d", table, part.index, part.count);
}

static bool records_fail(const records *r, const char *what) {
  complain("nsds sweep: %s: %s: %s", r->path, what, strerror(errno));
  return false;
}

/* Reads one line of a file without its end; NULL if there is no complete one. Free the result. */
static char *read_line(FILE *file) {
  char *line = NULL;
  size_t room = 0;
  ssize_t size = getline(&line, &room, file);
  if (size > 0 && line[size - 1] == '\n') {
    line[size - 1] = '\0';
    return line;
  }
  free(line);
  return NULL;
}

static bool read_head(records *r, FILE *file) {
  unsigned long long key;
  long count;
  char *first = read_line(file);
  bool fine = first && sscanf(first, "nsds sweep records 2 %llx %ld", &key, &count) == 2 &&
              count > 0 && count <= 100000000;
  free(first);
  if (!fine) return false;
  r->key = key;
  r->count = count;
  r->facts = read_line(file);
  r->head = r->facts ? read_line(file) : NULL;
  r->line = calloc((size_t)count, sizeof *r->line);
  return r->head && r->line;
}

/* Reads lines up to the first bad one; `sound` is the end of the good ones. Returns false if memory is out. */
static bool read_lines(records *r, FILE *file, long *sound) {
  for (*sound = ftell(file); !r->complete; *sound = ftell(file)) {
    char *line = read_line(file), *at;
    if (!line) return errno != ENOMEM;
    r->complete = strcmp(line, "complete") == 0;
    long point = strtol(line, &at, 10);
    bool fine = !r->complete && *at == '\t' && point >= 0 && point < r->count;
    unsigned long sum = fine ? strtoul(at + 1, &at, 16) : 0;
    fine = fine && *at == '\t' && sum == checksum(at + 1);
    if (fine && !r->line[point]) {
      r->line[point] = strdup(at + 1);
      ++r->done;
    }
    bool kept = !fine || r->line[point];
    free(line);
    if (!kept) return false;
    if (!fine && !r->complete) break;
  }
  return true;
}

/* Reads records of any sweep; false if there are none. */
static bool records_read(records *r, const char *table, shard part, long *sound) {
  *r = (records){0};
  records_path(r->path, table, part);
  errno = 0;
  FILE *file = fopen(r->path, "rb");
  if (!file) return false;
  bool fine = read_head(r, file) && read_lines(r, file, sound);
  fclose(file);
  int why = errno;
  if (!fine) records_close(r);
  errno = why;
  return fine;
}

static bool records_begin(records *r, uint64_t key, long count, const char *facts,
                          const char *head) {
  r->key = key;
  r->count = count;
  r->facts = strdup(facts);
  r->head = strdup(head);
  r->line = calloc((size_t)count, sizeof *r->line);
  if (!r->facts || !r->head || !r->line) return records_fail(r, "out of memory");
  r->file = fopen(r->path, "wb");
  if (!r->file) return records_fail(r, "cannot be written");
  fprintf(r->file, "nsds sweep records 2 %016llx %ld\n%s\n%s\n", (unsigned long long)key, count,
          facts, head);
  return fflush(r->file) == 0 || records_fail(r, "cannot be written");
}

bool records_open(records *r, const char *table, shard part, uint64_t key, long count,
                  const char *facts, const char *head) {
  long sound = 0;
  if (!records_read(r, table, part, &sound)) {
    records_path(r->path, table, part);
    if (errno == ENOMEM) return records_fail(r, "cannot be read"); /* it stays as it is */
    return records_begin(r, key, count, facts, head);
  }
  if (r->key != key || r->count != count || strcmp(r->head, head) != 0) {
    complain("nsds sweep: %s has records of another sweep; remove it, or write another table",
             r->path);
    return false;
  }
  r->file = fopen(r->path, "r+b");
  if (!r->file || ftruncate(fileno(r->file), sound) != 0 || fseek(r->file, 0, SEEK_END) != 0)
    return records_fail(r, "cannot be written");
  return true;
}

bool records_add(records *r, long point, const char *line) {
  fprintf(r->file, "%ld\t%08lx\t%s\n", point, (unsigned long)checksum(line), line);
  if (fflush(r->file) != 0 || ferror(r->file)) return records_fail(r, "cannot be written");
  if (!r->line[point]) {
    r->line[point] = strdup(line);
    if (!r->line[point]) return records_fail(r, "a line was written and not kept");
    ++r->done;
  }
  return true;
}

bool records_finish(records *r) {
  if (r->complete) return true;
  fputs("complete\n", r->file);
  r->complete = fflush(r->file) == 0 && fsync(fileno(r->file)) == 0;
  return r->complete || records_fail(r, "cannot be written");
}

void records_close(records *r) {
  if (r->file) fclose(r->file);
  for (long k = 0; r->line && k < r->count; ++k) free(r->line[k]);
  free(r->line);
  free(r->facts);
  free(r->head);
  r->file = NULL;
  r->line = NULL;
  r->facts = r->head = NULL;
}

bool records_are_complete(const char *table, shard part, uint64_t key) {
  records r;
  long sound;
  if (!records_read(&r, table, part, &sound)) return false;
  bool complete = r.complete && r.key == key;
  records_close(&r);
  return complete;
}

/* ---- joining ---- */

/* Takes over the lines of another shard; false, with a message, on failure. */
static bool take_shard(records *all, const char *table, shard part) {
  records r;
  long sound;
  if (!records_read(&r, table, part, &sound)) {
    if (errno == ENOMEM) complain("nsds merge: %s cannot be read: out of memory", r.path);
    else
      complain("nsds merge: %s cannot be read; run the sweep of shard %d/%d first", r.path,
               part.index, part.count);
    return false;
  }
  bool first = !all->line;
  if (first) {
    *all = r;
    r.line = NULL;
    r.facts = r.head = NULL;
  }
  bool same = first || (r.key == all->key && r.count == all->count);
  if (!same) complain("nsds merge: %s has records of another sweep", r.path);
  else if (!r.complete) complain("nsds merge: %s is not complete; run its sweep again", r.path);
  for (long k = 0; !first && same && k < r.count; ++k)
    if (!all->line[k]) {
      all->line[k] = r.line[k];
      r.line[k] = NULL;
    }
  bool fine = same && r.complete;
  if (!first) records_close(&r);
  return fine;
}

/* Tells if all points have a line; false, with a message. */
static bool points_are_there(const records *all) {
  for (long k = 0; k < all->count; ++k)
    if (!all->line[k]) {
      complain("nsds merge: point %ld is in no records", k);
      return false;
    }
  return true;
}

int records_join(const char *table, int shards) {
  records all = {0};
  bool fine = true;
  for (int k = 0; k < shards && fine; ++k) fine = take_shard(&all, table, (shard){k, shards});
  fine = fine && points_are_there(&all) && sweep_table_write(&all, table);
  int code = fine ? exit_good : exit_failed;
  if (fine)
    fprintf(stderr, "%ld %s in %s\n", all.count, all.count == 1 ? "point" : "points", table);
  for (int k = 0; k < shards && code == exit_good; ++k) {
    char path[4096];
    records_path(path, table, (shard){k, shards});
    unlink(path);
  }
  records_close(&all);
  return code;
}

int records_shards(const char *table) {
  char folder[4096];
  const char *slash = strrchr(table, '/'), *name = slash ? slash + 1 : table;
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - table) : 1, slash ? table : ".");
  if (slash == table) snprintf(folder, sizeof folder, "/");
  DIR *all = opendir(folder);
  int shards = 0;
  size_t length = strlen(name);
  for (struct dirent *at; all && (at = readdir(all));) {
    int index, count, used = 0;
    if (strncmp(at->d_name, name, length) != 0) continue;
    if (strcmp(at->d_name + length, ".part") == 0 && shards == 0) shards = 1;
    bool shard_of = sscanf(at->d_name + length, ".part-%d-of-%d%n", &index, &count, &used) == 2 &&
                    !at->d_name[length + (size_t)used];
    if (shard_of && count > shards) shards = count;
  }
  if (all) closedir(all);
  return shards;
}
