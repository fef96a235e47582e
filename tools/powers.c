/*
 * Prints energies of a run as mean powers: into the circuit, out of it, stored, and lost by the steps.
 */
#include "powers.h"

#include <math.h>
#include <string.h>

static void print_powers(FILE *out, int width, const char *name, const double power[4]) {
  fprintf(out, "%-*s", width, name);
  for (int k = 0; k < 4; ++k) {
    if (power[k] != 0.0) fprintf(out, " %13.6g", power[k]);
    else fprintf(out, " %13s", "-");
  }
}

/* A source that has taken energy in the mean is one of the ways out. */
static void powers_of(const nsds_balance_entry *entry, double length, double power[4]) {
  power[0] = fmax(entry->given, 0.0) / length;
  power[1] = (entry->dissipated + fmax(-entry->given, 0.0)) / length;
  power[2] = entry->stored / length;
  power[3] = entry->lost / length;
}

static int widest_name(const nsds_job *job) {
  nsds_balance_entry entry;
  int width = (int)strlen("element");
  for (int k = 0; k < nsds_job_balance_count(job); ++k)
    if (nsds_job_balance(job, k, &entry) == NSDS_OK && (int)strlen(entry.name) > width)
      width = (int)strlen(entry.name);
  return width;
}

void print_balance(const nsds_job *job, FILE *out) {
  nsds_balance_sum sum;
  nsds_balance_entry entry;
  if (nsds_job_balance_sum(job, &sum) || !(sum.end > sum.start)) return;
  double length = sum.end - sum.start, total[4] = {0.0}, power[4];
  int width = widest_name(job);
  fprintf(out, "mean powers from %.6g s to %.6g s [W]\n", sum.start, sum.end);
  fprintf(out, "%-*s %13s %13s %13s %13s\n", width, "element", "in", "out", "stored",
          "lost by steps");
  for (int k = 0; k < nsds_job_balance_count(job); ++k) {
    if (nsds_job_balance(job, k, &entry)) return;
    powers_of(&entry, length, power);
    for (int j = 0; j < 4; ++j) total[j] += power[j];
    print_powers(out, width, entry.name, power);
    fprintf(out, "  %s\n", entry.kind);
  }
  print_powers(out, width, "sum", total);
  fprintf(out, "\nleft over: %.3g W of %.6g W; charge at a node: %.3g C of %.6g C\n",
          sum.left / length, sum.passed / length, sum.charge_left, sum.charge_passed);
}
