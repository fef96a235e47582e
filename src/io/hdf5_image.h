/*
 * The bytes of an HDF5 file in memory, read without libhdf5, which does not survive damaged files.
 * Every access goes through nsds_h5_bytes(), which knows the end of the image. Offsets count from
 * the superblock at the start of the file. The layout is that of the "HDF5 File Format
 * Specification", version 3.0 (The HDF Group).
 *
 * The reader knows:
 *
 * - superblocks 0 to 3 with addresses of eight bytes;
 * - object headers 1 and 2;
 * - groups with a symbol table or links in their header;
 * - data sets of integers and IEEE reals, compact or contiguous.
 *
 * The reader refuses by name: chunks and with them filters, external and virtual storage, links in
 * a fractal heap, soft and external links, shared types.
 */
#ifndef NSDS_SRC_HDF5_IMAGE_H
#define NSDS_SRC_HDF5_IMAGE_H

#include "base/base.h"

typedef struct nsds_h5_image {
  const unsigned char *data;
  size_t size;
  uint64_t root; /* address of the root's object header */
} nsds_h5_image;

/* A message of an object header. */
typedef struct nsds_h5_message {
  unsigned type, flags;
  const unsigned char *data;
  size_t size;
} nsds_h5_message;

/* Types of messages. */
enum {
  nsds_h5_dataspace = 0x01,
  nsds_h5_link_info = 0x02,
  nsds_h5_datatype = 0x03,
  nsds_h5_old_fill = 0x04,
  nsds_h5_fill = 0x05,
  nsds_h5_link = 0x06,
  nsds_h5_external = 0x07,
  nsds_h5_layout = 0x08,
  nsds_h5_filters = 0x0b,
  nsds_h5_continuation = 0x10,
  nsds_h5_symbol_table = 0x11,
};

/* Returns `count` bytes at an address; NULL if the image does not have them. */
const unsigned char *nsds_h5_bytes(const nsds_h5_image *image, uint64_t address, uint64_t count);

/* Returns a number of 1 to 8 bytes, the lowest first. */
uint64_t nsds_h5_number(const unsigned char *bytes, int count);

/* Finds the superblock and the root in the first 100 bytes; returns NULL or the fault. */
const char *nsds_h5_image_start(nsds_h5_image *image, const void *data, size_t size);

/* Calls `visit` for every message of an object header, until it returns false. Returns false if the
 * header is damaged. */
typedef bool (*nsds_h5_visit)(const nsds_h5_image *image, const nsds_h5_message *message,
                              void *user);
bool nsds_h5_walk(const nsds_h5_image *image, uint64_t address, nsds_h5_visit visit, void *user);

/* Numbers of a data set. */
typedef struct nsds_h5_dataset {
  bool real, is_signed, big_endian;
  int width;                 /* bytes of a number: 1, 2, 4 or 8; a real 4 or 8 */
  int rank;                  /* 0: one number */
  size_t count;              /* numbers announced */
  const unsigned char *data; /* NULL: nothing was written, all are 0 */
} nsds_h5_dataset;

#endif
