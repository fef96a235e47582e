/*
 * Malformed texts: each is refused with the line and what was expected there, and no more memory is
 * taken than the text can stand for.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define D2 "0\n2\n2\n2 2\n" /* lines 2 to 5 behind a line for n */
#define LAST_OF_M(number) "2\n" D2 "1 2\n3 " number "\n-1 -1\n" /* on line 7 */
#define SPARSE "2\n2\n2\n2\nbanner\n"

typedef struct bad {
  const char *text;
  nsds_format format;
  const char *line;     /* named in the message */
  const char *expected; /* named in the message */
} bad;

static const bad cases[] = {
    /* nothing, something else */
    {"", NSDS_FORMAT_AUTO, "line 1", "found the end of the file"},
    {"\n\n  \n", NSDS_FORMAT_AUTO, "line 4", "n of an LCP"},
    {"# a problem\n", NSDS_FORMAT_AUTO, "line 2", "found the end of the file"},
    {"% % %\n // \n! x", NSDS_FORMAT_AUTO, "line 3", "found the end of the file"},
    {"/ a problem\n", NSDS_FORMAT_AUTO, "line 1", "found \"/\""},
    {"\xef\xbb\xbf  x", NSDS_FORMAT_AUTO, "line 1", "column 3: "},
    {"\xef\xbb", NSDS_FORMAT_AUTO, "line 1", "found \"??\""},
    {"<html>this is not a problem</html>", NSDS_FORMAT_AUTO, "line 1", "dimension 2 or 3"},
    {"-3\n0\n", NSDS_FORMAT_LCP, "line 1", "number of rows n"},
    {"2.5\n0\n", NSDS_FORMAT_LCP, "line 1", "found \"2.5\""},
    {"99999999999999999999\n0\n", NSDS_FORMAT_LCP, "line 1", "number of rows n"},
    {"100000001\n0\n", NSDS_FORMAT_LCP, "line 1", "from 0 to 100000000"},
    /* sizes */
    {"100000000\n0\n", NSDS_FORMAT_LCP, "line 1", "q, 100000000 numbers"},
    {"12\n0\n12\n12\n12 12\n1 2 3 4 5\n", NSDS_FORMAT_LCP, "line 5", "dense matrix, 144 numbers"},
    {"2\n7\n2\n2\n", NSDS_FORMAT_LCP, "line 2", "storage of the matrix"},
    {"2\n0\n3\n2\n", NSDS_FORMAT_LCP, "line 3", "number of rows of the matrix, which must be 2"},
    {"2\n0\n2\n3\n", NSDS_FORMAT_LCP, "line 4", "number of columns of the matrix"},
    {"2\n0\n2\n2\n2 1\n1 2 3 4 5 6\n", NSDS_FORMAT_LCP, "line 5", "columns of the dense matrix"},
    /* numbers */
    {LAST_OF_M("x"), NSDS_FORMAT_LCP, "line 7", "finite number 4 of the 4 of M"},
    {LAST_OF_M("nan"), NSDS_FORMAT_LCP, "line 7", "found \"nan\""},
    {"2\n" D2 "1 -inf\n3 4\n-1 -1\n", NSDS_FORMAT_LCP, "line 6", "finite number 2 of the 4 of M"},
    {"2\n" D2 "1 2\n3 4\n-1 1e999\n", NSDS_FORMAT_LCP, "line 8", "finite number 2 of the 2 of q"},
    {"2\n" D2 "1 2\n3 4\n-1,5 1\n", NSDS_FORMAT_LCP, "line 8", "found \"-1,5\""},
    {"2\n" D2 "1 2\n3 4\n-1 1.5.5\n", NSDS_FORMAT_LCP, "line 8", "of q"},
    {"2\n" D2 "1 2\n3 4\n-1\n", NSDS_FORMAT_LCP, "line 9", "found the end of the file"},
    {"2\n" D2 "1 2\n3 4\n-1 "
     "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000x",
     NSDS_FORMAT_LCP, "line 8", "column 4: expected finite number 2 of the 2 of q, found \"0000"},
    {LAST_OF_M("4D"), NSDS_FORMAT_LCP, "line 7", "column 3: "},
    {LAST_OF_M("4d+"), NSDS_FORMAT_LCP, "line 7", "found \"4d+\""},
    {LAST_OF_M("1f3"), NSDS_FORMAT_LCP, "line 7", "found \"1f3\""},
    {LAST_OF_M("."), NSDS_FORMAT_LCP, "line 7", "found \".\""},
    {LAST_OF_M("1.5e2.5"), NSDS_FORMAT_LCP, "line 7", "found \"1.5e2.5\""},
    {LAST_OF_M("4#"), NSDS_FORMAT_LCP, "line 7", "found \"4#\""},
    /* blocks */
    {"2\n1\n2\n2\n-1\n1 1\n", NSDS_FORMAT_LCP, "line 5", "number of blocks"},
    {"2\n1\n2\n2\n99999999\n1\n1\n", NSDS_FORMAT_LCP, "line 7", "structure of the blocks"},
    {"2\n1\n2\n2\n1\n0\n1\n2\n", NSDS_FORMAT_LCP, "line 6", "block rows"},
    {"2\n1\n2\n2\n1\n1\n1\n3\n2\n2\n1\n0 1\n0\n0\n1 2 3 4\n-1 -1\n", NSDS_FORMAT_LCP, "line 8",
     "end of a block row, which must be 2"},
    {"2\n1\n2\n2\n1\n2\n2\n2 1\n1 2\n3\n1\n0 1 1\n0\n0\n1\n-1 -1\n", NSDS_FORMAT_LCP, "line 8",
     "end of a block row"},
    {"2\n1\n2\n2\n1\n1\n1\n2\n2\n3\n1\n0 1\n0\n0\n1 2 3 4\n-1 -1\n", NSDS_FORMAT_LCP, "line 10",
     "length of the row pointer, which must be 2"},
    {"2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n4\n0 1\n0\n0\n1 2 3 4\n-1 -1\n", NSDS_FORMAT_LCP, "line 11",
     "number of block column indices"},
    {"2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n1 1\n0\n0\n1 2 3 4\n-1 -1\n", NSDS_FORMAT_LCP, "line 12",
     "first row pointer, which must be 0"},
    {"2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 2\n0\n0\n1 2 3 4\n-1 -1\n", NSDS_FORMAT_LCP, "line 12",
     "row pointer, which must be 1"},
    {"2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n1\n0\n1 2 3 4\n-1 -1\n", NSDS_FORMAT_LCP, "line 13",
     "block column[0]"},
    {"2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n0\n5\n1 2 3 4\n-1 -1\n", NSDS_FORMAT_LCP, "line 14",
     "number of the next block, which must be 0"},
    {"2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n0\n0\n1 2 3 four\n-1 -1\n", NSDS_FORMAT_LCP, "line 15",
     "finite number 4 of the 4 of block 0"},
    /* sparse */
    {"2\n2\n2\n2\n5\n", NSDS_FORMAT_LCP, "line 5", "kind (1 triplets"},
    {"2\n" SPARSE "no sizes here\n0 0 0 0", NSDS_FORMAT_LCP, "line 7", "2-by-2, nzmax: N nnz: K"},
    {"2\n" SPARSE "2-by-3, nzmax: 1 nnz: 1\n", NSDS_FORMAT_LCP, "line 7", "2-by-2, nzmax"},
    {"2\n" SPARSE "2-by-2, nzmax: 1 nnz: 2\n0 0 0 0 0 0", NSDS_FORMAT_LCP, "line 7", "K up to N"},
    {"2\n" SPARSE "2-by-2, nzmax: 99999999 nnz: 99999999, 1-norm: 1\n", NSDS_FORMAT_LCP, "line 8",
     "entries, 299999997 numbers"},
    {"2\n" SPARSE "csr: 2-by-2, nzmax: 0 nnz: 0, 1-norm: 0\n0 0", NSDS_FORMAT_LCP, "line 7",
     "\"2-by-2, nzmax"},
    {"2\n" SPARSE "2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\nrow 0 : locations 0 to 0\n 0 : 1\n",
     NSDS_FORMAT_LCP, "line 8", "\"col\""},
    {"2\n" SPARSE "2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 1 : locations 0 to 0\n 0 : 1\n",
     NSDS_FORMAT_LCP, "line 8", "its number, which must be 0"},
    {"2\n" SPARSE "2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 5\n 0 : 1\n",
     NSDS_FORMAT_LCP, "line 8", "last location"},
    {"2\n" SPARSE "2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 0\n 2 : 1\n",
     NSDS_FORMAT_LCP, "line 9", "a row, an integer from 0 to 1"},
    {"2\n" SPARSE "2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 0\n 1 = 1\n",
     NSDS_FORMAT_LCP, "line 9", "\":\""},
    {"2\n" SPARSE "2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 0\n 1 : inf\n",
     NSDS_FORMAT_LCP, "line 9", "value of an entry"},
    {"2\n2\n2\n2\n4\nbanner\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n1 0 : 1\n0 1 : 1\n-1 -1\n",
     NSDS_FORMAT_LCP, "line 9", "a column"},
    {"2\n2\n2\n2\n1\nbanner\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n-1 0 : 1\n-1 -1\n", NSDS_FORMAT_LCP,
     "line 8", "a row, an integer from 0 to 1"},
    {"2\n2\n2\n2\n1\nbanner\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 1e308\n0 0 : 1e308\n-1 -1\n",
     NSDS_FORMAT_LCP, "line 10", "entries at one place with a finite sum"},
    /* MLCP */
    {"2 1\n1\n1\n", NSDS_FORMAT_MLCP, "line 1", "flag s1"},
    {"0 0\n1\n1\n", NSDS_FORMAT_MLCP, "line 1", "flag s2 of an MLCP, which must be 1"},
    {"1 0\n-1\n1\n", NSDS_FORMAT_MLCP, "line 2", "number of equalities"},
    {"1 0\n1\nmany\n", NSDS_FORMAT_MLCP, "line 3", "number of complementarity pairs"},
    {"1 0\n50000000\n50000000\n", NSDS_FORMAT_MLCP, "line 3", "q, 100000000 numbers"},
    {"0 1\n1000\n1000\n1 2 3 4\n", NSDS_FORMAT_MLCP, "line 3", "A, B, C, D, a and b"},
    {"1 0\n1\n1\n1 2\n0 1\n" D2 "1 2 3 4 5 6", NSDS_FORMAT_MLCP, "line 4",
     "first block limit, which must be 0"},
    {"1 0\n1\n1\n0 3\n0 1\n" D2 "1 2 3 4 5 6", NSDS_FORMAT_MLCP, "line 4", "next block limit"},
    {"1 0\n1\n1\n0 1 2\n0 2\n" D2 "1 2 3 4 5 6", NSDS_FORMAT_MLCP, "line 5", "type of a block"},
    {"1 0\n1\n1\n0 1 2\n1 1\n" D2 "1 2 3 4 5 6", NSDS_FORMAT_MLCP, "line 6",
     "1 equality rows (0 given)"},
    {"1 1\n1\n1\n0 1 2\n0 1\n" D2 "1 2\n3 4\n-1 -1\n1\n4\n2\n3\n-1\n-1\n", NSDS_FORMAT_MLCP,
     "line 15", "an entry of C equal to 3"},
    {"1 1\n1\n1\n0 1 2\n0 1\n" D2 "1 2\n3 4\n-1 -1\n1\n4\n3\n2\n-1\n1\n", NSDS_FORMAT_MLCP,
     "line 18", "an entry of b equal to -1"},
    {"1 0\n1\n1\n0 1 2\n0 1\n" D2 "1 2\n3 4\n-1 -1\n7\n", NSDS_FORMAT_MLCP, "line 13",
     "end of the file behind the MLCP"},
    {"1 0\n2\n1\n0 1 3\n1 0\n0\n2\n3\n2 3\n1 2 3 4 5 6\n1 2\n", NSDS_FORMAT_MLCP, "line 6",
     "a matrix of 3 rows"},
    {"1 0\n1\n2\n0 1 3\n0 1\n0\n1\n3\n1 3\n1 2 3\n1\n", NSDS_FORMAT_MLCP, "line 6",
     "a matrix of 3 rows"},
    {"2 1 3\n1 2\n", NSDS_FORMAT_MLCP_LINES, "line 1", "A, B, C, D, a and b, 12 numbers"},
    {"5 0 0\n", NSDS_FORMAT_MLCP_LINES, "line 2", "rows for 5 unknowns"},
    {"1 2 1\n", NSDS_FORMAT_MLCP_LINES, "line 1", "number of rows"},
    {"1 0 1\n1 2 3\n", NSDS_FORMAT_MLCP_LINES, "line 2", "the end of the file behind b"},
    /* left over, and numbers that are not decimal */
    {"2\n" D2 "1 2\n3 4\n-1 -1\n0\n", NSDS_FORMAT_LCP, "line 9",
     "the end of the file behind q of an LCP, found \"0\""},
    {"2\n" D2 "1 2\n3 4\n-1 -1\nand this too\n", NSDS_FORMAT_LCP, "line 9", "found \"and\""},
    {"2\n" D2 "1 2\n0x10 4\n-1 -1\n", NSDS_FORMAT_LCP, "line 7", "found \"0x10\""},
    {"2\n" D2 "1 2\n3 4\n-1 -0X1p3\n", NSDS_FORMAT_LCP, "line 8", "found \"-0X1p3\""},
    {"0x2\n" D2 "1 2\n3 4\n-1 -1\n", NSDS_FORMAT_LCP, "line 1", "found \"0x2\""},
    /* relay */
    {"2\n" D2 "1 2\n3 4\n-1 -1\n-1 -2\n1\n", NSDS_FORMAT_RELAY, "line 11", "upper bounds"},
    {"2\n" D2 "1 2\n3 4\n-1 -1\n-1 2\n1 1\n", NSDS_FORMAT_RELAY, "line 10",
     "upper bound 1, not below the lower one, 2"},
    {"2\n" D2 "1 2\n3 4\n-1 -1\n-1 inf\n1 1\n", NSDS_FORMAT_RELAY, "line 9", "finite or -inf"},
    {"2\n" D2 "1 2\n3 4\n-1 -1\n-1 -inf\n-inf 1\n", NSDS_FORMAT_RELAY, "line 10", "finite or inf"},
    {"2\n" D2 "1 2\n3 4\n-1 -1\n-1 nan\n1 1\n", NSDS_FORMAT_RELAY, "line 9", "number 2 of the 2"},
    {"2\n" D2 "1 2\n3 4\n-1 -1\n-1 -1\n1 1\n1\n", NSDS_FORMAT_RELAY, "line 11",
     "the end of the file behind the upper bounds"},
    /* rolling friction */
    {"4\n1\n", NSDS_FORMAT_ROLLING, "line 3", "3 or 5 as the dimension"},
    {"5\n1\n2\n5\n5\n1\nb\ntriplet: 5-by-5, nzmax: 0 nnz: 0\n1 2 3 4 5\n0.5\n", NSDS_FORMAT_ROLLING,
     "line 11", "rolling coefficient"},
    {"3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n0.5\n-0.1\n", NSDS_FORMAT_ROLLING, "line 12",
     "rolling coefficient of contact 0, which must not be negative"},
    {"3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n0.5\n0.1\n0\n", NSDS_FORMAT_ROLLING,
     "line 13", "behind the rolling coefficients"},
    /* global */
    {"4\n1\n", NSDS_FORMAT_GLOBAL, "line 3", "2, 3 or 5 as the dimension"},
    {"2\n1\n" D2 "1 0 0 1\n0\n2\n3\n2 3\n1 2 3 4 5 6\n1 2\n1 2 3\n0.5\n", NSDS_FORMAT_GLOBAL,
     "line 10", "number of columns of the matrix, which must be 2"},
    {"2\n1\n" D2 "1 0 0 1\n" D2 "1 0 0 1\n1 2\n3 4\n", NSDS_FORMAT_GLOBAL, "line 15", "mu"},
    {"2\n1\n" D2 "1 0 0 1\n" D2 "1 0 0 1\n1 2\n3 4\n0.5\n2\n", NSDS_FORMAT_GLOBAL, "line 16",
     "behind the friction coefficients"},
    {"2\n1\n" D2 "1 0 0 1\n2\n2\n2\n4\n", NSDS_FORMAT_GLOBAL, "line 12", "triplet: 2-by-2"},
    {"2\n1\n3\n0 0 0 0 0\n", NSDS_FORMAT_GLOBAL, "line 3", "storage of the matrix"},
    /* friction */
    {"2\n1\n" D2 "1 0\n0 1\n-1 0\n0.5\n2\n", NSDS_FORMAT_FRICTION, "line 11",
     "behind the friction coefficients"},
    {"2\n1\n" D2 "1 0\n0 1\n-1 0\n0.5\n1 1\n", NSDS_FORMAT_FRICTION, "line 11",
     "behind the friction coefficients"},
    {"4\n1\n", NSDS_FORMAT_FRICTION, "line 1", "dimension of a friction problem"},
    {"3\n-1\n", NSDS_FORMAT_FRICTION, "line 2", "number of contacts"},
    {"2\n50000000\n0\n", NSDS_FORMAT_FRICTION, "line 2", "number of contacts"},
    {"2\n30000000\n0\n", NSDS_FORMAT_FRICTION, "line 2", "q and the friction coefficients"},
    {"2\n1\n" D2 "1 0\n0 1\n-1 0\n-0.5\n", NSDS_FORMAT_FRICTION, "line 10",
     "mu of contact 0, which must not be negative"},
    {"2\n1\n" D2 "1 0\n0 1\n-1 0\n", NSDS_FORMAT_FRICTION, "line 10", "mu, a finite number"},
};

static void refuse(nsds_context *context, const char *text, nsds_format format, const char *line,
                   const char *expected) {
  nsds_problem_file *file = read_string(context, text, format);
  if (file) fail_msg("was read: %s", text);
  if (nsds_error(context) != NSDS_ERROR_FORMAT)
    fail_msg("status %d: %s", nsds_error(context), nsds_error_message(context));
  char place[64];
  snprintf(place, sizeof place, "text: %s, column ", line);
  assert_says(nsds_error_message(context), place, ": expected", expected, NULL);
  nsds_error_clear(context);
}

static void test_cases(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    m.largest = 0;
    refuse(context, cases[k].text, cases[k].format, cases[k].line, cases[k].expected);
    assert_true(m.largest < 4096);
  }
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
  printf("%zu texts refused\n", COUNT(cases));
}

/* Without a format given, the message is that of the format that came furthest. */
static void test_best_match(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    nsds_problem_file *file = read_string(context, cases[k].text, NSDS_FORMAT_AUTO);
    if (file) fail_msg("was read: %s", cases[k].text);
    assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
    nsds_error_clear(context);
  }
  refuse(context, "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\nx\n", NSDS_FORMAT_AUTO,
         "line 11", "(read as friction)");
  refuse(context, "1 1\n1\n1\n0 1 2\n0 1\n" D2 "1 2\n3 ?\n", NSDS_FORMAT_AUTO, "line 11",
         "(read as mlcp)");
  nsds_context_destroy(context);
}

/* The first words of a good text, one less than all or fewer, are refused. */
static void test_truncated(void **unused) {
  (void)unused;
  static const char *const good[] = {
      "3 0 3 3 3 3 4 2 0 1 5 -3 0 0 6 -1 2 -3",
      "3 1 3 3  4 2 2  1 3  1 3  3 4  0 2 4  0 1 0 1  0 4  1 1 0  2 2 0  3 5 -3 0 6 -1 2 -3",
      ("2 2 2 2 2\nb\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 9\ncol 0 : locations 0 to 0\n 1 : 2\n"
       "col 1 : locations 1 to 0\n -1 -2"),
      "1 1 1 1  0 1 2  0 1  0 2 2 2 2  1 2 3 4  -1 -2  1  4  3  2  -1  -2",
      "2 1  0 2 2 2 2  1 2 2 5  -1 0  0.5",
  };
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(good); ++k) {
    char text[512];
    strcpy(text, good[k]);
    nsds_problem_file_destroy(must_read(context, text, NSDS_FORMAT_AUTO));
    for (char *cut; (cut = strrchr(text, ' '));) {
      *cut = '\0';
      nsds_problem_file *file = read_string(context, text, NSDS_FORMAT_AUTO);
      if (file) fail_msg("was read: %s", text);
      nsds_problem_file_destroy(file);
      nsds_error_clear(context);
    }
  }
  nsds_context_destroy(context);
}

static void test_files(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  assert_null(nsds_problem_read(context, "no_such_file.dat", NSDS_FORMAT_AUTO));
  assert_int_equal(nsds_error(context), NSDS_ERROR_IO);
  assert_says(nsds_error_message(context), "no_such_file.dat", "cannot be opened", NULL);
  nsds_error_clear(context);
  assert_null(nsds_problem_read(context, ".", NSDS_FORMAT_AUTO));
  assert_int_equal(nsds_error(context), NSDS_ERROR_IO);
  nsds_error_clear(context);
  put_file("binary.dat", "3 0 3\0 3", 9);
  assert_null(nsds_problem_read(context, "binary.dat", NSDS_FORMAT_AUTO));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), "binary.dat", "byte 5 is NUL", NULL);
  nsds_error_clear(context);
  assert_null(nsds_problem_read(context, "/dev/zero", NSDS_FORMAT_AUTO));
  assert_true(nsds_error(context) != NSDS_OK);
  remove("binary.dat");
  nsds_context_destroy(context);
}

static void *at_most_a_mebibyte(size_t size, void *user) {
  (void)user;
  return size <= 1 << 20 ? malloc(size) : NULL;
}

static void give_back(void *memory, void *user) {
  (void)user;
  free(memory);
}

/* A file of ten gigabytes with this head and nothing else; false where there is no place for it. */
static bool put_huge_file(const char *path, const char *head, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  bool made = fwrite(head, 1, size, file) == size && fseek(file, 10000000000, SEEK_SET) == 0 &&
              fputc(0, file) == 0;
  return fclose(file) == 0 && made;
}

/* What a huge file is shows in its head: it is refused before the rest is read. */
static void huge_files_are_refused_at_their_head(void **unused) {
  (void)unused;
  static const char superblock[48] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n', 2, 8, 8};
  static const char newer[48] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n', 9};
  static const struct {
    const char *head;
    size_t size;
    nsds_format format;
    nsds_status status;
    const char *says;
  } huge[] = {{"", 0, NSDS_FORMAT_FCLIB, NSDS_ERROR_FORMAT, "expected an HDF5 file"},
              {newer, sizeof newer, NSDS_FORMAT_AUTO, NSDS_ERROR_FORMAT, "superblock"},
              {superblock, sizeof superblock, NSDS_FORMAT_AUTO, NSDS_ERROR_IO, "larger than"},
              {"3 0 3", 5, NSDS_FORMAT_AUTO, NSDS_ERROR_FORMAT, "byte 5 is NUL"},
              {"", 0, NSDS_FORMAT_AUTO, NSDS_ERROR_FORMAT, "byte 0 is NUL"}};
  for (size_t k = 0; k < COUNT(huge); ++k) {
    if (!put_huge_file("huge.dat", huge[k].head, huge[k].size)) {
      remove("huge.dat");
      skip(); /* no sparse files here */
    }
    nsds_context *context =
        nsds_context_create(&(nsds_context_def){.alloc = at_most_a_mebibyte, .release = give_back});
    assert_null(nsds_problem_read(context, "huge.dat", huge[k].format));
    assert_says(nsds_error_message(context), "huge.dat", huge[k].says, NULL);
    assert_int_equal(nsds_error(context), huge[k].status);
    nsds_context_destroy(context);
    remove("huge.dat");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cases),
      cmocka_unit_test(test_best_match),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_files),
      cmocka_unit_test(huge_files_are_refused_at_their_head),
  };
  return cmocka_run_group_tests_name("io.malformed", tests, NULL, NULL);
}
