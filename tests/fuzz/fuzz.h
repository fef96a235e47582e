/*
 * What all parts of the fuzzer of the API share. A world has three models with their objects: two in
 * one context, one in a context of its own. Calls take their objects and arguments from the world and
 * from choices.h. Callbacks misbehave when it is their turn, see misbehave().
 */
#ifndef NSDS_TEST_FUZZ_FUZZ_H
#define NSDS_TEST_FUZZ_FUZZ_H

#include "choices.h"

#include <nsds/nsds.h>

/* ---- exported functions, and how often each was called ---- */

typedef enum function_id {
#define X(name) F_##name,
#include "functions.inc"
#undef X
  function_count
} function_id;

extern const char *const function_names[function_count];
typedef struct tally {
  long good, failed;
} tally;
extern tally *tallies; /* function_count of them */

nsds_status noted_status(function_id f, nsds_status status);
void *noted_pointer(function_id f, const void *pointer);
double noted_number(function_id f, double value);
void noted_call(function_id f);

/* A call that returns a status, an object, a number, nothing. */
#define CALL(f, ...) noted_status(F_##f, f(__VA_ARGS__))
#define MAKE(f, ...) noted_pointer(F_##f, f(__VA_ARGS__))
#define READ(f, ...) noted_number(F_##f, (double)f(__VA_ARGS__))
#define DO(f, ...) (f(__VA_ARGS__), noted_call(F_##f))

/* schemes.c: for systems of this order, of a simulation or for one of them */
nsds_discretisation choose_scheme(int order, bool for_one);

/* ---- the world ---- */

typedef enum object_kind {
  SYSTEMS,
  RELATIONS,
  LAWS,
  INTERACTIONS,
  SETS,
  SIMULATIONS,
  kind_count
} object_kind;

typedef enum body_kind { ANY_SYSTEM, SPACE_BODY, PLANE_BODY } body_kind;

enum { MODELS = 3, SLOTS = 20, GONE = 8, SOLVERS = 4 };

/* An object of a model, in a slot that stays its own whatever else is made. */
typedef struct thing {
  void *object;   /* NULL: the slot is free */
  int ny;         /* relation: rows; law: rows of a copy */
  int order;      /* system, relation: 1 or 2; 3: mixed */
  int n;          /* relation: size of Q or X */
  body_kind body; /* of a system; relation: of the bodies it needs */
  bool shapes;    /* of a set: made by nsds_shapes() */
} thing;

typedef struct scene {
  nsds_context *context;
  nsds_model *model;
  nsds_plugin *plugin;
  thing things[kind_count][SLOTS];
  void *gone[kind_count][GONE]; /* handles of what was removed */
  int ngone[kind_count];
} scene;

typedef struct world {
  nsds_context *context; /* of the scenes but the last */
  scene scenes[MODELS];
  nsds_solver *solver[SOLVERS];
  nsds_solver *global;
  long allocated; /* pieces of memory that the contexts hold */
  int depth;      /* of callbacks that call the library */
  bool in_hook;   /* of an allocator or log handler */
  /* What the checks have to know of the call in progress: */
  bool changed;  /* a callback has changed something, or an event has failed */
  bool rewound;  /* a saved state was returned to */
  bool odd_hook; /* the allocator has failed */
} world;

extern world fuzz;

void world_create(void);
void world_destroy(void);
/* Makes the models of a scene anew; the old ones are gone. */
void scene_create(int k);
/* A file of this process, for snapshots and problems. */
const char *world_path(const char *suffix);

/* The object in the first occupied slot from one that is chosen; NULL: there is none. */
thing *any_thing(scene *s, object_kind k);
/* The same as an argument: now and then NULL, of another model, or no longer there. */
void *argument(scene *s, object_kind k);
/* The model of the scene; now and then NULL, or another one, whose scene *s then is. */
nsds_model *model_argument(scene **s);
/* Puts an object into a free slot; where there is none it stays in the model alone. */
void keep(scene *s, object_kind k, thing t);
/* Takes one out that was destroyed. */
void forget(scene *s, object_kind k, const void *object);
/* Status of a constructor. */
nsds_status made(const void *object);

/* ---- memory of arguments ---- */

/* Gone when the call is over, as the library copies what it is given. NULL where n values are too
 * many or too few. */
void *brief(size_t count, size_t size);
double *array(int n, double low, double high);
double *definite(int n); /* n x n, symmetric positive definite */
nsds_csc *sparse(int n, double diagonal);
const char *name(void);
/* Lives as long as the world. */
void *lasting(size_t size);
void release_brief(void);

/* ---- callbacks (callbacks.c, callbacks_first.c, own_types.c ...) ---- */

/* Numbers that a callback's functions need. */
typedef struct params {
  int ny, shift;
  struct {
    int n;
  } control, prescribed;
  double c[4];
} params;
params *params_make(int ny, int n);

/* At the end of every callback: when it is its turn, spoils `n` results or calls the library; returns
 * what an nsds_operator returns. */
int misbehave(double *out, int n);
/* The same with what an operation of a type of one's own returns. */
nsds_status misbehave_status(double *out, int n);
/* Whether the allocation in progress fails. */
bool allocation_fails(void);
/* Chooses when and how callbacks of the call to come misbehave; never, with `disarm`. */
void arm(void);
void disarm(void);
bool armed(void);

/* ---- calls (calls.c) ---- */

typedef struct call {
  const char *name;
  unsigned weight; /* how often, relative to the others */
  nsds_status (*make)(scene *s);
  int needs; /* a kind of object without which it does nothing; -1: none */
} call;

extern const call calls[];
extern const unsigned call_count;

/* Runs one call with its checks; NULL numbers: as chosen. */
void run_call(const call *c, const char *numbers);
/* A call out of a callback. */
void run_inside(void);
/* All of a run: from a generator or bytes until `most` calls are made or nothing is left. */
void run_chosen(unsigned most);
/* The calls of a text; false: a line has no call's name. */
bool run_text(const char *text);

/* ---- checks (checks.c) ---- */

/* Says what is wrong and aborts. */
void finding(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2), noreturn))
#endif
    ;
void check_before(void);
void check_after(const call *c, nsds_status status);
/* A small model gives what it gave before. */
void check_usable(void);

#endif
