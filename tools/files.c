/*
 * The files that are meant: a folder stands for the files in it, by name; hidden ones and folders
 * inside it are left out.
 */
#define _POSIX_C_SOURCE 200809L
#include "command.h"

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

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Forgets the last path if it is that of a folder. */
static void drop_folder(file_list *list) {
  if (is_folder(list->path[list->count - 1])) free(list->path[--list->count]);
}

static bool add_folder(file_list *list, const char *path) {
  DIR *folder = opendir(path);
  if (!folder) {
    complain("nsds: %s: cannot be opened: %s", path, strerror(errno));
    return false;
  }
  size_t first = list->count;
  bool good = true;
  for (struct dirent *entry; good && (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    good = append(list, path, entry->d_name);
    if (good) drop_folder(list);
  }
  closedir(folder);
  if (list->count > first)
    qsort(list->path + first, list->count - first, sizeof *list->path, by_name);
  if (good && list->count == first)
    complain("nsds: %s: there are no files in it; give a folder with files", path);
  return good;
}

bool add_path(file_list *list, const char *path) {
  return is_folder(path) ? add_folder(list, path) : append(list, "", path);
}

void free_paths(file_list *list) {
  for (size_t k = 0; k < list->count; ++k) free(list->path[k]);
  free(list->path);
  *list = (file_list){0};
}
