/*
 * The command nsds view: a page or a movie of a run.
 */
#define _POSIX_C_SOURCE 200809L /* posix_spawnp(), strdup() */

#include "run.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static int view_take_option(arguments *all, const argument *found, run_options *options) {
  const char *option = found->option;
  if (strcmp(option, "-o") == 0 || strcmp(option, "--output") == 0)
    return (options->page = option_value(all, found)) ? exit_good : exit_usage;
  if (strcmp(option, "--movie") == 0)
    return (options->film.path = option_value(all, found)) ? exit_good : exit_usage;
  if (strcmp(option, "--speed") == 0)
    return option_number(all, found, 1e-9, &options->film.speed) ? exit_good : exit_usage;
  if (strcmp(option, "--no-forces") == 0) options->no_forces = true;
  else if (strcmp(option, "--no-open") == 0) options->no_open = true;
  else return exit_unknown;
  return exit_good;
}

/* Name of the page where none is given: that of the file, in the working folder, with another ending. To be freed. */
static char *view_name_page(const char *file) {
  static const char ending[] = ".html";
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  const char *dot = strrchr(name, '.');
  size_t size = dot && dot > name ? (size_t)(dot - name) : strlen(name);
  char *page = malloc(size + sizeof ending);
  if (!page) {
    complain("nsds: out of memory");
    return NULL;
  }
  memcpy(page, name, size);
  memcpy(page + size, ending, sizeof ending);
  return page;
}

/* Opens the page in the browser of the desktop; a terminal without a desktop shows the name alone. */
static void view_open(const char *page) {
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
  char opener[] = "xdg-open", *path = strdup(page), *const words[] = {opener, path, NULL};
  pid_t child;
  if (path && posix_spawnp(&child, opener, NULL, NULL, words, environ) == 0) {
    int ignored;
    waitpid(child, &ignored, 0);
  }
  free(path);
}

/* The movie alone; its page is left nowhere. */
static int view_film(run_options *options) {
  movie *film = &options->film;
  if (!movie_begin(film)) return exit_failed;
  options->page = film->page;
  int code = run_file(options);
  if (code == exit_good && !movie_write(film)) code = exit_failed;
  movie_end(film);
  if (code == exit_good) print_line(film->path);
  return code;
}

static int view_file(run_options *options) {
  if (options->film.path && is_same_file(options->film.path, options->file)) {
    complain("nsds view: %s is the file that is run; give the movie another name",
             options->film.path);
    return exit_usage;
  }
  if (options->film.path) return view_film(options);
  char *named = options->page ? NULL : view_name_page(options->file);
  if (named) options->page = named;
  int code = options->page ? run_file(options) : exit_failed;
  if (code == exit_good) {
    print_line(options->page);
    if (!options->no_open) view_open(options->page);
  }
  free(named);
  return code;
}

int command_view(int count, char **words) {
  if (words_ask_for_help(count, words)) return print_help("view");
  run_options *options = run_new_options("nsds view");
  if (!options) return exit_failed;
  arguments all = {.command = options->command, .count = count, .words = words};
  int code = run_take_words(
      &all, view_take_option,
      "--output --movie --speed --set --folders --refuse-plugins --untrusted "
      "--time-limit --file-limit --number-limit --memory-limit --no-forces --no-open",
      options);
  if (code == exit_good) code = view_file(options);
  run_free_options(options);
  return code;
}
