/*
 * Contacts: the interactions of a plan, and the contacts that sets have found. contact.c makes them.
 */
#ifndef NSDS_SRC_CONTACTS_H
#define NSDS_SRC_CONTACTS_H

#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/model.h"

typedef struct nsds_plan nsds_plan;
typedef struct nsds_contact nsds_contact;
typedef struct nsds_entry nsds_entry;

/* Operations of an interaction, one table for each order of its systems. `a` is the linearised
 * local variable of the problem's rows:  a = offset + H u + D z. */
typedef struct nsds_contact_ops {
  /* Evaluates the coefficients of an affine relation, which stay with the scheme and the
   * parameters. */
  nsds_status (*refresh)(nsds_plan *plan, nsds_contact *contact);
  /* Evaluates the relation at the Newton iterate. May be NULL. */
  nsds_status (*evaluate)(nsds_plan *plan, nsds_contact *contact);
  /* Linearises a relation that is not affine at the iterate, into the problem's entry. All problems
   * share dh/dt, and C, B, K of first order. These stay with the contact. */
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
  bool shown_active; /* activity that the model shows */
  bool counted : 1;  /* in the plan's counts; bits, so that a contact stays small */
  bool turning : 1;  /* formed at the iterate, on a body that turns in space */
  bool gated;        /* a switch */
  bool looking;      /* looks at the end of a step */
  bool built_in;     /* a joint of the plan's tree: its rows hold without forces */
  bool lifted;       /* edges are joints of the tree; `reach` has the systems, then the edges */
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

/* Returns the first edge of a contact in problems. */
static inline const nsds_reach *nsds_contact_problem_edges(const nsds_contact *contact) {
  return contact->reach + (contact->is.lifted ? contact->nds : 0);
}

/* Returns the number of rows of a contact in event-driven simulation: joints of the tree have none. */
static inline int nsds_contact_event_rows(const nsds_contact *contact) {
  return contact->is.built_in ? 0 : contact->m;
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

/* Returns true for springs with laws at velocity level. */
static inline bool nsds_has_spring_law(const nsds_contact *contact) {
  return contact->is.compliant && contact->is.level0 && contact->law->level == NSDS_LEVEL_VELOCITY;
}

/* Returns the law of a spring, or NULL. */
static inline nsds_spring_law *nsds_contact_spring_law(const nsds_contact *contact) {
  return nsds_has_spring_law(contact) ? contact->law_self : NULL;
}

/* Returns the number of unknowns of a pair, even for a contact with the world: any contact of the
 * set may use the memory. */
static inline size_t nsds_pair_unknowns(const nsds_contact *contact) {
  return (size_t)contact->nv * (contact->nds == 1 ? 2 : 1);
}

/* Returns 1 / h for laws on y or dy/dt + compliance lambda, lambda = P / h. At an instant forces
 * have no effect: 0. */
static inline double nsds_law_weight(const nsds_contact *contact, const nsds_scheme *scheme) {
  return !contact->is.scaled ? 1.0 : scheme->h > 0.0 ? 1.0 / scheme->h : 0.0;
}

/* Shows in the model whether the contact is active. */
static inline void nsds_contact_show(nsds_contact *contact, bool active) {
  const nsds_contact_found *found = &contact->found;
  contact->is.shown_active = active;
  if (found->set) nsds_contact_set_show(found->set, found->place, active);
  else contact->interaction->active = active;
}

#endif
