/* The faults of files, in the order of their discovery. */
#include "base/text/faults.h"

#include "base/text/words.h"

bool nsds_faults_have(const nsds_faults *faults, const nsds_fault *fault) {
  for (int k = 0; k < faults->count && fault->line > 0; ++k) {
    const nsds_fault *f = &faults->item[k];
    if (f->file == fault->file && f->line == fault->line && f->column == fault->column) return true;
  }
  return false;
}

nsds_status nsds_faults_keep(nsds_context *context, nsds_faults *faults, const nsds_fault *fault) {
  if (faults->count == nsds_most_faults || nsds_faults_have(faults, fault)) return NSDS_OK;
  nsds_fault *kept = &faults->item[faults->count++];
  *kept = *fault;
  if (!fault->text) return NSDS_OK;
  kept->text = nsds_copy_word(context, fault->text);
  if (kept->text) return NSDS_OK;
  return kept->status = NSDS_ERROR_MEMORY;
}

void nsds_faults_clear(nsds_faults *faults) {
  for (int k = 0; k < faults->count; ++k) nsds_free(faults->item[k].text);
  faults->count = 0;
}
