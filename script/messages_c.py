"""What script/messages has to know of C: functions, their calls, and the strings that reach a call.

A file is cut into tokens, functions are found by their braces, calls by the parenthesis behind a
name. The values of a string are followed through conditions, local variables, arrays of names and
parameters, whose values are those that the callers give. A value is a tuple of pieces: text, or
(name,) for what is not known before the call.
"""

import re

TOKEN = re.compile(
    r'/\*.*?\*/|//[^\n]*|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    r"|[A-Za-z_]\w*|\.?\d[\w.]*|->|\+\+|--|[<>=!&|+\-*/]=|&&|\|\||<<|>>|\S",
    re.S | re.M,
)
CONVERSION = re.compile(r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?(?:hh|h|ll|l|z)?([diuxcsgefap%])")
LABELS = {
    "nsds_ds_label": "system", "nsds_relation_label": "relation", "nsds_contact_label": "contact",
    "nsds_interaction_label": "interaction", "nsds_contact_set_label": "contact set",
    "nsds_outcome_text": "outcome", "nsds_status_text": "status", "nsds_kind_text": "kind",
    "nsds_format_text": "format", "strerror": "reason", "list_solvers": "solvers",
    "nsds_error_message": "message", "nsds_hook": "hook", "set_text": "set",
    "dlerror": "reason", "malloc": "file", "schema_what_is": "kind", "nsds_cursor_text": "word",
    "nsds_expression_functions": "functions",
}
# Variables that hold the name of a thing, shown as <name> where there are many.
THINGS = {"what", "object", "field", "type", "name", "kind", "label", "body", "entry", "which", "unit",
          "matrix", "rows", "starts", "group", "operation", "system", "owner", "call", "function"}
NAMES = {"path": "file", "label": "object", "type": "call", "n": "n"}


class Function:
    def __init__(self, name, parameters, body, file, static):
        self.name, self.parameters, self.body = name, parameters, body
        self.file, self.static = file, static

    def calls(self):
        """(name, line, arguments as lists of tokens) of every call in the body."""
        for k in range(len(self.body) - 1):
            name, line = self.body[k]
            if re.match(r"[A-Za-z_]\w*$", name) and self.body[k + 1][0] == "(":
                yield name, line, split(inside(self.body, k + 1))


def tokens(text):
    line, at = 1, 0
    for found in TOKEN.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        word = found.group()
        if not word.startswith(("/*", "//")) and not word.lstrip().startswith("#"):
            yield word, line


def inside(words, opening):
    """The tokens between an opening parenthesis and its partner."""
    depth = 0
    for k in range(opening, len(words)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(words[k][0], 0)
        if depth == 0:
            return words[opening + 1 : k]
    return words[opening + 1 :]


def split(words, separator=","):
    parts, depth = [[]], 0
    for word in words:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(word[0], 0)
        if depth == 0 and word[0] == separator:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts if words else []


def functions(path, text):
    """The functions of a file, and the arrays of strings outside of them: name to tokens."""
    words, found, arrays, k, start = list(tokens(text)), [], {}, 0, 0
    while k < len(words):
        if words[k][0] == "{":
            body = inside(words, k)
            head = words[start:k]
            if head and head[-1][0] == ")":
                found.append(function(head, body, path))
                k, start = k + len(body) + 2, k + len(body) + 2
                continue
            names = [w for w, _ in head]
            if "=" in names and "char" in names:
                arrays[names[names.index("[") - 1] if "[" in names else names[-2]] = body
            if names[:2] != ["extern", '"C"']:
                k += len(body) + 1
        elif words[k][0] == ";":
            start = k + 1
        k += 1
    return found, arrays


def function(head, body, path):
    depth, k = 0, len(head) - 1
    while True:
        depth += {")": 1, "(": -1}.get(head[k][0], 0)
        if depth == 0:
            break
        k -= 1
    parameters = []
    for part in split(head[k + 1 : -1]):
        names = [w for w, _ in part if re.match(r"[A-Za-z_]\w*$", w)]
        parameters.append(names[-1] if names else "")
    return Function(head[k - 1][0], parameters, body, path, head[0][0] == "static")


def unquote(word):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), word[1:-1])


class Sources:
    """Functions of all files, and who calls them."""

    def __init__(self, files, public):
        self.functions, self.arrays, self.callers, self.public = [], {}, {}, public
        self.texts = {}
        for path, text in files:
            found, arrays = functions(path, text)
            self.functions += found
            self.arrays.update({(path, name): body for name, body in arrays.items()})
            self.texts.update({(path, m[1]): unquote(m[2]) for m in TEXT.finditer(text)})
        self.by_name = {}
        for f in self.functions:
            self.by_name.setdefault(f.name, []).append(f)
            for name, line, arguments in f.calls():
                self.callers.setdefault(name, []).append((f, line, arguments))

    def callers_of(self, f):
        """Calls of a function of the library; of one that programs call nothing is known."""
        own = f.static and not f.file.endswith(".h")
        return [c for c in self.callers.get(f.name, []) if not own or c[0].file == f.file]

    def values(self, words, f, depth=0):
        """What a string expression may be: tuples of pieces; UNKNOWN where programs give it."""
        words = strip(words)
        if text_of(words) == "NULL":
            return []
        if not words or depth > 9:
            return [UNKNOWN]
        at = condition(words)
        if at:
            return self.values(words[at[0] + 1 : at[1]], f, depth + 1) + self.values(
                words[at[1] + 1 :], f, depth + 1)
        if all(w.startswith('"') or w in MACROS for w, _ in words):
            return [("".join(unquote(MACROS.get(w, w)) for w, _ in words),)]
        name = words[0][0]
        if words[1:2] and words[1][0] == "(" and len(inside(words, 1)) + 3 == len(words):
            return self.returned(name, split(inside(words, 1)), f, depth)
        if words[1:2] and words[1][0] == "[":
            return self.entries(name, f, depth)
        if len(words) == 1 and re.match(r"[A-Za-z_]\w*$", name):
            return self.variable(name, f, depth)
        return [UNKNOWN]

    def returned(self, name, arguments, f, depth):
        values = []
        if name not in self.by_name:
            return [((LABELS.get(name, name),),)]
        for g in self.by_name[name]:
            if name in LABELS or (g.static and g.file != f.file):
                continue
            for part in split(g.body, ";"):
                for p in statements(part):
                    if p and p[0][0] == "return":
                        values += self.values(p[1:], g, depth + 1)
        return values or [UNKNOWN]

    def entries(self, name, f, depth):
        body = self.arrays.get((f.file, name))
        if body is None:
            for k in range(len(f.body) - 1):
                if f.body[k][0] == name and f.body[k + 1][0] == "[":
                    rest = f.body[k + len(inside(f.body, k + 1)) + 3 :]
                    if rest[:2] and rest[0][0] == "=" and rest[1][0] == "{":
                        body = inside(rest, 1)
                        break
        values = []
        for part in split(body or []):
            values += self.values(part[[w for w, _ in part].index("=") + 1 :]
                                  if part and part[0][0] == "[" else part, f, depth + 1)
        return values or [UNKNOWN]

    def variable(self, name, f, depth):
        values, given, array = [], False, False
        for k, (word, _) in enumerate(f.body):
            if word != name or k + 1 >= len(f.body):
                continue
            before = f.body[k - 1][0] if k else ";"
            if f.body[k + 1][0] == "=" and before not in (".", "->", "=="):
                values += self.values(until(f.body, k + 2), f, depth + 1)
                given = True
            elif f.body[k + 1][0] == "[" and before == "char":
                rest = f.body[k + len(inside(f.body, k + 1)) + 3 :]
                if rest and rest[0][0] == "=":
                    values += self.values(until(rest, 1), f, depth + 1)
                given = array = True
        for call, _, arguments in f.calls():
            if call in ("snprintf", "nsds_print") and text_of(arguments[0]) == name:
                values += self.formatted(arguments[2:], f, depth + 1)
            elif array and any(text_of(a) == name for a in arguments) and call not in READERS:
                values.append(UNKNOWN)
        if name in f.parameters and not given:
            k = f.parameters.index(name)
            callers = [] if f.name in self.public else self.callers_of(f)
            for g, _, arguments in callers:
                if k < len(arguments) and g is not f:
                    values += self.values(arguments[k], g, depth + 1)
        if (f.file, name) in self.texts and not given and name not in f.parameters:
            return [(self.texts[f.file, name],)]
        return unique(values) or [UNKNOWN]

    def formatted(self, arguments, f, depth=0):
        """A format and what is printed with it."""
        values = []
        for form in self.values(arguments[0], f, depth):
            values += [form] if form is UNKNOWN else self.filled("".join(form), arguments[1:], f, depth) if known(form) else [form]
        return values

    def filled(self, form, arguments, f, depth):
        results, at, k = [()], 0, 0
        for found in CONVERSION.finditer(form):
            results = [r + (form[at : found.start()],) for r in results]
            at = found.end()
            if found[4] == "%":
                results = [r + ("%",) for r in results]
                continue
            if found[2] == "*":
                k += 1
            if found[3] == "*":
                k += 1
            argument = arguments[k] if k < len(arguments) else []
            k += 1
            choices = self.choices(argument, f, depth) if found[4] == "s" else [(placeholder(argument, f),)]
            results = [r + c for r in results for c in choices][:60]
        return [merged(r + (form[at:],)) for r in results]

    def choices(self, argument, f, depth):
        """Sentences make messages of their own, words are listed, what may be left out is in brackets."""
        thing = len(argument) == 1 and argument[0][0] in THINGS
        values = unique(self.values(argument, f, depth + 1))
        blank, unknown = ("",) in values, UNKNOWN in values
        values = [v for v in values if v not in (("",), UNKNOWN)]
        if not values:
            return [(placeholder(argument, f),)]
        if all(known(v) and re.match(r"\S{1,40}$", v[0]) for v in values):
            words = [v[0] for v in values]
            if blank or unknown or len(words) > 4:
                return [(placeholder(argument, f),)]
            return [("".join(words),)] if len(words) == 1 else [(("/".join(words), tuple(words)),)]
        if thing:
            return [(placeholder(argument, f),)]
        if blank and len(values) == 1:
            return [(("[" + shown(values[0]) + "]", ("", None)),)]
        return values + ([("",)] if blank else [])


UNKNOWN = (("value",),)
TEXT = re.compile(r'^static const char (\w+)\[\] = ("[^"\n]*");$', re.M)
READERS = {"nsds_fail", "nsds_log", "nsds_refuse", "nsds_ode_fail", "snprintf", "nsds_print", "strlen"}
MACROS = {"NSDS_PLUGIN_SYMBOL": '"nsds_plugin_table"'}


def statements(words):
    """A piece of a body cut at braces, conditions before a return dropped."""
    part = []
    for word in words:
        if word[0] in ("{", "}", "else") or word[0] == "return":
            yield part
            part = [word] if word[0] == "return" else []
        else:
            part.append(word)
    yield part


def until(words, k):
    depth, start = 0, k
    while k < len(words):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(words[k][0], 0)
        if depth < 0 or (depth == 0 and words[k][0] in (";", ",")):
            break
        k += 1
    return words[start:k]


def strip(words):
    while words and words[0][0] == "(" and len(inside(words, 0)) + 2 == len(words):
        words = words[1:-1]
    if [w for w, _ in words[:4]] == ["(", "char", "*", ")"]:
        words = words[4:]
    return words


def condition(words):
    """Places of ? and : of a condition, where the expression is one."""
    depth, question, nested = 0, None, 0
    for k, (word, _) in enumerate(words):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(word, 0)
        if depth:
            continue
        if word == "?":
            if question is None:
                question = k
            else:
                nested += 1
        elif word == ":" and question is not None:
            if nested == 0:
                return question, k
            nested -= 1
    return None


def text_of(words):
    return "".join(w for w, _ in words)


def placeholder(words, f):
    words = strip(words)
    while len(words) > 3 and words[0][0] == "(" and len(inside(words, 0)) < 4:  # a cast
        words = strip(words[len(inside(words, 0)) + 2 :])
    if not words:
        return ("number",)
    if words[0][0] in LABELS:
        return (LABELS[words[0][0]],)
    if condition(words):
        return placeholder(words[condition(words)[1] + 1 :], f)
    name, depth = "", 0
    for word, _ in words:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(word, 0)
        if depth == 0 and re.match(r"[A-Za-z_]\w*$", word) and word != "c_str":
            name = word
    if re.match(r"[A-Z][A-Z0-9_]+$", name) or re.match(r"\d+$", text_of(words)):
        return (text_of(words), ("", None))
    return (NAMES.get(name, name.replace("_", " ")) or "number",)


def known(value):
    return all(isinstance(p, str) for p in value)


def merged(value):
    pieces = []
    for p in value:
        if isinstance(p, str) and pieces and isinstance(pieces[-1], str):
            pieces[-1] += p
        else:
            pieces.append(p)
    return tuple(p for p in pieces if p != "") or ("",)


def unique(values):
    return list(dict.fromkeys(values))


def shown(value):
    return "".join(p if isinstance(p, str) else p[0] if len(p) == 2 else "<%s>" % p[0] for p in value)


def pattern(value):
    """A regular expression of the texts that a value stands for."""
    parts = []
    for p in value:
        if isinstance(p, str):
            parts.append(re.escape(p.replace("\n", " ")))
        elif len(p) == 2 and None not in p[1]:
            parts.append("(?:%s)" % "|".join(map(re.escape, p[1])))
        else:
            parts.append(".*")
    return "".join(parts)
