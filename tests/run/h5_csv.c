/*
 * h5_csv FILE FACT...: prints a table of nsds in HDF5 as the CSV that nsds would have written, read by libhdf5: the facts
 * in the given order, names with units, rows.
 */
#include <nsds/table.h>

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_columns = 64 };

typedef struct column {
  char name[256], unit[64];
  double *x;
  char **text;
  hsize_t rows;
} column;

static column columns[most_columns];
static int count;

static void must(long long fine, const char *what) {
  if (fine >= 0) return;
  fprintf(stderr, "h5_csv: %s\n", what);
  exit(1);
}

/* An attribute, as text; a number is printed. */
static void read_note(hid_t object, const char *name, char *text, size_t size) {
  hid_t id = H5Aopen(object, name, H5P_DEFAULT);
  must(id, name);
  hid_t type = H5Aget_type(id);
  if (H5Tget_class(type) == H5T_INTEGER) {
    unsigned long long value;
    must(H5Aread(id, H5T_NATIVE_ULLONG, &value), name);
    snprintf(text, size, "%llu", value);
  } else {
    must(H5Tget_size(type) <= size ? 0 : -1, name);
    must(H5Aread(id, type, text), name);
  }
  H5Tclose(type);
  H5Aclose(id);
}

static void read_column(hid_t file, const char *name) {
  char place[32];
  hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
  must(id, name);
  read_note(id, "column", place, sizeof place);
  column *c = &columns[atoi(place)];
  read_note(id, "name", c->name, sizeof c->name);
  read_note(id, "unit", c->unit, sizeof c->unit);
  hid_t space = H5Dget_space(id), type = H5Dget_type(id);
  must(H5Sget_simple_extent_dims(space, &c->rows, NULL), name);
  if (H5Tget_class(type) == H5T_FLOAT) {
    c->x = calloc(c->rows + 1, sizeof *c->x);
    must(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->x), name);
  } else {
    c->text = calloc(c->rows + 1, sizeof *c->text);
    must(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->text), name);
  }
  ++count;
}

static void print_word(const char *word, const char *unit) {
  const char *quote = strpbrk(word, ",\"") ? "\"" : "";
  fputs(quote, stdout);
  for (; *word; ++word) printf(*word == '"' ? "\"\"" : "%c", *word);
  if (unit[0]) printf(" [%s]", unit);
  fputs(quote, stdout);
}

int main(int argc, char **argv) {
  char text[4096];
  hid_t file = argc > 1 ? H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
  must(file, "no file");
  for (int k = 2; k < argc; ++k) {
    read_note(file, argv[k], text, sizeof text);
    printf("%s%s %s", k > 2 ? ", " : "# ", argv[k], text);
  }
  H5G_info_t info;
  must(H5Gget_info(file, &info), "columns");
  for (hsize_t k = 0; k < info.nlinks && k < most_columns; ++k) {
    must(H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, k, text, sizeof text,
                            H5P_DEFAULT),
         "a name");
    read_column(file, text);
  }
  for (int k = 0; k < count; ++k) {
    fputs(k ? "," : "\n", stdout);
    print_word(columns[k].name, columns[k].unit);
  }
  putchar('\n');
  for (hsize_t row = 0; row < columns[0].rows; ++row)
    for (int k = 0; k < count; ++k) {
      must(columns[k].rows == columns[0].rows ? 0 : -1, "columns of one length");
      if (columns[k].x) nsds_number_text(columns[k].x[row], text, sizeof text);
      if (columns[k].x) fputs(text, stdout);
      else print_word(columns[k].text[row], "");
      putchar(k + 1 < count ? ',' : '\n');
    }
  H5Fclose(file);
  return 0;
}
