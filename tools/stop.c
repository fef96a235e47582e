/* Signals that end a command, see stop.h. */
#define _POSIX_C_SOURCE 200809L /* sigaction() */
#include "stop.h"

#include <signal.h>

static volatile sig_atomic_t came;

/* SA_RESETHAND: the next signal of the kind has its usual effect. */
static void take_signal(int number) { came = number; }

void stop_watch(void) {
  struct sigaction action = {.sa_handler = take_signal, .sa_flags = (int)SA_RESETHAND}, before;
  const int numbers[] = {SIGINT, SIGTERM};
  sigemptyset(&action.sa_mask);
  for (int k = 0; k < 2; ++k) /* a signal that the caller has put aside stays so */
    if (sigaction(numbers[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(numbers[k], &action, NULL);
}

bool stop_asked(void) { return came != 0; }

int stop_code(void) { return 128 + (int)came; }

static bool is_asked(void *unused) {
  (void)unused;
  return came != 0;
}

void stop_context(nsds_context *context) {
  nsds_stop_fn stop = is_asked;
  void *user = NULL;
  nsds_context_swap_stop(context, &stop, &user);
}
