"""Syntax trees of source files, read when a failure is looked at.

Uses the node classes of `_ast` (C) and `compile`; the module `ast` would only add imports.
"""

import _ast
import sys

_ONLY_AST = 0x400  # ast.PyCF_ONLY_AST
_FUNCTIONS = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.Lambda)
_open = open


def children(node):
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, _ast.AST):
            yield value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, _ast.AST):
                    yield item


def _parse(text, filename):
    """The tree, without the warnings that parsing may print."""
    warnings = sys.modules.get("warnings")
    filters = getattr(warnings, "filters", None)
    if type(filters) is not list:
        return compile(text, filename, "exec", _ONLY_AST, True)
    saved = filters[:]
    try:
        filters[:] = [("ignore", None, Warning, None, 0)]
        return compile(text, filename, "exec", _ONLY_AST, True)
    finally:
        filters[:] = saved


class Source:
    """One file: its tree and its lines as UTF-8 bytes, which is what AST columns count."""

    def __init__(self, data, filename):
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        self.lines = [line.encode("utf-8", "replace") for line in text.splitlines(True)]
        self.tree = _parse(data, filename)

    def segment(self, node, limit=300):
        """The source text of a node, white space at line breaks as it stands."""
        first, last = node.lineno - 1, node.end_lineno - 1
        if first == last:
            data = self.lines[first][node.col_offset : node.end_col_offset]
        else:
            middle = self.lines[first + 1 : last]
            data = b"".join(
                [
                    self.lines[first][node.col_offset :],
                    *middle,
                    self.lines[last][: node.end_col_offset],
                ]
            )
        text = " ".join(data.decode("utf-8", "replace").split())
        return text if len(text) <= limit else text[: limit - 3] + "..."

    def path_to(self, line):
        """Nodes from the module down to the innermost statement that covers the line."""
        path = [self.tree]
        while True:
            inner = None
            for child in children(path[-1]):
                spans = isinstance(
                    child, (_ast.stmt, getattr(_ast, "match_case", _ast.stmt), _ast.excepthandler)
                )
                if spans and _first_line(child) <= line <= _last_line(child):
                    inner = child
            if inner is None:
                return path
            path.append(inner)

    def functions(self):
        """(first line as in code objects, name, qualified name) of functions and classes."""
        stack = [(self.tree, "")]
        while stack:
            node, prefix = stack.pop()
            for child in children(node):
                inner = prefix
                if isinstance(child, (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef)):
                    yield _first_line(child), child.name, prefix + child.name
                    scope = "." if isinstance(child, _ast.ClassDef) else ".<locals>."
                    inner = prefix + child.name + scope
                elif isinstance(child, _ast.Lambda):
                    yield child.lineno, "<lambda>", prefix + "<lambda>"
                    inner = prefix + "<lambda>.<locals>."
                stack.append((child, inner))


def _first_line(node):
    """With decorators, as code objects count it."""
    decorators = getattr(node, "decorator_list", None)
    if hasattr(node, "lineno"):
        return min([node.lineno] + [d.lineno for d in decorators or ()])
    return min(_first_line(child) for child in children(node) if hasattr(child, "lineno"))


def _last_line(node):
    if getattr(node, "end_lineno", None) is not None:
        return node.end_lineno
    return max(_last_line(child) for child in children(node) if hasattr(child, "lineno"))


class Sources:
    """Files read so far. `command` is the text of `python -c`."""

    def __init__(self, files):
        self._files = files
        self._cache = {}

    def get(self, filename):
        """The Source, or None when it cannot be read or parsed."""
        if filename not in self._cache:
            self._cache[filename] = self._load(filename)
        return self._cache[filename]

    def _load(self, filename):
        try:
            if filename == "<string>" and self._files.command is not None:
                data = self._files.command.encode("utf-8", "replace")
            elif filename.startswith("<"):
                return None
            else:
                with _open(self._files.absolute(filename), "rb") as file:
                    data = file.read(4 << 20)
            return Source(data, filename)
        except Exception:
            return None


def function_of(path):
    """The innermost function on a path of nodes; None at module level."""
    for node in reversed(path):
        if isinstance(node, _FUNCTIONS):
            return node
    return None


def parameters(function):
    a = function.args
    every = list(getattr(a, "posonlyargs", [])) + a.args + a.kwonlyargs
    every += [x for x in (a.vararg, a.kwarg) if x is not None]
    return {x.arg for x in every}


def names_in(node):
    found, stack = set(), [node]
    while stack:
        node = stack.pop()
        if isinstance(node, _ast.Name):
            found.add(node.id)
        stack.extend(children(node))
    return found
