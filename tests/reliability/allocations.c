/*
 * Every allocation of every scenario fails: once, after which the call is made once more and the bits are
 * those of the undisturbed story; and from then on, after which everything is still freed. The
 * allocator is that of the context, and malloc() itself where it can be replaced.
 */
#include "campaign.h"

static fault fault_of(int kind, long at) {
  return (fault){.where = kind < 2 ? PLACE_CONTEXT : PLACE_MALLOC, .at = at, .for_good = kind % 2};
}

static const char *text_of(int kind) {
  static const char *const text[] = {"the context's allocator fails once",
                                     "the context's allocator fails from then on",
                                     "malloc() fails once", "malloc() fails from then on"};
  return text[kind];
}

int main(int argc, char **argv) {
#ifdef NSDS_TEST_INTERPOSE
  enum { kinds = 4 };
#else
  enum { kinds = 2 };
#endif
  static const campaign c = {"allocations", "points", kinds, fault_of, text_of, 12};
  return campaign_main(&c, argc, argv);
}
