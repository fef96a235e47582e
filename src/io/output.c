/* Files of writers outside of the library, see nsds_output in nsds/extend.h; new_file.h does the work. */
#include "base/base.h"
#include "base/context.h"
#include "base/new_file.h"

#include <nsds/extend.h>

struct nsds_output {
  nsds_new_file of;
  char path[]; /* of.path */
};

nsds_output *nsds_output_open(nsds_context *context, const char *call, const char *path) {
  if (!context || !path || !call) {
    nsds_fail_null(context, "nsds_output_open", !context ? "context" : path ? "call" : "path");
    return NULL;
  }
  if (nsds_check_hook(context, "nsds_output_open")) return NULL;
  size_t size = strlen(path) + 1;
  nsds_output *output = nsds_alloc(context, "a file that is written", 1, sizeof *output + size);
  if (!output) return NULL;
  memcpy(output->path, path, size);
  if (nsds_new_file_open_anywhere(&output->of, context, call[0] ? call : NULL, output->path)) {
    nsds_release(context, output);
    return NULL;
  }
  return output;
}

FILE *nsds_output_stream(const nsds_output *output) { return output ? output->of.file : NULL; }

nsds_status nsds_output_close(nsds_output *output, bool complete) {
  if (!output) return nsds_fail_null(NULL, "nsds_output_close", "output");
  nsds_context *context = output->of.context;
  nsds_status status = nsds_new_file_close(&output->of, complete);
  nsds_release(context, output);
  return status;
}
