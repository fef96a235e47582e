/*
 * Words of the command line: "--name value", "--name=value", "--" ends the options.
 */
#include "command.h"

#include "progress.h"

#include <nsds/run.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Messages may have names of files in them, which anybody may have chosen. */
void complain(const char *format, ...) {
  char text[4096];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  progress_clear();
  fprintf(stderr, "%s\n", nsds_plain_text(text));
}

int usage_error(const char *command, const char *format, ...) {
  char text[4096];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  complain("%s: %s", command, text);
  complain("Try: %s --help", command);
  return exit_usage;
}

void print_line(const char *text) {
  char plain[4096];
  snprintf(plain, sizeof plain, "%s", text);
  puts(nsds_plain_text(plain));
}

bool words_ask_for_help(int count, char **words) {
  for (int k = 0; k < count; ++k)
    if (strcmp(words[k], "--help") == 0 || strcmp(words[k], "-h") == 0) return true;
  return false;
}

void near_word(const char *word, const char *valid, char text[160]) {
  enum { most_words = 32, longest = 800 };
  const char *name[most_words];
  char copy[longest];
  int count = 0;
  snprintf(copy, sizeof copy, "%s", valid);
  for (char *at = strtok(copy, " "); at && count < most_words; at = strtok(NULL, " "))
    name[count++] = at;
  int nearest = nsds_nearest_name(word, count, name);
  text[0] = '\0';
  if (nearest >= 0) snprintf(text, 160, ", did you mean \"%s\"?", name[nearest]);
}

int unknown_option(const char *command, const char *option, const char *valid) {
  char near[160], names[800];
  size_t used = 0;
  const char *last = strrchr(valid, ' ');
  near_word(option, valid, near);
  if (strstr(near, option) && strlen(near) == strlen(option) + strlen(", did you mean \"\"?"))
    return usage_error(command, "%s takes no value", option);
  names[0] = '\0';
  for (const char *at = valid; *at && used + 8 < sizeof names; ++at)
    if (*at != ' ') used += (size_t)snprintf(names + used, sizeof names - used, "%c", *at);
    else used += (size_t)snprintf(names + used, sizeof names - used, at == last ? " and " : ", ");
  return usage_error(command, "there is no option %s%s; there are %s", option, near, names);
}

void print_warning(nsds_log_level level, const char *message, void *unused) {
  (void)unused;
  if (level == NSDS_LOG_WARNING) complain("nsds: warning: %s", message);
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

const char *comma_hint(const char *text) {
  size_t whole = strspn(text, "+-0123456789");
  size_t part = text[whole] == ',' ? strspn(text + whole + 1, "0123456789") : 0;
  bool decimal = whole > 0 && part > 0 && !strchr(text + whole + 1 + part, ',');
  return decimal ? "; a number has a decimal point, not a comma" : "";
}

bool option_number(arguments *all, const argument *option, double least, double *value) {
  const char *text = option_value(all, option);
  if (!text) return false;
  char *end;
  *value = strtod(text, &end);
  if (end != text && *end == '\0' && isfinite(*value) && *value >= least) return true;
  usage_error(all->command, "%s is \"%s\"; valid is a number from %g%s", option->option, text,
              least, comma_hint(text));
  return false;
}

bool option_format(arguments *all, const argument *option, nsds_format *format) {
  const char *name = option_value(all, option);
  if (!name) return false;
  for (nsds_format f = NSDS_FORMAT_LCP; f <= NSDS_FORMAT_QPS; ++f)
    if (strcmp(name, nsds_format_text(f)) == 0) {
      *format = f;
      return true;
    }
  usage_error(
      all->command,
      "%s is \"%s\"; valid are nsds, lcp, mlcp, relay, friction, rolling, global and fclib, "
      "and mlcp_lines and qps for --from",
      option->option, name);
  return false;
}
