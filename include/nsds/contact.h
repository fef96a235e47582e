/**
 * @file contact.h
 * @brief Contact sets: contacts that are found anew as bodies move.
 *
 * A contact set is one object of a model for any number of contacts under one law. In every step
 * its geometry finds the contacts near the state; they take part in the step as
 * interactions do (index set, one-step problem, impulses), without being objects of their own. A
 * key tells a contact from the others, so that its impulse is the start of the next solve. Memory
 * grows to the largest number of contacts met, after which steps allocate nothing. A step in which
 * a set grows moves y, dy/dt and impulses of all interactions: ask for the pointers again.
 *
 * In time stepping a contact is linearised once per step, where bodies are expected at its end, as
 * relations are with gamma = 1: with y* and H found at q* = q_i + h gamma V_i
 *
 *     dy/dt = H V,   y_{i+1} = y* + h H [theta V_{i+1} + (1 - theta - gamma) V_i]
 *
 * so that what rides or rolls on what turns keeps its way (docs/orders.md).
 * nsds_time_stepping_def::contacts_at_start has them taken at the start. Bundled sets take those of the
 * start where two strike each other: at the end these would lie in each other.
 *
 * In event-driven simulation (nsds/event_driven.h) contacts are found at its start and whenever bodies
 * have moved so far that others may be near. In between each is followed: y(q), H(q) and
 * d^2y/dt^2 are those of its geometry along the motion, and gaps that close are located.
 *
 * Programs read contacts as ::nsds_contact_info, one by one or by an iterator over those of a set, of
 * a body or of a model. Sign and frame: n leads towards ds[0], the first body; world_force acts on
 * ds[0] and -world_force on ds[1], both at the point P; n, t1, t2 is right-handed. In the bundled sets
 * ds[0] is the body of the shape with the lower number, and scenery comes second. So the force on a
 * body b is world_force where ds[0] == b, and -world_force where ds[1] == b.
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

/** Where a geometry puts the contacts it finds. */
typedef struct nsds_contacts nsds_contacts;

/**
 * Where a contact is, and its frame. A law of 1, 3 or 5 rows in space is about n, t1, t2 and rolling
 * about t1 and t2; one of 1, 2 or 3 rows in the plane about n, t and rolling: see
 * nsds_contact_relation(). Steps do not read it.
 */
typedef struct nsds_contact_place {
  int dimension;    /**< 3, or 2: third coordinates are not read; 0 means 3 */
  double point[3];  /**< P in the world [m]: where the impulse acts, on both systems */
  double normal[3]; /**< n in the world, of length 1, towards ds[0] */
  /** t1 in the world, of length 1, at right angles to n, with t2 = n x t1; zero: one is chosen. In
   *  the plane it is not read: t is n turned by -90 degrees. */
  double tangent[3];
  int shape[2]; /**< numbers of the shapes that touch, passed on to readers */
} nsds_contact_place;

/** A shape as programs read it, see shapes.h. */
typedef struct nsds_shape_info nsds_shape_info;

/** A contact, as its geometry finds it. Arrays are copied. */
typedef struct nsds_contact_point {
  uint64_t key;    /**< the same for the same contact from step to step, no other in the set has it
                        (two with one key may start the solve from each other's impulse, no more) */
  nsds_ds *ds[2];  /**< second-order systems; the second may be NULL: a contact with the world */
  const double *y; /**< as many gaps [m] as the law has rows; a row without a gap is not read */
  const double *H; /**< dy/dt = H V: rows of the law x (nv of ds[0] + nv of ds[1]), column-major */
  nsds_law *law;   /**< of this contact: of the model, of the same size, gaps, level and set as the
                        set's; NULL: the set's */
  const nsds_contact_place *place; /**< where it is, for programs that read it; NULL: not told */
} nsds_contact_point;

/** Hands over one contact. Errors are those of a wrong contact, or memory; the step fails with the
 *  first of them. */
NSDS_API nsds_status nsds_contacts_add(nsds_contacts *contacts, const nsds_contact_point *point);

/** What makes contacts: the geometry behind a set. */
typedef struct nsds_geometry_ops {
  const char *type; /**< name of the type, for messages */
  /**
   * Finds the contacts near the state of its systems at time t and hands each to
   * nsds_contacts_add(). In a step of time stepping nsds_q() gives q* above, and t is its time.
   * Contacts in the same order as in the step before cost least. It may return what every operation
   * may, see extend.h.
   */
  nsds_status (*find)(void *self, double t, nsds_contacts *contacts);
  /** Frees self. May be NULL. */
  void (*destroy)(void *self);
  /** Number of shapes for programs that draw the set. NULL: none. */
  int (*shape_count)(void *self);
  /** Shape k of them, the k-th by increasing number; *shape is zero beforehand. Its place in the world is
   *  filled in afterwards; arrays live as long as the shape. NULL together with shape_count. */
  void (*shape)(void *self, int k, nsds_shape_info *shape);
  /** A system of the model was destroyed, whether the set had shapes of it or not: drops what is kept
   *  of it. `ds` is its handle, good for comparisons alone. NULL: nothing is kept. */
  void (*forget)(void *self, const nsds_ds *ds);
  /**
   * @name Following contacts, for event-driven simulation
   *
   * NULL where contacts are for time stepping alone; else all of them, but for bias and place. They
   * are about
   * the contact with this key between bodies with the coordinates in->q and velocities in->v, those
   * of ds[0] before those of ds[1], at any distance, and smooth in them. No operation may look at
   * nsds_q(), which is the state before.
   * @{
   */
  /** As many gaps as the law has, see nsds_contact_point::y. */
  nsds_status (*output)(void *self, uint64_t key, const nsds_arguments *in, double *y);
  /** H. Tangents turn from where they were found: `found` is nsds_contact_point::H of then. */
  nsds_status (*gradient_v)(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                            double *H);
  /** d^2y/dt^2 while all dv/dt are zero, as many as the law has rows. NULL: by differences. */
  nsds_status (*bias)(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                      double *bias);
  /** Contacts that find does not hand over have gaps beyond this [m], > 0. */
  double (*reach)(void *self);
  /** No point of the body that can touch has moved farther than this on the way from coordinates q0
   *  to q [m]; 0 for a body that is none of the set's. */
  double (*travel)(void *self, const nsds_ds *ds, const double *q0, const double *q);
  /** Where the contact is, for programs that read it: called where a step or an event has been
   *  accepted, and does not fail. *place is zero beforehand; a normal that stays so, or is not of
   *  length 1 within 1e-6, says that the place is not known. NULL, like bias: it never is. */
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
  void *self; /**< passed to them; owned by the set from this call on, also when the call fails */
  nsds_law *law; /**< of every contact that does not come with its own; one copy of it each */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_custom_contact_set_def;

/** Creates a contact set. */
NSDS_API nsds_contact_set *nsds_custom_contact_set(nsds_model *model,
                                                   const nsds_custom_contact_set_def *def);

/** Removes a set with its contacts from the model, between steps. Its handle is recognised
 *  afterwards as that of an interaction, see nsds_disconnect(). */
NSDS_API nsds_status nsds_contact_set_destroy(nsds_contact_set *set);

/** Name of a contact set, or "". */
NSDS_API const char *nsds_contact_set_name(const nsds_contact_set *set);
/** Names a contact set in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_contact_set_set_name(nsds_contact_set *set, const char *name);
/** The pointer that nsds_contact_set_set_user() has put on a contact set; NULL: none. */
NSDS_API void *nsds_contact_set_user(const nsds_contact_set *set);
/** Puts a pointer of the program's on a contact set; the library does not read or free it. */
NSDS_API nsds_status nsds_contact_set_set_user(nsds_contact_set *set, void *user);

/** Number of contacts found last, in a step. */
NSDS_API int nsds_contact_set_count(const nsds_contact_set *set);

/**
 * One contact after the last step, of a contact set or of an interaction whose relation is a contact of
 * bodies. Pointers are lent until the next step.
 *
 *     world_force = f1 n + f2 t1 + f3 t2         (in the plane f1 n + f2 t)
 *     world_moment = f4 t1 + f5 t2               (in the plane f3 about the third axis)
 *
 * with `force` = (f1, f2, ...), and likewise the impulses. world_force acts on ds[0] at `point`,
 * world_moment is rolling friction on ds[0]; ds[1], or the world, has the opposite of both.
 *
 * Point and frame are those that the last step has taken the impulse with. In time stepping contacts
 * of sets are where they were found, near the end of the step (see above); interactions are where
 * their systems are now, which is where H was taken if gamma is 1. In event-driven simulation all are
 * where their systems are.
 */
typedef struct nsds_contact_info {
  uint64_t key;                  /**< as found; 0: of an interaction */
  nsds_ds *ds[2];                /**< the bodies; the second is NULL for the world */
  const double *y;               /**< gap at the end of the step [m]; its first entry counts */
  const double *ydot;            /**< local velocity at the end of the step [m/s, rad/s] */
  const double *impulse;         /**< P over the step (where it was cut into pieces: the last one)
                                      [N s, N m s]; event-driven: of the last event */
  const double *force;           /**< P / h [N, N m]; event-driven: the force at the present time */
  bool active;                   /**< took part in the nonsmooth problem */
  nsds_contact_set *set;         /**< that has found it; NULL: it is of an interaction, */
  nsds_interaction *interaction; /**< of this one; NULL: of a set */
  int rows;                      /**< length of y, ydot, impulse and force */
  /** Point and frame are known; false: all that follows is zero, as the geometry has not told, or an
   *  interaction is read from a function of the model, or before there is a simulation. */
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

/** An interaction as a contact. NSDS_ERROR_ARGUMENT: its relation is not one of
 *  nsds_contact_relation(), nsds_sphere_plane_relation() or nsds_sphere_sphere_relation(). */
NSDS_API nsds_status nsds_interaction_contact(const nsds_interaction *interaction,
                                              nsds_contact_info *info);

/** A way through contacts. Its fields are the library's own. */
typedef struct nsds_contact_iterator {
  const nsds_model *model;     /**< whose contacts */
  const nsds_contact_set *set; /**< of this set alone, if not NULL */
  const nsds_ds *ds;           /**< of this body alone, if not NULL */
  int part;                    /**< the set it has come to, then interactions */
  int next;                    /**< the contact that comes next there */
} nsds_contact_iterator;

/**
 * Begins a way through the contacts of a set, found in the last step:
 *
 *     nsds_contact_info c;
 *     nsds_contact_iterator at = nsds_set_contacts(set);
 *     while (nsds_next_contact(&at, &c)) draw(c.point, c.world_force);
 *
 * It holds until the next step, and until sets or interactions come or go.
 */
NSDS_API nsds_contact_iterator nsds_set_contacts(const nsds_contact_set *set);

/** The same for all contacts of a body: those of sets, then interactions that are contacts. It looks
 *  at every contact of the model; for many bodies go through the model once. */
NSDS_API nsds_contact_iterator nsds_body_contacts(const nsds_ds *ds);

/** The same for a model: contacts of all sets, then interactions that are contacts of bodies. */
NSDS_API nsds_contact_iterator nsds_model_contacts(const nsds_model *model);

/** The next contact; false: there is none. Contacts that were not active, whose impulse is zero, are
 *  among them. Where the contact_fn of a relation fails, `located` is false and the context has the
 *  error. */
NSDS_API bool nsds_next_contact(nsds_contact_iterator *iterator, nsds_contact_info *contact);

/**
 * Balls of one radius: contacts of a ball with a half space (a plane in three dimensions, a line in
 * two) and between balls, normal rows only,
 *
 *     y = n.x - offset - r        with the half space {x : n.x <= offset}, which is solid
 *     y = |x_i - x_j| - 2 r       between balls
 *
 * x being the first `dimension` coordinates of a system, whose velocities are the first ones of v.
 */
typedef struct nsds_balls_def {
  const char *name;     /**< for messages; copied; may be NULL */
  nsds_law *law;        /**< one row per contact */
  int count;            /**< number of balls >= 1, at most the systems of the model */
  nsds_ds *const *ds;   /**< count second-order systems; copied */
  int dimension;        /**< 2 or 3 */
  double radius;        /**< r > 0 [m] */
  const double *normal; /**< n, of unit length; NULL: no half space */
  double offset;        /**< of the half space [m] */
  bool pairs;           /**< contacts between balls too */
  double reach; /**< contacts with a gap up to this are found [m]; 0: the radius. Faster balls than
                     reach / h can pass through each other */
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
 * Spheres around the centres of rigid bodies in space, against static planes and each other, with
 * x the centres:
 *
 *     y = n.x - offset - r                    P = x - r n
 *     y = |x_i - x_j| - r_i - r_j   (i < j)   P halfway between the surfaces, n = (x_i - x_j) / |.|
 *
 * H has the rows of nsds_contact_relation(): normal; two tangents, which turn with the normal; two
 * of rolling, as many as the law has. Finding takes a time proportional to the number of spheres,
 * whatever their radii, and the contacts per sphere.
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
  double reach; /**< contacts with a gap up to this are found [m]; 0: a tenth of the largest radius.
                     What is faster than reach / h overlaps before it is found */
  int max_contacts; /**< a step in which more are found fails; 0: 16 per sphere, more than twice
                         what a dense packing of equal spheres has, and one per plane and sphere */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_spheres_def;

/**
 * Creates the contact set of spheres. Centres at one point have no normal: NSDS_ERROR_VALUE in the
 * step, as with more than max_contacts; the model stays as it was. Errors: systems that are no
 * rigid bodies of this model or come twice, radii that are not positive, a normal that is not of
 * length 1 within 1e-6, a law of 2 or 4 rows or of more than 5, neither planes nor two spheres.
 */
NSDS_API nsds_contact_set *nsds_spheres(nsds_model *model, const nsds_spheres_def *def);

#ifdef __cplusplus
}
#endif
#endif
