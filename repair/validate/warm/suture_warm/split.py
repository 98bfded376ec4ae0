"""Tier split: at the first call of an edited function, a child for each candidate takes over.

The check runs once, with the base code. The functions that candidates edit carry a prologue; the
first call of such a function forks a child for each candidate that edits it and has no answer
yet. A child goes on with the candidate's code, at this call and every later one; the process
itself then goes on with the base code, to the next function.
"""

import builtins
import sys

from suture_warm import adopt, alike, fork_point, modules, plan, prologue, sources, targets

_Function = type(lambda: 0)


class _Place:
    """An edited function: who edits it, with which code."""

    def __init__(self, base):
        self.base = base
        self.codes = {}  # candidate -> code
        self.changes = {}  # candidate -> (targets.Edited, splices): what it edits, if that is pure
        self.bound = set()  # free variables that its prologue binds
        self.called = False


class Split:
    """`session`: what the process shares with preload (session.py)."""

    def __init__(self, session):
        self._session = session
        self._places = []
        self._modules = None
        self._codes = None  # in a child: identity -> the candidate's code
        self._functions = {}  # in a child: functions without cells, by (identity, globals)
        self._edits = {}  # real path -> [candidate]
        self._prepared = set()
        self._unloaded = {}  # path of a file that was never loaded -> its BaseFile, parsed once
        for candidate in session.plan.candidates:
            for path in candidate.files:
                self._edits.setdefault(path, []).append(candidate)
        self._alike = alike.Alike(session)
        builtins.__suture_enter__ = self._enter
        builtins.__suture_take__ = self._take
        self._sources = sources.Sources(session, self._edits, self._code, self.refuse_file)
        self.script = self._sources.script

    def begin(self):
        self._modules = modules.Modules(self._session.plan.tree, self._session.origin)
        self._session.say_start()

    def end(self):
        """What the last line says beside the status."""
        return {"modules": self._modules.loadable()}

    def adopt(self, found, alive, called):
        """For a process that was held before its plan came. `found`: the Modules of its run so
        far; `alive`: adopt.Alive; `called(filename, key)`: held.Called."""
        self._modules = found
        with self._session.watch:
            for filename in adopt.loaded(self._session, self._sources, self._edits, alive):
                self._adopt(filename, alive, called)

    def _adopt(self, filename, alive, called):
        real = self._session.real(filename)
        try:
            file = adopt.File(filename, real)
            nodes = self._prepare(file.base, real)
            file.adopt(nodes, alive, called, self._session.too_late)
        except Exception as error:
            self.refuse_file(real, "the file could not be prepared: %r" % (error,))

    # ---- where source becomes code

    def _code(self, path, data):
        base = targets.BaseFile(path, data)
        self._prepare(base, self._session.real(path))
        return compile(base.tree, path, "exec", 0, True)

    def _prepare(self, base, real):
        """Puts the prologues into a file's tree: [(node, candidates that edit it)]."""
        if self._codes is not None:
            self._alike.lose_all()
        nodes = {}  # id of the node -> (node, identity, free variables)
        for candidate in self._edits[real]:
            if not self._session.waits(candidate):
                continue
            try:
                found = base.edited_by(candidate.files[real])
                for edited in found:
                    prologue.check(edited.node)
                    self._add(nodes, candidate, edited, base)
                if len(found) == 1 and len(candidate.files) == 1 and found[0].change is not None:
                    _, identity, _ = nodes[id(found[0].node)]
                    self._places[identity].changes[candidate] = (found[0], candidate.files[real])
            except (targets.Refused, prologue.Unfit) as refusal:
                self._session.refuse(candidate, str(refusal))
        for node, identity, free in nodes.values():
            place = self._places[identity]
            place.bound = free
            if len(place.changes) > 1:  # then a child runs the base code
                edited, _ = next(iter(place.changes.values()))
                free.update(base.compile(edited, (), lambda function: None).co_freevars)
            prologue.insert(node, identity, free)
        self._prepared.add(real)
        return [
            (node, list(self._places[identity].codes)) for node, identity, _ in nodes.values()
        ]

    def _add(self, nodes, candidate, edited, base):
        free = edited.code.co_freevars
        if not all(name.isidentifier() and name != "__classdict__" for name in free):
            raise targets.Refused("needs a variable that cannot be bound")
        if id(edited.node) not in nodes:
            self._places.append(_Place(base))
            nodes[id(edited.node)] = (edited.node, len(self._places) - 1, set())
        _, identity, names = nodes[id(edited.node)]
        names.update(free)
        self._places[identity].codes[candidate] = edited.code
        if self._session.candidate is candidate:  # a child that loads a file after the fork
            self._codes[identity] = edited.code

    def refuse_file(self, path, reason):
        for candidate in self._edits.get(self._session.real(path), ()):
            self._session.refuse(candidate, reason)

    # ---- calls

    def _enter(self, identity):
        """Whether other code takes over this call."""
        if self._codes is not None:
            return identity in self._codes
        place = self._places[identity]
        if place.called:
            return False
        place.called = True
        try:
            return self._serve(place, sys._getframe(1).f_code.co_freevars, identity)
        except Exception as error:
            self._session.unable("%s: %s" % (type(error).__name__, error))
            return False

    def _serve(self, place, cells, identity):
        session = self._session
        for candidate in place.codes:
            if session.waits(candidate) and not set(place.codes[candidate].co_freevars) <= set(
                cells
            ):
                session.refuse(candidate, "needs a variable that cannot be bound")
        pending = [candidate for candidate in place.codes if session.waits(candidate)]
        if not pending:
            return False
        try:
            bound = place.bound & set(cells)
            changes = {
                who: change for who, change in place.changes.items() if self._is_only(place, who)
            }
            mine = self._alike.serve(pending, place.base, changes, bound)
        except fork_point.Refused as refusal:
            for candidate in pending:
                session.refuse(candidate, str(refusal))
            return False
        if mine is None:
            session.stop_when_answered()
            return False
        candidate, code = mine
        self._codes = {
            number: other.codes[candidate]
            for number, other in enumerate(self._places)
            if candidate in other.codes
        }
        if code is not None:
            self._codes[identity] = code
        return identity in self._codes

    def _is_only(self, place, candidate):
        """Whether a candidate edits no other function, nor this one in a file that is loaded twice."""
        return all(candidate not in other.codes for other in self._places if other is not place)

    def _take(self, identity, cells):
        """The function that goes on in this child."""
        names = sys._getframe(1).f_globals
        code = self._codes[identity]
        if not code.co_freevars:
            key = (identity, id(names))
            function = self._functions.get(key)
            if function is None:
                function = self._functions[key] = _Function(code, names, code.co_name)
            return function
        by_name = dict(zip(cells.__code__.co_freevars, cells.__closure__))
        closure = tuple(by_name[name] for name in code.co_freevars)
        return _Function(code, names, code.co_name, None, closure)

    # ---- the end

    def unreached(self, candidate):
        """At the end of the check, for a candidate without answer: whether no function that it
        edits was called. Refuses those of which this cannot be said."""
        for path in candidate.files:
            if path in self._prepared:
                continue  # else it was never loaded: all that matters is that it edits functions
            with self._session.watch:
                try:
                    base = self._unloaded.get(path)
                    if base is None:
                        base = targets.BaseFile(path, plan.read_bytes(path))
                        self._unloaded[path] = base
                    base.edited_by(candidate.files[path])
                except targets.Refused as refusal:
                    self._session.refuse(candidate, str(refusal))
                    return False
                except Exception as error:
                    self._session.refuse(candidate, "the file could not be read: %r" % (error,))
                    return False
        return True
