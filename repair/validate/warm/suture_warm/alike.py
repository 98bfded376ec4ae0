"""Candidates that cannot behave differently, so that one run tells of several.

Many candidates put another expression where the base code has one: another condition, mostly.
Where both are pure (pure.py), a run of one can watch what the other would have given, at every
visit of the place. As long as the values are the same, so are the runs. From this follows, and no
more is used:

- An *observer*, a child that runs the base code, watches every such candidate of a function. One
  whose value was the base's at each visit to the end would have ended as the base run did.
- The others have left the base run at their first visit with another value. Of those that left it
  at the same visit with the same value, nothing is known after that visit: what they gave later
  in the base run was in a run that is not theirs. So the first of them is run, and its child watches
  the others in turn. One whose value was the same at each visit of this run, before the parting
  and after, ends as it does. The others are parted again, by where they left this run.

What cannot be told at some visit (the expression raises, or looking could run code of the check)
ends the watch of a candidate: it is run. Values count as the same when nothing can tell them apart:
for a condition its truth, else identity, or equal numbers, texts and tuples of the same type. The
verdict of whoever is run stays the exit status of its child; shared memory only says who is like
whom. A candidate that is told to pass this way is run afresh like any other that passes.
"""

import builtins
import mmap
import zlib

from suture_warm import difference, fork_point, prologue, pure

_ONLY_AST = 0x400
_FEWEST = 2  # candidates to watch: fewer cost less than their observer
_MOST_LOOKS = 20000  # of one child; each takes some microseconds
_FIELDS = 3  # numbers a watched candidate in shared memory:
_STATE, _VISIT, _VALUE = range(_FIELDS)
_SAME, _PARTED, _UNKNOWN = range(3)


class Observer:
    """The child that runs the base code and watches."""

    def __init__(self, files):
        self.files = files


class _Watch:
    """What one hook looks at. `own`: the expression that is evaluated there; `others`: [(number in
    shared memory, expression)]."""

    def __init__(self, own, others, is_condition):
        self.own = own
        self.others = others
        self.is_condition = is_condition
        self.visit = 0


class _Place:
    """An edited function while it is served."""

    def __init__(self, base, changes):
        self.base = base
        self.changes = changes  # candidate -> (targets.Edited, splices)
        self.numbers = {candidate: at for at, candidate in enumerate(changes)}
        size = max(1, len(changes)) * _FIELDS * 8
        self.memory = memoryview(mmap.mmap(-1, size)).cast("Q")

    def change(self, candidate):
        return self.changes[candidate][0].change

    def found(self, candidate):
        """(state, visit, value)"""
        at = self.numbers[candidate] * _FIELDS
        return tuple(self.memory[at : at + _FIELDS])

    def reset(self, candidates):
        for candidate in candidates:
            at = self.numbers[candidate] * _FIELDS
            self.memory[at + _STATE] = _SAME
            self.memory[at + _VISIT] = self.memory[at + _VALUE] = 0


class Alike:
    def __init__(self, session):
        self._session = session
        self._watches = {}  # number of a hook -> _Watch
        self._memory = None  # in a child: where to note
        self._looks = 0
        self._ends = {}  # of the children of a round: who -> verdict
        self._children = session.make_children(
            self._ended, self._refused, session.plan.child_timeout
        )
        builtins.__suture_observe__ = self._observe

    def serve(self, pending, base, changes, cells):
        """Serves candidates of one function. In a child: (who it is, its code when that is another
        than the candidate's own); in the parent, at the end: None. Raises fork_point.Refused.

        `changes`: candidate -> (targets.Edited, splices) of those with a pure change; `cells`: names
        of the free variables that can be bound."""
        changes = {who: changes[who] for who in pending if who in changes}
        if len(changes) < _FEWEST:
            return self._run(pending, {}, None)
        place = _Place(base, changes)
        observer = Observer(next(iter(changes)).files)
        code = self._code(place, list(changes), None, cells)
        classes = []
        alone = pending
        if code is not None:
            place.reset(changes)
            mine = self._run([observer], {observer: code}, place)
            if mine is not None:
                return mine
            if observer in self._ends:
                verdict = self._ends[observer]
                alone, classes = self._part(place, pending, changes, verdict, None)
        while alone or classes:
            codes = {}
            for members in classes:
                place.reset(members[1:])
                code = self._code(place, members[1:], members[0], cells)
                if code is None:
                    alone += members[1:]
                    alone.append(members[0])
                else:
                    codes[members[0]] = code
            mine = self._run(alone + list(codes), codes, place)
            if mine is not None:
                return mine
            alone, again = [], []
            for members in classes:
                first = members[0]
                if first in codes:
                    rest = [who for who in members[1:] if self._session.waits(who)]
                    more, parted = self._part(place, rest, rest, self._ends.get(first), first)
                    alone += more
                    again += parted
            classes = again
        return None

    def lose_all(self):
        """In a child: it has other code of the function now, which nobody watches."""
        for watch in self._watches.values():
            self._lose(watch)

    # ---- parting

    def _part(self, place, candidates, watched, verdict, like):
        """After a run: (those to run alone, classes to run one of). Tells of those that are like the
        run. `verdict`: of the run, None when it has none; `like`: whose run, None for the base."""
        alone, classes = [], {}
        for who in candidates:
            state, visit, value = place.found(who) if who in watched else (_UNKNOWN, 0, 0)
            if verdict is None or state == _UNKNOWN:
                alone.append(who)
            elif state == _SAME:
                self._tell(who, verdict, like)
            else:
                key = (place.change(who).path, visit, value)
                classes.setdefault(key, []).append(who)
        for key in [key for key, members in classes.items() if len(members) == 1]:
            alone += classes.pop(key)
        return alone, list(classes.values())

    def _tell(self, who, verdict, like):
        known = {name: verdict[name] for name in ("status", "signal", "timeout") if name in verdict}
        if like is not None:
            known["like"] = like.index
        self._session.answer_alike(who, **known)

    # ---- running

    def _run(self, pending, codes, place):
        self._ends = {}
        mine = fork_point.serve(self._session, self._children, pending)
        if mine is None:
            return None
        self._memory = place.memory if place is not None else None
        return mine, codes.get(mine)

    def _ended(self, who, **verdict):
        self._ends[who] = verdict
        if not isinstance(who, Observer):
            self._session.answer(who, **verdict)

    def _refused(self, who, reason):
        if not isinstance(who, Observer):
            self._session.refuse(who, reason)

    # ---- hooks

    def _code(self, place, watched, runs, cells):
        """The code of the base (`runs` None) or of a candidate, with hooks that watch others. None
        when there is none."""
        edited, splices = place.changes[watched[0] if runs is None else runs]
        hooks = {}
        for who in watched:
            hooks.setdefault(place.change(who).path, []).append(who)

        def put(function):
            # The inner ones first: what hangs below a hook is no longer where its path says.
            for path in sorted(hooks, key=len, reverse=True):
                self._put(place, function, path, hooks[path], runs)

        try:
            code = place.base.compile(edited, () if runs is None else splices, put)
        except Exception:
            return None  # they are run one by one
        return code if set(code.co_freevars) <= set(cells) else None

    def _put(self, place, function, path, members, runs):
        change = place.change(members[0])
        own = change.old if runs is None else place.change(runs).new
        others = [(place.numbers[who], place.change(who).new) for who in members]
        number = len(self._watches)
        self._watches[number] = _Watch(own, others, change.is_condition)
        text = "__suture_observe__(%d, lambda: (None,)) and None" % number
        whole = compile(text, "<suture>", "eval", _ONLY_AST, True).body
        here = function
        for step in path:
            here = difference.follow(here, step)
        prologue.place([whole], here)
        whole.values[0].args[1].body.elts = [own] + [expression for _, expression in others]
        whole.values[1] = here
        difference.put(function, path, whole)

    def _observe(self, number, variables):
        """At a visit, before the expression is evaluated. `variables` carries cells, as in a
        prologue; it is never called."""
        if self._memory is not None:
            watch = self._watches[number]
            watch.visit += 1
            if watch.others:
                try:
                    self._look(watch, pure.Scope(variables))
                except Exception:
                    self._lose(watch)
        return True

    def _look(self, watch, scope):
        self._looks += 1 + len(watch.others)
        if self._looks > _MOST_LOOKS:
            raise pure.Unknown
        own = self._value(watch, watch.own, scope)
        still = []
        for at, expression in watch.others:
            try:
                value = self._value(watch, expression, scope)
                same = value is own if watch.is_condition else pure.same(value, own)
            except Exception:
                self._memory[at * _FIELDS + _STATE] = _UNKNOWN
                continue
            if same:
                still.append((at, expression))
                continue
            self._memory[at * _FIELDS + _VISIT] = watch.visit
            self._memory[at * _FIELDS + _VALUE] = _fingerprint(value)
            self._memory[at * _FIELDS + _STATE] = _PARTED
        watch.others = still

    def _value(self, watch, expression, scope):
        value = pure.value(expression, scope)
        return pure.truth(value) if watch.is_condition else value

    def _lose(self, watch):
        if self._memory is None:
            return
        for at, _ in watch.others:
            self._memory[at * _FIELDS + _STATE] = _UNKNOWN
        watch.others = []


def _fingerprint(value):
    """A number that is the same for values that are the same. It only sorts: that two candidates
    are alike is shown by a run."""
    if type(value) in (bool, int, float, str, bytes, type(None)):
        return zlib.crc32(repr(value).encode("utf-8", "replace"))
    return id(value) & 0xFFFFFFFF
