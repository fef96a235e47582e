/*
 * The balance of a circuit over a run.
 *
 * Integrals are those of the scheme: the stages of a step with their weights. At each stage
 * currents obey Kirchhoff's first law and voltages the second, so that the sum of v i over all
 * elements is zero (B. D. H. Tellegen, Philips Res. Rep. 7 (1952)). So the energies that the
 * elements have taken add up to zero. A jump moves the charge a i1 of a short step of length a
 * between voltages v0 and v. The charge counts with their mean, and a jump of flux likewise; these
 * sums are zero too. A capacitor then takes C (v^2 - v0^2) / 2 in a jump, and the switch that
 * closes has the loss.
 *
 * The scheme has lost the energy that a capacitor or inductor has taken, less the growth of its
 * own.
 */
#include "run/circuit/balance.h"

#include "run/circuit/currents.h"
#include "run/job/guard_call.h"
#include "run/job/job_parts.h"
#include "base/text/words.h"

#include <nsds/extend.h>

#include <math.h>

static const nsds_elements *elements_of(const nsds_balance *b) { return b->stepper->elements; }

static double voltage_at(const nsds_balance *b, const nsds_instant *at, int k) {
  return nsds_equations_voltage(&b->stepper->equations, at->z, &elements_of(b)->item[k], 0);
}

/* ---- energy in elements ---- */

static double flux_of(const nsds_balance *b, int k) {
  const nsds_elements *elements = elements_of(b);
  const nsds_equations *e = &b->stepper->equations;
  const double *z = b->stepper->now.z;
  double flux = elements->item[k].value * z[e->branch[k]];
  for (int n = 0; n < elements->ncoupling; ++n) {
    const nsds_coupling *c = &elements->coupling[n];
    if (c->first == k) flux += nsds_equations_mutual(elements, c) * z[e->branch[c->second]];
    if (c->second == k) flux += nsds_equations_mutual(elements, c) * z[e->branch[c->first]];
  }
  return flux;
}

static double stored_in(const nsds_balance *b, int k) {
  const nsds_element *element = &elements_of(b)->item[k];
  double v = voltage_at(b, &b->stepper->now, k);
  if (element->kind == NSDS_ELEMENT_CAPACITOR) return 0.5 * element->value * v * v;
  if (element->kind != NSDS_ELEMENT_INDUCTOR) return 0.0;
  return 0.5 * flux_of(b, k) * b->stepper->now.z[b->stepper->equations.branch[k]];
}

/* ---- making ---- */

void nsds_balance_free(nsds_balance *b) {
  nsds_free(b->element);
  nsds_free(b->item);
  *b = (nsds_balance){0};
}

/* The element beside another one counts with it. */
static bool is_beside(const nsds_elements *elements, int k) {
  return k > 0 && elements->item[k - 1].twin == k;
}

nsds_status nsds_balance_make(nsds_balance *b, const nsds_stepper *stepper) {
  const nsds_elements *elements = stepper->elements;
  *b = (nsds_balance){.stepper = stepper, .start = stepper->now.t, .t = stepper->now.t};
  NSDS_MAKE(stepper->context, b->element, elements->count + 1);
  NSDS_MAKE(stepper->context, b->item, elements->count + 1);
  if (!b->element || !b->item) return NSDS_ERROR_MEMORY;
  for (int k = 0; k < elements->count; ++k)
    if (!is_beside(elements, k)) b->element[b->count++] = k;
  for (int n = 0; n < b->count; ++n) {
    int k = b->element[n];
    b->item[n] = (nsds_taken){.stored = stored_in(b, k),
                              .i = nsds_current_of(&stepper->equations, &stepper->now, k),
                              .v = voltage_at(b, &stepper->now, k)};
  }
  return NSDS_OK;
}

/* ---- steps ---- */

static void add_charge(nsds_taken *x, double charge, double v) {
  x->charge += charge;
  x->moved += fabs(charge);
  x->energy += charge * v;
}

void nsds_balance_take(nsds_balance *b) {
  const nsds_stepper *s = b->stepper;
  const nsds_equations *e = &s->equations;
  double length = s->now.t - b->t, share = s->middle_weight, impulse = 0.5 * s->jump_length;
  for (int n = 0; n < b->count; ++n) {
    int k = b->element[n];
    nsds_taken *x = &b->item[n];
    double i = nsds_current_of(e, &s->now, k), v = voltage_at(b, &s->now, k);
    if (share > 0.0)
      add_charge(x, share * length * nsds_current_of(e, &s->middle, k),
                 voltage_at(b, &s->middle, k));
    add_charge(x, (1.0 - share) * length * i, v);
    if (impulse > 0.0) {
      double charge = nsds_current_of(e, &s->jump, k) - i;
      add_charge(x, 2.0 * impulse * charge, 0.5 * (x->v + v));
      x->energy += impulse * (voltage_at(b, &s->jump, k) - v) * (x->i + i);
    }
    x->i = i;
    x->v = v;
  }
  b->t = s->now.t;
}

void nsds_balance_keep(nsds_balance *b, nsds_keeper *keeper) {
  nsds_keep_number(keeper, &b->start);
  nsds_keep_number(keeper, &b->t);
  for (int n = 0; n < b->count; ++n) {
    nsds_taken *x = &b->item[n];
    double *const numbers[] = {&x->energy, &x->charge, &x->moved, &x->stored, &x->i, &x->v};
    for (int k = 0; k < 6; ++k) nsds_keep_number(keeper, numbers[k]);
  }
}

/* ---- results ---- */

static nsds_balance_entry entry_of(const nsds_balance *b, int n) {
  const nsds_element *element = &elements_of(b)->item[b->element[n]];
  const nsds_taken *x = &b->item[n];
  const nsds_element_traits *traits = &nsds_element_traits_of[element->kind];
  nsds_balance_entry entry = {.name = element->name, .kind = traits->words};
  switch (traits->energy) {
  case NSDS_ENERGY_STORED:
    entry.stored = stored_in(b, b->element[n]) - x->stored;
    entry.lost = x->energy - entry.stored;
    break;
  case NSDS_ENERGY_DISSIPATED: entry.dissipated = x->energy; break;
  case NSDS_ENERGY_GIVEN: entry.given = -x->energy; break;
  case NSDS_ENERGY_PASSED: break;
  }
  return entry;
}

static void add_to_node(const nsds_equations *e, double *charge, double *moved, int node,
                        double amount, double most) {
  int unknown = node < 0 ? -1 : e->node[node];
  if (unknown < 0) return;
  charge[unknown] += amount;
  moved[unknown] += most;
}

/* Adds the charge that has left each node, ideally zero, and the charge that has passed. */
static void sum_at_nodes(const nsds_balance *b, double *charge, double *moved) {
  const nsds_equations *e = &b->stepper->equations;
  for (int n = 0; n < b->count; ++n) {
    const nsds_element *element = &elements_of(b)->item[b->element[n]];
    const nsds_taken *x = &b->item[n];
    add_to_node(e, charge, moved, element->node[0], x->charge, x->moved);
    add_to_node(e, charge, moved, element->node[1], -x->charge, x->moved);
    if (!nsds_element_has_second(element)) continue;
    double second = element->value * x->charge, most = fabs(element->value) * x->moved;
    add_to_node(e, charge, moved, element->node[2], -second, most);
    add_to_node(e, charge, moved, element->node[3], second, most);
  }
}

static const nsds_balance *balance_of(const nsds_job *job) { return job ? job->balance : NULL; }

int nsds_job_balance_count(const nsds_job *job) {
  const nsds_balance *b = balance_of(job);
  return b ? b->count : 0;
}

static nsds_status no_balance(const nsds_job *job, const char *function) {
  if (!job) return nsds_refuse_null(NULL, function, "job");
  return nsds_report(
      job->context, NSDS_ERROR_ARGUMENT,
      "%s: the job keeps no balance; it must be created with balance of nsds_job_def", function);
}

nsds_status nsds_job_balance(const nsds_job *job, int k, nsds_balance_entry *entry) {
  const nsds_balance *b = balance_of(job);
  if (!b) return no_balance(job, "nsds_job_balance");
  if (!entry) return nsds_refuse_null(job->context, "nsds_job_balance", "entry");
  if (k < 0 || k >= b->count)
    return nsds_report(job->context, NSDS_ERROR_ARGUMENT,
                       "nsds_job_balance: k is %d, must be from 0 to %d", k, b->count - 1);
  *entry = entry_of(b, k);
  return NSDS_OK;
}

nsds_status nsds_job_balance_sum(const nsds_job *job, nsds_balance_sum *sum) {
  const nsds_balance *b = balance_of(job);
  if (!b) return no_balance(job, "nsds_job_balance_sum");
  if (!sum) return nsds_refuse_null(job->context, "nsds_job_balance_sum", "sum");
  *sum = (nsds_balance_sum){.start = b->start, .end = b->t};
  for (int n = 0; n < b->count; ++n) {
    nsds_balance_entry entry = entry_of(b, n);
    sum->given += entry.given;
    sum->dissipated += entry.dissipated;
    sum->stored += entry.stored;
    sum->lost += entry.lost;
    if (nsds_element_has_second(&elements_of(b)->item[b->element[n]])) continue;
    sum->left -= b->item[n].energy;
    sum->passed += 0.5 * fabs(b->item[n].energy);
  }
  size_t nnode = (size_t)b->stepper->equations.nnode;
  double *charge = nsds_alloc(job->context, "charges of nodes", 2 * nnode + 1, sizeof *charge);
  if (!charge) return NSDS_ERROR_MEMORY;
  sum_at_nodes(b, charge, charge + nnode);
  for (size_t k = 0; k < nnode; ++k) {
    sum->charge_left = fmax(sum->charge_left, fabs(charge[k]));
    sum->charge_passed = fmax(sum->charge_passed, 0.5 * charge[nnode + k]);
  }
  nsds_free(charge);
  return NSDS_OK;
}
