/*
 * Pictures of tables, by gnuplot.
 */
#ifndef NSDS_TOOLS_PLOT_H
#define NSDS_TOOLS_PLOT_H

#include "table.h"

/* Tells if a name has an ending that can be drawn; false with a message. */
bool plot_accepts(const char *path);

/* Draws a file .png, .svg or .pdf: a panel for each unit; false, with a message in the context, where that cannot be. */
bool plot_draw(const kept_table *table, const nsds_job *job, nsds_context *context,
               const char *path);

#endif
