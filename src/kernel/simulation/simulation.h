/*
 * Internals of the simulation room: what all drivers share. A driver embeds nsds_simulation as its
 * first member and is a table of operations; time, events, the end, saved states and the report are
 * the base's.
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

/* A problem that was solved, or not. */
typedef struct nsds_solved {
  const nsds_problem *problem;
  const double *z;
} nsds_solved;

/* What a driver does. */
typedef struct nsds_driver {
  const char *name;
  /* Before the first step, and again where the model has changed before it. May be NULL. */
  nsds_status (*begin)(nsds_simulation *sim);
  /* Advances the model to t_next, h after now: done, or nothing has changed. */
  nsds_status (*advance)(nsds_simulation *sim, double t_next, double h);
  /* The stages of one step apart; NULL where the driver has no such steps. */
  nsds_status (*start)(nsds_simulation *sim, double t_next, double h);
  nsds_status (*solve)(nsds_simulation *sim);
  nsds_status (*update)(nsds_simulation *sim);
  void (*accept)(nsds_simulation *sim);
  void (*reject)(nsds_simulation *sim);
  /* To the next event, and through it; NULL where the driver has none. */
  nsds_status (*meet)(nsds_simulation *sim);
  nsds_status (*process)(nsds_simulation *sim);
  /* Through a stretch of time without locating events. May be NULL. */
  nsds_status (*window)(nsds_simulation *sim, double length, int steps);
  /* The one-step problem of stages, and of velocities. NULL where the driver has no such steps. */
  nsds_one_step *(*problem)(nsds_simulation *sim);
  /* The problem of the last solve and its z; false where there was none. */
  bool (*solved)(nsds_simulation *sim, nsds_solved *solved);
  /* Of a system in the last step, by projection. May be NULL. */
  const double *(*displacement)(const nsds_simulation *sim, const nsds_ds *ds);
  /* What saved states and snapshots have of the driver's own. May be NULL. */
  void (*archive)(nsds_simulation *sim, nsds_archive *archive);
  /* All of a state is in place, `same` with the parameters that it was saved with. May be NULL. */
  void (*resume)(nsds_simulation *sim, bool same);
  void (*destroy)(nsds_simulation *sim);
} nsds_driver;

/* Where a step in stages stands. */
typedef enum nsds_stage {
  NSDS_STAGE_NONE,
  NSDS_STAGE_FORMED,
  NSDS_STAGE_SOLVED,
  NSDS_STAGE_ENDED,
  NSDS_STAGE_MET /* before an event */
} nsds_stage;

/* What a contact set had, and where: sets that grow move. */
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
  bool settled; /* nothing had changed since the step before */
  bool moved;   /* nsds_model::moved */
  long steps;
  double *active; /* by interactions */
  size_t active_capacity;
  size_t nset;
  nsds_found *found; /* of each of nset contact sets, */
  uint64_t *key;     /* keys of their contacts one set after the other, */
  nsds_contact_pair *pair;
  bool *found_active;
  size_t found_capacity, key_capacity, pair_capacity, found_active_capacity;
  nsds_archive own; /* the driver's, where the program has saved it */
} nsds_saved;

struct nsds_simulation {
  nsds_borrower borrower; /* first: the model frees simulations through it */
  const nsds_driver *driver;
  nsds_model *model;
  nsds_context *context;
  nsds_tag tag;
  nsds_plan plan;
  nsds_solver *solver;
  nsds_clock clock;
  bool gridless; /* its h is no step that was given */
  nsds_queue queue;
  double t0, t1;
  int64_t end; /* tick of t1 */
  long steps;
  bool ended; /* nsds_step() has returned NSDS_END */
  nsds_stage stage;
  double t_next, h_next; /* of the step under way */
  double t_of_model;     /* when that step began; another simulation may have set it */
  int64_t tick_next;
  nsds_saved saved;
  nsds_snapshot_every_def every; /* path NULL: never */
  nsds_archive memory;           /* of the solver, as saved */
  nsds_with_y lent;              /* nsds_simulation_problem() */
  double *work;                  /* of the certifier in nsds_step_take() */
  size_t work_capacity;
  nsds_step_info info;
  struct {
    double *y, t; /* y, then dy/dt: ny of each */
    size_t ny;    /* contact sets may get rows meanwhile */
    uint64_t settled;
  } before; /* of the model, while the simulation is made */
};

/* Gives *sim its base; on failure the caller destroys it. */
nsds_status nsds_simulation_init(nsds_simulation *sim, const nsds_driver *driver, nsds_model *model,
                                 double t0, double t1, double h);

/* The last call of a constructor, with its status: the simulation; or NULL, and the model shows what it
 * showed before. */
nsds_simulation *nsds_simulation_made(nsds_simulation *sim, nsds_status status);

/* A new grid from now on. */
void nsds_simulation_new_grid(nsds_simulation *sim, double h);
/* The h with which a simulation goes on from this clock of a saved state or a snapshot; fails where that
 * is too long for a sampler that stays. */
nsds_status nsds_simulation_check_back(nsds_simulation *sim, const char *call,
                                       const nsds_clock *clock, double *h);
/* Takes a solver of this name; tolerance 0: the present one. */
nsds_status nsds_simulation_choose(nsds_simulation *sim, const char *name, double tolerance);

/* Around all that may call functions of the model, samplers and events: the simulation stays. */
static inline void nsds_simulation_enter(nsds_simulation *sim) {
  sim->borrower.busy = true;
  sim->model->busy |= NSDS_BUSY_CALL;
}
static inline void nsds_simulation_leave(nsds_simulation *sim) {
  sim->borrower.busy = false;
  sim->model->busy &= ~(unsigned)NSDS_BUSY_CALL;
}

/* Of the length of quaternions, as setting a state allows. */
static const double nsds_place_slack = 1e-6;

/* Whether coordinates of a system are a place: quaternions have length 1, but for `slack`. */
static inline bool nsds_is_place(const nsds_ds *ds, const double *q, double slack) {
  if (!ds->type.take_q) return true;
  const double *p = q + nsds_body_nq - 4;
  double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  return fabs(sqrt(square) - 1.0) <= slack;
}

/* Ends a step that is under way in stages, as if it had not begun. */
void nsds_simulation_abandon(nsds_simulation *sim);

/* Calls the events that are due. */
nsds_status nsds_call_events(nsds_simulation *sim);
static inline nsds_status nsds_run_events(nsds_simulation *sim) {
  return NSDS_LIKELY(sim->queue.count == 0) ? NSDS_OK : nsds_call_events(sim);
}

/* NSDS_ERROR_STATE: the call may not come now. */
nsds_status nsds_refuse_between_stages(nsds_simulation *sim, const char *call);
/* A call that may not come from inside a step, nor between its stages. */
static inline nsds_status nsds_simulation_check_idle(nsds_simulation *sim, const char *call) {
  if (sim->borrower.busy || sim->stage != NSDS_STAGE_NONE)
    return nsds_refuse_between_stages(sim, call);
  return nsds_check_idle(sim->model, call); /* of another simulation */
}

/* The end is ahead. */
static inline void nsds_simulation_go_on(nsds_simulation *sim) { sim->ended = false; }

#endif
