/*
 * The blocks of the format nsds, one set each:
 *
 *     equality SIZE                                 SIZE rows
 *     nonnegative SIZE
 *     box SIZE lower NUMBER... upper NUMBER...      bounds, finite or -inf and inf
 *     disc SIZE radius R
 *     cone SIZE mu MU
 *     coulomb SIZE mu MU
 *     rolling SIZE mu MU mu_rolling MU_R
 *     polyhedron SIZE facets COUNT H NUMBER... K NUMBER...    H facet by facet
 *
 * A name may follow each block. Bounds and facets are kept in one growing array, in the order of
 * the blocks.
 */
#include "io/native_blocks.h"

#include "base/context.h"
#include "io/text.h"
#include "io/text_parts.h"

const char *const nsds_set_words[] = {"equality", "nonnegative", "box",        "disc", "cone",
                                      "coulomb",  "rolling",     "polyhedron", NULL};

/* Arrays that grow while blocks are read. `named` has the place of each block's name; NULL: no
 * names. */
typedef struct blocks_read {
  nsds_text *text;
  nsds_problem_file *file;
  size_t count, capacity; /* blocks */
  size_t used, room;      /* numbers of their sets */
  size_t *named, names;
  long long rows;
} blocks_read;

static const size_t no_name = (size_t)-1;

/* ---- numbers of the sets ---- */

/* Makes room for the numbers of a set; returns NULL only after a failure. */
static double *set_numbers(blocks_read *r, const char *what, size_t count) {
  if (nsds_text_room(r->text, what, count)) return NULL;
  r->text->status =
      nsds_grow(r->text->context, &r->file->sets, &r->room, r->used + count + 1, sizeof(double));
  if (r->text->status) return NULL;
  double *x = r->file->sets + r->used;
  r->used += count;
  return x;
}

static void read_box(blocks_read *r, const nsds_block *block) {
  size_t m = (size_t)block->size;
  double *lower = set_numbers(r, "the bounds of a box", 2 * m);
  if (!lower) return;
  nsds_text_word(r->text, "lower");
  nsds_text_bounds(r->text, "lower bounds", m, -INFINITY, lower);
  nsds_text_word(r->text, "upper");
  nsds_text_upper(r->text, block->size, lower, lower + m);
}

/* Only the library knows if half spaces have a point in common. */
static bool has_point(nsds_context *context, const nsds_block *block) {
  static const int p[NSDS_COUPLED_ROWS + 1] = {0};
  static const double q[NSDS_COUPLED_ROWS + 1] = {0.0};
  nsds_problem one = {.n = block->size, .nblock = 1, .block = block, .q = q};
  one.M = (nsds_matrix){.storage = NSDS_CSC, .n = block->size, .p = p, .i = p, .x = q};
  bool failed_before = nsds_error(context) != NSDS_OK, has = !nsds_problem_check(context, &one);
  if (!has && !failed_before) nsds_error_clear(context);
  return has;
}

static void read_polyhedron(blocks_read *r, nsds_block *block) {
  nsds_text *text = r->text;
  nsds_text_word(text, "facets");
  nsds_text_int(text, "the number of facets", 0, nsds_file_limit / (block->size + 1),
                &block->nfacet);
  size_t count = text->status ? 0 : (size_t)block->nfacet;
  double *H = set_numbers(r, "H and K of a polyhedron", count * ((size_t)block->size + 1));
  if (!H) return;
  double *K = H + count * (size_t)block->size;
  nsds_text_word(text, "H");
  nsds_text_table(text, "H", block->nfacet, block->size, H);
  nsds_text_word(text, "K");
  if (nsds_text_reals(text, "K", count, K)) return;
  nsds_block whole = *block;
  whole.H = H;
  whole.K = K;
  if (!has_point(text->context, &whole))
    nsds_text_expected(text, "before this, a polyhedron with a point: some z with H z >= K");
}

/* Sets the pointers to bounds and facets, which do not move from now on. */
static void place_sets(blocks_read *r) {
  const double *x = r->file->sets;
  for (size_t a = 0; a < r->count; ++a) {
    nsds_block *block = &r->file->block[a];
    size_t m = (size_t)block->size, facets = (size_t)block->nfacet;
    if (block->set == NSDS_SET_BOX) {
      block->lower = x;
      block->upper = x + m;
      x += 2 * m;
    } else if (block->set == NSDS_SET_POLYHEDRON) {
      block->H = x;
      block->K = x + facets * m;
      x += facets * (m + 1);
    }
  }
}

/* ---- one block ---- */

static void native_coefficient(blocks_read *r, const char *word, double *value) {
  nsds_text_word(r->text, word);
  nsds_text before = *r->text;
  nsds_text_reals(r->text, word, 1, value);
  if (r->text->status || *value >= 0.0) return;
  *r->text = before;
  nsds_text_expected(r->text, "%s, which must not be negative", word);
}

static void native_size(blocks_read *r, nsds_block *block) {
  nsds_text before = *r->text;
  bool coupled = block->set & (NSDS_SET_DISC | NSDS_SET_CONE);
  bool few = coupled || block->set == NSDS_SET_POLYHEDRON;
  int least = coupled ? 1 : 0, most = few ? NSDS_COUPLED_ROWS : nsds_file_limit;
  if (block->set == NSDS_SET_COULOMB) least = 2, most = 3;
  if (block->set == NSDS_SET_ROLLING) least = 3, most = 5;
  nsds_text_int(r->text, "the number of rows of the block", least, most, &block->size);
  if (r->text->status) return;
  bool four = block->set == NSDS_SET_ROLLING && block->size == 4;
  r->rows += block->size;
  if (!four && r->rows <= nsds_file_limit) return;
  *r->text = before;
  if (four) nsds_text_expected(r->text, "the number of rows of the block, 3 or 5");
  else nsds_text_expected(r->text, "blocks of together at most %d rows", (int)nsds_file_limit);
}

static void read_set(blocks_read *r, nsds_block *block) {
  switch (block->set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE: break;
  case NSDS_SET_BOX: read_box(r, block); break;
  case NSDS_SET_DISC: native_coefficient(r, "radius", &block->radius); break;
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB: native_coefficient(r, "mu", &block->mu); break;
  case NSDS_SET_ROLLING:
    native_coefficient(r, "mu", &block->mu);
    native_coefficient(r, "mu_rolling", &block->mu_rolling);
    break;
  case NSDS_SET_POLYHEDRON: read_polyhedron(r, block); break;
  }
}

/* ---- names ---- */

nsds_status nsds_file_add_name(nsds_text *text, nsds_problem_file *file, size_t *at) {
  size_t size = 0;
  if (text->status) return text->status;
  text->status = nsds_grow(text->context, &file->names.text, &file->names.capacity,
                           file->names.used + nsds_text_name_room(text), 1);
  if (text->status) return text->status;
  *at = file->names.used;
  nsds_text_name(text, file->names.text + *at, &size);
  file->names.used += size + 1;
  return text->status;
}

static void native_name(blocks_read *r) {
  nsds_context *context = r->text->context;
  size_t at = no_name, before = r->names;
  if (nsds_text_at_name(r->text) && nsds_file_add_name(r->text, r->file, &at)) return;
  if (at == no_name && !r->named) return;
  nsds_status status = nsds_grow(context, &r->named, &r->names, r->count, sizeof *r->named);
  if (status) {
    r->text->status = status;
    return;
  }
  for (size_t k = before; k < r->names; ++k) r->named[k] = no_name;
  r->named[r->count - 1] = at;
}

static void place_names(blocks_read *r) {
  if (!r->named) return;
  r->file->names.of_block = NSDS_NEW_ARRAY(r->text->context, const char *, r->count);
  if (!r->file->names.of_block) r->text->status = NSDS_ERROR_MEMORY;
  for (size_t k = 0; k < r->count && !r->text->status; ++k)
    r->file->names.of_block[k] =
        k < r->names && r->named[k] != no_name ? r->file->names.text + r->named[k] : NULL;
}

/* ---- all of them ---- */

/* Takes the next word if it names a set, and returns the set; else returns -1. */
static int next_set(nsds_text *text) {
  for (int k = 0; nsds_set_words[k]; ++k)
    if (nsds_text_take(text, nsds_set_words[k])) return k;
  return -1;
}

static nsds_status read_block(blocks_read *r, int set) {
  nsds_text *text = r->text;
  text->status =
      nsds_grow(text->context, &r->file->block, &r->capacity, r->count + 1, sizeof *r->file->block);
  if (text->status) return text->status;
  nsds_block block = {.set = (nsds_set_kind)(1 << set)};
  native_size(r, &block);
  if (!text->status) read_set(r, &block);
  r->file->block[r->count++] = block;
  if (!text->status) native_name(r);
  return text->status;
}

nsds_status nsds_native_blocks(nsds_text *text, nsds_problem_file *file, int *nblock, int *n) {
  blocks_read r = {.text = text, .file = file};
  int set;
  nsds_text_word(text, "blocks");
  while (!text->status && (set = next_set(text)) >= 0) read_block(&r, set);
  if (!text->status) place_sets(&r);
  if (!text->status) place_names(&r);
  nsds_release(text->context, r.named);
  *nblock = (int)r.count;
  *n = (int)r.rows;
  return text->status;
}
