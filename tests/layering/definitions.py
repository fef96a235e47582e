#!/usr/bin/env python3
"""definitions.py ROOT: no field of a definition has a zero that means something else than its default.

Zero is the default of every field of a `*_def` struct in the public headers. A field whose comment says "default X",
X not zero, must not accept 0 as a value: its range excludes zero (> 0, >= 1), or its type is an enum, a struct or a
string, whose zero says nothing. No field is named theta: schemes are parts that functions make (nsds/scheme.h).
NSDS_ZERO, a zero beside the default, is gone.

Before it reads the headers, the test plants violations and expects each to be found.
"""
import pathlib
import re
import sys

COMMENT = r"/\*\*.*?\*/"
NUMBERS = {"double", "float", "int", "long", "unsigned", "size_t", "bool", "uint64_t", "int64_t"}


def structs(text):
    """Name and body of each definition."""
    for match in re.finditer(r"typedef struct (nsds_\w+_def) \{(.*?)\n\} \1;", text, re.S):
        yield match.group(1), match.group(2)


def fields(body):
    """Type, name and comment of each field. A comment stands before its field, or behind it on the same line."""
    where = 0
    for match in re.finditer(r"^  ((?:const |unsigned )*\w+) ?([\w ,*\[\]]+);", body, re.M):
        before = re.findall(COMMENT, body[where:match.start()], re.S)
        own = bool(before) and body[where:match.start()].rstrip().endswith("*/")
        behind = re.match(r"[ \t]*\n?[ \t]*(" + COMMENT.replace("/\\*\\*", "/\\*\\*<") + ")", body[match.end():], re.S)
        text = behind.group(1) if behind else before[-1] if own else ""
        where = match.end() + (behind.end() if behind else 0)
        for name in re.findall(r"(\w+)(?:\[[^\]]*\])*\s*(?:,|$)", match.group(2)):
            yield match.group(1), name, " ".join(re.sub(r"[\s*/<]*\n\s*\*?", " ", text).split()), "*" in match.group(2)


def default_of(comment):
    match = re.search(r"(\S+), the default\b", comment) or re.search(r"\b[Dd]efault:? +(\"?[^;,)]*)", comment)
    return match.group(1).strip(" .*/") if match else None


def says_zero(default):
    return re.match(r"(0(\.0)?|none|no |nothing|false|NULL|rounding)\b", default + " ") is not None


def excludes_zero(comment):
    before = comment.replace("->", "")
    return re.search(r"(?<![<=|])> ?0\b|>= ?1\b|\bin \[1,|\bin \(0,|, > 0", before) is not None


def accepts_zero(comment):
    return re.search(r">= ?0\b|\bin \[0,|\bin \[-|0: none|0: not|0: no ", comment) is not None


def violations(text, where):
    found = []
    if re.search(r"\bNSDS_ZERO\b", text):
        found.append(f"{where}: NSDS_ZERO")
    for struct, body in structs(text):
        for kind, name, comment, pointer in fields(body):
            if name == "theta":
                found.append(f"{where}: {struct}::theta is a field; schemes are made by functions of nsds/scheme.h")
            default = default_of(comment)
            if default is None or says_zero(default) or pointer or kind not in NUMBERS:
                continue
            if accepts_zero(comment) or not excludes_zero(comment):
                found.append(f"{where}: {struct}::{name} has the default {default}, and does not say that its values "
                             f"are > 0: {comment}")
    return found


PLANTED = """
typedef struct nsds_planted_def {
  double theta;      /**< in [0, 1]; default 1/2 */
  double weight;     /**< [1], >= 0; default 1 */
  double silent;     /**< [m]; default 1e-3 */
  /** Parts of a step,
   *  or so. Default 8 */
  int sweeps;
  double good;       /**< [m], > 0; default 1e-3 */
  int none;          /**< default 0 */
  const char *name;  /**< default "auto" */
  nsds_planted_kind kind; /**< default NSDS_PLANTED */
} nsds_planted_def;
#define NSDS_ZERO (-0.0)
"""


def self_check():
    found = "\n".join(violations(PLANTED, "planted"))
    missing = [word for word in ("NSDS_ZERO", "::theta is a field", "::theta has", "::weight", "::silent", "::sweeps")
               if word not in found]
    wrong = [word for word in ("::good", "::none", "::name", "::kind") if word in found]
    if missing or wrong:
        sys.exit(f"definitions.py does not find {missing} of what is planted, or finds {wrong}:\n{found}")


def main():
    self_check()
    headers = sorted(pathlib.Path(sys.argv[1], "include", "nsds").glob("*.h"))
    texts = {header.name: header.read_text(encoding="utf-8") for header in headers}
    found = [line for name, text in texts.items() for line in violations(text, name)]
    count = sum(1 for text in texts.values() for _, body in structs(text) for _ in fields(body))
    if count < 200:
        sys.exit(f"only {count} fields of definitions found: does definitions.py still read the headers?")
    print("\n".join(found) if found else f"{count} fields of definitions: zero is the default of each")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
