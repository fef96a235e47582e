/*
 * A name is near another one if they agree but for two letters in a row, or two neighbors that are
 * swapped. More than half of the letters must agree, or letters are added: "diod" is near "diode",
 * but "a" is not near "b". Names with different digits are never near: "x2" is not a slip for "x1".
 */
#include "base/text/name_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const size_t many = 1000; /* letters */

/* Tells if two words have the same digits, in their order. */
static bool same_digits(const char *a, const char *b) {
  const char *digits = "0123456789";
  for (;; ++a, ++b) {
    a += strcspn(a, digits);
    b += strcspn(b, digits);
    if (*a != *b || !*a) return *a == *b;
  }
}

/* Letters that two words differ in between their common ends; swapped ones count as one, other
 * numbers as many. */
static size_t letters_off(const char *a, const char *b) {
  if (!same_digits(a, b)) return many;
  for (; *a && *a == *b; ++a) ++b;
  size_t la = strlen(a), lb = strlen(b);
  for (; la > 0 && lb > 0 && a[la - 1] == b[lb - 1]; --la) --lb;
  if (la == 2 && lb == 2 && a[0] == b[1] && a[1] == b[0]) return 1;
  return la > lb ? la : lb;
}

void nsds_name_list_begin(nsds_name_list *list, const char *asked) {
  *list = (nsds_name_list){.asked = asked, .most = nsds_most_listed, .names = "none"};
}

void nsds_list_word(char *text, size_t size, const char *word) {
  size_t used = strlen(text);
  if (used + strlen(word) + 8 < size)
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", word);
  else if (used + 6 < size && (used < 3 || strcmp(text + used - 3, "...") != 0))
    snprintf(text + used, size - used, ", ...");
}

/* Counts letters by which a name differs from a near name; `many` if it is not near. */
static size_t near_by(const char *name, const char *asked) {
  size_t off = letters_off(name, asked), a = strlen(name), b = strlen(asked);
  size_t longer = a > b ? a : b, shorter = a > b ? b : a;
  bool too_far = 2 * off >= longer && off > longer - shorter; /* "ee" is near "e" */
  return off > 2 || too_far ? many : off;
}

int nsds_name_nearest(const char *asked, int count, const char *const *names) {
  size_t least = many;
  int nearest = -1;
  for (int k = 0; asked && names && k < count; ++k) {
    size_t off = names[k] ? near_by(names[k], asked) : many;
    if (off >= least) continue;
    least = off;
    nearest = k;
  }
  return nearest;
}

void nsds_name_list_add(nsds_name_list *list, const char *name) {
  if (list->count++ == 0) list->names[0] = '\0';
  if (list->count <= list->most) nsds_list_word(list->names, sizeof list->names, name);
  else if (list->count == list->most + 1) nsds_list_word(list->names, sizeof list->names, "...");
  size_t off = near_by(name, list->asked);
  if (off == many || (list->did_you_mean[0] && off >= list->off)) return;
  list->off = off;
  snprintf(list->did_you_mean, sizeof list->did_you_mean, ", did you mean \"%.80s\"?", name);
}
