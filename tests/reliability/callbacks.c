/*
 * Every call of a function of the program misbehaves in each of eight ways: the call of the library that
 * needed it fails and changes nothing, or succeeds with a state that is finite; made once more, it
 * gives the bits of the undisturbed story.
 */
#include "callers.h"
#include "campaign.h"

static fault fault_of(int kind, long at) {
  return (fault){.where = PLACE_CALLBACK, .at = at, .how = (misdeed)kind};
}

static const char *text_of(int kind) { return misdeed_name[kind]; }

int main(int argc, char **argv) {
  static const campaign c = {"callbacks", "faults", misdeeds, fault_of, text_of, 4};
  callers_of_stories = &callers;
  return campaign_main(&c, argc, argv);
}
