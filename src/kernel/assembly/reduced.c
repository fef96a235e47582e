/*
 * The reduced formulation. The impulses are the unknowns, M = H W^-1 H^T + D in factors. Few rows
 * are handed over as a dense matrix, the fastest form for solvers and certifier. A contact with
 * inactive copies contributes its active rows, packed.
 */
#include "kernel/assembly/reduced.h"

#include "base/base.h"
#include "base/context.h"
#include "base/parallel.h"
#include "kernel/assembly/lifting.h"
#include "kernel/assembly/problems.h"
#include "kernel/assembly/plan_check.h"
#include "kernel/assembly/reduced_rows.h"
#include "kernel/modeling/law.h"
#include "numerics/linear/edge.h"
#include "numerics/sets/sets.h"

static bool partial(const nsds_contact *contact, const nsds_entry *entry) {
  return entry->rows < contact->m;
}

/* ---- structure ------------------------------------------------------------------------------- */

/* D by contacts is there from the first contact with a D on. */
static nsds_status reserve_d(nsds_one_step *o, int contacts) {
  return nsds_grow(o->op.plan->context, &o->reduced.D, &o->reduced.D_capacity, (size_t)contacts + 1,
                   sizeof *o->reduced.D);
}

static nsds_status reduced_reserve(nsds_one_step *o, int contacts, int blocks, int edges) {
  nsds_context *context = o->op.plan->context;
  size_t nc = (size_t)contacts + 1;
  nsds_status status = nsds_grow(context, &o->reduced.block, &o->reduced.block_capacity,
                                 (size_t)blocks + 1, sizeof *o->reduced.block);
  if (!status)
    status =
        nsds_grow(context, &o->reduced.row, &o->reduced.row_capacity, nc, sizeof *o->reduced.row);
  if (!status)
    status = nsds_grow(context, &o->reduced.first_edge, &o->reduced.first_edge_capacity, nc,
                       sizeof *o->reduced.first_edge);
  if (!status)
    status = nsds_grow(context, &o->reduced.first_block, &o->reduced.first_block_capacity, nc,
                       sizeof *o->reduced.first_block);
  if (!status)
    status = nsds_grow(context, &o->reduced.placed, &o->reduced.placed_capacity, nc,
                       sizeof *o->reduced.placed);
  if (!status)
    status = nsds_grow(context, &o->reduced.edge, &o->reduced.edge_capacity, (size_t)edges + 1,
                       sizeof *o->reduced.edge);
  if (!status && o->reduced.D_capacity > 0) status = reserve_d(o, contacts);
  return status;
}

/* Reserves room for all contacts of the plan. Found contacts may have a second body in the next
 * step. */
static nsds_status reserve_all(nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  int lifted = plan->tree ? plan->ncontact * plan->tree->most_edges : 0;
  return reduced_reserve(o, plan->ncontact, plan->count.copies,
                         plan->count.edges + plan->count.single + lifted);
}

int nsds_reduced_blocks(const nsds_one_step *o, int c, nsds_block *block) {
  const nsds_contact *contact = &o->op.plan->contact[c];
  const nsds_law *law = contact->law;
  const nsds_entry *entry = &o->op.entry[c];
  if (o->blocks) return o->blocks(o, c, block);
  if (NSDS_UNLIKELY(contact->is.gated)) {
    nsds_gate *gate = &contact->interaction->gate;
    *block =
        (nsds_block){.set = NSDS_SET_BOX, .size = 1, .lower = &gate->lower, .upper = &gate->upper};
    return 1;
  }
  const unsigned char *on = entry->more->on;
  double *bounds = entry->more->bounds, share = o->form->share;
  double span = share > 0.0 ? share * o->op.plan->scheme->h : o->op.plan->scheme->h;
  int count = 0;
  for (int k = 0; k < contact->ncopy; ++k) {
    nsds_block one = nsds_law_block(law);
    size_t scaled = contact->is.scaled ? nsds_block_scale_size(&one) : 0;
    if (contact->is.scaled) one = nsds_block_scale(&one, span, bounds);
    bounds += scaled;
    if (on && !on[k]) continue;
    bool merge = one.set == NSDS_SET_NONNEGATIVE || one.set == NSDS_SET_EQUALITY;
    if (count > 0 && merge) block[count - 1].size += one.size;
    else block[count++] = one;
  }
  return count;
}

/* Writes the edges to the active rows of a contact: its own, or packed edges. */
static void add_edges(const nsds_contact *contact, const nsds_entry *entry, nsds_edge *edge) {
  const double *H = nsds_entry_rows(contact, entry), *Y = entry->Y;
  double *at = entry->more->packed;
  bool packed = partial(contact, entry);
  for (const nsds_reach *r = nsds_contact_problem_edges(contact), *end = r + contact->nedge;
       r < end; ++r, ++edge) {
    size_t whole = (size_t)contact->m * (size_t)r->size;
    size_t some = (size_t)entry->rows * (size_t)r->size;
    *edge = (nsds_edge){
        .column = r->column, .size = r->size, .H = packed ? at : H, .Y = packed ? at + some : Y};
    H += whole;
    if (Y) Y += whole;
    if (packed) at += 2 * some;
  }
}

/* Numbers of rows, edges and blocks before a contact. */
typedef struct extent {
  int row, edge, block;
} extent;

/* The places of the contacts of each part, and where each part begins. */
typedef struct placing {
  nsds_one_step *o;
  extent start[nsds_most_parts + 1];
  uint64_t ids[nsds_most_parts]; /* bits of all ids */
  bool partial[nsds_most_parts];
} placing;

/* Places contact a of the problem. Returns the extent behind it. */
static extent reduced_place(nsds_one_step *o, int a, extent at) {
  int c = o->set.active[a];
  const nsds_contact *contact = &o->op.plan->contact[c];
  const nsds_entry *entry = &o->op.entry[c];
  o->reduced.placed[a] = o->op.id[c];
  if (o->reduced.D) o->reduced.D[a] = partial(contact, entry) ? entry->more->packed_D : entry->D;
  add_edges(contact, entry, o->reduced.edge + at.edge);
  return (extent){.row = at.row + entry->rows,
                  .edge = at.edge + contact->nedge,
                  .block = at.block + nsds_reduced_blocks(o, c, o->reduced.block + at.block)};
}

/* Places the contacts of a part. A contact whose structure already stands in its place stays. The
 * start of a contact is written with that contact, so the next part writes the end of the last
 * contact. */
static void reduced_place_part(void *self, int part, int parts) {
  placing *p = self;
  nsds_one_step *o = p->o;
  extent at = p->start[part];
  int end = nsds_part_begin(o->set.nactive, part + 1, parts);
  uint64_t ids = 0;
  bool some = false;
  for (int a = nsds_part_begin(o->set.nactive, part, parts); a < end; ++a) {
    int c = o->set.active[a];
    uint64_t id = o->op.id[c];
    bool ends = a + 1 < end || part + 1 == parts; /* the end is known and nobody writes it */
    bool stays = ends && o->reduced.placed[a] == id && !(id & nsds_several) &&
                 o->reduced.row[a] == at.row && o->reduced.first_edge[a] == at.edge &&
                 o->reduced.first_block[a] == at.block;
    ids |= id;
    o->reduced.row[a] = at.row;
    o->reduced.first_edge[a] = at.edge;
    o->reduced.first_block[a] = at.block;
    if (stays) {
      at = (extent){o->reduced.row[a + 1], o->reduced.first_edge[a + 1],
                    o->reduced.first_block[a + 1]};
      continue;
    }
    at = reduced_place(o, a, at);
    some = some || partial(&o->op.plan->contact[c], &o->op.entry[c]);
  }
  p->ids[part] = ids;
  p->partial[part] = some;
  if (part + 1 == parts) p->start[parts] = at;
}

/* Measures a part, so that the next part can begin. Contacts of one copy have one block. */
static void reduced_measure_part(void *self, int part, int parts) {
  placing *p = self;
  const nsds_one_step *o = p->o;
  extent sum = {0};
  int end = nsds_part_begin(o->set.nactive, part + 1, parts);
  for (int a = nsds_part_begin(o->set.nactive, part, parts); a < end; ++a) {
    sum.row += o->op.entry[o->set.active[a]].rows;
    sum.edge += o->op.plan->contact[o->set.active[a]].nedge;
    ++sum.block;
  }
  p->start[part + 1] = sum;
}

/* Divides the contacts into parts for threads. One part if a program's function is called or little
 * is to do. */
static int reduced_divide(placing *p) {
  enum { few = 256 }; /* contacts that are not worth being shared */
  const nsds_one_step *o = p->o;
  const nsds_plan *plan = o->op.plan;
  bool plain = plan->count.foreign == 0 && plan->count.copies == plan->ncontact;
  int parts = plain ? nsds_parts(o->set.nactive, few) : 1;
  if (parts > 1 && nsds_context_threads(plan->context) == 1) parts = 1;
  p->start[0] = (extent){0};
  if (parts == 1) return 1;
  nsds_share_out(plan->context, parts, reduced_measure_part, p);
  for (int part = 0; part < parts; ++part) {
    p->start[part + 1].row += p->start[part].row;
    p->start[part + 1].edge += p->start[part].edge;
    p->start[part + 1].block += p->start[part].block;
  }
  return parts;
}

/* Places all contacts. Returns the bits of all ids. */
static uint64_t reduced_place_all(nsds_one_step *o, extent *end) {
  placing p;
  p.o = o;
  int parts = reduced_divide(&p);
  uint64_t ids = 0;
  nsds_share_out(o->op.plan->context, parts, reduced_place_part, &p);
  o->set.any_partial = false;
  for (int part = 0; part < parts; ++part) {
    ids |= p.ids[part];
    o->set.any_partial = o->set.any_partial || p.partial[part];
  }
  *end = p.start[parts];
  return ids;
}

/* Builds the structure. If a law fails, nothing stays. */
static nsds_status reduced_structure(nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  unsigned long faults = plan->model->law_fault.count;
  extent end;
  uint64_t ids = reduced_place_all(o, &end);
  if (NSDS_UNLIKELY((ids & nsds_has_d) && !o->reduced.D)) {
    for (int a = 0; a < o->set.nactive; ++a) o->reduced.placed[a] = 0;
    nsds_status status = reserve_d(o, plan->ncontact);
    if (status) return status;
    reduced_place_all(o, &end);
  }
  o->reduced.row[o->set.nactive] = end.row;
  o->reduced.first_edge[o->set.nactive] = end.edge;
  o->reduced.first_block[o->set.nactive] = end.block;
  for (int a = o->set.nactive; a < o->reduced.nplaced; ++a)
    o->reduced.placed[a] = 0; /* offsets are not kept */
  o->reduced.nplaced = o->set.nactive;
  o->set.rows = end.row;
  o->q = o->rows_q;
  o->z = o->q + plan->model->size.ny;
  o->w = o->z + plan->model->size.ny;
  o->reduced.factored = (nsds_factored){.nrow_block = o->set.nactive,
                                        .ncolumn = (int)plan->model->size.nv,
                                        .row = o->reduced.row,
                                        .first_edge = o->reduced.first_edge,
                                        .edge = o->reduced.edge,
                                        .D = (ids & nsds_has_d) ? o->reduced.D : NULL,
                                        .gain = plan->diagonal ? plan->gain : NULL};
  o->problem = (nsds_problem){
      .n = end.row,
      .nblock = end.block,
      .block = o->reduced.block,
      .M = {.storage = NSDS_FACTORED, .n = end.row, .factored = &o->reduced.factored},
      .q = o->q};
  if (NSDS_LIKELY(plan->model->law_fault.count == faults)) return NSDS_OK;
  for (int a = 0; a < o->reduced.nplaced; ++a) o->reduced.placed[a] = 0;
  return plan->model->law_fault.last;
}

/* Reserves the solver's workspace for the problem of all contacts, the largest active set. */
static nsds_status reserve_solver(nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  o->set.nactive = 0;
  for (int c = 0; c < plan->ncontact; ++c) {
    nsds_entry *entry = &o->op.entry[c];
    if (NSDS_UNLIKELY(plan->contact[c].is.built_in)) continue;
    o->set.active[o->set.nactive++] = c;
    entry->rows =
        plan->contact[c].ncopy * nsds_contact_operator_copy_rows(&o->op, &plan->contact[c]);
    for (int k = 0; entry->more->on && k < plan->contact[c].ncopy; ++k) entry->more->on[k] = 1;
  }
  nsds_status status = reserve_all(o);
  if (!status) status = reduced_structure(o);
  if (status) return status;
  nsds_index_set_change(&o->set);
  nsds_contact_operator_restamp(&o->op);
  o->problem.M.stamp = o->op.stamp;
  nsds_solver_expect_near(o->solver, o->op.plan->tree != NULL);
  status = nsds_solver_reserve(o->solver, &o->problem);
  o->problem.M.stamp = 0; /* not formed yet */
  if (status || o->set.rows <= nsds_dense_rows) return status;
  nsds_problem few = o->problem; /* smaller problems are dense matrices */
  int blocks = 0, rows = 0;
  while (blocks < few.nblock && rows + o->reduced.block[blocks].size <= nsds_dense_rows)
    rows += o->reduced.block[blocks++].size;
  few.n = few.M.n = rows;
  few.nblock = blocks;
  few.M.storage = NSDS_DENSE;
  few.M.factored = NULL;
  few.M.x = o->reduced.dense;
  return nsds_solver_reserve(o->solver, &few);
}

nsds_status nsds_reduced_prepare(nsds_one_step *o) {
  if (o->reserved || !o->solver) return NSDS_OK;
  nsds_status status = nsds_plan_check_solver(o->op.plan, o->solver);
  if (!status) status = reserve_solver(o);
  o->reserved = status == NSDS_OK;
  o->set.built = 0;
  return status;
}

/* Returns the largest number of meetings of few found contacts with two bodies each. With contact
 * sets any of them may come in any step. */
static size_t most_meetings(const nsds_plan *plan) {
  const nsds_model *model = plan->model;
  int least = nsds_dense_rows;
  for (size_t k = 0; k < model->set.count; ++k) {
    const nsds_contact_set *set = model->set.item[k];
    if (set->law->size < least) least = set->law->size;
  }
  size_t blocks = (size_t)(nsds_dense_rows / least), common = 2;
  if (plan->tree) common += (size_t)plan->tree->most_edges;
  return model->set.count > 0 ? common * blocks * blocks : 0;
}

/* Lists the pairs of edges of a few rows that meet at a system, block column by block column. */
static nsds_status list_meetings(nsds_one_step *o) {
  const nsds_factored *f = &o->reduced.factored;
  o->reduced.nmeeting = 0;
  if (o->set.rows > nsds_dense_rows) return NSDS_OK;
  nsds_status room =
      nsds_grow(o->op.plan->context, &o->reduced.meeting, &o->reduced.meeting_capacity,
                most_meetings(o->op.plan), sizeof *o->reduced.meeting);
  if (room) return room;
  for (int b = 0; b < f->nrow_block; ++b)
    for (int a = 0; a < f->nrow_block; ++a)
      for (int y = f->first_edge[b]; y < f->first_edge[b + 1]; ++y)
        for (int h = f->first_edge[a]; h < f->first_edge[a + 1]; ++h) {
          if (f->edge[h].column != f->edge[y].column) continue;
          nsds_status status =
              nsds_grow(o->op.plan->context, &o->reduced.meeting, &o->reduced.meeting_capacity,
                        (size_t)o->reduced.nmeeting + 1, sizeof *o->reduced.meeting);
          if (status) return status;
          o->reduced.meeting[o->reduced.nmeeting++] =
              (nsds_meeting){.h = h,
                             .y = y,
                             .row = f->row[a],
                             .column = f->row[b],
                             .rows = f->row[a + 1] - f->row[a],
                             .columns = f->row[b + 1] - f->row[b]};
        }
  return NSDS_OK;
}

nsds_status nsds_reduced_assemble(nsds_one_step *o) {
  nsds_status status = reserve_all(o);
  if (!status) status = reduced_structure(o);
  if (status) return status;
  o->problem.M.pattern = ++o->reduced.pattern;
  return list_meetings(o);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Packs H, Y and D of the active rows of a contact with inactive copies. */
static void reduced_pack(const nsds_contact *contact, const nsds_entry *entry, int used) {
  int m = contact->m, rows = entry->rows, size = contact->size, r = 0;
  const unsigned char *on = entry->more->on;
  for (int k = 0; k < contact->ncopy; ++k) {
    if (on && !on[k]) continue;
    for (int i = k * size; i < k * size + used; ++i, ++r) {
      const double *from_h = nsds_entry_rows(contact, entry), *from_y = entry->Y;
      double *at = entry->more->packed;
      for (int e = 0; e < contact->nedge; ++e) {
        int n = nsds_contact_problem_edges(contact)[e].size;
        double *H = at, *Y = at + (size_t)rows * (size_t)n;
        for (int j = 0; j < n; ++j) {
          H[r + (ptrdiff_t)j * rows] = from_h[i + (ptrdiff_t)j * m];
          Y[j + (ptrdiff_t)r * n] = from_y[j + (ptrdiff_t)i * n];
        }
        from_h += (size_t)m * (size_t)n;
        from_y += (size_t)m * (size_t)n;
        at += 2 * (size_t)rows * (size_t)n;
      }
      int column = 0;
      for (int l = 0; entry->D && l < contact->ncopy; ++l)
        for (int j = l * size; on[l] && j < (l + 1) * size; ++j, ++column)
          entry->more->packed_D[r + (ptrdiff_t)column * rows] = entry->D[i + (ptrdiff_t)j * m];
    }
  }
}

static void reduced_form_dense(nsds_one_step *o) {
  const nsds_factored *f = &o->reduced.factored;
  ptrdiff_t n = o->set.rows;
  nsds_zero_doubles(o->reduced.dense, (size_t)(n * n));
  for (const nsds_meeting *m = o->reduced.meeting, *end = m + o->reduced.nmeeting; m < end; ++m) {
    const nsds_edge *h = &f->edge[m->h], *y = &f->edge[m->y];
    for (int j = 0; j < m->columns; ++j)
      nsds_add_pair(f, h, m->rows, nsds_whole_edge(h), y, m->columns, j,
                    o->reduced.dense + m->row + (m->column + j) * n);
  }
  for (int b = 0; f->D && b < f->nrow_block; ++b) {
    int m = f->row[b + 1] - f->row[b];
    for (int j = 0; f->D[b] && j < m; ++j)
      for (int i = 0; i < m; ++i)
        o->reduced.dense[f->row[b] + i + (f->row[b] + j) * n] += f->D[b][i + j * m];
  }
}

static NSDS_NOINLINE void form_new_matrix(nsds_one_step *o) {
  nsds_matrix *M = &o->problem.M;
  for (int a = 0; o->set.any_partial && a < o->set.nactive; ++a) {
    const nsds_contact *contact = &o->op.plan->contact[o->set.active[a]];
    const nsds_entry *entry = &o->op.entry[o->set.active[a]];
    if (partial(contact, entry))
      reduced_pack(contact, entry, nsds_contact_operator_copy_rows(&o->op, contact));
  }
  if (o->set.rows <= nsds_dense_rows) {
    reduced_form_dense(o);
    M->storage = NSDS_DENSE;
    M->factored = NULL;
    M->x = o->reduced.dense;
  }
  M->stamp = o->op.stamp;
}

void nsds_reduced_form_matrix(nsds_one_step *o) {
  if (o->problem.M.stamp != o->op.stamp) form_new_matrix(o);
}

const nsds_formulation nsds_reduced = {.name = "reduced",
                                       .whole = true,
                                       .prepare = nsds_reduced_prepare,
                                       .assemble = nsds_reduced_assemble,
                                       .form_matrix = nsds_reduced_form_matrix,
                                       .constant_term = nsds_reduced_constant_term,
                                       .apply = nsds_reduced_apply};
