#!/usr/bin/env python3
"""Draws expressions of model files and netlists, and compares what the library makes of them with Python.

    expressions.py PROGRAM [COUNT [SEED]]

PROGRAM is run_expressions. Four things are drawn, COUNT of each but for the last, of which there are COUNT / 2:

- values: a random tree, printed with random blanks, brackets, signs and forms of numbers. Python evaluates the tree.
  All bits have to agree: operations round alike, and functions are those of the same C library.
- functions: every function at random arguments, against Python's module math, within 2 units in the last place.
- faults: characters are put into such texts, or taken out. A second grammar, by recursive descent without table of
  ranks, says whether and where the text is wrong. The library has to refuse the same texts at the same place, and to
  give the same bits for the others.
- derivatives: against dual numbers, within 1e-11 of the magnitude of all terms, and against differences.
"""

import ctypes
import ctypes.util
import math
import random
import re
import subprocess
import sys

LIBM = ctypes.CDLL(ctypes.util.find_library("m") or "libm.so.6")


def c_function(name, arguments):
    f = getattr(LIBM, name)
    f.restype, f.argtypes = ctypes.c_double, [ctypes.c_double] * arguments
    return f


def sign(x):
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else 0.0


def over(a, b):
    if b != 0.0:
        return a / b
    if a == 0.0 or a != a or b != b:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


C_POW = c_function("pow", 2)


def power(a, b):
    return a * a if b == 2.0 else C_POW(a, b)


ONE = {n: c_function(n, 1) for n in
       "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log log2 log10 sqrt cbrt floor ceil round".split()}
ONE["abs"], ONE["sign"], ONE["trunc"] = c_function("fabs", 1), sign, c_function("trunc", 1)
TWO = {"atan2": c_function("atan2", 2), "hypot": c_function("hypot", 2), "mod": c_function("fmod", 2), "pow": power,
       "min": lambda a, b: a if a < b else b, "max": lambda a, b: a if a > b else b}
# names in texts -> functions
MODEL = {n: n for n in list(ONE) + list(TWO) if n != "trunc"}
NETLIST = {n: n for n in "sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt abs floor ceil atan2 min max pow".split()}
NETLIST.update(ln="log", sgn="sign", int="trunc", pwr="pow")
BINARY = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": over, "^": power, "**": power,
    "<": lambda a, b: float(a < b), "<=": lambda a, b: float(a <= b), ">": lambda a, b: float(a > b),
    ">=": lambda a, b: float(a >= b), "==": lambda a, b: float(a == b), "!=": lambda a, b: float(a != b),
    "&&": lambda a, b: float(a != 0.0 and b != 0.0), "||": lambda a, b: float(a != 0.0 or b != 0.0)}
RANK = {"||": 1, "&&": 2, "<": 3, "<=": 3, ">": 3, ">=": 3, "==": 3, "!=": 3, "+": 4, "-": 4, "*": 5, "/": 5,
        "^": 7, "**": 7}
SIGNED, POWER, ATOM = 6, 7, 8
NAMES = ["x", "y", "t", "q1", "ball.q1", "bead[3].x2", "e1", "e", "exp1", "_a", "q1two", "a.b_1", "one", "k", "meg"]
SUFFIX = {"t": 12, "g": 9, "meg": 6, "k": 3, "m": -3, "u": -6, "n": -9, "p": -12, "f": -15, "a": -18}


def evaluate(tree, values):
    kind = tree[0]
    if kind == "number":
        return tree[1]
    if kind == "name":
        return values[tree[1]]
    if kind == "choice":
        return evaluate(tree[2] if evaluate(tree[1], values) != 0.0 else tree[3], values)
    inputs = [evaluate(x, values) for x in tree[2:]]
    if kind == "call":
        return (ONE if len(inputs) == 1 else TWO)[tree[1]](*inputs)
    if kind == "sign":
        return float(inputs[0] == 0.0) if tree[1] == "!" else -inputs[0]
    return BINARY[tree[1]](*inputs)


# ---- drawing


def draw_tree(r, depth, netlist, names, smooth=False):
    if depth == 0 or r.random() < 0.1:
        return ("name", r.choice(names)) if r.random() < 0.5 else ("number", draw_value(r, smooth))

    def part():
        return draw_tree(r, depth - 1, netlist, names, smooth)

    what = r.random()
    if what < 0.15:
        return ("sign", "!" if netlist and r.random() < 0.3 else "-", part())
    if what < 0.35:
        function = r.choice(sorted(set((NETLIST if netlist else MODEL).values())))
        return ("call", function, part()) if function in ONE else ("call", function, part(), part())
    if what < 0.43:
        return ("choice", part(), part(), part())
    few = what < 0.8 or smooth
    operator = r.choice(["+", "-", "*", "/", "^"] if few else [o for o in BINARY if o != "**"])
    if operator == "^" and r.random() < 0.5:
        return ("binary", "^", part(), ("number", float(r.choice([0, 1, 2, 2, 3, 0.5, 4]))))
    return ("binary", operator, part(), part())


def draw_value(r, smooth=False):
    """A number that is not negative, and has few digits or all."""
    what = r.random()
    if smooth:
        return round(r.uniform(0.1, 3.0), r.randint(0, 6))
    if what < 0.3:
        return float(r.choice([0, 1, 2, 3, 10, 0.5, 100]))
    if what < 0.6:
        return round(r.uniform(0, 10), r.randint(0, 4))
    if what < 0.9:
        return r.random() * 10.0 ** r.randint(-5, 5)
    return float("%.*g" % (r.randint(1, 17), 10.0 ** r.uniform(-300, 300)))


def print_number(r, x, netlist):
    """A text of the number, and the double that it stands for."""
    text = repr(x)
    if "e" in text:
        mantissa, exponent = text.split("e")
    else:
        mantissa, exponent = text, "0"
    if mantissa.endswith(".0"):
        mantissa = mantissa[: len(mantissa) - r.choice([0, 1, 2, 2])]
    if mantissa.startswith("0.") and r.random() < 0.5:
        mantissa = mantissa[1:] if len(mantissa) > 2 else mantissa
    if r.random() < 0.1:
        mantissa = "0" * r.randint(1, 30) + mantissa
    if "." in mantissa and r.random() < 0.1:
        mantissa += "0" * r.randint(1, 40)
    if "." in mantissa and r.random() < 0.05:  # digits that decide, far behind
        mantissa += "0" * r.randint(1, 900) + "1"
    text = mantissa
    if exponent != "0" or r.random() < 0.1:
        number = int(exponent)
        text += ("e" if netlist or r.random() < 0.7 else "E") + r.choice(["+", ""] if number >= 0 else [""]) + str(number)
    if not netlist or r.random() < 0.6:
        return text, float(text)
    if r.random() < 0.1:
        return text + "mil", float(text) * 25.4e-6
    suffix = r.choice(list(SUFFIX))
    plain = re.match(r"([0-9.]+)(?:e([+-]?\d+))?$", text)
    value = float("%se%d" % (plain[1], int(plain[2] or 0) + SUFFIX[suffix]))
    unit = r.choice(["", "", "hz", "ohm", "v"])
    if suffix == "m" and unit == "":
        return text + suffix, value
    return text + suffix + unit, value


def blank(r):
    return r.choice(["", "", "", " ", "  ", "\t"])


def print_tree(r, tree, netlist, least=0):
    """(text, tree): numbers of the tree become those that their texts stand for."""
    text, rank, tree = print_bare(r, tree, netlist)
    if rank < least or r.random() < 0.08:
        text, rank = "(" + blank(r) + text + blank(r) + ")", ATOM
    if rank >= SIGNED and least <= SIGNED and r.random() < 0.03:
        text = "+" + blank(r) + text
    return text, tree


def print_bare(r, tree, netlist):
    kind = tree[0]
    if kind == "number":
        text, value = print_number(r, tree[1], netlist)
        return text, ATOM, ("number", value)
    if kind == "name":
        return tree[1], ATOM, tree
    if kind == "sign":
        text, inner = print_tree(r, tree[2], netlist, SIGNED)
        return tree[1] + blank(r) + text, SIGNED, ("sign", tree[1], inner)
    if kind == "call":
        parts = [print_tree(r, x, netlist) for x in tree[2:]]
        table = NETLIST if netlist else MODEL
        name = r.choice([n for n in table if table[n] == tree[1]])
        text = name + r.choice(["", "", " "]) + "(" + ",".join(blank(r) + p[0] + blank(r) for p in parts) + ")"
        return text, ATOM, tree[:2] + tuple(p[1] for p in parts)
    if kind == "choice":
        parts = [print_tree(r, tree[1], netlist, 1)] + [print_tree(r, x, netlist) for x in tree[2:]]
        text = parts[0][0] + blank(r) + "?" + blank(r) + parts[1][0] + blank(r) + ":" + blank(r) + parts[2][0]
        return text, 0, ("choice",) + tuple(p[1] for p in parts)
    sign_ = tree[1]
    if sign_ == "^" and netlist and r.random() < 0.5:
        sign_ = "**"
    rank = RANK[sign_]
    left, right = (ATOM, SIGNED) if rank == POWER else (rank, rank + 1)
    a, b = print_tree(r, tree[2], netlist, left), print_tree(r, tree[3], netlist, right)
    return a[0] + blank(r) + sign_ + blank(r) + b[0], rank, ("binary", sign_, a[1], b[1])


# ---- a second grammar


class Refused(Exception):
    pass


class Reader:
    """Values while the text is read: no tree, no table."""

    NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\[\]]*")
    DECIMAL = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
    SPICE = re.compile(r"((?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+))?(mil|meg|[tgkmunpfa])?[a-z_%]*")

    def __init__(self, text, netlist, values):
        self.text, self.at, self.netlist, self.values, self.open = text, 0, netlist, values, 0

    def refuse(self, at=None):
        raise Refused(self.at if at is None else at)

    def skip(self):
        while self.at < len(self.text) and self.text[self.at] in " \t\r\n":
            self.at += 1

    def next(self, *signs):
        self.skip()
        for s in signs:
            if self.text.startswith(s, self.at):
                return s
        return ""

    def take(self, *signs):
        s = self.next(*signs)
        self.at += len(s)
        return s

    def whole(self):
        x = self.choice()
        self.skip()
        if self.at < len(self.text):
            self.refuse()
        return x

    def choice(self):
        x = self.disjunction()
        if not self.take("?"):
            return x
        yes = self.choice()
        if not self.take(":"):
            self.refuse()
        no = self.choice()
        return yes if x != 0.0 else no

    def disjunction(self):
        x = self.conjunction()
        while self.take("||"):
            y = self.conjunction()
            x = BINARY["||"](x, y)
        return x

    def conjunction(self):
        x = self.comparison()
        while self.take("&&"):
            y = self.comparison()
            x = BINARY["&&"](x, y)
        return x

    def comparison(self):
        x = self.sum()
        while s := self.take("<=", ">=", "==", "!=", "<", ">"):
            x = BINARY[s](x, self.sum())
        return x

    def sum(self):
        x = self.product()
        while s := self.take("+", "-"):
            x = BINARY[s](x, self.product())
        return x

    def product(self):
        x = self.signed()
        while self.next("*", "/") and not self.next("**"):
            s = self.take("*", "/")
            x = BINARY[s](x, self.signed())
        return x

    def signed(self):
        if self.take("+"):
            return self.signed()
        if self.take("-"):
            return -self.signed()
        if self.netlist and self.next("!") and not self.next("!="):
            self.take("!")
            return float(self.signed() == 0.0)
        x = self.atom()
        if self.take("**", "^") if self.netlist else self.take("^"):
            return power(x, self.signed())
        return x

    def close(self, open_at):
        if not self.take(")"):
            self.refuse(open_at if self.at == len(self.text) else None)

    def atom(self):
        self.skip()
        start = self.at
        if self.take("("):
            x = self.choice()
            self.close(start)
            return x
        if m := (self.SPICE if self.netlist else self.DECIMAL).match(self.text, self.at):
            self.at = m.end()
            if re.match(r"[A-Za-z0-9_.\[\]]", self.text[self.at : self.at + 1]):
                self.refuse()
            x = self.spice(m) if self.netlist else float(m[0])
            if math.isinf(x):
                self.refuse(start)
            return x
        if m := self.NAME.match(self.text, self.at):
            self.at = m.end()
            return self.named(m[0], start)
        return self.refuse()

    @staticmethod
    def spice(m):
        suffix = m[3] or ""
        value = float("%se%d" % (m[1], int(m[2] or 0) + SUFFIX.get(suffix, 0)))
        return value * 25.4e-6 if suffix == "mil" else value

    def named(self, name, start):
        functions = NETLIST if self.netlist else MODEL
        self.skip()
        open_at = self.at
        if not self.take("("):
            if name in self.values:
                return self.values[name]
            if name == "pi":
                return math.pi
            self.refuse(start)
        if name not in functions:
            self.refuse(start)
        inputs = []
        if not self.next(")"):
            inputs.append(self.choice())
            while self.take(","):
                inputs.append(self.choice())
        self.close(open_at)
        table = ONE if functions[name] in ONE else TWO
        if len(inputs) != (1 if table is ONE else 2):
            self.refuse(start)
        return table[functions[name]](*inputs)


def spoil(r, text):
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        at = r.randint(0, len(text))
        what = r.random()
        if what < 0.3 and text:
            text = text[:at] + text[at + r.randint(1, 3) :]
        elif what < 0.4:
            text = text[:at]
        elif what < 0.5:
            text += r.choice([" ", "", ""]) + r.choice(["two", "2", ")", "(1)", "abc", ",1", "x", "=", ":1", "[1]", ".5"])
        else:
            text = text[:at] + r.choice(list("()+-*/^<>=!&|?:,.123eE$%[]#\"' xk_") + ["**", "==", "sin(", "max", "min(1,",
                                        " x ", "pi", "\xc3\xa9", "1e999", "inf"]) + text[at:]
    return text


# ---- derivatives


class Dual:
    """A value, its derivative, and the sum of the magnitudes of the terms of the derivative."""

    def __init__(self, v, d=0.0, m=0.0):
        self.v, self.d, self.m = v, d, m


class Rough(Exception):
    """There is no derivative here, or it is hard to tell."""


def chain(v, *slopes):
    d = sum(s * x.d for s, x in slopes if x.m)
    m = sum(abs(s) * x.m for s, x in slopes if x.m)
    return Dual(v, d, m)


def dual_call(name, x):
    u = x[0].v
    v = (ONE if len(x) == 1 else TWO)[name](*[a.v for a in x])
    if len(x) == 2:
        w = x[1].v
        if name in ("min", "max"):
            if u == w:
                raise Rough
            return x[0] if (u < w) == (name == "min") else x[1]
        if name == "pow":
            return dual_power(x[0], x[1])
        if name == "hypot":
            return chain(v, (u / v, x[0]), (w / v, x[1]))
        if name == "atan2":
            return chain(v, (w / (u * u + w * w), x[0]), (-u / (u * u + w * w), x[1]))
        return chain(v, (1.0, x[0]), (-float(int(u / w)), x[1]))
    slopes = {
        "sin": lambda: math.cos(u), "cos": lambda: -math.sin(u), "tan": lambda: 1 / math.cos(u) ** 2,
        "asin": lambda: (1 - u * u) ** -0.5, "acos": lambda: -((1 - u * u) ** -0.5), "atan": lambda: 1 / (1 + u * u),
        "sinh": lambda: math.cosh(u), "cosh": lambda: math.sinh(u), "tanh": lambda: math.cosh(u) ** -2,
        "asinh": lambda: (u * u + 1) ** -0.5, "acosh": lambda: (u * u - 1) ** -0.5, "atanh": lambda: 1 / (1 - u * u),
        "exp": lambda: math.exp(u), "log": lambda: 1 / u, "log2": lambda: 1 / (u * math.log(2)),
        "log10": lambda: 1 / (u * math.log(10)), "sqrt": lambda: 0.5 / math.sqrt(u), "cbrt": lambda: 1 / (3 * v * v),
        "abs": lambda: sign(u), "sign": lambda: 0.0, "floor": lambda: 0.0, "ceil": lambda: 0.0, "round": lambda: 0.0}
    return chain(v, (slopes[name](), x[0]))


def dual_power(a, b):
    v = power(a.v, b.v)
    slopes = []
    if a.m:
        slopes.append((b.v * C_POW(a.v, b.v - 1.0), a))
    if b.m:
        slopes.append((v * math.log(a.v), b))
    return chain(v, *slopes)


def dual(tree, values, by):
    kind = tree[0]
    if kind == "number":
        return Dual(tree[1])
    if kind == "name":
        return Dual(values[tree[1]], *((1.0, 1.0) if tree[1] == by else ()))
    if kind == "choice":
        return dual(tree[2] if dual(tree[1], values, by).v != 0.0 else tree[3], values, by)
    x = [dual(part, values, by) for part in tree[2:]]
    if kind == "sign":
        result = Dual(-x[0].v, -x[0].d, x[0].m)
    elif kind == "call":
        result = dual_call(tree[1], x)
    elif tree[1] in "+-":
        s = 1.0 if tree[1] == "+" else -1.0
        result = Dual(x[0].v + s * x[1].v, x[0].d + s * x[1].d, x[0].m + x[1].m)
    elif tree[1] == "*":
        result = chain(x[0].v * x[1].v, (x[1].v, x[0]), (x[0].v, x[1]))
    elif tree[1] == "/":
        result = chain(x[0].v / x[1].v, (1 / x[1].v, x[0]), (-x[0].v / x[1].v ** 2, x[1]))
    elif tree[1] == "^":
        result = dual_power(x[0], x[1])
    else:
        result = Dual(BINARY[tree[1]](x[0].v, x[1].v))
    if not (abs(result.v) < 1e4 and result.m < 1e6):
        raise Rough
    return result


def differences(tree, values, by):
    """The derivative by differences of sixth order of two widths, which have to agree."""
    x = values[by]

    def f(h):
        return evaluate(tree, dict(values, **{by: x + h}))

    def slope(h):
        return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h)

    a, b = slope(2e-3), slope(1e-3)
    if not abs(a - b) <= 1e-6 * (1.0 + abs(b)):
        raise Rough
    return b


# ---- the library


class Campaign:
    def __init__(self, program):
        self.program, self.lines, self.judges, self.wrong = program, [], [], 0

    def set(self, values):
        self.lines += ["=%s %s" % (n, float(x).hex()) for n, x in values.items()]

    def ask(self, line, judge):
        self.lines.append(line)
        self.judges.append((line, judge))

    def run(self):
        out = subprocess.run([self.program], input="\n".join(self.lines + [""]).encode("latin-1"), check=True,
                             stdout=subprocess.PIPE).stdout.decode("latin-1").split("\n")
        if len(out) != len(self.judges) + 1:
            sys.exit("%d answers to %d questions" % (len(out) - 1, len(self.judges)))
        for (line, judge), answer in zip(self.judges, out):
            reason = judge(answer)
            if reason:
                self.wrong += 1
                if self.wrong <= 20:
                    print("%s\n  the library says %s; right is %s" % (line, answer, reason))
        self.lines, self.judges = [], []


def bits(x):
    return "nan" if x != x else x.hex()


def expect_value(x):
    def judge(answer):
        words = [bits(float.fromhex(w)) for w in answer.split()] if not answer.startswith("!") else [answer]
        return None if words == [bits(x)] * 2 else float(x).hex()
    return judge


def expect_fault(at):
    return lambda answer: None if answer.startswith("! %d " % at) else "a fault at %d" % at


def draw_values(r):
    special = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, math.inf, -math.inf, math.nan]
    return {n: r.choice(special) if r.random() < 0.15 else r.uniform(-1, 1) * 10.0 ** r.randint(-3, 3) for n in NAMES}


def campaign_of_values(r, c, count):
    faults = 0
    for k in range(count):
        if k % 50 == 0:
            values = draw_values(r)
            c.set(values)
        netlist = r.random() < 0.4
        text, tree = print_tree(r, draw_tree(r, r.randint(1, 5), netlist, NAMES), netlist)
        text = blank(r) + text + blank(r)
        if len(text) > 4000:
            continue
        if max_number(tree) == math.inf:
            continue
        c.ask("%s %s" % ("n" if netlist else "m", text), expect_value(evaluate(tree, values)))
        spoiled = spoil(r, text)
        try:
            judge = expect_value(Reader(spoiled, netlist, values).whole())
        except Refused as e:
            judge = expect_fault(e.args[0])
            faults += 1
        if "\n" not in spoiled and len(spoiled) <= 4000:
            c.ask("%s %s" % ("n" if netlist else "m", spoiled), judge)
    return faults


def max_number(tree):
    if tree[0] == "number":
        return tree[1]
    return max([max_number(t) for t in tree[1:] if isinstance(t, tuple)] + [0.0])


def campaign_of_functions(r, c, count):
    names = {n: getattr(math, {"abs": "fabs", "mod": "fmod"}.get(n, n), None) for n in MODEL}
    for k in range(count):
        name = r.choice([n for n in names if names[n] and n not in ("round", "floor", "ceil")])
        x = [r.uniform(-1, 1) * 10.0 ** r.randint(-2, 2) for _ in range(1 if name in ONE else 2)]
        try:
            right = float(names[name](*x))
        except (ValueError, OverflowError):
            continue
        text = "%s(%s)" % (name, ", ".join(repr(a) for a in x))

        def judge(answer, right=right):
            got = [float.fromhex(w) for w in answer.split()]
            near = all(abs(g - right) <= 2 * math.ulp(right) for g in got)
            return None if near else right.hex()
        c.ask("m " + text, judge)


def campaign_of_slopes(r, c, count):
    names, done, compared = ["x", "y", "q1"], 0, 0
    while done < count:
        values = {n: r.uniform(-2, 2) for n in names}
        tree = draw_tree(r, r.randint(1, 4), False, names, smooth=True)
        text, tree = print_tree(r, tree, False)
        try:
            right = dual(tree, values, "x")
            if isinstance(right.d, complex) or right.d != right.d:
                continue
        except (Rough, ValueError, OverflowError, ZeroDivisionError, TypeError):
            continue
        done += 1
        try:
            other = differences(tree, values, "x")
            compared += 1
        except (Rough, ValueError, OverflowError):
            other = None

        def judge(answer, right=right, other=other):
            d = float.fromhex(answer) if not answer.startswith("!") else math.nan
            if not abs(d - right.d) <= 1e-11 * right.m + 1e-300:
                return "%.17g (dual numbers)" % right.d
            if other is not None and not abs(d - other) <= 1e-5 * (1.0 + abs(d)):
                return "%.17g (differences)" % other
            return None
        c.set(values)
        c.ask("dx " + text, judge)
    return compared


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    r = random.Random(seed)
    c = Campaign(sys.argv[1])
    block, faults, compared = 5000, 0, 0
    for begin in range(0, count, block):
        size = min(block, count - begin)
        faults += campaign_of_values(r, c, size)
        campaign_of_functions(r, c, size)
        compared += campaign_of_slopes(r, c, (size + 1) // 2)
        c.run()
    print("%d expressions, %d spoiled ones (%d wrong by the grammar), %d calls of functions, %d derivatives "
          "(%d also by differences): %d wrong" % (count, count, faults, count, (count + 1) // 2, compared, c.wrong))
    sys.exit(c.wrong > 0)


if __name__ == "__main__":
    main()
