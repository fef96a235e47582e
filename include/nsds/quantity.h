/**
 * @file quantity.h
 * @brief The quantities of a run that you read by name: "q", "kinetic_energy", "overlap".
 *
 * Each quantity is a row of one table: what it belongs to, its size, its unit, and what it means.
 * Model files, their reference and Python read the same rows.
 *
 *     for (const nsds_quantity *q = nsds_quantity_table(); q->name; ++q)
 *       if (q->owner == NSDS_OWNER_SYSTEM)
 *         for (int k = 0; k < nsds_quantity_size(q, ball); ++k)
 *           printf("%s[%d] = %g %s\n", q->name, k, nsds_quantity_read(q, simulation, ball, k),
 *                  nsds_quantity_unit(q, ball, k));
 */
#ifndef NSDS_QUANTITY_H
#define NSDS_QUANTITY_H

#include <nsds/sensor.h>
#include <nsds/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The owner of a quantity: the object that the calls below receive. */
typedef enum nsds_owner {
  NSDS_OWNER_RUN,         /**< the simulation; the object is NULL */
  NSDS_OWNER_SYSTEM,      /**< an nsds_ds */
  NSDS_OWNER_INTERACTION, /**< an nsds_interaction */
  NSDS_OWNER_CONTACT_SET, /**< an nsds_contact_set */
  NSDS_OWNER_SENSOR       /**< an nsds_sensor */
} nsds_owner;

/** The time that a value belongs to. */
typedef enum nsds_moment {
  NSDS_MOMENT_PRESENT,  /**< the present time, as a state does */
  NSDS_MOMENT_INTERVAL, /**< the whole of the last step, as a mean force does; none is known before
                             the first step */
  NSDS_MOMENT_SEARCH    /**< the present time, after contacts have been searched for */
} nsds_moment;

/** A quantity. */
typedef struct nsds_quantity {
  const char *name; /**< "kinetic_energy"; NULL ends the table */
  nsds_owner owner; /**< whose quantity it is */
  const char *size; /**< number of entries, for people: "nq"; NULL: one number, without an index */
  const char *unit; /**< for people; nsds_quantity_unit() knows the unit of an object */
  const char *help; /**< a few words */
  /** @name How to read it
   * The calls below use these functions. NULL means that the call needs none. */
  /**@{*/
  int (*size_of)(const void *object);                /**< NULL: 1 */
  const char *(*unit_of)(const void *object, int k); /**< NULL: `unit` */
  const double *(*array)(const void *object); /**< all entries in memory of the model, which each
                                                   step writes; NULL: the quantity is computed */
  double (*read)(nsds_simulation *simulation, void *object, int k); /**< NULL: from the array */
  nsds_moment (*moment)(const nsds_simulation *simulation, const void *object,
                        int k); /**< NULL: NSDS_MOMENT_PRESENT */
  /**@}*/
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_quantity;

/** All quantities, ended by a row whose name is NULL. The table lives as long as the library. */
NSDS_API const nsds_quantity *nsds_quantity_table(void);
/** The quantity of this name; NULL: the owner has none. */
NSDS_API const nsds_quantity *nsds_quantity_find(nsds_owner owner, const char *name);
/** Number of entries that an object has of a quantity; 0: the object has no such quantity. */
NSDS_API int nsds_quantity_size(const nsds_quantity *quantity, const void *object);
/** Unit of entry k: "m/s". "1" has no dimension; "" is not known. */
NSDS_API const char *nsds_quantity_unit(const nsds_quantity *quantity, const void *object, int k);
/** The time that entry k belongs to. */
NSDS_API nsds_moment nsds_quantity_moment(const nsds_quantity *quantity,
                                          const nsds_simulation *simulation, const void *object,
                                          int k);
/**
 * Reads entry k at the present state.
 *
 * @param quantity   a row of the table
 * @param simulation the simulation, which quantities of the run need
 * @param object     the object; NULL for a quantity of the run
 * @param k          0 <= k < nsds_quantity_size()
 * @return the value; 0 out of range; NaN after an error
 *
 * Errors:
 * - NSDS_ERROR_ARGUMENT: NULL; the object is gone;
 * - NSDS_ERROR_STATE: a function of the model is under way;
 * - errors of the call that reads the value otherwise, for example nsds_sensor_read().
 */
NSDS_API double nsds_quantity_read(const nsds_quantity *quantity, nsds_simulation *simulation,
                                   void *object, int k);

#ifdef __cplusplus
}
#endif
#endif
