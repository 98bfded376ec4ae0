"""Prologues for functions that exist already, when a process was held before its plan came.

The code of such a function object is exchanged for the same code with prologues. A function that
was called before, one that waits in the middle (a generator), one whose code is not what its file
says (a decorator made other code of it): these are left to a session that starts with its plan.
"""

import gc
import sys

from suture_warm import plan, targets

_Code = type((lambda: 0).__code__)
_Function = type(lambda: 0)


class Alive:
    """The function objects of a process, by the file name of their code."""

    def __init__(self, is_in_tree):
        self._functions = {}
        self._suspended = set()  # (file name, name, first line) of what waits in the middle
        self.complete = gc.get_freeze_count() == 0  # what is frozen is not listed
        for thing in gc.get_objects():
            if type(thing) is _Function:
                code = thing.__code__
                if is_in_tree(code.co_filename):
                    self._functions.setdefault(code.co_filename, []).append(thing)
            else:
                code = _suspended_code(thing)
                if code is not None:
                    self._suspended.add((code.co_filename,) + _key(code))

    def files(self):
        return list(self._functions)

    def functions(self, filename):
        return self._functions[filename]

    def is_suspended(self, filename, key):
        return (filename,) + key in self._suspended


def _suspended_code(thing):
    kind = type(thing).__name__
    if kind == "generator":
        return thing.gi_code
    if kind == "coroutine":
        return thing.cr_code
    if kind == "async_generator":
        return thing.ag_code
    return None


def _key(code):
    return (code.co_name, code.co_firstlineno)


def running_files():
    """File names of the code that is being executed."""
    frame = sys._getframe()
    while frame is not None:
        yield frame.f_code.co_filename
        frame = frame.f_back


def loaded(session, sources, edits, alive):
    """File names, as code objects have them, of the edited files that were loaded before. `edits`:
    real path -> candidates; those of a file that cannot be adopted are told to be too late."""
    running = {session.real(name) for name in running_files()}
    for path in edits:
        if path in running or not alive.complete:
            for candidate in edits[path]:
                session.too_late(candidate, "its file was running already")
    return [name for name in alive.files() if sources.is_target(name)]


class File:
    """An edited file that was loaded before. `filename`: as its code objects have it."""

    def __init__(self, filename, path):
        self.filename = filename
        self._data = plan.read_bytes(path)
        self.base = targets.BaseFile(filename, self._data)

    def adopt(self, nodes, alive, called, too_late):
        """Exchanges the code of functions. `nodes`: (node, candidates that edit it), with their
        changes in `self.base.tree` already; None for code in no function."""
        before = _Codes(compile(self._data, self.filename, "exec", 0, True))
        after = _Codes(compile(self.base.tree, self.filename, "exec", 0, True))
        exchanged = {}  # key -> what stands against exchanging its code, or None
        for node, candidates in nodes:
            if node is None:
                for candidate in candidates:
                    too_late(candidate, "its module was loaded before the process was held")
                continue
            key = (node.name, targets.first_line(node))
            reason = self._obstacle(key, before, alive, called)
            if reason is None:
                for around in before.chain(key):
                    if around not in exchanged:
                        exchanged[around] = self._exchange(around, before, after, alive)
                    reason = reason or exchanged[around]
            if reason is not None:
                for candidate in candidates:
                    too_late(candidate, reason)

    def _obstacle(self, key, before, alive, called):
        chain = before.chain(key)
        if chain is None:
            return "its code object was not found"
        if called.has(self.filename, key):
            return "was called before the process was held"
        if any(alive.is_suspended(self.filename, around) for around in chain):
            return "a generator waits in it"
        return None

    def _exchange(self, key, before, after, alive):
        old, new = before.code(key), after.code(key)
        functions = [f for f in alive.functions(self.filename) if _key(f.__code__) == key]
        if not functions:
            return None  # what makes it later makes it with prologues
        if any(f.__code__ != old for f in functions):
            return "its code is not what the file says"
        if new is None or new.co_freevars != old.co_freevars:
            return "needs a variable that cannot be bound"
        for function in functions:
            function.__code__ = new
        return None


class _Codes:
    """The code objects in a module's: by name and first line, with those around each."""

    def __init__(self, module):
        self._codes = {}
        self._chains = {}
        self._add(module, ())

    def _add(self, code, around):
        for inner in code.co_consts:
            if type(inner) is not _Code:
                continue
            key = _key(inner)
            chain = around + (key,)
            twice = key in self._codes
            self._codes[key] = None if twice else inner
            self._chains[key] = None if twice else chain
            self._add(inner, chain)

    def code(self, key):
        return self._codes.get(key)

    def chain(self, key):
        """Keys from the outermost to this one; None when they are not certain."""
        chain = self._chains.get(key)
        if chain is None or any(self._codes[around] is None for around in chain):
            return None
        return chain
