/*
 * nsds convert: reads a problem and writes it in another format.
 */
#include "command.h"

#include <string.h>

static const nsds_format formats[] = {
    NSDS_FORMAT_LCP,     NSDS_FORMAT_MLCP,   NSDS_FORMAT_RELAY, NSDS_FORMAT_FRICTION,
    NSDS_FORMAT_ROLLING, NSDS_FORMAT_GLOBAL, NSDS_FORMAT_FCLIB, NSDS_FORMAT_MLCP_LINES};

static bool take_format(arguments *all, const argument *option, nsds_format *format) {
  const char *name = option_value(all, option);
  if (!name) return false;
  for (size_t k = 0; k < sizeof formats / sizeof *formats; ++k)
    if (strcmp(name, nsds_format_text(formats[k])) == 0) {
      *format = formats[k];
      return true;
    }
  usage_error(all->command,
              "%s is \"%s\"; valid are lcp, mlcp, relay, friction, rolling, global and fclib, and "
              "mlcp_lines for --from",
              option->option, name);
  return false;
}

static bool ends_with(const char *path, const char *end) {
  size_t size = strlen(path), tail = strlen(end);
  return size >= tail && strcmp(path + size - tail, end) == 0;
}

/* Whether the name says what to write. */
static bool known_name(const char *path) {
  return ends_with(path, ".dat") || ends_with(path, ".hdf5") || ends_with(path, ".h5");
}

static int convert(const char *in, const char *out, nsds_format from, nsds_format to) {
  nsds_context *context = nsds_context_create(&(nsds_context_def){.log = print_warning});
  if (!context) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  nsds_problem_file *file = nsds_problem_read_as(context, in, from);
  const nsds_global_problem *global = nsds_problem_file_global(file);
  if (global) nsds_global_write(context, global, out, to);
  else if (file) nsds_problem_write(context, nsds_problem_file_problem(file), out, to);
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
      if (!take_format(&all, &found, found.option[2] == 't' ? &to : &from)) return exit_usage;
    } else {
      return usage_error(all.command, "there is no option %s; there are --from and --to",
                         found.option);
    }
  }
  if (npath < 2) return usage_error(all.command, "give two files, to read and to write");
  if (to == NSDS_FORMAT_AUTO && !known_name(path[1]))
    return usage_error(all.command,
                       "what is %s to be? Name it .dat (text) or .hdf5 (FCLIB), or give --to lcp, "
                       "mlcp, relay, friction, rolling, global or fclib",
                       path[1]);
  return convert(path[0], path[1], from, to);
}
