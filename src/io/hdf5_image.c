/*
 * Superblock and object headers of an HDF5 file in memory, see hdf5_image.h.
 */
#include "io/hdf5_image.h"

enum {
  most_messages = 8192, /* of one object, and pieces of its header */
  most_pieces = 1024,
};

const unsigned char *nsds_h5_bytes(const nsds_h5_image *image, uint64_t address, uint64_t count) {
  if (address > image->size || count > image->size - address) return NULL;
  return image->data + address;
}

uint64_t nsds_h5_number(const unsigned char *bytes, int count) {
  uint64_t number = 0;
  for (int k = count; k-- > 0;) number = number << 8 | bytes[k];
  return number;
}

/* ---- superblock ---- */

/* Places of the fields in a superblock, by its version. */
typedef struct superblock {
  size_t size, widths, base, end, root;
} superblock;

static const superblock superblocks[] = {
    {96, 13, 24, 40, 64},
    {100, 13, 28, 44, 68},
    {48, 9, 12, 28, 36},
    {48, 9, 12, 28, 36},
};

const char *nsds_h5_image_start(nsds_h5_image *image, const void *data, size_t size) {
  static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  *image = (nsds_h5_image){.data = data, .size = size};
  const unsigned char *head = nsds_h5_bytes(image, 0, 9);
  if (!head || memcmp(head, signature, sizeof signature) != 0)
    return "expected an HDF5 file; it is another one, truncated or damaged";
  if (head[8] >= sizeof superblocks / sizeof *superblocks)
    return "expected an HDF5 superblock of version 0 to 3; it is newer or damaged";
  const superblock *where = &superblocks[head[8]];
  if (!nsds_h5_bytes(image, 0, where->size)) return "expected an HDF5 file; it is truncated";
  if (head[where->widths] != 8 || head[where->widths + 1] != 8)
    return "expected an HDF5 file with addresses and lengths of 8 bytes";
  if (nsds_h5_number(head + where->base, 8) != 0)
    return "expected an HDF5 file that begins with its superblock";
  if (nsds_h5_number(head + where->end, 8) > size)
    return "expected an HDF5 file as long as its superblock says; it is truncated or damaged";
  image->root = nsds_h5_number(head + where->root, 8);
  return NULL;
}

/* ---- object headers ---- */

typedef struct walk {
  const nsds_h5_image *image;
  nsds_h5_visit visit;
  void *user;
  int version;
  bool ordered; /* version 2: messages have a number of two bytes */
  long messages, pieces;
  struct {
    uint64_t address, size;
  } later[16]; /* pieces not yet walked */
  int waiting;
  bool ended;
} walk;

/* Remembers the piece of the header that a message points to. */
static bool add_piece(walk *w, const nsds_h5_message *message) {
  if (message->size < 16 || w->waiting == (int)(sizeof w->later / sizeof *w->later) ||
      --w->pieces < 0)
    return false;
  w->later[w->waiting].address = nsds_h5_number(message->data, 8);
  w->later[w->waiting++].size = nsds_h5_number(message->data + 8, 8);
  return true;
}

static bool take_message(walk *w, const nsds_h5_message *message) {
  if (--w->messages < 0) return false;
  if (message->type == nsds_h5_continuation) return add_piece(w, message);
  if (!w->visit(w->image, message, w->user)) w->ended = true;
  return true;
}

/* Walks the messages in [at, end). A rest too small for a message is a gap. */
static bool walk_piece(walk *w, const unsigned char *at, const unsigned char *end) {
  size_t head = w->version == 1 ? 8 : w->ordered ? 6 : 4;
  while (!w->ended && (size_t)(end - at) >= head && (w->version != 1 || w->messages > 0)) {
    bool first = w->version == 1;
    nsds_h5_message message = {.type = first ? (unsigned)nsds_h5_number(at, 2) : at[0],
                               .flags = first ? at[4] : at[3],
                               .data = at + head,
                               .size = (size_t)nsds_h5_number(at + (first ? 2 : 1), 2)};
    if (message.size > (size_t)(end - at) - head || !take_message(w, &message)) return false;
    at += head + message.size;
  }
  return true;
}

/* Walks later pieces. Pieces of version 2 begin with a signature and end with a checksum. The
 * checksum protects from accidents and is not read, because everything is checked here. */
static bool walk_later(walk *w) {
  uint64_t frame = w->version == 1 ? 0 : 4;
  while (!w->ended && w->waiting > 0) {
    uint64_t address = w->later[--w->waiting].address, size = w->later[w->waiting].size;
    const unsigned char *piece = nsds_h5_bytes(w->image, address, size);
    if (!piece || size < 2 * frame) return false;
    if (frame && memcmp(piece, "OCHK", 4) != 0) return false;
    if (!walk_piece(w, piece + frame, piece + size - frame)) return false;
  }
  return true;
}

static bool walk_second(walk *w, uint64_t address, const unsigned char *head) {
  if (memcmp(head, "OHDR", 4) != 0 || head[4] != 2) return false;
  unsigned flags = head[5];
  uint64_t before = 6 + (flags & 0x20 ? 16u : 0u) + (flags & 0x10 ? 4u : 0u);
  int width = 1 << (flags & 3);
  const unsigned char *size = nsds_h5_bytes(w->image, address + before, (uint64_t)width);
  if (!size) return false;
  uint64_t length = nsds_h5_number(size, width);
  const unsigned char *piece = nsds_h5_bytes(w->image, address + before + (uint64_t)width, length);
  w->version = 2;
  w->ordered = flags & 4;
  w->messages = most_messages;
  return piece && walk_piece(w, piece, piece + length) && walk_later(w);
}

bool nsds_h5_walk(const nsds_h5_image *image, uint64_t address, nsds_h5_visit visit, void *user) {
  walk w = {.image = image, .visit = visit, .user = user, .version = 1, .pieces = most_pieces};
  const unsigned char *head = nsds_h5_bytes(image, address, 16);
  if (!head) return false;
  if (head[0] != 1) return walk_second(&w, address, head);
  uint64_t length = nsds_h5_number(head + 8, 4);
  const unsigned char *piece = nsds_h5_bytes(image, address + 16, length);
  w.messages = (long)nsds_h5_number(head + 2, 2);
  return piece && walk_piece(&w, piece, piece + length) && walk_later(&w);
}
