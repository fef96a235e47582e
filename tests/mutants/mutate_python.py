"""Draws small changes of Python sources and builds them in, with the kinds of mutate.py.

A changed expression stands beside the old one, and a choice between both takes the place of the old one:
`(new if _nsds_mutant(K) else old)`. A removed statement becomes `if not _nsds_mutant(K): old`. Docstrings, texts,
annotations, decorators, defaults of parameters and code outside of functions are left alone. Of two changes that
overlap, the first drawn is built in.
"""

import ast

import mutate

COMPARE = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
           ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"}
BINARY = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*"}

DEFINITION = """
def _nsds_mutant(number, seen=set()):
    import os
    chosen = os.environ.get("NSDS_MUTANT", "-2")
    if chosen == "-1" and number not in seen:
        seen.add(number)
        path = os.environ.get("NSDS_MUTANTS_REACHED")
        if path:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            os.write(file, b"%d\\n" % number)
            os.close(file)
    return chosen == str(number)

"""


class Drawing(ast.NodeVisitor):
    """Collects the mutants of one source."""

    def __init__(self, path, text):
        self.path, self.text, self.found, self.function = path, text, [], None
        self.starts, place = [], 0
        for line in text.splitlines(keepends=True):
            self.starts.append(place)
            place += len(line)

    def place(self, line, column):
        start = self.starts[line - 1]
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        return start + len(self.text[start:end].encode()[:column].decode())

    def span(self, node):
        return self.place(node.lineno, node.col_offset), self.place(node.end_lineno, node.end_col_offset)

    def source(self, node):
        a, b = self.span(node)
        return self.text[a:b]

    def add(self, kind, node, new):
        a, b = self.span(node)
        self.found.append(mutate.Mutant(self.path, self.function, kind, self.text, a, b, new))

    def visit_FunctionDef(self, node):
        outer, self.function = self.function, mutate.Function(node.name, *self.span(node), None)
        body = node.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        for statement in body:
            self.visit(statement)
        self.function = outer

    def visit_AnnAssign(self, node):
        if self.function and node.value:
            self.visit(node.value)

    def visit_JoinedStr(self, node):
        pass # the places of what is in it are not those of the file

    def visit_Compare(self, node):
        if self.function and len(node.ops) == 1:
            new = COMPARE[type(node.ops[0])]
            self.add("operator", node, "(%s %s %s)" % (self.source(node.left), new, self.source(node.comparators[0])))
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        if self.function:
            other = " and " if isinstance(node.op, ast.Or) else " or "
            self.add("operator", node, "(" + other.join("(%s)" % self.source(v) for v in node.values) + ")")
        self.generic_visit(node)

    def visit_BinOp(self, node):
        if self.function and type(node.op) in BINARY and not isinstance(node.left, (ast.Constant, ast.JoinedStr)):
            self.add("operator", node, "((%s) %s (%s))" % (self.source(node.left), BINARY[type(node.op)],
                                                           self.source(node.right)))
        if not isinstance(node.left, ast.Constant) or not isinstance(node.left.value, str):
            self.generic_visit(node)

    def visit_Constant(self, node):
        if self.function and isinstance(node.value, (int, float)):
            value = node.value
            new = not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else 2 * value
            if new != value:
                self.add("constant", node, repr(new))

    def condition(self, node):
        if self.function:
            self.add("condition", node.test, "(not (%s))" % self.source(node.test))
        self.generic_visit(node)

    visit_If = visit_While = visit_IfExp = condition

    def statement(self, node):
        if self.function:
            self.add("statement", node, "pass")
        self.generic_visit(node)

    visit_Assign = visit_AugAssign = visit_Expr = statement


def mutants_of(path, text):
    """All mutants of a source."""
    drawing = Drawing(path, text)
    drawing.visit(ast.parse(text))
    return drawing.found


def alone(text, mutant):
    """The source with one mutant in the place of the old text."""
    return text[:mutant.start] + mutant.new + text[mutant.end:]


def compiles(text):
    try:
        compile(text, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def overlaps(mutant, others):
    return any(mutant.start < other.end and other.start < mutant.end for other in others)


def with_mutants(text, numbered):
    """The source with [(number, mutant)] built in, which do not overlap."""
    for number, mutant in sorted(numbered, key=lambda entry: -entry[1].start):
        old = text[mutant.start:mutant.end]
        if mutant.kind == "statement":
            new = "if not _nsds_mutant(%d): %s" % (number, old)
        else:
            new = "(%s if _nsds_mutant(%d) else (%s))" % (mutant.new, number, old)
        text = text[:mutant.start] + new + text[mutant.end:]
    first = [node for node in ast.parse(text).body
             if isinstance(node, ast.Expr) or isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    line = max((node.end_lineno for node in first), default=0)
    lines = text.splitlines(keepends=True)
    return "".join(lines[:line]) + DEFINITION + "".join(lines[line:])
