"""The type stub nsds/__init__.pyi: what stub.pyi says by hand, and what follows from the headers.

1. A method for each function that takes a definition, with an argument for each field.
2. A TypedDict for each struct within a definition, such as a shape: editors complete the keys of the dict.
3. A class for each report of the library, with the fields that record() makes attributes.
4. The words of an enum, as a Literal.
"""
import os
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
PLACE = "    # methods from definitions\n"
OWN_PLACE = "    # arguments of %s\n"
RESULTS = {"nsds_ds *": "System", "nsds_relation *": "Relation", "nsds_law *": "Law",
           "nsds_contact_set *": "ContactSet", "nsds_simulation *": "Simulation", "nsds_interaction *": "Interaction"}
HIDDEN = ("reserved", "user", "ndata", "check_solver_user", "self", "ops", "nswitch",
          "after_step", "nkept", "keep")
TYPES = {"const char *": "str", "int": "int", "long": "int", "int64_t": "int", "size_t": "int", "uint64_t": "int",
         "double": "float", "bool": "bool",
         "const double *": "ArrayLike", "const int *": "ArrayLike", "nsds_operator": "Function",
         "const nsds_csc *": "Any", "nsds_discretisation": "Scheme", "nsds_activation_test": "Activation",
         "nsds_law *": "Law", "nsds_ds *": "System", "nsds_ds *const *": "Sequence[System]",
         "nsds_check_solver_fn": "Callable[[Simulation, SolverInfo], object]",
         "nsds_body_contact_fn": "Callable[[Arguments], Mapping[str, Any]]",
         "nsds_interaction *": "Interaction", "nsds_contact_set *": "ContactSet",
         "nsds_interaction *const *": "Sequence[Interaction]", "const bool *": "Sequence[bool]",
         "nsds_switch_margin": "Callable[[AdaptiveView, int, bool], float]",
         "function of t": "Callable[[float], float]",
         "nsds_mix_fn": "Callable[[Material, Material], Mapping[str, Any]]",
         "const nsds_operator_data *": "Sequence[Mapping[str, Any]]"}
OWN_TYPES = {"custom_second_order": "second_order", "custom_first_order": "first_order", "custom_relation": "relation",
             "custom_law": "law", "custom_contact_set": "geometry"}
NOT_OWN = ("destroy", "jacobian_pair", "shape_count", "shape", "forget", "prescribed")  # no arguments in Python
PATHS = ("path", "file")  # texts that may be paths
# Reports of the library: the struct, the class, and what Python adds to the fields.
REPORTS = {
    "nsds_step_info": ("StepInfo", ""), "nsds_solver_info": ("SolverInfo", ""),
    "nsds_balance_entry": ("BalanceEntry", ""), "nsds_balance_sum": ("BalanceSum", "    elements: dict[str, BalanceEntry]\n"),
    "nsds_certificate": ("Certificate", ""), "nsds_mass": ("Mass", ""),
    "nsds_jacobian_report": ("JacobianReport", ""), "nsds_joint_motion": ("JointMotion", ""),
    "nsds_joint_drive_motion": ("DriveMotion", ""), "nsds_tree_sums": ("TreeSums", ""),
    "nsds_spring_motion": ("SpringMotion", ""), "nsds_event_row": ("EventRow", "    interaction: Interaction | None\n"),
    "nsds_event_info": ("Event", "    kinds: list[str]\n    rows: list[EventRow]\n"),
    "nsds_shape_info": ("ShapeInfo", "    body: System | None\n    vertex: Array\n    faces: list[list[int]]\n"),
    "nsds_contact_info": ("Contact", "    y: Array\n    ydot: Array\n    impulse: Array\n    force: Array\n"
                          "    bodies: tuple[System | None, System | None]\n    set: ContactSet | None\n"
                          "    interaction: Interaction | None\n"),
    "nsds_adaptive_info": ("Adaptive", ""),
    "nsds_material": ("Material", ""), "nsds_shape_hit": ("ShapeHit", "    body: System | None\n"),
    "nsds_shape_gap": ("ShapeGap", "")}


def definitions(text):
    """{name: [(type, field, length)]} of all structs."""
    found = {}
    for match in re.finditer(r"typedef struct (nsds_\w+) \{\n(.*?)\n\} nsds_\w+;|^struct (nsds_\w+) \{\n(.*?)\n\};", text,
                             re.S | re.M):
        fields = []
        for line in (match.group(2) or match.group(4)).splitlines():
            field = re.match(r"\s*(.*?)(\w+) ?((?:\[\w+\])*);", line)
            of_time = re.match(r"\s*double \(\*(\w+)\)\(double t, void \*user\);", line)
            if of_time:
                fields.append(("function of t", of_time.group(1), ""))
            elif field and "(" not in line:
                fields.append((field.group(1).strip(), field.group(2), field.group(3)))
        found[match.group(1) or match.group(3)] = fields
    return found


def words_of_enums(text):
    """{enum: [words]}, in lower letters without what all constants of the enum begin with."""
    found = {}
    for match in re.finditer(r"typedef enum (nsds_\w+) \{(.*?)\}", text, re.S):
        names = re.findall(r"\b(NSDS_\w+)\b(?=\s*(?:=|,|$))", match.group(2).strip(), re.M)
        prefix = os.path.commonprefix(names)
        prefix = prefix[:prefix.rfind("_") + 1]
        found[match.group(1)] = [n[len(prefix):].lower() for n in names]
    return found


def class_name(kind):
    """ForceFunction for nsds_force_function, Shape for nsds_shape_def."""
    words = re.sub("_def$", "", kind[5:]).split("_")
    return "".join(w[0].upper() + w[1:] for w in words) + "Dict"


class Stub:
    """What the headers say, as types of Python."""

    def __init__(self, declarations, documents):
        self.declarations = declarations
        self.functions, self.types, self.fields = documents
        self.structs = definitions(declarations)
        self.enums = words_of_enums(declarations)
        self.dicts = {}

    def python_type(self, ctype, name, length=""):
        """The type of an argument."""
        if length:
            return "System | None | Sequence[System | None]" if ctype.startswith("nsds_ds") else "ArrayLike"
        if ctype == "const char *" and name in PATHS:
            return "str | PathLike[str]"
        if ctype in TYPES:
            return TYPES[ctype]
        if ctype in self.enums:
            return "Literal[%s] | int" % ", ".join('"%s"' % w for w in self.enums[ctype])
        listed = re.fullmatch(r"const (nsds_\w+) \*", ctype)
        if listed and listed.group(1) in self.structs:
            return "Sequence[%s]" % self.dict_of(listed.group(1))
        if ctype in self.structs:
            return self.dict_of(ctype)
        return "Sequence[str]" if ctype == "const char *const *" else "Any"

    def dict_of(self, kind):
        """A dict with the fields of a struct; the fields in order may stand for it."""
        if kind not in self.dicts:
            self.dicts[kind] = None  # a struct may hold itself
            rows = ["    %s: %s%s\n" % (f, self.python_type(t, f, n), comment(self.fields.get(kind, {}).get(f, "")))
                    for t, f, n in self.structs[kind] if f not in HIDDEN]
            self.dicts[kind] = "class %s(TypedDict, total=False):\n%s" % (class_name(kind), "".join(rows))
        return "%s | Mapping[str, Any] | Sequence[Any]" % class_name(kind)

    def arguments(self, kind, without=()):
        """The arguments of a method, one for each field of a definition."""
        return "".join("        %s: %s | None = None,%s\n" % (
            field, self.python_type(ctype, field, length), comment(self.fields.get(kind, {}).get(field, "")))
            for ctype, field, length in self.structs[kind] if field not in HIDDEN and field not in without)

    def methods(self):
        """The methods of a model that make a part or a simulation from a definition."""
        pattern = r"^(nsds_\w+ \*)\s*(nsds_\w+)\(nsds_model \*model, const (nsds_\w+_def) \*def\);"
        found = []
        for result, name, kind in re.findall(pattern, self.declarations, re.M):
            if result not in RESULTS or "custom" in name:
                continue
            doc = self.functions.get(name, "").split("\n\n")[0].replace("\\", "").replace("\n", "\n        ")
            found.append('    def %s(\n        self, *,\n%s    ) -> %s:\n        """%s"""\n' % (
                name[5:], self.arguments(kind), RESULTS[result], doc))
        return "\n".join(found)

    def own_types(self):
        """The methods that make an object of one's own: its operations, then the fields of its definition."""
        found = []
        for name, family in OWN_TYPES.items():
            body = re.search(r"typedef struct nsds_%s_ops \{(.*?)\n\} " % family, self.declarations, re.S).group(1)
            table, kind = "nsds_%s_ops" % family, "nsds_%s_def" % name
            rows = ["        %s: Callable[..., Any] | ArrayLike | Mapping[str, Any] | None = None,%s\n" % (
                word, comment(self.fields.get(table, {}).get(word, "")))
                for word in re.findall(r"\(\*(\w+)\)", body) if word not in NOT_OWN]
            shapes = [f for t, f, _ in self.structs[kind] if t == "nsds_matrix_shape"]
            if shapes:
                rows.append("        constant: Sequence[str] | None = None,  # which of %s do not change\n" % ", ".join(shapes))
            found.append("    def %s(\n        self, *,\n%s%s    ) -> %s: ...\n" % (
                name, "".join(rows), self.arguments(kind, shapes), RESULTS[re.search(
                    r"^(\w+ \*)\s*nsds_%s\(" % name, self.declarations, re.M).group(1)]))
        return "\n".join(found)

    def schemes(self):
        found = []
        for match in re.finditer(r"^(nsds_discretisation|nsds_activation_test) (nsds_\w+)\((.*)\);", self.declarations, re.M):
            names = []
            for argument in match.group(3).split(", "):
                if argument != "void":
                    ctype, name = argument.rsplit(" ", 1)
                    names.append("%s: %s" % (name, TYPES.get(ctype, "float")))
            found.append("def %s(%s) -> %s: ...\n" % (match.group(2)[5:], ", ".join(names), TYPES[match.group(1)]))
        return "".join(found)

    def report_type(self, ctype, length):
        """The type of an attribute that record() makes of a field; None where it makes none."""
        if ctype in ("const char *", "char") and (length or ctype != "char"):
            return "str | None"
        if length:
            return "Array" if ctype in ("double", "int") else None
        if ctype in self.enums:
            return "str"
        if ctype in self.structs:
            return REPORTS.get(ctype, ("Record",))[0]
        return TYPES.get(ctype) if "*" not in ctype and TYPES.get(ctype) in ("int", "float", "bool") else None

    def reports(self):
        found = []
        for kind, (name, more) in REPORTS.items():
            rows = [(f, self.report_type(t, n), self.fields.get(kind, {}).get(f, "")) for t, f, n in self.structs[kind]
                    if f != "reserved"]
            found.append("class %s(Record):\n%s%s" % (name, "".join(
                "    %s: %s%s\n" % (f, t, comment(d)) for f, t, d in rows if t), more))
        return "\n".join(found)


def text(declarations, documents):
    stub = Stub(declarations, documents)
    hand = (HERE / "stub.pyi").read_text()
    for kind in re.findall(OWN_PLACE.replace("%s", r"(nsds_\w+)"), hand):
        hand = hand.replace(OWN_PLACE % kind, stub.arguments(kind))
    first, last = hand.split(PLACE)
    methods = stub.methods() + "\n" + stub.own_types()
    dicts = "\n".join(stub.dicts.values())
    return "# Written by python/generate.py from the headers and stub.pyi.\n" + "\n".join(
        [first + methods + last, stub.reports(), dicts, stub.schemes()])


def comment(text):
    return "  # " + text if text else ""
