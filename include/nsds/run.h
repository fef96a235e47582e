/**
 * @file run.h
 * @brief Jobs: a netlist or a model file becomes a table of numbers.
 *
 * These calls are of the library `nsds-jobs`, which is built on libnsds and read by the command `nsds`. A program
 * that links libnsds alone pulls in no reader of files. Include this header by itself: `nsds.h` does not.
 *
 *     nsds_job *job = nsds_job_create(context, &(nsds_job_def){.file = "buck.cir"});
 *     while (nsds_job_step(job) == NSDS_OK) print(nsds_job_row(job)[0], nsds_job_row(job)[1]);
 *     nsds_job_destroy(job);
 *
 * A job is a file, ready to be stepped. The job has columns, the outputs that the file asks for; the first column is
 * the time. The job also has measures, single numbers that are known at the end, such as a mean.
 */
#ifndef NSDS_RUN_H
#define NSDS_RUN_H

#include <nsds/shapes.h>
#include <nsds/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A file, ready to be stepped. */
typedef struct nsds_job nsds_job;

/** Receives a text, piece by piece. A piece is lent for the time of the call. */
typedef void (*nsds_write_fn)(const char *piece, void *user);

/** The kinds of files. */
typedef enum nsds_job_kind {
  NSDS_JOB_BY_NAME =
      0, /**< by the ending: .cir .net .sp .spice circuits, .yaml .yml model files, .urdf .xml .mjcf
                             robots */
  NSDS_JOB_CIRCUIT = 1,    /**< a netlist in the SPICE subset of docs/circuits.md */
  NSDS_JOB_MODEL_FILE = 2, /**< a model file in YAML */
  NSDS_JOB_ROBOT = 3       /**< a robot in XML: URDF, or MJCF of MuJoCo */
} nsds_job_kind;

/** A parameter of the file with another value. */
typedef struct nsds_job_setting {
  const char *name;  /**< of a parameter that the file declares */
  const char *value; /**< as the file would have it, for example "4.7u" */
} nsds_job_setting;

/**
 * Limits of a job. Zero means the default; the second default is that of untrusted files. A job that reaches a limit
 * fails with NSDS_ERROR_LIMIT.
 */
typedef struct nsds_job_limits {
  int files;    /**< files that are read; 10000, or 100 */
  size_t bytes; /**< of all these files; 2^30, or 2^26 */
  double
      seconds; /**< of work in calls of the job, reading and steps together [s]; no limit, or 60 */
  int64_t numbers; /**< rows times columns that nsds_job_step() gives; no limit, or 1e8 */
  size_t
      memory; /**< bytes that the job has of its context (nsds_context_bytes()); no limit, or 2^30 */
} nsds_job_limits;

/** A job. Give a file or a text; in every other field zero means the default. */
typedef struct nsds_job_def {
  const char *file;   /**< path of the file; in messages also the name of a text */
  const char *text;   /**< the text itself, with `kind`; NULL: the file is read. Paths in a text are
                                         relative to the folder of `file`, or to the working folder */
  nsds_job_kind kind; /**< default: by the ending of the file's name */
  int nsettings;      /**< parameters with another value */
  const nsds_job_setting *settings; /**< nsettings of them; copied */
  bool refuse_plugins;              /**< model files may not load shared objects */
  /** The file comes from strangers. The job loads no shared objects, and reads regular files alone, in the folder of
   *  the file and the folders in there. The limits are tighter. */
  bool untrusted;
  nsds_job_limits limits; /**< what the job may use */
  bool
      balance; /**< circuits alone: keeps what nsds_job_balance() tells, at the cost of some time */
  bool world;  /**< model files alone: bodies and scenery that nsds_job_world() describes, for steps
                    by nsds_job_drive(). Other parts are refused with their place in the file */
  /** Robots alone: folders with ':' between them, where package:// and the meshes of a robot are looked for behind the
   *  folder of the file. Untrusted files may read in them too. NULL: none */
  const char *folders;
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_job_def;

/**
 * Reads a file and makes it ready.
 * @param context for messages; it outlives the job
 * @param def     copied
 * @return NULL: the context has the message, which begins with file, line and column where the file is at fault. The
 *         log gets all faults of the file, up to 20.
 *         NSDS_ERROR_IO: the file cannot be read; NSDS_ERROR_FORMAT: it is malformed; NSDS_ERROR_VALUE: a number is
 *         out of range; NSDS_ERROR_ARGUMENT: the definition; NSDS_ERROR_UNSUPPORTED: this build cannot read it;
 *         NSDS_ERROR_MEMORY
 */
NSDS_API nsds_job *nsds_job_create(nsds_context *context, const nsds_job_def *def);

/**
 * Checks a file without running it. The file is read as an untrusted one, whatever `def` says. Plugins, and files outside
 * of its folder, are not looked at, nor is what depends on them.
 * @param context for messages
 * @param def     as in nsds_job_create()
 * @param write   receives warnings, and what was not looked at, each by a call of its own and without the end of the line
 * @param user    passed to `write`
 * @return NSDS_OK: nothing is wrong; else as nsds_job_create()
 */
NSDS_API nsds_status nsds_job_check(nsds_context *context, const nsds_job_def *def,
                                    nsds_write_fn write, void *user);

/** Frees a job with its model and simulation; NULL is allowed. */
NSDS_API void nsds_job_destroy(nsds_job *job);

/** The model of a job, lent. A netlist has one system, and an interaction for each diode and switch. */
NSDS_API nsds_model *nsds_job_model(const nsds_job *job);
/** Shapes of bodies of a model file that are in no contact set, lent: nsds_scene_create() draws them. NULL: there are
 *  none. `count` receives their number. */
NSDS_API const nsds_shape_def *nsds_job_shapes(const nsds_job *job, int *count);
/** The simulation of a job, lent: samplers, events, saved states and snapshots work as in any other. That of a netlist is
 *  adaptive. Your program may step it too: measures and the balance see each step, and saved states and snapshots hold
 *  them. The next row is then one behind the time reached. */
NSDS_API nsds_simulation *nsds_job_simulation(const nsds_job *job);

/**
 * @name Worlds
 *
 * A model file whose steps another driver takes, such as nsds_mpi_world_step() on many processes. Every
 * process reads the file. The driver makes its own bodies by nsds_job_world(), and puts states into the
 * model of the job, by which the job gives rows:
 *
 *     nsds_job *job = nsds_job_create(context, &(nsds_job_def){.file = "drum.yaml", .world = true});
 *     const nsds_job_world_info *all = nsds_job_world(job);
 *     ... a world of all->body, with scenery by nsds_job_scenery() ...
 *     nsds_job_drive(job, step_of_world, world);
 *     while (nsds_job_step(job) == NSDS_OK) print(nsds_job_row(job)[0], nsds_job_row(job)[1]);
 * @{
 */

/** A body of a world. The state of the body is that of `ds`. */
typedef struct nsds_job_body {
  nsds_ds *ds;                 /**< in the model of the job */
  double mass;                 /**< [kg] */
  double inertia[9];           /**< 3 x 3, about the center [kg m^2] */
  int nshape;                  /**< number of shapes, >= 1 */
  const nsds_shape_def *shape; /**< nshape shapes in the body, `ds` NULL */
} nsds_job_body;

/** A model file as a world. Arrays are lent as long as the job lives. */
typedef struct nsds_job_world_info {
  double t0;                     /**< start [s] */
  double t1;                     /**< end, to which whole steps lead [s] */
  double h;                      /**< step [s] */
  double gravity[3];             /**< of all bodies [m/s^2] */
  int nmaterial;                 /**< number of materials */
  const nsds_material *material; /**< nmaterial */
  nsds_mix mix;                  /**< how coefficients mix */
  double reach;                  /**< contacts are found up to this gap [m]; 0: not given */
  double tolerance;              /**< certified residual of a step */
  int max_iterations;            /**< of the solver; 0: not given */
  bool leads_out;                /**< bodies are led out of overlap, by overlap_sweeps */
  int overlap_sweeps;            /**< 0: not given */
  int nbody;                     /**< number of bodies that move freely */
  const nsds_job_body *body;     /**< nbody, in the order of the file */
  int nprescribed;               /**< bodies of the scenery, all of whose velocities are given */
  nsds_ds *const *prescribed;    /**< nprescribed, in the model of the job */
} nsds_job_world_info;

/** The world of a job; NULL without nsds_job_def::world. */
NSDS_API const nsds_job_world_info *nsds_job_world(const nsds_job *job);

/**
 * Adds the scenery of a world to another model. `set` receives shapes without a body. `model` receives the
 * bodies of nsds_job_world_info::prescribed, in their order. Both models share functions of the file: do not
 * step both at a time. The job outlives the model.
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT: a NULL, or a job without a world; failures of nsds_rigid_body() and
 *         nsds_shapes_add()
 */
NSDS_API nsds_status nsds_job_scenery(const nsds_job *job, nsds_model *model,
                                      nsds_contact_set *set);

/** Numbers of the last step of a world, for quantities of the run. */
typedef struct nsds_job_figures {
  double t;         /**< time [s] */
  long steps;       /**< steps since the start */
  long long found;  /**< contacts found in all, as the quantity `count` of the contact set */
  long long active; /**< closed contacts */
  int iterations;   /**< of the solver */
  double residual;  /**< certified */
} nsds_job_figures;

/**
 * Takes a step of a world.
 * @param show    true: puts the present states into the model of the job, by nsds_set_state()
 * @param figures receives the numbers of the step
 * @param user    as given to nsds_job_drive()
 * @return NSDS_OK, NSDS_STOPPED, or a failure whose message the context of the job has
 */
typedef nsds_status (*nsds_job_step_fn)(bool show, nsds_job_figures *figures, void *user);

/** Lets `step` take the steps of a world, before the first of them. NULL: the simulation of the job takes them.
 *  NSDS_ERROR_ARGUMENT: NULL, or a job without a world. */
NSDS_API nsds_status nsds_job_drive(nsds_job *job, nsds_job_step_fn step, void *user);
/** @} */

/** Number of warnings. A warning names a place of the file that the reader accepts, and that you should check. */
NSDS_API int nsds_job_warning_count(const nsds_job *job);
/** Warning k, "file:line:column: ..."; NULL out of range. */
NSDS_API const char *nsds_job_warning(const nsds_job *job, int k);

/** Title of the file, or "". */
NSDS_API const char *nsds_job_title(const nsds_job *job);

/** Time of the last row [s], as far as it is known; NaN: unknown, or the argument is NULL. */
NSDS_API double nsds_job_end(const nsds_job *job);

/** Number of columns, the time included. */
NSDS_API int nsds_job_column_count(const nsds_job *job);
/** Name of column k, "t" for the first; NULL out of range. */
NSDS_API const char *nsds_job_column_name(const nsds_job *job, int k);
/** Unit of column k, for example "V"; NULL out of range. */
NSDS_API const char *nsds_job_column_unit(const nsds_job *job, int k);

/** The columns now: as many numbers as there are columns. Before the first step they are those of the start. The
 *  pointer stays the same as long as the job. NULL if the argument is NULL. */
NSDS_API const double *nsds_job_row(const nsds_job *job);

/**
 * Goes on to the next row.
 * @return NSDS_OK: nsds_job_row() has the next row. NSDS_END: there is no more, and measures are known. < 0: a step
 *         failed; the context has the message, and the row is the last good one
 */
NSDS_API nsds_status nsds_job_step(nsds_job *job);

/** Number of measures. */
NSDS_API int nsds_job_measure_count(const nsds_job *job);
/** Name of measure k; NULL out of range. */
NSDS_API const char *nsds_job_measure_name(const nsds_job *job, int k);
/** Value of measure k up to the current time. Returns NaN if there is no value yet, or if k is out of range. */
NSDS_API double nsds_job_measure(const nsds_job *job, int k);

/**
 * Energy of one element of a circuit over the run, from the start to the current time [J]. Integrals are those of the
 * scheme's stages, so that those of all elements add up to zero.
 */
typedef struct nsds_balance_entry {
  const char *name; /**< of the element, lent for the life of the job */
  const char *kind; /**< such as "resistor" or "voltage source" */
  double given;     /**< by a source [J]; negative if the source has taken energy */
  double
      dissipated; /**< in a resistor, diode or switch, the loss of ideal switching included [J] */
  double stored;  /**< growth of the energy of a capacitor or inductor [J]; mutual inductance is
                          shared by its inductors */
  double
      lost; /**< by the steps, beyond `stored` [J]: an error of the scheme, which shorter steps lessen */
} nsds_balance_entry;

/** Sums over all elements of a circuit. given = dissipated + stored + lost + left. */
typedef struct nsds_balance_sum {
  double start;      /**< begin of the balance [s] */
  double end;        /**< its end, the time of the last step [s] */
  double given;      /**< by sources [J] */
  double dissipated; /**< in resistors, diodes and switches [J] */
  double stored;     /**< growth of the energy of capacitors and inductors [J] */
  double lost;       /**< by the steps [J] */
  double left;       /**< left over: rounding and errors of the solver [J] */
  double
      passed; /**< half of what all elements have given and taken [J]; `left` is small beside it */
  double charge_left;   /**< largest charge that has come to a node and not left it [C]; rounding */
  double charge_passed; /**< largest charge that has passed a node, either way [C] */
} nsds_balance_sum;

/** Number of elements in the balance; 0 without a balance, see nsds_job_def::balance. */
NSDS_API int nsds_job_balance_count(const nsds_job *job);
/** Writes the energy of element k so far. NSDS_ERROR_ARGUMENT: no balance, k out of range, or NULL. */
NSDS_API nsds_status nsds_job_balance(const nsds_job *job, int k, nsds_balance_entry *entry);
/** Writes the sums so far. NSDS_ERROR_ARGUMENT: no balance, or NULL; NSDS_ERROR_MEMORY. */
NSDS_API nsds_status nsds_job_balance_sum(const nsds_job *job, nsds_balance_sum *sum);

/**
 * Writes a model file with every default filled in. The settings of the job stand in the place of its parameters. A
 * job of this text has the same bits, if paths in the text still lead to their files.
 * @return NSDS_OK; NSDS_ERROR_UNSUPPORTED: the job is a circuit; NSDS_ERROR_ARGUMENT: NULL
 */
NSDS_API nsds_status nsds_job_expand(const nsds_job *job, nsds_write_fn write, void *user);

/**
 * Writes the model file that a robot's file (URDF, MJCF) has become. A model file is written as it is, without its
 * comments. The numbers of the file read back as the same bits.
 * @return NSDS_OK; NSDS_ERROR_UNSUPPORTED: the job is a circuit; NSDS_ERROR_ARGUMENT: NULL
 */
NSDS_API nsds_status nsds_job_import(const nsds_job *job, nsds_write_fn write, void *user);

/**
 * Finds the name that somebody has probably meant who wrote another one, for "did you mean".
 * @param asked what was written
 * @param count number of names
 * @param names `count` names
 * @return the index of the name; -1: none is near, or an argument is NULL
 */
NSDS_API int nsds_nearest_name(const char *asked, int count, const char *const *names);

/** The texts that nsds_model_format() writes. */
typedef enum nsds_model_format_kind {
  NSDS_MODEL_FORMAT_JSON_SCHEMA = 1, /**< a JSON schema, with which editors check model files */
  NSDS_MODEL_FORMAT_REFERENCE = 2    /**< the reference of docs/model_files.md */
} nsds_model_format_kind;

/** Writes the format of model files, from the table that the reader uses. NSDS_ERROR_ARGUMENT: another kind, or no
 *  function. */
NSDS_API nsds_status nsds_model_format(nsds_model_format_kind kind, nsds_write_fn write,
                                       void *user);

/**
 * Writes what is in a model, one line an object: names, orders, kinds and sizes of systems and interactions. The model
 * may come from anywhere.
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT: NULL
 */
NSDS_API nsds_status nsds_describe(const nsds_model *model, nsds_write_fn write, void *user);

/* ---- sweeps ---------------------------------------------------------------------------------- */

/** A sweep: one file, run with many values of its parameters. */
typedef struct nsds_sweep nsds_sweep;

/** How a sweep chooses its points. */
typedef enum nsds_sampling {
  NSDS_SAMPLING_GRID =
      0, /**< every combination of the values of all axes; the last axis is the fastest */
  NSDS_SAMPLING_RANDOM = 1, /**< independent points, uniform between the ends of each axis */
  NSDS_SAMPLING_LATIN =
      2 /**< a Latin hypercube: each axis has one point in each of `samples` equal parts */
} nsds_sampling;

/** Definition of a sweep. */
typedef struct nsds_sweep_def {
  const char *file; /**< path of the netlist or model file */
  int naxes;        /**< number of swept parameters, 1 to 16 */
  /** naxes texts: "e=0.1:0.9:81" for 81 values from 0.1 to 0.9, "f=1k:1MEG:31:log" for equal ratios, "C=1u,4.7u" for
   *  a list. With random and Latin sampling "e=0.1:0.9" is enough, and lists are refused. */
  const char *const *axes;
  nsds_sampling sampling; /**< default: the grid */
  long samples;           /**< number of points; random and Latin sampling only */
  uint64_t seed;          /**< of random and Latin sampling: the same seed gives the same points */
  int nsettings;          /**< other parameters with another value */
  const nsds_job_setting *settings; /**< nsettings of them; copied */
  bool refuse_plugins;              /**< as in ::nsds_job_def */
  bool untrusted;                   /**< as in ::nsds_job_def */
  nsds_job_limits limits;           /**< of each point */
  const char *folders;              /**< as in ::nsds_job_def */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED - 1];
} nsds_sweep_def;

/**
 * Reads the file once and makes the list of points. The file must declare measures. Robots have none: the
 * columns of their last row take their place. Returns NULL on error, as
 * nsds_job_create(); a wrong axis is NSDS_ERROR_VALUE. A parameter may occur in one axis or setting
 * only. No measure may have the name of an axis, or the name "error", which is that of the last
 * column of tables.
 */
NSDS_API nsds_sweep *nsds_sweep_create(nsds_context *context, const nsds_sweep_def *def);

/** Frees a sweep; NULL is allowed. */
NSDS_API void nsds_sweep_destroy(nsds_sweep *sweep);

/** Number of points. */
NSDS_API long nsds_sweep_count(const nsds_sweep *sweep);
/** Number of axes. */
NSDS_API int nsds_sweep_axis_count(const nsds_sweep *sweep);
/** Name of the parameter of axis k; NULL out of range. */
NSDS_API const char *nsds_sweep_axis_name(const nsds_sweep *sweep, int k);
/** Number of measures of each point. */
NSDS_API int nsds_sweep_measure_count(const nsds_sweep *sweep);
/** Name of measure k; NULL out of range. */
NSDS_API const char *nsds_sweep_measure_name(const nsds_sweep *sweep, int k);

/** Identifies file, axes, settings and library version; equal sweeps have equal keys, on every machine. */
NSDS_API uint64_t nsds_sweep_key(const nsds_sweep *sweep);

/**
 * Writes the value of axis k at a point as the file would have it. Returns the length of the text, as snprintf(), or
 * -1 out of range.
 */
NSDS_API int nsds_sweep_value(const nsds_sweep *sweep, long point, int k, char *text, size_t size);
/** The value of axis k at a point as a number, 4.7e-6 for "4.7u"; NaN for a text that is no number, or out of range. */
NSDS_API double nsds_sweep_number(const nsds_sweep *sweep, long point, int k);

/**
 * Runs one point to its end, in a context of its own. Several threads may run points of one sweep at a time. The stop
 * function that the context of the sweep had when the sweep was created ends a point with NSDS_STOPPED; every thread
 * calls it.
 * @param sweep    of nsds_sweep_create()
 * @param point    0 to nsds_sweep_count() - 1
 * @param measures receives as many numbers as there are measures; NaN on failure
 * @param message  receives the message of a failure, "" without; may be NULL
 * @param message_size bytes of `message`
 * @return the status of the failed call, else NSDS_OK
 */
NSDS_API nsds_status nsds_sweep_run(const nsds_sweep *sweep, long point, double *measures,
                                    char *message, size_t message_size);

/**
 * @name Circuits in models
 *
 * A circuit that shares a model with mechanisms or controllers, with all elements of docs/circuits.md. The equations are
 * those of nsds_job_create(). The circuit becomes a first-order system with a singular M, and an interaction for each
 * diode and switch:
 *
 *     M dx/dt = A x + b(t) + B lambda,   y = C x + D lambda + e,   lambda in its bounds
 *
 * The states come first in x: voltages of capacitors and currents of inductors, in the order of the netlist. Potentials
 * and currents of branches follow. Connect your own relations to the system, or read the circuit by name:
 *
 *     nsds_network *circuit = nsds_circuit(model, &(nsds_circuit_def){.file = "motor_drive.cir"});
 *     ... nsds_step(simulation); nsds_network_read(circuit, "i(L1)") ...
 *
 * nsds_adaptive() steps as a job does: steps end where sources jump and where diodes and switches change. In
 * nsds_time_stepping() the circuit has implicit Euler, so that steps have to be short beside a switching period. Switching
 * times are rounded to steps, and a switch that a voltage or current controls moves one step later.
 * nsds_event_driven() locates each change of a diode and switch, alone and beside bodies. Give such a
 * circuit `.ideal = true`: leaks and least resistances have time constants that no other part of the circuit has. A step
 * fails with NSDS_ERROR_VALUE if closed switches and conducting diodes short a source. The message names the loop. Directives other than parameters, models, subcircuits, options and .tran have no
 * effect; .tran gives scales for errors and the longest step.
 * @{
 */
/** A circuit in a model, which owns the circuit. */
typedef struct nsds_network nsds_network;

/** A circuit for a model. Give a file or a text. */
typedef struct nsds_circuit_def {
  const char *file;                 /**< path of the netlist; in messages also the name of a text */
  const char *text;                 /**< the netlist itself; NULL: the file is read */
  int nsettings;                    /**< parameters with another value */
  const nsds_job_setting *settings; /**< nsettings of them; copied */
  bool at_rest;                     /**< starts at the operating point, as a job without uic; else
                                         from initial values, 0 where none are given */
  bool ideal;                       /**< gmin and rmin are 0 unless the netlist gives them: for
                                         nsds_event_driven(), whose elements are exact */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_circuit_def;

/**
 * Makes a circuit in a model.
 * @param model the owner
 * @param def   copied
 * @return NULL: errors as those of nsds_job_create(); with at_rest also those of nsds_adaptive_rest()
 */
NSDS_API nsds_network *nsds_circuit(nsds_model *model, const nsds_circuit_def *def);
/** The system, whose states come first in x. NULL if the argument is NULL. */
NSDS_API nsds_ds *nsds_network_ds(const nsds_network *network);
/**
 * Finds a potential or current in the system's x, for your own relations.
 * @param network a circuit
 * @param what    "v(node)" or "i(element)"
 * @return its place; -1 and NSDS_ERROR_ARGUMENT: it is no entry of x. The ground, currents of diodes and switches, and
 *         those of R from 1 Ohm on, I, F and G are none
 */
NSDS_API int nsds_network_place(const nsds_network *network, const char *what);
/**
 * A voltage or current after the last step.
 * @param network a circuit
 * @param what    "v(node)", "v(node,node)" or "i(element)"
 * @return NaN and NSDS_ERROR_ARGUMENT where there is no such node or element, or if you removed an object of the
 *         circuit from the model. The current of a source I is that of the last step; 0 before the first
 */
NSDS_API double nsds_network_read(const nsds_network *network, const char *what);
/** @} */

/* ---- pages ----------------------------------------------------------------------------------- */

/**
 * A recorded scene: what a model did, for a page of HTML that plays it. The page opens from its file, without a
 * network. The page shows bodies with their shapes, contact forces as arrows, and graphs of quantities.
 *
 *     nsds_scene *scene = nsds_scene_create(context, model, &(nsds_scene_def){.title = "pile"});
 *     while (nsds_step(sim) == NSDS_OK) nsds_scene_record(scene, nsds_time(sim), NULL);
 *     nsds_scene_write_html(scene, "pile.html");
 *     nsds_scene_destroy(scene);
 *
 * Create the simulation before the scene, so that contacts have places. A body without shapes is drawn as sticks from
 * its center to its joints, springs and contacts. Other systems of second order are dots at their first three
 * coordinates. Joints and drives have marks. A spring is a coil, and a relation of your own is a line between the
 * centers of its systems. Shapes, joints and relations are those of the time of creation. Until the page is written, a frame takes 28 bytes a body and 32 bytes a
 * contact with a force.
 */
typedef struct nsds_scene nsds_scene;

/** Definition of a scene; zero is the default of every field. */
typedef struct nsds_scene_def {
  const char *title;        /**< title of the page; copied; default: the name of the model */
  int nquantities;          /**< numbers that are recorded with each frame, and drawn as graphs */
  const char *const *names; /**< nquantities names; copied */
  const char *const *units; /**< nquantities units; copied; NULL: without, also single ones */
  bool without_forces;      /**< contact forces are not recorded: the page gets smaller */
  int nshape;               /**< shapes that are drawn, and that are in no contact set */
  const nsds_shape_def *shape; /**< nshape of them, for example of nsds_job_shapes(); copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_scene_def;

/**
 * Creates a scene without frames.
 * @param context for messages; it outlives the scene
 * @param model   outlives the scene's last frame; NULL: the page has graphs alone
 * @param def     copied
 * @return NULL on error: NSDS_ERROR_ARGUMENT, NSDS_ERROR_MEMORY; for a shape, as nsds_shapes_add()
 */
NSDS_API nsds_scene *nsds_scene_create(nsds_context *context, nsds_model *model,
                                       const nsds_scene_def *def);

/** Frees a scene; NULL is allowed. */
NSDS_API void nsds_scene_destroy(nsds_scene *scene);

/**
 * Records the model as it is now. Call this between steps.
 * @param scene      of nsds_scene_create()
 * @param t          time [s], finite, not before the frame before
 * @param quantities as many numbers as the scene has quantities; NULL if it has none
 * @return NSDS_OK; NSDS_ERROR_STATE: systems have come or gone since the scene was created; NSDS_ERROR_VALUE: the time;
 *         NSDS_ERROR_ARGUMENT, NSDS_ERROR_SIZE, NSDS_ERROR_MEMORY
 */
NSDS_API nsds_status nsds_scene_record(nsds_scene *scene, double t, const double *quantities);

/**
 * Writes the page with all frames so far. Positions are rounded to a 65535th of the largest side of the box that the
 * bodies move in. Components of quaternions are rounded to a 4095th, forces to 3 % and 3 degrees.
 * @return NSDS_OK; NSDS_ERROR_IO: the message has the reason; NSDS_ERROR_UNSUPPORTED: this build has no zlib;
 *         NSDS_ERROR_ARGUMENT, NSDS_ERROR_MEMORY
 */
NSDS_API nsds_status nsds_scene_write_html(nsds_scene *scene, const char *path);

#ifdef __cplusplus
}
#endif
#endif
