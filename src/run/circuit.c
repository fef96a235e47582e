/* Netlists: from the text to a run. */
#include "run/circuit.h"

#include <nsds/extend.h>

nsds_status nsds_circuit_read(nsds_job *job, const nsds_job_def *def, const char *text,
                              size_t size) {
  (void)text, (void)size;
  return nsds_report(job->context, NSDS_ERROR_UNSUPPORTED, "%s: netlists are not read yet",
                     def->file);
}
