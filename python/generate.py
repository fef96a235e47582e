#!/usr/bin/env python3
"""Writes what the package takes from the public headers, or compares it with --check.

1. The C preprocessor reads nsds.h and run.h; lines of the headers stay, lines of the system go. Attributes are cut out.
   declarations.h is this text, which cffi reads.
2. The comments of the headers are read from the sources: the comment before a function, a type or a field, or behind
   a field. nsds/_headers.py is a table of them, from which docstrings are made.
3. nsds/__init__.pyi is the type stub: see stub.py.

  python/generate.py [--check] [--include BUILD/include]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
HEADERS = ROOT / "include" / "nsds"


def config(folder):
    """A config.h made from its template, where no build tree has one."""
    text = (HEADERS / "config.h.in").read_text()
    version = re.search(r"project\(nsds VERSION (\d+)\.(\d+)\.(\d+)", (ROOT / "CMakeLists.txt").read_text()).groups()
    number = int(version[0]) * 10000 + int(version[1]) * 100 + int(version[2])
    text = text.replace("@PROJECT_VERSION@", ".".join(version)).replace("@NSDS_VERSION_NUMBER@", str(number))
    text = re.sub(r"#cmakedefine01 (\w+)", r"#define \1 0", text)
    (folder / "nsds").mkdir()
    (folder / "nsds" / "config.h").write_text(text)
    return number


def preprocessed(include, keep):
    """(statements of the headers whose path holds `keep`, number of the version)."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        number = config(folder)
        source = folder / "all.c"
        source.write_text(include)
        text = subprocess.run(["cc", "-E", "-std=c11", "-I", str(HEADERS.parent), "-I", name, str(source)], check=True,
                              capture_output=True, text=True).stdout
    lines, ours = [], False
    for line in text.splitlines():
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            ours = keep in mark.group(1)
        elif ours and line.strip():
            lines.append(line.strip())
    text = " ".join(lines)
    text = re.sub(r'__attribute__\s*\(\(visibility\("default"\)\)\)\s*', "", text)
    text = text.replace("_Bool", "bool")
    text = re.sub(r'__attribute__\s*\(\(format\(.*?\)\)\)', '', text)
    text = re.sub(r"\s+", " ", text)
    statements, depth, start = [], 0, 0
    for k, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and depth == 0:
            statements.append(text[start:k + 1].strip())
            start = k + 1
    return statements, number


def declarations():
    """The text for cffi: every type and function of the public headers, in their order."""
    statements, number = preprocessed("#include <nsds/nsds.h>\n#include <nsds/run.h>\n", "/nsds/")
    head = "/* Written by python/generate.py from the headers in include/nsds. */\n"
    return head + "#define NSDS_VERSION_NUMBER %d\n" % number + "\n".join(wrap(s) for s in statements) + "\n"


def mpi_declarations(declared):
    """The module with the text for cffi of mpi.h and mpi_world.h. Types of libnsds are void there: nsds.mpi hands over
    addresses."""
    statements, _ = preprocessed("#include <nsds/mpi_world.h>\n", "/nsds/mpi")
    text = "\n".join(wrap(s) for s in statements)
    text = re.sub(r"\bnsds_(context|problem|certificate)\b(?! \*\w+\()", "void", text)
    text = re.sub(r"\bnsds_(model|contact_set|shape_def|material)\b", "void", text)
    text = re.sub(r"\bnsds_(status|outcome|mix|format)\b", "int", text)
    text = text.replace("NSDS_RESERVED", re.search(r"NSDS_RESERVED = (\d+)", declared).group(1))
    return '"""Declarations of nsds/mpi.h. Written by python/generate.py."""\nDECLARATIONS = """\n%s\n"""\n' % text


def wrap(statement):
    """One line for a function, a line per field for a struct."""
    if "{" not in statement:
        return statement
    opening, closing = statement.index("{"), statement.rindex("}")
    body = statement[opening + 1:closing].strip()
    cut = re.split(r"(?<=;) ", body) if ";" in body else re.split(r"(?<=,) ", body)
    return statement[:opening] + "{\n" + "\n".join("  " + c for c in cut) + "\n" + statement[closing:]


def plain(comment):
    """A comment without stars and Doxygen's words."""
    text = re.sub(r"^/\*\*<?|\*/$", "", comment.strip())
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in text.splitlines()]
    text = "\n".join(lines).strip()
    text = re.sub(r"@param (\w+)\s+", r"\1: ", text)
    text = re.sub(r"@return ", "Returns ", text)
    text = re.sub(r"::(\w+)", r"\1", text)
    return text


COMMENT = r"/\*\*(?!<).*?\*/"


def documents():
    """Comments of functions, types and fields: {"nsds_q": text}, {"nsds_ball_def": {"mass": text}}."""
    functions, types, fields = {}, {}, {}
    for path in sorted(HEADERS.glob("*.h")):
        if path.name in ("mpi.h", "mpi_world.h"):  # of a library that Python does not load
            continue
        text = path.read_text()
        for match in re.finditer(r"(%s)\s*NSDS_API\s+([^;{]*?)\b(nsds_\w+)\(" % COMMENT, text, re.S):
            comment = match.group(1)
            functions[match.group(3)] = plain(comment[comment.rindex("/**"):])
        for match in re.finditer(r"(%s)\s*typedef (struct|enum) (nsds_\w+)\s*([{;\w])" % COMMENT, text, re.S):
            comment = match.group(1)
            types[match.group(3)] = plain(comment[comment.rindex("/**"):])
        for match in re.finditer(r"typedef struct (nsds_\w+) \{(.*?)\n\} nsds_\w+;", text, re.S):
            fields[match.group(1)] = members(match.group(2))
    return functions, types, fields


def members(body):
    """Comments of the fields of a struct."""
    found = {}
    tokens = re.split(r"(/\*\*.*?\*/)", body, flags=re.S)
    before, last = "", None
    for token in tokens:
        if token.startswith("/**<"):
            if last:
                found[last] = " ".join(plain(token).split())
        elif token.startswith("/**"):
            before = " ".join(plain(token).split())
        else:
            for field in re.finditer(r"(?:\(\*)?(\w+)\s*(?:\[[^;]*\])?(?:\)\([^;]*\))?;", token):
                last = field.group(1)
                if last != "reserved":
                    found[last] = before
                before = ""
    return found


def table(name, mapping):
    rows = []
    for key in sorted(mapping):
        value = mapping[key]
        if isinstance(value, dict):
            rows.append("    %r: {\n%s    },\n" % (key, "".join("        %r: %r,\n" % kv for kv in value.items())))
        else:
            rows.append("    %r: %r,\n" % (key, value))
    return "%s = {\n%s}\n" % (name, "".join(rows))


def parameters(declared):
    """Names of the parameters of functions that return a scheme: {"nsds_moreau_jean": ("theta", "gamma")}."""
    found = {}
    for match in re.finditer(r"^(?:nsds_discretisation|nsds_activation_test) (nsds_\w+)\((.*)\);", declared, re.M):
        given = [] if match.group(2) == "void" else match.group(2).split(", ")
        found[match.group(1)] = tuple(g.rpartition(" ")[2].lstrip("*") for g in given)
    return found


def headers(declared):
    functions, types, fields = documents()
    return ('"""Comments of the public headers. Written by python/generate.py."""\n' + table("FUNCTIONS", functions)
            + table("TYPES", types) + table("PARAMETERS", parameters(declared)) + table("FIELDS", fields))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    declared = declarations()
    wanted = {HERE / "declarations.h": declared, HERE / "nsds" / "_headers.py": headers(declared),
              HERE / "nsds" / "_mpi_declarations.py": mpi_declarations(declared)}
    try:
        import stub
        wanted[HERE / "nsds" / "__init__.pyi"] = stub.text(wanted[HERE / "declarations.h"], documents())
    except ImportError as error:
        if not check:
            print("no stub:", error)
    wrong = [p for p, text in wanted.items() if not p.exists() or p.read_text() != text]
    if check:
        for path in wrong:
            print("%s is not of these headers: run python/generate.py" % path.relative_to(ROOT))
        return 1 if wrong else 0
    for path in wrong:
        path.write_text(wanted[path])
        print("wrote", path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
