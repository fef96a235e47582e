/* Files of writers outside of the library, see nsds_output in nsds/extend.h; new_file.h does the work. */
#include "base/base.h"
#include "base/context.h"
#include "base/new_file.h"

#include <nsds/extend.h>

struct nsds_output {
  nsds_new_file of;
  char path[]; /* of.path */
};

nsds_status nsds_output_open(nsds_context *context, const char *call, const char *path,
                             nsds_output **output) {
  const char *own = "nsds_output_open";
  if (output) *output = NULL;
  if (!context || !path || !call || !output)
    return nsds_fail_null(context, own,
                          !context ? "context"
                          : !path  ? "path"
                          : call   ? "output"
                                   : "call");
  if (nsds_check_hook(context, own)) return NSDS_ERROR_STATE;
  size_t size = strlen(path) + 1;
  nsds_output *made = nsds_alloc(context, "a file that is written", 1, sizeof *made + size);
  if (!made) return NSDS_ERROR_MEMORY;
  memcpy(made->path, path, size);
  nsds_status status =
      nsds_new_file_open_anywhere(&made->of, context, call[0] ? call : NULL, made->path);
  if (status) nsds_release(context, made);
  else *output = made;
  return status;
}

FILE *nsds_output_stream(const nsds_output *output) { return output ? output->of.file : NULL; }

nsds_status nsds_output_close(nsds_output *output, bool complete) {
  if (!output) return nsds_fail_null(NULL, "nsds_output_close", "output");
  nsds_context *context = output->of.context;
  if (nsds_check_hook(context, "nsds_output_close")) return NSDS_ERROR_STATE;
  nsds_status status = nsds_new_file_close(&output->of, complete);
  nsds_release(context, output);
  return status;
}
