/*
 * Internals of the assembly: from the graph to numbers. The model's graph is compiled to flat
 * arrays, the plan, with slots (systems) and contacts (interactions). A driver makes operators over
 * the plan, each with a gain of its own. One-step problems are made over an operator, each with an
 * index set and a solver. Data flows one way: model -> plan -> operator -> problem -> solver ->
 * trial state.
 *
 * u is the unknown of a step: v of a second-order system, x of a first-order one. Both live in the
 * array v of a state. For every system  u = u_free + (gain) (input). The gain is W^-1 or its
 * replacement.
 */
#ifndef NSDS_SRC_PLAN_H
#define NSDS_SRC_PLAN_H

#include "kernel/modeling/label.h"
#include "kernel/modeling/model.h"
#include "numerics/linear/factor_state.h"
#include "numerics/linear/factor.h"
#include "kernel/modeling/contact_set.h"

#include <nsds/solver.h>

typedef struct nsds_plan nsds_plan;
typedef struct nsds_contact nsds_contact;
typedef struct nsds_entry nsds_entry;
typedef struct nsds_contact_operator nsds_contact_operator;
typedef struct nsds_one_step nsds_one_step;

/* A slot with a step ratio. The integrator of the slot is the one of step_ratio.c. */
typedef struct nsds_slot_parts {
  int ratio;                         /* number of parts of the step */
  const nsds_integrator *integrator; /* of the parts; NULL: there are none */
  nsds_scheme *scheme;               /* of the part of the step under way, or NULL */
  bool affine;                       /* one linear solve per part */
  bool coasted;                      /* the last parts of this step were made without an input */
} nsds_slot_parts;

typedef struct nsds_slot_traits {
  bool affine;    /* one linear solve per step */
  bool drifting;  /* affine, u_free = u_i + increment */
  bool own;       /* only this system uses `scheme` */
  bool fixed;     /* the gain does not change while the scheme and the parameters stay */
  bool forced;    /* its force changes from step to step */
  bool finishing; /* its integrator has something to finish */
  bool shared;    /* threads may run its integrator in a step */
} nsds_slot_traits;

/* The sparsity pattern of W. */
typedef struct nsds_slot_pattern {
  const int *p, *i; /* merged pattern, NULL when dense */
  const int *to_w;  /* position in W of each value of M, then C, then K; NULL: its own */
  bool diagonal;    /* all matrices have the pattern of the identity */
} nsds_slot_pattern;

/* The factor of another W that the integrator asked for. */
typedef struct nsds_slot_half {
  nsds_factor *factor; /* n = 1: `w` in its place */
  double w;
} nsds_slot_half;

/* Scaled copy and factor of a varying M, else NULL. The scale, nv numbers, stands before the
 * copy. */
typedef struct nsds_slot_definite {
  nsds_factor *factor;
  double *scaled;
} nsds_slot_definite;

/* One system in the plan. Pointers lead into the plan's pool of numbers. The fields that a step
 * reads of every system come first. */
typedef struct nsds_slot {
  nsds_integration on; /* first: its integrator sees this part */
  const nsds_integrator *osi;
  const nsds_ds *ds;
  int nv, v0, q0;        /* size and offset of its unknown; offset of its coordinates */
  int cluster;           /* systems coupled through dg/dX share a gain; -1: alone */
  const double *scaling; /* nv: the gain if it is diagonal; else NULL */
  nsds_slot_traits is;
  nsds_slot_parts parts;
  /* the gain: `factor` of W; if NULL, `w` or `inverse` */
  nsds_factor *factor;
  double w;
  double *increment;  /* drifting: W^-1 h F */
  double *scratch;    /* max(nv, nq) */
  const double *pull; /* RATTLE: nv impulses of springs in the first half; NULL: none */
  /* matrices */
  double *M, *C, *K; /* values in the system's shapes, NULL: absent; first order: K is A */
  double *W;         /* dense nv x nv, or values on the merged sparse pattern */
  double *inverse;   /* in plan->gain: of a fixed diagonal W; else meaningless */
  nsds_slot_pattern pattern;
  nsds_slot_half half;
  nsds_slot_definite definite;
  struct nsds_index_one *index_one; /* of a singular M at an instant, else NULL */
  nsds_scheme *scheme;              /* its own, or NULL */
} nsds_slot;

/* The linear map from impulses to increments of the unknowns of one system, for a problem with a
 * map of its own: M^-1 at an instant. */
typedef struct nsds_gain {
  nsds_factor *factor; /* NULL: W is one number, `w` */
  double w;
  double *M, *W; /* in one piece, as in the slot */
  double *T;     /* in that piece, for a metric of coordinates: nq x nv; else NULL */
} nsds_gain;

/* Operations of an interaction, one table for each order of its systems. `a` is the linearised
 * local variable of the problem's rows:  a = offset + H u + D z. */
typedef struct nsds_contact_ops {
  /* Evaluates the coefficients of an affine relation, which stay with the scheme and the
   * parameters. */
  nsds_status (*refresh)(nsds_plan *plan, nsds_contact *contact);
  /* Evaluates the relation at the Newton iterate. May be NULL. */
  nsds_status (*evaluate)(nsds_plan *plan, nsds_contact *contact);
  /* Linearises a relation that is not affine at the iterate, into the problem's entry. */
  nsds_status (*linearise)(nsds_plan *plan, nsds_contact *contact, nsds_entry *entry);
  /* Computes y and dy/dt of the trial state. */
  nsds_status (*output)(nsds_plan *plan, nsds_contact *contact);
  /* Rows of the input matrix (H^T, or weight B) of system k, ns x m column-major. */
  void (*load_input)(const nsds_plan *plan, const nsds_contact *contact, const nsds_entry *entry,
                     int k, double *Y);
} nsds_contact_ops;

/* The unknowns of a system of an interaction. */
typedef struct nsds_reach {
  int slot, column, size, q; /* plan index; first unknown and their number; first coordinate */
} nsds_reach;

/* The law of contacts of a compliant relation, at velocity level. */
typedef struct nsds_spring_law {
  const nsds_interaction *interaction;
  double *D;           /* m x m, dh/dlambda when the numbers were refreshed */
  unsigned char *soft; /* m: rows with compliance; the others are rigid */
} nsds_spring_law;

/* Additions of first-order and mixed interactions, kept apart because many contacts have none. */
typedef struct nsds_first_terms {
  double *C, *B, *K, *h, *g; /* dh/dX, dg/dlambda, dg/dX (or NULL), values at the iterate */
  double *g_offset;          /* constant part of the linearised r; NULL: r is linear */
  double *lambda;            /* nonlinear: m, at the linearisation; else NULL */
  double *places;            /* mixed and nonlinear: m, row sums of |h_Q Q|; else NULL */
  double *input_places;      /* those of |g_Q Q|, as many as unknowns; else NULL */
  int first_row;             /* in an unreduced problem, behind the systems */
  int first_column, ncolumn; /* nonzero columns of C and B in an unreduced problem */
} nsds_first_terms;

typedef struct nsds_contact_traits {
  bool affine;       /* constant coefficients */
  bool linear;       /* one linearisation per step suffices */
  bool level0;       /* imposed on y itself: compliant, or first order; D carries dh/dlambda */
  bool compliant;    /* second order with dh/dlambda */
  bool fixed;        /* H and Y do not change while the scheme and the parameters stay */
  bool scaled;       /* z = h lambda: the law's set holds for lambda */
  bool shown_active; /* activity shown by the interaction */
  bool counted;      /* in the plan's counts */
  bool gated;        /* a switch */
  bool looking;      /* looks at the end of a step */
} nsds_contact_traits;

/* Additions of a contact of a set. */
typedef struct nsds_contact_found {
  nsds_contact_set *set; /* the set; NULL: of an interaction */
  int place, before;     /* in the set; in the step before if closed then, or -1 */
} nsds_contact_found;

/* One interaction in the plan. The fields that a step reads of every contact come first. */
struct nsds_contact {
  const nsds_contact_ops *ops;
  /* from the law; NULL: always active, or without memory of the velocity */
  bool (*active)(void *self, const double *y, const double *ydot, double tau, double slack);
  void *law_self;
  int m, y0;         /* rows and their offset */
  int ncopy, size;   /* copies of the law, rows of one */
  int nds, nedge;    /* own systems; edges to these and to the others of their clusters */
  nsds_reach *reach; /* of each edge */
  double *H;         /* affine: m x nv, the edges' blocks, contiguous */
  void (*restitution)(void *self, const double *ydot, double *q);
  double *shift; /* m: value at zero of an affine relation, NULL: zero; else dh/dt at the iterate */
  double *D;     /* affine: m x m, the relation's part of the output; NULL: zero */
  nsds_relation_kind kind; /* as of its relation; contacts of sets: of second order */
  nsds_contact_traits is;
  int nv;         /* unknowns of its own systems */
  unsigned lines; /* of the arena, with all its arrays, from `reach` on */
  /* the source of the contact */
  const nsds_law *law;
  nsds_interaction *interaction; /* or one of the plan's own, if found contacts are followed */
  nsds_contact_found found;
  uint64_t serial;         /* of the interaction; key of a found contact */
  nsds_first_terms *first; /* if lambda acts on states, else NULL */
};

/* All that found contacts read of a system, in little memory. */
typedef struct nsds_seat {
  int column, size, q;   /* as of nsds_reach */
  bool fixed, coupled;   /* the gain is constant; it belongs to a cluster */
  const double *scaling; /* as of the slot */
} nsds_seat;

/* Additions of entries, kept apart because most contacts have none. */
typedef struct nsds_entry_more {
  double *law_D;             /* m x m: the law's part of D; NULL: none */
  double *bounds;            /* of sets scaled to impulses */
  unsigned char *on;         /* ncopy: active copies; NULL: all or none are active */
  double *packed, *packed_D; /* H and Y, and D, of the active copies or the rows in use */
} nsds_entry_more;

/* A contact in one problem. */
struct nsds_entry {
  double *H;       /* m x nv at this problem's point; the contact's own if affine */
  double *Y;       /* by edges: gain times input matrix; NULL: gain times H^T, or no gain */
  double *D;       /* m x m or NULL: dh/dlambda and the law's part */
  double *offset;  /* m: constant part of the linearised row; NULL: zero */
  nsds_edge *edge; /* event-driven: nedge, over all rows; else NULL */
  const nsds_entry_more *more;
  void *memory;
  unsigned lines; /* of the arena, in `memory` */
  int rows;       /* of the active copies */
};

/* Systems coupled through dg/dX share one gain. */
typedef struct nsds_cluster {
  int nslot, *slot; /* plan indices */
  int n;            /* summed size */
  double *W;        /* n x n */
  double *rhs;      /* n x (largest m of the plan) */
  nsds_factor *factor;
} nsds_cluster;

/* Numbers of contacts of a kind. */
typedef struct nsds_counts {
  int first, nonlinear, varying, compliant, mixed;
  int conditional, several; /* copies come and go; several copies come and go one by one */
  int judged;               /* with a test of closing other than that of a gap */
  int foreign;              /* with a law of a program's own */
  int gated, looking;       /* switches; interactions that look at the end of a step */
  int plain;                /* interactions with one affine row between second-order systems */
  int single;               /* found contacts of one body; the next may be of two */
  int copies, edges;
} nsds_counts;

/* The versions behind the plan's numbers; see nsds_plan_renew(). */
typedef struct nsds_plan_versions {
  nsds_versions of; /* the model's when it was made and refreshed */
  double h;         /* for which the numbers hold */
  bool stale;       /* all numbers have to be made anew */
  bool found_stale; /* gains of all found contacts are new */
} nsds_plan_versions;

/* Integrators, and schemes of single systems. */
typedef struct nsds_plan_schemes {
  const nsds_integrator *integrator[3]; /* default of each order */
  nsds_scheme_kind kind[3];             /* time stepping: its scheme, by order */
  const nsds_integrator
      *of[NSDS_RATTLE + 1];           /* by kinds: of single systems; NULL: of all or none */
  const nsds_scheme *first;           /* weights of first-order systems; NULL: as for all systems */
  const nsds_integrator *in_parts[3]; /* of systems with a step ratio; NULL: it does not apply */
  int nown;                           /* slots with a scheme of their own */
  nsds_scheme *own;                   /* nown pairs: `scheme` and `part_scheme` of slots */
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
  bool follows;     /* found contacts are followed along the motion, see tracked_contact.c */
  bool looks_ahead; /* the search is at the expected end of the step */
  bool start_seen;  /* contacts at the start were looked at for mistakes */
} nsds_plan_search;

typedef struct nsds_plan_memory {
  double *numbers; /* of the slots, see layout.c */
  int *indices;
  nsds_arena arena; /* of contacts and entries */
  double *work;     /* of gathering and outputs, for the largest interaction */
  double *probe;    /* of functions about an iterate, see stepping/newton_blur.c */
  double *blurred;  /* in `probe` while Newton's test uses it: not 0 for unknowns and rows whose
                      functions do not resolve the increment; else NULL */
  int furnished_from, furnished_to; /* a set's contacts with memory for any of its contacts */
  size_t contact_capacity, v_capacity, last_capacity, work_capacity, probe_capacity;
} nsds_plan_memory;

struct nsds_plan {
  nsds_context *context;
  nsds_model *model;
  const nsds_scheme *scheme;       /* of the step under way; the driver's */
  nsds_contact_operator *operator; /* all operators over this plan */
  nsds_one_step *problem;          /* the problems among them */
  uint64_t stamps;                 /* given to operators so far */
  nsds_plan_versions seen;
  nsds_plan_schemes schemes;
  /* systems */
  int nslot, ncluster;
  nsds_slot *slot;
  nsds_seat *seat; /* by slots */
  nsds_cluster *cluster;
  bool slots_affine, slots_aligned; /* every slot affine; q and v alike */
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
  double *v_free; /* nv */
  double *v_last; /* nv, see nsds_plan_reserve_last() */
  nsds_plan_memory memory;
};

/* Returns true if one pass per step suffices: every slot affine, every contact linear. */
static inline bool nsds_plan_linear(const nsds_plan *plan) {
  return plan->slots_affine && plan->count.nonlinear == 0;
}

/* Contacts of sets that are not followed have no relation and are rigid. */
static inline bool nsds_contact_is_rigid(const nsds_contact *contact) {
  return !contact->interaction || nsds_relation_is_rigid(contact->interaction->relation);
}

/* Returns the name of the interaction or the set, for messages. `label` has room for
 * nsds_label_size. */
static inline const char *nsds_contact_label(const nsds_contact *contact, char *label) {
  return contact->found.set ? nsds_contact_set_label(contact->found.set, label)
                            : nsds_interaction_label(contact->interaction, label);
}

/* A found contact with its systems, as an interaction of the plan's own. */
typedef struct nsds_followed {
  nsds_interaction interaction;
  nsds_relation relation;
  const nsds_contact_set *set;
  uint64_t key;
  const double *found; /* H when it was found */
} nsds_followed;

enum { nsds_few_slots = 64 }; /* not worth being shared */

/* Brings the plan up to date for a step of this scheme. The scheme must keep its address and its
 * weights. */
nsds_status nsds_plan_renew(nsds_plan *plan, const nsds_scheme *scheme);

/* Updates the schemes of single systems to the interval of the plan's scheme. */
void nsds_plan_own_schemes(nsds_plan *plan);

static inline nsds_status nsds_plan_update(nsds_plan *plan, const nsds_scheme *scheme) {
  const nsds_model *model = plan->model;
  unsigned missed =
      nsds_versions_missed(&plan->seen.of, &model->now, NSDS_NEW_GRAPH | NSDS_NEW_VALUES);
  bool current = !missed && plan->scheme == scheme && plan->seen.h == scheme->h &&
                 !plan->seen.stale && nsds_model_is_settled(model) && model->stepper == plan;
  if (NSDS_UNLIKELY(plan->schemes.nown > 0) && current) nsds_plan_own_schemes(plan);
  return NSDS_LIKELY(current) ? NSDS_OK : nsds_plan_renew(plan, scheme);
}
void nsds_plan_destroy(nsds_plan *plan);
static inline void nsds_counts_add(nsds_counts *to, const nsds_counts *some) {
  to->first += some->first;
  to->nonlinear += some->nonlinear;
  to->varying += some->varying;
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

/* Returns 1 / h for laws on y or dy/dt + compliance lambda, lambda = P / h. At an instant forces
 * have no effect: 0. */
static inline double nsds_law_weight(const nsds_contact *contact, const nsds_scheme *scheme) {
  return !contact->is.scaled ? 1.0 : scheme->h > 0.0 ? 1.0 / scheme->h : 0.0;
}

/* Returns true if W is one number, however its matrices are stored. */
static inline bool nsds_slot_is_scalar(const nsds_slot *slot) { return slot->nv == 1; }

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

/* Returns true if a cluster takes a system's gain in place of its W. */
static inline bool nsds_slot_by_gain(const nsds_slot *slot) {
  return slot->parts.integrator || nsds_is_second_order(slot->ds);
}

static inline double nsds_input_scale(const nsds_plan *plan, int s) {
  const nsds_slot *slot = &plan->slot[s];
  return nsds_is_second_order(slot->ds) ? plan->scheme->h : slot->on.input_weight;
}

static inline void nsds_plan_go_stale(nsds_plan *plan) { plan->seen.stale = true; }
static inline void nsds_plan_set_found_stale(nsds_plan *plan, bool stale) {
  plan->seen.found_stale = stale;
}

static inline void nsds_contact_note_active(nsds_contact *contact, bool active) {
  contact->is.shown_active = active;
}
/* Copies the contact's activity from the plan to the model. */
static inline void nsds_contact_show(const nsds_contact *contact) {
  const nsds_contact_found *found = &contact->found;
  if (found->set) nsds_contact_set_show(found->set, found->place, contact->is.shown_active);
  else contact->interaction->active = contact->is.shown_active;
}
/* Notes that H and Y change from step to step. */
static inline void nsds_contact_vary(nsds_contact *contact) { contact->is.fixed = false; }
static inline void nsds_contact_set_counted(nsds_contact *contact, bool counted) {
  contact->is.counted = counted;
}

static inline void nsds_slot_set_affine(nsds_slot *slot, bool affine) {
  slot->is.affine = slot->on.affine = affine;
}

#endif
