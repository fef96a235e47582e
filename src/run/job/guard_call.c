/* Guards of public calls, see guard_call.h. */
#include "run/job/guard_call.h"

#include <nsds/extend.h>

nsds_status nsds_refuse_null(nsds_context *context, const char *call, const char *argument) {
  if (context && nsds_error(context)) return NSDS_ERROR_ARGUMENT;
  return nsds_report(context, NSDS_ERROR_ARGUMENT, "%s: %s is NULL", call, argument);
}

nsds_status nsds_refuse_reserved(nsds_context *context, const char *call, const uint64_t *word,
                                 size_t size) {
  for (int k = 0; k < (int)(size / sizeof *word); ++k)
    if (word[k])
      return nsds_report(context, NSDS_ERROR_ARGUMENT,
                         "%s: reserved[%d] is not zero; set all of the structure to zero", call, k);
  return NSDS_OK;
}
