/*
 * Tables in HDF5 files, read back by libhdf5: numbers bit for bit, texts, units, notes; names that HDF5 refuses; what is
 * refused. Numbers as text: the fewest digits that read back.
 */
#include "support.h"

#include <nsds/table.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_numbers(void **unused) {
  (void)unused;
  static const struct {
    double x;
    const char *text;
  } row[] = {{1e-6, "1e-06"},
             {0.1, "0.1"},
             {9.9999999999999995e-07, "1e-06"},
             {0.1 + 0.2, "0.30000000000000004"},
             {1.0 / 3.0, "0.3333333333333333"},
             {-0.0, "-0"},
             {12.0, "12"},
             {1e22, "1e+22"},
             {DBL_MAX, "1.7976931348623157e+308"},
             {DBL_TRUE_MIN, "4.94065645841247e-324"},
             {NAN, "nan"},
             {-NAN, "nan"},
             {INFINITY, "inf"},
             {-INFINITY, "-inf"}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char text[32];
    assert_int_equal(nsds_number_text(row[k].x, text, sizeof text), (int)strlen(row[k].text));
    assert_string_equal(text, row[k].text);
    double back = strtod(text, NULL);
    if (!isnan(row[k].x)) assert_memory_equal(&back, &row[k].x, sizeof back);
  }
  char small[4];
  assert_int_equal(nsds_number_text(0.125, small, sizeof small), 5);
  assert_string_equal(small, "0.1");
  assert_int_equal(nsds_number_text(0.125, NULL, 0), 5);
}

static const double numbers[3] = {1.0 / 3.0, NAN, -INFINITY};

static void test_refused(void **unused) {
  (void)unused;
  static const char path[] = "table_refused.h5", *const texts[3] = {"a", NULL, "c"};
  const nsds_table_column good = {.name = "x", .x = numbers};
  const nsds_table_column nameless = {.x = numbers}, empty = {.name = "x"},
                          hole = {.name = "x", .text = texts};
  const nsds_table_note twice[2] = {{.name = "a", .text = ""}, {.name = "a", .number = 1}};
  const nsds_table_note unnamed = {.name = ""};
  const struct {
    nsds_table_def def;
    nsds_status status;
    const char *says;
  } row[] = {
      {{.nrows = -1}, NSDS_ERROR_SIZE, "nrows is -1"},
      {{.ncolumns = 1}, NSDS_ERROR_ARGUMENT, "columns is NULL"},
      {{.nnotes = 1}, NSDS_ERROR_ARGUMENT, "notes is NULL"},
      {{.nrows = 3, .ncolumns = 1, .columns = &nameless},
       NSDS_ERROR_ARGUMENT,
       "columns[0] has no name"},
      {{.nrows = 3, .ncolumns = 1, .columns = &empty}, NSDS_ERROR_ARGUMENT, "neither x nor text"},
      {{.nrows = 3, .ncolumns = 1, .columns = &hole}, NSDS_ERROR_ARGUMENT, "a text that is NULL"},
      {{.nnotes = 2, .notes = twice}, NSDS_ERROR_ARGUMENT, "notes[1] has the name of another one"},
      {{.nnotes = 1, .notes = &unnamed}, NSDS_ERROR_ARGUMENT, "notes[0] has no name"},
  };
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    nsds_error_clear(context);
    assert_int_equal(nsds_table_write(context, &row[k].def, path), row[k].status);
    assert_non_null(strstr(nsds_error_message(context), row[k].says));
  }
  const nsds_table_def def = {.nrows = 3, .ncolumns = 1, .columns = &good};
  nsds_error_clear(context);
  assert_int_equal(nsds_table_write(context, NULL, path), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_int_equal(nsds_table_write(context, &def, NULL), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_int_equal(nsds_table_write(NULL, &def, path), NSDS_ERROR_ARGUMENT);
  FILE *none = fopen(path, "rb");
  assert_null(none);
  nsds_status status = nsds_table_write(context, &def, "no_folder/table.h5");
  assert_int_equal(status, NSDS_HAVE_HDF5 ? NSDS_ERROR_IO : NSDS_ERROR_UNSUPPORTED);
  nsds_context_destroy(context);
}

#if NSDS_HAVE_HDF5

#include <hdf5.h>

static const char *const texts[3] = {"", "e is 2; \xc3\xbc", "a longer text, with a comma"};

static nsds_status write_sample(nsds_context *context, const char *path) {
  static const nsds_table_column column[] = {{.name = "t", .unit = "s", .x = numbers},
                                             {.name = "v(a/b)", .unit = "V", .x = numbers},
                                             {.name = "v(a_b)", .x = numbers},
                                             {.name = ".", .x = numbers},
                                             {.name = "", .x = numbers},
                                             {.name = "t", .unit = "ms", .x = numbers},
                                             {.name = "error", .unit = "", .text = texts}};
  static const nsds_table_note note[] = {{.name = "nsds", .text = "0.0"},
                                         {.name = "seed", .number = UINT64_MAX}};
  return nsds_table_write(
      context,
      &(nsds_table_def){.nrows = 3, .ncolumns = 7, .columns = column, .nnotes = 2, .notes = note},
      path);
}

static void check_note(hid_t object, const char *name, const char *wanted) {
  char text[64];
  hid_t id = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(id);
  assert_true(id >= 0 && H5Tget_size(type) <= sizeof text && H5Aread(id, type, text) >= 0);
  assert_string_equal(text, wanted);
  H5Tclose(type);
  H5Aclose(id);
}

static uint64_t note_number(hid_t object, const char *name) {
  uint64_t value = 0;
  hid_t id = H5Aopen(object, name, H5P_DEFAULT);
  assert_true(id >= 0 && H5Aread(id, H5T_NATIVE_UINT64, &value) >= 0);
  H5Aclose(id);
  return value;
}

static void test_read_back(void **unused) {
  (void)unused;
  static const char path[] = "table_written.h5", again[] = "table_again.h5";
  static const struct {
    const char *set, *name, *unit;
  } column[] = {{"t", "t", "s"},       {"v(a_b)", "v(a/b)", "V"}, {"v(a_b)_2", "v(a_b)", ""},
                {"column_3", ".", ""}, {"column_4", "", ""},      {"t_5", "t", "ms"}};
  nsds_context *context = nsds_context_create(NULL);
  assert_int_equal(write_sample(context, path), NSDS_OK);
  assert_int_equal(write_sample(context, again), NSDS_OK);
  size_t size, size_again;
  char *bytes = get_file(path, &size), *bytes_again = get_file(again, &size_again);
  assert_int_equal(size, size_again);
  assert_memory_equal(bytes, bytes_again, size);
  free(bytes);
  free(bytes_again);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  check_note(file, "nsds", "0.0");
  assert_true(note_number(file, "seed") == UINT64_MAX);
  for (int k = 0; k < 6; ++k) {
    double x[3];
    hid_t set = H5Dopen2(file, column[k].set, H5P_DEFAULT);
    assert_true(set >= 0);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    assert_memory_equal(x, numbers, sizeof x);
    check_note(set, "name", column[k].name);
    check_note(set, "unit", column[k].unit);
    assert_int_equal((int)note_number(set, "column"), k);
    H5Dclose(set);
  }
  char *read[3];
  hid_t set = H5Dopen2(file, "error", H5P_DEFAULT), type = H5Dget_type(set);
  assert_true(H5Tis_variable_str(type) > 0 && H5Tget_cset(type) == H5T_CSET_UTF8);
  assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) >= 0);
  for (int k = 0; k < 3; ++k) {
    assert_string_equal(read[k], texts[k]);
    H5free_memory(read[k]);
  }
  H5Tclose(type);
  H5Dclose(set);
  H5Fclose(file);
  assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
  nsds_context_destroy(context);
  remove(path);
  remove(again);
}

static bool write_or_not(nsds_context *context, const void *path) {
  nsds_status status = write_sample(context, path);
  if (status) assert_int_equal(status, NSDS_ERROR_MEMORY);
  return !status;
}

static void test_memory(void **unused) {
  (void)unused;
  static const char path[] = "table_memory.h5";
  sweep_faults(write_or_not, path);
  remove(path);
}

/* A table without rows, and one without columns. */
static void test_empty(void **unused) {
  (void)unused;
  static const char path[] = "table_empty.h5";
  const nsds_table_column column = {.name = "x"};
  nsds_context *context = nsds_context_create(NULL);
  assert_int_equal(nsds_table_write(context, &(nsds_table_def){.nrows = 5}, path), NSDS_OK);
  assert_int_equal(
      nsds_table_write(context, &(nsds_table_def){.ncolumns = 1, .columns = &column}, path),
      NSDS_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "x", H5P_DEFAULT);
  hid_t space = H5Dget_space(set);
  assert_int_equal((int)H5Sget_simple_extent_npoints(space), 0);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
  nsds_context_destroy(context);
  remove(path);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_numbers),
    cmocka_unit_test(test_refused),
#if NSDS_HAVE_HDF5
    cmocka_unit_test(test_read_back),
    cmocka_unit_test(test_memory),
    cmocka_unit_test(test_empty),
#endif
  };
  return cmocka_run_group_tests_name("io.table", tests, NULL, NULL);
}
