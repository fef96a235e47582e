/*
 * Files that a robot names, see robot_open.h. A package is also looked for in two folders above the robot's, with
 * and without its name. The folders of the robot come first, then the search folders.
 */
#include "run/robot/robot_open.h"

#include "base/text/words.h"

#include <string.h>

/* Reads a candidate of a path; NULL if it is not there. */
static char *try_file(nsds_robot *robot, const char *folder, int folder_size, const char *path,
                      size_t *size, char reason[200]) {
  char *text = NULL, *full = nsds_make_word(robot->context, "%.*s%s", folder_size, folder, path);
  if (!full) nsds_robot_took(robot, NSDS_ERROR_MEMORY);
  nsds_status status =
      full ? nsds_source_read(&robot->job->sources, full, &text, size, reason) : NSDS_ERROR_MEMORY;
  nsds_free(full);
  return status ? NULL : text;
}

/* Tries a path, and the path without its first folder, from a folder on. */
static char *try_folder(nsds_robot *robot, const char *folder, int folder_size, const char *path,
                        const char *inner, size_t *size, char first[200]) {
  char reason[200] = "";
  char *text = try_file(robot, folder, folder_size, path, size, reason);
  if (!first[0]) memcpy(first, reason, sizeof reason);
  if (!text && inner && !robot->failed)
    text = try_file(robot, folder, folder_size, inner, size, reason);
  return text;
}

/* Looks in the folder of a file, for a package also in two folders above. */
static char *look_beside(nsds_robot *robot, const char *file, const char *path, bool package,
                         size_t *size, char first[200]) {
  static const char *const above[] = {"", "../", "../../"};
  const char *slash = strrchr(file, '/'), *inner = package ? strchr(path, '/') : NULL;
  int folder = slash ? (int)(slash - file) + 1 : 0;
  char *text = NULL;
  if (inner) ++inner;
  for (int k = 0; !text && k < (package ? 3 : 1) && !robot->failed; ++k) {
    char *base = nsds_make_word(robot->context, "%.*s%s", folder, file, above[k]);
    if (!base) nsds_robot_took(robot, NSDS_ERROR_MEMORY);
    else text = try_folder(robot, base, (int)strlen(base), path, inner, size, first);
    nsds_free(base);
  }
  return text;
}

/* Looks beside the file of the robot, beside the file that names the other one, and in search folders. */
static char *look_for(nsds_robot *robot, const nsds_xml *at, const char *path, bool package,
                      size_t *size, char first[200]) {
  const char *root = robot->root->file, *inner = package ? strchr(path, '/') : NULL, *from;
  int length;
  if (inner) ++inner;
  char *text = look_beside(robot, root, path, package, size, first);
  if (!text && !robot->failed && strcmp(at->file, root) != 0)
    text = look_beside(robot, at->file, path, package, size, first);
  for (int k = 0; !text && !robot->failed &&
                  (from = nsds_source_search(&robot->job->sources, k, &length)) != NULL;
       ++k) {
    char *base = nsds_make_word(robot->context, "%.*s/", length, from);
    if (!base) nsds_robot_took(robot, NSDS_ERROR_MEMORY);
    else text = try_folder(robot, base, length + 1, path, inner, size, first);
    nsds_free(base);
  }
  return text;
}

char *nsds_robot_open(nsds_robot *robot, const nsds_xml *at, const char *name, size_t *size,
                      char first[200]) {
  bool package = strncmp(name, "package://", 10) == 0;
  const char *path = package ? name + 10 : strncmp(name, "file://", 7) == 0 ? name + 7 : name;
  if (path[0] == '/') return try_file(robot, "", 0, path, size, first);
  return look_for(robot, at, path, package, size, first);
}
