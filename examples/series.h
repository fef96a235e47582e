/* A series of .vtp files with a .pvd list for ParaView, beside an example's table. */
#ifndef NSDS_EXAMPLE_SERIES_H
#define NSDS_EXAMPLE_SERIES_H

#include <stdbool.h>

typedef struct series {
  char stem[960]; /* path without ending; empty: nothing is written */
  double pitch;   /* time between frames [s] */
  int frames;
} series;

/* Points with velocities, and faces between them or, without faces, points alone. */
typedef struct series_mesh {
  int npoint;
  const double *x, *v; /* 3 npoint */
  int nface, corners;  /* faces of so many corners each */
  const int *face;     /* corners x nface numbers of points */
} series_mesh;

/* Files are named after the table in argv[1]; none without it. */
series series_open(int argc, char **argv, double pitch);
/* The next frame; false, with errno, where it cannot be written. */
bool series_write(series *s, const series_mesh *mesh);
/* The list of all frames; false likewise. */
bool series_close(const series *s);

#endif
