#include "fclib_sample.h"

#include <string.h>

#if NSDS_HAVE_HDF5

/* libhdf5 1.10 leaks a little when it refuses a damaged file. What is ours to close is counted
 * instead. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

long count_open(void) {
  static const H5I_type_t types[] = {H5I_FILE,      H5I_GROUP,   H5I_DATATYPE,
                                     H5I_DATASPACE, H5I_DATASET, H5I_GENPROP_LST};
  long count = 0;
  for (size_t k = 0; k < COUNT(types); ++k) {
    hsize_t members = 0;
    if (H5Inmembers(types[k], &members) >= 0) count += (long)members;
  }
  return count;
}

static const item base[] = {
    {LOCAL, GROUP},
    {LOCAL "/spacedim", INTS(3)},
    {LOCAL "/W", GROUP}, /* rows, not sorted within a row, with room for more */
    {LOCAL "/W/nzmax", INTS(7)},
    {LOCAL "/W/m", INTS(3)},
    {LOCAL "/W/n", INTS(3)},
    {LOCAL "/W/nz", INTS(-2)},
    {LOCAL "/W/p", INTS(0, 2, 4, 6)},
    {LOCAL "/W/i", INTS(1, 0, 0, 1, 1, 2, 99)},
    {LOCAL "/W/x", REALS(1, 4, 2, 5, -3, 6, 99)},
    {LOCAL "/V", GROUP}, /* triplets: p is the column */
    {LOCAL "/V/nzmax", INTS(3)},
    {LOCAL "/V/m", INTS(3)},
    {LOCAL "/V/n", INTS(2)},
    {LOCAL "/V/nz", INTS(3)},
    {LOCAL "/V/p", INTS(0, 1, 0)},
    {LOCAL "/V/i", INTS(0, 1, 2)},
    {LOCAL "/V/x", REALS(7, 8, 9)},
    {LOCAL "/R", GROUP}, /* columns */
    {LOCAL "/R/nzmax", INTS(3)},
    {LOCAL "/R/m", INTS(2)},
    {LOCAL "/R/n", INTS(2)},
    {LOCAL "/R/nz", INTS(-1)},
    {LOCAL "/R/p", INTS(0, 2, 3)},
    {LOCAL "/R/i", INTS(0, 1, 1)},
    {LOCAL "/R/x", REALS(1, 2, 3)},
    {LOCAL "/vectors", GROUP},
    {LOCAL "/vectors/q", REALS(-1, 2, -3)},
    {LOCAL "/vectors/mu", REALS(0.25)},
    {LOCAL "/vectors/s", REALS(-4, 5)},
    {"/solution", GROUP},
    {"/solution/u", REALS(1, 2, 3)},
    {"/solution/r", REALS(4, 5, 6)},
    {"/solution/l", REALS(7, 8)},
    {"/guesses", GROUP},
    {"/guesses/number_of_guesses", INTS(2)},
    {"/guesses/1", GROUP},
    {"/guesses/1/r", REALS(0, 0, 1)},
    {"/guesses/1/l", REALS(0, 2)},
    {"/guesses/2", GROUP},
    {"/guesses/2/u", REALS(3, 0, 0)},
    {"/guesses/2/r", REALS(0, 4, 0)},
    {"/guesses/2/l", REALS(0, 5)},
};

void put_item(nsds_h5 *h5, const item *what) {
  if (what->ints) nsds_h5_put_ints(h5, what->name, what->count, what->ints);
  else if (what->reals) nsds_h5_put_reals(h5, what->name, what->count, what->reals);
  else nsds_h5_put_group(h5, what->name);
}

/* Whether `name` is `left_out` or lies in it. */
static bool lies_in(const char *name, const char *left_out) {
  size_t size = left_out ? strlen(left_out) : 0;
  return left_out && strncmp(name, left_out, size) == 0 && (!name[size] || name[size] == '/');
}

void make_items(nsds_context *context, const char *path, const item *items, size_t count,
                const item *instead, const char *left_out) {
  nsds_h5 h5;
  nsds_h5_create(context, path, &h5);
  for (size_t k = 0; k < count; ++k) {
    if (lies_in(items[k].name, left_out)) continue;
    put_item(&h5, instead && strcmp(instead->name, items[k].name) == 0 ? instead : &items[k]);
  }
  assert_int_equal(nsds_h5_close(&h5), NSDS_OK);
}

void make_file(nsds_context *context, const char *path, const item *instead, const char *left_out) {
  make_items(context, path, base, COUNT(base), instead, left_out);
}

#endif
