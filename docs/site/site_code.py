"""Colors of code for mkdocs: languages of blocks that do not name theirs, and a lexer of netlists."""
import re

import pygments.lexers
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Text

__all__ = ["Netlist"]

COMMANDS = ("nsds", "sudo", "cmake", "ctest", "cc", "c++", "gcc", "script/", "build/", "python3", "pip", "cd", "export", "git", "gnuplot",
            "for ", "tar", "apt-get", "jupyter", "mpirun", "ulimit", ".ci/", "OPENBLAS", "NSDS_", "LD_", "./")


class Netlist(RegexLexer):
    """Netlists in SPICE's notation."""
    name, aliases, filenames = "Netlist", ["spice", "netlist"], ["*.cir"]
    flags = re.MULTILINE
    tokens = {"root": [
        (r"^\*.*$", Comment), (r"[;$] .*$", Comment), (r"^\s*\.\w+", Keyword), (r"^\+", Keyword), (r"^[A-Za-z]\w*", Name.Function),
        (r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[A-Za-z]*", Number), (r"\w+", Text), (r"\s+", Text), (r".", Text)]}


# ```spice means this lexer; Pygments has one of another language by this name.
pygments.lexers.LEXERS.pop("SpiceLexer", None)
pygments.lexers.LEXERS["NsdsNetlist"] = (__name__, "Netlist", tuple(Netlist.aliases), tuple(Netlist.filenames), ())


def language(text):
    """The language of a block of code."""
    lines = [line for line in text.splitlines() if line.strip()]
    if re.search(r"^\s*(import|from) nsds|^\s*def \w+\(", text, re.M):
        return "python"
    if all(line.startswith((*COMMANDS, " ", "#")) for line in lines):
        return "bash"
    if "#include" in text or re.search(r"nsds_\w+[ (*].*[;{]\s*$|^\s*(int|double|static|for) ?[\w(].*[;{]", text, re.M):
        return "c"
    if sum(bool(re.match(r"\s*(- )?[\w.\[\]]+: ?", line)) for line in lines) * 2 > len(lines):
        return "yaml"
    return "text"


class NameLanguages(Treeprocessor):
    """Names the language in front of indented blocks, as codehilite reads it."""

    def run(self, root):
        for pre in root.iter("pre"):
            if len(pre) == 1 and pre[0].tag == "code" and not pre.text and not pre[0].text.startswith(":::"):
                pre[0].text = ":::%s\n%s" % (language(pre[0].text), pre[0].text)


class CodeExtension(Extension):
    def extendMarkdown(self, md):
        md.treeprocessors.register(NameLanguages(md), "name_languages", 31)  # before codehilite, 30


def makeExtension(**options):
    return CodeExtension(**options)
