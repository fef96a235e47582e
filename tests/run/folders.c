/*
 * Drawn folders of strangers (folder_draw.h), checked and run as untrusted ones: no crash, no hang, no file written, none
 * read outside of the folder, no code run, and an end soon after the limits. Processes take batches of cases, so that a
 * crash ends one case alone. A case that fails stays in FOLDER/findings.
 *
 *   folders EXAMPLES PLUGIN NSDS FOLDER COUNT [SEED [JOBS]]
 *   folders EXAMPLES PLUGIN NSDS FOLDER replay NUMBER       this case alone; its folder stays
 */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "folder_draw.h"
#include "folder_guard.h"

#include <nsds/run.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { batch = 200, most_jobs = 64, file_room = 4200 };

/* Sums of the processes, and what each one does now. */
typedef struct shared_sums {
  uint64_t now[most_jobs];
  long cases, good, ran, rows, left_out, limited, refused, commands, late, findings;
  double slowest;
  uint64_t slowest_case;
} shared_sums;

static shared_sums *sums;
static folder_source source;
static char work[3000], marker[file_room], command[file_room];
static double slow = 1.0; /* with sanitizers everything takes longer */

static double cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- a case ---- */

static uint64_t the_case;
static bool found; /* in the present case */

static void finding(const char *what, const char *detail) {
  printf("FINDING %llu: %s: %.600s\n", (unsigned long long)the_case, what, detail ? detail : "");
  fflush(stdout);
  found = true;
  __atomic_add_fetch(&sums->findings, 1, __ATOMIC_RELAXED);
}

static void add(long *sum, long what) { __atomic_add_fetch(sum, what, __ATOMIC_RELAXED); }

/* Names, sizes and times of all files; the order of a folder stays as long as nothing comes or goes. */
static uint64_t fingerprint(const char *folder) {
  char path[file_room];
  uint64_t sum = 1469598103934665603u;
  DIR *d = opendir(folder);
  for (struct dirent *entry; d && (entry = readdir(d));) {
    struct stat s;
    if (strcmp(entry->d_name, "..") == 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (lstat(path, &s) != 0) continue;
    for (const char *at = entry->d_name; *at; ++at)
      sum = (sum ^ (unsigned char)*at) * 1099511628211u;
    sum = (sum ^ (uint64_t)s.st_size) * 1099511628211u + (uint64_t)s.st_mtim.tv_nsec +
          (uint64_t)s.st_mtim.tv_sec;
    if (S_ISDIR(s.st_mode) && strcmp(entry->d_name, ".") != 0) sum += 31 * fingerprint(path);
  }
  if (d) closedir(d);
  return sum;
}

static bool is_plain(const char *text) {
  for (; *text; ++text)
    if (((unsigned char)*text < 32 && *text != '\n') || *text == 127) return false;
  return true;
}

static void take_warning(const char *line, void *left_out) {
  if (!is_plain(line)) finding("control characters in a warning", line);
  if (strstr(line, "not looked at")) ++*(long *)left_out;
}

static void take_piece(const char *piece, void *size) { *(size_t *)size += strlen(piece); }

static void judge_message(const nsds_context *context, nsds_status status, const char *call) {
  const char *message = nsds_error_message(context);
  if (status >= 0) return;
  if (!message[0]) finding("no message", call);
  if (nsds_error(context) == NSDS_ERROR_LIMIT || nsds_error(context) == NSDS_ERROR_MEMORY)
    add(&sums->limited, 1);
  else add(&sums->refused, 1);
}

/* To the end or to a limit. */
static void run_job(nsds_context *context, nsds_job *job) {
  size_t size = 0;
  long rows = 0;
  nsds_status status = NSDS_OK;
  for (int k = 0; k < nsds_job_column_count(job); ++k) {
    const char *name = nsds_job_column_name(job, k);
    if (!is_plain(name) || !is_plain(nsds_job_column_unit(job, k)))
      finding("control characters in a column", name);
  }
  if (!is_plain(nsds_job_title(job)))
    finding("control characters in the title", nsds_job_title(job));
  while ((status = nsds_job_step(job)) == NSDS_OK) ++rows;
  if (status == NSDS_STOPPED) finding("stopped by nobody", "");
  judge_message(context, status, "nsds_job_step");
  add(&sums->rows, rows);
  add(&sums->ran, 1);
  nsds_error_clear(context);
  if (nsds_job_model(job)) nsds_job_expand(job, take_piece, &size);
}

static void use_library(const char *file, double seconds, size_t memory) {
  nsds_job_def def = {
      .file = file, .untrusted = true, .limits = {.seconds = seconds, .memory = memory}};
  long left_out = 0;
  nsds_context *context = nsds_context_create(NULL);
  double begin = cpu_time();
  nsds_status checked = nsds_job_check(context, &def, take_warning, &left_out);
  judge_message(context, checked, "nsds_job_check");
  nsds_status why = nsds_error(context);
  nsds_error_clear(context);
  double middle = cpu_time();
  nsds_job *job = nsds_job_create(context, &def);
  bool limited = nsds_error(context) == NSDS_ERROR_LIMIT ||
                 nsds_error(context) == NSDS_ERROR_MEMORY || why == NSDS_ERROR_LIMIT ||
                 why == NSDS_ERROR_MEMORY;
  if (!job) judge_message(context, NSDS_ERROR_FORMAT, "nsds_job_create");
  bool stepped = strstr(nsds_error_message(context), "t = ") !=
                 NULL; /* up to the first row, which a check leaves out */
  if (!limited && !left_out && !stepped && (job != NULL) != (checked == NSDS_OK))
    finding("check and run disagree", nsds_error_message(context));
  if (job) run_job(context, job);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  double end = cpu_time(), longest = fmax(middle - begin, end - middle);
  add(&sums->good, checked == NSDS_OK);
  add(&sums->left_out, left_out > 0);
  if (longest > sums->slowest) sums->slowest = longest, sums->slowest_case = the_case;
  if (longest < seconds + 0.25 * slow) return;
  char words[100];
  snprintf(words, sizeof words, "check took %.2f s, the run %.2f s, the limit was %g s",
           middle - begin, end - middle, seconds);
  if (longest > 2.0 * slow) finding("late", words);
  else add(&sums->late, 1);
}

/* The command, in a process of its own. */
static void use_command(const char *file) {
  static const char *const words[][7] = {
      {"check"},
      {"run", "--untrusted", "--time-limit", "0.3", "-o", "../out.csv"},
      {"run", "--untrusted", "--time-limit", "0.3", "--measures"},
      {"run", "--untrusted", "--describe"},
      {"run", "--untrusted", "--expand"},
      {"view", "--untrusted", "--time-limit", "0.3", "--no-open", "-o", "../out.html"}};
  size_t which = folder_draw_below(sizeof words / sizeof *words);
  const char *all[12] = {command};
  int count = 1, code;
  for (int k = 0; k < 7 && words[which][k]; ++k) all[count++] = words[which][k];
  all[count++] = "--";
  all[count] = file;
  pid_t child = fork();
  if (child == 0) {
    int nothing = open("/dev/null", O_RDWR);
    struct rlimit limit = {(rlim_t)(5 * slow), (rlim_t)(5 * slow)};
    setrlimit(RLIMIT_CPU, &limit);
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
    execv(command, (char *const *)(uintptr_t)all);
    _exit(99);
  }
  if (child < 0 || waitpid(child, &code, 0) != child) return;
  add(&sums->commands, 1);
  char text[60];
  snprintf(text, sizeof text, "nsds %s: status %#x", all[1], (unsigned)code);
  if (!WIFEXITED(code) || WEXITSTATUS(code) > 1) finding("the command", text);
}

/* Processor time and time of the clock after which a case counts as hanging. */
static void start_alarms(void) {
  const struct itimerval longest = {.it_value = {.tv_sec = (time_t)(10 * slow)}};
  setitimer(ITIMER_PROF, &longest, NULL);
  alarm((unsigned)(100 * slow));
}

static void try_case(uint64_t number, const char *inside) {
  char file[256] = "", folder[file_room];
  struct stat before, after;
  the_case = number;
  found = false;
  folder_draw(&source, number, file);
  const double seconds = folder_draw_below(100) ? 0.02 * slow : 1.0;
  const size_t memory = folder_draw_below(20) ? (size_t)1 << 26 : 0;
  bool by_command = folder_draw_below(100) == 0;
  char *slash = strrchr(file, '/'), *real = NULL;
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - file) + 1 : 1, slash ? file : ".");
  real = realpath(folder, NULL);
  uint64_t files = fingerprint(".");
  stat("..", &before);
  start_alarms();
  folder_guard_begin(real ? real : inside);
  use_library(file, seconds, memory);
  const char *told = folder_guard_end();
  free(real);
  if (told[0]) finding("not allowed", told);
  if (fingerprint(".") != files) finding("the folder has changed", file);
  stat("..", &after);
  if (before.st_mtim.tv_sec != after.st_mtim.tv_sec ||
      before.st_mtim.tv_nsec != after.st_mtim.tv_nsec)
    finding("a file beside the folder", file);
  if (by_command) use_command(file);
  if (fingerprint(".") != files) finding("the command has changed the folder", file);
  if (access(marker, F_OK) == 0) {
    finding("code has run", file);
    remove(marker);
  }
  add(&sums->cases, 1);
}

/* ---- processes ---- */

static void keep_folder(const char *inside, uint64_t number) {
  char kept[file_room];
  snprintf(kept, sizeof kept, "%s/findings/%llu", work, (unsigned long long)number);
  if (rename(inside, kept) != 0) printf("%s: %s\n", kept, strerror(errno));
}

static void limit_memory(void) {
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%lu", &pages) != 1) pages = 0;
  if (f) fclose(f);
  rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)1 << 30);
  struct rlimit limit = {most, most};
  if (slow == 1.0) setrlimit(RLIMIT_AS, &limit); /* sanitizers need addresses */
}

static void enter(const char *inside) {
  mkdir(inside, 0700);
  if (chdir(inside) != 0) {
    perror(inside);
    exit(2);
  }
}

/* Cases from `number` on, in a process of its own. */
static void work_on(int job, uint64_t number, uint64_t end) {
  char inside[file_room];
  snprintf(inside, sizeof inside, "%s/%d/inside", work, job);
  limit_memory();
  for (; number < end; ++number) {
    __atomic_store_n(&sums->now[job], number, __ATOMIC_RELAXED);
    enter(inside);
    try_case(number, inside);
    if (found) keep_folder(inside, number);
    folder_empty(inside);
  }
  __atomic_store_n(&sums->now[job], end, __ATOMIC_RELAXED);
  exit(0);
}

typedef struct process {
  pid_t id;
  uint64_t next, end; /* its cases */
} process;

static void start(process *p, int job) {
  fflush(stdout);
  p->id = fork();
  if (p->id == 0) work_on(job, p->next, p->end);
}

/* After the end of a process: goes on behind a case that has ended it. */
static void went(process *p, int job, int code) {
  char inside[file_room], words[80];
  uint64_t at = sums->now[job];
  p->id = 0;
  if (at < p->end || code != 0) {
    the_case = at;
    snprintf(words, sizeof words, "status %#x%s", (unsigned)code,
             WIFSIGNALED(code) && (WTERMSIG(code) == SIGPROF || WTERMSIG(code) == SIGALRM)
                 ? ", a hang"
                 : "");
    finding(at < p->end ? "crash" : "a fault in the batch before", words);
    snprintf(inside, sizeof inside, "%s/%d/inside", work, job);
    keep_folder(inside, at);
    folder_empty(inside);
  }
  p->next = at < p->end ? at + 1 : p->end;
}

static void run_all(uint64_t first, uint64_t count, int jobs) {
  process all[most_jobs] = {{0}};
  uint64_t next = first, end = first + count;
  int running = 0, code;
  for (;;) {
    for (int j = 0; j < jobs; ++j) {
      process *p = &all[j];
      if (p->id) continue;
      if (p->next >= p->end && next < end) {
        p->next = next;
        p->end = next + batch < end ? next + batch : end;
        next = p->end;
      }
      if (p->next >= p->end) continue;
      start(p, j);
      ++running;
    }
    if (!running) return;
    pid_t ended = wait(&code);
    for (int j = 0; j < jobs; ++j)
      if (all[j].id == ended) went(&all[j], j, code), --running;
  }
}

/* The shared object tells if it is loaded: else no case would show anything. */
static void try_plugin(void) {
  pid_t child = fork();
  if (child == 0) _exit(dlopen(source.plugin, RTLD_NOW) == NULL);
  waitpid(child, NULL, 0);
  if (access(marker, F_OK) != 0) finding("the plugin does not tell", source.plugin);
  remove(marker);
}

static void prepare(char **words) {
  char path[file_room];
  snprintf(path, sizeof path, "%s/models", words[1]);
  folder_source_read(&source, path, ".yaml");
  snprintf(path, sizeof path, "%s/circuits", words[1]);
  folder_source_read(&source, path, ".cir");
  mkdir(words[4], 0700);
  char *real = realpath(words[4], NULL), *tool = realpath(words[3], NULL);
  snprintf(work, sizeof work, "%s", real ? real : words[4]);
  snprintf(command, sizeof command, "%s", tool ? tool : words[3]);
  free(real);
  free(tool);
  snprintf(marker, sizeof marker, "%s/PWNED", work);
  setenv("NSDS_TEST_TELLS", marker, 1);
  folder_empty(work);
  snprintf(path, sizeof path, "%s/findings", work);
  mkdir(path, 0700);
  /* a copy on the same disk, for links */
  static char plugin[file_room], copy[3 * file_room];
  snprintf(plugin, sizeof plugin, "%s/tells.so", work);
  snprintf(copy, sizeof copy, "cp '%s' '%s'", words[2], plugin);
  if (system(copy) != 0) exit(2);
  source.plugin = plugin;
}

static void prepare_job(int job) {
  char path[file_room];
  const char *const secrets[] = {"secret.txt", "%d/secret.txt", "%d/out.csv", "%d/out.html"};
  snprintf(path, sizeof path, "%s/%d", work, job);
  mkdir(path, 0700);
  for (int k = 0; k < 2; ++k) {
    size_t used = (size_t)snprintf(path, sizeof path, "%s/", work);
    if (k == 0) snprintf(path + used, sizeof path - used, "%s", secrets[k]);
    else snprintf(path + used, sizeof path - used, "%d/secret.txt", job);
    FILE *f = fopen(path, "w");
    if (f) fputs("42\n", f), fclose(f);
  }
}

int main(int argc, char **argv) {
  if (argc < 6) return 2;
  if (getenv("NSDS_TEST_SANITIZED")) slow = 10.0;
  prepare(argv);
  sums = mmap(NULL, sizeof *sums, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (sums == MAP_FAILED) return 2;
  memset(sums, 0, sizeof *sums);
  uint64_t count = strtoull(argv[5], NULL, 10), seed = argc > 6 ? strtoull(argv[6], NULL, 10) : 1;
  int jobs = argc > 7 ? atoi(argv[7]) : 1;
  if (jobs < 1 || jobs > most_jobs) jobs = 1;
  for (int j = 0; j < jobs; ++j) prepare_job(j);
  if (strcmp(argv[5], "replay") == 0) {
    char inside[file_room];
    snprintf(inside, sizeof inside, "%s/0/inside", work);
    enter(inside);
    try_case(seed, inside);
    return found;
  }
  try_plugin();
  run_all(seed * 1000000000u, count, jobs);
  printf("%ld cases: %ld good, %ld not all looked at, %ld run with %ld rows, %ld ended by limits, "
         "%ld refused; %ld commands; "
         "%ld late, slowest %.2f s (case %llu); %ld findings\n",
         sums->cases, sums->good, sums->left_out, sums->ran, sums->rows, sums->limited,
         sums->refused, sums->commands, sums->late, sums->slowest,
         (unsigned long long)sums->slowest_case, sums->findings);
  folder_source_free(&source);
  return sums->findings > 0;
}
