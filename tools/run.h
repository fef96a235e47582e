/*
 * A file that is run: what nsds run and nsds view share.
 */
#ifndef NSDS_TOOLS_RUN_H
#define NSDS_TOOLS_RUN_H

#include "command.h"
#include "movie.h"

#include <nsds/run.h>

enum { most_settings = 256 };

/* Processes that run one file together: run_mpi.c. */
typedef struct run_team {
  bool silent; /* the first process writes, and this one does not */
  /* The lowest status of all processes. */
  nsds_status (*agree)(struct run_team *team, nsds_status status);
  /* Writes the pieces of all processes for --vtk. */
  nsds_status (*write_vtk)(struct run_team *team, const char *path);
} run_team;

typedef struct run_options {
  const char *command; /* "nsds run" */
  const char *file, *output, *vtk, *picture, *page;
  const char *folders; /* where meshes are looked for too */
  bool measures_alone, balance, expand, describe, no_forces, no_open;
  bool refuse_plugins, untrusted;
  nsds_job_limits limits;
  bool hdf5; /* of the output */
  int nsettings;
  nsds_job_setting settings[most_settings];
  char *names[most_settings]; /* to be freed */
  bool reproducible;          /* on several processes */
  movie film;
  run_team *team; /* NULL: one process */
} run_options;

/* Room for the options of a command; NULL, with a message. */
run_options *run_new_options(const char *command);
void run_free_options(run_options *options);

typedef int take_option(arguments *all, const argument *found, run_options *options);

/* Takes the words of a command line: one file, and options. An option that `take` does not know is an error, which
 * lists `valid`. Returns the exit code. */
int run_take_words(arguments *all, take_option *take, const char *valid, run_options *options);
enum { exit_unknown = -1 }; /* of take_option: there is no such option */
/* Takes an option that run, view and sweep share: plugins, trust and limits; exit_unknown for others. */
int take_trust_option(arguments *all, const argument *found, bool *refuse_plugins, bool *untrusted,
                      nsds_job_limits *limits);
/* Takes "name=value" of --set. */
int run_take_setting(arguments *all, const argument *found, run_options *options);
/* Takes the folders of --folders. */
int run_take_folders(arguments *all, const argument *found, run_options *options);
extern const char trust_options[];

/* Runs the file, and writes what the options ask for. Returns the exit code, with messages. */
int run_file(const run_options *options);
/* The same by `size` processes. */
int run_by_processes(const run_options *options, int rank, int size);
/* Runs a job that is made, with its writers. Returns the exit code, with messages. */
int run_job(nsds_job *job, const run_options *options, nsds_context *context);

#endif
