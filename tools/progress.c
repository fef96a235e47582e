/* The line that shows how far a command is, see progress.h. */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include "command.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static bool line_stands; /* one line for all threads: they draw it one at a time */

enum { bar_size = 30 };

progress progress_begin(const char *command, double from, double to, bool simulates) {
  return (progress){command, from, to, simulates, wall_clock(), 0.0, false};
}

bool progress_is_shown(void) { return isatty(STDERR_FILENO) != 0; }

void progress_clear(void) {
  if (line_stands) fputs("\r\033[K", stderr);
  line_stands = false;
}

void progress_words(double seconds, char text[32]) {
  static const struct {
    const char *one, *many;
    double size;
  } unit[] = {{"year", "years", 31557600.0},
              {"day", "days", 86400.0},
              {"hour", "hours", 3600.0},
              {"minute", "minutes", 60.0}};
  for (size_t k = 0; k < sizeof unit / sizeof *unit; ++k) {
    double count = round(seconds / unit[k].size);
    if (seconds < unit[k].size && count < 1.0) continue;
    if (count > 1e6) snprintf(text, 32, "%.0e %s", count, unit[k].many);
    else snprintf(text, 32, "%.0f %s", count, count == 1.0 ? unit[k].one : unit[k].many);
    return;
  }
  snprintf(text, 32, "%.0f s", seconds);
}

/* Says once that the command needs more than a minute. The first steps of a run are often slower than the rest, so a
 * second has to pass. */
static void tell_long(progress *p, double passed, double share) {
  const double enough = 1.0, longest = 60.0; /* seconds */
  if (p->told || passed < enough || !(share > 0.0)) return;
  p->told = true;
  double whole = passed / share;
  if (whole < longest) return;
  char words[32];
  progress_words(whole, words);
  complain("%s: this takes about %s; Ctrl-C ends it and keeps what is done", p->command, words);
}

static void draw(const progress *p, double at, double passed, double share) {
  static const char full[] = "##############################";
  char left[32] = "";
  int cells = (int)(share * bar_size);
  if (share > 0.0) progress_words(passed / share - passed, left);
  fprintf(stderr, "\r\033[K%s [%.*s%*s] %3.0f %%", p->command, cells, full, bar_size - cells, "",
          100.0 * share);
  if (left[0]) fprintf(stderr, ", %s left", left);
  if (p->simulates && passed > 0.0)
    fprintf(stderr, ", %.3g times real time", (at - p->from) / passed);
  fflush(stderr);
  line_stands = true;
}

void progress_at(progress *p, double at) {
  double now = wall_clock(), passed = now - p->began;
  double share = p->to > p->from ? fmin((at - p->from) / (p->to - p->from), 1.0) : 0.0;
  if (passed < 0.5 || now - p->drawn < 0.1 || !progress_is_shown()) return;
  tell_long(p, passed, share);
  p->drawn = now;
  draw(p, at, passed, share);
}
