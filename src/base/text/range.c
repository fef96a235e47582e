/* Ranges and sizes of the catalogue are texts that people read too, see range.h. */
#include "base/text/range.h"

#include "base/text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads the bound of a range behind its sign. Returns the text behind the bound. */
static const char *read_bound(const char *at, double *value) {
  at += strspn(at, "[(>=, ");
  bool negative = *at == '-', endless = strncmp(at + negative, "inf", 3) == 0;
  at += negative;
  *value = INFINITY;
  at += endless ? 3 : nsds_decimal_begin(at, value);
  if (negative) *value = -*value;
  return at;
}

bool nsds_range_has(const char *range, double value) {
  double least = -INFINITY, most = INFINITY;
  if (!range || !strchr("[(>", range[0])) return true;
  const char *rest = read_bound(range, &least);
  if (range[0] != '>') read_bound(rest, &most);
  bool open = range[0] == '(' || (range[0] == '>' && range[1] != '=');
  return (open ? value > least : value >= least) && value <= most;
}

bool nsds_range_is_endless(const char *range) { return range && strstr(range, ", inf]"); }

bool nsds_range_bounds(const char *range, double *least, double *most) {
  if (!range || range[0] != '[') return false;
  read_bound(read_bound(range, least), most);
  return true;
}

bool nsds_size_read(const char *size, int dimension, int *least, int *most) {
  const char *plane = strstr(size, "(plane: "), *other = strstr(size, " or ");
  if (size[0] < '0' || size[0] > '9') return false;
  *least = *most = atoi(dimension == 2 && plane ? plane + strlen("(plane: ") : size);
  if (other) *most = atoi(other + strlen(" or "));
  return true;
}
