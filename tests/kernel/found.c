#include "found.h"

static nsds_status hand_over(const found *f, const found_item *item, nsds_contacts *contacts) {
  double y[3];
  for (int i = 0; i < f->rows; ++i) {
    const double *H = item->H + i;
    y[i] = item->shift[i];
    for (int k = 0; k < 2 && item->ds[k]; ++k)
      for (int j = 0; j < nsds_nv(item->ds[k]); ++j, H += f->rows)
        y[i] += *H * nsds_q(item->ds[k])[j];
  }
  return nsds_contacts_add(contacts, &(nsds_contact_point){.key = item->key,
                                                           .ds = {item->ds[0], item->ds[1]},
                                                           .y = y,
                                                           .H = item->H,
                                                           .law = item->law});
}

static nsds_status find(void *self, double t, nsds_contacts *contacts) {
  found *f = self;
  int order[found_most];
  (void)t;
  ++f->finds;
  for (int k = 0; k < f->count; ++k) order[k] = k;
  for (int k = f->count - 1; f->shuffle && k > 0; --k) {
    int j = (int)random_in(&f->seed, 0.0, k + 1.0), swap = order[k];
    order[k] = order[j];
    order[j] = swap;
  }
  int handed = 0;
  for (int k = 0; k < f->count; ++k) {
    if (f->item[order[k]].away) continue;
    if (f->status && handed == f->stop) return f->status;
    nsds_status status = hand_over(f, &f->item[order[k]], contacts);
    if (status && !f->deaf) return status;
    ++handed;
  }
  return f->status;
}

static void destroy(void *self) { ++((found *)self)->destroyed; }

static const nsds_geometry_ops ops = {.type = "list", .find = find, .destroy = destroy};

void found_create(found *f, nsds_model *model, const char *name, nsds_law *law, int rows) {
  *f = (found){.rows = rows, .seed = 7};
  f->set = nsds_custom_contact_set(
      model, &(nsds_custom_contact_set_def){.name = name, .ops = &ops, .self = f, .law = law});
}

found_item *found_add(found *f, nsds_ds *a, nsds_ds *b, const double *H, double shift) {
  found_item *item = &f->item[f->count];
  *item = (found_item){.key = (uint64_t)f->count, .ds = {a, b}, .shift = {shift}};
  ++f->count;
  if (!a) return item;
  size_t n = (size_t)(f->rows * (nsds_nv(a) + (b ? nsds_nv(b) : 0)));
  memcpy(item->H, H, n * sizeof *H);
  return item;
}

bool found_get(const nsds_contact_set *set, uint64_t key, nsds_contact_info *info) {
  for (int k = 0; k < nsds_contact_set_count(set); ++k)
    if (nsds_contact_set_get(set, k, info) == NSDS_OK && info->key == key) return true;
  return false;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t count) {
  for (size_t k = 0; k < count; ++k)
    hash = (hash ^ ((const unsigned char *)bytes)[k]) * 1099511628211u;
  return hash;
}

uint64_t found_hash(const nsds_contact_set *set, int rows, uint64_t seed) {
  uint64_t hash = seed ^ 14695981039346656037u;
  for (int k = 0; k < nsds_contact_set_count(set); ++k) {
    nsds_contact_info info;
    assert_int_equal(nsds_contact_set_get(set, k, &info), NSDS_OK);
    hash = mix(hash, &info.key, sizeof info.key);
    hash = mix(hash, &info.active, sizeof info.active);
    const double *row[] = {info.y, info.ydot, info.impulse, info.force};
    for (int a = 0; a < 4; ++a) hash = mix(hash, row[a], (size_t)rows * sizeof(double));
  }
  return hash;
}
