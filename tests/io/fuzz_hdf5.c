/*
 * Any bytes as an FCLIB file. Entry point of libFuzzer (script/fuzz).
 */
#include "fuzz_judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  judge(data, size, NSDS_FORMAT_FCLIB);
  return 0;
}
