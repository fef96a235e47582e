/*
 * Rows in question fall into parts that share no system. Each part is a problem of its own, so that
 * the cost of an event grows with the rows, not with their cube. A union-find over systems finds
 * the parts: contacts of the rows join trees.
 *
 * The problem of a part has impulses or accelerations. A solver finds z to its tolerance. Then z is
 * taken to rounding, since errors of an impact become motion. If there are several solutions, the
 * one of least squares is taken. For accelerations a solution inside the bounds is preferred, if
 * the least one puts a force at rest on its bound. Copies of the problems are kept for programs,
 * see event_problems.c.
 */
#include "kernel/events/event_parts.h"

#include "base/base.h"
#include "base/context.h"
#include "base/union_find.h"
#include "kernel/assembly/diagnose.h"
#include "kernel/assembly/lifting.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/event_problems.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/opening.h"
#include "kernel/events/row_values.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/modeling.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/refine_even.h"
#include "numerics/refine_inside.h"
#include "numerics/solver_run.h"
#include "numerics/store.h"

/* Sorts the rows by the numbers `of` of their parts. */
static nsds_status lay_out(nsds_event_rows *s, nsds_row_list *list, const int *of, int nparts) {
  nsds_status status = nsds_grow(s->plan->context, &list->start, &list->start_capacity,
                                 (size_t)nparts + 2, sizeof *list->start);
  if (status) return status;
  int *start = list->start, *rows = s->split.sorted + s->nrow;
  for (int p = 0; p <= nparts + 1; ++p) start[p] = 0;
  for (int k = 0; k < list->n; ++k) ++start[of[k] + 2];
  for (int p = 0; p < nparts; ++p) start[p + 2] += start[p + 1];
  for (int k = 0; k < list->n; ++k) rows[start[of[k] + 1]++] = list->row[k];
  if (list->n > 0) memcpy(list->row, rows, (size_t)list->n * sizeof *rows);
  list->nparts = nparts;
  return NSDS_OK;
}

nsds_status nsds_rows_split(nsds_event_rows *s, nsds_row_list *list) {
  const nsds_contact *contact = s->plan->contact;
  const int *leader = s->plan->tree ? s->plan->tree->leader : NULL;
  int *up = s->split.link, *number = up + s->plan->nslot, nparts = 0;
  for (int k = 0; k < list->n; ++k) {
    const nsds_contact *own = &contact[s->row[list->row[k]].contact];
    for (int e = 0; e < own->nds; ++e) {
      int slot = leader ? leader[own->reach[e].slot] : own->reach[e].slot;
      up[slot] = slot;
      number[slot] = -1;
    }
  }
  for (int k = 0; k < list->n; ++k) {
    const nsds_contact *own = &contact[s->row[list->row[k]].contact];
    for (int e = 1; e < own->nds; ++e) {
      int a = own->reach[0].slot, b = own->reach[e].slot;
      nsds_unite(up, leader ? leader[a] : a, leader ? leader[b] : b);
    }
  }
  for (int k = 0; k < list->n; ++k) {
    int slot = contact[s->row[list->row[k]].contact].reach[0].slot;
    int *own = &number[nsds_root(up, leader ? leader[slot] : slot)];
    if (*own < 0) *own = nparts++;
    s->split.sorted[k] = *own;
  }
  return lay_out(s, list, s->split.sorted, nparts);
}

nsds_status nsds_rows_refine(nsds_event_rows *s, nsds_row_list *list,
                             bool (*tied)(const nsds_event_rows *s, const nsds_row_part *part,
                                          int i, int j)) {
  int nparts = 0, *of = s->split.sorted;
  for (int p = 0; p < list->nparts; ++p) {
    int first = list->start[p], *queue = s->split.sorted + s->nrow;
    const nsds_row_part part = nsds_part_of(s, list, p);
    nsds_status status = nsds_rows_matrix(s, &part, true);
    if (status) return status;
    for (int k = 0; k < part.n; ++k) of[first + k] = -1;
    for (int k = 0; k < part.n; ++k) {
      if (of[first + k] >= 0) continue;
      int end = 0;
      queue[end++] = k;
      of[first + k] = nparts;
      for (int next = 0; next < end; ++next)
        for (int j = 0; j < part.n; ++j) {
          if (of[first + j] >= 0 || !tied(s, &part, j, queue[next])) continue;
          of[first + j] = nparts;
          queue[end++] = j;
        }
      ++nparts;
    }
  }
  return lay_out(s, list, of, nparts);
}

nsds_row_part nsds_part_of(const nsds_event_rows *s, const nsds_row_list *list, int p) {
  int first = list->start[p];
  double *b = s->system.numbers + first;
  return (nsds_row_part){.list = list,
                         .own = p < s->parts.n ? &s->parts.factor[p] : NULL,
                         .n = list->start[p + 1] - first,
                         .chosen = list->row + first,
                         .b = b,
                         .terms = b + s->nrow,
                         .z = b + 2 * s->nrow,
                         .w = b + 3 * s->nrow};
}

static nsds_status event_parts_reserve_factor(nsds_context *context, nsds_part_factor *own,
                                              int rows) {
  size_t n = (size_t)rows;
  if (!own->factor) own->factor = nsds_factor_create(context);
  if (!own->factor) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_factor_reserve_dense(own->factor, rows);
  if (!status)
    status =
        nsds_grow(context, &own->shares, &own->shares_capacity, n * (n + 4), sizeof *own->shares);
  return status ? status
                : nsds_grow(context, &own->order, &own->order_capacity, n, sizeof *own->order);
}

nsds_status nsds_parts_reserve(nsds_event_rows *s, const nsds_row_list *list) {
  nsds_context *context = s->plan->context;
  size_t wanted = (size_t)list->nparts, most = 0;
  nsds_status status =
      nsds_grow(context, &s->parts.factor, &s->parts.capacity, wanted, sizeof *s->parts.factor);
  while (!status && s->parts.n < list->nparts)
    s->parts.factor[s->parts.n++] = (nsds_part_factor){.rank = 0};
  for (int p = 0; !status && p < list->nparts; ++p) {
    size_t n = (size_t)(list->start[p + 1] - list->start[p]);
    if (n > most) most = n;
    status = event_parts_reserve_factor(context, &s->parts.factor[p], (int)n);
  }
  if (!status)
    status = nsds_grow(context, &s->system.A, &s->system.A_capacity, 2 * most * most,
                       sizeof *s->system.A);
  return status ? status : nsds_event_problem_reserve(s, (int)most);
}

void nsds_parts_release(nsds_event_rows *s) {
  nsds_context *context = s->plan->context;
  for (int p = 0; p < s->parts.n; ++p) {
    nsds_factor_destroy(s->parts.factor[p].factor);
    nsds_release(context, s->parts.factor[p].shares);
    nsds_release(context, s->parts.factor[p].order);
  }
  void *arrays[] = {s->parts.factor, s->system.A,     s->system.numbers,
                    s->split.link,   s->split.sorted, s->list.row,
                    s->list.start,   s->closed.row,   s->closed.start};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) nsds_release(context, arrays[k]);
}

/* ---- the problem of a part ----------------------------------------------------------------------- */

nsds_status nsds_event_problem_reserve(nsds_event_rows *s, int most) {
  nsds_event_problem *p = &s->problem;
  size_t n = (size_t)most;
  if (most <= p->most) return nsds_refiner_reserve(&p->refiner, s->plan->context, most);
  p->store.context = s->plan->context;
  nsds_kept_problem *a = &p->motion, *b = &p->impact;
  const nsds_cut kept[] = {
      NSDS_CUT(a->A, n * n),      NSDS_CUT(a->b, n),          NSDS_CUT(a->z, n),
      NSDS_CUT(a->block, n),      NSDS_CUT(a->bounds, 2 * n), NSDS_CUT(b->A, n * n),
      NSDS_CUT(b->b, n),          NSDS_CUT(b->z, n),          NSDS_CUT(b->block, n),
      NSDS_CUT(b->bounds, 2 * n), NSDS_CUT(p->spare, n),      NSDS_CUT(p->error, n),
      NSDS_CUT(p->before, 2 * n), NSDS_CUT(p->place, n)};
  nsds_status status = NSDS_HOLD(&p->store, kept);
  if (status) return status;
  p->most = most;
  status = nsds_event_problems_reserve(s);
  return status ? status : nsds_refiner_reserve(&p->refiner, s->plan->context, most);
}

void nsds_event_problem_destroy(nsds_event_rows *s) {
  nsds_store_release(&s->problem.store);
  nsds_store_release(&s->problem.all.store);
  nsds_release(s->plan->context, s->problem.all.item);
  nsds_refiner_release(&s->problem.refiner);
}

/* Returns the number of tangents of chosen row k that are chosen too. Writes the coefficients of
 * friction of slip and of rolling among them. */
static int chosen_tangents(const nsds_event_rows *s, const nsds_row_part *part, int k,
                           double mu[2]) {
  const nsds_row *row = &s->row[part->chosen[k]], *t;
  int count = 0, kinds = 0;
  for (; count < row->tangents && k + count + 1 < part->n; ++count) {
    t = &s->row[part->chosen[k + count + 1]];
    if (t->normal == 0 || t - t->normal != row) break;
    if (t->span > 0) mu[kinds++] = t->mu;
  }
  return count;
}

/* Returns the block of row k and its tangents. Slip alone, or rolling alone, obeys Coulomb's law.
 * Impulses have infinite bounds only. */
static nsds_block event_problem_block_of(nsds_event_rows *s, const nsds_row_part *part, int k,
                                         bool impact) {
  const nsds_row *row = &s->row[part->chosen[k]];
  double mu[2] = {0.0};
  int tangents = row->tangents > 0 ? chosen_tangents(s, part, k, mu) : 0;
  if (tangents > 0) {
    nsds_block block = nsds_law_block(s->plan->contact[row->contact].law);
    if (tangents == row->tangents) return block;
    return (nsds_block){.set = NSDS_SET_COULOMB, .size = 1 + tangents, .mu = mu[0]};
  }
  double *bound = s->system.bounds + 2 * k;
  bound[0] = impact && row->lower > -INFINITY ? 0.0 : row->lower;
  bound[1] = impact && row->upper < INFINITY ? 0.0 : row->upper;
  bool below = bound[0] > -INFINITY, above = bound[1] < INFINITY;
  nsds_set_kind set = NSDS_SET_BOX;
  if (!below && !above) set = NSDS_SET_EQUALITY;
  else if (!above && bound[0] == 0.0) set = NSDS_SET_NONNEGATIVE;
  return (nsds_block){.set = set, .size = 1, .lower = &bound[0], .upper = &bound[1]};
}

nsds_status nsds_event_solver_reserve(nsds_event_rows *s, const nsds_row_part *part) {
  size_t n = (size_t)part->n;
  int count = 0;
  for (size_t k = 0; k < n * n; ++k)
    s->system.A[k] = 1.0; /* sparse forms have room for all entries */
  nsds_zero_doubles(part->b, n);
  for (int k = 0; k < part->n; k += s->system.block[count++].size)
    s->system.block[count] = event_problem_block_of(s, part, k, true);
  nsds_problem full = {.n = part->n,
                       .nblock = count,
                       .block = s->system.block,
                       .M = {.storage = NSDS_DENSE, .n = part->n, .x = s->system.A},
                       .q = part->b};
  nsds_status status = nsds_solver_reserve(s->solver, &full);
  if (status || s->impact_solver == s->solver) return status;
  return nsds_solver_reserve(s->impact_solver, &full);
}

/* ---- the problem ----------------------------------------------------------------------------- */

/* Returns the size of the terms of a row. Accelerations have terms speed^2 / length. If speeds are
 * only rounding, so are these terms. */
static double size_of_terms(const nsds_event_rows *s, const nsds_row_part *part, int k,
                            bool impact) {
  const nsds_row *row = &s->row[part->chosen[k]];
  double terms = part->terms[k], speed, length;
  if (impact || row->degree != 2) return terms;
  speed = nsds_row_speed_terms(s, row);
  length = nsds_row_gap_terms(s, row);
  return length > 0.0 ? fmax(terms, speed * speed / length) : terms;
}

/* Estimates the rounding errors of the rows. Dependent rows agree to the rounding of the largest
 * row, measured by A. This holds even if the terms of a row are all rounding. */
static void find_q_errors(nsds_event_rows *s, const nsds_row_part *part, bool impact) {
  double largest = 0.0, *error = s->problem.error;
  for (int k = 0; k < part->n; ++k) {
    double d = s->system.A[k + (ptrdiff_t)k * part->n];
    error[k] = size_of_terms(s, part, k, impact);
    if (d > 0.0) largest = fmax(largest, error[k] / sqrt(d));
  }
  for (int k = 0; k < part->n; ++k) {
    double d = s->system.A[k + (ptrdiff_t)k * part->n];
    error[k] = 0x1p-50 * fmax(error[k], d > 0.0 ? largest * sqrt(d) : 0.0);
  }
}

static nsds_problem problem_of(nsds_event_rows *s, const nsds_row_part *part, bool impact) {
  int count = 0;
  for (int k = 0; k < part->n; k += s->system.block[count++].size)
    s->system.block[count] = event_problem_block_of(s, part, k, impact);
  find_q_errors(s, part, impact);
  return (nsds_problem){.n = part->n,
                        .nblock = count,
                        .block = s->system.block,
                        .M = {.storage = NSDS_DENSE, .n = part->n, .x = s->system.A},
                        .q = part->b,
                        .q_error = s->problem.error};
}

static void take_to_rounding(nsds_event_rows *s, const nsds_row_part *part,
                             const nsds_problem *problem) {
  nsds_event_problem *p = &s->problem;
  p->residual = nsds_refine(&p->refiner, problem, part->z, part->w);
  p->dependent = nsds_refine_evenly(&p->refiner, problem, NULL, part->z, part->w, p->spare);
}

/* Returns true if a row that was closed before the event begins to move. */
static bool begins_to_move(const nsds_event_rows *s, const nsds_row_part *part) {
  bool any = false;
  for (int k = 0; k < part->n; ++k)
    any = any || (s->row[part->chosen[k]].lambda_origin != 0.0 &&
                  fabs(part->w[k]) > 1e-9 * part->terms[k]);
  return any;
}

/* Returns true if the friction of a row has come to its bound. */
static bool came(const nsds_event_rows *s, const nsds_row_part *part) {
  bool any = false;
  for (int k = 0; k < part->n; ++k)
    any = any || (s->row[part->chosen[k]].span > 0 &&
                  s->row[part->chosen[k]].mark.bound == NSDS_BOUND_LOWER);
  return any;
}

/* Sets z to the forces before the event, and computes w. */
static void take_back(nsds_event_rows *s, const nsds_row_part *part) {
  for (int k = 0; k < part->n; ++k) {
    part->z[k] = s->row[part->chosen[k]].lambda_origin;
    part->w[k] = part->b[k];
  }
  for (int j = 0; j < part->n; ++j)
    for (int k = 0; k < part->n; ++k)
      part->w[k] += s->system.A[k + (ptrdiff_t)j * part->n] * part->z[j];
}

/* Looks for forces inside their bounds if rows depend on each other. A row does not begin to move
 * if others can go on holding it. */
static nsds_status look_inside(nsds_event_rows *s, const nsds_row_part *part,
                               const nsds_problem *problem, nsds_status found) {
  nsds_event_problem *p = &s->problem;
  size_t n = (size_t)part->n;
  double most = !found && isfinite(p->residual) ? 4.0 * p->residual : 0.0;
  p->inside =
      !found && p->dependent &&
      nsds_refine_inside(&p->refiner, problem, part->z, part->w, p->spare, came(s, part), most);
  if (p->inside || (!found && !begins_to_move(s, part))) return found;
  nsds_copy_doubles(p->before, part->z, n);
  nsds_copy_doubles(p->before + n, part->w, n);
  take_back(s, part);
  p->inside = nsds_refine_inside(&p->refiner, problem, part->z, part->w, NULL, true, most);
  if (p->inside) {
    p->dependent = true;
    for (size_t k = 0; k < n; ++k) p->spare[k] = false;
    return NSDS_OK;
  }
  nsds_copy_doubles(part->z, p->before, n);
  nsds_copy_doubles(part->w, p->before + n, n);
  return found;
}

/* Returns true if chosen row k keeps its place on its law with z and w. */
static bool row_stays(const nsds_event_rows *s, const nsds_row_part *part, int k) {
  const nsds_row *row = &s->row[part->chosen[k]];
  double terms = part->terms[k], w = part->w[k], z = part->z[k];
  bool marked = row->mark.place != NSDS_PLACE_AWAY || row->mark.bound != NSDS_BOUND_NONE;
  if ((marked && row->degree == 0) || row->tangents > 0 || row->normal > 0) return false;
  for (int j = 0; j < part->n; ++j)
    terms += fabs(s->system.A[k + (ptrdiff_t)j * part->n] * part->z[j]);
  bool above = w > nsds_rounding * terms, below = w < -nsds_rounding * terms;
  return z >= row->lower && z <= row->upper && !(above && z > row->lower) &&
         !(below && z < row->upper);
}

bool nsds_event_stays(nsds_event_rows *s, const nsds_row_part *part) {
  nsds_event_problem *p = &s->problem;
  bool stays = true;
  for (int k = 0; k < part->n; ++k) {
    part->z[k] = s->row[part->chosen[k]].mark.before;
    part->w[k] = part->b[k];
  }
  for (int j = 0; j < part->n; ++j)
    for (int k = 0; k < part->n; ++k)
      part->w[k] += s->system.A[k + (ptrdiff_t)j * part->n] * part->z[j];
  for (int k = 0; k < part->n; ++k) stays = stays && row_stays(s, part, k);
  if (stays) p->dependent = p->inside = p->rests = false;
  return stays;
}

static nsds_solver *solver_of(const nsds_event_rows *s, bool impact) {
  return impact ? s->impact_solver : s->solver;
}

nsds_status nsds_event_solve(nsds_event_rows *s, const nsds_row_part *part, bool impact,
                             nsds_solver_info *info) {
  nsds_event_problem *p = &s->problem;
  nsds_solver *solver = solver_of(s, impact);
  nsds_status status = nsds_event_problem_reserve(s, part->n);
  if (status) return status;
  for (int k = 0; k < part->n; ++k) part->z[k] = 0.0;
  nsds_problem problem = problem_of(s, part, impact);
  status = nsds_solve(solver, &problem, part->z, part->w, info);
  if (NSDS_UNLIKELY(status == NSDS_ERROR_SOLVER) && nsds_stops(s->plan->context))
    return NSDS_STOPPED;
  if (!status && !impact && s->listed.friction) status = nsds_event_open_rather(s, part, &problem);
  if (!status) take_to_rounding(s, part, &problem);
  p->inside = false;
  p->rests = p->dependent && !nsds_refiner_is_least(&p->refiner);
  if (!impact && (!status || status == NSDS_ERROR_SOLVER))
    status = look_inside(s, part, &problem, status);
  p->rests = p->rests || p->inside;
  nsds_event_problems_note(s, part, &problem, impact);
  if (status != NSDS_ERROR_SOLVER) return status;
  if (info->outcome == NSDS_REFUSED)
    return nsds_problem_refused(s->plan->context, "event at", s->plan->trial.t, part->n, solver);
  char drive[nsds_diagnosis_size] = "", label[nsds_label_size] = "no contact";
  int worst = info->worst_row;
  if (worst >= 0 && worst < part->n) {
    const nsds_contact *contact = &s->plan->contact[s->row[part->chosen[worst]].contact];
    nsds_contact_label(contact, label);
    nsds_describe_drive(s->plan, contact, drive);
  }
  return nsds_fail(s->plan->context, status,
                   "event at t = %.17g: the problem of %s in %d rows was not solved: %s by %s, "
                   "residual %g, row %d of %s%s",
                   s->plan->trial.t, impact ? "impulses" : "accelerations", part->n,
                   nsds_outcome_text(info->outcome), info->solver, info->residual, worst, label,
                   drive);
}

nsds_status nsds_event_solve_closely(nsds_event_rows *s, const nsds_row_part *part, bool impact,
                                     nsds_solver_info *info) {
  nsds_context *context = s->plan->context;
  nsds_solver *solver = solver_of(s, impact);
  bool clean = nsds_error(context) == NSDS_OK;
  double tolerance = nsds_solver_get(solver, "tolerance");
  if (tolerance <= nsds_rounding) return nsds_event_solve(s, part, impact, info);
  nsds_status status = nsds_solver_set(solver, "tolerance", nsds_rounding);
  if (!status) status = nsds_event_solve(s, part, impact, info);
  nsds_solver_set(solver, "tolerance", tolerance);
  if (status != NSDS_ERROR_SOLVER) return status;
  if (clean) nsds_error_clear(context);
  return nsds_event_solve(s, part, impact, info);
}

void nsds_event_correct(nsds_event_rows *s, const nsds_row_part *part) {
  nsds_problem problem = problem_of(s, part, true);
  take_to_rounding(s, part, &problem);
  nsds_event_problems_note(s, part, &problem, true);
}
