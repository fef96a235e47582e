/*
 * The input files. A folder stands for the files in it and in its folders, by name. Hidden files
 * are left out, and so are links to folders inside it. "-" is standard input.
 */
#define _POSIX_C_SOURCE 200809L
#include "command.h"

#include <nsds/extend.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool out_of_memory(void) {
  complain("nsds: out of memory");
  return false;
}

static bool append(file_list *list, const char *folder, const char *name) {
  if (list->count == list->capacity) {
    size_t capacity = 2 * list->capacity + 16;
    char **grown = realloc(list->path, capacity * sizeof *grown);
    if (!grown) return out_of_memory();
    list->path = grown;
    list->capacity = capacity;
  }
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = malloc(size);
  if (!path) return out_of_memory();
  bool separate = folder[0] && folder[strlen(folder) - 1] != '/';
  snprintf(path, size, "%s%s%s", folder, separate ? "/" : "", name);
  list->path[list->count++] = path;
  return true;
}

static bool is_folder(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

bool is_same_file(const char *a, const char *b) {
  struct stat one, other;
  if (strcmp(a, b) == 0) return true;
  if (stat(a, &one) || stat(b, &other)) return false;
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino && !S_ISCHR(one.st_mode);
}

static bool is_link(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 && S_ISLNK(found.st_mode);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the entries of a folder, by name. */
static bool list_folder(file_list *list, const char *path) {
  DIR *folder = opendir(path);
  if (!folder) {
    complain("nsds: %s: cannot be opened: %s", path, strerror(errno));
    return false;
  }
  bool good = true;
  for (struct dirent *entry; good && (entry = readdir(folder));)
    if (entry->d_name[0] != '.') good = append(list, path, entry->d_name);
  closedir(folder);
  if (list->count > 0) qsort(list->path, list->count, sizeof *list->path, by_name);
  return good;
}

static bool add_folder(file_list *list, const char *path) {
  file_list inside = {0};
  bool good = list_folder(&inside, path);
  for (size_t k = 0; k < inside.count && good; ++k) {
    if (!is_folder(inside.path[k])) good = append(list, "", inside.path[k]);
    else if (!is_link(inside.path[k])) good = add_folder(list, inside.path[k]);
  }
  free_paths(&inside);
  return good;
}

bool add_path(file_list *list, const char *path) {
  size_t before = list->count;
  if (!is_folder(path)) return append(list, "", path);
  if (!add_folder(list, path)) return false;
  if (list->count > before) return true;
  complain("nsds: %s: there are no files in it; give a folder with files", path);
  return false;
}

void free_paths(file_list *list) {
  for (size_t k = 0; k < list->count; ++k) free(list->path[k]);
  free(list->path);
  *list = (file_list){0};
}

/* ---- what is in them ---- */

static char *read_stream(FILE *file, size_t *size) {
  size_t capacity = 0;
  char *bytes = NULL;
  for (*size = 0;;) {
    if (*size == capacity) {
      capacity = capacity + capacity / 2 + 65536;
      char *grown = realloc(bytes, capacity);
      if (!grown) break;
      bytes = grown;
    }
    size_t got = fread(bytes + *size, 1, capacity - *size, file);
    *size += got;
    if (got > 0) continue;
    if (!ferror(file)) return bytes;
    break;
  }
  free(bytes);
  return NULL;
}

char *read_bytes(const char *path, size_t *size) {
  bool standard = strcmp(path, "-") == 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  char *bytes = file ? read_stream(file, size) : NULL;
  int found = errno;
  if (file && !standard) fclose(file);
  errno = found;
  return bytes;
}

nsds_problem_file *read_problem(nsds_context *context, const char *path, nsds_format format) {
  size_t size;
  if (strcmp(path, "-") != 0) return nsds_problem_read(context, path, format);
  char *bytes = read_bytes(path, &size);
  if (!bytes) {
    nsds_report(context, NSDS_ERROR_IO, "standard input cannot be read: %s", strerror(errno));
    return NULL;
  }
  nsds_problem_file *file =
      nsds_problem_read_memory(context, "standard input", bytes, size, format);
  free(bytes);
  return file;
}
