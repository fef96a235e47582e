/*
 * A name is near another one if they agree but for two letters in a row, or two neighbors that are swapped. More than
 * half of the letters must agree, or letters are added: "diod" is near "diode", but "a" is not near "b". Names with
 * different digits are never near: "x2" is not a slip for "x1".
 */
#include "run/name_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Tells if two words have the same digits, in their order. */
static bool same_digits(const char *a, const char *b) {
  const char *digits = "0123456789";
  for (;; ++a, ++b) {
    a += strcspn(a, digits);
    b += strcspn(b, digits);
    if (*a != *b || !*a) return *a == *b;
  }
}

/* Letters that two words differ in between their common ends; swapped ones count as one, other numbers as many. */
static size_t letters_off(const char *a, const char *b) {
  const size_t many = 1000;
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

void nsds_name_list_add(nsds_name_list *list, const char *name) {
  if (list->count++ == 0) list->names[0] = '\0';
  if (list->count <= list->most) nsds_list_word(list->names, sizeof list->names, name);
  else if (list->count == list->most + 1) nsds_list_word(list->names, sizeof list->names, "...");
  size_t off = letters_off(name, list->asked), a = strlen(name), b = strlen(list->asked);
  size_t longer = a > b ? a : b, shorter = a > b ? b : a;
  bool too_far = 2 * off >= longer && off > longer - shorter; /* "ee" is near "e" */
  if (off > 2 || too_far || (list->did_you_mean[0] && off >= list->off)) return;
  list->off = off;
  snprintf(list->did_you_mean, sizeof list->did_you_mean, ", did you mean \"%.80s\"?", name);
}
