/* nsds solvers: the table of solvers, with the problems and options of each. */
#include "command.h"

#include <string.h>

typedef struct bit_name {
  unsigned bit;
  const char *name;
} bit_name;

static const bit_name sets[] = {
    {NSDS_SET_EQUALITY, "equality"}, {NSDS_SET_NONNEGATIVE, "nonnegative"},
    {NSDS_SET_BOX, "box"},           {NSDS_SET_DISC, "disc"},
    {NSDS_SET_CONE, "cone"},         {NSDS_SET_COULOMB, "coulomb"},
    {NSDS_SET_ROLLING, "rolling"},   {NSDS_SET_POLYHEDRON, "polyhedron"},
};

static const bit_name storages[] = {
    {NSDS_DENSE, "dense"},
    {NSDS_CSC, "compressed columns"},
    {NSDS_FACTORED, "factored"},
    {NSDS_BLOCK_ROWS, "block rows"},
};

static void print_bits(const char *title, unsigned bits, const bit_name *names, int count) {
  const char *before = title;
  for (int k = 0; k < count; ++k) {
    if (!(bits & names[k].bit)) continue;
    printf("%s%s", before, names[k].name);
    before = ", ";
  }
  putchar('\n');
}

static void print_option(const nsds_option *option) {
  printf("    %-20s %-8g from %g to %g", option->name, option->default_value, option->min,
         option->max);
  if (option->unit[0] != '1') printf(" %s", option->unit);
  printf("; %s\n", option->help);
}

static void print_solver(const nsds_solver_row *row, const char *note) {
  printf("%s%s\n  %s\n  source: %s\n", row->name, note, row->summary, row->reference);
  print_bits("  sets: ", row->sets, sets, (int)(sizeof sets / sizeof *sets));
  print_bits("  storages: ", row->storages, storages, (int)(sizeof storages / sizeof *storages));
  printf("  options (name, default, limits):\n");
  for (const nsds_option *option = row->option; option->name; ++option) print_option(option);
}

int command_solvers(int count, char **words) {
  if (count == 1 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0))
    return print_help("solvers");
  if (count > 0)
    return usage_error("nsds solvers", "takes no words, but there is \"%s\"", words[0]);
  const nsds_solver_row *row;
  for (int k = 0; (row = nsds_solver_table(k)); ++k) {
    if (k > 0) putchar('\n');
    print_solver(row, row->global ? " (global problems)" : "");
  }
  return exit_good;
}
