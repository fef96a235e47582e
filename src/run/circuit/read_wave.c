/*
 * Waveforms: a keyword and numbers in brackets. Numbers that are left out have the defaults of
 * SPICE. There the period of a pulse is the length of the run, so that the pulse happens once. A
 * wave with a negative delay has begun before the run.
 */
#include "run/circuit/read_wave.h"

#include "base/text/words.h"

#include <math.h>
#include <string.h>

enum { most_numbers = 8, most_points = 1000000 };

static nsds_status wave_refuse(const nsds_cursor *c, nsds_place place, const char *why) {
  return nsds_netlist_refuse(nsds_cursor_netlist(c), place, "%.60s: %s", c->card->token[0].text,
                             why);
}

static nsds_status wave_refuse_value(const nsds_cursor *c, nsds_place place, const char *what,
                                     double value) {
  return nsds_netlist_refuse(nsds_cursor_netlist(c), place, "%.60s: %s is %g, must be >= 0",
                             c->card->token[0].text, what, value);
}

bool nsds_wave_begins(const nsds_cursor *c) {
  return nsds_card_has(c->card, c->at, "sin") || nsds_card_has(c->card, c->at, "sine") ||
         nsds_card_has(c->card, c->at, "pulse") || nsds_card_has(c->card, c->at, "pwl");
}

/* Tells if a number can come next within brackets. */
static bool number_follows(const nsds_cursor *c) {
  if (nsds_cursor_ended(c) || c->card->token[c->at].kind == NSDS_TOKEN_SIGN) return false;
  return !nsds_card_has(c->card, c->at, "ac") && !nsds_card_has(c->card, c->at, "dc") &&
         !nsds_card_has(c->card, c->at, "on") && !nsds_card_has(c->card, c->at, "off");
}

/* Numbers up to the closing bracket; their count. */
static nsds_status read_numbers(nsds_cursor *c, const char *kind, int least, int most, double *x,
                                int *count) {
  nsds_place place = nsds_cursor_place(c);
  bool brackets = nsds_cursor_takes(c, "(");
  nsds_status status = NSDS_OK;
  *count = 0;
  while (!status && number_follows(c)) {
    if (*count == most)
      return wave_refuse(c, nsds_cursor_place(c), "the waveform has too many numbers");
    status = nsds_cursor_value(c, kind, &x[(*count)++]);
    nsds_cursor_takes(c, ",");
  }
  if (status) return status;
  if (brackets && !nsds_cursor_takes(c, ")"))
    return wave_refuse(c, nsds_cursor_place(c), "the waveform is not closed by )");
  if (*count < least) return wave_refuse(c, place, "the waveform has too few numbers");
  return NSDS_OK;
}

static nsds_status read_sine(nsds_cursor *c, nsds_wave *w) {
  double x[6] = {0};
  int count;
  nsds_place place = nsds_cursor_place(c);
  nsds_status status = read_numbers(c, "SIN", 2, 6, x, &count);
  if (status) return status;
  double end = c->instance->elements->analysis.end;
  *w = (nsds_wave){.kind = NSDS_WAVE_SIN,
                   .offset = x[0],
                   .amplitude = x[1],
                   .delay = x[3],
                   .damping = x[4],
                   .phase = x[5] * (3.14159265358979323846 / 180.0)};
  w->frequency = count > 2 ? x[2] : end > 0.0 ? 1.0 / end : 0.0;
  if (w->frequency < 0.0) return wave_refuse_value(c, place, "SIN: the frequency", w->frequency);
  return NSDS_OK;
}

static nsds_status read_pulse(nsds_cursor *c, nsds_wave *w) {
  double x[7] = {0};
  int count;
  nsds_place place = nsds_cursor_place(c);
  nsds_status status = read_numbers(c, "PULSE", 2, 7, x, &count);
  if (status) return status;
  *w = (nsds_wave){.kind = NSDS_WAVE_PULSE,
                   .low = x[0],
                   .high = x[1],
                   .delay = x[2],
                   .rise = x[3],
                   .fall = x[4],
                   .width = count > 5 ? x[5] : INFINITY,
                   .period = x[6] != 0.0 ? x[6] : INFINITY};
  static const char *const what[] = {"PULSE: the rise", "PULSE: the fall", "PULSE: the width",
                                     "PULSE: the period"};
  for (int k = 3; k < count; ++k)
    if (x[k] < 0.0) return wave_refuse_value(c, place, what[k - 3], x[k]);
  if (isfinite(w->period) && w->rise + w->width + w->fall > w->period * (1.0 + 1e-9))
    return nsds_netlist_warn(nsds_cursor_netlist(c), place,
                             "%.60s: PULSE: rise, width and fall take longer than the period, "
                             "which cuts each pulse off; give a longer period, or none",
                             c->card->token[0].text);
  return NSDS_OK;
}

static nsds_status read_points(nsds_cursor *c, nsds_wave *w) {
  nsds_place place = nsds_cursor_place(c);
  int room = 0, count = 0;
  double *x = NULL;
  nsds_status status = NSDS_OK;
  bool brackets = nsds_cursor_takes(c, "(");
  while (!status && number_follows(c)) {
    if (count == most_points) status = wave_refuse(c, place, "PWL: too many points");
    else if (nsds_room(nsds_cursor_netlist(c)->job->context, &x, &room, count + 1, sizeof *x))
      status = NSDS_ERROR_MEMORY;
    else status = nsds_cursor_value(c, "PWL", &x[count++]);
    nsds_cursor_takes(c, ",");
  }
  if (!status && brackets && !nsds_cursor_takes(c, ")"))
    status = wave_refuse(c, nsds_cursor_place(c), "the waveform is not closed by )");
  if (!status && (count < 2 || count % 2))
    status = wave_refuse(c, place, "PWL: give pairs of time and value");
  for (int k = 2; !status && k < count; k += 2)
    if (!(x[k] >= x[k - 2]))
      status = nsds_netlist_refuse(
          nsds_cursor_netlist(c), place,
          "%.60s: PWL: the time %g of point %d follows %g; times must not decrease",
          c->card->token[0].text, x[k], k / 2 + 1, x[k - 2]);
  *w = (nsds_wave){.kind = NSDS_WAVE_PWL, .count = count / 2};
  if (!status) {
    NSDS_MAKE(nsds_cursor_netlist(c)->job->context, w->t, count);
    NSDS_MAKE(nsds_cursor_netlist(c)->job->context, w->x, count);
    if (!w->t || !w->x) status = NSDS_ERROR_MEMORY;
  }
  for (int k = 0; !status && k < w->count; ++k) w->t[k] = x[2 * k], w->x[k] = x[2 * k + 1];
  nsds_free(x);
  return status;
}

/* "AC", with up to two numbers. */
static nsds_status skip_ac(nsds_cursor *c) {
  double unused;
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < 2 && number_follows(c) && !nsds_wave_begins(c); ++k)
    status = nsds_cursor_value(c, "AC", &unused);
  return status;
}

static nsds_status read_part(nsds_cursor *c, nsds_wave *w, bool *waved) {
  nsds_place place = nsds_cursor_place(c);
  if (nsds_cursor_takes(c, "ac")) return skip_ac(c);
  bool wave = nsds_wave_begins(c);
  if (wave && *waved) return wave_refuse(c, place, "a source has one waveform");
  if (nsds_cursor_takes(c, "sin") || nsds_cursor_takes(c, "sine"))
    return *waved = true, read_sine(c, w);
  if (nsds_cursor_takes(c, "pulse")) return *waved = true, read_pulse(c, w);
  if (nsds_cursor_takes(c, "pwl")) return *waved = true, read_points(c, w);
  if (nsds_card_has(c->card, c->at + 1, "(") && c->card->token[c->at].kind == NSDS_TOKEN_WORD)
    return wave_refuse(c, place, "known waveforms are DC, SIN, PULSE and PWL");
  nsds_cursor_takes(c, "dc");
  nsds_cursor_takes(c, "=");
  double value;
  nsds_status status = nsds_cursor_value(c, "the value", &value);
  if (!*waved) w->dc = value;
  return status;
}

nsds_status nsds_wave_read(nsds_cursor *c, int *number) {
  nsds_wave w = {.kind = NSDS_WAVE_DC};
  bool waved = false;
  nsds_status status = NSDS_OK;
  if (nsds_cursor_ended(c))
    return wave_refuse(c, nsds_cursor_place(c), "give a value, SIN, PULSE or PWL");
  while (!status && !nsds_cursor_ended(c) && !nsds_card_has(c->card, c->at, "on") &&
         !nsds_card_has(c->card, c->at, "off"))
    status = read_part(c, &w, &waved);
  if (!status) status = nsds_elements_add_wave(c->instance->elements, &w, number);
  if (status) {
    nsds_free(w.t);
    nsds_free(w.x);
  }
  return status;
}
