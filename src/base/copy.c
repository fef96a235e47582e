/* Copies and zeros of many doubles: by the C library if they are short or longer than caches, else piece
 * by piece, see copy.h. */
#include "base/copy.h"

#include <string.h>

enum { piece = 8, in_pieces_from = 512, in_pieces_to = 1 << 15 };

void nsds_copy_many(double *to, const double *from, size_t n) {
  size_t k = 0;
  if (n >= in_pieces_from && n <= in_pieces_to)
    for (; k + piece <= n; k += piece) memcpy(to + k, from + k, piece * sizeof *to);
  if (k < n) memcpy(to + k, from + k, (n - k) * sizeof *to);
}

void nsds_zero_many(double *x, size_t n) {
  size_t k = 0;
  if (n >= in_pieces_from && n <= in_pieces_to)
    for (; k + piece <= n; k += piece) memset(x + k, 0, piece * sizeof *x);
  if (k < n) memset(x + k, 0, (n - k) * sizeof *x);
}
