/*
 * The format nsds: any blocks with any storage of M, names and points are written and read again bit
 * for bit; what is wrong is refused with line and column, what was found and what would be valid; memory
 * that is short is told. The example of docs/files.md is read.
 */
#include "support.h"

#include <nsds/solver.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_blocks = 8, most_rows = 40, most_numbers = most_rows * most_rows, most_points = 3 };

/* A problem, local or global, with the arrays that it points to. */
typedef struct scene {
  nsds_problem local;
  nsds_global_problem global;
  nsds_block block[most_blocks];
  double set[most_numbers], x[most_numbers], q[most_rows], q_error[most_rows], gain[most_rows];
  int p[most_rows + 1], i[most_numbers], row[most_rows + 1], first[most_rows + 1];
  int column[most_numbers], start[most_numbers];
  nsds_block_rows rows;
  nsds_factored factored;
  nsds_edge edge[most_blocks * 3];
  const double *D[most_blocks];
  int Hp[most_rows + 1], Hi[most_numbers], Gp[most_rows + 1], Gi[most_numbers];
  double Hx[most_numbers], Gx[most_numbers], f[most_rows], w[most_rows], b[most_rows];
  char text[most_blocks + 1][24];
  const char *name[most_blocks];
  double point[3 * most_points][2 * most_rows];
  nsds_stored_point guess[most_points], solution;
  nsds_notes notes;
} scene;

static uint64_t state;

static int draw(int below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)below);
}

static double number(void) {
  static const double special[] = {0.0,     -0.0,    1.0,     -1.0 / 3.0,        0.1,
                                   DBL_MIN, DBL_MAX, -5e-324, 1.0 + DBL_EPSILON, 1e22,
                                   -2.0,    1e-300};
  if (draw(3) == 0) return special[draw((int)COUNT(special))];
  return ldexp((double)draw(1 << 30) + (double)draw(1 << 30) / 1e9 - 5e8, draw(120) - 90);
}

static void fill(double *x, int count) {
  for (int k = 0; k < count; ++k) x[k] = number();
}

/* ---- blocks ---- */

static int set_numbers(nsds_block *block, double *x) {
  int m = block->size;
  if (block->set == NSDS_SET_BOX) {
    for (int i = 0; i < m; ++i) {
      x[i] = draw(4) ? -fabs(number()) : -INFINITY;
      x[m + i] = draw(4) ? fabs(number()) : INFINITY;
    }
    block->lower = x;
    block->upper = x + m;
    return 2 * m;
  }
  if (block->set != NSDS_SET_POLYHEDRON) return 0;
  block->nfacet = draw(4); /* z = 0 is in it */
  for (int k = 0; k < block->nfacet * m; ++k) x[k] = ldexp(number(), -500);
  for (int k = 0; k < block->nfacet; ++k) x[block->nfacet * m + k] = -fabs(number());
  block->H = x;
  block->K = x + block->nfacet * m;
  return block->nfacet * (m + 1);
}

static void draw_blocks(scene *s, int nblock) {
  double *x = s->set;
  int n = 0;
  for (int a = 0; a < nblock; ++a) {
    nsds_block *block = &s->block[a];
    block->set = (nsds_set_kind)(1 << draw(8));
    bool none = !(block->set & (NSDS_SET_DISC | NSDS_SET_CONE));
    block->size = draw(3) + !none;
    if (block->set == NSDS_SET_COULOMB) block->size = 2 + draw(2);
    if (block->set == NSDS_SET_ROLLING) block->size = 3 + 2 * draw(2);
    if (block->set & (NSDS_SET_CONE | NSDS_SET_COULOMB | NSDS_SET_ROLLING))
      block->mu = fabs(number());
    if (block->set == NSDS_SET_ROLLING) block->mu_rolling = fabs(number());
    if (block->set == NSDS_SET_DISC) block->radius = fabs(number());
    x += set_numbers(block, x);
    n += block->size;
  }
  s->local = (nsds_problem){.n = n, .nblock = nblock, .block = s->block, .q = s->q};
  fill(s->q, n);
  if (draw(2)) return;
  for (int i = 0; i < n; ++i) s->q_error[i] = fabs(number());
  s->local.q_error = s->q_error;
}

/* ---- storages of M ---- */

/* Sparse columns of any matrix. */
static void draw_columns(int nrow, int ncolumn, int *p, int *i, double *x) {
  int used = 0;
  for (int j = 0; j < ncolumn; ++j) {
    for (int r = 0; r < nrow; ++r) {
      if (draw(3)) continue;
      i[used] = r;
      x[used++] = number();
    }
    p[j + 1] = used;
  }
}

/* Like the blocks of the problem or, with `other`, in two parts. */
static int cut_rows(scene *s, bool other) {
  int n = s->local.n, count = other ? 2 : s->local.nblock;
  for (int a = 0; a < count; ++a)
    s->row[a + 1] = s->row[a] + (other ? (a == 0 ? n / 3 : n - n / 3) : s->block[a].size);
  return count;
}

static void draw_block_rows(scene *s, bool other) {
  int count = cut_rows(s, other), used = 0, entries = 0;
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < count; ++b) {
      if (draw(2)) continue;
      s->column[used] = b;
      s->start[used++] = entries;
      entries += (s->row[a + 1] - s->row[a]) * (s->row[b + 1] - s->row[b]);
    }
    s->first[a + 1] = used;
  }
  fill(s->x, entries);
  s->rows = (nsds_block_rows){count, s->row, s->first, s->column, s->start, s->x};
  s->local.M.blocks = &s->rows;
}

/* Three column groups of two columns, of which each block row meets some. */
static void draw_factored(scene *s, bool other) {
  int count = cut_rows(s, other), used = 0;
  double *x = s->x;
  bool gain = false;
  for (int a = 0; a < count; ++a) {
    int m = s->row[a + 1] - s->row[a];
    for (int g = 0; g < 3; ++g) {
      if (draw(2)) continue;
      nsds_edge *edge = &s->edge[used++];
      *edge = (nsds_edge){.column = 2 * g, .size = 2, .H = x};
      x += 2 * m;
      if (draw(2)) {
        edge->Y = x;
        x += 2 * m;
      } else {
        gain = true;
      }
    }
    s->first[a + 1] = used;
    if (draw(2)) continue;
    s->D[a] = x;
    x += m * m;
  }
  fill(s->x, (int)(x - s->x));
  fill(s->gain, 6);
  s->factored = (nsds_factored){.nrow_block = count,
                                .ncolumn = 6,
                                .row = s->row,
                                .first_edge = s->first,
                                .edge = s->edge,
                                .D = draw(3) ? s->D : NULL,
                                .gain = gain || draw(2) ? s->gain : NULL};
  s->local.M.factored = &s->factored;
  s->local.M.symmetric = draw(2);
}

static void draw_matrix(scene *s, nsds_storage storage) {
  int n = s->local.n;
  s->local.M = (nsds_matrix){.storage = storage, .n = n, .x = s->x, .p = s->p, .i = s->i};
  bool other = draw(3) == 0;
  switch (storage) {
  case NSDS_DENSE: fill(s->x, n * n); break;
  case NSDS_CSC: draw_columns(n, n, s->p, s->i, s->x); break;
  case NSDS_BLOCK_ROWS: draw_block_rows(s, other); break;
  case NSDS_FACTORED: draw_factored(s, other); break;
  }
}

/* ---- notes ---- */

static const char *draw_name(char text[24]) {
  int size = draw(20);
  for (int k = 0; k < size; ++k) text[k] = (char)(1 + draw(255));
  text[size] = '\0';
  return text;
}

static void draw_point(scene *s, int which, int nz, int nv, nsds_stored_point *point) {
  for (int k = 0; k < 3; ++k) fill(s->point[3 * which + k], nz + nv);
  point->z = s->point[3 * which];
  point->w = draw(2) ? s->point[3 * which + 1] : NULL;
  point->v = nv > 0 && draw(2) ? s->point[3 * which + 2] : NULL;
}

static void draw_notes(scene *s, int nz, int nv) {
  int nblock = s->local.nblock;
  if (draw(2)) s->notes.name = draw_name(s->text[most_blocks]);
  bool named = draw(2);
  for (int a = 0; a < nblock && named; ++a)
    if (draw(3)) s->name[a] = draw_name(s->text[a]);
  if (named) s->notes.block_name = s->name;
  s->notes.nguess = draw(most_points);
  s->notes.guess = s->guess;
  for (int k = 0; k < s->notes.nguess; ++k) draw_point(s, k, nz, nv, &s->guess[k]);
  if (draw(2)) return;
  draw_point(s, most_points - 1, nz, nv, &s->solution);
  s->notes.solution = &s->solution;
}

static scene *draw_local(nsds_storage storage) {
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  draw_blocks(s, draw(most_blocks + 1));
  draw_matrix(s, storage);
  draw_notes(s, s->local.n, 0);
  return s;
}

static scene *draw_global(bool dense) {
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  draw_blocks(s, draw(most_blocks + 1));
  nsds_global_problem *g = &s->global;
  int nv = draw(6), n = s->local.n, p = draw(3);
  for (int k = 0; k < nv; ++k) { /* a diagonal mass matrix */
    double mass = 1.0 + draw(100) / 7.0;
    s->p[k + 1] = k + 1;
    s->i[k] = k;
    s->x[dense ? k * (nv + 1) : k] = mass;
  }
  *g = (nsds_global_problem){
      .nv = nv,
      .n = n,
      .p = p,
      .nblock = s->local.nblock,
      .block = s->block,
      .M = {.storage = dense ? NSDS_DENSE : NSDS_CSC, .n = nv, .x = s->x, .p = s->p, .i = s->i},
      .H = {nv, n, s->Hp, s->Hi, s->Hx},
      .G = {nv, p, s->Gp, s->Gi, s->Gx},
      .f = s->f,
      .w = s->w,
      .b = s->b};
  draw_columns(nv, n, s->Hp, s->Hi, s->Hx);
  draw_columns(nv, p, s->Gp, s->Gi, s->Gx);
  fill(s->f, nv);
  fill(s->w, n);
  fill(s->b, p);
  draw_notes(s, n + p, nv);
  return s;
}

/* ---- the same again ---- */

static void same_ints(const int *a, const int *b, int count) {
  for (int k = 0; k < count; ++k) assert_int_equal(a[k], b[k]);
}

static void same_or_none(const double *a, const double *b, int count) {
  assert_int_equal(a != NULL, b != NULL);
  if (a) assert_same_reals(a, b, (size_t)count);
}

static void same_blocks(const nsds_block *a, const nsds_block *b, int nblock) {
  for (int k = 0; k < nblock; ++k, ++a, ++b) {
    size_t m = (size_t)a->size, facets = (size_t)a->nfacet;
    assert_int_equal(a->set, b->set);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->nfacet, b->nfacet);
    assert_same_reals(&a->mu, &b->mu, 1);
    assert_same_reals(&a->mu_rolling, &b->mu_rolling, 1);
    assert_same_reals(&a->radius, &b->radius, 1);
    if (a->set == NSDS_SET_BOX) {
      assert_same_reals(a->lower, b->lower, m);
      assert_same_reals(a->upper, b->upper, m);
    }
    if (a->set == NSDS_SET_POLYHEDRON) {
      assert_same_reals(a->H, b->H, facets * m);
      assert_same_reals(a->K, b->K, facets);
    }
  }
}

static void same_block_rows(const nsds_block_rows *a, const nsds_block_rows *b) {
  assert_int_equal(a->nrow_block, b->nrow_block);
  same_ints(a->row, b->row, a->nrow_block + 1);
  same_ints(a->first, b->first, a->nrow_block + 1);
  same_ints(a->column, b->column, a->first[a->nrow_block]);
  for (int r = 0; r < a->nrow_block; ++r)
    for (int k = a->first[r]; k < a->first[r + 1]; ++k) {
      int c = a->column[k];
      assert_same_reals(a->x + a->start[k], b->x + b->start[k],
                        (size_t)((a->row[r + 1] - a->row[r]) * (a->row[c + 1] - a->row[c])));
    }
}

static void same_factored(const nsds_factored *a, const nsds_factored *b) {
  bool gain = false;
  assert_int_equal(a->nrow_block, b->nrow_block);
  assert_int_equal(a->ncolumn, b->ncolumn);
  same_ints(a->row, b->row, a->nrow_block + 1);
  same_ints(a->first_edge, b->first_edge, a->nrow_block + 1);
  for (int r = 0; r < a->nrow_block; ++r) {
    int m = a->row[r + 1] - a->row[r];
    for (int k = a->first_edge[r]; k < a->first_edge[r + 1]; ++k) {
      assert_int_equal(a->edge[k].column, b->edge[k].column);
      assert_int_equal(a->edge[k].size, b->edge[k].size);
      assert_same_reals(a->edge[k].H, b->edge[k].H, (size_t)(m * a->edge[k].size));
      same_or_none(a->edge[k].Y, b->edge[k].Y, m * a->edge[k].size);
      gain = gain || !a->edge[k].Y;
    }
    same_or_none(a->D ? a->D[r] : NULL, b->D ? b->D[r] : NULL, m * m);
  }
  if (gain) assert_same_reals(a->gain, b->gain, (size_t)a->ncolumn);
}

static void same_columns(int n, const int *p, const int *i, const double *x, const int *P,
                         const int *I, const double *X) {
  same_ints(p, P, n + 1);
  same_ints(i, I, p[n]);
  assert_same_reals(x, X, (size_t)p[n]);
}

static void same_matrix(const nsds_matrix *a, const nsds_matrix *b) {
  assert_int_equal(a->storage, b->storage);
  assert_int_equal(a->n, b->n);
  switch (a->storage) {
  case NSDS_DENSE: assert_same_reals(a->x, b->x, (size_t)(a->n * a->n)); break;
  case NSDS_CSC: same_columns(a->n, a->p, a->i, a->x, b->p, b->i, b->x); break;
  case NSDS_BLOCK_ROWS: same_block_rows(a->blocks, b->blocks); break;
  case NSDS_FACTORED:
    same_factored(a->factored, b->factored);
    assert_int_equal(a->symmetric, b->symmetric);
    break;
  }
}

static void same_name(const char *a, const char *b) {
  assert_int_equal(a != NULL, b != NULL);
  if (a) assert_string_equal(a, b);
}

static void same_point(const nsds_stored_point *a, const nsds_stored_point *b, int nz, int nv) {
  assert_same_reals(a->z, b->z, (size_t)nz);
  same_or_none(a->w, b->w, nz);
  same_or_none(a->v, b->v, nv);
}

static void same_notes(const nsds_notes *a, const nsds_problem_file *file, int nblock, int nz,
                       int nv) {
  const nsds_notes *b = nsds_problem_file_notes(file);
  same_name(a->name, b->name);
  for (int k = 0; k < nblock; ++k)
    same_name(a->block_name ? a->block_name[k] : NULL, b->block_name ? b->block_name[k] : NULL);
  assert_int_equal(a->nguess, b->nguess);
  assert_int_equal(a->nguess, nsds_problem_file_nguess(file));
  for (int k = 0; k < a->nguess; ++k)
    same_point(&a->guess[k], nsds_problem_file_guess(file, k), nz, nv);
  assert_int_equal(a->solution != NULL, b->solution != NULL);
  assert_ptr_equal(b->solution, nsds_problem_file_solution(file));
  if (a->solution) same_point(a->solution, b->solution, nz, nv);
}

static const char path[] = "native.nsds";

static nsds_problem_file *read_back(nsds_context *context, nsds_status written) {
  if (written) fail_msg("%s", nsds_error_message(context));
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!file) fail_msg("%s", nsds_error_message(context));
  return file;
}

static void any_local_problem(void **unused) {
  (void)unused;
  static const nsds_storage storages[] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};
  nsds_context *context = nsds_context_create(NULL);
  for (int round = 0; round < 300; ++round)
    for (size_t k = 0; k < COUNT(storages); ++k) {
      scene *s = draw_local(storages[k]);
      nsds_problem_file *file = read_back(
          context, nsds_problem_write(context, &s->local, &s->notes, path, NSDS_FORMAT_AUTO));
      const nsds_problem *found = nsds_problem_file_problem(file);
      assert_int_equal(found->n, s->local.n);
      assert_int_equal(found->nblock, s->local.nblock);
      same_blocks(s->local.block, found->block, found->nblock);
      same_matrix(&s->local.M, &found->M);
      assert_same_reals(s->local.q, found->q, (size_t)found->n);
      same_or_none(s->local.q_error, found->q_error, found->n);
      same_notes(&s->notes, file, found->nblock, found->n, 0);
      nsds_problem_file_destroy(file);
      free(s);
    }
  remove(path);
  nsds_context_destroy(context);
}

static void any_global_problem(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  for (int round = 0; round < 300; ++round) {
    scene *s = draw_global(round % 2);
    const nsds_global_problem *g = &s->global;
    nsds_problem_file *file =
        read_back(context, nsds_global_write(context, g, &s->notes, path, NSDS_FORMAT_NSDS));
    const nsds_global_problem *found = nsds_problem_file_global(file);
    assert_int_equal(found->nv, g->nv);
    assert_int_equal(found->n, g->n);
    assert_int_equal(found->p, g->p);
    same_blocks(g->block, found->block, found->nblock);
    same_matrix(&g->M, &found->M);
    same_columns(g->n, g->H.p, g->H.i, g->H.x, found->H.p, found->H.i, found->H.x);
    if (g->p > 0) same_columns(g->p, g->G.p, g->G.i, g->G.x, found->G.p, found->G.i, found->G.x);
    assert_same_reals(g->f, found->f, (size_t)g->nv);
    assert_same_reals(g->w, found->w, (size_t)g->n);
    if (g->p > 0) assert_same_reals(g->b, found->b, (size_t)g->p);
    same_notes(&s->notes, file, found->nblock, g->n + g->p, g->nv);
    assert_int_equal(nsds_global_check(context, found), NSDS_OK);
    nsds_problem_file_destroy(file);
    free(s);
  }
  remove(path);
  nsds_context_destroy(context);
}

/* ---- by hand ---- */

static const char by_hand[] = "nsds 1 \"by hand\"\n"
                              "blocks  # two\n"
                              "  coulomb 2 mu 0.3 \"left foot\"\n"
                              "  box 1 lower -inf upper 2\n"
                              "M sparse\n"
                              "  2 2 5   0 0 4   0 2 1   2 0 1\n"
                              "  1 1 3   1 1 2\n"
                              "q -1 2 -3\n"
                              "guess z 1 0 0\n"
                              "end\n";

static void written_by_hand(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = must_read(context, by_hand, NSDS_FORMAT_AUTO);
  const nsds_problem *problem = nsds_problem_file_problem(file);
  const nsds_notes *notes = nsds_problem_file_notes(file);
  assert_int_equal(nsds_problem_check(context, problem), NSDS_OK);
  assert_string_equal(nsds_problem_file_kind(file), "mixed");
  assert_string_equal(notes->name, "by hand");
  assert_string_equal(notes->block_name[0], "left foot");
  assert_null(notes->block_name[1]);
  assert_true(problem->block[0].mu == 0.3 && problem->block[1].upper[0] == 2.0);
  assert_true(isinf(problem->block[1].lower[0]));
  assert_true(problem->M.symmetric);
  double *M = dense_of(problem);
  assert_same_reals(M, (double[]){4, 0, 1, 0, 5, 0, 1, 0, 5}, 9);
  free(M);
  assert_same_reals(notes->guess[0].z, (double[]){1, 0, 0}, 3);
  assert_null(notes->guess[0].w);
  assert_null(notes->solution);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

/* The example of the documentation is solved as it says. */
static void the_example_of_the_page(void **unused) {
  (void)unused;
  size_t size;
  char *page = get_file(NSDS_TEST_DOCS "/files.md", &size);
  page[size] = '\0';
  char *begin = strstr(page, "\n    nsds 1 \"");
  assert_non_null(begin);
  char *end = strstr(begin, "\n    end\n");
  assert_non_null(end);
  end[strlen("\n    end\n")] = '\0';
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = must_read(context, begin, NSDS_FORMAT_AUTO);
  const nsds_problem *problem = nsds_problem_file_problem(file);
  double z[8], w[8];
  assert_int_equal(nsds_problem_check(context, problem), NSDS_OK);
  assert_int_equal(problem->n, 4);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  memcpy(z, nsds_problem_file_guess(file, 0)->z, 4 * sizeof *z);
  assert_int_equal(nsds_solve(solver, problem, z, w, NULL), NSDS_OK);
  nsds_solver_destroy(solver);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  free(page);
}

/* ---- refused ---- */

#define HEAD "nsds 1\nblocks\n nonnegative 1\n"
#define FACTORED "nsds 1\nblocks\n nonnegative 2\nM factored 2\n"

static const struct {
  const char *text, *says;
} cases[] = {
    {"nsds 2\nblocks", "line 1, column 6: expected the version of the format, which must be 1"},
    {"nsds 1 blocs", "line 1, column 8: expected blocks, or velocities of a global problem"},
    {"nsds 1 \"open\nblocks", "line 1, column 8: expected a name that ends with a double quote"},
    {"nsds 1 \"a \\q\"\nblocks", "column 11: expected a quote, a backslash or two hexadecimal"},
    {"nsds 1 \"a \\00\"\nblocks", "a quote, a backslash or two hexadecimal digits, not 00"},
    {"nsds 1\nblocks\n positive 1\n", "line 3, column 2: expected equality, nonnegative, box, "
                                      "disc, cone, coulomb, rolling, polyhedron "
                                      "or M, found \"positive\""},
    {"nsds 1\nblocks\n box\n", "line 4, column 1: expected the number of rows of the block"},
    {"nsds 1\nblocks\n coulomb 4 mu 1\n", "column 10: expected the number of rows of the block, an "
                                          "integer from 2 to 3, found \"4\""},
    {"nsds 1\nblocks\n rolling 4 mu 1\n",
     "column 10: expected the number of rows of the block, 3 or 5"},
    {"nsds 1\nblocks\n disc 33 radius 1\n", "an integer from 1 to 32"},
    {"nsds 1\nblocks\n disc 3 mu 1\n", "column 9: expected \"radius\", found \"mu\""},
    {"nsds 1\nblocks\n cone 3 mu -1\n", "column 12: expected mu, which must not be negative"},
    {"nsds 1\nblocks\n cone 3 mu inf\n", "expected mu, a finite number, found \"inf\""},
    {"nsds 1\nblocks\n box 1 lower 1 upper 0\n", "column 22: expected upper bound 0, not below the "
                                                 "lower one, 1"},
    {"nsds 1\nblocks\n polyhedron 1 facets 2 H 1 -1 K 1 1\n",
     "expected before this, a polyhedron with "
     "a point"},
    {"nsds 1\nblocks\n equality 60000000 equality 60000000\n",
     "blocks of together at most 100000000"},
    {"nsds 1\nblocks\n equality 60000000\nM", "line 4, column 1: expected q, 60000000 numbers"},
    {HEAD "M full 1", "line 4, column 3: expected dense, sparse, blocks or factored"},
    {HEAD "M dense\n two", "line 5, column 2: expected M(0,0), a finite number, found \"two\""},
    {HEAD "M sparse\n 0 1 2\nq 1\nend", "line 5, column 4: expected the column of an entry"},
    {HEAD "M sparse\n 0 0\nq 1\nend", "line 6, column 1: expected the value of an entry"},
    {HEAD "M sparse\n 0 0 1e308 0 0 1e308\nq 1\nend",
     "entries of M at one place with a finite sum"},
    {HEAD "M dense 1\nq 1 2\nend",
     "line 5, column 5: expected guess, solution or end, found \"2\""},
    {HEAD "M dense 1\nq 1\nq_error -1\nend", "q_error without negative numbers (entry 0 is -1)"},
    {HEAD "M dense 1\nq 1\nguess w 1\nend", "line 6, column 7: expected \"z\", found \"w\""},
    {HEAD "M dense 1\nq 1\nsolution z 1 solution z 1\nend", "expected end, found \"solution\""},
    {HEAD "M dense 1\nq 1\n",
     "line 6, column 1: expected guess, solution or end, found the end of"},
    {HEAD "M dense 1\nq 1\nend\nend", "line 7, column 1: expected the end of the file"},
    {HEAD "M blocks\nblock 0 0 1\nblock 0 0 2\nq 1\nend", "a block behind (0,0): in order of rows"},
    {HEAD "M blocks cut 1 2\nq 1\nend", "the size of a block row, which must be 1"},
    {HEAD "M blocks cut 0\nq 1\nend", "block rows of together 1 rows"},
    {"nsds 1 blocks M blocks block 0 0 1 q end",
     "something other than the block row of a block, as there is none, found \"0\""},
    {"nsds 1 blocks M factored 1 edge 0 0 1 H 1 q end", "as there is none, found \"0\""},
    {HEAD "M blocks\nblok 0 0 1\nq 1\nend", "expected block or q, found \"blok\""},
    {FACTORED "egde 0 0 2 H 1 2 3 4\nq 1 1\nend", "expected edge, D, gain or q, found \"egde\""},
    {HEAD "M blocks\nblock 0 0 x\nq 1\nend", "expected block (0,0), entry (0,0), a finite number"},
    {FACTORED "edge 0 0 2 H 1 2 3 4\nq 1 1\nend", "line 6, column 1: expected gain"},
    {FACTORED "edge 0 1 2 H 1 2 3 4\nq 1 1\nend", "the number of columns of an edge"},
    {FACTORED "edge 0 0 2 H 1 2 3 4 Y 1 2 3 4\nedge 0 1 1 H 1 1 Y 1 1\nq 1 1\nend",
     "same columns or none in common"},
    {"nsds 1 velocities 1\nblocks\nM blocks\n", "the storage of M in a global problem"},
    {"nsds 1 velocities 1\nblocks\nM dense 1\nH factored\n", "dense or sparse, the storage of H"},
    {"nsds 1 velocities 0 blocks nonnegative 1\nM dense\nH sparse 0 0 1\nf w 1\nend",
     "no entry in H, which has 0 rows and 1 columns"},
    {"nsds 1 velocities 50000000\nblocks\n", "expected f and b, 50000000 numbers"},
};

static void refused(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    m.largest = 0;
    nsds_problem_file *file = read_string(context, cases[k].text, NSDS_FORMAT_AUTO);
    if (file) fail_msg("was read: %s", cases[k].text);
    assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
    assert_says(nsds_error_message(context), "text: line ", cases[k].says, NULL);
    nsds_error_clear(context);
    assert_true(m.largest < 4096);
  }
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* Whatever is cut off is missed, up to the last letter. */
static void truncated(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  for (size_t size = 5; size + 1 < strlen(by_hand); ++size) {
    char text[sizeof by_hand];
    memcpy(text, by_hand, size);
    text[size] = '\0';
    assert_null(read_string(context, text, NSDS_FORMAT_AUTO));
    assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
    nsds_error_clear(context);
  }
  nsds_context_destroy(context);
}

/* An error that is there before stays the error of the context, whatever the reader finds. */
static void an_earlier_error_stays(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  assert_null(nsds_problem_read(context, "no_such_file.nsds", NSDS_FORMAT_AUTO));
  assert_null(read_string(context, "nsds 1\nblocks\n polyhedron 1 facets 2 H 1 -1 K 1 1\n", 0));
  assert_int_equal(nsds_error(context), NSDS_ERROR_IO);
  nsds_context_destroy(context);
}

static bool read_action(nsds_context *context, const void *subject) {
  nsds_problem_file *file = nsds_problem_read_memory(context, "text", subject, strlen(subject), 0);
  bool done = file != NULL;
  nsds_problem_file_destroy(file);
  return done;
}

static void memory_is_short(void **unused) {
  (void)unused;
  static const char *const texts[] = {
      by_hand, FACTORED "edge 0 0 2 H 1 2 3 4\nD 0 1 0 0 1\ngain 1 1\nq 1 1\nend",
      "nsds 1\nblocks nonnegative 1 \"a\" equality 0 \"b\" polyhedron 1 facets 1 H 1 K 0\nM "
      "blocks\n"
      "block 0 0 1\nq 1 1\nq_error 0 0\nsolution z 1 1 w 1 1\nend",
      "nsds 1 velocities 1 equalities 1 blocks nonnegative 1\nM dense 1 H dense 1 G sparse 0 0 "
      "1\nf 1 w "
      "1 b 1 guess z 1 1 v 1\nend"};
  for (size_t k = 0; k < COUNT(texts); ++k) sweep_faults(read_action, texts[k]);
}

/* Points that cannot be written, and calls without what they need. */
static void calls_are_refused(void **unused) {
  (void)unused;
  static const double one[1] = {1.0}, bad[1] = {NAN};
  static const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  const nsds_problem problem = {.n = 1,
                                .nblock = 1,
                                .block = &block,
                                .M = {.storage = NSDS_DENSE, .n = 1, .x = one},
                                .q = one};
  nsds_context *context = nsds_context_create(NULL);
  const struct {
    nsds_notes notes;
    const char *says;
  } wrong[] = {
      {{.nguess = -1}, "notes.nguess is -1; it must not be negative"},
      {{.nguess = 2}, "notes.guess is NULL, and nguess is 2"},
      {{.nguess = 1, .guess = &(nsds_stored_point){0}}, "notes.guess[0].z is NULL"},
      {{.solution = &(nsds_stored_point){.z = one, .w = bad}}, "notes.solution[0].w[0] is nan"},
  };
  for (size_t k = 0; k < COUNT(wrong); ++k) {
    assert_true(nsds_problem_write(context, &problem, &wrong[k].notes, path, 0) < 0);
    assert_says(nsds_error_message(context), wrong[k].says, NULL);
    nsds_error_clear(context);
  }
  assert_null(nsds_problem_read_memory(NULL, "x", "", 0, 0));
  assert_null(nsds_problem_read_memory(context, NULL, "", 0, 0));
  assert_null(nsds_problem_read_memory(context, "x", NULL, 1, 0));
  assert_int_equal(nsds_error(context), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_null(nsds_problem_read_memory(context, "x", NULL, 0, 0));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_null(nsds_problem_file_notes(NULL));
  assert_string_equal(nsds_format_text(NSDS_FORMAT_NSDS), "nsds");
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_local_problem),
      cmocka_unit_test(any_global_problem),
      cmocka_unit_test(written_by_hand),
      cmocka_unit_test(the_example_of_the_page),
      cmocka_unit_test(refused),
      cmocka_unit_test(truncated),
      cmocka_unit_test(an_earlier_error_stays),
      cmocka_unit_test(memory_is_short),
      cmocka_unit_test(calls_are_refused),
  };
  return cmocka_run_group_tests_name("io.native", tests, NULL, NULL);
}
