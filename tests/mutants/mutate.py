"""Draws small changes of C sources ("mutants") that a good test suite notices, and builds them in.

A change is one of four kinds: an operator, a constant, a condition, a statement that is removed. As many are
drawn of each kind; which ones depends on the seed and on the change alone, so that changing one function leaves the
mutants of all others. Comments, texts, preprocessor lines and what stands outside of functions are left alone.

All mutants are built into one library: beside a function stands a copy for each of its mutants, and the
function calls copy K where nsds_mutant is K. Where nsds_mutant is -1, each mutant that is come by is reported.
"""

import hashlib
import re

OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=",
    "++": "--", "--": "++",
}
TOKEN = re.compile(r"[A-Za-z_]\w*|0[xX][0-9a-fA-F.pP+-]+\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\w*"
                   r"|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w]")
KEYWORDS = {"return", "if", "else", "for", "while", "do", "switch", "case", "break", "continue", "goto",
            "default", "sizeof", "static", "const", "enum", "struct", "union", "typedef", "extern"}
KINDS = ("condition", "constant", "operator", "statement")

DECLARATIONS = """
extern __attribute__((visibility("hidden"))) int nsds_mutant;
__attribute__((visibility("hidden"))) void nsds_mutant_reached(int mutant);
"""
# A test may start other processes: each line is written at once, to a file that all of them append to. Every changed
# file has the definitions, since tests link single files; they are weak, and a linker keeps one of them.
DEFINITIONS = """
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((weak, visibility("hidden"))) int nsds_mutant = -2;
static char nsds_mutants_seen[100000];
__attribute__((constructor)) static void nsds_mutant_choose(void) {
  const char *chosen = getenv("NSDS_MUTANT");
  nsds_mutant = chosen ? atoi(chosen) : -2;
}
__attribute__((weak, visibility("hidden"))) void nsds_mutant_reached(int mutant) {
  if (nsds_mutants_seen[mutant]) return;
  nsds_mutants_seen[mutant] = 1;
  const char *path = getenv("NSDS_MUTANTS_REACHED");
  int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
  if (file < 0) return;
  char line[16];
  int length = snprintf(line, sizeof line, "%d\\n", mutant);
  if (write(file, line, (size_t)length) < 0) abort();
  close(file);
}
"""


def blank(text):
    """The text with comments, strings, characters and preprocessor lines as spaces; same length."""
    out = list(text)
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
                         r'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
    for match in pattern.finditer(text):
        for k in range(match.start(), match.end()):
            if out[k] != "\n":
                out[k] = " "
    return "".join(out)


class Function:
    """The places of a function in its file: head, body without braces."""

    def __init__(self, name, head, start, end):
        self.name, self.head, self.start, self.end = name, head, start, end


class Mutant:
    """A replacement of text[start:end] by `new` in a file, in the given function."""

    def __init__(self, path, function, kind, text, start, end, new):
        self.path, self.function, self.kind = path, function, kind
        self.start, self.end, self.new = start, end, new
        self.line = text.count("\n", 0, start) + 1
        first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        self.old_text = " ".join(text[first:last].split())
        self.new_text = " ".join((text[first:start] + new + text[end:last]).split())

    def key(self):
        return "%s | %s | %s | %s" % (self.path, self.function.name, self.old_text, self.new_text)


def functions(code):
    """The functions of blanked code."""
    found = []
    for match in re.finditer(r"^[A-Za-z_][^;{}=]*?\b(\w+)\([^;{}]*\)\s*\{", code, re.M):
        depth, k = 1, match.end()
        while depth and k < len(code):
            depth += {"{": 1, "}": -1}.get(code[k], 0)
            k += 1
        found.append(Function(match.group(1), match.start(), match.end(), k - 1))
    return found


def constant(token):
    if token in ("0", "0u", "0.0"):
        return token.replace("0", "1", 1)
    if re.fullmatch(r"\d+u?", token):
        return "%d%s" % (int(token.rstrip("u")) + 1, "u" if token.endswith("u") else "")
    if re.fullmatch(r"\d+\.\d*(?:[eE][+-]?\d+)?", token):
        return repr(2.0 * float(token))
    return None


def mutants_of(path, text):
    """All mutants of a source."""
    code, found = blank(text), []
    for function in functions(code):
        def add(kind, a, b, new):
            found.append(Mutant(path, function, kind, text, a, b, new))

        tokens = [(m.group(), m.start(), m.end()) for m in TOKEN.finditer(code, function.start, function.end)]
        for k, (token, a, b) in enumerate(tokens):
            before = tokens[k - 1][0] if k else ""
            operand = bool(re.match(r"[\w)\]]", before)) and before not in KEYWORDS
            if token in OPERATORS and k:
                spaced = code[a - 1].isspace() and code[b].isspace()
                if token in ("++", "--") or (operand and spaced):
                    add("operator", a, b, OPERATORS[token])
            elif re.match(r"\d", token) and before not in ("case", "-"):
                new = constant(token)
                if new:
                    add("constant", a, b, new)
            elif token in ("if", "while") and k + 1 < len(tokens) and tokens[k + 1][0] == "(":
                depth, j = 1, tokens[k + 1][2]
                while depth:
                    depth += {"(": 1, ")": -1}.get(code[j], 0)
                    j += 1
                add("condition", tokens[k + 1][2], j - 1, "!(%s)" % text[tokens[k + 1][2]:j - 1])
        # statements: from an identifier at the beginning of a line to its semicolon
        for match in re.finditer(r"(?<=[;{})\n])[ \t]*\n?[ \t]+(?=[A-Za-z_*])([^;{}]+;)",
                                 code[function.start:function.end]):
            statement = match.group(1)
            first = re.match(r"\**(\w*)", statement).group(1)
            declares = re.match(r"(?:const\s+)?[A-Za-z_]\w*(?:\s+\**|\s*\*+\s*)(?:const\s+)?[A-Za-z_]\w*\s*"
                                r"(?:=|;|\[|,)", statement)
            if first in KEYWORDS or declares or not re.search(r"=|\)\s*;$|\+\+|--", statement):
                continue
            add("statement", function.start + match.start(1), function.start + match.end(1), ";")
    return found


def draw(sources, seed, mutants_of_file):
    """All mutants of {path: text} in the order of the seed, the kinds in turn; mutants_of_file(path, text) finds
    those of a file."""
    by_kind, taken = {kind: [] for kind in KINDS}, set()
    for path in sorted(sources):
        for mutant in mutants_of_file(path, sources[path]):
            if mutant.key() not in taken:
                taken.add(mutant.key())
                by_kind[mutant.kind].append(mutant)
    for some in by_kind.values():
        some.sort(key=lambda mutant: hashlib.sha256(("%d %s" % (seed, mutant.key())).encode()).digest())
    longest = max(len(some) for some in by_kind.values())
    return [by_kind[kind][k] for k in range(longest) for kind in KINDS if k < len(by_kind[kind])]


def parameters(head):
    """The names of the parameters in the head of a function; None where it takes any number."""
    inside, names, depth, last = head[head.index("(") + 1:head.rindex(")")], [], 0, 0
    if inside.strip() in ("", "void"):
        return []
    for k, letter in enumerate(inside + ","):
        depth += {"(": 1, ")": -1, "[": 1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            part, last = inside[last:k], k + 1
            pointer = re.search(r"\(\s*\*\s*(\w+)", part)
            name = pointer or re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", part)
            if not name:
                return None
            names.append(name.group(1))
    return names


def report_at(code, mutant):
    """Where a statement that reports the mutant may stand: before the statement that has it."""
    place = depth = 0
    for k in range(mutant.function.start, mutant.start):
        depth += {"(": 1, ")": -1}.get(code[k], 0)
        if depth == 0 and code[k] in ";{}":
            place = k + 1
    after = code[place:].split(None, 1)[0]
    return place if place and not re.match(r"else|while|case|default", after) else mutant.function.start


def with_mutants(text, numbered):
    """The source with [(number, mutant, place of its report)] built in; None where that is not possible."""
    code = blank(text)
    by_function = {}
    for number, mutant, place in numbered:
        by_function.setdefault(mutant.function.start, []).append((number, mutant, place))
    for start in sorted(by_function, reverse=True):
        some = by_function[start]
        function = some[0][1].function
        head = text[function.head:start - 1].replace("NSDS_CLONES", " ")
        names = parameters(code[function.head:start - 1])
        if names is None:
            return None
        static = re.search(r"\bstatic\b|NSDS_INLINE", head)
        empty = re.match(r"\s*(?:static\s+|inline\s+|NSDS_\w+\s+)*void\s+\w+\s*\(", head)
        copies, dispatch, body = [], [], text[start:function.end]
        reports = {}
        for number, mutant, place in some:
            a, b = mutant.start - start, mutant.end - start
            copy = re.sub(r"\b%s\b(?=\s*\()" % function.name, "nsds_mutant_%d" % number, head, count=1)
            copies.append("%s%s{%s%s%s}\n" % ("" if static else "static ", copy,
                                              body[:a], mutant.new, body[b:]))
            call = "nsds_mutant_%d(%s);" % (number, ", ".join(names))
            dispatch.append("if (nsds_mutant == %d) %s" % (number, "{ %s return; }" % call if empty
                                                            else "return " + call))
            reports.setdefault(place - start, []).append(number)
        for place in sorted(reports, reverse=True):
            calls = " ".join("if (nsds_mutant == -1) nsds_mutant_reached(%d);" % k for k in reports[place])
            body = body[:place] + " " + calls + " " + body[place:]
        declared = head.rstrip() + ";\n"
        text = (text[:function.head] + declared + "".join(copies) + text[function.head:start]
                + " ".join(dispatch) + body + text[function.end:])
    return DECLARATIONS + text + DEFINITIONS
