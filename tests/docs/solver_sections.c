/*
 * What a document says of the solvers, from their table:
 *
 *     solver_sections DOCUMENT OUT
 *
 * copies the document and writes anew what stands between the lines
 *
 *     <!-- table: NAME -->   and   <!-- end -->
 *
 * where NAME is that of a solver (its heading, what it accepts, its options), "methods" (one line
 * for each) or "options" (those that all have). A solver without a part of its own gets one before
 * the line <!-- table: new -->. Fails when the copy differs from the document, when a part is of no
 * solver, and when a solver's part is not followed by a text.
 */
#include <nsds/solver.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_line = 4096, most_solvers = 64 };

typedef struct bit_name {
  unsigned bit;
  const char *name;
} bit_name;

static const bit_name sets[] = {
    {NSDS_SET_EQUALITY, "equality"}, {NSDS_SET_NONNEGATIVE, "nonnegative"},
    {NSDS_SET_BOX, "box"},           {NSDS_SET_DISC, "disc"},
    {NSDS_SET_CONE, "cone"},         {NSDS_SET_COULOMB, "Coulomb"},
    {NSDS_SET_ROLLING, "rolling"},   {NSDS_SET_POLYHEDRON, "polyhedron"},
};

static const bit_name storages[] = {
    {NSDS_DENSE, "dense"},
    {NSDS_CSC, "compressed columns"},
    {NSDS_FACTORED, "factored"},
    {NSDS_BLOCK_ROWS, "block rows"},
};

enum { set_count = sizeof sets / sizeof *sets, storage_count = sizeof storages / sizeof *storages };

/* ---- what is written ---- */

/* Text in a cell of a table: "|" would end it. */
static void put_text(FILE *out, const char *text) {
  for (; *text; ++text) {
    if (*text == '|') fputc('\\', out);
    fputc(*text, out);
  }
}

static void put_bits(FILE *out, unsigned bits, const bit_name *names, int count) {
  unsigned all = 0;
  const char *before = "";
  for (int k = 0; k < count; ++k) all |= names[k].bit;
  if ((bits & all) == all) {
    fputs("all", out);
    return;
  }
  for (int k = 0; k < count; ++k) {
    if (!(bits & names[k].bit)) continue;
    fprintf(out, "%s%s", before, names[k].name);
    before = ", ";
  }
}

static bool same_option(const nsds_option *a, const nsds_option *b) {
  return strcmp(a->name, b->name) == 0 && strcmp(a->help, b->help) == 0 &&
         strcmp(a->unit, b->unit) == 0 && a->default_value == b->default_value &&
         a->min == b->min && a->max == b->max;
}

/* tolerance, time_limit: the same in every row. */
static bool is_common(const nsds_option *option) {
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k) {
    const nsds_option *o = nsds_solver_table(k)->option;
    while (o->name && !same_option(o, option)) ++o;
    if (!o->name) return false;
  }
  return true;
}

static void put_options(FILE *out, const nsds_solver_row *row, bool common) {
  fprintf(out, "| option | default | from | to | unit | |\n|---|---|---|---|---|---|\n");
  for (const nsds_option *o = row->option; o->name; ++o) {
    if (is_common(o) != common) continue;
    fprintf(out, "| `%s` | %g | %g | %g | %s | ", o->name, o->default_value, o->min, o->max,
            o->unit);
    put_text(out, o->help);
    fprintf(out, " |\n");
  }
}

static void put_solver(FILE *out, const nsds_solver_row *row) {
  fprintf(out, "### %s\n\n%s\n\n- source: %s\n- sets: ", row->name, row->summary, row->reference);
  put_bits(out, row->sets, sets, set_count);
  fprintf(out, "\n- storages: ");
  put_bits(out, row->storages, storages, storage_count);
  fprintf(out, "\n\n");
  put_options(out, row, false);
}

static void put_methods(FILE *out) {
  const nsds_solver_row *row;
  fprintf(out, "| method |");
  for (int k = 0; k < set_count; ++k) fprintf(out, " %s |", sets[k].name);
  fprintf(out, " storages |\n|---|");
  for (int k = 0; k <= set_count; ++k) fprintf(out, "---|");
  for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r) {
    fprintf(out, "\n| [%s](#%s) |", row->name, row->name);
    for (int k = 0; k < set_count; ++k) fprintf(out, row->sets & sets[k].bit ? " × |" : " |");
    fputc(' ', out);
    put_bits(out, row->storages, storages, storage_count);
    fprintf(out, " |");
  }
  fputc('\n', out);
}

/* ---- the document ---- */

static bool seen[most_solvers];
static int mistakes;

static int find_solver(const char *name) {
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k)
    if (strcmp(nsds_solver_table(k)->name, name) == 0) return k;
  return -1;
}

static void put_part(FILE *out, const char *name) {
  int k = find_solver(name);
  if (strcmp(name, "methods") == 0) put_methods(out);
  else if (strcmp(name, "options") == 0) put_options(out, nsds_solver_table(0), true);
  else if (k >= 0) {
    put_solver(out, nsds_solver_table(k));
    if (seen[k]) printf("two parts for the solver %s\n", name);
    mistakes += seen[k];
    seen[k] = true;
  } else {
    printf("a part for \"%s\", which is no solver\n", name);
    ++mistakes;
  }
}

/* Solvers without a part. */
static void put_new(FILE *out) {
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k) {
    if (seen[k]) continue;
    const char *name = nsds_solver_table(k)->name;
    printf("no part for the solver %s\n", name);
    ++mistakes;
    fprintf(out, "<!-- table: %s -->\n", name);
    put_part(out, name);
    fprintf(out, "<!-- end -->\n\n");
  }
}

/* NAME of the line "<!-- table: NAME -->"; the line is cut behind it. */
static const char *part_name(char *line) {
  static const char head[] = "<!-- table: ";
  char *end = strstr(line, " -->");
  if (strncmp(line, head, sizeof head - 1) != 0 || !end) return NULL;
  *end = '\0';
  return line + sizeof head - 1;
}

static bool skip_part(FILE *in) {
  char line[most_line];
  while (fgets(line, sizeof line, in))
    if (strcmp(line, "<!-- end -->\n") == 0) return true;
  return false;
}

/* A part or heading begins: the solver whose part came last needs a text before it. */
static void require_text(const char *solver) {
  if (!solver) return;
  printf("nothing said of the solver %s behind its part\n", solver);
  ++mistakes;
}

static bool copy_document(FILE *in, FILE *out) {
  char line[most_line], copy[most_line];
  const char *silent = NULL; /* the solver of the last part, until a text follows */
  while (fgets(line, sizeof line, in)) {
    strcpy(copy, line);
    const char *name = part_name(copy);
    if (name || line[0] == '#') require_text(silent);
    if (line[0] != '\n') silent = NULL;
    bool new_parts = name && strcmp(name, "new") == 0;
    if (new_parts) put_new(out);
    fputs(line, out);
    if (!name || new_parts) continue;
    int k = find_solver(name);
    silent = k >= 0 ? nsds_solver_table(k)->name : NULL;
    put_part(out, name);
    fputs("<!-- end -->\n", out);
    if (!skip_part(in)) return false;
  }
  return true;
}

static bool same_files(const char *a, const char *b) {
  FILE *fa = fopen(a, "r"), *fb = fopen(b, "r");
  bool same = fa && fb;
  for (int c = 0; same && c != EOF;) {
    c = getc(fa);
    same = c == getc(fb);
  }
  if (fa) fclose(fa);
  if (fb) fclose(fb);
  return same;
}

int main(int argc, char **argv) {
  if (argc != 3) return EXIT_FAILURE;
  FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
  bool whole = in && out && copy_document(in, out);
  if (in) fclose(in);
  if (!out || fclose(out) != 0 || !whole) {
    remove(argv[2]);
    printf("cannot copy %s, or a part of it has no end\n", argv[1]);
    return EXIT_FAILURE;
  }
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k)
    if (!seen[k]) ++mistakes; /* nor a place for it */
  if (!same_files(argv[1], argv[2])) {
    printf("%s is not what the table of solvers says: build the target solver_sections, read it, "
           "and say of new solvers when to use them\n",
           argv[1]);
    ++mistakes;
  }
  return mistakes ? EXIT_FAILURE : EXIT_SUCCESS;
}
