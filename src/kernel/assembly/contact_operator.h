#ifndef NSDS_SRC_CONTACT_OPERATOR_H
#define NSDS_SRC_CONTACT_OPERATOR_H

#include "kernel/assembly/operators.h"

/* Creates an operator over the plan, with gains of its own (M^-1) if `own_gain`. */
void nsds_contact_operator_create(nsds_plan *plan, bool own_gain, nsds_contact_operator *op);
void nsds_contact_operator_destroy(nsds_contact_operator *op);
nsds_status nsds_contact_operator_resize(nsds_contact_operator *op, size_t contacts);
/* Gives contact c a new id, because its structure has changed. */
void nsds_contact_operator_number(const nsds_contact_operator *op, int c, uint64_t id);
void nsds_contact_operator_renumber(nsds_contact_operator *op, int c);
/* Computes Y of contact c from H. */
void nsds_contact_operator_form_y(const nsds_contact_operator *op, int c);
/* Computes the operator's own gains, M^-1 at a state, and Y of the affine contacts. */
nsds_status nsds_contact_operator_gains(nsds_contact_operator *op, const nsds_state *at);

#endif
