/*
 * Texts of failures that name what they are about: the unknowns that a singular matrix leaves open, the
 * prescribed velocities that act against a law.
 */
#ifndef NSDS_SRC_DIAGNOSE_H
#define NSDS_SRC_DIAGNOSE_H

#include "kernel/assembly/plan.h"

enum { nsds_diagnosis_size = 512 };

/* ": its equations leave x[1], x[3] open together" of the singular matrix in slot->W; "" where nothing is known. */
const char *nsds_describe_open(const nsds_slot *slot, char text[nsds_diagnosis_size]);

/* "; prescribed velocities of system 'a' may act against interaction #0, relation 'b' ..." of a contact that a problem was
 * not solved at; "" where no system that it reaches has any. */
const char *nsds_describe_drive(const nsds_plan *plan, const nsds_contact *contact,
                                char text[nsds_diagnosis_size]);

/* The error of a method chosen by name that does not take the problem of so many rows. */
nsds_status nsds_problem_refused(nsds_context *context, const char *what, double t, int rows,
                                 const nsds_solver *solver);

#endif
