#ifndef NSDS_SRC_TAG_H
#define NSDS_SRC_TAG_H

#include "kernel/modeling/modeling.h"

#include <string.h>

/* Copies a name and cuts it if too long; NULL: no name. */
static inline void nsds_tag_name(nsds_tag *tag, const char *name) {
  size_t n = 0;
  while (name && name[n] && n + 1 < sizeof tag->name) ++n;
  if (n > 0) memmove(tag->name, name, n); /* may be the name itself */
  tag->name[n] = '\0';
  nsds_plain_text(tag->name);
}

#endif
