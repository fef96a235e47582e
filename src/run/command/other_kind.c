/*
 * The first bytes decide if they can be nothing else: marks of binary files, XML with its first
 * element, schematics of LTspice. The first line of a netlist is a title, so a file that is named
 * as a netlist may begin with any other text. For all other files the ending of the name counts
 * too.
 */
#include "run/command/other_kind.h"

#include "base/text/words.h"

#include <string.h>

static const char as_netlist[] =
    "in LTspice, View > SPICE Netlist shows the netlist; save it as .cir";
static const char as_model[] =
    "write the bodies and joints into a model file, see docs/model_files.md";
static const char as_urdf[] = "give its name the ending .urdf";
static const char as_mjcf[] = "give its name the ending .xml or .mjcf";
static const char by_xacro[] = "make a URDF file of it: xacro robot.xacro -o robot.urdf";
static const char unpacked[] = "unpack it, and name the file in it";
static const char problem[] = "if it holds a nonsmooth problem, use nsds solve";
static const char yaml_is_wider[] =
    "JSON is YAML too: if the file has the keys of a model file, give its name the ending .yaml";

/* Files that begin with bytes that no text begins with, or that nobody would write as a title. */
static const struct {
  const char *mark;
  size_t size;
  const char *what, *advice;
} marks[] = {{"\x89PNG", 4, "a PNG picture", ""},
             {"\xFF\xD8\xFF", 3, "a JPEG picture", ""},
             {"GIF8", 4, "a GIF picture", ""},
             {"BM\0", 3, "a BMP picture", ""},
             {"%PDF-", 5, "a PDF document", ""},
             {"%!PS", 4, "a PostScript document", ""},
             {"PK\3\4", 4, "a zip archive", unpacked},
             {"PK\5\6", 4, "an empty zip archive", ""},
             {"\x1F\x8B", 2, "a file packed by gzip", unpacked},
             {"BZh", 3, "a file packed by bzip2", unpacked},
             {"\xFD"
              "7zXZ",
              5, "a file packed by xz", unpacked},
             {"\x28\xB5\x2F\xFD", 4, "a file packed by zstd", unpacked},
             {"7z\xBC\xAF", 4, "a 7-Zip archive", unpacked},
             {"\x89HDF", 4, "an HDF5 file", problem},
             {"\x7F"
              "ELF",
              4, "a program or a shared object", ""},
             {"MZ\x90", 3, "a program of Windows", ""},
             {"glTF", 4, "a glTF scene", ""},
             {"MATLAB 5.0 MAT-file", 19, "a MATLAB data file", ""},
             {"\xD0\xCF\x11\xE0", 4, "an office document", ""},
             {"\xFF\xFE", 2, "a text in UTF-16", "save it as UTF-8"},
             {"\xFE\xFF", 2, "a text in UTF-16", "save it as UTF-8"},
             {"Version 4\nSHEET ", 16, "a schematic of LTspice", as_netlist},
             {"Version 4\r\nSHEET ", 17, "a schematic of LTspice", as_netlist}};

/* First elements of XML. */
static const struct {
  const char *element, *what, *advice;
} elements[] = {{"robot", "a URDF file (a robot)", as_urdf},
                {"mujoco", "an MJCF file (a model of MuJoCo)", as_mjcf},
                {"sdf", "an SDFormat file (a world of Gazebo)", as_model},
                {"svg", "an SVG picture", ""},
                {"html", "an HTML page", ""},
                {"!doctype", "an HTML page", ""},
                {"COLLADA", "a COLLADA scene", ""},
                {"VTKFile", "a VTK file", ""},
                {"fmiModelDescription", "a model description of FMI", ""},
                {"Project", "a project in XML", ""}};

/* Endings of names. */
static const struct {
  const char *ending, *what, *advice;
} endings[] = {{".xacro", "a xacro file (a robot)", by_xacro},
               {".sdf", "an SDFormat file (a world of Gazebo)", as_model},
               {".slx", "a model of Simulink", ""},
               {".mdl", "a model of Simulink", ""},
               {".mat", "a MATLAB data file", ""},
               {".mo", "a model of Modelica", ""},
               {".fmu", "a unit of FMI", ""},
               {".asc", "a schematic of LTspice", as_netlist},
               {".sch", "a schematic", "export it as a SPICE netlist"},
               {".kicad_sch", "a schematic of KiCad", "in KiCad, export it as a SPICE netlist"},
               {".qsch", "a schematic of QSPICE", "export it as a SPICE netlist"},
               {".raw", "a table of results of SPICE", ""},
               {".json", "a JSON file", yaml_is_wider},
               {".toml", "a TOML file", ""},
               {".py", "a Python program", "run it by python3"},
               {".ipynb", "a notebook", "open it in Jupyter"},
               {".m", "a MATLAB program", ""},
               {".c", "a C program", "compile it, see docs/guide.md"},
               {".h", "a C header", ""},
               {".cpp", "a C++ program", "compile it, see docs/guide.md"},
               {".so", "a shared object", ""},
               {".sh", "a shell script", ""},
               {".csv", "a table", ""},
               {".vtp", "a VTK file", ""},
               {".pvd", "a VTK series", ""},
               {".html", "an HTML page", ""},
               {".svg", "an SVG picture", ""},
               {".md", "a text in Markdown", ""},
               {".pdf", "a PDF document", ""},
               {".png", "a PNG picture", ""},
               {".jpg", "a JPEG picture", ""},
               {".zip", "a zip archive", unpacked},
               {".gz", "a file packed by gzip", unpacked},
               {".stl", "a mesh", ""},
               {".obj", "a mesh", ""},
               {".step", "a CAD file", ""},
               {".dae", "a COLLADA scene", ""},
               {".h5", "an HDF5 file", problem},
               {".hdf5", "an HDF5 file", problem},
               {".nsds", "a nonsmooth problem", "use nsds solve"}};

/* Returns the name of the first element of XML; NULL for other texts. */
static const char *first_element(const char *text) {
  if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3;
  for (;;) {
    text += strspn(text, " \t\r\n");
    const char *end = strncmp(text, "<?", 2) == 0     ? strstr(text, "?>")
                      : strncmp(text, "<!--", 4) == 0 ? strstr(text, "-->")
                                                      : NULL;
    if (!end) break;
    text = end + (text[1] == '?' ? 2 : 3);
  }
  return text[0] == '<' ? text + 1 : NULL;
}

/* Tells if a text is XML; a file of `ours` must say so itself. */
static const char *kind_of_xml(const char *text, bool ours, const char **advice) {
  const char *name = first_element(text);
  if (!name || (ours && strncmp(text, "<?xml", 5) != 0)) return NULL;
  for (size_t k = 0; k < sizeof elements / sizeof *elements; ++k) {
    size_t size = strlen(elements[k].element);
    bool same = strncmp(name, elements[k].element, size) == 0;
    if (same && (name[size] == '\0' || strchr(" \t\r\n/>", name[size])))
      return *advice = elements[k].advice, elements[k].what;
  }
  return "an XML file";
}

static bool is_ours(const char *name) {
  static const char *const ours[] = {".cir", ".net", ".sp", ".spice", ".ckt", ".yaml", ".yml"};
  for (size_t k = 0; name && k < sizeof ours / sizeof *ours; ++k)
    if (nsds_ends_with(name, ours[k])) return true;
  return false;
}

/* A robot by its name and its first element: <robot> without the mark of xacro, or <mujoco>. */
static bool is_robot(const char *name, const char *text) {
  static const char *const ending[] = {".urdf", ".xml", ".mjcf"};
  const char *first = first_element(text);
  bool named = false;
  for (size_t k = 0; name && k < sizeof ending / sizeof *ending; ++k)
    named = named || nsds_ends_with(name, ending[k]);
  if (named && nsds_ends_with(name, ".urdf")) return true;
  if (!named || !first) return named && !text[strspn(text, " \t\r\n")];
  return strncmp(first, "robot", 5) == 0 || strncmp(first, "mujoco", 6) == 0 || first[0] == '!';
}

const char *nsds_other_kind(const char *name, const char *text, size_t size, const char **advice) {
  bool ours = is_ours(name);
  *advice = "";
  if (is_robot(name, text)) return NULL;
  const char *xml = kind_of_xml(text, ours, advice);
  if (xml) return xml;
  bool notebook = name && nsds_ends_with(name, ".ipynb"); /* its text is JSON */
  if (!ours && !notebook && text[0] == '{' && text[1 + strspn(text + 1, " \t\r\n")] == '"')
    return *advice = yaml_is_wider, "a JSON file";
  if (!ours && strncmp(text, "#!", 2) == 0) return "a script";
  for (size_t k = 0; name && !ours && k < sizeof endings / sizeof *endings; ++k)
    if (nsds_ends_with(name, endings[k].ending))
      return *advice = endings[k].advice, endings[k].what;
  for (size_t k = 0; k < sizeof marks / sizeof *marks; ++k)
    if (size >= marks[k].size && memcmp(text, marks[k].mark, marks[k].size) == 0)
      return *advice = marks[k].advice, marks[k].what;
  return NULL;
}
