/*
 * Hierarchical grid with cells of width w_0 2^l. An item lies on the finest level whose cells are
 * as wide as its diameter plus the reach. Two items within reach are then in the same cell or in
 * neighboring cells of the coarser item's level. An item looks for partners in half of the
 * neighborhood on its own level and in all of it on coarser levels. This finds each pair once.
 * Cells are lists behind a table of hashed coordinates.
 *
 * Source: C. Ericson, Real-Time Collision Detection (2005), sec. 7.1 and 7.2.
 */
#include "kernel/contact/grid.h"

#include "base/context.h"

enum { levels = 64 };

nsds_status nsds_grid_create(nsds_grid *grid, nsds_context *context, int count) {
  *grid = (nsds_grid){.count = count, .table = 16};
  while (grid->table < 2 * (size_t)count) grid->table *= 2;
  grid->item = NSDS_NEW_ARRAY(context, nsds_grid_item, count);
  grid->head = NSDS_NEW_ARRAY(context, int, grid->table);
  return grid->item && grid->head ? NSDS_OK : NSDS_ERROR_MEMORY;
}

void nsds_grid_release(nsds_grid *grid, nsds_context *context) {
  nsds_release(context, grid->item);
  nsds_release(context, grid->head);
}

/* Chooses the levels. Radii that differ by 2^60 or more share the finest level. */
void nsds_grid_open(nsds_grid *grid, double reach) {
  double least = INFINITY, most = 0.0;
  grid->reach = reach;
  for (int i = 0; i < grid->count; ++i) {
    least = fmin(least, grid->item[i].radius);
    most = fmax(most, grid->item[i].radius);
  }
  double w = fmax(2.0 * least + reach, ldexp(2.0 * most + reach, -60));
  for (int l = 0; l < levels; ++l) grid->width[l] = ldexp(w, l);
  grid->used = 0;
  for (int i = 0; i < grid->count; ++i) {
    nsds_grid_item *item = &grid->item[i];
    item->level = 0;
    while (item->level < levels - 1 && grid->width[item->level] < 2.0 * item->radius + reach)
      ++item->level;
    grid->used |= UINT64_C(1) << item->level;
  }
}

/* Adds a coordinate to the hash of a cell. */
static uint64_t grid_stir(uint64_t hash, int64_t coordinate) {
  return (hash ^ (uint64_t)coordinate) * UINT64_C(0x9E3779B97F4A7C15);
}

static size_t list_at(const nsds_grid *grid, uint64_t hash) {
  return (size_t)(hash >> 24) & (grid->table - 1);
}

static size_t list_of(const nsds_grid *grid, int level, const int64_t *cell) {
  uint64_t hash = (uint64_t)level;
  for (int k = 0; k < 3; ++k) hash = grid_stir(hash, cell[k]);
  return list_at(grid, hash);
}

/* Computes the cell of x. Coordinates that are too large share a cell. */
static void grid_locate(double width, const double *x, int64_t *cell) {
  for (int k = 0; k < 3; ++k) {
    double at = floor(x[k] / width);
    cell[k] = at > -9e18 && at < 9e18 ? (int64_t)at : 0;
  }
}

void nsds_grid_fill(nsds_grid *grid) {
  for (size_t k = 0; k < grid->table; ++k) grid->head[k] = -1;
  for (int i = grid->count - 1; i >= 0; --i) {
    nsds_grid_item *item = &grid->item[i];
    grid_locate(grid->width[item->level], item->x, item->cell);
    int *head = &grid->head[list_of(grid, item->level, item->cell)];
    item->next = *head;
    *head = i;
  }
}

/* Meets the items of a cell, from item j of its list on. */
static nsds_status meet_list(const nsds_grid *grid, int i, int j, int level, const int64_t *cell,
                             nsds_grid_meet meet, void *user) {
  nsds_status status = NSDS_OK;
  for (; !status && j >= 0; j = grid->item[j].next) {
    const nsds_grid_item *other = &grid->item[j];
    if (other->level == level && other->cell[0] == cell[0] && other->cell[1] == cell[1] &&
        other->cell[2] == cell[2])
      status = meet(user, i, j);
  }
  return status;
}

/* Meets the cells number `first` to 26 of the neighborhood; 13 is the middle one. */
static nsds_status meet_cells(const nsds_grid *grid, int i, int level, const int64_t *cell,
                              int first, nsds_grid_meet meet, void *user) {
  nsds_status status = NSDS_OK;
  int64_t other[3];
  for (int code = first; code < 27;) {
    other[0] = cell[0] + code / 9 - 1;
    uint64_t plane = grid_stir((uint64_t)level, other[0]);
    for (int plane_end = 9 * (code / 9 + 1); code < plane_end;) {
      other[1] = cell[1] + code / 3 % 3 - 1;
      uint64_t line = grid_stir(plane, other[1]);
      for (int line_end = 3 * (code / 3 + 1); code < line_end; ++code) {
        other[2] = cell[2] + code % 3 - 1;
        int head = grid->head[list_at(grid, grid_stir(line, other[2]))];
        if (head >= 0) status = meet_list(grid, i, head, level, other, meet, user);
        if (status) return status;
      }
    }
  }
  return NSDS_OK;
}

nsds_status nsds_grid_partners(const nsds_grid *grid, int i, nsds_grid_meet meet, void *user) {
  const nsds_grid_item *item = &grid->item[i];
  nsds_status status = meet_list(grid, i, item->next, item->level, item->cell, meet, user);
  if (!status) status = meet_cells(grid, i, item->level, item->cell, 14, meet, user);
  for (int level = item->level + 1; !status && level < levels && grid->used >> level; ++level) {
    if (!(grid->used >> level & 1)) continue;
    int64_t cell[3];
    grid_locate(grid->width[level], item->x, cell);
    status = meet_cells(grid, i, level, cell, 0, meet, user);
  }
  return status;
}

/* Meets all items of a level, one by one. This is cheaper if a ball covers more cells than there
 * are items. */
static nsds_status meet_level(const nsds_grid *grid, int i, int level, nsds_grid_meet meet,
                              void *user) {
  nsds_status status = NSDS_OK;
  for (int j = 0; !status && j < grid->count; ++j)
    if (grid->item[j].level == level) status = meet(user, i, j);
  return status;
}

nsds_status nsds_grid_near(const nsds_grid *grid, const double *x, double radius, int i,
                           nsds_grid_meet meet, void *user) {
  nsds_status status = NSDS_OK;
  for (int level = 0; !status && level < levels && grid->used >> level; ++level) {
    if (!(grid->used >> level & 1)) continue;
    double width = grid->width[level], far = radius + 0.5 * width + 0.5 * grid->reach;
    double low[3], high[3], cells = 1.0;
    int64_t from[3], to[3], at[3];
    for (int k = 0; k < 3; ++k) {
      low[k] = x[k] - far;
      high[k] = x[k] + far;
      cells *= 2.0 * far / width + 2.0;
    }
    grid_locate(width, low, from);
    grid_locate(width, high, to);
    bool many = cells > 27.0 + grid->count || fabs(x[0] / width) > 1e18 ||
                fabs(x[1] / width) > 1e18 || fabs(x[2] / width) > 1e18;
    if (many) status = meet_level(grid, i, level, meet, user);
    for (at[0] = from[0]; !many && !status && at[0] <= to[0]; ++at[0])
      for (at[1] = from[1]; !status && at[1] <= to[1]; ++at[1])
        for (at[2] = from[2]; !status && at[2] <= to[2]; ++at[2])
          status = meet_list(grid, i, grid->head[list_of(grid, level, at)], level, at, meet, user);
  }
  return status;
}
