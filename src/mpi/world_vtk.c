/*
 * Bodies of a world as points in files of ParaView (VTK, file formats of XML PolyData). Each process writes a
 * piece, PATH_FRAME_RANK.vtp. PATH_FRAME.pvtp lists the pieces.
 */
#include "mpi/world.h"

#include <errno.h>
#include <nsds/extend.h>
#include <stdio.h>
#include <string.h>

enum { longest_path = 3800, path_size = 4096 };

static const struct column {
  const char *name, *type;
  int components;
} columns[] = {{"id", "Int64", 1},           {"kind", "Int32", 1},       {"size", "Float64", 1},
               {"quaternion", "Float64", 4}, {"velocity", "Float64", 3}, {"process", "Int32", 1}};
enum { column_count = sizeof columns / sizeof *columns };

static nsds_status vtk_file_fails(nsds_mpi *mpi, const char *path) {
  int reason = errno;
  return nsds_report(mpi->context, NSDS_ERROR_IO,
                     "nsds_mpi_world_write_vtk: %s cannot be written: %s", path, strerror(reason));
}

static void write_value(FILE *file, const nsds_mpi_world *w, const nsds_mpi_body *b, int column) {
  switch (column) {
  case 0: fprintf(file, "%lld\n", b->id); break;
  case 1: fprintf(file, "%d\n", b->kind); break;
  case 2: fprintf(file, "%.9g\n", b->size); break;
  case 3: fprintf(file, "%.9g %.9g %.9g %.9g\n", b->q[3], b->q[4], b->q[5], b->q[6]); break;
  case 4: fprintf(file, "%.9g %.9g %.9g\n", b->v[0], b->v[1], b->v[2]); break;
  default: fprintf(file, "%d\n", w->mpi->rank);
  }
}

static void write_piece(FILE *file, const nsds_mpi_world *w) {
  int n = nsds_mpi_world_count(w);
  nsds_mpi_body b;
  fprintf(file,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\">\n<PolyData>\n"
          "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
          "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData>\n",
          n, n);
  for (int c = 0; c < column_count; ++c) {
    fprintf(file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n",
            columns[c].type, columns[c].name, columns[c].components);
    for (int k = 0; k < n; ++k)
      if (!nsds_mpi_world_body(w, k, &b)) write_value(file, w, &b, c);
    fputs("</DataArray>\n", file);
  }
  fputs("</PointData>\n<Points>\n<DataArray type=\"Float64\" Name=\"points\" "
        "NumberOfComponents=\"3\" format=\"ascii\">\n",
        file);
  for (int k = 0; k < n; ++k)
    if (!nsds_mpi_world_body(w, k, &b))
      fprintf(file, "%.17g %.17g %.17g\n", b.q[0], b.q[1], b.q[2]);
  fputs("</DataArray>\n</Points>\n<Verts>\n<DataArray type=\"Int32\" Name=\"connectivity\" "
        "format=\"ascii\">\n",
        file);
  for (int k = 0; k < n; ++k) fprintf(file, "%d\n", k);
  fputs("</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n", file);
  for (int k = 0; k < n; ++k) fprintf(file, "%d\n", k + 1);
  fputs("</DataArray>\n</Verts>\n</Piece>\n</PolyData>\n</VTKFile>\n", file);
}

static void write_list_of_pieces(FILE *file, const nsds_mpi_world *w, const char *name, int frame) {
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"PPolyData\" version=\"1.0\">\n"
        "<PPolyData GhostLevel=\"0\">\n<PPointData>\n",
        file);
  for (int c = 0; c < column_count; ++c)
    fprintf(file, "<PDataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"/>\n",
            columns[c].type, columns[c].name, columns[c].components);
  fputs("</PPointData>\n<PPoints>\n<PDataArray type=\"Float64\" Name=\"points\" "
        "NumberOfComponents=\"3\"/>\n</PPoints>\n",
        file);
  for (int r = 0; r < w->mpi->size; ++r)
    fprintf(file, "<Piece Source=\"%s_%06d_%d.vtp\"/>\n", name, frame, r);
  fputs("</PPolyData>\n</VTKFile>\n", file);
}

/* Writes one of both kinds of files. */
static nsds_status write_world_file(const nsds_mpi_world *w, const char *path, const char *name,
                                    int frame, bool list) {
  char file_name[path_size];
  if (list) snprintf(file_name, sizeof file_name, "%.*s_%06d.pvtp", longest_path, path, frame);
  else
    snprintf(file_name, sizeof file_name, "%.*s_%06d_%d.vtp", longest_path, path, frame,
             w->mpi->rank);
  FILE *file = fopen(file_name, "w");
  if (!file) return vtk_file_fails(w->mpi, file_name);
  if (list) write_list_of_pieces(file, w, name, frame);
  else write_piece(file, w);
  bool fine = fflush(file) == 0 && !ferror(file);
  int reason = errno;
  if (fclose(file) != 0 && fine) fine = false, reason = errno;
  errno = reason;
  return fine ? NSDS_OK : vtk_file_fails(w->mpi, file_name);
}

nsds_status nsds_mpi_world_write_vtk(nsds_mpi_world *w, const char *path, int frame) {
  static const char call[] = "nsds_mpi_world_write_vtk";
  if (!w) return nsds_report(NULL, NSDS_ERROR_ARGUMENT, "%s: world is NULL", call);
  size_t length = path ? strlen(path) : 0;
  nsds_status status = NSDS_OK;
  if (length == 0 || length > longest_path || strpbrk(path, "<>&\"") || frame < 0)
    status = nsds_report(w->mpi->context, NSDS_ERROR_ARGUMENT,
                         "%s: path has %zu characters and frame is %d; give 1 to %d characters "
                         "without < > & \" and a frame from 0 on",
                         call, length, frame, longest_path);
  status = nsds_mpi_agree(w->mpi, status);
  if (status || !path) return status;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  status = nsds_mpi_agree(w->mpi, write_world_file(w, path, name, frame, false));
  if (status) return status;
  if (w->mpi->rank == 0) status = write_world_file(w, path, name, frame, true);
  return nsds_mpi_agree(w->mpi, status);
}
