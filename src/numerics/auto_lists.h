/*
 * The rules of "auto" as data: its numbers, and a list of methods for each class of problems. Sets,
 * size, storage and start decide on the list; a stage of a list may leave out problems too. An
 * instance uses nsds_auto_shipped; tests/collection/judge.c tries other rules.
 */
#ifndef NSDS_SRC_AUTO_LISTS_H
#define NSDS_SRC_AUTO_LISTS_H

#include "numerics/sets/bounds.h"
#include "numerics/solver_internal.h"

/* Special values of the iterations of a stage. */
#define NSDS_AUTO_PATIENT (-1.0)  /* sweeps that cost `factors` dense factorizations */
#define NSDS_AUTO_ENDURING (-2.0) /* sweeps that read `entries` entries of M */

/* A method of a list; a stage without a method ends the list. */
typedef struct nsds_auto_stage {
  const nsds_method *method;
  double iterations; /* 0: the method's own default */
  int option;        /* option of the method, set to `value`; 0: none */
  double value;
  int above, most_rows; /* only problems with more rows, with at most so many; 0: all */
  bool single;          /* not in steps of simulations */
  bool from_best;       /* starts at the best point so far, else at the given one, */
  bool goes_on;         /* or where its method ended last in this solve */
  bool paced;           /* sweeps may end early if they advance too slowly */
  int fuller;           /* only M with more entries in a row; 0: all */
  bool grid;            /* only symmetric M by columns, with more than three entries in a row */
  bool symmetric;       /* only dense M that is said to be symmetric */
  bool plane;           /* only polyhedra and friction in the plane */
  unsigned with;        /* only problems with one of these sets; 0: all */
} nsds_auto_stage;

enum { nsds_auto_stages = 16 };

/* The numbers, X(name, value). */
/* clang-format off */
#define NSDS_AUTO_NUMBERS(X)                                                                       \
  X(direct_rows, 3)       /* bounds: up to here by enumeration, whose verdict is final */          \
  X(small_rows, 64)       /* bounds: up to here by the list `small` */                             \
  X(factors, 0.03)        /* patient: dense factorizations of n^3 / 3; a sweep is 2 n entries */   \
  X(least_patience, 250)  /* least number of patient sweeps; more for fewer `digits` */            \
  X(digits, 8)            /* usual digits of the tolerance */                                      \
  X(most_patience, 10000) /* largest number of patient sweeps */                                   \
  X(entries, 5e9)         /* enduring: entries of M, some seconds */                               \
  X(least_endurance, 1e4) /* least number of enduring sweeps */                                    \
  X(most_endurance, 1e5)  /* largest number of enduring sweeps */
/* clang-format on */

typedef struct nsds_auto_rules {
#define NSDS_AUTO_FIELD(name, value) double name;
  NSDS_AUTO_NUMBERS(NSDS_AUTO_FIELD)
#undef NSDS_AUTO_FIELD
  nsds_auto_stage small[nsds_auto_stages];     /* bounds, few rows */
  nsds_auto_stage large[nsds_auto_stages];     /* bounds, more rows */
  nsds_auto_stage programme[nsds_auto_stages]; /* the same, from zero, if signs make M symmetric */
  nsds_auto_stage faceted[nsds_auto_stages];   /* bounds and polyhedra */
  nsds_auto_stage curved[nsds_auto_stages];    /* any other set */
  /* Races: the same for single solves from zero. Lists have slices of growing work of two or three
   * methods; a method goes on where its last slice ended. */
  nsds_auto_stage race_small[nsds_auto_stages];    /* bounds, few rows */
  nsds_auto_stage race_dense[nsds_auto_stages];    /* bounds, more rows, dense M */
  nsds_auto_stage race_bodies[nsds_auto_stages];   /* bounds, more rows, M by blocks or factors */
  nsds_auto_stage race_friction[nsds_auto_stages]; /* Coulomb's cones alone */
  nsds_auto_stage race_cones[nsds_auto_stages];    /* any other set */
} nsds_auto_rules;

extern const nsds_auto_rules nsds_auto_shipped;

/* Returns true if every set is R, R_+ or a box. */
static inline bool nsds_auto_of_bounds(const nsds_solver *solver) {
  return !(solver->toolbox->sets & ~(unsigned)nsds_bound_sets);
}

/* Returns true if M looks like that of a quadratic program. */
bool nsds_auto_is_programme(const nsds_solver *solver, const nsds_auto_rules *rules,
                            const nsds_problem *problem);

/* Returns the list for a start that may be near the solution. */
const nsds_auto_stage *nsds_auto_list(const nsds_solver *solver, const nsds_auto_rules *rules,
                                      const nsds_problem *problem);

/* Returns the list for a race, from zero, instead; NULL: none. */
const nsds_auto_stage *nsds_auto_race(const nsds_solver *solver, const nsds_auto_rules *rules,
                                      const nsds_problem *problem);

/* Returns the list for a start at z. */
const nsds_auto_stage *nsds_auto_list_from(const nsds_solver *solver, const nsds_auto_rules *rules,
                                           const nsds_problem *problem, const double *z);

/* Returns true if a stage of a list is meant for this problem. */
bool nsds_auto_is_for(const nsds_solver *solver, const nsds_auto_stage *stage,
                      const nsds_problem *problem);

/* Returns the iterations of a stage with these `iterations`; 0: the method's own default. */
double nsds_auto_iterations(const nsds_auto_rules *rules, const nsds_problem *problem,
                            double tolerance, double iterations);

#endif
