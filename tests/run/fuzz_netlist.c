/*
 * Any bytes as a netlist. Entry point of libFuzzer (script/fuzz), and of netlist_mutation.c. A netlist that is refused
 * has a message with file and line; one that is read has columns, a first row of finite numbers or NaN, and is freed.
 */
#include <nsds/run.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (memchr(data, '\0', size)) return 0;
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "fuzz.cir", .text = text, .kind = NSDS_JOB_CIRCUIT});
  const char *message = nsds_error_message(context);
  if (!job && strncmp(message, "fuzz.cir:", 9) != 0 && nsds_error(context) != NSDS_ERROR_MEMORY) {
    fprintf(stderr, "no place in: %s\n", message);
    abort();
  }
  if (job && (nsds_job_column_count(job) < 1 || !nsds_job_row(job))) abort();
  for (int k = 0; job && k < nsds_job_column_count(job); ++k)
    if (!nsds_job_column_name(job, k)[0]) abort();
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  free(text);
  return 0;
}
