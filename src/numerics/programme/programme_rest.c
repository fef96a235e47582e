/* The rest of a convex quadratic programme, see programme_rest.h. */
#include "numerics/programme/programme_rest.h"

#include "base/base.h"
#include "numerics/programme/programme_units.h"

nsds_status nsds_programme_rest_reserve(nsds_programme_rest *r, nsds_store *store, size_t n,
                                        size_t entries) {
  const nsds_cut cut[] = {
      NSDS_CUT(r->p, n + 1),      NSDS_CUT(r->i, entries),     NSDS_CUT(r->x, entries),
      NSDS_CUT(r->q, n),          NSDS_CUT(r->lower, n),       NSDS_CUT(r->upper, n),
      NSDS_CUT(r->sign, n),       NSDS_CUT(r->row, n),         NSDS_CUT(r->place_of, n),
      NSDS_CUT(r->of_z, n),       NSDS_CUT(r->of_w, n),        NSDS_CUT(r->work, n),
      NSDS_CUT(r->kept_p, n + 1), NSDS_CUT(r->kept_i, entries)};
  return NSDS_HOLD(store, cut);
}

/* Copies the columns of the rows that are there, with all diagonal entries. */
static void rest_copy_matrix(nsds_programme_rest *r, const nsds_programme_rows *m) {
  int count = 0;
  for (int c = 0; c < r->rows.n; ++c) {
    int j = r->row[c];
    bool there = false;
    r->p[c] = count;
    for (int k = m->p[j]; k < m->p[j + 1]; ++k) {
      int i = r->place_of[m->i[k]];
      if (i < 0) continue;
      if (!there && i > c) {
        r->i[count] = c;
        r->x[count++] = 0.0;
      }
      there = there || i >= c;
      r->i[count] = i;
      r->x[count++] = m->x[k];
    }
    if (there) continue;
    r->i[count] = c;
    r->x[count++] = 0.0;
  }
  r->p[r->rows.n] = count;
}

/* Gives the pattern a number, the old one if it is the same. */
static void rest_number(nsds_programme_rest *r) {
  int n = r->rows.n;
  size_t columns = (size_t)n + 1, entries = (size_t)r->p[n];
  bool same = r->pattern > 0 && r->kept == n &&
              memcmp(r->p, r->kept_p, columns * sizeof *r->p) == 0 &&
              memcmp(r->i, r->kept_i, entries * sizeof *r->i) == 0;
  if (same) return;
  ++r->pattern;
  r->kept = n;
  memcpy(r->kept_p, r->p, columns * sizeof *r->p);
  memcpy(r->kept_i, r->i, entries * sizeof *r->i);
}

static void rest_take_units(nsds_programme_rest *r) {
  nsds_programme_find_units(&r->rows, r->of_z, r->of_w, r->work);
  for (int j = 0; j < r->rows.n; ++j) {
    for (int k = r->p[j]; k < r->p[j + 1]; ++k) r->x[k] *= r->of_z[j] / r->of_w[r->i[k]];
    r->q[j] /= r->of_w[j];
    r->lower[j] /= r->of_z[j];
    r->upper[j] /= r->of_z[j];
  }
}

void nsds_programme_rest_make(nsds_programme_rest *r, const nsds_programme_rows *given,
                              const nsds_trim *trim) {
  int count = 0;
  for (int i = 0; i < given->n; ++i) {
    r->place_of[i] = -1;
    if (trim && trim->left[i]) continue;
    r->place_of[i] = count;
    r->row[count] = i;
    r->q[count] = trim ? trim->q[i] : given->q[i];
    r->lower[count] = trim ? trim->lower[i] : given->lower[i];
    r->upper[count] = trim ? trim->upper[i] : given->upper[i];
    r->sign[count++] = given->sign[i];
  }
  r->rows = (nsds_programme_rows){.n = count,
                                  .p = r->p,
                                  .i = r->i,
                                  .x = r->x,
                                  .q = r->q,
                                  .lower = r->lower,
                                  .upper = r->upper,
                                  .sign = r->sign};
  rest_copy_matrix(r, given);
  rest_number(r);
  rest_take_units(r);
}
