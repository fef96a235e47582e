/*
 * Any bytes as a text: it is read or refused, a problem that was read is sound, memory stays in
 * proportion to the bytes, and none is left. Entry point of libFuzzer, and of test_mutation.c.
 *
 *   cmake -DCMAKE_C_COMPILER=clang -DNSDS_SANITIZE=address,undefined,fuzzer-no-link ...
 *   fuzz_text -max_len=4096 <folder of seeds>
 */
#include "problem_file.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A block of the problem may be announced with a word of two characters. */
enum { bytes_each = 64, bytes_always = 4096 };

static size_t live;
static size_t most;

static void *limited_alloc(size_t size, void *user) {
  (void)user;
  if (size > most) abort();
  ++live;
  return malloc(size);
}

static void limited_release(void *memory, void *user) {
  (void)user;
  --live;
  free(memory);
}

static void judge(nsds_context *context, const nsds_problem_file *file) {
  nsds_status status = nsds_error(context);
  if (file ? status != NSDS_OK : status != NSDS_ERROR_FORMAT) abort();
  if (file && nsds_problem_check(context, nsds_problem_file_problem(file))) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  live = 0;
  most = bytes_always + bytes_each * size;
  for (int format = NSDS_FORMAT_AUTO; format < NSDS_FORMAT_FCLIB; ++format) {
    nsds_context *context = nsds_context_create(
        &(nsds_context_def){.alloc = limited_alloc, .release = limited_release});
    nsds_problem_file *file =
        nsds_problem_read_memory(context, "fuzz", (const char *)data, size, (nsds_format)format);
    judge(context, file);
    nsds_problem_file_destroy(file);
    nsds_context_destroy(context);
    if (live != 0) abort();
  }
  return 0;
}
