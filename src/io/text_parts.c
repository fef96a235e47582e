/* Parts that several formats of text share: coefficients of contacts, flags, upper bounds. */
#include "io/text_parts.h"

#include "io/text.h"

nsds_status nsds_text_upper(nsds_text *text, int n, const double *lower, double *upper) {
  for (int i = 0; i < n && !text->status; ++i) {
    nsds_text before = *text;
    nsds_text_bounds(text, "upper bounds", 1, INFINITY, &upper[i]);
    if (text->status || upper[i] >= lower[i]) continue;
    *text = before;
    nsds_text_expected(text, "upper bound %d, not below the lower one, %g", i, lower[i]);
  }
  return text->status;
}

static nsds_status read_coefficient(nsds_text *text, const char *what, int contact, double *value) {
  nsds_text before = *text;
  nsds_text_reals(text, what, 1, value);
  if (text->status || *value >= 0.0) return text->status;
  *text = before;
  return nsds_text_expected(text, "%s of contact %d, which must not be negative", what, contact);
}

nsds_status nsds_text_contacts(nsds_text *text, int d, int count, bool rolling,
                               nsds_problem_file *file) {
  for (int c = 0; c < count && !text->status; ++c) {
    file->block[c] = (nsds_block){.set = rolling ? NSDS_SET_ROLLING : NSDS_SET_COULOMB, .size = d};
    read_coefficient(text, "mu", c, &file->block[c].mu);
  }
  for (int c = 0; rolling && c < count && !text->status; ++c)
    read_coefficient(text, "the rolling coefficient", c, &file->block[c].mu_rolling);
  return text->status;
}

nsds_status nsds_text_flag(nsds_text *text) {
  nsds_text ahead = *text;
  if (!nsds_text_word(&ahead, "0")) {
    *text = ahead;
    return NSDS_OK;
  }
  ahead = *text;
  if (!nsds_text_word(&ahead, "1")) *text = ahead;
  return text->status;
}
