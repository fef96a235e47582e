/*
 * nsds convert: reads a problem and writes it in another format.
 */
#include "command.h"

#include <string.h>

static bool ends_with(const char *path, const char *end) {
  size_t size = strlen(path), tail = strlen(end);
  return size >= tail && strcmp(path + size - tail, end) == 0;
}

/* Returns true if the ending of the name tells the format. */
static bool known_name(const char *path) {
  static const char *const ends[] = {".nsds", ".dat", ".hdf5", ".h5"};
  for (size_t k = 0; k < sizeof ends / sizeof *ends; ++k)
    if (ends_with(path, ends[k])) return true;
  return false;
}

static int convert(const char *in, const char *out, nsds_format from, nsds_format to) {
  nsds_context *context = nsds_context_create(&(nsds_context_def){.log = print_warning});
  if (!context) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  nsds_problem_file *file = nsds_problem_read(context, in, from);
  const nsds_global_problem *global = nsds_problem_file_global(file);
  const nsds_problem *local = nsds_problem_file_problem(file);
  const nsds_notes *notes = nsds_problem_file_notes(file);
  if (global) nsds_global_write(context, global, notes, out, to);
  else if (file) nsds_problem_write(context, local, notes, out, to);
  int code = nsds_error(context) ? exit_failed : exit_good;
  if (code) complain("nsds convert: %s", nsds_error_message(context));
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  return code;
}

int command_convert(int count, char **words) {
  arguments all = {.command = "nsds convert", .count = count, .words = words};
  nsds_format from = NSDS_FORMAT_AUTO, to = NSDS_FORMAT_AUTO;
  const char *path[2] = {NULL, NULL};
  int npath = 0;
  argument found;
  char name[32];
  while (next_argument(&all, &found, name)) {
    if (!found.option) {
      if (npath == 2)
        return usage_error(all.command, "a third file named: %s; give two, to read and to write",
                           found.value);
      path[npath++] = found.value;
    } else if (asks_for_help(&found)) {
      return print_help("convert");
    } else if (strcmp(found.option, "--to") == 0 || strcmp(found.option, "--from") == 0) {
      if (!option_format(&all, &found, found.option[2] == 't' ? &to : &from)) return exit_usage;
    } else {
      return unknown_option(all.command, found.option, "--from --to");
    }
  }
  if (npath < 2) return usage_error(all.command, "give two files, to read and to write");
  if (to == NSDS_FORMAT_AUTO && !known_name(path[1]))
    return usage_error(
        all.command,
        "what is %s to be? Name it .nsds, .dat (text) or .hdf5 (FCLIB), or give --to "
        "nsds, lcp, mlcp, relay, friction, rolling, global or fclib",
        path[1]);
  return convert(path[0], path[1], from, to);
}
