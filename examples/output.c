#include "output.h"

#include <stdlib.h>

FILE *output_open(int argc, char **argv) {
  FILE *out = argc > 1 ? fopen(argv[1], "w") : stdout;
  if (out) return out;
  perror(argv[1]);
  exit(1);
}

int output_close(FILE *out, nsds_model *model, nsds_status status) {
  if (status < 0) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  bool written = out == stdout || fclose(out) == 0;
  return status == NSDS_END && written ? 0 : 1;
}
