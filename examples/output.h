/* Where an example writes its table, and how it ends. */
#ifndef NSDS_EXAMPLE_OUTPUT_H
#define NSDS_EXAMPLE_OUTPUT_H

#include <nsds/nsds.h>

#include <stdio.h>

/* The file of the first argument, or standard output; ends the program when it cannot be written,
 * or with a line on its use where the argument begins with '-'. */
FILE *output_open(int argc, char **argv);

/* Closes it; false, with a message, where not all has been written. */
bool output_end(FILE *out);

/* The VTK series beside the file of the first argument: FILE.pvd for FILE.csv. NULL without a file, or
 * where it cannot be written, which output_close() tells then. */
nsds_vtk *output_series(int argc, char **argv, nsds_model *model);

/* Writes a frame, unless there is no series; false where it cannot be written. */
bool output_frame(nsds_vtk *series, nsds_model *model, double t);

/* Prints the model's error if the last status is one, closes the file and frees the model. Returns
 * the exit status: 0 when the simulation has come to its end. */
int output_close(FILE *out, nsds_model *model, nsds_status status);

#endif
