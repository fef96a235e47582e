#include "series.h"

#include <stdio.h>
#include <string.h>

series series_open(int argc, char **argv, double pitch) {
  series s = {.pitch = pitch};
  if (argc < 2) return s;
  const char *dot = strrchr(argv[1], '.'), *slash = strrchr(argv[1], '/');
  bool ends = dot && (!slash || dot > slash + 1);
  snprintf(s.stem, sizeof s.stem, "%.*s", ends ? (int)(dot - argv[1]) : (int)strlen(argv[1]),
           argv[1]);
  return s;
}

static void write_vectors(FILE *f, const char *name, const char *format, int n, const double *x) {
  fprintf(f, "<DataArray type=\"Float32\" Name=\"%s\" NumberOfComponents=\"3\" format=\"ascii\">\n",
          name);
  for (int k = 0; k < 3 * n; k += 3) fprintf(f, format, x[k], x[k + 1], x[k + 2]);
  fputs("</DataArray>\n", f);
}

/* Cells of `corners` points each; face NULL: points one after the other. */
static void write_cells(FILE *f, const char *kind, int count, int corners, const int *face) {
  fprintf(f, "<%s>\n<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n", kind);
  for (int k = 0; k < count * corners; ++k)
    fprintf(f, "%d%c", face ? face[k] : k, k % corners == corners - 1 ? '\n' : ' ');
  fputs("</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n", f);
  for (int k = 1; k <= count; ++k) fprintf(f, "%d\n", k * corners);
  fprintf(f, "</DataArray>\n</%s>\n", kind);
}

bool series_write(series *s, const series_mesh *mesh) {
  if (!s->stem[0]) return true;
  char path[1024];
  snprintf(path, sizeof path, "%s_%03d.vtp", s->stem, s->frames++);
  FILE *f = fopen(path, "w");
  if (!f) return false;
  fprintf(f,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" "
          "byte_order=\"LittleEndian\">\n<PolyData>\n<Piece NumberOfPoints=\"%d\" "
          "NumberOfVerts=\"%d\" NumberOfPolys=\"%d\">\n<PointData Vectors=\"velocity\">\n",
          mesh->npoint, mesh->nface ? 0 : mesh->npoint, mesh->nface);
  write_vectors(f, "velocity", "%.6g %.6g %.6g\n", mesh->npoint, mesh->v);
  fputs("</PointData>\n<Points>\n", f);
  write_vectors(f, "points", "%.7g %.7g %.7g\n", mesh->npoint, mesh->x);
  fputs("</Points>\n", f);
  if (mesh->nface) write_cells(f, "Polys", mesh->nface, mesh->corners, mesh->face);
  else write_cells(f, "Verts", mesh->npoint, 1, NULL);
  fputs("</Piece>\n</PolyData>\n</VTKFile>\n", f);
  return fclose(f) == 0;
}

bool series_close(const series *s) {
  if (!s->stem[0]) return true;
  char path[1024];
  snprintf(path, sizeof path, "%s.pvd", s->stem);
  const char *slash = strrchr(s->stem, '/'), *name = slash ? slash + 1 : s->stem;
  FILE *f = fopen(path, "w");
  if (!f) return false;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
        f);
  for (int k = 0; k < s->frames; ++k)
    fprintf(f, "<DataSet timestep=\"%g\" file=\"%s_%03d.vtp\"/>\n", k * s->pitch, name, k);
  fputs("</Collection>\n</VTKFile>\n", f);
  return fclose(f) == 0;
}
