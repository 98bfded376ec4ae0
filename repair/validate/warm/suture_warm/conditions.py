"""Conditions in a syntax tree: finding them by their place, and putting a hook around them.

    if CONDITION:

becomes

    if (__suture_forced__(3) if __suture_skips__(3)
        else __suture_saw__(3, True if CONDITION else False)):

The condition is evaluated where and as often as before, its truth is taken once, as `if` does, and
no frame is added; so this holds in generators, coroutines, comprehensions and class bodies as well.
"""

from suture_warm import prologue

_ONLY_AST = 0x400
_TESTS = {
    "If": "test",
    "While": "test",
    "IfExp": "test",
    "Assert": "test",
    "match_case": "guard",
}
_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef")
_AROUND = b"() \t\r\n\f\\"


class NotFound(Exception):
    """No condition is at this place; the text says why."""


class Slot:
    """Where a condition hangs in the tree. `function`: the node of the innermost function around it,
    or None."""

    def __init__(self, owner, field, at, function):
        self._owner, self._field, self._at = owner, field, at
        self.function = function

    def get(self):
        value = getattr(self._owner, self._field)
        return value if self._at is None else value[self._at]

    def put(self, node):
        if self._at is None:
            setattr(self._owner, self._field, node)
        else:
            getattr(self._owner, self._field)[self._at] = node

    def is_loop(self):
        return type(self._owner).__name__ == "While"


class Conditions:
    """The conditions of a file. `tree` is parsed from `data`."""

    def __init__(self, data, tree):
        data.decode("utf-8")  # positions in the tree count bytes of UTF-8
        self._data = data
        starts = [0]
        for line in data.splitlines(True):
            starts.append(starts[-1] + len(line))
        self._slots = []  # (start, end, slot)
        for slot in _slots(tree):
            node = slot.get()
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            self._slots.append((start, end, slot))

    def at(self, start, end):
        """The Slot of the condition at these bytes, parentheses around it included or not."""
        inside = [found for found in self._slots if start <= found[0] and found[1] <= end]
        if inside:
            first, last, slot = max(inside, key=lambda found: found[1] - found[0])
            around = self._data[start:first] + self._data[last:end]
            if not around.strip(_AROUND) or b"#" in around:
                return slot
        raise NotFound("no condition of an if, while, assert or filter is there")


def _slots(tree):
    pending = [(tree, None)]
    while pending:
        node, function = pending.pop()
        kind = type(node).__name__
        field = _TESTS.get(kind)
        if field is not None and getattr(node, field) is not None:
            yield Slot(node, field, None, function)
        elif kind == "comprehension":
            for at in range(len(node.ifs)):
                yield Slot(node, "ifs", at, function)
        for name in node._fields:
            value = getattr(node, name, None)
            # Decorators and default values belong to what is around the function.
            inner = node if kind in _FUNCTIONS and name == "body" else function
            for child in value if isinstance(value, list) else [value]:
                if hasattr(child, "_fields"):
                    pending.append((child, inner))


def hook(slot, number):
    """Puts the hook of condition `number` around what is in the slot."""
    condition = slot.get()
    text = (
        "__suture_forced__(%d) if __suture_skips__(%d) else "
        "__suture_saw__(%d, True if None else False)" % (number, number, number)
    )
    whole = compile(text, "<suture>", "eval", _ONLY_AST, True).body
    prologue.place([whole], condition)
    whole.orelse.args[1].test = condition
    slot.put(whole)


def may_act(node):
    """Whether evaluating the expression can do more than give a value: it calls, waits, yields or
    binds."""
    pending = [node]
    while pending:
        node = pending.pop()
        if type(node).__name__ in ("Call", "Await", "Yield", "YieldFrom", "NamedExpr"):
            return True
        for name in node._fields:
            value = getattr(node, name, None)
            for child in value if isinstance(value, list) else [value]:
                if hasattr(child, "_fields"):
                    pending.append(child)
    return False
