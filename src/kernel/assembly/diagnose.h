/*
 * Texts of failures that name the unknowns open in a singular matrix, or the prescribed velocities
 * that act against a law.
 */
#ifndef NSDS_SRC_DIAGNOSE_H
#define NSDS_SRC_DIAGNOSE_H

#include "kernel/assembly/plan.h"

enum { nsds_diagnosis_size = 512 };

/* Writes ": its equations leave x[1], x[3] open together" for the singular matrix in slot->W; "" if
 * nothing is known. */
const char *nsds_describe_open(const nsds_slot *slot, char text[nsds_diagnosis_size]);

/* Writes "; prescribed velocities of system 'a' may act against interaction #0, relation 'b' ..."
 * for a contact whose problem was not solved. Writes "" if no system of the contact has prescribed
 * velocities. */
const char *nsds_describe_drive(const nsds_plan *plan, const nsds_contact *contact,
                                char text[nsds_diagnosis_size]);

/* Reports that a method chosen by name does not take a problem of so many rows. */
nsds_status nsds_problem_refused(nsds_context *context, const char *what, double t, int rows,
                                 const nsds_solver *solver);

#endif
