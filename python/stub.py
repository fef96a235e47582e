"""The type stub nsds/__init__.pyi: what is written here by hand, and the methods that take definitions."""
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
PLACE = "    # methods from definitions\n"
RESULTS = {"nsds_ds *": "System", "nsds_relation *": "Relation", "nsds_law *": "Law",
           "nsds_contact_set *": "ContactSet", "nsds_simulation *": "Simulation"}
HIDDEN = ("reserved", "user", "ndata", "check_solver_user")
TYPES = {"const char *": "str", "int": "int", "long": "int", "uint64_t": "int", "double": "float", "bool": "bool",
         "const double *": "ArrayLike", "const int *": "ArrayLike", "nsds_operator": "Function",
         "const nsds_csc *": "Any", "nsds_discretisation": "Scheme", "nsds_activation_test": "Activation",
         "nsds_law *": "Law", "nsds_ds *": "System", "nsds_ds *const *": "Sequence[System]",
         "nsds_check_solver_fn": "Callable[[Simulation, Record], object]", "nsds_body_contact_fn": "Function",
         "nsds_mix_fn": "Callable[[Record, Record], dict[str, Any]]",
         "const nsds_operator_data *": "Sequence[dict[str, Any]]"}


def definitions(text):
    """{name: [(type, field, length)]} of all structs."""
    found = {}
    for match in re.finditer(r"typedef struct (nsds_\w+) \{\n(.*?)\n\} nsds_\w+;", text, re.S):
        fields = []
        for line in match.group(2).splitlines():
            field = re.match(r"\s*(.*?)(\w+)((?:\[\w+\])*);", line)
            if field and "(" not in line:
                fields.append((field.group(1).strip(), field.group(2), field.group(3)))
        found[match.group(1)] = fields
    return found


def python_type(ctype, length, enums):
    if length:
        return "System | None | Sequence[System | None]" if ctype.startswith("nsds_ds") else "ArrayLike"
    if ctype in TYPES:
        return TYPES[ctype]
    if ctype in enums:
        return "str | int"
    if ctype.startswith("const nsds_"):
        return "Sequence[Any]"
    if ctype.startswith("nsds_"):
        return "dict[str, Any] | Sequence[Any]"
    return "Any"


def text(declarations, documents):
    functions, types, fields = documents
    structs = definitions(declarations)
    enums = set(re.findall(r"typedef enum (nsds_\w+)", declarations))
    methods = []
    for match in re.finditer(r"^(nsds_\w+ \*)\s*(nsds_\w+)\(nsds_model \*model, const (nsds_\w+_def) \*def\);", declarations,
                             re.M):
        result, name, kind = match.groups()
        if "custom" in name or result not in RESULTS:
            continue
        arguments = []
        for ctype, field, length in structs[kind]:
            if field in HIDDEN:
                continue
            arguments.append("        %s: %s | None = ...,%s\n" % (
                field, python_type(ctype, length, enums), comment(fields.get(kind, {}).get(field, ""))))
        doc = functions.get(name, "").split("\n\n")[0].replace("\\", "").replace("\n", "\n        ")
        methods.append('    def %s(\n        self, *,\n%s    ) -> %s:\n        """%s"""\n' % (
            name[5:], "".join(arguments), RESULTS[result], doc))
    schemes = []
    for match in re.finditer(r"^(nsds_discretisation|nsds_activation_test) (nsds_\w+)\((.*)\);", declarations, re.M):
        names = []
        for argument in match.group(3).split(", "):
            if argument != "void":
                ctype, name = argument.rsplit(" ", 1)
                names.append("%s: %s" % (name, TYPES.get(ctype, "float")))
        schemes.append("def %s(%s) -> %s: ...\n" % (match.group(2)[5:], ", ".join(names + ["/"] if names else []),
                                                   TYPES[match.group(1)]))
    hand = (HERE / "stub.pyi").read_text()
    first, last = hand.split(PLACE)
    return "# Written by python/generate.py from the headers and stub.pyi.\n" + first + "\n".join(methods) + last + \
        "\n" + "".join(schemes)


def comment(text):
    return "  # " + text if text else ""
