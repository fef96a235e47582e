/*
 * Makes the equations of implicit stages, see implicit_rows.h. A pass over the plan lists all entries
 * (row, column, base, mass); compressed columns are made of them. Entries vary in systems that are
 * not affine, and in relations whose coefficients are not constant. The places of
 * these are kept in the order in which an evaluation writes them (implicit_evaluate.c).
 */
#include "kernel/adaptive/implicit_rows.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/adaptive/implicit_second.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"

#include <nsds/matrix.h>

bool nsds_implicit_stays(const nsds_slot *slot) {
  return slot->ds->affine && (!slot->K || slot->ds->stiffness.constant);
}

void nsds_implicit_rows_destroy(nsds_implicit_rows *r) {
  if (!r->plan) return;
  void *arrays[] = {r->p,
                    r->i,
                    r->diagonal,
                    r->base,
                    r->mass,
                    r->place,
                    r->varying,
                    r->reference.x,
                    r->mass_columns.p,
                    r->mass_columns.i,
                    r->mass_columns.x,
                    r->base_columns.p,
                    r->base_columns.i,
                    r->base_columns.x,
                    r->law_rows.p,
                    r->law_rows.i,
                    r->law_rows.x,
                    r->largest,
                    r->load,
                    r->law.compliance,
                    r->lower,
                    r->upper,
                    r->law.lower,
                    r->law.upper,
                    r->known.entry,
                    r->motion.q,
                    r->motion.gap,
                    r->motion.kind,
                    r->motion.work,
                    r->motion.step,
                    r->work};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
    nsds_release(r->plan->context, arrays[k]);
  *r = (nsds_implicit_rows){0};
}

/* ---- the list of entries --------------------------------------------------------------------- */

/* All entries, of the same places in both lists. Places of varying entries are kept as pairs. */
typedef struct implicit_entries {
  nsds_context *context;
  nsds_triplet *base, *mass;
  size_t base_capacity, mass_capacity, count;
  int (*pair)[2];
  size_t pair_capacity, npair;
  nsds_status status;
} implicit_entries;

static void implicit_add(implicit_entries *e, int row, int column, double base, double mass) {
  if (e->status) return;
  e->status = nsds_grow(e->context, &e->base, &e->base_capacity, e->count + 1, sizeof *e->base);
  if (!e->status)
    e->status = nsds_grow(e->context, &e->mass, &e->mass_capacity, e->count + 1, sizeof *e->mass);
  if (e->status) return;
  e->base[e->count] = (nsds_triplet){row, column, base};
  e->mass[e->count++] = (nsds_triplet){row, column, mass};
}

static void add_varying(implicit_entries *e, int row, int column) {
  implicit_add(e, row, column, 0.0, 0.0);
  if (!e->status)
    e->status = nsds_grow(e->context, &e->pair, &e->pair_capacity, e->npair + 1, sizeof *e->pair);
  if (e->status) return;
  e->pair[e->npair][0] = row;
  e->pair[e->npair++][1] = column;
}

static void list_matrix(implicit_entries *e, const nsds_slot *slot,
                        const nsds_matrix_shape *shape) {
  for (int j = 0; j < slot->nv; ++j) {
    nsds_shape_column column = nsds_shape_column_at(shape->p, shape->i, slot->nv, j);
    for (int k = column.first; k < column.last; ++k)
      add_varying(e, slot->v0 + nsds_shape_column_row(&column, k), slot->v0 + j);
  }
}

/* Lists M, C and K of a second-order system, whose weights depend on the length of the stage. A diagonal
 * of 1 stands for v where errors are measured. */
static void list_second_slot(implicit_entries *e, const nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  for (int j = slot->v0; j < slot->v0 + slot->nv; ++j) implicit_add(e, j, j, 0.0, 1.0);
  if (slot->M) list_matrix(e, slot, &ds->mass);
  else
    for (int j = slot->v0; j < slot->v0 + slot->nv; ++j) add_varying(e, j, j);
  if (slot->C) list_matrix(e, slot, &ds->damping);
  if (slot->K) list_matrix(e, slot, &ds->stiffness);
}

static void list_slot(implicit_entries *e, const nsds_slot *slot) {
  const nsds_ds *ds = slot->ds;
  int n = slot->nv, v0 = slot->v0;
  if (nsds_is_second_order(ds)) {
    list_second_slot(e, slot);
    return;
  }
  bool stays = nsds_implicit_stays(slot);
  for (int j = 0; j < n; ++j) {
    implicit_add(e, v0 + j, v0 + j, 0.0, ds->mass.present ? 0.0 : 1.0);
    if (slot->M) {
      nsds_shape_column column = nsds_shape_column_at(ds->mass.p, ds->mass.i, n, j);
      for (int k = column.first; k < column.last; ++k)
        if (slot->M[k] != 0.0)
          implicit_add(e, v0 + nsds_shape_column_row(&column, k), v0 + j, 0.0, slot->M[k]);
    }
    if (!slot->K) continue;
    nsds_shape_column column = nsds_shape_column_at(ds->stiffness.p, ds->stiffness.i, n, j);
    for (int k = column.first; k < column.last; ++k) {
      int row = v0 + nsds_shape_column_row(&column, k);
      if (!stays) add_varying(e, row, v0 + j);
      else if (slot->K[k] != 0.0) implicit_add(e, row, v0 + j, -slot->K[k], 0.0);
    }
  }
}

/* Lists the gradient of a contact of second-order systems by its systems, and its transpose; then D of
 * a compliant one. */
static void list_second_contact(const nsds_implicit_rows *r, implicit_entries *e,
                                const nsds_contact *contact) {
  const nsds_interaction *ia = contact->interaction;
  int m = contact->m, row = r->nx + contact->y0, k = 0;
  bool affine = contact->is.affine;
  for (int s = 0; s < ia->nds; ++s)
    for (int j = 0; j < ia->ds[s]->nv; ++j, ++k)
      for (int i = 0; i < m; ++i) {
        int column = ia->ds[s]->v_offset + j;
        if (affine && contact->H[i + (ptrdiff_t)k * m] == 0.0) continue;
        add_varying(e, row + i, column);
        add_varying(e, column, row + i);
      }
  for (int at = 0; contact->is.compliant && at < m * m; ++at)
    add_varying(e, row + at % m, row + at / m);
}

/* Lists C and B of a contact by its systems, then D, then K. Varying ones are written in the same
 * order by vary_contact(). */
static void list_contact(const nsds_implicit_rows *r, implicit_entries *e,
                         const nsds_contact *contact, unsigned char **known) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_first_terms *first = contact->first;
  int m = contact->m, nX = ia->relation->nv, row = r->nx + contact->y0, k = 0;
  bool stays = contact->is.affine;
  if (nsds_has_gap(contact->kind)) {
    list_second_contact(r, e, contact);
    return;
  }
  for (int s = 0; s < ia->nds; ++s)
    for (int j = 0; j < ia->ds[s]->nv; ++j, ++k)
      for (int i = 0; i < m; ++i) {
        int column = ia->ds[s]->v_offset + j;
        double C = first->C[i + (ptrdiff_t)k * m], B = first->B[k + (ptrdiff_t)i * nX];
        if (!stays) {
          bool c = r->full || C != 0.0 || (*known)[0], b = r->full || B != 0.0 || (*known)[1];
          *(*known)++ = c;
          *(*known)++ = b;
          if (c) add_varying(e, row + i, column);
          if (b) add_varying(e, column, row + i);
          continue;
        }
        if (C != 0.0) implicit_add(e, row + i, column, C, 0.0);
        if (B != 0.0) implicit_add(e, column, row + i, -B, 0.0);
      }
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) {
      double D = contact->D ? contact->D[i + j * m] : 0.0;
      if (!stays) add_varying(e, row + i, row + j);
      else if (D != 0.0) implicit_add(e, row + i, row + j, D, 0.0);
    }
  if (!first->K) return;
  for (int s = 0; s < ia->nds; ++s)
    for (int j = 0; j < ia->ds[s]->nv; ++j)
      for (int u = 0; u < ia->nds; ++u)
        for (int i = 0; i < ia->ds[u]->nv; ++i)
          add_varying(e, ia->ds[u]->v_offset + i, ia->ds[s]->v_offset + j);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static nsds_status refuse_law(const nsds_contact *contact) {
  char label[nsds_label_size];
  return nsds_fail(
      contact->interaction->model->context, NSDS_ERROR_UNSUPPORTED,
      "adaptive simulation: %s has the law %s, which couples rows; valid are laws of bounds, "
      "row by row",
      nsds_interaction_label(contact->interaction, label), nsds_law_called(contact->law));
}

/* Takes bounds and compliance of all copies of a contact's law. */
static nsds_status implicit_take_law(nsds_implicit_rows *r, const nsds_contact *contact) {
  const nsds_law *law = contact->law;
  nsds_block block = nsds_law_block(law);
  int m = contact->m, y0 = contact->y0;
  bool box = block.set == NSDS_SET_BOX;
  if (!box && block.set != NSDS_SET_NONNEGATIVE && block.set != NSDS_SET_EQUALITY)
    return refuse_law(contact);
  for (int i = 0; i < m; ++i) {
    int k = i % law->size;
    bool equality = block.set == NSDS_SET_EQUALITY;
    r->law.lower[y0 + i] = box ? block.lower[k] : equality ? -INFINITY : 0.0;
    r->law.upper[y0 + i] = box ? block.upper[k] : INFINITY;
  }
  if (!law->ops->compliance) return NSDS_OK;
  size_t square = (size_t)law->size * (size_t)law->size;
  nsds_status status =
      nsds_grow(r->plan->context, &r->work, &r->work_capacity, square, sizeof *r->work);
  if (status) return status;
  nsds_zero_doubles(r->work, square);
  status = nsds_law_compliance(law, r->work, law->size);
  for (int i = 0; i < m; ++i) {
    int k = i % law->size;
    r->law.compliance[y0 + i] = r->work[k + k * law->size];
  }
  return status;
}

/* ---- making ---------------------------------------------------------------------------------- */

static int find_place(const nsds_implicit_rows *r, int row, int column) {
  int low = r->p[column], high = r->p[column + 1];
  while (low < high) {
    int middle = (low + high) / 2;
    if (r->i[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

static nsds_status implicit_compress(nsds_implicit_rows *r, const implicit_entries *e) {
  nsds_context *context = r->plan->context;
  size_t n = (size_t)r->n, count = e->count + 1;
  nsds_csc out;
  r->p = NSDS_NEW_ARRAY(context, int, n + 1);
  r->i = NSDS_NEW_ARRAY(context, int, count);
  r->base = NSDS_NEW_ARRAY(context, double, count);
  r->mass = NSDS_NEW_ARRAY(context, double, count);
  r->diagonal = NSDS_NEW_ARRAY(context, int, n + 1);
  r->place = NSDS_NEW_ARRAY(context, int, e->npair + 1);
  r->varying = NSDS_NEW_ARRAY(context, double, e->npair + 1);
  r->reference.x = NSDS_NEW_ARRAY(context, double, e->npair + 1);
  if (!r->p || !r->i || !r->base || !r->mass || !r->diagonal || !r->place || !r->varying ||
      !r->reference.x)
    return NSDS_ERROR_MEMORY;
  nsds_status status =
      nsds_triplets_to_csc(r->n, r->n, (int)e->count, e->base, r->p, r->i, r->base, &out);
  if (!status)
    status = nsds_triplets_to_csc(r->n, r->n, (int)e->count, e->mass, r->p, r->i, r->mass, &out);
  if (status) return status;
  for (int k = 0; k < r->n; ++k) r->diagonal[k] = find_place(r, k, k);
  r->nvarying = (int)e->npair;
  for (size_t k = 0; k < e->npair; ++k) r->place[k] = find_place(r, e->pair[k][0], e->pair[k][1]);
  return NSDS_OK;
}

static nsds_status list_base(nsds_implicit_rows *r) {
  nsds_context *context = r->plan->context;
  nsds_implicit_list *list = &r->base_columns;
  size_t count = (size_t)r->p[r->n] + 1;
  list->p = NSDS_NEW_ARRAY(context, int, r->n + 1);
  list->i = NSDS_NEW_ARRAY(context, int, count);
  list->x = NSDS_NEW_ARRAY(context, double, count);
  if (!list->p || !list->i || !list->x) return NSDS_ERROR_MEMORY;
  int found = 0;
  for (int j = 0; j < r->n; ++j) {
    for (int k = r->p[j]; k < r->p[j + 1]; ++k) {
      if (r->base[k] == 0.0) continue;
      list->i[found] = r->i[k];
      list->x[found++] = r->base[k];
    }
    list->p[j + 1] = found;
  }
  return NSDS_OK;
}

/* Lists M alone by columns, and the rows of laws by rows. */
static nsds_status implicit_parts(nsds_implicit_rows *r) {
  nsds_context *context = r->plan->context;
  size_t count = (size_t)r->p[r->n] + 1, nx = (size_t)r->nx + 1, ny = (size_t)r->ny + 1;
  r->mass_columns.p = NSDS_NEW_ARRAY(context, int, nx);
  r->mass_columns.i = NSDS_NEW_ARRAY(context, int, count);
  r->mass_columns.x = NSDS_NEW_ARRAY(context, double, count);
  r->largest = NSDS_NEW_ARRAY(context, double, nx);
  r->law_rows.p = NSDS_NEW_ARRAY(context, int, ny + 1);
  r->law_rows.i = NSDS_NEW_ARRAY(context, int, count);
  r->law_rows.x = NSDS_NEW_ARRAY(context, double, count);
  if (!r->mass_columns.p || !r->mass_columns.i || !r->mass_columns.x || !r->largest ||
      !r->law_rows.p || !r->law_rows.i || !r->law_rows.x)
    return NSDS_ERROR_MEMORY;
  int found = 0;
  for (int j = 0; j < r->nx; ++j) {
    for (int k = r->p[j]; k < r->p[j + 1]; ++k) {
      if (r->mass[k] == 0.0) continue;
      r->mass_columns.i[found] = r->i[k];
      r->mass_columns.x[found++] = r->mass[k];
      r->largest[r->i[k]] = fmax(r->largest[r->i[k]], fabs(r->mass[k]));
    }
    r->mass_columns.p[j + 1] = found;
  }
  for (int pass = 0; pass < 2; ++pass) { /* counts, then places */
    for (int j = 0; j < r->n; ++j)
      for (int k = r->p[j]; k < r->p[j + 1]; ++k) {
        int row = r->i[k] - r->nx;
        if (row < 0 || r->base[k] == 0.0) continue;
        if (pass == 0) {
          ++r->law_rows.p[row + 2];
          continue;
        }
        int at = r->law_rows.p[row + 1]++;
        r->law_rows.i[at] = j;
        r->law_rows.x[at] = r->base[k];
      }
    for (int row = 0; pass == 0 && row < r->ny; ++row)
      r->law_rows.p[row + 2] += r->law_rows.p[row + 1];
  }
  return NSDS_OK;
}

static nsds_status implicit_loads(nsds_implicit_rows *r) {
  const nsds_plan *plan = r->plan;
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    if (nsds_is_second_order(slot->ds)) continue;
    if (!nsds_implicit_stays(slot) || !slot->ds->force_constant) continue;
    nsds_arguments in = nsds_ds_in(slot->ds, plan->scheme->t, slot->on.u, slot->on.u);
    status = slot->ds->first->rhs(slot->ds->self, &in, r->work);
    for (int k = 0; k < slot->nv; ++k) r->load[slot->v0 + k] = -r->work[k];
  }
  for (int c = 0; !status && c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    status = implicit_take_law(r, contact);
    bool stays = contact->is.affine && !nsds_has_gap(contact->kind);
    for (int i = 0; stays && i < contact->m; ++i)
      r->load[r->nx + contact->y0 + i] = contact->shift[i];
  }
  return status;
}

static nsds_status implicit_reserve(nsds_implicit_rows *r) {
  nsds_context *context = r->plan->context;
  size_t n = (size_t)r->n + 1, ny = (size_t)r->ny + 1, work = n;
  for (int c = 0; c < r->plan->ncontact; ++c) {
    size_t m = (size_t)r->plan->contact[c].m, nx = (size_t)r->plan->contact[c].nv;
    work = work > m * (m + 1) + nx ? work : m * (m + 1) + nx;
  }
  r->load = NSDS_NEW_ARRAY(context, double, n);
  r->law.compliance = NSDS_NEW_ARRAY(context, double, ny);
  r->lower = NSDS_NEW_ARRAY(context, double, ny);
  r->upper = NSDS_NEW_ARRAY(context, double, ny);
  r->law.lower = NSDS_NEW_ARRAY(context, double, ny);
  r->law.upper = NSDS_NEW_ARRAY(context, double, ny);
  if (!r->load || !r->law.compliance || !r->lower || !r->upper || !r->law.lower || !r->law.upper)
    return NSDS_ERROR_MEMORY;
  for (int k = 0; k < r->ny; ++k) /* also of holes between rows */
    r->law.lower[k] = -INFINITY, r->law.upper[k] = INFINITY;
  return nsds_grow(context, &r->work, &r->work_capacity, work, sizeof *r->work);
}

static nsds_status implicit_list(const nsds_implicit_rows *r, implicit_entries *e) {
  const nsds_plan *plan = r->plan;
  unsigned char *known = r->known.entry;
  for (int s = 0; s < plan->nslot; ++s) list_slot(e, &plan->slot[s]);
  for (int c = 0; c < plan->ncontact; ++c) list_contact(r, e, &plan->contact[c], &known);
  for (int k = 0; k < r->ny; ++k) implicit_add(e, r->nx + k, r->nx + k, r->law.compliance[k], 0.0);
  return e->status;
}

/* Evaluates the Jacobians of varying contacts at the model's state, for the pattern. */
static nsds_status look_at_contacts(nsds_implicit_rows *r) {
  const nsds_plan *plan = r->plan;
  const nsds_state *now = &plan->model->state;
  size_t count = 1;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const nsds_relation *relation = contact->interaction->relation;
    if (contact->is.affine || nsds_has_gap(contact->kind)) continue;
    count += 2 * (size_t)contact->m * (size_t)relation->nv;
    nsds_arguments in =
        nsds_gather(contact->interaction, now, now->impulse, 1.0, plan->memory.work);
    nsds_status status = nsds_implicit_jacobians(r, &plan->contact[c], &in, 1.0);
    if (status) return status;
  }
  nsds_status status =
      nsds_grow(plan->context, &r->known.entry, &r->known.capacity, count, sizeof *r->known.entry);
  if (!status && r->known.n != count) memset(r->known.entry, 0, count);
  r->known.n = count;
  return status;
}

/* Puts 1 on the diagonal of rows that no interaction has. */
static void fill_holes(nsds_implicit_rows *r) {
  const nsds_plan *plan = r->plan;
  for (int k = 0; k < r->ny; ++k) r->work[k] = 1.0;
  for (int c = 0; c < plan->ncontact; ++c)
    for (int i = 0; i < plan->contact[c].m; ++i) r->work[plan->contact[c].y0 + i] = 0.0;
  for (int k = 0; k < r->ny; ++k)
    if (r->work[k] != 0.0) r->base[r->diagonal[r->nx + k]] = 1.0;
}

/* Takes v of second-order systems out of the constant matrix, and the size of M for their scales. */
static nsds_status weigh_second(nsds_implicit_rows *r) {
  const nsds_plan *plan = r->plan;
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && r->motion.nq > 0 && s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    const nsds_ds *ds = slot->ds;
    if (nsds_is_first_order(ds)) continue;
    nsds_arguments in = nsds_ds_in(ds, plan->scheme->t, plan->model->state.q + slot->q0,
                                   plan->model->state.v + slot->v0);
    if (slot->M && !ds->mass.constant) status = ds->ops->mass(ds->self, &in, slot->M);
    for (int j = 0; !status && j < slot->nv; ++j) {
      r->mass[r->diagonal[slot->v0 + j]] = 0.0;
      if (!slot->M) continue;
      nsds_shape_column column = nsds_shape_column_at(ds->mass.p, ds->mass.i, slot->nv, j);
      double *largest = &r->largest[slot->v0 + j]; /* of the row: M is symmetric */
      *largest = 0.0;
      for (int k = column.first; k < column.last; ++k) *largest = fmax(*largest, fabs(slot->M[k]));
      r->motion.heaviest = fmax(r->motion.heaviest, *largest);
    }
  }
  return status;
}

/* Takes the reference of the rows before, if it has as many values: snapshots hold it, and rows are made anew behind one. */
static void keep_reference(nsds_implicit_rows *r, const nsds_implicit_reference *before) {
  if (before->n != r->nvarying) return;
  r->reference.n = before->n;
  nsds_copy_doubles(r->reference.x, before->x, (size_t)before->n);
}

static nsds_status make_rows(nsds_implicit_rows *r, nsds_plan *plan) {
  uint64_t stamp = r->stamp;
  bool full = r->full;
  nsds_implicit_reference reference = r->reference;
  bool same = r->of.graph == plan->seen.of.graph; /* the pattern does not depend on the state */
  nsds_implicit_known known = r->known;
  if (!same) known.n = 0;
  r->reference = (nsds_implicit_reference){0};
  r->known = (nsds_implicit_known){0};
  nsds_implicit_rows_destroy(r);
  *r = (nsds_implicit_rows){.plan = plan,
                            .full = full,
                            .known = known,
                            .stamp = stamp + 1,
                            .nx = (int)plan->model->size.nv,
                            .ny = (int)plan->model->size.ny,
                            .linear = nsds_plan_linear(plan)};
  r->n = r->nx + r->ny;
  implicit_entries e = {.context = plan->context};
  nsds_status status = implicit_reserve(r);
  if (!status) status = nsds_implicit_second_reserve(r);
  if (!status) status = implicit_loads(r);
  if (!status) status = look_at_contacts(r);
  if (!status) status = implicit_list(r, &e);
  if (!status) status = implicit_compress(r, &e);
  if (!status) fill_holes(r);
  if (!status) status = implicit_parts(r);
  if (!status) status = list_base(r);
  if (!status) status = weigh_second(r);
  if (!status) keep_reference(r, &reference);
  nsds_release(plan->context, reference.x);
  nsds_release(plan->context, e.base);
  nsds_release(plan->context, e.mass);
  nsds_release(plan->context, e.pair);
  if (status) r->of.graph = 0;
  else r->of = plan->seen.of;
  return status;
}

nsds_status nsds_implicit_rows_update(nsds_implicit_rows *r, nsds_plan *plan) {
  bool current = r->of.graph == plan->seen.of.graph && r->of.values == plan->seen.of.values;
  return NSDS_LIKELY(current && r->plan) ? NSDS_OK : make_rows(r, plan);
}
