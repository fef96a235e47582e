/**
 * @file contact.h
 * @brief Contact sets: contacts that are found anew as bodies move.
 *
 * A contact set is one object of a model for any number of contacts under one law. In every step
 * the geometry of the set finds the contacts near the state. These contacts take part in the step
 * like interactions (index set, one-step problem, impulses), but they are not objects. A key
 * identifies each contact, so that its impulse starts the next solve. Memory grows to the largest
 * number of contacts met; after that, steps allocate nothing. If a set grows in a step, y, dy/dt
 * and impulses of all interactions move in memory: ask for the pointers again.
 *
 * Time stepping linearizes a contact once per step, as it does for relations with gamma = 1. The set finds y*
 * and H at the expected end of the step, q* = q_i + h gamma V_i:
 *
 *     dy/dt = H V,   y_{i+1} = y* + h H [theta V_{i+1} + (1 - theta - gamma) V_i]
 *
 * So a body that rides or rolls on a turning body keeps its path (docs/orders.md). With
 * nsds_time_stepping_def::contacts_at_start the set takes contacts at the start of the step.
 * Bundled sets also take a contact at the start if its two bodies strike each other, because the
 * bodies would overlap at the end.
 *
 * Event-driven simulation (nsds/event_driven.h) finds contacts at the start of the run, and when
 * bodies have moved so far that others may be near. Between searches the geometry of each contact
 * gives y(q), H(q) and d^2y/dt^2 along the motion, and the simulation locates the times at which
 * gaps close.
 *
 * Programs read contacts as ::nsds_contact_info, singly or by an iterator over a set, a body or a
 * model. The normal n points towards the first body ds[0]; n, t1, t2 is right-handed. At the point,
 * world_force acts on ds[0] and -world_force on ds[1]. So the force on a body b is world_force if
 * ds[0] == b, and -world_force if ds[1] == b. In the bundled sets ds[0] is the body of the shape
 * with the lower number, and scenery comes second.
 */
#ifndef NSDS_CONTACT_H
#define NSDS_CONTACT_H

#include <nsds/law.h>
#include <nsds/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A set of contacts that come and go. */
typedef struct nsds_contact_set nsds_contact_set;

/** Receives the contacts that a geometry finds. */
typedef struct nsds_contacts nsds_contacts;

/**
 * The point and frame of a contact. In space a law has 1, 3 or 5 rows: n; t1 and t2; rolling about
 * t1 and t2. In the plane it has 1, 2 or 3 rows: n; t; rolling. See nsds_contact_relation(). Steps
 * do not read this structure.
 */
typedef struct nsds_contact_place {
  int dimension;    /**< 3, or 2: third coordinates are not read; 0 means 3 */
  double point[3];  /**< P in the world [m]: where the impulse acts, on both systems */
  double normal[3]; /**< n in the world, of length 1, towards ds[0] */
  /** t1 in the world, of length 1, at right angles to n, with t2 = n x t1. Zero: the library
   *  chooses t1. Not read in the plane, where t is n turned by -90 degrees. */
  double tangent[3];
  int shape[2]; /**< numbers of the shapes that touch, passed on to readers */
} nsds_contact_place;

/** A shape as programs read it, see shapes.h. */
typedef struct nsds_shape_info nsds_shape_info;

/** A contact, as its geometry finds it. Arrays are copied. */
typedef struct nsds_contact_point {
  uint64_t key;    /**< the same for a contact from step to step, unique in the set. If two contacts
                        share a key, each may start the solve from the impulse of the other; nothing
                        else goes wrong */
  nsds_ds *ds[2];  /**< second-order systems; the second may be NULL: a contact with the world */
  const double *y; /**< as many gaps [m] as the law has rows; a row without a gap is not read */
  const double *H; /**< dy/dt = H V: rows of the law x (nv of ds[0] + nv of ds[1]), column-major */
  nsds_law *law;   /**< a law of the model for this contact; NULL: the law of the contact set. Both
                        laws must have the same size, gaps, level and set */
  const nsds_contact_place *place; /**< for programs that read the contact; NULL: unknown */
} nsds_contact_point;

/** Hands over one contact. Errors: a wrong contact, or memory. The step fails with the first
 *  error. */
NSDS_API nsds_status nsds_contacts_add(nsds_contacts *contacts, const nsds_contact_point *point);

/** The geometry of a set, which finds the contacts. */
typedef struct nsds_geometry_ops {
  const char *type; /**< name of the type, for messages */
  /**
   * Finds the contacts near the state of the set's systems at time t. Hands each contact to
   * nsds_contacts_add(). In a step of time stepping nsds_q() gives q* above, and t is the time of
   * q*. Hand over contacts in the same order as in the step before, which costs least. For the
   * return value see extend.h.
   */
  nsds_status (*find)(void *self, double t, nsds_contacts *contacts);
  /** Frees self. May be NULL. */
  void (*destroy)(void *self);
  /** Number of shapes for programs that draw the set. NULL: none. */
  int (*shape_count)(void *self);
  /** Shape k, the k-th by increasing number; *shape is zero before the call. The library then fills
   *  in the place in the world. Arrays live as long as the shape. NULL together with
   *  shape_count. */
  void (*shape)(void *self, int k, nsds_shape_info *shape);
  /** A system of the model was destroyed, even one without shapes in the set: drop the data kept
   *  about it. Use the handle `ds` only to compare it with others. NULL: no data is kept. */
  void (*forget)(void *self, const nsds_ds *ds);
  /**
   * @name Following contacts, for event-driven simulation
   *
   * If contacts are for time stepping only, leave all these operations NULL. Otherwise only bias
   * and place may be NULL. `key` tells the contact of the call. The arguments in->q and in->v hold
   * the coordinates and velocities of ds[0], then those of ds[1]. The bodies may be at any
   * distance, and results must be smooth in q and v. No operation may look at nsds_q(), the state
   * before.
   * @{
   */
  /** Writes as many gaps as the law has, see nsds_contact_point::y. */
  nsds_status (*output)(void *self, uint64_t key, const nsds_arguments *in, double *y);
  /** Writes H. `found` is the nsds_contact_point::H with which `find` handed the contact over.
   *  Tangents turn from their directions in `found`. */
  nsds_status (*gradient_v)(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                            double *H);
  /** Writes d^2y/dt^2 at dv/dt = 0, for each row of the law. NULL: the library takes
   *  differences. */
  nsds_status (*bias)(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                      double *bias);
  /** Returns a gap [m], > 0. Every contact that `find` does not hand over has a larger gap. */
  double (*reach)(void *self);
  /** Returns an upper bound [m] of the distance that any point of the body that can touch moves
   *  between coordinates q0 and q. Returns zero for a body that is not in the set. */
  double (*travel)(void *self, const nsds_ds *ds, const double *q0, const double *q);
  /** Writes the place of the contact, for programs that read it. The library calls this after it
   *  has accepted a step or an event; the operation must not fail. *place is zero before the call.
   *  If the normal stays zero, or is not of length 1 within 1e-6, the place is unknown. NULL: the
   *  place is never known. */
  void (*place)(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                nsds_contact_place *place);
  /** @} */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_geometry_ops;

/** Everything needed to make a contact set. */
typedef struct nsds_custom_contact_set_def {
  const char *name;             /**< for messages; copied; may be NULL */
  const nsds_geometry_ops *ops; /**< operations; must outlive the model */
  void *self;    /**< passed to ops; owned by the set from this call on, also when the call fails */
  nsds_law *law; /**< the law of every contact without a law of its own; each contact has a copy */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_custom_contact_set_def;

/** Creates a contact set. */
NSDS_API nsds_contact_set *nsds_custom_contact_set(nsds_model *model,
                                                   const nsds_custom_contact_set_def *def);

/** Removes a set with its contacts from the model, between steps. Later calls with the handle fail
 *  as after nsds_disconnect(). */
NSDS_API nsds_status nsds_contact_set_destroy(nsds_contact_set *set);

/**
 * Decides whether a contact takes part in the step. May write `order`: the set takes the contacts
 * by increasing order[0], then order[1], and equal ones as the geometry has found them. The call
 * may read the model, as operations of geometries may.
 * @param point as the geometry hands the contact over
 * @param order two numbers that come as 0
 * @param user  as given to nsds_contact_set_choose()
 * @return false: the contact is left out
 */
typedef bool (*nsds_choose_fn)(const nsds_contact_point *point, uint64_t *order, void *user);

/**
 * Chooses among the contacts that a set finds, from the next step on. For time stepping with
 * schemes that take contacts as they are found; nsds_rattle() and event-driven simulations refuse
 * such a set with NSDS_ERROR_UNSUPPORTED.
 * @param set    any contact set
 * @param choose called once for each contact found; NULL: takes all, in the order found
 * @param user   passed to choose
 */
NSDS_API nsds_status nsds_contact_set_choose(nsds_contact_set *set, nsds_choose_fn choose,
                                             void *user);

/** Name of a contact set, or "". */
NSDS_API const char *nsds_contact_set_name(const nsds_contact_set *set);
/** Names a contact set in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_contact_set_set_name(nsds_contact_set *set, const char *name);
/** The pointer that nsds_contact_set_set_user() put on a contact set; NULL: none. */
NSDS_API void *nsds_contact_set_user(const nsds_contact_set *set);
/** Attaches a user pointer to a contact set. The library does not read or free the data. */
NSDS_API nsds_status nsds_contact_set_set_user(nsds_contact_set *set, void *user);

/** Number of contacts that the last search in a step found. */
NSDS_API int nsds_contact_set_count(const nsds_contact_set *set);

/** Number of contact sets of a model. */
NSDS_API int nsds_model_contact_set_count(const nsds_model *model);
/** Contact set k of the model, in the order of creation; NULL out of range. */
NSDS_API nsds_contact_set *nsds_model_contact_set_at(const nsds_model *model, int k);

/**
 * A contact after the last step, of a contact set or of an interaction whose relation is a contact
 * of bodies. Pointers are lent until the next step.
 *
 *     world_force = f1 n + f2 t1 + f3 t2         (in the plane f1 n + f2 t)
 *     world_moment = f4 t1 + f5 t2               (in the plane f3 about the third axis)
 *
 * with `force` = (f1, f2, ...), and likewise the impulses. world_force acts on ds[0] at `point`;
 * world_moment is rolling friction on ds[0]. The opposite force and moment act on ds[1], or on the
 * world.
 *
 * Point and frame belong to the impulse of the last step. In time stepping the contacts of sets
 * stay at the place of the search, near the end of the step (see above). Interactions have the
 * point and frame of the present positions of their systems; if gamma is 1, H was taken there. In
 * event-driven simulation all contacts have the point and frame of the present positions.
 */
typedef struct nsds_contact_info {
  uint64_t key;                  /**< key of the contact; 0: an interaction */
  nsds_ds *ds[2];                /**< the bodies; the second is NULL for the world */
  const double *y;               /**< gap at the end of the step [m]; its first entry counts */
  const double *ydot;            /**< local velocity at the end of the step [m/s, rad/s] */
  const double *impulse;         /**< P over the step, or over the last piece of a step that was cut
                                      [N s, N m s]; event-driven: P of the last event */
  const double *force;           /**< P / h [N, N m]; event-driven: the force at the present time */
  bool active;                   /**< true: the contact took part in the nonsmooth problem */
  nsds_contact_set *set;         /**< the set that found the contact; NULL: an interaction */
  nsds_interaction *interaction; /**< the interaction; NULL: a contact of a set */
  int rows;                      /**< length of y, ydot, impulse and force */
  /** True: point and frame are known. False: all fields that follow are zero. Either the geometry
   *  does not tell the place, or a function of the model is reading an interaction, or no
   *  simulation exists. */
  bool located;
  int dimension;           /**< 2 or 3 */
  int shape[2];            /**< numbers of the shapes that touch, for nsds_shapes_get() */
  double point[3];         /**< P in the world [m] */
  double normal[3];        /**< n in the world, of length 1, towards ds[0] */
  double tangent[2][3];    /**< t1 and t2 in the world; in the plane t and zero */
  double world_impulse[3]; /**< on ds[0] at the point [N s] */
  double world_force[3];   /**< on ds[0] at the point [N] */
  double world_twist[3];   /**< angular impulse of rolling friction on ds[0] [N m s] */
  double world_moment[3];  /**< moment of rolling friction on ds[0] [N m] */
} nsds_contact_info;

/** Contact k of the last step, in the order found; NSDS_ERROR_ARGUMENT out of range. */
NSDS_API nsds_status nsds_contact_set_get(const nsds_contact_set *set, int k,
                                          nsds_contact_info *info);

/** An interaction as a contact. NSDS_ERROR_ARGUMENT: the relation was not made by
 *  nsds_contact_relation(), nsds_sphere_plane_relation() or nsds_sphere_sphere_relation(). */
NSDS_API nsds_status nsds_interaction_contact(const nsds_interaction *interaction,
                                              nsds_contact_info *info);

/** An iterator over contacts. The fields belong to the library. */
typedef struct nsds_contact_iterator {
  const nsds_model *model;     /**< the model of the contacts */
  const nsds_contact_set *set; /**< not NULL: only contacts of this set */
  const nsds_ds *ds;           /**< not NULL: only contacts of this body */
  int part;                    /**< the present set, then interactions */
  int next;                    /**< the next contact in this part */
} nsds_contact_iterator;

/**
 * Returns an iterator over the contacts of a set, found in the last step:
 *
 *     nsds_contact_info c;
 *     nsds_contact_iterator at = nsds_set_contacts(set);
 *     while (nsds_next_contact(&at, &c)) draw(c.point, c.world_force);
 *
 * The iterator is valid until the next step, or until sets or interactions are added or removed.
 */
NSDS_API nsds_contact_iterator nsds_set_contacts(const nsds_contact_set *set);

/** Returns an iterator over all contacts of a body: contacts of sets first, then interactions that
 *  are contacts. The iterator looks at every contact of the model. If you need the contacts of
 * many bodies, go through the contacts of the model once instead. */
NSDS_API nsds_contact_iterator nsds_body_contacts(const nsds_ds *ds);

/** Returns an iterator over the contacts of a model: contacts of all sets first, then interactions
 *  that are contacts of bodies. */
NSDS_API nsds_contact_iterator nsds_model_contacts(const nsds_model *model);

/** Writes the next contact; returns false if there is none. The iterator also gives contacts that
 *  were not active, with zero impulse. If the contact_fn of a relation fails, `located` is false
 *  and the context has the error. */
NSDS_API bool nsds_next_contact(nsds_contact_iterator *iterator, nsds_contact_info *contact);

/**
 * Balls of equal radius, in contact with a half space and with each other. The half space ends at a
 * plane in three dimensions, at a line in two. Contacts have normal rows only:
 *
 *     y = n.x - offset - r        with the half space {x : n.x <= offset}, which is solid
 *     y = |x_i - x_j| - 2 r       between balls
 *
 * x is the first `dimension` coordinates of a system; their velocities are the first entries of v.
 */
typedef struct nsds_balls_def {
  const char *name;     /**< for messages; copied; may be NULL */
  nsds_law *law;        /**< one row per contact */
  int count;            /**< number of balls >= 1, at most the systems of the model */
  nsds_ds *const *ds;   /**< count second-order systems; copied */
  int dimension;        /**< 2 or 3; 0 means 3 */
  double radius;        /**< r > 0 [m] */
  const double *normal; /**< n, of unit length; NULL: no half space */
  double offset;        /**< offset of the half space [m] */
  bool pairs;           /**< contacts between balls too */
  double reach; /**< the search finds contacts with gaps up to this [m]; 0: the radius. Balls faster
                     than reach / h can pass through each other */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_balls_def;

/** Creates the contact set of balls. */
NSDS_API nsds_contact_set *nsds_balls(nsds_model *model, const nsds_balls_def *def);

/** A half space {x : n.x <= offset} that bodies stay out of; six of them are a box. */
typedef struct nsds_plane {
  double normal[3]; /**< n, of length 1, towards the bodies */
  double offset;    /**< [m] */
} nsds_plane;

/**
 * Spheres around the centers x of rigid bodies in space, against static planes and each other:
 *
 *     y = n.x - offset - r                    P = x - r n
 *     y = |x_i - x_j| - r_i - r_j   (i < j)   P halfway between the surfaces, n = (x_i - x_j) / |.|
 *
 * H has the first rows of nsds_contact_relation(), as many as the law has: the normal, two tangents
 * that turn with the normal, two rows of rolling. The search takes a time proportional to the
 * number of spheres, whatever their radii, and to the contacts per sphere.
 */
typedef struct nsds_spheres_def {
  const char *name;        /**< for messages; copied; may be NULL */
  nsds_law *law;           /**< 1, 3 (friction) or 5 rows (rolling) per contact */
  int count;               /**< number of spheres >= 1 */
  nsds_ds *const *ds;      /**< count bodies of nsds_rigid_body(), each once; copied */
  double radius;           /**< r > 0 of all spheres [m]; not read with radii */
  const double *radii;     /**< count radii > 0 [m]; copied; NULL: radius */
  int nplane;              /**< number of planes */
  const nsds_plane *plane; /**< nplane planes; copied */
  bool planes_only;        /**< spheres do not meet each other */
  double reach; /**< the search finds contacts with gaps up to this [m]; 0: a tenth of the largest
                     radius. Spheres faster than reach / h overlap before they are found */
  int max_contacts; /**< largest number of contacts. If the search finds more, the step fails. 0:
                         one per plane and sphere, plus 16 per sphere, which is more than twice the
                         number in a dense packing of equal spheres */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_spheres_def;

/**
 * Creates the contact set of spheres. A step fails with NSDS_ERROR_VALUE if two centers coincide,
 * because such a pair has no normal, or if the search finds more than max_contacts. The model stays
 * as it was. Errors:
 * - a system that is not a rigid body of this model, or is given twice;
 * - radii that are not positive, or a normal that is not of length 1 within 1e-6;
 * - a law of 2, 4 or more than 5 rows, or a set with neither a plane nor two spheres.
 */
NSDS_API nsds_contact_set *nsds_spheres(nsds_model *model, const nsds_spheres_def *def);

#ifdef __cplusplus
}
#endif
#endif
