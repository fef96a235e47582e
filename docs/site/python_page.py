"""The page of the Python reference, from the stub that editors and mypy read."""
import ast
import re

HEAD = """# Python reference

Classes and functions of the module `nsds`, from its type stub. [Python](python.md) shows how they work together, and
the C reference has the equations behind each definition. Arguments after `*` are given by name. `...` is the default of
the library.

"""


def comment_of(line):
    """The comment behind an argument."""
    found = re.search(r",?\s+# (.*)$", line)
    return found.group(1) if found else ""


def signature(name, node):
    """The call in one line, without types; arguments that have comments follow in a table."""
    a, words = node.args, []
    plain = [x.arg for x in a.posonlyargs + a.args if x.arg != "self"]
    first = len(plain) - len(a.defaults)
    words += [x if k < first else x + "=..." for k, x in enumerate(plain)]
    if a.posonlyargs:
        words.insert(len([x for x in a.posonlyargs if x.arg != "self"]), "/")
    if a.vararg:
        words.append("*" + a.vararg.arg)
    elif a.kwonlyargs:
        words.append("*")
    words += [x.arg + ("=..." if default is not None else "") for x, default in zip(a.kwonlyargs, a.kw_defaults)]
    if a.kwarg:
        words.append("**" + a.kwarg.arg)
    return "%s(%s)" % (name, ", ".join(words))


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def arguments(node, lines):
    rows = []
    for x in node.args.posonlyargs + node.args.args + node.args.kwonlyargs:
        comment = comment_of(lines[x.lineno - 1])
        if comment:
            kind = ast.unparse(x.annotation).replace(" | None", "") if x.annotation else ""
            rows.append("| `%s` | `%s` | %s |" % (x.arg, kind.replace("|", "or"), cell(comment)))
    return ["| argument | type | meaning |", "|---|---|---|"] + rows + [""] if rows else []


def text_of(node, other=None):
    """The docstring, or the other text, as paragraphs; indented parts stay code."""
    text = ast.get_docstring(node) or other
    if not text:
        return []
    text = re.sub(r"<", "&lt;", re.sub(r"::(?=\w)", "", text))
    return [re.sub(r"(?m)^( {0,3}\S.*)$", lambda m: re.sub(r"([*_])", r"\\\1", m.group(1)) if not m.group(1).startswith(("- ", "|")) else m.group(1), text), ""]


def method(node, lines, level, doc=None):
    returns = ast.unparse(node.returns) if node.returns else "None"
    out = ["%s %s" % ("#" * level, node.name.replace("_", "\\_")), ""]
    out += ["    :::python", "    %s -> %s" % (signature(node.name, node), returns), ""]
    return out + text_of(node, doc) + arguments(node, lines)


def class_part(node, lines, docs):
    bases = [b for b in map(ast.unparse, node.bases) if b != "Record"]
    out = ["## " + node.name, ""] + (["Derived from `%s`." % "`, `".join(bases), ""] if bases else []) + text_of(node, docs.get(node.name))
    values = []
    methods = []
    for part in node.body:
        if isinstance(part, ast.AnnAssign):
            values.append("`%s` %s" % (part.target.id, cell(ast.unparse(part.annotation).replace("|", "or"))))
        elif isinstance(part, ast.FunctionDef):
            decorated = {ast.unparse(d) for d in part.decorator_list}
            if "property" in decorated:
                values.append("`%s` %s" % (part.name, cell(ast.unparse(part.returns).replace("|", "or"))))
            elif part.name == "__init__":
                out += ["    :::python", "    " + signature(node.name, part), ""] + arguments(part, lines)
            elif not part.name.startswith("_") and not any(d.endswith((".setter", "overload")) for d in decorated):
                methods.append(part)
    if values:
        out += ["Attributes: " + ", ".join(values) + ".", ""]
    for part in methods:
        out += method(part, lines, 3, docs.get(node.name + "." + part.name))
    return out


def docs_of(sources):
    """Docstrings of classes and methods in the sources of the module, by name; of functions by their name."""
    docs = {}
    for source in sources:
        for node in ast.parse(source).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                docs[node.name] = ast.get_docstring(node)
            for part in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(part, ast.FunctionDef):
                    docs[node.name + "." + part.name] = ast.get_docstring(part)
    return docs


FIRST = ["Model", "Simulation", "Recording", "System", "Interaction", "Job", "Sweep", "Scene", "Network", "Problem", "Solver"]


def make_page(stub, sources):
    """Markdown of the page. `stub`: the text of __init__.pyi; `sources`: those of the module, for docstrings."""
    docs = docs_of(sources)
    tree, lines = ast.parse(stub), stub.splitlines()
    classes = [n for n in tree.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]
    errors = [n for n in classes if any("Error" in ast.unparse(b) or "Exception" in ast.unparse(b) for b in n.bases)]
    out = [HEAD]
    for n in sorted(classes, key=lambda n: FIRST.index(n.name) if n.name in FIRST else len(FIRST)):
        if n not in errors:
            out += class_part(n, lines, docs)
    out += ["## Functions", ""]
    for n in tree.body:
        if isinstance(n, ast.FunctionDef) and not n.name.startswith("_"):
            out += method(n, lines, 3, docs.get(n.name))
    out += ["## Errors", "", "| error | also |", "|---|---|"]
    out += ["| `%s` | %s |" % (n.name, ", ".join("`%s`" % ast.unparse(b) for b in n.bases)) for n in errors]
    return "\n".join(out) + "\n"
