/*
 * Problems as text. Words are separated by spaces and line breaks.
 *
 *     LCP        n   matrix   q_0 .. q_{n-1}
 *     relay      n   matrix   q   lower bounds   upper bounds
 *     friction   d (2 or 3)   number of contacts   matrix   q   mu of each contact   [0 or 1]
 *     rolling    d (3 or 5)   number of contacts   matrix   q   mu   rolling mu of each contact
 *     MLCP       see mlcp_text.c
 *     global     see global_text.c
 *     nsds       see native_read.c
 *     qps        see qps_text.c
 *
 * The number in brackets is a flag of older writers. Rolling friction with d = 3 needs a request.
 * Anything else at the end is an error: otherwise a relay would pass for an LCP, and a rolling
 * problem in 2D for friction in 3D.
 */
#include "io/problem_text.h"

#include "base/context.h"
#include "io/global_text.h"
#include "io/matrix_text.h"
#include "io/mlcp_lines.h"
#include "io/mlcp_text.h"
#include "io/native_read.h"
#include "io/problem_file.h"
#include "io/qps_text.h"
#include "io/text.h"
#include "io/text_parts.h"

#include <stdio.h>

static nsds_status read_rows(nsds_text *text, int *n, nsds_problem_file *file) {
  nsds_text_int(text, "the number of rows n", 0, nsds_file_limit, n);
  if (nsds_text_room(text, "q", (size_t)*n) || nsds_read_matrix(text, *n, *n, NULL, file))
    return text->status;
  text->status = nsds_file_size(file, *n, *n > 0);
  return text->status ? text->status : nsds_text_reals(text, "q", (size_t)*n, file->q);
}

static nsds_status read_lcp(nsds_text *text, nsds_problem_file *file) {
  int n = 0;
  if (read_rows(text, &n, file)) return text->status;
  file->kind = "lcp";
  if (n > 0) file->block[0] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = n};
  return nsds_text_end(text, "q of an LCP");
}

/* ---- relay ---- */

static nsds_status read_relay(nsds_text *text, nsds_problem_file *file) {
  int n = 0;
  if (read_rows(text, &n, file)) return text->status;
  file->kind = "relay";
  file->lower = NSDS_NEW_ARRAY(file->context, double, n);
  if (file->lower) file->upper = NSDS_NEW_ARRAY(file->context, double, n);
  if (!file->upper) return text->status = NSDS_ERROR_MEMORY;
  if (n > 0)
    file->block[0] =
        (nsds_block){.set = NSDS_SET_BOX, .size = n, .lower = file->lower, .upper = file->upper};
  nsds_text_bounds(text, "lower bounds", (size_t)n, -INFINITY, file->lower);
  nsds_text_upper(text, n, file->lower, file->upper);
  return nsds_text_end(text, "the upper bounds");
}

/* ---- friction ---- */

static nsds_status problem_text_read_local(nsds_text *text, bool rolling, nsds_problem_file *file) {
  int d = 0, count = 0;
  if (rolling) nsds_text_int(text, "the dimension of a rolling friction problem", 3, 5, &d);
  else nsds_text_int(text, "the dimension of a friction problem", 2, 3, &d);
  nsds_text_int(text, "the number of contacts", 0, nsds_file_limit / (rolling ? 5 : 3), &count);
  if (d == 4) nsds_text_expected(text, "before this, 3 or 5 as the dimension");
  if (text->status) return text->status;
  size_t n = (size_t)d * (size_t)count, words = n + (rolling ? 2u : 1u) * (size_t)count;
  if (nsds_text_room(text, "q and the friction coefficients", words) ||
      nsds_read_matrix(text, (int)n, (int)n, NULL, file))
    return text->status;
  text->status = nsds_file_size(file, (int)n, count);
  if (text->status) return text->status;
  file->kind = nsds_friction_form(d, rolling);
  nsds_text_reals(text, "q", n, file->q);
  return nsds_text_contacts(text, d, count, rolling, file);
}

static nsds_status read_friction(nsds_text *text, nsds_problem_file *file) {
  if (problem_text_read_local(text, false, file) || nsds_text_flag(text)) return text->status;
  return nsds_text_end(text, "the friction coefficients");
}

static nsds_status read_rolling(nsds_text *text, nsds_problem_file *file) {
  if (problem_text_read_local(text, true, file)) return text->status;
  return nsds_text_end(text, "the rolling coefficients");
}

/* ---- choice of the reader ---- */

typedef nsds_status (*reader)(nsds_text *text, nsds_problem_file *file);

/* The readers in the order of trial. The last but two is never guessed: three numbers and then
 * numbers alone also fit a truncated LCP. The first word tells the last two. */
static const struct {
  nsds_format format;
  reader read;
} readers[] = {
    {NSDS_FORMAT_LCP, read_lcp},
    {NSDS_FORMAT_MLCP, nsds_read_mlcp},
    {NSDS_FORMAT_FRICTION, read_friction},
    {NSDS_FORMAT_RELAY, read_relay},
    {NSDS_FORMAT_ROLLING, read_rolling},
    {NSDS_FORMAT_GLOBAL, nsds_read_global_text},
    {NSDS_FORMAT_MLCP_LINES, nsds_read_mlcp_lines},
    {NSDS_FORMAT_NSDS, nsds_read_native},
    {NSDS_FORMAT_QPS, nsds_read_qps},
};

enum { nreader = sizeof readers / sizeof *readers, first_asked_for = nreader - 3 };

static nsds_status report_as(const nsds_text *text, nsds_format format) {
  char note[64];
  snprintf(note, sizeof note, " (read as %s)", nsds_format_text(format));
  return nsds_text_report(text, note);
}

/* No reader fits: reports the failure of the one that came furthest. */
static nsds_status report_best(const nsds_text *start, const nsds_text *tried, nsds_format format) {
  int best = -1;
  for (int k = 0; k < nreader; ++k)
    if (tried[k].failed_at && (best < 0 || tried[k].failed_at > tried[best].failed_at)) best = k;
  nsds_text first_word = *start;
  nsds_text_expected(&first_word, "nsds, n of an LCP or a relay, the flags of an MLCP, or the "
                                  "dimension 2 or 3, rolling 3 or 5, of a friction problem");
  if (format == NSDS_FORMAT_AUTO && tried[best].failed_at == first_word.failed_at)
    return nsds_text_report(&first_word, "");
  return report_as(&tried[best], readers[best].format);
}

/* Two numbers for a point of three rows may be coefficients of rolling friction in the plane, or of
 * a yield set of plasticity. The text does not tell which. */
static nsds_status refuse_plasticity(nsds_text *text, nsds_problem_file *file) {
  nsds_file_clear(file);
  return text->status = nsds_fail(
             text->context, NSDS_ERROR_FORMAT,
             "%s: this is plasticity in the plane (Mohr-Coulomb) or rolling friction in the plane: "
             "both "
             "are written as three rows and two coefficients for each point. There is no solver of "
             "plasticity; for rolling friction give the format rolling: --from rolling, or "
             "nsds_problem_read()",
             text->name);
}

nsds_status nsds_read_text(nsds_text *text, nsds_format format, nsds_problem_file *file) {
  nsds_text tried[nreader] = {{0}};
  if (format == NSDS_FORMAT_AUTO && nsds_text_at(text, "nsds")) format = NSDS_FORMAT_NSDS;
  if (format == NSDS_FORMAT_AUTO && nsds_is_qps(text)) format = NSDS_FORMAT_QPS;
  for (int k = 0; k < nreader; ++k) {
    bool guessed = format == NSDS_FORMAT_AUTO && k < first_asked_for;
    if (!guessed && format != readers[k].format) continue;
    tried[k] = *text;
    readers[k].read(&tried[k], file);
    if (!tried[k].status && guessed && readers[k].format == NSDS_FORMAT_ROLLING &&
        strcmp(file->kind, nsds_friction_form(3, true)) == 0)
      return refuse_plasticity(text, file);
    if (tried[k].status != NSDS_ERROR_FORMAT) return tried[k].status;
    nsds_file_clear(file);
  }
  return report_best(text, tried, format);
}
