/**
 * @file extend_step.h
 * @brief A step as a part of a larger problem: its factors, and impulses from outside.
 *
 * For programs that solve the problems of several models as one, or that cut a model into parts.
 * The library nsds-mpi does so (nsds/mpi_world.h). Time stepping in stages (nsds/simulation.h):
 *
 *     nsds_step_begin(s);                     contacts, by nsds_contact_set_choose(); the problem
 *     nsds_step_problem(s);                   its q, H and Y, for the larger one
 *     nsds_step_embed(s, z, complete, user);  z from the larger problem
 *     nsds_step_update(s);                    u = u_free + Y z; complete(u_free, u); positions
 *     nsds_step_gaps(s, ...);                 overlap that is left, for the larger problem
 *     nsds_step_displace(s, way);             moves bodies out of overlap
 *     nsds_step_accept(s);
 */
#ifndef NSDS_EXTEND_STEP_H
#define NSDS_EXTEND_STEP_H

#include <nsds/contact.h>
#include <nsds/extend.h>
#include <nsds/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The present problem, between nsds_step_begin() and nsds_step_update(), with M in factors for any
 * number of rows. Each block row of M is a contact. The columns are the velocities of the systems of
 * the model, in the order of nsds_ds_at(). Lent until nsds_step_accept() or nsds_step_reject(). NULL:
 * the step has no problem, or is of a scheme without factors (nsds_schatzman_paoli(),
 * nsds_rattle()).
 * @param simulation a time-stepping simulation
 */
NSDS_API const nsds_problem *nsds_step_problem(nsds_simulation *simulation);

/**
 * The contact of block row `a` of nsds_step_problem(), for nsds_contact_set_get().
 * @param simulation a time-stepping simulation
 * @param a          a block row, 0 ... the number of contacts - 1
 * @param set        receives the set; may be NULL
 * @return the number of the contact in its set; -1: an interaction, or out of range
 */
NSDS_API int nsds_step_contact(nsds_simulation *simulation, int a, nsds_contact_set **set);

/** Changes the velocities at the end of a step, before positions follow from them.
 *  @param free velocities without impulses, of all systems in the order of nsds_ds_at()
 *  @param v    in: with the impulses of this problem; out: with all
 *  @param user as given to nsds_step_embed() */
typedef void (*nsds_complete_fn)(const double *free, double *v, void *user);

/**
 * Takes z as the solution, in place of nsds_step_solve(), without a certificate: your program has
 * judged z in the larger problem. nsds_step_update() calls `complete` for systems on which other
 * parts act too, with nsds_moreau_jean().
 * @param simulation a time-stepping simulation
 * @param z          the length of the problem
 * @param complete   may be NULL
 * @param user       passed to complete
 * @return NSDS_OK; NSDS_ERROR_STATE: not after nsds_step_begin(); NSDS_ERROR_VALUE: z is not finite
 */
NSDS_API nsds_status nsds_step_embed(nsds_simulation *simulation, const double *z,
                                     nsds_complete_fn complete, void *user);

/**
 * Lists the gaps of found contacts whose law keeps gaps, in the order found. Open contacts are listed if
 * their Y is known. Call this after nsds_step_update().
 * @param simulation a time-stepping simulation of nsds_moreau_jean()
 * @param capacity   room in `gap`
 * @param gap        receives the first rows; NULL: none
 * @param count      receives the number of all rows, which may exceed the capacity
 * @return NSDS_OK; NSDS_ERROR_STATE: not after nsds_step_update(); NSDS_ERROR_UNSUPPORTED: another
 *         scheme, or a system with more than NSDS_STEP_VELOCITIES velocities; NSDS_ERROR_MEMORY
 */
NSDS_API nsds_status nsds_step_gaps(nsds_simulation *simulation, int capacity, nsds_step_gap *gap,
                                    int *count);

/**
 * Moves the bodies at the end of the step, and the gaps of found contacts by H way. Velocities and
 * impulses stay. Call this after nsds_step_update(). If it fails, reject the step.
 * @param simulation a time-stepping simulation of nsds_moreau_jean()
 * @param way        displacement in velocities, of all systems in the order of nsds_ds_at() [m, rad]
 * @return NSDS_OK; NSDS_ERROR_STATE: not after nsds_step_update(); NSDS_ERROR_VALUE: positions are not
 *         finite; NSDS_ERROR_UNSUPPORTED: another scheme; NSDS_ERROR_MEMORY
 */
NSDS_API nsds_status nsds_step_displace(nsds_simulation *simulation, const double *way);

#ifdef __cplusplus
}
#endif
#endif
