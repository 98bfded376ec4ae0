"""The one expression in which two versions of a function differ."""

import _ast

from suture_warm import pure

IGNORED = ("type_comment", "kind", "ctx", "type_ignores")
_AST = _ast.AST
_TESTS = ("If", "While", "IfExp", "Assert")
# Nothing can be put around an expression in these, or names in there are not those of the function.
_NO_WAY = ("ClassDef", "JoinedStr", "TemplateStr", "arguments")


class Difference:
    """`path`: the way from the function down to the expression, steps (field, position or None);
    `old` and `new`: its node in either version; `is_condition`: only its truth matters there."""

    def __init__(self, path, old, new, is_condition):
        self.path = path
        self.old, self.new = old, new
        self.is_condition = is_condition


def between(old, new):
    """The Difference: the largest pure expression that holds all that differs; None when there is
    none."""
    path = _steps(old, new)
    is_condition = False
    for depth, step in enumerate(path or (), 1):
        if _is_no_way(old):
            return None
        is_condition = _matters_by_truth(old, step[0], is_condition)
        old, new = follow(old, step), follow(new, step)
        if isinstance(old, _ast.expr) and pure.is_pure(old) and pure.is_pure(new):
            return Difference(tuple(path[:depth]), old, new, is_condition)
    return None


def follow(node, step):
    field, at = step
    value = getattr(node, field)
    return value if at is None else value[at]


def put(node, path, replacement):
    """Puts `replacement` at the end of the path."""
    for step in path[:-1]:
        node = follow(node, step)
    field, at = path[-1]
    if at is None:
        setattr(node, field, replacement)
    else:
        getattr(node, field)[at] = replacement


def _steps(old, new):
    """The way to the smallest node that holds all that differs, empty: the node itself; None where
    nothing differs."""
    if type(old) is not type(new):
        return []
    differing = None
    for field in old._fields:
        if field in IGNORED:
            continue
        a, b = getattr(old, field, None), getattr(new, field, None)
        pairs = [(None, a, b)]
        if isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return []
            pairs = [(at, x, y) for at, (x, y) in enumerate(zip(a, b))]
        for at, x, y in pairs:
            if isinstance(x, _AST) and isinstance(y, _AST):
                steps = _steps(x, y)
                if steps is None:
                    continue
                if differing is not None:
                    return []
                differing = [(field, at)] + steps
            elif not (x is y or type(x) is type(y) and repr(x) == repr(y)):
                return []
    return differing


def _is_no_way(node):
    kind = type(node).__name__
    return kind in _NO_WAY or kind.startswith("Match") and kind != "Match"


def _matters_by_truth(node, field, was):
    """Whether only the truth of what hangs there matters, when that held for the node or not."""
    kind = type(node).__name__
    if kind in _TESTS and field == "test" or kind == "comprehension" and field == "ifs":
        return True
    if kind == "UnaryOp":
        return type(node.op).__name__ == "Not"
    return was and kind == "BoolOp"
