#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FILE *output_open(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == '-') {
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    fprintf(
        stderr,
        "usage: %s [FILE.csv ...]; without a file to standard output; examples/%s.c says more\n",
        name, name);
    exit(strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ? 0 : 2);
  }
  FILE *out = argc > 1 ? fopen(argv[1], "w") : stdout;
  if (out) return out;
  perror(argv[1]);
  exit(1);
}

bool output_end(FILE *out) {
  bool written = fflush(out) == 0 && !ferror(out);
  if (out != stdout && fclose(out) != 0) written = false;
  if (!written) fprintf(stderr, "the table could not be written: %s\n", strerror(errno));
  return written;
}

nsds_vtk *output_series(int argc, char **argv, nsds_model *model) {
  char stem[1024];
  if (argc < 2) return NULL;
  const char *dot = strrchr(argv[1], '.'), *slash = strrchr(argv[1], '/');
  bool ends = dot && (!slash || dot > slash + 1);
  snprintf(stem, sizeof stem, "%.*s", ends ? (int)(dot - argv[1]) : (int)strlen(argv[1]), argv[1]);
  return nsds_vtk_create(nsds_model_context(model), &(nsds_vtk_def){.path = stem});
}

bool output_frame(nsds_vtk *series, nsds_model *model, double t) {
  return !series || nsds_write_vtk(series, model, t) == NSDS_OK;
}

int output_close(FILE *out, nsds_model *model, nsds_status status) {
  if (status >= 0) status = nsds_error(nsds_model_context(model)) ? NSDS_ERROR_IO : status;
  if (status < 0) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  bool written = output_end(out);
  return status == NSDS_END && written ? 0 : 1;
}
