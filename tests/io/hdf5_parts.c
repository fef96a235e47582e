/*
 * Parts of HDF5 files put together byte by byte, as writers other than libhdf5 1.10 leave them: old
 * layouts, compact data, headers in pieces, links of every kind; and what is wrong in them by name.
 */
#include "io/hdf5_data.h"
#include "io/hdf5_image.h"
#include "io/hdf5_links.h"
#include "support.h"

#include <string.h>

/* A file that grows. */
typedef struct bytes {
  unsigned char data[1 << 16];
  size_t size;
} bytes;

static bytes file;

static void put_number(uint64_t value, int width) {
  for (int k = 0; k < width; ++k) file.data[file.size++] = (unsigned char)(value >> 8 * k);
}

static void put_bytes(const void *from, size_t size) {
  memcpy(file.data + file.size, from, size);
  file.size += size;
}

static nsds_h5_image image_of_file(void) {
  return (nsds_h5_image){.data = file.data, .size = file.size};
}

/* An object header of version 1 at 0, whose messages follow. */
static void begin_header(int messages, int length) {
  file.size = 0;
  put_number(1, 2);
  put_number((uint64_t)messages, 2);
  put_number(1, 4);
  put_number((uint64_t)length, 4);
  put_number(0, 4);
}

static void put_message(unsigned type, unsigned flags, const void *data, size_t size) {
  put_number(type, 2);
  put_number(size, 2);
  put_number(flags, 4);
  put_bytes(data, size);
}

#define BYTES(...) ((const unsigned char[]){__VA_ARGS__})
#define MESSAGE(type, flags, ...)                                                                  \
  put_message(type, flags, BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__))

/* ---- data sets ------------------------------------------------------------------------------- */

/* A row of two numbers; types; two integers of two bytes within the header. */
#define SPACE_OF_TWO 1, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0
#define SHORT_INTEGER 0x10, 8, 0, 0, 2, 0, 0, 0, 0, 0, 16, 0
#define SINGLE 0x11, 0x20, 31, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0
#define DOUBLE 0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0
#define COMPACT_TWO_SHORT 3, 0, 4, 0, 7, 0, 0xfe, 0xff

static const unsigned char space[] = {SPACE_OF_TWO}, type[] = {SHORT_INTEGER};

/* A header with the two messages given in the place of those of the sample, NULL: as they are. */
static const char *open_with(const unsigned char *a_space, size_t space_size,
                             const unsigned char *a_type, size_t type_size,
                             const unsigned char *a_layout, size_t layout_size,
                             nsds_h5_dataset *set) {
  static const unsigned char compact[] = {COMPACT_TWO_SHORT};
  begin_header(3, 200);
  put_message(nsds_h5_dataspace, 0, a_space ? a_space : space, a_space ? space_size : sizeof space);
  put_message(nsds_h5_datatype, 0, a_type ? a_type : type, a_type ? type_size : sizeof type);
  put_message(nsds_h5_layout, 0, a_layout ? a_layout : compact,
              a_layout ? layout_size : sizeof compact);
  while (file.size < 216) put_number(0, 1);
  nsds_h5_image image = image_of_file();
  return nsds_h5_open_dataset(&image, 0, set);
}

#define OPEN_SPACE(...)                                                                            \
  open_with(BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__), NULL, 0, NULL, 0, &set)
#define OPEN_TYPE(...)                                                                             \
  open_with(NULL, 0, BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__), NULL, 0, &set)
#define OPEN_LAYOUT(...)                                                                           \
  open_with(NULL, 0, NULL, 0, BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__), &set)

/* Either text may be NULL: nothing wrong. */
static void assert_wrong(const char *found, const char *expected) {
  if (!expected && !found) return;
  assert_string_equal(found ? found : "nothing wrong", expected ? expected : "nothing wrong");
}

static void spaces(void **unused) {
  (void)unused;
  nsds_h5_dataset set;
  int value;
  assert_wrong(open_with(NULL, 0, NULL, 0, NULL, 0, &set), NULL);
  assert_int_equal(set.count, 2);
  assert_true(nsds_h5_get_int(&set, 0, &value) && value == 7);
  assert_true(nsds_h5_get_int(&set, 1, &value) && value == -2);
  assert_wrong(OPEN_SPACE(2, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0), NULL); /* version 2 */
  assert_int_equal(set.count, 1);
  assert_wrong(OPEN_SPACE(1, 0, 0, 0, 0, 0, 0, 0), NULL); /* a scalar */
  assert_int_equal(set.count, 1);
  assert_int_equal(set.rank, 0);
  assert_wrong(OPEN_SPACE(2, 0, 0, 2), NULL); /* none at all */
  assert_int_equal(set.count, 0);
  assert_wrong(OPEN_SPACE(1, 2, 0, 0), NULL); /* the caller refuses */
  assert_int_equal(set.rank, 2);
  assert_wrong(OPEN_SPACE(3, 1, 0, 0, 0, 0, 0, 0), "a known dataspace");
  assert_wrong(OPEN_SPACE(1, 1, 0), "a known dataspace");
  assert_wrong(OPEN_SPACE(1, 1, 0, 0, 0, 0, 0, 0, 2, 0), "a whole dataspace");
  assert_wrong(OPEN_SPACE(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20), "fewer numbers");
  assert_wrong(OPEN_SPACE(1, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0),
               "numbers that are in the file");
}

static void types(void **unused) {
  (void)unused;
  nsds_h5_dataset set;
  int value;
  assert_wrong(OPEN_TYPE(0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0), NULL); /* bytes without sign */
  assert_true(nsds_h5_get_int(&set, 0, &value) && value == 7);
  assert_wrong(OPEN_TYPE(0x10, 9, 0, 0, 2, 0, 0, 0, 0, 0, 16, 0), NULL); /* the highest first */
  assert_true(nsds_h5_get_int(&set, 0, &value) && value == 0x700);
  assert_true(nsds_h5_get_int(&set, 1, &value) && value == -257);
  assert_wrong(OPEN_TYPE(0x10, 8, 0, 0, 2, 0, 0, 0), "a whole type");
  assert_wrong(OPEN_TYPE(0x13, 8, 0, 0, 2, 0, 0, 0, 0, 0, 16, 0), "integers or reals");
  assert_wrong(OPEN_TYPE(0x10, 8, 0, 0, 3, 0, 0, 0, 0, 0, 24, 0), "numbers of 1, 2, 4 or 8 bytes");
  assert_wrong(OPEN_TYPE(0x10, 8, 0, 0, 2, 0, 0, 0, 1, 0, 16, 0), "numbers that fill their bytes");
  assert_wrong(OPEN_TYPE(0x10, 8, 0, 0, 2, 0, 0, 0, 0, 0, 12, 0), "numbers that fill their bytes");
  begin_header(1, 20);
  MESSAGE(nsds_h5_datatype, 2, SHORT_INTEGER);
  nsds_h5_image image = image_of_file();
  assert_wrong(nsds_h5_open_dataset(&image, 0, &set), "a type of its own, not a shared one");
}

static void reals(void **unused) {
  (void)unused;
  static const unsigned char good[][20] = {{SINGLE}, {DOUBLE}};
  static const double two[2] = {0.5, -3.0};
  static const float two_single[2] = {0.5f, -3.0f};
  nsds_h5_dataset set;
  for (int k = 0; k < 2; ++k) {
    size_t width = k ? 8 : 4;
    unsigned char layout[20] = {3, 0, (unsigned char)(2 * width), 0}, wrong[20];
    memcpy(layout + 4, k ? (const void *)two : two_single, 2 * width);
    assert_wrong(open_with(NULL, 0, good[k], 20, layout, 4 + 2 * width, &set), NULL);
    assert_true(set.real);
    assert_true(nsds_h5_get_real(&set, 0) == 0.5 && nsds_h5_get_real(&set, 1) == -3.0);
    for (int at = 12; at < 20; ++at) { /* places and widths of exponent and mantissa, the bias */
      memcpy(wrong, good[k], sizeof wrong);
      ++wrong[at];
      assert_wrong(open_with(NULL, 0, wrong, 20, layout, 4 + 2 * width, &set), "IEEE reals");
    }
    memcpy(wrong, good[k], sizeof wrong);
    wrong[1] |= 0x40; /* VAX */
    assert_wrong(open_with(NULL, 0, wrong, 20, layout, 4 + 2 * width, &set), "IEEE reals");
    assert_wrong(open_with(NULL, 0, good[k], 19, layout, 4 + 2 * width, &set), "IEEE reals");
  }
  assert_wrong(OPEN_TYPE(0x11, 0x20, 15, 0, 2, 0, 0, 0, 0, 0, 16, 0, 10, 5, 0, 10, 15, 0, 0, 0),
               "IEEE reals"); /* of two bytes */
}

static void layouts(void **unused) {
  (void)unused;
  static const char chunks[] = "contiguous numbers (h5repack -l CONTI -f NONE makes them so)";
  nsds_h5_dataset set;
  int value;
  /* version 1, contiguous: address 214, two rows of sizes 1 and 2 bytes */
  assert_wrong(
      OPEN_LAYOUT(1, 2, 1, 0, 0, 0, 0, 0, 212, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0), NULL);
  assert_ptr_equal(set.data, file.data + 212);
  assert_wrong(
      OPEN_LAYOUT(1, 2, 1, 0, 0, 0, 0, 0, 214, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0),
      "numbers in the file"); /* two bytes less */
  assert_wrong(OPEN_LAYOUT(2, 1, 1, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                           4, 0, 0, 0),
               NULL); /* nothing was written */
  assert_true(nsds_h5_get_int(&set, 1, &value) && value == 0);
  assert_wrong(OPEN_LAYOUT(1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255,
                           255, 255, 255),
               "numbers in the file");
  assert_wrong(OPEN_LAYOUT(1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0),
               "numbers that are in the file"); /* a size of 0 */
  assert_wrong(OPEN_LAYOUT(1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0),
               "a whole layout");
  assert_wrong(OPEN_LAYOUT(1, 2, 2, 0, 0, 0, 0, 0), chunks);
  /* version 2, compact */
  assert_wrong(OPEN_LAYOUT(2, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 7, 0, 8, 0), NULL);
  assert_true(nsds_h5_get_int(&set, 1, &value) && value == 8);
  assert_wrong(OPEN_LAYOUT(2, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0), "a whole layout");
  assert_wrong(OPEN_LAYOUT(2, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 7, 0, 8, 0),
               "a whole compact layout");
  /* versions 3 and 4 */
  assert_wrong(OPEN_LAYOUT(4, 1, 212, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0), NULL);
  assert_wrong(OPEN_LAYOUT(3, 1, 212, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0), "a whole layout");
  assert_wrong(OPEN_LAYOUT(3, 2, 0, 0), chunks);
  assert_wrong(OPEN_LAYOUT(3, 0, 5, 0, 7, 0, 8, 0), "a whole compact layout");
  assert_wrong(OPEN_LAYOUT(3, 0, 4), "a whole layout");
  assert_wrong(OPEN_LAYOUT(5, 1, 0, 0), "a known layout");
  assert_wrong(OPEN_LAYOUT(1, 1, 0, 0), "a known layout"); /* too short for version 1 */
}

/* What was never written is 0; by a fill value it is something else. */
static const char *open_unwritten(unsigned kind, const unsigned char *fill, size_t size) {
  nsds_h5_dataset set;
  begin_header(4, 120);
  put_message(nsds_h5_dataspace, 0, space, sizeof space);
  put_message(nsds_h5_datatype, 0, type, sizeof type);
  MESSAGE(nsds_h5_layout, 0, 3, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 4, 0, 0, 0, 0, 0,
          0, 0);
  put_message(kind, 0, fill, size);
  while (file.size < 136) put_number(0, 1);
  nsds_h5_image image = image_of_file();
  return nsds_h5_open_dataset(&image, 0, &set);
}

static void fill_values(void **unused) {
  (void)unused;
  static const char filled[] = "numbers that are in the file";
  assert_wrong(open_unwritten(nsds_h5_old_fill, BYTES(2, 0, 0, 0, 0, 0), 6), NULL);
  assert_wrong(open_unwritten(nsds_h5_old_fill, BYTES(2, 0, 0, 0, 0, 1), 6), filled);
  assert_wrong(open_unwritten(nsds_h5_fill, BYTES(2, 2, 2, 1, 2, 0, 0, 0, 5, 0), 10), filled);
  assert_wrong(open_unwritten(nsds_h5_fill, BYTES(3, 0x29, 2, 0, 0, 0, 5, 0), 8), filled);
  assert_wrong(open_unwritten(nsds_h5_fill, BYTES(3, 0x29, 2, 0, 0, 0, 0, 0), 8), NULL);
  assert_wrong(open_unwritten(nsds_h5_fill, BYTES(0), 0), NULL);
}

/* ---- headers in pieces ----------------------------------------------------------------------- */

static bool note(const nsds_h5_image *image, const nsds_h5_message *message, void *user) {
  long *count = user;
  (void)image;
  ++*count;
  return message->type != 0x99;
}

/* The messages met; -1 where the header is damaged. */
static long count_messages(uint64_t at) {
  long count = 0;
  nsds_h5_image image = image_of_file();
  return nsds_h5_walk(&image, at, note, &count) ? count : -1;
}

static void put_continuation(uint64_t address, uint64_t size) {
  unsigned char where[16];
  for (int k = 0; k < 8; ++k) {
    where[k] = (unsigned char)(address >> 8 * k);
    where[8 + k] = (unsigned char)(size >> 8 * k);
  }
  put_message(nsds_h5_continuation, 0, where, sizeof where);
}

static void pieces_of_version_1(void **unused) {
  (void)unused;
  begin_header(3, 24 + 8);
  put_continuation(48, 20);
  MESSAGE(0x0c, 0, 0); /* its size goes beyond the piece */
  assert_int_equal(count_messages(0), -1);
  begin_header(3, 24);
  put_continuation(40, 20);
  MESSAGE(0x0c, 0, 1, 2);
  MESSAGE(0x0c, 0, 1, 2);
  assert_int_equal(count_messages(0), 2);
  begin_header(2, 24); /* one message is announced beside the continuation */
  put_continuation(40, 20);
  MESSAGE(0x0c, 0, 1, 2);
  MESSAGE(0x0c, 0, 1, 2);
  assert_int_equal(count_messages(0), 1);
  begin_header(3, 24);
  put_continuation(40, 20);
  MESSAGE(0x99, 0, 1, 2); /* nobody wants to see more */
  MESSAGE(0x0c, 0, 1, 2);
  assert_int_equal(count_messages(0), 1);
  begin_header(3, 24);
  put_continuation(4000, 20); /* outside */
  assert_int_equal(count_messages(0), -1);
  begin_header(1, 16);
  MESSAGE(nsds_h5_continuation, 0, 1, 2, 3, 4, 5, 6, 7, 8); /* too short */
  assert_int_equal(count_messages(0), -1);
  begin_header(20, 20 * 24);
  for (int k = 0; k < 20; ++k) put_continuation(16, 0); /* too many that wait */
  assert_int_equal(count_messages(0), -1);
  begin_header(30000, 24);
  put_continuation(16, 24); /* leads to itself */
  assert_int_equal(count_messages(0), -1);
  begin_header(1, 4000); /* longer than the file */
  assert_int_equal(count_messages(0), -1);
  assert_int_equal(count_messages(4000), -1);
}

/* A header of version 2 with these flags, and a length of so many bytes for one message of two. */
static void begin_second(unsigned flags, int width, uint64_t length) {
  file.size = 0;
  put_bytes("OHDR\2", 5);
  put_number(flags, 1);
  if (flags & 0x20) put_number(0, 8), put_number(0, 8);
  if (flags & 0x10) put_number(0, 4);
  put_number(length, width);
}

static void put_short_message(unsigned kind, bool ordered, const void *data, size_t size) {
  put_number(kind, 1);
  put_number(size, 2);
  put_number(0, 1);
  if (ordered) put_number(1, 2);
  put_bytes(data, size);
}

static void pieces_of_version_2(void **unused) {
  (void)unused;
  for (unsigned flags = 0; flags < 0x40; ++flags) {
    if (flags & 8) continue;
    bool ordered = flags & 4;
    begin_second(flags, 1 << (flags & 3), ordered ? 8 : 6);
    put_short_message(0x0c, ordered, "ab", 2);
    put_number(0, 8);
    assert_int_equal(count_messages(0), 1);
  }
  static const char *const starts[] = {"OHDR\2ok", "OCHK\2", "OHDR\3"};
  for (int k = 1; k < 3; ++k) {
    begin_second(0, 1, 6);
    put_short_message(0x0c, false, "ab", 2);
    put_number(0, 8);
    memcpy(file.data, starts[k], 5);
    assert_int_equal(count_messages(0), -1);
  }
  begin_second(3, 8, 4000); /* longer than the file */
  put_number(0, 8);
  assert_int_equal(count_messages(0), -1);
  begin_second(0x30, 0, 0); /* ends before its length */
  file.size = 16;
  assert_int_equal(count_messages(0), -1);

  /* a second piece at 40, between its signature and its checksum */
  static const unsigned char where[16] = {40, 0, 0, 0, 0, 0, 0, 0, 14};
  for (int k = 0; k < 5; ++k) {
    begin_second(0, 1, 20);
    put_short_message(nsds_h5_continuation, false, where, sizeof where);
    while (file.size < 40) put_number(0, 1);
    put_bytes(k == 1 ? "OHDR" : "OCHK", 4);
    put_short_message(k == 4 ? 0x99 : 0x0c, false, "ab", 2);
    put_number(0, 4);
    if (k == 2) file.size = 50;           /* cut */
    if (k == 3) file.data[7 + 4 + 8] = 7; /* shorter than its frame */
    assert_int_equal(count_messages(0), k == 0 || k == 4 ? 1 : -1);
  }
  begin_second(2, 4, 40000); /* more messages than any object has */
  while (file.size < 40020) put_number(0, 4);
  assert_int_equal(count_messages(0), -1);
}

/* ---- superblocks ----------------------------------------------------------------------------- */

static void superblocks(void **unused) {
  (void)unused;
  static const char signature[] = "\x89HDF\r\n\x1a\n";
  nsds_h5_image image;
  file.size = 0;
  put_bytes(signature, 8);
  put_number(2, 1);
  put_number(0x0808, 2);
  put_number(0, 1);
  put_number(0, 8);          /* base */
  put_number(UINT64_MAX, 8); /* extension */
  put_number(48, 8);         /* end */
  put_number(37, 8);         /* root */
  put_number(0, 4);
  assert_wrong(nsds_h5_image_start(&image, file.data, 48), NULL);
  assert_int_equal(image.root, 37);
  assert_wrong(nsds_h5_image_start(&image, file.data, 47),
               "expected an HDF5 file; it is truncated");
  assert_wrong(nsds_h5_image_start(&image, file.data, 8),
               "expected an HDF5 file; it is another one, truncated or damaged");
  file.data[8] = 4;
  assert_wrong(nsds_h5_image_start(&image, file.data, 48),
               "expected an HDF5 superblock of version 0 to 3; it is newer or damaged");
  file.data[8] = 2;
  file.data[10] = 4;
  assert_wrong(nsds_h5_image_start(&image, file.data, 48),
               "expected an HDF5 file with addresses and lengths of 8 bytes");
  file.data[10] = 8;
  file.data[28] = 49;
  assert_wrong(nsds_h5_image_start(&image, file.data, 48),
               "expected an HDF5 file as long as its superblock says; it is truncated or damaged");
  file.data[12] = 1;
  assert_wrong(nsds_h5_image_start(&image, file.data, 48),
               "expected an HDF5 file that begins with its superblock");
}

/* ---- links ----------------------------------------------------------------------------------- */

/* Looks for "/ab" in a group at 0 with this message; its address, 0: not found. */
static uint64_t find_link(unsigned kind, const unsigned char *data, size_t size, const char **why) {
  begin_header(1, (int)size + 8);
  put_message(kind, 0, data, size);
  nsds_h5_image image = image_of_file();
  uint64_t address = 0;
  return nsds_h5_find(&image, "/ab", &address, why) ? address : 0;
}

#define LINK(...) find_link(nsds_h5_link, BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__), &why)

static void links(void **unused) {
  (void)unused;
  const char *why;
  assert_int_equal(LINK(1, 0, 2, 'a', 'b', 77, 0, 0, 0, 0, 0, 0, 0), 77);
  assert_int_equal(LINK(1, 8, 0, 2, 'a', 'b', 77, 0, 0, 0, 0, 0, 0, 0), 77); /* kind: hard */
  assert_int_equal(
      LINK(1, 0x15, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 'a', 'b', 78, 0, 0, 0, 0, 0, 0, 0),
      78); /* order, character set, a size of two bytes */
  assert_int_equal(LINK(1, 8, 1, 2, 'a', 'b', 77, 0, 0, 0, 0, 0, 0, 0), 0);
  assert_string_equal(why, "a soft or external link");
  assert_int_equal(LINK(1, 0, 2, 'a', 'c', 77, 0, 0, 0, 0, 0, 0, 0), 0); /* another name */
  assert_null(why);
  assert_int_equal(LINK(1, 0, 3, 'a', 'b', 'c', 77, 0, 0, 0, 0, 0, 0, 0), 0);
  assert_int_equal(LINK(2, 0, 2, 'a', 'b', 77, 0, 0, 0, 0, 0, 0, 0), 0); /* another version */
  assert_int_equal(LINK(1), 0);                                          /* cut */
  assert_int_equal(LINK(1, 3, 2, 0), 0);
  assert_int_equal(LINK(1, 0, 2, 'a'), 0);
  assert_int_equal(LINK(1, 0, 2, 'a', 'b', 77, 0, 0), 0);
  assert_null(why);
}

#define INFO(...) find_link(nsds_h5_link_info, BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__), &why)

static void links_in_a_heap(void **unused) {
  (void)unused;
  static const char heap[] = "a group with links in a fractal heap";
  const char *why;
  assert_int_equal(INFO(0, 0, 9, 0, 0, 0, 0, 0, 0, 0), 0);
  assert_string_equal(why, heap);
  assert_int_equal(INFO(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0), 0);
  assert_string_equal(why, heap);
  assert_int_equal(INFO(0, 0, 255, 255, 255, 255, 255, 255, 255, 255), 0); /* no heap */
  assert_null(why);
  assert_int_equal(INFO(0, 1, 9, 0, 0, 0, 0, 0, 0, 0), 0); /* cut */
  assert_null(why);
  assert_int_equal(INFO(0), 0);
  assert_null(why);
}

/* A group of the old kind: its tree at 100, its heap at 200 with names from 300, its table at 400. */
static void put_group(unsigned level, unsigned count, const char *names, size_t size) {
  static const unsigned char table[16] = {100, 0, 0, 0, 0, 0, 0, 0, 200};
  begin_header(1, 24);
  put_message(nsds_h5_symbol_table, 0, table, sizeof table);
  while (file.size < 100) put_number(0, 1);
  put_bytes("TREE", 4);
  put_number(level << 8, 2);
  put_number(1, 2);
  put_number(0, 8), put_number(0, 8);
  put_number(0, 8), put_number(level ? 100 : 400, 8), put_number(0, 8); /* key, child, key: "ab" */
  while (file.size < 200) put_number(0, 1);
  put_bytes("HEAP", 4);
  put_number(0, 4);
  put_number(size, 8), put_number(0, 8), put_number(300, 8);
  while (file.size < 300) put_number(0, 1);
  put_bytes(names, size);
  while (file.size < 400) put_number(0, 1);
  put_bytes("SNOD\1", 5);
  put_number(0, 1);
  put_number(count, 2);
  put_number(0, 8), put_number(55, 8), put_number(0, 4), put_number(0, 4);
  put_number(0, 8), put_number(0, 8);
}

static uint64_t find_in_group(void) {
  nsds_h5_image image = image_of_file();
  uint64_t address = 0;
  const char *why;
  return nsds_h5_find(&image, "/ab", &address, &why) ? address : 0;
}

static void symbol_tables(void **unused) {
  (void)unused;
  put_group(0, 1, "ab", 3);
  assert_int_equal(find_in_group(), 55);
  put_group(0, 1, "aa", 3); /* another name */
  assert_int_equal(find_in_group(), 0);
  put_group(0, 1, "abc", 4); /* a longer one */
  assert_int_equal(find_in_group(), 0);
  put_group(0, 1, "ab", 2); /* does not end */
  assert_int_equal(find_in_group(), 0);
  put_group(0, 2, "ab", 3); /* a table longer than the file */
  assert_int_equal(find_in_group(), 0);
  put_group(1, 1, "ab", 3); /* a tree that leads to itself */
  assert_int_equal(find_in_group(), 0);
  static const size_t signatures[] = {100, 200, 400};
  for (size_t k = 0; k < COUNT(signatures); ++k) {
    put_group(0, 1, "ab", 3);
    file.data[signatures[k]] ^= 1;
    assert_int_equal(find_in_group(), 0);
  }
  put_group(0, 1, "ab", 3);
  file.data[104] = 1; /* a tree of something else */
  assert_int_equal(find_in_group(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spaces),
      cmocka_unit_test(types),
      cmocka_unit_test(reals),
      cmocka_unit_test(layouts),
      cmocka_unit_test(fill_values),
      cmocka_unit_test(pieces_of_version_1),
      cmocka_unit_test(pieces_of_version_2),
      cmocka_unit_test(superblocks),
      cmocka_unit_test(links),
      cmocka_unit_test(links_in_a_heap),
      cmocka_unit_test(symbol_tables),
  };
  return cmocka_run_group_tests_name("io.hdf5_parts", tests, NULL, NULL);
}
