/**
 * @file run.h
 * @brief Jobs: a netlist or a model file becomes a table of numbers.
 *
 * These calls are of the library `nsds_run`, which is built on libnsds and read by the command `nsds`. A program
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

#include <nsds/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A file, ready to be stepped. */
typedef struct nsds_job nsds_job;

/** The kinds of files. */
typedef enum nsds_job_kind {
  NSDS_JOB_BY_NAME = 0, /**< by the ending: .cir .net .sp .spice circuits, .yaml .yml model files */
  NSDS_JOB_CIRCUIT = 1, /**< a netlist in the SPICE subset of docs/circuits.md */
  NSDS_JOB_MODEL_FILE = 2 /**< a model file in YAML */
} nsds_job_kind;

/** A parameter of the file with another value. */
typedef struct nsds_job_setting {
  const char *name;  /**< of a parameter that the file declares */
  const char *value; /**< as the file would have it, for example "4.7u" */
} nsds_job_setting;

/** A job. Give a file or a text; in every other field zero means the default. */
typedef struct nsds_job_def {
  const char *file;   /**< path of the file; in messages also the name of a text */
  const char *text;   /**< the text itself, with `kind`; NULL: the file is read. Paths in a text are
                                         relative to the folder of `file`, or to the working folder */
  nsds_job_kind kind; /**< default: by the ending of the file's name */
  int nsettings;      /**< parameters with another value */
  const nsds_job_setting *settings; /**< nsettings of them; copied */
  bool refuse_plugins;              /**< model files may not load shared objects */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_job_def;

/**
 * Reads a file and makes it ready.
 * @param context for messages; it outlives the job
 * @param def     copied
 * @return NULL: the context has the message, which begins with file, line and column where the file is at fault.
 *         NSDS_ERROR_IO: the file cannot be read; NSDS_ERROR_FORMAT: it is malformed; NSDS_ERROR_VALUE: a number is
 *         out of range; NSDS_ERROR_ARGUMENT: the definition; NSDS_ERROR_UNSUPPORTED: this build cannot read it;
 *         NSDS_ERROR_MEMORY
 */
NSDS_API nsds_job *nsds_job_create(nsds_context *context, const nsds_job_def *def);

/** Frees a job with its model and simulation; NULL is allowed. */
NSDS_API void nsds_job_destroy(nsds_job *job);

/** The model of a model file, lent; NULL for a circuit, whose steps are problems of their own. */
NSDS_API nsds_model *nsds_job_model(const nsds_job *job);
/** The simulation of a model file, lent; NULL for a circuit. */
NSDS_API nsds_simulation *nsds_job_simulation(const nsds_job *job);

/** Number of warnings: what the reader has taken, but you should look at. */
NSDS_API int nsds_job_warning_count(const nsds_job *job);
/** Warning k, "file:line:column: ..."; NULL out of range. */
NSDS_API const char *nsds_job_warning(const nsds_job *job, int k);

/** Title of the file, or "". */
NSDS_API const char *nsds_job_title(const nsds_job *job);

/** Number of columns, the time included. */
NSDS_API int nsds_job_column_count(const nsds_job *job);
/** Name of column k, "t" for the first; NULL out of range. */
NSDS_API const char *nsds_job_column_name(const nsds_job *job, int k);
/** Unit of column k, for example "V"; NULL out of range. */
NSDS_API const char *nsds_job_column_unit(const nsds_job *job, int k);

/** The columns now: as many numbers as there are columns. Before the first step they are those of the start. The
 *  pointer stays the same as long as the job. NULL for NULL. */
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
/** Value of measure k of the time that has passed; NaN where there is none, or k is out of range. */
NSDS_API double nsds_job_measure(const nsds_job *job, int k);

/**
 * @name Circuits in models
 *
 * A circuit that shares a model with mechanisms or controllers. Capacitor voltages and inductor currents are
 * the state of a first-order system. An interaction holds potentials and the other currents:
 *
 *     C dv/dt = i,   L di/dt = v,   w = M z + N x + e(t),   z in its bounds
 *
 * Connect your own relations to the system, or read the circuit by name:
 *
 *     nsds_network *circuit = nsds_circuit(model, &(nsds_circuit_def){.file = "motor_drive.cir"});
 *     ... nsds_step(simulation); nsds_network_read(circuit, "i(L1)") ...
 *
 * The circuit has ideal diodes, transistors, and switches that time or a voltage source drives. A junction, a
 * thyristor, or a switch that another voltage or a current controls is NSDS_ERROR_UNSUPPORTED. Use nsds_job_create()
 * for these. Directives other than parameters, models, subcircuits and options have no effect. The scheme is
 * implicit Euler, nsds_euler_moreau(), so that steps have to be short beside a switching period.
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
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_circuit_def;

/**
 * Makes a circuit in a model.
 * @param model the owner
 * @param def   copied
 * @return NULL: errors as those of nsds_job_create(); NSDS_ERROR_UNSUPPORTED: an element, by name; NSDS_ERROR_SIZE:
 *         neither capacitor nor inductor, or more than 1000 potentials and currents
 */
NSDS_API nsds_network *nsds_circuit(nsds_model *model, const nsds_circuit_def *def);
/** The system: voltages of capacitors and currents of inductors, in the order of the netlist. NULL for NULL. */
NSDS_API nsds_ds *nsds_network_ds(const nsds_network *network);
/** The interaction: its lambda has the potentials and the other currents. NULL for NULL. */
NSDS_API nsds_interaction *nsds_network_interaction(const nsds_network *network);
/**
 * A voltage or current after the last step.
 * @param network a circuit
 * @param what    "v(node)", "v(node,node)" or "i(element)"
 * @return NaN and NSDS_ERROR_ARGUMENT where there is no such node or element, or its current is no unknown: that of R
 *         from 1 Ohm on, I, F and G
 */
NSDS_API double nsds_network_read(const nsds_network *network, const char *what);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
