/*
 * nsds solve, all files. Workers, a thread each, take the next file until none is left. The line of
 * a file is printed after the lines of all files before it.
 */
#include "progress.h"
#include "solve.h"
#include "stop.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct job_queue {
  pthread_mutex_t lock;
  const settings *s;
  report_line *line; /* one for each file */
  bool *done;
  size_t next, printed, solved;
  int width;
  double end; /* of the time for all files */
  progress shown;
} job_queue;

/* A thread besides the first. */
typedef struct helper {
  pthread_t thread;
  job_queue *queue;
  worker own;
} helper;

/* ---- lines in order ---- */

static void print_ready(job_queue *q) {
  for (; q->printed < q->s->files.count && q->done[q->printed]; ++q->printed) {
    report_line *line = &q->line[q->printed];
    if (line->message) print_message(line->message);
    report(q->s->format, q->width, line);
    free(line->message);
    line->message = NULL;
  }
}

static void work(job_queue *q, worker *w) {
  pthread_mutex_lock(&q->lock);
  while (q->next < q->s->files.count && !stop_asked()) {
    size_t k = q->next++;
    pthread_mutex_unlock(&q->lock);
    bool solved = solve_file(w, q->s, q->end, &q->line[k]);
    pthread_mutex_lock(&q->lock);
    q->solved += solved;
    q->done[k] = true;
    print_ready(q);
    progress_at(&q->shown, (double)q->printed);
  }
  pthread_mutex_unlock(&q->lock);
}

static void *help(void *of) {
  helper *h = of;
  work(h->queue, &h->own);
  return NULL;
}

/* ---- workers ---- */

static int work_together(job_queue *q, worker *first) {
  size_t files = q->s->files.count, wanted = (size_t)q->s->jobs - 1, count = 0;
  if (wanted + 1 > files) wanted = files > 0 ? files - 1 : 0;
  helper *helpers = calloc(wanted + 1, sizeof *helpers);
  int code = helpers ? exit_good : exit_failed;
  for (; helpers && code == exit_good && count < wanted; ++count) {
    helper *h = &helpers[count];
    h->queue = q;
    code = make_worker(q->s, &h->own);
    if (code != exit_good) break;
    if (pthread_create(&h->thread, NULL, help, h) == 0) continue;
    free_worker(&h->own); /* fewer do the same */
    break;
  }
  if (helpers) work(q, first);
  else complain("nsds: out of memory");
  for (size_t k = 0; k < count; ++k) {
    pthread_join(helpers[k].thread, NULL);
    free_worker(&helpers[k].own);
  }
  free(helpers);
  return code;
}

static void start_lines(job_queue *q) {
  q->width = 4;
  for (size_t k = 0; k < q->s->files.count; ++k) {
    const char *path = q->s->files.path[k];
    if ((int)strlen(path) > q->width) q->width = (int)strlen(path);
    q->line[k] = (report_line){.file = path,
                               .kind = "",
                               .solver = "",
                               .outcome = "unreadable",
                               .residual = NAN,
                               .standard = NAN,
                               .seconds = NAN,
                               .solutions = q->s->solutions};
  }
}

int solve_files(const settings *s) {
  size_t files = s->files.count;
  worker first;
  int code = make_worker(s, &first);
  if (code != exit_good) return code;
  job_queue q = {.lock = PTHREAD_MUTEX_INITIALIZER, .s = s};
  q.end = wall_clock() + (isnan(s->total_limit) ? 0.0 : s->total_limit);
  q.shown = progress_begin("nsds solve", 0.0, (double)files, false);
  q.line = calloc(files + 1, sizeof *q.line);
  q.done = calloc(files + 1, sizeof *q.done);
  if (q.line && q.done) {
    start_lines(&q);
    report_head(s->format, q.width);
    code = work_together(&q, &first);
  } else {
    complain("nsds: out of memory");
    code = exit_failed;
  }
  free(q.line);
  free(q.done);
  free_worker(&first);
  if (stop_asked()) {
    complain("nsds solve: stopped after %zu of %zu files; their lines are printed", q.printed,
             files);
    return stop_code();
  }
  return code != exit_good ? code : files > 0 && q.solved == files ? exit_good : exit_failed;
}
