/*
 * Internals of the assembly: from the graph to numbers. The model's graph is compiled to flat
 * arrays, the plan, with slots (systems) and contacts (interactions). A driver makes operators over
 * the plan. Operators use the gains of the slots, or have a gain of their own, M^-1. One-step problems are made over an
 * operator, each with an index set and a solver. Numbers go from the model to the plan, an operator, a problem, its solver and
 * the trial state. Back go the shares of laws, the contacts that a search finds (detect.c), and what
 * the model keeps of its plan; docs/architecture.md has the table.
 *
 * u is the unknown of a step: v of a second-order system, x of a first-order one. Both live in the
 * array v of a state. For every system  u = u_free + (gain) (input). The gain is W^-1 or its
 * replacement.
 */
#ifndef NSDS_SRC_PLAN_H
#define NSDS_SRC_PLAN_H

#include "base/context.h"
#include "kernel/assembly/contacts.h"
#include "kernel/assembly/slots.h"

#include <nsds/solver.h>

typedef struct nsds_contact_operator nsds_contact_operator;
typedef struct nsds_one_step nsds_one_step;
typedef struct nsds_plan_tree nsds_plan_tree;
typedef struct nsds_attitude nsds_attitude;

/* Numbers of contacts of a kind. */
typedef struct nsds_counts {
  int first, nonlinear, varying, compliant, mixed;
  int conditional, several; /* copies come and go; several copies come and go one by one */
  int judged;               /* with a test of closing other than that of a gap */
  int foreign;              /* with a law of a program's own */
  int gated, looking;       /* switches; interactions that look at the end of a step */
  int turning;              /* interactions at the iterate on bodies in space */
  int plain;                /* interactions with one affine row between second-order systems */
  int single;               /* found contacts of one body; the next may be of two */
  int copies, edges;
} nsds_counts;

/* The versions behind the plan's numbers; see nsds_plan_renew(). */
typedef struct nsds_plan_versions {
  nsds_versions of;   /* the model's when it was made and refreshed */
  double h;           /* for which the numbers hold */
  uint64_t attitudes; /* graph for which turned_rows.c has found bodies; 0: none */
  bool stale;         /* all numbers have to be made anew */
} nsds_plan_versions;

/* Integrators, and schemes of single systems. */
typedef struct nsds_plan_schemes {
  const nsds_integrator *integrator[3]; /* default of each order */
  nsds_scheme_kind kind[3];             /* time stepping: its scheme, by order */
  const nsds_integrator
      *of[NSDS_RATTLE + 1];           /* by kinds: of single systems; NULL: of all or none */
  const nsds_scheme *first;           /* weights of first-order systems; NULL: as for all systems */
  const nsds_integrator *in_parts[3]; /* of systems with a step ratio; NULL: it does not apply */
  bool in_joints;                     /* bodies with joints move in joint coordinates */
  int nown;                           /* slots with a scheme of their own */
  nsds_scheme *own;                   /* nown pairs: `on.scheme` and `parts.scheme` of slots */
} nsds_plan_schemes;

/* Slots with additional work in a step. */
typedef struct nsds_slot_lists {
  int nfinish;          /* their integrator has something to finish */
  int napart, *apart;   /* not shared */
  int nforced, *forced; /* their force changes from step to step */
  int nlook;            /* look at the end of a step */
} nsds_slot_lists;

/* The search for contacts of sets. */
typedef struct nsds_plan_search {
  bool follows;     /* found contacts are followed along the motion: events, RATTLE; see
                       tracked_contact.c */
  bool looks_ahead; /* the search is at the expected end of the step */
  bool start_seen;  /* contacts at the start were looked at for mistakes */
  int furnished_from, furnished_to; /* a set's contacts with memory for any of its contacts */
  uint64_t loaded; /* nsds_plan::refreshed for which all found contacts have their numbers */
} nsds_plan_search;

typedef struct nsds_plan_memory {
  double *numbers; /* of the slots, see layout.c */
  int *indices;
  nsds_arena arena; /* of contacts and entries */
  double *work;     /* of gathering and outputs, for the largest interaction */
  double *probe;    /* of functions about an iterate, see stepping/newton_blur.c */
  size_t contact_capacity, v_capacity, last_capacity, work_capacity, probe_capacity;
  size_t attitude_capacity;
} nsds_plan_memory;

struct nsds_plan {
  nsds_context *context;
  nsds_model *model;
  const nsds_scheme *scheme;       /* of the step under way; the driver's */
  bool at_instant;                 /* event-driven: no steps, u_free is du/dt */
  nsds_contact_operator *operator; /* all operators over this plan */
  nsds_one_step *problem;          /* the problems among them */
  const nsds_one_step *unreduced;  /* in which increments of circuits stay unknowns; or NULL */
  uint64_t stamps;                 /* given to operators so far */
  uint64_t structure;              /* raised when contacts come or go, or their blocks change */
  uint64_t refreshed;              /* raised when numbers of systems and interactions are new */
  nsds_plan_versions seen;
  nsds_plan_schemes schemes;
  /* systems */
  int nslot, ncluster;
  nsds_slot *slot;
  nsds_seat *seat;         /* by slots */
  nsds_attitude *attitude; /* by slots; see turned_rows.c */
  nsds_cluster *cluster;
  nsds_plan_tree *tree;             /* NULL: no bodies in joint coordinates */
  bool slots_affine, slots_aligned; /* every slot affine; q and v alike */
  bool both_orders;                 /* there are systems of first and of second order */
  nsds_slot_lists lists;
  double *gain;  /* nv: 1 / W of the slots with a fixed diagonal W */
  bool diagonal; /* all W are: found contacts need no Y */
  /* contacts */
  int ninteraction, ncontact; /* contacts of interactions; contacts of sets included */
  nsds_contact *contact;
  nsds_counts count;
  nsds_plan_search search;
  /* the state at the end of the step */
  nsds_state trial;
  double *v_free; /* nv: u_free of all slots; in events the free rates of all unknowns */
  double *v_last; /* 2 nv: v of the last iterate; sizes of terms, see terms.h */
  double *
      blurred; /* in memory.probe, between the calls of stepping/newton_blur.h: not 0 for unknowns and rows whose
                      functions do not resolve the increment; else NULL */
  nsds_plan_memory memory;
};

/* Reserves the memory in which relations of the plan are gathered and evaluated. */
static inline nsds_status nsds_plan_reserve_work(nsds_plan *plan, size_t wanted) {
  return nsds_grow(plan->context, &plan->memory.work, &plan->memory.work_capacity, wanted,
                   sizeof *plan->memory.work);
}

/* Returns true if one pass per step suffices: every slot affine, every contact linear. */
static inline bool nsds_plan_linear(const nsds_plan *plan) {
  return plan->slots_affine && plan->count.nonlinear == 0;
}

enum { nsds_few_slots = 64 }; /* not worth being shared */

static inline void nsds_counts_add(nsds_counts *to, const nsds_counts *some) {
  to->first += some->first;
  to->nonlinear += some->nonlinear;
  to->varying += some->varying;
  to->turning += some->turning;
  to->compliant += some->compliant;
  to->mixed += some->mixed;
  to->gated += some->gated;
  to->looking += some->looking;
  to->conditional += some->conditional;
  to->several += some->several;
  to->judged += some->judged;
  to->foreign += some->foreign;
  to->plain += some->plain;
  to->single += some->single;
  to->copies += some->copies;
  to->edges += some->edges;
}

/* Returns the weight of the end of a step in the state of a relation with lambda acting on
 * states. */
static inline double nsds_relation_share(const nsds_plan *plan, const nsds_relation *relation) {
  if (NSDS_UNLIKELY(relation->midway)) return relation->ahead ? 1.0 : plan->scheme->theta;
  return plan->scheme->relation_weight;
}

/* Returns the weight of u_{k+1} of system s in the state of g. u_k has the rest. */
static inline double nsds_input_share(const nsds_plan *plan, const nsds_contact *contact, int s) {
  const nsds_scheme *scheme = plan->slot[s].on.scheme;
  const nsds_relation *relation = contact->interaction->relation;
  if (NSDS_UNLIKELY(relation->midway)) return relation->ahead ? 1.0 : plan->scheme->theta;
  return scheme->input_at_theta && contact->kind != NSDS_RELATION_MIXED ? scheme->theta
                                                                        : scheme->relation_weight;
}

static inline double nsds_input_scale(const nsds_plan *plan, int s) {
  const nsds_slot *slot = &plan->slot[s];
  return nsds_is_second_order(slot->ds) ? plan->scheme->h : slot->on.input_weight;
}

static inline void nsds_plan_go_stale(nsds_plan *plan) { plan->seen.stale = true; }

#endif
