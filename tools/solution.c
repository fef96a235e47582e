/*
 * The answer of nsds solve, as a JSON object in its own file: the line of the report in short, and
 * the arrays.
 */
#define _POSIX_C_SOURCE 200809L
#include "command.h"

#include "table.h"

#include <nsds/extend.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool make_folder(const char *path) {
  struct stat found;
  if (mkdir(path, 0777) == 0) return true;
  if (errno == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode)) return true;
  complain("nsds solve: %s: no such folder can be made: %s", path, strerror(errno));
  return false;
}

/* Returns FOLDER/FILE.json, with "_" for the slashes of FILE, so that files of two folders do not
 * meet. */
static char *solution_path(const char *folder, const char *file) {
  if (strcmp(file, "-") == 0) file = "stdin";
  while (file[0] == '/' || (file[0] == '.' && file[1] == '/')) file += file[0] == '.' ? 2 : 1;
  size_t size = strlen(folder) + strlen(file) + sizeof "/.json";
  char *path = malloc(size);
  if (!path) return NULL;
  snprintf(path, size, "%s/%s.json", folder, file);
  for (char *at = path + strlen(folder) + 1; *at; ++at)
    if (*at == '/') *at = '_';
  return path;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int check_solutions(const char *folder, const file_list *files) {
  int code = exit_good;
  size_t known = 0;
  char **path = calloc(files->count + 1, sizeof *path);
  while (path && known < files->count && (path[known] = solution_path(folder, files->path[known])))
    ++known;
  if (!path || known < files->count) {
    complain("nsds: out of memory");
    code = exit_failed;
  } else {
    qsort(path, files->count, sizeof *path, by_text);
  }
  for (size_t k = 1; code == exit_good && k < files->count; ++k)
    if (strcmp(path[k - 1], path[k]) == 0)
      code = usage_error("nsds solve",
                         "--solutions: two of the files would be written to %s; solve them apart",
                         path[k]);
  for (size_t k = 0; k < known; ++k) free(path[k]);
  free(path);
  return code;
}

static void put_array(FILE *file, const named_array *array) {
  fprintf(file, ",\n\"%s\": [", array->name);
  for (size_t k = 0; k < array->count; ++k) {
    if (k > 0) fputs(k % 8 ? ", " : ",\n  ", file);
    if (isfinite(array->x[k])) write_number(file, array->x[k]);
    else fputs("null", file);
  }
  putc(']', file);
}

static nsds_status put_solution(nsds_context *context, const char *path, const report_line *line,
                                const named_array *array, int count) {
  nsds_output *output;
  nsds_status status = nsds_output_open(context, "", path, &output);
  if (status) return status;
  FILE *file = nsds_output_stream(output);
  fputs("{\"file\": ", file);
  json_string(file, line->file);
  fprintf(file,
          ", \"kind\": \"%s\", \"solver\": \"%s\", \"outcome\": \"%s\", \"residual\": ", line->kind,
          line->solver, line->outcome);
  if (isfinite(line->residual)) write_number(file, line->residual);
  else fputs("null", file);
  for (int k = 0; k < count; ++k) put_array(file, &array[k]);
  fputs("}\n", file);
  return nsds_output_close(output, true);
}

bool write_solution(report_line *line, nsds_context *context, const named_array *array, int count) {
  if (!line->solutions) return true;
  char *path = solution_path(line->solutions, line->file);
  bool good = path && put_solution(context, path, line, array, count) == NSDS_OK;
  if (!path) keep_message(line, "nsds solve: out of memory");
  else if (!good) keep_error(line, context);
  free(path);
  return good;
}
