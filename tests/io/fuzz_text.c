/*
 * Any bytes as a text of every format. Entry point of libFuzzer (script/fuzz), and of
 * mutation.c.
 */
#include "fuzz_judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t hdf5[] = {0x89, 'H', 'D', 'F'};
  for (int format = NSDS_FORMAT_AUTO; format <= NSDS_FORMAT_QPS; ++format) {
    if (format == NSDS_FORMAT_FCLIB) continue;
    if (format == NSDS_FORMAT_AUTO && size >= 4 && memcmp(data, hdf5, 4) == 0) continue;
    judge(data, size, (nsds_format)format);
  }
  return 0;
}
