/*
 * A story is a short program on the public API that can be told with one fault in it. It is made of
 * calls: the fault hits within one of them, that call fails, nothing has changed, the call is made
 * once more, and the story ends with the bits that it has without the fault.
 */
#ifndef NSDS_TEST_RELIABILITY_STORY_H
#define NSDS_TEST_RELIABILITY_STORY_H

#include "support.h"

/* Where the fault hits. */
typedef enum place {
  PLACE_NONE,
  PLACE_CONTEXT, /* the allocator of the context */
  PLACE_MALLOC,  /* malloc() itself, see interpose.h */
  PLACE_CALLBACK /* a function of the program that the library has called */
} place;

/* How a function of the program misbehaves. */
typedef enum misdeed {
  RETURNS_POSITIVE,
  RETURNS_NEGATIVE,
  WRITES_NAN,
  WRITES_INF,
  WRITES_MINUS_INF,
  WRITES_1E308,
  WRITES_MINUS_1E200,
  CHANGES_MODEL,
  misdeeds
} misdeed;

extern const char *const misdeed_name[misdeeds];

typedef struct fault {
  place where;
  long at;       /* the how manieth allocation or call, from 1 on */
  bool for_good; /* and every later allocation */
  misdeed how;
  int times; /* so many calls of functions in a row misbehave; 0: one */
} fault;

/* What may go wrong beyond a crash or a hang. */
typedef enum finding {
  FINDING_LEAK,       /* memory is still there after the end */
  FINDING_LOST_STATE, /* a call that failed has changed something */
  FINDING_NOT_FINITE, /* a call that succeeded has left something that is not finite */
  FINDING_OTHER_BITS, /* after the call was made once more */
  FINDING_STUCK,      /* a call that fails without a fault, or with the wrong status */
  FINDING_SILENT,     /* a call that fails without a message */
  findings
} finding;

extern const char *const finding_name[findings];

enum { story_most_marks = 4096 };

typedef struct scenario scenario;

typedef struct story {
  const scenario *scenario;
  fault fault;
  meter m;
  long hits_before; /* allocations or calls within the story's calls so far */
  bool hit;
  long strikes, strikes_before; /* calls of functions that misbehaved */
  bool polluted;                /* a call that was hit has succeeded: other bits are right */
  bool quiet;                   /* calls are made without the fault */
  bool by_last_message;         /* the call tells its failures by nsds_last_message() */
  bool over;                    /* memory is out for good, or the story cannot go on */
  nsds_context *context;
  nsds_model *model;
  nsds_simulation *simulation;
  /* the call in progress */
  bool pending, reading, changed, in_event, hit_before, building;
  int tries;
  nsds_status status; /* of the last call */
  long meter_before, steps_before;
  snapshot before;
  double time_before;
  /* what it has come to: hashes by place, 0 where there is none */
  uint64_t mark[story_most_marks];
  int marks;
  long found[findings];
  char text[400]; /* of the first finding */
} story;

struct scenario {
  const char *name;
  void (*tell)(story *s);
  const void *self; /* for tell() */
  long steps;       /* likewise: with the fault in one of them */
  long skipped;     /* before these, without */
  bool eventful;    /* samplers or events, which may fail behind a step that stays */
  bool foreign;     /* libraries beneath that do not survive a malloc() that fails */
};

/*
 * Makes a call that yields a status, once more where the fault has made it fail. The state is compared
 * before and after a failure. STORY_READ() is for calls that evaluate what is to be shown, before
 * which nothing can be looked at; STORY_BUILD() for those that leave half a model, which `again`
 * throws away.
 */
#define STORY(s, call) STORY_LOOP(s, false, call)
#define STORY_READ(s, call) STORY_LOOP(s, true, call)
#define STORY_LOOP(s, reads, call)                                                                 \
  for (story_start(s, reads); story_call(s);) story_returned(s, (call))

void story_start(story *s, bool reads);
bool story_call(story *s);
void story_returned(story *s, nsds_status status);

/* The status of a constructor. */
nsds_status story_made(const story *s, const void *object);

/* Makes context and model, and has `build` fill the model; all anew where that has failed. Returns
 * what the last build returned; NULL is a failure where the context has an error. */
typedef void (*story_build_fn)(story *s);
void story_build(story *s, story_build_fn build);
/* A context alone. */
void story_context(story *s);

/* Notes the present state under the number of steps, or a hash under the next place. */
void story_mark_state(story *s);
void story_mark(story *s, uint64_t hash);
void story_mark_doubles(story *s, const double *x, int n);

void story_find(story *s, finding what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Tells a scenario with a fault; compares with `undisturbed`, NULL: there is nothing yet. */
void story_tell(story *s, const scenario *what, fault with, const story *undisturbed);

/* What counts the calls of the program's functions and lets one misbehave, see callers.h; NULL where the
 * functions are called directly. */
typedef struct story_callers {
  void (*begin)(story *s);
  void (*end)(void);
  void (*forget)(void);
} story_callers;

extern const story_callers *callers_of_stories;

/* Steps until so many are made, or the end; marks each. */
void story_steps(story *s, long count);

#endif
