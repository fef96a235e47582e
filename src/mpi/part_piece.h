/*
 * The rows of one process in a problem file of the format nsds, as a text of their own. The file passes by word
 * for word, and no process holds the whole.
 */
#ifndef NSDS_SRC_MPI_PART_PIECE_H
#define NSDS_SRC_MPI_PART_PIECE_H

#include "mpi/group.h"

typedef struct nsds_file_piece {
  char *text; /* own rows, then rows without meaning for other columns that a sparse M meets */
  size_t size, room;
  int n, nblock;           /* of the whole */
  int first, last;         /* own blocks in the whole */
  int first_row, last_row; /* and their rows */
  long long *global;       /* number in the whole of each column of the piece */
  int nlocal;
  size_t globals;
} nsds_file_piece;

/* The rank whose run a block belongs to that begins at this row of n. */
int nsds_rank_of_row(const nsds_mpi *mpi, int n, int row);

/* Takes the piece of this process. Returns false where the file has to be read as a whole: it is of another format
 * or storage, or not in order. */
bool nsds_take_piece(const nsds_mpi *mpi, const char *path, nsds_file_piece *piece);
void nsds_free_piece(nsds_file_piece *piece);

#endif
