/**
 * @file mpi_world.h
 * @brief A granular world on many processes: bodies, their contacts, steps (library nsds-mpi).
 *
 * A world has rigid bodies in space, with shapes, and scenery. Each process owns the bodies of a part
 * of space, and steps them in an ordinary model. Copies of near bodies of other processes stand in
 * the model too: the halo. A contact between two processes is a row of one of them. The contacts of
 * all processes form one problem, which nsds_mpi_solve() solves and certifies in each step:
 *
 *     M (v' - v) = h f + H^T P,   q' = q (+) h (v + v') / 2,
 *     y' = H v' (with restitution) in Coulomb's law with P, for all contacts that are closed
 *
 * That is nsds_time_stepping() with nsds_moreau_jean(0.5, 1.0) and NSDS_OVERLAP_STAYS; the rotation of
 * bodies has W x J W of the start of the step. With one process the world does the same.
 *
 * All calls are collective unless their text says otherwise. When a call fails on one process, all
 * return the status of that process, and the world is as before. See docs/scale.md.
 */
#ifndef NSDS_MPI_WORLD_H
#define NSDS_MPI_WORLD_H

#include <nsds/mpi.h>
#include <nsds/shapes.h>
#include <nsds/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A granular world. */
typedef struct nsds_mpi_world nsds_mpi_world;

/** A kind of bodies. Every process gives the same kinds. */
typedef struct nsds_mpi_kind {
  double mass;                 /**< > 0 [kg] */
  double inertia[9];           /**< 3 x 3, about the center, symmetric positive definite [kg m^2] */
  int nshape;                  /**< number of shapes, >= 1 */
  const nsds_shape_def *shape; /**< nshape shapes in the body, `ds` NULL: spheres, capsules, boxes,
                                    hulls, cylinders, cones, ellipsoids. Copied with their points */
} nsds_mpi_kind;

/** A body. */
typedef struct nsds_mpi_body {
  long long id; /**< its own in the world, 0 .. NSDS_MPI_BODIES - 1 */
  int kind;     /**< index into nsds_mpi_world_def::kind */
  double size; /**< factor s of all lengths of the kind: masses by s^3, inertia by s^5; 0 means 1 */
  double q[7]; /**< center and unit quaternion; a quaternion of zeros means no rotation [m, 1] */
  double v[6]; /**< velocities, as of nsds_rigid_body() [m/s, rad/s] */
} nsds_mpi_body;

/** Number of identifiers of bodies. */
enum { NSDS_MPI_BODIES = 357913941 };

/**
 * Makes scenery, at the start and whenever bodies change their owners. The function adds shapes without
 * a body to `set`, and bodies with all six velocities prescribed to `model`, with their shapes. Make
 * the same on all processes and at all times. Bodies begin with their states at
 * nsds_mpi_world_def::t0; the library sets their present states after the call.
 * @return NSDS_OK, or a failure, with its message recorded by nsds_report()
 */
typedef nsds_status (*nsds_mpi_scenery_fn)(nsds_model *model, nsds_contact_set *set, void *user);

/** A world. Zero fields take the default; all processes give the same, apart from bodies. */
typedef struct nsds_mpi_world_def {
  double t0;                     /**< start [s] */
  double h;                      /**< step, > 0 [s] */
  double gravity[3];             /**< [m/s^2] */
  int nmaterial;                 /**< 1 .. 256 */
  const nsds_material *material; /**< nmaterial, without rolling friction; copied */
  nsds_mix mix;                  /**< how coefficients mix */
  int nkind;                     /**< >= 1 */
  const nsds_mpi_kind *kind;     /**< nkind */
  int nbody;                     /**< bodies that this process brings, >= 0 */
  const nsds_mpi_body *body;     /**< nbody; any process may bring any body; copied */
  nsds_mpi_scenery_fn scenery;   /**< NULL: none */
  void *user;                    /**< passed to scenery */
  double reach; /**< contacts are found up to this gap [m]; 0: a tenth of the radius of the largest
                     body */
  double skin;  /**< halos hold for motions of bodies up to half of this [m]; 0: twice the reach */
  double tolerance;   /**< of the residual of a step, see ::nsds_certificate; 0: 1e-10 */
  int max_iterations; /**< sweeps of a step; 0: 10000 */
  int gather;         /**< see nsds_mpi_options::gather */
  bool reproducible;  /**< the motion has the same bits on any number of processes */
  uint64_t reserved[NSDS_RESERVED]; /**< zero, see ::NSDS_RESERVED */
} nsds_mpi_world_def;

/**
 * Creates a world.
 *
 * @param mpi the group; outlives the world
 * @param def with the bodies of this process
 * @return NULL after a failure on any process: NSDS_ERROR_ARGUMENT, NSDS_ERROR_VALUE (two bodies
 *         with one identifier among them), NSDS_ERROR_UNSUPPORTED (other shapes, rolling friction),
 *         NSDS_ERROR_MEMORY, or the failure of `scenery`
 *
 * Source of the order of bodies in space: G. Morton, A computer oriented geodetic data base (1966).
 */
NSDS_API nsds_mpi_world *nsds_mpi_world_create(nsds_mpi *mpi, const nsds_mpi_world_def *def);

/** Frees a world; NULL is allowed. Not collective. */
NSDS_API void nsds_mpi_world_destroy(nsds_mpi_world *world);

/**
 * Takes a step.
 *
 * @return NSDS_OK; NSDS_ERROR_SOLVER: the problem is not solved to the tolerance. Other failures are
 *         those of nsds_step() and nsds_mpi_solve() on any process
 */
NSDS_API nsds_status nsds_mpi_world_step(nsds_mpi_world *world);

/** Report of the last step. */
typedef struct nsds_mpi_world_info {
  nsds_mpi_info solver;   /**< of the problem, see ::nsds_mpi_info */
  long steps;             /**< steps since the start */
  long rebuilds;          /**< how often owners and halos were found, with the first time */
  long long contacts;     /**< closed contacts of all processes */
  long long own_contacts; /**< closed contacts that are rows of this process */
  int bodies;             /**< bodies that this process owns */
  int ghosts;             /**< bodies of others that it has copies of */
  double busiest;         /**< contacts and bodies of the busiest process, beside the mean */
  long long found;        /**< contacts of all processes that the search has found, closed or not */
  long long exchanges;    /**< exchanges with neighbors in the step, with those of `solver` */
  long long messages;     /**< messages that this process sent in them */
  long long bytes;        /**< bytes of these messages */
  long long reductions;   /**< reductions over all processes in the step, with those of `solver` */
} nsds_mpi_world_info;

/** Present time [s]; NaN for NULL. Not collective. */
NSDS_API double nsds_mpi_world_time(const nsds_mpi_world *world);
/** Report of the last step; NULL for NULL. Not collective. */
NSDS_API const nsds_mpi_world_info *nsds_mpi_world_report(const nsds_mpi_world *world);
/** Number of bodies that this process owns; 0 for NULL. Not collective. */
NSDS_API int nsds_mpi_world_count(const nsds_mpi_world *world);
/** Body k of this process, by increasing identifiers, in its present state. NSDS_ERROR_ARGUMENT: out
 *  of range. Not collective. */
NSDS_API nsds_status nsds_mpi_world_body(const nsds_mpi_world *world, int k, nsds_mpi_body *body);
/**
 * The model of this process: systems of the scenery, then own bodies and ghosts by identifiers. The
 * only contact set has all contacts of own bodies, as after nsds_step(). Read it, and change nothing.
 * The next step may replace it. NULL: the process has no bodies near. Not collective.
 */
NSDS_API const nsds_model *nsds_mpi_world_model(const nsds_mpi_world *world);

/**
 * Writes a snapshot: a manifest at `path`, and beside it a file of each process, PATH.STEPS.RANK. The
 * processes must see the same folder. The old snapshot stays until the new one is complete; if
 * anything fails on any process, it stays altogether. The next step finds owners anew, also in the
 * world that was saved, so that both go on alike.
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT, NSDS_ERROR_IO, NSDS_ERROR_MEMORY
 */
NSDS_API nsds_status nsds_mpi_world_save(nsds_mpi_world *world, const char *path);

/**
 * Goes on from a snapshot, on any number of processes. Make the world by the same definition; bodies
 * of the definition go, so that it needs none. With `reproducible` the motion then has the bits of the
 * world that was saved.
 * @return NSDS_OK; NSDS_ERROR_FORMAT: no snapshot, or damaged; NSDS_ERROR_ARGUMENT: another t0 or h;
 *         NSDS_ERROR_IO, NSDS_ERROR_MEMORY, and the failures of `scenery`. The world is as before then
 */
NSDS_API nsds_status nsds_mpi_world_load(nsds_mpi_world *world, const char *path);

/**
 * Writes bodies as points for ParaView: PATH_FRAME.pvtp, and a piece of each process beside it,
 * PATH_FRAME_RANK.vtp, FRAME with six digits. Points have identifier, kind, size, quaternion,
 * velocity and process. The glyphs of ParaView draw them.
 * @param world the world; all processes call this
 * @param path  begin of the names of all files
 * @param frame 0, 1, ...
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT: no path, or one with < > & or "; NSDS_ERROR_IO
 */
NSDS_API nsds_status nsds_mpi_world_write_vtk(nsds_mpi_world *world, const char *path, int frame);

#ifdef __cplusplus
}
#endif
#endif
