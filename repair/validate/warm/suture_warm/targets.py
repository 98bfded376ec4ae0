"""Which functions of a file a candidate edits, and the code that they then have.

The base file is parsed once. Of a candidate only the outermost function around each edit is
parsed and compiled, alone, inside skeleton classes of the same names (so that private names and
`__class__` stay what they are), at its own line numbers. What this cannot show to be an edit of
function bodies alone is refused.
"""

import _ast

from suture_warm import difference, plan

_ONLY_AST = 0x400
_AST = _ast.AST
_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef")
_SCOPES = _FUNCTIONS + ("Lambda",)
_IGNORED = difference.IGNORED
_STATEMENT_LISTS = ("body", "orelse", "finalbody", "handlers", "cases")
# Code that counts frames sees one too many, because the call was taken over.
_COUNTS_FRAMES = ("_getframe", "_getframemodulename", "currentframe", "stack")

OUTSIDE = "changes code outside function bodies"


class Refused(Exception):
    """This tier cannot serve a candidate; the text says why."""


class Edited:
    """A function of the base file (its node) and the candidate's code for it.

    `change`: a Difference (difference.py) in the outermost function around it, when the candidate
    has this function alone; `unit`: that function, for BaseFile.compile.
    """

    def __init__(self, node, code):
        self.node = node
        self.code = code
        self.unit = self.change = None


class _Unit:
    """An outermost function: its node, the classes around it, its bytes in the file."""

    def __init__(self, node, classes, start, end, head):
        self.node = node
        self.classes = classes
        self.start, self.end = start, end
        self.head = head  # what must stand before it to be compiled alone
        self.wrappers = 0  # statements of `head` around it, from the outside


class BaseFile:
    """A file as it is in the tree. `path` is the name that its code objects carry."""

    def __init__(self, path, data):
        self.path = path
        self.data = data
        self.tree = compile(data, path, "exec", _ONLY_AST, True)
        self._starts = _line_starts(data)
        self._future = [
            name.name
            for statement in self.tree.body
            if type(statement).__name__ == "ImportFrom" and statement.module == "__future__"
            for name in statement.names
        ]
        self._units = None

    def edited_by(self, splices):
        """The functions that the splices edit: [Edited]. Raises Refused."""
        groups = {}
        for splice in splices:
            unit = self._unit_at(splice)
            groups.setdefault(id(unit), (unit, []))[1].append(splice)
        found = []
        for unit, group in groups.values():
            found += self._edited_in(unit, group)
        return found

    def _unit_at(self, splice):
        start, end, _ = splice
        if self._units is None:
            self._units = [self._unit(*found) for found in _outermost(self.tree.body, ())]
        for unit in self._units:
            if unit.start <= start and end <= unit.end:
                return unit
        raise Refused(OUTSIDE)

    def _unit(self, node, classes):
        first = first_line(node)
        start = self._starts[first - 1]
        end = self._starts[node.end_lineno]
        unit = _Unit(node, classes, start, end, b"")
        self._make_head(unit, first)
        return unit

    def _make_head(self, unit, first):
        lines = []
        opening = [self.data[a:b] for a, b in zip(self._starts[:2], self._starts[1:3])]
        for line in opening:
            if b"coding" in line and line.lstrip(b"\xef\xbb\xbf \t\f").startswith(b"#"):
                lines.append(line.lstrip(b"\xef\xbb\xbf").strip() + b"\n")
        if self._future:
            lines.append(b"from __future__ import %s\n" % ", ".join(self._future).encode())
        wrappers = []
        outermost = unit.classes[0] if unit.classes else unit.node
        if self._indentation(outermost.lineno):
            wrappers.append(b"if 1:\n")
        for owner in unit.classes:
            wrappers.append(
                b"%sclass %s:\n" % (self._indentation(owner.lineno), owner.name.encode())
            )
        padding = first - 1 - len(lines) - len(wrappers)
        unit.wrappers = len(wrappers)
        unit.head = b"".join(lines) + b"\n" * padding + b"".join(wrappers)

    def _indentation(self, line):
        text = self.data[self._starts[line - 1] : self._starts[line]]
        text = text[3:] if text.startswith(b"\xef\xbb\xbf") else text
        return text[: len(text) - len(text.lstrip(b" \t\f"))].lstrip(b"\f")

    def _edited_in(self, unit, splices):
        if any(getattr(owner, "type_params", None) for owner in unit.classes):
            raise Refused("edits a method of a generic class")
        tree, node = self._parse(unit, splices)
        pairs = _function_differences(unit.node, node)
        if pairs is None:
            raise Refused(OUTSIDE)
        if not pairs:
            return []
        code = self._compile(tree)
        found = [self._edited(code, old, new) for old, new in pairs]
        if len(found) == 1:
            found[0].unit = unit
            found[0].change = difference.between(unit.node, node)
        return found

    def compile(self, edited, splices, put):
        """The code of the function that `edited` is of, with the splices put in and its tree changed
        by `put(outermost function)`. Raises Refused."""
        unit = edited.unit
        within = [each for each in splices if unit.start <= each[0] and each[1] <= unit.end]
        tree, node = self._parse(unit, within)
        put(node)
        code = self._compile(tree)
        found = _code_of(code, edited.node.name, first_line(edited.node))
        if found is None:
            raise Refused("its code object was not found")
        return found

    def _parse(self, unit, splices):
        """(tree that compiles, node of the function) of an outermost function with splices."""
        text = plan.apply(
            self.data[unit.start : unit.end],
            [(start - unit.start, end - unit.start, text) for start, end, text in splices],
        )
        if not text.endswith(b"\n") and unit.end < len(self.data):
            raise Refused(OUTSIDE)
        try:
            tree = compile(unit.head + text, self.path, "exec", _ONLY_AST, True)
        except (SyntaxError, ValueError):
            raise Refused(OUTSIDE)  # the whole file parses: so the edit reaches out of the function
        body = tree.body[1:] if self._future else tree.body
        for _ in range(unit.wrappers):
            if len(body) != 1:
                raise Refused(OUTSIDE)
            body = body[0].body
        if len(body) != 1 or type(body[0]) is not type(unit.node):
            raise Refused(OUTSIDE)
        return tree, body[0]

    def _compile(self, tree):
        try:
            return compile(tree, self.path, "exec", 0, True)
        except (SyntaxError, ValueError) as error:
            raise Refused("does not compile: %s" % error)

    def _edited(self, code, old, new):
        if shape(new) == "async generator":
            raise Refused("edits an asynchronous generator")
        found = _code_of(code, new.name, first_line(new))
        if found is None:
            raise Refused("its code object was not found")
        if _counts_frames(found):
            raise Refused("edits a function that counts frames")
        return Edited(old, found)


def _line_starts(data):
    """Offsets of the lines, and the length of the file once or twice more as end."""
    starts = [0]
    for line in data.splitlines(True):
        starts.append(starts[-1] + len(line))
    return starts


def first_line(node):
    return min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])


def _outermost(statements, classes):
    """(node, classes around it) of each function that is in no other function."""
    for statement in statements:
        kind = type(statement).__name__
        if kind in _FUNCTIONS:
            yield statement, classes
        elif kind == "ClassDef":
            for found in _outermost(statement.body, classes + (statement,)):
                yield found
        else:
            for field in _STATEMENT_LISTS:
                inner = getattr(statement, field, None)
                if isinstance(inner, list):
                    for found in _outermost(inner, classes):
                        yield found


def _differences(old, new):
    """Pairs of innermost functions that differ, or None when something else differs."""
    if type(old) is not type(new):
        return None
    if isinstance(old, list):
        if len(old) != len(new):
            return None
        found = []
        for a, b in zip(old, new):
            pairs = _differences(a, b)
            if pairs is None:
                return None
            found += pairs
        return found
    if not isinstance(old, _AST):
        return [] if old is new or repr(old) == repr(new) else None
    if type(old).__name__ in _FUNCTIONS:
        return _function_differences(old, new)
    found = []
    for field in old._fields:
        if field in _IGNORED:
            continue
        pairs = _differences(getattr(old, field, None), getattr(new, field, None))
        if pairs is None:
            return None
        found += pairs
    return found


def _function_differences(old, new):
    for field in old._fields:
        if field != "body" and field not in _IGNORED:
            if _differences(getattr(old, field, None), getattr(new, field, None)) != []:
                return None
    if docstring(old) != docstring(new):
        return None
    pairs = _differences(old.body, new.body)
    if pairs is None:  # the body itself differs: this is the innermost function
        return [(old, new)] if shape(old) == shape(new) else None
    return pairs


def docstring(node):
    first = node.body[0]
    if type(first).__name__ == "Expr" and type(first.value).__name__ in ("Constant", "Str"):
        value = getattr(first.value, "value", None)
        return value if isinstance(value, str) else None
    return None


def shape(node):
    """ "function", "generator", "coroutine" or "async generator"."""
    yields = _yields(node.body)
    if type(node).__name__ == "AsyncFunctionDef":
        return "async generator" if yields else "coroutine"
    return "generator" if yields else "function"


def _yields(value):
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending += value
        elif isinstance(value, _AST):
            kind = type(value).__name__
            if kind in ("Yield", "YieldFrom"):
                return True
            for field in value._fields:
                if kind not in _SCOPES or field in ("args", "decorator_list", "returns"):
                    pending.append(getattr(value, field, None))
    return False


def _code_of(code, name, line):
    for constant in code.co_consts:
        if type(constant) is type(code):
            if constant.co_name == name and constant.co_firstlineno == line:
                return constant
            found = _code_of(constant, name, line)
            if found is not None:
                return found
    return None


def _counts_frames(code):
    if any(name in _COUNTS_FRAMES for name in code.co_names):
        return True
    return any(_counts_frames(c) for c in code.co_consts if type(c) is type(code))
