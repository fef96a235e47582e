/* The workers of a sweep as ranks of MPI_COMM_WORLD. */
#include "sweep.h"

#include <mpi.h>
#include <stdlib.h>

enum { task = 1, result = 2 };

/* A result is its number in the first bytes and the text; where it failed, the number alone and one
 * byte less. */
static void work(const sweep *s) {
  char *message = malloc(sizeof(int) + 1 + sweep_longest);
  int index = -1;
  for (;;) {
    MPI_Recv(&index, 1, MPI_INT, 0, task, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (index < 0 || !message) break;
    long length = s->compute(index, message + sizeof(int) + 1, s->user);
    for (size_t k = 0; k < sizeof(int); ++k) message[k] = ((const char *)&index)[k];
    message[sizeof(int)] = length < 0;
    int size = (int)sizeof(int) + 1 + (length < 0 ? 0 : (int)length);
    MPI_Send(message, size, MPI_CHAR, 0, result, MPI_COMM_WORLD);
  }
  free(message);
}

static int ask(void *self, int worker, int index) {
  (void)self;
  return MPI_Send(&index, 1, MPI_INT, worker + 1, task, MPI_COMM_WORLD) == MPI_SUCCESS ? 0 : -1;
}

static int answer(void *self, int *worker, int *index, char *text, long *length) {
  char *message = self;
  MPI_Status status;
  int size = 0, most = (int)sizeof(int) + 1 + sweep_longest;
  if (MPI_Recv(message, most, MPI_CHAR, MPI_ANY_SOURCE, result, MPI_COMM_WORLD, &status)) return -1;
  MPI_Get_count(&status, MPI_CHAR, &size);
  for (size_t k = 0; k < sizeof(int); ++k) ((char *)index)[k] = message[k];
  *length = message[sizeof(int)] ? -1 : size - (int)sizeof(int) - 1;
  for (long k = 0; k < *length; ++k) text[k] = message[(long)sizeof(int) + 1 + k];
  *worker = status.MPI_SOURCE - 1;
  return 0;
}

int sweep_mpi(const sweep *s) {
  int rank = 0, ranks = 1;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int status = 0;
  if (rank > 0) {
    work(s);
  } else {
    char *message = malloc(sizeof(int) + 1 + sweep_longest);
    status = message ? sweep_manage(s, &(sweep_workers){ranks - 1, ask, answer, message}) : 1;
    free(message);
    if (status) MPI_Abort(MPI_COMM_WORLD, status); /* the others may be waiting */
  }
  MPI_Finalize();
  return status;
}
