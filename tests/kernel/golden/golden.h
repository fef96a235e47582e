/*
 * Scenes whose bits are compared, with a stored table or between two builds. Each scene has two
 * hashes: of the motion, and of the values that are reported beside it.
 */
#ifndef NSDS_TEST_KERNEL_GOLDEN_H
#define NSDS_TEST_KERNEL_GOLDEN_H

#include <nsds/nsds.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct golden {
  const char *name;
  long steps;
  /* Fills the model; errors stay in its context. */
  nsds_simulation *(*make)(nsds_model *model, const struct golden *scene);
  /* Called before each step, from 0 on; may be NULL. */
  nsds_status (*before)(nsds_model *model, nsds_simulation *simulation, long step);
  void (*done)(void);         /* frees what make() took besides the model; may be NULL */
  nsds_time_stepping_def def; /* for scenes that leave the end of the interval to golden_start() */
  bool machine; /* the last bits depend on the machine's BLAS or libm, see golden_machine() */
  int n;        /* a size or a kind, for make() */
  double p[2];  /* parameters, for make() */
} golden;

/* Starts the simulation of scene->def, to an end that lies behind the last step if it has none. */
nsds_simulation *golden_start(nsds_model *model, const golden *scene);

/* The contact set of a scene, which make() puts here, and the rows of its law. */
typedef struct golden_contacts {
  nsds_contact_set *set; /* NULL: none */
  int rows;
} golden_contacts;
extern golden_contacts golden_found;

/* Scenes by file: golden_bundled.c has those of the examples and of the other tests; the others
 * exist for the sake of this comparison. */
extern const golden golden_bundled[], golden_second[], golden_first[], golden_sets[],
    golden_events[], golden_schemes[], golden_calls[], golden_adaptive[];
extern const int golden_bundled_count, golden_second_count, golden_first_count, golden_sets_count,
    golden_events_count, golden_schemes_count, golden_calls_count, golden_adaptive_count;

/* Scene k of all; NULL past the last. */
const golden *golden_at(int k);

/* FNV-1a hashes, 64 bits, over all steps. */
typedef struct golden_bits {
  uint64_t motion; /* times, q with its quaternions, v, x */
  uint64_t values; /* impulses, forces, multipliers, y, dy/dt, contacts of sets, counters */
} golden_bits;

typedef enum golden_part { WHOLE, SECOND_HALF, AFTER_SAVING, AFTER_LOADING } golden_part;

/* Runs a scene, or its second half, after a snapshot that is written to `path` or read from it.
 * False, with a message, when a step fails. */
bool golden_run(const golden *scene, golden_part part, const char *path, golden_bits *bits);

typedef enum golden_beside { BESIDE_NOTHING, BESIDE_A_CIRCUIT, BESIDE_A_BODY } golden_beside;

/* Runs a scene with a system beside it that nothing is tied to and nothing moves: a first-order
 * system with many states, or a body. The hash of the motion does not have it. `end` takes the first
 * n numbers of the last state of the other systems. Returns how many, or -1, with a message, when a
 * step fails. */
int golden_run_beside(const golden *scene, golden_beside beside, golden_bits *bits, double *end,
                      int n);
extern bool golden_is_event_driven; /* the scene that ran last */

/* A hash of what libm and LAPACK make of given numbers. The table holds that of its machine; where it
 * is another, scenes of which `machine` holds are not compared. */
uint64_t golden_machine(void);

/* golden_table.c; both return an exit status. Only the scenes that are named, or all. */
int golden_check(const char *path, int count, char **names);
/* Renews the named scenes; their motions only with a reason, which the table keeps. */
int golden_renew(const char *path, const char *reason, int count, char **names);

#endif
