/*
 * nsds sweep: runs a file with many values of its parameters, and writes one table of the measures.
 * nsds merge: joins the records of shards.
 *
 * Workers take the next point that is not in the records, run it, and add its line. Shard k of n
 * has the points with point % n == k. The shard comes from --shard, or from the environment of
 * mpirun, srun or a Slurm array, without a library of MPI. Under mpirun and srun the first process
 * waits for the records of the others and joins them.
 */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"

#include "progress.h"
#include "run.h"
#include "stop.h"
#include "table.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { most_axes = 16, most_sweep_settings = 256, longest_line = 1 << 14, longest_message = 1024 };

typedef struct sweep_options {
  nsds_sweep_def def;
  const char *table, *axes[most_axes];
  nsds_job_setting settings[most_sweep_settings];
  char *names[most_sweep_settings]; /* to be freed */
  int jobs;
  shard part;
  bool launched; /* under mpirun or srun: the first process joins */
} sweep_options;

/* Data that the workers share. */
typedef struct sweep_work {
  const nsds_sweep *sweep;
  records records;
  shard part;
  long next, todo, done, failures;
  progress shown;
  bool broken, no_memory; /* no further points; why */
  pthread_mutex_t lock;
} sweep_work;

/* ---- lines of the table ---- */

/* Appends a word, in quotes if it needs them. */
static void put_word(char *line, size_t *used, const char *word) {
  bool quoted = strpbrk(word, ",\"\n\r") != NULL;
  if (quoted && *used + 1 < longest_line) line[(*used)++] = '"';
  for (; *word && *used + 3 < longest_line; ++word) {
    if (*word == '"') line[(*used)++] = '"';
    line[(*used)++] = *word == '\n' || *word == '\r' ? ' ' : *word;
  }
  if (quoted && *used + 1 < longest_line) line[(*used)++] = '"';
  line[*used] = '\0';
}

static void put_comma(char *line, size_t *used) {
  if (*used > 0 && *used + 1 < longest_line) line[(*used)++] = ',';
  line[*used] = '\0';
}

static void sweep_head(const nsds_sweep *sweep, char *line) {
  size_t used = 0;
  line[0] = '\0';
  for (int k = 0; k < nsds_sweep_axis_count(sweep); ++k) {
    put_comma(line, &used);
    put_word(line, &used, nsds_sweep_axis_name(sweep, k));
  }
  for (int k = 0; k < nsds_sweep_measure_count(sweep); ++k) {
    put_comma(line, &used);
    put_word(line, &used, nsds_sweep_measure_name(sweep, k));
  }
  put_comma(line, &used);
  put_word(line, &used, "error");
}

/* Facts about the sweep, with tabs between names and texts. */
static void sweep_tell_facts(const sweep_options *o, char *line) {
  static const char *const sampling[] = {"grid", "random", "latin"};
  static table_facts facts;
  char seed[32];
  size_t used = 0;
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)o->def.seed);
  facts_start(&facts, o->def.file);
  facts_add(&facts, "sampling", sampling[o->def.sampling]);
  facts_add(&facts, "seed", seed);
  facts_add_settings(&facts, o->def.nsettings, o->settings);
  for (int k = 0; k < facts.count && used < longest_line; ++k)
    used += (size_t)snprintf(line + used, longest_line - used, "%s%s\t%s", k ? "\t" : "",
                             facts.note[k].name, facts.text[k]);
}

/* Runs a point and makes its line. */
static nsds_status sweep_line(const nsds_sweep *sweep, long point, char *line) {
  size_t used = 0;
  char message[longest_message], word[128];
  int count = nsds_sweep_measure_count(sweep);
  double *measure = calloc((size_t)count, sizeof *measure);
  if (!measure) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_sweep_run(sweep, point, measure, message, sizeof message);
  line[0] = '\0';
  for (int k = 0; k < nsds_sweep_axis_count(sweep); ++k) {
    double number = nsds_sweep_number(sweep, point, k);
    if (isnan(number)) nsds_sweep_value(sweep, point, k, word, sizeof word);
    else nsds_number_text(number, word, sizeof word);
    put_comma(line, &used);
    put_word(line, &used, word);
  }
  for (int k = 0; k < count; ++k) {
    nsds_number_text(measure[k], word, sizeof word);
    put_comma(line, &used);
    put_word(line, &used, word);
  }
  if (used + 1 < longest_line) line[used++] = ',';
  line[used] = '\0';
  if (status) put_word(line, &used, message);
  free(measure);
  return status;
}

/* ---- workers ---- */

/* Returns the next point of the shard without a line; -1: none. */
static long take_point(sweep_work *w) {
  for (; w->next < w->records.count && !w->broken && !stop_asked(); w->next += w->part.count)
    if (!w->records.line[w->next]) {
      long point = w->next;
      w->next += w->part.count;
      return point;
    }
  return -1;
}

static void *sweep_worker(void *of) {
  sweep_work *w = of;
  char *line = malloc(longest_line);
  pthread_mutex_lock(&w->lock);
  if (!line) w->broken = w->no_memory = true;
  for (long point; (point = take_point(w)) >= 0;) {
    pthread_mutex_unlock(&w->lock);
    nsds_status status = sweep_line(w->sweep, point, line);
    pthread_mutex_lock(&w->lock);
    if (status == NSDS_STOPPED) break; /* the point is not done */
    if (status == NSDS_ERROR_MEMORY) {
      w->broken = w->no_memory = true;
      break;
    }
    if (!records_add(&w->records, point, line)) w->broken = true;
    w->failures += status != NSDS_OK;
    ++w->done;
    if (w->part.index == 0) progress_at(&w->shown, (double)w->done);
  }
  pthread_mutex_unlock(&w->lock);
  free(line);
  return NULL;
}

static void count_todo(sweep_work *w) {
  for (long k = w->part.index; k < w->records.count; k += w->part.count)
    w->todo += !w->records.line[k];
}

static bool run_workers(sweep_work *w, int jobs) {
  pthread_t *thread = calloc((size_t)jobs, sizeof *thread);
  if (!thread) {
    w->no_memory = true;
    return false;
  }
  int count = 1;
  for (; count < jobs && count < w->todo; ++count)
    if (pthread_create(&thread[count], NULL, sweep_worker, w) != 0) break;
  sweep_worker(w);
  for (int k = 1; k < count; ++k) pthread_join(thread[k], NULL);
  free(thread);
  return !w->broken;
}

/* Waits for the other processes of the launcher, which end with complete shards or not at all. */
static void await_others(const sweep_options *o, uint64_t key) {
  const struct timespec pause = {.tv_nsec = 50000000};
  for (int k = 1; k < o->part.count; ++k)
    while (!stop_asked() && !records_are_complete(o->table, (shard){k, o->part.count}, key))
      nanosleep(&pause, NULL);
}

static int run_shard(const sweep_options *o, const nsds_sweep *sweep) {
  static char facts[longest_line], head[longest_line];
  sweep_work w = {.sweep = sweep, .part = o->part, .next = o->part.index};
  sweep_tell_facts(o, facts);
  sweep_head(sweep, head);
  if (!records_open(&w.records, o->table, o->part, nsds_sweep_key(sweep), nsds_sweep_count(sweep),
                    facts, head))
    return exit_failed;
  pthread_mutex_init(&w.lock, NULL);
  count_todo(&w);
  w.shown = progress_begin("nsds sweep", 0.0, (double)w.todo, false);
  bool fine = run_workers(&w, o->jobs) && (stop_asked() || records_finish(&w.records));
  progress_clear();
  records_close(&w.records);
  pthread_mutex_destroy(&w.lock);
  if (stop_asked() || w.no_memory)
    complain("nsds sweep: %s; %ld of %ld points are done and kept beside %s; the same command "
             "goes on from there",
             w.no_memory ? "out of memory" : "stopped", w.done, w.todo, o->table);
  if (!fine) return exit_failed;
  if (stop_asked()) return stop_code();
  if (w.failures > 0)
    complain("nsds sweep: %ld of %ld points failed; the column \"error\" says why", w.failures,
             w.todo);
  if (o->part.count == 1) return records_join(o->table, 1);
  if (!o->launched) {
    complain("nsds sweep: shard %d/%d is complete; nsds merge %s joins all", o->part.index,
             o->part.count, o->table);
    return exit_good;
  }
  if (o->part.index > 0) return exit_good;
  await_others(o, nsds_sweep_key(sweep));
  if (stop_asked()) return stop_code();
  return records_join(o->table, o->part.count);
}

static int run_sweep(sweep_options *o) {
  nsds_context *context = nsds_context_create(&(nsds_context_def){.log = print_warning});
  if (!context) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  stop_context(context);
  o->def.axes = o->axes;
  o->def.settings = o->settings;
  nsds_sweep *sweep = nsds_sweep_create(context, &o->def);
  int code = exit_failed;
  if (!sweep) complain("nsds sweep: %s", nsds_error_message(context));
  else code = run_shard(o, sweep);
  nsds_sweep_destroy(sweep);
  nsds_context_destroy(context);
  return code;
}

/* ---- shard of this process ---- */

/* Finds the shard from mpirun, srun, or an array of Slurm. */
static void find_shard(sweep_options *o) {
  int rank, size, first;
  if (is_launched(&rank, &size) || is_task(&rank, &size)) {
    o->part = (shard){rank, size};
    o->launched = true;
    return;
  }
  if (environment_number("SLURM_ARRAY_TASK_ID", &rank) &&
      environment_number("SLURM_ARRAY_TASK_COUNT", &size) && size > 1 &&
      environment_number("SLURM_ARRAY_TASK_MIN", &first) && rank >= first && rank - first < size)
    o->part = (shard){rank - first, size};
}

/* ---- the command line ---- */

static int take_shard_option(arguments *all, const char *text, sweep_options *o) {
  char tail;
  if (sscanf(text, "%d/%d%c", &o->part.index, &o->part.count, &tail) == 2 && o->part.count > 0 &&
      o->part.index >= 0 && o->part.index < o->part.count)
    return exit_good;
  return usage_error(all->command, "--shard is %s; give K/N with K from 0 to N - 1", text);
}

/* "0,25" is a list of two values, and nobody means it. */
static void warn_of_comma(const char *axis) {
  const char *equals = strchr(axis, '='), *comma = strchr(axis, ',');
  if (!equals || !comma || !comma_hint(equals + 1)[0]) return;
  if ((comma == equals + 2 && equals[1] == '0') || (comma[1] == '0' && comma[2]))
    complain("nsds sweep: warning: --over %s is a list of two values%s", axis,
             comma_hint(equals + 1));
}

static int take_sweep_setting(arguments *all, const char *text, sweep_options *o) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return usage_error(all->command, "--set %s: give NAME=VALUE", text);
  if (o->def.nsettings == most_sweep_settings)
    return usage_error(all->command, "--set: at most %d times", (int)most_sweep_settings);
  char *name = strndup(text, (size_t)(equals - text));
  if (!name) return usage_error(all->command, "--set: out of memory");
  o->names[o->def.nsettings] = name;
  o->settings[o->def.nsettings++] = (nsds_job_setting){.name = name, .value = equals + 1};
  return exit_good;
}

static int take_sweep_option(arguments *all, const argument *found, sweep_options *o) {
  const char *option = found->option;
  double number;
  int code =
      take_trust_option(all, found, &o->def.refuse_plugins, &o->def.untrusted, &o->def.limits);
  if (code != exit_unknown) return code;
  static const char *const known[] = {"--over",   "--random", "--latin", "--seed", "--set",    "-o",
                                      "--output", "--shard",  "-j",      "--jobs", "--folders"};
  size_t k = 0;
  while (k < sizeof known / sizeof *known && strcmp(option, known[k]) != 0) ++k;
  if (k == sizeof known / sizeof *known)
    return unknown_option(all->command, option,
                          "--over --random --latin --seed --set --output --jobs --shard --folders "
                          "--refuse-plugins --untrusted --time-limit --file-limit --number-limit "
                          "--memory-limit");
  if (k == 0 || k == 4 || k == 5 || k == 6 || k == 7 || k == 10) {
    const char *text = option_value(all, found);
    if (!text) return exit_usage;
    if (k == 10) return (o->def.folders = text) ? exit_good : exit_usage;
    if (k == 4) return take_sweep_setting(all, text, o);
    if (k == 7) return take_shard_option(all, text, o);
    if (k != 0) return (o->table = text) ? exit_good : exit_usage;
    if (o->def.naxes == most_axes)
      return usage_error(all->command, "--over: at most %d times", (int)most_axes);
    warn_of_comma(text);
    o->axes[o->def.naxes++] = text;
    return exit_good;
  }
  if (!option_number(all, found, k == 3 ? 0.0 : 1.0, &number)) return exit_usage;
  if (number != floor(number) || number > 1e15)
    return usage_error(all->command, "%s is %g; give a whole number", option, number);
  if (k == 3) o->def.seed = (uint64_t)number;
  else if (k == 8 || k == 9) o->jobs = number > 1024.0 ? 1024 : (int)number;
  else {
    o->def.sampling = k == 1 ? NSDS_SAMPLING_RANDOM : NSDS_SAMPLING_LATIN;
    o->def.samples = (long)number;
  }
  return exit_good;
}

static int take_sweep_words(int count, char **words, sweep_options *o) {
  arguments all = {.command = "nsds sweep", .count = count, .words = words};
  argument found;
  char name[32];
  while (next_argument(&all, &found, name)) {
    if (found.option) {
      int code = take_sweep_option(&all, &found, o);
      if (code) return code;
    } else if (o->def.file) {
      return usage_error(all.command, "a second file named: %s; give one", found.value);
    } else {
      o->def.file = found.value;
    }
  }
  if (!o->def.file) return usage_error(all.command, "give a file, which is run many times");
  if (o->def.naxes == 0) return usage_error(all.command, "give --over NAME=FROM:TO:COUNT");
  if (!o->table) return usage_error(all.command, "give --output TABLE.csv");
  if (!NSDS_HAVE_HDF5 && table_is_hdf5(o->table))
    return usage_error(
        all.command, "--output %s: this nsds was built without HDF5; give a name that ends in .csv",
        o->table);
  if (is_same_file(o->table, o->def.file))
    return usage_error(all.command, "--output %s is the file that is run; give another name",
                       o->table);
  if (o->jobs == 0) o->jobs = o->launched ? 1 : (int)sysconf(_SC_NPROCESSORS_ONLN);
  if (o->jobs < 1) o->jobs = 1;
  return run_sweep(o);
}

int command_sweep(int count, char **words) {
  if (words_ask_for_help(count, words)) return print_help("sweep");
  sweep_options *o = calloc(1, sizeof *o);
  if (!o) {
    complain("nsds: out of memory");
    return exit_failed;
  }
  o->part = (shard){0, 1};
  find_shard(o);
  int code = take_sweep_words(count, words, o);
  for (int k = 0; k < o->def.nsettings; ++k) free(o->names[k]);
  free(o);
  return code;
}

int command_merge(int count, char **words) {
  arguments all = {.command = "nsds merge", .count = count, .words = words};
  argument found;
  char name[32];
  const char *table = NULL;
  while (next_argument(&all, &found, name)) {
    if (found.option && asks_for_help(&found)) return print_help("merge");
    if (found.option) return unknown_option(all.command, found.option, "--help");
    if (table) return usage_error(all.command, "a second table named: %s; give one", found.value);
    table = found.value;
  }
  if (!table) return usage_error(all.command, "give the table whose shards are complete");
  int shards = records_shards(table);
  if (shards > 0) return records_join(table, shards);
  complain("nsds merge: there are no records beside %s", table);
  return exit_failed;
}
