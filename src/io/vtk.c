/*
 * A series of VTK files and its list.
 *
 * A frame is written to its three files first. Then its lines replace the end of the list, and a
 * new end follows. A program that reads the list therefore finds complete files only. A file is
 *
 *     XML with the place of each array, "_", then of each array its length in bytes and its numbers
 *
 * (VTK, file format of XML PolyData, appended raw data).
 */
#define _POSIX_C_SOURCE 200809L /* pwrite(), ftruncate() */
#include "base/context.h"
#include "base/new_file.h"
#include "io/vtk_mesh.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/joint_create.h"

#include <nsds/contact.h>
#include <nsds/joint.h>
#include <nsds/vtk.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

enum { longest_path = 3840 };

struct nsds_vtk {
  nsds_context *context;
  char *stem, *name; /* path without ending; its part after the last slash */
  int level, frames;
  long end; /* start of the end of the list */
  nsds_vtk_mesh bodies, contacts, joints;
  nsds_vtk_loose loose;
  struct vtk_columns *column; /* of contacts */
  size_t column_capacity;
};

static const char list_end[] = "</Collection>\n</VTKFile>\n";

/* ---- files ---- */

/* An array of a file: `components` numbers for each of `count` points or cells. */
typedef struct vtk_array {
  const char *name;
  bool integer;
  int components;
  size_t count;
  const void *data;
} vtk_array;

typedef struct vtk_file {
  nsds_new_file of;
  FILE *file;            /* of.file */
  vtk_array pending[24]; /* announced, in the order of their data */
  int count;
  uint64_t offset;
} vtk_file;

static size_t array_bytes(const vtk_array *a) { return a->count * (size_t)a->components * 4; }

static void announce(vtk_file *f, vtk_array array) {
  fprintf(f->file,
          "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
          "offset=\"%llu\"/>\n",
          array.integer ? "Int32" : "Float32", array.name, array.components,
          (unsigned long long)f->offset);
  f->offset += sizeof(uint64_t) + array_bytes(&array);
  f->pending[f->count++] = array;
}

static bool is_little_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

static void vtk_head(FILE *file, const char *type) {
  fprintf(file,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%s\" "
          "header_type=\"UInt64\">\n",
          type, is_little_endian() ? "LittleEndian" : "BigEndian");
}

static void append_data(vtk_file *f) {
  fputs("<AppendedData encoding=\"raw\">\n_", f->file);
  for (int k = 0; k < f->count; ++k) {
    uint64_t bytes = array_bytes(&f->pending[k]);
    fwrite(&bytes, sizeof bytes, 1, f->file);
    if (bytes > 0) fwrite(f->pending[k].data, 1, (size_t)bytes, f->file);
  }
  fputs("\n</AppendedData>\n</VTKFile>\n", f->file);
}

static nsds_status vtk_fail(const nsds_vtk *s, const char *call, const char *path,
                            const char *what) {
  int reason = errno;
  return nsds_fail(s->context, NSDS_ERROR_IO, "%s: %s: %s: %s", call, path, what, strerror(reason));
}

static void announce_cells(vtk_file *f, const char *kind, const nsds_vtk_cells *c) {
  fprintf(f->file, "<%s>\n", kind);
  announce(f, (vtk_array){"connectivity", true, 1, c->ncorner, c->corner});
  announce(f, (vtk_array){"offsets", true, 1, c->count, c->end});
  fprintf(f->file, "</%s>\n", kind);
}

/* Writes points with `count` arrays of their own, and cells. */
static nsds_status write_poly_data(const nsds_vtk *s, const char *path, const nsds_vtk_mesh *m,
                                   const vtk_array *own, int count, const vtk_array *label,
                                   int labels) {
  static const char *const kind[NSDS_VTK_CELLS] = {"Verts", "Lines", "Polys"};
  vtk_file f = {0};
  nsds_status status = nsds_new_file_open(&f.of, s->context, "nsds_write_vtk", path);
  if (status) return status;
  f.of.in_haste = true;
  f.file = f.of.file;
  vtk_head(f.file, "PolyData");
  fprintf(f.file,
          "<PolyData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
          "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n<PointData>\n",
          m->npoint, m->cells[NSDS_VTK_VERTS].count, m->cells[NSDS_VTK_LINES].count,
          m->cells[NSDS_VTK_POLYS].count);
  for (int k = 0; k < count; ++k) announce(&f, own[k]);
  fputs("</PointData>\n<CellData>\n", f.file);
  for (int k = 0; k < labels; ++k) announce(&f, label[k]);
  fputs("</CellData>\n<Points>\n", f.file);
  announce(&f, (vtk_array){"points", false, 3, m->npoint, m->point});
  fputs("</Points>\n", f.file);
  for (int k = 0; k < NSDS_VTK_CELLS; ++k)
    if (m->cells[k].count > 0) announce_cells(&f, kind[k], &m->cells[k]);
  fputs("</Piece>\n</PolyData>\n", f.file);
  append_data(&f);
  return nsds_new_file_close(&f.of, true);
}

/* ---- a frame ---- */

/* Joins the labels of all cells: verts, lines, polys, as VTK orders them. */
static nsds_status join_labels(nsds_vtk *s, int32_t **joined, size_t *count) {
  const nsds_vtk_cells *c = s->bodies.cells;
  *count = 0;
  for (int k = 0; k < NSDS_VTK_CELLS; ++k) *count += c[k].count;
  *joined = NSDS_NEW_ARRAY(s->context, int32_t, NSDS_VTK_LABELS * *count);
  if (!*joined) return NSDS_ERROR_MEMORY;
  int32_t *at = *joined;
  for (int j = 0; j < NSDS_VTK_LABELS; ++j)
    for (int k = 0; k < NSDS_VTK_CELLS; ++k) {
      if (c[k].count > 0) memcpy(at, c[k].label[j], c[k].count * sizeof *at);
      at += c[k].count;
    }
  return NSDS_OK;
}

static nsds_status write_bodies(nsds_vtk *s, const char *path) {
  static const char *const name[NSDS_VTK_LABELS] = {"body", "shape", "set", "material"};
  int32_t *joined = NULL;
  size_t count;
  nsds_status status = join_labels(s, &joined, &count);
  vtk_array label[NSDS_VTK_LABELS];
  for (int j = 0; j < NSDS_VTK_LABELS && !status; ++j)
    label[j] = (vtk_array){name[j], true, 1, count, joined + (size_t)j * count};
  const nsds_vtk_mesh *m = &s->bodies;
  const vtk_array own[] = {{"velocity", false, 3, m->npoint, m->velocity}};
  if (!status) status = write_poly_data(s, path, m, own, 1, label, NSDS_VTK_LABELS);
  nsds_release(s->context, joined);
  return status;
}

/* The numbers of a contact, besides its point. */
typedef struct vtk_columns {
  float force[3], impulse[3], normal[3], gap;
  int32_t active, first, second;
} vtk_columns;

enum { vtk_column_arrays = 7 };

static int index_of(const nsds_ds *handle) {
  const nsds_ds *ds = handle ? nsds_ds_find(handle, "nsds_write_vtk") : NULL;
  return ds ? ds->index : -1;
}

static nsds_status take_contact(nsds_vtk *s, const nsds_contact_info *c) {
  nsds_vtk_mesh *m = &s->contacts;
  const double still[3] = {0.0, 0.0, 0.0};
  nsds_status status =
      nsds_grow(s->context, &s->column, &s->column_capacity, m->npoint + 1, sizeof *s->column);
  if (status) return status;
  vtk_columns *row = &s->column[m->npoint];
  for (int i = 0; i < 3; ++i) {
    row->force[i] = (float)c->world_force[i];
    row->impulse[i] = (float)c->world_impulse[i];
    row->normal[i] = (float)c->normal[i];
  }
  row->gap = (float)c->y[0];
  row->active = c->active;
  row->first = index_of(c->ds[0]);
  row->second = index_of(c->ds[1]);
  return nsds_vtk_mesh_vertex(m, c->point, still);
}

static nsds_status collect_contacts(nsds_vtk *s, nsds_model *model) {
  nsds_vtk_mesh_clear(&s->contacts);
  nsds_contact_iterator at = nsds_model_contacts(model);
  nsds_contact_info contact;
  nsds_status status = NSDS_OK;
  while (!status && nsds_next_contact(&at, &contact))
    if (contact.located) status = take_contact(s, &contact);
  return status;
}

/* Turns rows into arrays, which VTK wants one by one. */
static nsds_status write_contacts(nsds_vtk *s, const char *path) {
  size_t n = s->contacts.npoint;
  float *real = NSDS_NEW_ARRAY(s->context, float, 10 * n);
  int32_t *whole = NSDS_NEW_ARRAY(s->context, int32_t, 3 * n);
  nsds_status status = real && whole ? NSDS_OK : NSDS_ERROR_MEMORY;
  for (size_t k = 0; k < n && !status; ++k) {
    const vtk_columns *row = &s->column[k];
    memcpy(real + 3 * k, row->force, sizeof row->force);
    memcpy(real + 3 * n + 3 * k, row->impulse, sizeof row->impulse);
    memcpy(real + 6 * n + 3 * k, row->normal, sizeof row->normal);
    real[9 * n + k] = row->gap;
    whole[k] = row->active;
    whole[n + k] = row->first;
    whole[2 * n + k] = row->second;
  }
  if (!status) {
    const vtk_array own[vtk_column_arrays] = {
        {"force", false, 3, n, real},          {"impulse", false, 3, n, real + 3 * n},
        {"normal", false, 3, n, real + 6 * n}, {"gap", false, 1, n, real + 9 * n},
        {"active", true, 1, n, whole},         {"first", true, 1, n, whole + n},
        {"second", true, 1, n, whole + 2 * n}};
    status = write_poly_data(s, path, &s->contacts, own, vtk_column_arrays, NULL, 0);
  }
  nsds_release(s->context, real);
  nsds_release(s->context, whole);
  return status;
}

static nsds_status collect_joints(nsds_vtk *s, nsds_model *model) {
  nsds_vtk_mesh_clear(&s->joints);
  nsds_status status = NSDS_OK;
  for (size_t k = 0; k < model->interaction.count && !status; ++k) {
    const nsds_interaction *ia = model->interaction.item[k];
    double first[3], second[3];
    if (nsds_joint_has_points(ia)) {
      nsds_joint_points_of(ia, first, second);
      status = nsds_vtk_mesh_line(&s->joints, first, second, (int)k);
    }
  }
  return status;
}

static nsds_status write_joints(nsds_vtk *s, const char *path) {
  const nsds_vtk_cells *c = &s->joints.cells[NSDS_VTK_LINES];
  const vtk_array label[] = {{"interaction", true, 1, c->count, c->label[NSDS_VTK_BODY]}};
  return write_poly_data(s, path, &s->joints, NULL, 0, label, 1);
}

/* ---- the list ---- */

static const char *const parts[] = {"bodies", "contacts", "joints"};
enum { vtk_parts = sizeof parts / sizeof *parts };

/* The lines of a frame and the end of the list, in one piece: no moment sees half of them. */
static int make_lines(const nsds_vtk *s, double t, char *lines, size_t size) {
  int used = 0;
  for (int k = 0; k < vtk_parts; ++k)
    used += snprintf(lines + used, size - (size_t)used,
                     "<DataSet timestep=\"%.17g\" part=\"%d\" name=\"%s\" "
                     "file=\"%s_%s_%06d.vtp\"/>\n",
                     t, k, parts[k], s->name, parts[k], s->frames);
  memcpy(lines + used, list_end, sizeof list_end);
  return used;
}

/* Writes the piece in place of the end of the list; if that fails, puts the end back. */
static nsds_status extend_list(nsds_vtk *s, double t) {
  char path[longest_path + 64], lines[vtk_parts * (longest_path + 128) + sizeof list_end];
  snprintf(path, sizeof path, "%s.pvd", s->stem);
  int list = open(path, O_WRONLY | O_CLOEXEC);
  if (list < 0) return vtk_fail(s, "nsds_write_vtk", path, "cannot be opened for writing");
  int used = make_lines(s, t, lines, sizeof lines);
  ssize_t size = (ssize_t)((size_t)used + sizeof list_end - 1);
  bool fine = pwrite(list, lines, (size_t)size, s->end) == size;
  int reason = errno;
  if (!fine && pwrite(list, list_end, sizeof list_end - 1, s->end) > 0)
    (void)!ftruncate(list, s->end + (off_t)sizeof list_end - 1);
  if (close(list) != 0 && fine) fine = false, reason = errno;
  errno = reason;
  if (!fine) return vtk_fail(s, "nsds_write_vtk", path, "cannot be written");
  s->end += used;
  ++s->frames;
  return NSDS_OK;
}

static nsds_status begin_list(nsds_vtk *s) {
  char path[longest_path + 64];
  nsds_new_file of;
  snprintf(path, sizeof path, "%s.pvd", s->stem);
  nsds_status status = nsds_new_file_open(&of, s->context, "nsds_vtk_create", path);
  if (status) return status;
  vtk_head(of.file, "Collection");
  fputs("<Collection>\n", of.file);
  s->end = ftell(of.file);
  fputs(list_end, of.file);
  return nsds_new_file_close(&of, true);
}

/* The name of the series stands in the list, which is XML. */
static nsds_status check_series_name(nsds_context *context, const char *call, const char *path) {
  for (const char *c = path; *c; ++c)
    if ((unsigned char)*c < 0x20 || *c == 0x7F || strchr("<>&\"", *c))
      return nsds_fail(
          context, NSDS_ERROR_VALUE,
          "%s: path \"%s\" has character %d at place %d; valid are names without < > & "
          "\" and control characters",
          call, path, (unsigned char)*c, (int)(c - path));
  return NSDS_OK;
}

/* ---- calls ---- */

static nsds_status check_series(nsds_context *context, const char *call, const nsds_vtk_def *def) {
  if (!def || !def->path) return nsds_fail_null(context, call, def ? "def->path" : "def");
  nsds_status status = nsds_check_reserved(context, call, "", NSDS_TAIL(def));
  if (status) return status;
  size_t length = strlen(def->path);
  if (length == 0 || length > longest_path)
    return nsds_fail(context, NSDS_ERROR_VALUE, "%s: path has %zu characters; valid are 1 to %d",
                     call, length, longest_path);
  if (check_series_name(context, call, def->path)) return NSDS_ERROR_VALUE;
  if (def->sphere_level < 0 || def->sphere_level > 4)
    return nsds_fail(context, NSDS_ERROR_VALUE, "%s: sphere_level is %d; valid are 0 to 4", call,
                     def->sphere_level);
  return NSDS_OK;
}

nsds_vtk *nsds_vtk_create(nsds_context *context, const nsds_vtk_def *def) {
  const char *call = "nsds_vtk_create";
  if (!context) {
    nsds_fail_null(NULL, call, "context");
    return NULL;
  }
  if (nsds_check_hook(context, call) || check_series(context, call, def)) return NULL;
  nsds_vtk *s = NSDS_NEW(context, nsds_vtk);
  if (!s) return NULL;
  size_t length = strlen(def->path);
  if (length > 4 && strcmp(def->path + length - 4, ".pvd") == 0) length -= 4;
  s->context = s->bodies.context = s->contacts.context = s->joints.context = context;
  s->level = def->sphere_level;
  s->stem = nsds_alloc(context, "path of a series", length + 1, 1);
  if (s->stem) {
    memcpy(s->stem, def->path, length);
    char *slash = strrchr(s->stem, '/');
    s->name = slash ? slash + 1 : s->stem;
  }
  if (s->stem && !nsds_vtk_loose_take(&s->loose, context, def->nshape, def->shape) &&
      !begin_list(s))
    return s;
  nsds_vtk_destroy(s);
  return NULL;
}

static nsds_status write_frame(nsds_vtk *s, nsds_model *model) {
  nsds_status (*const write[vtk_parts])(nsds_vtk *, const char *) = {write_bodies, write_contacts,
                                                                     write_joints};
  nsds_status status = nsds_vtk_mesh_fill(&s->bodies, model, &s->loose, s->level);
  if (!status) status = collect_contacts(s, model);
  if (!status) status = collect_joints(s, model);
  for (int k = 0; k < vtk_parts && !status; ++k) {
    char path[longest_path + 64];
    snprintf(path, sizeof path, "%s_%s_%06d.vtp", s->stem, parts[k], s->frames);
    status = write[k](s, path);
  }
  return status;
}

nsds_status nsds_write_vtk(nsds_vtk *s, nsds_model *model, double t) {
  const char *call = "nsds_write_vtk";
  if (!s || !model) return nsds_fail_null(s ? s->context : NULL, call, s ? "model" : "series");
  nsds_status status = nsds_check_idle(model, call);
  if (status) return status;
  if (!isfinite(t))
    return nsds_fail(s->context, NSDS_ERROR_VALUE, "%s: t is %g; valid are finite times", call, t);
  status = write_frame(s, model);
  return status ? status : extend_list(s, t);
}

void nsds_vtk_destroy(nsds_vtk *s) {
  if (!s || nsds_check_hook(s->context, "nsds_vtk_destroy")) return;
  nsds_context *context = s->context;
  nsds_vtk_loose_release(&s->loose);
  nsds_vtk_mesh_release(&s->bodies);
  nsds_vtk_mesh_release(&s->contacts);
  nsds_vtk_mesh_release(&s->joints);
  nsds_release(context, s->column);
  nsds_release(context, s->stem);
  nsds_release(context, s);
}
