/* All golden scenes, in one list. */
#include "golden.h"

const golden *golden_at(int k) {
  const golden *const group[] = {golden_bundled, golden_second,  golden_first, golden_sets,
                                 golden_events,  golden_schemes, golden_calls, golden_adaptive};
  const int count[] = {golden_bundled_count, golden_second_count,  golden_first_count,
                       golden_sets_count,    golden_events_count,  golden_schemes_count,
                       golden_calls_count,   golden_adaptive_count};
  for (int g = 0; g < 8; k -= count[g++])
    if (k < count[g]) return &group[g][k];
  return NULL;
}
