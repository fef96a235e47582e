/*
 * Files of height fields: PNG, by libpng, and the format of MuJoCo.
 */
#ifndef NSDS_RUN_HEIGHT_FILE_H
#define NSDS_RUN_HEIGHT_FILE_H

#include "run/robot/robot.h"

enum { nsds_most_height_rows = 1000 };

/* Numbers of a height field, row by row. The first row has the least second coordinate. */
typedef struct nsds_heights {
  int rows, columns;
  double *value;
} nsds_heights;

/* Memory for the numbers of as many rows and columns; false after a failure, also of numbers out of range. */
bool nsds_heights_begin(nsds_robot *robot, const nsds_xml *at, double rows, double columns,
                        nsds_heights *heights);
/* Reads a file that an element names; false after a failure. */
bool nsds_heights_read(nsds_robot *robot, const nsds_xml *at, const char *name,
                       nsds_heights *heights);

#endif
