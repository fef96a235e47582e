"""Calls of the package with wrong arguments: which one is unknown, given twice, too many or missing.

Python reports the same by a TypeError of its own, without the nearest name. checked() makes this TypeError anew. Methods
whose arguments are the fields of a definition get a signature, which editors and help() show.
"""
import functools
import inspect

from ._words import nearest

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def checked(function, name, binds=False):
    """The function, whose wrong calls say what is wrong: `name` is its name in messages. `binds`: the function itself
    sorts its arguments by its signature."""
    @functools.wraps(function)
    def call(*arguments, **named):
        try:
            return function(*arguments, **named)
        except TypeError as error:
            if error.__traceback__.tb_next is not None and not binds:  # raised by the function, not by the call
                raise
            raise TypeError(complaint(function, name, arguments, named) or str(error)) from None
    return call


def complaint(function, name, arguments, named):
    """What is wrong with the arguments: unknown names before all others, missing arguments last."""
    parameters = list(inspect.signature(function).parameters.values())
    if parameters and parameters[0].name in ("self", "cls"):
        parameters, arguments = parameters[1:], arguments[1:]
    known = [p.name for p in parameters if p.kind in POSITIONAL[1:] or p.kind is p.KEYWORD_ONLY]
    for word in named:
        if word not in known and not any(p.kind is p.VAR_KEYWORD for p in parameters):
            return "%s has no argument %r%s; it has %s" % (name, word, nearest(word, known), ", ".join(known) or "none")
    ordered = [p for p in parameters if p.kind in POSITIONAL]
    if len(arguments) > len(ordered) and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        if not ordered:
            return "%s takes arguments by name alone%s, not %d by their order" % (
                name, ": " + ", ".join(known) if known else "", len(arguments))
        return "%s takes at most %d arguments by their order (%s), not %d" % (
            name, len(ordered), ", ".join(p.name for p in ordered), len(arguments))
    for parameter in ordered[:len(arguments)]:
        if parameter.name in named:
            return "%s got %s twice: by its place and by its name" % (name, parameter.name)
    missing = [p.name for p in ordered[len(arguments):] + [p for p in parameters if p.kind is p.KEYWORD_ONLY]
               if p.default is p.empty and p.name not in named]
    for word in named if missing else ():
        if word not in known and nearest(word, missing):
            return "%s has no argument %r%s" % (name, word, nearest(word, missing))
    return "%s: give %s" % (name, ", ".join(missing)) if missing else None


def signature_of(names, owner=True):
    """A signature of named arguments without defaults of their own: what is left out is the library's default."""
    first = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)] if owner else []
    return inspect.Signature(first + [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in names])


def check_class(kind, without=()):
    """Has the methods of a class say what is wrong with their arguments. `without` are methods that must be quick."""
    for name, value in list(vars(kind).items()):
        if name == "__init__":
            label = kind.__name__ + "()"
        elif name.startswith("_") or name in without:
            continue
        else:
            label = name + "()"
        if inspect.isfunction(value):
            setattr(kind, name, checked(value, label))
        elif isinstance(value, classmethod):
            setattr(kind, name, classmethod(checked(value.__func__, label)))
