/*
 * Model files: the reader of jobs in YAML.
 */
#ifndef NSDS_SRC_MODEL_FILE_H
#define NSDS_SRC_MODEL_FILE_H

#include "run/job/job_parts.h"
#include "run/model/yaml_tree.h"

/* Makes the job of a model file; a failure has its message in the context. */
nsds_status nsds_model_file_read(nsds_job *job, const nsds_job_def *def, const char *text,
                                 size_t size);
/* The same of a tree that another format has become. The tree is freed with the job, or at once. */
nsds_status nsds_model_tree_read(nsds_job *job, const nsds_job_def *def, nsds_yaml *tree);

#endif
