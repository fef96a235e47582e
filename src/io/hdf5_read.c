/*
 * HDF5 files read, see hdf5_file.h: names, classes, lengths and values of an image.
 */
#include "io/hdf5_read.h"

#include "base/context.h"
#include "base/text/format.h"
#include "io/hdf5_data.h"
#include "io/hdf5_image.h"
#include "io/hdf5_links.h"

#include <stdio.h>

nsds_status nsds_h5_open(nsds_context *context, const char *path, const char *data, size_t size,
                         nsds_h5 *h5) {
  *h5 = (nsds_h5){.context = context, .path = path};
  const char *wrong = nsds_h5_image_start(&h5->image, data, size);
  if (wrong) h5->status = nsds_fail(context, NSDS_ERROR_FORMAT, "%s: %s", path, wrong);
  return h5->status;
}

nsds_status nsds_h5_fail(nsds_h5 *h5, const char *name, const char *format, ...) {
  if (h5->status) return h5->status;
  char what[256];
  va_list arguments;
  va_start(arguments, format);
  nsds_format_message(what, sizeof what, format, arguments);
  va_end(arguments);
  return h5->status = nsds_fail(h5->context, NSDS_ERROR_FORMAT, "%s: %s: %s", h5->path, name, what);
}

bool nsds_h5_has(nsds_h5 *h5, const char *name) {
  uint64_t address;
  const char *why;
  return nsds_h5_find(&h5->image, name, &address, &why) || why; /* exists, but is not read */
}

static nsds_status open_dataset(nsds_h5 *h5, const char *name, bool real, nsds_h5_dataset *d) {
  uint64_t address;
  const char *why, *wrong = NULL;
  if (h5->status) return h5->status;
  if (!nsds_h5_find(&h5->image, name, &address, &why))
    return nsds_h5_fail(h5, name, "expected a data set, found %s", why ? why : "none");
  wrong = nsds_h5_open_dataset(&h5->image, address, d);
  if (wrong && d->count > 0)
    return nsds_h5_fail(h5, name, "expected %s; %zu numbers are announced", wrong, d->count);
  if (wrong) return nsds_h5_fail(h5, name, "expected %s", wrong);
  if (d->real != real)
    return nsds_h5_fail(h5, name, "expected %s, found another type", real ? "reals" : "integers");
  if (d->rank > 1)
    return nsds_h5_fail(h5, name, "expected one row of numbers, found an array of rank %d",
                        d->rank);
  return NSDS_OK;
}

/* Opens a data set with at least `least` numbers, and takes memory for all of them. */
static void *open_numbers(nsds_h5 *h5, const char *name, bool real, size_t size, size_t least,
                          nsds_h5_dataset *d) {
  if (open_dataset(h5, name, real, d)) return NULL;
  if (d->count < least) {
    nsds_h5_fail(h5, name, "expected %zu numbers, found %zu", least, d->count);
    return NULL;
  }
  void *value = nsds_alloc(h5->context, "a data set", d->count, size);
  if (!value) h5->status = NSDS_ERROR_MEMORY;
  return value;
}

nsds_status nsds_h5_length(nsds_h5 *h5, const char *name, size_t count) {
  nsds_h5_dataset d;
  if (!open_dataset(h5, name, true, &d) && d.count != count)
    nsds_h5_fail(h5, name, "expected %zu numbers, found %zu", count, d.count);
  return h5->status;
}

nsds_status nsds_h5_ints(nsds_h5 *h5, const char *name, size_t least, int **value, size_t *count) {
  nsds_h5_dataset d = {0};
  *value = open_numbers(h5, name, false, sizeof **value, least, &d);
  *count = d.count;
  for (size_t k = 0; *value && k < d.count; ++k)
    if (!nsds_h5_get_int(&d, k, &(*value)[k]))
      return nsds_h5_fail(h5, name, "expected integers of 32 bits, found a larger one at %zu", k);
  return h5->status;
}

nsds_status nsds_h5_reals(nsds_h5 *h5, const char *name, size_t least, double **value,
                          size_t *count) {
  nsds_h5_dataset d = {0};
  *value = open_numbers(h5, name, true, sizeof **value, least, &d);
  *count = d.count;
  for (size_t k = 0; *value && k < d.count; ++k) (*value)[k] = nsds_h5_get_real(&d, k);
  return h5->status;
}

nsds_status nsds_h5_int(nsds_h5 *h5, const char *name, int min, int max, int *value) {
  int *read;
  size_t count;
  if (!nsds_h5_ints(h5, name, 1, &read, &count)) {
    *value = read[0];
    if (count != 1 || *value < min || *value > max)
      nsds_h5_fail(h5, name, "expected one integer from %d to %d, found %zu, the first is %d", min,
                   max, count, *value);
  }
  nsds_release(h5->context, read);
  return h5->status;
}

nsds_status nsds_h5_vector(nsds_h5 *h5, const char *name, size_t count, double **value) {
  size_t found = 0;
  if (nsds_h5_reals(h5, name, count, value, &found)) return h5->status;
  if (found != count)
    return nsds_h5_fail(h5, name, "expected %zu numbers, found %zu", count, found);
  for (size_t k = 0; k < count; ++k)
    if (!isfinite((*value)[k]))
      return nsds_h5_fail(h5, name, "expected finite numbers, found %g at %zu", (*value)[k], k);
  return NSDS_OK;
}
