/*
 * Problems as text. Words are separated by spaces and line breaks; what follows the last number
 * is not looked at.
 *
 *     LCP        n   matrix   q_0 .. q_{n-1}
 *     friction   d (2 or 3)   number of contacts   matrix   q   mu of each contact
 *     MLCP       see mlcp_text.c
 */
#include "problem_file.h"

#include <stdio.h>

static nsds_status read_lcp(nsds_text *text, nsds_problem_file *file) {
  int n = 0;
  nsds_text_int(text, "the number of rows n of an LCP", 0, nsds_file_limit, &n);
  if (nsds_text_room(text, "q", (size_t)n) || nsds_read_matrix(text, n, file)) return text->status;
  text->status = nsds_file_size(file, n, n > 0);
  if (text->status) return text->status;
  file->kind = "lcp";
  if (n > 0) file->block[0] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = n};
  return nsds_text_reals(text, "q", (size_t)n, file->q);
}

static nsds_status read_contacts(nsds_text *text, int d, int count, nsds_problem_file *file) {
  for (int c = 0; c < count && !text->status; ++c) {
    nsds_block *block = &file->block[c];
    *block = (nsds_block){.set = NSDS_SET_COULOMB, .size = d};
    nsds_text before = *text;
    nsds_text_reals(text, "mu", 1, &block->mu);
    if (text->status || block->mu >= 0.0) continue;
    *text = before;
    nsds_text_expected(text, "mu of contact %d, which must not be negative", c);
  }
  return text->status;
}

static nsds_status read_friction(nsds_text *text, nsds_problem_file *file) {
  int d, count;
  nsds_text_int(text, "the dimension of a friction problem", 2, 3, &d);
  nsds_text_int(text, "the number of contacts", 0, nsds_file_limit / 3, &count);
  if (text->status) return text->status;
  size_t n = (size_t)d * (size_t)count;
  if (nsds_text_room(text, "q and the friction coefficients", n + (size_t)count) ||
      nsds_read_matrix(text, (int)n, file))
    return text->status;
  text->status = nsds_file_size(file, (int)n, count);
  if (text->status) return text->status;
  file->kind = d == 2 ? "fc2d" : "fc3d";
  nsds_text_reals(text, "q", n, file->q);
  return read_contacts(text, d, count, file);
}

/* ---- which of them ---- */

typedef nsds_status (*reader)(nsds_text *text, nsds_problem_file *file);

static const struct {
  nsds_format format;
  reader read;
} readers[] = {
    {NSDS_FORMAT_LCP, read_lcp},
    {NSDS_FORMAT_MLCP, nsds_read_mlcp},
    {NSDS_FORMAT_FRICTION, read_friction},
};

enum { nreader = sizeof readers / sizeof *readers };

static nsds_status report_as(const nsds_text *text, nsds_format format) {
  char note[64];
  snprintf(note, sizeof note, " (read as %s)", nsds_format_text(format));
  return nsds_text_report(text, note);
}

/* None parsed: the message is of the one that came furthest. */
static nsds_status report_best(const nsds_text *start, const nsds_text *tried) {
  int best = 0;
  for (int k = 1; k < nreader; ++k)
    if (tried[k].failed_at > tried[best].failed_at) best = k;
  nsds_text first_word = *start;
  nsds_text_expected(&first_word, "n of an LCP, the flags of an MLCP, or the dimension 2 or 3 of a "
                                  "friction problem");
  if (tried[best].failed_at == first_word.failed_at) return nsds_text_report(&first_word, "");
  return report_as(&tried[best], readers[best].format);
}

/* Tries all formats; the object of the best one is kept. */
static nsds_status read_any(const nsds_text *start, nsds_problem_file *file) {
  nsds_text tried[nreader];
  nsds_problem_file found = {.context = file->context};
  size_t fewest = SIZE_MAX;
  for (int k = 0; k < nreader; ++k) {
    nsds_problem_file candidate = {.context = file->context, .kind = "", .storage = ""};
    tried[k] = *start;
    readers[k].read(&tried[k], &candidate);
    size_t left = tried[k].status ? SIZE_MAX : nsds_text_left(&tried[k]);
    bool better = left < fewest;
    nsds_file_clear(better ? &found : &candidate);
    if (better) {
      found = candidate;
      fewest = left;
    }
    if (tried[k].status && tried[k].status != NSDS_ERROR_FORMAT) {
      nsds_file_clear(&found);
      return tried[k].status;
    }
  }
  if (fewest == SIZE_MAX) return report_best(start, tried);
  *file = found;
  return NSDS_OK;
}

nsds_status nsds_read_text(nsds_text *text, nsds_format format, nsds_problem_file *file) {
  if (format == NSDS_FORMAT_AUTO) return read_any(text, file);
  for (int k = 0; k < nreader; ++k) {
    if (readers[k].format != format) continue;
    readers[k].read(text, file);
    return text->status ? report_as(text, format) : NSDS_OK;
  }
  return nsds_fail(file->context, NSDS_ERROR_ARGUMENT, "%s is not a text format",
                   nsds_format_text(format));
}
