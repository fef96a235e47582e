/*
 * Internals of the simulation room: the base of all drivers. A driver embeds nsds_simulation as its
 * first member and is a table of operations. The base has time, events, end, saved states and
 * report.
 */
#ifndef NSDS_SRC_SIMULATION_H
#define NSDS_SRC_SIMULATION_H

#include "base/archive.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/body.h"
#include "kernel/simulation/clock.h"
#include "kernel/assembly/one_step.h"
#include "kernel/simulation/queue.h"
#include "numerics/linear/with_y.h"

#include <nsds/catalogue.h>
#include <nsds/extend_step.h>

/* The problem of the last solve, successful or not, and its z. */
typedef struct nsds_solved {
  const nsds_problem *problem;
  const double *z;
} nsds_solved;

/* Operations of a driver. */
typedef struct nsds_driver {
  const char *name;
  /* Prepares the first step, or a step after changes of the model. May be NULL. */
  nsds_status (*begin)(nsds_simulation *sim);
  /* Advances the model to t_next, h after now. On failure nothing has changed. */
  nsds_status (*advance)(nsds_simulation *sim, double t_next, double h);
  /* The stages of one step; NULL if the driver has no such steps. */
  nsds_status (*start)(nsds_simulation *sim, double t_next, double h);
  nsds_status (*solve)(nsds_simulation *sim);
  nsds_status (*update)(nsds_simulation *sim);
  void (*accept)(nsds_simulation *sim);
  void (*reject)(nsds_simulation *sim);
  /* Advance to the next event, and through this event; NULL if the driver has no events. */
  nsds_status (*meet)(nsds_simulation *sim);
  nsds_status (*process)(nsds_simulation *sim);
  /* Advances through a stretch of time without locating events. May be NULL. */
  nsds_status (*window)(nsds_simulation *sim, double length, int steps);
  /* Returns the one-step problem of velocities. NULL if the driver has no such steps. */
  nsds_one_step *(*problem)(nsds_simulation *sim);
  /* Gives the problem of the last solve and its z; false if there was none. */
  bool (*solved)(nsds_simulation *sim, nsds_solved *solved);
  /* Returns the displacement of a system by projection in the last step. May be NULL. */
  const double *(*displacement)(const nsds_simulation *sim, const nsds_ds *ds);
  /* Archives the driver's own data for saved states and snapshots. May be NULL. */
  void (*archive)(nsds_simulation *sim, nsds_archive *archive);
  /* Continues from a restored state. `same`: the parameters are those at the save. May be NULL. */
  void (*resume)(nsds_simulation *sim, bool same);
  void (*destroy)(nsds_simulation *sim);
} nsds_driver;

/* Progress of a step in stages. */
typedef enum nsds_stage {
  NSDS_STAGE_NONE,
  NSDS_STAGE_FORMED,
  NSDS_STAGE_SOLVED,
  NSDS_STAGE_ENDED,
  NSDS_STAGE_MET /* before an event */
} nsds_stage;

/* Contacts of a set, and their first row, which moves when sets grow. */
typedef struct nsds_found {
  int count, first_row;
} nsds_found;

/* A state to which a simulation can return. */
typedef struct nsds_saved {
  bool there;
  nsds_state state;
  nsds_state_size size;
  nsds_clock clock;
  nsds_versions seen;
  bool settled; /* nothing had changed since the last step */
  bool moved;   /* nsds_model::moved */
  long steps;
  double *active; /* by interactions; and switches that are on, see saved.c */
  size_t active_capacity;
  size_t nset;
  nsds_found *found; /* of each contact set */
  uint64_t *key;     /* of all contacts, set by set; likewise pair and found_active */
  nsds_contact_pair *pair;
  double (*tangent)[3]; /* if `tangents` */
  bool tangents;        /* some set has tangents */
  bool *found_active;
  size_t found_capacity, key_capacity, pair_capacity, tangent_capacity, found_active_capacity;
  nsds_archive own; /* data of the driver, if the program has saved the state */
} nsds_saved;

/* The last problem with Y and its scale. */
typedef struct nsds_lent {
  nsds_with_y with_y;
  nsds_problem problem;
  double *scale;
  size_t capacity;
} nsds_lent;

struct nsds_simulation {
  nsds_borrower borrower; /* first: the model frees simulations through it */
  const nsds_driver *driver;
  nsds_model *model;
  nsds_context *context;
  nsds_tag tag;
  nsds_plan plan;
  nsds_solver *solver;
  nsds_clock clock;
  bool gridless; /* h was not given by the program */
  nsds_queue queue;
  double t0, t1;
  int64_t end; /* tick of t1 */
  long steps;
  bool ended; /* nsds_step() has returned NSDS_END */
  nsds_stage stage;
  double t_next, h_next; /* of the current step */
  double t_of_model;     /* at the start of the step; another simulation may have set it */
  int64_t tick_next;
  nsds_saved saved;
  nsds_snapshot_every_def every; /* path NULL: never */
  nsds_archive memory;           /* of the solver, as saved */
  nsds_lent lent;                /* nsds_simulation_problem() */
  double *work;                  /* of the certifier in nsds_step_take() */
  nsds_problem in_factors;       /* nsds_step_problem() */
  nsds_complete_fn complete;     /* of nsds_step_embed(), for the present problem; NULL: none */
  void *complete_user;
  size_t work_capacity;
  nsds_step_info info;
  struct {
    double *y, t; /* t; y, then dy/dt: ny of each */
    size_t ny;    /* contact sets may add rows meanwhile */
    uint64_t settled;
  } before; /* values of the model before the constructor */
};

/* Checks a definition and fills *own, as nsds_definition_take() does. Refuses with a line in the log
 * while the context holds an error: an object of the model would be missing. */
bool nsds_simulation_take(const nsds_model *model, const nsds_type *type, const void *def,
                          void *own);
/* Initialises the base of *sim; h = 0: there is no grid. On failure the caller destroys *sim. */
nsds_status nsds_simulation_init(nsds_simulation *sim, const nsds_driver *driver, nsds_model *model,
                                 double t0, double t1, double h);

/* Ends a constructor with its status. Returns the simulation; or NULL, and the model shows its
 * former values. */
nsds_simulation *nsds_simulation_made(nsds_simulation *sim, nsds_status status);

void nsds_simulation_new_grid(nsds_simulation *sim, double h);
/* Finds h for a return to this clock. Fails if h is too long for a sampler that stays. */
nsds_status nsds_simulation_check_back(nsds_simulation *sim, const char *call,
                                       const nsds_clock *clock, double *h);
/* Makes a solver by name that only the simulation can free; tolerance 0: its default. */
nsds_status nsds_simulation_make_solver(nsds_simulation *sim, const char *name, double tolerance,
                                        nsds_solver **made);
/* Chooses a solver by name; tolerance 0: the present tolerance. */
nsds_status nsds_simulation_choose(nsds_simulation *sim, const char *name, double tolerance);

/* Guards calls of the model, samplers and events: nothing can destroy the simulation meanwhile. */
static inline void nsds_simulation_enter(nsds_simulation *sim) {
  sim->borrower.busy = true;
  sim->model->busy |= NSDS_BUSY_CALL;
}
/* Ends the guard. */
static inline void nsds_simulation_leave(nsds_simulation *sim) {
  sim->borrower.busy = false;
  sim->model->busy &= ~(unsigned)NSDS_BUSY_CALL;
}

/* Ends a guard within another one: `busy` is that of before. */
static inline void nsds_simulation_leave_as(nsds_simulation *sim, bool busy) {
  nsds_simulation_leave(sim);
  sim->borrower.busy = busy;
}

/* Slack of the length of quaternions, as for setting a state. */
static const double nsds_place_slack = 1e-6;

/* Returns true if q is a valid place of a system: quaternions have length 1 within `slack`. */
static inline bool nsds_is_place(const nsds_ds *ds, const double *q, double slack) {
  if (!ds->type.take_q) return true;
  const double *p = q + nsds_body_nq - 4;
  double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  return fabs(sqrt(square) - 1.0) <= slack;
}

/* Ends a step in stages as if it had not begun. */
void nsds_simulation_abandon(nsds_simulation *sim);

nsds_status nsds_call_events(nsds_simulation *sim);
static inline nsds_status nsds_run_events(nsds_simulation *sim) {
  return NSDS_LIKELY(sim->queue.count == 0) ? NSDS_OK : nsds_call_events(sim);
}

/* Reports a call inside a step or between its stages: NSDS_ERROR_STATE. */
nsds_status nsds_refuse_between_stages(nsds_simulation *sim, const char *call);
/* Checks that a call comes neither from inside a step nor between its stages. */
static inline nsds_status nsds_simulation_check_idle(nsds_simulation *sim, const char *call) {
  if (sim->borrower.busy || sim->stage != NSDS_STAGE_NONE)
    return nsds_refuse_between_stages(sim, call);
  return nsds_check_idle(sim->model, call); /* steps of other simulations */
}

/* Notes that the end is ahead. */
static inline void nsds_simulation_go_on(nsds_simulation *sim) { sim->ended = false; }

#endif
