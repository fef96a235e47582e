#include "campaign.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { longest = 30 }; /* [s] for one story, under sanitizers on a busy machine */

/* What the process of a scenario writes and the campaign reads, also when the process is gone. */
typedef struct shared {
  long points, found[findings];
  int kind;
  long at;
  bool done;
} shared;

typedef struct total {
  int scenarios;
  long points, crashes, hangs, found[findings];
} total;

static void print_finding(const campaign *c, const scenario *what, int kind, long at,
                          const char *text) {
  printf("%s --one %s %d %ld (%s): %s\n", c->name, what->name, kind, at, c->text_of(kind), text);
  fflush(stdout);
}

static bool tell_point(const campaign *c, const scenario *what, const story *undisturbed, int kind,
                       long at, shared *now) {
  static story s;
  now->kind = kind;
  now->at = at;
  alarm(longest);
  story_tell(&s, what, c->fault_of(kind, at), undisturbed);
  alarm(0);
  if (!s.hit && at <= undisturbed->hits_before)
    story_find(&s, FINDING_STUCK, "the fault was not met");
  for (int f = 0; f < findings; ++f) now->found[f] += s.found[f];
  if (s.text[0]) print_finding(c, what, kind, at, s.text);
  return s.hit;
}

/* Every `stride`th point, from where the campaign stands on. */
static void tell_all(const campaign *c, const scenario *what, long quick, shared *now) {
  static story undisturbed[2];
  for (; now->kind < c->kinds; ++now->kind, now->at = 0) {
    fault none = c->fault_of(now->kind, 0);
    if (none.where == PLACE_MALLOC && what->foreign) continue;
    alarm(longest);
    /* what libraries make once and keep is there after the first */
    story_tell(&undisturbed[0], what, none, NULL);
    story_tell(&undisturbed[1], what, none, &undisturbed[0]);
    alarm(0);
    long count = undisturbed[1].hits_before;
    if (undisturbed[1].text[0]) {
      print_finding(c, what, now->kind, 0, undisturbed[1].text);
      for (int f = 0; f < findings; ++f) now->found[f] += undisturbed[1].found[f];
      continue;
    }
    long stride = quick > 0 && count > quick ? count / quick : 1;
    for (long at = now->at + 1; at <= count; at = now->at + 1) {
      if (quick > 0) at = now->at + (now->at == 0 ? 1 + count % stride : stride);
      if (at > count) break;
      tell_point(c, what, &undisturbed[1], now->kind, at, now);
      ++now->points;
    }
  }
  now->done = true;
}

/* In processes, one after the other, until the scenario has been told with every fault. */
static void run_scenario(const campaign *c, const scenario *what, long quick, shared *now,
                         total *sum) {
  *now = (shared){0};
  while (!now->done) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      tell_all(c, what, quick, now);
      fflush(stdout);
      exit(0); /* a leak checker has its say */
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0) break;
    char text[64];
    snprintf(text, sizeof text, WIFSIGNALED(status) ? "signal %d" : "exit status %d",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    print_finding(c, what, now->kind, now->at, text);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) ++sum->hangs;
    else ++sum->crashes;
    ++now->points;
    if (now->at == 0) break; /* it does not even work undisturbed */
  }
  ++sum->scenarios;
  sum->points += now->points;
  for (int f = 0; f < findings; ++f) sum->found[f] += now->found[f];
}

static bool is_named(const scenario *what, int count, char **names) {
  for (int k = 0; k < count; ++k)
    if (strcmp(what->name, names[k]) == 0) return true;
  return count == 0;
}

static int tell_one(const campaign *c, const char *name, int kind, long at) {
  static story undisturbed, s;
  const scenario *what;
  for (int k = 0; (what = scenario_at(k)) != NULL && strcmp(what->name, name) != 0;) ++k;
  if (!what || kind < 0 || kind >= c->kinds) return 2;
  for (int k = 0; k < 2; ++k) story_tell(&undisturbed, what, c->fault_of(kind, 0), NULL);
  printf("undisturbed: %ld places for faults, %d marks\n", undisturbed.hits_before,
         undisturbed.marks);
  story_tell(&s, what, c->fault_of(kind, at), &undisturbed);
  printf("%s, %s at %ld: %s; %s\n", name, c->text_of(kind), at, s.hit ? "met" : "not met",
         s.text[0] ? s.text : "fine");
  return s.text[0] != '\0';
}

int campaign_main(const campaign *c, int argc, char **argv) {
  bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    const scenario *what;
    for (int k = 0; (what = scenario_at(k)) != NULL; ++k) puts(what->name);
    return 0;
  }
  if (argc == 5 && strcmp(argv[1], "--one") == 0)
    return tell_one(c, argv[2], atoi(argv[3]), atol(argv[4]));
  if (argc > 1 && !all) {
    fprintf(stderr, "usage: %s [--all [NAME...] | --list | --one NAME KIND AT]\n", argv[0]);
    return 2;
  }
  shared *now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (now == MAP_FAILED) return 2;
  total sum = {0};
  const scenario *what;
  for (int k = 0; (what = scenario_at(k)) != NULL; ++k)
    if (!all || is_named(what, argc - 2, argv + 2))
      run_scenario(c, what, all ? 0 : c->quick, now, &sum);
  long wrong = sum.crashes + sum.hangs;
  printf("%s: %ld %s in %d scenarios, %ld crashes, %ld hangs", c->name, sum.points, c->points,
         sum.scenarios, sum.crashes, sum.hangs);
  for (int f = 0; f < findings; ++f) {
    printf(", %ld %s", sum.found[f], finding_name[f]);
    wrong += sum.found[f];
  }
  printf("\n");
  return wrong != 0 || sum.points == 0;
}
