/* Problems with polyhedral sets as mixed linear complementarity problems, see lcp_form.h. */
#include "lcp_form.h"
#include "solver_internal.h"

static int rows_of_box(const nsds_block *block) {
  int count = 0;
  for (int k = 0; k < block->size; ++k) {
    double l = block->lower[k], u = block->upper[k];
    if (l < u) count += isfinite(l) && isfinite(u) ? 2 : 1;
  }
  return count;
}

int nsds_lcp_size(const nsds_problem *problem) {
  int n = 0;
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    if (block->size == 0) continue;
    if (block->set & ~(unsigned)nsds_lcp_sets) return -1;
    n += block->set == NSDS_SET_BOX ? rows_of_box(block) : block->size;
  }
  return n;
}

static nsds_lcp_row *add_row(nsds_lcp_form *form, int w, double sign) {
  nsds_lcp_row *row = &form->row[form->n++];
  *row = (nsds_lcp_row){.w = w, .sign = sign, .z = {w, -1}, .c = {sign, 0.0}, .at_bound = -1};
  return row;
}

static void add_entry(nsds_lcp_form *form, int row, int column, double value) {
  form->entry[form->nentry++] = (nsds_lcp_entry){row, column, value};
}

static void add_bounded(nsds_lcp_form *form, int i, double lower, double upper) {
  bool below = isfinite(lower), above = isfinite(upper);
  form->z0[i] = below ? lower : above ? upper : 0.0;
  if (lower == upper) return;
  int first = form->n;
  add_row(form, i, above && !below ? -1.0 : 1.0)->free = !below && !above;
  if (!below || !above) return;
  nsds_lcp_row *row = add_row(form, -1, 0.0);
  row->b = upper - lower;
  row->at_bound = i;
  row->bound = upper;
  add_entry(form, first, first + 1, 1.0);
  add_entry(form, first + 1, first, -1.0);
}

nsds_status nsds_lcp_build(nsds_context *context, nsds_lcp_form *form,
                           const nsds_problem *problem) {
  int n = nsds_lcp_size(problem);
  nsds_status status;
  if ((status = NSDS_ENSURE(context, form->row, form->row_capacity, n)) ||
      (status = NSDS_ENSURE(context, form->z0, form->z0_capacity, problem->n)) ||
      (status = NSDS_ENSURE(context, form->entry, form->entry_capacity, n)))
    return status;
  form->n = form->nentry = 0;
  form->nz = problem->n;
  for (int a = 0, i = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    double lower = block->set == NSDS_SET_EQUALITY ? -INFINITY : 0.0;
    for (int k = 0; k < block->size; ++k, ++i)
      if (block->set == NSDS_SET_BOX) add_bounded(form, i, block->lower[k], block->upper[k]);
      else add_bounded(form, i, lower, INFINITY);
  }
  return NSDS_OK;
}

void nsds_lcp_release(nsds_context *context, nsds_lcp_form *form) {
  nsds_release(context, form->row);
  nsds_release(context, form->entry);
  nsds_release(context, form->z0);
}

void nsds_lcp_matrix(const nsds_lcp_form *form, const double *M, double *A, int stride) {
  for (int r = 0; r < form->n; ++r) {
    double *row = A + (size_t)r * (size_t)stride;
    memset(row, 0, (size_t)form->n * sizeof *row);
    if (form->row[r].w < 0) continue;
    const double *m = M + form->row[r].w;
    for (int k = 0; k < form->n; ++k)
      for (int e = 0; e < 2 && form->row[k].z[e] >= 0; ++e)
        row[k] +=
            form->row[r].sign * m[(size_t)form->row[k].z[e] * (size_t)form->nz] * form->row[k].c[e];
  }
  for (int e = 0; e < form->nentry; ++e)
    A[form->entry[e].column + (size_t)form->entry[e].row * (size_t)stride] += form->entry[e].value;
}

void nsds_lcp_vector(const nsds_lcp_form *form, const double *M, const double *q, double *b) {
  for (int r = 0; r < form->n; ++r) {
    const nsds_lcp_row *row = &form->row[r];
    b[r] = row->b;
    if (row->w < 0) continue;
    double w = q[row->w];
    for (int j = 0; j < form->nz; ++j)
      if (form->z0[j] != 0.0) w += M[row->w + (size_t)j * (size_t)form->nz] * form->z0[j];
    b[r] += row->sign * w;
  }
}

void nsds_lcp_recover(const nsds_lcp_form *form, const double *x, const unsigned char *basic,
                      double *z) {
  memcpy(z, form->z0, (size_t)form->nz * sizeof *z);
  for (int k = 0; k < form->n; ++k)
    for (int e = 0; e < 2 && form->row[k].z[e] >= 0; ++e)
      z[form->row[k].z[e]] += form->row[k].c[e] * x[k];
  for (int k = 0; k < form->n; ++k)
    if (form->row[k].at_bound >= 0 && basic[k]) z[form->row[k].at_bound] = form->row[k].bound;
}
