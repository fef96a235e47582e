/*
 * The parts of the command nsds. Each subcommand gets the words behind its name and returns the
 * exit code of the program.
 */
#ifndef NSDS_TOOLS_COMMAND_H
#define NSDS_TOOLS_COMMAND_H

#include <nsds/io.h>
#include <nsds/solver.h>

#include <stdio.h>

enum { exit_good = 0, exit_failed = 1, exit_usage = 2 };

/* Prints the help of a command, and returns exit_good. */
int print_help(const char *command);

int command_run(int count, char **words);
int command_view(int count, char **words);
int command_check(int count, char **words);
int command_import(int count, char **words);
int command_sweep(int count, char **words);
int command_merge(int count, char **words);
int command_solve(int count, char **words);
int command_solvers(int count, char **words);
int command_convert(int count, char **words);
int command_certify(int count, char **words);

/* ---- arguments.c ---- */

/* Words of a command line: options first to last, the rest in order. */
typedef struct arguments {
  const char *command; /* for messages */
  int count, next;
  char **words;
  bool options_ended; /* by "--" */
} arguments;

/* An option or another word. */
typedef struct argument {
  const char *option; /* "--tol", NULL for another word */
  const char *value;  /* of "--tol=1e-8", NULL without; for another word the word itself */
} argument;

/* Gets the next argument; false at the end. The name of an option is valid until the next call. */
bool next_argument(arguments *all, argument *found, char name[32]);

/* Returns the value of an option, after "=" or the next word; NULL, with a message, if there is
 * none. */
const char *option_value(arguments *all, const argument *option);

/* Reads a finite number not below `least`; false, with a message, for anything else. */
/* The hint that numbers have a point, where a text has a decimal comma; else "". */
const char *comma_hint(const char *text);
bool option_number(arguments *all, const argument *option, double least, double *value);

/* Finds a format of files by its name; false, with a message, for anything else. */
bool option_format(arguments *all, const argument *option, nsds_format *format);

/* Returns true if the option asks for help. */
bool asks_for_help(const argument *option);
bool words_ask_for_help(int count, char **words);

/* Tells that there is no such option, what is near and what is valid: names with blanks between them. Returns
 * exit_usage. */
int unknown_option(const char *command, const char *option, const char *valid);
/* ", did you mean "name"?" if one of the valid names is near, else "". */
void near_word(const char *word, const char *valid, char text[160]);

/* Prints a line on standard output, as plain text. */
void print_line(const char *text);

/* Prints a message, a line of its own, for the user. */
void complain(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* Prints a message and where help is; returns exit_usage. */
int usage_error(const char *command, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Logs warnings of the library. Errors are printed by their callers. */
void print_warning(nsds_log_level level, const char *message, void *unused);

/* ---- files.c ---- */

/* Paths of files. A folder stands for the files in it and in its folders, by name. */
typedef struct file_list {
  size_t count, capacity;
  char **path;
} file_list;

/* Adds a path; false, with a message, when memory is out or a folder cannot be read. */
bool add_path(file_list *list, const char *path);
void free_paths(file_list *list);

/* Returns true for two names of one file: of one that is there, however it is reached, or two equal names. */
bool is_same_file(const char *a, const char *b);

/* Reads the bytes of a path, "-" being standard input; NULL, with errno, on failure. Free the
 * result. */
char *read_bytes(const char *path, size_t *size);

/* Reads the problem in a file, "-" being standard input. */
nsds_problem_file *read_problem(nsds_context *context, const char *path, nsds_format format);

/* ---- report.c ---- */

typedef enum report_format { report_text, report_csv, report_json } report_format;

/* The report on one file. */
typedef struct report_line {
  const char *file, *kind, *solver, *outcome;
  int n, nblock, iterations;
  double residual, standard, seconds; /* NaN: not known */
  char methods[192];                  /* tried methods, with their outcomes */
  const char *solutions;              /* folder for the answer, NULL: none */
  char *message;                      /* a fault, printed before the line; NULL: none */
} report_line;

/* Keeps a message in the line, which frees it. Returns false. */
bool keep_message(report_line *line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Keeps the error of the context, which forgets it. Returns false. */
bool keep_error(report_line *line, nsds_context *context);
void print_message(const char *text);

/* Keeps the methods that a solver has tried. */
void keep_methods(report_line *line, const nsds_solver_info *info);

/* Finds a format by name. */
bool find_report_format(const char *name, report_format *format);

/* Prints the head of the report; `width` is that of the longest file name. */
void report_head(report_format format, int width);
void report(report_format format, int width, const report_line *line);

/* Writes a string in quotes. */
void json_string(FILE *file, const char *text);

/* ---- answer.c ---- */

typedef struct named_room {
  const char *name;
  double *x;
  size_t count;
} named_room;

/* Reads an answer called `what`, of parts by name or all in one row. Returns false, with a message,
 * for anything else in the file. */
bool read_answer(const char *path, const char *what, const named_room *part, int count);

/* ---- solution.c ---- */

typedef struct named_array {
  const char *name;
  const double *x;
  size_t count;
} named_array;

/* Makes a folder unless it exists; false, with a message, on failure. */
bool make_folder(const char *path);

/* Checks that each file gets its own solution in the folder. Returns the exit code, with a message
 * if two files share one. */
int check_solutions(const char *folder, const file_list *files);

/* Writes the answer to the folder of the line; false, with a message in the line, on failure. */
bool write_solution(report_line *line, nsds_context *context, const named_array *array, int count);

/* ---- launcher.c ---- */

/* Reads a whole number from 0 to a million from the environment. */
bool environment_number(const char *name, int *value);

/* Returns true if mpirun, or srun as a launcher of MPI, runs this command in several processes. */
bool is_launched(int *rank, int *size);

/* Returns true if the command is one of several tasks of Slurm. */
bool is_task(int *rank, int *size);

/* ---- solve_file.c ---- */

/* Returns the time in seconds. */
double wall_clock(void);

#endif
