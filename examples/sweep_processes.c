/*
 * The workers of a sweep as processes of this machine, each at the end of a socket: down go numbers
 * of results, up come results. A worker whose leader has gone ends with its next word.
 */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { most = 64 };

typedef struct crew {
  int count;
  struct pollfd socket[most];
} crew;

/* The head of a result. */
typedef struct heading {
  int index;
  long length;
} heading;

static int transfer(int file, void *data, size_t size, int up) {
  char *at = data;
  while (size > 0) {
    ssize_t n = up ? write(file, at, size) : read(file, at, size);
    if (n <= 0) return -1;
    at += n;
    size -= (size_t)n;
  }
  return 0;
}

static void work(const sweep *s, int file) {
  char *text = malloc(sweep_longest);
  int index;
  while (text && transfer(file, &index, sizeof index, 0) == 0 && index >= 0) {
    heading h = {index, s->compute(index, text, s->user)};
    if (transfer(file, &h, sizeof h, 1)) break;
    if (h.length > 0 && transfer(file, text, (size_t)h.length, 1)) break;
  }
  free(text);
  _exit(0);
}

static int ask(void *self, int worker, int index) {
  struct pollfd *socket = &((crew *)self)->socket[worker];
  int failed = transfer(socket->fd, &index, sizeof index, 1);
  if (failed) fprintf(stderr, "a process of the sweep has ended early\n");
  if (index < 0) {
    close(socket->fd);
    socket->fd = -1; /* not looked at any more */
  }
  return failed;
}

static int answer(void *self, int *worker, int *index, char *text, long *length) {
  crew *c = self;
  int ready = poll(c->socket, (nfds_t)c->count, -1);
  for (int k = 0; ready > 0 && k < c->count; ++k) {
    heading h;
    if (!(c->socket[k].revents & (POLLIN | POLLHUP))) continue;
    if (transfer(c->socket[k].fd, &h, sizeof h, 0) || h.length > sweep_longest) break;
    if (h.length > 0 && transfer(c->socket[k].fd, text, (size_t)h.length, 0)) break;
    *worker = k;
    *index = h.index;
    *length = h.length;
    return 0;
  }
  fprintf(stderr, "a process of the sweep has ended early\n");
  return -1;
}

static int hire(crew *c, const sweep *s) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return -1;
  pid_t child = fork();
  if (child == 0) { /* the leader's ends are not for it: they would hide that the leader has gone */
    for (int k = 0; k < c->count; ++k) close(c->socket[k].fd);
    close(pair[0]);
    work(s, pair[1]);
  }
  close(pair[1]);
  if (child < 0) close(pair[0]);
  else c->socket[c->count++] = (struct pollfd){.fd = pair[0], .events = POLLIN};
  return child < 0 ? -1 : 0;
}

int sweep_processes(const sweep *s, int processes) {
  crew c = {0};
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (processes <= 0) processes = cores > 1 ? (int)cores : 1;
  if (processes > most) processes = most;
  signal(SIGPIPE, SIG_IGN); /* a write says so too */
  for (int k = 0; processes > 1 && k < processes; ++k)
    if (hire(&c, s)) {
      perror("sweep");
      return 1;
    }
  int status = sweep_manage(s, &(sweep_workers){c.count, ask, answer, &c});
  for (int k = 0; k < c.count; ++k)
    if (c.socket[k].fd >= 0) close(c.socket[k].fd);
  while (wait(NULL) > 0) {
  }
  return status;
}
