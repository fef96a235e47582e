/* The near names that the readers know, for programs. */
#include "base/text/name_list.h"

#include <nsds/run.h>

int nsds_nearest_name(const char *asked, int count, const char *const *names) {
  return nsds_name_nearest(asked, count, names);
}
