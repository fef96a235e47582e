/*
 * Names in the groups of an HDF5 file in memory. A group is a B-tree over the names of a local
 * heap; its nodes at level 0 point to tables of symbols. A newer group has a link message for each
 * member.
 *
 * The search goes only one way down a tree: to the child whose last key is not below the name.
 * Levels must decrease, so that damaged trees end.
 */
#include "io/hdf5_links.h"

#include "io/hdf5_image.h"

enum { node_head = 24, table_head = 8, symbol_size = 40, cached_link = 2 };

/* A search for a name in one group. */
typedef struct search {
  const char *name;
  size_t size;
  bool found, in_heap;
  uint64_t address;
  const char *why; /* a kind of link or storage that is not read */
} search;

/* ---- symbol tables ---- */

/* The segment of a local heap. */
typedef struct heap {
  const unsigned char *data;
  uint64_t size;
} heap;

static bool open_heap(const nsds_h5_image *image, uint64_t address, heap *h) {
  const unsigned char *head = nsds_h5_bytes(image, address, 32);
  if (!head || memcmp(head, "HEAP", 4) != 0) return false;
  h->size = nsds_h5_number(head + 8, 8);
  h->data = nsds_h5_bytes(image, nsds_h5_number(head + 24, 8), h->size);
  return h->data != NULL;
}

/* Gives the sign of (the string at an offset) - name; false if no string ends there. */
static bool hdf5_links_compare(const heap *h, uint64_t offset, const search *s, int *sign) {
  if (offset >= h->size) return false;
  const unsigned char *text = h->data + offset;
  const unsigned char *end = memchr(text, '\0', (size_t)(h->size - offset));
  if (!end) return false;
  size_t size = (size_t)(end - text), common = size < s->size ? size : s->size;
  *sign = memcmp(text, s->name, common);
  if (*sign == 0) *sign = (size > s->size) - (size < s->size);
  return true;
}

static void search_table(const nsds_h5_image *image, uint64_t address, const heap *h, search *s) {
  const unsigned char *head = nsds_h5_bytes(image, address, table_head);
  if (!head || memcmp(head, "SNOD", 4) != 0) return;
  uint64_t count = nsds_h5_number(head + 6, 2);
  const unsigned char *symbol = nsds_h5_bytes(image, address + table_head, count * symbol_size);
  if (!symbol) return;
  for (; count > 0; --count, symbol += symbol_size) {
    int sign;
    if (!hdf5_links_compare(h, nsds_h5_number(symbol, 8), s, &sign) || sign != 0) continue;
    s->found = nsds_h5_number(symbol + 16, 4) != cached_link;
    s->address = nsds_h5_number(symbol + 8, 8);
    if (!s->found) s->why = "a soft link";
    return;
  }
}

/* Chooses the child of a node that may have the name; false if there is none. Key k + 1 is the
 * largest name of child k. */
static bool choose_child(const heap *h, const unsigned char *key, uint64_t count, const search *s,
                         uint64_t *child) {
  for (uint64_t k = 0; k < count; ++k) {
    int sign;
    if (!hdf5_links_compare(h, nsds_h5_number(key + 16 * (k + 1), 8), s, &sign)) return false;
    if (sign < 0) continue;
    *child = nsds_h5_number(key + 16 * k + 8, 8);
    return true;
  }
  return false;
}

static void search_tree(const nsds_h5_image *image, const nsds_h5_message *message, search *s) {
  heap h;
  if (message->size < 16 || !open_heap(image, nsds_h5_number(message->data + 8, 8), &h)) return;
  uint64_t address = nsds_h5_number(message->data, 8);
  for (int above = 256, level; above > 0; above = level) {
    const unsigned char *head = nsds_h5_bytes(image, address, node_head);
    if (!head || memcmp(head, "TREE", 4) != 0 || head[4] != 0 || head[5] >= above) return;
    level = head[5];
    uint64_t count = nsds_h5_number(head + 6, 2);
    const unsigned char *key = nsds_h5_bytes(image, address + node_head, 16 * count + 8);
    if (!key || !choose_child(&h, key, count, s, &address)) return;
  }
  search_table(image, address, &h, s);
}

/* ---- links in the header ---- */

/* Reads version, flags, [kind], [order], [character set], size of the name, name, address. */
static void read_link(const nsds_h5_message *message, search *s) {
  const unsigned char *at = message->data;
  if (message->size < 2 || at[0] != 1) return;
  unsigned flags = at[1];
  size_t kind = 2, width = (size_t)1 << (flags & 3);
  size_t name = kind + (flags & 8 ? 1u : 0u) + (flags & 4 ? 8u : 0u) + (flags & 16 ? 1u : 0u);
  if (message->size < name + width) return;
  uint64_t size = nsds_h5_number(at + name, (int)width);
  name += width;
  if (size != s->size || message->size - name < size) return;
  if (memcmp(at + name, s->name, s->size) != 0) return;
  if (flags & 8 && at[kind] != 0) {
    s->why = "a soft or external link";
    return;
  }
  if (message->size - name - size < 8) return;
  s->found = true;
  s->address = nsds_h5_number(at + name + size, 8);
}

static bool has_heap(const nsds_h5_message *message) {
  size_t at = message->size > 1 && message->data[1] & 1 ? 10 : 2;
  return message->size >= at + 8 && nsds_h5_number(message->data + at, 8) != UINT64_MAX;
}

/* ---- paths ---- */

static bool hdf5_links_visit(const nsds_h5_image *image, const nsds_h5_message *message,
                             void *user) {
  search *s = user;
  if (message->type == nsds_h5_symbol_table) search_tree(image, message, s);
  if (message->type == nsds_h5_link) read_link(message, s);
  if (message->type == nsds_h5_link_info) s->in_heap = has_heap(message);
  return !s->found;
}

bool nsds_h5_find(const nsds_h5_image *image, const char *name, uint64_t *address,
                  const char **why) {
  *address = image->root;
  *why = NULL;
  for (name += *name == '/'; *name;) {
    size_t size = strcspn(name, "/");
    search s = {.name = name, .size = size};
    nsds_h5_walk(image, *address, hdf5_links_visit, &s);
    if (!s.found) {
      *why = s.in_heap ? "a group with links in a fractal heap" : s.why;
      return false;
    }
    *address = s.address;
    name += size + (name[size] == '/');
  }
  return true;
}
