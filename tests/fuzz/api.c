/* The API fuzzer for libFuzzer: bytes are the source of all choices. The record tells what was done. */
#include "fuzz.h"

#include <sanitizer/common_interface_defs.h>
#include <stdio.h>

enum { MOST_CALLS = 400 };

static record text;

static void tell(void) { fprintf(stderr, "the calls were:\n%s\n", text.text); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  __sanitizer_set_death_callback(tell);
  choices_from_bytes(&text, data, size);
  run_chosen(MOST_CALLS);
  return 0;
}
