/*
 * The command nsds: runs netlists and model files, solves nonsmooth problems from files, certifies
 * answers, lists the solvers, converts files.
 */
#define _POSIX_C_SOURCE 200809L /* dlsym() */
#include "command.h"
#include "stop.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char solve_help[] =
    "  nsds solve [options] FILE...   solves each problem, one line a file; under mpirun all\n"
    "                                 processes solve each problem together\n"
    "      -j N, --jobs N             so many files at a time; default: 1\n"
    "      --solver NAME              method; default: auto, which chooses and falls through;\n"
    "                                 for global problems a global method, or the local one that\n"
    "                                 solves the reduced problem\n"
    "      --tol T                    largest certified residual of a solved problem\n"
    "      --max-iter N               most iterations of a method\n"
    "      --option NAME=VALUE        an option of the method (nsds solvers lists them); any "
    "number\n"
    "                                 of times\n"
    "      --time-limit S             seconds for one problem\n"
    "      --total-limit S            seconds for all of them (0: no limit)\n"
    "      --from FORMAT              how files are read: nsds, lcp, mlcp, relay, friction, "
    "rolling,\n"
    "                                 global, fclib, mlcp_lines or qps; default: by their "
    "content\n"
    "      --from-zero                starts from z = 0, also where a file holds a guess\n"
    "      --format text|csv|json     how the lines look; json: an object a line\n"
    "      --csv, --json              the same in short\n"
    "      --solutions FOLDER         writes what was found to FOLDER/FILE.json\n";

static const char certify_help[] =
    "  nsds certify PROBLEM [ANSWER]  whether an answer found elsewhere solves the problem\n"
    "                                 ANSWER: n numbers z, of a global problem v, r and lambda, "
    "or\n"
    "                                 the JSON of --solutions; default: the solution in PROBLEM\n"
    "      --tol T                    largest residual and violation of a certified answer\n"
    "      --from FORMAT              how PROBLEM is read\n"
    "      --json                     a JSON object in place of text\n";

static const char solvers_help[] =
    "  nsds solvers                   the methods, what they accept, their options\n";

static const char convert_help[] =
    "  nsds convert IN OUT            writes the problem of IN to OUT\n"
    "      --to FORMAT                nsds, lcp, mlcp, relay, friction, rolling, global or fclib;\n"
    "                                 default: by the name of OUT, .nsds, .dat text, .hdf5 FCLIB\n"
    "      --from FORMAT              how IN is read, one of these, mlcp_lines or qps; default: by "
    "its\n"
    "                                 content\n";

static const char run_help[] =
    "  nsds run [options] FILE        simulates a netlist (.cir .net .sp .spice) or a model file\n"
    "                                 (.yaml .yml), and writes a table of its outputs\n"
    "      -o F, --output F           writes the table to F, CSV or HDF5; default: standard "
    "output\n"
    "      --plot F                   draws the table, by gnuplot: F ends in .png, .svg or .pdf\n"
    "      --html F                   writes a page that plays the run, see nsds view; no table "
    "then\n"
    "                                 but with -o\n"
    "      --no-forces                leaves contact forces out of the page, which gets smaller\n"
    "      --set NAME=VALUE           gives a parameter of the file another value; any number of\n"
    "                                 times\n"
    "      --folders A:B              robots: looks for meshes and packages there too\n"
    "      --refuse-plugins           model files may not load shared objects\n"
    "      --untrusted                the file comes from strangers: no plugins, no files outside "
    "of\n"
    "                                 its folder, limits (see SECURITY.md)\n"
    "      --time-limit S             seconds of work; default: none, 60 with --untrusted\n"
    "      --file-limit N             files that are read; default: 10000, 100 with --untrusted\n"
    "      --number-limit N           numbers of the table; default: none, 1e8 with --untrusted\n"
    "      --memory-limit N           bytes of memory; default: none, 2^30 with --untrusted\n"
    "      --measures                 prints the measures alone, not the table\n"
    "      --balance                  prints the mean powers of the elements of a netlist: in, "
    "out, stored, lost\n"
    "      --vtk FILE                 writes bodies and contacts of each row for ParaView to "
    "FILE.pvd;\n"
    "                                 by several processes FILE_000000.pvtp and pieces\n"
    "      --reproducible             the same bits by any number of processes, at some cost; "
    "under\n"
    "                                 mpirun all processes run the file together (docs/scale.md)\n"
    "      --expand                   prints the model file with all defaults, and does not run\n"
    "      --describe                 prints what is in the model, and does not run\n";

static const char view_help[] =
    "  nsds view [options] FILE       runs a netlist or a model file, writes a page that plays the "
    "run,\n"
    "                                 and opens the page in a browser\n"
    "      -o F, --output F           writes the page to F; default: FILE with the ending .html, "
    "in the\n"
    "                                 working folder\n"
    "      --set NAME=VALUE           gives a parameter of the file another value; any number of\n"
    "                                 times\n"
    "      --folders A:B              robots: looks for meshes and packages there too\n"
    "      --refuse-plugins           model files may not load shared objects\n"
    "      --untrusted                the file comes from strangers: no plugins, no files outside "
    "of\n"
    "                                 its folder, limits (see SECURITY.md)\n"
    "      --time-limit S             seconds of work; default: none, 60 with --untrusted\n"
    "      --file-limit N             files that are read; default: 10000, 100 with --untrusted\n"
    "      --number-limit N           numbers of the table; default: none, 1e8 with --untrusted\n"
    "      --memory-limit N           bytes of memory; default: none, 2^30 with --untrusted\n"
    "      --no-forces                leaves contact forces out of the page, which gets smaller\n"
    "      --no-open                  opens no browser\n"
    "      --movie F                  writes a movie in place of the page, by chromium and ffmpeg; "
    "F\n"
    "                                 ends in .mp4 or .webm\n"
    "      --speed X                  seconds of the run in one second of the movie; default: at "
    "most\n"
    "                                 20 s of movie\n";

static const char sweep_help[] =
    "  nsds sweep FILE --over NAME=RANGE -o TABLE.csv\n"
    "                                 runs a netlist or a model file with many values of its\n"
    "                                 parameters; one line a point: values, measures, error\n"
    "      --over NAME=FROM:TO:COUNT  COUNT values of a parameter; NAME=FROM:TO:COUNT:log with "
    "equal\n"
    "                                 ratios; NAME=A,B,C a list; more --over: every combination\n"
    "      --random N, --latin N      N random points, or a Latin hypercube, between FROM and TO\n"
    "      --seed S                   another seed gives other points; default: 0\n"
    "      --set NAME=VALUE           another value of a parameter that is not swept\n"
    "      -o FILE, --output FILE     the table, CSV or HDF5; a sweep that was killed goes on\n"
    "      -j N, --jobs N             points at a time; default: all processors, 1 under mpirun, "
    "srun\n"
    "      --shard K/N                runs part K of N, 0 to N - 1; nsds merge joins the parts\n"
    "      --folders A:B              robots: looks for meshes and packages there too\n"
    "      --refuse-plugins           model files may not load shared objects\n";

static const char merge_help[] = "  nsds merge TABLE.csv           joins the parts of a sweep that "
                                 "was run with --shard, or as an\n"
                                 "                                 array of Slurm\n";

static const char check_help[] =
    "  nsds check FILE...             whether a netlist or a model file can be run; prints what "
    "is\n"
    "                                 wrong, with file, line and column. Loads no plugins and "
    "reads "
    "no\n"
    "                                 files outside of the file's folder\n"
    "      --set NAME=VALUE           gives a parameter of the file another value; any number of\n"
    "                                 times\n"
    "      --folders A:B              robots: looks for meshes and packages there too\n"
    "      --trust                    looks at plugins and at files outside too\n"
    "      --schema                   prints the JSON schema of model files, for editors\n"
    "      --reference                prints the reference of model files\n";

static const char import_help[] =
    "  nsds import FILE               writes the model file that a robot in URDF or MJCF becomes; "
    "lists\n"
    "                                 what it does not understand\n"
    "      --set NAME=VALUE           --set keyframe=NAME starts at a keyframe of MJCF\n"
    "      --folders A:B              looks for meshes and packages there too\n"
    "      -o FILE, --output FILE     the model file; default: standard output\n";

static const char files_help[] = "\n"
                                 "Files: any problem in the format nsds; LCP, MLCP, relays, "
                                 "friction, rolling friction and global\n"
                                 "problems as text, local and global friction problems of FCLIB "
                                 "(HDF5). A folder stands for the\n"
                                 "files in it and in its folders, - for standard input. The "
                                 "residual is certified independently of\n"
                                 "the method and free of units; csv and json also hold the figure "
                                 "that is usual in the literature\n"
                                 "(standard).\n";

static const char tables_help[] =
    "\n"
    "Tables: CSV, or HDF5 if the name ends in .h5 or .hdf5, with a data set for each column. The "
    "first "
    "line of\n"
    "CSV is a comment with the version of nsds, the file and its settings; the second has the "
    "names of "
    "the columns.\n"
    "HDF5 has the same as attributes. Numbers have the fewest digits that read back the same.\n";

static const char solve_codes[] = "\n"
                                  "Exit code: 0 all solved, certified or written; 1 not all; 2 the "
                                  "command line was not understood.\n";
static const char run_codes[] = "\n"
                                "Exit code: 0 all was run or written, and nothing is wrong; 1 not "
                                "all; 2 the command line was not\n"
                                "understood.\n";
static const char sweep_codes[] = "\n"
                                  "Exit code: 0 all points were run, though some may have failed: "
                                  "the column error says why; 1 not "
                                  "all; 2 the\n"
                                  "command line was not understood.\n";
static const char all_codes[] =
    "\n"
    "Exit code: 0 all was run, solved, certified or written; 1 not all; 2 the command line was not "
    "understood.\n";

/* A command: its help, and the paragraphs below. */
static const struct {
  const char *name, *help, *about, *codes;
} helps[] = {{"run", run_help, tables_help, run_codes},
             {"view", view_help, "", run_codes},
             {"check", check_help, "", run_codes},
             {"import", import_help, "", run_codes},
             {"sweep", sweep_help, tables_help, sweep_codes},
             {"merge", merge_help, "", sweep_codes},
             {"solve", solve_help, files_help, solve_codes},
             {"certify", certify_help, files_help, solve_codes},
             {"solvers", solvers_help, "", solve_codes},
             {"convert", convert_help, files_help, solve_codes}};

static int print_all_help(void) {
  fputs("nsds: circuits, models and nonsmooth problems from files\n\n", stdout);
  for (size_t k = 0; k < sizeof helps / sizeof *helps; ++k) fputs(helps[k].help, stdout);
  fputs("  nsds --version\n  nsds [COMMAND] --help\n", stdout);
  fputs(tables_help, stdout);
  fputs(files_help, stdout);
  fputs(all_codes, stdout);
  return exit_good;
}

int print_help(const char *command) {
  for (size_t k = 0; command && k < sizeof helps / sizeof *helps; ++k)
    if (strcmp(command, helps[k].name) == 0) {
      fputs(helps[k].help, stdout);
      fputs(helps[k].about, stdout);
      fputs(helps[k].codes, stdout);
      return exit_good;
    }
  return print_all_help();
}

static int print_version(void) {
  printf("nsds %s (UMFPACK: %s, CHOLMOD: %s, HDF5: %s)\n", nsds_version(),
         NSDS_HAVE_UMFPACK ? "yes" : "no", NSDS_HAVE_CHOLMOD ? "yes" : "no",
         NSDS_HAVE_HDF5 ? "yes" : "no");
  return exit_good;
}

static int run(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int count, char **words);
  } commands[] = {{"run", command_run},         {"view", command_view},
                  {"check", command_check},     {"import", command_import},
                  {"sweep", command_sweep},     {"merge", command_merge},
                  {"solve", command_solve},     {"certify", command_certify},
                  {"solvers", command_solvers}, {"convert", command_convert}};
  const char *command = argc > 1 ? argv[1] : "";
  char near[160];
  for (size_t k = 0; k < sizeof commands / sizeof *commands; ++k)
    if (strcmp(command, commands[k].name) == 0) return commands[k].run(argc - 2, argv + 2);
  if (strcmp(command, "--version") == 0) return print_version();
  if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0) return print_help(NULL);
  if (!command[0])
    return usage_error("nsds", "what is to be done? run, view, check, import, sweep, merge, solve, "
                               "certify, solvers or convert");
  near_word(command, "run view check import sweep merge solve certify solvers convert", near);
  return usage_error(
      "nsds",
      "there is no command \"%s\"%s; there are run, view, check, import, sweep, merge, "
      "solve, certify, solvers and convert",
      command, near);
}

/* Threads of OpenBLAS wait for each other in the small factors of a step, and use up the processors meanwhile. On a
 * busy machine a step took 26 times as long. The command takes one thread unless the environment says otherwise. */
static void take_one_blas_thread(void) {
  void (*set)(int) = NULL;
  if (getenv("OPENBLAS_NUM_THREADS") || getenv("OMP_NUM_THREADS")) return;
  void *program = dlopen(NULL, RTLD_LAZY);
  void *found = program ? dlsym(program, "openblas_set_num_threads") : NULL;
  memcpy(&set, &found, sizeof set);
  if (set) set(1);
  if (program) dlclose(program);
}

int main(int argc, char **argv) {
  stop_watch();
  take_one_blas_thread();
  int code = run(argc, argv);
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  complain("nsds: standard output cannot be written: %s", strerror(errno));
  return code == exit_good ? exit_failed : code;
}
