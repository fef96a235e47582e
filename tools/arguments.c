/*
 * Words of the command line: "--name value", "--name=value", "--" ends the options.
 */
#include "command.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void complain(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
}

int usage_error(const char *command, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "%s: ", command);
  vfprintf(stderr, format, list);
  va_end(list);
  fprintf(stderr, "\nTry: %s --help\n", command);
  return exit_usage;
}

void print_warning(nsds_log_level level, const char *message, void *unused) {
  (void)unused;
  if (level == NSDS_LOG_WARNING) complain("nsds: %s", message);
}

bool next_argument(arguments *all, argument *found, char name[32]) {
  if (all->next == all->count) return false;
  const char *word = all->words[all->next++];
  if (!all->options_ended && strcmp(word, "--") == 0) {
    all->options_ended = true;
    return next_argument(all, found, name);
  }
  *found = (argument){.value = word};
  if (all->options_ended || word[0] != '-' || word[1] == '\0') return true;
  if (word[1] == 'j' && word[2] >= '0' && word[2] <= '9') { /* "-j4" */
    memcpy(name, "-j", 3);
    *found = (argument){.option = name, .value = word + 2};
    return true;
  }
  const char *equals = strchr(word, '=');
  size_t size = equals ? (size_t)(equals - word) : strlen(word);
  if (size > 31) size = 31; /* no option is as long */
  memcpy(name, word, size);
  name[size] = '\0';
  *found = (argument){.option = name, .value = equals ? equals + 1 : NULL};
  return true;
}

bool asks_for_help(const argument *option) {
  return strcmp(option->option, "--help") == 0 || strcmp(option->option, "-h") == 0;
}

const char *option_value(arguments *all, const argument *option) {
  if (option->value) return option->value;
  if (all->next < all->count) return all->words[all->next++];
  usage_error(all->command, "%s needs a value behind it", option->option);
  return NULL;
}

bool option_number(arguments *all, const argument *option, double least, double *value) {
  const char *text = option_value(all, option);
  if (!text) return false;
  char *end;
  *value = strtod(text, &end);
  if (end != text && *end == '\0' && isfinite(*value) && *value >= least) return true;
  usage_error(all->command, "%s is \"%s\"; valid is a number from %g", option->option, text, least);
  return false;
}

bool option_format(arguments *all, const argument *option, nsds_format *format) {
  const char *name = option_value(all, option);
  if (!name) return false;
  for (nsds_format f = NSDS_FORMAT_LCP; f <= NSDS_FORMAT_NSDS; ++f)
    if (strcmp(name, nsds_format_text(f)) == 0) {
      *format = f;
      return true;
    }
  usage_error(
      all->command,
      "%s is \"%s\"; valid are nsds, lcp, mlcp, relay, friction, rolling, global and fclib, "
      "and mlcp_lines for --from",
      option->option, name);
  return false;
}
