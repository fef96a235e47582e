/*
 * Takes the rows of one process out of a problem file, see part_piece.h. docs/files.md has the grammar.
 *
 *     pass 1     sizes of all blocks: they say which blocks are own
 *     pass 2     own blocks; edges, D and gain of own rows (factored), or entries with an own row or an own
 *                column (sparse); own numbers of q, q_error, scale and of the first guess
 *
 * Words are copied as they are, so that numbers keep their bits. Columns get numbers in the order in which
 * they come; those of own rows of a sparse M come first. A word that is not expected ends the piece:
 * the reader of whole files then tells what is wrong.
 */
#include "mpi/part_piece.h"

#include <math.h>
#include <nsds/extend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest_word = 64, gain_word = 40, most_indices = 100000000, room_for_count = 11 };

/* A file that passes by. */
typedef struct passing {
  nsds_context *context;
  FILE *file;
  nsds_file_piece *piece;
  char word[longest_word]; /* the present one; "" at the end of the file */
  bool odd;                /* the file is to be read as a whole */
  int *size;               /* of all blocks */
  size_t sizes;
  int *local;              /* of columns of the whole: 1 + that of the piece; 0: none */
  int ncolumn;             /* of the whole */
  char (*gain)[gain_word]; /* of columns of the piece */
} passing;

int nsds_rank_of_row(const nsds_mpi *mpi, int n, int row) {
  double share = (double)n / mpi->size;
  return (int)fmin(row / fmax(share, 1.0), mpi->size - 1.0);
}

/* ---- words ---- */

static bool is_piece_blank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_line(FILE *file) {
  for (int c = 0; c != '\n' && c != EOF;) c = getc(file);
}

/* Goes to the first character of a word, behind blanks and comments, and returns it. */
static int begin_word(FILE *file) {
  for (;;) {
    int c = getc(file);
    if (is_piece_blank(c)) continue;
    if (c == '/') {
      int next = getc(file);
      if (next != '/') {
        ungetc(next, file);
        return c;
      }
    } else if (c != '#' && c != '%' && c != '!') return c;
    skip_line(file);
  }
}

/* Passes a name in quotes, whose first quote is read. */
static void pass_name(passing *p) {
  for (int c = getc(p->file); c != '"'; c = getc(p->file)) {
    if (c == EOF || c == '\n') {
      p->odd = true;
      return;
    }
    if (c == '\\') getc(p->file);
  }
}

/* The next word. Names in quotes are left out. */
static const char *next_of(passing *p) {
  int c = begin_word(p->file), size = 0;
  while (c == '"' && !p->odd) {
    pass_name(p);
    c = begin_word(p->file);
  }
  for (; c != EOF && !is_piece_blank(c); c = getc(p->file)) {
    if (size + 1 == longest_word || c == '\0') p->odd = true;
    else p->word[size++] = (char)c;
  }
  p->word[size] = '\0';
  return p->word;
}

static bool at_word(const passing *p, const char *word) { return strcmp(p->word, word) == 0; }

/* Takes the present word if it is this one. */
static bool take_word(passing *p, const char *word) {
  if (p->odd || !at_word(p, word)) return false;
  next_of(p);
  return true;
}

static bool is_number(const passing *p) {
  char c = p->word[0];
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

/* Takes a whole number in [0, most]. */
static int take_index(passing *p, int most) {
  char *end;
  long value = strtol(p->word, &end, 10);
  if (!is_number(p) || *end || value < 0 || value > most) p->odd = true;
  else next_of(p);
  return p->odd ? 0 : (int)value;
}

/* ---- text of the piece ---- */

/* Gives an array room for `count` items; keeps what is in it. */
static bool piece_grow(passing *p, void *array, size_t *room, size_t count, size_t size) {
  void *old, *grown;
  memcpy(&old, array, sizeof old);
  if (p->odd || (old && count <= *room)) return !p->odd;
  size_t more = count + count / 2 + 64;
  grown = nsds_alloc(p->context, "a piece of a problem", more, size);
  if (grown && old) memcpy(grown, old, *room * size);
  if (!grown) return !(p->odd = true);
  nsds_free(old);
  memcpy(array, &grown, sizeof grown);
  *room = more;
  return true;
}

static void put_word(passing *p, const char *word) {
  nsds_file_piece *piece = p->piece;
  size_t size = strlen(word);
  if (!piece_grow(p, &piece->text, &piece->room, piece->size + size + 2, 1)) return;
  memcpy(piece->text + piece->size, word, size);
  piece->size += size;
  piece->text[piece->size++] = ' ';
}

static void put_index(passing *p, int value) {
  char word[16];
  snprintf(word, sizeof word, "%d", value);
  put_word(p, word);
}

/* Leaves room for a count; returns its place for fill_count(). */
static size_t put_room(passing *p) {
  put_word(p, "           ");
  return p->odd ? 0 : p->piece->size - room_for_count - 1;
}

static void fill_count(passing *p, size_t place, int count) {
  char word[16];
  int size = snprintf(word, sizeof word, "%d", count);
  if (!p->odd) memcpy(p->piece->text + place, word, (size_t)size);
}

/* Takes numbers up to the next word that is none, and keeps them or not. */
static void piece_take_numbers(passing *p, bool keep) {
  for (; !p->odd && is_number(p); next_of(p))
    if (keep) put_word(p, p->word);
}

/* ---- blocks ---- */

static bool at_set(const passing *p) {
  static const char *const sets[] = {"equality", "nonnegative", "box",    "disc",
                                     "cone",     "coulomb",     "rolling"};
  for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k)
    if (at_word(p, sets[k])) return true;
  return false;
}

/* Takes a block, and keeps its words or not. Returns its rows. */
static int piece_take_block(passing *p, bool keep) {
  if (keep) put_word(p, p->word);
  next_of(p);
  int size = take_index(p, most_indices);
  if (keep) put_index(p, size);
  while (!p->odd && !at_set(p) && !at_word(p, "M")) {
    if (!p->word[0] || at_word(p, "polyhedron")) p->odd = true;
    if (keep) put_word(p, p->word);
    next_of(p);
  }
  return size;
}

/* Goes to the first block. */
static void pass_head(passing *p) {
  rewind(p->file);
  next_of(p);
  p->odd = p->odd || !take_word(p, "nsds") || !take_word(p, "1") || !take_word(p, "blocks");
}

/* Pass 1. */
static void piece_count_blocks(passing *p) {
  nsds_file_piece *piece = p->piece;
  long long rows = 0;
  pass_head(p);
  while (!p->odd && at_set(p)) {
    if (!piece_grow(p, &p->size, &p->sizes, (size_t)piece->nblock + 1, sizeof *p->size)) return;
    p->size[piece->nblock++] = piece_take_block(p, false);
    rows += p->size[piece->nblock - 1];
    if (rows > most_indices) p->odd = true;
  }
  piece->n = (int)rows;
}

static void find_own(const nsds_mpi *mpi, const passing *p, nsds_file_piece *piece) {
  for (int a = 0, row = 0; a < piece->nblock; row += p->size[a++]) {
    int rank = nsds_rank_of_row(mpi, piece->n, row);
    if (rank < mpi->rank) piece->first = a + 1, piece->first_row = row + p->size[a];
    if (rank <= mpi->rank) piece->last = a + 1, piece->last_row = row + p->size[a];
  }
}

static bool is_own_row(const nsds_file_piece *piece, int i) {
  return i >= piece->first_row && i < piece->last_row;
}

/* ---- columns ---- */

static void piece_open_columns(passing *p, int ncolumn) {
  p->ncolumn = ncolumn;
  p->local = nsds_alloc(p->context, "places of columns", (size_t)ncolumn + 1, sizeof *p->local);
  if (!p->local) p->odd = true;
}

/* Column of the piece for a column of the whole, a new one when it comes first. */
static int local_column(passing *p, int column) {
  nsds_file_piece *piece = p->piece;
  if (p->odd || p->local[column]) return p->odd ? 0 : p->local[column] - 1;
  if (!piece_grow(p, &piece->global, &piece->globals, (size_t)piece->nlocal + 1,
                  sizeof *piece->global))
    return 0;
  piece->global[piece->nlocal] = column;
  p->local[column] = ++piece->nlocal;
  return piece->nlocal - 1;
}

/* ---- factored ---- */

/* Block rows must be those of the blocks. */
static void take_cut(passing *p) {
  if (!take_word(p, "cut")) return;
  int count = take_index(p, most_indices);
  if (count != p->piece->nblock) p->odd = true;
  for (int a = 0; a < count && !p->odd; ++a)
    if (take_index(p, most_indices) != p->size[a]) p->odd = true;
}

static void take_edge(passing *p) {
  nsds_file_piece *piece = p->piece;
  int row = take_index(p, piece->nblock - 1), first = take_index(p, p->ncolumn);
  int size = take_index(p, p->ncolumn - first);
  bool own = row >= piece->first && row < piece->last;
  if (own && !p->odd) {
    int begin = size > 0 ? local_column(p, first) : 0;
    for (int c = 1; c < size && !p->odd; ++c)
      if (local_column(p, first + c) != begin + c) p->odd = true;
    put_word(p, "edge");
    put_index(p, row - piece->first), put_index(p, begin), put_index(p, size);
  }
  for (int k = 0; k < 2 && !p->odd; ++k) {
    if (!at_word(p, k == 0 ? "H" : "Y")) continue;
    if (own) put_word(p, p->word);
    next_of(p);
    piece_take_numbers(p, own);
  }
}

static void take_diagonal(passing *p) {
  nsds_file_piece *piece = p->piece;
  int row = take_index(p, piece->nblock - 1);
  bool own = row >= piece->first && row < piece->last;
  if (own) put_word(p, "D"), put_index(p, row - piece->first);
  piece_take_numbers(p, own);
}

/* Columns of the piece stand in another order than those of the whole. */
static void take_gain(passing *p) {
  int n = p->piece->nlocal;
  p->gain = nsds_alloc(p->context, "gains", (size_t)n + 1, sizeof *p->gain);
  if (!p->gain) p->odd = true;
  for (int c = 0; c < p->ncolumn && !p->odd; ++c, next_of(p)) {
    if (!is_number(p) || strlen(p->word) >= gain_word) p->odd = true;
    else if (p->local[c]) memcpy(p->gain[p->local[c] - 1], p->word, strlen(p->word) + 1);
  }
  put_word(p, "gain");
  for (int c = 0; c < n && !p->odd; ++c) put_word(p, p->gain[c]);
}

static void take_factored(passing *p) {
  put_word(p, "M factored");
  if (take_word(p, "symmetric")) put_word(p, "symmetric");
  piece_open_columns(p, take_index(p, most_indices));
  size_t columns = put_room(p);
  take_cut(p);
  while (take_word(p, "edge")) take_edge(p);
  while (take_word(p, "D")) take_diagonal(p);
  if (take_word(p, "gain")) take_gain(p);
  fill_count(p, columns, p->piece->nlocal);
}

/* ---- sparse ---- */

static void take_entries(passing *p) {
  nsds_file_piece *piece = p->piece;
  put_word(p, "nonnegative");
  size_t others = put_room(p);
  put_word(p, "M sparse");
  piece_open_columns(p, piece->n);
  for (int i = piece->first_row; i < piece->last_row; ++i) local_column(p, i);
  while (!p->odd && is_number(p)) {
    int i = take_index(p, piece->n - 1), j = take_index(p, piece->n - 1);
    if (p->odd || !is_number(p)) p->odd = true;
    if (!p->odd && (is_own_row(piece, i) || is_own_row(piece, j))) {
      put_index(p, local_column(p, i)), put_index(p, local_column(p, j));
      put_word(p, p->word);
    }
    next_of(p);
  }
  fill_count(p, others, piece->nlocal - (piece->last_row - piece->first_row));
}

/* ---- vectors ---- */

/* Takes a vector of the whole, whose name is taken, and keeps own numbers under a name; NULL: none. Other
 * rows of the piece get zeros. */
static void take_own_numbers(passing *p, const char *name, int others) {
  const nsds_file_piece *piece = p->piece;
  if (name) put_word(p, name);
  for (int i = 0; i < piece->n && !p->odd; ++i, next_of(p)) {
    if (!is_number(p)) p->odd = true;
    else if (name && is_own_row(piece, i)) put_word(p, p->word);
  }
  for (int k = 0; name && k < others; ++k) put_word(p, "0");
}

static void piece_take_vectors(passing *p, int others) {
  bool first = true;
  if (!take_word(p, "q")) p->odd = true;
  take_own_numbers(p, "q", others);
  if (take_word(p, "q_error")) take_own_numbers(p, "q_error", others);
  if (take_word(p, "scale")) take_own_numbers(p, "scale", others);
  for (; take_word(p, "guess"); first = false) {
    if (!take_word(p, "z")) p->odd = true;
    take_own_numbers(p, first ? "guess z" : NULL, others);
    if (take_word(p, "w")) take_own_numbers(p, NULL, 0);
  }
  if (take_word(p, "solution")) {
    if (!take_word(p, "z")) p->odd = true;
    take_own_numbers(p, NULL, 0);
    if (take_word(p, "w")) take_own_numbers(p, NULL, 0);
  }
  if (!take_word(p, "end") || p->word[0]) p->odd = true;
  put_word(p, "end");
}

/* ---- the piece ---- */

/* Pass 2. */
static void take_own(passing *p) {
  const nsds_file_piece *piece = p->piece;
  pass_head(p);
  put_word(p, "nsds 1 blocks");
  for (int a = 0; a < piece->nblock && !p->odd; ++a)
    piece_take_block(p, a >= piece->first && a < piece->last);
  if (!take_word(p, "M")) p->odd = true;
  bool sparse = take_word(p, "sparse");
  if (sparse) take_entries(p);
  else if (take_word(p, "factored")) take_factored(p);
  else p->odd = true;
  if (!p->odd)
    piece_take_vectors(p, sparse ? piece->nlocal - (piece->last_row - piece->first_row) : 0);
}

bool nsds_take_piece(const nsds_mpi *mpi, const char *path, nsds_file_piece *piece) {
  *piece = (nsds_file_piece){0};
  passing p = {.context = mpi->context, .file = fopen(path, "rb"), .piece = piece};
  if (!p.file) return false;
  piece_count_blocks(&p);
  if (!p.odd) {
    find_own(mpi, &p, piece);
    take_own(&p);
  }
  if (ferror(p.file)) p.odd = true;
  fclose(p.file);
  nsds_free(p.size), nsds_free(p.local), nsds_free(p.gain);
  if (p.odd) nsds_free_piece(piece);
  return !p.odd;
}

void nsds_free_piece(nsds_file_piece *piece) {
  nsds_free(piece->text), nsds_free(piece->global);
  *piece = (nsds_file_piece){0};
}
