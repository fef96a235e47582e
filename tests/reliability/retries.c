/*
 * Failures and retries of drawn models. In each draw one call of a function misbehaves, or several in a
 * row, in one of the ways of story.h. The call of the library that fails has a message and changes
 * nothing; made once more, it gives the bits of the undisturbed run.
 *
 *   reliability_retries                       a part, the same draws each time
 *   reliability_retries --all [COUNT [FROM]]  COUNT draws from the model FROM on; 100,000 from 1
 *   reliability_retries --one MODEL WAY AT TIMES
 */
#include "callers.h"
#include "drawn.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { draws_of_a_model = 25, steps = 10, batch = 200, longest = 60 };

static uint64_t seed;

static void build(story *s) { s->simulation = drawn_model(s->model, seed); }

static void tell(story *s) {
  story_build(s, build);
  if (s->simulation) story_steps(s, steps);
}

static const scenario drawn_scenario = {.name = "drawn", .tell = tell};

/* What the children count; the parent reads it also when a child is gone. */
typedef struct counted {
  long draws, models, refused, absorbed, places, found[findings];
  uint64_t model; /* at which a child stands */
  fault now;
} counted;

static void print_line(uint64_t model, const fault *f, const char *text) {
  printf("retries --one %llu %d %ld %d (%s): %s\n", (unsigned long long)model, (int)f->how, f->at,
         f->times, misdeed_name[f->how], text);
  fflush(stdout);
}

/* Every call alike, or every place of calls alike: most calls come from few places. */
static fault draw_fault(drawing *d, long calls) {
  static const int times[] = {1, 1, 1, 1, 2, 3, 5, 20};
  int count;
  const caller_place *from = callers_places(&count);
  bool by_place = count > 0 && drawing_below(d, 4) > 0;
  long at = by_place ? from[drawing_below(d, count)].call
                     : 1 + (long)(drawing_next(d) % (uint64_t)calls);
  return (fault){.where = PLACE_CALLBACK,
                 .at = at,
                 .how = (misdeed)drawing_below(d, misdeeds),
                 .times = times[drawing_below(d, 8)]};
}

/* Tells the model of `seed` undisturbed; false if the library refuses it or its run. */
static bool tell_undisturbed(story *undisturbed) {
  alarm(longest);
  callers_note_places(seed);
  story_tell(undisturbed, &drawn_scenario, (fault){.where = PLACE_CALLBACK}, NULL);
  alarm(0);
  return undisturbed->marks > 1 && undisturbed->hits_before > 0 &&
         undisturbed->hits_before <= callers_most_noted && !undisturbed->text[0];
}

static void tell_model(counted *c, long draws) {
  static story undisturbed, s;
  ++c->models;
  c->now = (fault){0};
  if (!tell_undisturbed(&undisturbed)) {
    ++c->refused;
    return;
  }
  drawing d = {seed + 77};
  int places;
  callers_places(&places);
  c->places += places;
  for (long k = 0; k < draws; ++k) {
    c->now = draw_fault(&d, undisturbed.hits_before);
    alarm(longest);
    story_tell(&s, &drawn_scenario, c->now, &undisturbed);
    alarm(0);
    ++c->draws;
    c->absorbed += s.polluted;
    for (int f = 0; f < findings; ++f) c->found[f] += s.found[f];
    if (s.text[0]) print_line(seed, &c->now, s.text);
  }
}

/* In processes, from model to model, so that a crash ends one draw alone. */
static int run_draws(long count, uint64_t from) {
  counted *c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (c == MAP_FAILED) return 2;
  long crashes = 0, hangs = 0, wrong;
  for (uint64_t next = from; c->draws < count; next = c->model + 1) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      for (seed = next; seed < next + batch && c->draws < count; ++seed) {
        c->model = seed;
        tell_model(c, draws_of_a_model);
      }
      fflush(stdout);
      exit(0); /* a leak checker has its say */
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0) continue;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) ++hangs;
    else ++crashes;
    print_line(c->model, &c->now, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "crash");
    ++c->draws;
  }
  wrong = crashes + hangs;
  printf("retries: %ld retries, %ld models, %ld crashes, %ld hangs", c->draws,
         c->models - c->refused, crashes, hangs);
  for (int f = 0; f < findings; ++f) {
    printf(", %ld %s", c->found[f], finding_name[f]);
    wrong += c->found[f];
  }
  printf("\n");
  fprintf(stderr, "%ld models were refused, %ld faults used as they are, %ld places of calls\n",
          c->refused, c->absorbed, c->places);
  return wrong != 0 || c->models == c->refused;
}

static int tell_one(char **argv) {
  static story undisturbed, s;
  seed = strtoull(argv[0], NULL, 10);
  fault f = {PLACE_CALLBACK, .how = (misdeed)atoi(argv[1]), .at = atol(argv[2]),
             .times = atoi(argv[3])};
  bool sound = tell_undisturbed(&undisturbed);
  printf("%s\n", drawn_words());
  printf("undisturbed: %ld calls, %d marks%s %s\n", undisturbed.hits_before, undisturbed.marks,
         sound ? "" : ", no run", undisturbed.text);
  story_tell(&s, &drawn_scenario, f, &undisturbed);
  printf("%s at %ld, %d times: %s; %s\n", misdeed_name[f.how], f.at, f.times,
         s.hit ? "met" : "not met", s.text[0] ? s.text : "fine");
  return s.text[0] != '\0';
}

int main(int argc, char **argv) {
  callers_of_stories = &callers;
  if (argc == 6 && strcmp(argv[1], "--one") == 0) return tell_one(argv + 2);
  if (argc == 1) return run_draws(3000, 1);
  if (strcmp(argv[1], "--all") == 0 && argc <= 4)
    return run_draws(argc > 2 ? atol(argv[2]) : 100000, argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
  fprintf(stderr, "usage: %s [--all [COUNT [FROM]] | --one MODEL WAY AT TIMES]\n", argv[0]);
  return 2;
}
