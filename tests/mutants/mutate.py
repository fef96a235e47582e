"""Draws small changes of C sources ("mutants") that a good test suite notices.

A change is one of four kinds: an operator, a constant, a condition, a statement that is removed. Kinds are
drawn with equal chance, then a place of that kind with equal chance over all sources. Comments, texts,
preprocessor lines and what stands outside of functions are left alone.
"""

import random
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


class Mutant:
    """A replacement of text[start:end] by `new` in a file, in the named function."""

    def __init__(self, path, function, kind, text, start, end, new):
        self.path, self.function, self.kind = path, function, kind
        self.start, self.end, self.new = start, end, new
        self.line = text.count("\n", 0, start) + 1
        self.last_line = text.count("\n", 0, end) + 1
        first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        self.old_text = " ".join(text[first:last].split())
        self.new_text = " ".join((text[first:start] + new + text[end:last]).split())

    def key(self):
        return "%s | %s | %s | %s" % (self.path, self.function, self.old_text, self.new_text)

    def apply(self, text):
        return text[:self.start] + self.new + text[self.end:]


def functions(code):
    """(name, start, end) of the bodies of functions; `code` is blanked."""
    found = []
    for match in re.finditer(r"^[A-Za-z_][^;{}=]*?\b(\w+)\([^;{}]*\)\s*\{", code, re.M):
        depth, k = 1, match.end()
        while depth and k < len(code):
            depth += {"{": 1, "}": -1}.get(code[k], 0)
            k += 1
        found.append((match.group(1), match.end(), k - 1))
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
    """All mutants of a source by kind."""
    code = blank(text)
    by_kind = {"operator": [], "constant": [], "condition": [], "statement": []}
    for name, start, end in functions(code):
        def add(kind, a, b, new):
            by_kind[kind].append(Mutant(path, name, kind, text, a, b, new))

        tokens = [(m.group(), m.start(), m.end()) for m in TOKEN.finditer(code, start, end)]
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
        for match in re.finditer(r"(?<=[;{})\n])[ \t]*\n?[ \t]+(?=[A-Za-z_*])([^;{}]+;)", code[start:end]):
            statement = match.group(1)
            first = re.match(r"\**(\w*)", statement).group(1)
            declares = re.match(r"(?:const\s+)?[A-Za-z_]\w*(?:\s+\**|\s*\*+\s*)(?:const\s+)?[A-Za-z_]\w*\s*"
                                r"(?:=|;|\[|,)", statement)
            if first in KEYWORDS or declares or not re.search(r"=|\)\s*;$|\+\+|--", statement):
                continue
            add("statement", start + match.start(1), start + match.end(1), ";")
    return by_kind


def draw(sources, count, seed):
    """`count` mutants over {path: text}; the same for the same sources and seed."""
    pool = {"operator": [], "constant": [], "condition": [], "statement": []}
    for path in sorted(sources):
        for kind, some in mutants_of(path, sources[path]).items():
            pool[kind] += some
    generator, drawn, taken = random.Random(seed), [], set()
    while len(drawn) < count:
        mutant = generator.choice(pool[generator.choice(sorted(pool))])
        if mutant.key() not in taken:
            taken.add(mutant.key())
            drawn.append(mutant)
    return drawn
