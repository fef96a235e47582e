/* Data sets of an HDF5 file in memory: type, size and place, from their messages. */
#include "io/hdf5_data.h"

#include "io/hdf5_image.h"

#include <limits.h>

enum { class_integer = 0, class_real = 1, layout_compact = 0, layout_contiguous = 1 };

/* The messages that have been read. */
typedef struct parts {
  nsds_h5_dataset *dataset;
  bool space, type, place;
  bool filled;     /* a fill value other than 0 */
  uint64_t stored; /* bytes */
  const char *wrong;
} parts;

/* ---- dataspace ---- */

static const char *read_space(const nsds_h5_message *message, nsds_h5_dataset *dataset) {
  const unsigned char *at = message->data;
  if (message->size < 4 || (at[0] != 1 && at[0] != 2)) return "a known dataspace";
  size_t head = at[0] == 1 ? 8 : 4;
  dataset->rank = at[1];
  dataset->count = 1;
  if (at[0] == 2 && at[3] == 2) dataset->count = 0; /* no numbers at all */
  if (dataset->rank > 1) return NULL;               /* refused by the caller */
  if (message->size < head + 8u * (size_t)dataset->rank) return "a whole dataspace";
  if (dataset->rank == 0) return NULL;
  uint64_t count = nsds_h5_number(at + head, 8);
  if (count > PTRDIFF_MAX / 8) return "fewer numbers";
  dataset->count = (size_t)count;
  return NULL;
}

/* ---- datatype ---- */

/* Returns true for IEEE reals of 4 or 8 bytes: places and widths of exponent and mantissa, and the
 * bias. */
static bool is_ieee(const unsigned char *at, int width) {
  static const unsigned char single[] = {23, 8, 0, 23}, both[] = {52, 11, 0, 52};
  uint64_t bias = nsds_h5_number(at + 8, 4);
  if (width == 4) return memcmp(at + 4, single, 4) == 0 && bias == 127;
  return width == 8 && memcmp(at + 4, both, 4) == 0 && bias == 1023;
}

static const char *read_type(const nsds_h5_message *message, nsds_h5_dataset *dataset) {
  const unsigned char *at = message->data;
  if (message->flags & 2) return "a type of its own, not a shared one";
  if (message->size < 8 + 4) return "a whole type";
  int class = at[0] & 15;
  uint64_t width = nsds_h5_number(at + 4, 4);
  if (class != class_integer && class != class_real) return "integers or reals";
  if (width != 1 && width != 2 && width != 4 && width != 8) return "numbers of 1, 2, 4 or 8 bytes";
  dataset->real = class == class_real;
  dataset->width = (int)width;
  dataset->big_endian = at[1] & 1;
  dataset->is_signed = at[1] & 8;
  if (nsds_h5_number(at + 8, 2) != 0 || nsds_h5_number(at + 10, 2) != 8 * width)
    return "numbers that fill their bytes";
  if (!dataset->real) return NULL;
  if (at[1] & 0x40 || message->size < 8 + 12 || !is_ieee(at + 8, (int)width)) return "IEEE reals";
  return NULL;
}

/* ---- layout ---- */

static const char *use(const nsds_h5_image *image, parts *p, uint64_t address, uint64_t size) {
  p->stored = size;
  if (address == UINT64_MAX) p->stored = 0; /* nothing was written */
  else if (!(p->dataset->data = nsds_h5_bytes(image, address, size))) return "numbers in the file";
  return NULL;
}

static const char *use_compact(parts *p, const unsigned char *data, uint64_t size, size_t room) {
  if (size > room) return "a whole compact layout";
  p->dataset->data = data;
  p->stored = size;
  return NULL;
}

static const char not_read[] = "contiguous numbers (h5repack -l CONTI -f NONE makes them so)";

/* Reads version, rank, class, 5 reserved, [address], rank sizes of 4 bytes, [size, data]. The
 * number of elements gives the number of bytes. */
static const char *read_old_layout(const nsds_h5_image *image, const nsds_h5_message *message,
                                   parts *p) {
  const unsigned char *at = message->data;
  size_t rank = at[1], sizes = at[2] == layout_compact ? 8 : 16, end = sizes + 4 * rank;
  if (at[2] != layout_compact && at[2] != layout_contiguous) return not_read;
  if (message->size < end + (at[2] == layout_compact ? 4u : 0u)) return "a whole layout";
  if (at[2] == layout_compact)
    return use_compact(p, at + end + 4, nsds_h5_number(at + end, 4), message->size - end - 4);
  uint64_t size = 1;
  for (size_t k = 0; k < rank; ++k) {
    uint64_t factor = nsds_h5_number(at + sizes + 4 * k, 4);
    if (factor > 0 && size > image->size / factor) return "numbers in the file";
    size *= factor;
  }
  return use(image, p, nsds_h5_number(at + 8, 8), size);
}

static const char *hdf5_data_read_layout(const nsds_h5_image *image, const nsds_h5_message *message,
                                         parts *p) {
  const unsigned char *at = message->data;
  if (message->size < 4) return "a whole layout";
  if ((at[0] == 1 || at[0] == 2) && message->size >= 8) return read_old_layout(image, message, p);
  if (at[0] != 3 && at[0] != 4) return "a known layout";
  if (at[1] == layout_compact)
    return use_compact(p, at + 4, nsds_h5_number(at + 2, 2), message->size - 4);
  if (at[1] != layout_contiguous) return not_read;
  if (message->size < 18) return "a whole layout";
  return use(image, p, nsds_h5_number(at + 2, 8), nsds_h5_number(at + 10, 8));
}

/* ---- fill value ---- */

static bool hdf5_data_any(const unsigned char *at, size_t size) {
  for (size_t k = 0; k < size; ++k)
    if (at[k]) return true;
  return false;
}

/* Returns true for a fill value that is not 0. Version 3 has version, flags, [size, value]; older
 * versions have three bytes more. The bytes after the size are 0 if the value is. */
static bool has_fill(const nsds_h5_message *message) {
  size_t head = message->size > 0 && message->data[0] >= 3 ? 6 : 8;
  if (message->type == nsds_h5_old_fill) head = 4;
  return message->size > head && hdf5_data_any(message->data + head, message->size - head);
}

/* ---- the data set ---- */

static bool hdf5_data_visit(const nsds_h5_image *image, const nsds_h5_message *message,
                            void *user) {
  parts *p = user;
  switch (message->type) {
  case nsds_h5_dataspace:
    p->wrong = read_space(message, p->dataset);
    p->space = true;
    break;
  case nsds_h5_datatype:
    p->wrong = read_type(message, p->dataset);
    p->type = true;
    break;
  case nsds_h5_layout:
    p->wrong = hdf5_data_read_layout(image, message, p);
    p->place = true;
    break;
  case nsds_h5_old_fill:
  case nsds_h5_fill: p->filled = p->filled || has_fill(message); break;
  case nsds_h5_filters:
  case nsds_h5_external: p->wrong = not_read; break;
  default: break;
  }
  return !p->wrong;
}

const char *nsds_h5_open_dataset(const nsds_h5_image *image, uint64_t address,
                                 nsds_h5_dataset *dataset) {
  *dataset = (nsds_h5_dataset){.width = 1};
  parts p = {.dataset = dataset};
  bool whole = nsds_h5_walk(image, address, hdf5_data_visit, &p);
  if (p.wrong) return p.wrong;
  if (!whole || !p.space || !p.type || !p.place) return "a data set";
  if (!dataset->data && !p.filled) p.stored = image->size; /* no more zeros than bytes in all */
  if (dataset->rank <= 1 && dataset->count > p.stored / (uint64_t)dataset->width)
    return "numbers that are in the file";
  return NULL;
}

/* ---- numbers ---- */

/* Returns the bytes of number k, the lowest first. */
static uint64_t bits(const nsds_h5_dataset *dataset, size_t k) {
  if (!dataset->data) return 0;
  const unsigned char *at = dataset->data + k * (size_t)dataset->width;
  if (!dataset->big_endian) return nsds_h5_number(at, dataset->width);
  uint64_t number = 0;
  for (int j = 0; j < dataset->width; ++j) number = number << 8 | at[j];
  return number;
}

bool nsds_h5_get_int(const nsds_h5_dataset *dataset, size_t k, int *value) {
  uint64_t number = bits(dataset, k), top = (uint64_t)1 << (8 * dataset->width - 1);
  bool negative = dataset->is_signed && number & top;
  uint64_t size = negative ? (top - 1 - (number & (top - 1))) : number; /* -1 - number */
  if (size > INT_MAX) return false;
  *value = negative ? -1 - (int)size : (int)size;
  return true;
}

double nsds_h5_get_real(const nsds_h5_dataset *dataset, size_t k) {
  uint64_t number = bits(dataset, k);
  if (dataset->width == 8) {
    double value;
    memcpy(&value, &number, sizeof value);
    return value;
  }
  uint32_t half = (uint32_t)number;
  float value;
  memcpy(&value, &half, sizeof value);
  return (double)value;
}
