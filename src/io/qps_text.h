#ifndef NSDS_SRC_QPS_TEXT_H
#define NSDS_SRC_QPS_TEXT_H

#include "io/problem_file.h"

/* Returns true if the text begins like a QPS file: a section of MPS behind comments. */
bool nsds_is_qps(const nsds_text *text);

/* Reads a quadratic programme; kind "program". */
nsds_status nsds_read_qps(nsds_text *text, nsds_problem_file *file);

#endif
